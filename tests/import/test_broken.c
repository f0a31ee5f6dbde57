#define _GNU_SOURCE /* mkdtemp, symlink */

#include "import_fixture.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/file/file.h"

/*
 * Every file of fixtures/broken: refused with a line that says why, or repaired with a note that says what.
 * Where the text is Assimp's own, only a word is expected that all versions share.
 */
static const struct {
    const char *name;
    const char *message;
} refused[] = {
    {"accessor-past-buffer.gltf", "out of range"},
    {"channel-past-nodes.gltf", "99"},
    {"cyclic-nodes.gltf", "recursive"},
    {"empty.glb", "does not recognise it"},
    {"empty.gltf", ""},
    {"huge-count.gltf", ""},
    {"inf-keys.gltf", "clip \"bend\", node \"tip\", rotation: the value of key 0 is not a sensible number"},
    {"missing-buffer.gltf", "not-there.bin"},
    {"missing-joint.gltf", "99"},
    {"missing-mesh.gltf", "99"},
    {"missing-node.gltf", "99"},
    {"missing-scene-node.gltf", "99"},
    {"nan-positions.gltf", "mesh \"ribbon-mesh\": the position of vertex 4 is not finite"},
    {"not-a-model.glb", ""},
    {"truncated.glb", ""},
    {"truncated.gltf", ""},
    {"truncated.fbx", ""},
};

static void test_broken_files_are_refused_in_one_line(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        char path[1024];
        char prefix[1100];
        struct error err = {0};
        snprintf(path, sizeof path, "%s/broken/%s", FIXTURES, refused[i].name);
        snprintf(prefix, sizeof prefix, "import of %s: ", path);
        struct scene *scene = import_scene(path, &import_defaults, &err);
        if (scene)
            fail_msg("%s was imported", refused[i].name);
        assert_int_equal(err.exit_code, EXIT_CODE_USAGE);
        assert_int_equal(strncmp(err.text, prefix, strlen(prefix)), 0);
        assert_true(strlen(err.text) > strlen(prefix));
        assert_contains(err.text, refused[i].message);
    }
}

static void test_a_crash_is_a_result_and_the_next_import_works(void **state)
{
    (void)state;
    struct error err = {0};
    struct import_options raw = import_defaults;
    raw.repairs = 0;
    assert_null(import_scene(FIXTURES "/broken/no-inverse-bind.gltf", &raw, &err));
    assert_string_equal(err.text, "import of " FIXTURES "/broken/no-inverse-bind.gltf: crashed (SIGSEGV)");
    struct scene *scene = load("broken/zero-duration.gltf");
    assert_int_equal(scene->node_count, 4);
    scene_free(scene);
}

static void test_missing_files(void **state)
{
    (void)state;
    struct error err = {0};
    assert_null(import_scene("/nowhere/model.glb", &import_defaults, &err));
    assert_string_equal(err.text, "import of /nowhere/model.glb: No such file or directory");
    assert_int_equal(err.exit_code, EXIT_CODE_USAGE);
    err = (struct error){0};
    assert_null(import_scene(FIXTURES, &import_defaults, &err));
    assert_string_equal(err.text, "import of " FIXTURES ": not a file");
}

static void test_texture_outside_the_folder_is_not_read(void **state)
{
    (void)state;
    struct scene *scene = load("broken/texture-outside.gltf");
    assert_contains(note_of(scene, NOTE_WARNING, "texture"), "outside the model's folder");
    assert_int_equal(scene->texture_count, 1);
    assert_true(scene->textures[0].missing);
    assert_int_equal(scene->textures[0].width, 64);
    assert_int_equal(scene->textures[0].height, 64);
    scene_free(scene);
}

static void test_missing_texture_is_a_checker(void **state)
{
    (void)state;
    struct scene *scene = load("broken/missing-texture.gltf");
    assert_contains(note_of(scene, NOTE_WARNING, "texture"), "\"not-there.png\"");
    assert_true(scene->textures[0].missing);
    assert_memory_not_equal(scene->textures[0].rgba, scene->textures[0].rgba + 4 * 8, 4);
    scene_free(scene);
}

static float sum_of(const struct mesh *mesh, uint32_t vertex)
{
    float sum = 0;
    for (uint32_t i = mesh->influence_first[vertex]; i < mesh->influence_first[vertex + 1]; i++)
        sum += mesh->influences[i].weight;
    return sum;
}

static void test_weights_are_normalised(void **state)
{
    (void)state;
    struct scene *scene = load("broken/unnormalised-weights.gltf");
    assert_contains(note_of(scene, NOTE_REPAIR, "normalise-weights"),
                    "10 of 10 vertices added up to 0.5 to 2");
    for (uint32_t v = 0; v < scene->meshes[0].vertex_count; v++)
        assert_float_equal(sum_of(&scene->meshes[0], v), 1.0f, 1e-6f);
    scene_free(scene);
}

static void test_weights_can_be_left_alone(void **state)
{
    (void)state;
    struct scene *scene =
        load_with("broken/unnormalised-weights.gltf", REPAIR_ALL & ~(uint32_t)REPAIR_NORMALISE_WEIGHTS);
    assert_null(note_of(scene, NOTE_REPAIR, "normalise-weights"));
    for (uint32_t v = 0; v < scene->meshes[0].vertex_count; v++) {
        float sum = sum_of(&scene->meshes[0], v);
        assert_true(sum == 0.5f || sum == 2.0f);
    }
    scene_free(scene);
}

static void test_unweighted_vertices_follow_the_mesh_node(void **state)
{
    (void)state;
    struct scene *scene = load("broken/unweighted.gltf");
    const struct mesh *mesh = &scene->meshes[0];
    assert_int_equal(mesh->bone_count, 3);
    const struct bone *extra = &mesh->bones[2];
    assert_true(extra->follows_mesh_node);
    assert_string_equal(scene->nodes[extra->node].name, "ribbon");
    assert_false(scene->nodes[extra->node].is_bone);
    assert_true(affine_is_identity(extra->mesh_to_bone, 0));
    for (uint32_t v = 8; v < 10; v++) {
        assert_int_equal(mesh->influence_first[v + 1] - mesh->influence_first[v], 1);
        assert_int_equal(mesh->influences[mesh->influence_first[v]].bone, 2);
        assert_true(mesh->influences[mesh->influence_first[v]].weight == 1.0f);
    }
    assert_int_equal(scene->binding_count, 3);
    scene_free(scene);
}

static void test_unweighted_vertices_can_be_left_alone(void **state)
{
    (void)state;
    struct scene *scene = load_with("broken/unweighted.gltf", 0);
    const struct mesh *mesh = &scene->meshes[0];
    assert_int_equal(mesh->bone_count, 2);
    assert_int_equal(mesh->influence_first[10], mesh->influence_first[8]);
    assert_contains(note_of(scene, NOTE_WARNING, "unweighted"), "2 of 10 vertices");
    scene_free(scene);
}

static void test_a_deep_chain_is_legal(void **state)
{
    (void)state;
    struct scene *scene = load("broken/deep-nodes.gltf");
    assert_int_equal(scene->node_count, 2000);
    assert_int_equal(scene->nodes[1999].parent, 1998);
    assert_int_equal(scene->instances[0].node, 1999);
    scene_free(scene);
}

static void test_one_key_is_a_clip_of_no_length(void **state)
{
    (void)state;
    struct scene *scene = load("broken/zero-duration.gltf");
    assert_true(scene->clips[0].duration == 0);
    assert_int_equal(scene->clips[0].channels[0].keys[COMPONENT_ROTATION].count, 1);
    scene_free(scene);
}

static void test_what_assimp_drops_in_silence_is_said(void **state)
{
    (void)state;
    static const struct {
        const char *file, *id, *text;
    } cases[] = {
        {"broken/nan-weights.gltf", "gltf-weights", "1 weights are not numbers"},
        {"broken/joint-out-of-range.gltf", "gltf-joints", "joint that the skin does not have"},
        {"broken/index-out-of-range.gltf", "gltf-indices", "1 of 24 indices"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct scene *scene = load(cases[i].file);
        assert_contains(note_of(scene, NOTE_WARNING, cases[i].id), cases[i].text);
        scene_free(scene);
    }
    struct scene *sound = load("twins/twins.gltf");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_null(note_of(sound, NOTE_WARNING, cases[i].id));
    scene_free(sound);
}

static void spill(const char *path, const char *text, size_t size)
{
    struct error err = {0};
    assert_true(file_make_parent(path, &err));
    assert_true(file_write(path, text, size, &err));
}

/* A triangle whose buffer is `uri`. */
static struct scene *import_triangle(const char *path, const char *uri, struct error *err)
{
    char json[1024];
    int size = snprintf(json, sizeof json,
                        "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],"
                        "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"
                        "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}],"
                        "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],"
                        "\"buffers\":[{\"byteLength\":36,\"uri\":\"%s\"}]}",
                        uri);
    spill(path, json, (size_t)size);
    return import_scene(path, &import_defaults, err);
}

static void test_assimp_reads_nothing_outside_the_folder(void **state)
{
    (void)state;
    char folder[] = "/tmp/rigproof-outside-XXXXXX", path[128], other[128], link[128];
    static const char positions[36] = {0};
    struct error err = {0};
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/model/triangle.gltf", folder);
    snprintf(other, sizeof other, "%s/outside.bin", folder);
    snprintf(link, sizeof link, "%s/model/link.bin", folder);
    spill(other, positions, sizeof positions);
    spill(path, "", 0);
    assert_int_equal(symlink(other, link), 0);
    assert_null(import_triangle(path, "../outside.bin", &err));
    assert_contains(err.text, "import of ");
    err = (struct error){0};
    assert_null(import_triangle(path, "link.bin", &err));
    unlink(link);
    spill(link, positions, sizeof positions);
    err = (struct error){0};
    struct scene *scene = import_triangle(path, "link.bin", &err);
    if (!scene)
        fail_msg("%s", err.text);
    assert_int_equal(scene->meshes[0].vertex_count, 3);
    scene_free(scene);
    unlink(link), unlink(path), unlink(other);
    snprintf(path, sizeof path, "%s/model", folder);
    rmdir(path), rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_broken_files_are_refused_in_one_line),
        cmocka_unit_test(test_a_crash_is_a_result_and_the_next_import_works),
        cmocka_unit_test(test_missing_files),
        cmocka_unit_test(test_texture_outside_the_folder_is_not_read),
        cmocka_unit_test(test_missing_texture_is_a_checker),
        cmocka_unit_test(test_weights_are_normalised),
        cmocka_unit_test(test_weights_can_be_left_alone),
        cmocka_unit_test(test_unweighted_vertices_follow_the_mesh_node),
        cmocka_unit_test(test_unweighted_vertices_can_be_left_alone),
        cmocka_unit_test(test_a_deep_chain_is_legal),
        cmocka_unit_test(test_one_key_is_a_clip_of_no_length),
        cmocka_unit_test(test_what_assimp_drops_in_silence_is_said),
        cmocka_unit_test(test_assimp_reads_nothing_outside_the_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
