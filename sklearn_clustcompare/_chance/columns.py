"""Mean information under permutation that a cluster adds, by its size, for a fixed other partition.

A sum over the clusters of one side is a sum of functions of their sizes: where many partitions are
compared with one, each size is computed once.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._chance.cells import conditional_gain
from sklearn_clustcompare._chance.hypergeometric import MEAN_PRECISION, node_blocks
from sklearn_clustcompare._chance.margins import Margin, pair_chunks
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
        new = np.unique([size for size in sizes.tolist() if size not in self._known])
        if len(new):
            self._known.update(zip(new.tolist(), zip(*self._means(new), strict=True), strict=True))
        known = np.array([self._known[size] for size in sizes.tolist()]).reshape(-1, 2)
        return known[:, 0], known[:, 1]

    def _means(self, sizes: NDArray[np.int64]) -> NDArray[np.float64]:
        cols = Margin(sizes.astype(np.float64), np.ones(len(sizes)))
        sums = np.zeros((2, len(sizes)))
        for rows, laws in pair_chunks(self._rows, cols, self._n_samples):
            means = np.empty((2, laws.mean.size))
            for block in node_blocks(laws, MEAN_PRECISION):
                given = block.laws.col_size, block.laws.row_size
                for side, given_size in enumerate(given):
                    gains = conditional_gain(block, given_size, self.q)
                    means[side, block.pairs] = np.einsum("np,np->p", block.weights, gains)
            sums += self._rows.multiplicities[rows] @ means.reshape(2, -1, len(sizes))
        return sums
