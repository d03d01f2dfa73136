"""Made-up partitions with known properties."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_clustcompare._parameters import RandomStateLike, random_source, share
from sklearn_clustcompare._partition.validation import as_numbers

_NOISE = -1
# Products of two sizes are below the largest integer.
_MAX_OBJECTS = 2**31


def make_partition_pair(
    row_sizes: ArrayLike,
    col_sizes: ArrayLike | None = None,
    *,
    agreement: float = 1.0,
    noise_share: float = 0.0,
    random_state: RandomStateLike = 0,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Make a reference and a candidate with given cluster sizes, agreement and noise.

    Use it to see how an index depends on the sizes and the number of clusters, on errors and on
    noise: sizes, the number of objects of noise and the number of objects that are moved are exact.
    The same arguments make the same pair: pass other seeds, or a ``Generator``, to make others.

    Parameters
    ----------
    row_sizes : array-like of shape (n_clusters_true,)
        Sizes of the clusters of the reference; their sum is the number of objects.
    col_sizes : array-like of shape (n_clusters_pred,), default=None
        Sizes of the clusters of the candidate, whose sum is the number of objects that are no
        noise. None takes those of the reference, of which each is reduced by its part of the noise.
    agreement : float, default=1.0
        Share of the objects of the candidate's clusters that stay where they are; the others,
        chosen at random, exchange their clusters at random. 0 makes independent partitions.
    noise_share : float, default=0.0
        Share of the objects that the candidate leaves out as :term:`noise`, with the label -1.
    random_state : int, RandomState, Generator, SeedSequence or None, default=0
        :term:`Source of randomness <random_state>`.

    Returns
    -------
    labels_true : ndarray of shape (n_samples,)
        Labels of the reference, from 0 on and sorted.
    labels_pred : ndarray of shape (n_samples,)
        Labels of the candidate, from 0 on, -1 for noise.

    Raises
    ------
    ValueError
        If sizes are no positive integers or add up to 2**31 or more, those of the candidate do not
        have the right sum, or a share is outside of [0, 1].

    See Also
    --------
    PermutationModel : Random tables with given cluster sizes.
    benchmark_partitions : Scores many partitions.

    Notes
    -----
    The partitions are made in three steps.

    1. Of :math:`n` objects, :math:`n` times ``noise_share`` are noise, rounded to a whole number.
       With ``col_sizes`` they are chosen among all objects. Without, each reference cluster has its
       part of them, in proportion to its size, rounded by the method of largest remainders.
    2. Without ``col_sizes``, the other objects have their clusters of the reference. With
       ``col_sizes``, the candidate cuts the objects, as sorted by the reference, into clusters of
       these sizes: it splits and merges as little as an order of the clusters allows.
    3. Of these objects, 1 - ``agreement`` times their number, rounded, are chosen at random, and
       their labels are permuted, all permutations being equally likely. Some of the objects so get
       the label that they had.

    Without noise and with ``col_sizes=None``, the adjusted Rand index of many objects is near
    :math:`a^2 + 2 a (1 - a) (S_3 - S_2^2) / (S_2 - S_2^2)`, where :math:`a` is the agreement and
    :math:`S_r` the sum of the :math:`r`-th powers of the shares of the clusters: for clusters of
    equal sizes that is :math:`a^2`.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_clustcompare import adjusted_rand_score, make_partition_pair
    >>> labels_true, labels_pred = make_partition_pair(
    ...     [500, 300, 200], agreement=0.9, random_state=0
    ... )
    >>> np.bincount(labels_true), np.bincount(labels_pred)
    (array([500, 300, 200]), array([500, 300, 200]))
    >>> round(adjusted_rand_score(labels_true, labels_pred), 1)
    0.8
    >>> labels_true, labels_pred = make_partition_pair(
    ...     [4, 4], [3, 2, 1], noise_share=0.25, random_state=0
    ... )
    >>> int(np.sum(labels_pred == -1)), np.bincount(labels_pred[labels_pred >= 0])
    (2, array([3, 2, 1]))
    """
    rows = _sizes(row_sizes, "row_sizes")
    share("agreement", agreement)
    share("noise_share", noise_share)
    source = random_source(random_state)
    labels_true = np.repeat(np.arange(len(rows)), rows)
    n_noise = _rounded(noise_share * len(labels_true))
    if col_sizes is None:
        parts = _parts(rows, n_noise)
        starts = np.cumsum(rows) - rows
        left_out = np.concatenate(
            [
                start + source.permutation(size)[:part]
                for start, size, part in zip(starts, rows, parts, strict=True)
            ]
        )
        labels_pred = labels_true.copy()
    else:
        cols = _sizes(col_sizes, "col_sizes")
        if cols.sum() != len(labels_true) - n_noise:
            msg = (
                f"col_sizes must sum to {len(labels_true) - n_noise}, the sum of row_sizes without "
                f"{n_noise} objects of noise, got {cols.sum()}"
            )
            raise ValueError(msg)
        left_out = source.permutation(len(labels_true))[:n_noise]
        labels_pred = np.empty_like(labels_true)
        labels_pred[np.delete(np.arange(len(labels_true)), left_out)] = np.repeat(
            np.arange(len(cols)), cols
        )
    labels_pred[left_out] = _NOISE
    clustered = source.permutation(np.flatnonzero(labels_pred != _NOISE))
    moved = clustered[: _rounded((1 - agreement) * len(clustered))]
    labels_pred[moved] = labels_pred[source.permutation(moved)]
    return labels_true, labels_pred


def _sizes(sizes: ArrayLike, name: str) -> NDArray[np.int64]:
    array = as_numbers(sizes, name)
    if array.ndim != 1 or array.dtype.kind not in "iu" or not len(array) or (array < 1).any():
        msg = f"{name} must be a list of positive integers, got {sizes!r:.80}"
        raise ValueError(msg)
    if sum(array.tolist()) >= _MAX_OBJECTS:
        msg = f"{name} must add up to less than 2**31, got {sum(array.tolist())}"
        raise ValueError(msg)
    return array.astype(np.int64)


def _rounded(number: float) -> int:
    return math.floor(number + 0.5)


def _parts(sizes: NDArray[np.int64], total: int) -> NDArray[np.int64]:
    """Divide a total in proportion to sizes, by the method of largest remainders."""
    quotas, remainders = np.divmod(sizes * total, sizes.sum())
    largest = np.argsort(-remainders, kind="stable")[: total - quotas.sum()]
    quotas[largest] += 1
    return quotas
