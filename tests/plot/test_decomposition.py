"""Decompositions, by the data in their artists."""

import numpy as np
import pytest

from sklearn_clustcompare import cluster_decomposition
from sklearn_clustcompare.plot import DecompositionDisplay
from tests.plot._examples import FOUND, MANY, MANY_FOUND, TRUTH, texts

pyplot = pytest.importorskip("matplotlib.pyplot")


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
    assert texts(display.label_ax_.xaxis) == list(parts.labels[0][np.argsort(-parts.R_i)])
    assert texts(display.ax_.xaxis) == [str(one) for one in parts.labels[1][np.argsort(-parts.C_j)]]


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
