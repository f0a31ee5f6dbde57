/* Skins without inverse bind matrices: what Assimp is given. The palettes are cli_expected's business. */
#define _GNU_SOURCE /* mkdtemp */

#include "import/import_fixture.h"

#include "import/gltf/gltf_accessor.h"
#include "import/gltf/gltf_inverse_bind.h"
#include "import/gltf_temporary.h"
#include "scene_builder.h"

/* Both skins and whatever else is in the file, as they are after the repair. Closed by the caller. */
static bool repaired(const char *name, const void *data, size_t size, struct gltf_file *file)
{
    struct temporary before = temporary_make(name, data, size);
    struct scene *scene = builder_scene(1);
    struct text content = {0};
    struct error err = {0};
    scene->path = before.path;
    bool changed = gltf_add_inverse_binds(scene, &content);
    assert_int_equal(changed, note_of(scene, NOTE_REPAIR, "gltf-inverse-bind") != NULL);
    assert_int_equal(changed, content.size > 0);
    if (changed) {
        struct temporary after = temporary_make(name, content.data, content.size);
        if (!gltf_open(file, after.path, &err))
            fail_msg("%s", err.text);
        temporary_remove(&after);
    }
    text_release(&content);
    scene_free(scene);
    temporary_remove(&before);
    return changed;
}

static void matrices_are_identities(struct gltf_file *file, int skin, uint32_t count)
{
    float values[16 * 8];
    struct gltf_accessor accessor;
    struct error err = {0};
    int32_t index = gltf_index(gltf_item(file, "skins", skin), "inverseBindMatrices");
    if (!gltf_accessor_find(file, index, &accessor, &err) || !gltf_accessor_floats(file, &accessor, values, &err))
        fail_msg("%s", err.text);
    assert_int_equal(accessor.count, count);
    assert_int_equal(accessor.width, 16);
    for (uint32_t i = 0; i < 16 * count; i++)
        assert_true(values[i] == (float)(i % 16 % 5 == 0));
}

static void every_skin_gets_its_own(void **state)
{
    (void)state;
    static const char text[] =
        "{\"asset\":{\"version\":\"2.0\"},\"skins\":[{\"joints\":[0,1,2]},"
        "{\"joints\":[0],\"inverseBindMatrices\":0},{\"joints\":[1,2]}],\"accessors\":[{\"count\":1}]}";
    struct gltf_file file;
    assert_true(repaired("a.gltf", text, sizeof text - 1, &file));
    matrices_are_identities(&file, 0, 3);
    matrices_are_identities(&file, 2, 2);
    assert_int_equal(gltf_index(gltf_item(&file, "skins", 1), "inverseBindMatrices"), 0);
    gltf_close(&file);
}

static void a_container_keeps_its_bytes(void **state)
{
    (void)state;
    struct blob glb;
    struct gltf_file before, after;
    struct error err = {0};
    const unsigned char *a, *b;
    size_t a_size, b_size;
    assert_true(file_read(FIXTURES "/broken/no-inverse-bind.glb", 1 << 20, &glb, &err));
    assert_true(gltf_open(&before, FIXTURES "/broken/no-inverse-bind.glb", &err));
    assert_true(repaired("a.glb", glb.data, glb.size, &after));
    matrices_are_identities(&after, 0, 2);
    assert_true(gltf_buffer_read(&before, 0, &a, &a_size, &err) && gltf_buffer_read(&after, 0, &b, &b_size, &err));
    assert_int_equal(a_size, b_size);
    assert_memory_equal(a, b, a_size);
    gltf_close(&before);
    gltf_close(&after);
    blob_release(&glb);
}

static void other_files_are_left_alone(void **state)
{
    (void)state;
    static const char *const texts[] = {"",
                                        "{",
                                        "{}",
                                        "{\"asset\":{\"version\":\"1.0\"},\"skins\":[{\"joints\":[]}]}",
                                        "{\"asset\":{\"version\":\"2.0\"},\"skins\":[7]}",
                                        "{\"asset\":{\"version\":\"2.0\"},\"skins\":{\"joints\":[0]}}"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        assert_false(repaired("a.gltf", texts[i], strlen(texts[i]), NULL));
}

static void assimp_reads_both_forms(void **state)
{
    (void)state;
    static const char *const names[] = {"broken/no-inverse-bind.gltf", "broken/no-inverse-bind.glb"};
    static const mat4 identity = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
    for (int i = 0; i < 2; i++) {
        struct scene *scene = load(names[i]);
        assert_int_equal(scene->meshes[0].bone_count, 2);
        for (int b = 0; b < 2; b++)
            assert_memory_equal(scene->meshes[0].bones[b].mesh_to_bone, identity, sizeof identity);
        assert_contains(note_of(scene, NOTE_REPAIR, "gltf-inverse-bind"), "1 skin has no inverseBindMatrices");
        scene_free(scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_skin_gets_its_own),
        cmocka_unit_test(a_container_keeps_its_bytes),
        cmocka_unit_test(other_files_are_left_alone),
        cmocka_unit_test(assimp_reads_both_forms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
