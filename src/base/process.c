#define _GNU_SOURCE /* pipe2 */

#include "base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child.h"
#include "base/clock.h"
#include "base/sanitizer.h"

static const struct {
    int number;
    const char *name;
} signal_names[] = {
    {SIGSEGV, "SIGSEGV"}, {SIGABRT, "SIGABRT"}, {SIGBUS, "SIGBUS"},   {SIGFPE, "SIGFPE"},   {SIGILL, "SIGILL"},
    {SIGKILL, "SIGKILL"}, {SIGTERM, "SIGTERM"}, {SIGXCPU, "SIGXCPU"}, {SIGPIPE, "SIGPIPE"}, {SIGSYS, "SIGSYS"},
    {SIGTRAP, "SIGTRAP"}, {SIGINT, "SIGINT"},   {SIGHUP, "SIGHUP"},
};

const char *signal_name(int number, char buffer[static 16])
{
    for (size_t i = 0; i < sizeof signal_names / sizeof signal_names[0]; i++)
        if (signal_names[i].number == number)
            return signal_names[i].name;
    snprintf(buffer, 16, "signal %d", number);
    return buffer;
}

static void silence_output(void)
{
    int fd = open("/dev/null", O_WRONLY);
    if (fd < 0)
        return;
    dup2(fd, STDOUT_FILENO);
    dup2(fd, STDERR_FILENO);
    close(fd);
}

/* The address space is limited, not the resident set: an allocation then fails, which a library can report, before
 * the machine starts to swap. The sanitizer's shadow alone is larger than any limit. */
static void limit_memory(size_t bytes)
{
#ifdef ADDRESS_SANITIZER
    (void)bytes;
#else
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file)
        return;
    if (fscanf(file, "%lu", &pages) == 1) {
        rlim_t limit = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + bytes;
        setrlimit(RLIMIT_AS, &(struct rlimit){limit, limit});
    }
    fclose(file);
#endif
}

static _Noreturn void be_child(int (*work)(void *), void *context, const struct child_limits *limits)
{
    silence_output();
    if (limits->memory_bytes)
        limit_memory(limits->memory_bytes);
    child_end(work(context)); /* no atexit handlers: they are the parent's */
}

/* Waits until the child closes its end of the pipe, which its death does too. False on time-out. */
static bool wait_for_end(int fd, double seconds)
{
    double deadline = clock_seconds() + seconds;
    for (;;) {
        int timeout = seconds > 0 ? clock_poll_timeout(deadline) : -1;
        if (timeout == 0)
            return false;
        struct pollfd p = {.fd = fd, .events = POLLIN};
        if (poll(&p, 1, timeout) > 0)
            return true;
    }
}

/* Where SIGCHLD is ignored the system forgets how a child ended: a crash would look like success. */
static void remember_children(struct sigaction *before)
{
    if (sigaction(SIGCHLD, NULL, before) != 0)
        return;
    if ((before->sa_flags & SA_NOCLDWAIT) || (!(before->sa_flags & SA_SIGINFO) && before->sa_handler == SIG_IGN))
        sigaction(SIGCHLD, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
}

static struct child_result await(pid_t pid, int alive, double seconds)
{
    bool ended = wait_for_end(alive, seconds);
    if (!ended)
        kill(pid, SIGKILL);
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (!ended)
        return (struct child_result){CHILD_TIMEOUT, 0};
    if (WIFSIGNALED(status))
        return (struct child_result){CHILD_CRASHED, WTERMSIG(status)};
    return (struct child_result){CHILD_EXITED, WEXITSTATUS(status)};
}

static struct child_result start_and_await(int (*work)(void *), void *context, const struct child_limits *limits)
{
    int alive[2];
    if (pipe2(alive, O_CLOEXEC) != 0)
        return (struct child_result){CHILD_NO_START, errno};
    fflush(NULL);
    pid_t self = getpid();
    pid_t pid = fork();
    if (pid == 0) {
        child_begin(self);
        close(alive[0]);
        be_child(work, context, limits);
    }
    struct child_result result = {CHILD_NO_START, errno};
    close(alive[1]);
    if (pid > 0)
        result = await(pid, alive[0], limits->seconds);
    close(alive[0]);
    return result;
}

struct child_result child_run(int (*work)(void *context), void *context, const struct child_limits *limits)
{
    struct sigaction before = {0};
    remember_children(&before);
    struct child_result result = start_and_await(work, context, limits);
    sigaction(SIGCHLD, &before, NULL);
    return result;
}
