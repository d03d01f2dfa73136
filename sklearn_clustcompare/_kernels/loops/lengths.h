/* Lengths of codes. The letters are those of reduced_mutual_info_score. */

/* From here on three terms of Stirling's series are exact to double precision. */
#define LARGE_START 100.0

/* From here on the part of the length that is the same for all alphas is split off. */
#define MANY_OBJECTS 1048576.0

/* log(2 pi) / 2 */
#define HALF_LOG_2_PI 0.91893853320467274178

static inline double stirling_rest(double value)
{
    double square = value * value;
    return (1.0 / 12.0 - (1.0 / 360.0 - 1.0 / (1260.0 * square)) / square) / value;
}

/* Add up log(m (m + 1) ... (m + n - 1) / m^n); of large n, for m of at least the largest. */
static double log_rises(Sizes counts, double start)
{
    int is_large = start >= LARGE_START;
    double of_start = is_large ? stirling_rest(start) : lgamma(start), log_start = log(start);
    double sum = 0.0;
    int64_t k;
    for (k = 0; k < counts.length; k++) {
        double n = counts.sizes[k], end = start + n, rise;
        if (n == 1.0)
            continue;
        if (is_large)
            rise = (end - 0.5) * log1p(n / start) - n + (stirling_rest(end) - of_start);
        else
            rise = lgamma(end) - of_start - n * log_start;
        sum += counts.counts[k] * rise;
    }
    return sum;
}

/* Add up the same logarithms less n log(n / m) - n, which grow with the logarithm of n only. */
static double log_rise_rests(Sizes counts, double start)
{
    int is_large = start >= LARGE_START;
    double of_start = is_large ? stirling_rest(start) : lgamma(start) - HALF_LOG_2_PI;
    double sum = 0.0;
    int64_t k;
    for (k = 0; k < counts.length; k++) {
        double n = counts.sizes[k], end = start + n, rest;
        if (is_large)
            rest = (start - 0.5) * log1p(n / start) + stirling_rest(end);
        else if (end >= LARGE_START)
            rest = (start - 0.5) * log(end) - start + stirling_rest(end);
        else
            rest = lgamma(end) - HALF_LOG_2_PI - n * log(n) + n - n * log1p(start / n);
        sum += counts.counts[k] * (n * log1p(start / n) + rest - of_start);
    }
    return sum;
}

/* n log(n / n_all) for all counts. */
static double log_shares(Sizes counts, double n_all)
{
    double sum = 0.0;
    int64_t k;
    for (k = 0; k < counts.length; k++)
        sum += counts.counts[k] * (double)counts.sizes[k] * log(counts.sizes[k] / n_all);
    return sum;
}

typedef struct {
    Sizes totals, parts;
    double n_labels, largest, of_shares;
    int is_split;
} Code;

static Code new_code(Sizes totals, Sizes parts, double n_labels)
{
    Code code = {totals, parts, n_labels, 0.0, 0.0, 0};
    double n_all = 0.0;
    int64_t k;
    for (k = 0; k < totals.length; k++) {
        n_all += totals.counts[k] * (double)totals.sizes[k];
        code.largest = fmax(code.largest, totals.sizes[k]);
    }
    code.is_split = n_all >= MANY_OBJECTS;
    code.of_shares = log_shares(totals, n_all) - log_shares(parts, n_all) - n_all * log(n_labels);
    return code;
}

/* Where alpha is less than the counts, most of the length is the same for all alphas: of many objects
   so much that the rest would be rounding errors. Of few the whole is more accurate near 0. */
static double code_length(const Code *code, double log_alpha)
{
    double alpha = exp(log_alpha), start = code->n_labels * alpha;
    if (!code->is_split || start >= code->largest)
        return log_rises(code->totals, start) - log_rises(code->parts, alpha);
    return code->of_shares + (log_rise_rests(code->totals, start) - log_rise_rests(code->parts, alpha));
}

/* The least code length between two points, by parabolas and golden sections (Brent, 1973). */
static double least_between(const Code *code, double low, double high)
{
    const double golden = 0.3819660112501051;
    double x = low + golden * (high - low), second = x, third = x, step = 0.0, before = 0.0;
    double at_x = code_length(code, x), at_second = at_x, at_third = at_x;
    int number;
    for (number = 0; number < 100; number++) {
        double middle = 0.5 * (low + high), precision = 1.5e-8 * fabs(x) + 3.3e-8;
        double point, at_point;
        int is_parabola = 0;
        if (fabs(x - middle) <= 2.0 * precision - 0.5 * (high - low))
            break;
        if (fabs(before) > precision) {
            double r = (x - second) * (at_x - at_third), q = (x - third) * (at_x - at_second);
            double p = (x - third) * q - (x - second) * r, last = before;
            q = 2.0 * (q - r);
            if (q > 0.0)
                p = -p;
            q = fabs(q);
            before = step;
            if (fabs(p) < fabs(0.5 * q * last) && p > q * (low - x) && p < q * (high - x)) {
                is_parabola = 1;
                step = p / q;
                if (x + step - low < 2.0 * precision || high - x - step < 2.0 * precision)
                    step = x < middle ? precision : -precision;
            }
        }
        if (!is_parabola) {
            before = x < middle ? high - x : low - x;
            step = golden * before;
        }
        point = x + step;
        if (fabs(step) < precision)
            point = x + (step > 0.0 ? precision : -precision);
        at_point = code_length(code, point);
        if (at_point <= at_x) {
            if (point < x)
                high = x;
            else
                low = x;
            third = second;
            at_third = at_second;
            second = x;
            at_second = at_x;
            x = point;
            at_x = at_point;
            continue;
        }
        if (point < x)
            low = point;
        else
            high = point;
        if (at_point <= at_second || second == x) {
            third = second;
            at_third = at_second;
            second = point;
            at_second = at_point;
        }
        else if (at_point <= at_third || third == x || third == second) {
            third = point;
            at_third = at_point;
        }
    }
    return at_x;
}

/* The least code length for logarithms of alpha up to some distance from zero.

   It is 0, as for infinite alpha, if that is within the rounding errors. */
static double shortest_length(
    Sizes totals, Sizes parts, double n_labels, double reach, double rounding)
{
    Code code = new_code(totals, parts, n_labels);
    double least = INFINITY, nearest = -reach, log_alpha, length;
    for (log_alpha = -reach; log_alpha <= reach; log_alpha += 1.0) {
        length = code_length(&code, log_alpha);
        if (length < least) {
            least = length;
            nearest = log_alpha;
        }
    }
    if (nearest == -reach || nearest == reach || least >= -rounding)
        return 0.0;
    length = least_between(&code, nearest - 1.0, nearest + 1.0);
    return length < 0.0 ? length : 0.0;
}
