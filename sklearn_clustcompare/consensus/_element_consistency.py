"""Consistency of many partitions for each object."""

from __future__ import annotations

import itertools
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._parameters import probability
from sklearn_clustcompare._partition import Labels, Reading, partners
from sklearn_clustcompare._partition.arrays import PartitionsLike
from sklearn_clustcompare._partition.memberships import left_out, treat_one, warn_of_other_noise
from sklearn_clustcompare._partition.reading import each_candidate
from sklearn_clustcompare.indices._element_centric import labels_only, similarities


def element_consistency(
    partitions: PartitionsLike,
    *,
    alpha: float = 0.9,
    noise: str = "cluster",
    noise_label: Any = -1,
    missing: str = "error",
) -> NDArray[np.float64]:
    """Element-centric consistency: how similarly many partitions treat each object.

    Use it to find the objects whose clusters change between several runs of a clusterer.

    Parameters
    ----------
    partitions : array-like of shape (n_partitions, n_samples), dict, DataFrame or iterable
        :term:`Labels` of two or more partitions of the same objects, one per row, value or column.
    alpha : float, default=0.9
        Probability, between 0 and 1, that a walk from object to cluster to object continues. For
        two partitions the value is the same for all alpha.
    noise : {"cluster", "singletons", "drop"}, default="cluster"
        How to treat objects with the label of :term:`noise`: as one cluster, as a cluster each, or
        leave them out.
    noise_label : hashable or collection of them, default=-1
        :term:`Label of noise <noise_label>` on either side, or several; they need not occur.
    missing : {"error", "drop", "cluster"}, default="error"
        How to treat objects whose label is :term:`missing`: raise an error, leave them out, or take
        them as one cluster.

    Returns
    -------
    ndarray of shape (n_samples,)
        In (0, 1], in the order of the objects; 1.0 where all partitions have the same cluster; NaN
        for objects that no two partitions have.

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
    The mean of :func:`element_centric_similarities` over all pairs of partitions that have the
    object: with noise or missing objects left out, each pair is compared on those that both have.

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
    reading = Reading(noise=noise, noise_label=noise_label, missing=missing)
    read = [labels_only(one.read(reading)) for one in given]
    if len(read) < 2:
        msg = f"partitions must be at least two, got {len(read)}"
        raise ValueError(msg)
    total, n_pairs = np.zeros((2, read[0].n_objects))
    sides = [_Side(one, ~left_out(one, reading)) for one in partners(*read)]
    for side in sides:
        warn_of_other_noise(side.labels.compact()[0], reading)
    for first, second in itertools.combinations(sides, 2):
        both = np.flatnonzero(first.has & second.has)
        pair = (treat_one(one.labels.take(both), reading)[0] for one in (first, second))
        total[both] += similarities(*pair)
        n_pairs[both] += 1
    return np.divide(total, n_pairs, out=np.full(len(total), np.nan), where=n_pairs > 0)


class _Side(NamedTuple):
    """A partition, and which objects it has."""

    labels: Labels
    has: NDArray[np.bool_]
