"""One round of the search for a consensus, against every move tried by hand."""

import numpy as np
import pytest

from sklearn_clustcompare import ContingencyTable, get_index
from sklearn_clustcompare._partition import Reading
from sklearn_clustcompare.comparison._agreement import Agreement
from sklearn_clustcompare.comparison._ensemble import read_ensemble
from sklearn_clustcompare.comparison._members import in_order_of_appearance
from sklearn_clustcompare.comparison._search import Bounds, LocalSearch


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
