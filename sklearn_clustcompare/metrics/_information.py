"""Entropies of partitions and data, expected information, and fuzziness."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse
from scipy.special import entr

from sklearn_clustcompare._chance.permutation import permutation_model
from sklearn_clustcompare._parameters import entropy_order, logarithm_base
from sklearn_clustcompare._partition import (
    Labels,
    Reading,
    check_rows,
    read,
    read_labels,
    read_memberships,
    read_weights,
)
from sklearn_clustcompare._partition.arrays import (
    READ_ALIKE,
    PartitionLike,
    check_on_host,
    check_some_weight,
)
from sklearn_clustcompare._partition.memberships import row_blocks
from sklearn_clustcompare._table import count
from sklearn_clustcompare.indices._compares import Given, compares
from sklearn_clustcompare.indices._entropies import (
    conditional_entropies,
    entropies_within,
    entropy,
    in_base,
)


@compares("labels", "sample_weight", *READ_ALIKE[:-1])
def clustering_entropy(given: Given, *, q: float = 1.0, base: float | None = None) -> float:
    """Entropy of one partition.

    The uncertainty about the cluster of a random object: 0 for one cluster, largest for many
    clusters of equal size. It measures how fine a partition is, not how good it is.

    Parameters
    ----------
    labels : array-like of shape (n_samples,) or (n_samples, n_clusters)
        :term:`Labels` or :term:`memberships` of one :term:`partition`.
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
    >>> from sklearn_clustcompare.metrics import clustering_entropy
    >>> round(clustering_entropy(["red", "red", "blue", "green", "green", "green"], base=2), 3)
    1.459
    >>> round(clustering_entropy([0, 0, 1, 1], q=2), 3)
    0.5
    """
    entropy_order("q", q)
    logarithm_base("base", base)
    partition = read(given.labels, "labels", given.reading)
    # Under a name that is no label of noise.
    whole = Labels(np.zeros(partition.n_objects, np.uint8), 0, 1, np.array([object()]))
    sizes = count(partition, whole, given.sample_weight, given.reading).row_sums
    return in_base(entropy(sizes, q), base, q)


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


@compares("labels_true", "labels_pred", "sample_weight", *READ_ALIKE[1:])
def expected_mutual_info(given: Given, *, q: float = 1.0, method: str = "exact") -> float:
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
    >>> from sklearn_clustcompare.metrics import expected_mutual_info
    >>> round(expected_mutual_info(list("aaabbb"), [1, 1, 2, 2, 3, 3]), 3)
    0.277
    >>> round(expected_mutual_info(list("aaabbb"), [1, 1, 2, 2, 3, 3], q=2, method="limit"), 3)
    0.333
    """
    return permutation_model(given.table()).expected_mutual_info(q, method=method)


@compares("labels_true", "labels_pred", "sample_weight", *READ_ALIKE[1:])
def mutual_info_variance(given: Given, *, q: float = 1.0) -> float:
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
    Exact under the permutation model, from the joint hypergeometric distribution of pairs of
    cells. The variance of the joint entropy is the same, that of the variation of information four
    times as large.

    References
    ----------
    .. [1] S. Romano, N. X. Vinh, J. Bailey, K. Verspoor, "Adjusting for chance clustering
       comparison measures", Journal of Machine Learning Research 17(134), 2016, theorem 4

    Examples
    --------
    >>> from sklearn_clustcompare.metrics import mutual_info_variance
    >>> round(mutual_info_variance(list("aaabbb"), [1, 1, 2, 2, 3, 3]), 3)
    0.051
    """
    return permutation_model(given.table()).mutual_info_variance(q)


def partition_coefficient(
    memberships: PartitionLike,
    *,
    sample_weight: ArrayLike | None = None,
    possibilistic: bool = False,
) -> float:
    """Mean squared length of the memberships: how crisp a soft partition is.

    A measure of one partition alone, without data or a reference. It tends to fall with the number
    of clusters.

    Parameters
    ----------
    memberships : array-like of shape (n_samples, n_clusters)
        :term:`Memberships` of a soft :term:`partition`.
    sample_weight : array-like of shape (n_samples,), default=None
        :term:`Frequency weights <sample_weight>`; None means 1 for every object.
    possibilistic : bool, default=False
        Whether memberships are :term:`possibilistic`: their rows need not sum to 1.

    Returns
    -------
    float
        Between 1 / n_clusters (all memberships equal) and 1 (crisp).

    Raises
    ------
    ValueError
        If memberships lie outside [0, 1] or do not sum to 1, or there are no objects.

    See Also
    --------
    partition_entropy : Measures the same by the entropy.

    References
    ----------
    .. [1] J. C. Bezdek, "Pattern recognition with fuzzy objective function algorithms", Plenum
       Press, 1981

    Examples
    --------
    >>> from sklearn_clustcompare.metrics import partition_coefficient
    >>> round(partition_coefficient([[1, 0], [0.5, 0.5], [0.2, 0.8]]), 3)
    0.727
    """
    return _mean_of_rows(np.square, memberships, sample_weight, possibilistic)


def partition_entropy(
    memberships: PartitionLike,
    *,
    sample_weight: ArrayLike | None = None,
    possibilistic: bool = False,
    base: float | None = None,
) -> float:
    """Mean entropy of the memberships of an object: how fuzzy a soft partition is.

    A measure of one partition alone, without data or a reference. It is not
    :func:`clustering_entropy`, the entropy of the cluster sizes.

    Parameters
    ----------
    memberships : array-like of shape (n_samples, n_clusters)
        :term:`Memberships` of a soft :term:`partition`.
    sample_weight : array-like of shape (n_samples,), default=None
        :term:`Frequency weights <sample_weight>`; None means 1 for every object.
    possibilistic : bool, default=False
        Whether memberships are :term:`possibilistic`: their rows need not sum to 1.
    base : float, default=None
        Base of the logarithm, above 1: 2 for :term:`bits`, None for :term:`nats`.

    Returns
    -------
    float
        In nats, or in units of the given base; between 0 (crisp) and the logarithm of the
        number of clusters.

    Raises
    ------
    ValueError
        If memberships lie outside [0, 1] or do not sum to 1, or there are no objects.

    See Also
    --------
    partition_coefficient : Measures the same by squares.

    References
    ----------
    .. [1] J. C. Bezdek, "Pattern recognition with fuzzy objective function algorithms", Plenum
       Press, 1981

    Examples
    --------
    >>> from sklearn_clustcompare.metrics import partition_entropy
    >>> round(partition_entropy([[1, 0], [0.5, 0.5], [0.5, 0.5], [0, 1]], base=2), 3)
    0.5
    """
    logarithm_base("base", base)
    return in_base(_mean_of_rows(entr, memberships, sample_weight, possibilistic), base, 1)


def _mean_of_rows(
    function: Any,
    memberships: PartitionLike,
    sample_weight: ArrayLike | None,
    possibilistic: bool,
) -> float:
    soft = read_memberships(memberships, "memberships", Reading(possibilistic))
    if not soft.n_objects:
        msg = "memberships must hold at least one object, got none"
        raise ValueError(msg)
    sums = np.empty(soft.n_objects)
    for start, stop in row_blocks(soft.n_objects, soft.rows_per_block):
        block = soft.rows(start, stop)
        if sparse.issparse(block):
            block = block.copy()
            block.data = function(block.data)
        else:
            block = function(block)
        sums[start:stop] = np.asarray(block.sum(axis=1)).ravel()
    weights = read_weights(sample_weight, soft)
    check_some_weight(weights)
    return float(np.average(sums, weights=weights))
