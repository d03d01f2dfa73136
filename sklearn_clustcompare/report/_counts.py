"""The contingency table as far as a report shows it, and where the objects of clusters went."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare.report._cluster_rows import label_texts, n_clusters_text, size_text
from sklearn_clustcompare.report._matched import column_places

# Clusters of either side that are shown; of more, some and "other".
_MAX_SHOWN = 12
# Parts that a bar has at most, and the smallest share that is a part of its own.
_MAX_PARTS, _SMALLEST_PART = 6, 0.02

_Positions = NDArray[np.intp]


class ShownCounts(NamedTuple):
    """Rows and columns of a table; the last ones are "other" where clusters are left out."""

    row_labels: list[str]
    col_labels: list[str]
    counts: NDArray[Any]
    is_cut: bool

    @property
    def shares(self) -> NDArray[np.float64]:
        """Shares of the rows."""
        shares: NDArray[np.float64] = self.counts / self.counts.sum(axis=1, keepdims=True)
        return shares

    def rows(self) -> tuple[list[str], list[list[str]]]:
        """Return the header and the rows with marginal sums, as text."""
        counts = np.vstack([self.counts, self.counts.sum(axis=0)])
        counts = np.column_stack([counts, counts.sum(axis=1)])
        body = [
            [label, *map(size_text, row)]
            for label, row in zip([*self.row_labels, "sum"], counts.tolist(), strict=True)
        ]
        return ["", *self.col_labels, "sum"], body


class Part(NamedTuple):
    """Objects of a cluster that are in one cluster of the other side.

    ``role`` is "match" for the cluster it is matched with one to one, "mixed" for one that is
    matched with another cluster, "split" for one that is matched with none, and "other" for several
    clusters together.
    """

    label: str
    role: str
    size: float
    share: float


class Bar(NamedTuple):
    """A cluster and the parts in which its objects are, the match first."""

    label: str
    size: float
    parts: list[Part]


def shown_counts(table: ContingencyTable, unmatched: NDArray[Any]) -> ShownCounts:
    """Choose the clusters with most unmatched objects, and those that have these objects."""
    rows, other_rows = _chosen(np.argsort(-unmatched, kind="stable"), table.shape[0])
    is_shown = np.isin(table.cell_rows, rows)
    held = np.bincount(
        table.cell_cols[is_shown], table.cell_counts[is_shown], minlength=table.shape[1]
    )
    cols, other_cols = _chosen(np.argsort(-held, kind="stable"), table.shape[1])
    cols = _facing(table, rows, cols)
    shape = (len(rows) + bool(other_rows), len(cols) + bool(other_cols))
    row_places, col_places = _places(rows, table.shape[0]), _places(cols, table.shape[1])
    counts = np.zeros(shape, table.cell_counts.dtype)
    at = (row_places[table.cell_rows], col_places[table.cell_cols])
    np.add.at(counts, at, table.cell_counts)
    return ShownCounts(
        _labels(table.row_labels, rows, other_rows),
        _labels(table.col_labels, cols, other_cols),
        counts,
        bool(other_rows or other_cols),
    )


def _chosen(worst_first: _Positions, n_clusters: int) -> tuple[_Positions, int]:
    """Return the clusters to show, and the number of the others."""
    if n_clusters <= _MAX_SHOWN:
        return np.arange(n_clusters), 0
    return worst_first[: _MAX_SHOWN - 1], n_clusters - (_MAX_SHOWN - 1)


def _facing(table: ContingencyTable, rows: _Positions, cols: _Positions) -> _Positions:
    """Order columns by the rows that they belong to, matched ones first."""
    place, is_matched = column_places(table)
    return cols[np.lexsort((~is_matched[cols], _places(rows, table.shape[0])[place[cols]]))]


def _places(shown: _Positions, n_clusters: int) -> _Positions:
    """Return where each cluster is shown; what is not comes last."""
    places = np.full(n_clusters, len(shown))
    places[shown] = np.arange(len(shown))
    return places


def _labels(labels: NDArray[Any], shown: _Positions, n_other: int) -> list[str]:
    other = [f"other ({n_clusters_text(n_other)})"] if n_other else []
    return [*label_texts(labels[shown], labels), *other]


def bars(table: ContingencyTable, unmatched: NDArray[Any]) -> list[Bar]:
    """Return the parts of the clusters with most unmatched objects."""
    rows, _ = _chosen(np.argsort(-unmatched, kind="stable"), table.shape[0])
    own = np.full(table.shape[0], -1)
    own[table.cell_rows[table.optimal_matching]] = table.cell_cols[table.optimal_matching]
    return [_bar(table, row, own) for row in rows.tolist()]


def _bar(table: ContingencyTable, row: int, own: _Positions) -> Bar:
    cells = np.flatnonzero(table.cell_rows == row)
    cols, sizes = table.cell_cols[cells], table.cell_counts[cells]
    total = table.row_sums[row].item()
    order = np.lexsort((-sizes, cols != own[row]))
    cols, sizes = cols[order], sizes[order]
    shares = sizes / total
    is_own_part = shares >= _SMALLEST_PART
    # One small part needs no "other".
    if len(cols) > _MAX_PARTS or np.count_nonzero(~is_own_part) > 1:
        is_own_part[_MAX_PARTS - 1 :] = False
    else:
        is_own_part[:] = True
    is_own_part[0] |= cols[0] == own[row]
    labels = label_texts(table.col_labels[cols], table.col_labels)
    is_matched = np.isin(cols, own)
    parts = [
        Part(
            labels[k],
            "match" if cols[k] == own[row] else "mixed" if is_matched[k] else "split",
            sizes[k].item(),
            float(shares[k]),
        )
        for k in np.flatnonzero(is_own_part).tolist()
    ]
    n_other = int(np.count_nonzero(~is_own_part))
    if n_other:
        rest = sizes[~is_own_part].sum().item()
        parts.append(Part(n_clusters_text(n_other), "other", rest, rest / total))
    (label,) = label_texts(table.row_labels[[row]], table.row_labels)
    return Bar(label, total, parts)
