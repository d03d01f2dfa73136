"""Indices of information theory."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from sklearn_clustcompare._array_types import IntArray
from sklearn_clustcompare._kernels import shortest_code
from sklearn_clustcompare._numerics import deformed_log
from sklearn_clustcompare._options import shortened
from sklearn_clustcompare._parameters import (
    boolean,
    entropy_order,
    logarithm_base,
    non_negative,
    one_of,
)
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare._table.counts import Margins
from sklearn_clustcompare.indices._entropies import Information, generalized_mean, in_base, unit
from sklearn_clustcompare.indices._index import index
from sklearn_clustcompare.indices._record import at_most, ratio, require_whole
from sklearn_clustcompare.indices._sums import (
    ALL_AVERAGES,
    OF_INFORMATION,
    ROMANO,
    UNIT,
    WAGNER,
    Properties,
    f_properties,
    standardized_information_sums,
    variation_sums,
)

# --------------------------------------------------------------------------- information


def mutual_properties(*, q: float = 1.0, base: float | None = None) -> Properties:
    # Entropies of orders below 1 are not subadditive.
    return {"range": (-math.inf, math.inf)} if q < 1 else {}


def normalized_properties(*, q: float = 1.0, average_method: str = "arithmetic") -> Properties:
    known: Properties = {"range": (-math.inf, 1.0)} if q < 1 else {}
    if average_method == "joint":
        known["linear_in"] = None
    if (q, average_method) == (1, "max"):  # which is recommended
        known |= {"similarity_metric": True, "identifies_equality": True, "monotone": "weak"}
        known |= {"constant_baseline": "asymptotic", "bias": "many", "replication_invariant": True}
    return known


def variation_properties(
    *, q: float = 1.0, base: float | None = None, normalize: str | None = None
) -> Properties:
    if normalize is None:
        return {}
    if normalize == "expected":
        # A distance is at most three times its mean, by the triangle inequality.
        return {"range": (0.0, 3.0) if q >= 1 else (0.0, math.inf), "soft": False}
    # No joint entropy exceeds that of singletons; information is negative for low orders only.
    known: Properties = {"range": UNIT if q >= 1 else (0.0, math.inf)}
    return known | ({"soft": False} if normalize == "log_n" else {"linear_in": None})


@index(
    short_names=("mi",),
    linear_in="information",
    parameters={"q": entropy_order, "base": logarithm_base},
    unit=unit,
    by_parameters=mutual_properties,
    source=f"{ROMANO}, sec. 2.1; {WAGNER}, sec. 5",
    **OF_INFORMATION,
)
def mutual_info_score(
    information: Information, margins: Margins, *, q: float = 1.0, base: float | None = None
) -> float:
    """Mutual information of two partitions.

    How much the cluster of an object in one partition reveals about its cluster in the other. It
    has no fixed upper limit and grows with the number of clusters; to compare candidates use
    :func:`adjusted_mutual_info_score`.

    Parameters
    ----------
    q : float, default=1.0
        :term:`Order <q>` of the entropy, from 0.001 to 30: 1 is Shannon's, 2 counts pairs.
    base : float, default=None
        Base of the logarithm, above 1: 2 for :term:`bits`, None for :term:`nats`.

    Returns
    -------
    float
        In nats (in units of ``base``), from 0.0 for independent partitions to the smaller entropy
        of the two (``q=1``). Higher is better.

    See Also
    --------
    normalized_mutual_info_score : Divided by an entropy.
    adjusted_mutual_info_score : Adjusted for chance.
    expected_mutual_info : Its mean under permutation.
    clustering_entropy : The entropies.

    Notes
    -----
    H_q(true) + H_q(pred) - H_q(true, pred); for q = 1, sum (n_ij / N) log(N n_ij / (a_i b_j)). For
    q < 1 it may be negative. H_q of a partition with shares p_i = a_i / N is (1 - sum p_i^q) / (q -
    1), for q = 1 its limit -sum p_i log p_i.

    Mutual information is not a metric, although [1]_ calls it one: for a partition and itself it is
    the entropy, not 0. A metric derived from it is :func:`variation_of_information_distance`.

    References
    ----------
    .. [1] S. Wagner, D. Wagner, "Comparing clusterings: an overview", Universität Karlsruhe,
       Technical Report 2006-04, 2007, section 5
    .. [2] S. Romano, N. X. Vinh, J. Bailey, K. Verspoor, "Adjusting for chance clustering
       comparison measures", Journal of Machine Learning Research 17(134), 2016, section 2.1
    .. [3] C. Tsallis, "Possible generalization of Boltzmann-Gibbs statistics", Journal of
       Statistical Physics 52, 1988, :doi:`10.1007/BF01016429`

    Examples
    --------
    >>> from sklearn_clustcompare import mutual_info_score
    >>> round(mutual_info_score(list("aaabbb"), [1, 1, 2, 2, 3, 3]), 3)
    0.462
    >>> round(mutual_info_score(list("aaabbb"), [1, 1, 2, 2, 3, 3], base=2), 3)
    0.667
    """
    return in_base(information.mutual, base, q)


@index(
    linear_in="information",
    parameters={"q": entropy_order, "base": logarithm_base},
    unit=unit,
    families=("segmentation",),
    source="Zhao & Karypis (2001)",
    **OF_INFORMATION,
)
def conditional_entropy(
    information: Information, margins: Margins, *, q: float = 1.0, base: float | None = None
) -> float:
    """Entropy of the reference that remains when the candidate is known.

    How mixed the predicted clusters are in terms of the reference, as a weighted mean of their
    entropies. Splitting never raises it, so compare only candidates with similar numbers of
    clusters.

    Parameters
    ----------
    q : float, default=1.0
        :term:`Order <q>` of the entropy, from 0.001 to 30: 1 is Shannon's, 2 counts pairs.
    base : float, default=None
        Base of the logarithm, above 1: 2 for :term:`bits`, None for :term:`nats`.

    Returns
    -------
    float
        In nats (in units of ``base``), from 0.0 if every predicted cluster lies within a reference
        cluster to the entropy of the reference. Lower is better.

    See Also
    --------
    homogeneity_score : 1 minus its share of the entropy of the reference.
    variation_of_information_distance : Sum of both directions.
    categorical_entropy : Sums over features instead of using a reference.

    Notes
    -----
    H_q(true | pred) = sum_j (b_j / N)^q H_q(true within cluster j) = H_q(true, pred) - H_q(pred).
    H_q of a partition with shares p_i = a_i / N is (1 - sum p_i^q) / (q - 1), for q = 1 its limit
    -sum p_i log p_i.

    In segmentation this half of the variation of information measures how far reference segments
    are merged, and with the arguments swapped how far they are split.

    References
    ----------
    .. [1] Y. Zhao, G. Karypis, "Criterion functions for document clustering", University of
       Minnesota, Technical Report 01-40, 2001
    .. [2] S. Romano, N. X. Vinh, J. Bailey, K. Verspoor, "Adjusting for chance clustering
       comparison measures", Journal of Machine Learning Research 17(134), 2016, section 2.1

    Examples
    --------
    >>> from sklearn_clustcompare.metrics import conditional_entropy
    >>> round(conditional_entropy(list("aaabbb"), [1, 1, 2, 2, 3, 3], base=2), 3)
    0.333
    """
    return in_base(information.given[0], base, q)


@index(
    short_names=("nmi",),
    linear_in="information",
    ordered_by="information",
    parameters={"q": entropy_order, "average_method": ALL_AVERAGES},
    by_parameters=normalized_properties,
    adjusted_form=("adjusted_mutual_info_score", {}),
    families=("network", "single-cell"),
    source=f"Strehl & Ghosh (2002); Fred & Jain (2003); {ROMANO}, sec. 2.2",
    **OF_INFORMATION,
)
def normalized_mutual_info_score(
    information: Information,
    margins: Margins,
    *,
    q: float = 1.0,
    average_method: str = "arithmetic",
) -> float:
    """Mutual information divided by an entropy.

    Scales the mutual information to [0, 1]. It is not adjusted for chance: with many clusters and
    few objects, unrelated partitions score high, and candidates with more clusters are favored.
    :func:`adjusted_mutual_info_score` corrects this.

    Parameters
    ----------
    q : float, default=1.0
        :term:`Order <q>` of the entropy, from 0.001 to 30: 1 is Shannon's, 2 counts pairs.
    average_method : {"min", "geometric", "arithmetic", "max", "joint"}, default="arithmetic"
        Divisor of the information: a mean of the two entropies or, with "joint", the joint entropy
        of both partitions.

    Returns
    -------
    float
        In [0, 1], and below 0 for some partitions if ``q < 1``; 1.0 for equal partitions, with
        "min" also if one partition refines the other. Higher is better.

    See Also
    --------
    adjusted_mutual_info_score : Adjusted for chance.
    v_measure_score : The same value as the arithmetic mean, for ``q=1``.
    normalized_information_distance : 1 minus this score with "max".
    homogeneity_score : Divided by the entropy of the reference.

    Notes
    -----
    The average method names the divisor. Papers use other names, which contradict each other in two
    cases. D is van der Hoef & Warrens [1]_, L is Lei et al. [2]_; "geometric" is also that of
    Strehl & Ghosh [3]_, "arithmetic" that of Fred & Jain [4]_:

    =============  ===================  =============
    here           D                    L
    =============  ===================  =============
    "min"          NMI_max              NMI_m
    "geometric"    NMI_sqrt             NMI_r
    "arithmetic"   NMI_sum              NMI_s
    "max"          NMI_min              NMI_M
    "joint"                             NMI_j
    =============  ===================  =============

    1 - score is a metric for "max" and "joint" if ``q >= 1``. With "min" and "max" the score does
    not change after every perfect split or merge: see ``monotone`` of :class:`Index`.

    If the formula is 0/0 for equal partitions (one cluster on both sides, or no objects), the score
    is 1.0. If only one partition has a single cluster, the score is 0.0; with "min" and "geometric"
    this is 0/0 and comes with an :class:`~sklearn.exceptions.UndefinedMetricWarning`.

    References
    ----------
    .. [1] H. van der Hoef, M. J. Warrens, "Understanding information theoretic measures for
       comparing clusterings", Behaviormetrika 46, 2019, :doi:`10.1007/s41237-018-0075-7`, Table 1
    .. [2] Y. Lei, J. C. Bezdek, J. Chan, N. X. Vinh, S. Romano, J. Bailey, "Extending
       information-theoretic validity indices for fuzzy clustering", IEEE Transactions on Fuzzy
       Systems, 2016, Table II
    .. [3] A. Strehl, J. Ghosh, "Cluster ensembles: a knowledge reuse framework for combining
       multiple partitions", Journal of Machine Learning Research 3, 2002
    .. [4] A. L. N. Fred, A. K. Jain, "Robust data clustering", CVPR, 2003
    .. [5] S. Romano, N. X. Vinh, J. Bailey, K. Verspoor, "Adjusting for chance clustering
       comparison measures", Journal of Machine Learning Research 17(134), 2016, section 2.2

    Examples
    --------
    >>> from sklearn_clustcompare import normalized_mutual_info_score
    >>> y, labels = list("aaabbb"), [1, 1, 2, 2, 3, 3]
    >>> round(normalized_mutual_info_score(y, labels), 3)
    0.516
    >>> round(normalized_mutual_info_score(y, labels, average_method="max"), 3)
    0.421
    """
    if margins.is_identity:
        return 1.0
    shared = information.mutual
    if average_method == "joint":
        bound = sum(information.entropies) - shared
    else:
        bound = generalized_mean(*information.entropies, average_method)
    return at_most(ratio(shared, bound, margins, "normalized_mutual_info_score"), 1.0)


@index(
    linear_in="information",
    source="Rosenberg & Hirschberg (2007); van der Hoef & Warrens (2019), R",
    **OF_INFORMATION,
)
def homogeneity_score(information: Information, margins: Margins) -> float:
    """Share of the entropy of the reference that the candidate explains.

    1 if every predicted cluster holds objects of one reference cluster only. Splitting never lowers
    it: singletons score 1. Read it together with :func:`completeness_score`. Not adjusted for
    chance.

    Returns
    -------
    float
        In [0, 1]; 1.0 if every predicted cluster lies within a reference cluster. Higher is better.

    See Also
    --------
    completeness_score : The other direction.
    v_measure_score : Both in one number.
    purity_score : The counterpart by counting objects.

    Notes
    -----
    1 - H(true | pred) / H(true) = MI / H(true), called R in [2]_. A reference of one cluster has
    zero entropy: the score is 1.0, without a warning, as in scikit-learn.

    References
    ----------
    .. [1] A. Rosenberg, J. Hirschberg, "V-measure: a conditional entropy-based external cluster
       evaluation measure", EMNLP-CoNLL, 2007
    .. [2] H. van der Hoef, M. J. Warrens, "Understanding information theoretic measures for
       comparing clusterings", Behaviormetrika 46, 2019, :doi:`10.1007/s41237-018-0075-7`

    Examples
    --------
    >>> from sklearn_clustcompare import homogeneity_score
    >>> round(homogeneity_score(list("aaabbb"), [1, 1, 2, 2, 3, 3]), 3)
    0.667
    """
    return explained(information, 0)


@index(
    linear_in="information",
    source="Rosenberg & Hirschberg (2007); van der Hoef & Warrens (2019), C",
    **OF_INFORMATION,
)
def completeness_score(information: Information, margins: Margins) -> float:
    """Share of the entropy of the candidate that the reference explains.

    1 if every reference cluster lies within one predicted cluster. Merging never lowers it: a
    single cluster scores 1. Read it together with :func:`homogeneity_score`. Not adjusted for
    chance.

    Returns
    -------
    float
        In [0, 1]; 1.0 if every reference cluster lies within a predicted cluster. Higher is better.

    See Also
    --------
    homogeneity_score : The other direction.
    v_measure_score : Both in one number.
    inverse_purity_score : The counterpart by counting objects.

    Notes
    -----
    1 - H(pred | true) / H(pred) = MI / H(pred), called C in [2]_. A candidate of one cluster has
    zero entropy: the score is 1.0, without a warning, as in scikit-learn.

    References
    ----------
    .. [1] A. Rosenberg, J. Hirschberg, "V-measure: a conditional entropy-based external cluster
       evaluation measure", EMNLP-CoNLL, 2007
    .. [2] H. van der Hoef, M. J. Warrens, "Understanding information theoretic measures for
       comparing clusterings", Behaviormetrika 46, 2019, :doi:`10.1007/s41237-018-0075-7`

    Examples
    --------
    >>> from sklearn_clustcompare import completeness_score
    >>> round(completeness_score(list("aaabbb"), [1, 1, 2, 2, 3, 3]), 3)
    0.421
    """
    return explained(information, 1)


def explained(information: Any, side: int) -> Any:
    """Return the share of the entropy of one partition that the other one explains."""
    total = information.entropies[side]
    if isinstance(total, np.ndarray):
        lacking = information.given[side] / total
        return np.where(lacking <= 0.5, 1.0 - lacking, information.mutual / total)
    if not total:  # one cluster has no entropy to explain: 1, as in scikit-learn
        return 1.0
    lacking = information.given[side] / total
    if lacking <= 0.5:
        return 1.0 - lacking
    # Of a small share one minus the rest would leave few digits.
    shared = information.mutual if information.q < 1 else max(information.mutual, 0.0)
    return shared / total


@index(
    linear_in="information",
    parameters={"beta": non_negative},
    by_parameters=f_properties,
    source="Rosenberg & Hirschberg (2007)",
    **OF_INFORMATION,
)
def v_measure_score(information: Information, margins: Margins, *, beta: float = 1.0) -> float:
    """V-measure: harmonic mean of homogeneity and completeness.

    With ``beta=1`` it is the normalized mutual information with the arithmetic mean. It is not
    adjusted for chance: many clusters score high when there are few objects.

    Parameters
    ----------
    beta : float, default=1.0
        How many times as much completeness counts as homogeneity; not negative.

    Returns
    -------
    float
        In [0, 1]; 1.0 for equal partitions. Higher is better.

    See Also
    --------
    homogeneity_score : One of the two parts.
    completeness_score : The other one.
    adjusted_mutual_info_score : Adjusted for chance.

    Notes
    -----
    (1 + beta) h c / (beta h + c) with homogeneity h and completeness c; 0.0 where both are 0. With
    ``beta=0`` the score is the homogeneity; only with 1 is it symmetric in the partitions. ``beta``
    is not squared here as it is in :func:`pair_f_score`.

    References
    ----------
    .. [1] A. Rosenberg, J. Hirschberg, "V-measure: a conditional entropy-based external cluster
       evaluation measure", EMNLP-CoNLL, 2007

    Examples
    --------
    >>> from sklearn_clustcompare import v_measure_score
    >>> round(v_measure_score(list("aaabbb"), [1, 1, 2, 2, 3, 3]), 3)
    0.516
    """
    homogeneous, complete = explained(information, 0), explained(information, 1)
    if isinstance(homogeneous, float) and not homogeneous * complete:
        return 0.0
    # Without 1 + beta times the product first, the value at beta = 1 would not be symmetric.
    weighted = (1 + beta) * (homogeneous * complete)
    return at_most(weighted / (beta * homogeneous + complete), 1.0)


# --------------------------------------------------------------------------- distances


@index(
    short_names=("vi", "voi"),
    linear_in="information",
    ordered_by="information",
    parameters={
        "q": entropy_order,
        "base": logarithm_base,
        "normalize": one_of(None, "joint", "expected", "log_n"),
    },
    unit=unit,
    by_parameters=variation_properties,
    sampling="smooth",
    sums=variation_sums,
    families=("network", "segmentation"),
    source=f"Meila (2003); {WAGNER}, sec. 5.3; {ROMANO}, sec. 2.1",
)
def variation_of_information_distance(
    information: Information,
    margins: Margins,
    *,
    q: float = 1.0,
    base: float | None = None,
    normalize: str | None = None,
) -> float:
    """Variation of information: the uncertainty that each partition leaves about the other.

    For ``q >= 1`` a metric on the partitions of a set: 0 for equal ones, triangle inequality. It
    depends on the shares of the cells, not on the number of objects. It is not adjusted for chance
    unless ``normalize="expected"``.

    Parameters
    ----------
    q : float, default=1.0
        :term:`Order <q>` of the entropy, from 0.001 to 30: 1 is Shannon's, 2 counts pairs.
    base : float, default=None
        Base of the logarithm, above 1: 2 for :term:`bits`, None for :term:`nats`.
    normalize : {None, "joint", "expected", "log_n"}, default=None
        Divide by the joint entropy ("joint": for ``q >= 1`` in [0, 1] and still a metric), by the
        mean when objects are permuted ("expected": 1 on average by chance, not a metric), or by log
        N, the largest distance there is ("log_n": for ``q >= 1`` in [0, 1], a metric for a given
        N).

    Returns
    -------
    float
        In nats (in units of ``base``), from 0.0 for equal partitions to log N at most; without a
        unit if normalized or ``q`` is not 1. Lower is better.

    Raises
    ------
    ValueError
        If lengths differ, or labels, memberships or weights are invalid; if ``q`` is not positive
        and finite; if ``base`` is not above 1 or not None although q is not 1; if ``base`` is given
        with ``normalize``; if counts are not whole with "expected" or "log_n".
    TypeError
        If labels are not hashable, or ``q`` or ``base`` is not a real number.

    See Also
    --------
    normalized_information_distance : A metric divided by the larger entropy.
    mutual_info_score : The information that the partitions share.
    mirkin_distance : The case ``q=2``: N^2 times the value, in pairs.

    Notes
    -----
    H_q(true | pred) + H_q(pred | true) = 2 H_q(true, pred) - H_q(true) - H_q(pred). H_q of a
    partition with shares p_i = a_i / N is (1 - sum p_i^q) / (q - 1), for q = 1 its limit -sum p_i
    log p_i. Normalized by the joint entropy, it is 1 - MI_q / H_q(true, pred). For other orders
    "log_n" means the entropy of singletons, (1 - N^(1 - q)) / (q - 1).

    In segmentation its two halves are called split and merge: H(pred | true) measures how far
    reference segments are split, H(true | pred) how far they are merged. They are
    ``conditional_entropy(labels_pred, labels_true)`` and ``conditional_entropy(labels_true,
    labels_pred)``; pass ``base=2`` for bits, the usual unit there.

    For q < 1 the triangle inequality does not hold: with q = 0.5, "aabb" and "abab" are 2.343
    apart, and each is 0.828 from one cluster of all four objects. MI_q can then be negative, so the
    distance normalized by the joint entropy can exceed 1.

    References
    ----------
    .. [1] M. Meila, "Comparing clusterings by the variation of information", COLT, 2003,
       :doi:`10.1007/978-3-540-45167-9_14`
    .. [2] S. Wagner, D. Wagner, "Comparing clusterings: an overview", Universität Karlsruhe,
       Technical Report 2006-04, 2007, section 5.3
    .. [3] S. Romano, N. X. Vinh, J. Bailey, K. Verspoor, "Adjusting for chance clustering
       comparison measures", Journal of Machine Learning Research 17(134), 2016, sections 2.1 and
       3.1

    Examples
    --------
    >>> from sklearn_clustcompare import variation_of_information_distance
    >>> y, labels = list("aaabbb"), [1, 1, 2, 2, 3, 3]
    >>> round(variation_of_information_distance(y, labels), 3)
    0.868
    >>> round(variation_of_information_distance(y, labels, normalize="joint"), 3)
    0.652
    """
    distance = sum(information.given)
    if normalize is None:
        return in_base(distance, base, q)
    if base is not None:
        msg = (
            f"base must be None for a normalized distance, which has no unit, got {shortened(base)}"
        )
        raise ValueError(msg)
    if normalize == "joint":
        joint = (sum(information.entropies) + distance) / 2
        share = distance / joint if distance else 0.0
        # For q < 1 information can be negative, and then the distance exceeds the joint entropy.
        return min(share, 1.0) if q >= 1 else share
    if normalize == "log_n":
        name = "variation_of_information_distance with normalize='log_n'"
        require_whole(margins, name, "normalized_mutual_info_score or normalize='joint'")
        if not distance:
            return 0.0
        largest = float(deformed_log(margins.n_samples, 1, q))  # the entropy of singletons
        is_bounded = q >= 1 and information.is_observed
        return min(distance, largest) / largest if is_bounded else distance / largest
    model = information.model
    return distance / float(model.expected_variation_of_information(q)) if distance else 0.0


@index(linear_in="information", unit=unit, source="Vinh, Epps & Bailey (2010)", **OF_INFORMATION)
def information_distance(information: Information, margins: Margins) -> float:
    """The larger conditional entropy of one partition given the other, in :term:`nats`.

    A metric: the information that is missing to get from either partition to the other, where the
    variation of information adds up both directions. It is not adjusted for chance.

    Returns
    -------
    float
        From 0.0 for equal partitions to log(n_samples) at most. Lower is better.

    See Also
    --------
    normalized_information_distance : This distance divided by the larger entropy.
    variation_of_information_distance : The sum of both conditional entropies.

    Notes
    -----
    max(H(true | pred), H(pred | true)) = max(H(true), H(pred)) - MI.

    References
    ----------
    .. [1] N. X. Vinh, J. Epps, J. Bailey, "Information theoretic measures for clusterings
       comparison", Journal of Machine Learning Research 11, 2010

    Examples
    --------
    >>> from sklearn_clustcompare.metrics import information_distance
    >>> round(information_distance(list("aaabbb"), [1, 1, 2, 2, 3, 3]), 3)
    0.637
    """
    return generalized_mean(*information.given, "max")


@index(
    short_names=("nid",),
    linear_in="information",
    source="Vinh, Epps & Bailey (2010)",
    **OF_INFORMATION,
)
def normalized_information_distance(information: Information, margins: Margins) -> float:
    """Information distance divided by the larger entropy.

    A metric with values in [0, 1]. [1]_ recommends it among the normalized distances because it
    uses that range well. It is not adjusted for chance.

    Returns
    -------
    float
        In [0, 1]; 0.0 for equal partitions only. Lower is better.

    See Also
    --------
    normalized_mutual_info_score : 1 minus this distance for ``average_method="max"``.
    variation_of_information_distance : A metric divided by the joint entropy, or not at all.

    Notes
    -----
    1 - MI / max(H(true), H(pred)) = max(H(true | pred), H(pred | true)) / max(H(true), H(pred)).
    Equal partitions score 0.0 if this is 0/0.

    References
    ----------
    .. [1] N. X. Vinh, J. Epps, J. Bailey, "Information theoretic measures for clusterings
       comparison", Journal of Machine Learning Research 11, 2010

    Examples
    --------
    >>> from sklearn_clustcompare.metrics import normalized_information_distance
    >>> round(normalized_information_distance(list("aaabbb"), [1, 1, 2, 2, 3, 3]), 3)
    0.579
    """
    distance = max(information.given)
    return min(distance / max(information.entropies), 1.0) if distance else 0.0


# Reduced mutual information: shared information less the cost of the contingency table.
#
# A sequence with n_1 to n_q objects of each label is encoded with its Dirichlet-multinomial
# probability of concentration alpha, which depends on these numbers only. The candidate is encoded
# twice: by itself, and within each cluster of the reference, each time with the best alpha. The
# reduced information is the difference of the two code lengths.
#
# All factorials cancel in that difference. The remaining terms are logarithms of rising factorials
# over powers, sum of log(1 + k/m) for k below n: with m = alpha for each cell and m = q alpha for
# each sum of cells. They vanish as alpha grows, so no digits are lost at any alpha.


def reduced_properties(*, normalize: bool = False, base: float | None = None) -> Properties:
    # Describing a candidate given the reference takes at least its number of labels.
    return {"range": (-math.inf, 1.0)} if normalize else {}


@index(
    short_names=("rmi",),
    parameters={"normalize": boolean, "base": logarithm_base},
    unit=unit,
    by_parameters=reduced_properties,
    sampling="smooth",
    sums=standardized_information_sums,
    families=("network",),
    source="Jerdee, Kirkley & Newman (2024)",
)
def reduced_mutual_info_score(
    table: ContingencyTable, *, normalize: bool = False, base: float | None = None
) -> float:
    """Reduced mutual information: shared information less the cost of the contingency table.

    The mutual information grows with the number of clusters because it ignores the cost of
    describing the contingency table. Here that cost is subtracted, so that random splits do not
    raise the score and useless candidates score below 0. **Not symmetric**: ``labels_pred`` is
    described given ``labels_true``. To measure how much a candidate reveals about the reference,
    pass the candidate first.

    Parameters
    ----------
    normalize : bool, default=False
        Divide by the value of ``labels_pred`` with itself.
    base : float, default=None
        Base of the logarithm, above 1: 2 for :term:`bits`, None for :term:`nats`.

    Returns
    -------
    float
        Information about all objects together, in nats (in units of ``base``); negative if the
        table costs more than the information is worth. Normalized, at most 1.0, which equal
        partitions reach. Higher is better.

    Raises
    ------
    ValueError
        If lengths differ, or labels or weights are invalid; if weights are not whole numbers; if
        ``base`` is not above 1, or is given with ``normalize``.
    TypeError
        If labels are not hashable, or ``normalize`` is not a bool or ``base`` not a real number.

    See Also
    --------
    mutual_info_score : Per object, and without the cost of the table.
    adjusted_mutual_info_score : Subtracts the mean of random candidates.

    Notes
    -----
    log N! + sum log n_ij! - sum log a_i! - sum log b_j! + min_alpha H(b; alpha) - min_alpha sum_i
    H(n_i; alpha), where n_i are the cells of reference cluster i, b the sizes of the candidate's
    clusters, and H(x; alpha) = log C(n + q alpha - 1, q alpha - 1) - sum_r log C(x_r + alpha - 1,
    alpha - 1) for n objects in q clusters. Both minima are over all positive alpha, up to the
    limits 0 and infinity.

    Normalized, it is divided by the value of the candidate with itself. For a candidate of one
    cluster or of singletons this is 0/0: equal partitions score 1.0, others 0.0 with an
    :class:`~sklearn.exceptions.UndefinedMetricWarning`.

    References
    ----------
    .. [1] M. Jerdee, A. Kirkley, M. E. J. Newman, "Mutual information and the encoding of
       contingency tables", Physical Review E 110, 2024, :doi:`10.1103/PhysRevE.110.064306`
    .. [2] M. E. J. Newman, G. T. Cantwell, J.-G. Young, "Improved mutual information measure for
       clustering, classification, and community detection", Physical Review E 101, 2020,
       :doi:`10.1103/PhysRevE.101.042304`

    Examples
    --------
    >>> from sklearn_clustcompare.metrics import reduced_mutual_info_score
    >>> colors, numbers = list("rrrbbbgg"), [1, 1, 1, 1, 2, 2, 2, 2]
    >>> round(reduced_mutual_info_score(colors, numbers, base=2), 4)
    0.9091
    >>> round(reduced_mutual_info_score(numbers, colors, base=2), 4)
    0.3195
    """
    name = "reduced_mutual_info_score"
    require_whole(table, name, "mutual_info_score")
    if not normalize:
        return in_base(_reduced_nats(table.row_sums, table.col_sums, table.cell_counts), base, 1)
    if base is not None:
        msg = f"base must be None for a normalized score, which has no unit, got {shortened(base)}"
        raise ValueError(msg)
    if table.is_identity:
        return 1.0
    sizes = table.col_sums
    if len(sizes) in (1, table.n_samples):  # encoding them costs as much as their information
        return ratio(0, 0, table, name)
    most = _reduced_nats(sizes, sizes, sizes)
    return min(_reduced_nats(table.row_sums, sizes, table.cell_counts) / most, 1.0)


def _reduced_nats(row_sums: IntArray, col_sums: IntArray, cells: IntArray) -> float:
    if not len(cells):
        return 0.0
    n_labels = len(col_sums)
    alone = shortest_code(col_sums.sum(keepdims=True), col_sums, n_labels)
    return alone - shortest_code(row_sums, cells, n_labels)
