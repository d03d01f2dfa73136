"""The interval of a difference excludes 0 if and only if the test finds the difference."""

import numpy as np
import pytest
from scipy.stats import binom

from sklearn_clustcompare import (
    ContingencyTable,
    Index,
    assert_clustering,
    get_index,
    list_indices,
    paired_comparison_test,
    score_candidates,
    score_interval,
)
from sklearn_clustcompare.checks import ClusteringBaseline
from sklearn_clustcompare.indices._chosen import Chosen
from sklearn_clustcompare.significance import _leave_one_out as leave_one_out
from sklearn_clustcompare.significance._ends import Leads
from sklearn_clustcompare.significance._joint_cells import joint_cells
from sklearn_clustcompare.significance._resampling import without_parts
from tests._examples import COSTLY_INDICES, slow

pytestmark = [
    pytest.mark.filterwarnings("ignore:.*is not adjusted for chance"),
    pytest.mark.filterwarnings("ignore:.*may not hold"),
]

OWN = Index(
    "own_purity",
    get_index("purity_score").function,
    greater_is_better=True,
    symmetric=False,
    range=(0.0, 1.0),
    source="none",
)
# Shares of objects that are moved to a cluster drawn at random.
EQUAL, CLOSE, APART, FAR = (0.1, 0.1), (0.1, 0.13), (0.1, 0.2), (0.1, 0.6)
# A value of it takes a second at 300 clusters.
OF_LAWS = "pvalue_adjusted_mutual_info_score"
FAST = [
    "adjusted_rand_score",
    "purity_score",
    "matching_accuracy_score",
    "van_dongen_distance",
    "split_count",
    OWN,
]


def zipf(rng, n, k):
    shares = 1 / np.arange(1, k + 1)
    return rng.choice(k, n, p=shares / shares.sum())


def examples(n, k, moved, seed=0):
    """Return a reference of clusters of Zipf sizes, and two copies with objects moved."""
    rng = np.random.default_rng(seed)
    true = zipf(rng, n, k)
    copies = [np.where(rng.random(n) < share, zipf(rng, n, k), true) for share in moved]
    return true, *copies


def assert_agrees(test):
    low, high = test.interval
    assert low < high
    assert low <= test.difference <= high
    assert (low > 0 or high < 0) == (test.pvalue < 0.05)
    assert ("not distinguishable" in repr(test)) == (test.pvalue >= 0.05)
    return test


@pytest.mark.parametrize("index", FAST)
@pytest.mark.parametrize(("k", "moved"), [(12, CLOSE), (60, EQUAL), (60, FAR), (300, APART)])
def test_interval_and_test_agree(index, k, moved):
    labels = examples(1000, k, moved)
    test = assert_agrees(paired_comparison_test(*labels, index=index, n_resamples=20))
    if moved == FAR:
        assert test.pvalue < 1e-6


@pytest.mark.slow
@pytest.mark.parametrize("index", [*list_indices(), OWN])
@pytest.mark.parametrize("n", [1000, 20_000])
@pytest.mark.parametrize("k", [12, 60, 300])
@pytest.mark.parametrize("moved", [EQUAL, CLOSE, APART, FAR])
def test_interval_and_test_of_all_indices_agree(index, n, k, moved):
    if index == OF_LAWS and k > 12:
        pytest.skip("a value takes seconds")
    if index is not OWN and index in COSTLY_INDICES and n > 1000 and moved not in (EQUAL, FAR):
        pytest.skip("takes long")
    labels = examples(n, k, moved, seed=k)
    assert_agrees(paired_comparison_test(*labels, index=index, n_resamples=20))


def laws(rng, n):
    """Return random differences, in all regimes: many errors to none, few degrees of freedom."""
    gains = rng.exponential(size=(n, 2)) * rng.choice([0.0, 1.0], (n, 2), p=[0.2, 0.8])
    gains[:, 0] += gains.sum(axis=1) == 0
    variances = gains**2 * 10 ** rng.uniform(-3, 0.5, (n, 2))
    errors = np.sqrt(variances.sum(axis=1)) * rng.choice([0.0, 1.0], n, p=[0.1, 0.9])
    variances[errors == 0] = 0
    df, effects = 10 ** rng.uniform(0, 4, n), 10 ** rng.uniform(-3, 0, n)
    return np.column_stack([gains[:, 0] - gains[:, 1], errors, df, effects, gains, variances])


@pytest.mark.parametrize(
    ("tail", "n_laws"), [(0.025, 60), slow(0.025, 5000), slow(0.0005, 5000), slow(0.075, 5000)]
)
def test_the_pvalue_is_the_level_at_which_the_interval_ends_at_zero(tail, n_laws):
    found = Leads.of(laws(np.random.default_rng(0), n_laws))
    low, high = found.intervals(tail).T
    pvalues = found.pvalues()
    assert np.isfinite(pvalues).all()
    is_far = abs(pvalues / (2 * tail) - 1) > 1e-5  # of the search for the tail
    np.testing.assert_array_equal(((low > 0) | (high < 0))[is_far], (pvalues < 2 * tail)[is_far])


def test_what_is_not_known_has_no_pvalue():
    rows = np.full((4, 8), np.nan)
    rows[1:] = laws(np.random.default_rng(1), 3)
    rows[1, 4:], rows[2, 1] = np.nan, np.nan  # gains, and the error
    found = Leads.of(rows)
    assert np.isnan(found.pvalues()).tolist() == [True, True, True, False]
    assert np.isnan(found.intervals(0.025)).all(axis=1).tolist() == [True, True, True, False]


# --------------------------------------------------------------------------- both sides of a limit


def on_both_sides(monkeypatch, call):
    """Return a result with all cells left out one by one, and with parts left out."""
    monkeypatch.setattr(leave_one_out, "MOST_VALUES", 10**4)
    each = call()
    monkeypatch.undo()
    return each, call()


@pytest.mark.parametrize("index", ["purity_score", slow("maximum_match_score"), slow(OWN)])
@pytest.mark.parametrize("moved", [(0.05, 0.05), slow((0.05, 0.08))])
def test_parts_of_the_objects_show_what_single_cells_show(monkeypatch, index, moved):
    labels = examples(600, 50, moved, seed=3)
    each, parts = on_both_sides(
        monkeypatch, lambda: paired_comparison_test(*labels, index=index, n_resamples=50)
    )
    assert each.standard_error == pytest.approx(parts.standard_error, rel=0.1)
    width = each.interval[1] - each.interval[0]
    assert parts.interval == pytest.approx(each.interval, abs=0.05 * width)
    assert np.log(parts.pvalue) == pytest.approx(np.log(each.pvalue), abs=0.1)


@pytest.mark.parametrize("n_moved", [1, 4, slow(12)])
def test_few_errors_are_seen_one_by_one_or_in_parts(monkeypatch, n_moved):
    truth = np.repeat(np.arange(300), 10)
    other = truth.copy()
    moved = np.random.default_rng(0).choice(3000, n_moved, replace=False)
    other[moved] = (other[moved] + 1) % 300
    each, parts = on_both_sides(
        monkeypatch,
        lambda: paired_comparison_test(truth, truth, other, index="purity_score", n_resamples=50),
    )
    assert parts.interval == pytest.approx(each.interval, abs=0.05 * (3 * n_moved / 3000))
    assert parts.pvalue == pytest.approx(each.pvalue, rel=0.1)


@pytest.mark.parametrize("index", ["purity_score", OWN, "misclassification_distance"])
def test_perfect_scores_of_256_and_257_clusters_have_nearly_the_same_interval(index):
    few, many = (
        score_interval(labels, labels, index=index, n_resamples=20)
        for labels in (np.repeat(np.arange(k), 10) for k in (256, 257))
    )
    low, high = few.interval
    assert high - low == pytest.approx(3 / 2560, rel=0.01)
    assert many.interval == pytest.approx((low, high), abs=2e-5)


def test_noise_of_many_singletons_is_compared():
    truth = np.arange(900) % 3
    noise = np.where(np.arange(900) < 300, -1, truth)
    other = np.where(np.arange(900) % 5 < 3, 0, noise)
    test = paired_comparison_test(
        truth, noise, other, index="purity_score", noise="singletons", n_resamples=20
    )
    assert assert_agrees(test).pvalue < 1e-6


@pytest.mark.parametrize("n", [300, 513, slow(1000)])
def test_parts_are_disjoint_and_of_equal_size(n):
    side = np.arange(n) % 300
    cells = joint_cells((side, side), ("labels_true", "labels_pred"))
    left_out = []

    def seen(table):
        left_out.append(n - table.n_samples)
        return float(table.n_samples)

    index = Index(
        "seen", seen, greater_is_better=True, symmetric=True, range=(0.0, 1.0), source="none"
    )
    found = without_parts(cells, (Chosen("seen", index, {}),), 256, None)
    size = -(-n // 256)
    assert found.shape == (n // size, 1, 1)
    assert set(left_out[-len(found) :]) == {size}


def test_parts_are_drawn_without_order():
    labels = examples(1000, 40, APART)
    order = np.random.default_rng(0).permutation(1000)
    first, other = (
        paired_comparison_test(*(side[rows] for side in labels), index=OWN, n_resamples=50)
        for rows in (slice(None), order)
    )
    assert first.interval == pytest.approx(other.interval, rel=1e-9)


# --------------------------------------------------------------------------- where they are used


def test_candidates_of_which_one_is_large_are_compared_as_in_pairs():
    true, good, bad = examples(2000, 40, (0.05, 0.5))
    candidates = {"good": good, "bad": bad, "large": np.arange(2000)}
    scores = score_candidates(
        true, candidates, indices="purity_score", confidence_level=0.95, n_resamples=20
    )
    found = scores.compare()
    pvalues = dict(zip(found.pairs, found.pvalues.tolist(), strict=True))
    assert max(pvalues.values()) < 1e-6
    for low, high in found.intervals:
        assert low > 0 or high < 0


def test_a_baseline_of_many_cells_fails(tmp_path):
    true, good, bad = examples(1000, 40, (0.05, 0.5))
    baseline = ClusteringBaseline(tmp_path / "baseline.json")
    baseline.accept("many", true, good, index="purity_score")
    with pytest.raises(AssertionError, match="worse by"):
        baseline.check("many", true, bad, index="purity_score")


def test_a_limit_that_few_objects_cannot_show_is_not_kept():
    labels = np.repeat(np.arange(300), 4)
    assert_clustering(labels, labels, confidence_level=0.95, purity_score=0.99)
    with pytest.raises(AssertionError, match=r"purity_score must be at least 0\.99995"):
        assert_clustering(labels, labels, confidence_level=0.95, purity_score=0.99995)


# --------------------------------------------------------------------------- what is possible


@pytest.mark.parametrize(
    "index", ["normalized_mutual_info_score", "adjusted_rand_score", "purity_score"]
)
@pytest.mark.parametrize("n", [4, 6, 12])
def test_differences_and_intervals_stay_in_what_is_possible(index, n):
    record = get_index(index)
    low, high = record.range
    truth = np.arange(n) % 2
    for other in (np.zeros(n), np.arange(n) // 2, np.arange(n)):
        test = paired_comparison_test(truth, truth, other, index=index, n_resamples=20)
        assert low - high <= test.interval[0] <= test.difference <= test.interval[1] <= high - low
        ends = score_interval(truth, other, index=index, n_resamples=20).interval
        assert low <= ends[0] <= ends[1] <= high


def test_ends_of_a_count_are_whole():
    true, other, _ = examples(200, 5, CLOSE)
    for name in ("split_count", "merge_count", "merge_distance"):
        result = score_interval(true, other, index=name)
        assert result.interval[0] <= result.score <= result.interval[1]
        assert all(end == round(end) for end in result.interval)


def test_a_best_value_near_a_threshold_has_a_width():
    # Four clusters of 100 of which 52 objects are kept: half of them suffice.
    true = np.repeat(np.arange(4), 100)
    found = np.where(np.arange(400) % 100 < 48, true + 4, true)
    result = score_interval(true, found, index="cluster_recall_score", threshold=0.5)
    assert result.score == 1
    assert result.standard_error > 0.1
    # Each cluster keeps half of its objects in this share of samples of 100.
    share = binom(100, 0.52).sf(49)
    assert 0.5 < share < 0.75
    assert result.interval[0] < 0.8
    assert result.interval[1] == 1


def test_ends_of_an_index_of_tables_are_those_of_its_cells():
    counts = np.array([[30, 5], [4, 40]])
    table = ContingencyTable.from_counts(counts)
    true, pred = (np.repeat(side, counts.ravel()) for side in ([0, 0, 1, 1], [0, 1, 0, 1]))
    for index in ("adjusted_rand_score", "purity_score"):
        assert score_interval(table, index=index) == score_interval(true, pred, index=index)
