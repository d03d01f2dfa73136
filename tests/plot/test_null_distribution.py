"""Null distributions, by the data in their artists."""

import math

import numpy as np
import pytest
from scipy.integrate import trapezoid

from sklearn_clustcompare import permutation_test
from sklearn_clustcompare.plot import NullDistributionDisplay
from sklearn_clustcompare.results import StructureTestResult
from sklearn_clustcompare.significance import independence_test
from tests._examples import slow
from tests.plot._examples import FOUND, TRUTH, Y

pyplot = pytest.importorskip("matplotlib.pyplot")


def test_null_distribution_is_that_of_the_test():
    test = independence_test(TRUTH, FOUND, random_state=3)
    display = NullDistributionDisplay.from_predictions(
        TRUTH, FOUND, index="mutual_info_score", n_resamples=200, random_state=3
    )
    assert display.result.pvalue == test.pvalue
    assert display.result.statistic == test.statistic
    assert display.result.mean == pytest.approx(test.mean, rel=1e-14)
    assert display.result.standard_deviation == pytest.approx(test.standard_deviation, rel=1e-14)
    assert display.result.standardized == pytest.approx(test.standardized, rel=1e-12)
    assert display.result.method == test.method
    assert display.value_line_.get_xdata() == [test.statistic] * 2
    assert display.mean_line_.get_xdata() == [display.result.mean] * 2
    area = sum(bar.get_height() * bar.get_width() for bar in display.bars_)
    assert area == pytest.approx(1.0)
    assert len(display.result.null_distribution) == 200
    assert display.ax_.get_xlim()[0] >= 0  # mutual information is never negative


@pytest.mark.parametrize("width", [slow(7.2), 4.5])
def test_legend_of_a_null_distribution_covers_neither_bars_nor_lines(width):
    _, ax = pyplot.subplots(figsize=(width, 4.4), layout="constrained")
    display = NullDistributionDisplay.from_predictions(
        TRUTH, FOUND, n_resamples=50, random_state=0, ax=ax
    )
    display.figure_.draw_without_rendering()
    legend = ax.get_legend().get_window_extent()
    tops = [bar.get_window_extent().y1 for bar in display.bars_]
    tops += [line.get_window_extent().y1 for line in (display.value_line_, display.mean_line_)]
    assert max(tops) < legend.y0
    assert legend.width < ax.get_window_extent().width


@pytest.mark.parametrize(
    "name", ["mutual_info_score", "adjusted_rand_score", "variation_of_information_distance"]
)
def test_law_has_the_moments_of_the_index(name):
    truth, found = np.arange(1000) % 6, np.random.default_rng(0).integers(6, size=1000)
    display = NullDistributionDisplay.from_predictions(
        truth, found, index=name, n_resamples=50, random_state=0
    )
    assert display.result.method == "moments"
    x, density = display.line_.get_data()
    assert trapezoid(density, x) == pytest.approx(1.0, abs=1e-3)
    density /= trapezoid(density, x)
    mean = trapezoid(density * x, x)
    deviation = math.sqrt(trapezoid(density * (x - mean) ** 2, x))
    assert mean == pytest.approx(display.result.mean, abs=0.01 * deviation)
    assert deviation == pytest.approx(display.result.standard_deviation, rel=0.01)
    skewness = trapezoid(density * (x - mean) ** 3, x) / deviation**3
    assert (skewness > 0) == (name != "variation_of_information_distance")
    assert skewness == pytest.approx(display.result.skewness, rel=0.05)


@pytest.mark.slow
def test_unknown_moments_are_those_of_the_draws():
    display = NullDistributionDisplay.from_predictions(
        TRUTH, FOUND, index="purity_score", n_resamples=60, random_state=0
    )
    assert not display.result.has_exact_moments
    assert display.line_ is None
    assert display.result.mean == display.result.null_distribution.mean()
    assert display.result.standard_deviation == display.result.null_distribution.std(ddof=1)
    as_good = (display.result.null_distribution >= display.result.statistic - 1e-9).sum()
    test = permutation_test(TRUTH, FOUND, index="purity_score", random_state=0)
    assert display.result.pvalue == test.pvalue
    assert abs((1 + as_good) / 61 - test.pvalue) < 0.25


def test_small_distances_are_the_unlikely_ones():
    display = NullDistributionDisplay.from_predictions(
        Y, Y, index="mirkin_distance", n_resamples=99, random_state=0
    )
    assert display.result.statistic == 0
    assert display.result.pvalue == permutation_test(Y, Y, index="rand_score").pvalue < 1e-30
    assert display.result.standardized < -10


def test_null_distribution_of_soft_partitions():
    memberships = np.full((150, 3), 0.1)
    memberships[np.arange(150), Y] = 0.8
    display = NullDistributionDisplay.from_predictions(
        Y, memberships, index="adjusted_rand_score", n_resamples=40, random_state=0
    )
    assert display.result.pvalue <= 1 / 10_000


def test_constant_index_has_no_law():
    display = NullDistributionDisplay.from_predictions(
        [0, 0, 0], [0, 1, 1], index="rand_score", n_resamples=20, random_state=0
    )
    assert display.result.standardized == 0.0
    assert display.line_ is None
    assert display.result.pvalue == 1.0


def test_number_of_draws_is_checked():
    with pytest.raises(ValueError, match="^n_resamples must be at least 1, got 0"):
        NullDistributionDisplay.from_predictions(TRUTH, FOUND, n_resamples=0)


def test_law_of_a_statistic_for_structureless_data():
    null = np.random.default_rng(0).normal(size=(60, 1))
    null[7] = np.nan
    test = StructureTestResult("silhouette_score", True, "pca", np.array([2.5]), null)
    display = NullDistributionDisplay(test).plot()
    assert display.value_line_.get_xdata() == [2.5, 2.5]
    assert display.mean_line_.get_xdata() == [np.nanmean(null)] * 2
    area = sum(bar.get_height() * bar.get_width() for bar in display.bars_)
    assert area == pytest.approx(1.0)
    assert display.line_ is None
    assert display.ax_.get_xlabel() == "silhouette_score"
    labels = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert any(label.startswith("59 structureless data sets (pca), p < ") for label in labels)


def test_law_of_the_largest_of_several_statistics():
    null = np.random.default_rng(0).normal(size=(60, 3))
    test = StructureTestResult("f", True, "pca", null[0], null[1:], "n_clusters", (2, 3, 4))
    display = NullDistributionDisplay(test).plot()
    assert display.value_line_.get_xdata() == [test.statistic] * 2
    assert display.ax_.get_xlabel() == "largest standardized f by n_clusters"


def test_a_law_far_from_the_value_observed_is_shown_alone():
    display = NullDistributionDisplay.from_predictions(
        Y, Y, index="adjusted_rand_score", n_resamples=99
    )
    draws = display.result.null_distribution
    low, high = display.ax_.get_xlim()
    assert high - low < 3 * np.ptp(draws)
    assert low <= draws.min() <= draws.max() <= high < 1
    assert display.arrow_.xy == (1, 0.35)
    assert display.arrow_.get_text() == "observed\n1"
    distance = NullDistributionDisplay.from_predictions(
        Y, Y, index="mirkin_distance", n_resamples=99
    )
    assert distance.arrow_.xy == (0, 0.35)
    near = NullDistributionDisplay.from_predictions(TRUTH, FOUND > 0, n_resamples=99)
    assert near.arrow_ is None


def test_p_values_are_those_of_the_test():
    labels = [
        [text.get_text() for text in display.ax_.get_legend().get_texts()]
        for display in (
            NullDistributionDisplay.from_predictions(Y, Y, n_resamples=499),
            NullDistributionDisplay.from_predictions([0, 1] * 6, [0] * 6 + [1] * 6, n_resamples=49),
        )
    ]
    # Of 150! orders, those that keep three clusters of 50: 3! 50!^3.
    logarithm = (math.lgamma(4) + 3 * math.lgamma(51) - math.lgamma(151)) / math.log(10)
    assert f"499 permutations, p < 1e{math.floor(logarithm) + 1}" in labels[0]
    assert any(label.startswith("49 permutations, p = ") for label in labels[1])


def test_lines_are_seen_in_a_dark_style():
    with pyplot.style.context("dark_background"):
        display = NullDistributionDisplay.from_predictions(TRUTH, FOUND, n_resamples=20)
    assert display.mean_line_.get_color() == "white"
