"""The part of the contingency table that a report shows, and the parts of its bars."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sklearn_clustcompare import ContingencyTable, clustering_comparison_report
from sklearn_clustcompare.report._document import bars, shown_counts
from sklearn_clustcompare.report._overall import _unmatched

labelings = st.integers(1, 120).flatmap(
    lambda n: st.tuples(*[st.lists(st.integers(0, 30), min_size=n, max_size=n)] * 2)
)


@given(labelings)
def test_what_is_shown_adds_up(labels):
    table = ContingencyTable.from_labels(*labels)
    lost = _unmatched(table)
    shown = shown_counts(table, lost)
    true, pred = (np.array(side) for side in labels)
    assert shown.counts.sum() == len(true)
    assert len(shown.row_labels) == len(shown.counts) <= 12
    assert len(shown.col_labels) == shown.counts.shape[1] <= 12
    rows, cols = (
        [None if label.startswith("other") else int(label) for label in labels]
        for labels in (shown.row_labels, shown.col_labels)
    )
    known = [[label for label in side if label is not None] for side in (rows, cols)]
    for i, row in enumerate(rows):
        in_row = np.isin(true, known[0], invert=True) if row is None else true == row
        for j, col in enumerate(cols):
            in_col = np.isin(pred, known[1], invert=True) if col is None else pred == col
            assert shown.counts[i, j] == np.sum(in_row & in_col)
    if None in rows:
        left_out = [
            loss
            for loss, label in zip(lost, table.row_labels, strict=True)
            if label not in known[0]
        ]
        assert max(left_out) <= min(lost[np.isin(table.row_labels, known[0])])
        assert shown.row_labels[-1] == f"other ({len(left_out)} clusters)"


@given(labelings)
def test_parts_of_bars_add_up(labels):
    table = ContingencyTable.from_labels(*labels)
    matched = {
        table.row_labels[table.cell_rows[k]]: table.col_labels[table.cell_cols[k]]
        for k in table.optimal_matching
    }
    true, pred = (np.array(side) for side in labels)
    for bar in bars(table, _unmatched(table)):
        own = pred[true == int(bar.label)]
        assert bar.size == len(own) == sum(part.size for part in bar.parts)
        assert sum(part.share for part in bar.parts) == pytest.approx(1, abs=1e-12)
        assert len(bar.parts) <= 6
        for part in bar.parts:
            if part.role == "other":
                continue
            assert part.size == np.sum(own == int(part.label))
            expected = (
                "match"
                if matched.get(int(bar.label)) == int(part.label)
                else "mixed"
                if int(part.label) in matched.values()
                else "split"
            )
            assert part.role == expected
        if int(bar.label) in matched:
            assert bar.parts[0].role == "match"


@pytest.mark.parametrize(
    ("sizes", "shown"),
    [((600, 399, 1), (600, 399, 1)), ((600, 398, 1, 1), (600, 398, 2))],
)
def test_one_small_part_of_a_bar_needs_no_other(sizes, shown):
    table = ContingencyTable.from_counts([sizes])
    (bar,) = bars(table, _unmatched(table))
    assert tuple(part.size for part in bar.parts) == shown
    assert (bar.parts[-1].role == "other") == (shown != sizes)


def test_matched_clusters_face_each_other():
    true = [0] * 5 + [1] * 5 + [2] * 5
    pred = [2] * 5 + [0] * 4 + [1] * 6
    report = clustering_comparison_report(true, pred)
    shown = shown_counts(report.decomposition.table, report.headline.unmatched)
    assert shown.col_labels == ["2", "0", "1"]
    np.testing.assert_array_equal(shown.counts, [[5, 0, 0], [0, 4, 1], [0, 0, 5]])


def test_sums_at_the_margins():
    report = clustering_comparison_report(list("aaab"), list("xyyy"))
    header, rows = shown_counts(report.decomposition.table, report.headline.unmatched).rows()
    assert header[-1] == rows[-1][0] == "sum"
    assert [row[-1] for row in rows] == ["3", "1", "4"]
    assert sorted(rows[-1][1:]) == ["1", "3", "4"]
