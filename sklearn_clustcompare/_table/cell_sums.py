"""Sums over the cells of a table, of a function of the cell and of the sizes of both clusters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._numerics import FloatArray, ordered_sum
from sklearn_clustcompare._table.contingency import ContingencyTable


class CellSumTable(NamedTuple):
    """What an index that is a function of one cell sum sees at another value of that sum."""

    n_samples: Any
    row_sums: NDArray[Any]
    col_sums: NDArray[Any]
    cell_sum: float
    is_whole: bool = True
    is_identity: bool = False


class SeesCellSum(Protocol):
    """All that an index of one cell sum sees: a ContingencyTable, or a CellSumTable."""

    @property
    def n_samples(self) -> Any: ...
    @property
    def row_sums(self) -> NDArray[Any]: ...
    @property
    def col_sums(self) -> NDArray[Any]: ...
    @property
    def is_whole(self) -> bool: ...
    @property
    def is_identity(self) -> bool: ...


class CellSum(NamedTuple):
    """The sum of ``function(n, a, b)`` over the cells n, in clusters of a and of b objects.

    The function takes and returns arrays of floats, and is 0 for an empty cell. It is ``smooth`` if
    it is as smooth in n as a power or a logarithm: then some counts stand for all in its mean.
    """

    function: Callable[[FloatArray, FloatArray, FloatArray], FloatArray]
    smooth: bool = False

    def __call__(self, table: SeesCellSum) -> float:
        """Return the sum over the occupied cells of a table."""
        if isinstance(table, CellSumTable):
            return table.cell_sum
        assert isinstance(table, ContingencyTable)
        rows = table.row_sums[table.cell_rows].astype(np.float64)
        cols = table.col_sums[table.cell_cols].astype(np.float64)
        values = self.function(table.cell_counts.astype(np.float64), rows, cols)
        return float(ordered_sum(values))
