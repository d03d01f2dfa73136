"""Ways to match the clusters of two partitions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._parameters import one_of
from sklearn_clustcompare._table import ContingencyTable
from sklearn_clustcompare._table.matching import largest_cells
from sklearn_clustcompare.indices._sets import greedy_matching

check_matching = one_of("optimal", "greedy", "majority")


def matched_cells(
    table: ContingencyTable, method: str, *, of_pred: bool = False
) -> NDArray[np.intp]:
    """Return the positions of the matched cells; by majority, one of each cluster of a side."""
    if method == "optimal":
        return table.optimal_matching
    table = table.in_units
    if method == "greedy":
        return greedy_matching(table, table.cell_counts / table.row_sums[table.cell_rows])
    codes = table.cell_cols if of_pred else table.cell_rows
    return largest_cells(codes, table.cell_counts, table.shape[of_pred])
