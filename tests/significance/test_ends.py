"""The interval of a difference excludes 0 if and only if the test finds the difference."""

import math

import numpy as np
import pytest
from scipy.stats import binom, ncx2

from sklearn_clustcompare import (
    ContingencyTable,
    assert_clustering,
    get_index,
    list_indices,
    paired_comparison_test,
    score_candidates,
    score_interval,
)
from sklearn_clustcompare.checks import ClusteringBaseline, assert_not_worse
from sklearn_clustcompare.indices import Index
from sklearn_clustcompare.significance import noninferiority_test
from sklearn_clustcompare.significance._ends import Estimates, _ratio
from tests._examples import COSTLY_INDICES

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
    assert low <= test.difference - test.bias <= high
    assert (low > 0 or high < 0) == (test.pvalue < 0.05)
    assert ("not distinguishable" in repr(test)) == (test.pvalue >= 0.05)
    return test


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


def estimates(rng, n):
    """Return random differences, in all regimes: many errors to none, few degrees of freedom."""
    values = rng.normal(size=n) * 10 ** rng.uniform(-3, 0.5, n)
    variances = 10 ** rng.uniform(-6, 0.5, n) * rng.choice([0.0, 1.0], n, p=[0.1, 0.9])
    return Estimates(values, variances, 10 ** rng.uniform(0, 4, n), 10 ** rng.uniform(-3, 0, n))


@pytest.mark.parametrize("tail", [0.025, 0.0005, 0.075, 0.4])
def test_the_pvalue_is_the_level_at_which_the_interval_ends_at_zero(tail):
    found = estimates(np.random.default_rng(0), 5000)
    low, high = found.intervals(tail).T
    pvalues = found.pvalues()
    assert ((low <= found.values) & (found.values <= high)).all()
    assert ((pvalues > 0) & (pvalues <= 1)).all()
    is_far = abs(pvalues / (2 * tail) - 1) > 1e-9
    np.testing.assert_array_equal(((low > 0) | (high < 0))[is_far], (pvalues < 2 * tail)[is_far])


@pytest.mark.parametrize("sign", [-1, 1])
@pytest.mark.parametrize("df", [1, 2, 5, 20])
@pytest.mark.parametrize("noncentrality", [0.0, 1.0, 4.0, 15.0, 60.0])
def test_ends_of_a_noncentral_chi_squared_number_hold(noncentrality, df, sign):
    """Its estimated variance is four times the number itself: small where it is small by chance."""
    number, n = ncx2(df, noncentrality), 20_000
    drawn = number.rvs(n, random_state=0)
    values = sign * (drawn - df)
    found = Estimates(values, 4 * drawn, np.full(n, 1e9), np.full(n, 1e-9))
    ends = found.intervals_below(1e6, 0.0, np.full(n, 2.0 * sign), 0.025, 0.025)
    covered = (ends[:, 0] <= sign * noncentrality) & (sign * noncentrality <= ends[:, 1])
    assert covered.mean() > 0.95 - 2 * math.sqrt(0.95 * 0.05 / n)
    assert (ends[:, 1] - ends[:, 0]).mean() < 1.65 * 3.92 * number.std()


def test_what_is_not_known_has_no_pvalue():
    found = estimates(np.random.default_rng(1), 3)
    found.values[0], found.variances[1] = np.nan, np.nan
    assert np.isnan(found.pvalues()).tolist() == [True, True, False]
    assert np.isnan(found.intervals(0.025)).all(axis=1).tolist() == [True, True, False]


@pytest.mark.parametrize("index", ["adjusted_rand_score", "split_count", "v_measure_score"])
@pytest.mark.parametrize("seed", range(4))
def test_what_is_not_worse_has_a_lower_end_above_the_margin(index, seed):
    true, first, other = examples(400, 4, CLOSE, seed)
    options = {"index": index}
    low, _ = paired_comparison_test(true, first, other, confidence_level=0.9, **options).interval
    for margin in (max(-low, 0.0) * 0.99, max(-low, 0.0) * 1.01, 0.3):
        test = noninferiority_test(true, first, other, margin=margin, **options)
        assert (test.pvalue < 0.05) == (low > -margin)
        assert ("is not worse" in repr(test)) == (test.pvalue < 0.05)
        assert test.interval[0] == low


def test_a_clustering_must_be_shown_to_be_not_worse():
    true, accepted, worse = examples(800, 4, APART)
    assert_not_worse(true, accepted, accepted, index="ari")
    with pytest.raises(AssertionError, match=r"at most 0\.02 worse by adjusted_rand_score .* p = "):
        assert_not_worse(true, worse, accepted, index="ari")
    few = slice(30)  # too few to show it
    with pytest.raises(AssertionError, match="which was not shown"):
        assert_not_worse(true[few], accepted[few], accepted[few], index="ari")
    with pytest.raises(ValueError, match="^tolerance must be a non-negative"):
        assert_not_worse(true, worse, accepted, index="ari", tolerance=-1)


def test_a_low_level_claims_nothing():
    true, first, other = examples(300, 3, CLOSE)
    test = paired_comparison_test(true, first, other, index="ari", confidence_level=0.05)
    assert test.pvalue > 0.05
    assert "not distinguishable" in repr(test)


# --------------------------------------------------------------------------- both sides of a limit


@pytest.mark.parametrize("index", ["purity_score", OWN, "misclassification_distance"])
def test_perfect_scores_of_256_and_257_clusters_have_nearly_the_same_interval(index):
    few, many = (
        score_interval(labels, labels, index=index, n_resamples=20)
        for labels in (np.repeat(np.arange(k), 10) for k in (256, 257))
    )
    low, high = few.interval
    assert high - low == pytest.approx(3 / 2560, rel=0.01)
    assert many.interval == pytest.approx((low, high), abs=2e-5)


def test_quotients_are_infinite_where_only_the_denominator_is_0():
    above, below = np.array([1.0, 0.0, 0.0, 6.0]), np.array([0.0, 0.0, 2.0, 3.0])
    assert _ratio(above, below).tolist() == [np.inf, 0.0, 0.0, 2.0]


def test_noise_of_many_singletons_is_compared():
    truth = np.arange(900) % 3
    noise = np.where(np.arange(900) < 300, -1, truth)
    other = np.where(np.arange(900) % 5 < 3, 0, noise)
    test = paired_comparison_test(
        truth, noise, other, index="purity_score", noise="singletons", n_resamples=20
    )
    assert assert_agrees(test).pvalue < 1e-6


# --------------------------------------------------------------------------- where they are used


def test_candidates_of_which_one_is_large_are_compared_as_in_pairs():
    true, good, bad = examples(2000, 40, (0.05, 0.5))
    candidates = {"good": good, "bad": bad, "large": np.arange(2000)}
    scores = score_candidates(
        true, candidates, indices="purity_score", confidence_level=0.95, n_resamples=40
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
        assert low - high <= test.interval[0] < test.interval[1] <= high - low
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
