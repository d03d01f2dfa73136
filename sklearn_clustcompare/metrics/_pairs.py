"""Indices that count pairs of objects."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sklearn_clustcompare._partition import Reading
from sklearn_clustcompare._partition.arrays import PartitionLike
from sklearn_clustcompare._table import count
from sklearn_clustcompare.indices._pairs import pair_confusion
from sklearn_clustcompare.metrics._evaluate import evaluate


def pair_confusion_matrix(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    possibilistic: bool = False,
    noise: str = "cluster",
    noise_label: Any = -1,
    missing: str = "error",
) -> np.ndarray:
    """Count the pairs of objects by whether each partition joins them.

    Every index of this family is a function of these four numbers. Look at them when an index has
    an unexpected value: with many clusters n00 exceeds the others by far and dominates the Rand
    index.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,) or (n_samples, n_clusters), or ContingencyTable
        :term:`Labels` or :term:`memberships` of the :term:`reference`; or a
        :term:`contingency table` of both partitions, without ``labels_pred``.
    labels_pred : array-like of shape (n_samples,) or (n_samples, n_clusters), default=None
        Labels or memberships of the :term:`candidate`.
    sample_weight : array-like of shape (n_samples,), default=None
        :term:`Frequency weights <sample_weight>`; None means 1 for every object.
    possibilistic : bool, default=False
        Whether memberships are :term:`possibilistic`: their rows need not sum to 1.
    noise : {"cluster", "singletons", "drop"}, default="cluster"
        How to treat objects with the label of :term:`noise`: as one cluster, as a cluster each, or
        leave them out.
    noise_label : hashable or collection of them, default=-1
        :term:`Label of noise <noise_label>` on either side, or several; they need not occur.
    missing : {"error", "drop", "cluster"}, default="error"
        How to treat objects whose label is :term:`missing`: raise an error, leave them out, or take
        them as one cluster.

    Returns
    -------
    ndarray of shape (2, 2)
        Ordered pairs, each pair of objects twice: [[2 n00, 2 n01], [2 n10, 2 n11]]. int64, or
        float64 if weights are not whole or the numbers exceed int64.

    Raises
    ------
    ValueError
        If lengths differ, or labels, memberships or weights are invalid; or if weights are too
        small to count pairs.
    TypeError
        If labels are not hashable.

    See Also
    --------
    rand_score : Share of the pairs on which the partitions agree.
    pair_counting_score : Further functions of the four numbers.

    Notes
    -----
    n11 counts the (unordered) pairs of objects together in both partitions, n10 those together in
    ``labels_true`` only, n01 those together in ``labels_pred`` only, n00 those together in neither.
    With cells n_ij, cluster sizes a_i and b_j, and N objects: n11 = sum n_ij(n_ij - 1)/2, n11 +
    n10 = sum a_i(a_i - 1)/2, n11 + n01 = sum b_j(b_j - 1)/2, and all four add up to T = N(N - 1)/2.

    Whole counts stay exact however large they are. With real-valued weights a cluster of weight n
    has n(n - 1)/2 pairs with real n, which makes sense only if the weights are on the scale of
    frequencies: weights that add up to one, for example, have no pairs to count and are rejected.

    The layout is that of :func:`sklearn.metrics.cluster.pair_confusion_matrix`.

    References
    ----------
    .. [1] L. Hubert, P. Arabie, "Comparing partitions", Journal of Classification 2, 1985,
       :doi:`10.1007/BF01908075`

    Examples
    --------
    >>> from sklearn_clustcompare import pair_confusion_matrix
    >>> pair_confusion_matrix(list("aaabbb"), [1, 1, 2, 2, 3, 3]).tolist()
    [[16, 2], [8, 4]]
    """
    return pair_confusion(
        count(
            labels_true,
            labels_pred,
            sample_weight,
            Reading(possibilistic, noise, noise_label, missing),
        )
    )


def rand_score(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    possibilistic: bool = False,
) -> float:
    """Rand index: share of the pairs of objects on which the partitions agree.

    Easy to interpret, but not adjusted for chance: with many clusters nearly all pairs are apart in
    both partitions, and unrelated partitions score close to 1. To compare candidates with different
    numbers of clusters, prefer :func:`adjusted_rand_score`.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,) or (n_samples, n_clusters), or ContingencyTable
        :term:`Labels` or :term:`memberships` of the :term:`reference`; or a
        :term:`contingency table` of both partitions, without ``labels_pred``.
    labels_pred : array-like of shape (n_samples,) or (n_samples, n_clusters), default=None
        Labels or memberships of the :term:`candidate`.
    sample_weight : array-like of shape (n_samples,), default=None
        :term:`Frequency weights <sample_weight>`; None means 1 for every object.
    possibilistic : bool, default=False
        Whether memberships are :term:`possibilistic`: their rows need not sum to 1.

    Returns
    -------
    float
        In [0, 1]; 1.0 for equal partitions. For vague memberships it can be slightly negative.
        Higher is better.

    Raises
    ------
    ValueError
        If lengths differ, or labels, memberships or weights are invalid; or if weights are too
        small to count pairs.
    TypeError
        If labels are not hashable.

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
    return evaluate("rand_score", labels_true, labels_pred, sample_weight, possibilistic)


def adjusted_rand_score(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    possibilistic: bool = False,
) -> float:
    """Rand index adjusted for chance.

    0 on average for independent partitions with the given cluster sizes, 1 for equal ones. A sound
    first choice for clusters of similar sizes; a few large clusters dominate it, as a cluster of a
    objects has a(a - 1)/2 pairs. With many small or unbalanced clusters also look at
    :func:`adjusted_mutual_info_score`.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,) or (n_samples, n_clusters), or ContingencyTable
        :term:`Labels` or :term:`memberships` of the :term:`reference`; or a
        :term:`contingency table` of both partitions, without ``labels_pred``.
    labels_pred : array-like of shape (n_samples,) or (n_samples, n_clusters), default=None
        Labels or memberships of the :term:`candidate`.
    sample_weight : array-like of shape (n_samples,), default=None
        :term:`Frequency weights <sample_weight>`; None means 1 for every object.
    possibilistic : bool, default=False
        Whether memberships are :term:`possibilistic`: their rows need not sum to 1.

    Returns
    -------
    float
        In [-0.5, 1]; 1.0 for equal partitions, 0 on average by chance. Higher is better.

    Raises
    ------
    ValueError
        If lengths differ, or labels, memberships or weights are invalid; or if weights are too
        small to count pairs.
    TypeError
        If labels are not hashable.

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
    return evaluate("adjusted_rand_score", labels_true, labels_pred, sample_weight, possibilistic)


def fowlkes_mallows_score(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    possibilistic: bool = False,
) -> float:
    """Geometric mean of pair precision and pair recall: the Fowlkes-Mallows index.

    It considers only pairs that at least one partition joins, so it does not rise with the number
    of clusters as :func:`rand_score` does. It is not adjusted for chance: a few large clusters on
    both sides suffice for a high value.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,) or (n_samples, n_clusters), or ContingencyTable
        :term:`Labels` or :term:`memberships` of the :term:`reference`; or a
        :term:`contingency table` of both partitions, without ``labels_pred``.
    labels_pred : array-like of shape (n_samples,) or (n_samples, n_clusters), default=None
        Labels or memberships of the :term:`candidate`.
    sample_weight : array-like of shape (n_samples,), default=None
        :term:`Frequency weights <sample_weight>`; None means 1 for every object.
    possibilistic : bool, default=False
        Whether memberships are :term:`possibilistic`: their rows need not sum to 1.

    Returns
    -------
    float
        In [0, 1]; 1.0 for equal partitions. Higher is better.

    Raises
    ------
    ValueError
        If lengths differ, or labels, memberships or weights are invalid; or if weights are too
        small to count pairs.
    TypeError
        If labels are not hashable.

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
    return evaluate("fowlkes_mallows_score", labels_true, labels_pred, sample_weight, possibilistic)


def pair_jaccard_score(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    possibilistic: bool = False,
) -> float:
    """Jaccard index of the pairs of objects that the partitions join.

    Pairs apart in both partitions do not count, so many clusters do not inflate it, unlike
    :func:`rand_score`. Not adjusted for chance.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,) or (n_samples, n_clusters), or ContingencyTable
        :term:`Labels` or :term:`memberships` of the :term:`reference`; or a
        :term:`contingency table` of both partitions, without ``labels_pred``.
    labels_pred : array-like of shape (n_samples,) or (n_samples, n_clusters), default=None
        Labels or memberships of the :term:`candidate`.
    sample_weight : array-like of shape (n_samples,), default=None
        :term:`Frequency weights <sample_weight>`; None means 1 for every object.
    possibilistic : bool, default=False
        Whether memberships are :term:`possibilistic`: their rows need not sum to 1.

    Returns
    -------
    float
        In [0, 1]; 1.0 for equal partitions. Higher is better.

    Raises
    ------
    ValueError
        If lengths differ, or labels, memberships or weights are invalid; or if weights are too
        small to count pairs.
    TypeError
        If labels are not hashable.

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
    >>> from sklearn_clustcompare import pair_jaccard_score
    >>> round(pair_jaccard_score(list("aaabbb"), [1, 1, 2, 2, 3, 3]), 3)
    0.286
    """
    return evaluate("pair_jaccard_score", labels_true, labels_pred, sample_weight, possibilistic)


def pair_precision_score(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    possibilistic: bool = False,
) -> float:
    """Share of the pairs joined by the candidate that belong together.

    Merging reference clusters lowers it, splitting them does not: tiny pure clusters score high.
    Read it together with :func:`pair_recall_score`. It is Wallace's coefficient given
    ``labels_pred``.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,) or (n_samples, n_clusters), or ContingencyTable
        :term:`Labels` or :term:`memberships` of the :term:`reference`; or a
        :term:`contingency table` of both partitions, without ``labels_pred``.
    labels_pred : array-like of shape (n_samples,) or (n_samples, n_clusters), default=None
        Labels or memberships of the :term:`candidate`.
    sample_weight : array-like of shape (n_samples,), default=None
        :term:`Frequency weights <sample_weight>`; None means 1 for every object.
    possibilistic : bool, default=False
        Whether memberships are :term:`possibilistic`: their rows need not sum to 1.

    Returns
    -------
    float
        In [0, 1]; 1.0 if every predicted cluster lies within a reference cluster. Higher is better.

    Raises
    ------
    ValueError
        If lengths differ, or labels, memberships or weights are invalid; or if weights are too
        small to count pairs.
    TypeError
        If labels are not hashable.

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
    return evaluate("pair_precision_score", labels_true, labels_pred, sample_weight, possibilistic)


def pair_recall_score(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    possibilistic: bool = False,
) -> float:
    """Share of the pairs that belong together that the candidate joins.

    Splitting reference clusters lowers it, merging them does not: a single cluster scores 1. Read
    it together with :func:`pair_precision_score`. It is Wallace's coefficient given
    ``labels_true``.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,) or (n_samples, n_clusters), or ContingencyTable
        :term:`Labels` or :term:`memberships` of the :term:`reference`; or a
        :term:`contingency table` of both partitions, without ``labels_pred``.
    labels_pred : array-like of shape (n_samples,) or (n_samples, n_clusters), default=None
        Labels or memberships of the :term:`candidate`.
    sample_weight : array-like of shape (n_samples,), default=None
        :term:`Frequency weights <sample_weight>`; None means 1 for every object.
    possibilistic : bool, default=False
        Whether memberships are :term:`possibilistic`: their rows need not sum to 1.

    Returns
    -------
    float
        In [0, 1]; 1.0 if every reference cluster lies within a predicted cluster. Higher is better.

    Raises
    ------
    ValueError
        If lengths differ, or labels, memberships or weights are invalid; or if weights are too
        small to count pairs.
    TypeError
        If labels are not hashable.

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
    return evaluate("pair_recall_score", labels_true, labels_pred, sample_weight, possibilistic)


def pair_f_score(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    beta: float = 1.0,
    possibilistic: bool = False,
) -> float:
    """F-score of the pairs of objects that the candidate joins.

    The weighted harmonic mean of pair precision and pair recall. Not adjusted for chance; large
    clusters dominate it.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,) or (n_samples, n_clusters), or ContingencyTable
        :term:`Labels` or :term:`memberships` of the :term:`reference`; or a
        :term:`contingency table` of both partitions, without ``labels_pred``.
    labels_pred : array-like of shape (n_samples,) or (n_samples, n_clusters), default=None
        Labels or memberships of the :term:`candidate`.
    sample_weight : array-like of shape (n_samples,), default=None
        :term:`Frequency weights <sample_weight>`; None means 1 for every object.
    beta : float, default=1.0
        How many times as much recall counts as precision; not negative.
    possibilistic : bool, default=False
        Whether memberships are :term:`possibilistic`: their rows need not sum to 1.

    Returns
    -------
    float
        In [0, 1]; 1.0 for equal partitions. Higher is better.

    Raises
    ------
    ValueError
        If lengths differ, or labels, memberships or weights are invalid; if ``beta`` is negative or
        not finite; or if weights are too small to count pairs.
    TypeError
        If labels are not hashable, or ``beta`` is not a real number.

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
    return evaluate(
        "pair_f_score", labels_true, labels_pred, sample_weight, possibilistic, beta=beta
    )


def adjusted_wallace_score(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    given: str = "true",
    possibilistic: bool = False,
) -> float:
    """Adjusted Wallace coefficient: pair recall or precision adjusted for chance.

    How well one partition predicts which pairs the other joins: 1 if the other partition joins
    every pair that the given one joins, 0 on average for independent partitions. Use it if the two
    partitions play different roles, such as a coarse and a fine typing method.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,) or (n_samples, n_clusters), or ContingencyTable
        :term:`Labels` or :term:`memberships` of the :term:`reference`; or a
        :term:`contingency table` of both partitions, without ``labels_pred``.
    labels_pred : array-like of shape (n_samples,) or (n_samples, n_clusters), default=None
        Labels or memberships of the :term:`candidate`.
    sample_weight : array-like of shape (n_samples,), default=None
        :term:`Frequency weights <sample_weight>`; None means 1 for every object.
    given : {"true", "pred"}, default="true"
        The partition whose pairs are given: "true" adjusts :func:`pair_recall_score`, "pred"
        adjusts :func:`pair_precision_score`.
    possibilistic : bool, default=False
        Whether memberships are :term:`possibilistic`: their rows need not sum to 1.

    Returns
    -------
    float
        At most 1, which is reached if the given partition refines the other; 0 on average by
        chance. Higher is better.

    Raises
    ------
    ValueError
        If lengths differ, or labels, memberships or weights are invalid; if ``given`` is not one of
        its options; or if weights are too small to count pairs.
    TypeError
        If labels are not hashable.

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
    >>> from sklearn_clustcompare import adjusted_wallace_score
    >>> round(adjusted_wallace_score(list("aaabbb"), [1, 1, 2, 2, 3, 3]), 3)
    0.167
    >>> round(adjusted_wallace_score(list("aaabbb"), [1, 1, 2, 2, 3, 3], given="pred"), 3)
    0.444
    """
    return evaluate(
        "adjusted_wallace_score",
        labels_true,
        labels_pred,
        sample_weight,
        possibilistic,
        given=given,
    )


def mirkin_distance(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    normalize: bool = False,
    possibilistic: bool = False,
) -> float:
    """Mirkin metric: ordered pairs of objects on which the partitions disagree.

    A metric on the partitions of a set. Normalized, it has the drawback of :func:`rand_score`: with
    many clusters all distances are small.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,) or (n_samples, n_clusters), or ContingencyTable
        :term:`Labels` or :term:`memberships` of the :term:`reference`; or a
        :term:`contingency table` of both partitions, without ``labels_pred``.
    labels_pred : array-like of shape (n_samples,) or (n_samples, n_clusters), default=None
        Labels or memberships of the :term:`candidate`.
    sample_weight : array-like of shape (n_samples,), default=None
        :term:`Frequency weights <sample_weight>`; None means 1 for every object.
    normalize : bool, default=False
        Divide by the N^2 ordered pairs of N objects (each object paired with itself included).
    possibilistic : bool, default=False
        Whether memberships are :term:`possibilistic`: their rows need not sum to 1.

    Returns
    -------
    float
        Number of ordered pairs, from 0.0 for equal partitions to N(N - 1); normalized, from 0.0 to
        1 - 1/N. Lower is better.

    Raises
    ------
    ValueError
        If lengths differ, or labels, memberships or weights are invalid; or if weights are too
        small to count pairs.
    TypeError
        If labels are not hashable, or ``normalize`` is not a bool.

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
    >>> from sklearn_clustcompare import mirkin_distance
    >>> mirkin_distance(list("aaabbb"), [1, 1, 2, 2, 3, 3])
    10.0
    >>> round(mirkin_distance(list("aaabbb"), [1, 1, 2, 2, 3, 3], normalize=True), 3)
    0.278
    """
    return evaluate(
        "mirkin_distance",
        labels_true,
        labels_pred,
        sample_weight,
        possibilistic,
        normalize=normalize,
    )


def correlation_distance(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    possibilistic: bool = False,
) -> float:
    """Correlation distance: the angle between the pairs that the partitions join.

    A metric that is close to 0.5 for random candidates, whatever the sizes of their clusters: few
    indices have both properties.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,) or (n_samples, n_clusters), or ContingencyTable
        :term:`Labels` or :term:`memberships` of the :term:`reference`; or a
        :term:`contingency table` of both partitions, without ``labels_pred``.
    labels_pred : array-like of shape (n_samples,) or (n_samples, n_clusters), default=None
        Labels or memberships of the :term:`candidate`.
    sample_weight : array-like of shape (n_samples,), default=None
        :term:`Frequency weights <sample_weight>`; None means 1 for every object.
    possibilistic : bool, default=False
        Whether memberships are :term:`possibilistic`: their rows need not sum to 1.

    Returns
    -------
    float
        In [0, 1), in half turns; 0.0 for equal partitions only, 0.5 for no correlation. Lower is
        better.

    Raises
    ------
    ValueError
        If lengths differ, or labels, memberships or weights are invalid; or if weights are
        too small to count pairs.
    TypeError
        If labels are not hashable.

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
    >>> from sklearn_clustcompare import correlation_distance
    >>> round(correlation_distance([0, 1, 1, 0, 2, 1], [0, 1, 1, 0, 2, 2]), 4)
    0.3506
    """
    return evaluate("correlation_distance", labels_true, labels_pred, sample_weight, possibilistic)


def projection_distance(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    possibilistic: bool = False,
) -> float:
    """Distance between the projections onto the indicators of the clusters.

    A metric of linear algebra: each partition is the subspace of the vectors that are constant on
    its clusters, and clusters of any size count equally.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,) or (n_samples, n_clusters), or ContingencyTable
        :term:`Labels` or :term:`memberships` of the :term:`reference`; or a
        :term:`contingency table` of both partitions, without ``labels_pred``.
    labels_pred : array-like of shape (n_samples,) or (n_samples, n_clusters), default=None
        Labels or memberships of the :term:`candidate`.
    sample_weight : array-like of shape (n_samples,), default=None
        :term:`Frequency weights <sample_weight>`; None means 1 for every object.
    possibilistic : bool, default=False
        Whether memberships are :term:`possibilistic`: their rows need not sum to 1.

    Returns
    -------
    float
        From 0.0 for equal partitions to below sqrt(R + C). Lower is better.

    Raises
    ------
    ValueError
        If lengths differ, or labels, memberships or weights are invalid.
    TypeError
        If labels are not hashable.

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
    >>> from sklearn_clustcompare import projection_distance
    >>> round(projection_distance(list("aaabbb"), [1, 1, 2, 2, 3, 3]), 3)
    1.291
    """
    return evaluate("projection_distance", labels_true, labels_pred, sample_weight, possibilistic)


def partition_difference(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    possibilistic: bool = False,
) -> float:
    """Count the pairs of objects that neither partition joins.

    Kept for comparison with published values. Despite its name it is not a distance: it is not 0
    for equal partitions, and it grows with the number of clusters rather than with disagreement. Do
    not select models with it.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,) or (n_samples, n_clusters), or ContingencyTable
        :term:`Labels` or :term:`memberships` of the :term:`reference`; or a
        :term:`contingency table` of both partitions, without ``labels_pred``.
    labels_pred : array-like of shape (n_samples,) or (n_samples, n_clusters), default=None
        Labels or memberships of the :term:`candidate`.
    sample_weight : array-like of shape (n_samples,), default=None
        :term:`Frequency weights <sample_weight>`; None means 1 for every object.
    possibilistic : bool, default=False
        Whether memberships are :term:`possibilistic`: their rows need not sum to 1.

    Returns
    -------
    float
        Number of unordered pairs, from 0 to N(N - 1)/2.

    Raises
    ------
    ValueError
        If lengths differ, or labels, memberships or weights are invalid; or if weights are too
        small to count pairs.
    TypeError
        If labels are not hashable.

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
    >>> from sklearn_clustcompare import partition_difference
    >>> partition_difference(list("aaabbb"), [1, 1, 2, 2, 3, 3])
    8.0
    >>> partition_difference([0, 0, 1], [0, 0, 1])
    2.0
    """
    return evaluate("partition_difference", labels_true, labels_pred, sample_weight, possibilistic)


def chi_squared_statistic(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    possibilistic: bool = False,
) -> float:
    """Chi-squared statistic of the contingency table, as Pearson defined it.

    Measures how far the table is from that of independent partitions. It grows with the number of
    objects and of clusters, so compare values only for the same objects and table shape. It
    measures association, not equality.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,) or (n_samples, n_clusters), or ContingencyTable
        :term:`Labels` or :term:`memberships` of the :term:`reference`; or a
        :term:`contingency table` of both partitions, without ``labels_pred``.
    labels_pred : array-like of shape (n_samples,) or (n_samples, n_clusters), default=None
        Labels or memberships of the :term:`candidate`.
    sample_weight : array-like of shape (n_samples,), default=None
        :term:`Frequency weights <sample_weight>`; None means 1 for every object.
    possibilistic : bool, default=False
        Whether memberships are :term:`possibilistic`: their rows need not sum to 1.

    Returns
    -------
    float
        From 0.0 (independent) to N (min(R, C) - 1), for R and C clusters. Higher means more
        association.

    Raises
    ------
    ValueError
        If lengths differ, or labels, memberships or weights are invalid.
    TypeError
        If labels are not hashable.

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
    >>> from sklearn_clustcompare import chi_squared_statistic
    >>> round(chi_squared_statistic(list("aaabbb"), [1, 1, 2, 2, 3, 3]), 3)
    4.0
    """
    return evaluate("chi_squared_statistic", labels_true, labels_pred, sample_weight, possibilistic)


def cramers_v_score(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    possibilistic: bool = False,
) -> float:
    """Cramer V: chi-squared as a share of the largest value that it can have.

    It measures association, not equality: it is 1 whenever each cluster of the finer partition lies
    within one of the other. It grows with the number of clusters even for random partitions.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,) or (n_samples, n_clusters), or ContingencyTable
        :term:`Labels` or :term:`memberships` of the :term:`reference`; or a
        :term:`contingency table` of both partitions, without ``labels_pred``.
    labels_pred : array-like of shape (n_samples,) or (n_samples, n_clusters), default=None
        Labels or memberships of the :term:`candidate`.
    sample_weight : array-like of shape (n_samples,), default=None
        :term:`Frequency weights <sample_weight>`; None means 1 for every object.
    possibilistic : bool, default=False
        Whether memberships are :term:`possibilistic`: their rows need not sum to 1.

    Returns
    -------
    float
        In [0, 1]; 1.0 for equal partitions. Higher means more association.

    Raises
    ------
    ValueError
        If lengths differ, or labels, memberships or weights are invalid.
    TypeError
        If labels are not hashable.

    Warns
    -----
    UndefinedMetricWarning
        If only one partition has a single cluster: 0/0, set to 0.0.

    See Also
    --------
    tschuprow_score : 1 for equal partitions only.
    chi_squared_statistic : The sum itself.
    adjusted_rand_score : An index adjusted for chance.

    Notes
    -----
    sqrt(chi^2 / (N min(R - 1, C - 1))), for R and C clusters, as
    ``scipy.stats.contingency.association`` with ``method="cramer"`` computes it from dense tables.
    No correction for bias or continuity is made.

    References
    ----------
    .. [1] H. Cramer, "Mathematical Methods of Statistics", Princeton University Press, 1946

    Examples
    --------
    >>> from sklearn_clustcompare import cramers_v_score
    >>> round(cramers_v_score(list("aaabbb"), [1, 1, 2, 2, 3, 3]), 3)
    0.816
    """
    return evaluate("cramers_v_score", labels_true, labels_pred, sample_weight, possibilistic)


def tschuprow_score(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    possibilistic: bool = False,
) -> float:
    """Tschuprow T: the association of two partitions, 1 for equal ones only.

    Like :func:`cramers_v_score`, with the geometric mean of the two numbers of clusters instead of
    the smaller one.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,) or (n_samples, n_clusters), or ContingencyTable
        :term:`Labels` or :term:`memberships` of the :term:`reference`; or a
        :term:`contingency table` of both partitions, without ``labels_pred``.
    labels_pred : array-like of shape (n_samples,) or (n_samples, n_clusters), default=None
        Labels or memberships of the :term:`candidate`.
    sample_weight : array-like of shape (n_samples,), default=None
        :term:`Frequency weights <sample_weight>`; None means 1 for every object.
    possibilistic : bool, default=False
        Whether memberships are :term:`possibilistic`: their rows need not sum to 1.

    Returns
    -------
    float
        In [0, 1]; 1.0 for equal partitions only. Higher means more association.

    Raises
    ------
    ValueError
        If lengths differ, or labels, memberships or weights are invalid.
    TypeError
        If labels are not hashable.

    Warns
    -----
    UndefinedMetricWarning
        If only one partition has a single cluster: 0/0, set to 0.0.

    See Also
    --------
    cramers_v_score : 1 also for refinements.
    chi_squared_statistic : The sum itself.

    Notes
    -----
    sqrt(chi^2 / (N sqrt((R - 1) (C - 1)))), for R and C clusters, as
    ``scipy.stats.contingency.association`` with ``method="tschuprow"`` computes it from dense
    tables.

    References
    ----------
    .. [1] A. A. Tschuprow, "Grundbegriffe und Grundprobleme der Korrelationstheorie", Teubner, 1925

    Examples
    --------
    >>> from sklearn_clustcompare import tschuprow_score
    >>> round(tschuprow_score(list("aaabbb"), [1, 1, 2, 2, 3, 3]), 3)
    0.687
    """
    return evaluate("tschuprow_score", labels_true, labels_pred, sample_weight, possibilistic)


def pair_counting_score(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    coefficient: str = "hamann",
    adjusted: bool = False,
    possibilistic: bool = False,
) -> float:
    """Coefficient of association of the 2 x 2 table of pairs of objects.

    The classical coefficients for two binary variables, applied to pairs: whether the reference
    joins a pair, and whether the candidate does. Meant for comparison with published values and for
    studies of indices; many are equivalent once adjusted for chance.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,) or (n_samples, n_clusters), or ContingencyTable
        :term:`Labels` or :term:`memberships` of the :term:`reference`; or a
        :term:`contingency table` of both partitions, without ``labels_pred``.
    labels_pred : array-like of shape (n_samples,) or (n_samples, n_clusters), default=None
        Labels or memberships of the :term:`candidate`.
    sample_weight : array-like of shape (n_samples,), default=None
        :term:`Frequency weights <sample_weight>`; None means 1 for every object.
    coefficient : str, default="hamann"
        Name of the coefficient, one of those in the table of the Notes.
    adjusted : bool, default=False
        Adjust for chance: (value - E) / (1 - E), with E the exact mean when objects are permuted.
        Available for coefficients that are linear in n11 for given cluster sizes.
    possibilistic : bool, default=False
        Whether memberships are :term:`possibilistic`: their rows need not sum to 1.

    Returns
    -------
    float
        Within [-1, 1], many in [0, 1]; 0 on average by chance if adjusted. Higher is better.

    Raises
    ------
    ValueError
        If lengths differ, or labels, memberships or weights are invalid; if ``coefficient`` is
        unknown or cannot be adjusted; or if weights are too small to count pairs.
    TypeError
        If labels are not hashable, or ``adjusted`` is not a bool.

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
    >>> from sklearn_clustcompare import adjusted_rand_score, pair_counting_score
    >>> y, labels = list("aaabbb"), [1, 1, 2, 2, 3, 3]
    >>> round(pair_counting_score(y, labels), 3)
    0.333
    >>> round(pair_counting_score(y, labels, coefficient="czekanowski", adjusted=True), 3)
    0.242
    >>> round(adjusted_rand_score(y, labels), 3)
    0.242
    """
    return evaluate(
        "pair_counting_score",
        labels_true,
        labels_pred,
        sample_weight,
        possibilistic,
        coefficient=coefficient,
        adjusted=adjusted,
    )
