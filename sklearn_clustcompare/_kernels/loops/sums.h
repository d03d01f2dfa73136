/* Sums over tables and memberships. */

/* Add up the squares in 32 bits, several at a time, block by block, where that is enough. */
static uint64_t short_squares_of(const uint32_t *counts, int64_t n_counts)
{
    uint64_t squares = 0;
    int64_t start, stop, k;
    for (start = 0; start < n_counts; start += 256) {
        uint32_t block_squares = 0, bits = 0;
        stop = smaller(start + 256, n_counts);
        for (k = start; k < stop; k++) {
            bits |= counts[k];
            block_squares += counts[k] * counts[k];
        }
        /* 256 squares of 24 bits add up to less than 2**32. */
        squares += bits < 4096 ? block_squares : squares_of_short(counts + start, stop - start);
    }
    return squares;
}

/* Add up the squares of integers of 4 or 8 bytes. */
static uint64_t add_squares(int width, const void *counts, int64_t n_counts)
{
    if (width == 4)
        return short_squares_of((const uint32_t *)counts, n_counts);
    return squares_of_long((const uint64_t *)counts, n_counts);
}

static int64_t square_sum_of_pair(
    const uint16_t *first,
    const uint16_t *second,
    int64_t n_first,
    int64_t n_second,
    int64_t n_objects,
    uint32_t *counts)
{
    int64_t k;
    memset(counts, 0, n_first * n_second * sizeof(uint32_t));
    for (k = 0; k < n_objects; k++)
        counts[first[k] * n_second + second[k]]++;
    return (int64_t)add_squares(4, counts, n_first * n_second);
}

/* Sums of squared counts of the pairs of two or three partitions, whose numbers are in `group`. */
static void square_sums_of_group(
    const uint16_t *codes,
    const int64_t *group,
    const int64_t *n_codes,
    int64_t n_objects,
    uint32_t *counts,
    int64_t *sums)
{
    const uint16_t *first = codes + group[0] * n_objects, *second = codes + group[1] * n_objects;
    const uint16_t *third;
    int64_t n_first = n_codes[group[0]], n_second = n_codes[group[1]], n_third, i, j, k;
    uint32_t *of_second_third, *line;
    if (group[2] < 0) {
        sums[0] = square_sum_of_pair(first, second, n_first, n_second, n_objects, counts);
        return;
    }
    third = codes + group[2] * n_objects;
    n_third = n_codes[group[2]];
    if (n_first * n_second * n_third > n_objects) {
        sums[0] = square_sum_of_pair(first, second, n_first, n_second, n_objects, counts);
        sums[1] = square_sum_of_pair(first, third, n_first, n_third, n_objects, counts);
        sums[2] = square_sum_of_pair(second, third, n_second, n_third, n_objects, counts);
        return;
    }
    /* The tables of the pairs are margins of the table of all three. */
    of_second_third = counts + n_first * n_second * n_third;
    memset(counts, 0, n_second * n_third * (n_first + 1) * sizeof(uint32_t));
    for (k = 0; k < n_objects; k++)
        counts[(first[k] * n_second + second[k]) * n_third + third[k]]++;
    for (i = 0; i < n_first; i++) {
        for (j = 0; j < n_second; j++) {
            int64_t total = 0;
            line = counts + (i * n_second + j) * n_third;
            for (k = 0; k < n_third; k++) {
                total += line[k];
                of_second_third[j * n_third + k] += line[k];
            }
            sums[0] += total * total;
        }
        /* The table of the first and the third, one row at a time, in the place of a row of
           cells. */
        line = counts + i * n_second * n_third;
        for (j = 1; j < n_second; j++)
            for (k = 0; k < n_third; k++)
                line[k] += line[j * n_third + k];
        for (k = 0; k < n_third; k++)
            sums[1] += (int64_t)line[k] * line[k];
    }
    for (k = 0; k < n_second * n_third; k++)
        sums[2] += (int64_t)of_second_third[k] * of_second_third[k];
}

INLINED double log_ratio_sum_of(
    const void *parts,
    const void *wholes,
    double one_whole,
    int64_t n_parts,
    double total,
    int are_whole)
{
    double part, whole, difference, log_ratio, term, before, rest, high = 0.0, low = 0.0;
    int64_t k;
    for (k = 0; k < n_parts; k++) {
        if (are_whole) {
            int64_t n = ((const int64_t *)parts)[k];
            int64_t of = wholes ? ((const int64_t *)wholes)[k] : (int64_t)one_whole;
            part = (double)n;
            whole = (double)of;
            difference = (double)(of - n);
        }
        else {
            part = ((const double *)parts)[k];
            whole = wholes ? ((const double *)wholes)[k] : one_whole;
            difference = whole - part;
        }
        log_ratio = log1p(difference / part);
        if (log_ratio == INFINITY) /* memberships can be too small to divide by */
            log_ratio = log(whole) - log(part);
        term = part / total * log_ratio;
        before = high;
        high += term;
        rest = high - before;
        low += (before - (high - rest)) + (term - rest);
    }
    return high + low;
}

/* Add in twice the working precision, so that the order of the parts makes no difference.

   Numbers are int64 if they are whole, else float64; without `wholes` all have the same one. */
static double add_log_ratios(
    const void *parts,
    const void *wholes,
    double one_whole,
    int64_t n_parts,
    double total,
    int are_whole)
{
    if (are_whole)
        return log_ratio_sum_of(parts, wholes, one_whole, n_parts, total, 1);
    return log_ratio_sum_of(parts, wholes, one_whole, n_parts, total, 0);
}

typedef struct {
    int has_sign;
    int has_nan;
    double smallest_sum;
    double largest_sum;
} Bounds;

static Bounds bounds_of_rows(const double *values, int64_t n_rows, int64_t n_cols)
{
    double sum_0, sum_1, smallest = INFINITY, largest = -INFINITY;
    /* Comparisons of numbers take twice as long as unions of their bits. */
    uint64_t word, bits_0 = 0, bits_1 = 0;
    int has_nan = 0;
    int64_t row, col;
    Bounds bounds;
    for (row = 0; row < n_rows; row++) {
        sum_0 = sum_1 = 0.0;
        /* Two chains of additions, as each waits for the one before it. */
        for (col = 0; col < n_cols - 1; col += 2) {
            sum_0 += values[col];
            sum_1 += values[col + 1];
            memcpy(&word, values + col, 8);
            bits_0 |= word;
            memcpy(&word, values + col + 1, 8);
            bits_1 |= word;
        }
        if (n_cols & 1) {
            sum_0 += values[n_cols - 1];
            memcpy(&word, values + n_cols - 1, 8);
            bits_0 |= word;
        }
        sum_0 += sum_1;
        smallest = sum_0 < smallest ? sum_0 : smallest;
        largest = sum_0 > largest ? sum_0 : largest;
        /* NaN is lost in comparisons, but not in sums. */
        has_nan |= sum_0 != sum_0;
        values += n_cols;
    }
    bounds.has_sign = (bits_0 | bits_1) >> 63 != 0;
    bounds.has_nan = has_nan;
    bounds.smallest_sum = smallest;
    bounds.largest_sum = largest;
    return bounds;
}
