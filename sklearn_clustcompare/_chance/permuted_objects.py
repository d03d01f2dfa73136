"""Tables of a partition whose objects are permuted, with one or several others that are not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._partition import Labels, Partition, Reading
from sklearn_clustcompare._table import ContingencyTable, count_read

IntArray = NDArray[np.int64]

# An object of weight w is permuted as w objects, up to so many together: a draw of memberships then
# takes a part of a second.
_MOST_OBJECTS = 10**6


class PermutedObjects(NamedTuple):
    """Objects with weights, each of which gets the place of one of its block."""

    true: Partition
    preds: list[Partition]
    blocks: NDArray[np.intp]
    reading: Reading
    moments: bool
    weights: IntArray | None = None

    @classmethod
    def of(
        cls,
        true: Partition,
        preds: Sequence[Partition],
        weights: IntArray | None,
        reading: Reading,
        blocks: NDArray[np.intp] | None = None,
        *,
        moments: bool,
    ) -> PermutedObjects:
        """Leave out objects of weight 0. ``moments`` of memberships are kept with the tables."""
        n_objects = true.n_objects
        blocks = np.zeros(n_objects, np.intp) if blocks is None else blocks
        objects = cls(true, [*preds], blocks, reading, moments)
        if weights is None:
            return objects._taken(np.arange(n_objects))
        kept = np.flatnonzero(weights)
        objects = objects._taken(kept)
        return objects._replace(weights=weights[kept]) if weights.max(initial=0) > 1 else objects

    def draw(self, size: int, seed: int) -> Iterator[list[ContingencyTable]]:
        """Draw tables with all others, from a seed."""
        if self.weights is not None:
            return self._repeated(self.weights).draw(size, seed)
        orders: Iterator[NDArray[np.intp]] = orders_within(self.blocks, size, seed)
        if not self.blocks.any():
            generator = np.random.RandomState(seed)
            orders = (generator.permutation(self.true.n_objects) for _ in range(size))
        if len(self.preds) == 1:
            return (self._tables(None, order) for order in orders)
        return (self._tables(order, None) for order in orders)

    def _repeated(self, weights: IntArray) -> PermutedObjects:
        if (total := sum(weights.tolist())) > _MOST_OBJECTS:
            msg = (
                f"sample_weight must sum to at most {_MOST_OBJECTS:,} to permute the objects, "
                f"which are repeated by their weights, got {total:,}: draw a sample of the objects"
            )
            raise ValueError(msg)
        return self._replace(weights=None)._taken(np.repeat(np.arange(len(weights)), weights))

    def _taken(self, objects: NDArray[np.intp]) -> PermutedObjects:
        true, *preds = (_compact(side.take(objects)) for side in (self.true, *self.preds))
        return self._replace(true=true, preds=preds, blocks=self.blocks[objects])

    def _tables(
        self, first: NDArray[np.intp] | None, second: NDArray[np.intp] | None
    ) -> list[ContingencyTable]:
        true = _taken(self.true, first)
        return [
            count_read(true, _taken(one, second), None, self.reading, moments=self.moments)
            for one in self.preds
        ]


def _taken(side: Partition, positions: NDArray[np.intp] | None) -> Partition:
    return side if positions is None else side.take(positions)


def _compact(side: Partition) -> Partition:
    return side.compact()[0] if isinstance(side, Labels) else side


def orders_within(blocks: NDArray[np.intp], size: int, seed: int) -> Iterator[NDArray[np.intp]]:
    """Draw orders of objects in which each has the place of one of its block, from a seed."""
    generator = np.random.RandomState(seed)
    members = np.argsort(blocks, kind="stable")
    starts = blocks[members].astype(np.float64)
    for _ in range(size):
        order = np.empty(len(members), np.intp)
        order[members] = members[np.argsort(starts + generator.random_sample(len(members)))]
        yield order
