"""Optimal one-to-one matching of the rows of a table with its columns.

A cell that is at least the sum of the next best of its row and the next best of its column is in an
optimal matching: any other matching has at most those two instead. For nearly equal partitions such
cells settle almost all of the matching, whatever the number of clusters. The rest splits into
connected components, and a solver, whose time is at least quadratic in the number of clusters, is
needed only within these.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment
from scipy.sparse import coo_array, csr_array
from scipy.sparse.csgraph import connected_components, min_weight_full_bipartite_matching

from sklearn_clustcompare._array_types import Array, FloatArray, IntArray, Positions
from sklearn_clustcompare._kernels import fits_densely

# The search for settled cells continues while it settles this share of the rest.
_SETTLED_SHARE = 0.1
# Components are solved together, about this many cells at a time: with more the solver takes
# longer, with fewer the calls do.
_GROUP_CELLS = 256


def optimal_matching(
    rows: IntArray, cols: IntArray, counts: Array, shape: tuple[int, int]
) -> Positions:
    """Match rows with columns so that the matched cells have the largest sum.

    Cells are given row by row by their row, column and positive count; empty cells are not matched.
    Returns the positions of the matched cells, in ascending order.
    """
    if fits_densely(shape, len(counts)):
        return _solve(rows, cols, counts, shape)
    settled, left = _settle(rows, cols, counts, shape)
    solved = [
        group[_solve_group(rows[group], cols[group], counts[group])]
        for group in _components(left, rows, cols, shape)
    ]
    return np.sort(np.concatenate([*settled, *solved]))


def largest_cells(codes: IntArray, counts: Array, n_codes: int) -> Positions:
    """Return the position of the largest cell of each row, or column; the first of equal ones."""
    ascending = np.argsort(-counts, kind="stable")[::-1]
    largest = np.zeros(n_codes, np.intp)
    largest[codes[ascending]] = ascending
    return largest


def largest_values(codes: IntArray, values: Array, n_codes: int) -> Array:
    """Return the largest value of the cells of each row, or column; 0 for those without cells."""
    largest = np.zeros(n_codes, values.dtype)
    np.maximum.at(largest, codes, values)
    return largest


def _settle(
    rows: IntArray, cols: IntArray, counts: Array, shape: tuple[int, int]
) -> tuple[list[Positions], Positions]:
    """Return cells of an optimal matching, and the cells of all other rows and columns."""
    settled = []
    left = np.arange(len(counts))
    while len(left):
        own = counts[left]
        is_settled = own >= sum(
            _best_other(codes[left], own, n_codes)
            for codes, n_codes in zip((rows, cols), shape, strict=True)
        )
        chosen = left[is_settled]
        # Two cells in one row or column have the same count and are alone in their columns or rows.
        for codes in (rows, cols):
            chosen = chosen[np.unique(codes[chosen], return_index=True)[1]]
        settled.append(chosen)
        row_is_free, col_is_free = (np.ones(n_codes, bool) for n_codes in shape)
        row_is_free[rows[chosen]] = col_is_free[cols[chosen]] = False
        n_before = len(left)
        left = left[row_is_free[rows[left]] & col_is_free[cols[left]]]
        if len(left) > (1 - _SETTLED_SHARE) * n_before:
            break
    return settled, left


def _best_other(codes: IntArray, counts: Array, n_codes: int) -> Array:
    """Return for each cell the largest of the others of its row, or column; 0 if there is none."""
    best = largest_values(codes, counts, n_codes)
    is_best = counts == best[codes]
    second = largest_values(codes[~is_best], counts[~is_best], n_codes)
    is_tied = np.bincount(codes[is_best], minlength=n_codes) > 1
    second[is_tied] = best[is_tied]
    return np.where(is_best, second[codes], best[codes])


def _components(
    cells: Positions, rows: IntArray, cols: IntArray, shape: tuple[int, int]
) -> Iterator[Positions]:
    """Yield the cells by connected component, small components together."""
    if not len(cells):
        return
    n_clusters = sum(shape)
    graph = graph_of(np.ones(len(cells)), rows[cells], cols[cells] + shape[0], (n_clusters,) * 2)
    of_cells = connected_components(graph, directed=False)[1][rows[cells]]
    order = np.argsort(of_cells, kind="stable")
    ends = np.cumsum(np.bincount(of_cells))
    ends = ends[np.flatnonzero(np.diff(ends // _GROUP_CELLS, prepend=0))]
    yield from filter(len, np.split(cells[order], ends))


def _solve_group(rows: IntArray, cols: IntArray, counts: Array) -> Positions:
    (row_codes, rows), (col_codes, cols) = (
        np.unique(codes, return_inverse=True) for codes in (rows, cols)
    )
    return _solve(rows, cols, counts, (len(row_codes), len(col_codes)))


def _solve(rows: IntArray, cols: IntArray, counts: Array, shape: tuple[int, int]) -> Positions:
    partners = np.full(shape[0], -1)
    if fits_densely(shape, len(counts)):
        dense = np.zeros(shape, counts.dtype)
        dense[rows, cols] = counts
        matched_rows, matched_cols = linear_sum_assignment(dense, maximize=True)
    elif shape[0] > shape[1]:
        matched_cols, matched_rows = _solve_sparse(cols, rows, counts, shape[::-1])
    else:
        matched_rows, matched_cols = _solve_sparse(rows, cols, counts, shape)
    partners[matched_rows] = matched_cols
    return np.flatnonzero(partners[rows] == cols)


def _solve_sparse(
    rows: IntArray, cols: IntArray, counts: Array, shape: tuple[int, int]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Match each row with a column, or with its own empty one, which the solver requires.

    Counts are raised by one, since the solver has no edges of weight zero.
    """
    n_rows, n_cols = shape
    own = np.arange(n_rows)
    graph = graph_of(
        np.concatenate([counts + 1.0, np.ones(n_rows)]),
        np.append(rows, own),
        np.append(cols, n_cols + own),
        (n_rows, n_cols + n_rows),
    )
    matched_rows, matched_cols = min_weight_full_bipartite_matching(graph, maximize=True)
    is_given = matched_cols < n_cols
    return matched_rows[is_given], matched_cols[is_given]


def graph_of(
    weights: FloatArray,
    starts: IntArray,
    ends: IntArray,
    shape: tuple[int, int],
) -> csr_array:
    """Return a graph for SciPy's algorithms."""
    # Before 1.14 they take indices of this type only.
    indices = starts.astype(np.int32), ends.astype(np.int32)
    return csr_array(coo_array((weights, indices), shape=shape))
