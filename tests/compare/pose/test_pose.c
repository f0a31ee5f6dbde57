/* Two poses compared: figures in closed form, limits, the ends of the range. */
#include "compare/pose_findings.h"

/* Nodes, palette entries, nodes without entry: in the golden's order, whatever differs. */
POSE_TEST(items_are_those_that_both_have)
{
    static const char *const bones[] = {"rig",  "hips",  "spine",  "hand.L", "hand.R",
                                        "hips", "spine", "hand.L", "hand.R", "rig"};
    quaternion(0, 99, two.actual->nodes[2].local.rotation);
    solve_and_compare();
    assert_int_equal(two.errors.count, 10);
    for (size_t i = 0; i < 10; i++) {
        assert_string_equal(two.errors.items[i].bone, bones[i]);
        assert_int_equal(two.errors.items[i].stage, i < 5 ? STAGE_ANIMATE : STAGE_PALETTE);
        assert_int_equal(two.errors.items[i].mesh != NULL, i >= 5 && i < 9);
    }
}

/* A turn of t moves what is at right angles to its axis at distance r by 2 r sin(t / 2). The hand's influence radius is 0.3. */
POSE_TEST(turned_bone_in_closed_form)
{
    static const double angles[] = {0.01, 1, 12, 90, 179};
    for (size_t i = 0; i < sizeof angles / sizeof angles[0]; i++) {
        begin_again();
        quaternion(2, 75 + angles[i], two.actual->nodes[3].local.rotation);
        solve_and_compare();
        double expected = 2 * 0.3 * sin(0.5 * angles[i] * degree);
        const struct bone_result *local = error_of(STAGE_ANIMATE, "hand.L");
        const struct bone_result *entry = error_of(STAGE_PALETTE, "hand.L");
        assert_float_equal(local->distance, expected, 2e-7);
        assert_float_equal(entry->distance, expected, 1e-6);
        assert_float_equal(local->displacement, expected, 1e-6); /* the radius is 1 */
        assert_float_equal(local->degrees, angles[i], 1e-3);
        assert_float_equal(entry->degrees, angles[i], 1e-3);
        assert_float_equal(local->translation, 0, 1e-6);
        assert_float_equal(entry->translation, 0, 1e-6);
        assert_float_equal(local->scale_percent, 0, 1e-4);
        assert_float_equal(two.errors.worst[STAGE_ANIMATE], expected, 2e-7);
        assert_float_equal(two.errors.worst[STAGE_PALETTE], expected, 1e-6);
    }
}

POSE_TEST(moved_and_scaled_bones_in_closed_form)
{
    two.actual->nodes[3].local.translation[0] += 0.03f;
    two.actual->nodes[3].local.translation[2] += 0.04f;
    two.actual->nodes[4].local.scale[1] = 1.02f;
    solve_and_compare();
    static const enum stage stages[] = {STAGE_ANIMATE, STAGE_PALETTE};
    for (int i = 0; i < 2; i++) {
        const struct bone_result *moved = error_of(stages[i], "hand.L"), *scaled = error_of(stages[i], "hand.R");
        assert_float_equal(moved->distance, 0.05, 1e-6);
        assert_float_equal(moved->translation, 0.05, 1e-6);
        assert_float_equal(moved->degrees, 0, 1e-4);
        assert_float_equal(scaled->distance, 0.02 * 0.2, 1e-6); /* its influence radius */
    }
    assert_float_equal(error_of(STAGE_ANIMATE, "hand.R")->scale_percent, 2, 1e-4);
}

/* What hangs on the spine reaches as far as the hands' vertices: from its origin 0.447 to the hand's, then 0.3. */
POSE_TEST(influence_radius_goes_down_the_tree)
{
    quaternion(0, 21, two.actual->nodes[2].local.rotation);
    solve_and_compare();
    double expected = 2 * (sqrt(0.4 * 0.4 + 0.2 * 0.2) + 0.3) * sin(0.5 * degree);
    assert_float_equal(error_of(STAGE_ANIMATE, "spine")->distance, expected, 1e-6);
    assert_float_equal(error_of(STAGE_PALETTE, "spine")->distance, 2 * 0.4 * sin(0.5 * degree), 1e-6);
}

/* Without an import, half the diagonal of the skinned mesh; a bone that holds nothing, 3 % of the radius. */
POSE_TEST(influence_radius_has_stand_ins)
{
    quaternion(2, 76, two.actual->nodes[3].local.rotation);
    rig_solve(two.actual, two.import);
    two.import = NULL;
    compare_them();
    assert_float_equal(error_of(STAGE_PALETTE, "hand.L")->distance, 2 * 1.0 * sin(0.5 * degree), 2e-6);
    begin_again();
    two.import->meshes[0].bones[2].influence_radius = 0;
    quaternion(2, 76, two.actual->nodes[3].local.rotation);
    solve_and_compare();
    assert_float_equal(error_of(STAGE_PALETTE, "hand.L")->distance, 2 * 0.03 * sin(0.5 * degree), 1e-6);
}

/* A rig in centimetres under a root that scales by a hundredth: the same displacements. */
POSE_TEST(scaled_roots_change_nothing)
{
    for (int side = 0; side < 2; side++) {
        for (int k = 0; k < 3; k++) {
            two.both[side]->nodes[0].local.scale[k] = 0.01f;
            for (int i = 1; i < 5; i++)
                two.both[side]->nodes[i].local.translation[k] *= 100;
        }
    }
    for (int i = 0; i < 4; i++) {
        two.import->meshes[0].bones[i].influence_radius *= 100;
        for (int c = 0; c < 4; c++)
            scale_vector(two.import->meshes[0].bones[i].mesh_to_bone[c], 100);
    }
    quaternion(2, 76, two.actual->nodes[3].local.rotation);
    rig_solve(two.golden, two.import);
    solve_and_compare();
    assert_float_equal(error_of(STAGE_ANIMATE, "hand.L")->displacement, 2 * 0.3 * sin(0.5 * degree), 1e-6);
    assert_float_equal(error_of(STAGE_PALETTE, "hand.L")->displacement, 2 * 0.3 * sin(0.5 * degree), 1e-6);
}

POSE_TEST(both_signs_of_a_quaternion_are_one_rotation)
{
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < 4; k++)
            two.actual->nodes[i].local.rotation[k] *= -1;
    assert_int_equal(solve_and_compare(), 0);
    assert_true(two.errors.worst[STAGE_ANIMATE] < 1e-6);
}

POSE_TEST(limits_are_kept)
{
    static const float factors[] = {0.95f, 1.05f};
    for (int i = 0; i < 2; i++) {
        begin_again();
        struct tolerance tolerance = tolerance_defaults;
        tolerance.shell = 0.01;
        two.actual->nodes[4].local.translation[0] += 0.01f * factors[i];
        two.actual->palette[1].mesh_to_scene[3][0] += 0.01f * factors[i];
        rig_solve(two.golden, two.import);
        for (int n = 4; n < 5; n++)
            memcpy(two.actual->nodes[n].node_to_scene, two.golden->nodes[n].node_to_scene, sizeof(mat4));
        two.findings.tolerance = &tolerance;
        compare_them();
        assert_int_equal(count_failing(&two.findings, STAGE_ANIMATE), i);
        assert_int_equal(count_failing(&two.findings, STAGE_PALETTE), i);
    }
}

/* Bones are hidden by a scale of nothing. */
POSE_TEST(hidden_bones_are_compared)
{
    static const float scales[] = {0, 1e-7f, 1e-20f};
    for (int i = 0; i < 3; i++) {
        begin_again();
        for (int side = 0; side < 2; side++) {
            for (int k = 0; k < 3; k++)
                two.both[side]->nodes[3].local.scale[k] = scales[i];
            rig_solve(two.both[side], two.import);
        }
        assert_int_equal(compare_them(), 0);
        for (int k = 0; k < 3; k++) /* it shows up again */
            two.actual->nodes[3].local.scale[k] = 1;
        solve_and_compare();
        assert_int_equal(findings_culprit(&two.findings), STAGE_ANIMATE);
        double distance = error_of(STAGE_ANIMATE, "hand.L")->distance;
        assert_in_range((int)(1000 * distance), 290, 310); /* its reach, and not a hundred million times that */
        assert_true(error_of(STAGE_PALETTE, "hand.L")->distance < 10);
    }
}

POSE_TEST(huge_numbers_stay_finite)
{
    for (int i = 0; i < 5; i++)
        for (int c = 0; c < 4; c++)
            for (int k = 0; k < 3; k++) {
                two.golden->nodes[i].node_to_scene[c][k] = 3e38f;
                two.actual->nodes[i].local.scale[k] = 3e38f;
                two.actual->nodes[i].local.translation[k] = -3e38f;
                two.actual->palette[i % 4].mesh_to_scene[c][k] = -3e38f;
                two.golden->palette[i % 4].mesh_to_scene[c][k] = c == k ? 1e-38f : 0;
            }
    compare_them();
    assert_true(two.findings.count > 0);
    for (size_t i = 0; i < two.errors.count; i++)
        assert_true(isfinite(two.errors.items[i].displacement) && isfinite(two.errors.items[i].distance));
}

/* Three hundred nodes, all but one of them off: the worst are named, the others counted. */
POSE_TEST(many_faults_are_not_all_named)
{
    enum { COUNT = 300 };
    for (int side = 0; side < 2; side++) {
        struct pose_node_snapshot *nodes = ARENA_NEW(two.arena, struct pose_node_snapshot, COUNT);
        for (int i = 0; i < COUNT; i++) {
            nodes[i] =
                (struct pose_node_snapshot){.name = arena_printf(two.arena, "n%d", i), .local = transform_identity};
            nodes[i].local.translation[0] = (float)i + (side ? 0.001f * (float)(i + 1) : 0);
            affine_from_transform(&nodes[i].local, nodes[i].node_to_scene);
        }
        *two.both[side] = (struct pose_snapshot){.model = "", .space = "scene", .nodes = nodes, .node_count = COUNT};
    }
    assert_int_equal(compare_them(), 17);
    assert_string_equal(two.findings.items[0].subject, "n299");
    assert_int_equal(two.errors.count, 2 * COUNT);
    const struct finding *rest = &two.findings.items[16];
    assert_true(rest->code == CODE_LOCAL && rest->count == 283 && fabs(rest->distance - 0.284) < 1e-3);
}
