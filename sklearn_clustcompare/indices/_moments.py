"""Mean and standard deviation of an index under permutation, where both are exact.

Given the cluster sizes, many indices are linear in T, the number of pairs together in both
partitions or the mutual information, whose mean and variance are known exactly: the index then has
the mean ``f(E T)`` and the standard deviation ``|slope| sd(T)``.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._chance.law import PairCounts
from sklearn_clustcompare._chance.permutation import (
    PermutationModel,
    information_law,
    permutation_model,
)
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare._table.views import PairTable, SquareSums
from sklearn_clustcompare.indices import _coefficients
from sklearn_clustcompare.indices._chance import exact_expected_value, standardized_moments
from sklearn_clustcompare.indices._information import entropies, generalized_mean, in_base
from sklearn_clustcompare.indices._record import Index

_PROPORTIONAL_TO_INFORMATION = frozenset(
    {
        "completeness_score",
        "homogeneity_score",
        "mutual_info_score",
        "normalized_mutual_info_score",
        "v_measure_score",
    }
)
_LINEAR_IN_INFORMATION = _PROPORTIONAL_TO_INFORMATION | {
    "adjusted_mutual_info_score",
    "conditional_entropy",
    "normalized_information_distance",
    "variation_of_information_distance",
}


class NullMoments(NamedTuple):
    """Moments of an index under permutation, and where the value observed lies.

    ``q`` is the order of the mutual information that the index is linear in (2 for pairs), and
    ``rises`` tells whether it rises with it.
    """

    expected: float
    standard_deviation: float
    standardized: float
    q: float
    rises: bool


def null_moments(table: ContingencyTable, index: Index, **params: Any) -> NullMoments | None:
    """Return the exact moments of an index under permutation, or None if they are unknown."""
    if not table.is_whole:
        return None
    if not index.pairs:
        return _information_moments(table, index, params)
    seen = PairTable(table.n_samples, table.square_sums, is_identity=table.is_identity)
    return pair_moments(seen, table.row_sums, table.col_sums, index, params)


def value_of_pairs(table: PairTable, index: Index, params: dict[str, Any]) -> float:
    """Return an index of pair counting, for which a PairTable is as good as a table."""
    return float(index.function(cast(ContingencyTable, table), **params))


def pair_moments(
    table: PairTable,
    row_sums: NDArray[np.int64],
    col_sums: NDArray[np.int64],
    index: Index,
    params: dict[str, Any],
) -> NullMoments | None:
    """Return the moments of an index of pair counting, or None if it is not linear in pairs."""
    if not _is_linear_in_pairs(index, params):
        return None
    law = PairCounts.from_sums(row_sums, col_sums)
    if law.is_constant:
        return NullMoments(value_of_pairs(table, index, params), 0.0, 0.0, 2.0, True)
    n, squares = table.n_samples, table.square_sums

    def value_at(together: float) -> float:
        sums = SquareSums(2 * together + n, float(squares.rows), float(squares.cols))
        return value_of_pairs(PairTable(float(n), sums, is_whole=False), index, params)

    mean = float(law.mean)
    most = (min(squares.rows, squares.cols) - n) / 2
    expected = value_at(mean)
    slope = (value_at(most) - expected) / (most - mean)
    standardized = law.standardized_squares(int(squares.cells))
    return NullMoments(
        0.0 if index.adjusted or params.get("adjusted") else expected,
        abs(slope) * math.sqrt(law.variance),
        standardized if slope > 0 else -standardized,
        2.0,
        slope > 0,
    )


def _is_linear_in_pairs(index: Index, params: dict[str, Any]) -> bool:
    if index.name == "pair_counting_score":
        name = params.get("coefficient", "hamann")
        return _coefficients.COEFFICIENTS[name] in _coefficients.LINEAR
    return index.name != "pair_jaccard_score"


def _information_moments(
    table: ContingencyTable, index: Index, params: dict[str, Any]
) -> NullMoments | None:
    if index.name not in _LINEAR_IN_INFORMATION:
        return None
    q = params.get("q", 1.0)
    model = permutation_model(table)
    line = _line_in_information(table, model, index, params)
    if line is None:
        return None
    expected, slope = line
    value = index(table, **params)
    law = information_law(model, q)
    if law.is_constant or not slope:
        return NullMoments(value, 0.0, 0.0, q, slope >= 0)
    return NullMoments(
        expected,
        abs(slope) * law.standard_deviation,
        math.copysign(1.0, slope) * law.standardized(table),
        q,
        slope > 0,
    )


def _line_in_information(
    table: ContingencyTable, model: PermutationModel, index: Index, params: dict[str, Any]
) -> tuple[float, float] | None:
    """Return the mean of an index, and its slope in MI_q for these cluster sizes."""
    name, q, base = index.name, params.get("q", 1.0), params.get("base")
    if name == "mutual_info_score":
        return in_base(model.expected_mutual_info(q), base, q), in_base(1.0, base, q)
    if name == "adjusted_mutual_info_score":
        true, pred = entropies(table, q)
        bound = generalized_mean(true, pred, params.get("average_method", "arithmetic"))
        # E VI_q / 2 is the mean entropy minus E MI_q, without their cancellation.
        room = (bound - (true + pred) / 2) + model.expected_variation_of_information(q) / 2
        return 0.0, 1 / room if room else 0.0
    expected = exact_expected_value(table, name, **params)
    if expected is None:
        return None
    if name == "conditional_entropy":
        return expected, -in_base(1.0, base, q)
    if name == "variation_of_information_distance":
        return expected, -in_base(2.0, base, q)
    information = model.expected_mutual_info(q)
    if name in _PROPORTIONAL_TO_INFORMATION:
        return expected, expected / information if information else 0.0
    return expected, (expected - 1.0) / information if information else 0.0


def gamma_shape(table: ContingencyTable, q: float) -> float | None:
    """Return the shape of the gamma law of MI_q under permutation, or None without variance."""
    return standardized_moments(table, q).above_lowest ** 2 or None
