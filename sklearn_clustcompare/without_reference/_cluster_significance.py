"""Which clusters are clouds of their own: a test at each node of a tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_array, issparse
from scipy.spatial.distance import cdist
from scipy.stats import t as student
from sklearn.cluster import AgglomerativeClustering, KMeans

from sklearn_clustcompare._array_types import Array, FloatArray, IntArray, Mask, Positions
from sklearn_clustcompare._clusterers import clusters_parameter, last_step, pairs_taken
from sklearn_clustcompare._data import near_for
from sklearn_clustcompare._parameters import RandomStateLike, probability
from sklearn_clustcompare._partition import Labels, Reading, read_labels
from sklearn_clustcompare._partition.memberships import treat_one
from sklearn_clustcompare._rendering import Drawn, Shown, Table, decimal, result_record, table_of
from sklearn_clustcompare.without_reference._fits import (
    Clustering,
    caught_warnings,
    cluster,
    cluster_many,
    fit_seeds,
    run_fits,
)
from sklearn_clustcompare.without_reference._laws.distances import points_of
from sklearn_clustcompare.without_reference._null_data import NullData, laws_of, read_data
from sklearn_clustcompare.without_reference._resamples import Square, all_distances, as_rows
from sklearn_clustcompare.without_reference._stability_search import check_n_null
from sklearn_clustcompare.without_reference._structure import StructureTestResult

# A tree over the clusters of one clustering.
#
# Node c is the cluster of code c, and node n_clusters + m the m-th merge; the last has all objects.


def merges_of_centers(points: Any, codes: Array, n_clusters: int) -> IntArray:
    """Return the merges of Ward's method, starting from clusters instead of objects."""
    sizes = np.bincount(codes, minlength=n_clusters).astype(np.float64)
    points = near_for(points, "euclidean").values
    centers = sums_of_clusters(points, codes, n_clusters) / sizes[:, np.newaxis]
    nodes, merges = np.arange(n_clusters), np.empty((n_clusters - 1, 2), np.int64)
    increases = _increases(centers, centers, sizes, sizes)
    np.fill_diagonal(increases, np.inf)
    for number in range(n_clusters - 1):
        a, b = np.unravel_index(increases.argmin(), increases.shape)
        merges[number] = np.sort(nodes[[a, b]])
        nodes[a] = n_clusters + number
        share = sizes[b] / (sizes[a] + sizes[b])
        centers[a] += share * (centers[b] - centers[a])
        sizes[a] += sizes[b]
        is_left = np.isfinite(increases[a])
        is_left[b] = False
        increases[b] = increases[:, b] = np.inf
        if is_left.any():
            updated = _increases(centers[[a]], centers[is_left], sizes[[a]], sizes[is_left])
            increases[a, is_left] = increases[is_left, a] = updated[0]
    return merges


def _increases(
    first: FloatArray, second: FloatArray, first_sizes: FloatArray, second_sizes: FloatArray
) -> FloatArray:
    """Return by how much merges increase the sum of squares within clusters."""
    squares = cdist(first, second, "sqeuclidean")
    increases: FloatArray = squares / np.add.outer(1 / first_sizes, 1 / second_sizes)
    return increases


def merges_of_tree(children: Array, codes: Array, n_clusters: int) -> IntArray:
    """Return the merges of clusters in a tree over the objects that was cut into them."""
    n_objects = len(codes)
    first = n_objects - n_clusters

    def place(node: int) -> int:
        if node >= n_objects + first:
            return n_clusters + node - (n_objects + first)
        while node >= n_objects:
            node = int(children[node - n_objects, 0])
        return int(codes[node])

    merges = [sorted(map(place, pair)) for pair in children[first:].tolist()]
    return np.array(merges, np.int64).reshape(n_clusters - 1, 2)


def members_of(merges: IntArray) -> list[IntArray]:
    """Return the codes of the clusters in each node, ascending."""
    members = [np.array([code]) for code in range(len(merges) + 1)]
    for a, b in merges.tolist():
        members.append(np.sort(np.concatenate([members[a], members[b]])))
    return members


def sums_of_clusters(points: Any, codes: Array, n_clusters: int) -> FloatArray:
    """Return the sum of the objects in each cluster."""
    n_objects = len(codes)
    shape = n_clusters, n_objects
    joined = csr_array((np.ones(n_objects), (codes, np.arange(n_objects))), shape) @ points
    return np.asarray(joined.toarray() if issparse(joined) else joined)


# Numbers of parts that are tried: two alone would miss three clusters in a triangle.
NUMBERS = (2, 3, 4)
# With fewer starts the p-values of the same data vary by a factor of a hundred.
_KMEANS = KMeans(n_init=5)
# So few objects far from the others are no cluster: the copula keeps them where they are.
_MOST_ENDS = 9
# A law explains the data if the p-value of so many data sets is above this, and above so many times
# the level: no more are drawn.
_FIRST_LOOK, _CLEARLY, _TIMES = 9, 0.25, 5
# Sums of squares within clusters are at least this share of the total one.
_LEAST_SHARE = np.finfo(np.float64).eps


# Test whether objects are one cloud: do k-means clusters in them explain more than in one cloud?
#
# A few structureless data sets suffice, since the tail of their law is extrapolated.


class CloudTest(NamedTuple):
    """The p-value, the largest z of the numbers of parts, and the law that decides."""

    pvalue: float
    statistic: float
    null: str


def cloud_test(
    X: Any, null: Any, n_null: int, significance_level: float, seeds: Sequence[int]
) -> CloudTest:
    """Return the test of the first law with a p-value above the level, or of the largest p-value.

    ``seeds`` are one for the data, and two for each structureless data set.
    """
    clearly = max(_CLEARLY, _TIMES * significance_level)
    draws, fits = seeds[1 : 1 + n_null], seeds[1 + n_null :]
    with caught_warnings():  # draws may have fewer distinct objects than there are parts
        own = _explained([X], seeds[:1])[0]
        found = []
        for law in laws_of(null, X, most_ends=_MOST_ENDS):
            of_law = np.empty((0, len(NUMBERS)))
            for part in (slice(_FIRST_LOOK), slice(_FIRST_LOOK, None)):
                sets = _drawn(law, draws[part])
                of_law = np.vstack([of_law, _explained(sets, fits[part])])
                test = StructureTestResult("", True, law.name, own, of_law, "n_clusters", NUMBERS)
                pvalue = tail_pvalue(test.statistic, test.null_distribution)
                if pvalue > clearly:
                    break
            found.append(CloudTest(pvalue, test.statistic, law.name))
            if pvalue > significance_level:
                return found[-1]
    return max(found)


def _drawn(law: NullData, seeds: Sequence[int]) -> list[Any]:
    try:
        sets = [law.draw(seed) for seed in seeds]
    except Exception as error:
        error.add_note(f"The data were structureless, null={law.name!r}.")
        raise
    return [X if issparse(X) else np.asarray(X, np.float64) for X in sets]


def _explained(sets: list[Any], seeds: Sequence[int]) -> FloatArray:
    """Return log(total / within) sums of squares of each data set, for each number of parts."""
    values = np.empty((len(sets), len(NUMBERS)))
    for column, number in enumerate(NUMBERS):
        found = cluster_many(_KMEANS, {"n_clusters": number}, sets, seeds)
        values[:, column] = [
            log_ratio(X, np.asarray(one.labels), number) for X, one in zip(sets, found, strict=True)
        ]
    return values


def log_ratio(X: Any, codes: Array, n_clusters: int) -> float:
    """Return the logarithm of the total sum of squares divided by that within clusters."""
    X = near_for(X, "euclidean").values
    if not issparse(X):
        X = X - X.mean(axis=0)
    sizes = np.bincount(codes, minlength=n_clusters)[:, np.newaxis]
    sums = sums_of_clusters(X, codes, n_clusters)
    of_mean = np.sum(sums.sum(axis=0) ** 2) / len(codes)
    squares = X.multiply(X).sum() if issparse(X) else np.sum(X**2)
    total = squares - of_mean
    between = np.sum(sums**2 / np.maximum(sizes, 1)) - of_mean
    if total <= 0:
        return 0.0
    return float(-np.log(max(1 - between / total, _LEAST_SHARE)))


def tail_pvalue(value: float, sample: FloatArray) -> float:
    """Return the probability that one more value of a normal sample exceeds a value.

    It is uniform if both are from one normal law, for any size of the sample.
    """
    deviation = sample.std(ddof=1) * np.sqrt(1 + 1 / len(sample))
    if not 0 < deviation < np.inf:
        return 1.0
    return float(student.sf((value - sample.mean()) / deviation, len(sample) - 1))


# Nodes with fewer objects, or with fewer distinct ones, are not tested.
_FEWEST, _FEWEST_DISTINCT = 10, max(NUMBERS) + 1
_ONE, _SEVERAL = "one cloud", "more than one cloud"
_TOO_SMALL, _INSIDE = "too small to test", "inside one cloud"
# Names of clusters that a cell of the table shows.
_MOST_NAMES = 6


@result_record
@dataclass(frozen=True, eq=False, repr=False)
class ClusterSignificance(Drawn, Shown):
    """Which clusters are clouds of their own; made by :func:`cluster_significance`.

    Printed, and as HTML in a notebook, it shows the merges from the root down, then the clusters.
    All parameters are attributes of the same names, which cannot be set. With k clusters, nodes
    from 0 to k - 1 of the tree are the clusters, and node k + m is merge m.

    Parameters
    ----------
    labels : ndarray of int of shape (n_samples,)
        Clusters after those that are parts of one cloud were joined, numbered from 0 on in the
        order of ``clusters``; -1 for noise.
    clusters : ndarray of shape (k,)
        Label of each cluster that was given or found, sorted.
    merges : ndarray of int64 of shape (k - 1, 2)
        The two nodes that each merge joins; the last one joins all.
    sizes : ndarray of int64 of shape (2 k - 1,)
        Number of objects of each node.
    levels : ndarray of shape (2 k - 1,)
        Level of the test of each node.
    pvalues : ndarray of shape (2 k - 1,)
        The p-value of each node; NaN where it was not tested.
    statistics : ndarray of shape (2 k - 1,)
        Largest z of the node, see the Notes of :func:`cluster_significance`; NaN where not tested.
    nulls : tuple of (str or None) of length 2 k - 1
        Law that decides.
    significance_level : float
        Level of the whole procedure.

    See Also
    --------
    cluster_significance : Makes it.
    ClusterSignificanceDisplay : A picture of the tree.

    Examples
    --------
    >>> from sklearn.cluster import KMeans
    >>> from sklearn.datasets import make_blobs
    >>> from sklearn_clustcompare import cluster_significance
    >>> X, _ = make_blobs(90, centers=[[0, 0], [9, 0], [4, 8]], random_state=0)
    >>> found = cluster_significance(KMeans(4), X)
    >>> found.n_clusters, len(found.clusters)
    (3, 4)
    """

    labels: IntArray
    clusters: Array
    merges: IntArray
    sizes: IntArray
    levels: FloatArray
    pvalues: FloatArray
    statistics: FloatArray
    nulls: tuple[str | None, ...]
    significance_level: float

    @property
    def n_clusters(self) -> int:
        """Number of clusters after joining, without noise."""
        return int(self.groups.max()) + 1

    @property
    def is_significant(self) -> Mask:
        """Whether each node is more than one cloud, of shape (2 k - 1,)."""
        return self.pvalues <= self.levels

    @cached_property
    def members(self) -> tuple[IntArray, ...]:
        """Positions in ``clusters`` of the clusters in each node, ascending."""
        return tuple(members_of(self.merges))

    @cached_property
    def groups(self) -> IntArray:
        """Number after joining of each of ``clusters``, of shape (k,)."""
        k = len(self.clusters)
        joined = np.arange(k)
        for node in self._from_root():
            if node >= k and self.readings[node] != _SEVERAL:
                joined[self.members[node]] = self.members[node][0]
        return np.unique(joined, return_inverse=True)[1].astype(np.int64)

    @cached_property
    def readings(self) -> tuple[str, ...]:
        """What each node is, in words.

        "one cloud" or "more than one cloud"; "too small to test"; "inside one cloud" for nodes
        below one that is not divided.
        """
        found = [_INSIDE] * len(self.sizes)
        for node in self._from_root():
            if np.isnan(self.pvalues[node]):
                found[node] = _TOO_SMALL
            else:
                found[node] = _SEVERAL if self.is_significant[node] else _ONE
        return tuple(found)

    def _from_root(self) -> list[int]:
        """Return the nodes that were reached, from the root down."""
        k = len(self.clusters)
        reached = [len(self.sizes) - 1]
        for node in reached:
            if node >= k and self.is_significant[node]:
                reached += sorted(self.merges[node - k].tolist(), reverse=True)
        return reached

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with one row per node of the tree.

        Sort, join or save the rows with pandas, which has to be installed.

        Returns
        -------
        pandas.DataFrame of shape (2 k - 1, 7)
            Columns ``clusters`` (tuples of labels), ``size``, ``level``, ``statistic``, ``pvalue``,
            ``null`` and ``reading``, indexed by the node.

        See Also
        --------
        ClusterSignificanceDisplay : A picture of the tree.

        Examples
        --------
        >>> from sklearn_clustcompare import cluster_significance
        >>> found = cluster_significance([0] * 10 + [1] * 10, [[number] for number in range(20)])
        >>> found.to_frame()["reading"].tolist()
        ['inside one cloud', 'inside one cloud', 'one cloud']
        """
        import pandas as pd

        index = pd.RangeIndex(len(self.sizes), name="node")
        names = [tuple(self.clusters[one].tolist()) for one in self.members]
        return pd.DataFrame({"clusters": names, **self._columns()}, index=index)

    def _columns(self) -> dict[str, Any]:
        return {
            "size": self.sizes,
            "level": self.levels,
            "statistic": self.statistics,
            "pvalue": self.pvalues,
            "null": self.nulls,
            "reading": self.readings,
        }

    def _headline(self) -> str:
        remain = (
            "1 cluster remains" if self.n_clusters == 1 else f"{self.n_clusters} clusters remain"
        )
        return f"ClusterSignificance: {remain} of {len(self.clusters)}"

    def _shown(self) -> Table:
        reached = self._from_root()
        names = [_listed(self.clusters[self.members[node]], " ") for node in reached]
        columns = {
            name: [one[node] or "-" if name == "null" else one[node] for node in reached]
            for name, one in self._columns().items()
        }
        return table_of({"clusters": names, **columns}, names=("clusters",))

    def _conclusion(self) -> Sequence[str]:
        members = [self.clusters[self.groups == group] for group in range(self.n_clusters)]
        joined = [_listed(one, " + ") for one in members if len(one) > 1]
        lines = [f"parts of one cloud: {_listed(joined, '; ') or 'none'}"]
        leaves = np.array(self.readings[: len(self.clusters)])
        for reading, text in ((_SEVERAL, f"of {_SEVERAL}"), (_TOO_SMALL, _TOO_SMALL)):
            if (leaves == reading).any():
                lines.append(f"clusters {text}: {_listed(self.clusters[leaves == reading], ', ')}")
        level = decimal(self.significance_level)
        return [*lines, f"level of all tests together: {level}, as far as their laws fit the data"]


def _listed(names: Sequence[Any] | Array, separator: str) -> str:
    texts = [str(name) for name in names]
    if len(texts) > _MOST_NAMES:
        texts = [*texts[: _MOST_NAMES - 1], f"... ({len(texts)})"]
    return separator.join(texts)


def cluster_significance(
    estimator: Any,
    X: ArrayLike,
    *,
    null: Any = "auto",
    n_null: int = 39,
    significance_level: float = 0.05,
    noise_label: Any = -1,
    random_state: RandomStateLike = 0,
    n_jobs: int | None = None,
    verbose: int | None = None,
) -> ClusterSignificance:
    """Test which clusters are clouds of their own, and which are parts of one cloud.

    A clusterer of six clusters finds six in any data. Here the clusters are joined to a tree, and
    each merge is tested, from the top down: do its objects differ from one cloud? Where they do
    not, its clusters are parts of one cloud, and become one. Clusters that remain are tested too:
    they may be more than one cloud themselves.

    Parameters
    ----------
    estimator : estimator or array-like of shape (n_samples,)
        A clusterer, or a pipeline that ends in one; or :term:`labels` that exist.
    X : array-like or sparse matrix of shape (n_samples, n_features) or (n_samples, n_samples)
        The data; or distances between the objects, if the clusterer takes these. With labels, a
        symmetric matrix with zeros on its diagonal is read as distances.
    null : str, callable or list of them, default="auto"
        Law of the :term:`structureless data`, by its name or as a function, or several. "auto" is
        "copula" and "elliptical", also "pca" for continuous columns, and "rates" for counts.
    n_null : int, default=39
        Number of structureless data sets of each law and node at most, at least 19.
    significance_level : float, default=0.05
        Level of all tests together: the largest probability that anywhere in the tree one cloud is
        divided, if the laws fit.
    noise_label : hashable or collection of these, default=-1
        :term:`Label of noise <noise_label>`, or several; they need not occur.
    random_state : int, RandomState, Generator, SeedSequence or None, default=0
        :term:`Source of randomness <random_state>`.
    n_jobs : int, default=None
        :term:`Number of parallel jobs <n_jobs>`; the result does not depend on it.
    verbose : int or None, default=None
        Progress on stderr: 0 shows none, 1 all of it. None shows one line with an estimate
        if it may take more than ten seconds, on a terminal or in a notebook.

    Returns
    -------
    ClusterSignificance
        With the joined ``labels``, ``n_clusters``, and ``pvalues``, ``levels`` and ``readings`` of
        all nodes of the tree.

    Raises
    ------
    ValueError
        If X or a parameter is invalid, no cluster was found, or X holds similarities, distances
        that are far from those of points, or a sparse graph.

    Warns
    -----
    UserWarning
        Warnings of the clusterer, once each.

    See Also
    --------
    choose_n_clusters : A verdict on the number of clusters of a clusterer.
    structure_test : Tests all data, with any statistic.
    cluster_stability : Whether clusters come back in other samples.
    ClusterSignificanceDisplay : A picture of the tree.

    Notes
    -----
    The tree is that of :class:`~sklearn.cluster.AgglomerativeClustering` above the clusters. For
    other clusterers and for labels, Ward's method joins the clusters, starting from their centers.

    A node with n_j of n objects is tested at the level ``significance_level * (n_j - 1) / (n - 1)``
    [1]_, and only if all nodes above it are more than one cloud. The levels of disjoint nodes sum
    to the whole level at most, so if the laws fit, one cloud is divided anywhere with at most this
    probability.

    The statistic compares the objects with data sets of one cloud, whatever clusterer was used.
    k-means divides each data set into 2, 3 and 4 parts. The logarithm of the total sum of squares
    divided by that within the parts is standardized by those of all other data sets, and the
    largest z is taken. Small levels need a tail that is not drawn: the p-value is that of one more
    value of a normal sample, the structureless data sets. Of several laws, the largest p-value
    counts; further laws are not drawn once one exceeds the level, nor more than 9 data sets of a
    law whose p-value is then above 0.25 and five times the level. The copula keeps the outermost
    values of continuous columns, nine at each end but at most a tenth: the nearest law with one
    mode would draw a long tail in, and what is left far out would look like a cluster.

    Pipelines are fitted once, and the tests take the input of their last step: scale the features
    first, or in the pipeline. Distances become points by classical scaling.
    Noise is left out.

    What the tests cannot know:

    - Nodes with fewer than 10 objects, or fewer than 5 distinct ones, are not tested. Their
      clusters are joined, and a single small cluster that is divided from others is kept.
    - One cloud means one mode, and contours near ellipses or boxes. A bent cloud, such as a banana,
      is not; it is divided where the clusterer divides it.
    - That a node is more than one cloud does not show that it is divided at the right place: a
      poor clusterer may cut through clouds.
    - Chains and rings, which k-means does not separate, may be taken for one cloud; so may clusters
      that overlap, that are small next to others, or that differ in a few of many features.
    - The laws are fitted to the data, so levels hold approximately:
      ``benchmarks/cluster_significance.py`` counts false divisions.

    References
    ----------
    .. [1] P. K. Kimes, Y. Liu, D. N. Hayes, J. S. Marron, "Statistical significance for
       hierarchical clustering", Biometrics 73(3), 2017, :doi:`10.1111/biom.12647`

    Examples
    --------
    >>> from sklearn.cluster import KMeans
    >>> from sklearn.datasets import make_blobs
    >>> from sklearn_clustcompare import cluster_significance
    >>> X, _ = make_blobs(90, centers=[[0, 0], [9, 0], [4, 8]], random_state=0)
    >>> found = cluster_significance(KMeans(4), X)
    >>> found.n_clusters
    3
    >>> found.labels.shape, found.pvalues.shape
    ((90,), (7,))
    """
    check_n_null(n_null)
    probability("significance_level", significance_level)
    reading = Reading(noise="drop", noise_label=noise_label)
    (seed, of_nodes) = fit_seeds(1, 2, random_state)[0]
    tasks: list[tuple[Any, ...]] = [(estimator, X, seed, reading)]
    (given,) = run_fits(_given, tasks, n_jobs=1, verbose=0, description="all objects")
    merges = given.merges()
    members = members_of(merges)
    objects = [np.flatnonzero(np.isin(given.codes, one)) for one in members]
    sizes = np.array([len(one) for one in objects])
    levels = significance_level * ((sizes - 1) / max(sizes[-1] - 1, 1))
    seeds = fit_seeds(len(members), 1 + 2 * n_null, of_nodes)
    tests: dict[int, CloudTest] = {}
    going = [len(members) - 1]
    while going:
        going = [node for node in going if _is_testable(given.points, objects[node])]
        tasks = [
            (given.points[objects[node]], null, n_null, levels[node], seeds[node]) for node in going
        ]
        found = run_fits(cloud_test, tasks, n_jobs=n_jobs, verbose=verbose, description="nodes")
        tests |= dict(zip(going, found, strict=True))
        divided = [node for node in going if tests[node].pvalue <= levels[node]]
        going = [
            int(part)
            for node in divided
            if node >= len(given.clusters)
            for part in merges[node - len(given.clusters)]
        ]
    untested = CloudTest(np.nan, np.nan, "")
    all_tests = [tests.get(node, untested) for node in range(len(members))]
    result = ClusterSignificance(
        labels=np.full(given.n_samples, -1),
        clusters=given.clusters,
        merges=merges,
        sizes=sizes,
        levels=levels,
        pvalues=np.array([one.pvalue for one in all_tests]),
        statistics=np.array([one.statistic for one in all_tests]),
        nulls=tuple(one.null or None for one in all_tests),
        significance_level=significance_level,
    )
    result.labels[given.kept] = result.groups[given.codes]
    return result


def _is_testable(points: Any, objects: Positions) -> bool:
    if len(objects) < _FEWEST:
        return False
    rows = points[objects]
    return len(np.unique(rows.toarray() if issparse(rows) else rows, axis=0)) >= _FEWEST_DISTINCT


# --------------------------------------------------------------------------- what is given


class _Given(NamedTuple):
    """The clusters of the objects that are no noise, and their points; ``model`` may be None."""

    points: Any
    codes: IntArray
    clusters: Array
    kept: Positions
    n_samples: int
    model: Any

    def merges(self) -> IntArray:
        model = last_step(self.model)
        if isinstance(model, AgglomerativeClustering) and len(self.kept) == self.n_samples:
            return merges_of_tree(model.children_, self.codes, len(self.clusters))
        return merges_of_centers(self.points, self.codes, len(self.clusters))


def _given(estimator: Any, X: Any, seed: int, reading: Reading) -> _Given:
    if hasattr(estimator, "fit"):
        rows, kind = as_rows(X, estimator), pairs_taken(estimator)
        parameters = {}
        if isinstance(last_step(estimator), AgglomerativeClustering):
            name = str(clusters_parameter(estimator))
            parameters[name.removesuffix("n_clusters") + "compute_full_tree"] = True
        found = cluster(estimator, parameters, rows, seed)
        partition = read_labels(found.labels, "estimator")
    else:
        if getattr(estimator, "ndim", None) == 2 and getattr(X, "ndim", None) == 1:
            msg = (
                "estimator must be a clusterer or labels, and X the data, got arrays of shapes "
                f"{np.shape(estimator)} and {np.shape(X)}: exchange them"
            )
            raise ValueError(msg)
        rows = as_rows(X, None)
        kind = rows.kind if isinstance(rows, Square) else None
        partition = read_labels(estimator, "estimator")
        if partition.n_objects != rows.shape[0]:
            msg = (
                f"estimator must hold a label for each of the {rows.shape[0]} objects of X, or be "
                f"a clusterer, got {partition.n_objects} labels"
            )
            raise ValueError(msg)
        found = Clustering(None, partition.codes, rows.values if kind else rows)
    points = _points(found.space, kind)
    partition, kept = treat_one(partition, reading)
    if partition.n_objects == 0:
        msg = "estimator must give clusters of objects that are no noise, got noise only"
        raise ValueError(msg)
    return _of(points, partition, kept, found.model)


def _points(space: Any, kind: str | None) -> Any:
    """Return the objects as points, of which sparse ones stay sparse."""
    if kind is not None:
        return points_of(read_data(all_distances(space, kind)))
    values = read_data(space)
    return values.tocsr() if issparse(values) else np.asarray(values, np.float64)


def _of(points: Any, partition: Labels, kept: Positions | None, model: Any) -> _Given:
    compact, _ = partition.compact()
    n_samples = points.shape[0]
    if kept is not None:
        points = points[kept]
    return _Given(
        points,
        compact.codes,
        compact.labels_of(np.arange(compact.n_codes)),
        np.arange(n_samples) if kept is None else kept,
        n_samples,
        model,
    )
