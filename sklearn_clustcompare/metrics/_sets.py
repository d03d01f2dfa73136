"""Indices that match clusters of one partition with clusters of the other."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from sklearn_clustcompare._partition import Reading
from sklearn_clustcompare._partition.arrays import PartitionLike, TableLike
from sklearn_clustcompare._partition.reading import in_columns
from sklearn_clustcompare._table import count
from sklearn_clustcompare.metrics._evaluate import evaluate
from sklearn_clustcompare.metrics._matching import check_matching, matched_cells


def purity_score(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    possibilistic: bool = False,
) -> float:
    """Purity: share of the objects in the majority class of their cluster.

    The accuracy reached if every predicted cluster is named after its most frequent reference
    label. Splitting never lowers it and singletons score 1, so compare only candidates with similar
    numbers of clusters, or read it together with :func:`inverse_purity_score`.

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
        In [0, 1], above 0 for any objects; 1.0 if every predicted cluster lies within a reference
        cluster. Higher is better.

    Raises
    ------
    ValueError
        If lengths differ, or labels, memberships or weights are invalid.
    TypeError
        If labels are not hashable.

    See Also
    --------
    inverse_purity_score : The other direction.
    meila_heckerman_score : The same value, from another paper.
    matching_accuracy_score : With one-to-one matching.

    Notes
    -----
    (1/N) sum_j max_i n_ij. No objects: 1.0.

    References
    ----------
    .. [1] Y. Zhao, G. Karypis, "Criterion functions for document clustering", University of
       Minnesota, Technical Report 01-40, 2001
    .. [2] G. K. Orman, "Clustering Evaluation", lecture, Galatasaray University, purity measure

    Examples
    --------
    >>> from sklearn_clustcompare import purity_score
    >>> round(purity_score(list("aaabbb"), [1, 1, 2, 2, 3, 3]), 3)
    0.833
    """
    return evaluate("purity_score", labels_true, labels_pred, sample_weight, possibilistic)


def inverse_purity_score(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    possibilistic: bool = False,
) -> float:
    """Inverse purity: share of the objects in the main cluster of their class.

    Purity with the partitions swapped: splitting reference clusters lowers it, merging them does
    not. A single cluster scores 1.

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
        In [0, 1], above 0 for any objects; 1.0 if every reference cluster lies within a predicted
        cluster. Higher is better.

    Raises
    ------
    ValueError
        If lengths differ, or labels, memberships or weights are invalid.
    TypeError
        If labels are not hashable.

    See Also
    --------
    purity_score : The other direction.
    f_measure_score : A compromise between the two.

    Notes
    -----
    (1/N) sum_i max_j n_ij. No objects: 1.0.

    References
    ----------
    .. [1] E. Amigo, J. Gonzalo, J. Artiles, F. Verdejo, "A comparison of extrinsic clustering
       evaluation metrics based on formal constraints", Information Retrieval 12, 2009,
       :doi:`10.1007/s10791-008-9066-8`

    Examples
    --------
    >>> from sklearn_clustcompare import inverse_purity_score
    >>> round(inverse_purity_score(list("aaabbb"), [1, 1, 2, 2, 3, 3]), 3)
    0.667
    """
    return evaluate("inverse_purity_score", labels_true, labels_pred, sample_weight, possibilistic)


def f_measure_score(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    beta: float = 1.0,
    possibilistic: bool = False,
) -> float:
    """F-measure: best F-score of each reference cluster, weighted by its size.

    Each reference cluster is compared with the predicted cluster that matches it best. One
    predicted cluster may be the best match of several reference clusters, and predicted clusters
    that are the best match of none do not matter. Not symmetric.

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
        In [0, 1], above 0 for any objects; 1.0 for equal partitions. Higher is better.

    Raises
    ------
    ValueError
        If lengths differ, or labels, memberships or weights are invalid; if ``beta`` is negative or
        not finite.
    TypeError
        If labels are not hashable, or ``beta`` is not a real number.

    See Also
    --------
    pair_f_score : F-score of pairs of objects.
    v_measure_score : The counterpart in information.
    matching_accuracy_score : With one-to-one matching.

    Notes
    -----
    (1/N) sum_i a_i max_j F_ij with F_ij = (1 + beta^2) n_ij / (beta^2 a_i + b_j), from precision
    n_ij / b_j and recall n_ij / a_i; for beta = 1 that is 2 n_ij / (a_i + b_j). The formula printed
    in [2]_ has 2 a_i b_j / (a_i + b_j) instead, a slip: it would not depend on the overlap.

    No objects: 1.0.

    References
    ----------
    .. [1] B. Larsen, C. Aone, "Fast and effective text mining using linear-time document
       clustering", KDD, 1999, :doi:`10.1145/312129.312186`
    .. [2] S. Wagner, D. Wagner, "Comparing clusterings: an overview", Universität Karlsruhe,
       Technical Report 2006-04, 2007, section 4.1

    Examples
    --------
    >>> from sklearn_clustcompare import f_measure_score
    >>> round(f_measure_score(list("aaabbb"), [1, 1, 2, 2, 3, 3]), 3)
    0.8
    """
    return evaluate(
        "f_measure_score", labels_true, labels_pred, sample_weight, possibilistic, beta=beta
    )


def meila_heckerman_score(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    possibilistic: bool = False,
) -> float:
    """Meila-Heckerman measure: share of the objects that the best classes explain.

    Every predicted cluster is assigned the class with which it overlaps most, so the value equals
    :func:`purity_score`. It is provided under this name for readers of [1]_ and [2]_, and has the
    drawback of purity: many clusters score high.

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
        In [0, 1], above 0 for any objects; 1.0 if every predicted cluster lies within a reference
        cluster. Higher is better.

    Raises
    ------
    ValueError
        If lengths differ, or labels, memberships or weights are invalid.
    TypeError
        If labels are not hashable.

    See Also
    --------
    purity_score : The same value.
    maximum_match_score : A symmetric measure from the same source.

    Notes
    -----
    (1/N) sum_j max_i n_ij. No objects: 1.0.

    References
    ----------
    .. [1] M. Meila, D. Heckerman, "An experimental comparison of model-based clustering methods",
       Machine Learning 42, 2001, :doi:`10.1023/A:1007648401407`
    .. [2] S. Wagner, D. Wagner, "Comparing clusterings: an overview", Universität Karlsruhe,
       Technical Report 2006-04, 2007, section 4.2

    Examples
    --------
    >>> from sklearn_clustcompare import meila_heckerman_score
    >>> round(meila_heckerman_score(list("aaabbb"), [1, 1, 2, 2, 3, 3]), 3)
    0.833
    """
    return evaluate("meila_heckerman_score", labels_true, labels_pred, sample_weight, possibilistic)


def maximum_match_score(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    possibilistic: bool = False,
) -> float:
    """Share of the objects in clusters matched greedily, largest overlap first.

    Clusters are matched one to one, always by the largest remaining overlap.
    :func:`matching_accuracy_score` finds the best matching and is hardly slower; prefer it except
    to reproduce values from the literature.

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
        In [0, 1], above 0 for any objects; 1.0 for equal partitions. Higher is better.

    Raises
    ------
    ValueError
        If lengths differ, or labels, memberships or weights are invalid.
    TypeError
        If labels are not hashable.

    See Also
    --------
    matching_accuracy_score : The same with the optimal matching, at least as high.
    match_clusters : The matching itself.

    Notes
    -----
    The largest n_ij is taken, its row and column are crossed out, and so on until no cell is left;
    the sum of what was taken is divided by N.

    If cells tie, several matchings are greedy. The value is that of the rank-maximal matchings
    [2]_: as many of the largest cells as can be taken one to one, then as many of the next largest,
    and so on. All of these have the same sum, so the value depends neither on the names of the
    clusters nor on the order of the partitions.

    No objects: 1.0.

    References
    ----------
    .. [1] S. Wagner, D. Wagner, "Comparing clusterings: an overview", Universität Karlsruhe,
       Technical Report 2006-04, 2007, section 4.2
    .. [2] R. W. Irving, T. Kavitha, K. Mehlhorn, D. Michail, K. Paluch, "Rank-maximal matchings",
       ACM Transactions on Algorithms 2(4), 2006, :doi:`10.1145/1198513.1198520`

    Examples
    --------
    >>> from sklearn_clustcompare import maximum_match_score
    >>> round(maximum_match_score(list("aaabbb"), [1, 1, 2, 2, 3, 3]), 3)
    0.667
    """
    return evaluate("maximum_match_score", labels_true, labels_pred, sample_weight, possibilistic)


def matching_accuracy_score(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    possibilistic: bool = False,
) -> float:
    """Accuracy under the best one-to-one matching of the clusters.

    The accuracy of a classifier if each predicted cluster is assigned a different class such that
    the accuracy is highest. Clusters without a partner count as errors, so both splitting and
    merging lower the score. Not adjusted for chance.

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
        In [0, 1], above 0 for any objects; 1.0 for equal partitions only. Higher is better.

    Raises
    ------
    ValueError
        If lengths differ, or labels, memberships or weights are invalid.
    TypeError
        If labels are not hashable.

    See Also
    --------
    misclassification_distance : 1 minus this score, a metric.
    match_clusters : The matching itself.
    purity_score : Allows several predicted clusters per class.

    Notes
    -----
    (1/N) max over one-to-one matchings of the sum of the matched n_ij, solved as a linear
    assignment problem. No objects: 1.0. Clusters that nearly coincide with one cluster of the other
    side are matched directly. For the others the time grows with the square of their number in each
    connected component of the table.

    References
    ----------
    .. [1] M. Meila, "Comparing clusterings: an information based distance", Journal of Multivariate
       Analysis 98(5), 2007, :doi:`10.1016/j.jmva.2006.11.013`
    .. [2] H. W. Kuhn, "The Hungarian method for the assignment problem", Naval Research Logistics
       Quarterly 2, 1955, :doi:`10.1002/nav.3800020109`

    Examples
    --------
    >>> from sklearn_clustcompare import matching_accuracy_score
    >>> round(matching_accuracy_score(list("aaabbb"), [1, 1, 2, 2, 3, 3]), 3)
    0.667
    """
    return evaluate(
        "matching_accuracy_score", labels_true, labels_pred, sample_weight, possibilistic
    )


def misclassification_distance(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    possibilistic: bool = False,
) -> float:
    """Classification error under the best one-to-one matching of the clusters.

    The share of objects that have to be moved to turn one partition into the other: a metric that
    is easy to explain. It distinguishes similar partitions well, and very different ones poorly.

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
        In [0, 1], below 1 for any objects; 0.0 for equal partitions only. Lower is better.

    Raises
    ------
    ValueError
        If lengths differ, or labels, memberships or weights are invalid.
    TypeError
        If labels are not hashable.

    See Also
    --------
    matching_accuracy_score : 1 minus this distance.
    van_dongen_distance : A metric with matches that need not be one to one.
    variation_of_information_distance : A metric from information theory.

    Notes
    -----
    1 - (1/N) max over one-to-one matchings of the sum of the matched n_ij. No objects: 0.0.

    References
    ----------
    .. [1] M. Meila, "Comparing clusterings: an information based distance", Journal of Multivariate
       Analysis 98(5), 2007, :doi:`10.1016/j.jmva.2006.11.013`

    Examples
    --------
    >>> from sklearn_clustcompare import misclassification_distance
    >>> round(misclassification_distance(list("aaabbb"), [1, 1, 2, 2, 3, 3]), 3)
    0.333
    """
    return evaluate(
        "misclassification_distance", labels_true, labels_pred, sample_weight, possibilistic
    )


def van_dongen_distance(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    normalize: bool = False,
    possibilistic: bool = False,
) -> float:
    """Van Dongen metric: objects outside the largest overlaps, in both directions.

    A metric on the partitions of a set. If one partition refines the other, only one of its two
    halves is positive. Only the largest overlap of each cluster counts; the distribution of the
    remaining objects does not matter.

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
        Divide by 2N.
    possibilistic : bool, default=False
        Whether memberships are :term:`possibilistic`: their rows need not sum to 1.

    Returns
    -------
    float
        Number of objects, from 0.0 for equal partitions to below 2N; normalized, in [0, 1). Lower
        is better.

    Raises
    ------
    ValueError
        If lengths differ, or labels, memberships or weights are invalid.
    TypeError
        If labels are not hashable, or ``normalize`` is not a bool.

    See Also
    --------
    purity_score : One of the two halves.
    inverse_purity_score : The other half.
    misclassification_distance : A metric with one-to-one matching.

    Notes
    -----
    2N - sum_i max_j n_ij - sum_j max_i n_ij; normalized, 1 - (purity + inverse purity)/2.

    References
    ----------
    .. [1] S. van Dongen, "Performance criteria for graph clustering and Markov cluster
       experiments", CWI, Technical Report INS-R0012, 2000
    .. [2] S. Wagner, D. Wagner, "Comparing clusterings: an overview", Universität Karlsruhe,
       Technical Report 2006-04, 2007, section 4.3

    Examples
    --------
    >>> from sklearn_clustcompare import van_dongen_distance
    >>> van_dongen_distance(list("aaabbb"), [1, 1, 2, 2, 3, 3])
    3.0
    >>> van_dongen_distance(list("aaabbb"), [1, 1, 2, 2, 3, 3], normalize=True)
    0.25
    """
    return evaluate(
        "van_dongen_distance",
        labels_true,
        labels_pred,
        sample_weight,
        possibilistic,
        normalize=normalize,
    )


def normalized_clustering_accuracy_score(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    possibilistic: bool = False,
) -> float:
    """Normalized clustering accuracy: mean recall of optimally matched clusters, rescaled.

    Reference clusters of any size count equally, unlike in :func:`matching_accuracy_score`. 0 is
    the value of an uninformative candidate with as many clusters as the reference.

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
        In (-1, 1]; 1.0 for equal partitions only, at least 0 unless the candidate has more clusters
        than the reference. Higher is better.

    Raises
    ------
    ValueError
        If lengths differ, or labels, memberships or weights are invalid.
    TypeError
        If labels are not hashable.

    See Also
    --------
    normalized_pivoted_accuracy_score : Every object counts equally.
    matching_accuracy_score : Not normalized.
    pair_sets_score : Symmetric, and nearer to 0 by chance.

    Notes
    -----
    (max sum_i n_(i,s(i)) / a_i - 1) / (R - 1), over all assignments s of different candidate
    clusters to the reference clusters. If there are fewer candidate clusters, some reference
    clusters get none; if there are more, some candidate clusters are left over. For a reference of
    one cluster this is 0/0: equal partitions score 1.0, others 0.0 with an
    :class:`~sklearn.exceptions.UndefinedMetricWarning`.

    References
    ----------
    .. [1] M. Gagolewski, "Normalised clustering accuracy: an asymmetric external cluster validity
       measure", Journal of Classification 42, 2025, :doi:`10.1007/s00357-024-09482-2`

    Examples
    --------
    >>> from sklearn_clustcompare import ContingencyTable, normalized_clustering_accuracy_score
    >>> table = ContingencyTable.from_counts([[45, 5, 0], [0, 25, 5], [2, 0, 18]])
    >>> round(normalized_clustering_accuracy_score(table), 4)
    0.8167
    """
    return evaluate(
        "normalized_clustering_accuracy_score",
        labels_true,
        labels_pred,
        sample_weight,
        possibilistic,
    )


def normalized_pivoted_accuracy_score(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    possibilistic: bool = False,
) -> float:
    """Matching accuracy, rescaled so that the least value of any candidate is 0.

    The share of objects in optimally matched clusters is at least 1/k for k clusters; rescaling
    makes it comparable between numbers of clusters. Large clusters weigh most, and values for
    random candidates depend on the sizes of the clusters.

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
        In [0, 1]; 1.0 for equal partitions only. Higher is better.

    Raises
    ------
    ValueError
        If lengths differ, or labels, memberships or weights are invalid.
    TypeError
        If labels are not hashable.

    See Also
    --------
    matching_accuracy_score : Not rescaled.
    normalized_clustering_accuracy_score : Every reference cluster counts equally.
    chance_adjusted_score : Adjusts for the sizes as well.

    Notes
    -----
    (k A - 1) / (k - 1), with A the matching accuracy and k = max(R, C).

    References
    ----------
    .. [1] M. Gagolewski, "Normalised clustering accuracy: an asymmetric external cluster validity
       measure", Journal of Classification 42, 2025, :doi:`10.1007/s00357-024-09482-2`

    Examples
    --------
    >>> from sklearn_clustcompare import ContingencyTable, normalized_pivoted_accuracy_score
    >>> table = ContingencyTable.from_counts([[45, 5, 0], [0, 25, 5], [2, 0, 18]])
    >>> round(normalized_pivoted_accuracy_score(table), 4)
    0.82
    """
    return evaluate(
        "normalized_pivoted_accuracy_score", labels_true, labels_pred, sample_weight, possibilistic
    )


def pair_sets_score(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    simplified: bool = False,
    possibilistic: bool = False,
) -> float:
    """Pair sets index: similarity of optimally matched clusters, above chance.

    Clusters of any size count equally. The expected value for random partitions is subtracted, by a
    simple approximation: the largest cluster meets the largest, and so on.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,) or (n_samples, n_clusters), or ContingencyTable
        :term:`Labels` or :term:`memberships` of the :term:`reference`; or a
        :term:`contingency table` of both partitions, without ``labels_pred``.
    labels_pred : array-like of shape (n_samples,) or (n_samples, n_clusters), default=None
        Labels or memberships of the :term:`candidate`.
    sample_weight : array-like of shape (n_samples,), default=None
        :term:`Frequency weights <sample_weight>`; None means 1 for every object.
    simplified : bool, default=False
        Whether to subtract 1 for chance instead of E; see Notes.
    possibilistic : bool, default=False
        Whether memberships are :term:`possibilistic`: their rows need not sum to 1.

    Returns
    -------
    float
        In [0, 1]; 1.0 for equal partitions only, close to 0.0 for random ones. Higher is better.

    Raises
    ------
    ValueError
        If lengths differ, or labels, memberships or weights are invalid.
    TypeError
        If labels are not hashable, or ``simplified`` is not a bool.

    See Also
    --------
    normalized_clustering_accuracy_score : Recall of the reference clusters only.
    ceaf_f_score : Matched clusters, not adjusted for chance.
    adjusted_rand_score : Based on pairs; exactly 0 by chance.

    Notes
    -----
    max(0, (S - E) / (max(R, C) - E)), where S is the largest sum of n_ij / max(a_i, b_j) over
    clusters that are matched one to one, and E = sum_k min(a_(k), b_(k)) / N, sizes in descending
    order. With ``simplified=True``, 1 - score is a metric.

    References
    ----------
    .. [1] M. Rezaei, P. Fränti, "Set matching measures for external cluster validity", IEEE
       Transactions on Knowledge and Data Engineering 28(8), 2016, :doi:`10.1109/TKDE.2016.2551240`

    Examples
    --------
    >>> from sklearn_clustcompare import ContingencyTable, pair_sets_score
    >>> table = ContingencyTable.from_counts([[45, 5, 0], [0, 25, 5], [2, 0, 18]])
    >>> round(pair_sets_score(table), 4)
    0.7615
    >>> round(pair_sets_score(table, simplified=True), 4)
    0.758
    """
    return evaluate(
        "pair_sets_score",
        labels_true,
        labels_pred,
        sample_weight,
        possibilistic,
        simplified=simplified,
    )


def match_clusters(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    data: TableLike = None,
    method: str = "optimal",
    sample_weight: ArrayLike | None = None,
    possibilistic: bool = False,
    noise: str = "cluster",
    noise_label: Any = -1,
    missing: str = "error",
) -> dict[Any, Any]:
    """Match the clusters of the reference with those of the candidate.

    Use it to see which clusters correspond; :func:`relabel` renames the clusters of the candidate.
    Every predicted cluster is used at most once, except with ``method="majority"``.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,) or (n_samples, n_clusters), or ContingencyTable
        :term:`Labels` or :term:`memberships` of the :term:`reference`; or a
        :term:`contingency table` of both partitions, without ``labels_pred``.
    labels_pred : array-like of shape (n_samples,) or (n_samples, n_clusters), default=None
        Labels or memberships of the :term:`candidate`.
    data : DataFrame, mapping or object with ``obs``, default=None
        Table of which the other arguments name columns instead of being arrays: a frame of any
        package, a mapping such as a dict of arrays, or an object with such a table as ``obs``.
    method : {"optimal", "greedy", "majority"}, default="optimal"
        "optimal" finds the one-to-one matching with the most objects in matched pairs; "greedy"
        matches the pair of clusters with the largest share n_ij / a_i of the reference cluster
        first, crosses both out, and repeats; "majority" matches each reference cluster with the
        predicted cluster that has most of its objects, which several may share.
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
    dict
        Maps each reference label to a predicted label, or to None for unmatched clusters, in the
        order of the sorted reference labels. Labels are Python values.

    Raises
    ------
    ValueError
        If lengths differ, or labels, memberships or weights are invalid; if ``method`` is not one
        of its options.
    TypeError
        If labels are not hashable.

    See Also
    --------
    relabel : Names the clusters of the candidate by their match.
    matching_accuracy_score : Share of the objects in optimally matched clusters.
    maximum_match_score : Share of them for greedy matching by number of objects.

    Notes
    -----
    Clusters that share no object are never matched. Greedy and majority matching break ties by the
    first cell in row-major order of the sorted labels, so the result does not depend on the order
    of the objects. The shares of greedy matching favor small reference clusters: a single object
    always has the share 1, and may take the partner of a large cluster.

    References
    ----------
    .. [1] G. K. Orman, "Clustering Evaluation", lecture, Galatasaray University, algorithm 21.4
    .. [2] H. W. Kuhn, "The Hungarian method for the assignment problem", Naval Research Logistics
       Quarterly 2, 1955, :doi:`10.1002/nav.3800020109`

    Examples
    --------
    >>> from sklearn_clustcompare import match_clusters
    >>> y, labels = ["cat", "cat", "cat", "dog", "dog", "cow"], [2, 2, 1, 1, 1, 1]
    >>> match_clusters(y, labels)
    {'cat': 2, 'cow': None, 'dog': 1}
    >>> match_clusters(y, labels, method="greedy")
    {'cat': 2, 'cow': 1, 'dog': None}
    >>> match_clusters(y, labels, method="majority")
    {'cat': 2, 'cow': 1, 'dog': 1}
    """
    labels_true, labels_pred, sample_weight = in_columns(
        data, labels_true=labels_true, labels_pred=labels_pred, sample_weight=sample_weight
    )
    check_matching("method", method)
    table = count(
        labels_true, labels_pred, sample_weight, Reading(possibilistic, noise, noise_label, missing)
    )
    matched = matched_cells(table, method)
    partners = dict.fromkeys(table.row_labels.tolist())
    partners.update(
        zip(
            table.row_labels[table.cell_rows[matched]].tolist(),
            table.col_labels[table.cell_cols[matched]].tolist(),
            strict=True,
        )
    )
    return partners
