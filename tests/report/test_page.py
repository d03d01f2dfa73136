"""The page: well-formed, whole without a script or a network, and as exact as the numbers."""

import re
from html.parser import HTMLParser

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sklearn_clustcompare import cluster_decomposition, clustering_comparison_report
from sklearn_clustcompare._palette import VERDICTS
from sklearn_clustcompare.report._decomposition import cluster_rows

ANIMALS = ["fish"] * 4 + ["bird"] * 4 + ["frog"] * 2
FOUND = [0, 0, 0, 0, 1, 1, 1, 1, 1, 1]
NASTY = ["<script>alert(1)</script>", "a & b", "\"quoted\" 'too'", "</style>", "細胞<b>"]
VOID = {"meta", "br", "wbr"}
labelings = st.integers(1, 40).flatmap(
    lambda n: st.tuples(*[st.lists(st.integers(0, 7), min_size=n, max_size=n)] * 2)
)


class Page(HTMLParser):
    """Reads a page, checks that its tags match, and keeps what it holds."""

    def __init__(self, html):
        super().__init__()
        self.open, self.tags, self.elements, self.texts, self.tables = [], [], [], [], []
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.elements.append((tag, dict(attrs)))
        assert len(dict(attrs)) == len(attrs)
        if tag == "table":
            self.tables.append([])
        if tag == "tr":
            self.tables[-1].append([])
        if tag in ("th", "td"):
            self.tables[-1][-1].append("")
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)
        if {"td", "th"} & set(self.open):
            self.tables[-1][-1][-1] += data


def nasty_report():
    labels = np.array(NASTY)[np.arange(60) % 5]
    return clustering_comparison_report(
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
    report = clustering_comparison_report(ANIMALS, [-1, *FOUND[1:]])
    page = [tag for tag in Page(report.to_html()).tags if re.fullmatch(r"h\d", tag)]
    part = [tag for tag in Page(report._repr_html_()).tags if re.fullmatch(r"h\d", tag)]
    assert page == ["h1"] + ["h2"] * 7
    assert part == ["h3"] + ["h4"] * 7


def test_notebooks_show_neither_a_page_nor_a_script():
    tags = set(Page(clustering_comparison_report(ANIMALS, FOUND)._repr_html_()).tags)
    assert not {"html", "head", "body", "script", "main"} & tags


def test_wide_tables_scroll_by_themselves_and_have_a_name():
    page = Page(clustering_comparison_report(ANIMALS, FOUND).to_html())
    regions = [given for _, given in page.elements if given.get("class") == "scroll"]
    assert len(regions) == page.tags.count("table") == 4
    for region in regions:
        assert (region["role"], region["tabindex"]) == ("region", "0")
        assert region["aria-label"]
    scopes = [given.get("scope") for tag, given in page.elements if tag == "th"]
    assert set(scopes) == {"col", "row"}


def test_page_and_markdown_hold_what_the_text_holds():
    report = clustering_comparison_report(ANIMALS, [-1, *FOUND[1:]])
    page = Page(report.to_html())
    texts = page.texts
    markdown = report.to_markdown()
    for line in report.overall:
        assert line.name in [row[0] for table in page.tables for row in table]
        assert f"{line.value:.2f}" in texts
        assert line.name.replace("_", "\\_") in markdown
    assert len(report.warnings) == 1
    assert set(report.warnings) <= set(texts)
    assert report.to_dict()["headline"]["text"] in texts
    tables = [block for block in markdown.split("\n\n") if block.startswith("|")]
    assert len(tables) == 4
    for table in tables:
        assert len({line.count("|") for line in table.splitlines()}) == 1
    titles = ("# Comparison", "## Overall", "## Objects by cluster", "## Notes", "## Legend")
    assert all(title in markdown for title in titles)


def test_markdown_escapes_labels():
    markdown = clustering_comparison_report(["a|b", "*c*"], [0, 1]).to_markdown()
    assert "| a\\|b |" in markdown
    assert "| \\*c\\* |" in markdown


CONTROLS = ["line\nfeed", "re\rturn", "nu\0l", "\x1b red", "\u2028", "next\x85line"]


@pytest.mark.parametrize("form", ["__str__", "to_markdown", "to_html", "_repr_html_"])
def test_control_characters_of_names_are_written_as_in_literals(form):
    labels = np.array(CONTROLS)[np.arange(60) % len(CONTROLS)]
    names = ("\0true", "\x1bpred")
    text, plain = (
        getattr(clustering_comparison_report(labels, np.roll(labels, 1), names=sides), form)()
        for sides in (names, ("a", "b"))
    )
    assert all(one.isprintable() for one in text.split("\n"))
    assert text.count("\n") == plain.count("\n")
    shown = text.replace("\\\\", "\\")
    assert all(repr(one)[1:-1] in shown for one in (*CONTROLS, *names))


def test_labels_of_one_side_that_look_alike_are_written_as_literals():
    alike, others = [1, 1, 1, "1", "1", "a"], ["b", "b", "b", "b", "b", 2]
    page = Page(clustering_comparison_report(alike, others).to_html())
    counts, _, true, pred = page.tables
    assert [row[0] for row in counts] == ["labels_true", "1", "'1'", "'a'", "sum"]
    assert counts[0][1:] == ["b", "2", "sum"]
    assert [row[0] for row in true[1:]] == ["1", "'1'", "'a'"]
    assert {row[pred[0].index("match")] for row in pred[1:]} == {"1", "'a'"}
    report = clustering_comparison_report(alike, others)
    assert "worst: '1'" in " ".join(report.split())
    bars = [given["aria-label"] for _, given in page.elements if given.get("role") == "img"]
    assert [bar.split(":")[0] for bar in bars] == ["1", "'1'", "'a'"]


def test_many_clusters():
    rng = np.random.default_rng(0)
    true = rng.integers(300, size=6000)
    pred = np.where(rng.random(6000) < 0.7, true, rng.integers(300, size=6000))
    report = clustering_comparison_report(true, pred, max_clusters=5)
    counts, _, true_side, pred_side = Page(report.to_html()).tables
    assert len(true_side) == len(pred_side) == 1 + 5
    assert counts[0][-2:] == ["other (289 clusters)", "sum"]
    weights = [row[true_side[0].index("weight")] for row in true_side[1:]]
    assert len(set(weights)) > 1
    assert not {"0.0%", "0.00%"} & set(weights)


NAMES_OF_TITLES = {"agreement": "value", "lost": "lost_share", "F": "f_score"}


@given(labelings)
def test_no_cell_is_a_false_0_or_1(labels):
    decomposition = cluster_decomposition(*labels)
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
    page = Page(clustering_comparison_report(ANIMALS, FOUND).to_html())
    bars = [given for _, given in page.elements if given.get("role") == "img"]
    assert [bar["aria-label"] for bar in bars] == [
        "bird: 4 (100%) in the match: 1",
        "fish: 4 (100%) in the match: 0",
        "frog: 2 (100%) in the match of another cluster: 1",
    ]


@given(labelings)
def test_every_verdict_has_a_color_of_its_own(labels):
    decomposition = cluster_decomposition(*labels)
    for side in (decomposition.true, decomposition.pred):
        assert set(side.verdict.tolist()) <= set(VERDICTS)
    assert len(set(VERDICTS.values())) == len(VERDICTS)
