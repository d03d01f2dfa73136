/* Ways to fill one column of a table: see column_fillings and tails_of_ways of _numpy.py. */

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
