"""Calls that once cost more than one would think, each beside a yardstick of the same process.

Run ``python benchmarks/bench_costs.py [--quick]`` for one table, or through asv. A target of
``yardstick 0.02`` allows a call to take fifty times as long as its yardstick. Integers far apart,
sparse memberships and two jobs are in the files of labels, of soft partitions and of jobs.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.metrics import silhouette_score

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks._harness import OURS, Faster, Target, main
from sklearn_clustcompare import (
    Cover,
    adjusted_rand_score,
    consensus_partition,
    element_centric_similarity_score,
    omega_score,
    paired_comparison_test,
    pairwise_scores,
    permutation_test,
    score_candidates,
    score_interval,
)
from sklearn_clustcompare.metrics import dunn_score

YARDSTICK = "yardstick"
Call = Callable[[], Any]
Labels = NDArray[np.int64]


class Cost(NamedTuple):
    """Returns a call and its yardstick, and how many times as long the call may take."""

    calls: Callable[[], tuple[Call, Call]]
    most: float
    is_quick: bool = True


def _runs(n_runs: int, n_objects: int, n_clusters: int, kept: float) -> tuple[Labels, Labels]:
    """Return labels, and noisy copies of them, one a row."""
    rng = np.random.default_rng(0)
    y = rng.integers(n_clusters, size=n_objects)
    noise = rng.integers(n_clusters, size=(n_runs, n_objects))
    return y, np.where(rng.random(noise.shape) < kept, y, noise)


def pairs(n_objects: int) -> tuple[Call, Call]:
    """All pairs of 150 partitions, and counting their cells."""
    _, runs = _runs(150, n_objects, 10, 0.7)
    codes = runs.astype(np.uint16)

    def count() -> None:
        for first in range(len(codes)):
            for second in range(first):
                np.bincount(codes[first] * 10 + codes[second], minlength=100)

    return lambda: pairwise_scores(runs, index="ari"), count


def intervals(n_runs: int, n_objects: int, index: str = "ari") -> tuple[Call, Call]:
    """Scores of candidates with intervals, and without."""
    y, runs = _runs(n_runs, n_objects, 10, 0.7)
    return (
        lambda: score_candidates(y, runs, indices=index, confidence_level=0.95),
        lambda: score_candidates(y, runs, indices=index),
    )


def interval(n_objects: int) -> tuple[Call, Call]:
    """The interval of one score, and the score."""
    y, runs = _runs(1, n_objects, 20, 0.7)
    return (
        lambda: score_interval(y, runs[0], index="ari"),
        lambda: adjusted_rand_score(y, runs[0]),
    )


def difference(n_objects: int) -> tuple[Call, Call]:
    """The interval of the difference of two scores, and the scores."""
    y, runs = _runs(2, n_objects, 20, 0.7)
    return (
        lambda: paired_comparison_test(y, *runs, index="ari"),
        lambda: [adjusted_rand_score(y, run) for run in runs],
    )


def weak_ensemble(n_objects: int, factor: int) -> tuple[Call, Call]:
    """A consensus of runs that keep 40 % of the labels, and of parts of their objects."""
    _, runs = _runs(20, n_objects, 8, 0.4)
    small = runs[:, : n_objects // factor]

    def repeatedly() -> None:
        for _ in range(factor):
            consensus_partition(small, index="ari")

    return lambda: consensus_partition(runs, index="ari"), repeatedly


def small_ensemble() -> tuple[Call, Call]:
    """A consensus by an index of maxima, and by one of pairs."""
    _, runs = _runs(5, 30, 4, 0.7)
    return (
        lambda: consensus_partition(runs, index="purity_score"),
        lambda: consensus_partition(runs, index="ari"),
    )


def _covers(n_objects: int, n_clusters: int) -> tuple[list[Cover], list[Any]]:
    """Return two covers with every object in one to three clusters, a fifth of them moved."""
    rng = np.random.default_rng(0)
    objects = np.repeat(np.arange(n_objects), rng.integers(1, 4, n_objects))
    first = rng.integers(n_clusters, size=len(objects))
    second = np.where(rng.random(len(objects)) < 0.2, rng.permutation(first), first)
    ones = np.ones(len(objects), bool)
    sides = [
        sparse.csr_array((ones, (objects, codes)), (n_objects, n_clusters))
        for codes in (first, second)
    ]
    return [Cover.from_matrix(side) for side in sides], sides


def omega(n_objects: int, n_clusters: int) -> tuple[Call, Call]:
    """Pairs that share clusters, and the sparse products that count them."""
    covers, sides = _covers(n_objects, n_clusters)
    counts = [side.astype(np.int32) for side in sides]
    return lambda: omega_score(*covers), lambda: [side @ side.T for side in counts]


def walks(n_objects: int, n_clusters: int) -> tuple[Call, Call]:
    """Walks on two covers, and as many differences of distributions, in blocks."""
    covers, _ = _covers(n_objects, n_clusters)
    blocks = np.random.default_rng(0).random((2, 100, n_objects))
    weights = np.ones(n_objects)

    def compare() -> None:
        np.linalg.inv(blocks[0, 0, 0] + np.eye(n_clusters))
        for _ in range(0, n_objects, 100):
            np.abs(blocks[0] - blocks[1]) @ weights

    return lambda: element_centric_similarity_score(*covers), compare


def dunn(n_objects: int) -> tuple[Call, Call]:
    """Distances of all pairs, by ours and by scikit-learn's silhouette."""
    y = np.arange(n_objects) % 5
    X = np.random.default_rng(0).normal(size=(n_objects, 8)) + 3 * y[:, np.newaxis]
    return lambda: dunn_score(X, y), lambda: silhouette_score(X, y)


def drawn(n_objects: int, n_clusters: int, n_drawn: int) -> tuple[Call, Call]:
    """A permutation test by default, and the permutations to which its draws are limited."""
    y, runs = _runs(1, n_objects, n_clusters, 0.0)
    rng = np.random.default_rng(0)

    def permute() -> None:
        for _ in range(n_drawn):
            np.bincount(y * n_clusters + rng.permutation(runs[0]), minlength=n_clusters**2)

    return lambda: permutation_test(y, runs[0], index="purity_score"), permute


COSTS = {
    "pairs of 50": Cost(lambda: pairs(50), 1.0),
    "pairs of 2,000": Cost(lambda: pairs(2_000), 1.0),
    "intervals of 20 x 2,000": Cost(lambda: intervals(20, 2_000), 40),
    "intervals of 20 x 1e5": Cost(lambda: intervals(20, 10**5), 50),
    "intervals of 20 x 2,000, purity": Cost(lambda: intervals(20, 2_000, "purity_score"), 50),
    "interval of 2,000": Cost(lambda: interval(2_000), 50),
    "interval of a difference, 2,000": Cost(lambda: difference(2_000), 50),
    "consensus of 20 x 2,000, weak": Cost(lambda: weak_ensemble(2_000, 8), 1.2),
    "consensus of 20 x 16,000, weak": Cost(lambda: weak_ensemble(16_000, 8), 1.2, False),
    "consensus by purity of 5 x 30": Cost(small_ensemble, 2, False),
    "omega of 6,000 in 300": Cost(lambda: omega(6_000, 300), 8),
    "omega of 60,000 in 3,001": Cost(lambda: omega(60_000, 3_001), 8, False),
    "walks on 5,000 in 500": Cost(lambda: walks(5_000, 500), 4),
    "walks on 50,000 in 5,000": Cost(lambda: walks(50_000, 5_000), 4, False),
    "Dunn of 4,000": Cost(lambda: dunn(4_000), 4),
    "Dunn of 40,000": Cost(lambda: dunn(40_000), 4, False),
    "drawn purity of 1e5, 100 x 100": Cost(lambda: drawn(10**5, 100, 99), 3),
    "drawn purity of 1e6, 1,000 x 1,000": Cost(lambda: drawn(10**6, 1_000, 1_000), 1.5, False),
}


class Costs:
    """One row a cost."""

    param_names = ("case", "peer")
    params = (list(COSTS), [OURS, YARDSTICK])
    quick = frozenset(name for name, cost in COSTS.items() if cost.is_quick)
    targets: dict[str, tuple[Target, ...]] = {
        name: (Faster(YARDSTICK, 1 / cost.most),) for name, cost in COSTS.items()
    }

    def setup(self, case: str, peer: str) -> None:
        self.call = COSTS[case].calls()[peer == YARDSTICK]

    def time_costs(self, case: str, peer: str) -> None:
        self.call()


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main([Costs], __doc__ or "")
