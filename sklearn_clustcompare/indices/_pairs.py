"""Indices that count pairs of objects.

With whole counts all operations before the last division use Python's unbounded integers: nothing
overflows or rounds, however many objects there are.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare import _kernels
from sklearn_clustcompare._numerics import TIE, FloatArray, ordered_sum
from sklearn_clustcompare._table.cell_sums import CellSum, Squares
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare._table.counts import Margins, SquareSums
from sklearn_clustcompare._table.overlap import SoftSides
from sklearn_clustcompare.indices._undefined import ratio

# Of all partitions, the adjusted Rand index has no lower value; see :func:`adjusted_rand_score`.
LOWEST_AGREEMENT = -0.5


class Pairs(NamedTuple):
    """Numbers of unordered pairs of objects, by whether the pair is kept together.

    ``both`` is n11, ``true_only`` n10, ``pred_only`` n01 and ``neither`` n00; ints for whole
    counts, else floats from n(n - 1)/2 with real n.
    """

    both: Any
    true_only: Any
    pred_only: Any
    neither: Any

    @property
    def true(self) -> Any:
        return self.both + self.true_only

    @property
    def pred(self) -> Any:
        return self.both + self.pred_only

    @property
    def total(self) -> Any:
        return (self.both + self.neither) + (self.true_only + self.pred_only)


def count_pairs(squares: SquareSums, margins: Margins) -> Pairs:
    """Count pairs of all kinds; raise ValueError if weights are too small to be frequencies."""
    n = margins.n_samples
    cells, rows, cols = squares
    if isinstance(cells, int):
        neither = n * n - rows - cols + cells
        return Pairs((cells - n) // 2, (rows - cells) // 2, (cols - cells) // 2, neither // 2)
    both, true_only, pred_only = (cells - n) / 2, (rows - cells) / 2, (cols - cells) / 2
    if abs(both) <= TIE * n:
        both = 0.0
    # Differences of rounded sums may fall slightly below zero; this one is 0 beside one cluster.
    neither = max(((n * n - rows) - (cols - cells)) / 2, 0.0)
    pairs = Pairs(both, max(true_only, 0.0), max(pred_only, 0.0), neither)
    if margins.soft is not None:
        check_frequencies(min(pairs.true, pairs.pred) >= 0, n, margins.soft)
    elif not margins.is_whole:  # of whole counts these are means, which no objects need to have
        check_frequencies(both >= 0 and _agreement(pairs) >= LOWEST_AGREEMENT, n)
    return pairs


def count_joined_pairs(squares: SquareSums, margins: Margins) -> Pairs:
    """Count pairs for an index that is a share of those together in both partitions.

    Others are defined for soft clusters that hardly overlap as well.
    """
    pairs = count_pairs(squares, margins)
    if margins.soft is not None:
        check_frequencies(pairs.both >= 0, margins.n_samples, margins.soft)
    return pairs


def _agreement(pairs: Pairs) -> float:
    """Return the adjusted Rand index, 1 where it is undefined."""
    both, true_only, pred_only, neither = pairs
    most = pairs.true * (true_only + neither) + pairs.pred * (pred_only + neither)
    return 2 * (both * neither - true_only * pred_only) / most if most > 0 else 1.0


def check_frequencies(are_possible: bool, n_samples: float, soft: SoftSides | None = None) -> None:
    """Raise ValueError if no objects can have numbers of pairs, since a cell holds less than one.

    The pairs of n objects are n(n - 1)/2, also for n that is no whole number: fewer than none for
    n < 1.
    """
    if are_possible:
        return
    if soft is None:
        msg = (
            "sample_weight must be frequencies, the number of objects that each one stands for, "
            f"where pairs are counted: with these weights, which add up to {n_samples:g}, objects "
            "of equal labels would have fewer than no pairs; scale them to the number of objects "
            "they represent, or use an index of information or set matching"
        )
    else:
        msg = (
            "pairs of objects can be counted only if soft clusters overlap by more than about one "
            f"object: with these {n_samples:g} objects the number of pairs would be negative; use "
            "frobenius_adjusted_rand_score, or an index of information or set matching"
        )
    raise ValueError(msg)


# --------------------------------------------------------------------------- named indices


def rand(squares: SquareSums, margins: Margins) -> float:
    pairs = count_pairs(squares, margins)
    return ratio(pairs.both + pairs.neither, pairs.total, margins, "rand_score")


def adjusted_rand(squares: SquareSums, margins: Margins) -> float:
    both, true_only, pred_only, neither = pairs = count_pairs(squares, margins)
    if margins.is_identity:
        return 1.0
    agreement = 2 * (both * neither - true_only * pred_only)
    most = pairs.true * (true_only + neither) + pairs.pred * (pred_only + neither)
    return ratio(agreement, most, margins, "adjusted_rand_score")


def fowlkes_mallows(squares: SquareSums, margins: Margins) -> float:
    pairs = count_joined_pairs(squares, margins)
    if margins.is_identity:
        return 1.0
    if not pairs.both:  # also if one side has singletons only, without pairs to find
        return 0.0
    return math.sqrt((pairs.both / pairs.true) * (pairs.both / pairs.pred))


def pair_jaccard(squares: SquareSums, margins: Margins) -> float:
    pairs = count_joined_pairs(squares, margins)
    return ratio(pairs.both, pairs.true + pairs.pred_only, margins, "pair_jaccard_score")


def pair_precision(squares: SquareSums, margins: Margins) -> float:
    pairs = count_joined_pairs(squares, margins)
    return ratio(pairs.both, pairs.pred, margins, "pair_precision_score")


def pair_recall(squares: SquareSums, margins: Margins) -> float:
    pairs = count_joined_pairs(squares, margins)
    return ratio(pairs.both, pairs.true, margins, "pair_recall_score")


def pair_f(squares: SquareSums, margins: Margins, *, beta: float = 1.0) -> float:
    pairs = count_joined_pairs(squares, margins)
    if margins.is_identity:
        return 1.0
    weight = Fraction(beta) ** 2 if isinstance(pairs.both, int) else beta * beta
    most = weight * pairs.true + pairs.pred
    return ratio((1 + weight) * pairs.both, most, margins, "pair_f_score")


def adjusted_wallace(squares: SquareSums, margins: Margins, *, given: str = "true") -> float:
    both, true_only, pred_only, neither = count_pairs(squares, margins)
    apart = true_only if given == "true" else pred_only
    # In this form rounding does not lead beyond 1.
    return ratio(
        both * neither - true_only * pred_only,
        (both + apart) * (neither + apart),
        margins,
        "adjusted_wallace_score",
    )


def mirkin(squares: SquareSums, margins: Margins, *, normalize: bool = False) -> float:
    pairs = count_pairs(squares, margins)
    distance = 2 * (pairs.true_only + pairs.pred_only)
    if not normalize:
        return distance
    n = margins.n_samples
    return distance / (n * n) if n else 0.0


def partition_difference(squares: SquareSums, margins: Margins) -> float:
    return count_pairs(squares, margins).neither


def correlation_distance(squares: SquareSums, margins: Margins) -> float:
    a, b, c, d = count_joined_pairs(squares, margins)
    if margins.is_identity:
        return 0.0
    size = ((a + b) * (c + d)) * ((a + c) * (b + d))
    covariance = a * d - b * c
    if not size:
        return math.acos(ratio(0, 0, margins, "correlation_distance: the correlation")) / math.pi
    # Also by the sine: near equality the cosine alone loses half of the digits.
    rest = max(size - covariance * covariance, 0)
    return math.atan2(math.sqrt(rest), covariance) / math.pi


def projection_distance(table: ContingencyTable) -> float:
    rows, cols = table.row_sums[table.cell_rows], table.col_sums[table.cell_cols]
    outside = np.maximum(rows - table.cell_counts, 0) + np.maximum(cols - table.cell_counts, 0)
    # R + C - 2 sum n^2 / (a b) as a sum of terms that are not negative.
    terms = table.cell_counts / np.minimum(rows, cols) * (outside / np.maximum(rows, cols))
    return math.sqrt(ordered_sum(terms))


def _product(a: FloatArray, b: FloatArray) -> FloatArray:
    return a * b


OVER_BOTH = CellSum(Squares(_product), smooth=True)


def chi_squared(table: ContingencyTable) -> float:
    expected, deviations = table.expected_cells
    return ordered_sum(deviations * (deviations / expected)) + expected_of_empty_cells(table)


def chi_squared_of(total: float, margins: Margins) -> float:
    """Return the statistic at another value of the sum of squares over both sizes."""
    return float(margins.n_samples * (total - 1.0))


def expected_of_empty_cells(table: ContingencyTable) -> float:
    """Return the sum of a_i b_j / N over the cells without objects."""
    return _kernels.expected_of_empty_cells(
        table.cell_rows, table.cell_cols, table.row_sums, table.col_sums, table.expected_cells[0]
    )


def pair_confusion(table: ContingencyTable) -> NDArray[Any]:
    """Return ordered pairs as [[n00, n01], [n10, n11]] times 2."""
    pairs = count_pairs(table.square_sums, table)
    ordered = [
        [2 * pairs.neither, 2 * pairs.pred_only],
        [2 * pairs.true_only, 2 * pairs.both],
    ]
    fits = table.is_whole and 2 * pairs.total < 2**63
    return np.array(ordered, dtype=np.int64 if fits else np.float64)
