#include "import_fixture.h"

#include "import/convert.h"

static void test_the_library_of_this_build_is_readable(void **state)
{
    (void)state;
    struct error err = {0};
    assert_true(import_check_library(&err));
    assert_false(error_is_set(&err));
}

/* aiQuatKey: 24 bytes up to 5.4.2, 32 from 5.4.3 on; libassimp.so.5 is the name of both. */
static void test_keys_of_another_size_are_refused(void **state)
{
    (void)state;
    static const struct {
        size_t built;
        unsigned version;
        bool readable;
    } pairs[] = {{24, 50204, true}, {24, 50402, true}, {24, 50403, false}, {24, 60005, false},
                 {32, 50403, true}, {32, 60005, true}, {32, 50204, false}, {32, 50402, false}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        struct error err = {0};
        assert_int_equal(library_check_key(pairs[i].built, pairs[i].version, &err), pairs[i].readable);
        assert_int_equal(error_is_set(&err), !pairs[i].readable);
        if (!pairs[i].readable)
            assert_contains(err.text, "build rigproof again");
    }
}

static void test_version_text_and_number_agree(void **state)
{
    (void)state;
    unsigned major;
    unsigned minor;
    unsigned patch;
    assert_int_equal(sscanf(import_library_version(), "%u.%u.%u", &major, &minor, &patch), 3);
    unsigned number = major * 10000 + minor * 100 + patch;
    assert_true(library_version() == number || (number == 50403 && library_version() == 60000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_library_of_this_build_is_readable),
        cmocka_unit_test(test_keys_of_another_size_are_refused),
        cmocka_unit_test(test_version_text_and_number_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
