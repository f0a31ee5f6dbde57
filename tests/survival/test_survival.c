/* Checks of `inspect --for` on scenes small enough to work out every number by hand. */

#include "scene_builder.h"
#include "survival/survival.h"

/*
 * Chain of nodes root, a, b (node0 to node2). A mesh on the root of two vertices, at x = -3 and x = 3, both held by bone a:
 * radius 3. Bone b is there, and a clip of 1 s in which every component of every node has one key, its rest.
 */
struct rig {
    struct scene *scene;
    struct mesh *mesh;
    struct channel *b; /* of the clip */
    struct scene *raw; /* NULL: the scene */
};

static void hold_at_rest(struct scene *scene, struct channel *channel)
{
    const struct transform *rest = &scene->nodes[channel->node].rest;
    const double start = 0;
    builder_keys(scene, channel, COMPONENT_TRANSLATION, INTERPOLATE_LINEAR, 1, &start, rest->translation);
    builder_keys(scene, channel, COMPONENT_ROTATION, INTERPOLATE_LINEAR, 1, &start, rest->rotation);
    builder_keys(scene, channel, COMPONENT_SCALE, INTERPOLATE_LINEAR, 1, &start, rest->scale);
}

static struct rig make_rig(uint32_t bones)
{
    struct rig rig = {.scene = builder_scene(bones + 1)};
    struct scene *scene = rig.scene;
    static struct material material = {.name = "skin", .base_texture = 0};
    static struct texture texture = {.name = "skin.png", .width = 4, .height = 4};
    scene->format = "gltf";
    scene->assimp_version = "5.2.4";
    scene->up_axis = 1;
    scene->up_sign = 1;
    scene->unit_meters = 1;
    scene->material_count = scene->texture_count = 1;
    scene->materials = &material;
    scene->textures = &texture;
    rig.mesh = builder_mesh(scene, 0, 2, bones);
    for (uint32_t b = 0; b < bones; b++)
        rig.mesh->bones[b].node = b + 1;
    for (int v = 0; v < 2; v++) {
        rig.mesh->positions[v][0] = v == 0 ? -3.0f : 3.0f;
        rig.mesh->normals[v][1] = 1;
    }
    builder_influences(scene, rig.mesh, 1, (struct influence[]){{0, 1}, {0, 1}});
    struct clip *clip = builder_clip(scene, 1);
    for (uint32_t i = 0; i < clip->channel_count; i++)
        hold_at_rest(scene, &clip->channels[i]);
    rig.b = bones > 1 ? &clip->channels[2] : NULL;
    return rig;
}

/* Vertex 1 follows bone b, whose x is `values` at `times`. */
static void move_b(struct rig *rig, enum interpolation interpolation, double begin, double end, float from, float to)
{
    const double times[] = {begin, end};
    const float values[] = {from, 0, 0, to, 0, 0};
    builder_keys(rig->scene, rig->b, COMPONENT_TRANSLATION, interpolation, 2, times, values);
    builder_influences(rig->scene, rig->mesh, 1, (struct influence[]){{0, 1}, {1, 1}});
}

static const struct survival *examine(struct rig *rig)
{
    scene_bind(rig->scene);
    const struct survival_input input = {rig->scene, rig->raw ? rig->raw : rig->scene, NULL, (1u << ENGINE_COUNT) - 1};
    return survival_examine(&input, rig->scene->arena);
}

static const struct survival_finding *find(const struct survival *survival, enum survival_engine engine, const char *check)
{
    const struct survival_engine_result *result = &survival->engines[engine];
    for (uint32_t i = 0; i < result->finding_count; i++)
        if (strcmp(result->findings[i].check, check) == 0)
            return &result->findings[i];
    return NULL;
}

enum {
    L = 1 << ENGINE_LEARNOPENGL,
    O = 1 << ENGINE_OGLDEV,
    G = 1 << ENGINE_GLTF_ARTICLE,
    M = 1 << ENGINE_PALETTE_ARTICLE,
    T = 1 << ENGINE_THESIS,
    API = 1 << ENGINE_GLES3 | 1 << ENGINE_WEBGL2,
};

/* Each of these engines has that finding, with that effect and measure. */
static void require(const struct survival *survival, unsigned engines, const char *check, enum survival_effect effect,
                    double measure)
{
    for (unsigned i = 0; i < ENGINE_COUNT; i++) {
        if (!(engines >> i & 1))
            continue;
        const struct survival_finding *finding = find(survival, i, check);
        if (!finding)
            fail_msg("%s: no finding %s", survival_engine_names[i], check);
        if (finding->effect != effect || !(fabs(finding->measure - measure) <= 1e-5 * (1 + fabs(measure))))
            fail_msg("%s, %s: %s, %.9g, not %s, %.9g", survival_engine_names[i], check,
                     survival_effect_names[finding->effect], finding->measure, survival_effect_names[effect], measure);
        assert_true(finding->text[0] && finding->remedy[0] && finding->unit[0]);
        assert_true(effect == EFFECT_NOTE || !survival->engines[i].survives);
    }
}

/* Of all other engines none has it. */
static void require_only(const struct survival *survival, unsigned engines, const char *check)
{
    for (unsigned i = 0; i < ENGINE_COUNT; i++)
        if (!(engines >> i & 1) && find(survival, i, check))
            fail_msg("%s has a finding %s", survival_engine_names[i], check);
}

static void done(struct rig *rig)
{
    scene_free(rig->scene);
    scene_free(rig->raw);
}
#define RIG RELEASED_BY(done) struct rig

TEST(a_plain_model_survives_all)
{
    RIG rig = make_rig(2);
    rig.scene->clips->channels++; /* the root is no bone */
    rig.scene->clips->channel_count--;
    const struct survival *survival = examine(&rig);
    assert_int_equal(survival->engine_count, ENGINE_COUNT);
    for (unsigned i = 0; i < ENGINE_COUNT; i++)
        if (survival->engines[i].finding_count > 0)
            fail_msg("%s: %s", survival->engines[i].engine, survival->engines[i].findings[0].text);
    assert_true(survival_is_good(survival));
    assert_true(fabs(survival->radius - 3) < 1e-6);
}

/* To vertex 1. */
static void give_five(struct rig *rig, const struct influence five[5])
{
    struct influence *all = ARENA_NEW(rig->scene->arena, struct influence, 6);
    all[0] = (struct influence){0, 1};
    memcpy(all + 1, five, 5 * sizeof *all);
    rig->mesh->influences = all;
    memcpy(rig->mesh->influence_first, (uint32_t[]){0, 1, 6}, 3 * sizeof(uint32_t));
}

/* Weights 0.3 0.2 0.2 0.2 0.1 of bones 4 3 2 1 0, all at rest, at x = 3. The first four lack 0.3; those above 0.1 lack 0.1. */
TEST(influences_beyond_four_cost_what_is_dropped)
{
    RIG rig = make_rig(5);
    give_five(&rig, (struct influence[]){{4, 0.3f}, {1, 0.2f}, {2, 0.2f}, {3, 0.2f}, {0, 0.1f}});
    const struct survival *survival = examine(&rig);
    require(survival, L, "influences", EFFECT_CHANGES, 0.9);
    require(survival, T, "influences", EFFECT_CHANGES, 0.3);
    require(survival, O, "influences", EFFECT_BREAKS, 5);
    assert_true(fabs(find(survival, ENGINE_OGLDEV, "influences")->share - 0.3) < 1e-5);
    require_only(survival, L | O | T, "influences"); /* rescaled, four still bones give the same */
}

/* The four largest are rescaled: of 0.2 each, the fifth bone is at x + 2, so that a fifth of 2 is lost. */
TEST(the_largest_four_lose_the_fifth_bone)
{
    RIG rig = make_rig(5);
    give_five(&rig, (struct influence[]){{0, 0.2f}, {1, 0.2f}, {2, 0.2f}, {3, 0.2f}, {4, 0.2f}});
    const float away[] = {2, 0, 0};
    builder_keys(rig.scene, &rig.scene->clips->channels[5], COMPONENT_TRANSLATION, INTERPOLATE_LINEAR, 1, (double[]){0}, away);
    const struct survival *survival = examine(&rig);
    require(survival, G | M, "influences", EFFECT_CHANGES, 0.4);
}

/* Bone a: no offset in the first mesh, 2 along x in the second, whose vertices it holds half. */
TEST(one_bone_with_two_offsets)
{
    RIG rig = make_rig(2);
    struct mesh *meshes = ARENA_NEW(rig.scene->arena, struct mesh, 2);
    meshes[0] = meshes[1] = *rig.mesh;
    meshes[1].bones = ARENA_NEW(rig.scene->arena, struct bone, 2);
    memcpy(meshes[1].bones, rig.mesh->bones, 2 * sizeof *meshes[1].bones);
    meshes[1].bones[0].mesh_to_bone[3][0] = 2;
    builder_influences(rig.scene, &meshes[1], 2, (struct influence[]){{0, 0.5f}, {1, 0.5f}, {0, 0.5f}, {1, 0.5f}});
    struct instance *instances = ARENA_NEW(rig.scene->arena, struct instance, 2);
    instances[1].mesh = 1;
    rig.scene->meshes = meshes;
    rig.scene->instances = instances;
    rig.scene->mesh_count = rig.scene->instance_count = 2;
    scene_label_meshes(rig.scene);
    const struct survival *survival = examine(&rig);
    require(survival, L, "offsets", EFFECT_CHANGES, 1); /* the second mesh moves back */
    require(survival, O, "offsets", EFFECT_CHANGES, 2);      /* the first mesh gets it */
    require(survival, T, "offsets", EFFECT_CHANGES, 1);
    require_only(survival, L | O | T, "offsets");
}

/* x = 2 t. At 1.5 ticks a second taken for 1, 2 / 3 of the time has passed. */
TEST(tick_rates)
{
    RIG rig = make_rig(2);
    move_b(&rig, INTERPOLATE_LINEAR, 0, 1, 0, 2);
    rig.scene->clips->ticks_per_second = 1.5;
    const struct survival *survival = examine(&rig);
    require(survival, L, "tick-rate", EFFECT_CHANGES, 2.0 / 3);
    require_only(survival, L, "tick-rate");
    require_only(survival, 0, "no-tick-rate");
    rig.scene->clips->ticks_per_second = 0.5; /* truncated to 0 */
    require(examine(&rig), L, "tick-rate", EFFECT_CHANGES, 2);
    rig.scene->clips->ticks_per_second = 0;
    survival = examine(&rig);
    require(survival, L, "no-tick-rate", EFFECT_CHANGES, 2);
    require_only(survival, L, "no-tick-rate"); /* ogldev and the thesis take 25 */
}

/* From x = 1 at 0.5 s to 3 at 1 s: continued backwards -1 at 0 s, from the identity 0, and held it is 1. */
TEST(keys_that_begin_late)
{
    RIG rig = make_rig(2);
    move_b(&rig, INTERPOLATE_LINEAR, 0.5, 1, 1, 3);
    const struct survival *survival = examine(&rig);
    require(survival, L | O, "late-keys", EFFECT_CHANGES, 2);
    require(survival, M, "late-keys", EFFECT_CHANGES, 1);
    require_only(survival, L | O | M, "late-keys");
    require_only(survival, 0, "early-end");
    /* Steps from 0 at 0.5 s: what a line between them is off by is another check's. */
    move_b(&rig, INTERPOLATE_STEP, 0.5, 1, 0, 3);
    require_only(examine(&rig), 0, "late-keys");
}

TEST(keys_that_end_early)
{
    RIG rig = make_rig(2);
    move_b(&rig, INTERPOLATE_LINEAR, 0, 0.75, 0, 2);
    const struct survival *survival = examine(&rig);
    require(survival, L, "early-end", EFFECT_BREAKS, 0.25);
    assert_true(fabs(find(survival, ENGINE_LEARNOPENGL, "early-end")->time - 0.75) < 1e-9);
    require(survival, O, "early-end", EFFECT_BREAKS, 0.25);
    require_only(survival, L | O, "early-end");
}

/* Bone a rests at y = 5, twice as large. Without these keys it is at y = 0, and a vertex at x = 6 comes to 3. */
TEST(components_without_keys)
{
    RIG rig = make_rig(2), large = make_rig(2);
    struct channel *a = &rig.scene->clips->channels[1];
    builder_rest(rig.scene, 1, (struct transform){{0, 5, 0}, {0, 0, 0, 1}, {1, 1, 1}});
    hold_at_rest(rig.scene, a);
    a->keys[COMPONENT_TRANSLATION].count = 0;
    const struct survival *survival = examine(&rig);
    require(survival, M | T, "absent-keys", EFFECT_CHANGES, 5);
    require(survival, L | O, "absent-keys", EFFECT_BREAKS, 1);
    require_only(survival, L | O | M | T, "absent-keys");
    builder_rest(large.scene, 1, (struct transform){{0, 0, 0}, {0, 0, 0, 1}, {2, 2, 2}});
    large.scene->clips->channels[1].keys[COMPONENT_SCALE].count = 0;
    survival = examine(&large);
    require(survival, M, "absent-keys", EFFECT_CHANGES, 3);
    require_only(survival, L | O | M, "absent-keys"); /* a zero position alone is the thesis's */
}

/* A step stays at 0 until 1 s; a line is at 2 t. The last time before is the middle of the 16th part: 31/32. */
TEST(steps_that_become_lines)
{
    RIG rig = make_rig(2);
    move_b(&rig, INTERPOLATE_STEP, 0, 1, 0, 2);
    const struct survival *survival = examine(&rig);
    require(survival, L, "interpolation", EFFECT_CHANGES, 2 * 31.0 / 32);
    require_only(survival, L | O | G | M | T, "interpolation");
}

TEST(the_end_shows_the_beginning)
{
    RIG rig = make_rig(2);
    move_b(&rig, INTERPOLATE_LINEAR, 0, 1, 0, 2);
    const struct survival *survival = examine(&rig);
    require(survival, O, "loop-end", EFFECT_NOTE, 2);
    assert_true(find(survival, ENGINE_OGLDEV, "loop-end")->time == 1);
    require_only(survival, L | O | T, "loop-end");
    assert_true(survival_is_good(survival)); /* notes alone */
}

/* A pivot that rests at z = 4, and that a repair holds at the identity. */
TEST(pivots_that_count_twice)
{
    RIG rig = make_rig(2);
    struct channel *pivot = &rig.scene->clips->channels[1];
    rig.scene->nodes[1].name = "b_$AssimpFbx$_Rotation";
    builder_rest(rig.scene, 1, (struct transform){{0, 0, 4}, {0, 0, 0, 1}, {1, 1, 1}});
    pivot->is_repair = true;
    const struct survival *survival = examine(&rig);
    require(survival, L, "pivots", EFFECT_CHANGES, 4);
    require_only(survival, L | O | M | T, "pivots");
    pivot->is_repair = false;
    require(examine(&rig), L, "pivots", EFFECT_NOTE, 1);
}

TEST(the_root_is_taken_away)
{
    RIG rig = make_rig(2);
    builder_rest(rig.scene, 0, (struct transform){{7, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}});
    hold_at_rest(rig.scene, &rig.scene->clips->channels[0]);
    const struct survival *survival = examine(&rig);
    require(survival, O, "root", EFFECT_CHANGES, 7);
    require_only(survival, O, "root");
}

/* Scale (2, 1, 1), normal (1, 1): the right one is along (1/2, 1), the text's along (2, 1). Their cosine is 4/5. */
TEST(normals_of_a_stretched_bone)
{
    RIG rig = make_rig(2);
    builder_rest(rig.scene, 1, (struct transform){{0, 0, 0}, {0, 0, 0, 1}, {2, 1, 1}});
    hold_at_rest(rig.scene, &rig.scene->clips->channels[1]);
    rig.mesh->normals[1][0] = rig.mesh->normals[1][1] = (float)sqrt(0.5);
    const struct survival *survival = examine(&rig);
    require(survival, O, "normals", EFFECT_CHANGES, acos(0.8) * 180 / 3.14159265358979);
    require_only(survival, O, "normals");
}

/* Half of no turn and half of a quarter turn about z: x and y shrink by sqrt(1 / 2), z stays. No fault of the model: a note. */
TEST(normals_of_bones_that_turn)
{
    RIG rig = make_rig(2);
    builder_rest(rig.scene, 2, (struct transform){{0, 0, 0}, {0, 0, (float)sqrt(0.5), (float)sqrt(0.5)}, {1, 1, 1}});
    hold_at_rest(rig.scene, rig.b);
    builder_influences(rig.scene, rig.mesh, 2, (struct influence[]){{0, 0.5f}, {1, 0.5f}, {0, 0.5f}, {1, 0.5f}});
    rig.mesh->normals[1][0] = rig.mesh->normals[1][2] = (float)sqrt(0.5);
    rig.mesh->normals[1][1] = 0;
    const struct survival *survival = examine(&rig);
    const double right = atan(sqrt(2)), wrong = atan(sqrt(0.5));
    require(survival, O, "normals", EFFECT_NOTE, (right - wrong) * 180 / 3.14159265358979);
    require_only(survival, O, "normals");
}

TEST(morph_targets_are_left_out)
{
    RIG rig = make_rig(2);
    static vec3 deltas[] = {{0, 0, 0}, {0, 1, 0}};
    static struct morph_target target = {.name = "up", .position_deltas = deltas, .default_weight = 0.5f};
    rig.mesh->target_count = 1;
    rig.mesh->targets = &target;
    const struct survival *survival = examine(&rig);
    require(survival, T, "morphs", EFFECT_CHANGES, 0.5);
    require_only(survival, L | O | G | M | T, "morphs");
}

/* The importer hands this over: half of a weight, at x = 3. */
TEST(weights_that_do_not_add_up)
{
    RIG rig = make_rig(2);
    struct rig raw = make_rig(2);
    builder_influences(raw.scene, raw.mesh, 1, (struct influence[]){{0, 1}, {0, 0.5f}});
    scene_bind(raw.scene);
    rig.raw = raw.scene;
    const struct survival *survival = examine(&rig);
    require(survival, O | T, "weight-sums", EFFECT_CHANGES, 1.5);
    assert_non_null(strstr(find(survival, ENGINE_OGLDEV, "weight-sums")->text, "weights of 1 of 2 vertices do not add up to 1, but to 0.5 to 1: vertices"));
    require_only(survival, L | O | T, "weight-sums");
}

/* Twice 1/2 is twice 128/255: 3 becomes 3 * 256/255. */
TEST(weights_in_bytes)
{
    RIG rig = make_rig(2);
    builder_influences(rig.scene, rig.mesh, 2, (struct influence[]){{0, 0.5f}, {1, 0.5f}, {0, 0.5f}, {1, 0.5f}});
    const struct survival *survival = examine(&rig);
    require(survival, M, "byte-weights", EFFECT_NOTE, 3.0 / 255);
    require_only(survival, M, "byte-weights"); /* the glTF article divides by the sum */
}

TEST(limits_of_bones)
{
    static const struct {
        uint32_t most;
        enum survival_engine engine;
        const char *check;
        enum survival_effect effect;
    } limits[] = {
        {100, ENGINE_LEARNOPENGL, "bones", EFFECT_BREAKS},     {100, ENGINE_OGLDEV, "bones", EFFECT_BREAKS},
        {128, ENGINE_PALETTE_ARTICLE, "bones", EFFECT_BREAKS}, {256, ENGINE_GLTF_ARTICLE, "bones", EFFECT_BREAKS},
        {85, ENGINE_GLTF_ARTICLE, "uniforms", EFFECT_NOTE},    {61, ENGINE_GLES3, "uniforms", EFFECT_NOTE},
        {341, ENGINE_WEBGL2, "bones", EFFECT_BREAKS},
    };
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        RIG full = make_rig(limits[i].most), over = make_rig(limits[i].most + 1);
        assert_null(find(examine(&full), limits[i].engine, limits[i].check));
        require(examine(&over), 1u << limits[i].engine, limits[i].check, limits[i].effect, limits[i].most + 1);
    }
}

/* 99 bones and the channel of the root are 100; a channel of an unknown node is one more. */
TEST(channels_without_a_bone_take_places)
{
    RIG rig = make_rig(99);
    require(examine(&rig), L, "missing-bones", EFFECT_NOTE, 100);
    struct clip *clip = rig.scene->clips;
    struct channel *channels = ARENA_NEW(rig.scene->arena, struct channel, clip->channel_count + 1u);
    memcpy(channels, clip->channels, clip->channel_count * sizeof *channels);
    channels[clip->channel_count] = channels[0];
    channels[clip->channel_count].node = NO_INDEX;
    channels[clip->channel_count++].node_name = "gone";
    clip->channels = channels;
    const struct survival *survival = examine(&rig);
    require(survival, L, "missing-bones", EFFECT_BREAKS, 101);
    require_only(survival, L, "missing-bones");
}

TEST(vertices_that_follow_no_bone)
{
    RIG rig = make_rig(2);
    rig.mesh->bones[1].follows_mesh_node = true; /* as the repair has it */
    builder_influences(rig.scene, rig.mesh, 1, (struct influence[]){{0, 1}, {1, 1}});
    const struct survival *survival = examine(&rig);
    require(survival, T, "unskinned", EFFECT_CHANGES, 1);
    require_only(survival, L | O | M | T, "unskinned");
}

/* Bone b rests 1 beside where it was bound. */
TEST(the_rest_pose_is_another)
{
    RIG rig = make_rig(2);
    builder_rest(rig.scene, 2, (struct transform){{0, 0, 1}, {0, 0, 0, 1}, {1, 1, 1}});
    builder_influences(rig.scene, rig.mesh, 1, (struct influence[]){{0, 1}, {1, 1}});
    const struct survival *survival = examine(&rig);
    require(survival, L, "rest-pose", EFFECT_NOTE, 1);
    require_only(survival, L, "rest-pose"); /* the thesis shows the nodes' own transforms */
    rig.scene->clip_count = 0;
    survival = examine(&rig);
    require(survival, L, "rest-pose", EFFECT_CHANGES, 1);
    require(survival, L | O, "clips", EFFECT_BREAKS, 0);
    require_only(survival, L | O, "clips");
}

TEST(what_surrounds_the_skeleton)
{
    RIG rig = make_rig(2);
    struct scene *scene = rig.scene;
    struct material material = {.name = "skin", .base_texture = 0};
    struct texture texture = {.name = "*0", .width = 4096, .height = 1};
    scene->materials = &material;
    scene->textures = &texture;
    scene->unit_meters = 0.01;
    scene->up_axis = 2;
    scene->format = "fbx";
    const struct survival *survival = examine(&rig);
    require(survival, T, "unit", EFFECT_CHANGES, 0.01);
    require(survival, O, "up-axis", EFFECT_CHANGES, 90);
    require(survival, L | O, "embedded-textures", EFFECT_CHANGES, 1);
    require_only(survival, L | O, "embedded-textures");
    require(survival, 1u << ENGINE_WEBGL2, "texture-size", EFFECT_NOTE, 4096);
    require_only(survival, API, "texture-size");
    require(survival, G, "format", EFFECT_BREAKS, 1);
    assert_int_equal(survival->engines[ENGINE_GLTF_ARTICLE].finding_count, 1);
    texture.missing = true;
    require(examine(&rig), O, "textures", EFFECT_CHANGES, 1);
    material.base_texture = NO_INDEX;
    survival = examine(&rig);
    require(survival, T, "untextured", EFFECT_CHANGES, 1);
    require_only(survival, L | T, "untextured");
}

/* A fault of the importer: the vertex is 6 away. Without a note of a repair that is not told elsewhere it is not said. */
TEST(what_the_importer_alone_makes_of_it)
{
    RIG rig = make_rig(2);
    struct rig raw = make_rig(2);
    raw.mesh->positions[1][1] = 6;
    scene_bind(raw.scene);
    rig.raw = raw.scene;
    require_only(examine(&rig), 0, "import");
    scene_note(rig.scene, NOTE_REPAIR, "name-clash", "two of one name");
    const struct survival *survival = examine(&rig);
    require(survival, M, "import", EFFECT_CHANGES, 6);
    require_only(survival, L | O | M | T, "import");
    const struct survival_input unread = {rig.scene, NULL, "crashed", L | T};
    survival = survival_examine(&unread, rig.scene->arena);
    assert_int_equal(survival->engine_count, 2);
    assert_string_equal(survival->engines[1].engine, "thesis");
    assert_int_equal(survival->engines[1].findings[0].effect, EFFECT_BREAKS);
    assert_false(survival_is_good(survival));
}

/* Two nodes called x: b, which the bone means and the clip moves by 2, and one above it. Who binds the first has nothing right;
 * who walks to the last has the bone right, and moves the other one too, which carries b: 2 more. */
TEST(two_nodes_of_one_name)
{
    RIG rig = make_rig(3);
    struct rig raw = make_rig(3);
    for (int i = 0; i < 2; i++) {
        struct rig *one = i == 0 ? &rig : &raw;
        one->scene->nodes[2].name = one->scene->nodes[3].name = "x";
        struct channel *moves = &one->scene->clips->channels[i == 0 ? 3 : 2];
        const float away[] = {2, 0, 0};
        builder_keys(one->scene, moves, COMPONENT_TRANSLATION, INTERPOLATE_LINEAR, 1, (double[]){0}, away);
        one->scene->clips->channels[i == 0 ? 2 : 3].node = NO_INDEX;
        one->mesh->bones[1].node = i == 0 ? 3 : 2;
        one->mesh->bones[2].node = 1;
        builder_influences(one->scene, one->mesh, 1, (struct influence[]){{0, 1}, {1, 1}});
    }
    scene_bind(raw.scene);
    rig.raw = raw.scene;
    scene_note(rig.scene, NOTE_REPAIR, "name-clash", "two of one name");
    const struct survival *survival = examine(&rig);
    require(survival, L, "import", EFFECT_CHANGES, 2);
    assert_null(find(survival, ENGINE_THESIS, "import")); /* the first alone is moved: the vertex is there all the same */
}

TEST(bones_without_a_node)
{
    RIG rig = make_rig(2);
    scene_note(rig.scene, NOTE_WARNING, "bone-without-node", "there is no node for 1 of 2 bones");
    const struct survival *survival = examine(&rig);
    require(survival, L, "lost-bones", EFFECT_CHANGES, 1);
    require_only(survival, L | O | M | T, "lost-bones");
}

/* One key at 0.5 s is a constant to those who take a single key; who blends from the identity at 0 begins there. */
TEST(a_single_key_that_is_late)
{
    RIG rig = make_rig(2);
    const float away[] = {2, 0, 0};
    builder_keys(rig.scene, &rig.scene->clips->channels[1], COMPONENT_TRANSLATION, INTERPOLATE_LINEAR, 1, (double[]){0.5}, away);
    const struct survival *survival = examine(&rig);
    require(survival, M, "late-keys", EFFECT_CHANGES, 2);
    require_only(survival, M, "late-keys");
}

/* Names of a file may be anything, and numbers too. */
TEST(hostile_names_and_numbers)
{
    RIG rig = make_rig(2);
    rig.scene->nodes[2].name = "\x1b[2J\n::error::\xff";
    rig.scene->clips->name = "a\nb";
    move_b(&rig, INTERPOLATE_LINEAR, 0.5, 1, 1e30f, 3e38f);
    const struct survival *survival = examine(&rig);
    SCOPED(text) text = {0}, json = {0};
    survival_write_text(survival, &text);
    survival_write_json(survival, &json);
    assert_null(strstr(text_string(&text), "\x1b"));
    assert_null(strstr(text_string(&text), "\n::"));
    assert_null(strstr(text_string(&json), "inf"));
    assert_null(strstr(text_string(&json), "nan"));
}
