"""Paired comparison of two candidates."""

import itertools
import math
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sklearn_clustcompare import (
    ContingencyTable,
    get_index,
    paired_comparison_test,
    score_candidates,
)
from tests._examples import FEW_EXAMPLES, slow
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


# ------------------------------------------------------------------- different numbers of clusters

ARI, AMI = "adjusted_rand_score", "adjusted_mutual_info_score"


def share_found(index, n_runs, n_samples, n_true, n_first, n_second, share=1.0, n_resamples=50):
    """Return how often candidates that are equally good differ at the 5 % level."""
    found = 0
    for seed in range(n_runs):
        generator = np.random.default_rng(seed)
        true = generator.integers(n_true, size=n_samples)
        first, second = (noisy_copy(true, k, share, generator) for k in (n_first, n_second))
        pvalue = paired_comparison_test(
            true, first, second, index=index, n_resamples=n_resamples, random_state=seed
        ).pvalue
        found += pvalue <= 0.05
    return found / n_runs


@pytest.mark.parametrize(
    ("index", "n_runs", "sizes"),
    [
        (ARI, 4, (50, 3, 3, 60)),
        slow(ARI, 20, (50, 3, 3, 60)),
        slow(ARI, 100, (50, 3, 3, 60)),
        slow(ARI, 100, (200, 10, 5, 40)),
        slow(ARI, 50, (1000, 3, 5, 100)),
        slow(AMI, 30, (200, 3, 3, 20)),
        slow(AMI, 30, (200, 3, 3, 60)),
    ],
)
@pytest.mark.filterwarnings("ignore:.*too small for so many clusters")
def test_random_candidates_do_not_differ(index, n_runs, sizes):
    """A bootstrap found a difference in .53 to 1.00 of such cases."""
    assert share_found(index, n_runs, *sizes) <= 0.065


@pytest.mark.parametrize("index", [ARI, "normalized_mutual_info_score", "purity_score"])
@pytest.mark.slow
def test_candidates_of_equal_quality_rarely_differ(index):
    # .05 is expected; more than .10 of 200 has a probability below 0.2 % then.
    assert share_found(index, 200, 200, 4, 4, 4, share=0.35) <= 0.1


@pytest.mark.filterwarnings("ignore:the test may not hold")
def test_signal_in_few_clusters_beats_noise_in_many():
    generator = np.random.default_rng(0)
    truth = np.repeat(np.arange(5), 40)
    signal = noisy_copy(truth, 5, 0.7, generator)
    noise = generator.integers(50, size=200)
    for index in (ARI, AMI):
        result = paired_comparison_test(
            truth, signal, noise, index=index, n_resamples=99, random_state=0
        )
        assert result.difference > 0
        assert result.interval[0] > 0
        assert result.pvalue < 0.05


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:the test may not hold")
@FEW_EXAMPLES
@given(
    st.integers(4, 30).flatmap(lambda n: arrays(np.int64, (3, n), elements=st.integers(0, 6))),
    st.sampled_from([ARI, "pair_counting_score"]),
    st.floats(0.01, 0.99),
    st.integers(1, 20),
)
def test_interval_holds_its_estimate(labels, index, confidence_level, n_comparisons):
    params = {"adjusted": True} if index == "pair_counting_score" else {}
    result = paired_comparison_test(
        *labels,
        index=index,
        confidence_level=confidence_level,
        n_comparisons=n_comparisons,
        n_resamples=20,
        random_state=0,
        **params,
    )
    low, high = result.interval
    lowest, best = get_index(index).properties(**params)["range"]
    assert low <= np.clip(result.difference - result.bias, lowest - best, best - lowest) <= high
    assert 0 < result.pvalue <= 1
    if result.pvalue < 1 - confidence_level:
        assert not low <= 0 <= high


@pytest.mark.slow
def test_it_is_the_comparison_of_two_of_many():
    generator = np.random.default_rng(0)
    truth = np.repeat(np.arange(3), 40)
    labels = truth, noisy_copy(truth, 3, 0.2, generator), noisy_copy(truth, 3, 0.5, generator)
    for index in (ARI, "variation_of_information_distance"):
        result = paired_comparison_test(*labels, index=index, n_resamples=99, random_state=0)
        scores = score_candidates(
            labels[0],
            labels[1:],
            indices=index,
            confidence_level=0.95,
            n_resamples=99,
            random_state=0,
        )
        many = scores.compare()
        assert result.difference == many.differences[0] > 0
        assert result.interval == pytest.approx(many.intervals[0], rel=1e-12)
        assert result.pvalue == pytest.approx(many.pvalues[0], rel=1e-9)
        assert (result.value_a, result.value_b) == tuple(scores.scores[index])


@pytest.mark.slow
def test_memberships_and_labels_are_compared():
    generator = np.random.default_rng(0)
    truth = np.repeat(np.arange(3), 40)
    labels = noisy_copy(truth, 3, 0.6, generator)
    soft = 0.1 * generator.dirichlet(np.ones(3), size=120) + 0.9 * np.eye(3)[truth]
    result = paired_comparison_test(
        truth, soft, labels, index="frobenius_adjusted_rand_score", n_resamples=50, random_state=0
    )
    assert result.difference > 0
    assert result.pvalue < 0.001


# --------------------------------------------------------------------------- warnings

LABELS = np.repeat([0, 1, 2], 10), np.repeat([0, 1], 15), np.arange(30) % 7


@pytest.mark.parametrize(
    ("index", "params", "adjusted_form"),
    [
        ("rand_score", {}, ARI),
        ("mirkin_distance", {}, ARI),
        ("pair_counting_score", {"adjusted": False}, ARI),
        ("normalized_mutual_info_score", {}, AMI),
        ("variation_of_information_distance", {"normalize": "joint"}, AMI),
        ("purity_score", {}, AMI),
    ],
)
@pytest.mark.filterwarnings("ignore:the test may not hold")
def test_bias_of_the_number_of_clusters_is_told(index, params, adjusted_form):
    with pytest.warns(UserWarning, match="the bias due to the number of clusters") as record:
        paired_comparison_test(*LABELS, index=index, n_resamples=10, **params)
    message = str(record[0].message)
    assert message.startswith(f"{index} is not adjusted for chance")
    assert "have 2 and 7 clusters" in message
    assert message.endswith(adjusted_form)
    assert record[0].filename == __file__


@pytest.mark.parametrize(
    ("index", "params"),
    [
        (ARI, {}),
        (AMI, {}),
        ("pair_counting_score", {"adjusted": True}),
        ("variation_of_information_distance", {"normalize": "expected"}),
    ],
)
def test_adjusted_indices_have_no_such_bias(index, params):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        paired_comparison_test(*LABELS, index=index, n_resamples=10, random_state=0, **params)


def test_equal_numbers_of_clusters_have_no_such_bias():
    truth, first, _ = LABELS
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        paired_comparison_test(truth, first, first[::-1] * 5, index="rand_score", n_resamples=10)


def test_clusters_of_memberships_are_columns():
    truth, first, _ = LABELS
    soft = np.full((30, 4), 0.25)
    with pytest.warns(UserWarning, match="have 2 and 4 clusters"):
        paired_comparison_test(truth, first, soft, index="purity_score", n_resamples=10)
