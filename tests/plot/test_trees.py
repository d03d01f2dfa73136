"""Clustering trees and two hierarchies compared, by the data in their artists."""

import itertools

import numpy as np
import pytest

from sklearn_clustcompare.hierarchies import clustering_tree, compare_hierarchies
from sklearn_clustcompare.plot import ClusteringTreeDisplay, HierarchyComparisonDisplay
from tests.plot._examples import Z, texts

pyplot = pytest.importorskip("matplotlib.pyplot")

LEVELS = {"k = 1": list("111111"), "k = 2": list("111222"), "k = 3": list("112233")}


def _draw(seed=0, n_clusters=12, ax=None):
    fine = np.random.default_rng(seed).integers(n_clusters, size=600)
    other = np.random.default_rng(seed + 1).integers(n_clusters, size=600)
    levels = [fine // 6, fine // 3, np.where(other < 2, other, fine)]
    return ClusteringTreeDisplay.from_partitions(levels, ax=ax)


def test_points_are_clusters():
    display = ClusteringTreeDisplay.from_partitions(LEVELS)
    x, y = display.points_.get_offsets().T
    assert y.tolist() == [0, 1, 1, 2, 2, 2]
    areas = display.points_.get_sizes()
    assert (areas / areas[0] * 6).tolist() == pytest.approx([6, 3, 3, 2, 2, 2])
    expected = np.concatenate(clustering_tree(LEVELS).stabilities)
    assert display.points_.get_array().tolist() == expected.tolist()
    # The whole tree is the same from both sides.
    assert x[0] == pytest.approx((x[1] + x[2]) / 2)
    assert x[4] == pytest.approx((x[3] + x[5]) / 2)
    assert [label.get_text() for label in display.ax_.get_yticklabels()] == list(LEVELS)
    assert [text.get_text() for text in display.texts_] == list("112123")


def test_lines_are_shares():
    display = ClusteringTreeDisplay.from_partitions(LEVELS)
    widths, colors = display.lines_.get_linewidths(), display.lines_.get_colors()
    of_lower = [1, 1, 1, 0.5, 0.5, 1]
    of_upper = [0.5, 0.5, 2 / 3, 1 / 3, 1 / 3, 2 / 3]
    assert np.array(widths) / widths[0] == pytest.approx(of_lower)
    alphas = np.array(colors)[:, 3]
    assert (alphas - alphas.min()) / np.ptp(alphas) == pytest.approx(
        (np.array(of_upper) - 1 / 3) / (1 / 3)
    )
    x, _ = display.points_.get_offsets().T
    ends = {tuple(np.round(segment[:, 0], 9)) for segment in display.lines_.get_segments()}
    pairs = [(0, 1), (0, 2), (1, 3), (1, 4), (2, 4), (2, 5)]
    assert ends == {tuple(np.round((x[one], x[other]), 9)) for one, other in pairs}


def test_lines_of_small_shares_are_left_out_but_for_the_largest():
    first, second = np.arange(20), np.array([0] * 19 + [1])
    display = ClusteringTreeDisplay.from_partitions([first, second], min_line_share=0.2)
    # All parts of the large cluster are equally small, and all are its largest.
    assert len(display.lines_.get_segments()) == 20
    first[0] = 1
    display = ClusteringTreeDisplay.from_partitions([first, second], min_line_share=0.2)
    assert len(display.lines_.get_segments()) == 2


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_clusters_of_a_level_do_not_touch(seed):
    figure, axes = pyplot.subplots(2, 2, figsize=(9, 7), layout="constrained")
    display = _draw(seed, ax=axes[1, 0])
    figure.draw_without_rendering()
    pixels = display.ax_.transData.transform(display.points_.get_offsets())
    radii = np.sqrt(display.points_.get_sizes()) / 2 * figure.dpi / 72
    for one, other in itertools.combinations(range(len(pixels)), 2):
        assert np.hypot(*(pixels[one] - pixels[other])) > 0.9 * (radii[one] + radii[other])


@pytest.mark.slow
def test_labels_fit_into_their_circles():
    display = _draw()
    display.figure_.draw_without_rendering()
    assert len(display.texts_) >= 6
    radii = np.sqrt(display.points_.get_sizes()) / 2 * display.figure_.dpi / 72
    centers = display.ax_.transData.transform(display.points_.get_offsets())
    for text in display.texts_:
        box = text.get_window_extent()
        distances = np.hypot(*(centers - (box.x0 + box.width / 2, box.y0 + box.height / 2)).T)
        assert box.width <= 2 * radii[distances.argmin()]


# ---------------------------------------- comparisons of hierarchies, by the data in their artists


def test_hierarchies_are_drawn_with_expectation_and_band():
    comparison = compare_hierarchies(*Z)
    display = HierarchyComparisonDisplay(comparison).plot()
    assert display.line_.get_xdata().tolist() == comparison.k.tolist()
    assert display.line_.get_ydata().tolist() == comparison.values.tolist()
    assert display.expected_line_.get_ydata().tolist() == comparison.expected.tolist()
    corners = display.band_.get_paths()[0].vertices[:, 1]
    assert corners.max() == pytest.approx(comparison.band[1].max())
    assert corners.min() == pytest.approx(comparison.band[0].min())
    assert display.ax_.get_xscale() == "log"
    assert texts(display.ax_.xaxis) == ["2", "5", "10", "20", "50", "100"]


def test_single_cut_has_a_band_to_see():
    display = HierarchyComparisonDisplay.from_linkages(*Z, param_range=[3])
    corners = display.band_.get_paths()[0].vertices[:, 0]
    assert corners.min() < 3 < corners.max()
    assert texts(display.ax_.xaxis) == ["3"]


def test_hierarchies_without_known_moments_have_no_band():
    display = HierarchyComparisonDisplay.from_linkages(
        *Z, index="purity_score", param_range=[2, 3, 4]
    )
    assert display.band_ is None
    assert display.expected_line_ is None
    assert display.ax_.get_xscale() == "linear"


def test_parameters_and_units_are_told():
    display = HierarchyComparisonDisplay.from_linkages(
        *Z, index="mutual_info_score", param_range=[2, 3], base=2
    )
    assert display.ax_.get_ylabel() == "mutual_info_score (bits)"
    display = HierarchyComparisonDisplay.from_linkages(
        *Z, index="mutual_info_score", param_range=[2, 3], q=2.0
    )
    assert display.ax_.get_ylabel() == "mutual_info_score, q=2"
