"""Indices of pairs of objects, against counts of the pairs in fractions."""

import itertools
import math
from fractions import Fraction

import mpmath
import pytest
from hypothesis import given

from sklearn_clustcompare import ContingencyTable, pair_confusion_matrix
from sklearn_clustcompare.indices import _pairs as _coefficients
from tests import _oracles as oracles
from tests._deviations import PRINTED_BAULIEU_1
from tests.indices._truth import (
    FIXED_PAIRS,
    LARGE,
    approx,
    defined,
    enumerated_mean,
    of_table,
    small_pairs,
    value_of,
)

ROUNDED_ONCE = sorted(set(oracles.PAIR_INDICES) - {"fowlkes_mallows_score"})


@pytest.fixture(autouse=True)
def _fifty_digits():
    with mpmath.workdps(50):
        yield


@given(small_pairs)
def test_pairs_of_a_table_are_those_of_objects(pair):
    counted = oracles.pair_counts(*pair)
    assert oracles.pair_counts_of_table(oracles.dense_table(*pair)) == counted
    (n00, n01), (n10, n11) = pair_confusion_matrix(*pair) // 2
    assert (n11, n10, n01, n00) == counted


def test_every_coefficient_has_its_formula_here():
    assert set(_coefficients.COEFFICIENTS) == set(oracles.COEFFICIENTS)


# Printed in the documentation of the R package partitionComparison.
PRINTED_COEFFICIENTS = {
    "baulieu_2": 0.04,
    "fager_mcgowan": 0.25,
    "gower_legendre": 0.75,
    "mcconnaughey": 0,
    "sokal_sneath_1": 7 / 12,
    "sokal_sneath_2": 0.2,
    "sokal_sneath_3": 1 / 3,
    "pearson": 1 / 144,
    "peirce": 1 / 6,
}


@pytest.mark.parametrize("name", PRINTED_COEFFICIENTS)
def test_printed_value_of_coefficient(name):
    value = value_of("pair_counting_score", [0, 0, 0, 1, 1], [0, 0, 1, 1, 1], coefficient=name)
    assert value == approx(PRINTED_COEFFICIENTS[name], rel=1e-15, abs=1e-15)


def test_value_of_baulieu_1_is_not_the_printed_one():
    printed, by_definition, _ = PRINTED_BAULIEU_1
    pair = [0, 0, 0, 1, 1], [0, 0, 1, 1, 1]
    both, true_only, pred_only, neither = oracles.pair_counts(*pair)
    differ = true_only + pred_only
    total = both + differ + neither
    assert (total**2 - total * differ + differ**2) / total**2 == printed
    assert (total**2 - total * differ + (true_only - pred_only) ** 2) / total**2 == by_definition
    assert value_of("pair_counting_score", *pair, coefficient="baulieu_1") == by_definition


def test_printed_value_of_fowlkes_mallows():
    assert value_of("fowlkes_mallows_score", [0, 0, 0, 1, 1], [0, 0, 1, 1, 1]) == 0.5


@given(small_pairs)
def test_relations_between_pair_indices(pair):
    rand = value_of("rand_score", *pair)
    n = len(pair[0])
    mirkin = value_of("mirkin_distance", *pair, normalize=True)
    assert mirkin == approx((n - 1) / n * (1 - rand), abs=1e-15)
    assert value_of("mirkin_distance", *pair) == approx(n * n * mirkin)
    assert value_of("pair_counting_score", *pair) == approx(2 * rand - 1)
    dice = value_of("pair_counting_score", *pair, coefficient="czekanowski")
    assert dice == approx(value_of("pair_f_score", *pair))
    swapped = value_of("adjusted_wallace_score", *pair[::-1])
    assert value_of("adjusted_wallace_score", *pair, given="pred") == swapped


@pytest.mark.slow
@pytest.mark.parametrize("name", oracles.LINEAR_COEFFICIENTS)
@pytest.mark.parametrize("pair", FIXED_PAIRS)
def test_adjusted_coefficient_is_adjusted_by_the_mean_over_all_permutations(name, pair):
    def coefficient(labels_true, labels_pred):
        counted = oracles.pair_counts(labels_true, labels_pred)
        value = oracles.COEFFICIENTS[name](*counted)
        return mpmath.mpf(value.numerator) / value.denominator if _is_exact(value) else value

    mean = enumerated_mean(coefficient, *pair)
    expected = (coefficient(*pair) - mean) / (1 - mean)
    value = value_of("pair_counting_score", *pair, coefficient=name, adjusted=True)
    assert value == approx(expected, rel=1e-13)


def _is_exact(value):
    return isinstance(value, int | Fraction)


@pytest.mark.parametrize("pair", FIXED_PAIRS)
def test_adjusted_rand_and_wallace_are_adjusted_by_the_mean_over_all_permutations(pair):
    def joined(labels_true, labels_pred):
        return oracles.pair_counts(labels_true, labels_pred)[0]

    n11, n10, n01, _ = oracles.pair_counts(*pair)
    mean = enumerated_mean(joined, *pair)
    adjusted_rand = (n11 - mean) / (mpmath.mpf(2 * n11 + n10 + n01) / 2 - mean)
    assert value_of("adjusted_rand_score", *pair) == approx(adjusted_rand)
    for given_side, n_pairs in (("true", n11 + n10), ("pred", n11 + n01)):
        wallace = (n11 - mean) / (n_pairs - mean)
        value = value_of("adjusted_wallace_score", *pair, given=given_side)
        assert value == approx(wallace)


@pytest.mark.slow
@pytest.mark.parametrize("name", ROUNDED_ONCE)
@given(counts=LARGE)
def test_pair_index_of_many_objects_is_rounded_once(name, counts):
    expected = defined(oracles.PAIR_INDICES[name], *oracles.pair_counts_of_table(counts))
    if expected is not None:
        assert of_table(name, ContingencyTable.from_counts(counts)) == float(expected)


@pytest.mark.parametrize("name", ROUNDED_ONCE)
def test_pair_index_of_as_many_objects_as_an_integer_can_hold(name):
    counts = [[2**60, 2**61 - 1, 3], [2**59 + 1, 2**61 + 5, 2**60 - 7]]
    expected = oracles.PAIR_INDICES[name](*oracles.pair_counts_of_table(counts))
    assert of_table(name, ContingencyTable.from_counts(counts)) == float(expected)


def test_pairs_of_fractional_weights_use_real_n():
    table = ContingencyTable.from_counts([[2.5, 1.0], [0.5, 3.5]])
    pairs = [n * (n - 1) / 2 for n in (2.5, 1.0, 0.5, 3.5)]
    both = math.fsum(pairs)
    true = 3.5 * 2.5 / 2 + 4 * 3 / 2
    pred = 3 * 2 / 2 + 4.5 * 3.5 / 2
    assert pair_confusion_matrix(table)[1, 1] == 2 * both
    assert of_table("pair_jaccard_score", table) == approx(both / (true + pred - both))
    total = 7.5 * 6.5 / 2
    assert of_table("rand_score", table) == approx((total - true - pred + 2 * both) / total)


def test_enumeration_counts_each_arrangement_once():
    assert len(oracles.distinct_arrangements([0, 0, 1, 2])) == 12
    assert list(itertools.islice(oracles.distinct_arrangements([0, 1]), 2)) == [(0, 1), (1, 0)]
