#define _POSIX_C_SOURCE 200809L /* lstat */

#include "suite/golden/golden.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file/folder.h"
#include "base/file/path.h"
#include "data/image/image.h"

const char *golden_path(const struct golden *golden, const char *label, const char *suffix)
{
    if (golden->shared_import && strcmp(label, "import") == 0)
        return golden->shared_import;
    return arena_printf(golden->arena, "%s/%s%s", golden->folder, label, suffix);
}

/* A link that leads nowhere, or what may not be looked at, is there: no golden that is yet to be made. */
enum golden_part golden_read(const struct golden *golden, const char *label, const char *suffix, struct blob *out,
                             struct error *err)
{
    struct stat status;
    const char *path = golden_path(golden, label, suffix);
    if (!golden->exists || (lstat(path, &status) != 0 && (errno == ENOENT || errno == ENOTDIR)))
        return GOLDEN_ABSENT;
    return file_read(path, GOLDEN_FILE_LIMIT, out, err) ? GOLDEN_READ : GOLDEN_UNREADABLE;
}

bool golden_open(struct golden *golden, const char *goldens, const char *name, struct arena *arena, struct error *err)
{
    struct stat status;
    struct blob file;
    *golden = (struct golden){.arena = arena, .folder = arena_printf(arena, "%s/%s", goldens, name)};
    golden->exists = stat(golden->folder, &status) == 0 && S_ISDIR(status.st_mode);
    enum golden_part part = golden_read(golden, "recorded", ".json", &file, err);
    if (part != GOLDEN_READ)
        return part == GOLDEN_ABSENT;
    golden->has_recorded = recorded_read(file.data, file.size, golden_path(golden, "recorded", ".json"), arena,
                                         &golden->recorded, err);
    blob_release(&file);
    if (golden->has_recorded && golden->recorded.import_file)
        golden->shared_import = arena_printf(arena, "%s/" SHARED_IMPORTS "/%s", goldens, golden->recorded.import_file);
    return golden->has_recorded;
}

const struct suite_case *golden_find_case(const struct suite *suite, const char *name)
{
    for (size_t i = 0; i < suite->case_count; i++)
        if (strcmp(suite->cases[i].name, name) == 0)
            return suite->cases[i].agrees ? NULL : &suite->cases[i];
    return NULL;
}

/* Members are told apart by NUL, which no path holds. */
static void add_member(struct text *key, const char *name, const char *value)
{
    text_add_bytes(key, "", 1);
    text_addf(key, "%s=%s", name, value);
}

/*
 * Defaults are left out: a name stays when settings and repairs are added to the program. Clip files are as seen from the
 * suite's folder: the same from whatever folder the suite is run.
 */
const char *shared_import_name(const struct suite *suite, const struct suite_case *c, struct arena *arena)
{
    enum { LONGEST = 100 }; /* with all that is added, below what file systems allow */
    const struct settings *s = &c->settings;
    struct settings standard;
    struct text key = {0};
    char hash[17], base[LONGEST + 1];
    const char *name, *what;
    strncpy(base, path_base(c->model), LONGEST);
    base[LONGEST] = '\0';
    for (size_t i = 0; base[i]; i++)
        if (!isalnum((unsigned char)base[i]) && !strchr("_-", base[i]) && (base[i] != '.' || i == 0))
            base[i] = '_';
    text_add(&key, c->model);
    settings_init(&standard);
    for (unsigned i = 0; repair_describe(i, &name, &what); i++)
        if ((s->import.repairs ^ standard.import.repairs) >> i & 1)
            add_member(&key, "repair", name);
    if (s->import.assimp_flags != standard.import.assimp_flags) {
        add_member(&key, "assimp-flags", "");
        assimp_flags_describe(s->import.assimp_flags, &key);
    }
    if (s->influences != standard.influences)
        add_member(&key, "influences", arena_printf(arena, "%u", s->influences));
    for (size_t i = 0; i < s->clips_from_count; i++) {
        struct text folder = {0}, relative = {0};
        struct error ignored = {0};
        path_folder(s->clips_from[i], &folder);
        if (path_between(suite->folder, text_string(&folder), &relative, &ignored))
            text_addf(&relative, "/%s", path_base(s->clips_from[i]));
        else
            text_add(&relative, s->clips_from[i]);
        add_member(&key, "clips-from", text_string(&relative));
        text_release(&folder);
        text_release(&relative);
    }
    if (s->clip_options.prefix)
        add_member(&key, "clips-prefix", s->clip_options.prefix);
    if (s->clip_options.scale != standard.clip_options.scale) {
        add_member(&key, "clips-scale", "");
        text_add_double(&key, s->clip_options.scale);
    }
    bytes_hash(key.data, key.size, hash);
    text_release(&key);
    return arena_printf(arena, "%s-%s" RECORDED_IMPORT_SUFFIX, base, hash);
}

static bool has_file(const char *goldens, const char *name, const char *file)
{
    struct text path = {0};
    text_addf(&path, "%s/%s/%s", goldens, name, file);
    bool has = file_exists(text_string(&path));
    text_release(&path);
    return has;
}

bool shared_imports_used(const char *goldens)
{
    struct text imports = {0};
    struct error ignored = {0}; /* what cannot be read is told by who needs it */
    struct folder_names files, folders;
    bool shared = false, is_new = true;
    text_addf(&imports, "%s/" SHARED_IMPORTS, goldens);
    folder_list(text_string(&imports), FOLDER_FILES, &files, &ignored);
    for (size_t i = 0; i < files.count && !shared; i++)
        shared = recorded_is_import_name(files.names[i]);
    folder_list(goldens, FOLDER_FOLDERS, &folders, &ignored);
    for (size_t i = 0; i < folders.count && !shared && is_new; i++)
        is_new = !has_file(goldens, folders.names[i], "recorded.json");
    folder_names_release(&files);
    folder_names_release(&folders);
    text_release(&imports);
    return shared || is_new;
}

bool shared_imports_lack(const struct suite *suite)
{
    for (size_t i = 0; i < suite->case_count; i++)
        if (!suite->cases[i].agrees && has_file(suite->goldens, suite->cases[i].name, "import.json"))
            return true;
    return false;
}

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
