#define _GNU_SOURCE /* SOCK_CLOEXEC */

#include "base/process/pool_worker.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/process/process.h"

/*
 * Messages: the parent sends the number of a task. The worker answers TAKEN_UP, so that a task is not lost with a worker that
 * died before, then its result in a PIECE or several, of which the first byte says so, and the last part as the END. When the
 * parent shuts its side there is no more to do.
 */
enum { TAKEN_UP = 'b', PIECE = 'p', END = 'e', MOST_IN_MESSAGE = 1 << 16 };

static const size_t most_bytes = (size_t)1 << 30;

/* ---- in the worker ------------------------------------------------------------------------------------------- */

static void send_message(int fd, char kind, const char *data, size_t size)
{
    struct iovec parts[] = {{.iov_base = &kind, .iov_len = 1}, {.iov_base = (void *)(uintptr_t)data, .iov_len = size}};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
    while (sendmsg(fd, &message, MSG_NOSIGNAL) < 0)
        if (errno != EINTR)
            child_end(1); /* nobody listens any more */
}

static void send_result(int fd, const struct text *result)
{
    enum { MOST = MOST_IN_MESSAGE - 1 };
    size_t at = 0;
    for (; result->size - at > MOST; at += MOST)
        send_message(fd, PIECE, result->data + at, MOST);
    send_message(fd, END, result->data + at, result->size - at);
}

static void work(int fd, const struct pool *pool)
{
    bool has_begun = false;
    void *state = NULL;
    uint64_t task;
    ssize_t got;
    while ((got = recv(fd, &task, sizeof task, 0)) == sizeof task || (got < 0 && errno == EINTR)) {
        struct text result = {0};
        if (got < 0)
            continue;
        send_message(fd, TAKEN_UP, NULL, 0);
        if (!has_begun && pool->begin)
            state = pool->begin(pool->context);
        has_begun = true;
        pool->run(pool->context, state, (size_t)task, &result);
        fflush(stdout);
        send_result(fd, &result);
        text_release(&result);
    }
    if (has_begun && pool->finish)
        pool->finish(pool->context, state);
    fflush(stdout);
}

static _Noreturn void be_worker(int fd, pid_t parent, const struct pool *pool, const int *closed, size_t closed_count)
{
    child_begin(parent);
    setpgid(0, 0);
    signal(SIGPIPE, SIG_IGN); /* stderr may be closed: no reason for a task to crash */
    signal(SIGTTOU, SIG_IGN); /* a terminal may stop what prints in the background */
    for (size_t i = 0; i < closed_count; i++)
        close(closed[i]);
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (nothing >= 0) {
        dup2(nothing, STDIN_FILENO); /* reading the terminal would stop a worker, which is in the background */
        close(nothing);
    }
    dup2(STDERR_FILENO, STDOUT_FILENO); /* a library that prints must not spoil what the parent prints there */
    work(fd, pool);
    child_end(0);
}

/* ---- in the parent ------------------------------------------------------------------------------------------- */

bool worker_start(struct worker *worker, const struct pool *pool, const int *closed, size_t closed_count)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return false;
    fflush(NULL); /* or the worker would print it again */
    pid_t self = getpid();
    pid_t pid = fork();
    if (pid == 0) {
        close(ends[0]);
        be_worker(ends[1], self, pool, closed, closed_count);
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
    send(worker->socket, &number, sizeof number, MSG_NOSIGNAL | MSG_DONTWAIT);
}

void worker_dismiss(struct worker *worker)
{
    shutdown(worker->socket, SHUT_WR);
}

enum worker_news worker_listen(struct worker *worker)
{
    char message[MOST_IN_MESSAGE];
    for (;;) {
        ssize_t n = recv(worker->socket, message, sizeof message, MSG_DONTWAIT);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            return WORKER_SILENT;
        if (n <= 0 || worker->result.size > most_bytes)
            return WORKER_LOST;
        worker->begun = true;
        text_add_bytes(&worker->result, message + 1, (size_t)n - 1);
        if (message[0] == END)
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

int worker_end(struct worker *worker)
{
    enum { PATIENCE = 5 }; /* a killed process can hang in the kernel, on a file system that does not answer: it is left there */
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
