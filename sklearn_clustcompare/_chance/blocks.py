"""Permutation within blocks of objects, such as batches: random tables, and moments of squares.

The cells are sums n_ij = sum_g n_ijg of the tables of the blocks, which are independent, each with
the permutation model of its own margins a_ig and b_jg of N_g objects. With the means
M_ij = sum_g mu_ijg and the deviations d_ijg = n_ijg - mu_ijg,

    n_ij^2 = M_ij^2 + sum_g (d_ijg^2 + 2 M_ij d_ijg) + 2 sum_{g<h} d_ijg d_ijh,

whose terms are uncorrelated. In a block, d^2 is a variance, a multiple of d and a part of degree 2
in the orthogonal polynomials of the cell, which is uncorrelated with the lines in d.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._chance.draws import frequencies_of
from sklearn_clustcompare._chance.law import PairCounts
from sklearn_clustcompare._chance.permuted_objects import PermutedObjects
from sklearn_clustcompare._numerics import FloatArray
from sklearn_clustcompare._partition import (
    Labels,
    Partition,
    Reading,
    read_beside,
    read_pair,
)
from sklearn_clustcompare._table import ContingencyTable, count
from sklearn_clustcompare._table.counts import CountedPairs


class BlockedModel(NamedTuple):
    """A table, and the source of random ones: its objects, permuted within blocks."""

    table: ContingencyTable
    objects: PermutedObjects
    margins: BlockMargins | None

    @classmethod
    def read(
        cls,
        labels_true: Any,
        labels_pred: Any,
        sample_weight: Any,
        reading: Reading,
        blocks: Any,
        *,
        draws_moments: bool,
    ) -> BlockedModel:
        """Read the user's input; ``draws_moments`` as in ``NullModel``."""
        if isinstance(labels_true, ContingencyTable) or labels_pred is None:
            msg = (
                "blocks must be None unless labels_true and labels_pred are labels or memberships: "
                "a ContingencyTable does not hold the blocks of its objects"
            )
            raise TypeError(msg)
        true, pred = read_pair(labels_true, labels_pred, reading=reading)
        codes = read_beside(true, blocks, "blocks")
        table = count(true, pred, sample_weight, reading, moments=draws_moments)
        weights = frequencies_of(true, pred, sample_weight, reading)
        kept = np.flatnonzero(weights)
        sides, weights = (true.take(kept), pred.take(kept)), weights[kept]
        blocks = codes.take(kept).compact()[0].codes
        objects = PermutedObjects.of(
            sides[0], [sides[1]], weights, reading, blocks, moments=draws_moments
        )
        return cls(table, objects, BlockMargins.of(sides, weights, blocks, reading))

    @property
    def n_permuted(self) -> int:
        """The number of objects that a draw permutes."""
        return int(self.table.n_samples)

    def draw(self, size: int, seed: int) -> Iterator[ContingencyTable]:
        """Draw random tables from a seed."""
        return (table for (table,) in self.objects.draw(size, seed))

    def draw_pairs(self, size: int, seed: int) -> Iterator[CountedPairs]:
        """Draw what an index of pairs is a function of."""
        return map(CountedPairs.of_table, self.draw(size, seed))


class BlockMargins(NamedTuple):
    """Cluster sizes of both partitions in each block, of shape (n_blocks, n_clusters)."""

    rows: NDArray[np.int64]
    cols: NDArray[np.int64]

    @classmethod
    def of(
        cls,
        sides: tuple[Partition, Partition],
        weights: NDArray[np.int64],
        blocks: NDArray[np.intp],
        reading: Reading,
    ) -> BlockMargins | None:
        """Return the cluster sizes, or None for memberships and single noise."""
        if reading.noise == "singletons":
            return None
        margins = []
        for side in sides:
            if not isinstance(side, Labels):
                return None
            codes, sizes = side.compact()
            cells = np.zeros((int(blocks.max(initial=-1)) + 1, len(sizes)), np.int64)
            np.add.at(cells, (blocks, codes.codes), weights)
            margins.append(cells)
        return cls(*margins)

    @property
    def _sizes(self) -> FloatArray:
        """Numbers of objects, one at least, of the blocks."""
        return self.rows.sum(axis=1).astype(np.float64)[:, np.newaxis]

    @property
    def means(self) -> FloatArray:
        """Means M of the cells."""
        result: FloatArray = (self.rows / self._sizes).T @ self.cols
        return result

    def mean_of_squares(self, divisors: FloatArray) -> float:
        """Return the mean of the sum of squared cells, each divided by a number."""
        sizes = self._sizes
        spread = (self.rows * (sizes - self.rows) / (sizes**2 * np.maximum(sizes - 1, 1))).T
        variances = spread @ (self.cols * (sizes - self.cols))
        return float(((self.means**2 + variances) / divisors).sum())

    def variance_of_squares(self) -> float:
        """Return the variance of the sum of squared cells."""
        means = self.means
        within = sum(
            _variance_in_block(rows, cols, means)
            for rows, cols in zip(self.rows, self.cols, strict=True)
        )
        return float(within + self._variance_between())

    def _variance_between(self) -> float:
        """Return the variance of 2 sum_{g<h} sum_ij d_ijg d_ijh."""
        sizes = self._sizes
        products = _covariance_products(self.rows, sizes) * _covariance_products(self.cols, sizes)
        scale = sizes * sizes * np.maximum(sizes - 1, 1)
        np.fill_diagonal(products, 0.0)
        return float(2 * (products / (scale * scale.T)).sum())


def _covariance_products(sums: NDArray[np.int64], sizes: FloatArray) -> FloatArray:
    """Return <A_g, A_h> for A_g = N_g diag(a_g) - a_g a_g^T, for all pairs of blocks."""
    a = sums.astype(np.float64)
    inner, cubic = a @ a.T, a @ (a * a).T
    result: FloatArray = sizes * sizes.T * inner - sizes * cubic - (sizes * cubic).T + inner * inner
    return result


def _variance_in_block(
    rows: NDArray[np.int64], cols: NDArray[np.int64], means: FloatArray
) -> float:
    """Return the variance of the sum of d^2 + 2 M d over the cells of a block."""
    n = float(rows.sum())
    if n < 2:
        return 0.0
    some, others = rows.nonzero()[0], cols.nonzero()[0]
    a, b = rows[some].astype(np.float64), cols[others].astype(np.float64)
    # d^2 is a variance, this multiple of d, and a part of degree 2.
    slopes = np.outer(n - 2 * a, n - 2 * b) / (n * max(n - 2, 1))
    of_squares = slopes + 2 * np.outer(a, b) / n
    lines = slopes + 2 * means[np.ix_(some, others)]
    of_pairs = PairCounts.from_sums(rows[some], cols[others])
    curved = 4 * float(of_pairs.variance) - _variance_of_lines(of_squares, a, b, n)
    return max(curved, 0.0) + _variance_of_lines(lines, a, b, n)


def _variance_of_lines(slopes: FloatArray, a: FloatArray, b: FloatArray, n: float) -> float:
    """Return the variance of a sum of multiples of the deviations of the cells of a block."""
    centered = slopes - (slopes @ b / n)[:, np.newaxis]
    centered -= a @ centered / n
    return float(a @ (centered * centered) @ b) / (n - 1)
