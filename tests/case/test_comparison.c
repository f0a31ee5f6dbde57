/* The worst bones over the times of a case. */
#include "cmocka_setup.h"

#include "case/comparison.h"

GROUP_ARENA((size_t)32 << 20)

static void add(struct bone_table *table, uint32_t at, double time, struct bone_result *items, size_t count)
{
    const struct pose_errors errors = {.count = count, .items = items};
    bone_table_add(table, &errors, at, time);
}

#define ADD(table, at, time, ...)                                                                                      \
    add(table, at, time, (struct bone_result[]){__VA_ARGS__},                                                           \
        sizeof((struct bone_result[]){__VA_ARGS__}) / sizeof(struct bone_result))

static void is_row(const struct bone_result *row, const char *bone, enum stage stage, double displacement, double time)
{
    assert_string_equal(row->bone, bone);
    assert_int_equal(row->stage, stage);
    assert_true(row->displacement == displacement);
    assert_true(row->time == time);
}

TEST(worst_time_of_each_bone_counts)
{
    struct bone_table table = {.arena = arena, .time_count = 3};
    struct case_result result = {0};
    ADD(&table, 0, 0.0, {"hip", NULL, STAGE_ANIMATE, 0.1, 1, 2, 3, 4}, {"hand", "body", STAGE_PALETTE, 0.0, 0, 0, 0, 0},
        {"foot", "body", STAGE_PALETTE, 0.0, 0, 0, 0, 0});
    ADD(&table, 1, 0.5, {"hip", NULL, STAGE_ANIMATE, 0.05, 0, 0, 0, 0},
        {"hand", "body", STAGE_PALETTE, 0.3, 5, 6, 7, 8}, {"foot", "body", STAGE_PALETTE, 0.0, 0, 0, 0, 0});
    bone_table_report(&table, &result);
    assert_int_equal(result.bone_count, 2); /* the foot did not move */
    is_row(&result.bones[0], "hand", STAGE_PALETTE, 0.3, 0.5);
    is_row(&result.bones[1], "hip", STAGE_ANIMATE, 0.1, 0.0);
    assert_string_equal(result.bones[0].mesh, "body");
    assert_null(result.bones[1].mesh);
    assert_true(result.bones[0].distance == 5 && result.bones[0].degrees == 6 && result.bones[0].translation == 7 &&
                result.bones[0].scale_percent == 8);
    assert_true(result.bones[1].over_time[0] == 0.1 && result.bones[1].over_time[1] == 0.05);
    assert_true(isnan(result.bones[1].over_time[2])); /* a time without a golden */
}

/* Goldens that were made at different times may list other bones: each figure stays with its bone. */
TEST(bones_are_told_by_name)
{
    struct bone_table table = {.arena = arena, .time_count = 2};
    struct case_result result = {0};
    ADD(&table, 0, 0.0, {"a", NULL, STAGE_ANIMATE, 0.1, 0, 0, 0, 0}, {"b", NULL, STAGE_ANIMATE, 0.2, 0, 0, 0, 0});
    ADD(&table, 1, 1.0, {"new", NULL, STAGE_ANIMATE, 0.9, 0, 0, 0, 0}, {"b", "m", STAGE_PALETTE, 0.8, 0, 0, 0, 0},
        {"b", NULL, STAGE_ANIMATE, 0.3, 0, 0, 0, 0}, {"a", NULL, STAGE_ANIMATE, 0.4, 0, 0, 0, 0});
    bone_table_report(&table, &result);
    assert_int_equal(result.bone_count, 4);
    is_row(&result.bones[0], "new", STAGE_ANIMATE, 0.9, 1.0);
    is_row(&result.bones[1], "b", STAGE_PALETTE, 0.8, 1.0);
    is_row(&result.bones[2], "a", STAGE_ANIMATE, 0.4, 1.0);
    is_row(&result.bones[3], "b", STAGE_ANIMATE, 0.3, 1.0);
    assert_true(isnan(result.bones[0].over_time[0]));
    assert_true(result.bones[3].over_time[0] == 0.2 && result.bones[3].over_time[1] == 0.3);
}

TEST(one_name_twice_is_told_by_order)
{
    struct bone_table table = {.arena = arena, .time_count = 2};
    struct case_result result = {0};
    ADD(&table, 0, 0.0, {"x", NULL, STAGE_ANIMATE, 0.1, 0, 0, 0, 0}, {"x", NULL, STAGE_ANIMATE, 0.2, 0, 0, 0, 0});
    ADD(&table, 1, 1.0, {"y", NULL, STAGE_ANIMATE, 0.5, 0, 0, 0, 0}, {"x", NULL, STAGE_ANIMATE, 0.02, 0, 0, 0, 0},
        {"x", NULL, STAGE_ANIMATE, 0.03, 0, 0, 0, 0});
    bone_table_report(&table, &result);
    assert_int_equal(result.bone_count, 3);
    is_row(&result.bones[1], "x", STAGE_ANIMATE, 0.2, 0.0);
    is_row(&result.bones[2], "x", STAGE_ANIMATE, 0.1, 0.0);
    assert_true(result.bones[1].over_time[1] == 0.02 && result.bones[2].over_time[1] == 0.03);
}

TEST(what_was_not_compared_is_not_worst)
{
    struct bone_table table = {.arena = arena, .time_count = 2};
    struct case_result result = {0};
    ADD(&table, 0, 0.0, {"gone", NULL, STAGE_ANIMATE, NAN, NAN, NAN, NAN, NAN},
        {"late", NULL, STAGE_ANIMATE, NAN, 0, 0, 0, 0}, {"c", NULL, STAGE_ANIMATE, 0.1, 0, 0, 0, 0});
    ADD(&table, 1, 1.0, {"gone", NULL, STAGE_ANIMATE, NAN, NAN, NAN, NAN, NAN},
        {"late", NULL, STAGE_ANIMATE, 0.7, 0, 0, 0, 0}, {"c", NULL, STAGE_ANIMATE, NAN, 0, 0, 0, 0});
    bone_table_report(&table, &result);
    assert_int_equal(result.bone_count, 2);
    is_row(&result.bones[0], "late", STAGE_ANIMATE, 0.7, 1.0);
    is_row(&result.bones[1], "c", STAGE_ANIMATE, 0.1, 0.0);
}

/* More rows than a table begins with, more than a result takes. */
TEST(many_bones_are_cut)
{
    enum { BONES = 500 };
    static struct bone_result items[BONES];
    struct bone_table table = {.arena = arena, .time_count = 2};
    struct case_result result = {0};
    for (int i = 0; i < BONES; i++)
        items[i] = (struct bone_result){.bone = arena_printf(arena, "b%d", i), .stage = STAGE_ANIMATE, .displacement = i};
    add(&table, 0, 0.0, items, BONES);
    add(&table, 1, 1.0, items, BONES);
    bone_table_report(&table, &result);
    assert_int_equal(table.count, BONES);
    assert_int_equal(result.bone_count, RESULT_MAX_BONES);
    for (int i = 0; i < RESULT_MAX_BONES; i++)
        is_row(&result.bones[i], items[BONES - 1 - i].bone, STAGE_ANIMATE, BONES - 1 - i, 0.0);
}
