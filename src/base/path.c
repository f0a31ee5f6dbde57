#define _XOPEN_SOURCE 700 /* realpath */

#include "base/path.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"

/* Where the last part of out[start..] begins, or the end when there is none that ".." could take back. */
static size_t last_part(const struct text *out, size_t start)
{
    size_t at = out->size;
    while (at > start && out->data[at - 1] != '/')
        at--;
    return strcmp(out->data + at, "..") == 0 ? out->size : at;
}

static void take_back(struct text *out, size_t at, size_t start)
{
    out->size = at > start + 1 ? at - 1 : at;
    out->data[out->size] = '\0';
}

static void add_part(struct text *out, size_t start, const char *part, size_t length)
{
    bool is_absolute = out->size > start && out->data[start] == '/';
    size_t last = out->size > start ? last_part(out, start) : out->size;
    if (length == 0 || (length == 1 && part[0] == '.'))
        return;
    if (length == 2 && strncmp(part, "..", 2) == 0 && (last < out->size || is_absolute)) {
        take_back(out, last, start);
        return;
    }
    if (out->size > start && out->data[out->size - 1] != '/')
        text_add(out, "/");
    text_add_bytes(out, part, length);
}

static void add_parts(struct text *out, size_t start, const char *path)
{
    if (*path == '/' && out->size == start)
        text_add(out, "/");
    for (const char *part = path; *part;) {
        size_t length = strcspn(part, "/");
        add_part(out, start, part, length);
        part += length + (part[length] == '/');
    }
}

void path_join(const char *folder, const char *name, struct text *out)
{
    size_t start = out->size;
    if (name[0] != '/')
        add_parts(out, start, folder);
    add_parts(out, start, name);
    if (out->size == start)
        text_add(out, ".");
}

/* The real path of a folder, with a slash at its end. */
static bool real_folder(const char *path, char out[static PATH_MAX + 1], struct error *err)
{
    struct stat st;
    if (!realpath(path, out) || stat(out, &st) != 0)
        return error_set(err, "cannot open the folder %s: %s", path, strerror(errno));
    if (!S_ISDIR(st.st_mode))
        return error_set(err, "%s is no folder", path);
    if (strcmp(out, "/") != 0)
        strcat(out, "/");
    return true;
}

bool path_between(const char *from, const char *to, struct text *out, struct error *err)
{
    char real_from[PATH_MAX + 1], real_to[PATH_MAX + 1];
    size_t start = out->size, same = 0;
    if (!real_folder(from, real_from, err) || !real_folder(to, real_to, err))
        return false;
    for (size_t i = 0; real_from[i] && real_from[i] == real_to[i]; i++)
        same = real_from[i] == '/' ? i + 1 : same;
    for (const char *c = real_from + same; *c; c++)
        if (*c == '/')
            text_add(out, out->size > start ? "/.." : "..");
    size_t rest = strlen(real_to + same);
    if (rest > 0)
        text_addf(out, "%s%.*s", out->size > start ? "/" : "", (int)rest - 1, real_to + same);
    if (out->size == start)
        text_add(out, ".");
    return true;
}

void path_folder(const char *path, struct text *out)
{
    size_t length = (size_t)(path_base(path) - path);
    if (length == 0)
        text_add(out, ".");
    else
        text_add_bytes(out, path, length > 1 ? length - 1 : 1);
}
