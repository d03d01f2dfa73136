"""The law of MI_q given the margins: standard deviation and standardized values of tables.

MI_q and its mean agree in nearly all digits where a partition consists of small clusters, or of
one large cluster: the spread of MI_q can be N^-2 of it. The deviation of a table from the mean is
therefore never computed as the difference of the two. For q = 2 it is a difference of whole
numbers. For other orders every cell is reduced by a line (``gain_beyond_line``), and the lines are
added up for deviations from the mean only.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._chance.functions import CellFunction, InformationCells
from sklearn_clustcompare._chance.margins import Margin
from sklearn_clustcompare._chance.variance import SpectralMoments
from sklearn_clustcompare._kernels import entropy_moments
from sklearn_clustcompare._kernels.hypergeometric import PairLaws
from sklearn_clustcompare._numerics import FloatArray, divide_product, ordered_sum
from sklearn_clustcompare._table.cell_sums import kinds_of_cells
from sklearn_clustcompare._table.contingency import ContingencyTable


class InformationLaw(Protocol):
    """The law of MI_q given the margins."""

    @property
    def is_constant(self) -> bool:
        """Whether all tables have the same MI_q."""
        ...

    @property
    def standard_deviation(self) -> float:
        """Standard deviation of MI_q."""
        ...

    def standardized(self, table: ContingencyTable) -> float:
        """Return (MI_q - E MI_q) / sd(MI_q) of a table with these margins."""
        ...


class PairCounts:
    """Mean and variance of n11, the number of pairs together on both sides, as exact fractions."""

    def __init__(self, rows: Margin, cols: Margin, n_samples: int) -> None:
        self._n_samples = n_samples
        self._pairs = rows.pairs_together(), cols.pairs_together()
        self._triples = rows.pairs_together(3), cols.pairs_together(3)

    @classmethod
    def from_sums(cls, row_sums: NDArray[np.int64], col_sums: NDArray[np.int64]) -> PairCounts:
        n_samples = sum(row_sums.tolist())
        return cls(Margin.from_sums(row_sums), Margin.from_sums(col_sums), n_samples)

    @cached_property
    def mean(self) -> Fraction:
        n = self._n_samples
        return Fraction(math.prod(self._pairs), 2 * math.perm(n, 2)) if n >= 2 else Fraction(0)

    @cached_property
    def variance(self) -> Fraction:
        # Two pairs of objects coincide, share one object, or share none.
        n, square = self._n_samples, 4 * self.mean
        if n >= 3:
            square += Fraction(4 * math.prod(self._triples), math.perm(n, 3))
        if n >= 4:
            apart = [
                pairs**2 - 2 * pairs - 4 * triples
                for pairs, triples in zip(self._pairs, self._triples, strict=True)
            ]
            square += Fraction(math.prod(apart), math.perm(n, 4))
        return square / 4 - self.mean**2

    @property
    def is_constant(self) -> bool:
        return not self.variance

    @property
    def standard_deviation(self) -> float:
        # MI_2 is 2 n11 / N^2 and a constant.
        return 2.0 * math.sqrt(self.variance) / float(self._n_samples or 1) ** 2

    def standardized(self, table: ContingencyTable) -> float:
        return self.standardized_squares(int(table.square_sums.cells))

    def standardized_squares(self, square_sum: int) -> float:
        """Return (n11 - E n11) / sd(n11), where n11 is given by the sum of the squared cells."""
        distance = Fraction(square_sum - self._n_samples, 2) - self.mean
        return float(distance) / math.sqrt(self.variance)


class SpectralLaw:
    """The law of a sum over cells: that of MI_q for any q except 2, where squares are exact.

    ``is_transposed`` means that the rows of a table are in ``cols``: the sides are ordered so that
    swapping them does not change a bit of the results.
    """

    def __init__(
        self,
        rows: Margin,
        cols: Margin,
        n_samples: int,
        function: CellFunction,
        *,
        is_transposed: bool,
    ) -> None:
        self._rows, self._cols, self._n_samples = rows, cols, float(n_samples)
        self._function = function
        self._is_transposed = is_transposed
        self.is_constant = have_one_value(rows, cols)
        self.standard_deviation = 0.0
        if self.is_constant:
            return
        moments = None
        if self._is_entropy:
            moments = entropy_moments(*rows, *cols, self._n_samples)
        if moments is None:
            moments = SpectralMoments(rows, cols, self._n_samples, function, self._slopes).total()
        self._mean, variance = moments
        self._deviation = math.sqrt(variance)
        self.standard_deviation = self._deviation * function.scale
        self.is_constant = not variance

    @property
    def _is_entropy(self) -> bool:
        return isinstance(self._function, InformationCells) and self._function.q == 1.0

    @cached_property
    def _slopes(self) -> FloatArray:
        return self._function.slopes(self._rows, self._cols, self._n_samples)

    @cached_property
    def _laws(self) -> PairLaws:
        return PairLaws.of_margins(self._rows.sizes, self._cols.sizes, self._n_samples)

    def standardized(self, table: ContingencyTable) -> float:
        return self._above_mean(table) / self._deviation

    def _above_mean(self, table: ContingencyTable) -> float:
        """Return how far the sum of a table is above the mean."""
        if self._is_entropy:
            margins = (self._cols, self._rows) if self._is_transposed else (self._rows, self._cols)
            found = table._entropy_position(margins, self._mean)
            if found is not None:
                return found
        kinds = kinds_of_cells(table)
        rows, cols = self._rows.positions(kinds.row_sizes), self._cols.positions(kinds.col_sizes)
        if self._is_transposed:
            rows, cols = (
                self._rows.positions(kinds.col_sizes),
                self._cols.positions(kinds.row_sizes),
            )
        pairs = rows * self._cols.sizes.size + cols
        laws = self._laws.take(pairs)
        deviations = (kinds.counts - laws.mean) - laws.mean_low
        parts = [
            kinds.times * self._function.values(kinds.counts, deviations, laws),
            self._values_of_empty_cells(pairs, kinds.times),
            self._values_of_lines(pairs, kinds.times * kinds.counts),
        ]
        return float(ordered_sum(np.concatenate(parts))) - self._mean

    def _values_of_empty_cells(self, pairs: NDArray[np.intp], times: FloatArray) -> FloatArray:
        """Contribution of empty cells, by pair of sizes."""
        cells = np.outer(self._rows.multiplicities, self._cols.multiplicities).ravel()
        empty = cells - np.bincount(pairs, times, minlength=cells.size)
        some = empty.nonzero()[0]
        laws = self._laws.take(some)
        return empty[some] * self._function.values(np.zeros(some.size), -laws.mean, laws)

    def _values_of_lines(self, pairs: NDArray[np.intp], objects: FloatArray) -> FloatArray:
        """Contribution of the lines, by pair of sizes."""
        row_objects = (self._rows.sizes * self._rows.multiplicities)[:, np.newaxis]
        mean, rest = divide_product(
            row_objects, self._cols.sizes * self._cols.multiplicities, self._n_samples
        )
        observed = np.bincount(pairs, objects, minlength=mean.size)
        return self._slopes.ravel() * ((observed - mean.ravel()) - rest.ravel())


def have_one_value(rows: Margin, cols: Margin) -> bool:
    """Return whether all tables with these margins have the same MI_q, for any q.

    phi is strictly convex, so MI_q varies if a cell can hold three different counts, that is, if
    two clusters have two objects or more inside and outside. Otherwise one side has singletons
    only, or a single object and one cluster of all others while the clusters of the other side have
    equal sizes.
    """
    if rows.is_trivial() or cols.is_trivial():
        return True
    return (cols.sizes.size == 1 and rows.is_all_but_one()) or (
        rows.sizes.size == 1 and cols.is_all_but_one()
    )
