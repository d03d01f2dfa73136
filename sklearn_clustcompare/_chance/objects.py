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


class PermutedObjects(NamedTuple):
    """Objects with weights, each of which gets the place of one of its block."""

    true: Partition
    preds: list[Partition]
    blocks: Positions
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
        blocks: Positions | None = None,
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
        orders: Iterator[Positions] = orders_within(self.blocks, size, seed)
        if not self.blocks.any():
            generator = np.random.RandomState(seed)
            orders = (generator.permutation(self.true.n_objects) for _ in range(size))
        return (self._tables(order) for order in orders)

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
        """Count the tables with the objects of one side, the one that is a single partition."""
        true, preds = self.true, self.preds
        if len(preds) == 1:
            preds = [preds[0].take(order)]
        else:
            true = true.take(order)
        return [count_read(true, one, None, self.reading, moments=self.moments) for one in preds]


def _compact(side: Partition) -> Partition:
    return side.compact()[0] if isinstance(side, Labels) else side


def orders_within(blocks: Positions, size: int, seed: int) -> Iterator[Positions]:
    """Draw orders of objects in which each has the place of one of its block, from a seed."""
    generator = np.random.RandomState(seed)
    members = np.argsort(blocks, kind="stable")
    starts = blocks[members].astype(np.float64)
    for _ in range(size):
        order = np.empty(len(members), np.intp)
        order[members] = members[np.argsort(starts + generator.random_sample(len(members)))]
        yield order
