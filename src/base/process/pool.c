#include "base/process/pool.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/process/process.h"

/*
 * Workers are processes with a socket. The parent sends the number of a task. The worker answers TAKEN_UP, so that a
 * task is not lost with a worker that died before, then its result in a PIECE or several, of which the first byte says
 * so, and the last part as the END. When the parent shuts its side there is no more to do.
 */
enum { TAKEN_UP = 'b', PIECE = 'p', END = 'e', MOST_IN_MESSAGE = 1 << 16 };

enum { SIGNAL_COUNT = 3, MOST_RESULT = 1 << 30 };

struct worker {
    pid_t pid; /* its own process group; 0: there is none */
    int socket;
    bool begun; /* it has taken up the task it was handed */
    struct text result;
};

enum slot_state {
    SLOT_IDLE,      /* with no worker */
    SLOT_BUSY,      /* with `task` until `deadline` */
    SLOT_FINISHING, /* no more tasks: until `deadline` */
};

struct slot {
    struct worker worker;
    enum slot_state state;
    size_t task;
    unsigned untouched_deaths; /* one after the other: workers that died before they took their task up */
    double deadline;           /* 0: none */
};

struct run {
    const struct pool *pool;
    struct schedule *schedule;
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
        sigaction(caught[i], NULL, &run->before[i]);
        bool is_ignored = !(run->before[i].sa_flags & SA_SIGINFO) && run->before[i].sa_handler == SIG_IGN;
        if (caught[i] == SIGCHLD || !is_ignored) /* `nohup` and shells ignore on purpose */
            sigaction(caught[i], &action, NULL);
    }
    return true;
}

static void end_task(struct run *run, size_t task, enum pool_end end, int status, const struct text *result)
{
    static const struct text nothing = {0};
    if (!run->pool->ended(run->pool->context, task, end, status, result ? result : &nothing))
        run->stopped = true;
}

/* ---- in the worker ------------------------------------------------------------------------------------------- */

static void send_message(int fd, char kind, const char *data, size_t size)
{
    struct iovec parts[] = {{.iov_base = &kind, .iov_len = 1}, {.iov_base = (void *)(uintptr_t)data, .iov_len = size}};
    while (sendmsg(fd, &(struct msghdr){.msg_iov = parts, .msg_iovlen = 2}, MSG_NOSIGNAL) < 0)
        if (errno != EINTR)
            child_end(1); /* nobody listens any more */
}

/* In the forked process: `run` is the parent's, of which nothing may stay open. */
static _Noreturn void be_worker(int fd, pid_t parent, const struct run *run)
{
    child_begin(parent);
    setpgid(0, 0);
    signal(SIGPIPE, SIG_IGN); /* stderr may be closed: no reason for a task to crash */
    signal(SIGTTOU, SIG_IGN); /* a terminal may stop what prints in the background */
    close(run->wake[0]);
    close(run->wake[1]);
    for (size_t i = 0; i < run->slot_count; i++)
        if (run->slots[i].worker.pid)
            close(run->slots[i].worker.socket);
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (nothing >= 0) {
        dup2(nothing, STDIN_FILENO); /* reading the terminal would stop a worker, which is in the background */
        close(nothing);
    }
    dup2(STDERR_FILENO, STDOUT_FILENO); /* a library that prints must not spoil what the parent prints there */
    const struct pool *pool = run->pool;
    bool has_begun = false;
    void *state = NULL;
    uint64_t task;
    ssize_t got;
    while ((got = recv(fd, &task, sizeof task, 0)) == sizeof task || (got < 0 && errno == EINTR)) {
        SCOPED(text) result = {0};
        if (got < 0)
            continue;
        send_message(fd, TAKEN_UP, NULL, 0);
        if (!has_begun && pool->begin)
            state = pool->begin(pool->context);
        has_begun = true;
        pool->run(pool->context, state, (size_t)task, &result);
        fflush(stdout);
        size_t at = 0;
        for (; result.size - at >= MOST_IN_MESSAGE; at += MOST_IN_MESSAGE - 1)
            send_message(fd, PIECE, text_string(&result) + at, MOST_IN_MESSAGE - 1);
        send_message(fd, END, text_string(&result) + at, result.size - at);
    }
    if (has_begun && pool->finish)
        pool->finish(pool->context, state);
    fflush(stdout);
    child_end(0);
}

/* ---- in the parent ------------------------------------------------------------------------------------------- */

static bool start_worker(struct run *run, struct worker *worker)
{
    int ends[2] = {-1, -1};
    pid_t self = getpid(), pid = -1;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0) {
        fflush(NULL); /* or the worker would print it again */
        pid = fork();
    }
    if (pid == 0) {
        close(ends[0]);
        be_worker(ends[1], self, run);
    }
    run->start_error = pid < 0 ? errno : run->start_error;
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return false;
    }
    setpgid(pid, pid); /* here and there: neither must come too late */
    *worker = (struct worker){.pid = pid, .socket = ends[0]};
    return true;
}

enum worker_news {
    WORKER_SILENT,
    WORKER_REPLIED, /* `result` is complete */
    WORKER_LOST,    /* it has closed its end, or says too much */
};

/* Reads what has come, without waiting. */
static enum worker_news listen_to(struct worker *worker)
{
    char message[MOST_IN_MESSAGE];
    for (;;) {
        ssize_t n = recv(worker->socket, message, sizeof message, MSG_DONTWAIT);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            return WORKER_SILENT;
        if (n <= 0 || worker->result.size > MOST_RESULT)
            return WORKER_LOST;
        worker->begun = true;
        text_add_bytes(&worker->result, message + 1, (size_t)n - 1);
        if (message[0] == END)
            return WORKER_REPLIED;
    }
}

/* With all it started. Before it is collected: until then no other process can have its number, nor its group's. */
static void worker_kill(const struct worker *worker)
{
    kill(-worker->pid, SIGKILL);
    kill(worker->pid, SIGKILL);
}

/*
 * Kills, waits for the end and frees everything. The status as waitpid(2) gives it. A killed process can hang in the
 * kernel, on a file system that does not answer: it is left there.
 */
static int worker_end(struct worker *worker)
{
    enum { PATIENCE = 5 };
    double deadline = clock_seconds() + PATIENCE;
    int status = SIGKILL; /* as waitpid reports it */
    pid_t got = 0;
    worker_kill(worker);
    while (got == 0 && clock_seconds() < deadline) {
        got = waitpid(worker->pid, &status, WNOHANG);
        if (got < 0 && errno == EINTR)
            got = 0;
        if (got == 0)
            nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    close(worker->socket);
    text_release(&worker->result);
    *worker = (struct worker){0};
    return status;
}

/* ---- workers and their tasks ---------------------------------------------------------------------------------- */

/* The next task for the slot, in a new process if it has none; or the end of its work. */
static void employ(struct run *run, struct slot *slot)
{
    enum { PATIENCE = 10 };
    slot->state = SLOT_IDLE;
    if (run->stopped || !schedule_take(run->schedule, (size_t)(slot - run->slots), &slot->task)) {
        if (!slot->worker.pid)
            return;
        slot->state = SLOT_FINISHING;
        slot->deadline = clock_seconds() + PATIENCE;
        shutdown(slot->worker.socket, SHUT_WR);
        return;
    }
    if (!slot->worker.pid && !start_worker(run, &slot->worker)) {
        schedule_return(run->schedule, (size_t)(slot - run->slots), slot->task); /* the others go on */
        return;
    }
    slot->state = SLOT_BUSY;
    double seconds = run->pool->task_seconds ? run->pool->task_seconds[slot->task] : run->pool->seconds;
    slot->deadline = seconds > 0 ? clock_seconds() + seconds : 0;
    uint64_t number = slot->task;
    text_release(&slot->worker.result);
    slot->worker.begun = false;
    send(slot->worker.socket, &number, sizeof number, MSG_NOSIGNAL | MSG_DONTWAIT); /* is it dead, that is seen later */
}

static void worker_replied(struct run *run, struct slot *slot)
{
    slot->untouched_deaths = 0;
    end_task(run, slot->task, POOL_DONE, 0, &slot->worker.result);
    employ(run, slot);
}

/*
 * The worker is dead, or is killed because it is late. One that was killed while it waited has no fault in the task it
 * was then handed; but a task that never comes to be begun must end as well.
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
        schedule_return(run->schedule, (size_t)(slot - run->slots), slot->task);
    } else {
        slot->untouched_deaths = 0;
        status = WIFSIGNALED(status) ? WTERMSIG(status) : -1 - WEXITSTATUS(status);
        end_task(run, slot->task, POOL_CRASHED, status, NULL);
    }
    employ(run, slot);
}

/* ---- the run ------------------------------------------------------------------------------------------------- */

/* Waits to the nearest deadline. Replies come before deadlines: the parent itself may have been stopped for a while. */
static void handle_news(struct run *run)
{
    char bytes[256];
    double nearest = 0;
    run->polled[0] = (struct pollfd){.fd = run->wake[0], .events = POLLIN};
    for (size_t i = 0; i < run->slot_count; i++) {
        const struct slot *slot = &run->slots[i];
        bool is_active = slot->state != SLOT_IDLE;
        run->polled[1 + i] = (struct pollfd){.fd = is_active ? slot->worker.socket : -1, .events = POLLIN};
        if (is_active && slot->deadline > 0 && (nearest <= 0 || slot->deadline < nearest))
            nearest = slot->deadline;
    }
    bool has_news = poll(run->polled, run->slot_count + 1, nearest > 0 ? clock_poll_timeout(nearest) : -1) > 0;
    for (size_t i = 0; i < run->slot_count && has_news; i++) {
        struct slot *slot = &run->slots[i];
        enum worker_news news = run->polled[1 + i].revents ? listen_to(&slot->worker) : WORKER_SILENT;
        if (news == WORKER_REPLIED)
            worker_replied(run, slot);
        else if (news == WORKER_LOST)
            end_worker(run, slot, false);
    }
    while (read(run->wake[0], bytes, sizeof bytes) > 0)
        ;
    bool look_for_dead = child_ended;
    child_ended = 0;
    for (struct slot *slot = run->slots; slot < run->slots + run->slot_count; slot++) {
        siginfo_t info = {0}; /* a worker's socket may be held open by what it started */
        id_t id = (id_t)slot->worker.pid;
        bool is_active = slot->state != SLOT_IDLE;
        bool is_dead = is_active && look_for_dead && waitid(P_PID, id, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
                       info.si_pid == slot->worker.pid;
        if (is_dead && listen_to(&slot->worker) == WORKER_REPLIED)
            worker_replied(run, slot);
        if (is_dead)
            end_worker(run, slot, false);
        else if (is_active && slot->deadline > 0 && clock_seconds() >= slot->deadline)
            end_worker(run, slot, true);
    }
}

static bool any_active(const struct run *run)
{
    for (size_t i = 0; i < run->slot_count; i++)
        if (run->slots[i].state != SLOT_IDLE)
            return true;
    return false;
}

/* False when no worker could be started. */
static bool run_tasks(struct run *run)
{
    for (size_t i = 0; i < run->slot_count && stop_signal == 0; i++)
        employ(run, &run->slots[i]);
    bool started = any_active(run) || stop_signal != 0;
    while (any_active(run) && stop_signal == 0)
        handle_news(run);
    run->stopped = run->stopped || stop_signal != 0;
    for (size_t i = 0; i < run->slot_count; i++) /* first kill all, then wait for each */
        if (run->slots[i].state != SLOT_IDLE)
            worker_kill(&run->slots[i].worker);
    for (struct slot *slot = run->slots; slot < run->slots + run->slot_count; slot++) {
        if (slot->state != SLOT_IDLE)
            worker_end(&slot->worker);
        if (slot->state == SLOT_BUSY)
            end_task(run, slot->task, POOL_NOT_RUN, 0, NULL);
    }
    return started;
}

static struct schedule *create_schedule(const struct pool *pool, size_t workers)
{
    FREED struct schedule_task *alike = pool->tasks ? NULL : memory_new(pool->task_count, sizeof *alike);
    for (size_t i = 0; alike && i < pool->task_count; i++)
        alike[i] = (struct schedule_task){.group = i, .cost = 1};
    return schedule_create(alike ? alike : pool->tasks, pool->task_count, workers);
}

bool pool_run(const struct pool *pool, int *interrupted, struct error *err)
{
    struct run run = {.pool = pool, .slot_count = pool->workers < pool->task_count ? pool->workers : pool->task_count};
    assert(pool->workers >= 1);
    *interrupted = 0;
    if (pool->task_count == 0)
        return true;
    run.schedule = create_schedule(pool, run.slot_count);
    run.slots = memory_new(run.slot_count, sizeof *run.slots);
    run.polled = memory_new(run.slot_count + 1, sizeof *run.polled);
    bool good = catch_signals(&run);
    if (good) {
        good = run_tasks(&run);
        for (int i = 0; i < SIGNAL_COUNT; i++)
            sigaction(caught[i], &run.before[i], NULL);
        wake_end = -1;
        close(run.wake[0]);
        close(run.wake[1]);
        *interrupted = stop_signal;
    } else {
        run.start_error = errno;
    }
    int reason = run.stopped ? 0 : run.start_error;
    for (size_t i = 0; i < pool->task_count; i++) /* what was not begun */
        if (!schedule_is_taken(run.schedule, i))
            end_task(&run, i, POOL_NOT_RUN, reason, NULL);
    schedule_destroy(run.schedule);
    free(run.slots);
    free(run.polled);
    return good || error_set(err, "cannot start worker processes: %s", strerror(run.start_error));
}
