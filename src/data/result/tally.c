/* Counts the results of a run. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/names.h"
#include "base/sort.h"
#include "data/result/result.h"

bool case_status_fails(enum case_status status, bool strict)
{
    return status == CASE_DRIFT ? strict : status != CASE_PASS && status != CASE_XFAIL && status != CASE_SKIP;
}

bool case_status_broke(enum case_status status)
{
    return status == CASE_ERROR || status == CASE_CRASH || status == CASE_TIMEOUT;
}

void results_tally(const struct results *results, size_t counts[static CASE_STATUS_COUNT])
{
    memset(counts, 0, CASE_STATUS_COUNT * sizeof *counts);
    for (size_t i = 0; i < results->case_count; i++)
        counts[results->cases[i].status]++;
}

struct case_result *results_find(const struct results *results, const char *name)
{
    return NAMED(results->cases, results->case_count, name);
}

static int by_name(const void *a, const void *b)
{
    const struct case_result *x = *(struct case_result *const *)a, *y = *(struct case_result *const *)b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x > y) - (x < y);
}

void results_index_make(const struct results *results, struct results_index *index)
{
    *index = (struct results_index){results->case_count, memory_new(results->case_count, sizeof *index->sorted)};
    for (size_t i = 0; i < index->count; i++)
        index->sorted[i] = &results->cases[i];
    sort_items(index->sorted, index->count, sizeof *index->sorted, by_name);
}

struct case_result *results_index_find(const struct results_index *index, const char *name)
{
    size_t low = 0, high = index->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(index->sorted[middle]->name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < index->count && strcmp(index->sorted[low]->name, name) == 0 ? index->sorted[low] : NULL;
}

void results_index_release(struct results_index *index)
{
    free(index->sorted);
    *index = (struct results_index){0};
}

size_t results_count_failing(const struct results *results)
{
    size_t failing = 0;
    for (size_t i = 0; i < results->case_count; i++)
        failing += case_status_fails(results->cases[i].status, results->strict);
    return failing;
}

double case_displacement(const struct case_result *result)
{
    double most = NAN;
    for (uint32_t i = 0; i < result->time_count && result->stage >= 0 && result->stage < STAGE_COUNT; i++)
        most = fmax(most, result->times[i].error[result->stage]);
    return most;
}

void case_add_causes(const struct case_result *result, struct text *out)
{
    const struct case_explanation *best = result->explanation_count > 0 ? &result->explanations[0] : NULL;
    for (uint32_t i = 0; best && i < best->cause_count; i++)
        text_addf(out, "%s%s", i > 0 ? " + " : "", best->causes[i].id);
}

/* A golden that is skinned wrongly itself is counted apart. */
bool case_skins_wrongly(const struct case_result *result)
{
    const struct tolerance *tolerance = result->tolerance ? result->tolerance : &tolerance_defaults;
    return result->stage == STAGE_SKIN && !(result->measured[TOLERANCE_SKIN] <= tolerance->skin);
}

bool results_good(const struct results *results)
{
    return results->not_run_count == 0 && results->missing_count == 0 && results_count_failing(results) == 0;
}
