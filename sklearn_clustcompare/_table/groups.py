"""Objects in groups, such as documents or images: clusters of different groups differ."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._partition import (
    Labels,
    Partition,
    Reading,
    read_beside,
    read_pair,
    read_weights,
)
from sklearn_clustcompare._partition.labels import as_objects
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare._table.counts import Counts
from sklearn_clustcompare._table.reading import count_read, require_objects


class Groups(NamedTuple):
    """Names of the groups and the positions of the objects of each."""

    names: list[Any]
    positions: list[NDArray[np.intp]]

    @classmethod
    def read(cls, within: Any, reference: Partition) -> Groups:
        """Read the group of each object of a partition."""
        labels = read_beside(reference, within, "within")
        if not labels.n_objects:
            msg = "within must hold at least one object, got none"
            raise ValueError(msg)
        labels, sizes = labels.compact()
        names = labels.labels_of(np.arange(labels.n_codes)).tolist()
        return cls(names, _positions(labels.codes, sizes))

    def take(self, positions: NDArray[np.intp]) -> Groups:
        """Return the groups of the objects at these positions, empty ones among them."""
        codes = np.empty(sum(map(len, self.positions)), np.intp)
        for code, members in enumerate(self.positions):
            codes[members] = code
        taken = codes[positions]
        sizes = np.bincount(taken, minlength=len(self.names))
        return Groups(self.names, _positions(taken, sizes))

    def tables(
        self, true: Partition, pred: Partition, weights: NDArray[Any] | None, reading: Reading
    ) -> list[ContingencyTable]:
        """Count two partitions group by group."""
        for side in (true, pred):
            if not isinstance(side, Labels):
                msg = f"{side.name} must be labels where within is given, got memberships"
                raise TypeError(msg)
        return [
            count_read(
                true.take(members),
                pred.take(members),
                None if weights is None else weights[members],
                reading,
            )
            for members in self.positions
        ]


def _positions(codes: NDArray[np.intp], sizes: NDArray[np.int64]) -> list[NDArray[np.intp]]:
    """Return the positions of each code, in their order."""
    return np.split(np.argsort(codes, kind="stable"), np.cumsum(sizes)[:-1])


def count_groups(
    labels_true: Any, labels_pred: Any, sample_weight: Any, within: Any, reading: Reading
) -> tuple[ContingencyTable, list[ContingencyTable]]:
    """Count two partitions in one table of all groups, and group by group."""
    if isinstance(labels_true, ContingencyTable) or labels_pred is None:
        msg = (
            "within must be None unless labels_true and labels_pred are labels: a ContingencyTable "
            "has counted the objects of all groups"
        )
        raise TypeError(msg)
    true, pred = read_pair(labels_true, labels_pred, reading=reading)
    weights = read_weights(sample_weight, true)
    by_group = Groups.read(within, true)
    tables = by_group.tables(true, pred, weights, reading)
    return require_objects(pooled(tables, by_group.names)), tables


def pooled(
    tables: Sequence[ContingencyTable], names: Sequence[Any] | None = None
) -> ContingencyTable:
    """Return one table of all groups, in which no cluster has objects of two groups.

    Clusters are named by group and label if names of the groups are given, else numbered.
    """
    counts = Counts.of_labels(
        _joined([(table.cell_rows, table.row_labels) for table in tables], names),
        _joined([(table.cell_cols, table.col_labels) for table in tables], names),
        np.concatenate([table.cell_counts for table in tables]),
        sum(table._n_dropped for table in tables),
        is_weightless=any(table._is_weightless for table in tables),
    )
    return ContingencyTable._of(*counts)


def _joined(
    sides: Sequence[tuple[NDArray[np.int64], NDArray[Any]]], names: Sequence[Any] | None
) -> Labels:
    """Return the clusters of the cells of the tables in turn, all of them different."""
    starts = np.cumsum([0, *(len(labels) for _, labels in sides)])
    codes = [codes + start for (codes, _), start in zip(sides, starts, strict=False)]
    if names is None:
        return Labels.of_codes(np.concatenate(codes))
    named = [
        (name, label)
        for name, (_, labels) in zip(names, sides, strict=True)
        for label in as_objects(labels).tolist()
    ]
    classes = np.empty(len(named), object)
    classes[:] = named
    return Labels.of_codes(np.concatenate(codes), classes)
