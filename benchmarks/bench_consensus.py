"""The consensus of fifty partitions of five thousand objects, and of five of sixty; single moves.

Run ``python benchmarks/bench_consensus.py [--quick]`` for one table, or through asv.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks._harness import OURS, AtMost, Target, main
from sklearn_clustcompare import consensus_partition, get_index
from sklearn_clustcompare._partition import DEFAULT
from sklearn_clustcompare._table.many import in_order_of_appearance
from sklearn_clustcompare.consensus._agreement import Agreement
from sklearn_clustcompare.consensus._ensemble import read_ensemble


class Consensus:
    """Ten clusters, of which three in ten objects are in a random one."""

    param_names = ("case", "peer")
    params = (
        [
            "adjusted_rand_score",
            "normalized_mutual_info_score",
            "variation_of_information_distance",
            "adjusted_mutual_info_score",
        ],
        [OURS],
    )
    quick = frozenset(params[0][:1])
    targets: dict[str, tuple[Target, ...]] = {
        "adjusted_rand_score": (AtMost(5),),
        "normalized_mutual_info_score": (AtMost(5),),
        "variation_of_information_distance": (AtMost(2),),
        "adjusted_mutual_info_score": (AtMost(30),),
    }

    def setup(self, case: str, peer: str) -> None:
        generator = np.random.default_rng(0)
        truth = generator.integers(10, size=5000)
        noise = generator.integers(10, size=(50, 5000))
        self.partitions = np.where(generator.random((50, 5000)) < 0.3, noise, truth)

    def time_consensus(self, case: str, peer: str) -> None:
        consensus_partition(self.partitions, index=case, random_state=0)


class RandomConsensus:
    """Five random partitions of sixty objects, which have nearly as many distinct signatures."""

    param_names = ("case", "peer")
    params = (["adjusted_rand_score", "adjusted_mutual_info_score"], [OURS])
    quick = frozenset(params[0])
    targets: dict[str, tuple[Target, ...]] = {
        "adjusted_rand_score": (AtMost(2),),
        "adjusted_mutual_info_score": (AtMost(10),),
    }

    def setup(self, case: str, peer: str) -> None:
        self.partitions = np.random.default_rng(0).integers(5, size=(5, 60))

    def time_random_partitions(self, case: str, peer: str) -> None:
        consensus_partition(self.partitions, index=case, random_state=0)


class SingleMoves:
    """The index after each of 105,000 moves of one of 5,000 objects to another cluster."""

    param_names = ("case", "peer")
    params = (
        [
            "adjusted_rand_score",
            "normalized_mutual_info_score",
            "variation_of_information_distance",
        ],
        [OURS],
    )
    quick = frozenset(params[0])
    # 100,000 moves a second.
    targets: dict[str, tuple[Target, ...]] = {case: (AtMost(1.05),) for case in params[0]}

    def setup(self, case: str, peer: str) -> None:
        generator = np.random.default_rng(0)
        truth = generator.integers(20, size=5000)
        noise = generator.integers(20, size=5000)
        ensemble = read_ensemble([truth], None, DEFAULT, align=False).with_cells(5000)
        found = np.where(generator.random(5000) < 0.3, noise, truth)
        self.labels = in_order_of_appearance(found[np.argsort(ensemble.cell_of)])
        self.agreement = Agreement(ensemble, get_index(case), {})

    def time_moves(self, case: str, peer: str) -> None:
        self.agreement.changes(self.labels, None)


if __name__ == "__main__":
    main([Consensus, RandomConsensus, SingleMoves], __doc__)
