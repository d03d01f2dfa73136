"""Indices of covers, whose clusters may overlap; they accept partitions as well."""

from __future__ import annotations

from numpy.typing import ArrayLike

from sklearn_clustcompare._partition.arrays import PartitionLike
from sklearn_clustcompare.metrics._evaluate import evaluate


def omega_score(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    possibilistic: bool = False,
) -> float:
    """Omega index: the adjusted Rand index of covers.

    Two covers agree on a pair of objects if the pair shares the same number of clusters in both.
    The share of such pairs is adjusted for chance. For partitions it equals
    :func:`adjusted_rand_score`.

    Parameters
    ----------
    labels_true : array-like, Cover or ContingencyTable
        :term:`Cover`, :term:`labels` or :term:`memberships` of the :term:`reference`; or a
        :term:`contingency table` of both partitions, without ``labels_pred``.
    labels_pred : array-like or Cover, default=None
        Cover, labels or memberships of the :term:`candidate`.
    sample_weight : array-like of shape (n_samples,), default=None
        :term:`Frequency weights <sample_weight>`; None means 1 for every object.
    possibilistic : bool, default=False
        Whether memberships are :term:`possibilistic`: their rows need not sum to 1.

    Returns
    -------
    float
        At most 1.0, which equal covers have; 0.0 is expected by chance. Higher is better.

    Raises
    ------
    ValueError
        If lengths or names of objects differ, or labels, memberships or weights are
        invalid; or if weights are too small to count pairs.
    TypeError
        If labels are not hashable, or memberships of soft clusters are compared with a cover.

    See Also
    --------
    adjusted_rand_score : The same for partitions.
    average_f_score : Compares clusters instead of pairs.
    Cover : Clusters that may overlap.

    Notes
    -----
    (obs - exp) / (1 - exp): obs is the share of the pairs that share t clusters in both covers, for
    whatever t; exp = sum_t P1(t) P2(t), from the shares of the pairs that share t clusters in
    each. Objects in no cluster share none with any other.

    Objects in the same clusters on both sides are counted together, and only pairs that share a
    cluster are visited.

    References
    ----------
    .. [1] L. M. Collins, C. W. Dent, "Omega: a general formulation of the Rand index of cluster
       recovery suitable for non-disjoint solutions", Multivariate Behavioral Research 23(2), 1988,
       :doi:`10.1207/s15327906mbr2302_6`

    Examples
    --------
    >>> from sklearn_clustcompare import Cover, omega_score
    >>> cover = Cover.from_sets([{0, 1, 2}, {2, 3}, {4, 5}])
    >>> omega_score(cover, Cover.from_sets([{0, 1, 2}, {2, 3, 5}, {0, 4, 5}]))
    0.5
    >>> round(omega_score(cover, [0, 0, 0, 1, 1, 1]), 3)
    0.571
    """
    return evaluate("omega_score", labels_true, labels_pred, sample_weight, possibilistic)


def overlapping_normalized_mutual_info_score(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    variant: str = "mgh",
    possibilistic: bool = False,
) -> float:
    """Overlapping normalized mutual information (ONMI) of two covers.

    Each cluster is a binary variable over the objects. It is paired with the cluster of the other
    cover that explains it best, and the information that remains unexplained lowers the score. For
    partitions it differs from :func:`normalized_mutual_info_score`, which takes all clusters
    together.

    Parameters
    ----------
    labels_true : array-like, Cover or ContingencyTable
        :term:`Cover`, :term:`labels` or :term:`memberships` of the :term:`reference`; or a
        :term:`contingency table` of both partitions, without ``labels_pred``.
    labels_pred : array-like or Cover, default=None
        Cover, labels or memberships of the :term:`candidate`.
    sample_weight : array-like of shape (n_samples,), default=None
        :term:`Frequency weights <sample_weight>`; None means 1 for every object.
    variant : {"mgh", "lfk"}, default="mgh"
        How it is normalized: all clusters together, by the larger one of the two entropies [1]_,
        or each cluster by itself [2]_, which overrates covers that have little in common.
    possibilistic : bool, default=False
        Whether memberships are :term:`possibilistic`: their rows need not sum to 1.

    Returns
    -------
    float
        In [0, 1]; 1.0 for equal covers. Higher is better.

    Raises
    ------
    ValueError
        If lengths or names of objects differ, or labels, memberships or weights are
        invalid; or if ``variant`` is unknown.
    TypeError
        If labels are not hashable, or memberships of soft clusters are compared with a cover.

    See Also
    --------
    normalized_mutual_info_score : Of partitions.
    omega_score : Adjusted for chance.
    Cover : Clusters that may overlap.

    Notes
    -----
    With h(n) = -(n/N) log(n/N), clusters X_i and Y_j of a and b objects that share n, and m objects
    in neither, have H(X_i) = h(a) + h(N - a) and H(X_i | Y_j) = h(n) + h(a - n) + h(b - n) + h(m) -
    H(Y_j), which counts only if h(n) + h(m) >= h(a - n) + h(b - n): otherwise Y_j would be
    informative about X_i as its complement. H(X_i | Y) is the least of these over j, and at most
    H(X_i). H(X | Y) is their sum over i, and H(X) that of H(X_i). Then

    - "mgh": (H(X) - H(X | Y) + H(Y) - H(Y | X)) / (2 max(H(X), H(Y)));
    - "lfk": 1 minus the mean, over the clusters of each side and then over the sides, of
      H(X_i | Y) / H(X_i). It is 0 for a cluster of all objects, which has no entropy: one cluster
      scores 0.5 against other partitions.

    Some programs use another condition or skip clusters that share no object; the definition does
    neither.

    If no cluster of either side has any entropy, or a side has no clusters, equal covers score 1.0,
    others 0.0 with an :class:`~sklearn.exceptions.UndefinedMetricWarning`.

    References
    ----------
    .. [1] A. F. McDaid, D. Greene, N. Hurley, "Normalized mutual information to evaluate
       overlapping community finding algorithms", 2011, arXiv 1110.2515
    .. [2] A. Lancichinetti, S. Fortunato, J. Kertesz, "Detecting the overlapping and hierarchical
       community structure in complex networks", New Journal of Physics 11, 2009,
       :doi:`10.1088/1367-2630/11/3/033015`

    Examples
    --------
    >>> from sklearn_clustcompare import Cover, overlapping_normalized_mutual_info_score
    >>> cover = Cover.from_sets([{0, 1, 2}, {2, 3}, {4, 5}])
    >>> other = Cover.from_sets([{0, 1, 2}, {2, 3, 5}, {0, 4, 5}])
    >>> round(overlapping_normalized_mutual_info_score(cover, other), 6)
    0.639432
    >>> round(overlapping_normalized_mutual_info_score(cover, other, variant="lfk"), 6)
    0.653049
    """
    return evaluate(
        "overlapping_normalized_mutual_info_score",
        labels_true,
        labels_pred,
        sample_weight,
        possibilistic,
        variant=variant,
    )


def average_f_score(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    possibilistic: bool = False,
) -> float:
    """Average F1 of the clusters of two covers, each with the one that fits it best.

    Every cluster weighs the same, whatever its size. The best match of a cluster does not depend on
    the other clusters: one cluster may be the best match of several.

    Parameters
    ----------
    labels_true : array-like, Cover or ContingencyTable
        :term:`Cover`, :term:`labels` or :term:`memberships` of the :term:`reference`; or a
        :term:`contingency table` of both partitions, without ``labels_pred``.
    labels_pred : array-like or Cover, default=None
        Cover, labels or memberships of the :term:`candidate`.
    sample_weight : array-like of shape (n_samples,), default=None
        :term:`Frequency weights <sample_weight>`; None means 1 for every object.
    possibilistic : bool, default=False
        Whether memberships are :term:`possibilistic`: their rows need not sum to 1.

    Returns
    -------
    float
        In [0, 1]; 1.0 for equal covers. Higher is better.

    Raises
    ------
    ValueError
        If lengths or names of objects differ, or labels, memberships or weights are
        invalid.
    TypeError
        If labels are not hashable, or memberships of soft clusters are compared with a cover.

    See Also
    --------
    f_measure_score : One direction, and clusters weighted by their sizes.
    omega_score : Adjusted for chance.
    Cover : Clusters that may overlap.

    Notes
    -----
    (mean_i max_j F_ij + mean_j max_i F_ij) / 2 with F_ij = 2 n_ij / (a_i + b_j).

    If a side has no clusters, equal covers score 1.0, others 0.0 with an
    :class:`~sklearn.exceptions.UndefinedMetricWarning`.

    References
    ----------
    .. [1] J. Yang, J. Leskovec, "Overlapping community detection at scale: a nonnegative matrix
       factorization approach", WSDM, 2013, :doi:`10.1145/2433396.2433471`

    Examples
    --------
    >>> from sklearn_clustcompare import Cover, average_f_score
    >>> cover = Cover.from_sets([{0, 1, 2}, {2, 3}, {4, 5}])
    >>> round(average_f_score(cover, Cover.from_sets([{0, 1, 2}, {2, 3, 5}, {0, 4, 5}])), 3)
    0.867
    """
    return evaluate("average_f_score", labels_true, labels_pred, sample_weight, possibilistic)
