"""The partition with the least average loss to many, by moves of cells and unions of clusters.

What the sums are, and what rows and slots: see ``loops/consensus.h``, of which this is the form in
NumPy. It tries every move exactly, so that it needs no slopes; the optimum may be another one.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._array_types import FloatArray, Mask, Positions

LINEAR, RAND, ENTROPY, JOINT, LARGER, MEAN, UNION, SUM, PRODUCT = range(9)


class WeightedDraws(NamedTuple):
    """Partitions, their weights, and what the loss of one is.

    ``rows`` has the row of each cell in each slot; ``slots`` that of each row; ``f`` the function
    that is summed, of 0 to 2 n + 1; ``own`` and ``most`` the sums u and F of each draw. ``pairs``
    has what two cells together add to a linear loss of pairs, and ``apart`` is the loss of none.
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
    pairs: FloatArray | None = None
    apart: float = 0.0


class Climbed(NamedTuple):
    """Where a search ended: cluster of each cell, losses on the way, whether none is better.

    ``is_full`` says that more columns could have made it better.
    """

    labels: NDArray[np.int32]
    history: list[float]
    is_optimum: bool
    is_full: bool


def loss_parts(
    loss: int, cost: float, t: FloatArray, u: FloatArray, v: FloatArray, most: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the parts of a loss of draws, of which it is the ratio."""
    top: Any = u + v - 2 * t
    bottom: Any = np.ones_like(top)
    if loss == LINEAR:
        top = cost * v + (2 - cost) * u - 2 * t
    elif loss == RAND:
        top = top / 2
        bottom = (u + v) / 2 - u * v / np.maximum(most, 1e-300)
    elif loss in (ENTROPY, LARGER):
        top = np.maximum(u, v) - t
        bottom = most - np.minimum(u, v) if loss == LARGER else bottom
    elif loss == JOINT:
        bottom = most - t
    elif loss == MEAN:
        bottom = 2 * most - u - v
    elif loss == UNION:
        bottom = u + v - t
    elif loss == SUM:
        bottom = u + v
    elif loss == PRODUCT:
        bottom = np.sqrt(u * v)
        top = bottom - t
    # 0/0: equal partitions, or a product of which one factor is 0.
    lost = bottom <= 1e-9 * most
    return np.where(lost, np.abs(u - v) > 1e-9 * most, top), np.where(lost, 1.0, bottom)


def pair_losses(codes: NDArray[np.int32], weights: FloatArray, cost: float) -> FloatArray:
    """Return what two objects together add to a linear loss of pairs, below the diagonal."""
    losses = np.zeros((codes.shape[1],) * 2)
    for labels, weight in zip(codes, weights, strict=True):
        known = labels >= 0
        together = (labels == labels[:, np.newaxis]) & known
        losses += weight * (cost * np.outer(known, known) - 2 * together)
    return np.tril(losses, -1)


def climb_partition(
    draws: WeightedDraws,
    labels: NDArray[np.int32],
    bounds: tuple[int, int],
    width: int,
    n_exact: int,
    most_added: float,
    max_rounds: int,
    most_united: int,
    seed: int,
) -> Climbed:
    """Place the cells of label -1, then move cells and unite clusters while the loss gets less.

    In the end clusters are dissolved; in C the partition is heated and cooled first, and no more
    than about ``most_added`` numbers are added up.
    Among more than ``most_united`` columns no unions are tried.
    """
    search = _Search(draws, labels, bounds, width, seed)
    history = [search.loss]
    is_optimum, dissolves = False, most_added > 0
    while not is_optimum and len(history) <= max_rounds:
        moved = search.settle(np.arange(len(labels)))
        united = width <= most_united and search.unite()
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
        seed: int,
    ) -> None:
        self.draws, self.labels, (self.low, self.high) = draws, labels.astype(np.int32), bounds
        self.random, self.is_full = np.random.default_rng(seed), False
        self.counts = np.zeros((len(draws.slots) + 1, width), np.int64)
        self.n_inside = np.zeros(width, np.int64)
        self.sums: FloatArray = np.zeros(draws.rows.shape[1])
        for cell in np.flatnonzero(self.labels >= 0).tolist():
            self._count(cell, int(self.labels[cell]), 1)
        self._place(np.flatnonzero(self.labels < 0))

    @property
    def loss(self) -> float:
        return float(self._losses(self.sums[:, np.newaxis])[0])

    @property
    def n_clusters(self) -> int:
        return int(np.count_nonzero(self.n_inside))

    def settle(self, cells: Positions) -> bool:
        """Visit cells until none of them moves; return whether any did."""
        n_moved, n_before = 0, -1
        while n_moved > n_before:
            n_before = n_moved
            n_moved += sum(self._visit(cell) for cell in self.random.permutation(cells).tolist())
        return n_moved > 0

    def dissolve(self) -> bool:
        """Dissolve each cluster in turn and place its cells anew, where that is better."""
        any_better = False
        for cluster in range(len(self.n_inside)):
            inside = np.flatnonzero(self.labels == cluster)
            if not 0 < len(inside) < len(self.labels):
                continue
            before = self.loss, self.labels.copy(), self.counts, self.n_inside, self.sums
            self.counts, self.n_inside = self.counts.copy(), self.n_inside.copy()
            for cell in inside.tolist():
                self._count(cell, cluster, -1)
            self._place(inside)
            self.settle(np.arange(len(self.labels)))
            if _is_less(self.loss, before[0]):
                any_better = True
            else:
                _, self.labels, self.counts, self.n_inside, self.sums = before
        return any_better

    def unite(self) -> bool:
        """Unite the two clusters whose union is best, if it is better."""
        if self.n_clusters <= max(self.low, 1):
            return False
        f, counts = self.draws.f, self.counts[:-1]
        clusters = np.flatnonzero(self.n_inside)
        best, pair = self.loss, (-1, -1)
        for one in clusters.tolist():
            others = clusters[clusters > one]
            added = f[counts[:, [one]] + counts[:, others]] - f[counts[:, [one]]]
            sums = np.repeat(self.sums[:, np.newaxis], len(others), axis=1)
            np.add.at(sums, self.draws.slots, added - f[counts[:, others]])
            losses = self._losses(sums)
            if len(others) and _is_less(losses.min(), best):
                best, pair = losses.min(), (one, int(others[losses.argmin()]))
        for cell in np.flatnonzero(self.labels == pair[1]).tolist():
            self._count(cell, pair[1], -1)
            self._count(cell, pair[0], 1)
        return pair[0] >= 0

    def _place(self, cells: Positions) -> None:
        """Place cells, one by one, where they add least to a linear loss."""
        draws, n_draws = self.draws, len(self.draws.weights)
        cost = draws.cost if draws.loss == LINEAR else 1.0
        for number, cell in enumerate(self.random.permutation(cells).tolist()):
            empty = best = self._empty()
            if len(cells) - number > self.low - self.n_clusters or empty < 0:
                added = self._joined(cell)
                by_size = np.broadcast_to(added[n_draws:], added[:n_draws].shape)
                found = draws.weights @ (cost * by_size - 2 * added[:n_draws])
                best = int(np.where(self._open(-1, empty), found, np.inf).argmin())
            self._count(cell, best, 1)

    def _losses(self, sums: FloatArray) -> FloatArray:
        """Return the loss of each column of sums."""
        draws, n_draws = self.draws, len(self.draws.weights)
        own, most = draws.own[:, np.newaxis], draws.most[:, np.newaxis]
        top, bottom = loss_parts(draws.loss, draws.cost, sums[:n_draws], own, sums[n_draws:], most)
        if draws.is_micro:
            below = draws.weights @ bottom
            return np.divide(draws.weights @ top, below, out=0 * below, where=below > 0)
        return np.asarray(draws.weights @ (top / bottom))

    def _count(self, cell: int, cluster: int, sign: int) -> None:
        f, rows = self.draws.f, self.draws.rows[cell]
        known = np.flatnonzero(rows < len(self.draws.slots))
        counts = self.counts[rows[known], cluster]
        self.counts[rows[known], cluster] = after = counts + sign * self.draws.sizes[cell]
        self.sums = self.sums.copy()
        self.sums[known] += f[after] - f[counts]
        self.n_inside[cluster] += sign
        if sign > 0:
            self.labels[cell] = cluster

    def _joined(self, cell: int) -> FloatArray:
        """Return what a cell adds to each sum in each cluster."""
        f, rows, counts = self.draws.f, self.draws.rows[cell], self.counts[self.draws.rows[cell]]
        known = rows < len(self.draws.slots)
        return np.asarray((f[counts + self.draws.sizes[cell]] - f[counts]) * known[:, np.newaxis])

    def _empty(self) -> int:
        """Return a cluster without cells, or -1 if there must not be more clusters."""
        if self.n_clusters >= self.high:
            return -1
        self.is_full |= self.n_clusters == len(self.n_inside)
        return -1 if self.n_inside.all() else int(self.n_inside.argmin())

    def _open(self, own: int, empty: int) -> Mask:
        """Return which clusters a cell may join."""
        allowed = self.n_inside > 0
        for cluster, is_open in ((own, False), (empty, True)):
            if cluster >= 0:
                allowed[cluster] = is_open
        return allowed

    def _visit(self, cell: int) -> bool:
        """Move a cell to the best other cluster, if that is better."""
        own, loss = int(self.labels[cell]), self.loss
        is_alone = self.n_inside[own] == 1
        if is_alone and self.n_clusters <= self.low:
            return False
        allowed = self._open(own, -1 if is_alone else self._empty())
        self._count(cell, own, -1)
        losses = self._losses(self.sums[:, np.newaxis] + self._joined(cell))
        best = int(np.where(allowed, losses, np.inf).argmin())
        moves = allowed.any() and _is_less(losses[best], loss)
        self._count(cell, best if moves else own, 1)
        return bool(moves)


def _is_less(loss: float, other: float) -> bool:
    return bool(loss < other - 1e-12 * (1 + abs(other)))
