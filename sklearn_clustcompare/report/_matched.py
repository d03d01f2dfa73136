"""The match of each cluster: one to one, or else the cluster with most of its objects."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare._table.matching import largest_cells


def matches(
    table: ContingencyTable, *, of_pred: bool = False
) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """Return the position of the cell that each cluster of a side shares with its match.

    Also, whether the two are matched one to one, with the most objects in matched pairs. A cluster
    without such a partner belongs to the cluster that has most of its objects.
    """
    codes = table.cell_cols if of_pred else table.cell_rows
    cells = largest_cells(codes, table.in_units.cell_counts, table.shape[of_pred])
    is_matched = np.zeros(len(cells), np.bool_)
    matched = table.optimal_matching
    cells[codes[matched]] = matched
    is_matched[codes[matched]] = True
    return cells, is_matched


def column_places(table: ContingencyTable) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """Return the row that each column belongs to, and whether the two are matched."""
    cells, is_matched = matches(table, of_pred=True)
    return table.cell_rows[cells], is_matched
