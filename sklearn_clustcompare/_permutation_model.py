"""The permutation model: contingency tables with fixed margins, and the moments of their indices.

Letters of the mathematics: N objects (``n_samples``); a_i and b_j, the sizes of the clusters of
the two partitions U and V (``row_sums``, ``col_sums``); n_ij, the cells; mu_ij = a_i b_j / N, their
means; s_ij^2, their variances; p = n / N, proportions. The objects of one partition are permuted
at random, so that n_ij is hypergeometric, Hyp(N, a_i, b_j).

Entropies are those of Havrda, Charvat and Tsallis, H_q(p) = (1 - sum p^q) / (q - 1), Shannon's for
q = 1; MI_q = H_q(U) + H_q(V) - H_q(U, V) and VI_q = 2 H_q(U, V) - H_q(U) - H_q(V) [1]_.

*Mean.* With phi(n) = n (n^(q-1) - 1) / (q - 1), N^q MI_q is a constant plus sum phi(n_ij). Without
its tangent at mu_ij, phi is non-negative, and since E n_ij = mu_ij the tangents contribute what
independence does: E MI_q = (q - 1) H_q(U) H_q(V) + N^-q sum E f_ij(n_ij), where f_ij is phi without
its tangent. VI_q is a sum of non-negative terms as it stands. Of the two forms the one with the
smaller sum has the smaller absolute error.

*Variance.* Let c_k(i, j) be the coefficient of degree k of the cell's function in the orthonormal
polynomials of its law. Different degrees are uncorrelated, also between cells, and
Cov_k(ij, i'j') = c_k(i, j) c_k(i', j') G_k(i, i') G_k(j, j'), with G_k(i, i) = 1 and
G_k(i, i') = (-1)^k g_k(a_i) g_k(a_i'), g_k(a)^2 = C(a, k) / C(N - a, k): the polynomials are matrix
coefficients of the irreducible representations (N - k, k) of the symmetric group.

Sizes enter, never names: clusters of equal size are grouped, and both the order within a margin and
the order of the two margins are made canonical, so that results do not depend on them in any bit.

References
----------
.. [1] S. Romano, N. X. Vinh, J. Bailey, K. Verspoor, "Adjusting for chance clustering comparison
   measures", JMLR 17(134), 2016.
.. [2] N. X. Vinh, J. Epps, J. Bailey, "Information theoretic measures for clusterings comparison:
   variants, properties, normalization and correction for chance", JMLR 11, 2010.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import random_table

from sklearn_clustcompare._hypergeometric import (
    MEAN_PRECISION,
    VARIANCE_PRECISION,
    FloatArray,
    NodeBlock,
    PairLaws,
    entropy_excess,
    expand,
    node_blocks,
)

_LARGEST_EXACT = 2**53
# SciPy's draws lose digits, and from about 2**36 objects on crash.
_LARGEST_DRAWN = 2**31 - 1
# Up to this |n / mu - 1| the binomial series replaces a difference of powers.
_SERIES_RADIUS = 0.1
_CHUNK_PAIRS = 1 << 16
_VARIANCE_BLOCK_NODES = 1 << 13
_VARIANCE_TOLERANCE = 1e-12


class _Margin(NamedTuple):
    """Distinct cluster sizes of one partition, ascending, and how often each occurs."""

    sizes: FloatArray
    multiplicities: FloatArray

    @classmethod
    def from_sums(cls, sums: NDArray[np.int64]) -> _Margin:
        sizes, multiplicities = np.unique(sums, return_counts=True)
        return cls(sizes.astype(np.float64), multiplicities.astype(np.float64))

    def sort_key(self) -> tuple[int, list[float], list[float]]:
        return self.sizes.size, self.sizes.tolist(), self.multiplicities.tolist()

    def is_trivial(self) -> bool:
        """Whether there is one cluster or only singletons, so that no table differs."""
        return bool(self.sizes.size < 2 and (self.multiplicities.sum() < 2 or self.sizes[0] == 1))

    def pairs_together(self, n_members: int = 2) -> int:
        """Count the ordered tuples of distinct objects of one cluster, exactly."""
        return sum(
            int(count) * math.perm(int(size), n_members)
            for size, count in zip(self.sizes, self.multiplicities, strict=True)
        )


class PermutationModel:
    """Law of a contingency table with fixed margins, when objects are permuted at random.

    The permutation (or generalised hypergeometric) model of chance behind the adjusted Rand index,
    the adjusted mutual information and their standardised forms [1]_. All moments are exact up to
    rounding, for every q > 0, and cost no more for many objects than for few.

    Parameters
    ----------
    row_sums : array-like of int of shape (n_rows,)
        Cluster sizes of the first partition. Zeros are dropped.
    col_sums : array-like of int of shape (n_cols,)
        Cluster sizes of the second partition, with the same total.

    Attributes
    ----------
    row_sums : ndarray of int64
        Positive cluster sizes of the first partition, in the order given; read-only.
    col_sums : ndarray of int64
        Positive cluster sizes of the second partition, in the order given; read-only.
    n_samples : int
        Number of objects.

    References
    ----------
    .. [1] S. Romano, N. X. Vinh, J. Bailey, K. Verspoor, "Adjusting for chance clustering
       comparison measures", JMLR 17(134), 2016.

    Examples
    --------
    >>> from sklearn_clustcompare._permutation_model import PermutationModel
    >>> model = PermutationModel([3, 2, 2], [4, 2, 1])
    >>> model
    PermutationModel(row_sums=[3, 2, 2], col_sums=[4, 2, 1])
    >>> print(f"{model.expected_mutual_info():.6f}")
    0.404761
    """

    __slots__ = ("_cols", "_rows", "col_sums", "n_samples", "row_sums")

    row_sums: NDArray[np.int64]
    col_sums: NDArray[np.int64]
    n_samples: int
    _rows: _Margin
    _cols: _Margin

    def __init__(self, row_sums: ArrayLike, col_sums: ArrayLike) -> None:
        rows, n_samples = _check_margin(row_sums, "row_sums")
        cols, n_cols_samples = _check_margin(col_sums, "col_sums")
        if n_samples != n_cols_samples:
            msg = (
                "row_sums and col_sums must have the same total, "
                f"got {n_samples} and {n_cols_samples}"
            )
            raise ValueError(msg)
        margins = sorted((_Margin.from_sums(rows), _Margin.from_sums(cols)), key=_Margin.sort_key)
        for name, value in (
            ("row_sums", rows),
            ("col_sums", cols),
            ("n_samples", n_samples),
            ("_rows", margins[1]),
            ("_cols", margins[0]),
        ):
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: object) -> None:
        msg = f"PermutationModel is immutable, cannot set {name!r}"
        raise AttributeError(msg)

    def __delattr__(self, name: str) -> None:
        msg = f"PermutationModel is immutable, cannot delete {name!r}"
        raise AttributeError(msg)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.row_sums, self.col_sums)

    def __repr__(self) -> str:
        row_sums, col_sums = (
            np.array2string(sums, separator=", ", threshold=10, max_line_width=10**6)
            for sums in (self.row_sums, self.col_sums)
        )
        return f"PermutationModel(row_sums={row_sums}, col_sums={col_sums})"

    def expected_mutual_info(self, q: float = 1.0, *, method: str = "exact") -> float:
        """Mean of MI_q, in nats for q = 1.

        Romano et al. (2016), Theorem 1, and Theorem 3 for the limit; q = 1: Vinh et al. (2010). For
        q >= 1 only non-negative terms are added, so that the relative error stays at rounding
        level also where the mean is tiny.

        Parameters
        ----------
        q : float, default=1.0
            Order of the entropy, positive.
        method : {"exact", "limit"}, default="exact"
            "limit" leaves out what vanishes as the number of objects grows.

        Returns
        -------
        float
            The mean.

        Examples
        --------
        >>> model = PermutationModel([5, 3, 1], [2, 2, 2, 3])
        >>> print(f"{model.expected_mutual_info():.6f}")
        0.429766
        >>> print(f"{model.expected_mutual_info(q=2, method='limit'):.6f}")
        0.420668
        """
        q = _check_order(q)
        at_independence = (q - 1.0) * self._row_entropy(q) * self._col_entropy(q)
        if _check_method(method) == "limit":
            return at_independence
        if q == 2.0:
            return at_independence * self.n_samples / max(self.n_samples - 1, 1)
        growth = max(q - 2.0, 0.0)
        return at_independence + self._sum_of_means(lambda block: _convex_gain(block, q), growth)

    def expected_variation_of_information(self, q: float = 1.0, *, method: str = "exact") -> float:
        """Mean of VI_q, in nats for q = 1, as a sum of non-negative terms.

        Romano et al. (2016), Theorem 1, and Theorem 3 for the limit. The relative error stays at
        rounding level also where nearly all clusters are singletons. There the mean of MI_q comes
        close to the entropies, and an adjusted index must be composed from VI_q.

        Parameters
        ----------
        q : float, default=1.0
            Order of the entropy, positive.
        method : {"exact", "limit"}, default="exact"
            "limit" leaves out what vanishes as the number of objects grows.

        Returns
        -------
        float
            The mean.

        Examples
        --------
        Two partitions of 1,000 objects into singletons and one pair; the pairs differ.

        >>> import math
        >>> sizes = [2] + [1] * 998
        >>> expected = PermutationModel(sizes, sizes).expected_variation_of_information()
        >>> observed = 4 * math.log(2) / 1000
        >>> print(f"adjusted mutual information: {(expected - observed) / expected:.9e}")
        adjusted mutual information: -2.002006010e-06
        """
        q = _check_order(q)
        if _check_method(method) == "limit":
            row, col = self._row_entropy(q), self._col_entropy(q)
            return row + col - 2.0 * (q - 1.0) * row * col
        if q == 2.0:
            return float(self._expected_disagreement())
        return self._sum_of_means(lambda block: _variation_gain(block, q))

    def expected_joint_entropy(self, q: float = 1.0, *, method: str = "exact") -> float:
        """Mean of H_q(U, V), in nats for q = 1.

        Romano et al. (2016), Theorem 1, and Theorem 3 for the limit.

        Parameters
        ----------
        q : float, default=1.0
            Order of the entropy, positive.
        method : {"exact", "limit"}, default="exact"
            "limit" leaves out what vanishes as the number of objects grows.

        Returns
        -------
        float
            The mean.

        Examples
        --------
        >>> model = PermutationModel([3, 2, 2], [4, 2, 1])
        >>> print(f"{model.expected_joint_entropy():.6f}")
        1.629931
        """
        q = _check_order(q)
        mutual_info = self.expected_mutual_info(q, method=method)
        return self._row_entropy(q) + self._col_entropy(q) - mutual_info

    def mutual_info_variance(self, q: float = 1.0) -> float:
        """Variance of MI_q, in squared nats for q = 1.

        It also is the variance of H_q(U, V), and a quarter of that of VI_q. Romano et al. (2016),
        Theorem 4, gives the same value as a sum over all pairs of cells, for q != 1.

        Parameters
        ----------
        q : float, default=1.0
            Order of the entropy, positive.

        Returns
        -------
        float
            The variance; 0.0 if a partition has one cluster, or singletons only.

        Examples
        --------
        >>> model = PermutationModel([3, 2, 2], [4, 2, 1])
        >>> print(f"{model.mutual_info_variance():.6f}")
        0.022617
        """
        q = _check_order(q)
        if self._rows.is_trivial() or self._cols.is_trivial():
            return 0.0
        if q == 2.0:
            return float(4 * self._pair_count_variance() / Fraction(self.n_samples) ** 4)
        return _SpectralVariance(self._rows, self._cols, float(self.n_samples), q).total()

    def expected_pair_count(self) -> float:
        """Mean of n11, the number of pairs of objects together in both partitions.

        Hubert and Arabie (1985); it determines the adjusted Rand index.

        Returns
        -------
        float
            The mean.

        Examples
        --------
        >>> print(f"{PermutationModel([3, 2, 2], [4, 2, 1]).expected_pair_count():.6f}")
        1.666667
        """
        if self.n_samples < 2:
            return 0.0
        together = self._rows.pairs_together() * self._cols.pairs_together()
        return float(Fraction(together, 2 * math.perm(self.n_samples, 2)))

    def pair_count_variance(self) -> float:
        """Variance of n11, the number of pairs of objects together in both partitions.

        Fowlkes and Mallows (1983), in exact rational arithmetic; it determines the standardised
        Rand index.

        Returns
        -------
        float
            The variance.

        Examples
        --------
        >>> print(f"{PermutationModel([3, 2, 2], [4, 2, 1]).pair_count_variance():.6f}")
        0.774603
        """
        return float(self._pair_count_variance())

    def rvs(
        self,
        size: int = 1,
        random_state: int | np.random.RandomState | np.random.Generator | None = None,
    ) -> NDArray[np.int64]:
        """Draw random tables with these margins, with ``scipy.stats.random_table``.

        Parameters
        ----------
        size : int, default=1
            Number of tables.
        random_state : int, RandomState, Generator or None, default=None
            Source of randomness.

        Returns
        -------
        ndarray of int64 of shape (size, n_rows, n_cols)
            The tables.

        Examples
        --------
        >>> PermutationModel([2, 1], [1, 1, 1]).rvs(size=5, random_state=0).sum(axis=2).tolist()
        [[2, 1], [2, 1], [2, 1], [2, 1], [2, 1]]
        """
        if not isinstance(size, numbers.Integral) or size < 0:
            msg = f"size must be a non-negative integer, got {size!r}"
            raise ValueError(msg)
        if self.n_samples > _LARGEST_DRAWN:
            msg = f"rvs draws tables of fewer than 2**31 objects, got {self.n_samples}"
            raise ValueError(msg)
        shape = (int(size), self.row_sums.size, self.col_sums.size)
        if 1 in shape[1:]:
            # There is one such table; SciPy's algorithm of Patefield returns a wrong one.
            only = np.minimum.outer(self.row_sums, self.col_sums)
            return np.broadcast_to(only, shape).copy()
        if 0 in shape:
            return np.zeros(shape, dtype=np.int64)
        tables = random_table.rvs(
            self.row_sums, self.col_sums, size=int(size), random_state=random_state
        )
        return np.asarray(tables).astype(np.int64).reshape(shape)

    def _row_entropy(self, q: float) -> float:
        return _margin_entropy(self._rows, float(self.n_samples), q)

    def _col_entropy(self, q: float) -> float:
        return _margin_entropy(self._cols, float(self.n_samples), q)

    def _sum_of_means(
        self, cell_gain: Callable[[NodeBlock], FloatArray], growth: float = 0.0
    ) -> float:
        """Sum over all cells of the mean of a function of the cell."""
        parts: list[float] = []
        for rows, laws in _pair_chunks(self._rows, self._cols, float(self.n_samples)):
            weight = np.outer(self._rows.multiplicities[rows], self._cols.multiplicities).ravel()
            for block in node_blocks(laws, MEAN_PRECISION, growth):
                means = np.einsum("np,np->p", block.weights, cell_gain(block))
                parts.append(float(np.sum(means * weight[block.pairs])))
        return math.fsum(parts)

    def _expected_disagreement(self) -> Fraction:
        """Mean of VI_2, the share of ordered pairs of objects together in one partition only."""
        if self.n_samples < 2:
            return Fraction(0)
        row_pairs, col_pairs = self._rows.pairs_together(), self._cols.pairs_together()
        both = Fraction(row_pairs * col_pairs, math.perm(self.n_samples, 2))
        return (row_pairs + col_pairs - 2 * both) / Fraction(self.n_samples) ** 2

    def _pair_count_variance(self) -> Fraction:
        """Sum over two pairs of objects which coincide, share one object, or share none."""
        rows, cols, n = self._rows, self._cols, self.n_samples
        square = Fraction(0)
        mean = Fraction(0)
        products = [
            (rows.pairs_together(), cols.pairs_together()),
            (rows.pairs_together(3), cols.pairs_together(3)),
        ]
        (row_pairs, col_pairs), (row_triples, col_triples) = products
        if n >= 2:
            mean = Fraction(row_pairs * col_pairs, math.perm(n, 2))
            square += 2 * mean
        if n >= 3:
            square += Fraction(4 * row_triples * col_triples, math.perm(n, 3))
        if n >= 4:
            row_apart = row_pairs**2 - 2 * row_pairs - 4 * row_triples
            col_apart = col_pairs**2 - 2 * col_pairs - 4 * col_triples
            square += Fraction(row_apart * col_apart, math.perm(n, 4))
        return (square - mean**2) / 4


class _Coupling:
    """The matrices G_k of one margin, a diagonal plus a matrix of rank one, applied implicitly.

    A cluster of more than half of all objects has a huge g_k, of which the rank-one form would
    subtract what it had added: its row is kept apart.
    """

    def __init__(self, margin: _Margin, n_samples: float) -> None:
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


class _SpectralVariance:
    """Variance of MI_q, degree by degree."""

    def __init__(self, rows: _Margin, cols: _Margin, n_samples: float, q: float) -> None:
        self._rows, self._cols, self._n_samples, self._q = rows, cols, n_samples, q
        self._row_coupling = _Coupling(rows, n_samples)
        self._col_coupling = _Coupling(cols, n_samples)

    def total(self) -> float:
        """Sum of all degrees.

        A chunk of rows at a time adds its own part of the quadratic form. What couples it with
        other chunks is, by degree, the combination of rows by g_k and the row of the major cluster.
        """
        parts: list[float] = []
        slopes = np.empty((self._rows.sizes.size, self._cols.sizes.size))
        combined: dict[int, FloatArray] = {}
        major_row: dict[int, FloatArray] = {}
        major = self._row_coupling.major
        for rows, laws in _pair_chunks(self._rows, self._cols, self._n_samples, _CHUNK_PAIRS // 4):
            coefficients, remainder = self._expand(laws)
            shape = slopes[rows].shape
            slopes[rows] = (coefficients[0] / np.sqrt(laws.variance)).reshape(shape)
            row_weight = self._rows.multiplicities[rows]
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
        return max(math.fsum([*parts, self._linear_part(slopes)]), 0.0)

    def _expand(self, laws: PairLaws) -> tuple[list[FloatArray], FloatArray]:
        """Coefficients by degree, and remainders, of the pairs of one chunk."""
        n_pairs = laws.mean.size
        coefficients = [np.zeros(n_pairs)]
        remainder = np.zeros(n_pairs)
        growth = 2.0 * max(self._q - 2.0, 0.0)
        for block in node_blocks(laws, VARIANCE_PRECISION, growth, _VARIANCE_BLOCK_NODES):
            values = _variance_gain(block, self._q)
            by_degree, remainder[block.pairs] = expand(block, values, self._is_done)
            while len(coefficients) < len(by_degree):
                coefficients.append(np.zeros(n_pairs))
            for target, source in zip(coefficients, by_degree, strict=False):
                target[block.pairs] = source
        return coefficients, remainder

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
        slopes = slopes + self._tangent_slopes() / n
        gross = row_share @ (slopes * slopes) @ col_share
        slopes -= row_share @ slopes
        slopes -= (slopes @ col_share)[:, np.newaxis]
        net = row_share @ (slopes * slopes) @ col_share
        # All tables may have the same index, as for sizes 2, 2 and 3, 1: say so, not almost so.
        return float(net) * n * (n / (n - 1.0)) if net > 1e-28 * gross else 0.0

    def _tangent_slopes(self) -> FloatArray:
        """N times the slopes of N^-q phi at mu_ij that cells with tangents lack.

        With e = q - 1 they are q (p_i p_j)^e / e and a constant, or r_i + c_j + k + q e A_i B_j for
        powers A, B relative to the largest share. r_i, c_j and k do not vary in a row, in a column,
        or at all: they are taken from the cells without tangents rather than given to those with
        one, and not at all where a whole row or column has none. They can be large.
        """
        n, q, exponent = self._n_samples, self._q, self._q - 1.0
        without = np.outer(self._rows.sizes, self._cols.sizes) / n <= 1.0
        row_top, col_top = self._rows.sizes[-1] / n, self._cols.sizes[-1] / n
        row_gap, col_gap = (
            _power_gap(sizes / n, top, np.log(sizes / n / top), exponent)
            for sizes, top in ((self._rows.sizes, row_top), (self._cols.sizes, col_top))
        )
        product: FloatArray = q * exponent * np.outer(row_gap, col_gap)
        row_mixed = np.asarray(~without.all(axis=1))[:, np.newaxis]
        col_mixed = np.asarray(~without.all(axis=0))
        top = row_top * col_top
        constant = top**exponent + _power_gap(top, 1.0 / n, np.log(top * n), exponent)
        additive = (q * col_top**exponent * row_gap)[:, np.newaxis] * row_mixed
        additive = additive + q * row_top**exponent * col_gap * col_mixed
        additive += constant * (row_mixed.astype(np.float64) + col_mixed - 1.0)
        return np.where(without, -additive, product) if row_mixed.any() else np.zeros_like(product)


def _pair_chunks(
    rows: _Margin, cols: _Margin, n_samples: float, max_pairs: int = _CHUNK_PAIRS
) -> Iterator[tuple[slice, PairLaws]]:
    """Yield all pairs of distinct sizes, some full rows at a time."""
    step = max(1, max_pairs // max(cols.sizes.size, 1))
    for start in range(0, rows.sizes.size, step):
        part = slice(start, min(start + step, rows.sizes.size))
        row_size = np.repeat(rows.sizes[part], cols.sizes.size)
        col_size = np.tile(cols.sizes, part.stop - part.start)
        yield part, PairLaws.from_sizes(n_samples, row_size, col_size)


def _convex_gain(block: NodeBlock, q: float) -> FloatArray:
    """N^-q f(n): what a cell adds to MI_q beyond its tangent at the mean, non-negative."""
    laws = block.laws
    if q == 1.0:
        return entropy_excess(block.counts, block.deviations, laws.mean) / laws.n_samples
    independent = laws.mean / laws.n_samples
    relative = block.deviations / laws.mean
    near = np.abs(relative) < _SERIES_RADIUS
    if near.all():
        return independent**q * _binomial_tail(relative, q)
    log_ratio = np.log1p(np.maximum(relative, -1.0 + 1e-15))
    share = block.counts / laws.n_samples
    gap = _power_gap(np.maximum(share, 1e-15 * independent), independent, log_ratio, q - 1.0)
    gain = share * gap - independent ** (q - 1.0) * (block.deviations / laws.n_samples)
    series = independent**q * _binomial_tail(np.where(near, relative, 0.0), q)
    return np.where(near, series, gain)


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


def _variation_gain(block: NodeBlock, q: float) -> FloatArray:
    """(n / N)^q ((a / n)^(q-1) + (b / n)^(q-1) - 2) / (q - 1): what a cell adds to VI_q."""
    laws = block.laws
    present = np.maximum(block.counts, 1.0)
    row_excess = (laws.row_size - block.counts) / present
    col_excess = (laws.col_size - block.counts) / present
    share = block.counts / laws.n_samples
    if q == 1.0:
        return share * np.log1p(row_excess + col_excess + row_excess * col_excess)
    base = present / laws.n_samples
    gap = np.zeros_like(share)
    for size, excess in ((laws.row_size, row_excess), (laws.col_size, col_excess)):
        gap += _power_gap(size / laws.n_samples, base, np.log1p(excess), q - 1.0)
    return share * gap


def _variance_gain(block: NodeBlock, q: float) -> FloatArray:
    """N^-q phi(n) of cells of mean 1 or less, N^-q f(n) of larger ones.

    They differ by a linear function. phi is zero at 0 and 1, the only counts of most small cells;
    the tangent would add something large that cancels between cells.
    """
    without = block.laws.mean <= 1.0
    if not without.any():
        return _convex_gain(block, q)
    n = block.laws.n_samples
    present = np.maximum(block.counts, 1.0)
    gap = _power_gap(present / n, 1.0 / n, np.log(present), q - 1.0)
    raw = block.counts / n * gap
    return raw if without.all() else np.where(without, raw, _convex_gain(block, q))


def _power_gap(
    value: FloatArray, base: FloatArray | float, log_ratio: FloatArray, exponent: float
) -> FloatArray:
    """(value^e - base^e) / e, given ln(value / base); nothing cancels or overflows."""
    if exponent == 0.0:
        return log_ratio
    larger = np.maximum(value, base) if exponent > 0.0 else np.minimum(value, base)
    size = abs(exponent)
    ratio_gap = np.copysign(np.expm1(-size * np.abs(log_ratio)) / size, log_ratio)
    result: FloatArray = larger**exponent * ratio_gap
    return result


def _margin_entropy(margin: _Margin, n_samples: float, q: float) -> float:
    """H_q of the cluster sizes, without cancellation also where one cluster holds nearly all."""
    share = margin.sizes / max(n_samples, 1.0)
    rest = np.minimum(n_samples - margin.sizes, n_samples / 2.0) / max(n_samples, 1.0)
    log_share = np.where(share < 0.5, np.log(share), np.log1p(-rest))
    gap = _power_gap(np.ones_like(share), share, -log_share, q - 1.0)
    return float(np.sum(share * gap * margin.multiplicities))


def _check_order(q: float) -> float:
    if isinstance(q, bool) or not isinstance(q, numbers.Real):
        msg = f"q must be a positive finite number, got {q!r}"
        raise TypeError(msg)
    if not 0.0 < q < math.inf:
        msg = f"q must be a positive finite number, got {q!r}"
        raise ValueError(msg)
    return float(q)


def _check_method(method: str) -> str:
    if method not in ("exact", "limit"):
        msg = f"method must be 'exact' or 'limit', got {method!r}"
        raise ValueError(msg)
    return method


def _check_margin(sums: ArrayLike, name: str) -> tuple[NDArray[np.int64], int]:
    """Positive whole cluster sizes as a read-only array, and their total."""
    values = np.asarray(sums)
    if values.ndim != 1:
        msg = f"{name} must be one-dimensional, got an array of shape {values.shape}"
        raise ValueError(msg)
    if values.size == 0:
        values = values.astype(np.int64)
    if values.dtype.kind not in "iuf":
        msg = f"{name} must hold whole counts, got values of type {values.dtype}"
        raise TypeError(msg)
    if values.dtype.kind == "f" and not np.all(np.isfinite(values) & (values == np.floor(values))):
        first = values[~(np.isfinite(values) & (values == np.floor(values)))][0]
        msg = (
            f"{name} must hold whole counts, got {first}: the hypergeometric model counts objects. "
            "For weighted or soft tables estimate moments by Monte Carlo, permuting the objects"
        )
        raise ValueError(msg)
    if np.any(values < 0):
        msg = f"{name} must not be negative, got {values.min()}"
        raise ValueError(msg)
    total = sum(values.tolist())
    if total > _LARGEST_EXACT:
        msg = f"{name} must sum to at most 2**53, got {total}"
        raise ValueError(msg)
    positive: NDArray[np.int64] = values[values > 0].astype(np.int64)
    positive.setflags(write=False)
    return positive, int(total)
