"""Many partitions with the labels of one."""

import itertools

import numpy as np
import pandas as pd
import pytest

from sklearn_clustcompare import adjusted_rand_score
from sklearn_clustcompare.metrics import relabel_partitions


def test_switched_labels_are_switched_back():
    rng = np.random.default_rng(0)
    truth = rng.integers(4, size=50)
    draws = np.array([[rng.permutation(4)[truth] for _ in range(3)] for _ in range(5)])
    found = relabel_partitions(truth, draws)
    assert found.shape == (5, 3, 50)
    np.testing.assert_array_equal(found, np.broadcast_to(truth, found.shape))


def test_the_match_is_the_best_of_all():
    rng = np.random.default_rng(1)
    truth = rng.integers(3, size=20)
    draws = rng.integers(3, size=(10, 20))
    found = relabel_partitions(truth, draws)
    for one, draw in zip(found, draws, strict=True):
        assert adjusted_rand_score(one, draw) == 1.0
        best = max(
            (np.array(order)[draw] == truth).sum() for order in itertools.permutations(range(3))
        )
        assert (one == truth).sum() == best


def test_without_a_reference_draws_are_aligned_to_the_consensus():
    truth = np.repeat([0, 1, 2], 10)
    draws = np.array([np.random.default_rng(seed).permutation(3)[truth] for seed in range(9)])
    np.testing.assert_array_equal(relabel_partitions(None, draws), np.tile(truth, (9, 1)))


def test_labels_of_text_and_more_clusters_than_the_reference():
    assert relabel_partitions(list("aab"), [[1, 1, 0], [0, 1, 2]]).tolist() == [
        ["a", "a", "b"],
        ["a", "unmatched 1", "b"],
    ]


def test_another_length_is_an_error():
    with pytest.raises(ValueError, match="^labels_true must have the same length as each"):
        relabel_partitions([0, 1], [[0, 1, 1]])
    with pytest.raises(ValueError, match="^partitions must be an array of shape"):
        relabel_partitions([0, 1], [])


def test_runs_that_name_other_objects_are_refused():
    reference = pd.Series([0, 0, 1, 1], index=list("abcd"))
    with pytest.raises(ValueError, match="^labels_true and partition 1 must have the same index"):
        relabel_partitions(reference, [reference, reference[list("acbd")]])
    with pytest.raises(ValueError, match="^partitions must have the same length, got 2 and 1"):
        relabel_partitions([0, 1], [[0, 1], [0]])


def test_one_partition_may_be_a_list():
    for one in ([1, 1, 0], ["xx", "xx", "y"], (5, 5, 7)):
        np.testing.assert_array_equal(relabel_partitions([0, 0, 1], one), [0, 0, 1])
