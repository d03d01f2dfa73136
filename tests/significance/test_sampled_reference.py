"""Scores against a reference of which only a sample of the clusters is known."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t as student
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_clustcompare import (
    adjusted_rand_score,
    clustering_comparison_report,
    pair_f_score,
    pair_precision_score,
    pair_recall_score,
    sampled_reference_scores,
    score_candidates,
)
from sklearn_clustcompare.metrics import (
    cluster_f_score,
    cluster_precision_score,
    cluster_recall_score,
)

TRUTH = ["c1", "c1", "c1", "c2", "c2", "c3", "c3", "c4"]
FOUND = [1, 1, 2, 3, 2, 4, 4, 4]
MEASURES = [
    "pair_precision_score",
    "pair_recall_score",
    "pair_f_score",
    "bcubed_precision_score",
    "bcubed_recall_score",
    "cluster_precision_score",
    "cluster_recall_score",
    "cluster_f_score",
]


def known_only(labels, clusters):
    return [label if label in clusters else None for label in labels]


# --------------------------------------------------------------------------- printed values


def test_printed_estimates_of_pairs():
    result = sampled_reference_scores(known_only(TRUTH, {"c1", "c2", "c4"}), FOUND)
    assert result.value["pair_precision_score"] == pytest.approx(0.3888888889, abs=1e-10)
    assert result.standard_error["pair_precision_score"] == pytest.approx(0.2545875386, abs=1e-10)
    assert result.value["pair_recall_score"] == pytest.approx(0.296875, abs=1e-12)
    assert result.standard_error["pair_recall_score"] == pytest.approx(0.1082531755, abs=1e-10)
    assert (result.n_known, result.known_share) == (3, 0.75)


def test_printed_estimates_of_bcubed_by_cluster():
    known = known_only(TRUTH, {"c1", "c2"})
    result = sampled_reference_scores(known, FOUND, average="cluster")
    assert result.value["bcubed_precision_score"] == pytest.approx(0.7916667, abs=1e-7)
    assert result.standard_error["bcubed_precision_score"] == pytest.approx(0.0416667, abs=1e-7)
    assert result.value["bcubed_recall_score"] == pytest.approx(0.5277778, abs=1e-7)
    assert result.standard_error["bcubed_recall_score"] == pytest.approx(0.0277778, abs=1e-7)


@pytest.mark.parametrize(
    ("found", "weights", "beta", "expected"),
    [
        (
            [1, 1, 1, 3, 2, 4, 4, 4],
            "uniform",
            1,
            [
                (0.3888888888888889, 0.2545875386086578),
                (0.3333333333333333, 0.3333333333333333),
                (0.3680555555555556, 0.29265704869035386),
            ],
        ),
        (
            [1, 1, 1, 3, 2, 4, 4, 5],
            {"c1": 1.0, "c2": 2.0, "c4": 0.5},
            2,
            [
                (0.2432, 0.256),
                (0.30612244897959184, 0.3740878118331297),
                (0.2935703733720291, 0.3418681066393011),
            ],
        ),
    ],
)
def test_estimates_of_clusters_found_are_those_of_er_evaluation(found, weights, beta, expected):
    """Printed by version 2.3.0, with the cluster sampled once and the candidate complete."""
    known = known_only(TRUTH, {"c1", "c2", "c4"})
    result = sampled_reference_scores(known, found, cluster_weight=weights, beta=beta)
    for measure, (value, error) in zip(MEASURES[5:], expected, strict=True):
        assert result.value[measure] == pytest.approx(value, rel=1e-12)
        assert result.standard_error[measure] == pytest.approx(error, rel=1e-12)


# --------------------------------------------------------------------------- definition


def terms(known, found, weights, average, beta):
    """Return the numerators and denominators of each score by pairs of objects, as fractions."""
    n = len(found)
    rows = {measure: [] for measure in MEASURES}
    for cluster in sorted({label for label in known if label is not None}):
        members = [k for k in range(n) if known[k] == cluster]
        weight = Fraction(weights[cluster])
        right = sought = predicted = Fraction(0)
        for k in members:
            for other in set(range(n)) - {k}:
                share = Fraction(1, 2)  # each pair within is met twice, others belong to two
                inside, together = other in members, found[k] == found[other]
                right += share * (inside and together)
                sought += share * inside
                predicted += share * together
        precision = recall = Fraction(0)
        for k in members:
            common = sum(found[other] == found[k] for other in members)
            precision += Fraction(common, found.count(found[k]))
            recall += Fraction(common, len(members))
        size = Fraction(len(members))
        if average == "cluster":
            precision, recall, size = precision / size, recall / size, Fraction(1)
        mixed = (predicted + beta**2 * sought) / (1 + beta**2)
        own = {found[k] for k in members}
        exact = Fraction(len(own) == 1 and found.count(*own) == len(members))
        # Objects per predicted cluster scale what a cluster adds to their number.
        share = Fraction(len(members) * len({*found}), n)
        for measure, above, below in zip(
            MEASURES,
            (right, right, right, precision, recall, exact, exact, exact),
            (predicted, sought, mixed, size, size)
            + (share, Fraction(1), (share + beta**2) / (1 + beta**2)),
            strict=True,
        ):
            rows[measure].append((weight * above, weight * below))
    return rows


def estimate(rows):
    """Return the estimate of a ratio of means and its standard error, by the printed formula."""
    n = len(rows)
    mean_b, mean_a = (sum(column) / n for column in zip(*rows, strict=True))
    if not mean_b:
        return 0.0, 0.0
    bias = sum(a * (b / mean_b - a / mean_a) for b, a in rows) / n / ((n - 1) * mean_a)
    square = sum(
        (a / mean_a) ** 2 + (b / mean_b) ** 2 - 2 * a * b / (mean_a * mean_b) for b, a in rows
    )
    return float(mean_b / mean_a * (1 + bias)), float(mean_b / mean_a) * math.sqrt(
        square / (n * (n - 1))
    )


@st.composite
def samples(draw):
    n = draw(st.integers(2, 12))
    known = draw(st.lists(st.sampled_from([0, 1, 2, 3, None]), min_size=n, max_size=n))
    known[:2] = [0, 1]
    found = draw(st.lists(st.integers(0, 4), min_size=n, max_size=n))
    weights = {label: draw(st.integers(1, 5)) for label in {*known} - {None}}
    return known, found, weights


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
@given(samples(), st.sampled_from(["object", "cluster"]), st.sampled_from([0, 1, 2]))
def test_estimates_are_those_of_the_definition(sample, average, beta):
    known, found, weights = sample
    rows = terms(known, found, weights, average, beta)
    result = sampled_reference_scores(
        known, found, cluster_weight=weights, average=average, beta=beta, confidence_level=0.9
    )
    for measure in MEASURES:
        value, error = result.value[measure], result.standard_error[measure]
        if not any(below for _, below in rows[measure]):
            assert math.isnan(value)
            continue
        corrected, expected_error = estimate(rows[measure])
        expected = min(max(corrected, 0.0), 1.0), expected_error
        assert (value, error) == pytest.approx(expected, rel=1e-12, abs=1e-12)
        far = student.ppf(0.95, len(weights) - 1) * error
        low, high = result.interval[measure]
        assert low == pytest.approx(max(0, value - far), abs=1e-15)
        assert high == pytest.approx(min(1, value + far), abs=1e-15)


def test_weights_of_sizes_are_those_of_a_mapping():
    known = known_only(TRUTH, {"c1", "c2", "c4"})
    by_name = sampled_reference_scores(known, FOUND, cluster_weight="inverse_size")
    weights = {"c1": 1 / 3, "c2": 1 / 2, "c4": 1.0}
    for mapping in (weights, pd.Series(weights)):
        result = sampled_reference_scores(known, FOUND, cluster_weight=mapping)
        assert result.value == pytest.approx(by_name.value)
        assert result.standard_error == pytest.approx(by_name.standard_error)
    scaled = sampled_reference_scores(
        known, FOUND, cluster_weight={key: 7 * weight for key, weight in weights.items()}
    )
    assert scaled.value == pytest.approx(by_name.value)


def test_any_mark_of_what_is_missing():
    values = [0, 0, 0, 1, 1, None, None, 2]
    expected = sampled_reference_scores(values, FOUND).value
    for known in (
        [math.nan if value is None else value for value in values],
        pd.Series(values, dtype="Int64"),
        pd.Series(values).astype("category"),
        np.ma.masked_invalid([math.nan if value is None else value for value in values]),
    ):
        assert sampled_reference_scores(known, FOUND).value == expected


# --------------------------------------------------------------------------- samples


def test_means_over_all_samples_are_those_of_the_whole():
    """Sums over known clusters are unbiased, and so ratios are nearly."""
    rng = np.random.default_rng(0)
    truth = rng.integers(9, size=60)
    found = np.where(rng.random(60) < 0.7, truth, rng.integers(9, size=60))
    labels = sorted(set(truth.tolist()))
    wholes = (pair_precision_score, pair_recall_score, pair_f_score)
    scores = [function(truth, found) for function in wholes]
    chosen = list(itertools.combinations(labels, 6))
    results = [
        sampled_reference_scores(known_only(truth.tolist(), set(one)), found) for one in chosen
    ]
    for name, score in zip(MEASURES, scores, strict=False):
        values = np.array([result.value[name] for result in results])
        errors = np.array([result.standard_error[name] for result in results])
        # The bias of second order: far below what a sample scatters.
        assert abs(values.mean() - score) < 0.1 * errors.mean()
        # Drawn without replacement, two thirds of the clusters leave a third of the variance.
        assert values.var() == pytest.approx((errors**2).mean() / 3, rel=0.35)


def test_all_samples_of_equal_clusters_have_the_scores_as_mean_and_their_variance():
    """Drawn from clusters of one size, all three scores are means, and nothing is approximate."""
    truth, found = np.repeat(range(7), 3), np.repeat(range(7), 3)
    found[[2, 5, 12]] = 1, 7, 8
    scores = [
        function(truth, found)
        for function in (cluster_precision_score, cluster_recall_score, cluster_f_score)
    ]
    chosen = [set(one) for one in itertools.combinations(range(7), 4)]
    results = [sampled_reference_scores(known_only(truth.tolist(), one), found) for one in chosen]
    for name, score in zip(MEASURES[5:], scores, strict=True):
        assert 0.3 < score < 0.7
        assert np.mean([one.value[name] for one in results]) == pytest.approx(score, rel=1e-12)
        # Drawn without replacement, 4 of 7 clusters leave 3 / 7 of the variance.
        errors = [one.standard_error[name] ** 2 for one in results]
        values = [one.value[name] for one in results]
        assert np.var(values) == pytest.approx(3 / 7 * np.mean(errors), rel=1e-12)


def test_all_known_clusters_of_equal_shape_give_the_score_itself():
    truth, found = np.repeat(range(8), 4), np.tile([0, 0, 0, 1], 8) + 2 * np.repeat(range(8), 4)
    result = sampled_reference_scores(truth, found)
    assert result.value["pair_recall_score"] == pytest.approx(pair_recall_score(truth, found))
    assert result.value["pair_precision_score"] == 1.0
    assert result.interval["pair_precision_score"] == (1.0, 1.0)
    assert result.known_share == 1.0


# --------------------------------------------------------------------------- result, errors


def test_the_result_as_text_html_and_frame():
    known = known_only(TRUTH, {"c2", "c4"})
    with pytest.warns(UndefinedMetricWarning, match="is undefined where the known") as told:
        result = sampled_reference_scores(known, list(range(8)), beta=0)
    assert [str(one.message).split()[0] for one in told] == ["pair_precision_score", "pair_f_score"]
    assert repr(result).splitlines()[2].split() == ["pair_precision_score", "-", "-", "-", "-"]
    assert "<caption" in result._repr_html_()
    frame = result.to_frame()
    assert frame.index.tolist() == MEASURES
    assert frame["value"].tolist() == pytest.approx(list(result.value.values()), nan_ok=True)
    assert list(zip(frame["low"], frame["high"], strict=True))[4] == result.interval[MEASURES[4]]


@pytest.mark.parametrize(
    "function",
    [
        adjusted_rand_score,
        clustering_comparison_report,
        lambda y, found: score_candidates(y, [found], indices="rand_score"),
    ],
)
def test_a_partial_reference_elsewhere_names_this_function(function):
    for missing in (None, math.nan):
        for y in ([0, 0, 1, missing], pd.Series(["a", "b", "b", missing], dtype="category")):
            with pytest.raises(ValueError, match=r"option; sampled_reference_scores is"):
                function(y, [0, 1, 1, 1])
    with pytest.raises(ValueError, match=r"at position 1; .* missing='drop'[^;]*$"):
        function([0, 1], [0, math.nan])
