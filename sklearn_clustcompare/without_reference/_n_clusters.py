"""The number of clusters by one rule: function, estimator, result, large data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import KW_ONLY, dataclass
from functools import partial
from inspect import getdoc
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import issparse
from sklearn.base import clone
from sklearn.cluster import DBSCAN, HDBSCAN, OPTICS, KMeans
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
from sklearn_clustcompare._options import shortened, tells_keywords, warn_caller
from sklearn_clustcompare._parameters import RandomStateLike, positive_integer
from sklearn_clustcompare._rendering import Drawn, Rows
from sklearn_clustcompare.significance._resampling import several_resamples
from sklearn_clustcompare.without_reference._fits import (
    OneCall,
    Search,
    caught_warnings,
    checked_clustering,
    cluster,
    fit_seeds,
    one_thread,
    seeded,
)
from sklearn_clustcompare.without_reference._null_data import check_n_null, laws_of, read_names
from sklearn_clustcompare.without_reference._resamples import (
    Clustering,
    Sample,
    Split,
    Square,
    all_distances,
    as_rows,
    as_seen,
    labels_at,
    read_extension,
    read_groups,
    take_rows,
    values_of,
)
from sklearn_clustcompare.without_reference._small_groups import (
    SmallGroup,
    carved,
    n_rows_sought,
    sentence,
    smallest_share,
    sought,
)
from sklearn_clustcompare.without_reference._verdict import (
    FEWEST,
    NOISE,
    Candidate,
    Evidence,
    NClustersVerdict,
    decide,
    with_small_groups,
)


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


# Rows of each sample, rows up to which all are one sample, and the fewest that can be divided.
ROWS, _FEW, _LEAST = 500, 1500, 12
# Numbers in a block of rows that get their labels together.
_BLOCK = 2**22
# Parameters that count objects, and those that are distances: these mean another number of
# neighbors in a sample.
_COUNTS = "min_samples", "min_cluster_size", "n_neighbors"
_RADII = ("eps", "max_eps")
# A column of so large a share of the variance decides nearly alone.
_DOMINATES = 0.95


# Data of any size: rows that are looked at, and labels of all others.
#
# A sample of some thousand rows is read for the evidence. All rows are only labeled, a block at a
# time, so that memory does not grow with them.


class LookedAt(NamedTuple):
    """Rows that the evidence is taken from, their positions, and in how many parts.

    ``size`` is the number of rows of a part, None where all rows are looked at as one. ``groups``
    has the group of each row of all data; None where each is by itself. ``n_far`` rows were left
    out, as they are far from all others.
    """

    rows: Any
    positions: Positions
    n_parts: int
    size: int | None
    groups: Positions | None = None
    n_far: int = 0

    def share(self, n_rows: int) -> float:
        return (len(self.positions) + self.n_far) / n_rows

    def without(self, is_far: Mask) -> LookedAt:
        """Leave some of the rows out, unless too few groups are left to be divided."""
        kept = np.flatnonzero(~is_far)
        n_groups = None if self.groups is None else len(set(self.groups[self.positions[kept]]))
        if len(kept) == len(is_far) or (n_groups is not None and n_groups < max(self.n_parts, 2)):
            return self
        rows, positions = take_rows(self.rows, kept), self.positions[kept]
        return self._replace(rows=rows, positions=positions, n_far=int(is_far.sum()))

    @property
    def own_groups(self) -> Positions | None:
        """The groups of the rows that are looked at, numbered from 0 on."""
        return (
            None
            if self.groups is None
            else np.unique(self.groups[self.positions], return_inverse=True)[1]
        )

    def disjoint(self, n_rows: int, size: int, n_parts: int, seed: int) -> list[Positions]:
        """Draw the positions of the rows of disjoint samples, each with groups of its own."""
        rng = np.random.default_rng(seed)
        if self.groups is None:
            return np.split(rng.choice(n_rows, size * n_parts, replace=False), n_parts)
        parts = Split(self.groups).positions(n_rows, n_parts, seed)
        return [rng.choice(part, min(size, len(part)), replace=False) for part in parts]


def look_at(
    X: Any, estimator: Any, subsample: Any, n_subsamples: Any, seed: int, groups: Any = None
) -> tuple[Any, LookedAt]:
    """Return data whose rows can be taken, and the rows to look at.

    Raise ValueError if the samples need more rows than there are.
    """
    positive_integer("n_subsamples", n_subsamples)
    data = _opened(X, estimator)
    n_rows = data.shape[0]
    size = subsample
    if isinstance(subsample, str) and subsample == "auto":
        size = ROWS if n_rows > _FEW and _radius(estimator) is None else None
        if size is not None:
            size = min(size, n_rows // n_subsamples)
    elif subsample is not None:
        positive_integer("subsample", subsample)
        if subsample < _LEAST:
            msg = f"subsample must be at least {_LEAST}, two clusters of six rows, got {subsample}"
            raise ValueError(msg)
        if radius := _radius(estimator):
            msg = f"subsample must be None or 'auto': {_why_all(radius)}, got {subsample}"
            raise ValueError(msg)
        if subsample * n_subsamples > n_rows:
            msg = (
                f"subsample must leave {n_subsamples} disjoint samples of {n_rows} rows, got "
                f"{subsample}"
            )
            raise ValueError(msg)
    n_parts = 1 if size is None else n_subsamples
    codes = read_groups(groups, X, n_rows, max(n_parts, 2))
    looked = LookedAt(None, np.arange(n_rows), n_parts, size, codes)
    if size is not None:
        positions = np.sort(np.concatenate(looked.disjoint(n_rows, size, n_parts, seed)))
        looked = looked._replace(positions=positions)
    return data, looked._replace(rows=taken(data, looked.positions))


def _opened(X: Any, estimator: Any) -> Any:
    """Return data as they are if their rows are read on demand, else rows as for any function."""
    if hasattr(X, "to_dask_array"):
        X = X.to_dask_array(lengths=True)
    is_lazy = hasattr(X, "chunks") and hasattr(X, "dtype") and len(getattr(X, "shape", ())) == 2
    if not is_lazy:
        return as_rows(X, estimator)
    as_rows(_read(X[:2]), estimator)  # what is no data is an error here
    return X


def _read(rows: Any) -> Any:
    return rows.compute() if hasattr(rows, "compute") else rows


def taken(data: Any, positions: Positions) -> Any:
    if len(positions) == data.shape[0] and not hasattr(data, "chunks"):
        return data
    return _read(take_rows(data, positions))


def _radius(estimator: Any) -> str | None:
    """Return the parameter that is a distance within which objects are counted, None if none is."""
    step = last_step(estimator)
    known = step.get_params(deep=False) if hasattr(step, "get_params") else {}
    return next((name for name in _RADII if np.isfinite(known.get(name) or np.inf)), None)


def _why_all(radius: str) -> str:
    return f"a sample has fewer rows within {radius}, a distance"


def scaled(name: str, value: Any, share: float) -> Any:
    """Return the value of a parameter for a share of the rows, if it counts objects."""
    is_count = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if share == 1 or not is_count or not name.endswith(_COUNTS):
        return value
    return max(round(value * share), min(value, FEWEST))


def scaled_parameters(estimator: Any, share: float) -> dict[str, Any]:
    """Return the parameters that have another value for a share of the rows."""
    found = {
        name: (value, scaled(name, value, share))
        for name, value in estimator.get_params(deep=True).items()
    }
    return {name: new for name, (old, new) in found.items() if new is not old and new != old}


def labels_of_all(data: Any, looked: LookedAt, found: Clustering, extension: Any) -> Array:
    """Return labels of all rows: those that were found, and for the others by extension."""
    n_rows = data.shape[0]
    if len(looked.positions) == n_rows:
        return found.labels
    if isinstance(data, Square):
        sample = Sample(looked.rows, looked.positions)
        return labels_at(np.arange(n_rows), found, sample, data, extension, NOISE)
    labels = np.empty(n_rows, found.labels.dtype)
    sample = Sample(looked.rows, np.full(len(looked.positions), -1))
    for start, block in _blocks(data):
        at = np.arange(block.shape[0])
        labels[start : start + len(at)] = labels_at(at, found, sample, block, extension, NOISE)
    labels[looked.positions] = found.labels
    return labels


def _blocks(data: Any) -> Iterator[tuple[int, Any]]:
    step = max(_BLOCK // data.shape[1], 1)
    for start in range(0, data.shape[0], step):
        stop = start + step
        block = data.iloc[start:stop] if hasattr(data, "iloc") else data[start:stop]
        yield start, _read(block)


_CHAINING = (DBSCAN, HDBSCAN, OPTICS)
# Rows are left out that are so many times as far away as others, of which there are so many each.
# Of 100 to 1,500 rows none of normal and uniform data are, and some in 2 to 8 % of data sets with t
# distributions of 3 degrees, in 0 to 2 % of lognormal ones (sigma .8; 2 to 14 % at 1.5). Beside
# three clusters, 1 to 5 rows at 20 times the distance hid the number in 16 of 16 data sets, and in
# none if they are left out.
_FAR, _BESIDE = 3, 10
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
    the objects. Other clusterers of chains declare it by an attribute of their
    class, ``finds_chains = True``.

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
    radius, instead = _radius(estimator), "pass subsample=500"
    if radius:
        instead = f"{_why_all(radius)}, so all are looked at; take HDBSCAN, or some rows and their "
        instead += f"own {radius}"
    require_memory("the geometry of all pairs of objects", n_bytes, instead)
    with OneCall():
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
                    groups_of = [apart.of(seen(block)) for _, block in _blocks(data)]
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
    numbers = range(min(FEWEST, len(lengths) // _BESIDE), 0, -1)
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
    return (
        isinstance(estimator, _CHAINING)
        or getattr(estimator, "linkage", None) == "single"
        or getattr(estimator, "finds_chains", False) is True
    )


@dataclass(eq=False, repr=False)
class NClustersSearch(Search):
    """Choose the number of clusters without a reference, as an estimator.

    It is :func:`choose_n_clusters` for pipelines and searches: the same rule, with the same result.

    Parameters
    ----------
    estimator : estimator
        A clusterer, or a pipeline that ends in one.
    param_range ... n_subsamples
        As in choose_n_clusters.
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


def _with_texts_of(doc: str, function: Any) -> str:
    """Return a docstring with the texts of parameters that are those of a function."""
    text = getdoc(function) or ""
    start, stop = text.index("param_range :"), text.index("groups :")
    before, after = doc.split("param_range ... n_subsamples\n    As in choose_n_clusters.\n")
    return f"{before}{text[start:stop]}{after}\n"


NClustersSearch.__init__ = _BY_AN_INDEX(NClustersSearch.__init__)  # type: ignore[method-assign]
if NClustersSearch.__doc__:  # python -OO drops it
    NClustersSearch.__doc__ = _with_texts_of(getdoc(NClustersSearch) or "", choose_n_clusters)
