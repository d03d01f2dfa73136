"""Functions of a cell and of the sizes of both clusters, for moments of their sums over the cells.

Each is reduced by a line in n if a line explains nearly all of it: sums of lines vary little or not
at all, since the margins are fixed, but their rounding errors would exceed the rest.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, ClassVar, Protocol

import numpy as np

from sklearn_clustcompare._chance.cells import gain_beyond_line, middle_unit, slopes_of_lines
from sklearn_clustcompare._chance.margins import Margin
from sklearn_clustcompare._kernels.hypergeometric import PairLaws, sums_of_means
from sklearn_clustcompare._numerics import FloatArray, power_gap
from sklearn_clustcompare._table.cell_sums import Squares, checked_values

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


class CellFunction(Protocol):
    """A function of the cell, as input of the moments of a sum over cells."""

    @property
    def smooth(self) -> bool:
        """Whether some counts represent all: see ``windows``."""

    @property
    def growth(self) -> float:
        """Power of n by which it grows faster than the square of the deviation."""

    @property
    def noise(self) -> float:
        """Relative rounding error of a user's function."""

    @property
    def scale(self) -> float:
        """Factor from the sum to the statistic."""

    def values(self, counts: FloatArray, deviations: FloatArray, laws: PairLaws) -> FloatArray:
        """Return the function without its line."""

    def slopes(self, rows: Margin, cols: Margin, n_samples: float) -> FloatArray:
        """Return the slopes in n of the lines left out, by row size and column size."""


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
    if isinstance(function, InformationTerms):
        return function
    if isinstance(function, Squares):
        return Squares(partial(_swapped, function.divisor))
    return partial(_swapped_after_count, function)


def _swapped(function: Callable[..., Any], a: Any, b: Any) -> Any:
    return function(b, a)


def _swapped_after_count(function: Callable[..., Any], n: Any, a: Any, b: Any) -> Any:
    return function(n, b, a)


class InformationCells:
    """c^-q phi(n) of ``cells``: contribution of a cell to MI_q, up to the unit c."""

    smooth: ClassVar[bool] = True
    noise: ClassVar[float] = 0.0

    def __init__(self, rows: Margin, cols: Margin, n_samples: float, q: float) -> None:
        self._rows, self._cols, self._n_samples, self.q = rows, cols, n_samples, q
        self.growth = max(q - 2.0, 0.0)

    @cached_property
    def unit(self) -> float:
        if self.q == 1.0:
            return 1.0
        return middle_unit(self._rows, self._cols, self._n_samples)

    @property
    def scale(self) -> float:
        return float((self.unit / self._n_samples) ** self.q)

    def values(self, counts: FloatArray, deviations: FloatArray, laws: PairLaws) -> FloatArray:
        return gain_beyond_line(counts, deviations, laws.mean, self.unit, self.q)

    def slopes(self, rows: Margin, cols: Margin, n_samples: float) -> FloatArray:
        return slopes_of_lines(rows, cols, n_samples, self.unit, self.q) / self.unit


@dataclass(frozen=True)
class SquareCells:
    """n^2 / d(a, b) without its tangent at the mean, whose sum has degrees 1 and 2 only."""

    squares: Squares
    is_transposed: bool

    smooth: ClassVar[bool] = True
    growth: ClassVar[float] = 0.0
    scale: ClassVar[float] = 1.0
    noise: ClassVar[float] = 0.0

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
class AnyCells:
    """A function of a user, which may be declared smooth.

    No line is subtracted, since that would not restore the digits that the function has lost by
    rounding: the coefficient of degree 1 contains it.
    """

    phi: Callable[..., Any]
    smooth: bool
    is_transposed: bool

    growth: ClassVar[float] = _GROWTH_OF_ANY
    scale: ClassVar[float] = 1.0
    noise: ClassVar[float] = _NOISE_OF_ANY

    def values(self, counts: FloatArray, deviations: FloatArray, laws: PairLaws) -> FloatArray:
        return self.at(within_support(counts, laws), laws.row_size, laws.col_size)

    def slopes(self, rows: Margin, cols: Margin, n_samples: float) -> FloatArray:
        return np.zeros((rows.sizes.size, cols.sizes.size))

    def at(self, counts: FloatArray, row_size: FloatArray, col_size: FloatArray) -> FloatArray:
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


@dataclass(frozen=True)
class FoldedCells:
    """Sum of the cells of one cluster and of those of the only other cluster of its side.

    On a side of two clusters only one varies freely: the other one has the rest of each column.
    """

    cells: AnyCells
    folds_rows: bool
    folds_cols: bool

    smooth: ClassVar[bool] = False
    growth: ClassVar[float] = _GROWTH_OF_ANY
    scale: ClassVar[float] = 1.0
    noise: ClassVar[float] = _NOISE_OF_ANY

    def values(self, counts: FloatArray, deviations: FloatArray, laws: PairLaws) -> FloatArray:
        counts = within_support(counts, laws)
        a, b, n = laws.row_size, laws.col_size, laws.n_samples
        values = self.cells.at(counts, a, b)
        if self.folds_rows:
            values = values + self.cells.at(b - counts, n - a, b)
        if self.folds_cols:
            values = values + self.cells.at(a - counts, a, n - b)
        if self.folds_rows and self.folds_cols:
            values = values + self.cells.at((n - a - b) + counts, n - a, n - b)
        return values

    def slopes(self, rows: Margin, cols: Margin, n_samples: float) -> FloatArray:
        return self.cells.slopes(rows, cols, n_samples)


def within_support(counts: FloatArray, laws: PairLaws) -> FloatArray:
    """Replace the counts that pad a block of nodes by counts that cells can have."""
    lowest = np.maximum(laws.row_size - (laws.n_samples - laws.col_size), 0.0)
    return np.clip(counts, lowest, np.minimum(laws.row_size, laws.col_size))
