"""Chance candidates and bias of an index for a reference."""

import itertools
import math

import numpy as np
import pytest

from sklearn_clustcompare import ContingencyTable, get_index
from sklearn_clustcompare._tasks import UNDEFINED_IGNORED
from sklearn_clustcompare.candidates import reference_profile
from tests._examples import slow
from tests._laws import labels_of

# ------------------------------------------------------------------- means


@pytest.mark.parametrize(
    ("sizes", "share", "expected", "bias"),
    [
        ((90, 5, 5), 0.8131, (0.500, 0.343, 0.265, 0.226), "few"),
        ((34, 33, 33), 0.3267, (0.500, 0.587, 0.630, 0.652), "many"),
    ],
)
def test_rand_index_prefers_few_or_many(sizes, share, expected, bias):
    profile = reference_profile(labels_of(sizes), index="rand_score", n_clusters=(2, 4, 8, 16))
    assert sum(math.comb(size, 2) for size in sizes) / math.comb(100, 2) == pytest.approx(
        share, abs=5e-5
    )
    assert np.round(profile.expected, 3).tolist() == list(expected)
    assert not profile.standard_error.any()
    assert profile.bias == bias
    pair = reference_profile(labels_of(sizes), index="rand_score", n_clusters=(2, 4))
    assert pair.bias == bias


@pytest.mark.parametrize(
    "name",
    [
        "rand_score",
        "mirkin_distance",
        "adjusted_rand_score",
        "fowlkes_mallows_score",
        "mutual_info_score",
        "normalized_mutual_info_score",
        "bcubed_recall_score",
        "muc_precision_score",
    ],
)
@pytest.mark.parametrize(
    ("sizes", "n_clusters"), [((3, 2), 3), slow((3, 2, 2), 3), ((4, 1), 2), ((2, 1), 1)]
)
def test_exact_means_are_those_of_all_labels(name, sizes, n_clusters):
    index, truth = get_index(name), labels_of(sizes)
    with UNDEFINED_IGNORED:
        values = [
            index(ContingencyTable.from_labels(truth, labels))
            for labels in itertools.product(range(n_clusters), repeat=len(truth))
        ]
    profile = reference_profile(truth, index=name, n_clusters=n_clusters)
    assert profile.standard_error.tolist() == [0]
    assert profile.expected[0] == pytest.approx(math.fsum(values) / len(values), abs=1e-12)
    assert profile.bias is None


def test_estimated_means_are_near_those_of_all_labels(monkeypatch):
    truth = labels_of([4, 2])
    for name in ("purity_score", "normalized_mutual_info_score"):
        index = get_index(name)
        with UNDEFINED_IGNORED:
            values = [
                index(ContingencyTable.from_labels(truth, labels))
                for labels in itertools.product(range(3), repeat=6)
            ]
        monkeypatch.setattr("sklearn_clustcompare.candidates._curve._MOST_SIZES", 1)
        profile = reference_profile(truth, index=name, n_clusters=3, n_resamples=200)
        again = reference_profile(truth, index=name, n_clusters=3, n_resamples=200)
        error = profile.standard_error[0]
        assert 0 < error < 0.02
        assert profile.to_frame()["standard_error"].tolist() == [error]
        assert abs(profile.expected[0] - np.mean(values)) < 4 * error
        assert profile.expected[0] == again.expected[0]


def test_bias_is_that_of_the_index_or_of_the_reference():
    truth = labels_of([12, 9, 9])
    purity = reference_profile(truth, index="purity_score", n_resamples=50)
    assert purity.bias == get_index("purity_score").bias == "many"
    assert purity.n_clusters.tolist() == [2, 4, 8]
    # Steps that are clear beside one that is not.
    for name, bias in (("purity_score", "many"), ("inverse_purity_score", "few")):
        some = reference_profile(truth, index=name, n_clusters=[2, 12, 13], n_resamples=20)
        assert np.abs(np.diff(some.expected)[1]) < 0.05 < np.abs(np.diff(some.expected)[0])
        assert some.bias == get_index(name).bias == bias
    # Powers of two up to four times the number of clusters.
    seven = reference_profile(labels_of([5] * 7), index="adjusted_rand_score")
    assert seven.n_clusters.tolist() == [2, 4, 8, 16]
    adjusted = reference_profile(truth, index="adjusted_rand_score")
    assert adjusted.bias == get_index("adjusted_rand_score").bias == "neutral"
    distance = reference_profile(truth, index="mirkin_distance", n_clusters=range(2, 5))
    assert distance.bias == "many"
    assert (np.diff(distance.expected) < 0).all()


@pytest.mark.parametrize("index", ["rand_score", "purity_score", "mutual_info_score"])
def test_the_only_partition_of_one_object(index):
    profile = reference_profile([0], index=index)
    value = get_index(index)(ContingencyTable.from_labels([0], [0]))
    assert profile.expected.tolist() == [value]
    assert profile.standard_error.tolist() == [0]
