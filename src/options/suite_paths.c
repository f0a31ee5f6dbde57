#include "options/suite_paths.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file/file.h"
#include "base/file/folder.h"
#include "base/file/git_index.h"
#include "base/file/path.h"

/* The folder that a path is in: "/a/b" -> "/a" -> "/", and "a" -> ".". False where there is none above. */
static bool climb(char *path)
{
    char *slash = strrchr(path, '/');
    bool is_top = strcmp(path, "/") == 0 || strcmp(path, ".") == 0;
    if (slash)
        slash[slash == path] = '\0';
    else
        strcpy(path, ".");
    return !is_top;
}

/* The folder upwards that holds `.git`, into root. */
static bool find_repository(const char *folder, char root[static PATH_MAX])
{
    char git[PATH_MAX + 8];
    bool has_git;
    strcpy(root, folder);
    do {
        snprintf(git, sizeof git, "%s/.git", root);
        has_git = access(git, F_OK) == 0;
    } while (!has_git && climb(root));
    return has_git;
}

bool suite_paths_open(struct suite_paths *paths, const char *suite_path, bool allow_outside, struct arena *arena,
                      struct error *err)
{
    char real[PATH_MAX], root[PATH_MAX];
    SCOPED(text) folder = {0};
    path_folder(suite_path, &folder);
    *paths = (struct suite_paths){.folder = arena_string(arena, text_string(&folder))};
    if (allow_outside)
        return true;
    if (!realpath(paths->folder, real))
        return error_set(err, "cannot resolve %s: %s", paths->folder, strerror(errno));
    if (find_repository(real, root))
        paths->what = "the suite's repository";
    else if (getcwd(root, sizeof root) && strcmp(root, "/") != 0 && folder_below(real, root))
        paths->what = "the working directory (no .git is above the suite)";
    else {
        strcpy(root, real);
        paths->what = "the suite's folder (no .git is above it)";
    }
    paths->root = arena_string(arena, root);
    return true;
}

static bool fail_outside(const struct suite_paths *paths, const char *name, struct error *err)
{
    return error_set(err, "`%s` is outside of %s, %s; --allow-outside permits it", name, paths->root, paths->what);
}

static char *join(const struct suite_paths *paths, const char *name, struct arena *arena)
{
    if (name[0] == '/' || strcmp(paths->folder, ".") == 0)
        return arena_string(arena, name);
    if (strcmp(name, ".") == 0)
        return arena_string(arena, paths->folder);
    bool at_root = strcmp(paths->folder, "/") == 0;
    return arena_printf(arena, "%s/%s", at_root ? "" : paths->folder, name);
}

char *suite_paths_file(const struct suite_paths *paths, const char *name, struct arena *arena, bool *absent,
                       struct error *err)
{
    char real[PATH_MAX];
    char *path = join(paths, name, arena);
    bool good = false;
    *absent = !realpath(path, real) || !file_exists(real);
    if (!realpath(path, real) && errno == ENOENT)
        error_set(err, "there is no file `%s` (seen from the suite's folder)", name);
    else if (!realpath(path, real))
        error_set(err, "`%s`: %s", name, strerror(errno));
    else if (paths->root && !folder_below(real, paths->root))
        *absent = fail_outside(paths, name, err);
    else if (*absent)
        error_set(err, "`%s` is not a file that can be read", name);
    else
        good = true;
    if (!good)
        return NULL;
    /*
     * The shortest name of the same file, for people to read: "suites/../models/a.glb" -> "models/a.glb", by the
     * letter; where `suites` is a link that is another place, and nothing is changed.
     */
    char short_real[PATH_MAX];
    SCOPED(text) joined = {0};
    path_join("", path, &joined);
    if (realpath(text_string(&joined), short_real) && strcmp(short_real, real) == 0)
        path = arena_string(arena, text_string(&joined));
    return path;
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
        climb(part);
    }
    const char *rest = strcmp(part, ".") == 0 ? path : path + strlen(part);
    for (const char *climb = strstr(rest, ".."); climb; climb = strstr(climb + 2, ".."))
        if ((climb == rest || climb[-1] == '/') && (climb[2] == '/' || climb[2] == '\0'))
            return error_set(err, "`%s` leads up from a folder that does not exist", path);
    return true;
}

char *suite_paths_folder(const struct suite_paths *paths, const char *name, struct arena *arena, struct error *err)
{
    char real[PATH_MAX];
    struct stat st;
    char *path = join(paths, name, arena);
    for (size_t n = strlen(path); n > 1 && path[n - 1] == '/';)
        path[--n] = '\0';
    bool good = resolve_beginning(path, real, err);
    if (good && paths->root && !folder_below(real, paths->root))
        good = fail_outside(paths, name, err);
    if (good && stat(path, &st) == 0 && !S_ISDIR(st.st_mode))
        good = error_set(err, "`%s` is not a folder", name);
    return good ? path : NULL;
}

struct way_in {
    char root[PATH_MAX];
    struct text link;
};

static void note_link(void *context, const char *link)
{
    struct way_in *way = context;
    if (folder_below(link, way->root) && way->link.size == 0)
        text_add(&way->link, link);
}

bool suite_paths_are_own(const char *inside, const char *path, bool is_trusted, struct error *err)
{
    struct way_in way = {.link = {0}};
    SCOPED(text) here = {0}, place = {0};
    bool good = true;
    folder_locate(inside, &here);
    if (here.size < PATH_MAX && find_repository(here.data, way.root)) {
        folder_follow(path, &place, note_link, &way);
        const char *below = folder_below(place.data, way.root);
        good = way.link.size > 0
                   ? error_set(err, "%s is a link, which a commit may have put into %s", way.link.data, way.root)
                   : !is_trusted || !below || git_leaves_alone(way.root, below, err);
    }
    text_release(&way.link);
    return good;
}
