"""Distances between partitions of different objects.

Let g be n (n + 1) / 2, or n log n + n, and G the sum of it over the clusters of a partition. With M
the sum over the cells of the common objects both distances are G(true) + G(pred) - 2 M, and that of
a partition to the one without objects is its G.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.special import xlogy

from sklearn_clustcompare._numerics import ordered_sum
from sklearn_clustcompare._parameters import boolean, one_of
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare._table.many import PartialTable
from sklearn_clustcompare.indices._claims import CLAIMS
from sklearn_clustcompare.indices._record import REGISTERED, Index
from sklearn_clustcompare.indices._sums import normalized_distance_properties
from sklearn_clustcompare.indices._undefined import require_whole


class PartialDifference(NamedTuple):
    """How far apart two partitions are: objects of one only, and what moved; both sizes G."""

    deleted: int
    inserted: int
    moved: float
    size: float

    def distance(self, *, normalize: bool) -> float:
        distance = self.moved + (self.deleted + self.inserted)
        if not normalize:
            return float(distance)
        # Steinhaus' transform, by the distances to the partition without objects.
        return 2 * distance / (self.size + distance) if distance else 0.0


def partial_difference(table: ContingencyTable | PartialTable, kind: str) -> PartialDifference:
    """Compare two partitions; an object that one of them lacks is a cluster of its own there."""
    if isinstance(table, ContingencyTable):
        require_whole(table, "partial_partition_distance", "mirkin_distance")
    n_true, n_pred, n_common = (
        int(sums.sum()) for sums in (table.row_sums, table.col_sums, table.cell_counts)
    )
    measure = _pairs if kind == "pairs" else _information
    moved, within = measure(table)
    return PartialDifference(n_true - n_common, n_pred - n_common, moved, within + n_true + n_pred)


def partial_partition(table: Any, *, kind: str = "pairs", normalize: bool = False) -> float:
    return partial_difference(table, kind).distance(normalize=normalize)


def unit(*, kind: str = "pairs", normalize: bool = False) -> str:
    return "" if normalize else {"pairs": "pairs and objects", "information": "nats"}[kind]


def _pairs(table: ContingencyTable | PartialTable) -> tuple[int, int]:
    """Return the numbers of pairs together in one partition only, and in each, added up."""
    cells, rows, cols = (
        # Of Python's integers: squares of large clusters exceed those of NumPy.
        sum(n * (n - 1) // 2 for n in sums.tolist())
        for sums in (table.cell_counts, table.row_sums, table.col_sums)
    )
    return rows + cols - 2 * cells, rows + cols


def _information(table: ContingencyTable | PartialTable) -> tuple[float, float]:
    """Return N VI in nats as a sum of non-negative terms, and the sum of all a log a."""
    counts = table.cell_counts
    terms = []
    for sums, of_cells in ((table.row_sums, table.cell_rows), (table.col_sums, table.cell_cols)):
        absent = sums - np.bincount(of_cells, counts, len(sums)).astype(np.int64)
        terms += [counts * np.log1p((sums[of_cells] - counts) / counts), absent * np.log(sums)]
    within = [xlogy(sums, sums) for sums in (table.row_sums, table.col_sums)]
    return ordered_sum(np.concatenate(terms)), ordered_sum(np.concatenate(within))


REGISTERED["partial_partition_distance"] = Index(
    "partial_partition_distance",
    partial_partition,
    partial=True,
    by_parameters=normalized_distance_properties,
    unit=unit,
    source="Mirkin (1996); Meila (2007); Marczewski & Steinhaus (1958)",
    parameters={"kind": one_of("pairs", "information"), "normalize": boolean},
    **CLAIMS["partial_partition_distance"],
)
