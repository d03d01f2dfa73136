"""Small calls: 150 objects in a few clusters, whose time is that of Python and not of loops.

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


def make_labels(kind: str, n_clusters: int = 3) -> tuple[Any, Any]:
    """Return labels of which a tenth disagree, or labels without agreement."""
    rng = np.random.default_rng(0)
    true = np.repeat(np.arange(n_clusters), 150 // n_clusters)
    if kind == "independent":
        return true, rng.permutation(true)
    found = true.copy()
    found[rng.choice(150, 15, replace=False)] = rng.integers(n_clusters, size=15)
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
        [
            f"{name}, {kind}, {k} clusters"
            for name, kind, k in itertools.product(_FUNCTIONS, _LABELS, (3, 10))
        ],
        [OURS, ARI],
    )
    quick = frozenset(params[0])
    targets: dict[str, tuple[Target, ...]] = {
        case: (Faster(ARI, 1 / _FUNCTIONS[case.split(",")[0]]),) for case in params[0]
    }

    def setup(self, case: str, peer: str) -> None:
        name, kind, n_clusters = case.split(", ")
        self.labels = make_labels(kind, int(n_clusters.split()[0]))
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
            package.metrics.reduced_mutual_info_score
            if peer == OURS
            else clustering_mi.mutual_information
        )

    def time_small_reduced(self, case: str, peer: str) -> None:
        self.function(*self.labels)


class SmallBatches:
    """Many partitions, compared with a loop over the function; in seconds for all of them."""

    param_names = ("case", "peer")
    params = (
        [
            *("100 candidates, ARI", "1000 candidates, ARI", "100 candidates, NMI"),
            *("1000 candidates, NMI", "all pairs of 60, NMI"),
        ],
        [OURS, LOOP],
    )
    quick = frozenset(params[0])
    targets: dict[str, tuple[Target, ...]] = dict.fromkeys(params[0], (Faster(LOOP, 1 / 1.2),))

    def setup(self, case: str, peer: str) -> None:
        partitions = np.random.default_rng(0).integers(3, size=(1001, 150))
        words = case.split()
        self.index = f"{'adjusted_rand' if words[-1] == 'ARI' else 'normalized_mutual_info'}_score"
        self.function = getattr(package, self.index)
        if words[1] == "candidates":
            self.reference, self.candidates = partitions[0], partitions[1 : int(words[0]) + 1]
            self.run = self.score if peer == OURS else self.score_in_loop
        else:
            self.partitions = partitions[:60]
            self.run = self.pair if peer == OURS else self.pair_in_loop

    def score(self) -> None:
        package.score_candidates(self.reference, self.candidates, indices=self.index)

    def score_in_loop(self) -> None:
        for candidate in self.candidates:
            self.function(self.reference, candidate)

    def pair(self) -> None:
        package.pairwise_scores(self.partitions, index=self.index)

    def pair_in_loop(self) -> None:
        for pair in itertools.combinations_with_replacement(self.partitions, 2):
            self.function(*pair)

    def time_small_batches(self, case: str, peer: str) -> None:
        self.run()


if __name__ == "__main__":
    main([SmallRand, SmallInformation, SmallReduced, SmallBatches], __doc__)
