#include "data/result/result.h"

#include <string.h>

const char *const case_status_names[CASE_STATUS_COUNT] = {
    [CASE_PASS] = "pass",
    [CASE_DRIFT] = "drift",
    [CASE_FAIL] = "fail",
    [CASE_MISSING] = "missing",
    [CASE_ERROR] = "error",
    [CASE_CRASH] = "crash",
    [CASE_TIMEOUT] = "timeout",
    [CASE_XFAIL] = "xfail",
    [CASE_UNEXPECTED_PASS] = "unexpected-pass",
    [CASE_SKIP] = "skip",
};

const char *const stage_state_names[STAGE_STATE_COUNT] = {
    [STAGE_NOT_COMPARED] = "not-compared",
    [STAGE_PASSED] = "passed",
    [STAGE_DIFFERS] = "differs",
    [STAGE_EXPLAINED] = "explained",
};

const char *const image_state_names[IMAGE_STATE_COUNT] = {
    [IMAGE_NONE] = "none",           [IMAGE_SAME] = "same",       [IMAGE_NOISE] = "noise",
    [IMAGE_TOLERATED] = "tolerated", [IMAGE_DIFFERS] = "differs", [IMAGE_MISSING] = "missing",
};

bool case_status_fails(enum case_status status, bool strict)
{
    return status == CASE_DRIFT ? strict : status != CASE_PASS && status != CASE_XFAIL && status != CASE_SKIP;
}

struct results *results_create(struct error *err)
{
    /* Address space, not memory: pages count once they are used. A case needs some 20 KiB. */
    enum { RESULTS_MIB = 2048 };
    struct arena *arena = arena_create((size_t)RESULTS_MIB << 20, err);
    if (!arena)
        return NULL;
    struct results *results = ARENA_NEW(arena, struct results, 1);
    results->arena = arena;
    results->rigproof = results->suite = results->goldens = "";
    return results;
}

void results_free(struct results *results)
{
    if (results)
        arena_destroy(results->arena);
}

void results_tally(const struct results *results, size_t counts[static CASE_STATUS_COUNT])
{
    memset(counts, 0, CASE_STATUS_COUNT * sizeof *counts);
    for (size_t i = 0; i < results->case_count; i++)
        counts[results->cases[i].status]++;
}

struct case_result *results_find(const struct results *results, const char *name)
{
    for (size_t i = 0; i < results->case_count; i++)
        if (strcmp(results->cases[i].name, name) == 0)
            return &results->cases[i];
    return NULL;
}

size_t results_count_failing(const struct results *results)
{
    size_t failing = 0;
    for (size_t i = 0; i < results->case_count; i++)
        failing += case_status_fails(results->cases[i].status, results->strict);
    return failing;
}

bool results_good(const struct results *results)
{
    return results->not_run_count == 0 && results_count_failing(results) == 0;
}
