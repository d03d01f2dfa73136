"""The number of clusters by one rule: function, estimator, result, small groups of large data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.cluster.hierarchy import linkage
from scipy.sparse import issparse
from scipy.spatial.distance import pdist
from sklearn.base import clone
from sklearn.cluster import DBSCAN, HDBSCAN, OPTICS, KMeans, kmeans_plusplus
from sklearn.metrics import pairwise_distances_argmin
from sklearn.metrics.pairwise import euclidean_distances
from sklearn.pipeline import Pipeline
from sklearn.utils.extmath import row_norms
from sklearn.utils.validation import validate_data

from sklearn_clustcompare._array_types import Array, FloatArray, Mask, Positions
from sklearn_clustcompare._chance.draws import task_seeds
from sklearn_clustcompare._clusterers import (
    MOST_TRIED,
    check_values,
    clusters_parameter,
    last_step,
    main_parameter,
    pairs_taken,
    read_range,
    values_tried,
)
from sklearn_clustcompare._data import near_for, needing_numbers, read_numbers
from sklearn_clustcompare._memory import require_memory
from sklearn_clustcompare._numerics import silhouettes_of
from sklearn_clustcompare._options import (
    shortened,
    tells_keywords,
    warn_caller,
)
from sklearn_clustcompare._parameters import RandomStateLike
from sklearn_clustcompare._rendering import Drawn, Rows
from sklearn_clustcompare.significance._resampling import several_resamples
from sklearn_clustcompare.without_reference._fits import (
    Search,
    caught_warnings,
    checked_clustering,
    cluster,
    fit_seeds,
    one_call,
    one_thread,
    run_fits,
    seeded,
)
from sklearn_clustcompare.without_reference._null_data import (
    NullData,
    check_n_null,
    laws_of,
    read_names,
    tail_pvalue,
)
from sklearn_clustcompare.without_reference._resamples import (
    FEWEST,
    Clustering,
    LookedAt,
    Square,
    all_distances,
    as_seen,
    blocks_of,
    labels_of_all,
    look_at,
    radius_of,
    read_extension,
    scaled,
    scaled_parameters,
    take_rows,
    taken,
    values_of,
    why_all,
)
from sklearn_clustcompare.without_reference._verdict import (
    TOUCHING,
    Candidate,
    Evidence,
    NClustersVerdict,
    Passes,
    decide,
    with_small_groups,
)

# --------------------------------------------------------------------------- small groups

# Small groups in large data: apart from all other rows, and found again in other rows.
#
# Samples of some hundred rows do not show them. Two disjoint samples of many rows are divided into
# micro-clusters, and these joined to a tree. Nodes of the tree are groups. The isolation of a group
# is the mean of (b - a) / max(a, b) over its rows, with the distance a to the mean of the group,
# and b to the nearest center of other micro-clusters. A group counts if both samples have it, if
# its core and that of the nearest other rows are denser than the pass between them, which the top
# of one mode is not, and if it is more isolated in both samples than any group of structureless
# data.

# Rows and numbers of each of two samples at most, and rows at least.
_ROWS, _NUMBERS, _LEAST = 20_000, 2**23, 500
# Micro-clusters at most, their mean number of rows at least, and rounds of k-means.
_MOST, _ROWS_EACH, _ROUNDS = 200, 25, 5
# Rows of a group, and as many nearest ones, between which a pass is sought: at least, at most.
_BESIDE = 50, 200
# Rows of a group in a sample at least, and its share of these at most.
_FEWEST, _LARGEST = 10, 0.1
# Jaccard index of a group with the same group of the other sample.
_SAME = 0.75
# Structureless data sets of each law after which it is asked whether they are enough, and the tail
# of Student's law below which they are.
_LOOKS, _SURE = (3, 9, 19), 0.002
# Rows of a group in a sample of which 8 of 8, eight standard deviations away, were found
# (benchmarks/small_groups.txt), and those that samples of the evidence alone are taken to show.
_FOUND, _FOUND_IN_PARTS = 30, 25


class SmallGroup(Rows, eq=True):
    """A small group of large data; an element of ``small_groups`` of NClustersChoice.

    Printed, and as HTML in a notebook, it shows these in a row. All parameters are attributes of
    the same names, which cannot be set.

    Parameters
    ----------
    share : float
        Its share of the rows.
    size : int
        Its number of rows.
    labels : int
        The label of these rows in ``labels`` of the result.

    See Also
    --------
    choose_n_clusters : Finds it.

    Examples
    --------
    >>> from sklearn_clustcompare.results import SmallGroup
    >>> SmallGroup(share=0.005, size=500, labels=3).size
    500
    """

    share: float
    size: int
    labels: int

    def _headline(self) -> str:
        return f"SmallGroup: {self.size} rows, {100 * self.share:.2g} %"


class Groups(NamedTuple):
    """Micro-clusters of a sample, those of each group, its isolation, and that of each row."""

    mean: FloatArray
    scale: float
    centers: FloatArray
    members: Mask
    isolation: FloatArray
    codes: Positions

    def nearest(self, X: Any) -> Positions:
        """Return the nearest micro-cluster of each row."""
        return pairwise_distances_argmin(_in_units(X, self.mean, self.scale), self.centers)

    def of(self, X: Any) -> Positions:
        """Return the number of the group of each row, -1 for none."""
        number = np.where(self.members.any(axis=0), self.members.argmax(axis=0), -1)
        return number[self.nearest(X)]


def n_rows_sought(n_rows: int, n_features: int) -> int:
    """Return the rows of each of two samples for small groups; 0 if they would be too few."""
    n_sought = min(_ROWS, n_rows // 2, _NUMBERS // max(n_features, 1))
    return n_sought if n_sought >= _LEAST else 0


def smallest_share(n_sought: int, size: int) -> float:
    """Return the share of the rows below which a group may be missed."""
    of_parts = min(_FOUND_IN_PARTS / size, 1.0)
    return min(_FOUND / n_sought, of_parts) if n_sought else of_parts


def sought(
    samples: Sequence[Any],
    seen: Callable[[Any], Any],
    null: Any,
    seed: int,
    how: dict[str, Any],
) -> Groups | None:
    """Return the groups of two samples that both have, apart from all other rows; None without any.

    ``seen`` gives the rows as the clusterer sees them. Structureless data are drawn as it sees
    them, but for functions, which get the rows as they are.
    """
    seeds = [one for (one,) in fit_seeds(_LOOKS[-1], 1, seed)]
    rows = [_dense(seen(one)) for one in samples]
    first, second = (divided(one, seed) for one in rows)
    score = _found_again(first, second, first.nearest(rows[1]))
    members = first.members
    chosen: list[int] = []
    for number in np.argsort(-score):
        if score[number] > 0 and not (members[chosen] & members[number]).any():
            chosen.append(int(number))
    chosen = [one for one in chosen if _is_apart(rows[0], members[one][first.codes], seed)]
    if not chosen:
        return None
    is_raw = any(map(callable, read_names(null)))
    is_left = np.ones(len(chosen), bool)
    for law in laws_of(null, samples[0] if is_raw else rows[0]):
        values = np.empty(0)
        for look in _LOOKS:
            tasks = [(law, seen if is_raw else None, one) for one in seeds[len(values) : look]]
            values = np.append(values, run_fits(_largest, tasks, description="sets", **how))
            is_left &= score[chosen] > values.max()
            if not is_left.any():
                return None
            if tail_pvalue(score[chosen][is_left].min(), values) < _SURE:
                break
    return first._replace(members=members[chosen][is_left])


def _is_apart(X: FloatArray, inside: Mask, seed: int) -> bool:
    """Return whether a group and the nearest other rows have cores denser than their pass."""
    own, others = np.flatnonzero(inside), np.flatnonzero(~inside)
    distances = np.sum((X[others] - X[own].mean(axis=0)) ** 2, axis=1)
    nearest = others[np.argsort(distances)[: max(len(own), _BESIDE[0])]]
    rng = np.random.default_rng(seed)
    rows = [rng.permutation(one)[: _BESIDE[1]] for one in (own, nearest)]
    labels = np.repeat([0, 1], [len(one) for one in rows])
    return Passes(X[np.concatenate(rows)], None).ratio(labels) >= TOUCHING


def _largest(law: NullData, seen: Callable[[Any], Any] | None, seed: int) -> float:
    """Return the largest isolation of a structureless data set."""
    drawn = law.draw(seed)
    return float(divided(_dense(drawn if seen is None else seen(drawn)), seed).isolation.max())


def _found_again(first: Groups, second: Groups, sent: Positions) -> FloatArray:
    """Return the isolation of the first groups in both samples, of which it is the least.

    It is -1 if the second sample has no such group. ``sent`` has the micro-clusters of the first
    sample to which the rows of the second one belong.
    """
    one, other = first.members.astype(float), second.members.astype(float)
    table = np.zeros((one.shape[1], other.shape[1]))
    np.add.at(table, (sent, second.codes), 1.0)
    shared = one @ table @ other.T
    union = np.add.outer(one @ table.sum(axis=1), other @ table.sum(axis=0)) - shared
    again = np.where(shared >= _SAME * np.maximum(union, 1), second.isolation, -1.0)
    return np.minimum(first.isolation, again.max(axis=1))


def divided(X: FloatArray, seed: int) -> Groups:
    """Return the micro-clusters of rows, and the groups that these join to."""
    mean = X.mean(axis=0)
    scale = float(np.abs(X - mean).max()) or 1.0
    values = _in_units(X, mean, scale)
    n_micro = max(min(_MOST, len(X) // _ROWS_EACH), 2)
    centers, _ = kmeans_plusplus(values, n_micro, random_state=seed, n_local_trials=1)
    for _ in range(_ROUNDS):
        codes = pairwise_distances_argmin(values, centers)
        sums = [np.bincount(codes, column, n_micro) for column in values.T]
        sizes = np.bincount(codes, minlength=n_micro)
        centers = (np.array(sums) / np.maximum(sizes, 1)).T[sizes > 0].astype(np.float32)
        n_micro = len(centers)
    distances = euclidean_distances(values, centers)
    codes = distances.argmin(axis=1)
    members, isolation = _isolated(values, centers, distances, codes)
    return Groups(mean, scale, centers, members, isolation, codes)


def _isolated(
    values: FloatArray, centers: FloatArray, distances: FloatArray, codes: Positions
) -> tuple[Mask, FloatArray]:
    """Return the micro-clusters of the groups of a tree, and the isolation of each group."""
    nodes = list(np.eye(len(centers), dtype=bool))
    for one, other, _, _ in linkage(pdist(centers.astype(float)), "average"):
        nodes.append(nodes[int(one)] | nodes[int(other)])
    sizes = np.bincount(codes, minlength=len(centers))
    members = [one for one in nodes if _FEWEST <= one @ sizes <= _LARGEST * len(values)]
    members.append(np.zeros(len(centers), bool))  # so that there is one
    isolation = np.full(len(members), -1.0)
    order, ends = np.argsort(codes, kind="stable"), np.cumsum(sizes)
    for number, one in enumerate(members[:-1]):
        inside = np.flatnonzero(one)
        at = np.concatenate([order[ends[i] - sizes[i] : ends[i]] for i in inside])
        own = np.linalg.norm(values[at] - values[at].mean(axis=0), axis=1)
        others = distances[at]
        others[:, inside] = np.inf
        isolation[number] = silhouettes_of(own, others.min(axis=1)).mean()
    return np.array(members), isolation


def _dense(X: Any) -> FloatArray:
    return np.asarray(X.toarray() if issparse(X) else X, dtype=np.float64)


def _in_units(X: Any, mean: FloatArray, scale: float) -> FloatArray:
    return ((_dense(X) - mean) / scale).astype(np.float32)


def carved(labels: Array, number: Positions) -> tuple[Array, tuple[SmallGroup, ...]]:
    """Return labels with groups carved out of the clusters, the largest group first.

    ``number`` has the group of each row, -1 for none. Groups that make up most of a cluster are
    that cluster, or parts of it.
    """
    found = labels.copy()
    groups: list[SmallGroup] = []
    clusters, codes = np.unique(labels, return_inverse=True)
    inside = np.bincount(codes[number >= 0], minlength=len(clusters))
    is_made_up = (2 * inside > np.bincount(codes)) & (clusters != -1)
    sizes = np.bincount(number[number >= 0])
    for group in np.argsort(-sizes, kind="stable"):
        is_inside = number == group
        if not is_inside.any() or is_made_up[np.bincount(codes[is_inside]).argmax()]:
            continue
        label = int(clusters.max()) + 1 + len(groups)
        found[is_inside] = label
        groups.append(SmallGroup(float(is_inside.mean()), int(is_inside.sum()), label))
    return found, tuple(groups)


def sentence(groups: Sequence[SmallGroup], n_sought: int, least_share: float) -> str:
    """Return what was found of small groups."""
    least = f"{100 * least_share:.2g} %"
    if not n_sought:
        return f"Groups of less than about {least} of the rows may be missed in samples."
    if not groups:
        return (
            f"No small group came back in two samples of {n_sought} rows; those of less than about "
            f"{least} may be missed."
        )
    rows = " and ".join(f"{one.size}" for one in groups)
    what, them, are = f"Small groups of {rows} rows", "them", "they are"
    if len(groups) == 1:
        what, them, are = f"A small group of {rows} rows", "it", "it is"
    return (
        f"{what} came back in another sample of {n_sought} rows, more isolated than any group of "
        f"structureless data. The clusterer alone does not find {them}: {are} in the labels, "
        f"not in its predictions. Those of less than about {least} may be missed."
    )


# --------------------------------------------------------------------------- the rule


class NClustersChoice(Drawn, Rows):
    """The number of clusters and its evidence; made by :func:`choose_n_clusters`.

    Printed, and as HTML in a notebook, it shows the verdict, a row of evidence for each value of
    the parameter, and the reasons. All parameters are attributes of the same names, which cannot be
    set.

    Parameters
    ----------
    verdict : NClustersVerdict
        The answer, with its grade and reasons.
    param_name : str
        Name of the parameter that was varied.
    param_range : ndarray of shape (n_values,)
        Its values.
    n_found : ndarray of int of shape (n_values,)
        Number of clusters found for each, without noise.
    silhouette : ndarray of shape (n_values,)
        Mean silhouette, in [-1, 1]; NaN unless there are several clusters, each of more than five
        objects.
    strength : ndarray of shape (n_values,)
        Mean prediction strength, in [0, 1]; of chains, the mean Jaccard index of the worst cluster.
    ratio : ndarray of shape (n_values,)
        How much denser the cores of the clusters are than the passes between them, of the worst
        cluster.
    z : ndarray of shape (n_values,)
        Standard deviations of the silhouette above the mean of :term:`structureless data`, the
        least over the null distributions; NaN where none were drawn.
    grades : tuple of str of length n_values
        The grade that each value alone would have; "" for none. Where no structureless data were
        drawn, only those that ratios of at least 2.5 give are known, but for chains.
    null_silhouettes : dict of str to ndarray of shape (n_null, n_values)
        Silhouettes of structureless data sets, by the name of their null distribution; empty if
        none were drawn.
    pvalue : float or None
        The p-value of the comparison with structureless data; None where none were drawn. Where
        fewer sets than ``n_null`` showed a difference, by the normal tail of their silhouettes, it
        is the least one that ``n_null`` sets can give, 0.03 of 39.
    labels : ndarray of shape (n_samples,)
        Labels of all objects, clustered together.
    estimator : fitted estimator or None
        The clusterer, fitted for the number that was chosen; None for chains without a division. It
        does not know small groups.
    subsample : int or None
        Rows of each sample that was looked at; None where all rows were.
    smallest_share : float or None
        Share of the rows below which groups may be missed: 8 of 8 groups of 30 rows of a sample,
        eight standard deviations away, were found (``benchmarks/small_groups.txt``). None where all
        rows were looked at.
    small_groups : tuple of SmallGroup
        Small groups of large data that the clusterer does not find, the largest one first, with the
        fields ``share``, ``size`` and ``labels``: each has a label of its own.

    See Also
    --------
    choose_n_clusters : Makes it.
    NClustersDisplay : A picture of it.

    Examples
    --------
    >>> from sklearn.cluster import KMeans
    >>> from sklearn.datasets import make_blobs
    >>> from sklearn_clustcompare import choose_n_clusters
    >>> X, _ = make_blobs(90, centers=[[0, 0], [9, 0], [4, 8]], random_state=0)
    >>> choice = choose_n_clusters(KMeans(), X, param_range=range(1, 5))
    >>> choice.n_clusters, choice.verdict.grade
    (3, 'separated')
    """

    verdict: NClustersVerdict
    param_name: str
    param_range: Array
    n_found: Positions
    silhouette: FloatArray
    strength: FloatArray
    ratio: FloatArray
    z: FloatArray
    grades: tuple[str, ...]
    null_silhouettes: dict[str, FloatArray]
    pvalue: float | None
    labels: Array
    estimator: Any
    subsample: int | None
    smallest_share: float | None = None
    small_groups: tuple[SmallGroup, ...] = ()

    @property
    def n_clusters(self) -> int | None:
        """Number of clusters, with small groups; None only if nothing was divided."""
        return self.verdict.n_clusters

    def columns(self) -> dict[str, Array]:
        """Return the evidence by name, NaN where it is undefined or was not needed.

        Use it to build tables without pandas.

        Returns
        -------
        dict of str to ndarray of shape (n_values,)
            The parameter, if it is not the number of clusters; ``n_clusters``, the number found;
            ``silhouette``, ``strength``, ``ratio``, ``z`` and ``grade``, as the attributes.

        See Also
        --------
        NClustersChoice.plot : A picture of them.

        Examples
        --------
        >>> from sklearn.cluster import KMeans
        >>> from sklearn.datasets import make_blobs
        >>> from sklearn_clustcompare import choose_n_clusters
        >>> X, _ = make_blobs(90, centers=[[0, 0], [9, 0], [4, 8]], random_state=0)
        >>> choice = choose_n_clusters(KMeans(), X, param_range=range(1, 5))
        >>> choice.columns()["n_clusters"].tolist()
        [1, 2, 3, 4]
        """
        is_number = np.array_equal(self.param_range, self.n_found)
        return {
            **({} if is_number else {self.param_name: self.param_range}),
            "n_clusters": self.n_found,
            "silhouette": self.silhouette,
            "strength": self.strength,
            "ratio": self.ratio,
            "z": self.z,
            "grade": np.array(self.grades, dtype=str),
        }

    def _headline(self) -> str:
        return f"NClustersChoice: {self.verdict.headline}"

    _columns = columns

    def _conclusion(self) -> Sequence[str]:
        return self.verdict.reasons


# A column of so large a share of the variance decides nearly alone.
_DOMINATES = 0.95


_CHAINING = (DBSCAN, HDBSCAN, OPTICS)
# Rows are left out that are so many times as far away as others, of which there are so many each.
# Of 100 to 1,500 rows none of normal and uniform data are, and some in 2 to 8 % of data sets with t
# distributions of 3 degrees, in 0 to 2 % of lognormal ones (sigma .8; 2 to 14 % at 1.5). Beside
# three clusters, 1 to 5 rows at 20 times the distance hid the number in 16 of 16 data sets, and in
# none if they are left out.
_FAR, _OTHERS = 3, 10
_LEFT_OUT = (
    "Objects that were left out, as they are more than three times as far from the middle as all "
    "others: {}. They were labeled afterwards, by ``predict`` or from the nearest object."
)
# At most five matrices at a time, as measured.
_BYTES_PER_PAIR = 40

_BY_AN_INDEX = partial(
    tells_keywords,
    ways="; an index such as silhouette_score or bic chooses in GridSearchCV, by "
    "make_clustering_scorer",
)


@_BY_AN_INDEX
def choose_n_clusters(
    estimator: Any,
    X: ArrayLike,
    param_range: Any = None,
    *,
    param_name: str = "auto",
    null: Any = "auto",
    n_null: int = 39,
    n_resamples: int = 20,
    subsample: Any = "auto",
    n_subsamples: int = 5,
    groups: ArrayLike | None = None,
    random_state: RandomStateLike = 0,
    n_jobs: int | None = None,
    verbose: int | None = None,
) -> NClustersChoice:
    """Choose the number of clusters without a reference, with an honest grade.

    The best number is always named, and how sure it is: "separated" clusters have cores denser than
    the passes between them, and come back in other halves of the data; "touching" ones come back,
    but may be parts of one; "tentative" ones do not come back; "one" cluster if the data differ in
    nothing from :term:`structureless data`. Print the result, or draw it with ``.plot()``.

    Parameters
    ----------
    estimator : estimator
        A clusterer, or a pipeline that ends in one.
    X : array-like or sparse matrix of shape (n_samples, n_features) or (n_samples, n_samples)
        The data; or the distances of all objects, if the clusterer takes these. Of large data, such
        as a memory map or a dask array, only samples are read, and blocks of rows to label them.
    param_range : array-like of shape (n_values,), default=None
        Values to try. Numbers of clusters are increasing integers, at least one above 1; one
        cluster is always included. None tries 1 to 10 clusters, of fewer than 60 objects up to a
        sixth of them, and more if the last is the best; or every fifth ``min_cluster_size`` from 5
        to 50 and to half of the objects.
    param_name : str, default="auto"
        Parameter to vary: the number of clusters, such as "kmeans__n_clusters" for a pipeline; or
        another one, such as "eps", where the number of clusters found stands for it. "auto" finds
        the last step's ``n_clusters``, ``n_components`` or ``min_cluster_size``.
    null : str, callable or list of them, default="auto"
        Null distribution of the :term:`structureless data`, by its name or as a function, or
        several. "auto" is "copula" and "elliptical", also "pca" for continuous columns, and "rates"
        for counts.
    n_null : int, default=39
        Number of structureless data sets of each null distribution at most, at least 19.
    n_resamples : int, default=20
        Number of splits of the data at most.
    subsample : int, None or "auto", default="auto"
        Rows of each sample that the evidence is taken from, at least 12; None for all rows in one.
        "auto" takes samples of 500 above 1,500 rows, in which small clusters may be missed.
    n_subsamples : int, default=5
        Number of these samples, which are disjoint.
    groups : array-like of shape (n_samples,), default=None
        Group of each object, such as its donor, document or customer: objects of a group stay
        together in each sample, so that clusters must come back in other groups. None: each object
        is by itself.
    random_state : int, RandomState, Generator, SeedSequence or None, default=0
        :term:`Source of randomness <random_state>`.
    n_jobs : int, default=None
        :term:`Number of parallel jobs <n_jobs>`; the result does not depend on it.
    verbose : int or None, default=None
        Progress on stderr: 0 shows none, 1 all of it. None shows one line with an estimate
        if it may take more than ten seconds, on a terminal or in a notebook.

    Returns
    -------
    NClustersChoice
        With ``n_clusters``, ``verdict``, ``labels``, the fitted ``estimator``, and all evidence.

    Raises
    ------
    ValueError
        If X, the structureless data or a parameter are invalid, or a clusterer fails for a value.
    TypeError
        If the clusterer is a class, or no estimator; or if X is one.
    MemoryError
        If there are too many objects for matrices of all pairs, see Notes.

    Warns
    -----
    UserWarning
        Warnings of the clusterer, once each.

    See Also
    --------
    NClustersSearch : The same as an estimator, for pipelines.
    gap_statistic : The gap statistic alone, with more rules.
    prediction_strength : The prediction strength alone.
    structure_test : The test against structureless data with other statistics.
    cluster_stability : The stability of single clusters.

    Notes
    -----
    Scale the features first, or in a pipeline. A *division* is a partition into several clusters of
    more than five objects each: fewer are outliers. The evidence for each is:

    - the silhouette;
    - the *strength*: the mean prediction strength of 20 splits of the data [1]_. A division *comes
      back* if it is above 0.65 and, within its standard error, at least 0.8; after five splits
      with 0.65 or less no more are made;
    - the *ratio*. In the first max(3, k - 1) principal axes of k clusters, a step from one object
      to another is as long as the largest of their distance and the radii of both balls of m
      neighbors, with m a sixth of the smallest cluster, but 5 to 10. From the densest object of a
      cluster, the best path to that of any other has the longest step r. The ratio is the mean
      number of neighbors within r of the densest quarter of the cluster, divided by m; of the worst
      cluster. Rounded values are first spread within their rounding.

    The rule has five steps:

    1. Divisions that come back with a ratio of at least 2.5 are separated. Of these, the finest one
       is chosen whose silhouette is at most 0.05 below the largest: joining two clusters that are
       far from all others hardly changes it. Finer divisions inside of its clusters (95 % of the
       pairs of objects) that come back with a ratio of at least 1 are named as ``finer``.
    2. Without any, a ratio of at least 2.5 of the division with the largest silhouette (among
       ratios of at least 1) makes it tentative: hardly any data of one cluster have such a ratio.
       Otherwise 39 structureless data sets of each null distribution are clustered. z is the
       silhouette in standard deviations above the mean of those that have a division. Null
       distributions that the data contradict are dropped: some z is below -3.5, or most sets have
       no division.
    3. The p-value is that of the largest z of divisions with a ratio of at least 1, the largest one
       over the null distributions that are left, plus 0.005, the probability that one of nine z is
       so low by chance [2]_ (nothing is added for fewer than 22 sets). Without such a division it
       is 1. If it is above 0.05, the verdict is one cluster.
    4. Of the divisions with a ratio of at least 1, those that come back with a z of at least 1.645
       are touching, and that with the largest silhouette is chosen. If there are none, the largest
       silhouette of all is tentative if its z is as large, else the verdict is one cluster.
    5. If no range was given and the last number has the largest silhouette, numbers up to 30 are
       tried, up to the largest that comes back.

    More structureless data are drawn only while they might change the decision, at most ``n_null``.

    Chains have low silhouettes, and break if half of the objects are left out. For single linkage,
    DBSCAN, HDBSCAN, OPTICS and parameters that are not the number of clusters, silhouettes decide
    nothing, and no structureless data are drawn: the finest division of the best grade is chosen.
    Those that come back with a ratio of at least 1 are touching, and others with one of at least
    2.5 tentative. The strength is the mean Jaccard index of the worst cluster in samples of 80 % of
    the objects.

    Above 1,500 rows, silhouettes are compared in five disjoint samples; above 2,500 rows, only
    these are read. The clusterer is fitted to them, and all other rows get their labels by
    ``predict``, or from the nearest object. Parameters that count objects, such as ``min_samples``,
    are multiplied by the share of the rows, to at least 5. A radius such as ``eps`` depends on the
    density of the data: then all rows are looked at, and time and memory grow with their square.

    Samples of some hundred rows do not show rare groups. Two more samples, of half of the rows but
    at most 20,000, are divided into micro-clusters, and these joined to a tree. A node of at most a
    tenth of the rows is a *small group* if the other sample has it as well (a Jaccard index of at
    least 0.75), if its ratio with as many of the nearest other rows is at least 1, and if it is
    more isolated in both samples than any group of up to 19 structureless data sets of each null
    distribution. Its isolation is the mean of (b - a) / max(a, b), with the distances a of a row to
    the mean of the group and b to the nearest center of another micro-cluster. The number of
    clusters counts small groups that are no clusters, and ``labels`` have them; the grade is that
    of the clusters without them, and ``estimator`` does not know them. ``smallest_share`` says
    which groups may be missed. They are not sought by clusterers of distances.

    Up to five objects, at most a tenth, that are more than three times as far from the middle (the
    median of each column, 0 of sparse data, of distances the object that is nearest to all others)
    as all others are left out where the number of clusters is the parameter: a clusterer would make
    clusters of them first. They get their labels as rows that are not looked at. They are not
    sought in pipelines that end in a clusterer of distances. Numbers of clusters are at most those
    of the objects that are left.

    Structureless data have independent rows, also where ``groups`` are given.

    Similarities are an error, as structureless ones are not known: how similar objects of one cloud
    are depends on how similarities were made. If these are a kernel, a positive semidefinite
    matrix, ``sqrt(k_ii + k_jj - 2 k_ij)`` are distances, and ``KernelPCA(kernel="precomputed")``
    finds points that have them; of other similarities s, ``1 - s / s.max()`` are dissimilarities,
    which points need not have.

    No rule can distinguish a continuum from clusters that touch. With fewer objects than features,
    clusters must be far apart to be found, and those of few objects may be missed.

    References
    ----------
    .. [1] R. Tibshirani, G. Walther, "Cluster validation by prediction strength", Journal of
       Computational and Graphical Statistics 14(3), 2005, :doi:`10.1198/106186005X59243`
    .. [2] R. L. Berger, D. D. Boos, "P values maximized over a confidence set for the nuisance
       parameter", Journal of the American Statistical Association 89, 1994,
       :doi:`10.1080/01621459.1994.10476836`

    Examples
    --------
    >>> from sklearn.cluster import KMeans
    >>> from sklearn.datasets import make_blobs
    >>> from sklearn_clustcompare import choose_n_clusters
    >>> X, _ = make_blobs(90, centers=[[0, 0], [9, 0], [4, 8]], random_state=0)
    >>> choice = choose_n_clusters(KMeans(), X, param_range=range(1, 5))
    >>> choice.n_clusters
    3
    >>> print(choice.verdict.headline)
    3 clusters, separated
    """
    check_n_null(n_null)
    several_resamples("n_resamples", n_resamples)
    read_names(null)
    (entropy,) = task_seeds(1, 1, random_state)[1]
    seeds = tuple(seed for (seed,) in fit_seeds(6, 1, entropy))
    how = {"n_jobs": n_jobs, "verbose": verbose}
    data, looked = look_at(X, estimator, subsample, n_subsamples, seeds[4], groups)
    name = main_parameter(estimator, param_name)
    is_count = clusters_parameter(estimator) == name
    if is_count:
        looked = looked.without(_are_far(estimator, name, looked.rows, seeds[0]))
    rows = _as_fitted(estimator, looked.rows)
    if isinstance(rows, Square) and not is_count:
        all_distances(rows.values, rows.kind)  # raises an error for similarities
    share, n_rows = looked.share(data.shape[0]), rows.shape[0]
    values = _values(name, param_range, n_rows, is_count)
    n_bytes = _BYTES_PER_PAIR * float(n_rows) ** 2
    radius, instead = radius_of(estimator), "pass subsample=500"
    if radius:
        instead = f"{why_all(radius)}, so all are looked at; take HDBSCAN, or some rows and their "
        instead += f"own {radius}"
    require_memory("the geometry of all pairs of objects", n_bytes, instead)
    with one_call():
        evidence = Evidence(
            clone(estimator).set_params(**scaled_parameters(estimator, share)),
            rows,
            extension=read_extension("auto", estimator),
            laws=lambda: laws_of(null, rows),
            n_null=n_null,
            n_resamples=n_resamples,
            n_parts=looked.n_parts,
            groups=looked.own_groups,
            chains=not is_count or _is_chaining(estimator),
            seeds=seeds,
            how=how,
        )
        evidence.extend([{name: scaled(name, value, share)} for value in values])
        can_go_on = param_range is None and is_count
        verdict, division = decide(evidence, (lambda k: {name: k}) if can_go_on else None)
        found = _final(evidence, looked, division, {name: 1} if is_count else None)
        labels = labels_of_all(data, looked, found, evidence.extension)
        notes = [
            *_dominated(estimator, looked.rows),
            *_counts_scaled(estimator, name, values, share),
        ]
        if looked.n_far:
            notes.append(_LEFT_OUT.format(looked.n_far))
        if looked.groups is not None and evidence.test is not None:
            notes.append("Structureless data were drawn as if all rows were independent.")
        least: float | None = None
        small: tuple[SmallGroup, ...] = ()
        if looked.size is not None:
            n_sought = _n_sought(data, estimator, found, labels)
            if n_sought:
                seen = partial(as_seen, found.model)
                samples = _samples(data, looked.disjoint(data.shape[0], n_sought, 2, seeds[5]))
                apart = sought(samples, seen, null, seeds[5], how)
                if apart is not None:
                    groups_of = [apart.of(seen(block)) for _, block in blocks_of(data)]
                    labels, small = carved(labels, np.concatenate(groups_of))
            least = smallest_share(n_sought, looked.size)
            notes.append(sentence(small, n_sought, least))
        verdict = with_small_groups(verdict, [one.share for one in small], notes)
    tried = [one.parameters[name] for one in evidence.candidates] if is_count else values
    return _result(
        *(evidence, verdict, name, tried, is_count),
        labels=labels,
        estimator=found.model,
        subsample=looked.size,
        smallest_share=least,
        small_groups=small,
    )


def _n_sought(data: Any, estimator: Any, found: Clustering, labels: Array) -> int:
    """Return the rows of each of two samples for small groups, 0 where none can be sought.

    These are groups of features, beside clusters that are numbered.
    """
    if found.model is None or pairs_taken(estimator) is not None or labels.dtype.kind not in "iu":
        return 0
    widths = [found.space.shape[1]] if issparse(data) else [found.space.shape[1], data.shape[1]]
    return n_rows_sought(data.shape[0], max(widths))


def _samples(data: Any, parts: Sequence[Positions]) -> list[Any]:
    """Return the rows of samples, of which each row is read once."""
    positions = np.sort(np.concatenate(parts))
    rows = taken(data, positions)
    return [take_rows(rows, np.searchsorted(positions, np.sort(part))) for part in parts]


def _are_far(estimator: Any, name: str, rows: Any, seed: int) -> Mask:
    """Return which rows, five at most, are three times as far from the middle as all others.

    A clusterer makes clusters of them before it divides the others. The middle is the median, the
    object that is nearest to all others where distances are given, and 0 of sparse data.
    """
    if isinstance(rows, Square):
        distances = all_distances(rows.values, rows.kind)
        lengths = distances[distances.sum(axis=0).argmin()]
    elif pairs_taken(estimator) is not None:
        return np.zeros(rows.shape[0], bool)
    else:
        if isinstance(estimator, Pipeline):
            with caught_warnings(), one_thread():
                rows = cluster(estimator, {name: 1}, rows, seed).space
        try:
            values = read_numbers(rows)
        except (TypeError, ValueError):  # text, or missing values: left to the clusterer
            return np.zeros(rows.shape[0], bool)
        with np.errstate(over="ignore"):
            lengths = row_norms(values if issparse(values) else values - np.median(values, axis=0))
    longest = np.sort(lengths)[::-1]
    numbers = range(min(FEWEST, len(lengths) // _OTHERS), 0, -1)
    n_far = next((n for n in numbers if longest[n - 1] > _FAR * longest[n] > 0), 0)
    return lengths > longest[n_far]


def _dominated(estimator: Any, rows: Any) -> list[str]:
    """Return a sentence if one column has nearly all of the variance."""
    if isinstance(estimator, Pipeline) or pairs_taken(estimator) is not None or issparse(rows):
        return []
    variances = near_for(rows, "euclidean").values.var(axis=0)
    widest = int(variances.argmax())
    share = variances[widest] / max(variances.sum(), np.finfo(float).tiny)
    if len(variances) < 2 or share < _DOMINATES:
        return []
    column = rows.columns[widest] if hasattr(rows, "columns") else widest
    return [
        f"Column {column!r} has {100 * share:.3g} % of the variance of all columns, and decides "
        "nearly alone: scale the columns, unless they have one unit."
    ]


def _counts_scaled(estimator: Any, name: str, values: Sequence[Any], share: float) -> list[str]:
    """Return a sentence on the parameters that count objects, if these were rows of samples."""
    changed = [*scaled_parameters(estimator, share)]
    if any(scaled(name, one, share) != one for one in values):
        changed = [*dict.fromkeys([*changed, name])]
    if not changed:
        return []
    return [
        f"{' and '.join(changed)} count objects: in the samples they were multiplied by "
        f"{share:.2g}, the share of the rows, to at least {FEWEST}."
    ]


def _as_fitted(estimator: Any, rows: Any) -> Any:
    """Return rows as batches of k-means take them; whether they are finite is left to a fit."""
    is_batch = type(estimator) is KMeans and not issparse(rows)
    with needing_numbers(estimator, rows):
        return np.asarray(rows, dtype=np.float64) if is_batch else rows


def _final(
    evidence: Evidence, looked: LookedAt, division: Candidate | None, one: dict[str, Any] | None
) -> Clustering:
    """Return the fit of the clusterer to the rows that were looked at, as they were given."""
    parameters, n_rows = one if division is None else division.parameters, evidence.X.shape[0]
    if parameters is None:
        return Clustering(None, np.zeros(n_rows, np.intp), None)
    number = 0 if division is None else division.number
    seed = fit_seeds(1, number + 1, evidence.seeds[0])[0][number]
    model = seeded(clone(evidence.estimator).set_params(**parameters), seed)
    found = checked_clustering(model, values_of(looked.rows))
    return found if division else found._replace(labels=np.zeros(n_rows, np.intp))


def _result(
    evidence: Evidence,
    verdict: NClustersVerdict,
    name: str,
    tried: Sequence[Any],
    is_count: bool,
    **others: Any,
) -> NClustersChoice:
    """Return the evidence of all values; one cluster, which is not fitted, has none."""
    found, n_ones = evidence.candidates, int(is_count)

    def column(name: str, of_one: Any = np.nan) -> Array:
        return np.array([of_one] * n_ones + [getattr(one, name) for one in found])

    null = {}
    for law, known in evidence.null_silhouettes.items():
        null[law] = np.full((len(known), n_ones + len(found)), np.nan)
        null[law][:, [n_ones + one.number for one in evidence.divisions]] = known
    return NClustersChoice(
        verdict=verdict,
        param_name=name,
        param_range=np.array([*[1] * n_ones, *tried]),
        n_found=column("n_clusters", 1).astype(np.intp),
        silhouette=column("silhouette"),
        strength=column("strength"),
        ratio=column("ratio"),
        z=column("z"),
        grades=tuple(column("grade", "").tolist()),
        null_silhouettes=null,
        pvalue=None if evidence.test is None else evidence.test.pvalue,
        **others,
    )


def _values(name: str, given: Any, n_rows: int, is_count: bool) -> list[Any]:
    """Return the values to fit: without one cluster, which is no division."""
    if given is None and is_count:
        return list(range(2, min(MOST_TRIED, max(n_rows // (FEWEST + 1), 2)) + 1))
    param_range = values_tried(name, given, n_rows)
    check_values(name, param_range if hasattr(param_range, "__iter__") else [])
    if is_count:
        numbers: list[Any] = np.setdiff1d(read_range(param_range, n_rows), 1).tolist()
        if not numbers:
            msg = f"param_range must hold at least one number above 1, got {shortened(param_range)}"
            raise ValueError(msg)
        return numbers
    is_list = hasattr(param_range, "__iter__") and not isinstance(param_range, str)
    values = np.asarray(param_range).tolist() if is_list else []
    if len(values) < 2 or len(set(values)) < len(values):
        msg = f"param_range must hold at least two different values, got {shortened(param_range)}"
        raise ValueError(msg)
    return values


def _is_chaining(estimator: Any) -> bool:
    """Return whether clusters are chains of neighbors, which may have any shape."""
    estimator = last_step(estimator)
    return isinstance(estimator, _CHAINING) or getattr(estimator, "linkage", None) == "single"


@dataclass(eq=False, repr=False)
class NClustersSearch(Search):
    """Choose the number of clusters without a reference, as an estimator.

    It is :func:`choose_n_clusters` for pipelines and searches: the same rule, with the same result.

    Parameters
    ----------
    estimator : estimator
        A clusterer, or a pipeline that ends in one.
    random_state : int, RandomState, Generator, SeedSequence or None, default=None
        :term:`Source of randomness <random_state>`.
    n_jobs : int, default=None
        :term:`Number of parallel jobs <n_jobs>`; the result does not depend on it.
    verbose : int or None, default=None
        Progress on stderr: 0 shows none, 1 all of it. None shows one line with an estimate
        if it may take more than ten seconds, on a terminal or in a notebook.

    Attributes
    ----------
    n_clusters_ : int or None
        The number of clusters; None if nothing was divided.
    labels_ : ndarray of shape (n_samples,)
        Labels of all objects; those of one cluster if nothing was divided.
    verdict_ : NClustersVerdict
        The number with its grade and reasons.
    best_params_ : dict
        The value of the parameter that was chosen; empty for chains without a division.
    best_estimator_ : estimator or None
        The clusterer, fitted with it.
    result_ : NClustersChoice
        All evidence.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the columns, if all of them are text.

    See Also
    --------
    choose_n_clusters : Its short form, with the rule in its Notes.
    StabilitySearch : Chooses any parameters by stability.

    Examples
    --------
    >>> from sklearn.cluster import KMeans
    >>> from sklearn.datasets import make_blobs
    >>> from sklearn_clustcompare import NClustersSearch
    >>> X, _ = make_blobs(90, centers=[[0, 0], [9, 0], [4, 8]], random_state=0)
    >>> search = NClustersSearch(KMeans(), random_state=0).fit(X)
    >>> search.n_clusters_, search.best_params_
    (3, {'n_clusters': 3})
    """

    estimator: Any
    param_range: Any = None
    _: KW_ONLY
    param_name: str = "auto"
    null: Any = "auto"
    n_null: int = 39
    n_resamples: int = 20
    subsample: Any = "auto"
    n_subsamples: int = 5
    random_state: RandomStateLike = None
    n_jobs: int | None = None
    verbose: int | None = None

    def fit(self, X: ArrayLike, y: Any = None, groups: ArrayLike | None = None) -> NClustersSearch:
        """Choose the number of clusters, and label all objects.

        No reference is used.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features) or (n_samples, n_samples)
            The data, as for :func:`choose_n_clusters`.
        y : object
            Ignored; present for API consistency.
        groups : array-like of shape (n_samples,), default=None
            Group of each object, such as its donor, document or customer: objects of a group stay
            together in each sample, so that clusters must come back in other groups. None: each
            object is by itself.

        Returns
        -------
        NClustersSearch
            Itself.

        Warns
        -----
        UserWarning
            If nothing was divided, with the reason.

        See Also
        --------
        choose_n_clusters : The same as a function.

        Examples
        --------
        >>> from sklearn.cluster import KMeans
        >>> from sklearn.datasets import make_blobs
        >>> from sklearn_clustcompare import NClustersSearch
        >>> X, _ = make_blobs(90, centers=[[0, 0], [9, 0], [4, 8]], random_state=0)
        >>> NClustersSearch(KMeans(), random_state=0).fit(X).verdict_.grade
        'separated'
        """
        validate_data(self, X, skip_check_array=True)
        options = self.get_params(deep=False)
        given = options.pop("estimator"), X, options.pop("param_range")
        found = choose_n_clusters(*given, groups=groups, **options)
        self.result_, self.verdict_ = found, found.verdict
        self.n_clusters_, self.labels_ = found.n_clusters, found.labels
        self.best_estimator_, self.best_params_ = found.estimator, {}
        if found.estimator is not None:
            value = found.estimator.get_params(deep=True)[found.param_name]
            self.best_params_ = {found.param_name: value}
        if found.n_clusters is None:
            msg = f"X has no number of clusters: {found.verdict.reasons[0]}"
            warn_caller(msg)
        return self


NClustersSearch.__init__ = _BY_AN_INDEX(NClustersSearch.__init__)  # type: ignore[method-assign]
