"""Cluster sizes of one partition, with equal ones grouped."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._kernels import group_sizes
from sklearn_clustcompare._numerics import FloatArray, power_gap


class Margin(NamedTuple):
    """Distinct cluster sizes of one partition, ascending, and their frequencies."""

    sizes: FloatArray
    multiplicities: FloatArray

    @classmethod
    def from_sums(cls, sums: NDArray[np.int64]) -> Margin:
        return cls(*group_sizes(sums, len(sums))[0])

    def sort_key(self) -> tuple[int, list[float], list[float]]:
        return self.sizes.size, self.sizes.tolist(), self.multiplicities.tolist()

    def is_trivial(self) -> bool:
        """Whether there is one cluster or only singletons, so that all tables are equal."""
        if self.sizes.size != 1:
            return not self.sizes.size
        return bool(self.multiplicities[0] < 2 or self.sizes[0] == 1)

    def is_all_but_one(self) -> bool:
        """Whether there are two clusters, and one of them is a single object."""
        return bool(self.sizes[0] == 1 and self.multiplicities.sum() == 2)

    def total(self, values: FloatArray) -> float:
        """Add up a value of each size over all clusters."""
        return math.fsum(values * self.multiplicities)

    def positions(self, sizes: FloatArray) -> NDArray[np.intp]:
        """Return the positions of some sizes among the distinct ones."""
        return np.searchsorted(self.sizes, sizes)

    def pairs_together(self, n_members: int = 2) -> int:
        """Count the ordered tuples of distinct objects of one cluster, exactly."""
        return sum(
            int(count) * math.perm(int(size), n_members)
            for size, count in zip(self.sizes, self.multiplicities, strict=True)
        )


def margin_entropy(margin: Margin, n_samples: float, q: float) -> float:
    """H_q of the cluster sizes."""
    return float(np.sum(entropy_parts(margin, n_samples, q) * margin.multiplicities))


def entropy_parts(margin: Margin, n_samples: float, q: float) -> FloatArray:
    """Contribution of each cluster size to H_q, accurate if one has nearly all objects."""
    share = margin.sizes / max(n_samples, 1.0)
    rest = np.minimum(n_samples - margin.sizes, n_samples / 2.0) / max(n_samples, 1.0)
    log_share = np.where(share < 0.5, np.log(share), np.log1p(-rest))
    return share * power_gap(np.ones_like(share), share, -log_share, q - 1.0)
