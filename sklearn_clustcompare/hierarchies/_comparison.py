"""Two hierarchical clusterings of the same objects, and chains of partitions as trees."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.cluster.hierarchy import cophenet
from scipy.stats import spearmanr
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_clustcompare._array_types import Array, FloatArray, IntArray, Positions
from sklearn_clustcompare._memory import require_memory
from sklearn_clustcompare._options import shortened, tells_keywords, warn_caller
from sklearn_clustcompare._parameters import one_of
from sklearn_clustcompare._partition import Hierarchy, Labels, read_weights
from sklearn_clustcompare._partition.arrays import READ_ALIKE
from sklearn_clustcompare._partition.memberships import left_out, treat_one, warn_of_other_noise
from sklearn_clustcompare._partition.trees import common_cuts, known_heights, read_dendrograms
from sklearn_clustcompare._rendering import Drawn, Rows
from sklearn_clustcompare._table import ContingencyTable, count_read, require_objects
from sklearn_clustcompare._table.counts import KnownMargins, SquareSums
from sklearn_clustcompare._table.many import list_members, read_labels_of
from sklearn_clustcompare.indices import Index, IndexLike, read_index
from sklearn_clustcompare.indices._compares import Given, compares
from sklearn_clustcompare.indices._moments import (
    NullMoments,
    null_moments,
    null_moments_of_pairs,
    with_deviation,
)


class HierarchyComparison(Drawn, Rows):
    """An index for each number of clusters; made by :func:`compare_hierarchies`.

    Printed, and as HTML in a notebook, it shows a row for each number. All parameters are
    attributes of the same names, which cannot be set.

    Parameters
    ----------
    index : Index
        Record of the index.
    parameters : dict
        Parameters of the index.
    k : ndarray of int of shape (n_cuts,)
        Numbers of clusters at which both hierarchies were cut, increasing.
    values : ndarray of float of shape (n_cuts,)
        The index at each cut.
    expected : ndarray of float of shape (n_cuts,) or None
        Exact mean of the index for random partitions with the cluster sizes of the cut; None if
        it is not known for this index.
    standard_deviation : ndarray of float of shape (n_cuts,) or None
        Exact standard deviation for the same partitions; None if it is not known.
    standardized : ndarray of float of shape (n_cuts,) or None
        ``(values - expected) / standard_deviation``, or 0.0 where the latter is zero; None if
        the moments are not known.

    Attributes
    ----------
    band : tuple of two ndarrays of shape (n_cuts,) or None
        Lower and upper end of the expected value plus and minus two standard deviations:
        values outside are unlikely by chance. None if the moments are not known.

    See Also
    --------
    compare_hierarchies : Makes it.
    HierarchyComparisonDisplay : Draws it.

    Examples
    --------
    >>> from scipy.cluster.hierarchy import linkage
    >>> from sklearn_clustcompare.hierarchies import compare_hierarchies
    >>> X = [[0.0], [1.0], [3.0], [5.5], [9.0]]
    >>> comparison = compare_hierarchies(linkage(X, "single"), linkage(X, "complete"))
    >>> comparison.k
    array([2, 3, 4])
    >>> comparison.values.round(2)
    array([1.  , 0.21, 1.  ])
    """

    index: Index
    parameters: dict[str, Any]
    k: IntArray
    values: FloatArray
    expected: FloatArray | None
    standard_deviation: FloatArray | None
    standardized: FloatArray | None

    @property
    def band(self) -> tuple[FloatArray, FloatArray] | None:
        """Expected value plus and minus two standard deviations."""
        if self.expected is None or self.standard_deviation is None:
            return None
        return (
            self.expected - 2 * self.standard_deviation,
            self.expected + 2 * self.standard_deviation,
        )

    def _headline(self) -> str:
        return (
            f"HierarchyComparison: {len(self.k)} cuts by {self.index.axis_text(**self.parameters)}"
        )

    def _columns(self) -> list[tuple[str, Any]]:
        names = ("k", "values", "expected", "standard_deviation", "standardized")
        columns = [(name, getattr(self, name)) for name in names]
        return [(name, values) for name, values in columns if values is not None]


@tells_keywords
def compare_hierarchies(
    Z1: Any,
    Z2: Any,
    param_range: ArrayLike | None = None,
    *,
    index: IndexLike = "adjusted_rand_score",
    **params: Any,
) -> HierarchyComparison:
    """Compare two hierarchical clusterings at every number of clusters.

    Both hierarchies are cut into k clusters, and an index compares the two partitions, for every
    k. With ``index="fowlkes_mallows_score"`` this is the plot of B_k against k [1]_.

    Parameters
    ----------
    Z1, Z2 : array-like of shape (n_samples - 1, 4), AgglomerativeClustering or Hierarchy
        Linkage matrices of the same objects, as :func:`scipy.cluster.hierarchy.linkage`
        returns them, fitted :class:`~sklearn.cluster.AgglomerativeClustering`, or a
        :class:`Hierarchy` made of labels of several levels. ``Z1`` is the reference.
    param_range : array-like of int of shape (n_cuts,), default=None
        Increasing numbers of clusters, from 1 to n_samples. None means 2 to n_samples - 1; for
        labels of several levels, the numbers that a level has.
    index : str, callable or Index, default="adjusted_rand_score"
        The :term:`index`: a name (see :func:`list_indices`), its function or a record.
    **params : dict
        Parameters of the index.

    Returns
    -------
    HierarchyComparison
        With ``k``, ``values``, ``expected``, ``standard_deviation``, ``standardized`` and
        ``band``.

    Raises
    ------
    ValueError
        If a linkage is not valid, if a clusterer is not fitted or has stopped before all objects
        were merged, if the two have different numbers of objects, if the index is unknown or
        ``param_range`` does not fit.
    TypeError
        If the index does not take a parameter, or ``param_range`` does not hold integers.

    See Also
    --------
    fowlkes_mallows_score : The index B_k of a single pair of partitions.
    cophenetic_correlation : A single number for two hierarchies, from heights.
    bakers_gamma : A single number, from the order of the merges.
    scipy.cluster.hierarchy.cut_tree : Labels of the cuts of one hierarchy.

    Notes
    -----
    A hierarchy is cut into k clusters by its first n_samples - k rows, in the order in which the
    linkage lists them. This breaks ties of heights, and decreasing heights (inversions of median
    and centroid linkage) do not matter.

    One step from k to k - 1 clusters merges two rows and two columns of the contingency table. Only
    the cells of the smaller of the two are moved, O(n log n) cells in total. Indices of pair
    counting need only sums of squares, which are updated; all others use the occupied cells of each
    cut, of which there are at most n.

    Exact moments are known for indices that are linear in the number of pairs together in both
    partitions, or in the mutual information, for given cluster sizes. The variance of the mutual
    information takes some milliseconds per cut; pass a smaller ``param_range`` to save time.

    References
    ----------
    .. [1] E. B. Fowlkes, C. L. Mallows, "A method for comparing two hierarchical clusterings",
       Journal of the American Statistical Association 78(383), 1983,
       :doi:`10.1080/01621459.1983.10478008`

    Examples
    --------
    >>> from scipy.cluster.hierarchy import linkage
    >>> from sklearn.datasets import load_iris
    >>> from sklearn_clustcompare.hierarchies import compare_hierarchies
    >>> X = load_iris().data
    >>> comparison = compare_hierarchies(
    ...     linkage(X, "average"), linkage(X, "ward"), [2, 3, 4], index="fowlkes_mallows_score"
    ... )
    >>> comparison.values.round(3)
    array([1.   , 0.975, 0.842])
    >>> comparison.expected.round(3)
    array([0.553, 0.346, 0.29 ])
    """
    record, params = read_index(index, params, with_data=False)
    hierarchies = read_dendrograms(Z1, Z2)
    n_samples = hierarchies[0].n_samples
    merges = [one.merges for one in hierarchies]
    k = _numbers_of_clusters(param_range, n_samples, common_cuts(hierarchies))
    wanted = set(k.tolist())
    cuts = _cuts(merges, n_samples)
    found = [table.evaluate(record, params) for table in cuts if table.n_clusters in wanted][::-1]
    values = np.array([value for value, _ in found])
    known = [moments for _, moments in found if moments is not None]
    exact = np.array(known).T if len(known) == len(found) > 0 else (None,) * 3
    return HierarchyComparison(record, params, k, values, *exact)


# Mean, standard deviation and standardized value of one cut.
_Moments = tuple[float, float, float]


def _computed(moments: NullMoments | None) -> _Moments | None:
    """Compute moments immediately: their input is as long as there are objects."""
    moments = with_deviation(moments)
    if moments is None:
        return None
    return moments.mean, moments.standard_deviation, moments.standardized


def _numbers_of_clusters(
    param_range: ArrayLike | None, n_samples: int, possible: IntArray
) -> IntArray:
    if param_range is None:
        return possible[(possible > 1) & (possible < n_samples)]
    k = np.asarray(param_range)
    if k.ndim != 1 or k.dtype.kind not in "iu":
        msg = f"param_range must be a 1-D sequence of integers, got {shortened(param_range)}"
        raise TypeError(msg)
    k = k.astype(np.int64)
    if (np.diff(k) <= 0).any() or (k < 1).any() or (k > n_samples).any():
        msg = (
            f"param_range must increase and lie between 1 and the number of objects, {n_samples}, "
            f"got {k.tolist()}"
        )
        raise ValueError(msg)
    if not np.isin(k, possible).all():
        msg = (
            "param_range must hold numbers of clusters that a level of each hierarchy has, which "
            f"are {possible.tolist()}, got {k.tolist()}"
        )
        raise ValueError(msg)
    return k


def _cuts(merges: list[IntArray], n_samples: int) -> Iterator[_MergingTable]:
    """Yield the table of the two partitions for n_samples clusters, then one less each time."""
    table = _MergingTable(n_samples)
    yield table
    for pairs in zip(merges[0].tolist(), merges[1].tolist(), strict=True):
        for side, pair in zip(table.sides, pairs, strict=True):
            table.merge(side, *pair)
        yield table


class _Side:
    """Clusters of one hierarchy; each has a slot, and lists its cells by the slot across."""

    def __init__(self, n_samples: int) -> None:
        self.slots = list(range(n_samples))  # of each cluster, numbered as in a linkage
        self.cells: dict[int, dict[int, int]] = {one: {one: one} for one in range(n_samples)}
        self.slot_of_cell = np.arange(n_samples)
        self.sizes = np.ones(n_samples, np.int64)
        self.square_sum = n_samples

    @property
    def occupied_sizes(self) -> IntArray:
        return self.sizes[self.sizes > 0]

    def labels(self, occupied: Positions) -> Labels:
        """Number the cells by their clusters, which are in the order of their slots."""
        slots = np.flatnonzero(self.sizes)
        numbers = np.empty(len(self.sizes), np.int64)
        numbers[slots] = np.arange(len(slots))
        return Labels(numbers[self.slot_of_cell[occupied]], 0, len(slots), None)


class _MergingTable:
    """The contingency table of two hierarchies, updated as clusters merge."""

    def __init__(self, n_samples: int) -> None:
        self.sides = _Side(n_samples), _Side(n_samples)
        self.counts = np.ones(n_samples, np.int64)
        self.n_cells = n_samples
        self.square_sum = n_samples

    @property
    def n_clusters(self) -> int:
        return len(self.sides[0].cells)

    def merge(self, side: _Side, first: int, second: int) -> None:
        other = self.sides[side is self.sides[0]]
        kept, gone = side.slots[first], side.slots[second]
        if len(side.cells[kept]) < len(side.cells[gone]):
            kept, gone = gone, kept
        side.slots.append(kept)
        cells = side.cells[kept]
        for crossing, cell in side.cells.pop(gone).items():
            across = other.cells[crossing]
            del across[gone]
            met = cells.get(crossing)
            if met is None:
                cells[crossing] = across[kept] = cell
                side.slot_of_cell[cell] = kept
            else:
                self.square_sum += 2 * int(self.counts[met]) * int(self.counts[cell])
                self.counts[met] += self.counts[cell]
                self.counts[cell] = 0
                self.n_cells -= 1
        side.square_sum += 2 * int(side.sizes[kept]) * int(side.sizes[gone])
        side.sizes[kept] += side.sizes[gone]
        side.sizes[gone] = 0

    def evaluate(self, index: Index, params: dict[str, Any]) -> tuple[float, _Moments | None]:
        """Return an index, and its moments under permutation."""
        if not index.pairs:
            table = self.to_table()
            return index(table, **params), _computed(null_moments(index, table, **params))
        rows, cols = self.sides
        squares = SquareSums(self.square_sum, rows.square_sum, cols.square_sum)
        is_identity = self.n_cells == self.n_clusters
        margins = KnownMargins(len(self.counts), squares, is_identity)
        margins.row_sums, margins.col_sums = rows.occupied_sizes, cols.occupied_sizes
        value = float(index.of_statistic(squares, margins, **params))
        return value, _computed(null_moments_of_pairs(index, squares, margins, **params))

    def to_table(self) -> ContingencyTable:
        occupied = np.flatnonzero(self.counts)
        rows, cols = (side.labels(occupied) for side in self.sides)
        return count_read(rows, cols, self.counts[occupied])


_known_method = one_of("goodman_kruskal", "spearman")

# Heights of both sides and what is computed of them, as measured.
_BYTES_PER_PAIR = 40
_BYTES_PER_PAIR_OF_RANKS = {"goodman_kruskal": 64, "spearman": 96}


def cophenetic_correlation(Z1: Any, Z2: Any) -> float:
    """Correlation of the heights at which two hierarchies join the pairs of objects.

    The similarity of two dendrograms, over all levels at once. It uses the heights themselves: to
    compare dendrograms of different linkages, whose heights have different meanings, prefer
    :func:`bakers_gamma`.

    Parameters
    ----------
    Z1, Z2 : array-like of shape (n_samples - 1, 4), AgglomerativeClustering or Hierarchy
        Linkage matrices of the same objects, as :func:`scipy.cluster.hierarchy.linkage`
        returns them, fitted :class:`~sklearn.cluster.AgglomerativeClustering`, or a
        :class:`Hierarchy` made of labels of several levels. ``Z1`` is the reference.

    Returns
    -------
    float
        In [-1, 1]; 1.0 if heights are the same up to a positive factor and a constant. Higher is
        better.

    Raises
    ------
    ValueError
        If a linkage is not valid, if a clusterer is not fitted, has stopped before all objects were
        merged or has no heights, or if the objects are not the same.

    Warns
    -----
    UndefinedMetricWarning
        If one hierarchy joins all pairs at the same height, and the other does not: the value is
        set to 0.0.

    See Also
    --------
    bakers_gamma : The order of the heights alone.
    compare_hierarchies : An index for each number of clusters.
    scipy.cluster.hierarchy.cophenet : The heights, and their correlation with the distances.

    Notes
    -----
    Pearson's correlation over the n (n - 1) / 2 pairs of objects.

    References
    ----------
    .. [1] R. R. Sokal, F. J. Rohlf, "The comparison of dendrograms by objective methods", Taxon
       11(2), 1962, :doi:`10.2307/1217208`

    Examples
    --------
    >>> from scipy.cluster.hierarchy import linkage
    >>> from sklearn_clustcompare.hierarchies import cophenetic_correlation
    >>> X = [[0.0], [1.0], [3.0], [5.5], [9.0]]
    >>> round(cophenetic_correlation(linkage(X, "single"), linkage(X, "complete")), 3)
    0.9
    """
    first, second = (
        _joining_heights(one, known_heights(one, "the cophenetic correlation"), _BYTES_PER_PAIR)
        for one in read_dendrograms(Z1, Z2)
    )
    undefined = _if_constant(first, second, "cophenetic_correlation")
    if undefined is not None:
        return undefined
    return float(np.corrcoef(first, second)[0, 1])


def bakers_gamma(Z1: Any, Z2: Any, *, method: str = "goodman_kruskal") -> float:
    """Rank correlation of the order in which two hierarchies join pairs: Baker's gamma.

    It correlates the numbers of clusters down to which two objects stay together. Only the order of
    the heights matters.

    Parameters
    ----------
    Z1, Z2 : array-like of shape (n_samples - 1, 4), AgglomerativeClustering or Hierarchy
        Linkage matrices of the same objects, as :func:`scipy.cluster.hierarchy.linkage`
        returns them, fitted :class:`~sklearn.cluster.AgglomerativeClustering`, or a
        :class:`Hierarchy` made of labels of several levels. ``Z1`` is the reference.
    method : {"goodman_kruskal", "spearman"}, default="goodman_kruskal"
        Which rank correlation: Goodman and Kruskal's gamma [1]_, which leaves out ties, or
        Spearman's, which the R package dendextend [2]_ uses.

    Returns
    -------
    float
        In [-1, 1]; 1.0 if no two pairs of objects are joined in a different order. Higher is
        better.

    Raises
    ------
    ValueError
        If a linkage is not valid, if a clusterer is not fitted or has stopped before all objects
        were merged, or if the objects are not the same; if ``method`` is unknown.

    Warns
    -----
    UndefinedMetricWarning
        If one hierarchy joins all pairs at the same height, and the other does not: the value is
        set to 0.0.

    See Also
    --------
    cophenetic_correlation : Uses the heights themselves.
    compare_hierarchies : An index for each number of clusters.

    Notes
    -----
    Pairs that are joined at the same height are tied. If a clusterer has no heights, the order of
    its merges is used.

    References
    ----------
    .. [1] F. B. Baker, "Stability of two hierarchical grouping techniques, case 1: sensitivity to
       data errors", Journal of the American Statistical Association 69(346), 1974,
       :doi:`10.1080/01621459.1974.10482971`
    .. [2] T. Galili, "dendextend: an R package for visualizing, adjusting and comparing trees of
       hierarchical clustering", Bioinformatics 31(22), 2015, :doi:`10.1093/bioinformatics/btv428`

    Examples
    --------
    >>> from scipy.cluster.hierarchy import linkage
    >>> from sklearn_clustcompare.hierarchies import bakers_gamma
    >>> X = [[0.0], [1.0], [3.0], [5.5], [9.0]]
    >>> round(bakers_gamma(linkage(X, "single"), linkage(X, "complete")), 3)
    0.871
    """
    _known_method("method", method)
    n_bytes = _BYTES_PER_PAIR_OF_RANKS[method]
    ranks = [
        _joining_heights(one, _ranked_heights(one), n_bytes).astype(np.intp)
        for one in read_dendrograms(Z1, Z2)
    ]
    undefined = _if_constant(ranks[0], ranks[1], "bakers_gamma")
    if undefined is not None:
        return undefined
    if method == "spearman":
        return float(spearmanr(*ranks).statistic)
    return _goodman_kruskal(ranks[0], ranks[1])


def _joining_heights(hierarchy: Hierarchy, heights: Array, bytes_per_pair: int) -> FloatArray:
    """Return the height at which each pair of objects is joined, of merges at these heights."""
    if not len(heights):  # a single object
        return heights
    n_objects = len(heights) + 1
    require_memory(
        f"the correlation of all pairs of {n_objects} objects",
        bytes_per_pair * math.comb(n_objects, 2),
        "compare hierarchies of a sample of them, or cuts with compare_hierarchies",
    )
    linkage = hierarchy.linkage.copy()
    linkage[:, 2] = heights
    joined: FloatArray = cophenet(linkage)
    return joined


def _ranked_heights(hierarchy: Hierarchy) -> Positions:
    heights = hierarchy.linkage[:, 2]
    if np.isnan(heights).any():
        return np.arange(len(heights))
    return np.unique(heights, return_inverse=True)[1]


def _if_constant(first: Array, second: Array, name: str) -> float | None:
    """Return the value where the heights of a side are all the same, else None."""
    are_constant = [not len(one) or bool((one == one[0]).all()) for one in (first, second)]
    if not any(are_constant):
        return None
    if all(are_constant):
        return 1.0
    warn_caller(
        f"{name} is undefined for a hierarchy that joins all pairs of objects at the same height, "
        "and set to 0.0",
        UndefinedMetricWarning,
    )
    return 0.0


def _goodman_kruskal(first: Positions, second: Positions) -> float:
    """Count in a table of ranks how many pairs of entries are in the same, or in another order."""
    shape = (int(first.max()) + 1, int(second.max()) + 1)
    counts = np.bincount(first * shape[1] + second, minlength=shape[0] * shape[1]).reshape(shape)
    before = counts.cumsum(axis=0)
    lower = before.cumsum(axis=1)
    concordant = int(np.einsum("ij,ij", counts[1:, 1:], lower[:-1, :-1]))
    del lower  # as large as all pairs
    higher = before[:, ::-1].cumsum(axis=1)[:, ::-1]
    discordant = int(np.einsum("ij,ij", counts[1:, :-1], higher[:-1, 1:]))
    return (concordant - discordant) / (concordant + discordant)


class ClusteringTree(Drawn, Rows):
    """Partitions as the levels of a tree; made by :func:`clustering_tree`.

    Printed, and as HTML in a notebook, it shows a row for each cluster. All parameters are
    attributes of the same names, which cannot be set.

    Parameters
    ----------
    names : list
        Names of the partitions; their positions if they have none.
    tables : list of ContingencyTable
        Table of each partition, in the rows, and the next one, in the columns.
    stabilities : list of ndarray of shape (n_clusters,)
        SC3 stability of the clusters of each partition, in the order of their sorted labels.

    Attributes
    ----------
    labels : list of ndarray of shape (n_clusters,)
        Sorted labels of the clusters of each partition.
    sizes : list of ndarray of shape (n_clusters,)
        Number of objects of these clusters, or the sum of their weights.

    See Also
    --------
    clustering_tree : Makes it.
    ClusteringTreeDisplay : Draws it.

    Examples
    --------
    >>> from sklearn_clustcompare.hierarchies import clustering_tree
    >>> tree = clustering_tree({1: [0, 0, 0, 0], 2: [0, 0, 1, 1]})
    >>> tree.sizes
    [array([4]), array([2, 2])]
    """

    names: list[Any]
    tables: list[ContingencyTable]
    stabilities: list[FloatArray]
    _names = ("partition", "cluster")

    @property
    def labels(self) -> list[Array]:
        """Labels of the clusters of each partition."""
        return [self.tables[0].row_labels, *(table.col_labels for table in self.tables)]

    @property
    def sizes(self) -> list[Array]:
        """Sizes of the clusters of each partition."""
        return [self.tables[0].row_sums, *(table.col_sums for table in self.tables)]

    def _columns(self) -> dict[str, Any]:
        names = [name for name, labels in zip(self.names, self.labels, strict=True) for _ in labels]
        return {
            "partition": names,
            "cluster": [label for labels in self.labels for label in labels.tolist()],
            "size": np.concatenate(self.sizes),
            "stability": np.concatenate(self.stabilities),
        }

    def _headline(self) -> str:
        n_clusters = sum(map(len, self.labels))
        return f"ClusteringTree: {len(self.names)} partitions with {n_clusters} clusters"


@compares("partitions", "sample_weight", *READ_ALIKE[1:])
def clustering_tree(given: Given) -> ClusteringTree:
    """Link the clusters of partitions of increasing resolution, and compute their stability.

    Use it to choose a number of clusters or a resolution: clusters that persist over several levels
    are stable; clusters that exchange objects from level to level indicate too many clusters.

    Parameters
    ----------
    partitions : array-like, list, dict, DataFrame or iterator
        The :term:`partitions`, at least two, of the same objects, in their order; an array has the
        shape (n_partitions, n_samples). The names of a dict name them.

    Returns
    -------
    ClusteringTree
        With ``names``, ``tables`` of neighboring levels, ``labels``, ``sizes`` and
        ``stabilities`` of the clusters.

    Raises
    ------
    ValueError
        If there are fewer than two partitions, if lengths differ, or labels or weights are invalid.
    TypeError
        If partitions are memberships, or labels are not hashable.

    See Also
    --------
    ClusteringTreeDisplay : A picture of it.
    AlluvialDisplay : The same partitions as streams of objects.
    cluster_stability : Stability of clusters under resampling of the objects.

    Notes
    -----
    Objects that are left out of one partition, as noise or missing, are left out of all.

    The stability of a cluster A is the mean over all L levels of s(A), which is 0 on its own level;
    on another one, where A falls into N clusters B_j, it is the sum of ``|A ∩ B_j| / |B_j|``,
    divided by N^2. It is (L - 1) / L for a cluster that is present on all levels, and lower the
    more clusters it is divided among, or joined with. It was proposed for SC3 [1]_, which divides
    by L - 1 instead of L; the divisor L is that of clustree [2]_.

    References
    ----------
    .. [1] V. Y. Kiselev et al., "SC3: consensus clustering of single-cell RNA-seq data", Nature
       Methods 14, 2017, :doi:`10.1038/nmeth.4236`
    .. [2] L. Zappia, A. Oshlack, "Clustering trees: a visualization for evaluating clusterings at
       multiple resolutions", GigaScience 7(7), 2018, :doi:`10.1093/gigascience/giy083`

    Examples
    --------
    >>> from sklearn_clustcompare.hierarchies import clustering_tree
    >>> tree = clustering_tree([[1, 1, 1, 1, 1, 1], [1, 1, 1, 2, 2, 2], [1, 1, 2, 2, 3, 3]])
    >>> for stability in tree.stabilities:
    ...     print(stability.round(3))
    [0.278]
    [0.292 0.292]
    [0.333 0.167 0.333]
    """
    names, levels, weights = _read_chain(given)
    tables = []
    parts: list[list[FloatArray]] = [[] for _ in levels]
    for first, second in itertools.combinations(range(len(levels)), 2):
        table = require_objects(count_read(levels[first], levels[second], weights))
        parts[first].append(_stability_across(table))
        parts[second].append(_stability_across(table.T))
        if second == first + 1:
            tables.append(table)
    stabilities = [np.sum(part, axis=0) / len(levels) for part in parts]
    return ClusteringTree(names, tables, stabilities)


def _read_chain(given: Given) -> tuple[list[Any], list[Labels], Array | None]:
    """Read two partitions or more, and the weights of their objects."""
    members, reading = list_members(given.partitions), given.reading
    if len(members) < 2:
        msg = f"partitions must hold at least two partitions, got {len(members)}"
        raise ValueError(msg)
    levels = read_labels_of(members, reading)
    weights = read_weights(given.sample_weight, levels[0])
    # Objects that one level leaves out are left out of all, so that each table ends where the
    # next one begins.
    kept = np.flatnonzero(~np.logical_or.reduce([left_out(one, reading) for one in levels]))
    if len(kept) < levels[0].n_objects:
        if not len(kept):
            msg = (
                "noise='drop' and missing='drop' must leave at least one object that is neither "
                "noise nor missing in any partition, got none"
            )
            raise ValueError(msg)
        levels = [one.take(kept) for one in levels]
        weights = None if weights is None else weights[kept]
    for one in levels:
        warn_of_other_noise(one.compact()[0], reading)
    levels = [treat_one(one, reading)[0] for one in levels]
    return [member.name for member in members], levels, weights


def _stability_across(table: ContingencyTable) -> FloatArray:
    """Return the contribution of the columns of a table to the stability of its rows."""
    rows = table.cell_rows
    shares = table.cell_counts / table.col_sums[table.cell_cols]
    return np.bincount(rows, shares) / np.bincount(rows) ** 2
