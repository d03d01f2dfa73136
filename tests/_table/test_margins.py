"""What indices of pairs are functions of."""

import numpy as np
import pytest

from sklearn_clustcompare import ContingencyTable, get_index, list_indices
from sklearn_clustcompare._table.counts import CountedPairs, KnownMargins, SquareSums


@pytest.mark.parametrize("name", list_indices(pairs=True))
def test_pair_counting_needs_no_more_than_sums_of_squares(name):
    rng = np.random.default_rng(0)
    index = get_index(name)
    for labels in (rng.integers(3, size=(2, 20)), np.tile(rng.integers(3, size=20), (2, 1))):
        table = ContingencyTable.from_labels(*labels)
        pairs = CountedPairs.of_squares(table.n_samples, table.square_sums)
        assert index.of_statistic(*pairs) == index.function(table)
        assert index.of_statistic(*pairs.T) == index.function(table.T)


def test_margins_of_pairs_have_no_sizes_to_take_for_empty_ones():
    with pytest.raises(AttributeError, match="row_sums"):
        get_index("standardized_rand_score").of_statistic(SquareSums(20, 30, 30), KnownMargins(20))
