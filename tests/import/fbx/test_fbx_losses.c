/* FBX files of which Assimp loses something without a word: names that models share, curves, ranges, meshes. */
#include "import/import_fixture.h"

#include "base/text.h"
#include "data/affine.h"

#define SECOND "46186158000"

/* A model with one curve: of the property's axis from `from` to `to` within a second. */
struct moved {
    int id;
    const char *name, *property, *axis, *rest;
    int from, to;
    const char *times, *flags;
    int of;     /* the id of another entry, whose model it is */
    bool loose; /* the model hangs on nothing, not even on the root */
};

static void add_model(struct text *out, const struct moved *model)
{
    if (!model->of)
        text_addf(out,
                  "\tModel: %d, \"Model::%s\", \"LimbNode\" {\n\t\tProperties70:  {\n"
                  "\t\t\tP: \"%s\", \"%s\", \"\", \"A\",%s\n\t\t}\n\t}\n",
                  model->id, model->name, model->property, model->property, model->rest);
    text_addf(out,
              "\tAnimationCurveNode: %d, \"AnimCurveNode::T\", \"\" {\n\t}\n"
              "\tAnimationCurve: %d, \"AnimCurve::\", \"\" {\n\t\tKeyTime: *2 {\n\t\t\ta: %s\n\t\t}\n"
              "\t\tKeyValueFloat: *2 {\n\t\t\ta: %d,%d\n\t\t}\n\t\tKeyAttrFlags: *1 {\n\t\t\ta: %s\n\t\t}\n"
              "\t\tKeyAttrDataFloat: *4 {\n\t\t\ta: 0,0,0,0\n\t\t}\n"
              "\t\tKeyAttrRefCount: *1 {\n\t\t\ta: 2\n\t\t}\n\t}\n",
              model->id + 1000, model->id + 2000, model->times, model->from, model->to, model->flags);
}

/* The file of the models, with `more` among its objects and `links` among its connections. */
static struct text write_models(const struct moved *models, size_t count, const char *more, const char *links)
{
    struct text out = {0};
    text_add(&out, "; FBX 7.4.0 project file\nFBXHeaderExtension:  {\n\tFBXHeaderVersion: 1003\n\tFBXVersion: 7400\n}\n"
                   "GlobalSettings:  {\n\tVersion: 1000\n\tProperties70:  {\n"
                   "\t\tP: \"UnitScaleFactor\", \"double\", \"Number\", \"\",1\n\t}\n}\nDefinitions:  {\n"
                   "\tVersion: 100\n\tCount: 1\n}\nObjects:  {\n");
    for (size_t i = 0; i < count; i++)
        add_model(&out, &models[i]);
    text_addf(&out,
              "\tAnimationStack: 200, \"AnimStack::take\", \"\" {\n\t\tProperties70:  {\n"
              "\t\t\tP: \"LocalStart\", \"KTime\", \"Time\", \"\",0\n"
              "\t\t\tP: \"LocalStop\", \"KTime\", \"Time\", \"\"," SECOND
              "\n\t\t}\n\t}\n\tAnimationLayer: 201, \"AnimLayer::layer\", \"\" {\n\t}\n%s}\nConnections:  {\n"
              "\tC: \"OO\",201,200\n%s",
              more, links);
    for (size_t i = 0; i < count; i++) {
        const int id = models[i].id, model = models[i].of ? models[i].of : id;
        if (!models[i].of && !models[i].loose)
            text_addf(&out, "\tC: \"OO\",%d,0\n", id);
        text_addf(&out, "\tC: \"OO\",%d,201\n\tC: \"OP\",%d,%d, \"%s\"\n\tC: \"OP\",%d,%d, \"%s\"\n", id + 1000,
                  id + 1000, model, models[i].property, id + 2000, id + 1000, models[i].axis);
    }
    text_add(&out, "}\n");
    return out;
}

static struct scene *import_models(const struct moved *models, size_t count, const char *more, const char *links,
                                   uint32_t repairs)
{
    SCOPED(text) file = write_models(models, count, more, links);
    return import_bytes("models.fbx", file.data, file.size, repairs);
}

/* The last key of a component of the channel that moves the node; the test fails without one. */
static const float *last_key(const struct scene *scene, uint32_t node, enum component component)
{
    for (uint32_t k = 0; scene->clip_count > 0 && k < scene->clips[0].channel_count; k++) {
        const struct channel *channel = &scene->clips[0].channels[k];
        const struct keys *keys = &channel->keys[component];
        const size_t width = component_width(component), last = keys->count - 1;
        if (channel->node == (int32_t)node && keys->count > 0) {
            assert_string_equal(channel->node_name, scene->nodes[node].name);
            return keys->values + (keys->interpolation == INTERPOLATE_CUBIC ? 3 * last + 1 : last) * width;
        }
    }
    fail_msg("nothing moves node %u", node);
    return NULL;
}

/* Two triangles: the index of the last corner's normal, of which there is one, and of the second one's material. */
// clang-format off
#define MESH(normal, material) \
    "\tGeometry: 500, \"Geometry::\", \"Mesh\" {\n\t\tVertices: *9 {\n\t\t\ta: 0,0,0,1,0,0,0,1,0\n\t\t}\n" \
    "\t\tPolygonVertexIndex: *6 {\n\t\t\ta: 0,1,-3,0,2,-2\n\t\t}\n\t\tGeometryVersion: 124\n" \
    "\t\tLayerElementNormal: 0 {\n\t\t\tVersion: 101\n\t\t\tName: \"\"\n" \
    "\t\t\tMappingInformationType: \"ByPolygonVertex\"\n\t\t\tReferenceInformationType: \"IndexToDirect\"\n" \
    "\t\t\tNormals: *3 {\n\t\t\t\ta: 0,0,1\n\t\t\t}\n" \
    "\t\t\tNormalsIndex: *6 {\n\t\t\t\ta: 0,0,0,0,0," normal "\n\t\t\t}\n\t\t}\n" \
    "\t\tLayerElementMaterial: 0 {\n\t\t\tVersion: 101\n\t\t\tName: \"\"\n" \
    "\t\t\tMappingInformationType: \"ByPolygon\"\n\t\t\tReferenceInformationType: \"IndexToDirect\"\n" \
    "\t\t\tMaterials: *2 {\n\t\t\t\ta: 0," material "\n\t\t\t}\n\t\t}\n" \
    "\t\tLayer: 0 {\n\t\t\tVersion: 100\n\t\t\tLayerElement:  {\n\t\t\t\tType: \"LayerElementNormal\"\n" \
    "\t\t\t\tTypedIndex: 0\n\t\t\t}\n\t\t\tLayerElement:  {\n\t\t\t\tType: \"LayerElementMaterial\"\n" \
    "\t\t\t\tTypedIndex: 0\n\t\t\t}\n\t\t}\n\t}\n" \
    "\tModel: 501, \"Model::skin\", \"Mesh\" {\n\t\tVersion: 232\n\t}\n"
// clang-format on
#define CLUSTER                                                                                                        \
    "\tDeformer: 510, \"Deformer::\", \"Skin\" {\n\t\tVersion: 101\n\t}\n"                                             \
    "\tDeformer: 511, \"SubDeformer::\", \"Cluster\" {\n\t\tVersion: 100\n\t\tIndexes: *3 {\n\t\t\ta: 0,1,2\n\t\t}\n"  \
    "\t\tWeights: *3 {\n\t\t\ta: 1,1,1\n\t\t}\n"                                                                       \
    "\t\tTransform: *16 {\n\t\t\ta: 1,0,0,0,0,1,0,0,0,0,1,0,0,-5,0,1\n\t\t}\n"                                         \
    "\t\tTransformLink: *16 {\n\t\t\ta: 1,0,0,0,0,1,0,0,0,0,1,0,0,5,0,1\n\t\t}\n\t}\n"
#define MESH_LINKS "\tC: \"OO\",501,0\n\tC: \"OO\",500,501\n"
#define CLUSTER_LINKS "\tC: \"OO\",510,500\n\tC: \"OO\",511,510\n\tC: \"OO\",101,511\n"

/* Two arms, at x = 1 and y = 5, which go to x = 3 and y = 9; the second one is a bone. */
TEST(test_models_of_one_name_move_on_their_own)
{
    static const struct moved arms[] = {
        {100, "arm", "Lcl Translation", "d|X", "1,0,0", 1, 3, "0," SECOND, "24836"},
        {101, "arm", "Lcl Translation", "d|Y", "0,5,0", 5, 9, "0," SECOND, "24836"},
    };
    SCENE *scene = import_models(arms, 2, MESH("0", "0") CLUSTER, MESH_LINKS CLUSTER_LINKS, REPAIR_ALL);
    uint32_t found[2] = {0}, count = 0;
    for (uint32_t n = 0; n < scene->node_count; n++)
        if (strcmp(scene->nodes[n].name, "arm") == 0 && count++ < 2)
            found[scene->nodes[n].rest.translation[1] > 0] = n;
    assert_int_equal(count, 2);
    ASSERT_NEAR(last_key(scene, found[0], COMPONENT_TRANSLATION), (float[]){3, 0, 0}, 3, 1e-6f);
    ASSERT_NEAR(last_key(scene, found[1], COMPONENT_TRANSLATION), (float[]){0, 9, 0}, 3, 1e-6f);
    assert_int_equal(scene->mesh_count, 1);
    assert_int_equal(scene->meshes[0].bone_count, 1);
    assert_int_equal(scene->meshes[0].bones[0].node, found[1]);
    assert_contains(note_of(scene, NOTE_REPAIR, "name-clash"), "2 models share their names");
    ANOTHER(scene, import_models(arms, 2, "", "", ALL_BUT(NAME_CLASH)));
    assert_null(note_of(scene, NOTE_REPAIR, "name-clash"));
}

/* 0x80006104: the highest bit is set. */
#define NEGATIVE_FLAGS "-2147458812"

TEST(test_curves_with_negative_flags)
{
    static const struct moved arms[] = {
        {100, "lost", "Lcl Rotation", "d|Z", "0,0,0", 0, 90, "0," SECOND, NEGATIVE_FLAGS},
        {101, "kept", "Lcl Translation", "d|Y", "0,0,0", 0, 1, "0," SECOND, "24836"},
        {104, "loose", "Lcl Translation", "d|Y", "0,0,0", 0, 1, "0," SECOND, "24836", 0, true},
    };
    SCENE *scene = import_models(arms, 3, "", "", REPAIR_ALL);
    const int32_t lost = scene_find_node(scene, "lost");
    const float half = 0.70710678f;
    assert_true(lost != NO_INDEX);
    ASSERT_NEAR(last_key(scene, (uint32_t)lost, COMPONENT_ROTATION), (float[]){0, 0, half, half}, 4, 1e-6f);
    assert_contains(note_of(scene, NOTE_REPAIR, "fbx-curves"), "1 curves with flags that are negative");
    assert_null(note_of(scene, NOTE_WARNING, "fbx-curves"));
    for (size_t count = 1; count <= 2; count++) { /* of one clip none is left */
        ANOTHER(scene, import_models(arms, count, "", "", ALL_BUT(FBX_CURVES)));
        assert_int_equal(scene->clip_count, count - 1);
        assert_contains(note_of(scene, NOTE_WARNING, "fbx-curves"),
                        "clip \"take\": 1 models that the file moves have no keys in what Assimp reads: \"lost\"");
    }
}

/* A stack may hold a property by a number alone, which Assimp leaves out. */
TEST(test_numbers_without_curves)
{
    static const struct moved arms[] = {{100, "arm", "Lcl Translation", "d|X", "1,0,0", 1, 3, "0," SECOND, "24836"},
                                        {101, "leg", "Lcl Rotation", "d|X", "5,0,0", 5, 9, "0," SECOND, "24836"}};
    static const struct {
        const char *property, *value, *model, *says;
    } rows[] = {
        {"Lcl Rotation", "0", "100", NULL}, /* as it rests */
        {"Lcl Rotation", "30", "100", "1 models that the file moves have no keys in what Assimp reads: \"arm\""},
        {"Lcl Translation", "4", "101", "\"leg\""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        SCOPED(text) more = {0};
        SCOPED(text) links = {0};
        text_addf(&more,
                  "\tAnimationCurveNode: 900, \"AnimCurveNode::N\", \"\" {\n\t\tProperties70:  {\n"
                  "\t\t\tP: \"d|X\", \"Number\", \"\", \"A\",%s\n\t\t}\n\t}\n",
                  rows[i].value);
        text_addf(&links, "\tC: \"OO\",900,201\n\tC: \"OP\",900,%s, \"%s\"\n", rows[i].model, rows[i].property);
        SCENE *scene = import_models(arms, 2, text_string(&more), text_string(&links), REPAIR_ALL);
        const char *note = note_of(scene, NOTE_WARNING, "fbx-curves");
        if (rows[i].says ? !note || !strstr(note, rows[i].says) : note != NULL)
            fail_msg("%zu: %s", i, note ? note : "(no note)");
    }
}

/* Programs write blends of which each weight is 0: those are linear. */
TEST(test_ways_of_skinning)
{
    static const struct moved arm = {100, "arm", "Lcl Translation", "d|X", "1,0,0", 1, 3, "0," SECOND, "24836"};
    static const struct {
        const char *way, *weights, *says;
    } rows[] = {
        {"Linear", "1,1", NULL},
        {"Blend", "0,0", NULL},
        {"Blend", "0,0.5", "a blend of linear and dual-quaternion skinning"},
        {"DualQuaternion", "0,0", "means dual-quaternion skinning"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        SCOPED(text) more = {0};
        text_addf(&more,
                  "\tDeformer: 510, \"Deformer::\", \"Skin\" {\n\t\tVersion: 101\n\t\tSkinningType: \"%s\"\n"
                  "\t\tBlendWeights: *2 {\n\t\t\ta: %s\n\t\t}\n\t}\n",
                  rows[i].way, rows[i].weights);
        SCENE *scene = import_models(&arm, 1, text_string(&more), "", REPAIR_ALL);
        const char *note = note_of(scene, NOTE_WARNING, "fbx-dual-quaternion");
        if (rows[i].says ? !note || !strstr(note, rows[i].says) : note != NULL)
            fail_msg("%zu: %s", i, note ? note : "(no note)");
    }
}

/* The clip is from 0 to 1 s, the keys of a position at 2 and 3 s. */
TEST(test_keys_outside_of_the_range)
{
    static const struct moved late = {100, "late", "Lcl Translation",          "d|X",  "4,0,0",
                                      4,   6,      "92372316000,138558474000", "24836"};
    SCENE *scene = import_models(&late, 1, "", "", REPAIR_ALL);
    const int32_t node = scene_find_node(scene, "late");
    assert_contains(note_of(scene, NOTE_WARNING, "fbx-range"), "holds no key of 1 models");
    assert_true(node != NO_INDEX && scene->clips[0].duration > 0.999 && scene->clips[0].duration < 1.001);
    ASSERT_NEAR(last_key(scene, (uint32_t)node, COMPONENT_TRANSLATION), (float[]){6, 0, 0}, 3, 1e-6f);
    const struct moved turn = {100, "late", "Lcl Rotation", "d|X", "0,0,0", 0, 90, "92372316000,138558474000", "24836"};
    ANOTHER(scene, import_models(&turn, 1, "", "", REPAIR_ALL)); /* of which Assimp takes the first key */
    assert_null(note_of(scene, NOTE_WARNING, "fbx-range"));
    assert_null(note_of(scene, NOTE_WARNING, "fbx-curves"));
}

/* A quarter turn about z, while the scale along y goes from 1 to `to`: a matrix does not show the turn where that is 0,
 * and shows another one where it mirrors. */
TEST(test_turns_of_a_flat_model)
{
    const float half = 0.70710678f;
    for (int to = -1; to <= 0; to++) {
        const struct moved flat[] = {
            {100, "flat", "Lcl Rotation", "d|Z", "0,0,0", 0, 90, "0," SECOND, "24836"},
            {102, "", "Lcl Scaling", "d|Y", "1,1,1", 1, to, "0," SECOND, "24836", 100},
        };
        SCENE *scene = import_models(flat, 2, "", "", REPAIR_ALL);
        const int32_t node = scene_find_node(scene, "flat");
        assert_true(node != NO_INDEX);
        ASSERT_NEAR(last_key(scene, (uint32_t)node, COMPONENT_ROTATION), (float[]){0, 0, half, half}, 4, 1e-6f);
        ASSERT_NEAR(last_key(scene, (uint32_t)node, COMPONENT_SCALE), (float[]){1, (float)to, 1}, 3, 1e-6f);
        assert_null(note_of(scene, NOTE_WARNING, "fbx-curves"));
    }
}

TEST(test_indices_to_what_is_not_there)
{
    static const struct moved arm = {100, "arm", "Lcl Translation", "d|X", "1,0,0", 1, 3, "0," SECOND, "24836"};
    static const struct {
        const char *mesh;
        uint32_t raw_meshes; /* with the repair off */
        const char *warning;
    } meshes[] = {{MESH("3", "0"), 0, "leaves out the meshes of 1 nodes, which are not drawn: \"skin\""},
                  {MESH("0", "300"), 2, NULL}};
    for (size_t i = 0; i < 2; i++) {
        SCENE *scene = import_models(&arm, 1, meshes[i].mesh, MESH_LINKS, REPAIR_ALL);
        assert_int_equal(scene->mesh_count, 1);
        assert_int_equal(scene->meshes[0].triangle_count, 2);
        assert_contains(note_of(scene, NOTE_REPAIR, "fbx-numbers"), "1 lists of normals");
        assert_null(note_of(scene, NOTE_WARNING, "fbx-geometries"));
        ANOTHER(scene, import_models(&arm, 1, meshes[i].mesh, MESH_LINKS, ALL_BUT(FBX_NUMBERS)));
        assert_int_equal(scene->mesh_count, meshes[i].raw_meshes);
        if (meshes[i].warning)
            assert_contains(note_of(scene, NOTE_WARNING, "fbx-geometries"), meshes[i].warning);
    }
    SCENE *scene = import_models(&arm, 1, MESH("0", "0"), MESH_LINKS, REPAIR_ALL);
    assert_int_equal(scene->mesh_count, 1);
    assert_null(note_of(scene, NOTE_REPAIR, "fbx-numbers"));
    assert_null(note_of(scene, NOTE_WARNING, "fbx-geometries"));
}

/* The bone is where the mesh was bound, so that nothing moves, whatever is drawn of the bone. */
TEST(test_geometric_transform_of_a_bone)
{
#define GEOMETRIC "0,5,0\n\t\t\tP: \"GeometricTranslation\", \"Vector3D\", \"Vector\", \"\",0,0,7"
    static const struct moved arm = {101, "arm", "Lcl Translation", "d|Y", GEOMETRIC, 5, 9, "0," SECOND, "24836"};
    for (int repaired = 0; repaired < 2; repaired++) {
        SCENE *scene = import_models(&arm, 1, MESH("0", "0") CLUSTER, MESH_LINKS CLUSTER_LINKS,
                                            repaired ? REPAIR_ALL : ALL_BUT(FBX_GEOMETRIC));
        mat4 entry;
        assert_int_equal(scene->meshes[0].bone_count, 1);
        memcpy(entry, scene->meshes[0].bones[0].mesh_to_bone, sizeof entry);
        for (int32_t n = (int32_t)scene->meshes[0].bones[0].node; n != NO_INDEX; n = scene->nodes[n].parent)
            affine_mul(scene->nodes[n].local_to_parent, entry, entry);
        ASSERT_NEAR(entry[3], (float[]){0, 0, repaired ? 0 : 7}, 3, 1e-6f);
        assert_contains(note_of(scene, repaired ? NOTE_REPAIR : NOTE_WARNING, "fbx-geometric"),
                        "1 bones have geometric");
    }
}
