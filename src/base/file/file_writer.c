#include "base/file/file_writer.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file/file.h"
#include "base/memory.h"
#include "base/stop_signals.h"
#include "base/text.h"

/* A film, a file of its own beside it, and more than enough besides. What is beyond is not removed. */
enum { MOST = 8 };

static struct {
    volatile int folder;
    const char *volatile name; /* NULL: free */
} slots[MOST];

static void forget(const char *name)
{
    for (int i = 0; i < MOST; i++)
        if (slots[i].name == name)
            slots[i].name = NULL;
}

void temporaries_remove(void)
{
    for (int i = 0; i < MOST; i++) {
        const char *name = slots[i].name;
        if (name)
            unlinkat(slots[i].folder, name, 0);
    }
}

void temporaries_disown(void)
{
    for (int i = 0; i < MOST; i++)
        slots[i].name = NULL;
}

static void stop(int number)
{
    const char *name = number == SIGHUP ? "SIGHUP" : number == SIGINT ? "SIGINT" : "SIGTERM";
    const char *const parts[] = {"error: stopped by ", name, "; what was not complete has been removed\n"};
    temporaries_remove();
    for (int i = 0; i < 3; i++)
        if (write(STDERR_FILENO, parts[i], strlen(parts[i])) < 0)
            break;
    raise(number); /* SA_RESETHAND: its own action, when this returns */
}

void temporaries_catch_signals(void)
{
    stop_signals_catch(stop, (int)SA_RESETHAND);
    signal(SIGXFSZ, SIG_IGN);
}

enum { TRIES = 100, LETTERS = 6 };

/* "<target>.new-" with room for the letters. */
static char *begin_name(const char *target)
{
    size_t size = strlen(target) + strlen(FILE_TEMPORARY) + LETTERS + 1;
    char *name = memory_new(size, 1);
    snprintf(name, size, "%s" FILE_TEMPORARY, target);
    return name;
}

static bool draw_letters(char *letters)
{
    static const char all[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    unsigned char bytes[LETTERS];
    bool good = getentropy(bytes, sizeof bytes) == 0;
    for (size_t k = 0; good && k < LETTERS; k++)
        letters[k] = all[bytes[k] % (sizeof all - 1)];
    return good;
}

char *temporary_of_file(const char *from, const char *target)
{
    char *name = begin_name(target);
    size_t length = strlen(name);
    bool moved = false;
    for (int i = 0; !moved && i < TRIES && draw_letters(name + length); i++) {
        moved = renameat2(AT_FDCWD, from, AT_FDCWD, name, RENAME_NOREPLACE) == 0;
        if (!moved && errno != EEXIST)
            break;
    }
    if (moved)
        return name;
    free(name);
    return NULL;
}

/*
 * Makes `<target>.new-XXXXXX`, readable as the umask says. Remembered before it is there: a signal in between finds
 * nothing to remove. The descriptor, -1 with errno set.
 */
static int create_temporary(struct file_writer *writer)
{
    int fd = -1, slot = 0;
    while (slot < MOST && slots[slot].name)
        slot++;
    memory_clean_up_by(temporaries_remove);
    writer->temporary = begin_name(writer->target);
    const size_t length = strlen(writer->temporary);
    for (int i = 0; fd < 0 && i < TRIES && draw_letters(writer->temporary + length); i++) {
        if (slot < MOST) {
            slots[slot].folder = writer->folder;
            slots[slot].name = writer->temporary;
        }
        fd = openat(writer->folder, writer->temporary, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (fd < 0)
            forget(writer->temporary);
        if (fd < 0 && errno != EEXIST)
            break;
    }
    return fd;
}

static bool is_stdout(const char *path)
{
    return strcmp(path, "-") == 0;
}

static bool fail(const struct file_writer *writer, struct error *err)
{
    const char *to = is_stdout(writer->path) ? "to stdout" : writer->path;
    return error_set(err, "cannot write %s: %s", to, strerror(errno));
}

static void release(struct file_writer *writer)
{
    if (writer->temporary)
        forget(writer->temporary);
    free(writer->temporary);
    free(writer->target);
    if (writer->folder >= 0)
        close(writer->folder);
    *writer = (struct file_writer){.path = writer->path, .folder = AT_FDCWD, .fd = -1};
}

/*
 * Only files are replaced, the file itself or the one that a link leads to: a rename over /dev/null or /dev/stdout
 * would put a file in place of the device or the link.
 */
bool file_writer_open(struct file_writer *writer, const char *path, struct error *err)
{
    struct stat st;
    bool is_new = lstat(path, &st) != 0; /* or a folder is missing: the message comes later */
    *writer = (struct file_writer){.path = path, .folder = AT_FDCWD, .fd = -1};
    writer->target = !is_new && S_ISLNK(st.st_mode) ? realpath(path, NULL) : memory_string(path);
    if (is_stdout(path))
        writer->fd = STDOUT_FILENO;
    else if (writer->target && (is_new || (stat(path, &st) == 0 && (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode)))))
        writer->fd = create_temporary(writer);
    else
        writer->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (writer->fd >= 0)
        return true;
    fail(writer, err);
    release(writer);
    return false;
}

bool file_writer_add(struct file_writer *writer, const void *data, size_t size, struct error *err)
{
    return write_all(writer->fd, data, size) || fail(writer, err);
}

bool file_writer_close(struct file_writer *writer, bool keep, struct error *err)
{
    bool good = keep;
    if (!is_stdout(writer->path)) {
        good = good && (!writer->temporary || writer->is_scratch || fsync(writer->fd) == 0);
        int reason = errno;
        bool closed = close(writer->fd) == 0;
        errno = good ? errno : reason;
        good = good && closed &&
               (!writer->temporary || renameat(writer->folder, writer->temporary, writer->folder, writer->target) == 0);
    }
    if (keep && !good)
        fail(writer, err);
    if (!good && writer->temporary)
        unlinkat(writer->folder, writer->temporary, 0);
    release(writer);
    return good;
}

bool file_writer_leave(struct file_writer *writer, struct error *err)
{
    bool good = is_stdout(writer->path) || close(writer->fd) == 0 || fail(writer, err);
    release(writer);
    return good;
}

bool file_write(const char *path, const void *data, size_t size, struct error *err)
{
    struct file_writer writer;
    if (!file_writer_open(&writer, path, err))
        return false;
    bool good = file_writer_add(&writer, data, size, err);
    return file_writer_close(&writer, good, err);
}

/* False with err set when a link is at the last part of name[0, length). */
static bool is_no_link(int at, const char *part, const char *folder, const char *name, size_t length, struct error *err)
{
    struct stat st;
    if (fstatat(at, part, &st, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISLNK(st.st_mode))
        return true;
    return error_set(err, "%s/%.*s is a link, and what goes into %s is not written through links: remove it", folder,
                     (int)length, name, folder);
}

/* The folder that `name` is in, made where it is not there. -1 with err set. */
static int open_parent_below(const char *folder, const char *name, struct error *err)
{
    int at = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (at < 0)
        error_set(err, "cannot open the folder %s: %s", folder, strerror(errno));
    for (const char *slash = strchr(name, '/'); slash && at >= 0; slash = strchr(slash + 1, '/')) {
        SCOPED(text) way = {0};
        text_add_bytes(&way, name, (size_t)(slash - name));
        const char *part = path_base(text_string(&way));
        bool leads_out = strcmp(part, "..") == 0;
        bool made = !leads_out && (mkdirat(at, part, 0777) == 0 || errno == EEXIST);
        int fd = made ? openat(at, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
        int reason = errno;
        if (leads_out)
            error_set(err, "%s leads out of %s", name, folder);
        else if (fd < 0 && is_no_link(at, part, folder, name, way.size, err))
            error_set(err, "cannot make the folder %s/%s: %s", folder, text_string(&way), strerror(reason));
        close(at);
        at = fd;
    }
    return at;
}

static bool open_below(struct file_writer *writer, const char *folder, const char *name, struct error *err)
{
    struct stat st;
    int at = open_parent_below(folder, name, err);
    if (at < 0)
        return false;
    writer->folder = at;
    writer->target = memory_string(path_base(name));
    if (!is_no_link(at, writer->target, folder, name, strlen(name), err))
        return false;
    if (fstatat(at, writer->target, &st, AT_SYMLINK_NOFOLLOW) == 0 && !S_ISREG(st.st_mode))
        return error_set(err, "cannot write %s/%s: it exists and is not a file", folder, name);
    writer->fd = create_temporary(writer);
    return writer->fd >= 0 || fail(writer, err);
}

bool file_write_below(const char *folder, const char *name, const void *data, size_t size, struct error *err)
{
    SCOPED(text) path = {0};
    text_addf(&path, "%s/%s", folder, name);
    struct file_writer writer = {.path = text_string(&path), .folder = AT_FDCWD, .fd = -1, .is_scratch = true};
    bool good = open_below(&writer, folder, name, err);
    if (good) {
        good = file_writer_add(&writer, data, size, err);
        good = file_writer_close(&writer, good, err);
    }
    release(&writer);
    return good;
}

bool file_link_below(const char *folder, const char *name, const char *as)
{
    int from = open_parent_below(folder, name, ERROR_IGNORED), to = open_parent_below(folder, as, ERROR_IGNORED);
    bool good = from >= 0 && to >= 0 && linkat(from, path_base(name), to, path_base(as), 0) == 0;
    if (from >= 0)
        close(from);
    if (to >= 0)
        close(to);
    return good;
}
