"""Prediction strength: whether one half of the data predicts the clusters of the other."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from sklearn_clustcompare._array_types import Array, FloatArray, IntArray, Positions
from sklearn_clustcompare._clusterers import check_values, main_parameter, values_tried
from sklearn_clustcompare._numerics import known_mean
from sklearn_clustcompare._parameters import RandomStateLike, positive_integer, share
from sklearn_clustcompare._partition import Labels, Reading, read_labels
from sklearn_clustcompare._partition.arrays import MatrixLike, PartitionLike
from sklearn_clustcompare._partition.memberships import noise_mask
from sklearn_clustcompare._rendering import Drawn, Rows
from sklearn_clustcompare._table import count_read
from sklearn_clustcompare.significance._resampling import several_resamples
from sklearn_clustcompare.without_reference._fits import (
    cluster_many,
    fit_seeds,
    is_one_cluster,
    n_clusters_asked,
    run_fits,
)
from sklearn_clustcompare.without_reference._resamples import (
    Clustering,
    Sample,
    Split,
    as_rows,
    has_distinct_objects,
    labels_at,
    read_extension,
    read_groups,
)

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

    def _row_names(self) -> tuple[str, Any]:
        return self.param_name, self.param_range


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
    estimator : estimator
        A clusterer, or a pipeline that ends in one.
    X : array-like or sparse matrix of shape (n_samples, n_features) or (n_samples, n_samples)
        The data; or distances or similarities between the objects, if the clusterer takes these.
    param_range : array-like of int of shape (n_values,), default=None
        Numbers of clusters to try. One cluster has strength 1 and is not fitted. None tries 1 to 10
        clusters, or every fifth ``min_cluster_size`` from 5 to 50 and to half of the objects.
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
    PredictionStrength
        With ``values`` of all splits, and :meth:`~PredictionStrength.choose`.

    Raises
    ------
    ValueError
        If a parameter is invalid, or a half never has enough distinct objects.

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
    param_name = main_parameter(estimator, param_name)
    rows = as_rows(X, estimator)
    numbers = _numbers(values_tried(param_name, param_range, rows.shape[0]))
    check_values(param_name, numbers)
    candidates = [{param_name: int(k)} for k in numbers]
    noise_labels = Reading(noise_label=noise_label).noise_labels
    splits = Splits(
        estimator,
        rows,
        read_extension(extension, estimator),
        noise_labels,
        read_groups(groups, rows.shape[0]),
    )
    seeds = fit_seeds(n_resamples, 1 + 2 * len(numbers), random_state)
    tasks = [
        (splits, candidate, number, seeds[start : start + _SPLITS_PER_TASK])
        for number, candidate in enumerate(candidates)
        for start in range(0, n_resamples, _SPLITS_PER_TASK)
    ]
    results = run_fits(
        strengths_of, tasks, n_jobs=n_jobs, verbose=verbose, description="splits of the data"
    )
    values = np.concatenate(results).reshape(len(numbers), n_resamples)
    n_skipped = np.isnan(values).sum(axis=1)
    if (n_skipped == n_resamples).any():
        k = numbers[np.argmax(n_skipped)]
        msg = (
            f"X must have at least {k} distinct objects in each half for param_range up to {k}, "
            f"got {rows.shape[0]} objects, of which no half had"
        )
        raise ValueError(msg)
    if n_skipped.any():
        warnings.warn(
            f"up to {n_skipped.max()} of {n_resamples} splits were skipped, as a half had fewer "
            "distinct objects than clusters; see n_skipped of the result",
            UserWarning,
            stacklevel=2,
        )
    return PredictionStrength(numbers, values, n_skipped, param_name)


def _numbers(param_range: Any) -> IntArray:
    if isinstance(param_range, str) or not hasattr(param_range, "__iter__"):
        msg = f"param_range must list numbers of clusters, got {param_range!r}"
        raise TypeError(msg)
    numbers = list(param_range)
    if not numbers:
        msg = "param_range must list at least one number of clusters, got none"
        raise ValueError(msg)
    for number in numbers:
        positive_integer("param_range", number)
    return np.array(numbers, np.int64)


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
    estimator, X = splits.estimator, splits.X
    if is_one_cluster(estimator, candidate):
        return [1.0] * len(seeds)
    n_clusters = n_clusters_asked(estimator, candidate)
    halves = [Split(splits.groups).draw(X, 2, row[0]) for row in seeds]
    used = [
        place
        for place, pair in enumerate(halves)
        if all(has_distinct_objects(half, n_clusters) for half in pair)
    ]
    found = cluster_many(
        estimator,
        candidate,
        [half.X for place in used for half in halves[place]],
        [seed for place in used for seed in seeds[place][1 + 2 * number : 3 + 2 * number]],
    )
    strengths = [np.nan] * len(seeds)
    for at, place in enumerate(used):
        strengths[place] = _strength(splits, halves[place], found[2 * at : 2 * at + 2])
    return strengths


def _strength(splits: Splits, halves: Sequence[Sample], found: Sequence[Clustering]) -> float:
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
