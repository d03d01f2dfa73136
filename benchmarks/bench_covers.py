"""Indices of covers, whose clusters overlap, beside cdlib, which looks at all pairs of objects.

Run ``python benchmarks/bench_covers.py [--quick]`` for one table, or through asv.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks._harness import OURS, AtMost, Faster, Target, main, optional
from sklearn_clustcompare import Cover, omega_score
from sklearn_clustcompare.metrics import average_f_score, overlapping_normalized_mutual_info_score

CDLIB = "cdlib"
PEERS = [OURS, CDLIB]

# Objects, each in one to three communities of about fifty.
CASES = {"n=800": 800, "n=1e5": 10**5}


@lru_cache(maxsize=1)
def make_communities(case: str) -> list[list[list[int]]]:
    """Draw communities, and the same with a fifth of the memberships moved elsewhere."""
    n_objects = CASES[case]
    rng = np.random.default_rng(0)
    numbers = rng.integers(1, 4, n_objects)
    objects = np.repeat(np.arange(n_objects), numbers)
    first = rng.integers(numbers.sum() // 50, size=len(objects))
    second = np.where(rng.random(len(objects)) < 0.2, rng.permutation(first), first)
    covers = []
    for communities in (first, second):
        order = np.argsort(communities, kind="stable")
        parts = np.split(objects[order], np.cumsum(np.bincount(communities))[:-1])
        covers.append([np.unique(part).tolist() for part in parts])
    return covers


def _function_of_cdlib(case: str, name: str) -> Callable[[], Any]:
    evaluation, networkx = optional("cdlib.evaluation"), optional("networkx")
    if evaluation is None or networkx is None or CASES[case] > 1000:
        raise NotImplementedError
    clusterings = optional("cdlib").NodeClustering
    graph = networkx.empty_graph(CASES[case])
    sides = [clusterings(sets, graph, overlap=True) for sets in make_communities(case)]
    return partial(getattr(evaluation, name), *sides)


class _OfCovers:
    """Of covers that are there; those that are read from sets are in their own benchmark."""

    param_names = ("case", "peer")
    params = (list(CASES), PEERS)
    quick = frozenset(CASES)
    function: Any
    name_in_cdlib: str
    targets: dict[str, tuple[Target, ...]]

    def setup(self, case: str, peer: str) -> None:
        if peer == OURS:
            covers = [
                Cover.from_sets(sets, objects=range(CASES[case])) for sets in make_communities(case)
            ]
            self.call = partial(self.function, *covers)
        else:
            self.call = _function_of_cdlib(case, self.name_in_cdlib)


class Omega(_OfCovers):
    """Pairs of objects by signatures."""

    function = staticmethod(omega_score)
    name_in_cdlib = "omega"
    targets: dict[str, tuple[Target, ...]] = {
        "n=800": (Faster(CDLIB, 10),),
        "n=1e5": (AtMost(2.0),),
    }

    def time_omega(self, case: str, peer: str) -> None:
        self.call()


class OverlappingMutualInfo(_OfCovers):
    """Pairs of clusters that share objects."""

    function = staticmethod(overlapping_normalized_mutual_info_score)
    name_in_cdlib = "overlapping_normalized_mutual_information_MGH"
    targets: dict[str, tuple[Target, ...]] = {"n=800": (), "n=1e5": (AtMost(1.0),)}

    def time_overlapping_mutual_info(self, case: str, peer: str) -> None:
        self.call()


class AverageF(_OfCovers):
    """Pairs of clusters as well."""

    function = staticmethod(average_f_score)
    params = (list(CASES), [OURS])
    targets: dict[str, tuple[Target, ...]] = {"n=800": (), "n=1e5": (AtMost(1.0),)}

    def time_average_f(self, case: str, peer: str) -> None:
        self.call()


class Reading:
    """From sets of objects, which have to be numbered, to a cover."""

    param_names = ("case", "peer")
    params = (list(CASES), [OURS])
    quick = frozenset(CASES)
    targets: dict[str, tuple[Target, ...]] = {"n=800": (), "n=1e5": (AtMost(1.0),)}

    def setup(self, case: str, peer: str) -> None:
        self.sets = make_communities(case)[0]

    def time_from_sets(self, case: str, peer: str) -> None:
        Cover.from_sets(self.sets)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main([Omega, OverlappingMutualInfo, AverageF, Reading], __doc__ or "")
