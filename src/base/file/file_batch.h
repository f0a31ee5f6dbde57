#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/*
 * file_write() of many files, which wait for the disk together. Each is written into a temporary beside its place;
 * file_batch_commit() has all of them on the disk before it renames the first, and goes on in the order in which they
 * were added, removals too. Wherever a process is killed or the power fails, each file is the old one or the new one;
 * what was not renamed stays as temporaries and empty folders. Begins as {0}.
 */
struct file_batch {
    struct batch_file *files; /* [count] in the order in which they are put in place */
    size_t count;
};

/* As file_write(), and makes the file's folder, whose parent must exist. False with err set: the batch is as before. */
bool file_batch_add(struct file_batch *batch, const char *path, const void *data, size_t size, struct error *err);

/* The same of a file that nobody else needs: it becomes the temporary itself where it is what a new one would be (on
 * that file system, of the same owner and group, with one name). False: it is as it was and has to be copied. */
bool file_batch_move(struct file_batch *batch, const char *path, const char *from);

/* Removes the file at the commit. It need not exist. */
void file_batch_remove(struct file_batch *batch, const char *path);

/* Writes what was added to its place and empties the batch. False with err set: when data could not be brought to the
 * disk, nothing was changed; when a file could not be put in its place, those before it are new. What was committed
 * survives a loss of power. */
bool file_batch_commit(struct file_batch *batch, struct error *err);

/* Gives up what was added and not committed, but the first `count`. With 0 all is freed. */
void file_batch_give_up(struct file_batch *batch, size_t count);
