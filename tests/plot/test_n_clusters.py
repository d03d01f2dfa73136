"""A picture of the evidence for the number of clusters."""

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from sklearn.cluster import DBSCAN, KMeans
from sklearn.datasets import make_blobs

from sklearn_clustcompare import NClustersDisplay


@pytest.fixture(scope="module")
def display():
    X, _ = make_blobs(60, centers=[[0, 0], [9, 0], [0, 9]], random_state=0)
    return NClustersDisplay.from_estimator(
        KMeans(n_init=3), X, param_range=range(1, 6), n_null=19, n_resamples=3
    )


def line(ax, label):
    (found,) = [one for one in ax.lines if one.get_label() == label]
    return found


@pytest.mark.slow
def test_panels_show_the_evidence(display):
    silhouette, valley, again, gap = display.axes_.flat
    choice = display.choice
    columns = choice.columns()
    labels = ["silhouette", "valley", "found again", "gap"]
    assert [ax.get_ylabel() for ax in display.axes_.flat] == labels
    assert {ax.get_xlabel() for ax in display.axes_.flat} == {"n_clusters"}
    assert line(silhouette, "data").get_xdata().tolist() == [2, 3, 4, 5]
    for ax, name in ((silhouette, "silhouette_score"), (valley, "valley")):
        np.testing.assert_array_equal(line(ax, "data").get_ydata(), columns[name][1:])
        assert len(ax.collections) == len(choice.silhouette.laws)
    for label, name in (
        ("prediction strength", "prediction_strength"),
        ("worst Jaccard index", "stability"),
    ):
        np.testing.assert_array_equal(line(again, label).get_ydata(), columns[name])
    texts = [text.get_text() for text in again.get_legend().get_texts()]
    assert {"at least 0.8", "at least 0.75"} < set(texts)
    assert "chosen by" in [text.get_text() for text in gap.texts]
    assert gap.get_title().startswith("Gap statistic")
    assert display.figure_.get_suptitle() == "3 clusters (p = 0.05)"
    assert all([3, 3] in [list(one.get_xdata()) for one in ax.lines] for ax in display.axes_.flat)


@pytest.mark.slow
def test_another_parameter_has_the_number_found_in_the_place_of_the_gap():
    X, _ = make_blobs(60, centers=[[0, 0], [9, 0], [0, 9]], random_state=0)
    display = NClustersDisplay.from_estimator(
        DBSCAN(), X, param_name="eps", param_range=[0.1, 2.0], n_null=19, n_resamples=3
    )
    last = display.axes_.flat[-1]
    assert last.get_ylabel() == "number of clusters"
    assert last.lines[0].get_ydata().tolist() == display.choice.n_found.tolist()


@pytest.mark.slow
def test_texts_of_the_panels_do_not_overlap(display):
    figure = display.figure_
    figure.draw_without_rendering()
    renderer = FigureCanvasAgg(figure).get_renderer()
    boxes = [ax.get_tightbbox(renderer) for ax in display.axes_.flat]
    for number, box in enumerate(boxes):
        assert not any(box.overlaps(other) for other in boxes[number + 1 :])
