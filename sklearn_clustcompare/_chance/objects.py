"""The null model that permutes the objects of one side: moments and draws.

The sum of squared cells is Mantel's statistic, sum_kl (U U^T)_kl (V V^T)_s(k)s(l), whose first two
moments over all permutations s need a few sums over the objects of each side only. With the mean
memberships m_u and m_v subtracted, U = 1 m_u^T + X and V = 1 m_v^T + Y, it is the sum of

    n^2 |m_u|^2 |m_v|^2  +  2 n sum_k (X m_u)_k (Y m_v)_s(k)  +  |X^T Y_s|^2

a constant, a sum of products, and Mantel's statistic of matrices whose rows sum to zero. The
variance therefore needs no subtraction of large terms.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from sklearn_clustcompare._array_types import IntArray, Positions
from sklearn_clustcompare._partition import Labels, Partition, Reading
from sklearn_clustcompare._partition.memberships import MembershipMoments
from sklearn_clustcompare._table import ContingencyTable, count_read

# Memberships with a smaller relative variation between objects are treated as equal.
_ROUNDING = 1e-13


class SquareSumMoments(NamedTuple):
    """Mean and variance of ``sum n_ij^2`` under permutation of the objects of one side."""

    mean: float
    variance: float


class _Side(NamedTuple):
    """Sums over the objects of one side, with x_k the memberships of k less their mean m."""

    mean_square: float  # |m|^2
    trace: float  # sum |x_k|^2
    frobenius: float  # |X^T X|^2
    fourth: float  # sum |x_k|^4
    linear: float  # sum (x_k m)^2
    mixed: float  # sum (x_k m) |x_k|^2


def mantel_moments(
    true: MembershipMoments, pred: MembershipMoments, n_samples: float
) -> SquareSumMoments:
    """Return the moments of the sum of squared cells, exact for any memberships.

    N. Mantel, "The detection of disease clustering and a generalized regression approach",
    Cancer Research 27, 1967, gives them for matrices in general.
    """
    n = float(n_samples)
    u, v = _centered(true, n), _centered(pred, n)
    constant = n * n * u.mean_square * v.mean_square
    if n <= 1:
        return SquareSumMoments(constant, 0.0)
    diagonal = u.trace * v.trace / n
    mean_quadratic = n / (n - 1) * diagonal
    variance = 4 * n * n * u.linear * v.linear / (n - 1)
    if n > 2:
        variance += 4 * n * n / ((n - 1) * (n - 2)) * u.mixed * v.mixed
    variance += _variance_of_quadratic(u, v, n)
    return SquareSumMoments(constant + mean_quadratic, max(variance, 0.0))


def _variance_of_quadratic(u: _Side, v: _Side, n: float) -> float:
    """Return the variance of |X^T Y_s|^2, from the products of distinct and equal objects."""
    diagonal = (u.fourth - u.trace**2 / n) * (v.fourth - v.trace**2 / n) / (n - 1)
    diagonal += (u.trace * v.trace / n) ** 2
    # Off the diagonal, rows of X X^T sum to minus its diagonal.
    pairs = (u.frobenius - u.fourth) * (v.frobenius - v.fourth)
    square = 2 * pairs / (n * (n - 1))
    both = 2 * u.fourth * v.fourth / (n * (n - 1))
    if n > 2:
        triples = n * (n - 1) * (n - 2)
        square += 4 * _three(u) * _three(v) / triples
        both += (2 * u.fourth - u.trace**2) * (2 * v.fourth - v.trace**2) / triples
    if n > 3:
        square += _four(u) * _four(v) / (triples * (n - 3))
    mean = u.trace * v.trace / (n - 1)
    return diagonal + 2 * both + square - mean**2


def _three(side: _Side) -> float:
    """Sum of the products of two entries of X X^T in one row, of three different objects."""
    return 2 * side.fourth - side.frobenius


def _four(side: _Side) -> float:
    """Sum of the products of two entries of X X^T, of four different objects."""
    return side.trace**2 - 4 * _three(side) - 2 * (side.frobenius - side.fourth)


def _centered(moments: MembershipMoments, n: float) -> _Side:
    mean = moments.sizes / n if n else moments.sizes
    square = float(mean @ mean)
    spread = float(mean @ (moments.gram @ mean))
    trace = float(moments.gram.trace())
    if trace - n * square <= _ROUNDING * trace:
        return _Side(square, 0.0, 0.0, 0.0, 0.0, 0.0)
    cubes = float(moments.cubes @ mean)
    frobenius = float(moments.gram.power(2).sum())
    return _Side(
        mean_square=square,
        trace=trace - n * square,
        frobenius=frobenius - 2 * n * spread + (n * square) ** 2,
        fourth=(moments.fourth - 4 * (cubes - spread) + 2 * square * trace - 3 * n * square**2),
        linear=spread - n * square**2,
        mixed=cubes - 2 * spread - square * trace + 2 * n * square**2,
    )


# An object of weight w is permuted as w objects, up to so many together: a draw of memberships then
# takes a part of a second.
_MOST_OBJECTS = 10**6


# Permutation of whole groups of objects that were sampled together, such as donors or documents.
#
# Labels of one side that are constant within groups are permuted over the groups, whatever their
# sizes, and weights stay with the other side. If no side is constant, groups of equal size are
# exchanged whole; of unequal ones there are no permutations.


class Groups(NamedTuple):
    """Groups of objects that are exchanged whole: the group of each object.

    ``members`` of shape (n_groups, size) are the objects of groups of equal size, or one of each
    group if labels are constant within them; None if groups cannot be exchanged.
    """

    codes: Positions
    members: Positions | None

    @property
    def n_groups(self) -> int:
        return int(self.codes.max()) + 1

    def orders(self, size: int, seed: int) -> Iterator[Positions]:
        """Draw of which object each one gets the label, from a seed."""
        members = self.members
        assert members is not None
        generator = np.random.RandomState(seed)
        for _ in range(size):
            drawn = members[generator.permutation(len(members))]
            if members.shape[1] == 1:
                yield drawn[self.codes, 0]
            else:
                order = np.empty(len(self.codes), np.intp)
                order[members.ravel()] = drawn.ravel()
                yield order


class PermutedObjects(NamedTuple):
    """Objects with weights, whose labels of one side are permuted within blocks or by groups."""

    true: Partition
    preds: list[Partition]
    blocks: Positions
    reading: Reading
    moments: bool
    permutes_true: bool
    weights: IntArray | None = None
    groups: Groups | None = None

    @classmethod
    def of(
        cls,
        true: Partition,
        preds: Sequence[Partition],
        weights: IntArray | None,
        reading: Reading,
        blocks: Positions | None = None,
        *,
        moments: bool,
    ) -> PermutedObjects:
        """Leave out objects of weight 0. ``moments`` of memberships are kept with the tables."""
        n_objects = true.n_objects
        blocks = np.zeros(n_objects, np.intp) if blocks is None else blocks
        # The side that is a single partition.
        objects = cls(true, [*preds], blocks, reading, moments, permutes_true=len(preds) != 1)
        if weights is None:
            return objects._taken(np.arange(n_objects))
        kept = np.flatnonzero(weights)
        objects = objects._taken(kept)
        return objects._replace(weights=weights[kept]) if weights.max(initial=0) > 1 else objects

    @classmethod
    def in_groups(
        cls,
        true: Partition,
        preds: Sequence[Partition],
        groups: Labels,
        weights: IntArray | None,
        reading: Reading,
        *,
        either_side: bool,
        moments: bool,
    ) -> PermutedObjects:
        """Find which side can be permuted over the groups; leave out objects of weight 0."""
        weights = np.ones(true.n_objects, np.int64) if weights is None else weights
        kept = np.flatnonzero(weights)
        true, *preds = (side.take(kept) for side in (true, *preds))
        weights, codes = weights[kept], groups.take(kept).compact()[0].codes.astype(np.intp)
        n_groups = int(codes.max(initial=-1)) + 1
        if n_groups < 2:
            msg = f"groups must hold at least 2 groups to be permuted, got {n_groups}"
            raise ValueError(msg)
        order, sizes = np.argsort(codes, kind="stable"), np.bincount(codes)
        firsts = order[np.cumsum(sizes) - sizes]
        sides = [(False, preds[0]), (True, true)][not either_side :]
        constant = [is_true for is_true, side in sides if _is_constant(side, firsts[codes])]
        members = firsts[:, np.newaxis] if constant else None
        if not constant and len(set(sizes)) == 1 and not np.ptp(weights):
            members = order.reshape(n_groups, -1)
        permutes_true = constant[0] if constant else sides[0][0]
        given = weights if np.any(weights != 1) else None
        units = Groups(codes, members)
        return cls(true, [*preds], codes, reading, moments, permutes_true, given, units)

    @property
    def has_fixed_groups(self) -> bool:
        """Whether groups are given that cannot be exchanged."""
        return self.groups is not None and self.groups.members is None

    def draw(self, size: int, seed: int) -> Iterator[list[ContingencyTable]]:
        """Draw tables with all others, from a seed."""
        if self.groups is not None:
            return (self._tables(order) for order in self.groups.orders(size, seed))
        if self.weights is not None:
            return self._repeated(self.weights).draw(size, seed)
        orders: Iterator[Positions] = orders_within(self.blocks, size, seed)
        if not self.blocks.any():
            generator = np.random.RandomState(seed)
            orders = (generator.permutation(self.true.n_objects) for _ in range(size))
        return (self._tables(order) for order in orders)

    def without_each(self) -> Iterator[ContingencyTable]:
        """Count the tables without each group."""
        assert self.groups is not None
        for group in range(self.groups.n_groups):
            kept = np.flatnonzero(self.groups.codes != group)
            weights = None if self.weights is None else self.weights[kept]
            some = self._replace(true=self.true.take(kept), weights=weights)
            yield some._table(self.preds[0].take(kept))

    def _repeated(self, weights: IntArray) -> PermutedObjects:
        if (total := sum(weights.tolist())) > _MOST_OBJECTS:
            msg = (
                f"sample_weight must sum to at most {_MOST_OBJECTS:,} to permute the objects, "
                f"which are repeated by their weights, got {total:,}: draw a sample of the objects"
            )
            raise ValueError(msg)
        return self._replace(weights=None)._taken(np.repeat(np.arange(len(weights)), weights))

    def _taken(self, objects: Positions) -> PermutedObjects:
        true, *preds = (_compact(side.take(objects)) for side in (self.true, *self.preds))
        return self._replace(true=true, preds=preds, blocks=self.blocks[objects])

    def _tables(self, order: Positions) -> list[ContingencyTable]:
        """Count the tables with permuted labels of one side."""
        if self.permutes_true:
            permuted = self._replace(true=self.true.take(order))
            return [permuted._table(one) for one in self.preds]
        return [self._table(one.take(order)) for one in self.preds]

    def _table(self, pred: Partition) -> ContingencyTable:
        return count_read(self.true, pred, self.weights, self.reading, moments=self.moments)


def _compact(side: Partition) -> Partition:
    return side.compact()[0] if isinstance(side, Labels) else side


def _is_constant(side: Partition, firsts: Positions) -> bool:
    """Return whether each object has the label of the first one of its group."""
    if isinstance(side, Labels):
        return bool((side.codes == side.codes[firsts]).all())
    return bool(abs(side.values - side.values[firsts]).max() == 0)


def orders_within(blocks: Positions, size: int, seed: int) -> Iterator[Positions]:
    """Draw orders of objects in which each has the place of one of its block, from a seed."""
    generator = np.random.RandomState(seed)
    members = np.argsort(blocks, kind="stable")
    starts = blocks[members].astype(np.float64)
    for _ in range(size):
        order = np.empty(len(members), np.intp)
        order[members] = members[np.argsort(starts + generator.random_sample(len(members)))]
        yield order
