"""Weight functions, by the data in their artists."""

import math

import numpy as np
import pytest

from sklearn_clustcompare.plot import WeightFunctionDisplay
from tests.plot._examples import MANY, TRUTH, Y

pyplot = pytest.importorskip("matplotlib.pyplot")


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
