#include "base/file/file_batch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file/file_writer.h"
#include "base/file/path.h"
#include "base/memory.h"
#include "base/text.h"

struct batch_file {
    char *temporary; /* NULL: the target is removed, or is in its place */
    char *target;
};

/* A folder that was made for nothing but a file that is given up goes too. */
static void remove_folder(const char *path)
{
    SCOPED(text) folder = {0};
    path_folder(path, &folder);
    rmdir(text_string(&folder));
}

void file_batch_give_up(struct file_batch *batch, size_t count)
{
    while (batch->count > count) {
        struct batch_file *file = &batch->files[--batch->count];
        if (file->temporary) {
            unlink(file->temporary);
            remove_folder(file->target);
        }
        free(file->temporary);
        free(file->target);
    }
    if (count == 0) {
        free(batch->files);
        batch->files = NULL;
    }
}

static void push(struct file_batch *batch, char *temporary, const char *target)
{
    batch->files = memory_room(batch->files, batch->count, sizeof *batch->files);
    batch->files[batch->count++] = (struct batch_file){temporary, memory_string(target)};
}

static bool make_folder(const char *path, struct error *err)
{
    SCOPED(text) folder = {0};
    path_folder(path, &folder);
    return mkdir(text_string(&folder), 0777) == 0 || errno == EEXIST ||
           error_set(err, "cannot make the folder %s: %s", text_string(&folder), strerror(errno));
}

bool file_batch_add(struct file_batch *batch, const char *path, const void *data, size_t size, struct error *err)
{
    const size_t before = batch->count;
    struct file_writer writer;
    if (!make_folder(path, err))
        return false;
    bool good = file_writer_open(&writer, path, err);
    if (good) {
        if (writer.temporary)
            push(batch, memory_string(writer.temporary), writer.target);
        good = file_writer_add(&writer, data, size, err);
        good = file_writer_leave(&writer, err) && good;
    }
    if (good)
        return true;
    file_batch_give_up(batch, before);
    remove_folder(path);
    return false;
}

/* Says whether the file, renamed, is what a new one at `path` would be, in whose place is a file or nothing. */
static bool is_as_new(const struct stat *file, const char *path)
{
    struct stat there, folder = {0};
    SCOPED(text) name = {0};
    path_folder(path, &name);
    bool good = stat(text_string(&name), &folder) == 0 && (lstat(path, &there) != 0 || S_ISREG(there.st_mode));
    gid_t group = folder.st_mode & S_ISGID ? folder.st_gid : getegid();
    return good && S_ISREG(file->st_mode) && file->st_nlink == 1 && file->st_dev == folder.st_dev &&
           file->st_uid == geteuid() && file->st_gid == group;
}

bool file_batch_move(struct file_batch *batch, const char *path, const char *from)
{
    struct stat file;
    if (lstat(from, &file) != 0 || !make_folder(path, ERROR_IGNORED))
        return false;
    char *temporary = is_as_new(&file, path) ? temporary_of_file(from, path) : NULL;
    if (temporary)
        push(batch, temporary, path);
    else
        remove_folder(path);
    return temporary != NULL;
}

void file_batch_remove(struct file_batch *batch, const char *path)
{
    push(batch, NULL, path);
}

/*
 * One syncfs() is one wait where fsync() of each file is one for each: of 15,000 files of 4 KB on ext4 0.8 s instead of
 * 8.5 s. Temporaries are on the file system of the folder that they are in; links may lead to others.
 */
static bool sync_file_systems(const struct file_batch *batch, struct error *err)
{
    dev_t synced = 0;
    SCOPED(text) folder = {0};
    bool good = true;
    for (size_t i = 0; good && i < batch->count; i++) {
        const char *target = batch->files[i].target;
        struct stat status;
        folder.size = 0;
        path_folder(target, &folder);
        if (stat(text_string(&folder), &status) != 0 || status.st_dev == synced)
            continue;
        const int fd = open(text_string(&folder), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        good = (fd >= 0 && syncfs(fd) == 0) || error_set(err, "cannot write %s: %s", target, strerror(errno));
        synced = status.st_dev;
        if (fd >= 0)
            close(fd);
    }
    return good;
}

static bool put_in_place(struct batch_file *file, struct error *err)
{
    if (!file->temporary && unlink(file->target) != 0 && errno != ENOENT)
        return error_set(err, "cannot remove %s: %s", file->target, strerror(errno));
    if (file->temporary && rename(file->temporary, file->target) != 0)
        return error_set(err, "cannot write %s: %s", file->target, strerror(errno));
    free(file->temporary);
    file->temporary = NULL;
    return true;
}

bool file_batch_commit(struct file_batch *batch, struct error *err)
{
    bool good = batch->count == 0 || sync_file_systems(batch, err);
    const bool is_written = good && batch->count > 0;
    for (size_t i = 0; good && i < batch->count; i++)
        good = put_in_place(&batch->files[i], err);
    if (is_written)
        sync_file_systems(batch, ERROR_IGNORED); /* the names are there; a loss of power may take them */
    file_batch_give_up(batch, 0);
    return good;
}
