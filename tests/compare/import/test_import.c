/* Two imports compared: each sentence, and what must not be said. */
#include "compare/import_findings.h"

IMPORT_TEST(equal_imports_have_no_findings)
{
    FINDS_NOTHING();
    two.actual = two.golden;
    FINDS_NOTHING();
    *two.golden = *two.actual = (struct import_snapshot){.model = "", .up = "y"};
    FINDS_NOTHING();
}

/* Everything against nothing and back: every part meets empty lists. */
IMPORT_TEST(empty_lists_are_met_everywhere)
{
    for (int side = 0; side < 2; side++) {
        *(side ? two.golden : two.actual) = (struct import_snapshot){.model = "", .up = "y", .unit_meters = 1};
        compare_them();
        assert_true(two.findings.count >= 7);
        assert_int_equal(findings_culprit(&two.findings), STAGE_IMPORT);
        begin_again();
    }
}

/* Other versions of an importer differ like this: up to 2e-6 of the extent in translations, as much of a turn. */
IMPORT_TEST(float_noise_passes)
{
    const float noise = 2e-6f * 2.0f / sqrtf(3.0f);
    for (int i = 0; i < 5; i++) {
        mat4 turn;
        place(turn, noise, -noise, noise, i % 3, 1e-4);
        affine_mul(turn, two.actual->nodes[i].local_to_parent, two.actual->nodes[i].local_to_parent);
    }
    for (int i = 0; i < 4; i++) {
        mat4 turn;
        place(turn, noise, noise, -noise, i % 3, 1e-4);
        struct bone_snapshot *bone = &two.actual->meshes[0].bones[i];
        affine_mul(turn, bone->mesh_to_bone, bone->mesh_to_bone);
        bone->sum *= 1 + 5e-6f;
        bone->centroid[0] += noise;
    }
    for (int k = 0; k < 3; k++) {
        two.actual->meshes[0].min[k] -= noise;
        two.actual->materials[0].base_color[k] *= 1 + 5e-6f;
        two.actual->clips[0].channels[0].keys[0].mean[k] += noise;
        two.actual->clips[0].channels[0].keys[1].rms[k] += 5e-6f;
    }
    two.actual->clips[0].duration *= 1 + 5e-6;
    two.actual->clips[0].channels[0].keys[0].last += 5e-6;
    two.actual->clips[1].ticks_per_second *= 1 + 5e-6;
    FINDS_NOTHING();
}

/* The radius is 1, so a length in scene units is a displacement. */
IMPORT_TEST(lengths_are_judged_at_the_limit)
{
    static const float factors[] = {0.95f, 1.05f};
    for (int i = 0; i < 2; i++) {
        struct tolerance tolerance = tolerance_defaults;
        tolerance.import = 0.01;
        two.actual->nodes[4].local_to_parent[3][0] += 0.01f * factors[i];
        two.actual->meshes[0].max[0] += 0.01f * factors[i];
        two.actual->meshes[0].bones[1].centroid[0] += 0.01f * factors[i];
        two.actual->meshes[0].bones[2].mesh_to_bone[3][0] += 0.01f * factors[i];
        two.actual->clips[0].channels[0].keys[0].mean[0] += 0.01f * factors[i];
        compare_import(two.golden, two.actual, NULL, &tolerance, &two.findings);
        assert_int_equal(two.findings.count, i * 5);
        for (size_t f = 0; f < two.findings.count; f++) {
            assert_float_equal(two.findings.items[f].displacement, 0.0105, 1e-6);
            assert_float_equal(two.findings.items[f].distance, 0.0105, 1e-6);
        }
        begin_again();
    }
}

/* The same rig in centimetres, with the same changes in proportion. */
IMPORT_TEST(lengths_are_judged_by_the_radius)
{
    for (int side = 0; side < 2; side++) {
        for (int k = 0; k < 3; k++) {
            for (int i = 0; i < 5; i++)
                two.both[side]->nodes[i].local_to_parent[3][k] *= 100;
            for (int i = 0; i < 4; i++)
                two.both[side]->meshes[0].bones[i].mesh_to_bone[3][k] *= 100;
            two.both[side]->meshes[0].min[k] *= 100;
            two.both[side]->meshes[0].max[k] *= 100;
        }
    }
    two.actual->nodes[4].local_to_parent[3][0] += 0.9e-3f;
    two.actual->nodes[3].local_to_parent[3][0] += 1.1e-3f;
    assert_int_equal(compare_them(), 1);
    assert_string_equal(two.findings.items[0].subject, "hand.L");
    assert_float_equal(two.findings.items[0].displacement, 1.1e-5, 2e-7);
    begin_again();
    /* A mesh in centimetres under a node that scales by a hundredth is no larger for it. */
    two.both[0] = two.golden;
    two.both[1] = two.actual;
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < 4; i++)
            for (int c = 0; c < 3; c++)
                scale_vector(two.both[side]->meshes[0].bones[i].mesh_to_bone[c], 0.01f);
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < 3; k++) {
            two.both[side]->meshes[0].min[k] *= 100;
            two.both[side]->meshes[0].max[k] *= 100;
        }
    two.actual->meshes[0].max[1] += 3;
    assert_int_equal(compare_them(), 1);
    assert_float_equal(two.findings.items[0].distance, 0.03, 1e-6);
    assert_float_equal(two.findings.items[0].displacement, 0.03, 1e-6);
}

/* What was changed is found alone, and a tolerance has to be so large at least that it is no failure; INFINITY: none lets it pass. */
static void measures(enum tolerance_key key, double measure)
{
    assert_int_equal(compare_them(), 1);
    const struct finding *finding = &two.findings.items[0];
    struct tolerance limit = tolerance_defaults;
    assert_int_equal(finding->tolerance, isfinite(measure) ? key : TOLERANCE_NONE);
    if (isfinite(measure)) {
        assert_float_equal(finding->measure, measure, 1e-6);
        assert_float_equal(two.findings.measured[key], finding->measure, 0);
    } else {
        assert_true(isinf(finding->measure));
    }
    for (int strict = 0; strict < 2 && isfinite(measure); strict++) { /* judged by it: within it, and just beyond */
        struct findings again = {.arena = two.arena};
        double most = finding->measure * (strict ? 1 - 1e-9 : 1);
        *(key == TOLERANCE_INFLUENCES ? &limit.influences : &limit.import) = most;
        limit.keys = key == TOLERANCE_KEYS ? (int)most : 0;
        compare_import(two.golden, two.actual, NULL, &limit, &again);
        assert_int_equal(again.count, strict);
        assert_float_equal(again.measured[key], finding->measure, 0);
    }
    begin_again();
}

/* One member changed by a known amount. */
IMPORT_TEST(findings_have_the_measure_of_their_tolerance)
{
    two.actual->nodes[4].local_to_parent[3][0] += 0.25f; /* lengths by the radius, which is 1 */
    measures(TOLERANCE_IMPORT, 0.25);
    two.actual->meshes[0].bones[2].mesh_to_bone[3][0] += 0.5f;
    measures(TOLERANCE_IMPORT, 0.5);
    two.actual->meshes[0].bones[1].sum *= 1.1f;
    measures(TOLERANCE_IMPORT, 0.1);
    two.actual->meshes[0].bones[1].weights++; /* of 2000 vertices one more */
    measures(TOLERANCE_INFLUENCES, 0.0005);
    two.actual->clips[0].ticks_per_second = 30; /* by its size: 25 */
    measures(TOLERANCE_IMPORT, 0.2);
    two.actual->clips[0].duration = 1.5;
    measures(TOLERANCE_IMPORT, 0.5);
    two.actual->clips[0].channels[0].keys[0].mean[1] += 0.125f;
    measures(TOLERANCE_IMPORT, 0.125);
    two.actual->clips[0].channels[0].keys[1].last = 0.75;
    measures(TOLERANCE_IMPORT, 0.25);
    two.actual->materials[0].base_color[1] += 0.25f;
    measures(TOLERANCE_IMPORT, 0.25);
    two.actual->unit_meters = 1.25;
    measures(TOLERANCE_IMPORT, 0.25);
    two.actual->meshes[0].vertices++;
    measures(TOLERANCE_IMPORT, INFINITY);
    uint32_t *influences = two.actual->meshes[0].influences;
    influences[1] -= 30;
    influences[2] += 10;
    influences[3] += 20;
    measures(TOLERANCE_INFLUENCES, 0.015);
    influences = two.actual->meshes[0].influences;
    influences[1]--; /* a vertex without weights stays behind: no tolerance allows it */
    influences[0]++;
    measures(TOLERANCE_INFLUENCES, INFINITY);
    two.actual->clips[0].channels[0].keys[1].count -= 3;
    measures(TOLERANCE_KEYS, 3);
    two.actual->materials[0].two_sided = true;
    measures(TOLERANCE_IMPORT, INFINITY);
}

/* Told together they are as far off as the worst of them; what is benign is no measure. */
IMPORT_TEST(groups_have_the_largest_measure)
{
    for (int i = 1; i < 5; i++)
        scale_vector(two.actual->nodes[i].local_to_parent[3], 2);
    assert_int_equal(compare_them(), 1);
    assert_float_equal(two.findings.items[0].measure, 1, 1e-6); /* the hips, from 1 m to 2 m */
    begin_again();
    two.actual->clips[0].channels[0].keys[1].mean[3] *= 0.5f; /* some keys may have changed sign */
    compare_them();
    assert_true(two.findings.count == 1 && two.findings.items[0].benign);
    assert_float_equal(two.findings.measured[TOLERANCE_IMPORT], 0, 0);
}

/* stage / arm, which carries a mesh, and stage / `place` / arm; `bone` is the index of the one that is a bone. */
static struct import_snapshot two_arms(const char *place_name, int bone, struct arena *arena)
{
    const char *const names[] = {"stage", "arm", place_name, "arm"}, *const parents[] = {NULL, "stage", "stage",
                                                                                         place_name};
    struct node_snapshot *nodes = ARENA_NEW(arena, struct node_snapshot, 4);
    for (int i = 0; i < 4; i++) {
        nodes[i] = (struct node_snapshot){.name = names[i], .parent = parents[i], .is_bone = i == bone};
        place(nodes[i].local_to_parent, 0, 0, 0, 0, 0);
    }
    return (struct import_snapshot){.model = "a", .up = "y", .node_count = 4, .nodes = nodes};
}

/* The mesh that lost or gained the bone says so itself; parents of one name cannot be told apart. */
IMPORT_TEST(another_node_of_the_name_is_the_bone)
{
    static const struct {
        const char *place;
        int was, now;
        const char *text;
    } cases[] = {
        {"rig", 3, 1, "bone `arm` is the node under `stage` now, was the one under `rig`"},
        {"rig", 1, 3, "bone `arm` is the node under `rig` now, was the one under `stage`"},
        {"stage", 3, 1, "bone `arm` is another node of its name now: there are several under `stage`"},
        {"rig", 3, 3, NULL},
        {"rig", 3, -1, NULL},
        {"rig", -1, 3, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        *two.golden = two_arms(cases[i].place, cases[i].was, two.arena);
        *two.actual = two_arms(cases[i].place, cases[i].now, two.arena);
        finds(cases[i].text != NULL, &cases[i].text);
    }
}

IMPORT_TEST(head_cameras_and_notes_in_words)
{
    two.actual->up = "z";
    two.actual->unit_meters = 0.01;
    FINDS("the up axis is z, was y", "one unit is 0.01 m, was 1 m");
    two.actual->unit_meters = 0;
    FINDS("the file's unit is not known any more, was 1 m");
    two.golden->unit_meters = 0;
    FINDS("the file's unit is known now: 1 m");
    two.actual->cameras[0].fov_y = (float)(30 * degree);
    two.golden->cameras[0].fov_y = (float)(45 * degree);
    two.actual->cameras[0].node = "hips";
    FINDS("camera `front` hangs on `hips` now, was on `rig`", "camera `front` has a vertical field of view of 30°, had 45°");
    two.actual->cameras[0].node = NULL;
    two.actual->cameras[0].ortho_height = 2;
    FINDS("camera `front` hangs on no node now, was on `rig`", "camera `front` sees a height of 4 units, was 0");
    two.actual->camera_count = 0;
    FINDS("camera `front` is gone");
    static struct note_snapshot note = {"texture", "no \"hair.png\""};
    two.actual->repair_count = 0;
    two.actual->warnings = &note;
    two.actual->warning_count = 1;
    FINDS("~repair `tick-rate` is no longer needed; it said: clips play at 25 ticks per second",
          "~warning `texture` is new: no \"hair.png\"");
    two.actual->repairs[0].text = "one clip plays at 25 ticks per second";
    FINDS(
        "~repair `tick-rate` says: one clip plays at 25 ticks per second; it said: clips play at 25 ticks per second");
}
