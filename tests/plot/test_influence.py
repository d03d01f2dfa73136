"""Picture of the objects that a clustering depends on."""

import numpy as np
import pytest
from sklearn.cluster import AgglomerativeClustering
from sklearn.datasets import load_iris

from sklearn_clustcompare import InfluenceDisplay, influence

pytest.importorskip("matplotlib")

IRIS = load_iris().data[::3]
AVERAGE = AgglomerativeClustering(3, linkage="average")


def test_marks_are_the_objects_that_change_the_clustering():
    found = influence(AVERAGE, IRIS)
    display = InfluenceDisplay.from_result(IRIS[:, 2:], found)
    values = np.asarray(display.points_.get_array())
    assert sorted(values) == sorted(found.values[found.is_changed])
    # The largest is drawn last.
    assert (np.diff(values) >= 0).all()
    expected = IRIS[:, 2:][found.ranking[found.values[found.ranking] == found.values.max()]]
    drawn = display.points_.get_offsets()[values == found.values.max()]
    assert sorted(drawn.tolist()) == sorted(expected.tolist())
    n_still = len(display.others_.get_offsets())
    assert n_still + len(values) == len(IRIS)
    n_moving = np.count_nonzero(found.is_changed)
    assert display.ax_.get_title() == f"{n_moving} of 50 objects change the clustering"


def test_of_a_similarity_the_lowest_is_drawn_last():
    display = InfluenceDisplay.from_estimator(
        AVERAGE, IRIS, coordinates=IRIS[:, :2], index="adjusted_rand_score"
    )
    assert (np.diff(display.points_.get_array()) <= 0).all()


@pytest.mark.parametrize(
    ("X", "change", "message"),
    [
        (IRIS, "delete", "X must have the shape"),
        (IRIS[:9, :2], "delete", "X must have 50 rows"),
        (IRIS[:, :2], "reorder", "result must be one of objects"),
    ],
)
def test_errors(X, change, message):
    found = influence(AVERAGE, IRIS, change=change, n_changes=2)
    with pytest.raises(ValueError, match=message):
        InfluenceDisplay.from_result(X, found)
