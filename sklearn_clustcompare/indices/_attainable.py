"""The lowest and the highest value of an index that partitions of given cluster sizes can have."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._chance.functions import PLAIN_SQUARES, InformationTerms
from sklearn_clustcompare._table.cell_sums import Squares
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare._table.extremes import (
    ExtremeTable,
    all_tables,
    curvature,
    highest_of_convex,
    lowest_of_convex,
    rounded,
    total_of,
)
from sklearn_clustcompare._tasks import UNDEFINED_IGNORED
from sklearn_clustcompare.indices._moments import null_order
from sklearn_clustcompare.indices._record import Index

# Tables at which an index is evaluated that is no sum over the cells: about a second.
_MOST_TABLES = 5_000


class Attainable(NamedTuple):
    """Lowest and highest value, and whether each occurs; else it is a bound."""

    lowest: float
    highest: float
    is_attained: tuple[bool, bool]


def attainable_values(
    index: Index,
    row_sums: NDArray[np.int64],
    col_sums: NDArray[np.int64],
    parameters: Mapping[str, Any],
) -> Attainable:
    """Find the range of an index for given sizes, or bounds where that takes too long."""
    with UNDEFINED_IGNORED:
        return _by_sum(index, row_sums, col_sums, parameters) or _by_tables(
            index, row_sums, col_sums, parameters
        )


def highest_value(
    index: Index, table: ContingencyTable, most_nodes: int
) -> tuple[float, bool] | None:
    """Return the highest value for the sizes of a table, and whether it occurs; else it is a bound.

    The index rises linearly with the squares of the cells or the mutual information. None for a
    single value, and for more cells than the number of partial tables that are looked at.
    """
    if table.shape[0] * table.shape[1] > most_nodes:
        return None
    order = null_order(index, table)
    function = None if order is None else order.statistic.cell_function
    if function is None:
        return None
    sums = table.row_sums, table.col_sums
    highest = highest_of_convex(
        function, *sums, sees_sizes=False, matches_equal=True, most_nodes=most_nodes
    )
    with UNDEFINED_IGNORED:
        top = _value(index, highest.table, {})
        if highest.is_exact:
            return top, True
        other = rounded(np.outer(sums[0], sums[1] / sums[1].sum()), *sums)
        slope = (top - _value(index, other, {})) / (
            highest.total - total_of(function, other, *sums)
        )
    return min(top + slope * (highest.bound - highest.total), 1.0), False


def table_of_sizes(row_sums: NDArray[np.int64], col_sums: NDArray[np.int64]) -> ContingencyTable:
    """Return some table of these sizes."""
    return ContingencyTable.from_labels(*map(_labels, (row_sums, col_sums)))


def _labels(sums: NDArray[np.int64]) -> NDArray[np.intp]:
    return np.repeat(np.arange(len(sums)), sums)


def _by_sum(
    index: Index,
    row_sums: NDArray[np.int64],
    col_sums: NDArray[np.int64],
    parameters: Mapping[str, Any],
) -> Attainable | None:
    """Find the tables with the extreme sums that the index rises or falls with, if there are."""
    order = null_order(index, table_of_sizes(row_sums, col_sums), **parameters)
    function = None if order is None else order.statistic.cell_function
    if function is None:
        return None
    is_plain = function == PLAIN_SQUARES or isinstance(function, InformationTerms)
    is_convex = is_plain or isinstance(function, Squares)
    sign = 1 if is_convex else curvature(function, row_sums, col_sums)
    if not sign:
        return None

    def convex(n: Any, a: Any, b: Any) -> Any:
        return sign * np.asarray(function(n, a, b), float)

    ends = [
        lowest_of_convex(convex, row_sums, col_sums),
        highest_of_convex(
            convex,
            row_sums,
            col_sums,
            sees_sizes=not is_plain,
            # Numbers of pairs apart and entropies of these orders are subadditive.
            matches_equal=is_plain and getattr(function, "q", 2) >= 1,
        ),
    ]
    values = [None if end is None else _value(index, end.table, parameters) for end in ends]
    return _bounded(index, parameters, ends, values)


def _range(index: Index, parameters: Mapping[str, Any]) -> Attainable:
    lowest, highest = index.properties(**parameters)["range"]
    return Attainable(lowest, highest, (False, False))


def _value(index: Index, table: NDArray[np.int64], parameters: Mapping[str, Any]) -> float:
    return float(index.function(ContingencyTable.from_counts(table), **parameters))


def _bounded(
    index: Index,
    parameters: Mapping[str, Any],
    ends: list[ExtremeTable | None],
    values: list[float | None],
) -> Attainable:
    """Return the values of both tables, or bounds of what is not certain."""
    lowest, highest = ends
    assert highest is not None
    top = values[1]
    assert top is not None
    if lowest is None or values[0] is None:
        return _range(index, parameters)
    bottom, exact = values[0], highest.is_exact
    if not exact:
        if top == bottom:  # which end was not found is not known
            return _range(index, parameters)
        top = _beyond(index, parameters, (lowest, bottom), (highest, top))
    if bottom <= top:
        return Attainable(bottom, top, (True, exact))
    return Attainable(top, bottom, (exact, True))


def _beyond(
    index: Index,
    parameters: Mapping[str, Any],
    lowest: tuple[ExtremeTable, float],
    best: tuple[ExtremeTable, float],
) -> float:
    """Return the index where the sum would reach its bound."""
    (low, bottom), (high, top) = lowest, best
    if index.linear_quantity(**parameters) is not None and high.total > low.total:
        return top + (top - bottom) / (high.total - low.total) * (high.bound - high.total)
    limits = index.properties(**parameters)["range"]
    return float(limits[1] if top >= bottom else limits[0])


def _by_tables(
    index: Index,
    row_sums: NDArray[np.int64],
    col_sums: NDArray[np.int64],
    parameters: Mapping[str, Any],
) -> Attainable:
    """Evaluate the index at all tables, or return its range where there are too many."""
    lowest, highest = math.inf, -math.inf
    for number, table in enumerate(all_tables(row_sums, col_sums)):
        if number == _MOST_TABLES:
            return _range(index, parameters)
        value = _value(index, table, parameters)
        lowest, highest = min(lowest, value), max(highest, value)
    return Attainable(lowest, highest, (True, True))
