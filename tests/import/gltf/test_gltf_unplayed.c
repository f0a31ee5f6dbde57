/* What a glTF file holds that is not played or drawn is named once; what is, and what is not used, is not. */
#include "import/import_fixture.h"

#define TRIANGLE                                                                                                       \
    "\"buffers\":[{\"byteLength\":36,\"uri\":\"data:;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA\"}],"     \
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],"                                                              \
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}]"
#define HEAD "{\"asset\":{\"version\":\"2.0\"}," TRIANGLE ","
#define NODES "\"nodes\":[{\"mesh\":0}],\"scenes\":[{\"nodes\":[0]}]"
#define MESH "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}]"
#define USES(name, value)                                                                                              \
    HEAD MESH "," NODES ",\"extensionsUsed\":[\"" name "\"],\"materials\":[{\"extensions\":{\"" name "\":" value "}}]" \
              "}"
#define REQUIRES(name, value)                                                                                          \
    HEAD MESH "," NODES ",\"extensionsRequired\":[\"" name "\"],\"extensionsUsed\":[\"" name                           \
              "\"],\"materials\":[{\"extensions\":{\"" name "\":" value "}}]}"

static const char *warning_of(const struct scene *scene, const char *id)
{
    const char *text = NULL;
    for (uint32_t n = 0; n < scene->note_count; n++)
        if (scene->notes[n].kind == NOTE_WARNING && strcmp(scene->notes[n].id, id) == 0) {
            if (text)
                fail_msg("two notes %s", id);
            text = scene->notes[n].text;
        }
    return text;
}

TEST(each_is_named_once)
{
    static const struct {
        const char *file, *id, *says; /* NULL: there is no such warning */
    } rows[] = {
        {USES("KHR_materials_clearcoat", "{\"clearcoatFactor\":0.5}"), "gltf-extensions", NULL},
        {USES("KHR_materials_sheen", "{\"sheenColorFactor\":[0,0,0.1]}"), "gltf-extensions", "KHR_materials_sheen"},
        {USES("KHR_materials_sheen", "{\"sheenColorFactor\":[0,0,0]}"), "gltf-extensions", NULL},
        {USES("KHR_materials_specular", "{\"specularFactor\":0.5}"), "gltf-extensions", NULL},
        {USES("KHR_materials_specular", "{\"specularTexture\":{\"index\":0}}"), "gltf-extensions", "specular"},
        {USES("KHR_materials_unlit", "{}"), "gltf-extensions", NULL},
        {USES("VENDOR_new", "{}"), "gltf-extensions", "VENDOR_new"},
        {HEAD MESH "," NODES ",\"extensionsUsed\":[\"VENDOR_new\"]}", "gltf-extensions", "VENDOR_new"},
        {HEAD MESH "," NODES ",\"extensionsUsed\":[\"V_1\",\"V_2\",\"V_3\",\"V_4\",\"V_5\",\"V_6\",\"V_7\",\"V_8\","
                   "\"V_9\",\"V_10\",\"V_11\",\"V_12\",\"V_13\",\"V_14\"]}",
         "gltf-extensions", "V_14"},
        {HEAD MESH "," NODES ",\"extensionsUsed\":[\"KHR_lights_punctual\"]}", "gltf-extensions", NULL},
        {HEAD MESH "," NODES ",\"extras\":{\"extensions\":{\"MINE\":{}}}}", "gltf-extensions", NULL},
        {HEAD MESH "," NODES ",\"textures\":[{\"extensions\":{\"EXT_texture_webp\":{\"source\":1}}}]}",
         "gltf-extensions", "EXT_texture_webp"},
        {HEAD MESH "," NODES ",\"textures\":[{\"source\":0,\"extensions\":{\"EXT_texture_webp\":{\"source\":1}}}]}",
         "gltf-extensions", NULL},
        {REQUIRES("KHR_materials_clearcoat", "{\"clearcoatFactor\":1}"), "gltf-extensions", NULL},
        {HEAD MESH ",\"nodes\":[{\"mesh\":0},{},{}],\"scene\":1,\"scenes\":[{\"nodes\":[1,2],\"name\":\"other\"},"
                   "{\"nodes\":[0]}]}",
         "gltf-scenes", "the default scene, not other: 0 of 1 meshes"},
        {HEAD MESH ",\"nodes\":[{\"mesh\":0}],\"scenes\":[{\"nodes\":[0]},{\"nodes\":[0]}]}", "gltf-scenes", NULL},
        {HEAD "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]},{\"primitives\":[{\"attributes\":"
              "{\"POSITION\":0}}]}]," NODES "}",
         "gltf-scenes", "the default scene: 1 of 2 meshes are not in it"},
        {HEAD "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"mode\":0}]}]," NODES "}",
         "points-and-lines", "3, first of mesh \"meshes[0]\""},
        {HEAD "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"mode\":3}]}]," NODES "}",
         "points-and-lines", "2, first"},
        {HEAD MESH "," NODES "}", "points-and-lines", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        SCENE *scene = assert_good(import_text("a.gltf", rows[i].file, err));
        assert_told(warning_of(scene, rows[i].id), rows[i].says);
    }
}

TEST(what_is_required_is_honoured_or_refused)
{
    static const char *const rows[][2] = {
        {REQUIRES("KHR_texture_basisu", "{}"), "KHR_texture_basisu, which"},
        {REQUIRES("EXT_mesh_gpu_instancing", "{\"attributes\":{}}"), "taken off the list extensionsRequired"},
        {REQUIRES("KHR_materials_sheen", "{\"sheenColorFactor\":[1,1,1]}"), "KHR_materials_sheen"},
        {REQUIRES("VENDOR_new", "{}"), "VENDOR_new"},
        {HEAD MESH "," NODES ",\"extensionsRequired\":[\"EXT_texture_webp\"],\"textures\":[{\"extensions\":{"
                   "\"EXT_texture_webp\":{\"source\":0}}}]}",
         "`npx @gltf-transform/cli png IN OUT`"},
        {REQUIRES("KHR_materials_unlit", "{}"), NULL},
        {REQUIRES("VRMC_vrm", "{}"), NULL},
        {REQUIRES("VRMC_node_constraint", "{}"), "VRMC_node_constraint"}, /* it moves bones */
        {HEAD MESH
         "," NODES ",\"extensionsRequired\":[\"KHR_animation_pointer\"],\"animations\":[{\"samplers\":[],"
         "\"channels\":[{\"sampler\":0,\"target\":{\"path\":\"pointer\",\"extensions\":{\"KHR_animation_pointer\":"
         "{\"pointer\":\"/materials/0/alphaCutoff\"}}}}]}]}",
         "KHR_animation_pointer"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct error err = {0};
        SCENE *scene = import_text("a.gltf", rows[i][0], &err);
        if (!scene != (rows[i][1] != NULL))
            fail_msg("%zu: %s", i, scene ? "is read" : err.text);
        if (rows[i][1])
            assert_contains(err.text, rows[i][1]);
    }
}

TEST(version_1_says_what_it_loses)
{
    static const char file[] =
        "{\"asset\":{\"version\":\"1.0\"},\"scene\":\"s\",\"scenes\":{\"s\":{\"nodes\":[\"n\"]}},\"nodes\":"
        "{\"n\":{\"children\":[]}},\"skins\":{\"a\":{}},\"animations\":{\"b\":{},\"c\":{}}}";
    SCENE *scene = assert_good(import_text("a.gltf", file, err));
    struct error err = {0};
    assert_contains(warning_of(scene, "gltf-1.0"), "1 skins, 2 animations");
    assert_contains(warning_of(scene, "gltf-1.0"), "npx gltf-pipeline -i IN -o OUT");
    ANOTHER(scene, import_text("a.glb", file, &err)); /* no container: Assimp 5.2 refuses it, later ones read it; both are told */
    assert_contains(scene ? warning_of(scene, "gltf-1.0") : err.text, "1 skins");
}

TEST(a_vrm_is_a_glb)
{
    SCOPED(blob) file;
    assert_true(file_read(FIXTURES "/broken/no-inverse-bind.glb", 1 << 20, &file, ANY_ERROR));
    static const char *const names[] = {"a.VRM", "a.vrma"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const TEMPORARY vrm = temporary_make(names[i], file.data, file.size);
        SCENE *scene = import_path(vrm.path, REPAIR_ALL);
        assert_string_equal(scene->format, "glb");
        assert_int_equal(scene->meshes[0].bone_count, 2);
        assert_true(import_knows(vrm.path));
        assert_true(scene->unit_meters == 1.0);
    }
}

/* A pointer's node, and a mesh's weights, which are those of each of its nodes that has none of its own. */
TEST(pointers_become_channels)
{
    static const char file[] = HEAD
        "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"targets\":[{\"POSITION\":0}]}]}],\"nodes\":["
        "{\"mesh\":0,\"name\":\"a\"},{\"mesh\":0,\"name\":\"b\",\"weights\":[1]},{\"mesh\":0,\"name\":\"c\"}],"
        "\"scenes\":[{\"nodes\":[0,1,2]}],\"extensionsUsed\":[\"KHR_animation_pointer\"],\"animations\":[{\"samplers\":"
        "[{\"input\":1,\"output\":1},{\"input\":1,\"output\":0}],\"channels\":[" /* */
#define POINTER(sampler, pointer)                                                                                      \
    "{\"sampler\":" sampler                                                                                            \
    ",\"target\":{\"path\":\"pointer\",\"extensions\":{\"KHR_animation_pointer\":{\"pointer\":\"" pointer "\"}}}}"
        POINTER("0", "/meshes/0/weights") "," POINTER("1", "/nodes/1/translation") "," POINTER("1", "/nodes/1")
        "," POINTER("1", "/nodes/99999999999/scale") "," POINTER("1", "/nodes/x/scale")
        "," POINTER("1", "/nodes/2/visible") "]}]}";
    SCOPED(text) whole = {0};
    const char *at =
        strstr(file, "\"accessors\":[") + strlen("\"accessors\":["); /* a float of 0 is a time and a weight */
    text_add_bytes(&whole, file, (size_t)(strchr(at, '}') + 1 - file));
    text_addf(&whole, ",{\"bufferView\":0,\"componentType\":5126,\"count\":1,\"type\":\"SCALAR\"}%s",
              strchr(at, '}') + 1);
    SCENE *scene = assert_good(import_text("a.gltf", text_string(&whole), err));
    assert_int_equal(scene->clips[0].channel_count, 1);
    assert_string_equal(scene->clips[0].channels[0].node_name, "b");
    assert_int_equal(scene->clips[0].morph_count, 2);
    for (uint32_t i = 0; i < 2; i++)
        assert_string_not_equal(scene->clips[0].morphs[i].node_name, "b");
    assert_string_equal(warning_of(scene, "gltf-extensions"), "not drawn or played: KHR_animation_pointer, /nodes/N, "
                                                              "/nodes/N/scale, /nodes/x/scale, /nodes/N/visible");
}
