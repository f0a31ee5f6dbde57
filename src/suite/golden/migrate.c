#include <string.h>

#include "base/file/folder.h"
#include "suite/golden/golden.h"
#include "suite/golden/snapshot_files.h"

static bool has_content(const char *path, const struct blob *content)
{
    struct blob file;
    struct error ignored = {0};
    if (!file_read(path, GOLDEN_FILE_LIMIT, &file, &ignored))
        return false;
    bool has = file.size == content->size && memcmp(file.data, content->data, file.size) == 0;
    blob_release(&file);
    return has;
}

/* The shared file is written first, then who names it: wherever this ends, a golden is whole. */
static bool move_case(const struct suite *suite, const struct suite_case *c, bool dry_run, struct arena *arena,
                      struct text *out, struct migration *tally, struct error *err)
{
    struct golden golden;
    struct blob import = {0}, record = {0};
    struct text changed = {0}; /* recorded.json */
    char hash[17];
    if (!golden_open(&golden, suite->goldens, c->name, arena, err))
        return false;
    const char *name = shared_import_name(suite, c, arena), *why = NULL;
    const char *own = golden_path(&golden, "import", ".json"), *recorded = golden_path(&golden, "recorded", ".json");
    const char *shared = arena_printf(arena, "%s/" SHARED_IMPORTS "/%s", suite->goldens, name);
    if (!golden.has_recorded || golden.recorded.import_file || !file_exists(own))
        return true;
    bool is_new = !file_exists(shared);
    bool good = file_read(own, GOLDEN_FILE_LIMIT, &import, err) && file_read(recorded, GOLDEN_FILE_LIMIT, &record, err);
    if (good) {
        bytes_hash(import.data, import.size, hash);
        if (snapshot_is_link(golden.folder) || snapshot_is_link(own) || snapshot_is_link(recorded) ||
            snapshot_is_link(shared))
            why = "links are not followed";
        else if (golden.recorded.import && strcmp(golden.recorded.import, hash) != 0)
            why = "import.json does not match its hash in recorded.json";
        else if (!is_new && !has_content(shared, &import))
            why = "its import.json is not that of the other cases of its model; `accept --all` with --filter makes it so";
        else if (!recorded_share_import(record.data, record.size, name, &changed))
            why = "its recorded.json is not as `accept` writes it";
    }
    if (why)
        text_addf(out, "%s: not moved: %s\n", c->name, why);
    else if (good && !dry_run)
        good = (!is_new || (file_make_parent(shared, err) && file_write(shared, import.data, import.size, err))) &&
               file_write(recorded, changed.data, changed.size, err) && snapshot_remove_file(own, err);
    tally->refused += why != NULL;
    tally->moved += good && !why;
    tally->files += good && !why && is_new;
    blob_release(&import);
    blob_release(&record);
    text_release(&changed);
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
