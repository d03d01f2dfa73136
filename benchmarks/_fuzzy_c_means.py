"""Fuzzy c-means with the settings of Lei et al. (2016), for that experiment only."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils import check_random_state, gen_batches

# Distances in a block of objects: a few arrays of that size fit into the cache.
_BLOCK_SIZE = 2**15


class FuzzyCMeans(ClusterMixin, BaseEstimator):
    """Fuzzy c-means with fuzzifier 2 and Euclidean distances, started from points of the data.

    The packages at hand cannot be set to the paper's rules: scikit-fuzzy's ``cmeans`` and
    fuzzy-c-means' ``FCM`` both stop by the Frobenius norm of the change of all memberships, which
    grows with the number of objects, where the paper stops by the change of the centers; and both
    start from random memberships (fuzzy-c-means also by k-means++), the paper from distinct points.

    The paper's maximum norm of a matrix is that of its language, MATLAB: the largest row sum. As in
    MATLAB's ``fcm``, the memberships are those from which the last centers were computed.

    Parameters
    ----------
    n_clusters : int, default=8
        Number of clusters.
    max_iter : int, default=100
        Most iterations.
    tol : float, default=1e-3
        Iterations end once the coordinates of no center have changed by as much in sum.
    random_state : int, RandomState instance or None, default=None
        Draws the distinct points at which the centers start.

    Attributes
    ----------
    cluster_centers_ : ndarray of shape (n_clusters, n_features)
        Centers.
    u : ndarray of shape (n_samples, n_clusters)
        Memberships of the objects fitted, in the centers before the last update; rows sum to 1.
    labels_ : ndarray of shape (n_samples,)
        Cluster of highest membership.
    n_iter_ : int
        Number of iterations.
    """

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        max_iter: int = 100,
        tol: float = 1e-3,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def fit(self, X: NDArray[np.float64], y: Any = None) -> FuzzyCMeans:
        start = distinct_points(X, self.n_clusters, check_random_state(self.random_state))
        before = self.cluster_centers_ = start
        self.n_iter_ = 0
        change = np.inf
        while self.n_iter_ < self.max_iter and change >= self.tol:
            before = self.cluster_centers_
            self.cluster_centers_ = _next_centers(X, before)
            change = np.abs(self.cluster_centers_ - before).sum(axis=1).max()
            self.n_iter_ += 1
        self.u = _memberships(X, before).T
        self.labels_ = self.u.argmax(axis=1)
        return self

    def predict_proba(self, X: NDArray[np.float64]) -> NDArray[np.float64]:
        return _memberships(X, self.cluster_centers_).T

    def predict(self, X: NDArray[np.float64]) -> NDArray[np.intp]:
        return self.predict_proba(X).argmax(axis=1)


def distinct_points(
    X: NDArray[np.float64], n_points: int, random_state: np.random.RandomState
) -> NDArray[np.float64]:
    """Draw points that all differ; centers that start together would stay together."""
    points = np.unique(X, axis=0)
    return points[random_state.choice(len(points), n_points, replace=False)]


def _memberships(X: NDArray[np.float64], centers: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return memberships of shape (n_clusters, n_samples): inverse squared distances, as shares."""
    squares = np.maximum(cdist(centers, X, "sqeuclidean"), np.finfo(np.float64).tiny)
    # Relative to the nearest center, so that an object at a center does not overflow.
    weights = squares.min(axis=0) / squares
    return weights / weights.sum(axis=0)


def _next_centers(X: NDArray[np.float64], centers: NDArray[np.float64]) -> NDArray[np.float64]:
    sums = np.zeros_like(centers)
    totals = np.zeros(len(centers))
    for block in gen_batches(len(X), max(_BLOCK_SIZE // len(centers), 1)):
        squares = _memberships(X[block], centers) ** 2
        sums += squares @ X[block]
        totals += squares.sum(axis=1)
    return sums / totals[:, np.newaxis]
