"""Statistics of many partitions of one data set: silhouettes, and how separated the clusters are.

Silhouettes are those of all pairs of objects. The ratio says how much denser the cores of clusters
are than the passes between them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.cluster.hierarchy import cophenet, linkage
from scipy.sparse import issparse
from scipy.spatial.distance import pdist, squareform
from sklearn.decomposition import PCA

from sklearn_clustcompare._array_types import Array, FloatArray, Positions
from sklearn_clustcompare._data import euclidean, near, near_for
from sklearn_clustcompare._numerics import silhouettes_of
from sklearn_clustcompare.without_reference._null_data import principal, spread
from sklearn_clustcompare.without_reference._resamples import all_distances

# So few objects are outliers, no cluster. The ball of an object holds at least so many neighbors.
FEWEST = 5
# Neighbors in the ball of an object at most, and their share of the smallest cluster.
_MOST_NEIGHBORS, _SHARE = 10, 6
# Principal axes in which passes are sought at least.
_FEWEST_AXES = 3


def sizes_of(labels: Array) -> Positions:
    """Return the sizes of the clusters of a partition, without noise (-1)."""
    return np.unique(labels[labels != -1], return_counts=True)[1]


def is_division(labels: Array) -> bool:
    """Return whether a partition has several clusters, none of so few objects as outliers are."""
    sizes = sizes_of(labels)
    return len(sizes) > 1 and int(sizes.min()) > FEWEST


def silhouettes(space: Any, partitions: Sequence[Array], pairs: str | None) -> list[float]:
    """Return the mean silhouette of each partition of a data set, NaN of what is no division.

    ``pairs`` says what the space holds of pairs of objects, None for features. Noise (-1) is in no
    cluster, and has silhouette 0.
    """
    found = [np.nan] * len(partitions)
    divisions = [number for number, one in enumerate(partitions) if is_division(one)]
    if not divisions:
        return found
    distances = _distances(space, pairs)
    codes = [np.unique(partitions[number], return_inverse=True)[1] for number in divisions]
    members = [one[:, np.newaxis] == np.arange(one.max() + 1) for one in codes]
    starts = np.cumsum([0, *(one.shape[1] for one in members)])
    sums = distances @ np.concatenate(members, axis=1).astype(distances.dtype)
    for number, code, start, end in zip(divisions, codes, starts, starts[1:], strict=False):
        found[number] = _silhouette(sums[:, start:end].astype(np.float64), code, partitions[number])
    return found


def _silhouette(sums: FloatArray, codes: Positions, labels: Array) -> float:
    """Return the mean silhouette from the sums of the distances of each object to each cluster."""
    is_noise, rows = labels == -1, np.arange(len(labels))
    sizes = np.bincount(codes)
    within = sums[rows, codes] / np.maximum(sizes[codes] - 1, 1)
    others = sums / sizes
    others[rows, codes] = np.inf
    if is_noise.any():
        others[:, codes[is_noise][0]] = np.inf
    nearest = others.min(axis=1)
    return float(silhouettes_of(within, nearest)[~is_noise].sum() / len(labels))


def _distances(space: Any, pairs: str | None) -> FloatArray:
    if pairs is not None:
        return near(all_distances(space, pairs), shifts=False).values
    values = near_for(space, "euclidean").values
    return euclidean(values, values) if issparse(values) else squareform(pdist(values))


class Passes:
    """The passes between clusters of a data set, in its first principal axes.

    A step from one object to another is as long as the largest of their distance and the radii of
    both balls of m neighbors. Distances of pairs that are given have no axes.
    """

    def __init__(self, space: Any, pairs: str | None) -> None:
        self._pairs = pairs
        if pairs is not None:
            self._values = _distances(space, pairs)
            return
        self._values = near_for(space, "euclidean").values
        if not issparse(self._values):
            _, self._values, _ = principal(spread(self._values))

    def ratio(self, labels: Array) -> float:
        """Return how much denser the cores of the clusters are than the passes, of the worst.

        From the densest object of a cluster, the best path to that of any other has the longest
        step r. The density of the core is the mean number of neighbors within r of the densest
        quarter of the cluster, and that of the pass is m.
        """
        clusters, codes = np.unique(labels[labels != -1], return_inverse=True)
        rows, sizes = np.flatnonzero(labels != -1), np.bincount(codes)
        distances = self._in_axes(max(_FEWEST_AXES, len(clusters) - 1))
        m = int(np.clip(sizes.min() // _SHARE, FEWEST, _MOST_NEIGHBORS))
        balls = np.partition(distances, m, axis=1)[:, m]
        steps = np.maximum(distances, np.maximum.outer(balls, balls))
        np.fill_diagonal(steps, 0.0)
        ordered = rows[np.lexsort((balls[rows], codes))]
        starts = np.cumsum(sizes) - sizes
        steps = squareform(steps, checks=False)
        passes = _longest_steps(steps, ordered[starts])
        ratios = []
        for start, size, longest in zip(starts, sizes, passes, strict=True):
            densest = ordered[start : start + max(size // 4, 1)]
            within = np.count_nonzero(distances[densest] <= longest, axis=1) - 1
            ratios.append(float(within.mean()) / m)
        return min(ratios)

    def _in_axes(self, n_axes: int) -> FloatArray:
        """Return the distances of all objects in the first principal axes."""
        if self._pairs is not None:
            return self._values
        values = self._values
        if issparse(values):
            n_axes = min(n_axes, min(values.shape) - 1)
            values = PCA(n_axes, svd_solver="arpack", random_state=0).fit_transform(values)
        return squareform(pdist(values[:, :n_axes]))


def _longest_steps(steps: FloatArray, centers: Positions) -> FloatArray:
    """Return the longest step of the best path from each center to any other.

    It is the height at which single linkage first joins the center with another one.
    """
    heights = squareform(cophenet(linkage(steps, "single")))[np.ix_(centers, centers)]
    np.fill_diagonal(heights, np.inf)
    return heights.min(axis=1)
