"""Objects that come in chunks: the table of a billion of them, in constant memory.

Run ``python benchmarks/bench_stream.py [--quick]`` for one table, or through asv.
"""

from __future__ import annotations

import multiprocessing
import re
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks._harness import OURS, AtMost, Target, main
from sklearn_clustcompare import ContingencyTable

CHUNK = 10**7
N_CLUSTERS = 100
STATUS = Path("/proc/self/status")

# Number of chunks.
CASES = {"n=1e7": 1, "n=1e8": 10, "n=1e9": 100}


def make_chunks(n_chunks: int) -> Iterator[tuple[NDArray[Any], NDArray[Any]]]:
    """Yield labels that agree on half of the objects, other ones in each chunk."""
    rng = np.random.default_rng(0)
    base = rng.integers(N_CLUSTERS, size=CHUNK, dtype=np.int32)
    other = base.copy()
    other[: CHUNK // 2] = rng.integers(N_CLUSTERS, size=CHUNK // 2, dtype=np.int32)
    for number in range(n_chunks):
        yield (base + np.int32(number)) % np.int32(N_CLUSTERS), other


def count(n_chunks: int) -> tuple[float, float]:
    """Return the seconds it takes and the largest memory that the process had resident, in MB."""
    start = time.perf_counter()
    table = sum(ContingencyTable.from_labels(*chunk) for chunk in make_chunks(n_chunks))
    seconds = time.perf_counter() - start
    if table.n_samples != n_chunks * CHUNK:
        msg = f"{table.n_samples} objects counted of {n_chunks * CHUNK}"
        raise AssertionError(msg)
    status = dict(line.split(":", 1) for line in STATUS.read_text().splitlines())
    return seconds, float(status["VmHWM"].split()[0]) / 1e3


@lru_cache
def measure(case: str) -> tuple[float, float]:
    """Count in a process of its own, whose memory no other benchmark has used."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as executor:
        return executor.submit(count, CASES[case]).result()


class Stream:
    """Chunks are made and counted: the time per object and the memory must not grow."""

    param_names = ("case", "peer")
    params = (list(CASES), [OURS])
    quick = frozenset(["n=1e7", "n=1e8"])
    targets: dict[str, tuple[Target, ...]] = {case: () for case in CASES}

    def setup(self, case: str, peer: str) -> None:
        if not STATUS.exists():
            raise NotImplementedError

    def track_time_per_object(self, case: str, peer: str) -> float:
        return measure(case)[0] / (CASES[case] * CHUNK) * 1e9

    track_time_per_object.unit = "ns"  # type: ignore[attr-defined]


class StreamMemory(Stream):
    """The largest memory of the whole process, the chunks included."""

    targets: dict[str, tuple[Target, ...]] = dict.fromkeys(CASES, (AtMost(500, "MB"),))

    def track_peak_memory(self, case: str, peer: str) -> float:
        return measure(case)[1]

    track_peak_memory.unit = "MB"  # type: ignore[attr-defined]


class Addition:
    """Adding the table of one more chunk to the sum."""

    param_names = ("case", "peer")
    params = (["k=100", "k=1000"], [OURS])
    quick = frozenset(params[0])
    targets: dict[str, tuple[Target, ...]] = {"k=100": (AtMost(5e-3),), "k=1000": ()}

    def setup(self, case: str, peer: str) -> None:
        n_clusters = int(case.removeprefix("k="))
        labels = np.random.default_rng(0).integers(n_clusters, size=(2, 10**7))
        self.table = ContingencyTable.from_labels(*labels)

    def time_addition(self, case: str, peer: str) -> None:
        self.table + self.table


class Updates:
    """A third of the objects in a batch is inserted, one deleted, and one moved.

    A batch of few takes as long as one of many: from 3 to 1,000 at once are 10,000 to a million
    updates a second.
    """

    param_names = ("case", "peer")
    params = (["k=10, 3 at once", "k=10, 100 at once", "k=100, 1000 at once"], [OURS])
    quick = frozenset(params[0])
    targets: dict[str, tuple[Target, ...]] = {
        "k=10, 3 at once": (AtMost(3e-4),),
        "k=10, 100 at once": (AtMost(3e-4),),
        "k=100, 1000 at once": (AtMost(1e-3),),
    }

    def setup(self, case: str, peer: str) -> None:
        n_clusters, n_updates = (int(number) for number in re.findall(r"\d+", case))
        rng = np.random.default_rng(0)
        labels = rng.integers(n_clusters, size=(2, 10**5))
        third = n_updates // 3
        self.table = ContingencyTable.from_labels(*labels)
        self.before = labels[:, : 2 * third]  # of those that are deleted or moved
        self.after = rng.integers(n_clusters, size=(2, 2 * third))  # moved or inserted
        self.after[0, :third] = labels[0, third : 2 * third]

    def time_updates(self, case: str, peer: str) -> None:
        old = ContingencyTable.from_labels(*self.before)
        new = ContingencyTable.from_labels(*self.after)
        self.table - old + new


if __name__ == "__main__":
    main([Addition, Updates, Stream, StreamMemory], __doc__)
