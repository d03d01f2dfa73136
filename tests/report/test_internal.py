"""Sums of squares and silhouettes of single clusters."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import silhouette_samples

from sklearn_clustcompare import silhouette_score
from sklearn_clustcompare.metrics import (
    between_cluster_sum_of_squares,
    within_cluster_sum_of_squares,
)
from sklearn_clustcompare.report import internal_decomposition

X, Y = load_iris(return_X_y=True)
NAMES = load_iris().target_names[Y]


def test_values_are_those_of_the_objects_of_each_cluster():
    parts = internal_decomposition(X, NAMES, metric="cityblock")
    widths = silhouette_samples(X, Y, metric="cityblock")
    assert parts.labels.tolist() == sorted(set(NAMES))
    for at, label in enumerate(parts.labels):
        own = X[label == NAMES]
        center = own.mean(axis=0)
        assert parts.sizes[at] == len(own)
        assert parts.within[at] == pytest.approx(((own - center) ** 2).sum())
        assert parts.between[at] == pytest.approx(len(own) * ((center - X.mean(axis=0)) ** 2).sum())
        assert parts.silhouettes[at] == pytest.approx(widths[label == NAMES].mean())


def test_values_make_up_the_indices():
    parts = internal_decomposition(X, NAMES)
    assert parts.within.sum() == pytest.approx(within_cluster_sum_of_squares(X, Y))
    assert parts.between.sum() == pytest.approx(between_cluster_sum_of_squares(X, Y))
    mean = parts.sizes @ parts.silhouettes / parts.sizes.sum()
    assert mean == pytest.approx(silhouette_score(X, Y))


def test_silhouettes_of_a_sample_are_those_of_the_score():
    labels = np.repeat(["few", "many", "more"], [2, 100, 48])
    drawn = np.random.RandomState(0).permutation(150)[:30]
    parts = internal_decomposition(X, labels, sample_size=30, random_state=0)
    sizes = np.array([np.count_nonzero(labels[drawn] == label) for label in parts.labels])
    assert sizes[0] == 0
    assert np.isnan(parts.silhouettes[0])
    mean = sizes[1:] @ parts.silhouettes[1:] / 30
    score = silhouette_score(X, labels, sample_size=30, random_state=0)
    assert mean == pytest.approx(score)
    assert parts.sizes.tolist() == [2, 100, 48]


@pytest.mark.parametrize("labels", [np.zeros(150), np.arange(150)])
def test_silhouettes_without_a_value_are_nan(labels):
    with pytest.warns(UndefinedMetricWarning, match="silhouettes are NaN: Number of labels is"):
        parts = internal_decomposition(X, labels)
    assert np.isnan(parts.silhouettes).all()
    total = ((X - X.mean(axis=0)) ** 2).sum()
    assert (parts.within + parts.between).sum() == pytest.approx(total)


def test_noise_is_a_cluster_singletons_or_left_out():
    labels = np.where(np.arange(150) % 30 == 7, -1, Y)
    kept = labels != -1
    assert internal_decomposition(X, labels).labels.tolist() == [-1, 0, 1, 2]
    dropped = internal_decomposition(X, labels, noise="drop")
    by_hand = internal_decomposition(X[kept], labels[kept])
    pd.testing.assert_frame_equal(dropped.to_frame(), by_hand.to_frame())
    alone = internal_decomposition(X, labels, noise="singletons")
    renamed = np.where(kept, labels, 10 + np.arange(150))
    expected = internal_decomposition(X, renamed)
    assert alone.sizes.tolist() == expected.sizes.tolist() == [*dropped.sizes, 1, 1, 1, 1, 1]
    np.testing.assert_array_equal(alone.within, expected.within)
    np.testing.assert_array_equal(alone.silhouettes, expected.silhouettes)
    with pytest.raises(ValueError, match="noise='drop' must leave at least one object"):
        internal_decomposition(X, np.full(150, -1), noise="drop")


def test_bad_arguments():
    with pytest.raises(ValueError, match="metric must not be 'precomputed'"):
        internal_decomposition(X, Y, metric="precomputed")
    with pytest.raises(ValueError, match="X and labels must have the same length, got 150 and 2"):
        internal_decomposition(X, [0, 1])
    with pytest.raises(TypeError, match="sample_size must be an integer"):
        internal_decomposition(X, Y, sample_size="all")
    with pytest.raises(ValueError, match="X and labels must have the same index"):
        internal_decomposition(pd.DataFrame(X), pd.Series(Y).sample(frac=1, random_state=0))
