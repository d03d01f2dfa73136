"""Indices of covers, whose clusters may overlap, and of walks on trees of clusters.

Indices of the sizes of clusters and of their overlaps only share one function for a table and for a
pair of covers.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from scipy.linalg import lapack
from scipy.sparse.csgraph import connected_components

from sklearn_clustcompare._array_types import Array, FloatArray, IntArray, Mask, Positions
from sklearn_clustcompare._kernels import number_codes
from sklearn_clustcompare._memory import require_memory, warn_if_long
from sklearn_clustcompare._numerics import (
    TIE,
    deformed_log,
    divide_product,
    entropy_excess,
    ordered_sum,
)
from sklearn_clustcompare._options import shortened
from sklearn_clustcompare._parameters import one_of
from sklearn_clustcompare._partition import Labels, Partition, Reading
from sklearn_clustcompare._partition.memberships import left_out, treat_one, warn_of_other_noise
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare._table.counts import Margins, SquareSums
from sklearn_clustcompare._table.cover_pair import CoverPair, Signatures, scale_columns, scale_rows
from sklearn_clustcompare._table.matching import largest_values
from sklearn_clustcompare.indices._index import index
from sklearn_clustcompare.indices._pairs import LOWEST_AGREEMENT, adjusted_rand, check_frequencies
from sklearn_clustcompare.indices._record import ratio
from sklearn_clustcompare.indices._sums import MAXIMUM, OF_PAIRS

# Random walks on nested clusters: two passes over the tree instead of an inverse matrix.
#
# With d_i, the sum of the weights of the clusters of object i, and k_c, alpha times the weight of
# cluster c by the number of its objects, walks need the inverse of D - sum_c k_c 1_c 1_c'. Upward
# in the tree each cluster adds one term to it (Sherman and Morrison): with u, the row sums of the
# inverse of what lies below, and t_c, their sum, it is k_c f_c u u', and u becomes f_c u, where f_c
# is 1 / (1 - k_c t_c). Apart from the diagonal, entry (i, j) is then u_i u_j h(c), where c is the
# least cluster that contains both, and h(c) sums k f / (product of all f from there to the root)^2
# over the clusters from c to the root.


class Tree(NamedTuple):
    """Nested clusters, larger ones first: the least one that contains each, and each row; or -1."""

    order: IntArray
    parents: IntArray
    leaves: IntArray

    @classmethod
    def of(cls, side: sparse.csr_array) -> Tree | None:
        """Return the tree of the columns of a matrix, or None if some overlap."""
        order = np.argsort(-np.bincount(side.indices, minlength=side.shape[1]), kind="stable")
        rank = np.empty_like(order)
        rank[order] = np.arange(len(order))
        ones = np.ones(len(side.indices), np.int8)
        nested = sparse.csr_array((ones, rank[side.indices], side.indptr), side.shape)
        nested.sort_indices()
        clusters, ends = nested.indices, nested.indptr
        before = np.append(-1, clusters[:-1])
        is_some = np.diff(ends) > 0
        before[ends[:-1][is_some]] = -1
        parents = np.full(len(order), -1)
        parents[clusters] = before
        if (parents[clusters] != before).any():
            return None
        leaves = np.full(side.shape[0], -1)
        leaves[is_some] = clusters[ends[1:][is_some] - 1]
        return cls(order, parents, leaves)


class TreeWalk(NamedTuple):
    """Random walks with restarts; see ``_Walk``.

    Rows have a ``place`` where each cluster is an interval; ``between`` neighbors is the h of their
    least common cluster, and as h increases downward, that of two rows is the least between them.
    """

    restart: FloatArray
    place: IntArray
    alone: FloatArray
    between: FloatArray
    of_start: FloatArray
    of_end: FloatArray

    @classmethod
    def of(
        cls,
        tree: Tree,
        side: sparse.csr_array,
        scale: FloatArray,
        weights: FloatArray,
        alpha: float,
    ) -> TreeWalk:
        sums = side @ scale
        is_in_some = sums > 0
        sums = np.where(is_in_some, sums, 1.0)
        pulls = (alpha * scale / (side.T @ weights))[tree.order].tolist()
        parents, leaves = tree.parents.tolist(), tree.leaves
        # The last items are of the world around all clusters, which is number -1.
        below = np.bincount(leaves + 1, weights / sums, len(parents) + 1)
        below = np.roll(below, -1).tolist()
        factors = [1.0] * len(parents)
        for c in range(len(parents) - 1, -1, -1):
            factors[c] = 1 / (1 - pulls[c] * below[c])
            below[parents[c]] += below[c] * factors[c]
        products, h = [1.0] * (len(parents) + 1), [0.0] * (len(parents) + 1)
        for c, parent in enumerate(parents):
            products[c] = products[parent] * factors[c]
            h[c] = h[parent] + pulls[c] * factors[c] / products[c] ** 2
        sizes = np.bincount(side.indices, minlength=side.shape[1])[tree.order].tolist()
        place, between = _intervals(sizes, parents, leaves, h)
        at_leaf = np.array(products)[leaves]
        return cls(
            np.where(is_in_some, 1 - alpha, 1.0),
            place,
            np.array(h)[leaves],
            between,
            (1 - alpha) * at_leaf / sums,
            at_leaf,
        )

    def columns(self, block: slice) -> FloatArray:
        """Return the distributions of walks from some rows, per object, as columns."""
        found = np.empty((len(self.of_start[block]), len(self.place)))
        line = np.empty(len(self.place))
        for row, place, alone in zip(found, self.place[block], self.alone[block], strict=True):
            line[place] = alone
            np.minimum.accumulate(self.between[place:], out=line[place + 1 :])
            np.minimum.accumulate(self.between[:place][::-1], out=line[:place][::-1])
            np.take(line, self.place, out=row)
        found *= self.of_end
        found *= self.of_start[block, np.newaxis]
        return found.T


def _intervals(
    sizes: list[int], parents: list[int], leaves: IntArray, h: list[float]
) -> tuple[IntArray, FloatArray]:
    """Place the rows so that clusters are intervals; and give the h of neighbors."""
    free = [0] * (len(parents) + 1)
    between = np.zeros(max(len(leaves) - 1, 0))
    for c, (size, parent) in enumerate(zip(sizes, parents, strict=True)):
        start = free[c] = free[parent]
        free[parent] += size
        between[start : start + size - 1] = h[c]
    place = np.empty(len(leaves), np.int64)
    for row, leaf in enumerate(leaves.tolist()):
        place[row] = free[leaf]
        free[leaf] += 1
    return place, between


# Numbers in a block of a dense array.
_BLOCK_SIZE = 2**20
# Share of entries that are not 0 from which products of dense matrices are faster.
_FULL = 0.05
# Of the inverse of a matrix, and of the walks from one object to all others.
_SECONDS_PER_PRODUCT = 3e-11
_SECONDS_PER_PAIR = 7e-9
_SAMPLE = "score a sample of the objects"


# Of both, the sizes of clusters and of their overlaps are seen.
SeesOverlaps = ContingencyTable | CoverPair


# --------------------------------------------------------------------------- pairs of objects


def omega_of_covers(pair: CoverPair) -> float:
    """Share of the pairs of objects with equal numbers of shared clusters, adjusted for chance."""
    pair.warn_if_long("omega_score")
    n = pair.n_samples
    # Whole as long as the number of pairs is.
    weights = pair.weights if n * n < 2**63 else pair.weights.astype(np.float64)
    n_pairs = n * (n - 1)  # all are ordered pairs
    true, pred = (
        _pairs_by_number(side._replace(weights=side.weights.astype(weights.dtype)))
        for side in pair.sides
    )
    lengths = np.diff(pair.true.indptr), np.diff(pair.pred.indptr)
    # By how many clusters they share in each cover, from 1 on in both.
    joint = np.zeros([side.max(initial=0) + 1 for side in lengths], weights.dtype)
    for block, n_true, n_pred in pair.sharing():
        np.add.at(joint, (n_true, n_pred), weights[block.first] * weights[block.second])
    # An object does not form a pair with itself.
    np.subtract.at(joint, lengths, weights)
    shared = joint[1:, 1:]
    joint[1:, 0], joint[0, 1:] = true - shared.sum(axis=1), pred - shared.sum(axis=0)
    joint[0, 0] = n_pairs - (true.sum() + pred.sum()) + shared.sum()
    check_frequencies(joint.min() >= -TIE * n, n)
    joint = np.maximum(joint, 0)
    totals = joint.sum(axis=1).tolist(), joint.sum(axis=0).tolist()
    expected = sum(first * second for first, second in zip(*totals, strict=False))
    most = n_pairs * n_pairs - expected
    agreement = 1.0
    if not pair.is_identity:
        agreeing = joint.trace().item()
        agreement = ratio(n_pairs * agreeing - expected, most, pair, "omega_score")
    check_frequencies(agreement >= LOWEST_AGREEMENT or pair.weights.dtype.kind == "i", n)
    return agreement


def _pairs_by_number(side: Signatures) -> Array:
    """Count the ordered pairs of objects by how many clusters they share, from 1 on."""
    lengths = np.diff(side.memberships.indptr)
    counts = np.zeros(lengths.max(initial=0) + 1, side.weights.dtype)
    for block in side.sharing():
        products = side.weights[block.first] * side.weights[block.second]
        np.add.at(counts, block.n_shared, products)
    np.subtract.at(counts, lengths, side.weights)
    return counts[1:]


# --------------------------------------------------------------------------- extended B-cubed


def bcubed_precisions(pair: CoverPair) -> tuple[FloatArray, Mask]:
    """Return the multiplicity precision of each signature, and where it is defined.

    The mean, over the objects that share a cluster with it, of the share of these clusters that is
    matched by shared clusters of the reference. Undefined for objects in no cluster.
    """
    matched = np.zeros(len(pair.weights))
    for block, n_true, n_pred in pair.sharing():
        shares = np.minimum(n_true, n_pred) / n_pred
        matched += np.bincount(block.first, pair.weights[block.second] * shares, len(pair.weights))
    side = pair.sides[1]
    reached = np.zeros(len(side.weights))
    for one in side.sharing():
        reached += np.bincount(one.first, side.weights[one.second], len(reached))
    reached = reached[side.codes]
    defined = reached > 0
    return np.divide(matched, reached, out=np.zeros(len(reached)), where=defined), defined


def bcubed_precision_of_covers(pair: CoverPair, *, average: str = "object") -> float:
    if average != "object":
        msg = f"average must be 'object' for covers, got {shortened(average)}"
        raise ValueError(msg)
    if pair.is_identity:
        return 1.0
    pair.warn_if_long("bcubed_precision_score")
    precisions, defined = bcubed_precisions(pair)
    total = ordered_sum(pair.weights[defined] * precisions[defined])
    mean = ratio(total, ordered_sum(pair.weights[defined]), pair, "bcubed_precision_score")
    return min(mean, 1.0)


def bcubed_recall_of_covers(pair: CoverPair, *, average: str = "object") -> float:
    return bcubed_precision_of_covers(pair.T, average=average)


def bcubed_f_of_covers(pair: CoverPair, *, beta: float = 1.0, average: str = "object") -> float:
    precision = bcubed_precision_of_covers(pair, average=average)
    recall = bcubed_recall_of_covers(pair, average=average)
    weight = beta * beta
    return ratio(
        (1 + weight) * precision * recall, weight * precision + recall, pair, "bcubed_f_score"
    )


# --------------------------------------------------------------------------- overlaps of clusters


def average_f(table: SeesOverlaps) -> float:
    """Mean, over both directions, of the F1 of each cluster with its best match."""
    sizes = table.row_sums[table.cell_rows] + table.col_sums[table.cell_cols]
    fits = np.minimum(2 * table.cell_counts / sizes, 1.0)
    best = [
        largest_values(table.cell_rows, fits, table.shape[0]),
        largest_values(table.cell_cols, fits, table.shape[1]),
    ]
    if not len(best[0]) or not len(best[1]):
        return ratio(0.0, 0.0, table, "average_f_score")
    means = [ordered_sum(one) / len(one) for one in best]
    return float(sum(sorted(means)) / 2)


class _Side(NamedTuple):
    """Entropy of each cluster of one side, and its largest information about one of the other."""

    entropies: FloatArray
    shared: FloatArray


def overlapping_normalized_mutual_info(table: SeesOverlaps, *, variant: str = "mgh") -> float:
    if table.is_identity:
        return 1.0
    sides = _sides(table)
    if any(len(side.entropies) == 0 for side in sides):
        return ratio(0.0, 0.0, table, "overlapping_normalized_mutual_info_score")
    if variant == "lfk":
        return min(sum(sorted(_mean_share(side) for side in sides)) / 2, 1.0)
    total = [ordered_sum(side.entropies) for side in sides]
    shared = sorted(ordered_sum(side.shared) for side in sides)
    name = "overlapping_normalized_mutual_info_score"
    return min(ratio(sum(shared) / 2, max(total), table, name), 1.0)


def _mean_share(side: _Side) -> float:
    # A cluster of all objects has no entropy.
    shares = np.divide(
        side.shared, side.entropies, out=np.ones(len(side.shared)), where=side.entropies > 0
    )
    return float(ordered_sum(shares) / len(shares))


def _sides(table: SeesOverlaps) -> tuple[_Side, _Side]:
    """Find for each cluster the one of the other side that is most informative about it."""
    n = float(table.n_samples)
    sizes = table.row_sums.astype(np.float64), table.col_sums.astype(np.float64)
    codes = table.cell_rows, table.cell_cols
    counts = table.cell_counts.astype(np.float64)
    information = _shared_information(counts, sizes[0][codes[0]], sizes[1][codes[1]], n)
    shared = [
        largest_values(side, information, len(of_side))
        for side, of_side in zip(codes, sizes, strict=True)
    ]
    _look_apart(table, sizes, shared)
    # Of being in a cluster or not.
    entropies = [_term(one, n) + _term(n - one, n) for one in sizes]
    return _Side(entropies[0], shared[0]), _Side(entropies[1], shared[1])


def _look_apart(
    table: SeesOverlaps, sizes: tuple[FloatArray, FloatArray], shared: list[FloatArray]
) -> None:
    """Raise the information about a cluster by clusters that share no object with it.

    Only for few sizes is one cluster informative about the other.
    """
    n = float(table.n_samples)
    distinct = [np.unique(one, return_inverse=True) for one in sizes]
    rows, cols = np.meshgrid(distinct[0][0], distinct[1][0], indexing="ij")
    are_possible = rows + cols <= n
    information = _shared_information(
        np.zeros(np.count_nonzero(are_possible)), rows[are_possible], cols[are_possible], n
    )
    informs = information > 0
    if not informs.any():
        return
    found = [places[informs] for places in np.nonzero(are_possible)]
    codes = distinct[0][1], distinct[1][1]
    cells = table.cell_rows, table.cell_cols
    for side, other in ((0, 1), (1, 0)):
        n_sizes = len(distinct[other][0])
        numbers = np.bincount(codes[other], minlength=n_sizes)
        met = sparse.csr_array(
            (np.ones(len(cells[0]), np.int64), (cells[side], codes[other][cells[other]])),
            (len(codes[side]), n_sizes),
        )
        for size, other_size, value in zip(
            found[side], found[other], information[informs], strict=True
        ):
            clusters = np.flatnonzero(codes[side] == size)
            is_met = met[clusters][:, [other_size]].toarray().ravel()
            apart = clusters[is_met < numbers[other_size]]
            shared[side][apart] = np.maximum(shared[side][apart], value)


def _shared_information(
    shared: FloatArray, rows: FloatArray, cols: FloatArray, n: float
) -> FloatArray:
    """Return the information of pairs of clusters about each other.

    It is 0 if their complements would match better. A sum over the objects in both, in one and in
    none of terms that are not negative, so that no digits are lost near independence.
    """
    in_rows, in_cols = np.maximum(rows - shared, 0), np.maximum(cols - shared, 0)
    in_none = np.maximum(n - (rows + cols - shared), 0)
    agreeing = _term(shared, n) + _term(in_none, n)
    differing = _term(in_rows, n) + _term(in_cols, n)
    # A cluster of all objects shares none.
    informs = (agreeing >= differing) & (rows < n) & (cols < n)
    information = np.zeros(len(shared))
    rows, cols = rows[informs], cols[informs]
    expected, rest = divide_product(rows, cols, n)
    deviations = (shared[informs] - expected) - rest
    both, none, first, second = (
        entropy_excess(counts[informs], sign * deviations, row_sizes * col_sizes / n)
        for counts, sign, row_sizes, col_sizes in (
            (shared, 1, rows, cols),
            (in_none, 1, n - rows, n - cols),
            (in_rows, -1, rows, n - cols),
            (in_cols, -1, n - rows, cols),
        )
    )
    information[informs] = np.maximum((both + none) + (first + second), 0) / n
    return information


def _term(counts: FloatArray, n: float) -> FloatArray:
    terms = np.zeros(counts.shape)
    some = counts > 0  # differences of weights may fall below zero by rounding
    terms[some] = counts[some] / n * deformed_log(n, counts[some], 1.0)
    return terms


# --------------------------------------------------------------------------- element-centric


def element_centric_values(pair: CoverPair, alpha: float) -> FloatArray:
    """Return the element-centric similarity of each signature.

    An object in no cluster counts as a cluster of its own.
    """
    if pair.is_identity:
        return np.ones(len(pair.weights))
    weights = pair.weights.astype(np.float64)
    sides = [
        _walk_on(side, scale, weights, alpha)
        for side, scale in zip((pair.true, pair.pred), pair.scales, strict=True)
    ]
    links = [side for side in sides if isinstance(side, _Links)]
    most = max((side.largest for side in links), default=0)
    warn_if_long(
        f"element-centric similarity of covers, with {len(weights)} different objects and up to "
        f"{most} linked clusters,",
        _SECONDS_PER_PAIR * len(weights) ** 2
        + _SECONDS_PER_PRODUCT * sum(side.n_operations for side in links),
        _SAMPLE,
    )
    walks = [side.walk(alpha) if isinstance(side, _Links) else side for side in sides]
    distances = np.empty(len(weights))
    step = max(_BLOCK_SIZE // max(len(weights), 1), 1)
    own_gap = walks[0].restart - walks[1].restart
    for start in range(0, len(weights), step):
        block = slice(start, start + step)
        gaps = walks[0].columns(block) - walks[1].columns(block)
        # An object's own entry has the restart as well.
        own = gaps.diagonal(-start)
        distances[block] = weights @ abs(gaps)
        distances[block] += np.abs(own + own_gap[block]) - np.abs(own)
    return np.clip(1 - distances / (2 * alpha), 0, 1)


def _walk_on(
    side: sparse.csr_array, scale: FloatArray, weights: FloatArray, alpha: float
) -> _Links | TreeWalk:
    tree = Tree.of(side)
    if tree is None:
        return _Links.of(side, scale, weights)
    return TreeWalk.of(tree, side, scale, weights, alpha)


class _Links(NamedTuple):
    """How clusters are linked by objects, or objects by clusters if there are fewer of them.

    With B, the weights of the clusters of each object, d, their sums, and m, the sums over the
    objects of a cluster, walks of objects are those of the matrix diag(1/d) B diag(1/m) B'. Their
    distributions are the rows of diag(1/d) E (I - alpha E' diag(w/d) E)^-1 E', up to a factor, with
    E = B diag(m)^(-1/2). The matrix in the middle, whose ``products`` are kept, is symmetric, and
    its ``parts`` are inverted one by one. From objects to objects, the same is diag(1/d) F^-1
    ((I - alpha C C')^-1 - I) F^-1 / alpha with F = diag(w/d)^(1/2) and C = F E.
    """

    sums: FloatArray
    ends: sparse.csr_array
    products: Any
    parts: Positions
    is_of_objects: bool

    @classmethod
    def of(cls, side: sparse.csr_array, scale: FloatArray, weights: FloatArray) -> _Links:
        by_object = scale_columns(side, scale)
        sums = by_object @ np.ones(side.shape[1])
        roots = np.sqrt(weights / np.where(sums > 0, sums, 1.0))
        ends = scale_columns(by_object, 1 / np.sqrt(by_object.T @ weights))
        factors = scale_rows(ends, roots)
        is_of_objects = side.shape[0] < side.shape[1]
        if is_of_objects:
            factors = sparse.csr_array(factors.T)
            ends = sparse.diags_array(1 / roots, format="csr")
        products = _gram(factors)
        parts = connected_components(products, directed=False)[1]
        found = cls(sums, ends, products, parts, is_of_objects)
        what = f"element-centric similarity of a cover, with {found.largest} linked clusters,"
        require_memory(what, 3 * 8 * float(found._sizes @ found._sizes), _SAMPLE)
        return found

    @property
    def _sizes(self) -> FloatArray:
        return np.bincount(self.parts).astype(np.float64)

    @property
    def largest(self) -> int:
        return int(self._sizes.max(initial=0))

    @property
    def n_operations(self) -> float:
        return float((self._sizes**3).sum())

    def walk(self, alpha: float) -> _Walk:
        """Invert the parts of the matrix: within a part, no entry is 0."""
        n, sizes = len(self.parts), self._sizes
        factor = alpha * (1 - alpha)
        restart = np.where(self.sums > 0, 1 - alpha, 1.0)
        starts = factor / np.where(self.sums > 0, self.sums, 1.0)
        if sizes @ sizes > _FULL * n**2:
            dense = self.products.toarray() if sparse.issparse(self.products) else self.products
            return _Walk(restart, starts, self.ends, self._inverse(dense, alpha))
        members = np.split(
            np.argsort(self.parts, kind="stable"), np.cumsum(sizes[:-1]).astype(np.intp)
        )
        blocks = [
            self._inverse(self.products[part][:, part].toarray(), alpha).ravel() for part in members
        ]
        rows = np.concatenate([np.repeat(part, len(part)) for part in members])
        cols = np.concatenate([np.tile(part, len(part)) for part in members])
        # Where few clusters are linked, the distributions are sparse as well.
        inverse = sparse.csr_array((np.concatenate(blocks), (rows, cols)), (n, n))
        return _Walk(restart, starts, self.ends, inverse)

    def _inverse(self, products: FloatArray, alpha: float) -> FloatArray:
        """Return what stands between both ends, by Cholesky's factors; overwrites the products."""
        products *= -alpha
        products.flat[:: len(products) + 1] += 1.0
        lower = lapack.dpotrf(products.T, lower=1, clean=1, overwrite_a=1)[0]
        half = lapack.dpotri(lower, lower=1, overwrite_c=1)[0]
        half.T.flat[:: len(half) + 1] *= 0.5
        inverse: FloatArray = half + half.T
        if self.is_of_objects:
            inverse.flat[:: len(inverse) + 1] -= 1.0
            inverse /= alpha
        return inverse


class _Walk(NamedTuple):
    """Random walks with restarts, from an object to one of its clusters and on to a member.

    ``restart`` is the share of restarts alone of each signature. Its distribution apart from that,
    per object, is its row of ``ends``, times ``starts``, by ``middle`` and the transposed ends.
    """

    restart: FloatArray
    starts: FloatArray
    ends: sparse.csr_array
    middle: Any

    def columns(self, block: slice) -> Any:
        """Return the distributions of walks from some rows as columns."""
        rows = scale_rows(self.ends[block], self.starts[block])
        if sparse.issparse(self.middle):
            return self.ends @ (rows @ self.middle).T
        return self.ends @ np.ascontiguousarray((rows @ self.middle).T)


def _gram(factors: sparse.csr_array) -> Any:
    """Return the products of all columns of a matrix, by dense parts if many entries are not 0."""
    if factors.nnz <= _FULL * math.prod(factors.shape):
        return factors.T @ factors
    products = np.zeros((factors.shape[1],) * 2)
    step = max(_BLOCK_SIZE // factors.shape[1], 1)
    for start in range(0, factors.shape[0], step):
        part = factors[start : start + step].toarray()
        products += part.T @ part
    return products


def element_centric_of_covers(pair: CoverPair, *, alpha: float = 0.9) -> float:
    values = element_centric_values(pair, alpha)
    if not len(values):
        return 1.0
    return min(float(ordered_sum(pair.weights * values) / pair.n_samples), 1.0)


def labels_only(partition: Partition) -> Labels:
    """Return labels, or raise for memberships."""
    if not isinstance(partition, Labels):
        msg = f"{partition.name} must be labels (1-D), got memberships (2-D)"
        raise TypeError(msg)
    return partition


def mean_similarities(partitions: Sequence[Partition], reading: Reading) -> FloatArray:
    """Return the mean of each object over all pairs of partitions that do not leave it out.

    It is NaN where there is no such pair.
    """
    sides = [*map(labels_only, partitions)]
    if len(sides) == 2 and reading.counts_all:
        return _similarities(*sides)
    if reading.noise != "cluster":
        for side in sides:
            warn_of_other_noise(side.compact()[0], reading)
    total, n_pairs = np.zeros((2, sides[0].n_objects))
    treated = [(one, ~left_out(one, reading)) for one in sides]
    for (first, in_first), (second, in_second) in itertools.combinations(treated, 2):
        both = np.flatnonzero(in_first & in_second)
        pair = (treat_one(one.take(both), reading)[0] for one in (first, second))
        total[both] += _similarities(*pair)
        n_pairs[both] += 1
    return np.divide(total, n_pairs, out=np.full(len(total), np.nan), where=n_pairs > 0)


def _similarities(first: Labels, second: Labels) -> FloatArray:
    """Return n / max(a, b) of the cell and of both clusters of each object."""
    first_codes, second_codes = first.zero_based(), second.zero_based()
    _, cells, counts = number_codes(
        first_codes * second.n_codes + second_codes, first.n_codes * second.n_codes
    )
    larger = np.maximum(
        np.bincount(first_codes)[first_codes], np.bincount(second_codes)[second_codes]
    )
    result: FloatArray = counts[cells] / larger
    return result


@index(
    linear_in="pairs",
    of_covers=omega_of_covers,
    families=("network",),
    source="Collins & Dent (1988)",
    **OF_PAIRS,
)
def omega_score(squares: SquareSums, margins: Margins) -> float:
    """Omega index: the adjusted Rand index of covers.

    Two covers agree on a pair of objects if the pair shares the same number of clusters in both.
    The share of such pairs is adjusted for chance. For partitions it equals
    :func:`adjusted_rand_score`.

    Returns
    -------
    float
        At most 1.0, which equal covers have; 0.0 is expected by chance. Higher is better.

    See Also
    --------
    adjusted_rand_score : The same for partitions.
    average_f_score : Compares clusters instead of pairs.
    Cover : Clusters that may overlap.

    Notes
    -----
    (obs - exp) / (1 - exp): obs is the share of the pairs that share t clusters in both covers, for
    whatever t; exp = sum_t P1(t) P2(t), from the shares of the pairs that share t clusters in
    each. Objects in no cluster share none with any other.

    Objects in the same clusters on both sides are counted together, and only pairs that share a
    cluster are visited.

    References
    ----------
    .. [1] L. M. Collins, C. W. Dent, "Omega: a general formulation of the Rand index of cluster
       recovery suitable for non-disjoint solutions", Multivariate Behavioral Research 23(2), 1988,
       :doi:`10.1207/s15327906mbr2302_6`

    Examples
    --------
    >>> from sklearn_clustcompare import Cover, omega_score
    >>> cover = Cover.from_sets([{0, 1, 2}, {2, 3}, {4, 5}])
    >>> omega_score(cover, Cover.from_sets([{0, 1, 2}, {2, 3, 5}, {0, 4, 5}]))
    0.5
    >>> round(omega_score(cover, [0, 0, 0, 1, 1, 1]), 3)
    0.571
    """
    return adjusted_rand(squares, margins)


@index(
    short_names=("onmi",),
    parameters={"variant": one_of("mgh", "lfk")},
    of_covers=overlapping_normalized_mutual_info,
    families=("network",),
    source="McDaid, Greene & Hurley (2011); Lancichinetti, Fortunato & Kertesz (2009)",
    **MAXIMUM,
)
def overlapping_normalized_mutual_info_score(table: SeesOverlaps, *, variant: str = "mgh") -> float:
    """Overlapping normalized mutual information (ONMI) of two covers.

    Each cluster is a binary variable over the objects. It is paired with the cluster of the other
    cover that explains it best, and the information that remains unexplained lowers the score. For
    partitions it differs from :func:`normalized_mutual_info_score`, which takes all clusters
    together.

    Parameters
    ----------
    variant : {"mgh", "lfk"}, default="mgh"
        How it is normalized: all clusters together, by the larger one of the two entropies [1]_,
        or each cluster by itself [2]_, which overrates covers that have little in common.

    Returns
    -------
    float
        In [0, 1]; 1.0 for equal covers. Higher is better.

    See Also
    --------
    normalized_mutual_info_score : Of partitions.
    omega_score : Adjusted for chance.
    Cover : Clusters that may overlap.

    Notes
    -----
    With h(n) = -(n/N) log(n/N), clusters X_i and Y_j of a and b objects that share n, and m objects
    in neither, have H(X_i) = h(a) + h(N - a) and H(X_i | Y_j) = h(n) + h(a - n) + h(b - n) + h(m) -
    H(Y_j), which counts only if h(n) + h(m) >= h(a - n) + h(b - n): otherwise Y_j would be
    informative about X_i as its complement. H(X_i | Y) is the least of these over j, and at most
    H(X_i). H(X | Y) is their sum over i, and H(X) that of H(X_i). Then

    - "mgh": (H(X) - H(X | Y) + H(Y) - H(Y | X)) / (2 max(H(X), H(Y)));
    - "lfk": 1 minus the mean, over the clusters of each side and then over the sides, of
      H(X_i | Y) / H(X_i). It is 0 for a cluster of all objects, which has no entropy: one cluster
      scores 0.5 against other partitions.

    Some programs use another condition or skip clusters that share no object; the definition does
    neither.

    If no cluster of either side has any entropy, or a side has no clusters, equal covers score 1.0,
    others 0.0 with an :class:`~sklearn.exceptions.UndefinedMetricWarning`.

    References
    ----------
    .. [1] A. F. McDaid, D. Greene, N. Hurley, "Normalized mutual information to evaluate
       overlapping community finding algorithms", 2011, arXiv 1110.2515
    .. [2] A. Lancichinetti, S. Fortunato, J. Kertesz, "Detecting the overlapping and hierarchical
       community structure in complex networks", New Journal of Physics 11, 2009,
       :doi:`10.1088/1367-2630/11/3/033015`

    Examples
    --------
    >>> from sklearn_clustcompare import Cover
    >>> from sklearn_clustcompare.metrics import overlapping_normalized_mutual_info_score
    >>> cover = Cover.from_sets([{0, 1, 2}, {2, 3}, {4, 5}])
    >>> other = Cover.from_sets([{0, 1, 2}, {2, 3, 5}, {0, 4, 5}])
    >>> round(overlapping_normalized_mutual_info_score(cover, other), 6)
    0.639432
    >>> round(overlapping_normalized_mutual_info_score(cover, other, variant="lfk"), 6)
    0.653049
    """
    return overlapping_normalized_mutual_info(table, variant=variant)


@index(of_covers=average_f, families=("network",), source="Yang & Leskovec (2013)", **MAXIMUM)
def average_f_score(table: SeesOverlaps) -> float:
    """Average F1 of the clusters of two covers, each with the one that fits it best.

    Every cluster weighs the same, whatever its size. The best match of a cluster does not depend on
    the other clusters: one cluster may be the best match of several.

    Returns
    -------
    float
        In [0, 1]; 1.0 for equal covers. Higher is better.

    See Also
    --------
    f_measure_score : One direction, and clusters weighted by their sizes.
    omega_score : Adjusted for chance.
    Cover : Clusters that may overlap.

    Notes
    -----
    (mean_i max_j F_ij + mean_j max_i F_ij) / 2 with F_ij = 2 n_ij / (a_i + b_j).

    If a side has no clusters, equal covers score 1.0, others 0.0 with an
    :class:`~sklearn.exceptions.UndefinedMetricWarning`.

    References
    ----------
    .. [1] J. Yang, J. Leskovec, "Overlapping community detection at scale: a nonnegative matrix
       factorization approach", WSDM, 2013, :doi:`10.1145/2433396.2433471`

    Examples
    --------
    >>> from sklearn_clustcompare import Cover
    >>> from sklearn_clustcompare.metrics import average_f_score
    >>> cover = Cover.from_sets([{0, 1, 2}, {2, 3}, {4, 5}])
    >>> round(average_f_score(cover, Cover.from_sets([{0, 1, 2}, {2, 3, 5}, {0, 4, 5}])), 3)
    0.867
    """
    return average_f(table)
