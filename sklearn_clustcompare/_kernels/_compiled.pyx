# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Kernels with the names, arguments and results of those in ``_numpy.py``, compiled.

Arrays come in through the buffer protocol, so that building needs no headers of NumPy. Integers of
one width are read as unsigned, whatever their sign: differences wrap around and come out right.
"""

from cpython.buffer cimport (
    PyBUF_SIMPLE,
    PyBUF_WRITABLE,
    PyBuffer_Release,
    PyObject_GetBuffer,
)
from libc.math cimport INFINITY, NAN, log, log1p
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

import numpy as np

from sklearn_clustcompare._kernels import _numpy
from sklearn_clustcompare._kernels._numpy import PackedTable

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
    # Labels of this many objects stay in the first cache between two looks at them.
    BLOCK = 2048
    # Other threads run while more objects than this are counted.
    MANY = 16384

cdef int64_t MOST_IN_ONE_PASS = _numpy._MOST_IN_ONE_PASS
cdef int64_t ALWAYS_DENSE = _numpy._ALWAYS_DENSE_CELLS
cdef int64_t CELLS_PER_OBJECT = _numpy._CELLS_OF_BITS_PER_OBJECT
cdef int64_t LARGE_TABLE = _numpy._BLOCK

_empty = np.empty
_int32, _int64, _float64 = map(np.dtype, (np.int32, np.int64, np.float64))


# --------------------------------------------------------------------------- one pair


cdef struct Table:
    # Counts of the cell (row - first_row, col - first_col), with 2**col_bits cells a row.
    uint32_t *counts
    int row_bits
    int col_bits
    uint64_t first_row
    uint64_t first_col
    uint64_t most_cells


def count_pair(rows, cols):
    if not (_holds_integers(rows) and _holds_integers(cols)):
        return None
    cdef Py_ssize_t n_objects = len(rows)
    if len(cols) != n_objects or not 0 < n_objects < MOST_IN_ONE_PASS:
        return None
    cdef int row_width = rows.dtype.itemsize, col_width = cols.dtype.itemsize
    cdef bint fits
    cdef Table table
    table.counts = NULL
    table.row_bits = table.col_bits = 0
    # Labels of -1 are allowed, and no others below zero.
    table.first_row = -1 if rows.dtype.kind == "i" else 0
    table.first_col = -1 if cols.dtype.kind == "i" else 0
    table.most_cells = max(ALWAYS_DENSE, CELLS_PER_OBJECT * n_objects)
    cdef Py_buffer row_buffer, col_buffer
    PyObject_GetBuffer(rows, &row_buffer, PyBUF_SIMPLE)
    PyObject_GetBuffer(cols, &col_buffer, PyBUF_SIMPLE)
    if n_objects > MANY:
        with nogil:
            fits = _count_rows(
                &table, row_buffer.buf, row_width, col_buffer.buf, col_width, n_objects
            )
    else:
        fits = _count_rows(
            &table, row_buffer.buf, row_width, col_buffer.buf, col_width, n_objects
        )
    PyBuffer_Release(&row_buffer)
    PyBuffer_Release(&col_buffer)
    if not fits:
        free(table.counts)
        return None
    try:
        return _pack(
            table.counts,
            <int64_t>1 << table.row_bits,
            <int64_t>1 << table.col_bits,
            <int64_t>table.first_row,
            <int64_t>table.first_col,
        )
    finally:
        free(table.counts)


cdef bint _holds_integers(values):
    return (
        values.ndim == 1
        and values.dtype.kind in "iu"
        and values.dtype.isnative
        and values.flags.c_contiguous
    )


cdef bint _count_rows(
    Table *table,
    const void *rows,
    int row_width,
    const void *cols,
    int col_width,
    Py_ssize_t n_objects,
) noexcept nogil:
    if row_width == 1:
        return _count_cols(table, <const uint8_t *>rows, cols, col_width, n_objects)
    if row_width == 2:
        return _count_cols(table, <const uint16_t *>rows, cols, col_width, n_objects)
    if row_width == 4:
        return _count_cols(table, <const uint32_t *>rows, cols, col_width, n_objects)
    return _count_cols(table, <const uint64_t *>rows, cols, col_width, n_objects)


cdef bint _count_cols(
    Table *table, const rows_t *rows, const void *cols, int col_width, Py_ssize_t n_objects
) noexcept nogil:
    if col_width == 1:
        return _count_labels(table, rows, <const uint8_t *>cols, n_objects)
    if col_width == 2:
        return _count_labels(table, rows, <const uint16_t *>cols, n_objects)
    if col_width == 4:
        return _count_labels(table, rows, <const uint32_t *>cols, n_objects)
    return _count_labels(table, rows, <const uint64_t *>cols, n_objects)


cdef bint _count_labels(
    Table *table, const rows_t *rows, const cols_t *cols, Py_ssize_t n_objects
) noexcept nogil:
    """Count labels block by block, and widen the table when labels need more bits."""
    cdef rows_t first_row = <rows_t>table.first_row, row_bits
    cdef cols_t first_col = <cols_t>table.first_col, col_bits
    cdef Py_ssize_t start = 0, stop, k
    cdef uint32_t *counts
    cdef int shift
    while start < n_objects:
        stop = min(start + BLOCK, n_objects)
        row_bits = 0
        col_bits = 0
        for k in range(start, stop):
            row_bits |= <rows_t>(rows[k] - first_row)
        for k in range(start, stop):
            col_bits |= <cols_t>(cols[k] - first_col)
        if (
            table.counts == NULL
            or <uint64_t>row_bits >> table.row_bits
            or <uint64_t>col_bits >> table.col_bits
        ):
            # Where -1 is allowed, what else is below zero has the highest bit.
            if (first_row and row_bits >> (8 * sizeof(rows_t) - 1)) or (
                first_col and col_bits >> (8 * sizeof(cols_t) - 1)
            ):
                return False
            if not _widen(table, row_bits, col_bits):
                return False
        counts = table.counts
        shift = table.col_bits
        for k in range(start, stop):
            counts[
                (<uint64_t><rows_t>(rows[k] - first_row) << shift)
                | <uint64_t><cols_t>(cols[k] - first_col)
            ] += 1
        start = stop
    return True


cdef bint _widen(Table *table, uint64_t rows, uint64_t cols) noexcept nogil:
    """Make cells for labels with these bits; return False where they would be too many."""
    cdef int row_bits = max(_n_bits(rows), table.row_bits)
    cdef int col_bits = max(_n_bits(cols), table.col_bits)
    cdef uint64_t row, col
    cdef uint32_t *wider
    if row_bits + col_bits > 62 or <uint64_t>1 << (row_bits + col_bits) > table.most_cells:
        return False
    wider = <uint32_t *>calloc(<size_t>1 << (row_bits + col_bits), sizeof(uint32_t))
    if wider == NULL:
        return False
    if table.counts != NULL:
        for row in range(<uint64_t>1 << table.row_bits):
            for col in range(<uint64_t>1 << table.col_bits):
                wider[row << col_bits | col] = table.counts[row << table.col_bits | col]
        free(table.counts)
    table.counts = wider
    table.row_bits = row_bits
    table.col_bits = col_bits
    return True


cdef inline int _n_bits(uint64_t value) noexcept nogil:
    cdef int n_bits = 0
    while value:
        n_bits += 1
        value >>= 1
    return n_bits


# --------------------------------------------------------------------------- tables


def pack_table(counts):
    cdef int64_t n_rows = counts.shape[0], n_cols = counts.shape[1]
    cdef Py_buffer buffer
    counts = np.ascontiguousarray(counts)
    PyObject_GetBuffer(counts, &buffer, PyBUF_SIMPLE)
    try:
        if counts.dtype == _int32:
            return _pack(<const int32_t *>buffer.buf, n_rows, n_cols, 0, 0)
        return _pack(<const int64_t *>buffer.buf, n_rows, n_cols, 0, 0)
    finally:
        PyBuffer_Release(&buffer)


cdef object _pack(
    const counts_t *counts, int64_t n_rows, int64_t n_cols, int64_t first_row, int64_t first_col
):
    cdef int64_t *row_sums = <int64_t *>calloc(n_rows + n_cols + 1, sizeof(int64_t))
    if row_sums == NULL:
        raise MemoryError
    cdef int64_t *col_sums = row_sums + n_rows
    cdef const counts_t *line
    cdef int64_t row, col, total, n_cells = 0, n_samples = 0, packed_rows = 0, packed_cols = 0
    for row in range(n_rows):
        line = counts + row * n_cols
        total = 0
        for col in range(n_cols):
            total += line[col]
            col_sums[col] += line[col]
            n_cells += line[col] != 0
        row_sums[row] = total
        n_samples += total
        packed_rows += total != 0
    for col in range(n_cols):
        packed_cols += col_sums[col] != 0
    try:
        is_small = packed_rows * packed_cols <= LARGE_TABLE or n_samples >= MOST_IN_ONE_PASS
        packed = _empty(packed_rows * packed_cols, _int64 if is_small else _int32)
        if is_small:
            _copy_occupied(counts, n_rows, n_cols, row_sums, col_sums, packed, <int64_t>0)
        else:
            _copy_occupied(counts, n_rows, n_cols, row_sums, col_sums, packed, <int32_t>0)
        rows = _margin(row_sums, n_rows, packed_rows, first_row)
        cols = _margin(col_sums, n_cols, packed_cols, first_col)
    finally:
        free(row_sums)
    return PackedTable(packed, rows[0], cols[0], rows[1], cols[1], n_samples, n_cells)


ctypedef fused packed_t:
    int32_t
    int64_t


cdef int _copy_occupied(
    const counts_t *counts,
    int64_t n_rows,
    int64_t n_cols,
    const int64_t *row_sums,
    const int64_t *col_sums,
    packed,
    packed_t zero,
) except -1:
    cdef Py_buffer buffer
    cdef packed_t *out
    cdef int64_t row, col
    PyObject_GetBuffer(packed, &buffer, PyBUF_WRITABLE)
    out = <packed_t *>buffer.buf
    for row in range(n_rows):
        if row_sums[row]:
            for col in range(n_cols):
                if col_sums[col]:
                    out[0] = counts[row * n_cols + col]
                    out += 1
    PyBuffer_Release(&buffer)
    return 0


cdef tuple _margin(const int64_t *sums, int64_t n_codes, int64_t n_occupied, int64_t first):
    """Return the sums that are not zero, and their codes."""
    cdef Py_buffer sums_buffer, codes_buffer
    cdef int64_t code, at = 0
    occupied = _empty(n_occupied, _int64), _empty(n_occupied, _int64)
    PyObject_GetBuffer(occupied[0], &sums_buffer, PyBUF_WRITABLE)
    PyObject_GetBuffer(occupied[1], &codes_buffer, PyBUF_WRITABLE)
    for code in range(n_codes):
        if sums[code]:
            (<int64_t *>sums_buffer.buf)[at] = sums[code]
            (<int64_t *>codes_buffer.buf)[at] = first + code
            at += 1
    PyBuffer_Release(&sums_buffer)
    PyBuffer_Release(&codes_buffer)
    return occupied


def sum_of_squares(counts, total):
    # As int64, such a sum is exact for a total below 2**31.
    if total >= MOST_IN_ONE_PASS or not counts.flags.c_contiguous:
        return _numpy.sum_of_squares(counts, total)
    cdef Py_buffer buffer
    cdef int64_t squares
    cdef Py_ssize_t n_counts = counts.size
    PyObject_GetBuffer(counts, &buffer, PyBUF_SIMPLE)
    if counts.dtype == _int32:
        squares = _squares(<const int32_t *>buffer.buf, n_counts)
    else:
        squares = _squares(<const int64_t *>buffer.buf, n_counts)
    PyBuffer_Release(&buffer)
    return squares


cdef int64_t _squares(const packed_t *counts, Py_ssize_t n_counts) noexcept nogil:
    cdef int64_t squares = 0
    cdef Py_ssize_t k
    for k in range(n_counts):
        squares += <int64_t>counts[k] * counts[k]
    return squares


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
    sums = np.zeros((n_groups, 3), _int64)
    widths = np.asarray(n_codes, _int64)
    cdef Py_buffer code_buffer, number_buffer, width_buffer, sum_buffer
    cdef uint32_t *counts = <uint32_t *>calloc(n_cells, sizeof(uint32_t))
    if counts == NULL:
        raise MemoryError
    PyObject_GetBuffer(codes, &code_buffer, PyBUF_SIMPLE)
    PyObject_GetBuffer(numbers, &number_buffer, PyBUF_SIMPLE)
    PyObject_GetBuffer(widths, &width_buffer, PyBUF_SIMPLE)
    PyObject_GetBuffer(sums, &sum_buffer, PyBUF_WRITABLE)
    cdef int64_t group_number
    with nogil:
        for group_number in range(n_groups):
            _square_sums_of_group(
                <const uint16_t *>code_buffer.buf,
                <const int64_t *>number_buffer.buf + 3 * group_number,
                <const int64_t *>width_buffer.buf,
                n_objects,
                counts,
                <int64_t *>sum_buffer.buf + 3 * group_number,
            )
    PyBuffer_Release(&code_buffer)
    PyBuffer_Release(&number_buffer)
    PyBuffer_Release(&width_buffer)
    PyBuffer_Release(&sum_buffer)
    free(counts)
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
    cdef Py_buffer part_buffer, whole_buffer
    cdef Py_ssize_t n_parts = len(parts)
    cdef double result, one_whole, all_parts = total
    PyObject_GetBuffer(parts, &part_buffer, PyBUF_SIMPLE)
    if has_one_whole:
        one_whole = wholes
        if are_whole:
            result = _log_ratio_sum(
                <const int64_t *>part_buffer.buf, NULL, <int64_t>one_whole, n_parts, all_parts
            )
        else:
            result = _log_ratio_sum(
                <const double *>part_buffer.buf, NULL, one_whole, n_parts, all_parts
            )
        PyBuffer_Release(&part_buffer)
        return result
    PyObject_GetBuffer(wholes, &whole_buffer, PyBUF_SIMPLE)
    if are_whole:
        result = _log_ratio_sum(
            <const int64_t *>part_buffer.buf,
            <const int64_t *>whole_buffer.buf,
            <int64_t>0,
            n_parts,
            all_parts,
        )
    else:
        result = _log_ratio_sum(
            <const double *>part_buffer.buf,
            <const double *>whole_buffer.buf,
            <double>0,
            n_parts,
            all_parts,
        )
    PyBuffer_Release(&part_buffer)
    PyBuffer_Release(&whole_buffer)
    return result


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
    cdef Py_buffer buffer
    cdef Bounds bounds
    cdef Py_ssize_t n_rows = memberships.shape[0], n_cols = memberships.shape[1]
    PyObject_GetBuffer(memberships, &buffer, PyBUF_SIMPLE)
    with nogil:
        bounds = _membership_bounds(<const double *>buffer.buf, n_rows, n_cols)
    PyBuffer_Release(&buffer)
    return bounds.lowest, bounds.smallest_sum, bounds.largest_sum


cdef struct Bounds:
    double lowest
    double smallest_sum
    double largest_sum


cdef Bounds _membership_bounds(
    const double *values, Py_ssize_t n_rows, Py_ssize_t n_cols
) noexcept nogil:
    cdef double sum_0, sum_1, low_0 = INFINITY, low_1 = INFINITY
    cdef double smallest = INFINITY, largest = -INFINITY
    cdef bint has_nan = False
    cdef Py_ssize_t row, col
    for row in range(n_rows):
        sum_0 = sum_1 = 0
        # Two chains of additions and comparisons, as each waits for the one before it.
        for col in range(0, n_cols - 1, 2):
            sum_0 += values[col]
            sum_1 += values[col + 1]
            low_0 = values[col] if values[col] < low_0 else low_0
            low_1 = values[col + 1] if values[col + 1] < low_1 else low_1
        if n_cols & 1:
            sum_0 += values[n_cols - 1]
            low_0 = values[n_cols - 1] if values[n_cols - 1] < low_0 else low_0
        sum_0 += sum_1
        smallest = sum_0 if sum_0 < smallest else smallest
        largest = sum_0 if sum_0 > largest else largest
        # NaN is lost in comparisons, but not in sums.
        has_nan |= sum_0 != sum_0
        values += n_cols
    if has_nan:
        return Bounds(NAN, smallest, largest)
    return Bounds(low_0 if low_0 < low_1 else low_1, smallest, largest)
