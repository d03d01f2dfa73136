"""Tables of all pairs of many partitions, which are encoded once.

For pairs of objects three partitions are counted together if their table is small relative to the
objects: its three margins are the tables of three pairs, from one pass over the objects.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._kernels import (
    count_pair,
    fits_densely,
    number_codes,
    square_sums_together,
)
from sklearn_clustcompare._partition import Labels, Partition, Reading
from sklearn_clustcompare._partition.ids import CommonObjects, common_objects
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare._table.counts import Counts
from sklearn_clustcompare._table.margins import CountedPairs, SquareSums
from sklearn_clustcompare._table.reading import count_read, require_objects

# Sums of squares of this many objects fit into int64.
_MAX_OBJECTS = 2**31

Group = tuple[int, ...]


class CodedPartitions(NamedTuple):
    """Partitions of the same objects: codes from zero of shape (m, n), all of them in use.

    The numbers of clusters and the sums of their squared sizes are plain numbers, and the codes one
    array: it is sent to other processes with every task.
    """

    codes: NDArray[Any]
    n_codes: list[int]
    square_sums: list[int]
    pairs: bool

    @classmethod
    def of(cls, partitions: Sequence[Labels], pairs: bool) -> CodedPartitions:
        """Number the clusters; ``pairs`` if indices need numbers of pairs only."""
        n_objects = partitions[0].n_objects if partitions else 0
        # Not smaller: the type of cell numbers of small tables needs no conversion.
        codes: NDArray[Any] = np.empty((len(partitions), n_objects), np.uint16)
        n_codes, square_sums = [], []
        for number, one in enumerate(partitions):
            given = one.zero_based() if one.low else one.codes
            _, codes_in_use, sums = number_codes(given, one.n_codes)
            if len(sums) - 1 > np.iinfo(codes.dtype).max:
                codes = codes.astype(np.min_scalar_type(len(sums)))
            codes[number] = codes_in_use
            n_codes.append(len(sums))
            square_sums.append(int(sums @ sums))
        return cls(codes, n_codes, square_sums, pairs)

    def of_groups(
        self, groups: Sequence[Group], both_ways: bool
    ) -> Iterator[tuple[int, int, ContingencyTable | CountedPairs, float]]:
        """Yield the two partitions of each pair, the input of an index, and the coverage."""
        for first, second, table in self._pairs(groups) if self.pairs else self._tables(groups):
            yield first, second, table, 1.0
            if both_ways and first != second:
                yield second, first, table.T, 1.0

    def _pairs(self, groups: Sequence[Group]) -> Iterator[tuple[int, int, CountedPairs]]:
        n_objects = self.codes.shape[1]
        if not self._fits_densely(groups):
            for first, second, table in self._tables(groups):
                yield first, second, CountedPairs.of_squares(n_objects, table.square_sums)
            return
        found = square_sums_together(self.codes, groups, self.n_codes)
        for group, square_sums in zip(groups, found, strict=True):
            for (first, second), cells in zip(combinations(group, 2), square_sums, strict=True):
                squares = SquareSums(cells, self.square_sums[first], self.square_sums[second])
                yield first, second, CountedPairs.of_squares(n_objects, squares)

    def _tables(self, groups: Sequence[Group]) -> Iterator[tuple[int, int, ContingencyTable]]:
        labels = [
            Labels(codes, 0, n_codes, None)
            for codes, n_codes in zip(self.codes, self.n_codes, strict=True)
        ]
        for first, second in (pair for group in groups for pair in combinations(group, 2)):
            packed = count_pair(self.codes[first], self.codes[second])
            counts = (packed,) if packed else Counts.of_labels(labels[first], labels[second])
            yield first, second, ContingencyTable._of(*counts)

    def _fits_densely(self, groups: Sequence[Group]) -> bool:
        """Return whether the tables of all pairs are worth the memory of all their cells."""
        most = max(self.n_codes[one] for group in groups for one in group)
        n_objects = self.codes.shape[1]
        return fits_densely((most, most), n_objects) and n_objects < _MAX_OBJECTS


class AnyPartitions(NamedTuple):
    """Partitions of which some are soft or have noise: every pair is counted separately.

    ``objects`` are the numbers of the objects of each partition if these differ, so that each pair
    is compared on the objects that both have.
    """

    partitions: list[Partition]
    reading: Reading
    moments: bool
    objects: list[NDArray[np.int64]] | None = None

    def of_groups(
        self, groups: Sequence[Group], both_ways: bool
    ) -> Iterator[tuple[int, int, ContingencyTable, float]]:
        """Yield the two partitions of each pair, their table, and the share of objects counted."""
        for first, second in (pair for group in groups for pair in combinations(group, 2)):
            yield first, second, *self.table(first, second)
            # Not the transposed table: products of matrices may round differently.
            if both_ways and first != second:
                yield second, first, *self.table(second, first)

    def table(self, first: int, second: int) -> tuple[ContingencyTable, float]:
        """Count two partitions on their common objects; return the share of these."""
        true, pred, coverage = self.partitions[first], self.partitions[second], 1.0
        common = self.common(first, second)
        if common is not None:
            true, pred = true.take(common.first), pred.take(common.second)
            coverage = common.coverage
        table = count_read(true, pred, None, self.reading, moments=self.moments)
        return require_objects(table), coverage * table.coverage

    def common(self, first: int, second: int) -> CommonObjects | None:
        """Return the common objects of a pair, or None if all have the same objects."""
        if self.objects is None:
            return None
        names = (self.partitions[first].name, self.partitions[second].name)
        return common_objects(self.objects[first], self.objects[second], names)


def pair_groups(n_partitions: int) -> list[Group]:
    """Divide all pairs of partitions into groups of up to three: each pair is in one group.

    This is Bose's system of triples on the points ``(x, level)``, x modulo an odd number and
    three levels, without the surplus points.
    """
    modulus = 2 * -(-(n_partitions - 3) // 6) + 1 if n_partitions > 3 else 1
    x = np.arange(modulus)
    first, second = np.triu_indices(modulus, 1)
    third = (first + second) * ((modulus + 1) // 2) % modulus
    triples = [(x, x + modulus, x + 2 * modulus)]
    for level, above in ((0, 1), (1, 2), (2, 0)):
        triples.append((first + level * modulus, second + level * modulus, third + above * modulus))
    together = np.sort(np.hstack(triples).T)
    n_real = (together < n_partitions).sum(axis=1).tolist()
    return [tuple(triple[:n]) for triple, n in zip(together.tolist(), n_real, strict=True) if n > 1]
