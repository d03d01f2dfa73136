"""Every clustering with as small an inertia is as near as stated."""

import itertools
import math
import re
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from sklearn.cluster import KMeans
from sklearn.datasets import load_iris, make_blobs

from sklearn_clustcompare import misclassification_distance, optimality_interval
from sklearn_clustcompare.without_reference._optimality import _Clustered
from tests._examples import slow

CORNERS = np.array([[0, 0], [8, 0], [4, 7]])


@cache
def clusterings(n, k):
    """Return all clusterings of n objects into k clusters, numbered in order of appearance."""
    found = [(0,)]
    for _ in range(n - 1):
        found = [(*one, code) for one in found for code in range(min(max(one) + 2, k))]
    return np.array([one for one in found if max(one) == k - 1])


def inertias(X, labels):
    """Return the inertia of each row of labels times lcm(1, ..., n), as exact integers."""
    n, k = len(X), labels.max() + 1
    scale = math.lcm(*range(1, n + 1))
    joined = (labels[:, np.newaxis] == np.arange(k)[:, np.newaxis]).astype(np.int64)
    squares = ((joined @ X) ** 2).sum(axis=2)
    return (X**2).sum() * scale - (squares * (scale // joined.sum(axis=2))).sum(axis=1)


def moved(labels, others):
    """Return the number of objects in other clusters after the best matching, for each row."""
    k = labels.max() + 1
    tables = np.array(
        [[((labels == a) & (others == b)).sum(axis=1) for b in range(k)] for a in range(k)]
    )
    matched = [tables[range(k), list(one)].sum(axis=0) for one in itertools.permutations(range(k))]
    return len(labels) - np.max(matched, axis=0)


def check(X, labels):
    """Compare with all clusterings; return the result and the largest number that is moved."""
    found = optimality_interval(X, labels)
    labels = np.unique(labels, return_inverse=True)[1]
    others = clusterings(len(X), labels.max() + 1)
    losses = inertias(X, others)
    farthest = moved(labels, others[losses <= inertias(X, labels[np.newaxis])]).max()
    assert found.is_void or farthest <= found.max_moved
    assert found.lower_bound <= losses.min() / math.lcm(*range(1, len(X) + 1)) * (1 + 1e-12)
    return found, farthest


def best(X, k):
    others = clusterings(len(X), k)
    return others[inertias(X, others).argmin()]


# --------------------------------------------------------------------------- truth


@settings(max_examples=15)
@given(st.data(), st.integers(3, 8), st.integers(1, 2), st.integers(1, 4), st.booleans())
def test_no_clustering_as_good_is_farther(data, n, d, k, is_best):
    k = min(k, n)
    numbers = st.lists(st.integers(-20, 20), min_size=d, max_size=d)
    X = np.array(data.draw(st.lists(numbers, min_size=n, max_size=n)))
    labels = (
        best(X, k) if is_best else np.array(data.draw(st.sampled_from(clusterings(n, k).tolist())))
    )
    check(X, labels)


@pytest.mark.parametrize("n_repeats", [2, slow(60)])
@pytest.mark.parametrize("separation", [8, 4, 2.5, 0])
@pytest.mark.parametrize("k", [2, 3])
def test_no_clustering_of_blobs_is_farther(separation, k, n_repeats):
    rng = np.random.default_rng(k)
    true = np.arange(10) % k
    for _ in range(n_repeats):
        # Multiples of 1/64 standard deviations, so that inertias are exact integers.
        X = rng.normal(size=(10, 2)) + separation / 8 * CORNERS[true]
        X = np.rint(64 * X).astype(np.int64)
        found, _ = check(X, best(X, k))
        if separation == 8:
            assert found.max_moved == 0


def test_no_other_clustering_of_separate_blobs_is_as_good():
    X, true = make_blobs([100] * 3, centers=CORNERS, random_state=0)
    found = optimality_interval(X, true)
    assert found.max_moved == 0
    assert found.max_distance == 0.0
    # With one object in another cluster, others are as good, but near.
    other = true.copy()
    other[0] = (other[0] + 1) % 3
    found = optimality_interval(X, other)
    assert misclassification_distance(true, other) <= found.max_distance < 0.05


@pytest.mark.parametrize("n_side", [2, 4])
def test_bound_is_attained_where_an_object_lies_in_the_middle(n_side):
    X = np.array([[-9]] * n_side + [[0]] + [[9]] * n_side)
    found, farthest = check(X, [0] * n_side + [0] + [1] * n_side)
    assert found.max_moved == farthest == 1


def test_half_of_a_square_is_no_only_one():
    X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    _, farthest = check(X, [0, 0, 1, 1])
    assert farthest == 2


def test_lower_bound_is_below_the_optimum_on_a_line():
    # Optimal clusters on a line are intervals, which dynamic programming finds.
    X = np.sort(np.random.default_rng(0).normal(size=60) + np.repeat([0, 6, 13], 20))
    costs = np.full((4, 61), np.inf)
    costs[0, 0] = 0
    for k, end in itertools.product(range(1, 4), range(1, 61)):
        parts = [costs[k - 1, start] + X[start:end].var() * (end - start) for start in range(end)]
        costs[k, end] = min(parts)
    optimum = costs[3, 60]
    labels = KMeans(3, random_state=0).fit_predict(X[:, np.newaxis])
    found = optimality_interval(X[:, np.newaxis], labels)
    assert 0.9 * optimum < found.lower_bound <= optimum * (1 + 1e-9)
    assert optimum <= found.inertia * (1 + 1e-9)
    assert not found.is_void


@pytest.mark.parametrize("n", [6, slow(8)])
@pytest.mark.parametrize("k", [2, 3])
def test_lemma_on_matched_shares(n, k):
    """Where all r_a > 1/2, at most n sum p_a (1 - r_a) / (2 min r_a) objects are moved."""
    others = clusterings(n, k)
    attained = 0.0
    for labels in others:
        tables = np.array(
            [[((labels == a) & (others == b)).sum(axis=1) for b in range(k)] for a in range(k)]
        )
        shares = (tables**2 / tables.sum(axis=1, keepdims=True) / tables.sum(axis=0)).sum(axis=1)
        sizes = np.bincount(labels)[:, np.newaxis]
        low = shares.min(axis=0)
        bound = (sizes * (1 - shares)).sum(axis=0) / (2 * low)
        near = low > 0.5
        actual = moved(labels, others)
        assert (actual[near] <= bound[near] + 1e-9).all()
        attained = max(attained, (actual[near] / np.maximum(bound[near], 1e-9)).max())
    assert attained > 0.99


def dense_spectral_bound(X, labels):
    """Return the number of moved objects by eigenvalues of matrices of all objects, W = 0."""
    n, k = len(X), labels.max() + 1
    center = np.eye(n) - 1 / n
    basis = np.linalg.svd(center)[0][:, : n - 1]
    gram = basis.T @ X @ X.T @ basis
    members = (labels[:, np.newaxis] == np.arange(k)) / np.sqrt(np.bincount(labels))
    total = members @ members.T

    def least(weights):
        target = members @ np.diag(weights) @ members.T
        values = []
        for multiplier in np.geomspace(0.01, 1e4, 100) / np.trace(gram):
            matrix = multiplier * gram - basis.T @ target @ basis
            largest = np.linalg.eigvalsh(matrix)[::-1][: k - 1].sum()
            between = np.trace(basis.T @ total @ basis @ gram)
            values.append(multiplier * between - largest + target.sum() / n)
        return max(values)

    share = min(map(least, np.eye(k)))
    lost = 1 - least(np.bincount(labels) / n)
    return int(n * lost / (2 * share)) if share > 0.5 else None


def test_bound_is_never_worse_than_the_spectral_one():
    n_stated = 0
    for seed in range(3):
        X, labels = make_blobs([5, 4, 3], centers=CORNERS * (1.5 + seed), random_state=seed)
        spectral, found = dense_spectral_bound(X, labels), optimality_interval(X, labels)
        if spectral is not None:
            n_stated += 1
            assert found.max_moved <= spectral
    assert n_stated >= 2


# --------------------------------------------------------------------------- input and output


def test_one_cloud_has_no_statement():
    X = np.random.default_rng(0).normal(size=(100, 2))
    found = optimality_interval(X, KMeans(3, random_state=0).fit_predict(X))
    assert found.is_void
    assert found.max_moved is None
    assert found.max_distance is None


@pytest.mark.parametrize("factor", [1e-9, 1, 1e9])
@pytest.mark.parametrize("shift", [0, 1e3])
def test_units_names_and_order_do_not_matter(factor, shift):
    X, labels = make_blobs([20] * 3, centers=0.7 * CORNERS, random_state=0)
    expected = optimality_interval(X, labels)
    assert expected.max_moved > 0
    order = np.random.default_rng(0).permutation(60)
    names = np.array(["z", "b", "f"])[labels]
    found = optimality_interval(factor * (X + shift)[order], names[order])
    assert found.max_moved == expected.max_moved
    assert found.inertia == pytest.approx(factor**2 * expected.inertia)
    assert found.lower_bound == pytest.approx(factor**2 * expected.lower_bound, rel=1e-3)


def test_rounding_errors_of_a_large_shift_are_counted():
    X = np.array([[-9]] * 4 + [[0]] + [[9]] * 4) / 8 + 2.0**50
    found = optimality_interval(X, [0] * 5 + [1] * 4)
    assert found.is_void or found.max_moved >= 1


@pytest.mark.parametrize("k", [1, 6])
def test_a_single_clustering_has_no_other(k):
    X = np.random.default_rng(0).normal(size=(6, 2))
    found = optimality_interval(X, np.arange(6) % k)
    assert found.max_moved == 0


def test_equal_objects_show_nothing():
    assert optimality_interval(np.ones((6, 2)), [0, 0, 0, 1, 1, 1]).is_void


def test_noise_is_left_out():
    X, labels = make_blobs([20] * 3, centers=CORNERS, random_state=0)
    rows = np.vstack([X, [[400, 400], [-300, 20]]])
    found = optimality_interval(rows, [*labels, -1, -1])
    assert found == optimality_interval(X, labels)
    assert optimality_interval(rows, [*labels, 9, 9], noise_label=9) == found


@pytest.mark.parametrize(
    ("X", "labels", "message"),
    [
        ([[0], [1]], [0, 1, 1], "labels must be as many as the 2 rows of X, got 3"),
        ([[0], [1]], [-1, -1], "labels must contain an object that is not noise, got noise only"),
        ([[0], [np.nan]], [0, 1], "X must be finite, got nan in row 1, column 0"),
        (csr_matrix([[0], [1]]), [0, 1], "X must be dense, got a sparse matrix"),
    ],
)
def test_invalid_input_is_an_error(X, labels, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        optimality_interval(X, labels)


def test_printed_statement():
    X = load_iris().data
    found = optimality_interval(X, KMeans(2, random_state=0).fit_predict(X))
    first, second = repr(found).split("\n")
    assert first == (
        "OptimalityInterval: every clustering into 2 clusters with an inertia of at most 152.35 "
        f"differs from this one in at most {found.max_moved} of 150 objects"
    )
    assert second.startswith("the smallest inertia possible is at least 14")
    only = optimality_interval([[0], [1], [9]], [0, 0, 1])
    assert repr(only).split("\n")[0] == (
        "OptimalityInterval: there is no other clustering into 2 clusters with an inertia of at "
        "most 0.5"
    )
    void = optimality_interval([[0], [0], [0]], ["a", "a", "b"])
    assert repr(void).split("\n")[0] == (
        "OptimalityInterval: no statement about any other clustering into 2 clusters with an "
        "inertia of at most 0"
    )
    one = optimality_interval([[0], [2]], ["a", "a"])
    assert "into 1 cluster with an inertia of at most 2" in repr(one)


def test_rounding_errors_do_not_exceed_the_allowance():
    """The clustering itself bounds the bound, also where both are equal up to rounding."""
    centers = np.random.default_rng(0).normal(size=(3, 2)) + 1e6
    codes = np.repeat([0, 1, 2], [5, 7, 11])
    data = _Clustered.of(centers[codes], codes, 3)
    spectral, *_ = data.relaxations()
    values = [spectral.value(s, data.sizes / 23) for s in np.geomspace(1, 1e6, 200)]
    assert max(values) <= 1.0
    assert max(values) > 1 - 1e-6
    exact = spectral._replace(rounding=np.zeros(2))
    assert max(exact.value(s, data.sizes / 23) for s in np.geomspace(1, 1e6, 200)) > 1.0
