/* A template: loops over tables of counts of the type number_t.

   Their sums are of this type, too: counts of 32 bits are of fewer than 2**31 objects. */

/* Add up the rows and columns of a table, and count what is not empty. */
static Totals NAMED(add_up)(
    const number_t *counts, int64_t n_rows, int64_t n_cols, number_t *row_sums, number_t *col_sums)
{
    Totals totals = {0, 0, 0, 0};
    int64_t row, col;
    for (row = 0; row < n_rows; row++) {
        const number_t *line = counts + row * n_cols;
        number_t total = 0, n_occupied = 0;
        for (col = 0; col < n_cols; col++) {
            total += line[col];
            col_sums[col] += line[col];
            n_occupied += line[col] != 0;
        }
        row_sums[row] = total;
        totals.n_cells += n_occupied;
        totals.n_samples += total;
        totals.n_rows += total != 0;
    }
    for (col = 0; col < n_cols; col++)
        totals.n_cols += col_sums[col] != 0;
    return totals;
}

#define COPY_OCCUPIED(type)                                      \
    for (row = 0; row < n_rows; row++) {                         \
        const number_t *line = counts + row * n_cols;            \
        type *to = (type *)out + at;                             \
        if (!row_sums[row])                                      \
            continue;                                            \
        if (is_one_run)                                          \
            for (col = start; col < stop; col++)                 \
                to[col - start] = (type)line[col];               \
        else                                                     \
            for (col = 0; col < n_cols; col++)                   \
                if (col_sums[col])                               \
                    *to++ = (type)line[col];                     \
        at += n_packed;                                          \
    }

/* Copy a table to integers of 64 or 32 bits, without empty rows and columns. */
static void NAMED(copy_occupied)(
    const number_t *counts,
    int64_t n_rows,
    int64_t n_cols,
    const number_t *row_sums,
    const number_t *col_sums,
    int64_t n_packed,
    void *out,
    int is_long)
{
    int64_t row, col, start = 0, stop, at = 0;
    int is_one_run;
    while (start < n_cols && !col_sums[start])
        start++;
    stop = start;
    while (stop < n_cols && col_sums[stop])
        stop++;
    is_one_run = stop - start == n_packed;
    if (is_long)
        COPY_OCCUPIED(int64_t)
    else
        COPY_OCCUPIED(int32_t)
}

#undef COPY_OCCUPIED

/* Write the sums that are not zero, and their codes. */
static void NAMED(fill_margin)(
    const number_t *sums, int64_t n_codes, int64_t first, int64_t *occupied, int64_t *codes)
{
    int64_t code, at = 0;
    for (code = 0; code < n_codes; code++)
        if (sums[code]) {
            occupied[at] = (int64_t)sums[code];
            codes[at] = first + code;
            at++;
        }
}

static uint64_t NAMED(squares_of)(const number_t *counts, int64_t n_counts)
{
    uint64_t squares = 0;
    int64_t k;
    for (k = 0; k < n_counts; k++)
        squares += (uint64_t)counts[k] * counts[k];
    return squares;
}
