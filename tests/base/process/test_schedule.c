/*
 * Which task a worker does next. Workers are played here: each is busy for as long as its task costs, and for a group's
 * setup when it begins one; what comes out is when all are done, and who did what.
 */
#include "cmocka_setup.h"

#include "base/process/schedule.h"

enum { WORKERS = 4, TASKS = 2000 };

struct played {
    uint64_t end;         /* when the last is done */
    size_t order[TASKS];  /* as they were begun */
    size_t by[TASKS];     /* the worker of each task */
    uint64_t setups;      /* how often a group was begun */
};

static void play(const struct schedule_task *tasks, size_t count, size_t workers, struct played *out)
{
    struct schedule *schedule = schedule_create(tasks, count, workers);
    uint64_t clock[WORKERS] = {0};
    bool idle[WORKERS] = {false};
    static bool has[WORKERS][TASKS];
    size_t done = 0;
    memset(out, 0, sizeof *out);
    memset(has, 0, sizeof has);
    for (;;) {
        size_t worker = workers, task;
        for (size_t i = 0; i < workers; i++)
            if (!idle[i] && (worker == workers || clock[i] < clock[worker]))
                worker = i;
        if (worker == workers)
            break;
        if (!schedule_take(schedule, worker, &task)) {
            idle[worker] = true;
            continue;
        }
        bool *model = &has[worker][tasks[task].group];
        clock[worker] += tasks[task].cost + (*model ? 0 : tasks[task].setup);
        out->setups += !*model;
        *model = true;
        out->by[task] = worker;
        out->order[done++] = task;
        out->end = clock[worker] > out->end ? clock[worker] : out->end;
    }
    assert_int_equal(done, count);
    for (size_t i = 0; i < count; i++)
        assert_true(schedule_is_taken(schedule, i));
    schedule_destroy(schedule);
}

/* Without setups and groups this is Graham's longest-processing-time rule; his example of its worst case for two
 * workers. */
TEST(the_longest_come_first)
{
    static const uint64_t costs[] = {2, 3, 2, 3, 2};
    static const size_t expected[] = {1, 3, 0, 2, 4};
    struct schedule_task tasks[5];
    struct played played;
    for (size_t i = 0; i < 5; i++)
        tasks[i] = (struct schedule_task){i, costs[i], 0};
    play(tasks, 5, 2, &played);
    assert_memory_equal(played.order, expected, sizeof expected);
    assert_int_equal(played.end, 7); /* 7/6 of the best: 3+3 | 2+2+2 */
}

/* One long task at the end of a list of short ones, of their model: at its end in the list it would be done at 300 +
 * 300. */
TEST(a_long_task_does_not_wait_for_the_end)
{
    struct schedule_task tasks[61];
    struct played played;
    for (size_t i = 0; i < 61; i++)
        tasks[i] = (struct schedule_task){0, i < 60 ? 10 : 300, 7};
    play(tasks, 61, 2, &played);
    assert_int_equal(played.order[0], 60);
    assert_true(played.end <= 460); /* (600 + 300) / 2 and one setup, rounded up to tasks */
    for (size_t i = 0; i < 61; i++) /* and where it is of a small group that would come last */
        tasks[i].group = i / 20;
    play(tasks, 61, 2, &played);
    assert_true(played.end <= 480);
    assert_true(played.order[0] == 60 || played.order[1] == 60);
}

/* The same where it is no longer than a share at first: it begins before it is too late. */
TEST(a_long_task_begins_in_time)
{
    struct schedule_task tasks[101];
    struct played played;
    for (size_t i = 0; i < 101; i++)
        tasks[i] = (struct schedule_task){i < 100 ? i / 50 : 2, i < 100 ? 10 : 100, 5};
    play(tasks, 101, 2, &played);
    assert_true(played.end <= (100 * 10 + 100) / 2 + 3 * 5 + 10);
}

/* While cases cost the same and models take turns in the list, each model is imported by one worker, but for the last. */
TEST(groups_stay_together)
{
    struct schedule_task tasks[200];
    struct played played;
    for (size_t i = 0; i < 200; i++)
        tasks[i] = (struct schedule_task){i % 20, 10, 30};
    play(tasks, 200, 4, &played);
    assert_int_equal(played.setups, 20);
    assert_int_equal(played.end, 5 * (30 + 10 * 10));
}

/* Nobody begins a group for less than its beginning costs. */
TEST(small_rests_are_left_to_who_has_them)
{
    static const struct schedule_task tasks[] = {{0, 2, 7}, {0, 2, 7}, {0, 2, 7}};
    struct played played;
    play(tasks, 3, 2, &played);
    assert_int_equal(played.setups, 1);
    assert_int_equal(played.end, 13);
}

/* No list makes it worse than a half again of what no schedule can beat, imports once a model included. */
TEST(no_list_ends_late)
{
    uint64_t random = 1;
    static struct schedule_task tasks[TASKS];
    static struct played played;
    for (int trial = 0; trial < 300; trial++) {
        size_t count = 1 + (size_t)trial * 6, groups = 1 + count / (1 + (size_t)trial % 30), workers = 1 + (size_t)trial % WORKERS;
        uint64_t sum = 0, longest = 0, setups[TASKS] = {0};
        for (size_t i = 0; i < count; i++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            uint64_t cost = 1 + (random >> 33) % 100 * ((random >> 60) == 0 ? 20 : 1);
            tasks[i] = (struct schedule_task){(size_t)(random >> 40) % groups % count, cost, 30};
            sum += cost;
            longest = cost > longest ? cost : longest;
            setups[tasks[i].group] = 30;
        }
        for (size_t i = 0; i < count; i++)
            sum += setups[i];
        play(tasks, count, workers, &played);
        uint64_t best = sum / workers > longest + 30 ? sum / workers : longest + 30;
        if (2 * played.end > 3 * best)
            fail_msg("%zu tasks of %zu groups, %zu workers: %lu, not below 1.5 times %lu", count, groups, workers,
                     (unsigned long)played.end, (unsigned long)best);
    }
}

TEST(what_is_returned_comes_again)
{
    static const struct schedule_task tasks[] = {{0, 5, 1}, {0, 4, 1}, {1, 3, 1}};
    struct schedule *schedule = schedule_create(tasks, 3, 2);
    size_t task, other;
    assert_true(schedule_take(schedule, 0, &task));
    assert_int_equal(task, 0);
    schedule_return(schedule, 0, task);
    assert_false(schedule_is_taken(schedule, 0));
    for (size_t i = 0; i < 3; i++) /* the other worker does them all */
        assert_true(schedule_take(schedule, 1, &other));
    assert_true(schedule_is_taken(schedule, 0));
    assert_false(schedule_take(schedule, 0, &task));
    schedule_destroy(schedule);
}
