"""Indices adjusted for chance, moments of any index under permutation, and p-values as an index.

Given the cluster sizes, many indices are a function f of a statistic T: the number of pairs
together in both partitions, the mutual information or another sum over the cells, whose mean and
variance are exact. Where f is linear the index has the mean ``f(E T)`` and the standard deviation
``|slope| sd(T)``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from sklearn_clustcompare._array_types import FloatArray, Mask
from sklearn_clustcompare._chance.draws import BlockMargins
from sklearn_clustcompare._chance.functions import PLAIN_SQUARES, InformationTerms, PairCounts
from sklearn_clustcompare._chance.null_distribution import MOST_DRAWN, Draws, Found, SumDistribution
from sklearn_clustcompare._chance.objects import SquareSumMoments
from sklearn_clustcompare._chance.permutation import cell_sum_moments, permutation_model
from sklearn_clustcompare._chance.spectral import (
    CellSumMoments,
    InexactVarianceError,
    InformationMoments,
)
from sklearn_clustcompare._numerics import TIE, ordered_sum, power_gap
from sklearn_clustcompare._options import warn_caller
from sklearn_clustcompare._parameters import entropy_order, one_of, warn_or_number
from sklearn_clustcompare._table.cell_sums import CellSum, Squares
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare._table.counts import KnownMargins, Margins, SquareSums
from sklearn_clustcompare.indices._entropies import (
    Information,
    conditional_entropies,
    generalized_mean,
)
from sklearn_clustcompare.indices._index import index
from sklearn_clustcompare.indices._pairs import (
    count_pairs,
    has_moments,
    is_possibilistic,
    permuted_square_sum,
)
from sklearn_clustcompare.indices._record import Index, at_most, ratio
from sklearn_clustcompare.indices._sums import (
    AVERAGES,
    ROMANO,
    Properties,
    expected_information_sums,
    standardized_information_sums,
    standardized_pair_sums,
)


def adjusted_properties(*, q: float = 1.0, average_method: str = "arithmetic") -> Properties:
    # Recommended with other parameters where an adjusted index is needed.
    known: Properties = {"constant_baseline": "exact", "bias": "neutral"}
    if q < 1 or average_method in ("min", "geometric"):
        known["range"] = (-math.inf, 1.0)
    return known | {"identifies_equality": average_method != "min"}


class Excess(NamedTuple):
    """MI_q less its mean under permutation, and how far below the smaller entropy that mean is.

    ``gap`` is how far the larger entropy is above the smaller one.
    """

    information: Any
    room: Any
    gap: Any


# Arrays of many tables have no digits where the mean is closer to the smaller entropy.
_LEAST_ROOM = 1e-6


def _information_excess(information: Any) -> Excess:
    if isinstance(information.mutual, np.ndarray):
        ((expected,), (true, pred)) = information.expected, information.entropies
        smaller, larger = np.minimum(true, pred), np.maximum(true, pred)
        room = np.where(smaller - expected > _LEAST_ROOM * larger, smaller - expected, np.nan)
        return Excess(information.mutual - expected, room, larger - smaller)
    model, q = information.model, information.q
    if q == 1:
        smaller, larger = sorted(information.entropies)
        expected = model.expected_mutual_info()
        if expected < smaller / 2:
            return Excess(information.mutual - expected, smaller - expected, larger - smaller)
    # MI and its mean are both close to the smaller entropy; the remainders are computed instead.
    expected_left = min(map(ordered_sum, model.expected_cluster_conditional_entropy(q)))
    return Excess(information.excess(expected_left), expected_left, information.gap)


@index(
    short_names=("ami",),
    linear_in="information",
    parameters={"q": entropy_order, "average_method": AVERAGES},
    by_parameters=adjusted_properties,
    sampling="smooth",
    sums=expected_information_sums,
    families=("network", "single-cell"),
    source=f"Vinh, Epps & Bailey (2010); {ROMANO}, sec. 3.1",
)
def adjusted_mutual_info_score(
    information: Information,
    margins: Margins,
    *,
    q: float = 1.0,
    average_method: str = "arithmetic",
) -> float:
    """Mutual information adjusted for chance.

    0 on average for independent partitions with the given cluster sizes, 1 for equal ones. A good
    first choice when clusters are many, small or unbalanced; for large clusters of similar sizes
    :func:`adjusted_rand_score` is the usual choice. With ``q=2`` and the arithmetic mean both are
    equal.

    Parameters
    ----------
    q : float, default=1.0
        :term:`Order <q>` of the entropy, from 0.001 to 30: 1 is Shannon's, 2 counts pairs.
    average_method : {"min", "geometric", "arithmetic", "max"}, default="arithmetic"
        Mean of the two entropies that bounds the information.

    Returns
    -------
    float
        At most 1.0, which equal partitions reach; 0 on average by chance, below if the partitions
        agree less than that: above -2 with "arithmetic" and "max" if ``q >= 1``, without a limit
        otherwise. Higher is better.

    See Also
    --------
    adjusted_rand_score : The counterpart in pairs.
    normalized_mutual_info_score : Before the adjustment; lists the names of the means in papers.
    expected_mutual_info : What is subtracted.

    Notes
    -----
    (MI_q - E MI_q) / (M(H_q(true), H_q(pred)) - E MI_q), with E the exact mean when objects are
    permuted and M the chosen mean. The cells are hypergeometric, so weights must be whole
    numbers.

    With the arithmetic mean it is 1 - VI_q / E VI_q. For ``q >= 1`` that distance is a metric, and
    by the triangle inequality, over two permuted copies, at most three times its mean. No value
    below -1 is known; singletons and large clusters that do not overlap come close.

    If a partition has one cluster or singletons only, every permutation gives the same value: equal
    partitions score 1.0, others 0.0. If this is 0/0 (with "min", or "geometric" for one cluster),
    it comes with an :class:`~sklearn.exceptions.UndefinedMetricWarning`.

    References
    ----------
    .. [1] N. X. Vinh, J. Epps, J. Bailey, "Information theoretic measures for clusterings
       comparison", Journal of Machine Learning Research 11, 2010
    .. [2] S. Romano, N. X. Vinh, J. Bailey, K. Verspoor, "Adjusting for chance clustering
       comparison measures", Journal of Machine Learning Research 17(134), 2016, section 3.1

    Examples
    --------
    >>> from sklearn_clustcompare import adjusted_mutual_info_score
    >>> round(adjusted_mutual_info_score(list("aaabbb"), [1, 1, 2, 2, 3, 3]), 3)
    0.299
    >>> round(adjusted_mutual_info_score(list("aaabbb"), [1, 1, 2, 2, 3, 3], q=2), 3)
    0.242
    """
    if margins.is_identity:
        return 1.0
    true, pred = information.entropies
    smaller, larger = (generalized_mean(true, pred, one) for one in ("min", "max"))
    if is_constant(margins):  # the information and its mean are the smaller entropy
        bound = generalized_mean(smaller, larger, average_method)
        return ratio(0.0, bound - smaller, margins, "adjusted_mutual_info_score")
    excess = _information_excess(information)
    above_smaller = 0.0
    if average_method == "geometric":
        root = np.sqrt(smaller)
        above_smaller = excess.gap * root / (root + np.sqrt(larger))
    elif average_method != "min":
        above_smaller = excess.gap if average_method == "max" else excess.gap / 2
    return at_most(excess.information / (excess.room + above_smaller), 1.0)


def is_constant(margins: Margins) -> bool:
    """Return whether one side is trivial: then all tables of these margins have the same cells."""
    # As many clusters as objects are singletons only if nothing is shared.
    if isinstance(margins.n_samples, np.ndarray):  # many tables
        return False
    trivial = (1, margins.n_samples) if margins.is_whole else (1,)
    return margins.shape[0] in trivial or margins.shape[1] in trivial


@index(
    short_names=("smi",),
    linear_in="information",
    parameters={"q": entropy_order, "zero_variance": warn_or_number},
    unit="standard deviations",
    sampling="smooth",
    sums=standardized_information_sums,
    source=f"{ROMANO}, sec. 5.1",
)
def standardized_mutual_info_score(
    information: Information,
    margins: Margins,
    *,
    q: float = 1.0,
    zero_variance: str | float = "warn",
) -> float:
    """Mutual information in standard deviations above its mean under permutation.

    The adjusted mutual information has a constant mean for random partitions, but its spread
    depends on the numbers and sizes of clusters, so that choosing the best of many candidates
    prefers those whose index varies more. The standardized one has a constant spread as well:
    use it to choose when there are few objects and many candidates. It grows with the number of
    objects: it measures how certain the agreement of two partitions is, not how large.

    Parameters
    ----------
    q : float, default=1.0
        :term:`Order <q>` of the entropy, from 0.001 to 30: 1 is Shannon's, 2 counts pairs.
    zero_variance : "warn" or float, default="warn"
        Value if all partitions with these cluster sizes agree equally; "warn" means 0.0 with a
        warning.

    Returns
    -------
    float
        Number of standard deviations; any real number, higher is better. For positive values
        z the probability of at least as much by chance is below ``1 / (1 + z**2)``.

    Warns
    -----
    UndefinedMetricWarning
        If the variance is zero and ``zero_variance="warn"``.

    See Also
    --------
    adjusted_mutual_info_score : Adjusted for the mean only; at most 1.
    independence_test : The same value with a p-value.

    Notes
    -----
    ``(MI_q - E MI_q) / sd(MI_q)``, with exact mean and variance. Standardizing VI_q or H_q of the
    joint partition gives the same value up to the sign. For q = 1 it is also the value of the
    standardized G statistic, for q = 2 that of the standardized Rand index.

    References
    ----------
    .. [1] S. Romano, N. X. Vinh, J. Bailey, K. Verspoor, "Adjusting for chance clustering
       comparison measures", JMLR 17(134), 2016, sec. 5.1.

    Examples
    --------
    >>> from sklearn_clustcompare import standardized_mutual_info_score
    >>> round(standardized_mutual_info_score([0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1]), 4)
    1.2247
    """
    if information.moments.is_constant:
        return _without_variance(zero_variance, "standardized_mutual_info_score")
    return information.standardized


@index(
    linear_in="pairs",
    moments=True,
    parameters={"zero_variance": warn_or_number},
    unit="standard deviations",
    sampling="smooth",
    sums=standardized_pair_sums,
    source=f"{ROMANO}, sec. 5.1",
)
def standardized_rand_score(
    squares: SquareSums, margins: Margins, *, zero_variance: str | float = "warn"
) -> float:
    """Rand index in standard deviations above its mean under permutation.

    It relates to the adjusted Rand index as the standardized mutual information relates to the
    adjusted one: use it to choose among many candidates with different numbers of clusters when
    there are few objects.

    Parameters
    ----------
    zero_variance : "warn" or float, default="warn"
        Value if all partitions with these cluster sizes agree equally; "warn" means 0.0 with a
        warning.

    Returns
    -------
    float
        Number of standard deviations; any real number, higher is better.

    Warns
    -----
    UndefinedMetricWarning
        If the variance is zero and ``zero_variance="warn"``.

    See Also
    --------
    standardized_mutual_info_score : The same for any order q; this one is q = 2.
    adjusted_rand_score : Adjusted for the mean only; at most 1.

    Notes
    -----
    ``(n11 - E n11) / sd(n11)``: the Rand index, the adjusted one and Mirkin's distance are
    linear in n11 for given cluster sizes, and all standardize to the same value. For soft
    partitions the objects of one side are permuted, and sum n_ij^2 is the statistic of [2]_, whose
    mean and variance are exact.

    References
    ----------
    .. [1] S. Romano, N. X. Vinh, J. Bailey, K. Verspoor, "Adjusting for chance clustering
       comparison measures", JMLR 17(134), 2016, sec. 5.1.
    .. [2] N. Mantel, "The detection of disease clustering and a generalized regression approach",
       Cancer Research 27, 1967.

    Examples
    --------
    >>> from sklearn_clustcompare.metrics import standardized_rand_score
    >>> round(standardized_rand_score([0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1]), 4)
    1.2247
    """
    if isinstance(squares.cells, int):
        known = PairCounts.from_sums(margins.row_sums, margins.col_sums)
        if not known.is_constant:
            return known.standardized_squares(squares.cells)
    else:
        if margins.soft is None:
            count_pairs(squares, margins)  # raises if the weights are no frequencies
        mean, variance = permuted_square_sum(margins)
        if variance:
            return (squares.cells - mean) / math.sqrt(variance)
    return _without_variance(zero_variance, "standardized_rand_score")


def _without_variance(zero_variance: str | float, name: str) -> float:
    if not isinstance(zero_variance, str):
        return zero_variance
    from sklearn.exceptions import UndefinedMetricWarning

    warn_caller(
        f"{name} is undefined where all partitions with these cluster sizes agree to the same "
        "extent (zero variance), and set to 0.0; use zero_variance to choose the value",
        UndefinedMetricWarning,
    )
    return 0.0


def mean_above_lowest(margins: Margins, q: float, moments: InformationMoments) -> float:
    """Return how far the mean of MI_q under permutation is above its lowest, in deviations."""
    gain = permutation_model(margins).expected_convex_gain(q)
    return (gain + room_below_independence(margins, q)) / moments.standard_deviation


def room_below_independence(margins: Margins, q: float) -> float:
    """Return how far MI_q can fall below its value at independence, to second order.

    That is where unequal cluster sizes give cells unequal slopes. Minimizing the second-order
    expansion of sum phi(n_ij) at a_i b_j / N over tables with these margins is a weighted
    two-way fit, whose weights factor: a product over the two sides. It is exact for q = 2.
    """
    exponent = q - 1.0
    spread = _spread_of_slopes(margins.row_sums / margins.n_samples, exponent)
    spread *= _spread_of_slopes(margins.col_sums / margins.n_samples, exponent)
    return q / 2 * exponent**2 * spread


def _spread_of_slopes(shares: FloatArray, exponent: float) -> float:
    """(sum p x - 1 / sum (p / x)) / e^2 for x = p^e, as a sum of squares about that second term.

    It is the mean of x less its harmonic mean. Both lie close to the smallest x where one matters.
    """
    powers = shares**exponent
    lowest = int(np.argmin(powers))
    gaps = power_gap(shares, shares[lowest], np.log(shares / shares[lowest]), exponent)
    weights = shares / powers
    harmonic = ordered_sum(weights * gaps) / ordered_sum(weights)
    return ordered_sum(weights * (gaps - harmonic) ** 2)


# --------------------------------------------------------------------------- moments

# Standardized values that are closer than this, in standard deviations, are ties.
_TIE_DEVIATIONS = 1e-9


class NullMoments:
    """Moments of an index under permutation, and the standardized observed value.

    Values are computed on access: the variance takes far longer than the mean. ``null`` is the null
    distribution of the statistic that the index is a function of.
    """

    def __init__(
        self,
        index: Index,
        margins: Margins,
        parameters: dict[str, Any],
        null: SumDistribution,
    ) -> None:
        self._index = index
        self._margins = margins
        self._parameters = parameters
        self.null = null

    @cached_property
    def mean(self) -> float:
        is_centered = self._index.adjusted and (self._margins.is_whole or self._index.moments)
        if is_centered and not isinstance(self.null, _Constant | _InBlocks):
            return 0.0
        return self._at_mean

    @cached_property
    def standard_deviation(self) -> float:
        return abs(self._slope) * self.null.standard_deviation

    @cached_property
    def standardized(self) -> float:
        """Observed value in standard deviations above the mean; 0.0 without variance."""
        if not self.null.standard_deviation:
            return 0.0
        standardized = self.null.standardized
        return standardized if self.rises else -standardized

    @property
    def rises(self) -> bool:
        """Whether the index rises with the agreement of the partitions."""
        return self._slope >= 0

    @cached_property
    def _slope(self) -> float:
        mean, other = self.null.mean, self.null.other
        if other == mean:
            return 0.0
        return (self._at(other) - self._at_mean) / (other - mean)

    def values_at(self, standardized: FloatArray) -> FloatArray:
        """Return the index for standardized values of the statistic, also if it is not linear."""
        null = self.null
        if self._index.linear_quantity(**self._parameters) is not None:
            return self.mean + self._slope * null.standard_deviation * standardized
        values = null.mean + null.standard_deviation * standardized
        return np.array([self._at(value) for value in values.tolist()])

    @cached_property
    def _at_mean(self) -> float:
        return self._at(self.null.mean)

    def _at(self, value: float) -> float:
        statistic = self.null.at(value)
        return float(self._index.of_statistic(statistic, self._known, **self._parameters))

    @cached_property
    def _known(self) -> Margins:
        is_constant = isinstance(self.null, _Constant)
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

    Unless the index is linear in it, only the null distribution of the statistic holds, and whether
    the index rises.
    """
    quantity = index.order_quantity(**parameters)
    if is_possibilistic(table):  # their cluster sizes change under permutation
        return None
    if quantity is None or index.statistic is None:
        return None
    observed = index.statistic.of(table, parameters)
    null: SumDistribution
    if blocks is not None:
        squares: Any = PLAIN_SQUARES
        if quantity == "cells":
            squares = index.statistic.cell_sum(parameters).function
        if quantity == "information" or not isinstance(squares, Squares):
            return None
        null = _InBlocks(table, observed, squares, blocks)
    elif is_constant(table):
        null = _Constant(table, observed)
    elif quantity == "pairs" and has_moments(table):
        null = _of_pairs(observed, table)
    elif quantity == "information" and table.is_whole:
        null = InformationDistribution(observed)
    elif quantity == "cells" and table.is_whole:
        null = _Cells(table, observed, index.statistic.cell_sum(parameters))
    else:
        return None
    return NullMoments(index, table, parameters, null)


def null_moments_of_pairs(
    index: Index, squares: SquareSums, margins: Margins, **parameters: Any
) -> NullMoments | None:
    """Return the exact moments of an index of pairs, for which no table is needed."""
    if index.linear_quantity(**parameters) is None:
        return None
    null = _Constant(margins, squares) if is_constant(margins) else _of_pairs(squares, margins)
    return NullMoments(index, margins, parameters, null)


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
    information: InformationMoments | None

    @classmethod
    def of(cls, index: Index, parameters: dict[str, Any], moments: NullMoments | None) -> Agreement:
        """Return the order of an index; moments of its statistic are None if not known."""
        if moments is None:
            return cls(index, parameters, None, index.greater_is_better, None)
        rises = moments.rises == index.greater_is_better
        quantity = index.order_quantity(**parameters)
        known = moments.null.information if quantity == "information" else None
        return cls(index, parameters, quantity, rises, known)

    def __call__(self, table: ContingencyTable) -> float:
        return self.value_and_order(table)[1]

    def value_and_order(self, table: ContingencyTable) -> tuple[float, float]:
        """Return the index of a table, and its place in the order."""
        value = float(self.index.function(table, **self.parameters))
        if self.quantity is None:
            return value, self._signed(value)
        if self.information is not None and not self.information.is_constant:
            return value, self._signed(self.information.standardized(table))
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
        if self.information is not None:  # in standard deviations
            return ~(values < value - _TIE_DEVIATIONS * max(1.0, abs(value)))
        return ~(values < value - TIE * abs(value))


# --------------------------------------------------------------------------- quantities


class _Constant(SumDistribution):
    """Nothing varies: every table of these margins has the same cells."""

    mean = standard_deviation = standardized = other = 0.0

    def at(self, value: float) -> Any:
        return self.statistic


def _of_pairs(squares: SquareSums, margins: Any) -> SumDistribution:
    return (_Pairs if margins.is_whole else _SoftPairs)(margins, squares)


class _SoftPairs(SumDistribution):
    """The sum of squared cells, of memberships or of weights."""

    @property
    def other(self) -> float:
        return float(min(self.statistic.rows, self.statistic.cols))

    @cached_property
    def _moments(self) -> SquareSumMoments:
        return permuted_square_sum(self.table)

    @property
    def mean(self) -> float:
        return self._moments.mean

    @property
    def standard_deviation(self) -> float:
        return math.sqrt(self._moments.variance)


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
        return self.information.standardized_squares(int(self.statistic.cells))


class InformationDistribution(SumDistribution):
    """The mutual information of order q."""

    def __init__(self, observed: Information) -> None:
        super().__init__(observed.table, observed)
        self.observed = observed
        self.cell_function = PLAIN_SQUARES if observed.q == 2 else InformationTerms(observed.q)

    @property
    def sum_deviation(self) -> float:
        return self.standard_deviation * float(self.table.n_samples) ** self.observed.q

    @property
    def information(self) -> InformationMoments:
        return self.observed.moments

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

    def at(self, value: float) -> _SupposedInformation:
        return _SupposedInformation(self, value)


class _SupposedInformation:
    """The information if the mutual information had another value."""

    is_observed = False

    def __init__(self, of: InformationDistribution, value: float) -> None:
        self._of, self.mutual = of, value

    def __getattr__(self, name: str) -> Any:
        return getattr(self._of.observed, name)

    @cached_property
    def given(self) -> tuple[float, float]:
        if self.mutual == self._of.mean:
            # Their means are separate sums: differences of entropies would lose digits.
            means = self.model.expected_cluster_conditional_entropy(self.q)
            return ordered_sum(means[0]), ordered_sum(means[1])
        true, pred = self.entropies
        return true - self.mutual, pred - self.mutual

    def excess(self, expected_left: float) -> float:
        return self.mutual - self._of.mean

    @property
    def standardized(self) -> float:
        deviation = self._of.standard_deviation
        return (self.mutual - self._of.mean) / deviation if deviation else 0.0


class _Cells(SumDistribution):
    """A sum over the cells."""

    def __init__(self, table: ContingencyTable, statistic: float, cell_sum: CellSum) -> None:
        super().__init__(table, statistic)
        self._cell_sum, self.cell_function = cell_sum, cell_sum.function
        self._model = permutation_model(table)

    @cached_property
    def _moments(self) -> CellSumMoments:
        return cell_sum_moments(self._model, self._cell_sum)

    @cached_property
    def mean(self) -> float:
        function, smooth = self._cell_sum
        return self._model.expected_cell_sum(function, smooth=smooth)

    @property
    def standard_deviation(self) -> float:
        return self._moments.standard_deviation

    @property
    def standardized(self) -> float:
        return self._moments.standardized(self.table)


class _InBlocks(SumDistribution):
    """A sum of squared cells, each divided by a number, under permutation within blocks."""

    def __init__(
        self, table: ContingencyTable, statistic: Any, squares: Squares, blocks: BlockMargins
    ) -> None:
        super().__init__(table, statistic)
        self._squares, self._blocks = squares, blocks

    @cached_property
    def mean(self) -> float:
        a, b = np.meshgrid(
            self._blocks.rows.sum(axis=0).astype(np.float64),
            self._blocks.cols.sum(axis=0).astype(np.float64),
            indexing="ij",
        )
        return self._blocks.mean_of_squares(self._squares.divisor(a, b))

    @cached_property
    def standard_deviation(self) -> float:
        if self._squares != PLAIN_SQUARES:
            msg = "the variance within blocks is known for sums of plain squares only"
            raise InexactVarianceError(msg)
        variance = self._blocks.variance_of_squares()
        # Differences due to rounding do not count as variation.
        return math.sqrt(variance) if variance > (TIE * self.mean) ** 2 else 0.0


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
    where all that is known is that this is below 1e-4, the value is that of a distribution with the
    known moments, which serves to rank. Equal partitions need not score 1: the fewer objects, the
    more easily chance makes them equal. With many objects the probability rounds to 1.0 for all
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
    null = InformationDistribution(Information(table, q))
    if null.information.is_constant:  # all tables are equal: 0/0 standard deviations above the mean
        return ratio(0, 0, table, "pvalue_adjusted_mutual_info_score")
    found = null.tail("auto", Draws(MOST_DRAWN, splits=False), is_upper=True)
    assert isinstance(found, Found)
    if scale == "probability":
        return 1.0 - found.probability
    is_limit = found.method in ("cantelli", "monte_carlo") and found.probability < 1 / MOST_DRAWN
    if is_limit:  # all that is known is that the probability is small: moments order candidates
        return -min(found.logarithm, null.log_rank(null.above_lowest))
    return -found.logarithm
