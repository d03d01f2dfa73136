"""Two jobs against one, by each backend of joblib, from small calls to large ones.

Run ``python benchmarks/bench_jobs.py [--quick]`` for one table, or through asv. Two jobs may cost a
tenth and 1 ms more than one, wherever they are called, and must be 1.4 times as fast where there is
a second of work for each.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import nullcontext
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np
from joblib import parallel_config
from numpy.typing import NDArray

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks._harness import OURS, Faster, Target, main
from benchmarks.bench_engines import DASK, need, start_dask
from sklearn_clustcompare import pairwise_scores, permutation_test, score_candidates
from sklearn_clustcompare.indices import Index

ONE_JOB = "one job, and 1 ms"
_ALLOWED = 1e-3 / 1.1

# Number of partitions and of objects, in ten clusters.
SIZES = {
    "10 x 100": (10, 100),
    "300 x 2000": (300, 2000),
    "200 x 1e5": (200, 10**5),
    "60 x 1e6": (60, 10**6),
    "200 x 1e6": (200, 10**6),
}
_ARI = "adjusted_rand_score"
_NO_SLOWER = (Faster(ONE_JOB, 1 / 1.1),)
_FASTER = (Faster(ONE_JOB, 1.4),)


@lru_cache(maxsize=1)
def make_partitions(size: str) -> NDArray[np.int64]:
    """Return random partitions, one a row."""
    return np.random.default_rng(0).integers(10, size=SIZES[size])


def largest_overlap(table: Any) -> float:
    """An index of one's own, which processes count."""
    return float(table.cell_counts.max() / table.n_samples)


OWN = Index(
    name="largest_overlap",
    function=largest_overlap,
    greater_is_better=True,
    range=(0.0, 1.0),
    symmetric=True,
    source="made up",
)


def scores(partitions: NDArray[np.int64], n_jobs: int) -> None:
    score_candidates(partitions[0], partitions, indices=_ARI, n_jobs=n_jobs)


def scores_of_own(partitions: NDArray[np.int64], n_jobs: int) -> None:
    score_candidates(partitions[0], partitions, indices=OWN, n_jobs=n_jobs)


def pairs(partitions: NDArray[np.int64], n_jobs: int) -> None:
    pairwise_scores(partitions, index=_ARI, n_jobs=n_jobs)


def both_in_turns(partitions: NDArray[np.int64], n_jobs: int) -> None:
    scores(partitions, n_jobs)
    pairs(partitions[:60], n_jobs)
    scores(partitions, n_jobs)


def draws(partitions: NDArray[np.int64], n_jobs: int) -> None:
    permutation_test(
        *partitions[:2], index="purity_score", method="monte_carlo", n_resamples=999, n_jobs=n_jobs
    )


_FUNCTIONS: dict[str, Callable[[NDArray[np.int64], int], None]] = {
    "scores": scores,
    "own index": scores_of_own,
    "pairs": pairs,
    "in turns": both_in_turns,
    "draws": draws,
}
# A second of work for each job.
_LARGE = {("pairs", "200 x 1e5"), ("pairs", "60 x 1e6"), ("in turns", "60 x 1e6")}
_LONG = {("pairs", "200 x 1e6"), ("in turns", "200 x 1e6"), ("own index", "200 x 1e6")}
_OTHERS = ("threading", "loky", "dask")
_CASES = {
    f"{name} {size}": (name, size, None)
    for size in SIZES
    for name in _FUNCTIONS
    if (name, size) not in _LONG
} | {
    f"{name} {size} by {backend}": (name, size, backend)
    for backend in _OTHERS
    for size in ("10 x 100", "300 x 2000", "200 x 1e6")
    for name in ("scores", "pairs")
    if (name, size) not in _LONG
}


class TwoJobs:
    """Calls of the same process, in turns."""

    param_names = ("case", "peer")
    n_processors = 2
    params = (list(_CASES), [OURS, ONE_JOB])
    quick = frozenset(case for case, (_, size, _) in _CASES.items() if SIZES[size][1] < 10**5)
    targets: dict[str, tuple[Target, ...]] = {
        case: _FASTER if what[:2] in _LARGE else _NO_SLOWER for case, what in _CASES.items()
    }

    def setup(self, case: str, peer: str) -> None:
        name, size, self.backend = _CASES[case]
        if self.backend == "dask":
            need(DASK)
            start_dask()
        self.call = partial(_FUNCTIONS[name], make_partitions(size), 2 if peer == OURS else 1)
        self.allowed = 0.0 if peer == OURS else _ALLOWED

    def time_two_jobs(self, case: str, peer: str) -> None:
        with nullcontext() if self.backend is None else parallel_config(self.backend):
            self.call()
        time.sleep(self.allowed)


_FIRST = """
import time
from benchmarks import bench_jobs
partitions = bench_jobs.make_partitions({size!r})
start = time.perf_counter()
bench_jobs.{function}(partitions, {n_jobs})
print(time.perf_counter() - start)
"""
_FIRST_CASES = {
    f"{function.__name__} {size}": (function.__name__, size)
    for size in ("10 x 100", "300 x 2000", "60 x 1e6")
    for function in (scores, both_in_turns)
}


class FirstCall:
    """The first call in a fresh process, the shortest of three."""

    param_names = ("case", "peer")
    n_processors = 2
    params = (list(_FIRST_CASES), [OURS, ONE_JOB])
    quick = frozenset(params[0][:2])
    targets: dict[str, tuple[Target, ...]] = dict.fromkeys(_FIRST_CASES, _NO_SLOWER)

    def setup(self, case: str, peer: str) -> None:
        name, size = _FIRST_CASES[case]
        self.program = _FIRST.format(function=name, size=size, n_jobs=2 if peer == OURS else 1)
        self.allowed = 0.0 if peer == OURS else _ALLOWED

    def track_first_call(self, case: str, peer: str) -> float:
        folder = Path(__file__).parents[1]
        command = [sys.executable, "-c", self.program]
        return self.allowed + min(
            float(subprocess.run(command, cwd=folder, capture_output=True, check=True).stdout)
            for _ in range(3)
        )

    track_first_call.unit = "s"  # type: ignore[attr-defined]


if __name__ == "__main__":
    main([TwoJobs, FirstCall], __doc__)
