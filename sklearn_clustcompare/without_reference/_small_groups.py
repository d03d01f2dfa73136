"""Small groups in large data: apart from all other rows, and found again in other rows.

Samples of some hundred rows do not show them. Two disjoint samples of many rows are divided into
micro-clusters, and these joined to a tree. Nodes of the tree are groups. The isolation of a group
is the mean of (b - a) / max(a, b) over its rows, with the distance a to the mean of the group, and
b to the nearest center of other micro-clusters. A group counts if both samples have it, if its core
and that of the nearest other rows are denser than the pass between them, which the top of one mode
is not, and if it is more isolated in both samples than any group of structureless data.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy.cluster.hierarchy import linkage
from scipy.sparse import issparse
from scipy.spatial.distance import pdist
from sklearn.cluster import kmeans_plusplus
from sklearn.metrics import pairwise_distances_argmin
from sklearn.metrics.pairwise import euclidean_distances

from sklearn_clustcompare._array_types import Array, FloatArray, Mask, Positions
from sklearn_clustcompare._numerics import silhouettes_of
from sklearn_clustcompare._rendering import Rows
from sklearn_clustcompare.without_reference._fits import fit_seeds, run_fits
from sklearn_clustcompare.without_reference._null_data import (
    NullData,
    laws_of,
    read_names,
    tail_pvalue,
)
from sklearn_clustcompare.without_reference._verdict import TOUCHING, Passes

# Rows and numbers of each of two samples at most, and rows at least.
_ROWS, _NUMBERS, _LEAST = 20_000, 2**23, 500
# Micro-clusters at most, their mean number of rows at least, and rounds of k-means.
_MOST, _ROWS_EACH, _ROUNDS = 200, 25, 5
# Rows of a group, and as many nearest ones, between which a pass is sought: at least, at most.
_BESIDE = 50, 200
# Rows of a group in a sample at least, and its share of these at most.
_FEWEST, _LARGEST = 10, 0.1
# Jaccard index of a group with the same group of the other sample.
_SAME = 0.75
# Structureless data sets of each law after which it is asked whether they are enough, and the tail
# of Student's law below which they are.
_LOOKS, _SURE = (3, 9, 19), 0.002
# Rows of a group in a sample of which 8 of 8, eight standard deviations away, were found
# (benchmarks/small_groups.txt), and those that samples of the evidence alone are taken to show.
_FOUND, _FOUND_IN_PARTS = 30, 25


class SmallGroup(Rows, eq=True):
    """A small group of large data; an element of ``small_groups`` of NClustersChoice.

    Printed, and as HTML in a notebook, it shows these in a row. All parameters are attributes of
    the same names, which cannot be set.

    Parameters
    ----------
    share : float
        Its share of the rows.
    size : int
        Its number of rows.
    labels : int
        The label of these rows in ``labels`` of the result.

    See Also
    --------
    choose_n_clusters : Finds it.

    Examples
    --------
    >>> from sklearn_clustcompare.results import SmallGroup
    >>> SmallGroup(share=0.005, size=500, labels=3).size
    500
    """

    share: float
    size: int
    labels: int

    def _headline(self) -> str:
        return f"SmallGroup: {self.size} rows, {100 * self.share:.2g} %"


class Groups(NamedTuple):
    """Micro-clusters of rows, and those of each group."""

    mean: FloatArray
    scale: float
    centers: FloatArray
    members: Mask

    def nearest(self, X: Any) -> Positions:
        """Return the nearest micro-cluster of each row."""
        return pairwise_distances_argmin(_in_units(X, self.mean, self.scale), self.centers)

    def of(self, X: Any) -> Positions:
        """Return the number of the group of each row, -1 for none."""
        number = np.where(self.members.any(axis=0), self.members.argmax(axis=0), -1)
        return number[self.nearest(X)]


class Divided(NamedTuple):
    """Groups of a sample, their isolation, and the micro-cluster of each row."""

    groups: Groups
    isolation: FloatArray
    codes: Positions


def n_rows_sought(n_rows: int, n_features: int) -> int:
    """Return the rows of each of two samples for small groups; 0 if they would be too few."""
    n_sought = min(_ROWS, n_rows // 2, _NUMBERS // max(n_features, 1))
    return n_sought if n_sought >= _LEAST else 0


def smallest_share(n_sought: int, size: int) -> float:
    """Return the share of the rows below which a group may be missed."""
    of_parts = min(_FOUND_IN_PARTS / size, 1.0)
    return min(_FOUND / n_sought, of_parts) if n_sought else of_parts


def sought(
    samples: Sequence[Any],
    seen: Callable[[Any], Any],
    null: Any,
    seed: int,
    how: dict[str, Any],
) -> Groups | None:
    """Return the groups of two samples that both have, apart from all other rows; None without any.

    ``seen`` gives the rows as the clusterer sees them. Structureless data are drawn as it sees
    them, but for functions, which get the rows as they are.
    """
    seeds = [one for (one,) in fit_seeds(_LOOKS[-1], 1, seed)]
    rows = [_dense(seen(one)) for one in samples]
    first, second = (divided(one, seed) for one in rows)
    score = _found_again(first, second, first.groups.nearest(rows[1]))
    members = first.groups.members
    chosen: list[int] = []
    for number in np.argsort(-score):
        if score[number] > 0 and not (members[chosen] & members[number]).any():
            chosen.append(int(number))
    chosen = [one for one in chosen if _is_apart(rows[0], members[one][first.codes], seed)]
    if not chosen:
        return None
    is_raw = any(map(callable, read_names(null)))
    is_left = np.ones(len(chosen), bool)
    for law in laws_of(null, samples[0] if is_raw else rows[0]):
        values = np.empty(0)
        for look in _LOOKS:
            tasks = [(law, seen if is_raw else None, one) for one in seeds[len(values) : look]]
            values = np.append(values, run_fits(_largest, tasks, description="sets", **how))
            is_left &= score[chosen] > values.max()
            if not is_left.any():
                return None
            if tail_pvalue(score[chosen][is_left].min(), values) < _SURE:
                break
    return first.groups._replace(members=members[chosen][is_left])


def _is_apart(X: FloatArray, inside: Mask, seed: int) -> bool:
    """Return whether a group and the nearest other rows have cores denser than their pass."""
    own, others = np.flatnonzero(inside), np.flatnonzero(~inside)
    distances = np.sum((X[others] - X[own].mean(axis=0)) ** 2, axis=1)
    nearest = others[np.argsort(distances)[: max(len(own), _BESIDE[0])]]
    rng = np.random.default_rng(seed)
    rows = [rng.permutation(one)[: _BESIDE[1]] for one in (own, nearest)]
    labels = np.repeat([0, 1], [len(one) for one in rows])
    return Passes(X[np.concatenate(rows)], None).ratio(labels) >= TOUCHING


def _largest(law: NullData, seen: Callable[[Any], Any] | None, seed: int) -> float:
    """Return the largest isolation of a structureless data set."""
    drawn = law.draw(seed)
    return float(divided(_dense(drawn if seen is None else seen(drawn)), seed).isolation.max())


def _found_again(first: Divided, second: Divided, sent: Positions) -> FloatArray:
    """Return the isolation of the first groups in both samples, of which it is the least.

    It is -1 if the second sample has no such group. ``sent`` has the micro-clusters of the first
    sample to which the rows of the second one belong.
    """
    one, other = first.groups.members.astype(float), second.groups.members.astype(float)
    table = np.zeros((one.shape[1], other.shape[1]))
    np.add.at(table, (sent, second.codes), 1.0)
    shared = one @ table @ other.T
    union = np.add.outer(one @ table.sum(axis=1), other @ table.sum(axis=0)) - shared
    again = np.where(shared >= _SAME * np.maximum(union, 1), second.isolation, -1.0)
    return np.minimum(first.isolation, again.max(axis=1))


def divided(X: FloatArray, seed: int) -> Divided:
    """Return the micro-clusters of rows, and the groups that these join to."""
    mean = X.mean(axis=0)
    scale = float(np.abs(X - mean).max()) or 1.0
    values = _in_units(X, mean, scale)
    n_micro = max(min(_MOST, len(X) // _ROWS_EACH), 2)
    centers, _ = kmeans_plusplus(values, n_micro, random_state=seed, n_local_trials=1)
    for _ in range(_ROUNDS):
        codes = pairwise_distances_argmin(values, centers)
        sums = [np.bincount(codes, column, n_micro) for column in values.T]
        sizes = np.bincount(codes, minlength=n_micro)
        centers = (np.array(sums) / np.maximum(sizes, 1)).T[sizes > 0].astype(np.float32)
        n_micro = len(centers)
    distances = euclidean_distances(values, centers)
    codes = distances.argmin(axis=1)
    members, isolation = _isolated(values, centers, distances, codes)
    return Divided(Groups(mean, scale, centers, members), isolation, codes)


def _isolated(
    values: FloatArray, centers: FloatArray, distances: FloatArray, codes: Positions
) -> tuple[Mask, FloatArray]:
    """Return the micro-clusters of the groups of a tree, and the isolation of each group."""
    nodes = list(np.eye(len(centers), dtype=bool))
    for one, other, _, _ in linkage(pdist(centers.astype(float)), "average"):
        nodes.append(nodes[int(one)] | nodes[int(other)])
    sizes = np.bincount(codes, minlength=len(centers))
    members = [one for one in nodes if _FEWEST <= one @ sizes <= _LARGEST * len(values)]
    members.append(np.zeros(len(centers), bool))  # so that there is one
    isolation = np.full(len(members), -1.0)
    order, ends = np.argsort(codes, kind="stable"), np.cumsum(sizes)
    for number, one in enumerate(members[:-1]):
        inside = np.flatnonzero(one)
        at = np.concatenate([order[ends[i] - sizes[i] : ends[i]] for i in inside])
        own = np.linalg.norm(values[at] - values[at].mean(axis=0), axis=1)
        others = distances[at]
        others[:, inside] = np.inf
        isolation[number] = silhouettes_of(own, others.min(axis=1)).mean()
    return np.array(members), isolation


def _dense(X: Any) -> FloatArray:
    return np.asarray(X.toarray() if issparse(X) else X, dtype=np.float64)


def _in_units(X: Any, mean: FloatArray, scale: float) -> FloatArray:
    return ((_dense(X) - mean) / scale).astype(np.float32)


def carved(labels: Array, number: Positions) -> tuple[Array, tuple[SmallGroup, ...]]:
    """Return labels with groups carved out of the clusters, the largest group first.

    ``number`` has the group of each row, -1 for none. Groups that make up most of a cluster are
    that cluster, or parts of it.
    """
    found = labels.copy()
    groups: list[SmallGroup] = []
    clusters, codes = np.unique(labels, return_inverse=True)
    inside = np.bincount(codes[number >= 0], minlength=len(clusters))
    is_made_up = (2 * inside > np.bincount(codes)) & (clusters != -1)
    sizes = np.bincount(number[number >= 0])
    for group in np.argsort(-sizes, kind="stable"):
        is_inside = number == group
        if not is_inside.any() or is_made_up[np.bincount(codes[is_inside]).argmax()]:
            continue
        label = int(clusters.max()) + 1 + len(groups)
        found[is_inside] = label
        groups.append(SmallGroup(float(is_inside.mean()), int(is_inside.sum()), label))
    return found, tuple(groups)


def sentence(groups: Sequence[SmallGroup], n_sought: int, least_share: float) -> str:
    """Return what was found of small groups."""
    least = f"{100 * least_share:.2g} %"
    if not n_sought:
        return f"Groups of less than about {least} of the rows may be missed in samples."
    if not groups:
        return (
            f"No small group came back in two samples of {n_sought} rows; those of less than about "
            f"{least} may be missed."
        )
    rows = " and ".join(f"{one.size}" for one in groups)
    what, them, are = f"Small groups of {rows} rows", "them", "they are"
    if len(groups) == 1:
        what, them, are = f"A small group of {rows} rows", "it", "it is"
    return (
        f"{what} came back in another sample of {n_sought} rows, more isolated than any group of "
        f"structureless data. The clusterer alone does not find {them}: {are} in the labels, "
        f"not in its predictions. Those of less than about {least} may be missed."
    )
