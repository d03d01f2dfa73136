"""Orders and colors of clusters side by side, against enumeration."""

import itertools

import numpy as np
import pytest

from sklearn_clustcompare.plot._layers import (
    crossings,
    match_colors,
    numbered_color,
    order_layers,
)


def _crossings_by_pairs(flow):
    cells = list(np.ndindex(flow.shape))
    return sum(
        flow[first] * flow[second]
        for first, second in itertools.product(cells, cells)
        if first[0] < second[0] and first[1] > second[1]
    )


@pytest.mark.parametrize("seed", range(5))
def test_crossings_are_pairs_of_objects_that_cross(seed):
    rng = np.random.default_rng(seed)
    flow = rng.integers(4, size=(4, 5)).astype(float)
    orders = [rng.permutation(4), rng.permutation(5)]
    assert crossings([flow], orders) == _crossings_by_pairs(flow[np.ix_(*orders)])


@pytest.mark.parametrize("seed", range(5))
def test_nested_clusters_need_not_cross(seed):
    rng = np.random.default_rng(seed)
    fine = rng.permutation(12)
    coarse, coarsest = fine // 3, fine // 6
    flows = []
    for first, second in itertools.pairwise([rng.permutation(2)[coarsest], coarse, fine]):
        flow = np.zeros((first.max() + 1, second.max() + 1))
        np.add.at(flow, (first, second), 1 + fine % 4)
        flows.append(flow)
    orders = order_layers(flows, [False] * 3)
    assert crossings(flows, orders) == 0
    assert [sorted(order) for order in orders] == [list(range(n)) for n in (2, 4, 12)]


@pytest.mark.parametrize("seed", range(10))
def test_order_is_near_the_best_of_all(seed):
    flow = np.random.default_rng(seed).integers(1, 9, size=(4, 4)) ** 3.0
    fewest = min(
        crossings([flow], [np.array(rows), np.array(cols)])
        for rows in itertools.permutations(range(4))
        for cols in itertools.permutations(range(4))
    )
    assert crossings([flow], order_layers([flow], [False, False])) <= 1.1 * fewest


def test_the_rest_stays_last():
    flow = np.array([[0.0, 1.0, 9.0], [9.0, 0.0, 0.0], [1.0, 9.0, 0.0]])
    rows, cols = order_layers([flow], [True, True])
    assert rows[-1] == cols[-1] == 2


def test_matched_clusters_share_a_number_and_others_get_a_new_one():
    first = np.array([[0.0, 5.0], [9.0, 0.0], [3.0, 1.0]])
    second = np.array([[0.0, 4.0, 5.0], [6.0, 0.0, 0.0]])
    numbers = match_colors([first, second], [False] * 3)
    # By size: 9, 5, 4. The optimal matching of the first table is 1-0, 0-1.
    assert [one.tolist() for one in numbers] == [[1, 0, 2], [0, 1], [1, 2, 0]]


def test_the_rest_has_no_number():
    numbers = match_colors([np.eye(3) * 4], [True, True])
    assert [one.tolist() for one in numbers] == [[0, 1, -1], [0, 1, -1]]


def test_colors_of_24_clusters_are_distinct():
    assert len({numbered_color(number) for number in range(24)}) == 24
    assert numbered_color(24) == numbered_color(0)
