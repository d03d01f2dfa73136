"""What an index is worth for one reference: chance candidates and bias."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from sklearn_clustcompare._chance.margins import Margin
from sklearn_clustcompare._chance.permutation import PermutationModel
from sklearn_clustcompare._numerics import TIE
from sklearn_clustcompare._parameters import (
    RandomStateLike,
    at_most_objects,
    positive_integer,
    random_source,
)
from sklearn_clustcompare._partition import read_labels
from sklearn_clustcompare._partition.arrays import PartitionLike
from sklearn_clustcompare._rendering import Rows, result_record
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare._table.counts import KnownMargins, SquareSums
from sklearn_clustcompare._tasks import UNDEFINED_IGNORED
from sklearn_clustcompare.indices import Index, IndexLike, read_index
from sklearn_clustcompare.indices._moments import null_moments

# Cluster sizes of candidates whose means are added up exactly.
_MOST_SIZES = 1_000
# Sizes that are less likely do not change a mean.
_NEGLIGIBLE = 1e-18
# Standard errors by which two means differ if one of them is larger.
_CLEARLY = 3.0


@result_record
@dataclass(frozen=True, eq=False, repr=False)
class ReferenceProfile(Rows):
    """What values an index can have for a reference; made by :func:`reference_profile`.

    Printed, and as HTML in a notebook, it shows a row for each number of clusters. All parameters
    are attributes of the same names, which cannot be set.

    Parameters
    ----------
    index : Index
        Record of the index.
    parameters : dict
        Its parameters.
    n_clusters : ndarray of int64 of shape (n_numbers,)
        Numbers of clusters of the candidates.
    expected : ndarray of float64 of shape (n_numbers,)
        Mean of the index over candidates whose labels are independent and equally likely.
    standard_error : ndarray of float64 of shape (n_numbers,)
        Standard errors of these means; 0.0 where they are exact.
    bias : {"many", "few", "neutral", "varies"}
        Which numbers of clusters chance candidates need for better values: many, few, none of
        them, or those in the middle or at both ends. None for a single number of clusters.

    See Also
    --------
    reference_profile : Makes it.

    Examples
    --------
    >>> from sklearn_clustcompare import reference_profile
    >>> profile = reference_profile([0] * 90 + [1] * 5 + [2] * 5, index="rand_score")
    >>> profile.bias
    'few'
    """

    index: Index
    parameters: dict[str, Any]
    n_clusters: NDArray[np.int64]
    expected: NDArray[np.float64]
    standard_error: NDArray[np.float64]
    bias: str | None

    def _headline(self) -> str:
        by = self.index.axis_text(**self.parameters)
        return f"ReferenceProfile: {by} of candidates of independent labels"

    def _columns(self) -> list[tuple[str, Any]]:
        columns = [("n_clusters", self.n_clusters), ("expected", self.expected)]
        if self.standard_error.any():
            columns.append(("standard_error", self.standard_error))
        return columns

    def _conclusion(self) -> list[str]:
        return [] if self.bias is None else [f"bias for this reference: {self.bias}"]


def reference_profile(
    labels_true: PartitionLike,
    *,
    index: IndexLike,
    n_clusters: Any = None,
    n_resamples: int = 999,
    random_state: RandomStateLike = 0,
    **params: Any,
) -> ReferenceProfile:
    """Find out what values of an index mean for one reference.

    An index may prefer candidates with many clusters for one reference and with few for another.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,)
        :term:`Labels` of the :term:`reference`.
    index : str, callable or Index
        The :term:`index`: a name (see :func:`list_indices`), its function or a record.
    n_clusters : int or iterable of int, default=None
        Numbers of clusters of chance candidates. None takes 2, 4, 8 and so on, up to four times
        the number of clusters of the reference.
    n_resamples : int, default=999
        Number of random candidates where a mean has no exact form.
    random_state : int, RandomState, Generator, SeedSequence or None, default=0
        :term:`Source of randomness <random_state>`.
    **params : dict
        Parameters of the index.

    Returns
    -------
    ReferenceProfile
        With ``expected``, ``standard_error`` and ``bias``.

    Raises
    ------
    ValueError
        If the index is unknown or needs the data, a number of clusters is not positive or exceeds
        the number of objects, or labels are missing.
    TypeError
        If the index does not take the parameters, or labels are not hashable.

    See Also
    --------
    list_indices : Indices without a bias for any reference, ``bias="neutral"``.
    chance_adjusted_score : Any index adjusted for chance.
    IndexCurve : Values of an index for existing candidates.

    Notes
    -----
    Labels of chance candidates are drawn independently, with the same probability for each of the k
    clusters; clusters may be empty. Given the sizes, all orders of the objects are equally likely.
    Of an index that is linear in pair counts the mean is exact. Of one that is linear in a sum over
    the cells for given sizes, the exact means for all sizes are added up, if there are at most
    1,000; otherwise those for ``n_resamples`` random sizes. All other means are estimated from that
    many random candidates.

    The Rand index has the mean 1 - P - (1 - 2P) / k, where P is the share of the pairs that are
    together in the reference: it prefers few clusters if P > 1/2, and many if P < 1/2 [1]_.

    ``bias`` compares means for successive numbers of clusters; differences of less than three
    standard errors do not count.

    References
    ----------
    .. [1] S. Lei, J. C. Bezdek, S. Romano, N. X. Vinh, J. Chan, J. Bailey, "Ground truth bias in
       external cluster validity indices", Pattern Recognition 65, 2017,
       :doi:`10.1016/j.patcog.2016.12.003`

    Examples
    --------
    >>> from sklearn_clustcompare import reference_profile
    >>> truth = [0] * 90 + [1] * 5 + [2] * 5
    >>> reference_profile(truth, index="rand_score", n_clusters=[2, 4, 8, 16])
    ReferenceProfile: rand_score of candidates of independent labels
    n_clusters  expected
             2    0.5000
             4    0.3434
             8    0.2652
            16    0.2260
    bias for this reference: few
    """
    record, params = read_index(index, params, with_data=False)
    positive_integer("n_resamples", n_resamples)
    _, sizes = read_labels(labels_true, "labels_true").compact()
    if not len(sizes):
        msg = "labels_true must have at least one object, got none"
        raise ValueError(msg)
    numbers = _numbers(n_clusters, sizes)
    means = _Means(record, params, sizes, int(n_resamples), random_source(random_state))
    with UNDEFINED_IGNORED:
        expected, errors = np.array([means.of(number) for number in numbers]).reshape(-1, 2).T
    for array in (expected, errors):
        array.flags.writeable = False
    return ReferenceProfile(
        record,
        params,
        np.array(numbers, np.int64),
        expected,
        errors,
        _bias(expected, errors, record),
    )


def _numbers(n_clusters: Any, sizes: NDArray[np.int64]) -> list[int]:
    """Read numbers of clusters."""
    n_samples = int(sizes.sum())
    if n_clusters is None:
        most = min(max(4 * len(sizes), 2), n_samples)
        return [2**k for k in range(1, most.bit_length())] or [1]
    given = n_clusters if np.iterable(n_clusters) else [n_clusters]
    numbers = []
    for number in given:
        positive_integer("n_clusters", number)
        at_most_objects("n_clusters", number, n_samples)
        numbers.append(int(number))
    if not numbers:
        msg = "n_clusters must have at least one number, got none"
        raise ValueError(msg)
    return sorted(set(numbers))


# --------------------------------------------------------------------------- means


@dataclass(frozen=True)
class _Means:
    """Means of an index over candidates of independent labels."""

    index: Index
    parameters: dict[str, Any]
    sizes: NDArray[np.int64]
    n_resamples: int
    source: Any

    @property
    def n_samples(self) -> int:
        return int(self.sizes.sum())

    def of(self, n_clusters: int) -> tuple[float, float]:
        """Return the mean for a number of clusters, and its standard error."""
        if self.n_samples == 1:
            table = ContingencyTable.from_counts([[1]])
            return float(self.index.function(table, **self.parameters)), 0.0
        if self.index.properties(**self.parameters)["linear_in_pair_counts"]:
            return self._of_pairs(n_clusters), 0.0
        if self.index.linear_quantity(**self.parameters) is not None:
            all_sizes = _likely_sizes(self.n_samples, n_clusters)
            if all_sizes is not None:
                terms = [weight * self._given(sizes) for sizes, weight in all_sizes]
                return math.fsum(terms), 0.0
            return _mean_and_error([self._given(self._draw(n_clusters)) for _ in self._draws])
        return _mean_and_error([self._drawn(self._draw(n_clusters)) for _ in self._draws])

    @property
    def _draws(self) -> range:
        return range(self.n_resamples)

    def _of_pairs(self, n_clusters: int) -> float:
        n = self.n_samples
        true, total = Margin.from_sums(self.sizes).pairs_together(), n * (n - 1)
        pairs = (true / n_clusters, float(true), total / n_clusters)
        squares = SquareSums(*(number + n for number in pairs))
        return float(self.index.of_statistic(squares, KnownMargins(n), **self.parameters))

    def _draw(self, n_clusters: int) -> NDArray[np.int64]:
        sizes = self.source.multinomial(self.n_samples, np.full(n_clusters, 1 / n_clusters))
        return np.sort(sizes[sizes > 0]).astype(np.int64)

    def _given(self, sizes: NDArray[np.int64]) -> float:
        """Return the mean over all orders of the objects."""
        sides = (np.repeat(np.arange(len(one)), one) for one in (self.sizes, sizes))
        table = ContingencyTable.from_labels(*sides)
        moments = null_moments(self.index, table, **self.parameters)
        assert moments is not None
        return moments.mean

    def _drawn(self, sizes: NDArray[np.int64]) -> float:
        (dense,) = PermutationModel(self.sizes, sizes).rvs(1, self.source)
        table = ContingencyTable.from_counts(dense)
        return float(self.index.function(table, **self.parameters))


def _mean_and_error(values: list[float]) -> tuple[float, float]:
    array = np.array(values)
    return float(array.mean()), float(array.std() / math.sqrt(len(array)))


def _likely_sizes(n_samples: int, n_clusters: int) -> list[tuple[NDArray[np.int64], float]] | None:
    """Return all cluster sizes and their probabilities, or None if there are too many."""
    found = []
    for parts in _partitions_of(n_samples, n_clusters, n_samples):
        found.append(np.array(parts, np.int64))
        if len(found) > _MOST_SIZES:
            return None
    logarithms = []
    for sizes in found:
        times = np.append(np.unique(sizes, return_counts=True)[1], n_clusters - len(sizes))
        logarithms.append(-gammaln(sizes + 1.0).sum() - gammaln(times + 1.0).sum())
    weights = np.exp(np.array(logarithms) - max(logarithms))
    weights /= weights.sum()
    return [
        (sizes, weight)
        for sizes, weight in zip(found, weights.tolist(), strict=True)
        if weight > _NEGLIGIBLE
    ]


def _partitions_of(total: int, parts: int, largest: int) -> Iterator[tuple[int, ...]]:
    """Yield all sizes that add up to a number, at most so many and none larger, falling."""
    if total == 0:
        yield ()
        return
    if parts == 0:
        return
    for first in range(min(total, largest), -(-total // parts) - 1, -1):
        for others in _partitions_of(total - first, parts - 1, first):
            yield (first, *others)


def _bias(expected: NDArray[np.float64], errors: NDArray[np.float64], index: Index) -> str | None:
    """Return where means get better with the number of clusters."""
    if len(expected) < 2:
        return None
    steps = np.diff(expected if index.greater_is_better else -expected)
    noise = _CLEARLY * np.hypot(errors[1:], errors[:-1]) + TIE * np.abs(expected).max()
    rises, falls = bool((steps > noise).any()), bool((steps < -noise).any())
    if rises and falls:
        return "varies"
    return "many" if rises else "few" if falls else "neutral"
