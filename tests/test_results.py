"""What is seen of results: text and HTML of all public classes that users get back."""

import re
from dataclasses import FrozenInstanceError

import pytest

from sklearn_clustcompare import index_curve
from sklearn_clustcompare import results as public_results
from sklearn_clustcompare._rendering import Result, Rows
from tests._pages import Page
from tests._results import result_classes, results

_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?![\w.]*\w)")


def _numbers(text):
    return {match.group() for match in _NUMBER.finditer(text)}


@pytest.fixture(scope="module", autouse=True)
def _examples():
    results()


def test_there_is_an_example_of_each_class():
    assert set(results()) == set(result_classes())


@pytest.mark.parametrize("name", sorted(result_classes()))
def test_a_result_shows_as_text_and_html(name):
    result = results()[name]
    assert hasattr(result, "_repr_html_"), f"{name} does not show as HTML in notebooks"
    text, page = repr(result), Page(result._repr_html_())
    seen = " ".join(page.texts)
    assert " object at 0x" not in text
    assert not {"b", "i", "u"} & set(page.tags), "names are taken for tags"
    assert _numbers(text) <= _numbers(seen), "HTML lacks numbers of the text"
    for escaped in ("<b>", "<i>&", "<u>", "c & d"):
        assert (escaped in text) <= (escaped in seen)


def test_curves_of_equal_names_are_all_shown():
    candidates = {1: [0, 0, 1, 1, 1, 1], "1": [0, 1, 0, 1, 0, 1]}
    curve = index_curve(
        [0, 0, 1, 1, 2, 2], candidates, index="mutual_info_score", q_range=[0.5, 1, 2]
    )
    header, *rows = (line.split() for line in repr(curve).splitlines()[1:])
    assert header == ["x", "1", "1", "best"]
    for q, row, values, wins in zip(curve.x, rows, curve.values.T, curve.winners.T, strict=True):
        assert [float(cell) for cell in row[:3]] == pytest.approx([q, *values], abs=5.1e-5)
        assert row[3:] == ["1"] * wins.sum()


def test_names_are_in_the_examples():
    shown = " ".join(map(repr, results().values()))
    assert all(name in shown for name in ("<b>", "<i>&", "<u>", "c & d"))


_RECORDS = sorted(name for name, one in result_classes().items() if issubclass(one, Result))


@pytest.mark.parametrize("name", _RECORDS)
def test_a_record_is_frozen_and_makes_a_frame_with_what_it_shows(name):
    result = results()[name]
    assert len(_RECORDS) > 30
    assert type(result).__module__ == "sklearn_clustcompare.results"
    with pytest.raises(FrozenInstanceError):
        result.another = 1
    frame = result.to_frame()
    assert len(frame.columns)
    if isinstance(result, Rows):
        titles = [frame.index.name, *frame.columns] if frame.index.name else [*frame.columns]
        assert len(frame) == len(result._shown().body) + result._shown().n_hidden
        if type(result)._shown is Rows._shown:  # others are shown under shorter titles
            assert set(result._shown().header) <= set(titles)


def test_a_class_of_a_user_is_no_result_of_the_package():
    own = type("Own", (type(results()["ScoreInterval"]),), {"__module__": __name__})
    assert own.__module__ == __name__
    assert "Own" not in public_results.__all__
