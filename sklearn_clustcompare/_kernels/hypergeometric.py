"""Hypergeometric laws of contingency-table cells: nodes, weights, orthogonal expansions.

Everything here is batched over pairs of cluster sizes. The letters of the mathematics: N objects
(``n_samples``), a cluster of a objects (``row_size``) and one of b objects (``col_size``) share x
objects (``counts``). With both sizes fixed and the objects permuted, x ~ Hyp(N, a, b), with mean
mu = a b / N and variance s^2 = mu (N - a) (N - b) / (N (N - 1)). The four cells of the 2 x 2 table
that the two clusters span hold x, a - x, b - x and N - a - b + x objects; e is the expectation of
a cell and t = x - mu the deviation, the same in all four up to its sign.

The module relies on three facts.

1. x is a sum of independent Bernoulli variables (its generating function has real zeros only), so
   Bennett's inequality with the true variance bounds both tails. Nodes outside the bound are left
   out; their sum is below the rounding error of the rest.
2. For the same reason |E exp(i w x)| <= exp(-s^2 (1 - cos w)). By Poisson's summation formula a
   sum over every h-th integer equals 1 / h of the sum over all of them up to the characteristic
   function at multiples of 2 pi / h. Cells with a large variance therefore need a few dozen nodes,
   however large N is.
3. Weights come from the ratios of neighboring probabilities, or, on strided nodes, from deviances
   as in [1]_. Differences of log-gamma functions would lose log10(N ln N) digits.

References
----------
.. [1] C. Loader, "Fast and accurate computation of binomial probabilities", 2000.
.. [2] W. Gautschi, "Orthogonal Polynomials: Computation and Approximation", Oxford, 2004.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from sklearn_clustcompare._array_types import FloatArray, Positions
from sklearn_clustcompare._numerics import _SERIES_RADIUS, divide_product, entropy_excess

# Tail mass and aliasing error are kept below exp(-these), relative to the sum.
MEAN_PRECISION = 42.0
VARIANCE_PRECISION = 80.0

# n ln n is not smooth at n = 0: a strided sum is exact only if no cell can be empty in practice.
_SMALLEST_STRIDED_CELL = 40.0

_BLOCK_NODES = 1 << 15
_EXPANSION_BLOCK_NODES = 1 << 13
CHUNK_PAIRS = 1 << 16

# In deep windows the weight at the mode is about 2 to this power, so that no tail underflows.
_LOG2_OF_MODE = 900.0

# Polynomials with more than this of their mass at the end of a cut window are not those of the law.
_CUT_MASS = 1e-24


class PairLaws(NamedTuple):
    """Hypergeometric laws of a batch of pairs of cluster sizes, one entry a pair.

    ``mean`` + ``mean_low`` is the mean to twice the working precision: a deviation from it has a
    small relative error even if it is much smaller than the mean.
    """

    n_samples: float
    row_size: FloatArray
    col_size: FloatArray
    mean: FloatArray
    mean_low: FloatArray
    variance: FloatArray

    @classmethod
    def from_sizes(cls, n_samples: float, row_size: FloatArray, col_size: FloatArray) -> PairLaws:
        """Build the laws of pairs of whole sizes, below 2**53 and given as floats."""
        mean, mean_low = divide_product(row_size, col_size, n_samples)
        spread = (n_samples - row_size) / n_samples * ((n_samples - col_size) / n_samples)
        variance = mean * spread * (n_samples / max(n_samples - 1.0, 1.0))
        return cls(n_samples, row_size, col_size, mean, mean_low, variance)

    @classmethod
    def of_margins(cls, row_sizes: FloatArray, col_sizes: FloatArray, n_samples: float) -> PairLaws:
        """Build the laws of all pairs of a row size and a column size, row by row."""
        row_size = np.repeat(row_sizes, col_sizes.size)
        return cls.from_sizes(n_samples, row_size, np.tile(col_sizes, row_sizes.size))

    def take(self, index: Positions) -> PairLaws:
        """Select pairs."""
        columns = (self.row_size, self.col_size, self.mean, self.mean_low, self.variance)
        return PairLaws(self.n_samples, *(column[index] for column in columns))

    def cell_means(self) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        """Return the expected counts in both clusters, the row's only, the column's only, none."""
        row_rest = self.n_samples - self.row_size
        col_rest = self.n_samples - self.col_size
        return (
            self.mean,
            self.row_size * (col_rest / self.n_samples),
            self.col_size * (row_rest / self.n_samples),
            row_rest * (col_rest / self.n_samples),
        )


class Windows(NamedTuple):
    """The integers ``first, first + stride, ...`` (``length`` of them) that represent each law."""

    first: FloatArray
    stride: FloatArray
    length: Positions

    def take(self, index: Positions) -> Windows:
        """Select pairs."""
        return Windows(self.first[index], self.stride[index], self.length[index])


class NodeBlock(NamedTuple):
    """Nodes (axis 0) of some pairs (axis 1), with weights that sum to one over each pair."""

    pairs: Positions
    laws: PairLaws
    counts: FloatArray
    deviations: FloatArray
    weights: FloatArray
    lengths: Positions


def _tail_bounds(laws: PairLaws, precision: float, growth: float) -> tuple[FloatArray, FloatArray]:
    """Distances below and above the mean beyond which the mass is negligible.

    The lower tail of a cell of mean e is below exp(-d^2 / (2 e)), and Bennett's bound holds on
    both sides.
    """
    variance = np.maximum(laws.variance, 1e-300)
    # Rare events matter relative to the variance: use more if it is small.
    depth = precision - np.minimum(np.log(variance), 0.0)
    reach = _bennett_distance(variance, depth)
    if growth > 0.0:
        base_depth, scale = depth, np.maximum(laws.mean, 1.0)
        for _ in range(4):
            depth = base_depth + growth * np.log1p(reach / scale)
            reach = _bennett_distance(variance, depth)
    both, row_only, col_only, neither = laws.cell_means()
    below = np.minimum(reach, np.sqrt(2.0 * depth * np.minimum(both, neither)))
    above = np.minimum(reach, np.sqrt(2.0 * depth * np.minimum(row_only, col_only)))
    # Means near 2**53 are rounded to whole numbers: a window always holds the next one.
    return np.maximum(below, 1.0), np.maximum(above, 1.0)


def _bennett_distance(variance: FloatArray, depth: FloatArray) -> FloatArray:
    """Solve s^2 h(d / s^2) = depth for d, with h(u) = (1 + u) ln(1 + u) - u."""
    target = depth / variance
    # Newton's iteration on a convex function, from above (Bernstein's bound): it stays above.
    unit = target * (2.0 / 3.0) + np.sqrt(2.0 * target)
    for _ in range(3):
        log_unit = np.log1p(unit)
        unit -= ((1.0 + unit) * log_unit - unit - target) / log_unit
    return variance * unit


def _strides(laws: PairLaws, precision: float) -> FloatArray:
    """Largest strides whose aliasing error stays below exp(-precision)."""
    smallest_cell = np.minimum.reduce(laws.cell_means())
    cosine = 1.0 - precision / np.maximum(laws.variance, precision / 2.0)
    stride = np.floor(2.0 * np.pi / np.arccos(cosine))
    return np.where(smallest_cell >= _SMALLEST_STRIDED_CELL, np.maximum(stride, 1.0), 1.0)


def windows(
    laws: PairLaws, precision: float, growth: float = 0.0, *, strided: bool = True
) -> Windows:
    """Choose for each law the integers to sum over.

    Parameters
    ----------
    laws : PairLaws
        The pairs.
    precision : float
        Natural logarithm of the tolerated tail mass and aliasing error, sign dropped.
    growth : float
        Power of x by which the function to be summed grows faster than the square of the deviation.
    strided : bool
        Whether the function is so smooth that some integers may represent all.

    Returns
    -------
    Windows
        First node, stride and number of nodes of each pair.
    """
    below, above = _tail_bounds(laws, precision, growth)
    stride = _strides(laws, precision) if strided else np.ones_like(laws.mean)
    # The deviance form excludes empty cells, which have no mass if strides are used.
    margin = np.where(stride > 1.0, 1.0, 0.0)
    lowest = np.maximum(laws.row_size - (laws.n_samples - laws.col_size), 0.0) + margin
    highest = np.minimum(laws.row_size, laws.col_size) - margin
    first = np.maximum(lowest, np.ceil(laws.mean - below))
    last = np.minimum(highest, np.floor(laws.mean + above))
    length = (np.floor((last - first) / stride) + 1.0).astype(np.intp)
    return Windows(first, stride, length)


def node_blocks(
    laws: PairLaws,
    precision: float,
    growth: float = 0.0,
    max_nodes: int = _BLOCK_NODES,
    *,
    strided: bool = True,
) -> Iterator[NodeBlock]:
    """Yield all pairs, in blocks of similar ones, with their nodes and weights.

    Parameters
    ----------
    laws : PairLaws
        The pairs.
    precision : float
        Natural logarithm of the tolerated relative error, sign dropped.
    growth : float
        Power of x by which the function to be summed grows faster than the square of the deviation.
    max_nodes : int
        Bound on nodes times pairs of one block, which bounds the memory.
    strided : bool
        Whether the function is so smooth that some integers may represent all.

    Yields
    ------
    NodeBlock
        Each pair occurs in exactly one block.
    """
    window = windows(laws, precision, growth, strided=strided)
    kind = _block_kinds(laws, window)
    order = np.lexsort((window.length, kind))
    kind, length = kind[order], window.length[order]
    start = 0
    while start < order.size:
        alike = int(np.searchsorted(kind, kind[start], side="right"))
        stop = _block_end(length, start, alike, max_nodes)
        index = order[start:stop]
        is_deep = precision > VARIANCE_PRECISION
        yield _weighted_nodes(index, laws.take(index), window.take(index), is_deep=is_deep)
        start = stop


def _block_end(length: Positions, start: int, alike: int, max_nodes: int) -> int:
    """End of the block at ``start``: similar pairs, little padding, bounded size.

    Lengths ascend. Padding up to a half is accepted for the first 4096 nodes, because an additional
    block would cost more than the padding.
    """
    stop = min(alike, start + max(1, max_nodes // int(length[start])))
    padded = np.arange(1, stop - start + 1) * length[start:stop]
    excess = padded - np.cumsum(length[start:stop])
    fits = (padded <= max_nodes) & (excess <= np.maximum(padded // 8, 4096))
    return start + max(1, int(np.count_nonzero(np.logical_and.accumulate(fits))))


def _block_kinds(laws: PairLaws, window: Windows) -> Positions:
    """Classify pairs by the formulas they need, so that a block uses only one."""
    span = (window.length - 1) * window.stride
    reach = np.maximum(np.abs(window.first - laws.mean), np.abs(window.first + span - laws.mean))
    both, row_only, col_only, neither = laws.cell_means()
    limit = (2.0 - _SERIES_RADIUS) / (2.0 * _SERIES_RADIUS) * reach
    smallest_other = np.minimum(np.minimum(row_only, col_only), neither)
    strided = window.stride > 1.0
    wide, others_wide = both < limit, strided & (smallest_other < limit)
    kinds: Positions = (wide + 2 * strided + 4 * others_wide).astype(np.intp)
    return kinds


def _weighted_nodes(
    index: Positions, laws: PairLaws, window: Windows, *, is_deep: bool
) -> NodeBlock:
    steps = np.arange(window.length.max(), dtype=np.float64)[:, np.newaxis]
    if window.stride[0] > 1.0:
        counts = window.first + window.stride * steps
        deviations = (counts - laws.mean) - laws.mean_low
        weights = _deviance_weights(laws, counts, deviations)
        weights[steps >= window.length] = 0.0
    else:
        counts = window.first + steps
        deviations = (counts - laws.mean) - laws.mean_low
        weights = _ratio_weights(laws, counts, is_deep=is_deep)
    weights /= weights.sum(axis=0)
    return NodeBlock(index, laws, counts, deviations, weights, window.length)


def _ratio_weights(laws: PairLaws, counts: FloatArray, *, is_deep: bool) -> FloatArray:
    """Weights at consecutive integers, from the exact ratio of neighboring probabilities.

    Beyond the end of the support the ratio, and with it the weight, is zero.
    """
    weights = np.empty_like(counts)
    weights[0] = 1.0
    previous, ratios = counts[:-1], weights[1:]
    np.subtract(laws.row_size, previous, out=ratios)
    ratios *= laws.col_size - previous
    ratios /= counts[1:]
    ratios /= counts[1:] + (laws.n_samples - laws.row_size - laws.col_size)
    if is_deep:
        rise = np.log2(np.maximum(ratios, 1.0)).sum(axis=0)
        weights[0] = np.exp2(np.round(_LOG2_OF_MODE - rise))
    for step in range(1, len(weights)):
        weights[step] *= weights[step - 1]
    return weights


def _deviance_weights(laws: PairLaws, counts: FloatArray, deviations: FloatArray) -> FloatArray:
    """Weights up to a constant, from the deviances of the four cells (Loader, 2000)."""
    rest = laws.n_samples - laws.row_size - laws.col_size
    both, row_only, col_only, neither = laws.cell_means()
    exponent = np.zeros_like(counts)
    relative = np.ones_like(counts)
    opposite = -deviations
    for cell, deviation, expected in (
        (counts, deviations, both),
        (laws.row_size - counts, opposite, row_only),
        (laws.col_size - counts, opposite, col_only),
        (rest + counts, deviations, neither),
    ):
        cell = np.maximum(cell, 1.0)
        exponent -= entropy_excess(cell, deviation, expected)
        exponent -= _stirling_error(cell)
        relative *= cell / expected
    exponent -= exponent.max(axis=0)
    return np.exp(exponent) / np.sqrt(relative)


def _stirling_error(counts: FloatArray) -> FloatArray:
    """Return ln n! - (n ln n - n + ln(2 pi n) / 2) by its asymptotic series.

    Strided cells expect 40 objects or more, so the few counts below 10 hardly matter.
    """
    inverse = 1.0 / counts
    if counts.min() > 2000.0:
        return inverse / 12.0 - inverse * inverse * inverse / 360.0
    square = inverse * inverse
    series = square * (1.0 / 1188.0)
    for term in (1.0 / 1680.0, 1.0 / 1260.0, 1.0 / 360.0):
        np.subtract(term, series, out=series)
        series *= square
    np.subtract(1.0 / 12.0, series, out=series)
    series *= inverse
    return series


def pair_chunks(
    row_sizes: FloatArray, col_sizes: FloatArray, n_samples: float, max_pairs: int = CHUNK_PAIRS
) -> Iterator[tuple[slice, PairLaws]]:
    """Yield the laws of all pairs of sizes, some full rows at a time."""
    step = max(1, max_pairs // max(col_sizes.size, 1))
    for start in range(0, row_sizes.size, step):
        rows = slice(start, min(start + step, row_sizes.size))
        yield rows, PairLaws.of_margins(row_sizes[rows], col_sizes, n_samples)


def sums_of_means(
    row_sizes: FloatArray,
    row_counts: FloatArray,
    col_sizes: FloatArray,
    col_counts: FloatArray,
    n_samples: float,
    *functions: Callable[[NodeBlock], FloatArray],
    precision: float = MEAN_PRECISION,
    growth: float = 0.0,
    strided: bool = True,
) -> tuple[FloatArray, FloatArray]:
    """Sums over a row of the mean of a function of the cell, and over a column.

    Parameters
    ----------
    row_sizes, row_counts, col_sizes, col_counts : ndarray
        Distinct sizes of clusters, and how many clusters have each of them.
    n_samples : float
        Number of objects.
    *functions : callable
        The first one is added up over rows, the last one over columns.
    precision, growth, strided
        As in :func:`node_blocks`.

    Returns
    -------
    rows, cols : ndarray
        Sum for one cluster of each size.
    """
    row_sums = np.zeros(row_sizes.size)
    col_sums = np.zeros(col_sizes.size)
    for rows, laws in pair_chunks(row_sizes, col_sizes, n_samples):
        tables = [np.empty(laws.mean.size) for _ in functions]
        for block in node_blocks(laws, precision, growth, strided=strided):
            for table, function in zip(tables, functions, strict=True):
                table[block.pairs] = _inner(block.weights, function(block))
        in_rows, in_cols = (tables[one].reshape(-1, col_sizes.size) for one in (0, -1))
        row_sums[rows] = np.sum(in_rows * col_counts, axis=1)
        # In column order, so that NumPy uses pairwise summation.
        col_sums += np.sum(np.ascontiguousarray(in_cols.T) * row_counts[rows], axis=1)
    return row_sums, col_sums


class Expansion(NamedTuple):
    """A function in the orthonormal polynomials of some laws.

    ``coefficients`` are those of degree 1, 2, ... without the mean. The variance in higher degrees,
    for each pair, is the ``remainder`` (Parseval); ``rounding`` is the part of it that may be
    rounding error.
    """

    coefficients: list[FloatArray]
    remainder: FloatArray
    rounding: FloatArray


def expand(
    block: NodeBlock,
    values: FloatArray,
    is_done: Callable[[int, FloatArray], bool],
    *,
    noise: float = 0.0,
    max_degree: float = np.inf,
    guards_ends: bool = False,
) -> Expansion:
    """Coefficients of a function in the orthonormal polynomials of each law (Hahn polynomials).

    Lanczos' (Stieltjes') procedure in (x - mu) / s with full re-orthogonalisation [2]_. The closed
    three-term recurrence of the Hahn polynomials is unstable in the degrees needed here.

    Parameters
    ----------
    block : NodeBlock
        Nodes and weights.
    values : ndarray of shape (n_nodes, n_pairs)
        The function at the nodes.
    is_done : callable
        Function of the degree reached, 1 or more, and of the share of the variance beyond degree 1
        that remains for each pair; returns whether to stop.
    noise : float
        Relative rounding error of the values, if it exceeds the remainder.
    max_degree : float
        Degree to stop at in any case.
    guards_ends : bool
        Whether to stop at polynomials that reach beyond a window which leaves out tails of the law.
        The coefficients of a smooth function are negligible before.

    Returns
    -------
    Expansion
        With the coefficients of degree 1, 2, ...
    """
    scaled = block.deviations / np.sqrt(np.maximum(block.laws.variance, 1e-300))
    basis = [np.sqrt(block.weights)]
    residual = (values - _inner(block.weights, values)) * basis[0]
    remainder = _inner(residual, residual)
    # The rest after degree 1 may be rounding error only, which no further degree explains.
    rounding = np.maximum(1e-28 * remainder, 1e-300)
    if noise:
        scale = values * basis[0]
        rounding = np.maximum(rounding, noise * noise * _inner(scale, scale))
    reference = remainder
    coefficients: list[FloatArray] = []
    ends = _cut_ends(block) if guards_ends else np.zeros(0, np.intp)
    end_pairs = ends % block.pairs.size
    for degree in range(1, int(min(block.lengths.max(), max_degree + 1))):
        vector = scaled * basis[-1]
        for known in reversed(basis):
            vector -= _inner(known, vector) * known
        norm = np.sqrt(_inner(vector, vector))
        # A law on m nodes has m polynomials; a further one is rounding error only.
        vector *= np.where(block.lengths > degree, 1.0 / np.maximum(norm, 1e-300), 0.0)
        mass = np.square(vector.ravel()[ends])
        if np.any((mass > _CUT_MASS) & (remainder > rounding)[end_pairs]):
            break
        coefficient = _inner(residual, vector)
        residual -= coefficient * vector
        remainder = np.where(block.lengths > degree + 1, _inner(residual, residual), 0.0)
        basis.append(vector)
        coefficients.append(coefficient)
        if degree == 1:
            reference = np.maximum(remainder, rounding)
        if is_done(degree, np.where(remainder > rounding, remainder / reference, 0.0)):
            break
    return Expansion(coefficients, remainder, rounding)


class PairExpansions(NamedTuple):
    """Expansions of some pairs, and properties of each.

    The properties are the mean, the ``remainder`` of the variance, the deviation of the part
    ``beyond`` degree 1 and of the part ``left`` out beyond a ``degree``, and the deviation due to
    ``noise``.
    """

    coefficients: list[FloatArray]
    mean: FloatArray
    remainder: FloatArray
    beyond: FloatArray
    left: FloatArray
    degree: FloatArray
    noise: FloatArray


def expand_pairs(
    laws: PairLaws,
    function: Callable[[NodeBlock], FloatArray],
    is_done: Callable[[int, FloatArray], bool],
    *,
    precision: float = VARIANCE_PRECISION,
    growth: float = 0.0,
    strided: bool = True,
    noise: float = 0.0,
    max_degree: Callable[[NodeBlock], float] = lambda _: np.inf,
) -> PairExpansions:
    """Expand a function of the cell in the polynomials of each pair.

    For the parameters see :func:`node_blocks` and :func:`expand`.
    """
    coefficients = [np.zeros(laws.mean.size)]
    mean, remainder, beyond, left, degree, noises = of_cells = np.zeros((6, laws.mean.size))
    for block in node_blocks(laws, precision, growth, _EXPANSION_BLOCK_NODES, strided=strided):
        values = function(block)
        by_degree, left_over, rounding = expand(
            block,
            values,
            is_done,
            noise=noise,
            max_degree=max_degree(block),
            guards_ends=not strided,
        )
        while len(coefficients) < len(by_degree):
            coefficients.append(np.zeros(laws.mean.size))
        for target, source in zip(coefficients, by_degree, strict=False):
            target[block.pairs] = source
        mean[block.pairs] = _inner(block.weights, values)
        remainder[block.pairs] = left_over
        beyond[block.pairs] = np.sqrt(left_over + sum(c * c for c in by_degree[1:]))
        left[block.pairs] = np.sqrt(np.where(left_over > rounding, left_over, 0.0))
        degree[block.pairs] = len(by_degree)
        noises[block.pairs] = np.sqrt(rounding) * bool(noise)
    return PairExpansions(coefficients, *of_cells)


def _cut_ends(block: NodeBlock) -> Positions:
    """Return the flat positions of the first and last nodes beyond which a law continues."""
    laws = block.laws
    pairs = np.arange(block.lengths.size)
    # Weights that underflow cut a window as well.
    first = (block.weights > 0.0).argmax(axis=0)
    last = np.count_nonzero(block.weights, axis=0) - 1 + first
    goes_on_below = block.counts[first, pairs] > laws.row_size + laws.col_size - laws.n_samples
    goes_on_below &= block.counts[first, pairs] > 0.0
    goes_on_above = block.counts[last, pairs] < np.minimum(laws.row_size, laws.col_size)
    ends = first * pairs.size + pairs, last * pairs.size + pairs
    return np.concatenate([ends[0][goes_on_below], ends[1][goes_on_above]])


def _inner(left: FloatArray, right: FloatArray) -> FloatArray:
    product: FloatArray = np.einsum("np,np->p", left, right)
    return product
