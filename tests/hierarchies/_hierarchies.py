"""Hierarchies to compare."""

import numpy as np
from scipy.cluster.hierarchy import linkage


def cut(Z, k):
    """Labels after the first n - k merges, by the definition of a linkage."""
    n = len(Z) + 1
    members = {one: [one] for one in range(n)}
    for step in range(n - k):
        first, second = Z[step, :2].astype(int)
        members[n + step] = members.pop(first) + members.pop(second)
    labels = np.empty(n, int)
    for label, objects in enumerate(sorted(members.values(), key=min)):
        labels[objects] = label
    return labels


def linkages(n, seed, methods=("average", "ward")):
    X = np.random.default_rng(seed).normal(size=(n, 2))
    return tuple(linkage(X, method) for method in methods)
