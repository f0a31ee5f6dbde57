/* Lists of findings: their order, their culprit, their texts. */
#include "cmocka_setup.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "data/result/verdict.h"

static struct findings empty_list(void)
{
    static struct arena *last; /* freed with the next list */
    arena_destroy(last);
    last = arena_require((size_t)4 << 20);
    return (struct findings){.arena = last};
}

static void add(struct findings *findings, enum stage stage, bool benign, double displacement, const char *text)
{
    struct finding finding = finding_none;
    finding.stage = stage;
    finding.benign = benign;
    finding.displacement = displacement;
    findings_add(findings, &finding, "%s", text);
}

/* Nodes that are gone are gone at every time. */
static void what_has_no_figures_is_said_once(void **state)
{
    struct findings list = empty_list();
    add(&list, STAGE_ANIMATE, false, NAN, "node `hips` is missing");
    add(&list, STAGE_ANIMATE, false, NAN, "node `hand` is missing");
    add(&list, STAGE_ANIMATE, false, NAN, "node `hips` is missing");
    assert_int_equal(list.count, 2);
    add(&list, STAGE_ANIMATE, true, NAN, "node `hips` is missing");
    add(&list, STAGE_PALETTE, false, NAN, "node `hips` is missing");
    add(&list, STAGE_PALETTE, false, 0.5, "bone `hips` is off");
    add(&list, STAGE_PALETTE, false, 0.5, "bone `hips` is off");
    assert_int_equal(list.count, 6);
}

static void added_are_copies(void **state)
{
    struct findings list = empty_list();
    struct finding finding = finding_none;
    finding.subject = "hips";
    for (int i = 0; i < 100; i++) {
        finding.degrees = i;
        findings_add(&list, &finding, "bone `%s`: %d degrees, 100 %%", finding.subject, i);
    }
    finding.degrees = -1;
    assert_int_equal(list.count, 100);
    for (int i = 0; i < 100; i++) {
        char expected[64];
        snprintf(expected, sizeof expected, "bone `hips`: %d degrees, 100 %%", i);
        assert_string_equal(list.items[i].text, expected);
        assert_float_equal(list.items[i].degrees, i, 0);
    }
    assert_string_equal(finding.text, "");
}

static void sorted_by_stage_then_harm_then_size(void **state)
{
    static const char *const expected[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"};
    struct findings list = empty_list();
    add(&list, STAGE_DRAW, false, 1, "j");
    add(&list, STAGE_PALETTE, false, 0.5, "f");
    add(&list, STAGE_PALETTE, true, 9, "i");
    add(&list, STAGE_PALETTE, false, 0.1, "g");
    add(&list, STAGE_PALETTE, false, 0.7, "e");
    add(&list, STAGE_PALETTE, false, 0.1, "h");
    add(&list, STAGE_IMPORT, true, NAN, "d");
    add(&list, STAGE_IMPORT, false, NAN, "a");
    add(&list, STAGE_IMPORT, false, 2, "c");
    add(&list, STAGE_IMPORT, false, NAN, "b");
    findings_sort(&list);
    for (int i = 0; i < 10; i++)
        assert_string_equal(list.items[i].text, expected[i]);
}

static void culprit_is_the_first_that_fails(void **state)
{
    struct findings list = empty_list();
    assert_int_equal(findings_culprit(&list), STAGE_NONE);
    add(&list, STAGE_IMPORT, true, NAN, "an order");
    add(&list, STAGE_NONE, false, NAN, "nobody's");
    assert_int_equal(findings_culprit(&list), STAGE_NONE);
    add(&list, STAGE_DRAW, false, 1, "pixels");
    assert_int_equal(findings_culprit(&list), STAGE_DRAW);
    add(&list, STAGE_ANIMATE, false, 0.1, "a rotation");
    add(&list, STAGE_PALETTE, false, 0.2, "a matrix");
    assert_int_equal(findings_culprit(&list), STAGE_ANIMATE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_has_no_figures_is_said_once),
        cmocka_unit_test(added_are_copies),
        cmocka_unit_test(sorted_by_stage_then_harm_then_size),
        cmocka_unit_test(culprit_is_the_first_that_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
