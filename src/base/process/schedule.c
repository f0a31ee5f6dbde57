#include "base/process/schedule.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/sort.h"

#define NO_GROUP SIZE_MAX

struct task {
    struct schedule_task is;
    size_t at;    /* its place in `order` */
    size_t place; /* its place in `longest` */
    bool taken;
};

struct group {
    size_t next, end; /* in `order`; what is before `next` is taken */
    uint64_t rest;    /* the costs of those not taken */
    uint64_t setup;
    size_t left;  /* how many those are */
    bool begun;
};

struct schedule {
    size_t count, worker_count;
    struct task *tasks;
    size_t *order;        /* tasks by group, the longest first */
    size_t *longest;      /* all, the longest first */
    struct group *groups; /* by number */
    size_t *largest;      /* groups, the largest first */
    size_t group_count;
    size_t next_longest;  /* in `longest`; what is before is taken */
    size_t next_largest;  /* in `largest`; what is before is begun or done */
    size_t *held;         /* [worker_count] the group that each goes on with, or NO_GROUP */
    uint64_t rest;        /* the costs of all tasks not taken */
};

struct sorted {
    uint64_t cost;
    size_t group, number;
};

static int by_cost(const void *a, const void *b)
{
    const struct sorted *x = a, *y = b;
    if (x->cost != y->cost)
        return x->cost < y->cost ? 1 : -1;
    return (x->number > y->number) - (x->number < y->number);
}

static int by_group(const void *a, const void *b)
{
    const struct sorted *x = a, *y = b;
    return x->group != y->group ? (x->group > y->group) - (x->group < y->group) : by_cost(a, b);
}

/* The groups as ranges of `order`. */
static void make_groups(struct schedule *s, const struct sorted *sorted)
{
    for (size_t i = 0; i < s->count; i++) {
        struct task *task = &s->tasks[sorted[i].number];
        struct group *group = &s->groups[task->is.group];
        s->order[i] = sorted[i].number;
        task->at = i;
        if (group->left++ == 0) {
            group->next = i;
            group->setup = task->is.setup;
            s->largest[s->group_count++] = task->is.group;
        }
        group->rest += task->is.cost;
        group->end = i + 1;
    }
}

struct schedule *schedule_create(const struct schedule_task *tasks, size_t count, size_t workers)
{
    struct schedule *s = memory_new(1, sizeof *s);
    FREED struct sorted *sorted = memory_new(count, sizeof *sorted);
    *s = (struct schedule){
        .count = count, .worker_count = workers, .tasks = memory_new(count, sizeof *s->tasks),
        .order = memory_new(count, sizeof *s->order), .longest = memory_new(count, sizeof *s->longest),
        .groups = memory_new(count, sizeof *s->groups), .largest = memory_new(count, sizeof *s->largest),
        .held = memory_new(workers, sizeof *s->held)};
    for (size_t i = 0; i < workers; i++)
        s->held[i] = NO_GROUP;
    for (size_t i = 0; i < count; i++) {
        s->tasks[i].is = tasks[i];
        s->rest += tasks[i].cost;
        sorted[i] = (struct sorted){tasks[i].cost, tasks[i].group, i};
    }
    sort_items(sorted, count, sizeof *sorted, by_group);
    make_groups(s, sorted);
    sort_items(sorted, count, sizeof *sorted, by_cost);
    for (size_t i = 0; i < count; i++) {
        s->longest[i] = sorted[i].number;
        s->tasks[sorted[i].number].place = i;
    }
    for (size_t i = 0; i < s->group_count; i++) { /* of groups as large the one with the first task */
        const struct group *group = &s->groups[s->largest[i]];
        size_t first = s->order[group->next];
        for (size_t k = group->next; k < group->end; k++)
            first = s->order[k] < first ? s->order[k] : first;
        sorted[i] = (struct sorted){group->rest + group->setup, s->largest[i], first};
    }
    sort_items(sorted, s->group_count, sizeof *sorted, by_cost);
    for (size_t i = 0; i < s->group_count; i++)
        s->largest[i] = sorted[i].group;
    return s;
}

void schedule_destroy(struct schedule *s)
{
    if (!s)
        return;
    free(s->tasks);
    free(s->order);
    free(s->longest);
    free(s->groups);
    free(s->largest);
    free(s->held);
    free(s);
}

/* For a worker whose group has nothing left. */
static size_t next_group(struct schedule *s)
{
    size_t best = NO_GROUP;
    while (s->next_largest < s->group_count && (s->groups[s->largest[s->next_largest]].begun ||
                                                s->groups[s->largest[s->next_largest]].left == 0))
        s->next_largest++;
    if (s->next_largest < s->group_count)
        return s->largest[s->next_largest];
    for (size_t i = 0; i < s->worker_count; i++) {
        const struct group *group = s->held[i] == NO_GROUP ? NULL : &s->groups[s->held[i]];
        if (group && group->left > 0 && group->rest > group->setup &&
            (best == NO_GROUP || group->rest > s->groups[best].rest))
            best = s->held[i];
    }
    return best;
}

bool schedule_take(struct schedule *s, size_t worker, size_t *out)
{
    size_t number = s->held[worker];
    if (number == NO_GROUP || s->groups[number].left == 0)
        number = next_group(s);
    if (number == NO_GROUP)
        return false;
    s->held[worker] = number;
    struct group *group = &s->groups[number];
    group->begun = true;
    while (s->tasks[s->order[group->next]].taken)
        group->next++;
    while (s->tasks[s->longest[s->next_longest]].taken)
        s->next_longest++;
    struct task *task = &s->tasks[s->order[group->next]], *longest = &s->tasks[s->longest[s->next_longest]];
    if (longest->is.cost >= s->rest / s->worker_count && longest->is.cost > task->is.cost + longest->is.setup)
        task = longest;
    task->taken = true;
    s->rest -= task->is.cost;
    s->groups[task->is.group].rest -= task->is.cost;
    s->groups[task->is.group].left--;
    *out = (size_t)(task - s->tasks);
    return true;
}

void schedule_return(struct schedule *s, size_t worker, size_t index)
{
    struct task *task = &s->tasks[index];
    struct group *group = &s->groups[task->is.group];
    task->taken = false;
    s->rest += task->is.cost;
    group->rest += task->is.cost;
    group->left++;
    group->begun = s->groups[s->held[worker]].begun = false; /* nobody need come back to them */
    s->held[worker] = NO_GROUP;
    group->next = task->at < group->next ? task->at : group->next;
    s->next_longest = task->place < s->next_longest ? task->place : s->next_longest;
    s->next_largest = 0;
}

bool schedule_is_taken(const struct schedule *s, size_t task)
{
    return s->tasks[task].taken;
}
