/* A difference of two poses is explained, by skeletons whose numbers are known: neither too much nor too little. */
#include "compare/pose_findings.h"

/* Poses in which the hands, which no clip moves, are at rest; imports to be changed apart. */
static void rest_again(void)
{
    begin_again();
    for (int side = 0; side < 2; side++) {
        for (int i = 3; i < 5; i++)
            affine_to_transform(two.import->nodes[i].local_to_parent, &two.both[side]->nodes[i].local);
        rig_solve(two.both[side], two.import);
    }
    two.actual_import = rig_import(two.arena);
}

static int rest(void **state)
{
    rest_again();
    return 0;
}

#define REST_TEST(name) TEST_WITH(name, rest, NULL)

static void compare_solved(void)
{
    rig_solve(two.actual, two.actual_import);
    compare_them();
}

/* The worst that fails of a stage and is explained by that one; NULL where there is none. */
static const struct finding *find(enum stage stage, enum stage by)
{
    for (size_t i = 0; i < two.findings.count; i++) {
        const struct finding *finding = &two.findings.items[i];
        if (finding->stage == stage && !finding->benign && finding->explained == by)
            return finding;
    }
    return NULL;
}

/* Looks at the animate stage alone, whose difference is explained or is not. */
static void require_local(const char *node, enum stage by)
{
    const struct finding *finding = find(STAGE_ANIMATE, by);
    assert_non_null(finding);
    assert_string_equal(finding->subject, node);
    assert_int_equal(count_failing(&two.findings, STAGE_ANIMATE), 1);
}

static void move_rest(int node, float by)
{
    two.actual_import->nodes[node].local_to_parent[3][0] += by;
}

REST_TEST(the_import_explains_where_a_node_rests)
{
    move_rest(4, 0.2f);
    two.actual->nodes[4].local.translation[0] += 0.2f;
    compare_solved();
    require_local("hand.R", STAGE_IMPORT);
    assert_non_null(find(STAGE_PALETTE, STAGE_ANIMATE));
    assert_null(find(STAGE_PALETTE, STAGE_NONE));
}

REST_TEST(it_explains_no_other_node)
{
    move_rest(4, 0.0002f);
    two.actual->nodes[4].local.translation[0] += 0.0002f;
    two.actual->nodes[3].local.translation[0] += 0.01f;
    compare_solved();
    assert_string_equal(find(STAGE_ANIMATE, STAGE_NONE)->subject, "hand.L");
    assert_string_equal(find(STAGE_ANIMATE, STAGE_IMPORT)->subject, "hand.R");
}

REST_TEST(it_explains_no_more_than_it_changed)
{
    static const float off[] = {0.3f, 0.01f, -0.2f};
    for (size_t i = 0; i < sizeof off / sizeof off[0]; i++) {
        rest_again();
        move_rest(4, 0.2f);
        two.actual->nodes[4].local.translation[0] += off[i];
        compare_solved();
        require_local("hand.R", STAGE_NONE);
    }
}

static void add_fault(enum fault_subject about, const char *name, const char *clip, int keys)
{
    findings_add_fault(&two.findings,
                       &(struct import_fault){about, .name = name, .clip = clip, .keys = keys, .most = INFINITY});
}

/* Keys in motion are statistics in import.json: what it says of them is all there is. */
REST_TEST(keys_explain_what_they_move)
{
    static const struct {
        enum fault_subject about;
        const char *name, *clip;
        int keys;
        bool explains;
    } faults[] = {
        {FAULT_CHANNEL, "spine", "walk", 1, true},  {FAULT_CHANNEL, "spine", "walk", -1, true},
        {FAULT_CHANNEL, "spine", "walk", 0, false}, {FAULT_CHANNEL, "spine", "idle", 1, false},
        {FAULT_CHANNEL, "hips", "walk", 1, false},  {FAULT_CLIP, "walk", NULL, 0, true},
        {FAULT_CLIP, "idle", NULL, 0, false},       {FAULT_CLIP, NULL, NULL, 0, true},
        {FAULT_NODE, "spine", NULL, 0, false},      {FAULT_MESH, "spine", NULL, 0, false},
    };
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        rest_again();
        quaternion(0, 23, two.actual->nodes[2].local.rotation);
        add_fault(faults[i].about, faults[i].name, faults[i].clip, faults[i].keys);
        compare_solved();
        require_local("spine", faults[i].explains ? STAGE_IMPORT : STAGE_NONE);
    }
}

/* Between keys nothing moves more than they do: 3 degrees about x, of what is some 0.5 m long. */
REST_TEST(keys_explain_no_more_than_they_move)
{
    static const double most[] = {0.05, 0.0005};
    for (int i = 0; i < 2; i++) {
        rest_again();
        quaternion(0, 23, two.actual->nodes[2].local.rotation);
        findings_add_fault(&two.findings, &(struct import_fault){FAULT_CHANNEL, .name = "spine", .clip = "walk", .keys = 1, .most = most[i]});
        compare_solved();
        require_local("spine", i == 0 ? STAGE_IMPORT : STAGE_NONE);
    }
}

/* Keys that hold one value are that value. */
REST_TEST(keys_that_hold_are_recomputed)
{
    static const float now[] = {1.2f, 1.3f};
    for (int i = 0; i < 2; i++) {
        rest_again();
        struct import_snapshot *imports[] = {two.import, two.actual_import};
        for (int side = 0; side < 2; side++) {
            struct keys_snapshot *keys = &imports[side]->clips[0].channels[0].keys[COMPONENT_TRANSLATION];
            float held[4] = {0, side == 0 ? 1.0f : 1.2f, 0, 0};
            memcpy(keys->mean, held, sizeof held);
            memcpy(keys->rms, held, sizeof held);
        }
        two.actual->nodes[1].local.translation[1] = now[i];
        compare_solved();
        require_local("hips", now[i] == 1.2f ? STAGE_IMPORT : STAGE_NONE);
    }
}

/* A movement of 1e-3 of the mean is lost in the rounding of the statistics, and samples show it. */
REST_TEST(keys_that_move_little_are_in_motion)
{
    for (uint32_t samples = 0; samples < 13; samples += 12) {
        rest_again();
        struct import_snapshot *imports[] = {two.import, two.actual_import};
        for (int side = 0; side < 2; side++) {
            struct keys_snapshot *keys = &imports[side]->clips[0].channels[0].keys[COMPONENT_TRANSLATION];
            const float held[4] = {0, 1, 0, 0};
            memcpy(keys->mean, held, sizeof held);
            memcpy(keys->rms, held, sizeof held);
            keys->sample_count = samples;
        }
        two.golden->nodes[1].local.translation[1] = 1.001f;
        two.actual->nodes[1].local.translation[1] = 1.2f;
        add_fault(FAULT_CHANNEL, "hips", "walk", COMPONENT_TRANSLATION);
        compare_solved();
        require_local("hips", samples > 0 ? STAGE_IMPORT : STAGE_NONE);
    }
}

REST_TEST(a_clip_that_is_gone_explains_all)
{
    two.actual_import->clips[0].name = "run";
    two.actual->clip = "run";
    quaternion(0, 50, two.actual->nodes[2].local.rotation);
    quaternion(0, 50, two.actual->nodes[3].local.rotation);
    compare_solved();
    assert_null(find(STAGE_ANIMATE, STAGE_NONE));
    assert_int_equal(count_failing(&two.findings, STAGE_ANIMATE), 3);
    rest_again();
    two.actual->clip = "idle"; /* another is played, which the import did not bring about */
    compare_solved();
    assert_non_null(find(STAGE_ANIMATE, STAGE_NONE));
}

/* Of mixed clips nothing is recomputed. */
REST_TEST(a_mix_is_not_verified)
{
    two.golden->clip = two.actual->clip = "walk + idle";
    quaternion(0, 23, two.actual->nodes[2].local.rotation);
    compare_solved();
    assert_true(find(STAGE_ANIMATE, STAGE_NONE)->unverified);
    rest_again();
    two.golden->clip = two.actual->clip = "walk + idle";
    quaternion(0, 23, two.actual->nodes[2].local.rotation);
    add_fault(FAULT_CHANNEL, "spine", "idle", 1);
    compare_solved();
    require_local("spine", STAGE_IMPORT);
}

REST_TEST(the_import_explains_its_offsets)
{
    two.actual_import->meshes[0].bones[3].mesh_to_bone[3][0] += 0.2f;
    compare_solved();
    assert_null(find(STAGE_PALETTE, STAGE_NONE));
    assert_string_equal(find(STAGE_PALETTE, STAGE_IMPORT)->subject, "hand.R");
    assert_int_equal(count_failing(&two.findings, STAGE_ANIMATE), 0);
}

/* A hand that hangs on the hips now follows them, though no local transform differs. */
REST_TEST(another_parent_explains_what_hangs_on_it)
{
    for (int import_too = 0; import_too < 2; import_too++) {
        rest_again();
        struct pose_node_snapshot *hand = &two.actual->nodes[4];
        rig_solve(two.actual, two.import);
        hand->parent = "hips";
        if (import_too)
            two.actual_import->nodes[4].parent = "hips";
        affine_from_transform(&hand->local, hand->node_to_scene);
        affine_mul(two.actual->nodes[1].node_to_scene, hand->node_to_scene, hand->node_to_scene);
        affine_mul(hand->node_to_scene, two.import->meshes[0].bones[3].mesh_to_bone,
                   two.actual->palette[3].mesh_to_scene);
        compare_them();
        assert_int_equal(count_failing(&two.findings, STAGE_ANIMATE), 0);
        assert_non_null(find(STAGE_PALETTE, import_too ? STAGE_IMPORT : STAGE_NONE));
        assert_null(find(STAGE_PALETTE, import_too ? STAGE_NONE : STAGE_IMPORT));
    }
}

/* A local under another parent is other numbers: of a node that stands where it stood the import's, of one that moved nobody knows. */
REST_TEST(a_local_seen_from_elsewhere_is_the_import_s)
{
    for (int moves = 0; moves < 2; moves++) {
        rest_again();
        struct pose_node_snapshot *hand = &two.actual->nodes[4];
        mat4 back;
        rig_solve(two.actual, two.import);
        two.actual_import->nodes[4].parent = hand->parent = "hips";
        hand->node_to_scene[3][1] += 0.3f * (float)moves;
        affine_inverse(two.actual->nodes[1].node_to_scene, back);
        affine_mul(back, hand->node_to_scene, back);
        affine_to_transform(back, &hand->local);
        compare_them();
        if (moves)
            assert_true(find(STAGE_ANIMATE, STAGE_NONE)->unverified);
        else
            require_local("hand.R", STAGE_IMPORT);
    }
}

/* Several nodes of a name: bones and channels are bound to another of them. */
REST_TEST(a_bone_that_is_another_node_explains_its_name)
{
    quaternion(2, 50, two.actual->nodes[4].local.rotation);
    rig_solve(two.actual, two.import);
    two.actual->palette[3].mesh_to_scene[3][0] += 1;
    add_fault(FAULT_BONE, "hand.R", NULL, -1);
    compare_them();
    require_local("hand.R", STAGE_IMPORT);
    assert_null(find(STAGE_PALETTE, STAGE_NONE));
}

/* The toe end that moved 0.2 mm, and the thumb that is 267 units off. */
REST_TEST(it_explains_no_other_entry)
{
    for (int same = 0; same < 2; same++) {
        rest_again();
        two.actual_import->meshes[0].bones[same ? 3 : 2].mesh_to_bone[3][0] += 0.0002f;
        rig_solve(two.actual, two.actual_import);
        two.actual->palette[3].mesh_to_scene[3][0] += 267;
        compare_them();
        const struct finding *own = find(STAGE_PALETTE, STAGE_NONE);
        assert_string_equal(own->subject, "hand.R");
        assert_float_equal(own->distance, 267, 1e-2);
    }
}

/* A golden that is not what its own import gives was made by another palette. */
REST_TEST(both_sides_are_recomputed)
{
    two.actual_import->meshes[0].bones[3].mesh_to_bone[3][0] += 0.2f;
    two.golden->palette[3].mesh_to_scene[3][1] += 1;
    compare_solved();
    assert_non_null(find(STAGE_PALETTE, STAGE_NONE));
    assert_null(find(STAGE_PALETTE, STAGE_IMPORT));
}

/* An animation off by 0.1 degrees, and beside it a bone without its offset matrix. */
REST_TEST(what_remains_beside_the_animation_is_the_palette_s)
{
    quaternion(0, 20.1, two.actual->nodes[2].local.rotation);
    rig_solve(two.actual, two.import);
    memcpy(two.actual->palette[3].mesh_to_scene, two.actual->nodes[4].node_to_scene, sizeof(mat4));
    two.actual_import = NULL;
    compare_them();
    require_local("spine", STAGE_NONE);
    const struct finding *follows = find(STAGE_PALETTE, STAGE_ANIMATE),
                         *own = find(STAGE_PALETTE, STAGE_NONE);
    assert_string_equal(own->subject, "hand.R");
    assert_string_equal(own->part, "beside");
    assert_true(follows->displacement < 0.01); /* what follows is small, as is what moved */
    /* G against G O where G O is the expected entry: the origin of the bone in the scene moves from G 0 to G O^-1 0. */
    vec3 moved = {0};
    mat4 bind;
    affine_inverse(two.import->meshes[0].bones[3].mesh_to_bone, bind);
    for (int k = 0; k < 3; k++)
        for (int axis = 0; axis < 3; axis++)
            moved[k] += two.actual->nodes[4].node_to_scene[axis][k] * bind[3][axis];
    assert_float_equal(own->translation,
                       sqrt((double)(moved[0] * moved[0] + moved[1] * moved[1] + moved[2] * moved[2])), 1e-5);
}

REST_TEST(what_only_one_side_has_may_be_the_import_s)
{
    for (int import_too = 0; import_too < 2; import_too++) {
        rest_again();
        rig_solve(two.actual, two.actual_import);
        two.actual->node_count = 4;
        two.actual->palette_count = 3;
        if (import_too) {
            two.actual_import->node_count = 4;
            two.actual_import->meshes[0].bone_count = 3;
        }
        compare_them();
        assert_string_equal(find(STAGE_ANIMATE, import_too ? STAGE_IMPORT : STAGE_NONE)->subject, "hand.R");
        assert_string_equal(find(STAGE_PALETTE, import_too ? STAGE_IMPORT : STAGE_NONE)->subject, "hand.R");
    }
}
