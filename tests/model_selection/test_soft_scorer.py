"""Scorers of memberships, in the searches of scikit-learn and with packages of fuzzy clustering."""

import pickle

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator, ClusterMixin, clone
from sklearn.datasets import make_blobs
from sklearn.decomposition import PCA
from sklearn.metrics.pairwise import euclidean_distances
from sklearn.mixture import BayesianGaussianMixture, GaussianMixture
from sklearn.model_selection import KFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import sklearn_clustcompare
from sklearn_clustcompare import get_index, list_indices, make_clustering_scorer
from sklearn_clustcompare.model_selection import TransductiveSplit
from tests.model_selection._search import search

CLUSTERERS = {
    "GaussianMixture": (GaussianMixture(random_state=0), "n_components"),
    "BayesianGaussianMixture": (
        BayesianGaussianMixture(random_state=0, tol=0.1),
        "n_components",
    ),
    "Pipeline": (
        make_pipeline(StandardScaler(), PCA(2), GaussianMixture(random_state=0)),
        "gaussianmixture__n_components",
    ),
}


class Distances(ClusterMixin, BaseEstimator):
    """Memberships by distance to the first objects; stands for packages of fuzzy clustering.

    ``strength`` below 1 leaves part of each object to no cluster, as HDBSCAN does.
    """

    def __init__(self, n_clusters=3, strength=1.0, as_sparse=False):
        self.n_clusters = n_clusters
        self.strength = strength
        self.as_sparse = as_sparse

    def fit(self, X, y=None):
        self.centers_ = X[: self.n_clusters]
        self.u = self.soft_predict(X)
        self.labels_ = self.predict(X)
        return self

    def soft_predict(self, X):
        closeness = np.exp(-euclidean_distances(X, self.centers_))
        u = self.strength * closeness / closeness.sum(axis=1, keepdims=True)
        return sparse.csr_array(u) if self.as_sparse else u

    def predict(self, X):
        return np.asarray(self.soft_predict(X).argmax(axis=1)).ravel()


@pytest.fixture(scope="module")
def blobs():
    X, y = make_blobs(90, centers=3, n_features=3, cluster_std=2.0, random_state=0)
    return X, y


@pytest.mark.slow
@pytest.mark.parametrize("name", CLUSTERERS)
@pytest.mark.parametrize("cv", [KFold(3), TransductiveSplit()], ids=["kfold", "transductive"])
def test_grid_search_over_memberships_finds_what_a_loop_finds(name, cv, blobs):
    X, y = blobs
    estimator, parameter = CLUSTERERS[name]
    scorer = make_clustering_scorer("adjusted_rand_score", response="predict_proba")
    found = search(estimator, {parameter: [2, 3, 4]}, scorer, cv=cv).fit(X, y)
    train, test = next(cv.split(X, y))
    for number, score in zip([2, 3, 4], found.cv_results_["split0_test_score"], strict=True):
        fitted = clone(estimator).set_params(**{parameter: number}).fit(X[train])
        memberships = fitted.predict_proba(X[test])
        expected = sklearn_clustcompare.adjusted_rand_score(y[test], memberships)
        assert score == pytest.approx(expected, rel=1e-12)
        assert expected != sklearn_clustcompare.adjusted_rand_score(
            y[test], memberships.argmax(axis=1)
        )


def test_all_indices_of_soft_partitions_from_one_table(blobs):
    X, y = blobs
    names = list_indices(soft=True)
    scorer = make_clustering_scorer(names, response="predict_proba")
    mixture = GaussianMixture(3, random_state=0).fit(X)
    scores = scorer(mixture, X, y)
    assert list(scores) == names
    for name, score in scores.items():
        value = getattr(sklearn_clustcompare.metrics, name)(y, mixture.predict_proba(X))
        assert score == pytest.approx(value if get_index(name).greater_is_better else -value)


@pytest.mark.parametrize("as_sparse", [False, True])
@pytest.mark.parametrize("response", ["u", "soft_predict"])
@pytest.mark.parametrize("wrap", [lambda one: one, lambda one: make_pipeline(PCA(2), one)])
def test_memberships_by_name_of_a_method_or_an_attribute(response, as_sparse, wrap, blobs):
    X, y = blobs
    estimator = wrap(Distances(as_sparse=as_sparse)).fit(X)
    scorer = make_clustering_scorer("rand_score", response=response)
    assert pickle.loads(pickle.dumps(scorer))(estimator, X, y) == scorer(estimator, X, y)
    last = estimator if isinstance(estimator, Distances) else estimator[-1]
    assert scorer(estimator, X, y) == sklearn_clustcompare.rand_score(y, last.u)
    name = "n_clusters" if last is estimator else "distances__n_clusters"
    found = search(wrap(Distances()), {name: [2, 3, 4]}, scorer).fit(X, y)
    assert len(set(found.cv_results_["mean_test_score"])) == 3


def test_reference_may_be_soft(blobs):
    X, y = blobs
    mixture = GaussianMixture(3, random_state=0).fit(X)
    reference = 0.9 * np.eye(3)[y] + 0.1 / 3
    scorer = make_clustering_scorer("rand_score", response="predict_proba")
    assert scorer(mixture, X, reference) == sklearn_clustcompare.rand_score(
        reference, mixture.predict_proba(X)
    )


def test_rows_that_sum_to_less_than_one_are_possibilistic(blobs):
    X, y = blobs
    estimator = Distances(strength=0.8).fit(X)
    estimator.u[:5] = 0  # noise, as HDBSCAN has it
    name = "normalized_mutual_info_score"
    scorer = make_clustering_scorer(name, response="u", possibilistic=True)
    expected = getattr(sklearn_clustcompare.metrics, name)(y, estimator.u, possibilistic=True)
    assert scorer(estimator, X, y) == expected
    assert "possibilistic=True" in repr(scorer)
    with pytest.raises(ValueError, match="labels_pred: .* must sum to 1, got 0 in row 0; use poss"):
        make_clustering_scorer(name, response="u")(estimator, X, y)


# --------------------------------------------------------------------------- other packages


def test_fuzzy_c_means_package(blobs):
    fcmeans = pytest.importorskip("fcmeans")
    X, y = blobs
    model = fcmeans.FCM(n_clusters=3, random_state=0)
    model.fit(X)
    expected = sklearn_clustcompare.adjusted_rand_score(y, model.u)
    assert 0 < expected < 1
    for response in ("u", "soft_predict"):
        scorer = make_clustering_scorer("adjusted_rand_score", response=response)
        assert scorer(model, X, y) == pytest.approx(expected, rel=1e-12)
    assert sklearn_clustcompare.metrics.partition_coefficient(model.u) == pytest.approx(
        model.partition_coefficient, rel=1e-12
    )
    assert sklearn_clustcompare.metrics.partition_entropy(model.u, base=2) == pytest.approx(
        model.partition_entropy_coefficient, rel=1e-12
    )


def test_scikit_fuzzy(blobs):
    skfuzzy = pytest.importorskip("skfuzzy")
    X, y = blobs
    _, u, *_, coefficient = skfuzzy.cmeans(X.T, 3, 2, 1e-6, 1000, seed=0)
    assert sklearn_clustcompare.metrics.partition_coefficient(u.T) == pytest.approx(
        coefficient, rel=1e-12
    )
    assert 0 < sklearn_clustcompare.adjusted_rand_score(y, u.T) < 1


@pytest.mark.parametrize(
    ("response", "message"),
    [
        ("predict_proba", "predict_proba.*got Distances"),
        ("membership_", "membership_.*got Distances"),
        ("n_clusters", "response='n_clusters' must name labels or memberships"),
        ("nothing", "response='nothing' must name labels or memberships"),
    ],
)
def test_a_response_that_is_no_partition_is_named(response, message, blobs):
    X, y = blobs
    model = Distances().fit(X)
    model.nothing = None
    with pytest.raises(TypeError, match=message):
        make_clustering_scorer("rand_score", response=response)(model, X, y)
