#include "import_fixture.h"

#include <math.h>
#include <stdlib.h>

#include <jansson.h>

/* Numbers come from the fixtures' expected.json, which was computed without Assimp. */
static json_t *expected_case(const char *folder, json_t **document)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s/expected.json", FIXTURES, folder);
    json_error_t why;
    *document = json_load_file(path, 0, &why);
    if (!*document)
        fail_msg("%s: %s", path, why.text);
    return json_array_get(json_object_get(*document, "cases"), 0);
}

static void numbers_of(json_t *array, float *out, size_t count)
{
    assert_int_equal(json_array_size(array), count);
    for (size_t i = 0; i < count; i++)
        out[i] = (float)json_number_value(json_array_get(array, i));
}

static void test_nodes_are_in_pre_order_with_their_transforms(void **state)
{
    (void)state;
    json_t *document;
    json_t *nodes = json_object_get(expected_case("twins", &document), "nodes");
    struct scene *scene = load("twins/twins.gltf");
    assert_int_equal(scene->node_count, json_array_size(nodes));
    for (uint32_t i = 0; i < scene->node_count; i++) {
        const struct node *node = &scene->nodes[i];
        json_t *right = json_array_get(nodes, i);
        assert_string_equal(node->name, json_string_value(json_object_get(right, "name")));
        const char *parent = json_string_value(json_object_get(right, "parent"));
        if (parent)
            assert_string_equal(scene->nodes[node->parent].name, parent);
        else
            assert_int_equal(node->parent, NO_INDEX);
        float rows[12];
        float right_rows[12];
        affine_rows(node->local_to_parent, rows);
        numbers_of(json_object_get(right, "local"), right_rows, 12);
        assert_floats(rows, right_rows, 12, 1e-6f);
    }
    json_decref(document);
    scene_free(scene);
}

static void test_bindings_name_mesh_and_bone(void **state)
{
    (void)state;
    json_t *document;
    json_t *palette = json_object_get(expected_case("twins", &document), "palette");
    struct scene *scene = load("twins/twins.gltf");
    assert_int_equal(scene->binding_count, json_array_size(palette));
    for (uint32_t i = 0; i < scene->binding_count; i++) {
        const struct binding *binding = &scene->bindings[i];
        json_t *right = json_array_get(palette, i);
        assert_string_equal(scene->nodes[binding->node].name,
                            json_string_value(json_object_get(right, "bone")));
        assert_string_equal(scene->meshes[scene->instances[binding->instance].mesh].name,
                            json_string_value(json_object_get(right, "mesh")));
    }
    json_decref(document);
    scene_free(scene);
}

/* Both meshes bind "arm" by different inverse bind matrices: an offset belongs to (mesh, bone). */
static void test_meshes_keep_their_own_offsets(void **state)
{
    (void)state;
    struct scene *scene = load("twins/twins.gltf");
    assert_int_equal(scene->mesh_count, 3);
    const struct mesh *left = &scene->meshes[0];
    const struct mesh *right = &scene->meshes[1];
    assert_int_equal(left->bone_count, 4);
    assert_int_equal(right->bone_count, 4);
    assert_int_equal(left->bones[2].node, right->bones[2].node);
    assert_memory_not_equal(left->bones[2].mesh_to_bone, right->bones[2].mesh_to_bone, sizeof(mat4));
    scene_free(scene);
}

static void test_bones_avoid_mesh_nodes_of_the_same_name(void **state)
{
    (void)state;
    struct scene *scene = load("twins/twins.gltf");
    assert_int_equal(scene->meshes[0].bones[2].node, 5); /* not node 1, which carries the mesh "left" */
    assert_contains(note_of(scene, NOTE_REPAIR, "name-clash"), "\"arm\"");
    assert_true(scene->nodes[5].is_bone);
    assert_false(scene->nodes[1].is_bone);
    scene_free(scene);
}

static void test_name_clash_can_be_left_as_assimp_has_it(void **state)
{
    (void)state;
    struct scene *scene = load_with("twins/twins.gltf", REPAIR_ALL & ~(uint32_t)REPAIR_NAME_CLASH);
    assert_int_equal(scene->meshes[0].bones[2].node, 1);
    assert_null(note_of(scene, NOTE_REPAIR, "name-clash"));
    scene_free(scene);
}

static void test_no_tick_rate_means_25(void **state)
{
    (void)state;
    struct scene *scene = load("ticks/ticks.x");
    assert_int_equal(scene->clip_count, 1);
    assert_seconds(scene->clips[0].duration, 2.0);
    assert_seconds(scene->clips[0].ticks_per_second, 0.0); /* as the file says */
    assert_contains(note_of(scene, NOTE_REPAIR, "tick-rate"), "25");
    scene_free(scene);
}

static void test_without_the_repair_a_tick_is_a_second(void **state)
{
    (void)state;
    struct scene *scene = load_with("ticks/ticks.x", 0);
    assert_seconds(scene->clips[0].duration, 50.0);
    assert_non_null(note_of(scene, NOTE_WARNING, "tick-rate"));
    scene_free(scene);
}

static void test_ticks_become_seconds(void **state)
{
    (void)state;
    struct scene *scene = load("strip/strip.gltf");
    const struct clip *clip = clip_of(scene, "linear-translation");
    assert_seconds(clip->duration, 2.0);
    assert_int_equal(clip->channel_count, 1);
    const struct keys *keys = &clip->channels[0].keys[COMPONENT_TRANSLATION];
    assert_true(keys->count >= 2);
    assert_seconds(keys->times[0], 0.0);
    assert_seconds(keys->times[keys->count - 1], 2.0);
    assert_int_equal(keys->interpolation, INTERPOLATE_LINEAR);
    scene_free(scene);
}

static void test_rotation_keys_are_unit_quaternions_xyzw(void **state)
{
    (void)state;
    struct scene *scene = load("twins/twins.gltf");
    const struct clip *clip = clip_of(scene, "turn");
    for (uint32_t i = 0; i < clip->channel_count; i++) {
        const struct keys *keys = &clip->channels[i].keys[COMPONENT_ROTATION];
        for (uint32_t k = 0; k < keys->count; k++) {
            const float *q = keys->values + (size_t)4 * k;
            assert_float_equal(sqrtf(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]), 1.0f, 1e-6f);
        }
    }
    scene_free(scene);
}

/* The rest rotation of "base" is 20 degrees about z, and the tree says so with w last. */
static void test_rest_rotation_has_w_last(void **state)
{
    (void)state;
    struct scene *scene = load("twins/twins.gltf");
    const float right[4] = {0, 0, 0.17364818f, 0.98480775f};
    assert_floats(scene->nodes[3].rest.rotation, right, 4, 1e-6f);
    scene_free(scene);
}

static void test_uvs_have_their_origin_at_the_upper_left(void **state)
{
    (void)state;
    struct scene *scene = load("broken/zero-duration.gltf");
    const struct mesh *mesh = &scene->meshes[0];
    assert_non_null(mesh->uvs);
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        const float right[2] = {mesh->positions[v][0] + 0.5f, mesh->positions[v][1] / 4};
        assert_floats(mesh->uvs[v], right, 2, 1e-6f);
    }
    scene_free(scene);
}

static void test_formats_agree_on_the_material(void **state)
{
    (void)state;
    static const char *const names[] = {"walker/walker.glb", "walker/walker.fbx", "walker/walker.dae"};
    const float cocoa[4] = {0.09f, 0.034f, 0.025f, 1};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct scene *scene = load(names[i]);
        int found = 0;
        for (uint32_t m = 0; m < scene->material_count; m++) {
            const struct material *material = &scene->materials[m];
            if (strcmp(material->name, "cocoa") == 0) {
                assert_floats(material->base_color, cocoa, 4, 1e-4f);
                found++;
            }
            if (strcmp(material->name, "fox") == 0) {
                assert_true(material->base_texture >= 0);
                const struct texture *texture = &scene->textures[material->base_texture];
                assert_false(texture->missing);
                assert_true(texture->width > 1 && texture->height > 1);
                assert_int_equal(material->alpha_mode, ALPHA_OPAQUE);
                found++;
            }
        }
        assert_int_equal(found, 2);
        scene_free(scene);
    }
}

static void test_units_and_axes(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int up_axis;
        double unit;
    } files[] = {
        {"walker/walker.glb", 1, 1.0}, {"walker/walker.fbx", 1, 0.01}, {"walker/walker.dae", 1, 1.0}};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        struct scene *scene = load(files[i].name);
        assert_int_equal(scene->up_axis, files[i].up_axis);
        assert_int_equal(scene->up_sign, 1);
        assert_seconds(scene->unit_meters, files[i].unit);
        scene_free(scene);
    }
}

static void test_parents_come_before_their_children(void **state)
{
    (void)state;
    static const char *const names[] = {"walker/walker.fbx", "walker/walker.dae", "crowd/crowd.glb",
                                        "broken/deep-nodes.gltf"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct scene *scene = load(names[i]);
        assert_int_equal(scene->nodes[0].parent, NO_INDEX);
        for (uint32_t n = 1; n < scene->node_count; n++)
            assert_in_range(scene->nodes[n].parent, 0, n - 1);
        scene_free(scene);
    }
}

static void test_influences_are_sorted_and_add_up(void **state)
{
    (void)state;
    static const char *const names[] = {"walker/walker.glb", "walker/walker.fbx", "walker/walker.dae",
                                        "crowd/crowd.glb"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct scene *scene = load(names[i]);
        for (uint32_t m = 0; m < scene->mesh_count; m++) {
            const struct mesh *mesh = &scene->meshes[m];
            assert_true(mesh->bone_count > 0);
            for (uint32_t v = 0; v < mesh->vertex_count; v++) {
                float sum = 0;
                for (uint32_t k = mesh->influence_first[v]; k < mesh->influence_first[v + 1]; k++) {
                    sum += mesh->influences[k].weight;
                    assert_true(mesh->influences[k].weight > 0);
                    assert_true(mesh->influences[k].bone < mesh->bone_count);
                    if (k > mesh->influence_first[v])
                        assert_true(mesh->influences[k].weight <= mesh->influences[k - 1].weight);
                }
                assert_float_equal(sum, 1.0f, 1e-5f);
            }
        }
        scene_free(scene);
    }
}

static void test_morph_targets_are_deltas(void **state)
{
    (void)state;
    struct scene *scene = load("strip/morph.gltf");
    const struct mesh *mesh = &scene->meshes[0];
    assert_int_equal(mesh->target_count, 2);
    for (uint32_t v = 0; v < mesh->vertex_count; v++) { /* scripts/fixtures/morph.py: bulge and shear */
        const float x = mesh->positions[v][0];
        const float y = mesh->positions[v][1];
        const float bulge[3] = {0, 0, x == 0 && y == 0 ? 2.0f : 0.5f};
        const float shear[3] = {0.5f * y, 0.25f * x, 0};
        assert_floats(mesh->targets[0].position_deltas[v], bulge, 3, 1e-6f);
        assert_floats(mesh->targets[1].position_deltas[v], shear, 3, 1e-6f);
    }
    assert_int_equal(scene->clip_count, 3);
    for (uint32_t i = 0; i < scene->clip_count; i++) {
        assert_int_equal(scene->clips[i].morph_count, 1);
        assert_int_equal(scene->clips[i].morphs[0].target_count, mesh->target_count);
        assert_true(scene->clips[i].morphs[0].node >= 0);
    }
    scene_free(scene);
}

/* A clip file without meshes is a scene all the same. */
static void test_a_file_of_clips_alone(void **state)
{
    (void)state;
    struct scene *scene = load("pieces/steps.glb");
    assert_int_equal(scene->mesh_count, 0);
    assert_int_equal(scene->binding_count, 0);
    assert_int_equal(scene->clip_count, 1);
    assert_true(scene->material_count >= 1);
    scene_free(scene);
}

static void test_channels_are_in_node_order(void **state)
{
    (void)state;
    struct scene *scene = load("walker/walker.glb");
    for (uint32_t i = 0; i < scene->clip_count; i++)
        for (uint32_t k = 1; k < scene->clips[i].channel_count; k++)
            assert_true(scene->clips[i].channels[k].node > scene->clips[i].channels[k - 1].node);
    scene_free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nodes_are_in_pre_order_with_their_transforms),
        cmocka_unit_test(test_bindings_name_mesh_and_bone),
        cmocka_unit_test(test_meshes_keep_their_own_offsets),
        cmocka_unit_test(test_bones_avoid_mesh_nodes_of_the_same_name),
        cmocka_unit_test(test_name_clash_can_be_left_as_assimp_has_it),
        cmocka_unit_test(test_no_tick_rate_means_25),
        cmocka_unit_test(test_without_the_repair_a_tick_is_a_second),
        cmocka_unit_test(test_ticks_become_seconds),
        cmocka_unit_test(test_rotation_keys_are_unit_quaternions_xyzw),
        cmocka_unit_test(test_rest_rotation_has_w_last),
        cmocka_unit_test(test_uvs_have_their_origin_at_the_upper_left),
        cmocka_unit_test(test_formats_agree_on_the_material),
        cmocka_unit_test(test_units_and_axes),
        cmocka_unit_test(test_parents_come_before_their_children),
        cmocka_unit_test(test_influences_are_sorted_and_add_up),
        cmocka_unit_test(test_morph_targets_are_deltas),
        cmocka_unit_test(test_a_file_of_clips_alone),
        cmocka_unit_test(test_channels_are_in_node_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
