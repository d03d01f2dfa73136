"""Clusters whose objects are in several clusters of the other side, and how large clusters are."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._kernels import number_codes
from sklearn_clustcompare._partition import Labels
from sklearn_clustcompare._rendering import record_html, result_record
from sklearn_clustcompare._table.contingency import ContingencyTable

_Integers = NDArray[np.int64]


@result_record
class MixedCluster(NamedTuple):
    """A cluster that was merged or split, with its records; in an :class:`EntityReport`.

    It is a named tuple: all parameters are attributes of the same names.

    Parameters
    ----------
    label : object
        Label of the cluster: of the candidate for a merge, of the reference for a split.
    size : int
        Number of its records.
    wrong_pairs : int
        Pairs of its records that are in different clusters of the other side.
    parts : list
        Labels of the clusters of the other side in which its records are, most records first.
    part_sizes : list of int
        Number of its records in each of them.
    part_ids : list of lists or None
        Ids of these records; None for a report of a contingency table.

    See Also
    --------
    clustering_comparison_report : Lists the worst with ``family="entity"``.

    Examples
    --------
    >>> from sklearn_clustcompare import clustering_comparison_report
    >>> people, found = ["ann", "ann", "bob"], [1, 1, 1]
    >>> report = clustering_comparison_report(people, found, family="entity", ids=["x", "y", "z"])
    >>> merge = report.merges[0]
    >>> merge.label, merge.wrong_pairs, merge.parts, merge.part_ids
    (1, 2, ['ann', 'bob'], [['x', 'y'], ['z']])
    """

    label: Any
    size: int
    wrong_pairs: int
    parts: list[Any]
    part_sizes: list[int]
    part_ids: list[list[Any]] | None

    def _repr_html_(self) -> str:
        return record_html("MixedCluster", self._asdict())


class Members(NamedTuple):
    """Cells of two partitions, and the ids of the objects in each, if these are known.

    ``ids`` are those of the cells, one cell after the other, and ``ends`` where each cell ends.
    """

    rows: Labels
    cols: Labels
    counts: _Integers
    ids: NDArray[Any] | None = None
    ends: NDArray[np.intp] | None = None

    @classmethod
    def of_table(cls, table: ContingencyTable) -> Members:
        rows = Labels.of_codes(table.cell_rows, table.row_labels)
        cols = Labels.of_codes(table.cell_cols, table.col_labels)
        return cls(rows, cols, table.cell_counts)

    @classmethod
    def of_objects(cls, true: Labels, pred: Labels, ids: NDArray[Any]) -> Members:
        (true, _), (pred, _) = true.compact(), pred.compact()
        cells, number, counts = number_codes(
            true.codes * pred.n_codes + pred.codes, true.n_codes * pred.n_codes
        )
        rows, cols = np.divmod(cells, max(pred.n_codes, 1))
        return cls(
            true._replace(codes=rows),
            pred._replace(codes=cols),
            counts,
            ids[np.argsort(number, kind="stable")],
            np.cumsum(counts),
        )

    def ids_in(self, cell: int) -> list[Any]:
        assert self.ids is not None
        assert self.ends is not None
        end = self.ends[cell]
        return list(self.ids[end - self.counts[cell] : end].tolist())


def worst_clusters(members: Members, n_worst: int, *, of_pred: bool) -> tuple[MixedCluster, ...]:
    """Return the clusters of a side with most wrong pairs; of equal ones the largest, the first."""
    if of_pred:
        members = members._replace(rows=members.cols, cols=members.rows)
    sizes, wrong = _sizes_and_wrong_pairs(members)
    worst = np.lexsort((-sizes, -wrong))[:n_worst]
    return tuple(mixed_clusters(members, worst[wrong[worst] > 0]))


def mixed_clusters(members: Members, clusters: NDArray[np.intp]) -> list[MixedCluster]:
    """Return clusters of the rows, with their parts in those of the columns."""
    own, other = members.rows, members.cols
    sizes, wrong = _sizes_and_wrong_pairs(members)
    found = []
    for cluster in clusters.tolist():
        cells = np.flatnonzero(own.codes == cluster)
        cells = cells[np.argsort(-members.counts[cells], kind="stable")]
        found.append(
            MixedCluster(
                own.labels_of(np.array([cluster])).tolist()[0],
                int(sizes[cluster]),
                int(wrong[cluster]),
                other.labels_of(other.codes[cells]).tolist(),
                members.counts[cells].tolist(),
                None if members.ids is None else list(map(members.ids_in, cells.tolist())),
            )
        )
    return found


def _sizes_and_wrong_pairs(members: Members) -> tuple[_Integers, _Integers]:
    sizes, squares = (np.zeros(members.rows.n_codes, np.int64) for _ in range(2))
    np.add.at(sizes, members.rows.codes, members.counts)
    np.add.at(squares, members.rows.codes, members.counts**2)
    return sizes, (sizes**2 - squares) // 2


def size_counts(sizes: NDArray[Any]) -> dict[int, int]:
    """Count clusters by their size."""
    found, counts = np.unique(sizes, return_counts=True)
    return dict(zip(found.tolist(), counts.tolist(), strict=True))
