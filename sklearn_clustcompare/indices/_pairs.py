"""Indices that count pairs of objects, coefficients of counts, and soft pairs.

With whole counts all operations before the last division use Python's unbounded integers: nothing
overflows or rounds, however many objects there are.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from scipy.special import xlogy

from sklearn_clustcompare import _kernels
from sklearn_clustcompare._array_types import Array, FloatArray, IntArray, Mask
from sklearn_clustcompare._chance.objects import SquareSumMoments, mantel_moments
from sklearn_clustcompare._numerics import TIE, ordered_sum
from sklearn_clustcompare._parameters import boolean, non_negative, one_of
from sklearn_clustcompare._partition.memberships import MembershipMoments
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare._table.counts import Margins, SquareSums
from sklearn_clustcompare._table.many import PartialTable
from sklearn_clustcompare._table.matching import largest_values
from sklearn_clustcompare._table.overlap import SoftSides
from sklearn_clustcompare.indices._claims import CLAIMS
from sklearn_clustcompare.indices._index import index
from sklearn_clustcompare.indices._record import REGISTERED, Index, ratio, require_whole
from sklearn_clustcompare.indices._sums import (
    OF_ASSOCIATION,
    OF_PAIRS,
    OVER_BOTH,
    UNIT,
    WAGNER,
    CountedIn,
    Properties,
    f_properties,
    normalized_distance_properties,
)


def wallace_properties(*, given: str = "true") -> Properties:
    return {"constant_baseline": "exact", "bias": "neutral", "monotone": "weak"}


# Of all partitions, the adjusted Rand index has no lower value; see :func:`adjusted_rand_score`.
LOWEST_AGREEMENT = -0.5


class Pairs(NamedTuple):
    """Numbers of unordered pairs of objects, by whether the pair is kept together.

    ``both`` is n11, ``true_only`` n10, ``pred_only`` n01 and ``neither`` n00; ints for whole
    counts, else floats from n(n - 1)/2 with real n.
    """

    both: Any
    true_only: Any
    pred_only: Any
    neither: Any

    @property
    def true(self) -> Any:
        return self.both + self.true_only

    @property
    def pred(self) -> Any:
        return self.both + self.pred_only

    @property
    def total(self) -> Any:
        return (self.both + self.neither) + (self.true_only + self.pred_only)


def count_pairs(squares: SquareSums, margins: Margins) -> Pairs:
    """Count pairs of all kinds; raise ValueError if weights are too small to be frequencies."""
    n = margins.n_samples
    cells, rows, cols = squares
    if not isinstance(cells, float):  # an array has sums of many tables
        neither = n * n - rows - cols + cells
        if type(cells) is not int and isinstance(neither, np.ndarray) and neither.dtype.kind == "f":
            # Whole and even, too; to round floats takes a hundred times as long.
            return Pairs((cells - n) / 2, (rows - cells) / 2, (cols - cells) / 2, neither / 2)
        return Pairs((cells - n) // 2, (rows - cells) // 2, (cols - cells) // 2, neither // 2)
    both, true_only, pred_only = (cells - n) / 2, (rows - cells) / 2, (cols - cells) / 2
    if abs(both) <= TIE * n:
        both = 0.0
    # Differences of rounded sums may fall slightly below zero; this one is 0 beside one cluster.
    neither = max(((n * n - rows) - (cols - cells)) / 2, 0.0)
    pairs = Pairs(both, max(true_only, 0.0), max(pred_only, 0.0), neither)
    if margins.soft is not None:
        check_frequencies(min(pairs.true, pairs.pred) >= 0, n, margins.soft)
    elif not margins.is_whole:  # of whole counts these are means, which no objects need to have
        check_frequencies(both >= 0 and _agreement(pairs) >= LOWEST_AGREEMENT, n)
    return pairs


def count_joined_pairs(squares: SquareSums, margins: Margins) -> Pairs:
    """Count pairs for an index that is a share of those together in both partitions.

    Others are defined for soft clusters that hardly overlap as well.
    """
    pairs = count_pairs(squares, margins)
    if margins.soft is not None:
        check_frequencies(pairs.both >= 0, margins.n_samples, margins.soft)
    return pairs


def _agreement(pairs: Pairs) -> float:
    """Return the adjusted Rand index, 1 where it is undefined."""
    both, true_only, pred_only, neither = pairs
    most = pairs.true * (true_only + neither) + pairs.pred * (pred_only + neither)
    return 2 * (both * neither - true_only * pred_only) / most if most > 0 else 1.0


def check_frequencies(are_possible: bool, n_samples: float, soft: SoftSides | None = None) -> None:
    """Raise ValueError if no objects can have numbers of pairs, since a cell holds less than one.

    The pairs of n objects are n(n - 1)/2, also for n that is no whole number: fewer than none for
    n < 1.
    """
    if are_possible:
        return
    if soft is None:
        msg = (
            "sample_weight must be frequencies, the number of objects that each one stands for, "
            f"where pairs are counted: with these weights, which add up to {n_samples:g}, objects "
            "of equal labels would have fewer than no pairs; scale them to the number of objects "
            "they represent, or use an index of information or set matching"
        )
    else:
        msg = (
            "pairs of objects can be counted only if soft clusters overlap by more than about one "
            f"object: with these {n_samples:g} objects the number of pairs would be negative; use "
            "frobenius_adjusted_rand_score, or an index of information or set matching"
        )
    raise ValueError(msg)


# The lowest and the highest value over all assignments of noise objects.


def is_certain(table: ContingencyTable, row_is_noise: Mask, col_is_noise: Mask) -> Mask:
    """Return which cells are noise on neither side."""
    return ~(row_is_noise[table.cell_rows] | col_is_noise[table.cell_cols])


def pair_recall_bounds(
    table: ContingencyTable, row_is_noise: Mask, col_is_noise: Mask
) -> tuple[float, float]:
    certain = is_certain(table, row_is_noise, col_is_noise)
    return _pair_share_bounds(table, row_is_noise, certain, "pair_recall_score", "labels_true")


def pair_precision_bounds(
    table: ContingencyTable, row_is_noise: Mask, col_is_noise: Mask
) -> tuple[float, float]:
    certain = is_certain(table.T, col_is_noise, row_is_noise)
    return _pair_share_bounds(table.T, col_is_noise, certain, "pair_precision_score", "labels_pred")


def _pair_share_bounds(
    table: ContingencyTable, row_is_noise: Mask, certain: Mask, index: str, rows: str
) -> tuple[float, float]:
    if row_is_noise.any():
        msg = f"{rows} must be free of noise for bounds of {index}, got objects of noise"
        raise ValueError(msg)
    n_pairs = _n_pairs(table.row_sums)
    if n_pairs == 0:
        msg = f"{rows} must have a cluster of two objects for bounds of {index}, got none"
        raise ValueError(msg)
    counts = table.cell_counts[certain]
    largest = largest_values(table.cell_rows[certain], counts, table.shape[0])
    loose = table.row_sums.copy()
    np.subtract.at(loose, table.cell_rows[certain], counts)
    low = _n_pairs(counts)
    return low / n_pairs, (low + _n_pairs(largest + loose) - _n_pairs(largest)) / n_pairs


def _n_pairs(sizes: IntArray) -> int:
    # Of Python's integers: squares of large clusters exceed those of NumPy.
    return sum(math.comb(size, 2) for size in sizes.tolist())


# --------------------------------------------------------------------------- named indices


@index(
    short_names=("ri",),
    linear_in="pairs",
    linear_in_pair_counts=True,
    adjusted_form=("adjusted_rand_score", {}),
    families=("segmentation",),
    source=f"Rand (1971); {WAGNER}, sec. 3.2.1",
    **OF_PAIRS,
)
def rand_score(squares: SquareSums, margins: Margins) -> float:
    """Rand index: share of the pairs of objects on which the partitions agree.

    Easy to interpret, but not adjusted for chance: with many clusters nearly all pairs are apart in
    both partitions, and unrelated partitions score close to 1. To compare candidates with different
    numbers of clusters, prefer :func:`adjusted_rand_score`.

    Returns
    -------
    float
        In [0, 1]; 1.0 for equal partitions. For vague memberships it can be slightly negative.
        Higher is better.

    See Also
    --------
    adjusted_rand_score : The same, adjusted for chance.
    mirkin_distance : The same information as a metric.

    Notes
    -----
    (n11 + n00) / T, with T = N(N - 1)/2 pairs. See :func:`pair_confusion_matrix` for the pair
    counts n11, n10, n01 and n00 and for weights that are not whole.

    Fewer than two objects have no pairs; the score then is 1.0.

    References
    ----------
    .. [1] W. M. Rand, "Objective criteria for the evaluation of clustering methods", Journal of the
       American Statistical Association 66(336), 1971, :doi:`10.1080/01621459.1971.10482356`
    .. [2] S. Wagner, D. Wagner, "Comparing clusterings: an overview", Universität Karlsruhe,
       Technical Report 2006-04, 2007, section 3.2.1

    Examples
    --------
    >>> from sklearn_clustcompare import rand_score
    >>> round(rand_score(list("aaabbb"), [1, 1, 2, 2, 3, 3]), 3)
    0.667
    """
    pairs = count_pairs(squares, margins)
    return ratio(pairs.both + pairs.neither, pairs.total, margins, "rand_score")


def adjusted_rand(squares: SquareSums, margins: Margins) -> float:
    both, true_only, pred_only, neither = pairs = count_pairs(squares, margins)
    if margins.is_identity:
        return 1.0
    agreement = 2 * (both * neither - true_only * pred_only)
    most = pairs.true * (true_only + neither) + pairs.pred * (pred_only + neither)
    return ratio(agreement, most, margins, "adjusted_rand_score")


@index(
    short_names=("fmi",),
    linear_in="pairs",
    source=f"Fowlkes & Mallows (1983); {WAGNER}, sec. 3.3",
    **OF_PAIRS,
)
def fowlkes_mallows_score(squares: SquareSums, margins: Margins) -> float:
    """Geometric mean of pair precision and pair recall: the Fowlkes-Mallows index.

    It considers only pairs that at least one partition joins, so it does not rise with the number
    of clusters as :func:`rand_score` does. It is not adjusted for chance: a few large clusters on
    both sides suffice for a high value.

    Returns
    -------
    float
        In [0, 1]; 1.0 for equal partitions. Higher is better.

    See Also
    --------
    pair_precision_score : One of the two factors.
    pair_recall_score : The other one.
    pair_f_score : Their harmonic mean.

    Notes
    -----
    n11 / sqrt((n11 + n10)(n11 + n01)). See :func:`pair_confusion_matrix` for the pair counts n11,
    n10, n01 and n00 and for weights that are not whole.

    Unlike :func:`sklearn.metrics.fowlkes_mallows_score`, two partitions into singletons only are
    equal and score 1.0 here, not 0.0. If only one partition consists of singletons the score is
    0.0, without a warning, as in scikit-learn.

    References
    ----------
    .. [1] E. B. Fowlkes, C. L. Mallows, "A method for comparing two hierarchical clusterings",
       Journal of the American Statistical Association 78(383), 1983,
       :doi:`10.1080/01621459.1983.10478008`
    .. [2] S. Wagner, D. Wagner, "Comparing clusterings: an overview", Universität Karlsruhe,
       Technical Report 2006-04, 2007, section 3.3

    Examples
    --------
    >>> from sklearn_clustcompare import fowlkes_mallows_score
    >>> round(fowlkes_mallows_score(list("aaabbb"), [1, 1, 2, 2, 3, 3]), 3)
    0.471
    >>> fowlkes_mallows_score([0, 1, 2], [2, 0, 1])
    1.0
    """
    pairs = count_joined_pairs(squares, margins)
    if margins.is_identity:
        return 1.0
    if not pairs.both:  # also if one side has singletons only, without pairs to find
        return 0.0
    return math.sqrt((pairs.both / pairs.true) * (pairs.both / pairs.pred))


@index(ordered_by="pairs", source=f"{WAGNER}, sec. 3.5.1", **OF_PAIRS)
def pair_jaccard_score(squares: SquareSums, margins: Margins) -> float:
    """Jaccard index of the pairs of objects that the partitions join.

    Pairs apart in both partitions do not count, so many clusters do not inflate it, unlike
    :func:`rand_score`. Not adjusted for chance.

    Returns
    -------
    float
        In [0, 1]; 1.0 for equal partitions. Higher is better.

    See Also
    --------
    pair_f_score : A monotone function of it (beta=1).
    adjusted_rand_score : An index adjusted for chance.

    Notes
    -----
    n11 / (n11 + n10 + n01). See :func:`pair_confusion_matrix` for the pair counts n11, n10, n01 and
    n00 and for weights that are not whole.

    Partitions into singletons only have no pairs joined; they are equal and score 1.0.

    References
    ----------
    .. [1] S. Wagner, D. Wagner, "Comparing clusterings: an overview", Universität Karlsruhe,
       Technical Report 2006-04, 2007, section 3.5.1

    Examples
    --------
    >>> from sklearn_clustcompare.metrics import pair_jaccard_score
    >>> round(pair_jaccard_score(list("aaabbb"), [1, 1, 2, 2, 3, 3]), 3)
    0.286
    """
    pairs = count_joined_pairs(squares, margins)
    return ratio(pairs.both, pairs.true + pairs.pred_only, margins, "pair_jaccard_score")


@index(
    short_names=("precision",),
    linear_in="pairs",
    adjusted_form=("adjusted_wallace_score", {"given": "pred"}),
    noise_bounds=pair_precision_bounds,
    families=("entity", "segmentation"),
    source="Wallace (1983); Zafarani, Abbasi & Liu (2014), sec. 6.3",
    **OF_PAIRS,
)
def pair_precision_score(squares: SquareSums, margins: Margins) -> float:
    """Share of the pairs joined by the candidate that belong together.

    Merging reference clusters lowers it, splitting them does not: tiny pure clusters score high.
    Read it together with :func:`pair_recall_score`. It is Wallace's coefficient given
    ``labels_pred``.

    Returns
    -------
    float
        In [0, 1]; 1.0 if every predicted cluster lies within a reference cluster. Higher is better.

    See Also
    --------
    pair_recall_score : The other direction.
    pair_f_score : Both in one number.
    adjusted_wallace_score : Adjusted for chance (``given="pred"``).

    Notes
    -----
    n11 / (n11 + n01). See :func:`pair_confusion_matrix` for the pair counts n11, n10, n01 and n00
    and for weights that are not whole.

    A candidate of singletons only joins no pair: 1.0 if it equals the reference, otherwise the
    score is undefined and set to 0.0 with an :class:`~sklearn.exceptions.UndefinedMetricWarning`.

    References
    ----------
    .. [1] D. L. Wallace, "A method for comparing two hierarchical clusterings: comment", Journal of
       the American Statistical Association 78(383), 1983
    .. [2] R. Zafarani, M. A. Abbasi, H. Liu, "Social Media Mining", Cambridge University Press,
       2014, section 6.3

    Examples
    --------
    >>> from sklearn_clustcompare import pair_precision_score
    >>> round(pair_precision_score(list("aaabbb"), [1, 1, 2, 2, 3, 3]), 3)
    0.667
    """
    pairs = count_joined_pairs(squares, margins)
    return ratio(pairs.both, pairs.pred, margins, "pair_precision_score")


@index(
    short_names=("recall",),
    linear_in="pairs",
    adjusted_form=("adjusted_wallace_score", {"given": "true"}),
    noise_bounds=pair_recall_bounds,
    families=("entity", "segmentation"),
    source="Wallace (1983); Zafarani, Abbasi & Liu (2014), sec. 6.3",
    **OF_PAIRS,
)
def pair_recall_score(squares: SquareSums, margins: Margins) -> float:
    """Share of the pairs that belong together that the candidate joins.

    Splitting reference clusters lowers it, merging them does not: a single cluster scores 1. Read
    it together with :func:`pair_precision_score`. It is Wallace's coefficient given
    ``labels_true``.

    Returns
    -------
    float
        In [0, 1]; 1.0 if every reference cluster lies within a predicted cluster. Higher is better.

    See Also
    --------
    pair_precision_score : The other direction.
    pair_f_score : Both in one number.
    adjusted_wallace_score : Adjusted for chance (``given="true"``).

    Notes
    -----
    n11 / (n11 + n10). See :func:`pair_confusion_matrix` for the pair counts n11, n10, n01 and n00
    and for weights that are not whole.

    A reference of singletons only joins no pair: 1.0 if it equals the candidate, otherwise the
    score is undefined and set to 0.0 with an :class:`~sklearn.exceptions.UndefinedMetricWarning`.

    References
    ----------
    .. [1] D. L. Wallace, "A method for comparing two hierarchical clusterings: comment", Journal of
       the American Statistical Association 78(383), 1983
    .. [2] R. Zafarani, M. A. Abbasi, H. Liu, "Social Media Mining", Cambridge University Press,
       2014, section 6.3

    Examples
    --------
    >>> from sklearn_clustcompare import pair_recall_score
    >>> round(pair_recall_score(list("aaabbb"), [1, 1, 2, 2, 3, 3]), 3)
    0.333
    """
    pairs = count_joined_pairs(squares, margins)
    return ratio(pairs.both, pairs.true, margins, "pair_recall_score")


@index(
    linear_in="pairs",
    parameters={"beta": non_negative},
    by_parameters=f_properties,
    families=("entity", "segmentation"),
    source="Zafarani, Abbasi & Liu (2014), sec. 6.3",
    **OF_PAIRS,
)
def pair_f_score(squares: SquareSums, margins: Margins, *, beta: float = 1.0) -> float:
    """F-score of the pairs of objects that the candidate joins.

    The weighted harmonic mean of pair precision and pair recall. Not adjusted for chance; large
    clusters dominate it.

    Parameters
    ----------
    beta : float, default=1.0
        How many times as much recall counts as precision; not negative.

    Returns
    -------
    float
        In [0, 1]; 1.0 for equal partitions. Higher is better.

    See Also
    --------
    pair_precision_score : One of the two parts.
    pair_recall_score : The other one.
    f_measure_score : F-measure of matched clusters, not of pairs.

    Notes
    -----
    (1 + beta^2) n11 / (beta^2 (n11 + n10) + (n11 + n01)). See :func:`pair_confusion_matrix` for the
    pair counts n11, n10, n01 and n00 and for weights that are not whole.

    The adapted Rand error of segmentation is one minus this score. It has a weight alpha of the
    pairs of the reference, n11 / (alpha (n11 + n10) + (1 - alpha) (n11 + n01)), which is
    ``beta=sqrt(alpha / (1 - alpha))``: 0.5 is the default 1.0, and 1 is :func:`pair_recall_score`.
    What ``skimage.metrics.adapted_rand_error`` returns as precision is the recall here, and the
    other way round.

    Partitions into singletons only are equal and score 1.0.

    References
    ----------
    .. [1] R. Zafarani, M. A. Abbasi, H. Liu, "Social Media Mining", Cambridge University Press,
       2014, section 6.3

    Examples
    --------
    >>> from sklearn_clustcompare import pair_f_score
    >>> round(pair_f_score(list("aaabbb"), [1, 1, 2, 2, 3, 3]), 3)
    0.444
    >>> round(pair_f_score(list("aaabbb"), [1, 1, 2, 2, 3, 3], beta=2), 3)
    0.37
    """
    pairs = count_joined_pairs(squares, margins)
    if margins.is_identity:
        return 1.0
    weight = Fraction(beta) ** 2 if isinstance(pairs.both, int) else beta * beta
    most = weight * pairs.true + pairs.pred
    return ratio((1 + weight) * pairs.both, most, margins, "pair_f_score")


@index(
    linear_in="pairs",
    parameters={"given": one_of("true", "pred")},
    by_parameters=wallace_properties,
    source="Wallace (1983); Severiano et al. (2011)",
    **OF_PAIRS,
)
def adjusted_wallace_score(squares: SquareSums, margins: Margins, *, given: str = "true") -> float:
    """Adjusted Wallace coefficient: pair recall or precision adjusted for chance.

    How well one partition predicts which pairs the other joins: 1 if the other partition joins
    every pair that the given one joins, 0 on average for independent partitions. Use it if the two
    partitions play different roles, such as a coarse and a fine typing method.

    Parameters
    ----------
    given : {"true", "pred"}, default="true"
        The partition whose pairs are given: "true" adjusts :func:`pair_recall_score`, "pred"
        adjusts :func:`pair_precision_score`.

    Returns
    -------
    float
        At most 1, which is reached if the given partition refines the other; 0 on average by
        chance. Higher is better.

    See Also
    --------
    adjusted_rand_score : The symmetric counterpart: the harmonic mean of both directions.
    pair_recall_score : Wallace's coefficient itself.

    Notes
    -----
    (W - E) / (1 - E). With ``given="true"``, W = n11 / (n11 + n10) and E = (n11 + n01) / T; with
    "pred" the roles of n10 and n01 are swapped. See :func:`pair_confusion_matrix` for the pair
    counts n11, n10, n01 and n00 and for weights that are not whole.

    Undefined if the given partition has only singletons or the other has one cluster: equal
    partitions then score 1.0, others are set to 0.0 with an
    :class:`~sklearn.exceptions.UndefinedMetricWarning`.

    References
    ----------
    .. [1] D. L. Wallace, "A method for comparing two hierarchical clusterings: comment", Journal of
       the American Statistical Association 78(383), 1983
    .. [2] A. Severiano, F. R. Pinto, M. Ramirez, J. A. Carriço, "Adjusted Wallace coefficient as a
       measure of congruence between typing methods", Journal of Clinical Microbiology 49(11), 2011,
       :doi:`10.1128/JCM.00624-11`

    Examples
    --------
    >>> from sklearn_clustcompare.metrics import adjusted_wallace_score
    >>> round(adjusted_wallace_score(list("aaabbb"), [1, 1, 2, 2, 3, 3]), 3)
    0.167
    >>> round(adjusted_wallace_score(list("aaabbb"), [1, 1, 2, 2, 3, 3], given="pred"), 3)
    0.444
    """
    both, true_only, pred_only, neither = count_pairs(squares, margins)
    apart = true_only if given == "true" else pred_only
    # In this form rounding does not lead beyond 1.
    return ratio(
        both * neither - true_only * pred_only,
        (both + apart) * (neither + apart),
        margins,
        "adjusted_wallace_score",
    )


@index(
    linear_in="pairs",
    linear_in_pair_counts=True,
    parameters={"normalize": boolean},
    unit=CountedIn("ordered pairs"),
    by_parameters=normalized_distance_properties,
    source=f"Mirkin (1996); {WAGNER}, sec. 3.4",
    **OF_PAIRS,
)
def mirkin_distance(squares: SquareSums, margins: Margins, *, normalize: bool = False) -> float:
    """Mirkin metric: ordered pairs of objects on which the partitions disagree.

    A metric on the partitions of a set. Normalized, it has the drawback of :func:`rand_score`: with
    many clusters all distances are small.

    Parameters
    ----------
    normalize : bool, default=False
        Divide by the N^2 ordered pairs of N objects (each object paired with itself included).

    Returns
    -------
    float
        Number of ordered pairs, from 0.0 for equal partitions to N(N - 1); normalized, from 0.0 to
        1 - 1/N. Lower is better.

    See Also
    --------
    rand_score : 1 - distance / (N(N - 1)).
    van_dongen_distance : A metric that matches clusters.

    Notes
    -----
    2(n10 + n01) = sum a_i^2 + sum b_j^2 - 2 sum n_ij^2. See :func:`pair_confusion_matrix` for the
    pair counts n11, n10, n01 and n00 and for weights that are not whole.

    References
    ----------
    .. [1] B. Mirkin, "Mathematical Classification and Clustering", Kluwer, 1996
    .. [2] S. Wagner, D. Wagner, "Comparing clusterings: an overview", Universität Karlsruhe,
       Technical Report 2006-04, 2007, section 3.4

    Examples
    --------
    >>> from sklearn_clustcompare.metrics import mirkin_distance
    >>> mirkin_distance(list("aaabbb"), [1, 1, 2, 2, 3, 3])
    10.0
    >>> round(mirkin_distance(list("aaabbb"), [1, 1, 2, 2, 3, 3], normalize=True), 3)
    0.278
    """
    pairs = count_pairs(squares, margins)
    distance = 2 * (pairs.true_only + pairs.pred_only)
    if not normalize:
        return distance
    n = margins.n_samples
    return distance / (n * n) if n else 0.0


@index(
    linear_in="pairs",
    linear_in_pair_counts=True,
    unit="pairs",
    source=f"Li, Ogihara & Ma (2004); {WAGNER}, sec. 3.5.2",
    **OF_PAIRS,
)
def partition_difference(squares: SquareSums, margins: Margins) -> float:
    """Count the pairs of objects that neither partition joins.

    Kept for comparison with published values. Despite its name it is not a distance: it is not 0
    for equal partitions, and it grows with the number of clusters rather than with disagreement. Do
    not select models with it.

    Returns
    -------
    float
        Number of unordered pairs, from 0 to N(N - 1)/2.

    See Also
    --------
    mirkin_distance : Number of (ordered) pairs on which partitions disagree, a metric.

    Notes
    -----
    n00. See :func:`pair_confusion_matrix` for the pair counts n11, n10, n01 and n00 and for weights
    that are not whole. Equal partitions into k > 1 clusters have n00 > 0, so it is not a distance.

    References
    ----------
    .. [1] T. Li, M. Ogihara, S. Ma, "On combining multiple clusterings", CIKM, 2004
    .. [2] S. Wagner, D. Wagner, "Comparing clusterings: an overview", Universität Karlsruhe,
       Technical Report 2006-04, 2007, section 3.5.2

    Examples
    --------
    >>> from sklearn_clustcompare.metrics import partition_difference
    >>> partition_difference(list("aaabbb"), [1, 1, 2, 2, 3, 3])
    8.0
    >>> partition_difference([0, 0, 1], [0, 0, 1])
    2.0
    """
    return count_pairs(squares, margins).neither


@index(ordered_by="pairs", source="Gosgens, Tikhonov & Prokhorenkova (2021)", **OF_PAIRS)
def correlation_distance(squares: SquareSums, margins: Margins) -> float:
    """Correlation distance: the angle between the pairs that the partitions join.

    A metric that is close to 0.5 for random candidates, whatever the sizes of their clusters: few
    indices have both properties.

    Returns
    -------
    float
        In [0, 1), in half turns; 0.0 for equal partitions only, 0.5 for no correlation. Lower is
        better.

    See Also
    --------
    pair_counting_score : With ``coefficient="gamma"``, the correlation.
    adjusted_rand_score : Exactly 0 by chance, not a metric.
    projection_distance : Another distance of matrices of the partitions.

    Notes
    -----
    arccos(CC) / pi, with CC Pearson's correlation of "joined in the reference" and "joined in the
    candidate" over all pairs of objects. It is computed from its sine and cosine, so that nearly
    equal partitions lose no digits.

    If a partition has one cluster or singletons only, the correlation is undefined: equal
    partitions score 0.0, others 0.5 with an :class:`~sklearn.exceptions.UndefinedMetricWarning`.

    References
    ----------
    .. [1] M. Gösgens, A. Tikhonov, L. Prokhorenkova, "Systematic analysis of cluster similarity
       indices: how to validate validation measures", International Conference on Machine Learning,
       2021

    Examples
    --------
    >>> from sklearn_clustcompare.metrics import correlation_distance
    >>> round(correlation_distance([0, 1, 1, 0, 2, 1], [0, 1, 1, 0, 2, 2]), 4)
    0.3506
    """
    a, b, c, d = count_joined_pairs(squares, margins)
    if margins.is_identity:
        return 0.0
    size = ((a + b) * (c + d)) * ((a + c) * (b + d))
    covariance = a * d - b * c
    if not size:
        return math.acos(ratio(0, 0, margins, "correlation_distance: the correlation")) / math.pi
    # Also by the sine: near equality the cosine alone loses half of the digits.
    rest = max(size - covariance * covariance, 0)
    return math.atan2(math.sqrt(rest), covariance) / math.pi


@index(source="Bach & Jordan (2006)", **OF_ASSOCIATION)
def projection_distance(table: ContingencyTable) -> float:
    """Distance between the projections onto the indicators of the clusters.

    A metric of linear algebra: each partition is the subspace of the vectors that are constant on
    its clusters, and clusters of any size count equally.

    Returns
    -------
    float
        From 0.0 for equal partitions to below sqrt(R + C). Lower is better.

    See Also
    --------
    chi_squared_statistic : N (sum n_ij^2 / (a_i b_j) - 1): the same sum, as a test statistic.
    correlation_distance : An angle between pairs of objects.
    van_dongen_distance : A metric that counts objects.

    Notes
    -----
    Frobenius norm of P - Q, where P[u, v] = 1/a_i for objects u and v in the same reference cluster
    i, else 0, and Q likewise: sqrt(R + C - 2 sum n_ij^2 / (a_i b_j)). It is computed as a sum of
    terms that are not negative. In [1]_ it is divided by sqrt(2).

    References
    ----------
    .. [1] F. R. Bach, M. I. Jordan, "Learning spectral clustering, with application to speech
       separation", Journal of Machine Learning Research 7, 2006

    Examples
    --------
    >>> from sklearn_clustcompare.metrics import projection_distance
    >>> round(projection_distance(list("aaabbb"), [1, 1, 2, 2, 3, 3]), 3)
    1.291
    """
    rows, cols = table.row_sums[table.cell_rows], table.col_sums[table.cell_cols]
    outside = np.maximum(rows - table.cell_counts, 0) + np.maximum(cols - table.cell_counts, 0)
    # R + C - 2 sum n^2 / (a b) as a sum of terms that are not negative.
    terms = table.cell_counts / np.minimum(rows, cols) * (outside / np.maximum(rows, cols))
    return math.sqrt(ordered_sum(terms))


def chi_squared(table: ContingencyTable) -> float:
    expected, deviations = table.expected_cells
    return ordered_sum(deviations * (deviations / expected)) + expected_of_empty_cells(table)


def chi_squared_of(total: float, margins: Margins) -> float:
    """Return the statistic at another value of the sum of squares over both sizes."""
    return float(margins.n_samples * (total - 1.0))


def expected_of_empty_cells(table: ContingencyTable) -> float:
    """Return the sum of a_i b_j / N over the cells without objects."""
    return _kernels.expected_of_empty_cells(
        table.cell_rows, table.cell_cols, table.row_sums, table.col_sums, table.expected_cells[0]
    )


def pair_confusion(table: ContingencyTable) -> Array:
    """Return ordered pairs as [[n00, n01], [n10, n11]] times 2."""
    pairs = count_pairs(table.square_sums, table)
    ordered = [
        [2 * pairs.neither, 2 * pairs.pred_only],
        [2 * pairs.true_only, 2 * pairs.both],
    ]
    fits = table.is_whole and 2 * pairs.total < 2**63
    return np.array(ordered, dtype=np.int64 if fits else np.float64)


@index(
    short_names=("ari",),
    linear_in="pairs",
    families=("network", "single-cell"),
    source=f"Hubert & Arabie (1985); {WAGNER}, sec. 3.2.2",
    **OF_PAIRS,
)
def adjusted_rand_score(squares: SquareSums, margins: Margins) -> float:
    """Rand index adjusted for chance.

    0 on average for independent partitions with the given cluster sizes, 1 for equal ones. A sound
    first choice for clusters of similar sizes; a few large clusters dominate it, as a cluster of a
    objects has a(a - 1)/2 pairs. With many small or unbalanced clusters also look at
    :func:`adjusted_mutual_info_score`.

    Returns
    -------
    float
        In [-0.5, 1]; 1.0 for equal partitions, 0 on average by chance. Higher is better.

    See Also
    --------
    rand_score : The index before the adjustment.
    adjusted_mutual_info_score : The counterpart in information.
    adjusted_wallace_score : One direction of it.

    Notes
    -----
    (n11 - E) / ((n11 + n10 + n11 + n01)/2 - E) with E = (n11 + n10)(n11 + n01)/T, the mean of n11
    when objects are permuted; equally 2(n11 n00 - n10 n01) / ((n11 + n10)(n10 + n00) + (n11 +
    n01)(n01 + n00)), which is what is computed. See :func:`pair_confusion_matrix` for the pair
    counts n11, n10, n01 and n00 and for weights that are not whole.

    Equal partitions score 1.0 where that is 0/0 (one cluster, singletons, no objects).

    For soft partitions this is the index ARI_s of Lei et al. (2016), the same formula with
    real-valued counts. It is adjusted for chance in the limit of many objects only, and may be
    lower than -0.5; :func:`chance_adjusted_score` with ``index="rand_score"`` adjusts exactly.

    References
    ----------
    .. [1] L. Hubert, P. Arabie, "Comparing partitions", Journal of Classification 2, 1985,
       :doi:`10.1007/BF01908075`
    .. [2] S. Wagner, D. Wagner, "Comparing clusterings: an overview", Universität Karlsruhe,
       Technical Report 2006-04, 2007, section 3.2.2

    Examples
    --------
    >>> from sklearn_clustcompare import adjusted_rand_score
    >>> round(adjusted_rand_score(list("aaabbb"), [1, 1, 2, 2, 3, 3]), 3)
    0.242
    """
    return adjusted_rand(squares, margins)


@index(
    of_statistic=chi_squared_of,
    short_names=("chi2",),
    linear_in="cells",
    cell_sum=OVER_BOTH,
    source=f"Pearson (1900); {WAGNER}, sec. 3.1",
    **OF_ASSOCIATION,
)
def chi_squared_statistic(table: ContingencyTable) -> float:
    """Chi-squared statistic of the contingency table, as Pearson defined it.

    Measures how far the table is from that of independent partitions. It grows with the number of
    objects and of clusters, so compare values only for the same objects and table shape. It
    measures association, not equality.

    Returns
    -------
    float
        From 0.0 (independent) to N (min(R, C) - 1), for R and C clusters. Higher means more
        association.

    See Also
    --------
    mutual_info_score : The counterpart in information.
    adjusted_rand_score : An index adjusted for chance, with upper limit 1.

    Notes
    -----
    sum over all cells of (n_ij - e_ij)^2 / e_ij with e_ij = a_i b_j / N, empty cells included. A
    partition of one cluster gives 0.0, also against itself. No correction for continuity is made.
    Under permutation its mean is N (R - 1) (C - 1) / (N - 1), and its deviation is exact as well:
    see :func:`permutation_test`.

    References
    ----------
    .. [1] S. Wagner, D. Wagner, "Comparing clusterings: an overview", Universität Karlsruhe,
       Technical Report 2006-04, 2007, section 3.1
    .. [2] B. Mirkin, "Eleven ways to look at the chi-squared coefficient for contingency tables",
       The American Statistician 55(2), 2001

    Examples
    --------
    >>> from sklearn_clustcompare.metrics import chi_squared_statistic
    >>> round(chi_squared_statistic(list("aaabbb"), [1, 1, 2, 2, 3, 3]), 3)
    4.0
    """
    return chi_squared(table)


_ALBATINEH = "Albatineh, Niewiadomska-Bugaj & Mihalko (2006)"


# Coefficients of association for 2 x 2 tables, applied to pairs of objects.
#
# The letters are the customary ones: a = n11, b = n10, c = n01, d = n00. Sums are grouped so that
# swapping b and c changes no bit. The collection is that of Albatineh, Niewiadomska-Bugaj & Mihalko
# (2006), without those that have their own functions.


def hamann(a: Any, b: Any, c: Any, d: Any) -> float:
    return (a + d - (b + c)) / (a + d + (b + c))


def czekanowski(a: Any, b: Any, c: Any, d: Any) -> float:
    return 2 * a / (2 * a + (b + c))


def kulczynski(a: Any, b: Any, c: Any, d: Any) -> float:
    return (a / (a + b) + a / (a + c)) / 2


def mcconnaughey(a: Any, b: Any, c: Any, d: Any) -> float:
    return (a * a - b * c) / ((a + b) * (a + c))


def peirce(a: Any, b: Any, c: Any, d: Any) -> float:
    return (a * d - b * c) / ((a + b) * (c + d))


def gamma(a: Any, b: Any, c: Any, d: Any) -> float:
    # The geometric mean of the two Peirce coefficients: exactly 1 for equal partitions.
    size = math.sqrt(peirce(a, b, c, d) * peirce(a, c, b, d))
    return math.copysign(size, a * d - b * c)


def sokal_sneath_1(a: Any, b: Any, c: Any, d: Any) -> float:
    return ((a / (a + b) + a / (a + c)) + (d / (b + d) + d / (c + d))) / 4


def sokal_sneath_2(a: Any, b: Any, c: Any, d: Any) -> float:
    return a / (a + 2 * (b + c))


def sokal_sneath_3(a: Any, b: Any, c: Any, d: Any) -> float:
    return math.sqrt(a * d / ((a + b) * (c + d)) * (a * d / ((a + c) * (b + d))))


def baulieu_1(a: Any, b: Any, c: Any, d: Any) -> float:
    total = a + d + (b + c)
    return (total * (a + d) + (b - c) ** 2) / total**2


def baulieu_2(a: Any, b: Any, c: Any, d: Any) -> float:
    return (a * d - b * c) / (a + d + (b + c)) ** 2


def russell_rao(a: Any, b: Any, c: Any, d: Any) -> float:
    return a / (a + d + (b + c))


def rogers_tanimoto(a: Any, b: Any, c: Any, d: Any) -> float:
    return (a + d) / (a + d + 2 * (b + c))


def gower_legendre(a: Any, b: Any, c: Any, d: Any) -> float:
    return 2 * (a + d) / (2 * (a + d) + (b + c))


def goodman_kruskal(a: Any, b: Any, c: Any, d: Any) -> float:
    return (a * d - b * c) / (a * d + b * c)


def pearson(a: Any, b: Any, c: Any, d: Any) -> float:
    return (a * d - b * c) / ((a + b) * (c + d) * ((a + c) * (b + d)))


def fager_mcgowan(a: Any, b: Any, c: Any, d: Any) -> float:
    # a / sqrt((a + b) (a + c)) - 1 / (2 sqrt(a + b)), which may be close to 0.
    root = _root(a + c)
    return (4 * a * a - (a + c)) / (2 * _root((a + b) * (a + c)) * (2 * a + root))


def _root(number: Any) -> Any:
    """Return the square root; of a fraction with 30 digits, for differences of coefficients."""
    if not isinstance(number, Fraction):
        return math.sqrt(number)
    scale = 2 ** max(200 - number.numerator.bit_length() + number.denominator.bit_length(), 0)
    return Fraction(math.isqrt(int(number * scale**2)), scale)


# Linear in n11 when the margins are given, hence exactly adjustable for chance.
LINEAR = (
    hamann,
    czekanowski,
    kulczynski,
    mcconnaughey,
    peirce,
    gamma,
    sokal_sneath_1,
    baulieu_1,
    baulieu_2,
    russell_rao,
    pearson,
    fager_mcgowan,
)
_OTHERS = (sokal_sneath_2, sokal_sneath_3, rogers_tanimoto, gower_legendre, goodman_kruskal)

COEFFICIENTS = {function.__name__: function for function in (*LINEAR, *_OTHERS)}


# Of the coefficients for pairs: those from 0 to 1 (others from -1), those that tell reference and
# candidate apart, and those that compare n11 n00 with n10 n01, whose mean is 0 without adjustment.
_SHARES = (
    *("czekanowski", "kulczynski", "sokal_sneath_1", "sokal_sneath_2", "sokal_sneath_3"),
    *("baulieu_1", "russell_rao", "rogers_tanimoto", "gower_legendre"),
)


_ASYMMETRIC = ("peirce", "fager_mcgowan")


_CENTERED = ("peirce", "gamma", "baulieu_2", "pearson")


def coefficient_properties(*, coefficient: str = "hamann", adjusted: bool = False) -> Properties:
    known: Properties = {
        "symmetric": coefficient not in _ASYMMETRIC,
        "adjusted": adjusted or coefficient in _CENTERED,
        "linear_in_pair_counts": not adjusted and coefficient in ("hamann", "russell_rao"),
    }
    if COEFFICIENTS[coefficient] not in LINEAR:
        known["linear_in"] = None
    if adjusted or coefficient in _SHARES:
        known["range"] = (-math.inf, 1.0) if adjusted else UNIT
    return known


@index(
    linear_in="pairs",
    ordered_by="pairs",
    linear_in_pair_counts=True,
    parameters={"coefficient": one_of(*COEFFICIENTS), "adjusted": boolean},
    by_parameters=coefficient_properties,
    source=_ALBATINEH,
    **OF_PAIRS,
)
def pair_counting_score(
    squares: SquareSums,
    margins: Margins,
    *,
    coefficient: str = "hamann",
    adjusted: bool = False,
) -> float:
    """Coefficient of association of the 2 x 2 table of pairs of objects.

    The classical coefficients for two binary variables, applied to pairs: whether the reference
    joins a pair, and whether the candidate does. Meant for comparison with published values and for
    studies of indices; many are equivalent once adjusted for chance.

    Parameters
    ----------
    coefficient : str, default="hamann"
        Name of the coefficient, one of those in the table of the Notes.
    adjusted : bool, default=False
        Adjust for chance: (value - E) / (1 - E), with E the exact mean when objects are permuted.
        Available for coefficients that are linear in n11 for given cluster sizes.

    Returns
    -------
    float
        Within [-1, 1], many in [0, 1]; 0 on average by chance if adjusted. Higher is better.

    See Also
    --------
    pair_confusion_matrix : The four numbers.
    rand_score : The formula (a + d) / T.
    pair_jaccard_score : The formula a / (a + b + c).
    fowlkes_mallows_score : The formula a / sqrt((a + b)(a + c)).

    Notes
    -----
    The letters are a = n11, b = n10, c = n01, d = n00 (see :func:`pair_confusion_matrix`), T = a +
    b + c + d and D = ad - bc.

    ====================  =====================================================  ==========
    ``coefficient``       formula                                                adjustable
    ====================  =====================================================  ==========
    "hamann"              (a + d - b - c) / T                                    yes
    "czekanowski"         2a / (2a + b + c)                                      yes
    "kulczynski"          (a/(a + b) + a/(a + c)) / 2                            yes
    "mcconnaughey"        (a^2 - bc) / ((a + b)(a + c))                          yes
    "peirce"              D / ((a + b)(c + d))                                   yes
    "gamma"               D / sqrt((a + b)(c + d)(a + c)(b + d))                 yes
    "sokal_sneath_1"      (a/(a + b) + a/(a + c) + d/(b + d) + d/(c + d)) / 4    yes
    "baulieu_1"           (T(a + d) + (b - c)^2) / T^2                           yes
    "baulieu_2"           D / T^2                                                yes
    "russell_rao"         a / T                                                  yes
    "pearson"             D / ((a + b)(c + d)(a + c)(b + d))                     yes
    "fager_mcgowan"       a / sqrt((a + b)(a + c)) - 1 / (2 sqrt(a + b))         yes
    "sokal_sneath_2"      a / (a + 2(b + c))                                     no
    "sokal_sneath_3"      ad / sqrt((a + b)(c + d)(a + c)(b + d))                no
    "rogers_tanimoto"     (a + d) / (a + d + 2(b + c))                           no
    "gower_legendre"      2(a + d) / (2(a + d) + b + c)                          no
    "goodman_kruskal"     D / (ad + bc)                                          no
    ====================  =====================================================  ==========

    "peirce" and "fager_mcgowan" are not symmetric in the two partitions. "baulieu_2",
    "russell_rao", "pearson" and "fager_mcgowan" stay below 1 for equal partitions, in general also
    when adjusted.

    If a formula is 0/0, equal partitions score 1.0; others are set to 0.0 with an
    :class:`~sklearn.exceptions.UndefinedMetricWarning`.

    References
    ----------
    .. [1] A. N. Albatineh, M. Niewiadomska-Bugaj, D. Mihalko, "On similarity indices and correction
       for chance agreement", Journal of Classification 23, 2006, :doi:`10.1007/s00357-006-0017-z`

    Examples
    --------
    >>> from sklearn_clustcompare import adjusted_rand_score
    >>> from sklearn_clustcompare.metrics import pair_counting_score
    >>> y, labels = list("aaabbb"), [1, 1, 2, 2, 3, 3]
    >>> round(pair_counting_score(y, labels), 3)
    0.333
    >>> round(pair_counting_score(y, labels, coefficient="czekanowski", adjusted=True), 3)
    0.242
    >>> round(adjusted_rand_score(y, labels), 3)
    0.242
    """
    function = COEFFICIENTS[coefficient]
    if adjusted and function not in LINEAR:
        msg = (
            f"adjusted must be False for coefficient={coefficient!r}: only coefficients linear "
            f"in the number of pairs joined by both partitions have an exact adjustment "
            f"({', '.join(linear.__name__ for linear in LINEAR)})"
        )
        raise ValueError(msg)
    pairs = count_joined_pairs(squares, margins)
    if adjusted and isinstance(pairs.both, int):
        # Exact up to the last division, like the coefficients.
        pairs = Pairs(*map(Fraction, pairs))
    try:
        value = function(*pairs)
        # Beyond 1 only where fewer than one pair is together, or apart, as of no objects.
        check_frequencies(abs(value) <= 1 + TIE, margins.n_samples, margins.soft)
        if not adjusted:
            return value
        expected = function(*_expected_pairs(pairs))
    except ZeroDivisionError:
        return ratio(0, 0, margins, f"pair_counting_score(coefficient={coefficient!r})")
    return ratio(
        value - expected, 1 - expected, margins, f"adjusted pair_counting_score ({coefficient})"
    )


def _expected_pairs(pairs: Pairs) -> Pairs:
    both = pairs.true * pairs.pred / pairs.total
    neither = pairs.total - (pairs.true + pairs.pred) + both
    return Pairs(both, pairs.true - both, pairs.pred - both, neither)


# A relative difference below this is due to rounding.
_ROUNDING = 1e-13


def is_possibilistic(margins: Margins) -> bool:
    return margins.soft is not None and margins.soft.mass is not None


def has_moments(margins: Margins) -> bool:
    """Return whether the moments of a table of memberships were kept."""
    return margins.soft is None or (margins.soft.true is not None and margins.soft.pred is not None)


def permuted_square_sum(margins: Margins) -> SquareSumMoments:
    """Return mean and variance of the sum of squared cells over permutations of the objects."""
    if is_possibilistic(margins):
        msg = (
            "possibilistic partitions must be adjusted for chance by Monte Carlo, because their "
            "cluster sizes change under permutation: use chance_adjusted_score with "
            "method='monte_carlo'"
        )
        raise ValueError(msg)
    return mantel_moments(*_moments_of_sides(margins), margins.n_samples)


def _moments_of_sides(margins: Margins) -> tuple[MembershipMoments, MembershipMoments]:
    sizes = margins.row_sums, margins.col_sums
    soft = margins.soft or SoftSides.of_sizes(map(np.arange, margins.shape), sizes)
    if soft.true is None or soft.pred is None:
        msg = (
            "the table must hold the moments of the memberships for this index: make it with "
            "ContingencyTable.from_memberships(..., moments=True)"
        )
        raise ValueError(msg)
    return soft.true, soft.pred


class _Side(NamedTuple):
    """Mean memberships m of one side, and how far single ones are from them."""

    size: float  # |m|^2
    spread: float  # how far m is from uniform memberships, as a share of that
    trace: float  # sum of the squared memberships, less their means
    beyond: float  # of U'U, see ``_beyond_means``; as a share of |n m m'|^2

    @classmethod
    def of(cls, moments: MembershipMoments, n: float, *, are_shares: bool) -> _Side:
        mean = moments.sizes / n
        shift = _shift(mean) if are_shares else mean
        size = float(mean @ mean)
        gram = sparse.coo_array(moments.gram)
        beyond = _beyond_means(gram.data, (gram.row, gram.col), (mean, mean), (shift, shift), n)
        trace = float((moments.gram.diagonal() - n * mean * mean).sum())
        return cls(size, float(shift @ shift) / size, trace, beyond / (n * size) ** 2)


def _shift(mean: FloatArray) -> FloatArray:
    """Subtract a constant: deviations of memberships that sum to 1 have the product 0 with it.

    As sums of rows are nearly 1, it must not depend on clusters without objects.
    """
    return mean - mean.sum() / max(np.count_nonzero(mean), 1)


def _beyond_means(
    sums: FloatArray,
    places: Sequence[Array],
    means: Sequence[FloatArray],
    shifts: Sequence[FloatArray],
    n: float,
) -> float:
    """Return the sum of squares of a matrix U'V beyond that of n m_u m_v'.

    It is 2 n m_u'(X'Y) m_v + |X'Y|^2, with the memberships X and Y less their means: small terms
    where memberships are nearly uniform, which are lost in a difference of the two sums.
    """
    mean, shift = (first[places[0]] * second[places[1]] for first, second in (means, shifts))
    off = sums - n * mean
    linear, square = ordered_sum(off * shift), ordered_sum(off * off)
    if len(sums) < len(means[0]) * len(means[1]):  # the other entries are 0
        products = [float(one @ other) for one, other in zip(means, shifts, strict=True)]
        linear -= n * (products[0] * products[1] - ordered_sum(mean * shift))
        sizes = [float(one @ one) for one in means]
        square += n * n * (sizes[0] * sizes[1] - ordered_sum(mean * mean))
    return float(2 * n * linear + square)


@index(
    short_names=("fari",),
    linear_in="pairs",
    moments=True,
    source="Andrews, Browne & Hvingelby (2022)",
    **OF_PAIRS,
)
def frobenius_adjusted_rand_score(squares: SquareSums, margins: Margins) -> float:
    """Adjusted Rand index (FARI) that is 1 for a soft partition against itself.

    It compares how strongly each pair of objects belongs together, which follows from the
    memberships, instead of counting the objects that two clusters are expected to share. Use it to
    test whether two soft partitions are the same; for labels it equals :func:`adjusted_rand_score`.

    Returns
    -------
    float
        At most 1, and 1.0 for equal partitions; 0 on average over permutations of the objects; at
        least -0.5 for labels. Higher is better.

    See Also
    --------
    adjusted_rand_score : For soft partitions the index ARI_s of the expected table.

    Notes
    -----
    With the similarities A = U U^T and B = V V^T of all pairs of objects, scaled to A' and B' such
    that <A', A'> = sum(A'), this is (<A', B'> - E) / ((sum(A') + sum(B')) / 2 - E), where E is the
    mean of <A', B'> over all permutations of the objects of one side. No matrix of pairs is formed:
    all sums come from U^T U, V^T V and U^T V, in O(n k^2).

    References
    ----------
    .. [1] J. L. Andrews, R. Browne, C. D. Hvingelby, "On assessments of agreement between fuzzy
       partitions", Journal of Classification 39, 2022, :doi:`10.1007/s00357-021-09407-3`

    Examples
    --------
    >>> from sklearn_clustcompare import adjusted_rand_score, frobenius_adjusted_rand_score
    >>> memberships = [[0.9, 0.1], [0.8, 0.2], [0.7, 0.3], [0.2, 0.8], [0.1, 0.9], [0.1, 0.9]]
    >>> round(frobenius_adjusted_rand_score(memberships, memberships), 3)
    1.0
    >>> round(adjusted_rand_score(memberships, memberships), 3)
    0.024
    >>> round(frobenius_adjusted_rand_score([0, 0, 0, 1, 1, 1], memberships), 3)
    0.679
    """
    # 2 (d - e) / (r + s - 2 e): d, r and s are what the squares of U'V, U'U and V'V are beyond
    # those of the means, as shares of these, and e is the mean of d. All are small where
    # memberships are nearly uniform.
    if margins.soft is None:
        return adjusted_rand(squares, margins)
    moments, n, mass = _moments_of_sides(margins), float(margins.n_samples), margins.soft.mass
    if not n:
        return 1.0
    true, pred = (_Side.of(one, n, are_shares=mass is None) for one in moments)
    of_means = n * n * true.size * pred.size
    # Not of the sums of cells, which rows that sum to nearly 1 have changed.
    means = [one.sizes[one.sizes > 0] / n for one in moments]
    if mass is not None:
        beyond = squares.cells * (mass / n) ** 2 - of_means
    elif isinstance(margins, ContingencyTable) and margins.shape == (len(means[0]), len(means[1])):
        places = margins.cell_rows, margins.cell_cols
        shifts = _shift(means[0]), _shift(means[1])
        beyond = _beyond_means(margins.cell_counts, places, means, shifts, n)
        beyond += squares.cells - margins.square_sums.cells
    else:
        beyond = squares.cells - of_means
    expected = true.trace * pred.trace / (n - 1) / of_means if n > 1 else 0.0
    room = true.beyond + pred.beyond - 2 * expected
    of_rounding = true.beyond + pred.beyond + true.spread + pred.spread + _ROUNDING
    if room <= _ROUNDING * of_rounding:  # the similarities are the same for every permutation
        return 1.0
    return min(2 * (beyond / of_means - expected) / room, 1.0)


# Distances between partitions of different objects.
#
# Let g be n (n + 1) / 2, or n log n + n, and G the sum of it over the clusters of a partition. With
# M the sum over the cells of the common objects both distances are G(true) + G(pred) - 2 M, and
# that of a partition to the one without objects is its G.


class PartialDifference(NamedTuple):
    """How far apart two partitions are: objects of one only, and what moved; both sizes G."""

    deleted: int
    inserted: int
    moved: float
    size: float

    def distance(self, *, normalize: bool) -> float:
        distance = self.moved + (self.deleted + self.inserted)
        if not normalize:
            return float(distance)
        # Steinhaus' transform, by the distances to the partition without objects.
        return 2 * distance / (self.size + distance) if distance else 0.0


def partial_difference(table: ContingencyTable | PartialTable, kind: str) -> PartialDifference:
    """Compare two partitions; an object that one of them lacks is a cluster of its own there."""
    if isinstance(table, ContingencyTable):
        require_whole(table, "partial_partition_distance", "mirkin_distance")
    n_true, n_pred, n_common = (
        int(sums.sum()) for sums in (table.row_sums, table.col_sums, table.cell_counts)
    )
    measure = _pair_difference if kind == "pairs" else _information_difference
    moved, within = measure(table)
    return PartialDifference(n_true - n_common, n_pred - n_common, moved, within + n_true + n_pred)


def partial_partition(table: Any, *, kind: str = "pairs", normalize: bool = False) -> float:
    return partial_difference(table, kind).distance(normalize=normalize)


def _partial_unit(*, kind: str = "pairs", normalize: bool = False) -> str:
    return "" if normalize else {"pairs": "pairs and objects", "information": "nats"}[kind]


def _pair_difference(table: ContingencyTable | PartialTable) -> tuple[int, int]:
    """Return the numbers of pairs together in one partition only, and in each, added up."""
    cells, rows, cols = map(_n_pairs, (table.cell_counts, table.row_sums, table.col_sums))
    return rows + cols - 2 * cells, rows + cols


def _information_difference(table: ContingencyTable | PartialTable) -> tuple[float, float]:
    """Return N VI in nats as a sum of non-negative terms, and the sum of all a log a."""
    counts = table.cell_counts
    terms = []
    for sums, of_cells in ((table.row_sums, table.cell_rows), (table.col_sums, table.cell_cols)):
        absent = sums - np.bincount(of_cells, counts, len(sums)).astype(np.int64)
        terms += [counts * np.log1p((sums[of_cells] - counts) / counts), absent * np.log(sums)]
    within = [xlogy(sums, sums) for sums in (table.row_sums, table.col_sums)]
    return ordered_sum(np.concatenate(terms)), ordered_sum(np.concatenate(within))


REGISTERED["partial_partition_distance"] = Index(
    "partial_partition_distance",
    partial_partition,
    partial=True,
    by_parameters=normalized_distance_properties,
    unit=_partial_unit,
    source="Mirkin (1996); Meila (2007); Marczewski & Steinhaus (1958)",
    parameters={"kind": one_of("pairs", "information"), "normalize": boolean},
    **CLAIMS["partial_partition_distance"],
)
