/* Repairs of COLLADA's clips and of Half-Life's MDL. What comes of them in numbers is cli_expected's business. */
#include "import/import_fixture.h"

#include "import/scene/convert.h"
#include "scene_builder.h"

TEST(clips_are_made_of_the_file)
{
    SCENE *scene = load_with("limb/limb.dae", 0);
    assert_int_equal(scene->clip_count, 3);
    assert_contains(note_of(scene, NOTE_WARNING, "dae-clips"), "the repair is off");
    ANOTHER(scene, load("limb/limb.dae"));
    assert_int_equal(scene->clip_count, 1);
    assert_contains(note_of(scene, NOTE_REPAIR, "dae-clips"), "3 of Assimp's are one");
    ANOTHER(scene, load("walker/walker.dae")); /* Assimp puts this one together itself */
    assert_null(note_of(scene, NOTE_REPAIR, "dae-clips"));
}

/* (x, y, z) is bound at T(8, 0, 0) T(0, 0, 4) Rz(90) S(1, 2, 1) of it, from where the bone has moved by (0, 1, 0). */
TEST(geometric_transforms_are_in_the_offsets)
{
    static const float points[][2][3] = {{{0, 0, 0}, {8, 0, 4}}, {{1, 0, 0}, {8, 1, 4}}, {{0, 1, 0}, {6, 0, 4}}};
    SCENE *scene = import_path(MODELS "/geometric.fbx", REPAIR_ALL);
    const struct bone *bone = &scene->meshes[0].bones[0];
    for (int i = 0; i < 3; i++) {
        vec3 point;
        affine_point(bone->mesh_to_bone, points[i][0], point);
        ASSERT_NEAR(point, points[i][1], 3, 1e-5f);
    }
    assert_true(scene->nodes[bone->node].local_to_parent[3][1] == 1.0f);
}

/* In a list of vertices and in a property; in a name it is none. */
TEST(long_numbers_count)
{
    static const struct change changes[] = {
        {"a: 0,0,0,1,", "a: 0,0,0,1.2500000000000000000000000000000000000000,"},
        {"GeometricScaling\", \"Vector3D\", \"Vector\", \"\",1,2,1",
         "GeometricScaling\", \"Vector3D\", \"Vector\", \"\",1,0.00000000000000000000000000000000000002E+38,1"},
        {"Model::mast", "Model::11111111111111111111111111111111111"},
        {"Connections:", "; ------------------------------------------------------------\nConnections:"},
    };
    SCENE *scene = import_changed(MODELS "/geometric.fbx", changes, sizeof changes / sizeof changes[0], REPAIR_ALL);
    assert_contains(note_of(scene, NOTE_REPAIR, "fbx-numbers"), "3 numbers of more than 31 characters");
    assert_true(scene->meshes[0].positions[1][0] == 1.25f);
    assert_true(fabsf(scene->meshes[0].bones[0].mesh_to_bone[1][0] + 2.0f) < 1e-5f);
    assert_string_equal(scene->nodes[scene->meshes[0].bones[0].node].name, "11111111111111111111111111111111111");
}

/* ---- Half-Life's MDL ---- */

/* A key a frame, as Assimp has them, and a duration of `duration` seconds. */
static double lasts(uint32_t frames, double rate, double duration)
{
    SCENE *scene = builder_scene(2);
    struct clip *clip = builder_clip(scene, duration);
    double times[64];
    float values[64 * 3] = {0};
    clip->ticks_per_second = rate;
    for (uint32_t k = 0; k < frames; k++)
        times[k] = k / rate;
    builder_keys(scene, &clip->channels[1], COMPONENT_TRANSLATION, INTERPOLATE_LINEAR, frames, times, values);
    builder_keys(scene, &clip->channels[1], COMPONENT_SCALE, INTERPOLATE_LINEAR, frames ? 1 : 0, times, values);
    return mdl_duration(clip);
}

/* Assimp says frames x rate ticks, at `rate` ticks a second: frames taken for seconds. Other durations are believed. */
TEST(frames_are_no_seconds)
{
    static const double rows[][4] = {{26, 30, 26, 25 / 30.0},
                                     {3, 25, 3, 2 / 25.0},
                                     {2, 60, 2, 1 / 60.0},
                                     {1, 10, 1, 0}, /* a pose */
                                     {26, 30, 25 / 30.0, 25 / 30.0},
                                     {26, 30, 26 / 30.0, 26 / 30.0},
                                     {26, 30, 27, 27},
                                     {0, 30, 3, 3}}; /* no key */
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_true(lasts((uint32_t)rows[i][0], rows[i][1], rows[i][2]) == rows[i][3]);
}

enum { ROOT, BONES, LAST, FIRST, MIDDLE, OTHER, COUNT };

/* As Assimp has it: three bones listed beside each other under BONES, LAST before the one that it hangs on. */
static struct aiNode tree[COUNT];

static void list_flat(struct placed_node order[COUNT])
{
    static const int32_t listed[COUNT] = {NO_INDEX, ROOT, BONES, BONES, BONES, ROOT};
    for (int i = 0; i < COUNT; i++) {
        order[i] = (struct placed_node){&tree[i], listed[i]};
        tree[i].mParent = i == ROOT ? NULL : &tree[listed[i]];
    }
}

static void order_is(const struct placed_node order[COUNT], const int nodes[COUNT], const int32_t parents[COUNT])
{
    for (int i = 0; i < COUNT; i++) {
        assert_ptr_equal(order[i].node, &tree[nodes[i]]);
        assert_int_equal(order[i].parent, parents[i]);
    }
}

/* A bone without a parent has the root there, and stays under BONES; siblings keep their order. */
TEST(bones_hang_on_their_own_parents)
{
    static const struct {
        struct aiNode *last, *first, *middle; /* their parents */
        int order[COUNT];
        int32_t parents[COUNT];
    } rows[] = {
        {&tree[MIDDLE], &tree[ROOT], &tree[FIRST], {ROOT, BONES, FIRST, MIDDLE, LAST, OTHER}, {-1, 0, 1, 2, 3, 0}},
        {&tree[MIDDLE], &tree[MIDDLE], &tree[BONES], {ROOT, BONES, MIDDLE, LAST, FIRST, OTHER}, {-1, 0, 1, 2, 2, 0}}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct placed_node order[COUNT];
        list_flat(order);
        tree[LAST].mParent = rows[i].last;
        tree[FIRST].mParent = rows[i].first;
        tree[MIDDLE].mParent = rows[i].middle;
        assert_int_equal(mdl_parents(order, COUNT), 2);
        order_is(order, rows[i].order, rows[i].parents);
    }
}

TEST(bad_parents_change_nothing)
{
    static struct aiNode stranger;
    static const struct {
        struct aiNode *last, *middle; /* their parents */
    } rows[] = {{&tree[BONES], &tree[BONES]},
                {&stranger, NULL},
                {&tree[MIDDLE], &tree[LAST]}, /* a circle */
                {&tree[LAST], &tree[BONES]}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct placed_node order[COUNT];
        list_flat(order);
        tree[LAST].mParent = rows[i].last;
        tree[MIDDLE].mParent = rows[i].middle;
        assert_int_equal(mdl_parents(order, COUNT), 0);
        order_is(order, (const int[]){ROOT, BONES, LAST, FIRST, MIDDLE, OTHER},
                 (const int32_t[]){NO_INDEX, 0, 1, 1, 1, 0});
    }
}

/* A component without keys has no values: there is nothing to copy from. */
TEST(components_without_keys_stay_so)
{
    SCENE *scene = builder_scene(1);
    struct clip *clip = builder_clip(scene, 1);
    struct conversion c = {.scene = scene, .err = ANY_ERROR};
    assert_true(finish_clips(&c));
    for (int k = 0; k < COMPONENT_COUNT; k++)
        assert_null(clip->channels[0].keys[k].values);
}

TEST(the_root_looks_one_way)
{
    static const mat4 quake = {{1, 0, 0, 0}, {0, 0, -1, 0}, {0, 1, 0, 0}, {0, 0, 0, 1}};
    static const struct {
        const char *node;
        float ahead[3];                      /* where the root takes Half-Life's x; z is up */
    } rows[] = {{"<MDL_frames>", {1, 0, 0}}, /* Quake's has no node for bones */
                {"<MDL_bones>", {0, 0, -1}}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        SCENE *scene = builder_scene(2);
        struct conversion c = {.scene = scene};
        scene->format = "mdl";
        scene->assimp_version = "5.4.3";
        scene->nodes[0].name = "<MDL_root>";
        scene->nodes[1].name = rows[i].node;
        memcpy(scene->nodes[0].local_to_parent, quake, sizeof quake);
        repair_mdl_root_axes(&c);
        ASSERT_NEAR(scene->nodes[0].local_to_parent[0], rows[i].ahead, 3, 0);
        ASSERT_NEAR(scene->nodes[0].local_to_parent[2], (const float[]){0, 1, 0}, 3, 0);
        assert_int_equal(scene->note_count, i == 1);
    }
}
