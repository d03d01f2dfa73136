"""The consensus of fifty partitions of five thousand objects, and of five of sixty.

Run ``python benchmarks/bench_consensus.py [--quick]`` for one table, or through asv.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks._harness import OURS, AtMost, Target, main
from sklearn_clustcompare import consensus_partition


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


if __name__ == "__main__":
    main([Consensus, RandomConsensus], __doc__)
