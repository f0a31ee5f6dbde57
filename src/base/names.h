#ifndef RIGPROOF_BASE_NAMES_H
#define RIGPROOF_BASE_NAMES_H

#include <stddef.h>

/* Help for people who mistype. */

/* Optimal string alignment distance (insert, delete, replace, swap of neighbours), letter case ignored. */
size_t name_distance(const char *a, const char *b);

/* The candidate nearest to `name`, or NULL when none is near enough to be meant. */
const char *name_nearest(const char *name, const char *const *candidates, size_t count);

#endif
