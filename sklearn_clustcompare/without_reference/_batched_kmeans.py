"""k-means of many small data sets at once.

A fit of scikit-learn's ``KMeans`` to a hundred objects consists mostly of checks. Here the data
sets are one array, and each step is taken for all of them: the starting centers are those of
k-means++ with the same number of local trials, and the iterations are Lloyd's with scikit-learn's
rules to stop. From the same start the labels are those of ``KMeans``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.cluster import KMeans

from sklearn_clustcompare._data import has_squares

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]

# Larger data sets gain nothing: most of their time is arithmetic. In numbers of a data set.
_LARGEST_SET = 2**15
# Numbers of all data sets that are taken together.
_LARGEST_BATCH = 2**21


class Centers(NamedTuple):
    """A fitted model, as far as it is needed: the nearest center of an object is its cluster.

    Centers are those of data less their mean.
    """

    centers: FloatArray
    mean: FloatArray

    def predict(self, X: Any) -> IntArray:
        """Return the number of the nearest center of each object."""
        labels: IntArray = _scores(np.asarray(X, np.float64) - self.mean, self.centers).argmin(
            axis=-1
        )
        return labels


def can_batch(model: Any, X: Any) -> bool:
    """Return whether labels for a data set can be found here, and are faster so."""
    return (
        type(model) is KMeans
        and isinstance(model.init, str)
        and model.init == "k-means++"
        and model.algorithm == "lloyd"
        and isinstance(X, np.ndarray)
        and X.ndim == 2
        and X.dtype == np.float64
        and len(X) >= model.n_clusters
        and len(X) * max(X.shape[1], model.n_clusters) <= _LARGEST_SET
        and has_squares(X)
    )


def batched_kmeans(
    model: KMeans, data: Sequence[FloatArray], seeds: Sequence[int]
) -> list[tuple[IntArray, Centers] | None]:
    """Return labels and centers for each data set, which depend on it and on its seed only.

    None stands where a cluster became empty; scikit-learn then moves its center.
    """
    widest = max(len(X) for X in data) * max(data[0].shape[1], model.n_clusters)
    step = max(1, _LARGEST_BATCH // widest)
    return [
        found
        for start in range(0, len(data), step)
        for found in _fitted(model, data[start : start + step], seeds[start : start + step])
    ]


def _fitted(
    model: KMeans, data: Sequence[FloatArray], seeds: Sequence[int]
) -> list[tuple[IntArray, Centers] | None]:
    # Rows that fill up the shorter sets have no weight.
    weights = np.zeros((len(data), max(map(len, data))))
    X = np.zeros((*weights.shape, data[0].shape[1]))
    means = np.array([one.mean(axis=0) for one in data])
    for number, one in enumerate(data):
        weights[number, : len(one)] = 1.0
        X[number, : len(one)] = one - means[number]
    tolerance = model.tol * np.array([one.var(axis=0).mean() for one in data])
    generators = [np.random.default_rng([seed, model.n_clusters]) for seed in seeds]
    n_starts = 1 if model.n_init == "auto" else model.n_init
    least = np.full(len(data), np.inf)
    labels = np.zeros(weights.shape, np.intp)
    centers = np.zeros((len(data), model.n_clusters, X.shape[2]))
    for _ in range(n_starts):
        starts = plus_plus(X, weights, model.n_clusters, generators)
        found = lloyd(X, weights, starts, model.max_iter, tolerance)
        is_better = found.inertia < least
        least = np.where(np.isnan(found.inertia), np.nan, np.minimum(least, found.inertia))
        labels[is_better], centers[is_better] = found.labels[is_better], found.centers[is_better]
    return [
        None
        if np.isnan(least[number])
        else (labels[number, : len(one)], Centers(centers[number], means[number]))
        for number, one in enumerate(data)
    ]


def plus_plus(
    X: FloatArray, weights: FloatArray, k: int, generators: Sequence[np.random.Generator]
) -> FloatArray:
    """Draw starting centers of each data set: the best of some candidates each, by inertia."""
    n_trials = 2 + int(np.log(k))
    drawn = np.array([rng.random((k, n_trials)) for rng in generators])
    sets, rows = np.arange(len(X)), np.arange(len(X))[:, np.newaxis]
    sums = np.cumsum(weights, axis=1)
    first = _positions(sums, drawn[:, 0, :1])[:, 0]
    centers = np.empty((len(X), k, X.shape[2]))
    centers[:, 0] = X[sets, first]
    closest = weights * _squares(X, centers[:, :1])[..., 0]
    for number in range(1, k):
        candidates = X[rows, _positions(np.cumsum(closest, axis=1), drawn[:, number])]
        distances = weights[..., np.newaxis] * _squares(X, candidates)
        np.minimum(distances, closest[..., np.newaxis], out=distances)
        best = distances.sum(axis=1).argmin(axis=1)
        centers[:, number] = candidates[sets, best]
        closest = distances[sets, :, best]
    return centers


def _positions(sums: FloatArray, shares: FloatArray) -> IntArray:
    """Return where sums of each row first exceed shares of their total."""
    exceeds = sums[:, np.newaxis, :] <= shares[..., np.newaxis] * sums[:, np.newaxis, -1:]
    last = np.minimum(exceeds.sum(axis=-1), sums.shape[1] - 1)
    return np.asarray(last, np.intp)


class Lloyd(NamedTuple):
    """Labels, centers and inertia of each data set; the inertia is NaN after an empty cluster."""

    labels: IntArray
    centers: FloatArray
    inertia: FloatArray


def lloyd(
    X: FloatArray,
    weights: FloatArray,
    centers: FloatArray,
    max_iter: int,
    tolerance: FloatArray,
) -> Lloyd:
    """Move centers to the means of their clusters until labels stay, or centers nearly do."""
    centers, k = centers.copy(), centers.shape[1]
    labels = np.full(weights.shape, -1, np.intp)
    has_empty = np.zeros(len(X), bool)
    moving = np.arange(len(X))
    for _ in range(max_iter):
        found = _scores(X[moving], centers[moving]).argmin(axis=-1)
        members = (found[:, np.newaxis] == np.arange(k)[:, np.newaxis]) * weights[
            moving, np.newaxis
        ]
        sizes = members.sum(axis=-1)
        has_empty[moving] = (sizes == 0).any(axis=1)
        means = members @ X[moving] / np.maximum(sizes, 1)[..., np.newaxis]
        shift = ((means - centers[moving]) ** 2).sum(axis=(1, 2))
        centers[moving] = means
        is_same = (found == labels[moving]).all(axis=1)
        labels[moving] = found
        goes_on = ~is_same & (shift > tolerance[moving]) & ~has_empty[moving]
        # Labels are those of the last centers, unless these were found to stay.
        unsettled = moving[~is_same & ~goes_on]
        labels[unsettled] = _scores(X[unsettled], centers[unsettled]).argmin(axis=-1)
        moving = moving[goes_on]
        if len(moving) == 0:
            break
    labels[moving] = _scores(X[moving], centers[moving]).argmin(axis=-1)
    own = np.take_along_axis(centers, labels[..., np.newaxis], axis=1)
    inertia = (weights * ((X - own) ** 2).sum(axis=-1)).sum(axis=-1)
    inertia[has_empty] = np.nan
    return Lloyd(labels, centers, inertia)


def _scores(X: FloatArray, centers: FloatArray) -> FloatArray:
    """Return squared distances to centers, less the squared length of each object."""
    lengths = (centers**2).sum(axis=-1)
    scores: FloatArray = lengths[..., np.newaxis, :] - 2 * (X @ np.swapaxes(centers, -1, -2))
    return scores


def _squares(X: FloatArray, centers: FloatArray) -> FloatArray:
    """Return squared distances to centers, none below zero."""
    lengths = (X**2).sum(axis=-1)[..., np.newaxis]
    squares: FloatArray = np.maximum(_scores(X, centers) + lengths, 0.0)
    return squares
