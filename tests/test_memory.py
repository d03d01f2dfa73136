"""Results as large as the square of the input are refused before they fill the memory."""

import gc
import sys
import tracemalloc
import warnings
from unittest.mock import patch

import numpy as np
import pytest
from scipy.cluster.hierarchy import linkage
from sklearn import config_context
from sklearn.cluster import AgglomerativeClustering, KMeans

from sklearn_clustcompare import (
    Cover,
    bcubed_precision_score,
    choose_n_clusters,
    co_association_matrix,
    element_centric_similarity_score,
    omega_score,
    pairwise_scores,
)
from sklearn_clustcompare._memory import require_memory, warn_if_long
from sklearn_clustcompare.consensus import _co_association
from sklearn_clustcompare.hierarchies import bakers_gamma, cophenetic_correlation
from sklearn_clustcompare.metrics import dunn_score, partition_coefficient, partition_entropy
from tests._examples import slow

PARTITIONS = [*np.arange(600).reshape(200, 3) % 2]
COARSE = [np.arange(100) // 50, np.arange(100)]
ONE = [np.zeros(90), np.arange(90)]  # whose matrix is full
TREE = linkage(np.random.default_rng(0).random((100, 2)))
CALLS = {
    "pairs of partitions": lambda: pairwise_scores(PARTITIONS, index="rand_score"),
    "co-association matrix of 100 cells": lambda: co_association_matrix(COARSE),
    "co-association matrix of 90 cells": lambda: co_association_matrix(ONE),
    "all pairs of 100 objects": lambda: cophenetic_correlation(TREE, TREE),
    "pairs of 100 objects": lambda: bakers_gamma(TREE, TREE),
}


@pytest.mark.slow
@pytest.mark.parametrize("what", CALLS)
def test_size_and_way_out_are_named_beforehand(what):
    CALLS[what]()
    with (
        config_context(working_memory=0.001),
        pytest.raises(MemoryError, match=rf"{what} needs about .* GB, more than .* working_memory"),
    ):
        CALLS[what]()


def test_the_limit_is_eight_times_the_working_memory():
    with config_context(working_memory=2):
        require_memory("it", 8 * 2 * 2**20, "nothing")
        with pytest.raises(MemoryError, match="^it needs about 0.0168 GB.*: nothing, or raise it"):
            require_memory("it", 8 * 2 * 2**20 + 1, "nothing")


# Of each function that is guarded, sizes at which the result is larger than all that does not grow.
RNG = np.random.default_rng(0)
TREES = [linkage(RNG.normal(size=(400, 3)), method) for method in ("single", "average")]
FEW, MANY = RNG.integers(0, 3, (20, 1500)), RNG.integers(0, 40, (5, 1500))
GONE = RNG.random(1500) < 0.1
FOUND = co_association_matrix(FEW[:, :600])
CLOUDS = np.vstack([RNG.normal(size=(150, 2)) + 9 * place for place in range(3)])


def in_small_blocks():
    with patch.object(_co_association, "_ENTRIES_SAMPLED", 2**16):
        co_association_matrix(FEW)


def chosen(clusterer):
    return lambda: choose_n_clusters(
        clusterer, CLOUDS, param_range=[1, 2, 3], n_null=19, n_resamples=2
    )


GUARDED = {
    "cophenetic_correlation": lambda: cophenetic_correlation(*TREES),
    "bakers_gamma": lambda: bakers_gamma(*TREES),
    "Spearman": lambda: bakers_gamma(*TREES, method="spearman"),
    "pairwise_scores": lambda: pairwise_scores(FEW[:, :100].T.copy(), index="rand_score"),
    "dense": lambda: co_association_matrix(FEW),
    "dense, in small blocks": in_small_blocks,
    "sparse": lambda: co_association_matrix(MANY),
    "dense, missing": lambda: co_association_matrix(np.where(GONE, np.nan, FEW), missing="drop"),
    "sparse, missing": lambda: co_association_matrix(
        np.where(np.roll(GONE, 1) & (np.arange(5)[:, None] < 2), np.nan, MANY), missing="drop"
    ),
    "expand": lambda: FOUND.expand(),
    "k-means": chosen(KMeans(n_init=1)),
    "linkage": chosen(AgglomerativeClustering()),
}
SLOW = ("k-means", "linkage")


@pytest.mark.thread_unsafe(reason="memory of the whole process is traced")
@pytest.mark.filterwarnings("ignore:partitions. an array has one partition per row")
@pytest.mark.parametrize("name", [slow(name) if name in SLOW else name for name in GUARDED])
def test_what_is_needed_is_estimated_within_a_third(name, monkeypatch):
    estimates = []

    def noted(what, n_bytes, instead):
        estimates.append(n_bytes)

    for module_name, module in list(sys.modules.items()):
        is_own = module_name.startswith("sklearn_clustcompare.")
        if is_own and getattr(module, "require_memory", None) is require_memory:
            monkeypatch.setattr(module, "require_memory", noted)
    GUARDED[name]()  # imports are not its own
    gc.collect()
    tracemalloc.start()
    try:
        GUARDED[name]()
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert 0.75 < max(estimates) / peak < 1.33


# --------------------------------------------------------------------------- long work

_OVERLAPPING = [
    Cover.from_sets([{0, 1, 2}, {2, 3}, {3, 4, 5}, set(range(shared))]) for shared in (2, 5)
]
# What takes long, the module of the rate that tells it, and the rate.
LONG = {
    "omega_score of covers, which visits .* pairs of objects in the same cluster,": (
        lambda: omega_score(*_OVERLAPPING),
        "_table.cover_pair._SECONDS_PER_PAIR",
    ),
    "bcubed_precision_score of covers, which visits .*": (
        lambda: bcubed_precision_score(*_OVERLAPPING),
        "_table.cover_pair._SECONDS_PER_PAIR",
    ),
    "element-centric similarity of covers, with 5 different objects and up to 4 linked .*": (
        lambda: element_centric_similarity_score(*_OVERLAPPING),
        "indices._covers._SECONDS_PER_PAIR",
    ),
    "element-centric similarity of covers, .* up to 4 linked clusters,": (
        lambda: element_centric_similarity_score(*_OVERLAPPING),
        "indices._covers._SECONDS_PER_PRODUCT",
    ),
    "the distances of all pairs of 6 objects": (
        lambda: dunn_score([[0], [1], [2], [5], [6], [7]], [0, 0, 0, 1, 1, 1]),
        "indices._internal._SECONDS_PER_DISTANCE",
    ),
}


@pytest.mark.parametrize("what", LONG)
def test_long_work_is_said_before_with_an_estimate_and_a_way_out(what, monkeypatch):
    call, rate = LONG[what]
    value = call()
    monkeypatch.setattr(f"sklearn_clustcompare.{rate}", 100.0)
    with pytest.warns(UserWarning, match=rf"^{what} may take about \d+ (s|min): .*\w"):
        assert call() == value


@pytest.mark.parametrize(("seconds", "text"), [(10, None), (11, "11 s"), (240, "4 min")])
def test_ten_seconds_are_not_long(seconds, text):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warn_if_long("it", seconds, "wait")
    assert [str(one.message) for one in caught] == [f"it may take about {text}: wait"][: bool(text)]


@pytest.mark.thread_unsafe(reason="memory of the whole process is traced")
@pytest.mark.parametrize("function", [partition_coefficient, partition_entropy])
def test_memberships_are_summed_in_blocks(function):
    memberships = np.full((20_000, 50), 1 / 50)
    memberships[::2] = np.eye(50)[0]
    tracemalloc.start()
    try:
        value = function(memberships)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    expected = {partition_coefficient: (1 + 1 / 50) / 2, partition_entropy: np.log(50) / 2}
    assert value == pytest.approx(expected[function], rel=1e-14)
    assert peak < memberships.nbytes / 2
