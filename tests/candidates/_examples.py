"""Partitions to compare, and how results are compared."""

import numpy as np
import pandas as pd

FIVE = [
    "adjusted_rand_score",
    "purity_score",
    "normalized_mutual_info_score",
    "variation_of_information_distance",
    "adjusted_mutual_info_score",
]
TRUTH = [0, 0, 0, 1, 1, 1]
NAMED = {"near": [0, 0, 1, 1, 1, 1], "same": list("aaabbb"), "far": [0, 1, 2, 0, 1, 2]}


def random_partitions(n_samples=300, sizes=(1, 2, 3, 7, 20, 90, 5, 4, 4), seed=0):
    rng = np.random.default_rng(seed)
    return np.array([rng.integers(size, size=n_samples) for size in sizes])


def random_memberships(n_clusters, n_samples=300, seed=0):
    return np.random.default_rng(seed).dirichlet(np.ones(n_clusters), n_samples)


def one_by_one(rows, cols, function, **params):
    return np.array([[function(row, col, **params) for col in cols] for row in rows])


def are_equal(first, second):
    """Tell whether two results are the same to the last bit."""
    assert first.scores.keys() == second.scores.keys()
    return (
        all(first.scores[n].tobytes() == second.scores[n].tobytes() for n in first.scores)
        and first.names == second.names
        and first.n_clusters.tolist() == second.n_clusters.tolist()
        and first.coverage.tolist() == second.coverage.tolist()
    )


LETTERS = list("wxyz")
INDEXED = pd.Series([0, 0, 1, 1], LETTERS)
SHUFFLED = INDEXED.loc[list("zxwy")]
