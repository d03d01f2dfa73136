"""Clusterers that fail, count their fits or end the process, for workers of every kind."""

import os
from pathlib import Path

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin


class Cut(ClusterMixin, BaseEstimator):
    """Cuts the first feature at a value; notes each fit in a file, and fails if told so."""

    def __init__(self, at=0.5, log=None, fails=False):
        self.at = at
        self.log = log
        self.fails = fails

    def fit(self, X, y=None):
        if self.log is not None:
            with Path(self.log).open("a") as file:
                file.write("fit\n")
        if self.fails:
            msg = "no convergence\nat all"
            raise ArithmeticError(msg)
        self.labels_ = (np.asarray(X)[:, 0] > self.at).astype(int)
        return self


class Ending(Cut):
    """Ends the process in the middle of a fit, as a crash does."""

    def fit(self, X, y=None):
        os._exit(3)


class RandomLabels(ClusterMixin, BaseEstimator):
    """Labels at random."""

    def __init__(self, n_clusters=2, random_state=None):
        self.n_clusters = n_clusters
        self.random_state = random_state

    def fit(self, X, y=None):
        rng = np.random.default_rng(self.random_state)
        self.labels_ = rng.integers(self.n_clusters, size=len(X))
        return self


class Labeled(Cut):
    """Has a parameter without effect."""

    def __init__(self, value=None, at=0.5, log=None, fails=False):
        super().__init__(at, log, fails)
        self.value = value


class OtherLabels(ClusterMixin, BaseEstimator):
    """Labels of a type."""

    def __init__(self, dtype):
        self.dtype = dtype

    def fit(self, X, y=None):
        self.labels_ = np.arange(len(X)).astype(self.dtype)
        return self
