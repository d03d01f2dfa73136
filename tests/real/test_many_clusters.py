"""Tables of 60 to 300 clusters whose sizes fall as 1/rank, against scikit-learn and counting."""

import warnings

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment
from sklearn import metrics
from sklearn.metrics.cluster import contingency_matrix, pair_confusion_matrix

import sklearn_clustcompare as clustcompare
from tests._examples import slow
from tests.real._inputs import moved, too_small_is_said, zipf_labels

# Objects, clusters, share moved.
TABLES = [
    pytest.param((1_000, 60, 0.2), id="60"),
    pytest.param((5_000, 120, 0.5), id="120"),
    slow((20_000, 300, 0.3), id="300"),
    slow((3_000, 300, 0.9), id="300 of few objects"),
]
SHARED_WITH_SCIKIT_LEARN = (
    "rand_score",
    "adjusted_rand_score",
    "mutual_info_score",
    "normalized_mutual_info_score",
    "adjusted_mutual_info_score",
    "homogeneity_score",
    "completeness_score",
    "v_measure_score",
    "fowlkes_mallows_score",
)


@pytest.fixture(scope="module", params=TABLES)
def pair(request):
    n_samples, n_clusters, share = request.param
    y = zipf_labels(n_samples, n_clusters)
    return y, moved(y, share, seed=1)


@pytest.mark.parametrize("name", SHARED_WITH_SCIKIT_LEARN)
def test_values_of_scikit_learn(pair, name):
    y, found = pair
    expected = getattr(metrics, name)(y, found)
    assert getattr(clustcompare.metrics, name)(y, found) == pytest.approx(expected, rel=1e-10)
    named = np.array([f"cluster {label}" for label in found], dtype=object)
    assert getattr(clustcompare.metrics, name)(y, named) == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("average", ["min", "geometric", "max"])
def test_values_of_scikit_learn_with_another_mean(pair, average):
    y, found = pair
    for name in ("normalized_mutual_info_score", "adjusted_mutual_info_score"):
        expected = getattr(metrics, name)(y, found, average_method=average)
        value = getattr(clustcompare.metrics, name)(y, found, average_method=average)
        assert value == pytest.approx(expected, rel=1e-10)


def test_values_by_counting(pair):
    y, found = pair
    n = len(y)
    counts = contingency_matrix(y, found)
    ((n_apart, n_only_pred), (n_only_true, n_both)) = pair_confusion_matrix(y, found)
    rows, cols = linear_sum_assignment(-counts)
    cells = counts[np.nonzero(counts)] / n
    rows_of = np.broadcast_to(counts.sum(axis=1, keepdims=True), counts.shape)[np.nonzero(counts)]
    cols_of = np.broadcast_to(counts.sum(axis=0), counts.shape)[np.nonzero(counts)]
    expected = {
        "purity_score": counts.max(axis=0).sum() / n,
        "inverse_purity_score": counts.max(axis=1).sum() / n,
        "matching_accuracy_score": counts[rows, cols].sum() / n,
        "pair_precision_score": n_both / (n_both + n_only_pred),
        "pair_recall_score": n_both / (n_both + n_only_true),
        "variation_of_information_distance": -np.sum(
            cells * (np.log(cells * n / rows_of) + np.log(cells * n / cols_of))
        ),
        "bcubed_precision_score": np.sum(cells * cells * n / cols_of),
        "bcubed_recall_score": np.sum(cells * cells * n / rows_of),
        "van_dongen_distance": 2 * n - counts.max(axis=0).sum() - counts.max(axis=1).sum(),
        "mirkin_distance": n_only_pred + n_only_true,
    }
    table = clustcompare.ContingencyTable.from_labels(y, found)
    assert n_apart + n_only_pred + n_only_true + n_both == n * (n - 1)
    for name, value in expected.items():
        assert clustcompare.get_index(name)(table) == pytest.approx(value, rel=1e-11), name


def test_weights_are_repeated_objects(pair):
    y, found = pair
    weight = np.random.default_rng(2).integers(1, 4, size=len(y))
    repeated = [np.repeat(labels, weight) for labels in pair]
    for name in ("adjusted_rand_score", "v_measure_score", "fowlkes_mallows_score"):
        value = getattr(clustcompare.metrics, name)(y, found, sample_weight=weight)
        assert value == pytest.approx(getattr(metrics, name)(*repeated), rel=1e-11)


def test_the_report_has_a_row_for_each_cluster(pair):
    y, found = pair
    report = clustcompare.clustering_comparison_report(y, found)
    values = report.to_dict()
    counts = contingency_matrix(y, found)
    for side, table in (("true", counts), ("pred", counts.T)):
        rows = values[side]["clusters"]
        assert [row["size"] for row in rows] == table.sum(axis=1).tolist()
        for number, row in enumerate(rows):
            both = table[number, row["match"]]
            assert row["recall" if side == "true" else "precision"] == pytest.approx(
                both / table[number].sum(), rel=1e-12
            )
    low, high = values["headline"]["intervals"]["adjusted_rand_score"]
    assert low < metrics.adjusted_rand_score(y, found) < high
    assert len(str(report).splitlines()) < 150


@pytest.mark.parametrize(
    "index", ["adjusted_rand_score", "normalized_mutual_info_score", slow("bcubed_f_score")]
)
@too_small_is_said
def test_the_error_is_that_of_scores_corrected_for_their_bias(index):
    y = zipf_labels(150_000, 60)
    found, rng, intervals = moved(y, 0.3, seed=1), np.random.default_rng(0), []
    of_all = clustcompare.get_index(index)(clustcompare.ContingencyTable.from_labels(y, found))
    for _ in range(40):
        rows = rng.choice(len(y), 1_500, replace=False)
        intervals.append(clustcompare.score_interval(y[rows], found[rows], index=index))
    corrected = np.array([one.score - one.bias for one in intervals])
    deviation = corrected.std(ddof=1)
    # The error of a standard deviation of 40 samples is 11 %.
    errors = np.mean([one.standard_error for one in intervals])
    assert errors == pytest.approx(deviation, rel=0.3)
    assert abs(corrected.mean() - of_all) < max(4 * deviation / np.sqrt(40), deviation / 2)
    assert sum(one.interval[0] <= of_all <= one.interval[1] for one in intervals) >= 35


@pytest.mark.parametrize("n_clusters", [60, slow(300)])
def test_chance_is_that_of_random_orders(n_clusters):
    y = zipf_labels(10 * n_clusters, n_clusters)
    found = moved(y, 0.97, seed=1)
    rng = np.random.default_rng(0)
    for name in ("adjusted_rand_score", "normalized_mutual_info_score"):
        test = clustcompare.permutation_test(y, found, index=name)
        draws = [getattr(metrics, name)(y, rng.permutation(found)) for _ in range(40)]
        error = np.std(draws, ddof=1)
        assert abs(test.mean - np.mean(draws)) < 5 * error / np.sqrt(40)
        assert test.standard_deviation == pytest.approx(error, rel=0.55)
        independent = clustcompare.permutation_test(y, rng.permutation(found), index=name)
        assert 1e-4 < independent.pvalue <= 1
    related = clustcompare.permutation_test(y, moved(y, 0.5, seed=3), index="ari")
    assert 0 <= related.pvalue < 1e-10


def test_pairs_of_candidates_are_those_of_scikit_learn():
    y = zipf_labels(2_000, 100)
    runs = [moved(y, share, seed=k) for k, share in enumerate(np.linspace(0.05, 0.9, 7))]
    for name in ("adjusted_rand_score", "normalized_mutual_info_score"):
        values = clustcompare.pairwise_scores(runs, index=name).values
        expected = [[getattr(metrics, name)(one, other) for other in runs] for one in runs]
        np.testing.assert_allclose(values, expected, rtol=1e-10)
    medoid = clustcompare.consensus.medoid_partition(runs)
    ari = clustcompare.pairwise_scores(runs, index="ari").values
    means = (ari.sum(axis=1) - 1) / (len(runs) - 1)
    assert medoid.position == int(np.argmax(means))
    assert medoid.score == pytest.approx(means.max(), rel=1e-12)


@pytest.mark.parametrize("n_clusters", [60, slow(200)])
def test_a_consensus_undoes_independent_errors(n_clusters):
    y = zipf_labels(8 * n_clusters, n_clusters)
    runs = [moved(y, 0.15, seed=seed) for seed in range(5)]
    result = clustcompare.consensus_partition(runs, n_init=1)
    means = [np.mean([metrics.adjusted_rand_score(one, run) for run in runs]) for one in runs]
    mean = np.mean([metrics.adjusted_rand_score(result.labels, run) for run in runs])
    assert result.score == pytest.approx(mean, rel=1e-11)
    assert mean > max(means)
    agreement = metrics.adjusted_rand_score(y, result.labels)
    assert agreement > max(metrics.adjusted_rand_score(y, run) for run in runs)


def test_names_of_clusters_by_the_majority():
    y = zipf_labels(2_000, 80)
    found = moved(y, 0.2, seed=1)
    counts = contingency_matrix(y, found)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        named = clustcompare.relabel(y, found, method="majority")
    share = np.mean(np.asarray(named) == y)
    assert share == pytest.approx(counts.max(axis=0).sum() / len(y))
