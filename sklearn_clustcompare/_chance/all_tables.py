"""All tables with given margins, where they are few."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

IntArray = NDArray[np.int64]

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
