"""Comparisons of hierarchies, by the data in their artists."""

import pytest

from sklearn_clustcompare.hierarchies import compare_hierarchies
from sklearn_clustcompare.plot import HierarchyComparisonDisplay
from tests.plot._examples import Z, texts

pyplot = pytest.importorskip("matplotlib.pyplot")


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


def test_the_mean_is_seen_in_a_dark_style():
    with pyplot.style.context("dark_background"):
        display = HierarchyComparisonDisplay.from_linkages(*Z, param_range=[2, 3])
    assert display.expected_line_.get_color() == "white"
