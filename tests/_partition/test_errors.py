"""What is wrong is an error that names it."""

import numpy as np
import pandas as pd
import pytest
from scipy.cluster.hierarchy import linkage
from sklearn.cluster import AgglomerativeClustering

from sklearn_clustcompare import (
    ContingencyTable,
    Cover,
    Hierarchy,
    adjusted_rand_score,
    pairwise_scores,
    score_candidates,
)
from sklearn_clustcompare._partition.covers import align_cover
from sklearn_clustcompare.candidates import align_partitions
from sklearn_clustcompare.hierarchies import cophenetic_correlation
from sklearn_clustcompare.metrics import clustering_entropy
from tests._errors import error_cases
from tests._inputs import import_or_skip

ARI = "adjusted_rand_score"
SETS = [{"b", "a"}, {"b", "c"}]
MATRIX = [[1, 0], [1, 1], [0, 1]]
TRUTH = ["a", "a", "b", "b"]
CANDIDATES = {"far": [0, 1, 0, 1], "same": [7, 7, 5, 5]}
LEVELS = [list("aaaabb"), [0, 0, 0, 1, 2, 2], [5, 5, 6, 7, 8, 9]]
COLUMNS = [
    *(np.array([[0], [1], [1]]), np.array([[0.0], [1], [2]]), np.array([[True], [True], [True]])),
    *(pd.DataFrame({"species": [0, 1, 1]}), [[0], [1], [1]]),
]


def random_linkage(n, seed):
    return linkage(np.random.default_rng(seed).normal(size=(n, 2)), "average")


VALUE_ERRORS = {
    # columns
    "partitions: .* 'a', 'b'; .* got no other columns": lambda: pairwise_scores(
        pd.DataFrame({"a": [0, 1, 2], "b": list("xyz")}), index=ARI
    ),
    # covers
    "^sets must have nothing twice, got 'a' twice in cluster 0": lambda: Cover.from_sets(
        [["a", "a"]]
    ),
    "^sets must not contain missing": lambda: Cover.from_sets([[None]]),
    "^objects must name all objects of sets, got none named 'c'": lambda: Cover.from_sets(
        SETS, objects=["a", "b"]
    ),
    "^objects must name each object once, got 'a' at positions 0 and 3": lambda: Cover.from_sets(
        SETS, objects=list("abca")
    ),
    "^communities must have .* of 'a'": lambda: Cover.from_communities({"a": [0, 0]}),
    "^matrix must hold 0 and 1 only, got 0.5 in row 1": lambda: Cover.from_matrix(
        [[1, 0], [0.5, 0.5]]
    ),
    "^matrix must hold 0 and 1 only, got 2": lambda: Cover.from_matrix([[1, 2]]),
    "^matrix must hold 0 and 1 only, got nan": lambda: Cover.from_matrix([[np.nan]]),
    "^matrix must be an array of memberships": lambda: Cover.from_matrix([1, 0]),
    "^matrix and objects must have the same length, got 3 and 2": lambda: Cover.from_matrix(
        MATRIX, objects=["a", "b"]
    ),
    "^index of matrix must name each object once": lambda: Cover.from_matrix(
        pd.DataFrame(MATRIX, index=list("aba"))
    ),
    "one and other must have the same objects, got 'c' in one only": lambda: align_cover(
        Cover.from_sets([{"a", "b"}]), Cover.from_sets(SETS), ("one", "other")
    ),
    "one and other must have the same objects, got 'c' in other only": lambda: align_cover(
        Cover.from_sets(SETS), Cover.from_sets([{"a", "b"}]), ("one", "other")
    ),
    "same objects, got 'c' in one only: name all of them": lambda: align_cover(
        Cover.from_sets([{"a", "b", 3}]), Cover.from_sets(SETS), ("one", "other")
    ),
    # hierarchy
    "^levels must be labels of at least one": lambda: Hierarchy.from_labels([]),
    "^levels must be nested, got a cluster of level 1 in several clusters of level 0": lambda: (
        Hierarchy.from_labels(LEVELS[::-1])
    ),
    r"got a cluster of level 1 \('subtype'\) in several clusters of level 0 \('type'\)": lambda: (
        Hierarchy.from_labels({"type": [0, 0, 1], "subtype": [1, 2, 2]})
    ),
    "level 0 and level 1 must have": lambda: Hierarchy.from_labels([[0, 1], [0]]),
    "^level 1 must be labels, got memberships": lambda: Hierarchy.from_labels(
        [[0, 1], np.full((2, 2), 0.5)]
    ),
    "^r must be a finite number": lambda: Hierarchy.from_labels(LEVELS, r=np.inf),
    "^Z must be .* fit": lambda: Hierarchy.from_linkage(AgglomerativeClustering()),
    "same cluster": lambda: Hierarchy.from_linkage([[0, 1, 1, 2], [0, 2, 2, 3]]),
    # ids
    r"candidate 0 \('a'\) must have the same index": lambda: score_candidates(
        pd.Series(np.repeat([0, 1, 2], 50)).sample(frac=1, random_state=0),
        pd.DataFrame({"a": np.repeat([0, 1], 75), "b": np.arange(150) % 5}),
        indices="adjusted_rand_score",
    ),
    "ids_true must name each object once, got 'a' at positions 0 and 2": lambda: align_partitions(
        [0, 1, 2], [0, 1, 2], ids_true=["a", "b", "a"], ids_pred=["a", "b", "c"]
    ),
    r"ids_pred must name each object once, got (np.int64\()?4\)? at positions 1 and 2": lambda: (
        align_partitions([0, 1, 2], [0, 1, 2], ids_true=[1, 2, 3], ids_pred=[5, 4, 4])
    ),
    "labels_true and ids_true must have the same length, got 3 and 2": lambda: align_partitions(
        [0, 1, 2], [0, 1, 2], ids_true=[1, 2], ids_pred=[1, 2, 3]
    ),
    "must have an object in common, got none": lambda: align_partitions(
        [0, 1, 2], [0, 1, 2], ids_true=[1, 2, 3], ids_pred=["1", "2", "3"]
    ),
    "ids_true must not contain missing values, got None at position 2": lambda: align_partitions(
        [0, 1, 2], [0, 1, 2], ids_true=[1, 2, None], ids_pred=[1, 2, 3]
    ),
    "index of labels_true must name each object once, got 'a'": lambda: align_partitions(
        pd.Series([0, 1], index=["a", "a"]), pd.Series([0, 1], index=["a", "a"])
    ),
    # images
    **{
        rf"^{name} must be a 1-D .* column .* \.ravel\(\)": [
            lambda column=column, function=function: function(column) for column in COLUMNS
        ]
        for name, function in {
            "labels_true": lambda column: adjusted_rand_score(column, [0, 1, 1]),
            "labels": clustering_entropy,
        }.items()
    },
    "got 5 and 3: labels_pred has .*shape .* transposed": lambda: adjusted_rand_score(
        [0, 1, 1, 0, 2], np.random.default_rng(0).dirichlet([1, 1, 1], 5).T
    ),
    "got 3 and 5: labels_true has .*shape .* transposed": lambda: adjusted_rand_score(
        np.random.default_rng(0).dirichlet([1, 1, 1], 5).T, [0, 1, 1, 0, 2]
    ),
    "got 3 and 2: labels_true has .*shape .* transposed": lambda: adjusted_rand_score(
        np.random.default_rng(0).dirichlet([1, 1, 1], 5).T, np.full((2, 5), 0.5)
    ),
    "must sum to 1, .* the columns do: .* transposed": lambda: adjusted_rand_score(
        np.random.default_rng(0).dirichlet([1, 1, 1], 5).T,
        np.random.default_rng(0).dirichlet([1, 1, 1], 5).T,
    ),
    "candidate 0 has .*shape .* transposed": lambda: score_candidates(
        [0, 1, 1, 0, 2], [np.random.default_rng(0).dirichlet([1, 1, 1], 5).T], indices="rand_score"
    ),
    "got 5 and 4$": lambda: adjusted_rand_score(
        [0, 1, 1, 0, 2], np.random.default_rng(0).dirichlet([1, 1, 1], 5)[:4]
    ),
    # lists of members
    r"Cover\.from_sets": lambda: adjusted_rand_score(
        [frozenset({0, 1}), frozenset({1, 2})], [frozenset({0}), frozenset({0, 1, 2})]
    ),
    r"ragged nested sequence: use Cover\.from_sets": [
        lambda: adjusted_rand_score([[0, 1], [2, 3, 4], [5]], [[0, 1], [2, 3, 4], [5]]),
        lambda: adjusted_rand_score(
            [["a", "b"], ["c"], ["d", "e", "f"]], [["a", "b"], ["c"], ["d", "e", "f"]]
        ),
    ],
    # memberships
    "same length, got 3 and 4": lambda: ContingencyTable.from_memberships(
        np.ones((3, 1)), np.ones((4, 1))
    ),
    "same length, got 3 and 2": lambda: ContingencyTable.from_memberships(np.ones((3, 1)), [0, 1]),
    "memberships_true must be .*2": lambda: ContingencyTable.from_memberships(
        np.ones((2, 1, 1)), np.ones((2, 1))
    ),
    "possibilistic and normalize must not both be True": lambda: ContingencyTable.from_memberships(
        np.ones((2, 1)), [0, 1], possibilistic=True, normalize=True
    ),
    "sample_weight": [
        lambda: ContingencyTable.from_memberships(np.ones((2, 1)), [0, 1], sample_weight=[1, -1]),
        lambda: ContingencyTable.from_memberships(np.ones((2, 1)), [0, 1], sample_weight=[1]),
    ],
    "must share objects, but no object has memberships above 0 on both sides": lambda: (
        ContingencyTable.from_memberships(
            np.array([[0.5, 0.0], [0.0, 0.0]]),
            np.array([[0.0, 0.0], [0.5, 0.0]]),
            possibilistic=True,
        )
    ),
    # named
    "^labels_true must not .* got None at position 1": lambda: adjusted_rand_score(
        pd.Series([0, None], dtype="Int64"), [0, 1]
    ),
    # newick
    "one tree in the Newick format .* got its end at position 0": lambda: Hierarchy.from_newick(""),
    "got its end at position 5": lambda: Hierarchy.from_newick("(a,b)"),
    r"got '\);' at position 5": lambda: Hierarchy.from_newick("(a,b));"),
    "got ';' at position 6": lambda: Hierarchy.from_newick("((a,b);"),
    r"got '\);' at position 3": lambda: Hierarchy.from_newick("(a,);"),
    r"got '\(c,d\);' at position 5": lambda: Hierarchy.from_newick("(a,b)(c,d);"),
    "at position 5": lambda: Hierarchy.from_newick("(a,b); (c,d);"),
    "got 'b,c.*' at position 3": lambda: Hierarchy.from_newick("(a b,c);"),
    "at position 1": lambda: Hierarchy.from_newick("('a,b);"),
    "got 'x,b:1.*' at position 3": lambda: Hierarchy.from_newick("(a:x,b:1);"),
    "at position 4": lambda: Hierarchy.from_newick("(a:1:2,b:1);"),
    "finite lengths of at least 0, got -1": lambda: Hierarchy.from_newick("(a:-1,b:1);"),
    "finite lengths of at least 0, got inf": lambda: Hierarchy.from_newick("(a:inf,b:1);"),
    "lengths of all branches or of none, got one without above 'b'": lambda: Hierarchy.from_newick(
        "(a:1,b);"
    ),
    "name each leaf once, got 'a' twice": lambda: Hierarchy.from_newick("(a,(b,a));"),
    "labels and the leaves of Z must have the same length": lambda: Hierarchy.from_linkage(
        random_linkage(4, 0), labels=["a", "b"]
    ),
    "labels must name each object once, got 'a'": lambda: Hierarchy.from_linkage(
        random_linkage(4, 0), labels=["a", "b", "a", "c"]
    ),
    "Z2 and Z1 must have the same objects, got 'e' in Z2": lambda: cophenetic_correlation(
        Hierarchy.from_linkage(random_linkage(4, 0), labels=list("abcd")),
        Hierarchy.from_linkage(random_linkage(4, 0), labels=list("abce")),
    ),
    # noise
    "'-2' does not occur among the labels, but -2 does": lambda: ContingencyTable.from_labels(
        [0, -1, -2], [0] * 3, noise="drop", noise_label=[-1, "-2"]
    ),
    "noise must not be 'singletons' for more than 100000000": lambda: ContingencyTable.from_labels(
        [-1, 0], [0, -1], noise="singletons", sample_weight=[10**9, 2]
    ),
    "noise must be one of 'cluster', 'singletons', 'drop'": lambda: ContingencyTable.from_labels(
        [0], [0], noise="dropped"
    ),
    "noise_label must be a label or .* got an empty one": lambda: ContingencyTable.from_labels(
        [0], [0], noise="drop", noise_label=()
    ),
    "missing must be one of 'error', 'drop', 'cluster'": lambda: ContingencyTable.from_labels(
        [0], [0], missing="dropped"
    ),
    "whole numbers with noise='singletons'": lambda: ContingencyTable.from_labels(
        [0, -1], [0, 0], sample_weight=[1, 0.5], noise="singletons"
    ),
}

TYPE_ERRORS = {
    # contingency
    "from_labels.*from_counts": lambda: ContingencyTable([0, 1], [0, 1]),
    # covers
    "^Cover is made by Cover.from_sets": lambda: Cover(SETS),
    "^sets must be a list of sets, .* got set": lambda: Cover.from_sets({"a", "b"}),
    "got str": lambda: Cover.from_sets("ab"),
    r"got dict; .* Cover\.from_communities for a dict of objects$": lambda: Cover.from_sets(
        {"a": [0]}
    ),
    "^sets must hold .* got str at position 0": lambda: Cover.from_sets(["ab", "c"]),
    "got int at position 1": lambda: Cover.from_sets([{1}, 2]),
    "^sets must be a list of sets of objects, got int": lambda: Cover.from_sets(3),
    "^sets must hold hashable objects, .* 'list'": lambda: Cover.from_sets([[["a"]]]),
    "^sets must be a list of sets of objects": lambda: Cover.from_communities(5),
    # frames
    r"^candidates must be several partitions: .* LazyFrame: call \.collect": lambda: (
        score_candidates(
            TRUTH, import_or_skip("polars").LazyFrame(CANDIDATES), indices="rand_score"
        )
    ),
    r"^labels_pred must be a 1-D .*, got LazyFrame: call \.collect\(\)": lambda: (
        adjusted_rand_score(TRUTH, import_or_skip("polars").LazyFrame(CANDIDATES))
    ),
    # hierarchy
    "^Hierarchy is made by Hierarchy.from_linkage": lambda: Hierarchy(LEVELS),
    "^level 0 must be a 1-D array": lambda: Hierarchy.from_labels([0, 1]),
    "^r must be": lambda: Hierarchy.from_labels(LEVELS, r="1"),
    # ids
    "labels_pred must be a dict or a pandas Series where no ids are given, got list": lambda: (
        align_partitions([0, 1, 2], [0, 1, 2], ids_true=[1, 2, 3])
    ),
    # images
    r"^labels_true must hold real numbers .* \.ravel\(\) makes": [
        lambda: adjusted_rand_score([["a"], ["b"], ["b"]], [0, 1, 1]),
        lambda: adjusted_rand_score(pd.DataFrame({"x": ["a", "b", "b"]}), [0, 1, 1]),
    ],
    # memberships
    "memberships_true must hold real num": lambda: ContingencyTable.from_memberships(
        np.array([["a"], ["b"]]), [0, 1]
    ),
    "memberships_true must hold real numbers": lambda: ContingencyTable.from_memberships(
        np.ones((2, 1)) * 1j, [0, 1]
    ),
    "possibilistic must be": lambda: ContingencyTable.from_memberships(
        np.ones((2, 1)), [0, 1], possibilistic=1
    ),
    "normalize must be": lambda: ContingencyTable.from_memberships(
        np.ones((2, 1)), [0, 1], normalize="no"
    ),
    "moments must be": lambda: ContingencyTable.from_memberships(
        np.ones((2, 1)), [0, 1], moments=0
    ),
    # named
    "^labels_true must be an array, got Dataset: ": lambda: adjusted_rand_score(
        pytest.importorskip("xarray").Dataset({"a": ("x", [0, 1])}), [0, 1]
    ),
    # newick
    "must be a str of one tree, got list": lambda: Hierarchy.from_newick(["(a,b);"]),
    # noise
    "noise_label must be hashable, .* got dict": lambda: ContingencyTable.from_labels(
        [0], [0], noise="drop", noise_label={}
    ),
    "noise_label must be hashable, .* got list": lambda: ContingencyTable.from_labels(
        [0], [0], noise="drop", noise_label=[[-1]]
    ),
}


@error_cases(VALUE_ERRORS, TYPE_ERRORS)
def test_what_is_wrong_is_named(error, text, call):
    with pytest.raises(error, match=text):
        call()
