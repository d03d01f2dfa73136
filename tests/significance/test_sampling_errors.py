"""Intervals and paired tests against slow definitions: every object left out, every error made."""

import math
import warnings
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.stats import norm, poisson
from scipy.stats import t as student

from sklearn_clustcompare import (
    ContingencyTable,
    get_index,
    list_indices,
    paired_comparison_test,
    permutation_test,
    score_interval,
)
from sklearn_clustcompare._partition import Labels
from sklearn_clustcompare.indices import Index
from sklearn_clustcompare.indices._judged import Chosen
from sklearn_clustcompare.indices._sums import SizedCells
from sklearn_clustcompare.significance._ends import UnseenCells
from sklearn_clustcompare.significance._resampling import Sample
from sklearn_clustcompare.significance._sampling_errors import (
    Influences,
    SamplingErrors,
    _effect_in_unit,
    sampling_errors,
)
from tests._examples import COSTLY_INDICES, slow
from tests._laws import noisy_copy
from tests.significance import _slow

ARI = get_index("adjusted_rand_score")

TRUTH = np.repeat(np.arange(3), [10, 7, 5])
FIRST = noisy_copy(TRUTH, 4, 0.3, 0)
SECOND = noisy_copy(TRUTH, 3, 0.5, 1)
DRAWN_LONG = {"maximum_match_score", "overlapping_normalized_mutual_info_score"}


def share_of_bias(truth, found):
    """Return the error of a bias as a share of it: it falls with the objects of a cell."""
    return 0.75 * min(2 * ContingencyTable.from_labels(truth, found).n_cells / len(truth), 1)


# --------------------------------------------------------------------------- one score


@pytest.mark.parametrize(
    "name", ["bcubed_f_score", "bcubed_recall_score", "element_centric_similarity_score"]
)
def test_an_interval_from_the_definition(name):
    index = get_index(name)
    result = score_interval(TRUTH, FIRST, index=name)
    parts = _slow.influences(index, TRUTH, FIRST)
    error = _slow.standard_error(parts)
    bias = _slow.bias(_slow.values_without(index, TRUTH, FIRST), result.score)
    assert result.standard_error == pytest.approx(error, rel=1e-9)
    assert result.bias == pytest.approx(bias, rel=1e-6)
    effect = _slow.effect_of_an_error(index, TRUTH, FIRST)
    error *= 1 + max(bias / (1 - result.score), 0)  # the bias varies as what is missed does
    variance = error**2 + (share_of_bias(TRUTH, FIRST) * bias) ** 2
    value, df = result.score - bias, len(TRUTH) - 1
    expected = _slow.interval_below(1.0, value, variance, effect, df, _slow.slope(parts))
    table = ContingencyTable.from_labels(TRUTH, FIRST)
    counts, of_cells = table.counts.toarray(), np.zeros(table.shape)
    of_cells[TRUTH, np.unique(FIRST, return_inverse=True)[1]] = parts
    steps = counts * of_cells / math.sqrt(np.sum(parts**2))
    # Values of the same shares of very many objects, and a standard error to both sides.
    whole, ahead, behind = (
        index(ContingencyTable.from_counts(np.rint(1e9 * one).astype(np.int64)))
        for one in (counts, counts + steps, counts - steps)
    )
    mean = 2 * (bias + whole - result.score) / (table.n_cells - min(table.shape))
    curvature = min(max(ahead + behind - 2 * whole, 0.0), mean)
    test = permutation_test(TRUTH, FIRST, index=ARI)
    curvature *= 1 - min((10 * test.standard_deviation / test.statistic) ** 2, 1)
    shift = (student.isf(0.025, df) ** 2 + 1) / 2 * curvature
    assert result.interval == pytest.approx(np.array(expected) + shift, rel=1e-6)


def test_an_interval_of_a_count_is_of_whole_numbers():
    index = get_index("split_count")
    result = score_interval(TRUTH, FIRST, index=index)
    parts = -_slow.influences(index, TRUTH, FIRST)
    error, slope = _slow.standard_error(parts), _slow.slope(parts)
    assert result.standard_error == pytest.approx(error, rel=1e-9)
    assert result.bias == 0
    low, high = _slow.interval_below(0.0, -result.score, error**2, 1.0, len(TRUTH) - 1, slope)
    assert result.interval == (math.floor(-high), math.ceil(-low))


@pytest.mark.parametrize(
    ("n_objects", "n_clusters", "name", "low"),
    [
        (16, 2, "adjusted_rand_score", 0.248562),
        (16, 2, "normalized_mutual_info_score", 0.164164),
        (16, 2, "bcubed_f_score", 0.669739),
        (50, 2, "adjusted_rand_score", 0.760250),
        (100, 4, "adjusted_rand_score", 0.919288),
        (100, 4, "normalized_mutual_info_score", 0.908824),
        (100, 4, "bcubed_f_score", 0.942436),
        (1000, 4, "adjusted_rand_score", 0.992003),
    ],
)
def test_perfect_agreement_leaves_room_for_an_error_that_was_not_seen(
    n_objects, n_clusters, name, low
):
    """The lower end is that of -ln(.05) errors."""
    truth = np.repeat(np.arange(n_clusters), n_objects // n_clusters)
    result = score_interval(truth, truth + 1, index=name)
    assert result.interval == (pytest.approx(low, abs=1e-6), 1.0)
    assert result.standard_error == pytest.approx(0, abs=1e-12)
    if n_objects == 16:
        effect = _slow.effect_of_an_error(get_index(name), truth, truth)
        assert result.interval[0] == pytest.approx(1 + effect * np.log(0.05), rel=1e-9)


@pytest.mark.parametrize("name", ["split_count", "merge_count"])
def test_counts_of_nothing_end_at_three(name):
    three = math.ceil(-np.log(0.05))
    assert score_interval(TRUTH, TRUTH, index=name).interval == (0, three)
    assert score_interval(TRUTH, TRUTH, index="merge_distance").interval == (0, 2 * three)


@pytest.mark.parametrize(
    "name",
    [slow(name) if name in COSTLY_INDICES | DRAWN_LONG else name for name in list_indices()],
)
@pytest.mark.filterwarnings("ignore:the interval may not hold")
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
def test_no_interval_has_width_zero(name):
    for found in (TRUTH, np.zeros(len(TRUTH)), np.arange(len(TRUTH)), FIRST):
        low, high = score_interval(
            TRUTH, found, index=name, n_resamples=20, random_state=0
        ).interval
        assert low < high


@pytest.mark.filterwarnings("ignore:the interval may not hold")
@pytest.mark.parametrize("noise", ["drop", "singletons"])
def test_noise_is_treated_in_every_part_of_the_sample(noise):
    found = np.where(np.arange(len(FIRST)) % 5 == 0, -1, FIRST)
    result = score_interval(TRUTH, found, index=ARI, noise=noise)
    parts = _slow.influences(ARI, TRUTH, found, noise=noise)
    assert result.standard_error == pytest.approx(_slow.standard_error(parts), rel=1e-9)
    assert result.score == _slow.value_of(ARI, TRUTH, found, noise=noise)


def test_missing_labels_are_dropped():
    found = [None if k % 5 == 0 else f"c{label}" for k, label in enumerate(FIRST)]
    as_noise = np.where(np.arange(len(FIRST)) % 5 == 0, -1, FIRST)
    dropped = score_interval(TRUTH, found, index=ARI, missing="drop")
    assert dropped == score_interval(TRUTH, as_noise, index=ARI, noise="drop")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:merge_distance is not adjusted")
def test_nothing_is_drawn_for_smooth_indices_and_counts():
    for name in ("adjusted_mutual_info_score", "merge_distance"):
        one, other = (
            score_interval(TRUTH, FIRST, index=name, random_state=seed) for seed in range(2)
        )
        assert one == other
        test = [
            paired_comparison_test(TRUTH, FIRST, SECOND, index=name, random_state=seed)
            for seed in range(2)
        ]
        assert test[0] == test[1]


# --------------------------------------------------------------------------- cells not seen


def unseen(counts):
    table = ContingencyTable.from_counts(counts)
    return UnseenCells.of(*SizedCells.of_table(table)[:3], np.zeros(table.n_cells, np.intp))


@pytest.mark.parametrize(
    ("counts", "is_by_sizes"),
    [
        ([[9, 1, 0, 1], [0, 8, 1, 0], [1, 0, 7, 2], [0, 1, 0, 9]], True),
        ([[20, 2, 0, 0], [0, 20, 2, 0], [2, 0, 20, 2], [1, 0, 2, 20]], False),
        ([[5, 1], [1, 6]], False),  # no cell is empty
        ([[5, 0], [0, 6]], False),  # no cell has one object
    ],
)
def test_the_entropy_of_unseen_cells_from_the_definition(counts, is_by_sizes):
    counts = np.array(counts)
    rows, cols = counts.sum(axis=1), counts.sum(axis=0)
    empty = (np.outer(rows, cols) / counts.sum() ** 2)[counts == 0]
    single, double = (counts == 1).sum(), (counts == 2).sum()
    expected = 1 + 1.25 * np.sum((empty / max(empty.sum(), 1e-9) * single) ** 2) / 2
    odds = 30.0
    if double > expected:
        odds *= poisson.pmf(double, expected) / poisson.pmf(double, double)
    share = odds / (1 + odds)
    assert (share > 0.5) == is_by_sizes or not (single and len(empty))
    by_slow = _slow.unseen_entropy(counts, rows, cols, share)
    assert unseen(counts).entropy == pytest.approx(by_slow)


def test_unseen_cells_of_several_tables_are_those_of_each():
    counts = [[9, 1, 0, 1], [0, 8, 1, 0], [1, 0, 7, 2]], [[5, 1], [1, 6]], [[2, 1], [1, 0]]
    tables = [SizedCells.of_table(ContingencyTable.from_counts(one)) for one in counts]
    owners = np.repeat(np.arange(3), [len(one.counts) for one in tables])
    sides = [np.concatenate(side) for side in [*zip(*tables, strict=True)][:3]]
    together = UnseenCells.of(*sides, owners)
    alone = [UnseenCells.of(*one[:3], np.zeros(len(one.counts), np.intp)) for one in tables]
    for found, expected in zip(together, zip(*alone, strict=True), strict=True):
        np.testing.assert_allclose(found, np.concatenate(expected), rtol=1e-10)


def test_unseen_cells_hold_what_is_missing():
    """The mean of 200 samples is that of the population, although most cells were not seen."""
    shares = 0.8 * np.eye(30) / 30 + 0.2 / 900
    generator = np.random.default_rng(0)
    entropy = -np.sum(shares * np.log(shares))
    corrected, plain = [], []
    for _ in range(200):
        counts = generator.multinomial(600, shares.ravel())
        some = counts[counts > 0] / 600
        plain.append(-np.sum(some * np.log(some)))
        corrected.append(plain[-1] + unseen(counts.reshape(30, 30)).entropy)
    assert abs(np.mean(corrected) - entropy) < 0.05 < 0.4 < entropy - np.mean(plain)


@pytest.mark.filterwarnings("ignore:.*is not adjusted")
def test_a_difference_of_the_variation_of_information_from_the_definition():
    """Its influences are those of the corrected scores, of which each object is left out."""
    name, truth = "variation_of_information_distance", np.repeat(np.arange(3), [20, 14, 10])
    sides = [noisy_copy(truth, 5, share, seed) for share, seed in ((0.3, 0), (0.5, 1))]
    index, found = get_index(name), paired_comparison_test(truth, *sides, index=name)
    parts = []
    for side in sides:
        table = ContingencyTable.from_labels(truth, side)
        whole = unseen(np.array(table.counts.toarray()))
        by_object = dict(
            zip(
                zip(table.cell_rows.tolist(), table.cell_cols.tolist(), strict=True),
                whole.shifts.tolist(),
                strict=True,
            )
        )
        codes = np.unique(side, return_inverse=True)[1]
        of_cells = np.array([by_object[row, col] for row, col in zip(truth, codes, strict=True)])
        shifts = np.array(_slow.values_without(index, truth, side)) - index(table) + 2 * of_cells
        parts.append((len(truth) - 1) * (shifts.mean() - shifts))
    assert found.standard_error == pytest.approx(_slow.standard_error(parts[0] - parts[1]))
    assert 0 < found.pvalue < 1
    assert found.interval[0] < found.difference - found.bias < found.interval[1]


# --------------------------------------------------------------------------- differences


@pytest.mark.parametrize("name", ["rand_score", "projection_distance"])
@pytest.mark.filterwarnings("ignore:.*is not adjusted")
def test_a_difference_from_the_definition(name):
    index = get_index(name)
    sign = 1 if index.greater_is_better else -1
    found = paired_comparison_test(TRUTH, FIRST, SECOND, index=name)
    parts = [_slow.influences(index, TRUTH, one) for one in (FIRST, SECOND)]
    effects = [_slow.effect_of_an_error(index, TRUTH, one) for one in (FIRST, SECOND)]
    biases = [
        _slow.bias(_slow.values_without(index, TRUTH, one), _slow.value_of(index, TRUTH, one))
        for one in (FIRST, SECOND)
    ]
    error, bias = _slow.standard_error(parts[0] - parts[1]), sign * (biases[0] - biases[1])
    of_bias = np.subtract(
        *(
            share_of_bias(TRUTH, one) * abs(of)
            for one, of in zip((FIRST, SECOND), biases, strict=True)
        )
    )
    gains = [
        _slow.gain(index, _slow.value_of(index, TRUTH, one), of)
        for one, of in zip((FIRST, SECOND), biases, strict=True)
    ]
    variance = ((1 + np.mean(gains)) * error) ** 2 + of_bias**2
    interval, pvalue = _slow.interval_of_difference(
        found.difference - bias, variance, np.mean(effects), len(TRUTH) - 1
    )
    assert found.standard_error == pytest.approx(error, rel=1e-9)
    assert found.bias == pytest.approx(bias, abs=1e-9)
    assert found.interval == pytest.approx(interval, rel=1e-7)
    assert found.pvalue == pytest.approx(pvalue, rel=1e-6)


@pytest.mark.parametrize("n_wrong", [100, 97, 93])
def test_clusters_that_may_be_swapped_have_the_error_of_each_matching(n_wrong):
    """Whichever matching is the better one, its share of right objects is binomial."""
    truth = np.repeat([0, 1], 100)
    found = np.where(np.arange(200) * 77 % 200 < n_wrong, 1 - truth, truth)
    result = score_interval(truth, found, index="matching_accuracy_score", random_state=0)
    error = math.sqrt(result.score * (1 - result.score) / 200)
    low, high = np.abs(np.array(result.interval) - result.score) / error
    # About 1.83 errors, as the variance falls towards 1; half samples of the tie alone show 1.1.
    assert 1.65 < high < 2.2 < low  # the matching may have been picked since it is good by chance


def test_clusters_that_cannot_be_swapped_have_the_error_of_one_matching():
    truth = np.repeat([0, 1], 100)
    found = np.where(np.arange(200) * 77 % 200 < 40, 1 - truth, truth)
    result = score_interval(truth, found, index="matching_accuracy_score", random_state=0)
    expected = _slow.interval_below(1.0, 0.8, 0.16 / 200, 0.005, 150)
    assert result.interval == pytest.approx(expected, abs=0.01)


@pytest.mark.parametrize("n_errors", [1, 4, 8, 40])
def test_matching_accuracy_has_the_test_of_mcnemar(n_errors):
    truth = np.repeat(np.arange(4), 50)
    first, other = truth.copy(), truth.copy()
    first[: n_errors // 4] = 3
    other[50 : 50 + n_errors] = 3
    test = paired_comparison_test(truth, first, other, index="matching_accuracy_score")
    n_gains, n_losses = n_errors, n_errors // 4
    statistic = (n_gains - n_losses) / np.sqrt(n_gains + n_losses)
    # Half samples have an error of some per cent, and the variance is that of shares.
    assert np.log(test.pvalue) == pytest.approx(np.log(2 * norm.sf(statistic)), rel=0.35)


def table_near_independence(n, deviation):
    return ContingencyTable.from_counts(n // 4 + deviation * np.array([[1, -1], [-1, 1]]))


@pytest.mark.parametrize("deviation", [0, 1, 5, 12])
@pytest.mark.parametrize("name", ["adjusted_rand_score", "normalized_mutual_info_score"])
def test_ends_near_independence_solve_their_equation(name, deviation):
    table, index = table_near_independence(200, deviation), get_index(name)
    (found,) = sampling_errors(
        Sample.of([Labels.of_codes(one) for one in (table.cell_rows, table.cell_cols)],
                  table.cell_counts),
        (Chosen(name, index, {}),), n_resamples=2, random_state=0, n_jobs=None,
    )  # fmt: skip
    near = found.influences[0].independence
    test = permutation_test(table, index=name)
    assert (near.mean, near.variance) == pytest.approx((test.mean, test.standard_deviation**2))
    assert near.excess == pytest.approx(near.variance**0.5 / np.sqrt(2))
    value, error, best, t = index(table), found.standard_errors[0], 1.0, 1.97
    low, high = near.ends(error**2, t)
    grid = np.linspace(-0.5, 1.0, 300_001)
    g = np.clip((best - grid) / (best - near.mean), 0, 1)
    at = np.clip((best - value) / (best - near.mean), 0, 1)
    above = max(value - near.mean + near.excess, 0) * at + near.excess
    kappa = (error**2 + 2 * near.variance) / (4 * above)
    inside = (value - grid) ** 2 <= t**2 * (
        near.variance * g**2 + 4 * kappa * np.maximum(grid - near.mean, 0) * g
    )
    assert (low, high) == pytest.approx((grid[inside].min(), grid[inside].max()), abs=1e-5)
    assert near.weight(error**2) == 1


def test_one_unit_that_errs_alone_leaves_the_root_of_the_degrees_of_freedom():
    influences = Influences(np.array([-10.0, 1.0]), np.repeat([0, 1], [1, 10]))
    counts = np.ones(11)
    influences = influences._replace(powers=(110.0, 0.0, 1e4 + 10))
    errors = SamplingErrors(
        Chosen("ari", ARI, {}), np.array([0.5]), (influences,), counts, None, True
    )
    (error,), (df,) = errors._spreads
    assert error == pytest.approx((110 / (11 * 10)) ** 0.5)
    assert 110**2 / (1e4 + 10) < 10**0.5
    assert df == pytest.approx(10**0.5)


def test_intervals_of_groups_grow_with_the_errors():
    truth = np.repeat([0, 1, 2], 50)
    for groups in (np.arange(150) % 30, np.arange(150)):
        lows = []
        for n_wrong in range(5):
            found = np.where(np.arange(150) < n_wrong, 1, truth)
            low, high = score_interval(truth, found, index=ARI, groups=groups).interval
            assert 0.6 < low < 0.98 < high or n_wrong > 1
            lows.append(low)
        assert sorted(lows[1:], reverse=True) == lows[1:]


def test_one_more_unit_errs_as_the_mean_of_those_that_do_and_of_a_whole_one():
    influences = Influences(np.zeros(0), np.zeros(0), (12 * 0.5**2, 0.0, 12 * 0.5**4))
    of_object, size, missed = 0.001, 200.0, 0.4
    seen = 12 * 0.5**2 / (12 * 11) / missed
    found = _effect_in_unit(of_object, size, influences, np.ones(12), missed)
    assert found == pytest.approx((12 * seen + size * of_object) / 13)


def test_a_bias_that_candidates_share_does_not_hide_which_is_best():
    given = {"effect": [0, 0, 0], "noise_of_bias": [0, 0, 0], "error_of_bias": [1, 1, 0]}
    errors = SimpleNamespace(
        values=np.array([1.0, 0.97, 0.5]),
        biases=np.zeros(3),
        _sign=1,
        _draws=lambda: np.random.default_rng(0).normal(size=(999, 3)) / 100,
        _each=lambda name: np.array(given[name], np.float64),
    )
    assert SamplingErrors.best_set(errors, 0.95).tolist() == [0]


def test_deviations_of_all_candidates_have_their_standard_errors():
    rng = np.random.default_rng(0)
    truth = np.repeat(np.arange(4), 50)
    sides = [
        np.where(rng.random(200) < wrong, rng.integers(4, size=200), truth) for wrong in (0.2, 0.4)
    ]
    sample = Sample.of([Labels.of_codes(one) for one in (truth, *sides)])
    (found,) = sampling_errors(
        sample, (Chosen("ari", ARI, {}),), n_resamples=2, random_state=0, n_jobs=None
    )
    assert found.influences[0].halves is None
    assert found._draws().std(axis=0) == pytest.approx(found.standard_errors, rel=0.05)


def test_a_bias_with_one_degree_of_freedom_varies_by_twice_its_square():
    table = ContingencyTable.from_counts([[20, 5], [0, 25]])
    index = get_index("pair_f_score")
    sides = [Labels.of_codes(one) for one in (table.cell_rows, table.cell_cols)]
    (found,) = sampling_errors(
        Sample.of(sides, table.cell_counts),
        (Chosen("pair", index, {}),), n_resamples=2, random_state=0, n_jobs=None,
    )  # fmt: skip
    one = found.influences[0]
    assert one.curved_variance == pytest.approx(2 * one.bias**2)


@pytest.mark.slow
@pytest.mark.parametrize("n", [250, 1200])
@pytest.mark.parametrize("inequality", [0.0, 0.15])
def test_intervals_of_merged_clusters_hold_in_the_population(inequality, n):
    """Influences nearly vanish where clusters of nearly equal size are merged."""
    shares = np.outer([0.4, 0.3, 0.2, 0.1], [1 + inequality, 1 - inequality]).ravel() / 2
    labels = np.arange(8), np.arange(8) // 2
    names = (
        "v_measure_score", "adjusted_mutual_info_score", "homogeneity_score", "pair_f_score",
        "variation_of_information_distance", "adjusted_rand_score", "bcubed_f_score",
    )  # fmt: skip
    chosen = tuple(map(Chosen.of, names))
    population = np.zeros((8, 4), dtype=np.int64)
    population[labels] = np.rint(10**9 * shares)
    truths = [one.value(ContingencyTable.from_counts(population)) for one in chosen]
    rng, n_samples = np.random.default_rng(11), 400
    ends, values = np.empty((n_samples, len(names), 2)), np.empty((n_samples, len(names)))
    for k in range(n_samples):
        sample = Sample.of(list(map(Labels.of_codes, labels)), rng.multinomial(n, shares))
        found = sampling_errors(sample, chosen, n_resamples=2, random_state=0, n_jobs=None)
        ends[k] = [one.intervals(0.95)[0] for one in found]
        values[k] = [one.values[0] for one in found]
    covered = ((ends[:, :, 0] <= truths) & (truths <= ends[:, :, 1])).mean(axis=0)
    widths = (ends[:, :, 1] - ends[:, :, 0]).mean(axis=0) / (3.92 * values.std(axis=0))
    # At least .93, by the rule of the benchmark of intervals.
    assert (covered + 2 * np.sqrt(covered * (1 - covered) / n_samples) >= 0.93).all()
    assert (widths <= 1.5 * (1 + 2 / math.sqrt(2 * n_samples))).all()


@pytest.mark.filterwarnings("ignore:rand_score is not adjusted")
def test_order_of_the_candidates_changes_the_sign_only():
    one = paired_comparison_test(TRUTH, FIRST, SECOND, index="rand_score")
    other = paired_comparison_test(TRUTH, SECOND, FIRST, index="rand_score")
    assert one.difference == -other.difference
    assert one.interval == pytest.approx((-other.interval[1], -other.interval[0]), rel=1e-12)
    assert one.pvalue == pytest.approx(other.pvalue, rel=1e-9)


# --------------------------------------------------------------------------- units


def entities(n_entities, seed=0):
    generator = np.random.default_rng(seed)
    truth = np.repeat(np.arange(n_entities), generator.integers(1, 9, n_entities))
    is_split = generator.random(n_entities) < 0.3
    alone = n_entities + np.arange(len(truth))
    return truth, np.where(is_split[truth], alone, truth)


@pytest.mark.parametrize("name", ["pair_recall_score", "bcubed_f_score", "split_count"])
def test_groups_are_left_out_as_a_whole(name):
    index = get_index(name)
    truth, found = entities(40)
    result = score_interval(truth, found, index=name, groups=truth)
    parts = _slow.influences(index, truth, found, groups=truth)
    assert result.standard_error == pytest.approx(_slow.standard_error(parts), rel=1e-9)
    alone = score_interval(truth, found, index=name, groups=np.arange(len(truth)))
    assert alone.standard_error == pytest.approx(
        score_interval(truth, found, index=name).standard_error, rel=1e-9
    )
    assert alone.interval != result.interval


@pytest.mark.filterwarnings("ignore:the interval may not hold")
@pytest.mark.parametrize("order", [False, True])
def test_many_groups_are_left_out_in_equal_parts(monkeypatch, order):
    from sklearn_clustcompare.significance import _resampling as _joint_cells

    truth, found = entities(240)
    names = np.random.default_rng(3).permutation(240) if order else np.arange(240)
    options = {"index": "partition_difference", "groups": names[truth]}
    each = score_interval(truth, found, **options)
    monkeypatch.setattr(_joint_cells, "MOST_UNITS", 150)  # parts of two groups
    parts = score_interval(truth, found, **options)
    assert parts.standard_error == pytest.approx(each.standard_error, rel=0.25)


def test_objects_with_memberships_are_units():
    generator = np.random.default_rng(0)
    soft = 0.8 * np.eye(3)[TRUTH] + 0.2 * generator.dirichlet(np.ones(3), len(TRUTH))
    rand = get_index("rand_score")
    left = [
        rand(ContingencyTable.from_memberships(np.delete(TRUTH, k), np.delete(soft, k, axis=0)))
        for k in range(len(TRUTH))
    ]
    parts = (len(left) - 1) * (np.mean(left) - np.array(left))
    result = score_interval(TRUTH, soft, index="rand_score")
    assert result.standard_error == pytest.approx(_slow.standard_error(parts), rel=1e-6)


# --------------------------------------------------------------------------- cautions


@pytest.mark.slow
@pytest.mark.parametrize(
    ("truth", "found", "name", "options", "caution"),
    [
        # Of two halves no object has an influence: the score is the same without it.
        ([0, 1] * 50, [0] * 100, "rand_score", {}, "a side has a single cluster"),
        ([0, 0, 1, 1] * 5, [0, 0, 1, 0] * 4 + [0, 1, 1, 1], "split_count", {}, "nearly all cells"),
        # 25 objects of 40 and of 35: an overlap of one half.
        ([0] * 40 + [1] * 10, [0] * 25 + [1] * 15 + [0] * 10, "panoptic_quality_score",
         {"random_state": 0}, "within a standard error of the threshold"),
        # 14 objects of 26 in each of ten clusters: one alone matters little, and all of them much.
        ([k // 20 for k in range(200)], [(k + 6) // 20 % 10 for k in range(200)],
         "panoptic_quality_score", {"random_state": 0}, "within a standard error"),
    ],
)  # fmt: skip
def test_what_may_not_hold_is_said(truth, found, name, options, caution):
    with pytest.warns(UserWarning, match=f"^the interval may not hold: .*{caution}"):
        score_interval(truth, found, index=name, **options)


@pytest.mark.parametrize(("larger", "is_doubted"), [(59, True), (60, False)])
def test_one_cluster_of_unequal_ones_is_not_doubted(larger, is_doubted):
    # (59 - 50)^2 / 50 + (41 - 50)^2 / 50 = 3.24 is below the quantile .95 of chi-squared, 3.84;
    # 4.0 is above.
    truth = np.repeat([0, 1], [larger, 100 - larger])
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        score_interval(truth, [0] * 100, index="rand_score")
        score_interval([0] * 100, truth, index="rand_score")
    cautions = [one for one in found if "a side has a single cluster" in str(one.message)]
    assert len(cautions) == 2 * is_doubted


def test_an_adjusted_score_of_one_cluster_is_not_doubted():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        score_interval([0, 1] * 50, [0] * 100, index=ARI)


def test_few_groups_are_refused():
    truth, found = entities(12)
    with pytest.raises(ValueError, match=r"^groups must hold at least 10 groups .*, got 9; "):
        score_interval(truth, found, index=ARI, groups=truth % 9)
    with pytest.raises(ValueError, match="at least 8 groups .*, got 7$"):
        permutation_test(truth, found, index=ARI, groups=np.arange(len(truth)) % 9 % 7)
    groups = np.arange(len(truth)) % 11 % 10  # one of them is larger
    assert score_interval(truth, found, index=ARI, groups=groups).standard_error > 0
    for n_groups in (8, 10):
        test = permutation_test(truth, found, index=ARI, groups=groups % n_groups)
        assert test.method == "jackknife"


def test_half_samples_of_an_index_of_the_users_own_are_drawn():
    def largest(table):
        return float(table.cell_counts.max() / table.n_samples)

    def record(sampling):
        return Index(
            "largest",
            largest,
            greater_is_better=True,
            range=(0.0, 1.0),
            symmetric=True,
            source="a user",
            sampling=sampling,
        )

    errors = {
        sampling: score_interval(
            TRUTH, FIRST, index=record(sampling), n_resamples=99, random_state=0
        ).standard_error
        for sampling in (None, "smooth", "maximum")
    }
    assert errors[None] == errors["maximum"]
    assert errors["smooth"] != errors["maximum"]
    with pytest.raises(ValueError, match="^sampling must be one of None, 'smooth', 'counts', 'max"):
        record("often")


# --------------------------------------------------------------------------- both sides of a limit


def told(truth, found, name, **options):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        score_interval(truth, found, index=name, **options)
    return " ".join(str(one.message) for one in caught)


@pytest.mark.parametrize(("n_single", "is_said"), [(2, False), (3, True)])
def test_a_quarter_of_clusters_with_one_object_is_said_of_information(n_single, is_said):
    truth = np.repeat(np.arange(11), [*[20] * (11 - n_single), *[1] * n_single])
    found = noisy_copy(truth % 4, 4, 0.2, 0)
    for name, is_information in (("v_measure_score", True), ("adjusted_rand_score", False)):
        text = told(truth, found, name)
        assert ("too small for so many clusters" in text) == (is_said and is_information)


@pytest.mark.parametrize(("n_cells", "is_said"), [(17, False), (18, True)])
def test_occupied_cells_up_to_a_share_are_not_said(n_cells, is_said):
    # Of 4 x 5 cells, nine tenths are 18.
    counts = np.full(20, 5)
    counts[np.random.default_rng(0).permutation(20)[: 20 - n_cells]] = 0
    rows, cols = (np.repeat(one, counts) for one in np.divmod(np.arange(20), 5))
    assert ("nearly all cells" in told(rows, cols, "split_count")) == is_said


@pytest.mark.parametrize("n_units", [8, 12])
def test_the_interval_of_few_groups_with_errors_has_their_degrees_of_freedom(n_units):
    # Of 40 groups only these have errors, all alike: nothing is to be said.
    groups = np.repeat(np.arange(40), 10)
    truth = np.tile(np.repeat([0, 1], 5), 40)
    found = np.where((groups < n_units) & (np.arange(400) % 5 < 2), 1 - truth, truth)
    assert not told(truth, found, "rand_score", groups=groups)
    low, high = score_interval(truth, found, index="rand_score", groups=groups).interval
    error = score_interval(truth, found, index="rand_score", groups=groups).standard_error
    assert (high - low) / error == pytest.approx(2 * student.isf(0.025, n_units), rel=0.3)


def test_an_index_of_information_without_sums_takes_half_samples():
    rng = np.random.default_rng(0)
    truth = rng.integers(25, size=3000)
    found = np.where(rng.random(3000) < 0.4, truth, rng.integers(25, size=3000))
    known = get_index("mutual_info_score")
    own = replace(known, name="own_information", sums=None)
    errors = [
        score_interval(truth, found, index=index, n_resamples=199).standard_error
        for index in (known, own)
    ]
    assert errors[1] == pytest.approx(errors[0], rel=0.3)
