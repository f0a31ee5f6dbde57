/* A child that exits, crashes, hangs or eats memory: the caller learns which; and what one in the sandbox can do. */

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "alive.h"
#include "base/memory.h"
#include "base/process/pipe_to.h"
#include "base/process/process.h"
#include "base/process/program.h"
#include "run_binary.h"

static const struct child_limits soon = {.seconds = 20};
static const struct child_limits caged = {.seconds = 20, .sandboxed = true};

static struct child_result ends(int (*work)(void *), void *context, const struct child_limits *limits,
                                enum child_end end, int status)
{
    struct child_result result = child_run(work, context, limits);
    if (result.end != end || result.status != status)
        fail_msg("end %d, status %d; expected %d, %d; said: %s", result.end, result.status, end, status, result.said);
    return result;
}

static int exit_with(void *context)
{
    return *(int *)context;
}

static int raise_signal(void *context)
{
    raise(*(int *)context);
    return 0;
}

/* Tells its process id through the pipe in `context`, if there is one, and hangs. */
static int hang(void *context)
{
    pid_t self = getpid();
    if (context && write(*(int *)context, &self, sizeof self) != sizeof self)
        return 1;
    for (;;)
        pause();
    return 0;
}

static int print_a_lot(void *context)
{
    for (int i = 0; i < 100000; i++)
        if (printf("chatter on stdout\n") < 0 || fprintf(stderr, "chatter on stderr\n") < 0)
            return 1;
    return fflush(NULL) == 0 ? 0 : 2;
}

static int take_memory(void *context)
{
    memset(memory_new(*(size_t *)context, 1), 1, *(size_t *)context);
    return 0;
}

TEST(exit_status_comes_back)
{
    static const int statuses[] = {0, 1, 86, 255};
    for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++)
        ends(exit_with, &(int){statuses[i]}, i % 2 ? &soon : &(struct child_limits){0}, CHILD_EXITED, statuses[i]);
}

TEST(crashes_are_seen_and_named)
{
    static const struct {
        int number;
        const char *name;
    } cases[] = {{SIGSEGV, "SIGSEGV"}, {SIGABRT, "SIGABRT"}, {SIGBUS, "SIGBUS"}, {SIGFPE, "SIGFPE"},
                 {SIGILL, "SIGILL"},   {SIGKILL, "SIGKILL"}, {SIGTERM, "SIGTERM"}};
    char buffer[16];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ends(raise_signal, &(int){cases[i].number}, &soon, CHILD_CRASHED, cases[i].number);
        assert_string_equal(signal_name(cases[i].number, buffer), cases[i].name);
    }
    assert_string_equal(signal_name(63, buffer), "signal 63");
}

TEST(hanging_child_is_ended)
{
    double start = clock_seconds();
    struct child_result result = child_run(hang, NULL, &(struct child_limits){.seconds = 0.2});
    double took = clock_seconds() - start;
    assert_int_equal(result.end, CHILD_TIMEOUT);
    assert_true(took >= 0.2 && took < 10.0);
}

/* Through two pipes: the child waits for what the caller does meanwhile, and the caller for what the child says then. */
static int pipes[2][2];

static int answer(void *context)
{
    char byte;
    return read(pipes[0][0], &byte, 1) == 1 && write(pipes[1][1], &byte, 1) == 1 ? 0 : 1;
}

static void ask(void *context)
{
    char byte = 'x';
    *(int *)context = write(pipes[0][1], &byte, 1) == 1 && read(pipes[1][0], &byte, 1) == 1;
}

TEST(caller_and_child_work_at_once)
{
    int answered = 0;
    assert_true(pipe(pipes[0]) == 0 && pipe(pipes[1]) == 0);
    struct child child = child_start(answer, NULL, &soon);
    ask(&answered);
    struct child_result result = child_await(&child);
    assert_true(answered && result.end == CHILD_EXITED && result.status == 0);
    for (int i = 0; i < 4; i++)
        close(pipes[i / 2][i % 2]);
}

/* Each is known by its own end, whenever the caller asks: the second ended long before its time was over. */
TEST(children_are_awaited_in_any_order)
{
    struct sigaction before, after;
    sigaction(SIGCHLD, &(struct sigaction){.sa_handler = SIG_IGN}, &before);
    struct child slow = child_start(hang, NULL, &(struct child_limits){.seconds = 0.3});
    struct child quick = child_start(exit_with, &(int){7}, &(struct child_limits){.seconds = 0.5});
    struct child crash = child_start(raise_signal, &(int){SIGSEGV}, &soon);
    struct child_result result = child_await(&slow);
    assert_int_equal(result.end, CHILD_TIMEOUT);
    result = child_await(&crash);
    assert_true(result.end == CHILD_CRASHED && result.status == SIGSEGV);
    assert_int_equal(waitid(P_PID, (id_t)quick.pid, &(siginfo_t){0}, WEXITED | WNOWAIT), 0);
    while (clock_poll_timeout(quick.deadline) > 0)
        usleep(1000);
    result = child_await(&quick);
    assert_true(result.end == CHILD_EXITED && result.status == 7);
    sigaction(SIGCHLD, &before, &after);
    assert_true(after.sa_handler == SIG_IGN);
}

/* A program may be started with SIGCHLD ignored; a crash must not look like success then. */
TEST(crash_is_seen_where_children_are_ignored)
{
    struct sigaction before, after;
    sigaction(SIGCHLD, &(struct sigaction){.sa_handler = SIG_IGN}, &before);
    ends(raise_signal, &(int){SIGSEGV}, &soon, CHILD_CRASHED, SIGSEGV);
    sigaction(SIGCHLD, &before, &after);
    assert_true(after.sa_handler == SIG_IGN); /* as it was before the call */
}

TEST(child_dies_with_the_caller)
{
#ifndef __linux__
    skip();
#endif
    int tells[2];
    pid_t child = 0;
    assert_int_equal(pipe(tells), 0);
    pid_t caller = fork();
    if (caller == 0) {
        child_run(hang, &tells[1], &soon);
        _exit(0);
    }
    assert_int_equal(read(tells[0], &child, sizeof child), sizeof child);
    assert_true(is_alive(child));
    kill(caller, SIGKILL);
    waitpid(caller, NULL, 0);
    close(tells[0]);
    close(tells[1]);
    assert_true(is_gone_soon(child));
}

static int report_like_a_sanitizer(void *context)
{
    fprintf(stderr, "==12==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x1\n  #0 f a.c:3\n");
    fprintf(stderr, "SUMMARY: AddressSanitizer: heap-buffer-overflow a.c:3 in f\nShadow bytes around the buggy address:\n");
    for (int i = 0; i < 40; i++)
        fprintf(stderr, "  0x0c3a7fff8000: fa fa fa fa fa fa fa fa fa fa fa fa fa fa fa fa\n");
    fprintf(stderr, "==12==ABORTING\n");
    return 1;
}

static int say_what_cpp_says(void *context)
{
    print_a_lot(context);
    fprintf(stderr, "\nterminate called after throwing\n  what():  a\033[31m\tb\n\n");
    abort();
}

/* Of what a child says on stderr the line that tells most is kept, for the message about its end. */
TEST(the_last_words_are_kept)
{
    assert_string_equal(ends(report_like_a_sanitizer, NULL, &soon, CHILD_EXITED, 1).said,
                        "SUMMARY: AddressSanitizer: heap-buffer-overflow a.c:3 in f");
    assert_string_equal(ends(say_what_cpp_says, NULL, &soon, CHILD_CRASHED, SIGABRT).said, "what():  a\033[31m\tb");
    assert_string_equal(ends(say_what_cpp_says, NULL, &caged, CHILD_CRASHED, SIGABRT).said, "what():  a\033[31m\tb");
    assert_string_equal(ends(exit_with, &(int){0}, &soon, CHILD_EXITED, 0).said, "");
}

TEST(output_is_thrown_away)
{
    int out[2], saved[2] = {dup(STDOUT_FILENO), dup(STDERR_FILENO)};
    char byte;
    assert_int_equal(pipe(out), 0);
    fflush(NULL);
    dup2(out[1], STDOUT_FILENO); /* nobody reads the pipe: a child that wrote to it would hang */
    dup2(out[1], STDERR_FILENO);
    struct child_result result = child_run(print_a_lot, NULL, &soon);
    dup2(saved[0], STDOUT_FILENO);
    dup2(saved[1], STDERR_FILENO);
    close(out[1]);
    assert_int_equal(read(out[0], &byte, 1), 0);
    close(out[0]);
    close(saved[0]);
    close(saved[1]);
    assert_int_equal(result.end, CHILD_EXITED);
    assert_int_equal(result.status, 0);
}

TEST(memory_is_limited)
{
#ifdef ADDRESS_SANITIZER
    print_message("skipped: memory limits do not hold under AddressSanitizer\n");
    (void)take_memory;
    skip();
#else
    static const struct child_limits limits = {.seconds = 20, .memory_bytes = (size_t)64 << 20};
    size_t little = (size_t)16 << 20, much = (size_t)256 << 20;
    ends(take_memory, &little, &limits, CHILD_EXITED, 0);
    assert_string_equal(ends(take_memory, &much, &limits, CHILD_EXITED, MEMORY_EXHAUSTED).said,
                        "error: out of memory: 268435456 times 1 bytes");
    ends(take_memory, &much, &soon, CHILD_EXITED, 0);
#endif
}

/* ---- the sandbox ------------------------------------------------------------------------------------------------- */

static int open_socket(void *context)
{
    return socket(AF_INET, SOCK_STREAM, 0) >= 0;
}

static int run_program(void *context)
{
    char *arguments[] = {context, NULL};
    execv("/bin/true", arguments);
    return 1;
}

static int start_process(void *context)
{
    return fork() >= 0;
}

static int write_file(void *context)
{
    return open(context, O_WRONLY | O_CREAT, 0600) >= 0;
}

static int remove_file(void *context)
{
    return unlink(context) == 0;
}

static int write_to_inherited(void *context)
{
    return write(*(int *)context, "x", 1) == 1;
}

static int read_and_allocate(void *context)
{
    FILE *file = fopen(context, "rb");
    char first = 0;
    size_t size = (size_t)32 << 20;
    take_memory(&size);
    return file && fread(&first, 1, 1, file) == 1 && fclose(file) == 0 ? 7 : 1;
}

TEST(forbidden_calls_are_named)
{
    static char path[] = "sandbox-test-must-not-appear";
    static const struct {
        int (*work)(void *);
        const char *said;
    } calls[] = {{open_socket, "system call `socket`"},
                 {run_program, "system call `execve`"},
                 {write_file, "system call `open"},
                 {remove_file, "system call `unlink"}};
    const char *why;
    if (!sandbox_works(&why)) {
        print_message("%s\n", why);
        skip();
    }
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        struct child_result result = ends(calls[i].work, path, &caged, CHILD_CRASHED, SIGSYS);
        assert_memory_equal(result.said, calls[i].said, strlen(calls[i].said));
    }
    assert_int_equal(access(path, F_OK), -1);
    /* Ended by the filter, or refused where a sanitizer might try it. */
    struct child_result result = child_run(start_process, NULL, &caged);
    assert_true(result.end == CHILD_CRASHED || (result.end == CHILD_EXITED && result.status == 0));
}

/* Holds without filters too. */
TEST(files_of_the_caller_are_closed)
{
    int pair[2];
    char byte;
    assert_int_equal(pipe(pair), 0);
    struct child_result result = child_run(write_to_inherited, &pair[1], &caged);
    assert_false(result.end == CHILD_EXITED && result.status == 1);
    close(pair[1]);
    assert_int_equal(read(pair[0], &byte, 1), 0);
    close(pair[0]);
}

TEST(reading_goes_on)
{
    static char path[] = FIXTURES "/README.md";
    ends(read_and_allocate, path, &caged, CHILD_EXITED, 7);
}

#ifdef RIGPROOF_SANITIZE
static int read_behind(void *context)
{
    const volatile char *memory = calloc(4, 1);
    return memory[4 + *(int *)context];
}

/* What a sanitizer finds in the sandbox comes out of it. */
TEST(reports_come_through)
{
    struct child_result result = child_run(read_behind, &(int){0}, &caged);
    assert_int_equal(result.end, CHILD_EXITED);
    assert_true(strstr(result.said, "AddressSanitizer: heap-buffer-overflow") ||
                strstr(result.said, "runtime error: "));
}
#endif

static void start_script(struct pipe_to *pipe, const char *script)
{
    const char *const argv[] = {"sh", "-c", script, NULL};
    bool missing = true;
    assert_good(pipe_to_start(pipe, argv, false, &missing, err));
    assert_false(missing);
}

SCRATCH_TEST(what_is_written_arrives)
{
    enum { SIZE = 1000000 };
    char *data = keep(malloc(SIZE));
    struct pipe_to pipe;
    size_t size = 0;
    for (int i = 0; i < SIZE; i++)
        data[i] = (char)(i * 31 + i / 255);
    start_script(&pipe, "cat >out; echo chatter; echo complaint >&2");
    assert_true(pipe_to_write(&pipe, data, 7));
    assert_true(pipe_to_write(&pipe, data + 7, SIZE - 7));
    assert_true(pipe_to_finish(&pipe, ANY_ERROR));
    char *back = slurp("out", &size);
    assert_int_equal(size, SIZE);
    assert_memory_equal(back, data, SIZE);
}

/* Also where a parent that ignores SIGCHLD would let the system forget the exit code. */
SCRATCH_TEST(why_it_failed_is_its_last_line)
{
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
        start_script(&pipe, cases[i].script);
        assert_int_equal(pipe_to_finish(&pipe, &err), cases[i].message[0] == '\0');
        assert_string_equal(err.text, cases[i].message);
    }
    signal(SIGCHLD, SIG_DFL);
}

/* Without SIGPIPE ignored this would be the end of the test. */
SCRATCH_TEST(a_program_that_stops_reading_is_an_error)
{
    enum { SIZE = 1 << 20 };
    char *data = keep(calloc(1, SIZE));
    struct sigaction before, after;
    struct pipe_to pipe;
    sigaction(SIGPIPE, NULL, &before);
    start_script(&pipe, "echo 'disk full' >&2; exit 1");
    assert_false(pipe_to_write(&pipe, data, SIZE) && pipe_to_write(&pipe, data, SIZE));
    assert_refused_as(pipe_to_finish(&pipe, err), "sh: disk full");
    sigaction(SIGPIPE, NULL, &after);
    assert_true(before.sa_handler == after.sa_handler);
}

SCRATCH_TEST(a_program_that_is_not_there_is_missing)
{
    const char *const argv[] = {"no-such-program-anywhere", NULL};
    const char *const not_a_program[] = {"./data", NULL};
    bool missing = false;
    struct pipe_to pipe;
    struct error err = {0};
    assert_false(pipe_to_start(&pipe, argv, false, &missing, &err));
    assert_true(missing && !error_is_set(&err));
    spill("data", "x");
    assert_false(pipe_to_start(&pipe, not_a_program, false, &missing, &err));
    assert_false(missing);
    assert_contains(err.text, "cannot start ./data: ");
    pipe_to_abandon(&pipe);
}

SCRATCH_TEST(abandoned_it_ends)
{
    struct pipe_to pipe;
    start_script(&pipe, "sleep 100");
    pid_t pid = pipe.pid;
    pipe_to_abandon(&pipe);
    assert_true(kill(pid, 0) != 0);
    pipe_to_abandon(&pipe);
}

SCRATCH_TEST(closed_streams_do_no_harm)
{
    struct pipe_to pipe;
    struct error err = {0};
    int in = dup(STDIN_FILENO), out = dup(STDOUT_FILENO);
    close(STDIN_FILENO);
    close(STDOUT_FILENO);
    bool missing;
    const char *const argv[] = {"sh", "-c", "cat >out; echo too bad >&2; exit 1", NULL};
    bool good = pipe_to_start(&pipe, argv, false, &missing, &err) && pipe_to_write(&pipe, "hello", 5);
    bool finished = good && pipe_to_finish(&pipe, &err);
    dup2(in, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    close(in);
    close(out);
    assert_true(good && !finished);
    assert_string_equal(err.text, "sh: too bad");
    assert_string_equal(slurp("out", NULL), "hello");
}

/* In its folder, with what is added to the environment, on the streams that it is given; or the reason why not. */
TEST(a_program_is_started)
{
    const char *const script[] = {"sh", "-c", "echo $PWD $RIGPROOF_ADDED; read line || exit 3", NULL};
    const char *const none[] = {"./no-such-program", NULL}, *const added[] = {"RIGPROOF_ADDED=here", NULL};
    char said[64] = "";
    int out[2], reason = -1;
    assert_int_equal(pipe(out), 0);
    struct program_start how = {
        .argv = script, .folder = "/", .env = added, .in = -1, .out = out[1], .said = -1, .leads = true};
    const pid_t pid = program_start(&how, &reason);
    assert_true(pid > 0 && reason == 0);
    assert_int_equal(getpgid(pid), pid);
    assert_true(read(out[0], said, sizeof said - 1) > 0);
    assert_string_equal(said, "/ here\n");
    const int status = child_wait(pid);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 3);
    how.argv = none;
    assert_int_equal(program_start(&how, &reason), 0);
    assert_int_equal(reason, ENOENT);
    how.argv = script;
    how.folder = "/no-such-folder";
    assert_int_equal(program_start(&how, &reason), 0);
    assert_int_equal(reason, ENOENT);
    close(out[0]);
    close(out[1]);
}
