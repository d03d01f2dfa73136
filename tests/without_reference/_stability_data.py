"""Data, and clusterers that are simple enough to be repeated by hand."""

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin

from sklearn_clustcompare.without_reference._null_data import laws_of

_CENTERS = np.array([[0, 0], [0, 6], [6, 0], [6, 6], [12, 12]])


def five_blobs(seed=0):
    rng = np.random.default_rng(seed)
    return np.concatenate([center + 0.4 * rng.normal(size=(16, 2)) for center in _CENTERS])


def law_of(null, X):
    """Return the only law."""
    (law,) = laws_of(null, X)
    return law


class Quantiles(ClusterMixin, BaseEstimator):
    """Divides objects at quantiles of the first feature; its labels can be written down."""

    def __init__(self, n_clusters=2):
        self.n_clusters = n_clusters

    def fit(self, X, y=None):
        X = np.asarray(X)
        self.cuts_ = np.quantile(X[:, 0], np.arange(1, self.n_clusters) / self.n_clusters)
        self.labels_ = self.predict(X)
        return self

    def predict(self, X):
        return np.searchsorted(self.cuts_, np.asarray(X)[:, 0])

    def predict_proba(self, X):
        near = 1 / (1 + np.abs(np.arange(self.n_clusters) - self.predict(X)[:, np.newaxis]))
        return near / near.sum(axis=1, keepdims=True)


class Middle(ClusterMixin, BaseEstimator):
    """Clusters objects by the sign of the first feature, far ones are noise; cannot predict."""

    def __init__(self, reach=1.0):
        self.reach = reach

    def fit(self, X, y=None):
        x = np.asarray(X)[:, 0]
        self.labels_ = np.where(np.abs(x) > self.reach, -1, (x > 0).astype(int))
        return self
