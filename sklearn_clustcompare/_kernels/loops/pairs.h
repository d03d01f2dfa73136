/* A template: loops over the numbers of pairs, the row above as many bits as the columns need. */

/* Sort pairs by some of their bits, stably, digit by digit from the lowest.

   Returns which of the two arrays they end in. */
static void *NAMED(sort)(
    number_t *pairs, number_t *others, int64_t n_objects, int low_bit, int n_bits)
{
    uint32_t starts[MAX_DIGITS][1 << DIGIT_BITS];
    int shifts[MAX_DIGITS];
    int n_digits = (n_bits + DIGIT_BITS - 1) / DIGIT_BITS, number;
    int digit_bits = n_digits ? (n_bits + n_digits - 1) / n_digits : 0;
    uint32_t last = ((uint32_t)1 << digit_bits) - 1;
    int64_t k;
    for (number = 0; number < n_digits; number++) {
        /* The highest digit may share bits with the one before it, but has none above the
           others. */
        shifts[number] = low_bit + (int)smaller(number * digit_bits, n_bits - digit_bits);
        memset(starts[number], 0, (last + 1) * sizeof(uint32_t));
    }
    for (k = 0; k < n_objects; k++) {
        number_t pair = pairs[k];
        for (number = 0; number < n_digits; number++)
            starts[number][pair >> shifts[number] & last]++;
    }
    for (number = 0; number < n_digits; number++) {
        int shift = shifts[number];
        uint32_t *places = starts[number], total = 0, digit;
        number_t *sorted = others;
        if (places[pairs[0] >> shift & last] == n_objects)
            continue; /* all have the same digit */
        for (digit = 0; digit <= last; digit++) {
            uint32_t count = places[digit];
            places[digit] = total;
            total += count;
        }
        for (k = 0; k < n_objects; k++)
            sorted[places[pairs[k] >> shift & last]++] = pairs[k];
        others = pairs;
        pairs = sorted;
    }
    return pairs;
}

/* Count the runs of pairs that are equal in some of their bits. */
static int64_t NAMED(count_runs)(
    const number_t *pairs, int64_t n_objects, int shift, uint64_t mask)
{
    int64_t n_runs = 1, k;
    for (k = 1; k < n_objects; k++)
        n_runs += ((pairs[k] ^ pairs[k - 1]) >> shift & (number_t)mask) != 0;
    return n_runs;
}

/* Number the columns of pairs that are sorted by them, and count the objects of each. */
static void NAMED(number_cols)(
    number_t *pairs, int64_t n_objects, int col_bits, int64_t *sums, int64_t *codes)
{
    number_t mask = ((number_t)1 << col_bits) - 1, col = pairs[0] & mask;
    int64_t number = 0, k;
    /* Without branches, since it can hardly be predicted whether the next column is another
       one. */
    for (k = 0; k < n_objects; k++) {
        number += (pairs[k] & mask) != col;
        col = pairs[k] & mask;
        pairs[k] ^= col ^ (number_t)number;
        codes[number] = (int64_t)col;
        sums[number] = k + 1;
    }
    take_differences(sums, number);
}

/* Number the cells of sorted pairs, and count the objects of each cell and each row. */
static void NAMED(fill_cells)(
    const number_t *pairs,
    int64_t n_objects,
    int col_bits,
    int64_t n_cols,
    int64_t *cells,
    int64_t *counts,
    int64_t *row_sums,
    int64_t *row_codes)
{
    number_t mask = ((number_t)1 << col_bits) - 1, pair = pairs[0];
    int64_t cell = 0, row = 0, k;
    for (k = 0; k < n_objects; k++) {
        cell += pairs[k] != pair;
        row += pairs[k] >> col_bits != pair >> col_bits;
        pair = pairs[k];
        cells[cell] = row * n_cols + (int64_t)(pair & mask);
        counts[cell] = k + 1;
        row_sums[row] = k + 1;
        row_codes[row] = (int64_t)(pair >> col_bits);
    }
    take_differences(counts, cell);
    take_differences(row_sums, row);
}
