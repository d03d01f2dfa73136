"""Decompositions, by the data in their artists."""

import math

import numpy as np
import pytest

from sklearn_clustcompare import cluster_decomposition
from sklearn_clustcompare.plot import DecompositionDisplay, WeightFunctionDisplay
from tests.plot._examples import FOUND, MANY, MANY_FOUND, TRUTH, Y, texts

pyplot = pytest.importorskip("matplotlib.pyplot")
to_rgba = pytest.importorskip("matplotlib.colors").to_rgba


def _boxes(bars):
    """Left, right, lowest and highest of each bar."""
    corners = np.array([path.vertices for path in bars.get_paths()])
    return np.concatenate([np.sort(corners[..., axis])[:, [0, -1]] for axis in (0, 1)], axis=1)


def test_bars_are_values_and_weights_and_their_area_is_the_index():
    display = DecompositionDisplay.from_predictions(TRUTH, FOUND)
    parts = cluster_decomposition(TRUTH, FOUND)
    for bars, values, weights, overall in (
        (display.true_bars_, parts.R_i, parts.u_i, parts.R),
        (display.pred_bars_, -parts.C_j, parts.v_j, -parts.C),
    ):
        left, right, low, high = _boxes(bars).T
        assert (low + high).tolist() == values.tolist()
        assert right - left == pytest.approx(weights, rel=1e-13)
        assert ((low + high) * (right - left)).sum() == pytest.approx(overall, rel=1e-13)
    assert display.ax_.get_title() == f"Clusters: R = {parts.R:.3f}, C = {parts.C:.3f}"
    places = {text.get_text(): text.xy for text in display.ax_.texts}
    assert places == {"R": (1, parts.R), "C": (1, -parts.C)}  # at the ends of their lines


@pytest.mark.slow
def test_matched_clusters_face_each_other_and_no_bars_overlap():
    display = DecompositionDisplay.from_predictions(MANY, MANY_FOUND)
    parts = display.decomposition
    true, pred = _boxes(display.true_bars_), _boxes(display.pred_bars_)
    cells = parts.table.optimal_matching
    rows, cols = parts.table.cell_rows[cells], parts.table.cell_cols[cells]
    middles = [side[:, :2].mean(axis=1) for side in (true, pred)]
    assert middles[0][rows] == pytest.approx(middles[1][cols], rel=1e-12)
    assert np.argsort(middles[0]).tolist() == np.argsort(-parts.R_i, kind="stable").tolist()
    for side in (true, pred):
        left, right = side[np.argsort(side[:, 0]), :2].T
        assert (left[1:] >= right[:-1] - 1e-12).all()


def test_bars_have_the_labels_of_their_side():
    display = DecompositionDisplay.from_predictions(TRUTH, FOUND)
    for bars, axis, labels in zip(
        (display.true_bars_, display.pred_bars_),
        (display.label_ax_.xaxis, display.ax_.xaxis),
        display.decomposition.labels,
        strict=True,
    ):
        left, right = _boxes(bars)[:, :2].T
        at = dict(zip(texts(axis), axis.get_ticklocs(), strict=True))
        assert [at[str(label)] for label in labels] == pytest.approx((left + right) / 2)


def test_bars_have_the_color_of_their_verdict():
    display = DecompositionDisplay.from_predictions([0] * 4 + [1] * 4, [0] * 4 + [1, 1, 2, 2])
    legend = display.ax_.get_legend()
    colors = {
        text.get_text(): handle.get_facecolor()
        for text, handle in zip(legend.get_texts(), legend.legend_handles, strict=True)
    }
    assert list(colors) == ["kept", "split", "part of a split cluster"]
    for bars, names in (
        (display.true_bars_, ["kept", "split"]),
        (display.pred_bars_, ["kept", *["part of a split cluster"] * 2]),
    ):
        assert bars.get_facecolor().tolist() == [list(to_rgba(colors[name])) for name in names]


def test_many_bars_have_few_labels_and_are_two_artists():
    display = DecompositionDisplay.from_predictions(MANY, MANY_FOUND)
    assert len(display.true_bars_.get_paths()) == len(np.unique(MANY))
    assert len(display.ax_.collections) == 2
    assert not display.ax_.patches
    for axis in (display.ax_.xaxis, display.label_ax_.xaxis):
        places = axis.get_ticklocs()
        assert 10 < len(places) < 100
        assert np.diff(places).min() > 0.01


@pytest.mark.slow
def test_legend_is_below_the_bars_where_names_are_long():
    labels = np.repeat(np.arange(40), 3)
    names = np.array([f"cell type number {n} of the donor" for n in range(40)], object)
    found = np.append(labels[1:], 40)
    display = DecompositionDisplay.from_predictions(names[labels], names[np.sort(found) % 40])
    display.figure_.draw_without_rendering()
    bottom = display.ax_.transData.transform((0, -1))[1]
    assert display.ax_.get_legend().get_texts()[0].get_window_extent().y1 < bottom


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
    assert names_above(display) == ["c", "b", "a"]


def names_above(display):
    return [text.get_text() for text in display.label_ax_.get_xticklabels()]


def test_marks_of_equal_size_share_a_name():
    display = WeightFunctionDisplay.from_predictions(Y)
    assert names_above(display) == ["0, 1, 2"]
    assert names_above(WeightFunctionDisplay.from_predictions(np.arange(5))) == ["0, 1, 2 (+2)"]


def test_names_of_clusters_of_nearly_equal_sizes_do_not_overlap():
    sizes = [31, 32, 37]
    labels = np.repeat([f"cells of the donor number {k}" for k in range(3)], sizes)
    display = WeightFunctionDisplay.from_predictions(labels)
    display.figure_.canvas.draw()
    shown = [text for text in display.label_ax_.get_xticklabels() if text.get_text()]
    boxes = [text.get_window_extent() for text in shown]
    assert len(boxes) == 2
    assert not boxes[0].overlaps(boxes[1])


def test_weight_function_of_many_clusters_has_no_names():
    display = WeightFunctionDisplay.from_predictions(MANY)
    assert len(display.marks_.get_xdata()) == len(np.unique(MANY))
    assert display.label_ax_ is None
