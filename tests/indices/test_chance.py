"""The adjusted mutual information keeps its digits on both sides of a change of formula."""

from collections import Counter

import mpmath
import numpy as np
import pytest

from sklearn_clustcompare import adjusted_mutual_info_score
from tests import _oracles as oracles
from tests._examples import slow
from tests._laws import labels_of_table


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
