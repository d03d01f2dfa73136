"""Random numbers of copies against SciPy's laws, and weights against repeated objects."""

import itertools

import numpy as np
import pytest
from scipy import stats

from sklearn_clustcompare import permutation_test
from sklearn_clustcompare._chance import copies, permuted_objects
from sklearn_clustcompare._chance.copies import random_tables
from sklearn_clustcompare._chance.divided import hypergeometric
from sklearn_clustcompare._chance.normal_products import NormalProducts
from sklearn_clustcompare._chance.permuted_objects import PermutedObjects
from sklearn_clustcompare._partition import DEFAULT, read
from tests._examples import slow


def drawn(numbers, size, seed=0):
    full = (np.full(size, number) for number in numbers)
    return hypergeometric(*full, np.random.RandomState(seed))


@pytest.mark.parametrize(
    ("good", "bad", "taken"),
    [
        (5, 7, 6),
        (12, 12, 12),
        (15, 15, 20),
        (200, 300, 499),
        (100, 40, 120),
        (1000, 11, 500),
        (10, 10**6, 10**5),
        (10**5, 10**5, 777),
        (3, 10**5, 10**4),
    ],
)
def test_numbers_have_the_hypergeometric_law(good, bad, taken):
    found = drawn((good, bad, taken), 20_000)
    law = stats.hypergeom(good + bad, good, taken)
    assert found.min() >= max(0, taken - bad)
    assert found.max() <= min(good, taken)
    values = np.unique(np.quantile(found, np.linspace(0.02, 0.98, 30), method="lower"))
    at_most = (found[:, np.newaxis] <= values).mean(axis=0)
    error = np.sqrt(law.cdf(values) * law.sf(values) / len(found))
    assert (np.abs(at_most - law.cdf(values)) <= 5 * error + 1e-12).all()


@pytest.mark.parametrize("total", [10**12, 2**53])
def test_numbers_of_very_many_are_normal(total):
    good, taken = total // 3, total // 5
    mean = taken * (good / total)
    deviation = np.sqrt(mean * (1 - good / total) * (1 - taken / total))
    found = drawn((good, total - good, taken), 20_000)
    assert stats.kstest((found - mean) / deviation, "norm").pvalue > 0.001


def test_none_and_all_are_certain():
    for good, bad, taken, expected in [
        (20, 30, 0, 0),
        (20, 30, 50, 20),
        (0, 30, 9, 0),
        (9, 0, 4, 4),
    ]:
        assert (drawn((good, bad, taken), 3) == expected).all()


@pytest.mark.parametrize("many", [0, 2**60])  # divided, or by SciPy
def test_tables_have_their_margins_and_the_variance_of_each_cell(many, monkeypatch):
    monkeypatch.setattr(copies, "_MANY_COPIES", many)
    rows, cols = np.array([40, 7, 53, 1]), np.array([30, 11, 60])
    tables = random_tables(rows, cols, 20_000, np.random.RandomState(0))
    assert (tables.sum(axis=2) == rows).all()
    assert (tables.sum(axis=1) == cols).all()
    assert tables.min() == 0
    n = rows.sum()
    mean = np.outer(rows, cols) / n
    variance = mean * np.outer(n - rows, n - cols) / (n * (n - 1))
    error = np.sqrt(variance / len(tables))
    assert (np.abs(tables.mean(axis=0) - mean) <= 5 * error).all()
    np.testing.assert_allclose(tables.var(axis=0), variance, rtol=0.1)


def memberships(n_objects, seed=0):
    rng = np.random.default_rng(seed)
    return rng.dirichlet(np.ones(3), n_objects), rng.dirichlet(np.ones(4), n_objects)


@pytest.mark.parametrize("weight", [10**9, 2**53 // 12])
@pytest.mark.parametrize("blocks", [None, np.arange(12) // 4])
def test_weights_of_any_size_are_drawn(weight, blocks):
    options = {"index": "normalized_mutual_info_score", "method": "monte_carlo", "blocks": blocks}
    weights = np.full(12, weight)
    test = permutation_test(
        *memberships(12), sample_weight=weights, n_resamples=19, random_state=0, **options
    )
    assert test.pvalue == 0.05
    assert 0 < test.null_distribution.std() < 1e-4
    with pytest.raises(ValueError, match=r"^sample_weight must sum to at most 2\*\*53 to permute"):
        permutation_test(*memberships(12), sample_weight=2**50 * np.arange(12), **options)


def test_many_kinds_of_objects_are_not_repeated(monkeypatch):
    monkeypatch.setattr(permuted_objects, "_FEW_CELLS", 9)
    monkeypatch.setattr(permuted_objects, "_FEW_COPIES", 9)
    U, V = memberships(9)
    labels = np.arange(9) % 2
    for sides, weight, n_cells in [
        ((U, V), 3, None),  # of fewer copies than cells
        ((U, V), 9, 81),
        ((U, labels), 2, 18),
        ((U, labels), 1, None),
    ]:
        true, pred = (read(side, "labels") for side in sides)
        found = PermutedObjects.of(true, [pred], np.full(9, weight), DEFAULT, moments=False)
        assert (found.copies and found.copies.n_cells) == n_cells
        assert found.true.n_objects == (9 if found.copies else 9 * weight)


def in_the_limit(sides, weights, blocks=None, moments=False):
    true, *preds = (read(side, "labels") for side in sides)
    found = PermutedObjects.of(true, preds, weights, DEFAULT, blocks, moments=moments)
    return found if found.normal else None


def test_the_limit_is_taken_where_no_pair_moves_a_product_by_much(monkeypatch):
    monkeypatch.setattr(permuted_objects, "_FEW_CELLS", 100)
    sides, weights = memberships(40), np.arange(40) + 10**4
    assert in_the_limit(sides, weights)
    assert not in_the_limit(sides, weights // 100)  # of few copies
    assert not in_the_limit([side.argmax(axis=1) for side in sides], weights)  # of whole counts
    rare = np.append(weights, 1)
    one_alone = [np.vstack([side, np.eye(1, side.shape[1])]) for side in sides]
    assert in_the_limit(one_alone, rare)
    # Clusters that nothing but one object is in: it meets itself, or not.
    of_one = [np.hstack([side, np.zeros((41, 1))]) for side in one_alone]
    for side in of_one:
        side[-1] = np.arange(side.shape[1]) == side.shape[1] - 1
    assert not in_the_limit(of_one, rare)


def test_products_in_the_limit_have_the_mean_and_the_variances_of_copies():
    U, V = memberships(12, 2)
    weights, blocks = np.arange(12) % 4 + 2**20, np.repeat([0, 1], [5, 7])
    sides = read(U, "labels"), [read(V, "labels"), read(V[:, ::-1].copy(), "labels")]
    drawn = NormalProducts.of(*sides, weights, blocks).draw(2000, 0)
    found = np.array([np.hstack(products) for products in drawn])
    mean, covariance = 0.0, 0.0
    for block in (blocks == 0, blocks == 1):
        w, u, v = weights[block], U[block], np.hstack([V, V[:, ::-1]])[block]
        n = w.sum()
        mean = mean + np.outer(w @ u, w @ v) / n
        spread = np.diag(w) - np.outer(w, w) / n
        covariance = covariance + np.kron(u.T @ spread @ u, v.T @ spread @ v) / (n - 1)
    deviation = np.sqrt(np.diag(covariance)).reshape(mean.shape)
    assert (np.abs(found.mean(axis=0) - mean) <= 5 * deviation / np.sqrt(len(found))).all()
    centered = (found - mean).reshape(len(found), -1) / deviation.ravel()
    correlations = covariance / np.outer(deviation, deviation)
    np.testing.assert_allclose(centered.T @ centered / len(found), correlations, atol=0.11)
    np.testing.assert_allclose(found.sum(axis=2)[:, 0], 2 * (weights @ U)[0], rtol=1e-12)


BLOCKS = np.repeat([0, 1], [5, 7])


@pytest.mark.parametrize(
    ("case", "blocks", "n_resamples"),
    [
        *itertools.product(["memberships", "mixed", "labels"], [None, BLOCKS], [29]),
        slow("memberships", None, 9_999),
    ],
)
def test_weights_have_the_law_of_repeated_objects(case, blocks, n_resamples, monkeypatch):
    U, V = memberships(12, 1)
    sides = {
        "memberships": (U, V),
        "mixed": (U, V.argmax(axis=1)),
        "labels": (U.argmax(axis=1), V.argmax(axis=1)),
    }[case]
    weights = np.arange(12) % 4 * 5
    options = {"index": "normalized_mutual_info_score", "method": "monte_carlo"}
    options |= {"n_resamples": n_resamples, "random_state": 0}
    again = np.repeat(np.arange(12), weights)
    repeated = permutation_test(
        *(side[again] for side in sides),
        blocks=None if blocks is None else blocks[again],
        **options,
    )
    for many in (0, 2**60):
        monkeypatch.setattr(copies, "_MANY_COPIES", many)
        weighted = permutation_test(*sides, sample_weight=weights, blocks=blocks, **options)
        assert weighted.statistic == pytest.approx(repeated.statistic, rel=1e-12)
        nulls = weighted.null_distribution, repeated.null_distribution
        assert stats.ks_2samp(*nulls).pvalue > 0.001


@pytest.mark.slow
def test_many_different_weights_have_the_law_of_repeated_objects(monkeypatch):
    monkeypatch.setattr(permuted_objects, "_FEW_CELLS", 100)
    monkeypatch.setattr(permuted_objects, "_FEW_COPIES", 100)
    rng = np.random.default_rng(4)
    sides = memberships(24, 3)
    weights = rng.permutation(24) * 200 + 5000
    assert in_the_limit(sides, weights)
    options = {"index": "normalized_mutual_info_score", "method": "monte_carlo"}
    options |= {"n_resamples": 9_999, "random_state": 1}
    weighted = permutation_test(*sides, sample_weight=weights, **options)
    # Exact tables of copies, which have the law of repeated objects.
    monkeypatch.setattr(permuted_objects, "_FEW_CELLS", 2**16)
    exact = permutation_test(*sides, sample_weight=weights, **options)
    nulls = weighted.null_distribution, exact.null_distribution
    assert stats.ks_2samp(*nulls).pvalue > 0.001
    assert weighted.statistic == exact.statistic
