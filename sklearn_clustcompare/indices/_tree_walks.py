"""Random walks on nested clusters: two passes over the tree instead of an inverse matrix.

With d_i, the sum of the weights of the clusters of object i, and k_c, alpha times the weight of
cluster c by the number of its objects, walks need the inverse of D - sum_c k_c 1_c 1_c'. Upward in
the tree each cluster adds one term to it (Sherman and Morrison): with u, the row sums of the
inverse of what lies below, and t_c, their sum, it is k_c f_c u u', and u becomes f_c u, where f_c
is 1 / (1 - k_c t_c). Apart from the diagonal, entry (i, j) is then u_i u_j h(c), where c is the
least cluster that contains both, and h(c) sums k f / (product of all f from there to the root)^2
over the clusters from c to the root.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from sklearn_clustcompare._numerics import FloatArray


class Tree(NamedTuple):
    """Nested clusters, larger ones first: the least one that contains each, and each row; or -1."""

    order: NDArray[np.int64]
    parents: NDArray[np.int64]
    leaves: NDArray[np.int64]

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
    place: NDArray[np.int64]
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
    sizes: list[int], parents: list[int], leaves: NDArray[np.int64], h: list[float]
) -> tuple[NDArray[np.int64], FloatArray]:
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
