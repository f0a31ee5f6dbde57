#ifndef RIGPROOF_BASE_POOL_QUEUE_H
#define RIGPROOF_BASE_POOL_QUEUE_H

#include <stdbool.h>
#include <stddef.h>

/* Which task is next: the part of `pool` that knows groups. */

/* Tasks of a group not yet taken: order[next .. end). */
struct pool_group {
    size_t next, end;
};

struct pool_queue {
    size_t *order; /* tasks, group by group: largest group first, ties by first task; in a group as they came */
    struct pool_group *groups;
    size_t group_count;
    size_t begun; /* groups before this one have been begun */
};

/* A worker's place between two tasks. Begin with POOL_NOWHERE. */
struct pool_place {
    size_t group;
    bool helps; /* another worker began the group: take from its end */
};

#define POOL_NOWHERE ((struct pool_place){.group = (size_t)-1})

/*
 * `groups` as in struct pool. False when out of memory; `order` is NULL then. Freed by pool_queue_release().
 */
bool pool_queue_create(struct pool_queue *queue, size_t task_count, const char *const *groups);
void pool_queue_release(struct pool_queue *queue);

/*
 * The next task for the worker at `place`, which moves: the rest of its group; else the largest group that nobody has
 * begun; else the last task of the group with the largest rest. False when every task is taken.
 */
bool pool_queue_take(struct pool_queue *queue, struct pool_place *place, size_t *task);

/* Gives back the task that was taken last at `place`. */
void pool_queue_return(struct pool_queue *queue, const struct pool_place *place, size_t task);

#endif
