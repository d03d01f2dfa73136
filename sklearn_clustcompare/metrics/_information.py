"""Indices of information theory, and the entropies behind them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_clustcompare._chance.permutation import permutation_model
from sklearn_clustcompare._parameters import entropy_order, logarithm_base
from sklearn_clustcompare._partition import Labels, Reading, check_rows, read, read_labels
from sklearn_clustcompare._partition.devices import check_on_host
from sklearn_clustcompare._partition.options import PartitionLike
from sklearn_clustcompare._table import count
from sklearn_clustcompare.indices._information import (
    conditional_entropies,
    entropies_within,
    entropy,
    in_base,
)
from sklearn_clustcompare.metrics._evaluate import evaluate


def clustering_entropy(
    labels: PartitionLike,
    *,
    sample_weight: ArrayLike | None = None,
    possibilistic: bool = False,
    q: float = 1.0,
    base: float | None = None,
) -> float:
    """Entropy of one partition.

    The uncertainty about the cluster of a random object: 0 for one cluster, largest for many
    clusters of equal size. It measures how fine a partition is, not how good it is.

    Parameters
    ----------
    labels : array-like of shape (n_samples,) or (n_samples, n_clusters)
        :term:`Labels` or :term:`memberships` of one :term:`partition`.
    sample_weight : array-like of shape (n_samples,), default=None
        :term:`Frequency weights <sample_weight>`; None means 1 for every object.
    possibilistic : bool, default=False
        Whether memberships are :term:`possibilistic`: their rows need not sum to 1.
    q : float, default=1.0
        :term:`Order <q>` of the entropy, from 0.001 to 30: 1 is Shannon's, 2 counts pairs.
    base : float, default=None
        Base of the logarithm, above 1: 2 for :term:`bits`, None for :term:`nats`.

    Returns
    -------
    float
        In nats (in units of ``base``), from 0.0 for one cluster to log N for N singletons; for q
        other than 1 up to (1 - N^(1 - q)) / (q - 1), without a unit.

    Raises
    ------
    ValueError
        If labels, memberships or weights are invalid; if ``q`` is not positive and finite; if
        ``base`` is not above 1 or not None although q is not 1.
    TypeError
        If labels are not hashable, or ``q`` or ``base`` is not a real number.

    See Also
    --------
    mutual_info_score : The information that two partitions share.
    conditional_entropy : The uncertainty that remains when the other partition is known.
    categorical_entropy : Entropy of categorical data within clusters.

    Notes
    -----
    H_q of a partition with shares p_i = a_i / N is (1 - sum p_i^q) / (q - 1), for q = 1 its limit
    -sum p_i log p_i. The entropy of the partition into N singletons is log N; the 0 given in [1]_
    is a slip. No objects: 0.0.

    References
    ----------
    .. [1] S. Wagner, D. Wagner, "Comparing clusterings: an overview", Universität Karlsruhe,
       Technical Report 2006-04, 2007, section 5
    .. [2] C. Tsallis, "Possible generalization of Boltzmann-Gibbs statistics", Journal of
       Statistical Physics 52, 1988, :doi:`10.1007/BF01016429`

    Examples
    --------
    >>> from sklearn_clustcompare import clustering_entropy
    >>> round(clustering_entropy(["red", "red", "blue", "green", "green", "green"], base=2), 3)
    1.459
    >>> round(clustering_entropy([0, 0, 1, 1], q=2), 3)
    0.5
    """
    entropy_order("q", q)
    logarithm_base("base", base)
    reading = Reading(possibilistic)
    return in_base(entropy(_cluster_sizes(labels, sample_weight, reading), q), base, q)


def _cluster_sizes(
    labels: PartitionLike, sample_weight: ArrayLike | None, reading: Reading
) -> NDArray[Any]:
    partition = read(labels, "labels", reading)
    whole = Labels(np.zeros(partition.n_objects, np.uint8), 0, 1, None, "one cluster")
    return count(partition, whole, sample_weight, reading).row_sums


def categorical_entropy(X: Any, labels: PartitionLike, *, base: float | None = None) -> float:
    """Entropy of categorical data within clusters.

    How mixed the categories are within the clusters, summed over the features. It evaluates a
    clustering of categorical data without a reference. Finer partitions never have more, and
    singletons have 0, so compare only clusterings with the same number of clusters.

    Parameters
    ----------
    X : array-like or DataFrame of shape (n_samples, n_features)
        Categorical data: values of any hashable kind, none missing.
    labels : array-like of shape (n_samples,)
        :term:`Labels` of one :term:`partition`.
    base : float, default=None
        Base of the logarithm, above 1: 2 for :term:`bits`, None for :term:`nats`.

    Returns
    -------
    float
        In nats (in units of ``base``), from 0.0 if every feature is constant in every cluster.
        Lower is better.

    Raises
    ------
    ValueError
        If ``X`` is not two-dimensional, the lengths differ, values or labels are missing or
        fractional, or ``base`` is not above 1.
    TypeError
        If labels are not hashable, or ``base`` is not a real number.

    See Also
    --------
    categorical_entropies : The entropy of each cluster.
    conditional_entropy : The summand for one feature.
    clustering_entropy : Entropy of a partition.

    Notes
    -----
    sum over the columns of H(column | labels) = sum_j (b_j / N) H(column within cluster j): the
    entropies of the clusters, each summed over the columns, weighted by the sizes b_j of the
    clusters. Called EMIAC in [1]_, whose worked example is the one below.

    References
    ----------
    .. [1] G. K. Orman, "Clustering Evaluation", lecture, Galatasaray University, EMIAC algorithm

    Examples
    --------
    >>> from sklearn_clustcompare.metrics import categorical_entropy
    >>> X = [
    ...     ["red", "small", "soft"],
    ...     ["green", "small", "soft"],
    ...     ["green", "large", "soft"],
    ...     ["red", "medium", "hard"],
    ...     ["orange", "medium", "hard"],
    ...     ["green", "medium", "hard"],
    ...     ["blue", "large", "hard"],
    ...     ["blue", "medium", "hard"],
    ... ]
    >>> round(categorical_entropy(X, [0, 0, 0, 1, 1, 1, 2, 2], base=2), 3)
    1.533
    """
    logarithm_base("base", base)
    clusters = read_labels(labels, "labels")
    tables = (count(column, clusters) for column in _read_columns(X, clusters))
    # Rounded once: the order of the columns does not matter.
    return in_base(math.fsum(conditional_entropies(table)[0] for table in tables), base, 1.0)


def categorical_entropies(
    X: Any, labels: PartitionLike, *, base: float | None = None
) -> dict[Any, float]:
    """Entropy of categorical data within each cluster.

    How mixed the categories are within each cluster, summed over the features.

    Parameters
    ----------
    X : array-like or DataFrame of shape (n_samples, n_features)
        Categorical data: values of any hashable kind, none missing.
    labels : array-like of shape (n_samples,)
        :term:`Labels` of one :term:`partition`.
    base : float, default=None
        Base of the logarithm, above 1: 2 for :term:`bits`, None for :term:`nats`.

    Returns
    -------
    dict
        Maps the label of each cluster, a Python value, to its entropy: in nats (in units of
        ``base``), 0.0 if every feature is constant in the cluster. Lower is better.

    Raises
    ------
    ValueError
        If ``X`` is not two-dimensional, the lengths differ, values or labels are missing or
        fractional, or ``base`` is not above 1.
    TypeError
        If labels are not hashable, or ``base`` is not a real number.

    See Also
    --------
    categorical_entropy : The mean of these, weighted by the sizes of the clusters.
    cluster_decomposition : With one feature as the reference, ``pred.entropies_within``.

    Notes
    -----
    sum over the columns of H(column within cluster j), as in the worked example of [1]_ below.

    References
    ----------
    .. [1] G. K. Orman, "Clustering Evaluation", lecture, Galatasaray University, EMIAC algorithm

    Examples
    --------
    >>> from sklearn_clustcompare.metrics import categorical_entropies
    >>> X = [
    ...     ["red", "small", "soft"],
    ...     ["green", "small", "soft"],
    ...     ["green", "large", "soft"],
    ...     ["red", "medium", "hard"],
    ...     ["orange", "medium", "hard"],
    ...     ["green", "medium", "hard"],
    ...     ["blue", "large", "hard"],
    ...     ["blue", "medium", "hard"],
    ... ]
    >>> entropies = categorical_entropies(X, [0, 0, 0, 1, 1, 1, 2, 2], base=2)
    >>> {cluster: round(entropy, 2) for cluster, entropy in entropies.items()}
    {0: 1.84, 1: 1.58, 2: 1.0}
    """
    logarithm_base("base", base)
    clusters = read_labels(labels, "labels").compact()[0]
    columns = [entropies_within(count(column, clusters)) for column in _read_columns(X, clusters)]
    # Rounded once: the order of the columns does not matter.
    values = [
        in_base(math.fsum(of_cluster), base, 1.0) for of_cluster in zip(*columns, strict=True)
    ]
    return dict(zip(clusters.labels_of(np.arange(clusters.n_codes)).tolist(), values, strict=True))


def _read_columns(X: Any, clusters: Labels) -> Iterator[Labels]:
    check_on_host(X)
    is_frame = hasattr(X, "iloc")
    if not is_frame and not isinstance(X, np.ndarray):
        # As objects: NumPy would convert the values of a mixed row to one type.
        X = np.array(X, dtype=object)
    if X.ndim != 2:
        message = f"X must be a 2-D array (n_samples, n_features), got {X.ndim} dimension(s)"
        raise ValueError(message)
    check_rows(X, X.shape[0], clusters)
    columns = X.iloc if is_frame else X
    return (
        read_labels(columns[:, j], f"column {j} of X")._replace(ids=None) for j in range(X.shape[1])
    )


def mutual_info_score(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    q: float = 1.0,
    base: float | None = None,
    possibilistic: bool = False,
) -> float:
    """Mutual information of two partitions.

    How much the cluster of an object in one partition reveals about its cluster in the other. It
    has no fixed upper limit and grows with the number of clusters; to compare candidates use
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
    q : float, default=1.0
        :term:`Order <q>` of the entropy, from 0.001 to 30: 1 is Shannon's, 2 counts pairs.
    base : float, default=None
        Base of the logarithm, above 1: 2 for :term:`bits`, None for :term:`nats`.
    possibilistic : bool, default=False
        Whether memberships are :term:`possibilistic`: their rows need not sum to 1.

    Returns
    -------
    float
        In nats (in units of ``base``), from 0.0 for independent partitions to the smaller entropy
        of the two (``q=1``). Higher is better.

    Raises
    ------
    ValueError
        If lengths differ, or labels, memberships or weights are invalid; if ``q`` is not positive
        and finite; if ``base`` is not above 1 or not None although q is not 1.
    TypeError
        If labels are not hashable, or ``q`` or ``base`` is not a real number.

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
    return evaluate(
        "mutual_info_score", labels_true, labels_pred, sample_weight, possibilistic, q=q, base=base
    )


def normalized_mutual_info_score(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    q: float = 1.0,
    average_method: str = "arithmetic",
    possibilistic: bool = False,
) -> float:
    """Mutual information divided by an entropy.

    Scales the mutual information to [0, 1]. It is not adjusted for chance: with many clusters and
    few objects, unrelated partitions score high, and candidates with more clusters are favored.
    :func:`adjusted_mutual_info_score` corrects this.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,) or (n_samples, n_clusters), or ContingencyTable
        :term:`Labels` or :term:`memberships` of the :term:`reference`; or a
        :term:`contingency table` of both partitions, without ``labels_pred``.
    labels_pred : array-like of shape (n_samples,) or (n_samples, n_clusters), default=None
        Labels or memberships of the :term:`candidate`.
    sample_weight : array-like of shape (n_samples,), default=None
        :term:`Frequency weights <sample_weight>`; None means 1 for every object.
    q : float, default=1.0
        :term:`Order <q>` of the entropy, from 0.001 to 30: 1 is Shannon's, 2 counts pairs.
    average_method : {"min", "geometric", "arithmetic", "max", "joint"}, default="arithmetic"
        Divisor of the information: a mean of the two entropies or, with "joint", the joint entropy
        of both partitions.
    possibilistic : bool, default=False
        Whether memberships are :term:`possibilistic`: their rows need not sum to 1.

    Returns
    -------
    float
        In [0, 1], and below 0 for some partitions if ``q < 1``; 1.0 for equal partitions, with
        "min" also if one partition refines the other. Higher is better.

    Raises
    ------
    ValueError
        If lengths differ, or labels, memberships or weights are invalid; if ``q`` is not positive
        and finite; if ``average_method`` is not one of its options.
    TypeError
        If labels are not hashable, or ``q`` is not a real number.

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
    return evaluate(
        "normalized_mutual_info_score",
        labels_true,
        labels_pred,
        sample_weight,
        possibilistic,
        q=q,
        average_method=average_method,
    )


def adjusted_mutual_info_score(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
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
    labels_true : array-like of shape (n_samples,), or ContingencyTable
        :term:`Labels` of the :term:`reference`; or a :term:`contingency table` of both partitions,
        without ``labels_pred``.
    labels_pred : array-like of shape (n_samples,), default=None
        Labels of the :term:`candidate`.
    sample_weight : array-like of shape (n_samples,), default=None
        :term:`Frequency weights <sample_weight>`; None means 1 for every object.
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

    Raises
    ------
    ValueError
        If lengths differ, or labels or weights are invalid; if ``q`` is not positive and finite; if
        ``average_method`` is not one of its options; if weights are not whole numbers.
    TypeError
        If labels are not hashable, or ``q`` is not a real number.

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
    return evaluate(
        "adjusted_mutual_info_score",
        labels_true,
        labels_pred,
        sample_weight,
        q=q,
        average_method=average_method,
    )


def expected_mutual_info(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    q: float = 1.0,
    method: str = "exact",
    sample_weight: ArrayLike | None = None,
) -> float:
    """Mean of the mutual information when objects are permuted at random.

    The information that two partitions with these cluster sizes share by chance. Compare it with
    :func:`mutual_info_score` to see how much of a value is due to chance; only the cluster sizes
    matter, not which object is in which cluster.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,), or ContingencyTable
        :term:`Labels` of the :term:`reference`; or a :term:`contingency table` of both partitions,
        without ``labels_pred``.
    labels_pred : array-like of shape (n_samples,), default=None
        Labels of the :term:`candidate`.
    q : float, default=1.0
        :term:`Order <q>` of the entropy, from 0.001 to 30: 1 is Shannon's, 2 counts pairs.
    method : {"exact", "limit"}, default="exact"
        "limit" leaves out the terms that vanish as the number of objects grows.
    sample_weight : array-like of shape (n_samples,), default=None
        :term:`Frequency weights <sample_weight>`; None means 1 for every object.

    Returns
    -------
    float
        Not negative for ``q >= 1``; in nats for ``q=1``, without a unit otherwise.

    Raises
    ------
    ValueError
        If lengths differ, or labels or weights are invalid; if ``q`` is not positive and finite; if
        ``method`` is not one of its options; if weights are not whole numbers.
    TypeError
        If labels are not hashable, or ``q`` is not a real number.

    See Also
    --------
    adjusted_mutual_info_score : The index adjusted by it.
    mutual_info_variance : The variance under the same model.

    Notes
    -----
    Permuted objects make each cell n_ij hypergeometric with parameters N, a_i and b_j; the mean is
    a sum over the cells. In the limit it is (q - 1) H_q(true) H_q(pred), which is 0 for q = 1.

    References
    ----------
    .. [1] S. Romano, N. X. Vinh, J. Bailey, K. Verspoor, "Adjusting for chance clustering
       comparison measures", Journal of Machine Learning Research 17(134), 2016, theorems 1 and 3
    .. [2] N. X. Vinh, J. Epps, J. Bailey, "Information theoretic measures for clusterings
       comparison", Journal of Machine Learning Research 11, 2010

    Examples
    --------
    >>> from sklearn_clustcompare import expected_mutual_info
    >>> round(expected_mutual_info(list("aaabbb"), [1, 1, 2, 2, 3, 3]), 3)
    0.277
    >>> round(expected_mutual_info(list("aaabbb"), [1, 1, 2, 2, 3, 3], q=2, method="limit"), 3)
    0.333
    """
    table = count(labels_true, labels_pred, sample_weight)
    return permutation_model(table).expected_mutual_info(q, method=method)


def mutual_info_variance(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    q: float = 1.0,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Variance of the mutual information when objects are permuted at random.

    With :func:`expected_mutual_info` it shows how far an observed value lies from chance, in
    standard deviations. Only the cluster sizes matter.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,), or ContingencyTable
        :term:`Labels` of the :term:`reference`; or a :term:`contingency table` of both partitions,
        without ``labels_pred``.
    labels_pred : array-like of shape (n_samples,), default=None
        Labels of the :term:`candidate`.
    q : float, default=1.0
        :term:`Order <q>` of the entropy, from 0.001 to 30: 1 is Shannon's, 2 counts pairs.
    sample_weight : array-like of shape (n_samples,), default=None
        :term:`Frequency weights <sample_weight>`; None means 1 for every object.

    Returns
    -------
    float
        Not negative; in squared nats for ``q=1``, without a unit otherwise. 0.0 if a partition has
        one cluster, or singletons only.

    Raises
    ------
    ValueError
        If lengths differ, or labels or weights are invalid; if ``q`` is not positive and finite; if
        weights are not whole numbers.
    TypeError
        If labels are not hashable, or ``q`` is not a real number.

    See Also
    --------
    expected_mutual_info : The mean.
    mutual_info_score : The value observed.

    Notes
    -----
    Exact under the permutation model, from the joint hypergeometric law of pairs of cells. The
    variance of the joint entropy is the same, that of the variation of information four times as
    large.

    References
    ----------
    .. [1] S. Romano, N. X. Vinh, J. Bailey, K. Verspoor, "Adjusting for chance clustering
       comparison measures", Journal of Machine Learning Research 17(134), 2016, theorem 4

    Examples
    --------
    >>> from sklearn_clustcompare import mutual_info_variance
    >>> round(mutual_info_variance(list("aaabbb"), [1, 1, 2, 2, 3, 3]), 3)
    0.051
    """
    table = count(labels_true, labels_pred, sample_weight)
    return permutation_model(table).mutual_info_variance(q)


def homogeneity_score(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    possibilistic: bool = False,
) -> float:
    """Share of the entropy of the reference that the candidate explains.

    1 if every predicted cluster holds objects of one reference cluster only. Splitting never lowers
    it: singletons score 1. Read it together with :func:`completeness_score`. Not adjusted for
    chance.

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
        If lengths differ, or labels, memberships or weights are invalid.
    TypeError
        If labels are not hashable.

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
    return evaluate("homogeneity_score", labels_true, labels_pred, sample_weight, possibilistic)


def completeness_score(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    possibilistic: bool = False,
) -> float:
    """Share of the entropy of the candidate that the reference explains.

    1 if every reference cluster lies within one predicted cluster. Merging never lowers it: a
    single cluster scores 1. Read it together with :func:`homogeneity_score`. Not adjusted for
    chance.

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
        If lengths differ, or labels, memberships or weights are invalid.
    TypeError
        If labels are not hashable.

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
    return evaluate("completeness_score", labels_true, labels_pred, sample_weight, possibilistic)


def v_measure_score(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    beta: float = 1.0,
    possibilistic: bool = False,
) -> float:
    """V-measure: harmonic mean of homogeneity and completeness.

    With ``beta=1`` it is the normalized mutual information with the arithmetic mean. It is not
    adjusted for chance: many clusters score high when there are few objects.

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
        How many times as much completeness counts as homogeneity; not negative.
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
        not finite.
    TypeError
        If labels are not hashable, or ``beta`` is not a real number.

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
    return evaluate(
        "v_measure_score", labels_true, labels_pred, sample_weight, possibilistic, beta=beta
    )


def conditional_entropy(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    q: float = 1.0,
    base: float | None = None,
    possibilistic: bool = False,
) -> float:
    """Entropy of the reference that remains when the candidate is known.

    How mixed the predicted clusters are in terms of the reference, as a weighted mean of their
    entropies. Splitting never raises it, so compare only candidates with similar numbers of
    clusters.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,) or (n_samples, n_clusters), or ContingencyTable
        :term:`Labels` or :term:`memberships` of the :term:`reference`; or a
        :term:`contingency table` of both partitions, without ``labels_pred``.
    labels_pred : array-like of shape (n_samples,) or (n_samples, n_clusters), default=None
        Labels or memberships of the :term:`candidate`.
    sample_weight : array-like of shape (n_samples,), default=None
        :term:`Frequency weights <sample_weight>`; None means 1 for every object.
    q : float, default=1.0
        :term:`Order <q>` of the entropy, from 0.001 to 30: 1 is Shannon's, 2 counts pairs.
    base : float, default=None
        Base of the logarithm, above 1: 2 for :term:`bits`, None for :term:`nats`.
    possibilistic : bool, default=False
        Whether memberships are :term:`possibilistic`: their rows need not sum to 1.

    Returns
    -------
    float
        In nats (in units of ``base``), from 0.0 if every predicted cluster lies within a reference
        cluster to the entropy of the reference. Lower is better.

    Raises
    ------
    ValueError
        If lengths differ, or labels, memberships or weights are invalid; if ``q`` is not positive
        and finite; if ``base`` is not above 1 or not None although q is not 1.
    TypeError
        If labels are not hashable, or ``q`` or ``base`` is not a real number.

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
    >>> from sklearn_clustcompare import conditional_entropy
    >>> round(conditional_entropy(list("aaabbb"), [1, 1, 2, 2, 3, 3], base=2), 3)
    0.333
    """
    return evaluate(
        "conditional_entropy",
        labels_true,
        labels_pred,
        sample_weight,
        possibilistic,
        q=q,
        base=base,
    )


def variation_of_information_distance(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    q: float = 1.0,
    base: float | None = None,
    normalize: str | None = None,
    possibilistic: bool = False,
) -> float:
    """Variation of information: the uncertainty that each partition leaves about the other.

    For ``q >= 1`` a metric on the partitions of a set: 0 for equal ones, triangle inequality. It
    depends on the shares of the cells, not on the number of objects. It is not adjusted for chance
    unless ``normalize="expected"``.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,) or (n_samples, n_clusters), or ContingencyTable
        :term:`Labels` or :term:`memberships` of the :term:`reference`; or a
        :term:`contingency table` of both partitions, without ``labels_pred``.
    labels_pred : array-like of shape (n_samples,) or (n_samples, n_clusters), default=None
        Labels or memberships of the :term:`candidate`.
    sample_weight : array-like of shape (n_samples,), default=None
        :term:`Frequency weights <sample_weight>`; None means 1 for every object.
    q : float, default=1.0
        :term:`Order <q>` of the entropy, from 0.001 to 30: 1 is Shannon's, 2 counts pairs.
    base : float, default=None
        Base of the logarithm, above 1: 2 for :term:`bits`, None for :term:`nats`.
    normalize : {None, "joint", "expected", "log_n"}, default=None
        Divide by the joint entropy ("joint": for ``q >= 1`` in [0, 1] and still a metric), by the
        mean when objects are permuted ("expected": 1 on average by chance, not a metric), or by log
        N, the largest distance there is ("log_n": for ``q >= 1`` in [0, 1], a metric for a given
        N).
    possibilistic : bool, default=False
        Whether memberships are :term:`possibilistic`: their rows need not sum to 1.

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
    return evaluate(
        "variation_of_information_distance",
        labels_true,
        labels_pred,
        sample_weight,
        possibilistic,
        q=q,
        base=base,
        normalize=normalize,
    )


def information_distance(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    possibilistic: bool = False,
) -> float:
    """The larger conditional entropy of one partition given the other, in :term:`nats`.

    A metric. The information that is missing to get from either partition to the other, where the
    variation of information adds up both directions. It is not adjusted for chance.

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
        At least 0.0, which is for equal partitions only, and at most log(n_samples). Lower is
        better.

    Raises
    ------
    ValueError
        If lengths differ, or labels, memberships or weights are invalid.
    TypeError
        If labels are not hashable.

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
    return evaluate("information_distance", labels_true, labels_pred, sample_weight, possibilistic)


def normalized_information_distance(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    possibilistic: bool = False,
) -> float:
    """Information distance divided by the larger entropy.

    A metric with values in [0, 1]. [1]_ recommends it among the normalized distances because it
    uses that range well. It is not adjusted for chance.

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
        In [0, 1]; 0.0 for equal partitions only. Lower is better.

    Raises
    ------
    ValueError
        If lengths differ, or labels, memberships or weights are invalid.
    TypeError
        If labels are not hashable.

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
    >>> from sklearn_clustcompare import normalized_information_distance
    >>> round(normalized_information_distance(list("aaabbb"), [1, 1, 2, 2, 3, 3]), 3)
    0.579
    """
    return evaluate(
        "normalized_information_distance", labels_true, labels_pred, sample_weight, possibilistic
    )


def reduced_mutual_info_score(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    normalize: bool = False,
    base: float | None = None,
) -> float:
    """Reduced mutual information: shared information less the cost of the contingency table.

    The mutual information grows with the number of clusters because it ignores the cost of
    describing the contingency table. Here that cost is subtracted, so that random splits do not
    raise the score and useless candidates score below 0. **Not symmetric**: ``labels_pred`` is
    described given ``labels_true``. To measure how much a candidate reveals about the reference,
    pass the candidate first.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,), or ContingencyTable
        :term:`Labels` of the :term:`reference`; or a :term:`contingency table` of both partitions,
        without ``labels_pred``.
    labels_pred : array-like of shape (n_samples,), default=None
        Labels of the :term:`candidate`.
    sample_weight : array-like of shape (n_samples,), default=None
        :term:`Frequency weights <sample_weight>`; None means 1 for every object.
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
    >>> from sklearn_clustcompare import reduced_mutual_info_score
    >>> colors, numbers = list("rrrbbbgg"), [1, 1, 1, 1, 2, 2, 2, 2]
    >>> round(reduced_mutual_info_score(colors, numbers, base=2), 4)
    0.9091
    >>> round(reduced_mutual_info_score(numbers, colors, base=2), 4)
    0.3195
    """
    return evaluate(
        "reduced_mutual_info_score",
        labels_true,
        labels_pred,
        sample_weight,
        normalize=normalize,
        base=base,
    )
