#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"

/* Work in a child process that may crash, hang or eat memory without harm to the caller. */

enum child_end {
    CHILD_EXITED,   /* by itself: `status` is its exit status */
    CHILD_CRASHED,  /* by a signal: `status` is the signal */
    CHILD_TIMEOUT,  /* killed after the time limit */
    CHILD_NO_START, /* fork failed: `status` is errno */
};

struct child_result {
    enum child_end end;
    int status;
    char said[256]; /* the line of its stderr that says most, as it is (error_set() escapes it); "": nothing */
};

struct child_limits {
    double seconds;       /* wall clock, 0 = none */
    size_t memory_bytes;  /* address space on top of what the process has at the fork, 0 = none; not enforced under
                             AddressSanitizer */
    bool sandboxed;       /* can do little but read: sandbox_enter() */
};

/* A child that was started and not yet awaited. */
struct child {
    pid_t pid;         /* -1: it could not be started */
    int reason;        /* errno of that */
    int alive, says;   /* our ends of two pipes: one closes when it dies, the other is its stderr */
    double deadline;   /* of clock_seconds(); 0: none */
};

/*
 * Forks; the child runs `work(context)` and exits with what it returns. Its stdout is thrown away. What it leaves
 * behind must be in memory that is shared (arena_create()). Every child that is started must be awaited. child_run()
 * does both; between the two the caller may work, or start others.
 */
struct child child_start(int (*work)(void *context), void *context, const struct child_limits *limits);
struct child_result child_await(struct child *child);
struct child_result child_run(int (*work)(void *context), void *context, const struct child_limits *limits);

/*
* Every forked child of ours does this, at once after the fork from `parent`: it dies when the parent does (Linux),
 * dumps no core, disowns the parent's temporaries; fatal signals and SIGCHLD have their default action even under a
 * sanitizer, and so have SIGHUP, SIGINT and SIGTERM unless they are ignored.
 */
void child_begin(pid_t parent);

/* The status of its end as waitpid(2) gives it, -1 when it is no child of ours. */
int child_wait(pid_t pid);

/* Ends the process without exit handlers (a child's are its parent's), the counters of a coverage build written. */
_Noreturn void child_end(int status);

/*
 * Takes away from the child process what reading a file does not need (see SECURITY.md), for good, before it has
 * threads. A system call that would reach out of it (network, processes, writing) ends it with SIGSYS after a line on
 * stderr that names the call; any other that is not known to be needed fails with ENOSYS. Files but stdin, stdout,
 * stderr and `keep` are closed, none can be written to. What the system or the build does not offer is left out.
 */
void sandbox_enter(int keep);

/* Says whether a child can be kept from those system calls here; if not, `why` says what to do. Tries it in a child. */
bool sandbox_works(const char **why);

/* Seconds since some fixed time, for limits; never goes back. Nothing that is written out may depend on it. */
double clock_seconds(void);

/* Returns how long poll(2) is to wait until clock_seconds() is `deadline`, 0 ms to an hour: ask again then. */
int clock_poll_timeout(double deadline);

/* "SIGSEGV" for 11 and so on; "signal 63" for those without a common name, in `buffer`. */
const char *signal_name(int number, char buffer[static 16]);

/*
 * Limits on the process itself, for what runs in it and cannot be trusted to end: the GL driver with a user's shaders
 * (300 bytes of nested macros fill 25 GB), pictures, JSON. A thread looks 50 times a second; in between a process can
 * take some 100 MiB more. The system's own limits do not serve: RLIMIT_AS counts what is reserved, and with RLIMIT_DATA
 * the driver dies of a NULL, which cannot be told from a fault of its own. Memory is known on Linux only.
 */
struct limits {
    double seconds;    /* wall clock, from limits_watch() on; 0: none */
    double memory_mib; /* of this process, without those it starts; 0: none */
};

enum limit { LIMIT_TIME, LIMIT_MEMORY };

/* Begins to watch, once in a process. At the limit the temporaries are removed, then `reached` is called, as a rule in
 * the watching thread, to end the process by _exit(). False with err set when the thread cannot be started. */
bool limits_watch(const struct limits *limits, void (*reached)(enum limit limit), struct error *err);
