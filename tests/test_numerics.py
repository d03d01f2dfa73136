"""Arithmetic that keeps its digits, against mpmath."""

import math

import mpmath
import numpy as np
import pytest
from scipy.stats import rankdata

from sklearn_clustcompare._numerics import (
    TIE,
    are_best,
    equal_ties,
    is_symmetric,
    log_gamma_tail,
    ranked,
    silhouettes_of,
    whole_multiples,
)
from tests._examples import slow


def tail_by_its_continued_fraction(shape, value, n_terms=3000):
    shape, value = mpmath.mpf(shape), mpmath.mpf(value)
    rest = mpmath.mpf(0)
    for step in range(n_terms, 0, -1):
        rest = step * (shape - step) / (value + 2 * step + 1 - shape + rest)
    density = shape * mpmath.log(value) - value - mpmath.loggamma(shape)
    return density - mpmath.log(value + 1 - shape + rest)


@pytest.mark.parametrize(("shape", "value"), [(2.5, 60), (50, 400), (1000, 3000)])
def test_the_reference_agrees_with_the_incomplete_gamma_function(shape, value):
    with mpmath.workdps(50):
        tail = mpmath.gammainc(shape, value, mpmath.inf, regularized=True)
        expected = tail_by_its_continued_fraction(shape, value)
        assert abs(mpmath.log(tail) - expected) < 1e-30


@pytest.mark.parametrize(
    "shape", [1e-3, 2.5, 100.1, *map(slow, (0.3, 1, 2, 50, 99.9, 1e3, 1e5, 1e8))]
)
def test_logarithm_of_a_tail_of_the_gamma_law(shape):
    for deviations in (38, 60, 200, 1e3, 1e5):
        value = shape + deviations * math.sqrt(shape)
        with mpmath.workdps(60):
            expected = float(tail_by_its_continued_fraction(shape, value))
        assert log_gamma_tail(shape, value) == pytest.approx(expected, rel=1e-13)


@pytest.mark.parametrize("method", ["min", "average"])
@pytest.mark.parametrize("greater_is_better", [True, False])
def test_values_that_are_no_ties_are_ranked_as_by_scipy(greater_is_better, method):
    values = np.random.default_rng(0).integers(-3, 4, size=(50, 8)) / 7
    values[0, :4] = np.inf, -np.inf, np.inf, 0.0
    finite = np.clip(values, -1e300, 1e300)  # old versions of SciPy take infinities for NaN
    expected = rankdata(-finite if greater_is_better else finite, method=method, axis=1)
    found = ranked(values, greater_is_better=greater_is_better, method=method)
    assert found.tolist() == expected.tolist()
    best = values.max(axis=1) if greater_is_better else values.min(axis=1)
    is_best = are_best(values, greater_is_better=greater_is_better)
    assert (is_best == (values == best[:, np.newaxis])).all()


@pytest.mark.parametrize("scale", [1e-200, 1.0, -1.0, 1e200])
def test_rounding_makes_no_order(scale):
    values = np.array([1.0, 1 + 0.9 * TIE, 1 + 3 * TIE, 1 - 3 * TIE]) * scale
    ranks = [2, 2, 1, 4] if scale > 0 else [2, 2, 4, 1]
    assert ranked(values).tolist() == ranks
    assert ranked(values, method="average")[:2].tolist() == [2.5, 2.5]
    assert are_best(values[:2]).all()
    assert are_best(values[:2], greater_is_better=False).all()


def test_nan_shares_the_last_rank_and_is_never_the_best():
    values = np.array([np.nan, -np.inf, 2.0, np.nan])
    for greater_is_better, ranks in ((True, [3, 2, 1, 3]), (False, [3, 1, 2, 3])):
        assert ranked(values, greater_is_better=greater_is_better).tolist() == ranks
    assert ranked(np.full(2, np.nan)).tolist() == [1, 1]
    assert not are_best(np.full(2, np.nan)).any()
    assert ranked(np.zeros(0)).shape == are_best(np.zeros(0)).shape == (0,)


def test_ties_become_equal_and_keep_their_order():
    values = np.array([3.0, 3 * (1 + 0.9 * TIE), 3 * (1 - 3 * TIE), 1.0, 3 * (1 + 4 * TIE)])
    assert equal_ties(values).tolist() == [3.0, 3.0, values[2], 1.0, values[4]]


@pytest.mark.parametrize("unit", [0.1, 0.3, 1 / 3, np.pi, 1e-20, 1e20, 2.0**-40])
def test_a_common_unit_is_found(unit):
    rng = np.random.default_rng(0)
    for largest in (1, 3, 50, 10**5):
        whole = rng.integers(1, largest + 1, 40)
        found = whole_multiples(whole * unit * (1 + 1e-15 * rng.normal(size=40)))
        assert found.tolist() == (whole // np.gcd.reduce(whole)).tolist()


def test_numbers_without_a_common_unit_have_none():
    assert whole_multiples(np.random.default_rng(0).random(20)) is None
    assert whole_multiples(np.array([1.0, np.pi, np.e])) is None
    # Up to rounding, and as long as all numbers are not such multiples.
    assert whole_multiples(np.array([2.0, 3 * (1 + 0.9 * TIE)])).tolist() == [2, 3]
    assert whole_multiples(np.array([2.0, 3 * (1 + 5 * TIE), 7.1234567])) is None
    assert whole_multiples(np.array([0.1, 9e9])).tolist() == [1, 9 * 10**10]
    assert whole_multiples(np.array([0.1, 1.1e10])) is None


@pytest.mark.parametrize(
    ("within", "nearest", "expected"),
    [(1.0, 4.0, 0.75), (4.0, 1.0, -0.75), (2.0, 2.0, 0.0), (0.0, 0.0, 0.0)],
)
def test_a_silhouette_is_the_gap_over_the_larger_distance(within, nearest, expected):
    found = silhouettes_of(np.array([within]), np.array([nearest]))
    assert found.tolist() == [expected]


@pytest.mark.parametrize("n_objects", [0, 1, 3, 300])  # the last one in several tiles
def test_symmetry_is_up_to_rounding(n_objects):
    matrix = np.random.default_rng(0).normal(size=(n_objects, n_objects))
    matrix += matrix.T
    assert is_symmetric(matrix)
    for gap, is_so in [(0.9e-8, True), (1.1e-8, False)]:
        other = matrix.copy()
        other[-1:, :1] += gap * np.abs(matrix).max(initial=0)
        assert is_symmetric(other) == (is_so or n_objects < 2)
