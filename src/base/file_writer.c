#define _GNU_SOURCE /* realpath, mkstemp, asprintf */

#include "base/file_writer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

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

/* mkstemp makes 0600; a result is as readable as any file the user makes. */
static void apply_umask(int fd)
{
    mode_t mask = umask(0);
    umask(mask);
    fchmod(fd, 0666 & ~mask);
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

static int open_temporary(struct file_writer *writer)
{
    if (asprintf(&writer->temporary, "%s" FILE_TEMPORARY "XXXXXX", writer->target) < 0) {
        writer->temporary = NULL;
        return -1;
    }
    int fd = mkstemp(writer->temporary);
    if (fd >= 0)
        apply_umask(fd);
    return fd;
}

static void release(struct file_writer *writer)
{
    free(writer->target);
    free(writer->temporary);
    *writer = (struct file_writer){.path = writer->path, .fd = -1};
}

bool file_writer_open(struct file_writer *writer, const char *path, struct error *err)
{
    *writer = (struct file_writer){.path = path, .fd = -1};
    if (is_stdout(path))
        writer->fd = STDOUT_FILENO;
    else if (is_replaceable(path, &writer->target))
        writer->fd = open_temporary(writer);
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
        good = good && (!writer->temporary || fsync(writer->fd) == 0);
        int reason = errno;
        bool closed = close(writer->fd) == 0;
        errno = good ? errno : reason;
        good = good && closed && (!writer->temporary || rename(writer->temporary, writer->target) == 0);
    }
    if (keep && !good)
        fail(writer, err);
    if (!good && writer->temporary)
        unlink(writer->temporary);
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
