#define _GNU_SOURCE

#include "base/process/child.h"

#include <signal.h>
#include <stddef.h>
#include <sys/resource.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "base/file/file_writer.h"

/* A parent that is gone already sends no signal any more. */
static void die_with_parent(pid_t parent)
{
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (getppid() != parent)
        _exit(1);
}

static void drop_handler(int number)
{
    struct sigaction now;
    if (sigaction(number, NULL, &now) == 0 && ((now.sa_flags & SA_SIGINFO) || now.sa_handler != SIG_IGN))
        signal(number, SIG_DFL);
}

void child_begin(pid_t parent)
{
    static const int fatal[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGXCPU, SIGPIPE, SIGSYS};
    die_with_parent(parent);
    temporaries_disown();
    for (size_t i = 0; i < sizeof fatal / sizeof fatal[0]; i++)
        signal(fatal[i], SIG_DFL);
    signal(SIGCHLD, SIG_DFL); /* ignored, it would hide how a child's own child ended */
    drop_handler(SIGHUP);
    drop_handler(SIGINT);
    drop_handler(SIGTERM);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
}

/* _exit() would lose a coverage build's counters. */
static void flush_coverage(void)
{
#ifdef RIGPROOF_COVERAGE
    extern void __gcov_dump(void);
    __gcov_dump();
#endif
}

void child_end(int status)
{
    flush_coverage();
    _exit(status);
}
