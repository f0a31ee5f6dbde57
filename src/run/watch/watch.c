#include "run/watch/watch.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "base/file/path.h"
#include "base/memory.h"
#include "base/process/process.h"
#include "base/stop_signals.h"

/* A pause of QUIET is the end of a save; who writes without pause is looked at after LONGEST. Seconds. */
static const double quiet = 0.04, longest = 1.0;

static const uint32_t events =
    IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO | IN_CREATE | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;

/* More changes than these, such as by a branch that was checked out, are not looked at one by one. */
enum { MOST_CHANGES = 1000 };

struct folder {
    int id;
    char *path;
};

struct watch {
    int fd;
    struct folder *folders;
    size_t count;
};

void changes_add(struct changes *changes, const char *path, bool is_folder)
{
    size_t at = 0;
    while (at < changes->count && strcmp(changes->items[at].path, path) < 0)
        at++;
    if (at < changes->count && strcmp(changes->items[at].path, path) == 0) {
        changes->items[at].is_folder = changes->items[at].is_folder || is_folder;
        return;
    }
    changes->items = memory_grow(changes->items, changes->count + 1, sizeof *changes->items);
    memmove(&changes->items[at + 1], &changes->items[at], (changes->count++ - at) * sizeof *changes->items);
    changes->items[at] = (struct change){memory_string(path), is_folder};
}

void changes_release(struct changes *changes)
{
    for (size_t i = 0; i < changes->count; i++)
        free(changes->items[i].path);
    free(changes->items);
    *changes = (struct changes){0};
}

struct watch *watch_create(struct error *err)
{
    int fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (fd < 0) {
        error_set(err, "cannot watch files: %s%s", strerror(errno),
                  errno == EMFILE ? " (sysctl fs.inotify.max_user_instances)" : "");
        return NULL;
    }
    struct watch *watch = memory_new(1, sizeof *watch);
    watch->fd = fd;
    return watch;
}

static void forget(struct folder *folders, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(folders[i].path);
    free(folders);
}

void watch_destroy(struct watch *watch)
{
    if (!watch)
        return;
    close(watch->fd);
    forget(watch->folders, watch->count);
    free(watch);
}

static const char *find(const struct folder *folders, size_t count, int id)
{
    for (size_t i = 0; i < count; i++)
        if (folders[i].id == id)
            return folders[i].path;
    return NULL;
}

/* A folder is known by its inode: a path that leads to another one now has another id, and who moved away is let go. */
bool watch_folders(struct watch *watch, const char *const *folders, size_t count, struct error *err)
{
    struct folder *now = memory_new(count + 1, sizeof *now);
    size_t found = 0;
    bool good = true;
    for (size_t i = 0; good && i < count; i++) {
        SCOPED(text) path = {0};
        int id;
        text_add(&path, folders[i]);
        while ((id = inotify_add_watch(watch->fd, path.data, events)) < 0 && strcmp(path.data, "/") != 0 &&
               (errno == ENOENT || errno == ENOTDIR || errno == EACCES)) {
            struct text above = {0};
            path_folder(path.data, &above);
            text_release(&path);
            path = above;
        }
        good = id >= 0 ||
               error_set(err, "cannot watch %s: %s%s", folders[i], strerror(errno),
                         errno == ENOSPC ? "; sysctl fs.inotify.max_user_watches raises the limit, --filter takes "
                                           "fewer cases"
                                         : "");
        if (good && !find(now, found, id)) {
            now[found++] = (struct folder){id, path.data};
            path.data = NULL;
        }
    }
    for (size_t i = 0; good && i < watch->count; i++)
        if (!find(now, found, watch->folders[i].id))
            inotify_rm_watch(watch->fd, watch->folders[i].id); /* fails for one that is gone */
    forget(watch->folders, watch->count);
    watch->folders = now;
    watch->count = found;
    return good;
}

/* Reads events; returns whether there was anything. */
static bool read_events(struct watch *watch, struct changes *changes)
{
    _Alignas(struct inotify_event) char bytes[1 << 16];
    bool any = false;
    for (ssize_t size; (size = read(watch->fd, bytes, sizeof bytes)) > 0;)
        for (ssize_t at = 0; at < size;) {
            const struct inotify_event *event = (const void *)(bytes + at);
            const char *folder = find(watch->folders, watch->count, event->wd);
            at += (ssize_t)(sizeof *event + event->len);
            changes->everything =
                changes->everything || (event->mask & (IN_Q_OVERFLOW | IN_UNMOUNT)) || changes->count >= MOST_CHANGES;
            any = any || changes->everything;
            if (!folder || (event->mask & IN_IGNORED) || changes->count >= MOST_CHANGES)
                continue;
            SCOPED(text) path = {0};
            path_join(folder, event->len > 0 ? event->name : "", &path);
            changes_add(changes, path.data, event->len == 0 || (event->mask & IN_ISDIR));
            any = true;
        }
    return any;
}

/* A signal that comes between the look at *stop and the wait is not lost: it is let in by the wait alone. */
bool watch_wait(struct watch *watch, double seconds, const volatile sig_atomic_t *stop, struct changes *changes,
                struct error *err)
{
    const double begin = clock_seconds();
    double first = 0;
    const sigset_t held = stop_signals_set();
    sigset_t before;
    sigprocmask(SIG_BLOCK, &held, &before);
    while (!*stop) {
        struct pollfd fd = {.fd = watch->fd, .events = POLLIN};
        if (read_events(watch, changes) && first == 0)
            first = clock_seconds();
        const double now = clock_seconds();
        double left = first > 0 ? quiet : seconds < 0 ? -1 : begin + seconds > now ? begin + seconds - now : 0;
        const struct timespec time = {.tv_sec = (time_t)left, .tv_nsec = (long)((left - (double)(time_t)left) * 1e9)};
        if (first > 0 && now - first > longest)
            break;
        int ready = ppoll(&fd, 1, left < 0 ? NULL : &time, &before);
        if (ready == 0 ||
            (ready < 0 && errno != EINTR && !error_set(err, "cannot wait for files: %s", strerror(errno))))
            break;
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    return !error_is_set(err);
}
