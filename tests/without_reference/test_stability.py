"""What the functions of this folder have in common: results for any jobs, and errors."""

import joblib
import numpy as np
import pytest
from scipy.spatial.distance import squareform
from sklearn.cluster import HDBSCAN, AgglomerativeClustering, KMeans, SpectralClustering
from sklearn.datasets import load_iris

from sklearn_clustcompare import (
    StabilitySearch,
    choose_n_clusters,
    cluster_significance,
    cluster_stability,
    gap_statistic,
    prediction_strength,
    structure_test,
)
from sklearn_clustcompare.without_reference import influence
from sklearn_clustcompare.without_reference._fits import compared
from sklearn_clustcompare.without_reference._resamples import Sample
from tests._examples import in_processes, slow
from tests.without_reference._stability_data import Quantiles, five_blobs

X = np.arange(12.0).reshape(-1, 1)
IRIS, BLOBS = load_iris().data, five_blobs()


def of_search(estimator, X, n_jobs=None, **options):
    given = {"random_state": 0, "param_grid": {"n_clusters": [2, 3]}} | options
    return StabilitySearch(estimator, n_jobs=n_jobs, **given).fit(X).result_


def bimodality(X):
    return -np.mean(((X[:, 0] - X[:, 0].mean()) / X[:, 0].std()) ** 4)


def random(n_rows, n_columns=2):
    return np.random.default_rng(0).normal(size=(n_rows, n_columns))


# --------------------------------------------------------------------------- jobs

# The arrays that are compared, of each function with what it gets. The objects of k-means are
# enough for its threads to divide them.
GAPS = "log_dispersion null_log_dispersion"
ONE = KMeans(n_init=1)
RESULTS = {
    "gap": (GAPS, gap_statistic, ONE, random(30, 7), [1, 2, 3], {"n_null": 2}),
    "structure": (
        *("values null_values", structure_test, KMeans(n_init=2), random(150, 5), [2, 3]),
        {"statistic": "silhouette_score", "null": ["copula", "pca"], "n_null": 2},
    ),
    "early end": ("null_values", structure_test, None, random(30), {"statistic": bimodality}),
    "search": (
        *("values null_values", of_search, Quantiles(), random(20)),
        {"n_resamples": 4, "null": "pca"},
    ),
    "search by k-means": ("values n_found", of_search, KMeans(), random(600), {"n_resamples": 4}),
    "strength": ("values", prediction_strength, KMeans(), random(700), [2, 4], {"n_resamples": 6}),
    "stability": (
        *("jaccard object_stability", cluster_stability, KMeans(4), random(700)),
        {"n_resamples": 6},
    ),
    "significance": (
        *("pvalues labels", cluster_significance, KMeans(6), BLOBS),
        {"n_null": 19, "null": "gaussian"},
    ),
    "number": (
        *("silhouette strength z labels", choose_n_clusters, KMeans(), random(40), [2, 3, 4]),
        {"n_null": 19, "n_resamples": 5},
    ),
}
QUICK = "gap", "early end", "structure"


@pytest.mark.processes
@pytest.mark.parametrize("backend", ["threading", in_processes("loky"), slow("multiprocessing")])
@pytest.mark.parametrize("name", [one if one in QUICK else slow(one) for one in RESULTS])
def test_results_have_the_same_bits_for_any_number_of_jobs(name, backend):
    names, function, *given, options = RESULTS[name]
    alone = function(*given, n_jobs=1, **options)
    with joblib.parallel_config(backend):
        several = function(*given, n_jobs=2, **options)
    for one in names.split():
        assert getattr(alone, one).tobytes() == getattr(several, one).tobytes()


# --------------------------------------------------------------------------- errors

# Of each function, what it gets, and then what is wrong with each call.
CALLS = {
    gap_statistic: {"estimator": KMeans(), "X": IRIS, "param_range": [1, 2], "n_null": 2},
    structure_test: {"estimator": KMeans(), "X": IRIS, "statistic": "silhouette_score"},
    of_search: {"estimator": KMeans(), "X": BLOBS},
    prediction_strength: {"estimator": KMeans(), "X": BLOBS, "param_range": [2]},
    cluster_stability: {"estimator": KMeans(2), "X": BLOBS},
    cluster_significance: {"estimator": BLOBS[:, 0] > 3, "X": BLOBS},
    choose_n_clusters: {
        **{"estimator": KMeans(), "X": BLOBS[:40], "param_range": [1, 2]},
        **{"n_resamples": 2, "n_null": 19},
    },
    influence: {"estimator": AgglomerativeClustering(2), "X": IRIS[:6]},
}
RANGE = "param_range must hold increasing positive integers, got "
FAR = np.random.default_rng(0).permutation(np.repeat([1.0, 50.0], 95))
ERRORS = {
    gap_statistic: [
        ({"param_range": [2, 1]}, RANGE),
        ({"power": 3}, "power must be one of 1, 2; got 3"),
        ({"n_null": 1}, "n_null must be at least 2, got 1"),
        ({"param_name": "n_cluster"}, "param_name must be a parameter of KMeans, .*'n_clusters'"),
        ({"random_state": "no"}, "random_state must be"),
    ],
    structure_test: [
        ({"statistic": "rand_score"}, "statistic must need the data, got ra"),
        ({"statistic": 7}, "statistic must be a function, .*, got 7"),
        ({"greater_is_better": False}, "greater_is_better must be left out"),
        ({"beta": 2}, "structure_test.. got .* 'beta'; it takes .*, and silhouette_score takes"),
        ({"n_null": 1}, "n_null must be at least 2, got 1"),
        ({"param_range": []}, "param_range must hold at least one value"),
        ({"estimator": None}, "statistic must be a function of X where estimator is None, got"),
        (
            {"estimator": None, "statistic": bimodality, "param_range": [1]},
            "param_range must be None",
        ),
    ],
    of_search: [
        ({"index": "silhouette_score"}, "index must compare two partitions here"),
        ({"response": "soft"}, "response must be one of"),
        ({"response": "predict_proba"}, "response must be 'auto' for an estimator without pre"),
        ({"divisor": "labels"}, "divisor must be one of"),
        ({"divisor": "random_labels"}, "divisor must be None unless the index is a distance"),
        ({"param_grid": [1, 2]}, "param_grid must not contain one cluster"),
        ({"estimator": HDBSCAN(), "param_grid": [1, 5]}, "min_cluster_size must be .* got 1"),
        ({"rule": "best"}, "rule must be a function or one of"),
        ({"null": "pca", "n_null": 18}, "n_null must be at least 19 .* got 18"),
        ({"error_score": "nan"}, "error_score must be 'raise' or a number"),
    ],
    prediction_strength: [
        ({"extension": "far"}, "extension must be one of"),
    ],
    cluster_stability: [
        ({"resampling": "split"}, "resampling must be one of 'bootstrap', 'subsample', 'jitter'"),
        ({"resampling": "jitter", "sample_size": 0.5}, "sample_size must be None unless"),
        ({"n_jobs": 0}, "n_jobs must not be 0"),
    ],
    cluster_significance: [
        ({"estimator": [1] * 9}, "estimator .*label for each of the 80 objects of X.*got 9"),
        ({"significance_level": 1.5}, "significance_level must"),
        ({"estimator": [-1] * 80}, "estimator .*got noise only"),
        (
            {"estimator": SpectralClustering(2, affinity="precomputed"), "X": np.ones((20, 20))},
            "X must .*got similarities",
        ),
        ({"X": np.where(BLOBS > 1, np.nan, BLOBS)}, "X must be finite"),
        (
            {"estimator": np.arange(20) % 2, "X": squareform(FAR)},
            "X must hold distances that points have nearly",
        ),
    ],
    choose_n_clusters: [
        ({"param_range": [1]}, "param_range must hold at least one number above 1, got"),
        (
            {"param_name": "tol", "param_range": [0.1, 0.1]},
            "param_range must hold at least two different values",
        ),
        ({"n_resamples": 1}, "n_resamples must be"),
        ({"param_range": [2, 3, 41]}, "param_range must not exceed the 40 objects that are"),
        ({"subsample": 11}, "subsample must be at least 12, two clusters of six rows, got 11"),
        ({"subsample": 12}, "subsample must leave 5 disjoint samples of 40 rows, got 12"),
        ({"n_subsamples": 0}, "n_subsamples must be"),
        ({"X": np.where(BLOBS > 9, np.nan, BLOBS)}, "Input X contains NaN"),
        ({"estimator": KMeans}, "estimator must be a clusterer, got the class KMeans: pass KMeans"),
        ({"estimator": "k-means"}, "estimator must be a clusterer, which has the method fit"),
    ],
    influence: [
        ({"change": "add"}, "change must be"),
        ({"n_changes": 0}, "n_changes must be"),
        ({"n_changes": 7}, "n_changes"),
        ({"X": IRIS[:1]}, "X must hold two objects or more, got n_samples=1"),
        ({"index": "silhouette_score"}, "index must compare two partitions"),
        ({"beta": 2}, "influence.. got .* 'beta'; it takes .*, and variation_of"),
    ],
}


@pytest.mark.parametrize(
    ("function", "options", "message"),
    [(function, *row) for function, rows in ERRORS.items() for row in rows],
)
def test_errors_name_the_argument(function, options, message):
    with pytest.raises((ValueError, TypeError), match=f"^{message}"):
        function(**CALLS[function] | options)


@pytest.mark.parametrize(
    "function", [prediction_strength, cluster_stability, influence, gap_statistic]
)
def test_labels_and_exchanged_arguments_are_named(function):
    with pytest.raises(TypeError, match="^estimator must be a clusterer, .* labels alone"):
        function([0, 1] * 6, X)
    with pytest.raises(TypeError, match="^X must be data, .* the clusterer comes first$"):
        function(X, KMeans())
    with pytest.raises(TypeError, match="got ndarray: the clusterer comes first, then the data$"):
        function(X, 2)


@pytest.mark.parametrize("at_once", [True, False])
def test_samples_with_too_few_distinct_objects_are_not_clustered(at_once):
    """Of each draw that is left, the samples and their clusterings are compared together."""
    equal, first, second = np.repeat(X[:1], 4, axis=0), X[:4], X[4:10]
    draws = [
        [Sample(one, np.arange(len(one))) for one in pair]
        for pair in ([first, second], [first, equal], [second, first])
    ]

    def sizes(found, samples):
        return [(len(one.labels), len(two.X)) for one, two in zip(found, samples, strict=True)]

    seeds = [[1, 2], [3, 4], [5, 6]]
    found = compared(KMeans(), {"n_clusters": 2}, draws, seeds, sizes, at_once=at_once)
    assert found == [[(4, 4), (6, 6)], None, [(6, 6), (4, 4)]]
