"""Covers: clusters that may share objects, and objects that may be in none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, ClassVar

import numpy as np
from scipy import sparse

from sklearn_clustcompare._array_types import Array, IntArray
from sklearn_clustcompare._frozen import Frozen, counted
from sklearn_clustcompare._options import shortened, tells_keywords
from sklearn_clustcompare._partition.arrays import as_label_array, check_same_length
from sklearn_clustcompare._partition.labels import (
    Labels,
    ObjectNames,
    are_positions,
    as_objects,
    encode,
    index_of,
    matching_order,
    places_among,
    read_ids,
)
from sklearn_clustcompare._partition.memberships import as_membership_array
from sklearn_clustcompare._rendering import Shown

_MAX_SHOWN = 10

# Types that are not a cluster or a collection of clusters, although they can be iterated over.
_SCALARS = str | bytes

_OBJECTS_HINT = "name all of them, including those in no cluster, with objects= when making a Cover"


class NoLabels(Frozen, Shown):
    """Argument that is neither labels nor memberships."""

    # Which functions accept it, as a sentence; tests compare it with the registry.
    _takers: ClassVar[str]


class NoPartition(NoLabels):
    """Argument that replaces labels, but only in the functions that it names."""


class Cover(
    NoPartition,
    made_by=(
        "Cover.from_sets(sets), Cover.from_communities(communities) or Cover.from_matrix(matrix)"
    ),
):
    """Clusters that may overlap; frozen, sparse.

    An overlapping clustering, such as the communities of a network: an object is in one cluster,
    in several or in none. Pass a cover instead of labels to the indices that are defined for it
    (``list_indices(covers=True)``), and one without overlap that has all objects to any function.
    Make one with :meth:`from_sets`, :meth:`from_communities` or :meth:`from_matrix`. Clusters
    without objects are left out, and clusters have no names.

    Attributes
    ----------
    membership : scipy.sparse.csr_array of shape (n_samples, n_clusters)
        1 where an object is in a cluster, else 0.
    objects : ndarray of shape (n_samples,) or None
        Names of the objects, each of which occurs once; None if they are known by position only.
    n_samples : int
        Number of objects, including those in no cluster.
    n_clusters : int
        Number of clusters.
    is_partition : bool
        Whether each object is in one cluster: functions of labels then accept the cover.

    See Also
    --------
    omega_score : The adjusted Rand index of covers.
    list_indices : Indices that accept covers, with ``covers=True``.
    Hierarchy : Clusters within clusters.

    Notes
    -----
    Two covers are compared object by object: by name if both have names, which must be the same up
    to their order, else by position. Labels in a pandas Series are named by its index, unless it is
    the default one. Covers are equal if their objects are the same, and their clusters are the same
    up to their order.

    Examples
    --------
    >>> from sklearn_clustcompare import Cover, omega_score
    >>> cover = Cover.from_sets([{0, 1, 2}, {2, 3}, {4, 5}])
    >>> cover
    Cover: 6 objects in 3 clusters, 7 memberships
    {0, 1, 2}
    {2, 3}
    {4, 5}
    >>> omega_score(cover, Cover.from_sets([{0, 1, 2}, {2, 3, 5}, {0, 4, 5}]))
    0.5
    """

    _takers = (
        "covers are compared by bcubed_precision_score, bcubed_recall_score, bcubed_f_score, "
        "element_centric_similarity_score, omega_score, "
        "overlapping_normalized_mutual_info_score, average_f_score"
    )

    membership: sparse.csr_array
    objects: Array | None

    # ----------------------------------------------------------------- constructors

    @classmethod
    @tells_keywords
    def from_sets(cls, sets: Iterable[Any], *, objects: Any = None) -> Cover:
        """Make a cover from clusters given as sets of objects.

        Use it for clusters that are lists of their members, in any order.

        Parameters
        ----------
        sets : iterable of collections of hashable
            Each cluster as a set, list or array of its objects, which are of any hashable type.
            Empty ones are left out.
        objects : array-like of shape (n_samples,), default=None
            Names of all objects, including those in no cluster, in the order in which they are
            compared with labels. None takes the existing names; see Notes.

        Returns
        -------
        Cover
            With its ``objects`` named.

        Raises
        ------
        ValueError
            If a cluster has an object twice, or one that is not among ``objects``, or if
            ``objects`` names one twice.
        TypeError
            If there are no collections, or objects are not hashable.

        See Also
        --------
        Cover.from_communities : Results of packages for networks.
        Cover.from_matrix : Clusters as columns of 0 and 1.

        Notes
        -----
        Without ``objects``, the objects are those in the sets, in sorted order if they can be
        sorted.

        Examples
        --------
        >>> from sklearn_clustcompare import Cover
        >>> Cover.from_sets([{"ann", "bob"}, {"bob", "eve"}], objects=["ann", "bob", "eve", "dan"])
        Cover: 4 objects in 2 clusters, 4 memberships
        {'ann', 'bob'}
        {'bob', 'eve'}
        """
        if isinstance(sets, Mapping | Cover | set | frozenset | _SCALARS):
            msg = (
                "sets must be a list of sets, or of other collections of objects, got "
                f"{type(sets).__name__}; use Cover.from_communities for a dict of objects"
            )
            raise TypeError(msg)
        if not hasattr(sets, "__iter__"):
            msg = f"sets must be a list of sets of objects, got {type(sets).__name__}"
            raise TypeError(msg)
        clusters = [_as_cluster(one, number) for number, one in enumerate(sets)]
        members = list(chain.from_iterable(clusters))
        codes = np.repeat(np.arange(len(clusters)), [len(cluster) for cluster in clusters])
        return cls._of_members(members, codes, "sets", objects)

    @classmethod
    @tells_keywords
    def from_communities(cls, communities: Any, *, objects: Any = None) -> Cover:
        """Make a cover from communities of a network, as returned by networkx, igraph and others.

        None of these packages is imported: objects are recognized by their attributes.

        Parameters
        ----------
        communities : iterable of collections, dict, VertexClustering or VertexCover
            Communities as sets of nodes, as networkx returns them; a dict that maps each node to
            its community, or to a collection of its communities; or a clustering or cover of
            igraph, whose nodes are identified by the ``name`` of the vertices, or else by their
            numbers.
        objects : array-like of shape (n_samples,), default=None
            Names of all objects, including those in no cluster, in the order in which they are
            compared with labels. None takes the existing names; see Notes.

        Returns
        -------
        Cover
            With its ``objects`` named.

        Raises
        ------
        ValueError
            If a node is in a community twice, or not among ``objects``, or if ``objects`` names one
            twice.
        TypeError
            If there are no communities, or nodes are not hashable.

        See Also
        --------
        Cover.from_sets : Clusters as sets of objects.

        Notes
        -----
        In a dict, a list, tuple, set or array is a collection of communities of a node; any other
        value is one community. A node with None in igraph, or with an empty collection, is in no
        community.

        Without ``objects``, the objects are the nodes of the dict or graph, in their order, or
        those in the sets, in sorted order if they can be sorted.

        Examples
        --------
        >>> from sklearn_clustcompare import Cover
        >>> Cover.from_communities({"ann": [0], "bob": [0, 1], "eve": [1], "dan": []})
        Cover: 4 objects in 2 clusters, 4 memberships
        {'ann', 'bob'}
        {'bob', 'eve'}
        """
        if isinstance(communities, Mapping):
            nodes, of_each = list(communities), list(communities.values())
        elif hasattr(communities, "membership") and hasattr(communities, "graph"):
            nodes, of_each = vertices(communities.graph), list(communities.membership)
        else:
            return cls.from_sets(communities, objects=objects)
        collections = [_as_collection(*one) for one in zip(of_each, nodes, strict=True)]
        members = [node for node, one in zip(nodes, collections, strict=True) for _ in one]
        labels = encode(list(chain.from_iterable(collections)), "communities")
        objects = nodes if objects is None else objects
        return cls._of_members(members, labels.zero_based(), "communities", objects)

    @classmethod
    @tells_keywords
    def from_matrix(cls, matrix: Any, *, objects: Any = None) -> Cover:
        """Make a cover from clusters given as columns of 0 and 1.

        Use it for objects with several labels, and for memberships cut at a threshold.

        Parameters
        ----------
        matrix : {array-like, sparse, DataFrame} of shape (n_samples, n_clusters)
            1 where an object is in a cluster, else 0. Columns without members are left out.
        objects : array-like of shape (n_samples,), default=None
            Names of all objects, including those in no cluster, in the order in which they are
            compared with labels. None takes the existing names; see Notes.

        Returns
        -------
        Cover
            With named ``objects`` if the rows are named.

        Raises
        ------
        ValueError
            If the matrix has entries other than 0 and 1 or not two dimensions, or if ``objects``
            has another length or repeats a name.
        TypeError
            If the matrix does not hold numbers.

        See Also
        --------
        Cover.from_sets : Clusters as sets of objects.
        ContingencyTable.from_memberships : Memberships of soft clusters, which may be fractions.

        Notes
        -----
        Without ``objects``, the objects have the names in the index of a DataFrame, unless it is
        the default one; else they are identified by position only.

        Examples
        --------
        >>> from sklearn_clustcompare import Cover
        >>> cover = Cover.from_matrix([[1, 0], [1, 1], [0, 1], [0, 0]])
        >>> cover.n_samples, cover.n_clusters
        (4, 2)
        """
        index = index_of(matrix)
        array = as_membership_array(matrix, "matrix")
        coordinates = sparse.coo_array(array)
        wrong = np.flatnonzero(~((coordinates.data == 1) | (coordinates.data == 0)))
        if len(wrong):
            row, value = coordinates.row[wrong[0]], coordinates.data[wrong[0]]
            msg = (
                f"matrix must hold 0 and 1 only, got {value:g} in row {row}: pass fractional "
                "memberships instead of a Cover"
            )
            raise ValueError(msg)
        names = names_of_index(index, "matrix") if objects is None else read_ids(objects, "objects")
        if names is not None:
            check_same_length(array.shape[0], len(names), ("matrix", "objects"))
        is_member = coordinates.data == 1
        rows, cols = coordinates.row[is_member], coordinates.col[is_member]
        return cls._of(rows, cols, array.shape[0], names)

    @classmethod
    def _of_members(cls, members: list[Any], clusters: IntArray, name: str, objects: Any) -> Cover:
        """Make a cover from pairs of an object and a cluster number, and all objects."""
        if objects is None:
            known, _ = encode(members, name).compact()
            names, rows = known.labels_of(np.arange(known.n_codes)), known.codes
        else:
            names = read_ids(objects, "objects")
            rows = places_among(as_label_array(members, name), names)
            unknown = np.flatnonzero(rows < 0)
            if len(unknown):
                msg = f"objects must name all objects of {name}, got none named "
                raise ValueError(msg + shortened(members[unknown[0]]))
        return cls._of(rows, clusters, len(names), names)

    @classmethod
    def _of(
        cls,
        rows: Array,
        cols: Array,
        n_samples: int,
        objects: Array | None,
    ) -> Cover:
        occurring, cols = np.unique(cols, return_inverse=True)
        ones = np.ones(len(rows), np.int64)
        membership = sparse.csr_array((ones, (rows, cols)), (n_samples, len(occurring)))
        return cls._of_membership(membership, objects)

    @classmethod
    def _of_membership(cls, membership: sparse.csr_array, objects: Array | None) -> Cover:
        membership.sort_indices()
        return cls._of_parts(membership=membership, objects=objects)

    # ----------------------------------------------------------------- contents

    @property
    def n_samples(self) -> int:
        """Number of objects, including those in no cluster."""
        return int(self.membership.shape[0])

    @property
    def n_clusters(self) -> int:
        """Number of clusters."""
        return int(self.membership.shape[1])

    @property
    def is_partition(self) -> bool:
        """Whether each object is in one cluster: functions of labels then accept the cover."""
        return bool((np.diff(self.membership.indptr) == 1).all())

    def _content(self) -> Hashable:
        return self._identity(), counted(self._cluster_keys())

    def _identity(self) -> Hashable:
        """Return what the objects are known by: their names, or else their number."""
        return (
            self.n_samples if self.objects is None else frozenset(as_objects(self.objects).tolist())
        )

    def _cluster_keys(self) -> Sequence[Hashable]:
        """Return the objects of each cluster, to be compared."""
        columns = columns_of(self.membership)
        if self.objects is None:
            return columns
        names = as_objects(self.objects).tolist()
        return [frozenset(map(names.__getitem__, np.frombuffer(one, np.int64))) for one in columns]

    # ----------------------------------------------------------------- display

    def _headline(self) -> str:
        return (
            f"Cover: {self.n_samples} objects in {self.n_clusters} clusters, "
            f"{self.membership.nnz} memberships"
        )

    def _conclusion(self) -> list[str]:
        columns = sparse.csc_array(self.membership[:, :_MAX_SHOWN])
        shown = [
            self._cluster_text(columns.indices[start:stop])
            for start, stop in zip(columns.indptr[:-1], columns.indptr[1:], strict=True)
        ]
        n_hidden = self.n_clusters - len(shown)
        return [*shown, f"... {n_hidden:,} more"] if n_hidden else shown

    def _cluster_text(self, positions: Array) -> str:
        names = positions if self.objects is None else self.objects[positions]
        shown = [*map(repr, names[:_MAX_SHOWN].tolist()), *["..."] * (len(names) > _MAX_SHOWN)]
        return "{" + ", ".join(shown) + "}"


def cover_of_labels(labels: Labels) -> Cover:
    """Return labels that were read as a cover without overlaps."""
    if isinstance(labels.ids, ObjectNames) and are_positions(labels.ids):
        order = np.argsort(labels.ids.values)
        labels = labels.take(order).with_ids(ObjectNames(labels.ids.values[order]))
    compact, _ = labels.compact()
    names = names_of_index(labels.ids, labels.name)
    return Cover._of(np.arange(labels.n_objects), compact.codes, labels.n_objects, names)


def align_cover(cover: Cover, other: Cover, names: tuple[str, str]) -> Cover:
    """Return a cover with its objects in the order of another; raise ValueError if they differ.

    ``names`` are the names of the other one and of this one in messages.
    """
    if cover.objects is None or other.objects is None:
        hint = f" objects: {_OBJECTS_HINT}"
        check_same_length(other.n_samples, cover.n_samples, names, hint)
        return cover
    order = matching_order(other.objects, cover.objects, names, f": {_OBJECTS_HINT}")
    if order is None:
        return cover
    return Cover._of_membership(cover.membership[order], other.objects)


def columns_of(matrix: Any) -> list[bytes]:
    """Return the rows in which each column of a sparse matrix is occupied, to be compared."""
    columns = sparse.csc_array(matrix)
    columns.sort_indices()
    rows = columns.indices.astype(np.int64)
    return [
        rows[start:stop].tobytes()
        for start, stop in zip(columns.indptr[:-1], columns.indptr[1:], strict=True)
    ]


def refuse_if_no_partition(values: Any, name: str) -> None:
    """Raise TypeError for a cover, a hierarchy or a table, where labels or memberships are read."""
    if isinstance(values, NoLabels):
        msg = (
            f"{name} must be labels or memberships here, got a {type(values).__name__}: "
            f"{values._takers}"
        )
        raise TypeError(msg)


def names_of_index(index: Any, name: str) -> Array | None:
    """Return the names in a pandas index, or None for the default one and for no index."""
    if index is None or type(index).__name__ == "RangeIndex":
        return None
    return read_ids(index, f"index of {name}")


def _as_cluster(cluster: Any, number: int) -> list[Any]:
    if isinstance(cluster, _SCALARS) or not hasattr(cluster, "__iter__"):
        msg = (
            f"sets must hold sets, or other collections of objects, got {type(cluster).__name__} "
            f"at position {number}"
        )
        raise TypeError(msg)
    members = cluster.tolist() if isinstance(cluster, np.ndarray) else list(cluster)
    _check_distinct(members, "sets", f"cluster {number}")
    return members


def _as_collection(communities: Any, node: Any) -> list[Any]:
    """Return the communities of one node."""
    if isinstance(communities, np.ndarray):
        communities = communities.tolist()
    if not isinstance(communities, list | tuple | set | frozenset):
        return [] if communities is None else [communities]
    collection = list(communities)
    _check_distinct(collection, "communities", f"those of {node!r}")
    return collection


def _check_distinct(values: list[Any], name: str, where: str) -> None:
    try:
        counts = Counter(values)
    except TypeError as error:
        msg = f"{name} must hold hashable objects, got in {where}: {error}"
        raise TypeError(msg) from None
    if len(counts) < len(values):
        [(value, _)] = counts.most_common(1)
        msg = f"{name} must have nothing twice, got {shortened(value)} twice in {where}"
        raise ValueError(msg)


def vertices(graph: Any) -> list[Any]:
    """Return the names of the vertices of a graph of igraph, or their numbers."""
    if "name" in graph.vs.attributes():
        return list(graph.vs["name"])
    return list(range(graph.vcount()))
