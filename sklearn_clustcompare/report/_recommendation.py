"""Which index fits a reference clustering?"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from numpy.typing import ArrayLike

from sklearn_clustcompare._parameters import positive_integer
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare.indices._information import entropy

# A reference is called balanced if its entropy comes this close to the largest possible one.
_BALANCED = 0.95
# Clusters below this share of the mean size are called small.
_SMALL = 0.5
# Clusters of this mean size are called big.
_BIG = 5.0
# Fewer objects than this per cell of a square table, and choosing among candidates by an
# adjusted index prefers some numbers of clusters.
_FEW_PER_CELL = 5.0


@dataclass(frozen=True)
class IndexRecommendation:
    """An index for a reference, and why; made by :func:`recommend_index`.

    All parameters are attributes of the same names, which cannot be set.

    Parameters
    ----------
    index : str
        Name of the index.
    parameters : dict, default={}
        Its parameters.
    reasons : tuple of str, default=()
        Why, in words.

    See Also
    --------
    recommend_index : Makes it.

    Examples
    --------
    >>> from sklearn_clustcompare import make_clustering_scorer, recommend_index
    >>> advice = recommend_index([0] * 130 + [1] * 10 + [2] * 10)
    >>> make_clustering_scorer(advice.index, **advice.parameters)
    make_clustering_scorer('adjusted_mutual_info_score', response='auto', q=0.5)
    """

    index: str
    parameters: dict[str, Any] = field(default_factory=dict)
    reasons: tuple[str, ...] = ()


def recommend_index(
    labels_true: Any, *, n_candidates: int = 1, sample_weight: ArrayLike | None = None
) -> IndexRecommendation:
    """Recommend an index by the cluster sizes of the reference.

    The guidelines are those of Romano et al. [1]_; where they speak of big, small or
    balanced clusters, the thresholds are ours and stand in the reasons.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,)
        :term:`Labels` of the :term:`reference`.
    n_candidates : int, default=1
        How many candidates will be compared with the reference to choose the best.
    sample_weight : array-like of shape (n_samples,), default=None
        :term:`Frequency weights <sample_weight>`; None weighs every object 1.

    Returns
    -------
    IndexRecommendation
        With ``index``, ``parameters`` and ``reasons``.

    Raises
    ------
    ValueError
        If there are no objects, or labels are invalid.

    See Also
    --------
    list_indices : All indices, or those with given properties.

    References
    ----------
    .. [1] S. Romano, N. X. Vinh, J. Bailey, K. Verspoor, "Adjusting for chance clustering
       comparison measures", JMLR 17(134), 2016, sec. 4 and 5.

    Examples
    --------
    >>> from sklearn_clustcompare import recommend_index
    >>> recommend_index([0] * 50 + [1] * 50 + [2] * 50).index
    'adjusted_rand_score'
    >>> advice = recommend_index([0] * 130 + [1] * 10 + [2] * 10)
    >>> advice.index, advice.parameters
    ('adjusted_mutual_info_score', {'q': 0.5})
    >>> print(advice.reasons[0])
    the reference is unbalanced: its entropy is 0.44 of the largest for 3 clusters (below 0.95)
    """
    positive_integer("n_candidates", n_candidates)
    table = ContingencyTable.from_labels(labels_true, labels_true, sample_weight=sample_weight)
    sizes, n_samples, n_clusters = table.row_sums, table.n_samples, table.shape[0]
    if n_clusters == 0:
        msg = "labels_true must hold at least one object, got none"
        raise ValueError(msg)
    per_cell = n_samples / n_clusters**2
    if n_candidates > 1 and per_cell < _FEW_PER_CELL:
        return IndexRecommendation(
            "standardized_mutual_info_score",
            reasons=(
                f"the best of {n_candidates} candidates is chosen, and there are few objects: "
                f"{per_cell:.2g} per cell of a {n_clusters} x {n_clusters} table (below "
                f"{_FEW_PER_CELL:g})",
                "then adjusted indices prefer candidates whose index varies more by chance; "
                "standardised ones weigh all alike",
                "pvalue_adjusted_mutual_info_score does the same on the scale of probabilities",
            ),
        )
    evenness = entropy(sizes) / math.log(n_clusters) if n_clusters > 1 else 1.0
    smallest = sizes.min() / (n_samples / n_clusters)
    balance = (
        f"its entropy is {evenness:.2f} of the largest for {n_clusters} clusters "
        f"({'at least' if evenness >= _BALANCED else 'below'} {_BALANCED:g})"
    )
    if evenness >= _BALANCED and smallest >= _SMALL and n_samples >= _BIG * n_clusters:
        return IndexRecommendation(
            "adjusted_rand_score",
            reasons=(
                f"the reference has clusters of about equal size: {balance}",
                f"its smallest cluster has {smallest:.2f} of the mean size (at least {_SMALL:g})",
                "pair counting (q = 2 and above) judges big equal clusters by how many of "
                "their objects were found",
            ),
        )
    if evenness < _BALANCED and smallest < _SMALL:
        return IndexRecommendation(
            "adjusted_mutual_info_score",
            {"q": 0.5},
            (
                f"the reference is unbalanced: {balance}",
                f"it has small clusters: the smallest has {smallest:.2f} of the mean size (below "
                f"{_SMALL:g})",
                "small q rewards candidates whose small clusters are pure",
            ),
        )
    return IndexRecommendation(
        "adjusted_mutual_info_score",
        reasons=(
            f"the reference is neither clearly balanced nor clearly unbalanced: {balance}; its "
            f"smallest cluster has {smallest:.2f} of the mean size",
            "Shannon's entropy (q = 1) lies between indices that favour pure small clusters and "
            "those that favour big ones",
        ),
    )
