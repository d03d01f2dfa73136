"""Exact tail probabilities of a sum over the cells, by enumeration of small tables.

Columns are filled one by one, in ascending order, and the largest one takes what is left. After
each column only the objects left in the rows matter, so that tables with equal remainders are one
state; rows of equal size are interchangeable, and all rows are if the function of a cell does not
see its row. The objects of a column are spread over the rows by the multivariate hypergeometric
law, as a product of binomial laws divided by one, with the deviances of [1]_.

Each state knows the lowest and the highest sum that the columns ahead can add. A branch that must
end in the tail is added at once, one that cannot is dropped, and branches with equal sums are
merged. All terms are positive: no digits cancel, however small the tail is.

Of three rows, the last two columns have two free cells. For a function that is convex in the count,
as squares and n ln n are, the counts of the second that are in the tail are one or two runs, which
are added up from the most likely count on (``tail_of_runs``).

References
----------
.. [1] C. Loader, "Fast and accurate computation of binomial probabilities", 2000.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from sklearn_clustcompare import _kernels
from sklearn_clustcompare._array_types import FloatArray, IntArray, Mask, Positions
from sklearn_clustcompare._chance.functions import PLAIN_SQUARES, InformationTerms, transposed
from sklearn_clustcompare._kernels import LastColumns
from sklearn_clustcompare._kernels._columns import first_where, ranges
from sklearn_clustcompare._numerics import entropy_excess
from sklearn_clustcompare._table.cell_sums import CellKinds, Squares

# More rows have too many states.
_MOST_ROWS = 11
# Sums are whole multiples of a unit, and fit into 64 bits.
_LARGEST_SUM = 2**61
# Counts at which a function is looked at, to find its range.
_SAMPLED_COUNTS = 512
# Rounding errors of a function, in units of the largest sum.
_ROUNDING = 2.0**-50
# Of more states, which take long to tell apart, some are looked at.
_MANY_STATES = 5000
# Numbers by which fillings are counted before they are made.
_COUNTED_STATES = 50_000
# What is left out of the tail by runs is about this share of it at most.
_SMALL_SHARE = 1e-15
# From this number on, Stirling's series is exact to double precision.
_LARGE_COUNT = 32


# --------------------------------------------------------------------------- values of cells


class WholeValues(NamedTuple):
    """A function of a cell in whole multiples of a unit: sums are exact in any order.

    Sums that differ by at most ``slack`` units may be equal.
    """

    function: Callable[..., Any]
    scale: float
    slack: int

    @classmethod
    def of(
        cls, function: Callable[..., Any], row_sizes: IntArray, col_sizes: IntArray
    ) -> WholeValues | None:
        """Choose the unit, or return None if the function overflows."""
        if function == PLAIN_SQUARES and int(row_sizes.sum()) ** 2 < _LARGEST_SUM:
            return cls(function, 1.0, 0)  # all digits, also beyond 2**53
        largest = _largest_value(function, np.unique(row_sizes), np.unique(col_sizes))
        n_cells = len(row_sizes) * len(col_sizes)
        bound = largest * min(n_cells, 2 * int(row_sizes.sum()))
        if not 0 < bound < math.inf:
            return None
        scale = 2.0 ** math.floor(math.log2(_LARGEST_SUM / 4 / bound))
        return cls(function, scale, n_cells + int(_LARGEST_SUM * _ROUNDING))

    def __call__(self, counts: IntArray, a: Any, b: Any) -> IntArray:
        if not self.slack:
            return counts * counts
        values = _evaluated(self.function, counts.astype(np.float64), a, b)
        return np.rint(values * self.scale).astype(np.int64)

    def sees_rows(self, row_sizes: IntArray, col_sizes: IntArray) -> bool:
        """Return whether equal cells of one column count differently in rows of other sizes."""
        rows, cols = np.unique(row_sizes), np.unique(col_sizes)
        if isinstance(self.function, InformationTerms):
            return False
        if isinstance(self.function, Squares):
            a, b = np.meshgrid(rows.astype(np.float64), cols.astype(np.float64), indexing="ij")
            divisors = self.function.divisor(a, b)
            return bool((divisors != divisors[0]).any())
        return any(
            (self(counts, a, b) != self(counts, larger, b)).any()
            for a, larger in zip(rows[:-1], rows[1:], strict=True)
            for b in cols
            for counts in [np.arange(int(min(a, b)) + 1)]
        )

    def total(self, kinds: CellKinds) -> int:
        """Return the sum over the cells of a table."""
        counts, rows, cols, times = (part.astype(np.int64) for part in kinds)
        return int((times * self(counts, rows, cols)).sum())


def _largest_value(function: Callable[..., Any], rows: IntArray, cols: IntArray) -> float:
    """Return the largest absolute value of a cell, nearly."""
    if isinstance(function, Squares | InformationTerms):  # of the largest counts
        a, b = np.meshgrid(rows.astype(np.float64), cols.astype(np.float64), indexing="ij")
        return float(function(np.minimum(a, b), a, b).max())
    largest = 0.0
    for a, b in itertools.product(rows, cols):
        top = int(min(a, b))
        counts = np.unique(np.linspace(0, top, min(top + 1, _SAMPLED_COUNTS)).round())
        largest = max(largest, float(np.abs(_evaluated(function, counts, a, b)).max()))
    return largest


def _evaluated(function: Callable[..., Any], counts: FloatArray, a: Any, b: Any) -> FloatArray:
    sizes = (np.broadcast_to(np.asarray(size, np.float64), counts.shape) for size in (a, b))
    return np.asarray(function(counts, *sizes), np.float64)


# --------------------------------------------------------------------------- the distribution


class _Step(NamedTuple):
    """Ways to fill one column: those of one state after those of another."""

    first: IntArray
    targets: Positions
    weights: FloatArray
    values: IntArray


class ExactDistribution(NamedTuple):
    """The null distribution of a sum over the cells, for tables that can be filled in few steps.

    The last two columns are filled by runs if there are ``last_columns``.
    """

    values: WholeValues
    steps: list[_Step]
    last_columns: LastColumns | None
    budget: int
    is_transposed: bool

    @classmethod
    def of(
        cls,
        row_sums: IntArray,
        col_sums: IntArray,
        function: Callable[..., Any],
        budget: int,
        *,
        by_runs: bool = True,
    ) -> ExactDistribution | None:
        """Take tables with two clusters a side or more, each of one object or more.

        None if it takes more than ``budget`` fillings of a column.
        """
        if min(len(row_sums), len(col_sums)) > _MOST_ROWS:
            return None
        # The sizes decide last, so that swapped sides have the same rounding errors.
        costs = [
            (len(one), -other.max(), np.sort(one).tolist())
            for one, other in ((row_sums, col_sums), (col_sums, row_sums))
        ]
        is_transposed = costs[0] > costs[1]
        rows, cols = (col_sums, row_sums) if is_transposed else (row_sums, col_sums)
        values = WholeValues.of(transposed(function) if is_transposed else function, rows, cols)
        if values is None:
            return None
        by_runs = by_runs and len(rows) == 3 and isinstance(function, Squares | InformationTerms)
        found = _all_steps(np.sort(rows), np.sort(cols), values, budget, by_runs=by_runs)
        return None if found is None else cls(values, *found, budget, is_transposed)

    def tail(self, kinds: CellKinds, *, is_upper: bool, most_runs: int) -> float | None:
        """Return the probability of a sum at least, or at most, that of the cells of a table.

        None if branches or runs are too many.
        """
        sign = 1 if is_upper else -1
        steps = [step._replace(values=sign * step.values) for step in self.steps]
        threshold = sign * self._total(kinds) - self.values.slack
        last = self.last_columns
        ends = (_NOTHING, _NOTHING) if last is None else _bounds_of(last, sign)
        bounds = [*_bounds(steps, *ends), ends]
        if bounds[0][0][0] >= threshold:
            return 1.0
        branches = _Branches.root(self.budget)
        parts = []
        for step, (low, high) in zip(steps if last else steps[:-1], bounds, strict=False):
            certain = branches.sums + low[branches.states] >= threshold
            parts.append(branches.weights[certain])
            is_open = ~certain & (branches.sums + high[branches.states] >= threshold)
            found = _branched(step, branches.take(is_open), self.values.slack)
            if found is None:
                return None
            branches = found
        states, sums, weights, _ = branches
        if last is None:
            _, _, of_ways, values = step = steps[-1]
            missing = threshold - sums
            parts.append(
                _kernels.tails_of_ways(step.first, values, of_ways, states, missing, weights)
            )
            return min(math.fsum(np.concatenate(parts)), 1.0)
        is_open = sums + ends[1][states] >= threshold
        states, missing, weights = states[is_open], (threshold - sums)[is_open], weights[is_open]
        lowest, highest = last.first_cells(states)
        n_runs = int((highest - lowest + 1).sum())
        if n_runs > most_runs:
            return None
        with np.errstate(divide="ignore"):
            log_weights, share = np.log(weights), _SMALL_SHARE / max(n_runs, 1)
        of_runs = _kernels.tail_of_runs(
            last, states, sign * missing, log_weights, share, is_upper=is_upper
        )
        return min(math.fsum([*np.concatenate(parts), of_runs]), 1.0)

    def all_sums(self, kinds: CellKinds) -> tuple[FloatArray, FloatArray] | None:
        """Return all sums, less that of the cells of a table, with their probabilities.

        None if branches are too many. It is for a distribution without runs.
        """
        branches = _Branches.root(self.budget)
        for step in self.steps:
            found = _branched(step, branches, self.values.slack)
            if found is None:
                return None
            branches = found
        sums = branches.sums - self._total(kinds)
        return sums / self.values.scale, branches.weights

    def _total(self, kinds: CellKinds) -> int:
        if self.is_transposed:
            kinds = kinds._replace(row_sizes=kinds.col_sizes, col_sizes=kinds.row_sizes)
        return self.values.total(kinds)


# --------------------------------------------------------------------------- states


def _all_steps(
    rows: IntArray, cols: IntArray, values: WholeValues, budget: int, *, by_runs: bool
) -> tuple[list[_Step], LastColumns | None] | None:
    """Fill all columns but the last, which takes what is left in the last step.

    Without the last two, if these are filled by runs.
    """
    groups = np.zeros(len(rows), np.int64)
    if values.sees_rows(rows, cols):
        groups = np.unique(rows, return_inverse=True)[1].reshape(-1)
    states = rows[np.newaxis, :]
    left = int(rows.sum())
    steps: list[_Step] = []
    largest = 0
    for position, size in enumerate(cols[:-1].tolist()):
        is_last = position == len(cols) - 2
        has_runs = is_last and by_runs
        # Of three columns, each state has one branch: runs are fewer than fillings.
        is_few = not (has_runs and len(cols) == 3)
        is_few = is_few and _fewest_fillings(states, groups, size, budget) <= budget
        if not (is_few or has_runs):
            return None
        cells = _cells(values, states, rows, (size, left), budget, is_last=is_last)
        if cells is None:
            return None
        found = None
        if is_few:
            found = _kernels.column_fillings(states, groups, size, *cells[:-1], budget)
        if found is None:
            return (steps, LastColumns(states, size, *cells)) if has_runs else None
        first, states, weights, sums = found
        budget -= len(sums)
        # Until half of the objects are placed, columns ahead take as many fillings as this one.
        if len(sums) * (len(cols) - 2 - by_runs - position) > 2 * budget:
            return None
        left -= size
        targets = np.zeros(len(sums), np.intp)
        if not is_last:
            if not position and len(states) > _MANY_STATES and not (by_runs and len(cols) == 3):
                # After the first column, each distinct state stands for so many at most.
                most = budget * math.prod(map(math.factorial, np.bincount(groups).tolist()))
                if _fewest_fillings(states, groups, cols[1], most) > most:
                    return None
            states, targets = _distinct(states, groups)
        largest += int(np.abs(sums).max())
        if largest > 2 * _LARGEST_SUM:
            return None
        steps.append(_Step(first, targets, weights, sums))
    return steps, None


def _fewest_fillings(states: IntArray, groups: IntArray, size: int, budget: int) -> float:
    """Return about how many ways there are to fill a column, at least, from some of the states."""
    n_states = len(states)
    widths = np.minimum(states.max(axis=0), size) + 1
    of_all = n_states * math.prod(widths.tolist()) / float(widths.max())
    if of_all <= budget:  # at most; the last row takes what is left
        return of_all
    states = states[np.linspace(0, n_states - 1, min(n_states, _MANY_STATES)).astype(np.intp)]
    rest = states.sum(axis=1, keepdims=True) - states
    # Each count of a row is in a filling, and no filling has more counts than rows.
    widths = np.minimum(states, size) - np.maximum(size - rest, 0)
    of_widest = float(widths.max(axis=1).mean()) / states.shape[1] * n_states
    if max(of_widest, size) > budget:
        return of_widest
    n_some = min(max(_COUNTED_STATES // (size + 1), 1), len(states))
    some = states[np.linspace(0, len(states) - 1, n_some).astype(np.intp)]
    ways = np.zeros((n_some, size + 1))
    ways[:, 0] = 1.0
    orders, run = np.ones(n_some), np.ones(n_some)
    numbers = np.arange(size + 1)
    for row in range(states.shape[1]):
        sums = np.cumsum(ways, axis=1)
        beyond = numbers - some[:, [row]] - 1
        ways = sums - np.where(beyond < 0, 0.0, np.take_along_axis(sums, np.maximum(beyond, 0), 1))
        if row and groups[row] == groups[row - 1]:
            run = np.where(some[:, row] == some[:, row - 1], run + 1, 1.0)
            orders *= run
        else:
            run = np.ones(n_some)
    return float((ways[:, -1] / orders).mean() * n_states)


def _distinct(remainders: IntArray, groups: IntArray) -> tuple[IntArray, Positions]:
    """Return the distinct states, whose interchangeable rows are sorted, and the state of each."""
    for group in range(groups[-1] + 1):
        members = groups == group
        remainders[:, members] = np.sort(remainders[:, members], axis=1)
    bases = remainders.max(axis=0) + 1
    if math.prod(bases.tolist()) < 2**62:
        factors = np.append(np.cumprod(bases[:0:-1])[::-1], 1)
        _, first, targets = np.unique(remainders @ factors, return_index=True, return_inverse=True)
    else:
        _, first, targets = np.unique(remainders, axis=0, return_index=True, return_inverse=True)
    return remainders[first], targets.reshape(-1)


def _cells(
    values: WholeValues,
    states: IntArray,
    rows: IntArray,
    sizes: tuple[int, int],
    budget: int,
    *,
    is_last: bool,
) -> tuple[IntArray, FloatArray, IntArray, FloatArray] | None:
    """Tabulate the cells of a column by row, by what is left in the row, and by count.

    ``sizes`` are those of the column and of all that is left. Returns the place of count 0 for
    the rows of each state, logarithms of probabilities, and values, to be added up over the rows;
    and the logarithms of the probabilities of the first row alone. None if there are more than
    ``budget`` cells of one row, as each is part of a filling.
    """
    size, left = sizes
    shares = size / left, (left - size) / left
    bases = np.empty(states.shape, np.int64)
    logarithms, of_cells = [], []
    others = np.zeros(0)
    n_cells = 0
    for row, row_size in enumerate(rows.tolist()):
        left_in_row, places = np.unique(states[:, row], return_inverse=True)
        lowest = np.maximum(size - (left - left_in_row), 0)
        highest = np.minimum(left_in_row, size)
        ends = np.cumsum(highest - lowest + 1)
        if ends[-1] > budget:
            return None
        bases[:, row] = (n_cells + ends - highest - 1)[places.reshape(-1)]
        of, counts = ranges(lowest, highest)
        trials = left_in_row[of]
        logarithms.append(_log_binomial(trials, counts, *shares))
        of_cells.append(values(counts, row_size, size))
        if is_last:
            of_cells[-1] += values(trials - counts, row_size, left - size)
        if not row:
            others = _log_binomial(left - trials, size - counts, *shares)
        n_cells += len(counts)
    logarithms[0] -= _log_binomial(np.array([left]), np.array([size]), *shares)[0]
    whole = logarithms[0] + others
    return bases, np.concatenate(logarithms), np.concatenate(of_cells), whole


def _log_binomial(trials: IntArray, counts: IntArray, share: float, rest: float) -> FloatArray:
    """Return logarithms of binomial probabilities."""
    others = trials - counts
    # From the smaller share, which has the smaller error; both deviations add up to zero.
    deviations = counts - trials * share if share <= rest else trials * rest - others
    result = log_factorial_excess(trials)
    for part, deviation, expected in (
        (counts, deviations, trials * share),
        (others, -deviations, trials * rest),
    ):
        expected = np.maximum(expected, 1e-300)
        result -= entropy_excess(part.astype(np.float64), np.asarray(deviation), expected)
        result -= log_factorial_excess(part)
    return result


def log_factorial_excess(counts: IntArray) -> FloatArray:
    """Return ln n! - (n ln n - n)."""
    n = np.maximum(counts, _LARGE_COUNT).astype(np.float64)
    inverse = 1.0 / n
    square = inverse * inverse
    series = inverse * (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square / 1680)))
    large = series + np.log(2.0 * math.pi * n) / 2
    return np.where(counts < _LARGE_COUNT, _SMALL_EXCESS[np.minimum(counts, _LARGE_COUNT)], large)


_SMALL_EXCESS = np.array(
    [0.0, *(math.log(math.factorial(n) / n**n) + n for n in range(1, _LARGE_COUNT + 1))]
)


# --------------------------------------------------------------------------- tails


_NOTHING = np.zeros(1, np.int64)


class _Branches(NamedTuple):
    """Ways to fill some columns: the state they lead to, the sum so far, and the probability.

    Of columns ahead, ``budget`` more fillings may be looked at.
    """

    states: Positions
    sums: IntArray
    weights: FloatArray
    budget: int

    @classmethod
    def root(cls, budget: int) -> _Branches:
        return cls(np.zeros(1, np.intp), np.zeros(1, np.int64), np.ones(1), budget)

    def take(self, some: Mask) -> _Branches:
        states, sums, weights, budget = self
        return _Branches(states[some], sums[some], weights[some], budget)


def _bounds_of(columns: LastColumns, sign: int) -> tuple[IntArray, IntArray]:
    """Return a lower and an upper bound of the sum over the last columns, for each state."""
    states, size, bases, _, values, _ = columns
    rest = states.sum(axis=1, keepdims=True) - states
    low, high = np.maximum(size - rest, 0), np.minimum(states, size)
    middle = first_where(
        lambda n: values[bases + np.minimum(n + 1, high)] >= values[bases + n], low, high
    )
    least = sign * values[bases + middle].sum(axis=1)
    most = sign * np.maximum(values[bases + low], values[bases + high]).sum(axis=1)
    return np.minimum(least, most), np.maximum(least, most)


def _branched(step: _Step, branches: _Branches, slack: int) -> _Branches | None:
    """Fill one more column; return None if there are too many ways."""
    states, sums, weights, budget = branches
    first, last = step.first[states], step.first[states + 1] - 1
    total = int((last - first + 1).sum())
    if total > budget:
        return None
    before, ways = ranges(first, last)
    merged = _merged(
        step.targets[ways],
        sums[before] + step.values[ways],
        weights[before] * step.weights[ways],
        slack,
    )
    return _Branches(*merged, budget - total)


def _bounds(steps: list[_Step], low: IntArray, high: IntArray) -> list[tuple[IntArray, IntArray]]:
    """Return the lowest and highest sum that is still to come, for each state of each step.

    ``low`` and ``high`` are those that come after all steps.
    """
    bounds = []
    for step in reversed(steps):
        first = step.first[:-1]
        low = np.minimum.reduceat(step.values + low[step.targets], first)
        high = np.maximum.reduceat(step.values + high[step.targets], first)
        bounds.append((low, high))
    return bounds[::-1]


def _merged(
    states: Positions, sums: IntArray, weights: FloatArray, slack: int
) -> tuple[Positions, IntArray, FloatArray]:
    """Merge branches that have led to the same state with the same sum."""
    if not len(states):
        return states, sums, weights
    order = np.lexsort((sums, states))
    states, sums, weights = states[order], sums[order], weights[order]
    is_new = np.ones(len(states), bool)
    is_new[1:] = (np.diff(states) != 0) | (np.diff(sums) > slack)
    first = np.flatnonzero(is_new)
    return states[first], sums[first], np.add.reduceat(weights, first)


# Tables are enumerated up to this many, and up to as many cells of all of them.
_MOST_TABLES, _MOST_CELLS = 2000, 200_000


def all_tables(row_sums: IntArray, col_sums: IntArray) -> IntArray | None:
    """Return all tables of two clusters a side or more, of shape (n_tables, n_rows, n_cols).

    None if they are too many. Cells are filled one by one, with all counts that leave a way to fill
    the others: the tables are never fewer than those that were begun.
    """
    n_rows, n_cols = len(row_sums), len(col_sums)
    most = min(_MOST_TABLES, _MOST_CELLS // (n_rows * n_cols))
    left = row_sums[np.newaxis]
    filled = np.zeros((1, 0), np.int64)
    for size in col_sums.tolist():
        need = np.full(len(left), size)
        for row in range(n_rows):
            low = np.maximum(need - left[:, row + 1 :].sum(axis=1), 0)
            high = np.minimum(need, left[:, row])
            if (high - low + 1).sum() > most:
                return None
            begun, counts = ranges(low, high)
            filled = np.column_stack([filled[begun], counts])
            left, need = left[begun], need[begun] - counts
            left[:, row] -= counts
    return filled.reshape(-1, n_cols, n_rows).swapaxes(1, 2)
