"""Indices of the data and one partition, cluster by cluster."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import issparse
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_clustcompare._array_types import Array, FloatArray, IntArray
from sklearn_clustcompare._data import is_precomputed, read_numbers
from sklearn_clustcompare._parameters import RandomStateLike
from sklearn_clustcompare._partition import Reading, check_rows, read_labels
from sklearn_clustcompare._partition.arrays import PartitionLike
from sklearn_clustcompare._partition.memberships import treat_one
from sklearn_clustcompare._rendering import Rows, n_clusters_text, result_record
from sklearn_clustcompare.indices import INTERNAL_INDICES
from sklearn_clustcompare.indices._internal import in_units_of_data, scatter, silhouettes
from sklearn_clustcompare.indices._undefined import UndefinedIndexError


@result_record
@dataclass(frozen=True, eq=False, repr=False)
class InternalDecomposition(Rows):
    """Result of :func:`internal_decomposition`: indices of the data, cluster by cluster.

    Printed, and as HTML in a notebook, it shows a row for each cluster. All parameters are
    attributes of the same names, which cannot be set, with a value for each cluster.

    Parameters
    ----------
    labels : ndarray of shape (n_clusters,)
        Labels of the clusters.
    sizes : ndarray of shape (n_clusters,)
        Numbers of objects.
    within : ndarray of shape (n_clusters,)
        Sums of squared distances of the objects to the center of the cluster.
    between : ndarray of shape (n_clusters,)
        Squared distances of the centers to the mean of all objects, times the sizes.
    silhouettes : ndarray of shape (n_clusters,)
        Mean silhouette coefficients of the objects of the cluster, in [-1, 1]; NaN where none of
        them was drawn.

    See Also
    --------
    internal_decomposition : Makes it.

    Examples
    --------
    >>> from sklearn_clustcompare.report import internal_decomposition
    >>> parts = internal_decomposition([[1], [2], [4], [5]], list("aabb"))
    >>> parts.within, parts.between
    (array([0.5, 0.5]), array([4.5, 4.5]))
    """

    labels: Array
    sizes: IntArray
    within: FloatArray
    between: FloatArray
    silhouettes: FloatArray
    _names = ("label",)

    def _columns(self) -> dict[str, Array]:
        return {
            "label": self.labels,
            "size": self.sizes,
            "within": self.within,
            "between": self.between,
            "silhouette": self.silhouettes,
        }

    def _headline(self) -> str:
        n_clusters = n_clusters_text(len(self.sizes))
        return f"InternalDecomposition: {self.sizes.sum()} objects, {n_clusters}"


def internal_decomposition(
    X: ArrayLike,
    labels: PartitionLike,
    *,
    metric: Any = "euclidean",
    sample_size: int | None = None,
    random_state: RandomStateLike = 0,
    noise: str = "cluster",
    noise_label: Any = -1,
) -> InternalDecomposition:
    """Decompose indices of the data into values of the single clusters.

    A single score does not show which cluster is scattered, or close to another one.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        The data.
    labels : array-like of shape (n_samples,)
        :term:`Labels` of one :term:`partition`.
    metric : str or callable, default="euclidean"
        Distance, as in :func:`sklearn.metrics.pairwise_distances`.
    sample_size : int, default=None
        Number of objects to draw at random, to avoid n^2 distances; None takes all.
    random_state : int, RandomState or None, default=0
        :term:`Source of randomness <random_state>` of the draw. An int, such as the default, gives
        all candidates of a search the same objects.
    noise : {"cluster", "singletons", "drop"}, default="cluster"
        How to treat objects with the label of :term:`noise`: as one cluster, as a cluster each, or
        leave them out.
    noise_label : hashable or collection of them, default=-1
        :term:`Label of noise <noise_label>` on either side, or several; they need not occur.

    Returns
    -------
    InternalDecomposition
        With ``labels``, ``sizes``, ``within``, ``between`` and ``silhouettes``.

    Raises
    ------
    ValueError
        If lengths differ, or data or labels are invalid; if noise is dropped and nothing is left.
    TypeError
        If labels are not hashable, or X holds no real numbers.

    Warns
    -----
    UndefinedMetricWarning
        If there are not 2 to n_samples - 1 clusters: silhouettes are NaN.
    RuntimeWarning
        If a sum of squares is beyond the range of floats, and became 0 or infinite.

    See Also
    --------
    within_cluster_sum_of_squares : The sum of ``within``.
    between_cluster_sum_of_squares : The sum of ``between``.
    silhouette_score : The mean of ``silhouettes``, weighted by the sizes if all objects are taken.
    cluster_decomposition : Values of single clusters compared with a reference.
    categorical_entropies : Single clusters of categorical data.

    References
    ----------
    .. [1] P. J. Rousseeuw, "Silhouettes: a graphical aid to the interpretation and validation of
       cluster analysis", Journal of Computational and Applied Mathematics 20, 1987,
       :doi:`10.1016/0377-0427(87)90125-7`

    Examples
    --------
    >>> from sklearn_clustcompare.report import internal_decomposition
    >>> internal_decomposition([[1], [2], [4], [5], [12]], list("aabbc"))
    InternalDecomposition: 5 objects, 3 clusters
    label  size  within  between  silhouette
    a         2     0.5    21.78      0.6571
    b         2     0.5     0.18      0.6571
    c         1     0.0    51.84      0.0000
    """
    parameters = {"metric": metric, "sample_size": sample_size, "random_state": random_state}
    INTERNAL_INDICES["silhouette_score"].check_parameters(**parameters)
    if is_precomputed(metric):
        msg = "metric must not be 'precomputed' here: sums of squares need the data"
        raise ValueError(msg)
    partition = read_labels(labels, "labels")
    points = read_numbers(X)
    points = points.tocsr() if issparse(points) else points
    check_rows(X, points.shape[0], partition)
    reading = Reading(noise=noise, noise_label=noise_label)
    partition, kept = treat_one(partition, reading)
    if kept is not None:
        points = points[kept]
    if not points.shape[0]:
        msg = "noise='drop' must leave at least one object that is not noise, got none"
        raise ValueError(msg)
    clusters, sizes = partition.compact()
    sums = scatter(points, clusters.codes)
    try:
        widths = silhouettes(points, clusters.codes, metric, sample_size, random_state)
    except UndefinedIndexError as error:
        warnings.warn(f"silhouettes are NaN: {error}", UndefinedMetricWarning, stacklevel=2)
        widths = np.full(len(sizes), np.nan)
    return InternalDecomposition(
        clusters.labels_of(np.arange(clusters.n_codes)),
        sizes,
        in_units_of_data(sums.within, sums.exponent),
        in_units_of_data(sums.between, sums.exponent),
        widths,
    )
