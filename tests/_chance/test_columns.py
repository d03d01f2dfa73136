"""Means of the information that single columns add, against the model of the whole table."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sklearn_clustcompare._chance.exact_law import ColumnMeans
from sklearn_clustcompare.significance import PermutationModel

SIZES = st.lists(st.integers(1, 40), min_size=1, max_size=6)


@pytest.mark.parametrize("q", [0.5, 1.0, 2.0, 3.0])
@given(rows=SIZES, cols=SIZES)
def test_columns_add_up_to_the_means_of_the_table(q, rows, cols):
    # The smaller side gets the objects that it lacks.
    rows, cols = np.array(rows), np.array(cols)
    gap = rows.sum() - cols.sum()
    rows[0] += max(-gap, 0)
    cols[0] += max(gap, 0)
    expected = PermutationModel(rows, cols).expected_cluster_conditional_entropy(q)
    means = ColumnMeans(rows, q)
    for sizes in (cols, cols[::-1]):  # the second time they are known
        sums = [part.sum() for part in means(sizes)]
        np.testing.assert_allclose(sums, [side.sum() for side in expected], rtol=1e-11, atol=1e-14)
