#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* file_write() piece by piece, for what is too long to be held in memory. What is no file (/dev/null, a pipe), and "-",
 * which is stdout, gets the pieces as they come. */
struct file_writer {
    const char *path; /* not owned; as given, for messages */
    int folder;       /* that the next two are seen from: AT_FDCWD, or the writer's own */
    char *target;     /* the file to be replaced, links followed */
    char *temporary;  /* NULL: written in place */
    int fd;           /* -1 when closed */
    bool is_scratch;  /* not synced: after a loss of power it may be the old file, the new one or empty */
};

/* False with err set when the file cannot be made; the writer is then closed. The folder must exist. */
bool file_writer_open(struct file_writer *writer, const char *path, struct error *err);

/* False with err set when a piece cannot be written. */
bool file_writer_add(struct file_writer *writer, const void *data, size_t size, struct error *err);

/* Puts the new file in its place when `keep` is true, else takes it away; true when it is there, with err set when that
 * failed. To be called once after each open, also after a failed add. */
bool file_writer_close(struct file_writer *writer, bool keep, struct error *err);

/* Closes the file and leaves its temporary, not synced. False with err set when that failed. */
bool file_writer_leave(struct file_writer *writer, struct error *err);

/*
 * Scratch that a rerun makes again (candidates, reports), so that it waits for no disk: a process that is killed leaves
 * the old file or the new one, but a loss of power may leave an empty one. Otherwise file_write(), of a file named from
 * a folder which others may have filled (a repository that a pull request changes). The folder, which must exist, may
 * be a link; below it neither a folder of `name`, which is made, nor the file may be one. Every part is opened from the
 * one before, so that nobody can put a link in its place meanwhile.
 */
bool file_write_below(const char *folder, const char *name, const void *data, size_t size, struct error *err);

/* Gives that file a second name, as a hard link, where nothing has it yet: two names of what is never written in place.
 * False: it has to be written again. */
bool file_link_below(const char *folder, const char *name, const char *as);

/* Renames `from` to be a temporary of `target`, whose name is the caller's. NULL with errno set: nothing was done. */
char *temporary_of_file(const char *from, const char *target);

/* Removes all that the process is writing, but for what file_writer_leave() left. Safe in a signal handler and from any
 * thread; the process is to end then. */
void temporaries_remove(void);

/* In a forked child: they are the parent's. */
void temporaries_disown(void);

/*
 * From now on SIGHUP, SIGINT and SIGTERM, unless they are ignored, remove the temporaries, say so on stderr, and then
 * end the process as always. SIGXFSZ is ignored, so that a file that grows too large is an error of write(2), which
 * names it.
 */
void temporaries_catch_signals(void);
