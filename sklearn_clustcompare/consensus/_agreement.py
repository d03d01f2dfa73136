"""The average index of a partition with several others, and how single moves change it.

Moves that change the sizes of the clusters in the same way differ in one sum over the cells of
the table. Where the record declares the index linear in that sum, it is evaluated for the
lowest and for the highest of the sums; the others lie between them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from hashlib import blake2b
from typing import Any

import numpy as np

from sklearn_clustcompare._array_types import Array, FloatArray, Positions
from sklearn_clustcompare._chance.exact_law import ColumnMeans
from sklearn_clustcompare._numerics import TIE, deformed_log, two_product
from sklearn_clustcompare._partition import Labels, Memberships
from sklearn_clustcompare._table import ContingencyTable, count_read
from sklearn_clustcompare._table.counts import Margins
from sklearn_clustcompare.consensus._ensemble import Ensemble, Member
from sklearn_clustcompare.consensus._moved_information import InformationMoves
from sklearn_clustcompare.consensus._moves import (
    CellFunction,
    CrispMoves,
    Moves,
    crisp_moves,
    soft_moves,
)
from sklearn_clustcompare.indices import Index

# A cell may join so many clusters, those it shares most with; all of them if there are no more.
MAX_TARGETS = 20


@dataclass(frozen=True)
class Agreement:
    """Average index of a labeling of the cells with the partitions of an ensemble.

    Clusters are numbered in the order in which they appear.
    """

    ensemble: Ensemble
    index: Index
    parameters: Mapping[str, Any]
    _means: dict[int, ColumnMeans] = field(default_factory=dict, init=False, repr=False)
    _scores: dict[bytes, FloatArray] = field(default_factory=dict, init=False, repr=False)

    def scores(self, labels: Positions) -> FloatArray:
        """Return the index with each distinct partition."""
        key = digest(labels)
        if key not in self._scores:
            tables = (self._table(one, labels[one.cells]) for one in self.ensemble.members)
            self._scores[key] = np.array([self._value(table) for table in tables])
        return self._scores[key]

    def average(self, labels: Positions) -> float:
        return mean(self.scores(labels), self.ensemble.weights)

    def changes(self, labels: Positions, targets: Positions | None) -> FloatArray:
        """Return by how much the average gets better with each move of each cell.

        ``targets`` has the clusters that each cell may join; None for all, and a new one.
        """
        ensemble = self.ensemble
        n_cols = int(labels.max(initial=-1)) + 2  # one of them new
        total = np.zeros((ensemble.n_cells, n_cols if targets is None else targets.shape[1]))
        scores, weights = self.scores(labels).tolist(), ensemble.weights.tolist()
        for position, (score, weight) in enumerate(zip(scores, weights, strict=True)):
            cells = ensemble.members[position].cells
            own = targets if targets is None else targets[cells]
            changed = self._after_moves(position, score, labels[cells], own, n_cols)
            total[cells] += weight * (changed - score)
        total /= math.fsum(ensemble.weights.tolist())
        return total if self.index.greater_is_better else -total

    def n_counted(self, labels: Positions) -> int:
        """Return how many tables are counted one by one for the moves of all cells."""
        if self.index.pairs or self._quantity is not None:
            return 0
        n_targets = min(int(labels.max(initial=-1)) + 2, MAX_TARGETS + 1)
        return n_targets * sum(len(one.cells) for one in self.ensemble.members)

    # ----------------------------------------------------------------- one partition

    def _table(self, member: Member, labels: Positions) -> ContingencyTable:
        sizes, found = self.ensemble.sizes[member.cells], Labels.of_codes(labels)
        if member.codes is not None:
            return count_read(Labels.of_codes(member.codes), found, sizes)
        classes = np.arange(member.shares.shape[1])
        partition = Memberships(member.shares, classes, "partitions", self.ensemble.reading)
        partition.note_judged()
        reading = self.ensemble.reading
        return count_read(partition, found, sizes, reading, moments=self.index.moments)

    def _value(self, table: ContingencyTable) -> float:
        return float(self.index.function(table, **self.parameters))

    def _value_of(self, statistic: Any, margins: Margins) -> float:
        return float(self.index.of_statistic(statistic, margins, **self.parameters))

    def _after_moves(
        self,
        position: int,
        score: float,
        labels: Positions,
        targets: Positions | None,
        n_cols: int,
    ) -> FloatArray:
        """Return the index, now ``score``, with a partition after each move of each cell."""
        member = self.ensemble.members[position]
        sizes = self.ensemble.sizes[member.cells]
        make = soft_moves if member.codes is None else crisp_moves
        moves = make(member, labels, sizes, targets, n_cols)
        amounts = moves.amounts(self._cell_function(int(sizes.sum())))
        after = self._after(position, labels, moves, amounts)
        values = np.full(len(moves.sizes), score)
        for group in moves.groups(amounts, by_pairs=self.index.pairs):
            ends = [group[0]]
            if amounts is not None and amounts[group[0]] < amounts[group[-1]]:
                ends.append(group[-1])
            first, *others = map(after, ends)
            values[group] = first
            if amounts is not None:
                for last in others:
                    rise = amounts[group] - amounts[group[0]]
                    values[group] += rise / rise[-1] * (last - first)
        return values[moves.number]

    def _after(
        self,
        position: int,
        labels: Positions,
        moves: Moves,
        amounts: FloatArray | None,
    ) -> Callable[[int], float]:
        """Return a function of a move: the index of the table after it."""
        member = self.ensemble.members[position]
        if not isinstance(moves, CrispMoves):

            def after(number: int) -> float:
                trial = labels.copy()
                trial[moves.cells[number]] = moves.targets[number]
                return self._value(self._table(member, trial))

            return after
        if self.index.pairs:
            return lambda number: self._value_of(*moves.after_in_pairs(number))
        if self._quantity == "information" and amounts is not None:
            means = self._means.get(position)
            if means is None:
                means = self._means[position] = ColumnMeans(moves.row_sums, self._order)
            moved = InformationMoves(moves, self._entropy_term(moves.n_samples), amounts, means)
            # Where ratios may be 0/0, the table tells whether the partitions are equal.

            def after_in_information(number: int) -> float:
                # Where ratios may be 0/0, the table tells whether the partitions are equal.
                if moved.is_trivial[number]:
                    return self._value(moves.after(number))
                information = moved.after(number)
                return self._value_of(information, information)

            return after_in_information
        return lambda number: self._value(moves.after(number))

    @property
    def _quantity(self) -> str | None:
        return self.index.linear_quantity(**self.parameters)

    def _cell_function(self, n_samples: int) -> CellFunction | None:
        """Return what is summed over the table that the index is linear in, for given sizes."""
        quantity = self._quantity
        if quantity == "pairs":
            return CellFunction(lambda n, a, b: n * n, uses_sizes=False)
        if quantity == "information":
            return self._entropy_term(n_samples)
        if quantity == "cells" and self.index.statistic is not None:
            cell_sum = self.index.statistic.cell_sum(self.parameters)
            return CellFunction(cell_sum.function, uses_sizes=True)
        return None

    @property
    def _order(self) -> float:
        return float(self.parameters.get("q", 1.0))

    def _entropy_term(self, n_samples: int) -> CellFunction:
        return CellFunction(partial(_entropy_term, n_samples, self._order), uses_sizes=False)


def _entropy_term(n_samples: int, q: float, n: Array, a: Array, b: Array) -> FloatArray:
    """Return what a cell adds to the joint entropy of order q."""
    n = np.maximum(n, 0)
    occupied = np.where(n > 0, n, n_samples)
    terms: FloatArray = occupied / n_samples * deformed_log(n_samples, occupied, q)
    return terms


def digest(labels: Positions) -> bytes:
    """Return a short key of a partition."""
    return blake2b(labels.tobytes(), digest_size=16).digest()


def is_better(value: float, other: float, index: Index) -> bool:
    """Return whether an average is better than another by more than rounding."""
    gain = value - other if index.greater_is_better else other - value
    return gain > TIE * max(abs(value), abs(other))


def mean(values: FloatArray, weights: FloatArray | None = None) -> float:
    """Return the mean, the same for every order of the values, and for weights that are counts."""
    if weights is None:
        return math.fsum(values.tolist()) / len(values)
    product, rest = two_product(values, weights)
    terms = np.concatenate([product, rest]) if np.isfinite(product).all() else product
    return math.fsum(terms.tolist()) / math.fsum(weights.tolist())
