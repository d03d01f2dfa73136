"""Searches without reference labels."""

import math
import pickle
import warnings
from dataclasses import replace

import numpy as np
import pytest
import sklearn
from scipy import sparse
from sklearn.base import clone
from sklearn.cluster import (
    DBSCAN,
    HDBSCAN,
    AgglomerativeClustering,
    KMeans,
    SpectralClustering,
)
from sklearn.decomposition import PCA
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.metrics import pairwise_distances
from sklearn.mixture import GaussianMixture
from sklearn.model_selection import GridSearchCV, HalvingGridSearchCV, KFold, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import sklearn_clustcompare
from sklearn_clustcompare import (
    adjusted_rand_score,
    get_index,
    list_indices,
    make_clustering_scorer,
    silhouette_score,
)
from sklearn_clustcompare.metrics import xie_beni_score
from tests._examples import slow
from tests.model_selection._search import STRICT, search
from tests.model_selection.test_scorer import CLUSTERERS, in_pipeline

pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning:sklearn")

OF_FEATURES = list_indices(needs_data=True, needs_graph=False)


def function(name):
    return getattr(sklearn_clustcompare.metrics, name)


@pytest.mark.parametrize(
    "wrap",
    [pytest.param(lambda *pair: pair, id="plain"), slow(in_pipeline, id="pipeline")],
)
@pytest.mark.parametrize("name", [slow(one) if one == "OPTICS" else one for one in CLUSTERERS])
def test_a_search_without_y_finds_what_a_loop_finds(name, wrap, blobs):
    X, _ = blobs
    estimator, grid = wrap(*CLUSTERERS[name])
    found = search(estimator, grid, make_clustering_scorer("silhouette_score")).fit(X)
    scores = []
    for parameters in found.cv_results_["params"]:
        labels = clone(estimator).set_params(**parameters).fit_predict(X)
        scores.append(silhouette_score(X - X.mean(axis=0), labels))
    np.testing.assert_allclose(found.cv_results_["mean_test_score"], scores, rtol=1e-12)
    assert found.best_index_ == np.argmax(scores)


@pytest.mark.parametrize("name", OF_FEATURES)
def test_every_index_of_the_data_scores_with_higher_as_better(name, blobs):
    X, _ = blobs
    found = search(
        AgglomerativeClustering(), {"n_clusters": [2, 3, 4]}, make_clustering_scorer(name)
    ).fit(X)
    sign = 1 if get_index(name).greater_is_better else -1
    for k, score in zip((2, 3, 4), found.cv_results_["mean_test_score"], strict=True):
        labels = AgglomerativeClustering(k).fit_predict(X)
        assert score == sign * function(name)(X, labels)
    assert found.best_params_ == {"n_clusters": 4 if "squares" in name else 3}


def test_indices_with_and_without_reference_in_one_scorer(blobs):
    X, y = blobs
    names = ["adjusted_rand_score", "silhouette_score", "davies_bouldin_score"]
    scorer = make_clustering_scorer(names)
    model = KMeans(3, random_state=0).fit(X)
    labels = model.predict(X)
    assert scorer(model, X, y) == {
        "adjusted_rand_score": adjusted_rand_score(y, labels),
        "silhouette_score": silhouette_score(X, labels),
        "davies_bouldin_score": -function("davies_bouldin_score")(X, labels),
    }
    assert list(scorer(model, X, y)) == names
    with pytest.raises(ValueError, match="^a scorer of adjusted_rand_score needs reference labels"):
        scorer(model, X)
    found = search(KMeans(random_state=0), {"n_clusters": [2, 3]}, scorer, refit=names[1])
    assert found.fit(X, y).best_params_ == {"n_clusters": 3}


def test_memberships_of_a_mixture(blobs):
    X, _ = blobs
    scorer = make_clustering_scorer("xie_beni_score", response="predict_proba")
    model = GaussianMixture(3, random_state=0).fit(X)
    assert scorer(model, X) == -xie_beni_score(X, model.predict_proba(X))
    scorer = make_clustering_scorer("dunn_score", response="predict_proba")
    overlapping = GaussianMixture(4, random_state=0).fit(X)
    with pytest.raises(ValueError, match="labels_pred must be labels for dunn_score, got memb"):
        scorer(overlapping, X)


# --------------------------------------------------------------------------- the space


@pytest.mark.thread_unsafe(reason="threads of a test share its estimator")
@pytest.mark.parametrize("response", ["auto", "labels_"])
@pytest.mark.parametrize("estimator", [AgglomerativeClustering(3), KMeans(3, random_state=0)])
def test_values_are_those_of_the_space_that_the_last_step_sees(estimator, response, blobs):
    X = blobs[0] * [1, 100]
    pipeline = make_pipeline(StandardScaler(), make_pipeline(PCA(1), estimator)).fit(X)
    labels = pipeline[-1][-1].labels_
    seen = PCA(1).fit_transform(StandardScaler().fit_transform(X))
    scorer = make_clustering_scorer("silhouette_score", response=response)
    assert scorer(pipeline, X) == pytest.approx(silhouette_score(seen, labels), rel=1e-9)
    scorer = make_clustering_scorer("silhouette_score", response=response, space="input")
    assert scorer(pipeline, X) == silhouette_score(X, labels)
    assert repr(scorer).endswith("space='input')")


@pytest.mark.parametrize("response", ["auto", "labels_"])
def test_a_pipeline_of_one_step_sees_the_data(response, blobs):
    X, _ = blobs
    pipeline = make_pipeline(AgglomerativeClustering(3)).fit(X)
    score = make_clustering_scorer("silhouette_score", response=response)(pipeline, X)
    assert score == silhouette_score(X, pipeline[-1].labels_)


def test_a_pipeline_that_is_fitted_again_judges_in_its_own_space(blobs):
    # Scored objects are not those fitted: clusters and scale are found among those scored.
    X, _ = blobs
    pipeline = make_pipeline(StandardScaler(), AgglomerativeClustering(3)).fit(X[:60] * 7)
    seen = StandardScaler().fit_transform(X[60:])
    labels = AgglomerativeClustering(3).fit_predict(seen)
    scorer = make_clustering_scorer("silhouette_score", response="fit_predict")
    assert scorer(pipeline, X[60:]) == silhouette_score(seen, labels)


def test_distances_between_objects_as_data(blobs):
    X, _ = blobs
    distances = pairwise_distances(X)
    scorer = make_clustering_scorer("silhouette_score", metric="precomputed", noise="drop")
    model = DBSCAN(eps=0.5, metric="precomputed").fit(distances)
    kept = model.labels_ != -1
    assert 0 < np.count_nonzero(kept) < len(X)
    expected = silhouette_score(X[kept], model.labels_[kept])
    assert scorer(model, distances) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("response", ["auto", "labels_"])
@pytest.mark.parametrize(
    ("on_distances", "on_objects"),
    [
        (HDBSCAN(metric="precomputed"), HDBSCAN()),
        (
            make_pipeline(AgglomerativeClustering(2, metric="precomputed", linkage="average")),
            AgglomerativeClustering(2, linkage="average"),
        ),
    ],
)
def test_rows_of_distances_are_no_features(response, on_distances, on_objects, blobs):
    X, _ = blobs
    distances = pairwise_distances(X)
    untouched = distances.copy()
    names = ["silhouette_score", "dunn_score"]
    scorer = make_clustering_scorer(names, response=response)
    model = clone(on_distances).fit(distances.copy())
    expected = scorer(clone(on_objects).fit(X), X)
    for space in ("last_step", "input"):
        own = make_clustering_scorer(names, response=response, space=space)
        assert own(model, distances) == pytest.approx(expected, rel=1e-9)
    assert np.array_equal(distances, untouched)
    # Rows are features for those who ask for it.
    asked = make_clustering_scorer("silhouette_score", response=response, metric="cityblock")
    labels = clone(on_objects).fit_predict(X)
    assert asked(model, distances) == silhouette_score(distances, labels, metric="cityblock")


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(OF_FEATURES))
def test_what_cannot_be_computed_of_pairs_is_refused(name, blobs):
    X, _ = blobs
    distances = pairwise_distances(X)
    model = DBSCAN(eps=1.0, metric="precomputed").fit(distances)
    if "metric" in get_index(name).parameters:
        # The dimension cannot be known from distances.
        dimension = {"n_features": 2} if name == "dbcv_score" else {}
        assert math.isfinite(make_clustering_scorer(name, **dimension)(model, distances))
    else:
        with pytest.raises(ValueError, match=f"^{name} must be computed of features of the obj"):
            make_clustering_scorer(name)(model, distances)
    affinities = np.exp(-(distances**2) / 9)
    model = SpectralClustering(3, affinity="precomputed", random_state=0).fit(affinities)
    for given in ({}, {"metric": "precomputed"}):
        given = given if "metric" in get_index(name).parameters else {}
        with pytest.raises(ValueError, match=f"^{name} must be computed of (features|distances)"):
            make_clustering_scorer(name, **given)(model, affinities)


def test_an_index_of_yours_gets_what_the_clusterer_gets(blobs):
    distances = pairwise_distances(blobs[0])
    model = DBSCAN(eps=1.0, metric="precomputed").fit(distances)
    own = replace(get_index("dunn_score"), name="own", parameters={}, function=lambda D, _: D.sum())
    assert make_clustering_scorer(own)(model, distances) == distances.sum()


@pytest.mark.parametrize("n_splits", [2, 3])
def test_distances_to_objects_that_are_not_scored_are_refused(n_splits, blobs):
    X, y = blobs
    distances = pairwise_distances(X)
    folds = {"cv": KFold(n_splits), "error_score": "raise"}
    for index in ("silhouette_score", "rand_score"):
        scorer = make_clustering_scorer(index)
        model = DBSCAN(eps=1.0, metric="precomputed")
        rule = "square, the" if n_splits == 3 else "symmetric, as"
        with pytest.raises(ValueError, match=f"^X must be {rule} distances between"):
            cross_validate(model, distances, y, scoring=scorer, **folds)
        model = SpectralClustering(affinity="precomputed")
        with pytest.raises(ValueError, match=f"^X must be {rule} similarities between"):
            cross_validate(model, np.exp(-(distances**2)), y, scoring=scorer, **folds)


# --------------------------------------------------------------------------- sparse data


@pytest.mark.slow
@pytest.mark.parametrize("name", OF_FEATURES)
def test_sparse_data_choose_as_dense_ones_do(name):
    rng = np.random.default_rng(0)
    rates = np.array([[2.0, 0.1, 0.1, 0.2], [0.1, 2.0, 0.1, 0.2], [0.1, 0.1, 3.0, 0.2]])
    counts = rng.poisson(rates.repeat(20, axis=0)).astype(float)
    options = {"estimator": KMeans(n_init=1, random_state=0), "grid": {"n_clusters": [2, 3, 4]}}
    scorer = make_clustering_scorer(name)
    dense, found = (
        search(*options.values(), scorer).fit(one) for one in (counts, sparse.csr_array(counts))
    )
    assert np.isfinite(found.cv_results_["mean_test_score"]).all()
    np.testing.assert_allclose(
        found.cv_results_["mean_test_score"], dense.cv_results_["mean_test_score"], rtol=1e-7
    )
    assert found.best_params_ == dense.best_params_


# --------------------------------------------------------------------------- no value


@pytest.mark.parametrize("kind", [GridSearchCV, HalvingGridSearchCV])
def test_a_score_without_a_value_is_nan_and_ranks_last(kind, blobs):
    X, _ = blobs
    found = kind(
        AgglomerativeClustering(),
        {"n_clusters": [1, 2, 3, 4, len(X)] if kind is GridSearchCV else [1, 2, 3]},
        scoring=make_clustering_scorer("silhouette_score"),
        **STRICT,
        **({} if kind is GridSearchCV else {"random_state": 0}),
    )
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found.fit(X)
    told = [one for one in caught if one.category is UndefinedMetricWarning]
    assert all("silhouette_score is NaN, which a search ranks last" in str(w.message) for w in told)
    assert "Number of labels is 1." in str(told[0].message)
    assert found.best_params_ == {"n_clusters": 3}
    scores = np.array(found.cv_results_["mean_test_score"])
    assert np.isnan(scores[0])
    if kind is GridSearchCV:
        assert np.flatnonzero(np.isnan(scores)).tolist() == [0, 4]
        assert found.cv_results_["rank_test_score"].tolist() == [4, 3, 1, 2, 4]


@pytest.mark.parametrize("noise", ["cluster", "singletons", "drop"])
def test_noise_is_treated_as_told(noise, blobs):
    X, _ = blobs
    model = DBSCAN(eps=0.5).fit(X)
    labels, kept = model.labels_.copy(), np.ones(len(X), bool)
    if noise == "drop":
        kept = labels != -1
    if noise == "singletons":
        labels[labels == -1] = -1 - np.arange(np.count_nonzero(labels == -1))
    expected = silhouette_score(X[kept], labels[kept])
    assert make_clustering_scorer("silhouette_score", noise=noise)(model, X) == expected


# --------------------------------------------------------------------------- parameters, weights


def test_parameters_go_to_the_indices_that_take_them(blobs):
    X, _ = blobs
    model = KMeans(3, random_state=0).fit(X)
    scorer = make_clustering_scorer(
        {
            "sample": ("silhouette_score", {"sample_size": 50, "random_state": 0}),
            "city": ("silhouette_score", {"metric": "cityblock"}),
        }
    )
    assert scorer(model, X) == {
        "sample": silhouette_score(X, model.labels_, sample_size=50, random_state=0),
        "city": silhouette_score(X, model.labels_, metric="cityblock"),
    }
    assert pickle.loads(pickle.dumps(scorer)) == scorer
    with pytest.raises(ValueError, match="metric must be one of .* got 'euklid'"):
        make_clustering_scorer("silhouette_score", metric="euklid")
    with pytest.raises(ValueError, match="space must be one of 'last_step', 'input'; got 'output'"):
        make_clustering_scorer("silhouette_score", space="output")


def test_weights_are_refused(blobs):
    X, y = blobs
    scorer = make_clustering_scorer(["rand_score", "dunn_score"])
    model = KMeans(3, random_state=0).fit(X)
    with pytest.raises(ValueError, match="^sample_weight must be None for dunn_score"):
        scorer(model, X, y, sample_weight=np.ones(len(X)))


def test_searches_with_weights_for_the_fit_and_with_routing(blobs):
    X, _ = blobs
    weight = np.ones(len(X))
    scorer = make_clustering_scorer("silhouette_score")
    grid = {"n_clusters": [2, 3]}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # some versions warn that the scorer takes no weights
        found = search(KMeans(random_state=0), grid, scorer).fit(X, sample_weight=weight)
    assert found.best_params_ == {"n_clusters": 3}
    with sklearn.config_context(enable_metadata_routing=True):
        estimator = KMeans(random_state=0).set_fit_request(sample_weight=True)
        found = search(estimator, grid, scorer).fit(X, sample_weight=weight)
        assert found.best_params_ == {"n_clusters": 3}
