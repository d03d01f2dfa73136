"""Single clusters: their names by classes, indices of the data, and bounds if noise joined them."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import issparse
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_clustcompare._array_types import Array, FloatArray, IntArray
from sklearn_clustcompare._data import is_precomputed, read_numbers
from sklearn_clustcompare._options import tells_keywords, warn_caller
from sklearn_clustcompare._parameters import RandomStateLike, options_text
from sklearn_clustcompare._partition import NAMES, Labels, Reading, check_rows, read_labels
from sklearn_clustcompare._partition.arrays import PartitionLike, check_whole_weights
from sklearn_clustcompare._partition.memberships import noise_mask, treat_one
from sklearn_clustcompare._rendering import Rows, form_of, n_clusters_text
from sklearn_clustcompare._table import require_objects
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare.indices import INDICES, INTERNAL_INDICES, IndexLike, read_index
from sklearn_clustcompare.indices._compares import REQUIRED, Given, compares
from sklearn_clustcompare.indices._internal import in_units_of_data, scatter, silhouettes
from sklearn_clustcompare.indices._record import UndefinedIndexError

# A class names a cluster if it holds at least this share of its objects. Of other clusters the
# largest classes are named, at most three.
_HALF = 0.5
_MOST_CLASSES = 3


@compares("labels_true", "labels_pred", "sample_weight")
def cluster_names(given: Given) -> dict[Any, str]:
    """Name the clusters of a candidate, for tables and pictures.

    A cluster is named after the reference cluster, or class, that at least half of its objects
    belong to. A cluster without such a class is called mixed, with its largest classes.

    Returns
    -------
    dict
        For each label of the candidate, in sorted order, a text: the class, such as "B cells"; for
        the second largest cluster of a class "B cells (2)", and so on; for a mixed cluster
        "mixed: monocytes, dendritic", the largest classes that together hold half of its objects,
        at most three. All texts are different. A class after which no cluster is named is in no
        text without "mixed".

    Raises
    ------
    ValueError
        If lengths differ, or labels or parameters are invalid.

    See Also
    --------
    relabel : The class of each object, for tools of classification.
    match_clusters : Clusters matched one to one.

    Examples
    --------
    >>> from sklearn_clustcompare.report import cluster_names
    >>> cells = ["B", "B", "B", "B", "T", "T", "T", "NK", "NK", "mono"]
    >>> cluster_names(cells, [0, 0, 0, 1, 2, 2, 3, 3, 3, 3])
    {0: 'B', 1: 'B (2)', 2: 'T', 3: 'NK'}
    >>> cluster_names(cells, [0, 0, 0, 0, 1, 1, 1, 1, 1, 1])
    {0: 'B', 1: 'T'}
    >>> cluster_names(["B", "B", "T", "T", "NK"], [7, 7, 7, 7, 7])
    {7: 'mixed: B, T'}
    """
    table = given.table()
    return dict(zip(table.col_labels.tolist(), names_by_majority(table), strict=True))


def names_by_majority(table: ContingencyTable) -> list[str]:
    """Return the name of each cluster of the candidate, all of them different."""
    if not len(table.col_sums):
        return []
    form = form_of(table.row_labels.tolist())
    classes = [" ".join(form(label).split()) for label in table.row_labels.tolist()]
    order = np.lexsort((table.cell_rows, -table.cell_counts, table.cell_cols))
    ends = np.cumsum(np.bincount(table.cell_cols, minlength=table.shape[1]))[:-1]
    names = [
        _name(classes, table.cell_rows[cells], table.cell_counts[cells])
        for cells in np.split(order, ends)
    ]
    times, taken = Counter[str](), {*names, *classes}
    for cluster in np.argsort(-table.col_sums, kind="stable").tolist():
        name = names[cluster]
        times[name] += 1
        while times[name] > 1 and f"{name} ({times[name]})" in taken:
            times[name] += 1
        if times[name] > 1:
            names[cluster] = f"{name} ({times[name]})"
            taken.add(names[cluster])
    return names


def unnamed_classes(table: ContingencyTable) -> list[str]:
    """Return the classes that hold half of no cluster."""
    named = table.cell_rows[table.cell_counts >= _HALF * table.col_sums[table.cell_cols]]
    form = form_of(table.row_labels.tolist())
    return [form(label) for label in np.delete(table.row_labels, np.unique(named)).tolist()]


def _name(classes: list[str], rows: Any, counts: Any) -> str:
    """Name a cluster by its classes, the largest first."""
    shares = np.cumsum(counts) / counts.sum()
    if shares[0] >= _HALF:
        return classes[rows[0]]
    n_needed = min(int(np.argmax(shares >= _HALF)) + 1, _MOST_CLASSES)
    return f"mixed: {', '.join(classes[row] for row in rows[:n_needed])}"


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

    def _row_names(self) -> tuple[str, Array]:
        return "label", self.labels

    def _columns(self) -> dict[str, Array]:
        return {
            "size": self.sizes,
            "within": self.within,
            "between": self.between,
            "silhouette": self.silhouettes,
        }

    def _headline(self) -> str:
        n_clusters = n_clusters_text(len(self.sizes))
        return f"InternalDecomposition: {self.sizes.sum()} objects, {n_clusters}"


@tells_keywords
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

    A single score does not show which cluster is scattered, or close to another one. In R,
    ``cluster.stats`` of the package fpc has such values.

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
        warn_caller(f"silhouettes are NaN: {error}", UndefinedMetricWarning)
        widths = np.full(len(sizes), np.nan)
    return InternalDecomposition(
        clusters.labels_of(np.arange(clusters.n_codes)),
        sizes,
        in_units_of_data(sums.within, sums.exponent),
        in_units_of_data(sums.between, sums.exponent),
        widths,
    )


@compares(*NAMES, "sample_weight", "noise_label", "missing", "unmatched", labels_pred=REQUIRED)
def noise_bounds(given: Given, *, index: IndexLike) -> tuple[float, float]:
    """Return the lowest and the highest value of an index over all assignments of noise objects.

    Each noise object, of either partition, might belong to any cluster, known or new, alone or
    with others. The bounds are exact: each is the value of the index for some partition without
    noise.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,)
        :term:`Labels` of the :term:`reference`.
    labels_pred : array-like of shape (n_samples,)
        Labels of the :term:`candidate`.
    index : {"purity_score", "inverse_purity_score", "meila_heckerman_score", \
"pair_recall_score", "pair_precision_score"}
        Name of an index. Pair recall needs a reference without noise, pair precision a
        candidate without noise.

    Returns
    -------
    low : float
        Lowest value, in [0, 1].
    high : float
        Highest value, in [0, 1]; equal to ``low`` if there is no noise.

    Raises
    ------
    ValueError
        If the bounds of the index have no cheap exact solution; the message names the indices that
        have one. If a side that pair recall or pair precision needs without noise has noise, or
        there are no pairs to recall. If weights are not whole.

    See Also
    --------
    ContingencyTable.from_labels : Noise as a cluster, as singletons, or dropped.

    Notes
    -----
    Let S be the sum of the largest cells of the clusters of the candidate, among the objects that
    are noise on neither side. For purity each of the m other objects adds at most one, and does so
    as a cluster of its own: the highest value is (S + m) / N. The lowest value is the larger of
    S / N (a known cluster without such objects counts one) and the share of the largest class:
    the largest cells cannot fall below that, and as long as one class is too large for the
    clusters, each object added to a largest cell makes room for one more object of every class.

    For pair recall the sum of the squared cells of each class is highest if all its noise
    objects join its largest cell, and lowest if each is alone.

    For the other indices the extreme assignment is a problem of combinatorial optimization,
    without a known cheap exact solution for both ends.

    Examples
    --------
    >>> from sklearn_clustcompare.report import noise_bounds
    >>> noise_bounds([0, 0, 0, 1, 1, 1], [0, 0, -1, 1, 1, 0], index="purity_score")
    (0.6666666666666666, 0.8333333333333334)
    """
    record, _ = read_index(index, with_data=False)
    if record.noise_bounds is None:
        bounded = [one.name for one in INDICES.values() if one.noise_bounds]
        msg = (
            f"index must be one of {options_text(bounded, record.name)}; the bounds of others are "
            "problems of combinatorial optimization"
        )
        raise ValueError(msg)
    counted = ContingencyTable.from_labels(
        given.labels_true,
        given.labels_pred,
        sample_weight=given.sample_weight,
        missing=given.reading.missing,
        unmatched=given.reading.unmatched,
    )
    table = require_objects(counted)
    if given.sample_weight is not None:
        check_whole_weights(table.cell_counts, "where each noise object may belong elsewhere")
    return record.noise_bounds(
        table,
        *(
            noise_mask(Labels.of_codes(np.arange(len(labels)), labels), given.reading.noise_labels)
            for labels in (table.row_labels, table.col_labels)
        ),
    )
