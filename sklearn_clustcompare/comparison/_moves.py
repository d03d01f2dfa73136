"""Local search for a partition that agrees best with others, on average.

Objects that have the same label in every partition move as one: they form a cell of the common
refinement, and the search sees cells and their sizes only. What a move does to the index with one
partition depends on nothing but the class of the cell in that partition, where it comes from and
goes to, and its size; so each distinct move is evaluated once, from the table with four numbers
changed, however many cells could make it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from sklearn_clustcompare._numerics import TIE
from sklearn_clustcompare._partition import Labels
from sklearn_clustcompare._partition.reading import DEFAULT
from sklearn_clustcompare._table.contingency import ContingencyTable, count_read
from sklearn_clustcompare._table.views import PairTable, SeesPairs, SquareSums
from sklearn_clustcompare.indices import Index

# A cell may join so many clusters, those it shares most with; all of them if there are no more.
MAX_TARGETS = 20
_CELLS_AT_ONCE = 256


class Search(NamedTuple):
    """Where a search ended: cluster of each cell, averages on the way, whether none is better."""

    labels: NDArray[np.intp]
    history: list[float]
    is_optimum: bool


@dataclass(frozen=True)
class Agreement:
    """Average index of a labeling of cells with several partitions of them.

    ``codes`` has a row per partition with the class of each cell, ``sizes`` the number of objects
    in each cell. Clusters are numbered in the order in which they appear.
    """

    codes: NDArray[np.intp]
    sizes: NDArray[np.int64]
    index: Index
    parameters: dict[str, Any]

    def scores(self, labels: NDArray[np.intp]) -> NDArray[np.float64]:
        """Return the index with each partition."""
        found = Labels.of_codes(labels)
        return np.array(
            [
                self._value(count_read(Labels.of_codes(codes), found, self.sizes, DEFAULT))
                for codes in self.codes
            ]
        )

    def average(self, labels: NDArray[np.intp]) -> float:
        return mean(self.scores(labels))

    def climb(
        self,
        labels: NDArray[np.intp],
        max_iter: int,
        generator: np.random.RandomState | np.random.Generator,
    ) -> Search:
        """Move cells to other clusters, or to a new one, as long as that raises the average."""
        history = [self.average(labels)]
        for _ in range(max_iter):
            gains, targets = self._best_moves(labels)
            worth = np.flatnonzero(gains > TIE * abs(history[-1]))
            ties = generator.permutation(len(worth))
            order = worth[np.lexsort((ties, -gains[worth]))]
            moved = self._move_many(labels, targets, order, history[-1])
            if moved is None:
                return Search(labels, history, is_optimum=True)
            labels = moved
            history.append(self.average(labels))
        return Search(labels, history, is_optimum=False)

    def _move_many(
        self,
        labels: NDArray[np.intp],
        targets: NDArray[np.intp],
        order: NDArray[np.intp],
        current: float,
    ) -> NDArray[np.intp] | None:
        """Make the first moves, as many as do best together, or return None if none does."""
        best, best_value = None, current
        n_moves = len(order)
        while n_moves:
            trial = labels.copy()
            trial[order[:n_moves]] = targets[order[:n_moves]]
            trial = in_order_of_appearance(trial)
            value = self.average(trial)
            if is_better(value, best_value, self.index):
                best, best_value = trial, value
            n_moves //= 2
        return best

    def _best_moves(self, labels: NDArray[np.intp]) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
        """Return how much each cell's best move raises the average, and where it goes."""
        targets = self._targets(labels)
        change = np.zeros(targets.shape)
        for codes in self.codes:
            moves, number = _distinct_moves(codes, labels, self.sizes, targets)
            change += self._changes(moves)[number]
        change /= len(self.codes) if self.index.greater_is_better else -len(self.codes)
        best = change.argmax(axis=1)
        cells = np.arange(len(labels))
        return change[cells, best], targets[cells, best]

    def _targets(self, labels: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return the clusters that each cell might join, a new one among them."""
        n_cells, n_clusters = len(labels), int(labels.max(initial=-1)) + 1
        if n_clusters <= MAX_TARGETS:
            return np.tile(np.arange(n_clusters + 1), (n_cells, 1))
        n_classes = self.codes.max(axis=1) + 1
        classes = (self.codes.T + (np.cumsum(n_classes) - n_classes)).ravel()
        starts = np.arange(n_cells + 1) * len(self.codes)
        of_class = csr_array((np.ones(len(classes)), classes, starts))
        shares = self.sizes / np.bincount(labels, self.sizes)[labels]
        in_cluster = csr_array((shares, labels, np.arange(n_cells + 1)))
        together = csr_array(of_class.T @ in_cluster)
        targets = np.full((n_cells, MAX_TARGETS + 1), n_clusters)
        for start in range(0, n_cells, _CELLS_AT_ONCE):
            block = slice(start, start + _CELLS_AT_ONCE)
            shared = (of_class[block] @ together).toarray()
            targets[block, 1:] = shared.argpartition(-MAX_TARGETS, axis=1)[:, -MAX_TARGETS:]
        return targets

    def _changes(self, moves: _Moves) -> NDArray[np.float64]:
        """Return how each move changes the index."""
        if self.index.pairs:
            return self._changes_of_squares(moves)
        counts = moves.counts.copy()
        before = self._value(_table(moves, counts))
        changes = np.zeros(len(moves.sizes))
        steps = zip(
            moves.sources.tolist(), moves.targets.tolist(), moves.sizes.tolist(), strict=True
        )
        for number, (source, target, size) in enumerate(steps):
            if source != target:
                counts[source] -= size
                counts[target] += size
                changes[number] = self._value(_table(moves, counts)) - before
                counts[source] += size
                counts[target] -= size
        return changes

    def _changes_of_squares(self, moves: _Moves) -> NDArray[np.float64]:
        """Return how each move changes the index, by what it adds to the sums of squares."""
        row_sums = np.zeros(int(moves.rows.max(initial=-1)) + 1, np.int64)
        col_sums = np.zeros(int(moves.cols.max(initial=-1)) + 1, np.int64)
        np.add.at(row_sums, moves.rows, moves.counts)
        np.add.at(col_sums, moves.cols, moves.counts)
        cells, rows, cols = (int(sums @ sums) for sums in (moves.counts, row_sums, col_sums))
        n_samples = int(row_sums.sum())

        def growth(left: NDArray[np.int64], joined: NDArray[np.int64]) -> list[int]:
            grown = 2 * moves.sizes * (joined - left + moves.sizes)
            return np.where(moves.sources != moves.targets, grown, 0).tolist()

        def value(more_in_cells: int, more_in_cols: int) -> float:
            squares = SquareSums(cells + more_in_cells, rows, cols + more_in_cols)
            return self._value(PairTable.of_squares(n_samples, squares))

        before = value(0, 0)
        changes: dict[tuple[int, int], float] = {(0, 0): 0.0}
        steps = list(
            zip(
                growth(moves.counts[moves.sources], moves.counts[moves.targets]),
                growth(col_sums[moves.cols[moves.sources]], col_sums[moves.cols[moves.targets]]),
                strict=True,
            )
        )
        for step in steps:
            if step not in changes:
                changes[step] = value(*step) - before
        return np.array([changes[step] for step in steps])

    def _value(self, table: SeesPairs) -> float:
        return float(self.index.function(table, **self.parameters))


class _Moves(NamedTuple):
    """A table, cell by cell, and moves that differ: cell left, cell joined, number of objects."""

    rows: NDArray[np.intp]
    cols: NDArray[np.intp]
    counts: NDArray[np.int64]
    sources: NDArray[np.intp]
    targets: NDArray[np.intp]
    sizes: NDArray[np.int64]


def _distinct_moves(
    codes: NDArray[np.intp],
    labels: NDArray[np.intp],
    sizes: NDArray[np.int64],
    targets: NDArray[np.intp],
) -> tuple[_Moves, NDArray[np.intp]]:
    """Return the distinct moves, and which one is each move of each cell."""
    n_cols = int(labels.max(initial=-1)) + 2  # one of them new
    kinds = product(product(codes, labels), sizes)
    _, first = np.unique(kinds, return_index=True)
    distinct, number = np.unique(kinds[:, np.newaxis] * n_cols + targets, return_inverse=True)
    moved, to = first[distinct // n_cols], distinct % n_cols
    sources, joined = codes * n_cols + labels, codes[moved] * n_cols + to
    # The cells joined take part from the start, empty if nothing is in them yet.
    cells = np.unique(np.append(sources, joined))
    counts = np.zeros(len(cells), np.int64)
    np.add.at(counts, np.searchsorted(cells, sources), sizes)
    moves = _Moves(
        cells // n_cols,
        cells % n_cols,
        counts,
        np.searchsorted(cells, sources[moved]),
        np.searchsorted(cells, joined),
        sizes[moved],
    )
    return moves, number.reshape(targets.shape)


def _table(moves: _Moves, counts: NDArray[np.int64]) -> ContingencyTable:
    return count_read(Labels.of_codes(moves.rows), Labels.of_codes(moves.cols), counts, DEFAULT)


def product(first: NDArray[Any], second: NDArray[Any]) -> NDArray[np.intp]:
    """Number the pairs of non-negative codes in the order in which they appear.

    The first must have no more distinct codes than objects; the second is compressed to that.
    """
    second = in_order_of_appearance(second)
    return in_order_of_appearance(first * (int(second.max(initial=0)) + 1) + second)


def in_order_of_appearance(codes: NDArray[Any]) -> NDArray[np.intp]:
    """Number codes from zero, in the order in which they appear."""
    _, first, number = np.unique(codes, return_index=True, return_inverse=True)
    rank = np.empty(len(first), np.intp)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[number]


def is_better(value: float, other: float, index: Index) -> bool:
    """Return whether an average is better than another by more than rounding."""
    gain = value - other if index.greater_is_better else other - value
    return gain > TIE * max(abs(value), abs(other))


def mean(values: NDArray[np.float64]) -> float:
    """Return the mean, the same for every order of the values."""
    return math.fsum(values.tolist()) / len(values)
