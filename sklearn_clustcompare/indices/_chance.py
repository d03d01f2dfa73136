"""Indices that are adjusted for chance or standardized by the permutation model."""

from __future__ import annotations

import math
import warnings
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_clustcompare._chance.law import InformationLaw, PairCounts
from sklearn_clustcompare._chance.permutation import permutation_model
from sklearn_clustcompare._numerics import ordered_sum, power_gap
from sklearn_clustcompare._table.counts import Margins, SquareSums
from sklearn_clustcompare.indices._information import Information, generalized_mean
from sklearn_clustcompare.indices._pairs import count_pairs
from sklearn_clustcompare.indices._soft import permuted_square_sum
from sklearn_clustcompare.indices._undefined import ratio


class Excess(NamedTuple):
    """MI_q less its mean under permutation, and how far below the smaller entropy that mean is.

    ``gap`` is how far the larger entropy is above the smaller one.
    """

    information: float
    room: float
    gap: float


def _information_excess(information: Information) -> Excess:
    model, q = information.model, information.q
    if q == 1:
        smaller, larger = sorted(information.entropies)
        expected = model.expected_mutual_info()
        if expected < smaller / 2:
            return Excess(information.mutual - expected, smaller - expected, larger - smaller)
    # MI and its mean are both close to the smaller entropy; the remainders are computed instead.
    expected_left = min(map(ordered_sum, model.expected_cluster_conditional_entropy(q)))
    return Excess(information.excess(expected_left), expected_left, information.gap)


def adjusted_mutual_info(
    information: Information,
    margins: Margins,
    *,
    q: float = 1.0,
    average_method: str = "arithmetic",
) -> float:
    if margins.is_identity:
        return 1.0
    smaller, larger = sorted(information.entropies)
    if is_constant(margins):  # the information and its mean are the smaller entropy
        bound = generalized_mean(smaller, larger, average_method)
        return ratio(0.0, bound - smaller, margins, "adjusted_mutual_info_score")
    excess = _information_excess(information)
    above_smaller = 0.0
    if average_method == "geometric":
        root = math.sqrt(smaller)
        above_smaller = excess.gap * root / (root + math.sqrt(larger))
    elif average_method != "min":
        above_smaller = excess.gap if average_method == "max" else excess.gap / 2
    return min(excess.information / (excess.room + above_smaller), 1.0)


def is_constant(margins: Margins) -> bool:
    """Return whether one side is trivial: then all tables of these margins have the same cells."""
    # As many clusters as objects are singletons only if nothing is shared.
    trivial = (1, margins.n_samples) if margins.is_whole else (1,)
    return margins.shape[0] in trivial or margins.shape[1] in trivial


def standardized_mutual_info(
    information: Information,
    margins: Margins,
    *,
    q: float = 1.0,
    zero_variance: str | float = "warn",
) -> float:
    if information.law.is_constant:
        return _without_variance(zero_variance, "standardized_mutual_info_score")
    return information.standardized


def standardized_rand(
    squares: SquareSums, margins: Margins, *, zero_variance: str | float = "warn"
) -> float:
    if isinstance(squares.cells, int):
        law = PairCounts.from_sums(margins.row_sums, margins.col_sums)
        if not law.is_constant:
            return law.standardized_squares(squares.cells)
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
    warnings.warn(
        f"{name} is undefined where all partitions with these cluster sizes agree to the same "
        "extent (zero variance), and set to 0.0; use zero_variance to choose the value",
        UndefinedMetricWarning,
        stacklevel=3,
    )
    return 0.0


def mean_above_lowest(margins: Margins, q: float, law: InformationLaw) -> float:
    """Return how far the mean of MI_q under permutation is above its lowest, in deviations."""
    gain = permutation_model(margins).expected_convex_gain(q)
    return (gain + room_below_independence(margins, q)) / law.standard_deviation


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
