"""The law of MI_q given the margins: its spread, and how far from its mean a table lies.

MI_q and its mean agree in nearly all digits where a partition consists of small clusters, or of
one large cluster: the spread of MI_q can be N^-2 of it. What a table has beyond the mean is
therefore never the difference of the two. For q = 2 it is a difference of whole numbers. For other
orders every cell is taken beyond a line (``gain_beyond_line``), and the lines are added up for
deviations from the mean only.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._chance.cells import (
    gain_beyond_line,
    has_tangent,
    middle_unit,
    slopes_of_lines,
)
from sklearn_clustcompare._chance.margins import Margin
from sklearn_clustcompare._chance.variance import SpectralMoments
from sklearn_clustcompare._numerics import FloatArray, divide_product, ordered_sum
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
        """Return (n11 - E n11) / sd(n11), where n11 comes as the sum of the squared cells."""
        distance = Fraction(square_sum - self._n_samples, 2) - self.mean
        return float(distance) / math.sqrt(self.variance)


class SpectralLaw:
    """The law of MI_q for any q but 2, where the squares of counts are exact.

    ``is_transposed`` tells that the rows of a table are in ``cols``. It picks an order of the two
    sides, so that results do not depend on it in any bit.
    """

    def __init__(
        self, rows: Margin, cols: Margin, n_samples: int, q: float, *, is_transposed: bool
    ) -> None:
        self._rows, self._cols, self._q = rows, cols, q
        self._is_transposed = is_transposed
        self.is_constant = have_one_value(rows, cols)
        self.standard_deviation = 0.0
        if self.is_constant:
            return
        n = float(n_samples)
        self._unit = unit = middle_unit(rows, cols, n)
        self._slopes = slopes_of_lines(rows, cols, n, unit, q)
        self._mean, variance = SpectralMoments(rows, cols, n, unit, q, self._slopes).total()
        self._deviation = math.sqrt(variance)
        self.standard_deviation = self._deviation * (unit / n) ** q
        self._cells = divide_product(rows.sizes[:, np.newaxis], cols.sizes, n)
        row_objects = (rows.sizes * rows.multiplicities)[:, np.newaxis]
        self._objects = divide_product(row_objects, cols.sizes * cols.multiplicities, n)
        # Of an empty cell the tangent is mu^q above phi.
        mean = self._cells[0]
        self._empty_gain = np.where(has_tangent(mean), (mean / unit) ** q, 0.0)

    def standardized(self, table: ContingencyTable) -> float:
        pairs, counts, times = self._kinds_of_cells(table)
        mean, rest = (part.ravel()[pairs] for part in self._cells)
        gains = gain_beyond_line(counts, (counts - mean) - rest, mean, self._unit, self._q)
        parts = [
            times * gains,
            self._gains_of_empty_cells(pairs, times),
            self._gains_of_lines(pairs, times * counts),
        ]
        return (ordered_sum(np.concatenate(parts)) - self._mean) / self._deviation

    def _kinds_of_cells(
        self, table: ContingencyTable
    ) -> tuple[NDArray[np.int64], FloatArray, FloatArray]:
        """Return pairs of sizes and counts of occupied cells, and how often each occurs.

        Many small clusters have few kinds of cells, which are then evaluated once.
        """
        rows, cols = (table.row_sums, table.cell_rows), (table.col_sums, table.cell_cols)
        if self._is_transposed:
            rows, cols = cols, rows
        row, col = self._rows.positions(*rows), self._cols.positions(*cols)
        pairs, counts = row * self._slopes.shape[1] + col, table.cell_counts
        width = int(counts.max()) + 1
        if width * self._slopes.size > counts.size:
            return pairs, counts.astype(np.float64), np.ones(counts.size)
        times = np.bincount(pairs * width + counts)
        kinds = times.nonzero()[0]
        return kinds // width, (kinds % width).astype(np.float64), times[kinds].astype(np.float64)

    def _gains_of_empty_cells(self, pairs: NDArray[np.int64], times: FloatArray) -> FloatArray:
        """What empty cells add, by pair of sizes."""
        cells = np.outer(self._rows.multiplicities, self._cols.multiplicities).ravel()
        empty = cells - np.bincount(pairs, times, minlength=cells.size)
        return empty * self._empty_gain.ravel()

    def _gains_of_lines(self, pairs: NDArray[np.int64], objects: FloatArray) -> FloatArray:
        """What the lines add, by pair of sizes."""
        mean, rest = (part.ravel() for part in self._objects)
        deviations = (np.bincount(pairs, objects, minlength=mean.size) - mean) - rest
        return self._slopes.ravel() * (deviations / self._unit)


def have_one_value(rows: Margin, cols: Margin) -> bool:
    """Tell whether all tables with these margins have the same MI_q, whatever q is.

    phi is strictly convex, so MI_q varies if a cell can hold three different counts, that is, if
    two clusters have two objects or more inside and outside. Else one side has singletons only, or
    one object apart from all others and the other side clusters of equal size.
    """
    if rows.is_trivial() or cols.is_trivial():
        return True
    sides = (rows, cols), (cols, rows)
    return any(one.is_all_but_one() and other.sizes.size == 1 for one, other in sides)
