# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Kernels with the names, arguments and results of those in ``_numpy.py``, compiled.

Arrays come in through the buffer protocol, so that building needs no headers of NumPy. Integers of
one width are read as unsigned, whatever their sign: differences wrap around and come out right.
"""

from cpython.buffer cimport PyBUF_ND, PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from cpython.dict cimport PyDict_GetItemWithError, PyDict_SetItem
from cpython.object cimport PyObject
from libc.math cimport INFINITY, NAN, ceil, exp, fabs, fma, lgamma, log, log1p, sqrt
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t, uintptr_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcmp, memcpy, memset

import functools

import numpy as np

from sklearn_clustcompare._kernels import _numpy
from sklearn_clustcompare._kernels._numpy import Entropies, PackedTable, SquareSums

ctypedef fused rows_t:
    uint8_t
    uint16_t
    uint32_t
    uint64_t

ctypedef fused cols_t:
    uint8_t
    uint16_t
    uint32_t
    uint64_t

ctypedef fused counts_t:
    int32_t
    uint32_t
    int64_t

cdef enum:
    # Objects that are counted before it is known whether their labels fit into the table.
    BLOCK = 8192
    # Other threads run while more objects than this are counted.
    MANY = 16384
    # Objects of one block, and cells, that are counted on the stack.
    FEW = 4096

cdef int64_t MOST_IN_ONE_PASS = _numpy._MOST_IN_ONE_PASS
cdef int64_t ALWAYS_DENSE = _numpy._ALWAYS_DENSE_CELLS
cdef int64_t CELLS_PER_OBJECT = _numpy._CELLS_OF_BITS_PER_OBJECT
cdef int64_t LARGE_TABLE = _numpy._BLOCK

_empty, _zeros, _new = np.empty, np.zeros, tuple.__new__
_int32, _int64, _uint32, _float64 = map(np.dtype, (np.int32, np.int64, np.uint32, np.float64))

# Types of integers in the byte order of the machine, and whether they are signed.
cdef dict SIGNED = {np.dtype(code): code.islower() for code in "bBhHiIlLqQ"}


cdef void *_data(array) except? NULL:
    """Return where the numbers of a contiguous array are, for as long as the array lives."""
    cdef Py_buffer buffer
    PyObject_GetBuffer(array, &buffer, PyBUF_SIMPLE)
    PyBuffer_Release(&buffer)
    return buffer.buf


# --------------------------------------------------------------------------- one pair


cdef struct Table:
    # Counts of the cell (row - first_row, col - first_col), with 2**col_bits cells a row.
    uint32_t *counts
    int row_bits
    int col_bits
    uint64_t first_row
    uint64_t first_col


cdef struct Integers:
    const void *data
    Py_ssize_t length
    int width
    bint are_signed


def count_pair(rows, cols):
    cdef Integers row, col
    cdef Table table
    if not (_find_integers(rows, &row) and _find_integers(cols, &col)):
        return None
    cdef Py_ssize_t n_objects = row.length, n_counted = 0
    if col.length != n_objects or not 0 < n_objects < MOST_IN_ONE_PASS:
        return None
    cdef uint64_t most_cells = max(ALWAYS_DENSE, CELLS_PER_OBJECT * n_objects)
    cdef int row_bits, col_bits
    cdef uint32_t few[FEW]
    # Labels of -1 are allowed, and no others below zero.
    table.first_row = -1 if row.are_signed else 0
    table.first_col = -1 if col.are_signed else 0
    table.row_bits = table.col_bits = 0
    table.counts = NULL
    counts = None
    while True:
        row_bits, col_bits = table.row_bits, table.col_bits
        if n_objects > MANY:
            with nogil:
                n_counted = _count_rows(
                    &table, row.data, row.width, col.data, col.width, n_counted, n_objects
                )
        else:
            n_counted = _count_rows(
                &table, row.data, row.width, col.data, col.width, n_counted, n_objects
            )
        if n_counted == n_objects:
            break
        if table.row_bits + table.col_bits > 62 or (
            <uint64_t>1 << (table.row_bits + table.col_bits) > most_cells
        ):
            return None
        # All labels of one block have been seen.
        if n_objects <= FEW and 1 << (table.row_bits + table.col_bits) <= FEW:
            memset(few, 0, sizeof(uint32_t) << (table.row_bits + table.col_bits))
            table.counts = few
            continue
        wider = _zeros((1 << table.row_bits, 1 << table.col_bits), _uint32)
        if n_counted:
            wider[: 1 << row_bits, : 1 << col_bits] = counts
        counts = wider
        table.counts = <uint32_t *>_data(counts)
    return _pack(
        table.counts,
        <int64_t>1 << table.row_bits,
        <int64_t>1 << table.col_bits,
        <int64_t>table.first_row,
        <int64_t>table.first_col,
        counts,
    )


cdef bint _find_integers(values, Integers *found) except -1:
    """Find the numbers of an array; return whether it is contiguous and one-dimensional."""
    cdef Py_buffer buffer
    are_signed = SIGNED.get(values.dtype)
    if are_signed is None:
        return False
    try:
        PyObject_GetBuffer(values, &buffer, PyBUF_ND)
    except ValueError:  # it is not contiguous
        return False
    found.data, found.width, found.are_signed = buffer.buf, buffer.itemsize, are_signed
    found.length = buffer.shape[0] if buffer.ndim == 1 else -1
    PyBuffer_Release(&buffer)
    return found.length >= 0


cdef Py_ssize_t _count_rows(
    Table *table,
    const void *rows,
    int row_width,
    const void *cols,
    int col_width,
    Py_ssize_t start,
    Py_ssize_t n_objects,
) noexcept nogil:
    if row_width == 1:
        return _count_cols(table, <const uint8_t *>rows, cols, col_width, start, n_objects)
    if row_width == 2:
        return _count_cols(table, <const uint16_t *>rows, cols, col_width, start, n_objects)
    if row_width == 4:
        return _count_cols(table, <const uint32_t *>rows, cols, col_width, start, n_objects)
    return _count_cols(table, <const uint64_t *>rows, cols, col_width, start, n_objects)


cdef Py_ssize_t _count_cols(
    Table *table,
    const rows_t *rows,
    const void *cols,
    int col_width,
    Py_ssize_t start,
    Py_ssize_t n_objects,
) noexcept nogil:
    if col_width == 1:
        return _count_labels(table, rows, <const uint8_t *>cols, start, n_objects)
    if col_width == 2:
        return _count_labels(table, rows, <const uint16_t *>cols, start, n_objects)
    if col_width == 4:
        return _count_labels(table, rows, <const uint32_t *>cols, start, n_objects)
    return _count_labels(table, rows, <const uint64_t *>cols, start, n_objects)


cdef Py_ssize_t _count_labels(
    Table *table,
    const rows_t *rows,
    const cols_t *cols,
    Py_ssize_t start,
    Py_ssize_t n_objects,
) noexcept nogil:
    """Count labels block by block, from one on, and return how many are counted.

    If these are not all, the next ones need a table of more bits, which are set. A label that is
    not allowed, below -1, needs more bits than any table has.
    """
    cdef rows_t first_row = <rows_t>table.first_row, row, row_bits = 0
    cdef cols_t first_col = <cols_t>table.first_col, col, col_bits = 0
    cdef uint64_t last_row = (<uint64_t>1 << table.row_bits) - 1
    cdef uint64_t last_col = (<uint64_t>1 << table.col_bits) - 1
    cdef uint32_t *counts = table.counts
    cdef int shift = table.col_bits, j
    cdef uint64_t cells[4]
    cdef Py_ssize_t stop, k
    while start < n_objects:
        stop = min(start + BLOCK, n_objects)
        if counts == NULL:
            for k in range(start, stop):
                row_bits |= <rows_t>(rows[k] - first_row)
                col_bits |= <cols_t>(cols[k] - first_col)
            _ask_for_bits(table, first_row, row_bits, first_col, col_bits)
            return start
        # Bits that the table does not have are left out until the end of the block. Four cells are
        # known before the first of them is counted.
        for k in range(start, stop - 3, 4):
            for j in range(4):
                row = rows[k + j] - first_row
                col = cols[k + j] - first_col
                row_bits |= row
                col_bits |= col
                cells[j] = (row & last_row) << shift | (col & last_col)
            for j in range(4):
                counts[cells[j]] += 1
        for k in range(stop - (stop - start) % 4, stop):
            row = rows[k] - first_row
            col = cols[k] - first_col
            row_bits |= row
            col_bits |= col
            counts[(row & last_row) << shift | (col & last_col)] += 1
        if row_bits > last_row or col_bits > last_col:
            for k in range(start, stop):
                row = rows[k] - first_row
                col = cols[k] - first_col
                counts[(row & last_row) << shift | (col & last_col)] -= 1
            _ask_for_bits(table, first_row, row_bits, first_col, col_bits)
            return start
        start = stop
    return start


cdef void _ask_for_bits(
    Table *table, rows_t first_row, rows_t row_bits, cols_t first_col, cols_t col_bits
) noexcept nogil:
    # Where -1 is allowed, what else is below zero has the highest bit.
    if (first_row and row_bits >> (8 * sizeof(rows_t) - 1)) or (
        first_col and col_bits >> (8 * sizeof(cols_t) - 1)
    ):
        table.row_bits = 64
    else:
        table.row_bits = max(_n_bits(row_bits), table.row_bits)
        table.col_bits = max(_n_bits(col_bits), table.col_bits)


cdef inline int _n_bits(uint64_t value) noexcept nogil:
    cdef int n_bits = 0
    while value:
        n_bits += 1
        value >>= 1
    return n_bits


# --------------------------------------------------------------------------- tables


def pack_table(counts):
    cdef int64_t n_rows = counts.shape[0], n_cols = counts.shape[1]
    if not counts.flags.c_contiguous:
        counts = np.ascontiguousarray(counts)
    if counts.dtype == _int32:
        return _pack(<int32_t *>_data(counts), n_rows, n_cols, 0, 0, None)
    return _pack(<int64_t *>_data(counts), n_rows, n_cols, 0, 0, None)


cdef object _pack(
    counts_t *counts,
    int64_t n_rows,
    int64_t n_cols,
    int64_t first_row,
    int64_t first_col,
    table,
):
    """Pack counts, in their own memory if that is a table of 32 bits, most of which is needed."""
    # As wide as the counts: those of 32 bits are of fewer than 2**31 objects.
    cdef counts_t *row_sums = <counts_t *>calloc(n_rows + n_cols + 1, sizeof(counts_t))
    if row_sums == NULL:
        raise MemoryError
    cdef counts_t *col_sums = row_sums + n_rows
    cdef const counts_t *line
    cdef counts_t total, n_occupied
    cdef int64_t row, col, n_cells = 0, n_samples = 0, packed_rows = 0, packed_cols = 0, n_packed
    cdef int64_t *size_data
    cdef int64_t *code_data
    cdef bint is_small
    for row in range(n_rows):
        line = counts + row * n_cols
        total = 0
        n_occupied = 0
        for col in range(n_cols):
            total += line[col]
            col_sums[col] += line[col]
            n_occupied += line[col] != 0
        row_sums[row] = total
        n_cells += n_occupied
        n_samples += total
        packed_rows += total != 0
    for col in range(n_cols):
        packed_cols += col_sums[col] != 0
    squares = None
    try:
        n_packed = packed_rows * packed_cols
        is_small = n_packed <= LARGE_TABLE or n_samples >= MOST_IN_ONE_PASS
        if is_small or table is None or 2 * n_packed < n_rows * n_cols:
            packed = _empty(n_packed, _int64 if is_small else _int32)
        else:
            packed = table.ravel().view(_int32)[:n_packed]
        if is_small:
            size_data = <int64_t *>_data(packed)
            _copy_occupied(counts, n_rows, n_cols, row_sums, col_sums, packed_cols, size_data)
            if n_samples < MOST_IN_ONE_PASS:
                squares = _new(
                    SquareSums,
                    (
                        _squares(size_data, n_packed),
                        _squares(row_sums, n_rows),
                        _squares(col_sums, n_cols),
                    ),
                )
        else:
            _copy_occupied(
                counts, n_rows, n_cols, row_sums, col_sums, packed_cols, <int32_t *>_data(packed)
            )
        sizes = _empty(packed_rows + packed_cols, _int64)
        codes = _empty(packed_rows + packed_cols, _int64)
        size_data, code_data = <int64_t *>_data(sizes), <int64_t *>_data(codes)
        _fill_margin(row_sums, n_rows, first_row, size_data, code_data)
        _fill_margin(
            col_sums, n_cols, first_col, size_data + packed_rows, code_data + packed_rows
        )
    finally:
        free(row_sums)
    shape = packed_rows, packed_cols
    return _new(PackedTable, (packed, None, sizes, codes, shape, n_samples, n_cells, squares))


ctypedef fused packed_t:
    int32_t
    int64_t


cdef void _copy_occupied(
    const counts_t *counts,
    int64_t n_rows,
    int64_t n_cols,
    const counts_t *row_sums,
    const counts_t *col_sums,
    int64_t packed_cols,
    packed_t *out,
) noexcept nogil:
    cdef const counts_t *line
    cdef int64_t row, col, start = 0, stop
    while start < n_cols and not col_sums[start]:
        start += 1
    stop = start
    while stop < n_cols and col_sums[stop]:
        stop += 1
    cdef bint is_one_run = stop - start == packed_cols
    for row in range(n_rows):
        line = counts + row * n_cols
        if not row_sums[row]:
            continue
        if is_one_run:
            for col in range(start, stop):
                out[col - start] = line[col]
            out += packed_cols
        else:
            for col in range(n_cols):
                if col_sums[col]:
                    out[0] = line[col]
                    out += 1


cdef void _fill_margin(
    const counts_t *sums, int64_t n_codes, int64_t first, int64_t *sizes, int64_t *codes
) noexcept nogil:
    """Write the sums that are not zero, and their codes."""
    cdef int64_t code, at = 0
    for code in range(n_codes):
        if sums[code]:
            sizes[at] = sums[code]
            codes[at] = first + code
            at += 1


def sum_of_squares(counts, total):
    # As int64, such a sum is exact for a total below 2**31.
    if total >= MOST_IN_ONE_PASS or not counts.flags.c_contiguous:
        return _numpy.sum_of_squares(counts, total)
    cdef const void *data = _data(counts)
    cdef Py_ssize_t n_counts = counts.size
    if counts.dtype == _int32:
        return _short_squares(<const uint32_t *>data, n_counts)
    return _squares(<const int64_t *>data, n_counts)


cdef uint64_t _short_squares(const uint32_t *counts, Py_ssize_t n_counts) noexcept nogil:
    """Add up the squares in 32 bits, several at a time, block by block, where that is enough."""
    cdef uint64_t squares = 0
    cdef uint32_t block_squares, bits
    cdef Py_ssize_t start, stop, k
    for start in range(0, n_counts, 256):
        stop = min(start + 256, n_counts)
        block_squares = bits = 0
        for k in range(start, stop):
            bits |= counts[k]
            block_squares += counts[k] * counts[k]
        # 256 squares of 24 bits add up to less than 2**32.
        if bits < 4096:
            squares += block_squares
        else:
            squares += _squares(counts + start, stop - start)
    return squares


cdef uint64_t _squares(const counts_t *counts, Py_ssize_t n_counts) noexcept nogil:
    cdef uint64_t squares = 0
    cdef Py_ssize_t k
    for k in range(n_counts):
        squares += <uint64_t>counts[k] * counts[k]
    return squares


# --------------------------------------------------------------------------- sparse cells

# The number of a pair: its row above as many bits as the columns need.
ctypedef fused pair_t:
    uint32_t
    uint64_t

cdef enum:
    DIGIT_BITS = 11
    MAX_DIGITS = 6


def count_sparsely(rows, cols, row_low, col_low, shape, weights=None):
    cdef int64_t n_objects = len(rows)
    cdef int row_bits = _n_bits(max(shape[0] - 1, 0)), col_bits = _n_bits(max(shape[1] - 1, 0))
    if weights is not None or not 0 < n_objects < MOST_IN_ONE_PASS or row_bits + col_bits > 63:
        return _numpy.count_sparsely(rows, cols, row_low, col_low, shape, weights)
    cdef bint are_short = row_bits + col_bits <= 32
    # Two arrays of pairs, between which the sort moves them.
    pairs = _zeros(2 * n_objects, np.uint32 if are_short else np.uint64)
    lows = row_low, col_low
    if are_short:
        return _count_pairs(rows, cols, lows, row_bits, col_bits, <uint32_t *>_data(pairs))
    return _count_pairs(rows, cols, lows, row_bits, col_bits, <uint64_t *>_data(pairs))


cdef object _count_pairs(rows, cols, lows, int row_bits, int col_bits, pair_t *first):
    cdef int64_t n_objects = len(rows), n_rows, n_cols, n_cells
    cdef pair_t *second = first + n_objects
    cdef pair_t *pairs
    _add_codes(first, rows, lows[0], col_bits)
    _add_codes(first, cols, lows[1], 0)
    with nogil:
        pairs = _sort(first, second, n_objects, 0, col_bits)
        n_cols = _count_runs(pairs, n_objects, 0, (<pair_t>1 << col_bits) - 1)
    col_sums, col_codes = _empty(n_cols, _int64), _empty(n_cols, _int64)
    cdef int64_t *sum_data = <int64_t *>_data(col_sums)
    cdef int64_t *code_data = <int64_t *>_data(col_codes)
    with nogil:
        _number_cols(pairs, n_objects, col_bits, sum_data, code_data)
        pairs = _sort(
            pairs, second if pairs == first else first, n_objects, col_bits, row_bits
        )
        n_cells = _count_runs(pairs, n_objects, 0, ~<pair_t>0)
        n_rows = _count_runs(pairs, n_objects, col_bits, ~<pair_t>0)
    cells, counts = _empty(n_cells, _int64), _empty(n_cells, _int64)
    sizes, codes = _empty(n_rows + n_cols, _int64), _empty(n_rows + n_cols, _int64)
    sizes[n_rows:] = col_sums
    codes[n_rows:] = col_codes
    cdef int64_t *cell_data = <int64_t *>_data(cells)
    cdef int64_t *count_data = <int64_t *>_data(counts)
    sum_data = <int64_t *>_data(sizes)
    code_data = <int64_t *>_data(codes)
    with nogil:
        _fill_cells(
            pairs, n_objects, col_bits, n_cols, cell_data, count_data, sum_data, code_data
        )
    return PackedTable(counts, cells, sizes, codes, (n_rows, n_cols), n_objects, n_cells)


cdef int _add_codes(pair_t *pairs, codes, low, int shift) except -1:
    """Write ``codes - low`` into the bits of the pairs from ``shift`` on."""
    codes = np.ascontiguousarray(codes, codes.dtype.newbyteorder("="))
    cdef Py_ssize_t n_objects = len(codes), width = codes.dtype.itemsize
    cdef uint64_t first = low % 2**64
    cdef const void *data = _data(codes)
    with nogil:
        if width == 1:
            _add_bits(pairs, <const uint8_t *>data, first, shift, n_objects)
        elif width == 2:
            _add_bits(pairs, <const uint16_t *>data, first, shift, n_objects)
        elif width == 4:
            _add_bits(pairs, <const uint32_t *>data, first, shift, n_objects)
        else:
            _add_bits(pairs, <const uint64_t *>data, first, shift, n_objects)
    return 0


cdef void _add_bits(
    pair_t *pairs, const rows_t *codes, uint64_t low, int shift, Py_ssize_t n_objects
) noexcept nogil:
    cdef rows_t first = <rows_t>low
    cdef Py_ssize_t k
    for k in range(n_objects):
        pairs[k] |= <pair_t><rows_t>(codes[k] - first) << shift


cdef pair_t *_sort(
    pair_t *pairs, pair_t *others, Py_ssize_t n_objects, int low_bit, int n_bits
) noexcept nogil:
    """Sort pairs by some of their bits, stably, digit by digit from the lowest.

    Returns which of the two arrays they end in.
    """
    cdef uint32_t starts[MAX_DIGITS][1 << DIGIT_BITS]
    cdef int shifts[MAX_DIGITS]
    cdef int n_digits = (n_bits + DIGIT_BITS - 1) // DIGIT_BITS, number, shift
    cdef int digit_bits = (n_bits + n_digits - 1) // n_digits if n_digits else 0
    cdef uint32_t last = (<uint32_t>1 << digit_bits) - 1, total, count, digit
    cdef pair_t pair
    cdef Py_ssize_t k
    for number in range(n_digits):
        # The highest digit may share bits with the one before it, but has none above the others.
        shifts[number] = low_bit + min(number * digit_bits, n_bits - digit_bits)
        memset(starts[number], 0, (last + 1) * sizeof(uint32_t))
    for k in range(n_objects):
        pair = pairs[k]
        for number in range(n_digits):
            starts[number][pair >> shifts[number] & last] += 1
    for number in range(n_digits):
        shift = shifts[number]
        if starts[number][pairs[0] >> shift & last] == n_objects:
            continue  # all have the same digit
        total = 0
        for digit in range(last + 1):
            count = starts[number][digit]
            starts[number][digit] = total
            total += count
        for k in range(n_objects):
            pair = pairs[k]
            digit = pair >> shift & last
            others[starts[number][digit]] = pair
            starts[number][digit] += 1
        pairs, others = others, pairs
    return pairs


cdef int64_t _count_runs(
    const pair_t *pairs, Py_ssize_t n_objects, int shift, pair_t mask
) noexcept nogil:
    """Count the runs of pairs that are equal in some of their bits."""
    cdef int64_t n_runs = 1
    cdef Py_ssize_t k
    for k in range(1, n_objects):
        n_runs += (pairs[k] ^ pairs[k - 1]) >> shift & mask != 0
    return n_runs


cdef void _number_cols(
    pair_t *pairs, Py_ssize_t n_objects, int col_bits, int64_t *sums, int64_t *codes
) noexcept nogil:
    """Number the columns of pairs that are sorted by them, and count the objects of each."""
    cdef pair_t mask = (<pair_t>1 << col_bits) - 1, col = pairs[0] & mask
    cdef int64_t number = 0
    cdef Py_ssize_t k
    # Without branches, since it can hardly be predicted whether the next column is another one.
    for k in range(n_objects):
        number += pairs[k] & mask != col
        col = pairs[k] & mask
        pairs[k] ^= col ^ <pair_t>number
        codes[number] = col
        sums[number] = k + 1
    _take_differences(sums, number)


cdef void _fill_cells(
    const pair_t *pairs,
    Py_ssize_t n_objects,
    int col_bits,
    int64_t n_cols,
    int64_t *cells,
    int64_t *counts,
    int64_t *row_sums,
    int64_t *row_codes,
) noexcept nogil:
    """Number the cells of sorted pairs, and count the objects of each cell and each row."""
    cdef pair_t mask = (<pair_t>1 << col_bits) - 1, pair = pairs[0]
    cdef int64_t cell = 0, row = 0
    cdef Py_ssize_t k
    for k in range(n_objects):
        cell += pairs[k] != pair
        row += pairs[k] >> col_bits != pair >> col_bits
        pair = pairs[k]
        cells[cell] = row * n_cols + <int64_t>(pair & mask)
        counts[cell] = k + 1
        row_sums[row] = k + 1
        row_codes[row] = pair >> col_bits
    _take_differences(counts, cell)
    _take_differences(row_sums, row)


cdef void _take_differences(int64_t *ends, int64_t last) noexcept nogil:
    """Replace the ends of runs by their lengths."""
    cdef int64_t k
    for k in range(last, 0, -1):
        ends[k] -= ends[k - 1]


# --------------------------------------------------------------------------- codes


def number_codes(codes, n_codes):
    cdef Integers given
    if not (_find_integers(codes, &given) and _numpy.fits_densely((n_codes, 1), given.length)):
        return _numpy.number_codes(codes, n_codes)
    cdef int width = given.width
    cdef const void *data = given.data
    if width == 1:
        return _number_codes(codes, <const uint8_t *>data, n_codes)
    if width == 2:
        return _number_codes(codes, <const uint16_t *>data, n_codes)
    if width == 4:
        return _number_codes(codes, <const uint32_t *>data, n_codes)
    return _number_codes(codes, <const uint64_t *>data, n_codes)


cdef tuple _number_codes(codes, const rows_t *data, n_codes):
    cdef Py_ssize_t n_objects = len(codes), k
    sizes = _zeros(n_codes, _int64)
    cdef int64_t *size_data = <int64_t *>_data(sizes)
    with nogil:
        for k in range(n_objects):
            size_data[data[k]] += 1
    occurs = sizes > 0
    if occurs.all():
        return np.arange(n_codes), codes, sizes
    rank = np.cumsum(occurs) - 1
    numbers = _empty(n_objects, _int64)
    cdef const int64_t *rank_data = <const int64_t *>_data(rank)
    cdef int64_t *number_data = <int64_t *>_data(numbers)
    with nogil:
        for k in range(n_objects):
            number_data[k] = rank_data[data[k]]
    return np.flatnonzero(occurs), numbers, sizes[occurs]


# --------------------------------------------------------------------------- text


cdef struct Slot:
    uint64_t hashed
    # One more than the number of its text, so that 0 means that the slot is empty.
    int64_t number


cdef struct TextTable:
    Slot *slots
    # The first row of each text.
    int64_t *firsts
    int64_t n_texts
    int n_bits

cdef enum:
    FIRST_BITS = 10

cdef uint64_t MULTIPLIER = 0x9E3779B97F4A7C15


def number_text(texts):
    cdef Py_ssize_t n_rows = len(texts), width = texts.dtype.itemsize
    cdef TextTable table
    cdef bint fits
    numbers = _empty(n_rows, _int64)
    cdef const uint8_t *text_data = <const uint8_t *>_data(texts)
    cdef int64_t *number_data = <int64_t *>_data(numbers)
    table.n_texts = 0
    table.n_bits = FIRST_BITS
    table.slots = <Slot *>calloc(<size_t>1 << FIRST_BITS, sizeof(Slot))
    table.firsts = <int64_t *>malloc((<size_t>1 << FIRST_BITS) * sizeof(int64_t))
    try:
        if table.slots == NULL or table.firsts == NULL:
            raise MemoryError
        if n_rows > MANY:
            with nogil:
                fits = _number_rows(&table, text_data, n_rows, width, number_data)
        else:
            fits = _number_rows(&table, text_data, n_rows, width, number_data)
        if not fits:
            raise MemoryError
        firsts = _empty(table.n_texts, _int64)
        memcpy(_data(firsts), table.firsts, table.n_texts * sizeof(int64_t))
    finally:
        free(table.slots)
        free(table.firsts)
    return numbers, firsts


cdef bint _number_rows(
    TextTable *table, const uint8_t *texts, Py_ssize_t n_rows, Py_ssize_t width, int64_t *numbers
) noexcept nogil:
    """Number texts of one width in the order of their first rows; return whether memory was enough.

    A slot is found by a hash, and each row is compared with the first row of its slot.
    """
    cdef const uint8_t *text = texts
    cdef Slot *slot
    cdef uint64_t hashed, at, last = (<uint64_t>1 << table.n_bits) - 1
    cdef int shift = 64 - table.n_bits
    cdef Py_ssize_t row
    for row in range(n_rows):
        hashed = _hash(text, width)
        at = hashed >> shift
        while True:
            slot = table.slots + at
            if slot.number == 0:
                slot.hashed = hashed
                slot.number = table.n_texts + 1
                numbers[row] = table.n_texts
                table.firsts[table.n_texts] = row
                table.n_texts += 1
                if 2 * table.n_texts > <int64_t>last:
                    if not _grow(table):
                        return False
                    last = (<uint64_t>1 << table.n_bits) - 1
                    shift = 64 - table.n_bits
                break
            if slot.hashed == hashed and _are_equal(
                text, texts + table.firsts[slot.number - 1] * width, width
            ):
                numbers[row] = slot.number - 1
                break
            at = (at + 1) & last
        text += width
    return True


cdef inline uint64_t _hash(const uint8_t *text, Py_ssize_t width) noexcept nogil:
    cdef uint64_t word, hashed = 0
    cdef Py_ssize_t k
    for k in range(0, width - 7, 8):
        memcpy(&word, text + k, 8)
        hashed = (hashed + word) * MULTIPLIER
    if width % 8:
        # The last eight bytes, some of them once more.
        if width > 8:
            memcpy(&word, text + width - 8, 8)
        else:
            word = 0
            for k in range(width):
                word = word << 8 | text[k]
        hashed = (hashed + word) * MULTIPLIER
    return hashed


cdef inline bint _are_equal(
    const uint8_t *text, const uint8_t *other, Py_ssize_t width
) noexcept nogil:
    cdef uint64_t word, other_word
    cdef Py_ssize_t k
    for k in range(0, width - 7, 8):
        memcpy(&word, text + k, 8)
        memcpy(&other_word, other + k, 8)
        if word != other_word:
            return False
    for k in range(width - width % 8, width):
        if text[k] != other[k]:
            return False
    return True


cdef bint _grow(TextTable *table) noexcept nogil:
    """Double the number of slots; return False if there is no memory for them."""
    cdef int64_t n_slots = <int64_t>1 << table.n_bits, k
    cdef uint64_t at, last = 2 * n_slots - 1
    cdef Slot *slots = <Slot *>calloc(2 * n_slots, sizeof(Slot))
    cdef int64_t *firsts
    if slots == NULL:
        return False
    for k in range(n_slots):
        if table.slots[k].number:
            at = table.slots[k].hashed >> (63 - table.n_bits)
            while slots[at].number:
                at = (at + 1) & last
            slots[at] = table.slots[k]
    free(table.slots)
    table.slots = slots
    table.n_bits += 1
    firsts = <int64_t *>realloc(table.firsts, 2 * n_slots * sizeof(int64_t))
    if firsts == NULL:
        return False
    table.firsts = firsts
    return True


cdef struct Known:
    PyObject *label
    int64_t number

cdef enum:
    KNOWN_BITS = 9


def number_objects(labels):
    cdef Py_ssize_t n_objects = len(labels), row
    cdef Known known[1 << KNOWN_BITS]
    cdef Known *entry
    cdef PyObject *item
    cdef PyObject *found
    cdef int64_t n_labels = 0
    cdef dict number = {}
    labels = np.ascontiguousarray(labels)
    numbers = _empty(n_objects, _int64)
    cdef PyObject **items = <PyObject **>_data(labels)
    cdef int64_t *out = <int64_t *>_data(numbers)
    firsts = []
    memset(known, 0, sizeof(known))
    for row in range(n_objects):
        item = items[row] if items[row] != NULL else <PyObject *>None
        # An object seen before is known by its address.
        entry = known + (<uint64_t><uintptr_t>item * MULTIPLIER >> (64 - KNOWN_BITS))
        if entry.label != item:
            label = <object>item
            found = PyDict_GetItemWithError(number, label)
            if found == NULL:
                entry.number = n_labels
                PyDict_SetItem(number, label, n_labels)
                firsts.append(row)
                n_labels += 1
            else:
                entry.number = <object>found
            entry.label = item
        out[row] = entry.number
    return numbers, np.array(firsts, _int64)


# --------------------------------------------------------------------------- many pairs


def square_sums_together(codes, groups, n_codes):
    if codes.dtype.char != "H" or not codes.flags.c_contiguous:
        return _numpy.square_sums_together(codes, groups, n_codes)
    cdef int64_t n_objects = codes.shape[1], n_groups = len(groups), most = max(n_codes)
    cdef int64_t n_cells = max(2 * most * most, most * most + min(most**3, n_objects))
    # Three partitions a group, or -1; and the three sums of each.
    numbers = np.full((n_groups, 3), -1, _int64)
    for row, group in zip(numbers, groups):
        row[: len(group)] = group
    sums = _zeros((n_groups, 3), _int64)
    widths = np.asarray(n_codes, _int64)
    counts = _empty(n_cells, _uint32)
    cdef const uint16_t *code_data = <const uint16_t *>_data(codes)
    cdef const int64_t *number_data = <const int64_t *>_data(numbers)
    cdef const int64_t *width_data = <const int64_t *>_data(widths)
    cdef uint32_t *count_data = <uint32_t *>_data(counts)
    cdef int64_t *sum_data = <int64_t *>_data(sums)
    cdef int64_t start
    with nogil:
        for start in range(0, 3 * n_groups, 3):
            _square_sums_of_group(
                code_data, number_data + start, width_data, n_objects, count_data, sum_data + start
            )
    return [
        tuple(row[: len(group) * (len(group) - 1) // 2])
        for row, group in zip(sums.tolist(), groups)
    ]


cdef void _square_sums_of_group(
    const uint16_t *codes,
    const int64_t *group,
    const int64_t *n_codes,
    int64_t n_objects,
    uint32_t *counts,
    int64_t *sums,
) noexcept nogil:
    cdef const uint16_t *first = codes + group[0] * n_objects
    cdef const uint16_t *second = codes + group[1] * n_objects
    cdef const uint16_t *third
    cdef int64_t n_first = n_codes[group[0]], n_second = n_codes[group[1]], n_third
    if group[2] < 0:
        sums[0] = _square_sum_of_pair(first, second, n_first, n_second, n_objects, counts)
        return
    third = codes + group[2] * n_objects
    n_third = n_codes[group[2]]
    if n_first * n_second * n_third > n_objects:
        sums[0] = _square_sum_of_pair(first, second, n_first, n_second, n_objects, counts)
        sums[1] = _square_sum_of_pair(first, third, n_first, n_third, n_objects, counts)
        sums[2] = _square_sum_of_pair(second, third, n_second, n_third, n_objects, counts)
        return
    # The tables of the pairs are margins of the table of all three.
    cdef uint32_t *of_second_third = counts + n_first * n_second * n_third
    cdef uint32_t *line
    cdef int64_t i, j, k, total, row_total
    memset(counts, 0, n_second * n_third * (n_first + 1) * sizeof(uint32_t))
    for k in range(n_objects):
        counts[(first[k] * n_second + second[k]) * n_third + third[k]] += 1
    for i in range(n_first):
        for j in range(n_second):
            line = counts + (i * n_second + j) * n_third
            total = 0
            for k in range(n_third):
                total += line[k]
                of_second_third[j * n_third + k] += line[k]
            sums[0] += total * total
        # The table of the first and the third, one row at a time, in the place of a row of cells.
        line = counts + i * n_second * n_third
        for j in range(1, n_second):
            for k in range(n_third):
                line[k] += line[j * n_third + k]
        for k in range(n_third):
            sums[1] += <int64_t>line[k] * line[k]
    for k in range(n_second * n_third):
        sums[2] += <int64_t>of_second_third[k] * of_second_third[k]


cdef int64_t _square_sum_of_pair(
    const uint16_t *first,
    const uint16_t *second,
    int64_t n_first,
    int64_t n_second,
    int64_t n_objects,
    uint32_t *counts,
) noexcept nogil:
    cdef int64_t k, squares = 0
    memset(counts, 0, n_first * n_second * sizeof(uint32_t))
    for k in range(n_objects):
        counts[first[k] * n_second + second[k]] += 1
    for k in range(n_first * n_second):
        squares += <int64_t>counts[k] * counts[k]
    return squares


# --------------------------------------------------------------------------- information


ctypedef fused parts_t:
    int64_t
    double


def log_ratio_sum(parts, wholes, total):
    cdef bint has_one_whole = not isinstance(wholes, np.ndarray)
    if (
        parts.dtype not in (_int64, _float64)
        or not parts.flags.c_contiguous
        # Whole numbers up to here are floats, too.
        or not total < 2.0**53
        or not (has_one_whole or (wholes.dtype == parts.dtype and wholes.flags.c_contiguous))
    ):
        return _numpy.log_ratio_sum(parts, wholes, total)
    cdef bint are_whole = parts.dtype == _int64
    cdef const void *part_data = _data(parts)
    cdef const void *whole_data = NULL if has_one_whole else _data(wholes)
    cdef double one_whole = wholes if has_one_whole else 0, all_parts = total
    cdef Py_ssize_t n_parts = len(parts)
    if are_whole:
        return _log_ratio_sum(
            <const int64_t *>part_data,
            <const int64_t *>whole_data,
            <int64_t>one_whole,
            n_parts,
            all_parts,
        )
    return _log_ratio_sum(
        <const double *>part_data, <const double *>whole_data, one_whole, n_parts, all_parts
    )


cdef double _log_ratio_sum(
    const parts_t *parts,
    const parts_t *wholes,
    parts_t one_whole,
    Py_ssize_t n_parts,
    double total,
) noexcept nogil:
    """Add in twice the working precision, so that the order of the parts makes no difference."""
    cdef double part, log_ratio, term, before, rest, high = 0, low = 0
    cdef parts_t whole
    cdef Py_ssize_t k
    for k in range(n_parts):
        whole = wholes[k] if wholes != NULL else one_whole
        part = <double>parts[k]
        log_ratio = log1p(<double>(whole - parts[k]) / part)
        if log_ratio == INFINITY:  # memberships can be too small to divide by
            log_ratio = log(<double>whole) - log(part)
        term = part / total * log_ratio
        before = high
        high += term
        rest = high - before
        low += (before - (high - rest)) + (term - rest)
    return high + low


# --------------------------------------------------------------------------- memberships


def membership_bounds(memberships):
    if not (memberships.flags.c_contiguous and memberships.dtype == _float64):
        return _numpy.membership_bounds(memberships)
    cdef const double *values = <const double *>_data(memberships)
    cdef Py_ssize_t n_rows = memberships.shape[0], n_cols = memberships.shape[1]
    cdef Bounds bounds
    with nogil:
        bounds = _membership_bounds(values, n_rows, n_cols)
    # Negative numbers have a sign, and -0.0 has one, too.
    are_allowed = not bounds.has_nan and (not bounds.has_sign or bool((memberships >= 0).all()))
    return are_allowed, bounds.smallest_sum, bounds.largest_sum


cdef struct Bounds:
    bint has_sign
    bint has_nan
    double smallest_sum
    double largest_sum


cdef Bounds _membership_bounds(
    const double *values, Py_ssize_t n_rows, Py_ssize_t n_cols
) noexcept nogil:
    cdef double sum_0, sum_1, smallest = INFINITY, largest = -INFINITY
    # Comparisons of numbers take twice as long as unions of their bits.
    cdef uint64_t word, bits_0 = 0, bits_1 = 0
    cdef bint has_nan = False
    cdef Py_ssize_t row, col
    for row in range(n_rows):
        sum_0 = sum_1 = 0
        # Two chains of additions, as each waits for the one before it.
        for col in range(0, n_cols - 1, 2):
            sum_0 += values[col]
            sum_1 += values[col + 1]
            memcpy(&word, values + col, 8)
            bits_0 |= word
            memcpy(&word, values + col + 1, 8)
            bits_1 |= word
        if n_cols & 1:
            sum_0 += values[n_cols - 1]
            memcpy(&word, values + n_cols - 1, 8)
            bits_0 |= word
        sum_0 += sum_1
        smallest = sum_0 if sum_0 < smallest else smallest
        largest = sum_0 if sum_0 > largest else largest
        # NaN is lost in comparisons, but not in sums.
        has_nan |= sum_0 != sum_0
        values += n_cols
    return Bounds((bits_0 | bits_1) >> 63 != 0, has_nan, smallest, largest)


# --------------------------------------------------------------------------- hypergeometric laws

# The letters are those of ``hypergeometric``; f(x) = x ln x, and t = x - mu.
#
# f is convex: with m = floor(mu), it is the chord through m and m + 1 plus a function g(x) >= 0 that
# vanishes at both. The mean of the chord is its value at mu. The second differences of f, which are
# the same for all pairs, add up to g from m outwards: all terms are positive, and no node needs a
# logarithm.
#
# By Rodrigues' formula, f has the coefficient c_k = r_k E D^k f(y) in the orthonormal polynomial of
# degree k. D f(x) is f(x + 1) - f(x), y ~ Hyp(N - 2k, a - k, b - k), and, with falling factorials,
# r_k^2 = (a)_k (N - a)_k (b)_k (N - b)_k / ((N)_2k (N - k + 1)_k k!). For k > 1 the sign of D^k f(x)
# is that of (-1)^k for all x, so nothing cancels. |D^k f(x)|, the integral of
# exp(-x t) (1 - exp(-t))^k / t^2 over t > 0, comes from a table.
#
# If mu is large, Taylor's series and the central moments of the law give the same means.

cdef enum:
    # Cells that expect this many objects or more are expanded in their central moments.
    LARGE_MEAN = 256
    # Degrees of such an expansion: enough for the smallest of these means.
    N_MOMENTS = 24
    # No law with a smaller mean reaches this far, in the precision of a float.
    N_DIFFERENCES = 512
    LARGEST_DEGREE = 24

# A node that contributes less than this share ends the sum.
cdef double NEGLIGIBLE = 1e-18
# What is left by Parseval's identity is known up to this share.
cdef double PARSEVAL_PRECISION = 1e-13

cdef double SECOND_DIFFERENCES[N_DIFFERENCES]
cdef double BINOMIALS[N_MOMENTS + LARGEST_DEGREE][N_MOMENTS + LARGEST_DEGREE]
# Even moments of the sum of some independent uniform variables between -1/2 and 1/2.
cdef double UNIFORM_MOMENTS[LARGEST_DEGREE + 1][N_MOMENTS + 1]


cdef void _fill_tables() noexcept:
    cdef int k, j, i
    for k in range(N_MOMENTS + LARGEST_DEGREE):
        BINOMIALS[k][0] = BINOMIALS[k][k] = 1.0
        for j in range(1, k):
            BINOMIALS[k][j] = BINOMIALS[k - 1][j - 1] + BINOMIALS[k - 1][j]
    # f(x + 1) - 2 f(x) + f(x - 1) by its series in 1 / x.
    cdef double square, series, power
    SECOND_DIFFERENCES[1] = 2.0 * log(2.0)
    for k in range(2, N_DIFFERENCES):
        square = 1.0 / (<double>k * k)
        series = 0.0
        for j in range(28, 0, -1):
            series = series * square + 1.0 / (j * (2.0 * j - 1.0))
        SECOND_DIFFERENCES[k] = series / k
    for j in range(N_MOMENTS + 1):
        UNIFORM_MOMENTS[0][j] = 1.0 if j == 0 else 0.0
    for k in range(1, LARGEST_DEGREE + 1):
        for j in range(0, N_MOMENTS + 1, 2):
            UNIFORM_MOMENTS[k][j] = 0.0
            power = 1.0
            for i in range(0, j + 1, 2):
                UNIFORM_MOMENTS[k][j] += (
                    BINOMIALS[j][i] * power / (i + 1) * UNIFORM_MOMENTS[k - 1][j - i]
                )
                power /= 4.0


_fill_tables()


@functools.cache
def _differences():
    """|D^k f(x)| of each degree k (axis 0) and count x, by the trapezoidal rule in ln t."""
    t = np.exp(np.arange(-44.0, 44.0, 0.125))
    degrees = np.arange(LARGEST_DEGREE + 1)[:, np.newaxis]
    return (-np.expm1(-t)) ** degrees / (8.0 * t) @ np.exp(-np.outer(t, np.arange(N_DIFFERENCES)))


cdef struct Cell:
    # E g(x), E g(x)^2 and E g(x) (x - m).
    double excess
    double square
    double lever
    # mu = whole + part, with rest = 1 - part.
    double mean
    int64_t whole
    double part
    double rest


def convex_gain_sums(row_sizes, row_counts, col_sizes, col_counts, n_samples):
    return _sums_of_means(row_sizes, row_counts, col_sizes, col_counts, n_samples, False)


def convex_gain(row_sizes, row_counts, col_sizes, col_counts, n_samples):
    in_rows, _ = _sums_of_means(row_sizes, row_counts, col_sizes, col_counts, n_samples, False)
    row_counts = _as_floats(row_counts)
    cdef const double *sums = <const double *>_data(in_rows)
    cdef const double *counts = <const double *>_data(row_counts)
    cdef double value = 0.0, rest = 0.0, n = n_samples
    cdef int64_t k
    for k in range(len(in_rows)):
        _add(&value, &rest, sums[k] / n * counts[k])
    return value + rest


def conditional_gain_sums(row_sizes, row_counts, col_sizes, col_counts, n_samples):
    return _sums_of_means(row_sizes, row_counts, col_sizes, col_counts, n_samples, True)


cdef _sums_of_means(row_sizes, row_counts, col_sizes, col_counts, n_samples, bint conditional):
    cdef int64_t n = int(n_samples), n_rows = len(row_sizes), n_cols = len(col_sizes), k
    row_sizes, row_counts, col_sizes, col_counts = map(
        _as_floats, (row_sizes, row_counts, col_sizes, col_counts)
    )
    cdef Sizes rows = Sizes(<double *>_data(row_sizes), <double *>_data(row_counts), n_rows)
    cdef Sizes cols = Sizes(<double *>_data(col_sizes), <double *>_data(col_counts), n_cols)
    # Of equal margins half of the pairs are enough.
    cdef bint is_symmetric = (
        n_rows == n_cols
        and memcmp(rows.sizes, cols.sizes, n_rows * sizeof(double)) == 0
        and memcmp(rows.counts, cols.counts, n_rows * sizeof(double)) == 0
    )
    row_sums = _zeros(n_rows)
    col_sums = row_sums if is_symmetric else _zeros(n_cols)
    cdef double *row_data = <double *>_data(row_sums)
    cdef double *col_data = <double *>_data(col_sums)
    # The rounding errors of these sums.
    cdef double *row_rests = <double *>calloc(n_rows + n_cols + 1, sizeof(double))
    if row_rests == NULL:
        raise MemoryError
    cdef double *col_rests = row_rests if is_symmetric else row_rests + n_rows
    with nogil:
        _add_means(
            rows, cols, n, conditional, is_symmetric, row_data, row_rests, col_data, col_rests
        )
        for k in range(n_rows):
            row_data[k] += row_rests[k]
        if not is_symmetric:
            for k in range(n_cols):
                col_data[k] += col_rests[k]
        free(row_rests)
    return row_sums, col_sums


cdef struct Sizes:
    const double *sizes
    const double *counts
    int64_t length


cdef object _as_floats(values):
    if values.dtype is _float64 and values.flags.c_contiguous:
        return values
    return np.ascontiguousarray(values, np.float64)


cdef void _add_means(
    Sizes rows,
    Sizes cols,
    int64_t n,
    bint conditional,
    bint is_symmetric,
    double *row_sums,
    double *row_rests,
    double *col_sums,
    double *col_rests,
) noexcept nogil:
    cdef int64_t i, j, a, b
    cdef double in_row, in_col
    cdef Cell cell
    for i in range(rows.length):
        a = <int64_t>rows.sizes[i]
        for j in range(i if is_symmetric else 0, cols.length):
            b = <int64_t>cols.sizes[j]
            cell = _excess_of_cell(a, b, n)
            if conditional:
                in_row = _conditional_gain(&cell, a, b, n)
                in_col = _conditional_gain(&cell, b, a, n)
            else:
                in_row = in_col = _convex_gain(&cell)
            _add(row_sums + i, row_rests + i, cols.counts[j] * in_row)
            if not (is_symmetric and i == j):
                _add(col_sums + j, col_rests + j, rows.counts[i] * in_col)


cdef inline void _add(double *total, double *rest, double value) noexcept nogil:
    """Add to a sum, and its rounding error to the sum of these (Knuth's two-sum)."""
    cdef double old = total[0], part
    total[0] = old + value
    part = total[0] - old
    rest[0] += (old - (total[0] - part)) + (value - part)


cdef Cell _excess_of_cell(int64_t a, int64_t b, int64_t n) noexcept nogil:
    cdef Cell cell
    cdef uint64_t product
    memset(&cell, 0, sizeof(Cell))
    cell.mean = <double>a * <double>b / <double>n
    if cell.mean >= LARGE_MEAN:
        cell.excess = _excess_by_moments(a, b, n, cell.mean)
        return cell
    product = <uint64_t>a * <uint64_t>b  # below 2**8 * 2**53
    cell.whole = product // n
    product -= <uint64_t>cell.whole * n
    cell.part = <double>product / <double>n
    cell.rest = <double>(n - <int64_t>product) / <double>n
    _add_nodes(a, b, n, &cell)
    return cell


cdef double _convex_gain(const Cell *cell) noexcept nogil:
    """E f(x) less the tangent at the mean: that of the chord is the mean of two points."""
    if cell.mean >= LARGE_MEAN or cell.part == 0.0:
        return cell.excess
    if cell.whole == 0:
        return cell.excess - cell.part * _log_of(cell.part, cell.rest)
    cdef double low = <double>cell.whole
    return cell.excess + (
        cell.rest * _entropy_excess(low, -cell.part, cell.mean)
        + cell.part * _entropy_excess(low + 1.0, cell.rest, cell.mean)
    )


cdef inline double _log_of(double share, double rest) noexcept nogil:
    return log(share) if share < 0.5 else log1p(-rest)


cdef double _conditional_gain(const Cell *cell, int64_t a, int64_t b, int64_t n) noexcept nogil:
    """E x ln(b / x): the chord of this concave function at the mean, less the excess of f."""
    if cell.mean >= LARGE_MEAN:
        return -cell.mean * _log_of(<double>a / n, <double>(n - a) / n) - cell.excess
    cdef double low = <double>cell.whole, at_low = 0.0, at_high = 0.0
    if cell.whole > 0:
        at_low = low * log1p((b - low) / low)
    if cell.part > 0.0:
        at_high = (low + 1.0) * log1p((b - low - 1.0) / (low + 1.0))
    return cell.rest * at_low + cell.part * at_high - cell.excess


cdef inline double _entropy_excess(double x, double deviation, double mean) noexcept nogil:
    """x ln(x / mu) - (x - mu), as in ``_numerics.entropy_excess``."""
    cdef double reduced = deviation / (x + mean), square, series
    if fabs(reduced) > 0.06:
        return x * log1p(deviation / mean) - deviation
    square = reduced * reduced
    series = 2.0 / 15.0
    series = series * square + 2.0 / 13.0
    series = series * square + 2.0 / 11.0
    series = series * square + 2.0 / 9.0
    series = series * square + 2.0 / 7.0
    series = series * square + 2.0 / 5.0
    series = series * square + 2.0 / 3.0
    return reduced * (deviation + x * square * series)


cdef void _add_nodes(int64_t a, int64_t b, int64_t n, Cell *cell) noexcept nogil:
    """Find the means of g from the ratios of neighboring probabilities, from m outwards."""
    cdef int64_t lowest = max(a + b - n, <int64_t>0)
    cdef int64_t highest = min(min(a, b), <int64_t>(N_DIFFERENCES - 1)), k
    cdef double row = <double>a, col = <double>b, neither = <double>(n - a - b), x
    cdef double weight = 1.0, total = 1.0, excess = 0.0, square = 0.0, lever = 0.0
    cdef double slope = 0.0, value = 0.0, part
    for k in range(cell.whole + 1, highest + 1):
        x = <double>k
        weight *= (row - x + 1.0) * (col - x + 1.0) / (x * (neither + x))
        value += slope
        slope += SECOND_DIFFERENCES[k]
        part = weight * value
        total += weight
        excess += part
        part *= value
        square += part
        lever += weight * value * (k - cell.whole)
        if part < NEGLIGIBLE * square:
            break
    weight = 1.0
    slope = value = 0.0
    for k in range(cell.whole, lowest, -1):
        x = <double>k
        weight *= x * (neither + x) / ((row - x + 1.0) * (col - x + 1.0))
        slope += SECOND_DIFFERENCES[k]
        value += slope
        part = weight * value
        total += weight
        excess += part
        part *= value
        square += part
        lever -= weight * value * (cell.whole - k + 1)
        if part < NEGLIGIBLE * square:
            break
    cell.excess = excess / total
    cell.square = square / total
    cell.lever = lever / total


cdef double _excess_by_moments(int64_t a, int64_t b, int64_t n, double mean) noexcept nogil:
    """E f(x) less the tangent at the mean."""
    cdef double moments[N_MOMENTS + 1]
    cdef double combined[N_MOMENTS]
    cdef double excess = 0.0, term, last = 0.0, power = mean
    cdef Moments known = _first_moments(a, b, n, mean, moments)
    cdef int k
    for k in range(2, N_MOMENTS):
        term = moments[k] / (k * (k - 1.0) * power)
        excess += -term if k & 1 else term
        if fabs(term) + last <= NEGLIGIBLE * excess:
            break
        last = fabs(term)
        power *= mean
        _add_moment(&known, k, moments, combined)
    return excess


cdef struct Moments:
    double n
    # Mean of the cells in both clusters and in none of them, added up.
    double alike
    # Variance times N - 1.
    double flow


cdef Moments _first_moments(
    int64_t a, int64_t b, int64_t n, double mean, double *moments
) noexcept nogil:
    cdef Moments known
    known.n = <double>n
    known.alike = mean + (n - a) * (<double>(n - b) / n)
    moments[0] = 1.0
    moments[1] = 0.0
    moments[2] = _variance(a, b, n, mean)
    known.flow = moments[2] * (n - 1)
    return known


cdef inline double _variance(int64_t a, int64_t b, int64_t n, double mean) noexcept nogil:
    cdef double total = <double>n
    return mean * ((n - a) / total * ((n - b) / total)) * (total / (total - 1.0))


cdef inline void _add_moment(
    const Moments *known, int k, double *moments, double *combined
) noexcept nogil:
    """Find the central moment k + 1 from those before.

    By E x (N - a - b + x) h(x - 1) = E (a - x) (b - x) h(x) with h(x) = t^k.
    """
    cdef double moment = k * (known.alike * moments[k] + known.flow * moments[k - 1]), term
    cdef int j
    combined[k - 2] = (
        moments[k] + known.alike * moments[k - 1] + known.flow * moments[k - 2]
    )
    for j in range(k - 1):
        term = BINOMIALS[k][j] * combined[j]
        moment += term if (k - j) & 1 else -term
    moments[k + 1] = moment / (known.n - k)


def entropy_expansions(row_sizes, col_sizes, n_samples, shares):
    cdef int64_t n_pairs = len(row_sizes), n = int(n_samples)
    cdef int n_shares = min(len(shares), LARGEST_DEGREE)
    rows, cols = (np.ascontiguousarray(side, np.float64) for side in (row_sizes, col_sizes))
    shares = np.ascontiguousarray(shares, np.float64)
    differences = _differences()
    coefficients = np.zeros((n_shares, n_pairs))
    mean, remainder = np.empty((2, n_pairs))
    degrees = np.empty(n_pairs, np.int32)
    cdef const double *row_data = <const double *>_data(rows)
    cdef const double *col_data = <const double *>_data(cols)
    cdef const double *share_data = <const double *>_data(shares)
    cdef const double *difference_data = <const double *>_data(differences)
    cdef double *coefficient_data = <double *>_data(coefficients)
    cdef double *mean_data = <double *>_data(mean)
    cdef double *remainder_data = <double *>_data(remainder)
    cdef int32_t *degree_data = <int32_t *>_data(degrees)
    with nogil:
        _expand_cells(
            row_data,
            col_data,
            n_pairs,
            n,
            share_data,
            n_shares,
            difference_data,
            coefficient_data,
            mean_data,
            remainder_data,
            degree_data,
        )
    by_degree = list(coefficients)
    rest = np.flatnonzero(degrees == 0)
    if len(rest):
        found, mean[rest], remainder[rest] = _numpy.entropy_expansions(
            rows[rest], cols[rest], n_samples, shares
        )
        by_degree.extend(np.zeros(n_pairs) for _ in range(len(found) - n_shares))
        for target, source in zip(by_degree, found):
            target[rest] = source
    return by_degree, mean, remainder


cdef void _expand_cells(
    const double *rows,
    const double *cols,
    int64_t n_pairs,
    int64_t n,
    const double *shares,
    int n_shares,
    const double *differences,
    double *coefficients,
    double *means,
    double *remainders,
    int32_t *degrees,
) noexcept nogil:
    cdef int64_t pair, a, b
    cdef double found[LARGEST_DEGREE + 1]
    cdef int k
    for pair in range(n_pairs):
        a, b = <int64_t>rows[pair], <int64_t>cols[pair]
        if rows[pair] * cols[pair] / n < LARGE_MEAN:
            degrees[pair] = _expand_by_nodes(
                a, b, n, shares, n_shares, differences, found, means + pair, remainders + pair
            )
        else:
            degrees[pair] = _expand_by_moments(
                a, b, n, shares, n_shares, found, means + pair, remainders + pair
            )
        for k in range(degrees[pair]):
            coefficients[k * n_pairs + pair] = found[k + 1]


cdef int _expand_by_nodes(
    int64_t a,
    int64_t b,
    int64_t n,
    const double *shares,
    int n_shares,
    const double *differences,
    double *coefficients,
    double *mean,
    double *remainder,
) noexcept nogil:
    """Find the coefficients from degree 1 on, and return their number, or 0 if it is too small."""
    cdef Cell cell = _excess_of_cell(a, b, n)
    cdef int64_t n_degrees = min(min(a, b), min(n - a, n - b))
    cdef double low = <double>cell.whole, variance = _variance(a, b, n, cell.mean)
    cdef double slope = (cell.lever - cell.part * cell.excess) / variance
    cdef double left = cell.square - cell.excess * cell.excess - slope * slope * variance
    cdef double reference = left, norm = _norm_ratio(a, b, n, 1)
    cdef int degree = 1
    # Cells of a larger mean are without the tangent there; for the others f(0) = f(1) = 0.
    mean[0] = cell.excess
    if cell.mean > 1.0:
        mean[0] = _convex_gain(&cell)
        slope += _entropy_excess(low + 1.0, cell.rest, cell.mean)
        slope -= _entropy_excess(low, -cell.part, cell.mean)
    elif cell.whole == 1:
        slope += SECOND_DIFFERENCES[1]
    coefficients[1] = sqrt(norm) * slope
    while degree < n_degrees:
        if max(left / reference, PARSEVAL_PRECISION) <= shares[degree - 1]:
            remainder[0] = max(left, 0.0)
            return degree
        if degree == n_shares:
            return 0
        degree += 1
        norm *= _norm_ratio(a, b, n, degree)
        coefficients[degree] = sqrt(norm) * _mean_at_nodes(
            a - degree, b - degree, n - 2 * degree, differences + degree * N_DIFFERENCES
        )
        left -= coefficients[degree] * coefficients[degree]
        if degree & 1:
            coefficients[degree] = -coefficients[degree]
    remainder[0] = 0.0
    return degree


cdef inline double _norm_ratio(int64_t a, int64_t b, int64_t n, int degree) noexcept nogil:
    """r_k^2 / r_(k-1)^2."""
    cdef double used = degree - 1.0, total = <double>n, rest = total - 2.0 * used
    cdef double inside = (a - used) * (n - a - used), outside = rest * (rest - 1.0)
    return (
        inside / outside * ((b - used) * (n - b - used) / (rest * (rest + 1.0)))
        * ((total - used + 1.0) / degree)
    )


cdef double _mean_at_nodes(
    int64_t a, int64_t b, int64_t n, const double *values
) noexcept nogil:
    """Expectation of a function that is positive and decreases."""
    cdef int64_t lowest = max(a + b - n, <int64_t>0)
    cdef int64_t highest = min(min(a, b), <int64_t>(N_DIFFERENCES - 1)), k
    cdef double row = <double>a, col = <double>b, neither = <double>(n - a - b), x
    cdef int64_t start = <int64_t>(row * col / n) if n > 0 else 0
    start = min(max(start, lowest), highest)
    cdef double weight = 1.0, total = 1.0, result = values[start]
    for k in range(start + 1, highest + 1):
        x = <double>k
        weight *= (row - x + 1.0) * (col - x + 1.0) / (x * (neither + x))
        total += weight
        result += weight * values[k]
        if weight < NEGLIGIBLE * total:
            break
    weight = 1.0
    # However small the weights become, the function may be large there.
    for k in range(start, lowest, -1):
        x = <double>k
        weight *= x * (neither + x) / ((row - x + 1.0) * (col - x + 1.0))
        total += weight
        result += weight * values[k - 1]
    return result / total


cdef int _expand_by_moments(
    int64_t a,
    int64_t b,
    int64_t n,
    const double *shares,
    int n_shares,
    double *coefficients,
    double *mean,
    double *remainder,
) noexcept nogil:
    """Find the coefficients from degree 1 on, and return their number, or 0 if it is too small."""
    cdef double expected = <double>a * <double>b / n
    cdef double norm = _norm_ratio(a, b, n, 1), total = 0.0, square
    cdef double tilt = (n - 2.0 * a) / n * ((n - 2.0 * b) / (n - 2.0)) / 2.0
    cdef int64_t n_degrees = min(min(a, b), min(n - a, n - b))
    cdef int degree, kept = 1
    cdef bint is_coupled = True
    mean[0] = _excess_by_moments(a, b, n, expected)
    remainder[0] = 0.0
    # E ln(y + 1/2) - ln mu: the exact difference of y + 1/2 and mu is the tilt.
    coefficients[1] = sqrt(norm) * (
        log1p(tilt / expected) + _difference_by_moments(a - 1, b - 1, n - 2, 1)
    )
    for degree in range(2, LARGEST_DEGREE + 1):
        if degree > n_degrees:
            return kept
        norm *= _norm_ratio(a, b, n, degree)
        coefficients[degree] = sqrt(norm) * _difference_by_moments(
            a - degree, b - degree, n - 2 * degree, degree
        )
        square = coefficients[degree] * coefficients[degree]
        total += square
        # The degrees after this one have less than it.
        is_coupled = is_coupled and 2.0 * square > total * shares[min(degree - 1, n_shares) - 1]
        if not is_coupled:
            remainder[0] += square
            if square <= NEGLIGIBLE * total:
                return kept
        elif degree > n_shares:
            return 0
        else:
            kept = degree
    return 0


cdef double _difference_by_moments(int64_t a, int64_t b, int64_t n, int degree) noexcept nogil:
    """E D^k f(y), for k = 1 less 1 + ln(z), where z = E y + k / 2.

    D^k is the derivative of that order, averaged over the sum of k uniform variables.
    """
    cdef double moments[N_MOMENTS + 1]
    cdef double combined[N_MOMENTS]
    cdef double mean = <double>a * <double>b / n, centre = mean + degree / 2.0
    cdef double result = 0.0 if degree == 1 else 1.0, power = 1.0, term, last = 1.0, moment
    cdef Moments known = _first_moments(a, b, n, mean, moments)
    cdef int j, i
    for j in range(1, N_MOMENTS + 1):
        power *= centre
        moment = 0.0
        for i in range(0, j + 1, 2):
            moment += BINOMIALS[j][i] * UNIFORM_MOMENTS[degree][i] * moments[j - i]
        # The derivatives of ln z are (-1)^(j-1) (j - 1)! / z^j.
        term = moment / power * (-1.0 / j if degree == 1 else BINOMIALS[degree + j - 2][j])
        result += -term if j & 1 else term
        if fabs(term) + last <= NEGLIGIBLE * fabs(result):
            break
        last = fabs(term)
        if 2 <= j < N_MOMENTS:
            _add_moment(&known, j, moments, combined)
    for j in range(1, degree - 1):
        result *= j / centre
    if degree > 1:
        result /= centre
    return -result if degree > 1 and degree & 1 else result


# --------------------------------------------------------------------------- whole tables

ctypedef fused cell_t:
    int32_t
    int64_t
    double


cdef struct Entropies_:
    # H(true), H(pred), H(true | pred) and H(pred | true).
    double total[4]
    double rest[4]


cdef struct Cells:
    # Without cells, the counts are those of all cells.
    const void *counts
    const int64_t *cells
    const void *sizes
    int64_t n_counts
    int64_t n_rows
    int64_t n_cols
    double total


cdef Cells _find_cells(packed) except *:
    cdef Cells found
    counts, cells, sizes = (<tuple>packed)[0], (<tuple>packed)[1], (<tuple>packed)[2]
    found.counts = _data(counts)
    found.cells = NULL if cells is None else <const int64_t *>_data(cells)
    found.sizes = _data(sizes)
    found.n_counts = len(counts)
    found.n_rows, found.n_cols = (<tuple>packed)[4]
    found.total = (<tuple>packed)[5]
    return found


def table_entropies(packed):
    cdef Cells table = _find_cells(packed)
    cdef Entropies_ found
    if not 0 < table.total < 2.0**53:
        return _numpy.table_entropies(packed)
    memset(&found, 0, sizeof(Entropies_))
    dtype = packed.counts.dtype
    if dtype is _float64:
        _add_of_sizes(<const double *>table.sizes, table, &found)
        _add_of_cells(<const double *>table.counts, <const double *>table.sizes, table, &found)
    else:
        _add_of_sizes(<const int64_t *>table.sizes, table, &found)
        if dtype is _int32:
            _add_of_cells(
                <const int32_t *>table.counts, <const int64_t *>table.sizes, table, &found
            )
        else:
            _add_of_cells(
                <const int64_t *>table.counts, <const int64_t *>table.sizes, table, &found
            )
    return _new(
        Entropies,
        (
            found.total[0] + found.rest[0],
            found.total[1] + found.rest[1],
            found.total[2] + found.rest[2],
            found.total[3] + found.rest[3],
        ),
    )


cdef void _add_of_sizes(const parts_t *sizes, Cells table, Entropies_ *found) noexcept nogil:
    cdef int64_t k
    cdef int side
    for k in range(table.n_rows + table.n_cols):
        side = k >= table.n_rows
        _add(
            &found.total[side],
            &found.rest[side],
            _share_of_log(<double>sizes[k], table.total, table.total),
        )


cdef void _add_of_cells(
    const cell_t *counts, const parts_t *sizes, Cells table, Entropies_ *found
) noexcept nogil:
    cdef int64_t k, row = 0, col = -1
    cdef double count, col_size
    for k in range(table.n_counts):
        col = col + 1 if table.cells == NULL else table.cells[k] - row * table.n_cols
        if col >= table.n_cols:
            row += 1
            col -= table.n_cols
        if counts[k] == 0:
            continue
        count, col_size = <double>counts[k], <double>sizes[table.n_rows + col]
        _add(&found.total[2], &found.rest[2], _share_of_log(count, col_size, table.total))
        _add(
            &found.total[3],
            &found.rest[3],
            _share_of_log(count, <double>sizes[row], table.total),
        )


cdef inline double _share_of_log(double part, double whole, double total) noexcept nogil:
    """n / N ln(a / n)"""
    cdef double log_ratio = log1p((whole - part) / part)
    if log_ratio == INFINITY:  # memberships can be too small to divide by
        log_ratio = log(whole) - log(part)
    return part / total * log_ratio


def information_excess(packed):
    cdef Cells table = _find_cells(packed)
    dtype = packed.counts.dtype
    if dtype is _float64 or not 0 < table.total < 2.0**53:
        return _numpy.information_excess(packed)
    if dtype is _int32:
        return _information_excess(<const int32_t *>table.counts, table)
    return _information_excess(<const int64_t *>table.counts, table)


cdef double _information_excess(const counts_t *counts, Cells table) noexcept nogil:
    cdef const int64_t *sizes = <const int64_t *>table.sizes
    cdef int64_t n = <int64_t>table.total, k, row = 0, col = -1, missed = n
    cdef double value = 0.0, rest = 0.0
    cdef Expected expected
    for k in range(table.n_counts):
        col = col + 1 if table.cells == NULL else table.cells[k] - row * table.n_cols
        if col >= table.n_cols:
            # Of the columns that this row does not meet, all expected objects are missing.
            _add(&value, &rest, <double>sizes[row] * <double>missed / table.total)
            row += 1
            col -= table.n_cols
            missed = n
        if counts[k] == 0:
            continue
        missed -= sizes[table.n_rows + col]
        expected = _expect(<double>sizes[row], <double>sizes[table.n_rows + col], table.total)
        _add(&value, &rest, _excess_over(<double>counts[k], expected))
    _add(&value, &rest, <double>sizes[row] * <double>missed / table.total)
    return max(value + rest, 0.0) / table.total


cdef struct Expected:
    # a b / N as a sum of two numbers.
    double high
    double low


cdef inline Expected _expect(double a, double b, double n) noexcept nogil:
    cdef Expected expected
    cdef double product = a * b
    expected.high = product / n
    expected.low = (fma(-expected.high, n, product) + fma(a, b, -product)) / n
    return expected


cdef inline double _excess_over(double count, Expected expected) noexcept nogil:
    return _entropy_excess(count, (count - expected.high) - expected.low, expected.high)


def group_sizes(sizes, n_rows):
    cdef int64_t n_sizes = len(sizes), rows = n_rows, k, at = -1, n_groups = 0, n_row_groups = 0
    # Sorted at once: rows below zero.
    ordered = sizes.copy()
    cdef int64_t *data = <int64_t *>_data(ordered)
    for k in range(rows):
        data[k] = -data[k]
    ordered.sort()
    for k in range(n_sizes):
        n_groups += k == 0 or data[k] != data[k - 1]
        if k == rows - 1:
            n_row_groups = n_groups
    row_sizes, row_counts = _empty(n_row_groups), _zeros(n_row_groups)
    col_sizes, col_counts = _empty(n_groups - n_row_groups), _zeros(n_groups - n_row_groups)
    _fill_groups(data, rows, -1, <double *>_data(row_sizes), <double *>_data(row_counts))
    _fill_groups(
        data + rows, n_sizes - rows, 1, <double *>_data(col_sizes), <double *>_data(col_counts)
    )
    return (row_sizes, row_counts), (col_sizes, col_counts)


cdef void _fill_groups(
    const int64_t *ordered, int64_t n_sums, int sign, double *sizes, double *counts
) noexcept nogil:
    cdef int64_t k, at = -1, first = 0 if sign > 0 else n_sums - 1
    for k in range(n_sums):
        if k == 0 or ordered[first + sign * k] != ordered[first + sign * (k - 1)]:
            at += 1
            sizes[at] = <double>(sign * ordered[first + sign * k])
        counts[at] += 1.0


# --------------------------------------------------------------------------- sums of information

# The letters are those of ``_chance.variance``, which finds the same degree by degree in NumPy.

cdef enum:
    # Degrees of which the coupling is known.
    N_STRENGTHS = LARGEST_DEGREE + 2

cdef double VARIANCE_TOLERANCE = 2e-13


cdef struct Coupling:
    Sizes side
    # The only cluster that may have more than half of all objects, or -1.
    int64_t major
    # g_k of every size, degree by degree.
    double *strengths


def entropy_moments(row_sizes, row_counts, col_sizes, col_counts, n_samples):
    cdef int64_t n = int(n_samples), n_rows = len(row_sizes), n_cols = len(col_sizes)
    cdef int64_t n_numbers = N_STRENGTHS * (n_rows + n_cols) + n_rows * n_cols
    row_sizes, row_counts, col_sizes, col_counts = map(
        _as_floats, (row_sizes, row_counts, col_sizes, col_counts)
    )
    cdef Coupling rows, cols
    rows.side = Sizes(<double *>_data(row_sizes), <double *>_data(row_counts), n_rows)
    cols.side = Sizes(<double *>_data(col_sizes), <double *>_data(col_counts), n_cols)
    differences = _differences()
    cdef const double *difference_data = <const double *>_data(differences)
    cdef double found[2]
    cdef bint is_known
    # Three tables of coefficients by degree, too: of one row, of a sum of rows, of the major one.
    cdef double *numbers = <double *>calloc(n_numbers + 3 * N_STRENGTHS * n_cols, sizeof(double))
    if numbers == NULL:
        raise MemoryError
    rows.strengths = numbers
    cols.strengths = numbers + N_STRENGTHS * n_rows
    with nogil:
        is_known = _entropy_moments(
            &rows,
            &cols,
            n,
            difference_data,
            cols.strengths + N_STRENGTHS * n_cols,
            numbers + n_numbers,
            found,
        )
        free(numbers)
    return (found[0], found[1]) if is_known else None


cdef bint _entropy_moments(
    Coupling *rows,
    Coupling *cols,
    int64_t n,
    const double *differences,
    double *slopes,
    double *line,
    double *found,
) noexcept nogil:
    """Find mean and variance; return whether the degrees are enough for all cells."""
    cdef int64_t n_rows = rows.side.length, n_cols = cols.side.length, i, j, a, b
    cdef double *combined = line + N_STRENGTHS * n_cols
    cdef double *major_row = combined + N_STRENGTHS * n_cols
    cdef double shares[LARGEST_DEGREE]
    cdef double coefficients[LARGEST_DEGREE + 1]
    cdef double mean = 0.0, mean_rest = 0.0, variance = 0.0, rest = 0.0, expected, left
    cdef double across, weight
    cdef int n_shares, k, degree, n_degrees, most = 1
    _fill_strengths(rows, n)
    _fill_strengths(cols, n)
    n_shares = _fill_shares(rows, cols, n, shares)
    _fill_slopes(rows.side, cols.side, <double>n, slopes)
    for i in range(n_rows):
        a = <int64_t>rows.side.sizes[i]
        memset(line, 0, N_STRENGTHS * n_cols * sizeof(double))
        n_degrees = 1
        for j in range(n_cols):
            b = <int64_t>cols.side.sizes[j]
            if <double>a * <double>b / n < LARGE_MEAN:
                degree = _expand_by_nodes(
                    a, b, n, shares, n_shares, differences, coefficients, &expected, &left
                )
            else:
                degree = _expand_by_moments(
                    a, b, n, shares, n_shares, coefficients, &expected, &left
                )
            if degree == 0:
                return False
            weight = rows.side.counts[i] * cols.side.counts[j]
            _add(&mean, &mean_rest, weight * expected)
            _add(&variance, &rest, weight * left)
            slopes[i * n_cols + j] += coefficients[1] / sqrt(
                _variance(a, b, n, <double>a * <double>b / <double>n)
            )
            for k in range(2, degree + 1):
                line[k * n_cols + j] = coefficients[k]
            n_degrees = max(n_degrees, degree)
        for k in range(2, n_degrees + 1):
            _add(
                &variance,
                &rest,
                _diagonal(rows, k, i) * _form(cols, k, line + k * n_cols, line + k * n_cols),
            )
            if i == rows.major:
                memcpy(major_row + k * n_cols, line + k * n_cols, n_cols * sizeof(double))
                continue
            weight = rows.side.counts[i] * rows.strengths[k * n_rows + i]
            for j in range(n_cols):
                combined[k * n_cols + j] += weight * line[k * n_cols + j]
        most = max(most, n_degrees)
    for k in range(2, most + 1):
        line = combined + k * n_cols
        across = _form(cols, k, line, line)
        if rows.major >= 0:
            weight = 2.0 * rows.strengths[k * n_rows + rows.major]
            across += weight * _form(cols, k, major_row + k * n_cols, line)
        _add(&variance, &rest, -across if k & 1 else across)
    _add(&variance, &rest, _linear_part(rows.side, cols.side, <double>n, slopes))
    found[0] = mean + mean_rest
    found[1] = max(variance + rest, 0.0)
    return True


cdef void _fill_strengths(Coupling *margin, int64_t n) noexcept nogil:
    cdef int64_t length = margin.side.length, j
    cdef double inside, outside
    cdef int k
    margin.major = -1
    for j in range(length):
        margin.strengths[j] = 1.0
        if margin.side.sizes[j] > n / 2.0:
            margin.major = j
        for k in range(1, N_STRENGTHS):
            inside = max(margin.side.sizes[j] - (k - 1), 0.0)
            outside = n - margin.side.sizes[j] - (k - 1)
            margin.strengths[k * length + j] = (
                margin.strengths[(k - 1) * length + j] * sqrt(inside / outside)
                if outside > 0.0
                else 0.0
            )


cdef int _fill_shares(
    const Coupling *rows, const Coupling *cols, int64_t n, double *shares
) noexcept nogil:
    """Find the shares of the variance that may be left after each degree; return their number."""
    cdef double in_rows, in_cols, bound = INFINITY
    cdef int64_t largest = LARGEST_DEGREE
    cdef int k, n_bounds = 0
    # Where a cluster has all objects but a few, there are no further degrees.
    if rows.major >= 0:
        largest = min(largest, n - <int64_t>rows.side.sizes[rows.major])
    if cols.major >= 0:
        largest = min(largest, n - <int64_t>cols.side.sizes[cols.major])
    for k in range(1, LARGEST_DEGREE + 1):
        if bound > VARIANCE_TOLERANCE:
            in_rows, in_cols = _bound(rows, k + 1), _bound(cols, k + 1)
            bound = in_rows + in_cols + in_rows * in_cols
            n_bounds = k
        shares[k - 1] = VARIANCE_TOLERANCE / max(bound, 1e-150)
        shares[k - 1] *= shares[k - 1]
        if k >= largest:
            shares[k - 1] = INFINITY
    return <int>max(largest, <int64_t>n_bounds)


cdef double _bound(const Coupling *margin, int k) noexcept nogil:
    """Find the largest row sum of |G_k| off the diagonal."""
    cdef int64_t length = margin.side.length, j
    cdef const double *strengths = margin.strengths + k * length
    cdef double total = 0.0, largest = 0.0, value
    for j in range(length):
        if j != margin.major:
            total += margin.side.counts[j] * strengths[j]
    for j in range(length):
        value = strengths[j] * total
        if j != margin.major:
            value -= strengths[j] * strengths[j]
            if margin.major >= 0:
                value += strengths[j] * strengths[margin.major]
        largest = max(largest, value)
    return largest


cdef inline double _diagonal(const Coupling *margin, int k, int64_t j) noexcept nogil:
    """Return the coefficient of a square, with its multiplicity."""
    cdef double strength = margin.strengths[k * margin.side.length + j]
    if j == margin.major:
        return margin.side.counts[j]
    strength *= strength
    return margin.side.counts[j] * (1.0 + strength if k & 1 else 1.0 - strength)


cdef double _form(
    const Coupling *margin, int k, const double *left, const double *right
) noexcept nogil:
    """Return the bilinear form of G_k."""
    cdef int64_t length = margin.side.length, j, major = margin.major
    cdef const double *strengths = margin.strengths + k * length
    cdef double squares = 0.0, in_left = 0.0, in_right = 0.0, weight
    for j in range(length):
        squares += _diagonal(margin, k, j) * (left[j] * right[j])
        if j != major:
            weight = margin.side.counts[j] * strengths[j]
            in_left += weight * left[j]
            in_right += weight * right[j]
    weight = in_left * in_right
    if major >= 0:
        weight += strengths[major] * (left[major] * in_right + in_left * right[major])
    return squares - weight if k & 1 else squares + weight


cdef double _linear_part(Sizes rows, Sizes cols, double n, double *slopes) noexcept nogil:
    """Return the variance of the sum of n_ij with these slopes, which are centered."""
    cdef int64_t i, j
    cdef double mean, squares = 0.0, in_row
    for j in range(cols.length):
        mean = 0.0
        for i in range(rows.length):
            mean += rows.counts[i] * rows.sizes[i] / n * slopes[i * cols.length + j]
        for i in range(rows.length):
            slopes[i * cols.length + j] -= mean
    for i in range(rows.length):
        mean = in_row = 0.0
        for j in range(cols.length):
            mean += cols.counts[j] * cols.sizes[j] / n * slopes[i * cols.length + j]
        for j in range(cols.length):
            slopes[i * cols.length + j] -= mean
            in_row += cols.counts[j] * cols.sizes[j] / n * (
                slopes[i * cols.length + j] * slopes[i * cols.length + j]
            )
        squares += rows.counts[i] * rows.sizes[i] / n * in_row
    return squares * n * (n / (n - 1.0))


cdef void _fill_slopes(Sizes rows, Sizes cols, double n, double *slopes) noexcept nogil:
    """Find the slopes of the lines that are left out, as ``_chance.cells.slopes_of_lines``."""
    cdef double row_top = rows.sizes[rows.length - 1], col_top = cols.sizes[cols.length - 1]
    cdef double mean, top = row_top * col_top / n
    cdef bint row_is_mixed, col_is_mixed
    cdef int64_t i, j
    if top <= 1.0 or rows.sizes[0] * cols.sizes[0] / n > 1.0:
        memset(slopes, 0, rows.length * cols.length * sizeof(double))
        return
    for i in range(rows.length):
        row_is_mixed = rows.sizes[i] * col_top / n > 1.0
        for j in range(cols.length):
            col_is_mixed = row_top * cols.sizes[j] / n > 1.0
            mean = rows.sizes[i] * cols.sizes[j] / n
            if mean > 1.0:
                slopes[i * cols.length + j] = 0.0
            elif row_is_mixed and col_is_mixed:
                slopes[i * cols.length + j] = -(1.0 + log(mean))
            else:
                slopes[i * cols.length + j] = -(
                    row_is_mixed * _log_ratio(rows.sizes[i], row_top)
                    + col_is_mixed * _log_ratio(cols.sizes[j], col_top)
                    + (1.0 + log(top)) * (<int>row_is_mixed + <int>col_is_mixed - 1)
                )


cdef inline double _log_ratio(double size, double largest) noexcept nogil:
    cdef double relative = (size - largest) / largest
    return log1p(relative) if relative > -0.5 else log(size / largest)


def entropy_position(packed, row_sizes, row_counts, col_sizes, col_counts, mean):
    cdef Cells table = _find_cells(packed)
    row_sizes, row_counts, col_sizes, col_counts = map(
        _as_floats, (row_sizes, row_counts, col_sizes, col_counts)
    )
    cdef Sizes rows = Sizes(
        <double *>_data(row_sizes), <double *>_data(row_counts), len(row_sizes)
    )
    cdef Sizes cols = Sizes(
        <double *>_data(col_sizes), <double *>_data(col_counts), len(col_sizes)
    )
    cdef const int64_t *sizes = <const int64_t *>table.sizes
    cdef int64_t *groups = <int64_t *>malloc((table.n_rows + table.n_cols) * sizeof(int64_t))
    cdef double *sums = <double *>calloc(3 * rows.length * cols.length, sizeof(double))
    cdef double result, start = mean
    cdef int64_t k
    dtype = packed.counts.dtype
    try:
        if groups == NULL or sums == NULL:
            raise MemoryError
        for k in range(table.n_rows + table.n_cols):
            groups[k] = _find(rows if k < table.n_rows else cols, <double>sizes[k])
        if dtype is _int32:
            result = _entropy_position(
                <const int32_t *>table.counts, table, rows, cols, groups, sums, start
            )
        else:
            result = _entropy_position(
                <const int64_t *>table.counts, table, rows, cols, groups, sums, start
            )
    finally:
        free(groups)
        free(sums)
    return result


cdef int64_t _find(Sizes side, double size) noexcept nogil:
    cdef int64_t low = 0, high = side.length - 1, middle
    while low < high:
        middle = (low + high) // 2
        if side.sizes[middle] < size:
            low = middle + 1
        else:
            high = middle
    return low


cdef double _entropy_position(
    const counts_t *counts,
    Cells table,
    Sizes rows,
    Sizes cols,
    const int64_t *groups,
    double *sums,
    double start,
) noexcept nogil:
    cdef const int64_t *sizes = <const int64_t *>table.sizes
    cdef double *observed = sums
    cdef double *occupied = sums + rows.length * cols.length
    cdef double *slopes = occupied + rows.length * cols.length
    cdef int64_t row = 0, col = -1, k, group, i, j
    cdef double value = 0.0, rest = 0.0, count
    cdef Expected expected
    for k in range(table.n_counts):
        col = col + 1 if table.cells == NULL else table.cells[k] - row * table.n_cols
        if col >= table.n_cols:
            row += 1
            col -= table.n_cols
        if counts[k] == 0:
            continue
        count = <double>counts[k]
        group = groups[row] * cols.length + groups[table.n_rows + col]
        observed[group] += count
        occupied[group] += 1.0
        expected = _expect(<double>sizes[row], <double>sizes[table.n_rows + col], table.total)
        if expected.high > 1.0:
            _add(&value, &rest, _excess_over(count, expected))
        else:
            _add(&value, &rest, count * log(count))
    _fill_slopes(rows, cols, table.total, slopes)
    for i in range(rows.length):
        for j in range(cols.length):
            group = i * cols.length + j
            expected = _expect(rows.sizes[i], cols.sizes[j], table.total)
            if expected.high > 1.0:
                # The excess of empty cells.
                count = rows.counts[i] * cols.counts[j] - occupied[group]
                _add(&value, &rest, count * expected.high)
            if slopes[group] != 0.0:
                expected = _expect(
                    rows.sizes[i] * rows.counts[i], cols.sizes[j] * cols.counts[j], table.total
                )
                _add(
                    &value,
                    &rest,
                    slopes[group] * ((observed[group] - expected.high) - expected.low),
                )
    _add(&value, &rest, -start)
    return value + rest


# --------------------------------------------------------------------------- code lengths

# The letters are those of ``indices._reduced``.

# From here on three terms of Stirling's series are exact to double precision.
cdef double LARGE_START = 100.0


def shortest_code(totals, parts, n_labels):
    cdef int64_t n_totals = len(totals), n_objects = int(totals.sum())
    (total_sizes, total_counts), (part_sizes, part_counts) = group_sizes(
        np.concatenate((totals, parts)), n_totals
    )
    cdef Sizes summed = Sizes(
        <double *>_data(total_sizes), <double *>_data(total_counts), len(total_sizes)
    )
    cdef Sizes kept = Sizes(
        <double *>_data(part_sizes), <double *>_data(part_counts), len(part_sizes)
    )
    cdef double labels = n_labels, least, length
    cdef double reach = ceil(_numpy._FAR + 2.0 * log(<double>n_objects))
    with nogil:
        least = _shortest_code(summed, kept, labels, reach)
    if n_totals == len(parts):  # one label for each total, as for alpha = 0
        least = min(least, -log(labels) * (n_objects - n_totals))
    return least


cdef double _shortest_code(Sizes totals, Sizes parts, double n_labels, double reach) noexcept nogil:
    cdef double least = INFINITY, at = -reach, log_alpha = -reach, length
    while log_alpha <= reach:
        length = _code_length(totals, parts, n_labels, log_alpha)
        if length < least:
            least, at = length, log_alpha
        log_alpha += 1.0
    if at == -reach or at == reach:
        return 0.0
    return min(_least_between(totals, parts, n_labels, at - 1.0, at + 1.0), 0.0)


cdef double _code_length(
    Sizes totals, Sizes parts, double n_labels, double log_alpha
) noexcept nogil:
    cdef double alpha = exp(log_alpha)
    return _log_rises(totals, n_labels * alpha) - _log_rises(parts, alpha)


cdef double _log_rises(Sizes counts, double start) noexcept nogil:
    """Add up log(m (m + 1) ... (m + n - 1) / m^n), without a difference of large terms."""
    cdef double result = 0.0, log_start = log(start), of_start, n, end
    cdef bint is_large = start >= LARGE_START
    cdef int64_t k
    of_start = _stirling_rest(start) if is_large else lgamma(start)
    for k in range(counts.length):
        n = counts.sizes[k]
        if n == 1.0:
            continue
        end = start + n
        if is_large:
            result += counts.counts[k] * (
                (end - 0.5) * log1p(n / start) - n + (_stirling_rest(end) - of_start)
            )
        else:
            result += counts.counts[k] * (lgamma(end) - of_start - n * log_start)
    return result


cdef inline double _stirling_rest(double value) noexcept nogil:
    cdef double square = value * value
    return (1.0 / 12.0 - (1.0 / 360.0 - 1.0 / (1260.0 * square)) / square) / value


cdef double _least_between(
    Sizes totals, Sizes parts, double n_labels, double low, double high
) noexcept nogil:
    """Return the least code length between two points, by parabolas and golden sections (Brent)."""
    cdef double golden = 0.3819660112501051, tolerance, middle, step = 0.0, before = 0.0
    cdef double x = low + golden * (high - low), w = x, v = x, u, r, p, q
    cdef double fx = _code_length(totals, parts, n_labels, x), fw = fx, fv = fx, fu
    cdef int number
    cdef bint is_golden
    for number in range(100):
        middle = 0.5 * (low + high)
        tolerance = 1.5e-8 * fabs(x) + 3.3e-8
        if fabs(x - middle) <= 2.0 * tolerance - 0.5 * (high - low):
            break
        is_golden = True
        if fabs(before) > tolerance:
            r = (x - w) * (fx - fv)
            q = (x - v) * (fx - fw)
            p = (x - v) * q - (x - w) * r
            q = 2.0 * (q - r)
            if q > 0.0:
                p = -p
            q = fabs(q)
            r = before
            before = step
            if fabs(p) < fabs(0.5 * q * r) and q * (low - x) < p < q * (high - x):
                step = p / q
                u = x + step
                if u - low < 2.0 * tolerance or high - u < 2.0 * tolerance:
                    step = tolerance if x < middle else -tolerance
                is_golden = False
        if is_golden:
            before = high - x if x < middle else low - x
            step = golden * before
        u = x + step
        if fabs(step) < tolerance:
            u = x + (tolerance if step > 0.0 else -tolerance)
        fu = _code_length(totals, parts, n_labels, u)
        if fu <= fx:
            if u < x:
                high = x
            else:
                low = x
            v, w, x = w, x, u
            fv, fw, fx = fw, fx, fu
        else:
            if u < x:
                low = u
            else:
                high = u
            if fu <= fw or w == x:
                v, w = w, u
                fv, fw = fw, fu
            elif fu <= fv or v == x or v == w:
                v, fv = u, fu
    return fx
