/* What a child in the sandbox may no longer do, and what it still can. */
#include "cmocka_setup.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/process/process.h"

static const struct child_limits caged = {.seconds = 20, .sandboxed = true};

static int open_socket(void *context)
{
    (void)context;
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
    (void)context;
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
    char *memory = malloc((size_t)32 << 20);
    bool good = file && memory && fread(&first, 1, 1, file) == 1;
    if (memory)
        memset(memory, 1, (size_t)32 << 20);
    free(memory);
    if (file)
        fclose(file);
    return good ? 7 : 1;
}

static int die(void *context)
{
    (void)context;
    fprintf(stderr, "the last line\n");
    abort();
}

static void skip_without_filters(void)
{
    const char *why;
    if (!sandbox_works(&why)) {
        print_message("%s\n", why);
        skip();
    }
}

static void test_forbidden_calls_are_named(void **state)
{
    (void)state;
    static char path[] = "sandbox-test-must-not-appear";
    static const struct {
        int (*work)(void *);
        const char *said;
    } calls[] = {{open_socket, "system call `socket`"}, {run_program, "system call `execve`"}, {write_file, "system call `open"},
                 {remove_file, "system call `unlink"}};
    skip_without_filters();
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        struct child_result result = child_run(calls[i].work, path, &caged);
        assert_int_equal(result.end, CHILD_CRASHED);
        assert_int_equal(result.status, SIGSYS);
        assert_memory_equal(result.said, calls[i].said, strlen(calls[i].said));
    }
    assert_int_equal(access(path, F_OK), -1);
}

/* Ended by the filter, or refused where a sanitizer might try it. */
static void test_no_process_is_started(void **state)
{
    (void)state;
    skip_without_filters();
    struct child_result result = child_run(start_process, NULL, &caged);
    assert_true(result.end == CHILD_CRASHED || (result.end == CHILD_EXITED && result.status == 0));
}

/* Holds without filters too. */
static void test_files_of_the_caller_are_closed(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    struct child_result result = child_run(write_to_inherited, &ends[1], &caged);
    assert_false(result.end == CHILD_EXITED && result.status == 1);
    close(ends[1]);
    char byte;
    assert_int_equal(read(ends[0], &byte, 1), 0);
    close(ends[0]);
}

static void test_reading_goes_on(void **state)
{
    (void)state;
    static char path[] = FIXTURES "/README.md";
    struct child_result result = child_run(read_and_allocate, path, &caged);
    assert_int_equal(result.end, CHILD_EXITED);
    assert_int_equal(result.status, 7);
}

/* An assertion of a library still says what it says. */
static void test_abort_stays_abort(void **state)
{
    (void)state;
    struct child_result result = child_run(die, NULL, &caged);
    assert_int_equal(result.end, CHILD_CRASHED);
    assert_int_equal(result.status, SIGABRT);
    assert_string_equal(result.said, "the last line");
}

#ifdef RIGPROOF_SANITIZE
static int read_behind(void *context)
{
    const volatile char *memory = calloc(4, 1);
    return memory[4 + *(int *)context];
}

/* What a sanitizer finds in the sandbox comes out of it. */
static void test_reports_come_through(void **state)
{
    (void)state;
    int zero = 0;
    struct child_result result = child_run(read_behind, &zero, &caged);
    assert_int_equal(result.end, CHILD_EXITED);
    assert_true(strstr(result.said, "AddressSanitizer: heap-buffer-overflow") || strstr(result.said, "runtime error: "));
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forbidden_calls_are_named),     cmocka_unit_test(test_no_process_is_started),
        cmocka_unit_test(test_files_of_the_caller_are_closed), cmocka_unit_test(test_reading_goes_on),
        cmocka_unit_test(test_abort_stays_abort),
#ifdef RIGPROOF_SANITIZE
        cmocka_unit_test(test_reports_come_through),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
