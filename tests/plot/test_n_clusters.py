"""A picture of several criteria for the number of clusters."""

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from sklearn.cluster import KMeans
from sklearn.datasets import make_blobs

from sklearn_clustcompare import NClustersDisplay


@pytest.fixture(scope="module")
def display():
    X, _ = make_blobs(60, centers=[[0, 0], [9, 0], [0, 9]], random_state=0)
    return NClustersDisplay.from_estimator(
        KMeans(n_init=3), X, param_range=range(1, 6), n_resamples=3
    )


@pytest.mark.slow
def test_panels_show_the_values_of_the_criteria(display):
    gap, stability, strength, silhouette = display.axes_.flat
    choice = display.choice
    assert [ax.get_ylabel() for ax in display.axes_.flat] == [
        "gap",
        "adjusted_rand_score",
        "prediction strength",
        "silhouette_score",
    ]
    assert {ax.get_xlabel() for ax in display.axes_.flat} == {"n_clusters"}
    (data,) = [line for line in silhouette.lines if line.get_label() == "data"]
    np.testing.assert_array_equal(data.get_ydata(), choice.structure.values)
    (mean,) = [line for line in stability.lines if line.get_label() == "mean"]
    np.testing.assert_array_equal(mean.get_ydata(), choice.stability.mean)
    star = silhouette.collections[-1].get_offsets()[0]
    assert star[0] == choice.choices()["silhouette_score, largest"]
    assert gap.get_title().startswith("Gap statistic")
    assert strength.get_title() == "Prediction strength"


@pytest.mark.slow
def test_texts_of_the_panels_do_not_overlap(display):
    figure = display.figure_
    figure.draw_without_rendering()
    renderer = FigureCanvasAgg(figure).get_renderer()
    boxes = [ax.get_tightbbox(renderer) for ax in display.axes_.flat]
    for number, box in enumerate(boxes):
        assert not any(box.overlaps(other) for other in boxes[number + 1 :])
