"""Stability of single clusters: the matching by brute force, printed values, readings."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.cluster import DBSCAN, KMeans

from sklearn_clustcompare import cluster_stability
from sklearn_clustcompare._partition import read_labels
from sklearn_clustcompare.results import ClusterStability
from sklearn_clustcompare.without_reference._stability import compare_with_resample
from tests.without_reference._stability_data import Middle, Quantiles, five_blobs

_PAIRS = st.lists(st.tuples(st.integers(-1, 3), st.integers(-1, 3)), min_size=1, max_size=15)


@given(_PAIRS)
def test_clusters_are_matched_by_brute_force(pairs):
    before, after = np.array(pairs).T
    whole = read_labels(np.append(before, [-1, 0, 1, 2, 3]), "labels").compact()[0]
    objects = np.arange(len(before))
    found = compare_with_resample(whole, after, objects, (-1,))
    for code, label in enumerate([-1, 0, 1, 2, 3]):
        own = set(np.flatnonzero(before == label).tolist())
        others = {
            other: set(np.flatnonzero(after == other).tolist())
            for other in set(after.tolist())
            if (other == -1) == (label == -1)
        }
        jaccard = {other: len(own & one) / len(own | one) for other, one in others.items()}
        if not own:
            assert np.isnan(found.jaccard[code])
            continue
        largest = max(jaccard.values(), default=0.0)
        assert found.jaccard[code] == pytest.approx(largest, abs=1e-15)
        # An object stays if it is in a cluster that is most like its own; of several in one.
        best = [others[other] for other in others if jaccard[other] == largest > 0]
        stays = set(objects[found.stays].tolist()) & own
        assert stays in [own & one for one in best] or (not best and not stays)


class _Samples(Quantiles):
    seen = []

    def fit(self, X, y=None):
        self.seen.append(np.asarray(X)[:, 0])
        return super().fit(X)


@pytest.mark.thread_unsafe(reason="threads of a test share its recorder")
def test_resamples_hold_each_object_once_and_are_compared_on_their_objects():
    _Samples.seen.clear()
    X = np.random.default_rng(0).normal(size=(50, 1))
    result = cluster_stability(_Samples(3), X, n_resamples=20)
    everything, *samples = _Samples.seen
    assert np.array_equal(everything, X[:, 0])
    assert np.mean([len(one) for one in samples]) == pytest.approx(50 * (1 - 1 / np.e), rel=0.06)
    labels = Quantiles(3).fit(X).labels_
    n_drawn, n_stays = np.zeros(50), np.zeros(50)
    for number, sample in enumerate(samples):
        assert len(set(sample)) == len(sample)
        objects = np.flatnonzero(np.isin(X[:, 0], sample))
        found = np.searchsorted(Quantiles(3).fit(sample[:, np.newaxis]).cuts_, X[objects, 0])
        n_drawn[objects] += 1
        for cluster in range(3):
            own = objects[labels[objects] == cluster]
            jaccard = [
                len(np.intersect1d(own, objects[found == other]))
                / len(np.union1d(own, objects[found == other]))
                for other in range(3)
            ]
            assert result.jaccard[number, cluster] == pytest.approx(max(jaccard), abs=1e-12)
            n_stays[np.intersect1d(own, objects[found == np.argmax(jaccard)])] += 1
    assert result.object_stability == pytest.approx(n_stays / n_drawn, abs=1e-12)
    assert result.sizes.tolist() == np.bincount(labels).tolist()
    assert result.labels.tolist() == labels.tolist()


def test_noise_is_matched_with_noise_only():
    x = np.concatenate([np.linspace(-1, -0.5, 20), np.linspace(0.5, 1, 20), [5.0, 6.0, 7.0]])
    result = cluster_stability(Middle(2.0), x[:, np.newaxis], n_resamples=30)
    assert result.clusters.tolist() == [-1, 0, 1]
    assert result.is_noise.tolist() == [True, False, False]
    assert (result.jaccard[~np.isnan(result.jaccard)] == 1.0).all()
    assert "-1 (noise)" in repr(result)

    class _Forgets(Middle):
        def fit(self, X, y=None):
            super().fit(X)
            if len(X) < len(x):
                self.labels_ = np.where(self.labels_ == -1, 1, self.labels_)
            return self

    result = cluster_stability(_Forgets(2.0), x[:, np.newaxis], n_resamples=30)
    assert np.nanmax(result.jaccard[:, 0]) == 0.0
    assert result.readings[0] == "dissolved"
    assert np.nansum(result.object_stability[-3:]) == 0.0
    found = cluster_stability(
        DBSCAN(eps=0.9), five_blobs(), resampling="subsample", sample_size=0.9, n_resamples=5
    )
    assert (found.mean[~found.is_noise] > 0.9).all()


def test_counts_and_readings():
    jaccard = np.array([[0.5, 0.76, 0.9, np.nan], [0.75, 1.0, 0.8, 0.6], [0.4, 0.6, 0.85, 0.6]])
    result = ClusterStability(
        labels=np.array([0, 1, 2, 3]),
        clusters=np.array(list("abcd")),
        sizes=np.ones(4, int),
        jaccard=jaccard,
        object_stability=np.ones(4),
        n_skipped=0,
        is_noise=np.zeros(4, bool),
    )
    assert result.mean == pytest.approx([0.55, 0.7866666, 0.85, 0.6], abs=1e-6)
    assert result.dissolved.tolist() == [2, 0, 0, 0]
    assert result.recovered.tolist() == [0, 2, 3, 0]
    assert result.readings == ["dissolved", "valid", "highly stable", "doubtful"]
    frame = result.to_frame()
    assert isinstance(frame, pd.DataFrame)
    assert frame.loc["b", "recovered"] == 2
    assert "highly stable" in repr(result)
    assert "<table" in result._repr_html_()


def test_samples_with_too_few_objects_are_skipped_or_refused():
    rows = np.repeat(np.arange(4.0), 2)[:, np.newaxis]
    with pytest.warns(UserWarning, match=r"\d+ of 40 samples were skipped"):
        result = cluster_stability(KMeans(4), rows, n_resamples=40)
    assert 0 < result.n_skipped < 40
    assert np.isnan(result.jaccard).all(axis=1).sum() == result.n_skipped
    with pytest.raises(ValueError, match="^X must allow at least one of the samples.* n_samples=8"):
        cluster_stability(KMeans(4), rows, n_resamples=5, sample_size=3)
