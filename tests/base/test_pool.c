/* Tasks on workers that crash, hang, are killed or talk a lot: every task ends once, and nothing stays behind. */
#define _GNU_SOURCE

#include "cmocka_setup.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "alive.h"
#include "base/pool.h"
#include "base/process.h"

enum { MOST_TASKS = 128, BIG = 5 << 20 };

enum act {
    ACT_TELL,
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
    enum act begin_act;    /* ACT_TELL: nothing special */
    bool begin_once;       /* begin_act only in the first worker */
    int pids;              /* write end of a pipe that hanging tasks tell their process ids; -1: none */
    struct counters *counters;
    int interrupted;
    struct error err;
};

/* ---- in the workers ------------------------------------------------------------------------------------------ */

static void tell_pid(const struct trial *trial)
{
    pid_t self = getpid();
    if (trial->pids >= 0 && write(trial->pids, &self, sizeof self) != sizeof self)
        abort();
}

static int hang(void *context)
{
    tell_pid(context);
    for (;;)
        pause();
    return 0;
}

static int open_files(void)
{
    int count = 0;
    DIR *folder = opendir("/proc/self/fd");
    while (folder && readdir(folder))
        count++;
    if (folder)
        closedir(folder);
    return count;
}

static void act(struct trial *trial, enum act what, struct text *out)
{
    switch (what) {
    case ACT_TELL:
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

static void *begin(void *context)
{
    struct trial *trial = context;
    int before = __atomic_fetch_add(&trial->counters->begun, 1, __ATOMIC_SEQ_CST);
    if (trial->begin_act != ACT_TELL && (before == 0 || !trial->begin_once))
        act(trial, trial->begin_act, NULL);
    return trial->counters;
}

static void run(void *context, void *state, size_t task, struct text *out)
{
    struct trial *trial = context;
    if (state != trial->counters)
        abort();
    act(trial, trial->acts[task], out);
}

static void finish(void *context, void *state)
{
    if (((struct trial *)context)->finish_prints)
        printf("good bye\n");
    __atomic_fetch_add(&((struct counters *)state)->finished, 1, __ATOMIC_SEQ_CST);
}

/* ---- in the parent ------------------------------------------------------------------------------------------- */

static void starve(void)
{
    struct rlimit limit;
    int lowest = dup(STDERR_FILENO);
    close(lowest);
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = (rlim_t)lowest;
    setrlimit(RLIMIT_NOFILE, &limit);
}

/* The next task is handed over before or after the death. */
static void kill_worker(pid_t pid, bool wait)
{
    kill(pid, SIGKILL);
    if (wait)
        assert_true(is_gone_soon(pid));
}

static bool task_ended(void *context, size_t task, enum pool_end end, int status, const struct text *result)
{
    struct trial *trial = context;
    int number = result->size < 16 ? atoi(text_string(result)) : 0;
    pid_t pid = trial->acts[task] == ACT_TELL ? number : 0;
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

static struct trial *new_trial(size_t tasks, unsigned workers)
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

static void free_trial(struct trial *trial)
{
    munmap(trial->counters, sizeof *trial->counters);
    free(trial);
}

/* Each task must have ended once, and no process be left. */
static void run_trial(struct trial *trial)
{
    assert_true(pool_run(&trial->pool, &trial->interrupted, &trial->err));
    assert_int_equal(trial->interrupted, 0);
    assert_int_equal(trial->ended, trial->pool.task_count);
    for (size_t i = 0; i < trial->pool.task_count; i++)
        assert_int_equal(trial->fates[i].count, 1);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

static void assert_fate(const struct trial *trial, size_t task, enum pool_end end, int status)
{
    const struct fate *fate = &trial->fates[task];
    if (fate->end != end || fate->status != status)
        fail_msg("task %zu: end %d, status %d; expected %d, %d", task, fate->end, fate->status, end, status);
}

static size_t count_ends(const struct trial *trial, enum pool_end end)
{
    size_t count = 0;
    for (size_t i = 0; i < trial->pool.task_count; i++)
        count += trial->fates[i].end == end;
    return count;
}

/* Different workers among the tasks that told theirs. */
static int count_workers(const struct trial *trial)
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

/* ---- tests --------------------------------------------------------------------------------------------------- */

static void every_task_ends_once(void **state)
{
    (void)state;
    static const size_t counts[] = {0, 1, 2, 7, 100};
    static const unsigned workers[] = {1, 2, 5};
    int files = open_files();
    for (size_t c = 0; c < 5; c++)
        for (size_t w = 0; w < 3; w++) {
            struct trial *trial = new_trial(counts[c], workers[w]);
            run_trial(trial);
            assert_int_equal(count_ends(trial, POOL_DONE), counts[c]);
            int used = count_workers(trial);
            assert_true(used <= (int)workers[w] && (used > 0 || counts[c] == 0));
            assert_int_equal(trial->counters->begun, used);
            assert_int_equal(trial->counters->finished, used);
            free_trial(trial);
        }
    assert_int_equal(open_files(), files);
}

/* A worker that held another's socket open would hide its end. */
static void workers_have_their_own_socket_alone(void **state)
{
    (void)state;
    int files = open_files();
    struct trial *trial = new_trial(12, 4);
    for (size_t i = 0; i < 12; i++)
        trial->acts[i] = i % 3 ? ACT_COUNT_FILES : ACT_SEGFAULT;
    run_trial(trial);
    for (size_t i = 0; i < 12; i++)
        if (i % 3)
            assert_int_equal(trial->fates[i].number, files + 1);
    free_trial(trial);
}

static void begin_and_finish_may_be_missing(void **state)
{
    (void)state;
    struct trial *trial = new_trial(3, 2);
    trial->pool.begin = NULL;
    trial->pool.finish = NULL;
    trial->pool.seconds = 0;
    munmap(trial->counters, sizeof *trial->counters);
    trial->counters = NULL; /* what `run` is then handed */
    run_trial(trial);
    assert_int_equal(count_ends(trial, POOL_DONE), 3);
    free(trial);
}

static const char *const mixed_groups[] = {"a", "b", "c", "a", "b", "c", "a", "b", "c", "c", "c", "d"};
enum { MIXED = 12 };

static void one_worker_takes_group_by_group(void **state)
{
    (void)state;
    static const char order[MIXED + 1] = "cccccaaabbbd";
    struct trial *trial = new_trial(MIXED, 1);
    trial->pool.groups = mixed_groups;
    run_trial(trial);
    for (size_t i = 0; i < MIXED; i++)
        assert_int_equal(mixed_groups[trial->order[i]][0], order[i]);
    assert_int_equal(trial->counters->begun, 1);
    free_trial(trial);
}

/* While there are groups to begin nobody helps: of two workers, one helps the other in at most one group, the last. */
static void two_workers_share_one_group_at_most(void **state)
{
    (void)state;
    struct trial *trial = new_trial(MIXED, 2);
    trial->pool.groups = mixed_groups;
    run_trial(trial);
    int shared = 0;
    for (char group = 'a'; group <= 'd'; group++) {
        pid_t first = 0;
        bool by_two = false;
        for (size_t i = 0; i < MIXED; i++)
            if (mixed_groups[i][0] == group) {
                by_two |= first != 0 && trial->fates[i].pid != first;
                first = trial->fates[i].pid;
            }
        shared += by_two;
    }
    assert_true(shared <= 1);
    free_trial(trial);
}

static void crashes_end_their_task_alone(void **state)
{
    (void)state;
    int files = open_files();
    for (unsigned workers = 1; workers <= 3; workers++) {
        struct trial *trial = new_trial(10, workers);
        trial->acts[0] = ACT_INTERRUPT; /* which is the worker's end, not the run's */
        trial->acts[1] = ACT_SEGFAULT;
        trial->acts[3] = ACT_EXIT_3;
        trial->acts[4] = ACT_EXIT_0;
        trial->acts[9] = ACT_KILL_SELF;
        run_trial(trial);
        assert_fate(trial, 0, POOL_CRASHED, SIGINT);
        assert_fate(trial, 1, POOL_CRASHED, SIGSEGV);
        assert_fate(trial, 3, POOL_CRASHED, -1 - 3);
        assert_fate(trial, 4, POOL_CRASHED, -1);
        assert_fate(trial, 9, POOL_CRASHED, SIGKILL);
        assert_int_equal(count_ends(trial, POOL_DONE), 5);
        free_trial(trial);
    }
    assert_int_equal(open_files(), files);
}

/* A program may be started with SIGCHLD ignored, and then a child's end is forgotten; other children stay ours. */
static void other_children_and_handlers_are_left_alone(void **state)
{
    (void)state;
    struct sigaction before, after;
    pid_t other = fork();
    if (other == 0)
        _exit(7);
    sigaction(SIGCHLD, &(struct sigaction){.sa_handler = SIG_IGN}, &before);
    struct trial *trial = new_trial(2, 1);
    trial->acts[0] = ACT_SEGFAULT;
    pool_run(&trial->pool, &trial->interrupted, &trial->err);
    sigaction(SIGCHLD, &before, &after);
    assert_fate(trial, 0, POOL_CRASHED, SIGSEGV);
    assert_fate(trial, 1, POOL_DONE, 0);
    assert_true(after.sa_handler == SIG_IGN);
    sigaction(SIGINT, NULL, &after);
    assert_true(after.sa_handler == SIG_DFL);
    int status = 0;
    if (waitpid(other, &status, 0) == other) /* unless it ended while SIGCHLD was ignored */
        assert_int_equal(WEXITSTATUS(status), 7);
    free_trial(trial);
}

static void results_are_empty_or_large(void **state)
{
    (void)state;
    struct trial *trial = new_trial(4, 2);
    trial->acts[0] = trial->acts[3] = ACT_BIG;
    trial->acts[1] = ACT_EMPTY;
    run_trial(trial);
    assert_fate(trial, 0, POOL_DONE, 0);
    assert_fate(trial, 1, POOL_DONE, 0);
    assert_fate(trial, 3, POOL_DONE, 0);
    assert_int_equal(trial->fates[0].size, BIG);
    assert_int_equal(trial->fates[1].size, 0);
    assert_int_equal(trial->fates[3].size, BIG);
    free_trial(trial);
}

static void hanging_task_is_ended_with_what_it_started(void **state)
{
    (void)state;
    int ends[2];
    pid_t pids[6];
    assert_int_equal(pipe(ends), 0);
    struct trial *trial = new_trial(6, 3);
    trial->pids = ends[1];
    trial->pool.seconds = 1;
    trial->acts[0] = ACT_HANG;
    trial->acts[1] = ACT_HANG_WITH_CHILD;
    trial->acts[2] = ACT_HANG_WITH_FORK;
    double start = clock_seconds();
    run_trial(trial);
    double took = clock_seconds() - start;
    assert_fate(trial, 0, POOL_TIMEOUT, 0);
    assert_fate(trial, 1, POOL_TIMEOUT, 0);
    assert_fate(trial, 2, POOL_TIMEOUT, 0);
    assert_int_equal(count_ends(trial, POOL_DONE), 3);
    assert_true(took >= 1 && took < 20);
    assert_int_equal(read(ends[0], pids, sizeof pids), 5 * sizeof(pid_t));
    for (int i = 0; i < 5; i++)
        assert_true(is_gone_soon(pids[i]));
    close(ends[0]);
    close(ends[1]);
    free_trial(trial);
}

/* What it started holds the worker's socket open: its death must be seen all the same, and end the rest. */
static void crash_is_seen_behind_what_the_worker_started(void **state)
{
    (void)state;
    int ends[2];
    pid_t left;
    assert_int_equal(pipe(ends), 0);
    struct trial *trial = new_trial(2, 1);
    trial->pids = ends[1];
    trial->acts[0] = ACT_CRASH_WITH_FORK;
    run_trial(trial);
    assert_fate(trial, 0, POOL_CRASHED, SIGSEGV);
    assert_fate(trial, 1, POOL_DONE, 0);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    if (read(ends[0], &left, sizeof left) == sizeof left) /* unless it was ended before it could tell */
        assert_true(is_gone_soon(left));
    close(ends[0]);
    close(ends[1]);
    free_trial(trial);
}

static void hanging_begin_counts_for_its_task(void **state)
{
    (void)state;
    struct trial *trial = new_trial(3, 1);
    trial->pool.seconds = 0.5;
    trial->begin_act = ACT_HANG;
    trial->begin_once = true;
    run_trial(trial);
    assert_fate(trial, 0, POOL_TIMEOUT, 0);
    assert_int_equal(trial->counters->begun, 2);
    free_trial(trial);
}

static void a_task_may_have_its_own_limit(void **state)
{
    (void)state;
    static const double seconds[] = {60, 0.2, 0, 60};
    struct trial *trial = new_trial(4, 2);
    trial->pool.seconds = 0;
    trial->pool.task_seconds = seconds;
    trial->acts[1] = ACT_HANG;
    run_trial(trial);
    assert_fate(trial, 1, POOL_TIMEOUT, 0);
    assert_int_equal(count_ends(trial, POOL_DONE), 3);
    free_trial(trial);
}

static void crashing_begin_does_not_loop(void **state)
{
    (void)state;
    struct trial *trial = new_trial(5, 2);
    trial->begin_act = ACT_SEGFAULT;
    run_trial(trial);
    for (size_t i = 0; i < 5; i++)
        assert_fate(trial, i, POOL_CRASHED, SIGSEGV);
    assert_int_equal(trial->counters->begun, 5);
    free_trial(trial);
}

/* The worker dies between two tasks: the next one, handed to it or not, must not suffer. */
static void no_task_is_lost_with_a_waiting_worker(void **state)
{
    (void)state;
    for (unsigned workers = 1; workers <= 2; workers++) {
        struct trial *trial = new_trial(20, workers);
        trial->kill_after_each = true;
        run_trial(trial);
        assert_int_equal(count_ends(trial, POOL_DONE), 20);
        assert_int_equal(count_workers(trial), 20);
        free_trial(trial);
    }
}

static void run_stops_when_told(void **state)
{
    (void)state;
    struct trial *trial = new_trial(10, 1);
    trial->stop_after = 3;
    run_trial(trial);
    for (size_t i = 0; i < 10; i++)
        assert_fate(trial, i, i < 3 ? POOL_DONE : POOL_NOT_RUN, 0);
    assert_int_equal(trial->counters->finished, 1);
    free_trial(trial);
    trial = new_trial(10, 3);
    trial->stop_after = 1;
    run_trial(trial);
    assert_in_range(count_ends(trial, POOL_DONE), 1, 3); /* those that ran are waited for */
    assert_int_equal(count_ends(trial, POOL_DONE) + count_ends(trial, POOL_NOT_RUN), 10);
    free_trial(trial);
}

/* The second worker cannot be replaced; the first does the rest. Or there is none: the rest is not run. */
static void run_goes_on_with_the_workers_there_are(void **state)
{
    (void)state;
    for (unsigned workers = 1; workers <= 2; workers++) {
        struct rlimit before;
        getrlimit(RLIMIT_NOFILE, &before);
        struct trial *trial = new_trial(10, workers);
        trial->starve_after_one = true;
        trial->acts[2] = ACT_SEGFAULT;
        bool good = pool_run(&trial->pool, &trial->interrupted, &trial->err);
        setrlimit(RLIMIT_NOFILE, &before);
        assert_true(good);
        assert_int_equal(trial->ended, 10);
        assert_fate(trial, 2, POOL_CRASHED, SIGSEGV);
        assert_int_equal(count_ends(trial, POOL_DONE), workers == 1 ? 2 : 9);
        assert_fate(trial, 9, workers == 1 ? POOL_NOT_RUN : POOL_DONE, workers == 1 ? EMFILE : 0);
        free_trial(trial);
    }
}

static void no_worker_at_all_is_an_error(void **state)
{
    (void)state;
    struct rlimit before;
    struct trial *trial = new_trial(4, 2);
    int files = open_files();
    getrlimit(RLIMIT_NOFILE, &before);
    starve();
    bool good = pool_run(&trial->pool, &trial->interrupted, &trial->err);
    setrlimit(RLIMIT_NOFILE, &before);
    assert_false(good);
    assert_non_null(strstr(trial->err.text, "cannot start worker processes: Too many open files"));
    assert_int_equal(trial->ended, 4);
    for (size_t i = 0; i < 4; i++)
        assert_fate(trial, i, POOL_NOT_RUN, EMFILE);
    assert_int_equal(open_files(), files);
    free_trial(trial);
}

static void read_text(int fd, char *out, size_t size)
{
    lseek(fd, 0, SEEK_SET);
    ssize_t n = read(fd, out, size - 1);
    out[n > 0 ? n : 0] = '\0';
}

static void workers_print_to_stderr(void **state)
{
    (void)state;
    char out[256], err[256];
    int files[2] = {memfd_create("out", 0), memfd_create("err", 0)};
    int saved[2] = {dup(STDOUT_FILENO), dup(STDERR_FILENO)};
    struct trial *trial = new_trial(3, 1);
    trial->finish_prints = true;
    trial->acts[0] = ACT_PRINT;
    trial->acts[1] = ACT_EXIT_3; /* what was printed before is kept */
    fflush(NULL);
    dup2(files[0], STDOUT_FILENO);
    dup2(files[1], STDERR_FILENO);
    printf("once, "); /* still in the buffer when the worker is forked */
    pool_run(&trial->pool, &trial->interrupted, &trial->err);
    printf("and the end");
    fflush(stdout);
    dup2(saved[0], STDOUT_FILENO);
    dup2(saved[1], STDERR_FILENO);
    read_text(files[0], out, sizeof out);
    read_text(files[1], err, sizeof err);
    for (int i = 0; i < 2; i++) {
        close(saved[i]);
        close(files[i]);
    }
    assert_string_equal(out, "once, and the end");
    assert_string_equal(err, "a library's chatter\ngood bye\n");
    free_trial(trial);
}

/* ---- a run in a process of its own, to be signalled ------------------------------------------------------------ */

enum { HANGING = 3 };

struct victim {
    pid_t pid;
    pid_t pids[2 * HANGING]; /* workers and their children */
};

static int run_until_stopped(int pids)
{
    struct trial *trial = new_trial(10, HANGING);
    trial->pids = pids;
    trial->pool.seconds = 0;
    for (size_t i = 0; i < HANGING; i++)
        trial->acts[i] = ACT_HANG_WITH_CHILD;
    bool good = pool_run(&trial->pool, &trial->interrupted, &trial->err) && trial->ended == 10 &&
                count_ends(trial, POOL_NOT_RUN) == 10 && waitpid(-1, NULL, WNOHANG) < 0;
    return good ? trial->interrupted : 99;
}

static void start_victim(struct victim *victim)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    victim->pid = fork();
    if (victim->pid == 0) {
        close(ends[0]);
        _exit(run_until_stopped(ends[1]));
    }
    close(ends[1]);
    for (int i = 0; i < 2 * HANGING; i++)
        assert_int_equal(read(ends[0], &victim->pids[i], sizeof(pid_t)), sizeof(pid_t));
    close(ends[0]);
    for (int i = 0; i < 2 * HANGING; i++)
        assert_true(is_alive(victim->pids[i]));
}

static int end_of_victim(const struct victim *victim)
{
    int status = 0;
    assert_int_equal(waitpid(victim->pid, &status, 0), victim->pid);
    for (int i = 0; i < 2 * HANGING; i++)
        assert_true(is_gone_soon(victim->pids[i]));
    return status;
}

static void signals_stop_the_run(void **state)
{
    (void)state;
    static const int numbers[] = {SIGINT, SIGTERM};
    for (int i = 0; i < 2; i++) {
        struct victim victim;
        start_victim(&victim);
        kill(victim.pid, numbers[i]);
        int status = end_of_victim(&victim);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), numbers[i]);
    }
}

static void impatient_signals_do_no_harm(void **state)
{
    (void)state;
    struct victim victim;
    start_victim(&victim);
    kill(victim.pid, SIGINT);
    kill(victim.pid, SIGTERM);
    kill(victim.pid, SIGINT);
    int status = end_of_victim(&victim); /* after the run the second ends the process, as without a pool */
    assert_true(WIFSIGNALED(status) || WEXITSTATUS(status) == SIGINT || WEXITSTATUS(status) == SIGTERM);
}

static void workers_die_with_the_parent(void **state)
{
    (void)state;
#ifndef __linux__
    skip();
#endif
    struct victim victim;
    start_victim(&victim);
    kill(victim.pid, SIGKILL);
    assert_true(WIFSIGNALED(end_of_victim(&victim)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_task_ends_once),
        cmocka_unit_test(workers_have_their_own_socket_alone),
        cmocka_unit_test(begin_and_finish_may_be_missing),
        cmocka_unit_test(one_worker_takes_group_by_group),
        cmocka_unit_test(two_workers_share_one_group_at_most),
        cmocka_unit_test(crashes_end_their_task_alone),
        cmocka_unit_test(other_children_and_handlers_are_left_alone),
        cmocka_unit_test(results_are_empty_or_large),
        cmocka_unit_test(hanging_task_is_ended_with_what_it_started),
        cmocka_unit_test(crash_is_seen_behind_what_the_worker_started),
        cmocka_unit_test(hanging_begin_counts_for_its_task),
        cmocka_unit_test(a_task_may_have_its_own_limit),
        cmocka_unit_test(crashing_begin_does_not_loop),
        cmocka_unit_test(no_task_is_lost_with_a_waiting_worker),
        cmocka_unit_test(run_stops_when_told),
        cmocka_unit_test(run_goes_on_with_the_workers_there_are),
        cmocka_unit_test(no_worker_at_all_is_an_error),
        cmocka_unit_test(workers_print_to_stderr),
        cmocka_unit_test(signals_stop_the_run),
        cmocka_unit_test(impatient_signals_do_no_harm),
        cmocka_unit_test(workers_die_with_the_parent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
