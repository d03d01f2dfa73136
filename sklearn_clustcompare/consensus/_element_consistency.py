"""Consistency of many partitions for each object."""

from __future__ import annotations

import itertools

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._parameters import probability
from sklearn_clustcompare._partition import partners
from sklearn_clustcompare._partition.options import PartitionsLike
from sklearn_clustcompare._partition.several import each_candidate
from sklearn_clustcompare.indices._element_centric import labels_only, similarities


def element_consistency(partitions: PartitionsLike, *, alpha: float = 0.9) -> NDArray[np.float64]:
    """Element-centric consistency: how similarly many partitions treat each object.

    Use it to find the objects whose clusters change between several runs of a clusterer.

    Parameters
    ----------
    partitions : array-like of shape (n_partitions, n_samples), dict, DataFrame or iterable
        :term:`Labels` of two or more partitions of the same objects, one per row, value or column.
    alpha : float, default=0.9
        Probability, between 0 and 1, that a walk from object to cluster to object continues. For
        two partitions the value is the same for all alpha.

    Returns
    -------
    ndarray of shape (n_samples,)
        In (0, 1], in the order of the objects; 1.0 where all partitions have the same cluster.

    Raises
    ------
    ValueError
        If there are fewer than two partitions, lengths differ, or labels are invalid, or ``alpha``
        is not between 0 and 1.
    TypeError
        If labels are not hashable, or memberships; or if ``partitions`` is not a collection of
        partitions.

    See Also
    --------
    element_centric_similarities : Of two partitions.
    pairwise_scores : All pairs of partitions, not of single objects.
    cluster_stability : Clusters and objects under resampling.

    Notes
    -----
    The mean of :func:`element_centric_similarities` over all pairs of partitions.

    References
    ----------
    .. [1] A. J. Gates, I. B. Wood, W. P. Hetrick, Y.-Y. Ahn, "Element-centric clustering comparison
       unifies overlaps and hierarchy", Scientific Reports 9, 2019

    Examples
    --------
    >>> from sklearn_clustcompare import element_consistency
    >>> element_consistency([[0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 0, 1]]).round(3)
    array([0.778, 0.778, 0.556, 0.667])
    """
    probability("alpha", alpha)
    given = each_candidate(partitions, "partitions", "partition").stream
    read = [labels_only(one.read()) for one in given]
    if len(read) < 2:
        msg = f"partitions must be at least two, got {len(read)}"
        raise ValueError(msg)
    pairs = list(itertools.combinations(partners(*read), 2))
    total = np.zeros(read[0].n_objects)
    for first, second in pairs:
        total += similarities(first, second)
    return total / len(pairs)
