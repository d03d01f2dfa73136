"""Four exact moments of S = sum x_i y_j n_ij^2, for whole weights of the rows and of the columns.

n_ij^2 counts the ordered pairs of objects, equal ones included, that are together in row i and in
column j: an edge between two objects. S^m counts m edges, whose 2m ends are objects in any pattern
of equality. A pattern of k distinct objects connects them in components, each of which lies in one
row and in one column, so that

    E S^m = sum over patterns of A B / (N)_k,

where A, a sum over rows, depends on the numbers of (objects, edges) of the components only, and B
is the same for the columns. There are 2, 6, 14 and 33 kinds of patterns for m = 1 to 4.

A row with the components of a set takes the falling factorial of the *sum* of their objects. The
sum over distinct rows for distinct sets is one over any rows by Moebius inversion. All numbers are
whole: however many objects there are, no digit cancels. The cost is a few hundred sums over the
distinct sizes.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from typing import NamedTuple

# Objects and edges of a component, or of several that share a cluster.
Component = tuple[int, int]
# A cluster size, its weight and the number of such clusters.
WeightedSize = tuple[int, int, int]


class FourMoments(NamedTuple):
    """Mean, variance, skewness and excess kurtosis; the last two are 0 without variance."""

    mean: float
    variance: float
    skewness: float
    excess: float

    def cumulants(self) -> tuple[float, float, float]:
        """Return the cumulants of orders 2, 3 and 4."""
        return self.variance, self.skewness * self.variance**1.5, self.excess * self.variance**2


def square_sum_moments(
    rows: Sequence[WeightedSize], cols: Sequence[WeightedSize], scale: float = 1.0
) -> FourMoments:
    """Return the moments of ``scale`` times the sum, under permutation of the objects."""
    n_samples = sum(size * times for size, _, times in rows)
    of_rows, of_cols = _Side(rows), _Side(cols)
    moments = []
    for order in range(1, 5):
        moment = Fraction(0)
        for (components, n_objects), times in _patterns(order).items():
            if n_objects <= n_samples:
                product = of_rows.maps(components) * of_cols.maps(components)
                moment += Fraction(times * product, math.perm(n_samples, n_objects))
        moments.append(moment)
    first, second, third, fourth = moments
    variance = second - first**2
    if not variance:
        return FourMoments(float(Fraction(scale) * first), 0.0, 0.0, 0.0)
    cubes = third - 3 * first * second + 2 * first**3
    quarts = fourth - 4 * first * third + 6 * first**2 * second - 3 * first**4
    skewness = math.sqrt(cubes**2 / variance**3)
    return FourMoments(
        float(Fraction(scale) * first),
        float(Fraction(scale) ** 2 * variance),
        skewness if cubes > 0 else -skewness,
        float(quarts / variance**2 - 3),
    )


class _Side:
    """The clusters of one partition."""

    def __init__(self, sizes: Sequence[WeightedSize]) -> None:
        self._sizes = sizes
        self._powers: dict[tuple[Component, ...], int] = {}
        self._weighted: dict[int, list[int]] = {}
        self._placed: dict[int, list[int]] = {}

    def maps(self, components: tuple[Component, ...]) -> int:
        """Count the placements of components of distinct objects, weighted by edges."""
        total = 0
        for together in _set_partitions(components):
            merged = tuple(_joined(block) for block in together)
            total += self._in_distinct_clusters(merged)
        return total

    def _in_distinct_clusters(self, parts: tuple[Component, ...]) -> int:
        total = 0
        for blocks in _set_partitions(parts):
            product = 1
            for block in blocks:
                sign = -1 if len(block) % 2 == 0 else 1
                product *= sign * math.factorial(len(block) - 1) * self._power(block)
            total += product
        return total

    def _power(self, parts: tuple[Component, ...]) -> int:
        """Sum over the clusters of the product of the placements of each part."""
        key = tuple(sorted(parts))
        if key not in self._powers:
            edges = sum(n_edges for _, n_edges in key)
            columns = [self._weights(edges), *(self._placements(n) for n, _ in key)]
            self._powers[key] = sum(map(math.prod, zip(*columns, strict=True)))
        return self._powers[key]

    def _weights(self, n_edges: int) -> list[int]:
        if n_edges not in self._weighted:
            self._weighted[n_edges] = [times * x**n_edges for _, x, times in self._sizes]
        return self._weighted[n_edges]

    def _placements(self, n_objects: int) -> list[int]:
        if n_objects not in self._placed:
            self._placed[n_objects] = [math.perm(size, n_objects) for size, _, _ in self._sizes]
        return self._placed[n_objects]


def _joined(components: Sequence[Component]) -> Component:
    return sum(n for n, _ in components), sum(n for _, n in components)


def _set_partitions(
    items: tuple[Component, ...],
) -> Iterator[list[tuple[Component, ...]]]:
    """Yield all partitions of a sequence into sets."""
    if not items:
        yield []
        return
    first, rest = items[0], items[1:]
    for blocks in _set_partitions(rest):
        yield [(first,), *blocks]
        for position, block in enumerate(blocks):
            yield [*blocks[:position], (first, *block), *blocks[position + 1 :]]


@cache
def _patterns(n_edges: int) -> Counter[tuple[tuple[Component, ...], int]]:
    """Count the patterns of equality of the ends of edges, by their components."""
    counted: Counter[tuple[tuple[Component, ...], int]] = Counter()
    for ends in _labelings(2 * n_edges):
        parent = list(range(max(ends) + 1))
        for start, end in zip(ends[::2], ends[1::2], strict=True):
            one, other = parent[start], parent[end]
            parent = [one if root == other else root for root in parent]
        objects = Counter(parent)
        edges = Counter(parent[start] for start in ends[::2])
        components = tuple(sorted((objects[root], edges[root]) for root in objects))
        counted[components, len(parent)] += 1
    return counted


def _labelings(length: int, n_labels: int = 0) -> Iterator[tuple[int, ...]]:
    """Yield the partitions of a sequence: the number of the set of each element."""
    if length == 0:
        yield ()
        return
    for label in range(n_labels + 1):
        for rest in _labelings(length - 1, max(n_labels, label + 1)):
            yield (label, *rest)
