/* Runs that are disturbed: workers killed, Ctrl-C, a second run into the same folder. */

#include <dirent.h>
#include <limits.h>
#include <signal.h>
#include <time.h>

#include "base/file/folder.h"
#include "base/process/process.h"
#include "suite_runs.h"

/* Hundreds of large frames: some 10 s, which no test here waits for. */
#define FILM                                                                                                           \
    "  - {name: film, model: " FIXTURES                                                                                \
    "/walker/walker.glb, clip: walk, size: [768, 768], times: {from: 0, to: 30, fps: 30}}\n"
#define start(...) rigproof_start(&(struct run_options){0}, __VA_ARGS__, NULL)
#define STEP "  - {name: step, model: " STRIP ", clip: step-rotation, times: [0.25, 0.75]}\n"

static void rest(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
}

static bool leads_to(const char *pid, const char *link, const char *target)
{
    char found[PATH_MAX] = "";
    return readlink(at("/proc/%.12s/%s", pid, link), found, sizeof found - 1) > 0 && strcmp(found, target) == 0;
}

static pid_t parent_of(const char *pid)
{
    int parent = 0;
    FILE *stream = fopen(at("/proc/%.12s/stat", pid), "r");
    if (stream && fscanf(stream, "%*d (%*[^)]) %*c %d", &parent) != 1)
        parent = 0;
    if (stream)
        fclose(stream);
    return parent;
}

/* Processes of rigproof whose working folder is the scratch folder; the workers of `parent`, or with 0 all. */
static size_t find_processes(pid_t parent, pid_t *pids, size_t most)
{
    const char *here = scratch_path();
    size_t count = 0;
    DIR *processes = opendir("/proc");
    assert_non_null(processes);
    for (struct dirent *entry; (entry = readdir(processes));)
        if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9' && count < most &&
            leads_to(entry->d_name, "cwd", here) && leads_to(entry->d_name, "exe", RIGPROOF_BINARY) &&
            (parent == 0 || parent_of(entry->d_name) == parent))
            pids[count++] = atoi(entry->d_name);
    closedir(processes);
    return count;
}

/* Those that are dying need a moment. */
static void nothing_is_left(void)
{
    pid_t pids[64];
    for (double end = clock_seconds() + 2; find_processes(0, pids, 64) > 0; rest())
        if (clock_seconds() > end)
            fail_msg("process %d is left", (int)pids[0]);
}

/* Of two workers one draws `film`, which costs most, from the start; the other ends with the rest, and goes. */
static pid_t wait_for_films_worker(struct background *run)
{
    pid_t workers[64];
    rigproof_says(run, run->out, &(size_t){0}, "pass     twins\n");
    for (double end = clock_seconds() + 60; find_processes(run->pid, workers, 64) != 1; rest())
        if (clock_seconds() > end)
            fail_msg("more or less than one worker is left");
    return workers[0];
}

SCRATCH_TEST(killed_worker_is_the_crash_of_its_case)
{
    write_accepted_suite(TWO_CASES STEP);
    write_suite(TWO_CASES FILM STEP);
    const char *before = snapshot("golden");
    struct background *run = start("check", "suite.yaml", "--allow-outside", "-j", "2");
    kill(wait_for_films_worker(run), SIGKILL);
    const struct outcome *outcome = run_gives(1, rigproof_await(run));
    assert_statuses("strip pass, twins pass, film crash, step pass");
    assert_contains(outcome->out, "CRASH    film  the worker crashed (SIGKILL)\n");
    assert_contains(outcome->out, "  repeat     rigproof check suite.yaml --filter film --allow-outside\n");
    assert_string_equal(result_of("film", "accept"), "null");
    assert_string_equal(snapshot("golden"), before);
    nothing_is_left();
}

static const struct outcome *halt(struct background *run, int number)
{
    double start = clock_seconds();
    kill(run->pid, number);
    const struct outcome *outcome = rigproof_await(run);
    if (clock_seconds() - start > 2.0)
        fail_msg("takes %.1f s to stop", clock_seconds() - start);
    nothing_is_left();
    return outcome;
}

SCRATCH_TEST(a_stopped_check_keeps_what_was_finished)
{
    static const int signals[] = {SIGINT, SIGTERM};
    for (int i = 0; i < 2; i++) {
        write_accepted_suite(TWO_CASES STEP);
        write_suite(TWO_CASES FILM STEP);
        const char *before = snapshot("golden");
        struct background *run = start("check", "suite.yaml", "--allow-outside", "-j", "2");
        wait_for_films_worker(run);
        const struct outcome *outcome = run_gives(1, halt(run, signals[i]));
        assert_contains(outcome->err, "1 case not run: the run was interrupted\n");
        assert_contains(outcome->out, "1 of 4 cases not run; 3 pass\n");
        rigproof_gives(1, "report", "out/check/results.json");
        assert_statuses("strip pass, twins pass, step pass");
        assert_true(exists("out/check/report.html") && exists("out/check/junit.xml"));
        assert_string_equal(snapshot("golden"), before);
        write_suite(TWO_CASES);
        check_gives(0, NULL); /* the folder is free again */
    }
}

/* Another process that writes goldens there: of two at once each would remove the other's temporaries. */
VERDICT_TEST(goldens_are_written_by_one_at_a_time)
{
    const char *good = contents("golden");
    tint("golden/strip/0.250.png", 100, 90);
    spill("golden/strip/0.250.png.new-AbCdEf", "of the other");
    const char *tinted = snapshot("golden");
    int lock = folder_wait_lock("golden", ANY_ERROR);
    struct background *run = start("accept", "suite.yaml", "--allow-outside", "-o", "other");
    rigproof_says(run, run->err, &(size_t){0}, "another run is writing into golden: waiting for it");
    assert_string_equal(snapshot("golden"), tinted);
    folder_unlock(lock);
    run_gives(0, rigproof_await(run));
    assert_string_equal(contents("golden"), good);
}

SCRATCH_TEST(interrupted_accept_accepts_nothing)
{
    pid_t pids[64];
    write_accepted_suite(TWO_CASES);
    const char *before = snapshot("golden");
    tint("golden/strip/0.250.png", 100, 90);
    const char *tinted = snapshot("golden");
    assert_string_not_equal(tinted, before);
    write_suite(TWO_CASES FILM);
    struct background *run = start("accept", "suite.yaml", "--allow-outside", "-o", "other");
    while (!exists("other/strip/recorded.json"))
        rest();
    assert_true(find_processes(run->pid, pids, 64) > 0);
    assert_contains(run_fails(1, halt(run, SIGINT))->err, "nothing was accepted");
    assert_string_equal(snapshot("golden"), tinted);
}

/* When it comes to writing, all goldens have their files or none has, and no half file lies beside them. */
SCRATCH_TEST(goldens_are_written_whole)
{
    enum { CASES = 40, ENTRIES = 6, SHARED = 2 }; /* the folder and its five files; the import of all and its folder */
    SCOPED(text) cases = {0};
    for (int i = 0; i < CASES; i++)
        text_addf(&cases, "  - {name: c%d, model: " STRIP ", clip: linear-rotation, times: [0.25, 0.75]}\n", i);
    write_suite(text_string(&cases));
    for (int round = 0; round < 2; round++) {
        struct background *run = start("accept", "suite.yaml", "--allow-outside");
        while (!exists(round ? "golden/c0/0.250.pose.json" : "golden/c3"))
            ;
        halt(run, round ? SIGINT : SIGTERM);
        const char *found = contents("golden");
        const size_t lines = count_lines(found);
        assert_true(lines == SHARED + CASES * ENTRIES || (lines == 0 && round == 0));
        assert_lacks(found, ".png.", ".json.");
        shell("rm -r golden");
    }
}

/* The folder is free at once: it was the parent's, and not its workers', which take a moment to go. */
SCRATCH_TEST(folder_is_free_when_its_run_is_dead)
{
    pid_t pids[64];
    for (int i = 0; i < 2; i++) {
        write_suite(FILM TWO_CASES);
        struct background *run = start("check", "suite.yaml", "--allow-outside", "-j", "2");
        while (!exists("out/check/twins/recorded.json") || find_processes(run->pid, pids, 64) < 1)
            rest();
        kill(run->pid, SIGKILL);
        rigproof_await(run);
        check_gives(1, "--filter", "twins", NULL);
        nothing_is_left();
        shell("rm -r out");
    }
}

SCRATCH_TEST(second_run_into_a_folder_is_refused)
{
    pid_t pids[64];
    write_suite(FILM TWO_CASES);
    struct background *run = start("check", "suite.yaml", "--allow-outside", "-j", "1");
    while (find_processes(run->pid, pids, 64) < 1)
        rest();
    assert_contains(check_fails(2, "--filter", "strip", NULL)->err, "another run is writing into out/check");
    assert_contains(accept_fails(2, "--filter", "strip", NULL)->err, "another run is writing into out/check");
    assert_false(exists("golden"));
    check_gives(1, "--filter", "strip", "-o", "out/other", NULL);
    halt(run, SIGINT);
    check_gives(1, "--filter", "strip", NULL);
}
