"""Ways to fill the columns of a table, in NumPy: used if the compiled ones were not built."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from sklearn_clustcompare._array_types import FloatArray, IntArray, Mask, Positions

# Runs of a block, which bounds the memory.
_BLOCK = 2**17


def ranges(lowest: IntArray, highest: IntArray) -> tuple[Positions, IntArray]:
    """Return the whole numbers of all ranges, one after the other, and the range of each."""
    widths = highest - lowest + 1
    of = np.repeat(np.arange(len(widths)), widths)
    return of, np.arange(len(of)) - np.repeat(np.cumsum(widths) - widths - lowest, widths)


def column_fillings(
    states: IntArray,
    groups: IntArray,
    size: int,
    bases: IntArray,
    logarithms: FloatArray,
    values: IntArray,
    limit: int,
) -> tuple[IntArray, IntArray, FloatArray, IntArray] | None:
    """Return the ways to take ``size`` objects out of the rows of each state, or None.

    Rows of one group are interchangeable, and adjacent: of ways that differ by the order of equal
    rows, the one that takes most of the first is returned, and its weight counts all.

    Parameters
    ----------
    states : ndarray of int64 of shape (n_states, n_rows)
        Objects left in each row, ascending within a group.
    groups : ndarray of int64 of shape (n_rows,)
        Group of each row.
    size : int
        Number of objects to take, at most those that are left.
    bases : ndarray of int64 of shape (n_states, n_rows)
        Where each row finds a count of 0 in the following arrays, which start before or after.
    logarithms : ndarray of float64
        Logarithms whose sum over the rows is that of the weight.
    values : ndarray of int64
        Values to add up over the rows.
    limit : int
        Largest number of ways; None is returned if there are more.

    Returns
    -------
    first : ndarray of int64 of shape (n_states + 1,)
        First way of each state, and their number.
    remainders : ndarray of int64 of shape (n_ways, n_rows)
        Objects that are left.
    weights : ndarray of float64
        Weight of each way.
    sums : ndarray of int64
        Value of each way.
    """
    n_states, n_rows = states.shape
    # How many rows from each on are alike, and what is left in those behind.
    alike = np.zeros(states.shape, bool)
    alike[:, 1:] = (states[:, 1:] == states[:, :-1]) & (groups[1:] == groups[:-1])
    n_alike = np.ones_like(states)
    for row in range(n_rows - 1, 0, -1):
        n_alike[:, row - 1] += np.where(alike[:, row], n_alike[:, row], 0)
    behind = np.cumsum(states[:, ::-1], axis=1)[:, ::-1] - n_alike * states
    starts, left = np.arange(n_states), np.full(n_states, size, np.int64)
    remainders = np.empty((n_states, 0), np.int64)
    weights, sums, last = np.zeros(n_states), np.zeros(n_states, np.int64), left
    orders, run, repeats = np.ones((3, n_states))
    for row in range(n_rows):
        available, is_alike = states[starts, row], alike[starts, row]
        # Rows that are alike and follow take at most as many as this one.
        lowest = np.maximum(-((behind[starts, row] - left) // n_alike[starts, row]), 0)
        highest = np.minimum(available, left)
        highest = np.where(is_alike, np.minimum(highest, last), highest)
        if (highest - lowest + 1).sum() > limit:
            return None
        ways, taken = ranges(lowest, highest)
        is_alike = is_alike[ways]
        run = np.where(is_alike, run[ways] + 1, 1.0)
        repeats = np.where(is_alike & (last[ways] == taken), repeats[ways] + 1, 1.0)
        orders = orders[ways] * (run / repeats)
        cells = bases[starts[ways], row] + taken
        weights, sums = weights[ways] + logarithms[cells], sums[ways] + values[cells]
        starts, left, last = starts[ways], left[ways] - taken, taken
        remainders = np.column_stack([remainders[ways], available[ways] - taken])
    first = np.searchsorted(starts, np.arange(n_states + 1))
    return first, remainders, orders * np.exp(weights), sums


def tails_of_ways(
    first: IntArray,
    values: IntArray,
    weights: FloatArray,
    states: Positions,
    missing: IntArray,
    branch_weights: FloatArray,
) -> FloatArray:
    """Return the weight of the ways that add what is missing, for the branches of each state.

    Parameters
    ----------
    first : ndarray of int64 of shape (n_states + 1,)
        First way of each state, and their number.
    values : ndarray of int64 of shape (n_ways,)
        What each way adds.
    weights : ndarray of float64 of shape (n_ways,)
        Weight of each way.
    states : ndarray of intp of shape (n_branches,)
        State of each branch, ascending.
    missing : ndarray of int64 of shape (n_branches,)
        What is missing, descending within a state.
    branch_weights : ndarray of float64 of shape (n_branches,)
        Weight of each branch.

    Returns
    -------
    tails : ndarray of float64 of shape (n_states,)
        Sums of products of both weights.
    """
    n_states = len(first) - 1
    # Weights of a branch and of those that follow in its state: positive terms only.
    tails = branch_weights.copy()
    of_states = np.searchsorted(states, np.arange(n_states + 1))
    longest = int(np.diff(of_states).max())
    reach = 1
    while reach < longest:
        is_same = states[:-reach] == states[reach:]
        tails[:-reach] += np.where(is_same, tails[reach:], 0.0)
        reach *= 2
    low, high = (np.repeat(ends, np.diff(first)) for ends in (of_states[:-1], of_states[1:]))
    end = high.copy()
    while (low < high).any():
        middle = (low + high) // 2
        is_above = (low < high) & (missing[np.minimum(middle, len(missing) - 1)] > values)
        low, high = np.where(is_above, middle + 1, low), np.where(is_above, high, middle)
    found = np.where(low < end, np.append(tails, 0.0)[low], 0.0)
    return np.asarray(np.add.reduceat(weights * found, first[:-1]))


class LastColumns(NamedTuple):
    """The last two columns of three rows: what is left in the rows, and the cells of the first.

    Attributes
    ----------
    states : ndarray of int64 of shape (n_states, 3)
        Objects left in each row, which both columns share.
    size : int
        Size of the first of both columns.
    bases : ndarray of int64 of shape (n_states, 3)
        Where each row finds a count of 0 in the following arrays, which start before or after.
    logarithms : ndarray of float64
        Logarithms whose sum over the rows is that of the probability.
    values : ndarray of int64
        Values of the cells of both columns, to add up over the rows: convex in the count.
    wholes : ndarray of float64
        Logarithms of the probabilities of the counts in the first row.
    """

    states: IntArray
    size: int
    bases: IntArray
    logarithms: FloatArray
    values: IntArray
    wholes: FloatArray

    def first_cells(self, branches: Positions) -> tuple[IntArray, IntArray]:
        """Return the smallest and the largest count of the first row, of some states."""
        left = self.states[branches]
        lowest = np.maximum(self.size - left[:, 1] - left[:, 2], 0)
        return lowest, np.minimum(left[:, 0], self.size)


def tail_of_runs(
    columns: LastColumns,
    branches: Positions,
    missing: IntArray,
    log_weights: FloatArray,
    share: float,
    *,
    is_upper: bool,
) -> float:
    """Return the weight of the ways to fill two columns that add what is missing.

    Values of two rows are convex in the count of one of them, if that of the first is given: the
    counts in the tail are one or two runs, or all.

    Parameters
    ----------
    columns : LastColumns
        What is to be filled.
    branches : ndarray of intp of shape (n_branches,)
        State of each branch.
    missing : ndarray of int64 of shape (n_branches,)
        What is missing.
    log_weights : ndarray of float64 of shape (n_branches,)
        Logarithm of the weight of each branch.
    share : float
        Terms below this share of the tail so far do not count.
    is_upper : bool
        Whether at least, rather than at most, what is missing is to be added.

    Returns
    -------
    float
        The sum of products of both weights.
    """
    tail = 0.0
    lowest, highest = columns.first_cells(branches)
    blocks = np.cumsum(highest - lowest + 1) // _BLOCK
    for block in np.split(np.arange(len(branches)), np.flatnonzero(np.diff(blocks)) + 1):
        of, first = ranges(lowest[block], highest[block])
        of = block[of]
        left, bases = columns.states[branches[of]], columns.bases[branches[of]]
        cells, rest = bases[:, 0] + first, columns.size - first
        need = missing[of] - columns.values[cells]
        logs = [log_weights[of] + one[cells] for one in (columns.logarithms, columns.wholes)]
        runs = _Runs(columns, bases, left[:, 1], left[:, 2], rest, need, *logs)
        tail = runs.added(tail, share, is_upper=is_upper)
    return tail


class _Runs(NamedTuple):
    """Ways to fill two columns whose first cell is given: one free cell, of the second row.

    ``second`` and ``third`` are the objects left in these rows, and ``rest`` those of them that the
    column takes.
    """

    columns: LastColumns
    bases: IntArray
    second: IntArray
    third: IntArray
    rest: IntArray
    need: IntArray
    log_first: FloatArray
    log_whole: FloatArray

    def take(self, some: Mask | Positions) -> _Runs:
        parts: list[Any] = [part[some] for part in self[1:]]
        return _Runs(self.columns, *parts)

    @property
    def ends(self) -> tuple[IntArray, IntArray]:
        return np.maximum(self.rest - self.third, 0), np.minimum(self.second, self.rest)

    def value(self, n: IntArray) -> IntArray:
        values = self.columns.values
        added = values[self.bases[:, 1] + n] + values[self.bases[:, 2] + self.rest - n]
        return np.asarray(added)

    def added(self, tail: float, share: float, *, is_upper: bool) -> float:
        """Return the tail with these runs."""
        low, high = self.ends
        most = self.need - is_upper  # values of at most this are next to each other
        is_below = (self.value(low) <= most) & (self.value(high) <= most)
        part = self.take(~is_below)
        (low, high), most = part.ends, most[~is_below]
        middle = first_where(
            lambda n: part.value(np.minimum(n + 1, high)) >= part.value(n), low, high
        )
        is_above = part.value(middle) > most
        whole = part.take(is_above) if is_upper else self.take(is_below)
        tail += float(np.exp(whole.log_whole).sum())
        part, low, middle, high, most = (
            part.take(~is_above),
            *(one[~is_above] for one in (low, middle, high, most)),
        )
        start = first_where(lambda n: part.value(n) <= most, low, middle)
        stop = -first_where(lambda n: part.value(-n) <= most, -high, -middle)
        runs = [(low, start - 1), (stop + 1, high)] if is_upper else [(start, stop)]
        for lowest, highest in runs:
            some = np.flatnonzero(lowest <= highest)
            tail = part.take(some)._with_terms(tail, share, lowest[some], highest[some])
        return tail

    def _with_terms(self, tail: float, share: float, low: IntArray, high: IntArray) -> float:
        """Add the counts of ranges, from the most likely one on in both directions."""
        peak = (self.second + 1) * (self.rest + 1) // (self.second + self.third + 2)
        peak = np.clip(peak, low, high)
        logarithms = self.columns.logarithms
        top = self.log_first + logarithms[self.bases[:, 1] + peak]
        top = np.exp(top + logarithms[self.bases[:, 2] + self.rest - peak])
        tail += float(top.sum())
        sizes = self.second, self.rest, self.third - self.rest
        for step, end in ((1, high), (-1, low)):
            n, stop, term, a, m, d = peak, end, top, *sizes
            while (goes_on := (n != stop) & (term > share * tail)).any():
                n, stop, term, a, m, d = (one[goes_on] for one in (n, stop, term, a, m, d))
                at = np.minimum(n, n + step)  # the ratio of the terms of at + 1 and of at
                ratio = (a - at) * (m - at) / ((at + 1.0) * (d + at + 1.0))
                term, n = term * (ratio if step > 0 else 1 / ratio), n + step
                tail += float(term.sum())
        return tail


def first_where(is_true: Callable[[IntArray], Mask], low: IntArray, high: IntArray) -> IntArray:
    """Return the first whole numbers from low on where something is true, as it is at high."""
    while (low < high).any():
        middle = (low + high) // 2
        found = is_true(middle)
        low, high = np.where(found, low, middle + 1), np.where(found, middle, high)
    return low
