"""Tables as text, Markdown and HTML."""

import pytest

from sklearn_clustcompare._rendering import html_table, markdown_table, text_table
from sklearn_clustcompare.report._decomposition import size_text


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
