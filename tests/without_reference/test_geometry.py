"""Silhouettes of partitions, and how much denser cores are than the passes between them."""

import numpy as np
import pytest
from scipy import sparse
from scipy.spatial.distance import cdist, pdist, squareform
from sklearn.metrics import silhouette_samples

from sklearn_clustcompare.without_reference._geometry import Passes, is_division, silhouettes
from sklearn_clustcompare.without_reference._null_data import spread


def data(seed, n_features=3):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(36, n_features)) + 4 * np.repeat(rng.normal(size=(3, n_features)), 12, 0)
    return X, np.repeat([0, 1, 2], 12)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array, lambda X: squareform(pdist(X))])
def test_silhouettes_are_those_of_scikit_learn(seed, form):
    X, labels = data(seed)
    other = np.where(np.arange(36) < 20, 5, 7)
    pairs = "distances" if form(X).shape == (36, 36) else None
    found = silhouettes(form(X), [labels, np.zeros(36), other], pairs)
    expected = [silhouette_samples(X, one).mean() for one in (labels, other)]
    np.testing.assert_allclose([found[0], found[2]], expected, rtol=1e-12)
    assert np.isnan(found[1])


def test_noise_is_in_no_cluster_and_counts_as_zero():
    X, labels = data(0)
    labels[[0, 20]] = -1
    known = labels != -1
    expected = silhouette_samples(X[known], labels[known]).sum() / 36
    assert silhouettes(X, [labels], None) == [pytest.approx(expected)]


def test_clusters_of_five_objects_are_outliers():
    assert is_division(np.repeat([0, 1], [6, 30]))
    assert not is_division(np.repeat([0, 1], [5, 31]))
    assert not is_division(np.repeat([-1, 1], [10, 30]))


def ratio_by_definition(X, labels, m):
    """Return the ratio with single linkage by growing sets of objects that steps join."""
    D = cdist(X, X)
    balls = np.sort(D, axis=1)[:, m]
    steps = np.maximum(D, np.maximum.outer(balls, balls))
    clusters = [np.flatnonzero(labels == one) for one in np.unique(labels)]
    densest = [one[np.argsort(balls[one], kind="stable")] for one in clusters]
    ratios = []
    for own in densest:
        others = {one[0] for one in densest} - {own[0]}
        for longest in np.unique(steps[~np.eye(len(X), dtype=bool)]):
            reached, fresh = {own[0]}, {own[0]}
            while fresh:
                near = np.flatnonzero((steps[list(fresh)] <= longest).any(axis=0))
                fresh = set(near.tolist()) - reached
                reached |= fresh
            if reached & others:
                break
        core = own[: len(own) // 4]
        ratios.append(np.mean([np.sum(D[one] <= longest) - 1 for one in core]) / m)
    return min(ratios)


@pytest.mark.parametrize("seed", range(4))
def test_the_ratio_is_that_of_its_definition(seed):
    X, labels = data(seed)
    expected = ratio_by_definition(X, labels, 5)
    assert Passes(X, None).ratio(labels) == pytest.approx(expected)
    assert Passes(X[:, [2, 0, 1]] * 7 + 1e6, None).ratio(labels) == pytest.approx(expected)
    assert Passes(squareform(pdist(X)), "distances").ratio(labels) == pytest.approx(expected)
    assert Passes(sparse.csr_array(X), None).ratio(labels) == pytest.approx(
        ratio_by_definition(
            np.linalg.svd(X - X.mean(0), full_matrices=False)[0][:, :2]
            * np.linalg.svd(X - X.mean(0))[1][:2],
            labels,
            5,
        )
    )


def test_separated_clusters_have_a_larger_ratio_than_halves_of_one():
    rng = np.random.default_rng(0)
    X, labels = rng.normal(size=(200, 2)), np.repeat([0, 1], 100)
    halves = Passes(X, None).ratio((X[:, 0] > 0).astype(int))
    assert halves < 1.5 < 3 < Passes(X + 8 * labels[:, np.newaxis], None).ratio(labels)


def test_rounded_values_are_spread_within_their_rounding():
    rng = np.random.default_rng(0)
    X = np.column_stack(
        [np.round(rng.normal(0, 4, 200)), rng.normal(size=200), rng.integers(4, size=200)]
    )
    found = spread(X)
    np.testing.assert_array_equal(found[:, 1:], X[:, 1:])
    assert len(np.unique(found[:, 0])) == 200
    values = np.unique(X[:, 0])
    for one, moved in zip(X[:, 0], found[:, 0], strict=True):
        nearest = min(abs(one - other) for other in values if other != one)
        assert 0 < abs(moved - one) <= nearest / 2
    np.testing.assert_array_equal(found, spread(X))
