#pragma once

#include <stdbool.h>
#include <sys/types.h>

/* True when a shell here would start a program by that name: a file that may be run, or one of PATH. */
bool program_exists(const char *name);

/* Another program as a child, which dies with us (on Linux). */
struct program_start {
    /* NULL-terminated; the first is looked for in PATH, or where it has a slash from `folder` on */
    const char *const *argv;
    const char *folder;     /* to start it in; NULL: here */
    const char *const *env; /* "NAME=value" besides ours, NULL-terminated; NULL: nothing */
    int in, out, said;      /* its three streams, which stay the caller's; -1: /dev/null */
    bool leads;             /* a process group of its own */
};

/* Its pid, to be waited for; 0 with an errno in *reason where it could not be started. */
pid_t program_start(const struct program_start *how, int *reason);
