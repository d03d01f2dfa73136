"""Soft partitions under permutation of the objects: exact moments."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import ks_2samp

from sklearn_clustcompare import ContingencyTable, frobenius_adjusted_rand_score, permutation_test
from sklearn_clustcompare.indices._pairs import permuted_square_sum
from sklearn_clustcompare.metrics import standardized_rand_score
from tests._examples import slow
from tests._memberships import ENUMERATED, SEEDS, one_hot, random_memberships


def exact_square_sums(u, v):
    """Return sum n_ij^2 for every order of the objects of v, in exact arithmetic."""
    u, v = ([[Fraction(x) for x in row] for row in side.tolist()] for side in (u, v))
    first, second = (
        [[sum(map(Fraction.__mul__, x, y)) for y in side] for x in side] for side in (u, v)
    )
    objects = range(len(u))
    return [
        sum(first[k][m] * second[order[k]][order[m]] for k in objects for m in objects)
        for order in itertools.permutations(objects)
    ]


@pytest.mark.parametrize("name", ENUMERATED)
def test_mean_and_variance_of_the_sum_of_squared_cells(name):
    u, v = ENUMERATED[name]
    sums = exact_square_sums(u, v)
    mean = sum(sums) / len(sums)
    variance = sum((one - mean) ** 2 for one in sums) / len(sums)
    found = permuted_square_sum(ContingencyTable.from_memberships(u, v, moments=True))
    assert found.mean == pytest.approx(float(mean), rel=1e-13)
    assert found.variance == pytest.approx(float(variance), rel=1e-9, abs=1e-14)


@given(n_samples=st.integers(1, 5), seed=SEEDS)
def test_moments_for_any_memberships(n_samples, seed):
    u = random_memberships(n_samples, 4, seed)
    v = random_memberships(n_samples, 3, seed + 1)
    sums = np.array([float(one) for one in exact_square_sums(u, v)])
    found = permuted_square_sum(ContingencyTable.from_memberships(u, v, moments=True))
    assert found.mean == pytest.approx(sums.mean(), rel=1e-13)
    assert found.variance == pytest.approx(sums.var(), rel=1e-8, abs=1e-13)


@pytest.mark.slow
@pytest.mark.parametrize("concentration", [0.1, 10.0])
def test_moments_of_many_objects_against_random_orders(concentration):
    n_samples, n_draws = 300, 4000
    rng = np.random.default_rng(0)
    u = random_memberships(n_samples, 5, 1, concentration)
    v = random_memberships(n_samples, 3, 2, concentration)
    draws = [np.sum((u.T @ v[rng.permutation(n_samples)]) ** 2) for _ in range(n_draws)]
    found = permuted_square_sum(ContingencyTable.from_memberships(u, v, moments=True))
    deviation = math.sqrt(found.variance)
    assert abs(np.mean(draws) - found.mean) < 4 * deviation / math.sqrt(n_draws)
    # The statistic is skewed like chi squared: the variance of its sample variance is not normal's.
    kurtosis = np.mean((draws - np.mean(draws)) ** 4) / np.var(draws) ** 2
    error = math.sqrt((kurtosis - 1) / n_draws)
    assert abs(np.var(draws) / found.variance - 1) < 4 * error
    assert error < 0.2


@pytest.mark.parametrize("spread", [1e-2, 1e-4])
def test_moments_of_memberships_that_hardly_differ(spread):
    rng = np.random.default_rng(0)
    u, v = (1 / k + spread * rng.uniform(-1, 1, (5, k)) for k in (4, 2))
    u[:, -1] = 1 - u[:, :-1].sum(axis=1)
    v[:, -1] = 1 - v[:, :-1].sum(axis=1)
    sums = exact_square_sums(u, v)
    mean = sum(sums) / len(sums)
    variance = float(sum((one - mean) ** 2 for one in sums) / len(sums))
    found = permuted_square_sum(ContingencyTable.from_memberships(u, v, moments=True))
    assert found.mean == pytest.approx(float(mean), rel=1e-14)
    # |x_k|^2 is a difference of numbers of order 1, and is of order spread^2.
    assert found.variance == pytest.approx(variance, rel=1e-14 / spread**2)


@pytest.mark.parametrize("name", ["soft", "labels", "nearly crisp"])
def test_standardized_rand_is_the_distance_from_the_mean_in_standard_deviations(name):
    u, v = ENUMERATED[name]
    sums = np.array([float(one) for one in exact_square_sums(u, v)])
    expected = (sums[0] - sums.mean()) / sums.std()
    assert standardized_rand_score(u, v) == pytest.approx(expected, rel=1e-9)


def test_standardized_rand_of_crisp_memberships_by_either_way():
    labels = np.array([0, 0, 1, 1, 1, 2, 2, 0]), np.array([0, 0, 0, 1, 1, 1, 2, 2])
    soft = [1e-9 + (1 - 3e-9) * one_hot(side) for side in labels]
    assert standardized_rand_score(*soft) == pytest.approx(
        standardized_rand_score(*labels), rel=1e-6
    )


def test_weights_are_frequencies_for_moments():
    u, v = random_memberships(9, 3, 0), random_memberships(9, 4, 1)
    weights = np.array([1, 2, 3, 1, 0, 4, 1, 1, 2])
    repeated = [np.repeat(side, weights, axis=0) for side in (u, v)]
    for function in (frobenius_adjusted_rand_score, standardized_rand_score):
        assert function(u, v, sample_weight=weights) == pytest.approx(
            function(*repeated), rel=1e-12
        )


@pytest.mark.parametrize("n_draws", [299, slow(9999)])
def test_frequencies_have_the_law_of_repeated_objects(n_draws):
    rng = np.random.default_rng(0)
    u, v = rng.dirichlet(np.ones(3), 12), rng.dirichlet(np.ones(2), 12)
    weights = rng.integers(0, 5, 12)
    repeated = [np.repeat(side, weights, axis=0) for side in (u, v)]
    options = {"index": "purity_score", "n_resamples": n_draws}
    first, second = (
        permutation_test(*sides, sample_weight=given, random_state=seed, **options)
        for sides, given, seed in (((u, v), weights, 0), (repeated, None, 1))
    )
    # Rounded, since many tables have one value but for rounding errors.
    laws = [one.null_distribution.round(12) for one in (first, second)]
    assert ks_2samp(*laws).pvalue > 0.01
    assert first.statistic == pytest.approx(second.statistic, rel=1e-12)
