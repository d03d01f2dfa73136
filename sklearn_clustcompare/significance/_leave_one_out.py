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
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import lstsq, qr

from sklearn_clustcompare._array_types import FloatArray, IntArray, Positions
from sklearn_clustcompare._numerics import TIE
from sklearn_clustcompare._partition import DEFAULT, Labels
from sklearn_clustcompare._partition.memberships import Cells, treated_cells
from sklearn_clustcompare._table import ContingencyTable
from sklearn_clustcompare._table.counts import SquareSums
from sklearn_clustcompare._tasks import UNDEFINED_IGNORED
from sklearn_clustcompare.indices._judged import Chosen
from sklearn_clustcompare.indices._pairs import pair_values
from sklearn_clustcompare.indices._sums import Moves, SizedCells, changes
from sklearn_clustcompare.significance._resampling import LabeledPair

# Up to so many values are computed one by one; of many objects, whose changes are small, few.
MOST_VALUES, _FEW_VALUES, _MANY_OBJECTS = 256, 32, 1000
# Errors that represent all errors, if there are more: interpolated, or computed one by one.
_MOST_ERRORS, _MOST_ERRORS_OF_ANY = 2048, 64
# The values to compute are chosen among so many; from so many cells on the polynomial is linear.
_MOST_SPANNING, _MANY_CELLS = 1024, 4096
# Changes that a polynomial of others explains up to this are the same.
_RANK = 1e-8


class CountedPair(NamedTuple):
    """Occupied cells of two partitions, after noise was treated.

    ``before`` is the cell of the pair that a cell belonged to; noise objects that are singletons
    have a cell each.
    """

    counts: IntArray
    sized: SizedCells
    before: Positions

    @classmethod
    def of(cls, pair: LabeledPair, counts: IntArray) -> CountedPair:
        """Count the objects of joint cells by the cells of a pair."""
        cells, before = treated_cells(Cells(pair.true, pair.pred, counts), pair.reading)
        # Relabeled, as the clusters of dropped cells may be gone.
        rows, cols = (side.compact()[0].codes for side in (cells.true, cells.pred))
        return cls._of_cells(rows, cols, cells.counts, before)

    @classmethod
    def of_table(cls, table: ContingencyTable) -> CountedPair:
        cells = table.cell_rows, table.cell_cols, table.cell_counts
        return cls._of_cells(*cells, np.arange(table.n_cells))

    @classmethod
    def _of_cells(
        cls, rows: IntArray, cols: IntArray, counts: IntArray, before: Positions
    ) -> CountedPair:
        n = counts.astype(np.float64)
        sizes = [np.bincount(side, n).astype(np.float64) for side in (rows, cols)]
        shape = len(sizes[0]), len(sizes[1])
        return cls(counts, SizedCells(n, sizes[0][rows], sizes[1][cols], rows, cols, shape), before)

    def value(self, chosen: Chosen) -> float:
        return float(self._evaluated(chosen, self.counts[np.newaxis])[0])

    def without_one(self, chosen: Chosen) -> FloatArray | None:
        """Return the value without an object of each cell; None if these are too many.

        Then half samples are drawn.
        """
        if chosen.index.sums is None and len(self.before) > MOST_VALUES:
            return None

        def without(cells: Positions) -> FloatArray:
            counts = np.tile(self.counts, (len(cells), 1))
            counts[np.arange(len(cells)), cells] -= 1
            return self._evaluated(chosen, counts)

        return self._values(chosen, None, len(self.before), without)

    def _values(
        self,
        chosen: Chosen,
        moves: Moves | None,
        number: int,
        evaluated: Callable[[Positions], FloatArray],
    ) -> FloatArray:
        """Return all values: by the changes of the sums where they are known, else one by one."""
        sums, n_objects = chosen.index.sums, float(self.sized.counts.sum())
        every, few = np.arange(number), MOST_VALUES if n_objects < _MANY_OBJECTS else _FEW_VALUES
        with UNDEFINED_IGNORED:
            if sums is None or (moves is not None and self.sized.shape[1] == 1):
                return evaluated(every)
            shifts = changes(sums(**chosen.parameters), self.sized, moves)
            if chosen.index.pairs:
                found = self._of_pairs(chosen, shifts, n_objects - (moves is None))
                if found is not None:
                    unknown = np.flatnonzero(np.isnan(found))
                    found[unknown] = evaluated(unknown)
                    return found
            if chosen.index.sampling == "counts":
                _, first, kinds = np.unique(
                    np.round(shifts), axis=0, return_index=True, return_inverse=True
                )
                return evaluated(first)[kinds.ravel()]
            if number <= few:
                return evaluated(every)
            is_linear = moves is not None or number >= _MANY_CELLS
            return interpolated(shifts, evaluated, degree=1 if is_linear else 2)

    def _of_pairs(self, chosen: Chosen, shifts: FloatArray, n_left: float) -> FloatArray | None:
        """Return an index of pairs, of which all formulas take the sums of squares."""
        n, a, b = self.sized.counts, self.sized.row_sizes, self.sized.col_sizes
        squares = SquareSums(
            *(n @ one + shift for one, shift in zip((n, a, b), shifts.T, strict=True))
        )
        return pair_values(chosen.index, squares, n_left, chosen.parameters)

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

    def depends_on_sizes(self, chosen: Chosen) -> bool:
        """Return whether the index changes if a cell has twice its objects."""
        counts = np.tile(self.counts, (2, 1))
        counts[1, 0] *= 2
        with UNDEFINED_IGNORED:
            value, other = self._evaluated(chosen, counts)
        return not abs(other - value) <= TIE * max(abs(value), 1.0)

    def jump_at_threshold(self, chosen: Chosen) -> float:
        """Return by how much the score changes if two clusters cross the threshold of an index.

        It is 0 if no overlap is within two standard errors of the threshold.
        """
        if "threshold" not in chosen.index.parameters:
            return 0.0
        defaults = inspect.signature(chosen.index.function).parameters
        default = defaults["threshold"].default if "threshold" in defaults else 1.0
        threshold = chosen.parameters.get("threshold", default)
        if isinstance(threshold, str) or threshold >= 1:
            return 0.0
        unions = self.sized.unions
        overlaps = self.sized.counts / unions
        errors = np.sqrt(overlaps * (1 - overlaps) / unions)
        is_near = (np.abs(overlaps - threshold) < 2 * errors).any()
        # A pair of clusters is two of all, and counts by its overlap.
        return 2 * threshold / sum(self.sized.shape) if is_near else 0.0

    # ------------------------------------------------------------- errors

    def effect_of_an_error(self, chosen: Chosen, value: float) -> float:
        """Return by how much an index gets worse if a random object joins the cluster of another.

        That is the mean over the pairs of objects in different clusters of the candidate; or the
        mean size of the change, if the index gets better in the mean. It is never 0.
        """
        if chosen.index.sampling == "counts":
            return _least_step(chosen)
        # If there is one column, the object founds another.
        n_cols = max(self.sized.shape[1], 2)
        has_sums = chosen.index.sums is not None and self.sized.shape[1] > 1
        errors, weights = self._errors(_MOST_ERRORS if has_sums else _MOST_ERRORS_OF_ANY)
        more = Moves(*(part[errors.targets < 0] for part in errors))
        rows = self.sized.rows[more.cells]
        numbers, places = np.unique(rows * n_cols + more.cols, return_inverse=True)
        targets = errors.targets.copy()
        targets[targets < 0] = len(self.counts) + places

        def with_errors(some: Positions) -> FloatArray:
            counts = np.zeros((len(some), len(self.counts) + len(numbers)), self.counts.dtype)
            counts[:, : len(self.counts)] = self.counts
            each = np.arange(len(some))
            counts[each, errors.cells[some]] -= 1
            counts[each, targets[some]] += 1
            return self._evaluated(chosen, counts, *np.divmod(numbers, n_cols))

        values = self._values(chosen, errors, len(weights), with_errors)
        known = np.isfinite(values)  # without a value there is no effect
        low, high = chosen.index.properties(**chosen.parameters)["range"]
        reach = high - low if math.isfinite(high - low) else max(abs(value), 1.0)
        share_of_range = reach / float(self.sized.counts.sum())
        if not known.any():
            return share_of_range
        values, weights = values[known], weights[known]
        falls = (value - values) * chosen.index.sign
        rounding = TIE * max(abs(value), 1.0)
        mean = float(np.average(falls, weights=weights))
        if mean <= rounding:
            mean = float(np.average(np.abs(falls), weights=weights))
        return mean if mean > rounding else share_of_range

    def _errors(self, most: int) -> tuple[Moves, FloatArray]:
        """Return all objects that may change their column, by cell, or some that represent them.

        Also returns the weights of these errors.
        """
        n, cols, n_cols = self.sized.counts, self.sized.cols, self.sized.shape[1]
        every = np.arange(len(n))
        if n_cols == 1:  # the object founds a cluster
            if len(n) > most:
                every, n = _quantiles(n, most)[0], np.ones(most)
            return Moves(every, np.ones(len(every), np.intp), np.full(len(every), -1)), n
        sizes = np.bincount(cols, n, n_cols)
        if len(n) * (n_cols - 1) <= MOST_VALUES:
            source, target = np.repeat(every, n_cols), np.tile(np.arange(n_cols), len(n))
            moved = cols[source] != target
            source, target = source[moved], target[moved]
            return self._moves(source, target), n[source] * sizes[target]
        source, rest = _quantiles(n * (n.sum() - sizes[cols]), most)
        # What is left over of the distance is the number of the other object.
        ends, own = np.cumsum(sizes), cols[source]
        other = rest * (n.sum() - sizes[own])
        other += np.where(other >= ends[own] - sizes[own], sizes[own], 0)
        target = np.minimum(np.searchsorted(ends, other, side="right"), n_cols - 1)
        moved = target != own  # rounding
        return self._moves(source[moved], target[moved]), np.ones(np.count_nonzero(moved))

    def _moves(self, source: Positions, cols: Positions) -> Moves:
        return Moves(source, cols, self.sized.find(self.sized.rows[source], cols))


def _least_step(chosen: Chosen) -> float:
    """Return by how much an index that counts changes if one object of two clusters errs."""
    right, wrong = (
        chosen.value(ContingencyTable.from_counts(counts))
        for counts in ([[4, 0], [0, 4]], [[3, 1], [0, 4]])
    )
    return abs(wrong - right)


def _quantiles(weights: FloatArray, number: int) -> tuple[Positions, FloatArray]:
    """Return items at equal distances in the sum of their weights, and where within the item."""
    ends = np.cumsum(weights)
    at = (np.arange(number) + 0.5) / number * ends[-1]
    found = np.minimum(np.searchsorted(ends, at, side="right"), len(weights) - 1)
    return found, np.clip(1 - (ends[found] - at) / weights[found], 0.0, 1.0)


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
