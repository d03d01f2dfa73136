"""Checks do not fail by chance, and fail where something is wrong; the script runs more seeds."""

import time

import pytest
from sklearn.cluster import KMeans

from benchmarks import flicker
from sklearn_clustcompare import check_clusterer

pytestmark = pytest.mark.usefixtures("one_thread")

SEEDS = range(1000, 1008)


@pytest.mark.slow
def test_floors_of_an_unchanged_clusterer_hold():
    assert [flicker.failing_floors(flicker.make_unchanged(), seed) for seed in SEEDS] == [[]] * 8


@pytest.mark.slow
def test_a_clusterer_made_worse_fails():
    assert all(flicker.failing_floors(flicker.make_worse(), seed) for seed in SEEDS)


@pytest.mark.slow
def test_a_baseline_tells_the_two_apart(tmp_path):
    baseline = flicker.accept_unchanged(tmp_path)
    for seed in SEEDS:
        assert not flicker.is_worse_than_accepted(baseline, flicker.make_unchanged(), seed)
        assert flicker.is_worse_than_accepted(baseline, flicker.make_worse(), seed)


@pytest.mark.slow
def test_no_check_of_kmeans_fails_with_another_seed():
    promises = ["means", "compact", "shift", "scale", "rotation"]
    for seed in range(100, 200):
        check_clusterer(KMeans(), promises=promises, random_state=seed)


@pytest.mark.slow
def test_all_checks_of_kmeans_take_less_than_ten_seconds():
    start = time.process_time()
    check_clusterer(KMeans(), promises=["means", "compact", "shift", "scale", "rotation"])
    assert time.process_time() - start < 10
