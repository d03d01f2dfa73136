"""Groups of objects, such as donors: they stay together in samples, halves and bootstraps."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.cluster import KMeans

from sklearn_clustcompare.without_reference import (
    StabilitySearch,
    choose_n_clusters,
    cluster_stability,
    prediction_strength,
)
from sklearn_clustcompare.without_reference._resamples import read_groups, read_resampling

DONORS = np.repeat(list("fbadec"), 20)
# Each donor is a cluster of its own: none comes back in others.
X = np.random.default_rng(0).normal(size=(120, 2)) + 20 * np.repeat(
    [[0, 0], [0, 1], [1, 0], [1, 1], [2, 0], [2, 1]], 20, axis=0
)
K = KMeans(n_init=5)
VALUES = {
    "prediction_strength": lambda groups: (
        prediction_strength(K, X, [6], n_resamples=6, groups=groups).mean
    ),
    "cluster_stability": lambda groups: (
        cluster_stability(
            KMeans(6, n_init=5),
            X,
            n_resamples=6,
            resampling="subsample",
            sample_size=0.5,
            groups=groups,
        ).jaccard
    ),
    "StabilitySearch": lambda groups: (
        StabilitySearch(K, {"n_clusters": [6]}, resampling="split", n_resamples=6, random_state=0)
        .fit(X, groups=groups)
        .result_.values
    ),
}


@given(st.lists(st.integers(0, 7), min_size=2, max_size=40), st.integers(0, 2**32 - 1))
def test_a_group_is_drawn_as_a_whole(groups, seed):
    groups = np.array(groups)
    if len(set(groups.tolist())) < 2:
        return
    rows, sizes = np.arange(len(groups))[:, np.newaxis], np.bincount(groups)
    for scheme in ("bootstrap", "subsample", "split"):
        codes = read_groups(groups, rows, len(groups))
        drawing = read_resampling(scheme, None, len(groups), codes=codes)
        samples = drawing.draw(rows, 2, seed)
        for sample in samples:
            assert np.array_equal(sample.X[:, 0], sample.positions)
            times = np.bincount(sample.positions, minlength=len(groups))
            for group in np.flatnonzero(sizes):
                assert len(set(times[groups == group].tolist())) == 1
            if scheme != "bootstrap":
                assert times.max() == 1
        if scheme == "split":
            assert sorted(np.concatenate([half.positions for half in samples])) == list(
                range(len(groups))
            )
            assert all(len(half.positions) for half in samples)
            # A cut between two groups is at most half a group from the middle.
            first, second = (len(half.positions) for half in samples)
            assert abs(first - second) <= sizes.max() + 1
            parts = drawing.draw(rows, len(set(groups.tolist())), seed)
            assert all(len(set(groups[one.positions].tolist())) == 1 for one in parts)


def test_as_large_a_share_of_the_groups_is_drawn():
    for scheme, size, n_groups in [
        ("subsample", 0.5, 3),
        ("bootstrap", 60, 3),
        ("subsample", 1, 1),
    ]:
        codes = read_groups(DONORS, X, 120)
        (sample,) = read_resampling(scheme, size, 120, codes=codes).draw(X, 1, 0)
        assert len(sample.positions) == 20 * n_groups


@pytest.mark.slow
def test_groups_of_one_object_are_objects():
    assert read_groups(None, None, 5) is None
    np.testing.assert_array_equal(read_groups(["b", "a", "b"], None, 3), [1, 0, 1])
    alone = np.arange(120)
    for name, found in VALUES.items():
        if name != "cluster_stability":  # draws positions of the same objects
            np.testing.assert_array_equal(found(alone), found(None))
    for n_parts in (2, 3, 7):
        parts = read_resampling("split", None, 120, codes=alone).draw(X, n_parts, 1)
        plain = read_resampling("split", None, 120).draw(X, n_parts, 1)
        for one, other in zip(parts, plain, strict=True):
            np.testing.assert_array_equal(one.positions, other.positions)


@pytest.mark.slow
@pytest.mark.parametrize("name", VALUES)
def test_clusters_of_single_donors_do_not_come_back(name):
    alone, together = (np.nanmean(VALUES[name](groups)) for groups in (None, DONORS))
    assert alone > 0.9
    if name == "cluster_stability":  # of a donor in the sample, its cluster is found again
        assert np.isnan(VALUES[name](DONORS)).any()
    else:
        assert together < 0.6


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        (DONORS[:-1], "must have a value for each of the 120 rows of X, got 119"),
        (np.ones(120), "must hold at least 2 different groups, got 1"),
        (X, ""),
        (pd.Series(DONORS).where(DONORS != "a"), ""),
    ],
)
def test_groups_that_are_none(groups, message):
    for found in VALUES.values():
        with pytest.raises((ValueError, TypeError), match=f"^groups {message}"):
            found(groups)


def test_far_objects_that_are_a_group_of_two_stay():
    data, donors = np.vstack([X[:40], [[900, 0], [900, 1]]]), [0] * 40 + [1] * 2
    assert choose_n_clusters(K, data, range(1, 4), groups=donors).n_clusters is not None


@pytest.mark.parametrize("resampling", ["jitter", "noise", lambda X, random_state: [0, 1]])
def test_groups_are_for_samples_of_the_objects(resampling):
    with pytest.raises(ValueError, match="^groups must be None unless resampling is 'bootstrap'"):
        cluster_stability(K, X, resampling=resampling, groups=DONORS)
