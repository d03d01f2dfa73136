"""Many partitions: all pairs of them, and all against one reference.

Run ``python benchmarks/bench_candidates.py [--quick]`` for one table, or through asv.
"""

from __future__ import annotations

import os
import resource
import sys
import time
from collections.abc import Iterable
from functools import lru_cache, partial
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from joblib import Parallel, delayed, parallel_config
from joblib.externals.loky import get_reusable_executor
from numpy.typing import NDArray
from sklearn import metrics

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks._harness import OURS, AtMost, Faster, Target, main, optional
from sklearn_clustcompare import pairwise_scores, score_candidates

genieclust = optional("genieclust.compare_partitions")

GENIECLUST, SKLEARN = "genieclust", "scikit-learn"


class Partitions(NamedTuple):
    """Independent random partitions, and how many of them a slow peer gets."""

    n_partitions: int
    n_samples: int
    n_clusters: int
    few: int


CASES = {
    "200 x 1e4 k=20": Partitions(200, 10**4, 20, 20),
    "200 x 1e4 k=5": Partitions(200, 10**4, 5, 20),
    "200 x 1e5 k=20": Partitions(200, 10**5, 20, 20),
    "500 x 1e5 k=20": Partitions(500, 10**5, 20, 20),
    "1000 x 1e5 k=20": Partitions(1000, 10**5, 20, 10),
}


@lru_cache(maxsize=1)
def make_partitions(case: str) -> NDArray[np.int64]:
    n_partitions, n_samples, n_clusters, _ = CASES[case]
    return np.random.default_rng(0).integers(0, n_clusters, (n_partitions, n_samples))


def seconds(function: Any, repeats: int = 3) -> float:
    """Return the shortest time of a call."""
    best = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        function()
        best = min(best, time.perf_counter() - start)
    return best


def loop(function: Any, pairs: Iterable[tuple[Any, Any]]) -> None:
    for first, second in pairs:
        function(first, second)


class AllPairs:
    """The adjusted Rand index of all pairs in one process, in seconds per pair.

    The peers' loop over pairs is measured on fewer partitions where it takes long: its time per
    pair does not depend on their number.
    """

    param_names = ("case", "peer")
    params = (["200 x 1e4 k=20", "200 x 1e4 k=5", "200 x 1e5 k=20"], [OURS, GENIECLUST, SKLEARN])
    quick = frozenset(params[0][:2])
    targets: dict[str, tuple[Target, ...]] = {
        "200 x 1e4 k=20": (Faster(SKLEARN, 60), Faster(GENIECLUST, 3)),
        "200 x 1e4 k=5": (Faster(SKLEARN, 60), Faster(GENIECLUST, 3)),
        "200 x 1e5 k=20": (Faster(SKLEARN, 60), Faster(GENIECLUST, 4)),
    }

    def setup(self, case: str, peer: str) -> None:
        if peer == GENIECLUST and genieclust is None:
            raise NotImplementedError
        self.partitions = make_partitions(case)

    def track_all_pairs(self, case: str, peer: str) -> float:
        if peer == OURS:
            n_pairs = len(self.partitions) * (len(self.partitions) - 1) / 2
            function = partial(pairwise_scores, self.partitions, index="adjusted_rand_score")
            return seconds(function) / n_pairs
        few = self.partitions[: CASES[case].few if peer == SKLEARN else 60]
        pairs = list(combinations(few, 2))
        module = metrics if peer == SKLEARN else genieclust
        return seconds(lambda: loop(module.adjusted_rand_score, pairs)) / len(pairs)

    track_all_pairs.unit = "s"  # type: ignore[attr-defined]


def _peak_memory() -> float:
    """Return the most memory in MB that this process ever held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


def _worker_peak() -> tuple[int, float]:
    time.sleep(0.3)
    return os.getpid(), _peak_memory()


class TwoJobsMemory:
    """Peak memory of two workers and the caller above the partitions themselves.

    Of each process what it held before the call is subtracted, which is mostly libraries.
    """

    param_names = ("case", "peer")
    n_processors = 2
    params = (["500 x 1e5 k=20"], [OURS])  # long enough for processes
    quick: frozenset[str] = frozenset()
    targets: dict[str, tuple[Target, ...]] = {"500 x 1e5 k=20": (AtMost(300, "MB"),)}

    def setup(self, case: str, peer: str) -> None:
        self.partitions = make_partitions(case)

    def track_two_jobs_memory(self, case: str, peer: str) -> float:
        # Workers of an earlier case have had their peak before.
        get_reusable_executor().shutdown(wait=True)
        with parallel_config("loky", n_jobs=2):
            pairwise_scores(self.partitions[:, :10], index="adjusted_rand_score")
            before = dict(Parallel()(delayed(_worker_peak)() for _ in range(4)))
            own = _peak_memory()
            pairwise_scores(self.partitions, index="adjusted_rand_score")
            after = dict(Parallel()(delayed(_worker_peak)() for _ in range(4)))
        workers = sum(peak - before.get(pid, 0.0) for pid, peak in after.items())
        return workers + _peak_memory() - own

    track_two_jobs_memory.unit = "MB"  # type: ignore[attr-defined]


INDICES = [
    "adjusted_rand_score",
    "normalized_mutual_info_score",
    "homogeneity_score",
    "completeness_score",
    "fowlkes_mallows_score",
]


class OneReference:
    """Five indices of each candidate against one reference, in seconds per candidate."""

    param_names = ("case", "peer")
    params = (["1000 x 1e5 k=20"], [OURS, SKLEARN])
    quick = frozenset(params[0])
    targets: dict[str, tuple[Target, ...]] = {"1000 x 1e5 k=20": (Faster(SKLEARN, 40),)}

    def setup(self, case: str, peer: str) -> None:
        self.partitions = make_partitions(case)

    def track_one_reference(self, case: str, peer: str) -> float:
        if peer == OURS:
            reference, *_ = self.partitions
            function = partial(score_candidates, reference, self.partitions, indices=INDICES)
            return seconds(function) / len(self.partitions)
        few = self.partitions[: CASES[case].few]
        pairs = [(few[0], candidate) for candidate in few]
        return seconds(lambda: [loop(getattr(metrics, name), pairs) for name in INDICES]) / len(few)

    track_one_reference.unit = "s"  # type: ignore[attr-defined]


if __name__ == "__main__":
    main([AllPairs, TwoJobsMemory, OneReference], __doc__)
