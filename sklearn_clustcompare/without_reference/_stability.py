"""Whether clusters come back: prediction strength, stability of clusters, influence."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone

from sklearn_clustcompare._array_types import Array, FloatArray, IntArray, Mask, Positions
from sklearn_clustcompare._clusterers import (
    check_values,
    main_parameter,
    read_range,
    values_tried,
)
from sklearn_clustcompare._numerics import known_mean
from sklearn_clustcompare._options import tells_keywords
from sklearn_clustcompare._parameters import (
    RandomStateLike,
    at_most_objects,
    one_of,
    positive_integer,
    share,
)
from sklearn_clustcompare._partition import Labels, Reading, read_labels
from sklearn_clustcompare._partition.arrays import MatrixLike, PartitionLike
from sklearn_clustcompare._partition.memberships import noise_mask
from sklearn_clustcompare._rendering import Drawn, Rows, Table, table_of
from sklearn_clustcompare._table import count_read
from sklearn_clustcompare.indices import Index, IndexLike, read_index
from sklearn_clustcompare.significance._resampling import several_resamples
from sklearn_clustcompare.without_reference._fits import (
    check_skipped,
    checked_clustering,
    cluster,
    compared,
    fit_seeds,
    is_one_cluster,
    one_call,
    one_thread,
    run_fits,
    seeded,
)
from sklearn_clustcompare.without_reference._resamples import (
    Clustering,
    Resampling,
    Sample,
    Split,
    as_rows,
    labels_at,
    read_extension,
    read_groups,
    read_resampling,
    take_rows,
    values_of,
    without_copies,
)

# --------------------------------------------------------------------------- prediction strength

# Why a sample is skipped.
_TOO_FEW = "fewer distinct objects than clusters"
# Splits whose halves a task clusters together.
_SPLITS_PER_TASK = 5


class PredictionStrength(Drawn, Rows):
    """Prediction strength against the number of clusters; made by :func:`prediction_strength`.

    Printed, and as HTML in a notebook, it shows a row for each number of clusters. All parameters
    are attributes of the same names, which cannot be set.

    Parameters
    ----------
    param_range : ndarray of shape (n_values,)
        Numbers of clusters, or their least sizes.
    values : ndarray of shape (n_values, n_resamples)
        Prediction strength of each split, the mean of both directions; NaN where it was skipped.
    n_skipped : ndarray of shape (n_values,)
        Number of splits that were skipped, as a half had fewer distinct objects than clusters.
    param_name : str, default="n_clusters"
        Name of the parameter.

    See Also
    --------
    prediction_strength : Makes it.
    StabilityDisplay : A picture of it.

    Examples
    --------
    >>> from sklearn.cluster import KMeans
    >>> from sklearn.datasets import load_iris
    >>> from sklearn_clustcompare import prediction_strength
    >>> X = load_iris(return_X_y=True)[0]
    >>> result = prediction_strength(KMeans(), X, param_range=[1, 2, 3], n_resamples=10)
    >>> result.values.shape
    (3, 10)
    """

    param_range: Array
    values: FloatArray
    n_skipped: IntArray
    param_name: str = "n_clusters"

    @property
    def mean(self) -> FloatArray:
        """Mean over the splits; NaN where all were skipped."""
        return known_mean(self.values)

    def choose(self, threshold: float = 0.8) -> int | None:
        """Choose the most clusters whose strength is above a threshold.

        The usual threshold is 0.8 or 0.9; below it, the other half divides some cluster
        differently.

        Parameters
        ----------
        threshold : float, default=0.8
            In [0, 1].

        Returns
        -------
        int or None
            The largest number of clusters; 1 if no strength is above the threshold, whether or not
            1 is in ``param_range``. The smallest ``min_cluster_size``; None if there is none.

        See Also
        --------
        StabilitySearch.choose : Rules for other measures of stability.

        Examples
        --------
        >>> from sklearn.cluster import KMeans
        >>> from sklearn.datasets import load_iris
        >>> from sklearn_clustcompare import prediction_strength
        >>> X = load_iris(return_X_y=True)[0]
        >>> prediction_strength(KMeans(), X, param_range=[2, 3, 4], n_resamples=10).choose()
        2
        """
        share("threshold", threshold)
        above = self.param_range[self.mean > threshold].tolist()
        if self.param_name.endswith("min_cluster_size"):
            return min(above, default=None)
        return max(above, default=1)

    @property
    def candidates(self) -> list[dict[str, Any]]:
        """The parameter of each row."""
        return [{self.param_name: value} for value in self.param_range.tolist()]

    def _row_names(self) -> tuple[str, Any]:
        return self.param_name, self.param_range

    def _columns(self) -> dict[str, Array]:
        squares = (self.values - self.mean[:, np.newaxis]) ** 2
        counts = np.maximum(np.sum(~np.isnan(squares), axis=1) - 1, 1)
        return {
            "mean": self.mean,
            "standard_deviation": np.sqrt(np.nansum(squares, axis=1) / counts),
            "n_skipped": self.n_skipped,
        }

    def __len__(self) -> int:
        return len(self.param_range)

    def _headline(self) -> str:
        return f"PredictionStrength: {len(self)} values, {self.values.shape[1]} splits"

    def _conclusion(self) -> list[str]:
        return [f"chosen by threshold=0.8: {self.choose()}; by 0.9: {self.choose(0.9)}"]


@tells_keywords
def prediction_strength(
    estimator: Any,
    X: MatrixLike,
    param_range: ArrayLike | None = None,
    *,
    param_name: str = "auto",
    n_resamples: int = 50,
    extension: Any = "auto",
    groups: ArrayLike | None = None,
    noise_label: Any = -1,
    n_jobs: int | None = None,
    random_state: RandomStateLike = 0,
    verbose: int | None = None,
) -> PredictionStrength:
    """Compute how well the clusters of one half of the data predict those of the other.

    The data are split into halves, and each is clustered. For each cluster of one half, the share
    of its pairs of objects is computed that the clusters of the other half keep together; the
    strength is the lowest share, that of the worst cluster [1]_. It is high up to the true number
    of clusters; beyond it, some clusters are divided at random.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features) or (n_samples, n_samples)
        The data; or distances or similarities between the objects, if the clusterer takes these.
    param_range : array-like of increasing int of shape (n_values,), default=None
        Numbers of clusters to try. One cluster has strength 1 and is not fitted. None tries 1 to 10
        clusters, or every fifth ``min_cluster_size`` from 5 to 50 and to half of the objects, but
        none of more clusters than a half has distinct objects.
    param_name : str, default="auto"
        Parameter with the number of clusters, such as ``"kmeans__n_clusters"`` of a pipeline;
        "auto" finds the last step's ``n_clusters`` or ``n_components``, or
        ``min_cluster_size``.
    n_resamples : int, default=50
        Number of splits.
    extension : {"auto", "predict", "nearest_centroid", "nearest"} or classifier, default="auto"
        How objects outside a sample get labels: from the clusterer itself ("predict"), from the
        mean or the object of the sample that is nearest, or from a scikit-learn classifier that
        learns the labels of the sample. "auto" is "predict" if the clusterer has it, else
        "nearest"; also "nearest" for precomputed distances or similarities.
    noise_label : hashable or collection of them, default=-1
        :term:`Label of noise <noise_label>` on either side, or several; they need not occur.

    Returns
    -------
    PredictionStrength
        With ``values`` of all splits, and :meth:`~PredictionStrength.choose`.

    Raises
    ------
    ValueError
        If a parameter is invalid, or a half never has enough distinct objects.
    TypeError
        If the estimator is no clusterer, as for labels or where X comes first; if ``param_range``
        does not list integers, or another parameter is of the wrong type.

    Warns
    -----
    UserWarning
        If splits are skipped.

    See Also
    --------
    StabilitySearch : Any index, and a comparison with structureless data.
    gap_statistic : Compares sums of squares with those of structureless data.
    cluster_stability : Which clusters of one clustering are stable.

    Notes
    -----
    A cluster of one object has no pairs, and share 1. A half in which at most one cluster is found
    has strength 0, unless one was requested. The strength of a split is the mean of both
    directions. Noise is not a cluster: its pairs are not counted, and an object that the other half
    labels as noise is together with no other.

    The threshold is a convention. The worst cluster determines the strength, so it tends to fall
    with the number of clusters and with small clusters.

    References
    ----------
    .. [1] R. Tibshirani, G. Walther, "Cluster validation by prediction strength", Journal of
       Computational and Graphical Statistics 14(3), 2005, :doi:`10.1198/106186005X59243`

    Examples
    --------
    >>> from sklearn.cluster import KMeans
    >>> from sklearn.datasets import load_iris
    >>> from sklearn_clustcompare import prediction_strength
    >>> X = load_iris(return_X_y=True)[0]
    >>> prediction_strength(KMeans(), X, param_range=[1, 2, 3], n_resamples=20).choose()
    2
    """
    several_resamples("n_resamples", n_resamples)
    rows = as_rows(X, estimator)
    param_name = main_parameter(estimator, param_name)
    n_objects = rows.shape[0]
    numbers = read_range(values_tried(param_name, param_range, n_objects), n_objects)
    check_values(param_name, numbers)
    noise_labels = Reading(noise_label=noise_label).noise_labels
    splits = Splits(
        estimator,
        rows,
        read_extension(extension, estimator),
        noise_labels,
        read_groups(groups, X, n_objects),
    )
    seeds = fit_seeds(n_resamples, 1 + 2 * len(numbers), random_state)
    tasks = [
        (splits, {param_name: int(k)}, number, seeds[start : start + _SPLITS_PER_TASK])
        for number, k in enumerate(numbers)
        for start in range(0, n_resamples, _SPLITS_PER_TASK)
    ]
    results = run_fits(
        strengths_of, tasks, n_jobs=n_jobs, verbose=verbose, description="splits of the data"
    )
    values = np.concatenate(results).reshape(len(numbers), n_resamples)
    if param_range is None:  # numbers that no half allows are not tried
        is_known = ~np.isnan(values).all(axis=1)
        numbers, values = numbers[is_known], values[is_known]
    n_skipped = np.isnan(values).sum(axis=1)
    is_lost = bool((n_skipped == n_resamples).any())
    what = f"splits for {param_name}={numbers[n_skipped.argmax()]}", _TOO_FEW
    check_skipped(n_skipped, n_resamples, n_objects, is_lost, what)
    return PredictionStrength(numbers, values, n_skipped, param_name)


class Splits(NamedTuple):
    """What is split into halves that are clustered, and how labels are extended."""

    estimator: Any
    X: Any
    extension: Any
    noise_labels: Sequence[Any]
    groups: Positions | None = None


def strengths_of(
    splits: Splits, candidate: dict[str, Any], number: int, seeds: Sequence[list[int]]
) -> list[float]:
    """Return the strength of a candidate of some number for each split, NaN where it is skipped.

    A split is skipped if a half has fewer distinct objects than clusters. ``seeds`` has a row for
    each: its own seed, and two for the halves of each candidate.
    """
    if is_one_cluster(splits.estimator, candidate):
        return [1.0] * len(seeds)
    halves = [Split(splits.groups).draw(splits.X, 2, row[0]) for row in seeds]
    fits = [row[1 + 2 * number : 3 + 2 * number] for row in seeds]
    found = compared(splits.estimator, candidate, halves, fits, partial(_strength, splits))
    return [np.nan if one is None else one for one in found]


def _strength(splits: Splits, found: Sequence[Clustering], halves: Sequence[Sample]) -> float:
    """Return the strength of one split, the mean of both directions."""
    _, X, extension, noise_labels, _ = splits
    shares = []
    for own, other in ((0, 1), (1, 0)):
        positions = halves[own].positions
        carried = labels_at(positions, found[other], halves[other], X, extension, noise_labels)
        shares.append(lowest_share(found[own].labels, carried, noise_labels))
    return float(np.mean(shares))


def lowest_share(labels: PartitionLike, carried: Any, noise_labels: Sequence[Any]) -> float:
    """Return the lowest share of the pairs of a cluster that another partition keeps together."""
    own, other = read_labels(labels, "estimator"), read_labels(carried, "estimator")
    is_noise = noise_mask(own, noise_labels)
    clustered = np.flatnonzero(~is_noise)
    if len(np.unique(own.codes[clustered])) < 2:
        return 0.0  # nothing was found that could be predicted
    table = count_read(own.take(clustered), other.take(clustered))
    columns = Labels.of_codes(np.arange(table.shape[1]), table.col_labels)
    counts = table.cell_counts * (table.cell_counts - 1)
    counts[noise_mask(columns, noise_labels)[table.cell_cols]] = 0
    kept = np.bincount(table.cell_rows, counts, len(table.row_sums))
    pairs = table.row_sums * (table.row_sums - 1)
    return float(np.divide(kept, pairs, out=np.ones(len(kept)), where=pairs > 0).min())


# --------------------------------------------------------------------------- stability of clusters

# A cluster is dissolved at the first and recovered above the second.
_DISSOLVED, _RECOVERED = 0.5, 0.75
# Readings of the mean, and the least value for each.
READINGS = ((0.85, "highly stable"), (0.75, "valid"), (0.6, "doubtful"), (-np.inf, "dissolved"))
_RESAMPLINGS = ("bootstrap", "subsample", "jitter", "noise")


class ClusterStability(Drawn, Rows):
    """Stability of the clusters and of the objects; made by :func:`cluster_stability`.

    Printed, and as HTML in a notebook, it shows a row for each cluster. All parameters are
    attributes of the same names, which cannot be set.

    Parameters
    ----------
    labels : ndarray of shape (n_samples,)
        Labels of all objects, clustered together.
    clusters : ndarray of shape (n_clusters,)
        Label of each cluster, including that of noise.
    sizes : ndarray of shape (n_clusters,)
        Numbers of objects.
    jaccard : ndarray of shape (n_resamples, n_clusters)
        Largest Jaccard index of each cluster with a cluster of each resample; NaN where a resample
        has no object of the cluster, or was skipped.
    object_stability : ndarray of shape (n_samples,)
        Share of the resamples with the object in which it is in the cluster that is most like its
        own; NaN for an object that is in none.
    n_skipped : int
        Number of resamples that were skipped, as they have fewer distinct objects than clusters.
    is_noise : ndarray of shape (n_clusters,)
        Whether a cluster is the noise.

    See Also
    --------
    cluster_stability : Makes it.
    ClusterStabilityDisplay : A picture of it.

    Examples
    --------
    >>> from sklearn.cluster import KMeans
    >>> from sklearn.datasets import load_iris
    >>> from sklearn_clustcompare import cluster_stability
    >>> X = load_iris(return_X_y=True)[0]
    >>> result = cluster_stability(KMeans(3, random_state=0), X, n_resamples=20)
    >>> result.jaccard.shape, result.object_stability.shape
    ((20, 3), (150,))
    """

    labels: Array
    clusters: Array
    sizes: IntArray
    jaccard: FloatArray
    object_stability: FloatArray
    n_skipped: int
    is_noise: Mask

    @property
    def mean(self) -> FloatArray:
        """Mean of the largest Jaccard index of each cluster."""
        return known_mean(self.jaccard, axis=0)

    @property
    def dissolved(self) -> IntArray:
        """Number of resamples in which no cluster has a Jaccard index above 0.5 with it."""
        return np.sum(self.jaccard <= _DISSOLVED, axis=0)

    @property
    def recovered(self) -> IntArray:
        """Number of resamples in which some cluster has a Jaccard index above 0.75 with it."""
        return np.sum(self.jaccard > _RECOVERED, axis=0)

    @property
    def readings(self) -> list[str]:
        """Interpretation of the mean of each cluster, in words."""
        return [
            next((text for least, text in READINGS if mean >= least), "-") for mean in self.mean
        ]

    def _row_names(self) -> tuple[str, Any]:
        return "cluster", self.clusters

    def _columns(self) -> dict[str, Any]:
        return {
            "size": self.sizes,
            "mean": self.mean,
            "dissolved": self.dissolved,
            "recovered": self.recovered,
            "reading": self.readings,
        }

    def __len__(self) -> int:
        return len(self.clusters)

    def _headline(self) -> str:
        n_used = len(self.jaccard) - self.n_skipped
        return (
            f"ClusterStability: {len(self)} clusters of {len(self.labels)} objects in {n_used} "
            "resamples"
        )

    def _shown(self) -> Table:
        names = [
            f"{label} (noise)" if noise else str(label)
            for label, noise in zip(self.clusters.tolist(), self.is_noise, strict=True)
        ]
        return table_of({"cluster": names, **self._columns()})


class Resample(NamedTuple):
    """Largest Jaccard index of each cluster, the objects in the sample, and whether each stays."""

    jaccard: FloatArray
    objects: Positions
    stays: Mask


@tells_keywords
def cluster_stability(
    estimator: Any,
    X: MatrixLike,
    *,
    n_resamples: int = 100,
    resampling: Any = "bootstrap",
    sample_size: float | int | None = None,
    groups: ArrayLike | None = None,
    noise_label: Any = -1,
    n_jobs: int | None = None,
    random_state: RandomStateLike = 0,
    verbose: int | None = None,
) -> ClusterStability:
    """Compute how stable clusters, and the objects in them, are when the data change a little.

    All objects are clustered once. Then samples of them are clustered, and each original cluster
    gets its largest Jaccard index with a new cluster, computed on the objects of the sample [1]_. A
    clustering can contain both stable and unstable clusters.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features) or (n_samples, n_samples)
        The data; or distances or similarities between the objects, if the clusterer takes these.
    n_resamples : int, default=100
        Number of samples.
    resampling : {"bootstrap", "subsample", "jitter", "noise"} or callable, default="bootstrap"
        How the data change, see the Notes of :class:`StabilitySearch`; or a function
        ``f(X, random_state)`` of the data and an integer that returns the positions of the objects
        in one sample, or a tuple of these positions and of the rows themselves, with position -1
        for a row that is not an object.
    sample_size : float or int, default=None
        Size of a bootstrap sample or a subsample, as a share of the objects or their number. None
        takes all for "bootstrap", and 0.8 of them for "subsample".
    noise_label : hashable or collection of them, default=-1
        :term:`Label of noise <noise_label>` on either side, or several; they need not occur.

    Returns
    -------
    ClusterStability
        With ``jaccard`` of shape (n_resamples, n_clusters), their ``mean``, ``dissolved``,
        ``recovered`` and ``readings``, and ``object_stability`` of shape (n_samples,).

    Raises
    ------
    ValueError
        If a parameter is invalid, or no sample has enough distinct objects.
    TypeError
        If the estimator is no clusterer, as for labels or where X comes first; if "jitter" or
        "noise" would fill sparse data or move distances, or a parameter is of the wrong type.

    Warns
    -----
    UserWarning
        If samples are skipped.

    See Also
    --------
    StabilitySearch : The number of clusters by stability.
    ClusterStabilityDisplay : A picture of the result.

    Notes
    -----
    A mean of at least 0.85 is read as "highly stable", of at least 0.75 as "valid", of at least 0.6
    as "doubtful": there is a pattern, but it is unclear which objects belong to it. Below 0.6 the
    cluster is "dissolved" and should not be trusted. In a single sample a cluster is dissolved at
    0.5 and recovered above 0.75. These are conventions; do not compare values between data sets of
    different sizes or between different numbers of clusters.

    A stable cluster need not be meaningful: each of the two halves of a uniform square is stable.

    Noise is matched with noise only, and a cluster with clusters only.

    Objects that are drawn several times are clustered once, so that a bootstrap sample is one of
    63 % of the objects. The clusterer's own ``random_state`` is replaced by a seed for each fit.

    References
    ----------
    .. [1] C. Hennig, "Cluster-wise assessment of cluster stability", Computational Statistics &
       Data Analysis 52(1), 2007, :doi:`10.1016/j.csda.2006.11.025`

    Examples
    --------
    >>> from sklearn.cluster import KMeans
    >>> from sklearn.datasets import load_iris
    >>> from sklearn_clustcompare import cluster_stability
    >>> X = load_iris(return_X_y=True)[0]
    >>> result = cluster_stability(KMeans(3, random_state=0), X, n_resamples=30)
    >>> sorted(result.readings)
    ['highly stable', 'highly stable', 'highly stable']
    """
    several_resamples("n_resamples", n_resamples)
    rows = as_rows(X, estimator)
    codes = read_groups(groups, X, rows.shape[0])
    drawing = read_resampling(resampling, sample_size, rows.shape[0], _RESAMPLINGS, codes)
    first, *seeds = fit_seeds(1 + n_resamples, 2, random_state)
    noise_labels = Reading(noise_label=noise_label).noise_labels
    with one_call():
        with one_thread():
            labels = cluster(estimator, {}, rows, first[0]).labels
        original = read_labels(labels, "estimator").compact()[0]
        given: tuple[Any, ...] = estimator, {}, rows, drawing, original, noise_labels
        tasks = [(*given, one) for one in seeds]
        found = run_fits(resampled, tasks, n_jobs=n_jobs, verbose=verbose, description="samples")
    used = [one for one in found if one is not None]
    n_skipped = len(found) - len(used)
    is_lost = n_skipped == n_resamples
    check_skipped(n_skipped, n_resamples, rows.shape[0], is_lost, ("samples", _TOO_FEW))
    n_drawn, n_stays = (np.zeros(len(labels)) for _ in range(2))
    for one in used:
        n_drawn[one.objects] += 1
        n_stays[one.objects] += one.stays
    nothing = np.full(original.n_codes, np.nan)
    missing = np.full(len(n_drawn), np.nan)
    return ClusterStability(
        labels=labels,
        clusters=original.labels_of(np.arange(original.n_codes)),
        sizes=np.bincount(original.codes),
        jaccard=np.array([nothing if one is None else one.jaccard for one in found]),
        object_stability=np.divide(n_stays, n_drawn, out=missing, where=n_drawn > 0),
        n_skipped=n_skipped,
        is_noise=_noise_codes(original, noise_labels),
    )


def resampled(
    estimator: Any,
    candidate: dict[str, Any],
    X: Any,
    drawing: Resampling,
    original: Labels,
    noise_labels: Sequence[Any],
    seeds: Sequence[int],
) -> Resample | None:
    """Compare clusters with those of a candidate in a sample; None if it has too few objects."""

    def compare(found: Sequence[Clustering], samples: Sequence[Sample]) -> Resample:
        positions = samples[0].positions
        return compare_with_resample(original, found[0].labels, positions, noise_labels)

    draws = [[without_copies(one) for one in drawing.draw(X, 1, seeds[0])]]
    return compared(estimator, candidate, draws, [seeds[1:]], compare, at_once=False)[0]


def compare_with_resample(
    original: Labels, labels: Array, positions: Positions, noise_labels: Sequence[Any]
) -> Resample:
    """Compare clusters with those most like them in a sample; position -1 is no object.

    Noise is matched with noise only.
    """
    is_object = positions >= 0
    objects, found = positions[is_object], read_labels(labels[is_object], "estimator").compact()[0]
    codes = original.codes[objects]
    counts = np.zeros((original.n_codes, found.n_codes))
    np.add.at(counts, (codes, found.codes), 1)
    sizes = counts.sum(axis=1, keepdims=True)
    union = sizes + counts.sum(axis=0) - counts
    similarity = np.divide(counts, union, out=np.zeros_like(counts), where=union > 0)
    are_noise = [_noise_codes(one, noise_labels) for one in (original, found)]
    similarity[np.not_equal.outer(*are_noise)] = 0.0
    best, largest = similarity.argmax(axis=1), similarity.max(axis=1)
    stays = (best[codes] == found.codes) & (largest[codes] > 0)
    return Resample(np.where(sizes.ravel() > 0, largest, np.nan), objects, stays)


def _noise_codes(labels: Labels, noise_labels: Sequence[Any]) -> Mask:
    """Return for each code whether it is noise."""
    return np.isin(np.arange(labels.n_codes), labels.codes[noise_mask(labels, noise_labels)])


# --------------------------------------------------------------------------- influence

_known_change = one_of("delete", "reorder")
# Random orders of the objects, unless their number is given.
_N_ORDERS = 20


class Influence(Rows):
    """How far a clustering moves with changes of the data; made by :func:`influence`.

    Printed, and as HTML in a notebook, it shows the changes that move it most. All parameters are
    attributes of the same names, which cannot be set.

    Parameters
    ----------
    change : {"delete", "reorder"}
        What changes: one object is left out, each in turn; or the objects come in a random order.
    index : Index
        Record of the index.
    parameters : dict
        Its parameters.
    labels : ndarray of shape (n_samples,)
        Labels of all objects, clustered together.
    values : ndarray of float64 of shape (n_changes,)
        Index of the clusterings before and after each change, on the objects that both have.
    is_changed : ndarray of bool of shape (n_changes,)
        Whether the partition of these objects changes at all.
    objects : ndarray of int64 of shape (n_changes,) or None
        Position of the object that is left out in each change, ascending; None for orders.

    See Also
    --------
    influence : Makes it.

    Examples
    --------
    >>> from sklearn.cluster import AgglomerativeClustering
    >>> from sklearn_clustcompare.without_reference import influence
    >>> X = [[0], [1], [3], [7], [8], [30]]
    >>> found = influence(AgglomerativeClustering(2), X, base=2)
    >>> found
    Influence: 1 of 6 objects left out one by one change the clustering
    object  variation_of_information_distance
         5                             0.9710
         0                             0.0000
         1                             0.0000
         2                             0.0000
         3                             0.0000
         4                             0.0000
    >>> int(found.ranking[0])
    5
    """

    change: str
    index: Index
    parameters: dict[str, Any]
    labels: Array
    values: FloatArray
    is_changed: Mask
    objects: IntArray | None

    @property
    def ranking(self) -> IntArray:
        """Objects, or numbers of orders, that move the clustering most first."""
        return self._order if self.objects is None else self.objects[self._order]

    @property
    def share_changed(self) -> float:
        """Share of the changes after which the partition is another one."""
        return float(self.is_changed.mean())

    @property
    def _order(self) -> IntArray:
        sign = self.index.sign
        return np.argsort(sign * self.values, kind="stable")

    def _headline(self) -> str:
        what = "orders" if self.objects is None else "objects left out one by one"
        n_changed = np.count_nonzero(self.is_changed)
        return f"Influence: {n_changed} of {len(self.values)} {what} change the clustering"

    def _columns(self) -> list[tuple[str, Any]]:
        name = "order" if self.objects is None else "object"
        return [(name, self.ranking.tolist()), (self.index.name, self.values[self._order])]


@tells_keywords
def influence(
    estimator: Any,
    X: MatrixLike,
    y: Any = None,
    *,
    change: str = "delete",
    n_changes: int | None = None,
    index: IndexLike = "variation_of_information_distance",
    random_state: RandomStateLike = 0,
    n_jobs: int | None = None,
    verbose: int | None = None,
    **params: Any,
) -> Influence:
    """Compute how far a clustering moves when one object goes, or the order of all changes.

    An object without which many others change their cluster deserves a look: it may be an error,
    or bridge two clusters. A clustering that depends on the order of the objects is one of several
    that the data allow.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features) or (n_samples, n_samples)
        The data; or distances or similarities between the objects, if the clusterer takes these.
    y : ignored
        Not used, present for API consistency.
    change : {"delete", "reorder"}, default="delete"
        What changes: one object is left out, each in turn; or the objects come in a random order.
    n_changes : int, default=None
        Number of objects, drawn at random, or of orders. None takes all objects, or 20 orders.
    index : str, callable or Index, default="variation_of_information_distance"
        The :term:`index`: a name (see :func:`list_indices`), its function or a record.
    **params : dict
        Parameters of the index, such as ``base=2`` for bits.

    Returns
    -------
    Influence
        With ``values``, one for each object or order, ``ranking``, ``share_changed`` and
        ``labels``.

    Raises
    ------
    ValueError
        If there are fewer than two objects, ``n_changes`` exceeds them, a parameter is invalid or
        the index is unknown.
    TypeError
        If the estimator is no clusterer, as for labels or where X comes first; if the index does
        not take the parameters, or one of these is of the wrong type.

    See Also
    --------
    cluster_stability : Stability of clusters when many objects change.
    check_clusterer : Checks that the order of objects does not matter, on its own data.
    partial_partition_distance : Distance of clusterings of different objects.

    Notes
    -----
    All fits have the same seed, so that differences are due to the change alone: a ``random_state``
    that the clusterer has is kept, and one that is None is drawn once. Starting points of k-means
    are drawn among the objects, and may still change with them: use several (``n_init``).

    The clusterings are compared on the objects that remain. Noise counts as a cluster.

    References
    ----------
    .. [1] M. Meilă, "Comparing clusterings: an information based distance", Journal of Multivariate
       Analysis 98(5), 2007, :doi:`10.1016/j.jmva.2006.11.013`

    Examples
    --------
    >>> from sklearn.cluster import AgglomerativeClustering
    >>> from sklearn.datasets import load_iris
    >>> from sklearn_clustcompare.without_reference import influence
    >>> X = load_iris().data
    >>> found = influence(AgglomerativeClustering(3, linkage="ward"), X, base=2)
    >>> found.ranking[:2], round(float(found.values.max()), 3)
    (array([123, 126]), 0.188)
    """
    _known_change("change", change)
    record, params = read_index(index, params, with_data=False)
    record.check_parameters(**params)
    rows = as_rows(X, estimator)
    n_samples = rows.shape[0]
    if n_changes is not None:
        positive_integer("n_changes", n_changes)
        if change == "delete":
            at_most_objects("n_changes", n_changes, n_samples)
    (seeds,) = fit_seeds(1, 2, random_state)
    positions, objects = _changes(change, n_changes, n_samples, seeds[1])
    tasks = [(estimator, rows, one, seeds[0]) for one in (np.arange(n_samples), *positions)]
    description = "objects" if change == "delete" else "orders"
    labels, *others = run_fits(_fit, tasks, n_jobs=n_jobs, verbose=verbose, description=description)
    values, is_changed = [], []
    for kept, found in zip(positions, others, strict=True):
        before, after = read_labels(labels[kept], "estimator"), read_labels(found, "estimator")
        table = count_read(before, after)
        values.append(float(record.function(table, **params)))
        is_changed.append(not table.is_identity)
    return Influence(
        change, record, params, labels, np.array(values), np.array(is_changed), objects
    )


def _changes(
    change: str, n_changes: int | None, n_samples: int, seed: int
) -> tuple[list[Positions], IntArray | None]:
    """Return the objects in each changed data set, in their order, and those left out."""
    source = np.random.default_rng(seed)
    if change == "reorder":
        return [source.permutation(n_samples) for _ in range(n_changes or _N_ORDERS)], None
    objects = np.arange(n_samples)
    if n_changes is not None:
        objects = np.sort(source.choice(n_samples, n_changes, replace=False))
    return [np.delete(np.arange(n_samples), one) for one in objects], objects


def _fit(estimator: Any, X: Any, positions: Positions, seed: int) -> Array:
    model = seeded(clone(estimator), seed, unset_only=True)
    return checked_clustering(model, values_of(take_rows(X, positions))).labels
