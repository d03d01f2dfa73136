"""Covers where labels go: in the functions that take them, and refused everywhere else."""

import re

import numpy as np
import pandas as pd
import pytest
from sklearn.cluster import AgglomerativeClustering

import sklearn_clustcompare
from sklearn_clustcompare import (
    ContingencyTable,
    Cover,
    Hierarchy,
    adjusted_rand_score,
    cluster_decomposition,
    clustering_comparison_report,
    consensus_partition,
    element_centric_similarity_score,
    get_index,
    list_indices,
    make_clustering_scorer,
    omega_score,
    pairwise_scores,
    permutation_test,
    score_candidates,
    score_interval,
)
from sklearn_clustcompare.indices import INDICES
from sklearn_clustcompare.metrics import element_centric_similarities
from tests._covers import OVERLAPPING, cover_of

TRUE, PRED = (cover_of(sets, 6) for sets in OVERLAPPING)
LABELS = [0, 0, 0, 1, 1, 1]

TAKING = list_indices(covers=True)
OTHERS = list_indices(covers=False)


def test_the_registry_knows_which_indices_take_covers():
    assert {"omega_score", "overlapping_normalized_mutual_info_score"} <= set(TAKING)
    assert all(get_index(name).covers == (name in TAKING) for name in INDICES)
    assert "families" in get_index("omega_score").properties()
    assert set(list_indices(families="network")) >= {"omega_score", "average_f_score"}


@pytest.mark.slow
@pytest.mark.parametrize("name", TAKING)
def test_covers_and_labels_go_where_labels_go(name):
    function = getattr(sklearn_clustcompare.metrics, name)
    assert type(function(TRUE, PRED)) is float
    assert 0 < function(TRUE, PRED) <= 1
    assert min(function(TRUE, PRED), function(PRED, TRUE)) < 1
    assert function(TRUE, TRUE) == 1.0
    partition = Cover.from_sets([{0, 1, 2}, {3, 4, 5}])
    assert function(TRUE, LABELS) == function(TRUE, partition)
    assert function(LABELS, PRED) == function(partition, PRED)
    if get_index(name).symmetric:
        assert function(PRED, TRUE) == pytest.approx(function(TRUE, PRED), abs=1e-15)
    heavy = np.array([3, 1, 1, 2, 1, 1])
    sides = (PRED, TRUE) if function(TRUE, PRED) == 1 else (TRUE, PRED)
    assert function(*sides, sample_weight=heavy) != function(*sides)


@pytest.mark.parametrize("name", TAKING)
def test_objects_are_compared_by_name(name):
    function = getattr(sklearn_clustcompare.metrics, name)
    names = list("abcdef")
    true, pred = ([{names[one] for one in c} for c in sets] for sets in OVERLAPPING)
    value = function(TRUE, PRED)
    shuffled = Cover.from_sets(pred, objects=list("fbdaec"))
    assert function(Cover.from_sets(true), shuffled) == pytest.approx(value, abs=1e-15)
    series = pd.Series(LABELS, index=names)
    value = function(TRUE, LABELS)
    assert function(Cover.from_sets(true), series[::-1]) == pytest.approx(value, abs=1e-15)
    # The default index names nothing.
    assert function(Cover.from_sets(true), pd.Series(LABELS)) == value


@pytest.mark.parametrize("name", TAKING)
def test_what_does_not_fit_a_cover_is_an_error(name):
    function = getattr(sklearn_clustcompare.metrics, name)
    with pytest.raises(ValueError, match="^labels_true and labels_pred must have the same objects"):
        function(TRUE, Cover.from_sets([{0, 1}, {9}]))
    with pytest.raises(
        ValueError, match="must have the same length, got 6 and 2 objects: name all"
    ):
        function(TRUE, [0, 1])
    with pytest.raises(TypeError, match="^labels_pred must be given with a Cover"):
        function(TRUE)
    with pytest.raises(TypeError, match="^labels_pred must be labels or a Cover with a Cover"):
        function(TRUE, np.full((6, 2), 0.5))
    if get_index(name).soft:
        with pytest.raises(ValueError, match="^possibilistic must be False with a Cover"):
            function(TRUE, PRED, possibilistic=True)
    with pytest.raises(ValueError, match="^sample_weight must have shape"):
        function(TRUE, PRED, sample_weight=[1, 2])
    with pytest.raises(ValueError, match="^sample_weight must be positive for at least one"):
        function(TRUE, PRED, sample_weight=np.zeros(6))
    with pytest.raises(ValueError, match="^sample_weight must have the objects of labels_true"):
        function(TRUE, PRED, sample_weight=pd.Series(np.ones(6), index=list("abcdef")))


REFUSAL = "must be labels or memberships here, got a Cover: covers are compared by "


@pytest.mark.slow
@pytest.mark.parametrize("sides", [(TRUE, PRED), (TRUE, LABELS), (LABELS, PRED)])
def test_other_indices_name_those_that_take_covers(sides):
    for name in OTHERS:
        with pytest.raises(TypeError, match=REFUSAL + re.escape(", ".join(TAKING)) + "$"):
            getattr(sklearn_clustcompare.metrics, name)(*sides)


@pytest.mark.parametrize(
    "call",
    [
        lambda: ContingencyTable.from_labels(TRUE, PRED),
        lambda: ContingencyTable.from_memberships(TRUE, PRED),
        lambda: sklearn_clustcompare.match_clusters(TRUE, PRED),
        lambda: sklearn_clustcompare.metrics.clustering_entropy(TRUE),
        lambda: sklearn_clustcompare.metrics.partition_coefficient(TRUE),
        lambda: sklearn_clustcompare.silhouette_score(np.arange(6.0).reshape(-1, 1), TRUE),
        lambda: clustering_comparison_report(TRUE, PRED),
        lambda: cluster_decomposition(TRUE, PRED),
        lambda: permutation_test(TRUE, PRED, index="omega_score"),
        lambda: score_interval(TRUE, PRED, index="omega_score"),
        lambda: score_candidates(TRUE, {"a": LABELS}, indices=["omega_score"]),
        lambda: score_candidates(LABELS, {"a": PRED}, indices=["omega_score"]),
        lambda: pairwise_scores([TRUE, PRED], index="omega_score"),
        lambda: consensus_partition([TRUE, PRED], index="omega_score"),
        lambda: make_clustering_scorer("omega_score")(
            AgglomerativeClustering(), np.arange(6.0).reshape(-1, 1), TRUE
        ),
    ],
)
def test_whatever_else_takes_labels_names_them_as_well(call):
    with pytest.raises(TypeError, match=f"{REFUSAL}.*, omega_score"):
        call()


# --------------------------------------------------------------------------- hierarchies

LEVELS = Hierarchy.from_labels([LABELS, [0, 0, 1, 2, 2, 3]])


def test_hierarchies_go_where_the_registry_says():
    assert list_indices(hierarchies=True) == ["element_centric_similarity_score"]
    value = element_centric_similarity_score(LEVELS, PRED)
    assert 0 < value < 1
    assert element_centric_similarity_score(PRED, LEVELS) == pytest.approx(value)
    assert element_centric_similarity_score(LEVELS, LEVELS) == 1.0
    assert element_centric_similarity_score(LEVELS, LABELS) < 1
    other = Hierarchy.from_labels([LABELS, [0, 0, 1, 2, 2, 3]], r=3.0)
    assert element_centric_similarity_score(other, PRED) != value


@pytest.mark.parametrize("sides", [(TRUE, PRED), (LEVELS, PRED), (LABELS, LEVELS), (TRUE, LABELS)])
@pytest.mark.parametrize("alpha", [0.9, 0.4])
def test_values_of_objects_have_the_score_as_their_mean(sides, alpha):
    values = element_centric_similarities(*sides, alpha=alpha)
    assert values.shape == (6,)
    score = element_centric_similarity_score(*sides, alpha=alpha)
    assert values.mean() == pytest.approx(score)


def test_values_of_objects_are_in_the_order_of_the_reference():
    shuffled = Cover.from_sets(OVERLAPPING[1], objects=[5, 3, 1, 0, 2, 4])
    values = element_centric_similarities(TRUE, PRED)
    assert element_centric_similarities(TRUE, shuffled) == pytest.approx(values)
    assert element_centric_similarities(shuffled, TRUE) == pytest.approx(values[[5, 3, 1, 0, 2, 4]])


@pytest.mark.parametrize(
    "call",
    [
        lambda: adjusted_rand_score(LABELS, LEVELS),
        lambda: omega_score(LEVELS, LABELS),
        lambda: omega_score(TRUE, LEVELS),
        lambda: ContingencyTable.from_labels(LEVELS, LABELS),
        lambda: score_candidates(LABELS, {"a": LEVELS}, indices=["adjusted_rand_score"]),
    ],
)
def test_hierarchies_are_refused_elsewhere(call):
    takers = "element_centric_similarity_score, compare_hierarchies, cophenetic_correlation"
    with pytest.raises(TypeError, match=f"got a Hierarchy: hierarchies are compared by {takers}"):
        call()


# --------------------------------------------------------------------------- without the object


@pytest.mark.parametrize("kind", [np.array, np.ndarray.tolist, pd.DataFrame])
@pytest.mark.parametrize("dtype", [int, float, bool])
def test_a_matrix_of_overlapping_clusters_is_told_to_be_a_cover(kind, dtype):
    matrix = TRUE.membership.toarray().astype(dtype)
    matrix = kind(matrix) if kind is not np.ndarray.tolist else matrix.tolist()
    with pytest.raises(
        ValueError, match=r"use Cover\.from_matrix for overlapping clusters as columns of 0 and 1"
    ):
        adjusted_rand_score(LABELS, matrix)
    assert omega_score(TRUE, Cover.from_matrix(matrix)) == 1.0


@pytest.mark.parametrize("sets", [[{0, 1, 2}, {2, 3, 4, 5}], [[0, 1, 2], [3, 4]], [[0], [1, 2]]])
def test_sets_are_told_to_be_a_cover(sets):
    with pytest.raises(
        (TypeError, ValueError),
        match=r"use Cover\.from_sets for clusters (as sets of objects|that overlap)$",
    ):
        adjusted_rand_score(LABELS, sets)
