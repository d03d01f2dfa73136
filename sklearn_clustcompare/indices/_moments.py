"""Mean and standard deviation of an index under permutation, where its record says they are known.

Given the cluster sizes, many indices are linear in T, the number of pairs together in both
partitions or the mutual information, whose mean and variance are exact: the index then has the
mean ``f(E T)`` and the standard deviation ``|slope| sd(T)``.
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any, Protocol

from sklearn_clustcompare._chance.objects import SquareSumMoments
from sklearn_clustcompare._chance.permutation import PermutationModel, permutation_model
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare._table.views import (
    HasMargins,
    InformationTable,
    MarginsTable,
    SquareSums,
)
from sklearn_clustcompare.indices._chance import information_excess, is_constant
from sklearn_clustcompare.indices._information import conditional_entropies, entropies
from sklearn_clustcompare.indices._record import Index
from sklearn_clustcompare.indices._soft import has_moments, is_possibilistic, permuted_square_sum


class Statistic(Protocol):
    """The quantity T of a table that an index is linear in, and its law under permutation."""

    @property
    def q(self) -> float:
        """Order of the mutual information that T is linear in."""

    @property
    def mean(self) -> float: ...
    @property
    def variance(self) -> float: ...
    @property
    def excess(self) -> float:
        """How far T is above its mean."""

    @property
    def largest(self) -> float:
        """A value of T above its mean."""

    def view(self, value: float) -> Any:
        """Return what an index would see if T had this value."""


class NullMoments:
    """Moments of an index under permutation, and where the value observed lies.

    Everything is computed when it is asked for: the variance takes far longer than the mean.
    """

    def __init__(
        self, index: Index, table: HasMargins, parameters: dict[str, Any], statistic: Statistic
    ) -> None:
        self._index = index
        self._table = table
        self._parameters = parameters
        self._statistic = statistic

    @property
    def q(self) -> float:
        """Order of the mutual information that the index is linear in; 2 for pairs."""
        return self._statistic.q

    @cached_property
    def mean(self) -> float:
        is_centred = self._index.adjusted and (self._table.is_whole or self._index.moments)
        if is_centred and not isinstance(self._statistic, _Constant):
            return 0.0
        return self._at(self._statistic.mean)

    @cached_property
    def standard_deviation(self) -> float:
        return abs(self._slope) * math.sqrt(self._statistic.variance)

    @cached_property
    def standardized(self) -> float:
        """Observed value in standard deviations above the mean; 0.0 without variance."""
        variance = self._statistic.variance
        if not variance:
            return 0.0
        standardized = self._statistic.excess / math.sqrt(variance)
        return standardized if self.rises else -standardized

    @property
    def rises(self) -> bool:
        """Whether the index rises with the agreement of the partitions."""
        return self._slope >= 0

    @cached_property
    def _slope(self) -> float:
        mean, largest = self._statistic.mean, self._statistic.largest
        if not largest > mean:
            return 0.0
        return (self._at(largest) - self._at(mean)) / (largest - mean)

    def _at(self, value: float) -> float:
        return float(self._index.function(self._statistic.view(value), **self._parameters))


def null_moments(index: Index, table: HasMargins, **parameters: Any) -> NullMoments | None:
    """Return the exact moments of an index under permutation, or None if they are not known."""
    quantity = index.linear_quantity(**parameters)
    if is_possibilistic(table):  # their cluster sizes change under permutation
        return None
    statistic: Statistic | None = None
    if quantity is not None and is_constant(table):
        statistic = _Constant(table)
    elif quantity == "pairs" and has_moments(table):
        statistic = _Pairs(table)
    elif quantity == "information" and table.is_whole and isinstance(table, ContingencyTable):
        statistic = _Information(table, parameters.get("q", 1.0))
    if statistic is None:
        return None
    return NullMoments(index, table, parameters, statistic)


def agreement(index: Index, table: Any, **parameters: Any) -> float:
    """Return a number that orders tables of the same margins as the index orders them by agreement.

    For an index of pairs or of information that is a quantity with all its digits, where the value
    of the index itself may be rounded to less than its standard deviation.
    """
    quantity = index.linear_quantity(**parameters)
    if quantity == "pairs":
        return float(table.square_sums.cells)
    if quantity == "information":
        return -sum(conditional_entropies(table, parameters.get("q", 1.0)))
    value = index.function(table, **parameters)
    return float(value if index.greater_is_better else -value)


class _Constant:
    """Nothing varies: every table of these margins has the same cells."""

    q, mean, variance, excess, largest = 2.0, 0.0, 0.0, 0.0, 0.0

    def __init__(self, table: HasMargins) -> None:
        self._table = table

    def view(self, value: float) -> HasMargins:
        return self._table


class _Pairs:
    """The sum of squared cells, twice the number of pairs together and the number of objects."""

    q = 2.0

    def __init__(self, table: HasMargins) -> None:
        self._table = table

    @cached_property
    def _model(self) -> PermutationModel:
        return PermutationModel(self._table.row_sums, self._table.col_sums)

    @cached_property
    def _soft_moments(self) -> SquareSumMoments:
        return permuted_square_sum(self._table)

    @cached_property
    def mean(self) -> float:
        if not self._table.is_whole:
            return self._soft_moments.mean
        return 2 * self._model.expected_pair_count() + float(self._table.n_samples)

    @cached_property
    def variance(self) -> float:
        if not self._table.is_whole:
            return self._soft_moments.variance
        return 4 * self._model.pair_count_variance()

    @property
    def excess(self) -> float:
        return self._table.square_sums.cells - self.mean

    @property
    def largest(self) -> float:
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


class _Information:
    """The mutual information of order q."""

    def __init__(self, table: ContingencyTable, q: float) -> None:
        self._table = table
        self.q = q
        self._model = permutation_model(table)

    @cached_property
    def mean(self) -> float:
        return self._model.expected_mutual_info(self.q)

    @cached_property
    def variance(self) -> float:
        return self._model.mutual_info_variance(self.q)

    @property
    def excess(self) -> float:
        return information_excess(self._table, self._model, self.q).information

    @property
    def largest(self) -> float:
        return min(entropies(self._table, self.q))

    def view(self, value: float) -> InformationTable:
        table = self._table
        true, pred = entropies(table, self.q)
        if value == self.mean:
            # The mean of VI_q is a sum of its own: differences of entropies would lose digits.
            distance = self._model.expected_variation_of_information(self.q)
            given = ((distance + true - pred) / 2, (distance + pred - true) / 2)
        else:
            given = (true - value, pred - value)
        return InformationTable(
            table.row_sums, table.col_sums, table.n_samples, value, given, value - self.mean
        )
