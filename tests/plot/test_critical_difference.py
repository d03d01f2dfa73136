"""Diagrams of critical differences, by the data in their artists and by bounding boxes."""

import itertools

import numpy as np
import pytest

from sklearn_clustcompare import CriticalDifferenceDisplay
from sklearn_clustcompare.experiments import rank_methods
from tests._examples import slow

pyplot = pytest.importorskip("matplotlib.pyplot")

LONG = [
    f"agglomerative clustering, {linkage} linkage, {metric}"
    for linkage in ("single", "complete", "average", "ward")
    for metric in ("euclidean", "cityblock", "cosine")
]


def _scores(n_methods, spread=3.0, n_datasets=40):
    noise = np.random.default_rng(0).normal(size=(n_datasets, n_methods))
    return noise + np.linspace(0, spread, n_methods)


def _draw(post_hoc, spread, names=LONG, ax=None):
    display = CriticalDifferenceDisplay.from_scores(
        _scores(len(names), spread), names=names, post_hoc=post_hoc, ax=ax
    )
    display.figure_.draw_without_rendering()
    return display


def test_lines_start_at_the_mean_ranks_and_end_at_the_names():
    display = _draw("nemenyi", 3.0)
    ranks = display.ranks
    mean = np.sort(ranks.mean_ranks)
    lines = display.lines_.get_segments()
    assert [line[0].tolist() for line in lines] == [[rank, 0] for rank in mean]
    rows = [text.get_position()[1] for text in display.texts_]
    assert [line[-1, 1] for line in lines] == rows
    assert [
        f"{rank:.2f}" in text.get_text() for rank, text in zip(mean, display.texts_, strict=True)
    ]


@pytest.mark.parametrize("post_hoc", ["nemenyi", "wilcoxon"])
def test_a_bar_for_each_group(post_hoc):
    display = _draw(post_hoc, 3.0)
    ranks = display.ranks
    place = dict(zip(ranks.names, ranks.mean_ranks, strict=True))
    ends = [bar[:, 0].tolist() for bar in display.bars_.get_segments()]
    assert ends == [[place[group[0]], place[group[-1]]] for group in ranks.groups()]
    assert len(ends) > 1


def test_critical_difference_is_to_scale():
    display = _draw("nemenyi", 3.0)
    start, end = display.difference_.get_xdata()
    assert end - start == pytest.approx(display.ranks.critical_difference)


@pytest.mark.slow
def test_wilcoxon_has_no_critical_difference():
    assert _draw("wilcoxon", 3.0).difference_ is None


def _boxes(artists):
    return [artist.get_window_extent() for artist in artists]


@pytest.mark.parametrize("spread", [slow(0.0), slow(1.0), 3.0, slow(30.0)])
@pytest.mark.parametrize("post_hoc", ["nemenyi", "wilcoxon"])
def test_nothing_overlaps(post_hoc, spread):
    display = _draw(post_hoc, spread)
    ax, figure = display.ax_, display.figure_
    texts = [
        *display.texts_,
        *ax.texts,
        *ax.get_xticklabels(),
        ax.title,
        ax.xaxis.label,
        ax.yaxis.label,
    ]
    boxes = _boxes(dict.fromkeys(texts))
    assert not any(one.overlaps(other) for one, other in itertools.combinations(boxes, 2))
    assert all(figure.bbox.x0 <= box.x0 and box.x1 <= figure.bbox.x1 for box in boxes)
    assert all(figure.bbox.y0 <= box.y0 and box.y1 <= figure.bbox.y1 for box in boxes)
    frame = ax.get_window_extent()
    assert frame.width > 0.3 * figure.bbox.width
    # Names are beside the lines, and bars above the first name.
    assert not any(frame.overlaps(box) for box in _boxes(display.texts_))
    first_row = min(text.get_position()[1] for text in display.texts_)
    assert all(bar[0, 1] < first_row for bar in display.bars_.get_segments())


@pytest.mark.slow
@pytest.mark.parametrize("spread", [1.0, 3.0])
def test_bars_of_one_level_are_apart(spread):
    bars = _draw("nemenyi", spread).bars_.get_segments()
    for one, other in itertools.combinations(bars, 2):
        if one[0, 1] == other[0, 1]:
            assert one[1, 0] < other[0, 0] or other[1, 0] < one[0, 0]


def test_vertical_lines_cross_no_other_line():
    lines = _draw("nemenyi", 3.0).lines_.get_segments()
    for one, other in itertools.permutations(lines, 2):
        x, depth = one[1]
        low, high = sorted(other[1:, 0])
        assert not (low < x < high and other[1, 1] < depth)


def test_names_that_differ_stay_different():
    display = _draw("nemenyi", 3.0)
    assert len({text.get_text().strip("0123456789. ") for text in display.texts_}) == 12


def test_no_groups_no_bars():
    display = CriticalDifferenceDisplay(rank_methods(np.tile([3.0, 2.0, 1.0], (30, 1)))).plot()
    assert display.bars_.get_segments() == []


def test_ranks_must_be_a_result():
    with pytest.raises(TypeError, match="^ranks must be what rank_methods returns, got None"):
        CriticalDifferenceDisplay(None).plot()
