"""Sums over the cells: element-centric similarity, B-cubed, and their moments.

Run ``python benchmarks/bench_cell_sums.py [--quick]`` for one table, or through asv.
"""

from __future__ import annotations

import sys
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks._harness import OURS, AtMost, Faster, Target, main, optional
from sklearn_clustcompare import ContingencyTable, element_centric_similarity_score, get_index
from sklearn_clustcompare.significance import PermutationModel

CLUSIM = "clusim"
MUTUAL_INFO = "mutual info"

# Objects, and clusters a side.
PARTITIONS = {
    "n=4000 k=20": (4_000, 20),
    "n=1e6 k=20": (10**6, 20),
    "n=1e6 k=3e5": (10**6, 300_000),
}


@lru_cache(maxsize=1)
def make_partitions(case: str) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Draw labels, and the same with a tenth of the objects elsewhere."""
    n_samples, n_clusters = PARTITIONS[case]
    rng = np.random.default_rng(0)
    first = rng.integers(n_clusters, size=n_samples)
    moved = rng.random(n_samples) < 0.1
    return first, np.where(moved, rng.integers(n_clusters, size=n_samples), first)


class ElementCentric:
    """From labels to the mean over the objects."""

    param_names = ("case", "peer")
    params = (list(PARTITIONS), [OURS, CLUSIM])
    quick = frozenset(PARTITIONS)
    targets: dict[str, tuple[Target, ...]] = {
        "n=4000 k=20": (Faster(CLUSIM, 200),),
        "n=1e6 k=20": (),
        "n=1e6 k=3e5": (),
    }

    def setup(self, case: str, peer: str) -> None:
        self.labels = make_partitions(case)
        if peer == OURS:
            self.call = element_centric_similarity_score
            return
        clustering, similarity = optional("clusim.clustering"), optional("clusim.sim")
        if clustering is None or similarity is None or PARTITIONS[case][0] > 10**4:
            raise NotImplementedError

        def call(*labels: NDArray[np.int64]) -> float:
            sides = [clustering.Clustering().from_membership_list(one.tolist()) for one in labels]
            return float(similarity.element_sim(*sides, alpha=0.9))

        self.call = call

    def time_element_centric(self, case: str, peer: str) -> None:
        self.call(*self.labels)


class BeyondTheTable:
    """Indices of a table that is there."""

    param_names = ("case", "peer")
    params = (["element-centric", "B-cubed F", "split count"], [OURS])
    quick = frozenset(params[0])
    targets: dict[str, tuple[Target, ...]] = {
        "element-centric": (AtMost(20e-3),),
        "B-cubed F": (AtMost(20e-3),),
        "split count": (AtMost(20e-3),),
    }
    names = {
        "element-centric": "element_centric_similarity_score",
        "B-cubed F": "bcubed_f_score",
        "split count": "split_count",
    }

    def setup(self, case: str, peer: str) -> None:
        self.table = ContingencyTable.from_labels(*make_partitions("n=1e6 k=20"))
        self.index = get_index(self.names[case])

    def time_index(self, case: str, peer: str) -> None:
        self.index(self.table)


class ManyEntities:
    """B-cubed of a million records, from labels."""

    param_names = ("case", "peer")
    params = (["n=1e6, 3e5 entities"], [OURS])
    quick = frozenset(params[0])
    targets: dict[str, tuple[Target, ...]] = {"n=1e6, 3e5 entities": (AtMost(0.2),)}

    def setup(self, case: str, peer: str) -> None:
        self.labels = make_partitions("n=1e6 k=3e5")
        self.index = get_index("bcubed_f_score")

    def time_bcubed(self, case: str, peer: str) -> None:
        self.index(ContingencyTable.from_labels(*self.labels))


# Smooth functions of the cell.
FUNCTIONS = {
    "n^2 / (a + b)": lambda n, a, b: n * n / (a + b),
    "n^1.5 / b": lambda n, a, b: n**1.5 / b,
}
MARGINS = {"n=1e6 k=30": (10**6, 30), "n=1e9 k=30": (10**9, 30), "n=1e4 k=1000": (10**4, 1000)}


class Variance:
    """The variance of a smooth sum, beside that of the mutual information."""

    param_names = ("case", "peer")
    params = (
        [f"{name}, {margins}" for name in FUNCTIONS for margins in MARGINS],
        [OURS, MUTUAL_INFO],
    )
    quick = frozenset(params[0])
    targets: dict[str, tuple[Target, ...]] = {
        case: (Faster(MUTUAL_INFO, 0.5),) for case in params[0]
    }

    def setup(self, case: str, peer: str) -> None:
        name, margins = case.split(", ")
        n_samples, n_clusters = MARGINS[margins]
        shares = np.random.default_rng(0).dirichlet(np.full(n_clusters, 2.0), size=2)
        rows, cols = np.maximum((shares * n_samples).astype(np.int64), 1)
        rows[0] += n_samples - rows.sum()
        cols[0] += n_samples - cols.sum()
        model = PermutationModel(rows, cols)
        self.call = (
            (lambda: model.cell_sum_variance(FUNCTIONS[name], smooth=True))
            if peer == OURS
            else (lambda: model.mutual_info_variance(q=1.5))
        )

    def time_variance(self, case: str, peer: str) -> None:
        self.call()


if __name__ == "__main__":
    main([ElementCentric, BeyondTheTable, ManyEntities, Variance], __doc__ or "")
