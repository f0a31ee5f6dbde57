/* A run in a process of its own, which is signalled or killed. */
#define _GNU_SOURCE

#include "cmocka_setup.h"

#include "base/pool_trial.h"

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
        cmocka_unit_test(signals_stop_the_run),
        cmocka_unit_test(impatient_signals_do_no_harm),
        cmocka_unit_test(workers_die_with_the_parent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
