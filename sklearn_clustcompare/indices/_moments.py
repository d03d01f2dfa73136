"""Mean and deviation of an index under permutation, where known, and the p-value as an index.

Given the cluster sizes, many indices are a function f of a statistic T: the number of pairs
together in both partitions, the mutual information or another sum over the cells, whose mean and
variance are exact. Where f is linear the index has the mean ``f(E T)`` and the standard deviation
``|slope| sd(T)``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from sklearn_clustcompare._array_types import FloatArray, Mask
from sklearn_clustcompare._chance.draws import BlockMargins
from sklearn_clustcompare._chance.functions import PLAIN_SQUARES, InformationTerms
from sklearn_clustcompare._chance.law import (
    InexactVarianceError,
    InformationLaw,
    PairCounts,
    SpectralLaw,
)
from sklearn_clustcompare._chance.null_distribution import MOST_DRAWN, Draws, Found, SumLaw
from sklearn_clustcompare._chance.objects import SquareSumMoments
from sklearn_clustcompare._chance.permutation import cell_sum_law, permutation_model
from sklearn_clustcompare._numerics import TIE, ordered_sum
from sklearn_clustcompare._parameters import entropy_order, one_of
from sklearn_clustcompare._table.cell_sums import CellSum, Squares
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare._table.counts import KnownMargins, Margins, SquareSums
from sklearn_clustcompare.indices._chance import is_constant, mean_above_lowest
from sklearn_clustcompare.indices._entropies import Information, conditional_entropies
from sklearn_clustcompare.indices._index import index
from sklearn_clustcompare.indices._pairs import has_moments, is_possibilistic, permuted_square_sum
from sklearn_clustcompare.indices._record import Index, ratio
from sklearn_clustcompare.indices._sums import Properties, standardized_information_sums

# Standardized values that are closer than this, in standard deviations, are ties.
_TIE_DEVIATIONS = 1e-9


class StatisticLaw(SumLaw):
    """The null distribution of the statistic T that an index is a function of."""

    @property
    def information(self) -> InformationLaw | None:
        """Law of the information that T is, if the table has whole counts and T varies."""
        return None

    @property
    def other(self) -> float:
        """A value of T far from its mean, to compute the slope."""
        return 0.0

    def at(self, value: float) -> Any:
        """Return what the index is a function of if T had this value."""
        return value


class NullMoments:
    """Moments of an index under permutation, and the standardized observed value.

    Values are computed on access: the variance takes far longer than the mean. ``law`` is the null
    distribution of the statistic that the index is a function of.
    """

    def __init__(
        self, index: Index, margins: Margins, parameters: dict[str, Any], law: StatisticLaw
    ) -> None:
        self._index = index
        self._margins = margins
        self._parameters = parameters
        self.law = law

    @cached_property
    def mean(self) -> float:
        is_centered = self._index.adjusted and (self._margins.is_whole or self._index.moments)
        if is_centered and not isinstance(self.law, _Constant | _InBlocks):
            return 0.0
        return self._at(self.law.mean)

    @cached_property
    def standard_deviation(self) -> float:
        return abs(self._slope) * self.law.standard_deviation

    @cached_property
    def standardized(self) -> float:
        """Observed value in standard deviations above the mean; 0.0 without variance."""
        if not self.law.standard_deviation:
            return 0.0
        standardized = self.law.standardized
        return standardized if self.rises else -standardized

    @property
    def rises(self) -> bool:
        """Whether the index rises with the agreement of the partitions."""
        return self._slope >= 0

    @cached_property
    def _slope(self) -> float:
        mean, other = self.law.mean, self.law.other
        if other == mean:
            return 0.0
        return (self._at(other) - self._at(mean)) / (other - mean)

    def values_at(self, standardized: FloatArray) -> FloatArray:
        """Return the index for standardized values of the statistic, also if it is not linear."""
        law = self.law
        if self._index.linear_quantity(**self._parameters) is not None:
            return self.mean + self._slope * law.standard_deviation * standardized
        values = law.mean + law.standard_deviation * standardized
        return np.array([self._at(value) for value in values.tolist()])

    def _at(self, value: float) -> float:
        statistic = self.law.at(value)
        return float(self._index.of_statistic(statistic, self._known, **self._parameters))

    @cached_property
    def _known(self) -> Margins:
        is_constant = isinstance(self.law, _Constant)
        return self._margins if is_constant else KnownMargins.of(self._margins)


def null_moments(
    index: Index,
    table: ContingencyTable,
    *,
    blocks: BlockMargins | None = None,
    **parameters: Any,
) -> NullMoments | None:
    """Return the exact moments of an index under permutation, or None if they are not known.

    With ``blocks``, under permutation within blocks.
    """
    quantity = index.linear_quantity(**parameters)
    return None if quantity is None else null_order(index, table, blocks=blocks, **parameters)


def null_order(
    index: Index,
    table: ContingencyTable,
    *,
    blocks: BlockMargins | None = None,
    **parameters: Any,
) -> NullMoments | None:
    """Return mean and deviation of the statistic by which an index orders tables, if any.

    Unless the index is linear in it, only the law of the statistic holds, and whether the index
    rises.
    """
    quantity = index.order_quantity(**parameters)
    if is_possibilistic(table):  # their cluster sizes change under permutation
        return None
    if quantity is None or index.statistic is None:
        return None
    observed = index.statistic.of(table, parameters)
    law: StatisticLaw
    if blocks is not None:
        cell_sum = CellSum(PLAIN_SQUARES, smooth=True)
        if quantity == "cells":
            cell_sum = index.statistic.cell_sum(parameters)
        if quantity == "information" or not isinstance(cell_sum.function, Squares):
            return None
        law = _InBlocks(table, cell_sum, blocks, is_of_pairs=quantity == "pairs")
    elif is_constant(table):
        law = _Constant(observed)
    elif quantity == "pairs" and has_moments(table):
        law = _of_pairs(observed, table)
    elif quantity == "information" and table.is_whole:
        law = LawOfInformation(observed)
    elif quantity == "cells" and table.is_whole:
        law = _Cells(table, index.statistic.cell_sum(parameters))
    else:
        return None
    return NullMoments(index, table, parameters, law)


def null_moments_of_pairs(
    index: Index, squares: SquareSums, margins: Margins, **parameters: Any
) -> NullMoments | None:
    """Return the exact moments of an index of pairs, for which no table is needed."""
    if index.linear_quantity(**parameters) is None:
        return None
    law = _Constant(squares) if is_constant(margins) else _of_pairs(squares, margins)
    return NullMoments(index, margins, parameters, law)


def with_deviation(moments: NullMoments | None) -> NullMoments | None:
    """Return the exact moments of an index, or None if its variance is not known exactly."""
    try:
        return moments if moments is None or moments.standard_deviation >= 0 else None
    except InexactVarianceError:
        return None


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
        """Return the order of an index; moments of its statistic are None if not known."""
        if moments is None:
            return cls(index, parameters, None, index.greater_is_better, None)
        rises = moments.rises == index.greater_is_better
        quantity = index.order_quantity(**parameters)
        is_information = quantity == "information"
        return cls(
            index, parameters, quantity, rises, moments.law.information if is_information else None
        )

    def __call__(self, table: ContingencyTable) -> float:
        return self.value_and_order(table)[1]

    def value_and_order(self, table: ContingencyTable) -> tuple[float, float]:
        """Return the index of a table, and its place in the order."""
        value = float(self.index.function(table, **self.parameters))
        if self.quantity is None:
            return value, self._signed(value)
        if self.law is not None and not self.law.is_constant:
            return value, self._signed(self.law.standardized(table))
        if self.quantity == "pairs":
            return value, self._signed(float(table.square_sums.cells))
        if self.quantity == "information":
            q = self.parameters.get("q", 1.0)
            return value, self._signed(-sum(conditional_entropies(table, q)))
        assert self.index.statistic is not None
        return value, self._signed(self.index.statistic.of(table, self.parameters))

    def value_and_order_of_pairs(
        self, squares: SquareSums, margins: Margins
    ) -> tuple[float, float]:
        """Return the same for an index of pairs, from what it is a function of."""
        value = float(self.index.of_statistic(squares, margins, **self.parameters))
        return value, self._signed(value if self.quantity is None else float(squares.cells))

    def _signed(self, value: float) -> float:
        return value if self.rises else -value

    def ties(self, values: FloatArray, value: float) -> Mask:
        """Return which values are at least another, up to rounding, or not defined."""
        if self.law is not None:  # in standard deviations
            return ~(values < value - _TIE_DEVIATIONS * max(1.0, abs(value)))
        return ~(values < value - TIE * abs(value))


# --------------------------------------------------------------------------- quantities


class _Constant(StatisticLaw):
    """Nothing varies: every table of these margins has the same cells."""

    mean = standard_deviation = standardized = 0.0

    def __init__(self, observed: Any) -> None:
        self._observed = observed

    def at(self, value: float) -> Any:
        return self._observed


def _of_pairs(squares: SquareSums, margins: Any) -> StatisticLaw:
    return (_Pairs if margins.is_whole else _SoftPairs)(squares, margins)


class _SoftPairs(StatisticLaw):
    """The sum of squared cells, of memberships or of weights."""

    def __init__(self, squares: SquareSums, margins: Any) -> None:
        self._squares, self.table = squares, margins

    @property
    def other(self) -> float:
        return float(min(self._squares.rows, self._squares.cols))

    @cached_property
    def _moments(self) -> SquareSumMoments:
        return permuted_square_sum(self.table)

    @property
    def mean(self) -> float:
        return self._moments.mean

    @property
    def standard_deviation(self) -> float:
        return math.sqrt(self._moments.variance)

    @property
    def standardized(self) -> float:
        deviation = self.standard_deviation
        return (self._squares.cells - self.mean) / deviation if deviation else 0.0

    def at(self, value: float) -> SquareSums:
        return SquareSums(value, float(self._squares.rows), float(self._squares.cols))


class _Pairs(_SoftPairs):
    """The sum of squared cells, twice the number of pairs together and the number of objects."""

    cell_function = PLAIN_SQUARES

    @cached_property
    def information(self) -> PairCounts:
        return PairCounts.from_sums(self.table.row_sums, self.table.col_sums)

    @cached_property
    def mean(self) -> float:
        return 2 * float(self.information.mean) + float(self.table.n_samples)

    @cached_property
    def standard_deviation(self) -> float:
        return 2 * math.sqrt(self.information.variance)

    @property
    def standardized(self) -> float:
        if not self.standard_deviation:
            return 0.0
        return self.information.standardized_squares(int(self._squares.cells))


class LawOfInformation(StatisticLaw):
    """The mutual information of order q."""

    def __init__(self, observed: Information) -> None:
        self.observed, self.table = observed, observed.table
        self.cell_function = PLAIN_SQUARES if observed.q == 2 else InformationTerms(observed.q)

    @property
    def sum_deviation(self) -> float:
        return self.standard_deviation * float(self.table.n_samples) ** self.observed.q

    @property
    def information(self) -> InformationLaw:
        return self.observed.law

    @property
    def above_lowest(self) -> float:
        """How far the mean is above the lowest value, in standard deviations."""
        return mean_above_lowest(self.table, self.observed.q, self.information)

    @cached_property
    def mean(self) -> float:
        return float(self.observed.model.expected_mutual_info(self.observed.q))

    @property
    def standard_deviation(self) -> float:
        return self.information.standard_deviation

    @cached_property
    def standardized(self) -> float:
        return self.observed.standardized

    @property
    def other(self) -> float:
        # If nearly all clusters are singletons, the mean differs from the entropies by rounding
        # only.
        largest = min(self.observed.entropies)
        return largest if self.mean < largest / 2 else 0.0

    def at(self, value: float) -> Information:
        return _SupposedInformation(self, value)


class _SupposedInformation(Information):
    """The information if the mutual information had another value."""

    is_observed = False

    def __init__(self, law: LawOfInformation, value: float) -> None:
        self._of = law
        self.table, self.q = law.observed.table, law.observed.q
        self.entropies = law.observed.entropies
        self.mutual = value

    @property
    def given(self) -> tuple[float, float]:
        if self.mutual == self._of.mean:
            # Their means are separate sums: differences of entropies would lose digits.
            means = self.model.expected_cluster_conditional_entropy(self.q)
            return ordered_sum(means[0]), ordered_sum(means[1])
        true, pred = self.entropies
        return true - self.mutual, pred - self.mutual

    @property
    def gap(self) -> float:
        return self._of.observed.gap

    @property
    def model(self) -> Any:
        return self._of.observed.model

    @property
    def law(self) -> InformationLaw:
        return self._of.information

    def excess(self, expected_left: float) -> float:
        return self.mutual - self._of.mean

    @property
    def standardized(self) -> float:
        deviation = self._of.standard_deviation
        return (self.mutual - self._of.mean) / deviation if deviation else 0.0


class _Cells(StatisticLaw):
    """A sum over the cells."""

    def __init__(self, table: ContingencyTable, cell_sum: CellSum) -> None:
        self.table, self._cell_sum = table, cell_sum
        self.cell_function = cell_sum.function
        self._model = permutation_model(table)

    @cached_property
    def _law(self) -> SpectralLaw:
        return cell_sum_law(self._model, self._cell_sum)

    @cached_property
    def mean(self) -> float:
        function, smooth = self._cell_sum
        return self._model.expected_cell_sum(function, smooth=smooth)

    @property
    def standard_deviation(self) -> float:
        return self._law.standard_deviation

    @property
    def standardized(self) -> float:
        return self._law.standardized(self.table)

    @property
    def other(self) -> float:
        return self.mean / 2 if self.mean else 1.0


class _InBlocks(StatisticLaw):
    """A sum of squared cells, each divided by a number, under permutation within blocks."""

    def __init__(
        self, table: ContingencyTable, cell_sum: CellSum, blocks: BlockMargins, *, is_of_pairs: bool
    ) -> None:
        self.table, self._cell_sum, self._blocks = table, cell_sum, blocks
        self._is_of_pairs = is_of_pairs

    @cached_property
    def mean(self) -> float:
        a, b = np.meshgrid(
            self._blocks.rows.sum(axis=0).astype(np.float64),
            self._blocks.cols.sum(axis=0).astype(np.float64),
            indexing="ij",
        )
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
    def standardized(self) -> float:
        return (self._cell_sum(self.table) - self.mean) / self.standard_deviation

    @property
    def other(self) -> float:
        return self.mean / 2

    def at(self, value: float) -> Any:
        if not self._is_of_pairs:
            return value
        squares = self.table.square_sums
        return SquareSums(value, float(squares.rows), float(squares.cols))


def pvalue_properties(*, q: float = 1.0, scale: str = "probability") -> Properties:
    return {"range": (0.0, math.inf)} if scale == "log" else {}


@index(
    parameters={"q": entropy_order, "scale": one_of("probability", "log")},
    by_parameters=pvalue_properties,
    sampling="smooth",
    sums=standardized_information_sums,
    source="Klede et al. (2023)",
)
def pvalue_adjusted_mutual_info_score(
    table: ContingencyTable, *, q: float = 1.0, scale: str = "probability"
) -> float:
    """Probability that random partitions with these cluster sizes agree less.

    As a probability, it compares candidates with any numbers of clusters without favoring some by
    chance. It is close to 1 for any agreement beyond chance as soon as there are many objects;
    use ``scale="log"`` to choose among such candidates.

    Parameters
    ----------
    q : float, default=1.0
        :term:`Order <q>` of the entropy, from 0.001 to 30: 1 is Shannon's, 2 counts pairs.
    scale : {"probability", "log"}, default="probability"
        "probability" is one minus the p-value, "log" the negative natural logarithm of the p-value,
        which still separates p-values that are too small for the probability scale.

    Returns
    -------
    float
        Higher is better. Between 0 and 1, about uniform for independent partitions; or, with
        ``scale="log"``, 0 or more, about 1 on average for independent partitions. If all partitions
        with these cluster sizes agree equally, 1.0 for equal ones, else 0.0.

    Warns
    -----
    UndefinedMetricWarning
        If all partitions with these cluster sizes agree equally, and the two given are not equal.

    See Also
    --------
    independence_test : The p-value itself, also by Monte Carlo.
    standardized_mutual_info_score : Serves the same purpose, in standard deviations.

    Notes
    -----
    One minus the p-value of :func:`independence_test` with its defaults. On the logarithmic scale,
    where all that is known is that this is below 1e-4, the value is that of a law with the known
    moments, which serves to rank. Equal partitions need not score 1: the fewer objects, the more
    easily chance makes them equal. With many objects the probability rounds to 1.0 for all
    candidates that agree at all, and no longer chooses among them. The logarithm orders candidates
    in the same way and does not round. Both measure how certain it is that partitions agree more
    than by chance, not how much they agree: of two candidates far from chance, the one with more
    clusters may have the higher value although it agrees less.

    References
    ----------
    .. [1] K. Klede, T. Altstidl, D. Zanca, B. Eskofier, "p-value adjustment for monotonous,
       unbiased, and fast clustering comparison", NeurIPS 2023.

    Examples
    --------
    >>> from sklearn_clustcompare.metrics import pvalue_adjusted_mutual_info_score
    >>> score = pvalue_adjusted_mutual_info_score([0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1])
    >>> round(score, 2)
    0.6

    Two candidates that agree beyond chance:

    >>> truth = [0] * 100 + [1] * 100 + [2] * 100
    >>> good, better = [0] * 120 + [1] * 80 + [2] * 100, [0] * 105 + [1] * 95 + [2] * 100
    >>> pvalue_adjusted_mutual_info_score(truth, good) > 0.999
    True
    >>> for found in good, better:
    ...     print(round(pvalue_adjusted_mutual_info_score(truth, found, scale="log")))
    270
    304
    """
    law = LawOfInformation(Information(table, q))
    if law.information.is_constant:  # all tables are equal: 0/0 standard deviations above the mean
        return ratio(0, 0, table, "pvalue_adjusted_mutual_info_score")
    found = law.tail("auto", Draws(MOST_DRAWN, splits=False), is_upper=True)
    assert isinstance(found, Found)
    if scale == "probability":
        return 1.0 - found.probability
    is_limit = found.method in ("cantelli", "monte_carlo") and found.probability < 1 / MOST_DRAWN
    if is_limit:  # all that is known is that the probability is small: the law orders candidates
        return -min(found.logarithm, law.log_rank(law.above_lowest))
    return -found.logarithm
