"""Objects by their clusters in a reference and in some candidates, and tables of some of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from sklearn_clustcompare._kernels import number_codes
from sklearn_clustcompare._partition import (
    DEFAULT,
    Labels,
    Partition,
    Reading,
    partners,
    read,
    read_beside,
    read_weights,
)
from sklearn_clustcompare._partition.arrays import check_some_weight, check_whole_weights
from sklearn_clustcompare._table import ContingencyTable, count_read

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

_FEWEST_OBJECTS = 4
FEWEST_GROUPS = 10
# A task takes candidates up to so many codes: it keeps several numbers for each.
_CODES_PER_TASK = 2**21
# Groups, and objects with memberships, are left out one by one up to this number, else in parts.
MOST_UNITS = 1000


class JointCells(NamedTuple):
    """Objects by their clusters in a reference and in some candidates: the occupied cells.

    All partitions hold one object for each cell, and labels have all their codes in use. With
    memberships each object is a cell. ``reading`` specifies how to treat noise. ``units`` numbers
    the sampling unit of each cell, if these are not single objects, with -1 for the last one, which
    is never left out alone; ``n_groups`` is the number of groups that the units are made of.
    """

    reference: Partition
    candidates: tuple[Partition, ...]
    counts: IntArray
    reading: Reading = DEFAULT
    units: IntArray | None = None
    n_groups: int = 0

    @classmethod
    def of(
        cls,
        sides: Sequence[Partition],
        weights: NDArray[Any] | None = None,
        reading: Reading = DEFAULT,
        groups: Labels | None = None,
    ) -> JointCells:
        """Count partitions of the same objects together, the reference first."""
        sizes = frequencies(sides[0], weights)
        weighed = np.flatnonzero(sizes)
        if len(weighed) < len(sizes):
            sides, sizes = [side.take(weighed) for side in sides], sizes[weighed]
            groups = None if groups is None else groups.take(weighed)
        n_groups = 0
        if groups is not None:
            groups, members = groups.compact()
            n_groups = len(members)
            check_several_groups("groups", n_groups)
        # Codes are kept in the smallest type of integers, as there may be thousands of candidates.
        sides = [side.compact()[0].shrunk() if isinstance(side, Labels) else side for side in sides]
        labels = [side for side in sides if isinstance(side, Labels)]
        if len(labels) < len(sides):
            units = None if groups is None else in_parts(n_groups, MOST_UNITS)[groups.codes]
            if units is None and len(sizes) > MOST_UNITS:
                units = in_parts(len(sizes), MOST_UNITS)
            return cls(sides[0], tuple(sides[1:]), sizes, reading, units, n_groups)
        if groups is not None:
            # Several groups make a unit, if there are many; those left over are one more code.
            units = in_parts(n_groups, MOST_UNITS)[groups.codes]
            n_codes = int(units.max()) + 2
            labels.append(groups._replace(codes=units % n_codes, n_codes=n_codes, classes=None))
        if len(labels) == 2:
            given = None if weights is None else sizes
            return cls._of_table(labels[0], labels[1], given, reading)
        cells, n_cells = np.zeros(len(sizes), np.int64), 1
        for one in labels:
            n_cells *= one.n_codes
            occupied, cells, _ = number_codes(cells * one.n_codes + one.codes, n_cells)
            n_cells = len(occupied)
        an_object = np.empty(n_cells, np.intp)
        an_object[cells] = np.arange(len(sizes))
        counts = np.zeros(n_cells, np.int64)
        np.add.at(counts, cells, sizes)
        reference, *candidates = (one.take(an_object) for one in labels)
        units = None
        if groups is not None:
            units = candidates.pop().codes.astype(np.int64)
            units[units == n_codes - 1] = -1
        return cls(reference, tuple(candidates), counts, reading, units, n_groups)

    @classmethod
    def _of_table(
        cls, true: Labels, pred: Labels, sizes: IntArray | None, reading: Reading
    ) -> JointCells:
        """Count two partitions alone, which is faster."""
        table = count_read(true, pred, sizes)
        sides = [
            side._replace(codes=codes, ids=None).shrunk()
            for side, codes in ((true, table.cell_rows), (pred, table.cell_cols))
        ]
        return cls(sides[0], (sides[1],), table.cell_counts, reading)

    @property
    def n_samples(self) -> int:
        return int(self.counts.sum())

    @property
    def n_units(self) -> int:
        """Number of sampling units: objects, groups or blocks of either."""
        return self.n_samples if self.units is None else int(self.units.max()) + 1

    @property
    def unit_counts(self) -> NDArray[Any]:
        """Number of sampling units of each kind: objects of each cell, or one."""
        return self.counts if self.units is None else np.ones(self.n_units)

    def without_units(self) -> Iterator[IntArray]:
        """Yield the counts of the cells without one unit of each kind."""
        for kind in range(len(self.unit_counts)):
            if self.units is None:
                yield self.counts - (np.arange(len(self.counts)) == kind)
            else:
                yield np.where(self.units == kind, 0, self.counts)

    @property
    def are_crisp(self) -> NDArray[np.bool_]:
        """Return for each candidate whether both it and the reference are labels."""
        crisp = [isinstance(side, Labels) for side in self.candidates]
        return np.array(crisp, np.bool_) & isinstance(self.reference, Labels)

    def n_clusters(self, candidate: int) -> int:
        side = self.candidates[candidate]
        return side.n_codes if isinstance(side, Labels) else len(side.labels)

    def blocks(self) -> Iterator[JointCells]:
        """Divide the candidates into those of one task each."""
        size = max(1, _CODES_PER_TASK // len(self.counts))
        for start in range(0, len(self.candidates), size):
            yield self._replace(candidates=self.candidates[start : start + size])

    def pairs(self) -> Iterator[LabeledPair | SoftPair]:
        """Yield the reference with each candidate."""
        for candidate in self.candidates:
            if isinstance(self.reference, Labels) and isinstance(candidate, Labels):
                yield LabeledPair.of(self.reference, candidate, self.reading)
            else:
                yield SoftPair(self.reference, candidate, self.reading)


def joint_cells(
    partitions: Sequence[Any],
    names: Sequence[str],
    sample_weight: Any = None,
    groups: Any = None,
    reading: Reading = DEFAULT,
) -> JointCells:
    """Count a reference and candidates together; ``names`` are their names in messages."""
    read_sides = (read(one, name, reading) for one, name in zip(partitions, names, strict=True))
    sides = partners(*read_sides)
    weights = read_weights(sample_weight, sides[0])
    return JointCells.of(sides, weights, reading, read_groups(groups, sides[0]))


def read_groups(groups: Any, reference: Partition) -> Labels | None:
    """Read the sampling unit of each object."""
    return None if groups is None else read_beside(reference, groups, "groups")


def in_parts(n_units: int, most: int) -> IntArray:
    """Return the part of each unit: itself up to ``most`` units, else one of equal parts of them.

    Parts are drawn at random, as units may be sorted. Units that are left over are in none: -1.
    """
    size = -(-n_units // most)
    if size <= 1:
        return np.arange(n_units)
    n_parts = n_units // size
    parts = np.full(n_units, -1)
    drawn = np.random.default_rng(0).permutation(n_units)[: n_parts * size]
    parts[drawn] = np.arange(n_parts * size) % n_parts
    return parts


def check_several_groups(name: str, n_groups: int) -> None:
    """Raise ValueError for groups that are too few to show how a score varies."""
    if n_groups < FEWEST_GROUPS:
        msg = (
            f"{name} must hold at least {FEWEST_GROUPS} groups for a sampling error, got {n_groups}"
        )
        raise ValueError(msg)


def frequencies(reference: Partition, weights: NDArray[Any] | None) -> IntArray:
    """Return how often each object occurs in the sample; raise ValueError if not a count."""
    sizes = np.ones(reference.n_objects, np.int64) if weights is None else weights
    check_whole_weights(sizes, "where objects are the sample")
    check_some_weight(sizes)
    n_samples = int(sizes.sum())
    if n_samples < _FEWEST_OBJECTS:
        msg = (
            f"{reference.name} must hold at least {_FEWEST_OBJECTS} objects for a sampling error, "
            f"got {n_samples}"
        )
        raise ValueError(msg)
    return sizes


# --------------------------------------------------------------------------- tables of half samples


class LabeledPair(NamedTuple):
    """The reference and a candidate by joint cells, and which of those a cell of their table holds.

    ``true`` and ``pred`` are the labels of the cells of the table, and ``kinds`` numbers the cell
    of each joint cell. ``members`` of shape (n_table_cells, n_cells) adds up joint cells.
    """

    true: Labels
    pred: Labels
    kinds: NDArray[Any]
    members: sparse.csr_array
    reading: Reading = DEFAULT

    @classmethod
    def of(cls, true: Labels, pred: Labels, reading: Reading = DEFAULT) -> LabeledPair:
        numbers = true.zero_based() * pred.n_codes + pred.zero_based()
        occupied, cells, _ = number_codes(numbers, true.n_codes * pred.n_codes)
        rows, cols = np.divmod(occupied, pred.n_codes)
        true, pred = true._replace(codes=rows), pred._replace(codes=cols)
        return cls(true, pred, cells, _adding(cells), reading)

    def tables(self, drawn: IntArray, moments: bool) -> Iterator[ContingencyTable]:
        """Yield the table of each draw; ``drawn`` has the shape (n_draws, n_cells)."""
        for counts in np.ascontiguousarray((self.members @ drawn.T).T):
            yield count_read(self.true, self.pred, counts, self.reading)


class SoftPair(NamedTuple):
    """The reference and a candidate by object, of which at least one is soft."""

    true: Partition
    pred: Partition
    reading: Reading = DEFAULT

    def tables(self, drawn: IntArray, moments: bool) -> Iterator[ContingencyTable]:
        """Yield the table of each draw; ``drawn`` has the shape (n_draws, n_objects)."""
        for row in drawn:
            chosen = np.flatnonzero(row)
            true, pred = self.true.take(chosen), self.pred.take(chosen)
            weights = row[chosen] if row.max() > 1 else None
            yield count_read(true, pred, weights, self.reading, moments=moments)


def _adding(codes: IntArray) -> sparse.csr_array:
    """Return the matrix of 0 and 1 that adds up entries with the same code."""
    ones = np.ones(len(codes), np.int64)
    return sparse.csr_array((ones, (codes, np.arange(len(codes)))))
