"""Small tail probabilities of any function of a table, by multilevel splitting.

Random tables with the margins are raised level by level: those below the median of the function are
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
from sklearn_clustcompare._chance.moments import MomentTail
from sklearn_clustcompare._chance.permutation import PermutationModel

# Tables move in so many batches, whose spread is the error: of so many by sums over the cells, and
# of so many by values that take longer.
_N_BATCHES, _BATCH_SIZE, _SMALL_BATCH_SIZE = 8, 128, 64
# Sums that are closer than this share of the largest one tie.
_TIE = 1e-11
# Moves at each level, for each free cell and besides.
_MOVES_PER_CELL, _MORE_MOVES = 20, 60
# CPU seconds that a move of a table takes, about: with sums over the cells, and with other values.
_SECONDS_PER_MOVE, _SECONDS_PER_VALUE = 2.5e-7, 6e-6
# More levels of one half each are below the smallest number.
_MOST_LEVELS = 1100
# Values of cells are looked up, so many of them at most.
MOST_VALUES = 10**7
# Tables of more free cells need too many moves.
MOST_FREE = 10_000


def log_tail(
    row_sums: IntArray,
    col_sums: IntArray,
    function: Callable[..., Any],
    least: float,
    *,
    of_cells: FloatArray | None = None,
    most_seconds: float,
    random_state: Any,
) -> tuple[float, float] | None:
    """Return ln of the probability of values from ``least`` on, and its relative error.

    The function is one of an array of tables, the sums of ``of_cells`` if these are given. None if
    it would take longer than some seconds, as expected of a gamma distribution.
    """
    rng = np.random.default_rng(random_state)
    n_tables = _N_BATCHES * (_SMALL_BATCH_SIZE if of_cells is None else _BATCH_SIZE)
    seed = int(rng.integers(2**31 - 1))
    tables = PermutationModel(row_sums, col_sums).rvs(n_tables, seed).astype(np.int64)
    walk = _Walk(tables, function, of_cells, rng)
    most_levels = int(min(_MOST_LEVELS, most_seconds / walk.seconds))
    if not _can_reach(walk.values, least, most_levels):
        return None
    of_batches, level = np.zeros(_N_BATCHES), -math.inf
    for _ in range(most_levels):
        # Levels of all batches together hardly depend on one of them: else shares were too large.
        values = walk.values[walk.values >= level]  # not those of a batch that ended
        tie = _TIE * float(np.abs(values).max())
        level = float(np.median(values)) - tie
        if level <= values.min():  # at least half tie
            level = float(values[values > values.min() + 2 * tie].min(initial=np.inf)) - tie
        level = min(level, least)
        is_above = (walk.values >= level).reshape(_N_BATCHES, -1)
        with np.errstate(divide="ignore"):
            of_batches += np.log(is_above.mean(axis=1))
        if level >= least or not is_above.any():
            mean = float(logsumexp(of_batches)) - math.log(_N_BATCHES)
            spread = np.exp(of_batches - mean).std(ddof=1) / math.sqrt(_N_BATCHES)
            return min(mean, 0.0), float(spread)
        walk.raise_to(level)
    return None


def _can_reach(values: FloatArray, least: float, most_levels: int) -> bool:
    """Return whether a gamma distribution of these values reaches the tail in so many halves."""
    deviation = float(values.std())
    if most_levels >= _MOST_LEVELS or not deviation:
        return True
    skewness = float((((values - values.mean()) / deviation) ** 3).mean())
    gamma = MomentTail(skewness, 1.5 * skewness**2)
    far = (least - float(values.mean())) / deviation
    return gamma.log_tail(far, is_upper=True) > -math.log(2) * most_levels


def values_of_cells(
    row_sums: IntArray, col_sums: IntArray, function: Callable[..., Any]
) -> FloatArray:
    """Return the values of all counts in each cell, of shape (n_counts, n_rows, n_cols)."""
    a, b = np.meshgrid(row_sums.astype(float), col_sums.astype(float), indexing="ij")
    largest = int(np.minimum(a, b).max())
    counts = np.arange(largest + 1.0)[:, np.newaxis, np.newaxis]
    # Cells are never larger than their clusters; values of others are not used.
    return np.asarray(
        function(np.minimum(counts, np.minimum(a, b)), *np.broadcast_arrays(a, b)), np.float64
    )


class _Walk:
    """Tables that move, with their values."""

    def __init__(
        self,
        tables: IntArray,
        function: Callable[..., Any],
        of_cells: FloatArray | None,
        rng: np.random.Generator,
    ) -> None:
        self.tables, self._function, self._of_cells, self._rng = tables, function, of_cells, rng
        self._shape = n_rows, n_cols = tables.shape[1], tables.shape[2]
        largest = int(np.minimum.outer(tables[0].sum(axis=1), tables[0].sum(axis=0)).max())
        self._log_factorials: FloatArray = gammaln(np.arange(largest + 2.0) + 1)
        self._n_sizes = max(1, largest.bit_length() - 1)
        self._n_moves = _MOVES_PER_CELL * (n_rows - 1) * (n_cols - 1) + _MORE_MOVES
        if of_cells is None:
            self._n_moves //= 2
        self.values: FloatArray = function(tables)

    @property
    def seconds(self) -> float:
        """About how long it takes to raise all tables to a level."""
        each = _SECONDS_PER_VALUE if self._of_cells is None else _SECONDS_PER_MOVE
        return each * self._n_moves * len(self.tables)

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
        if self._of_cells is not None:
            self.values = self._function(self.tables)  # without the rounding errors of the moves

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
        odds = sum(
            self._log_factorials[old] - self._log_factorials[new]
            for old, new in zip(before, after, strict=True)
        )
        tried = np.flatnonzero(fits & (np.log(rng.random(len(moving))) < odds))
        rows, values = moving[tried], self.values[moving[tried]]
        places = [(rows, row[tried], col[tried]) for row, col, _ in cells]
        if self._of_cells is not None:
            for old, new, (_, row, col) in zip(before, after, places, strict=True):
                values += self._of_cells[new[tried], row, col]
                values -= self._of_cells[old[tried], row, col]
        for new, place in zip(after, places, strict=True):
            self.tables[place] = new[tried]
        if self._of_cells is None:
            values = self._function(self.tables[rows])
        lost = values < level
        self.values[rows[~lost]] = values[~lost]
        for old, (table, row, col) in zip(before, places, strict=True):
            self.tables[table[lost], row[lost], col[lost]] = old[tried][lost]
