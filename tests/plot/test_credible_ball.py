"""The picture of a credible ball."""

import numpy as np
import pytest

from sklearn_clustcompare.plot import CredibleBallDisplay
from sklearn_clustcompare.results import CredibleBall

pytest.importorskip("matplotlib")


def test_matched_clusters_have_the_color_of_the_consensus():
    center = np.array([0, 1, 0, 1, 2])
    renamed, split = np.array([2, 0, 2, 0, 1]), np.array([0, 1, 0, 2, 3])
    unknown = np.array([0, 1, 0, 1, -1])
    ball = CredibleBall(0.5, np.arange(4), renamed, unknown, split, center, 0.9)
    display = CredibleBallDisplay(ball).plot()
    colors = np.asarray(display.im_.get_array())
    order = np.argsort(center, kind="stable")
    np.testing.assert_array_equal(colors[1], colors[0])
    np.testing.assert_array_equal(colors[2, :4], colors[0, :4])
    np.testing.assert_array_equal(colors[2, 4], 1.0)  # white
    same = (colors[3] == colors[0]).all(axis=1)
    assert same[order < 4].sum() == 3  # one of the two parts has the color of the whole
    assert len(np.unique(colors[3], axis=0)) == 4
    assert [text.get_text() for text in display.ax_.get_yticklabels()] == [
        "consensus\n3 clusters",
        "farthest\n3 clusters",
        "fewest clusters\n2 clusters",
        "most clusters\n4 clusters",
    ]
