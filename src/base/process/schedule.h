#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Says which task a worker does next, so that all workers end at about the same time. Tasks of one group share a setup
 * (the import of a model): a worker that has begun a group goes on with it, the longest task first; then it begins the
 * largest group that nobody has begun; then it helps with the largest rest, where that is more than the setup. A task
 * as long as each worker's share of all that is left would end last, alone: it is begun at once, whatever group it is
 * of (longest processing time first: R. L. Graham, "Bounds on multiprocessing timing anomalies", 1969).
 */

struct schedule_task {
    size_t group;   /* below the number of tasks */
    uint64_t cost;  /* expected; in any unit */
    uint64_t setup; /* expected, in the same unit, of beginning its group; the same for all of a group */
};

struct schedule;

/* Copies the tasks. */
struct schedule *schedule_create(const struct schedule_task *tasks, size_t count, size_t workers);
void schedule_destroy(struct schedule *schedule);

/* False when nothing is left that this worker should do. */
bool schedule_take(struct schedule *schedule, size_t worker, size_t *task);

/* The worker cannot begin what it took: it can be taken again, by this worker or another. */
void schedule_return(struct schedule *schedule, size_t worker, size_t task);

bool schedule_is_taken(const struct schedule *schedule, size_t task);
