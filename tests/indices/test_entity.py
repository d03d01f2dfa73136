"""Entities, segments and tracks against their definitions, over sets of objects."""

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given
from scipy.optimize import linear_sum_assignment
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_clustcompare import (
    ContingencyTable,
    get_index,
    matching_accuracy_score,
    variation_of_information_distance,
)
from sklearn_clustcompare.metrics import (
    ceaf_f_score,
    cluster_f_score,
    cluster_precision_score,
    cluster_recall_score,
    correlation_distance,
    jaccard_error_rate,
    lea_f_score,
    lea_precision_score,
    lea_recall_score,
    normalized_clustering_accuracy_score,
    normalized_pivoted_accuracy_score,
    pair_sets_score,
    panoptic_quality_score,
    projection_distance,
    reduced_mutual_info_score,
)
from tests import _oracles as oracles
from tests._examples import pairs_of_labels, slow

small_pairs = pairs_of_labels(1, 12, 3)


def approx(value, rel=1e-14):
    return pytest.approx(float(value), rel=rel, abs=1e-15)


def sides(pair, background=None):
    return [oracles.clusters(labels, background) for labels in pair]


# --------------------------------------------------------------------------- matched clusters


@given(small_pairs)
def test_ceaf_is_the_best_of_all_pairings(pair):
    true, pred = sides(pair)
    phi = oracles.best_assignment(true, pred, oracles.dice)
    expected = {
        "ceaf_precision_score": phi / len(pred),
        "ceaf_recall_score": phi / len(true),
        "ceaf_f_score": 2 * phi / (len(true) + len(pred)),
    }
    overlap = oracles.best_assignment(true, pred, lambda a, b: Fraction(len(a & b), len(pair[0])))
    table = ContingencyTable.from_labels(*pair)
    for name, value in expected.items():
        assert get_index(name)(table, similarity="dice") == approx(value)
        assert get_index(name)(table) == float(overlap) == matching_accuracy_score(table)


def test_accuracies_of_a_printed_table():
    table = ContingencyTable.from_counts([[45, 5, 0], [0, 25, 5], [2, 0, 18]])
    assert normalized_clustering_accuracy_score(table) == approx(Fraction(49, 60))
    assert normalized_pivoted_accuracy_score(table) == 0.82
    assert pair_sets_score(table) == pytest.approx(0.7615477975, abs=5e-11)
    assert pair_sets_score(table, simplified=True) == pytest.approx(0.7579710145, abs=5e-11)
    merged = ContingencyTable.from_counts([[45, 5], [0, 30], [2, 18]])
    assert pair_sets_score(merged) == pytest.approx(0.3027444254, abs=5e-11)


def test_accuracy_of_a_single_reference_cluster_is_undefined():
    with pytest.warns(UndefinedMetricWarning, match="normalized_clustering_accuracy_score is und"):
        assert normalized_clustering_accuracy_score([0, 0, 0], [0, 1, 1]) == 0.0


def test_more_candidate_clusters_can_be_worse_than_one():
    labels = np.repeat([0, 1], 10)
    assert normalized_clustering_accuracy_score(labels, [0] * 20) == 0.0
    assert normalized_clustering_accuracy_score(labels, range(20)) == approx(-0.8)


def test_one_to_one_matchings_with_ties_are_the_same_float():
    """Thirds and sixths add up to the same number, one way or the other."""
    counts = np.array([[1, 2, 0], [2, 1, 3], [0, 3, 3]])
    names = ("ceaf_f_score", "jaccard_error_rate", "pair_sets_score")
    for order in ([0, 1, 2], [2, 0, 1], [1, 2, 0], [2, 1, 0]):
        table = ContingencyTable.from_counts(counts[order][:, order[::-1]])
        first = ContingencyTable.from_counts(counts)
        for name in names:
            assert get_index(name)(table) == get_index(name)(first)


@pytest.mark.parametrize("similarity", ["overlap", "dice"])
def test_many_small_clusters_need_no_dense_matrix(similarity):
    """A matrix of all pairs of 100,000 clusters would take 80 gigabytes."""
    rng = np.random.default_rng(0)
    true = np.repeat(np.arange(100_000), 3)
    pred = np.where(rng.random(300_000) < 0.1, rng.integers(100_000, size=300_000), true)
    table = ContingencyTable.from_labels(true, pred)
    value = ceaf_f_score(table, similarity=similarity)
    errors = jaccard_error_rate(table)
    kept = np.bincount(true[true == pred], minlength=100_000)
    if similarity == "overlap":
        assert value >= kept.sum() / 300_000
    else:
        sizes = 3 + np.bincount(pred, minlength=100_000)
        assert value >= 2 * (2 * kept / sizes).sum() / sum(table.shape)
    assert 0.1 < errors < 0.5


@pytest.mark.parametrize("n_clusters", [700, 1500])
def test_components_are_solved_as_the_whole_matrix_is(n_clusters):
    rng = np.random.default_rng(n_clusters)
    true = rng.integers(n_clusters, size=3000)
    pred = np.where(rng.random(3000) < 0.5, true, rng.integers(n_clusters, size=3000))
    table = ContingencyTable.from_labels(true, pred)
    counts = table.counts.toarray()
    sizes = counts.sum(axis=1)[:, np.newaxis], counts.sum(axis=0)
    similarity = 2 * counts / (sizes[0] + sizes[1])
    best = similarity[linear_sum_assignment(similarity, maximize=True)].sum()
    assert ceaf_f_score(table, similarity="dice") == approx(2 * best / sum(table.shape), 1e-12)


# --------------------------------------------------------------------------- links


@given(small_pairs)
def test_lea_looks_at_every_link(pair):
    true, pred = sides(pair)
    recall, precision = oracles.lea_recall(true, pred), oracles.lea_recall(pred, true)
    both = recall + precision
    expected = 2 * recall * precision / both if both else 0
    assert lea_recall_score(*pair) == approx(recall)
    assert lea_precision_score(*pair) == approx(precision)
    assert lea_f_score(*pair) == approx(expected)


# --------------------------------------------------------------------------- clusters found

THRESHOLDS = [0, 0.25, 0.3, 0.5, 0.6, 1, 1.0, "majority"]


def check_found(pair, threshold, background=None):
    true, pred = sides(pair, background)
    if not true or not pred:
        return
    n_found, quality = oracles.found_clusters(true, pred, threshold)
    options = {"threshold": threshold, "background": background}
    assert cluster_precision_score(*pair, **options) == float(Fraction(n_found, len(pred)))
    assert cluster_recall_score(*pair, **options) == float(Fraction(n_found, len(true)))
    n_both = len(true) + len(pred)
    assert cluster_f_score(*pair, **options) == float(Fraction(2 * n_found, n_both))
    if threshold != "majority":
        expected = approx(2 * Fraction(quality) / n_both)
        assert panoptic_quality_score(*pair, **options) == expected


@pytest.mark.slow
@pytest.mark.parametrize("threshold", THRESHOLDS)
def test_clusters_found_are_the_most_of_all_pairings(threshold):
    given(small_pairs)(lambda pair: check_found(pair, threshold))()


@pytest.mark.slow
@pytest.mark.parametrize("threshold", [0.3, 0.5, 1, "majority"])
def test_background_is_no_cluster_but_enlarges_those_that_hold_it(threshold):
    given(small_pairs)(lambda pair: check_found(pair, threshold, background=0))()


@given(small_pairs)
def test_error_rate_with_silence(pair):
    true, pred = sides(pair, background=0)
    if true:
        found = oracles.best_assignment(true, pred, oracles.jaccard_of_sets) if pred else 0
        value = jaccard_error_rate(*pair, background=0)
        assert value == approx(1 - Fraction(found) / len(true))


def test_a_decimal_threshold_is_not_exceeded_by_the_same_fraction():
    """One object of ten: 0.1 as a product with ten would be one of both sides of it."""
    for size in (10, 30, 70):
        true = np.arange(size) < size // 10
        pred = np.zeros(size, int)
        assert cluster_recall_score(true, pred, threshold=0.1, background=0) == 0.0
        value = cluster_f_score(np.where(true, 5, 9), pred, threshold=0.1, background=9)
        assert value == 0.0


def test_reference_of_background_alone_is_undefined():
    for function in (cluster_recall_score, jaccard_error_rate):
        with pytest.warns(UndefinedMetricWarning, match=f"{function.__name__} is undefined"):
            assert function([0, 0, 0], [0, 1, 1], background=0) == 0.0
        with pytest.warns(UndefinedMetricWarning, match="undefined"):
            assert function([0, 0, 0], [1, 1, 1], background=0) == 0.0
    assert cluster_f_score([0, 0], [0, 0], background=0) == 1.0
    assert jaccard_error_rate([0, 0], [0, 0], background=0) == 0.0


def test_error_rate_weighs_segments_by_their_duration():
    true, pred, durations = [0, 0, 1], [0, 1, 1], [2.5, 0.5, 1.5]
    expected = 1 - (2.5 / 3 + 1.5 / 2) / 2
    assert jaccard_error_rate(true, pred, sample_weight=durations) == approx(expected)


# --------------------------------------------------------------------------- distances


def test_no_correlation_is_half_way_with_a_warning():
    with pytest.warns(UndefinedMetricWarning, match="correlation_distance.*undefined"):
        assert correlation_distance([0, 0, 0], [0, 1, 1]) == 0.5


@given(small_pairs)
def test_projection_distance_is_a_norm_of_matrices(pair):
    def projection(labels):
        labels = np.asarray(labels)
        joined = labels[:, np.newaxis] == labels
        return joined / joined.sum(axis=1)

    expected = np.linalg.norm(projection(pair[0]) - projection(pair[1]))
    assert projection_distance(*pair) == pytest.approx(expected, abs=1e-7)
    assert projection_distance(*pair) ** 2 == pytest.approx(expected**2, abs=1e-13)


@pytest.mark.parametrize("q", [0.5, 1, 2, 3])
def test_distance_over_that_of_singletons_and_one_cluster(q):
    largest = variation_of_information_distance([0] * 8, range(8), q=q)
    pair = [0, 0, 0, 1, 1, 1, 2, 2], [0, 0, 1, 1, 1, 2, 2, 2]
    distance = variation_of_information_distance(*pair, q=q)
    value = variation_of_information_distance(*pair, q=q, normalize="log_n")
    assert value == approx(distance / largest)
    if q == 1:
        assert value == approx(distance / math.log(8))


# --------------------------------------------------------------------------- reduced information

COLORS, NUMBERS = list("rrrbbbgg"), [1, 1, 1, 1, 2, 2, 2, 2]


def test_printed_values_of_reduced_information():
    value = reduced_mutual_info_score(COLORS, NUMBERS, base=2)
    assert value == pytest.approx(0.9091026836, abs=5e-11)
    swapped = reduced_mutual_info_score(NUMBERS, COLORS, base=2)
    assert swapped == pytest.approx(0.3194922976, abs=5e-11)


@pytest.mark.parametrize(
    "counts",
    [
        slow([[3, 0], [1, 2], [0, 2]]),
        slow([[3, 1, 0], [0, 2, 2]]),
        slow([[5, 5], [5, 5]]),  # both minima at infinity
        [[4, 0], [0, 4]],  # at zero, in each row
        slow([[40, 3, 2], [1, 25, 5], [2, 0, 18]]),
        slow([[1, 1, 1], [1, 1, 1]]),
        [[9, 1]],
        slow([[7], [2]]),
        slow([[300, 2, 0, 1], [4, 150, 20, 3]]),
    ],
    ids=str,
)
def test_reduced_information_by_definition(counts):
    with mpmath.workdps(60):
        expected = oracles.reduced_mutual_info(counts)
        transposed = oracles.reduced_mutual_info(list(zip(*counts, strict=True)))
    table = ContingencyTable.from_counts(counts)
    assert reduced_mutual_info_score(table) == pytest.approx(float(expected), rel=1e-11, abs=1e-12)
    value = reduced_mutual_info_score(table.T)
    assert value == pytest.approx(float(transposed), rel=1e-11, abs=1e-12)


def test_normalized_reduced_information_is_over_that_of_the_candidate():
    itself = reduced_mutual_info_score(NUMBERS, NUMBERS)
    value = reduced_mutual_info_score(COLORS, NUMBERS, normalize=True)
    assert value == approx(reduced_mutual_info_score(COLORS, NUMBERS) / itself)
    assert reduced_mutual_info_score(NUMBERS, list("xxxxyyyy"), normalize=True) == 1.0


@pytest.mark.parametrize("labels", [[0] * 4, range(4)])
def test_a_candidate_with_nothing_to_tell_is_undefined_when_normalized(labels):
    assert reduced_mutual_info_score([0, 0, 1, 1], labels) == 0.0
    with pytest.warns(UndefinedMetricWarning, match="reduced_mutual_info_score is undefined"):
        assert reduced_mutual_info_score([0, 0, 1, 1], labels, normalize=True) == 0.0
    assert reduced_mutual_info_score(labels, labels, normalize=True) == 1.0


def test_reduced_information_of_many_objects_is_that_of_shannon():
    """What the table costs grows with the logarithm of the number of objects only."""
    counts = 10**6 * np.array([[40, 3, 2], [1, 25, 5], [2, 0, 18]])
    table = ContingencyTable.from_counts(counts)
    per_object = reduced_mutual_info_score(table) / table.n_samples
    shannon = get_index("mutual_info_score")(table)
    assert shannon - 5e-6 < per_object < shannon


def test_what_no_cell_tells_alone_is_no_cell_sum():
    index = get_index("cluster_f_score")
    assert index.linear_quantity(threshold=0.3) is None
    assert index.linear_quantity(background=0) is None
