"""Indices that are adjusted for chance or standardised by the permutation model."""

from __future__ import annotations

import math
import warnings
from typing import NamedTuple

from scipy.stats import gamma
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_clustcompare._chance.permutation import PermutationModel, permutation_model
from sklearn_clustcompare._numerics import ordered_sum
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
    table: ContingencyTable, q: float, zero_variance: str | float, name: str
) -> float:
    model = permutation_model(table)
    variance = model.mutual_info_variance(q)
    if variance:
        return information_excess(table, model, q).information / math.sqrt(variance)
    return _without_variance(zero_variance, name)


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


def gamma_p_value(table: ContingencyTable, q: float = 1.0) -> float:
    """Return the probability that MI_q under permutation is at least the one observed.

    MI_q above its lowest value is taken to follow a gamma law with the exact mean and
    variance. Without variance every table is as good as this one.
    """
    tail = _gamma_tail(table, q)
    return 1.0 if tail is None else tail


def _gamma_tail(table: ContingencyTable, q: float) -> float | None:
    model = permutation_model(table)
    variance = model.mutual_info_variance(q)
    if not variance:
        return None
    mean = model.expected_convex_gain(q) + room_below_independence(table, q)
    value = mean + information_excess(table, model, q).information
    return float(gamma.sf(value, mean**2 / variance, scale=variance / mean))


def gamma_shape(table: ContingencyTable, q: float) -> float | None:
    """Return the shape of the gamma law of MI_q under permutation, or None without variance."""
    model = permutation_model(table)
    variance = model.mutual_info_variance(q)
    if not variance:
        return None
    above_lowest = model.expected_convex_gain(q) + room_below_independence(table, q)
    return above_lowest**2 / variance


def room_below_independence(table: ContingencyTable, q: float) -> float:
    """Return how far MI_q can fall below its value at independence, to second order.

    That is where unequal cluster sizes give cells unequal slopes. Minimising the second-order
    expansion of sum phi(n_ij) at a_i b_j / N over tables with these margins is a weighted
    two-way fit, whose weights factor: a product over the two sides. It is exact for q = 2.
    """
    if q == 1:
        return 0.0
    spread = 1.0
    for sizes in (table.row_sums, table.col_sums):
        shares = sizes / table.n_samples
        spread *= max(ordered_sum(shares**q) - 1 / ordered_sum(shares ** (2 - q)), 0.0)
    return q / (2 * (q - 1) ** 2) * spread


def pvalue_adjusted_mutual_info(table: ContingencyTable, *, q: float = 1.0) -> float:
    tail = _gamma_tail(table, q)
    if tail is None:  # all tables are alike: 0/0 standard deviations above the mean
        return ratio(0, 0, table, "pvalue_adjusted_mutual_info_score")
    return 1.0 - tail
