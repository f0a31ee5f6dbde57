#include "base/process/pool_queue.h"

#include <stdlib.h>
#include <string.h>

struct entry {
    const char *group;
    size_t task;
};

static int by_name(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    int order = x->group && y->group ? strcmp(x->group, y->group) : 0;
    return order ? order : (x->task > y->task) - (x->task < y->task);
}

/* A run of equal names in the sorted entries. */
struct run {
    size_t first, size;
    size_t task; /* its first */
};

static int by_size(const void *a, const void *b)
{
    const struct run *x = a, *y = b;
    int order = (x->size < y->size) - (x->size > y->size);
    return order ? order : (x->task > y->task) - (x->task < y->task);
}

static bool is_same_group(const struct entry *a, const struct entry *b)
{
    return a->group && b->group && strcmp(a->group, b->group) == 0;
}

static size_t find_runs(const struct entry *entries, size_t count, struct run *runs)
{
    size_t run_count = 0;
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || !is_same_group(&entries[i - 1], &entries[i]))
            runs[run_count++] = (struct run){.first = i, .task = entries[i].task};
        runs[run_count - 1].size++;
    }
    return run_count;
}

static void lay_out(struct pool_queue *queue, const struct entry *entries, const struct run *runs)
{
    size_t filled = 0;
    for (size_t g = 0; g < queue->group_count; g++) {
        queue->groups[g] = (struct pool_group){filled, filled + runs[g].size};
        for (size_t i = 0; i < runs[g].size; i++)
            queue->order[filled++] = entries[runs[g].first + i].task;
    }
}

bool pool_queue_create(struct pool_queue *queue, size_t task_count, const char *const *groups)
{
    *queue = (struct pool_queue){0};
    struct entry *entries = calloc(task_count + 1, sizeof *entries);
    struct run *runs = calloc(task_count + 1, sizeof *runs);
    queue->order = calloc(task_count + 1, sizeof *queue->order);
    queue->groups = calloc(task_count + 1, sizeof *queue->groups);
    bool good = entries && runs && queue->order && queue->groups;
    if (good) {
        for (size_t i = 0; i < task_count; i++)
            entries[i] = (struct entry){groups ? groups[i] : NULL, i};
        qsort(entries, task_count, sizeof *entries, by_name);
        queue->group_count = find_runs(entries, task_count, runs);
        qsort(runs, queue->group_count, sizeof *runs, by_size);
        lay_out(queue, entries, runs);
    }
    free(runs);
    free(entries);
    if (!good)
        pool_queue_release(queue);
    return good;
}

void pool_queue_release(struct pool_queue *queue)
{
    free(queue->order);
    free(queue->groups);
    *queue = (struct pool_queue){0};
}

static size_t rest(const struct pool_queue *queue, size_t group)
{
    return group < queue->group_count ? queue->groups[group].end - queue->groups[group].next : 0;
}

static size_t largest_rest(const struct pool_queue *queue)
{
    size_t largest = 0;
    for (size_t g = 1; g < queue->begun; g++)
        if (rest(queue, g) > rest(queue, largest))
            largest = g;
    return largest;
}

bool pool_queue_take(struct pool_queue *queue, struct pool_place *place, size_t *task)
{
    if (rest(queue, place->group) == 0) {
        bool helps = queue->begun >= queue->group_count;
        *place = (struct pool_place){helps ? largest_rest(queue) : queue->begun++, helps};
    }
    if (rest(queue, place->group) == 0)
        return false;
    struct pool_group *group = &queue->groups[place->group];
    *task = queue->order[place->helps ? --group->end : group->next++];
    return true;
}

void pool_queue_return(struct pool_queue *queue, const struct pool_place *place, size_t task)
{
    struct pool_group *group = &queue->groups[place->group];
    queue->order[place->helps ? group->end++ : --group->next] = task;
}
