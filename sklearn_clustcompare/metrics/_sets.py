"""Indices that match clusters of one partition with clusters of the other."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from sklearn_clustcompare._partition import Reading
from sklearn_clustcompare._partition.arrays import PartitionLike, TableLike
from sklearn_clustcompare._partition.reading import in_columns
from sklearn_clustcompare._table import count
from sklearn_clustcompare.metrics._matching import check_matching, matched_cells


def match_clusters(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    data: TableLike = None,
    method: str = "optimal",
    sample_weight: ArrayLike | None = None,
    possibilistic: bool = False,
    noise: str = "cluster",
    noise_label: Any = -1,
    missing: str = "error",
) -> dict[Any, Any]:
    """Match the clusters of the reference with those of the candidate.

    Use it to see which clusters correspond; :func:`relabel` renames the clusters of the candidate.
    Every predicted cluster is used at most once, except with ``method="majority"``.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,) or (n_samples, n_clusters), or ContingencyTable
        :term:`Labels` or :term:`memberships` of the :term:`reference`; or a
        :term:`contingency table` of both partitions, without ``labels_pred``.
    labels_pred : array-like of shape (n_samples,) or (n_samples, n_clusters), default=None
        Labels or memberships of the :term:`candidate`.
    data : DataFrame, mapping or object with ``obs``, default=None
        Table of which the other arguments name columns instead of being arrays: a frame of any
        package, a mapping such as a dict of arrays, or an object with such a table as ``obs``.
    method : {"optimal", "greedy", "majority"}, default="optimal"
        "optimal" finds the one-to-one matching with the most objects in matched pairs; "greedy"
        matches the pair of clusters with the largest share n_ij / a_i of the reference cluster
        first, crosses both out, and repeats; "majority" matches each reference cluster with the
        predicted cluster that has most of its objects, which several may share.
    sample_weight : array-like of shape (n_samples,), default=None
        :term:`Frequency weights <sample_weight>`; None means 1 for every object.
    possibilistic : bool, default=False
        Whether memberships are :term:`possibilistic`: their rows need not sum to 1.
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
    dict
        Maps each reference label to a predicted label, or to None for unmatched clusters, in the
        order of the sorted reference labels. Labels are Python values.

    Raises
    ------
    ValueError
        If lengths differ, or labels, memberships or weights are invalid; if ``method`` is not one
        of its options.
    TypeError
        If labels are not hashable.

    See Also
    --------
    relabel : Names the clusters of the candidate by their match.
    matching_accuracy_score : Share of the objects in optimally matched clusters.
    maximum_match_score : Share of them for greedy matching by number of objects.

    Notes
    -----
    Clusters that share no object are never matched. Greedy and majority matching break ties by the
    first cell in row-major order of the sorted labels, so the result does not depend on the order
    of the objects. The shares of greedy matching favor small reference clusters: a single object
    always has the share 1, and may take the partner of a large cluster.

    References
    ----------
    .. [1] G. K. Orman, "Clustering Evaluation", lecture, Galatasaray University, algorithm 21.4
    .. [2] H. W. Kuhn, "The Hungarian method for the assignment problem", Naval Research Logistics
       Quarterly 2, 1955, :doi:`10.1002/nav.3800020109`

    Examples
    --------
    >>> from sklearn_clustcompare import match_clusters
    >>> y, labels = ["cat", "cat", "cat", "dog", "dog", "cow"], [2, 2, 1, 1, 1, 1]
    >>> match_clusters(y, labels)
    {'cat': 2, 'cow': None, 'dog': 1}
    >>> match_clusters(y, labels, method="greedy")
    {'cat': 2, 'cow': 1, 'dog': None}
    >>> match_clusters(y, labels, method="majority")
    {'cat': 2, 'cow': 1, 'dog': 1}
    """
    labels_true, labels_pred, sample_weight = in_columns(
        data, labels_true=labels_true, labels_pred=labels_pred, sample_weight=sample_weight
    )
    check_matching("method", method)
    table = count(
        labels_true, labels_pred, sample_weight, Reading(possibilistic, noise, noise_label, missing)
    )
    matched = matched_cells(table, method)
    partners = dict.fromkeys(table.row_labels.tolist())
    partners.update(
        zip(
            table.row_labels[table.cell_rows[matched]].tolist(),
            table.col_labels[table.cell_cols[matched]].tolist(),
            strict=True,
        )
    )
    return partners
