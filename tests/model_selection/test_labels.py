"""The scores of a search are those of the fits that it made."""

import numpy as np
import pytest
import sklearn
from sklearn.base import BaseEstimator, ClusterMixin, clone
from sklearn.cluster import DBSCAN, HDBSCAN, AgglomerativeClustering, KMeans
from sklearn.datasets import load_digits, load_iris
from sklearn.decomposition import NMF, PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.model_selection import (
    GridSearchCV,
    HalvingGridSearchCV,
    RandomizedSearchCV,
    cross_validate,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sklearn_clustcompare import (
    TransductiveSplit,
    adjusted_rand_score,
    make_clustering_scorer,
    silhouette_score,
)
from tests._examples import WEIGHTS_REACH_SCORERS, weighted_search

pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning:sklearn")
ROWS, SPECIES = load_iris(return_X_y=True)
# The distinct rows of two columns, and how often they occur.
X, FIRST, COUNTS = np.unique(ROWS[:, 2:], axis=0, return_index=True, return_counts=True)
Y = SPECIES[FIRST]
BY_AGREEMENT = {
    "scoring": make_clustering_scorer("ari"),
    "cv": TransductiveSplit(),
    "error_score": "raise",
}


class WeightedHalves(ClusterMixin, BaseEstimator):
    """Splits objects where a share of the weights lies below; keeps no rows."""

    def __init__(self, share=0.5):
        self.share = share

    def fit(self, X, y=None, sample_weight=None):
        first = np.asarray(X)[:, 0]
        weights = np.ones(len(first)) if sample_weight is None else np.asarray(sample_weight)
        order = np.argsort(first, kind="stable")
        below = np.cumsum(weights[order]) <= self.share * weights.sum()
        self.labels_ = np.empty(len(first), int)
        self.labels_[order] = below
        return self


class NearestClass(ClusterMixin, BaseEstimator):
    """A semi-supervised clusterer: objects join the nearest mean of a class, some of them."""

    def __init__(self, n_classes=3):
        self.n_classes = n_classes

    def fit(self, X, classes=None):
        known = np.unique(classes)[: self.n_classes] if classes is not None else [None]
        means = np.array([X[classes == one].mean(axis=0) for one in known])
        self.labels_ = ((X[:, np.newaxis] - means) ** 2).sum(axis=2).argmin(axis=1)
        return self


def made(estimator, grid, **given):
    """The labels of each fit of a search, by hand."""
    ((name, values),) = grid.items()
    return [clone(estimator).set_params(**{name: one}).fit(X, Y, **given).labels_ for one in values]


@weighted_search
def test_weights_of_a_search_reach_the_fit_and_the_score():
    grid = {"eps": [0.15, 0.2, 0.25, 0.3]}
    search = GridSearchCV(DBSCAN(min_samples=8), grid, **BY_AGREEMENT)
    search.fit(X, Y, sample_weight=COUNTS)
    # Of the repeated rows, by scikit-learn.
    repeated = np.repeat(X, COUNTS, axis=0)
    expected = [
        sklearn.metrics.adjusted_rand_score(
            np.repeat(Y, COUNTS), DBSCAN(min_samples=8, eps=eps).fit(repeated).labels_
        )
        for eps in grid["eps"]
    ]
    assert search.cv_results_["mean_test_score"] == pytest.approx(expected, rel=1e-12)
    assert search.best_params_ == {"eps": 0.2}


@pytest.mark.parametrize("weights", [COUNTS, None, COUNTS / 3], ids=["whole", "none", "thirds"])
@pytest.mark.parametrize("routing", [False, True])
@pytest.mark.parametrize(
    ("estimator", "grid"),
    [(DBSCAN(min_samples=4), {"eps": [0.2, 0.4]}), (WeightedHalves(), {"share": [0.3, 0.6]})],
)
def test_with_and_without_routing(estimator, grid, routing, weights):
    if not (WEIGHTS_REACH_SCORERS or routing or weights is None):
        pytest.skip("this version of scikit-learn scores without weights")
    given = {} if weights is None else {"sample_weight": weights}
    with sklearn.config_context(enable_metadata_routing=routing):
        scorer = make_clustering_scorer("ami" if weights is None else "rand_score")
        one = clone(estimator)
        if routing:
            scorer.set_score_request(sample_weight=True)
            one.set_fit_request(sample_weight=True)
        search = GridSearchCV(one, grid, **BY_AGREEMENT | {"scoring": scorer})
        search.fit(X, Y, **given)
    scores = make_clustering_scorer(*scorer._chosen[0].name.split(), response="labels_")
    for labels, score in zip(
        made(estimator, grid, **given), search.cv_results_["mean_test_score"], strict=True
    ):
        told = AgglomerativeClustering()
        told.labels_ = labels
        assert score == scores(told, X, Y, **given)


def test_weights_of_the_score_alone():
    with sklearn.config_context(enable_metadata_routing=True):
        scorer = make_clustering_scorer("ari").set_score_request(sample_weight=True)
        halves = WeightedHalves().set_fit_request(sample_weight=False)
        keywords = BY_AGREEMENT | {"scoring": scorer}
        search = GridSearchCV(halves, {"share": [0.3, 0.6]}, **keywords)
        search.fit(X, Y, sample_weight=COUNTS)
    expected = [
        adjusted_rand_score(Y, labels, sample_weight=COUNTS)
        for labels in made(WeightedHalves(), {"share": [0.3, 0.6]})
    ]
    assert search.cv_results_["mean_test_score"].tolist() == expected


def test_weights_of_the_fit_alone_are_named():
    model = WeightedHalves().fit(X, sample_weight=COUNTS)
    with pytest.raises(ValueError, match="finds other clusters.*'labels_'.*'fit_predict'"):
        BY_AGREEMENT["scoring"](model, X, Y)
    as_they_are = make_clustering_scorer("ari", response="labels_")
    assert as_they_are(model, X, Y) == adjusted_rand_score(Y, model.labels_)
    anew = make_clustering_scorer("ari", response="fit_predict")
    assert anew(model, X, Y) == adjusted_rand_score(Y, WeightedHalves().fit(X).labels_)
    assert anew(model, X, Y, sample_weight=COUNTS) == adjusted_rand_score(
        Y, model.labels_, sample_weight=COUNTS
    )


@pytest.mark.parametrize(
    "make", [lambda one: one, lambda one: make_pipeline(StandardScaler(), one)]
)
def test_a_clusterer_that_uses_y(make):
    name = "n_classes" if make(0) == 0 else "nearestclass__n_classes"
    found = GridSearchCV(make(NearestClass()), {name: [2, 3]}, **BY_AGREEMENT).fit(X, Y)
    fits = [clone(make(NearestClass())).set_params(**{name: k}).fit(X, Y) for k in (2, 3)]
    labels = [getattr(fit, "steps", [("", fit)])[-1][1].labels_ for fit in fits]
    expected = [adjusted_rand_score(Y, one) for one in labels]
    assert found.cv_results_["mean_test_score"].tolist() == expected
    with pytest.raises(ValueError, match="another fit to the objects"):
        BY_AGREEMENT["scoring"](fits[1], X, np.roll(Y, 40))


@pytest.mark.parametrize(
    "estimator",
    [
        DBSCAN(eps=0.5),
        HDBSCAN(min_cluster_size=10),
        AgglomerativeClustering(3),
        make_pipeline(StandardScaler(), DBSCAN(eps=0.5)),
        make_pipeline(PCA(2), make_pipeline(StandardScaler(), AgglomerativeClustering(3))),
    ],
)
def test_half_of_the_objects_is_not_the_other_half(estimator):
    fitted, scored = np.arange(0, 150, 2), np.arange(1, 150, 2)
    model = clone(estimator).fit(ROWS[fitted])
    scorer = make_clustering_scorer("ari")
    assert scorer(model, ROWS[fitted], SPECIES[fitted]) > 0.2
    for others in (scored, fitted[::-1]):
        with pytest.raises(ValueError, match="response='labels_'.*response='fit_predict'"):
            scorer(model, ROWS[others], SPECIES[others])
    anew = make_clustering_scorer("ari", response="fit_predict")
    labels = clone(estimator).fit_predict(ROWS[scored])
    assert anew(model, ROWS[scored], SPECIES[scored]) == adjusted_rand_score(
        SPECIES[scored], labels
    )
    with pytest.raises(ValueError, match="cannot predict"):
        cross_validate(estimator, ROWS, SPECIES, cv=2, scoring=scorer, error_score="raise")


def test_a_fresh_fit_leaves_the_estimator_as_it_is():
    model = KMeans(2, n_init=1, random_state=0).fit(X[:60])
    centers = model.cluster_centers_.copy()
    make_clustering_scorer("ari", response="fit_predict")(model, X, Y)
    assert np.array_equal(model.cluster_centers_, centers)


@pytest.mark.parametrize("clusterer", [DBSCAN(eps=10), AgglomerativeClustering(10)])
@pytest.mark.parametrize(
    "step",
    [
        PCA(10, svd_solver="randomized", random_state=0),
        PCA(3, svd_solver="randomized"),
        NMF(6, init="nndsvda", random_state=0, max_iter=60, tol=1e-2),
    ],
)
@pytest.mark.parametrize("response", ["auto", "labels_"])
def test_steps_that_transform_the_objects_of_their_fit_in_another_way(step, clusterer, response):
    digits, y = load_digits(return_X_y=True)
    digits, y = digits[:300], y[:300]
    model = make_pipeline(step, clusterer).fit(digits)
    scorer = make_clustering_scorer("ari", response=response)
    assert scorer(model, digits, y) == adjusted_rand_score(y, model[-1].labels_)


def test_a_step_that_uses_y():
    model = make_pipeline(LinearDiscriminantAnalysis(n_components=1), AgglomerativeClustering(3))
    model.fit(ROWS, SPECIES)
    score = BY_AGREEMENT["scoring"](model, ROWS, SPECIES)
    assert score == adjusted_rand_score(SPECIES, model[-1].labels_)


@pytest.mark.processes
@pytest.mark.slow
def test_in_parallel_as_in_one_process():
    grid = {"eps": [0.15, 0.2, 0.25, 0.3]}
    scores = [
        GridSearchCV(DBSCAN(min_samples=8), grid, **BY_AGREEMENT, n_jobs=n_jobs)
        .fit(X, Y, sample_weight=COUNTS)
        .cv_results_["mean_test_score"]
        for n_jobs in (None, 2)
    ]
    np.testing.assert_array_equal(*scores)


@weighted_search
@pytest.mark.parametrize("kind", [RandomizedSearchCV, HalvingGridSearchCV])
def test_other_searches_with_weights(kind):
    keywords = {"n_iter": 3} if kind is RandomizedSearchCV else {"min_resources": 40}
    search = kind(
        DBSCAN(min_samples=8), {"eps": [0.15, 0.2, 0.4]}, random_state=0, **keywords, **BY_AGREEMENT
    ).fit(X, Y, sample_weight=COUNTS)
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()
    if kind is RandomizedSearchCV:
        params = search.cv_results_["params"]
        fits = [DBSCAN(min_samples=8, **one).fit(X, sample_weight=COUNTS) for one in params]
        expected = [adjusted_rand_score(Y, fit.labels_, sample_weight=COUNTS) for fit in fits]
        assert search.cv_results_["mean_test_score"].tolist() == expected


def test_weights_of_a_last_step_need_no_repetition():
    model = make_pipeline(StandardScaler(), DBSCAN(eps=0.3, min_samples=8))
    model.fit(X, dbscan__sample_weight=COUNTS)
    for scorer in (make_clustering_scorer("ari"), make_clustering_scorer("silhouette_score")):
        score = scorer(model, X, Y)
        seen = model[:-1].transform(X)
        labels = model[-1].labels_
        ours = scorer._chosen[0].name
        assert score == (
            adjusted_rand_score(Y, labels) if ours == "ari" else silhouette_score(seen, labels)
        )


def test_clusterers_without_labels_are_told_what_to_do():
    class Own(BaseEstimator):
        def fit(self, X, y=None):
            return self

        def fit_predict(self, X, y=None):
            return (X[:, 0] > 2.5).astype(int)

    with pytest.raises(
        TypeError, match="predict or fit_predict with labels_ .* got Own; response="
    ):
        BY_AGREEMENT["scoring"](Own().fit(X), X, Y)
    anew = make_clustering_scorer("ari", response="fit_predict")
    assert anew(Own(), X, Y) == adjusted_rand_score(Y, X[:, 0] > 2.5)
    with pytest.raises(
        TypeError, match="response='fit_predict' needs an estimator with fit_predict"
    ):
        anew(StandardScaler().fit(X), X, Y)
