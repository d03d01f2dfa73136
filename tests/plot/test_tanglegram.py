"""Tanglegrams, by the data in their artists."""

import itertools

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from scipy.cluster.hierarchy import linkage

from sklearn_clustcompare import tanglegram
from sklearn_clustcompare._palette import GRAY
from sklearn_clustcompare.plot import TanglegramDisplay
from tests.plot._examples import Z

pyplot = pytest.importorskip("matplotlib.pyplot")

X = np.random.default_rng(0).normal(size=(20, 2))
SMALL = linkage(X, "average"), linkage(X, "complete")


def test_lines_join_the_places_of_an_object():
    tangle = tanglegram(*SMALL)
    display = TanglegramDisplay(tangle).plot()
    ends = [segment[[0, -1], 1].tolist() for segment in display.lines_.get_segments()]
    second = tangle.orders[1].tolist()
    assert ends == [
        [place, second.index(position)] for place, position in enumerate(tangle.orders[0])
    ]


def test_lines_of_matched_clusters_have_their_color():
    tangle = tanglegram(*SMALL, n_clusters=5)
    display = TanglegramDisplay(tangle).plot()
    first, second = (labels[tangle.orders[0]] for labels in tangle.labels)
    colors = [tuple(color[:3]) for color in display.lines_.get_colors()]
    is_gray = [color == pytest.approx(to_rgb(GRAY)) for color in colors]
    assert is_gray == (first != second).tolist()
    assert len({color for color, gray in zip(colors, is_gray, strict=True) if not gray}) == len(
        set(first[first == second])
    )


@pytest.mark.parametrize("side", [0, 1])
def test_branches_are_the_merges(side):
    display = TanglegramDisplay.from_linkages(*SMALL)
    segments = np.array(display.branches_[side].get_segments())
    heights = np.abs(segments[:, 1, 0] - (1 if side == 0 else segments[:, :, 0].min()))
    assert heights == pytest.approx(SMALL[side][:, 2] / SMALL[side][:, 2].max())
    # A bracket begins in the middle of the one below it, or at a leaf.
    middles = segments[:, 1:3, 1].mean(axis=1)
    n = len(X)
    places = np.argsort(display.tangle.orders[side])
    for step, (first, second) in enumerate(display.tangle.merges[side]):
        for child, y in ((first, segments[step, 0, 1]), (second, segments[step, 3, 1])):
            assert y == (places[child] if child < n else middles[child - n])


def test_names_do_not_overlap_with_each_other_or_the_lines():
    names = [f"a long name of object {number}" for number in range(20)]
    display = TanglegramDisplay.from_linkages(*SMALL, object_names=names)
    display.figure_.draw_without_rendering()
    assert len(display.texts_) == 40
    boxes = [text.get_window_extent() for text in display.texts_]
    assert not any(one.overlaps(other) for one, other in itertools.combinations(boxes, 2))
    segments = np.array(display.lines_.get_segments())
    left, right = (
        display.ax_.transData.transform((x, 0))[0]
        for x in (segments[:, :, 0].min(), segments[:, :, 0].max())
    )
    assert max(box.x1 for box in boxes[:20]) < left
    assert min(box.x0 for box in boxes[20:]) > right
    first = display.tangle.orders[0]
    assert [text.get_text().split()[-1][-1] for text in display.texts_[:20]] == [
        str(position)[-1] for position in first
    ]


def test_names_without_room_are_left_out():
    display = TanglegramDisplay.from_linkages(*Z, object_names=range(150))
    assert display.texts_ == []
    assert display.ax_.format_coord(1.02, 0.0) == str(display.tangle.orders[0][0])
    assert display.ax_.format_coord(0.5, 0.0) == ""


def test_title_counts_crossings():
    display = TanglegramDisplay.from_linkages(*Z, n_clusters=3)
    share = 100 * display.tangle.n_crossings / (150 * 149 / 2)
    assert display.ax_.get_title() == f"{share:.2g} % of the pairs cross; 3 clusters"
    assert "none" in TanglegramDisplay.from_linkages(Z[0], Z[0]).ax_.get_title()


def test_bad_names_are_named():
    with pytest.raises(ValueError, match="^names must name the 2 hierarchies, got 3"):
        TanglegramDisplay.from_linkages(*SMALL, names=list("abc"))
    for wrong in ("ab", 5, [["a"], "b"]):
        with pytest.raises(TypeError, match="^names must name the 2 hierarchies.*, got "):
            TanglegramDisplay.from_linkages(*SMALL, names=wrong)
    TanglegramDisplay.from_linkages(*SMALL, names=None)
    with pytest.raises(ValueError, match="^object_names must name the 20 objects, got 1"):
        TanglegramDisplay.from_linkages(*SMALL, object_names=["a"])
