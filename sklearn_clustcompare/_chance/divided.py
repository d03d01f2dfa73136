"""Random tables with fixed margins of any total, by dividing them in two again and again.

A hypergeometric number of the objects in each half of the columns goes to the first half of the
rows. All cells of a division are drawn at once, as are several tables.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from sklearn_clustcompare._numerics import FloatArray, entropy_excess

IntArray = NDArray[np.int64]

# Up to this many objects are drawn one by one.
_FEW = 10
# Of the envelope in [1], for all unimodal laws.
_WIDTHS = 1.7155277699214135, 0.8989161620588988
# From this count on, four terms of Stirling's series have all digits.
_STIRLING = 64.0


def divided_tables(row_sums: IntArray, col_sums: IntArray, size: int, generator: Any) -> IntArray:
    """Draw tables with these margins, whose total floats must hold."""
    nodes = np.broadcast_to(col_sums, (size, 1, len(col_sums)))
    for sums in _halves(row_sums):
        taken = np.broadcast_to(sums[::2], (*nodes.shape[:2],))
        nodes = _interleaved(_taken_of_each(nodes, taken, generator), nodes)
    return nodes[:, : len(row_sums)]


def _halves(sums: IntArray) -> list[IntArray]:
    """Return the sums of both halves, of all quarters, and so on, down to single ones."""
    levels = [np.append(sums, np.zeros(2 ** (len(sums) - 1).bit_length() - len(sums), np.int64))]
    while len(levels[0]) > 1:
        levels.insert(0, levels[0].reshape(-1, 2).sum(axis=1))
    return levels[1:]


def _interleaved(first: IntArray, both: IntArray) -> IntArray:
    """Put rows and what they leave of the rows of both next to each other."""
    shape = (both.shape[0], 2 * both.shape[1], *both.shape[2:])
    return np.stack([first, both - first], axis=2).reshape(shape)


def _taken_of_each(counts: IntArray, taken: NDArray[Any], generator: Any) -> IntArray:
    """Draw how many objects of each cluster, the last axis, are among those taken."""
    n_clusters = counts.shape[-1]
    width = 2 ** (n_clusters - 1).bit_length()
    flat = np.zeros((taken.size, width), np.int64)
    flat[:, :n_clusters] = counts.reshape(taken.size, n_clusters)
    levels = [flat]
    while levels[0].shape[1] > 1:
        levels.insert(0, levels[0].reshape(taken.size, -1, 2).sum(axis=2))
    numbers = taken.reshape(-1, 1).astype(np.int64)
    for level in levels[1:]:
        first = hypergeometric(level[:, ::2], level[:, 1::2], numbers, generator)
        numbers = _interleaved(first, numbers)
    return numbers[:, :n_clusters].reshape(counts.shape)


def hypergeometric(good: IntArray, bad: IntArray, taken: IntArray, generator: Any) -> IntArray:
    """Draw how many good ones are among those taken, for any total that floats hold.

    References
    ----------
    .. [1] E. Stadlober, "The ratio of uniforms approach for generating discrete random variates",
       Journal of Computational and Applied Mathematics 31, 1990.
    """
    total = good + bad
    few, few_taken = np.minimum(good, bad), np.minimum(taken, total - taken)
    small, large = np.minimum(few, few_taken), np.maximum(few, few_taken)
    shared = np.zeros(total.shape, np.int64)
    by_one = (small > 0) & (small < _FEW)
    shared[by_one] = _one_by_one(small[by_one], large[by_one], total[by_one], generator)
    at_once = small >= _FEW
    shared[at_once] = _ratio_of_uniforms(small[at_once], large[at_once], total[at_once], generator)
    of_few_taken = np.where(good <= bad, shared, few_taken - shared)
    result: IntArray = np.where(taken == few_taken, of_few_taken, good - of_few_taken)
    return result


def _one_by_one(small: IntArray, large: IntArray, total: IntArray, generator: Any) -> IntArray:
    shared = np.zeros(len(small), np.int64)
    for number in range(int(small.max(initial=0))):
        hits = generator.random(len(small)) * (total - number) < large - shared
        shared += hits & (number < small)
    return shared


def _ratio_of_uniforms(
    small: IntArray, large: IntArray, total: IntArray, generator: Any
) -> IntArray:
    s, t, n = (counts.astype(np.float64) for counts in (small, large, total))
    mean = s * (t / n)
    width = _WIDTHS[0] * np.sqrt(mean * (1 - s / n) * ((n - t) / (n - 1)) + 0.5) + _WIDTHS[1]
    mode = np.minimum(np.floor((s + 1) * ((t + 1) / (n + 2))), s)
    cells = np.stack([mode, s - mode, t - mode, (n - s - t) + mode])
    shared, open_ones = mode.copy(), np.arange(len(s))
    while len(open_ones):
        u, v = generator.random((2, len(open_ones)))
        # u is positive in all but one of 2**53 draws.
        proposed = np.floor(mean[open_ones] + 0.5 + width[open_ones] * (v - 0.5) / (u + 2.0**-60))
        is_in = (proposed >= 0) & (proposed <= s[open_ones])
        candidates = open_ones[is_in]
        gains = _log_ratio(cells[:, candidates], proposed[is_in] - mode[candidates])
        is_taken = 2 * np.log(u[is_in] + 2.0**-60) <= gains
        shared[candidates[is_taken]] = proposed[is_in][is_taken]
        is_open = np.ones(len(open_ones), bool)
        is_open[np.flatnonzero(is_in)[is_taken]] = False
        open_ones = open_ones[is_open]
    return shared.astype(np.int64)


def _log_ratio(modes: FloatArray, steps: FloatArray) -> FloatArray:
    """Return the logarithm of the probability of a step from the mode, relative to the mode.

    The factorials of large counts differ by little more than a line, of which only the sum over the
    four cells matters.
    """
    signs = np.array([[1.0], [-1.0], [-1.0], [1.0]])
    deviations = signs * steps
    counts, at = modes + deviations, np.maximum(modes, 1.0)
    beyond = np.empty(counts.shape)
    large = np.minimum(counts, modes) >= _STIRLING
    x, m = counts[large], modes[large]
    beyond[large] = entropy_excess(x, deviations[large], m) + 0.5 * np.log(x / m)
    beyond[large] += (1 / x - 1 / m) / 12 - (x**-3.0 - m**-3.0) / 360
    x, m = counts[~large], modes[~large]
    beyond[~large] = gammaln(x + 1) - gammaln(m + 1) - deviations[~large] * np.log(at[~large])
    slope = np.log(at[0] / at[1] * (at[3] / at[2]))
    result: FloatArray = -beyond.sum(axis=0) - steps * slope
    return np.where((counts < 0).any(axis=0), -np.inf, result)
