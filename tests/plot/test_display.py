"""What all displays have in common, and results that draw themselves."""

import inspect
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.cluster import KMeans

import sklearn_clustcompare as scc
from sklearn_clustcompare import cluster_stability, plot, prediction_strength
from sklearn_clustcompare.plot import _display as _axes
from tests._examples import slow
from tests._results import results
from tests.plot._examples import FOUND, TRUTH, Z

pyplot = pytest.importorskip("matplotlib.pyplot")


# name: a function of ax that makes a display.
DISPLAYS = {
    "alluvial": lambda ax: plot.AlluvialDisplay.from_predictions(TRUTH, FOUND, ax=ax),
    "candidate_scores": lambda ax: plot.CandidateScoresDisplay.from_predictions(
        TRUTH, [FOUND, FOUND > 0], index="rand_score", ax=ax
    ),
    "cluster_significance": lambda ax: plot.ClusterSignificanceDisplay.from_estimator(
        np.repeat([0, 1], 10), np.arange(20.0)[:, np.newaxis], ax=ax
    ),
    "cluster_stability": lambda ax: plot.ClusterStabilityDisplay(
        cluster_stability(KMeans(2), np.eye(5), n_resamples=3, resampling="jitter")
    ).plot(ax),
    "clustering_tree": lambda ax: plot.ClusteringTreeDisplay.from_partitions(
        [FOUND > 1, FOUND, TRUTH], ax=ax
    ),
    "contingency": lambda ax: plot.ContingencyDisplay.from_predictions(TRUTH, FOUND, ax=ax),
    "credible_ball": lambda ax: plot.CredibleBallDisplay.from_partitions(
        [TRUTH, FOUND, FOUND > 0], n_init=1, ax=ax
    ),
    "decomposition": lambda ax: plot.DecompositionDisplay.from_predictions(TRUTH, FOUND, ax=ax),
    "embedding_agreement": lambda ax: plot.EmbeddingAgreementDisplay.from_predictions(
        np.arange(24).reshape(12, 2), TRUTH, FOUND, ax=ax
    ),
    "gap": lambda ax: plot.GapDisplay.from_estimator(
        KMeans(), np.eye(5), param_range=[1, 2], n_null=2, random_state=0, ax=ax
    ),
    "hierarchy_comparison": lambda ax: plot.HierarchyComparisonDisplay.from_linkages(
        *Z, param_range=[2, 3], ax=ax
    ),
    "index_curve": lambda ax: plot.IndexCurveDisplay.from_predictions(
        TRUTH, {3: FOUND, 2: FOUND > 0}, index="adjusted_rand_score", ax=ax
    ),
    "null_distribution": lambda ax: plot.NullDistributionDisplay.from_predictions(
        TRUTH, FOUND, n_resamples=50, random_state=0, ax=ax
    ),
    "silhouette": lambda ax: plot.SilhouetteDisplay.from_labels(
        np.arange(12.0)[:, np.newaxis], FOUND, ax=ax
    ),
    "similarity_matrix": lambda ax: plot.SimilarityMatrixDisplay.from_predictions(
        np.arange(12.0)[:, np.newaxis], FOUND, ax=ax
    ),
    "stability": lambda ax: plot.StabilityDisplay(
        prediction_strength(KMeans(), np.eye(6), param_range=[1, 2], n_resamples=2)
    ).plot(ax),
    "weight_function": lambda ax: plot.WeightFunctionDisplay.from_predictions(TRUTH, ax=ax),
}


@pytest.mark.slow
@pytest.mark.parametrize("make", DISPLAYS.values(), ids=DISPLAYS)
def test_display_draws_into_axes_given_without_black_lines_in_a_dark_style(make):
    with pyplot.style.context("dark_background"):
        figure, ax = pyplot.subplots()
        display = make(ax)
    assert display.ax_ is ax
    assert display.figure_ is figure
    assert len(pyplot.get_fignums()) == 1
    assert (0, 0, 0) not in {colors.to_rgb(line.get_color()) for line in ax.lines}


def _class_name(name):
    return name.title().replace("_", "") + "Display"


DRAWN_LONG = {
    *("alluvial", "cluster_stability", "clustering_tree", "contingency", "decomposition"),
    *("gap", "null_distribution", "stability"),
}


@pytest.mark.parametrize("name", [slow(name) if name in DRAWN_LONG else name for name in DISPLAYS])
def test_display_makes_axes_and_names_them(name):
    display = DISPLAYS[name](None)
    assert type(display).__name__ == _class_name(name)
    for parameter in inspect.signature(type(display)).parameters:
        assert hasattr(display, parameter)
    assert display.ax_.figure is display.figure_
    assert display.ax_.get_xlabel()
    assert display.ax_.get_ylabel()
    first = display.ax_
    assert display.plot() is display
    assert display.ax_ is not first
    display.figure_.draw_without_rendering()


def test_every_display_is_tested():
    assert {*map(_class_name, DISPLAYS)} | {"NClustersDisplay"} == set(
        plot.__all__
    )  # three panels, and tests of its own
    assert plot.__all__ == sorted(plot.__all__)


@pytest.mark.slow
@pytest.mark.processes
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


def test_a_display_shows_as_its_name_and_title():
    display = plot.ContingencyDisplay(
        np.array([[2, 0], [1, 3]]), row_labels=[0, 1], col_labels=[0, 1]
    )
    assert repr(display) == "ContingencyDisplay"
    display.plot()
    assert repr(display) == "ContingencyDisplay: Contingency table, matched order"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["Alluvial", "Contingency", "Decomposition"])
def test_sides_have_the_names_of_series_or_those_given(name):
    pandas = pytest.importorskip("pandas")
    draw = getattr(plot, f"{name}Display").from_predictions
    display = draw(pandas.Series(TRUTH, name="cell type"), pandas.Series(FOUND))
    assert display.names == ("cell type", "labels_pred")
    again = draw(TRUTH, FOUND, names=("x", "y"), ax=display.ax_)
    assert again.names == ("x", "y")
    ax = again.ax_
    axes = (ax, getattr(again, "label_ax_", ax))
    shown = [one.get_xlabel() + one.get_ylabel() for one in axes]
    shown += [text.get_text() for text in ax.get_xticklabels()]
    assert all(any(side in one for one in shown) for side in ("x", "y"))


# --------------------------------------- results that draw themselves, as their Displays draw them


DRAWN = {
    "CandidateScores": plot.CandidateScoresDisplay,
    "ClusterDecomposition": plot.DecompositionDisplay,
    "ClusterSignificance": plot.ClusterSignificanceDisplay,
    "ClusterStability": plot.ClusterStabilityDisplay,
    "ClusteringTree": plot.ClusteringTreeDisplay,
    "CredibleBall": plot.CredibleBallDisplay,
    "ComparisonReport": plot.DecompositionDisplay,
    "EntityReport": plot.ContingencyDisplay,
    "GapStatistic": plot.GapDisplay,
    "HierarchyComparison": plot.HierarchyComparisonDisplay,
    "IndexCurve": plot.IndexCurveDisplay,
    "NClustersChoice": plot.NClustersDisplay,
    "PairwiseScores": plot.SimilarityMatrixDisplay,
    "PredictionStrength": plot.StabilityDisplay,
    "StabilityResult": plot.StabilityDisplay,
    "StructureTestResult": plot.NullDistributionDisplay,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", DRAWN)
def test_a_result_draws_itself(name):
    options = {} if name == "NClustersChoice" else {"ax": pyplot.subplots()[1]}
    display = results()[name].plot(**options)
    assert type(display) is DRAWN[name]
    if options:
        assert display.ax_ is options["ax"]


def test_what_a_display_draws_has_a_method():
    drawn = {name for name, one in results().items() if hasattr(one, "plot")}
    assert drawn - {"PermutationTestResult", "ContingencyTable"} == set(DRAWN)  # see below


@pytest.mark.slow
def test_keywords_reach_the_display_and_its_picture():
    table = scc.ContingencyTable.from_labels(TRUTH, FOUND)
    display = table.plot(normalize="true", colorbar=False)
    guessed = plot.ContingencyDisplay.from_labels(TRUTH, FOUND, normalize="true")
    np.testing.assert_array_equal(guessed.counts, display.counts)
    assert (display.normalize, display.im_.colorbar) == ("true", None)
    names = ("people", "found")
    report = scc.clustering_comparison_report(TRUTH, FOUND, family="entity", names=names)
    assert report.plot(normalize="pred").names == names
    scores = scc.score_candidates(TRUTH, [FOUND, FOUND > 0, FOUND > 1], indices="ari")
    assert scores.plot(max_shown=2).max_shown == 2
    test = scc.permutation_test(TRUTH, FOUND, index="ari", method="monte_carlo", n_resamples=50)
    assert isinstance(test.plot(), plot.NullDistributionDisplay)
    with pytest.raises(TypeError, match="unexpected keyword argument 'foo'"):
        scores.plot(foo=1)


def test_single_rows_and_matrices_make_frames():
    for result, rows in (
        (results()["Influence"], ("values", 30)),
        (results()["MedoidResult"], ("averages", 2)),
        (results()["AlignedPartitions"], ("ids", 30)),
    ):
        frame = result.to_frame()
        assert len(frame) == rows[1]
        assert sorted(getattr(result, rows[0])) in [sorted(frame[name]) for name in frame]
    for name in ("BaselineComparison", "PairedComparisonResult", "PermutationTestResult"):
        (row,) = results()[name].to_frame().to_dict("records")
        assert row["pvalue"] == results()[name].pvalue
    found = results()["CoAssociation"]
    np.testing.assert_array_equal(found.to_frame(), found.matrix)


def test_rows_make_a_frame():
    pytest.importorskip("pandas")
    curve = scc.index_curve(TRUTH, {3: FOUND, 2: FOUND > 0}, index="ari")
    frame = curve.to_frame()
    assert list(frame.columns[:1]) == ["x"]
    np.testing.assert_array_equal(frame["value"], np.ravel(curve.values))
    profile = scc.candidates.reference_profile(TRUTH, index="rand_score")
    np.testing.assert_array_equal(profile.to_frame()["expected"], profile.expected)
    side = scc.cluster_decomposition(TRUTH, FOUND).true
    np.testing.assert_array_equal(side.to_frame()["value"], side.values)


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


def test_numbers_fit_into_square_cells_of_wide_axes():
    figure, ax = pyplot.subplots(figsize=(6, 1.3))
    draw = plot.SimilarityMatrixDisplay.from_scores
    display = draw(np.eye(2), ax=ax, colorbar=False, values_format=".6f")
    figure.draw_without_rendering()
    width = ax.get_window_extent().width / 2
    assert all(text.get_window_extent().width < width for text in display.text_.ravel())


@pytest.mark.slow
@pytest.mark.parametrize("draw", ["plot", "scatter", "fill_between"])
def test_legend_stands_next_to_axes_that_are_full(draw):
    x = np.linspace(0, 1, 50)
    for y, is_inside in ((x / 5, True), (np.abs(np.sin(40 * x)), False)):
        figure, ax = pyplot.subplots(layout="constrained")
        getattr(ax, draw)(x, y, label="a name that meets something")
        ax.set(xlim=(0, 1), ylim=(0, 1))
        _axes.draw_legend(ax)
        figure.draw_without_rendering()
        box, frame = ax.get_legend().get_window_extent(), ax.get_window_extent()
        points = ax.transData.transform(np.column_stack([x, y]))
        assert (box.x1 <= frame.x1) == is_inside
        assert box.count_contains(points) == 0
        assert box.x1 <= figure.bbox.x1
        pyplot.close(figure)


def test_wide_legend_stands_below_axes_that_are_full():
    x = np.linspace(0, 1, 50)
    figure, grid = pyplot.subplots(2, 2, figsize=(9, 7), layout="constrained")
    for ax in grid.flat:
        ax.plot(
            x, np.abs(np.sin(40 * x)), label="a name that is as long as those of samples may be"
        )
        ax.set(xlim=(0, 1), ylim=(0, 1), xlabel="share of all objects")
        _axes.draw_legend(ax)
    figure.draw_without_rendering()
    boxes = [ax.get_tightbbox() for ax in grid.flat]
    for number, (ax, box) in enumerate(zip(grid.flat, boxes, strict=True)):
        assert not ax.get_legend().get_window_extent().overlaps(ax.xaxis.label.get_window_extent())
        assert ax.get_legend().get_window_extent().y1 < ax.get_window_extent().y0
        assert not any(box.overlaps(other) for other in boxes[number + 1 :])
        assert ax.get_window_extent().width > 300
