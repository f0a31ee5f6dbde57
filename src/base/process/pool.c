#define _POSIX_C_SOURCE 200809L

#include "base/process/pool.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "base/process/pool_queue.h"
#include "base/process/pool_signals.h"
#include "base/process/pool_worker.h"

enum slot_state {
    SLOT_EMPTY,     /* no process yet, or none any more and one is to be started */
    SLOT_BUSY,      /* with `task` until `deadline` */
    SLOT_FINISHING, /* no more tasks: until `deadline` */
    SLOT_CLOSED,
};

struct slot {
    struct worker worker;
    enum slot_state state;
    struct pool_place place;
    size_t task;
    unsigned untouched_deaths; /* one after the other: workers that died before they took their task up */
    double deadline;           /* 0: none */
    bool has_news;             /* to be read from its socket */
};

struct run {
    const struct pool *pool;
    struct pool_queue queue;
    struct pool_signals signals;
    struct slot *slots;
    size_t slot_count;
    const struct worker **workers; /* of the slots */
    struct pollfd *polled;         /* [slot_count + 1] */
    bool stopped;                  /* no more tasks are begun */
    int start_error;               /* errno of a worker that could not be started */
};

static bool is_active(const struct slot *slot)
{
    return slot->state == SLOT_BUSY || slot->state == SLOT_FINISHING;
}

static void end_task(struct run *run, size_t task, enum pool_end end, int status, const struct text *result)
{
    static const struct text nothing = {0};
    if (!run->pool->ended(run->pool->context, task, end, status, result ? result : &nothing))
        run->stopped = true;
}

/* ---- giving work --------------------------------------------------------------------------------------------- */

static void finish(struct slot *slot)
{
    enum { PATIENCE = 10 };
    slot->state = slot->worker.pid ? SLOT_FINISHING : SLOT_CLOSED;
    slot->deadline = clock_seconds() + PATIENCE;
    if (slot->worker.pid)
        worker_dismiss(&slot->worker);
}

static bool has_worker(struct run *run, struct slot *slot)
{
    struct worker_siblings siblings = {run->workers, run->slot_count, {run->signals.wake[0], run->signals.wake[1]}};
    if (slot->worker.pid || worker_start(&slot->worker, run->pool, &siblings))
        return true;
    run->start_error = errno;
    return false;
}

/* The next task for the slot, in a new process if it has none; or the end of its work. */
static void employ(struct run *run, struct slot *slot)
{
    if (run->stopped || !pool_queue_take(&run->queue, &slot->place, &slot->task)) {
        finish(slot);
        return;
    }
    if (!has_worker(run, slot)) {
        pool_queue_return(&run->queue, &slot->place, slot->task);
        slot->state = SLOT_CLOSED; /* the others go on */
        return;
    }
    slot->state = SLOT_BUSY;
    double seconds = run->pool->task_seconds ? run->pool->task_seconds[slot->task] : run->pool->seconds;
    slot->deadline = seconds > 0 ? clock_seconds() + seconds : 0;
    worker_hand(&slot->worker, slot->task);
}

/* ---- what happens to workers --------------------------------------------------------------------------------- */

static void worker_replied(struct run *run, struct slot *slot)
{
    slot->untouched_deaths = 0;
    end_task(run, slot->task, POOL_DONE, 0, &slot->worker.result);
    employ(run, slot);
}

/* A worker that was killed while it waited has no fault in the task it was then handed; but a task that never comes to
 * be begun must end as well. */
static bool is_to_be_tried_again(struct slot *slot)
{
    enum { MOST = 3 };
    if (slot->worker.begun) {
        slot->untouched_deaths = 0;
        return false;
    }
    return slot->untouched_deaths++ < MOST;
}

static int crash_status(int status)
{
    return WIFSIGNALED(status) ? WTERMSIG(status) : -1 - WEXITSTATUS(status);
}

/* With `has_replied` its last task was done before. */
static void worker_died(struct run *run, struct slot *slot, bool has_replied)
{
    bool was_busy = slot->state == SLOT_BUSY;
    if (was_busy && has_replied)
        end_task(run, slot->task, POOL_DONE, 0, &slot->worker.result);
    bool again = was_busy && is_to_be_tried_again(slot);
    int status = worker_end(&slot->worker);
    if (again)
        pool_queue_return(&run->queue, &slot->place, slot->task);
    else if (was_busy && !has_replied)
        end_task(run, slot->task, POOL_CRASHED, crash_status(status), NULL);
    if (was_busy)
        employ(run, slot);
    else
        slot->state = SLOT_CLOSED;
}

static void listen_to(struct run *run, struct slot *slot)
{
    enum worker_news news = worker_listen(&slot->worker);
    if (news == WORKER_REPLIED)
        worker_replied(run, slot);
    else if (news == WORKER_LOST)
        worker_died(run, slot, false);
}

static void end_late_worker(struct run *run, struct slot *slot)
{
    worker_end(&slot->worker);
    if (slot->state == SLOT_BUSY) {
        end_task(run, slot->task, POOL_TIMEOUT, 0, NULL);
        employ(run, slot);
    } else {
        slot->state = SLOT_CLOSED;
    }
}

/* ---- waiting ------------------------------------------------------------------------------------------------- */

/* Milliseconds to the nearest deadline, -1: none. */
static int poll_timeout(const struct run *run)
{
    double nearest = 0;
    for (size_t i = 0; i < run->slot_count; i++) {
        const struct slot *slot = &run->slots[i];
        if (is_active(slot) && slot->deadline > 0 && (nearest <= 0 || slot->deadline < nearest))
            nearest = slot->deadline;
    }
    return nearest > 0 ? clock_poll_timeout(nearest) : -1;
}

static void wait_for_news(struct run *run)
{
    nfds_t count = 0;
    run->polled[count++] = (struct pollfd){.fd = run->signals.wake[0], .events = POLLIN};
    for (size_t i = 0; i < run->slot_count; i++)
        if (is_active(&run->slots[i]))
            run->polled[count++] = (struct pollfd){.fd = run->slots[i].worker.socket, .events = POLLIN};
    bool good = poll(run->polled, count, poll_timeout(run)) >= 0;
    size_t next = 1;
    for (size_t i = 0; i < run->slot_count; i++)
        run->slots[i].has_news = is_active(&run->slots[i]) && run->polled[next++].revents != 0 && good;
}

static bool is_late(const struct slot *slot)
{
    return is_active(slot) && slot->deadline > 0 && clock_seconds() >= slot->deadline;
}

/* Replies before deadlines: the parent itself may have been stopped for a while. */
static void handle_news(struct run *run)
{
    for (size_t i = 0; i < run->slot_count; i++)
        if (run->slots[i].has_news)
            listen_to(run, &run->slots[i]);
    bool look_for_dead = pool_signals_child_ended(&run->signals);
    for (size_t i = 0; i < run->slot_count; i++) {
        struct slot *slot = &run->slots[i];
        if (look_for_dead && is_active(slot) && worker_is_dead(&slot->worker))
            worker_died(run, slot, worker_listen(&slot->worker) == WORKER_REPLIED);
        else if (is_late(slot))
            end_late_worker(run, slot);
    }
}

/* ---- the run ------------------------------------------------------------------------------------------------- */

static bool any_active(const struct run *run)
{
    for (size_t i = 0; i < run->slot_count; i++)
        if (is_active(&run->slots[i]))
            return true;
    return false;
}

static void kill_all(struct run *run)
{
    run->stopped = true;
    for (size_t i = 0; i < run->slot_count; i++) /* first all, then wait for each */
        if (is_active(&run->slots[i]))
            worker_kill(&run->slots[i].worker);
    for (size_t i = 0; i < run->slot_count; i++) {
        struct slot *slot = &run->slots[i];
        if (is_active(slot))
            worker_end(&slot->worker);
        if (slot->state == SLOT_BUSY)
            end_task(run, slot->task, POOL_NOT_RUN, 0, NULL);
        slot->state = SLOT_CLOSED;
    }
}

/* False when no worker could be started. */
static bool run_tasks(struct run *run)
{
    for (size_t i = 0; i < run->slot_count && pool_signals_stop() == 0; i++)
        employ(run, &run->slots[i]);
    bool started = any_active(run) || pool_signals_stop() != 0;
    while (any_active(run) && pool_signals_stop() == 0) {
        wait_for_news(run);
        handle_news(run);
    }
    if (pool_signals_stop() != 0)
        kill_all(run);
    return started;
}

static bool prepare(struct run *run)
{
    const struct pool *pool = run->pool;
    size_t workers = pool->workers > 0 ? pool->workers : 1;
    run->slot_count = workers < pool->task_count ? workers : pool->task_count;
    run->slots = calloc(run->slot_count + 1, sizeof *run->slots);
    run->workers = calloc(run->slot_count + 1, sizeof *run->workers);
    run->polled = calloc(run->slot_count + 1, sizeof *run->polled);
    if (!run->slots || !run->workers || !run->polled || !pool_queue_create(&run->queue, pool->task_count, pool->groups))
        return false;
    for (size_t i = 0; i < run->slot_count; i++) {
        run->slots[i].place = POOL_NOWHERE;
        run->workers[i] = &run->slots[i].worker;
    }
    return true;
}

/* What was not begun. */
static void end_rest(struct run *run)
{
    if (!run->queue.order)
        for (size_t i = 0; i < run->pool->task_count; i++)
            end_task(run, i, POOL_NOT_RUN, run->start_error, NULL);
    size_t task;
    struct pool_place place = POOL_NOWHERE;
    int reason = run->stopped ? 0 : run->start_error;
    while (pool_queue_take(&run->queue, &place, &task))
        end_task(run, task, POOL_NOT_RUN, reason, NULL);
}

static void release(struct run *run)
{
    pool_queue_release(&run->queue);
    free(run->slots);
    free(run->workers);
    free(run->polled);
}

bool pool_run(const struct pool *pool, int *interrupted, struct error *err)
{
    struct run run = {.pool = pool};
    bool good;
    *interrupted = 0;
    if (pool->task_count == 0)
        return true;
    if (!prepare(&run) || !pool_signals_catch(&run.signals)) {
        run.start_error = errno;
        good = false;
    } else {
        good = run_tasks(&run);
        pool_signals_release(&run.signals);
        *interrupted = pool_signals_stop();
    }
    end_rest(&run);
    release(&run);
    return good || error_set(err, "cannot start worker processes: %s", strerror(run.start_error));
}
