"""Tables as text, Markdown and HTML, and numbers in their cells."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sklearn_clustcompare._rendering import (
    html_table,
    markdown_table,
    number_texts,
    percent_text,
    percent_texts,
    text_table,
)
from sklearn_clustcompare.report._cluster_rows import size_text


def test_html_aligns_text_to_the_left_and_numbers_to_the_right():
    html = html_table(["label", "match", "F"], [["7", "x", "-"], ["8", "9", "-0.5"]], "title")
    left, right = (f'style="text-align: {side}"' for side in ("left", "right"))
    for text in ("match", "x", "9"):
        assert f" {left}>{text}</t" in html
    for text in ("label", "7", "8", "F", "-", "-0.5"):
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
    assert lines == ["| a\\_b | n |", "| :-- | --: |", "| x\\|y z | 1 |"]
    assert markdown_table(["n", "t"], [["1", "b"]]).splitlines()[1] == "| --: | :-- |"


# ------------------------------------------------------------------- numbers


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
        assert written == value or written not in (0, 1, -1)
        # A step more where it is rounded away from 1.
        assert abs(written - value) <= 1.001 * 10.0**-digits
        assert written == 0 or (written < 0) == (value < 0)
    decimals = {len(text.partition(".")[2]) for text in texts if "e" not in text}
    assert len(decimals) <= 1
    assert decimals <= {digits, digits + 1, digits + 2}


@given(st.lists(st.floats(0, 1) | st.sampled_from([0.0, 1.0, 1 - 1e-12]), min_size=1, max_size=8))
def test_a_written_0_or_100_percent_is_exact(shares):
    for share, text in zip(shares, percent_texts(shares, 2), strict=True):
        written = float(text.removesuffix("%"))
        assert (written == 0) == (share == 0)
        assert (written == 100) == (share == 1)
        assert abs(written - 100 * share) <= 0.101


@given(st.lists(st.floats(1e-6, 1), min_size=1, max_size=8))
def test_the_largest_percentage_has_two_significant_digits(shares):
    largest = max(shares)
    written = float(percent_texts(shares, 2)[shares.index(largest)].removesuffix("%"))
    assert written == pytest.approx(100 * largest, rel=0.0501)
