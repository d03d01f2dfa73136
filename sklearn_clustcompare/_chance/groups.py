"""Permutation of whole groups of objects that were sampled together, such as donors or documents.

Labels of one side that are constant within groups are permuted over the groups, whatever their
sizes, and weights stay with the other side. If no side is constant, groups of equal size are
exchanged whole; of unequal ones there are no permutations.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._chance.draws import frequencies_of
from sklearn_clustcompare._partition import Labels, Partition, Reading, read_beside, read_pair
from sklearn_clustcompare._table import ContingencyTable, count, count_read
from sklearn_clustcompare._table.counts import CountedPairs


class GroupedModel(NamedTuple):
    """A table, and the source of random ones: the groups of its objects, exchanged whole.

    ``members`` of shape (n_groups, size) are the objects of groups of equal size, or one of each
    group if ``sides[which]`` is constant within them; None if groups cannot be exchanged.
    """

    table: ContingencyTable
    sides: tuple[Partition, Partition]
    groups: NDArray[np.intp]
    weights: NDArray[Any]
    reading: Reading
    moments: bool
    members: NDArray[np.intp] | None
    which: int

    @classmethod
    def read(
        cls,
        labels_true: Any,
        labels_pred: Any,
        sample_weight: Any,
        reading: Reading,
        groups: Any,
        *,
        draws_moments: bool,
    ) -> GroupedModel:
        """Read the user's input; ``draws_moments`` as in ``NullModel``."""
        if isinstance(labels_true, ContingencyTable) or labels_pred is None:
            msg = (
                "groups must be None unless labels_true and labels_pred are labels or memberships: "
                "a ContingencyTable does not hold the groups of its objects"
            )
            raise TypeError(msg)
        true, pred = read_pair(labels_true, labels_pred, reading=reading)
        codes = read_beside(true, groups, "groups")
        table = count(true, pred, sample_weight, reading, moments=draws_moments)
        weights = frequencies_of(true, pred, sample_weight, reading)
        kept = np.flatnonzero(weights)
        sides = true.take(kept), pred.take(kept)
        return cls.of(
            table, sides, codes.take(kept), weights[kept], reading, draws_moments=draws_moments
        )

    @classmethod
    def of(
        cls,
        table: ContingencyTable,
        sides: tuple[Partition, Partition],
        groups: Labels,
        weights: NDArray[Any],
        reading: Reading,
        *,
        draws_moments: bool,
    ) -> GroupedModel:
        """Find which side can be permuted over the groups of objects that have weights."""
        found = groups.compact()[0].codes.astype(np.intp)
        n_groups = int(found.max(initial=-1)) + 1
        if n_groups < 2:
            msg = f"groups must hold at least 2 groups to be permuted, got {n_groups}"
            raise ValueError(msg)
        order, sizes = np.argsort(found, kind="stable"), np.bincount(found)
        firsts = order[np.cumsum(sizes) - sizes]
        members, which = None, 1
        constant = [which for which in (1, 0) if _is_constant(sides[which], firsts[found])]
        if constant:
            members, which = firsts[:, np.newaxis], constant[0]
        elif len(set(sizes)) == 1 and not np.ptp(weights):
            members = order.reshape(n_groups, -1)
        return cls(table, sides, found, weights, reading, draws_moments, members, which)

    @property
    def margins(self) -> None:
        """Of blocks: moments under permutation of groups are not known."""

    @property
    def n_groups(self) -> int:
        return int(self.groups.max()) + 1

    @property
    def n_permuted(self) -> int:
        """The number of objects that a draw counts."""
        return len(self.groups)

    def orders(self, size: int, seed: int) -> Iterator[NDArray[np.intp]]:
        """Draw of which object each one gets the label, from a seed."""
        members = self.members
        assert members is not None
        generator = np.random.RandomState(seed)
        for _ in range(size):
            drawn = members[generator.permutation(len(members))]
            if members.shape[1] == 1:
                yield drawn[self.groups, 0]
            else:
                order = np.empty(len(self.groups), np.intp)
                order[members.ravel()] = drawn.ravel()
                yield order

    def draw(self, size: int, seed: int) -> Iterator[ContingencyTable]:
        """Draw random tables from a seed."""
        for order in self.orders(size, seed):
            sides = list(self.sides)
            sides[self.which] = sides[self.which].take(order)
            yield self.table_of(sides, self.weights)

    def draw_pairs(self, size: int, seed: int) -> Iterator[CountedPairs]:
        """Draw what an index of pairs is a function of."""
        return map(CountedPairs.of_table, self.draw(size, seed))

    def without_each(self) -> Iterator[ContingencyTable]:
        """Yield the tables without each group."""
        for group in range(self.n_groups):
            kept = np.flatnonzero(self.groups != group)
            yield self.table_of([side.take(kept) for side in self.sides], self.weights[kept])

    def table_of(self, sides: list[Any], weights: NDArray[Any]) -> ContingencyTable:
        """Count two sides, with the weights of their objects."""
        given = weights if np.any(weights != 1) else None
        return count_read(sides[0], sides[1], given, self.reading, moments=self.moments)


def _is_constant(side: Partition, firsts: NDArray[np.intp]) -> bool:
    """Return whether each object has the label of the first one of its group."""
    if isinstance(side, Labels):
        return bool((side.codes == side.codes[firsts]).all())
    return bool(abs(side.values - side.values[firsts]).max() == 0)
