"""Objects of large weights under permutation: how many copies of one meet how many of another.

No copy is made. The numbers are a random table whose margins are the weights, within each block of
objects.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._chance.divided import divided_tables
from sklearn_clustcompare._chance.permutation import PermutationModel
from sklearn_clustcompare._memory import require_memory
from sklearn_clustcompare._partition import Labels, Partition

IntArray = NDArray[np.int64]

# From this many copies on, dividing is faster than SciPy, which walks to each count from the mode.
_MANY_COPIES = 2**20
# Cells of tables drawn at once, and the memory that each takes, as measured.
_CELLS_AT_ONCE = 2**20
_BYTES_OF_DIVIDED, _BYTES_OF_DRAWN = 200, 32


class Side(NamedTuple):
    """Different objects of a side in one block, and the number of copies of each."""

    positions: NDArray[np.intp]
    copies: IntArray


class Copies(NamedTuple):
    """Both sides of each block."""

    blocks: list[tuple[Side, Side]]

    @classmethod
    def of(
        cls,
        true: Partition,
        preds: Sequence[Partition],
        weights: IntArray,
        blocks: NDArray[np.intp],
    ) -> Copies:
        """Take the objects; those with equal labels are copies of one, memberships are not."""
        sides = (_sides(side, weights, blocks) for side in ([true], preds))
        return cls(list(zip(*sides, strict=True)))

    @property
    def n_cells(self) -> int:
        return sum(len(first.copies) * len(second.copies) for first, second in self.blocks)

    def paired(
        self, size: int, seed: int
    ) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp], IntArray]]:
        """Draw pairs of positions, and how many copies of them meet."""
        step = max(_CELLS_AT_ONCE // max(self.n_cells, 1), 1)
        is_divided = any(first.copies.sum() >= _MANY_COPIES for first, _ in self.blocks)
        per_cell = _BYTES_OF_DIVIDED if is_divided else _BYTES_OF_DRAWN
        require_memory(
            "a random pairing of objects with weights",
            float(per_cell * self.n_cells * min(step, size)),
            "divide the weights",
        )
        generator = np.random.RandomState(seed)
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
    partitions: Sequence[Partition], weights: IntArray, blocks: NDArray[np.intp]
) -> list[Side]:
    n_blocks = int(blocks.max(initial=0)) + 1
    positions, copies = np.arange(len(weights)), weights
    all_labels = [one for one in partitions if isinstance(one, Labels)]
    if len(all_labels) == len(partitions):
        kinds = blocks
        for labels in all_labels:
            codes = labels.compact()[0].codes.astype(np.int64) * (kinds.max(initial=0) + 1) + kinds
            _, positions, kinds = np.unique(codes, return_index=True, return_inverse=True)
        copies = np.zeros(len(positions), np.int64)
        np.add.at(copies, kinds, weights)
    return [
        Side(positions[chosen], copies[chosen])
        for chosen in (np.flatnonzero(blocks[positions] == block) for block in range(n_blocks))
    ]


def random_tables(
    row_sums: IntArray, col_sums: IntArray, size: int, generator: np.random.RandomState
) -> IntArray:
    """Draw tables with these margins, of any total that floats hold."""
    if row_sums.sum() < _MANY_COPIES:
        return PermutationModel(row_sums, col_sums).rvs(size, generator)
    return divided_tables(row_sums, col_sums, size, generator)
