"""The headline holds what the functions return, and what enumeration of the matchings gives."""

import itertools
import math
import warnings
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_clustcompare import (
    adjusted_mutual_info_score,
    adjusted_rand_score,
    clustering_comparison_report,
    frobenius_adjusted_rand_score,
    score_interval,
)
from sklearn_clustcompare.significance import independence_test
from tests import _oracles as oracle
from tests._examples import FEW_EXAMPLES

TRUE = ["fish"] * 40 + ["bird"] * 40 + ["frog"] * 20
PRED = [0] * 36 + [1] * 44 + [2] * 10 + [1] * 10
labelings = st.integers(1, 25).flatmap(
    lambda n: st.tuples(*[st.lists(st.integers(0, 4), min_size=n, max_size=n)] * 2)
)


def headline(*labels, **keywords):
    with warnings.catch_warnings():
        warnings.simplefilter("error", UndefinedMetricWarning)
        return clustering_comparison_report(*labels, **keywords).headline


def test_values_are_those_of_the_functions():
    result = headline(TRUE, PRED)
    assert result.scores == {
        "adjusted_rand_score": adjusted_rand_score(TRUE, PRED),
        "adjusted_mutual_info_score": adjusted_mutual_info_score(TRUE, PRED),
    }
    for name, ends in result.intervals.items():
        expected = score_interval(TRUE, PRED, index=name)
        assert ends == pytest.approx(expected.interval, rel=1e-12)
        assert ends[0] < result.scores[name] < ends[1]
    assert len(result.intervals) == 2
    test = independence_test(TRUE, PRED)
    assert (result.pvalue, result.pvalue_method) == (test.pvalue, test.method)


def test_two_clusters_on_each_side_are_tested_exactly():
    true, pred = [0] * 6 + [1] * 6, [0] * 5 + [1] * 7
    result = headline(true, pred)
    assert result.pvalue_method == "exact"
    assert result.pvalue == independence_test(true, pred, method="exact").pvalue


@FEW_EXAMPLES
@given(labelings)
def test_p_value_is_not_below_the_probability_of_the_table(labels):
    pvalue = headline(*labels).pvalue
    true, pred = (np.unique(side, return_inverse=True)[1] for side in labels)
    sizes = [np.bincount(true), np.bincount(pred)]
    counts = np.array(oracle.dense_table(*labels)).ravel()
    ways = math.prod(math.factorial(size) for side in sizes for size in side.tolist())
    ways_of_cells = math.prod(math.factorial(count) for count in counts.tolist())
    probability = Fraction(ways, ways_of_cells * math.factorial(len(true)))
    assert pvalue is None or pvalue >= float(probability) * (1 - 1e-9)


def test_p_value_of_pairs_that_are_all_found():
    # Of all 20! orders, those that keep the pairs together: 10! orders of pairs, 2 in each.
    pairs = np.repeat(range(10), 2)
    expected = math.factorial(10) * 2**10 / math.factorial(20)
    assert headline(pairs, pairs).pvalue == pytest.approx(expected)


def test_the_sentence():
    report = clustering_comparison_report(TRUE, PRED)
    result, data = report.headline, report.to_dict()["headline"]
    (low, high) = result.intervals["adjusted_rand_score"]
    assert data["text"].startswith(
        f"ARI {result.scores['adjusted_rand_score']:.2f} [{low:.2f}, {high:.2f}], AMI "
    )
    share = float(report.decomposition.true.lost_share.max())
    power = int(data["text"].split("(p < 1e")[1].split(")")[0])
    assert 10.0 ** (power - 1) <= result.pvalue < 10.0**power
    assert data["text"].endswith(
        "): 1 of 3 clusters kept, 1 split, 1 merged; worst: "
        f"frog, {share:.1%} of the lost information"
    )
    assert data["verdicts"] == {"kept": 1, "split": 1, "merged": 1}
    assert data["worst"] == {"label": "frog", "size": 20, "lost_share": share}
    assert data["intervals"]["adjusted_rand_score"] == [low, high]


def test_equal_partitions():
    text = clustering_comparison_report(TRUE, TRUE).to_dict()["headline"]["text"]
    assert text.startswith("ARI 1.00 [0.91, 1.00], AMI 1.00 [0.87, 1.00] (p < 1e")
    assert text.endswith("): 3 of 3 clusters kept")


@pytest.mark.slow
@given(labelings)
def test_unmatched_objects_by_all_matchings(labels):
    counts = np.array(oracle.dense_table(*labels))
    report = clustering_comparison_report(*labels)
    result, lost_share = report.headline, report.decomposition.true.lost_share
    n_rows, n_cols = counts.shape
    padded = np.zeros((max(n_rows, n_cols),) * 2, int)
    padded[:n_rows, :n_cols] = counts
    places = np.arange(len(padded))
    kept = max(padded[places, list(order)].sum() for order in itertools.permutations(places))
    assert result.unmatched.sum() == counts.sum() - kept
    assert (result.unmatched >= 0).all()
    if result.worst is None:
        assert not lost_share.any()
    else:
        assert lost_share[result.worst] == lost_share.max() > 0
    assert sum(result.verdicts.values()) == n_rows
    if result.pvalue is not None:
        assert 0 <= result.pvalue <= 1
    for name, (low, high) in result.intervals.items():
        assert low <= result.scores[name] <= high


def test_weights_count_objects():
    weights = np.random.default_rng(0).integers(0, 4, size=len(TRUE))
    repeated = headline(np.repeat(TRUE, weights), np.repeat(PRED, weights))
    weighted = headline(TRUE, PRED, sample_weight=weights)
    assert weighted.scores == repeated.scores
    assert weighted.intervals == repeated.intervals
    assert weighted.pvalue == repeated.pvalue
    np.testing.assert_array_equal(weighted.unmatched, repeated.unmatched)


def test_no_interval_and_no_p_value_without_single_objects():
    memberships = np.random.default_rng(0).dirichlet([0.2, 0.2, 0.2], size=len(TRUE))
    soft = headline(TRUE, memberships)
    assert soft.scores == {
        "frobenius_adjusted_rand_score": frobenius_adjusted_rand_score(TRUE, memberships)
    }
    groups = headline(TRUE, PRED, within=[0, 1] * 50)
    assert len(groups.scores) == 2
    proportions = clustering_comparison_report(TRUE, PRED, sample_weight=[0.5] * 100).headline
    for result in (soft, groups, proportions):
        assert result.intervals == {}
        assert (result.pvalue, result.pvalue_method) == (None, None)


@pytest.mark.parametrize("labels", [([], []), ([0], [0]), ([0, 1, 1], [0, 0, 1])])
def test_few_objects_have_no_interval(labels):
    report = clustering_comparison_report(*labels)
    assert report.headline.intervals == {}
    assert report.to_dict()["headline"]["text"] in report.replace("\n", " ")


def test_large_tables_have_intervals():
    rng = np.random.default_rng(0)
    true = rng.integers(200, size=40_000)
    pred = rng.integers(200, size=40_000)
    result = headline(true, pred)
    low, high = result.intervals["adjusted_rand_score"]
    assert low < 0 < high
    assert 0.01 < result.pvalue < 0.99
