"""Stability of single clusters when the data change a little."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from sklearn_clustcompare._array_types import Array, FloatArray, IntArray, Mask, Positions
from sklearn_clustcompare._numerics import known_mean
from sklearn_clustcompare._parameters import RandomStateLike
from sklearn_clustcompare._partition import Labels, Reading, read_labels
from sklearn_clustcompare._partition.arrays import MatrixLike
from sklearn_clustcompare._partition.memberships import noise_mask
from sklearn_clustcompare._rendering import Drawn, Result, Table, table_of
from sklearn_clustcompare.significance._resampling import several_resamples
from sklearn_clustcompare.without_reference._fits import (
    caught_warnings,
    cluster,
    fit_seeds,
    n_clusters_asked,
    one_thread,
    run_fits,
    warn_once,
)
from sklearn_clustcompare.without_reference._resamples import (
    Resampling,
    as_rows,
    has_distinct_objects,
    read_resampling,
    without_copies,
)

# A cluster is dissolved at the first and recovered above the second.
_DISSOLVED, _RECOVERED = 0.5, 0.75
# Readings of the mean, and the least value for each.
_READINGS = ((0.85, "highly stable"), (0.75, "valid"), (0.6, "doubtful"), (-np.inf, "dissolved"))
_RESAMPLINGS = ("bootstrap", "subsample", "jitter", "noise")


class ClusterStability(Drawn, Result):
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
            next((text for least, text in _READINGS if mean >= least), "-") for mean in self.mean
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
    estimator : estimator
        A clusterer, or a pipeline that ends in one.
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
    groups : array-like of shape (n_samples,), default=None
        Group of each object, such as its donor, document or customer: objects of a group stay
        together in each sample, so that clusters must come back in other groups. None: each object
        is by itself.
    noise_label : hashable or collection of them, default=-1
        :term:`Label of noise <noise_label>` on either side, or several; they need not occur.
    n_jobs : int, default=None
        :term:`Number of parallel jobs <n_jobs>`; the result does not depend on it.
    random_state : int, RandomState, Generator, SeedSequence or None, default=0
        :term:`Source of randomness <random_state>`.
    verbose : int or None, default=None
        Progress on stderr: 0 shows none, 1 all of it. None shows one line with an estimate
        if it may take more than ten seconds, on a terminal or in a notebook.

    Returns
    -------
    ClusterStability
        With ``jaccard`` of shape (n_resamples, n_clusters), their ``mean``, ``dissolved``,
        ``recovered`` and ``readings``, and ``object_stability`` of shape (n_samples,).

    Raises
    ------
    ValueError
        If a parameter is invalid, or no sample has enough distinct objects.

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
    drawing = read_resampling(resampling, sample_size, rows.shape[0], _RESAMPLINGS, groups)
    first, *seeds = fit_seeds(1 + n_resamples, 2, random_state)
    noise_labels = Reading(noise_label=noise_label).noise_labels
    with caught_warnings() as kept:
        with one_thread():
            labels = cluster(estimator, {}, rows, first[0]).labels
        original = read_labels(labels, "estimator").compact()[0]
        tasks = [(estimator, rows, drawing, original, noise_labels, one) for one in seeds]
        how: dict[str, Any] = {"n_jobs": n_jobs, "verbose": verbose, "description": "samples"}
        found = run_fits(_resample, tasks, **how)
    warn_once(kept, stacklevel=2)
    used = [one for one in found if one is not None]
    _check_skipped(len(found) - len(used), n_resamples, rows.shape[0])
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
        n_skipped=len(found) - len(used),
        is_noise=_noise_codes(original, noise_labels),
    )


def _check_skipped(n_skipped: int, n_resamples: int, n_samples: int) -> None:
    if n_skipped == n_resamples:
        msg = (
            "X must have as many distinct objects as the estimator looks for clusters in some of "
            f"the samples, got n_samples={n_samples}"
        )
        raise ValueError(msg)
    if n_skipped:
        warnings.warn(
            f"{n_skipped} of {n_resamples} samples were skipped, as they have fewer distinct "
            "objects than the estimator looks for clusters",
            UserWarning,
            stacklevel=3,
        )


def _resample(
    estimator: Any,
    X: Any,
    drawing: Resampling,
    original: Labels,
    noise_labels: Sequence[Any],
    seeds: list[int],
) -> Resample | None:
    (drawn,) = drawing.draw(X, 1, seeds[0])
    sample = without_copies(drawn)
    if not has_distinct_objects(sample, n_clusters_asked(estimator, {})):
        return None
    labels = cluster(estimator, {}, sample.X, seeds[1]).labels
    return compare_with_resample(original, labels, sample.positions, noise_labels)


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
