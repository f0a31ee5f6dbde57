/* Two nodes of one name: which of them is the bone. */
#include "cmocka_setup.h"

#include <string.h>

#include "compare/compare.h"

static const mat4 identity = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};

/* stage / arm, which carries a mesh, and stage / `place` / arm; `bone` is the index of the one that is a bone. */
static struct import_snapshot two_arms(const char *place, int bone, struct arena *arena)
{
    const char *const names[] = {"stage", "arm", place, "arm"}, *const parents[] = {NULL, "stage", "stage", place};
    struct node_snapshot *nodes = ARENA_NEW(arena, struct node_snapshot, 4);
    for (int i = 0; i < 4; i++) {
        nodes[i] = (struct node_snapshot){.name = names[i], .parent = parents[i], .is_bone = i == bone};
        memcpy(nodes[i].local_to_parent, identity, sizeof identity);
    }
    return (struct import_snapshot){.model = "a", .up = "y", .node_count = 4, .nodes = nodes};
}

static void expect_under(const char *place, int was, int now, const char *text)
{
    struct error err = {0};
    struct arena *arena = arena_create(1 << 20, &err);
    struct findings findings = {.arena = arena};
    const struct import_snapshot golden = two_arms(place, was, arena),
                                 actual = two_arms(place, now, arena);
    compare_import(&golden, &actual, &tolerance_defaults, &findings);
    assert_int_equal(findings.count, text ? 1 : 0);
    if (text) {
        assert_string_equal(findings.items[0].text, text);
        assert_int_equal(findings_culprit(&findings), STAGE_IMPORT);
    }
    arena_destroy(arena);
}

static void expect(int was, int now, const char *text)
{
    expect_under("rig", was, now, text);
}

static void another_node_of_the_name_is_the_bone(void **state)
{
    (void)state;
    expect(3, 1, "bone `arm` is the node under `stage` now, was the one under `rig`");
    expect(1, 3, "bone `arm` is the node under `rig` now, was the one under `stage`");
}

/* stage / stage / arm: the parents have one name too. */
static void places_that_cannot_be_told_apart_are_not(void **state)
{
    (void)state;
    expect_under("stage", 3, 1, "bone `arm` is another node of its name now: there are several under `stage`");
}

static void the_same_one_says_nothing(void **state)
{
    (void)state;
    expect(3, 3, NULL);
}

/* The mesh that lost or gained the bone says so. */
static void a_bone_that_is_gone_is_told_elsewhere(void **state)
{
    (void)state;
    expect(3, -1, NULL);
    expect(-1, 3, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(another_node_of_the_name_is_the_bone),
        cmocka_unit_test(places_that_cannot_be_told_apart_are_not),
        cmocka_unit_test(the_same_one_says_nothing),
        cmocka_unit_test(a_bone_that_is_gone_is_told_elsewhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
