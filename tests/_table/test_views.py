"""What indices of pairs see of a table."""

import numpy as np
import pytest

from sklearn_clustcompare import ContingencyTable, get_index, list_indices
from sklearn_clustcompare._table.views import PairTable


@pytest.mark.parametrize("name", list_indices())
def test_pair_counting_needs_no_more_than_sums_of_squares(name):
    rng = np.random.default_rng(0)
    cases = [rng.integers(3, size=(2, 20)), np.tile(rng.integers(3, size=20), (2, 1))]
    index = get_index(name)
    for labels in cases:
        table = ContingencyTable.from_labels(*labels)
        squares = table.square_sums
        pairs = PairTable.of_squares(table.n_samples, squares)
        if index.pairs:
            assert index.function(pairs) == index.function(table)
    if not index.pairs:
        with pytest.raises((AttributeError, AssertionError)):
            index.function(pairs._replace(is_identity=False))
