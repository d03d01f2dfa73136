"""The information of a table after a move, without the table.

A move changes two clusters and two cells, and so four terms of the entropies.
"""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np

from sklearn_clustcompare._array_types import FloatArray, IntArray
from sklearn_clustcompare._chance.exact_law import ColumnMeans
from sklearn_clustcompare._chance.law import InformationLaw
from sklearn_clustcompare._chance.permutation import PermutationModel, information_law
from sklearn_clustcompare._numerics import ordered_sum
from sklearn_clustcompare.consensus._moves import CellFunction, CrispMoves
from sklearn_clustcompare.indices._entropies import Information


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
        self.is_trivial = trivial.tolist()

    def after(self, number: int) -> MovedInformation:
        """Return the information after a move."""
        entropies = self._rows, self._cols[number]
        return MovedInformation(self._moves, number, self._means, entropies, self._joint[number])


class MovedInformation(Information):
    """The information of a table after a move, and its margins, without the table.

    The means are those of its clusters, of which most were computed for other moves.
    """

    is_whole = True
    is_identity = False
    soft = None

    def __init__(
        self,
        moves: CrispMoves,
        number: int,
        means: ColumnMeans,
        entropies: tuple[float, float],
        joint: float,
    ) -> None:
        self._moves, self._number, self._means = moves, number, means
        self.q = means.q
        rows, cols = entropies
        self.entropies = entropies
        self.mutual, self.given = rows + cols - joint, (joint - cols, joint - rows)

    @property
    def n_samples(self) -> int:
        return self._moves.n_samples

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.row_sums), len(self.col_sums)

    @property
    def row_sums(self) -> IntArray:
        return self._moves.row_sums

    @cached_property
    def col_sums(self) -> IntArray:
        return self._moves.col_sums_after(self._number)

    @property
    def model(self) -> MovedInformation:
        return self

    @cached_property
    def law(self) -> InformationLaw:
        return information_law(PermutationModel(self.row_sums, self.col_sums), self.q)

    @property
    def standardized(self) -> float:
        means = self.expected_cluster_conditional_entropy(self.q)
        return self.excess(min(map(ordered_sum, means))) / self.law.standard_deviation

    def excess(self, expected_left: float) -> float:
        return expected_left - min(self.given)

    def expected_mutual_info(self, q: float = 1.0) -> float:
        rows, cols = self.entropies
        true, pred = map(ordered_sum, self.expected_cluster_conditional_entropy())
        return rows - true if rows < cols else cols - pred

    def expected_variation_of_information(self, q: float) -> float:
        return sum(map(ordered_sum, self.expected_cluster_conditional_entropy()))

    def expected_cluster_conditional_entropy(self, q: float = 1.0) -> tuple[FloatArray, FloatArray]:
        """Return parts of both means, by column; q is the order of the information."""
        return self._means(self.col_sums)
