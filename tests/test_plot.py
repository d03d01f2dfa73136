"""Displays, by the data in their artists."""

import inspect
import math
import subprocess
import sys

import numpy as np
import pytest
from scipy.cluster.hierarchy import linkage
from scipy.integrate import trapezoid
from scipy.stats import gamma
from sklearn.cluster import AgglomerativeClustering, KMeans
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV

from sklearn_clustcompare import (
    ContingencyTable,
    TransductiveSplit,
    adjusted_mutual_info_score,
    adjusted_rand_score,
    chance_adjusted_score,
    cluster_decomposition,
    compare_hierarchies,
    independence_test,
    make_clustering_scorer,
    plot,
    standardized_rand_score,
    variation_of_information_distance,
)
from sklearn_clustcompare.plot import (
    ContingencyDisplay,
    DecompositionDisplay,
    HierarchyComparisonDisplay,
    IndexCurveDisplay,
    NullDistributionDisplay,
    SimilarityMatrixDisplay,
    WeightFunctionDisplay,
)

pyplot = pytest.importorskip("matplotlib.pyplot")

TRUTH = np.repeat(["a", "b", "c"], [6, 4, 2])
FOUND = np.array([1, 1, 1, 1, 1, 0, 0, 0, 0, 2, 2, 2])
MANY = np.random.default_rng(0).integers(200, size=1500)
MANY_FOUND = np.where(np.random.default_rng(1).random(1500) < 0.5, MANY, MANY[::-1])
X, Y = load_iris(return_X_y=True)
Z = linkage(X, "average"), linkage(X, "ward")

# name: a function of ax that makes a display.
DISPLAYS = {
    "contingency": lambda ax: ContingencyDisplay.from_predictions(TRUTH, FOUND, ax=ax),
    "decomposition": lambda ax: DecompositionDisplay.from_predictions(TRUTH, FOUND, ax=ax),
    "hierarchy": lambda ax: HierarchyComparisonDisplay.from_linkages(*Z, k_range=[2, 3], ax=ax),
    "index_curve": lambda ax: IndexCurveDisplay.from_predictions(
        TRUTH, {3: FOUND, 2: FOUND > 0}, index="adjusted_rand_score", ax=ax
    ),
    "null_distribution": lambda ax: NullDistributionDisplay.from_predictions(
        TRUTH, FOUND, n_resamples=50, random_state=0, ax=ax
    ),
    "similarity_matrix": lambda ax: SimilarityMatrixDisplay.from_predictions(
        np.arange(12.0)[:, np.newaxis], FOUND, ax=ax
    ),
    "weight_function": lambda ax: WeightFunctionDisplay.from_predictions(TRUTH, ax=ax),
}


def _texts(axis):
    return [label.get_text() for label in axis.get_ticklabels()]


# ------------------------------------------------------------------- all displays


@pytest.mark.parametrize("make", DISPLAYS.values(), ids=DISPLAYS)
def test_display_draws_into_axes_given(make):
    figure, ax = pyplot.subplots()
    display = make(ax)
    assert display.ax_ is ax
    assert display.figure_ is figure
    assert len(pyplot.get_fignums()) == 1


@pytest.mark.parametrize("make", DISPLAYS.values(), ids=DISPLAYS)
def test_display_makes_axes_and_names_them(make):
    display = make(None)
    assert display.ax_.figure is display.figure_
    assert display.ax_.get_xlabel()
    assert display.ax_.get_ylabel()
    first = display.ax_
    assert display.plot() is display
    assert display.ax_ is not first
    display.figure_.draw_without_rendering()


def test_every_display_is_tested():
    made = {type(make(None)).__name__ for make in DISPLAYS.values()}
    assert made == set(plot.__all__)
    assert plot.__all__ == sorted(plot.__all__)


@pytest.mark.parametrize("name", plot.__all__)
def test_arguments_of_the_constructor_are_attributes(name):
    display = next(made for make in DISPLAYS.values() if type(made := make(None)).__name__ == name)
    for parameter in list(inspect.signature(type(display)).parameters):
        assert hasattr(display, parameter)


def test_matplotlib_is_imported_only_to_draw():
    code = (
        "import sys, sklearn_clustcompare, sklearn_clustcompare.plot as plot;"
        "plot.WeightFunctionDisplay();"
        "assert not [one for one in sys.modules if one.startswith('matplotlib')]"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("make", DISPLAYS.values(), ids=DISPLAYS)
def test_missing_matplotlib_is_named(make, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    message = r"^\w+Display.plot needs Matplotlib, which is not installed: pip install matplotlib$"
    with pytest.raises(ImportError, match=message):
        make(None)


# ------------------------------------------------------------------- contingency tables


def test_contingency_is_drawn_in_matched_order():
    display = ContingencyDisplay.from_predictions(TRUTH, FOUND)
    assert display.im_.get_array().filled(0).tolist() == [[5, 1, 0], [0, 3, 1], [0, 0, 2]]
    assert _texts(display.ax_.xaxis) == ["1", "0", "2"]
    assert _texts(display.ax_.yaxis) == ["a", "b", "c"]
    assert [[one.get_text() for one in row] for row in display.text_] == [
        ["5", "1", "0"],
        ["0", "3", "1"],
        ["0", "0", "2"],
    ]


def test_unmatched_clusters_stand_by_the_one_they_share_most_with():
    true = [0] * 9 + [1] * 9
    pred = list("ccccbbbaa") + list("fffffeeed")
    display = ContingencyDisplay.from_predictions(true, pred)
    assert display.col_labels == ["c", "b", "a", "f", "e", "d"]
    swapped = ContingencyDisplay.from_predictions(pred, true)
    assert swapped.row_labels == display.col_labels
    assert np.array_equal(swapped.counts, display.counts.T)


def test_darkness_rises_with_the_count_and_numbers_stay_readable():
    counts = np.array([[97, 3, 0], [2, 50, 1], [0, 1, 30]])
    display = ContingencyDisplay(counts, row_labels=[0, 1, 2], col_labels=[0, 1, 2]).plot()
    cells = display.im_.to_rgba(display.im_.get_array())[..., :3] @ [0.2126, 0.7152, 0.0722]
    by_count = [cells[counts == count].mean() for count in (1, 2, 3, 30, 50, 97)]
    assert by_count == sorted(by_count, reverse=True)
    assert by_count[2] > 0.9  # a few errors are nearly white
    assert by_count[-1] < 0.2
    for text, cell in zip(display.text_.ravel(), cells.ravel(), strict=True):
        contrast = {"white": 1 - cell, "black": cell}.get(text.get_color())
        assert (contrast is None) == (text.get_text() == "0")
        assert contrast is None or contrast > 0.4


def test_empty_cells_have_no_colour():
    display = ContingencyDisplay.from_predictions(TRUTH, FOUND)
    assert display.im_.get_array().mask.tolist() == [[0, 0, 1], [1, 0, 0], [1, 1, 0]]


@pytest.mark.parametrize(("normalize", "axis"), [("true", 1), ("pred", 0)])
def test_shares_add_up_to_one(normalize, axis):
    display = ContingencyDisplay.from_predictions(TRUTH, FOUND, normalize=normalize)
    shares = display.im_.get_array().filled(0)
    assert shares.sum(axis=axis) == pytest.approx(np.ones(3), rel=1e-15)
    assert display.text_[0, 0].get_text() == ("0.83" if normalize == "true" else "1.00")
    assert display.im_.get_clim() == (0, 1)


def test_soft_tables_are_drawn():
    memberships = np.repeat([[0.9, 0.1], [0.25, 0.75]], 6, axis=0)
    display = ContingencyDisplay.from_predictions(TRUTH, memberships)
    table = ContingencyTable.from_memberships(TRUTH, memberships)
    assert display.counts == pytest.approx(table.counts.toarray(), rel=1e-15)
    assert display.text_[0, 0].get_text() == "5.40"


def test_many_clusters_are_an_image_with_few_labels():
    display = ContingencyDisplay.from_predictions(MANY, MANY_FOUND)
    assert display.text_ is None
    assert display.im_.get_array().shape == (len(set(MANY)), len(set(MANY_FOUND)))
    shown = _texts(display.ax_.xaxis)
    assert 10 < len(shown) < 100
    assert set(shown) <= {str(label) for label in display.col_labels}


def test_table_counted_elsewhere_is_drawn():
    table = ContingencyTable.from_counts([[0, 3], [2, 0]], row_labels=["x", "y"])
    display = ContingencyDisplay.from_table(table)
    assert display.counts.tolist() == [[3, 0], [0, 2]]
    assert display.col_labels == [1, 0]


def test_long_labels_keep_their_ends():
    labels = [f"2005-07-06_14/{number}" for number in range(4)]
    display = ContingencyDisplay.from_predictions(labels, labels)
    assert _texts(display.ax_.xaxis) == [
        f"2005-\N{HORIZONTAL ELLIPSIS}-06_14/{n}" for n in range(4)
    ]
    assert all(label.get_rotation() == 90 for label in display.ax_.get_xticklabels())


def test_labels_are_no_formulas():
    labels = [r"$\nothing$", "b"]
    display = ContingencyDisplay.from_predictions(labels, labels)
    display.figure_.draw_without_rendering()
    assert _texts(display.ax_.xaxis) == [r"\$\nothing\$", "b"]


def test_no_objects_cannot_be_drawn():
    with pytest.raises(ValueError, match="^counts must hold at least one cluster on each side"):
        ContingencyDisplay.from_predictions([], [])


def test_contingency_refuses_unknown_shares():
    with pytest.raises(
        ValueError, match="^normalize must be one of None, 'true', 'pred'; got 'all'"
    ):
        ContingencyDisplay.from_predictions(TRUTH, FOUND, normalize="all")


# ------------------------------------------------------------------- decompositions


def test_bars_are_values_and_weights_and_their_area_is_the_index():
    display = DecompositionDisplay.from_predictions(TRUTH, FOUND)
    parts = cluster_decomposition(TRUTH, FOUND)
    for bars, values, weights, overall in (
        (display.true_bars_, parts.R_i, parts.u_i, parts.R),
        (display.pred_bars_, -parts.C_j, parts.v_j, -parts.C),
    ):
        order = np.argsort(-np.abs(values), kind="stable")
        assert [bar.get_height() for bar in bars] == values[order].tolist()
        assert [bar.get_width() for bar in bars] == pytest.approx(weights[order], rel=1e-14)
        area = sum(bar.get_height() * bar.get_width() for bar in bars)
        assert area == pytest.approx(overall, rel=1e-13)
        assert bars[-1].get_x() + bars[-1].get_width() == pytest.approx(1.0, rel=1e-14)


def test_bars_have_the_labels_of_their_side():
    display = DecompositionDisplay.from_predictions(TRUTH, FOUND)
    parts = cluster_decomposition(TRUTH, FOUND)
    assert _texts(display.label_ax_.xaxis) == list(parts.labels[0][np.argsort(-parts.R_i)])
    assert _texts(display.ax_.xaxis) == [
        str(one) for one in parts.labels[1][np.argsort(-parts.C_j)]
    ]


def test_many_bars_have_few_labels():
    display = DecompositionDisplay.from_predictions(MANY, MANY_FOUND)
    assert len(display.true_bars_) == len(np.unique(MANY))
    for axis in (display.ax_.xaxis, display.label_ax_.xaxis):
        places = axis.get_ticklocs()
        assert 10 < len(places) < 100
        assert np.diff(places).min() > 0.01


def test_decomposition_passes_parameters_on():
    display = DecompositionDisplay.from_predictions([-1, 0, 0, 1], [0, 0, 0, 1], noise="drop", q=2)
    assert display.decomposition.q == 2
    assert display.decomposition.table.n_samples == 3


# ------------------------------------------------------------------- weights


def test_weight_function_is_that_of_figure_1():
    display = WeightFunctionDisplay(base=2).plot()
    x, y = display.line_.get_data()
    assert x[[0, -1]].tolist() == [0, 1]
    assert y[[0, -1]].tolist() == [0, 0]
    assert y.max() == pytest.approx(0.531, abs=5e-4)
    assert x[y.argmax()] == pytest.approx(0.368, abs=1e-3)
    assert "bits" in display.ax_.get_ylabel()


@pytest.mark.parametrize(("base", "unit"), [(None, "nats"), (2, "bits"), (10, "base 10")])
def test_clusters_are_marked_by_their_share(base, unit):
    display = WeightFunctionDisplay.from_predictions(TRUTH, base=base)
    shares = np.array([6, 4, 2]) / 12
    assert display.marks_.get_xdata() == pytest.approx(shares)
    expected = -shares * np.log(shares) / (math.log(base) if base else 1)
    assert display.marks_.get_ydata() == pytest.approx(expected, rel=1e-14)
    assert f"({unit})" in display.ax_.get_ylabel()
    assert {text.get_text() for text in display.ax_.texts} >= {"a", "b", "c"}


def test_marks_of_equal_size_share_a_name():
    display = WeightFunctionDisplay.from_predictions(Y)
    shown = WeightFunctionDisplay.from_predictions(np.arange(5)).ax_.texts
    assert "0, 1, 2 and 2 more" in {text.get_text() for text in shown}
    assert "0, 1, 2" in {text.get_text() for text in display.ax_.texts}


def test_weight_function_of_many_clusters_has_no_names():
    display = WeightFunctionDisplay.from_predictions(MANY)
    assert len(display.marks_.get_xdata()) == len(np.unique(MANY))
    assert len(display.ax_.texts) == 1


def test_weight_function_checks_the_base():
    with pytest.raises(ValueError, match="^base must be None"):
        WeightFunctionDisplay(base=1).plot()


# ------------------------------------------------------------------- curves

CANDIDATES = {k: KMeans(k, n_init=1, random_state=0).fit_predict(X) for k in (4, 2, 3, 5)}


def test_curve_has_the_winner_and_the_band_of_chance():
    display = IndexCurveDisplay.from_predictions(Y, CANDIDATES, index="rand_score")
    (line,) = display.lines_
    assert line.get_xdata().tolist() == [2, 3, 4, 5]
    values = [chance_adjusted_score(Y, CANDIDATES[k], index="rand_score") for k in (2, 3, 4, 5)]
    assert line.get_ydata().tolist() == [one.value for one in values]
    assert display.expected[0].tolist() == [one.expected for one in values]
    best = int(np.argmax(line.get_ydata()))
    assert display.winner_marks_.get_offsets().tolist() == [[2 + best, line.get_ydata()[best]]]
    corners = display.bands_[0].get_paths()[0].vertices
    top = display.expected[0] + 2 * display.standard_deviation[0]
    assert corners[:, 1].max() == pytest.approx(top.max())
    deviations = [
        (one.value - one.expected) / standardized_rand_score(Y, CANDIDATES[k])
        for k, one in zip((2, 3, 4, 5), values, strict=True)
    ]
    assert display.standard_deviation[0] == pytest.approx(deviations, rel=1e-9)


def test_smallest_distance_wins():
    name = "variation_of_information_distance"
    display = IndexCurveDisplay.from_predictions(Y, CANDIDATES, index=name, base=2)
    values = [variation_of_information_distance(Y, CANDIDATES[k], base=2) for k in (2, 3, 4, 5)]
    assert display.winner_marks_.get_offsets()[0, 1] == min(values)
    assert display.ax_.get_ylabel() == f"{name} (bits)"


def test_curve_without_known_moments_has_no_band():
    display = IndexCurveDisplay.from_predictions(Y, CANDIDATES, index="purity_score")
    assert display.bands_ == []


def test_named_candidates_stand_at_their_number_of_clusters():
    named = {f"k-means {k}": labels for k, labels in CANDIDATES.items()}
    display = IndexCurveDisplay.from_predictions(Y, named, index="adjusted_rand_score")
    assert display.lines_[0].get_xdata().tolist() == [2, 3, 4, 5]
    assert display.ax_.get_xlabel() == "number of clusters k"


def test_other_keys_are_no_numbers_of_clusters():
    display = IndexCurveDisplay.from_predictions(
        Y, {0.1: CANDIDATES[2], 0.2: CANDIDATES[3]}, index="adjusted_rand_score"
    )
    assert display.lines_[0].get_xdata().tolist() == [0.1, 0.2]
    assert display.ax_.get_xlabel() == "candidate"


def test_curves_against_q_mark_the_winner_at_each_order():
    orders = [0.5, 1.0, 2.0, 3.0]
    display = IndexCurveDisplay.from_predictions(
        Y, CANDIDATES, index="adjusted_mutual_info_score", q=orders
    )
    expected = np.array(
        [
            [adjusted_mutual_info_score(Y, labels, q=q) for q in orders]
            for labels in CANDIDATES.values()
        ]
    )
    assert [line.get_ydata().tolist() for line in display.lines_] == expected.tolist()
    marks = display.winner_marks_.get_offsets()
    assert sorted(marks.tolist()) == sorted(
        [q, best] for q, best in zip(orders, expected.max(axis=0).tolist(), strict=True)
    )
    assert [line.get_label() for line in display.lines_] == ["4", "2", "3", "5"]


def test_of_many_curves_only_winners_have_a_name():
    rng = np.random.default_rng(0)
    many = {f"run {i}": rng.permutation(Y) for i in range(30)}
    display = IndexCurveDisplay.from_predictions(
        Y, many, index="normalized_mutual_info_score", q=[1, 2]
    )
    named = [line for line in display.lines_ if not line.get_label().startswith("_")]
    assert 1 <= len(named) <= 2
    assert len(display.lines_) == 30


def test_curve_of_soft_candidates():
    memberships = np.full((150, 3), 0.1)
    memberships[np.arange(150), Y] = 0.8
    display = IndexCurveDisplay.from_predictions(Y, {"soft": memberships}, index="rand_score")
    assert 0.5 < display.lines_[0].get_ydata()[0] < 1


@pytest.mark.parametrize("candidates", [{}, [FOUND]])
def test_candidates_must_be_a_mapping(candidates):
    with pytest.raises(ValueError, match="^candidates must be a mapping of names to at least one"):
        IndexCurveDisplay.from_predictions(TRUTH, candidates, index="rand_score")


def _search(grid, **scoring):
    return GridSearchCV(
        AgglomerativeClustering(),
        grid,
        scoring=make_clustering_scorer("adjusted_rand_score")
        if not scoring
        else {name: make_clustering_scorer(index) for name, index in scoring.items()},
        refit=False,
        cv=TransductiveSplit(),
    ).fit(X, Y)


def test_curve_of_a_search():
    grid = {"linkage": ["ward", "single"], "n_clusters": [5, 2, 3]}
    search = _search(grid)
    display = IndexCurveDisplay.from_estimator(search)
    assert display.ax_.get_xlabel() == "n_clusters"
    for line, method in zip(display.lines_, grid["linkage"], strict=True):
        assert line.get_label() == f"linkage={method}"
        assert line.get_xdata().tolist() == [2, 3, 5]
        assert line.get_ydata().tolist() == [
            adjusted_rand_score(Y, AgglomerativeClustering(k, linkage=method).fit_predict(X))
            for k in (2, 3, 5)
        ]
    best = search.cv_results_["mean_test_score"].max()
    assert display.winner_marks_.get_offsets()[:, 1].tolist() == [best]


def test_curve_of_a_search_with_several_scores():
    search = _search({"n_clusters": [2, 3]}, ari="adjusted_rand_score", purity="purity_score")
    display = IndexCurveDisplay.from_estimator(search, metric="purity")
    assert display.ax_.get_ylabel() == "mean test purity"
    assert display.lines_[0].get_ydata().tolist() == list(search.cv_results_["mean_test_purity"])
    with pytest.raises(ValueError, match=r"^metric must be one of \['ari', 'purity'\].*'score'"):
        IndexCurveDisplay.from_estimator(search, metric="score")
    with pytest.raises(ValueError, match=r"^param_name must be one of \['n_clusters'\].*'linkage'"):
        IndexCurveDisplay.from_estimator(search, param_name="linkage")


# ------------------------------------------------------------------- null distributions


def test_null_distribution_is_that_of_the_test():
    test = independence_test(TRUTH, FOUND, method="monte_carlo", n_resamples=200, random_state=3)
    display = NullDistributionDisplay.from_predictions(
        TRUTH, FOUND, n_resamples=200, random_state=3
    )
    assert display.pvalue == test.pvalue
    assert display.value == test.statistic
    assert display.mean == pytest.approx(test.mean, rel=1e-14)
    assert display.standard_deviation == pytest.approx(test.standard_deviation, rel=1e-14)
    assert display.standardized == pytest.approx(test.standardized, rel=1e-12)
    assert display.gamma_pvalue == independence_test(TRUTH, FOUND).pvalue
    assert display.value_line_.get_xdata() == [test.statistic] * 2
    assert display.mean_line_.get_xdata() == [display.mean] * 2
    area = sum(bar.get_height() * bar.get_width() for bar in display.bars_)
    assert area == pytest.approx(1.0)
    assert len(display.null_values) == 200
    assert display.ax_.get_xlim()[0] == 0  # mutual information is never negative


@pytest.mark.parametrize("width", [7.2, 4.5])
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
def test_gamma_law_has_the_moments_and_the_p_value(name):
    display = NullDistributionDisplay.from_predictions(
        TRUTH, FOUND, index=name, n_resamples=50, random_state=0
    )
    x, density = display.line_.get_data()
    order = np.argsort(x)
    x, density = x[order], density[order]
    assert trapezoid(density, x) == pytest.approx(1.0, abs=0.05)
    sign = math.copysign(1.0, display.shape)
    assert (sign > 0) == (name != "variation_of_information_distance")
    shape = abs(display.shape)
    law = gamma(shape, scale=1 / math.sqrt(shape))
    assert law.sf(sign * display.standardized + math.sqrt(shape)) == pytest.approx(
        display.gamma_pvalue, rel=1e-9
    )


def test_unknown_moments_are_those_of_the_draws():
    display = NullDistributionDisplay.from_predictions(
        TRUTH, FOUND, index="purity_score", n_resamples=60, random_state=0
    )
    assert not display.is_exact
    assert display.line_ is None
    assert display.mean == display.null_values.mean()
    assert display.standard_deviation == display.null_values.std()
    as_good = (display.null_values >= display.value - 1e-9).sum()
    assert display.pvalue == (1 + as_good) / 61


def test_small_distances_are_the_unlikely_ones():
    display = NullDistributionDisplay.from_predictions(
        Y, Y, index="mirkin_distance", n_resamples=99, random_state=0
    )
    assert display.value == 0
    assert display.pvalue == 0.01
    assert display.standardized < -10


def test_null_distribution_of_soft_partitions():
    memberships = np.full((150, 3), 0.1)
    memberships[np.arange(150), Y] = 0.8
    display = NullDistributionDisplay.from_predictions(
        Y, memberships, index="adjusted_rand_score", n_resamples=40, random_state=0
    )
    assert display.pvalue == pytest.approx(1 / 41)


def test_constant_index_has_no_law():
    display = NullDistributionDisplay.from_predictions(
        [0, 0, 0], [0, 1, 1], index="rand_score", n_resamples=20, random_state=0
    )
    assert display.standardized == 0.0
    assert display.line_ is None
    assert display.pvalue == 1.0


def test_number_of_draws_is_checked():
    with pytest.raises(ValueError, match="^n_resamples must be at least 1, got 0"):
        NullDistributionDisplay.from_predictions(TRUTH, FOUND, n_resamples=0)


# ------------------------------------------------------------------- similarity matrices


def test_objects_are_ordered_by_cluster():
    data = np.array([[0.0], [10.0], [1.0], [9.0]])
    display = SimilarityMatrixDisplay.from_predictions(data, ["b", "a", "b", "a"])
    assert display.order.tolist() == [1, 3, 0, 2]
    ordered = data[[1, 3, 0, 2], 0]
    expected = 1 - np.abs(ordered[:, np.newaxis] - ordered) / 10
    assert display.im_.get_array().data == pytest.approx(expected)
    assert display.boundaries_.tolist() == [1.5]
    assert _texts(display.ax_.yaxis) == ["a", "b"]
    assert display.ax_.yaxis.get_ticklocs().tolist() == [0.5, 2.5]


def test_similarity_of_an_estimator():
    fitted = KMeans(3, n_init=1, random_state=0).fit(X)
    display = SimilarityMatrixDisplay.from_estimator(fitted, X, metric="cityblock")
    assert display.labels.tolist() == sorted(fitted.labels_)
    assert "cityblock" in display.unit
    with pytest.raises(ValueError, match="^estimator must be fitted and have labels_, got KMeans"):
        SimilarityMatrixDisplay.from_estimator(KMeans(3), X)


def test_similar_partitions_are_neighbours():
    scores = np.eye(4)
    scores[0, 2] = scores[2, 0] = scores[1, 3] = scores[3, 1] = 0.9
    display = SimilarityMatrixDisplay.from_scores(scores, names="pqrs", index="rand_score")
    order = display.order.tolist()
    assert {frozenset(order[:2]), frozenset(order[2:])} == {frozenset({0, 2}), frozenset({1, 3})}
    assert _texts(display.ax_.xaxis) == ["pqrs"[one] for one in order]
    assert display.im_.get_array().tolist() == scores[np.ix_(order, order)].tolist()


@pytest.mark.parametrize("n", [1, 2])
def test_few_partitions_keep_their_order(n):
    assert SimilarityMatrixDisplay.from_scores(np.eye(n)).order.tolist() == list(range(n))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: SimilarityMatrixDisplay.from_predictions(X, Y[:-1]), "X and labels must have the"),
        (
            lambda: SimilarityMatrixDisplay.from_predictions(
                np.zeros((5001, 1)), np.zeros(5001, int)
            ),
            "X must hold at most 5000 objects, .* got 5001",
        ),
        (
            lambda: SimilarityMatrixDisplay.from_scores(np.zeros((2, 3))),
            r"scores must be a square matrix .* got an array of shape \(2, 3\)",
        ),
        (lambda: SimilarityMatrixDisplay.from_scores([[np.nan]]), "scores must be finite, got nan"),
        (
            lambda: SimilarityMatrixDisplay.from_scores(np.eye(2), names="abc"),
            "names must name the 2 rows of scores, got 3",
        ),
    ],
)
def test_bad_similarities_are_named(make, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        make()


# ------------------------------------------------------------------- hierarchies


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


def test_single_cut_has_a_band_to_see():
    display = HierarchyComparisonDisplay.from_linkages(*Z, k_range=[3])
    corners = display.band_.get_paths()[0].vertices[:, 0]
    assert corners.min() < 3 < corners.max()
    assert _texts(display.ax_.xaxis) == ["3"]


def test_hierarchies_without_known_moments_have_no_band():
    display = HierarchyComparisonDisplay.from_linkages(*Z, index="purity_score", k_range=[2, 3, 4])
    assert display.band_ is None
    assert display.expected_line_ is None
    assert display.ax_.get_xscale() == "linear"


def test_parameters_and_units_are_told():
    display = HierarchyComparisonDisplay.from_linkages(
        *Z, index="mutual_info_score", k_range=[2, 3], base=2
    )
    assert display.ax_.get_ylabel() == "mutual_info_score (bits)"
    display = HierarchyComparisonDisplay.from_linkages(
        *Z, index="mutual_info_score", k_range=[2, 3], q=2.0
    )
    assert display.ax_.get_ylabel() == "mutual_info_score, q=2"


def test_curve_against_q_needs_an_index_and_orders():
    labels, candidates = [0, 0, 1, 1], {"one": [0, 1, 1, 1]}
    draw = IndexCurveDisplay.from_predictions
    with pytest.raises(TypeError, match="adjusted_rand_score takes no parameters, got 'q'"):
        draw(labels, candidates, index="adjusted_rand_score", q=[1])
    with pytest.raises(ValueError, match="q must be None or hold at least one order"):
        draw(labels, candidates, index="mutual_info_score", q=[])
    with pytest.raises(ValueError, match="mapping of names to at least one candidate, got list"):
        draw(labels, [[0, 1, 1, 1]], index="rand_score")
