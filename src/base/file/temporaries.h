#ifndef RIGPROOF_BASE_TEMPORARIES_H
#define RIGPROOF_BASE_TEMPORARIES_H

/*
 * The temporaries that this process is writing, so that none is left behind when it is stopped. What SIGKILL leaves stays:
 * a run of a suite clears it from its output folder.
 */

/*
 * Makes `<target>.new-XXXXXX` in a folder (AT_FDCWD: the working folder), readable as the umask says, and remembers it. The
 * descriptor; -1 with errno set. *name is the caller's to free, after temporaries_forget().
 */
int temporaries_create(int folder, const char *target, char **name);

/* It has been renamed or removed. The very pointer; NULL and unknown ones are fine. */
void temporaries_forget(const char *name);

/* Removes all that are remembered. Safe in a signal handler and from any thread; the process is to end then. */
void temporaries_remove(void);

/*
 * From now on SIGHUP, SIGINT and SIGTERM remove the temporaries, say so in a line on stderr, and then end the process as they
 * always do (exit code 128 + number in a shell); where they are ignored they stay ignored. SIGXFSZ is ignored, so that a
 * file that grows beyond the system's limit is an error of write(2), which names the file.
 */
void temporaries_catch_signals(void);

#endif
