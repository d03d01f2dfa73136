"""Indices that are one sum over the cells of the table, for given cluster sizes.

They are declared as functions of that sum and of the margins, except for those that combine two.
"""

from __future__ import annotations

import math

import numpy as np

from sklearn_clustcompare._numerics import FloatArray
from sklearn_clustcompare._table.cell_sums import CellSum, Squares
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare._table.counts import Margins
from sklearn_clustcompare.indices._pairs import OVER_BOTH, chi_squared, chi_squared_of
from sklearn_clustcompare.indices._undefined import ratio, require_whole

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
OVER_LARGER = CellSum(Squares(np.maximum), smooth=True)
OCCUPIED = CellSum(_is_occupied)


def mean_of(total: float, number: float) -> float:
    """Return a mean of shares, cut off where rounding leads beyond 1; 1 for no shares."""
    return min(total / number, 1.0) if number else 1.0


# --------------------------------------------------------------------------- B-cubed


def bcubed_precision_sum(*, average: str = "object") -> CellSum:
    return _OVER_COLS if average == "object" else OVER_BOTH


def bcubed_recall_sum(*, average: str = "object") -> CellSum:
    return _OVER_ROWS if average == "object" else _OVER_SQUARED_ROWS


def bcubed(total: float, margins: Margins, *, average: str = "object") -> float:
    """Return the precision or the recall, of which ``total`` is the sum over the objects."""
    if margins.is_identity:
        return 1.0
    return mean_of(total, margins.n_samples if average == "object" else len(margins.row_sums))


def bcubed_f(table: ContingencyTable, *, beta: float = 1.0, average: str = "object") -> float:
    weight = beta * beta
    precision, recall = (
        bcubed(cell_sum(average=average)(table), table, average=average)
        for cell_sum in (bcubed_precision_sum, bcubed_recall_sum)
    )
    # Both are positive. Written so, a large weight of the recall does not overflow.
    return (1 + weight) / (1 / precision + weight / recall)


# --------------------------------------------------------------------------- occupied cells


def _check_occupied(margins: Margins, name: str) -> None:
    """Raise ValueError for real-valued counts, of which a small share would count as an object."""
    require_whole(margins, name, "bcubed_f_score or its two sides")


def muc_precision(occupied: float, margins: Margins) -> float:
    _check_occupied(margins, "muc_precision_score")
    links = margins.n_samples - len(margins.col_sums)
    return ratio(margins.n_samples - occupied, links, margins, "muc_precision_score")


def muc_recall(occupied: float, margins: Margins) -> float:
    _check_occupied(margins, "muc_recall_score")
    links = margins.n_samples - len(margins.row_sums)
    return ratio(margins.n_samples - occupied, links, margins, "muc_recall_score")


def muc_f(occupied: float, margins: Margins) -> float:
    _check_occupied(margins, "muc_f_score")
    links = 2 * margins.n_samples - len(margins.row_sums) - len(margins.col_sums)
    return ratio(2 * (margins.n_samples - occupied), links, margins, "muc_f_score")


def split_count(occupied: float, margins: Margins) -> float:
    _check_occupied(margins, "split_count")
    return occupied - len(margins.row_sums)


def merge_count(occupied: float, margins: Margins) -> float:
    _check_occupied(margins, "merge_count")
    return occupied - len(margins.col_sums)


def merge_distance(occupied: float, margins: Margins) -> float:
    _check_occupied(margins, "merge_distance")
    return 2 * occupied - (len(margins.row_sums) + len(margins.col_sums))


# --------------------------------------------------------------------------- single objects


def element_centric_similarity(total: float, margins: Margins, *, alpha: float = 0.9) -> float:
    # For partitions it is the same for every alpha.
    require_whole(margins, "element_centric_similarity_score", "bcubed_f_score or its two sides")
    return mean_of(total, margins.n_samples)


# --------------------------------------------------------------------------- association


def cramers_v(table: ContingencyTable) -> float:
    return _cramers_v(chi_squared(table), table)


def cramers_v_of(total: float, margins: Margins) -> float:
    """Return the index at another value of the sum of squares over both sizes."""
    return _cramers_v(chi_squared_of(total, margins), margins)


def _cramers_v(chi_squared: float, margins: Margins) -> float:
    freedom = min(len(margins.row_sums), len(margins.col_sums)) - 1
    return _association(chi_squared, freedom, margins, "cramers_v_score")


def tschuprow(table: ContingencyTable) -> float:
    return _tschuprow(chi_squared(table), table)


def tschuprow_of(total: float, margins: Margins) -> float:
    """Return the index at another value of the sum of squares over both sizes."""
    return _tschuprow(chi_squared_of(total, margins), margins)


def _tschuprow(chi_squared: float, margins: Margins) -> float:
    freedom = math.sqrt((len(margins.row_sums) - 1) * (len(margins.col_sums) - 1))
    return _association(chi_squared, freedom, margins, "tschuprow_score")


def _association(chi_squared: float, freedom: float, margins: Margins, name: str) -> float:
    if margins.is_identity:
        return 1.0
    square = ratio(chi_squared, margins.n_samples * freedom, margins, name)
    return min(math.sqrt(max(square, 0.0)), 1.0)
