"""Indices that are adjusted for chance or standardized by the permutation model."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from sklearn_clustcompare._array_types import FloatArray
from sklearn_clustcompare._chance.law import InformationLaw, PairCounts
from sklearn_clustcompare._chance.permutation import permutation_model
from sklearn_clustcompare._numerics import ordered_sum, power_gap
from sklearn_clustcompare._options import warn_caller
from sklearn_clustcompare._parameters import entropy_order, warn_or_number
from sklearn_clustcompare._table.counts import Margins, SquareSums
from sklearn_clustcompare.indices._entropies import Information, generalized_mean
from sklearn_clustcompare.indices._index import index
from sklearn_clustcompare.indices._pairs import count_pairs, permuted_square_sum
from sklearn_clustcompare.indices._record import ratio
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
    permuted and M the chosen mean. The cells follow a hypergeometric law, so weights must be whole
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
    if information.law.is_constant:
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
    from sklearn.exceptions import UndefinedMetricWarning

    warn_caller(
        f"{name} is undefined where all partitions with these cluster sizes agree to the same "
        "extent (zero variance), and set to 0.0; use zero_variance to choose the value",
        UndefinedMetricWarning,
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
