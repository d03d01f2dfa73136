/* Hypergeometric laws. The letters are those of hypergeometric.py; f(x) = x ln x, and t = x - mu.

   f is convex: with m = floor(mu), it is the chord through m and m + 1 plus a function g(x) >= 0
   that vanishes at both. The mean of the chord is its value at mu. The second differences of f,
   which are the same for all pairs, add up to g from m outwards: all terms are positive, and no
   node needs a logarithm.

   By Rodrigues' formula, f has the coefficient c_k = r_k E D^k f(y) in the orthonormal polynomial
   of degree k. D f(x) is f(x + 1) - f(x), y ~ Hyp(N - 2k, a - k, b - k), and, with falling
   factorials, r_k^2 = (a)_k (N - a)_k (b)_k (N - b)_k / ((N)_2k (N - k + 1)_k k!). For k > 1 the
   sign of D^k f(x) is that of (-1)^k for all x, so nothing cancels. |D^k f(x)|, the integral of
   exp(-x t) (1 - exp(-t))^k / t^2 over t > 0, comes from a table.

   If mu is large, Taylor's series and the central moments of the law give the same means. */

enum {
    /* Cells that expect this many objects or more are expanded in their central moments. */
    LARGE_MEAN = 256,
    /* Degrees of such an expansion: enough for the smallest of these means. */
    N_MOMENTS = 24,
    /* No law with a smaller mean reaches this far, in the precision of a float. */
    N_DIFFERENCES = 512,
    LARGEST_DEGREE = 24,
    N_RATIOS = 64
};

/* A node that contributes less than this share ends the sum. */
#define NEGLIGIBLE 1e-18
/* What is left by Parseval's identity is known up to this share. */
#define PARSEVAL_PRECISION 1e-13

static double SECOND_DIFFERENCES[N_DIFFERENCES];
static double BINOMIALS[N_MOMENTS + LARGEST_DEGREE][N_MOMENTS + LARGEST_DEGREE];
/* Even moments of the sum of some independent uniform variables between -1/2 and 1/2. */
static double UNIFORM_MOMENTS[LARGEST_DEGREE + 1][N_MOMENTS + 1];

/* ln(a / n) of counts n in clusters of a objects. */
static double LOG_RATIOS[N_RATIOS][N_RATIOS];

/* Fill the tables above; to be called once. */
static void fill_tables(void)
{
    int k, j, i;
    double square, series, power;
    for (k = 0; k < N_MOMENTS + LARGEST_DEGREE; k++) {
        BINOMIALS[k][0] = BINOMIALS[k][k] = 1.0;
        for (j = 1; j < k; j++)
            BINOMIALS[k][j] = BINOMIALS[k - 1][j - 1] + BINOMIALS[k - 1][j];
    }
    for (k = 1; k < N_RATIOS; k++)
        for (j = 1; j <= k; j++)
            LOG_RATIOS[k][j] = log1p((double)(k - j) / j);
    /* f(x + 1) - 2 f(x) + f(x - 1) by its series in 1 / x. */
    SECOND_DIFFERENCES[1] = 2.0 * log(2.0);
    for (k = 2; k < N_DIFFERENCES; k++) {
        square = 1.0 / ((double)k * k);
        series = 0.0;
        for (j = 28; j > 0; j--)
            series = series * square + 1.0 / (j * (2.0 * j - 1.0));
        SECOND_DIFFERENCES[k] = series / k;
    }
    for (j = 0; j <= N_MOMENTS; j++)
        UNIFORM_MOMENTS[0][j] = j == 0 ? 1.0 : 0.0;
    for (k = 1; k <= LARGEST_DEGREE; k++)
        for (j = 0; j <= N_MOMENTS; j += 2) {
            UNIFORM_MOMENTS[k][j] = 0.0;
            power = 1.0;
            for (i = 0; i <= j; i += 2) {
                UNIFORM_MOMENTS[k][j] +=
                    BINOMIALS[j][i] * power / (i + 1) * UNIFORM_MOMENTS[k - 1][j - i];
                power /= 4.0;
            }
        }
}

/* ------------------------------------------------------------------------- central moments */

typedef struct {
    double n;
    /* Mean of the cells in both clusters and in none of them, added up. */
    double alike;
    /* Variance times N - 1. */
    double flow;
} Moments;

static inline double variance_of(int64_t a, int64_t b, int64_t n, double mean)
{
    double total = (double)n;
    return mean * ((n - a) / total * ((n - b) / total)) * (total / (total - 1.0));
}

static Moments first_moments(int64_t a, int64_t b, int64_t n, double mean, double *moments)
{
    Moments known;
    known.n = (double)n;
    known.alike = mean + (n - a) * ((double)(n - b) / n);
    moments[0] = 1.0;
    moments[1] = 0.0;
    moments[2] = variance_of(a, b, n, mean);
    known.flow = moments[2] * (n - 1);
    return known;
}

/* Find the central moment k + 1 from those before.

   By E x (N - a - b + x) h(x - 1) = E (a - x) (b - x) h(x) with h(x) = t^k. */
static inline void add_moment(const Moments *known, int k, double *moments, double *combined)
{
    double moment = k * (known->alike * moments[k] + known->flow * moments[k - 1]), term;
    int j;
    combined[k - 2] = moments[k] + known->alike * moments[k - 1] + known->flow * moments[k - 2];
    for (j = 0; j < k - 1; j++) {
        term = BINOMIALS[k][j] * combined[j];
        moment += (k - j) & 1 ? term : -term;
    }
    moments[k + 1] = moment / (known->n - k);
}

/* E f(x) less the tangent at the mean. */
static double excess_by_moments(int64_t a, int64_t b, int64_t n, double mean)
{
    double moments[N_MOMENTS + 1], combined[N_MOMENTS];
    double excess = 0.0, term, last = 0.0, power = mean;
    Moments known = first_moments(a, b, n, mean, moments);
    int k;
    for (k = 2; k < N_MOMENTS; k++) {
        term = moments[k] / (k * (k - 1.0) * power);
        excess += k & 1 ? -term : term;
        if (fabs(term) + last <= NEGLIGIBLE * excess)
            break;
        last = fabs(term);
        power *= mean;
        add_moment(&known, k, moments, combined);
    }
    return excess;
}

/* --------------------------------------------------------------------------- sums of means */

typedef struct {
    /* E g(x), E g(x)^2 and E g(x) (x - m). */
    double excess;
    double square;
    double lever;
    /* mu = whole + part, with rest = 1 - part. */
    double mean;
    int64_t whole;
    double part;
    double rest;
} Cell;

/* Find the means of g from the ratios of neighboring probabilities, from m outwards. */
INLINED void add_nodes(int64_t a, int64_t b, int64_t n, Cell *cell, int with_lever)
{
    int64_t lowest = a + b > n ? a + b - n : 0;
    int64_t highest = smaller(smaller(a, b), N_DIFFERENCES - 1), k;
    double row = (double)a, col = (double)b, neither = (double)(n - a - b), x;
    double weight = 1.0, total = 1.0, excess = 0.0, square = 0.0, lever = 0.0;
    double slope = 0.0, value = 0.0, part;
    for (k = cell->whole + 1; k <= highest; k++) {
        x = (double)k;
        weight *= (row - x + 1.0) * (col - x + 1.0) / (x * (neither + x));
        value += slope;
        slope += SECOND_DIFFERENCES[k];
        part = weight * value;
        total += weight;
        excess += part;
        part *= value;
        square += part;
        if (with_lever)
            lever += weight * value * (k - cell->whole);
        if (part < NEGLIGIBLE * square)
            break;
    }
    weight = 1.0;
    slope = value = 0.0;
    for (k = cell->whole; k > lowest; k--) {
        x = (double)k;
        weight *= x * (neither + x) / ((row - x + 1.0) * (col - x + 1.0));
        slope += SECOND_DIFFERENCES[k];
        value += slope;
        part = weight * value;
        total += weight;
        excess += part;
        part *= value;
        square += part;
        if (with_lever)
            lever -= weight * value * (cell->whole - k + 1);
        if (part < NEGLIGIBLE * square)
            break;
    }
    cell->excess = excess / total;
    cell->square = square / total;
    cell->lever = lever / total;
}

INLINED Cell excess_of_cell(int64_t a, int64_t b, int64_t n, int with_lever)
{
    Cell cell;
    uint64_t product;
    memset(&cell, 0, sizeof(Cell));
    cell.mean = (double)a * (double)b / (double)n;
    if (cell.mean >= LARGE_MEAN) {
        cell.excess = excess_by_moments(a, b, n, cell.mean);
        return cell;
    }
    product = (uint64_t)a * (uint64_t)b; /* below 2**8 * 2**53 */
    cell.whole = (int64_t)(product / (uint64_t)n);
    product -= (uint64_t)cell.whole * (uint64_t)n;
    cell.part = (double)product / (double)n;
    cell.rest = (double)(n - (int64_t)product) / (double)n;
    add_nodes(a, b, n, &cell, with_lever);
    return cell;
}

/* Beyond this |(x - mu) / (x + mu)| a logarithm is accurate enough. */
#define SERIES_RADIUS 0.06

/* x ln(x / mu) - (x - mu), as in _numerics.entropy_excess. */
static inline double entropy_excess(double x, double deviation, double mean)
{
    double reduced = deviation / (x + mean), square, series;
    if (fabs(reduced) > SERIES_RADIUS)
        return x * log1p(deviation / mean) - deviation;
    square = reduced * reduced;
    series = 2.0 / 15.0;
    series = series * square + 2.0 / 13.0;
    series = series * square + 2.0 / 11.0;
    series = series * square + 2.0 / 9.0;
    series = series * square + 2.0 / 7.0;
    series = series * square + 2.0 / 5.0;
    series = series * square + 2.0 / 3.0;
    return reduced * (deviation + x * square * series);
}

static inline double log_of(double share, double rest)
{
    return share < 0.5 ? log(share) : log1p(-rest);
}

/* E f(x) less the tangent at the mean: that of the chord is the mean of two points. */
static double convex_gain(const Cell *cell)
{
    double low = (double)cell->whole;
    if (cell->mean >= LARGE_MEAN || cell->part == 0.0)
        return cell->excess;
    if (cell->whole == 0)
        return cell->excess - cell->part * log_of(cell->part, cell->rest);
    return cell->excess + (cell->rest * entropy_excess(low, -cell->part, cell->mean) +
                           cell->part * entropy_excess(low + 1.0, cell->rest, cell->mean));
}

/* E x ln(b / x): the chord of this concave function at the mean, less the excess of f. */
static double conditional_gain(const Cell *cell, int64_t a, int64_t b, int64_t n)
{
    double low = (double)cell->whole, at_low = 0.0, at_high = 0.0;
    if (cell->mean >= LARGE_MEAN)
        return -cell->mean * log_of((double)a / n, (double)(n - a) / n) - cell->excess;
    if (cell->whole > 0)
        at_low = low * log1p((b - low) / low);
    if (cell->part > 0.0)
        at_high = (low + 1.0) * log1p((b - low - 1.0) / (low + 1.0));
    return cell->rest * at_low + cell->part * at_high - cell->excess;
}

/* Distinct sizes of the clusters of one side, ascending, and how many clusters have each. */
typedef struct {
    const double *sizes;
    const double *counts;
    int64_t length;
} Sizes;

/* Add to a sum, and the rounding error to the sum of these (Knuth's two-sum). */
static inline void add_to_sum(double *sum, double *rest, double value)
{
    double old = *sum, total = old + value, part = total - old;
    *sum = total;
    *rest += (old - (total - part)) + (value - part);
}

/* Add up the means of all pairs of sizes by row and by column, and the rounding errors. */
static void add_means(
    Sizes rows,
    Sizes cols,
    int64_t n,
    int conditional,
    int is_symmetric,
    double *row_sums,
    double *row_rests,
    double *col_sums,
    double *col_rests)
{
    int64_t i, j;
    for (i = 0; i < rows.length; i++) {
        int64_t a = (int64_t)rows.sizes[i];
        for (j = is_symmetric ? i : 0; j < cols.length; j++) {
            int64_t b = (int64_t)cols.sizes[j];
            Cell cell = excess_of_cell(a, b, n, 0);
            double in_row, in_col;
            if (conditional) {
                in_row = conditional_gain(&cell, a, b, n);
                in_col = conditional_gain(&cell, b, a, n);
            }
            else
                in_row = in_col = convex_gain(&cell);
            add_to_sum(row_sums + i, row_rests + i, cols.counts[j] * in_row);
            if (!(is_symmetric && i == j))
                add_to_sum(col_sums + j, col_rests + j, rows.counts[i] * in_col);
        }
    }
}

/* ----------------------------------------------------------------------------- expansions */

/* r_k^2 / r_(k-1)^2. */
static inline double norm_ratio(int64_t a, int64_t b, int64_t n, int degree)
{
    double used = degree - 1.0, total = (double)n, rest = total - 2.0 * used;
    double inside = (a - used) * (n - a - used), outside = rest * (rest - 1.0);
    return inside / outside * ((b - used) * (n - b - used) / (rest * (rest + 1.0))) *
           ((total - used + 1.0) / degree);
}

/* Expectation of a function that is positive and decreases. */
static double mean_at_nodes(int64_t a, int64_t b, int64_t n, const double *values)
{
    int64_t lowest = a + b > n ? a + b - n : 0;
    int64_t highest = smaller(smaller(a, b), N_DIFFERENCES - 1), k;
    double row = (double)a, col = (double)b, neither = (double)(n - a - b), x;
    int64_t start = n > 0 ? (int64_t)(row * col / n) : 0;
    double weight = 1.0, total = 1.0, result;
    start = smaller(start > lowest ? start : lowest, highest);
    result = values[start];
    for (k = start + 1; k <= highest; k++) {
        x = (double)k;
        weight *= (row - x + 1.0) * (col - x + 1.0) / (x * (neither + x));
        total += weight;
        result += weight * values[k];
        if (weight < NEGLIGIBLE * total)
            break;
    }
    weight = 1.0;
    /* However small the weights become, the function may be large there. */
    for (k = start; k > lowest; k--) {
        x = (double)k;
        weight *= x * (neither + x) / ((row - x + 1.0) * (col - x + 1.0));
        total += weight;
        result += weight * values[k - 1];
    }
    return result / total;
}

/* Find the coefficients from degree 1 on, and return their number, or 0 if it is too small. */
static int expand_by_nodes(
    int64_t a,
    int64_t b,
    int64_t n,
    const double *shares,
    int n_shares,
    const double *differences,
    double *coefficients,
    double *mean,
    double *remainder)
{
    Cell cell = excess_of_cell(a, b, n, 1);
    int64_t n_degrees = smaller(smaller(a, b), smaller(n - a, n - b));
    double low = (double)cell.whole, variance = variance_of(a, b, n, cell.mean);
    double slope = (cell.lever - cell.part * cell.excess) / variance;
    double left = cell.square - cell.excess * cell.excess - slope * slope * variance;
    double reference = left, norm = norm_ratio(a, b, n, 1), share;
    int degree = 1;
    /* Cells of a larger mean are without the tangent there; for the others f(0) = f(1) = 0. */
    *mean = cell.excess;
    if (cell.mean > 1.0) {
        *mean = convex_gain(&cell);
        slope += entropy_excess(low + 1.0, cell.rest, cell.mean);
        slope -= entropy_excess(low, -cell.part, cell.mean);
    }
    else if (cell.whole == 1)
        slope += SECOND_DIFFERENCES[1];
    coefficients[1] = sqrt(norm) * slope;
    while (degree < n_degrees) {
        share = left / reference;
        if ((PARSEVAL_PRECISION > share ? PARSEVAL_PRECISION : share) <= shares[degree - 1]) {
            *remainder = left < 0.0 ? 0.0 : left;
            return degree;
        }
        if (degree == n_shares)
            return 0;
        degree++;
        norm *= norm_ratio(a, b, n, degree);
        coefficients[degree] = sqrt(norm) * mean_at_nodes(a - degree, b - degree, n - 2 * degree,
                                                          differences + degree * N_DIFFERENCES);
        left -= coefficients[degree] * coefficients[degree];
        if (degree & 1)
            coefficients[degree] = -coefficients[degree];
    }
    *remainder = 0.0;
    return degree;
}

/* E D^k f(y), for k = 1 less 1 + ln(z), where z = E y + k / 2.

   D^k is the derivative of that order, averaged over the sum of k uniform variables. */
static double difference_by_moments(int64_t a, int64_t b, int64_t n, int degree)
{
    double moments[N_MOMENTS + 1], combined[N_MOMENTS];
    double mean = (double)a * (double)b / n, centre = mean + degree / 2.0;
    double result = degree == 1 ? 0.0 : 1.0, power = 1.0, term, last = 1.0, moment;
    Moments known = first_moments(a, b, n, mean, moments);
    int j, i;
    for (j = 1; j <= N_MOMENTS; j++) {
        power *= centre;
        moment = 0.0;
        for (i = 0; i <= j; i += 2)
            moment += BINOMIALS[j][i] * UNIFORM_MOMENTS[degree][i] * moments[j - i];
        /* The derivatives of ln z are (-1)^(j-1) (j - 1)! / z^j. */
        term = moment / power * (degree == 1 ? -1.0 / j : BINOMIALS[degree + j - 2][j]);
        result += j & 1 ? -term : term;
        if (fabs(term) + last <= NEGLIGIBLE * fabs(result))
            break;
        last = fabs(term);
        if (2 <= j && j < N_MOMENTS)
            add_moment(&known, j, moments, combined);
    }
    for (j = 1; j < degree - 1; j++)
        result *= j / centre;
    if (degree > 1)
        result /= centre;
    return degree > 1 && degree & 1 ? -result : result;
}

/* The same as expand_by_nodes, for cells of a large mean. */
static int expand_by_moments(
    int64_t a,
    int64_t b,
    int64_t n,
    const double *shares,
    int n_shares,
    double *coefficients,
    double *mean,
    double *remainder)
{
    double expected = (double)a * (double)b / n;
    double norm = norm_ratio(a, b, n, 1), total = 0.0, square;
    double tilt = (n - 2.0 * a) / n * ((n - 2.0 * b) / (n - 2.0)) / 2.0;
    int64_t n_degrees = smaller(smaller(a, b), smaller(n - a, n - b));
    int degree, kept = 1, is_coupled = 1;
    *mean = excess_by_moments(a, b, n, expected);
    *remainder = 0.0;
    /* E ln(y + 1/2) - ln mu: the exact difference of y + 1/2 and mu is the tilt. */
    coefficients[1] = sqrt(norm) * (log1p(tilt / expected) +
                                    difference_by_moments(a - 1, b - 1, n - 2, 1));
    for (degree = 2; degree <= LARGEST_DEGREE; degree++) {
        if (degree > n_degrees)
            return kept;
        norm *= norm_ratio(a, b, n, degree);
        coefficients[degree] =
            sqrt(norm) * difference_by_moments(a - degree, b - degree, n - 2 * degree, degree);
        square = coefficients[degree] * coefficients[degree];
        total += square;
        /* The degrees after this one have less than it. */
        is_coupled =
            is_coupled && 2.0 * square > total * shares[smaller(degree - 1, n_shares) - 1];
        if (!is_coupled) {
            *remainder += square;
            if (square <= NEGLIGIBLE * total)
                return kept;
        }
        else if (degree > n_shares)
            return 0;
        else
            kept = degree;
    }
    return 0;
}

/* Expand f in each of the laws of pairs of sizes, in a column of the coefficients. */
static void expand_cells(
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
    int32_t *degrees)
{
    double found[LARGEST_DEGREE + 1];
    int64_t pair;
    int k;
    for (pair = 0; pair < n_pairs; pair++) {
        int64_t a = (int64_t)rows[pair], b = (int64_t)cols[pair];
        double *mean = means + pair, *remainder = remainders + pair;
        degrees[pair] =
            rows[pair] * cols[pair] / n < LARGE_MEAN
                ? expand_by_nodes(a, b, n, shares, n_shares, differences, found, mean, remainder)
                : expand_by_moments(a, b, n, shares, n_shares, found, mean, remainder);
        for (k = 0; k < degrees[pair]; k++)
            coefficients[k * n_pairs + pair] = found[k + 1];
    }
}
