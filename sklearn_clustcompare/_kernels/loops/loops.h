/* The loops of the compiled kernels, in C of 1999.

   Every function takes arrays as pointers and lengths, and needs neither Python nor the GIL.
   Functions on several types of integers are templates: tables.h and pairs.h are included once for
   each type, and those of labels.h are inlined for each width. */

#ifndef SKLEARN_CLUSTCOMPARE_LOOPS_H
#define SKLEARN_CLUSTCOMPARE_LOOPS_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined(_MSC_VER)
#define INLINED static __forceinline
#elif defined(__GNUC__)
#define INLINED static inline __attribute__((always_inline))
#else
#define INLINED static inline
#endif

#if defined(__GNUC__)
#define fetch(address) __builtin_prefetch(address)
#else
#define fetch(address) ((void)0)
#endif

static inline int64_t smaller(int64_t a, int64_t b)
{
    return b < a ? b : a;
}

/* Fibonacci hashing: 2**64 / golden ratio. */
static const uint64_t MULTIPLIER = UINT64_C(0x9E3779B97F4A7C15);

typedef struct {
    int64_t n_samples;
    /* What is not empty. */
    int64_t n_cells;
    int64_t n_rows;
    int64_t n_cols;
} Totals;

enum { DIGIT_BITS = 11, MAX_DIGITS = 6 };

/* Replace the ends of runs by their lengths. */
static void take_differences(int64_t *ends, int64_t last)
{
    int64_t k;
    for (k = last; k > 0; k--)
        ends[k] -= ends[k - 1];
}

#include "labels.h"

#define number_t uint32_t
#define NAMED(name) name##_short
#include "tables.h"
#include "pairs.h"
#undef number_t
#undef NAMED

#define number_t uint64_t
#define NAMED(name) name##_long
#include "tables.h"
#include "pairs.h"
#undef number_t
#undef NAMED

/* The templates on integers of 32 or 64 bits, by their width in bytes. */
#define BY_TYPE(width, name, ...) \
    ((width) == 4 ? name##_short(__VA_ARGS__) : name##_long(__VA_ARGS__))
#define add_up(width, ...) BY_TYPE(width, add_up, __VA_ARGS__)
#define copy_occupied(width, ...) BY_TYPE(width, copy_occupied, __VA_ARGS__)
#define fill_margin(width, ...) BY_TYPE(width, fill_margin, __VA_ARGS__)
#define sort(width, ...) BY_TYPE(width, sort, __VA_ARGS__)
#define count_runs(width, ...) BY_TYPE(width, count_runs, __VA_ARGS__)
#define number_cols(width, ...) BY_TYPE(width, number_cols, __VA_ARGS__)
#define fill_cells(width, ...) BY_TYPE(width, fill_cells, __VA_ARGS__)

#include "sums.h"
#include "text.h"
#include "laws.h"
#include "information.h"
#include "lengths.h"
#include "columns.h"
#include "consensus.h"

/* The rest is Cython's, on Python's objects: more than this takes long and makes it no faster. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("Og")
#endif

#endif
