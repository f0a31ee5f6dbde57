#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* For qsort() and bsearch(), ascending: of `const char *`, by bytes, and of double. */

static inline int compare_strings(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static inline int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* qsort() must not be handed NULL, not even for no items. */
static inline void sort_items(void *items, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    if (count > 0)
        qsort(items, count, size, compare);
}

/* Sorts strings and keeps one of those that are equal. Returns how many are left. */
static inline size_t sort_once(const char **strings, size_t count)
{
    size_t kept = 0;
    sort_items(strings, count, sizeof *strings, compare_strings);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || strcmp(strings[kept - 1], strings[i]) != 0)
            strings[kept++] = strings[i];
    return kept;
}

/* Index of the first of the ascending values[low .. high) that is greater than `value`; high where none is. */
static inline uint32_t first_greater(const double *values, uint32_t low, uint32_t high, double value)
{
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (values[middle] <= value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The first of `count` sorted items of `size` bytes that is not before `key`. */
static inline size_t lower_bound(const void *key, const void *items, size_t count, size_t size,
                   int (*compare)(const void *, const void *))
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare((const char *)items + middle * size, key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
