"""What a cell of a contingency table adds to an index, on the nodes of its law."""

from __future__ import annotations

import numpy as np

from sklearn_clustcompare._chance.hypergeometric import NodeBlock
from sklearn_clustcompare._numerics import FloatArray, entropy_excess, power_gap

# Up to this |n / mu - 1| the binomial series replaces a difference of powers.
_SERIES_RADIUS = 0.1


def convex_gain(block: NodeBlock, q: float) -> FloatArray:
    """N^-q f(n): what a cell adds to MI_q beyond its tangent at the mean, non-negative."""
    laws = block.laws
    if q == 1.0:
        return entropy_excess(block.counts, block.deviations, laws.mean) / laws.n_samples
    independent = laws.mean / laws.n_samples
    relative = block.deviations / laws.mean
    near = np.abs(relative) < _SERIES_RADIUS
    if near.all():
        return independent**q * _binomial_tail(relative, q)
    log_ratio = np.log1p(np.maximum(relative, -1.0 + 1e-15))
    share = block.counts / laws.n_samples
    gap = power_gap(np.maximum(share, 1e-15 * independent), independent, log_ratio, q - 1.0)
    gain = share * gap - independent ** (q - 1.0) * (block.deviations / laws.n_samples)
    series = independent**q * _binomial_tail(np.where(near, relative, 0.0), q)
    return np.where(near, series, gain)


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


def variation_gain(block: NodeBlock, q: float) -> FloatArray:
    """(n / N)^q ((a / n)^(q-1) + (b / n)^(q-1) - 2) / (q - 1): what a cell adds to VI_q."""
    laws = block.laws
    if q != 1.0:
        return conditional_gain(block, laws.row_size, q) + conditional_gain(block, laws.col_size, q)
    present = np.maximum(block.counts, 1.0)
    row_excess = (laws.row_size - block.counts) / present
    col_excess = (laws.col_size - block.counts) / present
    share = block.counts / laws.n_samples
    return share * np.log1p(row_excess + col_excess + row_excess * col_excess)


def conditional_gain(block: NodeBlock, given_size: FloatArray, q: float) -> FloatArray:
    """(n / N)^q ((b / n)^(q-1) - 1) / (q - 1): what a cell adds to H_q(U | V), given b.

    With a in place of b it is what the cell adds to H_q(V | U).
    """
    present = np.maximum(block.counts, 1.0)
    log_ratio = np.log1p((given_size - block.counts) / present)
    n = block.laws.n_samples
    gap = power_gap(given_size / n, present / n, log_ratio, q - 1.0)
    return block.counts / n * gap


def variance_gain(block: NodeBlock, q: float) -> FloatArray:
    """N^-q phi(n) of cells of mean 1 or less, N^-q f(n) of larger ones.

    They differ by a linear function. phi is zero at 0 and 1, the only counts of most small cells;
    the tangent would add something large that cancels between cells.
    """
    without = block.laws.mean <= 1.0
    if not without.any():
        return convex_gain(block, q)
    n = block.laws.n_samples
    present = np.maximum(block.counts, 1.0)
    gap = power_gap(present / n, 1.0 / n, np.log(present), q - 1.0)
    raw = block.counts / n * gap
    return raw if without.all() else np.where(without, raw, convex_gain(block, q))
