"""Moments of MI_q under permutation by their definition, in exact and in 500-bit arithmetic.

Given the margins, MI_q rises linearly with S = sum phi(n_ij), phi(n) = (n^q - n) / (q - 1), so that
both have the same standardized value. Clusters come as Counters {size: how many of it}, as the law
of a cell depends on sizes alone. Nothing here uses the package.
"""

import functools
import itertools
import math
from collections import Counter
from fractions import Fraction

import mpmath

BITS = 500
# Probabilities below this share of the largest one are left out.
_NEGLIGIBLE = mpmath.mpf(10) ** -90
# From this standard deviation on, every h-th integer stands for h of them: Poisson's summation
# formula bounds the error by exp(-2 pi^2 s^2 / h^2), 1e-77 for a third of a standard deviation.
_SMALLEST_STRIDED = 60
_STRIDES_PER_DEVIATION = 3


def clear():
    """Forget what was computed at another precision."""
    for cached in (phi, _law, _product_apart):
        cached.cache_clear()


def sizes_of(table):
    """Counters of the row sums and of the column sums of a ContingencyTable or a dense table."""
    if isinstance(table, list):
        return Counter(map(sum, table)), Counter(map(sum, zip(*table, strict=True)))
    return Counter(table.row_sums.tolist()), Counter(table.col_sums.tolist())


def cells_of(table):
    """Counter of the occupied cells."""
    if isinstance(table, list):
        return Counter(n for row in table for n in row if n)
    return Counter(table.cell_counts.tolist())


def standardized(table, q):
    """(S - E S) / sd S of a table."""
    with mpmath.workprec(BITS):
        rows, cols = sizes_of(table)
        if q == int(q) and q > 1:
            mean, variance = moments_of_whole_order(rows, cols, int(q))
            value = sum(times * n ** int(q) for n, times in cells_of(table).items())
            distance = value - mean
            return to_mpf(distance) / mpmath.sqrt(to_mpf(variance))
        mean, variance = moments_of_any_order(rows, cols, q)
        value = mpmath.fsum(times * phi(n, q) for n, times in cells_of(table).items())
        return (value - mean) / mpmath.sqrt(variance)


def adjusted_mutual_info(table, q):
    """AMI_q of a table and its standard deviation, by average_method; and E H_q(U | V)."""
    with mpmath.workprec(BITS):
        rows, cols = sizes_of(table)
        n, order = sum(size * times for size, times in rows.items()), mpmath.mpf(q)
        # In units of N^-q entropies are phi(N) less the sum of phi(N p).
        top = phi(n, q)
        joint, true, pred = (
            top - mpmath.fsum(times * phi(size, q) for size, times in sizes.items())
            for sizes in (cells_of(table), rows, cols)
        )
        mean, variance = moments_of_any_order(rows, cols, q)
        bounds = {
            "min": min(true, pred),
            "geometric": mpmath.sqrt(true * pred),
            "arithmetic": (true + pred) / 2,
            "max": max(true, pred),
        }
        expected = true + pred - (top - mean)
        excess = true + pred - joint - expected
        adjusted = {
            name: (excess / (bound - expected), mpmath.sqrt(variance) / (bound - expected))
            for name, bound in bounds.items()
        }
        return adjusted, (top - mean - pred) / mpmath.mpf(n) ** order


def to_mpf(fraction):
    return mpmath.mpf(fraction.numerator) / fraction.denominator


# --------------------------------------------------------------------------- whole orders


def moments_of_whole_order(rows, cols, q):
    """Mean and variance of sum n_ij^q, as Fractions.

    A product of falling factorials of cells counts tuples of distinct objects; its mean is a ratio
    of falling factorials of the sizes. Powers are sums of falling factorials (Stirling numbers).
    """
    n = sum(size * times for size, times in rows.items())
    numbers = stirling_numbers(2 * q)
    mean = sum(
        numbers[q][r] * _over(_moment(rows, r) * _moment(cols, r), n, r) for r in range(1, q + 1)
    )
    # Squares of one cell.
    square = sum(
        numbers[2 * q][r] * _over(_moment(rows, r) * _moment(cols, r), n, r)
        for r in range(1, 2 * q + 1)
    )
    for r, s in itertools.product(range(1, q + 1), repeat=2):
        row_same, col_same = _moment(rows, r + s), _moment(cols, r + s)
        row_apart, col_apart = _moment_apart(rows, r, s), _moment_apart(cols, r, s)
        cells = row_same * col_apart + row_apart * col_same + row_apart * col_apart
        square += numbers[q][r] * numbers[q][s] * _over(cells, n, r + s)
    return mean, square - mean * mean


def _over(numerator, n, r):
    # No r distinct objects among fewer: the numerator is zero, too.
    return Fraction(numerator, math.perm(n, r)) if numerator else Fraction(0)


def _moment(sizes, r):
    return sum(times * math.perm(size, r) for size, times in sizes.items())


def _moment_apart(sizes, r, s):
    """Sum of the products over two different clusters."""
    same = sum(times * math.perm(size, r) * math.perm(size, s) for size, times in sizes.items())
    return _moment(sizes, r) * _moment(sizes, s) - same


@functools.cache
def stirling_numbers(largest):
    """Stirling numbers of the second kind S(n, k)."""
    numbers = [[1] + [0] * largest]
    for _ in range(largest):
        last = numbers[-1]
        numbers.append([0] + [k * last[k] + last[k - 1] for k in range(1, largest + 1)])
    return numbers


# --------------------------------------------------------------------------- any order


@functools.lru_cache(maxsize=1 << 16)
def phi(n, q):
    """(n^q - n) / (q - 1), or n log n, at the working precision."""
    if n == 0:
        return mpmath.mpf(0)
    if q == 1:
        return n * mpmath.log(n)
    order = mpmath.mpf(q)
    return (mpmath.power(n, order) - n) / (order - 1)


def moments_of_any_order(rows, cols, q):
    """Mean and variance of S, from the joint law of any two cells."""
    n = sum(size * times for size, times in rows.items())
    if rows.total() == cols.total() == 2:
        return _moments_of_two_by_two(n, max(rows), max(cols), q)
    means = {(a, b): _mean(n, a, b, q) for a, b in itertools.product(rows, cols)}
    mean = mpmath.fsum(rows[a] * cols[b] * value for (a, b), value in means.items())
    parts = []
    for (a, n_a), (b, n_b) in itertools.product(rows.items(), cols.items()):
        square = mpmath.fsum(w * phi(x, q) ** 2 for x, w in law(n, a, b))
        parts.append(n_a * n_b * (square - means[a, b] ** 2))
    for one, other, turned in ((rows, cols, False), (cols, rows, True)):
        for a, n_a in one.items():
            for b, b2 in itertools.product(other, repeat=2):
                pairs = other[b] * (other[b2] - (b == b2))
                if pairs:
                    ends = ((b, a), (b2, a)) if turned else ((a, b), (a, b2))
                    product = _product_in_one_row(n, a, b, b2, q)
                    parts.append(n_a * pairs * (product - means[ends[0]] * means[ends[1]]))
    for (a, a2), (b, b2) in itertools.product(
        itertools.product(rows, repeat=2), itertools.product(cols, repeat=2)
    ):
        pairs = rows[a] * (rows[a2] - (a == a2)) * cols[b] * (cols[b2] - (b == b2))
        if pairs:
            # Twice each: the order of the two cells does not matter.
            product = _product_apart(n, *sorted(((a, b), (a2, b2))), q)
            parts.append(pairs * (product - means[a, b] * means[a2, b2]))
    return mean, mpmath.fsum(parts)


def _moments_of_two_by_two(n, a, b, q):
    values = [
        (phi(x, q) + phi(a - x, q) + phi(b - x, q) + phi(n - a - b + x, q), w)
        for x, w in law(n, a, b)
    ]
    mean = mpmath.fsum(w * value for value, w in values)
    return mean, mpmath.fsum(w * (value - mean) ** 2 for value, w in values)


def _mean(n, a, b, q):
    return mpmath.fsum(w * phi(x, q) for x, w in law(n, a, b))


def _product_in_one_row(n, a, b, b2, q):
    """E phi(x) phi(y) of the cells (a, b) and (a, b2)."""
    return mpmath.fsum(w * phi(y, q) * _mean(n - b2, a - y, b, q) for y, w in law(n, a, b2))


@functools.lru_cache(maxsize=1 << 8)
def _product_apart(n, cell, other, q):
    """E phi(x) phi(y) of the cells (a, b) and (a2, b2), independent given the cell (a, b2)."""
    (a, b), (a2, b2) = cell, other
    return mpmath.fsum(
        w * _mean(n - b2, a - u, b, q) * _mean(n - a, a2, b2 - u, q) for u, w in law(n, a, b2)
    )


def law(n, a, b):
    """Hypergeometric law as a list of values and probabilities."""
    return _law(n, a, b, mpmath.mp.prec)


@functools.lru_cache(maxsize=1 << 12)
def _law(n, a, b, _):
    lowest, highest = max(0, a + b - n), min(a, b)
    mode = min(max((a + 1) * (b + 1) // (n + 2), lowest), highest)
    smallest = min(a * b, a * (n - b), (n - a) * b, (n - a) * (n - b)) / n
    deviation = math.sqrt(a * b * (n - a) * (n - b) / max(n - 1, 1)) / n
    if deviation < _SMALLEST_STRIDED or smallest < 30 * deviation:
        weights = _weights_by_ratios(n, a, b, lowest, highest, mode)
    else:
        stride = int(deviation / _STRIDES_PER_DEVIATION)
        weights = _weights_by_logarithms(n, a, b, mode, stride)
    total = mpmath.fsum(weights.values())
    return [(x, w / total) for x, w in sorted(weights.items())]


def _weights_by_ratios(n, a, b, lowest, highest, mode):
    weights = {mode: mpmath.mpf(1)}
    x, weight = mode, mpmath.mpf(1)
    while x < highest and weight > _NEGLIGIBLE:
        weight = weight * ((a - x) * (b - x)) / ((x + 1) * (n - a - b + x + 1))
        x += 1
        weights[x] = weight
    x, weight = mode, mpmath.mpf(1)
    while x > lowest and weight > _NEGLIGIBLE:
        weight = weight * (x * (n - a - b + x)) / ((a - x + 1) * (b - x + 1))
        x -= 1
        weights[x] = weight
    return weights


def _weights_by_logarithms(n, a, b, mode, stride):
    def logarithm(x):
        cells = (x, a - x, b - x, n - a - b + x)
        return -mpmath.fsum(mpmath.loggamma(cell + 1) for cell in cells)

    top = logarithm(mode)
    weights = {mode: mpmath.mpf(1)}
    for step in (stride, -stride):
        x, weight = mode, mpmath.mpf(1)
        while weight > _NEGLIGIBLE:
            x += step
            weights[x] = weight = mpmath.exp(logarithm(x) - top)
    return weights
