"""Indices of information, against their definitions in fifty digits."""

import math
from collections import Counter

import mpmath
import numpy as np
import pytest
from hypothesis import given

from sklearn_clustcompare import ContingencyTable
from tests import _oracles as oracles
from tests.indices._truth import (
    FIXED_PAIRS,
    ORDERS,
    approx,
    enumerated_mean,
    of_table,
    small_pairs,
    value_of,
)


@pytest.fixture(autouse=True)
def _fifty_digits():
    with mpmath.workdps(50):
        yield


def test_adjusted_mutual_info_of_many_tiny_clusters():
    rng = np.random.default_rng(2)
    labels_true = rng.integers(700, size=1500)
    labels_pred = np.where(rng.random(1500) < 0.5, labels_true, rng.integers(750, size=1500))
    cells = Counter(zip(labels_true.tolist(), labels_pred.tolist(), strict=True))
    rows, cols = Counter(labels_true.tolist()), Counter(labels_pred.tolist())
    joint, true, pred = (oracles.entropy(sizes.values()) for sizes in (cells, rows, cols))
    mean = oracles.expected_mutual_info(rows.values(), cols.values())
    expected = (true + pred - joint - mean) / ((true + pred) / 2 - mean)
    value = value_of("adjusted_mutual_info_score", labels_true, labels_pred)
    assert value == approx(expected, rel=1e-12)


@pytest.mark.parametrize("q", ORDERS)
@pytest.mark.parametrize("pair", FIXED_PAIRS)
def test_variation_of_information_over_its_mean(pair, q):
    def variation(labels_true, labels_pred):
        return oracles.Information(oracles.dense_table(labels_true, labels_pred), q).variation

    expected = variation(*pair) / enumerated_mean(variation, *pair)
    value = value_of("variation_of_information_distance", *pair, q=q, normalize="expected")
    assert value == approx(expected, rel=1e-13)
    adjusted = value_of("adjusted_mutual_info_score", *pair, q=q)
    assert adjusted == approx(1 - expected, rel=1e-13)


@given(small_pairs)
def test_adjusted_mutual_info_of_order_two_is_adjusted_rand(pair):
    rand = value_of("adjusted_rand_score", *pair)
    assert value_of("adjusted_mutual_info_score", *pair, q=2) == approx(rand, 1e-13, 1e-13)


@pytest.mark.parametrize("base", [2, 10, math.e])
@given(pair=small_pairs)
def test_base_is_a_unit(base, pair):
    for name in (
        "mutual_info_score",
        "conditional_entropy",
        "variation_of_information_distance",
    ):
        nats = value_of(name, *pair)
        assert value_of(name, *pair, base=base) == approx(nats / math.log(base), abs=0)


def test_variation_of_information_of_independent_partitions_is_the_joint_entropy():
    # Rounding leads to 1.0000000000000002.
    table = ContingencyTable.from_counts([[2, 2, 3], [4, 4, 6]])
    assert of_table("variation_of_information_distance", table, normalize="joint") == 1.0


@given(small_pairs)
def test_variation_of_information_of_order_two_is_mirkin_over_squared_n(pair):
    mirkin = value_of("mirkin_distance", *pair, normalize=True)
    value = value_of("variation_of_information_distance", *pair, q=2)
    assert value == approx(mirkin, abs=1e-300)


def test_order_close_to_one_is_close_to_shannon():
    table = ContingencyTable.from_counts([[5, 1, 2], [1, 7, 0]])
    for name in (
        "mutual_info_score",
        "normalized_mutual_info_score",
        "adjusted_mutual_info_score",
        "variation_of_information_distance",
        "conditional_entropy",
    ):
        shannon = of_table(name, table)
        for q in (1 - 1e-9, 1 + 1e-9):
            assert of_table(name, table, q=q) == approx(shannon, rel=1e-7)
