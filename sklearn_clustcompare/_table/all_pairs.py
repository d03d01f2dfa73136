"""Tables of all pairs of many partitions, which are encoded once.

Three partitions are counted together where that table is small next to the objects: its three
margins are the tables of three pairs, for one pass over the objects.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._kernels import fits_densely
from sklearn_clustcompare._partition.labels import Encoding
from sklearn_clustcompare._partition.several import as_labels
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare._table.reading import tabulate
from sklearn_clustcompare._table.views import PairTable, SquareSums

# Objects counted at a time, so that the temporaries stay in cache.
_BLOCK = 2**15
# Sums of squares of this many objects hold in int64.
_MAX_OBJECTS = 2**31

Group = tuple[int, ...]


class PartitionSize(NamedTuple):
    """What the tables of one partition have in common."""

    sums: NDArray[np.int64]
    labels: NDArray[np.int64]
    square_sum: float


class CodedPartitions(NamedTuple):
    """Partitions of the same objects: codes from zero of shape (m, n), all of them in use."""

    codes: NDArray[Any]
    sizes: list[PartitionSize]
    pairs: bool

    @classmethod
    def of(cls, encodings: Sequence[Encoding], pairs: bool) -> CodedPartitions:
        """Number the clusters; ``pairs`` tells that indices will see numbers of pairs only."""
        compact = [_in_use(encoding) for encoding in encodings]
        n_codes = max((len(sums) for _, sums in compact), default=0)
        n_objects = len(compact[0][0]) if compact else 0
        # Not smaller: the type in which cells of small tables are numbered needs no conversion.
        dtype = np.uint16 if n_codes <= 2**16 else np.min_scalar_type(n_codes)
        codes = np.empty((len(compact), n_objects), dtype)
        for row, (one, _) in zip(codes, compact, strict=True):
            row[:] = one
        return cls(
            codes,
            [PartitionSize(sums, np.arange(len(sums)), int(sums @ sums)) for _, sums in compact],
            pairs,
        )

    def of_group(
        self, group: Group, both_ways: bool
    ) -> Iterator[tuple[int, int, ContingencyTable | PairTable]]:
        """Yield the two partitions of each pair of a group, and what an index sees of them."""
        for first, second, table in self._of_group(group):
            yield first, second, table
            if both_ways and first != second:
                yield second, first, table.T

    def _of_group(self, group: Group) -> Iterator[tuple[int, int, ContingencyTable | PairTable]]:
        shape = tuple(len(self.sizes[one].sums) for one in group)
        if len(group) == 3 and shape[0] * shape[1] * shape[2] <= self.codes.shape[1]:
            counts = _count([self.codes[one] for one in group], shape)
            first, second, third = group
            # Sums of floats are matrix products, and exact for counts below 2**53.
            cells = counts.astype(np.float64)
            ones = np.ones(max(shape))
            yield first, second, self._table(first, second, cells @ ones[: shape[2]])
            yield first, third, self._table(first, third, ones[: shape[1]] @ cells)
            flat = ones[: shape[0]] @ cells.reshape(shape[0], shape[1] * shape[2])
            yield second, third, self._table(second, third, flat)
            return
        for first, second in combinations(group, 2):
            yield first, second, self.table(first, second)

    def table(self, first: int, second: int) -> ContingencyTable | PairTable:
        """Return what an index sees of two partitions."""
        shape = (len(self.sizes[first].sums), len(self.sizes[second].sums))
        n_objects = self.codes.shape[1]
        if fits_densely(shape, n_objects) and n_objects < _MAX_OBJECTS:
            return self._table(
                first, second, _count([self.codes[first], self.codes[second]], shape)
            )
        true, pred = (
            Encoding(self.codes[one], 0, n_codes, None)
            for one, n_codes in zip((first, second), shape, strict=True)
        )
        table = ContingencyTable._from_encodings(true, pred)
        return PairTable.of_squares(n_objects, table.square_sums) if self.pairs else table

    def _table(self, first: int, second: int, counts: NDArray[Any]) -> ContingencyTable | PairTable:
        rows, cols = self.sizes[first], self.sizes[second]
        dense = counts.ravel().astype(np.int64, copy=False)
        if self.pairs:
            squares = SquareSums(int(dense @ dense), rows.square_sum, cols.square_sum)
            return PairTable.of_squares(self.codes.shape[1], squares)
        return DenseTable._of(dense, rows, cols, self.codes.shape[1])


class MixedPartitions(NamedTuple):
    """Partitions of which some are soft: encodings and arrays of memberships."""

    partitions: list[Any]
    titles: list[str]
    moments: bool

    def of_group(
        self, group: Group, both_ways: bool
    ) -> Iterator[tuple[int, int, ContingencyTable]]:
        """Yield the two partitions of each pair of a group, and their table."""
        for first, second in combinations(group, 2):
            yield first, second, self._table(first, second)
            # Not the transposed table: products of matrices round as they like.
            if both_ways and first != second:
                yield second, first, self._table(second, first)

    def _table(self, first: int, second: int) -> ContingencyTable:
        return tabulate(
            as_labels(self.partitions[first]),
            as_labels(self.partitions[second]),
            moments=self.moments,
            names=(self.titles[first], self.titles[second]),
        )


class DenseTable(ContingencyTable):
    """A table that was counted densely and whose margins are known.

    Its occupied cells are found when an index asks for them: many need the sums only.
    """

    _dense: NDArray[np.int64]

    _build = ContingencyTable._build

    @classmethod
    def _of(
        cls, dense: NDArray[np.int64], rows: PartitionSize, cols: PartitionSize, n_objects: int
    ) -> DenseTable:
        table = object.__new__(cls)
        parts = table.__dict__
        parts["_dense"] = dense
        parts["row_sums"], parts["row_labels"], row_squares = rows
        parts["col_sums"], parts["col_labels"], col_squares = cols
        parts["soft"], parts["_n_dropped"], parts["n_samples"] = None, 0, n_objects
        parts["square_sums"] = SquareSums(int(dense @ dense), row_squares, col_squares)
        return table

    @cached_property
    def _cells(self) -> NDArray[np.int64]:  # type: ignore[override]
        return self._dense.astype(bool).nonzero()[0]

    @cached_property
    def cell_counts(self) -> NDArray[np.int64]:  # type: ignore[override]
        return self._dense[self._cells]

    @cached_property
    def T(self) -> DenseTable:
        rows = PartitionSize(self.row_sums, self.row_labels, self.square_sums.rows)
        cols = PartitionSize(self.col_sums, self.col_labels, self.square_sums.cols)
        dense = self._dense.reshape(self.shape).T.ravel()
        return self._of(dense, cols, rows, self.n_samples)

    @property
    def is_whole(self) -> bool:
        return True

    @property
    def is_identity(self) -> bool:
        return self.shape[0] == self.shape[1] == np.count_nonzero(self._dense)


def _count(codes: list[NDArray[Any]], shape: tuple[int, ...]) -> NDArray[np.int64]:
    """Count how often the codes of two or three partitions occur together."""
    n_objects = len(codes[0])
    if n_objects <= _BLOCK:
        return _count_block(codes, shape)
    counts = np.zeros(shape, np.int64)
    for start in range(0, n_objects, _BLOCK):
        counts += _count_block([one[start : start + _BLOCK] for one in codes], shape)
    return counts


def _count_block(codes: list[NDArray[Any]], shape: tuple[int, ...]) -> NDArray[np.int64]:
    n_cells = math.prod(shape)
    dtype = np.uint16 if n_cells < 2**16 else np.int64
    cells = np.multiply(codes[0], shape[1], dtype=dtype, casting="same_kind")
    cells += codes[1]
    if len(codes) == 3:
        cells *= shape[2]
        cells += codes[2]
    return np.bincount(cells, minlength=n_cells).reshape(shape)


def _in_use(encoding: Encoding) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Number the codes that occur from zero, in their order, and count each."""
    codes = encoding.zero_based()
    if not fits_densely((encoding.n_codes, 1), len(codes)):
        _, codes, sums = np.unique(codes, return_inverse=True, return_counts=True)
    else:
        sums = np.bincount(codes, minlength=encoding.n_codes)
        occurs = sums > 0
        if not occurs.all():
            codes, sums = (np.cumsum(occurs) - 1)[codes], sums[occurs]
    return codes.astype(np.min_scalar_type(len(sums)), copy=False), sums


def pair_groups(n_partitions: int) -> list[Group]:
    """Divide all pairs of partitions into groups of up to three: each pair is in one group.

    This is Bose's system of triples on the points ``(x, level)``, x modulo an odd number and
    three levels, less the points that are too many.
    """
    modulus = 2 * -(-(n_partitions - 3) // 6) + 1 if n_partitions > 3 else 1
    half = (modulus + 1) // 2

    def point(x: int, level: int) -> int:
        return x % modulus + modulus * (level % 3)

    triples = [(point(x, 0), point(x, 1), point(x, 2)) for x in range(modulus)]
    triples += [
        (point(x, level), point(y, level), point((x + y) * half, level + 1))
        for x, y in combinations(range(modulus), 2)
        for level in range(3)
    ]
    groups = (tuple(sorted(one for one in triple if one < n_partitions)) for triple in triples)
    return [group for group in groups if len(group) > 1]
