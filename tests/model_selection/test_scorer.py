"""Scorers in the searches of scikit-learn, with its clusterers."""

import pickle
import warnings

import numpy as np
import pytest
import sklearn
from sklearn.base import BaseEstimator, ClusterMixin, clone
from sklearn.cluster import (
    DBSCAN,
    HDBSCAN,
    OPTICS,
    AffinityPropagation,
    AgglomerativeClustering,
    Birch,
    KMeans,
    MiniBatchKMeans,
    SpectralClustering,
)
from sklearn.datasets import load_digits, load_iris, make_moons
from sklearn.decomposition import NMF, PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.mixture import GaussianMixture
from sklearn.model_selection import (
    GridSearchCV,
    HalvingGridSearchCV,
    KFold,
    LearningCurveDisplay,
    RandomizedSearchCV,
    ValidationCurveDisplay,
    cross_val_score,
    cross_validate,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.utils import check_random_state

from sklearn_clustcompare import (
    ContingencyTable,
    adjusted_rand_score,
    get_index,
    list_indices,
    make_clustering_scorer,
    rand_score,
    silhouette_score,
)
from sklearn_clustcompare.model_selection import TransductiveSplit
from sklearn_clustcompare.model_selection._scorer import predicted, space_fitted
from tests._examples import WEIGHTS_REACH_SCORERS, slow, weighted_search
from tests._inputs import import_or_skip
from tests.model_selection._search import STRICT, search

CLUSTERERS = {
    "KMeans": (KMeans(random_state=0), {"n_clusters": [2, 3, 4]}),
    "MiniBatchKMeans": (MiniBatchKMeans(random_state=0), {"n_clusters": [2, 3, 4]}),
    "GaussianMixture": (GaussianMixture(random_state=0), {"n_components": [2, 3, 4]}),
    "Birch": (Birch(threshold=0.5), {"n_clusters": [2, 3, 4]}),
    "DBSCAN": (DBSCAN(), {"eps": [0.3, 0.9]}),
    "HDBSCAN": (HDBSCAN(), {"min_cluster_size": [5, 10]}),
    "OPTICS": (OPTICS(), {"min_samples": [5, 10]}),
    "AgglomerativeClustering": (AgglomerativeClustering(), {"n_clusters": [2, 3, 4]}),
    "SpectralClustering": (SpectralClustering(random_state=0), {"n_clusters": [2, 3]}),
    "AffinityPropagation": (AffinityPropagation(random_state=0), {"preference": [-50, -100]}),
}
TRANSDUCTIVE = ["DBSCAN", "HDBSCAN", "OPTICS", "AgglomerativeClustering", "SpectralClustering"]
# scikit-learn's own deprecations, of HDBSCAN's default for copy and the like, are not ours.
pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning:sklearn")


def in_pipeline(estimator, grid):
    pipeline = make_pipeline(StandardScaler(with_std=False), estimator)
    step = pipeline.steps[-1][0]
    return pipeline, {f"{step}__{name}": values for name, values in grid.items()}


@pytest.mark.parametrize(
    "wrap",
    [pytest.param(lambda *pair: pair, id="plain"), slow(in_pipeline, id="pipeline")],
)
@pytest.mark.parametrize("name", [slow(one) if one == "OPTICS" else one for one in CLUSTERERS])
@pytest.mark.parametrize("cv", [3, TransductiveSplit()], ids=["kfold", "transductive"])
def test_grid_search_finds_what_a_loop_finds(name, wrap, cv, blobs):
    X, y = blobs
    estimator, grid = wrap(*CLUSTERERS[name])
    response = "fit_predict" if cv == 3 and name in TRANSDUCTIVE else "auto"
    scorer = make_clustering_scorer("adjusted_rand_score", response=response)
    found = search(estimator, grid, scorer, cv=cv).fit(X, y)

    ((parameter, values),) = grid.items()
    splits = found.cv_results_["params"], found.cv_results_["split0_test_score"]
    train, test = next(iter((TransductiveSplit() if cv != 3 else KFold(3)).split(X, y)))
    for value, score in zip(*splits, strict=True):
        candidate = clone(estimator).set_params(**value)
        if hasattr(candidate, "predict"):
            labels = candidate.fit(X[train]).predict(X[test])
        else:
            labels = candidate.fit_predict(X[test])
        table = ContingencyTable.from_labels(y[test], labels)
        assert score == get_index("adjusted_rand_score")(table)
    assert np.isfinite(found.cv_results_["mean_test_score"]).all()
    assert found.best_score_ == max(found.cv_results_["mean_test_score"])
    assert found.best_params_[parameter] in values


@pytest.mark.parametrize(
    ("name", "n_jobs"),
    [
        ("Birch", None),
        pytest.param("KMeans", 2, marks=[pytest.mark.processes, pytest.mark.slow]),
        pytest.param("DBSCAN", 2, marks=[pytest.mark.processes, pytest.mark.slow]),
    ],
)
def test_several_indices_are_a_dict_of_scores_with_distances_negated(name, n_jobs, blobs):
    X, y = blobs
    names = [name for name in list_indices() if name != "pvalue_adjusted_mutual_info_score"]
    estimator, grid = CLUSTERERS[name]
    options = {"refit": "variation_of_information_distance", "n_jobs": n_jobs}
    found = search(estimator, grid, make_clustering_scorer(names), **options).fit(X, y)
    labels = found.best_estimator_.fit_predict(X)
    table = ContingencyTable.from_labels(y, labels)
    for index_name in names:
        index = get_index(index_name)
        sign = 1 if index.greater_is_better else -1
        best = found.cv_results_[f"mean_test_{index_name}"][found.best_index_]
        assert best == sign * index(table)
    assert found.best_score_ <= 0


def test_other_searches_and_cross_validate(blobs):
    X, y = blobs
    scorer = make_clustering_scorer("adjusted_rand_score")
    grid = {"n_clusters": [2, 3, 4]}
    randomized = RandomizedSearchCV(
        KMeans(random_state=0), grid, n_iter=3, scoring=scorer, error_score="raise", random_state=0
    ).fit(X, y)
    halving = HalvingGridSearchCV(
        KMeans(random_state=0), grid, scoring=scorer, error_score="raise", random_state=0
    ).fit(X, y)
    assert randomized.best_params_ == halving.best_params_ == {"n_clusters": 3}
    with pytest.raises(ValueError, match="fitted to 96 objects, 24 are scored; pass response='lab"):
        cross_validate(DBSCAN(eps=0.9), X, y, scoring=scorer, error_score="raise")
    anew = make_clustering_scorer("adjusted_rand_score", response="fit_predict")
    scores = cross_validate(DBSCAN(eps=0.9), X, y, scoring=anew, error_score="raise")
    assert scores["test_score"].shape == (5,)
    several = make_clustering_scorer(["purity_score", "rand_score"])
    scores = cross_validate(KMeans(3, random_state=0), X, y, scoring=several, error_score="raise")
    assert {"test_purity_score", "test_rand_score"} <= set(scores)


def test_parameters_reach_the_indices_that_take_them(blobs):
    X, y = blobs
    model = KMeans(2, random_state=0).fit(X)
    table = ContingencyTable.from_labels(y, model.predict(X))
    scorer = make_clustering_scorer(["mutual_info_score", "rand_score"], q=2.0)
    assert scorer(model, X, y) == {
        "mutual_info_score": get_index("mutual_info_score")(table, q=2.0),
        "rand_score": get_index("rand_score")(table),
    }


@pytest.mark.parametrize("name", [slow(one) if one == "OPTICS" else one for one in CLUSTERERS])
def test_clone_and_pickle(name, blobs):
    X, y = blobs
    estimator, grid = CLUSTERERS[name]
    scorer = make_clustering_scorer(["purity_score", "pair_f_score"], beta=2.0)
    model = clone(estimator).fit(X)
    copied = pickle.loads(pickle.dumps(clone(search(estimator, grid, scorer)).scoring))
    assert copied(model, X, y) == scorer(model, X, y)
    assert repr(copied) == repr(scorer)


# --------------------------------------------------------------------------- labels_


@pytest.mark.parametrize(
    "name",
    [slow(one) if one == "OPTICS" else one for one in TRANSDUCTIVE]
    + ["KMeans", "AffinityPropagation"],
)
def test_fitted_labels_score_as_a_fresh_fit_does(name, blobs):
    X, y = blobs
    estimator, grid = CLUSTERERS[name]
    scores = [
        search(estimator, grid, make_clustering_scorer("adjusted_rand_score", response=response))
        .fit(X, y)
        .cv_results_["mean_test_score"]
        for response in ("labels_", "auto")
    ]
    np.testing.assert_array_equal(*scores)


@pytest.mark.parametrize("response", ["auto", "labels_"])
@pytest.mark.parametrize("wrap", [lambda one: one, lambda one: make_pipeline(PCA(2), one)])
def test_rows_that_were_kept_tell_other_objects(wrap, response, blobs):
    # Two folds of one size: the number of labels does not tell them apart.
    X, y = blobs
    scorer = make_clustering_scorer("adjusted_rand_score", response=response)
    with pytest.raises(ValueError, match=r"other objects.*fit_predict.*TransductiveSplit"):
        cross_validate(wrap(DBSCAN(eps=0.9)), X, y, cv=2, scoring=scorer, error_score="raise")


def test_fitted_labels_of_another_number_are_refused(blobs):
    X, y = blobs
    scorer = make_clustering_scorer("adjusted_rand_score", response="labels_")
    model = AgglomerativeClustering().fit(X)
    with pytest.raises(ValueError, match="fitted to 120 objects, 40 are scored"):
        scorer(model, X[:40], y[:40])
    with pytest.raises(TypeError, match="labels_, got GaussianMixture"):
        scorer(GaussianMixture().fit(X), X, y)


def test_noise_alone_keeps_no_rows(blobs):
    X, y = blobs
    model = DBSCAN(eps=1e-3).fit(X)
    assert len(model.components_) == 0
    assert make_clustering_scorer("rand_score")(model, X, y) == rand_score(y, np.full(len(y), -1))
    with pytest.raises(ValueError, match="other objects were fitted"):
        make_clustering_scorer("rand_score")(model, X * 1e-4, y)


@pytest.mark.parametrize("name", ["AgglomerativeClustering", "SpectralClustering"])
def test_halving_searches_draw_the_objects(name, blobs):
    X, y = blobs
    estimator, grid = CLUSTERERS[name]
    scorer = make_clustering_scorer("adjusted_rand_score")
    keywords = {"scoring": scorer} | STRICT
    found = HalvingGridSearchCV(estimator, grid, random_state=0, **keywords).fit(X, y)
    assert found.best_params_ == {"n_clusters": 3}
    assert found.best_score_ == 1.0
    with pytest.raises(ValueError, match="also in a halving search, by an int"):
        HalvingGridSearchCV(estimator, grid, **keywords).fit(X, y)


class RandomLabels(ClusterMixin, BaseEstimator):
    """A clusterer that finds other clusters in each fit, unless told otherwise."""

    def __init__(self, random_state=None):
        self.random_state = random_state

    def fit(self, X, y=None):
        self.labels_ = check_random_state(self.random_state).randint(3, size=len(X))
        return self


def test_labels_that_are_drawn_need_a_seed(blobs):
    X, y = blobs
    scorer = make_clustering_scorer("adjusted_rand_score")
    as_they_are = make_clustering_scorer("adjusted_rand_score", response="labels_")
    seeded = RandomLabels(0).fit(X)
    assert scorer(seeded, X, y) == adjusted_rand_score(y, seeded.labels_)
    for seed in (None, np.random.RandomState(0)):
        drawn = RandomLabels(seed).fit(X)
        with pytest.raises(ValueError, match="or each fit finds others .set random_state"):
            scorer(drawn, X, y)
        assert as_they_are(drawn, X, y) == adjusted_rand_score(y, drawn.labels_)


def test_clusters_that_are_clear_need_no_seed(blobs):
    X, y = blobs
    scorer = make_clustering_scorer("adjusted_rand_score")
    assert scorer(SpectralClustering(3).fit(X), X, y) == 1.0


# --------------------------------------------------------------------------- clustered anew


def test_a_radius_chosen_on_folds_is_not_that_of_all_objects():
    X, y = make_moons(500, noise=0.05, random_state=0)
    grid = {"eps": [0.1, 0.2, 0.3]}

    def best(**keywords):
        scorer = make_clustering_scorer("adjusted_rand_score", **keywords)
        cv = None if keywords else TransductiveSplit()
        return GridSearchCV(DBSCAN(), grid, scoring=scorer, cv=cv).fit(X, y).best_params_

    assert best() == {"eps": 0.2}
    assert best(response="fit_predict") == {"eps": 0.3}


# --------------------------------------------------------------------------- searches in searches


@pytest.mark.parametrize("response", ["auto", "labels_"])
@pytest.mark.parametrize(
    "wrap", [lambda one: one, lambda one: make_pipeline(StandardScaler(), one)]
)
def test_the_best_estimator_of_a_search_is_scored(wrap, response, blobs):
    X, y = blobs
    inner = make_clustering_scorer(["silhouette_score"])
    pipeline = make_pipeline(StandardScaler(), AgglomerativeClustering())
    grid = {"agglomerativeclustering__n_clusters": [2, 3]}
    model = wrap(search(pipeline, grid, inner, refit="silhouette_score")).fit(X)
    names = ["adjusted_rand_score", "silhouette_score"]
    scores = make_clustering_scorer(names, response=response)(model, X, y)
    seen = StandardScaler().fit_transform(X)
    labels = AgglomerativeClustering(3).fit_predict(seen)
    assert scores["adjusted_rand_score"] == adjusted_rand_score(y, labels)
    assert scores["silhouette_score"] == pytest.approx(silhouette_score(seen, labels), rel=1e-9)


# --------------------------------------------------------------------------- noise


def test_missing_labels_are_dropped_or_refused(blobs):
    X, y = blobs
    partly = np.where(np.arange(len(y)) % 5 == 0, None, y.astype(object))
    kept, kmeans = [one is not None for one in partly], KMeans(3, n_init=1, random_state=0).fit(X)
    expected = adjusted_rand_score(y[kept], kmeans.predict(X)[kept])
    scorer = make_clustering_scorer("adjusted_rand_score", missing="drop")
    assert scorer(kmeans, X, partly) == expected
    with pytest.raises(ValueError, match="missing"):
        make_clustering_scorer("adjusted_rand_score")(kmeans, X, partly)


def test_nothing_but_noise_is_the_worst_candidate_of_a_search(blobs):
    X, y = blobs
    scorer = make_clustering_scorer("adjusted_rand_score", noise="drop")
    found = search(DBSCAN(), {"eps": [1e-6, 0.5, 0.9]}, scorer)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found.fit(X, y)
    told = [str(one.message) for one in caught if one.category is UndefinedMetricWarning]
    assert told == [
        "the score of adjusted_rand_score is NaN, which a search ranks last: all objects are noise"
    ]
    assert found.cv_results_["rank_test_score"][0] == 3
    assert found.best_index_ > 0


class Told(ClusterMixin, BaseEstimator):
    """A clusterer that finds what it is told."""

    def __init__(self, labels):
        self.labels = labels

    def predict(self, X):
        return self.labels


def test_folds_of_one_class_are_told():
    X, y = load_iris(return_X_y=True)
    scorer, kmeans = make_clustering_scorer("ari"), KMeans(3, n_init=1, random_state=0)
    with pytest.warns(UserWarning, match="all of one class, .* KFold"):
        assert set(cross_val_score(kmeans, X, y, scoring=scorer, cv=3)) <= {0.0, 1.0}
    folds = KFold(3, shuffle=True, random_state=0)
    assert cross_val_score(kmeans, X, y, scoring=scorer, cv=folds).min() > 0.5
    with pytest.warns(UserWarning, match="all of one class"):  # also where nothing is divided
        assert scorer(Told(np.zeros(4)), np.zeros((4, 1)), np.zeros(4)) == 1.0


def test_noise_of_both_sides_may_leave_nothing():
    X, y = np.zeros((4, 1)), np.array([-1, -1, 0, 1])
    scorer = make_clustering_scorer(["rand_score", "purity_score"], noise="drop")
    with (
        pytest.warns(UndefinedMetricWarning, match="rand_score is NaN"),
        pytest.warns(UndefinedMetricWarning, match="purity_score is NaN"),
    ):
        scores = scorer(Told(np.array([0, 0, -1, -1])), X, y)
    assert list(scores) == ["rand_score", "purity_score"]
    assert np.isnan(list(scores.values())).all()
    assert scorer(Told(np.array([0, 0, 1, -1])), X, y)["rand_score"] == 1.0
    # That the reference is nothing but noise is no candidate's fault.
    with pytest.raises(ValueError, match="must leave at least one object that is neither"):
        scorer(Told(np.zeros(4, int)), X, np.full(4, -1))


def test_data_far_from_0_are_a_caution_for_clusterers_that_do_not_subtract_means():
    far = np.random.default_rng(0).normal(size=(30, 2)) + 1e9
    distances = np.abs(far[:, :1] - far[:, :1].T) + 1e9
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        kmeans, other = (
            one(2, n_init=1, random_state=0).fit(far) for one in (KMeans, MiniBatchKMeans)
        )
        of_pairs = DBSCAN(metric="precomputed").fit(distances)
    with pytest.warns(UserWarning, match="MiniBatchKMeans may lose the digits"):
        assert predicted(other, far).tolist() == other.predict(far).tolist()
    with pytest.warns(UserWarning, match="MiniBatchKMeans may lose the digits"):
        space_fitted(other, far)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        space_fitted(kmeans, far)
        space_fitted(of_pairs, distances)


@pytest.mark.parametrize("noise", ["cluster", "singletons", "drop"])
def test_noise_of_a_clusterer_is_treated_as_told(noise, blobs):
    X, y = blobs
    model = DBSCAN(eps=0.4).fit(X)
    labels = model.labels_.copy()
    assert 0 < np.count_nonzero(labels == -1) < len(labels)
    kept = np.ones(len(labels), bool)
    if noise == "drop":
        kept = labels != -1
    if noise == "singletons":
        labels[labels == -1] = -1 - np.arange(np.count_nonzero(labels == -1))
    scorer = make_clustering_scorer("adjusted_rand_score", noise=noise)
    expected = adjusted_rand_score(y[kept], labels[kept])
    assert scorer(model, X, y) == expected


def test_scorer_tells_how_it_treats_noise():
    scorer = make_clustering_scorer("rand_score", noise="drop", noise_label=0)
    assert repr(scorer) == (
        "make_clustering_scorer('rand_score', response='auto', noise='drop', noise_label=0)"
    )
    with pytest.raises(ValueError, match="noise must be one of 'cluster'"):
        make_clustering_scorer("rand_score", noise="ignore")


# --------------------------------------------------------------------------- weights, routing


def test_weights_are_frequencies(blobs):
    X, y = blobs
    weight = np.arange(len(y)) % 3
    model = KMeans(2, random_state=0).fit(X)
    scorer = make_clustering_scorer("adjusted_mutual_info_score")
    repeated = np.repeat(np.arange(len(y)), weight)
    weighted = scorer(model, X, y, sample_weight=weight)
    assert weighted == scorer(model, X[repeated], y[repeated])
    assert weighted != scorer(model, X, y)


def test_requests_that_scikit_learn_refuses_are_refused():
    scorer = make_clustering_scorer("rand_score")
    with pytest.raises(RuntimeError, match="metadata routing enabled"):
        scorer.set_score_request(sample_weight=True)
    with sklearn.config_context(enable_metadata_routing=True):
        for wrong in ("not a name", 3, [True]):
            with pytest.raises((ValueError, TypeError)):
                scorer.set_score_request(sample_weight=wrong)
        assert scorer.get_metadata_routing().score.requests == {"sample_weight": None}
        scorer.set_score_request(sample_weight="mass")
        assert scorer.get_metadata_routing().score.requests == {"sample_weight": "mass"}
        judging = make_clustering_scorer("dunn_score")
        with pytest.raises(ValueError, match="sample_weight must be None for dunn_score"):
            judging.set_score_request(sample_weight=True)
        assert judging.set_score_request(sample_weight=False) is judging
        assert judging.get_metadata_routing().score.requests == {}


# --------------------------------------------------------------------------- what a scorer is


def test_scorers_made_alike_are_equal_and_stay_so_when_pickled():
    def make():
        return [
            make_clustering_scorer("rand_score"),
            make_clustering_scorer(["rand_score"]),
            make_clustering_scorer("silhouette_score"),
            make_clustering_scorer("silhouette_score", space="input"),
            make_clustering_scorer("silhouette_score", sample_size=10),
            make_clustering_scorer({"a": ("mutual_info_score", {"q": 2.0})}),
            make_clustering_scorer("mutual_info_score", q=2.0, noise="drop"),
        ]

    for at, one in enumerate(make()):
        for other_at, other in enumerate(make()):
            assert (one == other) == (at == other_at)
            if at == other_at:
                assert hash(one) == hash(other)
        assert pickle.loads(pickle.dumps(one)) == one


def test_displays_of_scikit_learn_name_the_axis(blobs):
    pytest.importorskip("matplotlib")
    X, y = blobs
    scorer = make_clustering_scorer("van_dongen_distance", normalize=True)
    display = ValidationCurveDisplay.from_estimator(
        KMeans(random_state=0), X, y, param_name="n_clusters", param_range=[2, 3], scoring=scorer
    )
    assert display.ax_.get_ylabel() == "Negative van dongen distance"
    display = LearningCurveDisplay.from_estimator(
        KMeans(3, random_state=0), X, y, scoring=make_clustering_scorer("purity_score")
    )
    assert display.ax_.get_ylabel() == "Purity score"


@pytest.mark.slow
@pytest.mark.parametrize("package", ["dask", "xarray"])
def test_reference_and_weights_in_blocks(blobs, package):
    blocks = pytest.importorskip("dask.array").from_array
    if package == "xarray":
        array = import_or_skip("xarray").DataArray
        blocks = lambda values, chunks: array(values).chunk(chunks)  # noqa: E731
    X, y = blobs
    weights = np.arange(len(y))
    for scoring in (make_clustering_scorer("purity_score"), make_clustering_scorer("ari")):
        search = GridSearchCV(KMeans(random_state=0), {"n_clusters": [2, 3]}, scoring=scoring)
        expected = search.fit(X, y).cv_results_["mean_test_score"]
        found = search.fit(X, blocks(y, chunks=7)).cv_results_["mean_test_score"]
        np.testing.assert_array_equal(found, expected)
        plain = scoring(search.best_estimator_, X, y, weights)
        for true in (y, blocks(y, chunks=7)):
            in_blocks = scoring(search.best_estimator_, X, true, blocks(weights, chunks=5))
            assert in_blocks == plain


# --------------------------------------------------------------------------- what goes wrong


def test_errors_say_what_to_do(blobs):
    X, y = blobs
    scorer = make_clustering_scorer("rand_score")
    model = KMeans(2, random_state=0).fit(X)
    with pytest.raises(ValueError, match="needs reference labels: pass y"):
        scorer(model, X)
    with pytest.raises(ValueError, match="labels_true must not contain NaN"):
        scorer(model, X, np.where(y == 0, np.nan, y))
    with pytest.raises(TypeError, match="predict or fit_predict .* got StandardScaler"):
        scorer(StandardScaler().fit(X), X, y)
    with pytest.raises(ValueError, match="needs reference labels"):
        GridSearchCV(KMeans(), {"n_clusters": [2]}, scoring=scorer, error_score="raise").fit(X)


# ------------------------------------------------- the split that fits and scores the same objects


def test_transductive_split():
    X, y = load_iris(return_X_y=True)
    split = TransductiveSplit()
    assert split.get_n_splits(X, y) == 1
    ((train, test),) = split.split(X.tolist(), y)
    assert train.tolist() == test.tolist() == list(range(150))
    assert repr(split) == "TransductiveSplit()"


ROWS, SPECIES = load_iris(return_X_y=True)
# The distinct rows of two columns, and how often they occur.
X, FIRST, COUNTS = np.unique(ROWS[:, 2:], axis=0, return_index=True, return_counts=True)
Y = SPECIES[FIRST]
BY_AGREEMENT = {"scoring": make_clustering_scorer("ari")} | STRICT


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
        if routing and given:  # without a request
            search.set_params(scoring=make_clustering_scorer("rand_score"))
            with pytest.raises(ValueError, match="sample_weight"):
                clone(search).fit(X, Y, **given)
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


@pytest.mark.slow
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


@pytest.mark.parametrize(
    ("factor", "is_scaled", "is_taken"),
    [(1e-9, False, True), (1e-3, False, False), (1e-3, True, True), (1.0, True, False)],
)
def test_kept_rows_are_those_scored_up_to_rounding_or_what_steps_change(
    factor, is_scaled, is_taken
):
    X, y = load_iris(return_X_y=True)
    found = DBSCAN(eps=0.5).fit(X)
    model = make_pipeline(FunctionTransformer(), found) if is_scaled else found
    noise = np.random.default_rng(0).normal(scale=X.std() * factor, size=X.shape)
    scorer = make_clustering_scorer("ari", response="labels_")
    if is_taken:
        assert scorer(model, X + noise, y) == adjusted_rand_score(y, found.labels_)
    else:
        with pytest.raises(ValueError, match="fitted to other objects than are scored"):
            scorer(model, X + noise, y)
