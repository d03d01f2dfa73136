"""The kernels in NumPy, used if the compiled ones were not built, and the reference for them.

All functions work in blocks that stay in the cache, and avoid temporaries of the size of the input.
"""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar
from scipy.special import gammaln

from sklearn_clustcompare._array_types import Array, FloatArray, IntArray, Positions
from sklearn_clustcompare._kernels.hypergeometric import (
    NodeBlock,
    PairLaws,
    expand_pairs,
    sums_of_means,
)
from sklearn_clustcompare._numerics import deformed_log, divide_product, entropy_excess, ordered_sum

_BLOCK = 2**16
# Codes of two or three partitions at a time.
_SMALL_BLOCK = 2**15

# Slots of the hash table for text: many times the number of labels of most partitions, and few
# enough to stay in the cache.
_SLOT_BITS = 16
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_TEXT_BLOCK = 2**13

# Counts of fewer objects than this fit into 32 bits.
_MOST_IN_ONE_PASS = 2**31

# A dense array of cells may be this many times larger than the number of objects; beyond
# that, sorting the occupied cells is faster and keeps memory in proportion to the objects.
_DENSE_CELLS_PER_OBJECT = 2
_ALWAYS_DENSE_CELLS = 2**12
# Where only the bits of the labels are known, a side may seem twice as large as it is.
_CELLS_OF_BITS_PER_OBJECT = 4 * _DENSE_CELLS_PER_OBJECT


Groups = tuple[FloatArray, FloatArray]


class SquareSums(NamedTuple):
    """Sums of squares of a table: ``sum n_ij^2``, ``sum a_i^2``, ``sum b_j^2``.

    Python's ints for whole counts, of which no digits are lost.
    """

    cells: Any
    rows: Any
    cols: Any


class Entropies(NamedTuple):
    """Shannon's entropies of two partitions, and of each of them given the other one, in nats."""

    of_sides: tuple[float, float]
    given: tuple[float, float]


class PackedTable(NamedTuple):
    """A table without its empty rows and columns.

    ``counts`` are those of all cells, row by row; or, with the numbers of their ``cells``, of the
    occupied ones. ``sizes`` are the sums of the rows, and then those of the columns; ``codes`` are
    the numbers that they had before. ``square_sums`` are None where they would take a further pass.
    """

    counts: Array
    cells: IntArray | None
    sizes: Array
    codes: IntArray
    shape: tuple[int, int]
    n_samples: Any
    n_cells: int
    square_sums: SquareSums | None = None

    @property
    def occupied(self) -> tuple[IntArray, Array]:
        """The numbers of the occupied cells, and their counts."""
        if self.cells is None:
            return occupied_cells(self.counts)
        return self.cells, self.counts

    @property
    def row_sums(self) -> Array:
        return self.sizes[: self.shape[0]]

    @property
    def col_sums(self) -> Array:
        return self.sizes[self.shape[0] :]

    @property
    def row_codes(self) -> IntArray:
        return self.codes[: self.shape[0]]

    @property
    def col_codes(self) -> IntArray:
        return self.codes[self.shape[0] :]


def integer_bounds(values: Array) -> tuple[int, int]:
    """Return the smallest and the largest of some integers."""
    # The reductions of the ufuncs, for their smaller overhead on few values.
    return int(np.minimum.reduce(values)), int(np.maximum.reduce(values))


def fits_densely(shape: tuple[int, int], n_samples: int) -> bool:
    """Return whether an array with every cell of the table is worth its memory."""
    return shape[0] * shape[1] <= max(_ALWAYS_DENSE_CELLS, _DENSE_CELLS_PER_OBJECT * n_samples)


def count_densely(
    rows: Array,
    cols: Array,
    row_low: int,
    col_low: int,
    shape: tuple[int, int],
    weights: Array | None = None,
) -> Array:
    """Count the pairs ``(rows[k] - row_low, cols[k] - col_low)`` in an array of all cells.

    With weights, each pair adds its weight instead of one. Large tables are int32 if the number of
    objects fits: random access to half the memory.
    """
    n_cells = shape[0] * shape[1]
    offset = row_low * shape[1] + col_low
    if weights is not None:
        cells = _flat_cells(rows, cols, shape[1], offset)
        return _sums_of_weights(cells, weights, n_cells).reshape(shape)
    if len(rows) <= _BLOCK:
        cells = _flat_cells(rows, cols, shape[1], offset)
        return np.bincount(cells, minlength=n_cells).reshape(shape)
    is_large = n_cells > _BLOCK
    fits_int32 = is_large and len(rows) < _MOST_IN_ONE_PASS
    counts: Array = np.zeros(n_cells, np.int32 if fits_int32 else np.int64)
    one = counts.dtype.type(1)  # a plain 1 would be int64 and slow the addition down
    buffer = np.empty(_BLOCK, np.int64)
    for start in range(0, len(rows), _BLOCK):
        block = slice(start, start + _BLOCK)
        cells = _flat_cells(rows[block], cols[block], shape[1], offset, buffer)
        if is_large:  # then bincount, which makes a whole table each time, is slower
            np.add.at(counts, cells, one)
        else:
            counts += np.bincount(cells, minlength=n_cells)
    return counts.reshape(shape)


def count_pair(rows: Any, cols: Any) -> PackedTable | None:
    """Count pairs of labels if both sides are small integers; otherwise return None.

    Small integers are -1, the label of noise, and numbers of so few bits that a table of all their
    cells is worth its memory. The largest number of a signed type is not small. The result is also
    None for anything but two contiguous one-dimensional arrays of integers of the same length, in
    the byte order of the machine.
    """
    if not (_holds_integers(rows) and _holds_integers(cols) and len(rows) == len(cols)):
        return None
    n_objects = len(rows)
    if not 0 < n_objects < _MOST_IN_ONE_PASS:
        return None
    bounds = integer_bounds(rows), integer_bounds(cols)
    firsts = [-(side.dtype.kind == "i") for side in (rows, cols)]
    bits = 0
    for side, (low, high), first in zip((rows, cols), bounds, firsts, strict=True):
        if low < first or high - first > np.iinfo(side.dtype).max:
            return None
        bits += (high - first).bit_length()
    if 1 << bits > max(_ALWAYS_DENSE_CELLS, _CELLS_OF_BITS_PER_OBJECT * n_objects):
        return None
    (row_low, row_high), (col_low, col_high) = bounds
    shape = row_high - row_low + 1, col_high - col_low + 1
    packed = pack_table(count_densely(rows, cols, row_low, col_low, shape))
    return packed._replace(codes=packed.codes + np.repeat([row_low, col_low], packed.shape))


def _holds_integers(values: Any) -> bool:
    return (
        values.ndim == 1
        and values.dtype.kind in "iu"
        and values.dtype.isnative
        and values.flags.c_contiguous
    )


def pack_table(counts: Array) -> PackedTable:
    """Leave out the empty rows and columns of a table of whole counts, and add up the others."""
    row_sums: IntArray = np.add.reduce(counts, axis=1, dtype=np.int64)
    col_sums: IntArray = np.add.reduce(counts, axis=0, dtype=np.int64)
    row_codes, col_codes = row_sums.nonzero()[0], col_sums.nonzero()[0]
    if len(row_codes) < len(row_sums):
        counts, row_sums = counts[row_codes], row_sums[row_codes]
    if len(col_codes) < len(col_sums):
        counts, col_sums = counts[:, col_codes], col_sums[col_codes]
    n_samples = int(np.add.reduce(row_sums))
    is_small = counts.size <= _BLOCK or n_samples >= _MOST_IN_ONE_PASS
    flat = counts.ravel().astype(np.int64 if is_small else np.int32, copy=False)
    return PackedTable(
        flat,
        None,
        np.concatenate([row_sums, col_sums]),
        np.concatenate([row_codes, col_codes]),
        counts.shape,
        n_samples,
        int(np.count_nonzero(flat)),
    )


def sum_of_squares(counts: Array, total: int) -> int:
    """Return the sum of the squares of whole counts that add up to a total, exactly."""
    # sum n^2 <= (sum n)^2: int64 holds it as long as the total is small enough.
    if total * total < 2**63:
        counts = counts.astype(np.int64, copy=False)
        return int(counts @ counts)
    return sum(count * count for count in counts.tolist())


def count_sparsely(
    rows: Array,
    cols: Array,
    row_low: int,
    col_low: int,
    shape: tuple[int, int],
    weights: Array | None = None,
) -> PackedTable:
    """Count as :func:`count_densely`, but only the occupied cells.

    The memory needed is in proportion to the number of objects, not of cells.
    """
    cells = _flat_cells(rows, cols, shape[1], row_low * shape[1] + col_low)
    if weights is not None:
        positive = weights > 0
        occupied, number = np.unique(cells[positive], return_inverse=True)
        sums = _sums_of_weights(number, weights[positive], len(occupied))
        return pack_cells(occupied, sums, shape)
    cells.sort()
    last = np.flatnonzero(np.append(cells[1:] != cells[:-1], len(cells) > 0))
    counts = last.copy()
    counts[1:] -= last[:-1]
    counts[:1] += 1
    return pack_cells(cells[last], counts, shape)


def _sums_of_weights(cells: Positions, weights: Array, n_cells: int) -> Array:
    """Add up the weights of each cell; those that are not whole are rounded once, whatever order.

    Multiples of a power of two are added without error, and what they leave is far smaller.
    """
    parts = [weights]
    if weights.dtype.kind == "f":
        total = weights.max(initial=0.0) * len(weights)
        unit = 2.0 ** (np.frexp(total)[1] - 52)
        coarse = np.rint(weights / unit) * unit
        parts = [coarse, weights - coarse]
    sums = np.zeros((len(parts), n_cells), weights.dtype)
    for one, part in zip(sums, parts, strict=True):
        np.add.at(one, cells, part)
    return sums.sum(axis=0)


def pack_cells(cells: IntArray, counts: Array, shape: tuple[int, int]) -> PackedTable:
    """Leave out the empty rows and columns of a table of occupied cells, and add up the others."""
    rows, cols = split_cells(cells, shape[1])
    row_codes, rows, row_sums = _margin(rows, counts, shape[0])
    col_codes, cols, col_sums = _margin(cols, counts, shape[1])
    return PackedTable(
        counts,
        rows * len(col_codes) + cols,
        np.concatenate([row_sums, col_sums]),
        np.concatenate([row_codes, col_codes]),
        (len(row_codes), len(col_codes)),
        ordered_sum(counts),
        len(counts),
    )


def _margin(codes: IntArray, values: Array, n_codes: int) -> tuple[IntArray, IntArray, Array]:
    """Number the codes that occur from zero, and add up the values of each."""
    if fits_densely((n_codes, 1), len(codes)):
        occurs = np.zeros(n_codes, bool)
        occurs[codes] = True
        occurring = np.flatnonzero(occurs)
        codes = (np.cumsum(occurs) - 1)[codes]
    else:
        occurring, codes = np.unique(codes, return_inverse=True)
    if values.dtype.kind == "f":
        # Ordered within each group, so that the sums do not depend on the order of labels.
        order = np.lexsort((values, codes))
        codes, values = codes[order], values[order]
        starts = np.searchsorted(codes, np.arange(len(occurring)))
        sums = np.add.reduceat(values, starts) if len(values) else np.zeros(0)
        codes = codes[np.argsort(order)]
    else:
        sums = np.zeros(len(occurring), np.int64)
        np.add.at(sums, codes, values)
    return occurring, codes, sums


def occupied_cells(dense: Array) -> tuple[IntArray, Array]:
    """Return the numbers of the cells of a flat array that are not zero, and their counts."""
    cells = dense.astype(bool).nonzero()[0]  # NumPy finds True faster than numbers
    counts = dense[cells]
    return cells, counts.astype(np.int64, copy=False) if counts.dtype.kind == "i" else counts


def split_cells(cells: IntArray, n_cols: int) -> tuple[IntArray, IntArray]:
    """Return row and column of flat cell numbers."""
    # NumPy's division by one number is vectorized, but divmod is not.
    rows = cells // max(n_cols, 1)
    return rows, cells - rows * n_cols


def _flat_cells(
    rows: Array,
    cols: Array,
    n_cols: int,
    offset: int,
    buffer: IntArray | None = None,
) -> IntArray:
    out = None if buffer is None else buffer[: len(rows)]
    cells = np.multiply(rows, n_cols, out=out, dtype=np.int64, casting="same_kind")
    np.add(cells, cols, out=cells, dtype=np.int64, casting="same_kind")
    if offset:
        # Sums and products wrap around modulo 2**64; since the cell number is small, it is right
        # however far from zero the labels are.
        cells -= np.array(offset % 2**64, np.uint64).astype(np.int64)
    return cells


def number_codes(codes: Array, n_codes: int) -> tuple[Positions, Positions, IntArray]:
    """Number the codes below ``n_codes`` that occur from zero, in their order.

    Returns the codes that occur, the number of each code given, and how often each one occurs.
    """
    if not fits_densely((n_codes, 1), len(codes)):
        occurring, numbers, sizes = np.unique(codes, return_inverse=True, return_counts=True)
        return occurring, numbers, sizes
    sizes = np.bincount(codes.astype(np.intp, copy=False), minlength=n_codes)
    occurs = sizes > 0
    if occurs.all():
        return np.arange(n_codes), codes, sizes
    return np.flatnonzero(occurs), (np.cumsum(occurs) - 1)[codes], sizes[occurs]


def square_sums_together(
    codes: Array, groups: Sequence[Sequence[int]], n_codes: Sequence[int]
) -> list[tuple[int, ...]]:
    """Add up the squared cells of the tables of all pairs in each group of two or three partitions.

    ``codes`` has a row for each partition, with codes below the ``n_codes`` of that partition.
    Pairs of a group come in the order of ``itertools.combinations``.
    """
    return [
        tuple(
            int(counts.ravel() @ counts.ravel())
            for counts in count_pairs_together(
                [codes[one] for one in group], tuple(n_codes[one] for one in group)
            )
        )
        for group in groups
    ]


def count_pairs_together(codes: Sequence[Array], shape: tuple[int, ...]) -> list[IntArray]:
    """Count the pairs of codes of two or three partitions, in one table for each two of them.

    Three are counted together where that table is small next to the objects: its margins are the
    tables of the three pairs, for one pass over the objects.
    """
    if len(codes) == 2:
        return [_count_together(codes, shape)]
    if math.prod(shape) > len(codes[0]):
        pairs = itertools.combinations(range(3), 2)
        return [_count_together([codes[i], codes[j]], (shape[i], shape[j])) for i, j in pairs]
    # Sums of floats are matrix products, and exact for counts below 2**53.
    cells = _count_together(codes, shape).astype(np.float64)
    ones = np.ones(max(shape))
    margins = (
        cells @ ones[: shape[2]],
        ones[: shape[1]] @ cells,
        (ones[: shape[0]] @ cells.reshape(shape[0], shape[1] * shape[2])).reshape(shape[1:]),
    )
    return [margin.astype(np.int64) for margin in margins]


def _count_together(codes: Sequence[Array], shape: tuple[int, ...]) -> IntArray:
    n_objects = len(codes[0])
    if n_objects <= _SMALL_BLOCK:
        return _count_block_together(codes, shape)
    counts = np.zeros(shape, np.int64)
    for start in range(0, n_objects, _SMALL_BLOCK):
        counts += _count_block_together([one[start : start + _SMALL_BLOCK] for one in codes], shape)
    return counts


def _count_block_together(codes: Sequence[Array], shape: tuple[int, ...]) -> IntArray:
    n_cells = math.prod(shape)
    dtype = np.uint16 if n_cells < 2**16 else np.int64
    cells = np.multiply(codes[0], shape[1], dtype=dtype, casting="same_kind")
    cells += codes[1]
    if len(codes) == 3:
        cells *= shape[2]
        cells += codes[2]
    return np.bincount(cells, minlength=n_cells).reshape(shape)


def number_text(texts: Array) -> tuple[IntArray, IntArray]:
    """Number texts of a fixed width, in a contiguous array, in the order of their first rows.

    Returns the number of each row, and the first row of each number.
    """
    width = texts.dtype.itemsize
    if len(texts) > _TEXT_BLOCK and width:
        characters = texts.view(np.uint32 if texts.dtype.kind == "U" else np.uint8)
        found = _number_by_slots(characters.reshape(len(texts), -1))
        if found is not None:
            return found
    # Raw bytes are cheaper to make than strings.
    return number_objects(texts.view(f"V{width}") if width else texts)


def number_values(values: Array) -> tuple[Array, Positions]:
    """Return the values that occur in their order, and the number of each value given."""
    occurring, numbers = np.unique(values, return_inverse=True)
    return occurring, numbers


def _number_by_slots(
    characters: Array,
) -> tuple[IntArray, IntArray] | None:
    """Number the rows of an array of characters by a hash, or return None.

    Each slot is represented by one of its rows, and every row is compared with the one of its
    slot: the result is right for any hash, and None means that two different rows share a slot.
    """
    n_rows = len(characters)
    blocks = [slice(start, start + _TEXT_BLOCK) for start in range(0, n_rows, _TEXT_BLOCK)]
    slots = np.empty(n_rows, np.int64)
    first = np.full(2**_SLOT_BITS, n_rows)
    for block in reversed(blocks):
        columns = np.ascontiguousarray(characters[block].T)
        sums = np.zeros(columns.shape[1], np.uint64)
        for column in columns:
            sums += column
            sums *= _MULTIPLIER
        slots[block] = sums >> np.uint64(64 - _SLOT_BITS)
        # Backwards, because the last assignment to a slot is the one that counts.
        rows = np.arange(block.start, block.start + len(sums))
        first[slots[block][::-1]] = rows[::-1]
    for block in blocks:
        if not np.array_equal(characters[block], characters[first[slots[block]]]):
            return None
    occupied = np.flatnonzero(first < n_rows)
    occupied = occupied[np.argsort(first[occupied])]
    number = np.empty(len(first), np.int64)
    number[occupied] = np.arange(len(occupied))
    return number[slots], first[occupied]


def number_objects(labels: Array) -> tuple[IntArray, IntArray]:
    """Number hashable labels, by value, as :func:`number_text` does."""
    number: defaultdict[Any, int] = defaultdict(itertools.count().__next__)
    numbers = np.fromiter(map(number.__getitem__, labels.tolist()), np.int64, len(labels))
    first = np.empty(len(number), np.int64)
    # Backwards, because the last assignment to a number is the one that counts.
    first[numbers[::-1]] = np.arange(len(labels))[::-1]
    return numbers, first


def log_ratio_sum(parts: Array, wholes: Any, total: Any) -> float:
    """Return the sum of n / N ln(a / n) over the parts n of the wholes a, and N, the total.

    Parts are positive counts or masses, in any order: the sum is the same. The wholes are an array
    of as many, or one number for all parts.
    """
    return float(ordered_sum(parts / total * deformed_log(wholes, parts, 1.0)))


def table_entropies(packed: PackedTable) -> Entropies:
    """Return the entropies of a table."""
    if not packed.n_samples:
        return Entropies((0.0, 0.0), (0.0, 0.0))
    cells, counts = packed.occupied
    rows, cols = split_cells(cells, packed.shape[1])
    row_sums, col_sums, total = packed.row_sums, packed.col_sums, packed.n_samples
    return Entropies(
        (log_ratio_sum(row_sums, total, total), log_ratio_sum(col_sums, total, total)),
        (
            log_ratio_sum(counts, col_sums[cols], total),
            log_ratio_sum(counts, row_sums[rows], total),
        ),
    )


def information_excess(packed: PackedTable) -> float:
    """Return the mutual information of a table as a sum of terms that are not negative.

    Near independence that keeps the digits that a difference of entropies loses.
    """
    if not packed.n_samples:
        return 0.0
    cells, counts = packed.occupied
    rows, cols = split_cells(cells, packed.shape[1])
    row_sums, col_sums, total = packed.row_sums, packed.col_sums, float(packed.n_samples)
    expected, rest = divide_product(
        row_sums[rows].astype(np.float64), col_sums[cols].astype(np.float64), total
    )
    terms = entropy_excess(counts.astype(np.float64), (counts - expected) - rest, expected)
    empty = expected_of_empty_cells(rows, cols, row_sums, col_sums, expected)
    return max(ordered_sum(terms) + empty, 0.0) / total


def expected_of_empty_cells(
    rows: IntArray,
    cols: IntArray,
    row_sums: Array,
    col_sums: Array,
    expected: FloatArray,
) -> float:
    """Return the sum of a_i b_j / N over all cells but the occupied ones, which are given."""
    total = ordered_sum(row_sums)
    if row_sums.dtype.kind == "f":
        return max(total - ordered_sum(expected), 0.0)
    # Column sums without common objects per row: whole numbers, so subtraction is exact.
    met = np.zeros(len(row_sums), np.int64)
    np.add.at(met, rows, col_sums[cols])
    missed = total - met
    some = missed > 0
    sizes = row_sums[some].tolist()
    share = sum(size * miss for size, miss in zip(sizes, missed[some].tolist(), strict=True))
    return share / total if share else 0.0


def group_sizes(sizes: IntArray, n_rows: int) -> tuple[Groups, Groups]:
    """Return the distinct sizes of rows and of columns, ascending, and how many have each.

    ``sizes`` are those of the rows, and then those of the columns.
    """
    sides = (np.unique(side, return_counts=True) for side in (sizes[:n_rows], sizes[n_rows:]))
    rows, cols = ((side.astype(np.float64), n.astype(np.float64)) for side, n in sides)
    return rows, cols


def membership_bounds(memberships: FloatArray) -> tuple[bool, float, float]:
    """Return whether no membership is negative or NaN, and the smallest and largest sum of a row.

    The sums are infinite if there are no rows.
    """
    with np.errstate(invalid="ignore"):  # infinite ones of both signs
        sums = memberships @ np.ones(memberships.shape[1])
    return (
        bool(memberships.min(initial=np.inf) >= 0),
        float(sums.min(initial=np.inf)),
        float(sums.max(initial=-np.inf)),
    )


def average_linkage(
    distances: NDArray[np.float32], masses: NDArray[np.float32]
) -> tuple[Positions, FloatArray]:
    """Merge the two nearest groups until one is left, by average linkage of weighted pairs.

    ``masses[i, j]`` is the weight of the distance of two groups, which may be 0, where the
    distance is not known. Both symmetric arrays are overwritten. Returns the group that is kept and
    the one that is merged into it, and their distance, for each merge.
    """
    n_groups = len(distances)
    is_merged = np.zeros(n_groups, bool)
    np.fill_diagonal(distances, np.inf)
    nearest = distances.argmin(axis=1)
    shortest = distances[np.arange(n_groups), nearest]
    merges = np.empty((n_groups - 1, 2), np.intp)
    heights = np.empty(n_groups - 1)
    for step in range(n_groups - 1):
        kept = int(shortest.argmin())
        gone = int(nearest[kept])
        merges[step], heights[step] = (kept, gone), shortest[kept]
        is_merged[gone] = True
        mass = masses[kept] + masses[gone]
        # A distance that is not known has no mass, and stays what it is beside another such.
        share = masses[gone] / np.maximum(mass, np.finfo(np.float32).tiny)
        with np.errstate(invalid="ignore"):  # infinite where a group is merged
            row = (1 - share) * distances[kept] + share * distances[gone]
        row[is_merged] = row[kept] = np.inf
        distances[kept] = distances[:, kept] = row
        masses[kept] = masses[:, kept] = mass
        shortest[gone] = np.inf
        closer = row < shortest
        is_stale = ((nearest == kept) | (nearest == gone)) & ~closer & ~is_merged
        shortest[closer], nearest[closer] = row[closer], kept
        is_stale[kept] = True
        for one in np.flatnonzero(is_stale).tolist():
            nearest[one] = np.where(is_merged, np.inf, distances[one]).argmin()
            shortest[one] = distances[one, nearest[one]]
    return merges, heights


# --------------------------------------------------------------------------- hypergeometric laws


def convex_gain_sums(
    row_sizes: FloatArray,
    row_counts: FloatArray,
    col_sizes: FloatArray,
    col_counts: FloatArray,
    n_samples: float,
) -> tuple[FloatArray, FloatArray]:
    """Add up E x ln(x / mu) over a row and over a column, for a cluster of each size.

    x is the number of objects that clusters of two sizes share if the objects are permuted, and mu
    its mean. There are ``row_counts`` clusters of the distinct ``row_sizes``, columns likewise.
    """
    return sums_of_means(
        row_sizes,
        row_counts,
        col_sizes,
        col_counts,
        n_samples,
        lambda block: entropy_excess(block.counts, block.deviations, block.laws.mean),
    )


def expected_information(sizes: IntArray, n_rows: int) -> float:
    """Return the mean of the mutual information for sizes of rows, and then of columns.

    Swapping the two sides does not change a bit.
    """
    rows, cols = sorted(
        group_sizes(sizes, n_rows),
        key=lambda side: (len(side[0]), side[0].tolist(), side[1].tolist()),
        reverse=True,
    )
    n_samples = float(sizes[:n_rows].sum())
    in_rows, _ = convex_gain_sums(*rows, *cols, n_samples)
    return math.fsum(in_rows / n_samples * rows[1])


def conditional_gain_sums(
    row_sizes: FloatArray,
    row_counts: FloatArray,
    col_sizes: FloatArray,
    col_counts: FloatArray,
    n_samples: float,
) -> tuple[FloatArray, FloatArray]:
    """Add up E x ln(b / x) over a row, and E x ln(a / x) over a column, for a cluster of each size.

    Rows have a objects and columns b; otherwise as :func:`convex_gain_sums`.
    """
    return sums_of_means(
        row_sizes,
        row_counts,
        col_sizes,
        col_counts,
        n_samples,
        lambda block: _conditional_gain(block.counts, block.laws.col_size),
        lambda block: _conditional_gain(block.counts, block.laws.row_size),
    )


def _conditional_gain(counts: FloatArray, given_size: FloatArray) -> FloatArray:
    gain: FloatArray = counts * np.log1p((given_size - counts) / np.maximum(counts, 1.0))
    return gain


def entropy_expansions(
    row_sizes: FloatArray, col_sizes: FloatArray, n_samples: float, shares: FloatArray
) -> tuple[list[FloatArray], FloatArray, FloatArray]:
    """Expand x ln x in the orthonormal polynomials of the law of x, for pairs of sizes.

    The tangent at the mean is left out if the mean is above 1. ``shares`` of the variance beyond
    degree 1 may be left after the degrees 1, 2, ..., the last of them also after higher ones.
    Returns the coefficients by degree, from 1 on, the means, and the variances that are left.
    """

    def is_done(degree: int, left_over: FloatArray) -> bool:
        return bool(left_over.max() <= shares[min(degree, len(shares)) - 1])

    laws = PairLaws.from_sizes(n_samples, row_sizes, col_sizes)
    found = expand_pairs(laws, _entropy_beyond_line, is_done)
    return found.coefficients, found.mean, found.remainder


def _entropy_beyond_line(block: NodeBlock) -> FloatArray:
    excess = entropy_excess(block.counts, block.deviations, block.laws.mean)
    plain = block.counts * np.log(np.maximum(block.counts, 1.0))
    return np.where(block.laws.mean > 1.0, excess, plain)


def entropy_moments(
    row_sizes: FloatArray,
    row_counts: FloatArray,
    col_sizes: FloatArray,
    col_counts: FloatArray,
    n_samples: float,
) -> tuple[float, float] | None:
    """Return mean and variance of the sum of x ln x over all cells, without its lines.

    None where they are to be found degree by degree, as for other functions of the cell: see
    ``_chance.spectral``. Here they always are.
    """
    return None


def entropy_position(
    packed: PackedTable,
    row_sizes: FloatArray,
    row_counts: FloatArray,
    col_sizes: FloatArray,
    col_counts: FloatArray,
    mean: float,
) -> float | None:
    """Return that sum for a table, less its mean; None as for ``entropy_moments``."""
    return None


# --------------------------------------------------------------------------- code lengths

# From here on three terms of Stirling's series are exact to double precision.
_LARGE = 100.0
# From here on the part of a code length that is the same for all alphas is split off.
_MANY_OBJECTS = 2**20
# Per object, lengths that are not smaller than 0 by more are 0, the one for infinite alpha.
_ROUNDING = 4 * float(np.finfo(float).eps)
# No smallest length lies beyond these bounds: 10^12 N^2 and its inverse, as a logarithm.
_FAR = 12 * math.log(10)


def shortest_code(totals: IntArray, parts: IntArray, n_labels: int) -> float:
    """Return the smallest length of a code for any alpha, less that for infinite alpha.

    The code has sequences of ``totals`` objects, which are made of ``parts``. See
    ``indices._information``.
    """
    summed, kept = (np.unique(counts, return_counts=True) for counts in (totals, parts))
    n_all, largest = float(totals.sum()), float(summed[0][-1])
    plain = _log_shares(summed, n_all) - _log_shares(kept, n_all) - n_all * math.log(n_labels)

    def length(log_alpha: FloatArray) -> FloatArray:
        alpha = np.exp(log_alpha)[..., np.newaxis]
        start = n_labels * alpha
        rises: Any = _log_rise(start, summed[0]) @ summed[1] - _log_rise(alpha, kept[0]) @ kept[1]
        rests: Any = _rise_rest(start, summed[0]) @ summed[1] - _rise_rest(alpha, kept[0]) @ kept[1]
        is_whole = (n_all < _MANY_OBJECTS) | (start[..., 0] >= largest)
        return np.where(is_whole, rises, plain + rests)

    reach = math.ceil(_FAR + 2 * math.log(totals.sum()))
    grid = np.arange(-reach, reach + 1.0)
    on_grid = length(grid)
    nearest = int(on_grid.argmin())
    lengths = [0.0]
    if on_grid[nearest] < -_ROUNDING * float(totals.sum()) and 0 < nearest < len(grid) - 1:
        found = minimize_scalar(
            lambda log_alpha: float(length(np.asarray(log_alpha))),
            bounds=(grid[nearest - 1], grid[nearest + 1]),
            method="bounded",
            options={"xatol": 1e-7},
        )
        lengths.append(float(found.fun))
    if len(totals) == len(parts):  # one label for each total, as for alpha = 0
        lengths.append(-math.log(n_labels) * float((totals - 1).sum()))
    return min(lengths)


def _log_shares(sizes: tuple[IntArray, IntArray], n_all: float) -> float:
    """Return the sum of n log(n / n_all) over all counts."""
    counts, times = sizes
    return float((times * (counts * np.log(counts / n_all))).sum())


def _log_rise(start: FloatArray, count: IntArray) -> FloatArray:
    """Return log(m (m + 1) ... (m + n - 1) / m^n); of large n, for m of at least the largest."""
    n = count.astype(np.float64)
    end = start + n
    plain = gammaln(end) - gammaln(start) - n * np.log(start)
    large = np.maximum(start, _LARGE)
    series = (end - 0.5) * np.log1p(n / large) - n + (_stirling(large + n) - _stirling(large))
    return np.where(n == 1, 0.0, np.where(start < _LARGE, plain, series))


def _rise_rest(start: FloatArray, count: IntArray) -> FloatArray:
    """Return the same less n log(n / m) - n: it grows with the logarithm of n only."""
    n = count.astype(np.float64)
    end, large = start + n, np.maximum(start, _LARGE)
    both = n * np.log1p(start / n)
    among_large = (start - 0.5) * np.log1p(n / start) + _stirling(end) - _stirling(large)
    of_start = gammaln(start) - 0.5 * math.log(2 * math.pi)
    from_small = (start - 0.5) * np.log(end) - start + _stirling(end) - of_start
    among_small = gammaln(end) - gammaln(start) - n * np.log(n) + n - both
    return both + np.select(
        [start >= _LARGE, end >= _LARGE], [among_large, from_small], among_small
    )


def _stirling(value: FloatArray) -> FloatArray:
    square = value * value
    return (1 / 12 - (1 / 360 - 1 / (1260 * square)) / square) / value
