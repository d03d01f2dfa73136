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
as squares and n ln n are, the counts of the second that are in the tail are one or two runs: their
ends are found by bisection, and their probabilities fall off from one end.

References
----------
.. [1] C. Loader, "Fast and accurate computation of binomial probabilities", 2000.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np

from sklearn_clustcompare import _kernels
from sklearn_clustcompare._array_types import FloatArray, IntArray, Mask, Positions
from sklearn_clustcompare._chance.functions import (
    InformationTerms,
    transposed,
)
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
# Numbers by which fillings are counted before they are made.
_COUNTED_STATES = 50_000
# A run takes about as long as so many fillings of columns, and they as long as so many terms of it.
_FILLINGS_PER_RUN, _TERMS_PER_FILLING = 3, 4
# A run ends at terms of this share of the sum of all runs.
_SMALL_TERM = 1e-19
# From this number on, Stirling's series is exact to double precision.
_LARGE_COUNT = 32


# --------------------------------------------------------------------------- values of cells


class WholeValues(NamedTuple):
    """A function of a cell in whole multiples of a unit: sums are exact in any order.

    Sums that differ by at most ``slack`` units may be equal.
    """

    function: Callable[..., Any]
    scale: float
    multiple: int
    slack: int

    @classmethod
    def of(
        cls, function: Callable[..., Any], row_sizes: IntArray, col_sizes: IntArray
    ) -> WholeValues | None:
        """Choose the unit, or return None if the function overflows."""
        if isinstance(function, Squares):
            multiple = _common_multiple(function, row_sizes, col_sizes)
            n_samples = int(row_sizes.sum())
            if multiple and multiple * n_samples * n_samples < _LARGEST_SUM:
                return cls(function, 0.0, multiple, 0)
        largest = _largest_value(function, np.unique(row_sizes), np.unique(col_sizes))
        n_cells = len(row_sizes) * len(col_sizes)
        bound = largest * min(n_cells, 2 * int(row_sizes.sum()))
        if not 0 < bound < math.inf:
            return None
        scale = 2.0 ** math.floor(math.log2(_LARGEST_SUM / 4 / bound))
        return cls(function, scale, 0, n_cells + int(_LARGEST_SUM * _ROUNDING))

    def __call__(self, counts: IntArray, a: Any, b: Any) -> IntArray:
        if self.multiple:
            divisors = _divisors(self.function, a, b)
            return counts * counts * (self.multiple // divisors)
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


def _divisors(squares: Any, a: Any, b: Any) -> IntArray:
    found = squares.divisor(np.asarray(a, np.float64), np.asarray(b, np.float64))
    return np.rint(found).astype(np.int64)


def _common_multiple(squares: Squares, row_sizes: IntArray, col_sizes: IntArray) -> int:
    """Return the least common multiple of whole divisors; 0 for others, or if it is large."""
    rows, cols = np.unique(row_sizes).astype(np.float64), np.unique(col_sizes).astype(np.float64)
    divisors = np.unique(squares.divisor(*np.broadcast_arrays(rows[:, np.newaxis], cols)))
    if divisors[-1] >= 2**53 or (divisors != np.rint(divisors)).any():
        return 0
    multiple = 1
    for divisor in divisors.tolist():
        multiple = math.lcm(multiple, int(divisor))
        if multiple > _LARGEST_SUM:
            return 0
    return multiple


# --------------------------------------------------------------------------- the law


class _Step(NamedTuple):
    """Ways to fill one column: those of one state after those of another."""

    first: IntArray
    targets: Positions
    weights: FloatArray
    values: IntArray


class ExactLaw:
    """The exact law of a sum over the cells, for tables that can be filled in few steps."""

    def __init__(
        self,
        values: WholeValues,
        steps: list[_Step],
        runs: _Runs | None,
        budget: int,
        *,
        is_transposed: bool,
    ) -> None:
        self._values = values
        self._steps = steps
        self._runs = runs
        self.is_slow = runs is not None
        self._budget = budget
        self._is_transposed = is_transposed

    @classmethod
    def of(
        cls, row_sums: IntArray, col_sums: IntArray, function: Callable[..., Any], budget: int
    ) -> ExactLaw | None:
        """Return the law of tables with two clusters a side or more, each of one object or more.

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
        found = _all_steps(np.sort(rows), np.sort(cols), values, budget)
        return None if found is None else cls(values, *found, budget, is_transposed=is_transposed)

    def tail(self, kinds: CellKinds, *, is_upper: bool) -> float | None:
        """Return the probability of a sum at least, or at most, that of the cells of a table.

        None if branches are too many.
        """
        if self._is_transposed:
            kinds = kinds._replace(row_sizes=kinds.col_sizes, col_sizes=kinds.row_sizes)
        sign = 1 if is_upper else -1
        steps = [step._replace(values=sign * step.values) for step in self._steps]
        threshold = sign * self._values.total(kinds) - self._values.slack
        return _tail(steps, self._runs, threshold, self._values.slack, self._budget, sign)

    def all_sums(self, kinds: CellKinds) -> tuple[FloatArray, FloatArray] | None:
        """Return all sums, less that of the cells of a table, with their probabilities.

        None if branches are too many.
        """
        if self._is_transposed:
            kinds = kinds._replace(row_sizes=kinds.col_sizes, col_sizes=kinds.row_sizes)
        if self._runs is not None:
            return None
        branches = _Branches.root(self._budget)
        for step in self._steps:
            found = _branched(step, branches, self._values.slack)
            if found is None:
                return None
            branches = found
        sums = branches.sums - self._values.total(kinds)
        return sums / (self._values.multiple or self._values.scale), branches.weights


# --------------------------------------------------------------------------- states


def _all_steps(
    rows: IntArray, cols: IntArray, values: WholeValues, budget: int
) -> tuple[list[_Step], _Runs | None] | None:
    """Fill all columns but the last, which takes what is left in the last step.

    If these are too many fillings, the last two columns of three rows are filled by runs.
    """
    groups = np.zeros(len(rows), np.int64)
    is_convex = isinstance(values.function, Squares | InformationTerms)
    if values.sees_rows(rows, cols):
        groups = np.unique(rows, return_inverse=True)[1].reshape(-1)
    states = rows[np.newaxis, :]
    left = int(rows.sum())
    steps: list[_Step] = []
    largest = 0
    for position, size in enumerate(cols[:-1].tolist()):
        is_last = position == len(cols) - 2
        by_runs = is_last and len(rows) == 3 and is_convex
        is_more = _fewest_fillings(states, groups, size, budget) > budget
        if is_more and not by_runs:
            return None
        cells = _cells(values, states, rows, (size, left), budget, is_last=is_last)
        if cells is None:
            return None
        found = None
        if not is_more:
            found = _kernels.column_fillings(states, groups, size, *cells, budget)
        if found is None:
            shares = size / left, (left - size) / left
            return (steps, _Runs(states, size, shares, *cells)) if by_runs else None
        first, states, weights, sums = found
        budget -= len(sums)
        # Until half of the objects are placed, columns ahead take as many fillings as this one.
        if len(sums) * (len(cols) - 2 - position) > 2 * budget:
            return None
        left -= size
        targets = np.zeros(len(sums), np.intp)
        if not is_last:
            states, targets = _distinct(states, groups)
        largest += int(np.abs(sums).max())
        if largest > 2 * _LARGEST_SUM:
            return None
        steps.append(_Step(first, targets, weights, sums))
    return steps, None


def _fewest_fillings(states: IntArray, groups: IntArray, size: int, budget: int) -> float:
    """Return about how many ways there are to fill a column, at least, from some of the states."""
    most = np.minimum(states, size)
    rest = states.sum(axis=1, keepdims=True) - states
    # Each count of a row is in a filling, and no filling has more counts than rows.
    of_widest = float((most - np.maximum(size - rest, 0)).max(axis=1).mean()) / states.shape[1]
    if max(of_widest * len(states), size) > budget:
        return of_widest * len(states)
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
    return float((ways[:, -1] / orders).mean() * len(states))


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
) -> tuple[IntArray, FloatArray, IntArray] | None:
    """Tabulate the cells of a column by row, by what is left in the row, and by count.

    ``sizes`` are those of the column and of all that is left. Returns the place of count 0 for
    the rows of each state, logarithms of probabilities, and values, to be added up over the rows.
    None if there are more than ``budget`` cells of one row, as each is part of a filling.
    """
    size, left = sizes
    share, rest = size / left, (left - size) / left
    bases = np.empty(states.shape, np.int64)
    logarithms, of_cells = [], []
    n_cells = 0
    for row, row_size in enumerate(rows.tolist()):
        trials, places = np.unique(states[:, row], return_inverse=True)
        lowest = np.maximum(size - (left - trials), 0)
        widths = np.minimum(trials, size) - lowest + 1
        ends = np.cumsum(widths)
        if ends[-1] > budget:
            return None
        zeros = ends - widths - lowest
        bases[:, row] = n_cells + zeros[places.reshape(-1)]
        counts = np.arange(ends[-1]) - np.repeat(zeros, widths)
        trials = np.repeat(trials, widths)
        logarithms.append(_log_binomial(trials, counts, share, rest))
        of_cells.append(values(counts, row_size, size))
        if is_last:
            of_cells[-1] += values(trials - counts, row_size, left - size)
        n_cells += len(counts)
    whole = _log_binomial(np.array([left]), np.array([size]), share, rest)[0]
    logarithms[0] -= whole
    return bases, np.concatenate(logarithms), np.concatenate(of_cells)


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


def _tail(
    steps: list[_Step], runs: _Runs | None, threshold: int, slack: int, budget: int, sign: int
) -> float | None:
    bounds = _bounds(steps) if runs is None else _bounds(steps, *runs.bounds(sign))
    if bounds[0][0][0] >= threshold:
        return 1.0
    branches = _Branches.root(budget)
    parts = []
    for step, (low, high) in zip(steps if runs else steps[:-1], bounds, strict=False):
        certain = branches.sums + low[branches.states] >= threshold
        parts.append(branches.weights[certain])
        is_open = ~certain & (branches.sums + high[branches.states] >= threshold)
        found = _branched(step, branches.take(is_open), slack)
        if found is None:
            return None
        branches = found
    if runs is not None:
        _, high = runs.bounds(sign)
        is_open = branches.sums + high[branches.states] >= threshold
        of_runs = runs.tail(branches.take(is_open), threshold, sign)
        if of_runs is None:
            return None
        parts.append(np.array([of_runs]))
    else:
        states, sums, weights, _ = branches
        _, _, of_ways, values = last = steps[-1]
        parts.append(
            _kernels.tails_of_ways(last.first, values, of_ways, states, threshold - sums, weights)
        )
    return min(math.fsum(np.concatenate(parts)), 1.0)


class _Runs(NamedTuple):
    """The last two columns of three rows: what is left in the rows, and the cells of the first.

    ``size`` is that of the first of both columns, and ``shares`` are those of both; ``bases`` are
    the places of count 0 in ``logarithms`` of probabilities and in ``values``.
    """

    states: IntArray
    size: int
    shares: tuple[float, float]
    bases: IntArray
    logarithms: FloatArray
    values: IntArray

    def bounds(self, sign: int) -> tuple[IntArray, IntArray]:
        """Return a lower and an upper bound of the sum, for each state."""
        rest = self.states.sum(axis=1, keepdims=True) - self.states
        low, high = np.maximum(self.size - rest, 0), np.minimum(self.states, self.size)
        least = self.values[self.bases + _lowest(lambda v: self.values[self.bases + v], low, high)]
        ends = self.values[self.bases + low], self.values[self.bases + high]
        both = sign * least.sum(axis=1), sign * np.maximum(*ends).sum(axis=1)
        return np.minimum(*both), np.maximum(*both)

    def tail(self, branches: _Branches, threshold: int, sign: int) -> float | None:
        """Return the part of the tail in these branches; None if they are too many."""
        left = self.states[branches.states]
        low = np.maximum(self.size - left[:, 1] - left[:, 2], 0)
        widths = np.minimum(left[:, 0], self.size) - low + 1
        if widths.sum() * _FILLINGS_PER_RUN > branches.budget:
            return None
        of = np.repeat(np.arange(len(widths)), widths)
        counts = np.arange(len(of)) - np.repeat(np.cumsum(widths) - widths - low, widths)
        places, rest = self.bases[branches.states][of], self.size - counts
        low, high = np.maximum(rest - left[of, 2], 0), np.minimum(left[of, 1], rest)
        first, second, third = places[:, 0] + counts, places[:, 1], places[:, 2] + rest
        need = (threshold - branches.sums)[of] - sign * self.values[first]

        def value(v: IntArray, some: Any = slice(None)) -> IntArray:
            return sign * (self.values[second[some] + v] + self.values[third[some] - v])

        ends = [value(low), value(high)]
        if sign > 0:  # sums are largest at the ends
            may_reach = np.flatnonzero(np.maximum(*ends) >= need)
            of, rest, low, high, need, first, second, third, *ends = (
                one[may_reach] for one in (of, rest, low, high, need, first, second, third, *ends)
            )
        left = left[of]
        middle = _lowest(lambda v: sign * value(v), low, high)
        bottom = value(middle)
        least, most = (bottom, np.maximum(*ends)) if sign > 0 else (np.minimum(*ends), bottom)
        with np.errstate(divide="ignore"):
            log_weights = self.logarithms[first] + np.log(branches.weights)[of]
        both = left[:, 1] + left[:, 2]
        whole = np.flatnonzero(least >= need)  # whatever the second row has
        of_whole = log_weights[whole] + _log_binomial(both[whole], rest[whole], *self.shares)
        some = np.flatnonzero((least < need) & (most >= need))
        low, middle, high, need = low[some], middle[some], high[some], need[some]

        def log_term(v: IntArray, pairs: Positions) -> FloatArray:
            places = some[pairs]
            inside = self.logarithms[second[places] + v] + self.logarithms[third[places] - v]
            return np.asarray(log_weights[places] + inside)

        likely = (rest[some] + 1) * (left[some, 1] + 1) // (both[some] + 2)
        peaks = log_term(np.clip(likely, low, high), np.arange(len(some)))
        # Up to the lowest value of the function and beyond it, sums fall or rise.
        pieces = (low, middle, sign > 0), (middle + 1, high, sign < 0)
        found = _sum_of_runs(
            lambda v: value(v, some) >= need, log_term, peaks, pieces, branches.budget
        )
        return None if found is None else found + float(np.exp(of_whole).sum())


def _lowest(value: Callable[[IntArray], IntArray], low: IntArray, high: IntArray) -> IntArray:
    """Return where convex functions of whole numbers are least."""
    while (low < high).any():
        middle = (low + high) // 2
        falls = value(np.minimum(middle + 1, high)) < value(middle)
        low, high = np.where(falls, middle + 1, low), np.where(falls, high, middle)
    return low


def _sum_of_runs(
    are_inside: Callable[[IntArray], Mask],
    log_term: Callable[[IntArray, Positions], FloatArray],
    peaks: FloatArray,
    pieces: Iterable[tuple[IntArray, IntArray, bool]],
    budget: int,
) -> float | None:
    """Add up the terms of runs from one end of ranges on; None if they are too many.

    A run ends where the function, which falls or rises from the start of a range to its stop,
    leaves the tail. From there terms fall off, after they may have risen up to their peak.
    """
    starts = []
    for start, stop, falls in pieces:
        outer, step = (start, 1) if falls else (stop, -1)
        n_inside, most = np.zeros_like(start), stop - start + 1
        while (n_inside < most).any():
            middle = (n_inside + most + 1) // 2
            at = np.clip(outer + step * (middle - 1), np.minimum(start, stop), stop)
            inside = are_inside(at) | (n_inside == most)
            n_inside, most = np.where(inside, middle, n_inside), np.where(inside, most, middle - 1)
        pairs = np.flatnonzero(n_inside)
        at = outer[pairs] + step * (n_inside[pairs] - 1)
        starts.append((pairs, at, n_inside[pairs] - 1, step, log_term(at, pairs)))
    total = math.fsum(float(np.exp(one[-1]).sum()) for one in starts)
    peaks, n_terms = np.exp(peaks), 0
    for pairs, at, left, step, before in starts:
        small = _SMALL_TERM * total
        goes_on = (left > 0) & ((peaks[pairs] > small) | (np.exp(before) > small))
        while goes_on.any():
            pairs, before = pairs[goes_on], before[goes_on]
            at, left = at[goes_on] - step, left[goes_on] - 1
            if (n_terms := n_terms + len(pairs)) > _TERMS_PER_FILLING * budget:
                return None
            logarithms = log_term(at, pairs)
            terms = np.exp(logarithms)
            total += float(terms.sum())
            small = _SMALL_TERM * total
            rises = (logarithms > before) & (peaks[pairs] > small)
            goes_on, before = (left > 0) & (rises | (terms > small)), logarithms
    return total


def _branched(step: _Step, branches: _Branches, slack: int) -> _Branches | None:
    """Fill one more column; return None if there are too many ways."""
    states, sums, weights, budget = branches
    widths = np.diff(step.first)[states]
    total = int(widths.sum())
    if total > budget:
        return None
    before = np.repeat(np.arange(len(states)), widths)
    within = np.arange(total) - np.repeat(np.cumsum(widths) - widths, widths)
    ways = step.first[states[before]] + within
    merged = _merged(
        step.targets[ways],
        sums[before] + step.values[ways],
        weights[before] * step.weights[ways],
        slack,
    )
    return _Branches(*merged, budget - total)


def _bounds(
    steps: list[_Step], low: IntArray = _NOTHING, high: IntArray = _NOTHING
) -> list[tuple[IntArray, IntArray]]:
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
            widths = np.minimum(need, left[:, row]) - low + 1
            if widths.sum() > most:
                return None
            begun = np.repeat(np.arange(len(left)), widths)
            counts = np.arange(len(begun)) - np.repeat(np.cumsum(widths) - widths - low, widths)
            filled = np.column_stack([filled[begun], counts])
            left, need = left[begun], need[begun] - counts
            left[:, row] -= counts
    return filled.reshape(-1, n_cols, n_rows).swapaxes(1, 2)
