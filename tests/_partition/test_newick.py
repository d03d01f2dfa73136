"""Trees as Newick text, against their definition by paths, and dendrograms with names."""

import pickle

import numpy as np
import pandas as pd
import pytest
from scipy.cluster.hierarchy import cophenet, linkage
from scipy.spatial.distance import squareform

from sklearn_clustcompare import Cover, Hierarchy, element_centric_similarity_score
from sklearn_clustcompare.hierarchies import (
    bakers_gamma,
    compare_hierarchies,
    cophenetic_correlation,
)

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
    sets = [{"a", "b", "c"}, {"e", "f", "g"}, {"d", "e", "f", "g"}, set("abcdefgh")]
    levels = [1 - 1 / 3, 1 - 1 / 3, 1 - 2 / 3, 0]
    expected = Hierarchy.from_sets([*map(set, "abcdefgh"), *sets], [1] * 8 + levels)
    assert sorted(map(sorted, clusters_of(found.cover))) == sorted(
        map(sorted, clusters_of(expected.cover))
    )
    assert element_centric_similarity_score(found, expected) == pytest.approx(1, abs=1e-12)
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


def clusters_of(cover: Cover):
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


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "one tree in the Newick format .* got its end at position 0"),
        ("(a,b)", "got its end at position 5"),
        ("(a,b));", r"got '\);' at position 5"),
        ("((a,b);", "got ';' at position 6"),
        ("(a,);", r"got '\);' at position 3"),
        ("(a,b)(c,d);", r"got '\(c,d\);' at position 5"),
        ("(a,b); (c,d);", "at position 5"),
        ("(a b,c);", "got 'b,c.*' at position 3"),
        ("('a,b);", "at position 1"),
        ("(a:x,b:1);", "got 'x,b:1.*' at position 3"),
        ("(a:1:2,b:1);", "at position 4"),
        ("(a:-1,b:1);", "finite lengths of at least 0, got -1"),
        ("(a:inf,b:1);", "finite lengths of at least 0, got inf"),
        ("(a:1,b);", "lengths of all branches or of none, got one without above 'b'"),
        ("(a,(b,a));", "name each leaf once, got 'a' twice"),
    ],
)
def test_what_is_no_tree(text, message):
    with pytest.raises(ValueError, match=message):
        Hierarchy.from_newick(text)


def test_errors_of_names():
    with pytest.raises(TypeError, match="must be a str of one tree, got list"):
        Hierarchy.from_newick(["(a,b);"])
    Z = random_linkage(4, 0)
    with pytest.raises(ValueError, match="labels and the leaves of Z must have the same length"):
        Hierarchy.from_linkage(Z, labels=["a", "b"])
    with pytest.raises(ValueError, match="labels must name each object once, got 'a'"):
        Hierarchy.from_linkage(Z, labels=["a", "b", "a", "c"])
    first = Hierarchy.from_linkage(Z, labels=list("abcd"))
    with pytest.raises(ValueError, match="Z2 and Z1 must have the same objects, got 'e' in Z2"):
        cophenetic_correlation(first, Hierarchy.from_linkage(Z, labels=list("abce")))


def test_a_deep_tree_and_a_single_leaf():
    n = 2_000
    text = "(" * (n - 1) + "x0" + "".join(f",x{k})" for k in range(1, n)) + ";"
    found = Hierarchy.from_newick(text)
    assert found.n_samples == n
    assert found.linkage[:, 2].tolist() == list(range(1, n))
    assert Hierarchy.from_newick("a;").leaf_names.tolist() == ["a"]
