#define _GNU_SOURCE /* realpath, lstat */

#include "suite/file/suite_paths.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file/file.h"

/* ---- the tree -------------------------------------------------------------------------------------------------- */

static const char *folder_of(const char *path, struct arena *arena)
{
    const char *base = path_base(path);
    if (base == path)
        return ".";
    size_t length = (size_t)(base - path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    return arena_printf(arena, "%.*s", (int)length, path);
}

static bool holds_git(const char *folder)
{
    char path[PATH_MAX + 8];
    snprintf(path, sizeof path, "%s/.git", folder);
    return access(path, F_OK) == 0;
}

/* Cuts the last part off: "/a/b" -> "/a" -> "/". False when there is none. */
static bool go_up(char *folder)
{
    char *slash = strrchr(folder, '/');
    if (!slash || folder[1] == '\0')
        return false;
    slash[slash == folder] = '\0';
    return true;
}

static bool is_inside(const char *root, const char *real)
{
    size_t n = strlen(root);
    return n == 1 || (strncmp(real, root, n) == 0 && (real[n] == '/' || real[n] == '\0'));
}

static void choose_root(struct suite_paths *paths, const char *folder, struct arena *arena)
{
    char up[PATH_MAX], here[PATH_MAX];
    strcpy(up, folder);
    do
        if (holds_git(up)) {
            paths->root = arena_string(arena, up);
            paths->what = "the suite's repository";
            return;
        }
    while (go_up(up));
    bool from_here = getcwd(here, sizeof here) && strcmp(here, "/") != 0 && is_inside(here, folder);
    paths->root = arena_string(arena, from_here ? here : folder);
    paths->what = from_here ? "the working directory (no .git is above the suite)"
                            : "the suite's folder (no .git is above it)";
}

bool suite_paths_open(struct suite_paths *paths, const char *suite_path, bool allow_outside, struct arena *arena,
                      struct error *err)
{
    char real[PATH_MAX];
    *paths = (struct suite_paths){.folder = folder_of(suite_path, arena)};
    if (allow_outside)
        return true;
    if (!realpath(paths->folder, real))
        return error_set(err, "cannot resolve %s: %s", paths->folder, strerror(errno));
    choose_root(paths, real, arena);
    return true;
}

static bool fail_outside(const struct suite_paths *paths, const char *name, struct error *err)
{
    return error_set(err, "`%s` is outside of %s, %s; --allow-outside permits it", name, paths->root, paths->what);
}

/* ---- what the suite names -------------------------------------------------------------------------------------- */

static char *join(const struct suite_paths *paths, const char *name, struct arena *arena)
{
    if (name[0] == '/' || strcmp(paths->folder, ".") == 0)
        return arena_string(arena, name);
    if (strcmp(name, ".") == 0)
        return arena_string(arena, paths->folder);
    bool at_root = strcmp(paths->folder, "/") == 0;
    return arena_printf(arena, "%s/%s", at_root ? "" : paths->folder, name);
}

/* "suites/../models/a.glb" -> "models/a.glb", by the letter: where `suites` is a link that is another place. */
static void drop_ways_back(const char *path, char *out)
{
    size_t size = 0, firm = 0; /* what ".." cannot take back */
    out[0] = '\0';
    if (*path == '/')
        out[size++] = '/', firm = 1;
    for (const char *part = path + strspn(path, "/"); *part; part += strspn(part, "/")) {
        size_t length = strcspn(part, "/");
        bool is_back = length == 2 && strncmp(part, "..", 2) == 0;
        if (is_back && size > firm) {
            while (size > firm && out[size - 1] != '/')
                size--;
            size -= size > firm;
        } else if (!(length == 1 && *part == '.')) {
            if (size > 0 && out[size - 1] != '/')
                out[size++] = '/';
            memcpy(out + size, part, length);
            size += length;
            firm = is_back ? size : firm;
        }
        part += length;
    }
    out[size] = '\0';
}

/* The shortest name of the same file, for people to read. */
static char *shorten(char *path, const char *real, struct arena *arena)
{
    char short_real[PATH_MAX];
    char *out = ARENA_NEW(arena, char, strlen(path) + 2);
    drop_ways_back(path, out);
    return realpath(out, short_real) && strcmp(short_real, real) == 0 ? out : path;
}

char *suite_paths_file(const struct suite_paths *paths, const char *name, struct arena *arena, struct error *err)
{
    char real[PATH_MAX];
    char *path = join(paths, name, arena);
    bool good = false;
    if (!realpath(path, real) && errno == ENOENT)
        error_set(err, "there is no file `%s` (seen from the suite's folder)", name);
    else if (!realpath(path, real))
        error_set(err, "`%s`: %s", name, strerror(errno));
    else if (paths->root && !is_inside(paths->root, real))
        fail_outside(paths, name, err);
    else if (!file_exists(real))
        error_set(err, "`%s` is not a file that can be read", name);
    else
        good = true;
    return good ? shorten(path, real, arena) : NULL;
}

static bool climbs(const char *path)
{
    for (const char *part = path; *part; part += *part == '/') {
        size_t length = strcspn(part, "/");
        if (length == 2 && strncmp(part, "..", 2) == 0)
            return true;
        part += length;
    }
    return false;
}

/*
 * The real path of the longest part of `path` that exists. What does not exist yet must be plain names: neither a link
 * that leads nowhere yet, nor a way back up.
 */
static bool resolve_beginning(const char *path, char real[static PATH_MAX], struct error *err)
{
    char part[PATH_MAX];
    struct stat st;
    size_t length = strlen(path);
    if (length >= sizeof part)
        return error_set(err, "the path is too long");
    memcpy(part, path, length + 1);
    while (!realpath(part, real)) {
        if (errno != ENOENT)
            return error_set(err, "`%s`: %s", path, strerror(errno));
        if (lstat(part, &st) == 0)
            return error_set(err, "`%s` is a link that leads nowhere", part);
        char *slash = strrchr(part, '/');
        if (slash)
            slash[slash == part] = '\0';
        else
            strcpy(part, ".");
    }
    const char *rest = strcmp(part, ".") == 0 ? path : path + strlen(part);
    return !climbs(rest) || error_set(err, "`%s` leads up from a folder that does not exist", path);
}

char *suite_paths_folder(const struct suite_paths *paths, const char *name, struct arena *arena, struct error *err)
{
    char real[PATH_MAX];
    struct stat st;
    char *path = join(paths, name, arena);
    for (size_t n = strlen(path); n > 1 && path[n - 1] == '/';)
        path[--n] = '\0';
    bool good = resolve_beginning(path, real, err);
    if (good && paths->root && !is_inside(paths->root, real))
        good = fail_outside(paths, name, err);
    if (good && stat(path, &st) == 0 && !S_ISDIR(st.st_mode))
        good = error_set(err, "`%s` is not a folder", name);
    return good ? path : NULL;
}
