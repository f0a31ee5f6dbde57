#include "cmocka_setup.h"

#include <assert.h>
#include <stdio.h>

enum { MOST = 128 };

static struct CMUnitTest tests[MOST];
static int lines[MOST];
static size_t count;
static CMFixtureFunction group_setup, group_teardown;

void list_test(const struct CMUnitTest *test, int line)
{
    size_t at = count++;
    assert(at < MOST);
    for (; at > 0 && lines[at - 1] > line; at--) {
        tests[at] = tests[at - 1];
        lines[at] = lines[at - 1];
    }
    tests[at] = *test;
    lines[at] = line;
}

void list_group(CMFixtureFunction setup, CMFixtureFunction teardown)
{
    group_setup = setup;
    group_teardown = teardown;
}

int run_listed(int argc, char **argv)
{
    int part = 1, parts = 1, failed = 0;
    if (argc == 1)
        return _cmocka_run_group_tests("tests", tests, count, group_setup, group_teardown);
    if (sscanf(argv[1], "%d/%d", &part, &parts) != 2 || part < 1 || part > parts)
        return 2;
    for (size_t i = (size_t)part - 1; i < count; i += (size_t)parts)
        failed += _cmocka_run_group_tests(tests[i].name, &tests[i], 1, group_setup, group_teardown);
    return failed;
}

__attribute__((weak)) int main(int argc, char **argv)
{
    return run_listed(argc, argv);
}
