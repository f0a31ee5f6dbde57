#ifndef RIGPROOF_COMPARE_NODE_MATCHING_H
#define RIGPROOF_COMPARE_NODE_MATCHING_H

#include "compare/match/matching.h"

/* Which node is which: names are not unique, but children of one node are told apart by what they hang on. */

/* One side: names with the names of their parents, and the parents' indices (lower than their own). */
struct node_list {
    const struct match_list *names;
    const int32_t *parents;
};

/* Whether two nodes may be one under two names, as far as they themselves tell. */
struct pairing {
    bool (*alike)(const void *context, size_t golden, size_t actual);
    const void *context;
};

/*
 * From the roots down, children of one pair by name, duplicates in their order; then what is left, by name wherever it
 * is, duplicates under a parent of the same name first. A node pairs before its children do.
 *
 * With `pairing`, children of a pair whose names do not occur on the other side are paired too: those that are alike to nothing
 * else; then those that are left in their order, when all of them are alike in it; then the last one of each side, when both
 * are roots or share the name of a child.
 */
struct matching match_nodes(const struct node_list *golden, const struct node_list *actual,
                            const struct pairing *pairing, struct arena *arena);

#endif
