"""Names of the clusters of many runs or draws after those of one reference: label switching."""

from __future__ import annotations

import numpy as np

from sklearn_clustcompare._array_types import Array
from sklearn_clustcompare._partition.arrays import PartitionLike, PartitionsLike
from sklearn_clustcompare._partition.labels import check_same_objects, index_of
from sklearn_clustcompare._table.many import list_members
from sklearn_clustcompare.metrics._matching import relabel


def relabel_partitions(
    labels_true: PartitionLike | None, partitions: PartitionsLike, *, method: str = "optimal"
) -> Array:
    """Name the clusters of many partitions after the reference clusters that they match.

    Numbers of clusters are arbitrary in each run of a clusterer and change in the course of a chain
    (label switching), so that averages over runs or draws make no sense before this.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,) or None
        :term:`Labels` of the :term:`reference`; None takes the consensus of the partitions, by the
        variation of information.
    partitions : array-like of shape (..., n_samples) or DataFrame
        Labels of runs, of draws, or of the draws of several chains; a frame has one in each column.
    method : {"majority", "optimal", "greedy"}, default="optimal"
        "majority" gives each cluster the label that most of its objects have in the reference;
        several clusters may share it. "optimal" and "greedy" match the clusters one to one as
        :func:`match_clusters` does.

    Returns
    -------
    ndarray of shape (..., n_samples)
        The partitions with the labels of the reference, and new ones for clusters without a match.

    Raises
    ------
    ValueError
        If the length of the reference is not that of the partitions, labels are missing, or there
        is no partition.

    See Also
    --------
    relabel : Relabels one partition.
    consensus_partition : The default reference.

    References
    ----------
    .. [1] M. Stephens, "Dealing with label switching in mixture models", Journal of the Royal
       Statistical Society B 62(4), 2000. :doi:`10.1111/1467-9868.00265`.

    Examples
    --------
    >>> from sklearn_clustcompare.metrics import relabel_partitions
    >>> relabel_partitions([0, 0, 1, 1], [[1, 1, 0, 0], [5, 5, 5, 7]])
    array([[0, 0, 1, 1],
           [0, 0, 0, 1]])
    """
    if isinstance(partitions, list | tuple):
        for number, one in enumerate(partitions):
            names = "labels_true", f"partition {number}"
            check_same_objects(index_of(labels_true), index_of(one), names)
            if len(one) != len(partitions[0]):
                msg = (
                    f"partitions must have the same length, got {len(partitions[0])} and {len(one)}"
                )
                raise ValueError(msg)
    # One partition in each column of a frame.
    rows_of = partitions.T if hasattr(partitions, "columns") else partitions
    given = np.asarray(getattr(rows_of, "values", rows_of))
    if given.ndim < 1 or not given.size:
        msg = f"partitions must be an array of shape (..., n_samples), got shape {given.shape}"
        raise ValueError(msg)
    rows = given.reshape(-1, given.shape[-1])
    from sklearn_clustcompare.consensus import consensus_partition
    from sklearn_clustcompare.consensus._posterior import flatten_chains

    draws = given if given.ndim == 3 else rows
    for member in list_members(flatten_chains(draws, None)[0]):
        member.read()  # so that errors say which it is
    if labels_true is None:
        index = "variation_of_information_distance"
        labels_true = consensus_partition(draws, index=index).labels
    reference = np.asarray(labels_true)
    if reference.shape != rows.shape[1:]:
        msg = (
            "labels_true must have the same length as each of the partitions, "
            f"{rows.shape[1]}, got shape {reference.shape}"
        )
        raise ValueError(msg)
    relabeled = np.array([relabel(reference, row, method=method) for row in rows])
    return relabeled.reshape(given.shape)
