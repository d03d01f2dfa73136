"""What counts pairs of objects, and the similarity of single objects."""

from __future__ import annotations

import numpy as np

from sklearn_clustcompare._array_types import FloatArray
from sklearn_clustcompare._parameters import probability
from sklearn_clustcompare._partition import read_pair
from sklearn_clustcompare._partition.arrays import PartitionLike
from sklearn_clustcompare._table.cover_pair import pair_covers
from sklearn_clustcompare.indices._covers import element_centric_values, labels_only, similarities
from sklearn_clustcompare.indices._index import is_no_partition
from sklearn_clustcompare.indices._judged import Given, compares
from sklearn_clustcompare.indices._pairs import pair_confusion


@compares("labels_true", "labels_pred", "sample_weight")
def pair_confusion_matrix(given: Given) -> np.ndarray:
    """Count the pairs of objects by whether each partition joins them.

    Every index of this family is a function of these four numbers. Look at them when an index has
    an unexpected value: with many clusters n00 exceeds the others by far and dominates the Rand
    index.

    Returns
    -------
    ndarray of shape (2, 2)
        Ordered pairs, each pair of objects twice: [[2 n00, 2 n01], [2 n10, 2 n11]]. int64, or
        float64 if weights are not whole or the numbers exceed int64.

    Raises
    ------
    ValueError
        If lengths differ, or labels, memberships or weights are invalid; or if weights are too
        small to count pairs.
    TypeError
        If labels are not hashable.

    See Also
    --------
    rand_score : Share of the pairs on which the partitions agree.
    pair_counting_score : Further functions of the four numbers.

    Notes
    -----
    n11 counts the (unordered) pairs of objects together in both partitions, n10 those together in
    ``labels_true`` only, n01 those together in ``labels_pred`` only, n00 those together in neither.
    With cells n_ij, cluster sizes a_i and b_j, and N objects: n11 = sum n_ij(n_ij - 1)/2, n11 +
    n10 = sum a_i(a_i - 1)/2, n11 + n01 = sum b_j(b_j - 1)/2, and all four add up to T = N(N - 1)/2.

    Whole counts stay exact however large they are. With real-valued weights a cluster of weight n
    has n(n - 1)/2 pairs with real n, which makes sense only if the weights are on the scale of
    frequencies: weights that add up to one, for example, have no pairs to count and are rejected.

    The layout is that of :func:`sklearn.metrics.cluster.pair_confusion_matrix`.

    References
    ----------
    .. [1] L. Hubert, P. Arabie, "Comparing partitions", Journal of Classification 2, 1985,
       :doi:`10.1007/BF01908075`

    Examples
    --------
    >>> from sklearn_clustcompare import pair_confusion_matrix
    >>> pair_confusion_matrix(list("aaabbb"), [1, 1, 2, 2, 3, 3]).tolist()
    [[16, 2], [8, 4]]
    """
    return pair_confusion(given.table())


def element_centric_similarities(
    labels_true: PartitionLike, labels_pred: PartitionLike, *, alpha: float = 0.9
) -> FloatArray:
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
    >>> from sklearn_clustcompare.metrics import element_centric_similarities
    >>> element_centric_similarities([0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 2, 2]).round(3)
    array([0.667, 0.667, 0.333, 0.333, 0.667, 0.667])
    """
    probability("alpha", alpha)
    if is_no_partition(labels_true, labels_pred):
        pair = pair_covers(labels_true, labels_pred)
        return element_centric_values(pair, alpha)[pair.codes]
    return similarities(*map(labels_only, read_pair(labels_true, labels_pred)))
