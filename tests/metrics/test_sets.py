"""Matching of clusters."""

import numpy as np
import pytest

from sklearn_clustcompare import match_clusters


def test_match_clusters_greedy_takes_the_largest_share_first():
    labels_true = ["big"] * 6 + ["small"] * 2
    labels_pred = [1, 1, 1, 1, 2, 2, 1, 1]
    assert match_clusters(labels_true, labels_pred, method="greedy") == {"big": 2, "small": 1}
    assert match_clusters(labels_true, labels_pred) == {"big": 1, "small": None}


def test_match_clusters_by_majority_takes_the_cluster_with_most_objects():
    labels_true = ["B"] * 101 + ["T"] * 9
    labels_pred = [0] * 92 + [1] * 9 + [0] * 8 + [2]
    assert match_clusters(labels_true, labels_pred, method="majority") == {"B": 0, "T": 0}
    assert match_clusters(labels_true, labels_pred) == {"B": 0, "T": 2}
    assert match_clusters(list("aab"), [1, 0, 1], method="majority") == {"a": 0, "b": 1}


def test_match_clusters_leaves_clusters_without_a_partner():
    matched = match_clusters(np.array([0, 1, 2]), np.array([7, 7, 7]))
    assert matched == {0: 7, 1: None, 2: None}
    assert {type(label) for label in (*matched, matched[0])} == {int}


def test_match_clusters_weighs_objects():
    labels_true, labels_pred = [0, 0, 1, 1], [0, 1, 0, 1]
    weights = [1, 5, 5, 1]
    for method in ("greedy", "optimal"):
        matched = match_clusters(labels_true, labels_pred, method=method, sample_weight=weights)
        assert matched == {0: 1, 1: 0}


@pytest.mark.parametrize("method", ["optimal", "greedy"])
def test_match_clusters_is_one_to_one_and_finds_renamed_clusters(case, method):
    matched = match_clusters(*case, method=method)
    partners = [label for label in matched.values() if label is not None]
    assert len(partners) == len(set(partners))
    identical = match_clusters(case[0], case[0], method=method)
    assert all(label == partner for label, partner in identical.items())


def test_match_clusters_refuses_an_unknown_method():
    with pytest.raises(
        ValueError, match="^method must be one of 'optimal', 'greedy', 'majority'; got 'best'"
    ):
        match_clusters([0], [0], method="best")
