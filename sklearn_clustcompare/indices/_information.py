"""Indices of information theory, for Shannon's entropy (q = 1) and that of Tsallis (any q).

Differences of entropies lose digits, so all values are sums of terms that are not negative: the
conditional entropies cell by cell, and near independence the mutual information as well. Terms are
sorted before they are added: names and order of clusters do not change a bit.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._chance.cells import convex_gain
from sklearn_clustcompare._chance.permutation import permutation_model
from sklearn_clustcompare._kernels import log_ratio_sum
from sklearn_clustcompare._numerics import FloatArray, deformed_log, ordered_sum, power_gap
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare._table.views import SeesInformation
from sklearn_clustcompare.indices._record import ratio, require_whole


def entropy(sizes: NDArray[Any], q: float = 1.0) -> float:
    """Return H_q of a partition with these cluster sizes, in nats."""
    if len(sizes) == 0:
        return 0.0
    total = ordered_sum(sizes)
    if q == 1:
        return log_ratio_sum(sizes, total, total)
    return ordered_sum(sizes / total * deformed_log(total, sizes, q))


def conditional_entropies(
    table: ContingencyTable | SeesInformation, q: float = 1.0
) -> tuple[float, float]:
    """Return H_q(true | pred) and H_q(pred | true), in nats."""
    if not isinstance(table, ContingencyTable):
        return table.given
    if q == 1:
        return table.entropies.true_given_pred, table.entropies.pred_given_true
    counts = table.cell_counts
    return (
        _conditional(counts, table.col_sums[table.cell_cols], table.n_samples, q),
        _conditional(counts, table.row_sums[table.cell_rows], table.n_samples, q),
    )


def _conditional(counts: NDArray[Any], sizes: NDArray[Any], n_samples: Any, q: float) -> float:
    weights = counts / n_samples * (sizes / n_samples) ** (q - 1)
    return ordered_sum(weights * deformed_log(sizes, counts, q))


def entropies_within(table: ContingencyTable, q: float = 1.0) -> NDArray[np.float64]:
    """Return H_q(true | pred = j) of each column, in nats."""
    counts, sizes = table.cell_counts, table.col_sums[table.cell_cols]
    # Sums of memberships are rounded: a cluster may seem smaller than its part in another.
    sizes = np.maximum(sizes, counts)
    terms = counts / sizes * deformed_log(sizes, counts, q)
    order = np.lexsort((terms, table.cell_cols))  # names do not change the sums
    sums: Any = np.bincount(table.cell_cols[order], terms[order], minlength=table.shape[1])
    return sums


def entropies(table: ContingencyTable | SeesInformation, q: float = 1.0) -> tuple[float, float]:
    if not isinstance(table, ContingencyTable):
        return table.entropies
    if q == 1:
        return table.entropies.true, table.entropies.pred
    return entropy(table.row_sums, q), entropy(table.col_sums, q)


def mutual_info_nats(table: ContingencyTable | SeesInformation, q: float = 1.0) -> float:
    """Return MI_q in nats."""
    return _mutual_info(table, entropies(table, q), conditional_entropies(table, q), q)


def _mutual_info(
    table: ContingencyTable | SeesInformation,
    totals: tuple[float, float],
    given: tuple[float, float],
    q: float = 1.0,
) -> float:
    """Return MI_q in nats from entropies, or by itself where their difference loses digits."""
    if not isinstance(table, ContingencyTable):
        return table.mutual_info
    true, pred = totals
    if true == pred:
        information = (true + pred - sum(given)) / 2
    else:  # the smaller entropy loses fewer digits
        smaller = 0 if true < pred else 1
        information = totals[smaller] - given[smaller]
    if information > 0.5 * min(true, pred) or not table.n_samples:
        return information
    if q == 1:
        return table.information_excess
    return (q - 1) * (true * pred) + information_beyond_independence(table, q)


def information_beyond_independence(table: ContingencyTable, q: float) -> float:
    """Return MI_q less its value at independence, (q - 1) H_q(true) H_q(pred), for q other than 1.

    A sum over the cells of p^q / (q - 1) less its value at independence. The margins are fixed, so
    lines in p whose slopes are sums of one of rows and one of columns are left out.
    """
    n = float(table.n_samples)
    expected, deviations = table.expected_cells
    rows, cols = table.row_sums[table.cell_rows], table.col_sums[table.cell_cols]
    cells = [np.ones(len(rows)), table.cell_counts, deviations, expected, rows, cols]
    empty = _empty_cells(table)
    times, counts, deviations, expected, rows, cols = (
        np.concatenate(parts).astype(np.float64) for parts in zip(cells, empty, strict=True)
    )
    gone = deviations / n
    (row_powers, row_gaps, row_top), (col_powers, col_gaps, col_top) = (
        _powers(sizes, n, q - 1) for sizes in (rows, cols)
    )
    # What lies above the tangent at independence, and the rest of its slope ...
    lines = q * (q - 1) * (row_gaps * col_gaps) * gone
    above = convex_gain(counts, deviations, expected, n, q)
    # ... or the powers themselves: where few objects are expected that slope is steep for q < 1.
    powers = (counts / n) ** q / (q - 1), -((expected / n) ** q) / (q - 1)
    slopes = (row_powers * col_top + col_powers * row_top) - row_top * col_top
    other_lines = -q / (q - 1) * slopes * gone
    is_steep = np.abs(lines) > np.abs([*powers, other_lines]).sum(axis=0)
    beyond = np.where(is_steep, sum(powers) + other_lines, above + lines)
    return float(ordered_sum(times * beyond))


def _powers(sizes: FloatArray, n: float, exponent: float) -> tuple[FloatArray, FloatArray, float]:
    """Return powers of shares, their gap to that of the largest over the exponent, and that one."""
    top = sizes.max()
    gaps = power_gap(sizes / n, top / n, np.log1p((sizes - top) / top), exponent)
    return (sizes / n) ** exponent, gaps, float((top / n) ** exponent)


def _empty_cells(table: ContingencyTable) -> list[NDArray[Any]]:
    """Return the empty cells by pair of cluster sizes.

    Their number, their count of 0, its deviation from the expected count, that, and the sizes.
    """
    (row_sizes, row_codes, n_rows), (col_sizes, col_codes, n_cols) = (
        np.unique(sums, return_inverse=True, return_counts=True)
        for sums in (table.row_sums, table.col_sums)
    )
    pairs = row_codes[table.cell_rows] * len(col_sizes) + col_codes[table.cell_cols]
    times = np.outer(n_rows, n_cols).ravel()
    times -= np.bincount(pairs, minlength=len(times))
    some = np.flatnonzero(times)
    rows = row_sizes[some // len(col_sizes)].astype(np.float64)
    cols = col_sizes[some % len(col_sizes)].astype(np.float64)
    expected = rows * cols / table.n_samples
    return [times[some], np.zeros(len(some)), -expected, expected, rows, cols]


def in_base(nats: float, base: float | None, q: float) -> float:
    """Convert nats to units of another base."""
    if base is None:
        return nats
    if q != 1:
        msg = f"base must be None unless q is 1: H_q has no base, got base={base!r}, q={q!r}"
        raise ValueError(msg)
    return nats / math.log(base)


def unit(*, q: float = 1.0, base: float | None = None, normalize: str | None = None) -> str:
    """Return the unit of an information; orders other than 1 have none."""
    if q != 1 or normalize:
        return ""
    if base is None:
        return "nats"
    return "bits" if base == 2 else f"base {base:g}"


def linear_quantity(
    *, average_method: str = "arithmetic", normalize: str | None = None, **_: Any
) -> str | None:
    """Return the quantity that an index is linear in; None if divided by the joint entropy."""
    return None if "joint" in (average_method, normalize) else "information"


# --------------------------------------------------------------------------- information


def mutual_info(table: ContingencyTable, *, q: float = 1.0, base: float | None = None) -> float:
    return in_base(mutual_info_nats(table, q), base, q)


def conditional_entropy(
    table: ContingencyTable, *, q: float = 1.0, base: float | None = None
) -> float:
    return in_base(conditional_entropies(table, q)[0], base, q)


def normalized_mutual_info(
    table: ContingencyTable, *, q: float = 1.0, average_method: str = "arithmetic"
) -> float:
    if table.is_identity:
        return 1.0
    information = mutual_info_nats(table, q)
    if average_method == "joint":
        bound = sum(entropies(table, q)) - information
    else:
        bound = generalized_mean(*entropies(table, q), average_method)
    return min(ratio(information, bound, table, "normalized_mutual_info_score"), 1.0)


def generalized_mean(first: float, second: float, average_method: str) -> float:
    if average_method == "min":
        return min(first, second)
    if average_method == "max":
        return max(first, second)
    if average_method == "geometric":
        return math.sqrt(first * second)
    return (first + second) / 2


def homogeneity(table: ContingencyTable) -> float:
    return _explained(table)[0]


def completeness(table: ContingencyTable) -> float:
    return _explained(table)[1]


def _explained(table: ContingencyTable | SeesInformation) -> tuple[float, float]:
    """Return the shares of both entropies that the other partition explains."""
    totals, given = entropies(table), conditional_entropies(table)
    # One cluster has no entropy to explain: 1, as in scikit-learn.
    lacking = [left / total if total else 0.0 for left, total in zip(given, totals, strict=True)]
    if max(lacking) <= 0.5:
        return 1.0 - lacking[0], 1.0 - lacking[1]
    # Of a small share one minus the rest would leave few digits.
    information = max(_mutual_info(table, totals, given), 0.0)
    homogeneous, complete = (
        information / total if rest > 0.5 else 1.0 - rest
        for total, rest in zip(totals, lacking, strict=True)
    )
    return homogeneous, complete


def v_measure(table: ContingencyTable, *, beta: float = 1.0) -> float:
    homogeneous, complete = _explained(table)
    if not homogeneous * complete:
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
        msg = f"base must be None for a normalized distance, which has no unit, got {base!r}"
        raise ValueError(msg)
    if normalize == "joint":
        joint = (sum(entropies(table, q)) + distance) / 2
        share = distance / joint if distance else 0.0
        # For q < 1 information can be negative, and then the distance exceeds the joint entropy.
        return min(share, 1.0) if q >= 1 else share
    if normalize == "log_n":
        name = "variation_of_information_distance with normalize='log_n'"
        require_whole(table, name, "normalized_mutual_info_score or normalize='joint'")
        if not distance:
            return 0.0
        largest = float(deformed_log(table.n_samples, 1, q))  # the entropy of singletons
        # The view of a mean or a slope is not a table, and may lie beyond all of them.
        is_bounded = q >= 1 and isinstance(table, ContingencyTable)
        return min(distance, largest) / largest if is_bounded else distance / largest
    model = permutation_model(table)
    return distance / model.expected_variation_of_information(q) if distance else 0.0


def normalized_information_distance(table: ContingencyTable) -> float:
    distance = max(conditional_entropies(table))
    return min(distance / max(entropies(table)), 1.0) if distance else 0.0
