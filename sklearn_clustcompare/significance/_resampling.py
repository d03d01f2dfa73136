"""A sample of objects or groups: what is counted of it, and half samples of it.

The objects are taken as a sample of a population, with all their labels, and the clusterers as
fixed. A half sample of r of the n objects leaves out d = n - r. The deviations of an index in half
samples from its mean over them, times sqrt(r / d), scatter as the index itself does from one sample
of n objects to the next. This is the delete-d jackknife [1]_. As d is a share of n, and not 1, it
is also valid for indices that contain maxima [2]_.

Half samples are drawn without replacement, each with the other half, so that in the bias that they
show all cancels that single objects add. In a bootstrap sample an object can occur twice, and
then agrees with itself in all partitions. This raises even adjusted indices, more so the smaller
the clusters are: candidates with more clusters seem better.

Half samples are drawn from the occupied cells of the joint table of all partitions, so the cost of
a draw is proportional to the number of cells, not of objects.

References
----------
.. [1] J. Shao, C. F. J. Wu, "A general theory for jackknife variance estimation", Annals of
   Statistics 17(3), 1989, :doi:`10.1214/aos/1176347263`.
.. [2] D. N. Politis, J. P. Romano, "Large sample confidence regions based on subsamples under
   minimal assumptions", Annals of Statistics 22(4), 1994, :doi:`10.1214/aos/1176325770`.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from scipy import sparse

from sklearn_clustcompare._array_types import Array, FloatArray, IntArray, Positions
from sklearn_clustcompare._chance.draws import task_seeds
from sklearn_clustcompare._frozen import lazy
from sklearn_clustcompare._kernels import number_codes
from sklearn_clustcompare._options import shortened
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
from sklearn_clustcompare._table.many import number_together, pooled
from sklearn_clustcompare._tasks import UNDEFINED_IGNORED, progress, run_tasks
from sklearn_clustcompare.indices import preferred
from sklearn_clustcompare.indices._judged import Chosen, Judged, needs_moments
from sklearn_clustcompare.indices._sets import Tables

_FEWEST_OBJECTS = 4
FEWEST_GROUPS = 10
# A task takes candidates up to so many codes: it keeps several numbers for each.
_CODES_PER_TASK = 2**21
# Groups, and objects with memberships, are left out one by one up to this number, else in parts;
# objects of data up to another one, as each value visits all distances.
MOST_UNITS, _MOST_PARTS = 1000, 200


class Sample(NamedTuple):
    """What was sampled: how many objects each cell has, and candidates as functions of that.

    ``units`` numbers the sampling unit of each cell, if these are not single objects, with -1 for
    those that are left over from equal parts, which are never left out alone; ``n_groups`` is the
    number of groups that the units are made of. ``values`` of a source are indices of draws, of
    shape (n_draws, n_indices); ``drawn`` counts the cells.
    """

    sources: tuple[Source, ...]
    counts: IntArray
    units: IntArray | None = None
    n_groups: int = 0

    @classmethod
    def of(
        cls,
        sides: Sequence[Partition],
        weights: Array | None = None,
        reading: Reading = DEFAULT,
        groups: Labels | None = None,
    ) -> Sample:
        """Count partitions of the same objects together, the reference first.

        The cells are the occupied ones of the joint table; objects where some have memberships.
        """
        sizes = frequencies(sides[0], weights)
        weighed = np.flatnonzero(sizes)
        if len(weighed) < len(sizes):
            sides, sizes = [side.take(weighed) for side in sides], sizes[weighed]
            groups = None if groups is None else groups.take(weighed)
        units, n_groups = _units_of(groups)
        # Codes are kept in the smallest type of integers, as there may be thousands of candidates.
        sides = [side.compact()[0].shrunk() if isinstance(side, Labels) else side for side in sides]
        labels = [side for side in sides if isinstance(side, Labels)]
        if len(labels) < len(sides):
            if units is None and len(sizes) > MOST_UNITS:
                units = in_parts(len(sizes), MOST_UNITS)
        elif len(labels) != 2 or units is not None:
            sides, sizes, units = _joint_cells(labels, sizes, units)
        else:
            table = count_read(labels[0], labels[1], None if weights is None else sizes)
            codes = table.cell_rows, table.cell_cols
            sides = [
                side._replace(codes=of_side, ids=None).shrunk()
                for side, of_side in zip(labels, codes, strict=True)
            ]
            sizes = table.cell_counts
        sources = tuple(
            LabeledPair.of(sides[0], side, reading)
            if isinstance(sides[0], Labels) and isinstance(side, Labels)
            else SoftPair(sides[0], side, reading)
            for side in sides[1:]
        )
        return cls(sources, sizes, units, n_groups)

    @classmethod
    def of_data(
        cls,
        X: Any,
        candidates: Sequence[Partition],
        reading: Reading,
        groups: Labels | None,
        *,
        one_by_one: bool,
    ) -> Sample:
        """Take objects of data, which are left out ``one_by_one`` or in parts."""
        for side in candidates:
            frequencies(side, None)
        n_objects = candidates[0].n_objects if candidates else 0
        units, n_groups = _units_of(groups)
        if units is None and not one_by_one:
            units = in_parts(n_objects, _MOST_PARTS)
        sources = tuple(JudgedSide.of(X, one, reading) for one in candidates)
        return cls(sources, np.ones(n_objects, np.int64), units, n_groups)

    @classmethod
    def of_groups(cls, candidates: Sequence[list[ContingencyTable]]) -> Sample:
        """Take groups, of which each has a table for every candidate."""
        n_groups = len(candidates[0]) if candidates else 0
        sources = tuple(map(GroupedTables, candidates))
        return cls(sources, np.ones(n_groups, np.int64), in_parts(n_groups, MOST_UNITS), n_groups)

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

    @property
    def n_halved(self) -> int:
        """Number of units of which half samples take half."""
        return self.n_units if self.n_groups else self.n_samples

    @property
    def are_both_halves_drawn(self) -> bool:
        return self.n_halved % 2 == 0 or self.n_halved > _MOST_ODD

    def without_units(self) -> Iterator[IntArray]:
        """Yield the counts of the cells without one unit of each kind, in blocks of these."""
        for start, size in _blocks(len(self.unit_counts), len(self.counts)):
            kinds = np.arange(start, start + size)[:, np.newaxis]
            if self.units is None:
                yield self.counts - (np.arange(len(self.counts)) == kinds)
            else:
                yield np.where(self.units == kinds, 0, self.counts)

    def halves(self, size: int, seed: int) -> Iterator[IntArray]:
        """Yield half samples, in blocks."""
        generator = np.random.default_rng(seed)
        n_cells = len(self.counts)
        n_halves = 1 + self.are_both_halves_drawn
        for start, n_drawn in _blocks(-(-size // n_halves), n_halves * n_cells):
            drawn = self._half(n_drawn, generator)
            if self.are_both_halves_drawn:
                # With the other half of each: what single objects add cancels in their mean.
                drawn = np.stack([drawn, self.counts - drawn], 1).reshape(-1, n_cells)
            # Candidates add up the draws of a cell.
            kind = np.int32 if self.n_samples < 2**31 else np.int64
            yield np.asfortranarray(drawn[: size - n_halves * start], dtype=kind)

    def _half(self, size: int, generator: np.random.Generator) -> IntArray:
        counts, n_samples = self.counts, self.n_samples
        if self.n_groups:
            half = np.arange(self.n_units) < self.n_units // 2
            drawn = generator.permuted(np.tile(half, (size, 1)), axis=1)
            return np.asarray(counts * drawn[:, self.units])
        if n_samples >= _MOST_DRAWN_OBJECTS:
            # Each object by itself: of so many, about half is as good as exactly half.
            return generator.binomial(counts, 0.5, size=(size, len(counts)))
        shuffles = n_samples < _OBJECTS_PER_CELL * len(counts)
        method: Literal["count", "marginals"] = "count" if shuffles else "marginals"
        return generator.multivariate_hypergeometric(
            counts, n_samples // 2, size=size, method=method
        )

    def blocks(self, most: int = _CODES_PER_TASK) -> Iterator[Sample]:
        """Divide the candidates into those of one task each, at ``most`` so many."""
        size = min(max(1, _CODES_PER_TASK // len(self.counts)), most)
        for start in range(0, len(self.sources), size):
            yield self._replace(sources=self.sources[start : start + size])


def _units_of(groups: Labels | None) -> tuple[IntArray | None, int]:
    """Return the unit of each object, of one or several groups, and the number of groups."""
    if groups is None:
        return None, 0
    groups, members = groups.compact()
    check_several_groups("groups", len(members))
    return in_parts(len(members), MOST_UNITS)[groups.codes], len(members)


def _joint_cells(
    labels: Sequence[Labels], sizes: IntArray, units: IntArray | None
) -> tuple[list[Partition], IntArray, IntArray | None]:
    """Count objects by all their labels and their unit."""
    codes = [(one.codes, one.n_codes) for one in labels]
    if units is not None:
        codes.append((units + 1, int(units.max()) + 2))
    cells, n_cells = number_together(*zip(*codes, strict=True))
    an_object = np.empty(n_cells, np.intp)
    an_object[cells] = np.arange(len(sizes))
    counts = np.zeros(n_cells, np.int64)
    np.add.at(counts, cells, sizes)
    units = None if units is None else units[an_object]
    return [one.take(an_object) for one in labels], counts, units


def joint_cells(
    partitions: Sequence[Any],
    names: Sequence[str],
    sample_weight: Any = None,
    groups: Any = None,
    reading: Reading = DEFAULT,
) -> tuple[list[Partition], Labels | None, Sample]:
    """Read a reference and candidates, whose ``names`` are those in messages, and count them.

    Return them with the sampling unit of each object as well.
    """
    read_sides = (read(one, name, reading) for one, name in zip(partitions, names, strict=True))
    sides = partners(*read_sides, unmatched=reading.unmatched)
    weights = read_weights(sample_weight, sides[0])
    units = read_groups(groups, sides[0])
    return [*sides], units, Sample.of(sides, weights, reading, units)


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


def check_samplable(chosen: Chosen) -> None:
    """Raise ValueError for indices that no method gives a sampling error."""
    name = chosen.index.name
    if chosen.index.needs_graph:
        msg = (
            f"index must not be {name} for a sampling error: no interval is known to hold for it, "
            "as edges vary as well as nodes, and each is left out with either of its nodes"
        )
        raise ValueError(msg)
    if chosen.index.sampling == "extreme":
        msg = (
            f"index must not be {name} for a sampling error: it depends on a few extreme objects, "
            "so that neither leaving out objects nor half samples show how it varies; take "
            "silhouette_score, or compare it with structureless data by structure_test"
        )
        raise ValueError(msg)
    if chosen.parameters.get("sample_size") is not None:
        msg = (
            f"sample_size must be None for a sampling error of {name}, as other objects would be "
            f"drawn each time, got {chosen.parameters['sample_size']!r}"
        )
        raise ValueError(msg)


class TooFewGroups(ValueError):
    """Groups are too few for what they are asked for."""


def check_several_groups(name: str, n_groups: int) -> None:
    """Raise an error for groups that are too few to show how a score varies."""
    if n_groups < FEWEST_GROUPS:
        scored = "score_candidates(..., within=groups)." if name != "within" else ""
        msg = (
            f"{name} must hold at least {FEWEST_GROUPS} groups for a sampling error, got {n_groups}"
            f"; without confidence_level {scored}group_frame() has the values of each group"
        )
        raise TooFewGroups(msg)


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


# --------------------------------------------------------------------------- candidates


@dataclass(frozen=True, eq=False)
class LabeledPair:
    """The reference and a candidate by joint cells, and which of those a cell of their table holds.

    ``true`` and ``pred`` are the labels of the cells of the table, and ``kinds`` numbers the cell
    of each joint cell.
    """

    true: Labels
    pred: Labels
    kinds: Array
    reading: Reading
    n_clusters: int
    is_crisp: bool = True

    @classmethod
    def of(cls, true: Labels, pred: Labels, reading: Reading = DEFAULT) -> LabeledPair:
        numbers = true.zero_based() * pred.n_codes + pred.zero_based()
        occupied, cells, _ = number_codes(numbers, true.n_codes * pred.n_codes)
        rows, cols = np.divmod(occupied, pred.n_codes)
        sides = true._replace(codes=rows), pred._replace(codes=cols)
        kinds = cells.astype(np.min_scalar_type(len(occupied)))
        return cls(*sides, kinds, reading, pred.n_codes)

    @lazy
    def _order(self) -> Positions:
        """The joint cells of each cell of the table, one after the other."""
        return np.argsort(self.kinds, kind="stable")

    def added(self, drawn: IntArray) -> IntArray:
        """Return how often the cells of the table are counted; ``drawn`` counts the joint cells."""
        n_kinds, n_cells = len(self.true.codes), drawn.shape[1]
        if n_kinds == n_cells:
            return drawn.take(self._order, axis=1)
        if len(drawn) == 1:
            added = np.zeros((1, n_kinds), drawn.dtype)
            np.add.at(added[0], self.kinds, drawn[0])
            return added
        ends = np.cumsum(np.bincount(self.kinds, minlength=n_kinds))
        entries = np.ones(n_cells, drawn.dtype), self._order
        adding = sparse.csr_array((*entries, np.append(0, ends)), (n_kinds, n_cells))
        return np.asarray((adding @ drawn.T).T)

    def tables(self, drawn: IntArray) -> Iterator[ContingencyTable]:
        """Yield the table of each draw."""
        for counts in np.ascontiguousarray(self.added(drawn), dtype=np.int64):
            yield count_read(self.true, self.pred, counts, self.reading)

    def values(self, chosen: Sequence[Chosen], drawn: IntArray) -> FloatArray:
        found = np.empty((len(drawn), len(chosen)))
        others = [*range(len(chosen))]
        if len(drawn) > 1 and self.reading.counts_all:
            counts = np.ascontiguousarray(self.added(drawn))
            tables = Tables(counts, self.true.codes, self.pred.codes)
            for k, one in enumerate(chosen):
                of_all = tables.values(one.index, one.parameters)
                if of_all is not None:
                    found[:, k] = of_all
                    others.remove(k)
        if others and len(drawn):
            some = [chosen[k] for k in others]
            found[:, others] = [values_of(some, table) for table in self.tables(drawn)]
        return found


class SoftPair(NamedTuple):
    """The reference and a candidate by object, of which at least one is soft."""

    true: Partition
    pred: Partition
    reading: Reading = DEFAULT
    is_crisp: bool = False

    @property
    def n_clusters(self) -> int:
        side = self.pred
        return side.n_codes if isinstance(side, Labels) else len(side.labels)

    def values(self, chosen: Sequence[Chosen], drawn: IntArray) -> FloatArray:
        found = []
        for row in drawn:
            some = np.flatnonzero(row)
            true, pred = self.true.take(some), self.pred.take(some)
            weights = row[some] if row.max() > 1 else None
            moments = needs_moments(tuple(chosen))
            table = count_read(true, pred, weights, self.reading, moments=moments)
            found.append(values_of(chosen, table))
        return np.array(found)


class GroupedTables(NamedTuple):
    """Tables of the groups of a candidate. Indices are of all groups, then means over groups."""

    tables: list[ContingencyTable]
    is_crisp: bool = True

    @property
    def n_clusters(self) -> int:
        return self.pooled().shape[1]

    def pooled(self) -> ContingencyTable:
        """Return one table of all groups, whose clusters are different."""
        return pooled(self.tables)

    def values(self, chosen: Sequence[Chosen], drawn: IntArray) -> FloatArray:
        n_micro = len(chosen) // 2
        of_groups = np.array([values_of(chosen[n_micro:], table) for table in self.tables])
        are_filled = np.array([table.n_samples > 0 for table in self.tables])
        found = []
        for kept in (drawn > 0) & are_filled:
            some = [table for table, one in zip(self.tables, kept, strict=True) if one]
            micro = values_of(chosen[:n_micro], pooled(some)) if some else [math.nan] * n_micro
            found.append([*micro, *(of_groups[kept].mean(axis=0) if some else micro)])
        return np.array(found, np.float64)


class JudgedSide(NamedTuple):
    """A candidate, and the data by which it is judged."""

    judged: Judged
    is_crisp: bool
    n_clusters: int = 0

    @classmethod
    def of(cls, X: Any, side: Partition, reading: Reading) -> JudgedSide:
        return cls(Judged.of(X, side, reading), isinstance(side, Labels))

    def values(self, chosen: Sequence[Chosen], drawn: IntArray) -> FloatArray:
        found = []
        for row in drawn:
            kept = np.flatnonzero(row[self.judged.positions])
            is_all = len(kept) == self.judged.partition.n_objects
            judged = self.judged if is_all else self.judged.take(kept)
            found.append([judged.value_or_nan(one) for one in chosen])
        return np.array(found)

    def without_each(self, chosen: Chosen, value: float, n_objects: int) -> FloatArray:
        """Return the changes of an index without each object, of shape (n_objects, 1)."""
        shifts = np.zeros((n_objects, 1))
        if math.isfinite(value):
            each: Any = chosen.index.without_each
            found = self.judged.apply(each, chosen)
            shifts[self.judged.positions, 0] = found - value
        return shifts


# A candidate, and the reference or the data that it is compared with.
Source = LabeledPair | SoftPair | GroupedTables | JudgedSide


def values_of(chosen: Sequence[Chosen], table: ContingencyTable) -> list[float]:
    """Return indices of some of the objects; NaN if none of them are left to compare."""
    if not table.n_samples:
        return [math.nan] * len(chosen)
    return [float(one.evaluate(table)) for one in chosen]


# --------------------------------------------------------------------------- half samples

# Draws that one task makes from one seed.
DRAWS_PER_TASK = 100
# Up to so many units, if odd, their halves differ too much in size to be used both.
_MOST_ODD = 100
# Numbers that are drawn at a time.
_CELLS_PER_BLOCK = 2**20
# From this many objects on NumPy draws no multivariate hypergeometric numbers.
_MOST_DRAWN_OBJECTS = 10**9
# To draw the count of a cell takes as long as to shuffle this many objects.
_OBJECTS_PER_CELL = 8


def _blocks(n_rows: int, n_cells: int) -> Iterator[tuple[int, int]]:
    """Yield where blocks of rows start, and how many each has."""
    most = max(1, _CELLS_PER_BLOCK // max(n_cells, 1))
    for start in range(0, n_rows, most):
        yield start, min(most, n_rows - start)


@functools.cache
def _some_tables() -> tuple[ContingencyTable, ContingencyTable]:
    """Return tables of equal clusters: for unequal ones some indices grow more slowly."""
    counts = np.array([[6, 2], [2, 6]]) * 2**10
    return ContingencyTable.from_counts(counts), ContingencyTable.from_counts(2 * counts)


def growth(chosen: Chosen) -> float:
    """Return the power of the number of objects with which an index grows.

    It is 0 for all that compare shares of objects or of pairs, 1 and 2 for numbers of objects and
    of pairs, and 1 for standardized indices. It is measured on a large table and its double; no
    index of data that is halved grows.
    """
    if chosen.index.needs_data:
        return 0.0
    single, double = map(chosen.value, _some_tables())
    grown = double / single if single else 0.0
    return round(2 * math.log2(grown)) / 2 if 0 < grown < math.inf else 0.0


def _values_of_halves(
    sample: Sample, chosen: tuple[Chosen, ...], growths: list[float], size: int, seed: int
) -> FloatArray:
    """Return indices brought to the size of the sample, of shape (size, candidates, indices)."""
    found = []
    with UNDEFINED_IGNORED:
        for drawn in sample.halves(size, seed):
            grown = sample.n_samples / drawn.sum(axis=1, keepdims=True)
            scale = grown**growths
            found.append(np.stack([scale * one.values(chosen, drawn) for one in sample.sources], 1))
    return np.concatenate(found)


def half_samples(
    sample: Sample,
    chosen: tuple[Chosen, ...],
    *,
    n_resamples: int,
    random_state: Any,
    n_jobs: int | None,
    verbose: Any = 0,
) -> FloatArray:
    """Return indices in half samples, of shape (n_resamples, n_candidates, n_indices).

    They are brought to the size of the sample. All indices and candidates see the same half
    samples, of objects or of their groups.
    """
    growths = [growth(one) for one in chosen]
    sizes, seeds = task_seeds(n_resamples, DRAWS_PER_TASK, random_state)
    blocks = list(sample.blocks())
    total = len(blocks) * len(sizes)
    tasks = progress(
        (
            (block, chosen, growths, size, seed)
            for block in blocks
            for size, seed in zip(sizes, seeds, strict=True)
        ),
        verbose=verbose,
        description=f"blocks of {DRAWS_PER_TASK} half samples",
        total=total,
    )
    prefer = preferred(*(one.index for one in chosen))
    parts = run_tasks(_values_of_halves, tasks, n_jobs=n_jobs, prefer=prefer, total=total)
    by_block = [parts[start : start + len(sizes)] for start in range(0, total, len(sizes))]
    nothing = np.zeros((n_resamples, 0, len(chosen)))
    return np.concatenate([nothing, *map(np.concatenate, by_block)], axis=1)


def scaled_deviations(drawn: FloatArray, n_units: int) -> FloatArray:
    """Return deviations from the mean of half samples, as those of whole samples."""
    scale = math.sqrt((n_units // 2) / (n_units - n_units // 2))
    with np.errstate(invalid="ignore"):  # infinite values
        return np.asarray(scale * (drawn - drawn.mean(axis=0)))


def several_resamples(name: str, value: Any) -> None:
    """Check a number of half samples: a standard deviation needs at least two."""
    positive_integer(name, value)
    if value < 2:
        msg = f"{name} must be at least 2, got {shortened(value)}"
        raise ValueError(msg)
