"""Small partitions and all arrangements of their objects."""

from collections import Counter

import mpmath
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


def law(row_sums, col_sums):
    """Return each table that an arrangement of the objects gives, and its probability."""
    true = labels_of(row_sums).tolist()
    found = Counter()
    for order in distinct_arrangements(labels_of(col_sums).tolist()):
        cells = Counter(zip(true, order, strict=True))
        found[
            tuple(tuple(cells[i, j] for j in range(len(col_sums))) for i in range(len(row_sums)))
        ] += 1
    total = found.total()
    return [(counts, number / total) for counts, number in found.items()]


def distinct_arrangements(labels):
    """Yield all orders of the labels that differ, each once."""
    if not labels:
        yield []
    for first in sorted(set(labels)):
        rest = labels.copy()
        rest.remove(first)
        for order in distinct_arrangements(rest):
            yield [first, *order]


LAWS = {margins: law(*margins) for margins in MARGINS}


def cell_law(n, a, b):
    """Hypergeometric probabilities outwards from the mode, until they are below 1e-50."""
    lowest, highest = max(0, a + b - n), min(a, b)
    mode = min(max((a + 1) * (b + 1) // (n + 2), lowest), highest)
    law = {mode: mpmath.mpf(1)}
    x, weight = mode, mpmath.mpf(1)
    while x < highest and weight > mpmath.mpf(10) ** -50:
        weight = weight * (a - x) * (b - x) / ((x + 1) * (n - a - b + x + 1))
        x += 1
        law[x] = weight
    x, weight = mode, mpmath.mpf(1)
    while x > lowest and weight > mpmath.mpf(10) ** -50:
        weight = weight * x * (n - a - b + x) / ((a - x + 1) * (b - x + 1))
        x -= 1
        law[x] = weight
    total = mpmath.fsum(law.values())
    return {x: weight / total for x, weight in law.items()}


def noisy_copy(labels, n_clusters, share, seed):
    rng = np.random.default_rng(seed)
    return np.where(
        rng.random(len(labels)) < share, rng.integers(n_clusters, size=len(labels)), labels
    )
