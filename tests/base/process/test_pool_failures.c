/* Workers that crash, hang, are killed or cannot be started: their task ends, the others go on. */
#define _GNU_SOURCE

#include "cmocka_setup.h"

#include <fcntl.h>

#include "base/pool_trial.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(crashes_end_their_task_alone),
        cmocka_unit_test(hanging_task_is_ended_with_what_it_started),
        cmocka_unit_test(crash_is_seen_behind_what_the_worker_started),
        cmocka_unit_test(hanging_begin_counts_for_its_task),
        cmocka_unit_test(a_task_may_have_its_own_limit),
        cmocka_unit_test(crashing_begin_does_not_loop),
        cmocka_unit_test(no_task_is_lost_with_a_waiting_worker),
        cmocka_unit_test(run_goes_on_with_the_workers_there_are),
        cmocka_unit_test(no_worker_at_all_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
