"""Element-centric similarity: how similar the clusters of each object are."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._parameters import probability
from sklearn_clustcompare._partition import read_pair
from sklearn_clustcompare._partition.arrays import PartitionLike
from sklearn_clustcompare._table.cover_pair import pair_covers
from sklearn_clustcompare.indices._covers import element_centric_values
from sklearn_clustcompare.indices._element_centric import labels_only, similarities
from sklearn_clustcompare.indices._index import is_no_partition


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
