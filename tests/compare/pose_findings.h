#pragma once

/* Asks compare_pose() about two poses of the rig. */
#include "compare/require_findings.h"
#include "compare/snapshot_builder.h"

/* The rig twice, new for each test and after each begin_again(). */
static struct two_poses two;

static inline void begin_again(void)
{
    arena_destroy(two.arena);
    two = two_rig_poses();
}

static inline int set_up(void **state)
{
    begin_again();
    return 0;
}

#define POSE_TEST(name) TEST_WITH(name, set_up, NULL)

/* How much is found. */
static inline size_t compare_them(void)
{
    compare_pose(two.golden, two.actual, two.import, two.actual_import, &two.findings, &two.errors);
    findings_sort(&two.findings);
    return two.findings.count;
}

static inline size_t solve_and_compare(void)
{
    rig_solve(two.actual, two.import);
    return compare_them();
}

static inline const struct bone_result *error_of(enum stage stage, const char *bone)
{
    for (size_t i = 0; i < two.errors.count; i++)
        if (two.errors.items[i].stage == stage && strcmp(two.errors.items[i].bone, bone) == 0)
            return &two.errors.items[i];
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
