"""Indices of the data and one partition, without a reference.

``labels`` are consecutive cluster numbers from 0 on, or memberships with one column per cluster.
All pairs of objects are visited in chunks.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from scipy.spatial import KDTree
from scipy.spatial.distance import cdist, pdist, squareform

from sklearn_clustcompare._array_types import Array, FloatArray, Mask, Positions
from sklearn_clustcompare._data import (
    EUCLIDEAN,
    is_precomputed,
    near,
    near_for,
    read_numbers,
    reduced_blocks,
)
from sklearn_clustcompare._memory import warn_if_long
from sklearn_clustcompare._numerics import is_symmetric, ordered_sum, silhouettes_of
from sklearn_clustcompare._options import shortened, warn_caller
from sklearn_clustcompare._parameters import (
    RandomStateLike,
    boolean,
    non_negative,
    one_of,
    positive_integer,
)
from sklearn_clustcompare._partition.memberships import row_blocks
from sklearn_clustcompare.indices._index import index
from sklearn_clustcompare.indices._record import UndefinedIndexError

# Values of some objects, or a tuple of several values.
Rows = tuple[FloatArray, ...]
# Numbers in a block of differences between objects and centers.
_BLOCK_SIZE = 2**18
# Of the distances of all pairs of objects.
_SECONDS_PER_DISTANCE = 1.2e-8
_SECONDS_PER_FEATURE = 4e-10
# Distances that vary by less, relative to their size, are equal up to rounding.
_SMALLEST_VARIATION = 1e-12
# From so many objects of at most so many features on, trees find the extreme distances. Neighbors
# that are asked for in turn, steps from end to end of a cluster, and the most ends of one distance.
_FEWEST_IN_TREES, _MOST_FEATURES, _NEIGHBORS, _STEPS, _MOST_TIED = 2**11, 8, (2, 16), 4, 2**12
_ASKED_AT_ONCE = 2**10
# What rounding may add to a distance, relative to it, whatever the order of its features.
_ROUNDING = 1e-12
# The squares of shorter distances lose digits.
_SQUARE_OF_A_POINT = 1e-290
# Centers that differ by less, relative to their size, are equal up to the rounding of means.
_SAME_PLACE = 2.0**-46


# --------------------------------------------------------------------------- scikit-learn's


def distance_metric(name: str, value: Any) -> None:
    if isinstance(value, str):
        from sklearn.metrics.pairwise import distance_metrics

        one_of(*distance_metrics(), *_OF_SCIPY)(name, value)
    elif not callable(value):
        msg = f"{name} must be the name of a distance or a callable, got {shortened(value)}"
        raise TypeError(msg)


def positive_or_none(name: str, value: Any) -> None:
    if value is not None:
        positive_integer(name, value)


def random_state(name: str, value: Any) -> None:
    from sklearn.utils import check_random_state

    try:
        check_random_state(value)
    except ValueError:
        msg = f"{name} must be None, an int or a RandomState, got {shortened(value)}"
        raise TypeError(msg) from None


# Indices of the data without each of the objects, in one visit of all pairs.
#
# ``labels`` are cluster numbers from 0 on. A value is NaN where the index has none.


def silhouettes_without_each(
    X: Any, labels: Array, *, metric: Any = "euclidean", **_: Any
) -> FloatArray:
    """Return the mean silhouette coefficient without each object.

    If object i leaves, the mean distances of object j to the cluster of i change by its distance.
    """
    n_objects, sizes = len(labels), np.bincount(labels)
    totals = np.zeros(n_objects)
    one_hot = (labels[:, np.newaxis] == np.arange(len(sizes))).astype(np.float64)

    def summarize(distances: Array, same: Array, own: Any) -> Rows:
        rows, positions = own
        numbers = labels[positions]
        others = sizes[numbers] - 1
        sums = distances @ one_hot
        within = sums[rows, numbers]
        sums[rows, numbers] = np.inf
        means = sums / sizes
        # The nearest other cluster, and the nearest one if that is not counted.
        nearest = means.argmin(axis=1)
        first = means[rows, nearest]
        means[rows, nearest] = np.inf
        second = means.min(axis=1)
        rest = np.where(
            nearest[:, np.newaxis] == labels, second[:, np.newaxis], first[:, np.newaxis]
        )
        left = sizes[labels] - 1
        with np.errstate(divide="ignore", invalid="ignore"):
            changed = np.where(left > 0, (sums[:, labels] - distances) / left, np.inf)
            b = np.where(same, first[:, np.newaxis], np.minimum(rest, changed))
            a = np.where(
                same,
                (within[:, np.newaxis] - distances) / (others[:, np.newaxis] - 1),
                (within / others)[:, np.newaxis],
            )
            widths = (b - a) / np.maximum(a, b)
        is_alone = np.where(same, others[:, np.newaxis] < 2, others[:, np.newaxis] < 1)
        widths = np.where(is_alone | (np.maximum(a, b) == 0), 0.0, widths)
        widths[own] = 0.0
        np.add(totals, widths.sum(axis=0), out=totals)
        return (first,)

    from sklearn import config_context, get_config

    # About ten arrays are as large as a chunk.
    with config_context(working_memory=min(get_config()["working_memory"], _CHUNK_MEMORY)):
        of_rows(near_for(X, metric).values, labels, metric, summarize)
    return np.where(_are_defined(labels, sizes), totals / (n_objects - 1), np.nan)


@index(
    short_names=("asw",),
    needs_data=True,
    parameters={
        "metric": distance_metric,
        "sample_size": positive_or_none,
        "random_state": random_state,
    },
    without_each=silhouettes_without_each,
    sampling="smooth",
    source="Rousseeuw (1987)",
)
def silhouette_score(
    X: Any,
    labels: Array,
    *,
    metric: Any = "euclidean",
    sample_size: int | None = None,
    random_state: RandomStateLike = 0,
    **kwds: Any,
) -> float:
    """Mean silhouette coefficient: how much closer objects are to their own cluster than to others.

    scikit-learn's index, for labels of any hashable type. It favors round clusters of similar
    size and is not suited to elongated or nested ones.

    Parameters
    ----------
    metric : str or callable, default="euclidean"
        Distance, as in :func:`sklearn.metrics.pairwise_distances`.
    sample_size : int, default=None
        Number of objects to draw at random, to avoid n^2 distances; None takes all.
    random_state : int, RandomState or None, default=0
        :term:`Source of randomness <random_state>` of the draw. An int, such as the default, gives
        all candidates of a search the same objects.
    **kwds : dict
        Further parameters of the distance.

    Returns
    -------
    float
        In [-1, 1]. Higher is better.

    Raises
    ------
    ValueError
        If there are not 2 to n_samples - 1 clusters; if lengths differ, or data or labels are
        invalid.
    TypeError
        If labels are not hashable, or X holds no real numbers.

    See Also
    --------
    sklearn.metrics.silhouette_score : The same index, by products of features.
    internal_decomposition : The mean of each cluster.
    make_clustering_scorer : Searches without reference labels.

    Notes
    -----
    The mean over all objects of (b - a) / max(a, b), where a is the mean distance to the other
    objects of the cluster and b that to the objects of the nearest other cluster; 0 for the only
    object of a cluster. It takes time in proportion to the pairs of objects, but
    ``metric="sqeuclidean"`` to the objects times the clusters. :func:`score_interval` with a
    ``sample_size`` gives the value of a sample with its standard error.

    References
    ----------
    .. [1] P. J. Rousseeuw, "Silhouettes: a graphical aid to the interpretation and validation of
       cluster analysis", Journal of Computational and Applied Mathematics 20, 1987,
       :doi:`10.1016/0377-0427(87)90125-7`

    Examples
    --------
    >>> from sklearn_clustcompare import silhouette_score
    >>> round(silhouette_score([[1], [2], [4], [5]], list("aabb")), 3)
    0.657
    """
    return float(np.mean(_silhouettes(X, labels, metric, sample_size, random_state, **kwds)[0]))


def silhouettes(X: Any, labels: Array, metric: Any, size: int | None, seed: Any) -> FloatArray:
    """Return the mean silhouette coefficient of each cluster; NaN where no object was drawn."""
    n_clusters = int(labels.max(initial=-1)) + 1
    values, labels = _silhouettes(X, labels, metric, size, seed)
    sums, counts = np.bincount(labels, values, n_clusters), np.bincount(labels, None, n_clusters)
    return np.divide(sums, counts, out=np.full(n_clusters, np.nan), where=counts > 0)


def _silhouettes(
    X: Any, labels: Array, metric: Any, size: int | None, random_state: Any, **kwds: Any
) -> tuple[FloatArray, Array]:
    """Return the silhouette coefficients of all objects, or of some that are drawn, and labels."""
    check_number_of_labels(labels)
    X = near_for(X, metric).values
    if size is not None:
        from sklearn.utils import check_random_state

        drawn = check_random_state(random_state).permutation(len(labels))[:size]
        X, labels = X[drawn][:, drawn] if is_precomputed(metric) else X[drawn], labels[drawn]
    # The objects drawn may have too few clusters even if all objects have enough.
    codes = np.unique(labels, return_inverse=True)[1]
    check_number_of_labels(codes)
    sizes = np.bincount(codes)
    members = one_hot(codes).toarray()

    def widths(means: FloatArray, start: int) -> FloatArray:
        own = np.arange(len(means)), codes[start : start + len(means)]
        within = means[own] / np.maximum(sizes[own[1]] - 1, 1)
        means /= sizes
        means[own] = np.inf
        return np.where(sizes[own[1]] > 1, silhouettes_of(within, means.min(axis=1)), 0.0)

    if isinstance(metric, str) and metric == "sqeuclidean" and not kwds:
        return np.concatenate([widths(*one) for one in _sums_of_squares(X, codes)]), labels
    blocks = reduced_blocks(X, metric, lambda one, start: widths(one @ members, start), **kwds)
    return np.concatenate([*blocks]), labels


def _sums_of_squares(X: Any, codes: Positions) -> Iterator[tuple[FloatArray, int]]:
    """Return sums of squared distances of objects to all of each cluster, in blocks of objects.

    They are the number of objects times the squared distance to their mean, plus the sum of squares
    around it: linear in the objects.
    """
    parts, sizes = _scatter(X, codes), np.bincount(codes)
    step = max(_BLOCK_SIZE // max(X.shape[1], len(sizes)), 1)
    for start, stop in row_blocks(len(codes), step):
        block = X[start:stop].toarray() if sparse.issparse(X) else X[start:stop]
        yield cdist(block, parts.centers, "sqeuclidean") * sizes + parts.within, start


@index(short_names=("ch",), needs_data=True, sampling="smooth", source="Calinski & Harabasz (1974)")
def calinski_harabasz_score(X: Any, labels: Array) -> float:
    """Ratio of the variance between the clusters to that within them.

    scikit-learn's index, for labels of any hashable type. It is fast, and favors clusters that
    k-means finds.

    Returns
    -------
    float
        From 0, not bounded. Higher is better.

    Raises
    ------
    ValueError
        If there are not 2 to n_samples - 1 clusters; if lengths differ, or data or labels are
        invalid.
    TypeError
        If labels are not hashable, or X holds no real numbers.

    See Also
    --------
    sklearn.metrics.calinski_harabasz_score : The same index, without scaling.
    within_cluster_sum_of_squares : Its divisor, up to a factor.

    Notes
    -----
    (BSS / (k - 1)) / (WSS / (n - k)) for k clusters of n objects. If there is no variance within
    clusters it is 1.0, as in scikit-learn.

    References
    ----------
    .. [1] T. Caliński, J. Harabasz, "A dendrite method for cluster analysis", Communications in
       Statistics 3, 1974, :doi:`10.1080/03610927408827101`

    Examples
    --------
    >>> from sklearn_clustcompare.metrics import calinski_harabasz_score
    >>> round(calinski_harabasz_score([[1], [2], [4], [5]], list("aabb")), 3)
    18.0
    """
    check_number_of_labels(labels)
    parts = scatter(X, labels)
    within, between = ordered_sum(parts.within), ordered_sum(parts.between)
    n_clusters = len(parts.within)
    freedom = (len(labels) - n_clusters) / (n_clusters - 1)
    return between / within * freedom if within else 1.0


@index(short_names=("dbi",), needs_data=True, sampling="maximum", source="Davies & Bouldin (1979)")
def davies_bouldin_score(X: Any, labels: Array) -> float:
    """Mean similarity of each cluster to the one most similar to it.

    scikit-learn's index, for labels of any hashable type. Despite its name, lower is better; its
    scorer is negated.

    Returns
    -------
    float
        From 0, not bounded. Lower is better.

    Raises
    ------
    ValueError
        If there are not 2 to n_samples - 1 clusters; if lengths differ, or data or labels are
        invalid.
    TypeError
        If labels are not hashable, or X holds no real numbers.

    See Also
    --------
    sklearn.metrics.davies_bouldin_score : The same index, with an absolute tolerance.
    xie_beni_score : A similar index for memberships.

    Notes
    -----
    The similarity of two clusters is the sum of their mean distances to their centers, divided
    by the distance of the centers; 0 if these are at the same place up to the rounding of means.

    References
    ----------
    .. [1] D. L. Davies, D. W. Bouldin, "A cluster separation measure", IEEE Transactions on
       Pattern Analysis and Machine Intelligence 1(2), 1979, :doi:`10.1109/TPAMI.1979.4766909`

    Examples
    --------
    >>> from sklearn_clustcompare.metrics import davies_bouldin_score
    >>> round(davies_bouldin_score([[1], [2], [4], [5]], list("aabb")), 3)
    0.333
    """
    check_number_of_labels(labels)
    X = near_for(X, "euclidean").values
    parts, spreads = _scatter(X, labels), _mean_distances_to_centers(X, labels)
    separations = squareform(pdist(parts.centers))
    sizes = spreads + np.linalg.norm(parts.centers, axis=1)
    separations[separations <= _SAME_PLACE * np.add.outer(sizes, sizes)] = np.inf
    return float((np.add.outer(spreads, spreads) / separations).max(axis=1).mean())


def check_number_of_labels(labels: Array) -> None:
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

    centers: FloatArray
    within: FloatArray
    between: FloatArray
    exponent: int = 0


def scatter(X: Any, labels: Array) -> Scatter:
    """Return the sums of squares; objects are weighted by the square of their membership."""
    found = near_for(X, "euclidean")
    return _scatter(found.values, labels)._replace(exponent=found.exponent)


def _scatter(X: Any, labels: Array) -> Scatter:
    weights = one_hot(labels) if labels.ndim == 1 else sparse.csr_array(labels).power(2)
    masses = np.asarray(weights.sum(axis=0)).ravel()
    weights, masses = weights[:, masses > 0], masses[masses > 0]
    if sparse.issparse(X):
        return _sparse_scatter(sparse.csr_array(X), weights.tocsc(), masses)
    centers = (weights.T @ X) / masses[:, np.newaxis]
    within = np.zeros(len(masses))
    per_object = X.shape[1] * max(weights.nnz // len(X), 1)
    for start, stop in row_blocks(len(X), max(_BLOCK_SIZE // per_object, 1)):
        block = weights[start:stop].tocoo()
        gaps = X[start:stop][block.row] - centers[block.col]
        squares = np.einsum("ij,ij->i", gaps, gaps)
        within += np.bincount(block.col, block.data * squares, len(masses))
    return Scatter(centers, within, _between(centers, X.mean(axis=0), masses))


def _between(centers: FloatArray, mean: FloatArray, masses: FloatArray) -> FloatArray:
    gaps = centers - mean
    return masses * np.einsum("ij,ij->i", gaps, gaps)


def _sparse_scatter(X: Any, weights: Any, masses: FloatArray) -> Scatter:
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


def _mean_distances_to_centers(X: Any, labels: Array) -> FloatArray:
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


def one_hot(labels: Array) -> sparse.csr_array:
    shape = len(labels), int(labels.max(initial=-1)) + 1
    return sparse.csr_array((np.ones(len(labels)), labels, np.arange(len(labels) + 1)), shape)


@index(
    short_names=("wcss",),
    needs_data=True,
    sampling="smooth",
    source="Edwards & Cavalli-Sforza (1965); Bezdek (1981)",
)
def within_cluster_sum_of_squares(X: Any, labels: Array) -> float:
    """Sum of squared distances of the objects to the centers of their clusters.

    The objective of k-means. It falls with the number of clusters whatever the data are: compare
    clusterings with the same number of clusters, or with clusterings of structureless data.

    Returns
    -------
    float
        In squared units of the data, from 0.0 if all objects of a cluster are the same. Lower is
        better.

    Raises
    ------
    ValueError
        If lengths differ, or data, labels or memberships are invalid.
    TypeError
        If labels are not hashable, or X holds no real numbers.

    Warns
    -----
    RuntimeWarning
        If the value is beyond the range of floats, and became 0 or infinite.

    See Also
    --------
    between_cluster_sum_of_squares : Adds up with this one to the total sum of squares.
    internal_decomposition : The sum of each cluster.

    Notes
    -----
    sum_ij u_ij^2 d_ij^2, where d_ij is the distance of object i to the center
    v_j = sum_i u_ij^2 x_i / sum_i u_ij^2, and memberships u_ij are 0 or 1 for labels; what fuzzy
    c-means minimizes with its exponent 2. It takes O(n p) time for p features, and O(n p k) for
    memberships in k clusters.

    References
    ----------
    .. [1] A. W. F. Edwards, L. L. Cavalli-Sforza, "A method for cluster analysis", Biometrics 21,
       1965, :doi:`10.2307/2528096`
    .. [2] J. C. Bezdek, "Pattern recognition with fuzzy objective function algorithms", Plenum
       Press, 1981

    Examples
    --------
    >>> from sklearn_clustcompare.metrics import within_cluster_sum_of_squares
    >>> within_cluster_sum_of_squares([[1], [2], [4], [5]], list("aabb"))
    1.0
    """
    parts = scatter(X, labels)
    return float(in_units_of_data(ordered_sum(parts.within), parts.exponent))


@index(needs_data=True, sampling="smooth", source="Edwards & Cavalli-Sforza (1965); Bezdek (1981)")
def between_cluster_sum_of_squares(X: Any, labels: Array) -> float:
    """Sum of squared distances of the centers to the mean of all objects, by size of cluster.

    How far apart the clusters are. It grows with the number of clusters whatever the data are.

    Returns
    -------
    float
        In squared units of the data; 0 up to rounding for one cluster. Higher is better.

    Raises
    ------
    ValueError
        If lengths differ, or data, labels or memberships are invalid.
    TypeError
        If labels are not hashable, or X holds no real numbers.

    Warns
    -----
    RuntimeWarning
        If the value is beyond the range of floats, and became 0 or infinite.

    See Also
    --------
    within_cluster_sum_of_squares : Adds up with this one to the total sum of squares.
    internal_decomposition : The sum of each cluster.

    Notes
    -----
    sum_ij u_ij^2 e_j^2, where e_j is the distance of the center v_j of
    :func:`within_cluster_sum_of_squares` to the mean of all objects. For labels the two add up to
    the sum of the squared distances of the objects to their mean, which does not depend on the
    clusters; for memberships object i counts sum_j u_ij^2 times there.

    References
    ----------
    .. [1] A. W. F. Edwards, L. L. Cavalli-Sforza, "A method for cluster analysis", Biometrics 21,
       1965, :doi:`10.2307/2528096`

    Examples
    --------
    >>> from sklearn_clustcompare.metrics import between_cluster_sum_of_squares
    >>> between_cluster_sum_of_squares([[1], [2], [4], [5]], list("aabb"))
    9.0
    """
    parts = scatter(X, labels)
    return float(in_units_of_data(ordered_sum(parts.between), parts.exponent))


def in_units_of_data(squares: Any, exponent: int) -> Any:
    """Return sums of squares in the units of the data; warn if floats do not reach so far."""
    with np.errstate(over="ignore"):
        found = np.ldexp(squares, 2 * exponent)
    if np.isinf(found).any() or ((found == 0) & (np.asarray(squares) > 0)).any():
        warn_caller(
            "a sum of squares of X is beyond the range of floats, and became 0 or inf: divide X by "
            f"a constant, such as 2.0**{exponent}",
            RuntimeWarning,
        )
    return found


@index(needs_data=True, sampling="maximum", source="Xie & Beni (1991)")
def xie_beni_score(X: Any, labels: Array) -> float:
    """Scatter within the clusters, divided by the squared distance of the closest two centers.

    Made for memberships of fuzzy c-means. Despite its name, lower is better; its scorer is negated.
    It falls towards 0 as the number of clusters approaches that of the objects.

    Returns
    -------
    float
        From 0, not bounded; infinite if two centers are the same. Lower is better.

    Raises
    ------
    ValueError
        If there are not 2 to n_samples - 1 clusters with members, or if scatter and distance are
        both 0; if lengths differ, or data, labels or memberships are invalid.
    TypeError
        If labels are not hashable, or X holds no real numbers.

    See Also
    --------
    within_cluster_sum_of_squares : The scatter.
    davies_bouldin_score : A similar index for labels.
    partition_coefficient : How crisp memberships are.

    Notes
    -----
    sum_ij u_ij^2 d_ij^2 / (n min e_jk^2), where d_ij is the distance of object i to the center v_j
    and e_jk the distance of two centers. The centers are those of
    :func:`within_cluster_sum_of_squares`, which fuzzy c-means reaches when it converges.

    References
    ----------
    .. [1] X. L. Xie, G. Beni, "A validity measure for fuzzy clustering", IEEE Transactions on
       Pattern Analysis and Machine Intelligence 13(8), 1991, :doi:`10.1109/34.85677`

    Examples
    --------
    >>> from sklearn_clustcompare.metrics import xie_beni_score
    >>> round(xie_beni_score([[1], [2], [4], [5]], list("aabb")), 4)
    0.0278
    >>> memberships = [[1, 0], [0.9, 0.1], [0.1, 0.9], [0, 1]]
    >>> round(xie_beni_score([[1], [2], [4], [5]], memberships), 4)
    0.0271
    """
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


def correlations_without_each(X: Any, labels: Array, *, metric: Any = "euclidean") -> FloatArray:
    """Return the correlation of distances with being in different clusters without each object."""
    n_objects, sizes = len(labels), np.bincount(labels)
    X = near_for(X, metric).values
    means, squares, within = of_rows(X, labels, metric, moments_of_rows)
    mean, others = means.mean(), sizes[labels] - 1
    # Sums of each object's distances less their mean over all pairs.
    sums = (n_objects - 1) * (means - mean)
    variations = squares + (n_objects - 1) * (means - mean) ** 2
    within = within - mean * others
    n_pairs = (n_objects - 1) * (n_objects - 2) / 2
    n_within = (sizes * (sizes - 1)).sum() / 2 - others
    shift = -sums / n_pairs
    variation = variations.sum() / 2 - variations - n_pairs * shift**2
    covariation = within.sum() / 2 - within - shift * n_within
    incidence = n_within * (n_pairs - n_within) / n_pairs
    with np.errstate(divide="ignore", invalid="ignore"):
        found = -covariation / np.sqrt(variation * incidence)
    return np.where(_are_defined(labels, sizes), found, np.nan)


@index(
    needs_data=True,
    parameters={"metric": distance_metric},
    without_each=correlations_without_each,
    sampling="smooth",
    source="Hubert & Schultz (1976)",
)
def incidence_proximity_correlation(X: Any, labels: Array, *, metric: Any = "euclidean") -> float:
    """Correlation, over the pairs of objects, of their distance with being in different clusters.

    Known as Hubert's normalized Gamma. It is high if objects of the same cluster are close and
    others are not; it is not suited to elongated or nested clusters.

    Parameters
    ----------
    metric : str or callable, default="euclidean"
        Distance, as in :func:`sklearn.metrics.pairwise_distances`.

    Returns
    -------
    float
        In [-1, 1]. Higher is better.

    Raises
    ------
    ValueError
        If there are not 2 to n_samples - 1 clusters, or all distances are equal; if lengths differ,
        or data or labels are invalid.
    TypeError
        If labels are not hashable, or X holds no real numbers.

    See Also
    --------
    SimilarityMatrixDisplay : Shows the distances, ordered by cluster.
    silhouette_score : Compares distances object by object.

    Notes
    -----
    Pearson's correlation over the n (n - 1) / 2 pairs. The source uses being in the *same* cluster
    and therefore prints negative numbers; here higher is better. It takes O(n^2 p) time for p
    features; the matrix of distances is made in chunks of at most 64 MiB.

    References
    ----------
    .. [1] L. Hubert, J. Schultz, "Quadratic assignment as a general data analysis strategy",
       British Journal of Mathematical and Statistical Psychology 29, 1976,
       :doi:`10.1111/j.2044-8317.1976.tb00714.x`
    .. [2] P.-N. Tan, M. Steinbach, V. Kumar, "Introduction to data mining", Addison-Wesley, 2005,
       section 8.5

    Examples
    --------
    >>> from sklearn_clustcompare.metrics import incidence_proximity_correlation
    >>> round(incidence_proximity_correlation([[1], [2], [4], [5]], list("aabb")), 3)
    0.853
    """
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


def moments_of_rows(distances: Array, same: Array, own: Any) -> Rows:
    """Return mean, squared deviations and sum within the cluster, without an object itself."""
    within = (distances * same).sum(axis=1) - distances[own]
    means = (distances.sum(axis=1) - distances[own]) / (distances.shape[1] - 1)
    gaps = distances - means[:, np.newaxis]
    gaps[own] = 0.0
    return means, np.einsum("ij,ij->i", gaps, gaps), within


@index(
    needs_data=True,
    parameters={"metric": distance_metric},
    sampling="extreme",
    source="Dunn (1974)",
)
def dunn_score(X: Any, labels: Array, *, metric: Any = "euclidean") -> float:
    """Smallest distance between clusters, divided by the largest within one.

    A single object between two clusters, or far off in its own cluster, determines the value.

    Parameters
    ----------
    metric : str or callable, default="euclidean"
        Distance, as in :func:`sklearn.metrics.pairwise_distances`.

    Returns
    -------
    float
        From 0, not bounded; infinite if all objects of a cluster are the same. Higher is better.

    Raises
    ------
    ValueError
        If there are not 2 to n_samples - 1 clusters, or both distances are 0; if lengths differ, or
        data or labels are invalid.
    TypeError
        If labels are not hashable, or X holds no real numbers.

    See Also
    --------
    davies_bouldin_score : Takes means where this takes extremes.
    silhouette_score : Takes the distances of all objects.

    Notes
    -----
    The smallest distance of two objects in different clusters, divided by that of the two objects
    of one cluster that are farthest apart. Euclidean distances of up to eight features are found
    by trees, for most data in O(n log n) time. All others take O(n^2 p) time for p features; the
    matrix of distances is made in chunks of at most 64 MiB.

    References
    ----------
    .. [1] J. C. Dunn, "Well-separated clusters and optimal fuzzy partitions", Journal of
       Cybernetics 4, 1974, :doi:`10.1080/01969727408546059`

    Examples
    --------
    >>> from sklearn_clustcompare.metrics import dunn_score
    >>> dunn_score([[1], [2], [4], [5]], list("aabb"))
    2.0
    """
    check_number_of_labels(labels)
    X = near_for(X, metric).values
    parts: list[Any] = [slice(None)]
    has_trees = not sparse.issparse(X) and X.shape[1] <= _MOST_FEATURES and metric in EUCLIDEAN
    if has_trees and len(labels) >= _FEWEST_IN_TREES:
        distinct = np.unique(np.column_stack([labels, X]), axis=0, return_index=True)[1]
        parts = [distinct[find(X[distinct], labels[distinct])] for find in (_close, _far)]
    found = (of_rows(X[some], labels[some], metric, _extremes) for some in parts)
    separations, diameters = map(np.concatenate, zip(*found, strict=True))
    return _quotient(float(separations.min()), float(diameters.max()), "dunn_score")


def _close(X: FloatArray, labels: Positions) -> Positions:
    """Return objects among which is the closest pair of different clusters, by trees.

    ``nearest`` bounds the distance of each object from other clusters. Of objects whose first
    neighbors are all of their own cluster, the other clusters are asked, unless they are too far.
    """
    everyone, tree = np.arange(len(X)), KDTree(X)
    nearest, partners, limit = np.full(len(X), np.inf), everyone.copy(), np.inf

    def take(objects: Positions, distances: FloatArray, found: Positions) -> None:
        nonlocal limit
        closer = distances < nearest[objects]
        nearest[objects[closer]], partners[objects[closer]] = distances[closer], found[closer]
        limit = nearest.min() * (1 + _ROUNDING)

    left = everyone
    for number in _NEIGHBORS:
        distances, found = tree.query(X[left], min(number, len(X)))
        others = np.where(labels[found] == labels[left, np.newaxis], np.inf, distances)
        best = np.arange(len(left)), others.argmin(axis=1)
        take(left, others[best], found[best])
        left = left[np.minimum(distances[:, -1], nearest[left]) <= limit]
    for cluster in np.unique(labels[left]):
        is_own = labels[left] == cluster
        members, others = left[is_own], left[~is_own]
        low, high = X[members].min(axis=0), X[members].max(axis=0)
        gaps = X[others] - np.clip(X[others], low, high)
        others, of_cluster = others[np.linalg.norm(gaps, axis=1) <= limit], KDTree(X[members])
        for start, stop in row_blocks(len(others), _ASKED_AT_ONCE):  # the limit falls
            asked = others[start:stop]
            distances, found = of_cluster.query(X[asked], distance_upper_bound=limit)
            take(asked, distances, members[found % len(members)])
    ends = np.argsort(nearest)[:_MOST_TIED]
    ends = ends[nearest[ends] <= limit]
    return np.union1d(ends, partners[ends])


def _far(X: FloatArray, labels: Positions) -> Positions:
    """Return objects among which are the two of one cluster that are farthest apart, by trees.

    Of objects x and y at distances r and s from any point m, the squared distance is 2 r^2 + 2 s^2
    less that of y from 2 m - x, the point across from x. ``most`` bounds it for each object.
    """
    most, least = np.zeros(len(X)), 0.0
    ends_of_clusters = np.cumsum(np.bincount(labels))[:-1]
    for left in np.split(np.argsort(labels, kind="stable"), ends_of_clusters):
        if len(left) < 2:
            continue
        one = other = left[0]
        for _ in range(_STEPS):  # from end to end
            one, other = other, left[np.linalg.norm(X[left] - X[other], axis=1).argmax()]
        for _ in range(_STEPS):  # nearer to the middle of the cluster
            least = max(least, float(np.sum((X[one] - X[other]) ** 2)))
            middle = (X[one] + X[other]) / 2
            radii = np.linalg.norm(X[left] - middle, axis=1)
            bounds = (radii + radii.max(initial=0.0)) ** 2
            some = bounds >= least * (1 - _ROUNDING)
            most[left], left, radii = np.where(some, bounds, 0.0), left[some], radii[some]
            if not len(left):
                break
            gaps, found = KDTree(X[left]).query(2 * middle - X[left])
            most[left] = 2 * radii**2 + 2 * radii.max() ** 2 - gaps**2
            squares = np.sum((X[left] - X[left[found]]) ** 2, axis=1)
            one, other = left[squares.argmax()], left[found[squares.argmax()]]
            least = max(least, squares.max())
            left = left[most[left] >= least * (1 - _ROUNDING)]
    found = np.flatnonzero(most >= least * (1 - _ROUNDING))
    return found if least > _SQUARE_OF_A_POINT else np.arange(len(X))


def _extremes(distances: Array, same: Array, own: Any) -> Rows:
    within = np.where(same, distances, 0.0)
    within[own] = 0.0
    return np.where(same, np.inf, distances).min(axis=1), within.max(axis=1)


def of_rows(
    X: Any,
    labels: Array,
    metric: Any,
    summarize: Callable[[Array, Array, Any], Rows],
) -> list[FloatArray]:
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

    def reduce(distances: Array, start: int) -> Rows:
        rows = np.arange(len(distances))
        same = labels[start : start + len(distances), np.newaxis] == labels
        return summarize(distances, same, (rows, start + rows))

    blocks = reduced_blocks(X, metric, reduce)
    return [np.concatenate(values) for values in zip(*blocks, strict=True)]


# --------------------------------------------------------------------------- parameters


# Metrics of SciPy that pairwise_distances of scikit-learn accepts besides its own.
_OF_SCIPY = (
    *("braycurtis", "canberra", "chebyshev", "correlation", "dice", "hamming", "jaccard"),
    *("mahalanobis", "minkowski", "rogerstanimoto", "russellrao", "seuclidean", "sokalsneath"),
    *("sqeuclidean", "yule"),
)


# MiB of distances at a time.
_CHUNK_MEMORY = 1


def _are_defined(labels: Array, sizes: Positions) -> Mask:
    """Return whether there are 2 to n - 1 clusters without each object."""
    n_clusters = len(sizes) - (sizes[labels] == 1)
    return (n_clusters >= 2) & (n_clusters < len(labels) - 1)


@index(
    needs_data=True,
    needs_graph=True,
    parameters={"resolution": non_negative, "directed": boolean},
    families=("network",),
    source="Newman & Girvan (2004)",
)
def modularity_score(
    X: Any, labels: Array, *, resolution: float = 1.0, directed: bool = False
) -> float:
    """Weight of the edges within communities, less what is expected from the degrees of the nodes.

    The usual objective of community detection. Use it to choose among partitions of one graph, such
    as those for several resolutions or numbers of clusters. It misses communities that are small
    compared with the graph [3]_, and random graphs have partitions of high modularity: it does not
    show that there are communities.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_samples)
        The adjacency matrix of a graph: ``X[i, j]`` is the weight of the edge from node i to node
        j, 0 if there is none. Loops are on the diagonal.
    resolution : float, default=1.0
        Factor of what is expected: above 1 smaller communities are better.
    directed : bool, default=False
        Whether the graph is directed. The matrix of one that is not has to be symmetric.

    Returns
    -------
    float
        In [-0.5, 1] for ``resolution=1.0``; with this a single cluster has 0. Higher is better.

    Raises
    ------
    ValueError
        If X is not square, has negative entries, or no edges; if it is not symmetric and
        ``directed`` is False; if lengths differ, or labels, memberships or ``resolution`` are
        invalid.
    TypeError
        If labels are not hashable, or X is a graph and no matrix.

    See Also
    --------
    structure_test : Whether the value is more than chance, with random graphs of your own.
    silhouette_score : An index of features or distances.

    Notes
    -----
    With the weight m of all edges, of those within cluster c the weight w_c, and the sum k_c of the
    degrees of its nodes, it is sum_c (w_c / m - resolution (k_c / 2m)^2) [1]_. A loop counts twice
    in the degree of its node and once in w_c and m. For a directed graph k_c^2 / 4m^2 is the
    product of the weights of the edges that leave and that enter nodes of c, divided by m^2 [2]_.
    These are the values of ``networkx.community.modularity``. With memberships u_ic the edge from i
    to j counts in w_c with the weight u_ic u_jc, and k_c is the weighted sum of the degrees [4]_.

    The time is linear in the number of entries of X; pass sparse matrices for large graphs, such as
    ``networkx.to_scipy_sparse_array(graph)``. In a search use :class:`TransductiveSplit`.

    References
    ----------
    .. [1] M. E. J. Newman, M. Girvan, "Finding and evaluating community structure in networks",
       Physical Review E 69, 2004, :doi:`10.1103/PhysRevE.69.026113`
    .. [2] E. A. Leicht, M. E. J. Newman, "Community structure in directed networks", Physical
       Review Letters 100, 2008, :doi:`10.1103/PhysRevLett.100.118703`
    .. [3] S. Fortunato, M. Barthelemy, "Resolution limit in community detection", PNAS 104(1),
       2007, :doi:`10.1073/pnas.0605965104`
    .. [4] T. Nepusz, A. Petroczi, L. Negyessy, F. Bazso, "Fuzzy communities and the concept of
       bridgeness in complex networks", Physical Review E 77, 2008,
       :doi:`10.1103/PhysRevE.77.016107`

    Examples
    --------
    Two triangles, joined by an edge:

    >>> import numpy as np
    >>> from sklearn_clustcompare.metrics import modularity_score
    >>> X = np.zeros((6, 6))
    >>> for i, j in [(0, 1), (0, 2), (1, 2), (2, 3), (3, 4), (3, 5), (4, 5)]:
    ...     X[i, j] = X[j, i] = 1
    >>> round(modularity_score(X, list("aaabbb")), 4)
    0.3571
    >>> round(modularity_score(X, list("aabbcc")), 4)
    0.0816
    """
    weights = _read_weights(X, directed)
    members = one_hot(labels) if labels.ndim == 1 else sparse.csr_array(labels)
    within = np.asarray(members.multiply(weights @ members).sum(axis=0)).ravel()
    leaving, entering = (np.asarray(weights.sum(axis=axis)).ravel() for axis in (1, 0))
    if not directed:
        # A loop has two ends at its node, and one entry.
        loops = weights.diagonal()
        within += members.power(2).T @ loops
        leaving = entering = leaving + loops
    total = ordered_sum(leaving)
    if not total:
        msg = "modularity_score is undefined: the graph has no edges"
        raise UndefinedIndexError(msg)
    expected = (members.T @ leaving / total) * (members.T @ entering / total)
    return ordered_sum(within / total - resolution * expected)


def _read_weights(X: Any, directed: bool) -> Any:
    """Return the weights of edges as an array or a CSR array of float64."""
    if hasattr(X, "adj"):
        msg = (
            f"X must be the matrix of the weights of edges, got {type(X).__name__}: pass "
            "networkx.to_scipy_sparse_array(graph), in the order of the labels"
        )
        raise TypeError(msg)
    weights = near(read_numbers(X), shifts=False).values
    if weights.shape[0] != weights.shape[1]:
        msg = f"X must be square, the weights of edges between the objects, got {weights.shape}"
        raise ValueError(msg)
    if weights.size and weights.min() < 0:
        msg = f"X must hold weights of edges, which are not negative, got {weights.min()}"
        raise ValueError(msg)
    if not directed and not is_symmetric(weights):
        msg = (
            "X must be symmetric, as the weights of undirected edges, got a matrix that is not: "
            "pass directed=True for a directed graph"
        )
        raise ValueError(msg)
    return sparse.csr_array(weights) if sparse.issparse(weights) else weights
