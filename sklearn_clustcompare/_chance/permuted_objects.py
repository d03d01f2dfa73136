"""Tables of a partition whose objects are permuted, with one or several others that are not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._chance.copies import Copies
from sklearn_clustcompare._chance.normal_products import NormalProducts
from sklearn_clustcompare._partition import Labels, Partition, Reading
from sklearn_clustcompare._table import ContingencyTable, count_read
from sklearn_clustcompare._table.counting import counts_of_products
from sklearn_clustcompare._table.overlap import SoftSides, overlap

IntArray = NDArray[np.int64]

# Tables of copies of up to so many cells are drawn even for fewer copies.
_FEW_CELLS = 2**10
# Up to so many copies are permuted one by one where their tables have more cells.
_FEW_COPIES = 2**16


class PermutedObjects(NamedTuple):
    """Objects with weights, each of which gets the place of one of its block.

    Copies of an object are not made, unless their tables have more cells than there are copies.
    """

    true: Partition
    preds: list[Partition]
    blocks: NDArray[np.intp]
    reading: Reading
    moments: bool
    copies: Copies | None = None
    normal: NormalProducts | None = None
    soft: list[SoftSides] | None = None
    total: float = 0.0

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
        """Choose how to draw. ``moments`` of memberships are kept with the tables."""
        n_objects = true.n_objects
        weights = np.ones(n_objects, np.int64) if weights is None else weights
        blocks = np.zeros(n_objects, np.intp) if blocks is None else blocks
        kept = np.flatnonzero(weights)
        weights = weights[kept]

        def taken(objects: NDArray[np.intp]) -> PermutedObjects:
            sides = (_compact(side.take(objects)) for side in (true, *preds))
            return cls(next(sides), [*sides], blocks[objects], reading, moments)

        objects = taken(kept)
        if weights.max(initial=0) <= 1:
            return objects
        copies = Copies.of(objects.true, objects.preds, weights, objects.blocks)
        total = weights.sum()
        if copies.n_cells > _FEW_CELLS and total > _FEW_COPIES:
            in_the_limit = objects._in_the_limit(weights)
            if in_the_limit is not None:
                return in_the_limit
        if copies.n_cells <= max(_FEW_CELLS, total):
            return objects._replace(copies=copies)
        return taken(np.repeat(kept, weights))

    def _in_the_limit(self, weights: IntArray) -> PermutedObjects | None:
        """Return the same with the normal law of all tables, or None where that does not hold."""
        has_counts = isinstance(self.true, Labels) and any(
            isinstance(one, Labels) for one in self.preds
        )
        if has_counts or "drop" in (self.reading.noise, self.reading.missing):
            return None
        normal = NormalProducts.of(self.true, self.preds, weights, self.blocks)
        if normal is None:
            return None
        sums = (overlap(self.true, one, weights, self.moments, 1) for one in self.preds)
        soft = [SoftSides(one.true, one.pred) for one in sums]
        return self._replace(normal=normal, soft=soft, total=float(weights.sum()))

    def draw(self, size: int, seed: int) -> Iterator[list[ContingencyTable]]:
        """Draw tables with all others, from a seed."""
        if self.normal is not None:
            return map(self._tables_of_products, self.normal.draw(size, seed))
        if self.copies is not None:
            return (self._tables(*pairs) for pairs in self.copies.paired(size, seed))
        orders: Iterator[NDArray[np.intp]] = orders_within(self.blocks, size, seed)
        if not self.blocks.any():
            generator = np.random.RandomState(seed)
            orders = (generator.permutation(self.true.n_objects) for _ in range(size))
        if len(self.preds) == 1:
            return (self._tables(None, order) for order in orders)
        return (self._tables(order, None) for order in orders)

    def _tables(
        self,
        first: NDArray[np.intp] | None,
        second: NDArray[np.intp] | None,
        numbers: IntArray | None = None,
    ) -> list[ContingencyTable]:
        true = _taken(self.true, first)
        return [
            count_read(true, _taken(one, second), numbers, self.reading, moments=self.moments)
            for one in self.preds
        ]

    def _tables_of_products(self, products: list[NDArray[np.float64]]) -> list[ContingencyTable]:
        assert self.soft is not None
        return [
            ContingencyTable._of(
                *counts_of_products(product, (self.true, one), soft, self.total, self.reading)
            )
            for product, one, soft in zip(products, self.preds, self.soft, strict=True)
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
