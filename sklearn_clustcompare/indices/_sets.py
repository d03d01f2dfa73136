"""Indices that match clusters of one partition with clusters of the other."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

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
    return _share(ordered_sum(table.cell_counts[table.optimal_matching]), table)


def misclassification(table: ContingencyTable) -> float:
    missed = table.n_samples - ordered_sum(table.cell_counts[table.optimal_matching])
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
