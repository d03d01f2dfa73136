"""Tables of given margins with the lowest or the highest sum over their cells.

The lowest sum of a function that is convex in the cell is the cost of a flow from the rows to the
columns. From any table a linear program finds the best changes of all cells, with the function
between the current count and counts 1, 2, 4, ... away replaced by lines. Its solutions are whole,
and no better table exists once it finds none, as steps by 1 are among the changes [1]_.

The highest sum is that of a corner of the tables, whose occupied cells form a forest: some row, or
some column, is in one cell only. So each corner follows from the empty table by filling cells one
by one, each with as many objects as are left in its row and column. Branch and bound searches these
sequences, with the most that the rows can add, each on its own, and the columns.

References
----------
.. [1] R. K. Ahuja, T. L. Magnanti, J. B. Orlin, "Network flows", Prentice Hall, 1993, chapter 14.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.sparse import csr_array

from sklearn_clustcompare._numerics import TIE, FloatArray

IntArray = NDArray[np.int64]
Function = Callable[[Any, Any, Any], Any]

# Variables of the largest linear program, which takes some seconds.
_MOST_STEPS = 100_000
# Partial tables that branch and bound looks at, in about a second.
MOST_NODES = 20_000
# Counts at which a function is evaluated to find out whether it is convex.
_MOST_COUNTS = 10**6
# Improvements below this share of the sum are rounding errors of the solver.
_TOLERANCE = 1e-10


class ExtremeTable(NamedTuple):
    """A table, the sum over its cells, and a bound that no sum exceeds: the sum itself if exact."""

    table: IntArray
    total: float
    bound: float

    @property
    def is_exact(self) -> bool:
        return self.total == self.bound


def curvature(function: Function, row_sums: IntArray, col_sums: IntArray) -> int:
    """Return 1 for a function that is convex in the cell, -1 for concave, 0 for neither.

    Functions that would have to be evaluated at too many counts are neither.
    """
    is_convex = is_concave = True
    pairs = list(itertools.product(np.unique(row_sums), np.unique(col_sums)))
    if sum(int(min(pair)) for pair in pairs) > _MOST_COUNTS:
        return 0
    for a, b in pairs:
        counts = np.arange(min(a, b) + 1.0)
        values = _values(function, counts, a, b)
        second = np.diff(values, 2)
        noise = TIE * np.abs(values).max()
        is_convex &= bool((second >= -noise).all())
        is_concave &= bool((second <= noise).all())
    return 1 if is_convex else -1 if is_concave else 0


def _values(function: Function, counts: Any, a: Any, b: Any) -> FloatArray:
    return np.asarray(function(*np.broadcast_arrays(counts, np.float64(a), np.float64(b))), float)


def total_of(function: Function, table: IntArray, row_sums: IntArray, col_sums: IntArray) -> float:
    found = _values(function, table.astype(float), row_sums[:, np.newaxis], col_sums)
    return float(np.sort(found, axis=None).sum())


# --------------------------------------------------------------------------- the lowest sum


def lowest_of_convex(
    function: Function, row_sums: IntArray, col_sums: IntArray
) -> ExtremeTable | None:
    """Find a table with the lowest sum; None if the linear program would be too large."""
    shape = len(row_sums), len(col_sums)
    largest = int(min(row_sums.max(), col_sums.max()))
    if 2 * shape[0] * shape[1] * (largest.bit_length() + 1) > _MOST_STEPS:
        return None
    table = rounded(np.outer(row_sums, col_sums / col_sums.sum()), row_sums, col_sums)
    caps = np.minimum(row_sums[:, np.newaxis], col_sums)
    while True:
        gain, change = _best_change(function, table, caps, row_sums, col_sums)
        total = total_of(function, table, row_sums, col_sums)
        if gain <= _TOLERANCE * max(abs(total), 1.0):
            return ExtremeTable(table, total, total)
        table = table + change


def rounded(expected: FloatArray, row_sums: IntArray, col_sums: IntArray) -> IntArray:
    """Return a table of whole counts near the given ones, which have its margins."""
    table = np.floor(expected).astype(np.int64)
    rows, cols = row_sums - table.sum(axis=1), col_sums - table.sum(axis=0)
    for i, j in itertools.product(range(len(rows)), range(len(cols))):
        more = min(rows[i], cols[j])
        table[i, j] += more
        rows[i] -= more
        cols[j] -= more
    return table


def _best_change(
    function: Function, table: IntArray, caps: IntArray, row_sums: IntArray, col_sums: IntArray
) -> tuple[float, IntArray]:
    """Return by how much the best changes of all cells lower the sum, and these changes."""
    sizes = row_sums[:, np.newaxis], col_sums
    cells, costs, lengths, signs = [], [], [], []
    for sign in (1, -1):
        far = caps - table if sign == 1 else table
        near = np.zeros_like(table)
        while (near < far).any():
            to = np.minimum(np.maximum(2 * near, 1), far)
            length = to - near
            values = [_values(function, table + sign * n, *sizes) for n in (near, to)]
            used = np.flatnonzero(length)
            cells.append(used)
            lengths.append(length.flat[used])
            costs.append((values[1] - values[0]).flat[used] / lengths[-1])
            signs.append(np.full(len(used), sign))
            near = to
    cell, cost, most, way = map(np.concatenate, (cells, costs, lengths, signs))
    rows, cols = np.divmod(cell, table.shape[1])
    n_steps = len(cell)
    steps = np.tile(np.arange(n_steps), 2)
    sums = np.concatenate([rows, len(table) + cols])
    balance = csr_array((np.tile(way * 1.0, 2), (sums, steps)), (sum(table.shape), n_steps))
    scale = max(np.abs(cost).max(), np.finfo(float).tiny)
    solution = linprog(
        cost / scale,
        A_eq=balance,
        b_eq=np.zeros(sum(table.shape)),
        bounds=np.stack([np.zeros(n_steps), most], axis=1),
        method="highs-ds",
    )
    change = np.zeros(table.size, np.int64)
    np.add.at(change, cell, way * np.rint(solution.x).astype(np.int64))
    return -float(solution.fun) * scale, change.reshape(table.shape)


# --------------------------------------------------------------------------- the highest sum


def highest_of_convex(
    function: Function,
    row_sums: IntArray,
    col_sums: IntArray,
    *,
    sees_sizes: bool,
    matches_equal: bool,
    most_nodes: int | None = None,
) -> ExtremeTable:
    """Find a table with the highest sum, or stop at so many partial tables with a bound.

    None stands for ``MOST_NODES``.

    ``sees_sizes``: whether the function depends on the sizes of the clusters. ``matches_equal``:
    whether a row and a column with equally many objects left may be taken to be one cell.
    """
    search = _Search(function, row_sums, col_sums, sees_sizes)
    filled, best = search.greedily(row_sums, col_sums, 0.0)
    table = search.table(filled)
    start = (row_sums, col_sums)
    # Highest bound first; nodes with the same objects left differ in the sum so far only.
    first_bound = float(search.bounds(*(one[np.newaxis] for one in start))[0])
    heap: list[Any] = [(-first_bound, 0, 0.0, start, ())]
    seen: dict[Any, float] = {}
    n_nodes = 0
    while heap:
        bound, _, so_far, (rows, cols), path = heapq.heappop(heap)
        if -bound <= best + TIE * abs(best):
            break
        filled, total = search.greedily(rows, cols, so_far)
        if total > best:
            best = total
            table = search.table([*path, *filled])
        if n_nodes > (most_nodes or MOST_NODES):
            return ExtremeTable(table, best, max(-bound, best))
        for cell, value, left, bound_left in search.children(rows, cols, matches_equal):
            n_nodes += 1
            key, reached = search.key(*left), so_far + value
            if reached + bound_left <= best + TIE * abs(best) or seen.get(key, -np.inf) >= reached:
                continue
            seen[key] = reached
            # The number keeps arrays from being compared.
            item = (-(reached + bound_left), n_nodes, reached, left, (*path, cell))
            heapq.heappush(heap, item)
    total = total_of(function, table, row_sums, col_sums)
    return ExtremeTable(table, total, total)


class _Search(NamedTuple):
    """The rows and columns of a table to be filled."""

    function: Function
    row_sums: IntArray
    col_sums: IntArray
    sees_sizes: bool

    def values(self, counts: Any) -> FloatArray:
        """Return the function for counts in each cell."""
        return _values(self.function, counts * 1.0, self.row_sums[:, np.newaxis], self.col_sums)

    def key(self, rows: IntArray, cols: IntArray) -> Any:
        """Return the same for rows and columns that can be exchanged."""
        return tuple(
            tuple(sorted(zip(left.tolist(), sizes.tolist(), strict=True)))
            if self.sees_sizes
            else tuple(sorted(left.tolist()))
            for left, sizes in ((rows, self.row_sums), (cols, self.col_sums))
        )

    def bounds(self, rows: IntArray, cols: IntArray) -> FloatArray:
        """Return the most that objects left can add, for many such rows and columns.

        A convex function is below its chord from zero: objects of a row are worth most in the cells
        with the steepest chord.
        """
        caps = np.minimum(rows[:, :, np.newaxis], cols[:, np.newaxis, :])
        worth = self.values(caps) / np.maximum(caps, 1)
        by_rows = _filled(worth, caps, rows)
        by_cols = _filled(worth.swapaxes(1, 2), caps.swapaxes(1, 2), cols)
        return np.minimum(by_rows, by_cols)

    def children(
        self, rows: IntArray, cols: IntArray, matches_equal: bool
    ) -> Iterator[tuple[tuple[int, int, int], float, tuple[IntArray, IntArray], float]]:
        """Yield distinct cells to fill, their values, what is left, and a bound of its sum."""
        row_keys, col_keys = (
            [pair if self.sees_sizes else pair[0] for pair in zip(left, sizes, strict=True)]
            for left, sizes in (
                (rows.tolist(), self.row_sums.tolist()),
                (cols.tolist(), self.col_sums.tolist()),
            )
        )
        some_rows = [row_keys.index(key) for key in dict.fromkeys(row_keys)]
        some_cols = [col_keys.index(key) for key in dict.fromkeys(col_keys)]
        cells = [(i, j) for i in some_rows for j in some_cols if rows[i] and cols[j]]
        if matches_equal:
            equal = [(i, j) for i, j in cells if rows[i] == cols[j]]
            cells = equal[:1] or cells
        if not cells:
            return
        i, j = np.array(cells).T
        counts = np.minimum(rows[i], cols[j])
        values = self.values(np.minimum(rows[:, np.newaxis], cols))[i, j]
        places = np.arange(len(cells))
        rows_left, cols_left = np.tile(rows, (len(cells), 1)), np.tile(cols, (len(cells), 1))
        rows_left[places, i] -= counts
        cols_left[places, j] -= counts
        bounds = self.bounds(rows_left, cols_left)
        for k, (row, col) in enumerate(cells):
            left = rows_left[k], cols_left[k]
            yield (row, col, int(counts[k])), float(values[k]), left, float(bounds[k])

    def greedily(
        self, rows: IntArray, cols: IntArray, so_far: float
    ) -> tuple[list[tuple[int, int, int]], float]:
        """Fill the cell of most value until nothing is left."""
        rows, cols, filled = rows.copy(), cols.copy(), []
        while rows.any():
            caps = np.minimum(rows[:, np.newaxis], cols)
            values = self.values(caps)
            # Functions may be negative, or zero for single objects.
            i, j = np.unravel_index(np.where(caps > 0, values, -np.inf).argmax(), caps.shape)
            filled.append((int(i), int(j), int(caps[i, j])))
            so_far += float(values[i, j])
            rows[i] -= caps[i, j]
            cols[j] -= caps[i, j]
        return filled, so_far

    def table(self, filled: list[tuple[int, int, int]]) -> IntArray:
        table = np.zeros((len(self.row_sums), len(self.col_sums)), np.int64)
        for i, j, count in filled:
            table[i, j] += count
        return table


def _filled(worth: FloatArray, caps: IntArray, sums: IntArray) -> FloatArray:
    """Add up the worth of the objects of all rows, each in the best cells."""
    order = np.argsort(-worth, axis=2, kind="stable")
    room = np.take_along_axis(caps, order, axis=2)
    before = np.cumsum(room, axis=2) - room
    placed = np.clip(sums[:, :, np.newaxis] - before, 0, room)
    return np.asarray((placed * np.take_along_axis(worth, order, axis=2)).sum(axis=(1, 2)), float)


# --------------------------------------------------------------------------- all tables


def all_tables(row_sums: IntArray, col_sums: IntArray) -> Iterator[IntArray]:
    """Yield all tables of these margins, column by column."""
    table = np.zeros((len(row_sums), len(col_sums)), np.int64)

    def fill(left: tuple[int, ...], column: int) -> Iterator[IntArray]:
        if column == len(col_sums):
            yield table.copy()
            return
        for counts in _compositions(int(col_sums[column]), left):
            table[:, column] = counts
            rest = tuple(n - count for n, count in zip(left, counts, strict=True))
            yield from fill(rest, column + 1)

    return fill(tuple(row_sums.tolist()), 0)


def _compositions(total: int, caps: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield all ways to take a total number of objects from rows that have so many each."""
    if not caps:
        if total == 0:
            yield ()
        return
    for count in range(max(0, total - sum(caps[1:])), min(total, caps[0]) + 1):
        for others in _compositions(total - count, caps[1:]):
            yield (count, *others)
