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
    assert found.shape == relabel_partitions(truth, [*draws]).shape == (5, 3, 50)
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


@pytest.mark.filterwarnings("ignore:partitions. columns without a name")
def test_named_objects_and_columns():
    """Runs in another order, and in a file that pandas wrote with its index."""
    rng = np.random.default_rng(3)
    truth = rng.integers(3, size=40)
    orders = [rng.permutation(40) for _ in range(3)]
    runs = [
        {f"object {one}": names[truth[one]] for one in order.tolist()}
        for order, names in zip(orders, ([0, 1, 2], [2, 0, 1], [1, 2, 0]), strict=True)
    ]
    for found in (relabel_partitions(None, runs), relabel_partitions(runs[0], runs)):
        np.testing.assert_array_equal(found, np.tile(found[0], (3, 1)))
        assert adjusted_rand_score(found[1], truth[orders[0]]) == 1.0
    frame = pd.DataFrame({"Unnamed: 0": range(40), "a": truth, "b": 2 - truth})
    np.testing.assert_array_equal(relabel_partitions(truth, frame), [truth, truth])


@pytest.mark.slow
def test_memberships_have_the_columns_of_the_reference():
    reference = np.random.default_rng(4).dirichlet([0.2] * 4, 60)
    runs = [reference[:, [2, 0, 3, 1]], reference[:, ::-1]]
    for given in (runs, np.stack(runs)):
        np.testing.assert_array_equal(relabel_partitions(reference, given), [reference] * 2)
        assert relabel_partitions(None, given).shape == (2, 60, 4)
    wider = relabel_partitions(reference, [*runs, np.insert(reference, 0, 0.0, axis=1)])
    np.testing.assert_array_equal(wider[..., :4], [reference] * 3)
    assert not wider[..., 4].any()


def test_one_partition_may_be_a_list():
    for one in ([1, 1, 0], ["xx", "xx", "y"], (5, 5, 7)):
        np.testing.assert_array_equal(relabel_partitions([0, 0, 1], one), [0, 0, 1])
