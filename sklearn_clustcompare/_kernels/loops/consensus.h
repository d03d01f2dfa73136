/* The partition with the least average loss to many, by moves of cells and unions of clusters.

   Each draw d (a partition) has the sums u = sum f(class sizes), t = sum f(cells of its table with
   the consensus), v = sum f(cluster sizes) and F = f(objects), where f(x) is x ln x or x(x - 1)/2.
   A loss is a function of these. Each cell (objects that no draw separates) has a row in each
   *slot*: its class in each draw, then the rows of which the cluster sizes are the table, one for
   all draws or one a draw. The row ``n_rows`` stands for a draw that does not know the cell.

   A linear loss of pairs needs no tables: there is a number for each pair of cells that is
   together, and the sum of these for each cell and each cluster that it may join. */

enum { PART_LINEAR, PART_RAND, PART_ENTROPY, PART_JOINT, PART_LARGER, PART_MEAN, PART_UNION,
       PART_SUM, PART_PRODUCT };
enum { DRAWS_AT_ONCE = 64, COLUMNS_AT_ONCE = 8 };
/* Of annealing and of dissolving clusters. */
enum { SWEEPS_AT_FIRST = 6, MOST_RETURNS = 2, FEW_FAILED = 6, MOST_FAILED = 40 };
/* The temperature at the start of rounds, by turns, in units of the limit of low margins. */
static const double HEAT[] = {1, 0.25};

typedef struct {
    int64_t n_cells, n_draws, n_slots, n_rows, n_objects;
    /* Numbers of clusters allowed, and columns that there are. */
    int64_t low, high, width;
    /* How many of the best clusters are tried exactly where they do not seem to be better. */
    int64_t n_exact;
    int64_t max_rounds;
    int64_t most_united; /* among more columns no unions are tried */
    /* Numbers that may be added up, about, while the search goes on from an optimum. */
    double most_added;
    int kind, is_micro;
    double cost;
    uint64_t random;
    const int32_t *rows;  /* n_cells x n_slots */
    const int32_t *slots; /* of each row */
    const int32_t *sizes; /* of each cell */
    const double *f;      /* of 0, ..., 2 n_objects + 1 */
    const double *weights, *own, *most; /* of each draw: weight, u, F */
    /* What each two cells together add to the loss, or NULL, and what it is if all are apart. */
    const double *pairs;
    double apart;
    int32_t *labels; /* in and out; -1 for a cell that is to be placed first */
    double *history; /* out, max_rounds + 1: the loss at the start and after each round */
    /* Out. */
    int64_t n_rounds;
    int is_optimum, is_full;
} Climb;

typedef struct {
    Climb *climb;
    float *gains;    /* (n_rows + 1) x width: f(count + 1) - f(count) */
    int32_t *counts; /* (n_rows + 1) x width */
    double *joined;  /* n_cells x width: what each cell has with the others of each cluster */
    float *steps;    /* f(x) - f(x - 1) */
    float *slopes;   /* of the loss, of each slot */
    double *sums, *trial; /* of each slot: t of the draws, then v */
    double *sums_kept; /* of the labels that were kept */
    double *found;   /* what each cluster would add to the loss */
    double *unions;  /* what each union of two clusters would */
    int32_t *occupied; /* clusters that a row has */
    double *margins, *ordered; /* of each cell: how much worse its best other cluster is */
    int64_t *n_inside; /* cells of each cluster */
    int64_t *order;
    uint8_t *moved;
    uint8_t *changed; /* clusters whose cells are not those of the last full sweep or trial */
    int32_t *kept; /* labels to return to */
    int64_t n_clusters, n_used;
    double loss;
    double n_added; /* numbers added up since the first optimum */
    double limit; /* margins up to this are low, from the last full sweep */
} Search;

typedef struct {
    /* The loss is top / bottom; their derivatives by t and v. */
    double top, bottom, top_t, top_v, bottom_t, bottom_v;
} Ratio;

static inline uint64_t next_random(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

static void shuffle_cells(int64_t *order, int64_t n, uint64_t *state)
{
    int64_t k, other, kept;
    for (k = n - 1; k > 0; k--) {
        other = (int64_t)(next_random(state) % (uint64_t)(k + 1));
        kept = order[k];
        order[k] = order[other];
        order[other] = kept;
    }
}

static Ratio ratio_of(int kind, double cost, double t, double u, double v, double F)
{
    Ratio ratio = {u + v - 2 * t, 1, -2, 1, 0, 0};
    switch (kind) {
    case PART_LINEAR:
        ratio.top = cost * v + (2 - cost) * u - 2 * t;
        ratio.top_v = cost;
        break;
    case PART_RAND:
        ratio.top /= 2, ratio.top_t = -1, ratio.top_v = 0.5;
        ratio.bottom = (u + v) / 2 - u / F * v;
        ratio.bottom_v = 0.5 - u / F;
        break;
    case PART_ENTROPY:
    case PART_LARGER:
        ratio.top = (u > v ? u : v) - t;
        ratio.top_t = -1, ratio.top_v = v > u;
        if (kind == PART_LARGER) {
            ratio.bottom = F - (u < v ? u : v);
            ratio.bottom_v = -(double)(v < u);
        }
        break;
    case PART_JOINT:
        ratio.bottom = F - t, ratio.bottom_t = -1;
        break;
    case PART_MEAN:
        ratio.bottom = 2 * F - u - v, ratio.bottom_v = -1;
        break;
    case PART_UNION:
        ratio.bottom = u + v - t, ratio.bottom_t = -1, ratio.bottom_v = 1;
        break;
    case PART_SUM:
        ratio.bottom = u + v, ratio.bottom_v = 1;
        break;
    case PART_PRODUCT:
        ratio.bottom = sqrt(u * v);
        ratio.top = ratio.bottom - t, ratio.top_t = -1;
        ratio.top_v = ratio.bottom_v = v > 0 ? ratio.bottom / (2 * v) : 0;
        break;
    }
    if (!(ratio.bottom > 1e-9 * F)) {
        /* 0/0, which may be NaN: equal partitions, or a product of which one factor is 0. */
        ratio.top = fabs(u - v) > 1e-9 * F;
        ratio.bottom = 1;
        ratio.top_t = ratio.top_v = ratio.bottom_t = ratio.bottom_v = 0;
    }
    return ratio;
}

static Ratio ratio_of_draw(const Climb *climb, const double *sums, int64_t d)
{
    int64_t slot = climb->n_draws + (climb->n_slots - climb->n_draws == 1 ? 0 : d);
    return ratio_of(
        climb->kind, climb->cost, sums[d], climb->own[d], sums[slot], climb->most[d]);
}

/* Return the loss for some sums; fill the slopes unless they are NULL. */
static double loss_of(const Climb *climb, const double *sums, float *slopes)
{
    double top = 0, bottom = 0, quotient, scale;
    int64_t d, first = climb->n_draws, n_sizes = climb->n_slots - first;
    Ratio ratio;
    for (d = 0; d < climb->n_draws; d++) {
        ratio = ratio_of_draw(climb, sums, d);
        if (climb->is_micro) {
            top += climb->weights[d] * ratio.top;
            bottom += climb->weights[d] * ratio.bottom;
        } else {
            top += climb->weights[d] * (ratio.top / ratio.bottom);
        }
    }
    if (climb->is_micro)
        top = bottom > 0 ? top / bottom : 0;
    if (slopes != NULL) {
        double of_all = 0, of_sizes;
        for (d = 0; d < climb->n_draws; d++) {
            ratio = ratio_of_draw(climb, sums, d);
            quotient = climb->is_micro ? top : ratio.top / ratio.bottom;
            scale = climb->weights[d] / (climb->is_micro ? (bottom > 0 ? bottom : 1) : ratio.bottom);
            slopes[d] = (float)(scale * (ratio.top_t - quotient * ratio.bottom_t));
            of_sizes = scale * (ratio.top_v - quotient * ratio.bottom_v);
            of_all += of_sizes;
            if (n_sizes > 1)
                slopes[first + d] = (float)of_sizes;
        }
        if (n_sizes == 1)
            slopes[first] = (float)of_all;
    }
    return top;
}

/* Find the loss and its slopes; of pairs it is counted with the cells. */
static void find_loss(Search *search)
{
    if (!search->climb->pairs)
        search->loss = loss_of(search->climb, search->sums, search->slopes);
}

/* Place a cell in a cluster, or take it out with a sign of -1. */
static void count_cell(Search *search, int64_t cell, int64_t cluster, int32_t sign)
{
    const Climb *climb = search->climb;
    const int32_t *rows = climb->rows + cell * climb->n_slots;
    int32_t size = sign * climb->sizes[cell];
    int64_t j, place;
    search->changed[cluster] = 1;
    search->n_added += (double)(climb->pairs ? climb->n_cells : climb->n_slots * COLUMNS_AT_ONCE);
    if (climb->pairs) {
        const double *pairs = climb->pairs + cell * climb->n_cells;
        search->loss += sign * search->joined[cell * climb->width + cluster];
        for (j = 0; j < climb->n_cells; j++)
            search->joined[j * climb->width + cluster] += sign * pairs[j];
    }
    for (j = 0; !climb->pairs && j < climb->n_slots; j++) {
        if (rows[j] == climb->n_rows)
            continue;
        place = rows[j] * climb->width + cluster;
        search->sums[j] -= climb->f[search->counts[place]];
        search->counts[place] += size;
        search->sums[j] += climb->f[search->counts[place]];
        search->gains[place] = search->steps[search->counts[place] + 1];
    }
    if (sign > 0) {
        search->n_clusters += search->n_inside[cluster]++ == 0;
        climb->labels[cell] = (int32_t)cluster;
    } else {
        search->n_clusters -= --search->n_inside[cluster] == 0;
    }
}

/* Twice as wide vectors where the machine has them; without FMA, which would round otherwise. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__GLIBC__)
#define WITH_WIDE_VECTORS __attribute__((target_clones("avx2", "default")))
#else
#define WITH_WIDE_VECTORS
#endif

/* Find what joining each cluster would add to the loss; return what the cell adds to its own. */
WITH_WIDE_VECTORS static double find_changes(Search *search, int64_t cell, int64_t own)
{
    const Climb *climb = search->climb;
    const int32_t *rows = climb->rows + cell * climb->n_slots, *counts;
    const float *slopes = search->slopes, *gains;
    const double *f = climb->f;
    int64_t width = climb->width, n_used = search->n_used, n_slots = climb->n_slots;
    int64_t size = climb->sizes[cell], start, stop, j, k, q;
    double stay = 0;
    if (climb->pairs) {
        search->n_added += (double)(2 * COLUMNS_AT_ONCE * n_used);
        memcpy(search->found, search->joined + cell * width, n_used * sizeof(double));
        return own >= 0 ? search->found[own] : 0;
    }
    search->n_added += (double)n_slots * (double)n_used;
    memset(search->found, 0, n_used * sizeof(double));
    if (size > 1) {
        for (j = 0; j < n_slots; j++) {
            if (rows[j] == climb->n_rows)
                continue;
            counts = search->counts + rows[j] * width;
            for (k = 0; k < n_used; k++)
                search->found[k] += slopes[j] * (f[counts[k] + size] - f[counts[k]]);
            if (own >= 0)
                stay += slopes[j] * (f[counts[own]] - f[counts[own] - size]);
        }
        return stay;
    }
    for (start = 0; start < n_slots; start += DRAWS_AT_ONCE) {
        float left = 0;
        stop = smaller(start + DRAWS_AT_ONCE, n_slots);
        for (k = 0; k < n_used; k += COLUMNS_AT_ONCE) {
            float sums[COLUMNS_AT_ONCE] = {0};
            for (j = start; j < stop; j++) {
                gains = search->gains + rows[j] * width + k;
#pragma GCC unroll 1 /* or GCC unrolls it before it could make it one vector */
                for (q = 0; q < COLUMNS_AT_ONCE; q++)
                    sums[q] += slopes[j] * gains[q];
            }
            for (q = 0; q < COLUMNS_AT_ONCE; q++)
                search->found[k + q] += sums[q];
        }
        if (own >= 0) {
            for (j = start; j < stop; j++)
                left += slopes[j] * search->steps[search->counts[rows[j] * width + own]];
            stay += left;
        }
    }
    return stay;
}

/* Return the first cluster without cells, or -1 if there must not be more clusters. */
static int64_t find_empty(Search *search)
{
    const Climb *climb = search->climb;
    int64_t k;
    if (search->n_clusters >= climb->high)
        return -1;
    for (k = 0; k < climb->width; k++)
        if (search->n_inside[k] == 0) {
            if (k >= search->n_used)
                search->n_used += COLUMNS_AT_ONCE;
            return k;
        }
    search->climb->is_full = 1;
    return -1;
}

/* Return the cluster that adds least, of those with cells and one without; -1 for none. */
static int64_t find_least(const Search *search, int64_t own, int64_t empty)
{
    int64_t k, best = -1;
    for (k = 0; k < search->n_used; k++)
        if (k != own && (search->n_inside[k] > 0 || k == empty) && search->found[k] < INFINITY
            && (best < 0 || search->found[k] < search->found[best]))
            best = k;
    return best;
}

/* Place the first cells of the order, one by one, where they add least by the slopes. */
static void place_cells(Search *search, int64_t n_left)
{
    Climb *climb = search->climb;
    int64_t k, empty, best;
    shuffle_cells(search->order, n_left, &climb->random);
    for (k = 0; k < n_left; k++) {
        empty = find_empty(search);
        best = empty;
        if (n_left - k > climb->low - search->n_clusters || empty < 0) {
            find_changes(search, search->order[k], -1);
            best = find_least(search, -1, empty);
        }
        count_cell(search, search->order[k], best, 1);
    }
}

static inline int is_less(double loss, double other)
{
    return loss < other - 1e-12 * (1 + fabs(other));
}

static double loss_after_move(Search *search, int64_t cell, int64_t own, int64_t to)
{
    const Climb *climb = search->climb;
    const int32_t *rows = climb->rows + cell * climb->n_slots, *counts;
    const double *f = climb->f;
    int32_t size = climb->sizes[cell];
    int64_t j;
    if (climb->pairs) {
        const double *joined = search->joined + cell * climb->width;
        return search->loss + joined[to] - joined[own];
    }
    memcpy(search->trial, search->sums, climb->n_slots * sizeof(double));
    for (j = 0; j < climb->n_slots; j++) {
        if (rows[j] == climb->n_rows)
            continue;
        counts = search->counts + rows[j] * climb->width;
        search->trial[j] += f[counts[to] + size] - f[counts[to]];
        search->trial[j] += f[counts[own] - size] - f[counts[own]];
    }
    return loss_of(climb, search->trial, NULL);
}

/* Move a cell to a better cluster, if there is one. */
static int visit_cell(Search *search, int64_t cell)
{
    Climb *climb = search->climb;
    int64_t own = climb->labels[cell], is_alone = search->n_inside[own] == 1, empty = -1, best, n;
    double stay, loss;
    search->margins[cell] = INFINITY;
    if (is_alone && search->n_clusters <= climb->low)
        return 0;
    if (!is_alone)
        empty = find_empty(search);
    stay = find_changes(search, cell, own);
    for (n = 0; n < climb->n_exact; n++) {
        best = find_least(search, own, empty);
        if (best < 0)
            return 0;
        if (n == 0)
            search->margins[cell] = search->found[best] - stay;
        if (climb->n_exact <= 2 && search->found[best] - stay > 1e-5 * fabs(stay))
            return 0;
        loss = loss_after_move(search, cell, own, best);
        if (is_less(loss, search->loss)) {
            count_cell(search, cell, own, -1);
            count_cell(search, cell, best, 1);
            find_loss(search);
            return 1;
        }
        search->found[best] = INFINITY;
    }
    return 0;
}

static int compare_doubles(const void *first, const void *second)
{
    double a = *(const double *)first, b = *(const double *)second;
    return (a > b) - (a < b);
}

/* Visit cells until none moves: those that moved or nearly did, and all where the search is whole.
   Return whether any moved. */
static int settle(Search *search, int is_whole)
{
    const Climb *climb = search->climb;
    int64_t k, cell, n_listed, n_cells = climb->n_cells, n_moved = 0;
    int is_full = is_whole, any = 0;
    if (n_cells < 1)
        return 0;
    for (;;) {
        n_listed = 0;
        for (cell = 0; cell < n_cells; cell++)
            if (is_full || search->moved[cell]
                || (search->changed[climb->labels[cell]] && search->margins[cell] <= search->limit))
                search->order[n_listed++] = cell;
        if (is_full)
            memset(search->changed, 0, (size_t)climb->width);
        shuffle_cells(search->order, n_listed, &search->climb->random);
        memset(search->moved, 0, (size_t)n_cells);
        n_moved = 0;
        for (k = 0; k < n_listed; k++)
            if (visit_cell(search, search->order[k])) {
                search->moved[search->order[k]] = 1;
                n_moved++;
            }
        any |= n_moved > 0;
        if (is_full) {
            memcpy(search->ordered, search->margins, (size_t)n_cells * sizeof(double));
            qsort(search->ordered, (size_t)n_cells, sizeof(double), compare_doubles);
            search->limit = search->ordered[(15 * n_cells) / 100];
        }
        if (n_moved == 0 && (is_full || !is_whole))
            return any;
        is_full = n_moved == 0;
    }
}

static double loss_after_union(Search *search, int64_t one, int64_t other)
{
    const Climb *climb = search->climb;
    const int32_t *counts = search->counts;
    const double *f = climb->f;
    int64_t row;
    if (climb->pairs) {
        double loss = search->loss;
        for (row = 0; row < climb->n_cells; row++)
            loss += climb->labels[row] == one ? search->joined[row * climb->width + other] : 0;
        return loss;
    }
    memcpy(search->trial, search->sums, climb->n_slots * sizeof(double));
    for (row = 0; row < climb->n_rows; row++, counts += climb->width)
        if (counts[one] && counts[other])
            search->trial[climb->slots[row]] +=
                f[counts[one] + counts[other]] - f[counts[one]] - f[counts[other]];
    return loss_of(climb, search->trial, NULL);
}

/* Add up what each union of two clusters would add to the loss. */
static void add_unions(Search *search)
{
    const Climb *climb = search->climb;
    const int32_t *counts = search->counts;
    double *unions = search->unions;
    int32_t *occupied = search->occupied;
    const double *f = climb->f;
    int64_t row, k, l, n_occupied, n_used = search->n_used;
    memset(unions, 0, (size_t)(n_used * n_used) * sizeof(double));
    for (row = 0; climb->pairs && row < climb->n_cells; row++)
        for (l = climb->labels[row] + 1; l < n_used; l++)
            unions[climb->labels[row] * n_used + l] += search->joined[row * climb->width + l];
    for (row = 0; !climb->pairs && row < climb->n_rows; row++, counts += climb->width) {
        double slope = search->slopes[climb->slots[row]];
        n_occupied = 0;
        for (k = 0; k < n_used; k++)
            if (counts[k])
                occupied[n_occupied++] = (int32_t)k;
        for (k = 0; k < n_occupied; k++) {
            int32_t first = counts[occupied[k]];
            for (l = k + 1; l < n_occupied; l++) {
                int32_t second = counts[occupied[l]];
                unions[occupied[k] * n_used + occupied[l]] +=
                    slope * (f[first + second] - f[first] - f[second]);
            }
        }
    }
}

/* Unite the two clusters whose union is best; return whether it is better. */
static int unite(Search *search)
{
    Climb *climb = search->climb;
    int64_t n_used = search->n_used, k, l, n, cell, one = 0, other = 0;
    double *unions = search->unions, least, loss;
    int found = 0;
    if (search->n_clusters <= (climb->low > 1 ? climb->low : 1) || n_used > climb->most_united)
        return 0;
    add_unions(search);
    for (n = 0; n < climb->n_exact && !found; n++) {
        least = INFINITY;
        for (k = 0; k < n_used; k++)
            for (l = k + 1; l < n_used; l++)
                if (search->n_inside[k] && search->n_inside[l] && unions[k * n_used + l] < least) {
                    least = unions[k * n_used + l];
                    one = k, other = l;
                }
        if (least == INFINITY || (climb->n_exact <= 2 && least > 1e-6 * fabs(search->loss)))
            break;
        loss = loss_after_union(search, one, other);
        if (is_less(loss, search->loss)) {
            for (cell = 0; cell < climb->n_cells; cell++)
                if (climb->labels[cell] == other) {
                    count_cell(search, cell, other, -1);
                    count_cell(search, cell, one, 1);
                }
            find_loss(search);
            found = 1;
        }
        unions[one * n_used + other] = INFINITY;
    }
    return found;
}

static void keep(Search *search)
{
    memcpy(search->kept, search->climb->labels, (size_t)search->climb->n_cells * sizeof(int32_t));
    memcpy(search->sums_kept, search->sums, (size_t)search->climb->n_slots * sizeof(double));
}

/* Return to the partition that was kept, and its loss. */
static void restore(Search *search, double loss)
{
    const int32_t *labels = search->climb->labels, *kept = search->kept;
    int64_t cell;
    for (cell = 0; cell < search->climb->n_cells; cell++)
        if (labels[cell] != kept[cell]) {
            count_cell(search, cell, labels[cell], -1);
            count_cell(search, cell, kept[cell], 1);
        }
    memcpy(search->sums, search->sums_kept, (size_t)search->climb->n_slots * sizeof(double));
    search->loss = loss;
    find_loss(search);
}

/* Draw a cluster for each cell, the less likely the more it adds. */
static void heat_cells(Search *search, double temperature)
{
    Climb *climb = search->climb;
    double *found = search->found, stay, least, total, drawn;
    int64_t k, cell, own, to, empty, best;
    for (k = 0; k < climb->n_cells; k++)
        search->order[k] = k;
    shuffle_cells(search->order, climb->n_cells, &climb->random);
    for (k = 0; k < climb->n_cells; k++) {
        cell = search->order[k], own = climb->labels[cell];
        if (search->n_inside[own] == 1 && search->n_clusters <= climb->low)
            continue;
        empty = search->n_inside[own] == 1 ? -1 : find_empty(search);
        stay = find_changes(search, cell, own);
        found[own] = stay;
        best = find_least(search, -1, empty);
        least = found[best], total = 0;
        for (to = 0; to < search->n_used; to++) {
            int is_open = search->n_inside[to] > 0 || to == empty;
            found[to] = is_open ? exp((least - found[to]) / temperature) : 0;
            total += found[to];
        }
        drawn = (double)(next_random(&climb->random) >> 11) / 9007199254740992.0 * total;
        for (to = 0; to < search->n_used && (drawn -= found[to]) >= 0;)
            to++;
        if (to == search->n_used)
            to = best;
        if (to != own) {
            count_cell(search, cell, own, -1);
            count_cell(search, cell, to, 1);
        }
    }
    find_loss(search);
}

/* Return the cluster that would be best for a random cell of a cluster, -1 if there is no other. */
static int64_t find_neighbor(Search *search, int64_t cluster)
{
    Climb *climb = search->climb;
    int64_t cell, picked = -1, n_seen = 0;
    for (cell = 0; cell < climb->n_cells; cell++)
        if (climb->labels[cell] == cluster
            && next_random(&climb->random) % (uint64_t)++n_seen == 0)
            picked = cell;
    find_changes(search, picked, cluster);
    return find_least(search, cluster, -1);
}

/* Dissolve each cluster with a neighbor in turn, every other time with any third one, and place
   their cells anew where that is better, until it was in vain for some rounds or took too long;
   return whether any is better. */
static int dissolve(Search *search, int64_t most_failed)
{
    Climb *climb = search->climb;
    int64_t cluster, other, third, cell, n_left, n_failed = 0;
    double loss;
    int any = 0;
    for (cluster = 0; n_failed < most_failed * search->n_clusters; cluster++, n_failed++) {
        if (search->n_added > climb->most_added)
            break;
        cluster %= search->n_used;
        if (search->n_inside[cluster] == 0 || search->n_inside[cluster] == climb->n_cells)
            continue;
        other = find_neighbor(search, cluster);
        third = other;
        if (n_failed % 2)
            third = (int64_t)(next_random(&climb->random) % (uint64_t)search->n_used);
        loss = search->loss;
        keep(search);
        memset(search->changed, 0, (size_t)climb->width);
        n_left = 0;
        for (cell = 0; cell < climb->n_cells; cell++) {
            int64_t own = climb->labels[cell];
            search->moved[cell] = own == cluster || own == other || own == third;
            if (search->moved[cell]) {
                count_cell(search, cell, own, -1);
                search->order[n_left++] = cell;
            }
        }
        place_cells(search, n_left);
        find_loss(search);
        settle(search, 0);
        if (is_less(search->loss, loss)) {
            any = 1;
            n_failed = -1;
            continue;
        }
        restore(search, loss);
    }
    if (any)
        settle(search, 1);
    return any;
}

/* Heat the best partition and let it cool, more slowly each time, until it came back several times
   in a row or it took too long; then dissolve its clusters. Return whether any is better. */
static int anneal(Search *search)
{
    Climb *climb = search->climb;
    double loss, hot, left, added = (double)(climb->pairs ? COLUMNS_AT_ONCE : climb->n_slots);
    int64_t sweep, n_sweeps, n_returns = 0, n_rounds = 0;
    int any = 0;
    added *= (double)(climb->n_cells * search->n_used);
    n_sweeps = smaller(SWEEPS_AT_FIRST, (int64_t)(climb->most_added / 2 / added));
    search->n_added = 0;
    for (;;) {
        loss = search->loss;
        hot = search->limit * HEAT[n_rounds++ % 2];
        if (n_returns >= MOST_RETURNS)
            return dissolve(search, FEW_FAILED) || any;
        if (n_sweeps < 2 || !(hot > 0 && hot < INFINITY))
            return dissolve(search, MOST_FAILED) || any;
        keep(search);
        added = search->n_added;
        for (sweep = 0; sweep < n_sweeps; sweep++)
            heat_cells(search, hot * (double)(n_sweeps - sweep) / (double)n_sweeps);
        added = (search->n_added - added) / (double)n_sweeps;
        settle(search, 1);
        n_returns = fabs(search->loss - loss) < 1e-12 * (1 + loss) ? n_returns + 1 : 0;
        left = climb->most_added / 2 - search->n_added;
        n_sweeps = smaller(n_sweeps + SWEEPS_AT_FIRST, (int64_t)(left / (added + 1)));
        if (is_less(search->loss, loss)) {
            any = 1;
            continue;
        }
        restore(search, loss);
    }
}

static void climb_in(Search *search)
{
    Climb *climb = search->climb;
    int64_t k, n_left = 0;
    int moved, united, dissolved, dissolves = climb->most_added > 0;
    Climb linear = *climb;
    search->loss = climb->apart;
    for (k = 0; k < climb->n_cells; k++)
        if (climb->labels[k] >= 0)
            count_cell(search, k, climb->labels[k], 1);
        else
            search->order[n_left++] = k;
    for (k = 0; k < climb->width; k++)
        if (search->n_inside[k] > 0)
            search->n_used = (k / COLUMNS_AT_ONCE + 1) * COLUMNS_AT_ONCE;
    /* Before there is a partition, other losses have no slopes. */
    linear.cost = climb->kind == PART_LINEAR ? climb->cost : 1;
    linear.kind = PART_LINEAR, linear.is_micro = 0;
    if (!climb->pairs)
        loss_of(&linear, search->sums, search->slopes);
    place_cells(search, n_left);
    find_loss(search);
    climb->history[0] = search->loss;
    climb->is_optimum = 0;
    for (climb->n_rounds = 0; climb->n_rounds < climb->max_rounds;) {
        moved = settle(search, 1);
        united = unite(search);
        dissolved = !united && dissolves && anneal(search);
        dissolves &= united;
        if (moved || united || dissolved)
            climb->history[++climb->n_rounds] = search->loss;
        if (!united && !dissolved) {
            climb->is_optimum = 1;
            break;
        }
    }
}

/* Return the part of a block that an array takes, and count its bytes; a block may be NULL. */
static void *part_of(char *block, size_t *n_bytes, int64_t length, size_t width)
{
    void *part = block == NULL ? NULL : block + *n_bytes;
    *n_bytes += ((size_t)length * width + 7) / 8 * 8;
    return part;
}

/* Search from the labels; return -1 if there is not enough memory. */
static int climb_partition(Climb *climb)
{
    Search search = {0};
    int64_t x, n_slots = climb->n_slots, n_cells = climb->n_cells, width = climb->width;
    int64_t n_counts = climb->pairs ? 0 : (climb->n_rows + 1) * width;
    int64_t n_steps = climb->n_objects + 2, n_united = smaller(width, climb->most_united);
    size_t n = 0;
    char *block = NULL;
    search.climb = climb;
    do { /* first only the bytes are counted */
        if (n > 0 && (block = (char *)calloc(n, 1)) == NULL)
            return -1;
        n = 0;
        search.joined = part_of(block, &n, climb->pairs ? n_cells * width : 0, sizeof(double));
        search.sums = part_of(block, &n, n_slots, sizeof(double));
        search.trial = part_of(block, &n, n_slots, sizeof(double));
        search.sums_kept = part_of(block, &n, n_slots, sizeof(double));
        search.found = part_of(block, &n, width, sizeof(double));
        search.unions = part_of(block, &n, n_united * n_united, sizeof(double));
        search.occupied = part_of(block, &n, n_united, sizeof(int32_t));
        search.margins = part_of(block, &n, n_cells, sizeof(double));
        search.ordered = part_of(block, &n, n_cells, sizeof(double));
        search.n_inside = part_of(block, &n, width, sizeof(int64_t));
        search.order = part_of(block, &n, n_cells, sizeof(int64_t));
        search.gains = part_of(block, &n, n_counts, sizeof(float));
        search.counts = part_of(block, &n, n_counts, sizeof(int32_t));
        search.steps = part_of(block, &n, n_steps, sizeof(float));
        search.slopes = part_of(block, &n, n_slots, sizeof(float));
        search.kept = part_of(block, &n, n_cells, sizeof(int32_t));
        search.moved = part_of(block, &n, n_cells, 1);
        search.changed = part_of(block, &n, width, 1);
    } while (block == NULL);
    for (x = 1; x < n_steps; x++)
        search.steps[x] = (float)(climb->f[x] - climb->f[x - 1]);
    climb_in(&search);
    free(block);
    return 0;
}

/* Add, for each two cells (the later one has the row), the weights of the draws that know both,
   each times the cost, less 2 where they are together. */
WITH_WIDE_VECTORS static void add_pairs(
    const int32_t *codes, const double *weights, double cost, int64_t n_draws, int64_t n_cells,
    double *pairs)
{
    int64_t start, i, d, j;
    for (start = 0; start < n_draws; start += DRAWS_AT_ONCE)
        for (i = 1; i < n_cells; i++)
            for (d = start; d < smaller(start + DRAWS_AT_ONCE, n_draws); d++) {
                const int32_t *others = codes + d * n_cells;
                double apart = weights[d] * cost, together = weights[d] * (cost - 2);
                double *sums = pairs + i * n_cells;
                int32_t own = others[i];
                for (j = 0; own >= 0 && j < i; j++)
                    sums[j] += others[j] == own ? together : others[j] >= 0 ? apart : 0;
            }
}
