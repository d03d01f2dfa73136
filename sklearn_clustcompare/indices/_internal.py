"""Indices of the data and one partition, without a reference.

``labels`` are consecutive cluster numbers from 0 on, or memberships with one column per cluster.
Functions of scikit-learn are called where they exist; all pairs of objects are visited in chunks.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.spatial.distance import pdist, squareform
from sklearn import get_config, metrics
from sklearn.utils import check_array, check_random_state

from sklearn_clustcompare._memory import warn_if_long
from sklearn_clustcompare._numerics import ordered_sum
from sklearn_clustcompare._parameters import one_of, positive_integer
from sklearn_clustcompare._partition.devices import is_on_device, to_device_of
from sklearn_clustcompare._partition.memberships import ranges
from sklearn_clustcompare.indices._undefined import UndefinedIndexError

# Values of some objects, or a tuple of several values.
Rows = tuple[NDArray[np.float64], ...]

# Numbers in a block of differences between objects and centers.
_BLOCK_SIZE = 2**18
# MiB of distances at a time: larger chunks are slower.
_CHUNK_MEMORY = 64
# Of the distances of all pairs of objects.
_SECONDS_PER_DISTANCE = 1.2e-8
_SECONDS_PER_FEATURE = 4e-10
# Distances that vary by less, relative to their size, are equal up to rounding.
_SMALLEST_VARIATION = 1e-12


# --------------------------------------------------------------------------- scikit-learn's


def silhouette(
    X: Any,
    labels: NDArray[Any],
    *,
    metric: Any = "euclidean",
    sample_size: int | None = None,
    random_state: Any = 0,
    **kwds: Any,
) -> float:
    check_number_of_labels(labels)
    try:
        return metrics.silhouette_score(
            X, labels, metric=metric, sample_size=sample_size, random_state=random_state, **kwds
        )
    except ValueError as error:
        # The objects drawn may have too few clusters even if all objects have enough.
        if sample_size is not None and str(error).startswith("Number of labels"):
            raise UndefinedIndexError(str(error)) from None
        raise


def silhouettes(
    X: Any, labels: NDArray[Any], metric: Any, size: int | None, seed: Any
) -> NDArray[np.float64]:
    """Return the mean silhouette coefficient of each cluster; NaN where no object was drawn."""
    n_clusters = int(labels.max(initial=-1)) + 1
    check_number_of_labels(labels)
    if size is not None:
        drawn = check_random_state(seed).permutation(len(labels))[:size]
        X, labels = X[drawn], labels[drawn]
        check_number_of_labels(np.unique(labels, return_inverse=True)[1])
    values = metrics.silhouette_samples(X, labels, metric=metric)
    sums, counts = np.bincount(labels, values, n_clusters), np.bincount(labels, None, n_clusters)
    return np.divide(sums, counts, out=np.full(n_clusters, np.nan), where=counts > 0)


def calinski_harabasz(X: Any, labels: NDArray[Any]) -> float:
    check_number_of_labels(labels)
    if not sparse.issparse(X):
        return metrics.calinski_harabasz_score(X, _beside(X, labels))
    parts = scatter(X, labels)
    within, between = ordered_sum(parts.within), ordered_sum(parts.between)
    n_clusters = len(parts.within)
    freedom = (len(labels) - n_clusters) / (n_clusters - 1)
    return between / within * freedom if within else 1.0


def davies_bouldin(X: Any, labels: NDArray[Any]) -> float:
    """Call scikit-learn for dense data, and follow it for sparse ones, which it does not take."""
    check_number_of_labels(labels)
    if not sparse.issparse(X):
        return metrics.davies_bouldin_score(X, _beside(X, labels))
    parts, spreads = scatter(X, labels), _mean_distances_to_centers(X, labels)
    separations = squareform(pdist(parts.centers))
    if np.allclose(spreads, 0) or np.allclose(separations, 0):
        return 0.0
    separations[separations == 0] = np.inf
    return float((np.add.outer(spreads, spreads) / separations).max(axis=1).mean())


def _beside(X: Any, labels: NDArray[Any]) -> Any:
    """Return labels on the device of the data, if scikit-learn computes there."""
    on_device = get_config()["array_api_dispatch"] and is_on_device(X)
    return to_device_of(labels, X) if on_device else labels


def check_number_of_labels(labels: NDArray[Any]) -> None:
    """Raise the error of scikit-learn unless there are 2 to n - 1 clusters."""
    n_objects = labels.shape[0]
    n_clusters = int(labels.max(initial=-1)) + 1 if labels.ndim == 1 else labels.shape[1]
    if not 2 <= n_clusters < n_objects:
        msg = (
            f"Number of labels is {n_clusters}. Valid values are 2 to n_samples - 1 (inclusive), "
            f"with n_samples = {n_objects}"
        )
        raise UndefinedIndexError(msg)


# --------------------------------------------------------------------------- sums of squares


class Scatter(NamedTuple):
    """Sums of squares of each cluster, and its center less the mean of all objects."""

    centers: NDArray[np.float64]
    within: NDArray[np.float64]
    between: NDArray[np.float64]


def scatter(X: Any, labels: NDArray[Any]) -> Scatter:
    """Return the sums of squares; objects are weighted by the square of their membership."""
    X = check_array(X, dtype=np.float64, accept_sparse="csr", input_name="X")
    weights = one_hot(labels) if labels.ndim == 1 else sparse.csr_array(labels).power(2)
    masses = np.asarray(weights.sum(axis=0)).ravel()
    weights, masses = weights[:, masses > 0], masses[masses > 0]
    if sparse.issparse(X):
        return _sparse_scatter(sparse.csr_array(X), weights.tocsc(), masses)
    X = X - X.mean(axis=0)
    centers = (weights.T @ X) / masses[:, np.newaxis]
    within = np.zeros(len(masses))
    per_object = X.shape[1] * max(weights.nnz // len(X), 1)
    for start, stop in ranges(len(X), max(_BLOCK_SIZE // per_object, 1)):
        block = weights[start:stop].tocoo()
        gaps = X[start:stop][block.row] - centers[block.col]
        squares = np.einsum("ij,ij->i", gaps, gaps)
        within += np.bincount(block.col, block.data * squares, len(masses))
    return Scatter(centers, within, masses * np.einsum("ij,ij->i", centers, centers))


def _sparse_scatter(X: Any, weights: Any, masses: NDArray[np.float64]) -> Scatter:
    """Return the sums of squares of sparse data in time proportional to their nonzeros.

    Zeros are at the distance of the center from zero: nothing is subtracted from a sum of squares,
    so that no digits are lost.
    """
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    n_features, mean = X.shape[1], np.asarray(X.mean(axis=0)).ravel()
    centers, within = np.zeros((len(masses), n_features)), np.zeros(len(masses))
    for number, mass in enumerate(masses):
        column = slice(*weights.indptr[number : number + 2])
        members = X[weights.indices[column]]
        weight = np.repeat(weights.data[column], np.diff(members.indptr))
        at, values = members.indices, members.data
        center = np.bincount(at, weight * values, n_features) / mass
        of_zeros = mass - np.bincount(at, weight, n_features)
        squares = weight * (values - center[at]) ** 2
        within[number] = squares.sum() + (of_zeros * center**2).sum()
        centers[number] = center - mean
    return Scatter(centers, within, masses * np.einsum("ij,ij->i", centers, centers))


def _mean_distances_to_centers(X: Any, labels: NDArray[Any]) -> NDArray[np.float64]:
    """Return the mean distance of the objects of each cluster to its center, for sparse data."""
    X = sparse.csr_array(check_array(X, dtype=np.float64, accept_sparse="csr", input_name="X"))
    means = []
    for number in range(int(labels.max()) + 1):
        members = X[np.flatnonzero(labels == number)]
        center = np.asarray(members.mean(axis=0)).ravel()
        step = max(_BLOCK_SIZE // X.shape[1], 1)
        starts = range(0, members.shape[0], step)
        blocks = (members[start : start + step].toarray() - center for start in starts)
        means.append(sum(float(np.linalg.norm(one, axis=1).sum()) for one in blocks))
    return np.array(means) / np.bincount(labels)


def one_hot(labels: NDArray[Any]) -> sparse.csr_array:
    shape = len(labels), int(labels.max(initial=-1)) + 1
    return sparse.csr_array((np.ones(len(labels)), labels, np.arange(len(labels) + 1)), shape)


def within_sum_of_squares(X: Any, labels: NDArray[Any]) -> float:
    return ordered_sum(scatter(X, labels).within)


def between_sum_of_squares(X: Any, labels: NDArray[Any]) -> float:
    return ordered_sum(scatter(X, labels).between)


def xie_beni(X: Any, labels: NDArray[Any]) -> float:
    check_number_of_labels(labels)
    parts = scatter(X, labels)
    if len(parts.centers) < 2:
        msg = "xie_beni_score needs two clusters with members, got one"
        raise UndefinedIndexError(msg)
    separation = float(pdist(parts.centers, "sqeuclidean").min())
    return _quotient(ordered_sum(parts.within) / labels.shape[0], separation, "xie_beni_score")


def _quotient(numerator: float, denominator: float, name: str) -> float:
    if denominator:
        return numerator / denominator
    if numerator:
        return math.inf
    msg = f"{name} is undefined for these clusters: zero divided by zero"
    raise UndefinedIndexError(msg)


# --------------------------------------------------------------------------- all pairs of objects


def incidence_proximity_correlation(
    X: Any, labels: NDArray[Any], *, metric: Any = "euclidean"
) -> float:
    check_number_of_labels(labels)
    means, squares, within = of_rows(X, labels, metric, moments_of_rows)
    # Every pair of objects occurs twice.
    sizes = np.bincount(labels)
    n_pairs, n_within = len(labels) * (len(labels) - 1), int((sizes * (sizes - 1)).sum())
    mean = ordered_sum(means) / len(labels)
    variation = ordered_sum(squares) + (len(labels) - 1) * ordered_sum((means - mean) ** 2)
    if math.sqrt(variation / n_pairs) <= _SMALLEST_VARIATION * abs(mean):
        msg = "incidence_proximity_correlation is undefined: all distances are equal"
        raise UndefinedIndexError(msg)
    incidence = n_within * ((n_pairs - n_within) / n_pairs)
    correlation = (mean * n_within - ordered_sum(within)) / math.sqrt(variation * incidence)
    return min(max(correlation, -1.0), 1.0)


def moments_of_rows(distances: NDArray[Any], same: NDArray[Any], own: Any) -> Rows:
    """Return mean, squared deviations and sum within the cluster, without an object itself."""
    within = (distances * same).sum(axis=1) - distances[own]
    means = (distances.sum(axis=1) - distances[own]) / (distances.shape[1] - 1)
    gaps = distances - means[:, np.newaxis]
    gaps[own] = 0.0
    return means, np.einsum("ij,ij->i", gaps, gaps), within


def dunn(X: Any, labels: NDArray[Any], *, metric: Any = "euclidean") -> float:
    check_number_of_labels(labels)
    separations, diameters = of_rows(X, labels, metric, _extremes)
    return _quotient(float(separations.min()), float(diameters.max()), "dunn_score")


def _extremes(distances: NDArray[Any], same: NDArray[Any], own: Any) -> Rows:
    within = np.where(same, distances, 0.0)
    within[own] = 0.0
    return np.where(same, np.inf, distances).min(axis=1), within.max(axis=1)


def of_rows(
    X: Any,
    labels: NDArray[Any],
    metric: Any,
    summarize: Callable[[NDArray[Any], NDArray[Any], Any], Rows],
) -> list[NDArray[np.float64]]:
    """Summarize the distances of each object, in chunks.

    ``summarize`` gets some rows of the matrix of distances, which of them are within a cluster,
    and the positions of the objects themselves; it returns arrays with a value for each row.
    """
    X = check_array(X, dtype=np.float64, accept_sparse="csr", input_name="X")
    n_objects, n_features = X.shape
    warn_if_long(
        f"the distances of all pairs of {n_objects} objects",
        (_SECONDS_PER_DISTANCE + _SECONDS_PER_FEATURE * n_features) * n_objects**2,
        "take a sample of the objects, or an index by the centers of the clusters, such as "
        "davies_bouldin_score",
    )
    memory = min(get_config()["working_memory"], _CHUNK_MEMORY)
    parameters: dict[str, Any] = {"metric": metric, "working_memory": memory}
    if metric == "euclidean" and not sparse.issparse(X):
        # By differences: products of matrices would give equal objects a small distance.
        parameters |= {"metric": "minkowski", "p": 2}

    def reduce(distances: NDArray[Any], start: int) -> Rows:
        rows = np.arange(len(distances))
        same = labels[start : start + len(distances), np.newaxis] == labels
        return summarize(distances, same, (rows, start + rows))

    chunks = metrics.pairwise_distances_chunked(X, reduce_func=reduce, **parameters)
    return [np.concatenate(values) for values in zip(*chunks, strict=True)]


# --------------------------------------------------------------------------- parameters


# Metrics of scikit-learn, and those of SciPy that pairwise_distances accepts.
_known_metric = one_of(
    *metrics.pairwise.distance_metrics(),
    *("braycurtis", "canberra", "chebyshev", "correlation", "dice", "hamming", "jaccard"),
    *("mahalanobis", "minkowski", "rogerstanimoto", "russellrao", "seuclidean", "sokalsneath"),
    *("sqeuclidean", "yule"),
)


def is_precomputed(metric: Any) -> bool:
    """Return whether distances are given instead of data."""
    return isinstance(metric, str) and metric == "precomputed"


def distance_metric(name: str, value: Any) -> None:
    if isinstance(value, str):
        _known_metric(name, value)
    elif not callable(value):
        msg = f"{name} must be the name of a distance or a callable, got {value!r}"
        raise TypeError(msg)


def sample_size(name: str, value: Any) -> None:
    if value is not None:
        positive_integer(name, value)


def random_state(name: str, value: Any) -> None:
    try:
        check_random_state(value)
    except ValueError:
        msg = f"{name} must be None, an int or a RandomState, got {value!r}"
        raise TypeError(msg) from None
