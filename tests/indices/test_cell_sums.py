"""Indices that are sums over cells, against their definitions over objects and printed values."""

import itertools
import pickle
import re
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_clustcompare import (
    ContingencyTable,
    chance_adjusted_score,
    get_index,
    permutation_test,
)
from sklearn_clustcompare.consensus import element_consistency
from sklearn_clustcompare.indices import CellSum, Index
from sklearn_clustcompare.metrics import element_centric_similarities
from tests._examples import pairs_of_labels
from tests.indices._variants import Variant
from tests.oracle import broken_claims

small_pairs = pairs_of_labels(1, 14, 4)


def value_of(name, labels_true, labels_pred, **parameters):
    return Variant(name, parameters)(labels_true, labels_pred)


def clusters_of(labels):
    """The cluster of each object, as the set of its objects."""
    return [{j for j, other in enumerate(labels) if other == one} for one in labels]


def links(labels, other):
    """Links that hold the clusters of one partition together, and those kept by the other."""
    total = kept = 0
    for cluster in {frozenset(one) for one in clusters_of(labels)}:
        total += len(cluster) - 1
        kept += len(cluster) - len({other[i] for i in cluster})
    return kept, total


def bcubed(labels_true, labels_pred, average):
    true, pred = clusters_of(labels_true), clusters_of(labels_pred)
    precision = [Fraction(len(a & b), len(b)) for a, b in zip(true, pred, strict=True)]
    recall = [Fraction(len(a & b), len(a)) for a, b in zip(true, pred, strict=True)]
    groups = [range(len(true))] if average == "object" else {frozenset(one) for one in true}
    return [
        sum(sum(values[i] for i in group) / len(group) for group in groups) / len(groups)
        for values in (precision, recall)
    ]


@given(small_pairs, st.sampled_from(["object", "cluster"]), st.sampled_from([0, 0.5, 1, 3]))
def test_bcubed_is_a_mean_over_objects(pair, average, beta):
    precision, recall = bcubed(*pair, average)
    for name, expected in (("precision", precision), ("recall", recall)):
        found = value_of(f"bcubed_{name}_score", *pair, average=average)
        assert found == pytest.approx(float(expected), rel=1e-14)
    f = (1 + beta**2) * precision * recall / (Fraction(beta) ** 2 * precision + recall)
    found = value_of("bcubed_f_score", *pair, average=average, beta=beta)
    assert found == pytest.approx(float(f), rel=1e-14)


@given(small_pairs)
def test_links_splits_and_merges(pair):
    kept, total = links(*pair)
    same, found = links(*pair[::-1])
    assert kept == same
    if total:
        assert value_of("muc_recall_score", *pair) == kept / total
    if found:
        assert value_of("muc_precision_score", *pair) == kept / found
    if total + found:
        assert value_of("muc_f_score", *pair) == pytest.approx(2 * kept / (total + found))
    assert value_of("split_count", *pair) == total - kept
    assert value_of("merge_count", *pair) == found - kept
    assert value_of("merge_distance", *pair) == total + found - 2 * kept


def affinities(labels, alpha):
    """Personalized PageRank from each object to all, over the clusters."""
    together = np.equal.outer(labels, labels)
    step = together / together.sum(axis=1, keepdims=True)
    return (1 - alpha) * np.linalg.inv(np.eye(len(labels)) - alpha * step)


@given(small_pairs, st.sampled_from([0.1, 0.5, 0.9]))
def test_element_centric_similarity_by_walks(pair, alpha):
    first, second = (affinities(np.array(labels), alpha) for labels in pair)
    expected = 1 - np.abs(first - second).sum(axis=1) / (2 * alpha)
    found = element_centric_similarities(*pair, alpha=alpha)
    assert found == pytest.approx(expected, abs=1e-13)
    index = value_of("element_centric_similarity_score", *pair, alpha=alpha)
    assert index == pytest.approx(expected.mean(), abs=1e-13)


def test_consistency_is_the_mean_over_all_pairs():
    partitions = np.random.default_rng(0).integers(3, size=(5, 40))
    pairs = list(itertools.combinations(partitions, 2))
    expected = np.mean([element_centric_similarities(*pair) for pair in pairs], axis=0)
    assert element_consistency(partitions) == pytest.approx(expected, rel=1e-14)
    named = {str(k): [f"c{label}" for label in one] for k, one in enumerate(partitions.tolist())}
    assert element_consistency(named).tolist() == element_consistency(partitions).tolist()


def test_similarities_of_many_clusters_are_those_of_few():
    """Sparse numbering of cells and dense numbering give the same."""
    rng = np.random.default_rng(1)
    labels = rng.integers(700, size=(2, 1500))
    cells = dict(zip(*np.unique(labels[0] * 1000 + labels[1], return_counts=True), strict=True))
    sizes = [np.bincount(one) for one in labels]
    expected = [cells[a * 1000 + b] / max(sizes[0][a], sizes[1][b]) for a, b in labels.T.tolist()]
    assert element_centric_similarities(*labels).tolist() == expected


def test_one_cluster_has_no_association():
    for name in ("cramers_v_score", "tschuprow_score"):
        index = get_index(name)
        assert index(ContingencyTable.from_labels([0, 0], [1, 1])) == 1.0
        for pair in (([0, 0], [0, 1]), ([0, 1], [0, 0])):
            with pytest.warns(UndefinedMetricWarning, match=f"{name} is undefined"):
                assert index(ContingencyTable.from_labels(*pair)) == 0.0


def test_links_of_singletons_are_undefined():
    for name, pair in (
        ("muc_precision_score", ([0, 0], [0, 1])),
        ("muc_recall_score", ([0, 1], [0, 0])),
    ):
        with pytest.warns(UndefinedMetricWarning, match=f"{name} is undefined"):
            assert get_index(name)(ContingencyTable.from_labels(*pair)) == 0.0
    for name in ("muc_precision_score", "muc_recall_score", "muc_f_score"):
        assert get_index(name)(ContingencyTable.from_labels([0, 1], [1, 0])) == 1.0


# --------------------------------------------------------------------------- printed values

KEY = [1] * 5 + [2] * 2 + [3] * 5


@pytest.mark.parametrize(
    ("response", "muc", "bcubed_f", "overlap", "dice"),
    [
        ([1] * 5 + [2] * 7, 0.947, 0.865, 0.833, 0.733),
        ([1] * 5 + [2] * 2 + [1] * 5, 0.947, 0.737, 0.583, 0.667),
        ([1] * 12, 0.900, 0.545, 0.417, 0.294),
        (list(range(12)), 0.0, 0.400, 0.250, 0.178),
    ],
)
def test_values_of_coreference(response, muc, bcubed_f, overlap, dice):
    assert value_of("muc_f_score", KEY, response) == pytest.approx(muc, abs=5e-4)
    assert value_of("bcubed_f_score", KEY, response) == pytest.approx(bcubed_f, abs=5e-4)
    assert value_of("ceaf_f_score", KEY, response) == pytest.approx(overlap, abs=5e-4)
    found = value_of("ceaf_f_score", KEY, response, similarity="dice")
    assert found == pytest.approx(dice, abs=5e-4)


# --------------------------------------------------------------------------- chance


@pytest.mark.parametrize(
    ("name", "method"),
    [
        ("chi_squared_statistic", "moments"),
        ("bcubed_precision_score", "moments"),
        ("element_centric_similarity_score", "monte_carlo"),
        ("split_count", "monte_carlo"),
        ("muc_f_score", "monte_carlo"),
    ],
)
def test_tests_of_sums_over_cells(name, method):
    rng = np.random.default_rng(2)
    truth = rng.integers(6, size=1200)
    found = np.where(rng.random(1200) < 0.03, truth, rng.integers(6, size=1200))
    test = permutation_test(truth, found, index=name, n_resamples=499)
    assert test.method == method
    assert test.has_exact_moments
    drawn = permutation_test(truth, found, index=name, n_resamples=499, method="monte_carlo")
    error = drawn.null_distribution.std() / np.sqrt(499)
    assert abs(drawn.null_distribution.mean() - test.mean) < 5 * error + 1e-12
    assert abs(test.pvalue - drawn.pvalue) < 0.08
    bound = permutation_test(truth, found, index=name, method="cantelli").pvalue
    z = test.standardized if test.index.greater_is_better else -test.standardized
    assert bound == (1 / (1 + z * z) if z > 0 else 1.0)


@pytest.mark.parametrize("k", [2, 20, 200])
def test_adjusted_similarity_of_random_labels_stays_at_zero(k):
    values = [
        chance_adjusted_score(*labels, index="element_centric_similarity_score")
        for labels in np.random.default_rng(k).integers(k, size=(20, 2, 1000))
    ]
    assert {score.method for score in values} == {"exact"}
    assert abs(np.mean(values)) < 5 * np.std(values) / np.sqrt(20)


def shared_roots(n, a, b):
    return np.sqrt(n) * (n > 0)


def root_sum():
    return CellSum(shared_roots)


def shared_root_score(total, margins):
    return total / margins.n_samples


OWN = Index(
    "shared_root_score",
    of_statistic=shared_root_score,
    greater_is_better=False,
    range=(0.0, 1.0),
    symmetric=True,
    source="made up",
    linear_in="cells",
    cell_sum=root_sum,
)


@pytest.mark.slow
def test_an_index_of_a_users_own_says_what_it_sums():
    own = pickle.loads(pickle.dumps(OWN))
    assert own == OWN
    truth, found = [0, 0, 0, 1, 1, 2, 2, 2], [0, 0, 1, 1, 1, 0, 2, 2]
    orders = set(itertools.permutations(found))
    values = np.array([own(ContingencyTable.from_labels(truth, order)) for order in orders])
    test = permutation_test(truth, found, index=own)
    assert test.mean == pytest.approx(values.mean(), rel=1e-13)
    assert test.standard_deviation == pytest.approx(values.std(), rel=1e-12)
    score = chance_adjusted_score(truth, found, index=own)
    assert score.method == "exact"
    assert "linear_in" not in broken_claims(own)


def squared_roots(total, margins):
    return shared_root_score(total, margins) ** 2


OTHER_MEAN = "its mean over all orders of b is"


def far_from_one(n, a, b):
    return 0.0


def shared_roots_of_table(table):
    return shared_root_score(root_sum()(table), table)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("index", "message"),
    [
        ({"of_statistic": squared_roots}, OTHER_MEAN),
        (
            {"of_statistic": squared_roots, "function": shared_roots_of_table},
            "its mean over all orders of b is",
        ),
        ({"cell_sum": CellSum(far_from_one), "function": shared_roots_of_table}, "phi.*shape"),
    ],
)
def test_what_is_declared_of_a_sum_is_searched(index, message):
    assert re.search(message, str(broken_claims(replace(OWN, **index))["linear_in"]))
