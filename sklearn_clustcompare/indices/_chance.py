"""Indices that are adjusted for chance or standardised by the permutation model."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

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
from sklearn_clustcompare._table.views import PairTable, SquareSums
from sklearn_clustcompare.indices import _coefficients, _pairs
from sklearn_clustcompare.indices._information import (
    conditional_entropies,
    entropies,
    generalized_mean,
    in_base,
    mutual_info_nats,
)
from sklearn_clustcompare.indices._soft import permuted_square_sum


class _Excess(NamedTuple):
    """MI_q beyond its mean under permutation, and how far below the mean entropy that mean is."""

    information: float
    room: float


def _excess(table: ContingencyTable, model: PermutationModel, q: float) -> _Excess:
    mean_entropy = sum(entropies(table, q)) / 2
    expected = model.expected_mutual_info(q)
    if q == 1 and expected < mean_entropy / 2:
        return _Excess(mutual_info_nats(table) - expected, mean_entropy - expected)
    # MI and its mean are both close to the entropies: their differences are those of VI.
    expected_distance = model.expected_variation_of_information(q)
    distance = sum(conditional_entropies(table, q))
    return _Excess((expected_distance - distance) / 2, expected_distance / 2)


def adjusted_mutual_info(
    table: ContingencyTable, *, q: float = 1.0, average_method: str = "arithmetic"
) -> float:
    if table.is_identity:
        return 1.0
    model = permutation_model(table)
    if is_constant(table):
        return 0.0
    excess = _excess(table, model, q)
    first, second = entropies(table, q)
    bound = generalized_mean(first, second, average_method)
    return min(excess.information / ((bound - (first + second) / 2) + excess.room), 1.0)


def is_constant(table: ContingencyTable) -> bool:
    """Tell whether one side is trivial: then all tables of these margins have the same cells."""
    # As many clusters as objects are singletons only if nothing is shared.
    trivial = (1, table.n_samples) if table.is_whole else (1,)
    return table.shape[0] in trivial or table.shape[1] in trivial


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
    law = information_law(permutation_model(table), q)
    if law.is_constant:
        return _without_variance(zero_variance, name)
    return law.standardized(table)


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


def standardized_moments(table: ContingencyTable, q: float = 1.0) -> StandardizedMoments:
    """Return mean and standard deviation of MI_q under permutation, and where a table lies."""
    model = permutation_model(table)
    law = information_law(model, q)
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


def cantelli_p_value(moments: StandardizedMoments) -> float:
    """Return Cantelli's bound on that probability, which holds for any law."""
    far = moments.standardized
    return 1 / (1 + far**2) if far > 0 else 1.0


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
    return 1.0 - gamma_p_value(standardized_moments(table, q))


# --------------------------------------------------------------------------- expected values


def _expected_table(table: ContingencyTable) -> ContingencyTable:
    n = float(table.n_samples)
    squares = table.square_sums
    if table.is_whole:
        cells = 2 * permutation_model(table).expected_pair_count() + n
    else:
        cells = permuted_square_sum(table).mean
    expected = SquareSums(cells, float(squares.rows), float(squares.cols))
    return cast(ContingencyTable, PairTable(n, expected, is_whole=False, soft=table.soft))


# Given the cluster sizes these are linear in the number of pairs together in both partitions:
# their mean is their value at its mean.
_LINEAR_IN_PAIRS = {
    "rand_score": _pairs.rand,
    "fowlkes_mallows_score": _pairs.fowlkes_mallows,
    "pair_precision_score": _pairs.pair_precision,
    "pair_recall_score": _pairs.pair_recall,
    "pair_f_score": _pairs.pair_f,
    "mirkin_distance": _pairs.mirkin,
}


_ADJUSTED_PAIRS = {
    "adjusted_rand_score": _pairs.adjusted_rand,
    "adjusted_wallace_score": _pairs.adjusted_wallace,
}


def _linear_in_information(
    table: ContingencyTable, name: str, q: float = 1.0, **parameters: Any
) -> float | None:
    """Return the mean of an index that is linear in MI_q, given the cluster sizes."""
    model = permutation_model(table)
    true, pred = entropies(table, q)
    base = parameters.get("base")
    if name == "conditional_entropy":
        distance = model.expected_variation_of_information(q)
        return in_base((distance + true - pred) / 2, base, q)
    if name == "variation_of_information_distance" and not parameters.get("normalize"):
        return in_base(model.expected_variation_of_information(q), base, q)
    bounds: dict[str, Callable[[], float]] = {
        "homogeneity_score": lambda: true,
        "completeness_score": lambda: pred,
        "v_measure_score": lambda: _weighted_mean(true, pred, parameters.get("beta", 1.0)),
        "normalized_mutual_info_score": lambda: generalized_mean(
            true, pred, parameters.get("average_method", "arithmetic")
        ),
        "normalized_information_distance": lambda: max(true, pred),
    }
    if name not in bounds or parameters.get("average_method") == "joint":
        return None
    bound = bounds[name]()
    share = model.expected_mutual_info(q) / bound if bound else 0.0
    return 1.0 - share if name == "normalized_information_distance" else share


def _weighted_mean(true: float, pred: float, beta: float) -> float:
    return (true + beta * pred) / (1 + beta)


def exact_expected_value(table: ContingencyTable, name: str, **parameters: Any) -> float | None:
    """Return the exact mean of an index under permutation, or None where there is no closed form.

    These are the indices alpha + beta sum phi(n_ij), with alpha and beta given by the
    cluster sizes (Romano et al. 2016, Definition 1). For real-valued tables only sums of squares
    have a known mean, and indices that are adjusted for whole counts do not have mean zero.
    """
    if not table.is_whole and name in _ADJUSTED_PAIRS:
        return _ADJUSTED_PAIRS[name](_expected_table(table), **parameters)
    if name in _LINEAR_IN_PAIRS:
        return _LINEAR_IN_PAIRS[name](_expected_table(table), **parameters)
    if name == "pair_counting_score":
        if parameters.get("adjusted") and table.is_whole:
            return 0.0
        function = _coefficients.COEFFICIENTS[parameters.get("coefficient", "hamann")]
        if function in _coefficients.LINEAR:
            return _coefficients.pair_counting(_expected_table(table), **parameters)
        return None
    if not table.is_whole:
        return None
    return _linear_in_information(table, name, **parameters)
