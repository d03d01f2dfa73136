"""Moments of mutual information under the permutation model, side by side with other packages.

Run ``python benchmarks/bench_chance.py [--quick]`` for one table, or through asv.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics.cluster import contingency_matrix, expected_mutual_information

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks._harness import OURS, AtMost, Faster, Target, main, optional
from sklearn_clustcompare.significance import PermutationModel

genieclust = optional("genieclust.compare_partitions")
clustering_mi = optional("clustering_mi")

SKLEARN, GENIECLUST, CLUSTERING_MI = "scikit-learn", "genieclust", "clustering-mi"

# What the packages other than scikit-learn want is a dense table.
_MAX_DENSE_CELLS = 10**6

Partitions = tuple[NDArray[np.int64], NDArray[np.int64]]


def random_labels(n_samples: int, n_clusters: int) -> Partitions:
    first, second = np.random.default_rng(0).integers(0, n_clusters, (2, n_samples))
    return first, second


def distinct_sizes(n_samples: int, n_clusters: int) -> Partitions:
    """Clusters of 1, 2, 3, ... objects; the last takes what is left."""
    sizes = np.arange(1, n_clusters + 1)
    sizes[-1] += n_samples - sizes.sum()
    labels = np.repeat(np.arange(n_clusters), sizes)
    return labels, np.random.default_rng(0).permutation(labels)


def residues(n_samples: int, first: int, second: int) -> Partitions:
    """Take numbers modulo two others: thousands of clusters a side."""
    numbers = np.arange(n_samples)
    return numbers % first, numbers % second


class Mean(NamedTuple):
    """How to make two partitions, and how many times faster than scikit-learn to be."""

    make: Callable[[], Partitions]
    times: float


MEAN_CASES = {
    "n=1e4 k=10": Mean(partial(random_labels, 10**4, 10), 15),
    "n=1e4 k=100": Mean(partial(random_labels, 10**4, 100), 30),
    "n=1e4 k=1000": Mean(partial(random_labels, 10**4, 1000), 300),
    "n=1e6 k=10": Mean(partial(random_labels, 10**6, 10), 150),
    "n=1e6 k=100": Mean(partial(random_labels, 10**6, 100), 40),
    "n=1e6 k=1000": Mean(partial(random_labels, 10**6, 1000), 150),
    "n=1e5 446 distinct sizes": Mean(partial(distinct_sizes, 10**5, 446), 150),
    "n=1e6 k=8000, 7000": Mean(partial(residues, 10**6, 8000, 7000), 3000),
    "n=1e5 k=30000": Mean(partial(random_labels, 10**5, 30_000), 3000),
}


def random_sizes(n_samples: int, n_clusters: int) -> Partitions:
    rng = np.random.default_rng(0)
    shares = rng.dirichlet(np.full(n_clusters, 5.0), 2)
    first, second = rng.multinomial(n_samples - n_clusters, shares) + 1
    return first, second


def sizes_that_differ() -> Partitions:
    """Clusters of 1 to 1000 objects, and of 2 to 999 and 1001 objects."""
    return np.arange(1, 1001), np.append(np.arange(2, 1000), 1001)


class Margins(NamedTuple):
    """How to make the cluster sizes, and how many seconds the moments may take."""

    make: Callable[[], Partitions]
    seconds: float


MOMENT_CASES = {
    "n=1e4 k=10": Margins(partial(random_sizes, 10**4, 10), 20e-3),
    "n=1e6 k=10": Margins(partial(random_sizes, 10**6, 10), 20e-3),
    "n=1e9 k=30": Margins(partial(random_sizes, 10**9, 30), 200e-3),
    "n=1e6 k=100": Margins(partial(random_sizes, 10**6, 100), 2.0),
    "n=5e5 1e6 pairs of sizes": Margins(sizes_that_differ, 1.0),
}


class Inputs(NamedTuple):
    """Two partitions as each package wants them."""

    row_sums: NDArray[np.int64]
    col_sums: NDArray[np.int64]
    contingency: Any
    n_samples: int


@lru_cache(maxsize=1)
def make_inputs(case: str) -> Inputs:
    first, second = MEAN_CASES[case].make()
    contingency = contingency_matrix(first, second, sparse=True)
    return Inputs(
        np.asarray(contingency.sum(axis=1)).ravel(),
        np.asarray(contingency.sum(axis=0)).ravel(),
        contingency,
        len(first),
    )


def our_mean(inputs: Inputs) -> float:
    return PermutationModel(inputs.row_sums, inputs.col_sums).expected_mutual_info()


def sklearn_mean(inputs: Inputs) -> float:
    return expected_mutual_information(inputs.contingency, inputs.n_samples)


def genieclust_adjusted(inputs: Inputs) -> float:
    """Return the adjusted index: there is no function for the expected value alone."""
    return genieclust.adjusted_mi_score(inputs.contingency)


def clustering_mi_adjusted(inputs: Inputs) -> float:
    """Return the observed minus the expected value: the latter alone is not to be had."""
    return clustering_mi.mutual_information(inputs.contingency, variation="adjusted")


class ExpectedMutualInfo:
    """The mean from cluster sizes (ours) or from a table (the others), without counting it."""

    param_names = ("case", "peer")
    params = (list(MEAN_CASES), [OURS, SKLEARN, GENIECLUST, CLUSTERING_MI])
    quick = frozenset(["n=1e4 k=10", "n=1e4 k=100", "n=1e6 k=10", "n=1e5 446 distinct sizes"])
    targets: dict[str, tuple[Target, ...]] = {
        case: (Faster(SKLEARN, mean.times),) for case, mean in MEAN_CASES.items()
    }
    # scikit-learn takes minutes.
    timeout = 1200

    def setup(self, case: str, peer: str) -> None:
        function = {
            OURS: our_mean,
            SKLEARN: sklearn_mean,
            GENIECLUST: genieclust and genieclust_adjusted,
            CLUSTERING_MI: clustering_mi and clustering_mi_adjusted,
        }[peer]
        if function is None:
            raise NotImplementedError
        self.function = function
        self.inputs = make_inputs(case)
        if peer in (GENIECLUST, CLUSTERING_MI):
            if np.prod(self.inputs.contingency.shape) > _MAX_DENSE_CELLS:
                raise NotImplementedError
            self.inputs = self.inputs._replace(contingency=self.inputs.contingency.toarray())

    def time_expected_mutual_info(self, case: str, peer: str) -> None:
        self.function(self.inputs)


class Moments:
    """Mean and variance, all that a standardized index needs beside the observed value."""

    param_names = ("case", "peer")
    params = (list(MOMENT_CASES), [OURS])
    quick = frozenset(MOMENT_CASES)
    targets: dict[str, tuple[Target, ...]] = {
        case: (AtMost(margins.seconds),) for case, margins in MOMENT_CASES.items()
    }

    def setup(self, case: str, peer: str) -> None:
        self.row_sums, self.col_sums = MOMENT_CASES[case].make()

    def time_mean_and_variance(self, case: str, peer: str) -> None:
        model = PermutationModel(self.row_sums, self.col_sums)
        model.expected_mutual_info()
        model.mutual_info_variance()


if __name__ == "__main__":
    main([ExpectedMutualInfo, Moments], __doc__)
