/* Which task a worker is given next. */
#include "cmocka_setup.h"

#include "base/process/pool_queue.h"

static const char *const three_groups[] = {"a", "b", "b", "c", "a", "b", "c"};
enum { TASKS = 7 };

static size_t take(struct pool_queue *queue, struct pool_place *place)
{
    size_t task = 99;
    assert_true(pool_queue_take(queue, place, &task));
    return task;
}

static void assert_empty(struct pool_queue *queue)
{
    size_t task;
    struct pool_place place = POOL_NOWHERE;
    assert_false(pool_queue_take(queue, &place, &task));
}

static void one_worker_goes_through_groups_by_size(void **state)
{
    (void)state;
    static const size_t expected[] = {1, 2, 5, 0, 4, 3, 6}; /* b has three; a and c two, a is first */
    struct pool_queue queue;
    struct pool_place place = POOL_NOWHERE;
    assert_true(pool_queue_create(&queue, TASKS, three_groups));
    for (size_t i = 0; i < TASKS; i++)
        assert_int_equal(take(&queue, &place), expected[i]);
    assert_empty(&queue);
    pool_queue_release(&queue);
}

static void workers_begin_groups_of_their_own(void **state)
{
    (void)state;
    struct pool_queue queue;
    struct pool_place first = POOL_NOWHERE, second = POOL_NOWHERE;
    assert_true(pool_queue_create(&queue, TASKS, three_groups));
    assert_int_equal(take(&queue, &first), 1);  /* b */
    assert_int_equal(take(&queue, &second), 0); /* a */
    assert_int_equal(take(&queue, &second), 4);
    assert_int_equal(take(&queue, &second), 3); /* c, though b has more left */
    assert_int_equal(take(&queue, &second), 6);
    assert_int_equal(take(&queue, &second), 5); /* no group is left to begin: the end of b */
    assert_int_equal(take(&queue, &first), 2);
    assert_empty(&queue);
    pool_queue_release(&queue);
}

static void help_goes_to_the_largest_rest(void **state)
{
    (void)state;
    static const char *const groups[] = {"a", "a", "a", "a", "b", "b", "b", "c"};
    struct pool_queue queue;
    struct pool_place a = POOL_NOWHERE, b = POOL_NOWHERE, c = POOL_NOWHERE;
    assert_true(pool_queue_create(&queue, 8, groups));
    assert_int_equal(take(&queue, &a), 0);
    assert_int_equal(take(&queue, &b), 4);
    assert_int_equal(take(&queue, &c), 7);
    assert_int_equal(take(&queue, &a), 1);
    assert_int_equal(take(&queue, &a), 2); /* rest of a: 1, of b: 2 */
    assert_int_equal(take(&queue, &c), 6);
    assert_int_equal(take(&queue, &c), 5); /* it stays where it helps */
    assert_int_equal(take(&queue, &b), 3);
    assert_empty(&queue);
    pool_queue_release(&queue);
}

static void returned_task_comes_again(void **state)
{
    (void)state;
    struct pool_queue queue;
    struct pool_place owner = POOL_NOWHERE, helper = POOL_NOWHERE, other = POOL_NOWHERE;
    static const char *const groups[] = {"a", "a", "a", "a"};
    assert_true(pool_queue_create(&queue, 4, groups));
    assert_int_equal(take(&queue, &owner), 0);
    assert_int_equal(take(&queue, &helper), 3);
    assert_int_equal(take(&queue, &other), 2);
    pool_queue_return(&queue, &helper, 3);
    pool_queue_return(&queue, &owner, 0);
    assert_int_equal(take(&queue, &other), 3);
    assert_int_equal(take(&queue, &owner), 0);
    assert_int_equal(take(&queue, &owner), 1);
    pool_queue_return(&queue, &owner, 1);
    assert_int_equal(take(&queue, &other), 1);
    assert_empty(&queue);
    pool_queue_release(&queue);
}

static void tasks_without_groups_come_in_order(void **state)
{
    (void)state;
    struct pool_queue queue;
    struct pool_place one = POOL_NOWHERE, two = POOL_NOWHERE;
    assert_true(pool_queue_create(&queue, 5, NULL));
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(take(&queue, i % 2 ? &one : &two), i);
    assert_empty(&queue);
    pool_queue_release(&queue);
    assert_true(pool_queue_create(&queue, 0, NULL));
    assert_empty(&queue);
    pool_queue_release(&queue);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_worker_goes_through_groups_by_size), cmocka_unit_test(workers_begin_groups_of_their_own),
        cmocka_unit_test(help_goes_to_the_largest_rest),          cmocka_unit_test(returned_task_comes_again),
        cmocka_unit_test(tasks_without_groups_come_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
