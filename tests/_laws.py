"""Small partitions and all arrangements of their objects."""

from collections import Counter

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


def noisy_copy(labels, n_clusters, share, seed):
    rng = np.random.default_rng(seed)
    return np.where(
        rng.random(len(labels)) < share, rng.integers(n_clusters, size=len(labels)), labels
    )
