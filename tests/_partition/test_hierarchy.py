"""What goes into a Hierarchy: dendrograms, labels of several levels, sets with levels."""

import pickle

import numpy as np
import pandas as pd
import pytest
from scipy.cluster.hierarchy import cophenet, cut_tree, is_valid_linkage, linkage
from scipy.spatial.distance import squareform
from sklearn.cluster import AgglomerativeClustering

from sklearn_clustcompare import Hierarchy
from sklearn_clustcompare._partition.trees import read_dendrograms

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


def test_sets_with_levels():
    hierarchy = Hierarchy.from_sets([{0, 1}, {1}, {1}], [0, 1, 0.5], objects=range(3))
    assert clusters_of(hierarchy) == [([0, 1], 0.0), ([1], 0.5), ([1], 1.0)]
    assert hierarchy.linkage is None


def test_a_hierarchy_can_be_pickled():
    hierarchy = Hierarchy.from_labels(LEVELS, r=0.5)
    copy = pickle.loads(pickle.dumps(hierarchy))
    assert (clusters_of(copy), copy.r) == (clusters_of(hierarchy), 0.5)


def test_a_hierarchy_does_not_change_with_the_arrays_it_was_made_of():
    Z, levels = linkage(POINTS, "single"), np.array([0.0, 1.0])
    dendrogram, nested = Hierarchy.from_linkage(Z), Hierarchy.from_sets([{0, 1}, {1}], levels)
    expected = dendrogram.linkage.tolist(), [0.0, 1.0]
    Z[:, 2] *= 2
    levels[1] = 0.5
    assert (dendrogram.linkage.tolist(), nested.levels.tolist()) == expected
    for array in (dendrogram.linkage, dendrogram.levels, nested.levels):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


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
        Hierarchy.from_sets([{0, 1}, {1}], [0, 1]),
    ],
    ids=["method", "weight", "labels", "sets"],
)
def test_other_hierarchies_are_unequal(other):
    assert Hierarchy.from_linkage(linkage(POINTS, "single")) != other


def test_equality_of_nested_clusters_is_of_clusters_and_levels():
    sets = [{"a", "b", "c"}, {"a"}, {"b", "c"}]
    hierarchy = Hierarchy.from_sets(sets, [0, 1, 0.5])
    assert hierarchy == Hierarchy.from_sets(sets[::-1], [0.5, 1, 0], objects=list("cab"))
    assert hierarchy != Hierarchy.from_sets(sets, [0, 0.5, 1])
    assert hierarchy != Hierarchy.from_sets(sets, [0, 1, 0.5], objects=list("abcd"))
    levels = [[0, 0, 1], [0, 1, 2]]
    assert Hierarchy.from_labels(levels) == Hierarchy.from_labels([[5, 5, 4], [3, 2, 1]])
    # The clusters at their levels are the same, but only one is known to be of labels.
    sets = [{0, 1}, {2}, {0}, {1}, {2}]
    assert Hierarchy.from_labels(levels) != Hierarchy.from_sets(sets, [0, 0, 1, 1, 1])


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: Hierarchy(LEVELS), TypeError, "^Hierarchy is made by Hierarchy.from_linkage"),
        (lambda: Hierarchy.from_labels([]), ValueError, "^levels must be labels of at least one"),
        (lambda: Hierarchy.from_labels([0, 1]), TypeError, "^level 0 must be a 1-D array"),
        (
            lambda: Hierarchy.from_labels(LEVELS[::-1]),
            ValueError,
            "^levels must be nested, got a cluster of level 1 in several clusters of level 0",
        ),
        (
            lambda: Hierarchy.from_labels({"type": [0, 0, 1], "subtype": [1, 2, 2]}),
            ValueError,
            r"got a cluster of level 1 \('subtype'\) in several clusters of level 0 \('type'\)",
        ),
        (lambda: Hierarchy.from_labels([[0, 1], [0]]), ValueError, "level 0 and level 1 must have"),
        (
            lambda: Hierarchy.from_labels([[0, 1], np.full((2, 2), 0.5)]),
            ValueError,
            "^level 1 must be labels, got memberships",
        ),
        (
            lambda: Hierarchy.from_sets([{0, 1}, {1}], [0]),
            ValueError,
            r"^levels must have shape \(2,\), one for each set with objects, got \(1,\)",
        ),
        (
            lambda: Hierarchy.from_sets([{0, 1}, {1}], [0, 2]),
            ValueError,
            r"^levels must lie in \[0, 1\], got 2 at position 1",
        ),
        (lambda: Hierarchy.from_labels(LEVELS, r="1"), TypeError, "^r must be"),
        (lambda: Hierarchy.from_labels(LEVELS, r=np.inf), ValueError, "^r must be a finite number"),
        (
            lambda: Hierarchy.from_linkage(AgglomerativeClustering()),
            ValueError,
            "^Z must be .* fit",
        ),
        (lambda: Hierarchy.from_linkage([[0, 1, 1, 2], [0, 2, 2, 3]]), ValueError, "same cluster"),
    ],
)
def test_what_is_no_hierarchy_is_an_error(make, error, message):
    with pytest.raises(error, match=message):
        make()


@pytest.mark.parametrize("is_reversed", [False, True])
def test_only_two_hierarchies_with_names_must_have_the_same(is_reversed):
    levels = pd.DataFrame({"coarse": [0, 0, 0], "fine": [0, 0, 1]}, index=["a", "b", "c"])
    named, tree = Hierarchy.from_labels(levels), np.array([[0, 1, 1.0, 2], [2, 3, 2, 3]])
    given = (tree, named) if is_reversed else (named, tree)
    assert read_dendrograms(*given)[is_reversed] is named
    other = Hierarchy.from_labels(levels.set_axis(["a", "c", "b"]))
    with pytest.raises(ValueError, match="^Z1 and Z2 must have the same objects in the same order"):
        read_dendrograms(named, other)
