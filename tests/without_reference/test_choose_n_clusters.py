"""The number of clusters by independent evidence in one call."""

import itertools

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import pdist, squareform
from sklearn.cluster import DBSCAN, HDBSCAN, AgglomerativeClustering, KMeans
from sklearn.datasets import load_iris, make_blobs, make_moons
from sklearn.metrics import silhouette_score
from sklearn.mixture import GaussianMixture
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sklearn_clustcompare import choose_n_clusters, gap_statistic, prediction_strength
from sklearn_clustcompare.without_reference._evidence import Evidence
from tests._examples import slow

CENTERS = [[5, 5], [13, 11], [3, 20], [22, 3], [24, 17]]
QUICK = {"n_null": 19, "n_resamples": 5}


def blobs(n_samples=100):
    return make_blobs(n_samples, centers=CENTERS, cluster_std=0.7, random_state=0)[0]


@pytest.fixture(scope="module")
def of_blobs():
    return choose_n_clusters(KMeans(n_init=3), blobs(), param_range=range(3, 7), **QUICK)


def test_five_separate_blobs(of_blobs):
    assert (of_blobs.verdict.kind, of_blobs.n_clusters) == ("several", 5)
    assert of_blobs.choices() == {
        "gap_statistic, tibshirani": 5,
        "gap_statistic, first_se_max": 5,
        "prediction_strength, above 0.8": 5,
        "stability, all valid": 5,
        "silhouette_score, largest": 5,
    }
    assert of_blobs.cluster_stability.readings == ["highly stable"] * 5
    assert of_blobs.summary.splitlines() == ["5 clusters", *of_blobs.verdict.reasons]
    assert repr(of_blobs).splitlines()[0] == "NClustersChoice: 5 clusters"
    assert "<table" in of_blobs._repr_html_()


def test_columns_are_the_evidence(of_blobs):
    columns = of_blobs.columns()
    assert columns["n_clusters"].tolist() == [1, 3, 4, 5, 6]
    assert np.isnan([columns["silhouette_score"][0], columns["z_valley"][0]]).all()
    labels = of_blobs.cluster_stability.labels
    assert columns["silhouette_score"][3] == pytest.approx(silhouette_score(blobs(), labels))
    least = [one.standardized_values[2] for one in of_blobs.silhouette.laws.values()]
    assert columns["z_silhouette"][3] == min(least)
    assert columns["stability"][3] == of_blobs.cluster_stability.mean.min()
    assert columns["prediction_strength"][3] == of_blobs.prediction_strength.values[3].mean()
    np.testing.assert_array_equal(columns["gap"], of_blobs.gap.gap)
    frame = of_blobs.to_frame()
    for name, column in columns.items():
        expected = frame.index if name == "n_clusters" else frame[name]
        np.testing.assert_array_equal(column, expected)


def test_each_law_is_tested_by_itself(of_blobs):
    assert set(of_blobs.silhouette.laws) == {"copula", "elliptical", "pca"}
    assert {len(one.null_values) for one in of_blobs.valley.laws.values()} == {19}
    pvalues = [one.pvalue for one in of_blobs.silhouette.laws.values()]
    assert of_blobs.silhouette.pvalue == max(pvalues)


@pytest.mark.parametrize("seed", [0, slow(1), slow(2), slow(3), slow(4)])
def test_two_groups_of_three_are_nested(seed):
    triangle = 6 * np.array([[0, 0], [1, 0], [0.5, 0.75**0.5]])
    centers = np.vstack([triangle, triangle + [30, 0]])
    X = make_blobs(120, centers=centers, random_state=seed)[0]
    verdict = choose_n_clusters(KMeans(n_init=3), X, param_range=[2, 6], **QUICK).verdict
    assert (verdict.kind, verdict.n_clusters, verdict.finer) == ("nested", 2, (6,))


def test_uniform_data_have_no_clusters():
    X = np.random.default_rng(1).uniform(size=(80, 2))
    choice = choose_n_clusters(KMeans(), X, param_range=range(2, 5), **QUICK)
    assert (choice.verdict.kind, choice.n_clusters) == ("one", 1)
    assert choice.cluster_stability is None
    assert choice.choices()["silhouette_score, largest"] > 1


@pytest.mark.slow
def test_unscaled_iris_have_no_dissolved_cluster():
    for seed in range(5):
        choice = choose_n_clusters(KMeans(), load_iris().data, random_state=seed)
        assert choice.n_clusters == 2
        assert set(choice.cluster_stability.readings) == {"highly stable"}


@pytest.mark.slow
def test_moons_by_single_linkage_and_by_k_means():
    X = make_moons(200, noise=0.06, random_state=0)[0]
    single = AgglomerativeClustering(linkage="single")
    assert choose_n_clusters(single, X, param_range=range(1, 5), **QUICK).n_clusters == 2
    pipeline = make_pipeline(StandardScaler(), single)
    name = "agglomerativeclustering__n_clusters"
    choice = choose_n_clusters(pipeline, X, param_name=name, param_range=[2, 3], **QUICK)
    assert choice.n_clusters == 2
    by_means = choose_n_clusters(KMeans(n_init=3), X, param_range=range(1, 5), **QUICK)
    assert by_means.verdict.kind == "undetermined"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("estimator", "name", "values", "found"),
    [
        (DBSCAN(), "eps", [0.1, 0.5, 1, 2, 20], {0.1: 0, 2.0: 3, 20.0: 1}),
        (HDBSCAN(copy=True), "min_cluster_size", None, {10: 3, 15: 3}),
    ],
)
def test_the_number_found_stands_for_other_parameters(estimator, name, values, found):
    X, _ = make_blobs(120, centers=[[0, 0], [9, 0], [4, 8]], random_state=0)
    choice = choose_n_clusters(estimator, X, param_name=name, param_range=values, **QUICK)
    assert choice.n_clusters == 3
    assert choice.gap is None
    columns = choice.columns()
    numbers = dict(zip(columns[name].tolist(), columns["n_found"].tolist(), strict=True))
    assert numbers.items() >= found.items()
    assert choice.choices()["silhouette_score, largest"] == 3


def test_values_are_tried_that_suit_the_parameter_and_the_number_of_objects():
    few = choose_n_clusters(KMeans(n_init=1), blobs(8), **QUICK)
    assert few.param_range.tolist() == list(range(1, 9))
    X, _ = make_blobs(60, centers=[[0, 0], [9, 0], [4, 8]], random_state=0)
    strength = prediction_strength(HDBSCAN(copy=True), X, n_resamples=2)
    assert strength.param_name == "min_cluster_size"
    assert strength.param_range.tolist() == [5, 10, 15, 20, 25, 30]
    for function in (choose_n_clusters, gap_statistic, prediction_strength):
        with pytest.raises(ValueError, match=r"^param_range must list the values of tol to try"):
            function(KMeans(), X, param_name="tol")


def test_results_depend_neither_on_jobs_nor_on_calls():
    X = blobs(40)
    options = {"param_range": [2, 3], "n_null": 19, "n_resamples": 2, "null": "pca"}
    one, again = (choose_n_clusters(KMeans(), X, **options) for _ in range(2))
    assert repr(one) == repr(again)
    other = choose_n_clusters(KMeans(), X, random_state=1, **options)
    assert (one.gap.gap != other.gap.gap).any()


@pytest.mark.slow
@pytest.mark.processes
def test_processes_give_the_same_result():
    X = blobs(40)
    one, two = (
        choose_n_clusters(KMeans(), X, param_range=range(1, 5), n_jobs=n_jobs, **QUICK)
        for n_jobs in (1, 2)
    )
    assert repr(one) == repr(two)


def test_a_frame_gives_what_its_values_give():
    X = blobs(40)
    frame = pd.DataFrame(X, columns=["a", "b"])
    options = {"param_range": [2, 3], "n_null": 19, "n_resamples": 2, "null": "pca"}
    assert repr(choose_n_clusters(KMeans(), frame, **options)) == repr(
        choose_n_clusters(KMeans(), X, **options)
    )


@pytest.mark.slow
def test_parameters_of_pipelines_and_of_mixtures():
    X = blobs(60) * [1, 1000]
    pipeline = make_pipeline(StandardScaler(), KMeans(n_init=3))
    options = {"param_range": range(2, 7), **QUICK}
    choice = choose_n_clusters(pipeline, X, param_name="kmeans__n_clusters", **options)
    assert choice.columns()["kmeans__n_clusters"].tolist() == [1, 2, 3, 4, 5, 6]
    assert choice.n_clusters == 5
    mixture = GaussianMixture(covariance_type="spherical")
    options["param_range"] = [5, 6]
    choice = choose_n_clusters(mixture, blobs(60), param_name="n_components", **options)
    assert choice.to_frame().index.name == "n_components"


class Chains(AgglomerativeClustering):
    """Not known to find chains."""

    finds_chains = True


def test_a_clusterer_declares_that_it_finds_chains():
    X = make_moons(60, noise=0.02, random_state=0)[0]
    options = {"param_range": [2, 3], "n_null": 19, "n_resamples": 2, "null": "pca"}
    reason = choose_n_clusters(Chains(), X, **options).verdict.reasons[0]
    assert "the best valley of 2 clusterings" in reason


@pytest.mark.parametrize("linkage", ["average", slow("single"), slow("complete")])
def test_an_object_that_is_divided_off_is_no_smaller_cluster(linkage):
    X = make_blobs(60, centers=[[0, 0], [9, 0], [4, 8]], random_state=0)[0]
    clusterer = AgglomerativeClustering(metric="precomputed", linkage=linkage)
    options = {"param_range": [3, 4], "n_null": 19, "n_resamples": 5, "null": "copula"}
    choice = choose_n_clusters(clusterer, squareform(pdist(X)), **options)
    assert choice.verdict.headline == "3 clusters"
    assert (choice.columns()["z_valley"][1:] > 1.645).all()


class TakesAll(KMeans):
    """k-means that is fitted one data set at a time."""


@pytest.mark.slow
def test_batches_find_what_single_fits_find():
    options = {"param_range": range(2, 7), "n_null": 39}
    together = choose_n_clusters(KMeans(n_init=3), blobs(), **options)
    single = choose_n_clusters(TakesAll(n_init=3), blobs(), **options)
    assert single.verdict.headline == together.verdict.headline == "5 clusters"
    for one, other in zip(
        single.silhouette.laws.values(), together.silhouette.laws.values(), strict=True
    ):
        difference = one.null_values.mean(axis=0) - other.null_values.mean(axis=0)
        error = np.sqrt(2 / 39) * one.null_values.std(axis=0)
        assert (np.abs(difference) < 4 * error).all()


def test_values_that_cannot_be_candidates_are_not_resampled_further(of_blobs):
    drawn = (~np.isnan(of_blobs.prediction_strength.values)).sum(axis=1)
    assert drawn.tolist()[3] == 5
    X = np.random.default_rng(0).normal(size=(60, 2))
    choice = choose_n_clusters(KMeans(), X, param_range=[2, 6], n_null=19, n_resamples=20)
    strength = choice.prediction_strength
    n_drawn = (~np.isnan(strength.values)).sum(axis=1)[2]
    assert n_drawn in (5, 10)
    # Even if all others were 1, the mean would not exceed the threshold.
    assert (strength.mean[2] * n_drawn + 20 - n_drawn) / 20 <= 0.8
    assert np.isnan(choice.stability[2])


def test_precision_is_that_of_the_pairs():
    rng = np.random.default_rng(0)
    fine, coarse = rng.integers(-1, 4, size=30), rng.integers(-1, 2, size=30)
    joined = [
        (fine[i] == fine[j], fine[i] == fine[j] and coarse[i] == coarse[j])
        for i, j in itertools.combinations(range(30), 2)
        if -1 not in (fine[i], fine[j], coarse[i], coarse[j])
    ]
    empty = np.empty((1, 2))
    evidence = Evidence("k", (4, 2), (), [fine, coarse], empty, empty, empty, empty, [None, None])
    in_fine, in_both = np.sum(joined, axis=0)
    assert evidence.precision(0, 1) == pytest.approx(in_both / in_fine)


def test_a_value_that_finds_nothing_in_other_data_sets_hides_no_structure():
    # Of the second value one structureless data set alone has clusters, of small valley.
    valley = np.array([[0.6, 0.0], [0.1, 0.0], [0.2, 0.3], [0.1, 0.0], [0.5, 0.0]])
    labels = [np.arange(4) % 2] * 2
    evidence = Evidence(
        "eps",
        (1.0, 0.1),
        ("pca",),
        labels,
        valley,
        valley,
        valley,
        valley[:2],
        [None, None],
    )
    assert evidence.test("valley").pvalue == 0.4
    assert evidence.pvalue("valley", is_count=True) == 0.4
    assert evidence.pvalue("valley", is_count=False) == 0.2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"param_range": [1, 2]}, "param_range must hold at least two numbers above 1, got"),
        ({"param_range": [3, 2]}, "param_range must hold increasing positive integers"),
        ({"param_name": "k"}, "param_name must be a parameter of KMeans"),
        ({"param_name": "tol"}, "param_range must hold at least two different values"),
        ({"null": "uniform"}, "null must be a callable, a list or one of"),
        ({"n_null": 18}, "n_null must be at least 19 for a test at the level 0.05, got 18"),
        ({"n_resamples": 1}, "n_resamples must be"),
        ({"param_range": [2, 3, 41]}, "param_range must not exceed the 40 objects of X"),
    ],
)
def test_bad_parameters_are_refused(options, message):
    given = {"param_range": range(1, 4), "n_resamples": 2, "n_null": 19} | options
    if options.get("param_name") == "tol":
        given["param_range"] = [0.1]
    with pytest.raises(ValueError, match=message):
        choose_n_clusters(KMeans(), blobs(40), **given)


def test_bad_data_are_refused():
    X = blobs(40)
    X[3, 1] = np.nan
    with pytest.raises(ValueError, match="X must be finite, got nan in row 3, column 1"):
        choose_n_clusters(KMeans(), X)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("clusterer", [KMeans(), AgglomerativeClustering()])
def test_more_clusters_than_distinct_objects(clusterer):
    keywords = {"n_null": 19, "n_resamples": 2}
    same = choose_n_clusters(clusterer, np.ones((12, 2)), [2, 3], **keywords)
    assert (same.n_clusters, same.gap) == (1, None)
    X = np.repeat([[0.0, 0], [1, 1], [2, 5]], 8, axis=0)
    choice = choose_n_clusters(clusterer, X, range(1, 5), **keywords)
    assert choice.gap.param_range.tolist() == [1, 2]
    assert np.isfinite(choice.columns()["gap"]).tolist() == [True, True, False, False]
    assert choice.choices()["gap_statistic, first_se_max"] <= 2


def test_too_many_objects_are_refused_before_any_fit():
    with pytest.raises(MemoryError, match="^the geometry of all pairs .* needs about 16 GB"):
        choose_n_clusters(KMeans(), np.zeros((20_000, 1)))


def test_a_class_is_no_clusterer():
    with pytest.raises(TypeError, match="an instance of scikit-learn estimator instead of a class"):
        choose_n_clusters(KMeans, np.ones((12, 2)))
