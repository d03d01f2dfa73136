"""Prediction strength: its definition by brute force, and printed values."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.cluster import HDBSCAN, KMeans
from sklearn.datasets import load_iris, load_wine
from sklearn.preprocessing import StandardScaler

from sklearn_clustcompare import prediction_strength
from sklearn_clustcompare.results import PredictionStrength
from sklearn_clustcompare.without_reference._stability import lowest_share
from tests.without_reference._stability_data import Quantiles, five_blobs

_LABELS = st.lists(st.tuples(st.integers(-1, 3), st.integers(-1, 3)), min_size=1, max_size=12)


@given(_LABELS)
def test_lowest_share_of_pairs_by_brute_force(pairs):
    own, other = np.array(pairs).T
    shares = []
    for cluster in set(own.tolist()) - {-1}:
        members = np.flatnonzero(own == cluster).tolist()
        kept = [
            other[i] == other[j] and other[i] != -1 for i, j in itertools.combinations(members, 2)
        ]
        shares.append(np.mean(kept) if kept else 1.0)
    expected = min(shares) if len(shares) > 1 else 0.0
    assert lowest_share(own, other, (-1,)) == pytest.approx(expected, abs=1e-12)


def test_sizes_of_clusters_instead_of_their_number():
    result = prediction_strength(HDBSCAN(copy=True), five_blobs(), [4, 6, 20], n_resamples=2)
    assert result.param_name == "min_cluster_size"
    assert result.values[2].tolist() == [0.0, 0.0]
    assert result.choose(0.0) == 4
    assert result.choose(1.0) is None
    assert result.to_frame().index.name == "min_cluster_size"


class _Halves(Quantiles):
    seen = []

    def fit(self, X, y=None):
        self.seen.append(np.asarray(X))
        return super().fit(X)


@pytest.mark.thread_unsafe(reason="threads of a test share its recorder")
def test_both_directions_of_each_split_are_averaged():
    X = np.random.default_rng(0).normal(size=(31, 2))
    _Halves.seen.clear()
    result = prediction_strength(_Halves(), X, param_range=[3], n_resamples=4)
    for number in range(4):
        halves = _Halves.seen[2 * number : 2 * number + 2]
        assert sorted(np.concatenate(halves)[:, 0]) == sorted(X[:, 0])
        models = [Quantiles(3).fit(half) for half in halves]
        shares = [
            lowest_share(models[one].labels_, models[1 - one].predict(halves[one]), (-1,))
            for one in (0, 1)
        ]
        assert result.values[0, number] == pytest.approx(np.mean(shares), abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "expected", "chosen"),
    [
        ("square", [0.605, 0.758, 0.537], 1),
        ("iris", [0.972, 0.706, 0.579], 2),
        ("wine", [0.648, 0.829, 0.473], 3),
    ],
)
def test_values_of_known_data(name, expected, chosen):
    data = {
        "square": lambda: np.random.default_rng(0).random((150, 2)),
        "iris": lambda: load_iris(return_X_y=True)[0],
        "wine": lambda: StandardScaler().fit_transform(load_wine().data),
    }[name]()
    result = prediction_strength(KMeans(n_init=2), data, param_range=[1, 2, 3, 4], n_resamples=25)
    assert result.values[0].tolist() == [1.0] * 25
    assert result.choose() == chosen
    if name != "square":  # there are many squares
        errors = np.sqrt(2 / 25) * result.values[1:].std(axis=1, ddof=1)
        assert (np.abs(result.mean[1:] - expected) < 4 * errors).all()


def test_the_largest_above_the_threshold_is_chosen():
    values = np.array([[0.9, 0.9], [0.7, 0.9], [0.85, 0.81], [0.8, 0.8]])
    result = PredictionStrength(np.array([2, 3, 4, 5]), values, np.zeros(4, int))
    assert (result.choose(), result.choose(0.85), result.choose(0.95)) == (4, 2, 1)
    assert result.choose(0.0) == 5
    with pytest.raises(ValueError, match=r"^threshold must lie in \[0, 1\], got 2"):
        result.choose(2)
    frame = result.to_frame()
    assert frame.loc[3].tolist() == pytest.approx([0.8, np.std([0.7, 0.9], ddof=1), 0.0])
    assert "chosen by threshold=0.8: 4; by 0.9: 1" in repr(result)
    assert "<table" in result._repr_html_()


@pytest.mark.parametrize(("n_objects", "last"), [(2, 1), (4, 2), (11, 5), (15, 7), (20, 10)])
def test_without_a_range_no_number_is_tried_that_no_half_allows(n_objects, last):
    X = np.random.default_rng(0).normal(size=(n_objects, 2))
    found = prediction_strength(KMeans(n_init=1), X, n_resamples=3)
    assert found.param_range.tolist() == list(range(1, last + 1))
    assert len(found.values) == len(found.n_skipped) == last
    with pytest.raises(ValueError, match="^X must hold two objects or more, got n_samples=1"):
        prediction_strength(KMeans(), X[:1])


@pytest.mark.slow
def test_halves_with_too_few_objects_are_skipped_or_refused():
    rows = np.repeat(np.arange(4.0), 2)[:, np.newaxis]
    with pytest.warns(UserWarning, match="of 30 splits for n_clusters=4 were skipped"):
        result = prediction_strength(KMeans(), rows, param_range=[1, 3, 4], n_resamples=30)
    assert result.n_skipped[0] == 0 < result.n_skipped[1] < result.n_skipped[2] < 30
    with pytest.raises(ValueError, match="^X must allow at least one of the splits for .*=6"):
        prediction_strength(KMeans(), rows, param_range=[6], n_resamples=3)
