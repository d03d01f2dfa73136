"""Small calls: 150 objects in three clusters, whose time is that of Python and not of loops.

Run ``python benchmarks/bench_small_calls.py [--quick]`` for one table, or through asv. Most targets
are ratios of this package's own times within one run: what an index may take where the adjusted
Rand index, or the loop over a function, takes some time.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

import sklearn_clustcompare as package
from benchmarks._harness import OURS, Faster, Target, main, optional

genieclust = optional("genieclust.compare_partitions")
clustering_mi = optional("clustering_mi")

GENIECLUST = "genieclust"
CLUSTERING_MI = "clustering-mi"
ARI = "ours, ARI"
LOOP = "ours, a loop"

_LABELS = ("agreeing", "independent")
# Functions and the number of times that they may take as long as the adjusted Rand index.
_FUNCTIONS = {
    "mutual_info_score": 2,
    "normalized_mutual_info_score": 2,
    "v_measure_score": 2,
    "adjusted_mutual_info_score": 4,
    "standardized_mutual_info_score": 10,
}


def make_labels(kind: str) -> tuple[Any, Any]:
    """Return labels of which a tenth disagree, or labels without agreement."""
    rng = np.random.default_rng(0)
    true = np.repeat(np.arange(3), 50)
    if kind == "independent":
        return true, rng.permutation(true)
    found = true.copy()
    found[rng.choice(150, 15, replace=False)] = rng.integers(3, size=15)
    return true, found


class SmallRand:
    """The adjusted Rand index, which may take 2.5 times as long as that of genieclust."""

    param_names = ("case", "peer")
    params = (list(_LABELS), [OURS, GENIECLUST])
    quick = frozenset(_LABELS)
    targets: dict[str, tuple[Target, ...]] = dict.fromkeys(_LABELS, (Faster(GENIECLUST, 1 / 2.5),))

    def setup(self, case: str, peer: str) -> None:
        if peer == GENIECLUST and genieclust is None:
            raise NotImplementedError
        self.labels = make_labels(case)
        self.function = (package if peer == OURS else genieclust).adjusted_rand_score

    def time_small_rand(self, case: str, peer: str) -> None:
        self.function(*self.labels)


class SmallInformation:
    """Indices of information, compared with the adjusted Rand index."""

    param_names = ("case", "peer")
    params = (
        [f"{name}, {kind}" for name, kind in itertools.product(_FUNCTIONS, _LABELS)],
        [OURS, ARI],
    )
    quick = frozenset(params[0])
    targets: dict[str, tuple[Target, ...]] = {
        case: (Faster(ARI, 1 / _FUNCTIONS[case.split(",")[0]]),) for case in params[0]
    }

    def setup(self, case: str, peer: str) -> None:
        name, kind = case.split(", ")
        self.labels = make_labels(kind)
        self.function = getattr(package, name if peer == OURS else "adjusted_rand_score")

    def time_small_information(self, case: str, peer: str) -> None:
        self.function(*self.labels)


class SmallReduced:
    """The reduced mutual information."""

    param_names = ("case", "peer")
    params = (list(_LABELS), [OURS, CLUSTERING_MI])
    quick = frozenset(_LABELS)
    targets: dict[str, tuple[Target, ...]] = dict.fromkeys(_LABELS, (Faster(CLUSTERING_MI, 1.5),))

    def setup(self, case: str, peer: str) -> None:
        if peer == CLUSTERING_MI and clustering_mi is None:
            raise NotImplementedError
        self.labels = make_labels(case)
        self.function: Callable[..., Any] = (
            package.reduced_mutual_info_score if peer == OURS else clustering_mi.mutual_information
        )

    def time_small_reduced(self, case: str, peer: str) -> None:
        self.function(*self.labels)


class SmallBatches:
    """Many partitions, compared with a loop over the function; in seconds for all of them."""

    param_names = ("case", "peer")
    params = (["1000 candidates, ARI", "all pairs of 60, NMI"], [OURS, LOOP])
    quick = frozenset(params[0])
    targets: dict[str, tuple[Target, ...]] = dict.fromkeys(params[0], (Faster(LOOP, 1 / 1.2),))

    def setup(self, case: str, peer: str) -> None:
        partitions = np.random.default_rng(0).integers(3, size=(1001, 150))
        self.reference, self.candidates = partitions[0], partitions[1:]
        self.partitions = partitions[:60]

    def time_small_batches(self, case: str, peer: str) -> None:
        if case.endswith("ARI"):
            if peer == OURS:
                package.score_candidates(
                    self.reference, self.candidates, indices="adjusted_rand_score"
                )
                return
            for candidate in self.candidates:
                package.adjusted_rand_score(self.reference, candidate)
        elif peer == OURS:
            package.pairwise_scores(self.partitions, index="normalized_mutual_info_score")
        else:
            for pair in itertools.combinations_with_replacement(self.partitions, 2):
                package.normalized_mutual_info_score(*pair)


if __name__ == "__main__":
    main([SmallRand, SmallInformation, SmallReduced, SmallBatches], __doc__)
