"""Objects of large weights under permutation: how many copies of one meet how many of another.

No copy is made. The numbers are a random table whose margins are the weights, within each block of
objects. Tables of many copies are divided in two again and again: a hypergeometric number of the
copies in each half of the columns goes to the first half of the rows. All cells of a division are
drawn at once, as are several tables.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from sklearn_clustcompare._chance.permutation import PermutationModel
from sklearn_clustcompare._memory import require_memory
from sklearn_clustcompare._numerics import FloatArray, entropy_excess
from sklearn_clustcompare._partition import Labels, Partition

IntArray = NDArray[np.int64]

# From this many copies on, dividing is faster than SciPy, which walks to each count from the mode.
_MANY_COPIES = 2**20
# Tables of up to so many cells are drawn even for fewer copies.
_FEW_CELLS = 2**16
# Cells of tables drawn at once.
_CELLS_AT_ONCE = 2**20
# Up to this many objects are drawn one by one.
_FEW = 10
# Of the envelope in [1], for all unimodal laws.
_WIDTHS = 1.7155277699214135, 0.8989161620588988
# From this count on, four terms of Stirling's series have all digits.
_STIRLING = 64.0


class Side(NamedTuple):
    """Different objects of a side in one block, and the number of copies of each."""

    positions: NDArray[np.intp]
    copies: IntArray


class Copies(NamedTuple):
    """Both sides of each block."""

    blocks: list[tuple[Side, Side]]

    @classmethod
    def of(
        cls, true: Partition, pred: Partition, weights: IntArray, blocks: NDArray[np.intp]
    ) -> Copies:
        """Take the objects; those with equal labels are copies of one, memberships are not."""
        n_blocks = int(blocks.max(initial=0)) + 1
        sides = (_sides(side, weights, blocks, n_blocks) for side in (true, pred))
        return cls(list(zip(*sides, strict=True)))

    @property
    def n_cells(self) -> int:
        return sum(len(first.copies) * len(second.copies) for first, second in self.blocks)

    @classmethod
    def unless_fewer_objects(
        cls, true: Partition, pred: Partition, weights: IntArray, blocks: NDArray[np.intp]
    ) -> tuple[NDArray[np.intp], Copies | None]:
        """Return the positions of the objects to permute, and their copies.

        Where tables of copies have more cells than there are copies, these are taken as objects of
        their own, and there are None.
        """
        kept = np.flatnonzero(weights)
        if weights.max(initial=0) > 1:
            copies = cls.of(true.take(kept), pred.take(kept), weights[kept], blocks[kept])
            if copies.n_cells <= max(_FEW_CELLS, weights.sum()):
                return kept, copies
            kept = np.repeat(kept, weights[kept])
        return kept, None

    def paired(
        self, size: int, seed: int
    ) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp], IntArray]]:
        """Draw pairs of positions, and how many copies of them meet."""
        require_memory(
            "a random pairing of objects with weights", 24.0 * self.n_cells, "divide the weights"
        )
        generator = np.random.RandomState(seed)
        step = max(_CELLS_AT_ONCE // max(self.n_cells, 1), 1)
        for start in range(0, size, step):
            n_drawn = min(step, size - start)
            drawn = [
                random_tables(first.copies, second.copies, n_drawn, generator)
                for first, second in self.blocks
            ]
            for tables in zip(*drawn, strict=True):
                yield self._pairs(tables)

    def _pairs(
        self, tables: tuple[IntArray, ...]
    ) -> tuple[NDArray[np.intp], NDArray[np.intp], IntArray]:
        parts = []
        for table, (true, pred) in zip(tables, self.blocks, strict=True):
            rows, cols = table.nonzero()
            parts.append((true.positions[rows], pred.positions[cols], table[rows, cols]))
        first, second, numbers = (np.concatenate(column) for column in zip(*parts, strict=True))
        return first, second, numbers


def _sides(
    side: Partition, weights: IntArray, blocks: NDArray[np.intp], n_blocks: int
) -> list[Side]:
    if isinstance(side, Labels):
        codes = side.compact()[0].codes.astype(np.int64) * n_blocks + blocks
        _, positions, kinds = np.unique(codes, return_index=True, return_inverse=True)
        copies = np.zeros(len(positions), np.int64)
        np.add.at(copies, kinds, weights)
    else:
        positions, copies = np.arange(side.n_objects), weights
    return [
        Side(positions[chosen], copies[chosen])
        for chosen in (np.flatnonzero(blocks[positions] == block) for block in range(n_blocks))
    ]


def random_tables(
    row_sums: IntArray, col_sums: IntArray, size: int, generator: np.random.RandomState
) -> IntArray:
    """Draw tables with these margins, of any total."""
    if row_sums.sum() < _MANY_COPIES:
        return PermutationModel(row_sums, col_sums).rvs(size, generator)
    nodes = np.broadcast_to(col_sums, (size, 1, len(col_sums)))
    for sums in _halves(row_sums):
        taken = np.broadcast_to(sums[::2], (*nodes.shape[:2],))
        nodes = _interleaved(_taken_of_each(nodes, taken, generator), nodes)
    return nodes[:, : len(row_sums)]


def _halves(sums: IntArray) -> list[IntArray]:
    """Return the sums of both halves, of all quarters, and so on, down to single ones."""
    levels = [np.append(sums, np.zeros(2 ** (len(sums) - 1).bit_length() - len(sums), np.int64))]
    while len(levels[0]) > 1:
        levels.insert(0, levels[0].reshape(-1, 2).sum(axis=1))
    return levels[1:]


def _interleaved(first: IntArray, both: IntArray) -> IntArray:
    """Put rows and what they leave of the rows of both next to each other."""
    shape = (both.shape[0], 2 * both.shape[1], *both.shape[2:])
    return np.stack([first, both - first], axis=2).reshape(shape)


def _taken_of_each(
    counts: IntArray, taken: NDArray[Any], generator: np.random.RandomState
) -> IntArray:
    """Draw how many objects of each cluster, the last axis, are among those taken."""
    n_clusters = counts.shape[-1]
    width = 2 ** (n_clusters - 1).bit_length()
    flat = np.zeros((taken.size, width), np.int64)
    flat[:, :n_clusters] = counts.reshape(taken.size, n_clusters)
    levels = [flat]
    while levels[0].shape[1] > 1:
        levels.insert(0, levels[0].reshape(taken.size, -1, 2).sum(axis=2))
    numbers = taken.reshape(-1, 1).astype(np.int64)
    for level in levels[1:]:
        first = hypergeometric(level[:, ::2], level[:, 1::2], numbers, generator)
        numbers = _interleaved(first, numbers)
    return numbers[:, :n_clusters].reshape(counts.shape)


def hypergeometric(
    good: IntArray, bad: IntArray, taken: IntArray, generator: np.random.RandomState
) -> IntArray:
    """Draw how many good ones are among those taken, for any total that floats hold.

    References
    ----------
    .. [1] E. Stadlober, "The ratio of uniforms approach for generating discrete random variates",
       Journal of Computational and Applied Mathematics 31, 1990.
    """
    total = good + bad
    few, few_taken = np.minimum(good, bad), np.minimum(taken, total - taken)
    small, large = np.minimum(few, few_taken), np.maximum(few, few_taken)
    shared = np.zeros(total.shape, np.int64)
    by_one = (small > 0) & (small < _FEW)
    shared[by_one] = _one_by_one(small[by_one], large[by_one], total[by_one], generator)
    at_once = small >= _FEW
    shared[at_once] = _ratio_of_uniforms(small[at_once], large[at_once], total[at_once], generator)
    of_few_taken = np.where(good <= bad, shared, few_taken - shared)
    result: IntArray = np.where(taken == few_taken, of_few_taken, good - of_few_taken)
    return result


def _one_by_one(
    small: IntArray, large: IntArray, total: IntArray, generator: np.random.RandomState
) -> IntArray:
    shared = np.zeros(len(small), np.int64)
    for number in range(int(small.max(initial=0))):
        hits = generator.random_sample(len(small)) * (total - number) < large - shared
        shared += hits & (number < small)
    return shared


def _ratio_of_uniforms(
    small: IntArray, large: IntArray, total: IntArray, generator: np.random.RandomState
) -> IntArray:
    s, t, n = (counts.astype(np.float64) for counts in (small, large, total))
    mean = s * (t / n)
    width = _WIDTHS[0] * np.sqrt(mean * (1 - s / n) * ((n - t) / (n - 1)) + 0.5) + _WIDTHS[1]
    mode = np.minimum(np.floor((s + 1) * ((t + 1) / (n + 2))), s)
    cells = np.stack([mode, s - mode, t - mode, (n - s - t) + mode])
    shared, open_ones = mode.copy(), np.arange(len(s))
    while len(open_ones):
        u, v = generator.random_sample((2, len(open_ones)))
        # u is positive in all but one of 2**53 draws.
        proposed = np.floor(mean[open_ones] + 0.5 + width[open_ones] * (v - 0.5) / (u + 2.0**-60))
        is_in = (proposed >= 0) & (proposed <= s[open_ones])
        candidates = open_ones[is_in]
        gains = _log_ratio(cells[:, candidates], proposed[is_in] - mode[candidates])
        is_taken = 2 * np.log(u[is_in] + 2.0**-60) <= gains
        shared[candidates[is_taken]] = proposed[is_in][is_taken]
        is_open = np.ones(len(open_ones), bool)
        is_open[np.flatnonzero(is_in)[is_taken]] = False
        open_ones = open_ones[is_open]
    return shared.astype(np.int64)


def _log_ratio(modes: FloatArray, steps: FloatArray) -> FloatArray:
    """Return the logarithm of the probability of a step from the mode, relative to the mode.

    The factorials of large counts differ by little more than a line, of which only the sum over the
    four cells matters.
    """
    signs = np.array([[1.0], [-1.0], [-1.0], [1.0]])
    deviations = signs * steps
    counts, at = modes + deviations, np.maximum(modes, 1.0)
    beyond = np.empty(counts.shape)
    large = np.minimum(counts, modes) >= _STIRLING
    x, m = counts[large], modes[large]
    beyond[large] = entropy_excess(x, deviations[large], m) + 0.5 * np.log(x / m)
    beyond[large] += (1 / x - 1 / m) / 12 - (x**-3.0 - m**-3.0) / 360
    x, m = counts[~large], modes[~large]
    beyond[~large] = gammaln(x + 1) - gammaln(m + 1) - deviations[~large] * np.log(at[~large])
    slope = np.log(at[0] / at[1] * (at[3] / at[2]))
    result: FloatArray = -beyond.sum(axis=0) - steps * slope
    return np.where((counts < 0).any(axis=0), -np.inf, result)
