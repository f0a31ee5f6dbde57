/*
 * Tasks on workers: every task ends once and nothing stays behind, whether workers work, crash, hang, are killed or cannot be
 * started, and whether the run is stopped.
 */
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
#include "base/process/pool.h"
#include "base/process/process.h"

enum { MOST_TASKS = 128, BIG = 5 << 20 };

enum act {
    ACT_REPORT,
    ACT_EXIT,            /* with code 3 */
    ACT_KILL_SELF,
    ACT_SEGFAULT,
    ACT_INTERRUPT,
    ACT_HANG,
    ACT_HANG_WITH_CHILD, /* in child_run() */
    ACT_HANG_WITH_FORK,  /* beside a process that would outlive its parent */
    ACT_CRASH_WITH_FORK,
    ACT_BIG,
    ACT_EMPTY,
    ACT_PRINT,
    ACT_COUNT_FILES,
    ACT_WAIT_FOR_TWO, /* until two workers have begun */
};

/* What one task came to. */
struct fate {
    int count;
    enum pool_end end;
    int status;
    int number; /* that it told: ACT_REPORT its process id */
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
    int pids[2];           /* a pipe through which hanging tasks tell their process ids */
    struct counters *counters;
    int interrupted;
    struct error err;
};

/* ---- in the workers ------------------------------------------------------------------------------------------ */

static int hang(void *context)
{
    const struct trial *trial = context;
    pid_t self = getpid();
    if (write(trial->pids[1], &self, sizeof self) != sizeof self)
        abort();
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
    static const int signals[] = {[ACT_KILL_SELF] = SIGKILL, [ACT_SEGFAULT] = SIGSEGV, [ACT_INTERRUPT] = SIGINT};
    switch (what) {
    case ACT_REPORT:
        text_addf(out, "%d", (int)getpid());
        break;
    case ACT_EXIT:
        _exit(3);
    case ACT_KILL_SELF:
    case ACT_SEGFAULT:
    case ACT_INTERRUPT:
        raise(signals[what]);
        break;
    case ACT_HANG_WITH_CHILD:
        child_run(hang, trial, &(struct child_limits){0});
        break;
    case ACT_HANG_WITH_FORK:
    case ACT_CRASH_WITH_FORK:
        if (fork() != 0 && what == ACT_CRASH_WITH_FORK)
            raise(SIGSEGV);
        hang(trial);
        break;
    case ACT_HANG:
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
    case ACT_WAIT_FOR_TWO:
        while (__atomic_load_n(&trial->counters->begun, __ATOMIC_SEQ_CST) < 2)
            usleep(1000);
        break;
    }
}

static void *begin(void *context)
{
    struct trial *trial = context;
    int before = __atomic_fetch_add(&trial->counters->begun, 1, __ATOMIC_SEQ_CST);
    if (trial->begin_act == ACT_SEGFAULT || (trial->begin_act == ACT_HANG && before == 0))
        act(trial, trial->begin_act, NULL);
    return trial->counters;
}

static void run(void *context, void *state, size_t task, struct text *out)
{
    struct trial *trial = context;
    if (state != (trial->pool.begin ? trial->counters : NULL))
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

/* No file can be opened any more. Gives back what the limit was. */
static struct rlimit starve(void)
{
    struct rlimit before;
    int lowest = dup(STDERR_FILENO);
    close(lowest);
    getrlimit(RLIMIT_NOFILE, &before);
    setrlimit(RLIMIT_NOFILE, &(struct rlimit){(rlim_t)lowest, before.rlim_max});
    return before;
}

static bool task_ended(void *context, size_t task, enum pool_end end, int status, const struct text *result)
{
    struct trial *trial = context;
    int number = result->size < 16 ? atoi(text_string(result)) : 0;
    trial->fates[task] = (struct fate){trial->fates[task].count + 1, end, status, number, result->size};
    trial->order[trial->ended++] = task;
    if (trial->acts[task] == ACT_BIG && end == POOL_DONE)
        for (size_t i = 0; i < BIG / 8; i++)
            if (strtoul(result->data + 8 * i, NULL, 10) != i)
                trial->fates[task].status = 99;
    if (trial->kill_after_each) {
        kill(number, SIGKILL);
        if (trial->pool.workers == 1) /* the next task is handed over before or after the death */
            assert_true(is_gone_soon(number));
    }
    if (trial->starve_after_one && trial->ended == 1)
        starve();
    return trial->stop_after == 0 || trial->ended < trial->stop_after;
}

static struct trial *new_trial(size_t tasks, unsigned workers)
{
    struct trial *trial = calloc(1, sizeof *trial);
    assert_non_null(trial);
    assert_int_equal(pipe2(trial->pids, O_CLOEXEC), 0);
    trial->counters = mmap(NULL, sizeof *trial->counters, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(trial->counters, MAP_FAILED);
    trial->pool = (struct pool){.task_count = tasks, .workers = workers, .seconds = 60, .context = trial,
                                .begin = begin, .run = run, .finish = finish, .ended = task_ended};
    return trial;
}

static void free_trial(struct trial *trial)
{
    close(trial->pids[0]);
    close(trial->pids[1]);
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
        while (trial->fates[first].number != trial->fates[i].number)
            first++;
        count += first == i;
    }
    return count;
}

/* ---- work ---------------------------------------------------------------------------------------------------- */

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
    struct trial *trial = new_trial(3, 2);
    trial->pool.begin = NULL;
    trial->pool.finish = NULL;
    trial->pool.seconds = 0;
    run_trial(trial);
    assert_int_equal(count_ends(trial, POOL_DONE), 3);
    free_trial(trial);
}

/* A worker that held another's socket open would hide its end. */
static void workers_have_their_own_socket_alone(void **state)
{
    (void)state;
    struct trial *trial = new_trial(12, 4);
    int files = open_files();
    for (size_t i = 0; i < 12; i++)
        trial->acts[i] = i % 3 ? ACT_COUNT_FILES : ACT_SEGFAULT;
    run_trial(trial);
    for (size_t i = 0; i < 12; i++)
        if (i % 3)
            assert_int_equal(trial->fates[i].number, files + 1);
    free_trial(trial);
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
        int first = 0;
        bool by_two = false;
        for (size_t i = 0; i < MIXED; i++)
            if (mixed_groups[i][0] == group) {
                by_two |= first != 0 && trial->fates[i].number != first;
                first = trial->fates[i].number;
            }
        shared += by_two;
    }
    assert_true(shared <= 1);
    free_trial(trial);
}

/* The second worker finds no group of its own, and takes from the end of the other's. */
static void an_idle_worker_helps_from_the_end(void **state)
{
    (void)state;
    static const char *const groups[] = {"a", "a", "a", "a"};
    struct trial *trial = new_trial(4, 2);
    trial->pool.groups = groups;
    trial->acts[0] = ACT_WAIT_FOR_TWO;
    trial->acts[3] = ACT_WAIT_FOR_TWO;
    run_trial(trial);
    assert_int_equal(count_ends(trial, POOL_DONE), 4);
    assert_int_equal(trial->counters->begun, 2);
    assert_true(trial->order[0] == 0 || trial->order[0] == 3);
    free_trial(trial);
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
    for (size_t i = 0; i < 4; i++) {
        assert_fate(trial, i, POOL_DONE, 0);
        assert_true(i == 2 || trial->fates[i].size == (i == 1 ? 0 : BIG));
    }
    free_trial(trial);
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

static void workers_print_to_stderr(void **state)
{
    (void)state;
    static const char *const expected[] = {"once, and the end", "a library's chatter\ngood bye\n"};
    int files[2] = {memfd_create("out", 0), memfd_create("err", 0)};
    int saved[2] = {dup(STDOUT_FILENO), dup(STDERR_FILENO)};
    struct trial *trial = new_trial(3, 1);
    trial->finish_prints = true;
    trial->acts[0] = ACT_PRINT;
    trial->acts[1] = ACT_EXIT; /* what was printed before is kept */
    fflush(NULL);
    dup2(files[0], STDOUT_FILENO);
    dup2(files[1], STDERR_FILENO);
    printf("once, "); /* still in the buffer when the worker is forked */
    pool_run(&trial->pool, &trial->interrupted, &trial->err);
    printf("and the end");
    fflush(stdout);
    dup2(saved[0], STDOUT_FILENO);
    dup2(saved[1], STDERR_FILENO);
    for (int i = 0; i < 2; i++) {
        char text[256] = "";
        assert_true(pread(files[i], text, sizeof text - 1, 0) >= 0);
        assert_string_equal(text, expected[i]);
        close(saved[i]);
        close(files[i]);
    }
    free_trial(trial);
}

/* ---- failures ------------------------------------------------------------------------------------------------ */

static void crashes_end_their_task_alone(void **state)
{
    (void)state;
    int files = open_files();
    for (unsigned workers = 1; workers <= 3; workers++) {
        struct trial *trial = new_trial(10, workers);
        trial->acts[0] = ACT_INTERRUPT; /* which is the worker's end, not the run's */
        trial->acts[1] = ACT_SEGFAULT;
        trial->acts[3] = ACT_EXIT;
        trial->acts[9] = ACT_KILL_SELF;
        run_trial(trial);
        assert_fate(trial, 0, POOL_CRASHED, SIGINT);
        assert_fate(trial, 1, POOL_CRASHED, SIGSEGV);
        assert_fate(trial, 3, POOL_CRASHED, -1 - 3);
        assert_fate(trial, 9, POOL_CRASHED, SIGKILL);
        assert_int_equal(count_ends(trial, POOL_DONE), 6);
        free_trial(trial);
    }
    assert_int_equal(open_files(), files);
}

static void hanging_task_is_ended_with_what_it_started(void **state)
{
    (void)state;
    pid_t pids[6];
    struct trial *trial = new_trial(6, 3);
    trial->pool.seconds = 1;
    trial->acts[0] = ACT_HANG;
    trial->acts[1] = ACT_HANG_WITH_CHILD;
    trial->acts[2] = ACT_HANG_WITH_FORK;
    double start = clock_seconds();
    run_trial(trial);
    double took = clock_seconds() - start;
    for (size_t i = 0; i < 3; i++)
        assert_fate(trial, i, POOL_TIMEOUT, 0);
    assert_int_equal(count_ends(trial, POOL_DONE), 3);
    assert_true(took >= 1 && took < 20);
    assert_int_equal(read(trial->pids[0], pids, sizeof pids), 4 * sizeof(pid_t));
    for (int i = 0; i < 4; i++)
        assert_true(is_gone_soon(pids[i]));
    free_trial(trial);
}

/* What it started holds the worker's socket open: its death must be seen all the same, and end the rest. */
static void crash_is_seen_behind_what_the_worker_started(void **state)
{
    (void)state;
    pid_t left;
    struct trial *trial = new_trial(2, 1);
    trial->acts[0] = ACT_CRASH_WITH_FORK;
    run_trial(trial);
    assert_fate(trial, 0, POOL_CRASHED, SIGSEGV);
    assert_fate(trial, 1, POOL_DONE, 0);
    fcntl(trial->pids[0], F_SETFL, O_NONBLOCK);
    if (read(trial->pids[0], &left, sizeof left) == sizeof left) /* unless it was ended before it could tell */
        assert_true(is_gone_soon(left));
    free_trial(trial);
}

/* A begin that hangs counts for its task; a task may have a limit of its own. */
static void limits_are_those_of_the_task(void **state)
{
    (void)state;
    static const double seconds[] = {0.5, 0.2, 0, 60};
    struct trial *trial = new_trial(4, 1);
    trial->pool.seconds = 0;
    trial->pool.task_seconds = seconds;
    trial->begin_act = ACT_HANG;
    trial->acts[1] = ACT_HANG;
    run_trial(trial);
    assert_fate(trial, 0, POOL_TIMEOUT, 0);
    assert_fate(trial, 1, POOL_TIMEOUT, 0);
    assert_int_equal(count_ends(trial, POOL_DONE), 2);
    assert_int_equal(trial->counters->begun, 3);
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
    struct trial *trial = new_trial(4, 2);
    int files = open_files();
    struct rlimit before = starve();
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

/* ---- a run in a process of its own, which is signalled or killed ----------------------------------------------- */

static int run_hanging(struct trial *trial)
{
    trial->pool.seconds = 0;
    for (size_t i = 0; i < trial->pool.workers; i++)
        trial->acts[i] = ACT_HANG_WITH_CHILD;
    bool good = pool_run(&trial->pool, &trial->interrupted, &trial->err) && trial->ended == 10 &&
                count_ends(trial, POOL_NOT_RUN) == 10 && waitpid(-1, NULL, WNOHANG) < 0;
    return good ? trial->interrupted : 99;
}

/* The status of the process after these signals; all that it started is gone then. */
static int end_of_run(const int *signals, int count)
{
    enum { HANGING = 3 };
    pid_t pids[HANGING];
    int status = 0;
    struct trial *trial = new_trial(10, HANGING);
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0)
        _exit(run_hanging(trial));
    for (int i = 0; i < HANGING; i++) {
        assert_int_equal(read(trial->pids[0], &pids[i], sizeof(pid_t)), sizeof(pid_t));
        assert_true(is_alive(pids[i]));
    }
    for (int i = 0; i < count; i++)
        kill(pid, signals[i]);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    for (int i = 0; i < HANGING; i++)
        assert_true(is_gone_soon(pids[i]));
    free_trial(trial);
    return status;
}

static void signals_stop_the_run(void **state)
{
    (void)state;
    static const int numbers[] = {SIGINT, SIGTERM, SIGINT};
    for (int i = 0; i < 2; i++) {
        int status = end_of_run(&numbers[i], 1);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), numbers[i]);
    }
    int status = end_of_run(numbers, 3); /* after the run the second ends the process, as without a pool */
    assert_true(WIFSIGNALED(status) || WEXITSTATUS(status) == SIGINT || WEXITSTATUS(status) == SIGTERM);
}

static void workers_die_with_the_parent(void **state)
{
    (void)state;
#ifndef __linux__
    skip();
#endif
    assert_true(WIFSIGNALED(end_of_run(&(int){SIGKILL}, 1)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_task_ends_once),
        cmocka_unit_test(workers_have_their_own_socket_alone),
        cmocka_unit_test(one_worker_takes_group_by_group),
        cmocka_unit_test(two_workers_share_one_group_at_most),
        cmocka_unit_test(an_idle_worker_helps_from_the_end),
        cmocka_unit_test(other_children_and_handlers_are_left_alone),
        cmocka_unit_test(results_are_empty_or_large),
        cmocka_unit_test(run_stops_when_told),
        cmocka_unit_test(workers_print_to_stderr),
        cmocka_unit_test(crashes_end_their_task_alone),
        cmocka_unit_test(hanging_task_is_ended_with_what_it_started),
        cmocka_unit_test(crash_is_seen_behind_what_the_worker_started),
        cmocka_unit_test(limits_are_those_of_the_task),
        cmocka_unit_test(crashing_begin_does_not_loop),
        cmocka_unit_test(no_task_is_lost_with_a_waiting_worker),
        cmocka_unit_test(run_goes_on_with_the_workers_there_are),
        cmocka_unit_test(no_worker_at_all_is_an_error),
        cmocka_unit_test(signals_stop_the_run),
        cmocka_unit_test(workers_die_with_the_parent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
