"""Indices of entities, segments and tracks: matched clusters, clusters found, and links."""

from __future__ import annotations

from numpy.typing import ArrayLike

from sklearn_clustcompare._partition.arrays import PartitionLike
from sklearn_clustcompare.metrics._evaluate import evaluate


def ceaf_precision_score(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    similarity: str = "overlap",
    possibilistic: bool = False,
) -> float:
    """CEAF precision: similarity of optimally matched clusters, by the candidate's size.

    Clusters of both sides are matched one to one so that the similarities of matched clusters have
    the largest sum, which is divided by what a candidate equal to the reference would reach.
    Clusters without a partner contribute nothing, however pure they are.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,) or (n_samples, n_clusters), or ContingencyTable
        :term:`Labels` or :term:`memberships` of the :term:`reference`; or a
        :term:`contingency table` of both partitions, without ``labels_pred``.
    labels_pred : array-like of shape (n_samples,) or (n_samples, n_clusters), default=None
        Labels or memberships of the :term:`candidate`.
    sample_weight : array-like of shape (n_samples,), default=None
        :term:`Frequency weights <sample_weight>`; None means 1 for every object.
    similarity : {"overlap", "dice"}, default="overlap"
        Similarity of two clusters: "overlap" is the number of common objects, n_ij, and "dice" the
        share 2 n_ij / (a_i + b_j).
    possibilistic : bool, default=False
        Whether memberships are :term:`possibilistic`: their rows need not sum to 1.

    Returns
    -------
    float
        In [0, 1], above 0 for any objects; 1.0 for equal partitions only. Higher is better.

    Raises
    ------
    ValueError
        If lengths differ, or labels, memberships or weights are invalid; if ``similarity`` is not
        one of its options.
    TypeError
        If labels are not hashable.

    See Also
    --------
    ceaf_recall_score : Divided by the size of the reference.
    ceaf_f_score : Both in one number.
    lea_precision_score : Counts the links that are kept, without a matching.

    Notes
    -----
    Phi / N with "overlap" (of mentions, CEAFm), where precision, recall and
    :func:`matching_accuracy_score` are the same, as both sides hold the same objects; Phi / C with
    "dice" (of entities, CEAFe), with C the number of candidate clusters. Phi is the largest sum of
    similarities.

    References
    ----------
    .. [1] X. Luo, "On coreference resolution performance metrics", Conference on Human Language
       Technology and Empirical Methods in Natural Language Processing, 2005

    Examples
    --------
    >>> from sklearn_clustcompare import ceaf_precision_score
    >>> y, labels = list("aaabbccd"), [1, 1, 2, 3, 2, 4, 4, 4]
    >>> round(ceaf_precision_score(y, labels, similarity="dice"), 3)
    0.567
    """
    return evaluate(
        "ceaf_precision_score",
        labels_true,
        labels_pred,
        sample_weight,
        possibilistic,
        similarity=similarity,
    )


def ceaf_recall_score(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    similarity: str = "overlap",
    possibilistic: bool = False,
) -> float:
    """CEAF recall: similarity of optimally matched clusters, by the reference's size.

    Clusters of both sides are matched one to one so that the similarities of matched clusters have
    the largest sum, which is divided by what the reference would reach with itself. Splitting a
    reference cluster loses all but one of its parts.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,) or (n_samples, n_clusters), or ContingencyTable
        :term:`Labels` or :term:`memberships` of the :term:`reference`; or a
        :term:`contingency table` of both partitions, without ``labels_pred``.
    labels_pred : array-like of shape (n_samples,) or (n_samples, n_clusters), default=None
        Labels or memberships of the :term:`candidate`.
    sample_weight : array-like of shape (n_samples,), default=None
        :term:`Frequency weights <sample_weight>`; None means 1 for every object.
    similarity : {"overlap", "dice"}, default="overlap"
        Similarity of two clusters: "overlap" is the number of common objects, n_ij, and "dice" the
        share 2 n_ij / (a_i + b_j).
    possibilistic : bool, default=False
        Whether memberships are :term:`possibilistic`: their rows need not sum to 1.

    Returns
    -------
    float
        In [0, 1], above 0 for any objects; 1.0 for equal partitions only. Higher is better.

    Raises
    ------
    ValueError
        If lengths differ, or labels, memberships or weights are invalid; if ``similarity`` is not
        one of its options.
    TypeError
        If labels are not hashable.

    See Also
    --------
    ceaf_precision_score : Divided by the size of the candidate.
    ceaf_f_score : Both in one number.
    match_clusters : Which cluster is matched with which, by overlap.

    Notes
    -----
    Phi / N with "overlap" (CEAFm), where it is :func:`matching_accuracy_score`; Phi / R with "dice"
    (CEAFe), with R the number of reference clusters. Phi is the largest sum of similarities of
    clusters that are matched one to one.

    References
    ----------
    .. [1] X. Luo, "On coreference resolution performance metrics", Conference on Human Language
       Technology and Empirical Methods in Natural Language Processing, 2005

    Examples
    --------
    >>> from sklearn_clustcompare import ceaf_recall_score
    >>> y, labels = list("aaabbccd"), [1, 1, 2, 3, 2, 4, 4, 4]
    >>> round(ceaf_recall_score(y, labels, similarity="dice"), 3)
    0.567
    """
    return evaluate(
        "ceaf_recall_score",
        labels_true,
        labels_pred,
        sample_weight,
        possibilistic,
        similarity=similarity,
    )


def ceaf_f_score(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    similarity: str = "overlap",
    possibilistic: bool = False,
) -> float:
    """CEAF: F-measure of optimally matched clusters.

    One of the scores of coreference resolution. With "overlap" every object counts equally, with
    "dice" every cluster, however small: many singletons then dominate the score. Not adjusted for
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
    similarity : {"overlap", "dice"}, default="overlap"
        Similarity of two clusters: "overlap" is the number of common objects, n_ij, and "dice" the
        share 2 n_ij / (a_i + b_j).
    possibilistic : bool, default=False
        Whether memberships are :term:`possibilistic`: their rows need not sum to 1.

    Returns
    -------
    float
        In [0, 1], above 0 for any objects; 1.0 for equal partitions only. Higher is better.

    Raises
    ------
    ValueError
        If lengths differ, or labels, memberships or weights are invalid; if ``similarity`` is not
        one of its options.
    TypeError
        If labels are not hashable.

    See Also
    --------
    ceaf_precision_score : One of its two parts.
    ceaf_recall_score : The other part.
    matching_accuracy_score : The same as with "overlap".
    lea_f_score : Links instead of matched clusters.

    Notes
    -----
    Harmonic mean of precision and recall: Phi / N with "overlap" (CEAFm), 2 Phi / (R + C) with
    "dice" (CEAFe), where Phi is the largest sum of similarities of clusters that are matched one to
    one. Scorers of coreference print it in percent. Both sides must hold the same objects; scorers
    have several rules for mentions of one side only [2]_.

    Only occupied cells are kept, and solved in connected components: many small clusters need no
    matrix of all pairs of clusters.

    References
    ----------
    .. [1] X. Luo, "On coreference resolution performance metrics", Conference on Human Language
       Technology and Empirical Methods in Natural Language Processing, 2005
    .. [2] J. Cai, M. Strube, "Evaluation metrics for end-to-end coreference resolution systems",
       Annual Meeting of the Special Interest Group on Discourse and Dialogue, 2010

    Examples
    --------
    >>> from sklearn_clustcompare import ceaf_f_score
    >>> y, labels = list("aaabbccd"), [1, 1, 2, 3, 2, 4, 4, 4]
    >>> round(ceaf_f_score(y, labels, similarity="dice"), 3)
    0.567
    """
    return evaluate(
        "ceaf_f_score",
        labels_true,
        labels_pred,
        sample_weight,
        possibilistic,
        similarity=similarity,
    )


def lea_precision_score(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
) -> float:
    """LEA precision: links of each candidate cluster that the reference keeps, by size.

    Every candidate cluster is weighted by its size, and scores the share of its pairs of objects
    that are together in the reference. Merging clusters lowers it.

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
        In [0, 1]; 1.0 if every candidate cluster lies within a reference cluster and none of them
        is an object taken out of a larger one. Higher is better.

    Raises
    ------
    ValueError
        If lengths differ, or labels or weights are invalid; if weights are not whole numbers.
    TypeError
        If labels are not hashable.

    See Also
    --------
    lea_recall_score : The other direction.
    lea_f_score : Both in one number.
    pair_precision_score : Pools all pairs, so that large clusters weigh more.

    Notes
    -----
    (1/N) sum_j b_j sum_i n_ij (n_ij - 1) / (b_j (b_j - 1)). An object alone in its cluster has one
    link, to itself, which is kept if it is alone on the other side as well. To compare with a
    scorer that drops singletons, leave such objects out on both sides first.

    For given cluster sizes it is linear in a sum over the cells, whose mean under permutation is
    exact. No objects: 1.0.

    References
    ----------
    .. [1] N. S. Moosavi, M. Strube, "Which coreference evaluation metric do you trust? A proposal
       for a link-based entity aware metric", Annual Meeting of the Association for Computational
       Linguistics, 2016, :doi:`10.18653/v1/P16-1060`

    Examples
    --------
    >>> from sklearn_clustcompare import lea_precision_score
    >>> y, labels = list("aaabbccd"), [1, 1, 2, 3, 2, 4, 4, 4]
    >>> round(lea_precision_score(y, labels), 3)
    0.375
    """
    return evaluate("lea_precision_score", labels_true, labels_pred, sample_weight)


def lea_recall_score(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
) -> float:
    """LEA recall: links of each reference cluster that the candidate keeps, by size.

    Every reference cluster is weighted by its size, and scores the share of its pairs of objects
    that the candidate keeps together. Splitting clusters lowers it.

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
        In [0, 1]; 1.0 if every reference cluster lies within a candidate cluster and singletons are
        found. Higher is better.

    Raises
    ------
    ValueError
        If lengths differ, or labels or weights are invalid; if weights are not whole numbers.
    TypeError
        If labels are not hashable.

    See Also
    --------
    lea_precision_score : The other direction.
    lea_f_score : Both in one number.
    pair_recall_score : Pools all pairs, so that large clusters weigh more.

    Notes
    -----
    (1/N) sum_i a_i sum_j n_ij (n_ij - 1) / (a_i (a_i - 1)). An object alone in its cluster has one
    link, to itself, which is kept if it is alone on the other side as well. To compare with a
    scorer that drops singletons, leave such objects out on both sides first.

    For given cluster sizes it is linear in a sum over the cells, whose mean under permutation is
    exact. No objects: 1.0.

    References
    ----------
    .. [1] N. S. Moosavi, M. Strube, "Which coreference evaluation metric do you trust? A proposal
       for a link-based entity aware metric", Annual Meeting of the Association for Computational
       Linguistics, 2016, :doi:`10.18653/v1/P16-1060`

    Examples
    --------
    >>> from sklearn_clustcompare import lea_recall_score
    >>> y, labels = list("aaabbccd"), [1, 1, 2, 3, 2, 4, 4, 4]
    >>> round(lea_recall_score(y, labels), 3)
    0.375
    """
    return evaluate("lea_recall_score", labels_true, labels_pred, sample_weight)


def lea_f_score(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
) -> float:
    """LEA: F-measure of the links that each cluster keeps, weighted by its size.

    A score of coreference resolution that considers clusters and their links: unlike CEAF it
    ignores no part of a cluster, and unlike indices of pairs it weights a cluster by its size only.
    Not adjusted for chance.

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
        In [0, 1]; 1.0 for equal partitions only, 0.0 if no link is kept. Higher is better.

    Raises
    ------
    ValueError
        If lengths differ, or labels or weights are invalid; if weights are not whole numbers.
    TypeError
        If labels are not hashable.

    See Also
    --------
    lea_precision_score : One of its two parts.
    lea_recall_score : The other part.
    pair_f_score : Clusters weigh by their pairs.
    ceaf_f_score : Matched clusters.

    Notes
    -----
    Harmonic mean of :func:`lea_precision_score` and :func:`lea_recall_score`; 0.0 if one of them
    is. An object alone in its cluster has one link, to itself, which is kept if it is alone on the
    other side as well. To compare with a scorer that drops singletons, leave such objects out on
    both sides first.

    References
    ----------
    .. [1] N. S. Moosavi, M. Strube, "Which coreference evaluation metric do you trust? A proposal
       for a link-based entity aware metric", Annual Meeting of the Association for Computational
       Linguistics, 2016, :doi:`10.18653/v1/P16-1060`

    Examples
    --------
    >>> from sklearn_clustcompare import lea_f_score
    >>> y, labels = list("aaabbccd"), [1, 1, 2, 3, 2, 4, 4, 4]
    >>> round(lea_f_score(y, labels), 3)
    0.375
    """
    return evaluate("lea_f_score", labels_true, labels_pred, sample_weight)


def cluster_precision_score(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    threshold: float | str = 1.0,
    background: float | str | None = None,
    possibilistic: bool = False,
) -> float:
    """Share of the candidate's clusters that are clusters of the reference.

    By default a cluster has to be exactly right, the strictest count of entities. With a lower
    threshold its overlap with a reference cluster has to exceed the threshold, as when objects in
    images are counted.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,) or (n_samples, n_clusters), or ContingencyTable
        :term:`Labels` or :term:`memberships` of the :term:`reference`; or a
        :term:`contingency table` of both partitions, without ``labels_pred``.
    labels_pred : array-like of shape (n_samples,) or (n_samples, n_clusters), default=None
        Labels or memberships of the :term:`candidate`.
    sample_weight : array-like of shape (n_samples,), default=None
        :term:`Frequency weights <sample_weight>`; None means 1 for every object.
    threshold : float or "majority", default=1.0
        A cluster counts as found if the intersection over union with a cluster of the other side
        is above this number in [0, 1), or with 1.0 if both are equal; with "majority", if they
        share more than half of the objects of each.
    background : number or str, default=None
        Label of the background, on either side: it is neither counted nor matched, and its objects
        enlarge the clusters of the other side that hold them. None: all labels are clusters.
    possibilistic : bool, default=False
        Whether memberships are :term:`possibilistic`: their rows need not sum to 1.

    Returns
    -------
    float
        In [0, 1]; with ``threshold=1.0``, 1.0 for equal partitions only. Higher is better.

    Raises
    ------
    ValueError
        If lengths differ, or labels, memberships or weights are invalid; if ``threshold`` is
        neither "majority" nor a number in [0, 1].
    TypeError
        If labels are not hashable, or ``background`` is no label.

    See Also
    --------
    cluster_recall_score : Share of the reference's clusters.
    cluster_f_score : Both in one number.
    pair_precision_score : Share of the pairs.

    Notes
    -----
    TP / C, with C the number of candidate clusters and TP the number of those found. With
    "majority" or a threshold of at least 0.5, a cluster can match only one cluster, and TP is a sum
    over cells. Below 0.5 it can match several: TP is then the largest number of one-to-one matches.

    References
    ----------
    .. [1] D. Menestrina, S. E. Whang, H. Garcia-Molina, "Evaluating entity resolution results",
       Proceedings of the VLDB Endowment 3(1), 2010, :doi:`10.14778/1920841.1920871`

    Examples
    --------
    >>> from sklearn_clustcompare import cluster_precision_score
    >>> y, labels = list("aaabbccd"), [1, 1, 2, 3, 2, 4, 4, 4]
    >>> round(cluster_precision_score(y, labels, threshold=0.5), 3)
    0.5
    """
    return evaluate(
        "cluster_precision_score",
        labels_true,
        labels_pred,
        sample_weight,
        possibilistic,
        threshold=threshold,
        background=background,
    )


def cluster_recall_score(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    threshold: float | str = 1.0,
    background: float | str | None = None,
    possibilistic: bool = False,
) -> float:
    """Share of the reference's clusters that the candidate finds.

    By default a cluster has to be exactly right, the strictest count of entities. With a lower
    threshold its overlap with a candidate cluster has to exceed the threshold, as when objects in
    images are counted.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,) or (n_samples, n_clusters), or ContingencyTable
        :term:`Labels` or :term:`memberships` of the :term:`reference`; or a
        :term:`contingency table` of both partitions, without ``labels_pred``.
    labels_pred : array-like of shape (n_samples,) or (n_samples, n_clusters), default=None
        Labels or memberships of the :term:`candidate`.
    sample_weight : array-like of shape (n_samples,), default=None
        :term:`Frequency weights <sample_weight>`; None means 1 for every object.
    threshold : float or "majority", default=1.0
        A cluster counts as found if the intersection over union with a cluster of the other side
        is above this number in [0, 1), or with 1.0 if both are equal; with "majority", if they
        share more than half of the objects of each.
    background : number or str, default=None
        Label of the background, on either side: it is neither counted nor matched, and its objects
        enlarge the clusters of the other side that hold them. None: all labels are clusters.
    possibilistic : bool, default=False
        Whether memberships are :term:`possibilistic`: their rows need not sum to 1.

    Returns
    -------
    float
        In [0, 1]; with ``threshold=1.0``, 1.0 for equal partitions only. Higher is better.

    Raises
    ------
    ValueError
        If lengths differ, or labels, memberships or weights are invalid; if ``threshold`` is
        neither "majority" nor a number in [0, 1].
    TypeError
        If labels are not hashable, or ``background`` is no label.

    See Also
    --------
    cluster_precision_score : Share of the candidate's clusters.
    cluster_f_score : Both in one number.
    pair_recall_score : Share of the pairs.

    Notes
    -----
    TP / R, with R the number of reference clusters and TP the number of those found. With
    "majority" or a threshold of at least 0.5, a cluster can match only one cluster, and TP is a sum
    over cells. Below 0.5 it can match several: TP is then the largest number of one-to-one matches.

    References
    ----------
    .. [1] D. Menestrina, S. E. Whang, H. Garcia-Molina, "Evaluating entity resolution results",
       Proceedings of the VLDB Endowment 3(1), 2010, :doi:`10.14778/1920841.1920871`

    Examples
    --------
    >>> from sklearn_clustcompare import cluster_recall_score
    >>> y, labels = list("aaabbccd"), [1, 1, 2, 3, 2, 4, 4, 4]
    >>> round(cluster_recall_score(y, labels, threshold=0.5), 3)
    0.5
    """
    return evaluate(
        "cluster_recall_score",
        labels_true,
        labels_pred,
        sample_weight,
        possibilistic,
        threshold=threshold,
        background=background,
    )


def cluster_f_score(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    threshold: float | str = 1.0,
    background: float | str | None = None,
    possibilistic: bool = False,
) -> float:
    """F-measure of the clusters found: exactly, or by intersection over union.

    It counts whole clusters: entities that are exactly right, objects in images found at a
    threshold (usually 0.5), or tracks that share the majority of their points. How wrong the other
    clusters are does not matter.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,) or (n_samples, n_clusters), or ContingencyTable
        :term:`Labels` or :term:`memberships` of the :term:`reference`; or a
        :term:`contingency table` of both partitions, without ``labels_pred``.
    labels_pred : array-like of shape (n_samples,) or (n_samples, n_clusters), default=None
        Labels or memberships of the :term:`candidate`.
    sample_weight : array-like of shape (n_samples,), default=None
        :term:`Frequency weights <sample_weight>`; None means 1 for every object.
    threshold : float or "majority", default=1.0
        A cluster counts as found if the intersection over union with a cluster of the other side
        is above this number in [0, 1), or with 1.0 if both are equal; with "majority", if they
        share more than half of the objects of each.
    background : number or str, default=None
        Label of the background, on either side: it is neither counted nor matched, and its objects
        enlarge the clusters of the other side that hold them. None: all labels are clusters.
    possibilistic : bool, default=False
        Whether memberships are :term:`possibilistic`: their rows need not sum to 1.

    Returns
    -------
    float
        In [0, 1]; with ``threshold=1.0``, 1.0 for equal partitions only. Higher is better.

    Raises
    ------
    ValueError
        If lengths differ, or labels, memberships or weights are invalid; if ``threshold`` is
        neither "majority" nor a number in [0, 1].
    TypeError
        If labels are not hashable, or ``background`` is no label.

    See Also
    --------
    cluster_precision_score : One of its two parts.
    cluster_recall_score : The other part.
    panoptic_quality_score : Weighs the clusters found by their overlap.
    ceaf_f_score : Gives credit to every matched cluster.

    Notes
    -----
    2 TP / (R + C), with TP the number of clusters found. With "majority" or a threshold of at least
    0.5, a cluster can match only one cluster, and TP is a sum over cells. Below 0.5 it can match
    several: TP is then the largest number of one-to-one matches.

    "majority" finds more than ``threshold=0.5``: two clusters of 5 objects that share 3 have an
    intersection over union of 3/7.

    References
    ----------
    .. [1] D. Menestrina, S. E. Whang, H. Garcia-Molina, "Evaluating entity resolution results",
       Proceedings of the VLDB Endowment 3(1), 2010, :doi:`10.14778/1920841.1920871`
    .. [2] A. Kirillov, K. He, R. Girshick, C. Rother, P. Dollár, "Panoptic segmentation", IEEE
       Conference on Computer Vision and Pattern Recognition, 2019, :doi:`10.1109/CVPR.2019.00963`

    Examples
    --------
    >>> from sklearn_clustcompare import cluster_f_score
    >>> y, labels = list("aaabbccd"), [1, 1, 2, 3, 2, 4, 4, 4]
    >>> round(cluster_f_score(y, labels, threshold=0.5), 3)
    0.5
    """
    return evaluate(
        "cluster_f_score",
        labels_true,
        labels_pred,
        sample_weight,
        possibilistic,
        threshold=threshold,
        background=background,
    )


def panoptic_quality_score(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    threshold: float = 0.5,
    background: float | str | None = None,
    possibilistic: bool = False,
) -> float:
    """Panoptic quality: clusters found, weighted by their intersection over union.

    Combines how many objects of an image are found and how well they are outlined: the product of
    :func:`cluster_f_score` and the mean intersection over union of the clusters found.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,) or (n_samples, n_clusters), or ContingencyTable
        :term:`Labels` or :term:`memberships` of the :term:`reference`; or a
        :term:`contingency table` of both partitions, without ``labels_pred``.
    labels_pred : array-like of shape (n_samples,) or (n_samples, n_clusters), default=None
        Labels or memberships of the :term:`candidate`.
    sample_weight : array-like of shape (n_samples,), default=None
        :term:`Frequency weights <sample_weight>`; None means 1 for every object.
    threshold : float, default=0.5
        A cluster counts as found if the intersection over union with a cluster of the other side
        is above this number in [0, 1), or with 1.0 if both are equal.
    background : number or str, default=None
        Label of the background, on either side: it is neither counted nor matched, and its objects
        enlarge the clusters of the other side that hold them. None: all labels are clusters.
    possibilistic : bool, default=False
        Whether memberships are :term:`possibilistic`: their rows need not sum to 1.

    Returns
    -------
    float
        In [0, 1]; 1.0 for equal partitions only. Higher is better.

    Raises
    ------
    ValueError
        If lengths differ, or labels, memberships or weights are invalid; if ``threshold`` is not in
        [0, 1].
    TypeError
        If labels are not hashable, or ``threshold`` is not a real number, or ``background`` is no
        label.

    See Also
    --------
    cluster_f_score : Counts the clusters found.
    jaccard_error_rate : Intersection over union of all matched clusters.
    ceaf_f_score : With "dice", another overlap, of all matched clusters.

    Notes
    -----
    sum of IoU / (TP + FP/2 + FN/2) = 2 sum of IoU / (R + C), over the TP pairs of clusters found;
    FP and FN count those of the candidate and of the reference without a partner. With a threshold
    of at least 0.5 a cluster can match only one cluster. Below 0.5 it can match several: then as
    many pairs as possible are matched one to one, and among these matchings the one with the
    largest sum counts.

    For images it is computed class by class and averaged; this is the value of one class.

    References
    ----------
    .. [1] A. Kirillov, K. He, R. Girshick, C. Rother, P. Dollár, "Panoptic segmentation", IEEE
       Conference on Computer Vision and Pattern Recognition, 2019, :doi:`10.1109/CVPR.2019.00963`

    Examples
    --------
    >>> from sklearn_clustcompare import panoptic_quality_score
    >>> y, labels = list("aaabbccd"), [1, 1, 2, 3, 2, 4, 4, 4]
    >>> round(panoptic_quality_score(y, labels, threshold=0.3), 3)
    0.458
    """
    return evaluate(
        "panoptic_quality_score",
        labels_true,
        labels_pred,
        sample_weight,
        possibilistic,
        threshold=threshold,
        background=background,
    )


def jaccard_error_rate(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    background: float | str | None = None,
    possibilistic: bool = False,
) -> float:
    """Jaccard error rate: mean error of optimally matched clusters over the reference.

    An error rate of speaker diarization in which every speaker counts equally, however short the
    speech. Pass frames as objects, or segments with their durations as ``sample_weight``, and
    speakers as labels.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,) or (n_samples, n_clusters), or ContingencyTable
        :term:`Labels` or :term:`memberships` of the :term:`reference`; or a
        :term:`contingency table` of both partitions, without ``labels_pred``.
    labels_pred : array-like of shape (n_samples,) or (n_samples, n_clusters), default=None
        Labels or memberships of the :term:`candidate`.
    sample_weight : array-like of shape (n_samples,), default=None
        :term:`Frequency weights <sample_weight>`; None means 1 for every object.
    background : number or str, default=None
        Label of the background, on either side: it is neither counted nor matched, and its objects
        enlarge the clusters of the other side that hold them. None: all labels are clusters.
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
        If labels are not hashable, or ``background`` is no label.

    See Also
    --------
    misclassification_distance : Every object counts equally.
    cluster_recall_score : Share of the clusters found at a threshold.
    panoptic_quality_score : The same overlap, of clusters found.

    Notes
    -----
    1 - (1/R) max sum n_ij / (a_i + b_j - n_ij) over one-to-one matchings; a reference cluster
    without a partner counts as 1. With the label of silence as ``background``, missed speech and
    false alarms enlarge the unions. Without reference clusters the rate is undefined: 0.0 with an
    :class:`~sklearn.exceptions.UndefinedMetricWarning`. No objects: 0.0.

    References
    ----------
    .. [1] N. Ryant, K. Church, C. Cieri, A. Cristia, J. Du, S. Ganapathy, M. Liberman, "The second
       DIHARD diarization challenge: dataset, task, and baselines", Interspeech, 2019,
       :doi:`10.21437/Interspeech.2019-1268`

    Examples
    --------
    >>> from sklearn_clustcompare import jaccard_error_rate
    >>> y, labels = list("aaabbccd"), [1, 1, 2, 3, 2, 4, 4, 4]
    >>> round(jaccard_error_rate(y, labels), 3)
    0.542
    """
    return evaluate(
        "jaccard_error_rate",
        labels_true,
        labels_pred,
        sample_weight,
        possibilistic,
        background=background,
    )
