"""Objects of two covers, counted together in pairs."""

import numpy as np
import pytest

from sklearn_clustcompare import (
    omega_score,
)
from sklearn_clustcompare._table import cover_pair
from sklearn_clustcompare.indices import _covers
from tests._covers import OVERLAPPING, cover_of, random_covers
from tests.indices.test_covers import COVERS, FUNCTIONS, pair_of


@pytest.mark.slow
@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)
def test_blocks_of_pairs_do_not_change_values(function, monkeypatch):
    values = [function(pair_of(*case)) for case in COVERS]
    monkeypatch.setattr(cover_pair, "_BLOCK_PAIRS", 3)
    monkeypatch.setattr(_covers, "_BLOCK_SIZE", 3)
    assert [function(pair_of(*case)) for case in COVERS] == pytest.approx(values, abs=1e-13)


def test_pairs_of_objects_need_frequencies_and_may_be_very_many():
    true, pred = (cover_of(sets, 6) for sets in OVERLAPPING)
    with pytest.raises(ValueError, match="^sample_weight must be frequencies"):
        omega_score(true, pred, sample_weight=np.full(6, 0.1))
    weights = np.array([10**6, 3 * 10**6, 10**6, 2 * 10**6, 10**6, 10**6])
    value = omega_score(true, pred, sample_weight=weights)
    assert omega_score(true, pred, sample_weight=10**9 * weights) == pytest.approx(value, rel=1e-5)


def test_pairs_are_the_same_on_both_roads():
    rng = np.random.default_rng(4)
    pair = pair_of(*random_covers(rng, 25, 7, share=0.8), 25)
    n_shared = (pair.true @ pair.true.T).toarray(), (pair.pred @ pair.pred.T).toarray()
    assert pair.common.costs.sum() > sum((side @ side.T).sum() for side in (pair.true, pair.pred))
    for road in (pair.sharing(), pair._sharing_cells()):
        found = np.zeros((2, *n_shared[0].shape), int)
        for block, n_true, n_pred in road:
            found[:, block.first, block.second] = n_true, n_pred
        both = (n_shared[0] > 0) & (n_shared[1] > 0)
        assert (found == np.where(both, n_shared, 0)).all()
