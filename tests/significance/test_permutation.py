"""Tests of independence against all permutations of small partitions."""

import math
from functools import partial

import numpy as np
import pytest
from scipy.special import gammaln

from sklearn_clustcompare import (
    ContingencyTable,
    chance_adjusted_score,
    get_index,
    permutation_test,
    standardized_mutual_info_score,
)
from sklearn_clustcompare._chance import null_distribution
from sklearn_clustcompare.significance import PermutationModel, independence_test
from tests import _oracles as oracles
from tests._examples import slow
from tests._laws import (
    LAWS,
    MARGINS,
    TRIVIAL_IDENTICAL_MARGINS,
    TRIVIAL_MARGINS,
    labels_of,
    labels_of_table,
    noisy_copy,
)
from tests._memberships import ENUMERATED, of_tables

ORDERS = [0.5, 1, 2, 2.5]


# --------------------------------------------------------------------------- independence


@pytest.mark.parametrize("q", [slow(0.5), slow(1), 2])
@pytest.mark.parametrize("margins", MARGINS[:2], ids=str)
@pytest.mark.parametrize("n_resamples", [50, slow(500)])
def test_independence_by_enumeration(margins, q, n_resamples):
    tables = LAWS[margins]
    values = np.array([float(oracles.Information(counts, q).mutual) for counts, _ in tables])
    shares = np.array([share for _, share in tables])
    for counts in (tables[0][0], tables[len(tables) // 2][0]):
        labels = labels_of_table(counts)
        statistic = float(oracles.Information(counts, q).mutual)
        exact = shares[values >= statistic - 1e-9].sum()
        drawn = independence_test(
            *labels, q=q, method="monte_carlo", n_resamples=n_resamples, random_state=1
        )
        error = math.sqrt(exact * (1 - exact) / n_resamples)
        assert abs(drawn.pvalue - exact) <= 5 * error + 2 / n_resamples
        assert 0 < drawn.pvalue <= 1
        bound = independence_test(*labels, q=q, method="cantelli")
        assert bound.pvalue >= exact - 1e-12
        for result in (drawn, bound, independence_test(*labels, q=q)):
            assert result.statistic == pytest.approx(statistic, rel=1e-12, abs=1e-14)
        assert bound.method == "cantelli"
        assert drawn.method == "monte_carlo"


@pytest.mark.parametrize("q", ORDERS)
def test_independence_reports_the_moments_of_the_model(q):
    labels = labels_of((20, 15, 5)), noisy_copy(labels_of((20, 15, 5)), 4, 0.7, 0)
    table = ContingencyTable.from_labels(*labels)
    model = PermutationModel(table.row_sums, table.col_sums)
    result = independence_test(*labels, q=q, method="cantelli")
    assert result.method == "cantelli"
    assert result.statistic == get_index("mutual_info_score")(table, q=q)
    assert result.mean == model.expected_mutual_info(q)
    assert result.standard_deviation == math.sqrt(model.mutual_info_variance(q))
    assert result.standardized == standardized_mutual_info_score(*labels, q=q)
    assert result.standardized == pytest.approx(
        (result.statistic - result.mean) / result.standard_deviation, rel=1e-10
    )
    weighted = independence_test(*labels, q=q, method="cantelli", sample_weight=np.ones(40))
    assert weighted == result


@pytest.mark.slow
@pytest.mark.parametrize("q", [1, 2])
@pytest.mark.parametrize(
    "margins",
    [
        ([100] * 5, [100] * 5),
        ([150, 120, 100, 80, 50], [200, 100, 80, 70, 50]),
        ([250, 100, 60, 50, 40], [220, 120, 70, 50, 40]),
    ],
    ids=["balanced", "uneven", "skewed"],
)
def test_law_with_four_moments_is_close_to_monte_carlo(margins, q):
    drawn = PermutationModel(*margins).rvs(size=20_000, random_state=0) / 500.0
    if q == 1:
        values = (drawn * np.log(np.where(drawn > 0, drawn, 1.0))).sum(axis=(1, 2))
    else:
        values = (drawn**2).sum(axis=(1, 2))
    order = np.argsort(values)
    for pvalue in (0.01, 0.05, 0.2, 0.5, 0.8, 0.95):
        position = order[int((1 - pvalue) * len(values))]
        labels = labels_of_table((drawn[position] * 500).round().astype(int))
        simulated = np.mean(values >= values[position] - 1e-12)
        test = independence_test(*labels, q=q)
        assert test.method == "moments"
        error = math.sqrt(simulated * (1 - simulated) / 20_000)
        assert test.pvalue == pytest.approx(simulated, abs=4 * error + 0.04 * simulated)


@pytest.mark.parametrize("method", ["cantelli", "monte_carlo"])
@pytest.mark.parametrize("margins", [*TRIVIAL_MARGINS, *TRIVIAL_IDENTICAL_MARGINS], ids=str)
def test_independence_without_variance(method, margins):
    labels = [labels_of(sizes) for sizes in margins]
    result = independence_test(*labels, method=method, n_resamples=20, random_state=0)
    assert result.pvalue == 1.0
    assert result.standardized == result.standard_deviation == 0.0
    assert result.mean == pytest.approx(result.statistic, abs=1e-15)


@pytest.mark.parametrize("method", ["cantelli", "monte_carlo"])
def test_independence_of_no_objects(method):
    result = independence_test([], [], method=method, n_resamples=20, random_state=0)
    assert (result.statistic, result.pvalue) == (0.0, 1.0)


@pytest.mark.parametrize("q", [4.0, 5.5, 8.0])
def test_agreement_is_significant_at_any_order(q):
    truth = np.arange(2000) // 4
    found = np.roll(truth, 2)
    drawn = independence_test(
        truth, found, q=q, method="monte_carlo", random_state=0, n_resamples=99
    )
    assert drawn.pvalue == 0.01


# --------------------------------------------------------------------------- memberships


@pytest.mark.slow
def test_independence_test_of_memberships_permutes_the_objects():
    u, v = ENUMERATED["soft"]
    values = np.array(of_tables("mutual_info_score", u, v))
    result = independence_test(u, v, method="monte_carlo", n_resamples=1000, random_state=0)
    assert result.statistic == pytest.approx(values[0], rel=1e-12)
    share = np.mean(values >= values[0] * (1 - 1e-9))
    assert abs(result.pvalue - share) < 4 * math.sqrt(share * (1 - share) / 1000) + 1 / 1000
    assert abs(result.mean - values.mean()) < 4 * values.std() / math.sqrt(1000)
    assert result.standard_deviation == pytest.approx(values.std(), rel=0.1)
    with pytest.raises(ValueError, match="monte_carlo"):
        independence_test(u, v, method="cantelli")


# --------------------------------------------------------------------------- blocks


BATCHES = np.repeat(range(4), 50)


def in_batches(seed, share=0.6):
    rng = np.random.default_rng(seed)
    return [np.where(rng.random(200) < share, BATCHES, rng.integers(4, size=200)) for _ in range(2)]


@pytest.mark.slow
def test_agreement_by_batches_is_chance_within_them():
    free = [
        permutation_test(*in_batches(seed), index="adjusted_rand_score", n_resamples=199).pvalue
        for seed in range(8)
    ]
    within = [
        permutation_test(
            *in_batches(seed), index="adjusted_rand_score", blocks=BATCHES, n_resamples=199
        ).pvalue
        for seed in range(8)
    ]
    assert max(free) <= 1 / 200
    assert np.mean(np.array(within) > 0.05) > 0.7


def test_moments_within_blocks_are_those_of_draws():
    labels = in_batches(0)
    test = permutation_test(
        *labels, index="rand_score", blocks=BATCHES, method="monte_carlo", n_resamples=400
    )
    draws = test.null_distribution
    assert test.has_exact_moments
    assert abs(draws.mean() - test.mean) < 4 * test.standard_deviation / math.sqrt(400)
    assert draws.std() == pytest.approx(test.standard_deviation, rel=0.15)
    adjusted = chance_adjusted_score(*labels, index="rand_score", blocks=BATCHES)
    assert (adjusted.method, adjusted.expected) == ("exact", test.mean)


def test_one_block_is_no_block():
    labels = in_batches(1, 0.2)
    free = permutation_test(*labels, index="adjusted_rand_score")
    one = permutation_test(*labels, index="adjusted_rand_score", blocks=["all"] * 200)
    assert one.mean == pytest.approx(free.mean, abs=1e-12)
    assert one.standard_deviation == pytest.approx(free.standard_deviation, rel=1e-10)


def test_blocks_of_single_objects_leave_nothing_to_permute():
    labels = in_batches(2)
    test = permutation_test(*labels, index="rand_score", blocks=np.arange(200))
    assert (test.pvalue, test.standard_deviation, test.mean) == (1.0, 0.0, test.statistic)


# --------------------------------------------------------------------------- by default


@pytest.mark.slow
def test_few_draws_are_enough_without_agreement():
    rng = np.random.default_rng(0)
    used = []
    for seed in range(40):
        labels = rng.integers(3, size=(2, 60))
        test = permutation_test(*labels, index="purity_score", random_state=seed)
        used.append(len(test.null_distribution))
        n_extreme = (test.null_distribution >= test.statistic - 1e-9).sum()
        assert n_extreme >= 20
        assert test.pvalue * used[-1] >= 20 - 1e-9 or used[-1] % 20 == 0
    assert np.mean(used) < 250


@pytest.mark.slow
def test_sequential_draws_do_not_depend_on_how_many_are_ahead():
    labels = noisy_copy(labels_of((20, 15, 5)), 4, 0.2, 0), labels_of((20, 15, 5))
    few, many = (permutation_test(*labels, index="purity_score", n_resamples=n) for n in (200, 999))
    np.testing.assert_array_equal(few.null_distribution[:100], many.null_distribution[:100])


def test_counts_of_fillings_that_would_not_fit_into_memory():
    counts = np.array([[1226105, 0], [7671446, 0], [63766, 189472]])
    table = ContingencyTable.from_counts(counts)
    with pytest.raises(ValueError, match="got 'exact': its tables are too many"):
        permutation_test(table, index="split_count", method="exact")


def test_constant_sums_have_no_shape():
    table = ContingencyTable.from_counts(np.diag([1298, 1348]))
    found = permutation_test(table, index="split_count", method="moments")
    assert found.pvalue <= 1
    assert found.skewness is None


def test_two_sides_need_the_other_tail_only_if_it_may_be_smaller():
    rng = np.random.default_rng(0)
    first = rng.integers(6, size=500)
    second = np.where(rng.random(500) < 0.2, first, rng.integers(6, size=500))
    found = {
        alternative: permutation_test(
            first, second, index="adjusted_rand_score", alternative=alternative, n_resamples=19
        )
        for alternative in ("greater", "less", "two-sided")
    }
    # The law does not hold in the lower tail, which at least 1 - 1e-9 of the tables are in.
    assert [one.method for one in found.values()] == ["moments", "monte_carlo", "moments"]
    assert found["two-sided"].pvalue == 2 * found["greater"].pvalue < 1e-9
    assert found["less"].pvalue > 0.9


def test_bound_replaces_draws_that_would_show_less():
    pairs = np.arange(4000) // 2
    test = independence_test(pairs, pairs)
    assert (test.method, test.is_upper_bound) == ("cantelli", True)
    assert test.pvalue < 1e-4
    assert test.null_distribution is None


@pytest.mark.parametrize(("most_objects", "n_drawn"), [(30_240, 120), (30_239, 119)])
def test_auto_draws_fewer_tables_where_each_permutes_many_objects(
    most_objects, n_drawn, monkeypatch
):
    """By default the objects permuted are limited; all tables that are asked for are drawn."""
    monkeypatch.setattr(null_distribution, "_MOST_PERMUTED_IN_ALL", most_objects)
    monkeypatch.setattr("sklearn_clustcompare._chance.draws._MAX_DRAWN_CELLS", 2**4)
    labels = np.arange(252) % 6
    test = partial(permutation_test, labels, labels, index="purity_score", n_resamples=120)
    for method, expected in [("auto", n_drawn), ("monte_carlo", 120)]:
        found = test(method=method)
        assert len(found.null_distribution) == expected
        assert found.pvalue == 1 / (1 + expected)
        assert (f"at most {expected} random tables" in found.reason) is (expected < 120)
    # Tables of few cells are drawn whole.
    monkeypatch.setattr("sklearn_clustcompare._chance.draws._MAX_DRAWN_CELLS", 2**16)
    assert len(test().null_distribution) == 120


def test_no_fewer_than_99_tables_are_drawn(monkeypatch):
    monkeypatch.setattr(null_distribution, "_MOST_PERMUTED_IN_ALL", 1)
    monkeypatch.setattr("sklearn_clustcompare._chance.draws._MAX_DRAWN_CELLS", 2**4)
    labels = np.arange(60) % 6
    found = permutation_test(labels, labels, index="purity_score")
    assert found.pvalue == 0.01


def test_the_logarithm_goes_on_below_the_smallest_number():
    sides = np.repeat([0, 1], 3000), np.repeat([0, 1], 3000)
    small = permutation_test(*sides, index="adjusted_rand_score")
    assert 0 < small.pvalue < 1e-300
    # Two of C(6000, 3000) tables.
    expected = (np.log(2) - gammaln(6001) + 2 * gammaln(3001)) / np.log(10)
    assert small.log10_pvalue == pytest.approx(expected, rel=1e-6)
    large = permutation_test([0, 0, 1, 1], [0, 1, 0, 1], index="rand_score")
    assert large.log10_pvalue == pytest.approx(np.log10(large.pvalue))
    assert (large.method, large.relative_error) == ("exact", 0.0)


@pytest.mark.slow
@pytest.mark.parametrize("method", ["auto", "monte_carlo"])
def test_the_error_of_random_partitions_is_that_between_seeds(method):
    rng = np.random.default_rng(0)
    truth, found = rng.integers(4, size=(2, 60))
    found = np.where(rng.random(60) < 0.15, truth, found)
    tests = [
        permutation_test(
            truth, found, index="purity_score", method=method, n_resamples=400, random_state=seed
        )
        for seed in range(40)
    ]
    pvalues = np.array([one.pvalue for one in tests])
    errors = np.mean([one.relative_error for one in tests])
    assert pvalues.std() / pvalues.mean() == pytest.approx(errors, rel=0.4)
    assert " +- " in repr(tests[0])


# --------------------------------------------------------------------------- bounds and totals


def test_the_bound_by_the_fourth_moment_is_taken_before_draws():
    rng = np.random.default_rng(0)
    truth = rng.integers(2500, size=5000)
    found = np.where(rng.random(5000) < 0.1, truth, rng.integers(2500, size=5000))
    test = permutation_test(truth, found, index="adjusted_rand_score")
    z = test.standardized
    # The excess of the fourth moment is that of many rare pairs: it is small.
    assert (test.method, test.is_upper_bound) == ("cantelli", True)
    assert 3 / z**4 < test.pvalue < 4 / z**4 < 1 / (1 + z**2)


def test_tables_of_the_package_are_not_taken_for_totals():
    # The last row and column of one of all tables are the sums of the others.
    labels = [0, 0, 1, 1, 2, 2, 3, 3, 3, 3, 3, 3]
    test = permutation_test(labels, labels, index="purity_score", method="exact")
    assert test.pvalue == pytest.approx(6 * 8 * math.factorial(6) / math.factorial(12))
    assert chance_adjusted_score(labels, labels, index="purity_score", method="limit") == 1.0
