"""Element-centric similarity: how similar the clusters of each object are."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_clustcompare._parameters import probability
from sklearn_clustcompare._partition import read_pair
from sklearn_clustcompare._partition.arrays import PartitionLike
from sklearn_clustcompare._table.cover_pair import pair_covers
from sklearn_clustcompare.indices._covers import element_centric_values
from sklearn_clustcompare.indices._element_centric import labels_only, similarities
from sklearn_clustcompare.metrics._evaluate import evaluate, is_no_partition


def element_centric_similarity_score(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    alpha: float = 0.9,
) -> float:
    """Element-centric similarity: how similar the clusters of each object are, on average.

    1 - score is a metric. Small errors in large clusters cost little, and breaking up a small
    cluster costs its objects everything, so it does not favor partitions of unequal sizes; but
    random partitions score higher the fewer clusters they have. Not adjusted for chance.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,), Cover, Hierarchy or ContingencyTable
        :term:`Labels`, a :term:`cover` or a :term:`hierarchy` as the :term:`reference`; or a
        :term:`contingency table` of both partitions, without ``labels_pred``.
    labels_pred : array-like of shape (n_samples,), Cover or Hierarchy, default=None
        Labels, a cover or a hierarchy as the :term:`candidate`.
    sample_weight : array-like of shape (n_samples,), default=None
        :term:`Frequency weights <sample_weight>`; None means 1 for every object.
    alpha : float, default=0.9
        Probability, between 0 and 1, that a walk from object to cluster to object continues. For
        two partitions the value is the same for all alpha.

    Returns
    -------
    float
        In [0, 1], above 0 for partitions; 1.0 for equal partitions only. Higher is better.

    Raises
    ------
    ValueError
        If lengths differ, or labels or weights are invalid,
        or ``alpha`` is not between 0 and 1; if weights are not
        whole numbers.
    TypeError
        If labels are not hashable.

    See Also
    --------
    element_centric_similarities : The value of each object.
    element_consistency : Many partitions against each other.
    chance_adjusted_score : Adjusts it exactly.
    bcubed_precision_score : Divides by the size of one of the two clusters.

    Notes
    -----
    (1/N) sum_ij n_ij^2 / max(a_i, b_j): an object of cell (i, j) scores n_ij / max(a_i, b_j). In
    general the score is ``1 - |p - p'|_1 / (2 alpha)`` for the affinities p and p' of an object to
    all others, by personalized PageRank with continuation probability alpha, in both partitions. In
    a partition the affinity of an object is alpha / a to each object of its cluster of size a, and
    1 - alpha more to itself. No objects: 1.0.

    In a cover or a hierarchy, a walk goes to one of the clusters of its object, by their weights
    (1, or exp(r l) at level l of a hierarchy), and on to one of the members of the cluster. An
    object in no cluster counts as a cluster of its own.

    Its mean and deviation under permutation are exact: see :func:`chance_adjusted_score` and
    :func:`permutation_test`.

    References
    ----------
    .. [1] A. J. Gates, I. B. Wood, W. P. Hetrick, Y.-Y. Ahn, "Element-centric clustering comparison
       unifies overlaps and hierarchy", Scientific Reports 9, 2019

    Examples
    --------
    >>> from sklearn_clustcompare import element_centric_similarity_score
    >>> round(element_centric_similarity_score([0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 2, 2]), 4)
    0.5556

    A person in two groups:

    >>> from sklearn_clustcompare import Cover
    >>> groups = Cover.from_sets([{0, 1, 2}, {2, 3}, {4, 5}])
    >>> found = Cover.from_sets([{0, 1, 2}, {2, 3, 5}, {0, 4, 5}])
    >>> round(element_centric_similarity_score(groups, found), 4)
    0.5739
    """
    return evaluate(
        "element_centric_similarity_score", labels_true, labels_pred, sample_weight, alpha=alpha
    )


def element_centric_similarities(
    labels_true: PartitionLike, labels_pred: PartitionLike, *, alpha: float = 0.9
) -> NDArray[np.float64]:
    """Element-centric similarity of each object: where two partitions differ.

    Use the values, for example, to color an embedding.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,), Cover or Hierarchy
        :term:`Labels`, a :term:`cover` or a :term:`hierarchy` as the :term:`reference`.
    labels_pred : array-like of shape (n_samples,), Cover or Hierarchy
        Labels, a cover or a hierarchy as the :term:`candidate`.
    alpha : float, default=0.9
        Probability, between 0 and 1, that a walk from object to cluster to object continues. For
        two partitions the value is the same for all alpha.

    Returns
    -------
    ndarray of shape (n_samples,)
        In (0, 1], in the order of the objects; 1.0 where both clusters of an object are the same.

    Raises
    ------
    ValueError
        If lengths differ, or labels are invalid, or ``alpha`` is not between 0 and 1.
    TypeError
        If labels are not hashable, or memberships.

    See Also
    --------
    element_centric_similarity_score : The mean.
    element_consistency : Many partitions against each other.
    EmbeddingAgreementDisplay : Colors the objects by these values.

    Notes
    -----
    An object of cell (i, j) scores n_ij / max(a_i, b_j). For covers and hierarchies its value
    depends on alpha; see :func:`element_centric_similarity_score`.

    References
    ----------
    .. [1] A. J. Gates, I. B. Wood, W. P. Hetrick, Y.-Y. Ahn, "Element-centric clustering comparison
       unifies overlaps and hierarchy", Scientific Reports 9, 2019

    Examples
    --------
    >>> from sklearn_clustcompare import element_centric_similarities
    >>> element_centric_similarities([0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 2, 2]).round(3)
    array([0.667, 0.667, 0.333, 0.333, 0.667, 0.667])
    """
    probability("alpha", alpha)
    if is_no_partition(labels_true, labels_pred):
        pair = pair_covers(labels_true, labels_pred)
        return element_centric_values(pair, alpha)[pair.codes]
    return similarities(*map(labels_only, read_pair(labels_true, labels_pred)))
