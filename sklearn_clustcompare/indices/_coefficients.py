"""Coefficients of association for 2 x 2 tables, applied to pairs of objects.

The letters are the customary ones: a = n11, b = n10, c = n01, d = n00. Sums are grouped so that
swapping b and c changes no bit. The collection is that of Albatineh, Niewiadomska-Bugaj & Mihalko
(2006), without those that have their own functions.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from sklearn_clustcompare._numerics import TIE
from sklearn_clustcompare._table.margins import Margins, SquareSums
from sklearn_clustcompare.indices._pairs import Pairs, check_frequencies, count_joined_pairs
from sklearn_clustcompare.indices._undefined import ratio


def hamann(a: Any, b: Any, c: Any, d: Any) -> float:
    return (a + d - (b + c)) / (a + d + (b + c))


def czekanowski(a: Any, b: Any, c: Any, d: Any) -> float:
    return 2 * a / (2 * a + (b + c))


def kulczynski(a: Any, b: Any, c: Any, d: Any) -> float:
    return (a / (a + b) + a / (a + c)) / 2


def mcconnaughey(a: Any, b: Any, c: Any, d: Any) -> float:
    return (a * a - b * c) / ((a + b) * (a + c))


def peirce(a: Any, b: Any, c: Any, d: Any) -> float:
    return (a * d - b * c) / ((a + b) * (c + d))


def gamma(a: Any, b: Any, c: Any, d: Any) -> float:
    # The geometric mean of the two Peirce coefficients: exactly 1 for equal partitions.
    size = math.sqrt(peirce(a, b, c, d) * peirce(a, c, b, d))
    return math.copysign(size, a * d - b * c)


def sokal_sneath_1(a: Any, b: Any, c: Any, d: Any) -> float:
    return ((a / (a + b) + a / (a + c)) + (d / (b + d) + d / (c + d))) / 4


def sokal_sneath_2(a: Any, b: Any, c: Any, d: Any) -> float:
    return a / (a + 2 * (b + c))


def sokal_sneath_3(a: Any, b: Any, c: Any, d: Any) -> float:
    return math.sqrt(a * d / ((a + b) * (c + d)) * (a * d / ((a + c) * (b + d))))


def baulieu_1(a: Any, b: Any, c: Any, d: Any) -> float:
    total = a + d + (b + c)
    return (total * (a + d) + (b - c) ** 2) / total**2


def baulieu_2(a: Any, b: Any, c: Any, d: Any) -> float:
    return (a * d - b * c) / (a + d + (b + c)) ** 2


def russell_rao(a: Any, b: Any, c: Any, d: Any) -> float:
    return a / (a + d + (b + c))


def rogers_tanimoto(a: Any, b: Any, c: Any, d: Any) -> float:
    return (a + d) / (a + d + 2 * (b + c))


def gower_legendre(a: Any, b: Any, c: Any, d: Any) -> float:
    return 2 * (a + d) / (2 * (a + d) + (b + c))


def goodman_kruskal(a: Any, b: Any, c: Any, d: Any) -> float:
    return (a * d - b * c) / (a * d + b * c)


def pearson(a: Any, b: Any, c: Any, d: Any) -> float:
    return (a * d - b * c) / ((a + b) * (c + d) * ((a + c) * (b + d)))


def fager_mcgowan(a: Any, b: Any, c: Any, d: Any) -> float:
    # a / sqrt((a + b) (a + c)) - 1 / (2 sqrt(a + b)), which may be close to 0.
    root = _root(a + c)
    return (4 * a * a - (a + c)) / (2 * _root((a + b) * (a + c)) * (2 * a + root))


def _root(number: Any) -> Any:
    """Return the square root; of a fraction with 30 digits, for differences of coefficients."""
    if not isinstance(number, Fraction):
        return math.sqrt(number)
    scale = 2 ** max(200 - number.numerator.bit_length() + number.denominator.bit_length(), 0)
    return Fraction(math.isqrt(int(number * scale**2)), scale)


# Linear in n11 when the margins are given, hence exactly adjustable for chance.
LINEAR = (
    hamann,
    czekanowski,
    kulczynski,
    mcconnaughey,
    peirce,
    gamma,
    sokal_sneath_1,
    baulieu_1,
    baulieu_2,
    russell_rao,
    pearson,
    fager_mcgowan,
)
_OTHERS = (sokal_sneath_2, sokal_sneath_3, rogers_tanimoto, gower_legendre, goodman_kruskal)

COEFFICIENTS = {function.__name__: function for function in (*LINEAR, *_OTHERS)}


def pair_counting(
    squares: SquareSums,
    margins: Margins,
    *,
    coefficient: str = "hamann",
    adjusted: bool = False,
) -> float:
    function = COEFFICIENTS[coefficient]
    if adjusted and function not in LINEAR:
        msg = (
            f"adjusted must be False for coefficient={coefficient!r}: only coefficients linear "
            f"in the number of pairs joined by both partitions have an exact adjustment "
            f"({', '.join(linear.__name__ for linear in LINEAR)})"
        )
        raise ValueError(msg)
    pairs = count_joined_pairs(squares, margins)
    if adjusted and isinstance(pairs.both, int):
        # Exact up to the last division, like the coefficients.
        pairs = Pairs(*map(Fraction, pairs))
    try:
        value = function(*pairs)
        # Beyond 1 only where fewer than one pair is together, or apart, as of no objects.
        check_frequencies(abs(value) <= 1 + TIE, margins.n_samples, margins.soft)
        if not adjusted:
            return value
        expected = function(*_expected_pairs(pairs))
    except ZeroDivisionError:
        return ratio(0, 0, margins, f"pair_counting_score(coefficient={coefficient!r})")
    return ratio(
        value - expected, 1 - expected, margins, f"adjusted pair_counting_score ({coefficient})"
    )


def _expected_pairs(pairs: Pairs) -> Pairs:
    both = pairs.true * pairs.pred / pairs.total
    neither = pairs.total - (pairs.true + pairs.pred) + both
    return Pairs(both, pairs.true - both, pairs.pred - both, neither)
