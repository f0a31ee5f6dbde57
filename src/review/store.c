#include "review/store.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static const char *refusal(void *context, size_t index)
{
    struct candidates *candidates = ((struct candidate_store *)context)->candidates;
    const struct case_result *result = &candidates->results->cases[index];
    if (result->status == CASE_UNEXPECTED_PASS)
        return "it passes although the suite expects it to fail: take `expect` out of the suite";
    return candidates_refusal(candidates, result);
}

/* Of one case. What was written is appended to `said`. */
static bool accept_one(const struct candidate_store *store, size_t index, bool dry_run, struct accept_tally *tally,
                       struct text *said, struct error *err)
{
    const struct accept_options options = {.dry_run = dry_run, .allow_outside = store->allow_outside};
    bool *chosen = memory_new(store->candidates->results->case_count, sizeof *chosen);
    chosen[index] = true;
    bool good = candidates_accept(store->candidates, chosen, &options, said, tally, err);
    free(chosen);
    return good;
}

static bool is_golden(void *context, size_t index)
{
    struct accept_tally tally = {0};
    struct text said = {0};
    struct error err = {0};
    bool good = accept_one(context, index, true, &tally, &said, &err);
    text_release(&said);
    return good && tally.same == 1;
}

static bool accept(void *context, size_t index, struct text *said, struct error *err)
{
    struct candidate_store *store = context;
    const struct suite *suite = store->candidates->suite;
    const char *name = store->candidates->results->cases[index].name;
    struct accept_tally tally = {0};
    struct text out = {0};
    struct error ignored = {0};
    const struct suite_case *c = golden_find_case(suite, name);
    struct golden_backup *backup = c ? golden_backup_make(suite, c, err) : NULL;
    if (!backup)
        return error_set(err, "case `%s` has no golden in %s", name, suite->path);
    bool good = accept_one(store, index, false, &tally, &out, err);
    if (good && tally.accepted + tally.same != 1)
        good = error_set(err, "%.*s", (int)strcspn(text_string(&out), "\n"), text_string(&out));
    if (good) {
        store->backups = memory_grow(store->backups, store->count + 1, sizeof(struct golden_backup *));
        store->backups[store->count++] = backup;
        text_add(said, text_string(&out));
    } else {
        golden_backup_restore(backup, &ignored);
        golden_backup_free(backup);
    }
    text_release(&out);
    return good;
}

static bool undo(void *context, size_t index, struct error *err)
{
    struct candidate_store *store = context;
    (void)index;
    if (!golden_backup_restore(store->backups[store->count - 1], err))
        return false;
    golden_backup_free(store->backups[--store->count]);
    return true;
}

struct review_store candidate_store_open(struct candidate_store *store)
{
    return (struct review_store){.context = store, .refusal = refusal, .is_golden = is_golden, .accept = accept, .undo = undo};
}

void candidate_store_release(struct candidate_store *store)
{
    for (size_t i = 0; i < store->count; i++)
        golden_backup_free(store->backups[i]);
    free(store->backups);
    store->backups = NULL;
    store->count = 0;
}
