#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/error.h"

/*
 * Another program that reads what we write: no shell, its stderr kept for the message when it fails. It dies with us
 * (on Linux). While it runs SIGPIPE is ignored. One at a time.
 */
struct pipe_to {
    pid_t pid; /* 0: none */
    int input; /* -1: closed */
    FILE *said;
    const char *name;
};

/* argv[0] is looked for in PATH; NULL-terminated. Its output is ours where `is_shown`, else thrown away. False with err
 * set when it cannot be started; but where there is no such program `missing` is, and err is left to the caller. */
bool pipe_to_start(struct pipe_to *pipe, const char *const *argv, bool is_shown, bool *missing, struct error *err);

/* False when it does not read any more: pipe_to_finish() says why. */
bool pipe_to_write(struct pipe_to *pipe, const void *data, size_t size);

/* Says that this was all, waits for its end. False with err set, "NAME: its last line", unless it ends with 0. */
bool pipe_to_finish(struct pipe_to *pipe, struct error *err);

/* Ends it without ado. Nothing to do when it is not running. */
void pipe_to_abandon(struct pipe_to *pipe);
