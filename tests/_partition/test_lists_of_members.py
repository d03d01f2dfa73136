"""Clusters as lists of members where labels of objects are expected."""

import pytest

import sklearn_clustcompare
from sklearn_clustcompare import (
    adjusted_rand_score,
    consensus_partition,
    pairwise_scores,
    permutation_test,
    score_candidates,
)

TRUE = [(0, 1), (2, 3, 4), (5,)]
PRED = [(0, 1, 2), (3, 4), (5,)]
CALLS = {
    "adjusted_rand_score": adjusted_rand_score,
    "permutation_test": lambda a, b: permutation_test(a, b, index="rand_score"),
    "score_candidates": lambda a, b: score_candidates(a, {"b": b}),
    "pairwise_scores": lambda a, b: pairwise_scores([a, b], index="rand_score"),
    "consensus_partition": lambda a, b: consensus_partition([a, b]),
    "relabel": sklearn_clustcompare.relabel,
    "from_labels": sklearn_clustcompare.ContingencyTable.from_labels,
    "element_centric_similarity_score": sklearn_clustcompare.element_centric_similarity_score,
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("pred", [PRED, [(0, 1, 2), (3, 4, 5)], [(1, 2), (0, 3), (4, 5)]])
def test_lists_of_members_have_no_score(call, pred):
    with pytest.raises(ValueError, match=r"all different on both sides: .* Cover\.from_sets"):
        CALLS[call](TRUE, pred)


def test_sets_with_objects_in_common_are_members_as_well():
    first = [frozenset({0, 1}), frozenset({1, 2})]
    with pytest.raises(ValueError, match=r"Cover\.from_sets"):
        adjusted_rand_score(first, [frozenset({0}), frozenset({0, 1, 2})])


@pytest.mark.parametrize("lists", [[[0, 1], [2, 3, 4], [5]], [["a", "b"], ["c"], ["d", "e", "f"]]])
def test_lists_of_lists_of_unequal_length_name_the_way_out(lists):
    with pytest.raises(ValueError, match=r"ragged nested sequence: use Cover\.from_sets"):
        adjusted_rand_score(lists, lists)


def test_the_way_out():
    found = adjusted_rand_score([set(one) for one in TRUE], [set(one) for one in PRED])
    assert found == adjusted_rand_score([0, 0, 1, 1, 1, 2], [0, 0, 0, 1, 1, 2])
    assert found == pytest.approx(0.318, abs=5e-4)


def test_tuples_remain_labels():
    chains = [("A", 1), ("A", 2), ("B", 1), ("B", 1)]
    assert adjusted_rand_score(chains, [0, 1, 2, 2]) == 1.0
    assert adjusted_rand_score([(0,), (1,), (2,)], [0, 1, 1]) == 0.0
    first = {"x": (0, 1), "y": (2, 3)}  # the objects have names
    assert adjusted_rand_score(first, {"y": (0, 2), "x": (1, 3)}) == 1.0
