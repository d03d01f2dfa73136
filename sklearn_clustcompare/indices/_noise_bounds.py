"""The lowest and the highest value of an index over all assignments of noise objects."""

from __future__ import annotations

import math

import numpy as np

from sklearn_clustcompare._array_types import IntArray, Mask
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare._table.matching import largest_values


def _is_certain(table: ContingencyTable, row_is_noise: Mask, col_is_noise: Mask) -> Mask:
    """Return which cells are noise on neither side."""
    return ~(row_is_noise[table.cell_rows] | col_is_noise[table.cell_cols])


def purity_bounds(
    table: ContingencyTable, row_is_noise: Mask, col_is_noise: Mask
) -> tuple[float, float]:
    certain = _is_certain(table, row_is_noise, col_is_noise)
    n = table.n_samples
    if n == 0:
        return 1.0, 1.0
    counts = table.cell_counts[certain]
    largest = largest_values(table.cell_cols[certain], counts, table.shape[1])
    low = max(
        int(np.maximum(largest, 1)[~col_is_noise].sum()),
        int(table.row_sums[~row_is_noise].max(initial=1)),
    )
    high = int(largest.sum()) + n - int(counts.sum())
    return low / n, high / n


def inverse_purity_bounds(
    table: ContingencyTable, row_is_noise: Mask, col_is_noise: Mask
) -> tuple[float, float]:
    return purity_bounds(table.T, col_is_noise, row_is_noise)


def pair_recall_bounds(
    table: ContingencyTable, row_is_noise: Mask, col_is_noise: Mask
) -> tuple[float, float]:
    certain = _is_certain(table, row_is_noise, col_is_noise)
    return _pair_share_bounds(table, row_is_noise, certain, "pair_recall_score", "labels_true")


def pair_precision_bounds(
    table: ContingencyTable, row_is_noise: Mask, col_is_noise: Mask
) -> tuple[float, float]:
    certain = _is_certain(table.T, col_is_noise, row_is_noise)
    return _pair_share_bounds(table.T, col_is_noise, certain, "pair_precision_score", "labels_pred")


def _pair_share_bounds(
    table: ContingencyTable, row_is_noise: Mask, certain: Mask, index: str, rows: str
) -> tuple[float, float]:
    if row_is_noise.any():
        msg = f"{rows} must be free of noise for bounds of {index}, got objects of noise"
        raise ValueError(msg)
    n_pairs = _count_pairs(table.row_sums)
    if n_pairs == 0:
        msg = f"{rows} must have a cluster of two objects for bounds of {index}, got none"
        raise ValueError(msg)
    counts = table.cell_counts[certain]
    largest = largest_values(table.cell_rows[certain], counts, table.shape[0])
    loose = table.row_sums.copy()
    np.subtract.at(loose, table.cell_rows[certain], counts)
    low = _count_pairs(counts)
    return low / n_pairs, (low + _count_pairs(largest + loose) - _count_pairs(largest)) / n_pairs


def _count_pairs(sizes: IntArray) -> int:
    return sum(math.comb(size, 2) for size in sizes.tolist())
