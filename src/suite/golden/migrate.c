#include <string.h>

#include "base/file/folder.h"
#include "suite/golden/golden.h"
#include "suite/golden/snapshot_files.h"

/* A golden on its way. */
struct move {
    struct golden golden;
    const char *own, *shared, *recorded; /* paths */
    struct blob import, record;
    struct text changed;                 /* recorded.json */
    bool is_new;                         /* the shared file is yet to be written */
};

static bool has_other_content(const char *path, const struct blob *content)
{
    struct blob old;
    struct error ignored = {0};
    if (!file_read(path, GOLDEN_FILE_LIMIT, &old, &ignored))
        return true;
    bool differs = old.size != content->size || memcmp(old.data, content->data, old.size) != 0;
    blob_release(&old);
    return differs;
}

/* Why a golden stays as it is, or NULL. */
static const char *reason_to_stay(struct move *move, const char *name)
{
    char hash[17];
    bytes_hash(move->import.data, move->import.size, hash);
    move->is_new = !file_exists(move->shared);
    if (snapshot_is_link(move->golden.folder) || snapshot_is_link(move->own) || snapshot_is_link(move->recorded) ||
        snapshot_is_link(move->shared))
        return "links are not followed";
    if (move->golden.recorded.import && strcmp(move->golden.recorded.import, hash) != 0)
        return "import.json does not match its hash in recorded.json";
    if (!move->is_new && has_other_content(move->shared, &move->import))
        return "its import.json is not that of the other cases of its model; `accept --all` with --filter makes it so";
    if (!recorded_share_import(move->record.data, move->record.size, name, &move->changed))
        return "its recorded.json is not as `accept` writes it";
    return NULL;
}

/* The shared file first, then who names it: wherever this ends, a golden is whole. */
static bool write_move(const struct move *move, struct error *err)
{
    return (!move->is_new || (file_make_parent(move->shared, err) &&
                              file_write(move->shared, move->import.data, move->import.size, err))) &&
           file_write(move->recorded, move->changed.data, move->changed.size, err) &&
           snapshot_remove_file(move->own, err);
}

static bool move_case(const struct suite *suite, const struct suite_case *c, bool dry_run, struct arena *arena,
                      struct text *out, struct migration *tally, struct error *err)
{
    struct move move = {0};
    if (!golden_open(&move.golden, suite->goldens, c->name, arena, err))
        return false;
    const char *name = shared_import_name(suite, c, arena);
    move.own = golden_path(&move.golden, "import", ".json");
    move.recorded = golden_path(&move.golden, "recorded", ".json");
    move.shared = arena_printf(arena, "%s/" SHARED_IMPORTS "/%s", suite->goldens, name);
    if (!move.golden.has_recorded || move.golden.recorded.import_file || !file_exists(move.own))
        return true;
    bool good = file_read(move.own, GOLDEN_FILE_LIMIT, &move.import, err) &&
                file_read(move.recorded, GOLDEN_FILE_LIMIT, &move.record, err);
    const char *why = good ? reason_to_stay(&move, name) : NULL;
    if (why)
        text_addf(out, "%s: not moved: %s\n", c->name, why);
    good = good && (why || dry_run || write_move(&move, err));
    tally->refused += why != NULL;
    tally->moved += good && !why;
    tally->files += good && !why && move.is_new;
    blob_release(&move.import);
    blob_release(&move.record);
    text_release(&move.changed);
    return good;
}

bool shared_imports_migrate(const struct suite *suite, const bool *chosen, bool dry_run, struct text *out,
                            struct migration *tally, struct error *err)
{
    enum { CASE_MEMORY = 1 << 28 };
    struct text imports = {0};
    text_addf(&imports, "%s/" SHARED_IMPORTS, suite->goldens);
    if (snapshot_is_link(text_string(&imports)))
        error_set(err, "%s is a link, and links are not followed", text_string(&imports));
    text_release(&imports);
    int lock = error_is_set(err) ? -1 : folder_wait_lock(suite->goldens, err);
    bool good = lock >= 0;
    for (size_t i = 0; good && i < suite->case_count; i++) {
        if (!chosen[i] || suite->cases[i].agrees)
            continue;
        struct arena *arena = arena_create(CASE_MEMORY, err);
        good = arena && move_case(suite, &suite->cases[i], dry_run, arena, out, tally, err);
        arena_destroy(arena);
    }
    folder_unlock(lock);
    return good;
}
