"""Functions of a cell and of both cluster sizes, and moments of their sums.

Each is reduced by a line in n if a line explains nearly all of it: sums of lines vary little or not
at all, since the margins are fixed, but their rounding errors would exceed the rest.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from itertools import repeat
from typing import Any, NamedTuple

import numpy as np

from sklearn_clustcompare import _kernels
from sklearn_clustcompare._array_types import FloatArray, IntArray
from sklearn_clustcompare._kernels import group_sizes
from sklearn_clustcompare._kernels.hypergeometric import NodeBlock, PairLaws, sums_of_means
from sklearn_clustcompare._numerics import deformed_log, entropy_excess, log_quotient, power_gap
from sklearn_clustcompare._table.cell_sums import Squares, checked_values
from sklearn_clustcompare._table.contingency import ContingencyTable


class Margin(NamedTuple):
    """Distinct cluster sizes of one partition, ascending, and their frequencies."""

    sizes: FloatArray
    multiplicities: FloatArray

    @classmethod
    def from_sums(cls, sums: IntArray) -> Margin:
        return cls(*group_sizes(sums, len(sums))[0])

    def sort_key(self) -> tuple[int, list[float], list[float]]:
        return self.sizes.size, self.sizes.tolist(), self.multiplicities.tolist()

    def is_trivial(self) -> bool:
        """Whether there is one cluster or only singletons, so that all tables are equal."""
        if self.sizes.size != 1:
            return not self.sizes.size
        return bool(self.multiplicities[0] < 2 or self.sizes[0] == 1)

    def is_all_but_one(self) -> bool:
        """Whether there are two clusters, and one of them is a single object."""
        return bool(self.sizes[0] == 1 and self.multiplicities.sum() == 2)

    def total(self, values: FloatArray) -> float:
        """Add up a value of each size over all clusters."""
        return math.fsum(values * self.multiplicities)

    def pairs_together(self, n_members: int = 2) -> int:
        """Count the ordered tuples of distinct objects of one cluster, exactly."""
        sizes, counts = (map(int, one.tolist()) for one in (self.sizes, self.multiplicities))
        return sum(map(operator.mul, counts, map(math.perm, sizes, repeat(n_members))))


class PairCounts:
    """Mean and variance of n11, the number of pairs together on both sides, as exact fractions."""

    def __init__(self, rows: Margin, cols: Margin, n_samples: int) -> None:
        self._n_samples = n_samples
        self._pairs = rows.pairs_together(), cols.pairs_together()
        self._triples = rows.pairs_together(3), cols.pairs_together(3)

    @classmethod
    def from_sums(cls, row_sums: IntArray, col_sums: IntArray) -> PairCounts:
        n_samples = sum(row_sums.tolist())
        return cls(Margin.from_sums(row_sums), Margin.from_sums(col_sums), n_samples)

    @cached_property
    def mean(self) -> Fraction:
        n = self._n_samples
        return Fraction(math.prod(self._pairs), 2 * math.perm(n, 2)) if n >= 2 else Fraction(0)

    @cached_property
    def variance(self) -> Fraction:
        # Two pairs of objects coincide, share one object, or share none.
        n, (pairs, triples) = self._n_samples, map(math.prod, (self._pairs, self._triples))
        apart = math.prod(
            own**2 - 2 * own - 4 * three
            for own, three in zip(self._pairs, self._triples, strict=True)
        )
        # Nothing is divided by zero, as fewer than two, three or four objects have no such pairs.
        all_pairs, third, fourth = max(n * (n - 1), 1), max(n - 2, 1), max(n - 3, 1)
        square = (2 * pairs * third + 4 * triples) * fourth + apart
        rest = third * fourth
        return Fraction(square * all_pairs - pairs**2 * rest, 4 * all_pairs**2 * rest)

    @property
    def is_constant(self) -> bool:
        return not self.variance

    @property
    def standard_deviation(self) -> float:
        # MI_2 is 2 n11 / N^2 and a constant.
        return 2.0 * math.sqrt(self.variance) / float(self._n_samples or 1) ** 2

    def standardized(self, table: ContingencyTable) -> float:
        return self.standardized_squares(int(table.square_sums.cells))

    def standardized_squares(self, square_sum: int) -> float:
        """Return (n11 - E n11) / sd(n11), where n11 is given by the sum of the squared cells."""
        distance = Fraction(square_sum - self._n_samples, 2) - self.mean
        return float(distance) / math.sqrt(self.variance)


def margin_entropy(margin: Margin, n_samples: float, q: float) -> float:
    """H_q of the cluster sizes."""
    return float(np.sum(entropy_parts(margin, n_samples, q) * margin.multiplicities))


def entropy_parts(margin: Margin, n_samples: float, q: float) -> FloatArray:
    """Contribution of each cluster size to H_q, accurate if one has nearly all objects."""
    share = margin.sizes / max(n_samples, 1.0)
    rest = np.minimum(n_samples - margin.sizes, n_samples / 2.0) / max(n_samples, 1.0)
    log_share = np.where(share < 0.5, np.log(share), np.log1p(-rest))
    return share * power_gap(np.ones_like(share), share, -log_share, q - 1.0)


# Up to this |n / mu - 1| the binomial series replaces a difference of powers.
_SERIES_RADIUS = 0.1
# Below this order the gain is in proportion to it.
_SMALL_ORDER = 0.25


# Contribution of a cell of a contingency table to an index.
#
# Counts n come as shares of a ``unit``, n / c. A sum over all cells, which is of the order N^-q if
# c = N, does not underflow for a large order q if c is of the size of the cells.


def convex_gain(
    counts: FloatArray, deviations: FloatArray, mean: FloatArray, unit: float, q: float
) -> FloatArray:
    """c^-q f(n): contribution of a cell to MI_q beyond its tangent at the mean, non-negative."""
    if q == 1.0:
        return entropy_excess(counts, deviations, mean) / unit
    scale = (mean / unit) ** q
    relative = deviations / mean
    near = np.abs(relative) < _SERIES_RADIUS
    if near.all():
        return scale * _binomial_tail(relative, q)
    independent = mean / unit
    log_ratio = np.log1p(np.maximum(relative, -1.0 + 1e-15))
    share = counts / unit
    if q < _SMALL_ORDER:  # both terms of a form that holds for all others are much larger
        gain = np.where(counts > 0.0, np.expm1(q * log_ratio), -1.0) - q * relative
        gain *= scale / (q - 1.0)
    else:
        gap = power_gap(np.maximum(share, 1e-15 * independent), independent, log_ratio, q - 1.0)
        gain = share * gap - independent ** (q - 1.0) * (deviations / unit)
    series = scale * _binomial_tail(np.where(near, relative, 0.0), q)
    return np.where(near, series, gain)


def shared_information(
    counts: FloatArray,
    deviations: FloatArray,
    mean: FloatArray,
    sizes: tuple[FloatArray, FloatArray],
    n_samples: float,
    q: float,
) -> tuple[FloatArray, FloatArray]:
    """Return what the objects of a cell contribute to MI_q, p (1 - a^e - b^e + p^e) / e.

    For shares p, a, b of the cell and of both clusters, e = q - 1. Nothing is left out, so empty
    cells contribute nothing, however many objects are expected in them. Of three ways to write it
    as a sum of two terms, none of which loses digits, the one with the smallest terms is taken; the
    sum of their sizes is returned as well.
    """
    exponent = q - 1.0
    present = np.where(counts > 0.0, counts, 1.0)
    log_ratio = log_quotient(present, mean, np.maximum(deviations, 0.0))
    log_ratio -= log_quotient(mean, present, np.maximum(-deviations, 0.0))
    gap = power_gap(present / n_samples, mean / n_samples, log_ratio, exponent)
    row, col = (deformed_log(n_samples, side, q) for side in sizes)
    row_left, col_left = (
        (side / n_samples) ** exponent * deformed_log(side, present, q) for side in sizes
    )
    forms = [(gap, exponent * (row * col)), (row, -col_left), (col, -row_left)]
    values = np.array([first + second for first, second in forms])
    magnitudes = np.array([np.abs(first) + np.abs(second) for first, second in forms])
    # Where two forms are as good, their mean: swapped partitions have the same value.
    least = magnitudes.min(axis=0)
    is_least = magnitudes == least
    share = counts / n_samples
    return share * (values * is_least).sum(axis=0) / is_least.sum(axis=0), share * least


def _binomial_tail(relative: FloatArray, q: float) -> FloatArray:
    """((1 + u)^q - 1 - q u) / (q - 1) for small u, by the binomial series."""
    coefficients = [q / 2.0]
    bound = coefficients[0]
    radius = float(np.abs(relative).max(initial=0.0))
    power = 2
    while abs(bound) > 1e-18 * q:
        coefficients.append(coefficients[-1] * (q - power) / (power + 1))
        power += 1
        bound = coefficients[-1] * radius ** (power - 2)
    series = np.full_like(relative, coefficients[-1])
    for coefficient in reversed(coefficients[:-1]):
        series *= relative
        series += coefficient
    series *= relative
    series *= relative
    return series


# --------------------------------------------------------------------------- sums of means


def expected_convex_gain(rows: Margin, cols: Margin, n_samples: float, q: float) -> float:
    """Mean of MI_q beyond its value at independence."""
    if q == 2.0:
        independent = margin_entropy(rows, n_samples, q) * margin_entropy(cols, n_samples, q)
        return independent / max(n_samples - 1.0, 1.0)
    in_rows, _ = convex_gain_sums(rows, cols, n_samples, q)
    return rows.total(in_rows)


def convex_gain_sums(
    rows: Margin, cols: Margin, n_samples: float, q: float
) -> tuple[FloatArray, FloatArray]:
    """Mean parts in MI_q, beyond the value at independence, of a cluster of each size."""
    if q == 1.0:
        in_rows, in_cols = _kernels.convex_gain_sums(*rows, *cols, n_samples)
        return in_rows / n_samples, in_cols / n_samples
    return sums_of_means(
        *rows,
        *cols,
        n_samples,
        lambda block: convex_gain(block.counts, block.deviations, block.laws.mean, n_samples, q),
        growth=max(q - 2.0, 0.0),
    )


def expected_shared_information(
    rows: Margin, cols: Margin, n_samples: float, q: float
) -> tuple[float, float]:
    """Mean of MI_q by its sum over occupied cells, and the mean of the sizes of the terms."""

    def total(part: int) -> float:
        sums = sums_of_means(*rows, *cols, n_samples, lambda block: _shared(block, q)[part])
        return rows.total(sums[0])

    return total(0), total(1)


def _shared(block: NodeBlock, q: float) -> tuple[FloatArray, FloatArray]:
    laws = block.laws
    sizes = laws.row_size, laws.col_size
    return shared_information(block.counts, block.deviations, laws.mean, sizes, laws.n_samples, q)


def conditional_gain_sums(
    rows: Margin, cols: Margin, n_samples: float, q: float
) -> tuple[FloatArray, FloatArray]:
    """Mean parts in H_q(U | V) of a row cluster of each size, and of columns in H_q(V | U)."""
    if q == 1.0:
        in_rows, in_cols = _kernels.conditional_gain_sums(*rows, *cols, n_samples)
        return in_rows / n_samples, in_cols / n_samples
    return sums_of_means(
        *rows,
        *cols,
        n_samples,
        lambda block: _conditional_gain(block, block.laws.col_size, q),
        lambda block: _conditional_gain(block, block.laws.row_size, q),
    )


def _conditional_gain(block: NodeBlock, given_size: FloatArray, q: float) -> FloatArray:
    """(n / N)^q ((b / n)^(q-1) - 1) / (q - 1): contribution to H_q(U | V), given b.

    With a instead of b it is the contribution to H_q(V | U).
    """
    present = np.maximum(block.counts, 1.0)
    log_ratio = np.log1p((given_size - block.counts) / present)
    n = block.laws.n_samples
    gap = power_gap(given_size / n, present / n, log_ratio, q - 1.0)
    return block.counts / n * gap


# --------------------------------------------------------------------------- beyond a line


def gain_beyond_line(
    counts: FloatArray, deviations: FloatArray, mean: FloatArray, unit: float, q: float
) -> FloatArray:
    """c^-q phi(n) without a line: zero for cells of mean 1 or less, the tangent for larger ones.

    Non-negative, and zero or small where a cell varies little. phi is zero at 0 and 1, the only
    counts of most small cells; their tangents would add large terms that cancel between cells.
    """
    tangent = mean > 1.0
    if tangent.all():
        return convex_gain(counts, deviations, mean, unit, q)
    present = np.maximum(counts, 1.0)
    gap = power_gap(present / unit, 1.0 / unit, np.log(present), q - 1.0)
    raw = counts / unit * gap
    if not tangent.any():
        return raw
    return np.where(tangent, convex_gain(counts, deviations, mean, unit, q), raw)


def slopes_of_lines(
    rows: Margin, cols: Margin, n_samples: float, unit: float, q: float
) -> FloatArray:
    """Slopes in n / c, by row size and column size, of the lines left out in ``gain_beyond_line``.

    With e = q - 1 they are (q (mu / c)^e - c^-e) / e for tangents and 0 else. Margins are fixed:
    terms that are constant in a row, in a column, or overall, may be left out. The slope of a
    tangent is r_i + c_j + k + q e A_i B_j for powers A, B relative to the largest cluster; r_i, c_j
    and k, which can be large, are subtracted from the cells without tangents rather than added to
    those with one, and are left out if a whole row or column has none.
    """
    exponent = q - 1.0
    mean = np.outer(rows.sizes, cols.sizes) / n_samples
    tangent = mean > 1.0
    if not tangent.any():
        return np.zeros(tangent.shape)
    row_gap, col_gap = (
        power_gap(sizes / sizes[-1], 1.0, _log_ratios(sizes), exponent)
        for sizes in (rows.sizes, cols.sizes)
    )
    scale = q * float(mean[-1, -1] / unit) ** exponent
    product = scale * exponent * np.outer(row_gap, col_gap)  # the same to the last bit if swapped
    if tangent.all():
        return product
    row_mixed = tangent.any(axis=1, keepdims=True)
    col_mixed = tangent.any(axis=0, keepdims=True)
    additive = scale * (row_gap[:, np.newaxis] * row_mixed + col_gap * col_mixed)
    additive += _tangent_slope(mean[-1:, -1:], unit, q) * (row_mixed * 1.0 + col_mixed - 1.0)
    if q >= 1.0:  # the same, except for r_i + c_j + k of cells that hardly differ from the largest
        both = row_mixed & col_mixed & ~tangent
        additive[both] = _tangent_slope(mean[both], unit, q) - product[both]
    return np.where(tangent, product, -additive)


def _tangent_slope(mean: FloatArray, unit: float, q: float) -> FloatArray:
    share = mean / unit
    return share ** (q - 1.0) + power_gap(share, 1.0 / unit, np.log(mean), q - 1.0)


def _log_ratios(sizes: FloatArray) -> FloatArray:
    """Logarithms of sizes relative to the last, the largest; accurate for almost equal sizes."""
    relative = (sizes - sizes[-1]) / sizes[-1]
    near = np.log1p(np.maximum(relative, -0.5))
    return np.where(relative > -0.5, near, np.log(sizes / sizes[-1]))


# Growth of users' functions relative to the square of the deviation: n^8 still keeps all its
# digits.
_GROWTH_OF_ANY = 6.0
# Their relative rounding error.
_NOISE_OF_ANY = 4.0 * float(np.finfo(float).eps)
# Whether they are smooth is checked at so many sizes of each side, in cells of this mean at most.
_SIZES_CHECKED = 4
_LARGEST_MEAN_CHECKED = 2.0**20
# By more of the absolute mean than this, means differ where counts that matter are left out.
_LARGEST_GAP = 1e-9


class CellFunction:
    """A function of the cell, as input of the moments of a sum over cells."""

    # Whether some counts represent all: see ``windows``.
    smooth: bool = True
    # Power of n by which it grows faster than the square of the deviation.
    growth: float = 0.0
    # Relative rounding error of a user's function.
    noise: float = 0.0

    @property
    def scale(self) -> float:
        """Factor from the sum to the statistic."""
        return 1.0

    def values(self, counts: FloatArray, deviations: FloatArray, laws: PairLaws) -> FloatArray:
        """Return the function without its line."""
        raise NotImplementedError

    def slopes(self, rows: Margin, cols: Margin, n_samples: float) -> FloatArray:
        """Return the slopes in n of the lines left out, by row size and column size."""
        return np.zeros((rows.sizes.size, cols.sizes.size))


def _one(a: Any, b: Any) -> FloatArray:
    return np.ones(np.broadcast_shapes(np.shape(a), np.shape(b)))


# Their sum counts pairs of objects.
PLAIN_SQUARES = Squares(_one)


@dataclass(frozen=True)
class InformationTerms:
    """n (n^(q-1) - 1) / (q - 1) of a cell, for q = 1 its limit n ln n.

    For given cluster sizes MI_q rises with the sum.
    """

    q: float

    def __call__(self, n: FloatArray, a: Any, b: Any) -> FloatArray:
        present = np.maximum(n, 1.0)
        return n * power_gap(present, 1.0, np.log(present), self.q - 1.0)


def transposed(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function of a cell for the transposed table."""
    if isinstance(function, InformationTerms) or function == PLAIN_SQUARES:
        return function
    if isinstance(function, Squares):
        return Squares(partial(_swapped, function.divisor))
    return partial(_swapped_after_count, function)


def _swapped(function: Callable[..., Any], a: Any, b: Any) -> Any:
    return function(b, a)


def _swapped_after_count(function: Callable[..., Any], n: Any, a: Any, b: Any) -> Any:
    return function(n, b, a)


class InformationCells(CellFunction):
    """c^-q phi(n) of a cell: contribution of a cell to MI_q, up to the unit c."""

    def __init__(self, rows: Margin, cols: Margin, n_samples: float, q: float) -> None:
        self._rows, self._cols, self._n_samples, self.q = rows, cols, n_samples, q
        self.growth = max(q - 2.0, 0.0)

    @cached_property
    def unit(self) -> float:
        """Half way, as powers go, between the largest mean of a cell and the largest cell."""
        if self.q == 1.0:
            return 1.0
        row_top, col_top = self._rows.sizes[-1], self._cols.sizes[-1]
        largest_mean = max(row_top * (col_top / self._n_samples), 1.0)
        return float(np.sqrt(min(row_top, col_top) * largest_mean))

    @property
    def scale(self) -> float:
        return float((self.unit / self._n_samples) ** self.q)

    def values(self, counts: FloatArray, deviations: FloatArray, laws: PairLaws) -> FloatArray:
        return gain_beyond_line(counts, deviations, laws.mean, self.unit, self.q)

    def slopes(self, rows: Margin, cols: Margin, n_samples: float) -> FloatArray:
        return slopes_of_lines(rows, cols, n_samples, self.unit, self.q) / self.unit


@dataclass(frozen=True)
class SquareCells(CellFunction):
    """n^2 / d(a, b) without its tangent at the mean, whose sum has degrees 1 and 2 only."""

    squares: Squares
    is_transposed: bool

    def values(self, counts: FloatArray, deviations: FloatArray, laws: PairLaws) -> FloatArray:
        return deviations * (deviations / self._divisors(laws))

    def slopes(self, rows: Margin, cols: Margin, n_samples: float) -> FloatArray:
        laws = PairLaws.of_margins(rows.sizes, cols.sizes, n_samples)
        slopes: FloatArray = 2.0 * laws.mean / self._divisors(laws)
        return slopes.reshape(rows.sizes.size, cols.sizes.size)

    def mean(self, laws: PairLaws) -> FloatArray:
        """Return the mean of n^2 / d(a, b)."""
        result: FloatArray = (laws.mean * laws.mean + laws.variance) / self._divisors(laws)
        return result

    def _divisors(self, laws: PairLaws) -> FloatArray:
        sizes = (laws.row_size, laws.col_size)
        return self.squares.divisor(*(sizes[::-1] if self.is_transposed else sizes))


@dataclass(frozen=True)
class AnyCells(CellFunction):
    """A function of a user, which may be declared smooth.

    No line is subtracted, since that would not restore the digits that the function has lost by
    rounding: the coefficient of degree 1 contains it. On a side of two clusters only one varies
    freely: the other one has the rest of each column. Its cells ``are_folded`` into those.
    """

    phi: Callable[..., Any]
    smooth: bool
    is_transposed: bool = False
    are_folded: tuple[bool, bool] = (False, False)

    growth, noise = _GROWTH_OF_ANY, _NOISE_OF_ANY

    def values(self, counts: FloatArray, deviations: FloatArray, laws: PairLaws) -> FloatArray:
        counts = within_support(counts, laws)
        a, b, n = laws.row_size, laws.col_size, laws.n_samples
        values = self._at(counts, a, b)
        in_rows, in_cols = self.are_folded
        if in_rows:
            values = values + self._at(b - counts, n - a, b)
        if in_cols:
            values = values + self._at(a - counts, a, n - b)
        if in_rows and in_cols:
            values = values + self._at((n - a - b) + counts, n - a, n - b)
        return values

    def _at(self, counts: FloatArray, row_size: FloatArray, col_size: FloatArray) -> FloatArray:
        """Return the checked values of the function."""
        sizes = (col_size, row_size) if self.is_transposed else (row_size, col_size)
        arguments = [np.broadcast_to(part, counts.shape) for part in (counts, *sizes)]
        return checked_values(self.phi(*arguments), counts)


def check_smooth(cells: AnyCells, rows: Margin, cols: Margin, n_samples: float) -> None:
    """Raise ValueError if the counts that are left out matter, for some pairs of sizes."""
    taken = [
        sizes[np.unique(np.linspace(0, len(sizes) - 1, _SIZES_CHECKED).astype(int))]
        for sizes in (rows.sizes, cols.sizes)
    ]
    if not len(taken[0]):
        return
    # Larger cells are checked at a size at which all counts can be looked at.
    larger = int(taken[1][-1] > taken[0][-1])
    most = max(_LARGEST_MEAN_CHECKED * n_samples // taken[1 - larger][-1], 1.0)
    taken[larger] = np.unique(np.minimum(taken[larger], most))
    sums = [
        sums_of_means(
            taken[0],
            np.ones(len(taken[0])),
            taken[1],
            np.ones(len(taken[1])),
            n_samples,
            lambda block: cells.values(block.counts, block.deviations, block.laws),
            lambda block: np.abs(cells.values(block.counts, block.deviations, block.laws)),
            growth=cells.growth,
            strided=strided,
        )
        for strided in (True, False)
    ]
    gap = float(np.abs(sums[0][0] - sums[1][0]).max(initial=0.0))
    if gap > _LARGEST_GAP * float(sums[1][1].sum()):
        msg = (
            "smooth must be False for phi(n, a, b), which jumps between counts: leaving out "
            f"counts changes the mean of a cell by {gap:.3g}"
        )
        raise ValueError(msg)


def within_support(counts: FloatArray, laws: PairLaws) -> FloatArray:
    """Replace the counts that pad a block of nodes by counts that cells can have."""
    lowest = np.maximum(laws.row_size - (laws.n_samples - laws.col_size), 0.0)
    return np.clip(counts, lowest, np.minimum(laws.row_size, laws.col_size))
