/* Steps that Assimp takes after the import, and what they do to repairs. */
#include "import/import_fixture.h"

#include <assimp/postprocess.h>

static struct scene *load_flags(const char *name, const char *flags)
{
    char path[1024];
    struct import_options options = import_defaults;
    struct error err = {0};
    snprintf(path, sizeof path, "%s/%s", FIXTURES, name);
    assert_true(assimp_flags_parse(flags, &options.assimp_flags, &err));
    struct scene *scene = import_scene(path, &options, &err);
    if (!scene)
        fail_msg("%s", err.text);
    return scene;
}

static void test_names_become_bits(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t flags;
        const char *described;
    } rows[] = {
        {"none", 0, "none"},
        {"join-identical", aiProcess_JoinIdenticalVertices, "join-identical"},
        {"limit-weights,join-identical", aiProcess_JoinIdenticalVertices | aiProcess_LimitBoneWeights, "join-identical,limit-weights"},
        {"realtime-fast", aiProcessPreset_TargetRealtime_Fast & ~aiProcess_Triangulate,
         "calc-tangents,join-identical,gen-normals,sort-by-ptype,gen-uv-coords"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint32_t flags = 77;
        struct error err = {0};
        struct text names = {0};
        assert_true(assimp_flags_parse(rows[i].text, &flags, &err));
        assert_int_equal(flags, rows[i].flags);
        assimp_flags_describe(flags, &names);
        assert_string_equal(text_string(&names), rows[i].described);
        text_release(&names);
    }
}

static void test_what_cannot_be_shown_is_refused(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"pre-transform", "takes the skeleton and the clips away"},
        {"join-identical,make-left-handed", "right-handed"},
        {"flip-uvs", "upside down"},
        {"join-identicl", "did you mean `join-identical`?"},
        {"", "no step ``"},
        {"gen-normals,gen-smooth-normals", "exclude each other"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint32_t flags = 77;
        struct error err = {0};
        assert_false(assimp_flags_parse(rows[i][0], &flags, &err));
        assert_int_equal(flags, 77);
        assert_contains(err.text, rows[i][1]);
    }
}

/* FBX comes with a vertex a corner; the positions that are left are the same. */
static void test_vertices_are_joined(void **state)
{
    (void)state;
    struct scene *plain = load("walker/walker.fbx"), *joined = load_flags("walker/walker.fbx", "join-identical");
    assert_int_equal(plain->meshes[0].vertex_count, 5276);
    assert_in_range(joined->meshes[0].vertex_count, 1000, 2000);
    assert_int_equal(joined->meshes[0].triangle_count, plain->meshes[0].triangle_count);
    for (uint32_t i = 0; i < plain->meshes[0].triangle_count * 3; i += 97)
        assert_memory_equal(joined->meshes[0].positions[joined->meshes[0].indices[i]],
                            plain->meshes[0].positions[plain->meshes[0].indices[i]], 3 * sizeof(float));
    assert_null(note_of(plain, NOTE_WARNING, "assimp-flags"));
    assert_contains(note_of(joined, NOTE_WARNING, "assimp-flags"), "Assimp ran with join-identical:");
    scene_free(plain);
    scene_free(joined);
}

/* What is read again from the file by the vertex's index does not fit vertices in another order. */
static void test_repairs_by_index_are_left_out_and_said(void **state)
{
    (void)state;
    struct scene *scene = load_flags("walker/walker.glb", "sort-by-ptype");
    assert_contains(note_of(scene, NOTE_WARNING, "gltf-unread"), "--assimp-flags has rearranged");
    scene_free(scene);
    scene = load_flags("walker/walker.fbx", "optimize-graph");
    assert_contains(note_of(scene, NOTE_WARNING, "assimp-flags"), "optimize-graph");
    scene_free(scene);
}

/* Steps that leave out what is not used do not look like faults of the file. */
static void test_nothing_false_is_said(void **state)
{
    (void)state;
    struct scene *scene = load_flags("walker/walker.glb", "limit-weights");
    assert_null(note_of(scene, NOTE_WARNING, "gltf-joints"));
    scene_free(scene);
    scene = load_flags("walker/walker.glb", "find-invalid-data");
    assert_null(note_of(scene, NOTE_WARNING, "gltf-unread"));
    scene_free(scene);
}

static void test_a_scaled_file_says_metres(void **state)
{
    (void)state;
    struct scene *plain = load("walker/walker.fbx"), *scaled = load_flags("walker/walker.fbx", "global-scale");
    double ratio = (double)scaled->meshes[0].positions[0][1] / (double)plain->meshes[0].positions[0][1];
    assert_true(ratio * scaled->unit_meters / plain->unit_meters > 0.99);
    assert_true(ratio * scaled->unit_meters / plain->unit_meters < 1.01);
    scene_free(plain);
    scene_free(scaled);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_become_bits),
        cmocka_unit_test(test_what_cannot_be_shown_is_refused),
        cmocka_unit_test(test_vertices_are_joined),
        cmocka_unit_test(test_repairs_by_index_are_left_out_and_said),
        cmocka_unit_test(test_nothing_false_is_said),
        cmocka_unit_test(test_a_scaled_file_says_metres),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
