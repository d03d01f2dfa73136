"""How far clusterings move when one object goes, or the order changes."""

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import cdist
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.cluster import AgglomerativeClustering, KMeans
from sklearn.datasets import load_iris

from sklearn_clustcompare import adjusted_rand_score, variation_of_information_distance
from sklearn_clustcompare.without_reference import influence

IRIS = load_iris().data


@pytest.mark.slow
@pytest.mark.parametrize(
    ("linkage", "largest", "objects", "share"),
    [("single", 0, None, 0), ("average", 0.71803, {55}, 0.15), ("ward", 0.188, {123}, 0.10)],
)
def test_irises_that_move_three_clusters(linkage, largest, objects, share):
    found = influence(AgglomerativeClustering(3, linkage=linkage), IRIS, base=2)
    assert found.values.shape == (150,)
    assert found.values.max() == pytest.approx(largest, abs=5e-4 if linkage == "ward" else 5e-6)
    assert found.share_changed == pytest.approx(share, abs=0.005)
    if objects:
        most = np.flatnonzero(found.values > found.values.max() - 1e-9)
        assert objects <= set(most)
        assert found.ranking[0] == most[0]
        assert len(most) == {"average": 18, "ward": 2}[linkage]


def test_values_are_those_of_fits_without_each_object():
    X = IRIS[::12]
    clusterer = KMeans(3, n_init=1, random_state=7)
    labels = clusterer.fit_predict(X)
    for index, function in (
        ("variation_of_information_distance", variation_of_information_distance),
        ("adjusted_rand_score", adjusted_rand_score),
    ):
        found = influence(clusterer, X, index=index)
        expected = [
            function(np.delete(labels, i), clusterer.fit_predict(np.delete(X, i, axis=0)))
            for i in range(len(X))
        ]
        assert found.labels.tolist() == labels.tolist()
        assert found.values == pytest.approx(expected, abs=1e-12)
        worst = found.ranking[0]
        pick = np.argmin if index == "adjusted_rand_score" else np.argmax
        assert worst == pick(np.round(expected, 9))


class FirstComeFirstServed(ClusterMixin, BaseEstimator):
    """Two clusters: the first objects of the order, and all others."""

    def fit(self, X, y=None):
        self.labels_ = (np.arange(len(X)) >= len(X) // 2).astype(int)
        return self


def test_orders_are_compared_object_by_object():
    X = IRIS[:40]
    found = influence(FirstComeFirstServed(), X, change="reorder", n_changes=5, base=2)
    assert found.objects is None
    assert found.values.shape == (5,)
    assert found.share_changed == 1
    # Nearly independent halves: two bits, less the information by chance.
    assert 1.5 < found.values.mean() <= 2
    stable = influence(AgglomerativeClustering(3), X, change="reorder", n_changes=5)
    assert not stable.values.any()
    assert "0 of 5 orders change the clustering" in repr(stable)


def test_distances_and_frames_are_data():
    X = IRIS[::5]
    expected = influence(AgglomerativeClustering(3, linkage="average"), X)
    pairs = AgglomerativeClustering(3, linkage="average", metric="precomputed")
    assert np.array_equal(influence(pairs, cdist(X, X)).values, expected.values)
    frame = influence(AgglomerativeClustering(3, linkage="average"), pd.DataFrame(X))
    assert np.array_equal(frame.values, expected.values)


class Drawn(ClusterMixin, BaseEstimator):
    """Labels drawn from the clusterer's own seed."""

    def __init__(self, random_state=None):
        self.random_state = random_state

    def fit(self, X, y=None):
        drawn = np.random.default_rng(self.random_state).integers(2, size=1000)
        self.labels_ = drawn[np.asarray(X)[:, 0].astype(int)]
        return self


def test_all_fits_have_the_same_seed():
    X = np.arange(30)[:, np.newaxis]
    assert not influence(Drawn(), X).values.any()
    kept = influence(Drawn(3), X).labels
    assert kept.tolist() == Drawn(3).fit(X).labels_.tolist()
    assert influence(Drawn(), X).labels.tolist() != kept.tolist()
