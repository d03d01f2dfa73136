# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: binding=False, emit_code_comments=False
"""Kernels with the names, arguments and results of those in ``_numpy.py``, compiled.

A kernel looks at its arrays, makes those of its results, and calls a loop in C of ``loops``. Arrays
come in through the buffer protocol, so that building needs no headers of NumPy. Integers of one
width are read as unsigned, whatever their sign: differences wrap around and come out right.
"""

from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from cpython.dict cimport PyDict_GetItemWithError, PyDict_SetItem
from cpython.object cimport PyObject
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t, uintptr_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

import functools

import numpy as np

from sklearn_clustcompare._kernels import _numpy
from sklearn_clustcompare._kernels._numpy import PackedCells, PackedTable

cdef extern from "loops/loops.h" nogil:
    const uint64_t MULTIPLIER

    # labels.h
    ctypedef struct Table:
        uint32_t *counts
        int row_bits
        int col_bits
        uint64_t first_row
        uint64_t first_col

    int n_bits(uint64_t value)
    int64_t count_labels(
        Table *table,
        const void *rows,
        int row_width,
        const void *cols,
        int col_width,
        int64_t start,
        int64_t n_objects,
    )
    void add_labels(
        void *pairs,
        int pair_width,
        const void *labels,
        int width,
        uint64_t first,
        int shift,
        int64_t n_objects,
    )
    void count_codes(const void *codes, int width, int64_t n_objects, int64_t *sizes)
    void take_values(
        const int64_t *values, const void *codes, int width, int64_t n_objects, int64_t *out
    )

    # tables.h, pairs.h
    ctypedef struct Totals:
        int64_t n_samples
        int64_t n_cells
        int64_t n_rows
        int64_t n_cols

    Totals add_up(
        int width, const void *counts, int64_t n_rows, int64_t n_cols, void *row_sums, void *col_sums
    )
    void copy_occupied(
        int width,
        const void *counts,
        int64_t n_rows,
        int64_t n_cols,
        const void *row_sums,
        const void *col_sums,
        int64_t n_packed,
        void *out,
        bint is_long,
    )
    void fill_margin(
        int width, const void *sums, int64_t n_codes, int64_t first, int64_t *occupied, int64_t *codes
    )
    uint64_t add_squares(int width, const void *counts, int64_t n_counts)
    void *sort(
        int width, void *pairs, void *others, int64_t n_objects, int low_bit, int n_bits
    )
    int64_t count_runs(
        int width, const void *pairs, int64_t n_objects, int shift, uint64_t mask
    )
    void number_cols(
        int width, void *pairs, int64_t n_objects, int col_bits, int64_t *sums, int64_t *codes
    )
    void fill_cells(
        int width,
        const void *pairs,
        int64_t n_objects,
        int col_bits,
        int64_t n_cols,
        int64_t *cells,
        int64_t *counts,
        int64_t *row_sums,
        int64_t *row_codes,
    )

    # sums.h
    void square_sums_of_group(
        const uint16_t *codes,
        const int64_t *group,
        const int64_t *n_codes,
        int64_t n_objects,
        uint32_t *counts,
        int64_t *sums,
    )
    double add_log_ratios(
        const void *parts,
        const void *wholes,
        double one_whole,
        int64_t n_parts,
        double total,
        bint are_whole,
    )
    ctypedef struct Bounds:
        bint has_sign
        bint has_nan
        double smallest_sum
        double largest_sum

    Bounds bounds_of_rows(const double *values, int64_t n_rows, int64_t n_cols)

    # text.h
    ctypedef struct Slot:
        pass

    ctypedef struct TextTable:
        Slot *slots
        int64_t *firsts
        int64_t n_texts
        int n_bits

    bint number_rows(
        TextTable *table, const uint8_t *texts, int64_t n_rows, int64_t width, int64_t *numbers
    )

    # laws.h
    enum:
        N_DIFFERENCES
        LARGEST_DEGREE

    void fill_tables()
    void add_means(
        const double *rows,
        const double *cols,
        int64_t n_rows,
        int64_t n_cols,
        int64_t n,
        bint conditional,
        bint is_symmetric,
        double *row_sums,
        double *col_sums,
    )
    void expand_cells(
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
    )

cdef enum:
    # Other threads run while more objects than this are counted.
    MANY = 16384

cdef int64_t MOST_IN_ONE_PASS = _numpy._MOST_IN_ONE_PASS
cdef int64_t ALWAYS_DENSE = _numpy._ALWAYS_DENSE_CELLS
cdef int64_t CELLS_PER_OBJECT = _numpy._CELLS_OF_BITS_PER_OBJECT
cdef int64_t LARGE_TABLE = _numpy._BLOCK

_empty, _zeros = np.empty, np.zeros
_int32, _int64, _uint32, _float64 = map(np.dtype, (np.int32, np.int64, np.uint32, np.float64))


cdef void *_data(array) except? NULL:
    """Return where the numbers of a contiguous array are, for as long as the array lives."""
    cdef Py_buffer buffer
    PyObject_GetBuffer(array, &buffer, PyBUF_SIMPLE)
    PyBuffer_Release(&buffer)
    return buffer.buf


# --------------------------------------------------------------------------- one pair


def count_pair(rows, cols):
    if not (_holds_integers(rows) and _holds_integers(cols)):
        return None
    cdef Py_ssize_t n_objects = len(rows), n_counted = 0
    if len(cols) != n_objects or not 0 < n_objects < MOST_IN_ONE_PASS:
        return None
    cdef int row_width = rows.dtype.itemsize, col_width = cols.dtype.itemsize
    cdef const void *row_data = _data(rows)
    cdef const void *col_data = _data(cols)
    cdef uint64_t most_cells = max(ALWAYS_DENSE, CELLS_PER_OBJECT * n_objects)
    cdef Table table
    # Labels of -1 are allowed, and no others below zero.
    table.first_row = -1 if rows.dtype.kind == "i" else 0
    table.first_col = -1 if cols.dtype.kind == "i" else 0
    table.row_bits = table.col_bits = 0
    table.counts = NULL
    while True:
        row_bits, col_bits = table.row_bits, table.col_bits
        if n_objects > MANY:
            with nogil:
                n_counted = count_labels(
                    &table, row_data, row_width, col_data, col_width, n_counted, n_objects
                )
        else:
            n_counted = count_labels(
                &table, row_data, row_width, col_data, col_width, n_counted, n_objects
            )
        if n_counted == n_objects:
            break
        if table.row_bits + table.col_bits > 62 or (
            <uint64_t>1 << (table.row_bits + table.col_bits) > most_cells
        ):
            return None
        wider = _zeros((1 << table.row_bits, 1 << table.col_bits), _uint32)
        if n_counted:
            wider[: 1 << row_bits, : 1 << col_bits] = counts
        counts = wider
        table.counts = <uint32_t *>_data(counts)
    return _pack(
        table.counts,
        4,
        <int64_t>1 << table.row_bits,
        <int64_t>1 << table.col_bits,
        <int64_t>table.first_row,
        <int64_t>table.first_col,
        counts,
    )


cdef bint _holds_integers(values):
    return (
        values.ndim == 1
        and values.dtype.kind in "iu"
        and values.dtype.isnative
        and values.flags.c_contiguous
    )


# --------------------------------------------------------------------------- tables


def pack_table(counts):
    cdef int64_t n_rows = counts.shape[0], n_cols = counts.shape[1]
    counts = np.ascontiguousarray(counts)
    return _pack(_data(counts), counts.itemsize, n_rows, n_cols, 0, 0, None)


cdef object _pack(
    const void *counts,
    int width,
    int64_t n_rows,
    int64_t n_cols,
    int64_t first_row,
    int64_t first_col,
    table,
):
    """Pack counts, in their own memory if that is a table of 32 bits, most of which is needed."""
    cdef void *row_sums = calloc(n_rows + n_cols + 1, width)
    if row_sums == NULL:
        raise MemoryError
    cdef void *col_sums = <char *>row_sums + n_rows * width
    cdef Totals totals = add_up(width, counts, n_rows, n_cols, row_sums, col_sums)
    cdef int64_t n_packed = totals.n_rows * totals.n_cols
    cdef bint is_small = n_packed <= LARGE_TABLE or totals.n_samples >= MOST_IN_ONE_PASS
    try:
        if is_small or table is None or 2 * n_packed < n_rows * n_cols:
            packed = _empty(n_packed, _int64 if is_small else _int32)
        else:
            packed = table.ravel().view(_int32)[:n_packed]
        copy_occupied(
            width,
            counts,
            n_rows,
            n_cols,
            row_sums,
            col_sums,
            totals.n_cols,
            _data(packed),
            is_small,
        )
        rows = _margin(row_sums, width, n_rows, totals.n_rows, first_row)
        cols = _margin(col_sums, width, n_cols, totals.n_cols, first_col)
    finally:
        free(row_sums)
    return PackedTable(packed, rows[0], cols[0], rows[1], cols[1], totals.n_samples, totals.n_cells)


cdef tuple _margin(
    const void *sums, int width, int64_t n_codes, int64_t n_occupied, int64_t first
):
    """Return the sums that are not zero, and their codes."""
    occupied, codes = _empty(n_occupied, _int64), _empty(n_occupied, _int64)
    fill_margin(
        width, sums, n_codes, first, <int64_t *>_data(occupied), <int64_t *>_data(codes)
    )
    return occupied, codes


def sum_of_squares(counts, total):
    # As int64, such a sum is exact for a total below 2**31.
    if total >= MOST_IN_ONE_PASS or not counts.flags.c_contiguous:
        return _numpy.sum_of_squares(counts, total)
    return add_squares(counts.itemsize, _data(counts), counts.size)


# --------------------------------------------------------------------------- sparse cells

def count_sparsely(rows, cols, row_low, col_low, shape, weights=None):
    cdef int64_t n_objects = len(rows)
    cdef int row_bits = n_bits(max(shape[0] - 1, 0)), col_bits = n_bits(max(shape[1] - 1, 0))
    if weights is not None or not 0 < n_objects < MOST_IN_ONE_PASS or row_bits + col_bits > 63:
        return _numpy.count_sparsely(rows, cols, row_low, col_low, shape, weights)
    cdef int width = 4 if row_bits + col_bits <= 32 else 8
    # The number of a pair is its row above as many bits as the columns need. The sort moves pairs
    # between two arrays.
    both = _zeros((2, n_objects), np.uint32 if width == 4 else np.uint64)
    cdef void *first = _data(both)
    cdef void *second = <char *>first + n_objects * width
    cdef void *pairs
    cdef int64_t n_rows, n_cols, n_cells
    _add_codes(first, width, rows, row_low, col_bits)
    _add_codes(first, width, cols, col_low, 0)
    with nogil:
        pairs = sort(width, first, second, n_objects, 0, col_bits)
        n_cols = count_runs(width, pairs, n_objects, 0, (<uint64_t>1 << col_bits) - 1)
    col_sums, col_codes = _empty(n_cols, _int64), _empty(n_cols, _int64)
    cdef int64_t *sum_data = <int64_t *>_data(col_sums)
    cdef int64_t *code_data = <int64_t *>_data(col_codes)
    with nogil:
        number_cols(width, pairs, n_objects, col_bits, sum_data, code_data)
        pairs = sort(
            width, pairs, second if pairs == first else first, n_objects, col_bits, row_bits
        )
        n_cells = count_runs(width, pairs, n_objects, 0, ~<uint64_t>0)
        n_rows = count_runs(width, pairs, n_objects, col_bits, ~<uint64_t>0)
    cells, counts = _empty(n_cells, _int64), _empty(n_cells, _int64)
    row_sums, row_codes = _empty(n_rows, _int64), _empty(n_rows, _int64)
    cdef int64_t *cell_data = <int64_t *>_data(cells)
    cdef int64_t *count_data = <int64_t *>_data(counts)
    sum_data = <int64_t *>_data(row_sums)
    code_data = <int64_t *>_data(row_codes)
    with nogil:
        fill_cells(
            width,
            pairs,
            n_objects,
            col_bits,
            n_cols,
            cell_data,
            count_data,
            sum_data,
            code_data,
        )
    return PackedCells(cells, counts, row_sums, col_sums, row_codes, col_codes)


cdef int _add_codes(void *pairs, int pair_width, codes, low, int shift) except -1:
    """Write ``codes - low`` into the bits of the pairs from ``shift`` on."""
    codes = np.ascontiguousarray(codes, codes.dtype.newbyteorder("="))
    cdef int64_t n_objects = len(codes)
    cdef int width = codes.dtype.itemsize
    cdef uint64_t first = low % 2**64
    cdef const void *data = _data(codes)
    with nogil:
        add_labels(pairs, pair_width, data, width, first, shift, n_objects)
    return 0


# --------------------------------------------------------------------------- codes


def number_codes(codes, n_codes):
    if not _holds_integers(codes) or not _numpy.fits_densely((n_codes, 1), len(codes)):
        return _numpy.number_codes(codes, n_codes)
    cdef int width = codes.dtype.itemsize
    cdef const void *data = _data(codes)
    cdef int64_t n_objects = len(codes)
    sizes = _zeros(n_codes, _int64)
    cdef int64_t *size_data = <int64_t *>_data(sizes)
    with nogil:
        count_codes(data, width, n_objects, size_data)
    occurs = sizes > 0
    if occurs.all():
        return np.arange(n_codes), codes, sizes
    rank = np.cumsum(occurs) - 1
    numbers = _empty(n_objects, _int64)
    cdef const int64_t *rank_data = <const int64_t *>_data(rank)
    cdef int64_t *number_data = <int64_t *>_data(numbers)
    with nogil:
        take_values(rank_data, data, width, n_objects, number_data)
    return np.flatnonzero(occurs), numbers, sizes[occurs]


# --------------------------------------------------------------------------- text


cdef enum:
    FIRST_BITS = 10


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
                fits = number_rows(&table, text_data, n_rows, width, number_data)
        else:
            fits = number_rows(&table, text_data, n_rows, width, number_data)
        if not fits:
            raise MemoryError
        firsts = _empty(table.n_texts, _int64)
        memcpy(_data(firsts), table.firsts, table.n_texts * sizeof(int64_t))
    finally:
        free(table.slots)
        free(table.firsts)
    return numbers, firsts


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
            square_sums_of_group(
                code_data, number_data + start, width_data, n_objects, count_data, sum_data + start
            )
    return [
        tuple(row[: len(group) * (len(group) - 1) // 2])
        for row, group in zip(sums.tolist(), groups)
    ]


# --------------------------------------------------------------------------- information


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
    return add_log_ratios(
        _data(parts),
        NULL if has_one_whole else _data(wholes),
        wholes if has_one_whole else 0,
        len(parts),
        total,
        parts.dtype == _int64,
    )


# --------------------------------------------------------------------------- memberships


def membership_bounds(memberships):
    if not (memberships.flags.c_contiguous and memberships.dtype == _float64):
        return _numpy.membership_bounds(memberships)
    cdef const double *values = <const double *>_data(memberships)
    cdef Py_ssize_t n_rows = memberships.shape[0], n_cols = memberships.shape[1]
    cdef Bounds bounds
    with nogil:
        bounds = bounds_of_rows(values, n_rows, n_cols)
    # Negative numbers have a sign, and -0.0 has one, too.
    are_allowed = not bounds.has_nan and (not bounds.has_sign or bool((memberships >= 0).all()))
    return are_allowed, bounds.smallest_sum, bounds.largest_sum


# --------------------------------------------------------------------------- hypergeometric laws

fill_tables()


@functools.cache
def _differences():
    """|D^k f(x)| of each degree k (axis 0) and count x, by the trapezoidal rule in ln t."""
    t = np.exp(np.arange(-44.0, 44.0, 0.125))
    degrees = np.arange(LARGEST_DEGREE + 1)[:, np.newaxis]
    return (-np.expm1(-t)) ** degrees / (8.0 * t) @ np.exp(-np.outer(t, np.arange(N_DIFFERENCES)))


def convex_gain_sums(row_sizes, row_counts, col_sizes, col_counts, n_samples):
    return _sums_of_means(row_sizes, row_counts, col_sizes, col_counts, n_samples, False)


def conditional_gain_sums(row_sizes, row_counts, col_sizes, col_counts, n_samples):
    return _sums_of_means(row_sizes, row_counts, col_sizes, col_counts, n_samples, True)


cdef _sums_of_means(row_sizes, row_counts, col_sizes, col_counts, n_samples, bint conditional):
    # Of equal margins half of the pairs are enough.
    cdef bint is_symmetric = (
        np.array_equal(row_sizes, col_sizes) and np.array_equal(row_counts, col_counts)
    )
    rows = np.ascontiguousarray([row_sizes, row_counts], np.float64)
    cols = rows if is_symmetric else np.ascontiguousarray([col_sizes, col_counts], np.float64)
    row_sums = np.zeros((2, len(row_sizes)))
    col_sums = row_sums if is_symmetric else np.zeros((2, len(col_sizes)))
    cdef int64_t n = int(n_samples), n_rows = len(row_sizes), n_cols = len(col_sizes)
    cdef const double *row_data = <const double *>_data(rows)
    cdef const double *col_data = <const double *>_data(cols)
    cdef double *row_sum_data = <double *>_data(row_sums)
    cdef double *col_sum_data = <double *>_data(col_sums)
    with nogil:
        add_means(
            row_data,
            col_data,
            n_rows,
            n_cols,
            n,
            conditional,
            is_symmetric,
            row_sum_data,
            col_sum_data,
        )
    return row_sums[0] + row_sums[1], col_sums[0] + col_sums[1]


def entropy_expansions(row_sizes, col_sizes, n_samples, shares):
    cdef int64_t n_pairs = len(row_sizes), n = int(n_samples)
    cdef int n_shares = min(len(shares), LARGEST_DEGREE)
    rows = np.ascontiguousarray(row_sizes, np.float64)
    cols = np.ascontiguousarray(col_sizes, np.float64)
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
        expand_cells(
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
        while len(by_degree) < len(found):
            by_degree.append(np.zeros(n_pairs))
        for target, source in zip(by_degree, found):
            target[rest] = source
    return by_degree, mean, remainder
