"""Tanglegrams: two hierarchies face to face, with few crossing lines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._numerics import are_best
from sklearn_clustcompare._parameters import at_most_objects
from sklearn_clustcompare._partition import Labels
from sklearn_clustcompare._partition.hierarchy import Hierarchy, common_cuts, read_dendrograms
from sklearn_clustcompare._rendering import Shown, Table, result_record, table_of
from sklearn_clustcompare._table import count_read
from sklearn_clustcompare.hierarchies._comparison import compare_hierarchies

_MAX_ROUNDS = 20
# The number of clusters at which two hierarchies agree best is searched up to this one.
_MAX_CLUSTERS = 10


@result_record
@dataclass(frozen=True, eq=False, repr=False)
class Tanglegram(Shown):
    """Two hierarchies of the same objects, ordered to be drawn face to face.

    Made by :func:`tanglegram`. Printed, and as HTML in a notebook, it shows the objects in the
    order of the leaves of both, with their clusters. All parameters are attributes of the same
    names, which cannot be set.

    Parameters
    ----------
    merges : tuple of two ndarrays of int of shape (n_samples - 1, 2)
        The two clusters that each step of a hierarchy merges, numbered as in a linkage, and in the
        order to draw them.
    heights : tuple of two ndarrays of shape (n_samples - 1,)
        Height of each step; its number where a clusterer has none.
    orders : tuple of two ndarrays of int of shape (n_samples,)
        Objects in the order in which the leaves of each hierarchy are drawn.
    n_crossings : int
        Number of pairs of objects in different order in the two.
    labels : tuple of two ndarrays of int of shape (n_samples,)
        Cluster of each object in the cuts of the two hierarchies into the same number of clusters,
        numbered from zero. Matched clusters have the same number.

    Attributes
    ----------
    n_clusters : int
        Number of clusters of the cuts.

    See Also
    --------
    tanglegram : Makes it.
    TanglegramDisplay : Draws it.

    Examples
    --------
    >>> from scipy.cluster.hierarchy import linkage
    >>> from sklearn_clustcompare import tanglegram
    >>> X = [[0.0], [9.0], [1.0], [7.5], [3.3]]
    >>> tangle = tanglegram(linkage(X, "single"), linkage(X, "complete"), n_clusters=2)
    >>> tangle.n_crossings, tangle.labels
    (0, (array([1, 0, 1, 0, 1]), array([1, 0, 1, 0, 1])))
    """

    merges: tuple[NDArray[np.int64], NDArray[np.int64]]
    heights: tuple[NDArray[np.float64], NDArray[np.float64]]
    orders: tuple[NDArray[np.int64], NDArray[np.int64]]
    n_crossings: int
    labels: tuple[NDArray[np.int64], NDArray[np.int64]]

    @property
    def n_clusters(self) -> int:
        """Number of clusters of the cuts."""
        return len(np.unique(self.labels[0]))

    def _headline(self) -> str:
        return (
            f"Tanglegram: {len(self.orders[0])} objects, {self.n_crossings} crossings, cuts into "
            f"{self.n_clusters} clusters"
        )

    def _shown(self) -> Table:
        columns = {}
        for side, order, labels in zip(("first", "second"), self.orders, self.labels, strict=True):
            columns[f"{side} order"] = order
            columns[f"{side} cluster"] = labels[order]
        return table_of(columns)


def tanglegram(Z1: Any, Z2: Any, *, n_clusters: int | None = None) -> Tanglegram:
    """Order the leaves of two hierarchies so that few of the lines between them cross.

    Use it to see whether two linkages build the same tree. Lines that cross in every order belong
    to objects that the hierarchies place differently.

    Parameters
    ----------
    Z1, Z2 : array-like of shape (n_samples - 1, 4), AgglomerativeClustering or Hierarchy
        Linkage matrices of the same objects, as :func:`scipy.cluster.hierarchy.linkage`
        returns them, fitted :class:`~sklearn.cluster.AgglomerativeClustering`, or a
        :class:`Hierarchy` made of labels of several levels. ``Z1`` is the reference.
    n_clusters : int or None, default=None
        Number of clusters into which both are cut, at most n_samples. None takes the number of up
        to 10 at which they agree best, by the adjusted Rand index.

    Returns
    -------
    Tanglegram
        With ``merges``, ``heights``, ``orders``, ``n_crossings`` and ``labels``.

    Raises
    ------
    ValueError
        If a linkage is not valid, a clusterer is not fitted or has stopped before all objects were
        merged, the two have different numbers of objects, or ``n_clusters`` is too large.
    TypeError
        If ``n_clusters`` is not an integer.

    See Also
    --------
    compare_hierarchies : An index at every number of clusters.
    TanglegramDisplay : A picture.

    Notes
    -----
    The order of the two clusters that a step merges is free. Given a fixed order of the other
    hierarchy, the best order is found for each step separately [1]_; the two hierarchies are
    ordered in turn until no fewer lines cross. This need not be the minimum, which is NP-hard to
    find.

    References
    ----------
    .. [1] T. Dwyer, F. Schreiber, "Optimal leaf ordering for two and a half dimensional
       phylogenetic tree visualisation", Australasian Symposium on Information Visualisation, 2004

    Examples
    --------
    >>> from scipy.cluster.hierarchy import linkage
    >>> from sklearn.datasets import load_iris
    >>> from sklearn_clustcompare import tanglegram
    >>> X = load_iris().data
    >>> tanglegram(linkage(X, "average"), linkage(X, "ward")).n_clusters
    2
    """
    hierarchies = read_dendrograms(Z1, Z2)
    merges = [one.merges for one in hierarchies]
    n_clusters = _number_of_clusters(n_clusters, hierarchies)
    orders = [_leaves(one) for one in merges]
    fewest = _crossings(*orders)
    for turn in range(1, _MAX_ROUNDS):
        side = turn % 2
        turned = _untangled(merges[side], np.argsort(orders[1 - side]))
        order = _leaves(turned)
        n_crossings = _crossings(order, orders[1 - side])
        if n_crossings >= fewest and turn > 2:
            break
        merges[side], orders[side], fewest = turned, order, n_crossings
    labels = _matched(*(_cut(one, n_clusters) for one in merges))
    heights = [_heights(one) for one in hierarchies]
    return Tanglegram(
        (merges[0], merges[1]), (heights[0], heights[1]), (orders[0], orders[1]), fewest, labels
    )


def _number_of_clusters(given: int | None, hierarchies: tuple[Hierarchy, Hierarchy]) -> int:
    n_samples, possible = hierarchies[0].n_samples, common_cuts(hierarchies)
    if given is None:
        few = possible[(possible > 1) & (possible <= min(_MAX_CLUSTERS, max(n_samples - 1, 2)))]
        found = compare_hierarchies(*hierarchies, index="adjusted_rand_score", param_range=few)
        return int(found.k[are_best(found.values).argmax()]) if len(few) else int(possible[0])
    at_most_objects("n_clusters", given, n_samples)
    if given not in possible:
        msg = (
            "n_clusters must be one that a level of each hierarchy has, which are "
            f"{possible.tolist()}, got {given}"
        )
        raise ValueError(msg)
    return int(given)


def _heights(hierarchy: Hierarchy) -> NDArray[np.float64]:
    """Return the heights of the merges, or their numbers where heights are not known."""
    assert hierarchy.linkage is not None
    heights = hierarchy.linkage[:, 2]
    return np.arange(1.0, len(heights) + 1) if np.isnan(heights).any() else heights


def _leaves(merges: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the objects from the first to the last leaf."""
    n_samples = len(merges) + 1
    sizes = np.ones(2 * n_samples - 1, np.int64)
    for step, (first, second) in enumerate(merges.tolist()):
        sizes[n_samples + step] = sizes[first] + sizes[second]
    starts = np.zeros(2 * n_samples - 1, np.int64)
    for step, (first, second) in reversed(list(enumerate(merges.tolist()))):
        starts[first] = starts[n_samples + step]
        starts[second] = starts[n_samples + step] + sizes[first]
    return np.argsort(starts[:n_samples])


def _crossings(first: NDArray[np.int64], second: NDArray[np.int64]) -> int:
    """Count the pairs of objects in different order: inversions, by sorting in blocks."""
    places = np.argsort(second)[first]
    total, width = 0, 1
    while width < len(places):
        for start in range(0, len(places) - width, 2 * width):
            left, right = places[start : start + width], places[start + width : start + 2 * width]
            total += int(np.searchsorted(right, left).sum())
            places[start : start + 2 * width] = np.sort(places[start : start + 2 * width])
        width *= 2
    return total


def _untangled(merges: NDArray[np.int64], places: NDArray[np.int64]) -> NDArray[np.int64]:
    """Order the clusters of each step so that the fewest lines cross."""
    n_samples = len(merges) + 1
    members: dict[int, NDArray[np.int64]] = {one: places[one : one + 1] for one in range(n_samples)}
    turned = merges.copy()
    for step, (first, second) in enumerate(merges.tolist()):
        above, below = members.pop(first), members.pop(second)
        crossing = np.searchsorted(below, above).sum()
        if 2 * crossing > len(above) * len(below):
            turned[step] = second, first
        members[n_samples + step] = np.sort(np.concatenate([above, below]), kind="stable")
    return turned


def _cut(merges: NDArray[np.int64], n_clusters: int) -> NDArray[np.int64]:
    """Return the clusters after the first steps, numbered in the order of the leaves."""
    n_samples = len(merges) + 1
    roots = np.arange(2 * n_samples - 1)
    for step in reversed(range(n_samples - n_clusters)):
        roots[merges[step]] = roots[n_samples + step]
    order = _leaves(merges)
    _, first, codes = np.unique(roots[order], return_index=True, return_inverse=True)
    labels = np.empty(n_samples, np.int64)
    labels[order] = np.argsort(np.argsort(first))[codes]
    return labels


def _matched(
    first: NDArray[np.int64], second: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Number the clusters of the second like those of the first that they are matched with."""
    table = count_read(Labels.of_codes(first), Labels.of_codes(second))
    n_clusters = table.shape[1]
    numbers = np.full(n_clusters, -1)
    matched = table.optimal_matching
    numbers[table.cell_cols[matched]] = table.cell_rows[matched]
    n_free = int((numbers < 0).sum())
    numbers[numbers < 0] = table.shape[0] + np.arange(n_free)
    return first, numbers[second]
