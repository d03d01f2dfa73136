"""The most typical of many partitions, consistent objects, and refinements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from sklearn_clustcompare._array_types import FloatArray, IntArray, Positions
from sklearn_clustcompare._parameters import probability
from sklearn_clustcompare._partition import Reading, read_labels
from sklearn_clustcompare._partition.arrays import READ_ALIKE, PartitionLike
from sklearn_clustcompare._rendering import Rows, decimal
from sklearn_clustcompare._table import count
from sklearn_clustcompare._table.many import (
    common_cells,
    in_order_of_appearance,
    list_members,
    read_labels_of,
)
from sklearn_clustcompare.candidates._pairwise import pairwise_scores
from sklearn_clustcompare.consensus._agreement import is_better, mean
from sklearn_clustcompare.consensus._posterior import flatten_chains
from sklearn_clustcompare.indices._compares import Given, compares
from sklearn_clustcompare.indices._covers import mean_similarities


class MedoidResult(Rows):
    """The most typical of several partitions; made by :func:`medoid_partition`.

    Printed, and as HTML in a notebook, it shows the average index of each partition. All parameters
    are attributes of the same names, which cannot be set.

    Parameters
    ----------
    position : int
        Position of the medoid among the partitions; the first one if several tie.
    name : object
        Its name, if the partitions came in a mapping or in columns, else its position.
    labels : object
        The medoid itself, as it was given.
    score : float
        Its average index with the others.
    averages : ndarray of float64 of shape (n_partitions,)
        Average index of each partition with the others.
    ties : tuple of int
        Positions of all partitions whose average equals that of the medoid, itself included.
    names : tuple
        Names of all partitions, or their positions.

    See Also
    --------
    medoid_partition : Makes it.
    pairwise_scores : The index of all pairs, of which these are averages.

    Examples
    --------
    >>> from sklearn_clustcompare.consensus import medoid_partition
    >>> runs = {"first": [0, 0, 1, 1], "second": [0, 0, 0, 1], "third": [1, 1, 0, 0]}
    >>> medoid = medoid_partition(runs, index="rand_score")
    >>> medoid.name, medoid.score, medoid.averages
    ('first', 0.75, array([0.75, 0.5 , 0.75]))
    >>> medoid.ties
    (0, 2)
    """

    position: int
    name: Any
    labels: PartitionLike
    score: float
    averages: FloatArray
    ties: tuple[int, ...]
    names: tuple[Any, ...]

    def _headline(self) -> str:
        return f"MedoidResult: {self.name}, average index {decimal(self.score)}"

    def _row_names(self) -> tuple[str, Any]:
        return "partition", self.names

    def _columns(self) -> list[tuple[str, Any]]:
        notes = [
            "medoid" if position == self.position else "tied" if position in self.ties else ""
            for position in range(len(self.averages))
        ]
        return [("average", self.averages), ("note", notes)]


@compares("partitions", "index", "n_jobs", "verbose", index="adjusted_rand_score")
def medoid_partition(given: Given) -> MedoidResult:
    """Find the partition that agrees best with all the others, on average.

    The most typical of several runs or methods. It is always one of the given partitions, so some
    method has found it. All pairs are compared: the time grows with the square of their number.

    Parameters
    ----------
    partitions : array-like of shape (n_partitions, n_samples), list, dict, DataFrame or iterator
        The :term:`partitions` to compare, of the same objects unless they are aligned, or draws of
        shape (n_chains, n_draws, n_samples).

    Returns
    -------
    MedoidResult
        With ``position``, ``name``, ``labels``, ``score``, ``averages``, ``ties`` and ``names``. A
        single partition is its own medoid, and its score is the index with itself.

    Raises
    ------
    ValueError
        If there is no partition, if lengths differ, labels are missing, or the index is unknown.
    TypeError
        If the index does not take the parameters, labels are not hashable, or a partition without
        an index is to be aligned.

    Warns
    -----
    UserWarning
        If objects are left out in alignment.

    See Also
    --------
    consensus_partition : A partition that need not be one of those given.
    pairwise_scores : The index of all pairs.

    Notes
    -----
    Distances are minimized. For an index that is not symmetric, the medoid is ``labels_pred``.

    References
    ----------
    .. [1] S. Wagner, D. Wagner, "Comparing clusterings: an overview", Universität Karlsruhe,
       Interner Bericht 2006-04, 2007, section 1.

    Examples
    --------
    >>> from sklearn_clustcompare.consensus import medoid_partition
    >>> runs = {"a": [0, 0, 1, 1, 2, 2], "b": [0, 0, 1, 1, 1, 2], "c": [0, 0, 1, 1, 1, 1]}
    >>> medoid = medoid_partition(runs)
    >>> medoid.name, round(medoid.score, 4)
    ('b', 0.5158)
    >>> medoid.ties
    (1, 2)

    Clusterings of data that change, by a metric of partitions of different objects:

    >>> weeks = [{"ann": 0, "bob": 0}, {"ann": 0, "bob": 0, "cem": 1}, {"ann": 0, "cem": 1}]
    >>> medoid_partition(weeks, index="partial_partition_distance", unmatched="drop").position
    1
    """
    members = list_members(flatten_chains(given.partitions, None)[0])
    record = given.chosen.index
    scores = pairwise_scores(
        [member.read(given.reading) for member in members],
        index=record,
        n_jobs=given.n_jobs,
        verbose=given.verbose,
        **given.reading.keywords,
        **given.chosen.parameters,
    ).values
    others = ~np.eye(len(members), dtype=bool) | (len(members) == 1)
    averages = np.array([mean(column[to]) for column, to in zip(scores.T, others, strict=True)])
    best = record.sign * (record.sign * averages).max()
    ties = tuple(
        position
        for position, average in enumerate(averages.tolist())
        if not is_better(best, average, record)
    )
    averages.flags.writeable = False
    medoid = members[ties[0]]
    return MedoidResult(
        medoid.position,
        medoid.name,
        medoid.values,
        float(averages[ties[0]]),
        averages,
        ties,
        tuple(member.name for member in members),
    )


@compares("partitions", *READ_ALIKE[1:])
def element_consistency(given: Given, *, alpha: float = 0.9) -> FloatArray:
    """Element-centric consistency: how similarly many partitions treat each object.

    Use it to find the objects whose clusters change between several runs of a clusterer.

    Parameters
    ----------
    partitions : array-like of shape (n_partitions, n_samples), dict, DataFrame or iterable
        :term:`Labels` of two or more partitions of the same objects, one per row, value or column.
    alpha : float, default=0.9
        Probability, between 0 and 1, that a walk from object to cluster to object continues. For
        two partitions the value is the same for all alpha.

    Returns
    -------
    ndarray of shape (n_samples,)
        In (0, 1], in the order of the objects; 1.0 where all partitions have the same cluster; NaN
        for objects that no two partitions have.

    Raises
    ------
    ValueError
        If there are fewer than two partitions, lengths differ, or labels are invalid, or ``alpha``
        is not between 0 and 1.
    TypeError
        If labels are not hashable, or memberships; or if ``partitions`` is not a collection of
        partitions.

    See Also
    --------
    element_centric_similarities : Of two partitions.
    pairwise_scores : All pairs of partitions, not of single objects.
    cluster_stability : Clusters and objects under resampling.

    Notes
    -----
    The mean of :func:`element_centric_similarities` over all pairs of partitions that have the
    object: with noise or missing objects left out, each pair is compared on those that both have.

    References
    ----------
    .. [1] A. J. Gates, I. B. Wood, W. P. Hetrick, Y.-Y. Ahn, "Element-centric clustering comparison
       unifies overlaps and hierarchy", Scientific Reports 9, 2019

    Examples
    --------
    >>> from sklearn_clustcompare.consensus import element_consistency
    >>> element_consistency([[0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 0, 1]]).round(3)
    array([0.778, 0.778, 0.556, 0.667])
    """
    probability("alpha", alpha)
    members = list_members(given.partitions)
    if len(members) < 2:
        msg = f"partitions must be at least two, got {len(members)}"
        raise ValueError(msg)
    return mean_similarities(read_labels_of(members, given.reading), given.reading)


def common_refinement(*partitions: PartitionLike, unmatched: str = "error") -> IntArray:
    """Divide the objects as finely as all partitions together do: their product.

    Two objects share a cluster of the product if they do so in every partition. It is the
    coarsest of all partitions that refine each of them.

    Parameters
    ----------
    *partitions : array-like of shape (n_samples,)
        Labels of the same objects, of any hashable kind.
    unmatched : {"error", "drop", "singleton"}, default="error"
        How to treat objects that not all partitions have, where they name objects (dicts,
        Series, sets): raise an error, leave them out, or make each a cluster of its own where
        it lacks.

    Returns
    -------
    ndarray of int64 of shape (n_samples,)
        Clusters of the product, numbered from zero in the order in which they appear. So the
        order of the partitions and the names of their clusters do not matter.

    Raises
    ------
    ValueError
        If there is no partition, if lengths differ or labels are missing.
    TypeError
        If labels are not hashable.

    See Also
    --------
    common_coarsening : The finest partition that all of them refine.
    is_refinement : Whether one partition refines another.
    consensus_partition : A partition between all of them.

    Notes
    -----
    The entropy of the product is the joint entropy. Its variation of information with either of
    two partitions adds up to that between the two [1]_.

    References
    ----------
    .. [1] S. Wagner, D. Wagner, "Comparing clusterings: an overview", Universität Karlsruhe,
       Interner Bericht 2006-04, 2007, sections 1 and 5.3.

    Examples
    --------
    >>> from sklearn_clustcompare.consensus import common_refinement
    >>> common_refinement(["a", "a", "b", "b"], [1, 2, 2, 2])
    array([0, 1, 2, 2])
    """
    return common_cells(_codes(partitions, unmatched)).astype(np.int64)


def common_coarsening(*partitions: PartitionLike, unmatched: str = "error") -> IntArray:
    """Merge the objects as far as any of the partitions does: their join.

    Two objects share a cluster of the join if a chain of objects leads from one to the other, of
    which each shares a cluster with the next in some partition. It is the finest of all partitions
    that each of them refines: no partition has a cluster with objects of two clusters of the join.

    Parameters
    ----------
    *partitions : array-like of shape (n_samples,)
        Labels of the same objects, of any hashable kind.
    unmatched : {"error", "drop", "singleton"}, default="error"
        How to treat objects that not all partitions have, where they name objects (dicts,
        Series, sets): raise an error, leave them out, or make each a cluster of its own where
        it lacks.

    Returns
    -------
    ndarray of int64 of shape (n_samples,)
        Clusters of the join, numbered from zero in the order in which they appear. So the order
        of the partitions and the names of their clusters do not matter.

    Raises
    ------
    ValueError
        If there is no partition, if lengths differ or labels are missing.
    TypeError
        If labels are not hashable.

    See Also
    --------
    common_refinement : The coarsest partition that refines all of them.
    is_refinement : Whether one partition refines another.

    Notes
    -----
    Of two partitions the clusters of the join are the connected components of the contingency
    table: rows and columns that share an object are connected. With the product,
    :func:`common_refinement`, the partitions form a lattice [1]_. One object in a wrong cluster may
    join two large clusters; the join of many partitions is often a single cluster.

    References
    ----------
    .. [1] M. Meila, "Comparing clusterings: an axiomatic view", ICML 2005,
       :doi:`10.1145/1102351.1102424`

    Examples
    --------
    >>> from sklearn_clustcompare.consensus import common_coarsening
    >>> common_coarsening(["a", "a", "b", "b", "c"], [1, 2, 2, 2, 3])
    array([0, 0, 0, 0, 1])
    """
    codes = _codes(partitions, unmatched)
    n_clusters = codes.max(axis=1, initial=-1) + 1
    if not n_clusters.sum():
        return codes[0].astype(np.int64)
    # Before 1.14 SciPy's algorithms on graphs take indices of this type only.
    nodes = (codes + (np.cumsum(n_clusters) - n_clusters)[:, np.newaxis]).astype(np.int32)
    edges = np.tile(nodes[0], len(nodes) - 1), nodes[1:].ravel()
    graph = coo_array((np.ones(len(edges[0]), bool), edges), (n_clusters.sum(),) * 2)
    component = connected_components(graph.tocsr(), directed=False)[1]
    return in_order_of_appearance(component[codes[0]]).astype(np.int64)


def is_refinement(
    finer: PartitionLike, coarser: PartitionLike, *, unmatched: str = "error"
) -> bool:
    """Return whether every cluster of one partition lies within a cluster of another.

    Clusters of a refinement need only be merged to give the coarser partition: no object is on
    the wrong side of a border, and ``homogeneity_score(coarser, finer)`` is 1. Of two partitions
    neither need refine the other.

    Parameters
    ----------
    finer, coarser : array-like of shape (n_samples,)
        Labels of the same objects, of any hashable kind.
    unmatched : {"error", "drop", "singleton"}, default="error"
        How to treat objects that not all partitions have, where they name objects (dicts,
        Series, sets): raise an error, leave them out, or make each a cluster of its own where
        it lacks.

    Returns
    -------
    bool
        Whether ``finer`` refines ``coarser``. Equal partitions refine each other.

    Raises
    ------
    ValueError
        If lengths differ or labels are missing.
    TypeError
        If labels are not hashable.

    See Also
    --------
    common_refinement : The coarsest partition that refines several.
    common_coarsening : The finest partition that several refine.

    References
    ----------
    .. [1] S. Wagner, D. Wagner, "Comparing clusterings: an overview", Universität Karlsruhe,
       Interner Bericht 2006-04, 2007, section 1.

    Examples
    --------
    >>> from sklearn_clustcompare.consensus import is_refinement
    >>> is_refinement([0, 0, 1, 2], ["x", "x", "y", "y"])
    True
    >>> is_refinement(["x", "x", "y", "y"], [0, 0, 1, 2])
    False
    """
    sides = read_labels(finer, "finer"), read_labels(coarser, "coarser")
    table = count(*sides, reading=Reading(unmatched=unmatched))
    return table.n_cells == table.shape[0]


def _codes(partitions: Sequence[PartitionLike], unmatched: str) -> Positions:
    """Return the classes of all objects in each partition, numbered as they appear."""
    read = read_labels_of(list_members(partitions), Reading(unmatched=unmatched))
    return np.array([in_order_of_appearance(one.codes) for one in read])
