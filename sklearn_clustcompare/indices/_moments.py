"""Mean and standard deviation of an index under permutation, if its record declares them known.

Given the cluster sizes, many indices are linear in T, the number of pairs together in both
partitions, the mutual information or another sum over the cells, whose mean and variance are exact:
the index then has the mean ``f(E T)`` and the standard deviation ``|slope| sd(T)``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._chance.blocks import BlockMargins
from sklearn_clustcompare._chance.functions import PLAIN_SQUARES, InformationTerms
from sklearn_clustcompare._chance.law import InformationLaw, PairCounts, SpectralLaw
from sklearn_clustcompare._chance.objects import SquareSumMoments
from sklearn_clustcompare._chance.permutation import (
    cell_sum_law,
    information_law,
    permutation_model,
)
from sklearn_clustcompare._chance.variance import InexactVarianceError
from sklearn_clustcompare._numerics import TIE, ordered_sum
from sklearn_clustcompare._table.cell_sums import CellSum, CellSumTable, Squares
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare._table.views import (
    HasMargins,
    InformationTable,
    MarginsTable,
    SquareSums,
)
from sklearn_clustcompare.indices._chance import (
    StandardizedMoments,
    is_constant,
    standardized_moments,
)
from sklearn_clustcompare.indices._information import conditional_entropies, entropies
from sklearn_clustcompare.indices._record import Index
from sklearn_clustcompare.indices._soft import has_moments, is_possibilistic, permuted_square_sum

# Standardized values that are closer than this, in standard deviations, are ties.
_TIE_DEVIATIONS = 1e-9


class Statistic(Protocol):
    """The quantity T of a table that an index is linear in, and its law under permutation."""

    @property
    def cell_function(self) -> Callable[..., Any] | None:
        """The function of a cell whose sum T rises with, if the table has whole counts."""

    @property
    def sum_deviation(self) -> float:
        """Standard deviation of that sum."""

    @property
    def law(self) -> InformationLaw | None:
        """Law of the information that T is linear in, if the table has whole counts."""

    @property
    def above_lowest(self) -> StandardizedMoments | None:
        """Moments of T above its lowest value, if that is known, for a gamma law."""

    @property
    def mean(self) -> float: ...
    @property
    def standard_deviation(self) -> float: ...
    @property
    def standardized(self) -> float:
        """How far T is above its mean, in standard deviations."""

    @property
    def other(self) -> float:
        """A value of T far from its mean, to compute the slope."""

    def view(self, value: float) -> Any:
        """Return the view of an index if T had this value."""


class NullMoments:
    """Moments of an index under permutation, and the standardized observed value.

    Values are computed on access: the variance takes far longer than the mean.
    """

    def __init__(
        self, index: Index, table: HasMargins, parameters: dict[str, Any], statistic: Statistic
    ) -> None:
        self._index = index
        self._table = table
        self._parameters = parameters
        self._statistic = statistic

    @property
    def statistic(self) -> Statistic:
        """The quantity that the index is linear in."""
        return self._statistic

    @property
    def law(self) -> InformationLaw | None:
        """Law of the information the index is linear in, for whole counts, if it varies."""
        return self._statistic.law

    @property
    def above_lowest(self) -> StandardizedMoments | None:
        """Moments above the lowest value of the quantity that the index is linear in, if known."""
        return self._statistic.above_lowest

    @cached_property
    def mean(self) -> float:
        is_centered = self._index.adjusted and (self._table.is_whole or self._index.moments)
        if is_centered and not isinstance(self._statistic, _Constant | _InBlocks):
            return 0.0
        return self._at(self._statistic.mean)

    @cached_property
    def standard_deviation(self) -> float:
        return abs(self._slope) * self._statistic.standard_deviation

    @cached_property
    def standardized(self) -> float:
        """Observed value in standard deviations above the mean; 0.0 without variance."""
        if not self._statistic.standard_deviation:
            return 0.0
        standardized = self._statistic.standardized
        return standardized if self.rises else -standardized

    @property
    def rises(self) -> bool:
        """Whether the index rises with the agreement of the partitions."""
        return self._slope >= 0

    @cached_property
    def _slope(self) -> float:
        mean, other = self._statistic.mean, self._statistic.other
        if other == mean:
            return 0.0
        return (self._at(other) - self._at(mean)) / (other - mean)

    def _at(self, value: float) -> float:
        return float(self._index.function(self._statistic.view(value), **self._parameters))


def null_moments(
    index: Index, table: HasMargins, *, blocks: BlockMargins | None = None, **parameters: Any
) -> NullMoments | None:
    """Return the exact moments of an index under permutation, or None if they are not known.

    With ``blocks``, under permutation within blocks.
    """
    quantity = index.linear_quantity(**parameters)
    if blocks is not None:
        return _moments_in_blocks(index, table, quantity, blocks, parameters)
    if is_possibilistic(table):  # their cluster sizes change under permutation
        return None
    statistic: Statistic | None = None
    if quantity is not None and is_constant(table):
        statistic = _Constant(table)
    elif quantity == "pairs" and has_moments(table):
        statistic = _Pairs(table)
    elif quantity == "information" and table.is_whole and isinstance(table, ContingencyTable):
        statistic = InformationStatistic(table, parameters.get("q", 1.0))
    elif (
        quantity == "cells"
        and index.cell_sum is not None
        and table.is_whole
        and isinstance(table, ContingencyTable)
    ):
        statistic = _Cells(table, index.cell_sum(**parameters))
    if statistic is None:
        return None
    return NullMoments(index, table, parameters, statistic)


def mean_and_deviation(index: Index, table: HasMargins, **parameters: Any) -> NullMoments | None:
    """Return the exact moments of an index, or None if its variance is not known exactly."""
    return if_variance_is_exact(null_moments(index, table, **parameters))


def if_variance_is_exact(moments: NullMoments | None) -> NullMoments | None:
    """Return moments, or None if the variance among them is not exact."""
    try:
        return moments if moments is None or moments.standard_deviation >= 0 else None
    except InexactVarianceError:
        return None


def _moments_in_blocks(
    index: Index,
    table: HasMargins,
    quantity: str | None,
    blocks: BlockMargins,
    parameters: dict[str, Any],
) -> NullMoments | None:
    """Return the moments of an index that is linear in a sum of squares."""
    if not isinstance(table, ContingencyTable) or not table.is_whole:
        return None
    cell_sum = CellSum(PLAIN_SQUARES, smooth=True)
    if quantity == "cells" and index.cell_sum is not None:
        cell_sum = index.cell_sum(**parameters)
    elif quantity != "pairs":
        return None
    if not isinstance(cell_sum.function, Squares):
        return None
    statistic = _InBlocks(table, cell_sum, blocks, is_of_pairs=quantity == "pairs")
    return NullMoments(index, table, parameters, statistic)


# --------------------------------------------------------------------------- agreement


@dataclass(frozen=True)
class Agreement:
    """Order of tables with the same margins, by how well two partitions agree by an index.

    For an index whose moments are known this is the quantity it is linear in, with all its digits;
    the rounding error of the index itself may exceed its standard deviation.
    """

    index: Index
    parameters: dict[str, Any]
    quantity: str | None
    rises: bool
    law: InformationLaw | None

    @classmethod
    def of(cls, index: Index, parameters: dict[str, Any], moments: NullMoments | None) -> Agreement:
        """Return the order of an index, whose moments are None if they are not known."""
        if moments is None:
            return cls(index, parameters, None, index.greater_is_better, None)
        rises = moments.rises == index.greater_is_better
        quantity = index.linear_quantity(**parameters)
        is_information = quantity == "information"
        return cls(index, parameters, quantity, rises, moments.law if is_information else None)

    def __call__(self, table: Any) -> float:
        if self.quantity == "pairs":
            value = float(table.square_sums.cells)
        elif self.law is not None and not self.law.is_constant:
            value = self.law.standardized(table)
        elif self.quantity == "cells" and self.index.cell_sum is not None:
            value = self.index.cell_sum(**self.parameters)(table)
        elif self.quantity == "information":
            value = -sum(conditional_entropies(table, self.parameters.get("q", 1.0)))
        else:
            value = float(self.index.function(table, **self.parameters))
        return value if self.rises else -value

    def ties(self, values: NDArray[np.float64], value: float) -> NDArray[np.bool_]:
        """Return which values are at least another, up to rounding."""
        if self.law is not None:  # in standard deviations
            return values >= value - _TIE_DEVIATIONS * max(1.0, abs(value))
        return values >= value - TIE * abs(value)


# --------------------------------------------------------------------------- quantities


class _Constant:
    """Nothing varies: every table of these margins has the same cells."""

    law = cell_function = None
    mean, standard_deviation, standardized, other, sum_deviation = 0.0, 0.0, 0.0, 0.0, 0.0

    def __init__(self, table: HasMargins) -> None:
        self._table = table

    @property
    def above_lowest(self) -> StandardizedMoments | None:
        return _of_pairs(self._table, None)

    def view(self, value: float) -> HasMargins:
        return self._table


def _of_pairs(table: HasMargins, law: PairCounts | None) -> StandardizedMoments | None:
    if not table.is_whole or not isinstance(table, ContingencyTable):
        return None
    return standardized_moments(table, 2.0, law)


class _Pairs:
    """The sum of squared cells, twice the number of pairs together and the number of objects."""

    def __init__(self, table: HasMargins) -> None:
        self._table = table

    @property
    def cell_function(self) -> Callable[..., Any] | None:
        return PLAIN_SQUARES if self._table.is_whole else None

    @property
    def sum_deviation(self) -> float:
        return self.standard_deviation

    @cached_property
    def law(self) -> PairCounts | None:
        table = self._table
        return PairCounts.from_sums(table.row_sums, table.col_sums) if table.is_whole else None

    @property
    def above_lowest(self) -> StandardizedMoments | None:
        return _of_pairs(self._table, self.law)

    @cached_property
    def _soft_moments(self) -> SquareSumMoments:
        return permuted_square_sum(self._table)

    @cached_property
    def mean(self) -> float:
        if self.law is None:
            return self._soft_moments.mean
        return 2 * float(self.law.mean) + float(self._table.n_samples)

    @cached_property
    def standard_deviation(self) -> float:
        if self.law is None:
            return math.sqrt(self._soft_moments.variance)
        return 2 * math.sqrt(self.law.variance)

    @property
    def standardized(self) -> float:
        cells = self._table.square_sums.cells
        if self.law is None:
            return (cells - self.mean) / self.standard_deviation
        return self.law.standardized_squares(int(cells))

    @property
    def other(self) -> float:
        squares = self._table.square_sums
        return float(min(squares.rows, squares.cols))

    def view(self, value: float) -> MarginsTable:
        table = self._table
        squares = SquareSums(value, float(table.square_sums.rows), float(table.square_sums.cols))
        return MarginsTable(
            float(table.n_samples),
            squares,
            table.row_sums,
            table.col_sums,
            is_whole=False,
            soft=table.soft,
        )


class _InBlocks:
    """A sum of squared cells, each divided by a number, under permutation within blocks."""

    law = above_lowest = cell_function = None

    def __init__(
        self, table: ContingencyTable, cell_sum: CellSum, blocks: BlockMargins, *, is_of_pairs: bool
    ) -> None:
        self._table, self._cell_sum, self._blocks = table, cell_sum, blocks
        self._is_of_pairs = is_of_pairs

    @cached_property
    def mean(self) -> float:
        sizes = (
            sums.sum(axis=0).astype(np.float64) for sums in (self._blocks.rows, self._blocks.cols)
        )
        a, b = np.meshgrid(*sizes, indexing="ij")
        assert isinstance(self._cell_sum.function, Squares)
        return self._blocks.mean_of_squares(self._cell_sum.function.divisor(a, b))

    @cached_property
    def standard_deviation(self) -> float:
        if self._cell_sum.function != PLAIN_SQUARES:
            msg = "the variance within blocks is known for sums of plain squares only"
            raise InexactVarianceError(msg)
        variance = self._blocks.variance_of_squares()
        # Differences due to rounding do not count as variation.
        return math.sqrt(variance) if variance > (TIE * self.mean) ** 2 else 0.0

    @property
    def sum_deviation(self) -> float:
        return self.standard_deviation

    @property
    def standardized(self) -> float:
        return (self._cell_sum(self._table) - self.mean) / self.standard_deviation

    @property
    def other(self) -> float:
        return self.mean / 2

    def view(self, value: float) -> MarginsTable | CellSumTable:
        if self._is_of_pairs:
            return _Pairs(self._table).view(value)
        table = self._table
        return CellSumTable(table.n_samples, table.row_sums, table.col_sums, value)


class InformationStatistic:
    """The mutual information of order q."""

    def __init__(self, table: ContingencyTable, q: float) -> None:
        self._table = table
        self._q = q
        self._model = permutation_model(table)

    @property
    def cell_function(self) -> Callable[..., Any]:
        return PLAIN_SQUARES if self._q == 2 else InformationTerms(self._q)

    @property
    def sum_deviation(self) -> float:
        return self.standard_deviation * float(self._table.n_samples) ** self._q

    @cached_property
    def law(self) -> InformationLaw:
        return information_law(self._model, self._q)

    @property
    def above_lowest(self) -> StandardizedMoments:
        return standardized_moments(self._table, self._q, self.law)

    @cached_property
    def mean(self) -> float:
        return self._model.expected_mutual_info(self._q)

    @property
    def standard_deviation(self) -> float:
        return self.law.standard_deviation

    @property
    def standardized(self) -> float:
        return self.law.standardized(self._table)

    @property
    def other(self) -> float:
        # If nearly all clusters are singletons, the mean differs from the entropies by rounding
        # only.
        largest = min(entropies(self._table, self._q))
        return largest if self.mean < largest / 2 else 0.0

    @cached_property
    def _gap(self) -> float:
        true, pred = conditional_entropies(self._table, self._q)
        return abs(true - pred)

    def view(self, value: float) -> InformationTable:
        table = self._table
        true, pred = entropies(table, self._q)
        is_mean = value == self.mean
        if is_mean:
            # Their means are separate sums: differences of entropies would lose digits.
            mean_of_true, mean_of_pred = map(
                ordered_sum, self._model.expected_cluster_conditional_entropy(self._q)
            )
            given = (mean_of_true, mean_of_pred)
        else:
            given = (true - value, pred - value)
        return InformationTable(
            table.row_sums,
            table.col_sums,
            table.n_samples,
            (true, pred),
            value,
            given,
            self._gap,
            value - self.mean,
            math.inf if is_mean else self.standard_deviation,
            self._model,
        )


class _Cells:
    """A sum over the cells."""

    law = None

    def __init__(self, table: ContingencyTable, cell_sum: CellSum) -> None:
        self._table = table
        self._cell_sum = cell_sum
        self._model = permutation_model(table)

    @property
    def cell_function(self) -> Callable[..., Any]:
        return self._cell_sum.function

    @property
    def sum_deviation(self) -> float:
        return self.standard_deviation

    @cached_property
    def _law(self) -> SpectralLaw:
        return cell_sum_law(self._model, self._cell_sum)

    @property
    def above_lowest(self) -> StandardizedMoments | None:
        law = self._law
        if law.is_constant:
            return StandardizedMoments(law, self.mean, 0.0, 0.0, 0.0)
        if law.above_lowest is None:
            return None
        standardized = law.standardized(self._table)
        return StandardizedMoments(
            law, self.mean, law.standard_deviation, standardized, law.above_lowest
        )

    @cached_property
    def mean(self) -> float:
        function, smooth = self._cell_sum
        return self._model.expected_cell_sum(function, smooth=smooth)

    @property
    def standard_deviation(self) -> float:
        return self._law.standard_deviation

    @property
    def standardized(self) -> float:
        return self._law.standardized(self._table)

    @property
    def other(self) -> float:
        return self.mean / 2 if self.mean else 1.0

    def view(self, value: float) -> CellSumTable:
        table = self._table
        return CellSumTable(table.n_samples, table.row_sums, table.col_sums, value)
