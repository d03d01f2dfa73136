"""Small partitions and all orders of their objects."""

import math
from functools import cache

import numpy as np

# Sizes of the clusters of two partitions; every arrangement of the objects is looked at.
MARGINS = [
    ((3, 2, 2), (4, 2, 1)),
    ((3, 3), (2, 2, 2)),
    ((1, 1, 1, 4), (5, 2)),
    ((2, 2, 1, 1), (3, 3)),
    ((4, 2), (1, 1, 1, 1, 2)),
]
# One cluster or singletons on a side: all arrangements are alike.
TRIVIAL_MARGINS = [
    ((6,), (4, 2)),
    ((4, 2), (6,)),
    ((1,) * 6, (3, 2, 1)),
    ((3, 2, 1), (1,) * 6),
    ((1,) * 6, (6,)),
    ((6,), (1,) * 6),
]
# The same on both sides.
TRIVIAL_IDENTICAL_MARGINS = [((6,), (6,)), ((1,) * 6, (1,) * 6), ((1,), (1,))]

# N, a, b: small and large cells, skewed laws, clusters of nearly all objects, tiny variances.
CELLS = [
    (1000, 100, 100),
    (1000, 173, 173),
    (1000, 250, 163),
    (1000, 220, 220),
    (10**4, 1000, 500),
    (10**6, 10**4, 10**4),
    (10**8, 10**5, 10**6),
    (300, 150, 140),
    (50, 3, 20),
    (40, 39, 17),
    (2, 1, 1),
    (3, 1, 2),
    (1000, 999, 998),
    (10**6, 60, 10**6 - 100),
    (10**6, 90, 500_000),
    (10**12, 2, 2),
    (10**12, 1000, 10**6),
    (10**12, 10**6, 10**6),
    (10**12, 10**7, 10**7),
    (10**12, 10**12 - 5, 5 * 10**11),
    (10**12, 10**12 - 1000, 10**12 - 10**4),
    (10**12, 3 * 10**5, 10**12 - 10**8),
]


def labels_of(sizes):
    return np.repeat(np.arange(len(sizes)), sizes)


def labels_of_table(counts):
    rows, cols = np.indices(np.shape(counts))
    return np.repeat(rows, np.ravel(counts)), np.repeat(cols, np.ravel(counts))


@cache
def _rows(total, col_sums):
    """All ways to take objects from clusters, with their numbers."""
    if not col_sums:
        return [] if total else [((), 1)]
    return [
        ((n, *rest), math.comb(col_sums[0], n) * ways)
        for n in range(min(total, col_sums[0]) + 1)
        for rest, ways in _rows(total - n, col_sums[1:])
    ]


def orders(row_sums, col_sums):
    """All tables with these margins, with the numbers of orders of the objects that give them."""
    if not len(row_sums):
        yield (), 1
        return
    for row, ways in _rows(row_sums[0], tuple(col_sums)):
        rest = [size - n for size, n in zip(col_sums, row, strict=True)]
        for below, others in orders(row_sums[1:], rest):
            yield (row, *below), ways * others


def law(row_sums, col_sums):
    """Return each table that an order of the objects gives, and its probability."""
    found = list(orders(row_sums, col_sums))
    total = sum(ways for _, ways in found)
    return [(table, ways / total) for table, ways in found]


def all_partitions(n_samples):
    """Return every partition of some objects, as labels in the order of appearance."""
    found = [[]]
    for _ in range(n_samples):
        found = [[*one, label] for one in found for label in range(len(set(one)) + 1)]
    return found


LAWS = {margins: law(*margins) for margins in MARGINS}


def noisy_copy(labels, n_clusters, share, seed):
    rng = np.random.default_rng(seed)
    return np.where(
        rng.random(len(labels)) < share, rng.integers(n_clusters, size=len(labels)), labels
    )
