#define _GNU_SOURCE /* flock, realpath */

#include "base/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/file.h"
#include "base/path.h"

bool folder_make(const char *path, struct error *err)
{
    struct text inside = {0};
    text_addf(&inside, "%s/x", path);
    bool good = file_make_parent(text_string(&inside), err);
    text_release(&inside);
    return good;
}

/* Length of a path without its last part, and where that part begins. */
static size_t split(const char *path, const char **last)
{
    size_t end = strlen(path);
    while (end > 1 && path[end - 1] == '/')
        end--;
    while (end > 0 && path[end - 1] != '/')
        end--;
    *last = path + end;
    return end;
}

void folder_locate(const char *path, struct text *out)
{
    char real[PATH_MAX];
    const char *last;
    size_t length = split(path, &last);
    if (realpath(*path ? path : ".", real)) {
        text_add(out, real);
        return;
    }
    struct text parent = {0}, found = {0};
    text_add_bytes(&parent, length > 0 ? path : ".", length > 0 ? length : 1);
    if (*last)
        folder_locate(text_string(&parent), &found);
    path_join(text_string(&found), *last ? last : path, out);
    text_release(&parent);
    text_release(&found);
}

const char *folder_below(const char *path, const char *folder)
{
    size_t length = strcmp(folder, "/") == 0 ? 0 : strlen(folder);
    if (strncmp(path, folder, length) != 0 || (path[length] != '\0' && path[length] != '/'))
        return NULL;
    return path + length + (path[length] == '/');
}

bool folder_lock(const char *path, int *lock, struct error *err)
{
    struct text file = {0};
    text_addf(&file, "%s/.lock", path);
    *lock = open(text_string(&file), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    int reason = errno;
    text_release(&file);
    if (*lock < 0)
        return error_set(err, "cannot write into %s: %s", path, strerror(reason));
    if (flock(*lock, LOCK_EX | LOCK_NB) == 0)
        return true;
    close(*lock);
    *lock = -1;
    return error_set(err, "another run is writing into %s: wait for it, or choose another folder with -o", path);
}
