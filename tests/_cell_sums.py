"""Moments of sums over cells under permutation by their definition. Nothing here uses the package.

``phi(n, a, b)`` is a function of whole numbers: of a cell and of the sizes of its clusters.
"""

from functools import cache, lru_cache
from itertools import chain, product

import mpmath
import numpy as np

from tests._laws import orders


def enumerated(row_sums, col_sums, phi):
    """Mean and variance over all tables, each as often as orders of the objects give it."""
    found, sizes = list(orders(row_sums, col_sums)), list(product(row_sums, col_sums))
    values = [
        mpmath.fsum(phi(n, a, b) for n, (a, b) in zip(chain(*table), sizes, strict=True))
        for table, _ in found
    ]
    weights, total = [ways for _, ways in found], sum(ways for _, ways in found)
    mean = mpmath.fsum(w * v for w, v in zip(weights, values, strict=True)) / total
    squares = [w * (v - mean) ** 2 for w, v in zip(weights, values, strict=True)]
    return mean, mpmath.fsum(squares) / total


@lru_cache(maxsize=1 << 14)
def law(n, a, b):
    """Counts of a cell and their probabilities, in extended precision."""
    lowest, highest = max(0, a + b - n), min(a, b)
    counts = np.arange(lowest, highest + 1).astype(np.longdouble)
    below = counts[:-1]
    ratios = (a - below) * (b - below) / ((below + 1) * (n - a - b + below + 1))
    mode = min(max((a + 1) * (b + 1) // (n + 2), lowest), highest) - lowest
    up, down = np.cumprod(ratios[mode:]), np.cumprod(1 / ratios[:mode][::-1])[::-1]
    weights = np.concatenate([down, np.ones(1, np.longdouble), up])
    kept = weights > np.longdouble(1e-60)
    return counts[kept], weights[kept] / weights.sum()


def by_pairs_of_cells(row_sums, col_sums, phi):
    """Mean and variance from the joint law of any two cells; phi takes arrays."""
    n = sum(row_sums)
    center = {}

    def value(count, a, b):
        count = np.atleast_1d(np.asarray(count, np.longdouble))
        sizes = (np.full(count.shape, np.longdouble(size)) for size in (a, b))
        return np.asarray(phi(count, *sizes), np.longdouble) - center.get((a, b), 0)

    @cache
    def conditional_mean(objects, row, col, a, b):
        counts, weights = law(objects, row, col)
        return (weights * value(counts, a, b)).sum()

    means = {(a, b): conditional_mean(n, a, b, a, b) for a, b in product(row_sums, col_sums)}
    conditional_mean.cache_clear()
    center.update(means)

    @cache
    def covariance(same_row, same_col, a, b, a2, b2):
        if same_row and same_col:
            counts, weights = law(n, a, b)
            return (weights * value(counts, a, b) ** 2).sum()
        if same_row:  # of the rest of the row, b takes a part of what b2 has left
            return sum(
                w * value(y, a, b2)[0] * conditional_mean(n - b2, a - int(y), b, a, b)
                for y, w in zip(*law(n, a, b2), strict=True)
            )
        if same_col:
            return sum(
                w * value(y, a2, b)[0] * conditional_mean(n - a2, a, b - int(y), a, b)
                for y, w in zip(*law(n, a2, b), strict=True)
            )
        return sum(  # independent given the cell (a, b2)
            w
            * conditional_mean(n - a, a2, b2 - int(u), a2, b2)
            * conditional_mean(n - b2, a - int(u), b, a, b)
            for u, w in zip(*law(n, a, b2), strict=True)
        )

    cells = list(product(enumerate(row_sums), enumerate(col_sums)))
    variance = sum(
        covariance(i == i2, j == j2, a, b, a2, b2)
        for ((i, a), (j, b)), ((i2, a2), (j2, b2)) in product(cells, repeat=2)
    )
    return float(sum(means[a, b] for (_, a), (_, b) in cells)), float(variance)
