/* Another program gets input, fails, stops reading, is not there. */
#define _GNU_SOURCE

#include "cmocka_setup.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/process/pipe_to.h"
#include "run_binary.h"

static void start(struct pipe_to *pipe, const char *script)
{
    const char *const argv[] = {"sh", "-c", script, NULL};
    bool missing = true;
    struct error err = {0};
    if (!pipe_to_start(pipe, argv, &missing, &err))
        fail_msg("%s", err.text);
    assert_false(missing);
}

static void what_is_written_arrives(void **state)
{
    (void)state;
    enum { SIZE = 1000000 };
    char *data = keep(malloc(SIZE));
    struct pipe_to pipe;
    struct error err = {0};
    size_t size = 0;
    for (int i = 0; i < SIZE; i++)
        data[i] = (char)(i * 31 + i / 255);
    start(&pipe, "cat >out; echo chatter; echo complaint >&2");
    assert_true(pipe_to_write(&pipe, data, 7));
    assert_true(pipe_to_write(&pipe, data + 7, SIZE - 7));
    assert_true(pipe_to_finish(&pipe, &err));
    char *back = slurp("out", &size);
    assert_int_equal(size, SIZE);
    assert_memory_equal(back, data, SIZE);
}

/* Also where a parent that ignores SIGCHLD would let the system forget the exit code. */
static void why_it_failed_is_its_last_line(void **state)
{
    (void)state;
    static const struct {
        const char *script, *message;
    } cases[] = {
        {"echo first >&2; echo 'no room' >&2; echo >&2; exit 3", "sh: no room"},
        {"printf 'without an end' >&2; exit 1", "sh: without an end"},
        {"exit 7", "sh: it ended with exit code 7"},
        {"kill -TERM $$", "sh: it was ended by SIGTERM"},
        {"i=0; while [ $i -lt 20000 ]; do echo filling more than any pipe holds >&2; i=$((i+1)); done; exit 2",
         "sh: filling more than any pipe holds"},
        {"exit 0", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct pipe_to pipe;
        struct error err = {0};
        signal(SIGCHLD, i % 2 ? SIG_DFL : SIG_IGN);
        start(&pipe, cases[i].script);
        assert_int_equal(pipe_to_finish(&pipe, &err), cases[i].message[0] == '\0');
        assert_string_equal(err.text, cases[i].message);
    }
    signal(SIGCHLD, SIG_DFL);
}

/* Without SIGPIPE ignored this would be the end of the test. */
static void a_program_that_stops_reading_is_an_error(void **state)
{
    (void)state;
    enum { SIZE = 1 << 20 };
    char *data = keep(calloc(1, SIZE));
    struct sigaction before, after;
    struct pipe_to pipe;
    struct error err = {0};
    sigaction(SIGPIPE, NULL, &before);
    start(&pipe, "echo 'disk full' >&2; exit 1");
    assert_false(pipe_to_write(&pipe, data, SIZE) && pipe_to_write(&pipe, data, SIZE));
    assert_false(pipe_to_finish(&pipe, &err));
    assert_string_equal(err.text, "sh: disk full");
    sigaction(SIGPIPE, NULL, &after);
    assert_true(before.sa_handler == after.sa_handler);
}

static void a_program_that_is_not_there_is_missing(void **state)
{
    (void)state;
    const char *const argv[] = {"no-such-program-anywhere", NULL};
    const char *const not_a_program[] = {"./data", NULL};
    bool missing = false;
    struct pipe_to pipe;
    struct error err = {0};
    assert_false(pipe_to_start(&pipe, argv, &missing, &err));
    assert_true(missing && !error_is_set(&err));
    spill("data", "x");
    assert_false(pipe_to_start(&pipe, not_a_program, &missing, &err));
    assert_false(missing);
    assert_contains(err.text, "cannot start ./data: ");
    pipe_to_abandon(&pipe);
}

static void abandoned_it_ends(void **state)
{
    (void)state;
    struct pipe_to pipe;
    start(&pipe, "sleep 100");
    pid_t pid = pipe.pid;
    pipe_to_abandon(&pipe);
    assert_true(kill(pid, 0) != 0);
    pipe_to_abandon(&pipe);
}

static void closed_streams_do_no_harm(void **state)
{
    (void)state;
    struct pipe_to pipe;
    struct error err = {0};
    int in = dup(STDIN_FILENO), out = dup(STDOUT_FILENO);
    close(STDIN_FILENO);
    close(STDOUT_FILENO);
    bool missing;
    const char *const argv[] = {"sh", "-c", "cat >out; echo too bad >&2; exit 1", NULL};
    bool good = pipe_to_start(&pipe, argv, &missing, &err) && pipe_to_write(&pipe, "hello", 5);
    bool finished = good && pipe_to_finish(&pipe, &err);
    dup2(in, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    close(in);
    close(out);
    assert_true(good && !finished);
    assert_string_equal(err.text, "sh: too bad");
    assert_string_equal(slurp("out", NULL), "hello");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        scratch_test(what_is_written_arrives),
        scratch_test(why_it_failed_is_its_last_line),
        scratch_test(a_program_that_stops_reading_is_an_error),
        scratch_test(a_program_that_is_not_there_is_missing),
        scratch_test(abandoned_it_ends),
        scratch_test(closed_streams_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
