#pragma once

#include "data/result/verdict.h"

/* Findings of one kind, reported together when they are many: "local transforms of 45 nodes differ, worst `hips`:
 * 12.0°; also `spine`, `chest`, `neck` and 41 more". */
struct grouping {
    struct findings *out;
    const char *before;          /* "local transforms of " */
    const char *after;           /* " nodes differ"; the count comes between */
    bool names_meshes;           /* lists name findings by their mesh, not their subject */
    bool details_are_predicates; /* "are transposed": they go on with the sentence */
    size_t count;
    size_t capacity;
    struct grouping_item *items;
};

enum { GROUPING_MOST = 8 }; /* of one kind that are reported one by one */

struct grouping grouping_begin(struct findings *out, const char *before, const char *after);

/* One finding, whose subject is its name in a list. `detail` is what happened to it ("12.0° and 3.00 units"): three
 * with the same are reported together; NULL where the head of the sentence says it. `format`: its own sentence. */
void grouping_add(struct grouping *grouping, const struct finding *finding, const char *detail, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The mesh that all findings of the grouping share, or NULL. */
const char *grouping_mesh(const struct grouping *grouping);

/* Adds all to the findings: those that fail and those that do not, each for themselves. */
void grouping_end(struct grouping *grouping);
