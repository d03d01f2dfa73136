"""Hierarchies: dendrograms, labels of several levels, nested clusters, and Newick texts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterator
from functools import cached_property
from typing import Any, NamedTuple, NoReturn

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse
from scipy.cluster.hierarchy import is_valid_linkage

from sklearn_clustcompare._array_types import Array, FloatArray, IntArray, Positions
from sklearn_clustcompare._frozen import counted
from sklearn_clustcompare._options import shortened
from sklearn_clustcompare._parameters import finite
from sklearn_clustcompare._partition.arrays import (
    DEFAULT,
    as_label_array,
    check_on_host,
    check_same_length,
)
from sklearn_clustcompare._partition.covers import Cover, NoPartition, align_cover, cover_of_labels
from sklearn_clustcompare._partition.labels import Labels, matching_order, read_ids
from sklearn_clustcompare._partition.reading import each_candidate

# A comment or space, a quoted name, a mark, or a name or a number.
_TOKEN = re.compile(r"(\s+|\[[^\]]*\])|('(?:[^']|'')*')|([(),:;])|([^\s()\[\],:;']+)")


class _Nodes(NamedTuple):
    """Nodes as they are written: the parent of each, its name, and the length of its branch."""

    parents: list[int]
    names: list[str | None]
    lengths: list[float | None]

    def add(self, parent: int) -> int:
        self.parents.append(parent)
        self.names.append(None)
        self.lengths.append(None)
        return len(self.parents) - 1


def _read_newick(text: str) -> tuple[list[str], FloatArray, list[int]]:
    """Return the names of the leaves of one tree, its linkage, and the last step of each node.

    A node of more than two children takes several steps. Raises ValueError for other texts.
    """
    nodes = _read_nodes(text)
    n_nodes = len(nodes.parents)
    children: list[list[int]] = [[] for _ in range(n_nodes)]
    for node, parent in enumerate(nodes.parents[1:], 1):
        children[parent].append(node)
    lengths = _lengths(nodes)
    # From the leaves up: children are written after their parent begins.
    heights = [0.0] * n_nodes
    for node in range(n_nodes - 1, 0, -1):
        parent = nodes.parents[node]
        heights[parent] = max(heights[parent], heights[node] + lengths[node])
    leaves = [node for node in range(n_nodes) if not children[node]]
    clusters = {node: number for number, node in enumerate(leaves)}
    sizes, rows, ends = [1] * len(leaves), [], []
    inner = (node for node in range(n_nodes) if children[node])
    for node in sorted(inner, key=lambda node: (heights[node], -node)):
        cluster, *others = (clusters[child] for child in children[node])
        for other in others:
            sizes.append(sizes[cluster] + sizes[other])
            rows.append((cluster, other, heights[node], sizes[-1]))
            cluster = len(sizes) - 1
        clusters[node] = cluster
        if others:
            ends.append(len(rows) - 1)
    return _names(nodes, leaves), np.array(rows, np.float64).reshape(-1, 4), ends


def _read_nodes(text: str) -> _Nodes:
    nodes = _Nodes([], [], [])
    node, is_new = nodes.add(-1), True
    tokens = _tokens(text)
    for position, quoted, mark, word in tokens:
        parent, is_within = nodes.parents[node], nodes.parents[node] >= 0
        if mark == "(" and is_new:
            node = nodes.add(node)
        elif mark == "," and is_within and not is_new:
            node, is_new = nodes.add(parent), True
        elif mark == ")" and is_within and not is_new:
            node = parent
        elif mark == ":" and not is_new and nodes.lengths[node] is None:
            nodes.lengths[node] = _length(text, next(tokens, None))
        elif (quoted or word) and nodes.names[node] is None and nodes.lengths[node] is None:
            nodes.names[node] = quoted[1:-1].replace("''", "'") if quoted else word
            is_new = False
        elif mark == ";" and not is_within and not is_new and next(tokens, None) is None:
            return nodes
        else:
            _refuse(text, position)
    return _refuse(text, len(text))


def _tokens(text: str) -> Iterator[tuple[int, str, str, str]]:
    """Yield the position of each token, and it as a quoted name, a mark, or another word."""
    position = 0
    while position < len(text):
        found = _TOKEN.match(text, position)
        if found is None:
            _refuse(text, position)
        space, quoted, mark, word = found.groups(default="")
        if not space:
            yield position, quoted, mark, word
        position = found.end()


def _length(text: str, token: tuple[int, str, str, str] | None) -> float:
    position, *_, word = token or (len(text), "")
    try:
        length = float(word)
    except ValueError:
        _refuse(text, position)
    if not 0 <= length < np.inf:
        msg = f"text must have branches of finite lengths of at least 0, got {word}"
        raise ValueError(msg)
    return length


def _lengths(nodes: _Nodes) -> list[float]:
    """Return the length of the branch above each node: 1 for all where no branch has one."""
    known = [length is not None for length in nodes.lengths[1:]]
    if any(known) and not all(known):
        lacks = known.index(False) + 1
        msg = (
            "text must have the lengths of all branches or of none, got one without above "
            f"{_called(nodes, lacks)}"
        )
        raise ValueError(msg)
    return [1.0 if length is None else length for length in nodes.lengths]


def _called(nodes: _Nodes, node: int) -> str:
    name = nodes.names[node]
    return "a node without a name" if name is None else shortened(name)


def _names(nodes: _Nodes, leaves: list[int]) -> list[str]:
    names = [str(nodes.names[leaf]) for leaf in leaves]
    repeated = [name for name, number in Counter(names).items() if number > 1]
    if repeated:
        msg = f"text must name each leaf once, got {shortened(repeated[0])} twice"
        raise ValueError(msg)
    return names


def _refuse(text: str, position: int) -> NoReturn:
    got = shortened(text[position : position + 40]) if position < len(text) else "its end"
    msg = (
        "text must be one tree in the Newick format with a name for each leaf, such as "
        f"'((a:1,b:1):1,c:2);', got {got} at position {position}"
    )
    raise ValueError(msg)


class Hierarchy(
    NoPartition,
    made_by=(
        "Hierarchy.from_linkage(Z), Hierarchy.from_newick(text) or Hierarchy.from_labels(levels)"
    ),
):
    """Nested clusters, each at a level; frozen.

    Pass a hierarchy instead of labels to the element-centric similarity, and to the functions that
    compare two hierarchies. Make one with :meth:`from_linkage`, :meth:`from_newick`
    or :meth:`from_labels`.

    Attributes
    ----------
    cover : Cover
        All clusters of all levels.
    levels : ndarray of float of shape (n_clusters,)
        Level of each cluster in [0, 1], from 0 for the largest ones.
    r : float
        Weight of the lower levels: a cluster at level l has weight exp(r l).
    leaf_names : ndarray of shape (n_samples,) or None
        Names of the leaves of a tree, if it came with some.

    See Also
    --------
    compare_hierarchies : An index for each number of clusters.
    cophenetic_correlation : Heights at which pairs of objects are joined.
    bakers_gamma : Uses the order of the heights only.
    Cover : Overlapping clusters of one level.

    Notes
    -----
    Hierarchies are equal if they have the same weight r, and the same linkage matrix; or, if they
    are made of labels, the same objects and clusters at the same levels, up to their order.

    Examples
    --------
    >>> from sklearn_clustcompare import Hierarchy
    >>> hierarchy = Hierarchy.from_labels([["a", "a", "b", "b"], [1, 1, 2, 3]])
    >>> hierarchy
    Hierarchy: 4 objects in 5 clusters at levels from 0 to 1
    >>> hierarchy.levels
    array([0., 0., 1., 1., 1.])
    """

    _takers = (
        "hierarchies are compared by element_centric_similarity_score, compare_hierarchies, "
        "cophenetic_correlation, bakers_gamma"
    )

    r: float
    # The dendrogram, with NaN for unknown heights, and the numbers of clusters at which it can be
    # cut, None for any.
    linkage: FloatArray
    cuts: IntArray | None
    leaf_names: Array | None

    @classmethod
    def from_linkage(cls, Z: Any, *, labels: ArrayLike | None = None, r: float = 1.0) -> Hierarchy:
        """Make a hierarchy from a dendrogram.

        Its clusters are the single objects, at level 1, and the results of all merges.

        Parameters
        ----------
        Z : array-like of shape (n_samples - 1, 4), or AgglomerativeClustering
            Linkage matrix, as :func:`scipy.cluster.hierarchy.linkage` returns it, or a fitted
            :class:`~sklearn.cluster.AgglomerativeClustering`.
        labels : array-like of hashable of shape (n_samples,), default=None
            Names of the objects, the leaves of the dendrogram, each of them once: they are then
            compared by name with all that names its objects. None: by position.
        r : float, default=1.0
            Weight of the lower levels: a cluster at level l has weight exp(r l).

        Returns
        -------
        Hierarchy

        Raises
        ------
        ValueError
            If the linkage is not valid, or the clusterer is not fitted or has stopped before all
            objects were merged; if there are not as many names as objects, or one occurs twice.

        See Also
        --------
        Hierarchy.from_labels : Uses some levels only.
        Hierarchy.from_newick : Reads the text of a tree.

        Notes
        -----
        The level of a cluster is 1 - h / H, from the height h of its merge and the largest height
        H. A clusterer has heights if it was fitted with ``compute_distances=True`` or a
        ``distance_threshold``. To use other levels, such as depths, change the heights of ``Z``.

        Examples
        --------
        >>> from scipy.cluster.hierarchy import linkage
        >>> from sklearn_clustcompare import Hierarchy
        >>> Hierarchy.from_linkage(linkage([[0.0], [1.0], [3.0]], "single")).levels
        array([1. , 1. , 1. , 0.5, 0. ])
        """
        linkage = _linkage_of(Z, "Z")
        names = None if labels is None else read_ids(labels, "labels")
        if names is not None:
            check_same_length(len(names), len(linkage) + 1, ("labels", "the leaves of Z"))
        return cls._of(r, linkage=linkage, cuts=None, leaf_names=names)

    @classmethod
    def from_newick(cls, text: str, *, r: float = 1.0) -> Hierarchy:
        """Make a hierarchy from the Newick text of a tree.

        Use it for trees of phylogenetics and of other programs for hierarchical clustering.

        Parameters
        ----------
        text : str in the Newick format
            One tree, such as ``"((a:1,b:1):1,'c d':2);"``: with a name for each leaf, and with the
            lengths of all branches or of none, which are then 1. Nodes may have any number of
            branches.
        r : float, default=1.0
            Weight of the lower levels: a cluster at level l has weight exp(r l).

        Returns
        -------
        Hierarchy
            Its objects are the leaves, in their order.

        Raises
        ------
        ValueError
            If the text is not one tree, a leaf has no name or that of another, or some branches
            have no length, or a negative one.
        TypeError
            If it is not text.

        See Also
        --------
        Hierarchy.from_linkage : Takes a linkage matrix.

        Notes
        -----
        The height of a node is the length of the longest path to a leaf below it, and its level is
        1 - h / H, with the height H of the root. Names are taken as they are written: underscores
        remain. Names of inner nodes, comments in brackets and the branch above the root are
        ignored.

        Examples
        --------
        >>> from sklearn_clustcompare import Hierarchy
        >>> from sklearn_clustcompare.hierarchies import cophenetic_correlation
        >>> tree = Hierarchy.from_newick("((ann:1,bob:1):2,('c d':2,eve:2):1);")
        >>> tree.leaf_names.tolist()
        ['ann', 'bob', 'c d', 'eve']
        >>> other = Hierarchy.from_newick("((eve:1,bob:1):2,('c d':2,ann:2):1);")
        >>> round(cophenetic_correlation(tree, other), 3)
        -0.429
        """
        if not isinstance(text, str):
            msg = f"text must be a str of one tree, got {type(text).__name__}"
            raise TypeError(msg)
        leaves, linkage, ends = _read_newick(text)
        names = as_label_array(leaves, "text")
        whole = cls._of(r, linkage=linkage, cuts=None, leaf_names=names)
        heights, n_samples = linkage[:, 2], len(names)
        # Clusters by which the tree is cut: those of merges at one height begin and end together.
        last = np.flatnonzero(np.diff(heights, append=np.inf) > 0)
        if len(last) == len(heights):
            return whole
        # Merges within a node make no clusters.
        nodes = [*range(n_samples), *(n_samples + end for end in ends)]
        return cls._of(
            r,
            linkage=linkage,
            cuts=np.append((n_samples - 1 - last)[::-1], n_samples),
            cover=Cover._of_membership(sparse.csr_array(whole.cover.membership[:, nodes]), names),
            levels=whole.levels[nodes],
            leaf_names=names,
        )

    @classmethod
    def from_labels(cls, levels: Any, *, r: float = 1.0) -> Hierarchy:
        """Make a hierarchy from labels of several levels, from coarse to fine.

        Use it for taxonomies, cell types and their subtypes, or cuts of a dendrogram.

        Parameters
        ----------
        levels : array-like, DataFrame, dict or iterable of labels of shape (n_samples,)
            Each level as :term:`labels` of the same objects, from coarse to fine, in any of the
            forms of several :term:`partitions`.
        r : float, default=1.0
            Weight of the lower levels: a cluster at level l has weight exp(r l).

        Returns
        -------
        Hierarchy
            With its levels at equal distances from 0 to 1.

        Raises
        ------
        ValueError
            If there are no levels, if they are not of the same objects, or if a cluster does not
            lie within one cluster of the level before.
        TypeError
            If labels are not hashable.

        See Also
        --------
        is_refinement : Whether one partition divides the clusters of another.

        Notes
        -----
        In the dendrogram, the height at which two objects are joined is the number of levels at
        which they are apart.

        Examples
        --------
        >>> from sklearn_clustcompare import Hierarchy
        >>> Hierarchy.from_labels([[0, 0, 1], [0, 1, 0]])
        Traceback (most recent call last):
            ...
        ValueError: levels must be nested, got a cluster of level 1 in several clusters of level 0
        """
        covers: list[Cover] = []
        names: list[str] = []
        given = each_candidate(levels, "levels", "level", singletons=True)
        for level in given.stream:
            labels = level.read(DEFAULT)
            if not isinstance(labels, Labels):
                msg = f"{level.title} must be labels, got memberships of soft clusters"
                raise ValueError(msg)
            cover = cover_of_labels(labels)
            names.append(level.title)
            if covers:
                cover = align_cover(cover, covers[0], (names[0], level.title))
                _check_nested(covers[-1], cover, names)
            covers.append(cover)
        if not covers:
            msg = "levels must be labels of at least one level, got none"
            raise ValueError(msg)
        depths = np.arange(len(covers)) / max(len(covers) - 1, 1)
        sizes = [cover.n_clusters for cover in covers]
        together = sparse.csr_array(sparse.hstack([cover.membership for cover in covers]))
        return cls._of(
            r,
            linkage=_linkage_of_levels(covers),
            cuts=np.unique(np.array(sizes, np.int64)),
            cover=Cover._of_membership(together, covers[0].objects),
            levels=np.repeat(depths, sizes),
            leaf_names=None,
        )

    @classmethod
    def _of(cls, r: float, **parts: Any) -> Hierarchy:
        finite("r", r)
        return cls._of_parts(r=r, **parts)

    def _parts(self) -> dict[str, Any]:
        names = ["r", "linkage", "cuts", "leaf_names"]
        names += [] if self._is_dendrogram else ["cover", "levels"]
        return {name: getattr(self, name) for name in names}

    def _content(self) -> Hashable:
        if self._is_dendrogram:
            # Adding 0 makes one zero of the two.
            names = None if self.leaf_names is None else tuple(self.leaf_names.tolist())
            return self.r, names, self.merges.tobytes(), (self.linkage[:, 2] + 0.0).tobytes()
        clusters = zip(self.cover._cluster_keys(), self.levels.tolist(), strict=True)
        return self.r, self.cover._identity(), counted(clusters)

    @property
    def _is_dendrogram(self) -> bool:
        """Whether clusters and levels are computed from the linkage."""
        return self.cuts is None

    def _with_leaves(self, numbers: Positions, names: Array) -> Hierarchy:
        """Return the dendrogram with other numbers, and names by these, of its leaves."""
        n_samples = len(names)
        number = np.append(numbers, np.arange(n_samples, 2 * n_samples))
        linkage = self.linkage.copy()
        linkage[:, :2] = number[self.merges]
        parts: dict[str, Any] = {}
        if not self._is_dendrogram:
            membership = self.cover.membership[np.argsort(numbers)]
            parts = {"cover": Cover._of_membership(membership, names), "levels": self.levels}
        return self._of(self.r, linkage=linkage, cuts=self.cuts, leaf_names=names, **parts)

    @property
    def n_samples(self) -> int:
        """Number of objects."""
        return len(self.linkage) + 1

    @property
    def merges(self) -> IntArray:
        """The two clusters that each step of the dendrogram merges."""
        return self.linkage[:, :2].astype(np.int64)

    @cached_property
    def cover(self) -> Cover:
        """All clusters of all levels."""
        n_samples = len(self.linkage) + 1
        members = [np.array([one]) for one in range(n_samples)]
        for first, second in self.merges.tolist():
            members.append(np.append(members[first], members[second]))
        sizes = [len(cluster) for cluster in members]
        cols = np.repeat(np.arange(len(sizes)), sizes)
        return Cover._of(np.concatenate(members), cols, n_samples, self.leaf_names)

    @cached_property
    def levels(self) -> FloatArray:
        """Level of each cluster in [0, 1]."""
        heights = known_heights(self, "the levels of its clusters")
        highest = heights.max(initial=0) or 1.0
        levels = np.append(np.ones(len(heights) + 1), 1 - heights / highest)
        levels.flags.writeable = False
        return levels

    def _headline(self) -> str:
        if self._is_dendrogram:
            return f"Hierarchy: a dendrogram of {self.n_samples} objects"
        shown = f"{self.levels.min(initial=1):g} to {self.levels.max(initial=0):g}"
        return (
            f"Hierarchy: {self.n_samples} objects in {self.cover.n_clusters} clusters at levels "
            f"from {shown}"
        )


def known_heights(hierarchy: Hierarchy, what: str) -> FloatArray:
    """Return the heights of the merges; raise ValueError if they are not known."""
    heights: FloatArray = hierarchy.linkage[:, 2]
    if np.isnan(heights).any():
        msg = (
            f"AgglomerativeClustering must know the heights of its merges for {what}, got one "
            "without distances_: fit it with compute_distances=True"
        )
        raise ValueError(msg)
    return heights


def read_dendrograms(Z1: Any, Z2: Any) -> tuple[Hierarchy, Hierarchy]:
    """Read two dendrograms of the same objects, the arguments ``Z1`` and ``Z2``."""
    first, second = _read_dendrogram(Z1, "Z1"), _read_dendrogram(Z2, "Z2")
    if first.n_samples != second.n_samples:
        msg = (
            "Z1 and Z2 must link the same objects, "
            f"got {first.n_samples} and {second.n_samples} of them"
        )
        raise ValueError(msg)
    names = _names_of(first), _names_of(second)
    if names[0] is None or names[1] is None:
        return first, second
    if first.leaf_names is None and second.leaf_names is None:  # of an index, as for labels
        if not np.array_equal(names[0], names[1]):
            msg = "Z1 and Z2 must have the same objects in the same order, got other names"
            raise ValueError(msg)
        return first, second
    order = matching_order(names[1], names[0], ("Z2", "Z1"))
    return first, second if order is None else second._with_leaves(order, names[0])


def _names_of(hierarchy: Hierarchy) -> Array | None:
    is_named = hierarchy.cuts is None or hierarchy.leaf_names is not None
    return hierarchy.leaf_names if is_named else hierarchy.cover.objects


def common_cuts(hierarchies: tuple[Hierarchy, Hierarchy]) -> IntArray:
    """Return the numbers of clusters into which both dendrograms can be cut, increasing."""
    possible = np.arange(1, hierarchies[0].n_samples + 1)
    for one in hierarchies:
        possible = possible if one.cuts is None else np.intersect1d(possible, one.cuts)
    return possible


def _read_dendrogram(values: Any, name: str) -> Hierarchy:
    if isinstance(values, Hierarchy):
        return values
    return Hierarchy._of(1.0, linkage=_linkage_of(values, name), cuts=None, leaf_names=None)


def _linkage_of(Z: Any, name: str) -> FloatArray:
    """Return a linkage matrix; unknown heights of a clusterer are NaN."""
    if hasattr(Z, "fit"):
        return _fitted_linkage(Z, name)
    check_on_host(Z, name)
    linkage = np.array(Z, dtype=np.float64)
    is_valid_linkage(linkage, throw=True, name=name)
    if not np.array_equal(linkage[:, :2], np.floor(linkage[:, :2])):
        msg = f"{name} must hold whole numbers of clusters in its first two columns"
        raise ValueError(msg)
    return linkage


def _fitted_linkage(clusterer: Any, name: str) -> FloatArray:
    kind = type(clusterer).__name__
    if not hasattr(clusterer, "children_"):
        msg = (
            f"{name} must be a linkage matrix or a fitted AgglomerativeClustering, got {kind} "
            "without children_"
        )
        raise ValueError(msg)
    merges = np.asarray(clusterer.children_, np.int64)
    n_samples = len(merges) + 1
    if n_samples != clusterer.n_leaves_:
        msg = (
            f"{name} must have merged all objects, got {kind} with {len(merges)} merges of "
            f"{clusterer.n_leaves_} objects: fit it with compute_full_tree=True"
        )
        raise ValueError(msg)
    heights = getattr(clusterer, "distances_", np.full(len(merges), np.nan))
    sizes = np.ones(2 * n_samples - 1)
    for step, (first, second) in enumerate(merges.tolist()):
        sizes[n_samples + step] = sizes[first] + sizes[second]
    return np.column_stack([merges, heights, sizes[n_samples:]])


def _check_nested(coarse: Cover, fine: Cover, names: list[str]) -> None:
    met = sparse.csr_array(coarse.membership.T @ fine.membership)
    if met.nnz > fine.n_clusters:
        msg = (
            f"levels must be nested, got a cluster of {names[-1]} in several clusters of "
            f"{names[-2]}"
        )
        raise ValueError(msg)


def _linkage_of_levels(covers: list[Cover]) -> FloatArray:
    """Return the dendrogram that joins two objects at the number of levels where they differ.

    First the objects of the finest clusters are joined, then these clusters and so on, and finally
    all that remain.
    """
    n_samples = covers[0].n_samples
    current = np.arange(n_samples)  # the cluster of each object, numbered as in a linkage
    sizes = [1] * n_samples
    rows: list[tuple[int, int, int, int]] = []
    everything = np.zeros(n_samples, np.int64)
    labels = [cover.membership.indices for cover in covers[::-1]]
    for height, level in enumerate([*labels, everything]):
        together: dict[int, int] = {}
        for cluster, label in dict(zip(current.tolist(), level.tolist(), strict=True)).items():
            other = together.get(label)
            together[label] = cluster
            if other is not None:
                sizes.append(sizes[other] + sizes[cluster])
                rows.append((other, cluster, height, sizes[-1]))
                together[label] = len(sizes) - 1
        current = np.array([together[label] for label in level.tolist()], np.int64)
    return np.array(rows, np.float64).reshape(-1, 4)
