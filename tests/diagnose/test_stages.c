/* Mistakes of several stages: what theirs has of a stage is made here by hand from what theirs has of the stage before. */

#include "diagnose/evidence.h"
#include "replayed.h"

GROUP_WALKER

/* Nodes by a variant; entries and vertices by the right one, from these nodes. */
static struct bench with_nodes(const struct variant *variant)
{
    struct bench b = bench_open(walker, 0, 0.3), plain;
    bench_replay(&b, variant);
    plain = bench_open(walker, 0, 0.3);
    for (uint32_t n = 0; n < walker->node_count; n++)
        memcpy(plain.pose.node_to_scene[n], b.theirs->nodes[n].node_to_scene, sizeof(mat4));
    palette_compute(walker, &plain.pose, SPACE_SCENE, &plain.palette);
    bench_palette(&b, &plain.palette);
    bench_close(&plain);
    b.theirs->left_out |= POSE_SKIN;
    return b;
}

static void transpose_entries(struct bench *b)
{
    for (uint32_t i = 0; i < walker->binding_count; i++)
        for (int c = 0; c < 3; c++)
            for (int r = 0; r < c; r++) {
                vec4 *m = b->theirs->palette[i].mesh_to_scene;
                const float kept = m[c][r];
                m[c][r] = m[r][c];
                m[r][c] = kept;
            }
}

static const struct explanation *the_best(struct bench *b)
{
    const struct diagnosis *diagnosis = diagnose(&b->input, b->arena);
    assert_true(diagnosis->full_count > 0);
    return &diagnosis->explanations[0];
}

TEST(a_mistake_of_each_stage_is_found)
{
    BENCH b = with_nodes(&(struct variant){.at[SWITCH_QUATERNION] = QUATERNION_CONJUGATED});
    transpose_entries(&b);
    const struct explanation *best = the_best(&b);
    assert_int_equal(best->cause_count, 2);
    assert_string_equal(best->causes[0].id, "quaternion-conjugated");
    assert_string_equal(best->causes[1].id, "transposed");
    assert_true(best->explains == 1);
}

/* The palette is exact although what it is made of drifts. */
TEST(drift_of_nodes_hides_no_mistake_of_entries)
{
    const struct variant rounded = {.at[SWITCH_KEYS] = KEYS_BITS, .number[SWITCH_KEYS] = 16};
    BENCH b = with_nodes(&rounded);
    transpose_entries(&b);
    const struct explanation *best = the_best(&b);
    assert_int_equal(best->cause_count, 1);
    assert_string_equal(best->causes[0].id, "transposed");
    assert_true(best->drift.size > 0);
    assert_string_equal(best->drift.like, "keys-quantised");
}

/* Right nodes, and entries of another time. */
TEST(entries_of_another_time_are_told)
{
    BENCH b = bench_open(walker, 0, 0.3), late = bench_open(walker, 0, 0.45);
    bench_palette(&b, &late.palette);
    b.theirs->left_out |= POSE_SKIN;
    const struct explanation *best = the_best(&b);
    assert_int_equal(best->cause_count, 1);
    assert_true(names_cause(best, "time-shift") || names_cause(best, "time-scale"));
}

/* A bone's entry in other axes is a mistake of that bone where its node is given and right. */
TEST(one_entry_in_other_axes)
{
    BENCH b = bench_open(walker, 0, 0.3);
    const uint32_t node = walker->bindings[walker->binding_count / 2].node;
    for (uint32_t i = 0; i < walker->binding_count; i++) {
        vec4 *m = b.theirs->palette[i].mesh_to_scene;
        for (int c = 0; c < 4 && walker->bindings[i].node == node; c++) {
            const float y = m[c][1];
            m[c][1] = -m[c][2];
            m[c][2] = y;
        }
    }
    b.theirs->left_out |= POSE_SKIN;
    const struct explanation *best = the_best(&b);
    assert_true(names_cause(best, "axes-swapped"));
    assert_int_equal(best->causes[0].bone_count, 1);
    assert_string_equal(best->causes[0].bones[0], walker->nodes[node].name);
}

/* Vertices alone, of which each bone has another's entry: the palette is solved from them first. */
TEST(the_order_of_entries_from_vertices_alone)
{
    BENCH b = bench_open(walker, 0, 0.3);
    const uint32_t count = walker->binding_count;
    struct palette turned = palette_create(walker, b.arena);
    for (uint32_t i = 0; i < count; i++) /* 7 and the number of bones have no common factor, or 11 has none */
        memcpy(turned.mesh_to_scene[i], b.palette.mesh_to_scene[(i * (count % 7 ? 7 : 11) + 3) % count], sizeof(mat4));
    skin_scene(walker, &turned, b.skinned);
    b.theirs->left_out = POSE_NODES | POSE_PALETTE;
    assert_true(names_cause(the_best(&b), "index-permuted"));
}

/* Vertices are made of theirs' palette, whatever is wrong with that. */
TEST(vertices_are_held_against_theirs_palette)
{
    const struct variant right = {.list = NULL};
    BENCH b = bench_open(walker, 0, 0.3), late = bench_open(walker, 0, 0.45);
    bench_palette(&b, &late.palette);
    b.theirs->left_out |= POSE_NODES;
    b.input.base = &right;
    b.input.skins_theirs = true;
    skin_scene(walker, &late.palette, b.skinned);
    assert_int_equal(diagnose(&b.input, b.arena)->differ, 0);
    for (uint32_t i = 0; i < walker->instance_count; i++)
        for (uint32_t v = 0; v < b.skinned[i].vertex_count; v++)
            for (int k = 0; k < 3; k++)
                b.skinned[i].positions[v][k] *= 0.01f;
    assert_string_equal(the_best(&b)->causes[0].id, "unit-scale");
}

/* The bone of that name, or NO_INDEX. */
static uint32_t node_called(const char *name, uint32_t length)
{
    for (uint32_t n = 0; n < walker->node_count; n++)
        if (strncmp(walker->nodes[n].name, name, length) == 0 && walker->nodes[n].name[length] == '\0')
            return n;
    return (uint32_t)NO_INDEX;
}

/* A clip's channels of nodes whose names begin so find these nodes, or none. */
static void connect(struct clip *clip, const char *name, bool finds)
{
    for (uint32_t i = 0; i < clip->channel_count; i++)
        for (uint32_t n = 0; n < walker->node_count; n++)
            if (strcmp(clip->channels[i].node_name, walker->nodes[n].name) == 0 &&
                strncmp(walker->nodes[n].name, name, strlen(name)) == 0)
                clip->channels[i].node = finds ? (int32_t)n : NO_INDEX;
}

/* Left and right exchanged: each has all of the other's local transform, also that of thighs, which are not keyed. */
TEST(sides_that_are_exchanged)
{
    connect(&walker->clips[2], "thigh", false);
    BENCH b = bench_open(walker, 2, 0.4);
    struct pose_node_snapshot *nodes = b.theirs->nodes;
    uint32_t exchanged = 0;
    for (uint32_t n = 0; n < walker->node_count; n++) {
        const char *name = walker->nodes[n].name;
        char other[64];
        const size_t length = strlen(name);
        if (length < 3 || length >= sizeof other || strcmp(name + length - 2, "_L") != 0)
            continue;
        snprintf(other, sizeof other, "%.*s_R", (int)length - 2, name);
        const uint32_t right = node_called(other, (uint32_t)length);
        const struct transform kept = nodes[n].local;
        assert_true(right != (uint32_t)NO_INDEX);
        nodes[n].local = nodes[right].local;
        nodes[right].local = kept;
        exchanged += 2;
    }
    bench_globals(&b);
    assert_true(exchanged >= 6);
    b.theirs->left_out |= POSE_SKIN | POSE_PALETTE;
    const struct explanation *best = the_best(&b);
    assert_int_equal(best->cause_count, 1);
    assert_string_equal(best->causes[0].id, "channel-of-other-bone");
    assert_true(best->causes[0].parameter >= 6);
    connect(&walker->clips[2], "thigh", true);
}

/* Rotations and translations with a mistake each, in one stage. */
TEST(a_mistake_of_each_component)
{
    BENCH b = bench_open(walker, 1, 0.3);
    for (uint32_t n = 0; n < walker->node_count; n++) {
        struct transform *local = &b.theirs->nodes[n].local;
        if (!walker->nodes[n].is_bone)
            continue;
        for (int k = 0; k < 3; k++)
            local->rotation[k] = -local->rotation[k];
        const float y = local->translation[1];
        local->translation[1] = local->translation[2];
        local->translation[2] = -y;
    }
    bench_globals(&b);
    b.theirs->left_out |= POSE_SKIN | POSE_PALETTE;
    const struct explanation *best = the_best(&b);
    assert_int_equal(best->cause_count, 2);
    assert_true(names_cause(best, "quaternion-conjugated"));
    assert_true(names_cause(best, "axes-swapped"));
    assert_true(best->explains == 1);
}

/* A bone that there is no room for has no entry: that does not explain one which theirs has and which is wrong. */
TEST(entries_that_are_there_are_not_cut)
{
    const uint32_t from = 20;
    const struct variant cut = {.at[SWITCH_TIME] = AT_SECONDS, .number[SWITCH_TIME] = 0.6,
                                .at[SWITCH_CUT] = CUT_RAW, .number[SWITCH_CUT] = from};
    BENCH b = bench_open(walker, 1, 0.3), late = bench_open(walker, 1, 0.6);
    struct replay *replay = replay_create(&b.input, b.arena);
    bench_palette(&b, &late.palette);
    b.theirs->left_out = POSE_SKIN | POSE_NODES;
    struct evidence *evidence = evidence_gather(&b.input, replay, b.arena);
    struct score score = evidence_score(evidence, replay, &cut, 1);
    assert_true(score.explained >= from - 5 && score.said < evidence->unit_count);
    assert_false(score.is_full);
}

/* A constant matrix on the left of entries that are wrong: neither explains anything alone. */
TEST(a_view_beside_a_mistake)
{
    BENCH b = with_nodes(&(struct variant){.at[SWITCH_QUATERNION] = QUATERNION_CONJUGATED});
    mat4 view = {{0.8f, 0, -0.6f, 0}, {0, 1, 0, 0}, {0.6f, 0, 0.8f, 0}, {0.3f, -0.2f, -5, 1}};
    for (uint32_t i = 0; i < walker->binding_count; i++) {
        mat4 was;
        memcpy(was, b.theirs->palette[i].mesh_to_scene, sizeof was);
        affine_mul(view, was, b.theirs->palette[i].mesh_to_scene);
    }
    b.theirs->left_out = POSE_SKIN | POSE_NODES;
    const struct explanation *best = the_best(&b);
    assert_int_equal(best->cause_count, 2);
    assert_true(names_cause(best, "quaternion-conjugated"));
    assert_true(names_cause(best, "camera-space"));
}
