/* The scene: bindings, nodes by name, limited influences, notes. */

#include "data/image/font.h"
#include "data/tiny_scene.h"
#include "run_binary.h"

TEST(bindings_follow_meshes_and_instances)
{
    SCENE *scene = tiny_scene();
    const struct binding *b = scene->bindings;
    assert_int_equal(scene->binding_count, 3);
    assert_true(scene->instances[0].first_binding == 0 && scene->instances[0].binding_count == 2);
    assert_true(scene->instances[1].first_binding == 2 && scene->instances[1].binding_count == 1);
    assert_true(b[0].node == 1 && b[1].node == 2 && b[1].instance == 0);
    assert_ptr_equal(b[1].mesh_to_bone, scene->meshes[0].bones[1].mesh_to_bone); /* the bone's own, no copy */
    assert_true(b[2].instance == 1 && b[2].node == 3); /* rigid: its own node with the identity */
    assert_true(affine_is_identity(b[2].mesh_to_bone, 0));
    scene->instances[1] = (struct instance){.mesh = 0, .node = 3}; /* two instances have two entries */
    scene_bind(scene);
    assert_int_equal(scene->binding_count, 4);
    assert_true(scene->bindings[3].node == 2 && scene->bindings[3].instance == 1);
}

TEST(only_bound_nodes_are_bones)
{
    SCENE *scene = tiny_scene();
    for (uint32_t i = 0; i < scene->node_count; i++) {
        assert_int_equal(scene->nodes[i].is_bone, i == 1 || i == 2);
        scene->nodes[i].is_bone = false;
    }
    scene->meshes[0].bones[0].follows_mesh_node = true; /* holds vertices without weights: no bone of the file */
    scene_bind(scene);
    assert_true(!scene->nodes[1].is_bone && scene->nodes[2].is_bone);
}

static void has_joints(const struct scene *scene, bool a, bool b, bool c, bool d)
{
    const bool want[4] = {a, b, c, d};
    bool joint[4] = {false};
    scene_joints(scene, joint);
    for (int n = 0; n < 4; n++)
        assert_int_equal(joint[n], want[n]);
}

TEST(joints_are_bones_or_what_comes_nearest)
{
    SCENE *scene = tiny_scene();
    struct channel channels[] = {{.node = NO_INDEX}, {.node = 2}};
    struct clip clip = {.channel_count = 2, .channels = channels};
    scene->clip_count = 1;
    scene->clips = &clip;
    assert_int_equal(scene->node_count, 4);
    has_joints(scene, false, true, true, false); /* bones */
    scene->nodes[1].is_bone = scene->nodes[2].is_bone = false;
    scene->bindings += 2;
    scene->binding_count = 1;
    has_joints(scene, false, false, false, true); /* what carries meshes */
    scene->binding_count = 0;
    has_joints(scene, false, false, true, false); /* what clips move */
    channels[1].node = NO_INDEX;
    has_joints(scene, true, true, true, true);
}

/* Of several nodes of one name the first bone, else the first. */
TEST(nodes_and_bones_are_found_by_name)
{
    SCENE *scene = tiny_scene();
    struct error err = {0}, near = {0}, far = {0};
    scene->nodes[3].name = "rig";
    assert_int_equal(scene_find_node(scene, "rig"), 0);
    assert_int_equal(scene_find_node(scene, "tip \"x\""), 2);
    assert_int_equal(scene_find_node(scene, "Rig"), NO_INDEX);
    assert_int_equal(scene_find_node(scene, ""), NO_INDEX);
    scene->nodes[2].name = "rig";
    assert_int_equal(scene_find_node(scene, "rig"), 2);
    assert_int_equal(scene_find_bone(scene, "rig", &err), 2);
    assert_int_equal(scene_find_bone(scene, "rgi", &near), NO_INDEX);
    assert_non_null(strstr(near.text, "did you mean `rig`?"));
    assert_int_equal(scene_find_bone(scene, "something else", &far), NO_INDEX);
    assert_null(strstr(far.text, "did you mean"));
    scene_free(NULL);
}

/* Three vertices with 1, 3 and 5 influences; the last one's add up to 2. */
static struct scene *heavy_scene(void)
{
    static const struct influence influences[] = {
        {0, 1.0f}, {1, 0.5f}, {0, 0.3f}, {2, 0.2f}, {4, 0.8f}, {3, 0.5f}, {2, 0.3f}, {1, 0.2f}, {0, 0.2f},
    };
    static const uint32_t first[] = {0, 1, 4, 9};
    struct scene *scene = tiny_scene();
    struct mesh *mesh = &scene->meshes[0];
    mesh->bone_count = 5;
    mesh->bones = ARENA_NEW(scene->arena, struct bone, 5);
    mesh->influences = ARENA_NEW(scene->arena, struct influence, 9);
    memcpy(mesh->influences, influences, sizeof influences);
    memcpy(mesh->influence_first, first, sizeof first);
    return scene;
}

static void influences_are(const struct mesh *mesh, uint32_t vertex, const struct influence *expected, uint32_t count)
{
    assert_int_equal(mesh->influence_first[vertex + 1] - mesh->influence_first[vertex], count);
    const struct influence *got = mesh->influences + mesh->influence_first[vertex];
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(got[i].bone, expected[i].bone);
        assert_float_equal(got[i].weight, expected[i].weight, 1e-6);
    }
}

TEST(largest_stay_and_keep_the_sum)
{
    SCENE *scene = heavy_scene();
    const struct mesh *mesh = &scene->meshes[0];
    scene_limit_influences(scene, 2);
    influences_are(mesh, 0, (struct influence[]){{0, 1.0f}}, 1);
    influences_are(mesh, 1, (struct influence[]){{1, 0.625f}, {0, 0.375f}}, 2);
    influences_are(mesh, 2, (struct influence[]){{4, 0.8f / 1.3f * 2}, {3, 0.5f / 1.3f * 2}}, 2);
}

TEST(dropping_is_told)
{
    static const char *const parts[] = {"`body part`", "2 of 3 vertices", "more than 2", "up to 5",
                                        "35%"}; /* 0.7 of 2 */
    static const uint32_t limits[] = {0, 5, 8, 2}; /* those that drop nothing change nothing */
    SCENE *scene = heavy_scene();
    const struct influence *before = scene->meshes[0].influences;
    for (size_t i = 0; i < 4; i++) {
        assert_ptr_equal(scene->meshes[0].influences, before);
        assert_int_equal(scene->note_count, 0);
        scene_limit_influences(scene, limits[i]);
    }
    assert_int_equal(scene->note_count, 1);
    assert_int_equal(scene->notes[0].kind, NOTE_WARNING);
    assert_string_equal(scene->notes[0].id, "influences-dropped");
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        assert_contains(scene->notes[0].text, parts[i]);
}

TEST(notes_are_kept_once)
{
    SCENE *scene = tiny_scene();
    scene_note(scene, NOTE_WARNING, "a", "bone %d", 1);
    scene_note(scene, NOTE_WARNING, "a", "bone %d", 2);
    scene_note(scene, NOTE_WARNING, "a", "bone %d", 1);
    scene_note(scene, NOTE_REPAIR, "b", "bone %d", 1);
    assert_int_equal(scene->note_count, 3);
    assert_string_equal(scene->notes[1].text, "bone 2");
    assert_string_equal(scene->notes[2].id, "b");
    assert_int_equal(scene->notes[2].kind, NOTE_REPAIR);
}

TEST(component_widths)
{
    assert_int_equal(component_width(COMPONENT_TRANSLATION), 3);
    assert_int_equal(component_width(COMPONENT_ROTATION), 4);
    assert_int_equal(component_width(COMPONENT_SCALE), 3);
}

TEST(pose_starts_at_rest)
{
    SCENE *scene = tiny_scene();
    struct pose pose = pose_create(scene, scene->arena);
    assert_int_equal(pose.node_count, 4);
    assert_memory_equal(&pose.local[2], &scene->nodes[2].rest, sizeof(struct transform));
    pose.local[2].translation[0] = 9;
    pose.local_to_parent[2][3][0] = 9;
    scene->nodes[2].local_to_parent[1][0] = 0.5f; /* a shear, which the transform does not hold */
    pose_reset(&pose, scene);
    assert_memory_equal(&pose.local[2], &scene->nodes[2].rest, sizeof(struct transform));
    assert_memory_equal(pose.local_to_parent[2], scene->nodes[2].local_to_parent, sizeof(mat4));
}

enum { MANY = 20000 };

static char names[MANY][16];
static struct node nodes[MANY];
static uint8_t colors[MANY][3], others[MANY][3];

static struct scene scene_of(uint32_t count)
{
    for (uint32_t n = 0; n < count; n++) {
        snprintf(names[n], sizeof names[n], "bone.%u", n);
        nodes[n] = (struct node){.name = names[n], .parent = (int32_t)n - 1};
    }
    return (struct scene){.path = "by hand", .node_count = count, .nodes = nodes};
}

static int by_bytes(const void *a, const void *b)
{
    return memcmp(a, b, 3);
}

TEST(no_two_are_alike_and_all_are_bright_and_not_grey)
{
    struct scene scene = scene_of(MANY);
    nodes[7].name = nodes[3].name; /* names may meet */
    nodes[9].name = nodes[3].name;
    bone_colors(&scene, colors);
    qsort(colors, MANY, 3, by_bytes);
    for (uint32_t n = 0; n < MANY; n++) {
        int most = 0, least = 255;
        for (int c = 0; c < 3; c++) {
            most = colors[n][c] > most ? colors[n][c] : most;
            least = colors[n][c] < least ? colors[n][c] : least;
        }
        assert_true(most >= 110 && 2 * least < most);
        assert_true(n == 0 || memcmp(colors[n - 1], colors[n], 3) != 0);
    }
}

/* 200 bones, and the same without the first hundred, with a new one in front. */
TEST(others_do_not_change_a_colour)
{
    struct scene all = scene_of(200), less = all;
    bone_colors(&all, colors);
    less.nodes += 99;
    less.node_count -= 99;
    less.nodes[0].name = "new";
    bone_colors(&less, others);
    for (uint32_t n = 1; n < 101; n++)
        assert_memory_equal(others[n], colors[99 + n], 3);
}

/* Computed apart, in Python; FNV-1a of "hips" is 732003cc9b00c0f7. */
TEST(a_colour_is_that_of_its_name_for_good)
{
    struct scene scene = scene_of(2);
    nodes[1].name = "hips";
    bone_colors(&scene, colors);
    static const uint8_t hips[3] = {150, 65, 195};
    assert_memory_equal(colors[1], hips, 3);
}

TEST(no_glyph_looks_like_another)
{
    for (int a = '!'; a <= '~'; a++)
        for (int b = ' '; b < a; b++) {
            int same = 0;
            for (int i = 0; i < FONT_HEIGHT * FONT_WIDTH; i++)
                same += font_covers((char)a, i % 5, i / 5) == font_covers((char)b, i % 5, i / 5);
            assert_true(same < FONT_HEIGHT * FONT_WIDTH);
        }
    for (int i = 0; i < FONT_HEIGHT * FONT_WIDTH; i++) /* what is not ASCII */
        assert_int_equal(font_covers('\x7f', i % 5, i / 5), font_covers('\xc3', i % 5, i / 5));
}

TEST(components_are_read_and_replaced_alone)
{
    const float values[] = {1, 2, 3, 4};
    for (int k = 0; k < COMPONENT_COUNT; k++) {
        struct transform transform = transform_identity;
        component_set(&transform, k, values);
        for (int other = 0; other < COMPONENT_COUNT; other++)
            assert_memory_equal(component_of(&transform, other),
                                other == k ? values : component_of(&transform_identity, other),
                                component_width(other) * sizeof(float));
    }
}
