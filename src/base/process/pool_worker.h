#ifndef RIGPROOF_BASE_POOL_WORKER_H
#define RIGPROOF_BASE_POOL_WORKER_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/process/pool.h"

/* One worker process: the part of `pool` that knows processes and sockets. */

struct worker {
    pid_t pid; /* its own process group; 0: there is none */
    int socket;
    bool begun; /* it has taken up the task it was handed */
    struct text result;
};

/* Forks. False with errno set when the system refuses. `worker` must have no process; `closed` are the parent's descriptors, which
 * the worker must not hold open. */
bool worker_start(struct worker *worker, const struct pool *pool, const int *closed, size_t closed_count);

/* Hands over a task. That the worker may be dead is found out later, by worker_listen(). */
void worker_hand(struct worker *worker, size_t task);

/* No more tasks: the worker finishes and ends. */
void worker_dismiss(struct worker *worker);

enum worker_news {
    WORKER_SILENT,
    WORKER_REPLIED, /* `result` is complete, until the next task is handed over */
    WORKER_LOST,    /* it has closed its end, or says too much: see worker_end() */
};

/* Reads what has come, without waiting. */
enum worker_news worker_listen(struct worker *worker);

/* Whether the process is dead: its socket may be held open by what it started. */
bool worker_is_dead(const struct worker *worker);

/* Kills the worker and all it started, at once and without waiting. */
void worker_kill(const struct worker *worker);

/* Kills, waits for the end and frees everything. The status as waitpid(2) gives it. */
int worker_end(struct worker *worker);

#endif
