# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: binding=False, emit_code_comments=False, freethreading_compatible=True
"""Kernels with the names, arguments and results of those in NumPy, compiled.

``climb_partition`` is that of ``_consensus.py``, and may end in another optimum.

A kernel looks at its arrays, makes those of its results, and calls a loop in C of ``loops``. Arrays
come in through the buffer protocol, so that building needs no headers of NumPy. Integers of one
width are read as unsigned: differences wrap around and come out right. No kernel keeps anything.
"""

from cpython.buffer cimport PyBUF_ND, PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from cpython.dict cimport PyDict_GetItemWithError, PyDict_SetItem
from cpython.object cimport PyObject
from libc.math cimport INFINITY, ceil, log
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcmp, memcpy, memset

import functools

import numpy as np

from sklearn_clustcompare._kernels import _columns, _numpy
from sklearn_clustcompare._kernels._consensus import Climbed
from sklearn_clustcompare._kernels._numpy import Entropies, PackedTable, SquareSums

cdef extern from "loops/loops.h" nogil:
    # labels.h
    ctypedef struct Table:
        uint32_t *counts
        int row_bits
        int col_bits
        uint64_t first_row
        uint64_t first_col

    int n_bits(uint64_t value)
    int64_t count_labels(
        Table *table, const void *rows, int row_width, const void *cols, int col_width, int64_t
        start, int64_t n_objects
    )
    void add_labels(
        void *pairs, int pair_width, const void *labels, int width, uint64_t first, int shift,
        int64_t n_objects
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
        int width, const void *counts, int64_t n_rows, int64_t n_cols, void *row_sums, void
        *col_sums
    )
    void copy_occupied(
        int width, const void *counts, int64_t n_rows, int64_t n_cols, const void *row_sums, const
        void *col_sums, int64_t n_packed, void *out, bint is_long
    )
    void fill_margin(
        int width, const void *sums, int64_t n_codes, int64_t first, int64_t *occupied, int64_t
        *codes
    )
    uint64_t add_squares(int width, const void *counts, int64_t n_counts)
    void *sort(int width, void *pairs, void *others, int64_t n_objects, int low_bit, int n_bits)
    int64_t count_runs(int width, const void *pairs, int64_t n_objects, int shift, uint64_t mask)
    void number_cols(
        int width, void *pairs, int64_t n_objects, int col_bits, int64_t *sums, int64_t *codes
    )
    void fill_cells(
        int width, const void *pairs, int64_t n_objects, int col_bits, int64_t n_cols, int64_t
        *cells, int64_t *counts, int64_t *row_sums, int64_t *row_codes
    )

    # sums.h
    void square_sums_of_group(
        const uint16_t *codes, const int64_t *group, const int64_t *n_codes, int64_t n_objects,
        uint32_t *counts, int64_t *sums
    )
    double add_log_ratios(
        const void *parts, const void *wholes, double one_whole, int64_t n_parts, double total, bint
        are_whole
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

    enum:
        KNOWN_BITS
    ctypedef struct KnownObject:
        const void *label
        int64_t number

    uint64_t place_of_object(const void *label)
    int64_t number_known(
        const KnownObject *known, const void **labels, int64_t row, int64_t n_rows, int64_t *numbers
    )

    # laws.h
    enum:
        N_DIFFERENCES
        LARGEST_DEGREE

    void fill_tables()
    ctypedef struct Sizes:
        const double *sizes
        const double *counts
        int64_t length

    void add_means(
        Sizes rows, Sizes cols, int64_t n, bint conditional, bint is_symmetric, double *row_sums,
        double *row_rests, double *col_sums, double *col_rests
    )
    void expand_cells(
        const double *rows, const double *cols, int64_t n_pairs, int64_t n, const double *shares,
        int n_shares, const double *differences, double *coefficients, double *means, double
        *remainders, int32_t *degrees
    )

    # information.h
    enum:
        N_STRENGTHS

    ctypedef struct Cells:
        const void *counts
        int width
        const int64_t *cells
        const void *sizes
        int64_t n_counts
        int64_t n_rows
        int64_t n_cols
        double total

    ctypedef struct EntropySums:
        double sums[4]
        double rests[4]

    EntropySums add_entropies(const Cells *table)
    double excess_of_table(const Cells *table)
    Sizes group_side(
        const int64_t *ordered, int64_t n_sums, bint is_negative, double *sizes, double *counts
    )
    double mean_of_information(
        const int64_t *ordered, int64_t n_rows, int64_t n_sizes, double *numbers
    )
    bint moments_of_entropy(
        Sizes rows, Sizes cols, int64_t n, const double *differences, double *numbers, double *found
    )
    double position_of_table(
        const Cells *table, Sizes rows, Sizes cols, double mean, double *sums, int64_t *groups
    )

    # lengths.h
    double shortest_length(
        Sizes totals, Sizes parts, double n_labels, double reach, double rounding
    )

    # columns.h
    enum:
        MOST_ROWS

    ctypedef struct Column:
        const int64_t *states
        const int64_t *groups
        const int64_t *bases
        const double *logarithms
        const int64_t *values
        int64_t n_states
        int64_t n_rows
        int64_t size

    ctypedef struct Ways:
        int64_t *first
        int64_t *remainders
        double *weights
        int64_t *sums

    int64_t count_ways(const Column *column, int64_t limit)
    void fill_ways(const Column *column, Ways ways)
    void add_tails(
        const int64_t *first, const int64_t *values, const double *weights, int64_t n_states, const
        int64_t *states, const int64_t *missing, int64_t n_branches, double *above, double *tails
    )

    ctypedef struct Runs:
        const int64_t *states
        const int64_t *bases
        const double *logarithms
        const double *wholes
        const int64_t *values
        int64_t size
        int is_upper
        double share
        double tail
        double lost
        double least
        double log_least

    void add_branches(
        Runs *runs, const int64_t *states, const int64_t *missing, const double *log_weights,
        int64_t n_branches
    )

    # consensus.h
    ctypedef struct Climb:
        int64_t n_cells, n_draws, n_slots, n_rows, n_objects
        int64_t low, high, width
        int64_t n_exact
        int64_t max_rounds, most_united
        int kind, is_micro
        double most_added, cost
        uint64_t random
        const int32_t *rows
        const int32_t *slots
        const int32_t *sizes
        const double *f
        const double *weights
        const double *own
        const double *most
        const double *pairs
        double apart
        int32_t *labels
        double *history
        int64_t n_rounds
        int is_optimum, is_full

    int climb_partition_in_c "climb_partition"(Climb *climb)
    void add_pairs(
        const int32_t *codes, const double *weights, double cost, int64_t n_draws, int64_t n_cells,
        double *pairs
    )

cdef enum:
    # Other threads run while more objects than this are counted.
    MANY = 16384
    # Objects of one block, and cells, that are counted on the stack.
    FEW = 4096

cdef int64_t MOST_IN_ONE_PASS = _numpy._MOST_IN_ONE_PASS
cdef int64_t ALWAYS_DENSE = _numpy._ALWAYS_DENSE_CELLS
cdef int64_t CELLS_PER_OBJECT = _numpy._CELLS_OF_BITS_PER_OBJECT
cdef int64_t LARGE_TABLE = _numpy._BLOCK

_empty, _zeros, _contiguous = np.empty, np.zeros, np.ascontiguousarray
_ndarray, _new = np.ndarray, tuple.__new__
_int32, _int64, _uint32, _float64 = map(np.dtype, (np.int32, np.int64, np.uint32, np.float64))

cdef enum:
    UNSIGNED
    SIGNED
    FLOATS

# The kinds of the types that loops read, in the byte order of the machine.
cdef dict KINDS = {np.dtype(code): SIGNED if code.islower() else UNSIGNED for code in "bBhHiIlLqQ"}
KINDS[_float64] = FLOATS


cdef void *_data(array) except? NULL:
    """Return where the numbers of a contiguous array are, for as long as the array lives."""
    cdef Py_buffer buffer
    PyObject_GetBuffer(array, &buffer, PyBUF_SIMPLE)
    PyBuffer_Release(&buffer)
    return buffer.buf


# --------------------------------------------------------------------------- one pair


cdef struct Numbers:
    const void *data
    Py_ssize_t length
    int width
    int kind


def count_pair(rows, cols):
    cdef Numbers row, col
    cdef Table table
    if not (_find_numbers(rows, &row) and _find_numbers(cols, &col)):
        return None
    cdef Py_ssize_t n_objects = row.length, n_counted = 0
    if col.length != n_objects or not 0 < n_objects < MOST_IN_ONE_PASS:
        return None
    if row.kind == FLOATS or col.kind == FLOATS:
        return None
    cdef uint64_t most_cells = max(ALWAYS_DENSE, CELLS_PER_OBJECT * n_objects)
    cdef int row_bits, col_bits
    cdef uint32_t few[FEW]
    # Labels of -1 are allowed, and no others below zero.
    table.first_row = -1 if row.kind == SIGNED else 0
    table.first_col = -1 if col.kind == SIGNED else 0
    table.row_bits = table.col_bits = 0
    table.counts = NULL
    counts = None
    while True:
        row_bits, col_bits = table.row_bits, table.col_bits
        if n_objects > MANY:
            with nogil:
                n_counted = count_labels(
                    &table, row.data, row.width, col.data, col.width, n_counted, n_objects
                )
        else:
            n_counted = count_labels(
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
        4,
        <int64_t>1 << table.row_bits,
        <int64_t>1 << table.col_bits,
        <int64_t>table.first_row,
        <int64_t>table.first_col,
        counts,
    )


cdef bint _find_numbers(values, Numbers *found) except -1:
    """Find the numbers of an array; return whether it is contiguous and one-dimensional."""
    cdef Py_buffer buffer
    kind = KINDS.get(values.dtype)
    if kind is None:
        return False
    try:
        PyObject_GetBuffer(values, &buffer, PyBUF_ND)
    except ValueError:  # it is not contiguous
        return False
    found.data, found.width, found.kind = buffer.buf, buffer.itemsize, kind
    found.length = buffer.shape[0] if buffer.ndim == 1 else -1
    PyBuffer_Release(&buffer)
    return found.length >= 0


# --------------------------------------------------------------------------- tables


def pack_table(counts):
    cdef int64_t n_rows = counts.shape[0], n_cols = counts.shape[1]
    if not counts.flags.c_contiguous:
        counts = _contiguous(counts)
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
    cdef void *packed_data
    cdef int64_t *size_data
    cdef int64_t *code_data
    squares = None
    try:
        if is_small or table is None or 2 * n_packed < n_rows * n_cols:
            packed = _empty(n_packed, _int64 if is_small else _int32)
        else:
            packed = table.ravel().view(_int32)[:n_packed]
        packed_data = _data(packed)
        copy_occupied(
            width,
            counts,
            n_rows,
            n_cols,
            row_sums,
            col_sums,
            totals.n_cols,
            packed_data,
            is_small,
        )
        if is_small and totals.n_samples < MOST_IN_ONE_PASS:
            squares = _new(
                SquareSums,
                (
                    add_squares(8, packed_data, n_packed),
                    add_squares(width, row_sums, n_rows),
                    add_squares(width, col_sums, n_cols),
                ),
            )
        sizes = _empty(totals.n_rows + totals.n_cols, _int64)
        codes = _empty(totals.n_rows + totals.n_cols, _int64)
        size_data, code_data = <int64_t *>_data(sizes), <int64_t *>_data(codes)
        fill_margin(width, row_sums, n_rows, first_row, size_data, code_data)
        size_data, code_data = size_data + totals.n_rows, code_data + totals.n_rows
        fill_margin(width, col_sums, n_cols, first_col, size_data, code_data)
    finally:
        free(row_sums)
    shape = totals.n_rows, totals.n_cols
    return _new(
        PackedTable,
        (packed, None, sizes, codes, shape, totals.n_samples, totals.n_cells, squares),
    )


def sum_of_squares(counts, total):
    # As int64, such a sum is exact for a total below 2**31.
    cdef Numbers given
    if total >= MOST_IN_ONE_PASS or not _find_numbers(counts, &given) or given.kind == FLOATS:
        return _numpy.sum_of_squares(counts, total)
    return add_squares(given.width, given.data, given.length)


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
    sizes, codes = _empty(n_rows + n_cols, _int64), _empty(n_rows + n_cols, _int64)
    sizes[n_rows:], codes[n_rows:] = col_sums, col_codes
    cdef int64_t *cell_data = <int64_t *>_data(cells)
    cdef int64_t *count_data = <int64_t *>_data(counts)
    sum_data = <int64_t *>_data(sizes)
    code_data = <int64_t *>_data(codes)
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
    return PackedTable(counts, cells, sizes, codes, (n_rows, n_cols), n_objects, n_cells)


cdef int _add_codes(void *pairs, int pair_width, codes, low, int shift) except -1:
    """Write ``codes - low`` into the bits of the pairs from ``shift`` on."""
    codes = _contiguous(codes, codes.dtype.newbyteorder("="))
    cdef int64_t n_objects = len(codes)
    cdef int width = codes.dtype.itemsize
    cdef uint64_t first = low % 2**64
    cdef const void *data = _data(codes)
    with nogil:
        add_labels(pairs, pair_width, data, width, first, shift, n_objects)
    return 0


# --------------------------------------------------------------------------- codes


def number_codes(codes, n_codes):
    cdef Numbers given
    if not (
        _find_numbers(codes, &given)
        and given.kind != FLOATS
        and _numpy.fits_densely((n_codes, 1), given.length)
    ):
        return _numpy.number_codes(codes, n_codes)
    cdef int width = given.width
    cdef const void *data = given.data
    cdef int64_t n_objects = given.length
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


def number_values(values):
    if values.dtype.kind not in "iu":
        return _numpy.number_values(values)
    numbers, firsts = number_text(np.ascontiguousarray(values))
    occurring = values[firsts]
    order = occurring.argsort()
    rank = _empty(len(order), _int64)
    rank[order] = np.arange(len(order))
    cdef const int64_t *rank_data = <const int64_t *>_data(rank)
    cdef int64_t *number_data = <int64_t *>_data(numbers)
    cdef int64_t n_rows = len(numbers)
    with nogil:
        take_values(rank_data, number_data, 8, n_rows, number_data)
    return occurring[order], numbers


def number_objects(labels):
    cdef int64_t n_objects = len(labels), n_labels = 0, row = 0
    cdef KnownObject known[1 << KNOWN_BITS]
    cdef KnownObject *entry
    cdef PyObject *found
    cdef dict number = {}
    labels = _contiguous(labels)
    numbers = _empty(n_objects, _int64)
    cdef PyObject **items = <PyObject **>_data(labels)
    cdef int64_t *out = <int64_t *>_data(numbers)
    firsts = []
    memset(known, 0, sizeof(known))
    while True:
        row = number_known(known, <const void **>items, row, n_objects, out)
        if row == n_objects:
            return numbers, np.array(firsts, _int64)
        label = <object>items[row] if items[row] != NULL else None
        entry = known + place_of_object(items[row])
        found = PyDict_GetItemWithError(number, label)
        if found == NULL:
            entry.number = n_labels
            PyDict_SetItem(number, label, n_labels)
            firsts.append(row)
            n_labels += 1
        else:
            entry.number = <object>found
        entry.label = items[row]
        out[row] = entry.number
        row += 1


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
    cdef Numbers given, whole
    cdef bint has_one_whole = not isinstance(wholes, _ndarray)
    whole.data = NULL
    if (
        # Whole numbers up to here are floats, too.
        not total < 2.0**53
        or not _find_numbers(parts, &given)
        or given.width != 8
        or given.kind == UNSIGNED
        or not (has_one_whole or (_find_numbers(wholes, &whole) and whole.kind == given.kind))
        or not (has_one_whole or whole.width == 8)
    ):
        return _numpy.log_ratio_sum(parts, wholes, total)
    return add_log_ratios(
        given.data,
        whole.data,
        wholes if has_one_whole else 0,
        given.length,
        total,
        given.kind == SIGNED,
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
    cdef int64_t n = int(n_samples), k
    row_sizes, row_counts, col_sizes, col_counts = [
        _as_floats(array) for array in (row_sizes, row_counts, col_sizes, col_counts)
    ]
    cdef Sizes rows = _find_sizes(row_sizes, row_counts), cols = _find_sizes(col_sizes, col_counts)
    # Of equal margins half of the pairs are enough.
    cdef bint is_symmetric = (
        rows.length == cols.length
        and memcmp(rows.sizes, cols.sizes, rows.length * sizeof(double)) == 0
        and memcmp(rows.counts, cols.counts, rows.length * sizeof(double)) == 0
    )
    row_sums = _zeros(rows.length)
    col_sums = row_sums if is_symmetric else _zeros(cols.length)
    cdef double *row_data = <double *>_data(row_sums)
    cdef double *col_data = <double *>_data(col_sums)
    cdef double *row_rests = <double *>calloc(rows.length + cols.length + 1, sizeof(double))
    if row_rests == NULL:
        raise MemoryError
    cdef double *col_rests = row_rests if is_symmetric else row_rests + rows.length
    with nogil:
        add_means(
            rows, cols, n, conditional, is_symmetric, row_data, row_rests, col_data, col_rests
        )
        for k in range(rows.length):
            row_data[k] += row_rests[k]
        if not is_symmetric:
            for k in range(cols.length):
                col_data[k] += col_rests[k]
        free(row_rests)
    return row_sums, col_sums


cdef object _as_floats(values):
    if values.dtype is _float64 and values.flags.c_contiguous:
        return values
    return _contiguous(values, np.float64)


cdef Sizes _find_sizes(sizes, counts) except *:
    cdef Sizes side
    side.sizes, side.counts = <const double *>_data(sizes), <const double *>_data(counts)
    side.length = len(sizes)
    return side


def entropy_expansions(row_sizes, col_sizes, n_samples, shares):
    cdef int64_t n_pairs = len(row_sizes), n = int(n_samples)
    cdef int n_shares = min(len(shares), LARGEST_DEGREE)
    rows = _contiguous(row_sizes, np.float64)
    cols = _contiguous(col_sizes, np.float64)
    shares = _contiguous(shares, np.float64)
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


# --------------------------------------------------------------------------- whole tables


cdef Cells _find_cells(packed) except *:
    cdef Cells found
    cdef Py_buffer buffer
    counts, cells, sizes = (<tuple>packed)[0], (<tuple>packed)[1], (<tuple>packed)[2]
    shape = <tuple>(<tuple>packed)[4]
    PyObject_GetBuffer(counts, &buffer, PyBUF_SIMPLE)
    PyBuffer_Release(&buffer)
    found.counts, found.sizes = buffer.buf, _data(sizes)
    found.n_counts = buffer.len // buffer.itemsize
    found.width = 0 if counts.dtype is _float64 else buffer.itemsize
    found.cells = NULL
    if cells is not None:
        found.cells = <const int64_t *>_data(cells)
    found.n_rows, found.n_cols = shape[0], shape[1]
    found.total = (<tuple>packed)[5]
    return found


def table_entropies(packed):
    cdef Cells table = _find_cells(packed)
    if not 0 < table.total < 2.0**53:
        return _numpy.table_entropies(packed)
    cdef EntropySums found = add_entropies(&table)
    of_sides = found.sums[0] + found.rests[0], found.sums[1] + found.rests[1]
    given = found.sums[2] + found.rests[2], found.sums[3] + found.rests[3]
    return _new(Entropies, (of_sides, given))


def information_excess(packed):
    cdef Cells table = _find_cells(packed)
    if table.width == 0 or not 0 < table.total < 2.0**53:
        return _numpy.information_excess(packed)
    return excess_of_table(&table)


cdef object _order(sizes, int64_t n_rows):
    """Sort the sizes of both sides at once, those of the rows below zero."""
    cdef int64_t k
    ordered = sizes.copy()
    cdef int64_t *data = <int64_t *>_data(ordered)
    for k in range(n_rows):
        data[k] = -data[k]
    ordered.sort()
    return ordered


def group_sizes(sizes, n_rows):
    cdef int64_t n_sizes = len(sizes), start = n_rows
    ordered, distinct, counts = _order(sizes, start), _empty(n_sizes), _zeros(n_sizes)
    cdef const int64_t *data = <const int64_t *>_data(ordered)
    cdef double *size_data = <double *>_data(distinct)
    cdef double *count_data = <double *>_data(counts)
    cdef Sizes rows = group_side(data, start, True, size_data, count_data)
    cdef Sizes cols = group_side(
        data + start, n_sizes - start, False, size_data + start, count_data + start
    )
    end = start + cols.length
    return (
        (distinct[: rows.length], counts[: rows.length]),
        (distinct[start:end], counts[start:end]),
    )


def expected_information(sizes, n_rows):
    cdef int64_t n_sizes = len(sizes), rows = n_rows
    cdef double mean
    ordered = _order(sizes, rows)
    cdef const int64_t *data = <const int64_t *>_data(ordered)
    cdef double *numbers = <double *>calloc(4 * n_sizes + 1, sizeof(double))
    if numbers == NULL:
        raise MemoryError
    with nogil:
        mean = mean_of_information(data, rows, n_sizes, numbers)
        free(numbers)
    return mean


def entropy_moments(row_sizes, row_counts, col_sizes, col_counts, n_samples):
    row_sizes, row_counts, col_sizes, col_counts = [
        _as_floats(array) for array in (row_sizes, row_counts, col_sizes, col_counts)
    ]
    cdef Sizes rows = _find_sizes(row_sizes, row_counts), cols = _find_sizes(col_sizes, col_counts)
    cdef int64_t n = int(n_samples)
    differences = _differences()
    cdef const double *difference_data = <const double *>_data(differences)
    cdef double found[2]
    cdef bint is_known
    cdef double *numbers = <double *>malloc(
        (N_STRENGTHS * (rows.length + 4 * cols.length) + rows.length * cols.length) * sizeof(double)
    )
    if numbers == NULL:
        raise MemoryError
    with nogil:
        is_known = moments_of_entropy(rows, cols, n, difference_data, numbers, found)
        free(numbers)
    return (found[0], found[1]) if is_known else None


def entropy_position(packed, row_sizes, row_counts, col_sizes, col_counts, mean):
    cdef Cells table = _find_cells(packed)
    row_sizes, row_counts, col_sizes, col_counts = [
        _as_floats(array) for array in (row_sizes, row_counts, col_sizes, col_counts)
    ]
    cdef Sizes rows = _find_sizes(row_sizes, row_counts), cols = _find_sizes(col_sizes, col_counts)
    cdef int64_t *groups = <int64_t *>malloc((table.n_rows + table.n_cols) * sizeof(int64_t))
    cdef double *sums = <double *>calloc(3 * rows.length * cols.length, sizeof(double))
    try:
        if groups == NULL or sums == NULL:
            raise MemoryError
        return position_of_table(&table, rows, cols, mean, sums, groups)
    finally:
        free(groups)
        free(sums)


def shortest_code(totals, parts, n_labels):
    cdef int64_t n_totals = len(totals), n_objects = int(totals.sum())
    groups = group_sizes(np.concatenate((totals, parts)), n_totals)
    (total_sizes, total_counts), (part_sizes, part_counts) = groups
    cdef Sizes summed = _find_sizes(total_sizes, total_counts)
    cdef Sizes kept = _find_sizes(part_sizes, part_counts)
    cdef double labels = n_labels, least
    cdef double reach = ceil(_numpy._FAR + 2.0 * log(<double>n_objects))
    cdef double rounding = _numpy._ROUNDING * n_objects
    with nogil:
        least = shortest_length(summed, kept, labels, reach, rounding)
    if n_totals == len(parts):  # one label for each total, as for alpha = 0
        least = min(least, -log(labels) * (n_objects - n_totals))
    return least


# --------------------------------------------------------------------------- fillings of a column


def column_fillings(states, groups, size, bases, logarithms, values, limit):
    cdef Column column
    cdef Ways ways
    cdef int64_t n_ways, most = limit
    column.n_states, column.n_rows = states.shape
    if not 2 <= column.n_rows <= MOST_ROWS:
        return _columns.column_fillings(states, groups, size, bases, logarithms, values, limit)
    states, groups, bases, values = [
        _contiguous(array, _int64) for array in (states, groups, bases, values)
    ]
    column.size = size
    column.states = <const int64_t *>_data(states)
    column.groups = <const int64_t *>_data(groups)
    column.bases = <const int64_t *>_data(bases)
    column.values = <const int64_t *>_data(values)
    logarithms = _as_floats(logarithms)
    column.logarithms = <const double *>_data(logarithms)
    with nogil:
        n_ways = count_ways(&column, most)
    if n_ways > most:
        return None
    first, sums = _empty(column.n_states + 1, _int64), _empty(n_ways, _int64)
    remainders, weights = _empty((n_ways, column.n_rows), _int64), _empty(n_ways)
    ways.first, ways.sums = <int64_t *>_data(first), <int64_t *>_data(sums)
    ways.remainders, ways.weights = <int64_t *>_data(remainders), <double *>_data(weights)
    with nogil:
        fill_ways(&column, ways)
    return first, remainders, weights, sums


def tails_of_ways(first, values, weights, states, missing, branch_weights):
    cdef int64_t n_states = len(first) - 1, n_branches = len(states)
    first, values, states, missing = [
        _contiguous(array, _int64) for array in (first, values, states, missing)
    ]
    weights, above, tails = _as_floats(weights), np.array(branch_weights), _empty(n_states)
    cdef const int64_t *first_data = <const int64_t *>_data(first)
    cdef const int64_t *value_data = <const int64_t *>_data(values)
    cdef const int64_t *state_data = <const int64_t *>_data(states)
    cdef const int64_t *missing_data = <const int64_t *>_data(missing)
    cdef const double *weight_data = <const double *>_data(weights)
    cdef double *above_data = <double *>_data(above)
    cdef double *tail_data = <double *>_data(tails)
    with nogil:
        add_tails(
            first_data,
            value_data,
            weight_data,
            n_states,
            state_data,
            missing_data,
            n_branches,
            above_data,
            tail_data,
        )
    return tails


def tail_of_runs(columns, branches, missing, log_weights, share, *, is_upper):
    cdef Runs runs
    cdef int64_t n_branches = len(branches)
    states, bases, values, branches, missing = [
        _contiguous(array, _int64)
        for array in (columns.states, columns.bases, columns.values, branches, missing)
    ]
    logarithms, wholes, log_weights = [
        _as_floats(array) for array in (columns.logarithms, columns.wholes, log_weights)
    ]
    runs.states, runs.bases = <const int64_t *>_data(states), <const int64_t *>_data(bases)
    runs.values = <const int64_t *>_data(values)
    runs.logarithms = <const double *>_data(logarithms)
    runs.wholes = <const double *>_data(wholes)
    runs.size, runs.is_upper, runs.share = columns.size, is_upper, share
    runs.tail = runs.lost = runs.least = 0.0
    runs.log_least = -INFINITY
    cdef const int64_t *branch_data = <const int64_t *>_data(branches)
    cdef const int64_t *missing_data = <const int64_t *>_data(missing)
    cdef const double *weight_data = <const double *>_data(log_weights)
    with nogil:
        add_branches(&runs, branch_data, missing_data, weight_data, n_branches)
    return runs.tail


# --------------------------------------------------------------------------- consensus


def climb_partition(draws, labels, bounds, width, n_exact, most_added, max_rounds, most_united, seed):
    cdef Climb climb
    cdef int status
    rows, slots, sizes, labels = [
        _contiguous(array, _int32) for array in (draws.rows, draws.slots, draws.sizes, labels.copy())
    ]
    f, weights, own, most = [
        _as_floats(array) for array in (draws.f, draws.weights, draws.own, draws.most)
    ]
    history = _empty(max_rounds + 1)
    climb.n_cells, climb.n_slots = rows.shape
    climb.n_draws, climb.n_rows, climb.n_objects = len(weights), len(slots), sizes.sum()
    climb.low, climb.high, climb.width = bounds[0], bounds[1], width
    climb.n_exact, climb.max_rounds, climb.random = n_exact, max_rounds, seed
    climb.most_united = most_united
    climb.most_added = most_added
    climb.kind, climb.is_micro, climb.cost = draws.loss, draws.is_micro, draws.cost
    climb.rows, climb.slots = <const int32_t *>_data(rows), <const int32_t *>_data(slots)
    climb.sizes, climb.labels = <const int32_t *>_data(sizes), <int32_t *>_data(labels)
    climb.f, climb.weights = <const double *>_data(f), <const double *>_data(weights)
    climb.own, climb.most = <const double *>_data(own), <const double *>_data(most)
    climb.history, climb.is_full = <double *>_data(history), False
    pairs = None if draws.pairs is None else _as_floats(draws.pairs)
    climb.pairs, climb.apart = NULL, draws.apart
    if pairs is not None:
        climb.pairs = <const double *>_data(pairs)
    with nogil:
        status = climb_partition_in_c(&climb)
    if status < 0:
        raise MemoryError
    return Climbed(
        labels, history[: climb.n_rounds + 1].tolist(), bool(climb.is_optimum), bool(climb.is_full)
    )


def pair_losses(codes, weights, double cost):
    cdef int64_t n_draws = codes.shape[0], n_cells = codes.shape[1]
    codes, weights, pairs = _contiguous(codes, _int32), _as_floats(weights), _zeros((n_cells,) * 2)
    cdef const int32_t *kinds = <const int32_t *>_data(codes)
    cdef const double *shares = <const double *>_data(weights)
    cdef double *sums = <double *>_data(pairs)
    with nogil:
        add_pairs(kinds, shares, cost, n_draws, n_cells, sums)
    return pairs
