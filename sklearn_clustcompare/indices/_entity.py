"""Indices of entities, segments and tracks: matched clusters, clusters found, and links."""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._numerics import TIE, FloatArray, sum_of_quotients
from sklearn_clustcompare._partition import Labels
from sklearn_clustcompare._partition.memberships import noise_mask
from sklearn_clustcompare._table.cell_sums import CellSum
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare._table.counts import Margins
from sklearn_clustcompare._table.matching import optimal_matching
from sklearn_clustcompare.indices._cell_sums import mean_of
from sklearn_clustcompare.indices._sets import SizedCells, best_matching, matching_accuracy
from sklearn_clustcompare.indices._undefined import ratio, require_whole

Threshold = float | str
Label = int | float | str


# --------------------------------------------------------------------------- optimal matching


def ceaf_precision(table: ContingencyTable, *, similarity: str = "overlap") -> float:
    return _ceaf(table, similarity, table.shape[1], "ceaf_precision_score")


def ceaf_recall(table: ContingencyTable, *, similarity: str = "overlap") -> float:
    return _ceaf(table, similarity, table.shape[0], "ceaf_recall_score")


def ceaf_f(table: ContingencyTable, *, similarity: str = "overlap") -> float:
    return _ceaf(table, similarity, sum(table.shape) / 2, "ceaf_f_score")


def _ceaf(table: ContingencyTable, similarity: str, n_clusters: float, name: str) -> float:
    if similarity == "overlap":
        return matching_accuracy(table)
    cells = SizedCells.of_table(table)
    sizes = cells.row_sizes + cells.col_sizes
    found = sum_of_quotients(*best_matching(cells, 2 * cells.counts, sizes))
    return ratio(found, n_clusters, table, name)


def jaccard_error_rate(table: ContingencyTable, *, background: Label | None = None) -> float:
    clusters = _Clusters.of(table, background)
    if clusters.is_identity:
        return 0.0
    cells = clusters.cells(table)
    matched, unions = best_matching(cells, cells.counts, cells.unions)
    # A sum of terms that are not negative: no digits are lost if nearly all clusters are found.
    missed = np.append(np.maximum(unions - matched, 0), clusters.true - len(matched))
    errors = sum_of_quotients(missed, np.append(unions, 1))
    return ratio(errors, clusters.true, clusters, "jaccard_error_rate")


# --------------------------------------------------------------------------- links


def lea_precision(links: float, margins: Margins) -> float:
    require_whole(margins, "lea_precision_score", "ceaf_precision_score")
    return mean_of(links, margins.n_samples)


def lea_recall(links: float, margins: Margins) -> float:
    require_whole(margins, "lea_recall_score", "ceaf_recall_score")
    return mean_of(links, margins.n_samples)


def lea_f(table: ContingencyTable) -> float:
    require_whole(table, "lea_f_score", "ceaf_f_score")
    precision = mean_of(LINKS_OF_PRED(table), table.n_samples)
    recall = mean_of(LINKS_OF_TRUE(table), table.n_samples)
    both = precision * recall
    return min(2 * both / (precision + recall), 1.0) if both else 0.0


def _kept_links(n: FloatArray, own: FloatArray, other: FloatArray) -> FloatArray:
    """Return the size of a cluster times the share of its links, or of its one object, in a cell.

    An object alone has a link to itself, which the cell keeps if it is alone on the other side.
    """
    return np.where(own > 1, n * ((n - 1) / np.maximum(own - 1, 1)), n * (other == 1))


def _kept_links_of_pred(n: FloatArray, a: FloatArray, b: FloatArray) -> FloatArray:
    return _kept_links(n, b, a)


LINKS_OF_TRUE = CellSum(_kept_links, smooth=True)
LINKS_OF_PRED = CellSum(_kept_links_of_pred, smooth=True)


# --------------------------------------------------------------------------- clusters found


def cluster_precision(
    table: ContingencyTable, *, threshold: Threshold = 1.0, background: Label | None = None
) -> float:
    clusters = _Clusters.of(table, background)
    found = _n_found(table, threshold, clusters)
    return ratio(found, clusters.pred, clusters, "cluster_precision_score")


def cluster_recall(
    table: ContingencyTable, *, threshold: Threshold = 1.0, background: Label | None = None
) -> float:
    clusters = _Clusters.of(table, background)
    found = _n_found(table, threshold, clusters)
    return ratio(found, clusters.true, clusters, "cluster_recall_score")


def cluster_f(
    table: ContingencyTable, *, threshold: Threshold = 1.0, background: Label | None = None
) -> float:
    clusters = _Clusters.of(table, background)
    found = _n_found(table, threshold, clusters)
    return ratio(2 * found, clusters.true + clusters.pred, clusters, "cluster_f_score")


def panoptic_quality(
    table: ContingencyTable, *, threshold: float = 0.5, background: Label | None = None
) -> float:
    clusters = _Clusters.of(table, background)
    if counts_cells(threshold=threshold, background=background):
        quality = quality_found(threshold=threshold)(table)
    else:
        quality = sum_of_quotients(*_best_found(table, threshold, clusters))
    n_clusters = clusters.true + clusters.pred
    return ratio(2 * quality, n_clusters, clusters, "panoptic_quality_score")


def _n_found(table: ContingencyTable, threshold: Threshold, clusters: _Clusters) -> float:
    if counts_cells(threshold=threshold, background=clusters.background):
        return number_found(threshold=threshold)(table)
    return len(_best_found(table, threshold, clusters)[0])


def share_of_pred(found: float, margins: Margins, **parameters: Any) -> float:
    """Return the precision where cells count separately, and all rows and columns are clusters."""
    return ratio(found, len(margins.col_sums), margins, "cluster_precision_score")


def share_of_true(found: float, margins: Margins, **parameters: Any) -> float:
    return ratio(found, len(margins.row_sums), margins, "cluster_recall_score")


def share_of_both(found: float, margins: Margins, **parameters: Any) -> float:
    n_clusters = len(margins.row_sums) + len(margins.col_sums)
    return ratio(2 * found, n_clusters, margins, "cluster_f_score")


def counts_cells(*, threshold: Threshold, background: Label | None = None) -> bool:
    """Return whether cells count separately, so that what is found is a sum over them."""
    return background is None and _finds_one_each(threshold)


def _finds_one_each(threshold: Threshold) -> bool:
    """Return whether a cluster can match only one other cluster."""
    return isinstance(threshold, str) or threshold >= 0.5


def _found(n: FloatArray, a: FloatArray, b: FloatArray, *, threshold: Threshold) -> FloatArray:
    # Whole counts are compared exactly, others up to rounding.
    slack = 0.0 if all(np.array_equal(one, np.rint(one)) for one in (n, a, b)) else TIE
    above = 1 + slack
    if isinstance(threshold, str):
        return np.asarray((2 * n > a * above) & (2 * n > b * above), np.float64)
    overlap = n / (a + b - n)
    found = overlap >= 1 - slack if threshold == 1 else overlap > threshold * above
    return np.asarray(found, np.float64)


def _overlap_found(n: FloatArray, a: FloatArray, b: FloatArray, *, threshold: float) -> FloatArray:
    return _found(n, a, b, threshold=threshold) * (n / (a + b - n))


def number_found(*, threshold: Threshold = 1.0, background: Label | None = None) -> CellSum:
    return CellSum(partial(_found, threshold=threshold))


def quality_found(*, threshold: float = 0.5, background: Label | None = None) -> CellSum:
    return CellSum(partial(_overlap_found, threshold=threshold))


def _best_found(
    table: ContingencyTable, threshold: Threshold, clusters: _Clusters
) -> tuple[FloatArray, FloatArray]:
    """Return numerators and denominators of the overlaps of the clusters found.

    If one can match several, as many as possible are matched one to one, with the largest sum of
    overlaps among these matchings.
    """
    cells = clusters.cells(table)
    found = _found(cells.counts, cells.row_sizes, cells.col_sizes, threshold=threshold)
    cells = cells.where(found > 0)
    if _finds_one_each(threshold):
        return cells.counts, cells.unions
    # All overlaps together are less than one additional match.
    weights = 1 + cells.counts / cells.unions / (2 * max(min(cells.shape), 1))
    matched = optimal_matching(cells.rows, cells.cols, weights, cells.shape)
    return cells.counts[matched], cells.unions[matched]


# --------------------------------------------------------------------------- background


class _Clusters(NamedTuple):
    """Which rows and which columns are clusters, and not of the background."""

    rows: NDArray[np.bool_]
    cols: NDArray[np.bool_]
    background: Label | None

    @classmethod
    def of(cls, table: ContingencyTable, background: Label | None) -> _Clusters:
        if background is None:
            return cls(np.ones(table.shape[0], bool), np.ones(table.shape[1], bool), None)
        of_rows, of_cols = (
            Labels.of_codes(np.arange(len(labels)), labels)
            for labels in (table.row_labels, table.col_labels)
        )
        rows, cols = (noise_mask(side, [background], "background") for side in (of_rows, of_cols))
        return cls(~rows, ~cols, background)

    @property
    def true(self) -> int:
        """Number of clusters of the reference."""
        return int(np.count_nonzero(self.rows))

    @property
    def pred(self) -> int:
        """Number of clusters of the candidate."""
        return int(np.count_nonzero(self.cols))

    @property
    def is_identity(self) -> bool:
        """Whether neither side has a cluster."""
        return not (self.true or self.pred)

    def cells(self, table: ContingencyTable) -> SizedCells:
        """Return the cells of two clusters; their sizes include the objects in the background."""
        cells = SizedCells.of_table(table)
        return cells.where(self.rows[cells.rows] & self.cols[cells.cols])
