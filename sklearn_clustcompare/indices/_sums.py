"""Sums over cells of which an index is a smooth function, and their changes by one object.

Any such sum changes at known cells only if an object leaves or changes its cluster: those of its
row and of its column. The changes for all occupied cells take a few passes over the cells.

Also what several indices declare alike: sources, ranges, units, sums, rules for parameters.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy.special import xlogy

from sklearn_clustcompare._array_types import FloatArray, IntArray, Mask, Positions
from sklearn_clustcompare._chance.functions import Margin, convex_gain_sums
from sklearn_clustcompare._parameters import one_of
from sklearn_clustcompare._table.cell_sums import CellSum, Squares
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare._table.counts import KnownMargins, SquareSums
from sklearn_clustcompare.indices._record import REGISTERED, Index


class SizedCells(NamedTuple):
    """Occupied cells of a table, with the sizes and the numbers of their clusters."""

    counts: FloatArray
    row_sizes: FloatArray
    col_sizes: FloatArray
    rows: IntArray
    cols: IntArray
    shape: tuple[int, int]

    @classmethod
    def of_table(cls, table: ContingencyTable) -> SizedCells:
        rows, cols = table.cell_rows, table.cell_cols
        return cls(
            table.cell_counts.astype(np.float64),
            table.row_sums[rows].astype(np.float64),
            table.col_sums[cols].astype(np.float64),
            rows,
            cols,
            table.shape,
        )

    @property
    def unions(self) -> FloatArray:
        """Number of objects in the union of the two clusters of each cell."""
        return self.row_sizes + self.col_sizes - self.counts

    def find(self, rows: IntArray, cols: IntArray) -> Positions:
        """Return the positions of cells by row and column; -1 for those without objects."""
        numbers = self.rows * self.shape[1] + self.cols
        order = np.argsort(numbers)
        wanted = rows * self.shape[1] + cols
        found = order[np.minimum(np.searchsorted(numbers, wanted, sorter=order), len(order) - 1)]
        return np.where(numbers[found] == wanted, found, -1)

    def where(self, chosen: Mask | slice) -> SizedCells:
        *cells, shape = self
        return SizedCells._make((*(one[chosen] for one in cells), shape))


class _SummedInformation:
    """What partitions share and do not share by arrays of the sums that determine it.

    They are those of n log s, or of n s^(q - 1), over the cells; see :class:`Information`. For the
    adjusted index there is the mean of the information as well.
    """

    is_observed = False

    def __init__(
        self, joint: Any, rows: Any, cols: Any, *expected: Any, n_samples: Any, q: float
    ) -> None:
        # Nothing is left where one of one object is left out.
        n_samples = np.where(np.equal(n_samples, 0), np.nan, n_samples)
        scale = n_samples if q == 1 else n_samples**q * (q - 1)
        most = np.log(n_samples) if q == 1 else 1 / (q - 1)
        # What is zero is zero without rounding.
        rounding = _ROUNDING * np.abs(most)
        true, pred, true_left, pred_left, mutual = (
            np.where(np.abs(one) <= rounding, 0.0, one)
            for one in (
                most - rows / scale,
                most - cols / scale,
                (cols - joint) / scale,
                (rows - joint) / scale,
                most + (joint - rows - cols) / scale,
            )
        )
        self.q, self.mutual, self.expected = q, mutual, expected
        self.entropies, self.given = (true, pred), (true_left, pred_left)


# Rounding of sums, as a share of the largest entropy.
_ROUNDING = 16 * float(np.finfo(np.float64).eps)
# Entropies of orders that are closer to 1 are differences of sums that lose digits.
_NEAR_ONE = 0.01


def values_of_many(
    index: Index, statistic: Any, n_samples: Any, parameters: Mapping[str, Any]
) -> FloatArray | None:
    """Return an index for arrays of its statistic, of many tables; NaN where it is undefined.

    None if its formula takes one table at a time: if it branches, or needs the cluster sizes. To
    the last digit for whole numbers as long as products of numbers of pairs are exact.
    """
    if REGISTERED.get(index.name) is not index or index.of_statistic is None:
        return None
    try:
        with np.errstate(divide="ignore", invalid="ignore"):
            found = index.of_statistic(statistic, KnownMargins(n_samples), **parameters)
    except (AttributeError, TypeError, ValueError):
        return None
    return np.asarray(found, np.float64)


def values_at(
    index: Index, totals: Sequence[FloatArray], n_samples: Any, parameters: Mapping[str, Any]
) -> FloatArray | None:
    """Return an index for arrays of the sums that it declares, as :func:`values_of_many` does."""
    if index.statistic is None or index.sums is None:
        return None
    if np.size(totals[0]) == 1:  # formulas of one table would take it for a number
        twice = [np.repeat(one, 2) for one in totals]
        found = values_at(index, twice, np.repeat(n_samples, 2), parameters)
        return None if found is None else found[:1]
    quantity, q = index.statistic.quantity, parameters.get("q", 1.0)
    statistic: Any
    if index.pairs:
        statistic = SquareSums(*totals)
    elif quantity == "information":
        if len(totals) > (4 if q == 1 else 3) or 0 < abs(q - 1) < _NEAR_ONE:
            return None
        joint, rows, cols, *expected = totals
        statistic = _SummedInformation(joint, rows, cols, *expected, n_samples=n_samples, q=q)
    elif quantity == "cells":
        wanted, known = index.statistic.cell_sum(parameters), index.sums(**parameters)
        several = (wanted,) if isinstance(wanted, CellSum) else wanted
        values = tuple(totals[known.index(one)] for one in several)
        statistic = values[0] if isinstance(wanted, CellSum) else values
    else:
        return None
    return values_of_many(index, statistic, n_samples, parameters)


class Moves(NamedTuple):
    """Objects that change their column: the cells they leave, and the places they enter.

    A place is a row and a column; ``targets`` are the cells there, -1 for those without objects.
    Those of a pair of partitions follow each other, as its moves do.
    """

    cells: Positions
    places: Positions
    rows: Positions
    cols: Positions
    targets: Positions

    def of_own(self, part: slice, first: IntArray) -> Moves:
        """Return some moves, in a table whose first cell, row and column had these numbers."""
        cells, places = self.cells[part], self.places[part]
        start = int(places.min(initial=len(self.rows)))
        rows, cols, targets = (
            one[start : int(places.max(initial=-1)) + 1]
            for one in (self.rows, self.cols, self.targets)
        )
        cell, row, col = first.tolist()
        targets = np.where(targets < 0, -1, targets - cell)
        return Moves(cells - cell, places - start, rows - row, cols - col, targets)


def changes(
    sums: Sequence[CellSum | ExpectedInformation], cells: SizedCells, moves: Moves | None
) -> Any:
    """Return the changes of some sums, of shape (n_sums, n_changes); by cell if none moves."""
    parts = [_SumOverCells(one.function) if isinstance(one, CellSum) else one for one in sums]
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        return np.array(
            [
                part.without_one(cells) if moves is None else part.with_moved(cells, moves)
                for part in parts
            ]
        )


class _SumOverCells(NamedTuple):
    """How a sum over the cells changes if one object leaves, by its cell, or by each move."""

    function: Callable[[FloatArray, FloatArray, FloatArray], FloatArray]

    def without_one(self, cells: SizedCells) -> FloatArray:
        n, a, b = cells.counts, cells.row_sizes, cells.col_sizes
        value = self.function(n, a, b)
        # A cluster is never smaller than its cells: those of the own row and column are replaced.
        in_row = self.function(n, np.maximum(a - 1, n), b) - value
        in_col = self.function(n, a, np.maximum(b - 1, n)) - value
        left = np.where(n > 1, self.function(n - 1, _one_less(a), _one_less(b)), 0.0)
        of_row = np.bincount(cells.rows, in_row, cells.shape[0])[cells.rows] - in_row
        of_col = np.bincount(cells.cols, in_col, cells.shape[1])[cells.cols] - in_col
        return np.asarray(of_row + of_col + (left - value))

    def with_moved(self, cells: SizedCells, moves: Moves) -> FloatArray:
        n, a, b = cells.counts, cells.row_sizes, cells.col_sizes
        value = self.function(n, a, b)
        less = self.function(n, a, np.maximum(b - 1, n)) - value
        more = self.function(n, a, b + 1) - value
        of_less, of_more = (
            np.bincount(cells.cols, change, cells.shape[1]) for change in (less, more)
        )
        left = np.where(n > 1, self.function(n - 1, a, _one_less(b)), 0.0)
        left += of_less[cells.cols] - less - value
        # At -1 are cells without objects.
        met, known = (np.append(one, 0.0)[moves.targets] for one in (n, value + more))
        rows, cols = _sizes(cells)
        entered = self.function(met + 1, rows[moves.rows], cols[moves.cols] + 1)
        parts = entered - known, of_more[moves.cols]
        return np.asarray(sum((one[moves.places] for one in parts), left[moves.cells]))


class ExpectedInformation(NamedTuple):
    """Mean of MI_q under permutation, as a sum over all pairs of cluster sizes.

    For orders other than 1 terms of both sizes changed at the same time are left out, and what
    changes alike for all objects: interpolation does not need it.
    """

    q: float

    def total(self, cells: SizedCells, n_samples: float) -> float:
        """Return the mean for these sizes, which may add up to one object more."""
        sides = (one[one > 0] for one in _sizes(cells))  # an empty one may be founded
        rows, cols = (Margin.from_sums(one.astype(np.int64)) for one in sides)
        if max(rows.sizes[-1], cols.sizes[-1]) > n_samples:  # of one cluster nothing is expected
            return 0.0
        return rows.total(convex_gain_sums(rows, cols, n_samples, self.q)[0])

    def without_one(self, cells: SizedCells) -> FloatArray:
        rows, cols = _sizes(cells)
        n_samples = float(cells.counts.sum())
        n_left = n_samples - 1
        of_rows, of_cols = (
            self._by_size(*sides, n_left, (-1, 0)) for sides in ((rows, cols), (cols, rows))
        )
        a, b = cells.row_sizes, cells.col_sizes
        change = of_rows(a - 1) - of_rows(a) + of_cols(b - 1) - of_cols(b)
        if self.q == 1 and max(a.max(), b.max()) <= n_left:
            change += self.total(cells, n_left) - self.total(cells, n_samples)
            change += self._of_both(a, b, n_left)
        return np.asarray(change)

    def _of_both(self, a: FloatArray, b: FloatArray, n_left: float) -> FloatArray:
        """Return what more the part of a pair of clusters changes if both lose an object."""
        if len(np.unique(a)) < len(np.unique(b)):
            return self._of_both(b, a, n_left)
        (near_a, at_a), (near_b, at_b) = (
            np.unique([one - 1, one], return_inverse=True) for one in (a, b)
        )
        parts = np.zeros((len(near_a), len(near_b)))
        own = Margin(near_a[near_a > 0], np.ones(np.count_nonzero(near_a)))
        for k in np.flatnonzero(near_b):
            other = Margin(near_b[[k]], np.ones(1))
            parts[near_a > 0, k] = convex_gain_sums(own, other, n_left, self.q)[0]
        (less_a, same_a), (less_b, same_b) = at_a.reshape(2, -1), at_b.reshape(2, -1)
        return np.asarray(
            (parts[less_a, less_b] - parts[less_a, same_b])
            - (parts[same_a, less_b] - parts[same_a, same_b])
        )

    def with_moved(self, cells: SizedCells, moves: Moves) -> FloatArray:
        rows, cols = _sizes(cells)
        of_cols = self._by_size(cols, rows, float(cells.counts.sum()), (-1, 0, 1))
        b, entered = cells.col_sizes, cols[moves.cols]
        left, more = of_cols(b - 1) - of_cols(b), of_cols(entered + 1) - of_cols(entered)
        return np.asarray(left[moves.cells] + more[moves.places])

    def _by_size(
        self, sizes: FloatArray, others: FloatArray, n_samples: float, steps: tuple[int, ...]
    ) -> Callable[[FloatArray], FloatArray]:
        """Return the part of a cluster that is so many steps larger, next to the other side."""
        near = np.unique(np.add.outer(steps, sizes))
        near = near[(near > 0) & (near <= n_samples)]
        if others.max() > n_samples:  # of one cluster nothing is expected
            return np.zeros_like
        own, other = Margin(near, np.ones(len(near))), Margin.from_sums(others.astype(np.int64))
        parts, _ = convex_gain_sums(own, other, n_samples, self.q)

        def part(size: FloatArray) -> FloatArray:
            found = np.minimum(np.searchsorted(near, size), len(near) - 1)
            return np.where(size > 0, parts[found], 0.0)

        return part


def _one_less(size: FloatArray) -> FloatArray:
    return np.maximum(size - 1, 1.0)


def _sizes(cells: SizedCells) -> tuple[FloatArray, FloatArray]:
    rows, cols = (np.zeros(size) for size in cells.shape)
    rows[cells.rows], cols[cells.cols] = cells.row_sizes, cells.col_sizes
    return rows, cols


# --------------------------------------------------------------------------- functions of a cell


def _square(n: FloatArray, a: FloatArray, b: FloatArray) -> FloatArray:
    return n * n


def _row_size(n: FloatArray, a: FloatArray, b: FloatArray) -> FloatArray:
    return n * a


def _col_size(n: FloatArray, a: FloatArray, b: FloatArray) -> FloatArray:
    return n * b


def _row_square(n: FloatArray, a: FloatArray, b: FloatArray) -> FloatArray:
    return n * a * a


def _col_square(n: FloatArray, a: FloatArray, b: FloatArray) -> FloatArray:
    return n * b * b


def _of_row(n: FloatArray, a: FloatArray, b: FloatArray) -> FloatArray:
    return n / a


def _of_col(n: FloatArray, a: FloatArray, b: FloatArray) -> FloatArray:
    return n / b


_SQUARES = (CellSum(_square), CellSum(_row_size), CellSum(_col_size))
_CLUSTERS = (CellSum(_of_row), CellSum(_of_col))


@dataclass(frozen=True)
class _Information:
    """n log s, or n s^(q-1), for a size s: the count (0), the row size (1) or the column size."""

    q: float
    which: int

    def __call__(self, n: FloatArray, a: FloatArray, b: FloatArray) -> FloatArray:
        size = (n, a, b)[self.which]
        if self.q == 1:
            return np.asarray(xlogy(n, size))
        return n * np.maximum(size, 1.0) ** (self.q - 1)


OVER_BOTH = CellSum(Squares(operator.mul), smooth=True)


def _size_of_row(a: FloatArray, b: FloatArray) -> FloatArray:
    return a


def _size_of_col(a: FloatArray, b: FloatArray) -> FloatArray:
    return b


def _square_of_row(a: FloatArray, b: FloatArray) -> FloatArray:
    return a * a


def _is_occupied(n: FloatArray, a: FloatArray, b: FloatArray) -> FloatArray:
    return (n > 0).astype(np.float64)


_OVER_ROWS = CellSum(Squares(_size_of_row), smooth=True)


_OVER_COLS = CellSum(Squares(_size_of_col), smooth=True)


_OVER_SQUARED_ROWS = CellSum(Squares(_square_of_row), smooth=True)


OVER_LARGER = CellSum(Squares(np.maximum), smooth=True)


OCCUPIED = CellSum(_is_occupied)


def bcubed_precision_sum(*, average: str = "object") -> CellSum:
    return _OVER_COLS if average == "object" else OVER_BOTH


def bcubed_recall_sum(*, average: str = "object") -> CellSum:
    return _OVER_ROWS if average == "object" else _OVER_SQUARED_ROWS


def _kept_links(n: FloatArray, own: FloatArray, other: FloatArray) -> FloatArray:
    """Return the size of a cluster times the share of its links, or of its one object, in a cell.

    An object alone has a link to itself, which the cell keeps if it is alone on the other side.
    """
    return np.where(own > 1, n * ((n - 1) / np.maximum(own - 1, 1)), n * (other == 1))


def _kept_links_of_pred(n: FloatArray, a: FloatArray, b: FloatArray) -> FloatArray:
    return _kept_links(n, b, a)


LINKS_OF_TRUE = CellSum(_kept_links, smooth=True)


LINKS_OF_PRED = CellSum(_kept_links_of_pred, smooth=True)


# --------------------------------------------------------------------------- what records declare


def pair_sums(**_: Any) -> tuple[CellSum, ...]:
    return _SQUARES


def standardized_pair_sums(**_: Any) -> tuple[CellSum, ...]:
    return (*_SQUARES, CellSum(_row_square), CellSum(_col_square), *_CLUSTERS)


def information_sums(*, q: float = 1.0, **_: Any) -> tuple[CellSum, ...]:
    return tuple(CellSum(_Information(q, which)) for which in range(3))


def expected_information_sums(*, q: float = 1.0, **_: Any) -> tuple[Any, ...]:
    return (*information_sums(q=q), ExpectedInformation(q))


def standardized_information_sums(**parameters: Any) -> tuple[Any, ...]:
    # Not all of it: standard deviations and code lengths depend on more, up to 1 % of the errors.
    return (*expected_information_sums(**parameters), *_CLUSTERS)


def variation_sums(*, normalize: str | None = None, **parameters: Any) -> tuple[Any, ...]:
    if normalize == "expected":
        return expected_information_sums(**parameters)
    return information_sums(**parameters)


def association_sums(**_: Any) -> tuple[CellSum, ...]:
    return (OVER_BOTH, *_CLUSTERS)


def occupied_sums(**_: Any) -> tuple[CellSum, ...]:
    return (OCCUPIED, *_CLUSTERS)


def bcubed_both(*, average: str = "object", **_: Any) -> tuple[CellSum, ...]:
    return bcubed_precision_sum(average=average), bcubed_recall_sum(average=average)


def bcubed_sums(*, average: str = "object", **_: Any) -> tuple[CellSum, ...]:
    sums = bcubed_both(average=average)
    return sums if average == "object" else (*sums, *_CLUSTERS)


def element_centric_sums(**_: Any) -> tuple[CellSum, ...]:
    return (OVER_LARGER,)


def link_sums(**_: Any) -> tuple[CellSum, ...]:
    return (LINKS_OF_TRUE, LINKS_OF_PRED)


WAGNER = "Wagner & Wagner (2007)"
ROMANO = "Romano et al. (2016)"
# Papers name the normalized mutual information by the formula of the mean.
_MEANS = {"sqrt": "geometric", "sum": "arithmetic"}
AVERAGES = one_of("min", "geometric", "arithmetic", "max", **_MEANS)
ALL_AVERAGES = one_of(*AVERAGES.options, "joint", **_MEANS)

# How an index varies from sample to sample, and the sums over cells that determine it.
MAXIMUM: dict[str, Any] = {"sampling": "maximum"}
SMOOTH: dict[str, Any] = {"sampling": "smooth"}
OF_PAIRS = SMOOTH | {"pairs": True, "sums": pair_sums}
OF_INFORMATION = SMOOTH | {"sums": information_sums}
OF_ASSOCIATION = SMOOTH | {"sums": association_sums}
OF_BCUBED = SMOOTH | {"sums": bcubed_sums}
OF_LINKS = SMOOTH | {"sums": link_sums}
OF_OCCUPIED = SMOOTH | {"sums": occupied_sums}
COUNTS = OF_OCCUPIED | {"sampling": "counts"}

UNIT = (0.0, 1.0)

Properties = dict[str, Any]


@dataclass(frozen=True)
class CountedIn:
    """The unit of a distance that counts, unless it is normalized; can be pickled."""

    unit: str

    def __call__(self, *, normalize: bool = False) -> str:
        return "" if normalize else self.unit


def f_properties(*, beta: float = 1.0) -> Properties:
    return {"symmetric": beta == 1}


def normalized_distance_properties(*, normalize: bool = False, **_: Any) -> Properties:
    return {"range": UNIT} if normalize else {}
