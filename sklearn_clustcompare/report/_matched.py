"""Positions of clusters such that matched ones face each other."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._table.contingency import ContingencyTable


def column_places(table: ContingencyTable) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """Return the row that each column belongs to, and whether the two are matched.

    A column that is not matched belongs to the row that has most of its objects.
    """
    matched = table.optimal_matching
    place = np.zeros(table.shape[1], np.intp)
    # The largest cell of each column comes last, and is kept.
    by_size = np.argsort(table.cell_counts, kind="stable")
    place[table.cell_cols[by_size]] = table.cell_rows[by_size]
    place[table.cell_cols[matched]] = table.cell_rows[matched]
    is_matched = np.zeros(table.shape[1], np.bool_)
    is_matched[table.cell_cols[matched]] = True
    return place, is_matched
