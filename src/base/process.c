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
#include <time.h>
#include <unistd.h>

static const struct {
    int number;
    const char *name;
} signal_names[] = {
    {SIGSEGV, "SIGSEGV"}, {SIGABRT, "SIGABRT"}, {SIGBUS, "SIGBUS"},   {SIGFPE, "SIGFPE"},   {SIGILL, "SIGILL"},
    {SIGKILL, "SIGKILL"}, {SIGTERM, "SIGTERM"}, {SIGXCPU, "SIGXCPU"}, {SIGPIPE, "SIGPIPE"}, {SIGSYS, "SIGSYS"},
};

const char *signal_name(int number, char buffer[static 16])
{
    for (size_t i = 0; i < sizeof signal_names / sizeof signal_names[0]; i++)
        if (signal_names[i].number == number)
            return signal_names[i].name;
    snprintf(buffer, 16, "signal %d", number);
    return buffer;
}

static void default_signals(void)
{
    for (size_t i = 0; i < sizeof signal_names / sizeof signal_names[0]; i++)
        signal(signal_names[i].number, SIG_DFL);
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

#if defined(__SANITIZE_ADDRESS__)
#define ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ADDRESS_SANITIZER 1
#endif
#endif

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

/* _exit() would lose a coverage build's counters. */
static void flush_coverage(void)
{
#ifdef RIGPROOF_COVERAGE
    extern void __gcov_dump(void);
    __gcov_dump();
#endif
}

static _Noreturn void be_child(int (*work)(void *), void *context, const struct child_limits *limits)
{
    default_signals();
    silence_output();
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    if (limits->memory_bytes)
        limit_memory(limits->memory_bytes);
    int status = work(context);
    flush_coverage();
    _exit(status); /* no atexit handlers: they are the parent's */
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Waits until the child closes its end of the pipe, which its death does too. False on time-out. */
static bool wait_for_end(int fd, double seconds)
{
    double deadline = now() + seconds;
    for (;;) {
        double left = deadline - now();
        if (seconds > 0 && left <= 0)
            return false;
        int timeout = seconds > 0 ? (int)(left * 1000) + 1 : -1;
        struct pollfd p = {.fd = fd, .events = POLLIN};
        if (poll(&p, 1, timeout) > 0)
            return true;
    }
}

struct child_result child_run(int (*work)(void *context), void *context, const struct child_limits *limits)
{
    int alive[2];
    if (pipe2(alive, O_CLOEXEC) != 0)
        return (struct child_result){CHILD_NO_START, errno};
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        close(alive[0]);
        be_child(work, context, limits);
    }
    int reason = errno;
    close(alive[1]);
    if (pid < 0) {
        close(alive[0]);
        return (struct child_result){CHILD_NO_START, reason};
    }
    bool ended = wait_for_end(alive[0], limits->seconds);
    close(alive[0]);
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
