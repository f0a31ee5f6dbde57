#include "base/process/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "base/file/file_writer.h"
#include "base/memory.h"
#include "base/stop_signals.h"

double clock_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int clock_poll_timeout(double deadline)
{
    double left = deadline - clock_seconds();
    return left <= 0 ? 0 : left < 3600 ? (int)(left * 1000) + 1 : 3600 * 1000;
}

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

void child_begin(pid_t parent)
{
    static const int fatal[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGXCPU, SIGPIPE, SIGSYS};
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (getppid() != parent) /* gone already: it sends no signal any more */
        _exit(1);
    temporaries_disown();
    for (size_t i = 0; i < sizeof fatal / sizeof fatal[0]; i++)
        signal(fatal[i], SIG_DFL);
    signal(SIGCHLD, SIG_DFL); /* ignored, it would hide how a child's own child ended */
    stop_signals_catch(SIG_DFL, 0);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
}

int child_wait(pid_t pid)
{
    int status = 0;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return status;
}

void child_end(int status)
{
#ifdef RIGPROOF_COVERAGE /* _exit() would lose the counters */
    extern void __gcov_dump(void);
    __gcov_dump();
#endif
    _exit(status);
}

static _Noreturn void be_child(int (*work)(void *), void *context, const struct child_limits *limits, int alive,
                               int says)
{
    int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere >= 0) {
        dup2(nowhere, STDOUT_FILENO);
        close(nowhere);
    }
    dup2(says, STDERR_FILENO);
    close(says);
#ifndef ADDRESS_SANITIZER /* its shadow alone is larger than any limit */
    /* The address space, not the resident set: an allocation then fails, which a library can report, before the machine
     * starts to swap. */
    unsigned long pages = 0;
    FILE *file = limits->memory_bytes ? fopen("/proc/self/statm", "r") : NULL;
    if (file && fscanf(file, "%lu", &pages) == 1) {
        rlim_t limit = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + limits->memory_bytes;
        setrlimit(RLIMIT_AS, &(struct rlimit){limit, limit});
    }
    if (file)
        fclose(file);
#endif
    if (limits->sandboxed)
        sandbox_enter(alive);
    child_end(work(context)); /* no atexit handlers: they are the parent's */
}

struct words {
    char line[256]; /* that is being read, of `length`, without the blanks it begins with */
    size_t length;
    char *said; /* [256] the last of the lines that rank highest, so far */
    int best;   /* its rank */
};

static void end_line(struct words *words)
{
    words->line[words->length] = '\0';
    words->length = 0;
    /* A sanitizer's line that tells the fault before any other, those with a process id last. */
    bool tells_fault = strstr(words->line, "SUMMARY: ") || strstr(words->line, "runtime error: ");
    int rank = tells_fault ? 3 : strncmp(words->line, "==", 2) == 0 ? 1 : 2;
    if (rank < words->best || words->line[0] == '\0')
        return;
    words->best = rank;
    memcpy(words->said, words->line, sizeof words->line);
}

/* False at the end, or where there is nothing to read now. */
static bool read_more(struct words *words, int fd)
{
    char chunk[4096];
    ssize_t count = read(fd, chunk, sizeof chunk);
    for (ssize_t i = 0; i < count; i++) {
        bool is_left_out = words->length == 0 && (chunk[i] == ' ' || chunk[i] == '\t');
        if (chunk[i] == '\n')
            end_line(words);
        else if (words->length < sizeof words->line - 1 && !is_left_out)
            words->line[words->length++] = chunk[i];
    }
    return count > 0;
}

static struct {
    unsigned children; /* that are not awaited yet */
    struct sigaction before;
} sigchld;

/* Where SIGCHLD is ignored the system forgets how a child ended: a crash would look like success. */
static void sigchld_keep(void)
{
    if (sigchld.children++ == 0 && sigaction(SIGCHLD, NULL, &sigchld.before) == 0 &&
        ((sigchld.before.sa_flags & SA_NOCLDWAIT) ||
         (!(sigchld.before.sa_flags & SA_SIGINFO) && sigchld.before.sa_handler == SIG_IGN)))
        sigaction(SIGCHLD, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
}

static void sigchld_restore(void)
{
    if (--sigchld.children == 0)
        sigaction(SIGCHLD, &sigchld.before, NULL);
}

struct child child_start(int (*work)(void *context), void *context, const struct child_limits *limits)
{
    struct child child = {.pid = -1, .deadline = limits->seconds > 0 ? clock_seconds() + limits->seconds : 0};
    int alive[2] = {-1, -1}, says[2] = {-1, -1};
    const pid_t self = getpid();
    sigchld_keep();
    if (pipe2(alive, O_CLOEXEC) == 0 && pipe2(says, O_CLOEXEC) == 0) {
        fcntl(says[0], F_SETFL, O_NONBLOCK); /* a child of the child may keep its end open */
        fflush(NULL);
        child.pid = fork();
    }
    if (child.pid == 0) {
        child_begin(self);
        close(alive[0]);
        close(says[0]);
        be_child(work, context, limits, alive[1], says[1]);
    }
    child.reason = errno;
    close(alive[1]);
    close(says[1]);
    child.alive = alive[0];
    child.says = says[0];
    return child;
}

/* Reads what the child says until it closes its end of the pipe `alive`, which its death does too. */
static struct child_result await(const struct child *child)
{
    struct child_result result = {.end = CHILD_EXITED};
    struct words words = {.said = result.said};
    bool ended = false, listens = true;
    for (int timeout = -1; !ended && timeout != 0;) { /* at least once: it may have ended long before the caller came */
        struct pollfd p[2] = {{.fd = child->alive, .events = POLLIN},
                              {.fd = listens ? child->says : -1, .events = POLLIN}};
        timeout = child->deadline > 0 ? clock_poll_timeout(child->deadline) : -1;
        if (poll(p, 2, timeout) <= 0)
            continue;
        if (p[1].revents)
            listens = read_more(&words, child->says);
        ended = p[0].revents != 0;
    }
    if (!ended)
        kill(child->pid, SIGKILL);
    const int status = child_wait(child->pid);
    while (read_more(&words, child->says))
        ;
    end_line(&words);
    if (ended)
        result.status = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
    result.end = !ended ? CHILD_TIMEOUT : WIFSIGNALED(status) ? CHILD_CRASHED : CHILD_EXITED;
    return result;
}

struct child_result child_await(struct child *child)
{
    struct child_result result = {.end = CHILD_NO_START, .status = child->reason};
    if (child->pid > 0)
        result = await(child);
    close(child->alive);
    close(child->says);
    sigchld_restore();
    return result;
}

struct child_result child_run(int (*work)(void *context), void *context, const struct child_limits *limits)
{
    struct child child = child_start(work, context, limits);
    return child_await(&child);
}

/* ---- limits on the process itself -------------------------------------------------------------------------------- */

static struct limits watched;
static double deadline;
static void (*at_limit)(enum limit limit);

/* The KiB after a label of /proc/self/status; 0 when it is not there. */
static double kib_after(const char *status, const char *label)
{
    const char *place = strstr(status, label);
    return place ? strtod(place + strlen(label), NULL) : 0;
}

static void look(void)
{
    char status[16384] = ""; /* the groups of the user come first */
    int fd = watched.memory_mib > 0 ? open("/proc/self/status", O_RDONLY | O_CLOEXEC) : -1;
    if (fd >= 0 && read(fd, status, sizeof status - 1) < 0)
        status[0] = '\0';
    if (fd >= 0)
        close(fd);
    double used_mib = (kib_after(status, "\nVmRSS:") + kib_after(status, "\nVmSwap:")) / 1024;
    bool is_full = watched.memory_mib > 0 && used_mib > watched.memory_mib;
    if (!is_full && (watched.seconds <= 0 || clock_seconds() < deadline))
        return;
    temporaries_remove();
    at_limit(is_full ? LIMIT_MEMORY : LIMIT_TIME);
}

static void *watch(void *started)
{
    sem_post(started);
    for (;;) {
        look();
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    }
    return NULL;
}

bool limits_watch(const struct limits *limits, void (*reached)(enum limit limit), struct error *err)
{
    pthread_t thread;
    sigset_t all, before;
    static sem_t started;
    watched = *limits;
    at_limit = reached;
    deadline = clock_seconds() + limits->seconds;
    if (limits->seconds <= 0 && limits->memory_mib <= 0)
        return true;
    look(); /* at least once, however short the work is */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); /* handlers run in the other threads */
    sem_init(&started, 0, 0);
    int reason = pthread_create(&thread, NULL, watch, &started);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (reason != 0)
        return error_set(err, "cannot start the thread that watches time and memory: %s", strerror(reason));
    pthread_detach(thread);
    while (sem_wait(&started) != 0) /* a process forked meanwhile could find locks that the new thread holds */
        ;
    return true;
}
