"""Contribution of a cell of a contingency table to an index.

Counts n come as shares of a ``unit``, n / c. A sum over all cells, which is of the order N^-q if
c = N, does not underflow for a large order q if c is of the size of the cells.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare import _kernels
from sklearn_clustcompare._chance.margins import Margin, margin_entropy
from sklearn_clustcompare._kernels.hypergeometric import NodeBlock, sums_of_means
from sklearn_clustcompare._numerics import (
    FloatArray,
    deformed_log,
    entropy_excess,
    log_quotient,
    power_gap,
)

# Up to this |n / mu - 1| the binomial series replaces a difference of powers.
_SERIES_RADIUS = 0.1
# Below this order the gain is in proportion to it.
_SMALL_ORDER = 0.25


def convex_gain(
    counts: FloatArray, deviations: FloatArray, mean: FloatArray, unit: float, q: float
) -> FloatArray:
    """c^-q f(n): contribution of a cell to MI_q beyond its tangent at the mean, non-negative."""
    if q == 1.0:
        return entropy_excess(counts, deviations, mean) / unit
    scale = (mean / unit) ** q
    relative = deviations / mean
    near = np.abs(relative) < _SERIES_RADIUS
    if near.all():
        return scale * _binomial_tail(relative, q)
    independent = mean / unit
    log_ratio = np.log1p(np.maximum(relative, -1.0 + 1e-15))
    share = counts / unit
    if q < _SMALL_ORDER:  # both terms of a form that holds for all others are much larger
        gain = np.where(counts > 0.0, np.expm1(q * log_ratio), -1.0) - q * relative
        gain *= scale / (q - 1.0)
    else:
        gap = power_gap(np.maximum(share, 1e-15 * independent), independent, log_ratio, q - 1.0)
        gain = share * gap - independent ** (q - 1.0) * (deviations / unit)
    series = scale * _binomial_tail(np.where(near, relative, 0.0), q)
    return np.where(near, series, gain)


def shared_information(
    counts: FloatArray,
    deviations: FloatArray,
    mean: FloatArray,
    sizes: tuple[FloatArray, FloatArray],
    n_samples: float,
    q: float,
) -> tuple[FloatArray, FloatArray]:
    """Return what the objects of a cell contribute to MI_q, p (1 - a^e - b^e + p^e) / e.

    For shares p, a, b of the cell and of both clusters, e = q - 1. Nothing is left out, so empty
    cells contribute nothing, however many objects are expected in them. Of three ways to write it
    as a sum of two terms, none of which loses digits, the one with the smallest terms is taken; the
    sum of their sizes is returned as well.
    """
    exponent = q - 1.0
    present = np.where(counts > 0.0, counts, 1.0)
    log_ratio = log_quotient(present, mean, np.maximum(deviations, 0.0))
    log_ratio -= log_quotient(mean, present, np.maximum(-deviations, 0.0))
    gap = power_gap(present / n_samples, mean / n_samples, log_ratio, exponent)
    row, col = (deformed_log(n_samples, side, q) for side in sizes)
    row_left, col_left = (
        (side / n_samples) ** exponent * deformed_log(side, present, q) for side in sizes
    )
    forms = [(gap, exponent * (row * col)), (row, -col_left), (col, -row_left)]
    values = np.array([first + second for first, second in forms])
    magnitudes = np.array([np.abs(first) + np.abs(second) for first, second in forms])
    # Where two forms are as good, their mean: swapped partitions have the same value.
    least = magnitudes.min(axis=0)
    is_least = magnitudes == least
    share = counts / n_samples
    return share * (values * is_least).sum(axis=0) / is_least.sum(axis=0), share * least


def _binomial_tail(relative: FloatArray, q: float) -> FloatArray:
    """((1 + u)^q - 1 - q u) / (q - 1) for small u, by the binomial series."""
    coefficients = [q / 2.0]
    bound = coefficients[0]
    radius = float(np.abs(relative).max(initial=0.0))
    power = 2
    while abs(bound) > 1e-18 * q:
        coefficients.append(coefficients[-1] * (q - power) / (power + 1))
        power += 1
        bound = coefficients[-1] * radius ** (power - 2)
    series = np.full_like(relative, coefficients[-1])
    for coefficient in reversed(coefficients[:-1]):
        series *= relative
        series += coefficient
    series *= relative
    series *= relative
    return series


# --------------------------------------------------------------------------- sums of means


def expected_convex_gain(rows: Margin, cols: Margin, n_samples: float, q: float) -> float:
    """Mean of MI_q beyond its value at independence."""
    if q == 2.0:
        independent = margin_entropy(rows, n_samples, q) * margin_entropy(cols, n_samples, q)
        return independent / max(n_samples - 1.0, 1.0)
    in_rows, _ = convex_gain_sums(rows, cols, n_samples, q)
    return rows.total(in_rows)


def convex_gain_sums(
    rows: Margin, cols: Margin, n_samples: float, q: float
) -> tuple[FloatArray, FloatArray]:
    """Mean parts in MI_q, beyond the value at independence, of a cluster of each size."""
    if q == 1.0:
        in_rows, in_cols = _kernels.convex_gain_sums(*rows, *cols, n_samples)
        return in_rows / n_samples, in_cols / n_samples
    return sums_of_means(
        *rows,
        *cols,
        n_samples,
        lambda block: convex_gain(block.counts, block.deviations, block.laws.mean, n_samples, q),
        growth=max(q - 2.0, 0.0),
    )


def expected_shared_information(
    rows: Margin, cols: Margin, n_samples: float, q: float
) -> tuple[float, float]:
    """Mean of MI_q by its sum over occupied cells, and the mean of the sizes of the terms."""

    def total(part: int) -> float:
        sums = sums_of_means(*rows, *cols, n_samples, lambda block: _shared(block, q)[part])
        return rows.total(sums[0])

    return total(0), total(1)


def _shared(block: NodeBlock, q: float) -> tuple[FloatArray, FloatArray]:
    laws = block.laws
    sizes = laws.row_size, laws.col_size
    return shared_information(block.counts, block.deviations, laws.mean, sizes, laws.n_samples, q)


def conditional_gain_sums(
    rows: Margin, cols: Margin, n_samples: float, q: float
) -> tuple[FloatArray, FloatArray]:
    """Mean parts in H_q(U | V) of a row cluster of each size, and of columns in H_q(V | U)."""
    if q == 1.0:
        in_rows, in_cols = _kernels.conditional_gain_sums(*rows, *cols, n_samples)
        return in_rows / n_samples, in_cols / n_samples
    return sums_of_means(
        *rows,
        *cols,
        n_samples,
        lambda block: _conditional_gain(block, block.laws.col_size, q),
        lambda block: _conditional_gain(block, block.laws.row_size, q),
    )


def _conditional_gain(block: NodeBlock, given_size: FloatArray, q: float) -> FloatArray:
    """(n / N)^q ((b / n)^(q-1) - 1) / (q - 1): contribution to H_q(U | V), given b.

    With a instead of b it is the contribution to H_q(V | U).
    """
    present = np.maximum(block.counts, 1.0)
    log_ratio = np.log1p((given_size - block.counts) / present)
    n = block.laws.n_samples
    gap = power_gap(given_size / n, present / n, log_ratio, q - 1.0)
    return block.counts / n * gap


# --------------------------------------------------------------------------- beyond a line


def middle_unit(rows: Margin, cols: Margin, n_samples: float) -> float:
    """Unit half way, as powers go, between the largest mean of a cell and the largest cell."""
    row_top, col_top = rows.sizes[-1], cols.sizes[-1]
    largest_mean = max(row_top * (col_top / n_samples), 1.0)
    return float(np.sqrt(min(row_top, col_top) * largest_mean))


def has_tangent(mean: FloatArray) -> NDArray[np.bool_]:
    """Whether the line that ``gain_beyond_line`` leaves out is the tangent at the mean."""
    result: NDArray[np.bool_] = mean > 1.0
    return result


def gain_beyond_line(
    counts: FloatArray, deviations: FloatArray, mean: FloatArray, unit: float, q: float
) -> FloatArray:
    """c^-q phi(n) without a line: zero for cells of mean 1 or less, the tangent for larger ones.

    Non-negative, and zero or small where a cell varies little. phi is zero at 0 and 1, the only
    counts of most small cells; their tangents would add large terms that cancel between cells.
    """
    tangent = has_tangent(mean)
    if tangent.all():
        return convex_gain(counts, deviations, mean, unit, q)
    present = np.maximum(counts, 1.0)
    gap = power_gap(present / unit, 1.0 / unit, np.log(present), q - 1.0)
    raw = counts / unit * gap
    if not tangent.any():
        return raw
    return np.where(tangent, convex_gain(counts, deviations, mean, unit, q), raw)


def slopes_of_lines(
    rows: Margin, cols: Margin, n_samples: float, unit: float, q: float
) -> FloatArray:
    """Slopes in n / c, by row size and column size, of the lines left out in ``gain_beyond_line``.

    With e = q - 1 they are (q (mu / c)^e - c^-e) / e for tangents and 0 else. Margins are fixed:
    terms that are constant in a row, in a column, or overall, may be left out. The slope of a
    tangent is r_i + c_j + k + q e A_i B_j for powers A, B relative to the largest cluster; r_i, c_j
    and k, which can be large, are subtracted from the cells without tangents rather than added to
    those with one, and are left out if a whole row or column has none.
    """
    exponent = q - 1.0
    mean = np.outer(rows.sizes, cols.sizes) / n_samples
    tangent = has_tangent(mean)
    if not tangent.any():
        return np.zeros(tangent.shape)
    row_gap, col_gap = (
        power_gap(sizes / sizes[-1], 1.0, _log_ratios(sizes), exponent)
        for sizes in (rows.sizes, cols.sizes)
    )
    scale = q * float(mean[-1, -1] / unit) ** exponent
    product = scale * exponent * np.outer(row_gap, col_gap)  # the same to the last bit if swapped
    if tangent.all():
        return product
    row_mixed = tangent.any(axis=1, keepdims=True)
    col_mixed = tangent.any(axis=0, keepdims=True)
    additive = scale * (row_gap[:, np.newaxis] * row_mixed + col_gap * col_mixed)
    additive += _tangent_slope(mean[-1:, -1:], unit, q) * (row_mixed * 1.0 + col_mixed - 1.0)
    if q >= 1.0:  # the same, except for r_i + c_j + k of cells that hardly differ from the largest
        both = row_mixed & col_mixed & ~tangent
        additive[both] = _tangent_slope(mean[both], unit, q) - product[both]
    return np.where(tangent, product, -additive)


def _tangent_slope(mean: FloatArray, unit: float, q: float) -> FloatArray:
    share = mean / unit
    return share ** (q - 1.0) + power_gap(share, 1.0 / unit, np.log(mean), q - 1.0)


def _log_ratios(sizes: FloatArray) -> FloatArray:
    """Logarithms of sizes relative to the last, the largest; accurate for almost equal sizes."""
    relative = (sizes - sizes[-1]) / sizes[-1]
    near = np.log1p(np.maximum(relative, -0.5))
    return np.where(relative > -0.5, near, np.log(sizes / sizes[-1]))
