"""Values of an index without one object, and with one error more.

An object of an occupied cell may be any object of that cell, so there are as many values as cells.
If an index is a smooth function of a few sums over cells, its values follow from few of them: the
sums change by exactly known amounts, and within such small changes the index is a polynomial of
degree 2 in them. It is evaluated for the cells whose changes span those of all cells best, and
interpolated for the others; the tests allow errors of 2e-3 of the spread of the values. An index
that counts changes as its sums do, and is evaluated once for each change.
"""

from __future__ import annotations

import inspect
import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.linalg import lstsq, qr

from sklearn_clustcompare._array_types import FloatArray, IntArray, Positions
from sklearn_clustcompare._kernels._columns import ranges
from sklearn_clustcompare._numerics import TIE
from sklearn_clustcompare._partition import DEFAULT, Labels
from sklearn_clustcompare._partition.memberships import Cells, treated_cells
from sklearn_clustcompare._table import ContingencyTable
from sklearn_clustcompare._table.cell_sums import CellSum
from sklearn_clustcompare._tasks import UNDEFINED_IGNORED
from sklearn_clustcompare.indices._judged import Chosen
from sklearn_clustcompare.indices._sums import (
    ExpectedInformation,
    Moves,
    SizedCells,
    changes,
    values_at,
)
from sklearn_clustcompare.significance._resampling import LabeledPair

# Up to so many values are computed one by one; of many objects, whose changes are small, few.
MOST_VALUES, _FEW_VALUES, _MANY_OBJECTS = 256, 32, 1000
# Errors that represent all errors, if there are more: interpolated, or computed one by one.
_MOST_ERRORS, _MOST_ERRORS_OF_ANY = 2048, 64
# The values to compute are chosen among so many; from so many cells on the polynomial is linear.
_MOST_SPANNING, _MANY_CELLS = 1024, 4096
# Multiples of this fill an interval evenly.
_GOLDEN = (math.sqrt(5) - 1) / 2
# Objects as many times as these are a population with the shares of the sample.
_MANY_TIMES = 2.0**30
# Changes that a polynomial of others explains up to this are the same.
_RANK = 1e-8


@dataclass(frozen=True, eq=False)
class CountedPairs:
    """Occupied cells of several pairs of partitions, one pair after the other.

    Clusters are numbered through, as those of one table in which the pairs have no cell together.
    ``starts`` are where the cells, the rows and the columns of each pair start, and at last where
    they end; ``shapes`` are the numbers of its clusters. ``before`` is the cell that a cell was
    before noise was treated; noise objects that are singletons have a cell each.
    """

    sized: SizedCells
    starts: IntArray
    shapes: IntArray
    before: tuple[Positions, ...]

    @classmethod
    def of(cls, pairs: Sequence[LabeledPair], counts: Sequence[IntArray]) -> CountedPairs:
        """Count the objects of joint cells by the cells of each pair."""
        parts = []
        for pair, of_pair in zip(pairs, counts, strict=True):
            cells, before = treated_cells(Cells(pair.true, pair.pred, of_pair), pair.reading)
            sides = cells.true, cells.pred
            if not pair.reading.counts_all:  # the clusters of dropped cells may be gone
                sides = sides[0].compact()[0], sides[1].compact()[0]
            parts.append((sides[0].zero_based(), sides[1].zero_based(), cells.counts, before))
        return cls._of_parts(parts)

    @classmethod
    def of_table(cls, table: ContingencyTable) -> CountedPairs:
        cells = table.cell_rows, table.cell_cols, table.cell_counts
        return cls._of_parts([(*cells, np.arange(table.n_cells))])

    @classmethod
    def _of_parts(cls, parts: Sequence[tuple[IntArray, ...]]) -> CountedPairs:
        of_rows, of_cols, of_counts, before = zip(*parts, strict=True)
        lengths, shapes = (
            [len(one) for one in of_counts],
            [
                [int(side.max(initial=-1)) + 1 for side in sides]
                for sides in zip(of_rows, of_cols, strict=True)
            ],
        )
        # Beside one column there is room for another, which an object may found.
        widths = np.column_stack([lengths, np.maximum(shapes, (1, 2))])
        starts = np.vstack([np.zeros(3, np.intp), widths.cumsum(axis=0)])
        rows, cols = (
            np.concatenate(sides) + np.repeat(starts[:-1, k], lengths)
            for k, sides in ((1, of_rows), (2, of_cols))
        )
        n = np.concatenate(of_counts).astype(np.float64)
        n_rows, n_cols = starts[-1, 1:].tolist()
        sizes = np.bincount(rows, n, n_rows)[rows], np.bincount(cols, n, n_cols)[cols]
        a, b = (one.astype(np.float64) for one in sizes)
        sized = SizedCells(n, a, b, rows, cols, (n_rows, n_cols))
        return cls(sized, starts, np.array(shapes), before)

    @cached_property
    def each(self) -> list[CountedPairs]:
        """The pairs one by one."""
        return [self._own(k) for k in range(len(self.before))] if len(self.before) > 1 else [self]

    def _own(self, pair: int) -> CountedPairs:
        (start, row, col), (end, *_) = self.starts[pair : pair + 2].tolist()
        starts = self.starts[pair : pair + 2] - self.starts[pair]
        _, n_rows, n_cols = starts[1].tolist()
        sized = self.sized.where(slice(start, end))._replace(shape=(n_rows, n_cols))
        sized = sized._replace(rows=sized.rows - row, cols=sized.cols - col)
        return CountedPairs(sized, starts, self.shapes[[pair]], (self.before[pair],))

    @cached_property
    def owners(self) -> Positions:
        """The pair of each cell."""
        return np.repeat(np.arange(len(self.before)), np.diff(self.starts[:, 0]))

    def totals(self, of_cells: FloatArray) -> FloatArray:
        """Return the sum over the cells of each pair."""
        found = np.bincount(self.owners, of_cells, len(self.before))
        return np.asarray(found, np.float64)

    @cached_property
    def n_samples(self) -> FloatArray:
        """The number of objects of each pair."""
        return self.totals(self.sized.counts)

    def values(self, chosen: Chosen) -> FloatArray:
        """Return an index of each pair, by its table."""
        tables = (one.sized.counts.astype(np.int64)[np.newaxis] for one in self.each)
        return np.concatenate(
            [one._evaluated(chosen, n) for one, n in zip(self.each, tables, strict=True)]
        )

    def values_of_shares(
        self, chosen: Chosen, values: FloatArray, steps: FloatArray | float = 0.0
    ) -> FloatArray:
        """Return an index of these ``values`` for so many objects that nothing is due to chance.

        After ``steps`` of the counts.
        """
        index, parameters = chosen.index, chosen.parameters
        n, sides = _MANY_TIMES * (self.sized.counts + steps), (self.sized.rows, self.sized.cols)
        a, b = (np.bincount(side, n)[side].astype(np.float64) for side in sides)
        totals = [
            # Nothing is expected of independent partitions of so many.
            self.totals(one.function(n, a, b)) if isinstance(one, CellSum) else 0.0 * values
            for one in (() if index.sums is None else index.sums(**parameters))
        ]
        with UNDEFINED_IGNORED:
            found = values_at(index, totals, _MANY_TIMES * self.n_samples, parameters)
        return values if found is None else np.where(np.isfinite(found), found, values)

    # ------------------------------------------------------------- changes of an index

    def without_one(self, chosen: Chosen, values: FloatArray) -> list[FloatArray | None]:
        """Return the changes of an index of these ``values`` without an object of each cell.

        A list by pair, with None where cells are too many: then half samples are drawn.
        """
        return self._changes(chosen, values, None, self.starts[:, 0])

    def _changes(
        self, chosen: Chosen, values: FloatArray, moves: Moves | None, starts: IntArray
    ) -> list[FloatArray | None]:
        """Return changes by pair: all by arrays of the sums if the index takes them."""
        found: list[FloatArray | None] = []
        with UNDEFINED_IGNORED:
            known = self._by_sums(chosen, moves, starts)
            if known is not None and np.isfinite(known).all():
                return [*np.split(known, starts[1:-1])]
            for k, value in enumerate(values):
                part = slice(*starts[k : k + 2])
                some = None if known is None else np.flatnonzero(~np.isfinite(known[part]))
                own = None if moves is None else moves.of_own(part, self.starts[k])
                if known is None or some is None or len(some) > MOST_VALUES:
                    of_tables = self.each[k]._by_tables(chosen, own)
                    found.append(None if of_tables is None else of_tables - value)
                    continue
                known[part][some] = self.each[k]._one_by_one(chosen, own, some) - value
                found.append(known[part])
        return found

    def _by_sums(self, chosen: Chosen, moves: Moves | None, starts: IntArray) -> FloatArray | None:
        """Return the changes of an index that takes arrays of its sums; not finite if undefined."""
        index, parameters = chosen.index, chosen.parameters
        sums = () if index.sums is None else index.sums(**parameters)
        totals = [self._total(one) for one in sums]
        values = values_at(index, totals, self.n_samples, parameters)
        if values is None:
            return None
        numbers = np.diff(starts)
        changed = self._changed(sums, moves, starts)
        totals = [np.repeat(one, numbers) + by for one, by in zip(totals, changed, strict=True)]
        n_left = np.repeat(self.n_samples - (moves is None), numbers)
        found = values_at(index, totals, n_left, parameters)
        return None if found is None else found - np.repeat(values, numbers)

    def _total(self, one: CellSum | ExpectedInformation) -> FloatArray:
        if isinstance(one, CellSum):
            return self.totals(one.function(*self.sized[:3]))
        return np.array([one.total(pair.sized, float(pair.n_samples[0])) for pair in self.each])

    def _changed(self, sums: Any, moves: Moves | None, starts: IntArray) -> FloatArray:
        """Return the changes of some sums; what cluster sizes determine is of a pair alone."""
        if len(self.before) == 1 or all(isinstance(one, CellSum) for one in sums):
            return np.asarray(changes(sums, self.sized, moves))
        found = []
        for k, pair in enumerate(self.each):
            own = None
            if moves is not None:
                own = moves.of_own(slice(*starts[k : k + 2]), self.starts[k])
            found.append(changes(sums, pair.sized, own))
        return np.concatenate(found, axis=1)

    def _by_tables(self, chosen: Chosen, moves: Moves | None) -> FloatArray | None:
        """Return the values of the only pair, by tables.

        They are interpolated from few where the sums are known, else computed one by one.
        """
        number = len(self.sized.counts) if moves is None else len(moves.cells)
        every, sums = np.arange(number), chosen.index.sums
        if sums is None and moves is None and number > MOST_VALUES:
            return None

        def evaluated(positions: Positions) -> FloatArray:
            return self._one_by_one(chosen, moves, positions)

        if sums is None:
            return evaluated(every)
        shifts = changes(sums(**chosen.parameters), self.sized, moves).T
        if chosen.index.sampling == "counts":
            _, first, kinds = np.unique(
                np.round(shifts), axis=0, return_index=True, return_inverse=True
            )
            return evaluated(first)[kinds.ravel()]
        if number <= (MOST_VALUES if self.n_samples[0] < _MANY_OBJECTS else _FEW_VALUES):
            return evaluated(every)
        is_linear = moves is not None or number >= _MANY_CELLS
        return interpolated(shifts, evaluated, degree=1 if is_linear else 2)

    def _one_by_one(self, chosen: Chosen, moves: Moves | None, some: Positions) -> FloatArray:
        """Return values of the only pair without an object of some cells, or after some moves."""
        if moves is not None:
            return self._evaluated(chosen, *self._moved(moves, some))
        left = np.tile(self.sized.counts.astype(np.int64), (len(some), 1))
        left[np.arange(len(some)), some] -= 1
        return self._evaluated(chosen, left)

    def _moved(self, moves: Moves, positions: Positions) -> tuple[Any, Any, Any]:
        """Return the counts after some moves, with the rows and columns of cells that are new."""
        counts, n_cols = self.sized.counts, self.sized.shape[1]
        new = moves.targets < 0
        numbers, found = np.unique(moves.rows[new] * n_cols + moves.cols[new], return_inverse=True)
        targets = moves.targets.copy()
        targets[new] = len(counts) + found
        moved = np.zeros((len(positions), len(counts) + len(numbers)), np.int64)
        moved[:, : len(counts)] = counts
        each = np.arange(len(positions))
        moved[each, moves.cells[positions]] -= 1
        moved[each, targets[moves.places[positions]]] += 1
        return moved, *np.divmod(numbers, n_cols)

    def _evaluated(
        self, chosen: Chosen, counts: IntArray, rows: Any = (), cols: Any = ()
    ) -> FloatArray:
        """Return an index of tables with other counts, of the cells and of more of them."""
        true, pred = (
            Labels.of_codes(np.append(codes, more).astype(np.int64))
            for codes, more in ((self.sized.rows, rows), (self.sized.cols, cols))
        )
        pair = LabeledPair(true, pred, np.arange(counts.shape[1]), DEFAULT, 0)
        return pair.values((chosen,), counts)[:, 0]

    # ------------------------------------------------------------- errors

    def effects_of_an_error(self, chosen: Chosen, values: FloatArray) -> FloatArray:
        """Return by how much an index gets worse if a random object joins the cluster of another.

        That is the mean over the pairs of objects in different clusters of the candidate; or the
        mean size of the change, if the index gets better in the mean. It is never 0.
        """
        if chosen.index.sampling == "counts":
            return np.full(len(values), _least_step(chosen))
        has_sums = chosen.index.sums is not None
        moves, weights, starts = self._errors(_MOST_ERRORS if has_sums else _MOST_ERRORS_OF_ANY)
        low, high = chosen.index.properties(**chosen.parameters)["range"]
        changed = self._changes(chosen, values, moves, starts)
        shifts = np.concatenate([one for one in changed if one is not None])  # none is left out
        owners = np.repeat(np.arange(len(values)), np.diff(starts))
        weights = np.where(np.isfinite(shifts), weights, 0.0)  # without a value there is no effect
        falls = np.where(weights > 0, -chosen.index.sign * shifts, 0.0)
        total, of_falls, of_sizes = (
            np.bincount(owners, one, len(values))
            for one in (weights, weights * falls, weights * np.abs(falls))
        )
        sizes = np.fmax(np.abs(values), 1.0)
        total = np.where(total > 0, total, 1.0)
        means = np.where(of_falls / total > TIE * sizes, of_falls, of_sizes) / total
        reach = high - low if math.isfinite(high - low) else sizes
        least = reach / np.maximum(self.n_samples, 1.0)
        return np.asarray(np.where(means > TIE * sizes, means, least), np.float64)

    def _errors(self, most: int) -> tuple[Moves, FloatArray, IntArray]:
        """Return objects that change their column: all, by cell, or ``most`` of each pair.

        Also returns the weights of these errors, and where those of each pair start and end.
        """
        n, _, _, rows, cols, (_, n_cols) = self.sized
        owners, lengths = self.owners, np.diff(self.starts[:, 0])
        widths, first_cols = np.diff(self.starts[:, 2]), self.starts[:-1, 2]
        sizes = np.bincount(cols, n, n_cols)
        alone = self.shapes[:, 1] == 1  # the object founds a cluster
        sizes[first_cols[alone] + 1] = 1
        limit = max(most, MOST_VALUES)
        is_sampled = lengths * np.maximum(self.shapes[:, 1] - 1, 1) > limit
        # All places of the small tables, those of all errors among them ...
        is_small, of_rows = self.shapes.prod(axis=1) <= 2 * limit, np.diff(self.starts[:, 1])
        first = np.repeat(first_cols, of_rows)
        of_rows = np.repeat(np.where(is_small, widths, 0), of_rows)
        place_rows, place_cols = ranges(first, first + of_rows - 1)
        before = np.cumsum(of_rows) - of_rows - first
        # ... all errors of some pairs ...
        ends = first[rows] + np.where(is_sampled, 0, widths)[owners] - 1
        source, target = ranges(first[rows], ends)
        places, weights = before[rows[source]] + target, n[source] * sizes[target]
        # ... and errors at equal distances in the weights of their objects.
        pairs, total = np.flatnonzero(is_sampled), self.n_samples
        if len(pairs):
            of_cells = n * np.maximum(total[owners] - sizes[cols], 1)
            drawn = _quantiles(of_cells, self.starts[:, 0], pairs, most)
            of_rows, own, ends = rows[drawn], cols[drawn], np.cumsum(sizes)
            left = np.repeat(total[pairs], most) - sizes[own]
            left *= np.tile(np.arange(most) * _GOLDEN % 1, len(pairs))
            left += np.repeat((ends - sizes)[first_cols[pairs]], most)
            left += np.where(left >= (ends - sizes)[own], sizes[own], 0.0)
            chosen = np.minimum(np.searchsorted(ends, left, side="right"), n_cols - 1)
            entered = before[of_rows] + chosen
            large = np.flatnonzero(~np.repeat(is_small[pairs], most))
            entered[large] = len(place_rows) + np.arange(len(large))
            place_rows = np.append(place_rows, of_rows[large])
            place_cols = np.append(place_cols, chosen[large])
            source, target = np.append(source, drawn), np.append(target, chosen)
            places = np.append(places, entered)
            weights = np.append(weights, np.ones(len(drawn)))
        moved = np.flatnonzero(target != cols[source])
        moved = moved[np.argsort(owners[source[moved]], kind="stable")]
        source = source[moved]
        starts = np.searchsorted(owners[source], np.arange(len(self.before) + 1))
        targets = self.sized.find(place_rows, place_cols)
        moves = Moves(source, places[moved], place_rows, place_cols, targets)
        return moves, weights[moved], starts

    # ------------------------------------------------------------- what is special

    def depends_on_sizes(self, chosen: Chosen) -> bool:
        """Return whether the index of the only pair changes if a cell has twice its objects."""
        counts = np.tile(self.sized.counts.astype(np.int64), (2, 1))
        counts[1, 0] *= 2
        with UNDEFINED_IGNORED:
            value, other = self._evaluated(chosen, counts)
        return not abs(other - value) <= TIE * max(abs(value), 1.0)

    def jump_at_threshold(self, chosen: Chosen) -> float:
        """Return by how much the score changes if overlaps cross the threshold of an index.

        Those within a standard error of it do.
        """
        defaults = inspect.signature(chosen.index.function).parameters
        default = defaults["threshold"].default if "threshold" in defaults else 1.0
        threshold = chosen.parameters.get("threshold", default)
        if isinstance(threshold, str) or threshold >= 1:
            return 0.0
        unions = self.sized.unions
        overlaps = self.sized.counts / unions
        errors = np.sqrt(overlaps * (1 - overlaps) / unions)
        n_near = np.count_nonzero(np.abs(overlaps - threshold) < errors)
        # A pair of clusters is two of all, and counts by its overlap.
        return 2 * threshold * n_near / float(self.shapes.sum())


def _least_step(chosen: Chosen) -> float:
    """Return by how much an index that counts changes if one object of two clusters errs."""
    right, wrong = (
        chosen.value(ContingencyTable.from_counts(counts))
        for counts in ([[4, 0], [0, 4]], [[3, 1], [0, 4]])
    )
    return abs(wrong - right)


def _quantiles(weights: FloatArray, starts: IntArray, pairs: Positions, number: int) -> Positions:
    """Return ``number`` cells of each of some pairs at equal distances in the sum of weights."""
    sums = np.cumsum(weights)
    ends = np.append(0.0, sums)[starts]
    at = (np.arange(number) + 0.5) / number * np.diff(ends)[pairs, np.newaxis]
    at = (ends[pairs, np.newaxis] + at).ravel()
    return np.repeat(np.arange(len(weights)), np.diff(np.searchsorted(at, sums), prepend=0))


def interpolated(
    shifts: FloatArray, evaluated: Callable[[Positions], FloatArray], *, degree: int
) -> FloatArray:
    """Compute a smooth function of some sums for all of their ``shifts`` from a few values.

    ``evaluated(positions)`` is the function at some of them. The positions are those whose
    monomials span the monomials of all shifts with the largest volume; the others are combinations
    of them.
    """
    spread = shifts.std(axis=0)
    varies = spread > _RANK * np.abs(shifts).max(axis=0)
    scaled = (shifts[:, varies] - shifts[:, varies].mean(axis=0)) / spread[varies]
    columns = range(scaled.shape[1])
    powers = [
        math.prod((scaled[:, k] for k in chosen), start=np.ones(len(scaled)))
        for number in range(degree + 1)
        for chosen in itertools.combinations_with_replacement(columns, number)
    ]
    monomials = np.array(powers)
    some = np.arange(len(shifts))
    if len(some) > _MOST_SPANNING:
        equally_far = np.linspace(0, len(shifts) - 1, _MOST_SPANNING).astype(np.intp)
        extremes = monomials.argmin(axis=1), monomials.argmax(axis=1)
        some = np.unique(np.concatenate([*extremes, equally_far]))
    triangle, order = qr(monomials[:, some], mode="r", pivoting=True, check_finite=False)
    diagonal = np.abs(np.diag(triangle))
    positions = some[order[: int(np.count_nonzero(diagonal > _RANK * diagonal[0]))]]
    values = evaluated(positions)
    # About their mean, which all combinations keep: they are small differences of large values.
    middle = values.mean()
    if not np.isfinite(middle):
        return np.full(len(shifts), np.nan)
    return np.asarray(middle + lstsq(monomials[:, positions].T, values - middle)[0] @ monomials)
