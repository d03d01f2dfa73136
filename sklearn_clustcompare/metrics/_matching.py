"""Clusters that are matched, and renamed by that; counts of pairs, and values of objects."""

from __future__ import annotations

import itertools
import math
import numbers
from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy import sparse

from sklearn_clustcompare._array_types import Array, FloatArray, Positions
from sklearn_clustcompare._parameters import one_of, probability
from sklearn_clustcompare._partition import (
    NAMES,
    Labels,
    Memberships,
    Partition,
    Reading,
    partners,
    read,
    read_memberships,
    read_pair,
    read_weights,
)
from sklearn_clustcompare._partition.arrays import (
    MISSING,
    READ_ALIKE,
)
from sklearn_clustcompare._partition.memberships import (
    NOISE_OBJECT,
    is_membership_array,
    left_out,
    noise_mask,
)
from sklearn_clustcompare._partition.reading import Candidate, holds_memberships
from sklearn_clustcompare._table import ContingencyTable, count_read, require_objects
from sklearn_clustcompare._table.many import list_members
from sklearn_clustcompare._table.matching import largest_cells
from sklearn_clustcompare.indices._compares import REQUIRED, Given, compares
from sklearn_clustcompare.indices._covers import element_centric_values, mean_similarities
from sklearn_clustcompare.indices._index import is_no_partition, pair_of
from sklearn_clustcompare.indices._pairs import pair_confusion
from sklearn_clustcompare.indices._record import REGISTERED
from sklearn_clustcompare.indices._sets import greedy_matching

check_matching = one_of("optimal", "greedy", "majority")


def matched_cells(table: ContingencyTable, method: str, *, of_pred: bool = False) -> Positions:
    """Return the positions of the matched cells; by majority, one of each cluster of a side."""
    if method == "optimal":
        return table.optimal_matching
    table = table.in_units
    if method == "greedy":
        return greedy_matching(table, table.cell_counts / table.row_sums[table.cell_rows])
    codes = table.cell_cols if of_pred else table.cell_rows
    return largest_cells(codes, table.cell_counts, table.shape[of_pred])


def _matched_labels(
    table: ContingencyTable, method: str, *, of_pred: bool = False
) -> list[tuple[Any, Any]]:
    """Return the labels of the matched clusters of both sides."""
    matched = matched_cells(table, method, of_pred=of_pred)
    rows = table.row_labels[table.cell_rows[matched]].tolist()
    cols = table.col_labels[table.cell_cols[matched]].tolist()
    return list(zip(rows, cols, strict=True))


@compares("labels_true", "labels_pred", "sample_weight")
def match_clusters(given: Given, *, method: str = "optimal") -> dict[Any, Any]:
    """Match the clusters of the reference with those of the candidate.

    Use it to see which clusters correspond; :func:`relabel` renames the clusters of the candidate.
    Every predicted cluster is used at most once, except with ``method="majority"``.

    Parameters
    ----------
    method : {"optimal", "greedy", "majority"}, default="optimal"
        "optimal" finds the one-to-one matching with the most objects in matched pairs; "greedy"
        matches the pair of clusters with the largest share n_ij / a_i of the reference cluster
        first, crosses both out, and repeats; "majority" matches each reference cluster with the
        predicted cluster that has most of its objects, which several may share.

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
    check_matching("method", method)
    table = given.table()
    return dict.fromkeys(table.row_labels.tolist()) | dict(_matched_labels(table, method))


@compares(*NAMES, "sample_weight", labels_pred=REQUIRED)
def relabel(given: Given, *, method: str = "majority") -> Array:
    """Give each cluster of a candidate the class that most of its objects belong to.

    The names of clusters are arbitrary, so tools for classification, such as
    :func:`sklearn.metrics.classification_report` and :func:`sklearn.metrics.confusion_matrix`,
    cannot evaluate a clustering. Pass ``labels_true`` and the relabeled candidate to these tools.
    For names in tables and pictures, which tell clusters of one class apart, use
    :func:`~sklearn_clustcompare.report.cluster_names`.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,) or (n_samples, n_clusters)
        :term:`Labels` or :term:`memberships` of the :term:`reference`.
    labels_pred : array-like of shape (n_samples,) or (n_samples, n_clusters)
        Labels or memberships of the :term:`candidate`.
    method : {"majority", "optimal", "greedy"}, default="majority"
        "majority" gives each cluster the label that most of its objects have in the reference;
        several clusters may share it. "optimal" and "greedy" match the clusters one to one as
        :func:`match_clusters` does.

    Returns
    -------
    ndarray of shape (n_samples,), or array or csr_array of shape (n_samples, n_columns)
        The candidate with labels of the reference, of the same dtype. Matched one to one, clusters
        that remain have names that no reference cluster has: numbers above the largest label if the
        labels of the reference are numbers, else text such as "unmatched 7". Objects of the
        candidate that are left out, and noise unless it is a cluster, keep their label; None stands
        for a missing one. Labels that are neither all numbers nor all text are objects.

        Of memberships, the same numbers in other columns: one for each cluster of the reference, in
        its order, of 0 where none is matched, and then those of unmatched clusters. Several
        clusters of one label, by majority, are added up. Rows that are left out are NaN.

    Raises
    ------
    ValueError
        If lengths differ, labels are missing, weights are invalid, or an argument is not one of its
        options; or if there is no number above the largest label that its type can hold.
    TypeError
        If labels are not hashable.

    See Also
    --------
    match_clusters : The matching itself.
    purity_score : The accuracy of the result.

    Notes
    -----
    By majority, of labels that tie the first one in sorted order is taken. The accuracy of the
    result is :func:`purity_score`, which many clusters raise.

    One to one ("optimal"), clusters are matched so that the matched ones share the most objects,
    and a cluster may get the label of few of them. The accuracy is then
    :func:`matching_accuracy_score`. If several matchings tie, the result is one of them, which does
    not depend on the order of the objects.

    References
    ----------
    .. [1] H. W. Kuhn, "The Hungarian method for the assignment problem", Naval Research Logistics
       Quarterly 2, 1955, :doi:`10.1002/nav.3800020109`

    Examples
    --------
    >>> from sklearn.metrics import confusion_matrix
    >>> from sklearn_clustcompare import relabel
    >>> animals = ["cat", "cat", "cat", "dog", "dog", "cow"]
    >>> named = relabel(animals, [2, 2, 1, 1, 1, 0])
    >>> named.tolist()
    ['cat', 'cat', 'dog', 'dog', 'dog', 'cow']
    >>> confusion_matrix(animals, named, labels=["cat", "cow", "dog"])
    array([[2, 0, 1],
           [0, 1, 0],
           [0, 0, 2]])
    >>> relabel([0, 0, 1, 1], list("abcc"))
    array([0, 0, 1, 1])
    >>> relabel([0, 0, 1, 1], list("abcc"), method="optimal")
    array([0, 2, 1, 1])

    Columns of memberships, as of several runs of an admixture program:

    >>> runs = [[0.9, 0.1], [0.8, 0.2], [0.1, 0.9]], [[0.3, 0.7], [0.2, 0.8], [0.6, 0.4]]
    >>> relabel(*runs, method="optimal")
    array([[0.7, 0.3],
           [0.8, 0.2],
           [0.4, 0.6]])
    """
    check_matching("method", method)
    labels_true, labels_pred, reading = given.labels_true, given.labels_pred, given.reading
    true, pred = read_pair(labels_true, labels_pred, NAMES, reading)
    if isinstance(labels_pred, Memberships) or holds_memberships(labels_pred):
        if not isinstance(labels_pred, Memberships):
            labels_pred = read_memberships(labels_pred, NAMES[1], reading)
        soft = partners(true, labels_pred)[1]
        return _columns_relabeled(true, soft, given.sample_weight, method, reading)
    pred, _ = pred.compact()
    weights = read_weights(given.sample_weight, true)
    table = require_objects(count_read(true, pred, weights, reading))
    matched = _matched_labels(table, method, of_pred=True)
    new_names = {found: known for known, found in matched if known is not NOISE_OBJECT}
    own = pred.labels_of(np.arange(pred.n_codes)).tolist()
    # Objects that are no cluster keep their label.
    kept = noise_mask(pred, reading.noise_labels) & (reading.noise != "cluster")
    kept |= left_out(pred, reading)
    without_cluster = {own[code] for code in set(pred.codes[kept].tolist())}
    new_names.update(zip(without_cluster, without_cluster, strict=True))
    unmatched = [label for label in own if label not in new_names]
    taken = without_cluster.union(table.row_labels.tolist()) - {MISSING, NOISE_OBJECT}
    new_names.update(zip(unmatched, _new_names(unmatched, taken), strict=False))
    names = [None if new_names[one] is MISSING else new_names[one] for one in own]
    dtype = labels_true.dtype if getattr(labels_true, "ndim", None) == 1 else None
    return _array(names, table.row_labels, dtype)[pred.codes]


def _columns_relabeled(
    true: Partition, pred: Memberships, sample_weight: Any, method: str, reading: Reading
) -> Any:
    """Return memberships with a column for each cluster of the reference, then the unmatched."""
    table = require_objects(count_read(true, pred, read_weights(sample_weight, true), reading))
    # Clusters that occur, but all columns of memberships.
    names = table.row_labels
    if isinstance(true, Memberships):
        names = true.labels
    elif not true.is_named:
        names = true.labels_of(np.arange(true.n_codes))
    known, found = (
        {one: at for at, one in enumerate(side.tolist())} for side in (names, pred.labels)
    )
    matched = _matched_labels(table, method, of_pred=True)
    places = {found[col]: known[row] for row, col in matched}
    unmatched = [column for column in found.values() if column not in places]
    places.update(zip(unmatched, itertools.count(len(known)), strict=False))
    moved = np.zeros((len(found), len(known) + len(unmatched)), pred.values.dtype)
    moved[list(places), list(places.values())] = 1
    if sparse.issparse(pred.values):
        return sparse.csr_array(pred.values @ sparse.csr_array(moved))
    relabeled = pred.values @ moved
    if pred.is_missing is not None:
        relabeled[pred.is_missing] = np.nan
    return relabeled


def _new_names(labels: list[Any], taken: set[Any]) -> Iterator[Any]:
    """Name unmatched clusters by names that are not taken."""
    if all(isinstance(label, numbers.Real) for label in taken):
        yield from itertools.count(int(max(taken, default=-1)) + 1)
    for label in labels:
        name = f"unmatched {label}"
        while name in taken:
            name += "'"
        taken.add(name)
        yield name


def _array(names: list[Any], labels: Array, dtype: Any) -> Array:
    """Return names as an array of the kind of the labels of the reference, if all are of it.

    Labels alone are of the dtype that was given, if there was one.
    """
    place = {label: at for at, label in enumerate(labels.tolist())}
    if all(name in place for name in names):
        own = labels[[place[name] for name in names]]
        return own.astype(dtype) if isinstance(dtype, np.dtype) else own
    dtype = labels.dtype
    are_numbers = all(isinstance(name, numbers.Real) for name in names)
    if dtype.kind == "u" and are_numbers and min(names, default=0) < 0:  # a label of noise
        dtype = np.dtype(np.int64)
    if dtype.kind in "iuf" and are_numbers:
        try:
            return np.array(names, dtype)
        except OverflowError:
            msg = (
                f"labels_true must leave numbers of type {dtype} above its largest label for "
                f"clusters without a match, got labels that need {max(names)}"
            )
            raise ValueError(msg) from None
    if dtype.kind == "b" and are_numbers:
        return np.array(names, int)
    if dtype.kind == "U" and all(isinstance(name, str) for name in names):
        return np.array(names, str)
    array = np.empty(len(names), object)
    array[:] = names
    return array


def _member(one: Candidate, reading: Reading) -> Partition:
    if holds_memberships(one.values):
        return read_memberships(one.values, one.title, reading)
    return one.read(reading)


def _has_whole(partitions: Any) -> bool:
    """Return whether numbers are whole, as labels are; also for text and for what is missing."""
    array = np.asarray(partitions[0] if isinstance(partitions, list | tuple) else partitions)
    return array.dtype.kind != "f" or not np.nan_to_num(array % 1).any()


@compares("labels_true", "partitions")
def relabel_partitions(given: Given, *, method: str = "optimal") -> Array:
    """Name the clusters of many partitions after the reference clusters that they match.

    Numbers of clusters are arbitrary in each run of a clusterer and change in the course of a chain
    (label switching), so that averages over runs or draws make no sense before this.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,) or None
        :term:`Labels` of the :term:`reference`; None takes the consensus of the partitions, by the
        variation of information.
    partitions : array-like of shape (..., n_samples), list, dict or DataFrame
        Labels of runs, of draws, or of the draws of several chains; a frame has one in each column,
        of which those that identify objects are left out with a warning. Also memberships of runs,
        of shape (n_runs, n_samples, n_clusters) or a list.
    method : {"majority", "optimal", "greedy"}, default="optimal"
        "majority" gives each cluster the label that most of its objects have in the reference;
        several clusters may share it. "optimal" and "greedy" match the clusters one to one as
        :func:`match_clusters` does.

    Returns
    -------
    ndarray of shape (..., n_samples) or (n_runs, n_samples, n_clusters)
        The partitions with the labels of the reference, and new ones for clusters without a match;
        the objects are in the order of the reference, or of the first partition without one.
        Memberships have the columns of the reference, then those without a match.

    Raises
    ------
    ValueError
        If lengths or objects differ, labels are missing, or there is no partition.

    See Also
    --------
    relabel : Relabels one partition.
    consensus_partition : The default reference.

    References
    ----------
    .. [1] M. Stephens, "Dealing with label switching in mixture models", Journal of the Royal
       Statistical Society B 62(4), 2000. :doi:`10.1111/1467-9868.00265`.

    Examples
    --------
    >>> from sklearn_clustcompare.metrics import relabel_partitions
    >>> relabel_partitions([0, 0, 1, 1], [[1, 1, 0, 0], [5, 5, 5, 7]])
    array([[0, 0, 1, 1],
           [0, 0, 0, 1]])
    """
    from sklearn_clustcompare.consensus import consensus_partition
    from sklearn_clustcompare.consensus._posterior import flatten_chains

    partitions = given.partitions
    if isinstance(partitions, list | tuple) and partitions:
        are_chains = all(map(is_membership_array, partitions)) and _has_whole(partitions)
        if are_chains or all(map(np.isscalar, partitions)):
            partitions = np.array(partitions)
    before: tuple[int, ...] = (-1,)
    if isinstance(partitions, np.ndarray):
        if partitions.ndim == 3 and not _has_whole(partitions):
            partitions = [*partitions]  # memberships
        elif partitions.ndim not in (0, 3):
            before = partitions.shape[:-1]
            partitions = partitions.reshape(math.prod(before), -1 if partitions.size else 0)
    draws, _, n_chains = flatten_chains(partitions, None)
    if getattr(partitions, "ndim", 2) == 3:
        before = n_chains, -1
    reference, reading = given.labels_true, given.reading
    sides = [_member(one, reading) for one in list_members(draws)]
    names = {isinstance(one, Labels): one.name for one in reversed(sides)}
    if len(names) > 1:
        msg = (
            "partitions must be all labels or all memberships, got memberships for "
            f"{names[False]} and labels for {names[True]}"
        )
        raise TypeError(msg)
    if reference is not None and reading.unmatched != "error":
        known = read(reference, NAMES[0], reading)
        reference, *sides = partners(known, *sides, unmatched=reading.unmatched)
    else:
        sides = partners(*sides, unmatched=reading.unmatched)
    if not sides[0].n_objects:
        msg = "partitions must have at least one object, got none"
        raise ValueError(msg)
    if reference is None:
        index = "variation_of_information_distance"
        reference = consensus_partition(sides, index=index, **reading.keywords).labels
        sides = [one.with_ids(None) for one in sides]
    options = reading.keywords | {"unmatched": "error"}
    relabeled = [relabel(reference, one, method=method, **options) for one in sides]
    if len({one.shape for one in relabeled}) > 1:  # memberships in further clusters
        n_clusters = max(one.shape[1] for one in relabeled)
        relabeled = [np.pad(one, ((0, 0), (0, n_clusters - one.shape[1]))) for one in relabeled]
    return np.array(relabeled).reshape(*before, *relabeled[0].shape)


@compares("labels_true", "labels_pred", "sample_weight")
def pair_confusion_matrix(given: Given) -> np.ndarray:
    """Count the pairs of objects by whether each partition joins them.

    Every index of this family is a function of these four numbers. Look at them when an index has
    an unexpected value: with many clusters n00 exceeds the others by far and dominates the Rand
    index.

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
    return pair_confusion(given.table())


@compares(*NAMES, *READ_ALIKE[1:], labels_pred=REQUIRED)
def element_centric_similarities(given: Given, *, alpha: float = 0.9) -> FloatArray:
    """Element-centric similarity of each object: where two partitions differ.

    Use the values, for example, to color an embedding.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,), Cover or Hierarchy
        :term:`Labels`, a :term:`cover` or a :term:`hierarchy` as the :term:`reference`.
    labels_pred : array-like of shape (n_samples,), Cover or Hierarchy
        Labels, a cover or a hierarchy as the :term:`candidate`.
    alpha : float, default=0.9
        Probability, between 0 and 1, that a walk from object to cluster to object continues. For
        two partitions the value is the same for all alpha.

    Returns
    -------
    ndarray of shape (n_samples,)
        In (0, 1], in the order of the objects; 1.0 where both clusters of an object are the same.

    Raises
    ------
    ValueError
        If lengths differ, or labels are invalid, or ``alpha`` is not between 0 and 1.
    TypeError
        If labels are not hashable, or memberships.

    See Also
    --------
    element_centric_similarity_score : The mean.
    element_consistency : Many partitions against each other.
    EmbeddingAgreementDisplay : Colors the objects by these values.

    Notes
    -----
    An object of cell (i, j) scores n_ij / max(a_i, b_j). For covers and hierarchies its value
    depends on alpha; see :func:`element_centric_similarity_score`.

    References
    ----------
    .. [1] A. J. Gates, I. B. Wood, W. P. Hetrick, Y.-Y. Ahn, "Element-centric clustering comparison
       unifies overlaps and hierarchy", Scientific Reports 9, 2019

    Examples
    --------
    >>> from sklearn_clustcompare.metrics import element_centric_similarities
    >>> element_centric_similarities([0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 2, 2]).round(3)
    array([0.667, 0.667, 0.333, 0.333, 0.667, 0.667])
    """
    probability("alpha", alpha)
    sides, reading = (given.labels_true, given.labels_pred), given.reading
    if is_no_partition(*sides):
        pair = pair_of(REGISTERED["element_centric_similarity_score"], *sides, None, reading)
        return element_centric_values(pair, alpha)[pair.codes]
    return mean_similarities(read_pair(*sides, reading=reading), reading)
