#ifndef RIGPROOF_COMPARE_PREFIX_H
#define RIGPROOF_COMPARE_PREFIX_H

#include "compare/match/matching.h"

/* Names that all begin in another way: "mixamorig:hips" is "mixamorig_hips", "hips" is "rig_hips". */
struct prefix_change {
    const char *was; /* "" for none */
    const char *now;
};

/* What was before, and is before, the end that two names share. False when they share less than two letters. */
bool prefix_change_of(const char *was, const char *now, struct arena *arena, struct prefix_change *out);

/* The name with the new prefix; NULL when it does not begin with the old one. */
const char *prefix_apply(const struct prefix_change *change, const char *name, struct arena *arena);

/*
 * The change of prefix that explains most names which only the golden has: at least three, and more than half of them.
 */
bool prefix_change_find(const struct match_list *golden, const struct match_list *actual, struct arena *arena,
                        struct prefix_change *out);

#endif
