"""Half samples of the objects, joint cells of partitions, and ends of intervals.

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
from scipy import sparse
from scipy.stats import t as student

from sklearn_clustcompare._array_types import Array, FloatArray, IntArray, Mask
from sklearn_clustcompare._chance.draws import task_seeds
from sklearn_clustcompare._kernels import number_codes
from sklearn_clustcompare._numerics import TIE
from sklearn_clustcompare._parameters import positive_integer
from sklearn_clustcompare._partition import (
    DEFAULT,
    Labels,
    Partition,
    Reading,
    partners,
    read,
    read_beside,
    read_weights,
)
from sklearn_clustcompare._partition.arrays import check_some_weight, check_whole_weights
from sklearn_clustcompare._table import ContingencyTable, count_read
from sklearn_clustcompare._tasks import progress, run_tasks
from sklearn_clustcompare.indices import preferred
from sklearn_clustcompare.indices._judged import Chosen, needs_moments

_FEWEST_OBJECTS = 4
FEWEST_GROUPS = 10
# A task takes candidates up to so many codes: it keeps several numbers for each.
_CODES_PER_TASK = 2**21
# Groups, and objects with memberships, are left out one by one up to this number, else in parts.
MOST_UNITS = 1000


class JointCells(NamedTuple):
    """Objects by their clusters in a reference and in some candidates: the occupied cells.

    All partitions hold one object for each cell, and labels have all their codes in use. With
    memberships each object is a cell. ``reading`` specifies how to treat noise. ``units`` numbers
    the sampling unit of each cell, if these are not single objects, with -1 for the last one, which
    is never left out alone; ``n_groups`` is the number of groups that the units are made of.
    """

    reference: Partition
    candidates: tuple[Partition, ...]
    counts: IntArray
    reading: Reading = DEFAULT
    units: IntArray | None = None
    n_groups: int = 0

    @classmethod
    def of(
        cls,
        sides: Sequence[Partition],
        weights: Array | None = None,
        reading: Reading = DEFAULT,
        groups: Labels | None = None,
    ) -> JointCells:
        """Count partitions of the same objects together, the reference first."""
        sizes = frequencies(sides[0], weights)
        weighed = np.flatnonzero(sizes)
        if len(weighed) < len(sizes):
            sides, sizes = [side.take(weighed) for side in sides], sizes[weighed]
            groups = None if groups is None else groups.take(weighed)
        n_groups = 0
        if groups is not None:
            groups, members = groups.compact()
            n_groups = len(members)
            check_several_groups("groups", n_groups)
        # Codes are kept in the smallest type of integers, as there may be thousands of candidates.
        sides = [side.compact()[0].shrunk() if isinstance(side, Labels) else side for side in sides]
        labels = [side for side in sides if isinstance(side, Labels)]
        if len(labels) < len(sides):
            units = None if groups is None else in_parts(n_groups, MOST_UNITS)[groups.codes]
            if units is None and len(sizes) > MOST_UNITS:
                units = in_parts(len(sizes), MOST_UNITS)
            return cls(sides[0], tuple(sides[1:]), sizes, reading, units, n_groups)
        if groups is not None:
            # Several groups make a unit, if there are many; those left over are one more code.
            units = in_parts(n_groups, MOST_UNITS)[groups.codes]
            n_codes = int(units.max()) + 2
            labels.append(groups._replace(codes=units % n_codes, n_codes=n_codes, classes=None))
        if len(labels) == 2:
            given = None if weights is None else sizes
            return cls._of_table(labels[0], labels[1], given, reading)
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
        units = None
        if groups is not None:
            units = candidates.pop().codes.astype(np.int64)
            units[units == n_codes - 1] = -1
        return cls(reference, tuple(candidates), counts, reading, units, n_groups)

    @classmethod
    def _of_table(
        cls, true: Labels, pred: Labels, sizes: IntArray | None, reading: Reading
    ) -> JointCells:
        """Count two partitions alone, which is faster."""
        table = count_read(true, pred, sizes)
        sides = [
            side._replace(codes=codes, ids=None).shrunk()
            for side, codes in ((true, table.cell_rows), (pred, table.cell_cols))
        ]
        return cls(sides[0], (sides[1],), table.cell_counts, reading)

    @property
    def n_samples(self) -> int:
        return int(self.counts.sum())

    @property
    def n_units(self) -> int:
        """Number of sampling units: objects, groups or blocks of either."""
        return self.n_samples if self.units is None else int(self.units.max()) + 1

    @property
    def unit_counts(self) -> Array:
        """Number of sampling units of each kind: objects of each cell, or one."""
        return self.counts if self.units is None else np.ones(self.n_units)

    def without_units(self) -> Iterator[IntArray]:
        """Yield the counts of the cells without one unit of each kind."""
        for kind in range(len(self.unit_counts)):
            if self.units is None:
                yield self.counts - (np.arange(len(self.counts)) == kind)
            else:
                yield np.where(self.units == kind, 0, self.counts)

    @property
    def are_crisp(self) -> Mask:
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


def joint_cells(
    partitions: Sequence[Any],
    names: Sequence[str],
    sample_weight: Any = None,
    groups: Any = None,
    reading: Reading = DEFAULT,
) -> JointCells:
    """Count a reference and candidates together; ``names`` are their names in messages."""
    read_sides = (read(one, name, reading) for one, name in zip(partitions, names, strict=True))
    sides = partners(*read_sides, unmatched=reading.unmatched)
    weights = read_weights(sample_weight, sides[0])
    return JointCells.of(sides, weights, reading, read_groups(groups, sides[0]))


def read_groups(groups: Any, reference: Partition) -> Labels | None:
    """Read the sampling unit of each object."""
    return None if groups is None else read_beside(reference, groups, "groups")


def in_parts(n_units: int, most: int) -> IntArray:
    """Return the part of each unit: itself up to ``most`` units, else one of equal parts of them.

    Parts are drawn at random, as units may be sorted. Units that are left over are in none: -1.
    """
    size = -(-n_units // most)
    if size <= 1:
        return np.arange(n_units)
    n_parts = n_units // size
    parts = np.full(n_units, -1)
    drawn = np.random.default_rng(0).permutation(n_units)[: n_parts * size]
    parts[drawn] = np.arange(n_parts * size) % n_parts
    return parts


def check_several_groups(name: str, n_groups: int) -> None:
    """Raise ValueError for groups that are too few to show how a score varies."""
    if n_groups < FEWEST_GROUPS:
        msg = (
            f"{name} must hold at least {FEWEST_GROUPS} groups for a sampling error, got {n_groups}"
        )
        raise ValueError(msg)


def frequencies(reference: Partition, weights: Array | None) -> IntArray:
    """Return how often each object occurs in the sample; raise ValueError if not a count."""
    sizes = np.ones(reference.n_objects, np.int64) if weights is None else weights
    check_whole_weights(sizes, "where objects are the sample")
    check_some_weight(sizes)
    n_samples = int(sizes.sum())
    if n_samples < _FEWEST_OBJECTS:
        msg = (
            f"{reference.name} must hold at least {_FEWEST_OBJECTS} objects for a sampling error, "
            f"got {n_samples}"
        )
        raise ValueError(msg)
    return sizes


# --------------------------------------------------------------------------- tables of half samples


class LabeledPair(NamedTuple):
    """The reference and a candidate by joint cells, and which of those a cell of their table holds.

    ``true`` and ``pred`` are the labels of the cells of the table, and ``kinds`` numbers the cell
    of each joint cell. ``members`` of shape (n_table_cells, n_cells) adds up joint cells.
    """

    true: Labels
    pred: Labels
    kinds: Array
    members: sparse.csr_array
    reading: Reading = DEFAULT

    @classmethod
    def of(cls, true: Labels, pred: Labels, reading: Reading = DEFAULT) -> LabeledPair:
        numbers = true.zero_based() * pred.n_codes + pred.zero_based()
        occupied, cells, _ = number_codes(numbers, true.n_codes * pred.n_codes)
        rows, cols = np.divmod(occupied, pred.n_codes)
        true, pred = true._replace(codes=rows), pred._replace(codes=cols)
        return cls(true, pred, cells, _adding(cells), reading)

    def tables(self, drawn: IntArray, moments: bool) -> Iterator[ContingencyTable]:
        """Yield the table of each draw; ``drawn`` has the shape (n_draws, n_cells)."""
        for counts in np.ascontiguousarray((self.members @ drawn.T).T):
            yield count_read(self.true, self.pred, counts, self.reading)


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


# Draws that one task makes from one seed.
DRAWS_PER_TASK = 100
# Numbers that are drawn at a time.
_CELLS_PER_BLOCK = 2**20
# From this many objects on NumPy draws no multivariate hypergeometric numbers.
_MOST_DRAWN_OBJECTS = 10**9
# To draw the count of a cell takes as long as to shuffle this many objects.
_OBJECTS_PER_CELL = 8


# --------------------------------------------------------------------------- drawing


class _HalfSampling(NamedTuple):
    """The input of a worker that draws half samples and computes indices of them."""

    cells: JointCells
    chosen: tuple[Chosen, ...]
    growths: tuple[float, ...]

    @classmethod
    def of(cls, cells: JointCells, chosen: tuple[Chosen, ...]) -> _HalfSampling:
        return cls(cells, chosen, tuple(growth(one) for one in chosen))

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

    @property
    def n_units(self) -> int:
        """Number of groups or blocks of them, or of objects."""
        return self.cells.n_units if self.cells.n_groups else self.cells.n_samples

    def _draw(self, size: int, generator: np.random.Generator) -> IntArray:
        counts, n_samples = self.cells.counts, self.cells.n_samples
        if self.cells.n_groups:
            drawn = half_of_units(self.n_units, size, generator)
            return np.asarray(counts * drawn[:, self.cells.units])
        return _drawn_objects(counts, n_samples // 2, size, generator)

    def _values(self, pairs: list[LabeledPair | SoftPair], drawn: IntArray) -> FloatArray:
        """Return the indices brought to the size of the sample."""
        grown = self.cells.n_samples / drawn.sum(axis=1)
        scale = grown[:, np.newaxis] ** self.growths
        moments = needs_moments(self.chosen)
        values = [
            [[value_of(one, table) for one in self.chosen] for table in pair.tables(drawn, moments)]
            for pair in pairs
        ]
        return np.array(values, np.float64).swapaxes(0, 1) * scale[:, np.newaxis]


def _drawn_objects(
    counts: IntArray, n_drawn: int, size: int, generator: np.random.Generator
) -> IntArray:
    """Draw so many objects from cells, of shape (size, n_cells)."""
    n_samples = int(counts.sum())
    if n_samples >= _MOST_DRAWN_OBJECTS:
        # Each object by itself: with so many objects, about this number is as good as exactly it.
        return generator.binomial(counts, n_drawn / n_samples, size=(size, len(counts)))
    shuffles = n_samples < _OBJECTS_PER_CELL * len(counts)
    method: Literal["count", "marginals"] = "count" if shuffles else "marginals"
    return generator.multivariate_hypergeometric(counts, n_drawn, size=size, method=method)


def half_of_units(n_units: int, size: int, generator: np.random.Generator) -> Mask:
    """Draw half of the units, of shape (size, n_units)."""
    half = np.arange(n_units) < n_units // 2
    return generator.permuted(np.tile(half, (size, 1)), axis=1)


def scaled_deviations(drawn: FloatArray, n_units: int) -> FloatArray:
    """Return deviations from the mean of half samples, as those of whole samples."""
    scale = math.sqrt((n_units // 2) / (n_units - n_units // 2))
    with np.errstate(invalid="ignore"):  # infinite values
        return np.asarray(scale * (drawn - drawn.mean(axis=0)))


def value_of(chosen: Chosen, table: ContingencyTable) -> float:
    """Return an index of some of the objects; NaN if none of them are left to compare."""
    if table.coverage == 0:
        return math.nan
    return float(chosen.index.function(table, **chosen.parameters))


# Counts of a table of equal clusters: for unequal ones some standardized indices grow more slowly.
_SOME_COUNTS = np.array([[6, 2], [2, 6]]) * 2**10


def growth(chosen: Chosen) -> float:
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


def half_samples(
    cells: JointCells,
    chosen: tuple[Chosen, ...],
    *,
    n_resamples: int,
    random_state: Any,
    n_jobs: int | None,
    verbose: Any = 0,
) -> tuple[list[FloatArray], int]:
    """Return the values of indices in half samples, each of shape (n_resamples, n_candidates).

    They are brought to the size of the sample. All indices and candidates see the same half
    samples, of objects or of their groups, whose number is returned as well.
    """
    sampling = _HalfSampling.of(cells, chosen)
    sizes, seeds = task_seeds(n_resamples, DRAWS_PER_TASK, random_state)
    blocks = sampling.blocks()
    tasks = progress(
        ((block, size, seed) for block in blocks for size, seed in zip(sizes, seeds, strict=True)),
        verbose=verbose,
        description=f"blocks of {DRAWS_PER_TASK} half samples",
        total=len(blocks) * len(sizes),
    )
    parts = run_tasks(
        _HalfSampling.values,
        tasks,
        n_jobs=n_jobs,
        prefer=preferred(*(one.index for one in chosen)),
        total=len(blocks) * len(sizes),
    )
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
    return list(np.moveaxis(drawn, 2, 0)), sampling.n_units


def several_resamples(name: str, value: Any) -> None:
    """Check a number of half samples: a standard deviation needs at least two."""
    positive_integer(name, value)
    if value < 2:
        msg = f"{name} must be at least 2, got {value!r}"
        raise ValueError(msg)


# Errors of estimated biases, as a share of them.
ERROR_OF_JACKKNIFE, _ERROR_OF_INDEPENDENCE = 0.75, 0.5
_SMALLEST = float(np.finfo(np.float64).tiny)


# Ends of intervals and p-values in closed form, with variances that depend on the end.
#
# A score misses its best value by a sum of rare errors, so that its variance falls with what it
# misses: ends are the roots of ``(m - x)^2 = t^2 V(x)``, with V linear in x. Without errors the end
# is that of an error that was not seen. A difference of two candidates is that of what each gains
# over the other; of rare gains of the effect c it has the variance ``(V + sqrt(V^2 - 4 c^2 x (d -
# x))) / 2`` where x is the true difference [1]: V, as McNemar's test has it, where that is 0.
# Student's quantile t allows for few sampling units.
#
# [1] T. Tango, "Equivalence test and confidence interval for the difference in proportions for
#    the paired-sample design", Statistics in Medicine 17(8), 1998.


class Estimates(NamedTuple):
    """Values, signed so that larger is better, with all that their ends depend on.

    ``effects`` are those of one more error; all are arrays of the same length.
    """

    values: FloatArray
    variances: FloatArray
    degrees_of_freedom: FloatArray
    effects: FloatArray

    def intervals_below(self, best: FloatArray | float, tail: float) -> FloatArray:
        """Return the intervals of scores with a finite best value, of shape (n, 2)."""
        t = student.isf(tail, self.degrees_of_freedom)
        missed = best - self.values
        missed = np.where(missed <= TIE * np.maximum(np.abs(best), 1.0), 0.0, missed)
        variances, effects = self.variances, self.effects
        # By how much the variance grows with what is missed: that of errors seen, and of one more.
        growth = _ratio(variances + effects**2, missed + effects)
        growth = np.minimum(growth, np.maximum(np.sqrt(variances), effects))
        half = t**2 * growth / 2
        reach = np.hypot(t * np.sqrt(variances), half)
        # Without variance it is the effect of an error that was not seen, or of one that was.
        unseen = -np.log(2 * tail) * effects
        low = np.maximum(missed - np.where(variances > 0, reach - half, unseen), 0.0)
        high = missed + np.where(variances > 0, reach + half, unseen)
        return np.column_stack([best - high, best - low])

    def intervals(self, tail: float) -> FloatArray:
        """Return the intervals of differences, of shape (n, 2); also of scores without a best one.

        They are the outer roots x of the equation above the class: ``y = x - d`` solves
        ``y^3 = t^2 (V + c^2 t^2) y + t^4 c^2 d``.
        """
        t = student.isf(tail, self.degrees_of_freedom)
        variances, effects = self.variances, self.effects
        bound = _ratio(variances, effects)  # all gains together are at least the difference
        d = np.clip(self.values, -bound, bound)
        p = t**2 * (variances + (effects * t) ** 2)
        cosine = 1.5 * _ratio(t**4 * effects**2 * d, p) * np.sqrt(_ratio(3.0, p))
        # The least root is the largest one of the mirrored equation, to the last digit.
        down, up = (np.cos(np.arccos(np.clip(one, -1.0, 1.0)) / 3) for one in (-cosine, cosine))
        ends = 2 * np.sqrt(p / 3) * np.array([-down, up])
        return np.asarray(self.values[:, np.newaxis] + ends.T)

    def pvalues(self) -> FloatArray:
        """Return twice the tail at which the intervals of differences end at zero."""
        pvalues = 2 * student.sf(np.abs(self.statistics(0.0)), self.degrees_of_freedom)
        return np.where(self.values == 0, 1.0, np.maximum(pvalues, _SMALLEST))

    def pvalues_above(self, least: float) -> FloatArray:
        """Return the tail at which the lower ends of the intervals of differences are ``least``."""
        pvalues = student.sf(self.statistics(least), self.degrees_of_freedom)
        return np.asarray(np.maximum(pvalues, _SMALLEST))

    def statistics(self, at: float) -> FloatArray:
        """Return how many standard errors the differences are above a value, by that of the value.

        The squared statistic is the root of the equation of the intervals.
        """
        y = at - self.values
        variances, effects = self.variances, self.effects
        bound = _ratio(variances, effects)
        d = np.clip(self.values, -bound, bound)
        inner = variances**2 + 4 * effects**2 * y * (y + d)
        return -np.sign(y) * np.sqrt(_ratio(2 * y**2, variances + np.sqrt(np.maximum(inner, 0.0))))


class Independence(NamedTuple):
    """What an index is where partitions are independent, signed so that larger is better.

    There the score is a quadratic form of the deviations of a table, added to what depends on the
    cluster sizes. If nothing does, the error of first order ``vanishes``: exact ``mean`` and
    ``variance`` under permutation take its place, and ``excess`` is how far the mean is above the
    value of the table of independent partitions, to second order. ``bias`` is exactly
    that, without adjustment for chance.
    """

    mean: float
    variance: float
    excess: float
    bias: float
    vanishes: bool

    def second_order(self, value: float, variance: float, best: float) -> float:
        """Return the variance that a score has besides that of first order, where that matters."""
        weight = self.weight(value, variance, best)
        return weight * self.variance * self._shrunk(value, best) ** 2

    def bias_at(self, value: float, best: float) -> float:
        """Return the bias of a score without adjustment: as far as it is from its best value."""
        return self.bias * self._shrunk(value, best)

    def better_bias(
        self, of_jackknife: float, value: float, best: float, is_adjusted: bool
    ) -> tuple[float, float, float]:
        """Return the bias of a score, its error as a share of it, and the slope of the correction.

        The jackknife sees too little of it where most cells are empty: there it is not below that
        of independent partitions. An adjusted index has none within about two deviations of its
        mean.
        """
        of_independence = self.bias_at(value, best)
        if is_adjusted:
            distance = (value - self.mean) ** 2
            return of_jackknife * distance / (distance + 4 * self.variance), ERROR_OF_JACKKNIFE, 1.0
        if abs(of_independence) > abs(of_jackknife):
            slope = 1 + self.bias / (best - self.mean)
            return of_independence, _ERROR_OF_INDEPENDENCE, slope
        return of_jackknife, ERROR_OF_JACKKNIFE, 1.0

    def weight(self, value: float, variance: float, best: float) -> float:
        """Return how much these ends count against those of first order, between 0 and 1."""
        shrunk = self._shrunk(value, best)
        # Half of the variance of first order that such a score has without a symmetry, such as that
        # of merged clusters of equal size.
        usual = max(value - self.mean, 0.0) * shrunk * self.variance / self.excess
        if not shrunk or not max(variance, usual):
            return 1.0 if shrunk else 0.0
        share = self.variance * shrunk**2 / max(variance, usual)
        return min(max((share - 0.005) / 0.015, 0.0), 1.0)

    def ends(self, value: float, variance: float, best: float, t: float) -> tuple[float, float]:
        """Return the ends: ``(s - x)^2 = t^2 (V2 g^2 + 4 kappa (x - mean) g)``, g linear in x."""
        mean, excess = self.mean, self.excess
        above = max(value - mean + excess, 0.0) * self._shrunk(value, best) + excess
        slope = (variance + 2 * self.variance) / (4 * above) if above > 0 else 0.0
        low = high = value
        # Below the mean the variance is that of independence.
        if value - t * np.sqrt(self.variance) <= mean:
            low = value - t * np.sqrt(self.variance)
        high = min(value + t * np.sqrt(self.variance), mean) if value < mean else value
        # Between the mean, y = 0, and the best value, y = r, g is 1 - y / r.
        r, s = best - mean, value - mean
        a = 1 - t**2 * (self.variance / r**2 - 4 * slope / r)
        b = -2 * s + t**2 * (2 * self.variance / r - 4 * slope)
        c = s**2 - t**2 * self.variance
        roots = np.roots([a, b, c])
        found = mean + roots[np.isreal(roots)].real
        found = found[(found >= mean) & (found <= best)]
        if len(found):
            low, high = min(low, float(found.min())), max(high, float(found.max()))
        return float(low), float(high)

    def _shrunk(self, value: float, best: float) -> float:
        return min(max((best - value) / (best - self.mean), 0.0), 1.0)


def _ratio(above: FloatArray | float, below: FloatArray) -> FloatArray:
    """Return a quotient that is infinite or zero, not undefined, where its denominator is zero."""
    with np.errstate(divide="ignore", invalid="ignore"):
        found = np.asarray(above / below)
    return np.where((below == 0) & (np.asarray(above) == 0), 0.0, found)
