"""A picture of the evidence for the number of clusters."""

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from sklearn.cluster import DBSCAN, KMeans
from sklearn.datasets import make_blobs

from sklearn_clustcompare import choose_n_clusters
from sklearn_clustcompare.plot import NClustersDisplay


@pytest.fixture(scope="module")
def display():
    X, _ = make_blobs(60, centers=[[0, 0], [9, 0], [0, 9]], random_state=0)
    return NClustersDisplay.from_estimator(
        KMeans(n_init=3), X, param_range=range(1, 6), n_null=19, n_resamples=3
    )


def line(ax, label):
    (found,) = [one for one in ax.lines if one.get_label() == label]
    return found


def test_panels_show_the_evidence(display):
    choice = display.choice
    names = ["silhouette", "strength", "ratio"]
    assert [ax.get_ylabel() for ax in display.axes_] == names
    assert display.axes_[-1].get_xlabel() == "n_clusters"
    for ax, name in zip(display.axes_, names, strict=True):
        np.testing.assert_array_equal(line(ax, "data").get_ydata(), getattr(choice, name))
        assert [3, 3] in [list(one.get_xdata()) for one in ax.lines]
    assert set(line(display.axes_[1], "comes back").get_ydata()) == {0.8}
    assert set(line(display.axes_[2], "separated").get_ydata()) == {2.5}
    assert len(display.axes_[0].collections) == 0
    assert display.figure_.get_suptitle() == "3 clusters, separated"


def test_one_cluster_has_a_band_for_each_law():
    X = np.random.default_rng(0).normal(size=(50, 2))
    choice = choose_n_clusters(KMeans(n_init=1), X, [2, 3], null=["pca", "box"], n_resamples=2)
    silhouette = choice.plot().axes_[0]
    assert len(silhouette.collections) == len(choice.null_silhouettes) == 2


def test_another_parameter_is_the_axis():
    X, _ = make_blobs(60, centers=[[0, 0], [9, 0], [0, 9]], random_state=0)
    display = NClustersDisplay.from_estimator(
        DBSCAN(), X, param_name="eps", param_range=[0.1, 2.0], n_resamples=3
    )
    assert display.axes_[-1].get_xlabel() == "eps"
    assert line(display.axes_[0], "data").get_xdata().tolist() == [0.1, 2.0]


@pytest.mark.slow
def test_texts_of_the_panels_do_not_overlap(display):
    figure = display.figure_
    figure.draw_without_rendering()
    renderer = FigureCanvasAgg(figure).get_renderer()
    boxes = [ax.get_tightbbox(renderer) for ax in display.axes_.flat]
    for number, box in enumerate(boxes):
        assert not any(box.overlaps(other) for other in boxes[number + 1 :])
