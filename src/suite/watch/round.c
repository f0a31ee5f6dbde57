#include "suite/watch/round.h"

#include <string.h>

static struct fingerprint copy_fingerprint(const struct fingerprint *from, struct arena *arena)
{
    struct fingerprint copy = {from->count, ARENA_NEW(arena, struct fingerprint_entry, from->count)};
    for (uint32_t i = 0; i < from->count; i++)
        copy.entries[i] = (struct fingerprint_entry){arena_string(arena, from->entries[i].name),
                                                     arena_string(arena, from->entries[i].value)};
    return copy;
}

static const char **copy_names(const char *const *from, size_t count, struct arena *arena)
{
    const char **copy = ARENA_NEW(arena, const char *, count);
    for (size_t i = 0; i < count; i++)
        copy[i] = arena_string(arena, from[i]);
    return copy;
}

/* Goldens that no case uses are looked for by a run of all cases alone. */
struct results *round_join(struct results *before, struct results *now, const struct suite *suite, struct error *err)
{
    struct results *out = results_create(err);
    const struct results *whole = before ? before : now;
    if (out) {
        struct arena *arena = out->arena;
        *out = *now;
        out->arena = arena;
        out->rigproof = arena_string(arena, now->rigproof);
        out->suite = arena_string(arena, now->suite);
        out->goldens = arena_string(arena, now->goldens);
        out->suite_hash = now->suite_hash ? arena_string(arena, now->suite_hash) : NULL;
        out->cases = ARENA_NEW(arena, struct case_result, suite->case_count);
        out->case_count = 0;
        struct results_index of_now, of_before;
        results_index_make(now, &of_now);
        results_index_make(before ? before : now, &of_before);
        for (size_t i = 0; i < suite->case_count; i++) {
            const struct case_result *result = results_index_find(&of_now, suite->cases[i].name);
            result = result ? result : results_index_find(&of_before, suite->cases[i].name);
            if (result)
                out->cases[out->case_count++] = *case_result_copy(result, arena);
        }
        results_index_release(&of_now);
        results_index_release(&of_before);
        out->fingerprint = copy_fingerprint(&now->fingerprint, arena);
        out->overrides = copy_fingerprint(&now->overrides, arena);
        out->not_run = copy_names(now->not_run, now->not_run_count, arena);
        out->shader_warnings = copy_names(now->shader_warnings, now->shader_warning_count, arena);
        out->obsolete = copy_names(whole->obsolete, whole->obsolete_count, arena);
        out->obsolete_count = whole->obsolete_count;
        out->prune = whole->prune ? arena_string(arena, whole->prune) : NULL;
    }
    results_free(before);
    results_free(now);
    return out;
}
