/* One error travels up: the first message stays, callers put what they know in front. */
#include "cmocka_setup.h"

#include <string.h>

#include "base/error.h"

static void first_message_is_kept(void **state)
{
    (void)state;
    struct error err = {0};
    assert_false(error_is_set(&err));
    assert_false(error_set(&err, "bone `%s`: %d", "hips", 7));
    assert_true(error_is_set(&err));
    assert_string_equal(err.text, "bone `hips`: 7");
    assert_int_equal(err.exit_code, EXIT_CODE_USAGE);
    assert_false(error_set(&err, "second"));
    assert_false(error_set_code(&err, EXIT_CODE_DIFFERS, "third"));
    assert_string_equal(err.text, "bone `hips`: 7");
    assert_int_equal(err.exit_code, EXIT_CODE_USAGE);
}

static void prefix_goes_in_front_and_keeps_the_code(void **state)
{
    (void)state;
    struct error err = {0};
    error_set_code(&err, EXIT_CODE_DIFFERS, "no such node");
    assert_false(error_prefix(&err, "clip %d", 3));
    error_prefix(&err, "a.glb");
    assert_string_equal(err.text, "a.glb: clip 3: no such node");
    assert_int_equal(err.exit_code, EXIT_CODE_DIFFERS);
}

static void message_is_one_line(void **state)
{
    (void)state;
    struct error err = {0};
    error_set(&err, "line one\nline two\ttab\x1b[31m\x7f\n");
    assert_string_equal(err.text, "line one\\nline two\\ttab\\u001b[31m\\u007f");
    error_prefix(&err, "::stop-commands::x\nfile");
    assert_string_equal(err.text, "\\u003a:stop-commands::x\\nfile: line one\\nline two\\ttab\\u001b[31m\\u007f");
}

static void long_messages_are_cut(void **state)
{
    (void)state;
    struct error err = {0};
    char many[3000];
    memset(many, 'x', sizeof many - 1);
    many[sizeof many - 1] = '\0';
    error_set(&err, "%s", many);
    assert_int_equal(strlen(err.text), sizeof err.text - 1);
    error_prefix(&err, "front");
    assert_int_equal(strncmp(err.text, "front: xxx", 10), 0);
    assert_int_equal(strlen(err.text), sizeof err.text - 1);
    error_prefix(&err, "%s", many);
    assert_int_equal(strlen(err.text), sizeof err.text - 1);
    assert_true(error_is_set(&err));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_message_is_kept),
        cmocka_unit_test(prefix_goes_in_front_and_keeps_the_code),
        cmocka_unit_test(message_is_one_line),
        cmocka_unit_test(long_messages_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
