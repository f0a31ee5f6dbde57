/* Tasks on workers: every task ends once, and nothing stays behind. */
#define _GNU_SOURCE

#include "cmocka_setup.h"

#include "base/pool_trial.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_task_ends_once),
        cmocka_unit_test(workers_have_their_own_socket_alone),
        cmocka_unit_test(begin_and_finish_may_be_missing),
        cmocka_unit_test(one_worker_takes_group_by_group),
        cmocka_unit_test(two_workers_share_one_group_at_most),
        cmocka_unit_test(other_children_and_handlers_are_left_alone),
        cmocka_unit_test(results_are_empty_or_large),
        cmocka_unit_test(run_stops_when_told),
        cmocka_unit_test(workers_print_to_stderr),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
