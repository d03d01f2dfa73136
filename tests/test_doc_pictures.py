"""The pictures that are kept in the repository show what the package computes now."""

import html
import importlib
import itertools

import pytest

from tests._docstrings import public_names
from tests._files import REPOSITORY

DOC = REPOSITORY / "doc"
THEMES = ("light", "dark")


@pytest.fixture
def pictures(monkeypatch):
    pytest.importorskip("matplotlib").use("agg")
    monkeypatch.syspath_prepend(DOC)
    return importlib.import_module("make_pictures")


@pytest.mark.slow
def test_kept_pictures_show_what_is_computed_now(pictures):
    y, search = pictures.search_digits()
    _, (left, right) = pictures.plt.subplots(1, 2)
    pictures.draw_scores(left, search)
    pictures.draw_digits(right, y, search)
    pictures.plt.close()
    assert len(left.lines) == len(pictures.INDICES) + 1
    assert right.get_title()
    names = [f"hero_{one}_{theme}.svg" for one in ("scores", "digits") for theme in THEMES]
    for name in (*names, "overview.png"):
        kept = (DOC / "_static" / name).read_bytes()
        assert pictures.describe(search).encode() in kept
        assert len(kept) < 200_000


@pytest.mark.slow
def test_kept_verdicts_are_those_of_now(pictures):
    kept = (DOC / "_static" / "verdicts.png").read_bytes()
    assert pictures.describe_verdicts(pictures.verdicts()).encode() in kept
    assert len(kept) < 100_000


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_kept_tree_is_the_one_that_recommend_index_follows(pictures, theme):
    for name in ("which_index", "which_index_phone"):
        kept = (DOC / "_static" / f"{name}_{theme}.svg").read_text("utf-8")
        assert pictures.describe_tree() in html.unescape(kept)
    figure, boxes = _drawn(pictures, pictures.draw_tree, theme)
    # All lines are inside of the picture, below each other, and as wide as a phone.
    assert max(box.x1 for box in boxes) <= figure.bbox.width
    assert figure.get_figwidth() * 96 <= 350  # pixels of a phone, less the margins of the page
    tops = [box.y1 for box in boxes]
    assert tops == sorted(tops, reverse=True)


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_slide_of_the_tree_has_all_words_beside_each_other(pictures, theme):
    figure, boxes = _drawn(pictures, pictures.draw_slide, theme)
    words = [text.get_text() for text in figure.axes[0].texts]
    assert sorted(words) == sorted(pictures.describe_tree().split("; "))
    assert figure.get_figwidth() / figure.get_figheight() == pytest.approx(16 / 9)
    assert max(box.x1 for box in boxes) <= figure.bbox.width
    assert min(box.y0 for box in boxes) >= 0
    assert not any(one.overlaps(other) for one, other in itertools.combinations(boxes, 2))


def _drawn(pictures, draw, theme):
    """Draw a picture; return it, and the boxes of its words."""
    with pictures.plt.style.context(pictures._STYLE):
        figure = draw(dark=theme == "dark")
        figure.set_dpi(720)  # widths of letters are not rounded to pixels
        renderer = figure.canvas.get_renderer()
        return figure, [text.get_window_extent(renderer) for text in figure.axes[0].texts]


def _displays():
    return [name for name in public_names() if name.endswith("Display")]


@pytest.mark.parametrize("display", _displays())
def test_every_display_has_an_example_and_a_section_of_the_guide(display):
    examples = [path.read_text("utf-8") for path in DOC.glob("examples/*/plot_*.py")]
    assert any(display in example for example in examples)
    page = (DOC / "user_guide" / "pictures.rst").read_text("utf-8")
    section = page.partition(f":class:`~sklearn_clustcompare.plot.{display}`")[2]
    assert ".. figure::" in section.partition(":class:")[0]
