"""The average index of a partition with several others."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

import numpy as np

from sklearn_clustcompare._array_types import FloatArray, Positions
from sklearn_clustcompare._numerics import TIE, two_product
from sklearn_clustcompare._partition import Labels, Memberships
from sklearn_clustcompare._table import ContingencyTable, count_read
from sklearn_clustcompare.consensus._ensemble import Ensemble
from sklearn_clustcompare.indices import Index


@dataclass(frozen=True)
class Agreement:
    """Average index of a labeling of the cells with the partitions of an ensemble.

    Clusters are numbered in the order in which they appear.
    """

    ensemble: Ensemble
    index: Index
    parameters: Mapping[str, Any]
    _averages: dict[bytes, float] = field(default_factory=dict, init=False, repr=False)

    def scores(self, labels: Positions) -> FloatArray:
        """Return the index with each distinct partition."""
        tables = (self._table(one, labels) for one in range(len(self.ensemble.kinds)))
        values = (self.index.function(table, **self.parameters) for table in tables)
        return np.fromiter(values, np.float64, len(self.ensemble.kinds))

    def average(self, labels: Positions) -> float:
        key = blake2b(labels.tobytes(), digest_size=16).digest()
        if key not in self._averages:
            self._averages[key] = mean(self.scores(labels), self.ensemble.weights)
        return self._averages[key]

    def _table(self, number: int, labels: Positions) -> ContingencyTable:
        ensemble, kinds = self.ensemble, self.ensemble.kinds[number]
        sizes, known = ensemble.sizes, kinds >= 0
        if not known.all():
            kinds, sizes, labels = kinds[known], sizes[known], labels[known]
        found, shares = Labels.of_codes(labels), ensemble.memberships.get(number)
        if shares is None:
            return count_read(Labels.of_codes(kinds), found, sizes)
        classes = np.arange(shares.shape[1])
        partition = Memberships(shares[known], classes, "partitions", ensemble.reading)
        partition.is_judged = True
        return count_read(partition, found, sizes, ensemble.reading, moments=self.index.moments)


def value_of(
    index: Index, parameters: Mapping[str, Any], labels_true: Positions, labels_pred: Positions
) -> float:
    """Return the index of two labelings, of the objects that both know."""
    known = (labels_true >= 0) & (labels_pred >= 0)
    table = count_read(Labels.of_codes(labels_true[known]), Labels.of_codes(labels_pred[known]))
    return float(index.function(table, **parameters))


def distances_of(values: Any, index: Index) -> Any:
    return 1.0 - values if index.greater_is_better else values


def is_better(value: float, other: float, index: Index) -> bool:
    """Return whether an average is better than another by more than rounding."""
    gain = index.sign * (value - other)
    return gain > TIE * max(abs(value), abs(other))


def mean(values: FloatArray, weights: FloatArray | None = None) -> float:
    """Return the mean, the same for every order of the values, and for weights that are counts."""
    if weights is None:
        return math.fsum(values.tolist()) / len(values)
    products = two_product(values, weights) if np.isfinite(values).all() else (values * weights,)
    return math.fsum(np.concatenate(products).tolist()) / math.fsum(weights.tolist())
