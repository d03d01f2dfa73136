"""Indices of the data and one partition, without a reference.

``labels`` are consecutive cluster numbers from 0 on, or memberships with one column per cluster.
All pairs of objects are visited in chunks.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.spatial.distance import pdist, squareform
from sklearn.metrics.pairwise import distance_metrics
from sklearn.utils import check_random_state

from sklearn_clustcompare._data import is_precomputed, near_for, reduced_blocks
from sklearn_clustcompare._memory import warn_if_long
from sklearn_clustcompare._numerics import ordered_sum
from sklearn_clustcompare._parameters import one_of, positive_integer
from sklearn_clustcompare._partition.memberships import ranges
from sklearn_clustcompare.indices._undefined import UndefinedIndexError

# Values of some objects, or a tuple of several values.
Rows = tuple[NDArray[np.float64], ...]

# Numbers in a block of differences between objects and centers.
_BLOCK_SIZE = 2**18
# Of the distances of all pairs of objects.
_SECONDS_PER_DISTANCE = 1.2e-8
_SECONDS_PER_FEATURE = 4e-10
# Distances that vary by less, relative to their size, are equal up to rounding.
_SMALLEST_VARIATION = 1e-12
# Centers that differ by less, relative to their size, are equal up to the rounding of means.
_SAME_PLACE = 2.0**-46


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
    return float(np.mean(_silhouettes(X, labels, metric, sample_size, random_state, **kwds)[0]))


def silhouettes(
    X: Any, labels: NDArray[Any], metric: Any, size: int | None, seed: Any
) -> NDArray[np.float64]:
    """Return the mean silhouette coefficient of each cluster; NaN where no object was drawn."""
    n_clusters = int(labels.max(initial=-1)) + 1
    values, labels = _silhouettes(X, labels, metric, size, seed)
    sums, counts = np.bincount(labels, values, n_clusters), np.bincount(labels, None, n_clusters)
    return np.divide(sums, counts, out=np.full(n_clusters, np.nan), where=counts > 0)


def _silhouettes(
    X: Any, labels: NDArray[Any], metric: Any, size: int | None, seed: Any, **kwds: Any
) -> tuple[NDArray[np.float64], NDArray[Any]]:
    """Return the silhouette coefficients of all objects, or of some that are drawn, and labels."""
    check_number_of_labels(labels)
    X = near_for(X, metric).values
    if is_precomputed(metric) and np.diagonal(X).max() > _SMALLEST_VARIATION:
        msg = "X must hold distances, which are 0 on the diagonal, for metric='precomputed'"
        raise ValueError(msg)
    if size is not None:
        drawn = check_random_state(seed).permutation(len(labels))[:size]
        X, labels = X[drawn][:, drawn] if is_precomputed(metric) else X[drawn], labels[drawn]
    # The objects drawn may have too few clusters even if all objects have enough.
    codes = np.unique(labels, return_inverse=True)[1]
    check_number_of_labels(codes)
    sizes = np.bincount(codes)
    members = one_hot(codes).toarray()

    def widths(distances: NDArray[Any], start: int) -> NDArray[np.float64]:
        own = np.arange(len(distances)), codes[start : start + len(distances)]
        means = distances @ members
        within = means[own] / np.maximum(sizes[own[1]] - 1, 1)
        means /= sizes
        means[own] = np.inf
        nearest = means.min(axis=1)
        larger = np.maximum(within, nearest)
        is_counted = (sizes[own[1]] > 1) & (larger > 0)
        return np.divide(nearest - within, larger, out=np.zeros(len(larger)), where=is_counted)

    return np.concatenate([*reduced_blocks(X, metric, widths, **kwds)]), labels


def calinski_harabasz(X: Any, labels: NDArray[Any]) -> float:
    check_number_of_labels(labels)
    parts = scatter(X, labels)
    within, between = ordered_sum(parts.within), ordered_sum(parts.between)
    n_clusters = len(parts.within)
    freedom = (len(labels) - n_clusters) / (n_clusters - 1)
    return between / within * freedom if within else 1.0


def davies_bouldin(X: Any, labels: NDArray[Any]) -> float:
    """Follow scikit-learn, whose function has a tolerance that depends on the units of the data.

    Centers at the same place, up to the rounding of means, are not compared.
    """
    check_number_of_labels(labels)
    X = near_for(X, "euclidean").values
    parts, spreads = _scatter(X, labels), _mean_distances_to_centers(X, labels)
    separations = squareform(pdist(parts.centers))
    sizes = spreads + np.linalg.norm(parts.centers, axis=1)
    separations[separations <= _SAME_PLACE * np.add.outer(sizes, sizes)] = np.inf
    return float((np.add.outer(spreads, spreads) / separations).max(axis=1).mean())


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
    """Sums of squares of each cluster, and its center.

    Centers are in units of ``2**exponent``, and sums of squares in those of its square.
    """

    centers: NDArray[np.float64]
    within: NDArray[np.float64]
    between: NDArray[np.float64]
    exponent: int = 0


def scatter(X: Any, labels: NDArray[Any]) -> Scatter:
    """Return the sums of squares; objects are weighted by the square of their membership."""
    found = near_for(X, "euclidean")
    return _scatter(found.values, labels)._replace(exponent=found.exponent)


def _scatter(X: Any, labels: NDArray[Any]) -> Scatter:
    weights = one_hot(labels) if labels.ndim == 1 else sparse.csr_array(labels).power(2)
    masses = np.asarray(weights.sum(axis=0)).ravel()
    weights, masses = weights[:, masses > 0], masses[masses > 0]
    if sparse.issparse(X):
        return _sparse_scatter(sparse.csr_array(X), weights.tocsc(), masses)
    centers = (weights.T @ X) / masses[:, np.newaxis]
    within = np.zeros(len(masses))
    per_object = X.shape[1] * max(weights.nnz // len(X), 1)
    for start, stop in ranges(len(X), max(_BLOCK_SIZE // per_object, 1)):
        block = weights[start:stop].tocoo()
        gaps = X[start:stop][block.row] - centers[block.col]
        squares = np.einsum("ij,ij->i", gaps, gaps)
        within += np.bincount(block.col, block.data * squares, len(masses))
    return Scatter(centers, within, _between(centers, X.mean(axis=0), masses))


def _between(
    centers: NDArray[np.float64], mean: NDArray[np.float64], masses: NDArray[np.float64]
) -> NDArray[np.float64]:
    gaps = centers - mean
    return masses * np.einsum("ij,ij->i", gaps, gaps)


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
        centers[number] = center
    return Scatter(centers, within, _between(centers, mean, masses))


def _mean_distances_to_centers(X: Any, labels: NDArray[Any]) -> NDArray[np.float64]:
    """Return the mean distance of the objects of each cluster to its center."""
    means = []
    for number in range(int(labels.max()) + 1):
        members = X[np.flatnonzero(labels == number)]
        center = np.asarray(members.mean(axis=0)).ravel()
        step = max(_BLOCK_SIZE // X.shape[1], 1)
        starts = range(0, members.shape[0], step)
        blocks = (members[start : start + step] for start in starts)
        gaps = ((one.toarray() if sparse.issparse(one) else one) - center for one in blocks)
        means.append(sum(float(np.linalg.norm(one, axis=1).sum()) for one in gaps))
    return np.array(means) / np.bincount(labels)


def one_hot(labels: NDArray[Any]) -> sparse.csr_array:
    shape = len(labels), int(labels.max(initial=-1)) + 1
    return sparse.csr_array((np.ones(len(labels)), labels, np.arange(len(labels) + 1)), shape)


def within_sum_of_squares(X: Any, labels: NDArray[Any]) -> float:
    parts = scatter(X, labels)
    return float(in_units_of_data(ordered_sum(parts.within), parts.exponent))


def between_sum_of_squares(X: Any, labels: NDArray[Any]) -> float:
    parts = scatter(X, labels)
    return float(in_units_of_data(ordered_sum(parts.between), parts.exponent))


def in_units_of_data(squares: Any, exponent: int) -> Any:
    """Return sums of squares in the units of the data; warn if floats do not reach so far."""
    with np.errstate(over="ignore"):
        found = np.ldexp(squares, 2 * exponent)
    if np.isinf(found).any() or ((found == 0) & (np.asarray(squares) > 0)).any():
        warnings.warn(
            "a sum of squares of X is beyond the range of floats, and became 0 or inf: divide X by "
            f"a constant, such as 2.0**{exponent}",
            RuntimeWarning,
            stacklevel=2,
        )
    return found


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
    X = near_for(X, metric).values
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
    X = near_for(X, metric).values
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
    """Summarize the distances of each object, in chunks; X is what the door gave for the metric.

    ``summarize`` gets some rows of the matrix of distances, which of them are within a cluster,
    and the positions of the objects themselves; it returns arrays with a value for each row.
    """
    n_objects, n_features = X.shape
    warn_if_long(
        f"the distances of all pairs of {n_objects} objects",
        (_SECONDS_PER_DISTANCE + _SECONDS_PER_FEATURE * n_features) * n_objects**2,
        "take a sample of the objects, or an index by the centers of the clusters, such as "
        "davies_bouldin_score",
    )

    def reduce(distances: NDArray[Any], start: int) -> Rows:
        rows = np.arange(len(distances))
        same = labels[start : start + len(distances), np.newaxis] == labels
        return summarize(distances, same, (rows, start + rows))

    blocks = reduced_blocks(X, metric, reduce)
    return [np.concatenate(values) for values in zip(*blocks, strict=True)]


# --------------------------------------------------------------------------- parameters


# Metrics of scikit-learn, and those of SciPy that pairwise_distances accepts.
_known_metric = one_of(
    *distance_metrics(),
    *("braycurtis", "canberra", "chebyshev", "correlation", "dice", "hamming", "jaccard"),
    *("mahalanobis", "minkowski", "rogerstanimoto", "russellrao", "seuclidean", "sokalsneath"),
    *("sqeuclidean", "yule"),
)


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
