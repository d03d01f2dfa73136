"""Cumulants of S = sum n ln n over the cells, nearly: those of squares, corrected cell by cell.

In each cell the regression line is taken out of f(n) = n ln n and of n^2, which leaves F and Q.
Lines hardly vary in sums, and F is nearly w Q with w = E FQ / E Q^2. If w_ij is about x_i y_j,

    kappa_m(S) = kappa_m(sum x_i y_j n_ij^2) + sum_ij (kappa_m(F_ij) - (x_i y_j)^m kappa_m(Q_ij)),

of which the first term is exact (``square_moments``) and contains the dependence of the cells. The
variance is known exactly as well: the quotient of both shows how far the others can be trusted. The
cost does not depend on the number of objects. Of more than 256 different sizes on a side those that
differ by less than 3 % count as one in the single cells, but not in the first term.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._chance.cells import gain_beyond_line
from sklearn_clustcompare._chance.margins import Margin
from sklearn_clustcompare._chance.square_moments import square_sum_moments
from sklearn_clustcompare._kernels.hypergeometric import NodeBlock, node_blocks, pair_chunks
from sklearn_clustcompare._numerics import FloatArray

# Fourth powers of squares grow by this much faster than a variance.
_GROWTH = 6.0
_PRECISION = 36.0
# Weights are multiples of 2 to the power of minus this, relative to the largest one.
_WEIGHT_BITS = 80
# Beyond this many different sizes on a side, close ones count as one.
_MOST_SIZES, _CLOSE = 256, 0.03
# Alternating least squares of a product end at a relative change of this much.
_SMALL_CHANGE, _MOST_ROUNDS = 1e-9, 50


class Cumulants(NamedTuple):
    """Approximate cumulants of orders 2, 3 and 4."""

    second: float
    third: float
    fourth: float


def information_cumulants(rows: Margin, cols: Margin, n_samples: float) -> Cumulants:
    """Return the cumulants of the sum of n ln n over the cells."""
    (some_rows, row_groups), (some_cols, col_groups) = _fewer_sizes(rows), _fewer_sizes(cols)
    parts = _of_cells(some_rows, some_cols, n_samples)
    slopes, squares = parts.slope, parts.of_squares[0]
    times = np.outer(some_rows.multiplicities, some_cols.multiplicities)
    x, y = _as_product(slopes, squares * times)
    of_rows, of_cols = (
        [
            (int(size), round(weight * 2**_WEIGHT_BITS), int(count))
            for size, count, weight in zip(*margin, weights, strict=True)
        ]
        for margin, weights in ((rows, x[row_groups]), (cols, y[col_groups]))
    )
    of_product = square_sum_moments(of_rows, of_cols, 2.0 ** (-2 * _WEIGHT_BITS)).cumulants()
    product = np.outer(x, y)
    return Cumulants(
        *(
            whole + float((times * (own - product**order * square)).sum())
            for order, whole, own, square in zip(
                (2, 3, 4), of_product, parts.of_function, parts.of_squares, strict=True
            )
        )
    )


def _fewer_sizes(margin: Margin) -> tuple[Margin, NDArray[np.intp]]:
    """Return groups of close sizes with their rounded means, and the group of each size."""
    sizes, times = margin
    if sizes.size <= _MOST_SIZES:
        return margin, np.arange(sizes.size)
    steps = np.floor(np.log(sizes) / math.log1p(_CLOSE))
    groups = np.unique(steps, return_inverse=True)[1].reshape(-1)
    grouped: FloatArray = np.bincount(groups, times).astype(np.float64)
    means = np.rint(np.bincount(groups, sizes * times) / grouped)
    return Margin(means, grouped), groups


class _Cells(NamedTuple):
    """Slope of F on Q, and cumulants of both, by row size and column size."""

    slope: FloatArray
    of_function: FloatArray
    of_squares: FloatArray


def _of_cells(rows: Margin, cols: Margin, n_samples: float) -> _Cells:
    found = np.zeros((7, rows.sizes.size, cols.sizes.size))
    for some, laws in pair_chunks(rows.sizes, cols.sizes, n_samples):
        chunk = np.zeros((7, laws.mean.size))
        for block in node_blocks(laws, _PRECISION, _GROWTH):
            chunk[:, block.pairs] = _of_block(block)
        found[:, some] = chunk.reshape(7, -1, cols.sizes.size)
    return _Cells(found[0], found[1:4], found[4:])


def _of_block(block: NodeBlock) -> FloatArray:
    deviations, weights = block.deviations, block.weights
    spread = _mean(weights, deviations * deviations)
    spread[spread == 0] = 1.0
    residuals = []
    for values in (
        gain_beyond_line(block.counts, deviations, block.laws.mean, 1.0, 1.0),
        deviations * deviations,
    ):
        values = values - _mean(weights, values)
        values -= deviations * (_mean(weights, values * deviations) / spread)
        residuals.append(values)
    own, square = residuals
    with np.errstate(invalid="ignore"):
        slope = np.nan_to_num(_mean(weights, own * square) / _mean(weights, square * square))
    return np.stack([slope, *_cumulants(weights, own), *_cumulants(weights, square)])


def _cumulants(weights: FloatArray, values: FloatArray) -> tuple[FloatArray, ...]:
    squares = values * values
    second = _mean(weights, squares)
    return (
        second,
        _mean(weights, squares * values),
        _mean(weights, squares * squares) - 3 * second * second,
    )


def _mean(weights: FloatArray, values: FloatArray) -> FloatArray:
    result: FloatArray = np.einsum("ij,ij->j", weights, values)
    return result


def _as_product(values: FloatArray, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return x and y whose products come closest to the values, in weighted squares."""
    y = np.ones(values.shape[1])
    weighted = weights * values
    scale = weights.sum() or 1.0
    for _ in range(_MOST_ROUNDS):
        x = weighted @ y / np.maximum(weights @ (y * y), 1e-300 * scale)
        old, y = y, x @ weighted / np.maximum((x * x) @ weights, 1e-300 * scale)
        if np.abs(y - old).max() <= _SMALL_CHANGE * np.abs(y).max():
            break
    return x, y
