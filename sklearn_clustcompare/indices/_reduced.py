"""Reduced mutual information: shared information less the cost of the contingency table.

A sequence with n_1 to n_q objects of each label is encoded with its Dirichlet-multinomial
probability of concentration alpha, which depends on these numbers only. The candidate is encoded
twice: by itself, and within each cluster of the reference, each time with the best alpha. The
reduced information is the difference of the two code lengths.

All factorials cancel in that difference. The remaining terms are logarithms of rising factorials
over powers, sum of log(1 + k/m) for k below n: with m = alpha for each cell and m = q alpha for
each sum of cells. They vanish as alpha grows, so no digits are lost at any alpha.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar
from scipy.special import gammaln

from sklearn_clustcompare._numerics import FloatArray
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare.indices._information import in_base
from sklearn_clustcompare.indices._undefined import ratio, require_whole

Counts = NDArray[np.int64]

# From here on three terms of Stirling's series are exact to double precision.
_LARGE = 100.0
# Per object, lengths that are not smaller than 0 by more are 0, the one for infinite alpha.
_ROUNDING = 4 * float(np.finfo(float).eps)
# No smallest length lies beyond these bounds: 10^12 N^2 and its inverse, as a logarithm.
_FAR = 12 * math.log(10)


def reduced_mutual_info(
    table: ContingencyTable, *, normalize: bool = False, base: float | None = None
) -> float:
    name = "reduced_mutual_info_score"
    require_whole(table, name, "mutual_info_score")
    if not normalize:
        return in_base(_reduced_nats(table.row_sums, table.col_sums, table.cell_counts), base, 1)
    if base is not None:
        msg = f"base must be None for a normalized score, which has no unit, got {base!r}"
        raise ValueError(msg)
    if table.is_identity:
        return 1.0
    sizes = table.col_sums
    if len(sizes) in (1, table.n_samples):  # encoding them costs as much as their information
        return ratio(0, 0, table, name)
    most = _reduced_nats(sizes, sizes, sizes)
    return min(_reduced_nats(table.row_sums, sizes, table.cell_counts) / most, 1.0)


def unit(*, normalize: bool = False, base: float | None = None) -> str:
    if normalize or base is None:
        return "" if normalize else "nats"
    return "bits" if base == 2 else f"base {base:g}"


def _reduced_nats(row_sums: Counts, col_sums: Counts, cells: Counts) -> float:
    if not len(cells):
        return 0.0
    n_labels = len(col_sums)
    alone = _shortest(col_sums.sum(keepdims=True), col_sums, n_labels)
    return alone - _shortest(row_sums, cells, n_labels)


def _shortest(totals: Counts, parts: Counts, n_labels: int) -> float:
    """Return the smallest code length for any alpha, less that for infinite alpha.

    The code has sequences of ``totals`` objects, which are made of ``parts``.
    """
    # A single object has length 0.
    summed, kept = (np.unique(counts[counts > 1], return_counts=True) for counts in (totals, parts))

    def length(log_alpha: FloatArray) -> FloatArray:
        alpha = np.exp(log_alpha)[..., np.newaxis]
        rises = _log_rise(n_labels * alpha, summed[0]) @ summed[1]
        return np.asarray(rises - _log_rise(alpha, kept[0]) @ kept[1])

    reach = math.ceil(_FAR + 2 * math.log(totals.sum()))
    grid = np.arange(-reach, reach + 1.0)
    on_grid = length(grid)
    nearest = int(on_grid.argmin())
    lengths = [0.0]
    if on_grid[nearest] < -_ROUNDING * float(totals.sum()) and 0 < nearest < len(grid) - 1:
        found = minimize_scalar(
            lambda log_alpha: float(length(np.asarray(log_alpha))),
            bounds=(grid[nearest - 1], grid[nearest + 1]),
            method="bounded",
            options={"xatol": 1e-7},
        )
        lengths.append(float(found.fun))
    if len(totals) == len(parts):  # one label for each total, as for alpha = 0
        lengths.append(-math.log(n_labels) * float((totals - 1).sum()))
    return min(lengths)


def _log_rise(start: FloatArray, count: Counts) -> FloatArray:
    """Return log(m (m + 1) ... (m + n - 1) / m^n), without a difference of large terms."""
    n = count.astype(np.float64)
    end = start + n
    plain = gammaln(end) - gammaln(start) - n * np.log(start)
    large = np.maximum(start, _LARGE)
    series = (end - 0.5) * np.log1p(n / large) - n + (_stirling(large + n) - _stirling(large))
    return np.where(start < _LARGE, plain, series)


def _stirling(value: FloatArray) -> FloatArray:
    square = value * value
    return (1 / 12 - (1 / 360 - 1 / (1260 * square)) / square) / value
