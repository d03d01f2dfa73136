"""Paired comparison of two candidates."""

import itertools
import math

import numpy as np
import pytest

from sklearn_clustcompare import ContingencyTable, get_index, paired_comparison_test
from tests._examples import slow
from tests._laws import labels_of, noisy_copy

TRUTH = labels_of((30, 30, 40))
GOOD = noisy_copy(TRUTH, 3, 0.1, 0)
POOR = noisy_copy(TRUTH, 3, 0.7, 1)


@pytest.mark.parametrize("name", ["adjusted_rand_score", "variation_of_information_distance"])
def test_identical_candidates_do_not_differ(name):
    renamed = 2 - np.asarray(GOOD)
    for other in (GOOD, renamed):
        result = paired_comparison_test(TRUTH, GOOD, other, index=name, n_resamples=99)
        assert (result.difference, result.standard_error, result.pvalue) == (0.0, 0.0, 1.0)
        assert math.copysign(1.0, result.difference) == 1.0
        assert result.interval[0] == -result.interval[1] < 0
        assert result.value_a == result.value_b


@pytest.mark.parametrize(
    "name",
    [
        "adjusted_rand_score",
        slow("normalized_mutual_info_score"),
        "purity_score",
        slow("van_dongen_distance"),
        "variation_of_information_distance",
        slow("misclassification_distance"),
    ],
)
def test_better_candidate_is_found(name):
    result = paired_comparison_test(TRUTH, GOOD, POOR, index=name, n_resamples=199, random_state=0)
    index = get_index(name)
    assert result.value_a == index(ContingencyTable.from_labels(TRUTH, GOOD))
    assert result.value_b == index(ContingencyTable.from_labels(TRUTH, POOR))
    sign = -1 if name.endswith("distance") else 1
    assert result.difference == sign * (result.value_a - result.value_b) > 0
    assert 0 < result.interval[0] < result.difference < result.interval[1]
    assert result.pvalue < 1e-4

    swapped = paired_comparison_test(TRUTH, POOR, GOOD, index=name, n_resamples=199, random_state=0)
    assert swapped.difference == -result.difference
    assert (swapped.value_a, swapped.value_b) == (result.value_b, result.value_a)
    assert swapped.pvalue < 1e-4
    width = result.interval[1] - result.interval[0]
    assert swapped.interval == pytest.approx(
        (-result.interval[1], -result.interval[0]), abs=0.2 * width
    )


def test_candidates_of_similar_quality_do_not_differ():
    other = noisy_copy(TRUTH, 3, 0.1, 7)
    result = paired_comparison_test(
        TRUTH, GOOD, other, index="adjusted_rand_score", n_resamples=199, random_state=0
    )
    assert result.pvalue > 0.05
    assert result.interval[0] < 0 < result.interval[1]


def test_parameters_reach_the_index():
    result = paired_comparison_test(
        TRUTH, GOOD, POOR, index="pair_f_score", beta=2, n_resamples=20, random_state=0
    )
    table = ContingencyTable.from_labels(TRUTH, GOOD)
    assert result.value_a == get_index("pair_f_score")(table, beta=2)


@pytest.mark.slow
def test_many_comparisons_widen_the_interval_and_multiply_the_pvalue():
    other = noisy_copy(TRUTH, 3, 0.25, 3)

    def compare(**options):
        return paired_comparison_test(
            TRUTH, GOOD, other, index="rand_score", n_resamples=999, random_state=0, **options
        )

    one, five, wide = compare(), compare(n_comparisons=5), compare(confidence_level=0.99)
    assert one.difference == five.difference
    assert five.interval[0] < one.interval[0] < one.interval[1] < five.interval[1]
    assert five.pvalue == pytest.approx(min(1.0, 5 * one.pvalue))
    assert wide.interval == pytest.approx(five.interval, rel=1e-9)
    assert compare(n_comparisons=10**6).pvalue == 1.0


def compare_purity(**options):
    return paired_comparison_test(TRUTH, GOOD, POOR, index="purity_score", **options)


@pytest.mark.slow
@pytest.mark.processes
def test_comparison_does_not_depend_on_n_jobs():
    first, other = (
        compare_purity(random_state=0, n_resamples=250, n_jobs=n_jobs) for n_jobs in (1, 2)
    )
    assert first == other


def test_comparison_is_reproducible():
    def compare(**options):
        return compare_purity(n_resamples=30, **options)

    first = compare(random_state=0)
    assert first == compare(random_state=np.random.RandomState(0))
    assert first.interval != compare(random_state=1).interval
    strings = [np.array(["x", "y", "z"])[labels] for labels in (TRUTH, GOOD, POOR)]
    named_first = paired_comparison_test(
        *strings, index="purity_score", n_resamples=30, random_state=0
    )
    assert named_first == first


@pytest.mark.slow
def test_interval_covers_the_difference_of_the_population():
    rng = np.random.default_rng(0)
    cells = np.array(list(itertools.product(range(3), repeat=3)))
    true, first, second = cells.T
    agreement = np.where(first == true, 0.8, 0.1) * np.where(second == true, 0.7, 0.15)
    shares = agreement / agreement.sum()
    large = np.round(shares * 10**8)
    index = get_index("adjusted_rand_score")
    difference = index(ContingencyTable.from_labels(true, first, sample_weight=large)) - index(
        ContingencyTable.from_labels(true, second, sample_weight=large)
    )
    covered = 0
    for seed in range(40):
        drawn = cells[rng.choice(len(cells), size=200, p=shares)]
        low, high = paired_comparison_test(
            *drawn.T,
            index="adjusted_rand_score",
            confidence_level=0.9,
            n_resamples=199,
            random_state=seed,
        ).interval
        covered += low <= difference <= high
    # 36 are expected; fewer than 30 of 40 have a probability below 0.2 % then.
    assert covered >= 30


# --------------------------------------------------------------------------- bad input


def compare_two(**options):
    return paired_comparison_test(
        [0, 0, 1, 1], [0, 1, 1, 1], [0, 0, 0, 1], **{"index": "rand_score", **options}
    )


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"confidence_level": 1}, ValueError, r"^confidence_level .*got 1"),
        ({"confidence_level": 0.0}, ValueError, r"^confidence_level"),
        ({"confidence_level": "high"}, TypeError, r"^confidence_level"),
        ({"n_resamples": 0}, ValueError, r"^n_resamples"),
        ({"n_comparisons": 0}, ValueError, r"^n_comparisons"),
        ({"n_comparisons": 1.5}, TypeError, r"^n_comparisons"),
        ({"index": "rande"}, ValueError, r"^index must be one of"),
        ({"beta": 2}, TypeError, r"beta"),
    ],
)
def test_bad_input_is_named(options, error, message):
    with pytest.raises(error, match=message):
        compare_two(**options)


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (([], [], []), "^labels_true must hold at least 4 objects .* got 0"),
        (([0, 1], [0], [0, 1]), "^labels_true and labels_a must have the same length, got 2 and 1"),
        (([0, 1], [0, 1], [0]), "^labels_true and labels_b must have the same length, got 2 and 1"),
        (([0, 1], [0, 1], [0.0, math.nan]), "^labels_b must not contain NaN"),
        (([0, 1], [0, None], [0, 1]), "^labels_a must not contain missing"),
        (([0, 1.5], [0, 1], [0, 1]), "^labels_true must be discrete"),
    ],
)
def test_bad_labels_are_named(labels, message):
    with pytest.raises(ValueError, match=message):
        paired_comparison_test(*labels, index="rand_score")


@pytest.mark.parametrize("dtype", [np.uint64, slow(np.int64), slow(np.int8)])
def test_labels_of_any_width_make_the_same_comparison(dtype):
    good, poor = [0] * 28 + [1] * 32, [0] * 20 + [1] * 40
    truth = np.array([0] * 30 + [1] * 30)
    top = np.full(60, np.iinfo(dtype).max - 1, dtype) + truth.astype(dtype)
    options = {"index": "adjusted_rand_score", "random_state": 0, "n_resamples": 99}
    assert paired_comparison_test(top, good, poor, **options) == paired_comparison_test(
        truth, good, poor, **options
    )
