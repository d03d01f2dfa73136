"""Sums over the cells of a table, of a function of the cell and of the sizes of both clusters."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from sklearn_clustcompare._array_types import Array, FloatArray
from sklearn_clustcompare._numerics import ordered_sum
from sklearn_clustcompare._rendering import record_html
from sklearn_clustcompare._table.contingency import ContingencyTable

# Cells are grouped if there are at most this many possible kinds per cell.
_KINDS_PER_CELL = 4


@dataclass(frozen=True)
class Squares:
    """The function n^2 / divisor(a, b) of a cell, whose moments lose no digits."""

    divisor: Callable[[FloatArray, FloatArray], FloatArray]

    def __call__(self, n: FloatArray, a: FloatArray, b: FloatArray) -> FloatArray:
        return n * (n / self.divisor(a, b))


class CellSum(NamedTuple):
    """A sum over the cells of a table, of a function of the cell and of both cluster sizes.

    If an :class:`Index` is linear in such a sum for given cluster sizes, declare it with
    ``linear_in="cells"`` and a ``cell_sum`` that returns the sum. Its mean and standard deviation
    under permutation are then exact. Both parameters are attributes of the same names.

    Parameters
    ----------
    function : callable
        ``function(n, a, b)`` of the cells and of the sizes of their row and column clusters: takes
        read-only arrays of floats of one shape, and returns a finite array of that shape, which is
        0 for an empty cell.
    smooth : bool, default=False
        Whether the function is as smooth in n as a power or a logarithm: some dozen counts then
        represent all counts of a large cell.

    See Also
    --------
    PermutationModel.expected_cell_sum : Its mean under permutation.
    PermutationModel.cell_sum_variance : Its variance.
    Index : The record that declares it.

    Examples
    --------
    The number of occupied cells:

    >>> from sklearn_clustcompare import ContingencyTable
    >>> from sklearn_clustcompare.indices import CellSum
    >>> occupied = CellSum(lambda n, a, b: n > 0)
    >>> occupied(ContingencyTable.from_labels([0, 0, 1, 1, 2], [0, 1, 1, 1, 1]))
    4.0
    """

    function: Callable[[FloatArray, FloatArray, FloatArray], FloatArray]
    smooth: bool = False

    def _repr_html_(self) -> str:
        return record_html("CellSum", self._asdict())

    def __call__(self, table: ContingencyTable) -> float:
        """Return the sum over the occupied cells of a ContingencyTable."""
        kinds = kinds_of_cells(table)
        values = self.function(kinds.counts, kinds.row_sizes, kinds.col_sizes)
        check_empty(self.function, kinds.row_sizes[:1], kinds.col_sizes[:1])
        return float(ordered_sum(kinds.times * checked_values(values, kinds.counts)))


def check_empty(function: Any, row_sizes: FloatArray, col_sizes: FloatArray) -> None:
    """Raise ValueError if an empty cell counts, as the sum is over the occupied ones."""
    empty = np.zeros_like(row_sizes)
    values = checked_values(function(empty, row_sizes, col_sizes), empty)
    if values.any():
        msg = f"phi(n, a, b) of cells must be 0 for an empty cell, n = 0, got {values[0]:g}"
        raise ValueError(msg)


def checked_values(values: Any, counts: FloatArray) -> FloatArray:
    """Return the values of a user's function for some counts as floats; raise if invalid."""
    result = np.asarray(values)
    if result.dtype.kind not in "biuf":
        msg = f"phi(n, a, b) of cells must return an array of real numbers, got {result.dtype}"
        raise TypeError(msg)
    if result.shape != counts.shape:
        msg = (
            "phi(n, a, b) of cells must return an array of the shape of its arguments, "
            f"{counts.shape}, got {result.shape}"
        )
        raise ValueError(msg)
    result = result.astype(np.float64)
    if not np.isfinite(result).all():
        first = ~np.isfinite(result)
        msg = (
            "phi(n, a, b) of cells must be finite for all counts that a cell can have, 0 included, "
            f"got {result[first][0]} for n = {counts[first][0]:g}"
        )
        raise ValueError(msg)
    return result


class CellKinds(NamedTuple):
    """Occupied cells, equal ones of clusters of equal sizes grouped, with their frequencies."""

    counts: FloatArray
    row_sizes: FloatArray
    col_sizes: FloatArray
    times: FloatArray

    @classmethod
    def of_arrays(cls, *columns: Array) -> CellKinds:
        """Take whole numbers as floats."""
        return cls._make(column.astype(np.float64) for column in columns)


def kinds_of_cells(table: ContingencyTable) -> CellKinds:
    """Return the kinds of occupied cells, or the cells themselves if that is faster.

    Many small clusters have few kinds of cells, which are then evaluated once.
    """
    counts = table.cell_counts
    if table.is_whole and counts.size:
        limits = [int(counts.max()) + 1]
        limits += [int(sums.max()) + 1 for sums in (table.row_sums, table.col_sums)]
        if math.prod(limits) <= _KINDS_PER_CELL * counts.size:
            return _grouped(table, limits)
    rows, cols = table.row_sums[table.cell_rows], table.col_sums[table.cell_cols]
    return CellKinds.of_arrays(counts, rows, cols, np.ones(counts.size))


def _grouped(table: ContingencyTable, limits: list[int]) -> CellKinds:
    of_rows = table.row_sums * (limits[0] * limits[2])
    of_cols = table.col_sums * limits[0]
    keys = table.cell_counts + of_rows[table.cell_rows]
    keys += of_cols[table.cell_cols]
    times = np.bincount(keys)
    kinds = times.nonzero()[0]
    rest, counts = np.divmod(kinds, limits[0])
    rows, cols = np.divmod(rest, limits[2])
    return CellKinds.of_arrays(counts, rows, cols, times[kinds])
