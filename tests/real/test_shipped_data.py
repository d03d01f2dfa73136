"""Jobs of README on the data sets that scikit-learn ships."""

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment
from sklearn import metrics
from sklearn.cluster import DBSCAN, AgglomerativeClustering, KMeans
from sklearn.metrics.cluster import contingency_matrix
from sklearn.mixture import GaussianMixture
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import sklearn_clustcompare as clustcompare
from sklearn_clustcompare import TransductiveSplit, make_clustering_scorer
from tests._examples import slow, weighted_search
from tests.real._inputs import SHIPPED, shipped

DATA = ["iris", *map(slow, SHIPPED[1:])]


@pytest.fixture(scope="module", autouse=True)
def _one_thread():
    with pytest.importorskip("threadpoolctl").threadpool_limits(1):
        yield


def found(X, k):
    return KMeans(k, n_init=3, random_state=0).fit_predict(X)


@pytest.mark.parametrize("name", DATA)
def test_a_report_has_the_values_of_scikit_learn_and_of_counting(name):
    X, y = shipped(name)
    labels = found(X, len(set(y)))
    report = clustcompare.clustering_comparison_report(y, labels).to_dict()
    scores = report["headline"]["scores"]
    close = {"rel": 1e-12, "abs": 1e-14}
    ari, ami = metrics.adjusted_rand_score(y, labels), metrics.adjusted_mutual_info_score(y, labels)
    assert scores["adjusted_rand_score"] == pytest.approx(ari, **close)
    assert scores["adjusted_mutual_info_score"] == pytest.approx(ami, **close)
    for index, (low, high) in report["headline"]["intervals"].items():
        assert low < scores[index] < high <= 1
    counts = contingency_matrix(y, labels)
    rows, cols = linear_sum_assignment(-counts)
    partner = dict(zip(rows.tolist(), cols.tolist(), strict=True))
    clusters = {row["label"]: row for row in report["true"]["clusters"]}
    assert {label: row["size"] for label, row in clusters.items()} == {
        k: int(np.sum(y == k)) for k in range(len(counts))
    }
    overall = {index: value["value"] for index, value in report["overall"].items()}
    assert overall["purity_score"] == pytest.approx(counts.max(axis=0).sum() / len(y), **close)
    h, c, _ = metrics.homogeneity_completeness_v_measure(y, labels)
    assert overall["homogeneity_score"] == pytest.approx(h, **close)
    assert overall["completeness_score"] == pytest.approx(c, **close)
    matched = sum(counts[row, col] for row, col in partner.items()) / len(y)
    assert clustcompare.get_index("matching_accuracy_score")(
        clustcompare.ContingencyTable.from_counts(counts)
    ) == pytest.approx(matched, **close)


@pytest.mark.parametrize("name", DATA)
def test_a_grid_search_chooses_what_a_loop_chooses(name):
    X, y = shipped(name)
    numbers = [2, 3, 4, 10] if name == "digits" else [2, 3, 4]
    search = GridSearchCV(
        make_pipeline(StandardScaler(), AgglomerativeClustering()),
        {"agglomerativeclustering__n_clusters": numbers},
        scoring=make_clustering_scorer(["adjusted_mutual_info_score", "purity_score"]),
        refit="adjusted_mutual_info_score",
        cv=TransductiveSplit(),
        error_score="raise",
    ).fit(X, y)
    fits = [AgglomerativeClustering(k).fit_predict(X) for k in numbers]
    expected = [metrics.adjusted_mutual_info_score(y, labels) for labels in fits]
    scores = search.cv_results_["mean_test_adjusted_mutual_info_score"]
    np.testing.assert_allclose(scores, expected, rtol=1e-12)
    purity = [contingency_matrix(y, one).max(axis=0).sum() / len(y) for one in fits]
    np.testing.assert_allclose(search.cv_results_["mean_test_purity_score"], purity, rtol=1e-12)
    best = numbers[int(np.argmax(expected))]
    assert search.best_params_ == {"agglomerativeclustering__n_clusters": best}


@weighted_search
@pytest.mark.parametrize("name", ["iris", slow("breast_cancer")])
def test_weights_of_a_search_count_in_the_fit_and_in_the_score(name):
    X, y = shipped(name)
    weight = np.random.default_rng(0).integers(1, 4, size=len(y))
    search = GridSearchCV(
        KMeans(n_init=1, random_state=0),
        {"n_clusters": [2, 3, 4]},
        scoring=make_clustering_scorer("ari"),
        cv=TransductiveSplit(),
        error_score="raise",
    ).fit(X, y, sample_weight=weight)
    fits = [
        KMeans(k, n_init=1, random_state=0).fit(X, sample_weight=weight).labels_ for k in (2, 3, 4)
    ]
    repeated = [
        metrics.adjusted_rand_score(np.repeat(y, weight), np.repeat(one, weight)) for one in fits
    ]
    np.testing.assert_allclose(search.cv_results_["mean_test_score"], repeated, rtol=1e-12)


@pytest.mark.parametrize("name", DATA)
def test_many_candidates_and_their_pairs(name):
    X, y = shipped(name)
    candidates = {f"k={k}": found(X, k) for k in (2, 3, 5, 8)}
    candidates["dbscan"] = DBSCAN(eps=np.sqrt(X.shape[1]) / 2).fit_predict(X)
    scores = clustcompare.score_candidates(
        y, candidates, indices=["adjusted_rand_score", "v_measure_score"]
    )
    expected = {one: metrics.adjusted_rand_score(y, labels) for one, labels in candidates.items()}
    np.testing.assert_allclose(
        scores.scores["adjusted_rand_score"], [*expected.values()], rtol=1e-12, atol=1e-15
    )
    assert scores.best() == max(expected, key=expected.get)
    pairs = clustcompare.pairwise_scores(candidates, index="ari").values
    for i, one in enumerate(candidates.values()):
        for j, other in enumerate(candidates.values()):
            assert pairs[i, j] == pytest.approx(
                metrics.adjusted_rand_score(one, other), rel=1e-12, abs=1e-15
            )


@pytest.mark.slow
@pytest.mark.parametrize("name", DATA)
def test_the_exact_p_value_is_that_of_random_orders(name):
    X, y = shipped(name)
    labels = np.where(np.arange(len(y)) % 8, np.random.default_rng(1).permutation(y), y)
    test = clustcompare.permutation_test(y, labels, index="ari")
    rng = np.random.default_rng(0)
    drawn = [metrics.adjusted_rand_score(y, rng.permutation(labels)) for _ in range(400)]
    share = np.mean(np.array(drawn) >= test.statistic)
    assert abs(test.pvalue - share) <= 4 * np.sqrt(share * (1 - share) / 400) + 0.01
    assert test.pvalue < 1
    found_classes = clustcompare.permutation_test(y, found(X, len(set(y))), index="ari")
    assert 0 <= found_classes.pvalue < 1e-10


@pytest.mark.parametrize("name", DATA)
def test_a_consensus_has_the_mean_score_that_scikit_learn_finds(name):
    X, _ = shipped(name)
    runs = [KMeans(4, n_init=1, random_state=seed).fit_predict(X) for seed in range(4)]
    result = clustcompare.consensus_partition(runs)
    means = [
        np.mean([metrics.adjusted_rand_score(one, other) for other in runs])
        for one in [result.labels, *runs]
    ]
    assert result.score == pytest.approx(means[0], rel=1e-12)
    assert means[0] >= max(means[1:]) - 1e-12


def test_memberships_of_a_mixture():
    X, y = shipped("wine")
    soft = GaussianMixture(3, random_state=0, reg_covar=1e-2).fit(X).predict_proba(X)
    index = clustcompare.frobenius_adjusted_rand_score
    hard = soft.argmax(axis=1)
    assert index(y, np.eye(3)[hard]) == pytest.approx(index(y, hard), rel=1e-12)
    assert index(soft, soft) == pytest.approx(1.0)
    assert 0.5 < index(y, soft) <= 1


@pytest.mark.slow
@pytest.mark.parametrize(("name", "k"), [("wine", 3)])
def test_the_number_of_clusters_of_readme(name, k):
    X, y = shipped(name)
    choice = clustcompare.choose_n_clusters(KMeans(n_init=3), X, param_range=range(1, 5))
    assert choice.verdict.headline.startswith(f"{k} clusters")


@pytest.mark.parametrize("index", ["silhouette_score", "calinski_harabasz_score", "dbi"])
@pytest.mark.parametrize("name", DATA)
def test_candidates_by_the_data(name, index):
    X, _ = shipped(name)
    candidates = {k: found(X, k) for k in (2, 3, 4)}
    full = "davies_bouldin_score" if index == "dbi" else index
    scores = clustcompare.score_candidates(None, candidates, indices=full, X=X).scores[full]
    expected = [getattr(metrics, full)(X, labels) for labels in candidates.values()]
    np.testing.assert_allclose(scores, expected, rtol=1e-9)


def test_a_limit_of_continuous_integration():
    X, y = shipped("iris")
    labels = found(X, 3)
    ari = metrics.adjusted_rand_score(y, labels)
    clustcompare.assert_clustering(y, labels, ari=ari - 1e-9)
    with pytest.raises(AssertionError, match="adjusted_rand_score"):
        clustcompare.assert_clustering(y, labels, ari=ari + 1e-9)
