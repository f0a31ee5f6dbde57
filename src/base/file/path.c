#define _XOPEN_SOURCE 700 /* realpath */

#include "base/file/path.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file/file.h"

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

bool path_real_folder(const char *path, struct text *out, struct error *err)
{
    struct stat st;
    char *real = realpath(path, NULL);
    bool good = true;
    if (!real || stat(real, &st) != 0)
        good = error_set(err, "cannot open the folder %s: %s", path, strerror(errno));
    else if (!S_ISDIR(st.st_mode))
        good = error_set(err, "%s is no folder", path);
    else
        text_add(out, real);
    free(real);
    return good;
}

/* Bytes that both begin with, up to the end of a part. */
static size_t common_length(const char *a, const char *b)
{
    size_t same = 0, i = 0;
    for (; a[i] && a[i] == b[i]; i++)
        same = a[i] == '/' ? i : same;
    bool ends_a = a[i] == '\0' || a[i] == '/', ends_b = b[i] == '\0' || b[i] == '/';
    return ends_a && ends_b ? i : same;
}

void path_relative(const char *from, const char *to, struct text *out)
{
    size_t start = out->size;
    const char *a = strcmp(from, "/") == 0 ? "" : from, *b = strcmp(to, "/") == 0 ? "" : to;
    size_t same = common_length(a, b);
    for (const char *c = a + same; *c; c++)
        if (*c == '/')
            text_add(out, out->size > start ? "/.." : "..");
    if (b[same])
        text_addf(out, "%s%s", out->size > start ? "/" : "", b + same + 1);
    if (out->size == start)
        text_add(out, ".");
}

bool path_between(const char *from, const char *to, struct text *out, struct error *err)
{
    struct text real_from = {0}, real_to = {0};
    bool good = path_real_folder(from, &real_from, err) && path_real_folder(to, &real_to, err);
    if (good)
        path_relative(text_string(&real_from), text_string(&real_to), out);
    text_release(&real_from);
    text_release(&real_to);
    return good;
}

void path_folder(const char *path, struct text *out)
{
    size_t length = (size_t)(path_base(path) - path);
    if (length == 0)
        text_add(out, ".");
    else
        text_add_bytes(out, path, length > 1 ? length - 1 : 1);
}
