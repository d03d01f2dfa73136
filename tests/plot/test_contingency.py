"""Contingency tables, by the data in their artists."""

import numpy as np
import pytest

from sklearn_clustcompare import ContingencyTable
from sklearn_clustcompare.plot import ContingencyDisplay
from tests.plot._examples import FOUND, MANY, MANY_FOUND, TRUTH, texts

pyplot = pytest.importorskip("matplotlib.pyplot")


def test_contingency_is_drawn_in_matched_order():
    display = ContingencyDisplay.from_predictions(TRUTH, FOUND)
    assert display.im_.get_array().filled(0).tolist() == [[5, 1, 0], [0, 3, 1], [0, 0, 2]]
    assert texts(display.ax_.xaxis) == ["1", "0", "2"]
    assert texts(display.ax_.yaxis) == ["a", "b", "c"]
    assert [[one.get_text() for one in row] for row in display.text_] == [
        ["5", "1", "0"],
        ["0", "3", "1"],
        ["0", "0", "2"],
    ]


def test_unmatched_clusters_stand_by_the_one_they_share_most_with():
    true = [0] * 9 + [1] * 9
    pred = list("ccccbbbaa") + list("fffffeeed")
    display = ContingencyDisplay.from_predictions(true, pred)
    assert display.col_labels == ["c", "b", "a", "f", "e", "d"]
    swapped = ContingencyDisplay.from_predictions(pred, true)
    assert swapped.row_labels == display.col_labels
    assert np.array_equal(swapped.counts, display.counts.T)


def test_darkness_rises_with_the_count_and_numbers_stay_readable():
    counts = np.array([[97, 3, 0], [2, 50, 1], [0, 1, 30]])
    display = ContingencyDisplay(counts, row_labels=[0, 1, 2], col_labels=[0, 1, 2]).plot()
    cells = display.im_.to_rgba(display.im_.get_array())[..., :3] @ [0.2126, 0.7152, 0.0722]
    by_count = [cells[counts == count].mean() for count in (1, 2, 3, 30, 50, 97)]
    assert by_count == sorted(by_count, reverse=True)
    assert by_count[2] > 0.9  # a few errors are nearly white
    assert by_count[-1] < 0.2
    for text, cell in zip(display.text_.ravel(), cells.ravel(), strict=True):
        contrast = {"white": 1 - cell, "black": cell}.get(text.get_color())
        assert (contrast is None) == (text.get_text() == "0")
        assert contrast is None or contrast > 0.4


def test_empty_cells_have_no_colour():
    display = ContingencyDisplay.from_predictions(TRUTH, FOUND)
    assert display.im_.get_array().mask.tolist() == [[0, 0, 1], [1, 0, 0], [1, 1, 0]]


@pytest.mark.parametrize(("normalize", "axis"), [("true", 1), ("pred", 0)])
def test_shares_add_up_to_one(normalize, axis):
    display = ContingencyDisplay.from_predictions(TRUTH, FOUND, normalize=normalize)
    shares = display.im_.get_array().filled(0)
    assert shares.sum(axis=axis) == pytest.approx(np.ones(3), rel=1e-15)
    assert display.text_[0, 0].get_text() == ("0.83" if normalize == "true" else "1.00")
    assert display.im_.get_clim() == (0, 1)


def test_soft_tables_are_drawn():
    memberships = np.repeat([[0.9, 0.1], [0.25, 0.75]], 6, axis=0)
    display = ContingencyDisplay.from_predictions(TRUTH, memberships)
    table = ContingencyTable.from_memberships(TRUTH, memberships)
    assert display.counts == pytest.approx(table.counts.toarray(), rel=1e-15)
    assert display.text_[0, 0].get_text() == "5.40"


def test_many_clusters_are_an_image_with_few_labels():
    display = ContingencyDisplay.from_predictions(MANY, MANY_FOUND)
    assert display.text_ is None
    assert display.im_.get_array().shape == (len(set(MANY)), len(set(MANY_FOUND)))
    shown = texts(display.ax_.xaxis)
    assert 10 < len(shown) < 100
    assert set(shown) <= {str(label) for label in display.col_labels}


def test_table_counted_elsewhere_is_drawn():
    table = ContingencyTable.from_counts([[0, 3], [2, 0]], row_labels=["x", "y"])
    display = ContingencyDisplay.from_table(table)
    assert display.counts.tolist() == [[3, 0], [0, 2]]
    assert display.col_labels == [1, 0]


def test_long_labels_keep_their_ends():
    labels = [f"2005-07-06_14/{number}" for number in range(4)]
    display = ContingencyDisplay.from_predictions(labels, labels)
    assert texts(display.ax_.xaxis) == [f"2005-\N{HORIZONTAL ELLIPSIS}-06_14/{n}" for n in range(4)]
    assert all(label.get_rotation() == 90 for label in display.ax_.get_xticklabels())


def test_labels_are_no_formulas():
    labels = [r"$\nothing$", "b"]
    display = ContingencyDisplay.from_predictions(labels, labels)
    display.figure_.draw_without_rendering()
    assert texts(display.ax_.xaxis) == [r"\$\nothing\$", "b"]


def test_no_objects_cannot_be_drawn():
    with pytest.raises(ValueError, match="^counts must hold at least one cluster on each side"):
        ContingencyDisplay.from_predictions([], [])


def test_contingency_refuses_unknown_shares():
    with pytest.raises(
        ValueError, match="^normalize must be one of None, 'true', 'pred'; got 'all'"
    ):
        ContingencyDisplay.from_predictions(TRUTH, FOUND, normalize="all")
