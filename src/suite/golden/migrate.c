#define _POSIX_C_SOURCE 200809L /* lstat */

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file/folder.h"
#include "suite/golden/snapshot_files.h"
#include "suite/golden/golden.h"
#include "suite/golden/shared_import.h"

enum { GOLDEN_LIMIT = 1 << 30 };

/* A golden on its way. */
struct move {
    struct golden golden;
    char *own, *shared, *recorded; /* paths */
    struct blob import, record;
    struct text changed;           /* recorded.json */
    bool is_new;                   /* the shared file is yet to be written */
};

static bool is_link(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0 && S_ISLNK(status.st_mode);
}

static bool has_other_content(const char *path, const struct blob *content)
{
    struct blob old;
    struct error ignored = {0};
    if (!file_read(path, GOLDEN_LIMIT, &old, &ignored))
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
    if (is_link(move->golden.folder) || is_link(move->own) || is_link(move->recorded) || is_link(move->shared))
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

static bool move_case(const struct suite *suite, const struct suite_case *c, bool dry_run, struct text *out,
                      struct migration *tally, struct error *err)
{
    enum { MEMORY = 1 << 28 };
    struct move move = {0};
    struct text name = {0};
    struct arena *arena = arena_create(MEMORY, err);
    if (!arena)
        return false;
    bool good = golden_open(&move.golden, suite->goldens, c->name, arena, err);
    shared_import_name(suite, c, &name);
    move.own = golden_path(&move.golden, "import", ".json");
    move.recorded = golden_path(&move.golden, "recorded", ".json");
    move.shared = shared_import_path(suite->goldens, text_string(&name));
    if (good && move.golden.has_recorded && !move.golden.recorded.import_file && file_exists(move.own)) {
        good = file_read(move.own, GOLDEN_LIMIT, &move.import, err) && file_read(move.recorded, GOLDEN_LIMIT, &move.record, err);
        const char *why = good ? reason_to_stay(&move, text_string(&name)) : NULL;
        if (why)
            text_addf(out, "%s: not moved: %s\n", c->name, why);
        good = good && (why || dry_run || write_move(&move, err));
        tally->refused += why != NULL;
        tally->moved += good && !why;
        tally->files += good && !why && move.is_new;
    }
    blob_release(&move.import);
    blob_release(&move.record);
    text_release(&move.changed);
    text_release(&name);
    free(move.own);
    free(move.recorded);
    free(move.shared);
    golden_close(&move.golden);
    arena_destroy(arena);
    return good;
}

bool shared_imports_migrate(const struct suite *suite, const bool *chosen, bool dry_run, struct text *out,
                            struct migration *tally, struct error *err)
{
    struct text imports = {0};
    text_addf(&imports, "%s/" SHARED_IMPORTS, suite->goldens);
    int lock = -1;
    bool good = is_link(text_string(&imports)) ? error_set(err, "%s is a link, and links are not followed", text_string(&imports))
                                               : (lock = folder_wait_lock(suite->goldens, err)) >= 0;
    for (size_t i = 0; good && i < suite->case_count; i++)
        if (chosen[i] && !suite->cases[i].agrees)
            good = move_case(suite, &suite->cases[i], dry_run, out, tally, err);
    folder_unlock(lock);
    text_release(&imports);
    return good;
}
