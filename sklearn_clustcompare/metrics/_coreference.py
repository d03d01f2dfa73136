"""Indices of entity resolution and coreference resolution."""

from __future__ import annotations

from numpy.typing import ArrayLike

from sklearn_clustcompare._partition.arrays import PartitionLike
from sklearn_clustcompare.metrics._evaluate import evaluate


def bcubed_precision_score(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    average: str = "object",
    possibilistic: bool = False,
) -> float:
    """B-cubed precision: the share of its cluster that is right, on average over objects.

    The share of the objects in the predicted cluster of an object, including itself, that belong to
    its reference cluster. Splitting never lowers it, and singletons score 1: read it together with
    :func:`bcubed_recall_score`. Not adjusted for chance.

    Parameters
    ----------
    labels_true : array-like, Cover or ContingencyTable
        :term:`Cover`, :term:`labels` or :term:`memberships` of the :term:`reference`; or a
        :term:`contingency table` of both partitions, without ``labels_pred``.
    labels_pred : array-like or Cover, default=None
        Cover, labels or memberships of the :term:`candidate`.
    sample_weight : array-like of shape (n_samples,), default=None
        :term:`Frequency weights <sample_weight>`; None means 1 for every object.
    average : {"object", "cluster"}, default="object"
        Mean over all objects, or over the reference clusters of the mean of their objects.
    possibilistic : bool, default=False
        Whether memberships are :term:`possibilistic`: their rows need not sum to 1.

    Returns
    -------
    float
        In [0, 1], above 0 for partitions; 1.0 if every predicted cluster lies within a reference
        cluster. Higher is better.

    Raises
    ------
    ValueError
        If lengths or names of objects differ, or labels, memberships or weights are invalid; if
        ``average`` is not one of its options.
    TypeError
        If labels are not hashable, or memberships of soft clusters are compared with a cover.

    See Also
    --------
    bcubed_recall_score : The other direction.
    bcubed_f_score : Both together.
    purity_score : Counts the majority of each cluster only.

    Notes
    -----
    (1/N) sum_ij n_ij^2 / b_j; with ``average="cluster"``, of R reference clusters,
    (1/R) sum_ij n_ij^2 / (a_i b_j). No objects: 1.0.

    For covers it is extended B-cubed [2]_: each object is compared with all objects that share a
    predicted cluster with it, itself included, by min(shared clusters, shared reference clusters) /
    shared clusters. The score is the mean over these partners, and then over the objects. Objects
    in no predicted cluster are left out. For covers ``average`` must be "object".

    Its mean and deviation under permutation are exact: see :func:`chance_adjusted_score` and
    :func:`permutation_test`.

    References
    ----------
    .. [1] A. Bagga, B. Baldwin, "Algorithms for scoring coreference chains", LREC Workshop on
       Linguistic Coreference, 1998
    .. [2] E. Amigo, J. Gonzalo, J. Artiles, F. Verdejo, "A comparison of extrinsic clustering
       evaluation metrics based on formal constraints", Information Retrieval 12, 2009

    Examples
    --------
    >>> from sklearn_clustcompare import bcubed_precision_score
    >>> key = [1, 1, 1, 1, 1, 2, 2, 3, 3, 3, 3, 3]
    >>> response = [1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2]
    >>> round(bcubed_precision_score(key, response), 3)
    0.762
    """
    return evaluate(
        "bcubed_precision_score",
        labels_true,
        labels_pred,
        sample_weight,
        possibilistic,
        average=average,
    )


def bcubed_recall_score(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    average: str = "object",
    possibilistic: bool = False,
) -> float:
    """B-cubed recall: the share of its class that is found, on average over objects.

    The share of the objects in the reference cluster of an object, including itself, that are in
    its predicted cluster. Merging never lowers it, and a single cluster scores 1: read it together
    with :func:`bcubed_precision_score`. Not adjusted for chance.

    Parameters
    ----------
    labels_true : array-like, Cover or ContingencyTable
        :term:`Cover`, :term:`labels` or :term:`memberships` of the :term:`reference`; or a
        :term:`contingency table` of both partitions, without ``labels_pred``.
    labels_pred : array-like or Cover, default=None
        Cover, labels or memberships of the :term:`candidate`.
    sample_weight : array-like of shape (n_samples,), default=None
        :term:`Frequency weights <sample_weight>`; None means 1 for every object.
    average : {"object", "cluster"}, default="object"
        Mean over all objects, or over the reference clusters of the mean of their objects.
    possibilistic : bool, default=False
        Whether memberships are :term:`possibilistic`: their rows need not sum to 1.

    Returns
    -------
    float
        In [0, 1], above 0 for partitions; 1.0 if every reference cluster lies within a predicted
        cluster. Higher is better.

    Raises
    ------
    ValueError
        If lengths or names of objects differ, or labels, memberships or weights are invalid; if
        ``average`` is not one of its options.
    TypeError
        If labels are not hashable, or memberships of soft clusters are compared with a cover.

    See Also
    --------
    bcubed_precision_score : The other direction.
    bcubed_f_score : Both together.
    inverse_purity_score : Counts the main part of each reference cluster only.

    Notes
    -----
    (1/N) sum_ij n_ij^2 / a_i; with ``average="cluster"``, of R reference clusters,
    (1/R) sum_ij n_ij^2 / a_i^2. No objects: 1.0.

    For covers it is extended B-cubed [2]_, the precision with both sides swapped. For covers
    ``average`` must be "object".

    Its mean and deviation under permutation are exact: see :func:`chance_adjusted_score` and
    :func:`permutation_test`.

    References
    ----------
    .. [1] A. Bagga, B. Baldwin, "Algorithms for scoring coreference chains", LREC Workshop on
       Linguistic Coreference, 1998
    .. [2] E. Amigo, J. Gonzalo, J. Artiles, F. Verdejo, "A comparison of extrinsic clustering
       evaluation metrics based on formal constraints", Information Retrieval 12, 2009

    Examples
    --------
    >>> from sklearn_clustcompare import bcubed_recall_score
    >>> key, response = [1, 2, 2, 3, 3, 3], [1, 2, 3, 4, 5, 6]
    >>> round(bcubed_recall_score(key, response), 3)
    0.5
    """
    return evaluate(
        "bcubed_recall_score",
        labels_true,
        labels_pred,
        sample_weight,
        possibilistic,
        average=average,
    )


def bcubed_f_score(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    beta: float = 1.0,
    average: str = "object",
    possibilistic: bool = False,
) -> float:
    """B-cubed F: weighted harmonic mean of B-cubed precision and recall.

    The usual index of entity resolution and of coreference. It is strictly better after every
    perfect split or merge, but large clusters weigh more than small ones, and random partitions
    score higher the fewer clusters the reference has. Not adjusted for chance.

    Parameters
    ----------
    labels_true : array-like, Cover or ContingencyTable
        :term:`Cover`, :term:`labels` or :term:`memberships` of the :term:`reference`; or a
        :term:`contingency table` of both partitions, without ``labels_pred``.
    labels_pred : array-like or Cover, default=None
        Cover, labels or memberships of the :term:`candidate`.
    sample_weight : array-like of shape (n_samples,), default=None
        :term:`Frequency weights <sample_weight>`; None means 1 for every object.
    beta : float, default=1.0
        How many times as much recall counts as precision; not negative.
    average : {"object", "cluster"}, default="object"
        Mean over all objects, or over the reference clusters of the mean of their objects.
    possibilistic : bool, default=False
        Whether memberships are :term:`possibilistic`: their rows need not sum to 1.

    Returns
    -------
    float
        In [0, 1], above 0 for partitions; 1.0 for equal partitions. Higher is better.

    Raises
    ------
    ValueError
        If lengths or names of objects differ, or labels, memberships or weights are invalid; if
        ``beta`` is negative, or ``average`` not one of its options.
    TypeError
        If labels are not hashable, or memberships of soft clusters are compared with a cover.

    See Also
    --------
    bcubed_precision_score : One of the two.
    bcubed_recall_score : The other one.
    pair_f_score : F of pairs of objects.
    muc_f_score : F of links.

    Notes
    -----
    (1 + beta^2) P R / (beta^2 P + R). It is not a linear function of a sum over the cells, so its
    mean under permutation is estimated from draws.

    References
    ----------
    .. [1] A. Bagga, B. Baldwin, "Algorithms for scoring coreference chains", LREC Workshop on
       Linguistic Coreference, 1998
    .. [2] E. Amigo, J. Gonzalo, J. Artiles, F. Verdejo, "A comparison of extrinsic clustering
       evaluation metrics based on formal constraints", Information Retrieval 12, 2009

    Examples
    --------
    >>> from sklearn_clustcompare import bcubed_f_score
    >>> key = [1, 1, 1, 1, 1, 2, 2, 3, 3, 3, 3, 3]
    >>> response = [1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2]
    >>> round(bcubed_f_score(key, response), 3)
    0.865
    """
    return evaluate(
        "bcubed_f_score",
        labels_true,
        labels_pred,
        sample_weight,
        possibilistic,
        beta=beta,
        average=average,
    )


def muc_precision_score(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
) -> float:
    """MUC precision: the share of the predicted links that are right.

    A cluster of b objects is held together by b - 1 links. Those that remain within reference
    clusters are right. Singletons have no links and do not count; use B-cubed where they matter.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,), or ContingencyTable
        :term:`Labels` of the :term:`reference`; or a :term:`contingency table` of both partitions,
        without ``labels_pred``.
    labels_pred : array-like of shape (n_samples,), default=None
        Labels of the :term:`candidate`.
    sample_weight : array-like of shape (n_samples,), default=None
        :term:`Frequency weights <sample_weight>`; None means 1 for every object.

    Returns
    -------
    float
        In [0, 1]; 1.0 if every predicted cluster lies within a reference cluster. Higher is better.

    Raises
    ------
    ValueError
        If lengths differ, or labels or weights are invalid; if weights are not
        whole numbers.
    TypeError
        If labels are not hashable.

    Warns
    -----
    UndefinedMetricWarning
        If the predicted clusters are singletons and the reference clusters are not: 0/0, set to
        0.0.

    See Also
    --------
    muc_recall_score : The other direction.
    muc_f_score : Both together.
    bcubed_precision_score : Counts objects, including singletons.

    Notes
    -----
    (N - nnz) / (N - C), for nnz occupied cells and C predicted clusters. Equal partitions score
    1.0.

    Its mean and deviation under permutation are exact: see :func:`chance_adjusted_score` and
    :func:`permutation_test`.

    References
    ----------
    .. [1] M. Vilain, J. Burger, J. Aberdeen, D. Connolly, L. Hirschman, "A model-theoretic
       coreference scoring scheme", MUC-6, 1995

    Examples
    --------
    >>> from sklearn_clustcompare import muc_precision_score
    >>> key = [1, 1, 1, 1, 1, 2, 2, 3, 3, 3, 3, 3]
    >>> response = [1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2]
    >>> round(muc_precision_score(key, response), 3)
    0.9
    """
    return evaluate("muc_precision_score", labels_true, labels_pred, sample_weight)


def muc_recall_score(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
) -> float:
    """MUC recall: the share of the links of the reference that are found.

    A cluster of a objects is held together by a - 1 links. Those that remain within predicted
    clusters are found. Singletons have no links and do not count; use B-cubed where they matter.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,), or ContingencyTable
        :term:`Labels` of the :term:`reference`; or a :term:`contingency table` of both partitions,
        without ``labels_pred``.
    labels_pred : array-like of shape (n_samples,), default=None
        Labels of the :term:`candidate`.
    sample_weight : array-like of shape (n_samples,), default=None
        :term:`Frequency weights <sample_weight>`; None means 1 for every object.

    Returns
    -------
    float
        In [0, 1]; 1.0 if every reference cluster lies within a predicted cluster. Higher is better.

    Raises
    ------
    ValueError
        If lengths differ, or labels or weights are invalid; if weights are not
        whole numbers.
    TypeError
        If labels are not hashable.

    Warns
    -----
    UndefinedMetricWarning
        If the reference clusters are singletons and the predicted clusters are not: 0/0, set to
        0.0.

    See Also
    --------
    muc_precision_score : The other direction.
    muc_f_score : Both together.
    bcubed_recall_score : Counts objects, including singletons.

    Notes
    -----
    (N - nnz) / (N - R), for nnz occupied cells and R reference clusters. Equal partitions score
    1.0.

    Its mean and deviation under permutation are exact: see :func:`chance_adjusted_score` and
    :func:`permutation_test`.

    References
    ----------
    .. [1] M. Vilain, J. Burger, J. Aberdeen, D. Connolly, L. Hirschman, "A model-theoretic
       coreference scoring scheme", MUC-6, 1995

    Examples
    --------
    >>> from sklearn_clustcompare import muc_recall_score
    >>> round(muc_recall_score([1, 2, 2, 3, 3, 3], [1, 2, 2, 3, 3, 4]), 3)
    0.667
    """
    return evaluate("muc_recall_score", labels_true, labels_pred, sample_weight)


def muc_f_score(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
) -> float:
    """MUC F: harmonic mean of MUC precision and recall.

    The oldest index of coreference resolution (1995). It penalizes merges little: all objects in
    one cluster still score high, since few links suffice to merge large clusters. Report it
    together with other indices.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,), or ContingencyTable
        :term:`Labels` of the :term:`reference`; or a :term:`contingency table` of both partitions,
        without ``labels_pred``.
    labels_pred : array-like of shape (n_samples,), default=None
        Labels of the :term:`candidate`.
    sample_weight : array-like of shape (n_samples,), default=None
        :term:`Frequency weights <sample_weight>`; None means 1 for every object.

    Returns
    -------
    float
        In [0, 1]; 1.0 for equal partitions. Higher is better.

    Raises
    ------
    ValueError
        If lengths differ, or labels or weights are invalid; if weights are not
        whole numbers.
    TypeError
        If labels are not hashable.

    See Also
    --------
    muc_precision_score : One of the two.
    muc_recall_score : The other one.
    bcubed_f_score : Counts objects, including singletons.
    merge_distance : The links in error as a count.

    Notes
    -----
    2 (N - nnz) / (2N - R - C), for nnz occupied cells, R reference and C predicted clusters. It is
    linear in nnz.

    Its mean and deviation under permutation are exact: see :func:`chance_adjusted_score` and
    :func:`permutation_test`.

    References
    ----------
    .. [1] M. Vilain, J. Burger, J. Aberdeen, D. Connolly, L. Hirschman, "A model-theoretic
       coreference scoring scheme", MUC-6, 1995

    Examples
    --------
    >>> from sklearn_clustcompare import muc_f_score
    >>> key = [1, 1, 1, 1, 1, 2, 2, 3, 3, 3, 3, 3]
    >>> response = [1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2]
    >>> round(muc_f_score(key, response), 3)
    0.947
    """
    return evaluate("muc_f_score", labels_true, labels_pred, sample_weight)


def split_count(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Number of splits that lead from the reference to the common refinement.

    The number of cuts that the candidate makes through reference clusters. Together with
    :func:`merge_count` it counts the steps that correct the candidate: merge what was split, split
    what was merged.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,), or ContingencyTable
        :term:`Labels` of the :term:`reference`; or a :term:`contingency table` of both partitions,
        without ``labels_pred``.
    labels_pred : array-like of shape (n_samples,), default=None
        Labels of the :term:`candidate`.
    sample_weight : array-like of shape (n_samples,), default=None
        :term:`Frequency weights <sample_weight>`; None means 1 for every object.

    Returns
    -------
    float
        Whole number, 0.0 if every reference cluster lies within a predicted cluster. Lower is
        better.

    Raises
    ------
    ValueError
        If lengths differ, or labels or weights are invalid; if weights are not
        whole numbers.
    TypeError
        If labels are not hashable.

    See Also
    --------
    merge_count : The other direction.
    merge_distance : Both together.
    muc_recall_score : As a share of the links of the reference.
    common_refinement : The partition into the cells of both.

    Notes
    -----
    nnz - R, for nnz occupied cells and R reference clusters.

    Its mean and deviation under permutation are exact: see :func:`chance_adjusted_score` and
    :func:`permutation_test`.

    References
    ----------
    .. [1] D. Menestrina, S. E. Whang, H. Garcia-Molina, "Evaluating entity resolution results",
       Proceedings of the VLDB Endowment 3(1), 2010

    Examples
    --------
    >>> from sklearn_clustcompare import split_count
    >>> truth = ["c1", "c1", "c1", "c2", "c2", "c3", "c3", "c4"]
    >>> split_count(truth, [1, 1, 2, 3, 2, 4, 4, 4])
    2.0
    """
    return evaluate("split_count", labels_true, labels_pred, sample_weight)


def merge_count(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Number of merges that lead from the common refinement to the candidate.

    How often the candidate joins parts of different reference clusters.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,), or ContingencyTable
        :term:`Labels` of the :term:`reference`; or a :term:`contingency table` of both partitions,
        without ``labels_pred``.
    labels_pred : array-like of shape (n_samples,), default=None
        Labels of the :term:`candidate`.
    sample_weight : array-like of shape (n_samples,), default=None
        :term:`Frequency weights <sample_weight>`; None means 1 for every object.

    Returns
    -------
    float
        Whole number, 0.0 if every predicted cluster lies within a reference cluster. Lower is
        better.

    Raises
    ------
    ValueError
        If lengths differ, or labels or weights are invalid; if weights are not
        whole numbers.
    TypeError
        If labels are not hashable.

    See Also
    --------
    split_count : The other direction.
    merge_distance : Both together.
    muc_precision_score : As a share of the predicted links.

    Notes
    -----
    nnz - C, for nnz occupied cells and C predicted clusters.

    Its mean and deviation under permutation are exact: see :func:`chance_adjusted_score` and
    :func:`permutation_test`.

    References
    ----------
    .. [1] D. Menestrina, S. E. Whang, H. Garcia-Molina, "Evaluating entity resolution results",
       Proceedings of the VLDB Endowment 3(1), 2010

    Examples
    --------
    >>> from sklearn_clustcompare import merge_count
    >>> truth = ["c1", "c1", "c1", "c2", "c2", "c3", "c3", "c4"]
    >>> merge_count(truth, [1, 1, 2, 3, 2, 4, 4, 4])
    2.0
    """
    return evaluate("merge_count", labels_true, labels_pred, sample_weight)


def merge_distance(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Number of splits and merges between two partitions, splits first.

    The merge distance with unit costs: split the clusters of one partition into those of the common
    refinement, then merge these into the clusters of the other.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,), or ContingencyTable
        :term:`Labels` of the :term:`reference`; or a :term:`contingency table` of both partitions,
        without ``labels_pred``.
    labels_pred : array-like of shape (n_samples,), default=None
        Labels of the :term:`candidate`.
    sample_weight : array-like of shape (n_samples,), default=None
        :term:`Frequency weights <sample_weight>`; None means 1 for every object.

    Returns
    -------
    float
        Whole number, 0.0 for equal partitions only. Lower is better.

    Raises
    ------
    ValueError
        If lengths differ, or labels or weights are invalid; if weights are not
        whole numbers.
    TypeError
        If labels are not hashable.

    See Also
    --------
    split_count : Splits alone.
    merge_count : Merges alone.
    variation_of_information_distance : Splits and merges weighed by their information.
    van_dongen_distance : Counts the objects that have to move.

    Notes
    -----
    2 nnz - R - C, for nnz occupied cells. It is not a metric: merging everything first and
    splitting afterwards can take fewer steps, as between two crossing partitions into halves.

    Its mean and deviation under permutation are exact: see :func:`chance_adjusted_score` and
    :func:`permutation_test`.

    References
    ----------
    .. [1] D. Menestrina, S. E. Whang, H. Garcia-Molina, "Evaluating entity resolution results",
       Proceedings of the VLDB Endowment 3(1), 2010

    Examples
    --------
    >>> from sklearn_clustcompare import merge_distance
    >>> merge_distance([0, 0, 1, 1], [0, 1, 0, 1])
    4.0
    >>> merge_distance([0, 0, 1, 1], [0, 0, 0, 0]) + merge_distance([0, 0, 0, 0], [0, 1, 0, 1])
    2.0
    """
    return evaluate("merge_distance", labels_true, labels_pred, sample_weight)
