/* Text of one width, in rows of as many bytes. */

/* What is looked up stands anywhere in memory, and is fetched so many rows before. */
enum { AHEAD = 8 };

/* Slots of a table that stays in the cache. */
enum { CACHED_BITS = 11 };

typedef struct {
    uint64_t hashed;
    /* One more than the number of its text, so that 0 means that the slot is empty. */
    int64_t number;
} Slot;

typedef struct {
    Slot *slots;
    /* The first row of each text. */
    int64_t *firsts;
    int64_t n_texts;
    int n_bits;
} TextTable;

static inline uint64_t hash_text(const uint8_t *text, int64_t width)
{
    uint64_t word, hashed = 0;
    int64_t k;
    for (k = 0; k < width - 7; k += 8) {
        memcpy(&word, text + k, 8);
        hashed = (hashed + word) * MULTIPLIER;
    }
    if (width % 8) {
        /* The last eight bytes, some of them once more. */
        if (width > 8)
            memcpy(&word, text + width - 8, 8);
        else
            for (word = 0, k = 0; k < width; k++)
                word = word << 8 | text[k];
        hashed = (hashed + word) * MULTIPLIER;
    }
    return hashed;
}

static inline int are_equal(const uint8_t *text, const uint8_t *other, int64_t width)
{
    uint64_t word, other_word;
    int64_t k;
    for (k = 0; k < width - 7; k += 8) {
        memcpy(&word, text + k, 8);
        memcpy(&other_word, other + k, 8);
        if (word != other_word)
            return 0;
    }
    for (k = width - width % 8; k < width; k++)
        if (text[k] != other[k])
            return 0;
    return 1;
}

/* Double the number of slots; return 0 if there is no memory for them. */
static int grow(TextTable *table)
{
    int64_t n_slots = (int64_t)1 << table->n_bits, k;
    uint64_t at, last = 2 * n_slots - 1;
    Slot *slots = (Slot *)calloc(2 * n_slots, sizeof(Slot));
    int64_t *firsts;
    if (slots == NULL)
        return 0;
    for (k = 0; k < n_slots; k++)
        if (table->slots[k].number) {
            at = table->slots[k].hashed >> (63 - table->n_bits);
            while (slots[at].number)
                at = (at + 1) & last;
            slots[at] = table->slots[k];
        }
    free(table->slots);
    table->slots = slots;
    table->n_bits++;
    firsts = (int64_t *)realloc(table->firsts, 2 * n_slots * sizeof(int64_t));
    if (firsts == NULL)
        return 0;
    table->firsts = firsts;
    return 1;
}

/* Number texts in the order of their first rows; return whether memory was enough.

   A slot is found by a hash, and each row is compared with the first row of its slot. */
static int number_rows(
    TextTable *table, const uint8_t *texts, int64_t n_rows, int64_t width, int64_t *numbers)
{
    const uint8_t *text = texts;
    Slot *slot;
    uint64_t hashed, at, last = ((uint64_t)1 << table->n_bits) - 1;
    int shift = 64 - table->n_bits;
    int64_t row;
    for (row = 0; row < n_rows; row++, text += width) {
        hashed = hash_text(text, width);
        if (table->n_bits > CACHED_BITS && width <= 8 && row + AHEAD < n_rows)
            fetch(table->slots + (hash_text(text + AHEAD * width, width) >> shift));
        for (at = hashed >> shift;; at = (at + 1) & last) {
            slot = table->slots + at;
            if (slot->number == 0) {
                slot->hashed = hashed;
                slot->number = table->n_texts + 1;
                numbers[row] = table->n_texts;
                table->firsts[table->n_texts] = row;
                table->n_texts++;
                if (2 * table->n_texts > (int64_t)last) {
                    if (!grow(table))
                        return 0;
                    last = ((uint64_t)1 << table->n_bits) - 1;
                    shift = 64 - table->n_bits;
                }
                break;
            }
            /* Up to eight bytes, different texts have different hashes. */
            if (slot->hashed == hashed && (width <= 8 ||
                are_equal(text, texts + table->firsts[slot->number - 1] * width, width))) {
                numbers[row] = slot->number - 1;
                break;
            }
        }
    }
    return 1;
}

/* An object seen before is known by its address, of which some bits say where it may stand. */
enum { KNOWN_BITS = 9 };

typedef struct {
    const void *label;
    int64_t number;
} KnownObject;

static inline uint64_t place_of_object(const void *label)
{
    return (uint64_t)(uintptr_t)label * MULTIPLIER >> (64 - KNOWN_BITS);
}

/* Number the labels from a row on while they are known; return the first row that is not. */
static int64_t number_known(
    const KnownObject *known, const void **labels, int64_t row, int64_t n_rows, int64_t *numbers)
{
    const KnownObject *entry;
    for (; row < n_rows; row++) {
        entry = known + place_of_object(labels[row]);
        if (entry->label != labels[row] || labels[row] == NULL) {
            if (row + AHEAD < n_rows)
                fetch(labels[row + AHEAD]);
            return row;
        }
        numbers[row] = entry->number;
    }
    return row;
}
