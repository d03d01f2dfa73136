"""Tables of partitions of different objects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._partition import Labels, Partition, Reading
from sklearn_clustcompare._partition.noise import treat_one, warn_of_other_noise


class PartialTable(NamedTuple):
    """Cells of the common objects, and the sizes of the clusters with all of theirs.

    A ContingencyTable has the same attributes; its sizes are the sums of the cells.
    """

    cell_rows: NDArray[np.int64]
    cell_cols: NDArray[np.int64]
    cell_counts: NDArray[np.int64]
    row_sums: NDArray[np.int64]
    col_sums: NDArray[np.int64]


class _Present(NamedTuple):
    """The objects that a partition has, by their numbers, their codes and the cluster sizes."""

    objects: NDArray[np.int64]
    codes: NDArray[np.int64]
    sizes: NDArray[np.int64]


class PartialPartitions(NamedTuple):
    """Partitions of which each has its own objects; those that are left out as noise are absent."""

    members: list[_Present]

    @classmethod
    def read(
        cls,
        partitions: Sequence[Partition],
        objects: Sequence[NDArray[np.int64]],
        reading: Reading,
    ) -> PartialPartitions:
        """Take labels and the numbers of their objects."""
        return cls(
            [_present(*one, reading) for one in zip(partitions, objects, strict=True)],
        )

    def of_groups(
        self, groups: Sequence[tuple[int, ...]], both_ways: bool
    ) -> Iterator[tuple[int, int, PartialTable, float]]:
        """Yield the two partitions of each pair, their table, and the share of objects counted."""
        for first, second in (pair for group in groups for pair in combinations(group, 2)):
            yield first, second, self.table(first, second), 1.0
            if both_ways and first != second:
                yield second, first, self.table(second, first), 1.0

    def table(self, first: int, second: int) -> PartialTable:
        """Count two partitions on their common objects, of which there may be none."""
        true, pred = self.members[first], self.members[second]
        _, ours, theirs = np.intersect1d(
            true.objects, pred.objects, assume_unique=True, return_indices=True
        )
        n_cols = max(len(pred.sizes), 1)
        keys = true.codes[ours] * n_cols + pred.codes[theirs]
        cells, counts = np.unique(keys, return_counts=True)
        return PartialTable(*np.divmod(cells, n_cols), counts, true.sizes, pred.sizes)


def _present(partition: Partition, objects: NDArray[Any], reading: Reading) -> _Present:
    if not isinstance(partition, Labels):
        msg = (
            f"{partition.name} must be labels, to be compared on different objects, got "
            "memberships: take the largest of each row, .argmax(axis=1)"
        )
        raise ValueError(msg)
    treated, kept = treat_one(partition, reading)
    labels, sizes = treated.compact()
    warn_of_other_noise(labels, reading)
    return _Present(objects if kept is None else objects[kept], labels.codes, sizes)
