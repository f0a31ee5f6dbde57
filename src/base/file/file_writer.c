#define _GNU_SOURCE /* realpath, openat */

#include "base/file/file_writer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file/file.h"
#include "base/file/temporaries.h"
#include "base/text.h"

static bool is_stdout(const char *path)
{
    return strcmp(path, "-") == 0;
}

static bool fail(const struct file_writer *writer, struct error *err)
{
    return error_set(err, "cannot write %s%s: %s", is_stdout(writer->path) ? "to " : "",
                     is_stdout(writer->path) ? "stdout" : writer->path, strerror(errno));
}

static bool write_all(int fd, const char *data, size_t size)
{
    while (size > 0) {
        ssize_t n = write(fd, data, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return false;
        data += n;
        size -= (size_t)n;
    }
    return true;
}

/*
 * Only files are replaced: a rename over /dev/null or /dev/stdout would put a file in place of the device or the link.
 * `target` is the file itself or the one that a link leads to.
 */
static bool is_replaceable(const char *path, char **target)
{
    struct stat st;
    bool is_new = lstat(path, &st) != 0; /* or a folder is missing: the message comes later */
    *target = !is_new && S_ISLNK(st.st_mode) ? realpath(path, NULL) : strdup(path);
    return *target && (is_new || (stat(path, &st) == 0 && (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode))));
}

static void release(struct file_writer *writer)
{
    temporaries_forget(writer->temporary);
    free(writer->temporary);
    free(writer->target);
    if (writer->folder >= 0)
        close(writer->folder);
    *writer = (struct file_writer){.path = writer->path, .folder = AT_FDCWD, .fd = -1};
}

bool file_writer_open(struct file_writer *writer, const char *path, struct error *err)
{
    *writer = (struct file_writer){.path = path, .folder = AT_FDCWD, .fd = -1};
    if (is_stdout(path))
        writer->fd = STDOUT_FILENO;
    else if (is_replaceable(path, &writer->target))
        writer->fd = temporaries_create(AT_FDCWD, writer->target, &writer->temporary);
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

static bool place(const struct file_writer *writer)
{
    return renameat(writer->folder, writer->temporary, writer->folder, writer->target) == 0;
}

bool file_writer_close(struct file_writer *writer, bool keep, struct error *err)
{
    bool good = keep;
    if (!is_stdout(writer->path)) {
        good = good && (!writer->temporary || fsync(writer->fd) == 0);
        int reason = errno;
        bool closed = close(writer->fd) == 0;
        errno = good ? errno : reason;
        good = good && closed && (!writer->temporary || place(writer));
    }
    if (keep && !good)
        fail(writer, err);
    if (!good && writer->temporary)
        unlinkat(writer->folder, writer->temporary, 0);
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

/* ---- below a folder ---------------------------------------------------------------------------------------------- */

static bool fail_link(const char *folder, const char *name, size_t length, struct error *err)
{
    return error_set(err, "%s/%.*s is a link, and what goes into %s is not written through links: remove it", folder, (int)length,
                     name, folder);
}

/* From a folder into one of it, which is made where it is missing; `length` of `name` is the way there. Closes `from`. */
static int enter(int from, const char *folder, const char *name, size_t length, struct error *err)
{
    struct text way = {0};
    struct stat st;
    text_add_bytes(&way, name, length);
    const char *part = path_base(text_string(&way));
    bool leads_out = strcmp(part, "..") == 0;
    bool made = !leads_out && (mkdirat(from, part, 0777) == 0 || errno == EEXIST);
    int fd = made ? openat(from, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
    int reason = errno;
    if (leads_out)
        error_set(err, "%s leads out of %s", name, folder);
    else if (fd < 0 && fstatat(from, part, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(st.st_mode))
        fail_link(folder, name, length, err);
    else if (fd < 0)
        error_set(err, "cannot make the folder %s/%s: %s", folder, text_string(&way), strerror(reason));
    close(from);
    text_release(&way);
    return fd;
}

/* A file or nothing is at the place: no link, and no folder, pipe or device. */
static bool check_target(const struct file_writer *writer, const char *folder, const char *name, struct error *err)
{
    struct stat st;
    if (fstatat(writer->folder, writer->target, &st, AT_SYMLINK_NOFOLLOW) != 0 || S_ISREG(st.st_mode))
        return true;
    if (S_ISLNK(st.st_mode))
        return fail_link(folder, name, strlen(name), err);
    return error_set(err, "cannot write %s/%s: it is there and is no file", folder, name);
}

static bool open_below(struct file_writer *writer, const char *folder, const char *name, struct error *err)
{
    int at = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (at < 0)
        return error_set(err, "cannot open the folder %s: %s", folder, strerror(errno));
    for (const char *slash = strchr(name, '/'); slash && at >= 0; slash = strchr(slash + 1, '/'))
        at = enter(at, folder, name, (size_t)(slash - name), err);
    if (at < 0)
        return false;
    writer->folder = at;
    writer->target = strdup(path_base(name));
    if (!writer->target || !check_target(writer, folder, name, err))
        return false;
    writer->fd = temporaries_create(at, writer->target, &writer->temporary);
    return writer->fd >= 0 || fail(writer, err);
}

bool file_write_below(const char *folder, const char *name, const void *data, size_t size, struct error *err)
{
    struct text path = {0};
    text_addf(&path, "%s/%s", folder, name);
    struct file_writer writer = {.path = text_string(&path), .folder = AT_FDCWD, .fd = -1};
    bool good = open_below(&writer, folder, name, err);
    if (good) {
        good = file_writer_add(&writer, data, size, err);
        good = file_writer_close(&writer, good, err);
    } else {
        release(&writer);
    }
    text_release(&path);
    return good;
}
