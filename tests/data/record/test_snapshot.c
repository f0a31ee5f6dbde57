/* A run leaves records to be compared, held against values worked out by hand. test_import_json.c and test_record.c
 * have a whole scene and pose of it. */
#include <float.h>

#include "data/record/snapshot.h"
#include "data/tiny_scene.h"
#include "scene_builder.h"

TEST(up_has_a_sign)
{
    static const char *const wanted[2][3] = {{"x", "y", "z"}, {"-x", "-y", "-z"}};
    SCENE *scene = tiny_scene();
    for (int negative = 0; negative < 2; negative++)
        for (scene->up_axis = 0; scene->up_axis < 3; scene->up_axis++) {
            scene->up_sign = negative ? -1 : 1;
            assert_string_equal(import_snapshot_gather(scene, scene->arena)->up, wanted[negative][scene->up_axis]);
        }
}

/* A scene of one mesh with bones. */
static struct scene *one_mesh(uint32_t vertices, uint32_t bones, uint32_t each, const struct influence *influences)
{
    static struct material material = {.name = "m", .base_texture = NO_INDEX};
    struct scene *scene = builder_scene(2);
    struct mesh *mesh = builder_mesh(scene, 0, vertices, bones);
    scene->material_count = 1;
    scene->materials = &material;
    builder_influences(scene, mesh, each, influences);
    return scene;
}

static float influence_radius_of(struct scene *scene, uint32_t bone)
{
    return import_snapshot_gather(scene, scene->arena)->meshes[0].bones[bone].influence_radius;
}

TEST(influence_radius_is_of_weighted_vertices)
{
    static const struct influence influences[] = {{0, 1.0f}, {0, 0.0f}, {0, -1.0f}, {0, 0.5f}};
    SCENE *scene = one_mesh(4, 2, 1, influences);
    struct mesh *mesh = scene->meshes;
    for (int v = 0; v < 4; v++)
        mesh->positions[v][0] = (float[]){3, 50, 60, -4}[v];
    assert_true(influence_radius_of(scene, 0) == 4.0f);
    mesh->bones[0].mesh_to_bone[0][0] = 2; /* a bone whose units are half as long */
    mesh->bones[0].mesh_to_bone[3][0] = 1; /* it sees them at 7 and -7 */
    assert_true(influence_radius_of(scene, 0) == 7.0f);
    assert_true(influence_radius_of(scene, 1) == 0.0f); /* holds nothing */
    mesh->positions[0][0] = FLT_MAX;
    assert_true(influence_radius_of(scene, 0) == FLT_MAX); /* never what a file cannot hold */
}

/* One pass over the influences gives the same bits as one over the vertices for each bone. */
TEST(shares_are_summed_in_vertex_order)
{
    enum { VERTICES = 400, BONES = 7, EACH = 3 };
    static struct influence influences[VERTICES * EACH];
    uint64_t random = 42;
    for (int i = 0; i < VERTICES * EACH; i++)
        influences[i] = (struct influence){builder_random_index(&random, BONES), (float)builder_random(&random, 0, 1)};
    SCENE *scene = one_mesh(VERTICES, BONES, EACH, influences);
    const struct mesh *mesh = scene->meshes;
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
}

TEST(many_influences_share_the_last_slot)
{
    static struct influence influences[2 * 20];
    SCENE *scene = one_mesh(2, 1, 20, influences);
    scene->meshes[0].influence_first[1] = 0; /* all 40 are the second vertex's */
    const struct mesh_snapshot *out = import_snapshot_gather(scene, scene->arena)->meshes;
    assert_int_equal(out->influence_slots, 17);
    assert_int_equal(out->influences[0], 1);
    assert_int_equal(out->influences[16], 1);
}

TEST(wide_morphs_have_no_statistics)
{
    static const double times[] = {0.25, 0.75};
    static const float values[] = {0, 1, 0, 0, 0, 1, 0, 0, 0, 0};
    struct morph_channel morphs[] = {{"face", NO_INDEX, 2, {2, times, values, INTERPOLATE_STEP}},
                                     {"face", NO_INDEX, 5, {2, times, values, INTERPOLATE_STEP}}};
    SCENE *scene = tiny_scene();
    scene->clips[0].morph_count = 2;
    scene->clips[0].morphs = morphs;
    const struct morph_snapshot *out = import_snapshot_gather(scene, scene->arena)->clips[0].morphs;
    assert_string_equal(out[0].node, "face");
    assert_int_equal(out[0].targets, 2);
    assert_int_equal(out[0].weights.width, 2);
    ASSERT_NUMBERS(out[0].weights.mean, 0, 0, 0.5f);
    assert_int_equal(out[1].weights.width, 0);
    assert_int_equal(out[1].weights.count, 2);
    assert_true(out[1].weights.first == 0.25 && out[1].weights.last == 0.75);
}

TEST(the_rest_is_told)
{
    struct texture texture = {.name = "skin.png", .width = 4, .height = 2, .missing = true};
    struct scene_camera cameras[] = {{.name = "free", .node = NO_INDEX, .fov_y = 1}, {.name = "tied", .node = 3}};
    SCENE *scene = tiny_scene();
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
    ASSERT_NUMBERS(snapshot->materials[0].base_color, 0, 0.5f, 0.25f, 1, 1);
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
}

/* As the files have them, or a name would differ from itself once it was read. */
TEST(names_are_utf8)
{
    SCENE *scene = tiny_scene();
    struct tiny_pose *tiny = tiny_pose(scene, "w\xe4lk");
    scene->nodes[1].name = "h\xfc"
                           "fte";
    scene->meshes[0].name = "\xc3\xa4\xff";
    const struct import_snapshot *import = import_snapshot_gather(scene, scene->arena);
    const struct pose_snapshot *pose = pose_snapshot_gather(&tiny->record, scene->arena);
    assert_string_equal(import->nodes[1].name, "h\xef\xbf\xbd"
                                               "fte");
    assert_ptr_equal(import->nodes[2].parent, import->nodes[1].name);
    assert_ptr_equal(import->meshes[0].bones[0].bone, import->nodes[1].name);
    assert_ptr_equal(import->nodes[3].name, scene->nodes[3].name);
    assert_string_equal(import->meshes[0].name, "\xc3\xa4\xef\xbf\xbd");
    assert_string_equal(pose->clip, "w\xef\xbf\xbdlk");
    assert_string_equal(pose->palette[0].bone, import->nodes[1].name);
    assert_string_equal(pose->palette[0].mesh, import->meshes[0].name);
}

/* Flipping v keeps its mean when that is one half; the products with the position tell. */
TEST(moments_tell_a_flip_from_the_same_mean)
{
    SCENE *scene = tiny_scene();
    struct mesh *mesh = &scene->meshes[0];
    memcpy(mesh->uvs, ((const vec2[]){{0, 0.25f}, {1, 0.5f}, {0.5f, 0.75f}}), 3 * sizeof(vec2));
    struct attribute_snapshot was = import_snapshot_gather(scene, scene->arena)->meshes[0].uvs;
    for (int v = 0; v < 3; v++)
        mesh->uvs[v][1] = 1.0f - mesh->uvs[v][1];
    struct attribute_snapshot now = import_snapshot_gather(scene, scene->arena)->meshes[0].uvs;
    assert_int_equal(now.width, 2);
    assert_memory_equal(now.moments, was.moments, MOMENTS * sizeof(float));
    assert_true(now.moments[4] == was.moments[4] && was.moments[4] == 0.5f);
    assert_true(was.moments[7] == 0.0f && now.moments[7] > 0.1f); /* z is 1, 1, -1 half diagonals times something */
}

static void swap(float *a, float *b, size_t size)
{
    vec3 kept;
    memcpy(kept, a, size);
    memcpy(a, b, size);
    memcpy(b, kept, size);
}

TEST(moments_do_not_know_the_order_of_vertices)
{
    SCENE *scene = tiny_scene();
    struct mesh *mesh = &scene->meshes[0];
    struct attribute_snapshot was = import_snapshot_gather(scene, scene->arena)->meshes[0].uvs;
    swap(mesh->positions[0], mesh->positions[2], sizeof(vec3));
    swap(mesh->uvs[0], mesh->uvs[2], sizeof(vec2));
    struct attribute_snapshot now = import_snapshot_gather(scene, scene->arena)->meshes[0].uvs;
    assert_memory_equal(&now, &was, sizeof now);
    swap(mesh->uvs[0], mesh->uvs[1], sizeof(vec2));
    now = import_snapshot_gather(scene, scene->arena)->meshes[0].uvs; /* the same coordinates, at other vertices */
    assert_true(now.moments[0] == was.moments[0] && now.moments[1] != was.moments[1]);
}

/* Where triangles begin and in which order they come says nothing; how they are wound and what they join does. */
TEST(faces_know_how_triangles_are_wound)
{
    SCENE *scene = tiny_scene();
    struct mesh *mesh = &scene->meshes[0];
    static const vec3 positions[] = {{0, 0, 0}, {2, 0, 0}, {2, 3, 0}, {0, 3, 1}};
    static const uint32_t orders[][6] = {
        {0, 1, 2, 0, 2, 3}, {2, 3, 0, 1, 2, 0}, {0, 2, 1, 0, 3, 2}, {0, 1, 3, 1, 2, 3}};
    struct attribute_snapshot faces[4];
    mesh->vertex_count = 4;
    mesh->uvs = NULL;
    mesh->bone_count = 0;
    mesh->positions = ARENA_NEW(scene->arena, vec3, 4);
    mesh->normals = ARENA_NEW(scene->arena, vec3, 4);
    memcpy(mesh->positions, positions, sizeof positions);
    mesh->triangle_count = 2;
    mesh->indices = ARENA_NEW(scene->arena, uint32_t, 6);
    for (int i = 0; i < 4; i++) {
        memcpy(mesh->indices, orders[i], sizeof orders[i]);
        faces[i] = import_snapshot_gather(scene, scene->arena)->meshes[0].faces;
    }
    /* twice the areas along the normals: (0, 0, 6) and (3, -2, 6), of lengths 6 and 7 */
    assert_float_equal(faces[0].moments[0], 3.0 / 13, 1e-6);
    assert_float_equal(faces[0].moments[4], -2.0 / 13, 1e-6);
    assert_float_equal(faces[0].moments[8], 12.0 / 13, 1e-6);
    assert_memory_equal(&faces[1], &faces[0], sizeof faces[0]);
    for (int i = 0; i < 12; i++)
        assert_float_equal(faces[2].moments[i], -faces[0].moments[i], 0);
    assert_true(memcmp(&faces[3], &faces[0], sizeof faces[0]) != 0);
}

/* A picture of 3 by 2: red 0 51 102 above, 153 204 255 below, the rest alike. */
TEST(moments_of_a_picture)
{
    SCENE *scene = tiny_scene();
    struct texture texture = {.name = "a.png", .width = 3, .height = 2, .rgba = ARENA_NEW(scene->arena, uint8_t, 24)};
    for (int i = 0; i < 6; i++)
        memcpy(texture.rgba + 4 * i, ((uint8_t[]){(uint8_t)(51 * i), 0, 255, 102}), 4);
    scene->texture_count = 1;
    scene->textures = &texture;
    const struct texture_snapshot *snapshot = import_snapshot_gather(scene, scene->arena)->textures;
    assert_true(snapshot->has_moments);
    ASSERT_NUMBERS(snapshot->moments, 1e-6, 0.5f, 0.4f / 3, 0.3f, 0, 0, 0, 1, 0, 0, 0.4f, 0, 0);
    texture.missing = true;
    assert_false(import_snapshot_gather(scene, scene->arena)->textures[0].has_moments);
    scene->texture_count = 0;
}

TEST(radius_is_half_the_diagonal)
{
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
    assert_true(pose_snapshot_radius(&pose) == 1); /* all is in one point */
    pose.node_count = 0;
    assert_true(pose_snapshot_radius(&pose) == 1);
    nodes[0].node_to_scene[3][0] = 1e-12f;
    pose.node_count = 2;
    nodes[1].node_to_scene[3][1] = 0;
    assert_true(pose_snapshot_radius(&pose) == 1e-9f);
    nodes[0].node_to_scene[3][0] = FLT_MAX;
    nodes[1].node_to_scene[3][0] = -FLT_MAX;
    nodes[1].node_to_scene[3][1] = FLT_MAX;
    assert_true(pose_snapshot_radius(&pose) == FLT_MAX);
}

static size_t bytes_gathered(const struct scene *scene, const struct pose_record *record)
{
    SCOPED_ARENA arena = arena_require((size_t)1 << 30);
    size_t before = arena->used;
    if (record)
        pose_snapshot_gather(record, arena);
    else
        import_snapshot_gather(scene, arena);
    return arena->used - before;
}

/* Scenes of many small things, as they would come from a hostile file, with names that all have to be fixed. */
TEST(gathering_fits_its_bytes)
{
    enum { MANY = 20000 };
    SCENE *scene = builder_scene(MANY);
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
}
