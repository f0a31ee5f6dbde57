#ifndef RIGPROOF_COMPARE_NODE_MATCHING_H
#define RIGPROOF_COMPARE_NODE_MATCHING_H

#include "compare/match/matching.h"

/* Which node is which: names are not unique, but children of one node are told apart by what they hang on. */

/* The children of every node as linked lists, in order; those without a parent hang on the node `count`. */
struct children {
    size_t count;
    int32_t *first; /* [count + 1] NO_INDEX: none */
    int32_t *next;  /* [count] */
};

struct children children_of(const int32_t *parents, size_t count, struct arena *arena);

/* One side: names with the names of their parents, and the parents' indices (lower than their own). */
struct node_list {
    const struct match_list *names;
    const int32_t *parents;
};

/* What to do with children of a pair whose name does not occur there. */
struct pairing {
    void (*pair_rest)(void *context, struct matching *matching, size_t golden_parent, size_t actual_parent);
    void *context;
};

/*
 * From the roots down, children of one pair by name, duplicates in their order; then what is left, by name wherever it
 * is, duplicates under a parent of the same name first. `pairing` may be NULL. A node pairs before its children do.
 */
struct matching match_nodes(const struct node_list *golden, const struct node_list *actual,
                            const struct pairing *pairing, struct arena *arena);

#endif
