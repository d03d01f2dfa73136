"""Indices of information, against their definitions in fifty digits."""

import math
from collections import Counter

import mpmath
import numpy as np
import pytest
from hypothesis import given

from sklearn_clustcompare import ContingencyTable
from tests import _oracles as oracles
from tests._examples import FEW_EXAMPLES
from tests.indices._truth import (
    AVERAGES,
    FIXED_PAIRS,
    LARGE,
    ORDERS,
    approx,
    bounded_tables,
    enumerated_mean,
    of_table,
    small_pairs,
    value_of,
)


@pytest.fixture(autouse=True)
def _fifty_digits():
    with mpmath.workdps(50):
        yield


@given(small_pairs)
def test_chi_squared_sums_over_all_cells(pair):
    expected = oracles.chi_squared(oracles.dense_table(*pair))
    assert value_of("chi_squared_statistic", *pair) == approx(expected, abs=1e-13)


@pytest.mark.parametrize("q", ORDERS)
@pytest.mark.parametrize("pair", FIXED_PAIRS)
def test_adjusted_mutual_info_is_adjusted_by_the_mean_over_all_permutations(pair, q):
    def information(labels_true, labels_pred):
        return oracles.Information(oracles.dense_table(labels_true, labels_pred), q)

    mean = enumerated_mean(lambda *labels: information(*labels).mutual, *pair)
    this = information(*pair)
    for average_method in AVERAGES:
        expected = (this.mutual - mean) / (this.bound(average_method) - mean)
        value = value_of("adjusted_mutual_info_score", *pair, q=q, average_method=average_method)
        assert value == approx(expected, rel=1e-13)


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


def check_information(counts, q, rel):
    table = ContingencyTable.from_counts(counts)
    this = oracles.Information(counts, q)

    # The fifty digits of the definition have rounding of their own.
    def expected(value, absolute=1e-300):
        return approx(0 if abs(value) < 1e-40 else value, rel, absolute)

    # Near independence, MI_q is a sum of small terms for q = 1 only.
    rounding = 1e-300 if q == 1 else 2e-15 * float(this.joint)
    information = of_table("mutual_info_score", table, q=q)
    assert information == expected(this.mutual, rounding)
    distance = of_table("variation_of_information_distance", table, q=q)
    assert distance == expected(this.variation)
    conditional = of_table("conditional_entropy", table, q=q)
    assert conditional == expected(this.joint - this.pred)
    if table.is_identity:
        return
    assert of_table("variation_of_information_distance", table, q=q, normalize="joint") == expected(
        this.variation / this.joint
    )
    for average_method in [*AVERAGES, "joint"]:
        bound = this.bound(average_method)
        value = of_table("normalized_mutual_info_score", table, q=q, average_method=average_method)
        if bound > 1e-40:
            assert value == expected(this.mutual / bound, rounding / float(bound))
        else:
            assert value == 0
    if q == 1:
        largest = max(this.true, this.pred)
        assert of_table("normalized_information_distance", table) == expected(
            1 - this.mutual / largest
        )
        # These are one minus something: near zero they are exact in absolute terms only.
        homogeneity = this.mutual / this.true if this.true else 1
        completeness = this.mutual / this.pred if this.pred else 1
        assert of_table("homogeneity_score", table) == approx(homogeneity, rel, rel)
        assert of_table("completeness_score", table) == approx(completeness, rel, rel)
        for beta in (0, 0.3, 1, 2):
            both = beta * homogeneity + completeness
            v_measure = (1 + beta) * homogeneity * completeness / both if both else 0
            value = of_table("v_measure_score", table, beta=beta)
            assert value == approx(v_measure, 2 * rel, 2 * rel)


@pytest.mark.parametrize("q", ORDERS)
@pytest.mark.parametrize("max_count", [1, 3, 20])
def test_information_of_small_tables(q, max_count):
    @FEW_EXAMPLES
    @given(bounded_tables(max_count))
    def check(counts):
        check_information(counts, q, rel=1e-13)

    check()


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


@pytest.mark.parametrize("q", ORDERS)
@given(counts=LARGE)
def test_information_of_many_objects(q, counts):
    check_information(counts, q, rel=1e-13)


# Deviations from independence of one in a thousand, a million, and less than one object.
NEAR_INDEPENDENCE = (
    [
        [
            [10**3 * i * j + d for j, d in zip((2, 3, 5), row, strict=True)]
            for i, row in enumerate(deviations, start=1)
        ]
        for deviations in ([(1, -1, 0), (-1, 0, 1)], [(1, 0, 0), (0, 0, 0)])
    ]
    + [
        [[scale + step, scale - step], [scale - step, scale + step]]
        for scale, step in ((10**6, 1), (10**11, 10**5), (10**11, 1))
    ]
    + [
        [[2 * scale + step, 3 * scale - step], [4 * scale - step, 6 * scale + step]]
        for scale, step in ((10**6, 1), (7 * 10**10 + 1, 10**5), (7 * 10**10 + 1, 1))
    ]
    + [[[333333333333, 222222222222], [111111111111, 74074074074]]]
)


@pytest.mark.parametrize("counts", NEAR_INDEPENDENCE, ids=str)
def test_mutual_information_near_independence(counts):
    table = ContingencyTable.from_counts(counts)
    this = oracles.Information(counts)
    mutual = this.mutual if this.mutual > 1e-40 else 0
    assert of_table("mutual_info_score", table) == approx(mutual, rel=1e-13, abs=0)
    value = of_table("normalized_mutual_info_score", table)
    expected = mutual / this.bound("arithmetic")
    assert value == approx(expected, rel=1e-13, abs=0)


@pytest.mark.parametrize("counts", NEAR_INDEPENDENCE, ids=str)
def test_chi_squared_near_independence(counts):
    value = of_table("chi_squared_statistic", ContingencyTable.from_counts(counts))
    assert value == approx(oracles.chi_squared(counts), rel=1e-12, abs=0)


NEAR_IDENTITY = [
    [[10**12 - 1, 1], [0, 10**12]],
    [[10**12, 0, 1], [0, 10**6, 0], [2, 0, 3]],
    [[10**12, 1], [1, 1]],
    [[10**12, 0], [1, 1]],
    [[999_999, 0, 1], [0, 1, 0], [0, 0, 5 * 10**11]],
]


@pytest.mark.parametrize("q", ORDERS)
@pytest.mark.parametrize("counts", NEAR_IDENTITY, ids=str)
def test_information_near_identity(counts, q):
    check_information(counts, q, rel=1e-13)
