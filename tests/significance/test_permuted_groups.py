"""Permutation tests of groups: against all permutations, their size, and what is refused."""

import itertools

import numpy as np
import pytest

from sklearn_clustcompare import (
    ContingencyTable,
    chance_adjusted_score,
    clustering_comparison_report,
    get_index,
    permutation_test,
    score_candidates,
)
from sklearn_clustcompare.significance import independence_test
from tests._examples import slow

ARI = get_index("adjusted_rand_score")


def value_of(truth, found, index=ARI):
    return index(ContingencyTable.from_labels(truth, found))


def share_at_least(truth, found, orders):
    values = np.array([value_of(truth, found[order]) for order in orders])
    return np.mean(values >= value_of(truth, found) - 1e-12)


def unequal(seed, n_groups=6, *, noise=0.3):
    """Return groups of unequal size, labels that are constant in them, and others that vary."""
    rng = np.random.default_rng(seed)
    groups = np.repeat(np.arange(n_groups), rng.integers(1, 6, n_groups))
    of_groups = rng.integers(2, size=n_groups)
    varies = np.where(rng.random(len(groups)) < noise, rng.integers(2, size=len(groups)),
                      of_groups[groups])  # fmt: skip
    return groups, of_groups[groups], varies


@pytest.mark.slow
@pytest.mark.parametrize("constant", ["true", "pred"])
def test_labels_of_groups_are_permuted_over_them(constant):
    groups, of_groups, varies = unequal(1)
    firsts = np.unique(groups, return_index=True)[1]
    orders = [firsts[list(one)][groups] for one in itertools.permutations(range(6))]
    expected = share_at_least(varies, of_groups, orders)
    sides = (of_groups, varies) if constant == "true" else (varies, of_groups)
    test = permutation_test(
        *sides, index="ari", groups=groups, method="monte_carlo", n_resamples=4000
    )
    assert test.method == "monte_carlo"
    assert test.pvalue == pytest.approx(expected, abs=4 * np.sqrt(expected / 4000) + 1e-3)


def test_groups_of_equal_size_are_exchanged_whole():
    rng = np.random.default_rng(2)
    truth, found = rng.integers(2, size=(2, 24))
    found = np.where(rng.random(24) < 0.5, truth, found)
    groups = rng.permutation(np.repeat(np.arange(6), 4))
    members = np.argsort(groups, kind="stable").reshape(6, 4)
    orders = []
    for one in itertools.permutations(range(6)):
        order = np.empty(24, int)
        order[members.ravel()] = members[list(one)].ravel()
        orders.append(order)
    expected = share_at_least(truth, found, orders)
    test = permutation_test(
        truth, found, index=ARI, groups=groups, method="monte_carlo", n_resamples=4000
    )
    assert test.pvalue == pytest.approx(expected, abs=0.03)


def test_single_objects_are_groups():
    rng = np.random.default_rng(3)
    truth, found = rng.integers(3, size=(2, 40))
    each = permutation_test(truth, found, index=ARI, method="monte_carlo", n_resamples=2000)
    test = permutation_test(
        truth, found, index=ARI, groups=np.arange(40), method="monte_carlo", n_resamples=2000
    )
    assert test.pvalue == pytest.approx(each.pvalue, abs=0.05)


def test_weights_stay_with_the_side_that_varies():
    groups, of_groups, varies = unequal(4)
    weights = np.random.default_rng(0).integers(0, 3, len(groups))
    options = {"index": "mutual_info_score", "n_resamples": 999, "method": "monte_carlo"}
    weighed = permutation_test(of_groups, varies, groups=groups, sample_weight=weights, **options)
    sides = (np.repeat(one, weights) for one in (of_groups, varies))
    repeated = permutation_test(*sides, groups=np.repeat(groups, weights), **options)
    assert weighed.statistic == pytest.approx(repeated.statistic)
    assert weighed.pvalue == repeated.pvalue


@pytest.mark.parametrize("name", ["adjusted_rand_score", "mutual_info_score"])
def test_the_jackknife_from_the_definition(name):
    index = get_index(name)
    groups, _, truth = unequal(5, 12)
    _, _, found = unequal(6, 12)
    found = np.resize(found, len(groups))

    def above(kept):
        table = ContingencyTable.from_labels(truth[kept], found[kept])
        return index(table) - permutation_test(table, index=index).mean

    whole = above(np.full(len(groups), True))
    without = np.array([above(groups != one) for one in range(12)])
    corrected = whole - 11 * (without.mean() - whole)
    error = np.sqrt(11 / 12 * np.sum((without - without.mean()) ** 2))
    if name == "mutual_info_score":  # the bias of information has an error as large as itself
        error = np.hypot(error, whole - corrected)
    test = permutation_test(truth, found, index=name, groups=groups)
    assert test.method == "jackknife"
    assert test.standardized == pytest.approx(corrected / error, rel=1e-9)
    assert test.mean == pytest.approx(test.statistic - corrected)
    less = permutation_test(truth, found, index=name, groups=groups, alternative="less")
    assert test.pvalue + less.pvalue == pytest.approx(1)


@pytest.mark.parametrize(
    ("name", "unadjusted"),
    [
        ("adjusted_rand_score", "rand_score"),
        ("adjusted_wallace_score", "rand_score"),
        ("adjusted_mutual_info_score", "mutual_info_score"),
    ],
)
def test_equal_partitions_of_groups_are_as_significant_as_before_adjustment(name, unadjusted):
    groups, _, truth = unequal(5, 12)
    test = permutation_test(truth, truth, index=name, groups=groups)
    assert (test.method, test.statistic, test.mean) == ("jackknife", pytest.approx(1), 0.0)
    before = permutation_test(truth, truth, index=unadjusted, groups=groups)
    assert test.pvalue == before.pvalue < 1e-6


@pytest.mark.parametrize("n_runs", [30, slow(200)])
@pytest.mark.parametrize("design", ["both", "one", "neither", "exchanged"])
def test_unrelated_labels_of_groups_are_rarely_significant(design, n_runs):
    found = 0
    for seed in range(n_runs):
        rng = np.random.default_rng(seed)
        sizes = np.full(20, 6) if design == "exchanged" else rng.integers(2, 12, 20)
        groups = np.repeat(np.arange(20), sizes)
        sides = [rng.integers(3, size=20)[groups] for _ in range(2)]
        n_varying = {"both": 0, "one": 1, "neither": 2, "exchanged": 2}[design]
        for k in range(n_varying):
            is_other = rng.random(len(groups)) < 0.3
            sides[k] = np.where(is_other, rng.integers(3, size=len(groups)), sides[k])
        found += permutation_test(*sides, index=ARI, groups=groups, n_resamples=99).pvalue <= 0.05
    assert found <= 0.05 * n_runs + 3.1 * np.sqrt(0.05 * 0.95 * n_runs)


@pytest.mark.slow
def test_all_that_permutes_takes_groups():
    groups, of_groups, varies = unequal(7, 10)
    own = permutation_test(of_groups, varies, index="mutual_info_score", groups=groups)
    assert independence_test(of_groups, varies, groups=groups).pvalue == own.pvalue
    report = clustering_comparison_report(of_groups, varies, groups=groups)
    assert report.headline.pvalue == own.pvalue
    assert len(report.headline.intervals) == 2
    assert "when the groups are permuted" in " ".join(str(report).split())
    data = {"t": of_groups, "p": varies, "g": groups}
    by_name = clustering_comparison_report("t", "p", data=data, groups="g")
    assert by_name.headline.pvalue == own.pvalue
    adjusted = chance_adjusted_score(of_groups, varies, index="rand_score", groups=groups)
    mean = permutation_test(of_groups, varies, index="rand_score", groups=groups).mean
    assert adjusted.expected == pytest.approx(mean, abs=0.03)
    candidates = score_candidates(of_groups, {"a": varies, "b": varies[::-1]}, indices=ARI,
                                  groups=groups).permutation_test(n_resamples=999)  # fmt: skip
    alone = permutation_test(of_groups, varies, index=ARI, groups=groups, method="monte_carlo")
    assert candidates.pvalues[0] == pytest.approx(alone.pvalue, abs=0.06)


def test_candidates_of_groups_that_cannot_be_permuted_are_refused():
    groups, of_groups, varies = unequal(8, 10)
    scores = score_candidates(varies, [of_groups], indices=ARI, groups=groups)
    with pytest.raises(ValueError, match="^groups must be of equal size, or the labels of the ref"):
        scores.permutation_test(n_resamples=9)
