"""What all displays share: labels that differ, and room for all texts."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sklearn_clustcompare import plot
from sklearn_clustcompare.plot import _axes
from tests._examples import slow
from tests.plot.test_display import DISPLAYS

pyplot = pytest.importorskip("matplotlib.pyplot")
colors = pytest.importorskip("matplotlib.colors")

CELLS = [f"CD4-positive, alpha-beta T cell, {name} (activated)" for name in ("naive", "memory")]


def test_common_beginnings_and_ends_are_left_out():
    dots = "\N{HORIZONTAL ELLIPSIS}"
    assert _axes.shorten_all(CELLS) == [
        f"{dots}cell, naive{dots}",
        f"{dots}cell, memory{dots}",
    ]
    assert _axes.shorten_all(CELLS, 6) == ["naive", "memory"]
    assert _axes.shorten_all([*CELLS, "naive"], 6) == [f"{dots}naive{dots}", "memory", "naive"]
    assert _axes.shorten_all(CELLS, 9) == [f"{dots}naive{dots}", f"{dots}memory{dots}"]
    assert _axes.shorten_all([*CELLS, "noise"])[2] == "noise"
    assert len(set(_axes.shorten_all([*CELLS, f"{dots}cell, naive{dots}"]))) == 3
    assert _axes.shorten_all(["T cell", "B cell"]) == ["T cell", "B cell"]
    # Numbers and words are not cut.
    numbers = [f"a very long name {number}" for number in (10, 11)]
    assert _axes.shorten_all([1, "1", "a"]) == ["1", "'1'", "'a'"]
    assert _axes.shorten_all(numbers, 6) == [f"{dots}10", f"{dots}11"]


@given(
    st.lists(st.text("ab1 _-$\N{HORIZONTAL ELLIPSIS}", max_size=12), max_size=8),
    st.text("ab1 _-", max_size=12),
    st.text("ab1 _-", max_size=12),
    st.integers(4, 14),
)
def test_labels_that_differ_remain_different(middles, beginning, end, width):
    labels = [" ".join(f"{beginning}{middle}{end}".split()) for middle in middles]
    short = _axes.shorten_all(labels, width)
    assert len(set(short)) == len(set(labels))
    assert len(short) == len(labels)
    for label, text in zip(labels, short, strict=True):
        if len(label) <= width:
            assert text.replace(r"\$", "$") == label


@pytest.mark.slow
@pytest.mark.parametrize(
    "make",
    [
        pytest.param(make, id=name) if name == "contingency" else slow(make, id=name)
        for name, make in DISPLAYS.items()
    ],
)
def test_displays_in_a_grid_without_a_layout_do_not_overlap(make):
    figure, grid = pyplot.subplots(2, 2, figsize=(8, 6), layout=None)
    for ax in grid.flat:
        make(ax)
    figure.draw_without_rendering()
    boxes = [ax.get_tightbbox() for ax in grid.flat]
    for number, box in enumerate(boxes):
        assert not any(box.overlaps(other) for other in boxes[number + 1 :])
        assert (box.min >= 0).all()
        assert (box.max <= figure.bbox.max).all()
        assert grid.flat[number].get_window_extent().width > 100


@pytest.mark.slow
def test_displays_keep_to_the_layout_of_the_figure():
    figure, grid = pyplot.subplots(2, 2, figsize=(8, 6), layout="tight")
    for ax in grid.flat:
        DISPLAYS["decomposition"](ax)
    assert type(figure.get_layout_engine()).__name__ == "TightLayoutEngine"
    figure.draw_without_rendering()
    boxes = [ax.get_tightbbox() for ax in grid.flat]
    assert not any(boxes[0].overlaps(box) for box in boxes[1:])


@pytest.mark.slow
def test_displays_in_part_of_a_figure_stay_in_it():
    figure = pyplot.figure(figsize=(8, 4))
    parts = figure.subfigures(1, 2)
    axes = [part.subplots() for part in parts]
    for ax in axes:
        DISPLAYS["similarity_matrix"](ax)
    figure.draw_without_rendering()
    for ax, part in zip(axes, parts, strict=True):
        assert (ax.get_tightbbox().min >= part.bbox.min).all()
        assert (ax.get_tightbbox().max <= part.bbox.max).all()


def test_axes_without_a_grid_keep_their_place():
    ax = pyplot.figure().add_axes((0.5, 0.5, 0.4, 0.4))
    DISPLAYS["contingency"](ax)
    assert ax.get_position(original=True).bounds == pytest.approx((0.5, 0.5, 0.4, 0.4))


def test_numbers_too_small_to_read_are_left_out():
    figure, axes = pyplot.subplots(1, 2, figsize=(3, 1.5))
    draw = plot.SimilarityMatrixDisplay.from_scores
    assert draw(np.eye(12), ax=axes[0], colorbar=False).text_ is None
    assert draw(np.eye(12), ax=axes[1], colorbar=False, include_values=True).text_ is not None


@pytest.mark.parametrize("make", DISPLAYS.values(), ids=DISPLAYS)
def test_no_line_is_black_in_a_dark_style(make):
    with pyplot.style.context("dark_background"):
        lines = make(None).ax_.lines
    assert (0, 0, 0) not in {colors.to_rgb(line.get_color()) for line in lines}


@pytest.mark.parametrize("draw", ["plot", "scatter", "fill_between"])
def test_legend_stands_next_to_axes_that_are_full(draw):
    x = np.linspace(0, 1, 50)
    for y, is_inside in ((x / 5, True), (np.abs(np.sin(40 * x)), False)):
        figure, ax = pyplot.subplots(layout="constrained")
        getattr(ax, draw)(x, y, label="a name that is long enough to meet something")
        ax.set(xlim=(0, 1), ylim=(0, 1))
        _axes.draw_legend(ax)
        figure.draw_without_rendering()
        box, frame = ax.get_legend().get_window_extent(), ax.get_window_extent()
        points = ax.transData.transform(np.column_stack([x, y]))
        assert (box.x1 <= frame.x1) == is_inside
        assert box.count_contains(points) == 0
        assert box.x1 <= figure.bbox.x1
        pyplot.close(figure)
