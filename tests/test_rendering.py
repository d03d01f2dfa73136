"""Tables as text, Markdown and HTML, and numbers in their cells."""

import ast
import math
import re
from fractions import Fraction
from html import escape

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from sklearn_clustcompare import clustering_comparison_report
from sklearn_clustcompare._rendering import (
    decimals,
    ends,
    html_table,
    markdown,
    markdown_table,
    matrix_table,
    number_texts,
    percent_text,
    percent_texts,
    printable,
    table_of,
    text_table,
    wrapped,
)
from sklearn_clustcompare.report._decomposition import size_text


def test_html_aligns_text_to_the_left_and_numbers_to_the_right():
    html = html_table(["label", "match", "F"], [["7", "x", "-"], ["8", "9", "-0.5"]], "title")
    left, right = (f'style="text-align: {side}"' for side in ("left", "right"))
    for text in ("match", "x", "9"):
        assert f" {left}><bdi>{text}</bdi></t" in html
    for text in ("label", "F"):
        assert f" {right}><bdi>{text}</bdi></t" in html
    for text in ("7", "8", "-", "-0.5"):
        assert f" {right}>{text}</t" in html


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (3, "3"), (12345678901, "12345678901"), (2.0, "2"), (89.99999999999999, "90"),
        (20.123456789, "20.1235"), (1234567.5, "1234568"), (0.25, "0.25"),
    ],
)  # fmt: skip
def test_size_text(size, text):
    assert size_text(size) == text


def test_tables_of_text():
    assert text_table(["name", "n"], [["a", "1"], ["bcdef", "12"]]).splitlines() == [
        "name    n",
        "a       1",
        "bcdef  12",
    ]
    assert text_table(["n"], [["5"], ["12"]]).splitlines() == [" n", " 5", "12"]
    lines = markdown_table(["a_b", "n"], [["x|y\nz", "1"]]).splitlines()
    assert lines == ["| a\\_b | n |", "| :-- | --: |", "| x\\|y\\\\nz | 1 |"]
    assert markdown_table(["n", "t"], [["1", "b"]]).splitlines()[1] == "| --: | :-- |"


# --------------------------------------------------------------------------- numbers


@pytest.mark.parametrize(
    ("values", "texts"),
    [
        ([1.0, 0.48092, 0.00301], ["1.0000", "0.4809", "0.0030"]),
        ([1.0, 0.0, -2.0], ["1", "0", "-2"]),
        ([0.99996, -0.99996, 1.00004, 0.99994], ["0.9999", "-0.9999", "1.0001", "0.9999"]),
        ([5.779e-26, 0.0, -0.0, -3e-9, 0.5], ["5.8e-26", "0.0000", "0.0000", "-3.0e-09", "0.5000"]),
        ([1 + 1e-15, 1 - 1e-15, 1 - 1e-11], ["1.0000", "1.0000", "0.9999"]),
        ([1.5, 0.25], ["1.50", "0.25"]),
        ([5.8e-26, 0.1 + 0.2, 1], ["5.8e-26", "0.3", "1.0"]),
        ([15.10465, 0.05], ["15.105", "0.050"]),
        ([1042.04, 3.288, 0.996], ["1042.04", "3.29", "0.99"]),
        ([math.nan, math.inf, -math.inf, 0.25], ["-", "inf", "-inf", "0.25"]),
        ([1e300, 0.5], ["1.0000e+300", "5.0000e-01"]),
        ([], []),
    ],
)  # fmt: skip
def test_decimals(values, texts):
    assert decimals(values) == texts


@given(st.lists(st.floats()))
def test_decimals_are_equal_and_0_and_1_are_exact(values):
    texts = decimals(values)
    fixed = {
        len(text.partition(".")[2]) for text in texts if text[-1].isdigit() and "e" not in text
    }
    assert len(fixed) <= 1
    for value, text in zip(values, texts, strict=True):
        if math.isnan(value):
            assert text == "-"
        elif math.isinf(value):
            assert float(text) == value
        else:
            n_decimals = max(fixed, default=4)
            assert float(text) != 0 or value == 0
            assert abs(float(text)) != 1 or abs(abs(value) - 1) <= 1e-12
            error = abs(Fraction(text) - Fraction(value))
            assert error <= max(Fraction(1, 10**n_decimals), abs(Fraction(value)) / 10**4)


@pytest.mark.parametrize(
    ("values", "texts"),
    [
        ([0.5, 1, 0], ["0.50", "1.00", "0.00"]),
        ([0.9966, 0.5], ["0.997", "0.500"]),
        ([0.9999996, 0.5, -1], ["0.9999", "0.5000", "-1.0000"]),
        ([1.0000004, -0.9999996], ["1.0001", "-0.9999"]),
        ([0.0042, 1], ["0.004", "1.000"]),
        ([3e-9, 0.25], ["3.0e-09", "0.25"]),
        ([None, math.nan, -0.0], ["-", "-", "0.00"]),
        ([-0.004, 12.5], ["-0.004", "12.500"]),
        ([], []),
    ],
)
def test_numbers(values, texts):
    assert number_texts(values, 2) == texts


@pytest.mark.parametrize(
    ("shares", "texts"),
    [
        ([0.337, 1, 0], ["33.7%", "100.0%", "0.0%"]),
        ([1 / 300, 0.0041], ["0.33%", "0.41%"]),
        ([0.99996, 0.00004], ["99.996%", "0.004%"]),
        ([0.99999999, 0.5], ["99.999%", "50.000%"]),
        ([0.4, 1e-9], ["40.0%", "1.0e-07%"]),
        ([None, 0.5], ["-", "50.0%"]),
    ],
)
def test_percentages(shares, texts):
    assert percent_texts(shares, 2) == texts


def test_whole_shares_alone_have_no_decimals():
    assert [percent_text(share, 2) for share in (0, 1.0, 0.5)] == ["0%", "100%", "50.0%"]


numbers_with_ends = st.floats(-1e6, 1e6) | st.sampled_from([0.0, 1.0, -1.0, 1 - 1e-9, 1e-300])


@given(st.lists(numbers_with_ends, max_size=8), st.integers(1, 6))
def test_a_written_0_or_1_is_exact_and_numbers_are_close_to_what_is_written(values, digits):
    texts = number_texts(values, digits)
    for value, text in zip(values, texts, strict=True):
        written = float(text)
        assert written not in (0, 1, -1) or abs(written - value) <= 1.1e-12 * abs(written)
        # A step more where it is rounded away from 1.
        assert abs(written - value) <= 1.001 * 10.0**-digits
        assert written == 0 or (written < 0) == (value < 0)
    decimals = {len(text.partition(".")[2]) for text in texts if "e" not in text}
    assert len(decimals) <= 1
    assert decimals <= {digits, digits + 1, digits + 2}


@given(
    st.lists(
        st.floats(0, 1) | st.sampled_from([0.0, 1.0, 1 - 1e-13, 1 - 1e-11]), min_size=1, max_size=8
    )
)
def test_a_written_0_or_100_percent_is_exact(shares):
    for share, text in zip(shares, percent_texts(shares, 2), strict=True):
        written = float(text.removesuffix("%"))
        assert (written == 0) == (share == 0)
        # Errors of rounding are not shown, of which 1e-12 is the largest.
        assert written == 100 or share < 1 - 0.9e-12
        assert written != 100 or share > 1 - 1.1e-12
        assert abs(written - 100 * share) <= 0.101


@given(st.lists(st.floats(1e-6, 1), min_size=1, max_size=8))
def test_the_largest_percentage_has_two_significant_digits(shares):
    largest = max(shares)
    written = float(percent_texts(shares, 2)[shares.index(largest)].removesuffix("%"))
    assert written == pytest.approx(100 * largest, rel=0.0501)


# --------------------------------------------------------------------------- alignment


def test_numbers_are_aligned_at_the_decimal_point():
    body = [["a", "5.8e-26"], ["b", "0.0177"], ["c", "12"], ["d", "-"], ["e", "inf"]]
    assert text_table(["", "p"], body).splitlines() == [
        "           p",
        "a    5.8e-26",
        "b    0.0177",
        "c   12",
        "d          -",
        "e  inf",
    ]
    cells = html_table(["", "p"], body)
    space = "\u2007"
    for cell in ("5.8e-26", f"0.0177{space}", f"12{space * 6}", "-", f"inf{space * 6}"):
        assert f">{cell}</td>" in cells


# Columns of a terminal: 2 for wide and fullwidth characters, 0 for marks that combine, else 1.
COLUMNS = {
    "日本語": 6, "한국": 4, "ＡＢ": 4, "ｱｲ": 2, "e\u0301": 1, "\u1112\u1161\u11ab": 2,
    "a\u200bb": 2, "каша": 4, "भा": 2, "ἀ": 1, "😀": 2,
}  # fmt: skip


def test_columns_of_text_are_as_wide_as_in_a_terminal():
    lines = text_table(["名前", "n"], [[name, "1"] for name in COLUMNS]).splitlines()
    assert lines[0] == "名前    n"
    for line, (name, n_columns) in zip(lines[1:], COLUMNS.items(), strict=True):
        assert line == name + " " * (6 - n_columns) + "  1"


def test_a_name_stays_in_its_line():
    assert text_table(["a\nb", "n"], [["\r", "1"]]).splitlines() == ["a\\nb  n", "\\r    1"]


def test_control_characters_are_written_as_in_literals():
    text = "".join(map(chr, [*range(0x20), 0x7F, 0x85, 0x2028, 0x2029, 0xDC80]))
    literal = ast.literal_eval(f"'{printable(text)}'")
    assert literal == text
    assert printable(text).isprintable()
    assert printable("名前 é\u200d") == "名前 é\u200d"
    assert html_table(["", ""], [["a\0", "<\x1b"]], "\r").count("\\") == 3
    assert markdown("a\nb*") == "a\\\\nb\\*"
    assert wrapped("a\tb") == "a\\tb"


def test_names_that_look_alike_are_written_as_literals():
    table = table_of({"name": [1, "1", "a"], "match": [1, 1, 2]}, names=("name", "match"))
    assert table.body == [("1", "1"), ("'1'", "1"), ("'a'", "2")]
    assert table_of({"name": [1, "a"]}, names=("name",)).body == [("1",), ("a",)]
    matrix = matrix_table([True, "True"], ["x", "y"], np.eye(2, dtype=int))
    assert [row[0] for row in matrix.body] == ["True", "'True'"]
    assert matrix.header == ["", "x", "y"]


# --------------------------------------------------------------------------- long tables


@pytest.mark.parametrize(
    ("n_items", "shown"),
    [(0, []), (1, [0]), (5, [0, 1, 2, 3, 4]), (6, [0, 1, 2, 4, 5]), (99, [0, 1, 2, 97, 98])],
)  # fmt: skip
def test_first_and_last_of_many_are_shown(n_items, shown):
    assert ends(n_items, 5) == shown


def test_rows_in_the_middle_of_a_long_table_are_left_out():
    table = table_of({"name": [f"<{k}>" for k in range(10_000)], "n": np.arange(10_000) / 7})
    lines = text_table(*table).splitlines()
    assert [line.split()[0] for line in lines[1:11]] == [f"<{k}>" for k in range(10)]
    assert lines[11] == "... 9,980 more"
    assert [line.split()[0] for line in lines[12:]] == [f"<{k}>" for k in range(9990, 10_000)]
    html = html_table(table.header, table.body, n_hidden=table.n_hidden)
    rows = html.split("<tr>")
    assert len(rows) == 23
    assert ">... 9,980 more<" in rows[12]
    assert 'colspan="2"' in rows[12]
    dates = np.array(["2021-01-01", "2021-02-01"], "M8[D]")
    named = table_of({"name": dates, "k": [0.125, 2.0], "n": [0.125, 2.0]}, names=("name", "k"))
    assert named.body == [("2021-01-01", "0.125", "0.125"), ("2021-02-01", "2.0", "2.000")]
    whole = table_of({"name": list("ab"), "n": [1, 2]})
    assert whole == (("name", "n"), [("a", "1"), ("b", "2")], 0)


@pytest.mark.parametrize("form", [np.asarray, csr_array])
def test_corners_of_a_large_matrix_are_shown(form):
    values = np.arange(30.0 * 12).reshape(30, 12) / 8
    table = matrix_table(list(range(30)), [f"c{k}" for k in range(12)], form(values))
    columns = [0, 1, 2, 3, 4, 7, 8, 9, 10, 11]
    assert table.header == [
        "",
        *(f"c{k}" for k in columns[:5]),
        "...",
        *(f"c{k}" for k in columns[5:]),
    ]
    assert table.n_hidden == 20
    rows = [0, 1, 2, 3, 4, 25, 26, 27, 28, 29]
    assert [row[0] for row in table.body] == list(map(str, rows))
    for row, line in zip(rows, table.body, strict=True):
        assert line[6] == "..."
        shown = [float(cell) for cell in line[1:6] + line[7:]]
        np.testing.assert_allclose(shown, values[row, columns], atol=5.1e-4)


def test_an_empty_matrix_has_no_cells():
    assert matrix_table([], [], np.zeros((0, 0))) == ([""], [], 0)


@pytest.mark.parametrize("name", ["\u0623\u0628 (1)", "ann", "<b>", "\u202e1"])
def test_the_direction_of_names_does_not_change_their_neighbors(name):
    shown = html_table(("name", "n"), [(name, "1"), ("other", "2")])
    assert f"><bdi>{escape(name)}</bdi></th>" in shown
    assert ">2</td>" in shown


def test_all_names_in_a_report_stand_apart():
    names = ["\u05d0", "\u05d1", "C++"]
    true = np.repeat(names, [5, 4, 3])
    pred = np.repeat(["\u0627", "\u0628", "\u062a"], [6, 3, 3])
    page = clustering_comparison_report(true, pred).to_html()
    body = page[page.index("<body") :]
    within = re.sub(r'<bdi>.*?</bdi>|(title|aria-label)="[^"]*"|<p.*?</p>|<li>[^<]*</li>', "", body)
    assert not re.search("[\u0590-\u06ff]|C[+]", within)
