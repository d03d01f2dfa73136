"""Chains of partitions of the same objects, and the stability of their clusters."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sklearn_clustcompare._array_types import Array, FloatArray
from sklearn_clustcompare._partition import Labels, Reading, read_weights
from sklearn_clustcompare._partition.arrays import PartitionsLike
from sklearn_clustcompare._partition.memberships import left_out, treat_one, warn_of_other_noise
from sklearn_clustcompare._rendering import Drawn, Rows
from sklearn_clustcompare._table import ContingencyTable, count_read, require_objects
from sklearn_clustcompare._table.many import list_members, read_labels_of


class ClusteringTree(Drawn, Rows):
    """Partitions as the levels of a tree; made by :func:`clustering_tree`.

    Printed, and as HTML in a notebook, it shows a row for each cluster. All parameters are
    attributes of the same names, which cannot be set.

    Parameters
    ----------
    names : list
        Names of the partitions; their positions if they have none.
    tables : list of ContingencyTable
        Table of each partition, in the rows, and the next one, in the columns.
    stabilities : list of ndarray of shape (n_clusters,)
        SC3 stability of the clusters of each partition, in the order of their sorted labels.

    Attributes
    ----------
    labels : list of ndarray of shape (n_clusters,)
        Sorted labels of the clusters of each partition.
    sizes : list of ndarray of shape (n_clusters,)
        Number of objects of these clusters, or the sum of their weights.

    See Also
    --------
    clustering_tree : Makes it.
    ClusteringTreeDisplay : Draws it.

    Examples
    --------
    >>> from sklearn_clustcompare.hierarchies import clustering_tree
    >>> tree = clustering_tree({1: [0, 0, 0, 0], 2: [0, 0, 1, 1]})
    >>> tree.sizes
    [array([4]), array([2, 2])]
    """

    names: list[Any]
    tables: list[ContingencyTable]
    stabilities: list[FloatArray]
    _names = ("partition", "cluster")

    @property
    def labels(self) -> list[Array]:
        """Labels of the clusters of each partition."""
        return [self.tables[0].row_labels, *(table.col_labels for table in self.tables)]

    @property
    def sizes(self) -> list[Array]:
        """Sizes of the clusters of each partition."""
        return [self.tables[0].row_sums, *(table.col_sums for table in self.tables)]

    def _columns(self) -> dict[str, Any]:
        names = [name for name, labels in zip(self.names, self.labels, strict=True) for _ in labels]
        return {
            "partition": names,
            "cluster": [label for labels in self.labels for label in labels.tolist()],
            "size": np.concatenate(self.sizes),
            "stability": np.concatenate(self.stabilities),
        }

    def _headline(self) -> str:
        n_clusters = sum(map(len, self.labels))
        return f"ClusteringTree: {len(self.names)} partitions with {n_clusters} clusters"


def clustering_tree(
    partitions: PartitionsLike,
    *,
    sample_weight: ArrayLike | None = None,
    noise: str = "cluster",
    noise_label: Any = -1,
    missing: str = "error",
) -> ClusteringTree:
    """Link the clusters of partitions of increasing resolution, and compute their stability.

    Use it to choose a number of clusters or a resolution: clusters that persist over several levels
    are stable; clusters that exchange objects from level to level indicate too many clusters.

    Parameters
    ----------
    partitions : array-like, list, dict, DataFrame or iterator
        The :term:`partitions`, at least two, of the same objects, in their order; an array has the
        shape (n_partitions, n_samples). The names of a dict name them.
    sample_weight : array-like of shape (n_samples,), default=None
        :term:`Frequency weights <sample_weight>`; None means 1 for every object.
    noise : {"cluster", "singletons", "drop"}, default="cluster"
        How to treat objects with the label of :term:`noise`: as one cluster, as a cluster each, or
        leave them out.
    noise_label : hashable or collection of them, default=-1
        :term:`Label of noise <noise_label>` on either side, or several; they need not occur.
    missing : {"error", "drop", "cluster"}, default="error"
        How to treat objects whose label is :term:`missing`: raise an error, leave them out, or take
        them as one cluster.

    Returns
    -------
    ClusteringTree
        With ``names``, ``tables`` of neighboring levels, ``labels``, ``sizes`` and
        ``stabilities`` of the clusters.

    Raises
    ------
    ValueError
        If there are fewer than two partitions, if lengths differ, or labels or weights are invalid.
    TypeError
        If partitions are memberships, or labels are not hashable.

    See Also
    --------
    ClusteringTreeDisplay : A picture of it.
    AlluvialDisplay : The same partitions as streams of objects.
    cluster_stability : Stability of clusters under resampling of the objects.

    Notes
    -----
    Objects that are left out of one partition, as noise or missing, are left out of all.

    The stability of a cluster A is the mean over all L levels of s(A), which is 0 on its own level;
    on another one, where A falls into N clusters B_j, it is the sum of ``|A ∩ B_j| / |B_j|``,
    divided by N^2. It is (L - 1) / L for a cluster that is present on all levels, and lower the
    more clusters it is divided among, or joined with. It was proposed for SC3 [1]_, which divides
    by L - 1 instead of L; the divisor L is that of clustree [2]_.

    References
    ----------
    .. [1] V. Y. Kiselev et al., "SC3: consensus clustering of single-cell RNA-seq data", Nature
       Methods 14, 2017, :doi:`10.1038/nmeth.4236`
    .. [2] L. Zappia, A. Oshlack, "Clustering trees: a visualization for evaluating clusterings at
       multiple resolutions", GigaScience 7(7), 2018, :doi:`10.1093/gigascience/giy083`

    Examples
    --------
    >>> from sklearn_clustcompare.hierarchies import clustering_tree
    >>> tree = clustering_tree([[1, 1, 1, 1, 1, 1], [1, 1, 1, 2, 2, 2], [1, 1, 2, 2, 3, 3]])
    >>> for stability in tree.stabilities:
    ...     print(stability.round(3))
    [0.278]
    [0.292 0.292]
    [0.333 0.167 0.333]
    """
    reading = Reading(noise=noise, noise_label=noise_label, missing=missing)
    names, levels, weights = read_chain(partitions, sample_weight, reading)
    tables = []
    parts: list[list[FloatArray]] = [[] for _ in levels]
    for first, second in itertools.combinations(range(len(levels)), 2):
        table = require_objects(count_read(levels[first], levels[second], weights))
        parts[first].append(_stability_across(table))
        parts[second].append(_stability_across(table.T))
        if second == first + 1:
            tables.append(table)
    stabilities = [np.sum(part, axis=0) / len(levels) for part in parts]
    return ClusteringTree(names, tables, stabilities)


def read_chain(
    partitions: PartitionsLike, sample_weight: ArrayLike | None, reading: Reading
) -> tuple[list[Any], list[Labels], Array | None]:
    """Read two partitions or more, and the weights of their objects."""
    members = list_members(partitions)
    if len(members) < 2:
        msg = f"partitions must hold at least two partitions, got {len(members)}"
        raise ValueError(msg)
    levels = read_labels_of(members, reading)
    weights = read_weights(sample_weight, levels[0])
    # Objects that one level leaves out are left out of all, so that each table ends where the
    # next one begins.
    kept = np.flatnonzero(~np.logical_or.reduce([left_out(one, reading) for one in levels]))
    if len(kept) < levels[0].n_objects:
        if not len(kept):
            msg = (
                "noise='drop' and missing='drop' must leave at least one object that is neither "
                "noise nor missing in any partition, got none"
            )
            raise ValueError(msg)
        levels = [one.take(kept) for one in levels]
        weights = None if weights is None else weights[kept]
    for one in levels:
        warn_of_other_noise(one.compact()[0], reading)
    levels = [treat_one(one, reading)[0] for one in levels]
    return [member.name for member in members], levels, weights


def _stability_across(table: ContingencyTable) -> FloatArray:
    """Return the contribution of the columns of a table to the stability of its rows."""
    rows = table.cell_rows
    shares = table.cell_counts / table.col_sums[table.cell_cols]
    return np.bincount(rows, shares) / np.bincount(rows) ** 2
