"""Greedy matching as a function of the partitions, even if cells tie.

Greedy matching repeatedly takes the largest cell whose row and column are free. If several cells
tie, different choices lead to different sums. Here the matching has as many of the largest cells as
possible; among those, as many of the next largest, and so on. Such matchings are called
rank-maximal, and all of them have the same sum.

R. W. Irving, T. Kavitha, K. Mehlhorn, D. Michail, K. Paluch, "Rank-maximal matchings", ACM
Transactions on Algorithms 2(4), 2006.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order, maximum_bipartite_matching

from sklearn_clustcompare._numerics import ordered_sum
from sklearn_clustcompare._table.contingency import ContingencyTable

_Integers = NDArray[np.int64]


def greedy_overlap(table: ContingencyTable) -> Any:
    """Return the number of objects in the cells that greedy matching takes."""
    units = table.in_units.cell_counts
    order = np.argsort(-units, kind="stable")
    counts = table.cell_counts[order]
    cells = _Cells(table.cell_rows[order], table.cell_cols[order])
    ends = np.append(np.flatnonzero(np.diff(units[order])) + 1, len(counts)).tolist()
    row_is_open, col_is_open = (np.ones(n_clusters, bool) for n_clusters in table.shape)
    kept, n_kept = cells.take(slice(0)), 0
    taken = []
    start = 0
    for end in ends:
        tied = cells.take(slice(start, end))
        tied = tied.take(row_is_open[tied.rows] & col_is_open[tied.cols])
        start = end
        if not len(tied.rows):
            continue
        graph = kept.append(tied)
        matched = _Matched.of(graph)
        taken.append(np.repeat(counts[end - 1], matched.size - n_kept))
        row_is_open[graph.rows[~matched.row_is_even]] = False
        col_is_open[graph.cols[~matched.col_is_even]] = False
        kept, n_kept = graph.take(matched.is_alternative), matched.n_alternative(graph)
        if not (row_is_open.any() and col_is_open.any()):
            break
    return ordered_sum(np.concatenate([counts[:0], *taken]))


class _Cells(NamedTuple):
    """Cells of a table as edges between its rows and columns."""

    rows: _Integers
    cols: _Integers

    def take(self, which: Any) -> _Cells:
        return _Cells(self.rows[which], self.cols[which])

    def append(self, other: _Cells) -> _Cells:
        return _Cells(np.append(self.rows, other.rows), np.append(self.cols, other.cols))


class _Matched(NamedTuple):
    """Largest matching of some cells: its size, and for each cell the state of its ends.

    An end is even if some largest matching leaves it free. Cells between an even end and one that
    is not can be exchanged for each other later; others are settled.
    """

    size: int
    row_is_even: NDArray[np.bool_]
    col_is_even: NDArray[np.bool_]

    @property
    def is_alternative(self) -> NDArray[np.bool_]:
        return self.row_is_even != self.col_is_even

    def n_alternative(self, cells: _Cells) -> int:
        """Size of the largest matching of those cells alone: the other end of each is matched."""
        rows = cells.rows[self.col_is_even & ~self.row_is_even]
        cols = cells.cols[self.row_is_even & ~self.col_is_even]
        return len(np.unique(rows)) + len(np.unique(cols))

    @classmethod
    def of(cls, cells: _Cells) -> _Matched:
        row_codes, rows = np.unique(cells.rows, return_inverse=True)
        col_codes, cols = np.unique(cells.cols, return_inverse=True)
        n_rows, n_cols = len(row_codes), len(col_codes)
        if n_rows == n_cols == len(rows):  # no two cells share a row or a column
            nowhere = np.zeros(len(rows), bool)
            return cls(len(rows), nowhere, nowhere)
        partners = maximum_bipartite_matching(
            _graph(rows, cols, (n_rows, n_cols)), perm_type="column"
        )
        is_matched = partners[rows] == cols
        even_rows = _reachable(rows, cols, is_matched, partners < 0, n_cols)
        is_free = np.ones(n_cols, bool)
        is_free[partners[partners >= 0]] = False
        even_cols = _reachable(cols, rows, is_matched, is_free, n_rows)
        return cls(int(np.count_nonzero(partners >= 0)), even_rows[rows], even_cols[cols])


def _reachable(
    near: _Integers,
    far: _Integers,
    is_matched: NDArray[np.bool_],
    is_free: NDArray[np.bool_],
    n_far: int,
) -> NDArray[np.bool_]:
    """Return the near ends that alternating paths reach from free ones.

    A path goes out by any cell, and back by one that is matched.
    """
    n_near = len(is_free)
    source = n_near + n_far
    free = np.flatnonzero(is_free)
    starts = np.concatenate([near, far[is_matched] + n_near, np.full(len(free), source)])
    ends = np.concatenate([far + n_near, near[is_matched], free])
    graph = _graph(starts, ends, (source + 1, source + 1))
    reached = breadth_first_order(graph, source, return_predecessors=False)
    is_reached = np.zeros(source + 1, bool)
    is_reached[reached] = True
    return is_reached[:n_near]


def _graph(starts: _Integers, ends: _Integers, shape: tuple[int, int]) -> csr_array:
    graph = csr_array((np.ones(len(starts), np.int8), (starts, ends)), shape=shape)
    # SciPy's algorithms on graphs take indices of this type; before 1.14 they convert no others.
    graph.indices, graph.indptr = graph.indices.astype(np.int32), graph.indptr.astype(np.int32)
    return graph
