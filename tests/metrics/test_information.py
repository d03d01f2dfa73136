"""Entropies, the scales of the variation of information, and moments of the mutual information."""

import numpy as np
import pandas as pd
import pytest
import sklearn.metrics
from scipy.stats import entropy

import sklearn_clustcompare
from sklearn_clustcompare import (
    mutual_info_score,
)
from sklearn_clustcompare.metrics import (
    categorical_entropies,
    categorical_entropy,
    clustering_entropy,
    expected_mutual_info,
    mutual_info_variance,
)
from tests._deviations import PRINTED_EMIAC
from tests._examples import slow


@pytest.mark.parametrize("base", [None, 2, 10])
def test_clustering_entropy_is_shannons(case, base):
    _, sizes = np.unique(pd.factorize(np.array(case[0]))[0], return_counts=True)
    expected = entropy(sizes, base=base) if len(sizes) else 0.0
    assert clustering_entropy(case[0], base=base) == pytest.approx(expected, abs=1e-14)


def test_clustering_entropy_of_other_orders_and_weights():
    labels = ["a", "a", "b", "c"]
    assert clustering_entropy(labels, q=2) == pytest.approx(1 - (4 + 1 + 1) / 16)
    assert clustering_entropy(labels, q=0.5) == pytest.approx(2 * (0.5**0.5 + 1.0 - 1))
    repeated = clustering_entropy(["a"] * 3 + ["c"] * 2)
    assert clustering_entropy(labels, sample_weight=[1, 2, 0, 2]) == repeated
    assert clustering_entropy(labels, sample_weight=[0.5, 1, 0, 1]) == pytest.approx(repeated)


def test_clustering_entropy_treats_noise_and_missing_labels():
    labels, weights = pd.Series([0, 0, 1, 1, 2, -1, -1]), np.arange(7)
    kept = labels != -1
    alone = [0, 0, 1, 1, 2, 3, 4]
    assert clustering_entropy(labels, noise="singletons") == clustering_entropy(alone)
    alone = [5, 6, *labels[2:]]
    found = clustering_entropy(labels, noise="singletons", noise_label=0)
    assert found == clustering_entropy(alone)
    expected = clustering_entropy(labels[kept], sample_weight=weights[kept])
    found = clustering_entropy(labels, noise="drop", sample_weight=weights)
    assert found == pytest.approx(expected, rel=1e-15)
    gone = labels.where(kept)
    found = clustering_entropy(gone, missing="drop", sample_weight=weights)
    assert found == pytest.approx(expected, rel=1e-15)
    assert clustering_entropy(gone, missing="cluster") == clustering_entropy(labels)


# Orman's lecture, EMIAC algorithm: printed as 1.533 bits.
_ROWS = [
    ["Red", "Small", "Soft"],
    ["Green", "Small", "Soft"],
    ["Green", "Large", "Soft"],
    ["Red", "Medium", "Hard"],
    ["Orange", "Medium", "Hard"],
    ["Green", "Medium", "Hard"],
    ["Blue", "Large", "Hard"],
    ["Blue", "Medium", "Hard"],
]
_CLUSTERS = [0, 0, 0, 1, 1, 1, 2, 2]


@pytest.mark.parametrize(
    "X",
    [
        _ROWS,
        np.array(_ROWS),
        np.array(_ROWS, dtype=object),
        pd.DataFrame(_ROWS),
        pd.DataFrame(_ROWS).astype("category"),
    ],
    ids=["lists", "strings", "objects", "frame", "categories"],
)
def test_categorical_entropy_of_the_lecture(X):
    assert categorical_entropy(X, _CLUSTERS, base=2) == pytest.approx(1.533, abs=5e-4)
    assert categorical_entropy(X, list("xxxyyyzz"), base=2) == categorical_entropy(
        X, _CLUSTERS, base=2
    )


def test_categorical_entropies_of_the_lecture():
    found = categorical_entropies(_ROWS, list("xxxyyyzz"), base=2)
    assert list(found) == ["x", "y", "z"]
    assert found["x"] == pytest.approx(1.84, abs=5e-3)
    assert found["y"] == pytest.approx(PRINTED_EMIAC[1], abs=1e-7)
    assert found["z"] == 1.0
    mean = (3 * found["x"] + 3 * found["y"] + 2 * found["z"]) / 8
    assert mean == pytest.approx(categorical_entropy(_ROWS, _CLUSTERS, base=2), rel=1e-15)


def test_categorical_entropies_are_those_of_the_columns_in_each_cluster():
    rng = np.random.default_rng(0)
    X, labels = rng.integers(4, size=(60, 3)), rng.integers(3, size=60)
    found = categorical_entropies(X, labels)
    for cluster, value in found.items():
        parts = [clustering_entropy(column) for column in X[labels == cluster].T]
        assert value == pytest.approx(sum(parts), rel=1e-14)


def test_categorical_entropy_does_not_depend_on_the_order_of_columns():
    rng = np.random.default_rng(0)
    X, labels = rng.integers(4, size=(60, 9)), rng.integers(3, size=60)
    assert categorical_entropy(X, labels) == categorical_entropy(X[:, ::-1], labels)


def test_categorical_entropy_keeps_values_of_several_types_apart():
    assert categorical_entropy([[1, "x"], ["1", "x"]], [0, 0], base=2) == 1.0


@pytest.mark.parametrize(("n_draws", "error"), [(400, 0.5), slow(4000, 0.2)])
def test_moments_of_mutual_information_are_those_of_shuffled_labels(n_draws, error):
    labels_true, labels_pred = np.repeat([0, 1, 2], [9, 6, 5]), np.repeat([0, 1], [12, 8])
    rng = np.random.default_rng(0)
    for q in (1.0, 2.0):
        draws = [
            mutual_info_score(labels_true, rng.permutation(labels_pred), q=q)
            for _ in range(n_draws)
        ]
        mean = expected_mutual_info(labels_true, labels_pred, q=q)
        variance = mutual_info_variance(labels_true, labels_pred, q=q)
        assert np.mean(draws) == pytest.approx(mean, abs=5 * np.sqrt(variance / n_draws))
        assert np.var(draws) == pytest.approx(variance, rel=error)


def test_limit_of_the_mean_of_many_objects():
    limit = expected_mutual_info([0, 0, 1, 1], [0, 1, 1, 1], q=2, method="limit")
    assert limit == pytest.approx(clustering_entropy([0, 0, 1, 1], q=2) * 0.375)


@pytest.mark.parametrize(
    ("written", "meant", "mean"),
    [
        ("sqrt", "geometric", lambda a, b: (a * b) ** 0.5),
        ("sum", "arithmetic", lambda a, b: (a + b) / 2),
    ],
)
def test_means_by_the_names_of_papers(written, meant, mean):
    u, v = [0, 0, 1, 1, 2, 2, 2], [0, 1, 1, 1, 2, 0, 2]
    information = sklearn.metrics.mutual_info_score(u, v)
    expected = information / mean(*(sklearn.metrics.mutual_info_score(w, w) for w in (u, v)))
    value = sklearn_clustcompare.normalized_mutual_info_score(u, v, average_method=meant)
    assert value == pytest.approx(expected, rel=1e-12)
    for name in ("normalized_mutual_info_score", "adjusted_mutual_info_score"):
        with pytest.raises(ValueError, match=f"got '{written}'; did you mean '{meant}'"):
            getattr(sklearn_clustcompare.metrics, name)(u, v, average_method=written)
