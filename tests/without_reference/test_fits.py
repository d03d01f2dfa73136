"""k-means of many data sets gives the labels of scikit-learn's, from the same start."""

import warnings

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.datasets import make_blobs
from sklearn.exceptions import ConvergenceWarning
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sklearn_clustcompare import (
    _tasks,
    choose_n_clusters,
    cluster_significance,
    gap_statistic,
    structure_test,
)
from sklearn_clustcompare.without_reference._fits import (
    _LARGEST_SET,
    batched_kmeans,
    can_batch,
    cluster_many,
    lloyd,
    plus_plus,
)


def data_sets():
    """Sets of different sizes, with and without clusters."""
    rng = np.random.default_rng(0)
    blobs = [make_blobs(n, centers=4, random_state=n)[0] for n in (20, 31, 50)]
    return [*blobs, *(rng.normal(size=(n, 2)) * [5, 1] + 100 for n in (25, 50))]


@pytest.mark.parametrize("k", [1, 2, 5, 9])
@pytest.mark.parametrize("max_iter", [1, 3, 300])
@pytest.mark.filterwarnings("ignore:.*did not converge")
def test_labels_are_those_of_scikit_learn_from_the_same_start(k, max_iter):
    data = data_sets()
    n_found = 0
    for seed, one in enumerate(data):
        mean = one.mean(axis=0)
        X = (one - mean)[np.newaxis]
        starts = plus_plus(X, k, [np.random.default_rng(seed)])
        tolerance = 1e-4 * one.var(axis=0).mean(keepdims=True)
        (inertia,), (labels,), (centers,) = lloyd(X, starts, max_iter, tolerance)
        model = KMeans(k, init=starts[0] + mean, n_init=1, max_iter=max_iter).fit(one)
        if np.isnan(inertia):
            continue  # an empty cluster
        n_found += 1
        np.testing.assert_array_equal(labels, model.labels_)
        np.testing.assert_allclose(centers + mean, model.cluster_centers_)
        assert inertia == pytest.approx(model.inertia_)
    assert n_found >= 4


def test_the_first_start_has_the_law_of_k_means_plus_plus():
    # Three objects: the second center of one trial has probabilities by squared distances. Of two
    # trials the better one is kept, as in scikit-learn.
    X = np.array([[0.0], [1.0], [3.0]])
    n_draws = 4000
    many = np.repeat(X[np.newaxis], n_draws, axis=0)
    rngs = [np.random.default_rng(seed) for seed in range(n_draws)]
    drawn = plus_plus(many, 2, rngs)[..., 0]
    # Best partner of 0 is 3 (inertia 1, else 4), of 1 is 3 (1, else 4), of 3 is 0 (1) as 1 (1).
    for first, best, distances in ((0, 3, {1: 1, 3: 9}), (1, 3, {0: 1, 3: 4})):
        of_first = drawn[drawn[:, 0] == first]
        assert abs(len(of_first) / n_draws - 1 / 3) < 0.03
        missed = (1 - distances[best] / sum(distances.values())) ** 2
        assert np.mean(of_first[:, 1] == best) == pytest.approx(1 - missed, abs=0.03)


def test_the_best_of_several_starts_is_kept():
    X = make_blobs(60, centers=8, cluster_std=0.3, random_state=1)[0]
    seeds = range(12)
    inertias = {}
    for n_init in (1, 8):
        found = batched_kmeans(KMeans(8, n_init=n_init), [X] * 12, seeds)
        inertias[n_init] = [
            np.nan if one is None else ((X - one[1].centers[one[0]]) ** 2).sum() for one in found
        ]
    assert (np.array(inertias[8]) <= np.array(inertias[1]) + 1e-9).all()
    assert np.mean(inertias[8]) < np.mean(inertias[1])


def test_a_result_depends_on_its_own_data_and_seed_only():
    data = data_sets()
    together = batched_kmeans(KMeans(3), data, range(5))
    for number, X in enumerate(data):
        (alone,) = batched_kmeans(KMeans(3), [X], [number])
        np.testing.assert_array_equal(alone[0], together[number][0])
        np.testing.assert_array_equal(alone[1].predict(X), alone[0])


def test_a_set_with_too_few_distinct_objects_is_left_to_scikit_learn():
    X = np.repeat([[0.0, 0.0], [1.0, 1.0]], 5, axis=0)
    assert batched_kmeans(KMeans(3), [X], [0]) == [None]
    with pytest.warns(UserWarning, match="distinct clusters"):
        (found,) = cluster_many(KMeans(), {"n_clusters": 3}, [X], [0])
    assert len(np.unique(found.labels)) == 2


class Other(KMeans):
    """k-means of somebody else."""


@pytest.mark.parametrize(
    ("model", "n_samples", "expected"),
    [
        (KMeans(4), _LARGEST_SET // 4, True),
        (KMeans(4), _LARGEST_SET // 4 + 1, False),
        (KMeans(4), 3, False),
        (KMeans(4, init="random"), 20, False),
        (KMeans(2, init=np.zeros((2, 2)), n_init=1), 20, False),
        (KMeans(4, algorithm="elkan"), 20, False),
        (Other(4), 20, False),
    ],
)
def test_only_plain_k_means_of_small_data_is_batched(model, n_samples, expected):
    X = np.random.default_rng(0).normal(size=(n_samples, 2))
    assert can_batch(model, X) == expected
    assert not can_batch(model, X.astype(np.float32))
    assert not can_batch(model, X.tolist())


X = make_blobs(60, centers=3, random_state=2)[0]
CALLS = {
    "number": lambda: choose_n_clusters(KMeans(n_init=1), X, [2, 3], null="pca", verbose=None),
    "one cluster": lambda: choose_n_clusters(KMeans(n_init=1), X[:20], [2], null="pca"),
    "gap": lambda: gap_statistic(KMeans(n_init=1), X, [1, 2], n_null=20),
    "structure": lambda: structure_test(
        KMeans(n_init=1), X, [2, 3], statistic="silhouette_score", n_null=20
    ),
    "significance": lambda: cluster_significance(KMeans(4, n_init=1), X, null="pca"),
}


@pytest.mark.slow
@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_call_is_estimated_once(call, monkeypatch, capsys):
    monkeypatch.setattr(_tasks, "_is_watched", lambda: True)
    monkeypatch.setattr(_tasks, "is_long", lambda _: True)
    monkeypatch.setattr(_tasks, "_SEEN", 0)
    call()
    assert capsys.readouterr().err.count("may take about") == 1


ONE = KMeans(n_init=1)
SCALED = make_pipeline(StandardScaler(), ONE)


@pytest.mark.parametrize(("scale", "estimator"), [(1e306, ONE), (1e160, ONE), (1e160, SCALED)])
def test_squares_beyond_the_floats_are_said_in_words_alone(scale, estimator):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        gap_statistic(estimator, X / np.abs(X).max() * scale, [1, 2], n_null=2)
    told = {one.category for one in caught}
    assert any("squares are beyond" in str(one.message) for one in caught)
    assert told <= {UserWarning, ConvergenceWarning}


def test_other_warnings_of_a_clusterer_are_shown_where_squares_are_beyond_the_floats():
    class OfItsOwn(KMeans):
        def fit_predict(self, X, y=None):
            warnings.warn("of its own", RuntimeWarning, stacklevel=1)
            return super().fit_predict(X)

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        gap_statistic(OfItsOwn(n_init=1), X / np.abs(X).max() * 1e160, [1, 2], n_null=2)
    told = [str(one.message) for one in caught if one.category is RuntimeWarning]
    assert [one.partition(" (")[0] for one in told] == ["of its own"]


def test_overflow_inside_of_a_clusterer_is_shown():
    class Overflowing(KMeans):
        def fit_predict(self, X, y=None):
            np.square(np.float64(1e300))
            return super().fit_predict(X)

    with pytest.warns(RuntimeWarning, match="overflow"):
        gap_statistic(Overflowing(n_init=1), X, [1, 2], n_null=2)
