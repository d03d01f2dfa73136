"""The null model of soft partitions: the objects of one side are permuted.

The sum of squared cells is Mantel's statistic, sum_kl (U U^T)_kl (V V^T)_s(k)s(l), whose first two
moments over all permutations s need a few sums over the objects of each side only. With the mean
memberships m_u and m_v subtracted, U = 1 m_u^T + X and V = 1 m_v^T + Y, it is the sum of

    n^2 |m_u|^2 |m_v|^2  +  2 n sum_k (X m_u)_k (Y m_v)_s(k)  +  |X^T Y_s|^2

a constant, a sum of products, and Mantel's statistic of matrices whose rows sum to zero. The
variance therefore needs no subtraction of large terms.
"""

from __future__ import annotations

from typing import NamedTuple

from sklearn_clustcompare._partition.memberships import MembershipMoments

# Memberships with a smaller relative variation between objects are treated as equal.
_ROUNDING = 1e-13


class SquareSumMoments(NamedTuple):
    """Mean and variance of ``sum n_ij^2`` under permutation of the objects of one side."""

    mean: float
    variance: float


class _Side(NamedTuple):
    """Sums over the objects of one side, with x_k the memberships of k less their mean m."""

    mean_square: float  # |m|^2
    trace: float  # sum |x_k|^2
    frobenius: float  # |X^T X|^2
    fourth: float  # sum |x_k|^4
    linear: float  # sum (x_k m)^2
    mixed: float  # sum (x_k m) |x_k|^2


def square_sum_moments(
    true: MembershipMoments, pred: MembershipMoments, n_samples: float
) -> SquareSumMoments:
    """Return the moments of the sum of squared cells, exact for any memberships.

    N. Mantel, "The detection of disease clustering and a generalized regression approach",
    Cancer Research 27, 1967, gives them for matrices in general.
    """
    n = float(n_samples)
    u, v = _centered(true, n), _centered(pred, n)
    constant = n * n * u.mean_square * v.mean_square
    if n <= 1:
        return SquareSumMoments(constant, 0.0)
    diagonal = u.trace * v.trace / n
    mean_quadratic = n / (n - 1) * diagonal
    variance = 4 * n * n * u.linear * v.linear / (n - 1)
    if n > 2:
        variance += 4 * n * n / ((n - 1) * (n - 2)) * u.mixed * v.mixed
    variance += _variance_of_quadratic(u, v, n)
    return SquareSumMoments(constant + mean_quadratic, max(variance, 0.0))


def _variance_of_quadratic(u: _Side, v: _Side, n: float) -> float:
    """Return the variance of |X^T Y_s|^2, from the products of distinct and equal objects."""
    diagonal = (u.fourth - u.trace**2 / n) * (v.fourth - v.trace**2 / n) / (n - 1)
    diagonal += (u.trace * v.trace / n) ** 2
    # Off the diagonal, rows of X X^T sum to minus its diagonal.
    pairs = (u.frobenius - u.fourth) * (v.frobenius - v.fourth)
    square = 2 * pairs / (n * (n - 1))
    both = 2 * u.fourth * v.fourth / (n * (n - 1))
    if n > 2:
        triples = n * (n - 1) * (n - 2)
        square += 4 * _three(u) * _three(v) / triples
        both += (2 * u.fourth - u.trace**2) * (2 * v.fourth - v.trace**2) / triples
    if n > 3:
        square += _four(u) * _four(v) / (triples * (n - 3))
    mean = u.trace * v.trace / (n - 1)
    return diagonal + 2 * both + square - mean**2


def _three(side: _Side) -> float:
    """Sum of the products of two entries of X X^T in one row, of three different objects."""
    return 2 * side.fourth - side.frobenius


def _four(side: _Side) -> float:
    """Sum of the products of two entries of X X^T, of four different objects."""
    return side.trace**2 - 4 * _three(side) - 2 * (side.frobenius - side.fourth)


def _centered(moments: MembershipMoments, n: float) -> _Side:
    mean = moments.sizes / n if n else moments.sizes
    square = float(mean @ mean)
    spread = float(mean @ (moments.gram @ mean))
    trace = float(moments.gram.trace())
    if trace - n * square <= _ROUNDING * trace:
        return _Side(square, 0.0, 0.0, 0.0, 0.0, 0.0)
    cubes = float(moments.cubes @ mean)
    frobenius = float(moments.gram.power(2).sum())
    return _Side(
        mean_square=square,
        trace=trace - n * square,
        frobenius=frobenius - 2 * n * spread + (n * square) ** 2,
        fourth=(moments.fourth - 4 * (cubes - spread) + 2 * square * trace - 3 * n * square**2),
        linear=spread - n * square**2,
        mixed=cubes - 2 * spread - square * trace + 2 * n * square**2,
    )
