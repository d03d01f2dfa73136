"""Labels of objects outside a sample."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.cluster import DBSCAN, KMeans, MeanShift
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, NearestCentroid
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sklearn_clustcompare.without_reference._resamples import (
    Clustering,
    Sample,
    labels_at,
    read_extension,
)
from tests.without_reference._stability_data import Middle


def _extended(X, positions, labels, extension, fitted=None, noise_labels=(-1,)):
    sample = Sample(X[positions], np.asarray(positions))
    everything = np.arange(len(X))
    chosen = read_extension(extension, fitted if fitted is not None else Middle())
    found = Clustering(fitted, np.asarray(labels), X[positions])
    return labels_at(everything, found, sample, X, chosen, noise_labels)


@given(st.integers(2, 12), st.integers(0, 2**32 - 1))
def test_the_nearest_object_and_the_nearest_mean_decide(n_drawn, seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(15, 2))
    positions = rng.choice(15, n_drawn, replace=False)
    labels = rng.integers(3, size=n_drawn)
    nearest = np.argmin(((X[:, np.newaxis] - X[positions]) ** 2).sum(axis=2), axis=1)
    assert np.array_equal(_extended(X, positions, labels, "nearest"), labels[nearest])
    found = np.unique(labels)
    means = np.array([X[positions][labels == one].mean(axis=0) for one in found])
    closest = found[np.argmin(((X[:, np.newaxis] - means) ** 2).sum(axis=2), axis=1)]
    closest[positions] = labels
    assert np.array_equal(_extended(X, positions, labels, "nearest_centroid"), closest)


def test_objects_of_the_sample_keep_their_labels_and_copies_the_last():
    X = np.arange(5.0)[:, np.newaxis]
    labels = _extended(X, [0, 4, 0], ["far", "b", "a"], "nearest")
    assert (labels[0], labels[4]) == ("a", "b")
    # Rows that are no objects teach, and are not labeled.
    sample = Sample(np.array([[0.0], [3.1]]), np.array([0, -1]))
    chosen = read_extension("nearest", Middle())
    clustering = Clustering(None, np.array([7, 8]), sample.X)
    found = labels_at(np.arange(5), clustering, sample, X, chosen, (-1,))
    assert found.tolist() == [7, 7, 8, 8, 8]


def test_a_clusterer_predicts_where_it_can():
    X = np.array([[0.0], [0.1], [5.0], [5.1], [9.9]])
    model = KMeans(2, random_state=0, n_init=1).fit(X[:4])
    expected = model.predict(X)
    for extension in ("auto", "predict"):
        found = _extended(X, [0, 1, 2, 3], model.labels_, extension, model)
        assert np.array_equal(found, expected)
    assert read_extension("auto", Middle()).n_neighbors == 1
    assert isinstance(read_extension("nearest_centroid", model), NearestCentroid)
    classifier = GaussianNB()
    assert read_extension(classifier, Middle()) is classifier
    wide = KNeighborsClassifier(3).fit(X[:4], [0, 0, 0, 1])
    assert np.array_equal(_extended(X, [0, 1, 2, 3], [0, 0, 0, 1], wide)[4:], wide.predict(X[4:]))


def test_one_label_needs_no_classifier():
    X = np.arange(4.0)[:, np.newaxis]
    for label in (0, -1):
        for extension in ("nearest", "nearest_centroid", GaussianNB()):
            assert _extended(X, [1, 2], [label, label], extension).tolist() == [label] * 4


def test_noise_is_extended_or_refused_and_never_forgotten():
    X = np.array([[0.0], [0.1], [9.0], [0.05], [9.1]])
    assert _extended(X, [0, 1, 2], [0, 0, -1], "nearest").tolist() == [0, 0, -1, 0, -1]
    with pytest.raises(ValueError, match="^extension must be 'nearest' or another classifier"):
        _extended(X, [0, 1, 2], [0, 0, -1], "nearest_centroid")
    shift = MeanShift(bandwidth=1.0, cluster_all=False)
    many = np.concatenate([np.zeros((5, 1)), np.full((5, 1), 4.0), [[1.9]]])
    shift.fit(many)
    labels = np.append(shift.labels_[:10], -1)
    X = np.append(many, [[2.0]], axis=0)
    with pytest.raises(
        ValueError, match="predict never returns noise, got 'predict' for MeanShift"
    ):
        _extended(X, np.arange(11), labels, "predict", shift)
    assert _extended(X, np.arange(11), labels, "nearest", shift)[-1] == -1


def test_a_pipeline_is_extended_in_the_space_of_its_last_step():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2)) * [1.0, 1000.0]
    X[:30, 0] += 20
    positions = np.arange(0, 60, 2)
    pipeline = make_pipeline(StandardScaler(), DBSCAN(eps=0.8)).fit(X[positions])
    labels = pipeline[-1].labels_
    found = _extended(X, positions, labels, "nearest", pipeline)
    Z = pipeline[0].transform(X)
    nearest = np.argmin(((Z[:, np.newaxis] - Z[positions]) ** 2).sum(axis=2), axis=1)
    assert np.array_equal(found, labels[nearest])


@pytest.mark.parametrize("extension", ["near", None, KMeans(), 3])
def test_errors_name_the_extensions(extension):
    with pytest.raises(ValueError, match="^extension must be one of 'auto', 'predict'"):
        read_extension(extension, KMeans())
    with pytest.raises(ValueError, match="^extension must be .* a clusterer without predict"):
        read_extension("predict", DBSCAN())
