"""The consensus of many partitions, and how well each partition, object and cluster agrees."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sklearn_clustcompare._array_types import Array, FloatArray, IntArray, Positions
from sklearn_clustcompare._rendering import Shown, Table, decimal, decimals, result_record, table_of
from sklearn_clustcompare._table.many import in_order_of_appearance
from sklearn_clustcompare.consensus._agreement import Agreement, mean
from sklearn_clustcompare.consensus._ensemble import Ensemble
from sklearn_clustcompare.indices import Index

_MAX_SHOWN = 10


@result_record
@dataclass(frozen=True, eq=False, repr=False)
class ConsensusResult(Shown):
    """What several partitions have in common; made by :func:`consensus_partition`.

    Printed, and as HTML in a notebook, it shows the first ten partitions and the first ten
    clusters. All parameters are attributes of the same names, which cannot be set.

    Parameters
    ----------
    labels : ndarray of int64 of shape (n_samples,)
        Cluster of each object, numbered from zero in the order in which they appear; -1 for an
        object that is noise or missing in every partition.
    score : float
        Average index with the partitions, by their weights.
    scores : ndarray of float64 of shape (n_partitions,)
        Index with each partition, of the objects that it knows.
    n_iter : int
        Number of rounds of moves that improved the average.
    history : ndarray of float64 of shape (n_iter + 1,)
        Average at the start and after each round; it gets better with each.
    names : list
        Names of the partitions, positions where they have none.
    objects : ndarray of shape (n_samples,) or None
        Identifiers of the objects with ``align=True``, in the order of the labels; None where
        objects go by position.
    index : Index
        Record of the index.
    parameters : dict
        Its parameters.
    object_agreement : ndarray of float64 of shape (n_samples,)
        Average element-centric similarity of each object in its partitions and in the consensus, in
        (0, 1]; NaN where the label is -1.
    cluster_agreement : ndarray of float64 of shape (n_clusters,)
        Mean of these over the objects of each cluster.
    robustness : ndarray of float64 of shape (n_resamples,) or None
        Index with the consensus of each ensemble that was drawn; None if none were requested.

    See Also
    --------
    consensus_partition : Makes it.
    element_consistency : Agreement of the partitions on each object, without a consensus.

    Examples
    --------
    >>> from sklearn_clustcompare import consensus_partition
    >>> runs = {"a": [0, 0, 1, 1], "b": [0, 0, 0, 1], "c": [1, 1, 0, 0]}
    >>> consensus = consensus_partition(runs, index="rand_score", random_state=0)
    >>> consensus
    ConsensusResult: 4 objects in 2 clusters, average rand_score 0.8333 with 3 partitions
    partition  rand_score
    a                 1.0
    b                 0.5
    c                 1.0
    cluster 0 (2 objects): agreement 0.8889
    cluster 1 (2 objects): agreement 0.8056
    >>> consensus.object_agreement.round(3).tolist()
    [0.889, 0.889, 0.778, 0.833]
    """

    labels: IntArray
    score: float
    scores: FloatArray
    n_iter: int
    history: FloatArray
    names: list[Any]
    objects: Array | None
    index: Index
    parameters: dict[str, Any]
    object_agreement: FloatArray
    cluster_agreement: FloatArray
    robustness: FloatArray | None
    _ensemble: Ensemble = field(init=False)
    _cell_labels: Positions = field(init=False)

    @classmethod
    def _of(
        cls,
        agreement: Agreement,
        cell_labels: Positions,
        history: list[float],
        robustness: FloatArray | None,
    ) -> ConsensusResult:
        """Describe a partition of the cells, which was reached by these averages."""
        ensemble = agreement.ensemble
        of_known = ensemble.cell_of[ensemble.cell_of >= 0]
        cell_labels = _numbered(cell_labels, of_known)
        scores = agreement.scores(cell_labels)
        score = mean(scores, ensemble.weights)
        labels = ensemble.to_objects(cell_labels.astype(np.int64), -1)
        of_objects = ensemble.to_objects(cell_agreement(ensemble, cell_labels), np.nan)
        known = labels >= 0
        of_clusters = np.bincount(labels[known], of_objects[known]) / np.bincount(labels[known])
        scores, averages = scores[ensemble.member_of], np.array(history or [score])
        for array in (labels, scores, averages, of_objects, of_clusters, robustness):
            if array is not None:
                array.flags.writeable = False
        result = cls(
            labels,
            score,
            scores,
            len(averages) - 1,
            averages,
            ensemble.names,
            ensemble.objects,
            agreement.index,
            dict(agreement.parameters),
            of_objects,
            of_clusters,
            robustness,
        )
        object.__setattr__(result, "_ensemble", ensemble)
        object.__setattr__(result, "_cell_labels", cell_labels)
        return result

    def memberships(self) -> FloatArray:
        """Return the consensus as a soft partition.

        How much of each object is in each cluster, where the partitions are divided: use it to see
        which cluster is the second choice of an object, and how close.

        Returns
        -------
        ndarray of float64 of shape (n_samples, n_clusters)
            Share of the objects with the same label that are in the cluster, averaged over the
            partitions that know the object, by their weights. Rows sum to 1; they are NaN for
            objects that no partition knows.

        See Also
        --------
        consensus_partition : Finds the consensus.

        Examples
        --------
        >>> from sklearn_clustcompare import consensus_partition
        >>> runs = [[0, 0, 1, 1], [0, 0, 0, 1], [1, 1, 0, 0]]
        >>> consensus = consensus_partition(runs, index="rand_score", random_state=0)
        >>> consensus.memberships().round(2)
        array([[0.89, 0.11],
               [0.89, 0.11],
               [0.22, 0.78],
               [0.  , 1.  ]])
        """
        cells = cell_memberships(self._ensemble, self._cell_labels)
        return self._ensemble.to_objects(cells, np.nan)

    def to_frame(self) -> Any:
        """Return labels and agreement of the objects as a pandas DataFrame.

        Sort or select the objects on which the partitions are divided with pandas, which has to be
        installed.

        Returns
        -------
        pandas.DataFrame of shape (n_samples, 2)
            Columns ``label`` and ``agreement``; the index identifies the objects.

        See Also
        --------
        consensus_partition : Finds the consensus.

        Examples
        --------
        >>> from sklearn_clustcompare import consensus_partition
        >>> runs = [[0, 0, 1, 1], [0, 0, 0, 1], [1, 1, 0, 0]]
        >>> consensus_partition(runs, random_state=0).to_frame()["label"].tolist()
        [0, 0, 1, 1]
        """
        import pandas as pd

        columns = {"label": self.labels, "agreement": self.object_agreement}
        return pd.DataFrame(columns, index=self.objects)

    def _headline(self) -> str:
        n_clusters, n_partitions = len(self.cluster_agreement), len(self.names)
        clusters = "cluster" if n_clusters == 1 else "clusters"
        partitions = "partition" if n_partitions == 1 else "partitions"
        return (
            f"ConsensusResult: {len(self.labels)} objects in {n_clusters} {clusters}, average "
            f"{self.index.axis_text(**self.parameters)} {decimal(self.score)} with {n_partitions} "
            f"{partitions}"
        )

    def _shown(self) -> Table:
        columns = {"partition": self.names, self.index.name: self.scores.tolist()}
        return table_of(columns, names=["partition"])

    def _conclusion(self) -> list[str]:
        sizes = np.bincount(self.labels[self.labels >= 0]).tolist()
        values = decimals(self.cluster_agreement.tolist())
        lines = [
            f"cluster {number} ({size} {'object' if size == 1 else 'objects'}): agreement {value}"
            for number, (size, value) in enumerate(zip(sizes, values, strict=True))
        ]
        more = len(lines) - _MAX_SHOWN
        lines = lines[:_MAX_SHOWN] + ([f"and {more} more clusters"] if more > 0 else [])
        if self.robustness is not None:
            average, low = decimals([mean(self.robustness), self._worst()])
            lines.append(
                f"robustness: average {average} with the consensus of {len(self.robustness)} "
                f"ensembles drawn, {low} at worst"
            )
        return lines

    def _worst(self) -> float:
        values = np.asarray(self.robustness)
        return float(values.min() if self.index.greater_is_better else values.max())


def _numbered(cell_labels: Positions, cells: Positions) -> Positions:
    """Number the clusters of the cells in the order in which their objects appear."""
    numbered = np.empty_like(cell_labels)
    numbered[cells] = in_order_of_appearance(cell_labels[cells])
    return numbered


def cell_agreement(ensemble: Ensemble, labels: Positions) -> FloatArray:
    """Return the average element-centric similarity of each cell over its partitions.

    That is the number of objects of its class and its cluster over the larger of both sizes [1]_.

    .. [1] A. J. Gates, I. B. Wood, W. P. Hetrick, Y.-Y. Ahn, "Element-centric clustering comparison
       unifies overlaps and hierarchy", Scientific Reports 9, 2019
    """
    return _average_of_classes(
        ensemble, labels, lambda table, rows, cols: table / np.maximum(rows, cols), own=True
    )


def cell_memberships(ensemble: Ensemble, labels: Positions) -> FloatArray:
    """Return the share of each cluster in the classes of each cell, averaged over partitions."""
    return _average_of_classes(ensemble, labels, lambda table, rows, cols: table / rows, own=False)


def _average_of_classes(
    ensemble: Ensemble, labels: Positions, function: Any, *, own: bool
) -> FloatArray:
    """Average a function of class and cluster over the classes of each cell, by weight.

    With ``own``, of the cluster of the cell only; else of each cluster.
    """
    n_clusters = int(labels.max(initial=-1)) + 1
    total = np.zeros(ensemble.n_cells if own else (ensemble.n_cells, n_clusters))
    mass = np.zeros(ensemble.n_cells)
    for member, weight in zip(ensemble.members, ensemble.weights.tolist(), strict=True):
        clusters, sizes = labels[member.cells], ensemble.sizes[member.cells]
        in_clusters = np.zeros((len(clusters), n_clusters))
        in_clusters[np.arange(len(clusters)), clusters] = sizes
        table = np.asarray(member.shares.T @ in_clusters)
        values = np.asarray(
            function(
                table,
                np.maximum(table.sum(axis=1, keepdims=True), np.finfo(float).tiny),
                np.maximum(table.sum(axis=0, keepdims=True), np.finfo(float).tiny),
            )
        )
        if own and member.codes is not None:
            found = values[member.codes, clusters]
        else:
            found = np.asarray(member.shares @ values)
            found = found[np.arange(len(clusters)), clusters] if own else found
        total[member.cells] += weight * found
        mass[member.cells] += weight
    averages: FloatArray = total / (mass if own else mass[:, np.newaxis])
    return averages
