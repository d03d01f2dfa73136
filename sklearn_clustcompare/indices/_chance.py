"""Indices that are adjusted for chance or standardized by the permutation model."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import gamma
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_clustcompare._chance.law import InformationLaw
from sklearn_clustcompare._chance.permutation import (
    PermutationModel,
    information_law,
    permutation_model,
)
from sklearn_clustcompare._numerics import ordered_sum, power_gap
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare._table.views import HasMargins, InformationTable
from sklearn_clustcompare.indices._information import (
    conditional_entropies,
    entropies,
    generalized_mean,
    mutual_info_nats,
)
from sklearn_clustcompare.indices._record import ratio
from sklearn_clustcompare.indices._soft import permuted_square_sum


class Excess(NamedTuple):
    """MI_q beyond its mean under permutation, and how far below the mean entropy that mean is."""

    information: float
    room: float


def information_excess(
    table: ContingencyTable | InformationTable, model: PermutationModel, q: float
) -> Excess:
    mean_entropy = sum(entropies(table, q)) / 2
    if isinstance(table, InformationTable):
        room = model.expected_variation_of_information(q) / 2
        return Excess(table.excess, room)
    expected = model.expected_mutual_info(q)
    if q == 1 and expected < mean_entropy / 2:
        return Excess(mutual_info_nats(table) - expected, mean_entropy - expected)
    # MI and its mean are both close to the entropies: their differences are those of VI.
    expected_distance = model.expected_variation_of_information(q)
    distance = sum(conditional_entropies(table, q))
    return Excess((expected_distance - distance) / 2, expected_distance / 2)


def adjusted_mutual_info(
    table: ContingencyTable, *, q: float = 1.0, average_method: str = "arithmetic"
) -> float:
    if table.is_identity:
        return 1.0
    model = permutation_model(table)
    first, second = entropies(table, q)
    bound = generalized_mean(first, second, average_method)
    if is_constant(table):  # the information and its mean are the smaller entropy
        return ratio(0.0, bound - min(first, second), table, "adjusted_mutual_info_score")
    excess = information_excess(table, model, q)
    return min(excess.information / ((bound - (first + second) / 2) + excess.room), 1.0)


def is_constant(table: HasMargins | InformationTable) -> bool:
    """Tell whether one side is trivial: then all tables of these margins have the same cells."""
    # As many clusters as objects are singletons only if nothing is shared.
    trivial = (1, table.n_samples) if table.is_whole else (1,)
    return len(table.row_sums) in trivial or len(table.col_sums) in trivial


def standardized_mutual_info(
    table: ContingencyTable, *, q: float = 1.0, zero_variance: str | float = "warn"
) -> float:
    return _standardized(table, q, zero_variance, "standardized_mutual_info_score")


def standardized_rand(table: ContingencyTable, *, zero_variance: str | float = "warn") -> float:
    if table.is_whole:
        return _standardized(table, 2.0, zero_variance, "standardized_rand_score")
    mean, variance = permuted_square_sum(table)
    if variance:
        return (table.square_sums.cells - mean) / math.sqrt(variance)
    return _without_variance(zero_variance, "standardized_rand_score")


def _standardized(
    table: ContingencyTable | InformationTable,
    q: float,
    zero_variance: str | float,
    name: str,
) -> float:
    if isinstance(table, InformationTable):
        if not table.standard_deviation:
            return _without_variance(zero_variance, name)
        return table.excess / table.standard_deviation
    law = information_law(permutation_model(table), q)
    return _without_variance(zero_variance, name) if law.is_constant else law.standardized(table)


def _without_variance(zero_variance: str | float, name: str) -> float:
    if not isinstance(zero_variance, str):
        return zero_variance
    warnings.warn(
        f"{name} is undefined where all partitions with these cluster sizes agree to the same "
        "extent (zero variance), and set to 0.0; use zero_variance to choose the value",
        UndefinedMetricWarning,
        stacklevel=3,
    )
    return 0.0


@dataclass(frozen=True)
class StandardizedMoments:
    """Where the MI_q of a table lies in its law under permutation, computed once for all uses.

    ``above_lowest`` is how far the mean lies above the lowest value, in standard deviations, as
    ``standardized`` is how far the table lies above the mean; both are 0.0 without variance.
    """

    law: InformationLaw
    mean: float
    standard_deviation: float
    standardized: float
    above_lowest: float


def standardized_moments(
    table: ContingencyTable, q: float = 1.0, law: InformationLaw | None = None
) -> StandardizedMoments:
    """Return mean and standard deviation of MI_q under permutation, and where a table lies.

    The ``law`` is passed where it was computed before.
    """
    model = permutation_model(table)
    law = information_law(model, q) if law is None else law
    if law.is_constant:
        return StandardizedMoments(law, model.expected_mutual_info(q), 0.0, 0.0, 0.0)
    deviation = law.standard_deviation
    gain = model.expected_convex_gain(q)
    return StandardizedMoments(
        law,
        mean=model.expected_mutual_info(q, method="limit") + gain,
        standard_deviation=deviation,
        standardized=law.standardized(table),
        above_lowest=(gain + room_below_independence(table, q)) / deviation,
    )


def gamma_p_value(moments: StandardizedMoments) -> float:
    """Return the probability that MI_q under permutation is at least the one observed.

    MI_q above its lowest value is taken to follow a gamma law with the exact mean and
    variance. Without variance every table is as good as this one.
    """
    if moments.law.is_constant:
        return 1.0
    root = moments.above_lowest
    return float(gamma.sf(root * (root + moments.standardized), root * root))


def room_below_independence(table: ContingencyTable, q: float) -> float:
    """Return how far MI_q can fall below its value at independence, to second order.

    That is where unequal cluster sizes give cells unequal slopes. Minimising the second-order
    expansion of sum phi(n_ij) at a_i b_j / N over tables with these margins is a weighted
    two-way fit, whose weights factor: a product over the two sides. It is exact for q = 2.
    """
    exponent = q - 1.0
    spread = _spread_of_slopes(table.row_sums / table.n_samples, exponent)
    spread *= _spread_of_slopes(table.col_sums / table.n_samples, exponent)
    return q / 2 * exponent**2 * spread


def _spread_of_slopes(shares: NDArray[np.float64], exponent: float) -> float:
    """(sum p x - 1 / sum (p / x)) / e^2 for x = p^e, as a sum of squares about that second term.

    It is the mean of x less its harmonic mean. Both lie close to the smallest x where one matters.
    """
    powers = shares**exponent
    lowest = int(np.argmin(powers))
    gaps = power_gap(shares, shares[lowest], np.log(shares / shares[lowest]), exponent)
    weights = shares / powers
    harmonic = ordered_sum(weights * gaps) / ordered_sum(weights)
    return ordered_sum(weights * (gaps - harmonic) ** 2)


def pvalue_adjusted_mutual_info(table: ContingencyTable, *, q: float = 1.0) -> float:
    moments = standardized_moments(table, q)
    if moments.law.is_constant:  # all tables are alike: 0/0 standard deviations above the mean
        return ratio(0, 0, table, "pvalue_adjusted_mutual_info_score")
    return 1.0 - gamma_p_value(moments)
