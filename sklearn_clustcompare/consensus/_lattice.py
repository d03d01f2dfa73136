"""Partitions as a lattice: their product, their join, and whether one refines another."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from sklearn_clustcompare._partition import Labels, read_labels
from sklearn_clustcompare._partition.arrays import PartitionLike
from sklearn_clustcompare._table import count
from sklearn_clustcompare._table.many import (
    common_cells,
    in_order_of_appearance,
    list_members,
    read_labels_of,
)


def common_refinement(*partitions: PartitionLike) -> NDArray[np.int64]:
    """Divide the objects as finely as all partitions together do: their product.

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
    >>> from sklearn_clustcompare.consensus import common_refinement
    >>> common_refinement(["a", "a", "b", "b"], [1, 2, 2, 2])
    array([0, 1, 2, 2])
    """
    return common_cells(_codes(read_labels_of(list_members(partitions)))).astype(np.int64)


def common_coarsening(*partitions: PartitionLike) -> NDArray[np.int64]:
    """Merge the objects as far as any of the partitions does: their join.

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


def is_refinement(finer: PartitionLike, coarser: PartitionLike) -> bool:
    """Return whether every cluster of one partition lies within a cluster of another.

    Clusters of a refinement need only be merged to give the coarser partition: no object is on
    the wrong side of a border, and ``homogeneity_score(coarser, finer)`` is 1. Of two partitions
    neither need refine the other.

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
    >>> from sklearn_clustcompare.consensus import is_refinement
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
