"""Many partitions, kept in the smallest integers that hold their codes."""

import math
from fractions import Fraction

import numpy as np
import pytest

from sklearn_clustcompare import pairwise_scores, score_candidates
from sklearn_clustcompare.consensus import medoid_partition
from tests._examples import slow

# Numbers of clusters and smallest labels around the ends of the types of integers.
BOUNDARIES = [
    *((n_clusters, low) for n_clusters in (127, 128, 129, 255, 256, 257) for low in (0, -1, -128)),
    *((n_clusters, -129) for n_clusters in (256, 257, 258)),
    *((n_clusters, low) for n_clusters in (32_767, 32_768, 32_769) for low in (-1, -32_768)),
    *((n_clusters, low) for n_clusters in (65_535, 65_536, 65_537) for low in (0, -1, -32_769)),
]


@pytest.mark.parametrize(("n_clusters", "low"), BOUNDARIES)
def test_no_cluster_is_lost_in_small_integers(n_clusters, low):
    check_scores(np.arange(low, low + n_clusters))


@pytest.mark.parametrize("n_clusters", [255, 256, 257, slow(65_535), slow(65_536), slow(65_537)])
def test_no_cluster_of_names_is_lost_in_small_integers(n_clusters):
    check_scores(np.array([f"{number:05d}" for number in range(n_clusters)]))


def check_scores(names):
    """Score clusters of two objects each, and the same with the last joined to the first."""
    n_clusters = len(names)
    labels, joined = np.tile(names, 2), np.tile(np.append(names[:-1], names[0]), 2)
    # Two pairs became six; all pairs of the first partition are together in the other.
    n_pairs, n_joined = n_clusters, n_clusters + 4
    mean = Fraction(n_pairs * n_joined, math.comb(2 * n_clusters, 2))
    adjusted = (n_pairs - mean) / (Fraction(n_pairs + n_joined, 2) - mean)
    expected = pytest.approx(float(adjusted), rel=1e-14)
    index = "adjusted_rand_score"
    result = score_candidates(labels, [labels, joined], indices=index)
    assert result.n_clusters.tolist() == [n_clusters, n_clusters - 1]
    assert result.scores[index].tolist() == [1.0, expected]
    result = score_candidates(joined, [labels, joined], indices=index)
    assert result.scores[index].tolist() == [expected, 1.0]
    assert pairwise_scores([labels, joined], index=index).values.tolist() == [
        [1.0, expected],
        [expected, 1.0],
    ]


def test_an_array_with_objects_in_its_rows():
    rng = np.random.default_rng(0)
    objects_first = rng.integers(3, size=(20, 2))
    with pytest.raises(ValueError, match=r"^candidates: .* \(20, 2\): is it transposed"):
        score_candidates([0, 1] * 10, objects_first, indices="rand_score")
    assert len(score_candidates([0, 1] * 10, objects_first.T, indices="rand_score").names) == 2
    with pytest.warns(UserWarning, match=r"^partitions: .* \(201, 2\): is it transposed"):
        medoid_partition(rng.integers(3, size=(201, 2)))
    medoid_partition(rng.integers(3, size=(200, 2)))
