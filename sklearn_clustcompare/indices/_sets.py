"""Indices that match clusters of one partition with clusters of the other."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._numerics import FloatArray, equal_ties, ordered_sum, sum_of_quotients
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare._table.matching import optimal_matching
from sklearn_clustcompare.indices._greedy import greedy_overlap
from sklearn_clustcompare.indices._undefined import ratio


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


class SizedCells(NamedTuple):
    """Occupied cells of a table, with the sizes and the numbers of their clusters."""

    counts: FloatArray
    row_sizes: FloatArray
    col_sizes: FloatArray
    rows: NDArray[np.int64]
    cols: NDArray[np.int64]
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

    def find(self, rows: NDArray[np.int64], cols: NDArray[np.int64]) -> NDArray[np.intp]:
        """Return the positions of cells by row and column; -1 for those without objects."""
        numbers = self.rows * self.shape[1] + self.cols
        order = np.argsort(numbers)
        wanted = rows * self.shape[1] + cols
        found = order[np.minimum(np.searchsorted(numbers, wanted, sorter=order), len(order) - 1)]
        return np.where(numbers[found] == wanted, found, -1)

    def where(self, chosen: NDArray[np.bool_]) -> SizedCells:
        counts, row_sizes, col_sizes, rows, cols, shape = self
        return SizedCells(
            counts[chosen], row_sizes[chosen], col_sizes[chosen], rows[chosen], cols[chosen], shape
        )


def best_matching(
    cells: SizedCells, numerators: FloatArray, denominators: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Match clusters one to one such that the quotients of the matched cells have the largest sum.

    Returns numerators and denominators of the matched cells. If several matchings are best, the sum
    of their quotients is the same.
    """
    matched = optimal_matching(cells.rows, cells.cols, numerators / denominators, cells.shape)
    return numerators[matched], denominators[matched]


def normalized_clustering_accuracy(table: ContingencyTable) -> float:
    if table.is_identity:
        return 1.0
    cells = SizedCells.of_table(table)
    found = best_matching(cells, cells.counts, cells.row_sizes)
    name = "normalized_clustering_accuracy_score"
    n_others = table.shape[0] - 1
    return ratio(_sum_less(found, 1, 1) if n_others else 0, n_others, table, name)


def normalized_pivoted_accuracy(table: ContingencyTable) -> float:
    if table.is_identity:
        return 1.0
    matched = ordered_sum(table.cell_counts[table.optimal_matching])
    n_clusters, n_samples = max(table.shape), table.n_samples
    return max((n_clusters * matched - n_samples) / ((n_clusters - 1) * n_samples), 0.0)


def pair_sets(table: ContingencyTable, *, simplified: bool = False) -> float:
    if table.is_identity:
        return 1.0
    cells = SizedCells.of_table(table)
    found = best_matching(cells, cells.counts, np.maximum(cells.row_sizes, cells.col_sizes))
    expected, n = (1, 1) if simplified else (_overlap_by_size(table), table.n_samples)
    return max(_sum_less(found, expected, n) / (max(table.shape) - expected / n), 0.0)


def _sum_less(quotients: tuple[FloatArray, FloatArray], part: Any, whole: Any) -> float:
    """Return the sum of quotients less another one, rounded once."""
    numerators, denominators = quotients
    return sum_of_quotients(np.append(numerators, -part), np.append(denominators, whole))


def _overlap_by_size(table: ContingencyTable) -> Any:
    """Return how much clusters can have in common at most, the largest with the largest."""
    n_both = min(table.shape)
    rows, cols = (np.sort(sizes)[::-1][:n_both] for sizes in (table.row_sums, table.col_sums))
    return ordered_sum(np.minimum(rows, cols))


def greedy_matching(table: ContingencyTable, overlap: NDArray[Any]) -> NDArray[np.intp]:
    """Match the pair of clusters with the largest overlap, cross both out, and repeat.

    Ties go to the first in row-major order. Returns the positions of the matched cells.
    """
    order = np.argsort(-overlap if table.is_whole else -equal_ties(overlap), kind="stable")
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
