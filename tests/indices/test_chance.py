"""Standardized values and p-values by all permutations; adjusted information keeps its digits."""

import math
from collections import Counter

import mpmath
import numpy as np
import pytest
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_clustcompare import (
    adjusted_mutual_info_score,
    standardized_mutual_info_score,
)
from sklearn_clustcompare.metrics import standardized_rand_score
from tests import _oracles as oracles
from tests._examples import slow
from tests._laws import (
    TRIVIAL_IDENTICAL_MARGINS,
    TRIVIAL_MARGINS,
    labels_of,
    labels_of_table,
)


def exact_values(labels_true, labels_pred):
    """Return the index, and the mean of the mutual information as a share of the entropies'."""
    pairs = zip(labels_true.tolist(), labels_pred.tolist(), strict=True)
    cells, true, pred = (
        list(Counter(codes).values())
        for codes in (pairs, labels_true.tolist(), labels_pred.tolist())
    )
    with mpmath.workdps(50):
        joint, *sides = map(oracles.entropy, (cells, true, pred))
        bound = mpmath.fsum(sides) / 2
        mean = oracles.expected_mutual_info(true, pred)
        return float((2 * bound - joint - mean) / (bound - mean)), float(mean / bound)


def singletons_and_pairs(*pairs):
    labels = np.arange(1000)
    for first, second in pairs:
        labels[second] = first
    return labels


def regular(size):
    """Return clusters of one size, and the same with one object of each handed on."""
    labels = np.arange(120) // size
    return labels, np.roll(labels, 1)


@pytest.mark.parametrize("excess", [1, slow(2), slow(3), slow(5)])
def test_adjusted_mutual_info_of_large_clusters_near_independence(excess):
    """The mutual information and its mean are small: neither may be a difference of entropies."""
    labels = labels_of_table([[1000 + excess, 1000 - excess], [1000 - excess, 1000 + excess]])
    expected, share = exact_values(*labels)
    assert share < 2e-4
    assert adjusted_mutual_info_score(*labels) == pytest.approx(expected, rel=1e-14, abs=0)


@pytest.mark.parametrize(
    "labels",
    [
        (singletons_and_pairs((0, 1)), singletons_and_pairs((2, 3))),
        (singletons_and_pairs((0, 1), (2, 3)), singletons_and_pairs((2, 3), (4, 5))),
    ],
    ids=["independent", "one pair of two"],
)
def test_adjusted_mutual_info_near_singletons(labels):
    """The mutual information and its mean are close to the entropies: so is their difference."""
    expected, share = exact_values(*labels)
    assert 0.999 < share < 1
    assert adjusted_mutual_info_score(*labels) == pytest.approx(expected, rel=0, abs=1e-15)


@pytest.mark.parametrize(
    ("size", "is_below"), [(2, False), (3, False), (5, False), (6, True), (20, True)]
)
def test_adjusted_mutual_info_where_its_mean_is_half_the_entropies(size, is_below):
    labels = regular(size)
    expected, share = exact_values(*labels)
    assert (share < 0.5) == is_below
    assert adjusted_mutual_info_score(*labels) == pytest.approx(expected, rel=0, abs=1e-15)


# --------------------------------------------------------------------------- standardized


def test_equal_partitions_need_not_have_the_highest_standardized_scores():
    """Of ten equally likely values of the joined candidate one is higher, by 3 deviations."""
    truth, joined = [2, 0, 1, 1, 1], [0, 0, 1, 1, 1]
    for function in (standardized_mutual_info_score, standardized_rand_score):
        assert function(truth, joined) == pytest.approx(3, rel=1e-12)
        assert 2 < function(truth, truth) < 2.6


@pytest.mark.parametrize("function", [standardized_mutual_info_score, standardized_rand_score])
@pytest.mark.parametrize("margins", [*TRIVIAL_MARGINS, *TRIVIAL_IDENTICAL_MARGINS], ids=str)
def test_standardized_score_without_variance(function, margins):
    labels = [labels_of(sizes) for sizes in margins]
    with pytest.warns(UndefinedMetricWarning, match=function.__name__) as record:
        assert function(*labels) == 0.0
    assert len(record) == 1
    assert function(*labels, zero_variance=0.5) == 0.5
    assert math.isnan(function(*labels, zero_variance=math.nan))


@pytest.mark.parametrize("function", [standardized_mutual_info_score, standardized_rand_score])
def test_standardized_score_of_balanced_partitions_without_variance(function):
    """Two clusters of two against three and one: all tables have the same cells."""
    with pytest.warns(UndefinedMetricWarning, match="zero_variance"):
        assert function([0, 0, 1, 1], [0, 0, 0, 1]) == 0.0
