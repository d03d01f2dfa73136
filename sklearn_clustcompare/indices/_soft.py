"""Indices of soft partitions that need more than the cells: moments of the memberships."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from sklearn_clustcompare._chance.objects import SquareSumMoments, square_sum_moments
from sklearn_clustcompare._numerics import FloatArray, ordered_sum
from sklearn_clustcompare._partition.memberships import MembershipMoments
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare._table.counts import Margins, SquareSums
from sklearn_clustcompare._table.overlap import SoftSides
from sklearn_clustcompare.indices._index import index
from sklearn_clustcompare.indices._pairs import adjusted_rand
from sklearn_clustcompare.indices._terms import OF_PAIRS

# A relative difference below this is due to rounding.
_ROUNDING = 1e-13


def is_possibilistic(margins: Margins) -> bool:
    return margins.soft is not None and margins.soft.mass is not None


def has_moments(margins: Margins) -> bool:
    """Return whether the moments of a table of memberships were kept."""
    return margins.soft is None or (margins.soft.true is not None and margins.soft.pred is not None)


def permuted_square_sum(margins: Margins) -> SquareSumMoments:
    """Return mean and variance of the sum of squared cells over permutations of the objects."""
    if is_possibilistic(margins):
        msg = (
            "possibilistic partitions must be adjusted for chance by Monte Carlo, because their "
            "cluster sizes change under permutation: use chance_adjusted_score with "
            "method='monte_carlo'"
        )
        raise ValueError(msg)
    if margins.soft is None:
        true, pred = (
            MembershipMoments.of_sizes(np.arange(len(sums)), sums)
            for sums in (margins.row_sums, margins.col_sums)
        )
    else:
        true, pred = _moments_of_sides(margins.soft)
    return square_sum_moments(true, pred, margins.n_samples)


def _moments_of_sides(soft: SoftSides) -> tuple[MembershipMoments, MembershipMoments]:
    if soft.true is None or soft.pred is None:
        msg = (
            "the table must hold the moments of the memberships for this index: make it with "
            "ContingencyTable.from_memberships(..., moments=True)"
        )
        raise ValueError(msg)
    return soft.true, soft.pred


class _Side(NamedTuple):
    """Mean memberships m of one side, and how far single ones are from them."""

    size: float  # |m|^2
    spread: float  # how far m is from uniform memberships, as a share of that
    trace: float  # sum of the squared memberships, less their means
    beyond: float  # of U'U, see ``_beyond_means``; as a share of |n m m'|^2

    @classmethod
    def of(cls, moments: MembershipMoments, n: float, *, are_shares: bool) -> _Side:
        mean = moments.sizes / n
        shift = _shift(mean) if are_shares else mean
        size = float(mean @ mean)
        gram = sparse.coo_array(moments.gram)
        beyond = _beyond_means(gram.data, (gram.row, gram.col), (mean, mean), (shift, shift), n)
        trace = float((moments.gram.diagonal() - n * mean * mean).sum())
        return cls(size, float(shift @ shift) / size, trace, beyond / (n * size) ** 2)


def _shift(mean: FloatArray) -> FloatArray:
    """Subtract a constant: deviations of memberships that sum to 1 have the product 0 with it."""
    return mean - mean.mean()


def _beyond_means(
    sums: FloatArray,
    places: Sequence[NDArray[Any]],
    means: Sequence[FloatArray],
    shifts: Sequence[FloatArray],
    n: float,
) -> float:
    """Return the sum of squares of a matrix U'V beyond that of n m_u m_v'.

    It is 2 n m_u'(X'Y) m_v + |X'Y|^2, with the memberships X and Y less their means: small terms
    where memberships are nearly uniform, which are lost in a difference of the two sums.
    """
    mean, shift = (first[places[0]] * second[places[1]] for first, second in (means, shifts))
    off = sums - n * mean
    linear, square = ordered_sum(off * shift), ordered_sum(off * off)
    if len(sums) < len(means[0]) * len(means[1]):  # the other entries are 0
        products = [float(one @ other) for one, other in zip(means, shifts, strict=True)]
        linear -= n * (products[0] * products[1] - ordered_sum(mean * shift))
        sizes = [float(one @ one) for one in means]
        square += n * n * (sizes[0] * sizes[1] - ordered_sum(mean * mean))
    return float(2 * n * linear + square)


@index(
    short_names=("fari",),
    linear_in="pairs",
    moments=True,
    source="Andrews, Browne & Hvingelby (2022)",
    **OF_PAIRS,
)
def frobenius_adjusted_rand_score(squares: SquareSums, margins: Margins) -> float:
    """Adjusted Rand index (FARI) that is 1 for a soft partition against itself.

    It compares how strongly each pair of objects belongs together, which follows from the
    memberships, instead of counting the objects that two clusters are expected to share. Use it to
    test whether two soft partitions are the same; for labels it equals :func:`adjusted_rand_score`.

    Returns
    -------
    float
        At most 1, and 1.0 for equal partitions; 0 on average over permutations of the objects; at
        least -0.5 for labels. Higher is better.

    See Also
    --------
    adjusted_rand_score : For soft partitions the index ARI_s of the expected table.
    soft_self_agreement : Value of other indices for a soft partition against itself, below 1.

    Notes
    -----
    With the similarities A = U U^T and B = V V^T of all pairs of objects, scaled to A' and B' such
    that <A', A'> = sum(A'), this is (<A', B'> - E) / ((sum(A') + sum(B')) / 2 - E), where E is the
    mean of <A', B'> over all permutations of the objects of one side. No matrix of pairs is formed:
    all sums come from U^T U, V^T V and U^T V, in O(n k^2).

    References
    ----------
    .. [1] J. L. Andrews, R. Browne, C. D. Hvingelby, "On assessments of agreement between fuzzy
       partitions", Journal of Classification 39, 2022, :doi:`10.1007/s00357-021-09407-3`

    Examples
    --------
    >>> from sklearn_clustcompare import adjusted_rand_score, frobenius_adjusted_rand_score
    >>> memberships = [[0.9, 0.1], [0.8, 0.2], [0.7, 0.3], [0.2, 0.8], [0.1, 0.9], [0.1, 0.9]]
    >>> round(frobenius_adjusted_rand_score(memberships, memberships), 3)
    1.0
    >>> round(adjusted_rand_score(memberships, memberships), 3)
    0.024
    >>> round(frobenius_adjusted_rand_score([0, 0, 0, 1, 1, 1], memberships), 3)
    0.679
    """
    # 2 (d - e) / (r + s - 2 e): d, r and s are what the squares of U'V, U'U and V'V are beyond
    # those of the means, as shares of these, and e is the mean of d. All are small where
    # memberships are nearly uniform.
    if margins.soft is None:
        return adjusted_rand(squares, margins)
    moments, n, mass = _moments_of_sides(margins.soft), float(margins.n_samples), margins.soft.mass
    if not n:
        return 1.0
    true, pred = (_Side.of(one, n, are_shares=mass is None) for one in moments)
    of_means = n * n * true.size * pred.size
    # Not of the sums of cells, which rows that sum to nearly 1 have changed.
    means = [one.sizes[one.sizes > 0] / n for one in moments]
    if mass is not None:
        beyond = squares.cells * (mass / n) ** 2 - of_means
    elif isinstance(margins, ContingencyTable) and margins.shape == (len(means[0]), len(means[1])):
        places = margins.cell_rows, margins.cell_cols
        shifts = _shift(means[0]), _shift(means[1])
        beyond = _beyond_means(margins.cell_counts, places, means, shifts, n)
        beyond += squares.cells - margins.square_sums.cells
    else:
        beyond = squares.cells - of_means
    expected = true.trace * pred.trace / (n - 1) / of_means if n > 1 else 0.0
    room = true.beyond + pred.beyond - 2 * expected
    of_rounding = true.beyond + pred.beyond + true.spread + pred.spread + _ROUNDING
    if room <= _ROUNDING * of_rounding:  # the similarities are the same for every permutation
        return 1.0
    return min(2 * (beyond / of_means - expected) / room, 1.0)
