"""The partition with the least average loss to many, by moves of cells and unions of clusters.

What the sums are, and what rows and slots: see ``loops/consensus.h``, of which this is the form in
NumPy. Both visit the cells in the same order; their sums differ by rounding.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._array_types import Array, FloatArray, IntArray, Mask, Positions

LINEAR, RAND, ENTROPY, JOINT, LARGER, MEAN, UNION, SUM, PRODUCT = range(9)

_COLUMNS_AT_ONCE = 8
_DRAWS_AT_ONCE = 64
_MOST_UNITED = 2048
_MASK = 2**64 - 1


class WeightedDraws(NamedTuple):
    """Partitions, their weights, and what the loss of one is.

    ``rows`` has the row of each cell in each slot; ``slots`` that of each row; ``f`` the function
    that is summed, of 0 to 2 n + 1; ``own`` and ``most`` the sums u and F of each draw.
    """

    rows: NDArray[np.int32]
    slots: NDArray[np.int32]
    sizes: NDArray[np.int32]
    f: FloatArray
    weights: FloatArray
    own: FloatArray
    most: FloatArray
    loss: int
    is_micro: bool
    cost: float


class Climbed(NamedTuple):
    """Where a search ended: cluster of each cell, losses on the way, whether none is better.

    ``is_full`` says that more columns could have made it better.
    """

    labels: NDArray[np.int32]
    history: list[float]
    is_optimum: bool
    is_full: bool


class Ratio(NamedTuple):
    """Top and bottom of the loss of each draw, and their derivatives by t and v."""

    top: FloatArray
    bottom: FloatArray
    top_t: FloatArray
    top_v: FloatArray
    bottom_t: FloatArray
    bottom_v: FloatArray


def loss_parts(
    loss: int, cost: float, t: FloatArray, u: FloatArray, v: FloatArray, most: FloatArray
) -> Ratio:
    """Return the parts of a loss of draws, of which it is the ratio."""
    zero: FloatArray = np.zeros(np.broadcast(t, u, v, most).shape)
    one: Any = np.ones(1)
    bottom: Any
    top: Any
    top, bottom, top_t, top_v = u + v - 2 * t, zero + 1, -2 * one, one
    bottom_t: Any = zero
    bottom_v: Any = zero
    if loss == LINEAR:
        top, top_v = cost * v + (2 - cost) * u - 2 * t, cost * one
    elif loss == RAND:
        top, top_t, top_v = top / 2, -one, 0.5 * one
        bottom, bottom_v = (
            (u + v) / 2 - u * v / np.maximum(most, 1e-300),
            0.5 - u / np.maximum(most, 1e-300),
        )
    elif loss in (ENTROPY, LARGER):
        top, top_t, top_v = np.maximum(u, v) - t, -one, (v > u) * 1.0
        if loss == LARGER:
            bottom, bottom_v = most - np.minimum(u, v), -1.0 * (v < u)
    elif loss == JOINT:
        bottom, bottom_t = most - t, -one
    elif loss == MEAN:
        bottom, bottom_v = 2 * most - u - v, -one
    elif loss == UNION:
        bottom, bottom_t, bottom_v = u + v - t, -one, one
    elif loss == SUM:
        bottom, bottom_v = u + v, one
    elif loss == PRODUCT:
        bottom = np.sqrt(u * v)
        top, top_t = bottom - t, -one
        top_v = bottom_v = np.divide(bottom, 2 * v, out=zero.copy(), where=(v + zero) > 0)
    parts = [
        np.array(np.broadcast_to(part, zero.shape))
        for part in (top, bottom, top_t, top_v, bottom_t, bottom_v)
    ]
    # 0/0: equal partitions, or a product of which one factor is 0.
    lost = parts[1] <= 1e-9 * most
    parts[0][lost] = (np.abs(u - v) > 1e-9 * most)[lost]
    parts[1][lost] = 1.0
    for part in parts[2:]:
        part[lost] = 0.0
    return Ratio(*parts)


def climb_partition(
    draws: WeightedDraws,
    labels: NDArray[np.int32],
    bounds: tuple[int, int],
    width: int,
    n_exact: int,
    dissolves: bool,
    max_rounds: int,
    seed: int,
) -> Climbed:
    """Place the cells of label -1, then move cells and unite clusters while the loss gets less."""
    search = _Search(draws, labels, bounds, width, n_exact, seed)
    history = [search.loss]
    is_optimum = False
    while not is_optimum and len(history) <= max_rounds:
        moved = search.settle()
        united = search.unite()
        dissolved = not united and dissolves and search.dissolve()
        dissolves &= united
        if moved or united or dissolved:
            history.append(search.loss)
        is_optimum = not united and not dissolved
    return Climbed(search.labels, history, is_optimum, search.is_full)


class _Search:
    def __init__(
        self,
        draws: WeightedDraws,
        labels: NDArray[np.int32],
        bounds: tuple[int, int],
        width: int,
        n_exact: int,
        seed: int,
    ) -> None:
        self.draws, self.labels = draws, labels.astype(np.int32)
        (self.low, self.high), self.width = bounds, width
        self.n_exact, self.random, self.is_full = n_exact, seed, False
        self.n_rows, self.n_draws = len(draws.slots), len(draws.weights)
        self.counts = np.zeros((self.n_rows + 1, width), np.int64)
        self.n_inside = np.zeros(width, np.int64)
        self.margins, self.n_used = np.zeros(len(labels)), 0
        self.sums: FloatArray = np.zeros(draws.rows.shape[1])
        for cell in np.flatnonzero(self.labels >= 0).tolist():
            self._count(cell, int(self.labels[cell]), 1)
        last = int(self.labels.max(initial=-1))
        self.n_used = (last // _COLUMNS_AT_ONCE + 1) * _COLUMNS_AT_ONCE
        self._place(np.flatnonzero(self.labels < 0).tolist())
        self._weigh()

    @property
    def n_clusters(self) -> int:
        return int(np.count_nonzero(self.n_inside))

    def settle(self, moved: Mask | None = None) -> bool:
        """Visit cells until none moves: those that moved or nearly did, and all unless some did."""
        n_cells, is_whole, any_moved = len(self.labels), moved is None, False
        listed = np.arange(n_cells) if moved is None else self._near(moved)
        while True:
            order, is_full = listed.tolist(), len(listed) == n_cells
            self._shuffle(order)
            moved = np.zeros(n_cells, bool)
            for cell in order:
                moved[cell] = self._visit(cell)
            if moved.any():
                any_moved = True
                listed = self._near(moved)
            elif is_full or not is_whole:
                return any_moved
            else:
                listed = np.arange(n_cells)

    def dissolve(self) -> bool:
        """Dissolve each cluster in turn and place its cells anew, where that is better."""
        is_better = False
        for cluster in range(self.n_used):
            inside = self.labels == cluster
            if not inside.any() or inside.all():
                continue
            loss, labels, sums = self.loss, self.labels.copy(), self.sums.copy()
            for cell in np.flatnonzero(inside).tolist():
                self._count(cell, cluster, -1)
            self._place(np.flatnonzero(inside).tolist())
            self._weigh()
            self.settle(inside)
            if _is_less(self.loss, loss):
                self.settle()
                is_better = True
                continue
            for cell in np.flatnonzero(self.labels != labels).tolist():
                self._count(cell, int(self.labels[cell]), -1)
                self._count(cell, int(labels[cell]), 1)
            self.sums = sums
            self._weigh()
        return is_better

    def unite(self) -> bool:
        """Unite the two clusters whose union is best, if it is better."""
        if self.n_clusters <= max(self.low, 1) or self.n_used > _MOST_UNITED:
            return False
        f, slots = self.draws.f, self.draws.slots
        counts = self.counts[: self.n_rows]
        first, second = np.triu_indices(self.n_used, 1)
        both = (self.n_inside[first] > 0) & (self.n_inside[second] > 0)
        first, second = first[both], second[both]
        changes = np.array(
            [
                _total(
                    self.slopes[slots].astype(float) * _union(f, counts[:, one], counts[:, other])
                )
                for one, other in zip(first.tolist(), second.tolist(), strict=True)
            ]
        )
        for pair in np.argsort(changes, kind="stable")[: self.n_exact].tolist():
            if self.n_exact <= 2 and changes[pair] > 1e-6 * abs(self.loss):
                return False
            one, other = first[pair], second[pair]
            added = _union(f, counts[:, one], counts[:, other])
            trial = self.sums + np.bincount(slots, added, len(self.sums)).astype(float)
            loss = self._loss(trial)
            if _is_less(loss, self.loss):
                for cell in np.flatnonzero(self.labels == other).tolist():
                    self._count(cell, int(other), -1)
                    self._count(cell, int(one), 1)
                self._weigh()
                return True
        return False

    def _near(self, moved: Mask) -> Positions:
        limit = np.sort(self.margins)[(15 * len(moved)) // 100]
        return np.flatnonzero(moved | (self.margins <= limit))

    def _weigh(self) -> None:
        self.loss, self.slopes = self._loss(self.sums), self._slopes(self.sums)

    def _place(self, order: list[int]) -> None:
        """Place cells, one by one, where they add least to a linear loss."""
        draws, n_sizes = self.draws, self.draws.rows.shape[1] - self.n_draws
        cost = draws.cost if draws.loss == LINEAR else 1.0
        of_sizes = draws.weights if n_sizes > 1 else np.array([_total(draws.weights)])
        self.slopes = np.concatenate([-2 * draws.weights, cost * of_sizes]).astype(np.float32)
        self._shuffle(order)
        for number, cell in enumerate(order):
            empty = best = self._empty()
            if len(order) - number > self.low - self.n_clusters or empty < 0:
                found, _ = self._changes(cell, -1)
                best = self._least(found, -1, empty)
            self._count(cell, best, 1)

    def _shuffle(self, order: list[int]) -> None:
        """Shuffle as the loop in C does (Fisher-Yates, SplitMix64)."""
        for k in range(len(order) - 1, 0, -1):
            self.random = (self.random + 0x9E3779B97F4A7C15) & _MASK
            z = self.random
            z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
            z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
            other = (z ^ (z >> 31)) % (k + 1)
            order[k], order[other] = order[other], order[k]

    def _ratio(self, sums: FloatArray) -> Ratio:
        draws = self.draws
        t, v = sums[: self.n_draws], sums[self.n_draws :]
        return loss_parts(draws.loss, draws.cost, t, draws.own, v, draws.most)

    def _loss(self, sums: FloatArray) -> float:
        ratio, weights = self._ratio(sums), self.draws.weights
        if self.draws.is_micro:
            bottom = _total(weights * ratio.bottom)
            return _total(weights * ratio.top) / bottom if bottom > 0 else 0.0
        return _total(weights * (ratio.top / ratio.bottom))

    def _slopes(self, sums: FloatArray) -> NDArray[np.float32]:
        ratio, weights = self._ratio(sums), self.draws.weights
        quotient, scale = ratio.top / ratio.bottom, weights / ratio.bottom
        if self.draws.is_micro:
            bottom = _total(weights * ratio.bottom)
            quotient, scale = np.full_like(scale, self._loss(sums)), weights / (bottom or 1.0)
        by_t = scale * (ratio.top_t - quotient * ratio.bottom_t)
        by_v = scale * (ratio.top_v - quotient * ratio.bottom_v)
        n_sizes = len(sums) - self.n_draws
        return np.concatenate([by_t, by_v if n_sizes > 1 else [_total(by_v)]]).astype(np.float32)

    def _count(self, cell: int, cluster: int, sign: int) -> None:
        f, rows = self.draws.f, self.draws.rows[cell]
        known = np.flatnonzero(rows < self.n_rows)
        counts = self.counts[rows[known], cluster]
        self.counts[rows[known], cluster] = after = counts + sign * self.draws.sizes[cell]
        self.sums[known] = self.sums[known] - f[counts] + f[after]
        self.n_inside[cluster] += sign
        if sign > 0:
            self.labels[cell] = cluster

    def _changes(self, cell: int, own: int) -> tuple[FloatArray, float]:
        """Return what joining each cluster would add to the loss, and what its own has of it."""
        f, rows, size = self.draws.f, self.draws.rows[cell], int(self.draws.sizes[cell])
        known = rows < self.n_rows
        counts, slopes = self.counts[rows, : self.n_used], self.slopes
        joined = (f[counts + size] - f[counts]) * known[:, np.newaxis]
        left = np.zeros(len(rows))
        if own >= 0:
            left[known] = f[counts[known, own]] - f[counts[known, own] - size]
        if size > 1:
            return (slopes[:, np.newaxis] * joined).sum(axis=0), _total(slopes * left)
        # In blocks of the short floats that the loop in C adds up.
        found, stay = np.zeros(self.n_used), 0.0
        for start in range(0, len(rows), _DRAWS_AT_ONCE):
            block = slice(start, start + _DRAWS_AT_ONCE)
            found += (slopes[block, np.newaxis] * joined[block].astype(np.float32)).sum(axis=0)
            stay += _total(slopes[block] * left[block].astype(np.float32))
        return found, stay

    def _empty(self) -> int:
        if self.n_clusters >= self.high:
            return -1
        empty = np.flatnonzero(self.n_inside == 0)
        if not len(empty):
            self.is_full = True
            return -1
        if empty[0] >= self.n_used:
            self.n_used += _COLUMNS_AT_ONCE
        return int(empty[0])

    def _least(self, found: FloatArray, own: int, empty: int) -> int:
        allowed = (self.n_inside[: len(found)] > 0) & (found < np.inf)
        if empty >= 0:
            allowed[empty] = found[empty] < np.inf
        if own >= 0:
            allowed[own] = False
        return int(np.where(allowed, found, np.inf).argmin()) if allowed.any() else -1

    def _visit(self, cell: int) -> bool:
        """Move a cell to a better cluster, if there is one."""
        own, empty = int(self.labels[cell]), -1
        is_alone = self.n_inside[own] == 1
        self.margins[cell] = np.inf
        if is_alone and self.n_clusters <= self.low:
            return False
        if not is_alone:
            empty = self._empty()
        found, stay = self._changes(cell, own)
        for number in range(self.n_exact):
            best = self._least(found, own, empty)
            if best < 0:
                return False
            if number == 0:
                self.margins[cell] = found[best] - stay
            if self.n_exact <= 2 and found[best] - stay > 1e-5 * abs(stay):
                return False
            trial = self._after(cell, own, best)
            loss = self._loss(trial)
            if _is_less(loss, self.loss):
                self._count(cell, own, -1)
                self._count(cell, best, 1)
                self._weigh()
                return True
            found[best] = np.inf
        return False

    def _after(self, cell: int, own: int, to: int) -> FloatArray:
        f, rows, size = self.draws.f, self.draws.rows[cell], int(self.draws.sizes[cell])
        known = np.flatnonzero(rows < self.n_rows)
        left, joined = self.counts[rows[known], own], self.counts[rows[known], to]
        trial = self.sums.copy()
        trial[known] += f[joined + size] - f[joined]
        trial[known] += f[left - size] - f[left]
        return trial


def _total(values: Array) -> float:
    """Add up one by one, as the loop in C does."""
    return float(np.cumsum(values)[-1]) if len(values) else 0.0


def _union(f: FloatArray, one: IntArray, other: IntArray) -> FloatArray:
    return np.asarray(f[one + other] - f[one] - f[other])


def _is_less(loss: float, other: float) -> bool:
    return loss < other - 1e-12 * (1 + abs(other))
