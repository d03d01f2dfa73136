"""Two covers of the same objects; objects in the same clusters are counted together.

The signature of an object is the set of its clusters on both sides. Indices of covers depend on the
number of objects with each signature only. Pairs of objects are pairs of signatures; only pairs
that share a cluster are visited, block by block.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from sklearn_clustcompare._array_types import Array, FloatArray, IntArray
from sklearn_clustcompare._memory import warn_if_long
from sklearn_clustcompare._numerics import ordered_sum
from sklearn_clustcompare._partition import NAMES, Cover, Hierarchy, Labels, read
from sklearn_clustcompare._partition.arrays import as_sample_weight, check_some_weight
from sklearn_clustcompare._partition.covers import (
    align_cover,
    columns_of,
    cover_of_labels,
    names_of_index,
)
from sklearn_clustcompare._partition.labels import index_of

# Pairs of signatures in a block.
_BLOCK_PAIRS = 2**22
_SECONDS_PER_PAIR = 5e-8


class SharedClusters(NamedTuple):
    """Ordered pairs of signatures in a block, and the number of clusters each pair shares."""

    first: IntArray
    second: IntArray
    n_shared: IntArray

    @classmethod
    def of(cls, numbers: sparse.csr_array, start: int) -> SharedClusters:
        """Make the pairs of the rows from ``start`` on with all others."""
        first = np.repeat(start + np.arange(numbers.shape[0]), np.diff(numbers.indptr))
        return cls(first, numbers.indices.astype(np.int64), numbers.data)


class Signatures(NamedTuple):
    """Rows of a matrix of 0 and 1, and the number of objects with each.

    ``codes`` are the rows of the objects, and ``weights`` their numbers of objects, or sums of
    weights.
    """

    codes: IntArray
    memberships: sparse.csr_array
    weights: Array

    @classmethod
    def of(cls, memberships: sparse.csr_array, weights: Array) -> Signatures:
        """Group equal rows."""
        codes, first = _distinct_rows(memberships)
        sums = np.zeros(len(first), weights.dtype)
        # Ordered, so that the sums do not depend on the order of the objects.
        order = np.argsort(weights)
        np.add.at(sums, codes[order], weights[order])
        return cls(codes, memberships[first], sums)

    @property
    def costs(self) -> IntArray:
        """Return for each row the sum of the sizes of its clusters: the rows it shares one with."""
        sizes = np.bincount(self.memberships.indices, minlength=self.memberships.shape[1])
        costs: IntArray = self.memberships @ sizes
        return costs

    def sharing(self) -> Iterator[SharedClusters]:
        """Yield the ordered pairs of rows that share a cluster, including each with itself."""
        transposed = sparse.csr_array(self.memberships.T)
        for start, stop in _blocks(self.costs):
            product = sparse.csr_array(self.memberships[start:stop] @ transposed)
            yield SharedClusters.of(product, start)


class CoverPair:
    """Two covers of the same objects; made by :func:`pair_covers`.

    ``true`` and ``pred`` have a row of 0 and 1 for each signature, ``weights`` their numbers of
    objects, and ``codes`` the signature of each object. Attributes that a contingency table also
    has share its names: ``cell_counts`` are the numbers of objects that two clusters of different
    sides share, if any, and ``row_sums`` and ``col_sums`` are the sizes of the clusters, which
    overlap. ``scales`` are the weights of the clusters of hierarchies, 1 elsewhere.
    """

    def __init__(
        self,
        true: Cover,
        pred: Cover,
        weights: Array,
        scales: tuple[FloatArray, FloatArray],
    ) -> None:
        memberships = sparse.csr_array(sparse.hstack([true.membership, pred.membership]))
        signatures = Signatures.of(memberships, weights)
        counts = signatures.weights > 0
        both = signatures.memberships[counts]
        self.codes = (np.cumsum(counts) - 1)[signatures.codes]
        self.weights = signatures.weights[counts]
        self.n_samples = ordered_sum(self.weights)
        self.true, self.pred = both[:, : true.n_clusters], both[:, true.n_clusters :]
        self.row_sums, self.col_sums = self.true.T @ self.weights, self.pred.T @ self.weights
        # Clusters whose objects have no weight are left out.
        rows, cols = self.row_sums > 0, self.col_sums > 0
        self.true, self.pred = self.true[:, rows], self.pred[:, cols]
        self.row_sums, self.col_sums = self.row_sums[rows], self.col_sums[cols]
        self.scales = scales[0][rows], scales[1][cols]

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.row_sums), len(self.col_sums)

    @cached_property
    def T(self) -> CoverPair:
        swapped = object.__new__(CoverPair)
        swapped.__dict__.update(
            codes=self.codes,
            weights=self.weights,
            n_samples=self.n_samples,
            true=self.pred,
            pred=self.true,
            row_sums=self.col_sums,
            col_sums=self.row_sums,
            scales=self.scales[::-1],
        )
        return swapped

    @cached_property
    def is_identity(self) -> bool:
        """Whether the two covers have the same clusters, up to their order."""
        if self.shape[0] != self.shape[1]:
            return False
        first, second = (
            Counter(zip(columns_of(side), scale.tolist(), strict=True))
            for side, scale in zip((self.true, self.pred), self.scales, strict=True)
        )
        return first == second

    @cached_property
    def overlaps(self) -> sparse.csr_array:
        """Number of objects that each cluster of one side shares with each of the other."""
        overlaps = sparse.csr_array(self.true.T @ scale_rows(self.pred, self.weights))
        overlaps.sort_indices()
        return overlaps

    @property
    def cell_counts(self) -> Array:
        return self.overlaps.data

    @property
    def cell_rows(self) -> IntArray:
        return np.repeat(np.arange(self.shape[0]), np.diff(self.overlaps.indptr))

    @property
    def cell_cols(self) -> IntArray:
        return self.overlaps.indices.astype(np.int64)

    @cached_property
    def sides(self) -> tuple[Signatures, Signatures]:
        """The signatures of each side."""
        return Signatures.of(self.true, self.weights), Signatures.of(self.pred, self.weights)

    @cached_property
    def common(self) -> Signatures:
        """The signatures of the cells, pairs of a cluster of each side.

        Two objects that share s clusters on one side and t on the other share s t cells.
        """
        true, pred = (side.tocoo() for side in (self.true, self.pred))
        true_lengths, pred_lengths = (np.diff(side.indptr) for side in (self.true, self.pred))
        # Each cluster of one side, repeated for the clusters of the other in its signature.
        repeats = pred_lengths[true.row]
        rows = np.repeat(true.row.astype(np.int64), repeats)
        starts = np.repeat(self.pred.indptr[true.row], repeats)
        within = np.arange(len(rows)) - np.repeat(np.cumsum(repeats) - repeats, repeats)
        cells = np.repeat(true.col.astype(np.int64), repeats) * self.shape[1]
        cells += pred.col[starts + within]
        occupied, cells = np.unique(cells, return_inverse=True)
        ends = np.append(0, np.cumsum(true_lengths * pred_lengths))
        matrix = sparse.csr_array(
            (np.ones(len(rows), np.int64), cells, ends), (len(self.weights), len(occupied))
        )
        return Signatures(np.arange(len(self.weights)), matrix, self.weights)

    @property
    def _costs_of_both(self) -> IntArray:
        """Return for each signature the number of those that share a cluster of a side with it."""
        first, second = (
            Signatures(self.codes, side, self.weights).costs for side in (self.true, self.pred)
        )
        return first + second

    def warn_if_long(self, name: str) -> None:
        """Warn before an index visits very many pairs of objects that share a cluster."""
        n_shared = min(self.common.costs.sum(), self._costs_of_both.sum())
        n_pairs = int(n_shared + sum(side.costs.sum() for side in self.sides))
        warn_if_long(
            f"{name} of covers, which visits {n_pairs:.2g} pairs of objects in the same cluster,",
            _SECONDS_PER_PAIR * n_pairs,
            "leave out clusters of nearly all objects, or score a sample of the objects",
        )

    def sharing(self) -> Iterator[tuple[SharedClusters, IntArray, IntArray]]:
        """Yield the ordered pairs of signatures that share a cluster on both sides.

        With the numbers of clusters that they share in each cover.
        """
        costs = self._costs_of_both
        if self.common.costs.sum() <= costs.sum():
            yield from self._sharing_cells()
            return
        # If clusters overlap strongly, pairs share more cells than clusters.
        transposed = [sparse.csr_array(side.T) for side in (self.true, self.pred)]
        for start, stop in _blocks(costs):
            true, pred = (
                sparse.csr_array(side[start:stop] @ across)
                for side, across in zip((self.true, self.pred), transposed, strict=True)
            )
            true.sort_indices()
            pred.sort_indices()
            block = SharedClusters.of(sparse.csr_array(true.multiply(pred)), start)
            n_true = sparse.csr_array(true.multiply(pred.astype(bool))).data
            yield block, n_true, block.n_shared // n_true

    def _sharing_cells(
        self,
    ) -> Iterator[tuple[SharedClusters, IntArray, IntArray]]:
        for block in self.common.sharing():
            true, pred = np.ones_like(block.n_shared), np.ones_like(block.n_shared)
            several = np.flatnonzero(block.n_shared > 1)
            first, second = block.first[several], block.second[several]
            true[several] = self.true[first].multiply(self.true[second]).sum(axis=1)
            pred[several] = block.n_shared[several] // true[several]
            yield block, true, pred


def pair_covers(
    first: Any,
    second: Any,
    sample_weight: ArrayLike | None = None,
    names: tuple[str, str] = NAMES,
) -> CoverPair:
    """Pair two covers or hierarchies of the same objects; labels are read as covers."""
    if second is None:
        msg = f"{names[1]} must be given with a Cover, got a Cover alone"
        raise TypeError(msg)
    (true, true_scale), (pred, pred_scale) = (
        _as_cover(side, name) for side, name in zip((first, second), names, strict=True)
    )
    pred = align_cover(pred, true, names)
    if sample_weight is None:
        weights = np.ones(true.n_samples, np.int64)
    else:
        weights = _read_weights(sample_weight, true)
    return CoverPair(true, pred, weights, (true_scale, pred_scale))


def _as_cover(values: Any, name: str) -> tuple[Cover, FloatArray]:
    """Return a cover and the weights of its clusters."""
    if isinstance(values, Hierarchy):
        return values.cover, np.exp(values.r * values.levels)
    if not isinstance(values, Cover):
        labels = read(values, name)
        if not isinstance(labels, Labels):
            msg = f"{name} must be labels or a Cover with a Cover, got memberships of soft clusters"
            raise TypeError(msg)
        values = cover_of_labels(labels)
    return values, np.ones(values.n_clusters)


def _read_weights(sample_weight: Any, cover: Cover) -> Array:
    weights = as_sample_weight(sample_weight, cover.n_samples)
    names = names_of_index(index_of(sample_weight), "sample_weight")
    if names is not None and cover.objects is not None and not np.array_equal(names, cover.objects):
        msg = (
            "sample_weight must have the objects of labels_true as its index, in their order; "
            "pass .to_numpy() to use its values by position"
        )
        raise ValueError(msg)
    check_some_weight(weights)
    return weights


def scale_rows(matrix: sparse.csr_array, factors: Array) -> sparse.csr_array:
    """Return a matrix with its rows multiplied by factors, in the type of the factors."""
    values = np.repeat(factors, np.diff(matrix.indptr)) * matrix.data
    return sparse.csr_array((values, matrix.indices, matrix.indptr), matrix.shape)


def scale_columns(matrix: sparse.csr_array, factors: Array) -> sparse.csr_array:
    """Return a matrix with its columns multiplied by factors, in the type of the factors."""
    values = factors[matrix.indices] * matrix.data
    return sparse.csr_array((values, matrix.indices, matrix.indptr), matrix.shape)


def _blocks(costs: IntArray) -> Iterator[tuple[int, int]]:
    """Yield ranges of rows that cost about as much as a block may."""
    ends, start = np.cumsum(costs), 0
    while start < len(ends):
        before = ends[start - 1] if start else 0
        stop = max(int(np.searchsorted(ends, before + _BLOCK_PAIRS, "right")), start + 1)
        yield start, stop
        start = stop


def _distinct_rows(matrix: sparse.csr_array) -> tuple[IntArray, IntArray]:
    """Number the distinct rows of a sparse matrix of 0 and 1; find the first of each.

    Rows of equal length are compared as bytes of their columns, which must be in order: a row of a
    deep tree has thousands of them.
    """
    matrix.sort_indices()
    lengths = np.diff(matrix.indptr)
    codes, firsts = np.empty(len(lengths), np.int64), [np.zeros(0, np.int64)]
    n_codes = 0
    for length in np.unique(lengths):
        rows = np.flatnonzero(lengths == length)
        columns = matrix.indices[matrix.indptr[rows][:, np.newaxis] + np.arange(length)]
        row_type = np.dtype((np.void, length * columns.itemsize))
        keys = columns.view(row_type)[:, 0] if length else np.zeros(len(rows))
        _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
        codes[rows] = n_codes + inverse
        firsts.append(rows[first])
        n_codes += len(first)
    return codes, np.concatenate(firsts)
