"""Indices that are one sum over the cells of the table, for given cluster sizes.

They depend on the sum and on the sizes only, so they can be evaluated at its mean.
"""

from __future__ import annotations

import math

import numpy as np

from sklearn_clustcompare._numerics import FloatArray
from sklearn_clustcompare._table.cell_sums import CellSum, SeesCellSum, Squares
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare.indices._pairs import OVER_BOTH, chi_squared
from sklearn_clustcompare.indices._record import ratio, require_whole

# --------------------------------------------------------------------------- functions of a cell


def _row_size(a: FloatArray, b: FloatArray) -> FloatArray:
    return a


def _col_size(a: FloatArray, b: FloatArray) -> FloatArray:
    return b


def _squared_row_size(a: FloatArray, b: FloatArray) -> FloatArray:
    return a * a


def _is_occupied(n: FloatArray, a: FloatArray, b: FloatArray) -> FloatArray:
    return (n > 0).astype(np.float64)


_OVER_ROWS = CellSum(Squares(_row_size), smooth=True)
_OVER_COLS = CellSum(Squares(_col_size), smooth=True)
_OVER_SQUARED_ROWS = CellSum(Squares(_squared_row_size), smooth=True)
_OVER_LARGER = CellSum(Squares(np.maximum), smooth=True)
_OCCUPIED = CellSum(_is_occupied)


def mean_of(total: float, number: float) -> float:
    """Return a mean of shares, cut off where rounding leads beyond 1; 1 for no shares."""
    return min(total / number, 1.0) if number else 1.0


# --------------------------------------------------------------------------- B-cubed


def bcubed_precision_sum(*, average: str = "object") -> CellSum:
    return _OVER_COLS if average == "object" else OVER_BOTH


def bcubed_recall_sum(*, average: str = "object") -> CellSum:
    return _OVER_ROWS if average == "object" else _OVER_SQUARED_ROWS


def bcubed_precision(table: SeesCellSum, *, average: str = "object") -> float:
    return _bcubed(table, bcubed_precision_sum(average=average), average)


def bcubed_recall(table: SeesCellSum, *, average: str = "object") -> float:
    return _bcubed(table, bcubed_recall_sum(average=average), average)


def _bcubed(table: SeesCellSum, cell_sum: CellSum, average: str) -> float:
    if table.is_identity:
        return 1.0
    number = table.n_samples if average == "object" else len(table.row_sums)
    return mean_of(cell_sum(table), number)


def bcubed_f(table: ContingencyTable, *, beta: float = 1.0, average: str = "object") -> float:
    weight = beta * beta
    precision = bcubed_precision(table, average=average)
    recall = bcubed_recall(table, average=average)
    # Both are positive. Written so, a large weight of the recall does not overflow.
    return (1 + weight) / (1 / precision + weight / recall)


# --------------------------------------------------------------------------- occupied cells


def occupied_sum() -> CellSum:
    return _OCCUPIED


def _occupied(table: SeesCellSum, name: str) -> float:
    """Count the occupied cells; counts must be whole, as a small share would count as an object."""
    require_whole(table, name, "bcubed_f_score or its two sides")
    return _OCCUPIED(table)


def muc_precision(table: SeesCellSum) -> float:
    kept = table.n_samples - _occupied(table, "muc_precision_score")
    return ratio(kept, table.n_samples - len(table.col_sums), table, "muc_precision_score")


def muc_recall(table: SeesCellSum) -> float:
    kept = table.n_samples - _occupied(table, "muc_recall_score")
    return ratio(kept, table.n_samples - len(table.row_sums), table, "muc_recall_score")


def muc_f(table: SeesCellSum) -> float:
    kept = table.n_samples - _occupied(table, "muc_f_score")
    links = 2 * table.n_samples - len(table.row_sums) - len(table.col_sums)
    return ratio(2 * kept, links, table, "muc_f_score")


def split_count(table: SeesCellSum) -> float:
    return _occupied(table, "split_count") - len(table.row_sums)


def merge_count(table: SeesCellSum) -> float:
    return _occupied(table, "merge_count") - len(table.col_sums)


def merge_distance(table: SeesCellSum) -> float:
    n_clusters = len(table.row_sums) + len(table.col_sums)
    return 2 * _occupied(table, "merge_distance") - n_clusters


# --------------------------------------------------------------------------- single objects


def element_centric_sum(*, alpha: float = 0.9) -> CellSum:
    return _OVER_LARGER


def element_centric_similarity(table: SeesCellSum, *, alpha: float = 0.9) -> float:
    # For partitions it is the same for every alpha.
    require_whole(table, "element_centric_similarity_score", "bcubed_f_score or its two sides")
    return mean_of(_OVER_LARGER(table), table.n_samples)


# --------------------------------------------------------------------------- association


def cramers_v(table: ContingencyTable) -> float:
    freedom = min(table.shape) - 1 if table.n_samples else 0
    return _association(table, freedom, "cramers_v_score")


def tschuprow(table: ContingencyTable) -> float:
    freedom = math.sqrt((table.shape[0] - 1) * (table.shape[1] - 1)) if table.n_samples else 0
    return _association(table, freedom, "tschuprow_score")


def _association(table: ContingencyTable, freedom: float, name: str) -> float:
    if table.is_identity:
        return 1.0
    square = ratio(chi_squared(table), table.n_samples * freedom, table, name)
    return min(math.sqrt(square), 1.0)
