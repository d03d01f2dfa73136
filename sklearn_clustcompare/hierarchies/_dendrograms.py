"""Correlations of two hierarchies, by the heights at which they join pairs of objects."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import cophenet
from scipy.stats import spearmanr
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_clustcompare._memory import require_memory
from sklearn_clustcompare._parameters import one_of
from sklearn_clustcompare._partition import Hierarchy
from sklearn_clustcompare._partition.trees import known_heights, read_dendrograms

_known_method = one_of("goodman_kruskal", "spearman")

# Heights of both sides and what is computed of them, as measured.
_BYTES_PER_PAIR = 40
_BYTES_PER_PAIR_OF_RANKS = {"goodman_kruskal": 64, "spearman": 96}


def cophenetic_correlation(Z1: Any, Z2: Any) -> float:
    """Correlation of the heights at which two hierarchies join the pairs of objects.

    The similarity of two dendrograms, over all levels at once. It uses the heights themselves: to
    compare dendrograms of different linkages, whose heights have different meanings, prefer
    :func:`bakers_gamma`.

    Parameters
    ----------
    Z1, Z2 : array-like of shape (n_samples - 1, 4), AgglomerativeClustering or Hierarchy
        Linkage matrices of the same objects, as :func:`scipy.cluster.hierarchy.linkage`
        returns them, fitted :class:`~sklearn.cluster.AgglomerativeClustering`, or a
        :class:`Hierarchy` made of labels of several levels. ``Z1`` is the reference.

    Returns
    -------
    float
        In [-1, 1]; 1.0 if heights are the same up to a positive factor and a constant. Higher is
        better.

    Raises
    ------
    ValueError
        If a linkage is not valid, if a clusterer is not fitted, has stopped before all objects were
        merged or has no heights, or if the objects are not the same.

    Warns
    -----
    UndefinedMetricWarning
        If one hierarchy joins all pairs at the same height, and the other does not: the value is
        set to 0.0.

    See Also
    --------
    bakers_gamma : The order of the heights alone.
    compare_hierarchies : An index for each number of clusters.
    scipy.cluster.hierarchy.cophenet : The heights, and their correlation with the distances.

    Notes
    -----
    Pearson's correlation over the n (n - 1) / 2 pairs of objects.

    References
    ----------
    .. [1] R. R. Sokal, F. J. Rohlf, "The comparison of dendrograms by objective methods", Taxon
       11(2), 1962, :doi:`10.2307/1217208`

    Examples
    --------
    >>> from scipy.cluster.hierarchy import linkage
    >>> from sklearn_clustcompare import cophenetic_correlation
    >>> X = [[0.0], [1.0], [3.0], [5.5], [9.0]]
    >>> round(cophenetic_correlation(linkage(X, "single"), linkage(X, "complete")), 3)
    0.9
    """
    first, second = (
        _joining_heights(one, known_heights(one, "the cophenetic correlation"), _BYTES_PER_PAIR)
        for one in read_dendrograms(Z1, Z2)
    )
    undefined = _if_constant(first, second, "cophenetic_correlation")
    if undefined is not None:
        return undefined
    return float(np.clip(np.corrcoef(first, second)[0, 1], -1, 1))


def bakers_gamma(Z1: Any, Z2: Any, *, method: str = "goodman_kruskal") -> float:
    """Rank correlation of the order in which two hierarchies join pairs: Baker's gamma.

    It correlates the numbers of clusters down to which two objects stay together. Only the order of
    the heights matters.

    Parameters
    ----------
    Z1, Z2 : array-like of shape (n_samples - 1, 4), AgglomerativeClustering or Hierarchy
        Linkage matrices of the same objects, as :func:`scipy.cluster.hierarchy.linkage`
        returns them, fitted :class:`~sklearn.cluster.AgglomerativeClustering`, or a
        :class:`Hierarchy` made of labels of several levels. ``Z1`` is the reference.
    method : {"goodman_kruskal", "spearman"}, default="goodman_kruskal"
        Which rank correlation: Goodman and Kruskal's gamma [1]_, which leaves out ties, or
        Spearman's, which the R package dendextend [2]_ uses.

    Returns
    -------
    float
        In [-1, 1]; 1.0 if no two pairs of objects are joined in a different order. Higher is
        better.

    Raises
    ------
    ValueError
        If a linkage is not valid, if a clusterer is not fitted or has stopped before all objects
        were merged, or if the objects are not the same; if ``method`` is unknown.

    Warns
    -----
    UndefinedMetricWarning
        If one hierarchy joins all pairs at the same height, and the other does not: the value is
        set to 0.0.

    See Also
    --------
    cophenetic_correlation : Uses the heights themselves.
    compare_hierarchies : An index for each number of clusters.

    Notes
    -----
    Pairs that are joined at the same height are tied. If a clusterer has no heights, the order of
    its merges is used.

    References
    ----------
    .. [1] F. B. Baker, "Stability of two hierarchical grouping techniques, case 1: sensitivity to
       data errors", Journal of the American Statistical Association 69(346), 1974,
       :doi:`10.1080/01621459.1974.10482971`
    .. [2] T. Galili, "dendextend: an R package for visualizing, adjusting and comparing trees of
       hierarchical clustering", Bioinformatics 31(22), 2015, :doi:`10.1093/bioinformatics/btv428`

    Examples
    --------
    >>> from scipy.cluster.hierarchy import linkage
    >>> from sklearn_clustcompare import bakers_gamma
    >>> X = [[0.0], [1.0], [3.0], [5.5], [9.0]]
    >>> round(bakers_gamma(linkage(X, "single"), linkage(X, "complete")), 3)
    0.871
    """
    _known_method("method", method)
    n_bytes = _BYTES_PER_PAIR_OF_RANKS[method]
    ranks = [
        _joining_heights(one, _ranked_heights(one), n_bytes).astype(np.intp)
        for one in read_dendrograms(Z1, Z2)
    ]
    undefined = _if_constant(ranks[0], ranks[1], "bakers_gamma")
    if undefined is not None:
        return undefined
    if method == "spearman":
        return float(spearmanr(*ranks).statistic)
    return _goodman_kruskal(ranks[0], ranks[1])


def _joining_heights(
    hierarchy: Hierarchy, heights: NDArray[Any], bytes_per_pair: int
) -> NDArray[np.float64]:
    """Return the height at which each pair of objects is joined, of merges at these heights."""
    assert hierarchy.linkage is not None
    if not len(heights):  # a single object
        return heights
    n_objects = len(heights) + 1
    require_memory(
        f"the correlation of all pairs of {n_objects} objects",
        bytes_per_pair * math.comb(n_objects, 2),
        "compare hierarchies of a sample of them, or cuts with compare_hierarchies",
    )
    linkage = hierarchy.linkage.copy()
    linkage[:, 2] = heights
    joined: NDArray[np.float64] = cophenet(linkage)
    return joined


def _ranked_heights(hierarchy: Hierarchy) -> NDArray[np.intp]:
    assert hierarchy.linkage is not None
    heights = hierarchy.linkage[:, 2]
    if np.isnan(heights).any():
        return np.arange(len(heights))
    return np.unique(heights, return_inverse=True)[1]


def _if_constant(first: NDArray[Any], second: NDArray[Any], name: str) -> float | None:
    """Return the value where the heights of a side are all the same, else None."""
    are_constant = [not len(one) or bool((one == one[0]).all()) for one in (first, second)]
    if not any(are_constant):
        return None
    if all(are_constant):
        return 1.0
    warnings.warn(
        f"{name} is undefined for a hierarchy that joins all pairs of objects at the same height, "
        "and set to 0.0",
        UndefinedMetricWarning,
        stacklevel=3,
    )
    return 0.0


def _goodman_kruskal(first: NDArray[np.intp], second: NDArray[np.intp]) -> float:
    """Count in a table of ranks how many pairs of entries are in the same, or in another order."""
    shape = (int(first.max()) + 1, int(second.max()) + 1)
    counts = np.bincount(first * shape[1] + second, minlength=shape[0] * shape[1]).reshape(shape)
    before = counts.cumsum(axis=0)
    lower = before.cumsum(axis=1)
    concordant = int(np.einsum("ij,ij", counts[1:, 1:], lower[:-1, :-1]))
    del lower  # as large as all pairs
    higher = before[:, ::-1].cumsum(axis=1)[:, ::-1]
    discordant = int(np.einsum("ij,ij", counts[1:, :-1], higher[:-1, 1:]))
    return (concordant - discordant) / (concordant + discordant)
