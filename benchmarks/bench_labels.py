"""From labels to the value of an index, side by side with other packages.

Run ``python benchmarks/bench_labels.py [--quick]`` for one table, or through asv.
"""

from __future__ import annotations

import sys
import tracemalloc
import warnings
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn import metrics
from sklearn.base import BaseEstimator
from sklearn.cluster import KMeans

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

import sklearn_clustcompare
from benchmarks._harness import OURS, AtMost, Faster, Target, main, optional
from sklearn_clustcompare import make_clustering_scorer

genieclust = optional("genieclust.compare_partitions")
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    clusim = optional("clusim.clustering")
    clusim_sim = optional("clusim.sim")

BINCOUNT, GENIECLUST, SKLEARN, CLUSIM = "bincount", "genieclust", "scikit-learn", "clusim"
PEERS = [OURS, BINCOUNT, GENIECLUST, SKLEARN, CLUSIM]
SORTED = "np.unique of both"
FAST_PEERS = (BINCOUNT, GENIECLUST, SKLEARN)


class Labels(NamedTuple):
    """Two independent random partitions, and which peers can compare them."""

    n_samples: int
    n_clusters: int
    kind: str = "int64"
    peers: tuple[str, ...] = FAST_PEERS


CASES = {
    "n=150 k=3": Labels(150, 3, peers=(*FAST_PEERS, CLUSIM)),
    "n=1e4 k=10": Labels(10**4, 10, peers=(*FAST_PEERS, CLUSIM)),
    "n=1e6 k=10": Labels(10**6, 10),
    "n=1e6 k=100": Labels(10**6, 100),
    "n=1e6 k=1000": Labels(10**6, 1000),
    "n=1e7 k=10": Labels(10**7, 10),
    "n=1e7 k=100": Labels(10**7, 100),
    # genieclust refuses a dense table of that size, and a bare bincount would need 20 GB.
    "n=1e5 k=n/2": Labels(10**5, 50_000, peers=(SKLEARN,)),
    # Nor do these two take anything but integers.
    "n=1e6 k=20 <U10": Labels(10**6, 20, "<U10", peers=(SKLEARN,)),
    "n=1e6 k=20 object": Labels(10**6, 20, "object", peers=(SKLEARN,)),
    "n=1e6 k=20 Series": Labels(10**6, 20, "Series", peers=(SKLEARN,)),
}
# scikit-learn needs about ten seconds.
SLOW = {"n=1e6 k=20 Series"}


@lru_cache(maxsize=1)
def make_labels(case: str) -> tuple[Any, Any]:
    n_samples, n_clusters, kind, _ = CASES[case]
    rng = np.random.default_rng(0)
    first, second = rng.integers(0, n_clusters, (2, n_samples))
    if kind == "int64":
        return first, second
    names = np.array([f"cluster {i:02d}" for i in range(n_clusters)])
    if kind == "object":
        names = names.astype(object)
    first, second = names[first], names[second]
    if kind == "Series":
        return pd.Series(first), pd.Series(second)
    return first, second


def bare_bincount(n_clusters: int, first: NDArray[Any], second: NDArray[Any]) -> NDArray[Any]:
    """Count the cells and nothing else: no check of the input, no margins, no index."""
    return np.bincount(first * n_clusters + second)


def clusim_adjusted_rand(first: NDArray[Any], second: NDArray[Any]) -> float:
    one, other = (clusim.Clustering().from_membership_list(labels) for labels in (first, second))
    return clusim_sim.adjrand_index(one, other)


def compare_function(case: str, peer: str, functions: dict[str, Any]) -> Any:
    """Return the function of a peer, or raise NotImplementedError if it cannot do the case."""
    function = functions.get(peer)
    if function is None or peer not in (OURS, *CASES[case].peers):
        raise NotImplementedError
    return function


class AdjustedRand:
    """The whole public function, with all its checks."""

    param_names = ("case", "peer")
    params = (list(CASES), PEERS)
    quick = frozenset(case for case in CASES if "1e7" not in case and case not in SLOW)
    targets: dict[str, tuple[Target, ...]] = {
        "n=150 k=3": (AtMost(60e-6), Faster(SKLEARN, 45)),
        "n=1e4 k=10": (Faster(SKLEARN, 45), Faster(GENIECLUST, 1 / 0.9)),
        "n=1e6 k=10": (Faster(BINCOUNT, 1 / 1.8), Faster(GENIECLUST, 2.5), Faster(SKLEARN, 25)),
        "n=1e6 k=100": (Faster(BINCOUNT, 1 / 1.8), Faster(GENIECLUST, 2.5), Faster(SKLEARN, 25)),
        "n=1e6 k=1000": (Faster(GENIECLUST, 2.5), Faster(SKLEARN, 15)),
        "n=1e7 k=10": (Faster(BINCOUNT, 1 / 1.1), Faster(SKLEARN, 40)),
        "n=1e7 k=100": (Faster(BINCOUNT, 1 / 1.1), Faster(SKLEARN, 40)),
        "n=1e5 k=n/2": (Faster(SKLEARN, 15),),
        "n=1e6 k=20 <U10": (Faster(SKLEARN, 40),),
        "n=1e6 k=20 object": (Faster(SKLEARN, 40),),
        "n=1e6 k=20 Series": (Faster(SKLEARN, 40),),
    }

    def setup(self, case: str, peer: str) -> None:
        functions: dict[str, Any] = {
            OURS: sklearn_clustcompare.adjusted_rand_score,
            BINCOUNT: partial(bare_bincount, CASES[case].n_clusters),
            GENIECLUST: genieclust and genieclust.adjusted_rand_score,
            SKLEARN: metrics.adjusted_rand_score,
            CLUSIM: clusim and clusim_adjusted_rand,
        }
        self.function = compare_function(case, peer, functions)
        self.labels = make_labels(case)

    def time_adjusted_rand(self, case: str, peer: str) -> None:
        self.function(*self.labels)


class WideIntegers:
    """Labels that are random numbers of 62 bits, against sorting both sides."""

    param_names = ("case", "peer")
    params = (["n=1e6 k=20", "n=1e6 k=1000", "n=1e6 k=30000", "n=1e6 k=500000"], [OURS, SORTED])
    quick = frozenset(params[0])
    targets: dict[str, tuple[Target, ...]] = dict.fromkeys(params[0], (Faster(SORTED, 2),))
    targets["n=1e6 k=500000"] = (Faster(SORTED, 1),)

    def setup(self, case: str, peer: str) -> None:
        rng = np.random.default_rng(0)
        names = rng.integers(2**62, size=int(case.rpartition("=")[2]))
        self.labels = names[rng.integers(len(names), size=(2, 10**6))]

    def time_wide_integers(self, case: str, peer: str) -> None:
        if peer == OURS:
            sklearn_clustcompare.adjusted_rand_score(*self.labels)
        else:
            for side in self.labels:
                np.unique(side, return_inverse=True)


class NormalizedMutualInfo:
    """The whole public function, with all its checks."""

    param_names = ("case", "peer")
    params = (["n=1e6 k=100"], [OURS, BINCOUNT, GENIECLUST, SKLEARN])
    quick = frozenset(["n=1e6 k=100"])
    targets: dict[str, tuple[Target, ...]] = {"n=1e6 k=100": (Faster(SKLEARN, 30),)}

    def setup(self, case: str, peer: str) -> None:
        functions: dict[str, Any] = {
            OURS: sklearn_clustcompare.normalized_mutual_info_score,
            BINCOUNT: partial(bare_bincount, CASES[case].n_clusters),
            GENIECLUST: genieclust and genieclust.normalized_mi_score,
            SKLEARN: metrics.normalized_mutual_info_score,
        }
        self.function = compare_function(case, peer, functions)
        self.labels = make_labels(case)

    def time_normalized_mutual_info(self, case: str, peer: str) -> None:
        self.function(*self.labels)


class PeakMemory:
    """Peak of what is allocated above the inputs, as NumPy reports it."""

    param_names = ("case", "peer")
    params = (["n=1e7 k=10", "n=1e7 k=100"], [OURS, BINCOUNT])
    quick: frozenset[str] = frozenset()
    targets: dict[str, tuple[Target, ...]] = dict.fromkeys(params[0], (AtMost(100, "MB"),))

    def setup(self, case: str, peer: str) -> None:
        functions: dict[str, Any] = {
            OURS: sklearn_clustcompare.adjusted_rand_score,
            BINCOUNT: partial(bare_bincount, CASES[case].n_clusters),
        }
        self.function = functions[peer]
        self.labels = make_labels(case)

    def track_peak_memory(self, case: str, peer: str) -> float:
        tracemalloc.start()
        try:
            self.function(*self.labels)
            return tracemalloc.get_traced_memory()[1] / 1e6
        finally:
            tracemalloc.stop()

    track_peak_memory.unit = "MB"  # type: ignore[attr-defined]


class FixedLabels(BaseEstimator):
    """A clusterer that costs nothing: what remains is the scorer."""

    def __init__(self, labels: NDArray[Any]) -> None:
        self.labels = labels

    def predict(self, X: Any) -> NDArray[Any]:
        return self.labels


ONE_INDEX = "one index"


class FiveIndices:
    """A scorer of five indices (ours) against a scorer of one."""

    param_names = ("case", "peer")
    params = (["n=1e6 k=20 fixed labels", "n=1e6 k=20 KMeans"], [OURS, ONE_INDEX])
    quick = frozenset(params[0])
    targets: dict[str, tuple[Target, ...]] = dict.fromkeys(params[0], (Faster(ONE_INDEX, 1 / 1.3),))

    def setup(self, case: str, peer: str) -> None:
        names = [
            "adjusted_rand_score",
            "normalized_mutual_info_score",
            "homogeneity_score",
            "completeness_score",
            "purity_score",
        ]
        self.scorer = make_clustering_scorer(names[0] if peer == ONE_INDEX else names)
        rng = np.random.default_rng(0)
        self.X = rng.normal(size=(10**6, 2))
        self.y, predicted = rng.integers(0, 20, (2, len(self.X)))
        self.estimator = (
            KMeans(20, n_init=1, max_iter=5, random_state=0).fit(self.X)
            if case.endswith("KMeans")
            else FixedLabels(predicted)
        )

    def time_five_indices(self, case: str, peer: str) -> None:
        self.scorer(self.estimator, self.X, self.y)


if __name__ == "__main__":
    main([AdjustedRand, WideIntegers, NormalizedMutualInfo, PeakMemory, FiveIndices], __doc__)
