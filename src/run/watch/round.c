#include "run/watch/round.h"

#include <stdlib.h>

#include "base/memory.h"

/* Goldens that no case uses are looked for by a run of all cases alone. */
struct results *round_join(struct results *before, struct results *now, const struct suite *suite, struct error *err)
{
    const struct results *whole = before ? before : now;
    struct results joined = *now;
    struct results_index of_now, of_before;
    joined.cases = memory_new(suite->case_count, sizeof *joined.cases);
    joined.case_count = 0;
    results_index_make(now, &of_now);
    results_index_make(whole, &of_before);
    for (size_t i = 0; i < suite->case_count; i++) {
        const struct case_result *result = results_index_find(&of_now, suite->cases[i].name);
        result = result ? result : results_index_find(&of_before, suite->cases[i].name);
        if (result)
            joined.cases[joined.case_count++] = *result;
    }
    results_index_release(&of_now);
    results_index_release(&of_before);
    joined.obsolete = whole->obsolete;
    joined.obsolete_count = whole->obsolete_count;
    joined.prune = whole->prune;
    struct results *out = results_copy(&joined, err);
    free(joined.cases);
    results_free(before);
    results_free(now);
    return out;
}
