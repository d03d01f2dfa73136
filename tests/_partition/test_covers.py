"""What goes into a Cover, which objects are the same, and what is refused."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from sklearn_clustcompare import Cover
from sklearn_clustcompare._partition.covers import align_cover

SETS = [{"b", "a"}, {"b", "c"}]
MATRIX = [[1, 0], [1, 1], [0, 1]]


def test_sets_name_their_objects():
    cover = Cover.from_sets(SETS)
    assert cover.objects.tolist() == ["a", "b", "c"]
    assert cover.membership.toarray().tolist() == MATRIX
    assert (cover.n_samples, cover.n_clusters) == (3, 2)


def test_objects_say_the_order_and_who_is_in_no_cluster():
    cover = Cover.from_sets(SETS, objects=["d", "c", "b", "a"])
    assert cover.objects.tolist() == ["d", "c", "b", "a"]
    assert cover.membership.toarray().tolist() == [[0, 0], [0, 1], [1, 1], [1, 0]]
    nobody = Cover.from_sets([], objects=["a", "b"])
    assert (nobody.n_samples, nobody.n_clusters) == (2, 0)


@pytest.mark.parametrize(
    "sets",
    [
        [frozenset("ab"), frozenset("bc")],
        [["a", "b"], ("b", "c")],
        (np.array(["a", "b"]), np.array(["b", "c"])),
        ({"a", "b"}, set(), {"b", "c"}),
        pytest.param(iter(SETS), marks=pytest.mark.thread_unsafe(reason="it can be read once")),
        pd.Series([["a", "b"], ["b", "c"]]),
        {"first": SETS[0], "second": SETS[1]}.values(),
    ],
    ids=["frozensets", "lists", "arrays", "empty set", "iterator", "series", "values"],
)
def test_sets_in_other_collections(sets):
    assert Cover.from_sets(sets) == Cover.from_sets(SETS)


@pytest.mark.parametrize("kind", [list, np.array, tuple])
def test_objects_of_any_kind(kind):
    numbers = Cover.from_sets([kind([10**12, -5]), kind([3, -5])])
    assert numbers.objects.tolist() == [-5, 3, 10**12]
    assert numbers.membership.toarray().tolist() == [[1, 1], [0, 1], [1, 0]]


def test_mixed_objects_are_not_made_alike():
    cover = Cover.from_sets([{1, "1"}, {(1, 2)}])
    assert cover.n_samples == 3
    assert cover.n_clusters == 2


@pytest.mark.parametrize(
    "matrix",
    [
        MATRIX,
        np.array(MATRIX, bool),
        np.array(MATRIX, float),
        sparse.csr_array(np.array(MATRIX)),
        sparse.coo_matrix(np.array(MATRIX)),
        pd.DataFrame(MATRIX),
        np.array([[1, 0, 0], [1, 0, 1], [0, 0, 1]]),
    ],
    ids=["list", "bool", "float", "csr", "coo", "frame", "empty column"],
)
def test_matrices(matrix):
    cover = Cover.from_matrix(matrix)
    assert cover.objects is None
    assert cover.membership.toarray().tolist() == MATRIX
    named = Cover.from_matrix(matrix, objects=["a", "b", "c"])
    assert named == Cover.from_sets(SETS) != cover


def test_an_index_names_the_rows():
    frame = pd.DataFrame(MATRIX, index=["a", "b", "c"])
    assert Cover.from_matrix(frame) == Cover.from_sets(SETS)


# --------------------------------------------------------------------------- communities


@pytest.mark.parametrize(
    "communities",
    [
        SETS,
        {"a": [0], "b": [0, 7], "c": [7]},
        {"a": 0, "b": {0, "x"}, "c": ("x",)},
        {"a": np.array([0]), "b": np.array([1, 0]), "c": 1},
    ],
    ids=["sets", "lists", "mixed", "arrays"],
)
def test_communities(communities):
    assert Cover.from_communities(communities) == Cover.from_sets(SETS)


def test_a_dict_has_its_objects_in_its_order():
    cover = Cover.from_communities({"z": [], "b": "red", "a": "red"})
    assert cover.objects.tolist() == ["z", "b", "a"]
    assert cover.membership.toarray().tolist() == [[0], [1], [1]]


class _Vertices(dict):
    def attributes(self):
        return list(self)


def _clustering(membership, **attributes):
    """What igraph's VertexClustering and VertexCover have, as far as it is used."""
    vertices = _Vertices(attributes)
    graph = SimpleNamespace(vs=vertices, vcount=lambda: len(membership))
    return SimpleNamespace(membership=membership, graph=graph)


def test_communities_that_look_like_those_of_igraph():
    cover = Cover.from_communities(_clustering([[0], [0, 1], [1], []]))
    assert cover.objects.tolist() == [0, 1, 2, 3]
    assert cover == Cover.from_sets([{0, 1}, {1, 2}], objects=range(4))
    named = _clustering([5, 5, 8, None], name=["a", "b", "c", "d"])
    expected = Cover.from_sets([{"a", "b"}, {"c"}], objects=["a", "b", "c", "d"])
    assert Cover.from_communities(named) == expected


def test_communities_of_networkx():
    networkx = pytest.importorskip("networkx")
    graph = networkx.karate_club_graph()
    cliques = list(networkx.community.k_clique_communities(graph, 3))
    cover = Cover.from_communities(cliques, objects=graph.nodes)
    assert cover.n_samples == 34
    assert cover.n_clusters == len(cliques)
    partition = Cover.from_communities(networkx.community.greedy_modularity_communities(graph))
    assert (partition.membership.sum(axis=1) == 1).all()


def test_communities_of_igraph():
    igraph = pytest.importorskip("igraph")
    graph = igraph.Graph.Famous("Zachary")
    clustering = graph.community_fastgreedy().as_clustering()
    cover = Cover.from_communities(clustering)
    assert cover == Cover.from_sets(map(set, clustering))
    overlapping = igraph.VertexCover(graph, [[0, 1, 2], [2, 3]])
    expected = Cover.from_sets([{0, 1, 2}, {2, 3}], objects=range(34))
    assert Cover.from_communities(overlapping) == expected
    graph.vs["name"] = [f"member {number}" for number in range(34)]
    assert Cover.from_communities(overlapping).objects[33] == "member 33"


# --------------------------------------------------------------------------- errors


# --------------------------------------------------------------------------- the object


def test_names_that_were_passed_stay_writeable():
    names = np.array(["a", "b", "c"])
    Cover.from_matrix(MATRIX, objects=names)
    names[0] = "z"


def test_equality_is_of_objects_and_clusters():
    cover = Cover.from_sets(SETS)
    assert cover == Cover.from_sets(SETS[::-1], objects=["c", "a", "b"])
    assert cover != Cover.from_sets([*SETS, SETS[0]])
    assert Cover.from_sets([*SETS, SETS[0]]) != Cover.from_sets([*SETS, SETS[1]])
    assert cover != Cover.from_sets(SETS, objects=["a", "b", "c", "d"])
    assert cover != Cover.from_sets([{"a", "b"}, {"b", "z"}])
    assert cover != Cover.from_matrix(MATRIX)
    assert cover != SETS
    assert Cover.from_matrix(MATRIX) == Cover.from_matrix(np.array(MATRIX)[:, ::-1])


def test_repr_shows_the_first_clusters():
    assert repr(Cover.from_sets(SETS)).splitlines() == [
        "Cover: 3 objects in 2 clusters, 4 memberships",
        "{'a', 'b'}",
        "{'b', 'c'}",
    ]
    large = repr(Cover.from_matrix(np.ones((30, 12)))).splitlines()
    assert len(large) == 12
    assert large[1] == "{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, ...}"
    assert large[-1] == "... 2 more"


# --------------------------------------------------------------------------- same objects


def test_objects_are_matched_by_name():
    first = Cover.from_sets(SETS, objects=["c", "a", "b"])
    second = align_cover(Cover.from_sets(SETS), first, ("one", "other"))
    assert second.objects.tolist() == ["c", "a", "b"]
    assert (second.membership != first.membership).nnz == 0
    unnamed = Cover.from_matrix(MATRIX)
    assert align_cover(unnamed, first, ("one", "other")) is unnamed


def test_zeros_that_are_stored_are_no_members():
    stored = sparse.csr_array(([1, 0, 1], ([0, 0, 1], [0, 1, 1])), shape=(2, 2))
    assert stored.nnz == 3
    assert Cover.from_matrix(stored) == Cover.from_matrix([[1, 0], [0, 1]])
