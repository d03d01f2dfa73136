"""The script that compares gamma p-values with simulated ones: what it draws, and what it asks."""

import numpy as np
import pytest
from scipy.stats import entropy, hypergeom

from benchmarks.gamma_pvalues import ORDERS, _p_values, cluster_sizes, distances, sums


@pytest.mark.parametrize("shape", ["balanced", "skewed"])
def test_cluster_sizes(shape):
    for n_samples, n_clusters in ((50, 2), (50, 10), (1000, 7)):
        sizes = cluster_sizes(n_samples, n_clusters, shape)
        assert (sizes.sum(), len(sizes)) == (n_samples, n_clusters)
        assert sizes.min() >= 1
        assert (np.ptp(sizes) <= 1) == (shape == "balanced")


def test_sums_are_minus_the_joint_entropy():
    tables = np.random.default_rng(0).integers(6, size=(5, 3, 4))
    tables[:, 0, 0] += 60 - tables.sum(axis=(1, 2))
    for q in ORDERS:
        shares = tables.reshape(5, -1) / 60
        powers = (shares**q).sum(axis=1)
        joint = entropy(shares, axis=1) if q == 1 else (1 - powers) / (q - 1)
        np.testing.assert_allclose(sums(tables, q), -joint, rtol=1e-12)


def test_gamma_law_is_asked_where_another_method_would_be_chosen():
    # Two halves against two halves: exact p-values are at hand, and the gamma law errs.
    law = hypergeom(50, 25, 25)
    overlaps = law.rvs(size=5000, random_state=0)
    tables = np.array([[[x, 25 - x], [25 - x, x]] for x in overlaps])
    position = int(np.flatnonzero(overlaps == 16)[0])
    gamma, simulated = _p_values(tables[position], 1, sums(tables, 1), position)
    assert gamma < 0.05
    assert simulated == pytest.approx(2 * law.sf(15), abs=0.02)
    assert simulated > 0.08


def test_distances_are_small_for_many_objects():
    for distance in distances(cluster_sizes(1000, 5, "balanced"), 2000):
        assert 0 < distance.bulk < 0.03  # three errors of a share of 2000 tables
        assert len(distance.tails) == 2
