/* Two poses compared: which bone a difference is attributed to, and the message. */
#include "compare/pose_findings.h"

/* Whichever node moves, it alone is the culprit. */
POSE_TEST(one_moved_node_is_one_culprit)
{
    static const char *const names[] = {"rig", "hips", "spine", "hand.L", "hand.R"};
    for (int i = 0; i < 5; i++) {
        for (int kind = 0; kind < 3; kind++) {
            begin_again();
            struct transform *local = &two.actual->nodes[i].local;
            if (kind == 0)
                quaternion(kind, 17, local->rotation);
            else
                (kind == 1 ? local->translation : local->scale)[kind] += 0.3f;
            solve_and_compare();
            assert_int_equal(count_failing(&two.findings, STAGE_ANIMATE), 1);
            assert_int_equal(two.findings.items[0].stage, STAGE_ANIMATE);
            assert_string_equal(two.findings.items[0].subject, names[i]);
            assert_int_equal(findings_culprit(&two.findings), STAGE_ANIMATE);
            assert_int_equal(count_failing(&two.findings, STAGE_PALETTE), 1); /* what follows, together */
            for (int n = 0; n < 5; n++)
                assert_true((error_of(STAGE_ANIMATE, names[n])->displacement > 1e-6) == (n == i));
        }
    }
}

POSE_TEST(moved_node_in_figures)
{
    quaternion(0, 23.2, two.actual->nodes[2].local.rotation);
    two.actual->nodes[2].local.translation[1] += 0.011f;
    assert_int_equal(solve_and_compare(), 2);
    const struct finding *local = &two.findings.items[0], *follows = &two.findings.items[1];
    assert_true(local->code == CODE_LOCAL && follows->code == CODE_ENTRY_FOLLOWS);
    assert_string_equal(local->axis, "x");
    assert_float_equal(local->degrees, 3.2, 1e-3);
    assert_float_equal(local->translation, 0.011, 1e-6);
    assert_float_equal(local->distance, 0.0521, 1e-4);
    assert_float_equal(local->time, 0.25, 0);
    assert_int_equal(follows->count, 3);
    assert_string_equal(follows->subject, "spine");
    assert_float_equal(follows->distance, 0.0328, 1e-4);
}

static void add_morphs(struct pose_snapshot *pose, const float *weights)
{
    pose->morph_count = 1;
    pose->morphs = ARENA_NEW(two.arena, struct morph_weights_snapshot, 1);
    pose->morphs[0] = (struct morph_weights_snapshot){"body", "rig", 3, weights};
}

POSE_TEST(morph_weights_in_figures)
{
    static const float golden[] = {0, 1, 0.5f}, actual[] = {0, 1, 0.25f};
    static struct target_snapshot targets[] = {
        {.name = "blink"}, {.name = "frown"}, {.name = "smile", .largest = 0.04f}};
    two.import->meshes[0].target_count = 3;
    two.import->meshes[0].targets = targets;
    add_morphs(two.golden, golden);
    add_morphs(two.actual, actual);
    assert_int_equal(compare_them(), 1);
    assert_int_equal(findings_culprit(&two.findings), STAGE_ANIMATE);
    const struct finding *smile = &two.findings.items[0];
    assert_true(smile->code == CODE_MORPH_WEIGHT && smile->index == 2 && smile->now == 0.25 && smile->was == 0.5);
    assert_string_equal(smile->part, "smile");
    assert_float_equal(smile->distance, 0.01, 1e-6);
    assert_true(fabs(two.errors.worst[STAGE_ANIMATE] - 0.01) < 1e-6);
}

/* A target that moves nothing may have any weight; a side without weights is not compared. */
POSE_TEST(morph_weights_that_do_not_count)
{
    static const float golden[] = {0, 1, 0.5f}, actual[] = {7, 1, 0.5f};
    static struct target_snapshot targets[] = {{.name = "blink"}, {.name = "frown"}, {.name = "smile"}};
    two.import->meshes[0].target_count = 3;
    two.import->meshes[0].targets = targets;
    add_morphs(two.golden, golden);
    assert_int_equal(compare_them(), 0);
    add_morphs(two.actual, actual);
    assert_int_equal(compare_them(), 0);
    two.actual->morphs[0].node = "hips";
    two.actual->morphs[0].count = 2;
    compare_them();
    assert_int_equal(count_failing(&two.findings, STAGE_ANIMATE), 2);
}

POSE_TEST(named_mistakes_of_rotations)
{
    quaternion(2, -75, two.actual->nodes[3].local.rotation);
    const float *q = two.golden->nodes[4].local.rotation;
    memcpy(two.actual->nodes[4].local.rotation, (float[]){q[3], q[0], q[1], q[2]}, sizeof(vec4));
    scale_vector(two.actual->nodes[1].local.translation, 100);
    solve_and_compare();
    assert_true(two.findings.items[0].why == WHY_LONGER && fabs(two.findings.items[0].now - 100) < 1e-3);
    bool inverted = false, w_first = false;
    for (size_t i = 0; i < two.findings.count; i++) {
        inverted = inverted || two.findings.items[i].why == WHY_ROTATION_INVERTED;
        w_first = w_first || two.findings.items[i].why == WHY_W_FIRST;
    }
    assert_true(inverted && w_first);
}

/* A palette entry that is wrong by itself. */
POSE_TEST(wrong_entry_in_figures)
{
    two.import->unit_meters = 0;
    two.actual->palette[2].mesh_to_scene[3][0] += 0.01f;
    compare_them();
    const struct finding *hand = require_only(&two.findings, CODE_ENTRY, "hand.L");
    assert_true(hand->stage == STAGE_PALETTE && fabs(hand->distance - 0.01) < 1e-6 && hand->why == WHY_NONE);
    assert_string_equal(two.findings.items[0].mesh, "body");
    begin_again();
    mat4 turn, about;
    place(turn, 0, 0, 0, 1, 12);
    memcpy(about, two.golden->nodes[3].node_to_scene, sizeof about);
    affine_mul(about, turn, turn);
    affine_mul(turn, two.import->meshes[0].bones[2].mesh_to_bone, two.actual->palette[2].mesh_to_scene);
    compare_them();
    hand = require_only(&two.findings, CODE_ENTRY, "hand.L");
    assert_float_equal(hand->degrees, 12, 1e-3);
    assert_float_equal(hand->distance, 0.0627, 1e-4);
}

POSE_TEST(named_mistakes_of_matrices)
{
    mat4 *m = &two.actual->palette[2].mesh_to_scene;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            (*m)[i][k] = two.golden->palette[2].mesh_to_scene[k][i];
    compare_them();
    assert_int_equal(require_only(&two.findings, CODE_ENTRY, "hand.L")->why, WHY_TRANSPOSED);
    begin_again();
    memcpy(two.actual->palette[2].mesh_to_scene, two.golden->palette[3].mesh_to_scene, sizeof(mat4));
    compare_them();
    assert_int_equal(require_only(&two.findings, CODE_ENTRY, "hand.L")->why, WHY_OTHER_BONE);
    assert_string_equal(two.findings.items[0].other, "hand.R");
}

/* The palette stage multiplied wrongly at the spine: it is named, what hangs on it only follows. */
POSE_TEST(wrong_global_is_named_where_it_begins)
{
    mat4 turn;
    place(turn, 0, 0, 0, 0, 12);
    for (int i = 2; i < 5; i++) {
        if (i == 2) {
            affine_mul(two.golden->nodes[2].node_to_scene, turn, two.actual->nodes[2].node_to_scene);
        } else {
            affine_from_transform(&two.actual->nodes[i].local, two.actual->nodes[i].node_to_scene);
            affine_mul(two.actual->nodes[2].node_to_scene, two.actual->nodes[i].node_to_scene,
                       two.actual->nodes[i].node_to_scene);
        }
        affine_mul(two.actual->nodes[i].node_to_scene, two.import->meshes[0].bones[i - 1].mesh_to_bone,
                   two.actual->palette[i - 1].mesh_to_scene);
    }
    assert_int_equal(compare_them(), 2);
    assert_true(fabs(require_code(&two.findings, CODE_GLOBAL_BROKEN, "spine")->distance - 0.156) < 1e-3);
    const struct finding *follows = require_code(&two.findings, CODE_ENTRY_FOLLOWS, "hand.L");
    assert_true(follows->benign && follows->count == 3 && fabs(follows->distance - 0.102) < 1e-3);
    assert_string_equal(two.findings.items[0].subject, "spine");
}

/* A root that is a hundred times larger makes floats as much coarser: what they round is no fault of the palette. */
POSE_TEST(rounding_is_judged_at_its_scale)
{
    scale_vector(two.actual->nodes[0].local.scale, 100);
    rig_solve(two.actual, two.import);
    for (int i = 1; i < 5; i++)
        for (int k = 0; k < 3; k++) {
            float *number = &two.actual->nodes[i].node_to_scene[3][k];
            *number = nextafterf(nextafterf(*number, INFINITY), INFINITY);
        }
    compare_them();
    for (size_t i = 0; i < two.findings.count; i++)
        assert_int_not_equal(two.findings.items[i].code, CODE_GLOBAL_BROKEN);
    assert_int_equal(findings_culprit(&two.findings), STAGE_ANIMATE);
}

/* A node that no mesh binds shows the fault in its global alone. */
POSE_TEST(globals_without_entry_are_compared)
{
    two.golden->palette_count = two.actual->palette_count = 3;
    two.actual->nodes[4].node_to_scene[3][1] += 0.02f;
    compare_them();
    assert_int_equal(findings_culprit(&two.findings), STAGE_PALETTE);
    assert_int_equal(two.findings.count, 1);
    assert_string_equal(two.findings.items[0].subject, "hand.R");
    assert_float_equal(error_of(STAGE_PALETTE, "hand.R")->distance, 0.02, 1e-6);
    assert_float_equal(two.errors.worst[STAGE_PALETTE], 0.02, 1e-6);
}

/* Below the limit one by one, beyond it together: still the animation's. */
POSE_TEST(small_changes_that_add_up_are_the_animations)
{
    for (int i = 1; i < 5; i++)
        two.actual->nodes[i].local.translation[1] += 0.8e-5f;
    solve_and_compare();
    assert_int_equal(findings_culprit(&two.findings), STAGE_ANIMATE);
    assert_non_null(require_only(&two.findings, CODE_LOCAL_SUM, NULL)->other);
}

/* In root space the palette is the globals' times the inverse of where the root rests; a moved node still has its followers. */
POSE_TEST(root_space_is_compared)
{
    mat4 inverse;
    quaternion(2, 76, two.actual->nodes[3].local.rotation);
    place(two.import->nodes[0].local_to_parent, 0, 0, 3, 1, 90);
    for (int side = 0; side < 2; side++) {
        two.both[side]->space = "root";
        quaternion(1, 90, two.both[side]->nodes[0].local.rotation);
        two.both[side]->nodes[0].local.translation[2] = 3;
        rig_solve(two.both[side], two.import);
        affine_inverse(two.both[side]->nodes[0].node_to_scene, inverse);
        for (int i = 0; i < 4; i++)
            affine_mul(inverse, two.both[side]->palette[i].mesh_to_scene, two.both[side]->palette[i].mesh_to_scene);
    }
    assert_int_equal(compare_them(), 2);
    assert_int_equal(findings_culprit(&two.findings), STAGE_ANIMATE);
    assert_float_equal(error_of(STAGE_PALETTE, "hand.L")->distance, 2 * 0.3 * sin(0.5 * degree), 1e-6);
}

POSE_TEST(other_moments_are_said)
{
    two.actual->clip = "idle";
    two.actual->time = 0.5;
    two.actual->space = "root";
    assert_int_equal(compare_them(), 3);
    assert_string_equal(require_code(&two.findings, CODE_POSE_CLIP, "walk")->other, "idle");
    assert_true(require_code(&two.findings, CODE_POSE_TIME, "walk")->now == 0.5);
    const struct finding *space = require_code(&two.findings, CODE_PALETTE_SPACE, NULL);
    assert_string_equal(space->part, "scene");
    assert_string_equal(space->other, "root");
    assert_int_equal(space->stage, STAGE_PALETTE);
    assert_int_equal(two.findings.items[0].stage, STAGE_ANIMATE);
    assert_int_equal(two.errors.count, 6);
    begin_again();
    two.actual->clip = NULL;
    compare_them();
    assert_null(require_only(&two.findings, CODE_POSE_CLIP, "walk")->other);
}

POSE_TEST(missing_nodes_and_entries_are_said)
{
    two.actual->node_count = 4;
    two.actual->palette_count = 3;
    compare_them();
    const struct finding *node = require_code(&two.findings, CODE_POSE_NODE, "hand.R");
    const struct finding *entry = require_code(&two.findings, CODE_POSE_ENTRY, "hand.R");
    assert_true(isnan(node->displacement) && node->stage == STAGE_ANIMATE);
    assert_string_equal(node->part, "missing");
    assert_string_equal(entry->mesh, "body");
    assert_int_equal(two.findings.count, 2);
    begin_again();
    two.golden->node_count = 4;
    two.golden->palette_count = 3;
    compare_them();
    assert_string_equal(require_code(&two.findings, CODE_POSE_NODE, "hand.R")->part, "new");
    assert_string_equal(require_code(&two.findings, CODE_POSE_ENTRY, "hand.R")->part, "new");
}

/* More than eight that are missing are one finding, which names the first. */
POSE_TEST(many_missing_nodes_are_one_finding)
{
    static char names[12][8];
    struct pose_node_snapshot *nodes = ARENA_NEW(two.arena, struct pose_node_snapshot, two.golden->node_count + 12);
    memcpy(nodes, two.golden->nodes, two.golden->node_count * sizeof *nodes);
    for (int i = 0; i < 12; i++) {
        snprintf(names[i], sizeof names[i], "x%d", i);
        nodes[two.golden->node_count + i] = (struct pose_node_snapshot){.name = names[i], .parent = "rig"};
        memcpy(nodes[two.golden->node_count + i].node_to_scene, nodes[0].node_to_scene, sizeof(mat4));
        nodes[two.golden->node_count + i].local = nodes[0].local;
    }
    two.golden->nodes = nodes;
    two.golden->node_count += 12;
    compare_them();
    const struct finding *all = require_only(&two.findings, CODE_POSE_NODE, "x0");
    assert_true(all->count == 12 && all->also_count == 2);
    assert_string_equal(all->also[1], "x2");
}

/* The rig's palette twice, as entries of body-0 and body-1. */
static void split_mesh(struct pose_snapshot *pose, struct arena *arena)
{
    struct palette_snapshot *entries = ARENA_NEW(arena, struct palette_snapshot, 8);
    for (int i = 0; i < 8; i++) {
        entries[i] = pose->palette[i % 4];
        entries[i].mesh = i < 4 ? "body-0" : "body-1";
    }
    pose->palette = entries;
    pose->palette_count = 8;
}

/* An importer makes a mesh of each material; an engine need not. Whichever side has the parts, all of them are compared. */
POSE_TEST(parts_of_a_mesh_are_held_against_the_whole)
{
    for (int split = 0; split < 2; split++) {
        begin_again();
        split_mesh(split == 0 ? two.golden : two.actual, two.arena);
        compare_them();
        assert_int_equal(count_failing(&two.findings, STAGE_PALETTE), 0);
        for (size_t i = 0, n = 0; i < two.findings.count; i++) {
            const struct finding *taken = &two.findings.items[i];
            assert_true(taken->code == CODE_MESH_TAKEN && taken->benign && n < 2);
            assert_string_equal(taken->mesh, n++ == 0 ? "body-0" : "body-1");
            assert_string_equal(taken->part, "body");
        }
        assert_int_equal(two.findings.count, 2);
        struct pose_snapshot *parts = split == 0 ? two.golden : two.actual;
        parts->palette[6].mesh_to_scene[3][0] += 0.5f;
        two.findings.count = 0;
        compare_them();
        assert_int_equal(count_failing(&two.findings, STAGE_PALETTE), 1);
        assert_string_equal(two.findings.items[0].subject, parts->palette[6].bone);
    }
    begin_again();
    split_mesh(two.actual, two.arena);
    for (int i = 0; i < 8; i++)
        two.actual->palette[i].mesh = i < 4 ? "body-x" : "bodyguard-0";
    compare_them();
    assert_string_equal(require_code(&two.findings, CODE_POSE_ENTRY, "hips")->part, "missing");
}

/* An engine that dumps no more than nodes. */
POSE_TEST(poses_without_palette_are_compared_by_their_nodes)
{
    two.golden->palette_count = 0;
    two.golden->skin_count = 0;
    assert_int_equal(compare_them(), 0);
    begin_again();
    two.golden->palette_count = two.actual->palette_count = 0;
    quaternion(1, 41, two.actual->nodes[1].local.rotation);
    rig_solve(two.actual, two.import);
    two.actual->palette_count = 0;
    assert_int_equal(compare_them(), 1);
    assert_string_equal(two.findings.items[0].subject, "hips");
}

POSE_TEST(duplicate_names_match_in_their_order)
{
    for (int side = 0; side < 2; side++) {
        two.both[side]->nodes[4].name = "hand.L";
        two.both[side]->palette[3].bone = "hand.L";
    }
    two.actual->palette[3].mesh_to_scene[3][2] += 0.1f;
    assert_int_equal(compare_them(), 1);
    assert_float_equal(two.errors.items[7].displacement, 0, 0);
    assert_float_equal(two.errors.items[8].distance, 0.1, 1e-6);
}
