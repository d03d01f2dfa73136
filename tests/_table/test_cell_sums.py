"""Sums over the cells of a table."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from sklearn_clustcompare import (
    ContingencyTable,
    get_index,
    list_indices,
)
from tests.indices.test_cell_sums import OWN, value_of


@pytest.mark.parametrize("name", list_indices(linear_in="cells"))
def test_an_empty_cell_adds_nothing(name):
    cell_sum = get_index(name).statistic.cell_sum({})
    empty = np.zeros(3), np.array([1.0, 2, 7]), np.array([1.0, 3, 1])
    assert not cell_sum.function(*empty).any()


def test_a_sum_over_cells_has_to_be_given():
    with pytest.raises(
        TypeError, match="cell_sum must be a CellSum, .* linear_in='cells', got None"
    ):
        replace(OWN, cell_sum=None)


def test_sums_of_sides_that_are_swapped_and_grouped_are_the_same():
    rng = np.random.default_rng(5)
    labels = rng.integers(900, size=(2, 5000))
    for name in ("element_centric_similarity_score", "bcubed_f_score", "muc_f_score"):
        assert value_of(name, *labels) == value_of(name, *labels[::-1])
    table = ContingencyTable.from_labels(*labels)
    rows, cols = table.row_sums[table.cell_rows], table.col_sums[table.cell_cols]
    squares = [
        Fraction(int(n) ** 2, int(max(a, b)))
        for n, a, b in zip(table.cell_counts, rows, cols, strict=True)
    ]
    expected = float(sum(squares) / 5000)
    assert value_of("element_centric_similarity_score", *labels) == pytest.approx(
        expected, rel=1e-14
    )
