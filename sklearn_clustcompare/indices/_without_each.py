"""Indices of the data without each of the objects, in one visit of all pairs.

``labels`` are cluster numbers from 0 on. A value is NaN where the index has none.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn import config_context, get_config

from sklearn_clustcompare._data import near_for
from sklearn_clustcompare.indices._internal import Rows, moments_of_rows, of_rows

FloatArray = NDArray[np.float64]

# MiB of distances at a time.
_CHUNK_MEMORY = 1


def silhouettes_without_each(
    X: Any, labels: NDArray[Any], *, metric: Any = "euclidean", **_: Any
) -> FloatArray:
    """Return the mean silhouette coefficient without each object.

    If object i leaves, the mean distances of object j to the cluster of i change by its distance.
    """
    n_objects, sizes = len(labels), np.bincount(labels)
    totals = np.zeros(n_objects)
    one_hot = (labels[:, np.newaxis] == np.arange(len(sizes))).astype(np.float64)

    def summarize(distances: NDArray[Any], same: NDArray[Any], own: Any) -> Rows:
        rows, positions = own
        numbers = labels[positions]
        others = sizes[numbers] - 1
        sums = distances @ one_hot
        within = sums[rows, numbers]
        sums[rows, numbers] = np.inf
        means = sums / sizes
        # The nearest other cluster, and the nearest one if that is not counted.
        nearest = means.argmin(axis=1)
        first = means[rows, nearest]
        means[rows, nearest] = np.inf
        second = means.min(axis=1)
        rest = np.where(
            nearest[:, np.newaxis] == labels, second[:, np.newaxis], first[:, np.newaxis]
        )
        left = sizes[labels] - 1
        with np.errstate(divide="ignore", invalid="ignore"):
            changed = np.where(left > 0, (sums[:, labels] - distances) / left, np.inf)
            b = np.where(same, first[:, np.newaxis], np.minimum(rest, changed))
            a = np.where(
                same,
                (within[:, np.newaxis] - distances) / (others[:, np.newaxis] - 1),
                (within / others)[:, np.newaxis],
            )
            widths = (b - a) / np.maximum(a, b)
        is_alone = np.where(same, others[:, np.newaxis] < 2, others[:, np.newaxis] < 1)
        widths = np.where(is_alone | (np.maximum(a, b) == 0), 0.0, widths)
        widths[own] = 0.0
        np.add(totals, widths.sum(axis=0), out=totals)
        return (first,)

    # About ten arrays are as large as a chunk.
    with config_context(working_memory=min(get_config()["working_memory"], _CHUNK_MEMORY)):
        of_rows(near_for(X, metric).values, labels, metric, summarize)
    return np.where(_are_defined(labels, sizes), totals / (n_objects - 1), np.nan)


def correlations_without_each(
    X: Any, labels: NDArray[Any], *, metric: Any = "euclidean"
) -> FloatArray:
    """Return the correlation of distances with being in different clusters without each object."""
    n_objects, sizes = len(labels), np.bincount(labels)
    X = near_for(X, metric).values
    means, squares, within = of_rows(X, labels, metric, moments_of_rows)
    mean, others = means.mean(), sizes[labels] - 1
    # Sums of each object's distances less their mean over all pairs.
    sums = (n_objects - 1) * (means - mean)
    variations = squares + (n_objects - 1) * (means - mean) ** 2
    within = within - mean * others
    n_pairs = (n_objects - 1) * (n_objects - 2) / 2
    n_within = (sizes * (sizes - 1)).sum() / 2 - others
    shift = -sums / n_pairs
    variation = variations.sum() / 2 - variations - n_pairs * shift**2
    covariation = within.sum() / 2 - within - shift * n_within
    incidence = n_within * (n_pairs - n_within) / n_pairs
    with np.errstate(divide="ignore", invalid="ignore"):
        found = -covariation / np.sqrt(variation * incidence)
    return np.where(_are_defined(labels, sizes), found, np.nan)


def _are_defined(labels: NDArray[Any], sizes: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Return whether there are 2 to n - 1 clusters without each object."""
    n_clusters = len(sizes) - (sizes[labels] == 1)
    return (n_clusters >= 2) & (n_clusters < len(labels) - 1)
