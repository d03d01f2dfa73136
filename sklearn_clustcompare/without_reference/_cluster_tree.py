"""A tree over the clusters of one clustering.

Node c is the cluster of code c, and node n_clusters + m the m-th merge; the last has all objects.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, issparse
from scipy.spatial.distance import cdist

from sklearn_clustcompare._data import near_for

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


def merges_of_centers(points: Any, codes: NDArray[Any], n_clusters: int) -> IntArray:
    """Return the merges of Ward's method, starting from clusters instead of objects."""
    sizes = np.bincount(codes, minlength=n_clusters).astype(np.float64)
    points = near_for(points, "euclidean").values
    centers = sums_of_clusters(points, codes, n_clusters) / sizes[:, np.newaxis]
    nodes, merges = np.arange(n_clusters), np.empty((n_clusters - 1, 2), np.int64)
    increases = _increases(centers, centers, sizes, sizes)
    np.fill_diagonal(increases, np.inf)
    for number in range(n_clusters - 1):
        a, b = np.unravel_index(increases.argmin(), increases.shape)
        merges[number] = np.sort(nodes[[a, b]])
        nodes[a] = n_clusters + number
        share = sizes[b] / (sizes[a] + sizes[b])
        centers[a] += share * (centers[b] - centers[a])
        sizes[a] += sizes[b]
        is_left = np.isfinite(increases[a])
        is_left[b] = False
        increases[b] = increases[:, b] = np.inf
        if is_left.any():
            updated = _increases(centers[[a]], centers[is_left], sizes[[a]], sizes[is_left])
            increases[a, is_left] = increases[is_left, a] = updated[0]
    return merges


def _increases(
    first: FloatArray, second: FloatArray, first_sizes: FloatArray, second_sizes: FloatArray
) -> FloatArray:
    """Return by how much merges increase the sum of squares within clusters."""
    squares = cdist(first, second, "sqeuclidean")
    increases: FloatArray = squares / np.add.outer(1 / first_sizes, 1 / second_sizes)
    return increases


def merges_of_tree(children: NDArray[Any], codes: NDArray[Any], n_clusters: int) -> IntArray:
    """Return the merges of clusters in a tree over the objects that was cut into them."""
    n_objects = len(codes)
    first = n_objects - n_clusters

    def place(node: int) -> int:
        if node >= n_objects + first:
            return n_clusters + node - (n_objects + first)
        while node >= n_objects:
            node = int(children[node - n_objects, 0])
        return int(codes[node])

    merges = [sorted(map(place, pair)) for pair in children[first:].tolist()]
    return np.array(merges, np.int64).reshape(n_clusters - 1, 2)


def members_of(merges: IntArray) -> list[IntArray]:
    """Return the codes of the clusters in each node, ascending."""
    members = [np.array([code]) for code in range(len(merges) + 1)]
    for a, b in merges.tolist():
        members.append(np.sort(np.concatenate([members[a], members[b]])))
    return members


def sums_of_clusters(points: Any, codes: NDArray[Any], n_clusters: int) -> FloatArray:
    """Return the sum of the objects in each cluster."""
    n_objects = len(codes)
    shape = n_clusters, n_objects
    joined = csr_array((np.ones(n_objects), (codes, np.arange(n_objects))), shape) @ points
    return np.asarray(joined.toarray() if issparse(joined) else joined)
