"""Two hierarchies cut by cut, against fresh tables for each cut."""

import warnings
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.cluster.hierarchy import cut_tree, linkage
from scipy.spatial.distance import pdist
from sklearn.base import clone
from sklearn.cluster import AgglomerativeClustering, KMeans
from sklearn.neighbors import kneighbors_graph

from sklearn_clustcompare import (
    ContingencyTable,
    adjusted_rand_score,
    fowlkes_mallows_score,
    get_index,
    list_indices,
    metrics,
)
from sklearn_clustcompare.hierarchies import compare_hierarchies
from tests._examples import COSTLY_INDICES, FEW_EXAMPLES, slow
from tests.hierarchies._hierarchies import cut, linkages

_PARAMETERS = {"adjusted_wallace_score": {"given": "pred"}, "pair_f_score": {"beta": 2.0}}


@cache
def fresh_tables():
    """Return two hierarchies, and the table of both cut into each number of clusters."""
    first, second = linkages(25, 0)
    cuts = ((cut_tree(one, k).ravel() for one in (first, second)) for k in range(2, 25))
    return first, second, [ContingencyTable.from_labels(*cut) for cut in cuts]


@pytest.mark.parametrize(
    "name", [slow(name) if name in COSTLY_INDICES else name for name in list_indices()]
)
def test_values_are_those_of_fresh_tables(name):
    first, second, tables = fresh_tables()
    index, params = get_index(name), _PARAMETERS.get(name, {})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        expected = [index(table, **params) for table in tables]
        comparison = compare_hierarchies(first, second, index=name, **params)
    assert comparison.values.tolist() == expected
    assert comparison.k.tolist() == list(range(2, 25))
    assert comparison.index.name == name
    assert comparison.parameters == params


@pytest.mark.parametrize("name", ["fowlkes_mallows_score", "normalized_mutual_info_score"])
@pytest.mark.parametrize(
    "methods", [("median", "centroid"), ("single", "ward"), ("median", "single")]
)
@FEW_EXAMPLES
@given(seed=st.integers(0, 10**6), n=st.integers(2, 30), levels=st.integers(1, 30))
def test_ties_and_inversions_are_cut_by_merge_order(name, methods, seed, n, levels):
    X = np.random.default_rng(seed).integers(levels, size=(n, 2)).astype(float)
    first, second = (linkage(pdist(X), method) for method in methods)
    param_range = range(1, n + 1)
    comparison = compare_hierarchies(first, second, index=name, param_range=param_range)
    function = getattr(metrics, name)
    assert comparison.values.tolist() == [
        function(cut(first, k), cut(second, k)) for k in param_range
    ]


def test_there_are_inversions_to_test():
    X = np.random.default_rng(0).normal(size=(30, 2))
    assert (np.diff(linkage(X, "median")[:, 2]) < 0).any()


@FEW_EXAMPLES
@given(seed=st.integers(0, 10**6), n=st.integers(3, 25))
def test_values_do_not_depend_on_the_order_of_the_objects(seed, n):
    rng = np.random.default_rng(seed)
    X, order = rng.normal(size=(n, 2)), rng.permutation(n)
    results = [
        compare_hierarchies(linkage(one, "average"), linkage(one, "complete"), index=index)
        for index in ("fowlkes_mallows_score", "adjusted_mutual_info_score")
        for one in (X, X[order])
    ]
    for before, after in (results[:2], results[2:]):
        assert before.values.tolist() == after.values.tolist()
        assert before.expected.tolist() == after.expected.tolist()
        assert before.standardized.tolist() == after.standardized.tolist()


# ------------------------------------------------------------------- arguments


def test_param_range_chooses_cuts():
    Z = linkages(20, 9)
    everything = compare_hierarchies(*Z)
    some = compare_hierarchies(*Z, param_range=np.array([3, 10, 11]))
    assert some.values.tolist() == everything.values[[1, 8, 9]].tolist()
    assert some.standardized.tolist() == everything.standardized[[1, 8, 9]].tolist()


def test_two_objects_have_no_cut_between():
    Z = linkage([[0.0], [1.0]])
    assert compare_hierarchies(Z, Z).k.tolist() == []
    assert compare_hierarchies(Z, Z, param_range=[1, 2]).values.tolist() == [1.0, 1.0]


@pytest.mark.slow
@pytest.mark.parametrize("connected", [False, True])
@pytest.mark.parametrize("method", ["ward", "average", "complete", "single"])
def test_fitted_clusterers_are_cut_where_they_cut_themselves(method, connected):
    X = np.random.default_rng(0).normal(size=(30, 2))
    graph = kneighbors_graph(X, 10) if connected else None
    clusterer = AgglomerativeClustering(
        linkage=method, connectivity=graph, compute_full_tree=True, n_clusters=2
    )
    other = linkage(X, "average")
    comparison = compare_hierarchies(
        clusterer.fit(X), other, index="adjusted_rand_score", param_range=range(1, 31)
    )
    labels = [clone(clusterer).set_params(n_clusters=k).fit_predict(X) for k in range(1, 31)]
    expected = [
        adjusted_rand_score(found, cut(other, k)) for k, found in enumerate(labels, start=1)
    ]
    np.testing.assert_array_equal(comparison.values, expected)
    assert (compare_hierarchies(clusterer, clusterer).values == 1).all()


def test_clusterers_without_a_hierarchy_are_named():
    X = np.random.default_rng(0).normal(size=(30, 2))
    Z = linkage(X)
    message = "^Z1 must be a linkage matrix or a fitted Agg.*, got KMeans without children_"
    with pytest.raises(ValueError, match=message):
        compare_hierarchies(KMeans(2).fit(X), Z)
    with pytest.raises(ValueError, match="^Z2 must be .*, got AgglomerativeClustering without"):
        compare_hierarchies(Z, AgglomerativeClustering())
    stopped = AgglomerativeClustering(
        15, connectivity=kneighbors_graph(X, 10), compute_full_tree=False
    )
    with pytest.raises(ValueError, match="^Z2 must have merged all .* 15 merges of 30 obj"):
        compare_hierarchies(Z, stopped.fit(X))


def test_linkage_of_lists():
    Z = linkages(8, 0)
    as_lists = [one.tolist() for one in Z]
    assert compare_hierarchies(*as_lists).values.tolist() == compare_hierarchies(*Z).values.tolist()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda Z: Z[:, :3], "Z2.*4 columns"),
        (lambda Z: linkages(5, 0)[0], "Z1 and Z2 must link the same objects, got 6 and 5 of them"),
        (lambda Z: Z[::-1], "Z2.*before"),
        (lambda Z: Z + [[0.25, 0, 0, 0]], "Z2 must hold whole numbers of clusters"),
    ],
)
def test_invalid_linkages_are_named(change, message):
    Z, _ = linkages(6, 0)
    with pytest.raises(ValueError, match=message):
        compare_hierarchies(Z, change(Z))


@pytest.mark.slow
def test_thousands_of_objects():
    X = np.random.default_rng(0).normal(size=(5000, 3))
    Z = linkage(X, "average"), linkage(X, "ward")
    result = compare_hierarchies(*Z, index="fowlkes_mallows_score")
    for k in (2, 50, 4000):
        assert result.values[k - 2] == fowlkes_mallows_score(cut(Z[0], k), cut(Z[1], k))
