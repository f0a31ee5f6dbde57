/* Mistakes made by hand, with the pipeline's own functions or numbers worked out here, and not by the replay. */
#include "diagnose/evidence.h"
#include "replayed.h"

GROUP_WALKER

/* The only one that explains all, and nothing beside it. */
static const struct cause *the_cause(struct bench *b, const char *id)
{
    struct diagnosis *diagnosis = diagnose(&b->input, b->arena);
    if (diagnosis->full_count != 1 || diagnosis->explanations[0].cause_count != 1)
        fail_msg("%s: %u explain all, the first %s", id, diagnosis->full_count,
                 diagnosis->explanation_count ? diagnosis->explanations[0].causes[0].id : "none");
    assert_string_equal(diagnosis->explanations[0].causes[0].id, id);
    assert_true(diagnosis->explanations[0].explains >= 1);
    assert_true(diagnosis->explanations[0].residual <= 1e-5);
    return &diagnosis->explanations[0].causes[0];
}

/* Theirs again, from a local pose that the test has changed, by the pipeline. */
static void from_locals(struct bench *b, double seconds)
{
    struct pose pose = pose_create(b->scene, b->arena);
    tracks_sample(tracks_create(b->scene, b->clip, b->arena), seconds, &pose);
    palette_globals(b->scene, &pose);
    palette_compute(b->scene, &pose, SPACE_SCENE, &b->palette);
    for (uint32_t n = 0; n < b->scene->node_count; n++) {
        b->theirs->nodes[n].local = pose.local[n];
        memcpy(b->theirs->nodes[n].node_to_scene, pose.node_to_scene[n], sizeof(mat4));
    }
    bench_palette(b, &b->palette);
    b->theirs->left_out = POSE_SKIN;
}

TEST(the_parent_on_the_right)
{
    BENCH b = bench_open(walker, 0, 0.3);
    for (uint32_t n = 0; n < walker->node_count; n++) {
        int32_t parent = walker->nodes[n].parent;
        if (parent != NO_INDEX)
            affine_mul(b.pose.local_to_parent[n], b.theirs->nodes[parent].node_to_scene,
                       b.theirs->nodes[n].node_to_scene);
    }
    for (uint32_t i = 0; i < walker->binding_count; i++)
        affine_mul(b.theirs->nodes[walker->bindings[i].node].node_to_scene, walker->bindings[i].mesh_to_bone,
                   b.theirs->palette[i].mesh_to_scene);
    b.theirs->left_out = POSE_SKIN;
    assert_int_equal(the_cause(&b, "parent-order")->stage, CAUSE_PALETTE);
    struct diagnosis *diagnosis = diagnose(&b.input, b.arena);
    assert_int_equal(diagnosis->first, CAUSE_PALETTE);
    assert_int_equal(diagnosis->explanations[0].explained, diagnosis->differ);
    assert_true(diagnosis->start_count > 0);
}

TEST(entries_without_and_before_the_offset)
{
    BENCH b = bench_open(walker, 0, 0.3);
    b.theirs->left_out = POSE_SKIN;
    for (uint32_t i = 0; i < walker->binding_count; i++)
        memcpy(b.theirs->palette[i].mesh_to_scene, b.pose.node_to_scene[walker->bindings[i].node], sizeof(mat4));
    assert_int_equal(the_cause(&b, "offset-missing")->stage, CAUSE_IMPORT);
    for (uint32_t i = 0; i < walker->binding_count; i++)
        affine_mul(walker->bindings[i].mesh_to_bone, b.pose.node_to_scene[walker->bindings[i].node],
                   b.theirs->palette[i].mesh_to_scene);
    the_cause(&b, "offset-order");
}

TEST(another_time_is_told)
{
    BENCH b = bench_open(walker, 0, 0.3);
    from_locals(&b, 0.3 - 1.0 / 24);
    const struct cause *cause = the_cause(&b, "time-shift");
    assert_true(fabs(cause->parameter - (0.3 - 1.0 / 24)) < 1e-9);
    assert_non_null(strstr(cause->detail, "1 frame late (24 a second)"));
    from_locals(&b, 0.1234); /* which is also another rate */
    const struct diagnosis *diagnosis = diagnose(&b.input, b.arena);
    assert_int_equal(diagnosis->full_count, 2);
    cause = &diagnosis->explanations[0].causes[0];
    assert_string_equal(cause->id, "time-shift");
    assert_int_equal(cause->kind, PARAMETER_SECONDS);
    assert_true(fabs(cause->parameter - 0.1234) < 1e-4);
    cause = &diagnosis->explanations[1].causes[0];
    assert_string_equal(cause->id, "time-scale");
    assert_int_equal(cause->kind, PARAMETER_FACTOR);
    const double rounds = (cause->parameter * 0.3 - 0.1234) / b.clip->duration;
    assert_true(fabs(rounds - nearbyint(rounds)) < 1e-3);
}

/* Axes that are turned: told of several bones, and of one alone not, which one of 48 turns may fit by chance. */
TEST(turned_axes_need_more_than_one_bone)
{
    const mat4 turn = {{1, 0, 0, 0}, {0, 0, -1, 0}, {0, 1, 0, 0}, {0, 0, 0, 1}};
    BENCH b = bench_open(walker, 0, 0.3);
    b.theirs->left_out = POSE_SKIN | POSE_PALETTE;
    b.theirs->palette_count = b.theirs->skin_count = 0;
    for (uint32_t n = 0; n < walker->node_count; n++) {
        affine_mul(turn, b.pose.node_to_scene[n], b.theirs->nodes[n].node_to_scene);
        b.theirs->nodes[n].left_out |= POSE_LOCAL;
    }
    the_cause(&b, "axes-swapped");
    b.theirs->nodes[0] = b.theirs->nodes[walker->node_count - 1];
    b.theirs->node_count = 1;
    struct diagnosis *diagnosis = diagnose(&b.input, b.arena);
    assert_false(is_named(diagnosis, "axes-swapped"));
}

/* A bone with another's matrix is one mistake, and no other order of the palette. */
TEST(one_wrong_entry_is_no_order)
{
    BENCH b = bench_open(walker, 0, 0.3);
    b.theirs->left_out = POSE_SKIN | POSE_NODES;
    b.theirs->node_count = b.theirs->skin_count = 0;
    memcpy(b.theirs->palette[3].mesh_to_scene, b.theirs->palette[7].mesh_to_scene, sizeof(mat4));
    struct diagnosis *diagnosis = diagnose(&b.input, b.arena);
    assert_int_equal(diagnosis->differ, 1);
    assert_false(is_named(diagnosis, "index-permuted"));
}

/* At 25/60 s a clip at 24/25 of its rate is one frame of 60 a second late: only another time tells. */
TEST(two_that_explain_the_same_are_both_named)
{
    BENCH b = bench_open(walker, 0, 25.0 / 60);
    from_locals(&b, 24.0 / 60);
    struct diagnosis *diagnosis = diagnose(&b.input, b.arena);
    assert_true(is_named(diagnosis, "time-scale") && is_named(diagnosis, "time-shift"));
    assert_true(diagnosis->tells > 0 && diagnosis->tells < b.clip->duration);
}

TEST(a_factor_of_no_known_unit_is_found)
{
    BENCH b = bench_open(walker, 0, 0.3);
    b.theirs->left_out = POSE_SKIN;
    for (uint32_t n = 0; n < walker->node_count; n++)
        for (int k = 0; k < 3; k++) {
            b.theirs->nodes[n].local.translation[k] *= 2.7f;
            b.theirs->nodes[n].node_to_scene[3][k] *= 2.7f;
        }
    for (uint32_t i = 0; i < walker->binding_count; i++)
        for (int k = 0; k < 3; k++)
            b.theirs->palette[i].mesh_to_scene[3][k] *= 2.7f;
    const struct cause *cause = the_cause(&b, "unit-scale");
    assert_int_equal(cause->kind, PARAMETER_FACTOR);
    assert_true(fabs(cause->parameter - 2.7) < 1e-5);
}

TEST(entries_in_another_order_are_matched)
{
    BENCH b = bench_open(walker, 0, 0.3);
    uint32_t count = walker->binding_count;
    b.theirs->left_out = POSE_SKIN | POSE_NODES;
    for (uint32_t i = 0; i < count; i++) /* 7 and the number of bones have no common factor, or 11 has none */
        memcpy(b.theirs->palette[i].mesh_to_scene, b.palette.mesh_to_scene[(i * (count % 7 ? 7 : 11) + 3) % count],
               sizeof(mat4));
    the_cause(&b, "index-permuted");
    for (uint32_t i = 0; i < count; i++)
        memcpy(b.theirs->palette[i].mesh_to_scene, b.palette.mesh_to_scene[i + 2 < count ? i + 2 : i], sizeof(mat4));
}

/* Where an answer has no entry of a mesh without bones, the reference's stands: it says nothing of a mistake. */
TEST(an_entry_of_our_own_is_no_evidence)
{
    BENCH b = bench_open(walker, 0, 0.3);
    struct palette_snapshot ours = b.theirs->palette[b.theirs->palette_count - 1];
    from_locals(&b, 0.2);
    b.theirs->left_out |= POSE_NODES;
    ours.is_ours = true;
    ours.mesh_to_scene[3][0] += 1; /* it would be one wrong entry */
    b.theirs->palette[b.theirs->palette_count - 1] = ours;
    struct diagnosis *diagnosis = diagnose(&b.input, b.arena);
    assert_true(diagnosis->full_count > 0);
    assert_int_equal(diagnosis->explanations[0].cause_count, 1);
    assert_int_equal(diagnosis->explanations[0].causes[0].bone_count, 0);
    assert_true(names_cause(&diagnosis->explanations[0], "time-shift"));
}

/* Half way between two keys 120 degrees apart nlerp and slerp agree; at a quarter nlerp is at atan2(sin 60, 3 + cos 60). */
TEST(a_straight_line_between_quaternions)
{
    SCENE *scene = builder_scene(2);
    struct clip *clip = builder_clip(scene, 1);
    const float c = 0.5f, s = 0.8660254f;
    builder_keys(scene, &clip->channels[1], COMPONENT_ROTATION, INTERPOLATE_LINEAR, 2, (double[]){0, 1},
                 (float[]){0, 0, 0, 1, 0, 0, s, c});
    struct mesh *mesh = builder_mesh(scene, 0, 2, 1);
    mesh->positions[0][0] = 1;
    mesh->bones[0].node = 1;
    builder_influences(scene, mesh, 1, (struct influence[]){{0, 1}, {0, 1}});
    scene_bind(scene);
    BENCH b = bench_open(scene, 0, 0.25);
    double angle = 2 * atan2(0.25 * sin(acos(-1) / 3), 0.75 + 0.25 * 0.5);
    b.theirs->left_out = POSE_NODES | POSE_SKIN;
    mat4 *m = &b.theirs->palette[0].mesh_to_scene;
    (*m)[0][0] = (*m)[1][1] = (float)cos(angle);
    (*m)[0][1] = (float)sin(angle);
    (*m)[1][0] = -(*m)[0][1];
    assert_true(is_named(diagnose(&b.input, b.arena), "nlerp"));
}

/* Skinning by one influence of four, worked out from the palette here. Returns how many vertices have more. */
static uint32_t skin_by_one(struct bench *bench)
{
    struct bench b = *bench;
    uint32_t changed = 0;
    b.theirs->left_out = POSE_NODES | POSE_PALETTE;
    for (uint32_t i = 0; i < walker->instance_count; i++) {
        const struct instance *instance = &walker->instances[i];
        const struct mesh *mesh = &walker->meshes[instance->mesh];
        for (uint32_t v = 0; v < mesh->vertex_count && mesh->bone_count > 0; v++) {
            uint32_t first = mesh->influence_first[v], end = mesh->influence_first[v + 1];
            changed += end > first + 1;
            for (int k = 0; k < 3; k++)
                b.skinned[i].positions[v][k] = 0;
            for (uint32_t j = first; j < end && j < first + 1; j++) {
                vec3 at;
                affine_point(b.palette.mesh_to_scene[instance->first_binding + mesh->influences[j].bone],
                             mesh->positions[v], at);
                for (int k = 0; k < 3; k++)
                    b.skinned[i].positions[v][k] += mesh->influences[j].weight * at[k];
            }
        }
        b.theirs->skin[i].normal_count = 0;
    }
    return changed;
}

TEST(an_influence_too_few)
{
    BENCH b = bench_open(walker, 0, 0.3);
    assert_true(skin_by_one(&b) > 0);
    const struct cause *cause = the_cause(&b, "influence-dropped");
    assert_int_equal(cause->stage, CAUSE_SKIN);
    assert_int_equal((int)cause->parameter, 1);
}

/* What is wrong with the matrices is known: what is wrong with the vertices besides. */
TEST(vertices_are_explained_on_top_of_matrices)
{
    BENCH b = bench_open(walker, 0, 0.3);
    struct variant late = {.at[SWITCH_TIME] = AT_SECONDS, .number[SWITCH_TIME] = 0.2};
    from_locals(&b, 0.2);
    struct diagnosis *of_matrices = diagnose(&b.input, b.arena);
    assert_true(of_matrices->full_count > 0);
    skin_by_one(&b);
    b.input.base = &late;
    assert_string_equal(the_cause(&b, "influence-dropped")->id, "influence-dropped");
    struct diagnosis *both = diagnosis_join(of_matrices, diagnose(&b.input, b.arena), b.arena);
    assert_int_equal(both->full_count, of_matrices->full_count);
    assert_true(names_cause(both->explanations, of_matrices->explanations[0].causes[0].id));
    assert_true(names_cause(both->explanations, "influence-dropped"));
}

/* From the last to the first, with some of them once more, as an exporter splits vertices. */
static void turn_around(struct bench *b)
{
    for (uint32_t i = 0; i < b->theirs->skin_count; i++) {
        struct skin_snapshot *skin = &b->theirs->skin[i];
        const uint32_t count = skin->position_count, more = count + count / 3;
        vec3 *positions = arena_alloc(b->arena, more, sizeof *positions);
        for (uint32_t v = 0; v < more; v++)
            memcpy(positions[v], skin->positions[count - 1 - v % count], sizeof *positions);
        skin->positions = (const vec3 *)positions;
        skin->position_count = more;
        skin->normal_count = 0;
    }
    b->theirs->left_out = POSE_NODES | POSE_PALETTE;
}

TEST(vertices_of_another_order_and_number_are_matched)
{
    BENCH b = bench_open(walker, 0, 0.3);
    turn_around(&b);
    assert_int_equal(diagnose(&b.input, b.arena)->differ, 0);
    for (uint32_t i = 0; i < b.theirs->skin_count; i++)
        b.theirs->skin[i].is_in_order = true;
    assert_true(diagnose(&b.input, b.arena)->differ > 0);

    BENCH late = bench_open(walker, 0, 0.3);
    bench_replay(&late, &(struct variant){.at = {[SWITCH_TIME] = AT_SECONDS}, .number = {[SWITCH_TIME] = 0.3 + 2.0 / 24}});
    turn_around(&late);
    struct diagnosis *diagnosis = diagnose(&late.input, late.arena);
    assert_true(diagnosis->full_count > 0);
    assert_true(names_cause(&diagnosis->explanations[0], "time-shift"));
}

/* Weights of 0.3 and 0.3, and of 0.5 and 0.5, between a bone that stands and one that is 2 to the right: by the file's own sums the
 * first vertex is at 0.6 of where it was and 0.6 to the right. */
TEST(sums_of_the_file_are_told)
{
    SCENE *scene = builder_scene(2);
    scene->nodes[1].rest.translation[0] = 2;
    scene->nodes[1].local_to_parent[3][0] = 2;
    struct mesh *mesh = builder_mesh(scene, 0, 2, 2);
    mesh->positions[0][1] = mesh->positions[1][1] = 1;
    mesh->bones[0].node = 0;
    mesh->bones[1].node = 1;
    builder_influences(scene, mesh, 2, (struct influence[]){{0, 0.3f}, {1, 0.3f}, {0, 0.5f}, {1, 0.5f}});
    scene_bind(scene);
    BENCH b = bench_open(scene, 0, 0);
    b.input.sums_to_one = true;
    b.theirs->left_out = POSE_NODES | POSE_PALETTE;
    b.theirs->skin[0].normal_count = 0;
    vec3 *at = b.skinned[0].positions;
    for (int k = 0; k < 3; k++)
        at[0][k] = at[1][k] = k < 2 ? 1 : 0;
    assert_int_equal(diagnose(&b.input, b.arena)->differ, 0);
    at[0][0] = at[0][1] = 0.6f;
    the_cause(&b, "weights-not-divided");
}

/* A list that is numbered as nodes come, not as the mesh binds them, and read one place on, the last from the first. */
TEST(a_shift_in_the_order_of_the_hierarchy_is_told)
{
    enum { BONES = 7 };
    static const uint32_t nodes[BONES] = {4, 1, 7, 5, 2, 6, 3};
    SCENE *scene = builder_scene(BONES + 1);
    struct mesh *mesh = builder_mesh(scene, 0, BONES, BONES);
    struct influence influences[BONES];
    uint64_t seed = 5;
    uint32_t of_node[BONES + 1];
    for (uint32_t i = 0; i < BONES; i++) {
        struct node *node = &scene->nodes[nodes[i]];
        builder_random_rotation(&seed, node->rest.rotation);
        for (int k = 0; k < 3; k++)
            node->rest.translation[k] = mesh->positions[i][k] = (float)builder_random(&seed, -1, 1);
        affine_from_transform(&node->rest, node->local_to_parent);
        mesh->bones[i].node = nodes[i];
        influences[i] = (struct influence){i, 1};
        of_node[nodes[i]] = i;
    }
    builder_influences(scene, mesh, 1, influences);
    scene_bind(scene);
    BENCH b = bench_open(scene, 0, 0);
    b.theirs->left_out = POSE_SKIN | POSE_NODES;
    for (uint32_t n = 1; n <= BONES; n++)
        memcpy(b.theirs->palette[of_node[n]].mesh_to_scene, b.palette.mesh_to_scene[of_node[n % BONES + 1]], sizeof(mat4));
    the_cause(&b, "index-shift");
}

/* Nothing but rigid meshes: no list of bones has a length by which a shift could be turned. */
TEST(rigid_meshes_in_another_order_do_no_harm)
{
    SCENE *scene = assert_good(import_scene(FIXTURES "/surfaces/surfaces.gltf", &import_defaults, err));
    BENCH b = bench_open(scene, 0, 0);
    assert_true(b.palette.count >= 3);
    b.theirs->left_out = POSE_SKIN | POSE_NODES;
    for (uint32_t i = 0; i < b.palette.count; i++)
        memcpy(b.theirs->palette[i].mesh_to_scene, b.palette.mesh_to_scene[(i + 1) % b.palette.count], sizeof(mat4));
    assert_true(diagnose(&b.input, b.arena)->differ > 0);
}

/* Keys at 0.5 and 1.5 s, from 1 to 2: the line through them is at 0.75 at 0.25 s; from the identity 0.8 of 1 is reached at 0.4 s. */
TEST(what_goes_on_before_the_first_key_is_told)
{
    SCENE *scene = builder_scene(2);
    struct clip *clip = builder_clip(scene, 1);
    builder_keys(scene, &clip->channels[1], COMPONENT_TRANSLATION, INTERPOLATE_LINEAR, 2, (double[]){0.5, 1.5},
                 (float[]){1, 0, 0, 2, 0, 0});
    for (int k = 0; k < 2; k++) {
        BENCH b = bench_open(scene, 0, k == 0 ? 0.25 : 0.4);
        b.theirs->left_out = POSE_PALETTE | POSE_SKIN;
        b.theirs->nodes[1].left_out = POSE_LOCAL;
        assert_true(b.theirs->nodes[1].node_to_scene[3][0] == 1);
        b.theirs->nodes[1].node_to_scene[3][0] = k == 0 ? 0.75f : 0.8f;
        assert_true(is_named(diagnose(&b.input, b.arena), "before-first-key"));
    }
}

/* Zero matrices and a division by the w that they give: 0 / 0. */
TEST(a_way_that_gives_no_number_explains_nothing)
{
    BENCH b = bench_open(walker, 0, 0.3);
    struct variant variant = {.at[SWITCH_CUT] = CUT_ZERO, .number[SWITCH_CUT] = 0, .at[SWITCH_PALETTE] = MATRIX_DIVIDED};
    b.theirs->left_out = POSE_NODES | POSE_PALETTE;
    for (uint32_t i = 0; i < b.theirs->skin_count; i++)
        b.theirs->skin[i].normal_count = 0;
    struct replay *replay = replay_create(&b.input, b.arena);
    struct evidence *evidence = evidence_gather(&b.input, replay, b.arena);
    struct score score = evidence_score(evidence, replay, &variant, 1);
    assert_true(score.said > 0);
    assert_int_equal(score.broken, score.said);
}

TEST(numbers_that_are_none_do_no_harm)
{
    BENCH b = bench_open(walker, 0, 0.3);
    b.theirs->palette[1].mesh_to_scene[2][1] = NAN;
    b.theirs->nodes[2].node_to_scene[3][0] = INFINITY;
    struct diagnosis *diagnosis = diagnose(&b.input, b.arena);
    assert_false(diagnosis->is_finite);
    assert_int_equal(diagnosis->differ, 2);
    assert_int_equal(diagnosis->full_count, 0);
    b.theirs->node_count = b.theirs->palette_count = b.theirs->skin_count = 0;
    diagnosis = diagnose(&b.input, b.arena);
    assert_int_equal(diagnosis->compared, 0);
    assert_int_equal(diagnosis->differ, 0);
}
