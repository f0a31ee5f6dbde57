#include "base/file/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/sort.h"

bool folder_make(const char *path, struct error *err)
{
    SCOPED(text) with_slash = {0};
    struct stat st;
    text_add(&with_slash, path);
    text_add(&with_slash, "/");
    bool good = file_make_parent(text_string(&with_slash), err);
    if (good && stat(path, &st) != 0)
        good = error_set(err, "cannot make the folder %s: %s", path, strerror(errno));
    else if (good && !S_ISDIR(st.st_mode))
        good = error_set(err, "cannot make the folder %s: a file has that name", path);
    return good;
}

/* Makes "/a/b" "/a", and "/a" "", which is the root here. */
static void leave_part(struct text *place)
{
    while (place->size > 0 && place->data[--place->size] != '/') {
    }
    if (place->data)
        place->data[place->size] = '\0';
}

/* As the kernel does it, but on to the end where something is not there. */
void folder_follow(const char *path, struct text *out, void (*found)(void *context, const char *link), void *context)
{
    enum { MOST_LINKS = 40 };
    char target[PATH_MAX];
    struct text place = {0}, rest = {0};
    if (*path != '/' && getcwd(target, sizeof target) && strcmp(target, "/") != 0)
        text_add(&place, target);
    text_add(&rest, path);
    for (size_t at = 0, links = 0, length; rest.data[at]; at += length + (rest.data[at + length] == '/')) {
        length = strcspn(rest.data + at, "/");
        if (length == 0 || (length == 1 && rest.data[at] == '.'))
            continue;
        if (length == 2 && strncmp(rest.data + at, "..", 2) == 0) {
            leave_part(&place);
            continue;
        }
        text_add(&place, "/");
        text_add_bytes(&place, rest.data + at, length);
        const ssize_t size = links < MOST_LINKS ? readlink(place.data, target, sizeof target) : -1;
        if (size <= 0)
            continue;
        struct text next = {0};
        if (found)
            found(context, place.data);
        links++;
        text_add_bytes(&next, target, (size_t)size);
        text_add(&next, rest.data + at + length);
        text_release(&rest);
        rest = next;
        place.size = *target == '/' ? 0 : place.size;
        leave_part(&place);
        at = length = 0;
    }
    text_add(out, place.size > 0 ? place.data : "/");
    text_release(&place);
    text_release(&rest);
}

void folder_locate(const char *path, struct text *out)
{
    folder_follow(path, out, NULL, NULL);
}

const char *folder_below(const char *path, const char *folder)
{
    size_t length = strcmp(folder, "/") == 0 ? 0 : strlen(folder);
    if (strncmp(path, folder, length) != 0 || (path[length] != '\0' && path[length] != '/'))
        return NULL;
    return path + length + (path[length] == '/');
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)status;
    (void)kind;
    (void)place;
    remove(path);
    return 0;
}

void folder_remove(const char *path)
{
    nftw(path, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

char *folder_make_temporary(struct error *err)
{
    const char *base = getenv("TMPDIR");
    struct text path = {0};
    text_addf(&path, "%s/rigproof-XXXXXX", base && *base == '/' ? base : "/tmp");
    if (mkdtemp(path.data))
        return path.data;
    error_set(err, "cannot make a folder %s: %s", path.data, strerror(errno));
    text_release(&path);
    return NULL;
}

int folder_lock(const char *path, struct error *err)
{
    SCOPED(text) name = {0};
    text_addf(&name, "%s/" FOLDER_LOCK, path);
    int fd = open(text_string(&name), O_RDONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
    if (fd < 0)
        error_set(err, "cannot make %s: %s", text_string(&name), strerror(errno));
    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        error_set(err, "another run is writing into %s; wait for it or use -o", path);
        close(fd);
        return -1;
    }
    return fd;
}

int folder_wait_lock(const char *path, struct error *err)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) {
        error_set(err, "cannot open the folder %s: %s", path, strerror(errno));
        return -1;
    }
    if (flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        log_note("another run is writing into %s: waiting for it", path);
        while (flock(fd, LOCK_EX) != 0 && errno == EINTR) {
        }
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

bool folder_list(const char *path, enum folder_kind kind, struct folder_names *out, struct error *err)
{
    *out = (struct folder_names){0};
    struct dirent *entry;
    DIR *entries = opendir(path);
    if (!entries)
        return errno == ENOENT || error_set(err, "cannot read the folder %s: %s", path, strerror(errno));
    while ((errno = 0, entry = readdir(entries))) {
        struct stat st;
        if (entry->d_name[0] == '.' || fstatat(dirfd(entries), entry->d_name, &st, 0) != 0 ||
            !(kind == FOLDER_FOLDERS ? S_ISDIR(st.st_mode) : S_ISREG(st.st_mode)))
            continue;
        out->names = memory_room(out->names, out->count, sizeof *out->names);
        out->names[out->count++] = memory_string(entry->d_name);
    }
    bool good = errno == 0 || error_set(err, "cannot read the folder %s: %s", path, strerror(errno));
    closedir(entries);
    sort_items(out->names, out->count, sizeof *out->names, compare_strings);
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

/* The name in the folder that is nearest to these letters, appended. */
static bool add_nearest(const char *folder, const char *name, size_t length, struct text *out)
{
    struct folder_names lists[2] = {0};
    char letters[256];
    size_t least = SIZE_MAX;
    const char *best = NULL;
    snprintf(letters, sizeof letters, "%.*s", (int)length, name);
    for (int kind = FOLDER_FILES; kind <= FOLDER_FOLDERS; kind++) {
        folder_list(*folder ? folder : ".", (enum folder_kind)kind, &lists[kind], ERROR_IGNORED);
        const char *near = name_nearest(letters, (const char *const *)lists[kind].names, lists[kind].count);
        if (near && name_distance(letters, near) < least) {
            least = name_distance(letters, near);
            best = near;
        }
    }
    text_add(out, best ? best : "");
    for (int kind = FOLDER_FILES; kind <= FOLDER_FOLDERS; kind++)
        folder_names_release(&lists[kind]);
    return best != NULL;
}

bool folder_suggest(const char *path, struct text *out)
{
    SCOPED(text) there = {0}, tried = {0};
    bool found = false;
    for (const char *part = path; *part && !found;) {
        const size_t slashes = strspn(part, "/"), length = strcspn(part + slashes, "/");
        struct stat st;
        tried.size = 0;
        text_add(&tried, text_string(&there));
        text_add_bytes(&tried, part, slashes + length);
        if (memchr(part, '*', slashes + length) || memchr(part, '?', slashes + length) ||
            memchr(part, '[', slashes + length))
            break;
        if (stat(text_string(&tried), &st) != 0) {
            text_add_bytes(&there, part, slashes);
            const size_t before = there.size;
            FREED char *folder = memory_string(text_string(&there));
            found = add_nearest(folder, part + slashes, length, &there);
            text_add(&there, found ? part + slashes + length : "");
            found = found && there.size > before;
            break;
        }
        text_add_bytes(&there, part, slashes + length);
        part += slashes + length;
    }
    text_add(out, found ? text_string(&there) : "");
    return found;
}
