"""Small tail probabilities of a sum over the cells of a table, by multilevel splitting.

Random tables with the margins are raised level by level: those below the median of the sum are
replaced by copies of the others, and all of them make random moves that keep the margins and the
level. The tail is the product of the shares above the levels [1]_ [2]_.

References
----------
.. [1] Z. I. Botev, D. P. Kroese, "Efficient Monte Carlo simulation via the generalized splitting
   method", Statistics and Computing 22(1), 2012, :doi:`10.1007/s11222-010-9201-4`.
.. [2] A. Guyader, N. Hengartner, E. Matzner-Lober, "Simulation and estimation of extreme quantiles
   and extreme probabilities", Applied Mathematics & Optimization 64(2), 2011,
   :doi:`10.1007/s00245-011-9135-z`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import gammaln, logsumexp

from sklearn_clustcompare._array_types import FloatArray, IntArray, Positions
from sklearn_clustcompare._chance.permutation import PermutationModel

# Tables move in so many batches of so many, whose spread is the error.
_N_BATCHES, _BATCH_SIZE = 8, 128
# Sums that are closer than this share of the largest one tie.
_TIE = 1e-11
# Moves at each level, for each free cell and besides.
_MOVES_PER_CELL, _MORE_MOVES = 20, 60
# More levels of one half each are below the smallest number.
_MOST_LEVELS = 1100
# Values of cells are looked up, so many of them at most.
MOST_VALUES = 10**7


def log_tail(
    row_sums: Any,
    col_sums: Any,
    function: Callable[..., Any],
    least: float,
    *,
    is_upper: bool,
    random_state: Any,
) -> tuple[float, float]:
    """Return the logarithm of the probability of sums from ``least`` on, and its relative error."""
    rng = np.random.default_rng(random_state)
    n_tables = _N_BATCHES * _BATCH_SIZE
    seed = int(rng.integers(2**31 - 1))
    tables = PermutationModel(row_sums, col_sums).rvs(n_tables, seed).astype(np.int64)
    walk = _Walk(np.asarray(row_sums), np.asarray(col_sums), function, tables, rng, is_upper)
    least = least if is_upper else -least
    of_batches = np.zeros(_N_BATCHES)
    for _ in range(_MOST_LEVELS):
        # Levels of all batches together hardly depend on one of them: else shares were too large.
        values = walk.values
        tie = _TIE * float(np.abs(values).max())
        level = float(np.median(values)) - tie
        if level <= values.min():  # at least half tie
            level = float(values[values > values.min() + 2 * tie].min(initial=np.inf)) - tie
        level = min(level, least)
        is_above = (walk.values >= level).reshape(_N_BATCHES, -1)
        with np.errstate(divide="ignore"):
            of_batches += np.log(is_above.mean(axis=1))
        if level >= least or not is_above.any():
            break
        walk.raise_to(level)
    mean = float(logsumexp(of_batches)) - math.log(_N_BATCHES)
    spread = np.exp(of_batches - mean).std(ddof=1) / math.sqrt(_N_BATCHES)
    return min(mean, 0.0), float(spread)


class _Walk:
    """Tables that move, with the sums over their cells."""

    def __init__(
        self,
        row_sums: IntArray,
        col_sums: IntArray,
        function: Callable[..., Any],
        tables: IntArray,
        rng: np.random.Generator,
        is_upper: bool,
    ) -> None:
        self.tables, self._rng = tables, rng
        self._shape = len(row_sums), len(col_sums)
        a, b = np.meshgrid(row_sums.astype(float), col_sums.astype(float), indexing="ij")
        largest = int(np.minimum(a, b).max())
        counts = np.arange(largest + 1.0)[:, np.newaxis, np.newaxis]
        # Cells are never larger than their clusters; values of others are not used.
        of_cells = function(np.minimum(counts, np.minimum(a, b)), *np.broadcast_arrays(a, b))
        self._of_cells: FloatArray = (1 if is_upper else -1) * np.asarray(of_cells, np.float64)
        self._log_factorials: FloatArray = gammaln(np.arange(largest + 2.0) + 1)
        self._n_sizes = max(1, largest.bit_length() - 1)
        free = (self._shape[0] - 1) * (self._shape[1] - 1)
        self._n_moves = _MOVES_PER_CELL * free + _MORE_MOVES
        self.values = self._sums()

    def _sums(self) -> FloatArray:
        rows, cols = np.indices(self._shape)
        return np.asarray(self._of_cells[self.tables, rows, cols].sum(axis=(1, 2)))

    def raise_to(self, level: float) -> None:
        """Replace tables below the level by others of their batch, and move all."""
        for members in np.arange(len(self.tables)).reshape(_N_BATCHES, -1):
            is_kept = self.values[members] >= level
            kept, lost = members[is_kept], members[~is_kept]
            if len(kept):
                chosen = self._rng.choice(kept, len(lost))
                self.tables[lost], self.values[lost] = self.tables[chosen], self.values[chosen]
        moving = np.flatnonzero(self.values >= level)  # not those of a batch that ended
        for _ in range(self._n_moves):
            self._move(moving, level)
        self.values = self._sums()  # without the rounding errors of the moves

    def _move(self, moving: Positions, level: float) -> None:
        """Move objects between two rows and two columns of each table, as Metropolis accepts."""
        rng, (n_rows, n_cols) = self._rng, self._shape
        i, j = rng.integers(n_rows, size=len(moving)), rng.integers(n_cols, size=len(moving))
        k = (i + rng.integers(1, n_rows, size=len(moving))) % n_rows
        m = (j + rng.integers(1, n_cols, size=len(moving))) % n_cols
        size = 1 << rng.integers(self._n_sizes, size=len(moving))
        cells = [(i, j, size), (k, m, size), (i, m, -size), (k, j, -size)]
        before = [self.tables[moving, row, col] for row, col, _ in cells]
        after = [one + step for one, (_, _, step) in zip(before, cells, strict=True)]
        fits = np.minimum(after[2], after[3]) >= 0
        after = [np.where(fits, new, old) for new, old in zip(after, before, strict=True)]
        odds, change = np.zeros(len(moving)), np.zeros(len(moving))
        for old, new, (row, col, _) in zip(before, after, cells, strict=True):
            odds += self._log_factorials[old] - self._log_factorials[new]
            change += self._of_cells[new, row, col] - self._of_cells[old, row, col]
        values = self.values[moving] + change
        accepted = fits & (values >= level) & (np.log(rng.random(len(moving))) < odds)
        rows = moving[accepted]
        for new, (row, col, _) in zip(after, cells, strict=True):
            self.tables[rows, row[accepted], col[accepted]] = new[accepted]
        self.values[rows] = values[accepted]
