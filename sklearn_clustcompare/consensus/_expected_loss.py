"""The partition of least expected loss, for losses of cluster sizes and overlaps.

Which indices are such losses, the draws as arrays of the compiled search, and its starts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from sklearn_clustcompare._array_types import Array, FloatArray, IntArray, Positions
from sklearn_clustcompare._kernels import (
    KERNELS,
    Climbed,
    WeightedDraws,
    _consensus,
    climb_partition,
    loss_parts,
    pair_losses,
)
from sklearn_clustcompare._memory import require_memory
from sklearn_clustcompare._options import shortened
from sklearn_clustcompare._parameters import positive_number
from sklearn_clustcompare._table.many import in_order_of_appearance
from sklearn_clustcompare.consensus._ensemble import NUMBERS_AT_ONCE, Bounds, Codes
from sklearn_clustcompare.indices import Index, get_index

Generator = np.random.RandomState | np.random.Generator

# Of more draws, the search starts on so many, spaced evenly by weight, and goes on with all draws
# from so many of the best optima.
_SPACED_DRAWS, _MOST_CLIMBED = 256, 3
# From each of the best optima the search goes on while no more numbers than these are added up: so
# many for each label of a draw, within bounds.
_NUMBERS_AFTER, _LEAST_AFTER, _MOST_AFTER = 1.5e3, 1.5e8, 6e8
# Among more clusters no unions are tried, of which it keeps one number for each pair.
_MOST_UNITED = 2048
# Of no more cells a loss of pairs is kept as a matrix.
_MOST_PAIRED = 2048
# By default the search starts so often that it adds up this many numbers in sweeps of all cells,
# within bounds, and until it reached the best so many times.
_NUMBERS_ADDED, _MIN_STARTS, _MAX_STARTS, _ENOUGH_HITS = 5e7, 4, 8, 3
# With no more draws than this, the search starts from each.
_FEW_DRAWS = 8
# While cells of the ensemble times cells of all tables are no more, every move is tried exactly,
# and every climb goes on.
_FEW_CELLS = 20_000
_SAME = 1e-10
# Parts of the sum of all objects that are rounding errors.
_ROUNDING = 1e-14


class Loss(NamedTuple):
    """A loss of the sums, see ``loops/consensus.h``: which, of which function, in which unit.

    The index is the loss, or 1 less the loss of a score; a linear loss is in units of ``unit(n)``.
    """

    kind: int
    of_information: bool
    unit: Callable[[FloatArray], FloatArray] | None = None
    is_score: bool = False
    cost: float = 1.0
    is_micro: bool = False

    def value(self, loss: Any) -> Any:
        """Return the value of the index for a loss."""
        return 1.0 - loss if self.is_score else loss

    def function(self, counts: FloatArray) -> FloatArray:
        """Return x ln x or x (x - 1) / 2."""
        if self.of_information:
            return counts * np.log(np.maximum(counts, 1.0))
        return counts * (counts - 1) / 2


def _variation(q: float = 1.0, base: float | None = None, normalize: Any = None) -> Loss | None:
    if q != 1 or normalize not in (None, "joint"):
        return None
    if normalize == "joint":
        return Loss(_consensus.JOINT, of_information=True)
    logarithm = 1.0 if base is None else float(np.log(base))
    return Loss(_consensus.LINEAR, of_information=True, unit=lambda n: n * logarithm)


def _mirkin(normalize: bool = False) -> Loss:
    power = 2 if normalize else 0
    return Loss(_consensus.LINEAR, of_information=False, unit=lambda n: n**power / 2)


def _normalized_information(q: float = 1.0, average_method: str = "arithmetic") -> Loss | None:
    kinds = {"arithmetic": _consensus.MEAN, "max": _consensus.LARGER, "joint": _consensus.JOINT}
    kind = kinds.get(average_method) if q == 1 else None
    return None if kind is None else Loss(kind, of_information=True, is_score=True)


def _f_measure(kind: int, of_information: bool) -> Callable[..., Loss | None]:
    def loss(beta: float = 1.0) -> Loss | None:
        return Loss(kind, of_information, is_score=True) if beta == 1 else None

    return loss


_LOSSES: Mapping[str, Callable[..., Loss | None]] = {
    "variation_of_information_distance": _variation,
    "mirkin_distance": _mirkin,
    "rand_score": lambda: Loss(
        _consensus.LINEAR, False, lambda n: np.maximum(n * (n - 1) / 2, 1), is_score=True
    ),
    "adjusted_rand_score": lambda: Loss(_consensus.RAND, of_information=False, is_score=True),
    "information_distance": lambda: Loss(_consensus.ENTROPY, of_information=True),
    "normalized_information_distance": lambda: Loss(_consensus.LARGER, of_information=True),
    "normalized_mutual_info_score": _normalized_information,
    "v_measure_score": _f_measure(_consensus.MEAN, of_information=True),
    "pair_jaccard_score": lambda: Loss(_consensus.UNION, of_information=False, is_score=True),
    "pair_f_score": _f_measure(_consensus.SUM, of_information=False),
    "fowlkes_mallows_score": lambda: Loss(_consensus.PRODUCT, of_information=False, is_score=True),
}
_WITH_COST = ("variation_of_information_distance", "mirkin_distance")


def loss_of(
    record: Index, parameters: Mapping[str, Any], cost: float | None, average: str
) -> Loss | None:
    """Return the loss that an index is, or None if it is none of sizes and overlaps."""
    loss = None
    if record.name in _LOSSES and record == get_index(record.name):
        loss = _LOSSES[record.name](**parameters)
    if cost is not None:
        if loss is None or record.name not in _WITH_COST or loss.kind != _consensus.LINEAR:
            msg = (
                "cost must be None unless index is variation_of_information_distance (q=1, not "
                f"normalized) or mirkin_distance, got {shortened(cost)} for {record.name}"
            )
            raise ValueError(msg)
        positive_number("cost", cost)
        if cost >= 2:
            msg = f"cost must lie between 0 and 2, both excluded, got {shortened(cost)}"
            raise ValueError(msg)
        loss = loss._replace(cost=float(cost))
    if average == "micro":
        if loss is None:
            msg = (
                "average must be 'macro' for an index that is no ratio of sums over cluster sizes "
                f"and overlaps, got 'micro' for {record.name}"
            )
            raise ValueError(msg)
        loss = loss._replace(is_micro=loss.unit is None and loss.kind != _consensus.ENTROPY)
    return loss


@dataclass(frozen=True)
class Draws:
    """Partitions of cells as arrays: codes (one row a draw, -1 unknown), weights, sizes of cells.

    ``codes`` are numbered from zero in each row.
    """

    codes: Codes
    weights: FloatArray
    sizes: IntArray
    loss: Loss

    @cached_property
    def n_clusters(self) -> Positions:
        return self.codes.max(axis=1, initial=-1).astype(np.intp) + 1

    @property
    def is_paired(self) -> bool:
        """Whether the loss is a sum over pairs of cells, and these are few."""
        is_sum = self.loss.kind == _consensus.LINEAR and not self.loss.of_information
        return is_sum and len(self.sizes) <= _MOST_PAIRED

    @cached_property
    def arrays(self) -> WeightedDraws:
        """The draws as the compiled search takes them."""
        codes, loss, n_draws, n_clusters = self.codes, self.loss, len(self.codes), self.n_clusters
        ends = np.cumsum(n_clusters)
        n_classes = int(ends[-1])
        known = codes >= 0
        is_complete = bool(known.all())
        n_size_rows = 1 if is_complete else n_draws
        n_rows = n_classes + n_size_rows
        rows = np.empty((len(self.sizes), n_draws + n_size_rows), np.int32)
        rows[:, :n_draws] = np.where(known, codes + (ends - n_clusters)[:, np.newaxis], n_rows).T
        rows[:, n_draws:] = n_classes
        if not is_complete:
            size_rows = n_classes + np.arange(n_draws)[:, np.newaxis]
            rows[:, n_draws:] = np.where(known, size_rows, n_rows).T
        draw_of_row = np.repeat(np.arange(n_draws), n_clusters)
        weights_of_rows = np.repeat(self.sizes, n_draws)
        totals: FloatArray = np.bincount(rows[:, :n_draws].ravel(), weights_of_rows, n_rows + 1)[
            :n_classes
        ].astype(float)
        n_known: FloatArray = np.bincount(draw_of_row, totals, n_draws).astype(float)
        weights = self.weights / self.weights.sum()
        if loss.unit is not None:
            weights = weights / loss.unit(n_known)
        elif loss.kind == _consensus.ENTROPY:
            weights = weights / n_known
        n_objects, own = int(self.sizes.sum()), loss.function(totals)
        own = np.bincount(draw_of_row, own, n_draws).astype(float)
        pairs, apart = None, 0.0
        if self.is_paired and KERNELS == "compiled":  # the only search that takes them
            pairs = pair_losses(codes, weights, loss.cost)
            pairs = (pairs + pairs.T) * np.outer(self.sizes, self.sizes)
            within = known @ (self.sizes * (self.sizes - 1) / 2)
            apart = float((2 - loss.cost) * (weights @ (own - within)))
        return WeightedDraws(
            rows,
            np.append(draw_of_row, n_draws + np.arange(n_size_rows)).astype(np.int32),
            self.sizes.astype(np.int32),
            loss.function(np.arange(2.0 * n_objects + 2)),
            weights,
            own,
            loss.function(n_known),
            loss.kind,
            loss.is_micro,
            loss.cost,
            pairs,
            apart,
        )

    def ratios(self, labels: Array) -> tuple[FloatArray, FloatArray]:
        """Return top and bottom of the loss of each draw with a partition of the cells."""
        arrays, n_draws = self.arrays, len(self.codes)
        n_cols, n_slots = int(labels.max(initial=0)) + 1, arrays.rows.shape[1]
        counts = np.zeros((len(arrays.slots) + 1) * n_cols)
        step = max(NUMBERS_AT_ONCE // n_slots, 1)
        for start in range(0, len(labels), step):
            block = slice(start, start + step)
            places = arrays.rows[block].astype(np.intp) * n_cols + labels[block, np.newaxis]
            sizes = np.repeat(self.sizes[block].astype(np.float64), n_slots)
            counts += np.bincount(places.ravel(), sizes, len(counts))
        cells = self.loss.function(counts).reshape(-1, n_cols)[:-1].sum(axis=1)
        sums: FloatArray = np.bincount(arrays.slots, cells, n_slots).astype(float)
        top, bottom = loss_parts(
            arrays.loss, arrays.cost, sums[:n_draws], arrays.own, sums[n_draws:], arrays.most
        )
        top = np.where(top > _ROUNDING * arrays.most, top, 0.0)
        scale = arrays.weights * self.weights.sum() / self.weights
        return top * scale, bottom

    def spaced(self, n_draws: int) -> Draws:
        """Return so many of them, evenly spaced by their weights."""
        ends = np.cumsum(self.weights)
        places = (np.arange(n_draws) + 0.5) / n_draws * ends[-1]
        kept, times = np.unique(np.searchsorted(ends, places), return_counts=True)
        return replace(self, codes=self.codes[kept], weights=times.astype(float))


class Optimum(NamedTuple):
    """A local optimum: clusters of the cells, losses on the way, and how often it was reached."""

    labels: Positions
    history: list[float]
    n_hits: int
    is_optimum: bool

    @property
    def loss(self) -> float:
        return self.history[-1]


@dataclass(frozen=True)
class LossSearch:
    """Finds partitions of least expected loss, within bounds of the number of clusters."""

    draws: Draws
    bounds: Bounds
    max_iter: int
    generator: Generator

    def find(self, n_init: int | None) -> list[Optimum]:
        """Return local optima, the best first."""
        if not len(self.draws.sizes):
            return [Optimum(np.zeros(0, np.intp), [0.0], 1, is_optimum=True)]
        spaced = self
        if len(self.draws.codes) > _SPACED_DRAWS and not self.draws.is_paired:
            spaced = replace(self, draws=self.draws.spaced(_SPACED_DRAWS))
        found = spaced._from_starts(n_init)
        n_climbed = 1 if found[0].n_hits >= _ENOUGH_HITS else min(_MOST_CLIMBED, len(found))
        share = 1.0 if spaced is self else 1 / n_climbed
        best = [spaced._go_on(one, share) for one in found[:n_climbed]]
        found = _merged([*best, *found[n_climbed:]])
        if spaced is not self:
            found = _merged(self._climb(one.labels, one.n_hits) for one in found[:_MOST_CLIMBED])
            found = _merged([self._go_on(found[0], 1.0), *found[1:]])
        return found

    def _go_on(self, one: Optimum, share: float) -> Optimum:
        """Search on from an optimum, with a share of the numbers that may be added up."""
        more = self._climb(one.labels, one.n_hits, share)
        return more._replace(history=one.history + more.history[1:])

    def best_from(self, starts: Iterable[Positions]) -> Positions:
        """Return the best optimum from partitions, in which -1 stands for cells to be placed."""
        return min((self._climb(one) for one in starts), key=lambda one: one.loss).labels

    def _n_starts(self) -> int:
        n_added = self.draws.arrays.rows.size * max(int(self.draws.n_clusters.max()), 1)
        return int(min(max(_NUMBERS_ADDED / n_added, _MIN_STARTS), _MAX_STARTS))

    def _from_starts(self, n_init: int | None) -> list[Optimum]:
        """Start from one cluster, then in turn from a draw and from nothing.

        Until the best was reached several times, and from each draw where they are few.
        """
        n_draws = len(self.draws.codes)
        order = self.generator.permutation(n_draws)
        nothing = np.full(len(self.draws.sizes), -1)
        given = [self._start_from(self.draws.codes[one]) for one in order[:_MAX_STARTS].tolist()]
        starts = given[:1] + ([0 * nothing] if self.bounds.low <= 1 else []) + [nothing]
        if n_draws <= _FEW_DRAWS:
            starts += given[1:]
        n_least, n_most = len(starts), n_init or self._n_starts()
        while len(starts) < n_most:
            starts += [given[len(starts) % len(given)], nothing]
        found: list[Optimum] = []
        for number, start in enumerate(starts[: n_init or max(n_most, n_least)], start=1):
            found = _merged([*found, self._climb(start)])
            if n_init is None and number >= n_least and found[0].n_hits >= _ENOUGH_HITS:
                break
        return found

    def _start_from(self, codes: Codes) -> Positions:
        """Return a draw, without a label (-1) for cells that have to be placed anew."""
        labels = codes.astype(np.intp)
        numbers = np.bincount(labels[labels >= 0])
        order = np.argsort(-numbers, kind="stable")
        if len(numbers) > self.bounds.high:
            rank = np.full(len(numbers) + 1, -1)
            rank[order[: self.bounds.high]] = np.arange(self.bounds.high)
            labels = rank[labels]
        lacking = self.bounds.low - len(np.unique(labels[labels >= 0]))
        for cell in self.generator.permutation(len(labels)).tolist() if lacking > 0 else ():
            if lacking and labels[cell] >= 0 and (labels == labels[cell]).sum() > 1:
                labels[cell] = -1
                lacking -= 1
        return labels

    def _climb(self, labels: Positions, n_hits: int = 1, share: float = 0.0) -> Optimum:
        """Search from a partition; with more columns if it needs more clusters than there are."""
        most = int(self.draws.n_clusters.max())
        width = min(self.bounds.high, max(2 * most, self.bounds.low, int(labels.max()) + 1))
        history: list[float] = []
        while True:
            climbed = self._climb_within(labels, width, share)
            history += climbed.history[1:] if history else climbed.history
            labels = in_order_of_appearance(climbed.labels)
            if not climbed.is_full or len(history) > self.max_iter:
                history = history[: self.max_iter + 1]
                return Optimum(labels, history, n_hits, climbed.is_optimum)
            width = min(2 * width, self.bounds.high)

    def _climb_within(self, labels: Positions, width: int, share: float) -> Climbed:
        arrays = self.draws.arrays
        width = -(-width // 8) * 8
        n_cells = (len(arrays.slots) + 1) * width
        require_memory(
            f"the search among {width} clusters",
            8.0 * n_cells,
            "set a smaller upper bound by n_clusters",
        )
        few = len(labels) * n_cells <= _FEW_CELLS
        n_after = min(max(_NUMBERS_AFTER * arrays.rows.size, _LEAST_AFTER), _MOST_AFTER)
        return climb_partition(
            arrays,
            labels.astype(np.int32),
            self.bounds,
            width,
            width * width if few else 2,
            n_after * (1.0 if few else share),
            min(self.max_iter, 2**20),  # it has places for all rounds
            _MOST_UNITED,
            int.from_bytes(self.generator.bytes(8), "little"),
        )


def _merged(optima: Any) -> list[Optimum]:
    """Return distinct optima, the best first; equal losses are one, with their hits added up."""
    merged: list[Optimum] = []
    for one in sorted(optima, key=lambda one: one.loss):
        if merged and one.loss <= merged[-1].loss + _SAME * (1 + abs(one.loss)):
            merged[-1] = merged[-1]._replace(n_hits=merged[-1].n_hits + one.n_hits)
        else:
            merged.append(one)
    return merged
