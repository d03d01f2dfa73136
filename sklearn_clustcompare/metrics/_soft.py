"""Functions for soft partitions."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse
from scipy.special import entr

from sklearn_clustcompare._parameters import logarithm_base
from sklearn_clustcompare._partition import Reading, read, read_memberships, read_weights
from sklearn_clustcompare._partition.arrays import PartitionLike, check_some_weight
from sklearn_clustcompare._partition.memberships import ranges
from sklearn_clustcompare._table import count
from sklearn_clustcompare.indices import IndexLike, read_index
from sklearn_clustcompare.indices._entropies import in_base


def soft_self_agreement(
    memberships: PartitionLike,
    *,
    index: IndexLike = "adjusted_rand_score",
    sample_weight: ArrayLike | None = None,
    possibilistic: bool = False,
    **params: Any,
) -> float:
    """Value of an index for a soft partition against itself: the score of a perfect copy.

    The table of two soft partitions counts the objects that two clusters share if each object
    is put into clusters at random, by its memberships, and independently on both sides. In this
    sense even a partition and itself do not agree fully: compare values of an index for soft
    partitions with this one. It is not an upper limit: a crisper partition can score higher.

    Parameters
    ----------
    memberships : array-like of shape (n_samples, n_clusters) or (n_samples,)
        :term:`Memberships`, or :term:`labels`, of one :term:`partition`.
    index : str, callable or Index, default="adjusted_rand_score"
        The :term:`index`: a name (see :func:`list_indices`), its function or a record.
    sample_weight : array-like of shape (n_samples,), default=None
        :term:`Frequency weights <sample_weight>`; None means 1 for every object.
    possibilistic : bool, default=False
        Whether memberships are :term:`possibilistic`: their rows need not sum to 1.
    **params : dict
        Parameters of the index.

    Returns
    -------
    float
        In the range of the index; its best value for labels, or memberships of 0 and 1.

    Raises
    ------
    ValueError
        If memberships, weights or the index are invalid, or if the index needs whole counts.

    See Also
    --------
    frobenius_adjusted_rand_score : An index that is 1 for a soft partition against itself.
    partition_coefficient : How crisp a soft partition is.

    References
    ----------
    .. [1] J. L. Andrews, R. Browne, C. D. Hvingelby, "On assessments of agreement between fuzzy
       partitions", Journal of Classification 39, 2022, :doi:`10.1007/s00357-021-09407-3`

    Examples
    --------
    >>> from sklearn_clustcompare.metrics import soft_self_agreement
    >>> memberships = [[0.9, 0.1], [0.8, 0.2], [0.7, 0.3], [0.2, 0.8], [0.1, 0.9], [0.1, 0.9]]
    >>> round(soft_self_agreement(memberships), 3)
    0.024
    >>> round(soft_self_agreement(memberships, index="purity_score"), 3)
    0.733
    """
    record, params = read_index(index, params, with_data=False)
    reading = Reading(possibilistic=possibilistic)
    partition = read(memberships, "memberships", reading)
    table = count(partition, partition, sample_weight, reading, moments=record.moments)
    return record(table, **params)


def partition_coefficient(
    memberships: PartitionLike,
    *,
    sample_weight: ArrayLike | None = None,
    possibilistic: bool = False,
) -> float:
    """Mean squared length of the memberships: how crisp a soft partition is.

    A measure of one partition alone, without data or a reference. It tends to fall with the number
    of clusters.

    Parameters
    ----------
    memberships : array-like of shape (n_samples, n_clusters)
        :term:`Memberships` of a soft :term:`partition`.
    sample_weight : array-like of shape (n_samples,), default=None
        :term:`Frequency weights <sample_weight>`; None means 1 for every object.
    possibilistic : bool, default=False
        Whether memberships are :term:`possibilistic`: their rows need not sum to 1.

    Returns
    -------
    float
        Between 1 / n_clusters (all memberships equal) and 1 (crisp).

    Raises
    ------
    ValueError
        If memberships lie outside [0, 1] or do not sum to 1, or there are no objects.

    See Also
    --------
    partition_entropy : Measures the same by the entropy.

    References
    ----------
    .. [1] J. C. Bezdek, "Pattern recognition with fuzzy objective function algorithms", Plenum
       Press, 1981

    Examples
    --------
    >>> from sklearn_clustcompare.metrics import partition_coefficient
    >>> round(partition_coefficient([[1, 0], [0.5, 0.5], [0.2, 0.8]]), 3)
    0.727
    """
    return _mean_of_rows(np.square, memberships, sample_weight, possibilistic)


def partition_entropy(
    memberships: PartitionLike,
    *,
    sample_weight: ArrayLike | None = None,
    possibilistic: bool = False,
    base: float | None = None,
) -> float:
    """Mean entropy of the memberships of an object: how fuzzy a soft partition is.

    A measure of one partition alone, without data or a reference. It is not
    :func:`clustering_entropy`, the entropy of the cluster sizes.

    Parameters
    ----------
    memberships : array-like of shape (n_samples, n_clusters)
        :term:`Memberships` of a soft :term:`partition`.
    sample_weight : array-like of shape (n_samples,), default=None
        :term:`Frequency weights <sample_weight>`; None means 1 for every object.
    possibilistic : bool, default=False
        Whether memberships are :term:`possibilistic`: their rows need not sum to 1.
    base : float, default=None
        Base of the logarithm, above 1: 2 for :term:`bits`, None for :term:`nats`.

    Returns
    -------
    float
        In nats, or in units of the given base; between 0 (crisp) and the logarithm of the
        number of clusters.

    Raises
    ------
    ValueError
        If memberships lie outside [0, 1] or do not sum to 1, or there are no objects.

    See Also
    --------
    partition_coefficient : Measures the same by squares.

    References
    ----------
    .. [1] J. C. Bezdek, "Pattern recognition with fuzzy objective function algorithms", Plenum
       Press, 1981

    Examples
    --------
    >>> from sklearn_clustcompare.metrics import partition_entropy
    >>> round(partition_entropy([[1, 0], [0.5, 0.5], [0.5, 0.5], [0, 1]], base=2), 3)
    0.5
    """
    logarithm_base("base", base)
    return in_base(_mean_of_rows(entr, memberships, sample_weight, possibilistic), base, 1)


def _mean_of_rows(
    function: Any,
    memberships: PartitionLike,
    sample_weight: ArrayLike | None,
    possibilistic: bool,
) -> float:
    soft = read_memberships(memberships, "memberships", Reading(possibilistic))
    if not soft.n_objects:
        msg = "memberships must hold at least one object, got none"
        raise ValueError(msg)
    sums = np.empty(soft.n_objects)
    for start, stop in ranges(soft.n_objects, soft.rows_per_block):
        block = soft.rows(start, stop)
        if sparse.issparse(block):
            block = block.copy()
            block.data = function(block.data)
        else:
            block = function(block)
        sums[start:stop] = np.asarray(block.sum(axis=1)).ravel()
    weights = read_weights(sample_weight, soft)
    check_some_weight(weights)
    return float(np.average(sums, weights=weights))
