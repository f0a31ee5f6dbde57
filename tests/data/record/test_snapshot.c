/* What a run leaves to be compared, against values worked out by hand. */
#include "cmocka_setup.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "data/record/snapshot.h"
#include "data/tiny_scene.h"
#include "scene_builder.h"

static void assert_floats(const float *found, const float *wanted, int count)
{
    for (int i = 0; i < count; i++)
        if (found[i] != wanted[i])
            fail_msg("[%d] is %.9g, not %.9g", i, (double)found[i], (double)wanted[i]);
}

#define ASSERT_FLOATS(found, ...)                                                                                      \
    assert_floats((found), (const float[]){__VA_ARGS__}, sizeof((const float[]){__VA_ARGS__}) / sizeof(float))

/* ---- import.json ----------------------------------------------------------------------------------------------- */

static void nodes_name_their_parents(void **state)
{
    (void)state;
    struct scene *scene = tiny_scene();
    const struct import_snapshot *snapshot = import_snapshot_gather(scene, scene->arena);
    assert_string_equal(snapshot->model, "tiny.glb");
    assert_string_equal(snapshot->up, "y");
    assert_int_equal(snapshot->node_count, 4);
    assert_null(snapshot->nodes[0].parent);
    assert_string_equal(snapshot->nodes[2].name, "tip \"x\"");
    assert_string_equal(snapshot->nodes[2].parent, "hip, left");
    assert_string_equal(snapshot->nodes[3].parent, "rig");
    assert_true(snapshot->nodes[1].is_bone && !snapshot->nodes[3].is_bone);
    ASSERT_FLOATS(snapshot->nodes[2].local_to_parent[0], -1, 0, 0, 0);
    ASSERT_FLOATS(snapshot->nodes[2].local_to_parent[3], 0, 2, 0, 1);
    scene_free(scene);
}

static void up_has_a_sign(void **state)
{
    (void)state;
    static const char *const wanted[2][3] = {{"x", "y", "z"}, {"-x", "-y", "-z"}};
    struct scene *scene = tiny_scene();
    for (int negative = 0; negative < 2; negative++)
        for (scene->up_axis = 0; scene->up_axis < 3; scene->up_axis++) {
            scene->up_sign = negative ? -1 : 1;
            assert_string_equal(import_snapshot_gather(scene, scene->arena)->up, wanted[negative][scene->up_axis]);
        }
    scene_free(scene);
}

static void meshes_are_counted_and_boxed(void **state)
{
    (void)state;
    struct scene *scene = tiny_scene();
    const struct import_snapshot *snapshot = import_snapshot_gather(scene, scene->arena);
    const struct mesh_snapshot *body = &snapshot->meshes[0], *prop = &snapshot->meshes[1];
    assert_int_equal(snapshot->mesh_count, 2);
    assert_string_equal(body->name, "body part");
    assert_int_equal(body->node_count, 1);
    assert_string_equal(body->nodes[0], "rig");
    assert_string_equal(body->material, "clay");
    assert_int_equal(body->vertices, 3);
    assert_int_equal(body->triangles, 1);
    ASSERT_FLOATS(body->min, 0, 0, -2);
    ASSERT_FLOATS(body->max, 1, 0.1f, 0);
    assert_true(body->has_uvs && !prop->has_uvs);
    assert_int_equal(body->influence_slots, 3);
    assert_memory_equal(body->influences, ((uint32_t[]){0, 2, 1}), 3 * sizeof(uint32_t));
    assert_string_equal(prop->nodes[0], "prop");
    assert_int_equal(prop->influence_slots, 0);
    assert_int_equal(prop->bone_count, 0);
    scene_free(scene);
}

/* hip: vertex 0 wholly, vertex 1 by 0.25; tip: vertex 1 by 0.75, vertex 2 wholly. In bone space hip sees them at
 * (0, -1, 0) and (1, -0.9, 0), tip at (1, -2.9, 0) and (0, -3, -2). */
static void bones_tell_what_they_hold(void **state)
{
    (void)state;
    struct scene *scene = tiny_scene();
    const struct bone_snapshot *hip = import_snapshot_gather(scene, scene->arena)->meshes[0].bones, *tip = hip + 1;
    assert_string_equal(hip->bone, "hip, left");
    assert_int_equal(hip->weights, 2);
    assert_true(hip->sum == 1.25f);
    ASSERT_FLOATS(hip->centroid, 0.25f / 1.25f, 0.02f, 0);
    assert_true(fabs((double)hip->influence_radius - sqrt(1.0 + 0.9 * 0.9)) < 1e-7);
    ASSERT_FLOATS(hip->mesh_to_bone[3], 0, -1, 0, 1);
    assert_false(hip->follows_mesh_node);
    assert_string_equal(tip->bone, "tip \"x\"");
    assert_true(tip->sum == 1.75f);
    assert_true(fabs((double)tip->centroid[2] - -2.0 / 1.75) < 1e-7);
    assert_true(fabs((double)tip->influence_radius - sqrt(2.99999 * 2.99999 + 4.0)) < 3e-7);
    scene_free(scene);
}

static float influence_radius_of(struct scene *scene, uint32_t bone)
{
    return import_snapshot_gather(scene, scene->arena)->meshes[0].bones[bone].influence_radius;
}

static void influence_radius_is_of_weighted_vertices(void **state)
{
    (void)state;
    static const struct influence influences[] = {{0, 1.0f}, {0, 0.0f}, {0, -1.0f}, {0, 0.5f}};
    struct scene *scene = builder_scene(2);
    struct mesh *mesh = builder_mesh(scene, 0, 4, 2);
    static struct material material = {.name = "m", .base_texture = NO_INDEX};
    scene->material_count = 1;
    scene->materials = &material;
    builder_influences(scene, mesh, 1, influences);
    for (int v = 0; v < 4; v++)
        mesh->positions[v][0] = (float[]){3, 50, 60, -4}[v];
    assert_true(influence_radius_of(scene, 0) == 4.0f);
    mesh->bones[0].mesh_to_bone[0][0] = 2; /* a bone whose units are half as long */
    mesh->bones[0].mesh_to_bone[3][0] = 1; /* it sees them at 7 and -7 */
    assert_true(influence_radius_of(scene, 0) == 7.0f);
    assert_true(influence_radius_of(scene, 1) == 0.0f); /* holds nothing */
    mesh->positions[0][0] = FLT_MAX;
    assert_true(influence_radius_of(scene, 0) == FLT_MAX); /* never what a file cannot hold */
    scene_free(scene);
}

/* One pass over the influences gives the same bits as one over the vertices for each bone. */
static void shares_are_summed_in_vertex_order(void **state)
{
    (void)state;
    enum { VERTICES = 400, BONES = 7, EACH = 3 };
    static struct influence influences[VERTICES * EACH];
    static struct material material = {.name = "m", .base_texture = NO_INDEX};
    uint64_t random = 42;
    struct scene *scene = builder_scene(1);
    struct mesh *mesh = builder_mesh(scene, 0, VERTICES, BONES);
    scene->material_count = 1;
    scene->materials = &material;
    for (int i = 0; i < VERTICES * EACH; i++)
        influences[i] = (struct influence){builder_random_index(&random, BONES), (float)builder_random(&random, 0, 1)};
    builder_influences(scene, mesh, EACH, influences);
    for (int i = 0; i < VERTICES * 3; i++)
        mesh->positions[i / 3][i % 3] = (float)builder_random(&random, -1, 1);
    const struct bone_snapshot *bones = import_snapshot_gather(scene, scene->arena)->meshes[0].bones;
    for (uint32_t b = 0; b < BONES; b++) {
        double sum = 0, x = 0;
        for (int i = 0; i < VERTICES * EACH; i++)
            if (influences[i].bone == b) {
                sum += (double)influences[i].weight;
                x += (double)influences[i].weight * (double)mesh->positions[i / EACH][0];
            }
        assert_true(bones[b].sum == (float)sum && bones[b].centroid[0] == (float)(x / sum));
    }
    scene_free(scene);
}

static void many_influences_share_the_last_slot(void **state)
{
    (void)state;
    static struct influence influences[2 * 20];
    static struct material material = {.name = "m", .base_texture = NO_INDEX};
    struct scene *scene = builder_scene(1);
    struct mesh *mesh = builder_mesh(scene, 0, 2, 1);
    scene->material_count = 1;
    scene->materials = &material;
    builder_influences(scene, mesh, 20, influences);
    mesh->influence_first[1] = 0; /* all 40 are the second vertex's */
    const struct mesh_snapshot *out = import_snapshot_gather(scene, scene->arena)->meshes;
    assert_int_equal(out->influence_slots, 17);
    assert_int_equal(out->influences[0], 1);
    assert_int_equal(out->influences[16], 1);
    scene_free(scene);
}

static void keys_are_statistics(void **state)
{
    (void)state;
    static const float cubic[] = {100, 100, 100, 1, 2, 3, 100, 100, 100, -7, -7, -7, 3, 4, -3, 9, 9, 9};
    struct scene *scene = tiny_scene();
    struct keys *keys = &scene->clips[0].channels[0].keys[COMPONENT_TRANSLATION];
    const struct clip_snapshot *clip = import_snapshot_gather(scene, scene->arena)->clips;
    const struct keys_snapshot *t = &clip->channels[0].keys[COMPONENT_TRANSLATION];
    assert_string_equal(clip->name, "rig|walk");
    assert_true(clip->duration == 0.5 && clip->ticks_per_second == 24);
    assert_string_equal(clip->channels[0].node, "hip, left");
    assert_false(clip->channels[0].unmatched || clip->channels[0].is_repair);
    assert_int_equal(t->count, 2);
    assert_true(t->first == 0.0 && t->last == 0.5);
    assert_string_equal(t->interpolation, "linear");
    assert_int_equal(t->width, 3);
    ASSERT_FLOATS(t->mean, 0, 2, 0); /* of 1 and 3 */
    ASSERT_FLOATS(t->rms, 0, (float)sqrt(5), 0);
    assert_int_equal(clip->channels[0].keys[COMPONENT_ROTATION].count, 0);
    keys->values = cubic;
    keys->interpolation = INTERPOLATE_CUBIC;
    scene->clips[0].channels[0].node = NO_INDEX;
    scene->clips[0].channels[0].is_repair = true;
    clip = import_snapshot_gather(scene, scene->arena)->clips;
    t = &clip->channels[0].keys[COMPONENT_TRANSLATION];
    ASSERT_FLOATS(t->mean, 2, 3, 0); /* the values, not the tangents */
    ASSERT_FLOATS(t->rms, (float)sqrt(5), (float)sqrt(10), 3);
    assert_true(clip->channels[0].unmatched && clip->channels[0].is_repair);
    scene_free(scene);
}

static void wide_morphs_have_no_statistics(void **state)
{
    (void)state;
    static const double times[] = {0.25, 0.75};
    static const float values[] = {0, 1, 0, 0, 0, 1, 0, 0, 0, 0};
    struct morph_channel morphs[] = {{"face", NO_INDEX, 2, {2, times, values, INTERPOLATE_STEP}},
                                     {"face", NO_INDEX, 5, {2, times, values, INTERPOLATE_STEP}}};
    struct scene *scene = tiny_scene();
    scene->clips[0].morph_count = 2;
    scene->clips[0].morphs = morphs;
    const struct morph_snapshot *out = import_snapshot_gather(scene, scene->arena)->clips[0].morphs;
    assert_string_equal(out[0].node, "face");
    assert_int_equal(out[0].targets, 2);
    assert_int_equal(out[0].weights.width, 2);
    ASSERT_FLOATS(out[0].weights.mean, 0, 0.5f);
    assert_int_equal(out[1].weights.width, 0);
    assert_int_equal(out[1].weights.count, 2);
    assert_true(out[1].weights.first == 0.25 && out[1].weights.last == 0.75);
    scene_free(scene);
}

static void the_rest_is_told(void **state)
{
    (void)state;
    struct texture texture = {.name = "skin.png", .width = 4, .height = 2, .missing = true};
    struct scene_camera cameras[] = {{.name = "free", .node = NO_INDEX, .fov_y = 1}, {.name = "tied", .node = 3}};
    struct scene *scene = tiny_scene();
    scene->texture_count = 1;
    scene->textures = &texture;
    scene->materials[0].base_texture = 0;
    scene->materials[0].alpha_cutoff = 0.25f;
    assert_true(import_snapshot_gather(scene, scene->arena)->materials[0].cutoff == 0.0f); /* not of opaque ones */
    scene->materials[0].alpha_mode = ALPHA_MASK;
    scene->camera_count = 2;
    scene->cameras = cameras;
    scene_note(scene, NOTE_WARNING, "texture", "gone");
    scene_note(scene, NOTE_REPAIR, "tick-rate", "one clip");
    const struct import_snapshot *snapshot = import_snapshot_gather(scene, scene->arena);
    ASSERT_FLOATS(snapshot->materials[0].base_color, 0.5f, 0.25f, 1, 1);
    assert_string_equal(snapshot->materials[0].base_texture, "skin.png");
    assert_string_equal(snapshot->materials[0].alpha, "mask");
    assert_true(snapshot->materials[0].cutoff == 0.25f);
    assert_int_equal(snapshot->textures[0].width, 4);
    assert_int_equal(snapshot->textures[0].height, 2);
    assert_true(snapshot->textures[0].missing);
    assert_null(snapshot->cameras[0].node);
    assert_true(snapshot->cameras[0].fov_y == 1.0f);
    assert_string_equal(snapshot->cameras[1].node, "prop");
    assert_int_equal(snapshot->repair_count, 1);
    assert_string_equal(snapshot->repairs[0].id, "tick-rate");
    assert_int_equal(snapshot->warning_count, 1);
    assert_string_equal(snapshot->warnings[0].text, "gone");
    scene_free(scene);
}

/* As the files have them, or a name would differ from itself once it was read. */
static void names_are_utf8(void **state)
{
    (void)state;
    struct scene *scene = tiny_scene();
    struct tiny_pose tiny = tiny_pose(scene);
    struct pose_record record = tiny_record(scene, &tiny, "w\xe4lk");
    scene->nodes[1].name = "h\xfc"
                           "fte";
    scene->meshes[0].name = "\xc3\xa4\xff";
    const struct import_snapshot *import = import_snapshot_gather(scene, scene->arena);
    const struct pose_snapshot *pose = pose_snapshot_gather(&record, scene->arena);
    assert_string_equal(import->nodes[1].name, "h\xef\xbf\xbd"
                                               "fte");
    assert_ptr_equal(import->nodes[2].parent, import->nodes[1].name);
    assert_ptr_equal(import->meshes[0].bones[0].bone, import->nodes[1].name);
    assert_ptr_equal(import->nodes[3].name, scene->nodes[3].name);
    assert_string_equal(import->meshes[0].name, "\xc3\xa4\xef\xbf\xbd");
    assert_string_equal(pose->clip, "w\xef\xbf\xbdlk");
    assert_string_equal(pose->palette[0].bone, import->nodes[1].name);
    assert_string_equal(pose->palette[0].mesh, import->meshes[0].name);
    scene_free(scene);
}

/* ---- pose.json ------------------------------------------------------------------------------------------------- */

static void pose_is_gathered(void **state)
{
    (void)state;
    struct scene *scene = tiny_scene();
    struct tiny_pose tiny = tiny_pose(scene);
    struct pose_record record = tiny_record(scene, &tiny, NULL);
    const struct pose_snapshot *pose = pose_snapshot_gather(&record, scene->arena);
    assert_string_equal(pose->model, "tiny.glb");
    assert_null(pose->clip);
    assert_true(pose->time == 0.1);
    assert_string_equal(pose->space, "scene");
    assert_int_equal(pose->node_count, 4);
    assert_string_equal(pose->nodes[2].parent, "hip, left");
    ASSERT_FLOATS(pose->nodes[2].local.rotation, 0, 0, 1, 0);
    ASSERT_FLOATS(pose->nodes[2].node_to_scene[3], 0, 3, 0, 1);
    assert_int_equal(pose->palette_count, 3);
    assert_string_equal(pose->palette[1].mesh, "body part");
    assert_string_equal(pose->palette[1].bone, "tip \"x\"");
    ASSERT_FLOATS(pose->palette[1].mesh_to_scene[3], 0, 6, 0, 1);
    assert_int_equal(pose->skin_count, 2);
    assert_string_equal(pose->skin[1].mesh, "prop");
    assert_int_equal(pose->skin[1].vertices, 3);
    ASSERT_FLOATS(pose->skin[1].max, 1, 0.1f, 0);
    assert_true(fabs((double)pose->skin[1].centroid[2] - -2.0 / 3.0) < 1e-7);
    record.space = SPACE_ROOT;
    record.clip = "walk";
    pose = pose_snapshot_gather(&record, scene->arena);
    assert_string_equal(pose->space, "root");
    assert_string_equal(pose->clip, "walk");
    scene_free(scene);
}

static void radius_is_half_the_diagonal(void **state)
{
    (void)state;
    struct skin_snapshot skin[] = {{.vertices = 3, .min = {1, 0, 0}, .max = {2, 3, 4}},
                                   {.vertices = 1, .min = {3, 6, 6}, .max = {3, 6, 6}},
                                   {.vertices = 0}}; /* its zeros are no place */
    struct pose_node_snapshot nodes[2] = {0};
    struct pose_snapshot pose = {.skin_count = 3, .skin = skin, .node_count = 2, .nodes = nodes};
    nodes[0].node_to_scene[3][0] = 5;
    nodes[1].node_to_scene[3][1] = 12;
    assert_true(pose_snapshot_radius(&pose) == (float)(0.5 * sqrt(4 + 36 + 36)));
    skin[0].vertices = skin[1].vertices = 0;
    assert_true(pose_snapshot_radius(&pose) == 6.5f);
    pose.skin_count = 0;
    assert_true(pose_snapshot_radius(&pose) == 6.5f);
    pose.node_count = 1;
    assert_true(pose_snapshot_radius(&pose) == 1e-9f);
    pose.node_count = 0;
    assert_true(pose_snapshot_radius(&pose) == 1e-9f);
    pose.node_count = 2;
    nodes[0].node_to_scene[3][0] = FLT_MAX;
    nodes[1].node_to_scene[3][0] = -FLT_MAX;
    nodes[1].node_to_scene[3][1] = FLT_MAX;
    assert_true(pose_snapshot_radius(&pose) == FLT_MAX);
}

/* ---- memory ---------------------------------------------------------------------------------------------------- */

static size_t bytes_gathered(const struct scene *scene, const struct pose_record *record)
{
    struct arena *arena = arena_require((size_t)1 << 30);
    size_t before = arena->used;
    if (record)
        pose_snapshot_gather(record, arena);
    else
        import_snapshot_gather(scene, arena);
    size_t used = arena->used - before;
    arena_destroy(arena);
    return used;
}

/* Scenes of many small things, as they would come from a hostile file, with names that all have to be fixed. */
static void gathering_fits_its_bytes(void **state)
{
    (void)state;
    enum { MANY = 20000 };
    struct scene *scene = builder_scene(MANY);
    struct clip *clip = builder_clip(scene, 1);
    struct tiny_pose tiny = {.pose = pose_create(scene, scene->arena)};
    struct pose_record record = {scene, NULL, 0, SPACE_SCENE, &tiny.pose, &tiny.palette, NULL};
    for (int i = 0; i < MANY; i++) {
        char name[] = "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"
                      "\xff\xff\xff\xff\xff\xff\xff";
        scene->nodes[i].name = arena_string(scene->arena, name);
        clip->channels[i].node_name = arena_string(scene->arena, name);
    }
    size_t import = bytes_gathered(scene, NULL), pose = bytes_gathered(scene, &record);
    assert_in_range(import, 1, snapshot_bytes(scene));
    assert_in_range(pose, 1, snapshot_bytes(scene));
    scene_free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_name_their_parents),
        cmocka_unit_test(up_has_a_sign),
        cmocka_unit_test(meshes_are_counted_and_boxed),
        cmocka_unit_test(bones_tell_what_they_hold),
        cmocka_unit_test(influence_radius_is_of_weighted_vertices),
        cmocka_unit_test(shares_are_summed_in_vertex_order),
        cmocka_unit_test(many_influences_share_the_last_slot),
        cmocka_unit_test(keys_are_statistics),
        cmocka_unit_test(wide_morphs_have_no_statistics),
        cmocka_unit_test(the_rest_is_told),
        cmocka_unit_test(names_are_utf8),
        cmocka_unit_test(pose_is_gathered),
        cmocka_unit_test(radius_is_half_the_diagonal),
        cmocka_unit_test(gathering_fits_its_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
