"""Density-based validation of a partition by the data [1]_.

``labels`` are cluster numbers from 0 on, and one number for noise. Distances are visited row by row
or in chunks, so that the memory is that of one chunk and of a few numbers for each object.

References
----------
.. [1] D. Moulavi, P. A. Jaskowiak, R. J. G. B. Campello, A. Zimek, J. Sander, "Density-based
   clustering validation", SIAM International Conference on Data Mining, 2014,
   :doi:`10.1137/1.9781611973440.96`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from scipy.linalg import cholesky
from scipy.spatial.distance import cdist

from sklearn_clustcompare._array_types import Array, FloatArray, Positions
from sklearn_clustcompare._data import EUCLIDEAN, euclidean, is_precomputed, near_for
from sklearn_clustcompare._numerics import ordered_sum
from sklearn_clustcompare._parameters import one_of
from sklearn_clustcompare._partition.arrays import as_collection, check_hashable
from sklearn_clustcompare.indices._index import index
from sklearn_clustcompare.indices._internal import (
    Rows,
    check_number_of_labels,
    distance_metric,
    of_rows,
    positive_or_none,
)
from sklearn_clustcompare.indices._record import UndefinedIndexError

known_ties = one_of("density", "position")


def noise_label(name: str, value: Any) -> None:
    check_hashable(as_collection(value), name)


class _Tree(NamedTuple):
    """The minimum spanning tree of a cluster: its sparseness and its internal objects."""

    sparseness: float
    members: Positions
    cores: FloatArray


@index(
    short_names=("dbcv",),
    needs_data=True,
    parameters={
        "metric": distance_metric,
        "n_features": positive_or_none,
        "ties": known_ties,
        "noise_label": noise_label,
    },
    sampling="extreme",
    source="Moulavi et al. (2014)",
)
def dbcv_score(
    X: Any,
    labels: Array,
    *,
    metric: Any = "euclidean",
    n_features: int | None = None,
    ties: str = "density",
    noise_label: Any = -1,
) -> float:
    """Density-based clustering validation: how sparse clusters are, compared with what is between.

    Suited to clusters of any shape, such as those of DBSCAN and HDBSCAN, for which the silhouette
    and other indices prefer what k-means finds. Objects of noise belong to no cluster, and lower
    the value by their share.

    Parameters
    ----------
    metric : str or callable, default="euclidean"
        Distance, as in :func:`sklearn.metrics.pairwise_distances`.
    n_features : int, default=None
        Dimension of the density; None takes the number of features, which has to be given for
        ``metric="precomputed"``.
    ties : {"density", "position"}, default="density"
        Which of several minimum spanning trees of a cluster is taken, see Notes.
    noise_label : hashable or collection of these, default=-1
        :term:`Label of noise <noise_label>`, or several; they need not occur.

    Returns
    -------
    float
        In [-1, 1]. Higher is better.

    Raises
    ------
    ValueError
        If there are not two clusters of at least two objects that are not noise, or
        ``n_features`` is missing; if lengths differ, or data or labels are invalid.
    TypeError
        If labels are not hashable, or X holds no real numbers.

    See Also
    --------
    silhouette_score : For round clusters.
    structure_test : Whether the value is more than chance.

    Notes
    -----
    The core distance of an object is (sum d^-p / (n - 1))^(-1/p) over its distances d to the other
    objects of its cluster, in p dimensions. Two objects are as far apart as the largest of their
    distance and their two core distances. In the minimum spanning tree of a cluster by these, an
    object is internal if it has at least two edges. The sparseness of a cluster is the longest edge
    between internal objects, and its separation the smallest distance of an internal object to an
    internal one of another cluster. The value is the mean over all objects of
    (separation - sparseness) / max(separation, sparseness) of their cluster, and of 0 for noise
    [1]_. It takes O(n^2 p) time, and O(n) memory and chunks of distances of at most 64 MiB.

    What the source leaves open is defined here as follows:

    - Many edges have the same length, and a cluster has several minimum spanning trees, with other
      internal objects. ``ties="density"`` joins the denser object, the one with the smaller core
      distance, so that the value does not depend on the order of the objects. ``ties="position"``
      joins the one that comes first: this is what the function ``validity_index`` of the package
      hdbscan does. Its value for two moons is 0.50 in the order in which scikit-learn generates
      them, and 0.16 to 0.46 in twelve random orders.
    - An object with a duplicate in its cluster has the core distance 0, the limit for two objects
      that approach each other. hdbscan leaves out distances of 0.
    - A single object is noise, as in the authors' program; hdbscan raises an error. Where no object
      or no edge is internal, as in a cluster of two, all are; hdbscan takes the first object.
    - If separation and sparseness are 0, the cluster has the value 0.

    References
    ----------
    .. [1] D. Moulavi, P. A. Jaskowiak, R. J. G. B. Campello, A. Zimek, J. Sander, "Density-based
       clustering validation", SIAM International Conference on Data Mining, 2014,
       :doi:`10.1137/1.9781611973440.96`

    Examples
    --------
    >>> from sklearn.cluster import KMeans
    >>> from sklearn.datasets import make_moons
    >>> from sklearn_clustcompare import dbcv_score
    >>> X, y = make_moons(400, noise=0.06, random_state=0)
    >>> halves = KMeans(2, n_init=10, random_state=0).fit_predict(X)
    >>> round(dbcv_score(X, y), 2), round(dbcv_score(X, halves), 2)
    (0.64, -0.42)
    >>> round(dbcv_score(X, y, ties="position"), 3)
    0.495
    """
    X = near_for(X, metric).values
    is_square = is_precomputed(metric)
    if n_features is None and is_square:
        msg = (
            "n_features must be given for metric='precomputed', as the density of dbcv_score "
            "depends on the number of features, got None"
        )
        raise ValueError(msg)
    X, metric = _in_common_units(X, metric)
    labeled = labels[labels != noise_label]
    check_number_of_labels(labeled)
    sizes = np.bincount(labeled)
    clusters = np.flatnonzero(sizes > 1)
    if len(clusters) < 2:
        msg = (
            "dbcv_score needs two clusters of at least two objects that are not noise, got "
            f"{len(clusters)}"
        )
        raise UndefinedIndexError(msg)
    dimension = X.shape[1] if n_features is None else n_features
    trees = []
    for cluster in clusters:
        members = np.flatnonzero(labels == cluster)
        points = X[members][:, members] if is_square else X[members]
        trees.append(_tree(points, members, metric, dimension, ties))
    separations = _separations(X, trees, metric)
    values = [
        _validity(separation, tree.sparseness)
        for separation, tree in zip(separations, trees, strict=True)
    ]
    return ordered_sum(sizes[clusters] * np.array(values)) / len(labels)


def _in_common_units(X: Any, metric: Any) -> tuple[Any, Any]:
    """Scale data for metrics that depend on all objects, as parts of the data are passed on."""
    if not isinstance(metric, str) or sparse.issparse(X):
        return X, metric
    if metric == "seuclidean":
        return X / X.std(axis=0, ddof=1), "euclidean"
    if metric == "mahalanobis":
        return X @ cholesky(np.linalg.inv(np.cov(X.T)), lower=True), "euclidean"
    return X, metric


def _validity(separation: float, sparseness: float) -> float:
    larger = max(separation, sparseness)
    return (separation - sparseness) / larger if larger else 0.0


def _tree(X: Any, members: Positions, metric: Any, dimension: int, ties: str) -> _Tree:
    """Span a cluster by Prim's algorithm, and find what is inside of the tree."""
    cores = _core_distances(X, metric, dimension)
    if ties == "density":
        is_square = is_precomputed(metric)
        # Objects that are equally dense, such as duplicates, have the order of their features.
        features = [] if is_square or sparse.issparse(X) else [*X.T[::-1]]
        order = np.lexsort((*features, cores))
        members, cores = members[order], cores[order]
        X = X[order][:, order] if is_square else X[order]
    parents, lengths = _spanned(X, cores, metric)
    degrees = np.bincount(parents[1:], minlength=len(parents)) + 1
    degrees[0] -= 1
    is_internal = degrees > 1
    edges = (is_internal & is_internal[parents])[1:]
    if not edges.any():
        edges[:] = True
    if not is_internal.any():
        is_internal[:] = True
    return _Tree(float(lengths[1:][edges].max()), members[is_internal], cores[is_internal])


def _spanned(X: Any, cores: FloatArray, metric: Any) -> tuple[Positions, FloatArray]:
    """Return the neighbor of each object on the way to the first one, and how far it is.

    Of edges of equal length the tree has that to the first object: many are equal, as an object in
    a sparse region is as far from all that are closer to it than its own core distance.
    """
    n_objects = len(cores)
    parents = np.zeros(n_objects, np.intp)
    lengths = np.full(n_objects, np.inf)
    # Inf for the objects that the tree has.
    waiting = np.full(n_objects, np.inf)
    is_left = np.ones(n_objects, bool)
    current = 0
    for _ in range(n_objects - 1):
        is_left[current] = False
        waiting[current] = np.inf
        reach = np.maximum(np.maximum(_distances_from(X, current, metric), cores), cores[current])
        is_nearer = (reach < lengths) | ((reach == lengths) & (current < parents))
        is_nearer &= is_left
        np.copyto(lengths, reach, where=is_nearer)
        np.copyto(waiting, reach, where=is_nearer)
        parents[is_nearer] = current
        current = int(waiting.argmin())
    return parents, lengths


def _distances_from(X: Any, row: int, metric: Any) -> FloatArray:
    if is_precomputed(metric):
        return np.asarray(X[row])
    if metric in EUCLIDEAN:
        one = X[row : row + 1]
        return euclidean(one, X)[0] if sparse.issparse(X) else cdist(one, X)[0]
    from sklearn.metrics import pairwise_distances

    return np.asarray(pairwise_distances(X[row : row + 1], X, metric=metric)[0])


def _core_distances(X: Any, metric: Any, dimension: int) -> FloatArray:
    """Return a mean distance of each object to the others, dominated by the smallest ones.

    It is ((sum of d^-p) / (n - 1))^(-1/p), in units of the smallest distance; 0 if that is 0.
    """

    def summarize(distances: Array, same: Array, own: Any) -> Rows:
        distances[own] = np.inf
        nearest = distances.min(axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            shares = _power(nearest[:, np.newaxis] / distances, dimension)
        means = shares.sum(axis=1) / (distances.shape[1] - 1)
        return (np.where(nearest > 0, nearest * means ** (-1 / dimension), 0.0),)

    (cores,) = of_rows(X, np.zeros(X.shape[0], np.intp), metric, summarize)
    return cores


def _power(values: FloatArray, exponent: int) -> FloatArray:
    """Return a positive integer power by products, which is faster than NumPy's."""
    result = None
    while exponent:
        if exponent % 2:
            result = values if result is None else result * values
        exponent //= 2
        values = values * values if exponent else values
    assert result is not None
    return result


def _separations(X: Any, trees: list[_Tree], metric: Any) -> list[float]:
    """Return the smallest distance of the internal objects of each cluster to all others."""
    members = np.concatenate([tree.members for tree in trees])
    cores = np.concatenate([tree.cores for tree in trees])
    numbers = np.repeat(np.arange(len(trees)), [len(tree.members) for tree in trees])
    points = X[members][:, members] if is_precomputed(metric) else X[members]

    def summarize(distances: Array, same: Array, own: Any) -> Rows:
        reach = np.maximum(np.maximum(distances, cores), cores[own[1], np.newaxis])
        return (np.where(same, np.inf, reach).min(axis=1),)

    (nearest,) = of_rows(points, numbers, metric, summarize)
    return [float(nearest[numbers == number].min()) for number in range(len(trees))]
