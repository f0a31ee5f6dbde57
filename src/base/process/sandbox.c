#include "base/process/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The counters of a coverage build are written by the process when it ends. */
#if defined(HAVE_SECCOMP) && !defined(RIGPROOF_COVERAGE)
#define FILTERS 1
#endif

#ifdef FILTERS
#include <seccomp.h>

/* Reading, memory, time and dying need these. The numbers of calls that an architecture does not have are refused. */
static const int allowed[] = {
    SCMP_SYS(read),
    SCMP_SYS(pread64),
    SCMP_SYS(readv),
    SCMP_SYS(lseek),
    SCMP_SYS(_llseek),
    SCMP_SYS(close),
    SCMP_SYS(fstat),
    SCMP_SYS(fstat64),
    SCMP_SYS(newfstatat),
    SCMP_SYS(fstatat64),
    SCMP_SYS(stat),
    SCMP_SYS(stat64),
    SCMP_SYS(lstat),
    SCMP_SYS(lstat64),
    SCMP_SYS(statx),
    SCMP_SYS(access),
    SCMP_SYS(faccessat),
    SCMP_SYS(faccessat2),
    SCMP_SYS(readlink),
    SCMP_SYS(readlinkat),
    SCMP_SYS(getcwd),
    SCMP_SYS(brk),
    SCMP_SYS(mmap),
    SCMP_SYS(mmap2),
    SCMP_SYS(munmap),
    SCMP_SYS(mremap),
    SCMP_SYS(mprotect),
    SCMP_SYS(madvise),
    SCMP_SYS(futex),
    SCMP_SYS(futex_time64),
    SCMP_SYS(getrandom),
    SCMP_SYS(clock_gettime),
    SCMP_SYS(clock_gettime64),
    SCMP_SYS(gettimeofday),
    SCMP_SYS(time),
    SCMP_SYS(nanosleep),
    SCMP_SYS(clock_nanosleep),
    SCMP_SYS(clock_nanosleep_time64),
    SCMP_SYS(getrusage),
    SCMP_SYS(rt_sigaction),
    SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(rt_sigreturn),
    SCMP_SYS(sigreturn),
    SCMP_SYS(sigaltstack),
    SCMP_SYS(restart_syscall),
    SCMP_SYS(getpid),
    SCMP_SYS(getppid),
    SCMP_SYS(gettid),
    SCMP_SYS(sched_yield),
    SCMP_SYS(sched_getaffinity),
    SCMP_SYS(set_robust_list),
    SCMP_SYS(rseq),
    SCMP_SYS(uname),
    SCMP_SYS(sysinfo),
    SCMP_SYS(exit),
    SCMP_SYS(exit_group),
#ifdef RIGPROOF_SANITIZE /* it tries whether memory can be read */
    SCMP_SYS(pipe),
    SCMP_SYS(pipe2),
    SCMP_SYS(write),
    SCMP_SYS(process_vm_readv),
    SCMP_SYS(getrlimit),
#endif
};

/* These end the process: nothing that reads a model does them. */
static const int fatal[] = {
    SCMP_SYS(socket), SCMP_SYS(socketpair), SCMP_SYS(connect), SCMP_SYS(execve), SCMP_SYS(execveat), SCMP_SYS(ptrace),
    SCMP_SYS(creat), SCMP_SYS(unlink), SCMP_SYS(unlinkat), SCMP_SYS(rename), SCMP_SYS(renameat), SCMP_SYS(renameat2),
    SCMP_SYS(mkdir), SCMP_SYS(mkdirat), SCMP_SYS(rmdir), SCMP_SYS(link), SCMP_SYS(linkat), SCMP_SYS(symlink),
    SCMP_SYS(symlinkat), SCMP_SYS(chmod), SCMP_SYS(fchmodat), SCMP_SYS(chown), SCMP_SYS(fchownat), SCMP_SYS(truncate),
#ifndef RIGPROOF_SANITIZE /* it may start a program that reads symbols, and goes on without */
    SCMP_SYS(fork), SCMP_SYS(vfork), SCMP_SYS(clone),
#endif
};

static void say(const char *text)
{
    ssize_t written = write(STDERR_FILENO, text, strlen(text));
    (void)written;
}

/* The call's name takes memory, which is safe: nothing that allocates makes such a call. */
static void on_forbidden_call(int number, siginfo_t *info, void *context)
{
    (void)context;
    char *name = seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, info->si_syscall);
    say("system call `");
    say(name ? name : "unknown");
    say("`\n");
    raise(number);
}
#endif

/* Files of the caller: its results, its locks, its pipes. */
static void close_all_but(int keep)
{
#ifdef SYS_close_range
    if ((keep <= 3 || syscall(SYS_close_range, 3u, (unsigned)keep - 1, 0u) == 0) &&
        syscall(SYS_close_range, keep < 3 ? 3u : (unsigned)keep + 1, ~0u, 0u) == 0)
        return;
#endif
    long most = sysconf(_SC_OPEN_MAX);
    for (int fd = 3; fd < (most > 0 && most < 65536 ? most : 65536); fd++)
        if (fd != keep)
            close(fd);
}

void sandbox_enter(int keep)
{
    close_all_but(keep);
#ifndef RIGPROOF_COVERAGE
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){0, 0});
#endif
#ifdef FILTERS
    static const scmp_datum_t writing[] = {O_WRONLY, O_RDWR, O_CREAT, O_TRUNC};
    const scmp_datum_t any = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC, self = (scmp_datum_t)getpid();
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(ENOSYS));
    if (!filter)
        return;
    for (size_t i = 0; i < sizeof allowed / sizeof allowed[0]; i++)
        seccomp_rule_add(filter, SCMP_ACT_ALLOW, allowed[i], 0);
    for (size_t i = 0; i < sizeof fatal / sizeof fatal[0]; i++)
        seccomp_rule_add(filter, SCMP_ACT_TRAP, fatal[i], 0);
    seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(open), 1, SCMP_A1(SCMP_CMP_MASKED_EQ, any, 0));
    seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(openat), 1, SCMP_A2(SCMP_CMP_MASKED_EQ, any, 0));
    for (size_t i = 0; i < sizeof writing / sizeof writing[0]; i++) {
        seccomp_rule_add(filter, SCMP_ACT_TRAP, SCMP_SYS(open), 1, SCMP_A1(SCMP_CMP_MASKED_EQ, writing[i], writing[i]));
        seccomp_rule_add(filter, SCMP_ACT_TRAP, SCMP_SYS(openat), 1,
                         SCMP_A2(SCMP_CMP_MASKED_EQ, writing[i], writing[i]));
    }
    /* Last words, signals to itself, and questions that the C library asks of an open file and of its limits. */
    for (scmp_datum_t fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++) {
        seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(write), 1, SCMP_A0(SCMP_CMP_EQ, fd));
        seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(writev), 1, SCMP_A0(SCMP_CMP_EQ, fd));
    }
    seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(kill), 1, SCMP_A0(SCMP_CMP_EQ, self));
    seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 1, SCMP_A0(SCMP_CMP_EQ, self));
    seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(fcntl), 1, SCMP_A1(SCMP_CMP_EQ, F_GETFL));
    seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(prlimit64), 1, SCMP_A2(SCMP_CMP_EQ, 0));
    /* Once: raise() in the handler ends the process. */
    sigaction(
        SIGSYS,
        &(struct sigaction){.sa_sigaction = on_forbidden_call, .sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESETHAND},
        NULL);
    seccomp_load(filter);
    seccomp_release(filter);
#endif
}

static int open_socket(void *context)
{
    (void)context;
    return socket(AF_UNIX, SOCK_STREAM, 0) < 0;
}

bool sandbox_works(const char **why)
{
#ifdef FILTERS
    struct child_result result = child_run(open_socket, NULL, &(struct child_limits){.seconds = 10, .sandboxed = true});
    *why = "the system refuses seccomp filters";
    return result.end == CHILD_CRASHED && result.status == SIGSYS;
#else
    (void)open_socket;
    *why = "this rigproof was built without libseccomp";
    return false;
#endif
}
