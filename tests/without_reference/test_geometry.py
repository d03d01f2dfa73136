"""Silhouette, dispersion and valley of partitions, from distances."""

import itertools

import numpy as np
import pytest
from scipy import sparse
from scipy.spatial.distance import cdist
from sklearn.metrics import silhouette_samples

from sklearn_clustcompare.without_reference._gap import log_dispersion
from sklearn_clustcompare.without_reference._geometry import Geometry


def saddle_by_all_paths(steps, start, end):
    """Return the longest step of the path whose longest step is shortest, of all paths."""
    others = [one for one in range(len(steps)) if one not in (start, end)]
    return min(
        max(steps[one, other] for one, other in itertools.pairwise([start, *between, end]))
        for length in range(len(others) + 1)
        for between in itertools.permutations(others, length)
    )


def valley_by_definition(X, labels):
    D = cdist(X, X)
    cores = np.sort(D, axis=1)[:, min(5, len(X) - 1)]
    steps = np.maximum(D, np.maximum(cores[:, np.newaxis], cores))
    e = 0.05 * np.median([D[i, j] for i, j in itertools.combinations(range(len(X)), 2)])
    clusters = [np.flatnonzero(labels == one) for one in np.unique(labels[labels != -1])]
    centers = [one[np.argmin(cores[one])] for one in clusters]
    lowest = []
    for a, center in enumerate(centers):
        ratios = []
        for b, other in enumerate(centers):
            if a != b:
                r = max(np.median(cores[clusters[a]]), np.median(cores[clusters[b]]))
                ratios.append(np.log((saddle_by_all_paths(steps, center, other) + e) / (r + e)))
        lowest.append(min(ratios))
    return np.mean(lowest) * np.mean(labels != -1)


@pytest.mark.parametrize("seed", range(6))
def test_valley_is_that_of_the_best_of_all_paths(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(7, 2)) * [3, 1]
    labels = np.array([0, 0, 1, 1, 2, 2, 2])
    if seed % 2:
        labels = rng.permutation([0, 0, 0, 1, 1, -1, 1])
    found = Geometry(X).statistics(labels)[1]
    assert found == pytest.approx(valley_by_definition(X, labels), abs=1e-12)


@pytest.mark.parametrize("n_clusters", [2, 3, 7])
def test_silhouette_and_dispersion_are_those_of_the_functions(n_clusters):
    rng = np.random.default_rng(n_clusters)
    X = rng.normal(size=(40, 3))
    labels = rng.integers(n_clusters, size=40)
    labels[:n_clusters] = np.arange(n_clusters)
    labels[labels == 0] = 1
    labels[0] = 0  # a cluster of one object
    silhouette, _, dispersion = Geometry(X).statistics(labels)
    assert silhouette == pytest.approx(silhouette_samples(X, labels).mean(), abs=1e-12)
    assert dispersion == pytest.approx(log_dispersion(X, labels, 1), abs=1e-12)


def test_noise_is_in_no_cluster_and_has_silhouette_zero():
    rng = np.random.default_rng(0)
    X, labels = rng.normal(size=(30, 2)), rng.integers(-1, 3, size=30)
    is_noise = labels == -1
    known = silhouette_samples(X[~is_noise], labels[~is_noise])
    assert Geometry(X).statistics(labels)[0] == pytest.approx(known.sum() / 30, abs=1e-12)


def test_nothing_found_has_neither_silhouette_nor_valley():
    geometry = Geometry(np.random.default_rng(0).normal(size=(12, 2)))
    assert geometry.statistics(np.full(12, -1))[:2] == (0.0, 0.0)
    assert geometry.statistics(np.zeros(12, int))[:2] == (0.0, 0.0)


def test_sparse_data_and_equal_objects():
    X = np.random.default_rng(0).poisson(0.5, (20, 6)).astype(float)
    labels = np.arange(20) % 3
    dense = Geometry(X).statistics(labels)
    assert Geometry(sparse.csr_array(X)).statistics(labels) == pytest.approx(dense, abs=1e-7)
    equal = Geometry(np.ones((6, 2))).statistics(np.arange(6) % 2)
    assert equal[:2] == (0.0, 0.0)


def test_the_parts_of_a_bent_cluster_have_no_valley():
    rng = np.random.default_rng(0)
    angle = rng.uniform(0, np.pi, 200)
    bent = 5 * np.column_stack([np.cos(angle), np.sin(angle)]) + 0.2 * rng.normal(size=(200, 2))
    halves = (angle > np.pi / 2).astype(int)
    apart = bent + np.where(halves, -3.0, 0.0)[:, np.newaxis] * [1, 0]
    assert Geometry(bent).statistics(halves)[1] < 0.5
    assert Geometry(apart).statistics(halves)[1] > 1
