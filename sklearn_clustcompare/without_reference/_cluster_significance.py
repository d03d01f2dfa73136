"""Which clusters are clusters of their own: a test at each node of a tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import issparse
from scipy.spatial.distance import cdist
from sklearn.base import clone
from sklearn.cluster import AgglomerativeClustering, KMeans

from sklearn_clustcompare._array_types import Array, FloatArray, IntArray, Mask
from sklearn_clustcompare._clusterers import clusters_parameter, last_step, pairs_taken
from sklearn_clustcompare._options import tells_keywords
from sklearn_clustcompare._parameters import RandomStateLike, probability
from sklearn_clustcompare._partition import Reading, read_labels
from sklearn_clustcompare._partition.memberships import treat_one
from sklearn_clustcompare._rendering import Drawn, Rows, Table, decimal, table_of
from sklearn_clustcompare.indices._internal import scatter
from sklearn_clustcompare.without_reference._against_null import StructureTestResult
from sklearn_clustcompare.without_reference._fits import (
    OneCall,
    Statistic,
    caught_warnings,
    cluster,
    compare_with_null,
    fit_seeds,
    one_thread,
    run_fits,
)
from sklearn_clustcompare.without_reference._n_clusters import (
    labels_of_all,
    look_at,
    scaled_parameters,
    taken,
)
from sklearn_clustcompare.without_reference._null_data import (
    check_n_null,
    laws_of,
    points_of,
    read_data,
    tail_pvalue,
)
from sklearn_clustcompare.without_reference._resamples import (
    Clustering,
    Square,
    all_distances,
    as_seen,
    n_distinct_objects,
    read_extension,
    values_of,
)

# A tree over the clusters of one clustering.
#
# Node c is the cluster of code c, and node n_clusters + m the m-th merge; the last has all objects.


def merges_of_centers(points: Any, codes: Array, n_clusters: int) -> IntArray:
    """Return the merges of Ward's method, starting from clusters instead of objects."""
    sizes = np.bincount(codes, minlength=n_clusters).astype(np.float64)
    centers = scatter(points, codes).centers
    nodes, merges = np.arange(n_clusters), np.empty((n_clusters - 1, 2), np.int64)
    for number in range(n_clusters - 1):
        # By how much each merge increases the sum of squares within clusters.
        increases = cdist(centers, centers, "sqeuclidean") / np.add.outer(1 / sizes, 1 / sizes)
        np.fill_diagonal(increases, np.inf)
        a, b = np.unravel_index(increases.argmin(), increases.shape)
        merges[number] = np.sort(nodes[[a, b]])
        nodes[a] = n_clusters + number
        centers[a] += sizes[b] / (sizes[a] + sizes[b]) * (centers[b] - centers[a])
        sizes[a] += sizes[b]
        is_left = np.arange(len(nodes)) != b
        nodes, sizes, centers = nodes[is_left], sizes[is_left], centers[is_left]
    return merges


def merges_of_tree(children: Array, codes: Array, n_clusters: int) -> IntArray:
    """Return the merges above the clusters into which a tree over the objects was cut.

    ``children`` has the two nodes of each merge of the tree: its first ones join objects within
    clusters, and the last ``n_clusters - 1`` join clusters. ``codes`` has the cluster of each
    object.
    """
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


# Numbers of parts that are tried: two alone would miss three clusters in a triangle.
NUMBERS = (2, 3, 4)
# With fewer starts the p-values of the same data vary by a factor of a hundred.
_KMEANS = KMeans(n_init=5)
# So few objects far from the others are no cluster: the copula keeps them where they are.
_MOST_ENDS = 9
# No more data sets of a law are drawn if the p-value of so many is above this and above so many
# times the level, as the law explains the data; or if it is so many times below the level.
_FIRST_LOOK, _CLEARLY, _TIMES, _TIMES_BELOW = 9, 0.25, 5, 50
# Sums of squares within clusters are at least this share of the total one.
_LEAST_SHARE = np.finfo(np.float64).eps


# Test whether objects are one cluster: do clusters of k-means in them explain more than in one?
#
# A few structureless data sets suffice, since the tail of their distribution is extrapolated.


class NodeTest(NamedTuple):
    """The p-value, the largest z of the numbers of parts, and the law that decides."""

    pvalue: float
    statistic: float
    null: str

    @classmethod
    def of(cls, law: str, own: FloatArray, null: FloatArray) -> NodeTest:
        test = StructureTestResult("", True, law, own, null, "n_clusters", NUMBERS)
        return cls(tail_pvalue(test.statistic, test.null_distribution), test.statistic, law)


def node_test(
    X: Any, null: Any, n_null: int, significance_level: float, seeds: Sequence[int]
) -> NodeTest:
    """Return the test of the first law with a p-value above the level, or of the largest p-value.

    ``seeds`` are one for the data, and two for each structureless data set.
    """
    draws, fits = [0, *seeds[1 : 1 + n_null]], [seeds[0], *seeds[1 + n_null :]]
    rows = [[draw, *[fit] * len(NUMBERS)] for draw, fit in zip(draws, fits, strict=True)]
    found = []
    with caught_warnings():  # draws may have fewer distinct objects than there are parts
        for law in laws_of(null, X, most_ends=_MOST_ENDS):
            (own,), (of_law,) = compare_with_null(
                *(_EXPLAINED, X, [law], rows),
                looks=[_FIRST_LOOK],
                is_enough=partial(_is_clear, significance_level),
            )
            found.append(NodeTest.of(law.name, own, of_law))
            if found[-1].pvalue > significance_level:
                return found[-1]
    return max(found)


def _is_clear(level: float, own: FloatArray, null: Sequence[FloatArray]) -> bool:
    """Return whether further data sets would hardly change on which side of the level p is."""
    pvalue = NodeTest.of("", own[0], null[0]).pvalue
    return pvalue > max(_CLEARLY, _TIMES * level) or pvalue < level / _TIMES_BELOW


def explained(_: int, found: Clustering, __: dict[str, Any]) -> float:
    """Return the logarithm of the total sum of squares divided by that within clusters."""
    parts = scatter(found.space, np.asarray(found.labels))
    within, between = parts.within.sum(), parts.between.sum()
    total = within + between
    return float(-np.log(max(within / total, _LEAST_SHARE))) if total > 0 else 0.0


_EXPLAINED = Statistic(_KMEANS, [{"n_clusters": number} for number in NUMBERS], explained)


# Nodes with fewer objects, or with fewer distinct ones, are not tested.
_FEWEST, _FEWEST_DISTINCT = 10, max(NUMBERS) + 1
_ONE, _SEVERAL = "one cluster", "more than one cluster"
_TOO_SMALL, _INSIDE = "too small to test", "inside one cluster"
# Names of clusters that a cell of the table shows.
_MOST_NAMES = 6


class ClusterSignificance(Drawn, Rows):
    """Which clusters are clusters of their own; made by :func:`cluster_significance`.

    Printed, and as HTML in a notebook, it shows the merges from the root down, then the clusters.
    All parameters are attributes of the same names, which cannot be set. With k clusters, nodes
    from 0 to k - 1 of the tree are the clusters, and node k + m is merge m.

    Parameters
    ----------
    labels : ndarray of int of shape (n_samples,)
        Clusters after those that are parts of one cluster were joined, numbered from 0 on in the
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
        Null distribution that decides.
    significance_level : float
        Level of the whole procedure.
    subsample : int or None, default=None
        Rows of each sample that was looked at; None where all rows were.

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
    subsample: int | None = None

    @property
    def n_clusters(self) -> int:
        """Number of clusters after joining, without noise."""
        return int(self.groups.max()) + 1

    @property
    def is_significant(self) -> Mask:
        """Whether each node is more than one cluster, of shape (2 k - 1,)."""
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

        "one cluster" or "more than one cluster"; "too small to test"; "inside one cluster" for
        nodes below one that is not divided.
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

    def _row_names(self) -> tuple[str, Any]:
        return "node", range(len(self.sizes))

    def _columns(self) -> dict[str, Any]:
        return {
            "clusters": [tuple(self.clusters[one].tolist()) for one in self.members],
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
        reached, columns = self._from_root(), self._columns()
        columns["clusters"] = [_listed(one, " ") for one in columns["clusters"]]
        columns["null"] = [one or "-" for one in columns["null"]]
        shown = {name: [one[node] for node in reached] for name, one in columns.items()}
        return table_of(shown, names=("clusters",))

    def _conclusion(self) -> Sequence[str]:
        members = [self.clusters[self.groups == group] for group in range(self.n_clusters)]
        joined = [_listed(one, " + ") for one in members if len(one) > 1]
        lines = [f"parts of one cluster: {_listed(joined, '; ') or 'none'}"]
        leaves = np.array(self.readings[: len(self.clusters)])
        for reading, text in ((_SEVERAL, f"of {_SEVERAL}"), (_TOO_SMALL, _TOO_SMALL)):
            if (leaves == reading).any():
                lines.append(f"clusters {text}: {_listed(self.clusters[leaves == reading], ', ')}")
        level = decimal(self.significance_level)
        return [
            *lines,
            f"level of all tests together: {level}, as far as null distributions fit",
            "choose_n_clusters also asks whether clusters come back in other halves of the data",
        ]


def _listed(names: Sequence[Any] | Array, separator: str) -> str:
    texts = [str(name) for name in names]
    if len(texts) > _MOST_NAMES:
        texts = [*texts[: _MOST_NAMES - 1], f"... ({len(texts)})"]
    return separator.join(texts)


@tells_keywords
def cluster_significance(
    estimator: Any,
    X: ArrayLike,
    *,
    null: Any = "auto",
    n_null: int = 39,
    significance_level: float = 0.05,
    noise_label: Any = -1,
    subsample: Any = "auto",
    n_subsamples: int = 5,
    random_state: RandomStateLike = 0,
    n_jobs: int | None = None,
    verbose: int | None = None,
) -> ClusterSignificance:
    """Test which clusters are clusters of their own, and which are parts of one cluster.

    A clusterer of six clusters finds six in any data. Here the clusters are joined to a tree, and
    each merge is tested, from the top down: do its objects differ from one cluster? Where they do
    not, its clusters are parts of one cluster, and become one. Clusters that remain are tested too:
    they may be more than one cluster themselves.

    Parameters
    ----------
    estimator : estimator or array-like of shape (n_samples,)
        A clusterer, or a pipeline that ends in one; or :term:`labels` that exist.
    X : array-like or sparse matrix of shape (n_samples, n_features) or (n_samples, n_samples)
        The data; or distances between the objects, if the clusterer takes these. With labels, a
        symmetric matrix with zeros on its diagonal is read as distances.
    null : str, callable or list of them, default="auto"
        Null distribution of the :term:`structureless data`, by its name or as a function, or
        several. "auto" is "copula" and "elliptical", also "pca" for continuous columns, and "rates"
        for counts.
    n_null : int, default=39
        Number of structureless data sets of each null distribution and node at most, at least 19.
    significance_level : float, default=0.05
        Level of all tests together: the largest probability that anywhere in the tree one cluster
        is divided, if the null distributions fit.
    noise_label : hashable or collection of these, default=-1
        :term:`Label of noise <noise_label>`, or several; they need not occur.
    subsample : int, None or "auto", default="auto"
        Rows of each sample that the evidence is taken from, at least 12; None for all rows in one.
        "auto" takes samples of 500 above 1,500 rows, in which small clusters may be missed.
    n_subsamples : int, default=5
        Number of these samples, which are disjoint.
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
    TypeError
        If X or a parameter is of the wrong type.

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
    [1]_, and only if all nodes above it are more than one cluster. The levels of disjoint nodes sum
    to the whole level at most, so if the null distributions fit, one cluster is divided anywhere
    with at most this probability.

    The statistic compares the objects with data sets of one cluster, whatever clusterer was used.
    k-means divides each data set into 2, 3 and 4 parts. The logarithm of the total sum of squares
    divided by that within the parts is standardized by those of all other data sets, and the
    largest z is taken. Small levels need a tail that is not drawn: the p-value is that of one more
    value of a normal sample, the structureless data sets. Of several null distributions, the
    largest p-value counts; further null distributions are not drawn once one exceeds the level, nor
    more than 9 data sets of a null distribution whose p-value is then above 0.25 and five times the
    level, or below a fiftieth of it. The copula keeps the outermost values of continuous columns,
    nine at each end but at most a tenth: the nearest null distribution with one mode would draw a
    long tail in, and what is left far out would look like a cluster.

    Above 1,500 rows the clusterer is fitted to the rows of five samples together, and all others
    get their labels by ``predict``, or from the nearest object; of given labels, all are used. The
    tests look at the sampled objects of a node; ``sizes`` and ``levels`` are of all. Only sampled
    rows are read, and blocks of rows to label them.

    :func:`choose_n_clusters` chooses one number for all data, by clusters that come back in other
    halves of the data and are denser than the passes between them. Here, each node is only compared
    with structureless data: parts of one bent cluster may remain apart, and clusters of different
    levels of the tree may remain together. Where both were asked and disagree, clusters that remain
    here and are not chosen there differ from one cluster, but do not come back or touch.

    Pipelines are fitted once, and the tests take the input of their last step: scale the features
    first, or in the pipeline. Distances become points by classical scaling.
    Noise is left out.

    What the tests cannot know:

    - Nodes with fewer than 10 objects, or fewer than 5 distinct ones, are not tested. Their
      clusters are joined, and a single small cluster that is divided from others is kept.
    - One cluster means one mode, and contours near ellipses or boxes. A bent one, such as a banana,
      is not; it is divided where the clusterer divides it.
    - That a node is more than one cluster does not show that it is divided at the right place: a
      poor clusterer may cut through clusters.
    - Chains and rings, which k-means does not separate, may be taken for one cluster; so may those
      that overlap, that are small next to others, or that differ in a few of many features.
    - The null distributions are fitted to the data, so levels hold approximately:
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
    ((of_fit, of_nodes),) = fit_seeds(1, 2, random_state)
    with OneCall(), one_thread():
        codes, clusters, merges, all_points, looked_at, size = _given(
            estimator, X, subsample, n_subsamples, of_fit, reading
        )
    k, members = len(clusters), members_of(merges)
    of_clusters = np.bincount(codes[codes >= 0], minlength=k)
    sizes = np.array([of_clusters[one].sum() for one in members])
    levels = significance_level * ((sizes - 1) / max(sizes[-1] - 1, 1))
    seeds = fit_seeds(len(members), 1 + 2 * n_null, of_nodes)
    tests: dict[int, NodeTest] = {}
    going = [len(members) - 1]
    while going:
        parts = {node: all_points[np.isin(looked_at, members[node])] for node in going}
        parts = {node: points for node, points in parts.items() if _is_testable(points)}
        tasks = [
            (points, null, n_null, levels[node], seeds[node]) for node, points in parts.items()
        ]
        found = run_fits(node_test, tasks, n_jobs=n_jobs, verbose=verbose, description="nodes")
        tests |= dict(zip(parts, found, strict=True))
        divided = [node for node in parts if tests[node].pvalue <= levels[node] and node >= k]
        going = [part for node in divided for part in merges[node - k].tolist()]
    untested = NodeTest(np.nan, np.nan, "")
    all_tests = [tests.get(node, untested) for node in range(len(members))]
    result = ClusterSignificance(
        labels=codes,
        clusters=clusters,
        merges=merges,
        sizes=sizes,
        levels=levels,
        pvalues=np.array([one.pvalue for one in all_tests]),
        statistics=np.array([one.statistic for one in all_tests]),
        nulls=tuple(one.null or None for one in all_tests),
        significance_level=significance_level,
        subsample=size,
    )
    return replace(result, labels=np.append(result.groups, -1)[codes])


def _is_testable(points: Any) -> bool:
    enough = n_distinct_objects(points, _FEWEST_DISTINCT) == _FEWEST_DISTINCT
    return points.shape[0] >= _FEWEST and enough


# --------------------------------------------------------------------------- what is given


def _given(
    estimator: Any, X: Any, subsample: Any, n_subsamples: Any, seed: int, reading: Reading
) -> tuple[IntArray, Array, IntArray, Any, IntArray, int | None]:
    """Return clusters of all objects, -1 for noise, their names and their tree.

    Also return points of the objects that are looked at, their clusters, and the rows of a sample.
    """
    is_clusterer = hasattr(estimator, "fit")
    if not is_clusterer and getattr(estimator, "ndim", 0) == 2 and getattr(X, "ndim", None) == 1:
        msg = (
            "estimator must be a clusterer or labels, and X the data, got arrays of shapes "
            f"{np.shape(estimator)} and {np.shape(X)}: exchange them"
        )
        raise ValueError(msg)
    data, looked = look_at(X, estimator if is_clusterer else None, subsample, n_subsamples, seed)
    rows, positions, model, labels = looked.rows, looked.positions, None, estimator
    kind = rows.kind if isinstance(rows, Square) else None
    if is_clusterer:
        model, kind = clone(estimator), pairs_taken(estimator)
        model.set_params(**scaled_parameters(estimator, looked.share(data.shape[0])))
        if isinstance(last_step(model), AgglomerativeClustering):
            name = str(clusters_parameter(model)).removesuffix("n_clusters")
            model.set_params(**{f"{name}compute_full_tree": True})
        found = cluster(model, {}, rows, seed)
        labels = labels_of_all(data, looked, found, read_extension("auto", estimator))
        model, rows = found.model, found.space
    partition = read_labels(labels, "estimator")
    if partition.n_objects != data.shape[0]:
        msg = (
            f"estimator must hold a label for each of the {data.shape[0]} objects of X, or be a "
            f"clusterer, got {partition.n_objects} labels"
        )
        raise ValueError(msg)
    # Each cluster has a place in the tree, though given labels may have some in no sample.
    codes, first = np.unique(partition.codes, return_index=True)
    unseen = first[~np.isin(codes, partition.codes[positions])]
    if len(unseen):
        positions = np.union1d(positions, unseen)
        rows = taken(data, positions)
        rows = rows if model is None else as_seen(model, rows)
    space = values_of(rows)
    if kind is not None:
        points = points_of(read_data(all_distances(space, kind)))
    else:
        points = read_data(space)
        points = points.tocsr() if issparse(points) else np.asarray(points, np.float64)
    partition, kept = treat_one(partition, reading)
    if partition.n_objects == 0:
        msg = "estimator must give clusters of objects that are no noise, got noise only"
        raise ValueError(msg)
    compact, _ = partition.compact()
    codes, k = np.full(data.shape[0], -1), compact.n_codes
    codes[slice(None) if kept is None else kept] = compact.codes
    looked_at, step = codes[positions], last_step(model)
    points, looked_at = points[looked_at >= 0], looked_at[looked_at >= 0]
    if isinstance(step, AgglomerativeClustering) and len(step.labels_) == len(looked_at):
        merges = merges_of_tree(step.children_, looked_at, k)
    else:
        merges = merges_of_centers(points, looked_at, k)
    return codes, compact.labels_of(np.arange(k)), merges, points, looked_at, looked.size
