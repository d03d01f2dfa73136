"""Indices of information theory, for Shannon's entropy (q = 1) and that of Tsallis (any q).

Differences of entropies lose digits, so all values are sums of terms that are not negative: the
conditional entropies cell by cell, and near independence the mutual information as well. Terms are
sorted before they are added: names and order of clusters do not change a bit.

For given margins one number determines all of them; an index gets each with its digits.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from sklearn_clustcompare._array_types import Array, FloatArray
from sklearn_clustcompare._chance.functions import convex_gain, shared_information
from sklearn_clustcompare._chance.permutation import information_moments, permutation_model
from sklearn_clustcompare._chance.spectral import InformationMoments
from sklearn_clustcompare._frozen import lazy
from sklearn_clustcompare._kernels import log_ratio_sum
from sklearn_clustcompare._numerics import deformed_log, ordered_sum, power_gap
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare._table.counts import Margins


def entropy(sizes: Array, q: float = 1.0) -> float:
    """Return H_q of a partition with these cluster sizes, in nats."""
    if len(sizes) == 0:
        return 0.0
    total = ordered_sum(sizes)
    if q == 1:
        return log_ratio_sum(sizes, total, total)
    return ordered_sum(sizes / total * deformed_log(total, sizes, q))


def _conditional(counts: Array, sizes: Array, n_samples: Any, q: float) -> float:
    if q == 1:
        return log_ratio_sum(counts, sizes, n_samples)
    weights = counts / n_samples * (sizes / n_samples) ** (q - 1)
    return ordered_sum(weights * deformed_log(sizes, counts, q))


def entropies_within(table: ContingencyTable, q: float = 1.0) -> FloatArray:
    """Return H_q(true | pred = j) of each column, in nats."""
    counts, sizes = table.cell_counts, table.col_sums[table.cell_cols]
    # Sums of memberships are rounded: a cluster may seem smaller than its part in another.
    sizes = np.maximum(sizes, counts)
    terms = counts / sizes * deformed_log(sizes, counts, q)
    order = np.lexsort((terms, table.cell_cols))  # names do not change the sums
    sums: Any = np.bincount(table.cell_cols[order], terms[order], minlength=table.shape[1])
    return sums


def entropies(margins: Margins, q: float = 1.0) -> tuple[float, float]:
    return entropy(margins.row_sums, q), entropy(margins.col_sums, q)


def conditional_entropies(table: ContingencyTable, q: float = 1.0) -> tuple[float, float]:
    """Return H_q(true | pred) and H_q(pred | true), in nats."""
    counts = table.cell_counts
    return (
        _conditional(counts, table.col_sums[table.cell_cols], table.n_samples, q),
        _conditional(counts, table.row_sums[table.cell_rows], table.n_samples, q),
    )


class Information:
    """What the partitions of a table share and do not share, of order q and in nats.

    ``entropies`` are those of both partitions, ``given`` are H(true | pred) and H(pred | true), and
    ``mutual`` is the mutual information: each with all its digits, computed on access.
    """

    # Whether it is that of a table, so that bounds for tables hold.
    is_observed = True

    def __init__(self, table: ContingencyTable, q: float = 1.0) -> None:
        self.table = table
        self.q = q
        if q == 1:
            self.entropies, self.given = table._entropies

    @lazy
    def entropies(self) -> tuple[float, float]:
        return entropies(self.table, self.q)

    @lazy
    def given(self) -> tuple[float, float]:
        return conditional_entropies(self.table, self.q)

    @lazy
    def mutual(self) -> float:
        """The difference of the entropies, or a sum of its own where that loses digits."""
        (true, pred), (true_left, pred_left) = self.entropies, self.given
        if true == pred:
            smaller, information = true, (true + pred - (true_left + pred_left)) / 2
        elif true < pred:  # the smaller entropy loses fewer digits
            smaller, information = true, true - true_left
        else:
            smaller, information = pred, pred - pred_left
        table, q = self.table, self.q
        if information > 0.5 * smaller or not table.n_samples:
            return information
        if q == 1:
            return table._information_excess
        beyond, size = _information_beyond_independence(table, q)
        independent = (q - 1) * (true * pred)
        ways = [
            (smaller, information),
            (abs(independent) + size, independent + beyond),
            _information_of_objects(table, q),
        ]
        return min(ways)[1]

    @property
    def gap(self) -> float:
        """Difference of the entropies; they are equal up to rounding for a large order."""
        return abs(self.given[0] - self.given[1])

    @lazy
    def model(self) -> Any:
        """Null model of the table, or what else has the means of the information."""
        return permutation_model(self.table)

    def excess(self, expected_left: float) -> float:
        """Return the mutual information beyond its mean, with both close to the smaller entropy.

        ``expected_left`` is how far that mean is below the smaller entropy.
        """
        excess = expected_left - min(self.given)
        if self.q != 1 and abs(excess) < expected_left / 2:
            # Here both are closer to the value at independence.
            beyond, size = _information_beyond_independence(self.table, self.q)
            gain = float(self.model.expected_convex_gain(self.q))
            ways = [(expected_left, excess), (size + gain, beyond - gain)]
            independent = (self.q - 1) * math.prod(self.entropies)
            if abs(self.mutual) + abs(independent + gain) < size:
                mean = self.model.expected_mutual_info(self.q)
                ways.append((abs(self.mutual) + abs(mean), self.mutual - mean))
            return min(ways)[1]
        return excess

    @lazy
    def moments(self) -> InformationMoments:
        return information_moments(self.model, self.q)

    @property
    def standardized(self) -> float:
        """The mutual information in standard deviations above its mean; 0.0 without variance."""
        return 0.0 if self.moments.is_constant else self.moments.standardized(self.table)


def _information_beyond_independence(table: ContingencyTable, q: float) -> tuple[float, float]:
    """Return MI_q less its value at independence, (q - 1) H_q(true) H_q(pred), for q other than 1.

    A sum over the cells of p^q / (q - 1) less its value at independence. The margins are fixed, so
    lines in p whose slopes are sums of one of rows and one of columns are left out. Also returns
    the sum of the sizes of the terms, to which rounding errors are relative.
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
    terms = times * beyond
    size = np.where(is_steep, np.abs([*powers, other_lines]).sum(axis=0), above + np.abs(lines))
    return float(ordered_sum(terms)), float(ordered_sum(times * size))


def _information_of_objects(table: ContingencyTable, q: float) -> tuple[float, float]:
    """Return the sum of the sizes of the terms of MI_q by occupied cells, and MI_q."""
    expected, deviations = table.expected_cells
    sizes = (
        table.row_sums.astype(np.float64)[table.cell_rows],
        table.col_sums.astype(np.float64)[table.cell_cols],
    )
    counts, n = table.cell_counts.astype(np.float64), float(table.n_samples)
    values, magnitudes = shared_information(counts, deviations, expected, sizes, n, q)
    return float(ordered_sum(magnitudes)), float(ordered_sum(values))


def _powers(sizes: FloatArray, n: float, exponent: float) -> tuple[FloatArray, FloatArray, float]:
    """Return powers of shares, their gap to that of the largest over the exponent, and that one."""
    top = sizes.max()
    gaps = power_gap(sizes / n, top / n, -deformed_log(top, sizes, 1.0), exponent)
    return (sizes / n) ** exponent, gaps, float((top / n) ** exponent)


def _empty_cells(table: ContingencyTable) -> list[Array]:
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


def unit(*, q: float = 1.0, base: float | None = None, normalize: str | bool | None = None) -> str:
    """Return the unit of an information; orders other than 1 and normalized ones have none."""
    if q != 1 or normalize:
        return ""
    if base is None:
        return "nats"
    return "bits" if base == 2 else f"base {base:g}"


_OF_ONE, _OF_MANY = (min, max, math.sqrt), (np.minimum, np.maximum, np.sqrt)


def generalized_mean(first: Any, second: Any, average_method: str) -> Any:
    smaller, larger, root = _OF_MANY if isinstance(first, np.ndarray) else _OF_ONE
    if average_method == "min":
        return smaller(first, second)
    if average_method == "max":
        return larger(first, second)
    if average_method == "geometric":
        return root(first * second)
    return (first + second) / 2
