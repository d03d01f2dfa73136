"""Hierarchies face to face, against enumeration."""

import itertools

import numpy as np
import pytest
from scipy.cluster.hierarchy import cut_tree, linkage
from sklearn.cluster import AgglomerativeClustering

from sklearn_clustcompare import Hierarchy, adjusted_rand_score, compare_hierarchies, tanglegram


def _data(seed, n_samples=30):
    return np.random.default_rng(seed).normal(size=(n_samples, 3))


def _leaves(merges, turned):
    """List the leaves of a tree in which some merges are turned around."""
    n_samples = len(merges) + 1
    members = {one: [one] for one in range(n_samples)}
    for step, (first, second) in enumerate(merges):
        ends = (second, first) if turned[step] else (first, second)
        members[n_samples + step] = members[ends[0]] + members[ends[1]]
    return members[2 * n_samples - 2]


def _n_crossings(first, second):
    places = [list(second).index(one) for one in first]
    return sum(one > other for one, other in itertools.combinations(places, 2))


@pytest.mark.parametrize("seed", range(5))
def test_crossings_are_pairs_in_different_order(seed):
    X = _data(seed)
    tangle = tanglegram(linkage(X, "single"), linkage(X, "ward"))
    assert tangle.n_crossings == _n_crossings(*tangle.orders)


@pytest.mark.parametrize("seed", range(5))
def test_no_order_of_one_side_crosses_less(seed):
    X = _data(seed, 9)
    tangle = tanglegram(linkage(X, "single"), linkage(X, "complete"))
    first, second = tangle.orders
    turns = list(itertools.product([False, True], repeat=8))
    assert tangle.n_crossings == min(
        _n_crossings(_leaves(tangle.merges[0].tolist(), turned), second) for turned in turns
    )
    assert tangle.n_crossings == min(
        _n_crossings(first, _leaves(tangle.merges[1].tolist(), turned)) for turned in turns
    )


def test_orders_are_those_of_the_trees():
    X = _data(0)
    tangle = tanglegram(linkage(X, "single"), linkage(X, "ward"))
    for merges, order in zip(tangle.merges, tangle.orders, strict=True):
        assert order.tolist() == _leaves(merges.tolist(), [False] * 29)


@pytest.mark.parametrize("seed", range(3))
def test_equal_trees_do_not_cross(seed):
    Z = linkage(_data(seed), "average")
    turned = Z.copy()
    rows = np.random.default_rng(seed).random(len(Z)) < 0.5
    turned[rows, :2] = Z[rows, 1::-1]
    tangle = tanglegram(Z, turned)
    assert tangle.n_crossings == 0
    assert tangle.orders[0].tolist() == tangle.orders[1].tolist()


@pytest.mark.parametrize("n_clusters", [1, 3, 7, 30])
def test_labels_are_cuts(n_clusters):
    X = _data(1)
    trees = linkage(X, "average"), linkage(X, "ward")
    tangle = tanglegram(*trees, n_clusters=n_clusters)
    assert tangle.n_clusters == n_clusters
    for labels, Z in zip(tangle.labels, trees, strict=True):
        assert adjusted_rand_score(labels, cut_tree(Z, n_clusters).ravel()) == 1.0
    assert tangle.labels[0][tangle.orders[0][0]] == 0


def test_matched_clusters_have_the_same_number():
    X = _data(2)
    tangle = tanglegram(linkage(X, "average"), linkage(X, "ward"), n_clusters=4)
    first, second = tangle.labels
    best = max(
        sum(np.array(numbers)[first] == np.unique(second, return_inverse=True)[1])
        for numbers in itertools.permutations(range(4))
    )
    assert (first == second).sum() == best


def test_number_of_clusters_is_that_of_the_best_agreement():
    X = _data(3)
    trees = linkage(X, "average"), linkage(X, "ward")
    found = compare_hierarchies(*trees, index="adjusted_rand_score", param_range=range(2, 11))
    assert tanglegram(*trees).n_clusters == found.k[found.values.argmax()]
    assert tanglegram([[0, 1, 1.0, 2]], [[0, 1, 3.0, 2]]).n_clusters == 2


def test_clusterers_are_taken_too():
    X = _data(4)
    clusterer = AgglomerativeClustering(compute_full_tree=True).fit(X)
    tangle = tanglegram(clusterer, linkage(X, "ward"))
    assert tangle.n_crossings == 0
    assert tangle.heights[0].tolist() == list(range(1, 30))
    clusterer.set_params(compute_distances=True).fit(X)
    tangle = tanglegram(clusterer, linkage(X, "ward"))
    assert tangle.heights[0] == pytest.approx(tangle.heights[1])


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((_data(0, 4), _data(0, 5), 2), ValueError, "Z1 and Z2 must link the same objects"),
        ((_data(0, 4), _data(0, 4), 5), ValueError, "n_clusters must be at most .* 4, got 5"),
        ((_data(0, 4), _data(0, 4), 0), ValueError, "n_clusters must be"),
        ((_data(0, 4), _data(0, 4), 2.0), TypeError, "n_clusters must be an integer, got 2.0"),
    ],
)
def test_bad_input_is_named(arguments, error, message):
    first, second, n_clusters = arguments
    with pytest.raises(error, match=f"^{message}"):
        tanglegram(linkage(first), linkage(second), n_clusters=n_clusters)


def test_levels_are_cut_where_they_have_a_level():
    coarse, fine = [0, 0, 0, 1, 1, 1], [0, 0, 1, 2, 2, 2]
    levels = Hierarchy.from_labels([coarse, fine])
    Z = linkage([[0.0], [0.1], [1.0], [5.0], [5.1], [5.3]], "average")
    tangle = tanglegram(levels, Z)
    assert tangle.n_clusters in (2, 3)
    assert tangle.n_crossings == 0
    assert tanglegram(levels, Z, n_clusters=3).n_clusters == 3
    with pytest.raises(
        ValueError, match=r"^n_clusters must be one that a level .* \[2, 3\], got 4"
    ):
        tanglegram(levels, Z, n_clusters=4)
