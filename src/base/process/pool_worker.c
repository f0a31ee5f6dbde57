#define _GNU_SOURCE /* SOCK_CLOEXEC */

#include "base/process/pool_worker.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/process/child.h"

/*
 * On the socket: the parent sends the number of a task, 8 bytes. The worker answers with one byte when it takes the
 * task up, so that a task is not lost with a worker that died before, then with the size of the result, 8 bytes, and
 * the result. When the parent shuts its side there is no more to do.
 */
enum { TAKEN_UP = 'b' };

static const uint64_t most_bytes = (uint64_t)1 << 30;

/* ---- in the worker ------------------------------------------------------------------------------------------- */

/* False at the end of the stream; also when the parent is gone. */
static bool receive_all(int fd, void *data, size_t size)
{
    for (size_t got = 0; got < size;) {
        ssize_t n = recv(fd, (char *)data + got, size - got, 0);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        got += (size_t)n;
    }
    return true;
}

static void send_all(int fd, const void *data, size_t size)
{
    for (size_t sent = 0; sent < size;) {
        ssize_t n = send(fd, (const char *)data + sent, size - sent, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            child_end(1); /* nobody listens any more */
        sent += (size_t)n;
    }
}

static void send_result(int fd, const struct text *result)
{
    uint64_t size = result->size;
    if (size > most_bytes) {
        fprintf(stderr, "error: a result of %zu bytes is too large\n", result->size);
        abort();
    }
    send_all(fd, &size, sizeof size);
    send_all(fd, result->data, result->size);
}

/* A library that prints to stdout must not spoil what the parent prints there. */
static void redirect_standard_streams(void)
{
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (nothing >= 0) {
        dup2(nothing, STDIN_FILENO); /* reading the terminal would stop a worker, which is in the background */
        close(nothing);
    }
    dup2(STDERR_FILENO, STDOUT_FILENO);
}

static void close_siblings(const struct worker_siblings *siblings)
{
    for (size_t i = 0; i < siblings->count; i++)
        if (siblings->workers[i]->pid)
            close(siblings->workers[i]->socket);
    close(siblings->wake[0]);
    close(siblings->wake[1]);
}

static void flush_output(void)
{
    fflush(stdout);
    fflush(stderr);
}

static void work(int fd, const struct pool *pool)
{
    bool has_begun = false;
    void *state = NULL;
    uint64_t task;
    while (receive_all(fd, &task, sizeof task)) {
        struct text result = {0};
        send_all(fd, &(char){TAKEN_UP}, 1);
        if (!has_begun && pool->begin)
            state = pool->begin(pool->context);
        has_begun = true;
        pool->run(pool->context, state, (size_t)task, &result);
        flush_output();
        send_result(fd, &result);
        text_release(&result);
    }
    if (has_begun && pool->finish)
        pool->finish(pool->context, state);
    flush_output();
}

static _Noreturn void be_worker(int fd, pid_t parent, const struct pool *pool, const struct worker_siblings *siblings)
{
    child_begin(parent);
    setpgid(0, 0);
    signal(SIGPIPE, SIG_IGN); /* stderr may be closed: no reason for a task to crash */
    signal(SIGTTOU, SIG_IGN); /* a terminal may stop what prints in the background */
    close_siblings(siblings);
    redirect_standard_streams();
    work(fd, pool);
    child_end(0);
}

/* ---- in the parent ------------------------------------------------------------------------------------------- */

bool worker_start(struct worker *worker, const struct pool *pool, const struct worker_siblings *siblings)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return false;
    fflush(NULL); /* or the worker would print it again */
    pid_t self = getpid();
    pid_t pid = fork();
    if (pid == 0) {
        close(ends[0]);
        be_worker(ends[1], self, pool, siblings);
    }
    int reason = errno;
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        errno = reason;
        return false;
    }
    setpgid(pid, pid); /* here and there: neither must come too late */
    *worker = (struct worker){.pid = pid, .socket = ends[0]};
    return true;
}

void worker_hand(struct worker *worker, size_t task)
{
    uint64_t number = task;
    text_release(&worker->result);
    worker->begun = false;
    worker->size_got = 0;
    send(worker->socket, &number, sizeof number, MSG_NOSIGNAL | MSG_DONTWAIT);
}

void worker_dismiss(struct worker *worker)
{
    shutdown(worker->socket, SHUT_WR);
}

static uint64_t result_size(const struct worker *worker)
{
    uint64_t size;
    memcpy(&size, worker->size_bytes, sizeof size);
    return size;
}

/* Where the next bytes go; at most `room` of them. */
static void *next_bytes(struct worker *worker, char *buffer, size_t *room)
{
    if (!worker->begun) {
        *room = 1;
        return buffer;
    }
    if (worker->size_got < sizeof worker->size_bytes) {
        *room = sizeof worker->size_bytes - worker->size_got;
        return worker->size_bytes + worker->size_got;
    }
    uint64_t left = result_size(worker) - worker->result.size;
    *room = left < *room ? (size_t)left : *room;
    return buffer;
}

static void add_bytes(struct worker *worker, const char *buffer, size_t size)
{
    if (!worker->begun)
        worker->begun = true;
    else if (worker->size_got < sizeof worker->size_bytes)
        worker->size_got += size;
    else
        text_add_bytes(&worker->result, buffer, size);
}

static bool has_size(const struct worker *worker)
{
    return worker->begun && worker->size_got == sizeof worker->size_bytes;
}

enum worker_news worker_listen(struct worker *worker)
{
    char buffer[1 << 16];
    for (;;) {
        size_t room = sizeof buffer;
        void *target = next_bytes(worker, buffer, &room);
        ssize_t n = recv(worker->socket, target, room, MSG_DONTWAIT);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            return WORKER_SILENT;
        if (n <= 0)
            return WORKER_LOST;
        add_bytes(worker, buffer, (size_t)n);
        if (!has_size(worker))
            continue;
        if (result_size(worker) > most_bytes)
            return WORKER_LOST;
        if (worker->result.size == result_size(worker))
            return WORKER_REPLIED;
    }
}

bool worker_is_dead(const struct worker *worker)
{
    siginfo_t info = {0};
    return waitid(P_PID, (id_t)worker->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == worker->pid;
}

/* Before the worker is collected: until then no other process can have its number, nor its group's. */
void worker_kill(const struct worker *worker)
{
    kill(-worker->pid, SIGKILL);
    kill(worker->pid, SIGKILL);
}

/* A killed process can hang in the kernel, on a file system that does not answer: it is left there. */
static int collect(pid_t pid)
{
    enum { PATIENCE = 5 };
    double deadline = clock_seconds() + PATIENCE;
    int status = 0;
    while (clock_seconds() < deadline) {
        pid_t got = waitpid(pid, &status, WNOHANG);
        if (got == pid)
            return status;
        if (got < 0 && errno != EINTR)
            break;
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    return SIGKILL; /* as waitpid reports it */
}

int worker_end(struct worker *worker)
{
    worker_kill(worker);
    int status = collect(worker->pid);
    close(worker->socket);
    text_release(&worker->result);
    *worker = (struct worker){0};
    return status;
}
