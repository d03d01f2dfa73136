/* Loops over labels of any width: integers of 1, 2, 4 or 8 bytes, read as unsigned.

   Each loop is written once, for any width, and inlined where the width is a constant: the compiler
   makes a copy for each width, or pair of widths. */

/* The same call with each width as a constant. */
#define BY_WIDTH(width, CALL) \
    switch (width) {          \
    case 1: CALL(1);          \
    case 2: CALL(2);          \
    case 4: CALL(4);          \
    default: CALL(8);         \
    }

/* Objects that are counted before it is known whether their labels fit into the table. */
enum { BLOCK = 8192 };

typedef struct {
    /* Counts of the cell (row - first_row, col - first_col), with 2**col_bits cells a row. */
    uint32_t *counts;
    int row_bits;
    int col_bits;
    uint64_t first_row;
    uint64_t first_col;
} Table;

INLINED uint64_t label_at(const void *labels, int width, int64_t k)
{
    switch (width) {
    case 1: return ((const uint8_t *)labels)[k];
    case 2: return ((const uint16_t *)labels)[k];
    case 4: return ((const uint32_t *)labels)[k];
    default: return ((const uint64_t *)labels)[k];
    }
}

/* Return a label less another one, in all bits; those above its width are to be left out. */
INLINED uint64_t difference_at(const void *labels, int width, uint64_t first, int64_t k)
{
    switch (width) {
    case 1: return ((const uint8_t *)labels)[k] - first;
    case 2: return ((const uint16_t *)labels)[k] - first;
    case 4: return (uint32_t)(((const uint32_t *)labels)[k] - first); /* faster in 32 bits */
    default: return ((const uint64_t *)labels)[k] - first;
    }
}

/* Return the highest number of a width, which has all bits. */
INLINED uint64_t all_bits(int width)
{
    return UINT64_MAX >> (64 - 8 * width);
}

static int n_bits(uint64_t value)
{
    int n = 0;
    for (; value; value >>= 1)
        n++;
    return n;
}

/* Set how many bits a table needs, where `row_bits` are all bits of its rows. */
static void ask_for_bits(
    Table *table, uint64_t row_bits, int row_width, uint64_t col_bits, int col_width)
{
    int n_row_bits = n_bits(row_bits & all_bits(row_width));
    int n_col_bits = n_bits(col_bits & all_bits(col_width));
    /* Where -1 is allowed, what else is below zero has the highest bit. */
    if ((table->first_row && n_row_bits == 8 * row_width) ||
        (table->first_col && n_col_bits == 8 * col_width)) {
        table->row_bits = 64;
        return;
    }
    table->row_bits = n_row_bits > table->row_bits ? n_row_bits : table->row_bits;
    table->col_bits = n_col_bits > table->col_bits ? n_col_bits : table->col_bits;
}

/* In integers of the same width, several at a time. */
#define RETURN_BITS(type)                                               \
    {                                                                   \
        type bits = 0;                                                  \
        for (k = start; k < stop; k++)                                  \
            bits |= (type)(((const type *)labels)[k] - (type)first);    \
        return bits;                                                    \
    }

static uint64_t bits_of(
    const void *labels, int width, uint64_t first, int64_t start, int64_t stop)
{
    int64_t k;
    switch (width) {
    case 1: RETURN_BITS(uint8_t)
    case 2: RETURN_BITS(uint16_t)
    case 4: RETURN_BITS(uint32_t)
    default: RETURN_BITS(uint64_t)
    }
}

INLINED int64_t count_blocks(
    Table *table,
    const void *rows,
    int row_width,
    const void *cols,
    int col_width,
    int64_t start,
    int64_t n_objects)
{
    const uint64_t first_row = table->first_row, first_col = table->first_col;
    const uint64_t last_row = ((uint64_t)1 << table->row_bits) - 1;
    const uint64_t last_col = ((uint64_t)1 << table->col_bits) - 1;
    const int shift = table->col_bits;
    uint32_t *counts = table->counts;
    uint64_t row, col, row_bits = 0, col_bits = 0, cells[4];
    int64_t stop, k;
    int j;
    for (; start < n_objects; start = stop) {
        stop = n_objects - start < BLOCK ? n_objects : start + BLOCK;
        /* Bits that the table does not have are left out until the end of the block. Four cells
           are known before the first of them is counted. */
        for (k = start; k < stop - 3; k += 4) {
            for (j = 0; j < 4; j++) {
                row = difference_at(rows, row_width, first_row, k + j);
                col = difference_at(cols, col_width, first_col, k + j);
                row_bits |= row;
                col_bits |= col;
                cells[j] = (row & last_row) << shift | (col & last_col);
            }
            for (j = 0; j < 4; j++)
                counts[cells[j]]++;
        }
        for (; k < stop; k++) {
            row = difference_at(rows, row_width, first_row, k);
            col = difference_at(cols, col_width, first_col, k);
            row_bits |= row;
            col_bits |= col;
            counts[(row & last_row) << shift | (col & last_col)]++;
        }
        if ((row_bits & all_bits(row_width)) > last_row ||
            (col_bits & all_bits(col_width)) > last_col) {
            for (k = start; k < stop; k++) {
                row = difference_at(rows, row_width, first_row, k);
                col = difference_at(cols, col_width, first_col, k);
                counts[(row & last_row) << shift | (col & last_col)]--;
            }
            ask_for_bits(table, row_bits, row_width, col_bits, col_width);
            break;
        }
    }
    return start;
}

INLINED int64_t count_cols(
    Table *table,
    const void *rows,
    int row_width,
    const void *cols,
    int col_width,
    int64_t start,
    int64_t n_objects)
{
#define CALL(width) return count_blocks(table, rows, row_width, cols, width, start, n_objects)
    BY_WIDTH(col_width, CALL)
#undef CALL
}

/* Count labels block by block, from one on, and return how many are counted.

   If these are not all, the next ones need a table of more bits, which are set. A label that is
   not allowed, below -1, needs more bits than any table has. */
static int64_t count_labels(
    Table *table,
    const void *rows,
    int row_width,
    const void *cols,
    int col_width,
    int64_t start,
    int64_t n_objects)
{
    if (table->counts == NULL) {
        int64_t stop = n_objects < BLOCK ? n_objects : BLOCK;
        ask_for_bits(
            table,
            bits_of(rows, row_width, table->first_row, 0, stop),
            row_width,
            bits_of(cols, col_width, table->first_col, 0, stop),
            col_width);
        return 0;
    }
#define CALL(width) return count_cols(table, rows, width, cols, col_width, start, n_objects)
    BY_WIDTH(row_width, CALL)
#undef CALL
}

INLINED void add_shifted(
    void *pairs,
    int pair_width,
    const void *labels,
    int width,
    uint64_t first,
    int shift,
    int64_t n_objects)
{
    uint64_t label;
    int64_t k;
    for (k = 0; k < n_objects; k++) {
        label = difference_at(labels, width, first, k) & all_bits(width);
        if (pair_width == 4)
            ((uint32_t *)pairs)[k] |= (uint32_t)label << shift;
        else
            ((uint64_t *)pairs)[k] |= label << shift;
    }
}

/* Write `labels - first` into the bits of the pairs, of 4 or 8 bytes, from `shift` on. */
static void add_labels(
    void *pairs,
    int pair_width,
    const void *labels,
    int width,
    uint64_t first,
    int shift,
    int64_t n_objects)
{
#define SHORT(width) add_shifted(pairs, 4, labels, width, first, shift, n_objects); return
#define LONG(width) add_shifted(pairs, 8, labels, width, first, shift, n_objects); return
    if (pair_width == 4)
        BY_WIDTH(width, SHORT)
    BY_WIDTH(width, LONG)
#undef SHORT
#undef LONG
}

INLINED void add_sizes(const void *codes, int width, int64_t n_objects, int64_t *sizes)
{
    int64_t k;
    for (k = 0; k < n_objects; k++)
        sizes[label_at(codes, width, k)]++;
}

/* Count the objects of each code. */
static void count_codes(const void *codes, int width, int64_t n_objects, int64_t *sizes)
{
#define CALL(width) add_sizes(codes, width, n_objects, sizes); return
    BY_WIDTH(width, CALL)
#undef CALL
}

INLINED void take_from(
    const int64_t *values, const void *codes, int width, int64_t n_objects, int64_t *out)
{
    int64_t k;
    for (k = 0; k < n_objects; k++)
        out[k] = values[label_at(codes, width, k)];
}

/* Take the value of each code. */
static void take_values(
    const int64_t *values, const void *codes, int width, int64_t n_objects, int64_t *out)
{
#define CALL(width) take_from(values, codes, width, n_objects, out); return
    BY_WIDTH(width, CALL)
#undef CALL
}
