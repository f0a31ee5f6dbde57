#define _GNU_SOURCE /* syncfs, sync_file_range */

#include "base/file/file_batch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/file/file_writer.h"
#include "base/file/path.h"
#include "base/memory.h"
#include "base/text.h"

/*
 * One syncfs() is one wait where fsync() of each file is one for each: of 15,000 files of 4 KB on ext4 0.8 s instead of
 * 8.5 s; while others write to the file system 3.1 s instead of 6.2 s. But it waits for other programs' data too: a few
 * files are faster synced alone.
 */
enum { FEW = 32 };

/*
 * File systems whose syncfs() writes all data to the disk, by their numbers of statfs(2). Others may not: FUSE does not
 * pass it on to its server.
 */
static const unsigned long synced_whole[] = {
    0xef53 /* ext2, ext3, ext4 */, 0x58465342 /* XFS */,       0x9123683e /* Btrfs */,     0xf2f52010 /* F2FS */,
    0x01021994 /* tmpfs */,        0x794c7630 /* overlayfs */, 0xca451a4e /* bcachefs */,
};

struct batch_system {
    dev_t device;
    int fd; /* of a file there */
    bool is_synced_whole;
    bool is_synced; /* just now */
};

struct batch_entry {
    struct batch_entry *next; /* older; while it is committed newer */
    char *temporary;          /* NULL: a file that is removed, or a folder */
    char *target;             /* NULL: a mark, or a folder */
    char *folder;             /* that was made for what follows; NULL */
    size_t system;
};

/* ---- what is added ----------------------------------------------------------------------------------------------- */

/* The batch whose temporaries are removed when a signal ends the process. */
static const struct file_batch *volatile watched;

/* A signal may come at any time: an entry is complete before it is in the list. */
static void push(struct file_batch *batch, struct batch_entry entry)
{
    struct batch_entry *copy = memory_new(1, sizeof *copy);
    *copy = entry;
    copy->next = batch->newest;
    *(struct batch_entry *volatile *)&batch->newest = copy;
    watched = batch;
}

static void free_entry(struct batch_entry *entry)
{
    free(entry->temporary);
    free(entry->target);
    free(entry->folder);
    free(entry);
}

/* The newest first: a folder after what is in it. Without memory being freed, as a signal handler needs it. */
static void undo(const struct batch_entry *entry)
{
    if (entry->temporary)
        unlink(entry->temporary);
    if (entry->folder)
        rmdir(entry->folder);
}

void file_batch_undo(void)
{
    for (const struct batch_entry *entry = watched ? watched->newest : NULL; entry; entry = entry->next)
        undo(entry);
}

void file_batch_disown(void)
{
    watched = NULL;
}

void file_batch_give_up(struct file_batch *batch, const struct batch_entry *newest)
{
    while (batch->newest != newest) {
        struct batch_entry *entry = batch->newest;
        undo(entry);
        batch->waiting -= entry->target && entry->temporary;
        batch->newest = entry->next;
        free_entry(entry);
    }
}

/* A signal that ends the process waits until what is made is in the list, or until all is renamed. */
static sigset_t hold_signals(void)
{
    sigset_t held, before;
    sigemptyset(&held);
    sigaddset(&held, SIGHUP);
    sigaddset(&held, SIGINT);
    sigaddset(&held, SIGTERM);
    sigprocmask(SIG_BLOCK, &held, &before);
    return before;
}

static bool make_folder(struct file_batch *batch, const char *path, struct error *err)
{
    struct text folder = {0};
    path_folder(path, &folder);
    const char *name = text_string(&folder);
    bool made = mkdir(name, 0777) == 0;
    bool good = made || errno == EEXIST || error_set(err, "cannot make the folder %s: %s", name, strerror(errno));
    if (made)
        push(batch, (struct batch_entry){.folder = memory_string(name)});
    text_release(&folder);
    return good;
}

/* Where a file was written to. */
static size_t find_system(struct file_batch *batch, const char *file)
{
    struct stat status = {0};
    struct statfs system = {0};
    size_t i = 0;
    stat(file, &status);
    while (i < batch->system_count && batch->systems[i].device != status.st_dev)
        i++;
    if (i < batch->system_count)
        return i;
    struct batch_system found = {.device = status.st_dev, .fd = open(file, O_RDONLY | O_CLOEXEC)};
    for (size_t k = 0; fstatfs(found.fd, &system) == 0 && k < sizeof synced_whole / sizeof synced_whole[0]; k++)
        found.is_synced_whole = found.is_synced_whole || (unsigned long)system.f_type == synced_whole[k];
    batch->systems = memory_grow(batch->systems, batch->system_count + 1, sizeof *batch->systems);
    batch->systems[batch->system_count++] = found;
    return i;
}

bool file_batch_add(struct file_batch *batch, const char *path, const void *data, size_t size, struct error *err)
{
    const struct batch_entry *before = batch->newest;
    const sigset_t mask = hold_signals();
    struct file_writer writer;
    bool good = make_folder(batch, path, err) && file_writer_open(&writer, path, err);
    if (good && writer.temporary)
        push(batch, (struct batch_entry){.temporary = memory_string(writer.temporary),
                                         .target = memory_string(writer.target),
                                         .system = find_system(batch, writer.temporary)});
    sigprocmask(SIG_SETMASK, &mask, NULL);
    if (good) {
        batch->waiting += writer.temporary != NULL;
        batch->bytes += size;
        good = file_writer_add(&writer, data, size, err);
        good = file_writer_leave(&writer, err) && good;
    }
    if (!good)
        file_batch_give_up(batch, before);
    return good;
}

/* Whether the file, renamed, is what a new one at `path` would be, in whose place is a file or nothing. */
static bool is_as_new(const struct stat *file, const char *path)
{
    struct stat there, folder = {0};
    struct text name = {0};
    path_folder(path, &name);
    bool good = stat(text_string(&name), &folder) == 0 && (lstat(path, &there) != 0 || S_ISREG(there.st_mode));
    text_release(&name);
    gid_t group = folder.st_mode & S_ISGID ? folder.st_gid : getegid();
    return good && S_ISREG(file->st_mode) && file->st_nlink == 1 && file->st_dev == folder.st_dev &&
           file->st_uid == geteuid() && file->st_gid == group;
}

bool file_batch_move(struct file_batch *batch, const char *path, const char *from)
{
    const struct batch_entry *before = batch->newest;
    struct error ignored = {0};
    struct stat file;
    const sigset_t mask = hold_signals();
    bool moves = lstat(from, &file) == 0 && make_folder(batch, path, &ignored) && is_as_new(&file, path);
    char *temporary = moves ? temporary_of_file(from, path) : NULL;
    if (temporary) {
        push(batch, (struct batch_entry){.temporary = temporary, .target = memory_string(path),
                                         .system = find_system(batch, temporary)});
        batch->waiting++;
        batch->bytes += (size_t)file.st_size;
    }
    sigprocmask(SIG_SETMASK, &mask, NULL);
    if (!temporary)
        file_batch_give_up(batch, before);
    return temporary != NULL;
}

void file_batch_remove(struct file_batch *batch, const char *path)
{
    push(batch, (struct batch_entry){.target = memory_string(path)});
}

void file_batch_mark(struct file_batch *batch, const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (fd < 0)
        return;
    close(fd);
    push(batch, (struct batch_entry){.temporary = memory_string(path)});
}

const char *file_batch_current(const struct file_batch *batch, const char *path)
{
    for (const struct batch_entry *entry = batch->newest; entry; entry = entry->next)
        if (entry->target && entry->temporary && strcmp(entry->target, path) == 0)
            return entry->temporary;
    return path;
}

/* ---- making it permanent ----------------------------------------------------------------------------------------- */

/*
 * After syncfs() there is nothing left to wait for, but it reports errors only since Linux 5.8, and not on every file
 * system: so each file is asked too.
 */
static bool is_on_disk(int fd, bool is_synced)
{
    if (is_synced && sync_file_range(fd, 0, 0, SYNC_FILE_RANGE_WAIT_AFTER) == 0)
        return true;
    return (!is_synced || errno == ENOSYS || errno == EINVAL || errno == ESPIPE) && fsync(fd) == 0;
}

static bool sync_data(struct file_batch *batch, struct error *err)
{
    for (size_t i = 0; i < batch->system_count; i++) {
        struct batch_system *system = &batch->systems[i];
        system->is_synced = batch->waiting > FEW && system->is_synced_whole && syncfs(system->fd) == 0;
    }
    for (const struct batch_entry *entry = batch->newest; entry; entry = entry->next) {
        if (!entry->target || !entry->temporary)
            continue;
        int fd = open(entry->temporary, O_RDONLY | O_CLOEXEC);
        bool good = fd >= 0 && is_on_disk(fd, batch->systems[entry->system].is_synced);
        int reason = errno;
        if (fd >= 0)
            close(fd);
        if (!good)
            return error_set(err, "cannot write %s: %s", entry->target, strerror(reason));
    }
    return true;
}

/* For file_batch_sync(). */
static void note_folder(struct file_batch *batch, const char *path)
{
    struct text folder = {0};
    path_folder(path, &folder);
    const char *last = batch->folder_count > 0 ? batch->folders[batch->folder_count - 1] : "";
    if (strcmp(last, text_string(&folder)) != 0) {
        batch->folders = memory_grow(batch->folders, batch->folder_count + 1, sizeof *batch->folders);
        batch->folders[batch->folder_count++] = memory_string(text_string(&folder));
    }
    text_release(&folder);
}

static bool put_in_place(struct file_batch *batch, struct batch_entry *entry, struct error *err)
{
    note_folder(batch, entry->folder ? entry->folder : entry->target);
    if (entry->folder)
        return true;
    if (!entry->temporary)
        return unlink(entry->target) == 0 || errno == ENOENT ||
               error_set(err, "cannot remove %s: %s", entry->target, strerror(errno));
    if (rename(entry->temporary, entry->target) != 0)
        return error_set(err, "cannot write %s: %s", entry->target, strerror(errno));
    batch->committed++;
    return true;
}

/* The oldest first; the marks last. */
static bool put_all(struct file_batch *batch, struct error *err)
{
    struct batch_entry *oldest = NULL, *marks = NULL;
    for (struct batch_entry *entry = batch->newest, *next; entry; entry = next) {
        struct batch_entry **list = entry->temporary && !entry->target ? &marks : &oldest;
        next = entry->next;
        entry->next = *list;
        *list = entry;
    }
    bool good = true;
    for (struct batch_entry *next; oldest; oldest = next) {
        next = oldest->next;
        good = good && put_in_place(batch, oldest, err);
        if (!good)
            undo(oldest);
        free_entry(oldest);
    }
    for (struct batch_entry *next; marks; marks = next) {
        next = marks->next;
        undo(marks);
        free_entry(marks);
    }
    batch->newest = NULL;
    batch->waiting = batch->bytes = 0;
    return good;
}

bool file_batch_commit(struct file_batch *batch, struct error *err)
{
    if (!sync_data(batch, err)) {
        file_batch_give_up(batch, NULL);
        return false;
    }
    const sigset_t mask = hold_signals();
    bool good = put_all(batch, err);
    sigprocmask(SIG_SETMASK, &mask, NULL);
    return good;
}

void file_batch_sync(struct file_batch *batch)
{
    bool all = batch->committed > FEW;
    for (size_t i = 0; all && i < batch->system_count; i++)
        all = batch->systems[i].is_synced_whole && syncfs(batch->systems[i].fd) == 0;
    for (size_t i = 0; i < batch->folder_count; i++) {
        int fd = all ? -1 : open(batch->folders[i], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (fd >= 0) {
            fsync(fd); /* some file systems have none for folders */
            close(fd);
        }
        free(batch->folders[i]);
    }
    batch->folder_count = batch->committed = 0;
}

void file_batch_release(struct file_batch *batch)
{
    file_batch_give_up(batch, NULL);
    watched = NULL;
    for (size_t i = 0; i < batch->folder_count; i++)
        free(batch->folders[i]);
    for (size_t i = 0; i < batch->system_count; i++)
        if (batch->systems[i].fd >= 0)
            close(batch->systems[i].fd);
    free(batch->folders);
    free(batch->systems);
    *batch = (struct file_batch){0};
}
