"""Memberships to test with: many forms, tables by loops, all orders of the objects."""

import itertools
import math

import numpy as np
import pandas as pd
from hypothesis import strategies as st
from scipy import sparse

from sklearn_clustcompare import ContingencyTable, get_index
from sklearn_clustcompare._tasks import UNDEFINED_IGNORED
from tests._docstrings import public

SEEDS = st.integers(0, 2**32 - 1)

# name: how an array of memberships may be handed over
FORMS = {
    "float64": np.asarray,
    "float32": lambda u: u.astype(np.float32),
    "float16": lambda u: u.astype(np.float16),
    "int8": lambda u: u.astype(np.int8),
    "bool": lambda u: u.astype(bool),
    "fortran": np.asfortranarray,
    "lists": lambda u: u.tolist(),
    "csr_array": sparse.csr_array,
    "csc_matrix": sparse.csc_matrix,
    "coo_float32": lambda u: sparse.coo_array(u.astype(np.float32)),
    "DataFrame": pd.DataFrame,
}
SOFT_FORMS = ["float64", "float32", "fortran", "lists", "csr_array", "csc_matrix", "DataFrame"]


def one_hot(labels):
    return np.eye(max(labels, default=0) + 1)[np.asarray(labels, dtype=int)]


def random_memberships(n_samples, n_clusters, seed, concentration=0.7):
    """Rows that sum to 1, some of them crisp, some with exact zeros."""
    rng = np.random.default_rng(seed)
    u = rng.dirichlet(np.full(n_clusters, concentration), n_samples)
    u[u < 0.02] = 0.0
    u[rng.random(n_samples) < 0.2] = np.eye(n_clusters)[0]
    return u / u.sum(axis=1, keepdims=True)


def random_pair(n_samples=30, seed=0):
    return random_memberships(n_samples, 4, seed), random_memberships(n_samples, 3, seed + 1)


def table_by_loops(u, v, weights=None):
    """Return N* object by object and cell by cell."""
    u, v = np.asarray(u, float).tolist(), np.asarray(v, float).tolist()
    weights = [1.0] * len(u) if weights is None else weights
    return np.array(
        [
            [
                math.fsum(w * a[i] * b[j] for w, a, b in zip(weights, u, v, strict=True))
                for j in range(len(v[0]))
            ]
            for i in range(len(u[0]))
        ]
    )


def dense(table):
    return table.counts.toarray()


def value(name, *args, **kwargs):
    with UNDEFINED_IGNORED:
        return public(name)(*args, **kwargs)


ENUMERATED = {
    "soft": (random_memberships(5, 3, 0), random_memberships(5, 2, 1)),
    "few": (random_memberships(3, 3, 2), random_memberships(3, 2, 3)),
    "two objects": (random_memberships(2, 3, 4, 2.0), random_memberships(2, 2, 5, 2.0)),
    "one cluster": (random_memberships(5, 3, 6), np.ones((5, 1))),
    "all alike": (random_memberships(5, 3, 6), np.full((5, 2), 0.5)),
    "labels": (one_hot([0, 0, 1, 1, 2]), random_memberships(5, 3, 7)),
    "singletons": (np.eye(6), random_memberships(6, 3, 8)),
    "nearly crisp": (
        0.98 * one_hot([0, 0, 0, 1, 1]) + 0.01,
        0.98 * one_hot([0, 0, 1, 1, 1]) + 0.01,
    ),
    "crisp": (one_hot([0, 0, 1, 1, 2, 2]), one_hot([0, 0, 0, 1, 1, 1])),
}


def permutations(v):
    return [v[list(order)] for order in itertools.permutations(range(len(v)))]


def of_tables(name, u, v):
    index = get_index(name)
    return [
        index(ContingencyTable.from_memberships(u, order, moments=True))
        for order in permutations(v)
    ]
