"""Clusterers of other packages, where these are installed, with what is known of their failures."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KBinsDiscretizer

from sklearn_clustcompare import check_clusterer

pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.usefixtures("one_thread")]


def _failures(estimator, **options):
    results = check_clusterer(estimator, on_fail=None, on_skip=None, **options)
    names = {result["check_name"] for result in results if result["status"] == "failed"}
    assert len(results) > 25
    return {name.removeprefix("check_") for name in names}


def test_hdbscan():
    hdbscan = pytest.importorskip("hdbscan")
    known = {
        "read_only_input",  # the default algorithm asks for an array to write to
        "nan",  # such objects are noise, as documented, and no tag says so
    }
    assert _failures(hdbscan.HDBSCAN(), promises=["shift", "scale", "rotation"]) <= known


def test_kmodes():
    kmodes = pytest.importorskip("kmodes.kmodes")
    bins = KBinsDiscretizer(3, encode="ordinal", strategy="uniform")
    known = {"floor_on_wine"}  # three bins for each feature tell too little
    assert _failures(make_pipeline(bins, kmodes.KModes(n_init=5))) <= known


class FuzzyCMeans(ClusterMixin, BaseEstimator):
    """The functions of scikit-fuzzy as an estimator."""

    def __init__(self, n_clusters=3, m=2.0, random_state=None):
        self.n_clusters = n_clusters
        self.m = m
        self.random_state = random_state

    def fit(self, X, y=None):
        from skfuzzy import cmeans

        result = cmeans(
            np.asarray(X, float).T, self.n_clusters, self.m, 1e-6, 300, seed=self.random_state
        )
        self.centers_, self.memberships_ = result[0], result[1].T
        self.labels_ = self.memberships_.argmax(axis=1)
        return self

    def predict_proba(self, X):
        from skfuzzy import cmeans_predict

        return cmeans_predict(np.asarray(X, float).T, self.centers_, self.m, 1e-6, 300)[0].T

    def predict(self, X):
        return self.predict_proba(X).argmax(axis=1)


def test_scikit_fuzzy():
    pytest.importorskip("skfuzzy")
    known = {
        "global_random_state_is_not_changed",  # the seed is that of np.random
        *("nan", "infinity"),  # one such value makes all centers missing
        "random_state_instance_advances",  # the seed must be an integer
        "feature_names_are_kept",  # the class above turns X into an array first
    }
    assert _failures(FuzzyCMeans(), promises=["shift", "scale", "rotation"]) <= known
