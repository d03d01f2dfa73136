"""The mean and the variance of a sum over the cells of a table, by orthogonal polynomials.

Let c_k(i, j) be the coefficient of degree k of the cell's function in the orthonormal
polynomials of its law. Different degrees are uncorrelated, also between cells, and
Cov_k(ij, i'j') = c_k(i, j) c_k(i', j') G_k(i, i') G_k(j, j'), with G_k(i, i) = 1 and
G_k(i, i') = (-1)^k g_k(a_i) g_k(a_i'), g_k(a)^2 = C(a, k) / C(N - a, k): the polynomials are matrix
coefficients of the irreducible representations (N - k, k) of the symmetric group.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from sklearn_clustcompare._chance.cells import gain_beyond_line
from sklearn_clustcompare._chance.hypergeometric import (
    VARIANCE_PRECISION,
    PairLaws,
    expand,
    node_blocks,
)
from sklearn_clustcompare._chance.margins import CHUNK_PAIRS, Margin, pair_chunks
from sklearn_clustcompare._numerics import FloatArray

_VARIANCE_BLOCK_NODES = 1 << 13
_VARIANCE_TOLERANCE = 1e-12


class _Coupling:
    """The matrices G_k of one margin, a diagonal plus a matrix of rank one, applied implicitly.

    A cluster of more than half of all objects has a huge g_k, of which the rank-one form would
    subtract what it had added: its row is kept apart.
    """

    def __init__(self, margin: Margin, n_samples: float) -> None:
        self._sizes = margin.sizes
        self._multiplicities = margin.multiplicities
        self._n_samples = n_samples
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
        """Coefficients of the squares, multiplicities included."""
        strength = np.where(self._is_major, 0.0, self.strength(degree))
        return self._multiplicities * (1.0 - (-1.0) ** degree * strength * strength)

    def minor_strength(self, degree: int) -> FloatArray:
        """Coefficients of the rank-one part, multiplicities included."""
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

    def bound(self, degree: int) -> float:
        """Largest row sum of |G_k| off the diagonal; it does not increase with k."""
        strength, minor = self.strength(degree), self.minor_strength(degree)
        total = minor.sum()
        partners = np.where(self._is_major, total, total - strength)
        if self.major is not None:
            partners = partners + np.where(self._is_major, 0.0, strength[self.major])
        return float((strength * partners).max())


class Moments(NamedTuple):
    """Mean and variance of a sum over the cells of a table."""

    mean: float
    variance: float


class SpectralMoments:
    """Moments of c^-q sum phi(n_ij), with the lines left out of its mean, degree by degree.

    ``slopes`` are those of the lines, ``slopes_of_lines``.
    """

    def __init__(
        self,
        rows: Margin,
        cols: Margin,
        n_samples: float,
        unit: float,
        q: float,
        slopes: FloatArray,
    ) -> None:
        self._rows, self._cols, self._n_samples = rows, cols, n_samples
        self._unit, self._q, self._line_slopes = unit, q, slopes
        self._row_coupling = _Coupling(rows, n_samples)
        self._col_coupling = _Coupling(cols, n_samples)

    def total(self) -> Moments:
        """Sum of all cells and all degrees.

        A chunk of rows at a time adds its own part of the quadratic form. What couples it with
        other chunks is, by degree, the combination of rows by g_k and the row of the major cluster.
        """
        means: list[float] = []
        parts: list[float] = []
        slopes = self._line_slopes / self._unit
        combined: dict[int, FloatArray] = {}
        major_row: dict[int, FloatArray] = {}
        major = self._row_coupling.major
        for rows, laws in pair_chunks(self._rows, self._cols, self._n_samples, CHUNK_PAIRS // 4):
            mean, coefficients, remainder = self._expand(laws)
            shape = slopes[rows].shape
            slopes[rows] += (coefficients[0] / np.sqrt(laws.variance)).reshape(shape)
            row_weight = self._rows.multiplicities[rows]
            means.append(float(row_weight @ (mean.reshape(shape) @ self._cols.multiplicities)))
            left_over = remainder.reshape(shape) @ self._cols.multiplicities
            parts.append(float(row_weight @ left_over))
            for degree, flat in enumerate(coefficients[1:], start=2):
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
        return Moments(math.fsum(means), math.fsum([*parts, self._linear_part(slopes)]))

    def _expand(self, laws: PairLaws) -> tuple[FloatArray, list[FloatArray], FloatArray]:
        """Means, coefficients by degree, and remainders, of the pairs of one chunk."""
        n_pairs = laws.mean.size
        mean = np.empty(n_pairs)
        coefficients = [np.zeros(n_pairs)]
        remainder = np.zeros(n_pairs)
        growth = 2.0 * max(self._q - 2.0, 0.0)
        for block in node_blocks(laws, VARIANCE_PRECISION, growth, _VARIANCE_BLOCK_NODES):
            values = gain_beyond_line(
                block.counts, block.deviations, block.laws.mean, self._unit, self._q
            )
            mean[block.pairs] = np.einsum("np,np->p", block.weights, values)
            by_degree, remainder[block.pairs] = expand(block, values, self._is_done)
            while len(coefficients) < len(by_degree):
                coefficients.append(np.zeros(n_pairs))
            for target, source in zip(coefficients, by_degree, strict=False):
                target[block.pairs] = source
        return mean, coefficients, remainder

    def _is_done(self, degree: int, left_over: FloatArray) -> bool:
        """Whether higher degrees are uncorrelated between cells, as far as it matters.

        What they add within cells is known exactly: the remainder by Parseval. Between cells
        Cauchy and Schwarz bound it. The root is due: the other cell may stop much later.
        """
        row_bound = self._row_coupling.bound(degree + 1)
        col_bound = self._col_coupling.bound(degree + 1)
        coupling = row_bound + col_bound + row_bound * col_bound
        return bool(np.sqrt(left_over.max()) * coupling <= _VARIANCE_TOLERANCE)

    def _linear_part(self, slopes: FloatArray) -> float:
        """Variance of sum m_ij n_ij for slopes m_ij.

        Margins are fixed: m_ij may be centred by rows and columns, after which the form G_1 is
        diagonal and nothing cancels.
        """
        n = self._n_samples
        row_share = self._rows.multiplicities * self._rows.sizes / n
        col_share = self._cols.multiplicities * self._cols.sizes / n
        slopes = slopes - row_share @ slopes
        slopes -= (slopes @ col_share)[:, np.newaxis]
        return float(row_share @ (slopes * slopes) @ col_share) * n * (n / (n - 1.0))
