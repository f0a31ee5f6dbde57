/* What the results of a run come to. */
#include <string.h>

#include "data/result/result.h"

bool case_status_fails(enum case_status status, bool strict)
{
    return status == CASE_DRIFT ? strict : status != CASE_PASS && status != CASE_XFAIL && status != CASE_SKIP;
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

/* What is wrong with the golden's skin is measured apart. */
bool case_skins_wrongly(const struct case_result *result)
{
    const struct tolerance *tolerance = result->tolerance ? result->tolerance : &tolerance_defaults;
    return result->stage == STAGE_SKIN && !(result->measured[TOLERANCE_SKIN] <= tolerance->skin);
}

bool results_good(const struct results *results)
{
    return results->not_run_count == 0 && results->missing_count == 0 && results_count_failing(results) == 0;
}
