"""Indices of entities, segments and tracks: links, clusters found, and shares by object.

Most are one sum over the cells of the table, for given cluster sizes. They are declared as
functions of that sum and of the margins, except for those that combine two.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from sklearn_clustcompare._array_types import FloatArray, Mask
from sklearn_clustcompare._numerics import TIE, sum_of_quotients
from sklearn_clustcompare._parameters import (
    label_or_none,
    non_negative,
    one_of,
    probability,
    share,
    share_or_majority,
)
from sklearn_clustcompare._partition import Labels
from sklearn_clustcompare._partition.memberships import noise_mask
from sklearn_clustcompare._table.cell_sums import CellSum
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare._table.counts import Margins
from sklearn_clustcompare._table.matching import optimal_matching
from sklearn_clustcompare.indices._covers import (
    bcubed_f_of_covers,
    bcubed_precision_of_covers,
    bcubed_recall_of_covers,
    element_centric_of_covers,
)
from sklearn_clustcompare.indices._index import index
from sklearn_clustcompare.indices._pairs import chi_squared, chi_squared_of
from sklearn_clustcompare.indices._record import at_most, ratio, require_whole
from sklearn_clustcompare.indices._sets import best_matching, matching_accuracy
from sklearn_clustcompare.indices._sums import (
    COUNTS,
    LINKS_OF_PRED,
    LINKS_OF_TRUE,
    MAXIMUM,
    OCCUPIED,
    OF_ASSOCIATION,
    OF_BCUBED,
    OF_LINKS,
    OF_OCCUPIED,
    OVER_BOTH,
    OVER_LARGER,
    Properties,
    SizedCells,
    bcubed_both,
    bcubed_precision_sum,
    bcubed_recall_sum,
    element_centric_sums,
)

# --------------------------------------------------------------------------- functions of a cell

_BAGGA = "Bagga & Baldwin (1998); Amigo et al. (2009)"
_VILAIN = "Vilain et al. (1995)"
_MENESTRINA = "Menestrina, Whang & Garcia-Molina (2010)"
_ENTITIES = ("entity", "coreference")
_AVERAGE = one_of("object", "cluster")


def bcubed_properties(*, beta: float = 1.0, average: str = "object") -> Properties:
    return {"symmetric": beta == 1 and average == "object"}


def mean_of(total: Any, number: Any) -> Any:
    """Return a mean of shares, cut off where rounding leads beyond 1; 1 for no shares."""
    return at_most(total / number, 1.0) if isinstance(total, np.ndarray) or number else 1.0


# --------------------------------------------------------------------------- B-cubed


def bcubed(total: Any, margins: Margins, *, average: str = "object") -> Any:
    """Return the precision or the recall, of which ``total`` is the sum over the objects."""
    if margins.is_identity:
        return 1.0
    return mean_of(total, margins.n_samples if average == "object" else len(margins.row_sums))


@index(
    short_names=("b3",),
    parameters={"beta": non_negative, "average": _AVERAGE},
    by_parameters=bcubed_properties,
    of_covers=bcubed_f_of_covers,
    families=(*_ENTITIES, "diarization"),
    cell_sum=bcubed_both,
    source=_BAGGA,
    **OF_BCUBED,
)
def bcubed_f_score(
    totals: tuple[float, float], margins: Margins, *, beta: float = 1.0, average: str = "object"
) -> float:
    """B-cubed F: weighted harmonic mean of B-cubed precision and recall.

    The usual index of entity resolution and of coreference. It is strictly better after every
    perfect split or merge, but large clusters weigh more than small ones, and random partitions
    score higher the fewer clusters the reference has. Not adjusted for chance.

    Parameters
    ----------
    beta : float, default=1.0
        How many times as much recall counts as precision; not negative.
    average : {"object", "cluster"}, default="object"
        Mean over all objects, or over the reference clusters of the mean of their objects.

    Returns
    -------
    float
        In [0, 1], above 0 for partitions; 1.0 for equal partitions. Higher is better.

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
    weight = beta * beta
    precision, recall = (bcubed(total, margins, average=average) for total in totals)
    # Both are positive. Written so, a large weight of the recall does not overflow.
    return (1 + weight) / (1 / precision + weight / recall)


# --------------------------------------------------------------------------- occupied cells


def _check_occupied(margins: Margins, name: str) -> None:
    """Raise ValueError for real-valued counts, of which a small share would count as an object."""
    require_whole(margins, name, "bcubed_f_score or its two sides")


@index(linear_in="cells", cell_sum=OCCUPIED, families=_ENTITIES, source=_VILAIN, **OF_OCCUPIED)
def muc_precision_score(occupied: float, margins: Margins) -> float:
    """MUC precision: the share of the predicted links that are right.

    A cluster of b objects is held together by b - 1 links. Those that remain within reference
    clusters are right. Singletons have no links and do not count; use B-cubed where they matter.

    Returns
    -------
    float
        In [0, 1]; 1.0 if every predicted cluster lies within a reference cluster. Higher is better.

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
    >>> from sklearn_clustcompare.metrics import muc_precision_score
    >>> key = [1, 1, 1, 1, 1, 2, 2, 3, 3, 3, 3, 3]
    >>> response = [1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2]
    >>> round(muc_precision_score(key, response), 3)
    0.9
    """
    _check_occupied(margins, "muc_precision_score")
    links = margins.n_samples - len(margins.col_sums)
    return ratio(margins.n_samples - occupied, links, margins, "muc_precision_score")


@index(linear_in="cells", cell_sum=OCCUPIED, families=_ENTITIES, source=_VILAIN, **OF_OCCUPIED)
def muc_recall_score(occupied: float, margins: Margins) -> float:
    """MUC recall: the share of the links of the reference that are found.

    A cluster of a objects is held together by a - 1 links. Those that remain within predicted
    clusters are found. Singletons have no links and do not count; use B-cubed where they matter.

    Returns
    -------
    float
        In [0, 1]; 1.0 if every reference cluster lies within a predicted cluster. Higher is better.

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
    >>> from sklearn_clustcompare.metrics import muc_recall_score
    >>> round(muc_recall_score([1, 2, 2, 3, 3, 3], [1, 2, 2, 3, 3, 4]), 3)
    0.667
    """
    _check_occupied(margins, "muc_recall_score")
    links = margins.n_samples - len(margins.row_sums)
    return ratio(margins.n_samples - occupied, links, margins, "muc_recall_score")


@index(
    short_names=("muc",),
    linear_in="cells",
    cell_sum=OCCUPIED,
    families=_ENTITIES,
    source=_VILAIN,
    **OF_OCCUPIED,
)
def muc_f_score(occupied: float, margins: Margins) -> float:
    """MUC F: harmonic mean of MUC precision and recall.

    The oldest index of coreference resolution (1995). It penalizes merges little: all objects in
    one cluster still score high, since few links suffice to merge large clusters. Report it
    together with other indices.

    Returns
    -------
    float
        In [0, 1]; 1.0 for equal partitions. Higher is better.

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
    >>> from sklearn_clustcompare.metrics import muc_f_score
    >>> key = [1, 1, 1, 1, 1, 2, 2, 3, 3, 3, 3, 3]
    >>> response = [1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2]
    >>> round(muc_f_score(key, response), 3)
    0.947
    """
    _check_occupied(margins, "muc_f_score")
    links = 2 * margins.n_samples - len(margins.row_sums) - len(margins.col_sums)
    return ratio(2 * (margins.n_samples - occupied), links, margins, "muc_f_score")


@index(
    linear_in="cells",
    cell_sum=OCCUPIED,
    unit="splits",
    families=("entity",),
    source=_MENESTRINA,
    **COUNTS,
)
def split_count(occupied: float, margins: Margins) -> float:
    """Number of splits that lead from the reference to the common refinement.

    The number of cuts that the candidate makes through reference clusters. Together with
    :func:`merge_count` it counts the steps that correct the candidate: merge what was split, split
    what was merged.

    Returns
    -------
    float
        Whole number, 0.0 if every reference cluster lies within a predicted cluster. Lower is
        better.

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
    >>> from sklearn_clustcompare.metrics import split_count
    >>> truth = ["c1", "c1", "c1", "c2", "c2", "c3", "c3", "c4"]
    >>> split_count(truth, [1, 1, 2, 3, 2, 4, 4, 4])
    2.0
    """
    _check_occupied(margins, "split_count")
    return occupied - len(margins.row_sums)


@index(
    linear_in="cells",
    cell_sum=OCCUPIED,
    unit="merges",
    families=("entity",),
    source=_MENESTRINA,
    **COUNTS,
)
def merge_count(occupied: float, margins: Margins) -> float:
    """Number of merges that lead from the common refinement to the candidate.

    How often the candidate joins parts of different reference clusters.

    Returns
    -------
    float
        Whole number, 0.0 if every predicted cluster lies within a reference cluster. Lower is
        better.

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
    >>> from sklearn_clustcompare.metrics import merge_count
    >>> truth = ["c1", "c1", "c1", "c2", "c2", "c3", "c3", "c4"]
    >>> merge_count(truth, [1, 1, 2, 3, 2, 4, 4, 4])
    2.0
    """
    _check_occupied(margins, "merge_count")
    return occupied - len(margins.col_sums)


@index(
    linear_in="cells",
    cell_sum=OCCUPIED,
    unit="splits and merges",
    families=("entity",),
    source=_MENESTRINA,
    **COUNTS,
)
def merge_distance(occupied: float, margins: Margins) -> float:
    """Number of splits and merges between two partitions, splits first.

    The merge distance with unit costs: split the clusters of one partition into those of the common
    refinement, then merge these into the clusters of the other.

    Returns
    -------
    float
        Whole number, 0.0 for equal partitions only. Lower is better.

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
    >>> from sklearn_clustcompare.metrics import merge_distance
    >>> merge_distance([0, 0, 1, 1], [0, 1, 0, 1])
    4.0
    >>> merge_distance([0, 0, 1, 1], [0, 0, 0, 0]) + merge_distance([0, 0, 0, 0], [0, 1, 0, 1])
    2.0
    """
    _check_occupied(margins, "merge_distance")
    return 2 * occupied - (len(margins.row_sums) + len(margins.col_sums))


# --------------------------------------------------------------------------- single objects


@index(
    short_names=("ecs",),
    linear_in="cells",
    cell_sum=OVER_LARGER,
    hierarchies=True,
    parameters={"alpha": probability},
    of_covers=element_centric_of_covers,
    sampling="smooth",
    sums=element_centric_sums,
    families=("single-cell", "network"),
    source="Gates, Wood, Hetrick & Ahn (2019)",
)
def element_centric_similarity_score(
    total: float, margins: Margins, *, alpha: float = 0.9
) -> float:
    """Element-centric similarity: how similar the clusters of each object are, on average.

    1 - score is a metric. Small errors in large clusters cost little, and breaking up a small
    cluster costs its objects everything, so it does not favor partitions of unequal sizes; but
    random partitions score higher the fewer clusters they have. Not adjusted for chance.

    Parameters
    ----------
    alpha : float, default=0.9
        Probability, between 0 and 1, that a walk from object to cluster to object continues. For
        two partitions the value is the same for all alpha.

    Returns
    -------
    float
        In [0, 1], above 0 for partitions; 1.0 for equal partitions only. Higher is better.

    See Also
    --------
    element_centric_similarities : The value of each object.
    element_consistency : Many partitions against each other.
    chance_adjusted_score : Adjusts it exactly.
    bcubed_precision_score : Divides by the size of one of the two clusters.

    Notes
    -----
    (1/N) sum_ij n_ij^2 / max(a_i, b_j): an object of cell (i, j) scores n_ij / max(a_i, b_j). In
    general the score is ``1 - |p - p'|_1 / (2 alpha)`` for the affinities p and p' of an object to
    all others, by personalized PageRank with continuation probability alpha, in both partitions. In
    a partition the affinity of an object is alpha / a to each object of its cluster of size a, and
    1 - alpha more to itself. No objects: 1.0.

    In a cover or a hierarchy, a walk goes to one of the clusters of its object, by their weights
    (1, or exp(r l) at level l of a hierarchy), and on to one of the members of the cluster. An
    object in no cluster counts as a cluster of its own.

    Its mean and deviation under permutation are exact: see :func:`chance_adjusted_score` and
    :func:`permutation_test`.

    References
    ----------
    .. [1] A. J. Gates, I. B. Wood, W. P. Hetrick, Y.-Y. Ahn, "Element-centric clustering comparison
       unifies overlaps and hierarchy", Scientific Reports 9, 2019

    Examples
    --------
    >>> from sklearn_clustcompare import element_centric_similarity_score
    >>> round(element_centric_similarity_score([0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 2, 2]), 4)
    0.5556

    A person in two groups:

    >>> from sklearn_clustcompare import Cover
    >>> groups = Cover.from_sets([{0, 1, 2}, {2, 3}, {4, 5}])
    >>> found = Cover.from_sets([{0, 1, 2}, {2, 3, 5}, {0, 4, 5}])
    >>> round(element_centric_similarity_score(groups, found), 4)
    0.5739
    """
    # For partitions it is the same for every alpha.
    require_whole(margins, "element_centric_similarity_score", "bcubed_f_score or its two sides")
    return mean_of(total, margins.n_samples)


# --------------------------------------------------------------------------- association


def cramers_v_of(total: float, margins: Margins) -> float:
    """Return the index at another value of the sum of squares over both sizes."""
    return _cramers_v(chi_squared_of(total, margins), margins)


@index(
    of_statistic=cramers_v_of,
    ordered_by="cells",
    cell_sum=OVER_BOTH,
    source="Cramer (1946)",
    **OF_ASSOCIATION,
)
def cramers_v_score(table: ContingencyTable) -> float:
    """Cramer V: chi-squared as a share of the largest value that it can have.

    It measures association, not equality: it is 1 whenever each cluster of the finer partition lies
    within one of the other. It grows with the number of clusters even for random partitions.

    Returns
    -------
    float
        In [0, 1]; 1.0 for equal partitions. Higher means more association.

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
    >>> from sklearn_clustcompare.metrics import cramers_v_score
    >>> round(cramers_v_score(list("aaabbb"), [1, 1, 2, 2, 3, 3]), 3)
    0.816
    """
    return _cramers_v(chi_squared(table), table)


def _cramers_v(chi_squared: float, margins: Margins) -> float:
    freedom = min(len(margins.row_sums), len(margins.col_sums)) - 1
    return _association(chi_squared, freedom, margins, "cramers_v_score")


def tschuprow_of(total: float, margins: Margins) -> float:
    """Return the index at another value of the sum of squares over both sizes."""
    return _tschuprow(chi_squared_of(total, margins), margins)


@index(
    of_statistic=tschuprow_of,
    ordered_by="cells",
    cell_sum=OVER_BOTH,
    source="Tschuprow (1925)",
    **OF_ASSOCIATION,
)
def tschuprow_score(table: ContingencyTable) -> float:
    """Tschuprow T: the association of two partitions, 1 for equal ones only.

    Like :func:`cramers_v_score`, with the geometric mean of the two numbers of clusters instead of
    the smaller one.

    Returns
    -------
    float
        In [0, 1]; 1.0 for equal partitions only. Higher means more association.

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
    >>> from sklearn_clustcompare.metrics import tschuprow_score
    >>> round(tschuprow_score(list("aaabbb"), [1, 1, 2, 2, 3, 3]), 3)
    0.687
    """
    return _tschuprow(chi_squared(table), table)


def _tschuprow(chi_squared: float, margins: Margins) -> float:
    freedom = math.sqrt((len(margins.row_sums) - 1) * (len(margins.col_sums) - 1))
    return _association(chi_squared, freedom, margins, "tschuprow_score")


def _association(chi_squared: float, freedom: float, margins: Margins, name: str) -> float:
    if margins.is_identity:
        return 1.0
    square = ratio(chi_squared, margins.n_samples * freedom, margins, name)
    return min(math.sqrt(max(square, 0.0)), 1.0)


@index(
    linear_in="cells",
    cell_sum=bcubed_precision_sum,
    parameters={"average": _AVERAGE},
    of_covers=bcubed_precision_of_covers,
    families=(*_ENTITIES, "diarization"),
    source=_BAGGA,
    **OF_BCUBED,
)
def bcubed_precision_score(total: float, margins: Margins, *, average: str = "object") -> float:
    """B-cubed precision: the share of its cluster that is right, on average over objects.

    The share of the objects in the predicted cluster of an object, including itself, that belong to
    its reference cluster. Splitting never lowers it, and singletons score 1: read it together with
    :func:`bcubed_recall_score`. Not adjusted for chance.

    Parameters
    ----------
    average : {"object", "cluster"}, default="object"
        Mean over all objects, or over the reference clusters of the mean of their objects.

    Returns
    -------
    float
        In [0, 1], above 0 for partitions; 1.0 if every predicted cluster lies within a reference
        cluster. Higher is better.

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
    return bcubed(total, margins, average=average)


@index(
    linear_in="cells",
    cell_sum=bcubed_recall_sum,
    parameters={"average": _AVERAGE},
    of_covers=bcubed_recall_of_covers,
    families=(*_ENTITIES, "diarization"),
    source=_BAGGA,
    **OF_BCUBED,
)
def bcubed_recall_score(total: float, margins: Margins, *, average: str = "object") -> float:
    """B-cubed recall: the share of its class that is found, on average over objects.

    The share of the objects in the reference cluster of an object, including itself, that are in
    its predicted cluster. Merging never lowers it, and a single cluster scores 1: read it together
    with :func:`bcubed_precision_score`. Not adjusted for chance.

    Parameters
    ----------
    average : {"object", "cluster"}, default="object"
        Mean over all objects, or over the reference clusters of the mean of their objects.

    Returns
    -------
    float
        In [0, 1], above 0 for partitions; 1.0 if every reference cluster lies within a predicted
        cluster. Higher is better.

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
    return bcubed(total, margins, average=average)


# --------------------------------------------------------------------------- optimal matching


def ceaf_properties(*, similarity: str = "overlap") -> Properties:
    return {"symmetric": similarity == "overlap"}  # the matching accuracy


def found_properties(
    *, threshold: float | str = 1.0, background: float | str | None = None
) -> Properties:
    counts = counts_cells(threshold=threshold, background=background)
    return {} if counts else {"linear_in": None}


_CEAF: dict[str, Any] = {
    "source": "Luo (2005)",
    "parameters": {"similarity": one_of("overlap", "dice")},
    "families": ("coreference", "entity"),
    **MAXIMUM,
}
_LEA: dict[str, Any] = {
    "source": "Moosavi & Strube (2016)",
    "families": ("coreference", "entity"),
    **OF_LINKS,
}


def number_found(
    *, threshold: float | str = 1.0, background: int | float | str | None = None
) -> CellSum:
    return CellSum(partial(_found, threshold=threshold))


_FOUND: dict[str, Any] = {
    "by_parameters": found_properties,
    "parameters": {"threshold": share_or_majority, "background": label_or_none},
    "linear_in": "cells",
    "cell_sum": number_found,
    "families": ("entity", "segmentation", "tracking"),
    **MAXIMUM,
}


@index(by_parameters=ceaf_properties, **_CEAF)
def ceaf_precision_score(table: ContingencyTable, *, similarity: str = "overlap") -> float:
    """CEAF precision: similarity of optimally matched clusters, by the candidate's size.

    Clusters of both sides are matched one to one so that the similarities of matched clusters have
    the largest sum, which is divided by what a candidate equal to the reference would reach.
    Clusters without a partner contribute nothing, however pure they are.

    Parameters
    ----------
    similarity : {"overlap", "dice"}, default="overlap"
        Similarity of two clusters: "overlap" is the number of common objects, n_ij, and "dice" the
        share 2 n_ij / (a_i + b_j).

    Returns
    -------
    float
        In [0, 1], above 0 for any objects; 1.0 for equal partitions only. Higher is better.

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
    >>> from sklearn_clustcompare.metrics import ceaf_precision_score
    >>> y, labels = list("aaabbccd"), [1, 1, 2, 3, 2, 4, 4, 4]
    >>> round(ceaf_precision_score(y, labels, similarity="dice"), 3)
    0.567
    """
    return _ceaf(table, similarity, table.shape[1], "ceaf_precision_score")


@index(by_parameters=ceaf_properties, **_CEAF)
def ceaf_recall_score(table: ContingencyTable, *, similarity: str = "overlap") -> float:
    """CEAF recall: similarity of optimally matched clusters, by the reference's size.

    Clusters of both sides are matched one to one so that the similarities of matched clusters have
    the largest sum, which is divided by what the reference would reach with itself. Splitting a
    reference cluster loses all but one of its parts.

    Parameters
    ----------
    similarity : {"overlap", "dice"}, default="overlap"
        Similarity of two clusters: "overlap" is the number of common objects, n_ij, and "dice" the
        share 2 n_ij / (a_i + b_j).

    Returns
    -------
    float
        In [0, 1], above 0 for any objects; 1.0 for equal partitions only. Higher is better.

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
    >>> from sklearn_clustcompare.metrics import ceaf_recall_score
    >>> y, labels = list("aaabbccd"), [1, 1, 2, 3, 2, 4, 4, 4]
    >>> round(ceaf_recall_score(y, labels, similarity="dice"), 3)
    0.567
    """
    return _ceaf(table, similarity, table.shape[0], "ceaf_recall_score")


@index(short_names=("ceaf",), **_CEAF)
def ceaf_f_score(table: ContingencyTable, *, similarity: str = "overlap") -> float:
    """CEAF: F-measure of optimally matched clusters.

    One of the scores of coreference resolution. With "overlap" every object counts equally, with
    "dice" every cluster, however small: many singletons then dominate the score. Not adjusted for
    chance.

    Parameters
    ----------
    similarity : {"overlap", "dice"}, default="overlap"
        Similarity of two clusters: "overlap" is the number of common objects, n_ij, and "dice" the
        share 2 n_ij / (a_i + b_j).

    Returns
    -------
    float
        In [0, 1], above 0 for any objects; 1.0 for equal partitions only. Higher is better.

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
    >>> from sklearn_clustcompare.metrics import ceaf_f_score
    >>> y, labels = list("aaabbccd"), [1, 1, 2, 3, 2, 4, 4, 4]
    >>> round(ceaf_f_score(y, labels, similarity="dice"), 3)
    0.567
    """
    return _ceaf(table, similarity, sum(table.shape) / 2, "ceaf_f_score")


def _ceaf(table: ContingencyTable, similarity: str, n_clusters: float, name: str) -> float:
    if similarity == "overlap":
        return matching_accuracy(table)
    cells = SizedCells.of_table(table)
    sizes = cells.row_sizes + cells.col_sizes
    found = sum_of_quotients(*best_matching(cells, 2 * cells.counts, sizes))
    return ratio(found, n_clusters, table, name)


@index(
    short_names=("jer",),
    parameters={"background": label_or_none},
    families=("diarization",),
    source="Ryant et al. (2019)",
    **MAXIMUM,
)
def jaccard_error_rate(
    table: ContingencyTable, *, background: int | float | str | None = None
) -> float:
    """Jaccard error rate: mean error of optimally matched clusters over the reference.

    An error rate of speaker diarization in which every speaker counts equally, however short the
    speech. Pass frames as objects, or segments with their durations as ``sample_weight``, and
    speakers as labels.

    Parameters
    ----------
    background : number or str, default=None
        Label of the background, on either side: it is neither counted nor matched, and its objects
        enlarge the clusters of the other side that hold them. None: all labels are clusters.

    Returns
    -------
    float
        In [0, 1], below 1 for any objects; 0.0 for equal partitions only. Lower is better.

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
    >>> from sklearn_clustcompare.metrics import jaccard_error_rate
    >>> y, labels = list("aaabbccd"), [1, 1, 2, 3, 2, 4, 4, 4]
    >>> round(jaccard_error_rate(y, labels), 3)
    0.542
    """
    clusters = _Clusters.of(table, background)
    if clusters.is_identity:
        return 0.0
    cells = clusters.cells(table)
    matched, unions = best_matching(cells, cells.counts, cells.unions)
    # A sum of terms that are not negative: no digits are lost if nearly all clusters are found.
    missed = np.append(np.maximum(unions - matched, 0), clusters.true - len(matched))
    errors = sum_of_quotients(missed, np.append(unions, 1))
    return ratio(errors, clusters.true, clusters, "jaccard_error_rate")


# --------------------------------------------------------------------------- links


@index(linear_in="cells", cell_sum=LINKS_OF_PRED, **_LEA)
def lea_precision_score(links: float, margins: Margins) -> float:
    """LEA precision: links of each candidate cluster that the reference keeps, by size.

    Every candidate cluster is weighted by its size, and scores the share of its pairs of objects
    that are together in the reference. Merging clusters lowers it.

    Returns
    -------
    float
        In [0, 1]; 1.0 if every candidate cluster lies within a reference cluster and none of them
        is an object taken out of a larger one. Higher is better.

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
    >>> from sklearn_clustcompare.metrics import lea_precision_score
    >>> y, labels = list("aaabbccd"), [1, 1, 2, 3, 2, 4, 4, 4]
    >>> round(lea_precision_score(y, labels), 3)
    0.375
    """
    require_whole(margins, "lea_precision_score", "ceaf_precision_score")
    return mean_of(links, margins.n_samples)


@index(linear_in="cells", cell_sum=LINKS_OF_TRUE, **_LEA)
def lea_recall_score(links: float, margins: Margins) -> float:
    """LEA recall: links of each reference cluster that the candidate keeps, by size.

    Every reference cluster is weighted by its size, and scores the share of its pairs of objects
    that the candidate keeps together. Splitting clusters lowers it.

    Returns
    -------
    float
        In [0, 1]; 1.0 if every reference cluster lies within a candidate cluster and singletons are
        found. Higher is better.

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
    >>> from sklearn_clustcompare.metrics import lea_recall_score
    >>> y, labels = list("aaabbccd"), [1, 1, 2, 3, 2, 4, 4, 4]
    >>> round(lea_recall_score(y, labels), 3)
    0.375
    """
    require_whole(margins, "lea_recall_score", "ceaf_recall_score")
    return mean_of(links, margins.n_samples)


@index(short_names=("lea",), **_LEA)
def lea_f_score(table: ContingencyTable) -> float:
    """LEA: F-measure of the links that each cluster keeps, weighted by its size.

    A score of coreference resolution that considers clusters and their links: unlike CEAF it
    ignores no part of a cluster, and unlike indices of pairs it weights a cluster by its size only.
    Not adjusted for chance.

    Returns
    -------
    float
        In [0, 1]; 1.0 for equal partitions only, 0.0 if no link is kept. Higher is better.

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
    >>> from sklearn_clustcompare.metrics import lea_f_score
    >>> y, labels = list("aaabbccd"), [1, 1, 2, 3, 2, 4, 4, 4]
    >>> round(lea_f_score(y, labels), 3)
    0.375
    """
    require_whole(table, "lea_f_score", "ceaf_f_score")
    precision = mean_of(LINKS_OF_PRED(table), table.n_samples)
    recall = mean_of(LINKS_OF_TRUE(table), table.n_samples)
    both = precision * recall
    return min(2 * both / (precision + recall), 1.0) if both else 0.0


# --------------------------------------------------------------------------- clusters found


def share_of_pred(found: float, margins: Margins, **parameters: Any) -> float:
    """Return the precision where cells count separately, and all rows and columns are clusters."""
    return ratio(found, len(margins.col_sums), margins, "cluster_precision_score")


@index(of_statistic=share_of_pred, source="Menestrina, Whang & Garcia-Molina (2010)", **_FOUND)
def cluster_precision_score(
    table: ContingencyTable,
    *,
    threshold: float | str = 1.0,
    background: int | float | str | None = None,
) -> float:
    """Share of the candidate's clusters that are clusters of the reference.

    By default a cluster has to be exactly right, the strictest count of entities. With a lower
    threshold its overlap with a reference cluster has to exceed the threshold, as when objects in
    images are counted.

    Parameters
    ----------
    threshold : float or "majority", default=1.0
        A cluster counts as found if the intersection over union with a cluster of the other side
        is above this number in [0, 1), or with 1.0 if both are equal; with "majority", if they
        share more than half of the objects of each.
    background : number or str, default=None
        Label of the background, on either side: it is neither counted nor matched, and its objects
        enlarge the clusters of the other side that hold them. None: all labels are clusters.

    Returns
    -------
    float
        In [0, 1]; with ``threshold=1.0``, 1.0 for equal partitions only. Higher is better.

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
    >>> from sklearn_clustcompare.metrics import cluster_precision_score
    >>> y, labels = list("aaabbccd"), [1, 1, 2, 3, 2, 4, 4, 4]
    >>> round(cluster_precision_score(y, labels, threshold=0.5), 3)
    0.5
    """
    clusters = _Clusters.of(table, background)
    found = _n_found(table, threshold, clusters)
    return ratio(found, clusters.pred, clusters, "cluster_precision_score")


def share_of_true(found: float, margins: Margins, **parameters: Any) -> float:
    return ratio(found, len(margins.row_sums), margins, "cluster_recall_score")


@index(of_statistic=share_of_true, source="Menestrina, Whang & Garcia-Molina (2010)", **_FOUND)
def cluster_recall_score(
    table: ContingencyTable,
    *,
    threshold: float | str = 1.0,
    background: int | float | str | None = None,
) -> float:
    """Share of the reference's clusters that the candidate finds.

    By default a cluster has to be exactly right, the strictest count of entities. With a lower
    threshold its overlap with a candidate cluster has to exceed the threshold, as when objects in
    images are counted.

    Parameters
    ----------
    threshold : float or "majority", default=1.0
        A cluster counts as found if the intersection over union with a cluster of the other side
        is above this number in [0, 1), or with 1.0 if both are equal; with "majority", if they
        share more than half of the objects of each.
    background : number or str, default=None
        Label of the background, on either side: it is neither counted nor matched, and its objects
        enlarge the clusters of the other side that hold them. None: all labels are clusters.

    Returns
    -------
    float
        In [0, 1]; with ``threshold=1.0``, 1.0 for equal partitions only. Higher is better.

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
    >>> from sklearn_clustcompare.metrics import cluster_recall_score
    >>> y, labels = list("aaabbccd"), [1, 1, 2, 3, 2, 4, 4, 4]
    >>> round(cluster_recall_score(y, labels, threshold=0.5), 3)
    0.5
    """
    clusters = _Clusters.of(table, background)
    found = _n_found(table, threshold, clusters)
    return ratio(found, clusters.true, clusters, "cluster_recall_score")


def share_of_both(found: float, margins: Margins, **parameters: Any) -> float:
    n_clusters = len(margins.row_sums) + len(margins.col_sums)
    return ratio(2 * found, n_clusters, margins, "cluster_f_score")


@index(of_statistic=share_of_both, source="Menestrina, Whang & Garcia-Molina (2010)", **_FOUND)
def cluster_f_score(
    table: ContingencyTable,
    *,
    threshold: float | str = 1.0,
    background: int | float | str | None = None,
) -> float:
    """F-measure of the clusters found: exactly, or by intersection over union.

    It counts whole clusters: entities that are exactly right, objects in images found at a
    threshold (usually 0.5), or tracks that share the majority of their points. How wrong the other
    clusters are does not matter.

    Parameters
    ----------
    threshold : float or "majority", default=1.0
        A cluster counts as found if the intersection over union with a cluster of the other side
        is above this number in [0, 1), or with 1.0 if both are equal; with "majority", if they
        share more than half of the objects of each.
    background : number or str, default=None
        Label of the background, on either side: it is neither counted nor matched, and its objects
        enlarge the clusters of the other side that hold them. None: all labels are clusters.

    Returns
    -------
    float
        In [0, 1]; with ``threshold=1.0``, 1.0 for equal partitions only. Higher is better.

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
    >>> from sklearn_clustcompare.metrics import cluster_f_score
    >>> y, labels = list("aaabbccd"), [1, 1, 2, 3, 2, 4, 4, 4]
    >>> round(cluster_f_score(y, labels, threshold=0.5), 3)
    0.5
    """
    clusters = _Clusters.of(table, background)
    found = _n_found(table, threshold, clusters)
    return ratio(2 * found, clusters.true + clusters.pred, clusters, "cluster_f_score")


def quality_found(
    *, threshold: float = 0.5, background: int | float | str | None = None
) -> CellSum:
    return CellSum(partial(_overlap_found, threshold=threshold))


@index(
    of_statistic=share_of_both,
    short_names=("pq",),
    linear_in="cells",
    cell_sum=quality_found,
    parameters={"threshold": share, "background": label_or_none},
    by_parameters=found_properties,
    families=("segmentation", "tracking"),
    source="Kirillov et al. (2019)",
    **MAXIMUM,
)
def panoptic_quality_score(
    table: ContingencyTable, *, threshold: float = 0.5, background: int | float | str | None = None
) -> float:
    """Panoptic quality: clusters found, weighted by their intersection over union.

    Combines how many objects of an image are found and how well they are outlined: the product of
    :func:`cluster_f_score` and the mean intersection over union of the clusters found.

    Parameters
    ----------
    threshold : float, default=0.5
        A cluster counts as found if the intersection over union with a cluster of the other side
        is above this number in [0, 1), or with 1.0 if both are equal.
    background : number or str, default=None
        Label of the background, on either side: it is neither counted nor matched, and its objects
        enlarge the clusters of the other side that hold them. None: all labels are clusters.

    Returns
    -------
    float
        In [0, 1]; 1.0 for equal partitions only. Higher is better.

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
    >>> from sklearn_clustcompare.metrics import panoptic_quality_score
    >>> y, labels = list("aaabbccd"), [1, 1, 2, 3, 2, 4, 4, 4]
    >>> round(panoptic_quality_score(y, labels, threshold=0.3), 3)
    0.458
    """
    clusters = _Clusters.of(table, background)
    if counts_cells(threshold=threshold, background=background):
        quality = quality_found(threshold=threshold)(table)
    else:
        quality = sum_of_quotients(*_best_found(table, threshold, clusters))
    n_clusters = clusters.true + clusters.pred
    return ratio(2 * quality, n_clusters, clusters, "panoptic_quality_score")


def _n_found(table: ContingencyTable, threshold: float | str, clusters: _Clusters) -> float:
    if counts_cells(threshold=threshold, background=clusters.background):
        return number_found(threshold=threshold)(table)
    return len(_best_found(table, threshold, clusters)[0])


def counts_cells(*, threshold: float | str, background: int | float | str | None = None) -> bool:
    """Return whether cells count separately, so that what is found is a sum over them."""
    return background is None and _finds_one_each(threshold)


def _finds_one_each(threshold: float | str) -> bool:
    """Return whether a cluster can match only one other cluster."""
    return isinstance(threshold, str) or threshold >= 0.5


def _found(n: FloatArray, a: FloatArray, b: FloatArray, *, threshold: float | str) -> FloatArray:
    # Whole counts are compared exactly, others up to rounding.
    slack = 0.0 if all(np.array_equal(one, np.rint(one)) for one in (n, a, b)) else TIE
    above = 1 + slack
    if isinstance(threshold, str):
        return np.asarray((2 * n > a * above) & (2 * n > b * above), np.float64)
    overlap = n / (a + b - n)
    found = overlap >= 1 - slack if threshold == 1 else overlap > threshold * above
    return np.asarray(found, np.float64)


def _overlap_found(n: FloatArray, a: FloatArray, b: FloatArray, *, threshold: float) -> FloatArray:
    return _found(n, a, b, threshold=threshold) * (n / (a + b - n))


def _best_found(
    table: ContingencyTable, threshold: float | str, clusters: _Clusters
) -> tuple[FloatArray, FloatArray]:
    """Return numerators and denominators of the overlaps of the clusters found.

    If one can match several, as many as possible are matched one to one, with the largest sum of
    overlaps among these matchings.
    """
    cells = clusters.cells(table)
    found = _found(cells.counts, cells.row_sizes, cells.col_sizes, threshold=threshold)
    cells = cells.where(found > 0)
    if _finds_one_each(threshold):
        return cells.counts, cells.unions
    # All overlaps together are less than one additional match.
    weights = 1 + cells.counts / cells.unions / (2 * max(min(cells.shape), 1))
    matched = optimal_matching(cells.rows, cells.cols, weights, cells.shape)
    return cells.counts[matched], cells.unions[matched]


# --------------------------------------------------------------------------- background


class _Clusters(NamedTuple):
    """Which rows and which columns are clusters, and not of the background."""

    rows: Mask
    cols: Mask
    background: int | float | str | None

    @classmethod
    def of(cls, table: ContingencyTable, background: int | float | str | None) -> _Clusters:
        if background is None:
            return cls(np.ones(table.shape[0], bool), np.ones(table.shape[1], bool), None)
        of_rows, of_cols = (
            Labels.of_codes(np.arange(len(labels)), labels)
            for labels in (table.row_labels, table.col_labels)
        )
        rows, cols = (noise_mask(side, [background], "background") for side in (of_rows, of_cols))
        return cls(~rows, ~cols, background)

    @property
    def true(self) -> int:
        """Number of clusters of the reference."""
        return int(np.count_nonzero(self.rows))

    @property
    def pred(self) -> int:
        """Number of clusters of the candidate."""
        return int(np.count_nonzero(self.cols))

    @property
    def is_identity(self) -> bool:
        """Whether neither side has a cluster."""
        return not (self.true or self.pred)

    def cells(self, table: ContingencyTable) -> SizedCells:
        """Return the cells of two clusters; their sizes include the objects in the background."""
        cells = SizedCells.of_table(table)
        return cells.where(self.rows[cells.rows] & self.cols[cells.cols])
