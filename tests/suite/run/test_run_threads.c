/* Workers and their threads together are no more than the cores, and none of these is left over. */
#include "cmocka_setup.h"

#include "suite/run/run_suite.h"

static void threads_are_the_cores_that_workers_leave(void **state)
{
    static const struct {
        long cores;
        size_t workers;
        unsigned wanted;
    } cases[] = {{1, 1, 0}, {2, 2, 0}, {2, 1, 2}, {4, 3, 0}, {4, 2, 2}, {8, 2, 4}, {64, 1, 4}, {3, 1, 3},
                 {2, 9, 0}, {-1, 1, 0}, {0, 1, 0}, {4, 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(run_threads(cases[i].cores, cases[i].workers), cases[i].wanted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(threads_are_the_cores_that_workers_leave)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
