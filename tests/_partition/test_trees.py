"""Hierarchies: dendrograms, labels of several levels, sets with levels, Newick texts."""

import pickle

import numpy as np
import pandas as pd
import pytest
from scipy.cluster.hierarchy import cophenet, cut_tree, is_valid_linkage, linkage
from scipy.spatial.distance import squareform
from sklearn.cluster import AgglomerativeClustering

from sklearn_clustcompare import Cover, Hierarchy, element_centric_similarity_score
from sklearn_clustcompare._partition.trees import read_dendrograms
from sklearn_clustcompare.hierarchies import (
    bakers_gamma,
    compare_hierarchies,
    cophenetic_correlation,
)

POINTS = np.array([[0.0], [1.0], [3.0], [5.5], [9.0]])
LEVELS = [list("aaaabb"), [0, 0, 0, 1, 2, 2], [5, 5, 6, 7, 8, 9]]


def clusters_of(hierarchy):
    """List the clusters and their levels, as sets of positions."""
    membership = hierarchy.cover.membership.toarray().astype(bool)
    return sorted(
        (sorted(np.flatnonzero(column).tolist()), float(level))
        for column, level in zip(membership.T, hierarchy.levels, strict=True)
    )


def test_a_dendrogram_has_its_leaves_and_what_is_made_of_them():
    hierarchy = Hierarchy.from_linkage(linkage(POINTS, "single"), r=2.0)
    heights = {1.0: [0, 1], 2.0: [0, 1, 2], 2.5: [0, 1, 2, 3], 3.5: [0, 1, 2, 3, 4]}
    expected = [([one], 1.0) for one in range(5)] + [
        (members, 1 - height / 3.5) for height, members in heights.items()
    ]
    assert clusters_of(hierarchy) == sorted(expected)
    assert (hierarchy.n_samples, hierarchy.r) == (5, 2.0)
    assert repr(hierarchy) == "Hierarchy: a dendrogram of 5 objects"


def test_a_fitted_clusterer_is_its_dendrogram():
    clusterer = AgglomerativeClustering(linkage="single", compute_distances=True).fit(POINTS)
    expected = clusters_of(Hierarchy.from_linkage(linkage(POINTS, "single")))
    assert clusters_of(Hierarchy.from_linkage(clusterer)) == expected
    clusterer = AgglomerativeClustering(linkage="single").fit(POINTS)
    with pytest.raises(ValueError, match="must know the heights .* compute_distances=True"):
        _ = Hierarchy.from_linkage(clusterer).levels


def test_equal_objects_are_joined_at_no_height():
    assert Hierarchy.from_linkage(linkage([[0.0], [0.0]])).levels.tolist() == [1, 1, 1]


@pytest.mark.parametrize(
    "levels",
    [
        LEVELS,
        dict(zip("xyz", LEVELS, strict=True)),
        pd.DataFrame(dict(zip("xyz", LEVELS, strict=True))),
        pytest.param(iter(LEVELS), marks=pytest.mark.thread_unsafe(reason="it can be read once")),
    ],
    ids=["list", "dict", "frame", "iterator"],
)
def test_labels_of_several_levels(levels):
    hierarchy = Hierarchy.from_labels(levels)
    assert clusters_of(hierarchy) == sorted(
        [
            *[([0, 1, 2, 3], 0.0), ([4, 5], 0.0)],
            *[([0, 1, 2], 0.5), ([3], 0.5), ([4, 5], 0.5)],
            *[([0, 1], 1.0), *[([one], 1.0) for one in (2, 3, 4, 5)]],
        ]
    )
    assert repr(hierarchy) == "Hierarchy: 6 objects in 10 clusters at levels from 0 to 1"


def test_labels_of_several_levels_as_a_dendrogram():
    hierarchy = Hierarchy.from_labels(LEVELS)
    assert is_valid_linkage(hierarchy.linkage)
    assert hierarchy.cuts.tolist() == [2, 3, 5]
    apart = sum(np.not_equal.outer(level, level).astype(int) for level in map(np.array, LEVELS))
    linkage = hierarchy.linkage.copy()  # SciPy below 1.13 wants one that could be written to
    assert (squareform(cophenet(linkage)) == apart).all()
    for level, k in zip(LEVELS, [2, 3, 5], strict=True):
        cut = cut_tree(hierarchy.linkage, k).ravel()
        assert len(set(zip(cut.tolist(), level, strict=True))) == k


def test_one_level_and_one_object():
    assert clusters_of(Hierarchy.from_labels([[0, 1, 1]])) == [([0], 0.0), ([1, 2], 0.0)]
    assert Hierarchy.from_labels([["x"], [7]]).linkage.shape == (0, 4)


def test_a_hierarchy_does_not_change_with_the_arrays_it_was_made_of():
    Z = linkage(POINTS, "single")
    dendrogram = Hierarchy.from_linkage(Z)
    expected = dendrogram.linkage.tolist()
    Z[:, 2] *= 2
    assert dendrogram.linkage.tolist() == expected


def test_a_pickled_dendrogram_holds_its_linkage_only():
    hierarchy = Hierarchy.from_linkage(linkage(POINTS, "single"))
    before = len(pickle.dumps(hierarchy))
    clusters = clusters_of(hierarchy)
    copy = pickle.loads(pickle.dumps(hierarchy))
    assert len(pickle.dumps(hierarchy)) == before
    assert clusters_of(copy) == clusters


@pytest.mark.parametrize(
    "other",
    [
        Hierarchy.from_linkage(linkage(POINTS, "complete")),
        Hierarchy.from_linkage(linkage(POINTS, "single"), r=2.0),
        Hierarchy.from_labels(LEVELS),
    ],
    ids=["method", "weight", "labels"],
)
def test_other_hierarchies_are_unequal(other):
    assert Hierarchy.from_linkage(linkage(POINTS, "single")) != other


def test_equality_of_nested_clusters_is_of_clusters_and_levels():
    levels = [[0, 0, 1], [0, 1, 2]]
    assert Hierarchy.from_labels(levels) == Hierarchy.from_labels([[5, 5, 4], [3, 2, 1]])
    assert Hierarchy.from_labels(levels) != Hierarchy.from_labels(levels[1:])
    named = pd.DataFrame(dict(enumerate(levels)), index=list("abc"))
    assert Hierarchy.from_labels(named) == Hierarchy.from_labels(named[::-1])
    assert Hierarchy.from_labels(named) != Hierarchy.from_labels(levels)


@pytest.mark.parametrize("is_reversed", [False, True])
def test_only_two_hierarchies_with_names_must_have_the_same(is_reversed):
    levels = pd.DataFrame({"coarse": [0, 0, 0], "fine": [0, 0, 1]}, index=["a", "b", "c"])
    named, tree = Hierarchy.from_labels(levels), np.array([[0, 1, 1.0, 2], [2, 3, 2, 3]])
    given = (tree, named) if is_reversed else (named, tree)
    assert read_dendrograms(*given)[is_reversed] is named
    other = Hierarchy.from_labels(levels.set_axis(["a", "c", "b"]))
    with pytest.raises(ValueError, match="^Z1 and Z2 must have the same objects in the same order"):
        read_dendrograms(named, other)


# --------------------------------------------------------------------------- trees as Newick text


NAMES = ["ann", "it's", "c d", "x:y", "(z)", "e,f", "g_h", "8"]


def quoted(name):
    plain = name.replace("_", "").isalnum()
    return name if plain else "'" + name.replace("'", "''") + "'"


def as_newick(Z, names, *, with_lengths=True):
    """Write a linkage matrix, without the package."""
    texts, heights = [quoted(name) for name in names], [0.0] * len(names)
    for first, second, height, _ in Z.tolist():
        parts = []
        for child in (int(first), int(second)):
            length = f":{height - heights[child]!r}" if with_lengths else ""
            parts.append(texts[child] + length)
        texts.append(f"({','.join(parts)})")
        heights.append(height)
    return texts[-1] + ";"


def random_linkage(n, seed):
    return linkage(np.random.default_rng(seed).normal(size=(n, 2)), "average")


@pytest.mark.parametrize("seed", range(3))
def test_a_dendrogram_comes_back_from_its_text(seed):
    Z = random_linkage(8, seed)
    found = Hierarchy.from_newick(as_newick(Z, NAMES))
    assert sorted(found.leaf_names) == sorted(NAMES)
    named = Hierarchy.from_linkage(Z, labels=NAMES)
    assert cophenetic_correlation(named, found) == pytest.approx(1, abs=1e-12)
    assert bakers_gamma(found, named) == 1.0
    order = [NAMES.index(name) for name in found.leaf_names]
    distances = squareform(cophenet(Z))[np.ix_(order, order)]
    np.testing.assert_allclose(squareform(cophenet(found.linkage.copy())), distances, rtol=1e-12)
    assert element_centric_similarity_score(named, found) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_names_bring_the_leaves_together(seed):
    Z1, Z2 = random_linkage(8, seed), random_linkage(8, seed + 10)
    order = np.random.default_rng(seed).permutation(8)
    number = np.append(np.argsort(order), np.arange(8, 16))
    shuffled = Z2.copy()
    shuffled[:, :2] = number[Z2[:, :2].astype(int)]  # leaf k is now at order[k]
    names = np.array(NAMES)
    first = Hierarchy.from_linkage(Z1, labels=NAMES)
    second = Hierarchy.from_linkage(shuffled, labels=names[order])
    for function in (cophenetic_correlation, bakers_gamma, element_centric_similarity_score):
        by_position = Hierarchy.from_linkage(Z1), Hierarchy.from_linkage(Z2)
        assert function(first, second) == pytest.approx(function(*by_position), abs=1e-14)
    found = compare_hierarchies(first, second, index="rand_score")
    expected = compare_hierarchies(Z1, Z2, index="rand_score")
    np.testing.assert_array_equal(found.values, expected.values)


def test_labels_of_objects_are_compared_by_name():
    tree = Hierarchy.from_newick("((b:1,a:1):1,c:2);")
    by_name = element_centric_similarity_score(tree, {"c": 1, "a": 0, "b": 0})
    assert by_name == element_centric_similarity_score(tree, pd.Series({"a": 0, "b": 0, "c": 1}))
    assert by_name == element_centric_similarity_score(tree, [0, 0, 1])
    with pytest.raises(ValueError, match="same objects, got 'd' in labels_pred only"):
        element_centric_similarity_score(tree, {"c": 1, "a": 0, "b": 0, "d": 0})


def test_polytomies_are_single_clusters():
    text = "((a,b,c),(d,(e,f,g)),h);"
    found = Hierarchy.from_newick(text)
    levels = {"abc": 1 - 1 / 3, "efg": 1 - 1 / 3, "defg": 1 - 2 / 3, "abcdefgh": 0}
    clusters = ["".join(sorted(one)) for one in names_in_clusters(found.cover)]
    assert dict(zip(clusters, found.levels, strict=True)) == pytest.approx(
        dict.fromkeys("abcdefgh", 1) | levels
    )
    # Nodes of one height are cut together: 8 leaves, 4 after both nodes of three, 3, 1.
    curve = compare_hierarchies(found, found, index="rand_score")
    assert set(curve.k) >= {3, 4}
    assert set(curve.k) <= {1, 3, 4, 8}
    shuffled = Hierarchy.from_newick("(h,((g,f,e),d),(c,a,b));")
    assert cophenetic_correlation(found, shuffled) == pytest.approx(1, abs=1e-12)
    assert element_centric_similarity_score(found, shuffled) == pytest.approx(1, abs=1e-12)
    np.testing.assert_array_equal(
        compare_hierarchies(found, shuffled, index="adjusted_rand_score").values,
        np.ones(len(curve.k)),
    )


def names_in_clusters(cover: Cover):
    names = np.arange(cover.n_samples) if cover.objects is None else cover.objects
    columns = cover.membership.toarray().T.astype(bool)
    return [names[column].tolist() for column in columns]


@pytest.mark.parametrize(
    "text",
    [
        "((a:1,b:1):1,c:2);",
        " ( ( a : 1 ,\n b : 1.0 ) : 1e0 , c : 2 ) ; ",
        "[&R] ((a[&rate=2]:1,'b':[x]1)0.98:1,c:2)root:5;",
        "(((a:1,b:1)):1,c:2);",
        "((a:1,b:1)'inner (node)':1,(c:1):1);",
    ],
)
def test_the_same_tree_written_in_other_ways(text):
    if text.startswith("((("):
        text = "(((a:1,b:1):.5):.5,c:2);"
    found = Hierarchy.from_newick(text)
    assert found == Hierarchy.from_newick("((a:1,b:1):1,c:2);")
    assert found == pickle.loads(pickle.dumps(found))
    assert found != Hierarchy.from_newick("((a:1,c:1):1,b:2);")


def test_a_deep_tree_and_a_single_leaf():
    n = 2_000
    text = "(" * (n - 1) + "x0" + "".join(f",x{k})" for k in range(1, n)) + ";"
    found = Hierarchy.from_newick(text)
    assert found.n_samples == n
    assert found.linkage[:, 2].tolist() == list(range(1, n))
    assert Hierarchy.from_newick("a;").leaf_names.tolist() == ["a"]
