"""Values of single clusters adjusted for chance: their means, their limits and their counts."""

import itertools
import math

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sklearn_clustcompare as scc
from sklearn_clustcompare.report import _decomposition as _cluster_values
from sklearn_clustcompare.results import ClusterDecomposition
from sklearn_clustcompare.significance import PermutationModel
from tests._examples import pairs_of_labels, slow

ORDERS = [0.5, 1, 1.5, 2, 3]

labelings = pairs_of_labels(2, 40, 7)


def sides(*labels, **keywords):
    decomposition = scc.cluster_decomposition(*labels, **keywords)
    return decomposition.true, decomposition.pred


# ------------------------------------------------------------------- means


@pytest.mark.parametrize("q", ORDERS)
@pytest.mark.parametrize(
    ("labels_true", "labels_pred"),
    [
        slow("aaabbcc", "xxyyyyz"),
        slow("aaaaabb", "xxxyyzz"),
        ("aabbc", "xxyyx"),
        ("aabbcd", "xxxxxy"),
        slow("aaabbb", "xyzwvv"),
    ],
)
def test_means_over_all_permutations(labels_true, labels_pred, q):
    """With all permutations at hand neither the model nor its formulas are needed."""
    permuted = [
        sides(list(labels_true), arrangement, q=q)
        for arrangement in sorted(set(itertools.permutations(labels_pred)))
    ]
    for place in (0, 1):
        values = np.array([of_both[place].values for of_both in permuted])
        adjusted = np.array([of_both[place].adjusted for of_both in permuted])
        expected = permuted[0][place].expected
        np.testing.assert_allclose(expected, values.mean(axis=0), atol=1e-14)
        np.testing.assert_allclose(adjusted.mean(axis=0), 0, atol=1e-13)
        np.testing.assert_allclose(adjusted, (values - expected) / (1 - expected), atol=1e-12)


@pytest.mark.parametrize(("q", "n_permutations"), [(1.5, 100), *(slow(q, 400) for q in ORDERS)])
def test_adjusted_values_vanish_on_average(q, n_permutations):
    rng = np.random.default_rng(0)
    labels_true = np.repeat(np.arange(9), [120, 100, 80, 70, 60, 40, 20, 8, 2])
    labels_pred = np.repeat(np.arange(40), [100, 62] + [9] * 37 + [5])
    assert len(labels_true) == len(labels_pred) == 500
    permuted = [
        sides(labels_true, rng.permutation(labels_pred), q=q) for _ in range(n_permutations)
    ]
    for place in (0, 1):
        adjusted = np.array([of_both[place].adjusted for of_both in permuted])
        error = adjusted.std(axis=0) / math.sqrt(len(adjusted))
        assert (error < 2 / math.sqrt(n_permutations)).all()
        assert (np.abs(adjusted.mean(axis=0)) < 4.5 * error).all()


@given(labelings, st.sampled_from(ORDERS))
def test_expected_values_are_shares_of_the_mean_of_the_mutual_information(labels, q):
    decomposition = scc.cluster_decomposition(*labels, q=q)
    table = decomposition.table
    expected = PermutationModel(table.row_sums, table.col_sums).expected_mutual_info(q)
    for side in (decomposition.true, decomposition.pred):
        entropy = math.fsum(side.entropies)
        if entropy:
            mean = math.fsum(side.weights * side.expected)
            assert mean == pytest.approx(expected / entropy, rel=1e-12, abs=1e-13)


@given(labelings)
def test_adjusted_values_recombine_to_the_adjusted_homogeneity(labels):
    table = scc.ContingencyTable.from_labels(*labels)
    if 1 in table.shape or table.n_samples in table.shape:
        return
    side = ClusterDecomposition(table).true
    room = side.entropies * (1 - side.expected)
    assert math.fsum(room / room.sum() * side.adjusted) == pytest.approx(
        float(scc.chance_adjusted_score(*labels, index="homogeneity_score", method="exact")),
        abs=1e-11,
    )


# ------------------------------------------------------------------- random labels


@pytest.mark.parametrize("n_clusters", [500, 1500])
def test_random_clusters_are_found_badly(n_clusters):
    rng = np.random.default_rng(0)
    labels = rng.integers(n_clusters, size=(2, 5000))
    assert abs(scc.adjusted_mutual_info_score(*labels)) < 0.01
    for side in sides(*labels):
        assert (side.values > 0.5).all()  # not one looks bad without adjustment
        adjusted = side.adjusted
        assert abs(adjusted.mean()) < 4.5 * adjusted.std() / math.sqrt(len(adjusted))
        assert side.summary.n_poor == (adjusted <= 0.5).sum() > 0.98 * len(adjusted)
        assert side.summary.n_high < 0.01 * len(adjusted)
        assert side.summary.quantiles == tuple(np.quantile(adjusted, [0, 0.25, 0.5, 0.75, 1]))


# ------------------------------------------------------------------- limits


@pytest.mark.parametrize("q", ORDERS)
def test_a_cluster_that_is_not_mixed_with_others_has_exactly_1(q):
    labels, found = list("aaabbbcc"), [0, 1, 1, 2, 2, 2, 2, 3]
    for side in (sides(labels, found, q=q)[0], sides(found, labels, q=q)[1]):
        assert side.adjusted[0] == 1.0
        assert (side.adjusted[1:] < 1).all()


@pytest.mark.parametrize("q", ORDERS)
def test_what_no_partition_changes_is_no_agreement_beyond_chance(q):
    one, two = sides(list("aaaa"), [0, 0, 1, 1], q=q)
    assert one.expected.tolist() == one.values.tolist() == [1.0]
    assert one.adjusted.tolist() == [0.0]
    assert scc.adjusted_mutual_info_score(list("aaaa"), [0, 0, 1, 1]) == 0.0
    np.testing.assert_allclose(two.adjusted, 0, atol=1e-15)
    some, singletons = sides(list("aabc"), range(4), q=q)
    assert some.expected.tolist() == some.values.tolist() == [1.0] * 3
    # A cluster that is the same on both sides cannot be found better.
    assert some.adjusted.tolist() == [0.0, 1.0, 1.0]
    assert singletons.adjusted[2:].tolist() == [1.0, 1.0]
    assert (singletons.adjusted[:2] < 0).all()


def exact_adjusted(counts, place):
    """Adjusted R_i for q = 1 from hypergeometric laws, with mpmath."""
    rows, cols = [sum(row) for row in counts], [sum(col) for col in zip(*counts, strict=True)]
    n, a = sum(rows), rows[place]
    lost = mpmath.fsum(
        x * mpmath.log(mpmath.mpf(b) / x) for x, b in zip(counts[place], cols, strict=True) if x
    )
    expected = mpmath.mpf(0)
    for b in cols:
        whole = mpmath.binomial(n, a)
        for x in range(max(1, a + b - n), min(a, b) + 1):
            chance = mpmath.binomial(b, x) * mpmath.binomial(n - b, a - x) / whole
            expected += chance * x * mpmath.log(mpmath.mpf(b) / x)
    return float(1 - lost / expected)


@pytest.mark.parametrize(
    "counts",
    [
        [[3, 0, 1], [0, 5, 2]],
        [[12, 0, 1, 4], [3, 11, 2, 0], [0, 2, 9, 1], [0, 0, 0, 30]],
        slow([[101, 100, 100], [100, 102, 100]]),
    ],
    ids=str,
)
def test_adjusted_values_by_definition(counts):
    with mpmath.workdps(60):
        expected = [exact_adjusted(counts, place) for place in range(len(counts))]
    side = ClusterDecomposition(scc.ContingencyTable.from_counts(counts)).true
    np.testing.assert_allclose(side.adjusted, expected, rtol=1e-11)


def test_near_independence_nothing_is_lost_to_rounding():
    counts = [[10**6 + 1, 10**6, 10**6], [10**6, 10**6 + 2, 10**6]]
    decomposition = ClusterDecomposition(scc.ContingencyTable.from_counts(counts))
    table, side = decomposition.table, decomposition.true
    model = PermutationModel(table.row_sums, table.col_sums)
    information, _ = model.expected_cluster_information()
    lost, _ = model.expected_cluster_conditional_entropy()
    n = int(table.n_samples)
    with mpmath.workdps(60):
        for place, row in enumerate(counts):
            observed = mpmath.fsum(
                mpmath.mpf(x) / n * mpmath.log(mpmath.mpf(x) * n / (sum(row) * int(b)))
                for x, b in zip(row, table.col_sums, strict=True)
            )
            exact = float((observed - information[place]) / lost[place])
            assert side.adjusted[place] == pytest.approx(exact, rel=1e-13, abs=0)
            assert -1e-6 < exact < 0
            share = mpmath.mpf(sum(row)) / n
            expected = float(information[place] / (-share * mpmath.log(share)))
            assert side.expected[place] == pytest.approx(expected, rel=1e-13, abs=0)


def test_near_singletons_nothing_is_lost_to_rounding():
    """Singletons and one pair on each side, which share one object."""
    n = 10**5
    labels_true, labels_pred = np.arange(n), np.arange(n)
    labels_true[1], labels_pred[2] = 0, 1
    true, pred = sides(labels_true, labels_pred)
    # By hand: the pair loses if it shares one object with the other, a singleton if it is in it.
    pair, singleton = 4 * (n - 2) / (n * (n - 1)), 2 / n
    for side in (true, pred):
        pairs = side.adjusted[side.sizes == 2]
        np.testing.assert_allclose(pairs, [1 - 1 / pair], rtol=1e-12)
        ones = np.sort(side.adjusted[side.sizes == 1])
        np.testing.assert_allclose(ones[0], 1 - 1 / singleton, rtol=1e-12)
        assert (ones[1:] == 1).all()


# ------------------------------------------------------------------- where there is no exact mean


def test_without_whole_counts_values_are_not_adjusted():
    memberships = np.random.default_rng(0).dirichlet([0.3, 0.3, 0.3], size=80)
    weights = np.full(80, 0.5)
    labels = memberships.argmax(axis=1)
    for labels_true, labels_pred, keywords in (
        (labels, memberships, {}),
        (labels, labels, {"sample_weight": weights}),
    ):
        decomposition = scc.cluster_decomposition(labels_true, labels_pred, **keywords)
        for side in (decomposition.true, decomposition.pred):
            assert not side.is_adjusted
            assert np.isnan(side.expected).all()
            assert np.isnan(side.adjusted).all()
            assert side.summary.n_high == (side.values >= 0.95).sum()
            assert side.summary.quantiles[0] == side.values.min()
        assert "adjusted" not in repr(decomposition)
        report = scc.clustering_comparison_report(labels_true, labels_pred, **keywords)
        assert "\nAgreement: at least 0.95 for" in report
        assert [one["adjusted"] for one in report.to_dict()["true"]["clusters"]] == [None] * 3


def test_more_objects_than_exact_means_take():
    side = ClusterDecomposition(scc.ContingencyTable.from_counts([[2**60, 1], [1, 2**60]])).true
    assert not side.is_adjusted
    assert np.isnan(side.adjusted).all()


# ------------------------------------------------------------------- high and poor values


def test_high_and_poor_values_are_counted():
    rng = np.random.default_rng(0)
    labels_true = rng.integers(30, size=600)
    labels_pred = np.where(rng.random(600) < 0.8, labels_true, rng.integers(30, size=600))
    labels_pred[labels_true < 3] = labels_true[labels_true < 3]
    labels_pred[labels_true > 25] = 40
    decomposition = scc.cluster_decomposition(labels_true, labels_pred)
    report = scc.clustering_comparison_report(labels_true, labels_pred)
    for side in (decomposition.true, decomposition.pred):
        summary = side.summary
        assert 0 < summary.n_high == (side.adjusted >= 0.95).sum() < 30
        assert 0 < summary.n_poor == (side.adjusted <= 0.5).sum() < 30
        told = f"at least 0.95 for {summary.n_high} of {len(side.sizes)}, "
        told += f"at most 0.5 for {summary.n_poor};"
        assert told in " ".join(report.split())
        data = report.to_dict()[side.side]
        assert [data[name] for name in ("high", "poor", "n_high", "n_poor")] == [
            0.95, 0.5, summary.n_high, summary.n_poor,
        ]  # fmt: skip
    # Limits count themselves: equal partitions have 1, one cluster against two has exactly 0.
    assert scc.cluster_decomposition(list("aabb"), list("aabb")).true.summary.n_high == 2
    assert scc.cluster_decomposition(list("aaaa"), list("aabb")).true.summary.n_poor == 1


# ------------------------------------------------------------------- what is computed, and when


def test_means_are_computed_when_asked_for_and_once_for_both_sides(monkeypatch):
    asked = []

    class Counted(PermutationModel):
        def expected_cluster_information(self, q=1.0):
            asked.append("mutual_info")
            return super().expected_cluster_information(q)

        def expected_cluster_conditional_entropy(self, q=1.0):
            asked.append("lost")
            return super().expected_cluster_conditional_entropy(q)

    monkeypatch.setattr(
        _cluster_values,
        "permutation_model",
        lambda table: Counted(table.row_sums, table.col_sums),
    )
    decomposition = scc.cluster_decomposition(list("aabbc"), [0, 1, 1, 1, 2])
    for side in (decomposition.true, decomposition.pred):
        assert len(side.values) == len(side.weights) == len(side.verdict) == 3
    decomposition.normalized_mutual_info()
    decomposition.adjusted_rand()
    assert asked == []
    assert len(decomposition.to_frame()) == 6
    repr(decomposition)
    assert sorted(asked) == ["lost", "mutual_info"]


def test_names_and_order_of_clusters_change_no_bit():
    rng = np.random.default_rng(0)
    labels_true, labels_pred = rng.integers(9, size=90), rng.integers(7, size=90)
    names = rng.permutation(9)
    for q in (1, 2.5):
        side, other = sides(labels_true, labels_pred, q=q)
        renamed, _ = sides(names[labels_true], labels_pred, q=q)
        back, there = sides(labels_pred, labels_true, q=q)
        for name in ("expected", "adjusted"):
            values = getattr(side, name)
            assert getattr(renamed, name)[names].tolist() == values.tolist()
            assert getattr(there, name).tolist() == values.tolist()
            assert getattr(back, name).tolist() == getattr(other, name).tolist()
