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
from sklearn_clustcompare._parameters import boolean, one_of
from sklearn_clustcompare._table.counts import Margins, SquareSums
from sklearn_clustcompare.indices._index import index
from sklearn_clustcompare.indices._pairs import Pairs, check_frequencies, count_joined_pairs
from sklearn_clustcompare.indices._terms import OF_PAIRS, UNIT, Properties
from sklearn_clustcompare.indices._undefined import ratio

_ALBATINEH = "Albatineh, Niewiadomska-Bugaj & Mihalko (2006)"


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


# Of the coefficients for pairs: those from 0 to 1 (others from -1), those that tell reference and
# candidate apart, and those that compare n11 n00 with n10 n01, whose mean is 0 without adjustment.
_SHARES = (
    *("czekanowski", "kulczynski", "sokal_sneath_1", "sokal_sneath_2", "sokal_sneath_3"),
    *("baulieu_1", "russell_rao", "rogers_tanimoto", "gower_legendre"),
)


_ASYMMETRIC = ("peirce", "fager_mcgowan")


_CENTERED = ("peirce", "gamma", "baulieu_2", "pearson")


def coefficient_properties(*, coefficient: str = "hamann", adjusted: bool = False) -> Properties:
    known: Properties = {
        "symmetric": coefficient not in _ASYMMETRIC,
        "adjusted": adjusted or coefficient in _CENTERED,
        "linear_in_pair_counts": not adjusted and coefficient in ("hamann", "russell_rao"),
    }
    if COEFFICIENTS[coefficient] not in LINEAR:
        known["linear_in"] = None
    if adjusted or coefficient in _SHARES:
        known["range"] = (-math.inf, 1.0) if adjusted else UNIT
    return known


@index(
    linear_in="pairs",
    ordered_by="pairs",
    linear_in_pair_counts=True,
    parameters={"coefficient": one_of(*COEFFICIENTS), "adjusted": boolean},
    by_parameters=coefficient_properties,
    source=_ALBATINEH,
    **OF_PAIRS,
)
def pair_counting_score(
    squares: SquareSums,
    margins: Margins,
    *,
    coefficient: str = "hamann",
    adjusted: bool = False,
) -> float:
    """Coefficient of association of the 2 x 2 table of pairs of objects.

    The classical coefficients for two binary variables, applied to pairs: whether the reference
    joins a pair, and whether the candidate does. Meant for comparison with published values and for
    studies of indices; many are equivalent once adjusted for chance.

    Parameters
    ----------
    coefficient : str, default="hamann"
        Name of the coefficient, one of those in the table of the Notes.
    adjusted : bool, default=False
        Adjust for chance: (value - E) / (1 - E), with E the exact mean when objects are permuted.
        Available for coefficients that are linear in n11 for given cluster sizes.

    Returns
    -------
    float
        Within [-1, 1], many in [0, 1]; 0 on average by chance if adjusted. Higher is better.

    See Also
    --------
    pair_confusion_matrix : The four numbers.
    rand_score : The formula (a + d) / T.
    pair_jaccard_score : The formula a / (a + b + c).
    fowlkes_mallows_score : The formula a / sqrt((a + b)(a + c)).

    Notes
    -----
    The letters are a = n11, b = n10, c = n01, d = n00 (see :func:`pair_confusion_matrix`), T = a +
    b + c + d and D = ad - bc.

    ====================  =====================================================  ==========
    ``coefficient``       formula                                                adjustable
    ====================  =====================================================  ==========
    "hamann"              (a + d - b - c) / T                                    yes
    "czekanowski"         2a / (2a + b + c)                                      yes
    "kulczynski"          (a/(a + b) + a/(a + c)) / 2                            yes
    "mcconnaughey"        (a^2 - bc) / ((a + b)(a + c))                          yes
    "peirce"              D / ((a + b)(c + d))                                   yes
    "gamma"               D / sqrt((a + b)(c + d)(a + c)(b + d))                 yes
    "sokal_sneath_1"      (a/(a + b) + a/(a + c) + d/(b + d) + d/(c + d)) / 4    yes
    "baulieu_1"           (T(a + d) + (b - c)^2) / T^2                           yes
    "baulieu_2"           D / T^2                                                yes
    "russell_rao"         a / T                                                  yes
    "pearson"             D / ((a + b)(c + d)(a + c)(b + d))                     yes
    "fager_mcgowan"       a / sqrt((a + b)(a + c)) - 1 / (2 sqrt(a + b))         yes
    "sokal_sneath_2"      a / (a + 2(b + c))                                     no
    "sokal_sneath_3"      ad / sqrt((a + b)(c + d)(a + c)(b + d))                no
    "rogers_tanimoto"     (a + d) / (a + d + 2(b + c))                           no
    "gower_legendre"      2(a + d) / (2(a + d) + b + c)                          no
    "goodman_kruskal"     D / (ad + bc)                                          no
    ====================  =====================================================  ==========

    "peirce" and "fager_mcgowan" are not symmetric in the two partitions. "baulieu_2",
    "russell_rao", "pearson" and "fager_mcgowan" stay below 1 for equal partitions, in general also
    when adjusted.

    If a formula is 0/0, equal partitions score 1.0; others are set to 0.0 with an
    :class:`~sklearn.exceptions.UndefinedMetricWarning`.

    References
    ----------
    .. [1] A. N. Albatineh, M. Niewiadomska-Bugaj, D. Mihalko, "On similarity indices and correction
       for chance agreement", Journal of Classification 23, 2006, :doi:`10.1007/s00357-006-0017-z`

    Examples
    --------
    >>> from sklearn_clustcompare import adjusted_rand_score, pair_counting_score
    >>> y, labels = list("aaabbb"), [1, 1, 2, 2, 3, 3]
    >>> round(pair_counting_score(y, labels), 3)
    0.333
    >>> round(pair_counting_score(y, labels, coefficient="czekanowski", adjusted=True), 3)
    0.242
    >>> round(adjusted_rand_score(y, labels), 3)
    0.242
    """
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
