/* Descriptions of rigs: numbers in closed form, legal trees, the same bytes everywhere. */
#include "cmocka_setup.h"

#include "generate/gltf_write.h"
#include "generate/random.h"
#include "generate/rules.h"
#include "generate/truth.h"

static struct arena *make_arena(void)
{
    struct arena *arena = arena_create((size_t)1 << 30, NULL);
    assert_non_null(arena);
    return arena;
}

TEST(every_rule_says_what_and_where)
{
    assert_true(rule_count() >= 80);
    for (uint32_t i = 0; i < rule_count(); i++) {
        const struct rule *rule = rule_at(i);
        assert_ptr_equal(rule_find(rule->name), rule); /* names are unique */
        assert_int_equal(strspn(rule->name, "abcdefghijklmnopqrstuvwxyz0123456789-"), strlen(rule->name));
        assert_true(strlen(rule->sentence) > 20 && strlen(rule->place) > 5);
    }
    assert_null(rule_find("nodes"));
    assert_string_equal(rule_of_cause("nlerp")->name, "samplers-slerp-90");
    assert_null(rule_of_cause("time-scale"));
}

/* A program that finds nodes by name fails the rules of names alone. */
TEST(rules_of_other_things_have_no_namesakes)
{
    for (uint32_t i = 0; i < rule_count(); i++) {
        struct arena *arena = make_arena();
        struct rig rig;
        bool has_namesakes = false;
        rule_describe(rule_at(i), arena, &rig);
        for (uint32_t a = 0; a < rig.node_count; a++)
            for (uint32_t b = 0; b < a; b++)
                has_namesakes = has_namesakes || (rig.nodes[a].name && rig.nodes[b].name &&
                                                  strcmp(rig.nodes[a].name, rig.nodes[b].name) == 0);
        assert_true(!has_namesakes || strstr(rule_at(i)->name, "name"));
        arena_destroy(arena);
    }
}

TEST(trees_are_in_order_and_weights_add_up)
{
    for (uint32_t i = 0; i < rule_count() + 60; i++) {
        SCOPED_ARENA arena = make_arena();
        struct rig rig;
        if (i < rule_count())
            rule_describe(rule_at(i), arena, &rig);
        else
            rig_random("r", 5, i, (enum rig_size)(i % RIG_SIZES), RIG_MIX_ALL, arena, &rig);
        for (uint32_t n = 0; n < rig.node_count; n++)
            assert_true(rig.nodes[n].parent < (int32_t)n && rig.nodes[n].place < rig.node_count);
        for (uint32_t m = 0; m < rig.mesh_count; m++)
            for (uint32_t v = 0; rig.meshes[m].sets > 0 && v < rig.meshes[m].vertex_count; v++) {
                double sum = 0;
                for (int k = 0; k < RIG_INFLUENCES; k++)
                    sum += rig.meshes[m].vertices[v].weights[k];
                assert_true(fabs(sum - 1) < 1e-6);
            }
    }
}

/* A quarter turn about z, a third and two thirds on the way: 30 and 60 degrees. */
TEST(a_turn_is_shared_out_evenly)
{
    SCOPED_ARENA arena = make_arena();
    struct rig rig;
    rig_begin(&rig, "turn", arena);
    rig_add_node(&rig, "a", RIG_NONE, 1, 2, 3);
    const double times[] = {0, 3}, values[] = {0, 0, 0, 1, 0, 0, 1, 1};
    rig_add_channel(&rig, rig_add_clip(&rig, "c"), 0, RIG_ROTATION, RIG_LINEAR, 2, times, values, 0);
    rig_settle(&rig);
    for (int third = 0; third <= 3; third++) {
        const struct pose_snapshot *pose = truth_pose(&rig, "m", 0, third);
        const double angle = third * acos(-1) / 6;
        assert_true(fabs((double)pose->nodes[0].node_to_scene[0][0] - cos(angle)) < 1e-7);
        assert_true(fabs((double)pose->nodes[0].node_to_scene[0][1] - sin(angle)) < 1e-7);
        assert_true(fabs((double)pose->nodes[0].node_to_scene[3][2] - 3) < 1e-7);
    }
}

/* Hermite's basis at the middle of an interval of 2 s: (p0 + p1) / 2 + 2 (m0 - m1) / 8. */
TEST(a_spline_scales_tangents_by_the_interval)
{
    SCOPED_ARENA arena = make_arena();
    struct rig rig;
    rig_begin(&rig, "spline", arena);
    rig_add_node(&rig, "a", RIG_NONE, 0, 0, 0);
    const double times[] = {1, 3}, values[18] = {[3] = 1, [6] = 4, [9] = -2, [12] = 5};
    rig_add_channel(&rig, rig_add_clip(&rig, "c"), 0, RIG_TRANSLATION, RIG_CUBIC, 2, times, values, 0);
    rig_settle(&rig);
    assert_true(fabs((double)truth_pose(&rig, "m", 0, 2)->nodes[0].local.translation[0] - (3 + 2 * (4 + 2) / 8.0)) < 1e-6);
    assert_true(fabs((double)truth_pose(&rig, "m", 0, 0)->nodes[0].local.translation[0] - 1) < 1e-6);
    assert_true(fabs((double)truth_pose(&rig, "m", 0, 9)->nodes[0].local.translation[0] - 5) < 1e-6);
}

/* The hash is of all files and poses, added up: 32 bits of FNV-1a. */
static uint32_t hash_of(const struct rig *rig, uint32_t hash)
{
    SCOPED(text) text = {0};
    gltf_write(rig, false, &text);
    gltf_write(rig, true, &text);
    truth_write(rig, "m", &text);
    for (size_t i = 0; i < text.size; i++)
        hash = (hash ^ (unsigned char)text.data[i]) * 16777619u;
    return hash;
}

TEST(the_same_bytes_everywhere)
{
    uint32_t rules = 2166136261u, random = 2166136261u;
    for (uint32_t i = 0; i < rule_count() + 30; i++) {
        SCOPED_ARENA arena = make_arena();
        struct rig rig;
        if (i < rule_count())
            rule_describe(rule_at(i), arena, &rig);
        else
            rig_random("r", 12, i, (enum rig_size)(i % RIG_SIZES), RIG_MIX_ALL, arena, &rig);
        *(i < rule_count() ? &rules : &random) = hash_of(&rig, i < rule_count() ? rules : random);
    }
    assert_int_equal(rules, 0x82bf1a5du);
    assert_int_equal(random, 0x233b0eb2u);
}

/* What is not mixed is not there. */
TEST(a_mix_leaves_out_the_rest)
{
    for (uint32_t i = 0; i < 40; i++) {
        SCOPED_ARENA arena = make_arena();
        struct rig rig;
        rig_random("r", 9, i, RIG_SMALL, 0, arena, &rig);
        for (uint32_t m = 0; m < rig.mesh_count; m++)
            assert_true(rig.meshes[m].target_count == 0 && rig.meshes[m].weight_number == RIG_FLOAT);
        for (uint32_t c = 0; c < rig.channel_count; c++)
            assert_true(rig.channels[c].curve == RIG_LINEAR && rig.channels[c].path != RIG_SCALE);
    }
}
