#include "base/file/path.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file/file.h"

/* Appends the parts of a path to out[start..]; ".." takes the last one back, unless that is a ".." too. */
static void add_parts(struct text *out, size_t start, const char *path)
{
    if (*path == '/' && out->size == start)
        text_add(out, "/");
    for (const char *part = path; *part;) {
        size_t length = strcspn(part, "/"), last = out->size;
        bool is_absolute = out->size > start && out->data[start] == '/';
        while (last > start && out->data[last - 1] != '/')
            last--;
        bool has_last = last < out->size && strcmp(out->data + last, "..") != 0;
        if (length == 2 && strncmp(part, "..", 2) == 0 && (has_last || is_absolute)) {
            out->size = !has_last ? out->size : last > start + 1 ? last - 1 : last;
            out->data[out->size] = '\0';
        } else if (length > 0 && !(length == 1 && part[0] == '.')) {
            if (out->size > start && out->data[out->size - 1] != '/')
                text_add(out, "/");
            text_add_bytes(out, part, length);
        }
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
    FREED char *real = realpath(path, NULL);
    bool good = true;
    if (!real || stat(real, &st) != 0)
        good = error_set(err, "cannot open the folder %s: %s", path, strerror(errno));
    else if (!S_ISDIR(st.st_mode))
        good = error_set(err, "%s is not a folder", path);
    else
        text_add(out, real);
    return good;
}

void path_relative(const char *from, const char *to, struct text *out)
{
    size_t start = out->size, same = 0, i = 0; /* bytes that both begin with, up to the end of a part */
    const char *a = strcmp(from, "/") == 0 ? "" : from, *b = strcmp(to, "/") == 0 ? "" : to;
    for (; a[i] && a[i] == b[i]; i++)
        same = a[i] == '/' ? i : same;
    if ((a[i] == '\0' || a[i] == '/') && (b[i] == '\0' || b[i] == '/'))
        same = i;
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
    SCOPED(text) real_from = {0}, real_to = {0};
    bool good = path_real_folder(from, &real_from, err) && path_real_folder(to, &real_to, err);
    if (good)
        path_relative(text_string(&real_from), text_string(&real_to), out);
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
