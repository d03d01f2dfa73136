"""Half samples of the objects: how an index scatters from sample to sample.

The objects are taken as a sample of a population, with all their labels, and the clusterers as
fixed. A half sample of r of the n objects leaves out d = n - r. The deviations of an index in half
samples from its mean over them, times sqrt(r / d), scatter as the index itself does from one sample
of n objects to the next. This is the delete-d jackknife [1]_. As d is a share of n, and not 1, it
is valid for indices with maxima in them, too [2]_.

Half samples are drawn without replacement. In a bootstrap sample an object can stand twice, and
then agrees with itself in all partitions. This raises adjusted indices, too, and the more the
smaller the clusters are: candidates with more clusters seem better. The variance over half samples
errs upwards [3]_: up to three times where the reference and a candidate are independent, as an
index of pairs is then a degenerate U-statistic, whose variance falls as 1 / n^2.

Half samples are drawn from the occupied cells of the joint table of all partitions, so that the
cost of a draw is the number of cells, not of objects.

References
----------
.. [1] J. Shao, C. F. J. Wu, "A general theory for jackknife variance estimation", Annals of
   Statistics 17(3), 1989, :doi:`10.1214/aos/1176347263`.
.. [2] D. N. Politis, J. P. Romano, "Large sample confidence regions based on subsamples under
   minimal assumptions", Annals of Statistics 22(4), 1994, :doi:`10.1214/aos/1176325770`.
.. [3] B. Efron, C. Stein, "The jackknife estimate of variance", Annals of Statistics 9(3), 1981,
   :doi:`10.1214/aos/1176345462`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import comb
from scipy.stats import t as student

from sklearn_clustcompare._chance.draws import task_seeds
from sklearn_clustcompare._kernels import number_codes
from sklearn_clustcompare._numerics import TIE
from sklearn_clustcompare._parameters import positive_integer
from sklearn_clustcompare._partition import Labels, Partition, read
from sklearn_clustcompare._partition.reading import DEFAULT
from sklearn_clustcompare._table.contingency import ContingencyTable, check_partners, count_read
from sklearn_clustcompare._table.views import PairTable, SquareSums
from sklearn_clustcompare._tasks import progress, run_tasks
from sklearn_clustcompare.indices import Index

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

# A half sample then holds a pair of objects.
_FEWEST_OBJECTS = 4
# Draws that one task makes from one seed.
_DRAWS_PER_TASK = 100
# Numbers that are drawn at a time.
_CELLS_PER_BLOCK = 2**20
# From this many objects on NumPy draws no multivariate hypergeometric numbers.
_MOST_DRAWN_OBJECTS = 10**9
# To draw the count of a cell takes as long as to shuffle this many objects.
_OBJECTS_PER_CELL = 8
# Sums of squares of this many objects hold in int64.
_MOST_SQUARED_OBJECTS = 2**31


# --------------------------------------------------------------------------- what is resampled


class JointCells(NamedTuple):
    """Objects by their clusters in a reference and in some candidates: the occupied cells.

    All partitions hold one object for each cell, and labels have all their codes in use. With
    memberships each object is a cell.
    """

    reference: Partition
    candidates: tuple[Partition, ...]
    counts: IntArray

    @property
    def n_samples(self) -> int:
        return int(self.counts.sum())

    @property
    def is_crisp(self) -> bool:
        return all(isinstance(side, Labels) for side in (self.reference, *self.candidates))

    def n_clusters(self, candidate: int) -> int:
        side = self.candidates[candidate]
        return side.n_codes if isinstance(side, Labels) else len(side.labels)


def joint_cells(partitions: Sequence[Any], names: Sequence[str]) -> JointCells:
    """Count a reference and candidates together; ``names`` are what messages call them."""
    sides = [read(one, name) for one, name in zip(partitions, names, strict=True)]
    for candidate in sides[1:]:
        check_partners(sides[0], candidate)
    n_samples = sides[0].n_objects
    if n_samples < _FEWEST_OBJECTS:
        msg = (
            f"{names[0]} must hold at least {_FEWEST_OBJECTS} objects, two for each half sample, "
            f"got {n_samples}"
        )
        raise ValueError(msg)
    compact = [side.compact()[0] if isinstance(side, Labels) else side for side in sides]
    labels = [side for side in compact if isinstance(side, Labels)]
    if len(labels) < len(compact):
        reference, *candidates = compact
        return JointCells(reference, tuple(candidates), np.ones(n_samples, np.int64))
    cells, counts = labels[0].codes, np.bincount(labels[0].codes)
    for one in labels[1:]:
        _, cells, counts = number_codes(cells * one.n_codes + one.codes, len(counts) * one.n_codes)
    an_object = np.empty(len(counts), np.intp)
    an_object[cells] = np.arange(n_samples)
    first, *others = (one.take(an_object) for one in labels)
    return JointCells(first, tuple(others), counts)


# --------------------------------------------------------------------------- tables of half samples


class LabeledPair(NamedTuple):
    """The reference and a candidate by joint cells, and which of those a cell of their table holds.

    ``members`` of shape (n_table_cells, n_cells) adds up joint cells, and ``rows`` and ``cols`` add
    up the cells of the table.
    """

    true: IntArray
    pred: IntArray
    members: sparse.csr_array
    rows: sparse.csr_array
    cols: sparse.csr_array

    @classmethod
    def of(cls, true: Labels, pred: Labels) -> LabeledPair:
        numbers = true.codes * pred.n_codes + pred.codes
        occupied, cells, _ = number_codes(numbers, true.n_codes * pred.n_codes)
        rows, cols = np.divmod(occupied, pred.n_codes)
        return cls(rows, cols, *(_adding(codes) for codes in (cells, rows, cols)))

    def tables(self, drawn: IntArray, moments: bool) -> Iterator[ContingencyTable]:
        """Yield the table of each draw; ``drawn`` has the shape (n_draws, n_cells)."""
        true, pred = Labels.of_codes(self.true), Labels.of_codes(self.pred)
        for counts in np.ascontiguousarray((self.members @ drawn.T).T):
            yield count_read(true, pred, counts, DEFAULT)

    def pair_tables(self, drawn: IntArray) -> Iterator[PairTable]:
        """Yield what an index of pairs sees of each table."""
        cells = self.members @ drawn.T
        totals = cells.sum(axis=0).tolist()
        squares = [
            np.einsum("ij,ij->j", sums, sums).tolist()
            for sums in (cells, self.rows @ cells, self.cols @ cells)
        ]
        for total, *sums in zip(totals, *squares, strict=True):
            yield PairTable.of_squares(total, SquareSums(*sums))


class SoftPair(NamedTuple):
    """The reference and a candidate by object, of which at least one is soft."""

    true: Partition
    pred: Partition

    def tables(self, drawn: IntArray, moments: bool) -> Iterator[ContingencyTable]:
        """Yield the table of each draw; ``drawn`` has the shape (n_draws, n_objects)."""
        for row in drawn:
            chosen = np.flatnonzero(row)
            true, pred = self.true.take(chosen), self.pred.take(chosen)
            yield count_read(true, pred, None, DEFAULT, moments=moments)


def _adding(codes: IntArray) -> sparse.csr_array:
    """Return the matrix of 0 and 1 that adds up what has the same code."""
    ones = np.ones(len(codes), np.int64)
    return sparse.csr_array((ones, (codes, np.arange(len(codes)))))


# --------------------------------------------------------------------------- drawing


@dataclass(frozen=True, eq=False)
class _HalfSampling:
    """All that a worker needs to draw half samples and to compute an index of them."""

    counts: IntArray
    pairs: tuple[LabeledPair | SoftPair, ...]
    index: Index
    parameters: dict[str, Any]
    growth: float

    def values(self, size: int, seed: int) -> FloatArray:
        """Return the index of each draw and candidate, brought to the size of the sample."""
        generator = np.random.default_rng(seed)
        most = max(1, _CELLS_PER_BLOCK // len(self.counts))
        sizes = [min(most, size - start) for start in range(0, size, most)]
        return np.concatenate([self._values(self._draw(one, generator)) for one in sizes])

    def _draw(self, size: int, generator: np.random.Generator) -> IntArray:
        n_samples = int(self.counts.sum())
        if n_samples >= _MOST_DRAWN_OBJECTS:
            # Each object by itself: of so many objects about a half is as good as a half.
            return generator.binomial(self.counts, 0.5, size=(size, len(self.counts)))
        shuffles = n_samples < _OBJECTS_PER_CELL * len(self.counts)
        method: Literal["count", "marginals"] = "count" if shuffles else "marginals"
        return generator.multivariate_hypergeometric(
            self.counts, n_samples // 2, size=size, method=method
        )

    def _values(self, drawn: IntArray) -> FloatArray:
        scale = (self.counts.sum() / drawn.sum(axis=1)) ** self.growth
        columns = [
            [float(self.index.function(table, **self.parameters)) for table in tables]
            for tables in (self._tables(pair, drawn) for pair in self.pairs)
        ]
        return np.array(columns).T * scale[:, np.newaxis]

    def _tables(
        self, pair: LabeledPair | SoftPair, drawn: IntArray
    ) -> Iterator[ContingencyTable] | Iterator[PairTable]:
        sees_pairs = self.index.pairs and self.counts.sum() < _MOST_SQUARED_OBJECTS
        if sees_pairs and isinstance(pair, LabeledPair):
            return pair.pair_tables(drawn)
        return pair.tables(drawn, self.index.moments)


# Counts of a table of equal clusters: of unequal ones some standardized indices grow more slowly.
_SOME_COUNTS = np.array([[6, 2], [2, 6]]) * 2**10


def _growth(index: Index, parameters: dict[str, Any]) -> float:
    """Return the power of the number of objects with which an index grows.

    It is 0 for all that compare shares of objects or of pairs, 1 and 2 for numbers of objects and
    of pairs, and 1 for standardized indices. It is looked up on a large table and its double.
    """
    single, double = (
        float(index.function(ContingencyTable.from_counts(counts), **parameters))
        for counts in (_SOME_COUNTS, 2 * _SOME_COUNTS)
    )
    grown = double / single if single else 0.0
    return round(2 * math.log2(grown)) / 2 if 0 < grown < math.inf else 0.0


# --------------------------------------------------------------------------- what comes out


class Estimates(NamedTuple):
    """Numbers computed from a sample, and how they scatter from sample to sample.

    Their errors follow Student's law; the ``degrees_of_freedom`` are those of the number of objects
    and of the number of draws together. No p-value is below ``least_pvalue``, one over the number
    of half samples that exist.
    """

    values: FloatArray
    standard_errors: FloatArray
    degrees_of_freedom: float
    least_pvalue: float

    def intervals(self, confidence_level: float, n_comparisons: int = 1) -> FloatArray:
        """Return low and high ends, of shape (n, 2), at a level for all comparisons together."""
        tail = (1 - confidence_level) / n_comparisons / 2
        reach = student.isf(tail, self.degrees_of_freedom) * self.standard_errors
        return np.column_stack([self.values - reach, self.values + reach])

    def pvalues(self) -> FloatArray:
        """Return two-sided p-values of the mean 0."""
        with np.errstate(divide="ignore", invalid="ignore"):  # numbers that do not scatter
            distances = np.abs(self.values) / self.standard_errors
        pvalues = 2 * student.sf(distances, self.degrees_of_freedom)
        return np.where(self.values == 0, 1.0, np.maximum(pvalues, self.least_pvalue))


class HalfSamples(NamedTuple):
    """Values of an index for some candidates, and how they deviate in half samples.

    ``deviations`` of shape (n_resamples, n_candidates) are those from the mean of the half samples,
    brought to the scale of the sampling error of the ``values``.
    """

    values: FloatArray
    deviations: FloatArray
    n_samples: int

    def scores(self) -> Estimates:
        return self._estimates(self.values, _spread(self.deviations))

    def differences(self, first: int, others: slice) -> Estimates:
        """Return by how much the value of a candidate exceeds those of some others."""
        values = self.values[first] - self.values[others]
        spreads = _spread(self.deviations[:, [first]] - self.deviations[:, others])
        sizes = np.abs(self.values) + _spread(self.deviations)
        rounding = TIE * np.maximum(sizes[first], sizes[others])
        return self._estimates(
            np.where(np.abs(values) <= rounding, 0.0, values),
            np.where(spreads <= rounding, 0.0, spreads),
        )

    def first_shares(self) -> FloatArray:
        """Return how often each candidate would have the largest value; ties are shared out."""
        drawn = self.values + self.deviations
        largest = drawn.max(axis=1, keepdims=True)
        is_first = drawn >= largest - TIE * np.abs(drawn).max(axis=1, keepdims=True)
        return np.mean(is_first / is_first.sum(axis=1, keepdims=True), axis=0)

    def _estimates(self, values: FloatArray, standard_errors: FloatArray) -> Estimates:
        noise = 1 / (self.n_samples - 1) + 1 / (len(self.deviations) - 1)
        n_half_samples = comb(self.n_samples, self.n_samples // 2)
        return Estimates(values, standard_errors, 1 / noise, float(1 / n_half_samples))


def _spread(deviations: FloatArray) -> FloatArray:
    """Return the standard deviation of deviations from a mean that was taken off."""
    return np.sqrt(np.einsum("ij,ij->j", deviations, deviations) / (len(deviations) - 1))


def half_samples(
    cells: JointCells,
    index: Index,
    parameters: dict[str, Any],
    *,
    n_resamples: int,
    random_state: Any,
    n_jobs: int | None,
    verbose: Any = 0,
) -> HalfSamples:
    """Compute an index for all candidates, of the sample and of half samples of its objects."""
    pairs = tuple(_pair(cells.reference, candidate) for candidate in cells.candidates)
    values = np.array(
        [
            index(table, **parameters)
            for pair in pairs
            for table in pair.tables(cells.counts[np.newaxis], index.moments)
        ]
    )
    _check_finite(values, index, "of the sample")
    sampling = _HalfSampling(cells.counts, pairs, index, parameters, _growth(index, parameters))
    sizes, seeds = task_seeds(n_resamples, _DRAWS_PER_TASK, random_state)
    tasks = progress(
        zip(sizes, seeds, strict=True),
        verbose=verbose,
        description=f"blocks of {_DRAWS_PER_TASK} half samples",
        total=len(sizes),
    )
    drawn = np.concatenate(run_tasks(sampling.values, tasks, n_jobs=n_jobs))
    _check_finite(drawn, index, "of a half sample")
    n_drawn = cells.n_samples // 2
    scale = math.sqrt(n_drawn / (cells.n_samples - n_drawn))
    return HalfSamples(values, scale * (drawn - drawn.mean(axis=0)), cells.n_samples)


def _pair(true: Partition, pred: Partition) -> LabeledPair | SoftPair:
    if isinstance(true, Labels) and isinstance(pred, Labels):
        return LabeledPair.of(true, pred)
    return SoftPair(true, pred)


def _check_finite(values: FloatArray, index: Index, where: str) -> None:
    if not np.isfinite(values).all():
        got = values[~np.isfinite(values)][0]
        msg = f"index must be finite to have a sampling error, got {got} for {index.name} {where}"
        raise ValueError(msg)


def several_resamples(name: str, value: Any) -> None:
    """Check a number of half samples: how values scatter shows in two or more."""
    positive_integer(name, value)
    if value < 2:
        msg = f"{name} must be at least 2, got {value!r}"
        raise ValueError(msg)


def cut_to_range(intervals: FloatArray, values: FloatArray, index: Index) -> FloatArray:
    """Cut intervals off where the index cannot be; each still holds its value."""
    low, high = index.range
    return np.column_stack(
        [
            np.maximum(intervals[:, 0], np.minimum(low, values)),
            np.minimum(intervals[:, 1], np.maximum(high, values)),
        ]
    )
