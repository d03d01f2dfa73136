"""Local search for the partition that agrees best with those of an ensemble, on average."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from sklearn_clustcompare._array_types import FloatArray, IntArray, Mask, Positions
from sklearn_clustcompare._numerics import TIE
from sklearn_clustcompare._parameters import at_most_objects, positive_integer
from sklearn_clustcompare._table.many import in_order_of_appearance
from sklearn_clustcompare.consensus._agglomeration import class_shares
from sklearn_clustcompare.consensus._agreement import MAX_TARGETS, Agreement, digest, is_better

# So many pairs of clusters may be merged, those that share most.
_MAX_MERGES = 50
_CELLS_AT_ONCE = 256
# So many moves that the bounds forbid are tried with another one, of fewer than that many cells.
_MAX_TWICE = 10
_FEW_CELLS = 1000


class Bounds(NamedTuple):
    """Smallest and largest number of clusters."""

    low: int
    high: int

    def hold(self, labels: Positions) -> bool:
        return self.low <= len(np.unique(labels)) <= self.high


def read_bounds(n_clusters: Any, n_objects: int, most: int) -> Bounds:
    """Read a number of clusters or a pair of bounds; no upper bound (None) means ``most``."""
    ends = n_clusters if isinstance(n_clusters, tuple) else (n_clusters, n_clusters)
    if len(ends) != 2:
        msg = f"n_clusters must be an integer, a pair (low, high) or None, got {n_clusters!r}"
        raise ValueError(msg)
    for end in ends:
        if end is not None:
            positive_integer("n_clusters", end)
    low = min(1, n_objects) if ends[0] is None else int(ends[0])
    high = max(most, low) if ends[1] is None else min(int(ends[1]), max(n_objects, low))
    if ends[1] is not None and low > ends[1]:
        msg = f"n_clusters must have its lower bound first, got {n_clusters!r}"
        raise ValueError(msg)
    if ends[0] is not None:
        at_most_objects("n_clusters", ends[0], n_objects)
    return Bounds(low, high)


class Found(NamedTuple):
    """Where a search ended: cluster of each cell, averages on the way, whether none is better."""

    labels: Positions
    history: list[float]
    is_optimum: bool


@dataclass(frozen=True)
class LocalSearch:
    """Moves cells to other clusters and merges clusters, as long as the average gets better.

    The last search, from the best partition of the others, tries pairs of moves as well, and to
    dissolve clusters into their cells.
    """

    agreement: Agreement
    bounds: Bounds
    max_iter: int
    is_last: bool = False
    _steps: dict[bytes, Positions | None] = field(default_factory=dict, init=False, repr=False)

    def climb(self, labels: Positions) -> Found:
        """Start from a partition of the cells within the bounds."""
        labels = in_order_of_appearance(labels)
        history = [self.agreement.average(labels)]
        for _ in range(self.max_iter):
            moved = self._step(labels, history[-1])
            if moved is None:
                return Found(labels, history, is_optimum=True)
            labels = moved
            history.append(self.agreement.average(labels))
        return Found(labels, history, is_optimum=False)

    def divide(self) -> Positions:
        """Take the best cells out of one cluster, one by one, until there are enough clusters."""
        labels = np.zeros(self.agreement.ensemble.n_cells, np.intp)
        for n_clusters in range(1, self.bounds.low):
            gains = self.agreement.changes(labels, None)[:, n_clusters]
            gains[np.bincount(labels)[labels] == 1] = -np.inf
            labels[gains.argmax()] = n_clusters
            labels = in_order_of_appearance(labels)
        return labels

    def _step(self, labels: Positions, current: float) -> Positions | None:
        """Return a better partition, or None; searches from several starts meet on their way."""
        key = digest(labels)
        if key not in self._steps:
            moved = self._move_cells(labels, current)
            if moved is None:
                moved = self._merge(labels, current)
            if moved is None and self.is_last:
                moved = self._move_twice(labels, current)
            if moved is None and self.is_last:
                moved = self._dissolve(labels, current)
            self._steps[key] = moved
        return self._steps[key]

    def _move_cells(self, labels: Positions, current: float) -> Positions | None:
        """Make the best moves, as many as do best together, or return None if none does."""
        gains, targets = self._best_moves(labels)
        worth = np.flatnonzero(gains > TIE * abs(current))
        order = worth[np.argsort(-gains[worth], kind="stable")]

        def trials() -> Iterator[Positions]:
            n_moves = len(order)
            while n_moves:
                trial = labels.copy()
                trial[order[:n_moves]] = targets[order[:n_moves]]
                n_moves //= 2
                yield trial

        return self._best(trials(), current)

    def _best(self, trials: Iterable[Positions], current: float) -> Positions | None:
        """Return the best partition within the bounds, or None if none beats the current one."""
        best, best_value = None, current
        for trial in trials:
            if self.bounds.hold(trial):
                ordered = in_order_of_appearance(trial)
                value = self.agreement.average(ordered)
                if is_better(value, best_value, self.agreement.index):
                    best, best_value = ordered, value
        return best

    def _best_moves(self, labels: Positions) -> tuple[FloatArray, Positions]:
        """Return how much each cell's best move raises the average, and where it goes."""
        n_clusters, cells = int(labels.max(initial=-1)) + 1, np.arange(len(labels))
        targets = None
        if n_clusters > MAX_TARGETS:
            targets = self._nearest(labels, n_clusters)
        changes = self.agreement.changes(labels, targets)
        if targets is None:
            targets = np.tile(np.arange(n_clusters + 1), (len(labels), 1))
        changes[~self._is_allowed(labels, targets)] = -np.inf
        best = changes.argmax(axis=1)
        return changes[cells, best], targets[cells, best]

    def _move_twice(self, labels: Positions, current: float) -> Positions | None:
        """Make a move that the bounds forbid, and one that makes up for it; None if none gains.

        Where there must not be fewer clusters, no cell that is alone in its cluster can leave it,
        unless another cell becomes a cluster; where there must not be more, the other way around.
        """
        n_clusters = int(labels.max(initial=-1)) + 1
        if not 0 < n_clusters <= MAX_TARGETS:
            return None
        cells, targets = np.nonzero(~self._is_allowed(labels, np.arange(n_clusters + 1)))
        if not len(cells):
            return None
        changes = self.agreement.changes(labels, None)[cells, targets]
        n_tried = min(_MAX_TWICE, _FEW_CELLS // len(labels) + 1)
        nearest = np.argsort(-changes, kind="stable")[:n_tried]

        def trials() -> Iterator[Positions]:
            for cell, target in zip(cells[nearest], targets[nearest], strict=True):
                trial = labels.copy()
                trial[cell] = target
                trial = in_order_of_appearance(trial)
                gains, goals = self._best_moves(trial)
                second = gains.argmax()
                if np.isfinite(gains[second]):
                    trial[second] = goals[second]
                    yield trial

        return self._best(trials(), current)

    def _dissolve(self, labels: Positions, current: float) -> Positions | None:
        """Make all cells of one cluster clusters, where that is best, or return None."""
        if len(labels) > _FEW_CELLS:
            return None
        new = len(labels) + np.arange(len(labels))
        clusters = np.flatnonzero(np.bincount(labels) > 1)
        return self._best((np.where(labels == one, new, labels) for one in clusters), current)

    def _is_allowed(self, labels: Positions, targets: Positions) -> Mask:
        """Return whether the bounds allow a move of each cell to each of its targets."""
        n_clusters = int(labels.max(initial=-1)) + 1
        alone = np.bincount(labels)[labels] == 1
        leaves = targets != labels[:, np.newaxis]
        left = n_clusters + (targets == n_clusters) - (alone[:, np.newaxis] & leaves)
        return (left >= self.bounds.low) & (left <= self.bounds.high)

    def _nearest(self, labels: Positions, n_clusters: int) -> Positions:
        """Return the clusters that share most with each cell, and a new one."""
        shares = class_shares(self.agreement.ensemble)
        together = csr_array(shares.T @ _mean_of_clusters(labels, self.agreement.ensemble.sizes))
        targets = np.full((len(labels), MAX_TARGETS + 1), n_clusters)
        for start in range(0, len(labels), _CELLS_AT_ONCE):
            block = slice(start, start + _CELLS_AT_ONCE)
            shared = (shares[block] @ together).toarray()
            targets[block, 1:] = shared.argpartition(-MAX_TARGETS, axis=1)[:, -MAX_TARGETS:]
        return targets

    def _merge(self, labels: Positions, current: float) -> Positions | None:
        """Merge the two clusters whose union is best, or return None if no union is better."""
        n_clusters = int(labels.max(initial=-1)) + 1
        if n_clusters <= max(self.bounds.low, 1):
            return None
        of_clusters = _mean_of_clusters(labels, self.agreement.ensemble.sizes)
        by_class = of_clusters.T @ class_shares(self.agreement.ensemble)
        shared = (by_class @ by_class.T).toarray()
        first, second = np.triu_indices(n_clusters, 1)
        nearest = np.argsort(-shared[first, second], kind="stable")[:_MAX_MERGES]
        pairs = zip(first[nearest], second[nearest], strict=True)
        return self._best((np.where(labels == other, one, labels) for one, other in pairs), current)


def _mean_of_clusters(labels: Positions, sizes: IntArray) -> csr_array:
    """Return a row per cell with its share in the objects of its cluster."""
    shares = sizes / np.bincount(labels, sizes)[labels]
    return csr_array((shares, labels, np.arange(len(labels) + 1)))
