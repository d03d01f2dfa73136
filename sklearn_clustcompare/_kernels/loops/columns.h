/* Ways to fill columns of a table: see column_fillings and tails_of_ways of _columns.py. */

enum { MOST_ROWS = 16 };

typedef struct {
    const int64_t *states;
    const int64_t *groups;
    const int64_t *bases;
    const double *logarithms;
    const int64_t *values;
    int64_t n_states;
    int64_t n_rows;
    int64_t size;
} Column;

typedef struct {
    int64_t *first;
    int64_t *remainders;
    double *weights;
    int64_t *sums;
} Ways;

/* What has been taken from a row, and what the rows up to it have added up to. */
typedef struct {
    int64_t taken;
    int64_t highest;
    int64_t left;
    int64_t sum;
    double logarithm;
    double orders;
    double run;
    double repeats;
    int64_t n_alike;
    int64_t behind;
    int is_alike;
} Row;

static void find_alike(const Column *column, const int64_t *state, Row *rows)
{
    int64_t k, behind = 0, of_run = 0;
    for (k = column->n_rows - 1; k >= 0; k--) {
        int is_last = k == column->n_rows - 1 || !rows[k + 1].is_alike;
        if (is_last)
            behind += of_run;
        of_run = is_last ? state[k] : of_run + state[k];
        rows[k].n_alike = is_last ? 1 : rows[k + 1].n_alike + 1;
        rows[k].behind = behind;
        rows[k].is_alike =
            k > 0 && state[k] == state[k - 1] && column->groups[k] == column->groups[k - 1];
    }
    for (k = 0; k < column->n_rows; k++)
        rows[k].run = rows[k].is_alike ? rows[k - 1].run + 1.0 : 1.0;
}

/* Take the fewest objects from a row, when others have been taken from those before. */
static inline void enter_row(Row *row, int64_t available, int64_t left)
{
    int64_t missing = left - row->behind;
    row->left = left;
    row->taken = missing <= 0 ? 0
        : row->n_alike == 1   ? missing
                              : (missing + row->n_alike - 1) / row->n_alike;
    row->highest = smaller(available, left);
    if (row->is_alike)
        row->highest = smaller(row->highest, row[-1].taken);
}

/* Add up the rows to this one. */
static inline void add_row(const Column *column, Row *row, int64_t base)
{
    row->sum = row[-1].sum + column->values[base + row->taken];
    row->logarithm = row[-1].logarithm + column->logarithms[base + row->taken];
    row->repeats = row->is_alike && row[-1].taken == row->taken ? row[-1].repeats + 1.0 : 1.0;
    row->orders = row->run == row->repeats ? row[-1].orders
                                           : row[-1].orders * (row->run / row->repeats);
}

/* Return the number of ways to fill a column, or some number above the limit. */
static int64_t count_ways(const Column *column, int64_t limit)
{
    Row all[MOST_ROWS + 1], *rows = all + 1;
    int64_t n_ways = 0, state;
    int last = (int)column->n_rows - 2, k;
    for (state = 0; state < column->n_states && n_ways <= limit; state++) {
        const int64_t *available = column->states + state * column->n_rows;
        find_alike(column, available, rows);
        enter_row(&rows[0], available[0], column->size);
        for (k = 0; k >= 0 && n_ways <= limit;) {
            if (k < last) {
                enter_row(&rows[k + 1], available[k + 1], rows[k].left - rows[k].taken);
                k++;
                continue;
            }
            /* The last row takes what is left. */
            n_ways += rows[k].highest - rows[k].taken + 1;
            for (k--; k >= 0 && rows[k].taken == rows[k].highest; k--)
                ;
            if (k >= 0)
                rows[k].taken++;
        }
    }
    return n_ways;
}

static void fill_ways(const Column *column, Ways ways)
{
    Row all[MOST_ROWS + 1], *rows = all + 1;
    int64_t n_ways = 0, n_rows = column->n_rows, state;
    int last = (int)n_rows - 1, k, row;
    all[0].sum = 0;
    all[0].logarithm = 0.0;
    all[0].orders = 1.0;
    for (state = 0; state < column->n_states; state++) {
        const int64_t *available = column->states + state * n_rows;
        const int64_t *bases = column->bases + state * n_rows;
        find_alike(column, available, rows);
        enter_row(&rows[0], available[0], column->size);
        ways.first[state] = n_ways;
        for (k = 0; k >= 0;) {
            add_row(column, &rows[k], bases[k]);
            if (k < last) {
                enter_row(&rows[k + 1], available[k + 1], rows[k].left - rows[k].taken);
                k++;
                continue;
            }
            for (row = 0; row < n_rows; row++)
                ways.remainders[n_ways * n_rows + row] = available[row] - rows[row].taken;
            ways.weights[n_ways] = rows[k].orders * exp(rows[k].logarithm);
            ways.sums[n_ways] = rows[k].sum;
            n_ways++;
            for (; k >= 0 && rows[k].taken == rows[k].highest; k--)
                ;
            if (k >= 0)
                rows[k].taken++;
        }
    }
    ways.first[state] = n_ways;
}

/* Add up the ways of each state that add what is missing; totals of branches are left in above. */
static void add_tails(
    const int64_t *first,
    const int64_t *values,
    const double *weights,
    int64_t n_states,
    const int64_t *states,
    const int64_t *missing,
    int64_t n_branches,
    double *above,
    double *tails)
{
    int64_t state, start, end = 0, k;
    for (k = n_branches - 2; k >= 0; k--)
        if (states[k] == states[k + 1])
            above[k] += above[k + 1];
    for (state = 0; state < n_states; state++) {
        double sum = 0.0;
        for (start = end; end < n_branches && states[end] == state; end++)
            ;
        if (start < end)
            for (k = first[state]; k < first[state + 1]; k++) {
                int64_t low = start, high = end;
                while (low < high) {
                    int64_t middle = low + (high - low) / 2;
                    if (missing[middle] > values[k])
                        low = middle + 1;
                    else
                        high = middle;
                }
                if (low < end)
                    sum += weights[k] * above[low];
            }
        tails[state] = sum;
    }
}

/* Ways to fill the last two columns of three rows: see tails_of_runs of _columns.py. */
typedef struct {
    const int64_t *states;
    const int64_t *bases;
    const double *logarithms;
    const double *wholes;
    const int64_t *values;
    int64_t size;
    int is_upper;
    /* Terms of less than this share of the tail so far do not count. */
    double share;
    double tail;
    /* What the tail has lost by rounding. */
    double lost;
    double least;
    double log_least;
} Runs;

/* Rows of a state, the second and third of which share ``left`` objects of the column. */
typedef struct {
    int64_t second;
    int64_t third;
    int64_t left;
    const int64_t *of_second;
    const int64_t *of_third;
    const double *log_second;
    const double *log_third;
} Pair;

/* Let no search begin with all branches of one kind. */
enum { BRANCH_STRIDE = 17 };

static inline int64_t pair_value(const Pair *pair, int64_t v)
{
    return pair->of_second[v] + pair->of_third[pair->left - v];
}

static inline int64_t larger(int64_t first, int64_t second)
{
    return first > second ? first : second;
}

static inline int64_t clipped(int64_t value, int64_t low, int64_t high)
{
    return smaller(larger(value, low), high);
}

static void add_to_tail(Runs *runs, double part)
{
    double added = part - runs->lost, tail = runs->tail + added;
    runs->lost = (tail - runs->tail) - added;
    runs->tail = tail;
    if (tail * runs->share > 2.0 * runs->least) {
        runs->least = tail * runs->share;
        runs->log_least = log(runs->least);
    }
}

/* Add the counts of the second row in a range, from the most likely one on in both directions. */
static void add_run(Runs *runs, const Pair *pair, double log_weight, int64_t low, int64_t high)
{
    int64_t peak, v;
    double a = (double)pair->second, m = (double)pair->left, d = (double)(pair->third - pair->left);
    double sum, term, top;
    if (low > high)
        return;
    peak = (pair->second + 1) * (pair->left + 1) / (pair->second + pair->third + 2);
    peak = clipped(peak, low, high);
    log_weight += pair->log_second[peak] + pair->log_third[pair->left - peak];
    if (log_weight + log((double)(high - low + 1)) < runs->log_least)
        return;
    sum = term = top = exp(log_weight);
    for (v = peak; v < high && term > runs->least; v++) {
        double n = (double)v;
        term *= (a - n) * (m - n) / ((n + 1.0) * (d + n + 1.0));
        sum += term;
    }
    term = top;
    for (v = peak; v > low && term > runs->least; v--) {
        double n = (double)v;
        term *= n * (d + n) / ((a - n + 1.0) * (m - n + 1.0));
        sum += term;
    }
    add_to_tail(runs, sum);
}

static void add_branch(Runs *runs, int64_t state, int64_t missing, double log_weight)
{
    const int64_t *rows = runs->states + 3 * state, *bases = runs->bases + 3 * state;
    const int64_t *of_first = runs->values + bases[0];
    int64_t first, middle = 0, start = 0, stop = 0;
    Pair pair;
    pair.second = rows[1];
    pair.third = rows[2];
    pair.of_second = runs->values + bases[1];
    pair.of_third = runs->values + bases[2];
    pair.log_second = runs->logarithms + bases[1];
    pair.log_third = runs->logarithms + bases[2];
    first = larger(runs->size - rows[1] - rows[2], 0);
    for (; first <= smaller(rows[0], runs->size); first++) {
        int64_t low, high, most, need = missing - of_first[first];
        double log_whole = log_weight + runs->wholes[bases[0] + first], log_first;
        pair.left = runs->size - first;
        low = larger(pair.left - rows[2], 0);
        high = smaller(rows[1], pair.left);
        /* Values are convex: those of at most ``most`` are from start to stop. */
        most = runs->is_upper ? need - 1 : need;
        if (log_whole < runs->log_least)
            continue;
        if (pair_value(&pair, low) <= most && pair_value(&pair, high) <= most) {
            if (!runs->is_upper)
                add_to_tail(runs, exp(log_whole));
            continue;
        }
        middle = clipped(middle, low, high);
        while (middle < high && pair_value(&pair, middle + 1) < pair_value(&pair, middle))
            middle++;
        while (middle > low && pair_value(&pair, middle - 1) < pair_value(&pair, middle))
            middle--;
        if (pair_value(&pair, middle) > most) {
            if (runs->is_upper)
                add_to_tail(runs, exp(log_whole));
            continue;
        }
        start = clipped(start, low, middle);
        while (pair_value(&pair, start) > most)
            start++;
        while (start > low && pair_value(&pair, start - 1) <= most)
            start--;
        stop = clipped(stop, middle, high);
        while (pair_value(&pair, stop) > most)
            stop--;
        while (stop < high && pair_value(&pair, stop + 1) <= most)
            stop++;
        log_first = log_weight + runs->logarithms[bases[0] + first];
        if (runs->is_upper) {
            add_run(runs, &pair, log_first, low, start - 1);
            add_run(runs, &pair, log_first, stop + 1, high);
        } else
            add_run(runs, &pair, log_first, start, stop);
    }
}

static void add_branches(
    Runs *runs,
    const int64_t *states,
    const int64_t *missing,
    const double *log_weights,
    int64_t n_branches)
{
    int64_t offset, k;
    for (offset = 0; offset < BRANCH_STRIDE; offset++)
        for (k = offset; k < n_branches; k += BRANCH_STRIDE)
            add_branch(runs, states[k], missing[k], log_weights[k]);
}
