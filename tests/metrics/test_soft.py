"""Measures of one soft partition."""

import math

import numpy as np
import pytest
from scipy import sparse

import sklearn_clustcompare
from sklearn_clustcompare import frobenius_adjusted_rand_score
from tests._examples import slow
from tests._memberships import FORMS, SOFT_FORMS, one_hot, random_memberships
from tests.conftest import CASES


def encode(labels):
    """Number any labels in order of appearance."""
    order = list(dict.fromkeys(labels))
    return np.array([order.index(label) for label in labels])


@pytest.mark.parametrize("form", SOFT_FORMS)
def test_partition_coefficient_and_entropy_by_definition(form):
    u = random_memberships(25, 4, 3)
    weights = np.linspace(0, 2, 25)
    shares = weights / weights.sum()
    tolerance = 1e-6 if form == "float32" else 1e-13
    squares = math.fsum(x * x for x in u.ravel()) / 25
    bits = -math.fsum(x * math.log2(x) for x in u.ravel() if x) / 25
    weighted = math.fsum(w * x * x for w, row in zip(shares, u, strict=True) for x in row)
    given_form = FORMS[form](u)
    coefficient = sklearn_clustcompare.metrics.partition_coefficient
    entropy = sklearn_clustcompare.metrics.partition_entropy
    assert coefficient(given_form) == pytest.approx(squares, rel=tolerance)
    assert coefficient(given_form, sample_weight=weights) == pytest.approx(weighted, rel=tolerance)
    assert entropy(given_form, base=2) == pytest.approx(bits, rel=tolerance)
    assert entropy(given_form) == pytest.approx(bits * math.log(2), rel=tolerance)


@pytest.mark.parametrize(
    "name",
    [slow(name) if name.startswith("thousands") else name for name in CASES if len(CASES[name][0])],
)
def test_partition_coefficient_and_entropy_of_crisp_and_of_equal_memberships(name):
    labels = encode(CASES[name][0])
    assert sklearn_clustcompare.metrics.partition_coefficient(one_hot(labels)) == 1.0
    assert sklearn_clustcompare.metrics.partition_entropy(one_hot(labels)) == 0.0
    equal = np.full((len(labels), 8), 1 / 8)
    assert sklearn_clustcompare.metrics.partition_coefficient(equal) == pytest.approx(1 / 8)
    assert sklearn_clustcompare.metrics.partition_entropy(equal, base=2) == pytest.approx(3)


@pytest.mark.slow
@pytest.mark.parametrize("density", [0.05, 0.09, 0.12, 0.9])
@pytest.mark.parametrize("weighted", [False, True])
def test_sparse_memberships_of_any_density_count_as_dense_ones(density, weighted):
    """From a tenth on, their blocks become dense."""
    rng = np.random.default_rng(0)
    sides = [rng.random((4000, 30)) * (rng.random((4000, 30)) < density - 1 / 30) for _ in range(2)]
    for side in sides:
        side[:, 0] += 0.01
        side /= side.sum(axis=1, keepdims=True)
    weights = rng.integers(1, 5, size=4000) if weighted else None
    compressed = [sparse.csr_array(side) for side in sides]
    dense = frobenius_adjusted_rand_score(*sides, sample_weight=weights)
    for pair in (compressed, [compressed[0], sides[1]], [sides[0], compressed[1]]):
        found = frobenius_adjusted_rand_score(*pair, sample_weight=weights)
        assert found == pytest.approx(dense, rel=1e-9, abs=1e-14)
