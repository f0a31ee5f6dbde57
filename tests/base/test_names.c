/* Help for people who mistype. */
#include "cmocka_setup.h"

#include <string.h>

#include "base/names.h"

static void distances_by_hand(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b;
        size_t distance;
    } cases[] = {
        {"", "", 0},        {"", "abc", 3},          {"walk", "walk", 0},  {"walk", "WALK", 0},     {"walk", "wlak", 1},
        {"walk", "walks", 1}, {"walk", "wak", 1},    {"walk", "talk", 1},  {"kitten", "sitting", 3}, {"ca", "abc", 3},
        {"render", "redner", 1}, {"idle", "wave", 3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(name_distance(cases[i].a, cases[i].b), cases[i].distance);
        assert_int_equal(name_distance(cases[i].b, cases[i].a), cases[i].distance);
    }
    char a[100], b[100];
    memset(a, 'a', sizeof a - 1);
    memset(b, 'a', sizeof b - 1);
    a[99] = b[99] = '\0';
    assert_int_equal(name_distance(a, b), 99); /* too long to be looked at */
    a[64] = b[64] = '\0';
    b[10] = 'b';
    assert_int_equal(name_distance(a, b), 1);
}

static void nearest_is_what_was_meant(void **state)
{
    (void)state;
    static const char *const commands[] = {"inspect", "render", "turntable", "dump", "doctor"};
    static const struct {
        const char *typed, *meant;
    } cases[] = {
        {"rendr", "render"},     {"redner", "render"}, {"RENDER", "render"}, {"turntabel", "turntable"},
        {"inspekt", "inspect"},  {"dum", "dump"},      {"docter", "doctor"}, {"frobnicate", NULL},
        {"x", NULL},             {"", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *near = name_nearest(cases[i].typed, commands, 5);
        assert_string_equal(near ? near : "", cases[i].meant ? cases[i].meant : "");
    }
    assert_null(name_nearest("render", commands, 0));
    static const char *const short_ones[] = {"z", "up"};
    assert_null(name_nearest("", short_ones, 2)); /* nothing is not nearly anything */
    assert_null(name_nearest("w", short_ones, 2));
    assert_string_equal(name_nearest("u", short_ones, 2), "up");
    assert_string_equal(name_nearest("UP", short_ones, 2), "up");
    static const char *const times[] = {"times", "time", "timer"};
    assert_string_equal(name_nearest("time", times, 3), "time");
    assert_string_equal(name_nearest("timr", times, 3), "time");
}

static void things_of_one_name_are_numbered(void **state)
{
    (void)state;
    struct arena *arena = arena_require((size_t)1 << 16);
    const char *names[] = {"body", "head", "body", "body", ""};
    static const char *const numbered[] = {"body #0", "head", "body #1", "body #2", ""};
    static const char *const quoted[] = {"`body` #0", "`head`", "`body` #1", "`body` #2", "``"};
    names_number(names, 5, arena);
    for (int i = 0; i < 5; i++) {
        struct text text = {0};
        assert_string_equal(names[i], numbered[i]);
        name_quote(names[i], '`', &text);
        assert_string_equal(text_string(&text), quoted[i]);
        text_release(&text);
    }
    names_number(names, 0, arena);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(things_of_one_name_are_numbered),
        cmocka_unit_test(distances_by_hand),
        cmocka_unit_test(nearest_is_what_was_meant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
