"""Soft partitions under permutation of the objects: exact moments, FARI, Monte Carlo."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from sklearn_clustcompare import (
    ContingencyTable,
    adjusted_rand_score,
    chance_adjusted_score,
    frobenius_adjusted_rand_score,
    get_index,
    independence_test,
    rand_score,
    soft_self_agreement,
    standardized_rand_score,
)
from sklearn_clustcompare.indices._soft import permuted_square_sum
from tests.test_soft import SEEDS, one_hot, random_memberships

ENUMERATED = {
    "soft": (random_memberships(5, 3, 0), random_memberships(5, 2, 1)),
    "few": (random_memberships(3, 3, 2), random_memberships(3, 2, 3)),
    "two objects": (random_memberships(2, 3, 4, 2.0), random_memberships(2, 2, 5, 2.0)),
    "one cluster": (random_memberships(5, 3, 6), np.ones((5, 1))),
    "all alike": (random_memberships(5, 3, 6), np.full((5, 2), 0.5)),
    "labels": (one_hot([0, 0, 1, 1, 2]), random_memberships(5, 3, 7)),
    "singletons": (np.eye(6), random_memberships(6, 3, 8)),
    "nearly crisp": (
        0.98 * one_hot([0, 0, 0, 1, 1]) + 0.01,
        0.98 * one_hot([0, 0, 1, 1, 1]) + 0.01,
    ),
    "crisp": (one_hot([0, 0, 1, 1, 2, 2]), one_hot([0, 0, 0, 1, 1, 1])),
}


def permutations(v):
    return [v[list(order)] for order in itertools.permutations(range(len(v)))]


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


def fari_by_definition(u, v):
    """Scale the n x n similarities, compare them, subtract the mean over all orders of v."""
    n_objects = len(u)
    ones = np.ones((n_objects, n_objects))

    def scaled(memberships):
        similarity = memberships @ memberships.T
        return similarity * similarity.sum() / (similarity**2).sum()

    def rand(first, second):
        agreement = np.sum(first * second) + np.sum((ones - first) * (ones - second))
        return (agreement - n_objects) / (n_objects * (n_objects - 1))

    first = scaled(u)
    expected = np.mean([rand(first, scaled(order)) for order in permutations(v)])
    return (rand(first, scaled(v)) - expected) / (1 - expected)


def of_tables(name, u, v):
    index = get_index(name)
    return [
        index(ContingencyTable.from_memberships(u, order, moments=True))
        for order in permutations(v)
    ]


# --------------------------------------------------------------------------- moments


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


# --------------------------------------------------------------------------- adjustment


@pytest.mark.parametrize("name", ["soft", "labels", "nearly crisp", "few"])
@pytest.mark.parametrize(
    "index", ["rand_score", "mirkin_distance", "adjusted_rand_score", "adjusted_wallace_score"]
)
def test_exact_expected_value_is_the_mean_over_all_orders(index, name):
    u, v = ENUMERATED[name]
    values = of_tables(index, u, v)
    if get_index(index).greater_is_better:
        found = chance_adjusted_score(u, v, index=index, method="exact")
        assert found.expected == pytest.approx(np.mean(values), rel=1e-10, abs=1e-12)
        best = (values[0] - np.mean(values)) / (1 - np.mean(values))
        assert found == pytest.approx(best, rel=1e-9)
    else:
        found = chance_adjusted_score(u, v, index=index, method="exact")
        assert found.expected == pytest.approx(np.mean(values), rel=1e-10)


def test_adjusted_rand_of_soft_tables_is_not_centred_by_itself_but_adjusted_it_is():
    u, v = ENUMERATED["soft"]
    values = of_tables("adjusted_rand_score", u, v)
    assert abs(np.mean(values)) > 1e-3
    adjusted = [chance_adjusted_score(u, order, index="rand_score") for order in permutations(v)]
    assert np.mean(adjusted) == pytest.approx(0, abs=1e-12)


def test_adjusted_rand_of_memberships_equals_that_of_labels_where_they_are_crisp():
    u, v = ENUMERATED["crisp"]
    adjusted = chance_adjusted_score(u, v, index="rand_score", method="exact")
    assert adjusted == pytest.approx(adjusted_rand_score(u, v), rel=1e-12)


def test_monte_carlo_comes_within_its_standard_error_of_the_mean_over_all_orders():
    u, v = ENUMERATED["soft"]
    name = "normalized_mutual_info_score"
    found = chance_adjusted_score(
        u, v, index=name, method="monte_carlo", n_resamples=1000, random_state=0
    )
    values = of_tables(name, u, v)
    error = np.std(values) / math.sqrt(1000)
    assert abs(found.expected - np.mean(values)) < 4 * error
    # Of the score, error * (1 - value) / (1 - expected)^2.
    slope = (1 - values[0]) / (1 - np.mean(values)) ** 2
    assert found.standard_error == pytest.approx(error * slope, rel=0.1)


@pytest.mark.parametrize("possibilistic", [False, True])
def test_monte_carlo_does_not_depend_on_the_number_of_jobs(possibilistic):
    u, v = random_memberships(50, 3, 0), random_memberships(50, 4, 1)
    if possibilistic:
        u, v = 0.9 * u, u[:, :1] * v
    scores = [
        chance_adjusted_score(
            u,
            v,
            index="normalized_mutual_info_score",
            method="monte_carlo",
            n_resamples=250,
            random_state=3,
            n_jobs=n_jobs,
            possibilistic=possibilistic,
        )
        for n_jobs in (1, 2)
    ]
    assert scores[0] == scores[1]
    assert scores[0].standard_error > 0


def test_possibilistic_mean_is_that_over_all_orders():
    rng = np.random.default_rng(0)
    u, v = rng.random((5, 3)), rng.random((5, 2))
    index = get_index("normalized_mutual_info_score")
    values = [
        index(ContingencyTable.from_memberships(u, order, possibilistic=True))
        for order in permutations(v)
    ]
    found = chance_adjusted_score(
        u, v, index=index.name, possibilistic=True, n_resamples=1000, random_state=0
    )
    assert abs(found.expected - np.mean(values)) < 4 * np.std(values) / math.sqrt(1000)
    for name in ("rand_score", "frobenius_adjusted_rand_score"):
        with pytest.raises(ValueError, match="possibilistic partitions.*'monte_carlo'"):
            chance_adjusted_score(u, v, index=name, possibilistic=True, method="exact")
    with pytest.raises(ValueError, match="possibilistic partitions must be adjusted .*Monte Carlo"):
        get_index("standardized_rand_score")(
            ContingencyTable.from_memberships(u, v, possibilistic=True, moments=True)
        )


@pytest.mark.parametrize("name", ["frobenius_adjusted_rand_score", "standardized_rand_score"])
def test_independence_is_where_indices_of_moments_are_zero(name):
    u, v = ENUMERATED["soft"]
    drawn = np.mean(of_tables(name, u, v))
    assert drawn == pytest.approx(0, abs=1e-9)


def test_monte_carlo_of_an_index_that_needs_moments():
    u, v = random_memberships(20, 3, 0), random_memberships(20, 2, 1)
    index = "frobenius_adjusted_rand_score"
    found = chance_adjusted_score(
        u, v, index=index, method="monte_carlo", n_resamples=200, random_state=0
    )
    assert abs(found.expected) < 4 * found.standard_error
    assert found == pytest.approx(frobenius_adjusted_rand_score(u, v), abs=0.1)


def test_indices_of_information_have_no_exact_mean_for_memberships():
    u, v = ENUMERATED["soft"]
    with pytest.raises(ValueError, match="monte_carlo"):
        chance_adjusted_score(u, v, index="normalized_mutual_info_score", method="exact")


def test_independence_test_of_memberships_permutes_the_objects():
    u, v = ENUMERATED["soft"]
    values = np.array(of_tables("mutual_info_score", u, v))
    result = independence_test(u, v, method="monte_carlo", n_resamples=1000, random_state=0)
    assert result.statistic == pytest.approx(values[0], rel=1e-12)
    share = np.mean(values >= values[0] * (1 - 1e-9))
    assert abs(result.pvalue - share) < 4 * math.sqrt(share * (1 - share) / 1000) + 1 / 1000
    assert abs(result.mean - values.mean()) < 4 * values.std() / math.sqrt(1000)
    assert result.standard_deviation == pytest.approx(values.std(), rel=0.1)
    for method in ("gamma", "cantelli"):
        with pytest.raises(ValueError, match="monte_carlo"):
            independence_test(u, v, method=method)


# --------------------------------------------------------------------------- FARI


@pytest.mark.parametrize(
    "name", [name for name in ENUMERATED if name not in ("one cluster", "all alike")]
)
def test_fari_by_definition(name):
    u, v = ENUMERATED[name]
    assert frobenius_adjusted_rand_score(u, v) == pytest.approx(
        fari_by_definition(u, v), rel=1e-10, abs=1e-12
    )


@given(n_samples=st.integers(2, 5), seed=SEEDS)
def test_fari_by_definition_for_any_memberships(n_samples, seed):
    u = random_memberships(n_samples, 3, seed, 1.0)
    v = random_memberships(n_samples, 2, seed + 1, 1.0)
    found = frobenius_adjusted_rand_score(u, v)
    if not (u - u[0]).any() or not (v - v[0]).any():
        return
    assert found == pytest.approx(fari_by_definition(u, v), rel=1e-7, abs=1e-9)


@pytest.mark.parametrize("name", ["soft", "few", "labels", "nearly crisp", "crisp"])
def test_mean_of_fari_over_all_orders_is_zero(name):
    u, v = ENUMERATED[name]
    values = of_tables("frobenius_adjusted_rand_score", u, v)
    assert np.mean(values) == pytest.approx(0, abs=1e-12)
    assert np.ptp(values) > 0.1


@given(data=st.data(), n_samples=st.integers(2, 40))
def test_fari_of_labels_is_the_adjusted_rand_index(data, n_samples):
    labels = st.lists(st.integers(0, 4), min_size=n_samples, max_size=n_samples)
    true, pred = data.draw(labels), data.draw(labels)
    expected = adjusted_rand_score(true, pred)
    for u, v in ((true, pred), (one_hot(true), pred), (sparse.csr_array(one_hot(true)), pred)):
        assert frobenius_adjusted_rand_score(u, v) == pytest.approx(expected, abs=1e-12)
    soft = [1e-9 + (1 - 5e-9) * np.eye(5)[side] for side in (true, pred)]
    if expected not in (0, 1):
        assert frobenius_adjusted_rand_score(*soft) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("form", [np.asarray, np.float32, sparse.csr_array])
@given(n_samples=st.integers(2, 60), n_clusters=st.integers(1, 5), seed=SEEDS)
def test_fari_of_a_partition_and_itself_is_one(form, n_samples, n_clusters, seed):
    u = random_memberships(n_samples, n_clusters, seed)
    renamed = u[:, np.random.default_rng(seed).permutation(n_clusters)]
    assert frobenius_adjusted_rand_score(form(u), form(renamed)) == pytest.approx(1, abs=1e-9)


def test_expected_agreement_with_itself_is_not_one_but_fari_is():
    u = np.random.default_rng(0).dirichlet(np.ones(4), 5000)
    assert frobenius_adjusted_rand_score(u, u) == pytest.approx(1, abs=1e-12)
    assert soft_self_agreement(u) == pytest.approx(0.04, abs=0.005)
    assert soft_self_agreement(u) == adjusted_rand_score(u, u)


def test_fari_of_possibilistic_memberships_by_definition():
    rng = np.random.default_rng(1)
    u, v = rng.random((6, 3)), rng.random((6, 2))
    found = frobenius_adjusted_rand_score(u, v, possibilistic=True)
    assert found == pytest.approx(fari_by_definition(u, v), rel=1e-10)
    assert frobenius_adjusted_rand_score(u, u, possibilistic=True) == pytest.approx(1, abs=1e-12)


def test_tables_without_moments_say_how_to_keep_them():
    table = ContingencyTable.from_memberships(*ENUMERATED["soft"])
    for name in ("frobenius_adjusted_rand_score", "standardized_rand_score"):
        with pytest.raises(ValueError, match="moments=True"):
            get_index(name)(table)
    assert rand_score(*ENUMERATED["soft"]) == get_index("rand_score")(table)
