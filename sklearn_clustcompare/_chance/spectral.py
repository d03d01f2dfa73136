"""The distribution of MI_q given the margins: variance, standard deviation, standardized.

MI_q and its mean agree in nearly all digits where a partition consists of small clusters, or of
one large cluster: the spread of MI_q can be N^-2 of it. The deviation of a table from the mean is
therefore never computed as the difference of the two. For q = 2 it is a difference of whole
numbers. For other orders every cell is reduced by a line (``gain_beyond_line``), and the lines are
added up for deviations from the mean only.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cached_property

import numpy as np

from sklearn_clustcompare import _kernels
from sklearn_clustcompare._array_types import FloatArray, Positions
from sklearn_clustcompare._chance.functions import (
    AnyCells,
    CellFunction,
    InformationCells,
    Margin,
    PairCounts,
)
from sklearn_clustcompare._kernels import entropy_moments, entropy_position
from sklearn_clustcompare._kernels.hypergeometric import (
    CHUNK_PAIRS,
    VARIANCE_PRECISION,
    NodeBlock,
    PairExpansions,
    PairLaws,
    expand_pairs,
    pair_chunks,
)
from sklearn_clustcompare._numerics import divide_product, ordered_sum
from sklearn_clustcompare._table.cell_sums import kinds_of_cells
from sklearn_clustcompare._table.contingency import ContingencyTable

_VARIANCE_TOLERANCE = 2e-13

# Largest number of values of the polynomials of one block.
_MAX_BASIS = 1 << 25
# On strided nodes, smooth functions need no higher degrees than this.
_MAX_STRIDED_DEGREE = 48
_MAX_DEGREE = 400
# Higher degrees reach further into the tails, down to the smallest floats.
_PRECISION_PER_DEGREE = 3.0
_DEEPEST_PRECISION = 450.0
# Bounds of the coupling are computed up to this degree; they do not increase.
_LARGEST_TABLED_DEGREE = 24
_LARGEST_STRENGTH = 1e150
# Largest part of the variance that may be left out, relative to it.
_LARGEST_REMAINDER = 1e-12


# The mean and the variance of a sum over the cells of a table, by orthogonal polynomials.
#
# Let c_k(i, j) be the coefficient of degree k of the cell's function in the orthonormal polynomials
# of its law. Different degrees are uncorrelated, also between cells, and Cov_k(ij, i'j') = c_k(i,
# j) c_k(i', j') G_k(i, i') G_k(j, j'), with G_k(i, i) = 1 and G_k(i, i') = (-1)^k g_k(a_i)
# g_k(a_i'), g_k(a)^2 = C(a, k) / C(N - a, k): the polynomials are matrix coefficients of the
# irreducible representations (N - k, k) of the symmetric group.


class _Coupling:
    """The matrices G_k of one margin, a diagonal plus a matrix of rank one, applied implicitly.

    A cluster of more than half of all objects has a huge g_k, which would cancel in the rank-one
    form: its row is kept separately. The margin may be folded: one of two clusters represents both.
    """

    def __init__(self, margin: Margin, n_samples: float) -> None:
        self._sizes = margin.sizes
        self._multiplicities = margin.multiplicities
        self._n_samples = n_samples
        self._is_folded = bool(margin.sizes @ margin.multiplicities < n_samples)
        self._is_major = margin.sizes > n_samples / 2.0
        self.major = int(np.argmax(self._is_major)) if self._is_major.any() else None
        self._strengths = [np.ones_like(margin.sizes)]

    def strength(self, degree: int) -> FloatArray:
        """g_k of every size."""
        while len(self._strengths) <= degree:
            used = len(self._strengths) - 1.0
            inside = np.maximum(self._sizes - used, 0.0)
            outside = np.maximum(self._n_samples - self._sizes - used, 0.0)
            ratio = np.where(outside > 0.0, inside / np.maximum(outside, 1.0), 0.0)
            self._strengths.append(self._strengths[-1] * np.sqrt(ratio))
        return self._strengths[degree]

    def diagonal(self, degree: int) -> FloatArray:
        """Coefficients of the squares, including multiplicities."""
        strength = np.where(self._is_major, 0.0, self.strength(degree))
        return self._multiplicities * (1.0 - (-1.0) ** degree * strength * strength)

    def minor_strength(self, degree: int) -> FloatArray:
        """Coefficients of the rank-one part, including multiplicities."""
        return np.where(self._is_major, 0.0, self._multiplicities * self.strength(degree))

    def form(self, degree: int, left: FloatArray, right: FloatArray) -> FloatArray:
        """Bilinear form of G_k over the last axis."""
        minor = self.minor_strength(degree)
        left_minor, right_minor = left @ minor, right @ minor
        rank_one = left_minor * right_minor
        if self.major is not None:
            across = left[..., self.major] * right_minor + left_minor * right[..., self.major]
            rank_one = rank_one + self.strength(degree)[self.major] * across
        result: FloatArray = (left * right) @ self.diagonal(degree) + (-1.0) ** degree * rank_one
        return result

    def partners(self, degree: int, values: FloatArray) -> FloatArray:
        """Sum values over all other clusters of the margin, weighted by |G_k| (first axis)."""
        strength = self.strength(degree)
        minor = np.where(self._is_major, 0.0, strength)
        total = (self._multiplicities * minor) @ values
        result = np.multiply.outer(strength, total) - ((minor * minor) * values.T).T
        if self.major is not None:
            result += np.multiply.outer(minor * strength[self.major], values[self.major])
        return np.maximum(result, 0.0)

    def bound(self, degree: int) -> float:
        """Largest row sum of |G_k| off the diagonal; it does not increase with k."""
        return float(self.partners(degree, np.ones_like(self._sizes)).max())

    @property
    def largest_degree(self) -> int:
        """Degree up to which g_k is finite. In higher ones, smooth functions hardly vary."""
        if self.major is None:
            return _MAX_DEGREE
        size = self._sizes[self.major]
        used = np.arange(min(self._n_samples - size, _MAX_DEGREE))
        logarithms = np.cumsum(np.log((size - used) / (self._n_samples - size - used))) / 2.0
        return int(np.searchsorted(logarithms, math.log(_LARGEST_STRENGTH) * 2.0))

    def is_computable(self, degree: int) -> bool:
        """Return whether g_k is finite even for a cluster of nearly all objects."""
        return bool(self.strength(degree).max() < _LARGEST_STRENGTH)

    @property
    def shares(self) -> FloatArray:
        """Weights of the squares of centered slopes, including multiplicities."""
        share = self._multiplicities * self._sizes / self._n_samples
        return share * (1.0 - share) if self._is_folded else share

    def mean(self, slopes: FloatArray) -> FloatArray:
        """Mean over the first axis, which slopes may lack, since the other margin is fixed."""
        return np.zeros(slopes.shape[1:]) if self._is_folded else self.shares @ slopes


class InexactVarianceError(ValueError):
    """The degrees left out may contribute to a variance."""


class SpectralMoments:
    """Moments of a sum over cells, without the lines in its mean, degree by degree.

    If the function is not smooth, a side of two clusters is folded, since its coupling does not
    decrease with the degree. ``slopes`` are those of the lines.
    """

    def __init__(
        self,
        rows: Margin,
        cols: Margin,
        n_samples: float,
        function: CellFunction,
        slopes: FloatArray,
    ) -> None:
        if isinstance(function, AnyCells) and not function.smooth:
            folds = rows.multiplicities.sum() == 2, cols.multiplicities.sum() == 2
            function = replace(function, are_folded=folds)
            rows, cols = (
                Margin(side.sizes[:1], np.ones(1)) if fold else side
                for side, fold in zip((rows, cols), folds, strict=True)
            )
        self._rows, self._cols, self._n_samples = rows, cols, n_samples
        self._function = function
        self._slopes = slopes[: rows.sizes.size, : cols.sizes.size]
        self._row_coupling = _Coupling(rows, n_samples)
        self._col_coupling = _Coupling(cols, n_samples)
        self._precision = VARIANCE_PRECISION
        if not function.smooth:
            self._needed_degree = self._find_needed_degree()
            deeper = VARIANCE_PRECISION + _PRECISION_PER_DEGREE * self._needed_degree
            self._precision = min(deeper, _DEEPEST_PRECISION)

    def total(self) -> tuple[float, float]:
        """Return the mean and the variance of the sum of all cells, over all degrees.

        A chunk of rows at a time adds its own part of the quadratic form. By degree, the
        combination of rows by g_k and the row of the major cluster couple it with other chunks.
        """
        means: list[float] = []
        parts: list[float] = []
        noise: list[float] = []
        left_out: list[FloatArray] = []
        slopes = self._slopes.copy()
        combined: dict[int, FloatArray] = {}
        major_row: dict[int, FloatArray] = {}
        major = self._row_coupling.major
        chunks = pair_chunks(self._rows.sizes, self._cols.sizes, self._n_samples, CHUNK_PAIRS // 4)
        for rows, laws in chunks:
            found = self._expand(laws)
            shape = slopes[rows].shape
            slopes[rows] += (found.coefficients[0] / np.sqrt(laws.variance)).reshape(shape)
            row_weight = self._rows.multiplicities[rows]

            for sums, flat in (
                (means, found.mean),
                (parts, found.remainder),
                (noise, found.noise),
            ):
                sums.append(float(row_weight @ (flat.reshape(shape) @ self._cols.multiplicities)))
            left_out.append(np.stack([found.left, found.degree, found.beyond]).reshape(3, *shape))
            for degree, flat in enumerate(found.coefficients[1:], start=2):
                table = flat.reshape(shape)
                diagonal = self._row_coupling.diagonal(degree)[rows]
                parts.append(float(diagonal @ self._col_coupling.form(degree, table, table)))
                minor = self._row_coupling.minor_strength(degree)[rows] @ table
                combined[degree] = combined.get(degree, 0.0) + minor
                if major is not None and rows.start <= major < rows.stop:
                    major_row[degree] = table[major - rows.start]
        for degree, minor in combined.items():
            across = self._col_coupling.form(degree, minor, minor)
            if degree in major_row:
                strength = self._row_coupling.strength(degree)[major]
                mixed = self._col_coupling.form(degree, major_row[degree], minor)
                across = across + 2.0 * strength * mixed
            parts.append((-1.0) ** degree * float(across))
        variance = math.fsum([*parts, self._linear_part(slopes)])
        if variance <= math.fsum(noise) ** 2:
            return math.fsum(means), 0.0
        if self._function.noise:
            self._check(variance, np.concatenate(left_out, axis=1))
        return math.fsum(means), variance

    def _check(self, variance: float, left_out: FloatArray) -> None:
        """Raise an error if the covariance of cells in the degrees left out may matter.

        By Cauchy and Schwarz it is at most the product of both deviations and of |G_k|.
        """
        left, degrees, beyond = left_out
        remainder = 0.0
        for degree in np.unique(degrees[left > 0.0]).astype(int).tolist():
            in_cols = self._row_coupling.partners(degree + 1, beyond)
            in_rows = self._col_coupling.partners(degree + 1, (beyond + in_cols).T).T
            weighted = np.where(degrees == degree, left, 0.0) * (in_cols + in_rows)
            remainder += 2.0 * float(
                self._rows.multiplicities @ weighted @ self._cols.multiplicities
            )
        if remainder > _LARGEST_REMAINDER * variance:
            msg = (
                "phi must be smooth, or cells small, for an exact variance: polynomials of up to "
                f"degree {int(degrees.max())} leave a remainder of up to "
                f"{remainder / variance:.2g} of the variance; estimate it from draws (rvs)"
            )
            raise InexactVarianceError(msg)

    def _expand(self, laws: PairLaws) -> PairExpansions:
        """Expand the function in the polynomials of all pairs of one chunk."""
        function = self._function
        if isinstance(function, InformationCells) and function.q == 1.0:
            found = _kernels.entropy_expansions(
                laws.row_size, laws.col_size, laws.n_samples, self._negligible_shares
            )
            # Nothing that matters is left out, and there is no noise.
            return PairExpansions(*found, *np.zeros((4, laws.mean.size)))
        return expand_pairs(
            laws,
            lambda block: function.values(block.counts, block.deviations, block.laws),
            self._is_done,
            precision=self._precision,
            growth=2.0 * function.growth,
            strided=function.smooth,
            noise=function.noise,
            max_degree=self._max_degree,
        )

    def _max_degree(self, block: NodeBlock) -> float:
        """Degree up to which a user's function is expanded, on these nodes."""
        if not self._function.noise:
            return self._largest_degree
        if not self._function.smooth:
            return min(self._needed_degree, max(_MAX_BASIS // block.counts.size, 2))
        is_strided = len(block.counts) > 1 and block.counts[1, 0] - block.counts[0, 0] > 1.0
        return _MAX_STRIDED_DEGREE if is_strided else _MAX_DEGREE

    def _bound(self, degree: int) -> float:
        """Bound the covariance of a cell with all others, in degrees above one (Cauchy-Schwarz)."""
        row_bound = self._row_coupling.bound(degree + 1)
        col_bound = self._col_coupling.bound(degree + 1)
        return row_bound + col_bound + row_bound * col_bound

    def _find_needed_degree(self) -> int:
        """Degree from which on the coupling of cells is negligible."""
        degree = 1
        while self._bound(degree) > _VARIANCE_TOLERANCE and self._is_computable(degree + 1):
            degree += 1
        return degree

    def _is_computable(self, degree: int) -> bool:
        couplings = (self._row_coupling, self._col_coupling)
        return degree < _MAX_DEGREE and all(one.is_computable(degree) for one in couplings)

    def _is_done(self, degree: int, left_over: FloatArray) -> bool:
        """Whether correlations of higher degrees between cells are negligible.

        Their contribution within cells is known exactly: the remainder, by Parseval. Between cells
        Cauchy and Schwarz bound it. The square root is needed since the other cell may stop much
        later.
        """
        coupling = self._bound(degree)
        return bool(np.sqrt(left_over.max()) * coupling <= _VARIANCE_TOLERANCE)

    @cached_property
    def _negligible_shares(self) -> FloatArray:
        """Shares of the variance beyond degree 1 that may be left after degree 1, 2, ..."""
        bounds = [self._bound(1)]
        while bounds[-1] > _VARIANCE_TOLERANCE and len(bounds) < _LARGEST_TABLED_DEGREE:
            bounds.append(self._bound(len(bounds) + 1))
        shares = np.square(_VARIANCE_TOLERANCE / np.maximum(bounds, 1e-150))
        missing = max(self._largest_degree - shares.size, 0)
        shares = np.concatenate([shares, np.full(missing, shares[-1])])
        shares[self._largest_degree - 1 :] = np.inf
        return shares

    @cached_property
    def _largest_degree(self) -> int:
        return min(self._row_coupling.largest_degree, self._col_coupling.largest_degree)

    def _linear_part(self, slopes: FloatArray) -> float:
        """Variance of sum m_ij n_ij for slopes m_ij.

        Margins are fixed: m_ij may be centered by rows and columns, after which the form G_1 is
        diagonal and nothing cancels.
        """
        n = self._n_samples
        slopes = slopes - self._row_coupling.mean(slopes)
        slopes -= self._col_coupling.mean(slopes.T)[:, np.newaxis]
        squares = self._row_coupling.shares @ (slopes * slopes) @ self._col_coupling.shares
        return float(squares) * n * (n / (n - 1.0))


class CellSumMoments:
    """The null distribution of a sum over cells: MI_q for any q except 2, where squares are exact.

    ``is_transposed`` means that the rows of a table are in ``cols``: the sides are ordered so that
    swapping them does not change a bit of the results.
    """

    def __init__(
        self,
        rows: Margin,
        cols: Margin,
        n_samples: int,
        function: CellFunction,
        *,
        is_transposed: bool,
    ) -> None:
        self._rows, self._cols, self._n_samples = rows, cols, float(n_samples)
        self._function = function
        self._is_transposed = is_transposed
        self.is_constant = have_one_value(rows, cols)
        self.standard_deviation = 0.0
        if self.is_constant:
            return
        moments = None
        if self._is_entropy:
            moments = entropy_moments(*rows, *cols, self._n_samples)
        if moments is None:
            moments = SpectralMoments(rows, cols, self._n_samples, function, self._slopes).total()
        self._mean, variance = moments
        self._deviation = math.sqrt(variance)
        self.standard_deviation = self._deviation * function.scale
        self.is_constant = not variance

    @property
    def _is_entropy(self) -> bool:
        return isinstance(self._function, InformationCells) and self._function.q == 1.0

    @cached_property
    def _slopes(self) -> FloatArray:
        return self._function.slopes(self._rows, self._cols, self._n_samples)

    @cached_property
    def _laws(self) -> PairLaws:
        return PairLaws.of_margins(self._rows.sizes, self._cols.sizes, self._n_samples)

    def standardized(self, table: ContingencyTable) -> float:
        return self._above_mean(table) / self._deviation

    def _above_mean(self, table: ContingencyTable) -> float:
        """Return how far the sum of a table is above the mean."""
        if self._is_entropy:
            margins = (self._cols, self._rows) if self._is_transposed else (self._rows, self._cols)
            found = entropy_position(table._packed, *margins[0], *margins[1], self._mean)
            if found is not None:
                return found
        kinds = kinds_of_cells(table)
        sizes = kinds.row_sizes, kinds.col_sizes
        of_rows, of_cols = sizes[::-1] if self._is_transposed else sizes
        rows = np.searchsorted(self._rows.sizes, of_rows)
        pairs = rows * self._cols.sizes.size + np.searchsorted(self._cols.sizes, of_cols)
        laws = self._laws.take(pairs)
        deviations = (kinds.counts - laws.mean) - laws.mean_low
        parts = [
            kinds.times * self._function.values(kinds.counts, deviations, laws),
            self._values_of_empty_cells(pairs, kinds.times),
            self._values_of_lines(pairs, kinds.times * kinds.counts),
        ]
        return float(ordered_sum(np.concatenate(parts))) - self._mean

    def _values_of_empty_cells(self, pairs: Positions, times: FloatArray) -> FloatArray:
        """Contribution of empty cells, by pair of sizes."""
        cells = np.outer(self._rows.multiplicities, self._cols.multiplicities).ravel()
        empty = cells - np.bincount(pairs, times, minlength=cells.size)
        some = empty.nonzero()[0]
        laws = self._laws.take(some)
        return empty[some] * self._function.values(np.zeros(some.size), -laws.mean, laws)

    def _values_of_lines(self, pairs: Positions, objects: FloatArray) -> FloatArray:
        """Contribution of the lines, by pair of sizes."""
        row_objects = (self._rows.sizes * self._rows.multiplicities)[:, np.newaxis]
        mean, rest = divide_product(
            row_objects, self._cols.sizes * self._cols.multiplicities, self._n_samples
        )
        observed = np.bincount(pairs, objects, minlength=mean.size)
        return self._slopes.ravel() * ((observed - mean.ravel()) - rest.ravel())


# The null distribution of MI_q given the margins.
InformationMoments = PairCounts | CellSumMoments


def have_one_value(rows: Margin, cols: Margin) -> bool:
    """Return whether all tables with these margins have the same MI_q, for any q.

    phi is strictly convex, so MI_q varies if a cell can hold three different counts, that is, if
    two clusters have two objects or more inside and outside. Otherwise one side has singletons
    only, or a single object and one cluster of all others while the clusters of the other side have
    equal sizes.
    """
    if rows.is_trivial() or cols.is_trivial():
        return True
    return (cols.sizes.size == 1 and rows.is_all_but_one()) or (
        rows.sizes.size == 1 and cols.is_all_but_one()
    )
