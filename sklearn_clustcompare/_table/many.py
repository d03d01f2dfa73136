"""Tables of many partitions: all pairs, groups of objects, members, different objects.

For pairs of objects three partitions are counted together if their table is small relative to the
objects: its three margins are the tables of three pairs, from one pass over the objects.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from typing import Any, NamedTuple

import numpy as np

from sklearn_clustcompare._array_types import Array, IntArray, Positions
from sklearn_clustcompare._kernels import (
    count_pair,
    fits_densely,
    number_codes,
    square_sums_together,
)
from sklearn_clustcompare._partition import (
    DEFAULT,
    Labels,
    Memberships,
    Partition,
    Reading,
    partners,
    read_beside,
    read_pair,
    read_weights,
)
from sklearn_clustcompare._partition.arrays import plain
from sklearn_clustcompare._partition.labels import as_objects, common_objects
from sklearn_clustcompare._partition.memberships import (
    is_membership_array,
    treat_one,
    warn_of_other_noise,
)
from sklearn_clustcompare._partition.reading import Candidate, each_candidate
from sklearn_clustcompare._table.contingency import ContingencyTable, count_read, require_objects
from sklearn_clustcompare._table.counts import KnownMargins, SquareSums

# Sums of squares of this many objects fit into int64, and fourth powers of so many into floats.
_MAX_OBJECTS, _MAX_EXACT_OBJECTS = 2**31, 2**13

Group = tuple[int, ...]


class CodedPartitions(NamedTuple):
    """Partitions of the same objects: codes from zero of shape (m, n), all of them in use.

    The numbers of clusters and the sums of their squared sizes are plain numbers, and the codes one
    array: it is sent to other processes with every task.
    """

    codes: Array
    n_codes: list[int]
    square_sums: list[int]
    pairs: bool

    @classmethod
    def of(cls, partitions: Sequence[Labels], pairs: bool) -> CodedPartitions:
        """Number the clusters; ``pairs`` if indices need numbers of pairs only."""
        n_objects = partitions[0].n_objects if partitions else 0
        # Not smaller: the type of cell numbers of small tables needs no conversion.
        codes: Array = np.empty((len(partitions), n_objects), np.uint16)
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
    ) -> Iterator[tuple[int, int, ContingencyTable | KnownMargins, float]]:
        """Yield the two partitions of each pair, the input of an index, and the coverage."""
        for first, second, table in self._pairs(groups) if self.pairs else self._tables(groups):
            yield first, second, table, 1.0
            if both_ways and first != second:
                yield second, first, table.T, 1.0

    def sums_of_groups(
        self, groups: Sequence[Group]
    ) -> tuple[list[tuple[int, int]], SquareSums] | None:
        """Return all pairs and arrays of their sums of squares; None where formulas would round."""
        if not self.pairs or self.codes.shape[1] > _MAX_EXACT_OBJECTS:
            return None
        if not self._fits_densely(groups):
            return None
        pairs = list(_pairs_of(groups))
        found = square_sums_together(self.codes, groups, self.n_codes)
        cells = np.fromiter(chain.from_iterable(found), np.int64, len(pairs))
        sizes = np.array(self.square_sums)[np.array(pairs).T]
        return pairs, SquareSums(cells, *sizes)

    def _pairs(self, groups: Sequence[Group]) -> Iterator[tuple[int, int, KnownMargins]]:
        n_objects = self.codes.shape[1]
        if not self._fits_densely(groups):
            for first, second, table in self._tables(groups):
                yield first, second, KnownMargins.of_squares(n_objects, table.square_sums)
            return
        found = square_sums_together(self.codes, groups, self.n_codes)
        for group, square_sums in zip(groups, found, strict=True):
            for (first, second), cells in zip(combinations(group, 2), square_sums, strict=True):
                squares = SquareSums(cells, self.square_sums[first], self.square_sums[second])
                yield first, second, KnownMargins.of_squares(n_objects, squares)

    def _tables(self, groups: Sequence[Group]) -> Iterator[tuple[int, int, ContingencyTable]]:
        labels = [
            Labels(codes, 0, n_codes, None)
            for codes, n_codes in zip(self.codes, self.n_codes, strict=True)
        ]
        for first, second in _pairs_of(groups):
            packed = count_pair(self.codes[first], self.codes[second])
            if packed is not None:
                yield first, second, ContingencyTable._of(packed)
            else:
                sides = labels[first], labels[second]
                yield first, second, ContingencyTable._of_labels(*sides)

    def _fits_densely(self, groups: Sequence[Group]) -> bool:
        """Return whether the tables of all pairs are worth the memory of all their cells."""
        most = max(self.n_codes[one] for group in groups for one in group)
        n_objects = self.codes.shape[1]
        return fits_densely((most, most), n_objects) and n_objects < _MAX_OBJECTS


def _pairs_of(groups: Sequence[Group]) -> Iterator[tuple[int, int]]:
    return chain.from_iterable(combinations(group, 2) for group in groups)


class _OneByOne:
    """Partitions of which every pair is counted separately, by ``table``."""

    table: Callable[[int, int], tuple[Any, float]]

    def of_groups(
        self, groups: Sequence[Group], both_ways: bool
    ) -> Iterator[tuple[int, int, Any, float]]:
        """Yield the two partitions of each pair, their table, and the share of objects counted."""
        for first, second in _pairs_of(groups):
            yield first, second, *self.table(first, second)
            # Not the transposed table: products of matrices may round differently.
            if both_ways and first != second:
                yield second, first, *self.table(second, first)


@dataclass(frozen=True)
class AnyPartitions(_OneByOne):
    """Partitions of which some are soft or have noise: every pair is counted separately.

    ``objects`` are the numbers of the objects of each partition if these differ, so that each pair
    is compared on the objects that both have.
    """

    partitions: list[Partition]
    reading: Reading
    moments: bool
    objects: list[IntArray] | None = None

    def table(self, first: int, second: int) -> tuple[ContingencyTable, float]:
        """Count two partitions on their common objects; return the share of these."""
        true, pred, coverage = self.partitions[first], self.partitions[second], 1.0
        if self.objects is not None:
            ids = self.objects[first], self.objects[second]
            common = common_objects(ids, f"{true.name} and {pred.name}")
            true, pred = true.take(common.places[0]), pred.take(common.places[1])
            coverage = common.coverage
        table = count_read(true, pred, None, self.reading, moments=self.moments)
        return require_objects(table), coverage * table.coverage


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


class PartialTable(NamedTuple):
    """Cells of the common objects, and the sizes of the clusters with all of theirs.

    A ContingencyTable has the same attributes; its sizes are the sums of the cells.
    """

    cell_rows: IntArray
    cell_cols: IntArray
    cell_counts: IntArray
    row_sums: IntArray
    col_sums: IntArray


class _Present(NamedTuple):
    """The objects that a partition has, by their numbers, their codes and the cluster sizes."""

    objects: IntArray
    codes: IntArray
    sizes: IntArray


@dataclass(frozen=True)
class PartialPartitions(_OneByOne):
    """Partitions of which each has its own objects; those that are left out as noise are absent."""

    members: list[_Present]

    @classmethod
    def read(
        cls,
        partitions: Sequence[Partition],
        objects: Sequence[IntArray],
        reading: Reading,
    ) -> PartialPartitions:
        """Take labels and the numbers of their objects."""
        return cls(
            [_present(*one, reading) for one in zip(partitions, objects, strict=True)],
        )

    def table(self, first: int, second: int) -> tuple[PartialTable, float]:
        """Count two partitions on their common objects, of which there may be none."""
        true, pred = self.members[first], self.members[second]
        _, ours, theirs = np.intersect1d(
            true.objects, pred.objects, assume_unique=True, return_indices=True
        )
        n_cols = max(len(pred.sizes), 1)
        keys = true.codes[ours] * n_cols + pred.codes[theirs]
        cells, counts = np.unique(keys, return_counts=True)
        return PartialTable(*np.divmod(cells, n_cols), counts, true.sizes, pred.sizes), 1.0


def _present(partition: Partition, objects: Array, reading: Reading) -> _Present:
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


def list_members(partitions: Any) -> list[Candidate]:
    """List the partitions, of which there must be at least one."""
    members = list(each_candidate(partitions, "partitions", "partition").stream)
    if not members:
        msg = "partitions must hold at least one partition, got none"
        raise ValueError(msg)
    return members


def read_labels_of(members: list[Candidate], reading: Reading = DEFAULT) -> list[Labels]:
    """Read all partitions, which must be labels of the same objects."""
    labels = []
    for member in members:
        partition = member.read(reading)
        if isinstance(partition, Memberships) or is_membership_array(plain(member.values)):
            msg = (
                f"{partition.name} must be a 1-D array of labels, got memberships: convert "
                "them to labels first, for example by the largest of each row"
            )
            raise TypeError(msg)
        labels.append(partition)
    return partners(*labels, unmatched=reading.unmatched)


def number_together(codes: Sequence[Array], n_codes: Sequence[int]) -> tuple[Positions, int]:
    """Number the objects by their codes in all partitions, in the order of these; and how many.

    Codes that split the objects into many cells are sorted together, which is fast for integers of
    16 bits, and finds the cells of all partitions at once.
    """
    cells, n_cells = np.zeros(len(codes[0]), np.int64), 1
    for number, (of_side, n_of_side) in enumerate(zip(codes, n_codes, strict=True)):
        n_cells *= n_of_side
        if not fits_densely((n_cells, 1), len(cells)):
            parts = zip([cells, *codes[number:]], [len(cells), *n_codes[number:]], strict=True)
            keys = [one.astype(np.min_scalar_type(n)) for one, n in parts]
            order = np.lexsort(keys[::-1])
            is_new = np.zeros(len(order), bool)
            for key in keys:
                in_order = key[order]
                is_new[1:] |= in_order[1:] != in_order[:-1]
            cells[order] = np.cumsum(is_new)
            return cells, int(cells.max(initial=-1)) + 1
        occurring, cells, _ = number_codes(cells * n_of_side + of_side, n_cells)
        n_cells = len(occurring)
    return cells, n_cells


def common_cells(codes: Iterable[Array]) -> Positions:
    """Number the objects by their codes in all partitions, as they appear."""
    ordered = [in_order_of_appearance(one) for one in codes]
    n_codes = [int(one.max(initial=0)) + 1 for one in ordered]
    return in_order_of_appearance(number_together(ordered, n_codes)[0])


def in_order_of_appearance(codes: Array) -> Positions:
    """Number codes from zero, in the order in which they appear."""
    most = 64 * len(codes)
    if codes.dtype.kind != "i" or codes.min(initial=0) < 0 or codes.max(initial=0) > most:
        codes = np.unique(codes, return_inverse=True)[1]
    positions = np.arange(len(codes))
    first = np.empty(int(codes.max(initial=0)) + 1, np.intp)
    # Backwards, because the last assignment to a code is the one that counts.
    first[codes[::-1]] = positions[::-1]
    seen = first[codes]
    return np.asarray((np.cumsum(seen == positions) - 1)[seen])


class Groups(NamedTuple):
    """Names of the groups and the positions of the objects of each."""

    names: list[Any]
    positions: list[Positions]

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

    def take(self, positions: Positions) -> Groups:
        """Return the groups of the objects at these positions, empty ones among them."""
        codes = np.empty(sum(map(len, self.positions)), np.intp)
        for code, members in enumerate(self.positions):
            codes[members] = code
        taken = codes[positions]
        sizes = np.bincount(taken, minlength=len(self.names))
        return Groups(self.names, _positions(taken, sizes))

    def tables(
        self, true: Partition, pred: Partition, weights: Array | None, reading: Reading
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


def _positions(codes: Positions, sizes: IntArray) -> list[Positions]:
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
    return ContingencyTable._of_labels(
        _joined([(table.cell_rows, table.row_labels) for table in tables], names),
        _joined([(table.cell_cols, table.col_labels) for table in tables], names),
        np.concatenate([table.cell_counts for table in tables]),
        sum(table._n_dropped for table in tables),
        is_weightless=any(table._is_weightless for table in tables),
    )


def _joined(sides: Sequence[tuple[IntArray, Array]], names: Sequence[Any] | None) -> Labels:
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
