"""The page of a report, the part of the table that it shows, and the parts of its bars."""

import re

import numpy as np
import pytest
from hypothesis import given

import sklearn_clustcompare as scc
from sklearn_clustcompare._palette import VERDICTS
from sklearn_clustcompare.report._decomposition import cluster_rows
from sklearn_clustcompare.report._document import bars, shown_counts
from sklearn_clustcompare.report._overall import _unmatched
from tests._examples import pairs_of_labels
from tests._pages import Page
from tests.report._examples import ANIMALS, FOUND

NASTY = ["<script>alert(1)</script>", "a & b", "\"quoted\" 'too'", "</style>", "細胞<b>"]
labelings = pairs_of_labels(1, 40, 7)


def nasty_report():
    labels = np.array(NASTY)[np.arange(60) % 5]
    return scc.clustering_comparison_report(
        labels, np.roll(labels, 1), names=("<reference>", 'a "name" & more')
    )


@pytest.mark.parametrize("form", ["to_html", "_repr_html_"])
def test_html_is_well_formed_and_escaped(form):
    html = getattr(nasty_report(), form)()
    page = Page(html)
    assert set(NASTY) <= set(page.texts)
    assert "alert" not in "".join(re.findall(r"<script>.*?</script>", html, re.S))
    assert len(page.tables) == 4
    for table in page.tables:
        assert len({len(row) for row in table}) == 1


def test_page_needs_no_network():
    html = nasty_report().to_html()
    page = Page(html)
    assert html.startswith("<!DOCTYPE html>")
    assert page.tags[:2] == ["html", "head"]
    assert not {"link", "img", "iframe", "object"} & set(page.tags)
    attributes = {name for _, given in page.elements for name in given}
    assert not {"src", "href", "action", "srcset"} & attributes
    assert not any(word in html for word in ("http:", "https:", "url(", "@import"))


def test_headings_fit_where_the_report_stands():
    report = scc.clustering_comparison_report(ANIMALS, [-1, *FOUND[1:]])
    page = [tag for tag in Page(report.to_html()).tags if re.fullmatch(r"h\d", tag)]
    part = [tag for tag in Page(report._repr_html_()).tags if re.fullmatch(r"h\d", tag)]
    assert page == ["h1"] + ["h2"] * 7
    assert part == ["h3"] + ["h4"] * 7


def test_notebooks_show_neither_a_page_nor_a_script():
    tags = set(Page(scc.clustering_comparison_report(ANIMALS, FOUND)._repr_html_()).tags)
    assert not {"html", "head", "body", "script", "main"} & tags


def test_wide_tables_scroll_by_themselves_and_have_a_name():
    page = Page(scc.clustering_comparison_report(ANIMALS, FOUND).to_html())
    regions = [given for _, given in page.elements if given.get("class") == "scroll"]
    assert len(regions) == page.tags.count("table") == 4
    for region in regions:
        assert (region["role"], region["tabindex"]) == ("region", "0")
        assert region["aria-label"]
    scopes = [given.get("scope") for tag, given in page.elements if tag == "th"]
    assert set(scopes) == {"col", "row"}


def test_page_and_markdown_hold_what_the_text_holds():
    report = scc.clustering_comparison_report(ANIMALS, [-1, *FOUND[1:]])
    page = Page(report.to_html())
    texts = page.texts
    markdown = report.to_markdown()
    for line in report.overall:
        assert line.name in [row[0] for table in page.tables for row in table]
        assert f"{line.value:.2f}" in texts
        assert line.name.replace("_", "\\_") in markdown
    assert len(report.warnings) == 2
    assert set(report.warnings) <= set(texts)
    assert report.to_dict()["headline"]["text"] in texts
    tables = [block for block in markdown.split("\n\n") if block.startswith("|")]
    assert len(tables) == 4
    for table in tables:
        assert len({line.count("|") for line in table.splitlines()}) == 1
    titles = ("# Comparison", "## Overall", "## Objects by cluster", "## Notes", "## Legend")
    assert all(title in markdown for title in titles)


def test_markdown_escapes_labels():
    markdown = scc.clustering_comparison_report(["a|b", "*c*"], [0, 1]).to_markdown()
    assert "| a\\|b |" in markdown
    assert "| \\*c\\* |" in markdown


CONTROLS = ["line\nfeed", "re\rturn", "nu\0l", "\x1b red", "\u2028", "next\x85line"]


@pytest.mark.slow
@pytest.mark.parametrize("form", ["__str__", "to_markdown", "to_html", "_repr_html_"])
def test_control_characters_of_names_are_written_as_in_literals(form):
    labels = np.array(CONTROLS)[np.arange(60) % len(CONTROLS)]
    names = ("\0true", "\x1bpred")
    text, plain = (
        getattr(scc.clustering_comparison_report(labels, np.roll(labels, 1), names=sides), form)()
        for sides in (names, ("a", "b"))
    )
    assert all(one.isprintable() for one in text.split("\n"))
    assert text.count("\n") == plain.count("\n")
    shown = text.replace("\\\\", "\\")
    assert all(repr(one)[1:-1] in shown for one in (*CONTROLS, *names))


def test_labels_of_one_side_that_look_alike_are_written_as_literals():
    alike, others = [1, 1, 1, "1", "1", "a"], ["b", "b", "b", "b", "b", 2]
    page = Page(scc.clustering_comparison_report(alike, others).to_html())
    counts, _, true, pred = page.tables
    assert [row[0] for row in counts] == ["labels_true", "1", "'1'", "'a'", "sum"]
    assert counts[0][1:] == ["b", "2", "sum"]
    assert [row[0] for row in true[1:]] == ["1", "'1'", "'a'"]
    assert {row[pred[0].index("match")] for row in pred[1:]} == {"1", "'a'"}
    report = scc.clustering_comparison_report(alike, others)
    assert "worst: '1'" in " ".join(report.split())
    bars = [given["aria-label"] for _, given in page.elements if given.get("role") == "img"]
    assert [bar.split(":")[0] for bar in bars] == ["1", "'1'", "'a'"]


def test_lines_behind_a_report_are_as_they_are_in_all_forms():
    report = scc.clustering_comparison_report([0, 0, 1], [0, 1, 1])._with((), "line <1>")
    assert str(report).endswith("\nline <1>\n")
    assert report.to_markdown().endswith("```text\nline <1>\n```\n")
    for page in (report.to_html(), report._repr_html_()):
        assert '<pre class="scroll">line &lt;1&gt;</pre>' in page


def test_many_clusters():
    rng = np.random.default_rng(0)
    true = rng.integers(300, size=6000)
    pred = np.where(rng.random(6000) < 0.7, true, rng.integers(300, size=6000))
    report = scc.clustering_comparison_report(true, pred, max_clusters=5)
    counts, _, true_side, pred_side = Page(report.to_html()).tables
    assert len(true_side) == len(pred_side) == 1 + 5
    assert counts[0][-2:] == ["other (289 clusters)", "sum"]
    weights = [row[true_side[0].index("weight")] for row in true_side[1:]]
    assert len(set(weights)) > 1
    assert not {"0.0%", "0.00%"} & set(weights)


NAMES_OF_TITLES = {"agreement": "value", "lost": "lost_share", "F": "f_score"}


@given(labelings)
def test_no_cell_is_a_false_0_or_1(labels):
    decomposition = scc.cluster_decomposition(*labels)
    for side in (decomposition.true, decomposition.pred):
        header, rows = cluster_rows(side, 100, is_wide=True)
        values = side.columns()
        assert len(rows) == len(side.sizes)
        for title in set(header) - {"label", "size", "match", "verdict"}:
            place = header.index(title)
            column = values[NAMES_OF_TITLES.get(title, title.lower())]
            for row, value in zip(rows, column.tolist(), strict=True):
                whole = 100 if row[place].endswith("%") else 1
                written = float(row[place].removesuffix("%"))
                assert written == whole * value or written not in (0, whole)
                assert written == pytest.approx(whole * value, abs=0.0501 if whole > 1 else 0.011)


def test_bars_read_aloud_where_objects_went():
    page = Page(scc.clustering_comparison_report(ANIMALS, FOUND).to_html())
    bars = [given for _, given in page.elements if given.get("role") == "img"]
    assert [bar["aria-label"] for bar in bars] == [
        "bird: 4 (100%) in the match: 1",
        "fish: 4 (100%) in the match: 0",
        "frog: 2 (100%) in the match of another cluster: 1",
    ]


@given(labelings)
def test_every_verdict_has_a_color_of_its_own(labels):
    decomposition = scc.cluster_decomposition(*labels)
    for side in (decomposition.true, decomposition.pred):
        assert set(side.verdict.tolist()) <= set(VERDICTS)
    assert len(set(VERDICTS.values())) == len(VERDICTS)


# ------------------------------------------- the part of the contingency table that a report shows


labelings_of_many = pairs_of_labels(1, 120, 30)


@given(labelings_of_many)
def test_what_is_shown_adds_up(labels):
    table = scc.ContingencyTable.from_labels(*labels)
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
    if None in cols:
        found = pred[np.isin(true, known[0])]
        assert max(np.sum(found == col) for col in {*pred.tolist()} - {*known[1]}) <= min(
            np.sum(found == col) for col in known[1]
        )


@given(labelings_of_many)
def test_parts_of_bars_add_up(labels):
    table = scc.ContingencyTable.from_labels(*labels)
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
    table = scc.ContingencyTable.from_counts([sizes])
    (bar,) = bars(table, _unmatched(table))
    assert tuple(part.size for part in bar.parts) == shown
    assert (bar.parts[-1].role == "other") == (shown != sizes)


def test_matched_clusters_face_each_other():
    true = [0] * 5 + [1] * 5 + [2] * 5
    pred = [2] * 5 + [0] * 4 + [1] * 6
    report = scc.clustering_comparison_report(true, pred)
    shown = shown_counts(report.decomposition.table, report.headline.unmatched)
    assert shown.col_labels == ["2", "0", "1"]
    np.testing.assert_array_equal(shown.counts, [[5, 0, 0], [0, 4, 1], [0, 0, 5]])


def test_sums_at_the_margins():
    report = scc.clustering_comparison_report(list("aaab"), list("xyyy"))
    header, rows = shown_counts(report.decomposition.table, report.headline.unmatched).rows()
    assert header[-1] == rows[-1][0] == "sum"
    assert [row[-1] for row in rows] == ["3", "1", "4"]
    assert sorted(rows[-1][1:]) == ["1", "3", "4"]
