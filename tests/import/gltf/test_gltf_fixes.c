/* The glTF repairs are held against whole files, and so is what is said where nothing can be repaired. Numbers are
 * cli_expected's business. */
#include "import/import_fixture.h"

#include "import/gltf/gltf_repair.h"
#include "scene_builder.h"

static struct scene *load_text(const char *text)
{
    return assert_good(import_text("model.gltf", text, err));
}

static bool has_note(const struct scene *scene, enum note_kind kind, const char *id, const char *text)
{
    bool found = false;
    for (uint32_t n = 0; n < scene->note_count; n++)
        found = found || (scene->notes[n].kind == kind && strcmp(scene->notes[n].id, id) == 0 &&
                          strstr(scene->notes[n].text, text));
    return found;
}

TEST(test_notes_and_switches)
{
    static const struct {
        const char *file, *id, *text;
        uint32_t repair; /* 0: Assimp's garbage may be refused */
        enum note_kind kind;
    } rows[] = {
        {"strip/strip.gltf", "gltf-interpolation", "1 STEP", REPAIR_GLTF_INTERPOLATION, NOTE_REPAIR},
        {"strip/morph.gltf", "gltf-morph", "1 CUBICSPLINE", REPAIR_GLTF_MORPH, NOTE_REPAIR},
        {"shapes/shapes.gltf", "gltf-morph", "its own morph weights at rest", REPAIR_GLTF_MORPH, NOTE_REPAIR},
        {"broken/weights-u16.gltf", "gltf-integers", "1 attributes of vertices are integers", 0, NOTE_REPAIR},
        {"broken/rotation-i16.gltf", "gltf-integers", "1 component", 0, NOTE_REPAIR},
        {"twins/twins.gltf", "gltf-interpolation", "mixes up a mirror", REPAIR_GLTF_INTERPOLATION, NOTE_REPAIR},
        /* Assimp drops this in silence. */
        {"broken/nan-weights.gltf", "gltf-weights", "1 weights are not numbers", 0, NOTE_WARNING},
        {"broken/joint-out-of-range.gltf", "gltf-joints", "joint that the skin does not have", 0, NOTE_WARNING},
        {"broken/index-out-of-range.gltf", "gltf-indices", "1 of 24 indices", 0, NOTE_WARNING},
    };
    SCENE *sound = load("twins/twins.gltf");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        SCENE *scene = load(rows[i].file);
        if (!has_note(scene, rows[i].kind, rows[i].id, rows[i].text))
            fail_msg("%s: no note %s with \"%s\"", rows[i].file, rows[i].id, rows[i].text);
        assert_null(rows[i].kind == NOTE_WARNING ? note_of(sound, NOTE_WARNING, rows[i].id)
                                                 : note_of(scene, NOTE_WARNING, "gltf-unread"));
        if (rows[i].repair == 0)
            continue;
        ANOTHER(scene, load_with(rows[i].file, REPAIR_ALL & ~rows[i].repair));
        assert_null(note_of(scene, NOTE_REPAIR, rows[i].id));
    }
}

/*
 * Key times 0 and 1, translations to x = 1 and to y = 5, three vertices. Placeholders: the nodes, the
 * animation's channels, and an interpolation.
 */
static const char template[] =
    "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[%s],"
    "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":3}}]}],"
    "\"buffers\":[{\"byteLength\":92,\"uri\":\"data:;base64,"
    "AAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAACgQAAAAAAAAAAAAAAAAAAAAAAAAIA/"
    "AAAAAAAAAAAAAAAAAACAPwAAAAA=\"}],"
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":8},{\"buffer\":0,\"byteOffset\":8,\"byteLength\":24},"
    "{\"buffer\":0,\"byteOffset\":32,\"byteLength\":24},{\"buffer\":0,\"byteOffset\":56,\"byteLength\":36}],"
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":2,\"type\":\"SCALAR\"},"
    "{\"bufferView\":1,\"componentType\":5126,\"count\":2,\"type\":\"VEC3\"},"
    "{\"bufferView\":2,\"componentType\":5126,\"count\":2,\"type\":\"VEC3\"},"
    "{\"bufferView\":3,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}],"
    "\"animations\":[{\"samplers\":[{\"input\":0,\"output\":1,\"interpolation\":\"%s\"},{\"input\":0,"
    "\"output\":2}],"
    "\"channels\":[%s]}]}";

static struct scene *load_template(const char *nodes, const char *interpolation, const char *channels)
{
    char text[4096];
    snprintf(text, sizeof text, template, nodes, interpolation, channels);
    return load_text(text);
}

/* A pointer channel names no node; Assimp lets it overwrite a translation. */
TEST(test_orphan_channels)
{
    SCENE *scene = load_template("{\"name\":\"a\",\"children\":[1]},{\"name\":\"b\",\"mesh\":0}", "LINEAR",
                                        "{\"sampler\":0,\"target\":{\"node\":1,\"path\":\"translation\"}},"
                                        "{\"sampler\":1,\"target\":{\"path\":\"pointer\"}}");
    const struct keys *keys = &scene->clips[0].channels[0].keys[COMPONENT_TRANSLATION];
    assert_int_equal(scene->clips[0].channels[0].node, 1);
    assert_int_equal(keys->count, 2);
    ASSERT_NUMBERS(keys->values, 0, 0, 0, 0, 1, 0, 0);
}

TEST(channels_that_gltf_does_not_allow_are_told_of)
{
    SCENE *scene = load_template("{\"name\":\"a\",\"children\":[1]},{\"name\":\"b\",\"mesh\":0,\"matrix\":"
                                        "[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]}",
                                        "LINEAR",
                                        "{\"sampler\":0,\"target\":{\"node\":1,\"path\":\"translation\"}},"
                                        "{\"sampler\":1,\"target\":{\"node\":1,\"path\":\"translation\"}}");
    assert_true(has_note(scene, NOTE_WARNING, "gltf-channels", "an earlier channel moves: 1;"));
    assert_true(has_note(scene, NOTE_WARNING, "gltf-channels", "does not allow: 2;"));
}

/* Two nodes of one name, each with its own keys: the index decides, not the order of Assimp's channels. */
TEST(test_same_names)
{
    for (int swap = 0; swap < 2; swap++) {
        char channels[256];
        snprintf(channels, sizeof channels,
                 "{\"sampler\":%d,\"target\":{\"node\":1,\"path\":\"translation\"}},"
                 "{\"sampler\":%d,\"target\":{\"node\":2,\"path\":\"translation\"}}",
                 swap, !swap);
        SCENE *scene = load_template(
            "{\"name\":\"a\",\"children\":[1,2]},{\"name\":\"b\",\"mesh\":0},{\"name\":\"b\"}", "LINEAR", channels);
        const struct clip *clip = &scene->clips[0];
        assert_int_equal(clip->channel_count, 2);
        for (uint32_t i = 0; i < 2; i++) {
            bool to_x = clip->channels[i].keys[COMPONENT_TRANSLATION].values[3] == 1;
            assert_int_equal(clip->channels[i].node, to_x == (swap == 0) ? 1 : 2);
        }
    }
}

/* A node without a translation of its own, whose key Assimp takes from the other node of its name. */
TEST(a_namesake_at_the_origin_is_told_apart)
{
    SCENE *scene = load_template("{\"name\":\"a\",\"children\":[1,2]},{\"name\":\"b\",\"translation\":[1,2,3],\"mesh\":0},"
                                        "{\"name\":\"b\"}",
                                        "LINEAR",
                                        "{\"sampler\":0,\"target\":{\"node\":1,\"path\":\"scale\"}},"
                                        "{\"sampler\":0,\"target\":{\"node\":2,\"path\":\"scale\"}}");
    const struct clip *clip = &scene->clips[0];
    assert_null(note_of(scene, NOTE_WARNING, GLTF_UNREAD));
    assert_int_equal(clip->channel_count, 2);
    for (uint32_t i = 0; i < 2; i++)
        if (clip->channels[i].keys[COMPONENT_TRANSLATION].count > 0)
            assert_true(clip->channels[i].keys[COMPONENT_TRANSLATION].values[0] == (clip->channels[i].node == 1));
    assert_int_not_equal(clip->channels[0].node, clip->channels[1].node);
}

/* Assimp looks for a file "b%20.bin". */
TEST(a_buffer_is_found_by_its_decoded_name)
{
    static const char text[] =
        "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],"
        "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"
        "\"buffers\":[{\"byteLength\":36,\"uri\":\"b%20.bin\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],"
        "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}]}";
    static const float corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    const TEMPORARY model = temporary_make("model.gltf", text, sizeof text - 1);
    assert_true(file_write(beside(&model, "b .bin"), corners, sizeof corners, ANY_ERROR));
    SCENE *scene = import_path(model.path, REPAIR_ALL);
    assert_contains(note_of(scene, NOTE_REPAIR, "gltf-gaps"), "percent-encoded");
    ASSERT_NEAR(scene->meshes[0].positions[0], corners, 9, 0);
}

/* The same of morph weights, of which an element of the accessor is one: the steps, and the node, are found by the values. */
TEST(test_same_names_of_morphs)
{
    static const float weights[2][4] = {{0, 0.25f, 1, 0.5f}, {0.75f, 0, 0.5f, 1}};
    SCENE *scene = load_text(
        "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],"
        "\"nodes\":[{\"name\":\"a\",\"children\":[1,2]},{\"name\":\"b\",\"mesh\":0},{\"name\":\"b\",\"mesh\":0}],"
        "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":3},\"targets\":[{\"POSITION\":3},{\"POSITION\":3}]}]}],"
        "\"buffers\":[{\"byteLength\":76,\"uri\":\"data:;base64,AAAAAAAAgD8AAAAAAACAPgAAgD8AAAA/AABAPwAAAAAAAAA/AACAPwAA"
        "AAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/AAAAAA==\"}],"
        "\"bufferViews\":[{\"buffer\":0,\"byteLength\":76}],"
        "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":2,\"type\":\"SCALAR\"},"
        "{\"bufferView\":0,\"byteOffset\":8,\"componentType\":5126,\"count\":4,\"type\":\"SCALAR\"},"
        "{\"bufferView\":0,\"byteOffset\":24,\"componentType\":5126,\"count\":4,\"type\":\"SCALAR\"},"
        "{\"bufferView\":0,\"byteOffset\":40,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}],"
        "\"animations\":[{\"samplers\":[{\"input\":0,\"output\":1,\"interpolation\":\"STEP\"},"
        "{\"input\":0,\"output\":2,\"interpolation\":\"STEP\"}],"
        "\"channels\":[{\"sampler\":0,\"target\":{\"node\":1,\"path\":\"weights\"}},"
        "{\"sampler\":1,\"target\":{\"node\":2,\"path\":\"weights\"}}]}]}");
    assert_int_equal(scene->clips[0].morph_count, 2);
    for (uint32_t i = 0; i < 2; i++) {
        const struct morph_channel *morph = &scene->clips[0].morphs[i];
        assert_in_range(morph->node, 1, 2);
        assert_int_equal(morph->keys.interpolation, INTERPOLATE_STEP);
        ASSERT_NEAR(morph->keys.values, weights[morph->node - 1], 4, 0);
    }
    assert_int_not_equal(scene->clips[0].morphs[0].node, scene->clips[0].morphs[1].node);
}

/* Not enough values for three a key: Assimp read heap memory or refused; we warn and leave its keys alone. */
TEST(test_unreadable)
{
    char text[4096];
    snprintf(text, sizeof text, template, "{\"name\":\"a\",\"mesh\":0}", "CUBICSPLINE",
             "{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"translation\"}}");
    SCENE *scene = import_text("model.gltf", text, ANY_ERROR);
    if (scene)
        assert_contains(note_of(scene, NOTE_WARNING, "gltf-unread"), "2 values for 2 keys");
}

TEST(test_wrong_joint)
{
    char text[8192];
    static const char *const weights[] = {"5121", "5123"};
    for (int i = 0; i < 2; i++) {
        snprintf(text, sizeof text,
                 "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],"
                 "\"nodes\":[{\"name\":\"a\",\"mesh\":0,\"skin\":0,\"children\":[1]},{\"name\":\"joint\"}],"
                 "\"skins\":[{\"joints\":[1],\"inverseBindMatrices\":3}],"
                 "\"meshes\":[{\"name\":\"m\",\"primitives\":[{\"attributes\":{\"POSITION\":0,\"JOINTS_0\":1,"
                 "\"WEIGHTS_0\":2}}]}],"
                 "\"buffers\":[{\"byteLength\":148,\"uri\":\"data:;base64,"
                 "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA" /* three positions */
                 "AAAAAAAAAAAHAAAA"                                 /* joints 0 0 7 */
                 "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB"                 /* weights, whatever their width */
                 "AAAAAAAAAAAAAAAA"
                 "AACAPwAAAAAAAAAAAAAAAAAAAAAAAIA/AAAAAAAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAAAAAAACAPw==\"}],"
                 "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36},{\"buffer\":0,\"byteOffset\":36,"
                 "\"byteLength\":12},"
                 "{\"buffer\":0,\"byteOffset\":48,\"byteLength\":24},{\"buffer\":0,\"byteOffset\":84,"
                 "\"byteLength\":64}],"
                 "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"},"
                 "{\"bufferView\":1,\"componentType\":5121,\"count\":3,\"type\":\"VEC4\"},"
                 "{\"bufferView\":2,\"componentType\":%s,\"normalized\":true,\"count\":3,\"type\":\"VEC4\"},"
                 "{\"bufferView\":3,\"componentType\":5126,\"count\":1,\"type\":\"MAT4\"}]}",
                 weights[i]);
        SCENE *scene = load_text(text);
        assert_contains(note_of(scene, NOTE_REPAIR, "gltf-integers"), "1 attributes of vertices are integers");
        assert_contains(note_of(scene, NOTE_WARNING, "gltf-joints"), "1 weights name a joint");
    }
}

/* Assimp lists influences bone after bone; which slot of the file each is in is kept beside them. */
TEST(test_slots)
{
    static const char text[] =
        "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0,1]}],"
        "\"nodes\":[{\"name\":\"a\",\"mesh\":0,\"skin\":0},{\"name\":\"x\",\"children\":[2,3]},{\"name\":\"y\"},"
        "{\"name\":\"z\"}],\"skins\":[{\"joints\":[1,2,3]}],"
        "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"JOINTS_0\":1,\"WEIGHTS_0\":2}}]}],"
        "\"buffers\":[{\"byteLength\":96,\"uri\":\"data:;base64,"
        "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAgABAAECAAAAAAAA"
        "AACAPgAAAD8AAIA+AAAAAAAAAD4AAGA/AAAAAAAAAAAAAIA/AAAAAAAAAAAAAAAA"
        "\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":36},{\"buffer\":0,\"byteOffset\":36,\"byteLength\":12},"
        "{\"buffer\":0,\"byteOffset\":48,\"byteLength\":48}],"
        "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"},"
        "{\"bufferView\":1,\"componentType\":5121,\"count\":3,\"type\":\"VEC4\"},"
        "{\"bufferView\":2,\"componentType\":5126,\"count\":3,\"type\":\"VEC4\"}]}";
    static const uint32_t expected[] = {2, 0, 1, 0, 1, 2, 0, 0, 0, 0, 0, 0};
    SCENE *scene = load_text(text);
    const struct mesh *mesh = &scene->meshes[0];
    assert_int_equal(mesh->slot_count, 4);
    for (uint32_t i = 0; i < 12; i++)
        assert_int_equal(mesh->slots[i], expected[i]);
    assert_int_equal(mesh->influences[mesh->influence_first[1]].bone, 2); /* by weight */
}

/* Both skins and whatever else is in the file, as they are after the repair. Closed by the caller. */
static bool rewritten(const char *name, const void *data, size_t size, struct gltf_file *file)
{
    const TEMPORARY before = temporary_make(name, data, size);
    SCENE *scene = builder_scene(1);
    SCOPED(text) content = {0};
    struct error err = {0};
    scene->path = before.path;
    struct conversion c = {.scene = scene, .repairs = REPAIR_ALL, .err = &err};
    gltf_rewrite(&c, &content);
    assert_false(error_is_set(&err));
    conversion_release(&c);
    const bool changed = content.size > 0;
    assert_true(!changed || scene->note_count > 0);
    const TEMPORARY after = temporary_make(name, content.data, content.size);
    if (changed)
        assert_true(gltf_open(file, after.path, &err));
    return changed;
}

static void matrices_are_identities(struct gltf_file *file, int skin, uint32_t count)
{
    struct gltf_accessor accessor;
    int32_t index = gltf_index(gltf_item(file, "skins", skin), "inverseBindMatrices");
    assert_good(gltf_accessor_find(file, index, &accessor, err));
    const float *values = assert_good(gltf_floats(file, &accessor, err));
    assert_int_equal(accessor.count, count);
    assert_int_equal(accessor.width, 16);
    for (uint32_t i = 0; i < 16 * count; i++)
        assert_true(values[i] == (float)(i % 16 % 5 == 0));
}

TEST(every_skin_gets_its_own)
{
    static const char text[] =
        "{\"asset\":{\"version\":\"2.0\"},\"skins\":[{\"joints\":[0,1,2]},"
        "{\"joints\":[0],\"inverseBindMatrices\":0},{\"joints\":[1,2]}],\"accessors\":[{\"count\":1}]}";
    GLTF_FILE file;
    assert_true(rewritten("a.gltf", text, sizeof text - 1, &file));
    matrices_are_identities(&file, 0, 3);
    matrices_are_identities(&file, 2, 2);
    assert_int_equal(gltf_index(gltf_item(&file, "skins", 1), "inverseBindMatrices"), 0);
}

/* Assimp would read on behind the only matrix, of zeros. */
TEST(missing_matrices_are_identities)
{
    static const char text[] =
        "{\"asset\":{\"version\":\"2.0\"},\"skins\":[{\"joints\":[0,1,2],\"inverseBindMatrices\":0}],"
        "\"accessors\":[{\"componentType\":5126,\"count\":1,\"type\":\"MAT4\"}]}";
    GLTF_FILE file;
    struct gltf_accessor accessor;
    assert_true(rewritten("a.gltf", text, sizeof text - 1, &file));
    const int32_t index = gltf_index(gltf_item(&file, "skins", 0), "inverseBindMatrices");
    assert_good(gltf_accessor_find(&file, index, &accessor, err));
    const float *values = assert_good(gltf_floats(&file, &accessor, err));
    assert_int_equal(accessor.count, 3);
    for (int i = 0; i < 48; i++)
        assert_true(values[i] == (float)(i >= 16 && i % 16 % 5 == 0));
}

/* Mesh 0 is rigid on nodes 0 and 1; mesh 1 has skins 1, 0, 1 and none; mesh 2, which has a target, one skin twice. */
TEST(every_skinned_node_gets_a_mesh)
{
    static const char text[] =
        "{\"asset\":{\"version\":\"2.0\"},\"skins\":[{\"inverseBindMatrices\":0},{\"inverseBindMatrices\":0}],"
        "\"meshes\":[{},{},{\"name\":\"m\",\"primitives\":[{\"targets\":[{}]}]}],"
        "\"nodes\":[{\"mesh\":0},{\"mesh\":0,\"skin\":9},{\"mesh\":1,\"skin\":1},{\"mesh\":1,\"skin\":0},"
        "{\"mesh\":1,\"skin\":1},{\"mesh\":1},{\"mesh\":2,\"skin\":0},{\"mesh\":2,\"skin\":0},{\"mesh\":7}]}";
    static const int32_t expected[] = {0, 0, 4, 3, 5, 1, 2, 6, 7};
    GLTF_FILE file;
    assert_true(rewritten("a.gltf", text, sizeof text - 1, &file));
    assert_int_equal(gltf_count(&file, "meshes"), 7);
    for (int i = 0; i < 9; i++)
        assert_int_equal(gltf_index(gltf_item(&file, "nodes", i), "mesh"), expected[i]);
    assert_string_equal(gltf_string(gltf_item(&file, "meshes", 4), "name", ""), "meshes[1]");
    assert_string_equal(gltf_string(gltf_item(&file, "meshes", 6), "name", ""), "m");
}

TEST(a_container_keeps_its_bytes)
{
    SCOPED(blob) glb;
    GLTF_FILE before, after;
    assert_true(file_read(FIXTURES "/broken/no-inverse-bind.glb", 1 << 20, &glb, ANY_ERROR));
    assert_true(gltf_open(&before, FIXTURES "/broken/no-inverse-bind.glb", ANY_ERROR));
    assert_true(rewritten("a.glb", glb.data, glb.size, &after));
    matrices_are_identities(&after, 0, 2);
    assert_int_equal(before.bin.size, after.bin.size);
    assert_memory_equal(before.bin.data, after.bin.data, after.bin.size);
}

TEST(other_files_are_left_alone)
{
    static const char *const texts[] = {"",
                                        "{",
                                        "{}",
                                        "{\"asset\":{\"version\":\"1.0\"},\"skins\":[{\"joints\":[]}]}",
                                        "{\"asset\":{\"version\":\"2.0\"},\"skins\":[7]}",
                                        "{\"asset\":{\"version\":\"2.0\"},\"skins\":{\"joints\":[0]}}"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        assert_false(rewritten("a.gltf", texts[i], strlen(texts[i]), NULL));
}

static const char meshopt[] =
    "{\"asset\":{\"version\":\"2.0\"},\"extensionsUsed\":[\"EXT_meshopt_compression\"],"
    "\"extensionsRequired\":[\"KHR_materials_unlit\",\"EXT_meshopt_compression\",\"KHR_draco_mesh_compression\"],"
    "\"buffers\":[{\"byteLength\":36}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],"
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}],"
    "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],\"nodes\":[{\"mesh\":0}],\"scenes\":[{\"nodes\":"
    "[0]}],\"scene\":0}";

#define VERSION_2 "{\"asset\":{\"version\":\"2.0\"},\"extensionsRequired\":"

TEST(encodings_are_named)
{
    static const char draco[] = "GLTF: Draco mesh compression not supported.", other[] = "GLTF: something else";
    static const char *const rows[][3] = {
        /* the file, Assimp's message, what is said */
        {meshopt, "GLTF: buffer with non-zero length missing the \"uri\" attribute",
         "requires EXT_meshopt_compression, which Assimp"},
        {meshopt, draco, "requires EXT_meshopt_compression and KHR_draco_mesh_compression, which Assimp"},
        {VERSION_2 "[\"KHR_draco_mesh_compression\"]}", "GLTF: Invalid accessor without data in mesh m",
         "`npx @gltf-transform/cli copy IN OUT`"},
        {VERSION_2 "[\"KHR_draco_mesh_compression\"]}", other, NULL},
        {VERSION_2 "[\"KHR_materials_unlit\", 7]}", draco, NULL},
        {"{\"asset\":{\"version\":\"2.0\"},\"extensionsUsed\":[\"EXT_meshopt_compression\"]}", other, NULL},
        {"no JSON", draco, NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const TEMPORARY file = temporary_make("a.gltf", rows[i][0], strlen(rows[i][0]));
        struct error err = {0};
        SCOPED_ARENA arena = arena_require(1 << 16);
        struct scene scene = {.path = file.path, .arena = arena};
        struct conversion c = {.scene = &scene, .err = &err};
        gltf_explain_refusal(&c, rows[i][1]);
        conversion_release(&c);
        assert_int_equal(error_is_set(&err), rows[i][2] != NULL);
        assert_contains(err.text, rows[i][2] ? rows[i][2] : "");
    }
    assert_refused(import_text("a.gltf", meshopt, err), "EXT_meshopt_compression",
                   "`npx @gltf-transform/cli copy IN OUT`");
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

TEST(quantized_positions_are_floats)
{
    SCENE *scene = load_text(quantized);
    assert_int_equal(scene->note_count, 1);
    assert_contains(note_of(scene, NOTE_REPAIR, "gltf-integers"), "2 attributes of vertices are integers");
    for (uint32_t m = 0; m < 2; m++) {
        const float expected[] = {0, 0, 0, 16383 / 32767.0f, 0, 0, 0, 16383 / 32767.0f, 0};
        ASSERT_NEAR(scene->meshes[m].positions[0], expected, 9, 0);
    }
}

TEST(quantized_positions_are_told_of_each_mesh)
{
    SCENE *scene = import_bytes("model.gltf", quantized, sizeof quantized - 1,
                                ALL_BUT(GLTF_INTEGERS));
    assert_int_equal(scene->note_count, 2);
    assert_contains(scene->notes[0].text, "mesh \"body\" #0: positions are integers");
    assert_contains(scene->notes[1].text, "mesh \"body\" #1: positions are integers");
}
