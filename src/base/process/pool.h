#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/process/schedule.h"
#include "base/text.h"

/*
 * Many tasks on a few worker processes. A worker may crash, hang or be killed: that is the end of its task alone, the
 * worker is replaced and the others go on. Which worker does what (base/process/schedule.h) depends on timing; what a
 * task gives must not.
 */

enum pool_end {
    POOL_DONE,    /* the task gave its text */
    POOL_CRASHED, /* the worker ended in it by a signal: `status` is the signal; or exited: `status` is -1 - exit code
                   */
    POOL_TIMEOUT, /* killed after the task's seconds */
    POOL_NOT_RUN, /* the run was stopped before (status: 0), or no worker could be started (status: errno) */
};

struct pool {
    size_t task_count;
    const struct schedule_task
        *tasks;                 /* [task_count] what decides their order; NULL: each its own group, all cost the same */
    unsigned workers;           /* at least 1 */
    double seconds;             /* a task may take; 0 = no limit. Counted from when the worker is handed it. */
    const double *task_seconds; /* [task_count] the same for each task; NULL: `seconds` for all */
    void *context;

    /* In the worker: `begin` once, with its first task (may be NULL; its value is handed to `run`), then `run` for each
     * task, whose text, at most 1 GiB, goes to the parent; `finish` (may be NULL) when there is nothing more to do; it
     * may take 10 s. What a worker prints on stdout goes to stderr, its stdin is empty. */
    void *(*begin)(void *context);
    void (*run)(void *context, void *state, size_t task, struct text *out);
    void (*finish)(void *context, void *state);

    /* In the parent, as tasks end, in no fixed order. `result` is empty unless the task is done, and valid during the
     * call. false: start no more tasks; those that run are waited for. */
    bool (*ended)(void *context, size_t task, enum pool_end end, int status, const struct text *result);
};

/*
 * Runs all; every task ends exactly once. SIGINT and SIGTERM in the parent stop the run: workers and what they started
 * are killed, the rest ends as POOL_NOT_RUN, and *interrupted is the first signal (else 0); where they are ignored they
 * stay ignored, and the handlers of before are back afterwards. Workers die with the parent (on Linux at once, with the
 * thread that called; elsewhere after their task). False with err set only when no worker can be started at all. One
 * run at a time in a process.
 */
bool pool_run(const struct pool *pool, int *interrupted, struct error *err);
