"""Half samples of the objects: the sampling variation of an index.

The objects are taken as a sample of a population, with all their labels, and the clusterers as
fixed. A half sample of r of the n objects leaves out d = n - r. The deviations of an index in half
samples from its mean over them, times sqrt(r / d), scatter as the index itself does from one sample
of n objects to the next. This is the delete-d jackknife [1]_. As d is a share of n, and not 1, it
is also valid for indices that contain maxima [2]_.

Half samples are drawn without replacement. In a bootstrap sample an object can occur twice, and
then agrees with itself in all partitions. This raises even adjusted indices, more so the smaller
the clusters are: candidates with more clusters seem better. The variance over half samples is
biased upwards [3]_: up to three times if the reference and a candidate are independent, as an index
of pairs is then a degenerate U-statistic, whose variance falls as 1 / n^2.

Half samples are drawn from the occupied cells of the joint table of all partitions, so the cost of
a draw is proportional to the number of cells, not of objects.

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
from sklearn_clustcompare._partition import Labels, Partition, Reading, read
from sklearn_clustcompare._partition.reading import DEFAULT
from sklearn_clustcompare._table.contingency import (
    ContingencyTable,
    check_partners,
    check_whole_weights,
    count_read,
)
from sklearn_clustcompare._table.margins import CountedPairs, SquareSums
from sklearn_clustcompare._tasks import progress, run_tasks
from sklearn_clustcompare.indices import Index
from sklearn_clustcompare.indices._chosen import Chosen, needs_moments

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

# A half sample then holds a pair of objects.
_FEWEST_OBJECTS = 4
# Draws that one task makes from one seed.
_DRAWS_PER_TASK = 100
# Numbers that are drawn at a time.
_CELLS_PER_BLOCK = 2**20
# A task takes candidates up to so many codes: it keeps several numbers for each.
_CODES_PER_TASK = 2**21
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
    memberships each object is a cell. ``reading`` specifies how to treat noise.
    """

    reference: Partition
    candidates: tuple[Partition, ...]
    counts: IntArray
    reading: Reading = DEFAULT

    @classmethod
    def of(
        cls,
        sides: Sequence[Partition],
        weights: NDArray[Any] | None = None,
        reading: Reading = DEFAULT,
    ) -> JointCells:
        """Count partitions of the same objects together, the reference first."""
        sizes = frequencies(sides[0], weights)
        weighed = np.flatnonzero(sizes)
        if len(weighed) < len(sizes):
            sides, sizes = [side.take(weighed) for side in sides], sizes[weighed]
        # Codes are kept in the smallest type of integers, as there may be thousands of candidates.
        sides = [side.compact()[0].shrunk() if isinstance(side, Labels) else side for side in sides]
        labels = [side for side in sides if isinstance(side, Labels)]
        if len(labels) < len(sides):
            return cls(sides[0], tuple(sides[1:]), sizes, reading)
        cells, n_cells = np.zeros(len(sizes), np.int64), 1
        for one in labels:
            n_cells *= one.n_codes
            occupied, cells, _ = number_codes(cells * one.n_codes + one.codes, n_cells)
            n_cells = len(occupied)
        an_object = np.empty(n_cells, np.intp)
        an_object[cells] = np.arange(len(sizes))
        counts = np.zeros(n_cells, np.int64)
        np.add.at(counts, cells, sizes)
        reference, *candidates = (one.take(an_object) for one in labels)
        return cls(reference, tuple(candidates), counts, reading)

    @property
    def n_samples(self) -> int:
        return int(self.counts.sum())

    @property
    def are_crisp(self) -> NDArray[np.bool_]:
        """Return for each candidate whether both it and the reference are labels."""
        crisp = [isinstance(side, Labels) for side in self.candidates]
        return np.array(crisp, np.bool_) & isinstance(self.reference, Labels)

    def n_clusters(self, candidate: int) -> int:
        side = self.candidates[candidate]
        return side.n_codes if isinstance(side, Labels) else len(side.labels)

    def blocks(self) -> Iterator[JointCells]:
        """Divide the candidates into those of one task each."""
        size = max(1, _CODES_PER_TASK // len(self.counts))
        for start in range(0, len(self.candidates), size):
            yield self._replace(candidates=self.candidates[start : start + size])

    def pairs(self) -> Iterator[LabeledPair | SoftPair]:
        """Yield the reference with each candidate."""
        for candidate in self.candidates:
            if isinstance(self.reference, Labels) and isinstance(candidate, Labels):
                yield LabeledPair.of(self.reference, candidate, self.reading)
            else:
                yield SoftPair(self.reference, candidate, self.reading)


def joint_cells(partitions: Sequence[Any], names: Sequence[str]) -> JointCells:
    """Count a reference and candidates together; ``names`` are their names in messages."""
    sides = [read(one, name) for one, name in zip(partitions, names, strict=True)]
    for candidate in sides[1:]:
        check_partners(sides[0], candidate)
    return JointCells.of(sides)


def frequencies(reference: Partition, weights: NDArray[Any] | None) -> IntArray:
    """Return how often each object occurs in the sample; raise ValueError if not a count."""
    sizes = np.ones(reference.n_objects, np.int64) if weights is None else weights
    check_whole_weights(sizes, "where objects are resampled")
    n_samples = int(sizes.sum())
    if n_samples < _FEWEST_OBJECTS:
        msg = (
            f"{reference.name} must hold at least {_FEWEST_OBJECTS} objects, two for each half "
            f"sample, got {n_samples}"
        )
        raise ValueError(msg)
    return sizes


# --------------------------------------------------------------------------- tables of half samples


class LabeledPair(NamedTuple):
    """The reference and a candidate by joint cells, and which of those a cell of their table holds.

    ``true`` and ``pred`` are the labels of the cells of the table. ``members`` of shape
    (n_table_cells, n_cells) adds up joint cells, and ``rows`` and ``cols`` add up the cells of the
    table.
    """

    true: Labels
    pred: Labels
    members: sparse.csr_array
    rows: sparse.csr_array
    cols: sparse.csr_array
    reading: Reading = DEFAULT

    @classmethod
    def of(cls, true: Labels, pred: Labels, reading: Reading = DEFAULT) -> LabeledPair:
        numbers = true.zero_based() * pred.n_codes + pred.zero_based()
        occupied, cells, _ = number_codes(numbers, true.n_codes * pred.n_codes)
        rows, cols = np.divmod(occupied, pred.n_codes)
        sums = (_adding(cells), _adding(rows), _adding(cols))
        return cls(true._replace(codes=rows), pred._replace(codes=cols), *sums, reading)

    def tables(self, drawn: IntArray, moments: bool) -> Iterator[ContingencyTable]:
        """Yield the table of each draw; ``drawn`` has the shape (n_draws, n_cells)."""
        for counts in np.ascontiguousarray((self.members @ drawn.T).T):
            yield count_read(self.true, self.pred, counts, self.reading)

    def pair_tables(self, drawn: IntArray) -> Iterator[CountedPairs]:
        """Yield what an index of pairs is a function of for each draw; noise must be a cluster."""
        cells = self.members @ drawn.T
        totals = cells.sum(axis=0).tolist()
        squares = [
            np.einsum("ij,ij->j", sums, sums).tolist()
            for sums in (cells, self.rows @ cells, self.cols @ cells)
        ]
        for total, *sums in zip(totals, *squares, strict=True):
            yield CountedPairs.of_squares(total, SquareSums(*sums))


class SoftPair(NamedTuple):
    """The reference and a candidate by object, of which at least one is soft."""

    true: Partition
    pred: Partition
    reading: Reading = DEFAULT

    def tables(self, drawn: IntArray, moments: bool) -> Iterator[ContingencyTable]:
        """Yield the table of each draw; ``drawn`` has the shape (n_draws, n_objects)."""
        for row in drawn:
            chosen = np.flatnonzero(row)
            true, pred = self.true.take(chosen), self.pred.take(chosen)
            weights = row[chosen] if row.max() > 1 else None
            yield count_read(true, pred, weights, self.reading, moments=moments)


def _adding(codes: IntArray) -> sparse.csr_array:
    """Return the matrix of 0 and 1 that adds up entries with the same code."""
    ones = np.ones(len(codes), np.int64)
    return sparse.csr_array((ones, (codes, np.arange(len(codes)))))


# --------------------------------------------------------------------------- drawing


class _HalfSampling(NamedTuple):
    """The input of a worker that draws half samples and computes indices of them."""

    cells: JointCells
    chosen: tuple[Chosen, ...]
    growths: tuple[float, ...]

    @classmethod
    def of(cls, cells: JointCells, chosen: tuple[Chosen, ...]) -> _HalfSampling:
        return cls(cells, chosen, tuple(_growth(one) for one in chosen))

    def blocks(self) -> list[_HalfSampling]:
        """Divide the candidates into those of one task each."""
        return [self._replace(cells=block) for block in self.cells.blocks()]

    def values(self, size: int, seed: int) -> FloatArray:
        """Return the indices of each draw, of shape (size, n_candidates, n_indices)."""
        generator = np.random.default_rng(seed)
        pairs = list(self.cells.pairs())
        most = max(1, _CELLS_PER_BLOCK // len(self.cells.counts))
        sizes = [min(most, size - start) for start in range(0, size, most)]
        return np.concatenate([self._values(pairs, self._draw(one, generator)) for one in sizes])

    def sample_values(self) -> FloatArray:
        """Return the indices of the sample, of shape (n_candidates, n_indices)."""
        counts = self.cells.counts[np.newaxis]
        values = [self._values([pair], counts)[0, 0] for pair in self.cells.pairs()]
        return np.reshape(values, (-1, len(self.chosen)))

    def _draw(self, size: int, generator: np.random.Generator) -> IntArray:
        counts, n_samples = self.cells.counts, self.cells.n_samples
        if n_samples >= _MOST_DRAWN_OBJECTS:
            # Each object by itself: with so many objects, about one half is as good as exactly one
            # half.
            return generator.binomial(counts, 0.5, size=(size, len(counts)))
        shuffles = n_samples < _OBJECTS_PER_CELL * len(counts)
        method: Literal["count", "marginals"] = "count" if shuffles else "marginals"
        return generator.multivariate_hypergeometric(
            counts, n_samples // 2, size=size, method=method
        )

    def _values(self, pairs: list[LabeledPair | SoftPair], drawn: IntArray) -> FloatArray:
        """Return the indices brought to the size of the sample."""
        grown = self.cells.n_samples / drawn.sum(axis=1)
        scale = grown[:, np.newaxis] ** self.growths
        values = [[self._of_table(table) for table in self._tables(pair, drawn)] for pair in pairs]
        return np.array(values, np.float64).swapaxes(0, 1) * scale[:, np.newaxis]

    def _tables(
        self, pair: LabeledPair | SoftPair, drawn: IntArray
    ) -> Iterator[ContingencyTable] | Iterator[CountedPairs]:
        see_pairs = (
            all(one.index.pairs for one in self.chosen)
            and self.cells.reading == DEFAULT
            and self.cells.n_samples < _MOST_SQUARED_OBJECTS
        )
        if see_pairs and isinstance(pair, LabeledPair):
            return pair.pair_tables(drawn)
        return pair.tables(drawn, needs_moments(self.chosen))

    def _of_table(self, table: ContingencyTable | CountedPairs) -> list[float]:
        if isinstance(table, CountedPairs):
            return [float(one.index.of_statistic(*table, **one.parameters)) for one in self.chosen]
        if table.coverage == 0:
            return [math.nan] * len(self.chosen)
        return [float(one.index.function(table, **one.parameters)) for one in self.chosen]


# Counts of a table of equal clusters: for unequal ones some standardized indices grow more slowly.
_SOME_COUNTS = np.array([[6, 2], [2, 6]]) * 2**10


def _growth(chosen: Chosen) -> float:
    """Return the power of the number of objects with which an index grows.

    It is 0 for all that compare shares of objects or of pairs, 1 and 2 for numbers of objects and
    of pairs, and 1 for standardized indices. It is measured on a large table and its double.
    """
    single, double = (
        chosen.value(ContingencyTable.from_counts(counts))
        for counts in (_SOME_COUNTS, 2 * _SOME_COUNTS)
    )
    grown = double / single if single else 0.0
    return round(2 * math.log2(grown)) / 2 if 0 < grown < math.inf else 0.0


# --------------------------------------------------------------------------- results


class Estimates(NamedTuple):
    """Numbers computed from a sample, and their variation from sample to sample.

    Their errors follow Student's t distribution; the ``degrees_of_freedom`` are those of the number
    of objects and of the number of draws together. No p-value is below ``least_pvalue``, one over
    the number of half samples that exist.
    """

    values: FloatArray
    standard_errors: FloatArray
    degrees_of_freedom: float
    least_pvalue: float

    def intervals(self, confidence_level: float, n_comparisons: int = 1) -> FloatArray:
        """Return intervals of shape (n, 2), at a simultaneous level for all comparisons."""
        tail = (1 - confidence_level) / n_comparisons / 2
        reach = student.isf(tail, self.degrees_of_freedom) * self.standard_errors
        return np.column_stack([self.values - reach, self.values + reach])

    def pvalues(self) -> FloatArray:
        """Return two-sided p-values of the mean 0."""
        with np.errstate(divide="ignore", invalid="ignore"):  # numbers without variation
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

    def differences(self, first: int, others: Any) -> Estimates:
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

    @property
    def are_defined(self) -> NDArray[np.bool_]:
        """Return for each candidate whether all of its values are finite."""
        return np.isfinite(self.values) & np.isfinite(self.deviations).all(axis=0)

    def check_finite(self, index: Index) -> HalfSamples:
        """Raise ValueError unless all values are finite, and return the half samples themselves."""
        for values, where in (
            (self.values, "of the sample"),
            (self.deviations, "of a half sample"),
        ):
            bad = values[~np.isfinite(values)]
            if len(bad):
                msg = (
                    "index must be finite to have a sampling error, "
                    f"got {bad[0]} for {index.name} {where}"
                )
                raise ValueError(msg)
        return self

    def take(self, candidates: Any) -> HalfSamples:
        """Return the half samples of some candidates."""
        return self._replace(
            values=self.values[candidates], deviations=self.deviations[:, candidates]
        )

    def oriented(self, index: Index) -> HalfSamples:
        """Return the values signed so that larger is better."""
        sign = 1.0 if index.greater_is_better else -1.0
        return self._replace(values=sign * self.values, deviations=sign * self.deviations)

    def _estimates(self, values: FloatArray, standard_errors: FloatArray) -> Estimates:
        noise = 1 / (self.n_samples - 1) + 1 / (len(self.deviations) - 1)
        n_half_samples = comb(self.n_samples, self.n_samples // 2)
        return Estimates(values, standard_errors, 1 / noise, float(1 / n_half_samples))


def _spread(deviations: FloatArray) -> FloatArray:
    """Return the standard deviation of deviations from a mean that was subtracted."""
    return np.sqrt(np.einsum("ij,ij->j", deviations, deviations) / (len(deviations) - 1))


def half_samples(
    cells: JointCells,
    chosen: tuple[Chosen, ...],
    *,
    n_resamples: int,
    random_state: Any,
    n_jobs: int | None,
    verbose: Any = 0,
) -> list[HalfSamples]:
    """Compute indices for all candidates, of the sample and of half samples of its objects.

    All indices and candidates see the same half samples.
    """
    sampling = _HalfSampling.of(cells, chosen)
    values = sampling.sample_values()
    sizes, seeds = task_seeds(n_resamples, _DRAWS_PER_TASK, random_state)
    blocks = sampling.blocks()
    tasks = progress(
        ((block, size, seed) for block in blocks for size, seed in zip(sizes, seeds, strict=True)),
        verbose=verbose,
        description=f"blocks of {_DRAWS_PER_TASK} half samples",
        total=len(blocks) * len(sizes),
    )
    parts = run_tasks(_HalfSampling.values, tasks, n_jobs=n_jobs)
    drawn = np.concatenate(
        [
            np.zeros((n_resamples, 0, len(chosen))),
            *(
                np.concatenate(parts[start : start + len(sizes)])
                for start in range(0, len(parts), len(sizes))
            ),
        ],
        axis=1,
    )
    n_drawn = cells.n_samples // 2
    scale = math.sqrt(n_drawn / (cells.n_samples - n_drawn))
    with np.errstate(invalid="ignore"):  # infinite values
        deviations = scale * (drawn - drawn.mean(axis=0))
    return [
        HalfSamples(values[:, k], deviations[:, :, k], cells.n_samples) for k in range(len(chosen))
    ]


def several_resamples(name: str, value: Any) -> None:
    """Check a number of half samples: a standard deviation needs at least two."""
    positive_integer(name, value)
    if value < 2:
        msg = f"{name} must be at least 2, got {value!r}"
        raise ValueError(msg)


def cut_to_range(
    intervals: FloatArray, values: FloatArray, chosen: Chosen, are_crisp: NDArray[np.bool_]
) -> FloatArray:
    """Cut intervals of labels off outside the range of the index; each still contains its value."""
    low, high = chosen.index.properties(**chosen.parameters)["range"]
    cut = np.column_stack(
        [
            np.maximum(intervals[:, 0], np.minimum(low, values)),
            np.minimum(intervals[:, 1], np.maximum(high, values)),
        ]
    )
    return np.where(are_crisp[:, np.newaxis], cut, intervals)
