"""Arithmetic without the loss of digits of plain products, sums and differences."""

from __future__ import annotations

import math
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
from scipy.sparse import issparse
from scipy.stats import rankdata

from sklearn_clustcompare._array_types import Array, FloatArray, IntArray, Mask

# Beyond this |t / (n + e)| a logarithm is cheaper than its series, and accurate enough.
_SERIES_RADIUS = 0.06

# The logarithm loses 1 + log2(e) bits at n = e; below this limit the loss is negligible.
_LARGEST_PLAIN_CELL = 8.0


# From this shape on, three terms of Stirling's series are exact to double precision.
_SMALLEST_STIRLING_SHAPE = 100.0

# Entries of a symmetric matrix differ by no more than this share of the largest one.
_ASYMMETRY = 1e-8
# Rows and columns that are compared at a time with their transpose, in the cache.
_TILE = 2**8

# Values with a smaller relative difference are ties, so that rounding does not decide.
TIE = 1e-12

# Of a common unit, the smallest number is at most this multiple, and the largest at most that one:
# otherwise any number would be a multiple up to rounding.
_MOST_UNITS, _MOST_MULTIPLES = 10**6, 10**11


def ranked(
    values: FloatArray, *, greater_is_better: bool = True, method: str = "min"
) -> FloatArray:
    """Rank the values of each row, 1 for the best; ties share a rank, and NaN the last one.

    ``method`` is the rank that ties share, as in :func:`scipy.stats.rankdata`.
    """
    losses = -values if greater_is_better else values
    order = np.argsort(losses, axis=-1)  # NaN at the end
    ordered = np.take_along_axis(losses, order, -1)
    low, high = ordered[..., :-1], ordered[..., 1:]
    with np.errstate(invalid="ignore", over="ignore"):
        gap = high - low
    is_close = np.isfinite(gap) & (gap <= TIE * np.maximum(np.abs(low), np.abs(high)))
    is_tie = is_close | (low == high) | np.isnan(low)
    places = np.zeros(losses.shape)
    places[..., 1:] = np.cumsum(~is_tie, axis=-1)
    ranks: FloatArray = np.empty(losses.shape)
    np.put_along_axis(ranks, order, rankdata(places, method=method, axis=-1), -1)
    return ranks


def are_best(values: FloatArray, *, greater_is_better: bool = True) -> Mask:
    """Return which values of each row are the best up to rounding; none if all are NaN."""
    ranks = ranked(values, greater_is_better=greater_is_better)
    best: Mask = (ranks == 1) & ~np.isnan(values)
    return best


def equal_ties(values: FloatArray) -> FloatArray:
    """Return values of which those that differ by rounding alone are equal."""
    ranks: FloatArray = np.sort(values)[ranked(values, greater_is_better=False).astype(int) - 1]
    return ranks


def whole_multiples(values: FloatArray) -> IntArray | None:
    """Return positive numbers as multiples of their largest common unit, up to rounding.

    None if there is no such unit, or if the smallest value is a large multiple of it.
    """
    with np.errstate(over="ignore"):  # memberships can be too small to divide by
        ratios, divisor = values / values.min(), 1
    while divisor <= _MOST_UNITS:
        multiples = ratios * divisor
        whole = np.rint(multiples)
        if whole.max() > _MOST_MULTIPLES:
            return None
        off = np.abs(multiples - whole) > TIE * whole
        if not off.any():
            return whole.astype(np.int64)
        divisor *= _denominator(float(multiples[off.argmax()]))
    return None


def _denominator(value: float) -> int:
    """Return the denominator of the simplest fraction that a number is, up to rounding."""
    previous, denominator, rest = 0, 1, value % 1.0
    while rest and denominator <= _MOST_UNITS:
        whole, rest = divmod(1.0 / rest, 1.0)
        previous, denominator = denominator, int(whole) * denominator + previous
        if abs(value * denominator - round(value * denominator)) <= TIE * value * denominator:
            break
    return denominator


def known_mean(values: FloatArray, axis: int = -1) -> FloatArray:
    """Return means without NaN; NaN where there is nothing else."""
    counts = (~np.isnan(values)).sum(axis=axis)
    sums = np.nansum(values, axis=axis)
    return np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0)


def silhouettes_of(within: FloatArray, nearest: FloatArray) -> FloatArray:
    """Return (b - a) / max(a, b) for distances a within a cluster and b to the nearest; 0 for 0/0.

    That is the silhouette coefficient, and the isolation of groups.
    """
    larger = np.maximum(within, nearest)
    return np.divide(nearest - within, larger, out=np.zeros(larger.shape), where=larger > 0)


def divide_product(
    left: FloatArray, right: FloatArray, divisor: float
) -> tuple[FloatArray, FloatArray]:
    """Quotient left * right / divisor of whole numbers as an unevaluated sum of two floats."""
    product, product_low = two_product(left, right)
    quotient = product / divisor
    back, back_low = two_product(quotient, np.array([divisor]))
    return quotient, ((product - back) - back_low + product_low) / divisor


def sum_of_quotients(numerators: FloatArray, denominators: FloatArray) -> float:
    """Return the sum of quotients of whole numbers, rounded once: equal sums are the same float."""
    quotients = numerators / denominators
    product, product_low = two_product(quotients, denominators)
    rests = ((numerators - product) - product_low) / denominators
    return math.fsum(np.concatenate([quotients, rests]).tolist())


def two_product(left: FloatArray, right: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return a product and its rounding error (Dekker, 1971)."""
    product = left * right
    left_high, left_low = _split(left)
    right_high, right_low = _split(right)
    error = left_high * right_high - product
    error += left_high * right_low
    error += left_low * right_high
    error += left_low * right_low
    return product, error


def _split(value: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Halves of a float, of 26 bits each (Veltkamp)."""
    shifted = 134217729.0 * value
    high = shifted - (shifted - value)
    return high, value - high


def entropy_excess(counts: FloatArray, deviations: FloatArray, expected: FloatArray) -> FloatArray:
    """Return n ln(n / e) - (n - e), non-negative, from n, n - e and e.

    This is the deviance term of [1]_, and also the contribution of the cell to the mutual
    information.
    """
    reduced = deviations / (counts + expected)
    radius = max(reduced.max(initial=0.0), -reduced.min(initial=0.0))
    if radius <= _SERIES_RADIUS:
        return _excess_series(counts, deviations, reduced, radius)
    # For an empty cell it is zero times the logarithm of zero; the bound keeps it finite.
    excess = np.log1p(np.maximum(deviations / expected, -1.0 + 1e-15))
    excess *= counts
    excess -= deviations
    if expected.max() > _LARGEST_PLAIN_CELL:
        near = np.abs(reduced) <= _SERIES_RADIUS
        excess[near] = _excess_series(counts[near], deviations[near], reduced[near], _SERIES_RADIUS)
    return excess


def _excess_series(
    counts: FloatArray, deviations: FloatArray, reduced: FloatArray, radius: float
) -> FloatArray:
    # ln(n / e) = 2 artanh(v), v = (n - e) / (n + e); the leading terms combine to (n - e) v.
    square = reduced * reduced
    n_terms = 1 if radius < 1e-9 else int(np.ceil(-19.0 / np.log(radius)))
    series = np.full_like(square, 2.0 / (2 * n_terms + 1))
    for power in range(2 * n_terms - 1, 2, -2):
        series *= square
        series += 2.0 / power
    series *= square
    series *= counts
    series += deviations
    series *= reduced
    return series


def power_gap(
    value: FloatArray, base: FloatArray | float, log_ratio: FloatArray, exponent: float
) -> FloatArray:
    """(value^e - base^e) / e, given ln(value / base); nothing cancels or overflows."""
    if exponent == 0.0:
        return log_ratio
    larger = np.maximum(value, base) if exponent > 0.0 else np.minimum(value, base)
    size = abs(exponent)
    ratio_gap = np.copysign(np.expm1(-size * np.abs(log_ratio)) / size, log_ratio)
    result: FloatArray = larger**exponent * ratio_gap
    return result


def deformed_log(whole: Any, part: Any, q: float) -> Any:
    """Return (1 - (part/whole)^(q-1)) / (q-1), which is log(whole/part) for q = 1."""
    log_ratio = log_quotient(whole, part, whole - part)
    return log_ratio if q == 1 else -np.expm1((1 - q) * log_ratio) / (q - 1)


def log_quotient(whole: Any, part: Any, rest: Any) -> Any:
    """Return log(whole / part) of a whole that exceeds its part by a rest that is not negative."""
    with np.errstate(over="ignore"):
        log_ratio = np.log1p(rest / part)
    if np.isinf(log_ratio).any():  # memberships can be too small to divide by
        log_ratio = np.where(np.isinf(log_ratio), np.log(whole) - np.log(part), log_ratio)
    return log_ratio


def ordered_sum(values: Array) -> Any:
    """Add numbers so that the sum does not depend on their order, to the last bit."""
    if values.dtype.kind == "i":
        return int(np.add.reduce(values))
    return float(np.sort(values).sum())


def log_gamma_density(shape: float, value: float) -> float:
    """Return ln(x^a e^-x / Gamma(a)) by the deviation of x from a and Stirling's series."""
    relative = (value - shape) / shape
    density = -shape * (relative - math.log1p(relative))
    if shape < _SMALLEST_STIRLING_SHAPE:
        return density + shape * math.log(shape) - shape - math.lgamma(shape)
    return density + math.log(shape / (2 * math.pi)) / 2 - (1 - 1 / (30 * shape**2)) / (12 * shape)


def log_gamma_tail(shape: float, value: float) -> float:
    """Return ln Q(a, x) of the regularized incomplete gamma function, for x far above a.

    That of x^a e^-x / Gamma(a), plus that of the continued fraction by Lentz's method [1]_.

    .. [1] W. H. Press et al., "Numerical Recipes", 3rd ed., 2007, sec. 5.2 and 6.2
    """
    density = log_gamma_density(shape, value)
    below = value + 1 - shape
    ratio = math.inf
    inverse = fraction = 1 / below
    step = 0
    while True:
        step += 1
        numerator = step * (shape - step)
        below += 2
        ratio = below + numerator / ratio
        inverse = 1 / (below + numerator * inverse)
        fraction *= ratio * inverse
        if abs(ratio * inverse - 1) < 1e-14:
            return density + math.log(fraction)


def log_gamma_start(shape: float, value: float) -> float:
    """Return ln P(a, x) of the regularized incomplete gamma function, for x far below a.

    That of x^a e^-x / Gamma(a), plus that of the series 1 / a + x / (a (a + 1)) + ...
    """
    term = total = 1 / shape
    step = 0
    while term > 1e-17 * total:
        step += 1
        term *= value / (shape + step)
        total += term
    return log_gamma_density(shape, value) + math.log(total)


def is_symmetric(X: Any) -> bool:
    """Return whether data are a symmetric matrix of numbers, up to rounding."""
    if getattr(X, "ndim", 2) != 2 or len(set(np.shape(X))) != 1:
        return False
    if issparse(X):
        gaps = abs(X - X.T)
        return bool(gaps.max() <= _ASYMMETRY * abs(X).max())
    values = np.asarray(X)
    if values.dtype.kind not in "iuf":
        return False
    sides = [slice(start, start + _TILE) for start in range(0, len(values), _TILE)]
    pairs = combinations_with_replacement(sides, 2)
    tiles = ((values[rows, columns], values[columns, rows].T) for rows, columns in pairs)
    unequal = [both for both in tiles if not np.array_equal(*both)]
    tolerance = _ASYMMETRY * max(map(largest_finite, values), default=0.0) if unequal else 0.0
    return all(np.allclose(*both, rtol=0.0, atol=tolerance, equal_nan=True) for both in unequal)


def largest_finite(values: Array) -> float:
    return float(np.abs(values[np.isfinite(values)]).max(initial=0.0))
