"""Arithmetic that keeps its digits, against mpmath."""

import math

import mpmath
import pytest

from sklearn_clustcompare._numerics import log_gamma_tail


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


@pytest.mark.parametrize("shape", [1e-3, 0.3, 1, 2, 2.5, 50, 99.9, 100.1, 1e3, 1e5, 1e8])
def test_logarithm_of_a_tail_of_the_gamma_law(shape):
    for deviations in (38, 60, 200, 1e3, 1e5):
        value = shape + deviations * math.sqrt(shape)
        with mpmath.workdps(60):
            expected = float(tail_by_its_continued_fraction(shape, value))
        assert log_gamma_tail(shape, value) == pytest.approx(expected, rel=1e-13)
