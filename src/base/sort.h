#ifndef RIGPROOF_BASE_SORT_H
#define RIGPROOF_BASE_SORT_H

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

#endif
