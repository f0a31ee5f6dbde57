/* Single formats need models of their own: models that are small enough to be read as text, changed where a test says
 * so. */
#include "import/import_fixture.h"

#include "data/image/image.h"
#include "import/scene/convert.h"
#include "scene_builder.h"

#define PRE_ROTATION MODELS "/pre-rotation.fbx"
#define EXTRAPOLATION(letter, times) \
    "\t\tPost-Extrapolation: {\n\t\t\tType: " letter "\n\t\t\tRepetition: " times "\n\t\t}\n"
#define LATER {"\"LocalStop\", \"KTime\", \"Time\", \"\",46186158000", "\"LocalStop\", \"KTime\", \"Time\", \"\",92372316000"}
#define INHERIT_TYPE "\"InheritType\", \"enum\", \"\", \"\","
#define LAYER "\tAnimationLayer: 301, \"AnimLayer::over\", \"\" {\n\t}\n"
#define SMOOTHNESS(kind, levels) "\t\tSmoothness: " kind "\n\t\tPreviewDivisionLevels: " levels "\n"
#define SURFACE "\tGeometry: 399, \"Geometry::s\", \"NurbsSurface\" {\n\t}\n"
#define LEVELS "\tModel: 98, \"Model::levels\", \"LodGroup\" {\n\t}\n"
#define VISIBLE(number) "\t\t\tP: \"Visibility\", \"Visibility\", \"\", \"A\"," number "\n"
#define HIDES(number) {"\t\t\tP: \"InheritType\"", NULL, VISIBLE(number)}
#define PARENT "\tModel: 99, \"Model::all\", \"Null\" {\n\t\tProperties70:  {\n" VISIBLE("0") "\t\t}\n\t}\n"
#define BELOW {"C: \"OO\",100,0", "C: \"OO\",100,99\n\tC: \"OO\",99,0"}
#define CONNECTED "\tC: \"OO\",301,200\n\tC: \"OO\",202,301\n"

TEST(test_warnings)
{
    static const struct {
        const char *source;
        struct change changes[2];
        uint32_t without;      /* this repair */
        const char *id, *text; /* NULL: there is no such warning */
    } rows[] = {
        {PRE_ROTATION, {{0}}, 0, "fbx-curves", NULL}, /* straight lines */
        {PRE_ROTATION, {{0}}, 0, "fbx-inherit-type", NULL},
        {PRE_ROTATION, {{0}}, 0, "fbx-layers", NULL},
        /* Without the repair the warning has the size: of a turn by 90 degrees held until the end, 90 degrees. */
        {PRE_ROTATION, {{"a: 24836", "a: 24834"}}, REPAIR_FBX_CURVES, "fbx-curves", "degrees off the file's curves"},
        /* Assimp does not know rotations of the order 6 (spheric): what it made of them is left alone. */
        {PRE_ROTATION,
         {{"\t\t\tP: \"PreRotation\"", NULL, "\t\t\tP: \"RotationOrder\", \"enum\", \"\", \"\",6\n"}},
         0,
         "fbx-curves",
         "straight lines between them stay"},
        {MODELS "/shapes.fbx", {{0}}, 0, "fbx-vertex-cache", NULL},
        {MODELS "/shapes.fbx",
         {{"\tAnimationStack: ", NULL, "\tDeformer: 900, \"Deformer::cache\", \"VertexCacheDeformer\" {\n\t}\n"}},
         0,
         "fbx-vertex-cache",
         "geometry cache"},
        {MODELS "/shapes.fbx",
         {{"\t\tGeometryVersion: ", NULL, SMOOTHNESS("2", "1")}},
         0,
         "fbx-subdivision",
         "1 meshes"},
        {MODELS "/shapes.fbx", {{"\t\tGeometryVersion: ", NULL, SMOOTHNESS("1", "1")}}, 0, "fbx-subdivision", NULL},
        {MODELS "/shapes.fbx", {{"\t\tGeometryVersion: ", NULL, SMOOTHNESS("3", "0")}}, 0, "fbx-subdivision", NULL},
        {MODELS "/shapes.fbx", {{"\tGeometry: 300,", NULL, SURFACE}}, 0, "fbx-geometries", "1 geometries"},
        {MODELS "/shapes.fbx", {{0}}, 0, "fbx-geometries", NULL},
        {MODELS "/shapes.fbx", {HIDES("0")}, 0, "fbx-hidden", "1 nodes are hidden in the file (Visibility)"},
        {MODELS "/shapes.fbx", {BELOW, {"\tModel: 100,", NULL, PARENT}}, 0, "fbx-hidden", ": \"head\""}, /* by its parent */
        {MODELS "/shapes.fbx", {HIDES("1")}, 0, "fbx-hidden", NULL},
        {MODELS "/shapes.fbx", {{0}}, 0, "fbx-levels", NULL},
        {MODELS "/shapes.fbx", {{"\tGeometry: 300,", NULL, LEVELS}}, 0, "fbx-levels", "1 groups of levels of detail"},
        {PRE_ROTATION, {{"Lcl Rotation\"\n", "Visibility\"\n"}}, 0, "fbx-channels", "1 channels move what is not "},
        {PRE_ROTATION, {{0}}, 0, "fbx-channels", NULL},
        {MODELS "/shapes.fbx", {{0}}, 0, "fbx-channels", NULL},
        /* Ignored inheritance matters only where something is scaled. */
        {PRE_ROTATION, {{INHERIT_TYPE "1", INHERIT_TYPE "2"}}, 0, "fbx-inherit-type", NULL},
        {MODELS "/inherit.fbx", {{INHERIT_TYPE "1", INHERIT_TYPE "2"}}, 0, "fbx-inherit-type", NULL}, /* repaired */
        {MODELS "/inherit.fbx",
         {{INHERIT_TYPE "1", INHERIT_TYPE "2"}},
         REPAIR_FBX_INHERIT_TYPE,
         "fbx-inherit-type",
         "1 nodes do not take over"},
        {MODELS "/inherit.fbx", {{INHERIT_TYPE "1", INHERIT_TYPE "0"}}, 0, "fbx-inherit-type", NULL}, /* evenly */
        {PRE_ROTATION, {{"\tAnimationLayer: ", NULL, LAYER}}, 0, "fbx-layers", NULL}, /* nothing is in it */
        {PRE_ROTATION,
         {{"\tAnimationLayer: ", NULL, LAYER}, {"\tC: \"OO\",", NULL, CONNECTED}},
         REPAIR_FBX_CURVES,
         "fbx-layers",
         "1 animation layer "},
        /* C is a curve that holds its last value, R one that starts again. */
        {PRE_ROTATION, {{"\t\tKeyVer: ", NULL, EXTRAPOLATION("C", "-1")}, LATER}, 0, "fbx-extrapolation", NULL},
        {PRE_ROTATION,
         {{"\t\tKeyVer: ", NULL, EXTRAPOLATION("R", "-1")}, LATER},
         REPAIR_FBX_CURVES,
         "fbx-extrapolation",
         "last key"},
        {PRE_ROTATION, {{"\t\tKeyVer: ", NULL, EXTRAPOLATION("R", "0")}, LATER}, 0, "fbx-extrapolation", NULL},
        {PRE_ROTATION, {{"\t\tKeyVer: ", NULL, EXTRAPOLATION("R", "-1")}}, 0, "fbx-extrapolation", NULL}, /* the clip ends there */
        {FIXTURES "/walker/walker.dae", {{0}}, 0, "dae-curves", NULL},
        {FIXTURES "/walker/walker.dae", {{">LINEAR ", ">BEZIER "}}, 0, "dae-curves", "straight lines between their keys stay"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const size_t count = (rows[i].changes[0].mark != NULL) + (rows[i].changes[1].mark != NULL);
        SCENE *scene = import_changed(rows[i].source, rows[i].changes, count, REPAIR_ALL & ~rows[i].without);
        const char *note = note_of(scene, NOTE_WARNING, rows[i].id);
        assert_told(note, rows[i].text);
    }
}

/* The angle about z, in degrees, of "joint" at the `k`-th key from the last one on. Its pre-rotation by 90 degrees is in its own
 * channel, and not in the pivot's that Assimp 5.4 and later animate. */
static double angle_of_key(const struct scene *scene, uint32_t k)
{
    const struct clip *clip = &scene->clips[0];
    for (uint32_t i = 0; i < clip->channel_count; i++) {
        const struct keys *keys = &clip->channels[i].keys[COMPONENT_ROTATION];
        const bool is_pivot = strcmp(clip->channels[i].node_name, "joint_$AssimpFbx$_Rotation") == 0;
        if (!is_pivot && strcmp(clip->channels[i].node_name, "joint") != 0)
            continue;
        assert_true(keys->count > k);
        const uint32_t width = keys->interpolation == INTERPOLATE_CUBIC ? 12 : 4, middle = width == 12 ? 4 : 0;
        const float *q = keys->values + (size_t)(keys->count - 1 - k) * width + middle;
        return 2 * atan2((double)q[2], (double)q[3]) * 180 / 3.14159265358979323846 + (is_pivot ? 90 : 0);
    }
    fail_msg("joint has no channel");
    return 0;
}

static void assert_turned(double is, double expected)
{
    const double off = fmod(is - expected + 900, 360) - 180;
    if (!(fabs(off) < 1e-3))
        fail_msg("turned by %g degrees, not by %g", is, expected);
}

/* A joint that stands at 90 degrees turns from 0 to 90 in the first second of two. */
TEST(test_curves_beyond_their_keys)
{
    static const struct {
        struct change changes[2];
        double end;
    } rows[] = {{{{"\t\tKeyVer: ", NULL, EXTRAPOLATION("C", "-1")}, LATER}, 90},
                {{{"\t\tKeyVer: ", NULL, EXTRAPOLATION("R", "-1")}, LATER}, 90},
                {{{"\t\tKeyVer: ", NULL, EXTRAPOLATION("A", "-1")}, LATER}, 180},
                {{{"\t\tKeyVer: ", NULL, EXTRAPOLATION("A", "0")}, LATER}, 90},
                {{{"\t\tKeyVer: ", NULL, EXTRAPOLATION("M", "3")}, LATER}, 0},
                {{{"\t\tKeyVer: ", NULL, EXTRAPOLATION("K", "-1")}, LATER}, 180}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        SCENE *scene = import_changed(PRE_ROTATION, rows[i].changes, 2, REPAIR_ALL);
        assert_turned(angle_of_key(scene, 0), 90 + rows[i].end);
        assert_null(note_of(scene, NOTE_WARNING, "fbx-extrapolation"));
    }
}

#define OVER(mode, weight, by_axis) \
    "\tAnimationLayer: 301, \"AnimLayer::over\", \"\" {\n\t\tProperties70:  {\n" \
    "\t\t\tP: \"Weight\", \"Number\", \"\", \"A\"," weight "\n\t\t\tP: \"BlendMode\", \"enum\", \"\", \"\"," mode "\n" \
    "\t\t\tP: \"RotationAccumulationMode\", \"enum\", \"\", \"\"," by_axis "\n\t\t}\n\t}\n" \
    "\tAnimationCurveNode: 302, \"AnimCurveNode::R\", \"\" {\n\t}\n" \
    "\tAnimationCurve: 303, \"AnimCurve::\", \"\" {\n\t\tKeyTime: *2 {\n\t\t\ta: 0,46186158000\n\t\t}\n" \
    "\t\tKeyValueFloat: *2 {\n\t\t\ta: 0,40\n\t\t}\n\t\tKeyAttrFlags: *1 {\n\t\t\ta: 24836\n\t\t}\n" \
    "\t\tKeyAttrDataFloat: *4 {\n\t\t\ta: 0,0,0,0\n\t\t}\n\t\tKeyAttrRefCount: *1 {\n\t\t\ta: 2\n\t\t}\n\t}\n"
#define OVER_CONNECTED \
    "\tC: \"OO\",301,200\n\tC: \"OO\",302,301\n\tC: \"OP\",302,100, \"Lcl Rotation\"\n\tC: \"OP\",303,302, \"d|Z\"\n" \
    "\tC: \"OO\",202,201\n"

/* A layer that turns from 0 to 40 degrees stands above a base that turns from 0 to 90, the joint itself at 90. */
TEST(test_layers)
{
    static const struct {
        struct change changes[2];
        double end;
    } rows[] = {
        {{{"\tAnimationLayer: ", NULL, OVER("0", "100", "0")}, {"\tC: \"OO\",202,201\n", OVER_CONNECTED}}, 130},
        {{{"\tAnimationLayer: ", NULL, OVER("0", "50", "0")}, {"\tC: \"OO\",202,201\n", OVER_CONNECTED}}, 110},
        {{{"\tAnimationLayer: ", NULL, OVER("0", "50", "1")}, {"\tC: \"OO\",202,201\n", OVER_CONNECTED}}, 110},
        {{{"\tAnimationLayer: ", NULL, OVER("1", "50", "0")}, {"\tC: \"OO\",202,201\n", OVER_CONNECTED}}, 40},
        {{{"\tAnimationLayer: ", NULL, OVER("2", "50", "0")}, {"\tC: \"OO\",202,201\n", OVER_CONNECTED}}, 65},
        {{{"\tAnimationLayer: ", NULL, OVER("2", "25", "1")}, {"\tC: \"OO\",202,201\n", OVER_CONNECTED}}, 77.5}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        SCENE *scene = import_changed(PRE_ROTATION, rows[i].changes, 2, REPAIR_ALL);
        assert_turned(angle_of_key(scene, 0), 90 + rows[i].end);
        assert_contains(note_of(scene, NOTE_REPAIR, "fbx-layers"), "are put on each other");
    }
}

static void node_to_world(const struct scene *scene, int32_t node, mat4 out)
{
    memcpy(out, mat4_identity, sizeof mat4_identity);
    for (; node != NO_INDEX; node = scene->nodes[node].parent)
        affine_mul(scene->nodes[node].local_to_parent, out, out);
}

/* A joint that is scaled by 2 and turned by 90 degrees about z, and a tip at (0, 4, 0) below it that leaves the scale out: its
 * place is scaled, itself is not. */
TEST(test_inherit_type)
{
    static const struct change changes[] = {{INHERIT_TYPE "1", INHERIT_TYPE "2"}};
    for (int repaired = 0; repaired < 2; repaired++) {
        SCENE *scene = import_changed(MODELS "/inherit.fbx", changes, 1,
                                     repaired ? REPAIR_ALL : ALL_BUT(FBX_INHERIT_TYPE));
        const int32_t above = scene_find_node(scene, "tip_$AssimpFbx$_ParentScaling");
        mat4 global;
        node_to_world(scene, scene_find_node(scene, "tip"), global);
        ASSERT_NUMBERS(global[3], 1e-5, -7, 2, 3);
        assert_float_equal(global[0][1], repaired ? 1 : 2, 1e-6);
        assert_true((above != NO_INDEX) == (repaired == 1));
    }
}

/* While the joint's scale along z goes from 1 to 4, the node above the tip divides by it, in between too. */
TEST(test_inherit_type_of_a_clip)
{
    static const struct change changes[] = {{INHERIT_TYPE "1", INHERIT_TYPE "2"}, {"\"Lcl Rotation\"\n", "\"Lcl Scaling\"\n"}, {"a: 0,90", "a: 1,4"}};
    SCENE *scene = import_changed(MODELS "/inherit.fbx", changes, 3, REPAIR_ALL);
    const struct clip *clip = &scene->clips[0];
    const struct keys *keys = NULL;
    for (uint32_t i = 0; i < clip->channel_count; i++)
        if (strcmp(clip->channels[i].node_name, "tip_$AssimpFbx$_ParentScaling") == 0)
            keys = &clip->channels[i].keys[COMPONENT_SCALE];
    assert_non_null(keys);
    assert_int_equal(keys->interpolation, INTERPOLATE_CUBIC);
    assert_true(keys->count > 2);
    for (uint32_t k = 0; k < keys->count; k++)
        assert_float_equal(keys->values[9 * k + 5], 1 / (1 + 3 * keys->times[k]), 1e-5);
}

/* What a mesh was bound with stays when it is moved, whatever this Assimp makes of it. */
TEST(test_offsets_are_as_bound)
{
    static const struct change moved[] = {{"\"\", \"A\",8,0,0", "\"\", \"A\",3,-2,1"}};
    SCENE *was = import_path(MODELS "/geometric.fbx", REPAIR_ALL), *now = import_changed(MODELS "/geometric.fbx", moved, 1, REPAIR_ALL);
    assert_int_equal(now->meshes[0].bone_count, was->meshes[0].bone_count);
    assert_int_not_equal(was->meshes[0].bone_count, 0);
    for (uint32_t b = 0; b < was->meshes[0].bone_count; b++)
        ASSERT_NEAR(now->meshes[0].bones[b].mesh_to_bone[0], was->meshes[0].bones[b].mesh_to_bone[0], 16, 1e-5);
}

/* Says if pre- and post-rotation and the order of axes count is the model's to say. Angles are all 0, or all about one
 * axis. */
TEST(test_rotation_space)
{
    static const struct change off[] = {{"\"RotationActive\", \"bool\", \"\", \"\",1", "\"RotationActive\", \"bool\", \"\", \"\",0"}},
                               only[] = {{"\t\t\tP: \"RotationActive\"", NULL, "\t\t\tP: \"RotationSpaceForLimitOnly\", \"bool\", \"\", \"\",1\n"}};
    for (int i = 0; i < 3; i++) {
        SCENE *scene = import_changed(PRE_ROTATION, i == 2 ? only : off, i > 0, REPAIR_ALL);
        mat4 global;
        node_to_world(scene, scene_find_node(scene, "joint"), global);
        assert_float_equal(global[0][0], i > 0 ? 1 : 0, 1e-6); /* or turned by 90 degrees about z */
        assert_true((note_of(scene, NOTE_REPAIR, "fbx-rotation-space") != NULL) == (i > 0));
    }
}

/* A geometric rotation is in the order XYZ: x then y turn (0, 0, 1) by 90 degrees each to (0, -1, 0), not to (1, 0, 0). */
TEST(test_order_of_a_geometric_rotation)
{
    static const struct change changes[] = {
        {"\"GeometricRotation\", \"Vector3D\", \"Vector\", \"\",0,0,90", "\"GeometricRotation\", \"Vector3D\", \"Vector\", \"\",90,90,0"},
        {"\t\t\tP: \"GeometricTranslation\"", NULL, "\t\t\tP: \"RotationOrder\", \"enum\", \"\", \"\",5\n"}};
    SCENE *scene = import_changed(MODELS "/geometric.fbx", changes, 2, REPAIR_ALL);
    int32_t node = scene_find_node(scene, "sail_$AssimpFbx$_GeometricRotation");
    vec3 point;
    assert_int_not_equal(node, NO_INDEX);
    affine_point(scene->nodes[node].local_to_parent, (const vec3){0, 0, 1}, point);
    ASSERT_NUMBERS(point, 1e-6, 0, -1, 0);
}

/* Assimp leaves out shapes without normals: with zeros instead they are the same. */
TEST(test_shapes_without_normals)
{
    static const struct change none[] = {{"\t\tNormals: *3 {\n\t\t\ta: 0,0,0\n\t\t}\n", ""}};
    SCENE *scene = import_changed(MODELS "/shapes.fbx", none, 1, REPAIR_ALL), *whole = import_path(MODELS "/shapes.fbx", REPAIR_ALL);
    assert_int_equal(scene->meshes[0].target_count, 3);
    assert_contains(note_of(scene, NOTE_REPAIR, "fbx-shapes"), "without normals");
    for (uint32_t t = 0; t < 3; t++) { /* by name: before 6.0.5 their order is not the file's */
        const struct morph_target *target = &scene->meshes[0].targets[t], *same = whole->meshes[0].targets;
        for (uint32_t u = 1; u < 3 && strcmp(same->name, target->name) != 0; u++)
            same = &whole->meshes[0].targets[u];
        assert_string_equal(same->name, target->name);
        assert_memory_equal(target->position_deltas, same->position_deltas, scene->meshes[0].vertex_count * sizeof(vec3));
    }
}

/* The target of that name, which Assimp writes twice from 5.3 on: "smile.smile". Until 6.0.5 it also turns their order. */
static uint32_t target_named(const struct mesh *mesh, const char *name)
{
    for (uint32_t i = 0; i < mesh->target_count; i++)
        if (strncmp(mesh->targets[i].name, name, strlen(name)) == 0)
            return i;
    fail_msg("no target %s", name);
    return 0;
}

/* Assimp lets every shape rest at 1, and lists at each key only the targets that have one there. */
TEST(test_blend_shapes_rest_and_are_held)
{
    SCENE *scene = import_path(MODELS "/shapes.fbx", REPAIR_ALL), *raw = import_path(MODELS "/shapes.fbx", ALL_BUT(FBX_SHAPES));
    static const struct {
        const char *name;
        float rest, keys[4]; /* rest: DeformPercent */
    } shapes[3] = {
        {"smile", 0.25f, {0, 0.25f, 0.75f, 1}},
        {"frown", -0.5f, {0.2f, 0.2f, 0.4f, 0.4f}},
        {"blink", 0.75f, {0.75f, 0.75f, 0.75f, 0.75f}},
    };
    const struct mesh *mesh = &scene->meshes[0];
    const struct keys *keys = &scene->clips[0].morphs[0].keys;
    assert_int_equal(mesh->target_count, 3);
    assert_int_equal(keys->count, 4);
    for (int i = 0; i < 3; i++) {
        uint32_t target = target_named(mesh, shapes[i].name);
        assert_float_equal(mesh->targets[target].default_weight, shapes[i].rest, 0);
        for (uint32_t k = 0; k < 4; k++)
            assert_float_equal(keys->values[3 * k + target], shapes[i].keys[k], 1e-7f);
        assert_float_equal(raw->meshes[0].targets[i].default_weight, 1, 0);
    }
    assert_contains(note_of(scene, NOTE_REPAIR, "fbx-shapes"), "3 blend shapes");
    assert_contains(note_of(scene, NOTE_WARNING, "fbx-full-weights"), "\"frown");
    assert_null(note_of(raw, NOTE_REPAIR, "fbx-shapes"));
}

/* A channel's name may be the beginning of another's, as in blink and blink.L. */
TEST(test_blend_shapes_of_alike_names)
{
    static const struct change changes[] = {{"SubDeformer::frown\"", "SubDeformer::blink.L\""},
                                            {"Geometry::frown\"", "Geometry::blink.L\""}};
    SCENE *scene = import_changed(MODELS "/shapes.fbx", changes, 2, REPAIR_ALL);
    const struct mesh *mesh = &scene->meshes[0];
    float sum = 0;
    for (uint32_t t = 0; t < 3; t++)
        sum += mesh->targets[t].default_weight;
    assert_float_equal(mesh->targets[target_named(mesh, "smile")].default_weight, 0.25f, 0);
    assert_float_equal(mesh->targets[target_named(mesh, "blink.L")].default_weight, -0.5f, 0);
    assert_float_equal(sum, 0.5f, 0);
}

/* A header in which the 32-bit number at `at` is `frames`; `cut` bytes short. */
static const char *warning_of(const char *format, const char *magic, size_t at, unsigned char frames, size_t cut)
{
    static char text[256];
    unsigned char header[96] = {0};
    memcpy(header, magic, 4);
    header[at] = frames;
    const TEMPORARY file = temporary_make("model", header, at + 4 - cut);
    SCENE *scene = builder_scene(1);
    scene->format = format;
    scene->path = file.path;
    struct conversion c = {.scene = scene};
    add_warnings(&c);
    conversion_release(&c);
    const char *note = note_of(scene, NOTE_WARNING, "frame-animation");
    snprintf(text, sizeof text, "%s", note ? note : "");
    return text;
}

TEST(frames_of_vertices_are_counted)
{
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

/* As exporters on other machines store it, the folder is of no use; the file lies beside the model. */
TEST(test_textures_are_found_by_base_name)
{
    static const char *const names[] = {"red.png", "C:\\art\\work\\red.png", "/home/artist/red.png", ".\\red.png"};
    static const char quad[] = "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nusemtl m\nf 1 2 3 4\n";
    uint8_t red[4] = {255, 0, 0, 255};
    const struct image image = {1, 1, red};
    const TEMPORARY model = temporary_make("a.obj", quad, sizeof quad - 1);
    char text[256];
    assert_true(image_write_png(&image, beside(&model, "red.png"), PNG_OUTPUT, ANY_ERROR));
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(text, sizeof text, "newmtl m\nKd 1 1 1\nmap_Kd %s\n", names[i]);
        assert_true(file_write(beside(&model, "a.mtl"), text, strlen(text), ANY_ERROR));
        SCENE *scene = import_path(model.path, REPAIR_ALL);
        const struct material *found = &scene->materials[scene->meshes[0].material];
        assert_true(found->two_sided); /* OBJ says nothing about it */
        assert_true(found->base_texture >= 0);
        assert_false(scene->textures[found->base_texture].missing);
        assert_memory_equal(scene->textures[found->base_texture].rgba, red, 4);
    }
}

TEST(test_old_fbx_is_refused_with_a_way_out)
{
    struct error err = {0};
    assert_null(import_text("a.fbx",
                            "; FBX 6.1.0 project file\nFBXHeaderExtension:  {\n\tFBXHeaderVersion: 1003\n\tFBXVersion: "
                            "6100\n}\nObjects:  {\n}\n",
                            &err));
    assert_int_equal(err.exit_code, EXIT_CODE_USAGE);
    assert_contains(err.text, "cannot read FBX from before 2011: save it again");
}
