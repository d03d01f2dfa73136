"""Products of memberships under permutation of very many copies, by their normal law.

If r_a copies of object a meet c_b of b in all, the numbers P_ab of those that meet each other have
the covariances (r_a d_aa' - r_a r_a' / N) (c_b d_bb' - c_b c_b' / N) / (N - 1). So the products
U^T P V, sums over N pairs of copies, have the mean N m_u m_v^T and the law of

    N m_u m_v^T  +  F_u^T Z F_v / sqrt(N - 1)

in the limit [1]_, where Z holds independent normal numbers, and F_u^T F_u is the sum of the squared
deviations of the memberships of all copies from their mean m_u. A draw thus takes no longer for
many objects than for few. It is used only where no pair of copies moves any product by more than a
small part of its standard deviation.

References
----------
.. [1] E. Bolthausen, F. Goetze, "The rate of convergence for multivariate sampling statistics",
   The Annals of Statistics 21, 1993.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from sklearn_clustcompare._numerics import FloatArray
from sklearn_clustcompare._partition import Labels, Partition

# The largest step of one pair, in standard deviations.
_LARGEST_STEP = 1 / 32
# Numbers in the memberships of one side, which become a dense array.
_LARGEST_SIDE = 2**24
# Deviations that are smaller, relative to the memberships, are rounding errors.
_ROUNDING = 1e-12


class _Spread(NamedTuple):
    """Memberships of the copies of one side: their mean, F, and the largest deviation.

    Deviations are in standard deviations, in any direction.
    """

    mean: FloatArray
    factor: FloatArray
    reach: float

    @classmethod
    def of(cls, memberships: FloatArray, weights: FloatArray) -> _Spread:
        total = weights.sum()
        mean = weights @ memberships / total
        roots = np.sqrt(weights)[:, np.newaxis]
        vectors, sizes, directions = np.linalg.svd(
            roots * (memberships - mean), full_matrices=False
        )
        rank = int(np.count_nonzero(sizes > _ROUNDING * np.sqrt(total * (mean @ mean))))
        leverages = (vectors[:, :rank] ** 2).sum(axis=1) / weights
        factor = sizes[:rank, np.newaxis] * directions[:rank]
        return cls(mean, factor, float(np.sqrt(total * leverages.max(initial=0.0))))


class _Block(NamedTuple):
    """The law of the products of one block."""

    mean: FloatArray
    first: FloatArray
    second: FloatArray

    def draw(self, generator: np.random.RandomState) -> FloatArray:
        normal = generator.standard_normal((len(self.first), len(self.second)))
        result: FloatArray = self.mean + self.first.T @ normal @ self.second
        return result


class NormalProducts(NamedTuple):
    """The law of U^T P V for one U and several V side by side, a sum over the blocks."""

    blocks: list[_Block]
    # Where the columns of each V end, but for the last one.
    ends: NDArray[np.intp]

    @classmethod
    def of(
        cls,
        true: Partition,
        preds: Sequence[Partition],
        weights: NDArray[np.int64],
        blocks: NDArray[np.intp],
    ) -> NormalProducts | None:
        """Return the law, or None where it does not hold or would need much memory."""
        widths = [[_width(side) for side in sides] for sides in ([true], preds)]
        if max(map(sum, widths)) * len(weights) > _LARGEST_SIDE:
            return None
        first, second = (np.hstack([*map(_dense, sides)]) for sides in ([true], preds))
        laws = []
        for block in range(int(blocks.max(initial=0)) + 1):
            members = np.flatnonzero(blocks == block)
            copies = weights[members].astype(np.float64)
            total = copies.sum()
            u, v = (_Spread.of(side[members], copies) for side in (first, second))
            if not u.reach * v.reach <= _LARGEST_STEP * np.sqrt(total):
                return None
            mean = total * np.outer(u.mean, v.mean)
            laws.append(_Block(mean, u.factor, v.factor / np.sqrt(max(total - 1, 1))))
        return cls(laws, np.cumsum(widths[1])[:-1])

    def draw(self, size: int, seed: int) -> Iterator[list[FloatArray]]:
        """Draw the products of U with each V."""
        generator = np.random.RandomState(seed)
        for _ in range(size):
            products = sum(block.draw(generator) for block in self.blocks)
            yield np.split(products, self.ends, axis=1)


def _width(side: Partition) -> int:
    return side.n_codes if isinstance(side, Labels) else side.values.shape[1]


def _dense(side: Partition) -> FloatArray:
    """Return memberships, of 0 and 1 for labels, which must be compact."""
    rows = side.rows(0, side.n_objects)
    return np.asarray(rows.toarray() if sparse.issparse(rows) else rows, np.float64)
