"""Reduced mutual information: shared information less the cost of the contingency table.

A sequence with n_1 to n_q objects of each label is encoded with its Dirichlet-multinomial
probability of concentration alpha, which depends on these numbers only. The candidate is encoded
twice: by itself, and within each cluster of the reference, each time with the best alpha. The
reduced information is the difference of the two code lengths.

All factorials cancel in that difference. The remaining terms are logarithms of rising factorials
over powers, sum of log(1 + k/m) for k below n: with m = alpha for each cell and m = q alpha for
each sum of cells. They vanish as alpha grows, so no digits are lost at any alpha.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._kernels import shortest_code
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare.indices._information import in_base
from sklearn_clustcompare.indices._undefined import ratio, require_whole

Counts = NDArray[np.int64]


def reduced_mutual_info(
    table: ContingencyTable, *, normalize: bool = False, base: float | None = None
) -> float:
    name = "reduced_mutual_info_score"
    require_whole(table, name, "mutual_info_score")
    if not normalize:
        return in_base(_reduced_nats(table.row_sums, table.col_sums, table.cell_counts), base, 1)
    if base is not None:
        msg = f"base must be None for a normalized score, which has no unit, got {base!r}"
        raise ValueError(msg)
    if table.is_identity:
        return 1.0
    sizes = table.col_sums
    if len(sizes) in (1, table.n_samples):  # encoding them costs as much as their information
        return ratio(0, 0, table, name)
    most = _reduced_nats(sizes, sizes, sizes)
    return min(_reduced_nats(table.row_sums, sizes, table.cell_counts) / most, 1.0)


def unit(*, normalize: bool = False, base: float | None = None) -> str:
    if normalize or base is None:
        return "" if normalize else "nats"
    return "bits" if base == 2 else f"base {base:g}"


def _reduced_nats(row_sums: Counts, col_sums: Counts, cells: Counts) -> float:
    if not len(cells):
        return 0.0
    n_labels = len(col_sums)
    alone = shortest_code(col_sums.sum(keepdims=True), col_sums, n_labels)
    return alone - shortest_code(row_sums, cells, n_labels)
