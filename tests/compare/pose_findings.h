#pragma once

/* Asks compare_pose() about two poses of the rig. */
#include "compare/require_findings.h"
#include "compare/snapshot_builder.h"

/* The rig twice. What the call before gave is freed. */
static inline struct two_poses fresh_poses(void)
{
    static struct arena *last;
    arena_destroy(last);
    struct two_poses two = two_rig_poses();
    last = two.arena;
    return two;
}

static inline void compare_them(struct two_poses *two)
{
    compare_pose(two->golden, two->actual, two->import, two->actual_import, &two->findings, &two->errors);
    findings_sort(&two->findings);
}

static inline void solve_and_compare(struct two_poses *two)
{
    rig_solve(two->actual, two->import);
    compare_them(two);
}

static inline const struct bone_result *error_of(const struct two_poses *two, enum stage stage, const char *bone)
{
    for (size_t i = 0; i < two->errors.count; i++)
        if (two->errors.items[i].stage == stage && strcmp(two->errors.items[i].bone, bone) == 0)
            return &two->errors.items[i];
    fail_msg("no item of %s", bone);
    return NULL;
}

/* How many findings of a stage fail. */
static inline size_t count_failing(const struct findings *findings, enum stage stage)
{
    size_t count = 0;
    for (size_t i = 0; i < findings->count; i++)
        count += findings->items[i].stage == stage && !findings->items[i].benign;
    return count;
}
