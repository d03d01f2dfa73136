"""Decompositions, by the data in their artists."""

import numpy as np
import pytest

from sklearn_clustcompare import cluster_decomposition
from sklearn_clustcompare.plot import DecompositionDisplay
from tests.plot._examples import FOUND, MANY, MANY_FOUND, TRUTH, texts

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


def test_the_bar_under_the_pointer_is_named():
    display = DecompositionDisplay.from_predictions(TRUTH, FOUND)
    parts = display.decomposition
    x = _boxes(display.pred_bars_)[1, :2].mean()
    assert display.ax_.format_coord(x, -0.1) == (
        f"labels_pred 1: value {parts.C_j[1]:.3f}, weight {parts.v_j[1]:.3f}, kept"
    )
    assert display.ax_.format_coord(5, 0.1) == ""


def test_many_bars_have_few_labels_and_are_two_artists():
    display = DecompositionDisplay.from_predictions(MANY, MANY_FOUND)
    assert len(display.true_bars_.get_paths()) == len(np.unique(MANY))
    assert len(display.ax_.collections) == 2
    assert not display.ax_.patches
    for axis in (display.ax_.xaxis, display.label_ax_.xaxis):
        places = axis.get_ticklocs()
        assert 10 < len(places) < 100
        assert np.diff(places).min() > 0.01


def test_decomposition_passes_parameters_on():
    display = DecompositionDisplay.from_predictions([-1, 0, 0, 1], [0, 0, 0, 1], noise="drop", q=2)
    assert display.decomposition.q == 2
    assert display.decomposition.table.n_samples == 3


def test_sides_have_the_names_of_series():
    pandas = pytest.importorskip("pandas")
    sides = pandas.Series(TRUTH, name="cell type"), pandas.Series(FOUND)
    display = DecompositionDisplay.from_predictions(*sides)
    assert display.names == ("cell type", "labels_pred")
    assert display.label_ax_.get_xlabel().startswith("cell type")


@pytest.mark.slow
def test_legend_is_below_the_bars_where_names_are_long():
    labels = np.repeat(np.arange(40), 3)
    names = np.array([f"cell type number {n} of the donor" for n in range(40)], object)
    found = np.append(labels[1:], 40)
    display = DecompositionDisplay.from_predictions(names[labels], names[np.sort(found) % 40])
    display.figure_.draw_without_rendering()
    bottom = display.ax_.transData.transform((0, -1))[1]
    assert display.ax_.get_legend().get_texts()[0].get_window_extent().y1 < bottom
