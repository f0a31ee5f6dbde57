#include "golden/golden.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file/folder.h"
#include "base/file/path.h"
#include "base/names.h"
#include "base/sort.h"
#include "data/image/image.h"
#include "pipeline/pipeline.h"
#include "report/publish.h"

const char *golden_path(const struct golden *golden, const char *label, const char *suffix)
{
    if (golden->import && strcmp(label, "import") == 0)
        return golden->import;
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

static bool open_golden(struct golden *golden, const char *goldens, const char *folder, bool peeks,
                        struct arena *arena, struct error *err)
{
    struct stat status;
    SCOPED(blob) file = {0};
    *golden = (struct golden){.arena = arena, .folder = folder};
    golden->exists = stat(golden->folder, &status) == 0 && S_ISDIR(status.st_mode);
    enum golden_part part = golden_read(golden, "recorded", ".json", &file, err);
    if (part != GOLDEN_READ)
        return part == GOLDEN_ABSENT;
    golden->has_recorded = (peeks && recorded_peek(file.data, file.size, arena, &golden->recorded.import_file)) ||
                           recorded_read(file.data, file.size, golden_path(golden, "recorded", ".json"), arena,
                                         &golden->recorded, err);
    if (golden->has_recorded)
        golden->import = arena_printf(arena, "%s/" SHARED_IMPORTS "/%s", goldens, golden->recorded.import_file);
    if (golden->has_recorded &&
        !file_exists(golden->import)) { /* the output of a run, or a copied case, has its own beside it */
        const char *own = arena_printf(arena, "%s/import.json", golden->folder);
        golden->import = file_exists(own) ? own : golden->import;
    }
    return golden->has_recorded;
}

bool golden_open(struct golden *golden, const char *goldens, const char *name, struct arena *arena, struct error *err)
{
    return open_golden(golden, goldens, arena_printf(arena, "%s/%s", goldens, name), false, arena, err);
}

bool golden_open_folder(struct golden *golden, const char *folder, struct arena *arena, struct error *err)
{
    return open_golden(golden, arena_printf(arena, "%s/..", folder), folder, false, arena, err);
}

bool golden_peek(struct golden *golden, const char *goldens, const char *name, struct arena *arena, struct error *err)
{
    return open_golden(golden, goldens, arena_printf(arena, "%s/%s", goldens, name), true, arena, err);
}

const struct suite_case *golden_find_case(const struct suite *suite, const char *name)
{
    const struct suite_case *c = suite_find_case(suite, name);
    return c && suite_has_golden(c) ? c : NULL;
}

/* Members are told apart by NUL, which no path holds. */
static void add_member(struct text *key, const char *name, const char *value)
{
    text_add_bytes(key, "", 1);
    text_addf(key, "%s=%s", name, value);
}

const char *golden_path_of(const struct suite *suite, const char *path, struct arena *arena)
{
    SCOPED(text) folder = {0}, relative = {0};
    path_folder(path, &folder);
    if (path_between(suite->folder, text_string(&folder), &relative, ERROR_IGNORED))
        path = arena_printf(arena, "%s/%s", text_string(&relative), path_base(path));
    return path;
}

/* Defaults are left out: a name stays when settings and repairs are added to the program. */
const char *shared_import_name(const struct suite *suite, const struct suite_case *c, struct arena *arena)
{
    enum { LONGEST = 100 }; /* with all that is added, below what file systems allow */
    const struct settings *s = &c->settings;
    const struct import_options needed = import_needed(s);
    SCOPED(text) key = {0}, value = {0};
    char hash[17], base[LONGEST + 1];
    strncpy(base, path_base(c->model), LONGEST);
    base[LONGEST] = '\0';
    for (size_t i = 0; base[i]; i++)
        if (!isalnum((unsigned char)base[i]) && !strchr("_-", base[i]) && (base[i] != '.' || i == 0))
            base[i] = '_';
    text_add(&key, c->model);
    if (needed.surfaces || needed.tangents)
        add_member(&key, "tangents", needed.tangents ? "all" : "normal-mapped");
    for (size_t row = 0; settings_next_changed(s, SCOPE_IMPORT, &row, &value);)
        if (strcmp(setting_table[row - 1].name, "clips-from") != 0)
            add_member(&key, setting_table[row - 1].name, text_string(&value));
    for (size_t i = 0; i < s->clips_from_count; i++)
        add_member(&key, "clips-from", golden_path_of(suite, s->clips_from[i], arena));
    bytes_hash(key.data, key.size, hash);
    return arena_printf(arena, "%s-%s" RECORDED_IMPORT_SUFFIX, base, hash);
}

const char *snapshot_label(double time, struct arena *arena)
{
    struct text label = {0};
    text_add_seconds(&label, time);
    return arena_text(arena, &label);
}

size_t snapshot_label_length(const char *name)
{
    static const char digits[] = "0123456789";
    size_t n = name[0] == '-', whole = strspn(name + n, digits);
    n += whole;
    if (whole == 0 || name[n++] != '.')
        return 0;
    size_t decimals = strspn(name + n, digits);
    return decimals >= 3 && decimals <= 6 ? n + decimals : 0;
}

/* The text behind the time may be a number: ".png", "_2.png", ".pose.json". */
bool snapshot_is_golden(const char *name)
{
    static const char *const whole[] = {"import.json", "recorded.json"};
    static const char *const suffixes[] = {".png", ".pose.json"};
    size_t length = snapshot_label_length(name);
    const char *suffix = name + length;
    if (*suffix == '_' && isdigit((unsigned char)suffix[1]))
        suffix += 1 + strspn(suffix + 1, "0123456789");
    return NAMED(whole, 2, name) || (length > 0 && NAMED(suffixes, 2, suffix));
}

static bool is_ours(const char *name)
{
    static const char *const differences[] = {".golden.png", ".actual.png", ".difference.png", ".heat.png",
                                              ".displacement.png"};
    size_t length = snapshot_label_length(name);
    return snapshot_is_golden(name) || strcmp(name, "viewer.json") == 0 ||
           (length > 0 && NAMED(differences, sizeof differences / sizeof differences[0], name + length));
}

bool snapshot_remove_file(const char *path, struct error *err)
{
    return unlink(path) == 0 || errno == ENOENT || error_set(err, "cannot remove %s: %s", path, strerror(errno));
}

bool snapshot_remove(const char *folder, enum snapshot_removal what, struct error *err)
{
    SCOPED(folder_names) files = {0};
    SCOPED(text) path = {0}, stem = {0};
    bool good = folder_list(folder, FOLDER_FILES, &files, err);
    for (size_t i = 0; good && i < files.count; i++) {
        const char *name = files.names[i], *added = strstr(name, FILE_TEMPORARY);
        bool is_temporary = added && strlen(added) == strlen(FILE_TEMPORARY "XXXXXX"); /* as file_write() names it */
        path.size = stem.size = 0;
        text_add_bytes(&stem, name, is_temporary ? (size_t)(added - name) : 0);
        const char *whole = text_string(&stem);
        const bool is_named =
            is_ours(whole) || NAMED(publish_names, PUBLISH_COUNT, whole) || recorded_is_import_name(whole);
        if ((is_temporary && is_named) ||
            (what == SNAPSHOT_WHOLE && is_ours(name))) {
            text_addf(&path, "%s/%s", folder, name);
            good = snapshot_remove_file(text_string(&path), err);
        }
    }
    if (what == SNAPSHOT_WHOLE)
        rmdir(folder); /* fails when something else is in it */
    return good;
}

int goldens_lock(const char *goldens, struct error *err)
{
    SCOPED(text) path = {0};
    SCOPED(folder_names) folders = {0};
    int lock = folder_wait_lock(goldens, err);
    if (lock >= 0)
        folder_list(goldens, FOLDER_FOLDERS, &folders, ERROR_IGNORED); /* what cannot be removed harms nobody */
    for (size_t i = 0; i < folders.count; i++) {
        path.size = 0;
        text_addf(&path, "%s/%s", goldens, folders.names[i]);
        if (!snapshot_is_link(text_string(&path)))
            snapshot_remove(text_string(&path), SNAPSHOT_TEMPORARIES, ERROR_IGNORED);
    }
    return lock;
}

bool snapshot_is_link(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0 && S_ISLNK(status.st_mode);
}

static void add_obsolete(struct results *results, const char *path)
{
    const size_t count = results->obsolete_count++;
    results->obsolete = arena_room(results->arena, results->obsolete, count, sizeof *results->obsolete);
    results->obsolete[count] = path;
}

bool golden_find_superseded(const char *folder, const struct case_result *result, struct arena *arena,
                            const char ***names, size_t *count, struct error *err)
{
    SCOPED(folder_names) files = {0};
    const char **labels = ARENA_NEW(arena, const char *, result->time_count);
    *count = 0;
    if (result->time_count == 0 || snapshot_is_link(folder))
        return true;
    bool good = folder_list(folder, FOLDER_FILES, &files, err);
    *names = ARENA_NEW(arena, const char *, files.count);
    for (uint32_t i = 0; i < result->time_count; i++)
        labels[i] = result->times[i].label;
    sort_items(labels, result->time_count, sizeof *labels, compare_strings);
    for (size_t i = 0; i < files.count; i++) {
        const char *label = arena_printf(arena, "%.*s", (int)snapshot_label_length(files.names[i]), files.names[i]);
        if (*label && snapshot_is_golden(files.names[i]) &&
            !bsearch(&label, labels, result->time_count, sizeof *labels, compare_strings))
            (*names)[(*count)++] = arena_string(arena, files.names[i]);
    }
    return good;
}

/* Those of which `used`, what the goldens of the suite's cases name, has none. */
static bool find_shared(const struct suite *suite, const char **used, size_t count, struct results *results,
                        struct error *err)
{
    struct arena *arena = results->arena;
    const char *folder = arena_printf(arena, "%s/" SHARED_IMPORTS, suite->goldens);
    SCOPED(folder_names) files = {0};
    bool good = snapshot_is_link(folder) || folder_list(folder, FOLDER_FILES, &files, err);
    sort_items(used, count, sizeof *used, compare_strings);
    for (size_t i = 0; i < files.count; i++) {
        const char *name = files.names[i];
        if (recorded_is_import_name(name) && !bsearch(&name, used, count, sizeof *used, compare_strings) &&
            !snapshot_is_link(arena_printf(arena, "%s/%s", folder, name)))
            add_obsolete(results, arena_printf(arena, SHARED_IMPORTS "/%s", name));
    }
    return good;
}

/* A folder without a recorded.json of ours is another program's. A golden that cannot be read may name any shared
 * import. */
bool obsolete_find(const struct suite *suite, struct results *results, struct error *err)
{
    SCOPED(folder_names) folders = {0};
    SCOPED(results_index) index = {0};
    bool good = folder_list(suite->goldens, FOLDER_FOLDERS, &folders, err), readable = true;
    SCOPED_ARENA scratch = create_large_arena(); /* some KB a case, which nobody needs later */
    const char **used = ARENA_NEW(scratch, const char *, folders.count);
    size_t used_count = 0;
    results->obsolete_count = 0;
    results_index_make(results, &index);
    for (size_t i = 0; good && i < folders.count; i++) {
        const struct suite_case *c = golden_find_case(suite, folders.names[i]);
        const struct case_result *result = results_index_find(&index, folders.names[i]);
        const char **names;
        size_t name_count = 0;
        struct golden golden;
        readable = (golden_peek(&golden, suite->goldens, folders.names[i], scratch, ERROR_IGNORED) || !c) && readable;
        if (c && golden.recorded.import_file)
            used[used_count++] = golden.recorded.import_file;
        if (!golden.has_recorded || snapshot_is_link(golden.folder))
            continue;
        if (!c || c->is_gone)
            add_obsolete(results, arena_string(results->arena, folders.names[i]));
        else if (result)
            good = golden_find_superseded(golden.folder, result, scratch, &names, &name_count, err);
        for (size_t k = 0; good && k < name_count; k++)
            add_obsolete(results, arena_printf(results->arena, "%s/%s", result->name, names[k]));
    }
    good = good && (!readable || find_shared(suite, used, used_count, results, err));
    sort_items(results->obsolete, results->obsolete_count, sizeof *results->obsolete, compare_strings);
    return good;
}
