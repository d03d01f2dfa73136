"""Mean information under permutation that a cluster adds, by its size, for a fixed other partition.

A sum over the clusters of one side is a sum of functions of their sizes: where many partitions are
compared with one, each size is computed once.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._chance.cells import conditional_gain_sums
from sklearn_clustcompare._chance.margins import Margin
from sklearn_clustcompare._numerics import FloatArray


class ColumnMeans:
    """Means of the conditional entropies of order q that a column adds, given the row sums."""

    def __init__(self, row_sums: NDArray[np.int64], q: float) -> None:
        self._rows = Margin.from_sums(row_sums)
        self._n_samples = float(row_sums.sum())
        self.q = q
        self._known: dict[int, tuple[float, float]] = {}

    def __call__(self, sizes: NDArray[np.int64]) -> tuple[FloatArray, FloatArray]:
        """Return the means for columns of these sizes, in nats for q = 1.

        Their sums over all columns are the means of H_q(U | V) and of H_q(V | U), where U are the
        rows and V the columns.
        """
        for size in set(sizes.tolist()).difference(self._known):
            self._known[size] = self._means(size)
        known = np.array([self._known[size] for size in sizes.tolist()]).reshape(-1, 2)
        return known[:, 0], known[:, 1]

    def _means(self, size: int) -> tuple[float, float]:
        column = Margin(np.array([float(size)]), np.ones(1))
        in_rows, in_columns = conditional_gain_sums(self._rows, column, self._n_samples, self.q)
        return self._rows.total(in_rows), float(in_columns[0])
