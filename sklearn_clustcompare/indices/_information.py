"""Indices of information theory, for Shannon's entropy (q = 1) and that of Tsallis (any q).

Differences of entropies lose digits, so everything is a sum of terms that are not negative:
the conditional entropies cell by cell, and near independence the mutual information as well.
Terms are sorted before they are added: names and order of clusters never change a bit.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._hypergeometric import entropy_excess
from sklearn_clustcompare._permutation_model import PermutationModel
from sklearn_clustcompare._table import ContingencyTable, ordered_sum
from sklearn_clustcompare.indices._pair_counting import expected_cells


def entropy(sizes: NDArray[Any], q: float = 1.0) -> float:
    """Return H_q of a partition with these cluster sizes, in nats."""
    if len(sizes) == 0:
        return 0.0
    total = ordered_sum(sizes)
    return ordered_sum(sizes / total * _deformed_log(total, sizes, q))


def _deformed_log(whole: Any, part: Any, q: float) -> Any:
    """Return (1 - (part/whole)^(q-1)) / (q-1), which is log(whole/part) for q = 1."""
    log_ratio = np.log1p((whole - part) / part)
    return log_ratio if q == 1 else -np.expm1((1 - q) * log_ratio) / (q - 1)


def conditional_entropies(table: ContingencyTable, q: float = 1.0) -> tuple[float, float]:
    """Return H_q(true | pred) and H_q(pred | true), in nats."""
    counts = table.cell_counts
    return (
        _conditional(counts, table.col_sums[table.cell_cols], table.n_samples, q),
        _conditional(counts, table.row_sums[table.cell_rows], table.n_samples, q),
    )


def _conditional(counts: NDArray[Any], sizes: NDArray[Any], n_samples: Any, q: float) -> float:
    weights = counts / n_samples
    if q != 1:
        weights = weights * (sizes / n_samples) ** (q - 1)
    return ordered_sum(weights * _deformed_log(sizes, counts, q))


def _entropies(table: ContingencyTable, q: float = 1.0) -> tuple[float, float]:
    return entropy(table.row_sums, q), entropy(table.col_sums, q)


def _mutual_info(table: ContingencyTable, q: float = 1.0) -> float:
    """Return MI_q in nats."""
    total = sum(_entropies(table, q))
    information = (total - sum(conditional_entropies(table, q))) / 2
    # Near independence that difference is small against its terms, and for q = 1 there is a
    # sum that is not.
    if q != 1 or information > 0.25 * total or not table.n_samples:
        return information
    expected = expected_cells(table)
    empty = max(table.n_samples - ordered_sum(expected), 0.0)
    counts = table.cell_counts.astype(np.float64)
    occupied = ordered_sum(entropy_excess(counts, counts - expected, expected))
    return max(occupied + empty, 0.0) / table.n_samples


def in_base(nats: float, base: float | None, q: float) -> float:
    """Convert nats to units of another base."""
    if base is None:
        return nats
    if q != 1:
        message = f"base must be None unless q is 1: H_q has no base, got base={base!r}, q={q!r}"
        raise ValueError(message)
    return nats / math.log(base)


# --------------------------------------------------------------------------- information


def mutual_info(table: ContingencyTable, *, q: float = 1.0, base: float | None = None) -> float:
    return in_base(_mutual_info(table, q), base, q)


def conditional_entropy(
    table: ContingencyTable, *, q: float = 1.0, base: float | None = None
) -> float:
    return in_base(conditional_entropies(table, q)[0], base, q)


def normalized_mutual_info(
    table: ContingencyTable, *, q: float = 1.0, average_method: str = "arithmetic"
) -> float:
    if table.is_identity:
        return 1.0
    information = _mutual_info(table, q)
    if average_method == "joint":
        bound = _entropies(table, q)[0] + conditional_entropies(table, q)[1]
    else:
        bound = _generalized_mean(*_entropies(table, q), average_method)
    return min(information / bound, 1.0) if bound and information else 0.0


def _generalized_mean(first: float, second: float, average_method: str) -> float:
    if average_method == "min":
        return min(first, second)
    if average_method == "max":
        return max(first, second)
    if average_method == "geometric":
        return math.sqrt(first * second)
    return (first + second) / 2


def homogeneity(table: ContingencyTable) -> float:
    return _explained(conditional_entropies(table)[0], entropy(table.row_sums))


def completeness(table: ContingencyTable) -> float:
    return _explained(conditional_entropies(table)[1], entropy(table.col_sums))


def _explained(conditional: float, total: float) -> float:
    return max(1.0 - conditional / total, 0.0) if total else 1.0


def v_measure(table: ContingencyTable, *, beta: float = 1.0) -> float:
    homogeneous, complete = homogeneity(table), completeness(table)
    if not homogeneous + complete:
        return 0.0
    # Without 1 + beta times the product first, the value at beta = 1 would not be symmetric.
    weighted = (1 + beta) * (homogeneous * complete)
    return min(weighted / (beta * homogeneous + complete), 1.0)


# --------------------------------------------------------------------------- distances


def variation_of_information(
    table: ContingencyTable,
    *,
    q: float = 1.0,
    base: float | None = None,
    normalize: str | None = None,
) -> float:
    distance = sum(conditional_entropies(table, q))
    if normalize is None:
        return in_base(distance, base, q)
    if base is not None:
        message = f"base must be None for a normalized distance, which has no unit, got {base!r}"
        raise ValueError(message)
    if normalize == "joint":
        whole = sum(_entropies(table, q)) - _mutual_info(table, q)
        return min(distance / whole, 1.0) if distance else 0.0
    expected = _permutation_model(table).expected_variation_of_information(q)
    return distance / expected if distance else 0.0


def normalized_information_distance(table: ContingencyTable) -> float:
    distance = max(conditional_entropies(table))
    return min(distance / max(_entropies(table)), 1.0) if distance else 0.0


# --------------------------------------------------------------------------- chance


def _permutation_model(table: ContingencyTable) -> PermutationModel:
    return PermutationModel(table.row_sums, table.col_sums)


def adjusted_mutual_info(
    table: ContingencyTable, *, q: float = 1.0, average_method: str = "arithmetic"
) -> float:
    if table.is_identity:
        return 1.0
    if _is_constant(table):
        return 0.0
    model = _permutation_model(table)
    first, second = _entropies(table, q)
    bound = _generalized_mean(first, second, average_method)
    expected = model.expected_mutual_info(q)
    if q == 1 and expected < 0.25 * (first + second):
        return (_mutual_info(table) - expected) / (bound - expected)
    # MI and its mean are both close to the entropies: their differences are those of VI.
    expected_distance = model.expected_variation_of_information(q)
    gain = (expected_distance - sum(conditional_entropies(table, q))) / 2
    return gain / ((bound - (first + second) / 2) + expected_distance / 2)


def _is_constant(table: ContingencyTable) -> bool:
    """Tell whether every table with these margins has the same cells, up to their order."""
    trivial = (1, table.n_samples)
    return table.shape[0] in trivial or table.shape[1] in trivial
