"""Names of scores, criteria of mixtures, and messages of scorers."""

import pickle

import numpy as np
import pytest
import sklearn
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.cluster import AgglomerativeClustering, KMeans
from sklearn.datasets import load_iris, load_wine
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.mixture import BayesianGaussianMixture, GaussianMixture
from sklearn.model_selection import GridSearchCV, HalvingGridSearchCV, KFold, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sklearn_clustcompare import (
    TransductiveSplit,
    adjusted_rand_score,
    index_curve,
    list_indices,
    make_clustering_scorer,
    score_candidates,
    silhouette_score,
)
from sklearn_clustcompare.metrics import pvalue_adjusted_mutual_info_score
from tests.model_selection._search import STRICT, search

X, Y = load_iris(return_X_y=True)
WINE, GROWERS = load_wine(return_X_y=True)


# --------------------------------------------------------------------------- keys


def test_scores_have_the_names_that_were_written():
    names = ["ari", "AMI", "nmi:average_method=max", "purity_score", silhouette_score]
    scorer = make_clustering_scorer(names)
    kmeans = KMeans(n_init=1, random_state=0)
    found = search(kmeans, {"n_clusters": [2, 3]}, scorer, refit="ari").fit(X, Y)
    labels = [KMeans(k, n_init=1, random_state=0).fit_predict(X) for k in (2, 3)]
    expected = {
        "ari": [sklearn.metrics.adjusted_rand_score(Y, one) for one in labels],
        "AMI": [sklearn.metrics.adjusted_mutual_info_score(Y, one) for one in labels],
        "nmi:average_method=max": [
            sklearn.metrics.normalized_mutual_info_score(Y, one, average_method="max")
            for one in labels
        ],
        "silhouette_score": [sklearn.metrics.silhouette_score(X, one) for one in labels],
    }
    for name, values in expected.items():
        assert found.cv_results_[f"mean_test_{name}"] == pytest.approx(values, rel=1e-9)
    assert found.best_index_ == np.argmax(expected["ari"])
    scorer = make_clustering_scorer(names[:3])
    folds = {"cv": KFold(shuffle=True, random_state=0), "error_score": "raise"}
    scores = cross_validate(KMeans(3, n_init=1), X, Y, scoring=scorer, **folds)
    assert {"test_ari", "test_AMI", "test_nmi:average_method=max"} <= set(scores)


def test_columns_of_candidates_have_the_names_that_were_written():
    result = score_candidates(Y, [Y, Y > 0], indices=["ari", "VI", "fmi"])
    assert list(result.scores) == ["ari", "VI", "fmi"]
    assert result.best("adjusted_rand_score") == result.best(adjusted_rand_score) == 0
    assert result.rank("vi").tolist() == [1, 2]
    assert list(result.to_frame().columns)[-3:] == ["ari", "VI", "fmi"]
    with pytest.raises(ValueError, match="indices must name each index once, got 'ari' and 'ARI'"):
        score_candidates(Y, [Y], indices=["ari", "ARI"])
    with pytest.raises(ValueError, match="index must name each index once"):
        index_curve(Y, {"a": Y, "b": Y > 0}, index=["ari", adjusted_rand_score])
    # A dict gives one index two names.
    twice = score_candidates(Y, [Y], indices={"a": "ari", "b": "adjusted_rand_score"})
    assert list(twice.scores) == ["a", "b"]


def test_halving_with_several_indices_as_the_scorer_says():
    scorer = make_clustering_scorer({"score": "ari", "p": "purity_score"})
    assert repr(scorer).endswith("  # refit='score'")
    assert "halving searches need a key 'score'" in repr(make_clustering_scorer(["ari", "vi"]))
    assert "#" not in repr(make_clustering_scorer("ari"))
    assert "beta=2.0" in repr(make_clustering_scorer("pair_f_score", beta=2.0))
    assert eval(repr(scorer)) == scorer
    grid = {"n_clusters": [2, 3, 4, 5]}
    for estimator in (KMeans(n_init=1, random_state=0), AgglomerativeClustering()):
        found = HalvingGridSearchCV(
            estimator, grid, scoring=scorer, refit="score", random_state=0, **STRICT
        ).fit(X, Y)
        results = found.cv_results_
        last = np.flatnonzero(results["iter"] == max(results["iter"]))
        best = last[np.argmax(results["mean_test_score"][last])]
        assert found.best_params_ == results["params"][best]
        assert found.best_score_ == results["mean_test_score"][best]
        assert "mean_test_p" in results


# --------------------------------------------------------------------------- bic and aic


@pytest.mark.slow
@pytest.mark.parametrize("name", ["bic", "aic", "BIC"])
@pytest.mark.parametrize("cv", [TransductiveSplit(), 3])
def test_criteria_of_mixtures_are_negated(name, cv):
    grid = {"n_components": [1, 2, 3], "covariance_type": ["full", "diag"]}
    keywords = {"scoring": make_clustering_scorer(name), "error_score": "raise", "cv": cv}
    found = GridSearchCV(GaussianMixture(random_state=0), grid, **keywords).fit(X)
    if cv != 3:
        expected = [
            -getattr(GaussianMixture(random_state=0, **one).fit(X), name.lower())(X)
            for one in found.cv_results_["params"]
        ]
        assert found.cv_results_["mean_test_score"].tolist() == expected
        assert found.best_index_ == np.argmax(expected)
    assert np.isfinite(found.cv_results_["mean_test_score"]).all()


def test_criteria_of_the_last_step_and_among_others():
    pipeline = make_pipeline(StandardScaler(), GaussianMixture(3, random_state=0)).fit(WINE)
    seen = StandardScaler().fit_transform(WINE)
    names = ["bic", "ari", "aic", "silhouette_score"]
    for space in ("last_step", "input"):
        scorer = make_clustering_scorer(names, space=space)
        scores = scorer(pipeline, WINE, GROWERS)
        assert list(scores) == names
        assert scores["bic"] == pytest.approx(-pipeline[-1].bic(seen), rel=1e-12)
        assert scores["aic"] == pytest.approx(-pipeline[-1].aic(seen), rel=1e-12)
        assert scores["ari"] == adjusted_rand_score(GROWERS, pipeline.predict(WINE))
    found = search(pipeline, {"gaussianmixture__n_components": [2, 3, 4]}, scorer, refit="bic")
    found.fit(WINE, GROWERS)
    assert found.best_score_ == max(found.cv_results_["mean_test_bic"])
    # Of the best estimator of a search.
    alone = make_clustering_scorer("bic")
    assert alone(found, WINE) == found.cv_results_["mean_test_bic"].max()


def test_criteria_are_of_estimators_only():
    scorer = make_clustering_scorer("bic")
    for other in (KMeans(2, n_init=1), BayesianGaussianMixture()):
        with pytest.raises(TypeError, match=f"bic must be a method .* got {type(other).__name__}"):
            scorer(other.fit(X), X)
    with pytest.raises(ValueError, match="sample_weight must be None for bic"):
        scorer(GaussianMixture().fit(X), X, sample_weight=np.ones(150))
    assert "bic" not in list_indices(needs_data=True)
    with pytest.raises(ValueError, match="index must be one of list_indices"):
        score_candidates(None, [Y], indices="bic", X=X)


def test_criteria_in_files_and_texts():
    for scorer in (
        make_clustering_scorer("bic"),
        make_clustering_scorer(["aic", "ari"]),
        make_clustering_scorer({"score": "bic"}),
    ):
        copied = pickle.loads(pickle.dumps(scorer))
        assert copied == scorer == eval(repr(scorer))
        model = GaussianMixture(2, random_state=0).fit(X)
        assert copied(model, X, Y) == scorer(model, X, Y)
    assert make_clustering_scorer("bic").__name__ == "neg_bic"


@pytest.mark.filterwarnings("ignore:The scoring make_clustering_scorer:UserWarning")
@pytest.mark.parametrize("routing", [False, True])
def test_criteria_in_a_search_whose_fit_gets_weights(routing):
    class Weighted(GaussianMixture):
        def fit(self, X, y=None, sample_weight=None):
            return super().fit(np.repeat(X, sample_weight, axis=0))

    weights = 1 + np.arange(150) % 2
    with sklearn.config_context(enable_metadata_routing=routing):
        model = Weighted(random_state=0)
        if routing:
            model.set_fit_request(sample_weight=True)
        found = search(model, {"n_components": [2]}, make_clustering_scorer("bic"))
        found.fit(X, sample_weight=weights)
    assert found.best_score_ == -found.best_estimator_.bic(X)


# --------------------------------------------------------------------------- what is told


class FuzzyOfOthers(ClusterMixin, BaseEstimator):
    """Keeps memberships with a row for each cluster, as some packages do."""

    def __init__(self, n_clusters=3):
        self.n_clusters = n_clusters

    def fit(self, X, y=None):
        centers = KMeans(self.n_clusters, n_init=1, random_state=0).fit(X).cluster_centers_
        inverse = 1 / (1e-9 + ((X[:, np.newaxis] - centers) ** 2).sum(axis=2))
        self.u_ = (inverse / inverse.sum(axis=1, keepdims=True)).T
        return self

    def memberships(self, X):
        return self.u_

    @property
    def rows_(self):
        return self.u_.T


@pytest.mark.parametrize("response", ["u_", "memberships"])
def test_transposed_memberships_are_asked_for(response):
    for model in (FuzzyOfOthers().fit(X), make_pipeline(StandardScaler(), FuzzyOfOthers()).fit(X)):
        scorer = make_clustering_scorer("ari", response=response)
        message = (
            r"for each of the 150 objects, got the shape \(3, 150\) of Fuzzy.*is it transposed"
        )
        with pytest.raises(ValueError, match=message):
            scorer(model, X, Y)
        assert make_clustering_scorer("rand_score", response="rows_")(model, X, Y) > 0.5


@pytest.mark.slow
def test_a_tie_at_the_ceiling_names_the_scale_without_one():
    scorer = make_clustering_scorer("pvalue_adjusted_mutual_info_score")
    model = KMeans(3, n_init=1, random_state=0).fit(X)
    assert pvalue_adjusted_mutual_info_score(Y, model.labels_) == 1.0
    with pytest.warns(UserWarning, match='ceiling|largest value: .* pass scale="log"'):
        assert scorer(model, X, Y) == 1.0
    by_log = make_clustering_scorer("pvalue_adjusted_mutual_info_score", scale="log")
    found = search(KMeans(n_init=1, random_state=0), {"n_clusters": [10, 3]}, by_log).fit(X, Y)
    assert found.best_params_ == {"n_clusters": 3}
    # Below it, nothing is told.
    assert scorer(model, X, np.arange(150) % 3) < 1
