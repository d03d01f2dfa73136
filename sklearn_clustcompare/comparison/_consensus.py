"""What many partitions have in common: their medoid, their consensus, their product and join."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.spatial.distance import pdist
from sklearn.exceptions import ConvergenceWarning, UndefinedMetricWarning

from sklearn_clustcompare._parameters import positive_integer, random_source
from sklearn_clustcompare._partition import Labels, read_labels
from sklearn_clustcompare._rendering import Shown, Table, decimal, table_of
from sklearn_clustcompare._table.contingency import count
from sklearn_clustcompare.comparison._members import list_members, read_labels_of
from sklearn_clustcompare.comparison._moves import (
    Agreement,
    in_order_of_appearance,
    is_better,
    mean,
    product,
)
from sklearn_clustcompare.comparison._pairwise import pairwise_scores
from sklearn_clustcompare.indices import Index, reference_index

# A tree of more cells needs too many distances: 100 MB for this many.
_MAX_LINKED_CELLS = 5000


@dataclass(frozen=True, eq=False, repr=False)
class MedoidResult(Shown):
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

    See Also
    --------
    medoid_partition : Makes it.
    pairwise_scores : The index of all pairs, of which these are averages.

    Examples
    --------
    >>> from sklearn_clustcompare import medoid_partition
    >>> runs = {"first": [0, 0, 1, 1], "second": [0, 0, 0, 1], "third": [1, 1, 0, 0]}
    >>> medoid = medoid_partition(runs, index="rand_score")
    >>> medoid.name, medoid.score, medoid.averages
    ('first', 0.75, array([0.75, 0.5 , 0.75]))
    >>> medoid.ties
    (0, 2)
    """

    position: int
    name: Any
    labels: Any
    score: float
    averages: NDArray[np.float64]
    ties: tuple[int, ...]

    def _headline(self) -> str:
        return f"MedoidResult: {self.name}, average index {decimal(self.score)}"

    def _shown(self) -> Table:
        notes = [
            "medoid" if position == self.position else "tied" if position in self.ties else ""
            for position in range(len(self.averages))
        ]
        positions = [str(position) for position in range(len(notes))]
        return table_of({"partition": positions, "average": self.averages, "": notes})


@dataclass(frozen=True, eq=False, repr=False)
class ConsensusResult(Shown):
    """What several partitions have in common; made by :func:`consensus_partition`.

    Printed, and as HTML in a notebook, it shows the index with each partition. All parameters are
    attributes of the same names, which cannot be set.

    Parameters
    ----------
    labels : ndarray of int64 of shape (n_samples,)
        Cluster of each object, numbered from zero in the order in which they appear.
    score : float
        Average index with the partitions.
    scores : ndarray of float64 of shape (n_partitions,)
        Index with each partition.
    n_iter : int
        Number of rounds of moves that raised the average.
    history : ndarray of float64 of shape (n_iter + 1,)
        Average at the start and after each round; it gets better with each.

    See Also
    --------
    consensus_partition : Makes it.

    Examples
    --------
    >>> from sklearn_clustcompare import consensus_partition
    >>> runs = [[0, 0, 1, 1], [0, 0, 0, 1], [1, 1, 0, 0]]
    >>> consensus = consensus_partition(runs, index="rand_score", random_state=0)
    >>> consensus.labels, consensus.scores
    (array([0, 0, 1, 1]), array([1. , 0.5, 1. ]))
    """

    labels: NDArray[np.int64]
    score: float
    scores: NDArray[np.float64]
    n_iter: int
    history: NDArray[np.float64]

    def _headline(self) -> str:
        n_clusters = len(np.unique(self.labels))
        return (
            f"ConsensusResult: {len(self.labels)} objects in {n_clusters} clusters, average index "
            f"{decimal(self.score)}"
        )

    def _shown(self) -> Table:
        positions = [str(position) for position in range(len(self.scores))]
        return table_of({"partition": positions, "index": self.scores})


def medoid_partition(
    partitions: Any,
    *,
    index: str | Index = "adjusted_rand_score",
    n_jobs: int | None = None,
    verbose: int = 0,
    **params: Any,
) -> MedoidResult:
    """Find the partition that agrees best with all the others, on average.

    The most typical of several runs or methods. It is always one of the given partitions, so some
    method has found it. All pairs are compared: the time grows with the square of their number.

    Parameters
    ----------
    partitions : array-like of shape (n_partitions, n_samples), list, dict, DataFrame or iterator
        The :term:`partitions` to compare, of the same objects.
    index : str or Index, default="adjusted_rand_score"
        The :term:`index`, by its name (see :func:`list_indices`) or as your own record.
    n_jobs : int, default=None
        :term:`Number of parallel jobs <n_jobs>`; the result does not depend on it.
    verbose : int, default=0
        Whether to show progress on stderr.
    **params : dict
        Parameters of the index.

    Returns
    -------
    MedoidResult
        With ``position``, ``name``, ``labels``, ``score``, ``averages`` and ``ties``. A single
        partition is its own medoid, and its score is the index with itself.

    Raises
    ------
    ValueError
        If there is no partition, if lengths differ, labels are missing, or the index is unknown.
    TypeError
        If the index does not take the parameters, or labels are not hashable.

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
    >>> from sklearn_clustcompare import medoid_partition
    >>> runs = {"a": [0, 0, 1, 1, 2, 2], "b": [0, 0, 1, 1, 1, 2], "c": [0, 0, 1, 1, 1, 1]}
    >>> medoid = medoid_partition(runs)
    >>> medoid.name, round(medoid.score, 4)
    ('b', 0.5158)
    >>> medoid.ties
    (1, 2)
    """
    members = list_members(partitions)
    record = reference_index(index)
    scores = pairwise_scores(
        [member.read() for member in members],
        index=record,
        n_jobs=n_jobs,
        verbose=verbose,
        **params,
    ).values
    others = ~np.eye(len(members), dtype=bool) | (len(members) == 1)
    averages = np.array([mean(column[to]) for column, to in zip(scores.T, others, strict=True)])
    best = averages.max() if record.greater_is_better else averages.min()
    ties = tuple(
        position
        for position, average in enumerate(averages.tolist())
        if not is_better(best, average, record)
    )
    averages.flags.writeable = False
    medoid = members[ties[0]]
    return MedoidResult(
        medoid.position, medoid.name, medoid.values, float(averages[ties[0]]), averages, ties
    )


def consensus_partition(
    partitions: Any,
    *,
    index: str | Index = "adjusted_rand_score",
    max_iter: int = 100,
    random_state: Any = None,
    n_jobs: int | None = None,
    verbose: int = 0,
    **params: Any,
) -> ConsensusResult:
    """Find a partition that agrees well with all the given ones, on average.

    The search starts from the best of the partitions given and of cuts through a tree of their
    co-associations. Then objects move to other clusters, or to new ones, as long as that raises
    the average. The consensus is therefore never worse than any of the partitions.

    Parameters
    ----------
    partitions : array-like of shape (n_partitions, n_samples), list, dict, DataFrame or iterator
        The :term:`partitions` to compare, of the same objects.
    index : str or Index, default="adjusted_rand_score"
        The :term:`index`, by its name (see :func:`list_indices`) or as your own record.
    max_iter : int, default=100
        Largest number of rounds, in each of which many objects may move.
    random_state : int, RandomState, Generator, SeedSequence or None, default=None
        :term:`Source of randomness <random_state>`.
    n_jobs : int, default=None
        :term:`Number of parallel jobs <n_jobs>`; the result does not depend on it.
    verbose : int, default=0
        Whether to show progress on stderr.
    **params : dict
        Parameters of the index.

    Returns
    -------
    ConsensusResult
        With ``labels``, ``score``, ``scores``, ``n_iter`` and ``history``.

    Raises
    ------
    ValueError
        If there is no partition, if lengths differ, labels are missing, or the index is unknown.
    TypeError
        If partitions are memberships, the index does not take the parameters, or labels are not
        hashable.

    Warns
    -----
    ConvergenceWarning
        If the average could still be raised after ``max_iter`` rounds.

    See Also
    --------
    medoid_partition : The best of the partitions given.
    common_refinement : The partition by all of them at once.

    Notes
    -----
    Distances are minimized. For an index that is not symmetric, the consensus is ``labels_pred``.
    ``random_state`` decides which of several moves of equal gain come first; where none tie, the
    result does not depend on it. Jobs share the comparison of all pairs before the search.

    Objects that have the same label in every partition move together. What remains is a local
    optimum: no such group of objects can be moved alone so that the average gets better. To find
    the best partition of all is NP-hard for most indices.

    The tree is made by average linkage of the groups, each counted once, under the share of
    partitions that separate two of them; it is left out above 5,000 groups. It is cut where half
    of the partitions separate the clusters (the majority), and into as many clusters as each
    of the partitions has.

    A round evaluates the index once for each partition and each move that differs by the class
    that moves, its size, and the clusters left and joined: thousands of times. For fifty
    partitions of five thousand objects that takes seconds for indices of pair counting, half a
    minute for others, and long for those that are adjusted for chance by more than a formula.
    Among more than 20 clusters a group tries the 20 that it shares most with, and a new one; the
    optimum is local in that sense.

    References
    ----------
    .. [1] S. Wagner, D. Wagner, "Comparing clusterings: an overview", Universität Karlsruhe,
       Interner Bericht 2006-04, 2007, section 1.
    .. [2] A. L. N. Fred, A. K. Jain, "Combining multiple clusterings using evidence
       accumulation", IEEE TPAMI 27(6), 2005. :doi:`10.1109/TPAMI.2005.113`.

    Examples
    --------
    >>> from sklearn_clustcompare import consensus_partition
    >>> runs = [[0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 2, 2], [0, 1, 1, 0, 0, 0], list("aaabbb")]
    >>> consensus = consensus_partition(runs, random_state=0)
    >>> consensus.labels
    array([0, 0, 0, 1, 1, 1])
    >>> round(consensus.score, 4)
    0.5682
    """
    record = reference_index(index)
    record.check_parameters(**params)
    positive_integer("max_iter", max_iter)
    members = list_members(partitions)
    labels_of_members = read_labels_of(members)
    codes = _codes(labels_of_members)
    cells = _common_refinement(codes)
    _, first, sizes = np.unique(cells, return_index=True, return_counts=True)
    agreement = Agreement(codes[:, first], sizes, record, params)
    with warnings.catch_warnings():
        # What an undefined index is set to counts on the way; at the end it is told.
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        pairs = pairwise_scores(
            labels_of_members, index=record, n_jobs=n_jobs, verbose=verbose, **params
        ).values
        averages = [mean(column) for column in pairs.T]
        best = max(averages) if record.greater_is_better else min(averages)
        starts = [agreement.codes[averages.index(best)], *_cuts(agreement)]
        start = starts[0]
        for cut in starts[1:]:
            if is_better(agreement.average(cut), agreement.average(start), record):
                start = cut
        search = agreement.climb(start, max_iter, random_source(random_state))
    if not search.is_optimum:
        warnings.warn(
            f"the consensus still improved after max_iter={max_iter} rounds; raise max_iter",
            ConvergenceWarning,
            stacklevel=2,
        )
    scores = agreement.scores(search.labels)
    labels = search.labels[cells].astype(np.int64)
    history = np.array(search.history)
    for array in (labels, scores, history):
        array.flags.writeable = False
    return ConsensusResult(labels, mean(scores), scores, len(history) - 1, history)


def common_refinement(*partitions: Any) -> NDArray[np.int64]:
    """Compute the coarsest partition that refines all given ones: their product.

    Two objects share a cluster of the product if they do so in every partition. It is the
    coarsest of all partitions that refine each of them.

    Parameters
    ----------
    *partitions : array-like of shape (n_samples,)
        Labels of the same objects, of any hashable kind.

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
    >>> from sklearn_clustcompare import common_refinement
    >>> common_refinement(["a", "a", "b", "b"], [1, 2, 2, 2])
    array([0, 1, 2, 2])
    """
    return _common_refinement(_codes(read_labels_of(list_members(partitions)))).astype(np.int64)


def common_coarsening(*partitions: Any) -> NDArray[np.int64]:
    """Compute the finest partition that all given ones refine: their join.

    Two objects share a cluster of the join if a chain of objects leads from one to the other, of
    which each shares a cluster with the next in some partition. It is the finest of all partitions
    that each of them refines: no partition has a cluster with objects of two clusters of the join.

    Parameters
    ----------
    *partitions : array-like of shape (n_samples,)
        Labels of the same objects, of any hashable kind.

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
    >>> from sklearn_clustcompare import common_coarsening
    >>> common_coarsening(["a", "a", "b", "b", "c"], [1, 2, 2, 2, 3])
    array([0, 0, 0, 0, 1])
    """
    codes = _codes(read_labels_of(list_members(partitions)))
    n_clusters = codes.max(axis=1, initial=-1) + 1
    if not n_clusters.sum():
        return codes[0].astype(np.int64)
    # Before 1.14 SciPy's algorithms on graphs take indices of this type only.
    nodes = (codes + (np.cumsum(n_clusters) - n_clusters)[:, np.newaxis]).astype(np.int32)
    edges = np.tile(nodes[0], len(nodes) - 1), nodes[1:].ravel()
    graph = coo_array((np.ones(len(edges[0]), bool), edges), (n_clusters.sum(),) * 2)
    component = connected_components(graph.tocsr(), directed=False)[1]
    return in_order_of_appearance(component[codes[0]]).astype(np.int64)


def is_refinement(finer: Any, coarser: Any) -> bool:
    """Return whether every cluster of one partition lies within a cluster of another.

    Clusters of a refinement need only be merged to give the coarser partition: no object has to
    move to another cluster, and ``homogeneity_score(coarser, finer)`` is 1. Two partitions need not
    refine each other in either direction.

    Parameters
    ----------
    finer, coarser : array-like of shape (n_samples,)
        Labels of the same objects, of any hashable kind.

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
    >>> from sklearn_clustcompare import is_refinement
    >>> is_refinement([0, 0, 1, 2], ["x", "x", "y", "y"])
    True
    >>> is_refinement(["x", "x", "y", "y"], [0, 0, 1, 2])
    False
    """
    table = count(read_labels(finer, "finer"), read_labels(coarser, "coarser"))
    return table.n_cells == table.shape[0]


def _codes(partitions: list[Labels]) -> NDArray[np.intp]:
    """Return the classes of all objects in each partition, numbered as they appear."""
    return np.array([in_order_of_appearance(partition.codes) for partition in partitions])


def _common_refinement(codes: NDArray[np.intp]) -> NDArray[np.intp]:
    cells = codes[0]
    for more in codes[1:]:
        cells = product(cells, more)
    return cells


def _cuts(agreement: Agreement) -> Iterator[NDArray[np.intp]]:
    """Yield partitions of the cells by the share of partitions that separate them."""
    if not 2 <= len(agreement.sizes) <= _MAX_LINKED_CELLS:
        return
    tree = linkage(pdist(agreement.codes.T, "hamming"), "average")
    yield in_order_of_appearance(fcluster(tree, 0.5, "distance"))
    for n_clusters in sorted(set((agreement.codes.max(axis=1) + 1).tolist())):
        yield in_order_of_appearance(fcluster(tree, n_clusters, "maxclust"))
