"""One round of the search for a consensus, against every move tried by hand."""

from dataclasses import replace

import numpy as np
import pytest

from sklearn_clustcompare import ContingencyTable, get_index
from sklearn_clustcompare._partition import Reading
from sklearn_clustcompare._table.many import in_order_of_appearance
from sklearn_clustcompare.consensus._agreement import Agreement
from sklearn_clustcompare.consensus._ensemble import read_ensemble
from sklearn_clustcompare.consensus._search import Bounds, LocalSearch
from tests._examples import slow
from tests.consensus.test_consensus import all_partitions


def random_candidates(seed, n_samples=40):
    """Return four blurred copies of three clusters."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(3, size=n_samples)
    blurred = (
        np.where(rng.random(n_samples) < 0.5, truth, rng.integers(3, size=n_samples))
        for _ in range(4)
    )
    return np.array([in_order_of_appearance(one) for one in blurred])


def average(candidates, labels, index):
    values = [index(ContingencyTable.from_labels(one, labels)) for one in candidates]
    return sum(values) / len(values)


def best_move(candidates, labels, members, index):
    """Return how much it gains to move these objects together, and to which cluster."""
    sign = 1 if index.greater_is_better else -1
    start = average(candidates, labels, index)
    gains = [
        sign * (average(candidates, np.where(members, target, labels), index) - start)
        for target in range(labels.max() + 2)
    ]
    return max(gains), int(np.argmax(gains))


@pytest.mark.parametrize("seed", [15, 17, 19, 30])
@pytest.mark.parametrize(
    "name", ["adjusted_rand_score", "pair_recall_score", "variation_of_information_distance"]
)
def test_moves_that_gain_most_come_first(name, seed):
    candidates, index = random_candidates(seed), get_index(name)
    ensemble = read_ensemble(candidates, None, Reading(), align=False)
    sizes, cells = ensemble.sizes, ensemble.cell_of
    _, columns = np.unique(candidates, axis=1, return_inverse=True)
    drawn = np.random.default_rng(seed).integers(3, size=len(sizes))
    labels = in_order_of_appearance(in_order_of_appearance(drawn)[columns.ravel()])
    start = labels[np.unique(cells, return_index=True)[1]]

    moves = [
        (*best_move(candidates, labels, cells == one, index), one) for one in range(len(sizes))
    ]
    moves = sorted((move for move in moves if move[0] > 1e-9), reverse=True)
    gains = [gain for gain, _, _ in moves]
    averages, n_moves = {}, len(moves)
    while n_moves:
        # Of equal gains either could come first.
        assert n_moves == len(moves) or gains[n_moves - 1] - gains[n_moves] > 1e-9
        moved = labels.copy()
        for _, target, cell in moves[:n_moves]:
            moved[cells == cell] = target
        averages[n_moves] = average(candidates, moved, index)
        n_moves //= 2
    best = (max if index.greater_is_better else min)(averages, key=averages.get)
    assert best < len(moves)  # else their order would not matter

    local = LocalSearch(Agreement(ensemble, index, {}), Bounds(1, len(sizes)), max_iter=1)
    search = local.climb(start)
    expected = [average(candidates, labels, index), averages[best]]
    assert search.history == pytest.approx(expected, rel=1e-12)
    assert average(candidates, search.labels[cells], index) == pytest.approx(expected[1])


@pytest.mark.parametrize(
    ("name", "params"),
    [
        ("adjusted_rand_score", {}),
        ("fowlkes_mallows_score", {}),
        slow("mutual_info_score", {"q": 0.5}),
        ("normalized_mutual_info_score", {}),
        ("normalized_mutual_info_score", {"average_method": "joint"}),
        ("adjusted_mutual_info_score", {}),
        slow("adjusted_mutual_info_score", {"q": 2, "average_method": "max"}),
        ("v_measure_score", {"beta": 2}),
        ("completeness_score", {}),
        ("variation_of_information_distance", {"normalize": "expected"}),
        ("variation_of_information_distance", {"normalize": "log_n"}),
        slow("standardized_mutual_info_score", {}),
        ("element_centric_similarity_score", {}),
        ("van_dongen_distance", {}),
    ],
    ids=str,
)
def test_each_move_changes_the_average_as_it_does_by_hand(name, params):
    rng, index = np.random.default_rng(5), get_index(name)
    given = np.repeat(rng.integers(3, size=(3, 9)), rng.integers(1, 4, size=9), axis=1)
    given = np.where(rng.random(given.shape) < 0.2, np.nan, given)
    weights = np.array([1.0, 3.0, 2.0])
    ensemble = read_ensemble(given, weights, Reading(missing="drop"), align=False)
    cells = ensemble.cell_of
    assert (ensemble.sizes > 1).any()
    labels = in_order_of_appearance(rng.integers(3, size=ensemble.n_cells))

    def by_hand(trial):
        values = []
        for one in given:
            own = ~np.isnan(one)
            table = ContingencyTable.from_labels(one[own], trial[cells][own])
            values.append(index(table, **params))
        return np.average(values, weights=weights)

    changes = Agreement(ensemble, index, params).changes(labels, None)
    expected = np.empty_like(changes)
    sign = 1 if index.greater_is_better else -1
    for cell, target in np.ndindex(changes.shape):
        trial = np.where(np.arange(len(labels)) == cell, target, labels)
        expected[cell, target] = sign * (by_hand(trial) - by_hand(labels))
    np.testing.assert_allclose(changes, expected, rtol=1e-9, atol=1e-12)
    assert np.ptp(expected) > 1e-3


def test_pairs_of_moves_where_the_bounds_forbid_the_first():
    # Three clusters must stay three: no cell that is alone can leave its cluster first.
    given = [[1, 0, 1, 1, 0, 1], [1, 1, 1, 0, 1, 1], [1, 0, 0, 0, 1, 0]]
    ensemble = read_ensemble(given, None, Reading(), align=False)
    start = np.array([0, 0, 0, 1, 2])
    local = LocalSearch(
        Agreement(ensemble, get_index("pair_f_score"), {}), Bounds(3, 3), max_iter=9
    )
    assert local.climb(start).labels.tolist() == start.tolist()
    found = replace(local, is_last=True).climb(start)
    assert found.labels.tolist() == [0, 1, 1, 1, 2]
    averages = [
        average(given, np.array(one)[ensemble.cell_of], local.agreement.index)
        for one in all_partitions(5)
        if len(set(one)) == 3
    ]
    assert found.history[-1] == pytest.approx(max(averages))
