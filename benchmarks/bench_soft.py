"""Tables of soft partitions and their indices, beside the bare matrix product.

Run ``python benchmarks/bench_soft.py [--quick]`` for one table, or through asv.
"""

from __future__ import annotations

import sys
import tracemalloc
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks._harness import OURS, AtMost, Faster, Target, main
from benchmarks.lei_2016 import INDICES
from sklearn_clustcompare import ContingencyTable, frobenius_adjusted_rand_score, get_index

PRODUCT = "matrix product"
PEERS = [OURS, PRODUCT]
DENSE = "ours, dense"


class Partitions(NamedTuple):
    """Two independent random soft partitions of k clusters each."""

    n_samples: int
    n_clusters: int
    dtype: str = "float64"


CASES = {
    "n=1e4 k=5": Partitions(10**4, 5),
    "n=1e6 k=5": Partitions(10**6, 5),
    "n=1e6 k=20": Partitions(10**6, 20),
    "n=1e6 k=20 float32": Partitions(10**6, 20, "float32"),
    "n=1e7 k=20 float32": Partitions(10**7, 20, "float32"),
}


@lru_cache(maxsize=1)
def make_memberships(case: str) -> list[NDArray[Any]]:
    n_samples, n_clusters, dtype = CASES[case]
    rng = np.random.default_rng(0)
    return [_random_memberships(rng, n_samples, n_clusters, dtype) for _ in range(2)]


def _random_memberships(
    rng: np.random.Generator, n_samples: int, n_clusters: int, dtype: str
) -> NDArray[Any]:
    u = rng.random((n_samples, n_clusters), dtype=np.dtype(dtype).type)
    u /= u.sum(axis=1, keepdims=True)
    return u


def bare_product(u: NDArray[Any], v: NDArray[Any]) -> NDArray[Any]:
    """Multiply and nothing else: no check of the input, no margins, no wider sums."""
    return u.T @ v


class _BesideTheProduct:
    param_names = ("case", "peer")
    params = ([case for case in CASES if "1e7" not in case], PEERS)
    quick = frozenset(params[0])
    function: Any

    def setup(self, case: str, peer: str) -> None:
        self.called = self.function if peer == OURS else bare_product
        self.memberships = make_memberships(case)


class Table(_BesideTheProduct):
    """The table with all checks."""

    function = staticmethod(ContingencyTable.from_memberships)
    targets: dict[str, tuple[Target, ...]] = dict.fromkeys(CASES, ())
    targets["n=1e6 k=20"] = (Faster(PRODUCT, 1 / 1.2),)

    def time_from_memberships(self, case: str, peer: str) -> None:
        self.called(*self.memberships)


class FrobeniusAdjustedRand(_BesideTheProduct):
    """The public function, which needs moments of both sides as well."""

    function = staticmethod(frobenius_adjusted_rand_score)
    targets: dict[str, tuple[Target, ...]] = dict.fromkeys(CASES, ())
    targets["n=1e6 k=20"] = (Faster(PRODUCT, 1 / 4),)

    def time_frobenius_adjusted_rand(self, case: str, peer: str) -> None:
        self.called(*self.memberships)


class SparseMemberships:
    """The Frobenius-adjusted Rand index of sparse memberships, against that of dense ones."""

    param_names = ("case", "peer")
    params = (["n=1e5 k=50 density .28", "n=1e5 k=50 density .05"], [OURS, DENSE])
    quick = frozenset(params[0])
    targets: dict[str, tuple[Target, ...]] = dict.fromkeys(params[0], (Faster(DENSE, 1 / 2),))

    def setup(self, case: str, peer: str) -> None:
        rng = np.random.default_rng(0)
        self.sides = []
        for _ in range(2):
            u = rng.random((10**5, 50)) * (rng.random((10**5, 50)) < float(case.split()[-1]))
            u[:, 0] += 0.01
            u /= u.sum(axis=1, keepdims=True)
            self.sides.append(u if peer == DENSE else sparse.csr_array(u))

    def time_sparse_memberships(self, case: str, peer: str) -> None:
        frobenius_adjusted_rand_score(*self.sides)


class PeakMemory:
    """Peak of what is allocated above the inputs, as NumPy reports it."""

    param_names = ("case", "peer")
    params = (["n=1e6 k=20", "n=1e7 k=20 float32"], [OURS])
    quick = frozenset(["n=1e6 k=20"])
    targets: dict[str, tuple[Target, ...]] = dict.fromkeys(params[0], (AtMost(200, "MB"),))

    def setup(self, case: str, peer: str) -> None:
        self.function = partial(ContingencyTable.from_memberships, moments=True)
        self.memberships = make_memberships(case)

    def track_peak_memory(self, case: str, peer: str) -> float:
        tracemalloc.start()
        try:
            self.function(*self.memberships)
            return tracemalloc.get_traced_memory()[1] / 1e6
        finally:
            tracemalloc.stop()

    track_peak_memory.unit = "MB"  # type: ignore[attr-defined]


class TenIndices:
    """The indices of Lei et al. (2016) of a table that is there; nothing is kept from before."""

    param_names = ("case", "peer")
    params = (["n=1e4 k=5", "n=1e6 k=20"], [OURS])
    quick = frozenset(params[0])
    targets: dict[str, tuple[Target, ...]] = dict.fromkeys(params[0], (AtMost(2e-3),))

    def setup(self, case: str, peer: str) -> None:
        self.counts = ContingencyTable.from_memberships(*make_memberships(case)).counts.toarray()

    def time_ten_indices(self, case: str, peer: str) -> None:
        table = ContingencyTable.from_counts(self.counts)
        for name, parameters in INDICES.values():
            get_index(name)(table, **parameters)


if __name__ == "__main__":
    main([Table, FrobeniusAdjustedRand, SparseMemberships, PeakMemory, TenIndices], __doc__)
