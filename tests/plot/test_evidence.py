"""Null distributions, by the data in their artists."""

import dataclasses
import math

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from scipy.integrate import trapezoid
from sklearn.cluster import DBSCAN, AgglomerativeClustering, KMeans
from sklearn.datasets import make_blobs
from sklearn.exceptions import NotFittedError

import sklearn_clustcompare as scc
from sklearn_clustcompare import plot
from sklearn_clustcompare.results import (
    ClusterSignificance,
    ClusterStability,
    GapStatistic,
    PredictionStrength,
    StructureTestResult,
)
from sklearn_clustcompare.significance import independence_test
from tests._examples import slow
from tests.plot._examples import FOUND, TRUTH, Y
from tests.without_reference._stability_data import five_blobs

pyplot = pytest.importorskip("matplotlib.pyplot")


def of_partitions(*given, **options):
    return plot.NullDistributionDisplay.from_predictions(*given, **{"random_state": 0, **options})


def test_null_distribution_is_that_of_the_test():
    test = independence_test(TRUTH, FOUND, random_state=3)
    display = of_partitions(
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
    display = of_partitions(TRUTH, FOUND, n_resamples=50, ax=ax)
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
    display = of_partitions(truth, found, index=name, n_resamples=50)
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
    display = of_partitions(TRUTH, FOUND, index="purity_score", n_resamples=60)
    assert not display.result.has_exact_moments
    assert display.line_ is None
    assert display.result.mean == display.result.null_distribution.mean()
    assert display.result.standard_deviation == display.result.null_distribution.std(ddof=1)
    as_good = (display.result.null_distribution >= display.result.statistic - 1e-9).sum()
    test = scc.permutation_test(TRUTH, FOUND, index="purity_score", random_state=0)
    assert display.result.pvalue == test.pvalue
    assert abs((1 + as_good) / 61 - test.pvalue) < 0.25


def test_constant_index_has_no_law():
    display = of_partitions([0, 0, 0], [0, 1, 1], index="rand_score", n_resamples=20)
    assert display.result.standardized == 0.0
    assert display.line_ is None
    assert display.result.pvalue == 1.0


def test_law_of_a_statistic_for_structureless_data():
    null = np.random.default_rng(0).normal(size=(60, 1))
    null[7] = np.nan
    test = StructureTestResult("silhouette_score", True, "pca", np.array([2.5]), null)
    display = plot.NullDistributionDisplay(test).plot()
    assert display.value_line_.get_xdata() == [2.5, 2.5]
    assert display.mean_line_.get_xdata() == [np.nanmean(null)] * 2
    area = sum(bar.get_height() * bar.get_width() for bar in display.bars_)
    assert area == pytest.approx(1.0)
    assert display.ax_.get_ylim()[0] == 0
    assert display.line_ is None
    assert display.ax_.get_xlabel() == "silhouette_score"
    labels = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert any(label.startswith("59 structureless data sets (pca), p < ") for label in labels)


def test_law_of_the_largest_of_several_statistics():
    null = np.random.default_rng(0).normal(size=(60, 3))
    test = StructureTestResult("f", True, "pca", null[0], null[1:], "n_clusters", (2, 3, 4))
    display = plot.NullDistributionDisplay(test).plot()
    assert display.value_line_.get_xdata() == [test.statistic] * 2
    assert display.ax_.get_xlabel() == "largest standardized f by n_clusters"


def test_a_law_far_from_the_value_observed_is_shown_alone():
    display = of_partitions(Y, Y, index="adjusted_rand_score", n_resamples=99)
    draws = display.result.null_distribution
    low, high = display.ax_.get_xlim()
    assert high - low < 3 * np.ptp(draws)
    assert low <= draws.min() <= draws.max() <= high < 1
    assert display.arrow_.xy == (1, 0.35)
    assert display.arrow_.get_text() == "observed\n1"
    distance = of_partitions(Y, Y, index="mirkin_distance", n_resamples=99)
    assert distance.arrow_.xy == (0, 0.35)
    near = of_partitions(TRUTH, FOUND > 0, n_resamples=99)
    assert near.arrow_ is None


def test_p_values_are_those_of_the_test():
    labels = [
        [text.get_text() for text in display.ax_.get_legend().get_texts()]
        for display in (
            of_partitions(Y, Y, n_resamples=499),
            of_partitions([0, 1] * 6, [0] * 6 + [1] * 6, n_resamples=49),
        )
    ]
    # Of 150! orders, those that keep three clusters of 50: 3! 50!^3.
    logarithm = (math.lgamma(4) + 3 * math.lgamma(51) - math.lgamma(151)) / math.log(10)
    assert f"499 permutations, p < 1e{math.floor(logarithm) + 1}" in labels[0]
    assert any(label.startswith("49 permutations, p = ") for label in labels[1])


NAN = np.nan


def result_of(n_clusters, pvalues, clusters=None):
    """Return a result with a chain of merges, whose nodes have given p-values from the root on."""
    k = n_clusters
    merges = np.array([[0, 1], *([number, k + number - 2] for number in range(2, k))])[: k - 1]
    sizes = np.array([10] * k + [10 * (m + 2) for m in range(k - 1)])
    found = np.full(2 * k - 1, NAN)
    found[: -len(pvalues) - 1 : -1] = pvalues
    members = [*map(np.atleast_1d, range(k))]
    members += [np.arange(m + 2) for m in range(k - 1)]
    return ClusterSignificance(
        labels=np.repeat(np.arange(k), 10),
        members=members,
        clusters=np.arange(k) if clusters is None else np.array(clusters),
        merges=merges,
        sizes=sizes,
        levels=np.full(2 * k - 1, 0.05),
        pvalues=found,
        statistics=found,
        nulls=("",) * (2 * k - 1),
    )


def test_nodes_that_were_tested_are_marked():
    result = result_of(4, [0.01, 0.02, 0.6])
    display = plot.ClusterSignificanceDisplay(result).plot()
    assert display.ax_.get_title() == "3 clusters remain of 4"
    # From the root, the chain splits off clusters 3 and 2; 0 and 1 are one cluster.
    places = display.points_.get_offsets()[::-1]
    assert places[:, 0].tolist() == [3, 2, 1]
    assert [text.get_text() for text in display.texts_][::-1] == ["p = 0.01", "p = 0.02", "p = 0.6"]
    filled = [tuple(one) for one in display.points_.get_facecolors()][::-1]
    edges = [tuple(one) for one in display.points_.get_edgecolors()][::-1]
    assert filled[:2] == edges[:2]
    assert filled[2] == (1, 1, 1, 1) != edges[2]


def test_branches_have_the_color_of_the_cluster_that_remains():
    display = plot.ClusterSignificanceDisplay(result_of(4, [0.01, 0.02, 0.6])).plot()
    colors = [tuple(one) for one in display.branches_.get_colors()]
    # Two lines a merge: 0 and 1; 2 and these; 3 and these.
    assert colors[0] == colors[1] == colors[3]
    assert len({colors[0], colors[2], colors[4], colors[5]}) == 4
    for line in display.branches_.get_segments():
        assert (np.diff(line, axis=0) == 0).any(axis=1).all()  # right angles


@pytest.mark.parametrize("n_clusters", [1, 2, 40])
def test_names_are_beside_the_leaves(n_clusters):
    names = [f"a very long name of a cluster, {number}" for number in range(n_clusters)]
    display = plot.ClusterSignificanceDisplay(result_of(n_clusters, [0.4], names)).plot()
    labels = [label.get_text() for label in display.ax_.get_yticklabels()]
    assert len(labels) == n_clusters
    assert all(label.endswith(" (10)") for label in labels)
    assert len(set(labels)) == n_clusters
    assert display.ax_.get_title() == f"1 cluster remains of {n_clusters}"
    # A tick before a number would look like its sign.
    assert {tick.get_markersize() for tick in display.ax_.yaxis.get_ticklines()} == {0}


X = np.random.default_rng(0).normal(size=(40, 2))
# Its gaps are 0, 0.6 and 0.4; the standard errors are sqrt(1.5) / 10 each.
GAP = GapStatistic(
    "kmeans__n_clusters",
    np.array([1, 2, 5]),
    np.array([4.0, 2.5, 2.0]),
    np.array([[4.1, 3.0, 2.5], [3.9, 3.2, 2.3]]),
    "pca",
    2,
)


def test_gaps_have_bars_of_one_standard_error():
    display = plot.GapDisplay(GAP).plot()
    line, _, (bars,) = display.errorbar_
    assert line.get_xdata().tolist() == [1, 2, 5]
    assert line.get_ydata() == pytest.approx([0, 0.6, 0.4])
    for (_, low), (_, high) in bars.get_segments():
        assert high - low == pytest.approx(2 * 1.5**0.5 / 10)
    assert display.lines_ == []
    assert display.band_ is None
    assert display.ax_.get_xlabel() == "n_clusters"


def test_what_each_rule_chooses_is_marked_below_the_gaps():
    display = plot.GapDisplay(GAP).plot()
    lowest = display.ax_.transData.transform((0, min(GAP.gap - GAP.standard_error)))[1]
    assert list(display.choice_marks_) == list(GAP.choices())
    for rule, mark in display.choice_marks_.items():
        assert mark.get_xdata() == [GAP.choices()[rule]]
        assert mark.get_window_extent().y1 < lowest


def test_gaps_of_other_laws_are_lines_without_bars():
    other = dataclasses.replace(GAP, null="box", null_log_dispersion=GAP.null_log_dispersion + 1)
    display = plot.GapDisplay(dataclasses.replace(GAP, others=(other,))).plot()
    (line,) = display.lines_
    assert line.get_ydata() == pytest.approx(GAP.gap + 1)
    texts = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert sorted(texts) == ["box", "pca"]


def test_each_law_has_its_own_look_and_name():
    names = ["box", "gaussian", "copula", "permute"]
    others = tuple(dataclasses.replace(GAP, null=name) for name in names)
    several = dataclasses.replace(GAP, others=others)
    display = plot.GapDisplay(several).plot()
    looks = {(line.get_color(), line.get_linestyle()) for line in display.lines_}
    assert len(looks) == len(names)
    assert [line.get_label() for line in display.lines_] == names
    assert all(name in display.ax_.get_title() for name in ["pca", *names])
    elbow = plot.GapDisplay(several).plot(curve="elbow").ax_.get_title()
    assert "(pca)" in elbow


def test_a_rule_without_a_choice_has_no_mark():
    rising = dataclasses.replace(GAP, log_dispersion=np.array([4.0, 2.0, 0.5]))
    display = plot.GapDisplay(rising).plot()
    assert "tibshirani" not in display.choice_marks_
    assert "tibshirani (none)" in [text.get_text() for text in display.ax_.texts]


def test_elbow_has_the_curve_of_structureless_data_and_no_mark():
    figure, (left, right) = pyplot.subplots(1, 2)  # both kinds side by side
    display = plot.GapDisplay(GAP).plot(left).plot(right, curve="elbow")
    assert (display.ax_, display.figure_) == (right, figure)
    own, null = display.lines_
    assert own.get_ydata().tolist() == [4.0, 2.5, 2.0]
    assert null.get_ydata() == pytest.approx([4.0, 3.1, 2.4])
    heights = display.band_.get_paths()[0].vertices[:, 1]
    assert heights.max() == pytest.approx(4.0 + 2 * 0.1)
    assert heights.min() == pytest.approx(2.4 - 2 * 0.1)
    assert display.errorbar_ is None
    assert display.choice_marks_ == {}


def test_an_unknown_kind_is_an_error_before_anything_is_fitted():
    with pytest.raises(ValueError, match="^curve must be one of 'gap', 'elbow'; got 'both'"):
        plot.GapDisplay.from_estimator(None, X, param_range=[1], curve="both")
    with pytest.raises(ValueError, match="^curve must be"):
        plot.GapDisplay(GAP).plot(curve="Elbow")


@pytest.mark.slow
def test_means_single_values_bands_and_the_choice_are_drawn():
    search = scc.StabilitySearch(
        KMeans(n_init=3), {"n_clusters": [4, 5, 6]}, n_resamples=4, null="box"
    ).fit(five_blobs())
    display = plot.StabilityDisplay.from_estimator(search)
    result, columns = search.result_, search.result_.columns()
    assert display.lines_[0].get_xdata().tolist() == [1, 4, 5, 6]
    assert display.lines_[0].get_ydata() == pytest.approx(result.mean)
    points = display.points_[0].get_offsets()
    assert np.asarray(points)[:, 1] == pytest.approx(result.values.ravel())
    (path,) = display.bands_[0].get_paths()
    top = columns["null_mean"] + 2 * columns["null_standard_deviation"]
    assert path.vertices[:, 1].max() == pytest.approx(top.max())
    assert display.choice_mark_.get_offsets().tolist() == [[5, 1]]
    assert display.choice_mark_.get_label() == "chosen by 'null'"
    assert display.ax_.get_ylabel() == "adjusted_rand_score"
    other = plot.StabilityDisplay(result, rule=lambda one: 1).plot(ax=display.ax_)
    assert other.ax_ is display.ax_
    assert other.choice_mark_.get_offsets()[0, 0] == 4


def test_other_parameters_make_curves():
    grid = {"n_clusters": [2, 3], "linkage": ["ward", "single"]}
    X = np.random.default_rng(0).normal(size=(30, 2))
    search = scc.StabilitySearch(AgglomerativeClustering(), grid, n_resamples=3).fit(X)
    display = plot.StabilityDisplay.from_estimator(search)
    assert [line.get_label() for line in display.lines_] == ["linkage=ward", "linkage=single"]
    assert display.bands_ == []
    for line, linkage in zip(display.lines_, ["ward", "single"], strict=True):
        rows = [one["linkage"] == linkage for one in search.cv_results_["params"]]
        assert line.get_ydata() == pytest.approx(search.result_.mean[rows])
    with pytest.raises(ValueError, match="^param_name must have numbers, one of 'n_clusters'"):
        plot.StabilityDisplay.from_estimator(search, param_name="linkage")
    with pytest.raises(NotFittedError):
        plot.StabilityDisplay.from_estimator(scc.StabilitySearch(KMeans(), grid, random_state=0))


@pytest.mark.parametrize(("values", "chosen"), [([[0.9, 1.0], [0.7, 0.8]], 2), ([[0.5], [0.4]], 1)])
def test_prediction_strength_is_drawn_with_its_threshold(values, chosen):
    result = PredictionStrength(np.array([2, 3]), np.array(values), np.zeros(2, int))
    display = plot.StabilityDisplay(result).plot()
    assert display.lines_[0].get_ydata() == pytest.approx(result.mean)
    assert display.choice_mark_.get_offsets()[0, 0] == chosen
    assert display.ax_.get_ylabel() == "prediction strength"


def test_clusters_have_their_values_and_means():
    result = ClusterStability(
        labels=np.array([-1, 0, 0, 1]),
        clusters=np.array([-1, 0, 1]),
        sizes=np.array([1, 2, 1]),
        jaccard=np.array([[np.nan, 1.0, 0.5], [0.25, 0.5, 0.5]]),
        object_stability=np.ones(4),
        n_skipped=0,
        is_noise=np.array([True, False, False]),
    )
    display = plot.ClusterStabilityDisplay(result).plot()
    assert sorted(display.points_.get_offsets()[:, 1]) == [0.25, 0.5, 0.5, 0.5, 1.0]
    heights = [segment[0, 1] for segment in display.bars_.get_segments()]
    assert heights == pytest.approx([0.25, 0.75, 0.5])
    names = [text.get_text() for text in display.ax_.get_xticklabels()]
    assert names == ["noise (1)", "0 (2)", "1 (1)"]
    assert {text.get_text() for text in display.ax_.texts} == {
        "doubtful",
        "valid",
        "highly stable",
    }


# --------------------------------------------------------------------------- number of clusters


@pytest.fixture(scope="module")
def evidence():
    X, _ = make_blobs(60, centers=[[0, 0], [9, 0], [0, 9]], random_state=0)
    return plot.NClustersDisplay.from_estimator(
        KMeans(n_init=3), X, param_range=range(1, 6), n_null=19, n_resamples=3
    )


def line(ax, label):
    (found,) = [one for one in ax.lines if one.get_label() == label]
    return found


def test_panels_show_the_evidence(evidence):
    choice = evidence.choice
    names = ["silhouette", "strength", "ratio"]
    assert [ax.get_ylabel() for ax in evidence.axes_] == names
    assert evidence.axes_[-1].get_xlabel() == "n_clusters"
    for ax, name in zip(evidence.axes_, names, strict=True):
        np.testing.assert_array_equal(line(ax, "data").get_ydata(), getattr(choice, name))
        assert [3, 3] in [list(one.get_xdata()) for one in ax.lines]
    assert set(line(evidence.axes_[1], "comes back").get_ydata()) == {0.8}
    assert set(line(evidence.axes_[2], "separated").get_ydata()) == {2.5}
    assert len(evidence.axes_[0].collections) == 0
    assert evidence.figure_.get_suptitle() == "3 clusters, separated"


def test_one_cluster_has_a_band_for_each_law():
    X = np.random.default_rng(0).normal(size=(50, 2))
    choice = scc.choose_n_clusters(KMeans(n_init=1), X, [2, 3], null=["pca", "box"], n_resamples=2)
    silhouette = choice.plot().axes_[0]
    assert len(silhouette.collections) == len(choice.null_silhouettes) == 2


def test_another_parameter_is_the_axis():
    X, _ = make_blobs(60, centers=[[0, 0], [9, 0], [0, 9]], random_state=0)
    evidence = plot.NClustersDisplay.from_estimator(
        DBSCAN(), X, param_name="eps", param_range=[0.1, 2.0], n_resamples=3
    )
    assert evidence.axes_[-1].get_xlabel() == "eps"
    assert line(evidence.axes_[0], "data").get_xdata().tolist() == [0.1, 2.0]


@pytest.mark.slow
def test_texts_of_the_panels_do_not_overlap(evidence):
    figure = evidence.figure_
    figure.draw_without_rendering()
    renderer = FigureCanvasAgg(figure).get_renderer()
    boxes = [ax.get_tightbbox(renderer) for ax in evidence.axes_.flat]
    for number, box in enumerate(boxes):
        assert not any(box.overlaps(other) for other in boxes[number + 1 :])
