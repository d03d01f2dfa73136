"""Indices of soft partitions that need more than the cells: moments of the memberships."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sklearn_clustcompare._chance.objects import SquareSumMoments, square_sum_moments
from sklearn_clustcompare._partition.memberships import MembershipMoments
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


class _Scale(NamedTuple):
    """Scaling of a similarity matrix A = U U^T such that <A', A'> is the sum of its entries."""

    factor: float
    total: float


def _frobenius_scale(moments: MembershipMoments) -> _Scale:
    total = float(moments.sizes @ moments.sizes)
    square = float(moments.gram.power(2).sum())
    factor = total / square if square else 0.0
    return _Scale(factor, factor * total)


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
    if margins.soft is None:
        return adjusted_rand(squares, margins)
    true, pred = _moments_of_sides(margins.soft)
    first, second = _frobenius_scale(true), _frobenius_scale(pred)
    scale = first.factor * second.factor
    observed = float(squares.cells)
    if margins.soft.mass is not None:
        observed *= (margins.soft.mass / margins.n_samples) ** 2
    expected = square_sum_moments(true, pred, margins.n_samples).mean
    most = (first.total + second.total) / 2
    room = most - scale * expected
    if room <= _ROUNDING * most:  # the similarities are the same for every permutation
        return 1.0
    return min(scale * (observed - expected) / room, 1.0)
