"""Indices that are one sum over the cells of the table, for given cluster sizes.

They are declared as functions of that sum and of the margins, except for those that combine two.
"""

from __future__ import annotations

import math

from sklearn_clustcompare._parameters import non_negative, one_of, probability
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare._table.counts import Margins
from sklearn_clustcompare.indices._covers import (
    bcubed_f_of_covers,
    bcubed_precision_of_covers,
    bcubed_recall_of_covers,
    element_centric_of_covers,
)
from sklearn_clustcompare.indices._index import index
from sklearn_clustcompare.indices._pairs import chi_squared, chi_squared_of
from sklearn_clustcompare.indices._sums import (
    OCCUPIED,
    OVER_BOTH,
    OVER_LARGER,
    bcubed_precision_sum,
    bcubed_recall_sum,
    element_centric_sums,
)
from sklearn_clustcompare.indices._terms import (
    COUNTS,
    OF_ASSOCIATION,
    OF_BCUBED,
    OF_OCCUPIED,
    Properties,
)
from sklearn_clustcompare.indices._undefined import ratio, require_whole

# --------------------------------------------------------------------------- functions of a cell

_BAGGA = "Bagga & Baldwin (1998); Amigo et al. (2009)"
_VILAIN = "Vilain et al. (1995)"
_MENESTRINA = "Menestrina, Whang & Garcia-Molina (2010)"
_ENTITIES = ("entity", "coreference")
_AVERAGE = one_of("object", "cluster")


def bcubed_properties(*, beta: float = 1.0, average: str = "object") -> Properties:
    return {"symmetric": beta == 1 and average == "object"}


def mean_of(total: float, number: float) -> float:
    """Return a mean of shares, cut off where rounding leads beyond 1; 1 for no shares."""
    return min(total / number, 1.0) if number else 1.0


# --------------------------------------------------------------------------- B-cubed


def bcubed(total: float, margins: Margins, *, average: str = "object") -> float:
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
    source=_BAGGA,
    **OF_BCUBED,
)
def bcubed_f_score(table: ContingencyTable, *, beta: float = 1.0, average: str = "object") -> float:
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
    precision, recall = (
        bcubed(cell_sum(average=average)(table), table, average=average)
        for cell_sum in (bcubed_precision_sum, bcubed_recall_sum)
    )
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
