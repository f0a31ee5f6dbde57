#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file/file.h"
#include "base/file/folder.h"
#include "base/file/path.h"
#include "base/memory.h"
#include "base/sort.h"

enum { MOST_FILES = 20000, MOST_FOLDERS = 100000, DEEPEST = 64 };

struct search {
    const char *folder; /* that all is seen from */
    const char *pattern;
    size_t folders; /* that were listed */
    struct folder_names *out;
    struct error *err;
};

bool has_glob(const char *name)
{
    return strpbrk(name, "*?[") != NULL;
}

static void locate(const struct search *s, const char *path, struct text *out)
{
    out->size = 0;
    path_join(s->folder, *path ? path : ".", out);
}

static bool add_file(struct search *s, const char *path)
{
    SCOPED(text) full = {0};
    locate(s, path, &full);
    bool is_file = file_exists(text_string(&full));
    if (!is_file)
        return true;
    if (s->out->count == MOST_FILES)
        return error_set(s->err, "`%s` means more than %d files", s->pattern, MOST_FILES);
    s->out->names = memory_room(s->out->names, s->out->count, sizeof *s->out->names);
    s->out->names[s->out->count++] = memory_string(path);
    return true;
}

static bool walk(struct search *s, const char *path, const char *rest, int depth);

/* Each name of that kind in the folder `path` which matches, with what `rest` has behind it. */
static bool walk_names(struct search *s, const char *path, enum folder_kind kind, const char *match, const char *rest,
                       int depth)
{
    SCOPED(folder_names) names = {0};
    SCOPED(text) full = {0}, next = {0};
    struct stat st;
    const bool is_deep = strcmp(match, "**") == 0;
    locate(s, path, &full);
    bool good = (s->folders++ < MOST_FOLDERS && depth < DEEPEST) ||
                error_set(s->err, "`%s` means too many folders", s->pattern);
    good = good && folder_list(text_string(&full), kind, &names, s->err);
    for (size_t i = 0; good && i < names.count; i++) {
        next.size = 0;
        text_addf(&next, "%s%s%s", path, *path && strcmp(path, "/") != 0 ? "/" : "", names.names[i]);
        locate(s, text_string(&next), &full);
        bool is_link = is_deep && (lstat(text_string(&full), &st) != 0 || S_ISLNK(st.st_mode));
        if (is_deep ? !is_link : fnmatch(match, names.names[i], FNM_PERIOD) == 0)
            good = walk(s, text_string(&next), rest, depth + 1);
    }
    return good;
}

/* Adds what `rest` of the pattern means in `path`. */
static bool walk(struct search *s, const char *path, const char *rest, int depth)
{
    while (*rest == '/')
        rest++;
    if (*rest == '\0')
        return add_file(s, path);
    const size_t length = strcspn(rest, "/");
    FREED char *part = memory_new(length + 1, 1);
    memcpy(part, rest, length);
    const bool is_deep = strcmp(part, "**") == 0, is_last = rest[length] == '\0';
    const char *behind = is_deep && is_last ? "*" : rest + length;
    SCOPED(text) next = {0};
    bool good;
    if (is_deep)
        good = walk(s, path, behind, depth) && walk_names(s, path, FOLDER_FOLDERS, part, rest, depth);
    else if (has_glob(part))
        good = walk_names(s, path, is_last ? FOLDER_FILES : FOLDER_FOLDERS, part, behind, depth);
    else {
        text_addf(&next, "%s%s%s", path, *path && strcmp(path, "/") != 0 ? "/" : "", part);
        good = walk(s, text_string(&next), behind, depth);
    }
    return good;
}

bool folder_glob(const char *folder, const char *pattern, struct folder_names *out, struct error *err)
{
    struct search s = {.folder = folder, .pattern = pattern, .out = out, .err = err};
    size_t kept = 0;
    *out = (struct folder_names){0};
    const bool good = walk(&s, *pattern == '/' ? "/" : "", pattern, 0);
    sort_items(out->names, out->count, sizeof *out->names, compare_strings);
    for (size_t i = 0; i < out->count; i++)
        if (kept > 0 && strcmp(out->names[i], out->names[kept - 1]) == 0) /* by two ways of `**` */
            free(out->names[i]);
        else
            out->names[kept++] = out->names[i];
    out->count = kept;
    if (!good)
        folder_names_release(out);
    return good;
}
