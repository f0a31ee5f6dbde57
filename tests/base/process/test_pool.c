/*
 * Tasks on workers: every task ends once and nothing stays behind, whether workers work, crash, hang, are killed or
 * cannot be started, and whether the run is stopped.
 */

#include "cmocka_setup.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "alive.h"
#include "base/process/pool.h"
#include "base/process/process.h"

enum { MOST_TASKS = 128, BIG = 5 << 20 };

/* One task comes to this. */
struct fate {
    int count;
    enum pool_end end;
    int status;
    int number; /* that it told: of 'r' its process id */
    size_t size;
};

/* Counted by the workers, in shared memory. */
struct counters {
    int begun, finished;
};

struct trial {
    struct pool pool;
    const char *acts; /* what each task does, see act() */
    struct fate fates[MOST_TASKS];
    size_t order[MOST_TASKS]; /* in which the tasks ended */
    size_t ended;
    size_t stop_after;     /* `ended` says stop from this many on; 0: never */
    bool kill_after_each;  /* the worker of a task that is done */
    bool finish_prints;
    bool starve_after_one; /* no more file descriptors once a task has ended */
    char begin_act;        /* of each worker when it begins, 'h' of the first alone; 0: nothing */
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

static void act(struct trial *trial, char what, struct text *out)
{
    switch (what) {
    case 'r': /* reports */
        text_addf(out, "%d", (int)getpid());
        break;
    case 'x': /* exits */
        _exit(3);
    case 'k': /* is killed, crashes, is interrupted */
    case 's':
    case 'i':
        raise(what == 'k' ? SIGKILL : what == 's' ? SIGSEGV : SIGINT);
        break;
    case 'c': /* hangs in a child, or itself */
        child_run(hang, trial, &(struct child_limits){0});
        break;
    case 'h':
        hang(trial);
        break;
    case 'f': /* hangs, or crashes, beside a process that would outlive its parent */
    case 'F':
        if (fork() != 0 && what == 'F')
            raise(SIGSEGV);
        hang(trial);
        break;
    case 'b': /* has a big result, or an empty one */
        for (size_t i = 0; i < BIG / 8; i++)
            text_addf(out, "%07zu\n", i);
        break;
    case 'e':
        break;
    case 'p': /* prints */
        printf("a library's chatter\n");
        break;
    case 'o': /* counts open files */
        text_addf(out, "%d", open_files());
        break;
    case 'w': /* waits until two workers have begun */
        while (__atomic_load_n(&trial->counters->begun, __ATOMIC_SEQ_CST) < 2)
            usleep(1000);
        break;
    default:
        abort();
    }
}

static void *begin(void *context)
{
    struct trial *trial = context;
    int before = __atomic_fetch_add(&trial->counters->begun, 1, __ATOMIC_SEQ_CST);
    if (trial->begin_act && (trial->begin_act != 'h' || before == 0))
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
    if (trial->acts[task] == 'b' && end == POOL_DONE)
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

/* A task for each letter. */
static struct trial *new_trial(const char *acts, unsigned workers)
{
    struct trial *trial = calloc(1, sizeof *trial);
    assert_non_null(trial);
    assert_int_equal(pipe2(trial->pids, O_CLOEXEC), 0);
    trial->counters = mmap(NULL, sizeof *trial->counters, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(trial->counters, MAP_FAILED);
    trial->acts = acts;
    trial->pool = (struct pool){.task_count = strlen(acts), .workers = workers, .seconds = 60, .context = trial,
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

static void free_trial_at(struct trial **trial)
{
    free_trial(*trial);
}
#define TRIAL RELEASED_BY(free_trial_at) struct trial

/* How tasks ended: d done, t in a time-out, n not run, else crashed, in the way of the act of that letter. */
static void assert_ends(const struct trial *trial, const char *expected)
{
    static const enum pool_end ends[128] = {['d'] = POOL_DONE,    ['t'] = POOL_TIMEOUT, ['n'] = POOL_NOT_RUN,
                                            ['s'] = POOL_CRASHED, ['i'] = POOL_CRASHED, ['k'] = POOL_CRASHED,
                                            ['x'] = POOL_CRASHED};
    static const int statuses[128] = {['s'] = SIGSEGV, ['i'] = SIGINT, ['k'] = SIGKILL, ['x'] = -1 - 3};
    assert_int_equal(trial->ended, trial->pool.task_count);
    for (size_t i = 0; i < trial->ended; i++) {
        const struct fate *fate = &trial->fates[i];
        int letter = expected[i];
        if (fate->count != 1 || fate->end != ends[letter] || (letter != 'n' && fate->status != statuses[letter]))
            fail_msg("task %zu: %d times, end %d, status %d; expected %c", i, fate->count, fate->end, fate->status,
                     letter);
    }
}

/* No process may be left. */
static void run_trial(struct trial *trial, const char *expected)
{
    assert_true(pool_run(&trial->pool, &trial->interrupted, &trial->err));
    assert_int_equal(trial->interrupted, 0);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
    assert_ends(trial, expected);
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

#define R10 "rrrrrrrrrr"
#define D10 "dddddddddd"
#define R100 R10 R10 R10 R10 R10 R10 R10 R10 R10 R10
#define D100 D10 D10 D10 D10 D10 D10 D10 D10 D10 D10

TEST(every_task_ends_once)
{
    static const char *const cases[][2] = {{"", ""}, {"r", "d"}, {"rr", "dd"}, {"rrrrrrr", "ddddddd"}, {R100, D100}};
    static const unsigned workers[] = {1, 2, 5};
    int files = open_files();
    for (size_t c = 0; c < 5; c++)
        for (size_t w = 0; w < 3; w++) {
            TRIAL *trial = new_trial(cases[c][0], workers[w]);
            run_trial(trial, cases[c][1]);
            int used = count_workers(trial);
            assert_true(used <= (int)workers[w] && (used > 0 || c == 0));
            assert_int_equal(trial->counters->begun, used);
            assert_int_equal(trial->counters->finished, used);
        }
    assert_int_equal(open_files(), files);
    TRIAL *trial = new_trial("rrr", 2);
    trial->pool.begin = NULL;
    trial->pool.finish = NULL;
    trial->pool.seconds = 0;
    run_trial(trial, "ddd");
}

/* A worker that held another's socket open would hide its end. */
TEST(workers_have_their_own_socket_alone)
{
    TRIAL *trial = new_trial("soosoosoosoo", 4);
    int files = open_files();
    run_trial(trial, "sddsddsddsdd");
    for (size_t i = 0; i < 12; i++)
        if (i % 3)
            assert_int_equal(trial->fates[i].number, files + 1);
}

static const char mixed_groups[] = "abcabcabcccd";
enum { MIXED = sizeof mixed_groups - 1 };

/* A letter for each task's group; all cost the same. */
static void group_tasks(struct trial *trial, const char *groups, struct schedule_task *tasks)
{
    for (size_t i = 0; groups[i]; i++)
        tasks[i] = (struct schedule_task){.group = (size_t)(groups[i] - 'a'), .cost = 1};
    trial->pool.tasks = tasks;
}

TEST(one_worker_takes_group_by_group)
{
    static const char order[MIXED + 1] = "cccccaaabbbd";
    struct schedule_task tasks[MIXED];
    TRIAL *trial = new_trial("rrrrrrrrrrrr", 1);
    group_tasks(trial, mixed_groups, tasks);
    run_trial(trial, "dddddddddddd");
    for (size_t i = 0; i < MIXED; i++)
        assert_int_equal(mixed_groups[trial->order[i]], order[i]);
    assert_int_equal(trial->counters->begun, 1);
}

/* While there are groups to begin nobody helps: of two workers, one helps the other in at most one group, the last. */
TEST(two_workers_share_one_group_at_most)
{
    struct schedule_task tasks[MIXED];
    TRIAL *trial = new_trial("rrrrrrrrrrrr", 2);
    group_tasks(trial, mixed_groups, tasks);
    run_trial(trial, "dddddddddddd");
    int shared = 0;
    for (char group = 'a'; group <= 'd'; group++) {
        int first = 0;
        bool by_two = false;
        for (size_t i = 0; i < MIXED; i++)
            if (mixed_groups[i] == group) {
                by_two |= first != 0 && trial->fates[i].number != first;
                first = trial->fates[i].number;
            }
        shared += by_two;
    }
    assert_true(shared <= 1);
}

/* The second worker finds no group of its own, and takes from the other's. */
TEST(an_idle_worker_helps)
{
    struct schedule_task tasks[4];
    TRIAL *trial = new_trial("wwrr", 2);
    group_tasks(trial, "aaaa", tasks);
    run_trial(trial, "dddd");
    assert_int_equal(trial->counters->begun, 2);
}

/* A program may be started with SIGCHLD ignored, and then a child's end is forgotten; other children stay ours. */
TEST(other_children_and_handlers_are_left_alone)
{
    struct sigaction before, after;
    pid_t other = fork();
    if (other == 0)
        _exit(7);
    sigaction(SIGCHLD, &(struct sigaction){.sa_handler = SIG_IGN}, &before);
    TRIAL *trial = new_trial("sr", 1);
    pool_run(&trial->pool, &trial->interrupted, &trial->err);
    sigaction(SIGCHLD, &before, &after);
    assert_ends(trial, "sd");
    assert_true(after.sa_handler == SIG_IGN);
    sigaction(SIGINT, NULL, &after);
    assert_true(after.sa_handler == SIG_DFL);
    int status = 0;
    if (waitpid(other, &status, 0) == other) /* unless it ended while SIGCHLD was ignored */
        assert_int_equal(WEXITSTATUS(status), 7);
}

TEST(results_are_empty_or_large)
{
    TRIAL *trial = new_trial("beeb", 2);
    run_trial(trial, "dddd");
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(trial->fates[i].size, trial->acts[i] == 'b' ? BIG : 0);
}

TEST(run_stops_when_told)
{
    TRIAL *trial = new_trial(R10, 1);
    trial->stop_after = 3;
    run_trial(trial, "dddnnnnnnn");
    assert_int_equal(trial->counters->finished, 1);
    TRIAL *shared = new_trial(R10, 3);
    shared->stop_after = 1;
    assert_true(pool_run(&shared->pool, &shared->interrupted, &shared->err));
    size_t done = 0;
    for (size_t i = 0; i < 10; i++)
        done += shared->fates[i].end == POOL_DONE;
    assert_in_range(done, 1, 3); /* those that ran are waited for */
    assert_int_equal(shared->ended, 10);
}

TEST(workers_print_to_stderr)
{
    static const char *const expected[] = {"once, and the end", "a library's chatter\ngood bye\n"};
    int files[2] = {memfd_create("out", 0), memfd_create("err", 0)};
    int saved[2] = {dup(STDOUT_FILENO), dup(STDERR_FILENO)};
    TRIAL *trial = new_trial("pxr", 1); /* what was printed before it exits is kept */
    trial->finish_prints = true;
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
}

/* ---- failures ------------------------------------------------------------------------------------------------ */

TEST(crashes_end_their_task_alone)
{
    int files = open_files();
    for (unsigned workers = 1; workers <= 3; workers++) {
        TRIAL *trial = new_trial("isrxrrrrrk", workers); /* SIGINT is the worker's end, not the run's */
        run_trial(trial, "isdxdddddk");
    }
    assert_int_equal(open_files(), files);
}

TEST(hanging_task_is_ended_with_what_it_started)
{
    pid_t pids[6];
    TRIAL *trial = new_trial("hcfrrr", 3);
    trial->pool.seconds = 1;
    double start = clock_seconds();
    run_trial(trial, "tttddd");
    double took = clock_seconds() - start;
    assert_true(took >= 1 && took < 20);
    assert_int_equal(read(trial->pids[0], pids, sizeof pids), 4 * sizeof(pid_t));
    for (int i = 0; i < 4; i++)
        assert_true(is_gone_soon(pids[i]));
}

/* What it started holds the worker's socket open: its death must be seen all the same, and end the rest. */
TEST(crash_is_seen_behind_what_the_worker_started)
{
    pid_t left;
    TRIAL *trial = new_trial("Fr", 1);
    run_trial(trial, "sd");
    fcntl(trial->pids[0], F_SETFL, O_NONBLOCK);
    if (read(trial->pids[0], &left, sizeof left) == sizeof left) /* unless it was ended before it could tell */
        assert_true(is_gone_soon(left));
}

/* A begin that hangs counts for its task; a task may have a limit of its own. */
TEST(limits_are_those_of_the_task)
{
    static const double seconds[] = {0.5, 0.2, 0, 60};
    TRIAL *trial = new_trial("rhrr", 1);
    trial->pool.seconds = 0;
    trial->pool.task_seconds = seconds;
    trial->begin_act = 'h';
    run_trial(trial, "ttdd");
    assert_int_equal(trial->counters->begun, 3);
}

TEST(crashing_begin_does_not_loop)
{
    TRIAL *trial = new_trial("rrrrr", 2);
    trial->begin_act = 's';
    run_trial(trial, "sssss");
    assert_int_equal(trial->counters->begun, 5);
}

/* The worker dies between two tasks: the next one, handed to it or not, must not suffer. */
TEST(no_task_is_lost_with_a_waiting_worker)
{
    for (unsigned workers = 1; workers <= 2; workers++) {
        TRIAL *trial = new_trial(R10 R10, workers);
        trial->kill_after_each = true;
        run_trial(trial, D10 D10);
        assert_int_equal(count_workers(trial), 20);
    }
}

/* The second worker cannot be replaced; the first does the rest. Or there is none: the rest is not run. */
TEST(run_goes_on_with_the_workers_there_are)
{
    for (unsigned workers = 1; workers <= 2; workers++) {
        struct rlimit before;
        getrlimit(RLIMIT_NOFILE, &before);
        TRIAL *trial = new_trial("rrsrrrrrrr", workers);
        trial->starve_after_one = true;
        bool good = pool_run(&trial->pool, &trial->interrupted, &trial->err);
        setrlimit(RLIMIT_NOFILE, &before);
        assert_true(good);
        assert_ends(trial, workers == 1 ? "ddsnnnnnnn" : "ddsddddddd");
        assert_int_equal(trial->fates[9].status, workers == 1 ? EMFILE : 0);
    }
}

TEST(no_worker_at_all_is_an_error)
{
    TRIAL *trial = new_trial("rrrr", 2);
    int files = open_files();
    struct rlimit before = starve();
    bool good = pool_run(&trial->pool, &trial->interrupted, &trial->err);
    setrlimit(RLIMIT_NOFILE, &before);
    assert_false(good);
    assert_non_null(strstr(trial->err.text, "cannot start worker processes: Too many open files"));
    assert_ends(trial, "nnnn");
    assert_int_equal(trial->fates[3].status, EMFILE);
    assert_int_equal(open_files(), files);
}

/* ---- a run in a process of its own, which is signalled or killed ----------------------------------------------- */

enum { HANGING = 3 };

static int run_hanging(struct trial *trial)
{
    trial->pool.seconds = 0;
    bool good = pool_run(&trial->pool, &trial->interrupted, &trial->err) && waitpid(-1, NULL, WNOHANG) < 0;
    assert_ends(trial, "nnnnnnnnnn");
    return good ? trial->interrupted : 99;
}

/* The status of the process after these signals; all that it started is gone then. */
static int end_of_run(const int *signals, int count)
{
    pid_t pids[HANGING];
    int status = 0;
    TRIAL *trial = new_trial("cccrrrrrrr", HANGING);
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
    return status;
}

TEST(signals_stop_the_run)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGINT};
    for (int i = 0; i < 2; i++) {
        int status = end_of_run(&numbers[i], 1);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), numbers[i]);
    }
    int status = end_of_run(numbers, 3); /* after the run the second ends the process, as without a pool */
    assert_true(WIFSIGNALED(status) || WEXITSTATUS(status) == SIGINT || WEXITSTATUS(status) == SIGTERM);
}

TEST(workers_die_with_the_parent)
{
#ifndef __linux__
    skip();
#endif
    assert_true(WIFSIGNALED(end_of_run(&(int){SIGKILL}, 1)));
}
