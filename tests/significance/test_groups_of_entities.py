"""Intervals where groups are entities, so that each found cluster holds few of them."""

import numpy as np
import pytest

from sklearn_clustcompare import ContingencyTable, get_index, score_interval


def merged_entities(n_entities, rng):
    """Return two records an entity, of which a share is split off and some are merged."""
    true = np.repeat(np.arange(n_entities), 2)
    found = np.where(rng.random(len(true)) < 0.05, n_entities + np.arange(len(true)), true)
    for first, second in rng.choice(n_entities, (n_entities // 30, 2), replace=False):
        found[found == second] = first
    return true, found


@pytest.mark.parametrize("name", ["pair_precision_score", "bcubed_f_score"])
@pytest.mark.parametrize("n_entities", [90, 1200])  # one by one, and in parts
def test_more_entities_would_not_be_merged_more(name, n_entities):
    true, found = merged_entities(n_entities, np.random.default_rng(0))
    made = score_interval(true, found, index=name, groups=true)
    score = get_index(name)(ContingencyTable.from_labels(true, found))
    low, high = made.interval
    assert made.bias == 0
    assert low < score < high
    assert high - low < 6 * made.standard_error
