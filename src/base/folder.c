#define _GNU_SOURCE /* flock, O_DIRECTORY, O_NOFOLLOW */

#include "base/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"

bool folder_make(const char *path, struct error *err)
{
    struct text with_slash = {0};
    struct stat st;
    text_add(&with_slash, path);
    text_add(&with_slash, "/");
    bool good = file_make_parent(text_string(&with_slash), err);
    text_release(&with_slash);
    if (good && stat(path, &st) != 0)
        good = error_set(err, "cannot make the folder %s: %s", path, strerror(errno));
    else if (good && !S_ISDIR(st.st_mode))
        good = error_set(err, "cannot make the folder %s: a file has that name", path);
    return good;
}

/* ---- the lock ------------------------------------------------------------------------------------------------ */

int folder_lock(const char *path, struct error *err)
{
    struct text name = {0};
    text_addf(&name, "%s/.lock", path);
    int fd = open(text_string(&name), O_RDONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
    if (fd < 0)
        error_set(err, "cannot make %s: %s", text_string(&name), strerror(errno));
    text_release(&name);
    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        error_set(err, "another run is writing into %s; wait for it or use -o", path);
        close(fd);
        return -1;
    }
    return fd;
}

void folder_unlock(int lock)
{
    if (lock < 0)
        return;
    flock(lock, LOCK_UN); /* for forked processes too: they share it */
    close(lock);
}

/* ---- removing ------------------------------------------------------------------------------------------------ */

enum { FOLDER_FLAGS = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, DEEPEST = 64 };

static bool is_dots(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

static bool remove_entry(int folder, const char *name, dev_t device, int depth);

/* Closes `folder`. */
static bool remove_content(int folder, dev_t device, int depth)
{
    DIR *entries = fdopendir(folder);
    if (!entries) {
        close(folder);
        return false;
    }
    bool good = true;
    struct dirent *entry;
    while (good && (errno = 0, entry = readdir(entries)))
        good = is_dots(entry->d_name) || remove_entry(folder, entry->d_name, device, depth);
    int reason = errno;
    closedir(entries);
    errno = reason;
    return good && reason == 0;
}

/* False with errno set. */
static bool remove_entry(int folder, const char *name, dev_t device, int depth)
{
    struct stat st;
    if (fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
        return errno == ENOENT;
    if (!S_ISDIR(st.st_mode))
        return unlinkat(folder, name, 0) == 0 || errno == ENOENT;
    errno = st.st_dev != device ? EXDEV : ENAMETOOLONG;
    if (st.st_dev != device || depth >= DEEPEST)
        return false;
    int inner = openat(folder, name, FOLDER_FLAGS);
    return inner >= 0 && remove_content(inner, device, depth + 1) && unlinkat(folder, name, AT_REMOVEDIR) == 0;
}

static bool stays_inside(const char *path)
{
    size_t parts = 0;
    for (const char *part = path; *part; part += *part == '/') {
        size_t length = strcspn(part, "/");
        if ((length == 1 || length == 2) && strncmp(part, "..", length) == 0)
            return false;
        parts += length > 0;
        part += length;
    }
    return path[0] != '/' && parts > 0;
}

/* Opens the folder that holds the last part of `path`, through no link, and cuts that part out: `*last`. */
static int open_holder(const char *root, char *path, char **last)
{
    int folder = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    char *rest = NULL;
    *last = strtok_r(path, "/", &rest);
    for (char *next; folder >= 0 && (next = strtok_r(NULL, "/", &rest)); *last = next) {
        int inner = openat(folder, *last, FOLDER_FLAGS);
        int reason = errno;
        close(folder);
        errno = reason;
        folder = inner;
    }
    return folder;
}

/* False with errno set. */
static bool remove_below(const char *root, char *path)
{
    struct stat st;
    char *last;
    int folder = open_holder(root, path, &last);
    if (folder < 0)
        return errno == ENOENT;
    bool good = fstat(folder, &st) == 0 && remove_entry(folder, last, st.st_dev, 0);
    int reason = errno;
    close(folder);
    errno = reason;
    return good;
}

bool folder_remove_tree(const char *root, const char *path, struct error *err)
{
    if (!stays_inside(path))
        return error_set(err, "cannot remove %s: it is not inside the folder %s", path, root);
    char *copy = strdup(path);
    bool good = copy && remove_below(root, copy);
    int reason = errno;
    free(copy);
    return good || error_set(err, "cannot remove %s/%s: %s", root, path, strerror(reason));
}

/* ---- listing ------------------------------------------------------------------------------------------------- */

static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool is_of_kind(int folder, const char *name, enum folder_kind kind)
{
    struct stat st;
    if (name[0] == '.' || fstatat(folder, name, &st, 0) != 0)
        return false;
    return kind == FOLDER_FOLDERS ? S_ISDIR(st.st_mode) : S_ISREG(st.st_mode);
}

static bool add_name(struct folder_names *out, const char *name)
{
    if ((out->count & (out->count - 1)) == 0) { /* full: the capacity is the next power of two */
        size_t capacity = out->count ? 2 * out->count : 1;
        char **names = realloc(out->names, capacity * sizeof *names);
        if (!names)
            return false;
        out->names = names;
    }
    out->names[out->count] = strdup(name);
    return out->names[out->count++] != NULL;
}

static bool read_names(DIR *entries, enum folder_kind kind, struct folder_names *out)
{
    struct dirent *entry;
    while ((errno = 0, entry = readdir(entries)))
        if (is_of_kind(dirfd(entries), entry->d_name, kind) && !add_name(out, entry->d_name))
            return false;
    return errno == 0;
}

bool folder_list(const char *path, enum folder_kind kind, struct folder_names *out, struct error *err)
{
    *out = (struct folder_names){0};
    DIR *entries = opendir(path);
    if (!entries)
        return errno == ENOENT || error_set(err, "cannot read the folder %s: %s", path, strerror(errno));
    bool good = read_names(entries, kind, out) ||
                error_set(err, "cannot read the folder %s: %s", path, strerror(errno));
    closedir(entries);
    if (good && out->count > 1)
        qsort(out->names, out->count, sizeof *out->names, by_bytes);
    if (!good)
        folder_names_release(out);
    return good;
}

void folder_names_release(struct folder_names *names)
{
    for (size_t i = 0; i < names->count; i++)
        free(names->names[i]);
    free(names->names);
    *names = (struct folder_names){0};
}
