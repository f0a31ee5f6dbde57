/* Many findings of one kind as one sentence. */
#include "cmocka_setup.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "compare/grouping.h"

static struct findings list;

static struct grouping begin(const char *before, const char *after)
{
    struct error err = {0};
    list = (struct findings){.arena = arena_create((size_t)4 << 20, &err)};
    return grouping_begin(&list, before, after);
}

/* A bone `b<number>` that is off by `size`, or uncountable. */
static void add(struct grouping *grouping, int number, double size, const char *detail)
{
    char name[16];
    struct finding finding = finding_none;
    snprintf(name, sizeof name, "b%d", number);
    finding.stage = STAGE_IMPORT;
    finding.subject = arena_string(list.arena, name);
    finding.mesh = "body";
    finding.displacement = size;
    grouping_add(grouping, &finding, detail, "bone `%s` alone", name);
}

static void require(size_t count, const char *const *texts)
{
    assert_int_equal(list.count, count);
    for (size_t i = 0; i < count; i++)
        assert_string_equal(list.items[i].text, texts[i]);
    arena_destroy(list.arena);
}

static void few_are_told_one_by_one(void **state)
{
    struct grouping grouping = begin("", " bones are gone");
    grouping_end(&grouping);
    assert_int_equal(list.count, 0);
    for (int i = 0; i < GROUPING_MOST; i++)
        add(&grouping, i, NAN, NULL);
    grouping_end(&grouping);
    assert_int_equal(list.count, GROUPING_MOST);
    assert_string_equal(list.items[7].text, "bone `b7` alone");
    arena_destroy(list.arena);
}

static void many_with_size_name_the_worst(void **state)
{
    struct grouping grouping = begin("offsets of ", " bones differ");
    for (int i = 0; i < 9; i++)
        add(&grouping, i, i == 5 ? 0.5 : 0.1, i == 5 ? "much" : i % 2 ? "little" : "less");
    grouping_end(&grouping);
    /* "little" and "less" are four and more of one detail, so they are told by it; "much" is left alone */
    require(3, (const char *[]){"offsets of 5 bones differ: less (`b0`, `b2`, `b4` and 2 more)",
                                "offsets of 3 bones differ: little (`b1`, `b3` and `b7`)", "bone `b5` alone"});
    grouping = begin("offsets of ", " bones differ");
    for (int i = 0; i < 12; i++) {
        char detail[8];
        snprintf(detail, sizeof detail, "%d cm", i);
        add(&grouping, i, i == 5 ? 0.5 : 0.1, arena_string(list.arena, detail));
    }
    grouping_end(&grouping);
    assert_float_equal(list.items[0].displacement, 0.5, 0);
    assert_string_equal(list.items[0].subject, "b5");
    require(1, (const char *[]){"offsets of 12 bones differ, worst `b5`: 5 cm; also `b0`, `b1`, `b2` and 8 more"});
}

static void many_without_size_are_listed(void **state)
{
    struct grouping grouping = begin("", " bones are gone");
    for (int i = 0; i < 40; i++)
        add(&grouping, i, NAN, NULL);
    grouping_end(&grouping);
    require(1, (const char *[]){"40 bones are gone: `b0`, `b1`, `b2` and 37 more"});
    grouping = begin("", " bones are gone");
    for (int i = 0; i < 4; i++)
        add(&grouping, i, NAN, "all");
    grouping_end(&grouping);
    require(1, (const char *[]){"4 bones are gone: all (`b0`, `b1`, `b2` and `b3`)"});
}

static void benign_ones_stay_by_themselves(void **state)
{
    struct grouping grouping = begin("", " bones are gone");
    struct finding finding = finding_none;
    finding.benign = true;
    finding.subject = "quiet";
    for (int i = 0; i < 9; i++) {
        add(&grouping, i, NAN, NULL);
        grouping_add(&grouping, &finding, NULL, "quiet alone");
    }
    grouping_end(&grouping);
    assert_int_equal(list.count, 2);
    assert_false(list.items[0].benign);
    assert_true(list.items[1].benign);
    require(2, (const char *[]){"9 bones are gone: `b0`, `b1`, `b2` and 6 more",
                                "9 bones are gone: `quiet`, `quiet`, `quiet` and 6 more"});
}

static void predicates_go_on_with_the_sentence(void **state)
{
    struct grouping grouping = begin("offsets of ", " meshes");
    grouping.details_are_predicates = grouping.names_meshes = true;
    for (int i = 0; i < 3; i++)
        add(&grouping, i, 0.1, "are transposed");
    assert_string_equal(grouping_mesh(&grouping), "body");
    grouping_end(&grouping);
    require(1, (const char *[]){"offsets of 3 meshes are transposed (`body`, `body` and `body`)"});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_are_told_one_by_one),
        cmocka_unit_test(many_without_size_are_listed),
        cmocka_unit_test(many_with_size_name_the_worst),
        cmocka_unit_test(benign_ones_stay_by_themselves),
        cmocka_unit_test(predicates_go_on_with_the_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
