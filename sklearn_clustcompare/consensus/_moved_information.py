"""What an index of information sees of a table after a move, without the table.

A move changes two clusters and two cells, and so four terms of the entropies.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._chance.columns import ColumnMeans
from sklearn_clustcompare._chance.permutation import PermutationModel, information_law
from sklearn_clustcompare._numerics import ordered_sum
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare.consensus._moves import CellFunction, CrispMoves

FloatArray = NDArray[np.float64]


class InformationMoves:
    """Entropies of order q of both partitions, and of their product, after each move.

    ``term`` is what a cell adds to the joint entropy, and ``amounts`` is what the moves add to it.
    """

    def __init__(
        self,
        moves: CrispMoves,
        term: CellFunction,
        amounts: FloatArray,
        means: ColumnMeans,
    ) -> None:
        self._moves, self._means = moves, means
        rows, cols, joint = (
            math.fsum(term.function(sums, 0, 0).tolist())
            for sums in (moves.row_sums, moves.col_sums, moves.counts)
        )
        self._rows = rows
        self._cols = (cols + moves.change_of_clusters(term)).tolist()
        self._joint = (joint + amounts).tolist()
        one_side = len(moves.row_sums) in (1, moves.n_samples)
        trivial = one_side | np.isin(moves.n_clusters, (1, moves.n_samples))
        self._is_trivial = trivial.tolist()

    def after(self, number: int) -> MovedInformation | ContingencyTable:
        """Return what an index sees after a move; the table where ratios may be 0/0."""
        if self._is_trivial[number]:
            return self._moves.after(number)
        rows, cols, joint = self._rows, self._cols[number], self._joint[number]
        given = (joint - cols, joint - rows)
        return MovedInformation(
            self._moves, number, self._means, (rows, cols), rows + cols - joint, given
        )


@dataclass(frozen=True)
class MovedInformation:
    """A table after a move, of which an index of information sees these parts."""

    moves: CrispMoves
    number: int
    means: ColumnMeans
    entropies: tuple[float, float]
    mutual_info: float
    given: tuple[float, float]
    is_whole: bool = True
    is_identity: bool = False

    @property
    def n_samples(self) -> int:
        return self.moves.n_samples

    @property
    def row_sums(self) -> NDArray[np.int64]:
        return self.moves.row_sums

    @cached_property
    def col_sums(self) -> NDArray[np.int64]:
        return self.moves.col_sums_after(self.number)

    @property
    def gap(self) -> float:
        return abs(self.given[0] - self.given[1])

    @property
    def model(self) -> MovedInformation:
        return self

    @property
    def excess(self) -> float:
        expected = self.expected_cluster_conditional_entropy()
        return min(map(ordered_sum, expected)) - min(self.given)

    @property
    def standard_deviation(self) -> float:
        model = PermutationModel(self.row_sums, self.col_sums)
        return information_law(model, self.means.q).standard_deviation

    def expected_mutual_info(self, q: float = 1.0) -> float:
        rows, cols = self.entropies
        true, pred = map(ordered_sum, self.expected_cluster_conditional_entropy())
        return rows - true if rows < cols else cols - pred

    def expected_cluster_conditional_entropy(self, q: float = 1.0) -> tuple[FloatArray, FloatArray]:
        """Return parts of both means, by column; q is the order of the view."""
        return self.means(self.col_sums)
