"""Density-based validation, against its definition and the values of another package."""

import itertools
import json
import math

import numpy as np
import pytest
import sklearn
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from scipy.spatial.distance import cdist
from sklearn.cluster import DBSCAN
from sklearn.datasets import make_moons
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import pairwise_distances

from sklearn_clustcompare import (
    dbcv_score,
    get_index,
    list_indices,
    make_clustering_scorer,
)
from tests._examples import FEW_EXAMPLES
from tests._files import DATA

# Values of validity_index of hdbscan 0.8.44.
THEIRS = json.loads((DATA / "hdbscan_validity.json").read_text(encoding="utf-8"))


def random_set(seed):
    """Make the data and labels of a stored value."""
    rng = np.random.default_rng(seed)
    n_objects, n_features, n_clusters = (int(rng.integers(*ends)) for ends in THEIRS["ends"])
    X = rng.standard_normal((n_objects, n_features))
    labels = cdist(X, rng.standard_normal((n_clusters, n_features))).argmin(axis=1)
    if seed % 2:
        labels[rng.random(n_objects) < 0.1] = -1
    return X, labels


@pytest.mark.parametrize("decade", range(10))
def test_values_are_those_of_hdbscan_where_trees_are_chosen_as_there(decade):
    rows = THEIRS["values"][10 * decade : 10 * decade + 10]
    for seed, value in rows:
        X, labels = random_set(seed)
        assert dbcv_score(X, labels, ties="position") == pytest.approx(value, abs=1e-10)
    assert len(rows) == 10


def by_definition(X, labels, noise=-1):
    """Compute the index from all spanning trees' rules: edges sorted, joined one by one."""
    n_objects, n_features = X.shape
    D = cdist(X, X)
    clusters = [np.flatnonzero(labels == c) for c in sorted(set(labels.tolist()) - {noise})]
    clusters = [one for one in clusters if len(one) > 1]
    core = {}
    for members in clusters:
        for i in members:
            others = [D[i, j] for j in members if j != i]
            core[i] = (
                (sum(d**-n_features for d in others) / len(others)) ** (-1 / n_features)
                if min(others)
                else 0.0
            )
    internal, sparseness = [], []
    for members in clusters:
        # Kruskal: shorter first, among equal ones that to the denser object.
        rank = {i: k for k, i in enumerate(sorted(members, key=lambda i: core[i]))}
        edges = sorted(
            (max(D[i, j], core[i], core[j]), *sorted((rank[i], rank[j])), i, j)
            for i, j in itertools.combinations(members.tolist(), 2)
        )
        tree, part = [], {i: {i} for i in members.tolist()}
        for length, _, _, i, j in edges:
            if part[i] is not part[j]:
                part[i] |= part[j]
                for one in part[j]:
                    part[one] = part[i]
                tree.append((length, i, j))
        degree = {i: sum(i in edge[1:] for edge in tree) for i in members.tolist()}
        inside = [i for i in degree if degree[i] > 1] or list(degree)
        lengths = [length for length, i, j in tree if degree[i] > 1 and degree[j] > 1]
        internal.append(inside)
        sparseness.append(max(lengths or [length for length, _, _ in tree]))
    total = 0.0
    for a, members in enumerate(clusters):
        separation = min(
            max(D[i, j], core[i], core[j])
            for b in range(len(clusters))
            if b != a
            for i in internal[a]
            for j in internal[b]
        )
        larger = max(separation, sparseness[a])
        total += len(members) * (separation - sparseness[a]) / larger if larger else 0.0
    return total / n_objects


@pytest.mark.parametrize("seed", range(30))
def test_value_is_that_of_the_definition(seed):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((int(rng.integers(6, 25)), int(rng.integers(1, 5))))
    labels = rng.integers(-1, 3, len(X))
    labels[:4] = [0, 0, 1, 1]
    assert dbcv_score(X, labels) == pytest.approx(by_definition(X, labels), abs=1e-12)


@FEW_EXAMPLES
@given(st.integers(0, 10**6), st.floats(1e-6, 1e6), st.permutations(range(4)))
def test_names_order_and_scale_do_not_matter(seed, scale, names):
    rng = np.random.default_rng(seed)
    X, labels = rng.standard_normal((20, 3)), rng.integers(-1, 4, 20)
    X[:3] = X[3:6]  # duplicates, some of them in the same cluster
    value = dbcv_score(X, labels)
    order = rng.permutation(20)
    renamed = np.array([*names, -1])[labels]
    assert dbcv_score(X, renamed) == value
    assert dbcv_score(X[order], labels[order]) == pytest.approx(value, abs=1e-12)
    assert dbcv_score(scale * X, labels) == pytest.approx(value, abs=1e-9)


# --------------------------------------------------------------------------- noise, duplicates


def test_noise_counts_in_the_denominator_alone():
    X, y = make_moons(60, noise=0.05, random_state=0)
    expected = dbcv_score(X, y)
    far = np.vstack([X, [[9.0, 9.0]] * 20])
    assert dbcv_score(far, [*y, *[-1] * 20]) == pytest.approx(expected * 60 / 80, rel=1e-12)
    # A single object is noise, and so is any label that is called so.
    assert dbcv_score(far[:61], [*y, 7]) == pytest.approx(expected * 60 / 61, rel=1e-12)
    named = [*np.array(["a", "b"])[y], *["?"] * 10, *["!"] * 10]
    found = dbcv_score(far, named, noise_label=["?", "!"])
    assert found == pytest.approx(expected * 60 / 80, rel=1e-12)
    assert get_index("dbcv_score")(far, named, noise_label=["?", "!"]) == found


def test_duplicates_are_the_limit_of_close_objects():
    X, y = make_moons(60, noise=0.05, random_state=0)
    twice, labels = np.vstack([X, X]), np.tile(y, 2)
    near = np.vstack([X, X + 1e-13])
    assert dbcv_score(twice, labels) == pytest.approx(dbcv_score(near, labels), abs=1e-3)
    assert dbcv_score([[0.0]] * 3 + [[1.0]] * 3, [0] * 3 + [1] * 3) == 1.0
    assert dbcv_score([[0.0]] * 6, [0] * 3 + [1] * 3) == 0.0


def test_many_features_do_not_underflow():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((40, 500)), np.repeat([0, 1], 20)
    X[20:] += 3
    value = dbcv_score(1e3 * X, y)
    assert 0 < value < 1
    assert dbcv_score(1e-3 * X, y) == pytest.approx(value, rel=1e-9)


# --------------------------------------------------------------------------- distances


@pytest.mark.parametrize("metric", ["cityblock", "seuclidean", "mahalanobis", "cosine"])
def test_distances_may_be_precomputed(metric):
    rng = np.random.default_rng(0)
    X, labels = rng.normal(size=(30, 3)) + 3, rng.integers(-1, 3, size=30)
    D = pairwise_distances(X, metric=metric)
    expected = dbcv_score(D, labels, metric="precomputed", n_features=3)
    assert dbcv_score(X, labels, metric=metric) == pytest.approx(expected, rel=1e-9)
    with pytest.raises(ValueError, match="^n_features must be given for metric='precomputed'"):
        dbcv_score(D, labels, metric="precomputed")


def test_sparse_data_and_chunks():
    rng = np.random.default_rng(0)
    X, labels = rng.normal(size=(90, 3)), rng.integers(-1, 3, size=90)
    expected = dbcv_score(X, labels)
    assert dbcv_score(sparse.csr_array(X), labels) == pytest.approx(expected, rel=1e-9)
    with sklearn.config_context(working_memory=0.02):
        assert dbcv_score(X, labels) == pytest.approx(expected, rel=1e-13)


# --------------------------------------------------------------------------- everywhere


def test_a_search_among_densities_finds_the_moons():
    X, y = make_moons(120, noise=0.05, random_state=0)
    assert "dbcv_score" in list_indices(needs_data=True)
    scores = {}
    for noise in ("cluster", "singletons", "drop"):
        scorer = make_clustering_scorer("dbcv_score", noise=noise)
        scores[noise] = [scorer(DBSCAN(eps=eps).fit(X), X) for eps in (0.2, 0.25)]
    labels = [DBSCAN(eps=eps).fit_predict(X) for eps in (0.2, 0.25)]
    assert scores["cluster"] == scores["singletons"] == [dbcv_score(X, one) for one in labels]
    kept = labels[0] != -1
    assert scores["drop"][0] == dbcv_score(X[kept], labels[0][kept])
    renamed = make_clustering_scorer("dbcv_score", noise_label=0)
    with pytest.warns(UndefinedMetricWarning, match="dbcv_score is NaN.*Number of labels is 1"):
        assert math.isnan(renamed(DBSCAN(eps=0.25).fit(X), X))
