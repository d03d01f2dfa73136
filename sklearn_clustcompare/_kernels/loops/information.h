/* Information in whole tables, and its null distribution. */

typedef struct {
    /* Counts of all cells; or, with their numbers, of the occupied ones. */
    const void *counts;
    /* Bytes of a whole number, or 0 for float64. */
    int width;
    const int64_t *cells;
    /* The sums of rows, and then those of columns: int64 if counts are whole. */
    const void *sizes;
    int64_t n_counts;
    int64_t n_rows;
    int64_t n_cols;
    double total;
} Cells;

INLINED double count_at(const Cells *table, int64_t k, int width)
{
    if (width == 4)
        return (double)((const int32_t *)table->counts)[k];
    if (width == 8)
        return (double)((const int64_t *)table->counts)[k];
    return ((const double *)table->counts)[k];
}

INLINED double size_at(const Cells *table, int64_t k, int width)
{
    return width ? (double)((const int64_t *)table->sizes)[k] : ((const double *)table->sizes)[k];
}

/* Go to a count, from the one before it; return whether it is in the next row. */
INLINED int go_to(const Cells *table, int64_t k, int64_t *row, int64_t *col)
{
    *col = table->cells ? table->cells[k] - *row * table->n_cols : *col + 1;
    if (*col < table->n_cols)
        return 0;
    (*row)++;
    *col -= table->n_cols;
    return 1;
}

/* ------------------------------------------------------------------------------- entropies */

typedef struct {
    /* H(true), H(pred), H(true | pred) and H(pred | true), and their rounding errors. */
    double sums[4];
    double rests[4];
} EntropySums;

/* n / N ln(a / n) */
static inline double share_of_log(double part, double whole, double total)
{
    double log_ratio = log1p((whole - part) / part);
    if (log_ratio == INFINITY) /* memberships can be too small to divide by */
        log_ratio = log(whole) - log(part);
    return part / total * log_ratio;
}

INLINED void add_share(
    EntropySums *found, int which, double part, double whole, double total, int width)
{
    /* In most tables of many cells most of these are small. */
    double term = width && whole < N_RATIOS
                      ? part / total * LOG_RATIOS[(int)whole][(int)part]
                      : share_of_log(part, whole, total);
    add_to_sum(found->sums + which, found->rests + which, term);
}

INLINED EntropySums entropies_by(const Cells *table, int width)
{
    EntropySums found = {{0.0, 0.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 0.0}};
    int64_t k, row = 0, col = -1;
    double total = table->total;
    for (k = 0; k < table->n_rows + table->n_cols; k++)
        add_share(&found, k >= table->n_rows, size_at(table, k, width), total, total, width);
    for (k = 0; k < table->n_counts; k++) {
        double count = count_at(table, k, width);
        go_to(table, k, &row, &col);
        if (count == 0.0)
            continue;
        add_share(&found, 2, count, size_at(table, table->n_rows + col, width), total, width);
        add_share(&found, 3, count, size_at(table, row, width), total, width);
    }
    return found;
}

/* Add in twice the working precision, so that the order of the cells makes no difference. */
static EntropySums add_entropies(const Cells *table)
{
    if (table->width == 4)
        return entropies_by(table, 4);
    return table->width == 8 ? entropies_by(table, 8) : entropies_by(table, 0);
}

typedef struct {
    /* a b / N as a sum of two numbers. */
    double high;
    double low;
} Expected;

static inline Expected expect(double a, double b, double n)
{
    Expected expected;
    double product = a * b;
    expected.high = product / n;
    expected.low = (fma(-expected.high, n, product) + fma(a, b, -product)) / n;
    return expected;
}

/* n ln(n / e) - (n - e) of a count n, where e = a b / N. */
static inline double excess_of_count(double count, double a, double b, double n)
{
    double mean = a * b / n, deviation = count - mean;
    /* Here the rounding error of the mean does not matter. */
    if (fabs(deviation) > SERIES_RADIUS * (count + mean))
        return count * log1p(deviation / mean) - deviation;
    return entropy_excess(count, deviation - expect(a, b, n).low, mean);
}

/* Add the objects that a row would have in the columns that it does not meet, times its size. */
static inline void add_missed(double *sum, double *rest, int64_t size, int64_t missed)
{
    double product = (double)size * (double)missed;
    add_to_sum(sum, rest, product);
    *rest += fma((double)size, (double)missed, -product);
}

INLINED double excess_by(const Cells *table, int width)
{
    const int64_t *sizes = (const int64_t *)table->sizes;
    int64_t n = (int64_t)table->total, missed = n, k, row = 0, col = -1;
    double sum = 0.0, rest = 0.0, empty = 0.0, empty_rest = 0.0;
    for (k = 0; k < table->n_counts; k++) {
        double count = count_at(table, k, width), size = (double)sizes[row];
        if (go_to(table, k, &row, &col)) {
            add_missed(&empty, &empty_rest, sizes[row - 1], missed);
            missed = n;
            size = (double)sizes[row];
        }
        if (count == 0.0)
            continue;
        missed -= sizes[table->n_rows + col];
        add_to_sum(
            &sum,
            &rest,
            excess_of_count(count, size, (double)sizes[table->n_rows + col], table->total));
    }
    add_missed(&empty, &empty_rest, sizes[row], missed);
    /* One term for all empty cells, so that it is the same for rows and for columns. */
    add_to_sum(&sum, &rest, (empty + empty_rest) / table->total);
    return (sum + rest > 0.0 ? sum + rest : 0.0) / table->total;
}

/* Return the mutual information of whole counts as a sum of terms that are not negative. */
static double excess_of_table(const Cells *table)
{
    return table->width == 4 ? excess_by(table, 4) : excess_by(table, 8);
}

/* --------------------------------------------------------------------------------- margins */

/* Group sorted sizes, from the last one on where they are below zero; counts are zeros. */
static Sizes group_side(
    const int64_t *ordered, int64_t n_sums, int is_negative, double *sizes, double *counts)
{
    Sizes found = {sizes, counts, 0};
    int64_t k;
    for (k = 0; k < n_sums; k++) {
        double size = (double)(is_negative ? -ordered[n_sums - 1 - k] : ordered[k]);
        if (found.length == 0 || size != sizes[found.length - 1])
            sizes[found.length++] = size;
        counts[found.length - 1] += 1.0;
    }
    return found;
}

/* Return whether one side comes first, in an order in which no two different sides are equal. */
static int comes_first(Sizes one, Sizes other)
{
    int64_t k;
    if (one.length != other.length)
        return one.length > other.length;
    for (k = 0; k < one.length; k++)
        if (one.sizes[k] != other.sizes[k])
            return one.sizes[k] > other.sizes[k];
    for (k = 0; k < one.length; k++)
        if (one.counts[k] != other.counts[k])
            return one.counts[k] > other.counts[k];
    return 0;
}

/* Return the mean of the mutual information under permutation.

   The sizes are sorted, those of the rows below zero; `numbers` are four zeros for each of them. */
static double mean_of_information(
    const int64_t *ordered, int64_t n_rows, int64_t n_sizes, double *numbers)
{
    Sizes rows, cols, other;
    double *in_rows = numbers + 2 * n_sizes, *row_rests = in_rows + n_sizes;
    double *in_cols = in_rows, *col_rests = row_rests;
    double total = 0.0, rest = 0.0;
    int64_t n = 0, k;
    int is_symmetric;
    for (k = 0; k < n_rows; k++)
        n -= ordered[k];
    rows = group_side(ordered, n_rows, 1, numbers, numbers + n_sizes);
    cols = group_side(
        ordered + n_rows, n_sizes - n_rows, 0, numbers + n_rows, numbers + n_sizes + n_rows);
    /* Swapping the sides does not change a bit. */
    if (comes_first(cols, rows)) {
        other = rows;
        rows = cols;
        cols = other;
    }
    is_symmetric = !comes_first(rows, cols);
    if (!is_symmetric) {
        in_cols += rows.length;
        col_rests += rows.length;
    }
    add_means(rows, cols, n, 0, is_symmetric, in_rows, row_rests, in_cols, col_rests);
    for (k = 0; k < rows.length; k++)
        add_to_sum(&total, &rest, (in_rows[k] + row_rests[k]) / (double)n * rows.counts[k]);
    return total + rest;
}

/* ------------------------------------------------------------------- null distribution */

/* The letters are those of _chance/spectral.py, which finds the same degree by degree. */

/* Strengths of the coupling are needed one degree beyond the largest one of an expansion. */
enum { N_STRENGTHS = LARGEST_DEGREE + 2 };

#define VARIANCE_TOLERANCE 2e-13

typedef struct {
    Sizes side;
    /* The only cluster that may have more than half of all objects, or -1. */
    int64_t major;
    /* g_k of every size, degree by degree. */
    double *strengths;
} Coupling;

static Coupling couple(Sizes side, int64_t n, double *strengths)
{
    Coupling margin;
    int64_t j;
    int k;
    margin.side = side;
    margin.major = -1;
    margin.strengths = strengths;
    for (j = 0; j < side.length; j++) {
        strengths[j] = 1.0;
        if (side.sizes[j] > n / 2.0)
            margin.major = j;
        for (k = 1; k < N_STRENGTHS; k++) {
            double inside = side.sizes[j] - (k - 1), outside = n - side.sizes[j] - (k - 1);
            strengths[k * side.length + j] =
                inside > 0.0 && outside > 0.0
                    ? strengths[(k - 1) * side.length + j] * sqrt(inside / outside)
                    : 0.0;
        }
    }
    return margin;
}

/* The largest row sum of |G_k| off the diagonal. */
static double bound_of(const Coupling *margin, int k)
{
    const double *strengths = margin->strengths + k * margin->side.length;
    double total = 0.0, largest = 0.0;
    int64_t j;
    for (j = 0; j < margin->side.length; j++)
        if (j != margin->major)
            total += margin->side.counts[j] * strengths[j];
    for (j = 0; j < margin->side.length; j++) {
        double value = strengths[j] * total;
        if (j != margin->major) {
            value -= strengths[j] * strengths[j];
            if (margin->major >= 0)
                value += strengths[j] * strengths[margin->major];
        }
        largest = value > largest ? value : largest;
    }
    return largest;
}

/* Find the shares of the variance that may be left after each degree; return their number. */
static int fill_shares(const Coupling *rows, const Coupling *cols, int64_t n, double *shares)
{
    double bound = INFINITY;
    int64_t largest = LARGEST_DEGREE;
    int k, n_bounds = 0;
    /* Where a cluster has all objects but a few, there are no further degrees. */
    if (rows->major >= 0)
        largest = smaller(largest, n - (int64_t)rows->side.sizes[rows->major]);
    if (cols->major >= 0)
        largest = smaller(largest, n - (int64_t)cols->side.sizes[cols->major]);
    for (k = 1; k <= LARGEST_DEGREE; k++) {
        double share;
        if (bound > VARIANCE_TOLERANCE) {
            double in_rows = bound_of(rows, k + 1), in_cols = bound_of(cols, k + 1);
            bound = in_rows + in_cols + in_rows * in_cols;
            n_bounds = k;
        }
        share = VARIANCE_TOLERANCE / (bound > 1e-150 ? bound : 1e-150);
        shares[k - 1] = k >= largest ? INFINITY : share * share;
    }
    return n_bounds > largest ? n_bounds : (int)largest;
}

/* The coefficient of a square in the form of G_k, with its multiplicity. */
static inline double diagonal_of(const Coupling *margin, int k, int64_t j)
{
    double strength = margin->strengths[k * margin->side.length + j];
    if (j == margin->major)
        return margin->side.counts[j];
    strength *= strength;
    return margin->side.counts[j] * (k & 1 ? 1.0 + strength : 1.0 - strength);
}

/* The bilinear form of G_k, a diagonal plus a matrix of rank one but for the major cluster. */
static double form_of(const Coupling *margin, int k, const double *left, const double *right)
{
    int64_t length = margin->side.length, major = margin->major, j;
    const double *strengths = margin->strengths + k * length;
    double squares = 0.0, in_left = 0.0, in_right = 0.0, across;
    for (j = 0; j < length; j++) {
        squares += diagonal_of(margin, k, j) * (left[j] * right[j]);
        if (j != major) {
            double weight = margin->side.counts[j] * strengths[j];
            in_left += weight * left[j];
            in_right += weight * right[j];
        }
    }
    across = in_left * in_right;
    if (major >= 0)
        across += strengths[major] * (left[major] * in_right + in_left * right[major]);
    return k & 1 ? squares - across : squares + across;
}

/* The variance of the sum of n_ij with these slopes, which are centered. */
static double linear_part(Sizes rows, Sizes cols, double n, double *slopes)
{
    int64_t i, j;
    double mean, squares = 0.0;
    for (j = 0; j < cols.length; j++) {
        mean = 0.0;
        for (i = 0; i < rows.length; i++)
            mean += rows.counts[i] * rows.sizes[i] / n * slopes[i * cols.length + j];
        for (i = 0; i < rows.length; i++)
            slopes[i * cols.length + j] -= mean;
    }
    for (i = 0; i < rows.length; i++) {
        double *line = slopes + i * cols.length, in_row = 0.0;
        mean = 0.0;
        for (j = 0; j < cols.length; j++)
            mean += cols.counts[j] * cols.sizes[j] / n * line[j];
        for (j = 0; j < cols.length; j++) {
            line[j] -= mean;
            in_row += cols.counts[j] * cols.sizes[j] / n * (line[j] * line[j]);
        }
        squares += rows.counts[i] * rows.sizes[i] / n * in_row;
    }
    return squares * n * (n / (n - 1.0));
}

static inline double log_to_largest(double size, double largest)
{
    double relative = (size - largest) / largest;
    return relative > -0.5 ? log1p(relative) : log(size / largest);
}

/* Find the slopes of the lines that are left out: see _chance.functions.slopes_of_lines, for q = 1. */
static void fill_slopes(Sizes rows, Sizes cols, double n, double *slopes)
{
    double row_top = rows.sizes[rows.length - 1], col_top = cols.sizes[cols.length - 1];
    double top = row_top * col_top / n;
    int64_t i, j;
    memset(slopes, 0, rows.length * cols.length * sizeof(double));
    if (top <= 1.0 || rows.sizes[0] * cols.sizes[0] / n > 1.0)
        return;
    for (i = 0; i < rows.length; i++) {
        int is_mixed = rows.sizes[i] * col_top / n > 1.0;
        for (j = 0; j < cols.length; j++) {
            int col_is_mixed = row_top * cols.sizes[j] / n > 1.0;
            double mean = rows.sizes[i] * cols.sizes[j] / n, slope;
            if (mean > 1.0)
                continue;
            if (is_mixed && col_is_mixed)
                slope = 1.0 + log(mean);
            else {
                double of_row = is_mixed ? log_to_largest(rows.sizes[i], row_top) : 0.0;
                double of_col = col_is_mixed ? log_to_largest(cols.sizes[j], col_top) : 0.0;
                slope = (of_row + of_col) + (1.0 + log(top)) * (is_mixed + col_is_mixed - 1);
            }
            slopes[i * cols.length + j] = -slope;
        }
    }
}

/* Find mean and variance of the sum of x ln x over all cells, without its lines.

   Returns 0 where some cells need further degrees. `numbers` has room for the strengths of both
   sides, the slopes, and three tables of coefficients by degree. */
static int moments_of_entropy(
    Sizes row_side,
    Sizes col_side,
    int64_t n,
    const double *differences,
    double *numbers,
    double *found)
{
    int64_t n_cols = col_side.length, i, j;
    Coupling rows = couple(row_side, n, numbers);
    Coupling cols = couple(col_side, n, numbers + N_STRENGTHS * row_side.length);
    double *slopes = cols.strengths + N_STRENGTHS * n_cols;
    /* Of one row, of the rows combined by g_k, and of the major cluster. */
    double *line = slopes + row_side.length * n_cols;
    double *combined = line + N_STRENGTHS * n_cols, *major_row = combined + N_STRENGTHS * n_cols;
    double shares[LARGEST_DEGREE], coefficients[LARGEST_DEGREE + 1];
    double mean = 0.0, mean_rest = 0.0, variance = 0.0, rest = 0.0, expected, left, weight;
    int n_shares = fill_shares(&rows, &cols, n, shares), n_degrees, most = 1, k;
    fill_slopes(row_side, col_side, (double)n, slopes);
    memset(combined, 0, 2 * N_STRENGTHS * n_cols * sizeof(double));
    for (i = 0; i < row_side.length; i++) {
        int64_t a = (int64_t)row_side.sizes[i];
        memset(line, 0, N_STRENGTHS * n_cols * sizeof(double));
        n_degrees = 1;
        for (j = 0; j < n_cols; j++) {
            int64_t b = (int64_t)col_side.sizes[j];
            double independent = (double)a * (double)b / n;
            int degree =
                independent < LARGE_MEAN
                    ? expand_by_nodes(
                          a, b, n, shares, n_shares, differences, coefficients, &expected, &left)
                    : expand_by_moments(
                          a, b, n, shares, n_shares, coefficients, &expected, &left);
            if (degree == 0)
                return 0;
            weight = row_side.counts[i] * col_side.counts[j];
            add_to_sum(&mean, &mean_rest, weight * expected);
            add_to_sum(&variance, &rest, weight * left);
            slopes[i * n_cols + j] += coefficients[1] / sqrt(variance_of(a, b, n, independent));
            for (k = 2; k <= degree; k++)
                line[k * n_cols + j] = coefficients[k];
            n_degrees = degree > n_degrees ? degree : n_degrees;
        }
        for (k = 2; k <= n_degrees; k++) {
            const double *known = line + k * n_cols;
            double own = form_of(&cols, k, known, known);
            add_to_sum(&variance, &rest, diagonal_of(&rows, k, i) * own);
            if (i == rows.major)
                memcpy(major_row + k * n_cols, known, n_cols * sizeof(double));
            else {
                weight = row_side.counts[i] * rows.strengths[k * row_side.length + i];
                for (j = 0; j < n_cols; j++)
                    combined[k * n_cols + j] += weight * known[j];
            }
        }
        most = n_degrees > most ? n_degrees : most;
    }
    for (k = 2; k <= most; k++) {
        const double *minor = combined + k * n_cols;
        double across = form_of(&cols, k, minor, minor);
        if (rows.major >= 0) {
            weight = 2.0 * rows.strengths[k * row_side.length + rows.major];
            across += weight * form_of(&cols, k, major_row + k * n_cols, minor);
        }
        add_to_sum(&variance, &rest, k & 1 ? -across : across);
    }
    add_to_sum(&variance, &rest, linear_part(row_side, col_side, (double)n, slopes));
    found[0] = mean + mean_rest;
    found[1] = variance + rest > 0.0 ? variance + rest : 0.0;
    return 1;
}

static int64_t find_size(Sizes side, double size)
{
    int64_t low = 0, high = side.length - 1;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (side.sizes[middle] < size)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

INLINED double position_by(
    const Cells *table, Sizes rows, Sizes cols, double mean, double *sums, int64_t *groups, int width)
{
    const int64_t *sizes = (const int64_t *)table->sizes;
    double *observed = sums, *occupied = observed + rows.length * cols.length;
    double *slopes = occupied + rows.length * cols.length, sum = 0.0, rest = 0.0, count, a, b;
    int64_t row = 0, col = -1, k, group, i, j;
    Expected expected;
    for (k = 0; k < table->n_rows + table->n_cols; k++)
        groups[k] = find_size(k < table->n_rows ? rows : cols, (double)sizes[k]);
    for (k = 0; k < table->n_counts; k++) {
        go_to(table, k, &row, &col);
        count = count_at(table, k, width);
        if (count == 0.0)
            continue;
        group = groups[row] * cols.length + groups[table->n_rows + col];
        observed[group] += count;
        occupied[group] += 1.0;
        a = (double)sizes[row];
        b = (double)sizes[table->n_rows + col];
        add_to_sum(
            &sum,
            &rest,
            a * b / table->total > 1.0 ? excess_of_count(count, a, b, table->total)
                                       : count * log(count));
    }
    fill_slopes(rows, cols, table->total, slopes);
    for (i = 0; i < rows.length; i++)
        for (j = 0; j < cols.length; j++) {
            group = i * cols.length + j;
            expected = expect(rows.sizes[i], cols.sizes[j], table->total);
            if (expected.high > 1.0) {
                /* The excess of empty cells. */
                count = rows.counts[i] * cols.counts[j] - occupied[group];
                add_to_sum(&sum, &rest, count * expected.high);
            }
            if (slopes[group] != 0.0) {
                expected = expect(
                    rows.sizes[i] * rows.counts[i], cols.sizes[j] * cols.counts[j], table->total);
                count = (observed[group] - expected.high) - expected.low;
                add_to_sum(&sum, &rest, slopes[group] * count);
            }
        }
    add_to_sum(&sum, &rest, -mean);
    return sum + rest;
}

/* Return that sum for a table of whole counts, less its mean.

   `sums` are three zeros for each pair of sizes, `groups` have room for each row and column. */
static double position_of_table(
    const Cells *table, Sizes rows, Sizes cols, double mean, double *sums, int64_t *groups)
{
    if (table->width == 4)
        return position_by(table, rows, cols, mean, sums, groups, 4);
    return position_by(table, rows, cols, mean, sums, groups, 8);
}
