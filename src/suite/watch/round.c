#include "suite/watch/round.h"

#include <string.h>

struct results *round_join(struct results *before, struct results *now, const struct suite *suite, struct error *err)
{
    if (!before)
        return now;
    struct results *out = results_create(err);
    if (out) {
        struct arena *arena = out->arena;
        *out = *now;
        out->arena = arena;
        out->cases = ARENA_NEW(arena, struct case_result, suite->case_count);
        out->case_count = 0;
        for (size_t i = 0; i < suite->case_count; i++) {
            const struct case_result *result = results_find(now, suite->cases[i].name);
            result = result ? result : results_find(before, suite->cases[i].name);
            if (result)
                out->cases[out->case_count++] = *case_result_copy(result, arena);
        }
        out->fingerprint.entries = ARENA_NEW(arena, struct fingerprint_entry, now->fingerprint.count);
        for (uint32_t i = 0; i < now->fingerprint.count; i++)
            out->fingerprint.entries[i] = (struct fingerprint_entry){arena_string(arena, now->fingerprint.entries[i].name),
                                                                     arena_string(arena, now->fingerprint.entries[i].value)};
        const char *const *lists[] = {now->not_run, now->shader_warnings, before->obsolete};
        const size_t counts[] = {now->not_run_count, now->shader_warning_count, before->obsolete_count};
        const char ***copies[] = {&out->not_run, &out->shader_warnings, &out->obsolete};
        for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
            *copies[i] = ARENA_NEW(arena, const char *, counts[i]);
            for (size_t k = 0; k < counts[i]; k++)
                (*copies[i])[k] = arena_string(arena, lists[i][k]);
        }
        out->obsolete_count = before->obsolete_count; /* only a run of all cases looks for them */
        out->prune = before->prune ? arena_string(arena, before->prune) : NULL;
    }
    results_free(before);
    results_free(now);
    return out;
}
