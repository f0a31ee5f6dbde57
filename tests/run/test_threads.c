/* Workers and their threads together are no more than the cores, and none of these is left over; what a worker waits for. */
#include "cmocka_setup.h"

#include "run/run_suite.h"

TEST(threads_are_the_cores_that_workers_leave)
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

/* What is waited is part of what the case may take: a short limit is not used up by it. */
TEST(waiting_leaves_time_for_the_case)
{
    static const double seconds[][2] = {{0, 2}, {120, 2}, {8, 2}, {1, 0.25}, {0.1, 0.025}};
    for (size_t i = 0; i < sizeof seconds / sizeof seconds[0]; i++)
        assert_true(run_patience(seconds[i][0]) == seconds[i][1]);
}
