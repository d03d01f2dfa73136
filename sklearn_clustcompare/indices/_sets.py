"""Indices that match clusters of one partition with clusters of the other."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment
from scipy.sparse import coo_array, csr_array
from scipy.sparse.csgraph import min_weight_full_bipartite_matching

from sklearn_clustcompare._kernels import fits_densely
from sklearn_clustcompare._numerics import ordered_sum
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare.indices._greedy import greedy_overlap


def largest_per_row(table: ContingencyTable, values: NDArray[Any] | None = None) -> NDArray[Any]:
    """Return the largest cell of each row, or the largest of other values of the cells."""
    return _largest(
        table.cell_rows, table.cell_counts if values is None else values, table.shape[0]
    )


def largest_per_col(table: ContingencyTable) -> NDArray[Any]:
    return _largest(table.cell_cols, table.cell_counts, table.shape[1])


def _largest(codes: NDArray[np.int64], values: NDArray[Any], n_codes: int) -> NDArray[Any]:
    largest = np.zeros(n_codes, values.dtype)
    np.maximum.at(largest, codes, values)
    return largest


def _share(count: Any, table: ContingencyTable) -> float:
    return min(count / table.n_samples, 1.0) if table.n_samples else 1.0


def purity(table: ContingencyTable) -> float:
    return _share(ordered_sum(largest_per_col(table)), table)


def inverse_purity(table: ContingencyTable) -> float:
    return _share(ordered_sum(largest_per_row(table)), table)


def f_measure(table: ContingencyTable, *, beta: float = 1.0) -> float:
    weight = beta * beta
    # Written in inverse precision and recall it is exactly 1 for equal clusters.
    with np.errstate(over="ignore"):  # memberships can be too small to divide by
        inverse_recall = table.row_sums[table.cell_rows] / table.cell_counts
        inverse_precision = table.col_sums[table.cell_cols] / table.cell_counts
        f_values = (1 + weight) / (weight * inverse_recall + inverse_precision)
    return _share(ordered_sum(table.row_sums * largest_per_row(table, f_values)), table)


def maximum_match(table: ContingencyTable) -> float:
    return _share(greedy_overlap(table), table)


def matching_accuracy(table: ContingencyTable) -> float:
    matched = optimal_matching(table)
    return _share(ordered_sum(table.cell_counts[matched]), table)


def misclassification(table: ContingencyTable) -> float:
    missed = table.n_samples - ordered_sum(table.cell_counts[optimal_matching(table)])
    return max(missed / table.n_samples, 0.0) if table.n_samples else 0.0


def van_dongen(table: ContingencyTable, *, normalize: bool = False) -> float:
    kept = ordered_sum(largest_per_row(table)) + ordered_sum(largest_per_col(table))
    distance = max(2 * table.n_samples - kept, 0)
    if not normalize:
        return distance
    return distance / (2 * table.n_samples) if table.n_samples else 0.0


def greedy_matching(table: ContingencyTable, overlap: NDArray[Any]) -> NDArray[np.intp]:
    """Match the pair of clusters with the largest overlap, cross both out, and go on.

    Ties go to the first in row-major order. Returns the positions of the matched cells.
    """
    order = np.argsort(-overlap, kind="stable")
    row_free = np.ones(table.shape[0], bool)
    col_free = np.ones(table.shape[1], bool)
    matched = []
    for position, row, col in zip(
        order.tolist(),
        table.cell_rows[order].tolist(),
        table.cell_cols[order].tolist(),
        strict=True,
    ):
        if row_free[row] and col_free[col]:
            row_free[row] = col_free[col] = False
            matched.append(position)
    return np.array(matched, dtype=np.intp)


def optimal_matching(table: ContingencyTable) -> NDArray[np.intp]:
    """Match clusters one to one so that the most objects agree.

    Returns the positions of the matched cells; pairs that share no object are not matched.
    """
    n_rows, n_cols = table.shape
    if fits_densely(table.shape, len(table.cell_counts)):
        rows, cols = linear_sum_assignment(table.counts.toarray(), maximize=True)
    elif n_rows > n_cols:
        cols, rows = _sparse_assignment(table.cell_cols, table.cell_rows, table.cell_counts)
    else:
        rows, cols = _sparse_assignment(table.cell_rows, table.cell_cols, table.cell_counts)
    positions = np.searchsorted(table._cells, rows * n_cols + cols)
    positions[positions == len(table._cells)] = 0
    return positions[table._cells[positions] == rows * n_cols + cols]


def _sparse_assignment(
    rows: NDArray[np.int64], cols: NDArray[np.int64], counts: NDArray[Any]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Match every row of a table too large to be dense, with a column or with nothing.

    The solver wants each row matched. So each row may take a column of its own, where nobody
    agrees; weights are raised by one for all, as it knows no edge of weight zero.
    """
    n_rows, n_cols = int(rows.max()) + 1, int(cols.max()) + 1
    own = np.arange(n_rows)
    weights = np.concatenate([counts + 1.0, np.ones(n_rows)])
    # Older SciPy solves graphs with 32-bit indices only.
    ends = (
        np.append(rows, own).astype(np.int32),
        np.append(cols, n_cols + own).astype(np.int32),
    )
    graph = coo_array((weights, ends), shape=(n_rows, n_cols + n_rows))
    matched_rows, matched_cols = min_weight_full_bipartite_matching(csr_array(graph), maximize=True)
    somebody = matched_cols < n_cols
    return matched_rows[somebody].astype(np.intp), matched_cols[somebody].astype(np.intp)
