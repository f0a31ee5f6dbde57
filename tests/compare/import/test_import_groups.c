/* Several changes of one kind of an import as one finding. */
#include "compare/import_findings.h"

enum { MANY = 12 };

/* As many materials on both sides, `m0` and so on. */
static void have_materials(uint32_t count)
{
    for (int i = 0; i < 2; i++) {
        struct material_snapshot *materials = ARENA_NEW(two.arena, struct material_snapshot, count);
        for (uint32_t m = 0; m < count; m++) {
            materials[m] = two.both[i]->materials[0];
            materials[m].name = arena_printf(two.arena, "m%u", m);
        }
        two.both[i]->materials = materials;
        two.both[i]->material_count = count;
        two.both[i]->meshes[0].material = "m0";
    }
}

IMPORT_TEST(up_to_eight_are_said_one_by_one)
{
    for (uint32_t count = 8; count <= 9; count++) {
        have_materials(count);
        for (uint32_t m = 0; m < count; m++)
            two.actual->materials[m].base_color[0] += 0.01f * (float)(m + 1);
        assert_int_equal(compare_them(), count == 8 ? 8 : 1);
        assert_string_equal(two.findings.items[0].subject, count == 8 ? "m7" : "m0"); /* what changed most leads */
        begin_again();
    }
}

IMPORT_TEST(three_that_differ_alike_are_one)
{
    have_materials(5);
    for (int m = 0; m < 4; m++)
        two.actual->materials[m].two_sided = !two.actual->materials[m].two_sided;
    FINDS("sides of 4 materials changed: two-sided now (`m0`, `m1`, `m2` and `m3`)");
}

IMPORT_TEST(what_has_no_size_names_the_first)
{
    have_materials(MANY);
    for (int m = 0; m < MANY; m++)
        two.actual->materials[m].base_color[0] = 0.01f * (float)(m + 1);
    assert_int_equal(compare_them(), 1);
    assert_non_null(strstr(two.findings.items[0].text, "base colours of 12 materials changed, such as `m0`: ("));
    assert_non_null(strstr(two.findings.items[0].text, "; also `m1`, `m2`, `m3` and 8 more"));
}

IMPORT_TEST(the_worst_is_named)
{
    const uint32_t nodes = two.golden->node_count;
    for (int i = 0; i < 2; i++) {
        struct node_snapshot *all = ARENA_NEW(two.arena, struct node_snapshot, nodes + MANY);
        memcpy(all, two.both[i]->nodes, nodes * sizeof *all);
        for (uint32_t n = 0; n < MANY; n++) {
            all[nodes + n] = all[nodes - 1];
            all[nodes + n].is_bone = false;
            all[nodes + n].name = arena_printf(two.arena, "n%u", n);
            all[nodes + n].local_to_parent[3][1] += i == 0 ? 0 : n == 5 ? 0.5f : 0.01f * (float)(n + 1);
        }
        two.both[i]->nodes = all;
        two.both[i]->node_count = nodes + MANY;
    }
    assert_int_equal(compare_them(), 1);
    assert_string_equal(two.findings.items[0].subject, "n5");
    assert_float_equal(two.findings.items[0].distance, 0.5, 1e-6);
    assert_non_null(strstr(two.findings.items[0].text, "local transforms of 12 nodes differ, worst `n5`: "));
    assert_non_null(strstr(two.findings.items[0].text, "; also `n0`, `n1`, `n2` and 8 more"));
}

IMPORT_TEST(benign_ones_stay_by_themselves)
{
    static struct note_snapshot notes[9];
    for (int i = 0; i < 9; i++)
        notes[i] = (struct note_snapshot){i == 8 ? "late" : "odd", arena_printf(two.arena, "note %d", i)};
    two.actual->warnings = notes;
    two.actual->warning_count = 9;
    FINDS("~9 warnings are new: `odd`, `odd`, `odd` and 6 more");
}
