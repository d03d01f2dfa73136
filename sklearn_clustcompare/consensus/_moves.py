"""Moves of single cells to other clusters, and how each changes the table with one partition.

What a move does to the table of a crisp partition depends on nothing but the class of the cell in
that partition, the cluster it leaves and the one it joins, and its size: moves that agree in these
are one.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from sklearn_clustcompare._array_types import Array, FloatArray, IntArray, Mask, Positions
from sklearn_clustcompare._partition import Labels
from sklearn_clustcompare._table import ContingencyTable, count_read
from sklearn_clustcompare._table.counts import CountedPairs, SquareSums
from sklearn_clustcompare.consensus._ensemble import Member

# Cells of a table for all moves together that are evaluated at once.
_MAX_CELLS = 2**22


class CellFunction(NamedTuple):
    """A function of cells and of both cluster sizes, and whether it looks at the sizes."""

    function: Callable[[Any, Any, Any], Any]
    uses_sizes: bool


class CrispMoves:
    """The table of a partition, cell by cell, and distinct moves: from which cell, to which, size.

    ``number`` has the distinct move of each object of the search and of each of its targets.
    """

    def __init__(
        self,
        cells: tuple[Positions, Positions, IntArray],
        left: Positions,
        joined: Positions,
        sizes: IntArray,
        number: Positions,
    ) -> None:
        self.rows, self.cols, self.counts = cells
        self.left, self.joined, self.sizes, self.number = left, joined, sizes, number
        self.sources, self.targets = self.cols[left], self.cols[joined]

    @cached_property
    def n_samples(self) -> int:
        return int(self.counts.sum())

    @cached_property
    def row_sums(self) -> IntArray:
        return _sums(self.rows, self.counts)

    @cached_property
    def col_sums(self) -> IntArray:
        return _sums(self.cols, self.counts)

    @property
    def n_clusters(self) -> Positions:
        """How many clusters are left after each move."""
        sums = self.col_sums
        stays = self.sources == self.targets
        made = (sums[self.targets] == 0) * 1 - (sums[self.sources] == self.sizes)
        return np.count_nonzero(sums) + np.where(stays, 0, made)

    def col_sums_after(self, number: int) -> IntArray:
        """Return the cluster sizes after a move."""
        sums = self.col_sums.copy()
        sums[self.sources[number]] -= self.sizes[number]
        sums[self.targets[number]] += self.sizes[number]
        return sums[sums > 0]

    @cached_property
    def _squares(self) -> SquareSums:
        sums = (self.counts, self.row_sums, self.col_sums)
        return SquareSums._make(int(one @ one) for one in sums)

    @cached_property
    def _growth(self) -> tuple[IntArray, IntArray]:
        """What each move adds to the sums of squared cells and of squared cluster sizes."""
        pairs = (
            (self.counts[self.left], self.counts[self.joined]),
            (self.col_sums[self.sources], self.col_sums[self.targets]),
        )
        stays = self.sources == self.targets
        cells, cols = (
            np.where(stays, 0, 2 * self.sizes * (joined - left + self.sizes))
            for left, joined in pairs
        )
        return cells, cols

    def amounts(self, cell: CellFunction | None) -> FloatArray | None:
        """Return by how much each move changes a sum over the cells, or None if not known."""
        if cell is None:
            return None
        if cell.uses_sizes:
            shape = len(self.row_sums), len(self.col_sums)
            if shape[0] * max(len(self.sizes), shape[1]) > _MAX_CELLS:
                return None
            table = np.zeros(shape)
            table[self.rows, self.cols] = self.counts
            moved = np.zeros((len(self.sizes), shape[0]))
            moved[np.arange(len(moved)), self.rows[self.left]] = self.sizes
            return _all_rows(cell, table, moved, self.sources, self.targets)
        return self._change(cell, self.counts, self.left, self.joined)

    def change_of_clusters(self, term: CellFunction) -> FloatArray:
        """Return by how much each move changes a sum over the clusters."""
        return self._change(term, self.col_sums, self.sources, self.targets)

    def _change(
        self,
        term: CellFunction,
        counts: IntArray,
        left: Positions,
        joined: Positions,
    ) -> FloatArray:
        before = term.function(counts, 0, 0)
        # Where objects leave a cluster for itself, too many may seem to leave.
        fewer, more = np.maximum(counts[left] - self.sizes, 0), counts[joined] + self.sizes
        change = term.function(fewer, 0, 0) - before[left]
        change = change + term.function(more, 0, 0) - before[joined]
        return np.where(self.sources == self.targets, 0.0, change)

    def groups(self, amounts: FloatArray | None, *, by_pairs: bool) -> list[Positions]:
        """Return groups of moves whose values lie on a line, in the order of their amounts."""
        moves = self.sources != self.targets
        if amounts is None:
            kinds = [np.arange(len(moves))]
            if by_pairs:
                kinds = list(self._growth)
            return _grouped(kinds, np.zeros(len(moves)), moves)
        kinds = [self._growth[1]]
        if not by_pairs:  # the names of the clusters do not matter, only their sizes
            sums = self.col_sums
            kinds = [self.sizes, sums[self.sources], sums[self.targets]]
        return _grouped(kinds, amounts, moves)

    def after_in_pairs(self, number: int) -> CountedPairs:
        """Return what an index of pairs is a function of after a move."""
        cells, cols = (int(growth[number]) for growth in self._growth)
        squares = self._squares
        squares = SquareSums(squares.cells + cells, squares.rows, squares.cols + cols)
        return CountedPairs.of_squares(self.n_samples, squares)

    def after(self, number: int) -> ContingencyTable:
        """Return the table after a move."""
        counts = self.counts.copy()
        counts[self.left[number]] -= self.sizes[number]
        counts[self.joined[number]] += self.sizes[number]
        return count_read(Labels.of_codes(self.rows), Labels.of_codes(self.cols), counts)


class SoftMoves(NamedTuple):
    """Moves of each cell: rows of the table lose and gain its memberships."""

    shares: FloatArray
    labels: Positions
    weights: IntArray
    cells: Positions
    targets: Positions
    number: Positions
    n_cols: int

    @property
    def sizes(self) -> IntArray:
        return self.weights[self.cells]

    @property
    def sources(self) -> Positions:
        return self.labels[self.cells]

    def amounts(self, cell: CellFunction | None) -> FloatArray | None:
        """Return by how much each move changes a sum over the cells, or None if not known."""
        n_cols = self.n_cols
        if cell is None or self.shares.shape[1] * max(len(self.cells), n_cols) > _MAX_CELLS:
            return None
        weighted = self.shares * self.weights[:, np.newaxis]
        table = np.zeros((n_cols, self.shares.shape[1]))
        np.add.at(table, self.labels, weighted)
        return _all_rows(cell, table.T, weighted[self.cells], self.sources, self.targets)

    def groups(self, amounts: FloatArray | None, *, by_pairs: bool) -> list[Positions]:
        """Return groups of moves whose values lie on a line, in the order of their amounts."""
        moves = self.sources != self.targets
        if amounts is None:
            return _grouped([np.arange(len(moves))], np.zeros(len(moves)), moves)
        return _grouped([self.sources, self.targets, self.sizes], amounts, moves)


Moves = CrispMoves | SoftMoves


def crisp_moves(
    member: Member,
    labels: Positions,
    sizes: IntArray,
    targets: Positions | None,
    n_cols: int,
) -> CrispMoves:
    """Return the distinct moves of the cells of a partition to their targets; None for all."""
    codes = member.codes
    assert codes is not None
    _, size_kinds = np.unique(sizes, return_inverse=True)
    kinds = (codes * n_cols + labels) * len(sizes) + size_kinds
    _, first, kinds = np.unique(kinds, return_index=True, return_inverse=True)
    if targets is None:
        number = kinds[:, np.newaxis] * n_cols + np.arange(n_cols)
        distinct = np.arange(len(first) * n_cols)
    else:
        keys = kinds[:, np.newaxis] * n_cols + targets
        distinct, number = np.unique(keys, return_inverse=True)
        number = number.reshape(targets.shape)
    moved, to = first[distinct // n_cols], distinct % n_cols
    sources, joined = codes * n_cols + labels, codes[moved] * n_cols + to
    # The cells joined take part from the start, empty if nothing is in them yet.
    cells = np.unique(np.append(sources, joined))
    counts = np.zeros(len(cells), np.int64)
    np.add.at(counts, np.searchsorted(cells, sources), sizes)
    return CrispMoves(
        (cells // n_cols, cells % n_cols, counts),
        np.searchsorted(cells, sources[moved]),
        np.searchsorted(cells, joined),
        sizes[moved],
        number,
    )


def soft_moves(
    member: Member,
    labels: Positions,
    sizes: IntArray,
    targets: Positions | None,
    n_cols: int,
) -> SoftMoves:
    """Return all moves of the cells of a soft partition to their targets; None for all."""
    if targets is None:
        targets = np.tile(np.arange(n_cols), (len(labels), 1))
    number = np.arange(targets.size).reshape(targets.shape)
    cells = np.repeat(np.arange(len(labels)), targets.shape[1])
    return SoftMoves(member.shares, labels, sizes, cells, targets.ravel(), number, n_cols)


def _sums(codes: Positions, counts: IntArray) -> IntArray:
    sums = np.zeros(int(codes.max(initial=-1)) + 1, np.int64)
    np.add.at(sums, codes, counts)
    return sums


def _all_rows(
    cell: CellFunction,
    table: FloatArray,
    moved: FloatArray,
    sources: Positions,
    targets: Positions,
) -> FloatArray:
    """Return by how much moves of rows of objects between two columns change a sum over cells."""
    row_sums, col_sums = table.sum(axis=1), table.sum(axis=0)
    sizes = moved.sum(axis=1)

    def total(counts: FloatArray, columns: FloatArray) -> FloatArray:
        # A function of the sizes need not be defined for a cluster without objects.
        occupied = np.where(columns > 0, columns, 1.0)[:, np.newaxis]
        rows, occupied = np.broadcast_arrays(row_sums, occupied)
        return np.asarray(cell.function(np.maximum(counts, 0), rows, occupied)).sum(axis=1)

    before = total(table.T, col_sums)
    left = total(table.T[sources] - moved, col_sums[sources] - sizes)
    joined = total(table.T[targets] + moved, col_sums[targets] + sizes)
    return np.where(sources == targets, 0.0, left + joined - before[sources] - before[targets])


def _grouped(kinds: list[Array], amounts: FloatArray, is_move: Mask) -> list[Positions]:
    """Divide the moves by what they have in common, each group in the order of its amounts."""
    chosen = np.flatnonzero(is_move)
    if not len(chosen):
        return []
    chosen = chosen[np.lexsort((amounts[chosen], *(kind[chosen] for kind in kinds)))]
    differs = np.zeros(len(chosen) - 1, bool)
    for kind in kinds:
        differs |= np.diff(kind[chosen]) != 0
    return np.split(chosen, np.flatnonzero(differs) + 1)
