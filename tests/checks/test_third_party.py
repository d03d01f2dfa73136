"""Clusterers of other packages, where these are installed, with what is known of their failures."""

import numpy as np
import pytest
from scipy.cluster.hierarchy import fcluster
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils import check_array, check_random_state

from sklearn_clustcompare import check_clusterer

pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.usefixtures("one_thread")]


def _failures(estimator, **options):
    results = check_clusterer(estimator, on_fail=None, on_skip=None, **options)
    names = {result["check_name"] for result in results if result["status"] == "failed"}
    assert len(results) >= 20
    return {name.removeprefix("check_") for name in names}


@pytest.mark.slow
def test_hdbscan():
    hdbscan = pytest.importorskip("hdbscan")
    known = {
        "read_only_input",  # the default algorithm requests an array to write to
        *("nan", "infinity"),  # such objects are noise, as documented, and no tag shows it
    }
    assert _failures(hdbscan.HDBSCAN(), promises=["shift", "scale", "rotation"]) <= known
    # Equal distances are tied, and the tree takes one first.
    known = {"duplicated_rows_stay_together"}
    assert _failures(hdbscan.HDBSCAN(metric="precomputed")) <= known


@pytest.mark.slow
def test_genieclust():
    genieclust = pytest.importorskip("genieclust")
    known = {
        *("nan", "infinity"),  # a failed assertion in C, as RuntimeError
        "parameters_are_not_changed",  # quitefastmst_params is {} after a fit, None before
        "small_cluster_is_kept",  # by design: the Gini index of cluster sizes is bounded
    }
    assert _failures(genieclust.Genie(), promises=["shift", "scale", "rotation"]) <= known


@pytest.mark.slow
def test_kmodes():
    kmodes = pytest.importorskip("kmodes.kmodes")
    kprototypes = pytest.importorskip("kmodes.kprototypes")
    # labels_ is None with as many clusters as distinct rows; predict has the labels.
    without_labels = {
        *("one_object", "constant_features", "more_clusters_than_distinct_rows"),
        *("one_cluster_and_one_for_each_object", "small_cluster_is_kept"),
    }
    assert _failures(kmodes.KModes(n_init=3), data="categories") <= without_labels
    known = without_labels | {
        "parameters_are_not_changed",  # gamma, None at first
        "weight_of_zero_is_no_row",  # centers of no weight are NaN
    }
    options = {"data": "mixed", "fit_params": {"categorical": [2, 3, 4, 5]}}
    assert _failures(kprototypes.KPrototypes(n_init=3), **options) <= known


class FastCluster(ClusterMixin, BaseEstimator):
    """The linkage of fastcluster as an estimator."""

    def __init__(self, n_clusters=2):
        self.n_clusters = n_clusters

    def fit(self, X, y=None):
        from fastcluster import linkage

        X = check_array(X, ensure_min_samples=2)
        self.labels_ = fcluster(linkage(X, "ward"), self.n_clusters, "maxclust") - 1
        return self


@pytest.mark.slow
def test_fastcluster():
    pytest.importorskip("fastcluster")
    promises = ["shift", "scale", "rotation", "compact"]
    assert _failures(FastCluster(), promises=promises) == set()


class Leiden(ClusterMixin, BaseEstimator):
    """Communities of a graph that is given by a matrix of affinities."""

    def __init__(self, resolution=0.5, affinity="precomputed", random_state=None):
        self.resolution = resolution
        self.affinity = affinity
        self.random_state = random_state

    def fit(self, X, y=None):
        import igraph
        import leidenalg

        upper = np.triu(check_array(X), 1)
        rows, columns = np.nonzero(upper > 1e-3)
        graph = igraph.Graph(len(upper), list(zip(rows.tolist(), columns.tolist(), strict=True)))
        found = leidenalg.find_partition(
            graph,
            leidenalg.RBConfigurationVertexPartition,
            weights=upper[rows, columns].tolist(),
            resolution_parameter=self.resolution,
            seed=int(check_random_state(self.random_state).randint(2**31 - 1)),
        )
        self.labels_ = np.array(found.membership)
        return self


@pytest.mark.slow
def test_leiden_on_a_matrix_of_affinities():
    pytest.importorskip("leidenalg")
    assert _failures(Leiden()) == set()


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
