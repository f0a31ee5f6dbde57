#define _GNU_SOURCE /* mkdtemp */

#include "import/gltf_temporary.h"
#include "import/import_fixture.h"

/* What the repairs make of whole files. Numbers are those that scripts/fixtures writes. */

static const struct channel *channel_of(const struct scene *scene, const char *clip, const char *node)
{
    const struct clip *found = clip_of(scene, clip);
    for (uint32_t i = 0; i < found->channel_count; i++)
        if (strcmp(found->channels[i].node_name, node) == 0)
            return &found->channels[i];
    fail_msg("clip %s has no channel %s", clip, node);
    return NULL;
}

static struct scene *load_text(const char *text)
{
    struct temporary temporary = temporary_make("model.gltf", text, strlen(text));
    struct error err = {0};
    struct scene *scene = import_scene(temporary.path, &import_defaults, &err);
    temporary_remove(&temporary);
    if (!scene)
        fail_msg("%s", err.text);
    return scene;
}

static void test_cubic(void **state)
{
    (void)state;
    struct scene *scene = load("strip/strip.gltf");
    const struct keys *keys = &channel_of(scene, "cubic-translation", "tip")->keys[COMPONENT_TRANSLATION];
    static const double times[] = {0, 0.5, 2};
    static const float values[] = {0, 0, 0, 0, 2,  0, 4, 0, 0, 0,    2, 0, 1, 2,
                                   0, 0, 1, 2, -1, 0, 1, 1, 3, 0.5f, 0, 0, 0};
    assert_int_equal(keys->interpolation, INTERPOLATE_CUBIC);
    assert_int_equal(keys->count, 3);
    assert_memory_equal(keys->times, times, sizeof times);
    assert_floats(keys->values, values, 27, 0);

    keys = &channel_of(scene, "cubic-rotation", "tip")->keys[COMPONENT_ROTATION];
    static const float second[] = {0, 1, 0, 0, 0, 0, 0.70710677f, 0.70710677f, 0.5f, 0, 0, -0.5f};
    assert_int_equal(keys->interpolation, INTERPOLATE_CUBIC);
    assert_floats(keys->values + 12, second, 12, 1e-7f);
    scene_free(scene);
}

static void test_step_and_mixed(void **state)
{
    (void)state;
    struct scene *scene = load("strip/strip.gltf");
    const struct keys *keys = channel_of(scene, "mixed", "tip")->keys;
    assert_int_equal(keys[COMPONENT_TRANSLATION].interpolation, INTERPOLATE_CUBIC);
    assert_int_equal(keys[COMPONENT_ROTATION].interpolation, INTERPOLATE_STEP);
    assert_int_equal(keys[COMPONENT_SCALE].interpolation, INTERPOLATE_LINEAR);
    keys = channel_of(scene, "step-scale", "tip")->keys;
    static const float scales[] = {1, 1, 1, 2, 1, 0.5f, 1, 3, 1};
    assert_int_equal(keys[COMPONENT_SCALE].interpolation, INTERPOLATE_STEP);
    assert_int_equal(keys[COMPONENT_SCALE].count, 3);
    assert_floats(keys[COMPONENT_SCALE].values, scales, 9, 0);
    assert_seconds(clip_of(scene, "step-scale")->duration, 2);
    assert_contains(note_of(scene, NOTE_REPAIR, "gltf-interpolation"), "1 STEP");
    assert_null(note_of(scene, NOTE_WARNING, "gltf-unread"));
    scene_free(scene);
}

static void test_repair_off(void **state)
{
    (void)state;
    struct scene *scene = load_with("strip/strip.gltf", REPAIR_ALL & ~(uint32_t)REPAIR_GLTF_INTERPOLATION);
    assert_null(note_of(scene, NOTE_REPAIR, "gltf-interpolation"));
    scene_free(scene);
    scene = load_with("strip/morph.gltf", REPAIR_ALL & ~(uint32_t)REPAIR_GLTF_MORPH);
    assert_null(note_of(scene, NOTE_REPAIR, "gltf-morph"));
    scene_free(scene);
}

static void test_morph(void **state)
{
    (void)state;
    struct scene *scene = load("strip/morph.gltf");
    static const float linear[] = {0, 0, 1, -0.5f, -0.5f, 1};
    static const float cubic[] = {0, 0, 0, 0.25f, 2, -1, 1, 0, 1, -0.5f, -1, 0.5f, 0.5f, 2, 0.5f, 1, 0, 0};
    const struct morph_channel *morph = &clip_of(scene, "linear-weights")->morphs[0];
    assert_int_equal(morph->keys.interpolation, INTERPOLATE_LINEAR);
    assert_int_equal(morph->target_count, 2);
    assert_floats(morph->keys.values, linear, 6, 0);
    morph = &clip_of(scene, "step-weights")->morphs[0];
    assert_int_equal(morph->keys.interpolation, INTERPOLATE_STEP);
    assert_floats(morph->keys.values, linear, 6, 0);
    morph = &clip_of(scene, "cubic-weights")->morphs[0];
    assert_int_equal(morph->keys.interpolation, INTERPOLATE_CUBIC);
    assert_int_equal(morph->keys.count, 3);
    assert_int_equal(morph->node, scene_find_node(scene, "grid"));
    /* in, value, out of both targets together, as the file has them */
    assert_floats(morph->keys.values, cubic, 18, 0);
    scene_free(scene);
}

static void test_weights_of_a_node(void **state)
{
    (void)state;
    struct scene *scene = load("shapes/shapes.gltf");
    assert_int_equal(scene->instance_count, 3);
    assert_null(scene->instances[0].weights);
    assert_floats(scene->instances[1].weights, (const float[]){0.25f, -0.5f}, 2, 0);
    assert_float_equal(scene->meshes[0].targets[0].default_weight, 0.5, 0);
    assert_float_equal(scene->meshes[0].targets[1].default_weight, 0.25, 0);
    assert_true(scene->instances[0].first_weight == 0 && scene->instances[1].first_weight == 2);
    assert_true(scene->instances[2].first_weight == 4 && scene->weight_count == 7);
    scene_free(scene);
    scene = load_with("shapes/shapes.gltf", REPAIR_ALL & ~(uint32_t)REPAIR_GLTF_MORPH);
    assert_null(scene->instances[1].weights);
    scene_free(scene);
}

static void check_weights(const char *file, float quarter)
{
    struct scene *scene = load(file);
    const struct mesh *mesh = &scene->meshes[0];
    assert_int_equal(mesh->vertex_count, 10);
    bool found[10] = {false};
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        /* By height, for the order of the vertices is the library's. */
        float share = quarter * mesh->positions[v][1];
        uint32_t count = mesh->influence_first[v + 1] - mesh->influence_first[v];
        const struct influence *influence = &mesh->influences[mesh->influence_first[v]];
        assert_int_equal(count, share == 0 || mesh->positions[v][1] == 4 ? 1 : 2);
        float tip = influence[0].bone == 1 ? influence[0].weight : count == 2 ? influence[1].weight : 0;
        assert_floats(&tip, &share, 1, 0.003f);
        assert_true(count == 1 || influence[0].weight >= influence[1].weight);
        found[v] = true;
    }
    assert_true(found[9]);
    assert_contains(note_of(scene, NOTE_REPAIR, "gltf-integers"), "weights of its 10 vertices");
    scene_free(scene);
}

static void test_integer_weights(void **state)
{
    (void)state;
    check_weights("broken/weights-u8.gltf", 0.25f);
    check_weights("broken/weights-u16.gltf", 0.25f);
}

static void test_integer_rotation(void **state)
{
    (void)state;
    struct scene *scene = load("broken/rotation-i16.gltf");
    const struct keys *keys = &channel_of(scene, "bend", "tip")->keys[COMPONENT_ROTATION];
    static const float values[] = {0, 0, 0, 1, 0, 0, 0.70710678f, 0.70710678f};
    assert_int_equal(keys->count, 2);
    assert_floats(keys->values, values, 8, 1e-6f);
    assert_contains(note_of(scene, NOTE_REPAIR, "gltf-integers"), "1 component");
    scene_free(scene);
}

/* `arm` is a mesh node and a bone; `mirror` has a scale of (-1, 1, 1) and only its translation is keyed. */
static void test_twins(void **state)
{
    (void)state;
    struct scene *scene = load("twins/twins.gltf");
    const struct channel *arm = channel_of(scene, "turn", "arm");
    assert_string_equal(scene->nodes[scene->nodes[arm->node].parent].name, "mirror");
    for (uint32_t i = 0; i < scene->mesh_count; i++)
        for (uint32_t b = 0; b < scene->meshes[i].bone_count; b++) {
            const struct node *node = &scene->nodes[scene->meshes[i].bones[b].node];
            assert_true(node->is_bone);
            if (strcmp(node->name, "arm") == 0)
                assert_string_equal(scene->nodes[node->parent].name, "mirror");
        }
    const struct keys *keys = channel_of(scene, "turn", "mirror")->keys;
    static const float scale[] = {-1, 1, 1};
    static const float rotation[] = {0, 0, 0, 1};
    assert_floats(keys[COMPONENT_SCALE].values, scale, 3, 0);
    assert_floats(keys[COMPONENT_ROTATION].values, rotation, 4, 0);
    scene_free(scene);
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
static void test_orphan_channels(void **state)
{
    (void)state;
    struct scene *scene =
        load_template("{\"name\":\"a\",\"children\":[1]},{\"name\":\"b\",\"mesh\":0}", "LINEAR",
                      "{\"sampler\":0,\"target\":{\"node\":1,\"path\":\"translation\"}},"
                      "{\"sampler\":1,\"target\":{\"path\":\"pointer\"}}");
    const struct keys *keys = &channel_of(scene, "0", "b")->keys[COMPONENT_TRANSLATION];
    static const float values[] = {0, 0, 0, 1, 0, 0};
    assert_int_equal(keys->count, 2);
    assert_floats(keys->values, values, 6, 0);
    scene_free(scene);
}

/* Two nodes of one name, each with its own keys: the index decides, not the order of Assimp's channels. */
static void test_same_names(void **state)
{
    (void)state;
    for (int swap = 0; swap < 2; swap++) {
        char channels[256];
        snprintf(channels, sizeof channels,
                 "{\"sampler\":%d,\"target\":{\"node\":1,\"path\":\"translation\"}},"
                 "{\"sampler\":%d,\"target\":{\"node\":2,\"path\":\"translation\"}}",
                 swap, !swap);
        struct scene *scene =
            load_template("{\"name\":\"a\",\"children\":[1,2]},{\"name\":\"b\",\"mesh\":0},{\"name\":\"b\"}",
                          "LINEAR", channels);
        const struct clip *clip = &scene->clips[0];
        assert_int_equal(clip->channel_count, 2);
        for (uint32_t i = 0; i < 2; i++) {
            bool to_x = clip->channels[i].keys[COMPONENT_TRANSLATION].values[3] == 1;
            assert_int_equal(clip->channels[i].node, to_x == (swap == 0) ? 1 : 2);
        }
        scene_free(scene);
    }
}

/* Not enough values for three a key: Assimp read heap memory or refused; we warn and leave its keys alone. */
static void test_unreadable(void **state)
{
    (void)state;
    struct error err = {0};
    char text[4096];
    snprintf(text, sizeof text, template, "{\"name\":\"a\",\"mesh\":0}", "CUBICSPLINE",
             "{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"translation\"}}");
    struct temporary temporary = temporary_make("model.gltf", text, strlen(text));
    struct scene *scene = import_scene(temporary.path, &import_defaults, &err);
    temporary_remove(&temporary);
    if (scene)
        assert_contains(note_of(scene, NOTE_WARNING, "gltf-unread"), "2 values for 2 keys");
    scene_free(scene);
}

static void test_wrong_joint(void **state)
{
    (void)state;
    struct error err = {0};
    char text[8192];
    static const char *const weights[] = {"5121", "5123"};
    for (int i = 0; i < 2; i++) {
        snprintf(
            text, sizeof text,
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
        struct temporary temporary = temporary_make("model.gltf", text, strlen(text));
        err = (struct error){0};
        assert_null(import_scene(temporary.path, &import_defaults, &err));
        temporary_remove(&temporary);
        assert_says(&err, "vertex 2 refers to joint 7 of 1");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cubic),           cmocka_unit_test(test_step_and_mixed),
        cmocka_unit_test(test_repair_off),      cmocka_unit_test(test_morph),
        cmocka_unit_test(test_weights_of_a_node),
        cmocka_unit_test(test_integer_weights), cmocka_unit_test(test_integer_rotation),
        cmocka_unit_test(test_twins),           cmocka_unit_test(test_orphan_channels),
        cmocka_unit_test(test_same_names),      cmocka_unit_test(test_unreadable),
        cmocka_unit_test(test_wrong_joint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
