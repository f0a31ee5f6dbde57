#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

/* The circumstances that pixels depend on, and others of a run: names and their values in a fixed order. */

struct fingerprint_entry {
    const char *name;
    const char *value;
};

struct fingerprint {
    uint32_t count;
    struct fingerprint_entry *entries;
};

/* The value of a name, or NULL. */
const char *fingerprint_find(const struct fingerprint *fingerprint, const char *name);

/* Same names and values. */
bool fingerprint_equal(const struct fingerprint *a, const struct fingerprint *b);

/*
 * The next name whose values differ, golden's first, then those that only the actual has; NULL is the value of a side
 * without it. `at` begins at 0. False when there is none left.
 */
bool fingerprint_next_difference(const struct fingerprint *golden, const struct fingerprint *actual, uint32_t *at,
                                 const char **name, const char **was, const char **now);

/*
 * Appends the names that two further lists both have, with different values, to `golden` and to `actual`, which become
 * new lists in the arena. Names that `golden` has already are left out.
 */
void fingerprint_add_differing(const struct fingerprint *was, const struct fingerprint *now, struct arena *arena,
                               struct fingerprint *golden, struct fingerprint *actual);

/* An object of strings in a file (data/json_fields.h). */
struct fields;
extern const struct fields fingerprint_fields;
