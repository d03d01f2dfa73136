"""Moments of sums over the cells, of squares and nearly of entropies, and their tails.

In each cell the regression line is taken out of f(n) = n ln n and of n^2, which leaves F and Q.
Lines hardly vary in sums, and F is nearly w Q with w = E FQ / E Q^2. If w_ij is about x_i y_j,

    kappa_m(S) = kappa_m(sum x_i y_j n_ij^2) + sum_ij (kappa_m(F_ij) - (x_i y_j)^m kappa_m(Q_ij)),

of which the first term is exact (``square_sum_moments``) and contains the dependence of the cells.
The variance is known exactly as well: the quotient of both shows how far the others can be trusted.
The cost does not depend on the number of objects. Of more than 256 different sizes on a side those
that differ by less than 3 % count as one in the single cells, but not in the first term.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from scipy.special import erfcx, gammainc, gammaincc, log_ndtr

from sklearn_clustcompare._array_types import FloatArray, Positions
from sklearn_clustcompare._chance.functions import Margin, gain_beyond_line
from sklearn_clustcompare._kernels.hypergeometric import NodeBlock, node_blocks, pair_chunks
from sklearn_clustcompare._numerics import log_gamma_density, log_gamma_start, log_gamma_tail

# Objects and edges of a component, or of several that share a cluster.
Component = tuple[int, int]
# A cluster size, its weight and the number of such clusters.
WeightedSize = tuple[int, int, int]
# Edges, and objects of parts of a cluster.
Power = tuple[int, tuple[int, ...]]
# Moments, and objects of their edges at most.
_ORDERS, _MOST_OBJECTS = (1, 2, 3, 4), 8


# Four exact moments of S = sum x_i y_j n_ij^2, for whole weights of the rows and of the columns.
#
# n_ij^2 counts the ordered pairs of objects, equal ones included, that are together in row i and in
# column j: an edge between two objects. S^m counts m edges, whose 2m ends are objects in any
# pattern of equality. A pattern of k distinct objects connects them in components, each of which
# lies in one row and in one column, so that
#
#     E S^m = sum over patterns of A B / (N)_k,
#
# where A, a sum over rows, depends on the numbers of (objects, edges) of the components only, and B
# is the same for the columns. There are 2, 6, 14 and 33 kinds of patterns for m = 1 to 4.
#
# A row with the components of a set takes the falling factorial of the *sum* of their objects. The
# sum over distinct rows for distinct sets is one over any rows by Moebius inversion. All numbers
# are whole: however many objects there are, no digit cancels. The cost is a few hundred sums over
# the distinct sizes.


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
    rows: Sequence[WeightedSize], cols: Sequence[WeightedSize], bits: int = 0
) -> FourMoments:
    """Return the moments of the sum divided by ``2**bits``, under permutation of the objects."""
    n_samples = sum(size * times for size, _, times in rows)
    most = min(n_samples, _MOST_OBJECTS)
    below = math.perm(n_samples, most)  # all moments are whole multiples of one over it
    of_rows, of_cols = _power_sums(rows), _power_sums(cols)
    moments = [0] * len(_ORDERS)
    for place, times, n_objects, terms in _polynomials().patterns:
        if n_objects <= n_samples:
            in_rows = in_cols = 0
            for factor, powers in terms:
                in_rows += factor * math.prod(map(of_rows.__getitem__, powers))
                in_cols += factor * math.prod(map(of_cols.__getitem__, powers))
            rest = math.perm(n_samples - n_objects, most - n_objects)
            moments[place] += times * in_rows * in_cols * rest
    first, second, third, fourth = moments
    mean, variance = first / (below << bits), below * second - first**2
    if not variance:
        return FourMoments(mean, 0.0, 0.0, 0.0)
    cubes = below**2 * third - 3 * below * first * second + 2 * first**3
    quarts = below**3 * fourth - 4 * below**2 * first * third
    quarts += 6 * below * first**2 * second - 3 * first**4 - 3 * variance**2
    skewness = math.sqrt(cubes**2 / variance**3)
    return FourMoments(
        mean,
        variance / (below**2 << 2 * bits),
        skewness if cubes > 0 else -skewness,
        quarts / variance**2,
    )


def _power_sums(sizes: Sequence[WeightedSize]) -> dict[Power, int]:
    """Return sums over the clusters of a power of the weight times falling factorials."""
    weights = [[times * x**n for _, x, times in sizes] for n in (0, *_ORDERS)]
    placed = [[math.perm(size, n) for size, _, _ in sizes] for n in range(_MOST_OBJECTS + 1)]
    return {
        (n_edges, numbers): sum(
            map(math.prod, zip(weights[n_edges], *(placed[n] for n in numbers), strict=True))
        )
        for n_edges, numbers in _polynomials().powers
    }


class _Polynomials(NamedTuple):
    """The moments as polynomials in power sums of both sides, for any sizes.

    ``patterns`` are the place of the order, the number of patterns of a kind, of their objects, and
    what a side adds: factors and the power sums that they multiply.
    """

    patterns: list[tuple[int, int, int, list[tuple[int, tuple[Power, ...]]]]]
    powers: list[Power]


@cache
def _polynomials() -> _Polynomials:
    patterns = [
        (place, times, n_objects, [(one, key) for key, one in _placements(components).items()])
        for place, order in enumerate(_ORDERS)
        for (components, n_objects), times in _patterns(order).items()
    ]
    powers = {power for *_, terms in patterns for _, key in terms for power in key}
    return _Polynomials(patterns, sorted(powers))


def _placements(components: tuple[Component, ...]) -> Counter[tuple[Power, ...]]:
    """Return the placements of components of distinct objects in clusters, by power sums."""
    found: Counter[tuple[Power, ...]] = Counter()
    for together in _set_partitions(components):
        for blocks in _set_partitions(tuple(map(_joined, together))):
            signs = ((-1) ** (len(block) - 1) * math.factorial(len(block) - 1) for block in blocks)
            found[tuple(sorted(map(_power, blocks)))] += math.prod(signs)
    return found


def _power(block: Sequence[Component]) -> Power:
    """Return what a cluster with these parts adds: its edges, and the objects of each part."""
    return sum(n_edges for _, n_edges in block), tuple(sorted(n for n, _ in block))


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


# Fourth powers of squares grow by this much faster than a variance.
_GROWTH = 6.0
_PRECISION = 36.0
# Weights are multiples of 2 to the power of minus this, relative to the largest one.
_WEIGHT_BITS = 80
# Beyond this many different sizes on a side, close ones count as one.
_MOST_SIZES, _CLOSE = 256, 0.03
# Alternating least squares of a product end at a relative change of this much.
_SMALL_CHANGE, _MOST_ROUNDS = 1e-9, 50


def information_cumulants(rows: Margin, cols: Margin, n_samples: float) -> list[float]:
    """Return approximate cumulants of orders 2, 3 and 4 of the sum of n ln n over the cells."""
    (some_rows, row_groups), (some_cols, col_groups) = _fewer_sizes(rows), _fewer_sizes(cols)
    slopes, of_function, of_squares = _of_cells(some_rows, some_cols, n_samples)
    times = np.outer(some_rows.multiplicities, some_cols.multiplicities)
    x, y = _as_product(slopes, of_squares[0] * times)
    of_rows, of_cols = (
        [
            (int(size), round(weight * 2**_WEIGHT_BITS), int(count))
            for size, count, weight in zip(*margin, weights, strict=True)
        ]
        for margin, weights in ((rows, x[row_groups]), (cols, y[col_groups]))
    )
    of_product = square_sum_moments(of_rows, of_cols, 2 * _WEIGHT_BITS).cumulants()
    product = np.outer(x, y)
    parts = zip((2, 3, 4), of_product, of_function, of_squares, strict=True)
    return [
        whole + float((times * (own - product**order * square)).sum())
        for order, whole, own, square in parts
    ]


def _fewer_sizes(margin: Margin) -> tuple[Margin, Positions]:
    """Return groups of close sizes with their rounded means, and the group of each size."""
    sizes, times = margin
    if sizes.size <= _MOST_SIZES:
        return margin, np.arange(sizes.size)
    steps = np.floor(np.log(sizes) / math.log1p(_CLOSE))
    groups = np.unique(steps, return_inverse=True)[1].reshape(-1)
    grouped: FloatArray = np.bincount(groups, times).astype(np.float64)
    means = np.rint(np.bincount(groups, sizes * times) / grouped)
    return Margin(means, grouped), groups


def _of_cells(
    rows: Margin, cols: Margin, n_samples: float
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the slope of F on Q, and cumulants of both, by row size and column size."""
    found = np.zeros((7, rows.sizes.size, cols.sizes.size))
    for some, laws in pair_chunks(rows.sizes, cols.sizes, n_samples):
        chunk = np.zeros((7, laws.mean.size))
        for block in node_blocks(laws, _PRECISION, _GROWTH):
            chunk[:, block.pairs] = _of_block(block)
        found[:, some] = chunk.reshape(7, -1, cols.sizes.size)
    return found[0], found[1:4], found[4:]


def _of_block(block: NodeBlock) -> FloatArray:
    deviations, weights = block.deviations, block.weights
    spread = _mean(weights, deviations * deviations)
    spread[spread == 0] = 1.0
    residuals = []
    for values in (
        gain_beyond_line(block.counts, deviations, block.laws.mean, 1.0, 1.0),
        deviations * deviations,
    ):
        values = values - _mean(weights, values)
        values -= deviations * (_mean(weights, values * deviations) / spread)
        residuals.append(values)
    own, square = residuals
    with np.errstate(invalid="ignore"):
        slope = np.nan_to_num(_mean(weights, own * square) / _mean(weights, square * square))
    return np.stack([slope, *_cumulants(weights, own), *_cumulants(weights, square)])


def _cumulants(weights: FloatArray, values: FloatArray) -> tuple[FloatArray, ...]:
    squares = values * values
    second = _mean(weights, squares)
    return (
        second,
        _mean(weights, squares * values),
        _mean(weights, squares * squares) - 3 * second * second,
    )


def _mean(weights: FloatArray, values: FloatArray) -> FloatArray:
    result: FloatArray = np.einsum("ij,ij->j", weights, values)
    return result


def _as_product(values: FloatArray, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return x and y whose products come closest to the values, in weighted squares."""
    y = np.ones(values.shape[1])
    weighted = weights * values
    for _ in range(_MOST_ROUNDS):
        x = _quotient(weighted @ y, weights @ (y * y))
        old, y = y, _quotient(x @ weighted, (x * x) @ weights)
        if np.abs(y - old).max() <= _SMALL_CHANGE * np.abs(y).max():
            break
    return x, y


def _quotient(above: FloatArray, below: FloatArray) -> FloatArray:
    """Divide; sizes without weight count nothing."""
    return np.divide(above, below, out=np.zeros_like(above), where=below > 0)


# With less skewness the tail is normal, up to the first terms in the skewness and the excess.
_SYMMETRIC = 1e-4
_LEAST_CORRECTION, _MOST_CORRECTION = -0.25, 1.0
# Below this, probabilities lose digits, and their logarithms come from a series.
_SMALLEST = 1e-290


# Tail probabilities from four moments: Pearson's type III with one more term.
#
# A gamma distribution, moved and scaled, has the mean, the variance and the skewness. The term of
# degree 4 of its series in Laguerre polynomials corrects the fourth moment. The correction is cut
# off where it would leave three quarters of the probability, or double it.


class MomentTail(NamedTuple):
    """Tails of a standardized sum, by its skewness and excess kurtosis.

    Values of a lattice are a ``step`` apart, in standard deviations. ``refusals`` are why the upper
    and the lower tail do not hold; empty where they do.
    """

    skewness: float
    excess: float
    step: float = 0.0
    refusals: tuple[str, str] = ("", "")

    @property
    def surplus(self) -> float:
        """Fourth moment beyond that of the gamma distribution, as a share of the latter's."""
        of_gamma = 1.5 * self.skewness**2
        return (self.excess - of_gamma) / (1 + of_gamma)

    def tail(self, z: float, *, is_upper: bool) -> float:
        """Return the probability of a value at least, or at most, z."""
        return math.exp(self.log_tail(z, is_upper=is_upper))

    def log_tail(self, z: float, *, is_upper: bool) -> float:
        """Return the logarithm of a tail, also where the probability is too small for a float."""
        if not is_upper:
            return self._replace(skewness=-self.skewness).log_tail(-z, is_upper=True)
        z -= self.step / 2
        if abs(self.skewness) < _SYMMETRIC:
            return self._nearly_normal(z)
        root = 2 / abs(self.skewness)
        shape = root * root
        is_right = self.skewness > 0
        x = root * (root + z if is_right else root - z)
        if x <= 0:  # beyond the end of the gamma distribution
            return 0.0 if is_right else -math.inf
        plain = float(gammaincc(shape, x) if is_right else gammainc(shape, x))
        if plain > _SMALLEST:
            logarithm = math.log(plain)
        else:
            logarithm = (log_gamma_tail if is_right else log_gamma_start)(shape, x)
        term = self._laguerre_term(shape, x, logarithm)
        return min(logarithm + _corrected(term if is_right else -term), 0.0)

    def _laguerre_term(self, shape: float, x: float, logarithm: float) -> float:
        """Return what the fourth moment adds to the upper tail, as a share of a probability."""
        surplus = self.excess - 1.5 * self.skewness**2
        factor = surplus * shape / ((shape + 1) * (shape + 2) * (shape + 3))
        # The polynomial L3 of parameter k at k + t, in powers of t: nothing large cancels.
        t = x - shape
        polynomial = (-(t**3) + 9 * t * t + 3 * t * (shape - 6) - 7 * shape + 6) / 6
        density = log_gamma_density(shape, x)
        if not polynomial or not factor:
            return 0.0
        size = math.log(abs(factor * polynomial) / 4) + density - logarithm
        sign = -1.0 if factor * polynomial > 0 else 1.0
        return sign * math.exp(min(size, 1.0))

    def _nearly_normal(self, z: float) -> float:
        logarithm = float(log_ndtr(-z))
        terms = self.skewness / 6 * (z * z - 1) + self.excess / 24 * z * (z * z - 3)
        density_by_tail = math.sqrt(2 / math.pi) / float(erfcx(z / math.sqrt(2)))
        return min(logarithm + _corrected(terms * density_by_tail), 0.0)


def _corrected(share: float) -> float:
    return math.log1p(min(max(share, _LEAST_CORRECTION), _MOST_CORRECTION))
