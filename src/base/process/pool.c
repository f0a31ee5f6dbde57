#define _GNU_SOURCE /* pipe2 */

#include "base/process/pool.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/process/pool_worker.h"
#include "base/process/process.h"

enum slot_state {
    SLOT_IDLE,      /* with no worker */
    SLOT_BUSY,      /* with `task` until `deadline` */
    SLOT_FINISHING, /* no more tasks: until `deadline` */
};

enum { SIGNAL_COUNT = 3 };

struct slot {
    struct worker worker;
    enum slot_state state;
    size_t group; /* whose tasks it takes: by its first task; NO_GROUP */
    bool helps;   /* another worker began the group: it takes from the end */
    size_t task;
    unsigned untouched_deaths; /* one after the other: workers that died before they took their task up */
    double deadline;           /* 0: none */
};

#define NO_GROUP SIZE_MAX

struct run {
    const struct pool *pool;
    struct group_state {
        size_t group; /* of the task: the first task of its group */
        size_t left;  /* of the group whose first task it is: tasks not taken */
        bool begun;   /* the same: a worker has it */
        bool taken;   /* the task */
    } *tasks;
    struct slot *slots;
    size_t slot_count;
    struct pollfd *polled; /* [1 + slot_count]: the pipe, each slot's socket or -1 */
    int wake[2];           /* a pipe: wake[0] is readable after a signal */
    struct sigaction before[SIGNAL_COUNT];
    bool stopped;    /* no more tasks are begun */
    int start_error; /* errno of a worker that could not be started */
};

/* ---- signals, as something poll(2) can wait for --------------------------------------------------------------- */

static const int caught[SIGNAL_COUNT] = {SIGCHLD, SIGINT, SIGTERM};

static volatile sig_atomic_t stop_signal; /* the first of SIGINT and SIGTERM that came, or 0 */
static volatile sig_atomic_t child_ended; /* one may have, since this was last cleared */
static volatile sig_atomic_t wake_end = -1;

static void note_signal(int number)
{
    int before = errno;
    if (number == SIGCHLD)
        child_ended = 1;
    else if (stop_signal == 0)
        stop_signal = number;
    ssize_t written = write(wake_end, "", 1); /* a full pipe wakes as well */
    (void)written;
    errno = before;
}

static bool catch_signals(struct run *run)
{
    if (pipe2(run->wake, O_CLOEXEC | O_NONBLOCK) != 0)
        return false;
    stop_signal = 0;
    child_ended = 0;
    wake_end = run->wake[1];
    struct sigaction action = {.sa_handler = note_signal, .sa_flags = SA_RESTART | SA_NOCLDSTOP};
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < SIGNAL_COUNT; i++) {
        const struct sigaction *before = &run->before[i];
        sigaction(caught[i], NULL, &run->before[i]);
        bool is_ignored = !(before->sa_flags & SA_SIGINFO) && before->sa_handler == SIG_IGN;
        if (caught[i] == SIGCHLD || !is_ignored) /* `nohup` and shells ignore on purpose */
            sigaction(caught[i], &action, NULL);
    }
    return true;
}

static void restore_signals(struct run *run)
{
    for (int i = 0; i < SIGNAL_COUNT; i++)
        sigaction(caught[i], &run->before[i], NULL);
    wake_end = -1;
    close(run->wake[0]);
    close(run->wake[1]);
}

/* ---- which task is next -------------------------------------------------------------------------------------- */

static void find_groups(struct run *run)
{
    const char *const *groups = run->pool->groups;
    for (size_t i = 0; i < run->pool->task_count; i++) {
        size_t first = groups ? 0 : i;
        while (first < i && (run->tasks[first].left == 0 || strcmp(groups[first], groups[i]) != 0))
            first++;
        run->tasks[i].group = first;
        run->tasks[first].left++;
    }
}

/* The largest group that nobody has begun, of several the first; when there is none, the one with the largest rest. */
static size_t choose_group(const struct run *run)
{
    size_t best = NO_GROUP;
    for (size_t g = 0; g < run->pool->task_count; g++) {
        const struct group_state *group = &run->tasks[g], *other = best == NO_GROUP ? NULL : &run->tasks[best];
        if (group->left > 0 &&
            (!other || (group->begun == other->begun ? group->left > other->left : other->begun)))
            best = g;
    }
    return best;
}

/* The next task for the slot; false when all are taken. */
static bool take_task(struct run *run, struct slot *slot)
{
    if (slot->group == NO_GROUP || run->tasks[slot->group].left == 0) {
        slot->group = choose_group(run);
        if (slot->group == NO_GROUP)
            return false;
        slot->helps = run->tasks[slot->group].begun;
    }
    size_t task = slot->helps ? run->pool->task_count - 1 : slot->group;
    while (run->tasks[task].taken || run->tasks[task].group != slot->group)
        task += slot->helps ? (size_t)-1 : 1;
    run->tasks[slot->group].begun = true;
    run->tasks[slot->group].left--;
    run->tasks[task].taken = true;
    slot->task = task;
    return true;
}

static void return_task(struct run *run, const struct slot *slot)
{
    run->tasks[slot->group].left++;
    run->tasks[slot->task].taken = false;
}

static void end_task(struct run *run, size_t task, enum pool_end end, int status, const struct text *result)
{
    static const struct text nothing = {0};
    if (!run->pool->ended(run->pool->context, task, end, status, result ? result : &nothing))
        run->stopped = true;
}

/* ---- workers ------------------------------------------------------------------------------------------------- */

static bool start_worker(struct run *run, struct slot *slot)
{
    int *closed = memory_new(run->slot_count + 2, sizeof *closed);
    size_t count = 0;
    closed[count++] = run->wake[0];
    closed[count++] = run->wake[1];
    for (size_t i = 0; i < run->slot_count; i++)
        if (run->slots[i].worker.pid)
            closed[count++] = run->slots[i].worker.socket;
    bool good = worker_start(&slot->worker, run->pool, closed, count);
    run->start_error = good ? run->start_error : errno;
    free(closed);
    return good;
}

/* The next task for the slot, in a new process if it has none; or the end of its work. */
static void employ(struct run *run, struct slot *slot)
{
    enum { PATIENCE = 10 };
    slot->state = SLOT_IDLE;
    if (run->stopped || !take_task(run, slot)) {
        if (!slot->worker.pid)
            return;
        slot->state = SLOT_FINISHING;
        slot->deadline = clock_seconds() + PATIENCE;
        worker_dismiss(&slot->worker);
        return;
    }
    if (!slot->worker.pid && !start_worker(run, slot)) {
        return_task(run, slot); /* the others go on */
        return;
    }
    slot->state = SLOT_BUSY;
    double seconds = run->pool->task_seconds ? run->pool->task_seconds[slot->task] : run->pool->seconds;
    slot->deadline = seconds > 0 ? clock_seconds() + seconds : 0;
    worker_hand(&slot->worker, slot->task);
}

static void worker_replied(struct run *run, struct slot *slot)
{
    slot->untouched_deaths = 0;
    end_task(run, slot->task, POOL_DONE, 0, &slot->worker.result);
    employ(run, slot);
}

/*
 * The worker is dead, or is killed because it is late. One that was killed while it waited has no fault in the task it was then
 * handed; but a task that never comes to be begun must end as well.
 */
static void end_worker(struct run *run, struct slot *slot, bool is_late)
{
    enum { MOST = 3 };
    bool was_busy = slot->state == SLOT_BUSY, begun = slot->worker.begun;
    int status = worker_end(&slot->worker);
    slot->state = SLOT_IDLE;
    if (!was_busy)
        return;
    if (is_late) {
        end_task(run, slot->task, POOL_TIMEOUT, 0, NULL);
    } else if (!begun && slot->untouched_deaths++ < MOST) {
        return_task(run, slot);
    } else {
        slot->untouched_deaths = 0;
        end_task(run, slot->task, POOL_CRASHED, WIFSIGNALED(status) ? WTERMSIG(status) : -1 - WEXITSTATUS(status), NULL);
    }
    employ(run, slot);
}

/* ---- the run ------------------------------------------------------------------------------------------------- */

/* Until the nearest deadline. What has come is in `polled`. */
static void wait_for_news(struct run *run)
{
    double nearest = 0;
    run->polled[0] = (struct pollfd){.fd = run->wake[0], .events = POLLIN};
    for (size_t i = 0; i < run->slot_count; i++) {
        const struct slot *slot = &run->slots[i];
        run->polled[1 + i] = (struct pollfd){.fd = slot->state != SLOT_IDLE ? slot->worker.socket : -1, .events = POLLIN};
        if (slot->state != SLOT_IDLE && slot->deadline > 0 && (nearest <= 0 || slot->deadline < nearest))
            nearest = slot->deadline;
    }
    if (poll(run->polled, run->slot_count + 1, nearest > 0 ? clock_poll_timeout(nearest) : -1) < 0)
        for (size_t i = 0; i <= run->slot_count; i++)
            run->polled[i].revents = 0;
}

/* Replies before deadlines: the parent itself may have been stopped for a while. */
static void handle_news(struct run *run)
{
    char bytes[256];
    for (size_t i = 0; i < run->slot_count; i++) {
        struct slot *slot = &run->slots[i];
        enum worker_news news = run->polled[1 + i].revents ? worker_listen(&slot->worker) : WORKER_SILENT;
        if (news == WORKER_REPLIED)
            worker_replied(run, slot);
        else if (news == WORKER_LOST)
            end_worker(run, slot, false);
    }
    while (read(run->wake[0], bytes, sizeof bytes) > 0)
        ;
    bool look_for_dead = child_ended;
    child_ended = 0;
    for (size_t i = 0; i < run->slot_count; i++) {
        struct slot *slot = &run->slots[i];
        if (slot->state == SLOT_IDLE)
            continue;
        if (look_for_dead && worker_is_dead(&slot->worker)) {
            if (worker_listen(&slot->worker) == WORKER_REPLIED)
                worker_replied(run, slot);
            end_worker(run, slot, false);
        } else if (slot->deadline > 0 && clock_seconds() >= slot->deadline) {
            end_worker(run, slot, true);
        }
    }
}

static bool any_active(const struct run *run)
{
    for (size_t i = 0; i < run->slot_count; i++)
        if (run->slots[i].state != SLOT_IDLE)
            return true;
    return false;
}

static void kill_all(struct run *run)
{
    run->stopped = true;
    for (size_t i = 0; i < run->slot_count; i++) /* first all, then wait for each */
        if (run->slots[i].state != SLOT_IDLE)
            worker_kill(&run->slots[i].worker);
    for (size_t i = 0; i < run->slot_count; i++) {
        struct slot *slot = &run->slots[i];
        if (slot->state != SLOT_IDLE)
            worker_end(&slot->worker);
        if (slot->state == SLOT_BUSY)
            end_task(run, slot->task, POOL_NOT_RUN, 0, NULL);
        slot->state = SLOT_IDLE;
    }
}

/* False when no worker could be started. */
static bool run_tasks(struct run *run)
{
    for (size_t i = 0; i < run->slot_count && stop_signal == 0; i++)
        employ(run, &run->slots[i]);
    bool started = any_active(run) || stop_signal != 0;
    while (any_active(run) && stop_signal == 0) {
        wait_for_news(run);
        handle_news(run);
    }
    if (stop_signal != 0)
        kill_all(run);
    return started;
}

bool pool_run(const struct pool *pool, int *interrupted, struct error *err)
{
    struct run run = {.pool = pool, .slot_count = pool->workers < pool->task_count ? pool->workers : pool->task_count};
    assert(pool->workers >= 1);
    *interrupted = 0;
    if (pool->task_count == 0)
        return true;
    run.tasks = memory_new(pool->task_count, sizeof *run.tasks);
    run.slots = memory_new(run.slot_count, sizeof *run.slots);
    run.polled = memory_new(run.slot_count + 1, sizeof *run.polled);
    for (size_t i = 0; i < run.slot_count; i++)
        run.slots[i].group = NO_GROUP;
    find_groups(&run);
    bool good = catch_signals(&run);
    if (good) {
        good = run_tasks(&run);
        restore_signals(&run);
        *interrupted = stop_signal;
    } else {
        run.start_error = errno;
    }
    int reason = run.stopped ? 0 : run.start_error;
    for (size_t i = 0; i < pool->task_count; i++) /* what was not begun */
        if (!run.tasks[i].taken)
            end_task(&run, i, POOL_NOT_RUN, reason, NULL);
    free(run.tasks);
    free(run.slots);
    free(run.polled);
    return good || error_set(err, "cannot start worker processes: %s", strerror(run.start_error));
}
