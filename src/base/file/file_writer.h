#ifndef RIGPROOF_BASE_FILE_WRITER_H
#define RIGPROOF_BASE_FILE_WRITER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/*
 * A file that is written piece by piece, for what is too long to be held in memory. As with file_write() a reader sees
 * the old content or the whole new one: pieces go into a temporary beside the file, which takes its place in the end.
 * What is no file (/dev/null, a pipe), and "-", which is stdout, gets the pieces as they come.
 */
struct file_writer {
    const char *path; /* not owned; as given, for messages */
    int folder;       /* that the next two are seen from: AT_FDCWD, or the writer's own */
    char *target;     /* the file to be replaced, links followed */
    char *temporary;  /* NULL: written in place */
    int fd;           /* -1 when closed */
};

/* False with err set when the file cannot be made; the writer is then closed. The folder must exist. */
bool file_writer_open(struct file_writer *writer, const char *path, struct error *err);

/* False with err set when a piece cannot be written. */
bool file_writer_add(struct file_writer *writer, const void *data, size_t size, struct error *err);

/*
 * Puts the new file in its place (fsync, rename) when `keep` is true, else takes it away. Whether it is there now: false
 * with err set when that failed, false when `keep` is. To be called once after each open, also after a failed add.
 */
bool file_writer_close(struct file_writer *writer, bool keep, struct error *err);

/*
 * As file_write(), for a file that is named from a folder which others may have filled (a repository that a pull request
 * changes). The folder itself may be a link; below it neither a folder of `name` nor the file may be one: false with err set.
 * Every part is opened from the one before, so that nobody can put a link in its place meanwhile. Folders of `name` are
 * made, the folder itself is not.
 */
bool file_write_below(const char *folder, const char *name, const void *data, size_t size, struct error *err);

/*
 * Temporaries are remembered, so that none is left behind when the process is stopped. What SIGKILL leaves stays: a run
 * of a suite clears it from its output folder.
 */

/* Removes all that the process is writing. Safe in a signal handler and from any thread; the process is to end then. */
void temporaries_remove(void);

/* In a forked child: they are the parent's. */
void temporaries_disown(void);

/*
 * From now on SIGHUP, SIGINT and SIGTERM remove the temporaries, say so in a line on stderr, and then end the process
 * as they always do (exit code 128 + number in a shell); where they are ignored they stay ignored. SIGXFSZ is ignored,
 * so that a file that grows beyond the system's limit is an error of write(2), which names the file.
 */
void temporaries_catch_signals(void);

#endif
