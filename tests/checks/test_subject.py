"""Clusterers of other data than coordinates, keywords of fit, and data of one's own."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.cluster import DBSCAN, AgglomerativeClustering, KMeans, SpectralClustering
from sklearn.datasets import load_iris

from sklearn_clustcompare import (
    adjusted_rand_score,
    check_clusterer,
    checks,
    parametrize_with_clusterer_checks,
)
from sklearn_clustcompare.checks import _record as _forms
from sklearn_clustcompare.checks._record import FORMS, Subject
from tests._examples import slow
from tests.checks._clusterers import OfDistances

pytestmark = pytest.mark.usefixtures("one_thread")


def _not_passed(estimator, **options):
    results = check_clusterer(estimator, on_fail=None, on_skip=None, **options)
    assert len(results) > 12
    return {
        result["check_name"].removeprefix("check_"): result["exception"]
        for result in results
        if result["status"] != "passed"
    }


class _OfObjects(ClusterMixin, BaseEstimator):
    """Clusters around objects that are far from each other, by a distance of objects."""

    def __init__(self, n_clusters=3):
        self.n_clusters = n_clusters

    def fit(self, X, y=None):
        X = self._read(X)
        medoids = [X[0]]
        while len(medoids) < self.n_clusters:
            medoids.append(X[int(self._distances(X, medoids).min(axis=1).argmax())])
        self.medoids_ = medoids
        self.labels_ = self._distances(X, medoids).argmin(axis=1)
        return self

    def predict(self, X):
        return self._distances(self._read(X), self.medoids_).argmin(axis=1)


class OfCategories(_OfObjects):
    def _read(self, X):
        assert X.dtype.kind == "U"
        return X

    def _distances(self, X, others):
        return np.array([(other != X).sum(axis=1) for other in others]).T


class OfCounts(_OfObjects):
    def _read(self, X):
        assert X.dtype.kind == "i"
        assert (X >= 0).all()
        return X

    def _distances(self, X, others):
        return cdist(np.sqrt(X), np.sqrt(np.array(others)))


class OfWords(_OfObjects):
    """Takes a list of words; their distance is that of the numbers of two letters."""

    def _read(self, X):
        assert isinstance(X, list)
        assert all(isinstance(word, str) for word in X)
        return X

    def _distances(self, X, others):
        counts = [[[word.count("a"), word.count("b")] for word in some] for some in (X, others)]
        return cdist(*map(np.array, counts), "cityblock")


class OfDicts(_OfObjects):
    def _read(self, X):
        return X

    def _distances(self, X, others):
        rows = [[[one["length"], one["width"]] for one in some] for some in (X, others)]
        return cdist(*rows)


class OfMixed(_OfObjects):
    """Needs to know which columns are categories, in fit and in predict."""

    def _read(self, X):
        return X

    def fit(self, X, y=None, categorical=None):
        assert categorical is not None
        self.categorical_ = categorical
        return super().fit(X)

    def predict(self, X, categorical=None):
        assert categorical == self.categorical_
        return super().predict(X)

    def _distances(self, X, others):
        at = np.isin(np.arange(X.shape[1]), self.categorical_)
        others = np.array(others, dtype=object)
        categories = np.array([(X[:, at] != other[at]).sum(axis=1) for other in others]).T
        return categories + cdist(X[:, ~at].astype(float), others[:, ~at].astype(float))


@pytest.mark.parametrize(
    ("estimator", "data"),
    [
        slow(OfCategories(), "categories"),
        slow(OfCounts(), "counts"),
        (OfWords(), "sequences"),
    ],
    ids=str,
)
def test_clusterers_of_other_data_pass(estimator, data):
    assert _not_passed(estimator, data=data, promises=["order"]).keys() <= {
        "order_of_overlapping_objects"  # starts at the first object
    }


def test_keywords_of_fit_are_passed_to_predict():
    options = {"data": "mixed", "fit_params": {"categorical": [2, 3, 4, 5]}}
    assert _not_passed(OfMixed(), **options) == {}
    options["fit_params"] = lambda X: {"categorical": list(range(2, X.shape[1]))}
    checks.check_predict_on_the_fitted_objects(OfMixed(), **options)
    assert _not_passed(OfMixed(), data="mixed")


@pytest.mark.slow
@pytest.mark.parametrize(
    "estimator",
    [
        OfDistances(),
        DBSCAN(metric="precomputed"),
        AgglomerativeClustering(metric="precomputed", linkage="average"),
    ],
    ids=str,
)
def test_square_matrices_of_distances(estimator):
    assert Subject(estimator).form is FORMS["distances"]
    assert _not_passed(estimator) == {}


def test_square_matrices_of_affinities():
    estimator = SpectralClustering(affinity="precomputed")
    assert Subject(estimator).form is FORMS["affinities"]
    checks.check_separated_blobs_are_found(estimator)


@pytest.mark.parametrize("form", FORMS)
def test_blobs_stay_apart_in_every_form(form):
    X, y = Subject(KMeans(), data=form).labeled_blobs(4)
    shown = FORMS[form](X, X)
    assert len(shown) == len(X)
    if form == "sequences":
        shown = np.array([[word.count("a"), word.count("b")] for word in shown])
    elif form in ("categories", "mixed"):
        shown = shown[:, -4:] if form == "mixed" else shown[:, :4]
        shown = np.array([[float(cell) for cell in row] for row in shown])
    elif form in ("distances", "affinities"):
        shown = shown[:, [np.flatnonzero(y == label)[0] for label in range(4)]]
    found = AgglomerativeClustering(4, linkage="average").fit_predict(shown)
    assert adjusted_rand_score(y, found) == 1


# --------------------------------------------------------------------------- one's own data


@pytest.mark.slow
def test_data_of_ones_own_replace_the_built_in_ones():
    X, y = load_iris(return_X_y=True)
    own = ("iris", X, y, {"adjusted_rand_score": 0.6, "misclassification_distance": 0.2})
    results = check_clusterer(KMeans(n_init=3), data=[own])
    names = [result["check_name"] for result in results]
    assert names[-1] == "check_limits_on_iris"
    assert "check_separated_blobs_are_found" not in names
    assert "check_same_random_state_same_labels" in names
    beside = check_clusterer(KMeans(n_init=3), data=["continuous", own])
    assert len(beside) == len(check_clusterer(KMeans())) + 1


def test_a_limit_that_is_not_kept_fails_with_the_report():
    X, y = load_iris(return_X_y=True)
    own = ("iris", X, y, {"adjusted_rand_score": 0.9})
    failed = _not_passed(KMeans(), data=[own])
    assert list(failed) == ["limits_on_iris"]
    assert "adjusted_rand_score must be at least 0.9, got 0.7" in str(failed["limits_on_iris"])
    reasons = {"check_limits_on_iris": "two species overlap"}
    results = check_clusterer(KMeans(), data=[own], expected_failed_checks=reasons)
    assert results[-1]["status"] == "xfail"
    mark = parametrize_with_clusterer_checks(
        [KMeans()], data=[own], expected_failed_checks=lambda _: reasons
    )
    assert mark.args[1][-1].marks


def test_own_data_can_be_a_list_a_frame_or_a_square_matrix():
    pd = pytest.importorskip("pandas")
    X, y = load_iris(return_X_y=True)
    limits = {"adjusted_rand_score": 0.5}
    words = ["a" * int(10 * a) + "b" * int(10 * b) for a, b in X[:, 2:]]
    assert _not_passed(OfWords(), data=[("words", words, y, limits)]) == {}
    frame = pd.DataFrame(X, index=[f"flower {i}" for i in range(150)])
    assert _not_passed(KMeans(), data=[("frame", frame, y, limits)]) == {}
    linked = AgglomerativeClustering(metric="precomputed", linkage="average")
    assert _not_passed(linked, data=[("square", cdist(X, X), y, limits)]) == {}


def test_a_function_makes_the_objects():
    def lengths(X):
        return [{"length": float(a), "width": float(b)} for a, b in X]

    assert _not_passed(OfDicts(), data=lengths) == {}


def test_blobs_are_separated_and_exact_in_float32():
    for k in (2, 3, 4):
        X, y = _forms.blobs(k)
        distances = np.linalg.norm(X[:, None] - X, axis=2)
        same = y[:, None] == y
        assert distances[same].max() < 1.4 < distances[~same].min()
        assert np.array_equal(X, X.astype(np.float32))
        assert (X > 0).all()
        assert np.bincount(y).tolist() == [24, 20, 16, 12][:k]


def test_weights_of_the_line_matter():
    X, weights = _forms.weighted_line()

    def best_split(weights):
        costs = []
        for cut in range(1, 40):
            sides = slice(0, cut), slice(cut, 40)
            costs.append(
                sum(
                    weights[s].sum() * np.cov(X[s].T, fweights=weights[s], ddof=0).trace()
                    if len(X[s]) > 1
                    else 0
                    for s in sides
                )
            )
        return np.arange(40) > np.argmin(costs)

    ignored = best_split(np.ones(40, int))
    assert adjusted_rand_score(best_split(weights), ignored) < 0.5
