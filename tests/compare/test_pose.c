/* Two poses compared: closed forms, and at whose door a difference is laid. */
#include "cmocka_setup.h"

#include "compare/compare.h"
#include "compare/demand_findings.h"
#include "compare/evidence_builder.h"

static void compare_them(struct two_poses *two)
{
    compare_pose(two->golden, two->actual, two->import, &tolerance_defaults, &two->findings, &two->errors);
    findings_sort(&two->findings);
}

static void solve_and_compare(struct two_poses *two)
{
    rig_solve(two->actual, two->import);
    compare_them(two);
}

static const struct bone_error *error_of(const struct two_poses *two, enum stage stage, const char *bone)
{
    for (size_t i = 0; i < two->errors.count; i++)
        if (two->errors.items[i].stage == stage && strcmp(two->errors.items[i].bone, bone) == 0)
            return &two->errors.items[i];
    fail_msg("no item of %s", bone);
    return NULL;
}

/* How many findings of a stage fail. */
static size_t count_failing(const struct findings *findings, enum stage stage)
{
    size_t count = 0;
    for (size_t i = 0; i < findings->count; i++)
        count += findings->items[i].stage == stage && !findings->items[i].benign;
    return count;
}

/* ---- nothing ------------------------------------------------------------------------------------------------------ */

static void equal_poses_have_no_findings(void **state)
{
    (void)state;
    for (int with_import = 0; with_import < 2; with_import++) {
        struct two_poses two = two_rig_poses();
        if (!with_import)
            two.import = NULL;
        compare_them(&two);
        assert_int_equal(two.findings.count, 0);
        assert_float_equal(two.errors.worst[STAGE_ANIMATE], 0, 0);
        assert_float_equal(two.errors.worst[STAGE_PALETTE], 0, 0);
        arena_destroy(two.arena);
    }
}

/* Nodes, palette entries, nodes without entry: in the golden's order, whatever differs. */
static void items_are_those_that_both_have(void **state)
{
    (void)state;
    static const char *const bones[] = {"rig",  "hips",  "spine",  "hand.L", "hand.R",
                                        "hips", "spine", "hand.L", "hand.R", "rig"};
    struct two_poses two = two_rig_poses();
    quaternion(0, 99, two.actual->nodes[2].local.rotation);
    solve_and_compare(&two);
    assert_int_equal(two.errors.count, 10);
    for (size_t i = 0; i < 10; i++) {
        assert_string_equal(two.errors.items[i].bone, bones[i]);
        assert_int_equal(two.errors.items[i].stage, i < 5 ? STAGE_ANIMATE : STAGE_PALETTE);
        assert_int_equal(two.errors.items[i].mesh != NULL, i >= 5 && i < 9);
    }
    arena_destroy(two.arena);
}

static void empty_poses_are_equal(void **state)
{
    (void)state;
    struct two_poses two = two_rig_poses();
    *two.golden = *two.actual = (struct pose_evidence){.model = "", .space = "scene"};
    compare_them(&two);
    assert_int_equal(two.findings.count, 0);
    assert_int_equal(two.errors.count, 0);
    arena_destroy(two.arena);
}

/* ---- closed forms ------------------------------------------------------------------------------------------------- */

/* A turn of t moves what is at right angles to its axis at distance r by 2 r sin(t / 2). The hand's reach is 0.3. */
static void turned_bone_in_closed_form(void **state)
{
    (void)state;
    static const double angles[] = {0.01, 1, 12, 90, 179};
    for (size_t i = 0; i < sizeof angles / sizeof angles[0]; i++) {
        struct two_poses two = two_rig_poses();
        quaternion(2, 75 + angles[i], two.actual->nodes[3].local.rotation);
        solve_and_compare(&two);
        double expected = 2 * 0.3 * sin(0.5 * angles[i] * degree);
        const struct bone_error *local = error_of(&two, STAGE_ANIMATE, "hand.L");
        const struct bone_error *entry = error_of(&two, STAGE_PALETTE, "hand.L");
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
        arena_destroy(two.arena);
    }
}

static void moved_bone_in_closed_form(void **state)
{
    (void)state;
    struct two_poses two = two_rig_poses();
    two.actual->nodes[3].local.translation[0] += 0.03f;
    two.actual->nodes[3].local.translation[2] += 0.04f;
    solve_and_compare(&two);
    const struct bone_error *local = error_of(&two, STAGE_ANIMATE, "hand.L");
    assert_float_equal(local->distance, 0.05, 1e-6);
    assert_float_equal(local->translation, 0.05, 1e-6);
    assert_float_equal(local->degrees, 0, 1e-4);
    assert_float_equal(error_of(&two, STAGE_PALETTE, "hand.L")->distance, 0.05, 1e-6);
    assert_float_equal(error_of(&two, STAGE_PALETTE, "hand.L")->translation, 0.05, 1e-6);
    arena_destroy(two.arena);
}

static void scaled_bone_in_closed_form(void **state)
{
    (void)state;
    struct two_poses two = two_rig_poses();
    two.actual->nodes[3].local.scale[1] = 1.02f;
    solve_and_compare(&two);
    const struct bone_error *local = error_of(&two, STAGE_ANIMATE, "hand.L");
    assert_float_equal(local->distance, 0.02 * 0.3, 1e-6);
    assert_float_equal(local->scale_percent, 2, 1e-4);
    assert_float_equal(error_of(&two, STAGE_PALETTE, "hand.L")->distance, 0.02 * 0.3, 1e-6);
    arena_destroy(two.arena);
}

/* What hangs on the spine reaches as far as the hands' vertices: from its origin 0.447 to the hand's, then 0.3. */
static void reach_goes_down_the_tree(void **state)
{
    (void)state;
    struct two_poses two = two_rig_poses();
    quaternion(0, 21, two.actual->nodes[2].local.rotation);
    solve_and_compare(&two);
    double expected = 2 * (sqrt(0.4 * 0.4 + 0.2 * 0.2) + 0.3) * sin(0.5 * degree);
    assert_float_equal(error_of(&two, STAGE_ANIMATE, "spine")->distance, expected, 1e-6);
    assert_float_equal(error_of(&two, STAGE_PALETTE, "spine")->distance, 2 * 0.4 * sin(0.5 * degree), 1e-6);
    arena_destroy(two.arena);
}

/* Without an import, half the diagonal of the skinned mesh; a bone that holds nothing, 3 % of the radius. */
static void reach_has_stand_ins(void **state)
{
    (void)state;
    struct two_poses two = two_rig_poses();
    quaternion(2, 76, two.actual->nodes[3].local.rotation);
    rig_solve(two.actual, two.import);
    two.import = NULL;
    compare_them(&two);
    assert_float_equal(error_of(&two, STAGE_PALETTE, "hand.L")->distance, 2 * 1.0 * sin(0.5 * degree), 2e-6);
    arena_destroy(two.arena);
    two = two_rig_poses();
    two.import->meshes[0].bones[2].reach = 0;
    quaternion(2, 76, two.actual->nodes[3].local.rotation);
    solve_and_compare(&two);
    assert_float_equal(error_of(&two, STAGE_PALETTE, "hand.L")->distance, 2 * 0.03 * sin(0.5 * degree), 1e-6);
    arena_destroy(two.arena);
}

/* A rig in centimetres under a root that scales by a hundredth: the same displacements. */
static void scaled_roots_change_nothing(void **state)
{
    (void)state;
    struct two_poses two = two_rig_poses();
    struct pose_evidence *both[] = {two.golden, two.actual};
    for (int side = 0; side < 2; side++) {
        for (int k = 0; k < 3; k++) {
            both[side]->nodes[0].local.scale[k] = 0.01f;
            for (int i = 1; i < 5; i++)
                both[side]->nodes[i].local.translation[k] *= 100;
        }
    }
    for (int i = 0; i < 4; i++) {
        two.import->meshes[0].bones[i].reach *= 100;
        for (int c = 0; c < 4; c++)
            for (int k = 0; k < 3; k++)
                two.import->meshes[0].bones[i].mesh_to_bone[c][k] *= 100;
    }
    quaternion(2, 76, two.actual->nodes[3].local.rotation);
    rig_solve(two.golden, two.import);
    solve_and_compare(&two);
    assert_float_equal(error_of(&two, STAGE_ANIMATE, "hand.L")->displacement, 2 * 0.3 * sin(0.5 * degree), 1e-6);
    assert_float_equal(error_of(&two, STAGE_PALETTE, "hand.L")->displacement, 2 * 0.3 * sin(0.5 * degree), 1e-6);
    arena_destroy(two.arena);
}

static void both_signs_of_a_quaternion_are_one_rotation(void **state)
{
    (void)state;
    struct two_poses two = two_rig_poses();
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < 4; k++)
            two.actual->nodes[i].local.rotation[k] *= -1;
    solve_and_compare(&two);
    assert_int_equal(two.findings.count, 0);
    assert_true(two.errors.worst[STAGE_ANIMATE] < 1e-6);
    arena_destroy(two.arena);
}

/* ---- limits ------------------------------------------------------------------------------------------------------- */

static void limits_are_kept(void **state)
{
    (void)state;
    static const float factors[] = {0.95f, 1.05f};
    for (int i = 0; i < 2; i++) {
        struct two_poses two = two_rig_poses();
        struct tolerance tolerance = tolerance_defaults;
        tolerance.shell = 0.01;
        two.actual->nodes[4].local.translation[0] += 0.01f * factors[i];
        two.actual->palette[1].mesh_to_scene[3][0] += 0.01f * factors[i];
        rig_solve(two.golden, two.import);
        for (int n = 4; n < 5; n++)
            memcpy(two.actual->nodes[n].node_to_scene, two.golden->nodes[n].node_to_scene, sizeof(mat4));
        compare_pose(two.golden, two.actual, two.import, &tolerance, &two.findings, &two.errors);
        assert_int_equal(count_failing(&two.findings, STAGE_ANIMATE), i);
        assert_int_equal(count_failing(&two.findings, STAGE_PALETTE), i);
        arena_destroy(two.arena);
    }
}

static void float_noise_passes(void **state)
{
    (void)state;
    struct two_poses two = two_rig_poses();
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < 4; c++)
            for (int k = 0; k < 3; k++)
                two.actual->palette[i].mesh_to_scene[c][k] += (c + k + i) % 2 ? 1.5e-6f : -1.5e-6f;
    compare_them(&two);
    assert_int_equal(two.findings.count, 0);
    arena_destroy(two.arena);
}

/* ---- whose fault -------------------------------------------------------------------------------------------------- */

/* Whichever node moves, it alone is the culprit. */
static void one_moved_node_is_one_culprit(void **state)
{
    (void)state;
    static const char *const names[] = {"rig", "hips", "spine", "hand.L", "hand.R"};
    for (int i = 0; i < 5; i++) {
        for (int kind = 0; kind < 3; kind++) {
            struct two_poses two = two_rig_poses();
            struct transform *local = &two.actual->nodes[i].local;
            if (kind == 0)
                quaternion(kind, 17, local->rotation);
            else
                (kind == 1 ? local->translation : local->scale)[kind] += 0.3f;
            solve_and_compare(&two);
            assert_int_equal(count_failing(&two.findings, STAGE_ANIMATE), 1);
            assert_int_equal(two.findings.items[0].stage, STAGE_ANIMATE);
            assert_string_equal(two.findings.items[0].subject, names[i]);
            assert_int_equal(findings_culprit(&two.findings), STAGE_ANIMATE);
            assert_int_equal(count_failing(&two.findings, STAGE_PALETTE), 1); /* what follows, together */
            for (int n = 0; n < 5; n++)
                assert_true((error_of(&two, STAGE_ANIMATE, names[n])->displacement > 1e-6) == (n == i));
            arena_destroy(two.arena);
        }
    }
}

static void moved_node_in_words(void **state)
{
    (void)state;
    struct two_poses two = two_rig_poses();
    quaternion(0, 23.2, two.actual->nodes[2].local.rotation);
    two.actual->nodes[2].local.translation[1] += 0.011f;
    solve_and_compare(&two);
    assert_int_equal(two.findings.count, 2);
    assert_string_equal(
        two.findings.items[0].text,
        "local transform of `spine` is off by 3.2° about x and 1.1 cm at 0.250 s, which moves what hangs on it "
        "by 5.21 cm (5.2 % of the model's radius)");
    assert_string_equal(two.findings.items[1].text,
                        "3 bones follow: bone `spine` (mesh `body`) is off most, by 3.28 cm (3.3 % "
                        "of the model's radius) at 0.250 s");
    assert_float_equal(two.findings.items[0].time, 0.25, 0);
    arena_destroy(two.arena);
}

static void named_mistakes_of_rotations(void **state)
{
    (void)state;
    struct two_poses two = two_rig_poses();
    quaternion(2, -75, two.actual->nodes[3].local.rotation);
    const float *q = two.golden->nodes[4].local.rotation;
    memcpy(two.actual->nodes[4].local.rotation, (float[]){q[3], q[0], q[1], q[2]}, sizeof(vec4));
    for (int k = 0; k < 3; k++)
        two.actual->nodes[1].local.translation[k] *= 100;
    solve_and_compare(&two);
    assert_non_null(strstr(two.findings.items[0].text, "; its translation is 100 times longer"));
    bool inverted = false, w_first = false;
    for (size_t i = 0; i < two.findings.count; i++) {
        inverted = inverted || strstr(two.findings.items[i].text, "; its rotation is inverted");
        w_first = w_first || strstr(two.findings.items[i].text, "; its quaternion has w first");
    }
    assert_true(inverted && w_first);
    arena_destroy(two.arena);
}

/* A palette entry that is wrong by itself. */
static void wrong_entry_in_words(void **state)
{
    (void)state;
    struct two_poses two = two_rig_poses();
    two.import->unit_meters = 0;
    two.actual->palette[2].mesh_to_scene[3][0] += 0.01f;
    compare_them(&two);
    demand_findings(
        &two.findings, STAGE_PALETTE, 1,
        (const char *[]){"bone `hand.L` (mesh `body`) is off by 0.0100 units (1 % of the model's radius) at 0.250 s"});
    assert_string_equal(two.findings.items[0].mesh, "body");
    arena_destroy(two.arena);
    two = two_rig_poses();
    mat4 turn, about;
    place(turn, 0, 0, 0, 1, 12);
    memcpy(about, two.golden->nodes[3].node_to_scene, sizeof about);
    affine_mul(about, turn, turn);
    affine_mul(turn, two.import->meshes[0].bones[2].mesh_to_bone, two.actual->palette[2].mesh_to_scene);
    compare_them(&two);
    assert_int_equal(two.findings.count, 1);
    assert_string_equal(
        two.findings.items[0].text,
        "bone `hand.L` (mesh `body`) is off by 6.27 cm (6.3 % of the model's radius) at 0.250 s: 12.0°");
    arena_destroy(two.arena);
}

static void named_mistakes_of_matrices(void **state)
{
    (void)state;
    struct two_poses two = two_rig_poses();
    mat4 *m = &two.actual->palette[2].mesh_to_scene;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            (*m)[i][k] = two.golden->palette[2].mesh_to_scene[k][i];
    compare_them(&two);
    assert_int_equal(two.findings.count, 1);
    assert_non_null(strstr(two.findings.items[0].text, "; its matrix is transposed"));
    arena_destroy(two.arena);
    two = two_rig_poses();
    memcpy(two.actual->palette[2].mesh_to_scene, two.golden->palette[3].mesh_to_scene, sizeof(mat4));
    compare_them(&two);
    assert_int_equal(two.findings.count, 1);
    assert_non_null(strstr(two.findings.items[0].text, "; it has the matrix of `hand.R`"));
    arena_destroy(two.arena);
}

/* The palette stage multiplied wrongly at the spine: it is named, what hangs on it only follows. */
static void wrong_global_is_named_where_it_begins(void **state)
{
    (void)state;
    struct two_poses two = two_rig_poses();
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
    compare_them(&two);
    demand_findings(
        &two.findings, STAGE_PALETTE, 2,
        (const char *[]){"global matrix of node `spine` is not its parent's times its local transform: it is off by "
                         "15.6 cm (16 % of the model's radius) at 0.250 s",
                         "~3 bones follow: bone `hand.L` (mesh `body`) is off most, by 10.2 cm (10 % of the model's "
                         "radius) at 0.250 s"});
    assert_string_equal(two.findings.items[0].subject, "spine");
    arena_destroy(two.arena);
}

/* A node that no mesh binds shows the fault in its global alone. */
static void globals_without_entry_are_compared(void **state)
{
    (void)state;
    struct two_poses two = two_rig_poses();
    two.golden->palette_count = two.actual->palette_count = 3;
    two.actual->nodes[4].node_to_scene[3][1] += 0.02f;
    compare_them(&two);
    assert_int_equal(findings_culprit(&two.findings), STAGE_PALETTE);
    assert_int_equal(two.findings.count, 1);
    assert_string_equal(two.findings.items[0].subject, "hand.R");
    assert_float_equal(error_of(&two, STAGE_PALETTE, "hand.R")->distance, 0.02, 1e-6);
    assert_float_equal(two.errors.worst[STAGE_PALETTE], 0.02, 1e-6);
    arena_destroy(two.arena);
}

/* Below the limit one by one, beyond it together: still the animation's. */
static void small_changes_that_add_up_are_the_animations(void **state)
{
    (void)state;
    struct two_poses two = two_rig_poses();
    for (int i = 1; i < 5; i++)
        two.actual->nodes[i].local.translation[1] += 0.8e-5f;
    solve_and_compare(&two);
    assert_int_equal(findings_culprit(&two.findings), STAGE_ANIMATE);
    assert_int_equal(two.findings.count, 1);
    assert_non_null(strstr(two.findings.items[0].text, "each within the limit, add up"));
    arena_destroy(two.arena);
}

/* In root space the palette is the globals' times a constant; a moved node still has its followers. */
static void root_space_is_compared(void **state)
{
    (void)state;
    struct two_poses two = two_rig_poses();
    struct pose_evidence *both[] = {two.golden, two.actual};
    mat4 inverse;
    quaternion(2, 76, two.actual->nodes[3].local.rotation);
    for (int side = 0; side < 2; side++) {
        both[side]->space = "root";
        quaternion(1, 90, both[side]->nodes[0].local.rotation);
        both[side]->nodes[0].local.translation[2] = 3;
        rig_solve(both[side], two.import);
        affine_inverse(both[side]->nodes[0].node_to_scene, inverse);
        for (int i = 0; i < 4; i++)
            affine_mul(inverse, both[side]->palette[i].mesh_to_scene, both[side]->palette[i].mesh_to_scene);
    }
    compare_them(&two);
    assert_int_equal(two.findings.count, 2);
    assert_int_equal(findings_culprit(&two.findings), STAGE_ANIMATE);
    assert_float_equal(error_of(&two, STAGE_PALETTE, "hand.L")->distance, 2 * 0.3 * sin(0.5 * degree), 1e-6);
    arena_destroy(two.arena);
}

/* ---- what does not match -------------------------------------------------------------------------------------------- */

static void other_moments_are_said(void **state)
{
    (void)state;
    struct two_poses two = two_rig_poses();
    two.actual->clip = "idle";
    two.actual->time = 0.5;
    two.actual->space = "root";
    compare_them(&two);
    demand_text(&two.findings, "the pose is of clip `idle`, was of clip `walk`");
    demand_text(&two.findings, "the pose is of 0.500 s, was of 0.250 s");
    const struct finding *space =
        demand_text(&two.findings, "the palette is in root space, was in scene space: they are not compared");
    assert_int_equal(space->stage, STAGE_PALETTE);
    assert_int_equal(two.findings.count, 3);
    assert_int_equal(two.errors.count, 6);
    arena_destroy(two.arena);
    two = two_rig_poses();
    two.actual->clip = NULL;
    compare_them(&two);
    demand_findings(&two.findings, STAGE_ANIMATE, 1, (const char *[]){"the pose is the bind pose, was of clip `walk`"});
    arena_destroy(two.arena);
}

static void missing_nodes_and_entries_are_said(void **state)
{
    (void)state;
    struct two_poses two = two_rig_poses();
    two.actual->node_count = 4;
    two.actual->palette_count = 3;
    compare_them(&two);
    const struct finding *node = demand_text(&two.findings, "node `hand.R` is missing at 0.250 s");
    assert_true(isnan(node->displacement));
    assert_int_equal(node->stage, STAGE_ANIMATE);
    demand_text(&two.findings, "the palette entry of `hand.R` (mesh `body`) is missing at 0.250 s");
    assert_int_equal(two.findings.count, 2);
    arena_destroy(two.arena);
    two = two_rig_poses();
    two.golden->node_count = 4;
    two.golden->palette_count = 3;
    compare_them(&two);
    demand_text(&two.findings, "node `hand.R` is new at 0.250 s");
    demand_text(&two.findings, "the palette entry of `hand.R` (mesh `body`) is new at 0.250 s");
    arena_destroy(two.arena);
}

/* An engine that dumps no more than nodes. */
static void poses_without_palette_are_compared_by_their_nodes(void **state)
{
    (void)state;
    struct two_poses two = two_rig_poses();
    two.golden->palette_count = 0;
    two.golden->skin_count = 0;
    compare_them(&two);
    demand_findings(&two.findings, STAGE_PALETTE, 1,
                    (const char *[]){"~only the actual pose has a palette: none is compared"});
    arena_destroy(two.arena);
    two = two_rig_poses();
    two.golden->palette_count = two.actual->palette_count = 0;
    quaternion(1, 41, two.actual->nodes[1].local.rotation);
    rig_solve(two.actual, two.import);
    two.actual->palette_count = 0;
    compare_them(&two);
    assert_int_equal(two.findings.count, 1);
    assert_string_equal(two.findings.items[0].subject, "hips");
    arena_destroy(two.arena);
}

static void namesakes_match_in_their_order(void **state)
{
    (void)state;
    struct two_poses two = two_rig_poses();
    struct pose_evidence *both[] = {two.golden, two.actual};
    for (int side = 0; side < 2; side++) {
        both[side]->nodes[4].name = "hand.L";
        both[side]->palette[3].bone = "hand.L";
    }
    two.actual->palette[3].mesh_to_scene[3][2] += 0.1f;
    compare_them(&two);
    assert_int_equal(two.findings.count, 1);
    assert_float_equal(two.errors.items[7].displacement, 0, 0);
    assert_float_equal(two.errors.items[8].distance, 0.1, 1e-6);
    arena_destroy(two.arena);
}

/* ---- ends of the range ---------------------------------------------------------------------------------------------- */

/* Bones are hidden by a scale of nothing. */
static void hidden_bones_are_compared(void **state)
{
    (void)state;
    static const float scales[] = {0, 1e-7f, 1e-20f};
    for (int i = 0; i < 3; i++) {
        struct two_poses two = two_rig_poses();
        struct pose_evidence *both[] = {two.golden, two.actual};
        for (int side = 0; side < 2; side++) {
            for (int k = 0; k < 3; k++)
                both[side]->nodes[3].local.scale[k] = scales[i];
            rig_solve(both[side], two.import);
        }
        compare_them(&two);
        assert_int_equal(two.findings.count, 0);
        for (int k = 0; k < 3; k++) /* it shows up again */
            two.actual->nodes[3].local.scale[k] = 1;
        solve_and_compare(&two);
        assert_int_equal(findings_culprit(&two.findings), STAGE_ANIMATE);
        double distance = error_of(&two, STAGE_ANIMATE, "hand.L")->distance;
        assert_in_range((int)(1000 * distance), 290, 310); /* its reach, and not a hundred million times that */
        assert_true(error_of(&two, STAGE_PALETTE, "hand.L")->distance < 10);
        arena_destroy(two.arena);
    }
}

static void huge_numbers_stay_finite(void **state)
{
    (void)state;
    struct two_poses two = two_rig_poses();
    for (int i = 0; i < 5; i++)
        for (int c = 0; c < 4; c++)
            for (int k = 0; k < 3; k++) {
                two.golden->nodes[i].node_to_scene[c][k] = 3e38f;
                two.actual->nodes[i].local.scale[k] = 3e38f;
                two.actual->nodes[i].local.translation[k] = -3e38f;
                two.actual->palette[i % 4].mesh_to_scene[c][k] = -3e38f;
                two.golden->palette[i % 4].mesh_to_scene[c][k] = c == k ? 1e-38f : 0;
            }
    compare_them(&two);
    assert_true(two.findings.count > 0);
    for (size_t i = 0; i < two.errors.count; i++)
        assert_true(isfinite(two.errors.items[i].displacement) && isfinite(two.errors.items[i].distance));
    arena_destroy(two.arena);
}

/* Three hundred nodes, all but one of them off: the worst are named, the others counted. */
static void many_faults_are_not_all_named(void **state)
{
    (void)state;
    enum { COUNT = 300 };
    struct two_poses two = two_rig_poses();
    struct pose_evidence *both[] = {two.golden, two.actual};
    for (int side = 0; side < 2; side++) {
        struct pose_node_evidence *nodes = ARENA_NEW(two.arena, struct pose_node_evidence, COUNT);
        for (int i = 0; i < COUNT; i++) {
            nodes[i] =
                (struct pose_node_evidence){.name = arena_printf(two.arena, "n%d", i), .local = transform_identity};
            nodes[i].local.translation[0] = (float)i + (side ? 0.001f * (float)(i + 1) : 0);
            affine_from_transform(&nodes[i].local, nodes[i].node_to_scene);
        }
        *both[side] = (struct pose_evidence){.model = "", .space = "scene", .nodes = nodes, .node_count = COUNT};
    }
    compare_them(&two);
    assert_int_equal(two.findings.count, 17);
    assert_string_equal(two.findings.items[0].subject, "n299");
    assert_int_equal(two.errors.count, 2 * COUNT);
    demand_text(&two.findings,
                "283 more local transforms are off by up to 28.4 cm (0.19 % of the model's radius) at 0.000 s");
    arena_destroy(two.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_poses_have_no_findings),
        cmocka_unit_test(items_are_those_that_both_have),
        cmocka_unit_test(empty_poses_are_equal),
        cmocka_unit_test(turned_bone_in_closed_form),
        cmocka_unit_test(moved_bone_in_closed_form),
        cmocka_unit_test(scaled_bone_in_closed_form),
        cmocka_unit_test(reach_goes_down_the_tree),
        cmocka_unit_test(reach_has_stand_ins),
        cmocka_unit_test(scaled_roots_change_nothing),
        cmocka_unit_test(both_signs_of_a_quaternion_are_one_rotation),
        cmocka_unit_test(limits_are_kept),
        cmocka_unit_test(float_noise_passes),
        cmocka_unit_test(one_moved_node_is_one_culprit),
        cmocka_unit_test(moved_node_in_words),
        cmocka_unit_test(named_mistakes_of_rotations),
        cmocka_unit_test(wrong_entry_in_words),
        cmocka_unit_test(named_mistakes_of_matrices),
        cmocka_unit_test(wrong_global_is_named_where_it_begins),
        cmocka_unit_test(globals_without_entry_are_compared),
        cmocka_unit_test(small_changes_that_add_up_are_the_animations),
        cmocka_unit_test(root_space_is_compared),
        cmocka_unit_test(other_moments_are_said),
        cmocka_unit_test(missing_nodes_and_entries_are_said),
        cmocka_unit_test(poses_without_palette_are_compared_by_their_nodes),
        cmocka_unit_test(namesakes_match_in_their_order),
        cmocka_unit_test(hidden_bones_are_compared),
        cmocka_unit_test(huge_numbers_stay_finite),
        cmocka_unit_test(many_faults_are_not_all_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
