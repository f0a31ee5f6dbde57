/* What a file holds and Assimp does not hand over: told, by the file's own words. */
#define _GNU_SOURCE /* mkdtemp */

#include "import_fixture.h"

#include "gltf_temporary.h"
#include "import/convert.h"
#include "import/gltf/gltf_repair.h"
#include "scene_builder.h"

/* A header in which the 32-bit number at `at` is `frames`; `cut` bytes short. */
static const char *warning_of(const char *format, const char *magic, size_t at, unsigned char frames, size_t cut)
{
    static char text[256];
    unsigned char header[96] = {0};
    memcpy(header, magic, 4);
    header[at] = frames;
    struct temporary file = temporary_make("model", header, at + 4 - cut);
    struct scene *scene = builder_scene(1);
    scene->format = format;
    scene->path = file.path;
    add_file_warnings(&(struct conversion){.scene = scene});
    const char *note = note_of(scene, NOTE_WARNING, "frame-animation");
    snprintf(text, sizeof text, "%s", note ? note : "");
    scene_free(scene);
    temporary_remove(&file);
    return text;
}

static void frames_of_vertices_are_counted(void **state)
{
    (void)state;
    static const struct {
        const char *format, *magic;
        size_t at;
    } formats[] = {
        {"md2", "IDP2", 40}, {"md3", "IDP3", 76}, {"mdc", "IDPC", 76}, {"mdl", "IDPO", 68}, {"mdl", "MDL5", 68}};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        assert_string_equal(warning_of(formats[i].format, formats[i].magic, formats[i].at, 198, 0),
                            "198 frames of vertex animation are not imported; only frame 0");
        assert_string_equal(warning_of(formats[i].format, formats[i].magic, formats[i].at, 1, 0), "");
        assert_string_equal(warning_of(formats[i].format, formats[i].magic, formats[i].at, 198, 1), "");
    }
    assert_string_equal(warning_of("mdl", "IDST", 68, 198, 0), ""); /* Half-Life's has clips */
}

static const char meshopt[] =
    "{\"asset\":{\"version\":\"2.0\"},\"extensionsUsed\":[\"EXT_meshopt_compression\"],"
    "\"extensionsRequired\":[\"KHR_materials_unlit\",\"EXT_meshopt_compression\",\"KHR_draco_mesh_compression\"],"
    "\"buffers\":[{\"byteLength\":36}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],"
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}],"
    "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],\"nodes\":[{\"mesh\":0}],\"scenes\":[{\"nodes\":"
    "[0]}],\"scene\":0}";

static void explained(const char *text, const char *message, const char *expected)
{
    struct temporary file = temporary_make("a.gltf", text, strlen(text));
    struct error err = {0};
    gltf_explain_encoding(file.path, message, &err);
    if (expected)
        assert_contains(err.text, expected);
    else
        assert_string_equal(err.text, "");
    temporary_remove(&file);
}

static void encodings_are_named(void **state)
{
    (void)state;
    explained(meshopt, "GLTF: buffer with non-zero length missing the \"uri\" attribute",
              "requires EXT_meshopt_compression, which Assimp");
    explained(meshopt, "GLTF: Draco mesh compression not supported.",
              "requires EXT_meshopt_compression and KHR_draco_mesh_compression, which Assimp");
    explained("{\"extensionsRequired\":[\"KHR_draco_mesh_compression\"]}", "GLTF: something else", NULL);
    explained("{\"extensionsRequired\":[\"KHR_materials_unlit\", 7]}", "GLTF: Draco mesh compression not supported.",
              NULL);
    explained("{\"extensionsUsed\":[\"EXT_meshopt_compression\"]}", "GLTF: something else", NULL);
    explained("{\"extensionsRequired\":[\"KHR_mesh_quantization\"]}", "",
              "`npx @gltf-transform/cli dequantize IN OUT`");
    explained("no JSON", "GLTF: Draco mesh compression not supported.", NULL);
}

static void a_compressed_file_is_refused_with_a_way_out(void **state)
{
    (void)state;
    struct temporary file = temporary_make("a.gltf", meshopt, sizeof meshopt - 1);
    struct error err = {0};
    assert_null(import_scene(file.path, &import_defaults, &err));
    assert_contains(err.text, "EXT_meshopt_compression");
    assert_contains(err.text, "`npx @gltf-transform/cli copy IN OUT`");
    temporary_remove(&file);
}

/* A triangle of normalised shorts in two meshes of one name. */
static const char quantized[] =
    "{\"asset\":{\"version\":\"2.0\"},\"extensionsRequired\":[\"KHR_mesh_quantization\"],\"buffers\":[{\"byteLength\":"
    "36,"
    "\"uri\":\"data:;base64,AAAAAAAAAAAAAAAA/z8AAAAAAAAAAAAAAAD/"
    "PwAAAAAAAAAA\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":36,\"byteStride\":12}],"
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5122,\"normalized\":true,\"count\":3,\"type\":\"VEC3\"}],"
    "\"meshes\":[{\"name\":\"body\",\"primitives\":[{\"attributes\":{\"POSITION\":0}}]},"
    "{\"name\":\"body\",\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"
    "\"nodes\":[{\"mesh\":0},{\"mesh\":1}],\"scenes\":[{\"nodes\":[0,1]}],\"scene\":0}";

static void quantized_positions_are_told_of_each_mesh(void **state)
{
    (void)state;
    struct temporary file = temporary_make("a.gltf", quantized, sizeof quantized - 1);
    struct error err = {0};
    struct scene *scene = import_scene(file.path, &import_defaults, &err);
    if (!scene)
        fail_msg("%s", err.text);
    assert_int_equal(scene->note_count, 2);
    assert_contains(scene->notes[0].text, "mesh \"body\" #0: positions are integers");
    assert_contains(scene->notes[1].text, "mesh \"body\" #1: positions are integers");
    scene_free(scene);
    temporary_remove(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_of_vertices_are_counted),
        cmocka_unit_test(encodings_are_named),
        cmocka_unit_test(a_compressed_file_is_refused_with_a_way_out),
        cmocka_unit_test(quantized_positions_are_told_of_each_mesh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
