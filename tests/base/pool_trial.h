#ifndef RIGPROOF_TESTS_BASE_POOL_TRIAL_H
#define RIGPROOF_TESTS_BASE_POOL_TRIAL_H

/* A pool whose tasks do as a test says, and what became of each. Define _GNU_SOURCE and include "cmocka_setup.h" before. */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "alive.h"
#include "base/process/pool.h"
#include "base/process/process.h"

enum { MOST_TASKS = 128, BIG = 5 << 20 };

enum act {
    ACT_REPORT,
    ACT_SEGFAULT,
    ACT_EXIT_3,
    ACT_EXIT_0,
    ACT_KILL_SELF,
    ACT_INTERRUPT,
    ACT_HANG,
    ACT_HANG_WITH_CHILD, /* in child_run() */
    ACT_HANG_WITH_FORK,  /* beside a process that would outlive its parent */
    ACT_CRASH_WITH_FORK,
    ACT_BIG,
    ACT_EMPTY,
    ACT_PRINT,
    ACT_COUNT_FILES,
};

/* What one task came to. */
struct fate {
    int count;
    enum pool_end end;
    int status;
    int number; /* that it told */
    pid_t pid;  /* of the worker that did it, 0: unknown */
    size_t size;
};

/* Counted by the workers, in shared memory. */
struct counters {
    int begun, finished;
};

struct trial {
    struct pool pool;
    enum act acts[MOST_TASKS];
    struct fate fates[MOST_TASKS];
    size_t order[MOST_TASKS]; /* in which the tasks ended */
    size_t ended;
    size_t stop_after;     /* `ended` says stop from this many on; 0: never */
    bool kill_after_each;  /* the worker of a task that is done */
    bool finish_prints;
    bool starve_after_one; /* no more file descriptors once a task has ended */
    enum act begin_act;    /* ACT_REPORT: nothing special */
    bool begin_once;       /* begin_act only in the first worker */
    int pids;              /* write end of a pipe that hanging tasks tell their process ids; -1: none */
    struct counters *counters;
    int interrupted;
    struct error err;
};

/* ---- in the workers ------------------------------------------------------------------------------------------ */

static inline void tell_pid(const struct trial *trial)
{
    pid_t self = getpid();
    if (trial->pids >= 0 && write(trial->pids, &self, sizeof self) != sizeof self)
        abort();
}

static inline int hang(void *context)
{
    tell_pid(context);
    for (;;)
        pause();
    return 0;
}

static inline int open_files(void)
{
    int count = 0;
    DIR *folder = opendir("/proc/self/fd");
    while (folder && readdir(folder))
        count++;
    if (folder)
        closedir(folder);
    return count;
}

static inline void act(struct trial *trial, enum act what, struct text *out)
{
    switch (what) {
    case ACT_REPORT:
        text_addf(out, "%d", (int)getpid());
        break;
    case ACT_SEGFAULT:
        raise(SIGSEGV);
        break;
    case ACT_EXIT_3:
        _exit(3);
    case ACT_EXIT_0:
        _exit(0);
    case ACT_KILL_SELF:
        raise(SIGKILL);
        break;
    case ACT_INTERRUPT:
        raise(SIGINT);
        break;
    case ACT_HANG:
        hang(trial);
        break;
    case ACT_HANG_WITH_CHILD:
        tell_pid(trial);
        child_run(hang, trial, &(struct child_limits){0});
        break;
    case ACT_HANG_WITH_FORK:
    case ACT_CRASH_WITH_FORK:
        if (fork() != 0 && what == ACT_CRASH_WITH_FORK)
            raise(SIGSEGV);
        hang(trial);
        break;
    case ACT_BIG:
        for (size_t i = 0; i < BIG / 8; i++)
            text_addf(out, "%07zu\n", i);
        break;
    case ACT_EMPTY:
        break;
    case ACT_PRINT:
        printf("a library's chatter\n");
        break;
    case ACT_COUNT_FILES:
        text_addf(out, "%d", open_files());
        break;
    }
}

static inline void *begin(void *context)
{
    struct trial *trial = context;
    int before = __atomic_fetch_add(&trial->counters->begun, 1, __ATOMIC_SEQ_CST);
    if (trial->begin_act != ACT_REPORT && (before == 0 || !trial->begin_once))
        act(trial, trial->begin_act, NULL);
    return trial->counters;
}

static inline void run(void *context, void *state, size_t task, struct text *out)
{
    struct trial *trial = context;
    if (state != trial->counters)
        abort();
    act(trial, trial->acts[task], out);
}

static inline void finish(void *context, void *state)
{
    if (((struct trial *)context)->finish_prints)
        printf("good bye\n");
    __atomic_fetch_add(&((struct counters *)state)->finished, 1, __ATOMIC_SEQ_CST);
}

/* ---- in the parent ------------------------------------------------------------------------------------------- */

static inline void starve(void)
{
    struct rlimit limit;
    int lowest = dup(STDERR_FILENO);
    close(lowest);
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = (rlim_t)lowest;
    setrlimit(RLIMIT_NOFILE, &limit);
}

/* The next task is handed over before or after the death. */
static inline void kill_worker(pid_t pid, bool wait)
{
    kill(pid, SIGKILL);
    if (wait)
        assert_true(is_gone_soon(pid));
}

static inline bool task_ended(void *context, size_t task, enum pool_end end, int status, const struct text *result)
{
    struct trial *trial = context;
    int number = result->size < 16 ? atoi(text_string(result)) : 0;
    pid_t pid = trial->acts[task] == ACT_REPORT ? number : 0;
    trial->fates[task] = (struct fate){trial->fates[task].count + 1, end, status, number, pid, result->size};
    trial->order[trial->ended++] = task;
    if (trial->acts[task] == ACT_BIG && end == POOL_DONE)
        for (size_t i = 0; i < BIG / 8; i++)
            if (strtoul(result->data + 8 * i, NULL, 10) != i)
                trial->fates[task].status = 99;
    if (trial->kill_after_each && pid)
        kill_worker(pid, trial->pool.workers == 1);
    if (trial->starve_after_one && trial->ended == 1)
        starve();
    return trial->stop_after == 0 || trial->ended < trial->stop_after;
}

static inline struct trial *new_trial(size_t tasks, unsigned workers)
{
    struct trial *trial = calloc(1, sizeof *trial);
    assert_non_null(trial);
    trial->pids = -1;
    trial->counters = mmap(NULL, sizeof *trial->counters, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(trial->counters, MAP_FAILED);
    trial->pool = (struct pool){.task_count = tasks, .workers = workers, .seconds = 60, .context = trial,
                                .begin = begin, .run = run, .finish = finish, .ended = task_ended};
    return trial;
}

static inline void free_trial(struct trial *trial)
{
    munmap(trial->counters, sizeof *trial->counters);
    free(trial);
}

/* Each task must have ended once, and no process be left. */
static inline void run_trial(struct trial *trial)
{
    assert_true(pool_run(&trial->pool, &trial->interrupted, &trial->err));
    assert_int_equal(trial->interrupted, 0);
    assert_int_equal(trial->ended, trial->pool.task_count);
    for (size_t i = 0; i < trial->pool.task_count; i++)
        assert_int_equal(trial->fates[i].count, 1);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

static inline void assert_fate(const struct trial *trial, size_t task, enum pool_end end, int status)
{
    const struct fate *fate = &trial->fates[task];
    if (fate->end != end || fate->status != status)
        fail_msg("task %zu: end %d, status %d; expected %d, %d", task, fate->end, fate->status, end, status);
}

static inline size_t count_ends(const struct trial *trial, enum pool_end end)
{
    size_t count = 0;
    for (size_t i = 0; i < trial->pool.task_count; i++)
        count += trial->fates[i].end == end;
    return count;
}

/* Different workers among the tasks that told theirs. */
static inline int count_workers(const struct trial *trial)
{
    int count = 0;
    for (size_t i = 0; i < trial->pool.task_count; i++) {
        size_t first = 0;
        while (trial->fates[first].pid != trial->fates[i].pid)
            first++;
        count += first == i && trial->fates[i].pid != 0;
    }
    return count;
}

#endif
