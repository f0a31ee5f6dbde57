/* A child process that exits, crashes, hangs or eats memory: the caller learns which. */
#define _GNU_SOURCE

#include "cmocka_setup.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "alive.h"
#include "base/process/process.h"

#if defined(__SANITIZE_ADDRESS__)
#define ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ADDRESS_SANITIZER 1
#endif
#endif

static const struct child_limits soon = {.seconds = 20};

static int exit_with(void *context)
{
    return *(int *)context;
}

static int raise_signal(void *context)
{
    raise(*(int *)context);
    return 0;
}

static int write_to_null(void *context)
{
    volatile int *nowhere = *(int **)context;
    *nowhere = 1;
    return 0;
}

static int call_abort(void *context)
{
    (void)context;
    abort();
}

static int sleep_long(void *context)
{
    (void)context;
    for (;;)
        pause();
    return 0;
}

static int print_a_lot(void *context)
{
    (void)context;
    for (int i = 0; i < 100000; i++)
        if (printf("chatter on stdout\n") < 0 || fprintf(stderr, "chatter on stderr\n") < 0)
            return 1;
    return fflush(NULL) == 0 ? 0 : 2;
}

/* 0 when the memory could be had. */
static int take_memory(void *context)
{
    size_t size = *(size_t *)context;
    char *memory = malloc(size);
    if (!memory)
        return 5;
    memset(memory, 1, size);
    return memory[size - 1] - 1;
}

static void exit_status_comes_back(void **state)
{
    (void)state;
    static const int statuses[] = {0, 1, 86, 255};
    for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++) {
        int status = statuses[i];
        struct child_result result = child_run(exit_with, &status, &soon);
        assert_int_equal(result.end, CHILD_EXITED);
        assert_int_equal(result.status, status);
    }
}

static void signals_are_named(void **state)
{
    (void)state;
    static const struct {
        int number;
        const char *name;
    } cases[] = {{SIGSEGV, "SIGSEGV"}, {SIGABRT, "SIGABRT"}, {SIGBUS, "SIGBUS"}, {SIGFPE, "SIGFPE"},
                 {SIGILL, "SIGILL"},   {SIGKILL, "SIGKILL"}, {SIGTERM, "SIGTERM"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char buffer[16];
        int number = cases[i].number;
        struct child_result result = child_run(raise_signal, &number, &soon);
        assert_int_equal(result.end, CHILD_CRASHED);
        assert_int_equal(result.status, cases[i].number);
        assert_string_equal(signal_name(result.status, buffer), cases[i].name);
    }
    char buffer[16];
    assert_string_equal(signal_name(63, buffer), "signal 63");
}

static void real_crashes_are_seen(void **state)
{
    (void)state;
    struct child_result result = child_run(call_abort, NULL, &soon);
    assert_int_equal(result.end, CHILD_CRASHED);
    assert_int_equal(result.status, SIGABRT);
    int *nowhere = NULL;
#ifndef ADDRESS_SANITIZER /* UBSan reports the null pointer before it is written to */
    result = child_run(write_to_null, &nowhere, &soon);
    assert_int_equal(result.end, CHILD_CRASHED);
    assert_int_equal(result.status, SIGSEGV);
#else
    (void)write_to_null;
    (void)nowhere;
#endif
}

static void hanging_child_is_ended(void **state)
{
    (void)state;
    double start = clock_seconds();
    struct child_result result = child_run(sleep_long, NULL, &(struct child_limits){.seconds = 0.2});
    double took = clock_seconds() - start;
    assert_int_equal(result.end, CHILD_TIMEOUT);
    assert_true(took >= 0.2 && took < 10.0);
}

/* A program may be started with SIGCHLD ignored; a crash must not look like success then. */
static void crash_is_seen_where_children_are_ignored(void **state)
{
    (void)state;
    int number = SIGSEGV;
    struct sigaction before, after;
    sigaction(SIGCHLD, &(struct sigaction){.sa_handler = SIG_IGN}, &before);
    struct child_result result = child_run(raise_signal, &number, &soon);
    sigaction(SIGCHLD, &before, &after);
    assert_int_equal(result.end, CHILD_CRASHED);
    assert_int_equal(result.status, SIGSEGV);
    assert_true(after.sa_handler == SIG_IGN); /* as it was before the call */
}

/* Tells its process id through the pipe in `context` and hangs. */
static int tell_and_sleep(void *context)
{
    pid_t self = getpid();
    if (write(*(int *)context, &self, sizeof self) != sizeof self)
        return 1;
    return sleep_long(NULL);
}

static void child_dies_with_the_caller(void **state)
{
    (void)state;
#ifndef __linux__
    skip();
#endif
    int ends[2];
    pid_t child = 0;
    assert_int_equal(pipe(ends), 0);
    pid_t caller = fork();
    if (caller == 0) {
        child_run(tell_and_sleep, &ends[1], &soon);
        _exit(0);
    }
    assert_int_equal(read(ends[0], &child, sizeof child), sizeof child);
    assert_true(is_alive(child));
    kill(caller, SIGKILL);
    waitpid(caller, NULL, 0);
    close(ends[0]);
    close(ends[1]);
    assert_true(is_gone_soon(child));
}

static void no_limit_is_no_limit(void **state)
{
    (void)state;
    int status = 3;
    struct child_result result = child_run(exit_with, &status, &(struct child_limits){0});
    assert_int_equal(result.end, CHILD_EXITED);
    assert_int_equal(result.status, 3);
}

static int report_like_a_sanitizer(void *context)
{
    (void)context;
    fprintf(stderr, "==12==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x1\n  #0 f a.c:3\n");
    fprintf(stderr, "SUMMARY: AddressSanitizer: heap-buffer-overflow a.c:3 in f\nShadow bytes around the buggy address:\n");
    for (int i = 0; i < 40; i++)
        fprintf(stderr, "  0x0c3a7fff8000: fa fa fa fa fa fa fa fa fa fa fa fa fa fa fa fa\n");
    fprintf(stderr, "==12==ABORTING\n");
    return 1;
}

static int say_what_cpp_says(void *context)
{
    (void)context;
    print_a_lot(NULL);
    fprintf(stderr, "\nterminate called after throwing\n  what():  a\033[31m\tb\n\n");
    abort();
}

/* Of what a child says on stderr the line that tells most is kept, for the message about its end. */
static void the_last_words_are_kept(void **state)
{
    (void)state;
    struct child_result result = child_run(report_like_a_sanitizer, NULL, &soon);
    assert_int_equal(result.status, 1);
    assert_string_equal(result.said, "SUMMARY: AddressSanitizer: heap-buffer-overflow a.c:3 in f");
    result = child_run(say_what_cpp_says, NULL, &soon);
    assert_int_equal(result.status, SIGABRT);
    assert_string_equal(result.said, "what():  a\033[31m\tb");
    int nothing = 0;
    result = child_run(exit_with, &nothing, &soon);
    assert_string_equal(result.said, "");
}

static void output_is_thrown_away(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    int saved_out = dup(STDOUT_FILENO), saved_err = dup(STDERR_FILENO);
    fflush(NULL);
    dup2(ends[1], STDOUT_FILENO); /* nobody reads the pipe: a child that wrote to it would hang */
    dup2(ends[1], STDERR_FILENO);
    struct child_result result = child_run(print_a_lot, NULL, &soon);
    dup2(saved_out, STDOUT_FILENO);
    dup2(saved_err, STDERR_FILENO);
    close(ends[1]);
    char byte;
    ssize_t leaked = read(ends[0], &byte, 1);
    close(ends[0]);
    close(saved_out);
    close(saved_err);
    assert_int_equal(result.end, CHILD_EXITED);
    assert_int_equal(result.status, 0);
    assert_int_equal(leaked, 0);
}

static void memory_is_limited(void **state)
{
    (void)state;
#ifdef ADDRESS_SANITIZER
    print_message("skipped: memory limits do not hold under AddressSanitizer\n");
    skip();
#else
    static const struct child_limits limits = {.seconds = 20, .memory_bytes = (size_t)64 << 20};
    size_t little = (size_t)16 << 20, much = (size_t)256 << 20;
    struct child_result result = child_run(take_memory, &little, &limits);
    assert_int_equal(result.end, CHILD_EXITED);
    assert_int_equal(result.status, 0);
    result = child_run(take_memory, &much, &limits);
    assert_int_equal(result.end, CHILD_EXITED);
    assert_int_equal(result.status, 5);
    result = child_run(take_memory, &much, &soon);
    assert_int_equal(result.status, 0);
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exit_status_comes_back),
        cmocka_unit_test(signals_are_named),
        cmocka_unit_test(real_crashes_are_seen),
        cmocka_unit_test(hanging_child_is_ended),
        cmocka_unit_test(crash_is_seen_where_children_are_ignored),
        cmocka_unit_test(child_dies_with_the_caller),
        cmocka_unit_test(no_limit_is_no_limit),
        cmocka_unit_test(the_last_words_are_kept),
        cmocka_unit_test(output_is_thrown_away),
        cmocka_unit_test(memory_is_limited),
    };
    (void)take_memory;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
