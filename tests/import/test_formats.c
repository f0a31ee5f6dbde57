#define _GNU_SOURCE /* mkdtemp, memmem */

#include "import_fixture.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file/file.h"
#include "base/text.h"
#include "data/image/image.h"

/* What single formats need: models that are small enough to be read as text, changed where a test says so. */

static char folder[] = "/tmp/rigproof-import-XXXXXX";

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static const char *const files[] = {"a.fbx", "a.dae", "a.obj", "a.mtl", "red.png"};

static int remove_folder(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", folder, files[i]);
        unlink(path);
    }
    return rmdir(folder);
}

static void write_text(const char *name, const char *text)
{
    char path[1024];
    struct error err = {0};
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (!file_write(path, text, strlen(text), &err))
        fail_msg("%s", err.text);
}

static struct scene *import_written(const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return import_path(path, REPAIR_ALL);
}

/* A copy of `source` in which every `from` is `to`. */
static void write_changed(const char *source, const char *name, const char *from, const char *to)
{
    struct blob file;
    struct error err = {0};
    struct text out = {0};
    if (!file_read(source, 1 << 24, &file, &err))
        fail_msg("%s", err.text);
    const char *rest = (const char *)file.data;
    assert_non_null(strstr(rest, from));
    for (const char *at; (at = strstr(rest, from)) != NULL; rest = at + strlen(from)) {
        text_add_bytes(&out, rest, (size_t)(at - rest));
        text_add(&out, to);
    }
    text_add(&out, rest);
    write_text(name, text_string(&out));
    text_release(&out);
    blob_release(&file);
}

/* A copy of `source` with `text` in front of the first `mark`. */
static void write_inserted(const char *source, const char *name, const char *mark, const char *text)
{
    struct blob file;
    struct error err = {0};
    if (!file_read(source, 1 << 24, &file, &err))
        fail_msg("%s", err.text);
    const char *at = strstr((const char *)file.data, mark);
    assert_non_null(at);
    struct text out = {0};
    text_add_bytes(&out, (const char *)file.data, (size_t)(at - (const char *)file.data));
    text_add(&out, text);
    text_add(&out, at);
    write_text(name, text_string(&out));
    text_release(&out);
    blob_release(&file);
}

static void write_inserted_again(const char *name, const char *mark, const char *text)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    write_inserted(path, name, mark, text);
}

/* ---- FBX --------------------------------------------------------------------------------------------------------- */

/* The joint's matrix below the root at a key of the clip, its chain of pivots included. */
static void joint_at_key(const struct scene *scene, uint32_t key, mat4 out)
{
    int32_t joint = scene_find_node(scene, "joint");
    affine_from_transform(&transform_identity, out);
    for (int32_t n = joint; n != NO_INDEX; n = scene->nodes[n].parent) {
        struct transform local = scene->nodes[n].rest;
        for (uint32_t i = 0; i < scene->clips[0].channel_count; i++) {
            const struct channel *channel = &scene->clips[0].channels[i];
            if (channel->node != n)
                continue;
            float *parts[] = {local.translation, local.rotation, local.scale};
            for (int k = 0; k < COMPONENT_COUNT; k++) {
                uint32_t width = component_width((enum component)k);
                uint32_t at = key < channel->keys[k].count ? key : channel->keys[k].count - 1;
                if (channel->keys[k].count > 0)
                    memcpy(parts[k], channel->keys[k].values + at * width, width * sizeof(float));
            }
        }
        mat4 matrix;
        affine_from_transform(&local, matrix);
        affine_mul(matrix, out, out);
    }
}

/* Pre-rotation 90 degrees about z, then 0 or 90 more: the joint's x axis points along +y, then along -x. */
static void test_pre_rotation_counts_once(void **state)
{
    (void)state;
    struct scene *scene = import_path(MODELS "/pre-rotation.fbx", REPAIR_ALL);
    mat4 matrix;
    joint_at_key(scene, 0, matrix);
    assert_floats(matrix[0], (const float[]){0, 1, 0}, 3, 1e-6f);
    assert_floats(matrix[3], (const float[]){1, 2, 3}, 3, 1e-6f);
    joint_at_key(scene, 1, matrix);
    assert_floats(matrix[0], (const float[]){-1, 0, 0}, 3, 1e-6f);
    assert_floats(matrix[3], (const float[]){1, 2, 3}, 3, 1e-6f);
    scene_free(scene);
}

static void test_held_pivots_are_reported(void **state)
{
    (void)state;
    struct scene *scene = import_path(MODELS "/pre-rotation.fbx", REPAIR_ALL);
    struct scene *raw = import_path(MODELS "/pre-rotation.fbx", REPAIR_ALL & ~(uint32_t)REPAIR_FBX_PIVOTS);
    uint32_t held = 0;
    for (uint32_t i = 0; i < scene->clips[0].channel_count; i++)
        held += scene->clips[0].channels[i].is_repair;
    assert_int_equal(scene->clips[0].channel_count, raw->clips[0].channel_count + held);
    assert_int_equal(note_of(scene, NOTE_REPAIR, "fbx-pivots") != NULL, held > 0);
    assert_null(note_of(raw, NOTE_REPAIR, "fbx-pivots"));
    scene_free(scene);
    scene_free(raw);
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
static void test_blend_shapes_rest_and_are_held(void **state)
{
    (void)state;
    struct scene *scene = import_path(MODELS "/shapes.fbx", REPAIR_ALL);
    static const struct {
        const char *name;
        float rest; /* DeformPercent */
        float keys[4];
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
    }
    assert_contains(note_of(scene, NOTE_REPAIR, "fbx-shapes"), "3 blend shapes");
    assert_contains(note_of(scene, NOTE_WARNING, "fbx-full-weights"), "\"frown");
    scene_free(scene);
    scene = import_path(MODELS "/shapes.fbx", REPAIR_ALL & ~(uint32_t)REPAIR_FBX_SHAPES);
    assert_null(note_of(scene, NOTE_REPAIR, "fbx-shapes"));
    for (int i = 0; i < 3; i++)
        assert_float_equal(scene->meshes[0].targets[i].default_weight, 1, 0);
    scene_free(scene);
}

static void test_fbx_axes_and_unit_come_from_the_file(void **state)
{
    (void)state;
    struct scene *scene = import_path(MODELS "/pre-rotation.fbx", REPAIR_ALL);
    assert_int_equal(scene->up_axis, 2);
    assert_int_equal(scene->up_sign, 1);
    assert_true(fabs(scene->unit_meters - 0.0254) < 1e-7);
    assert_true(affine_is_identity(scene->nodes[0].local_to_parent, 0));
    scene_free(scene);
}

static void test_straight_lines_are_no_warning(void **state)
{
    (void)state;
    struct scene *scene = import_path(MODELS "/pre-rotation.fbx", REPAIR_ALL);
    assert_null(note_of(scene, NOTE_WARNING, "fbx-curves"));
    assert_null(note_of(scene, NOTE_WARNING, "fbx-inherit-type"));
    scene_free(scene);
}

/* Without the repair the warning has the size: of a turn by 90 degrees held until the end, 90 degrees. */
static void test_stepped_curves_are_a_warning(void **state)
{
    (void)state;
    char path[1024];
    write_changed(MODELS "/pre-rotation.fbx", "a.fbx", "a: 24836", "a: 24834");
    snprintf(path, sizeof path, "%s/a.fbx", folder);
    struct scene *scene = import_path(path, REPAIR_ALL & ~(uint32_t)REPAIR_FBX_CURVES);
    assert_contains(note_of(scene, NOTE_WARNING, "fbx-curves"), "degrees off the file's curves");
    assert_int_equal(scene->clips[0].channels[0].keys[COMPONENT_ROTATION].interpolation, INTERPOLATE_LINEAR);
    scene_free(scene);
}

/* Assimp does not know rotations of the order 6 (spheric): what it made of them is left alone. */
static void test_curves_of_unknown_meaning_are_a_warning(void **state)
{
    (void)state;
    write_inserted(MODELS "/pre-rotation.fbx", "a.fbx", "\t\t\tP: \"PreRotation\"",
                   "\t\t\tP: \"RotationOrder\", \"enum\", \"\", \"\",6\n");
    struct scene *scene = import_written("a.fbx");
    assert_contains(note_of(scene, NOTE_WARNING, "fbx-curves"), "straight lines between them stay");
    assert_null(note_of(scene, NOTE_REPAIR, "fbx-curves"));
    scene_free(scene);
}

static void test_geometry_caches_are_a_warning(void **state)
{
    (void)state;
    struct scene *scene = import_path(MODELS "/shapes.fbx", REPAIR_ALL);
    assert_null(note_of(scene, NOTE_WARNING, "fbx-vertex-cache"));
    scene_free(scene);
    write_inserted(MODELS "/shapes.fbx", "a.fbx", "\tAnimationStack: ",
                   "\tDeformer: 900, \"Deformer::cache\", \"VertexCacheDeformer\" {\n\t}\n");
    scene = import_written("a.fbx");
    assert_contains(note_of(scene, NOTE_WARNING, "fbx-vertex-cache"), "geometry cache");
    scene_free(scene);
}

/* A channel's name may be the beginning of another's, as in blink and blink.L. */
static void test_blend_shapes_of_alike_names(void **state)
{
    (void)state;
    write_changed(MODELS "/shapes.fbx", "a.fbx", "SubDeformer::frown\"", "SubDeformer::blink.L\"");
    char path[1024];
    snprintf(path, sizeof path, "%s/a.fbx", folder);
    write_changed(path, "a.fbx", "Geometry::frown\"", "Geometry::blink.L\"");
    struct scene *scene = import_written("a.fbx");
    const struct mesh *mesh = &scene->meshes[0];
    const float expected[3] = {0.25f, -0.5f, 0.75f}; /* smile, blink.L, blink */
    assert_floats((const float[]){mesh->targets[target_named(mesh, "smile")].default_weight,
                                  mesh->targets[target_named(mesh, "blink.L")].default_weight},
                  expected, 2, 0);
    float sum = 0;
    for (uint32_t t = 0; t < 3; t++)
        sum += mesh->targets[t].default_weight;
    assert_float_equal(sum, 0.5f, 0);
    scene_free(scene);
}

/* Ignored inheritance matters only where something is scaled. */
static void test_inherit_type_is_a_warning_under_scale(void **state)
{
    (void)state;
    write_changed(MODELS "/pre-rotation.fbx", "a.fbx", "\"InheritType\", \"enum\", \"\", \"\",1",
                  "\"InheritType\", \"enum\", \"\", \"\",2");
    struct scene *scene = import_written("a.fbx");
    assert_null(note_of(scene, NOTE_WARNING, "fbx-inherit-type"));
    scene_free(scene);
    write_changed(MODELS "/inherit.fbx", "a.fbx", "\"InheritType\", \"enum\", \"\", \"\",1",
                  "\"InheritType\", \"enum\", \"\", \"\",2");
    scene = import_written("a.fbx");
    assert_contains(note_of(scene, NOTE_WARNING, "fbx-inherit-type"), "Rrs");
    scene_free(scene);
}

static void test_layers_are_a_warning(void **state)
{
    (void)state;
    struct scene *scene = import_path(MODELS "/pre-rotation.fbx", REPAIR_ALL);
    assert_null(note_of(scene, NOTE_WARNING, "fbx-layers"));
    scene_free(scene);
    static const char layer[] = "\tAnimationLayer: 301, \"AnimLayer::over\", \"\" {\n\t}\n";
    write_inserted(MODELS "/pre-rotation.fbx", "a.fbx", "\tAnimationLayer: ", layer);
    scene = import_written("a.fbx");
    assert_null(note_of(scene, NOTE_WARNING, "fbx-layers")); /* nothing is in it */
    scene_free(scene);
    write_inserted(MODELS "/pre-rotation.fbx", "a.fbx", "\tAnimationLayer: ", layer);
    write_inserted_again("a.fbx", "\tC: \"OO\",", "\tC: \"OO\",301,200\n\tC: \"OO\",202,301\n");
    scene = import_written("a.fbx");
    assert_contains(note_of(scene, NOTE_WARNING, "fbx-layers"), "1 animation layer ");
    scene_free(scene);
}

/* C is a curve that holds its last value, R one that starts again. */
static void test_curves_that_go_on_are_a_warning(void **state)
{
    (void)state;
    write_inserted(MODELS "/pre-rotation.fbx", "a.fbx",
                   "\t\tKeyVer: ", "\t\tPost-Extrapolation: {\n\t\t\tType: C\n\t\t\tRepetition: -1\n\t\t}\n");
    struct scene *scene = import_written("a.fbx");
    assert_null(note_of(scene, NOTE_WARNING, "fbx-extrapolation"));
    scene_free(scene);
    write_inserted(MODELS "/pre-rotation.fbx", "a.fbx",
                   "\t\tKeyVer: ", "\t\tPost-Extrapolation: {\n\t\t\tType: R\n\t\t\tRepetition: -1\n\t\t}\n");
    scene = import_written("a.fbx");
    assert_contains(note_of(scene, NOTE_WARNING, "fbx-extrapolation"), "last key");
    scene_free(scene);
}

/* ---- others ------------------------------------------------------------------------------------------------------ */

static void test_bezier_curves_are_a_warning(void **state)
{
    (void)state;
    write_changed(FIXTURES "/walker/walker.dae", "a.dae", ">LINEAR ", ">BEZIER ");
    struct scene *scene = import_written("a.dae");
    assert_contains(note_of(scene, NOTE_WARNING, "dae-curves"), "BEZIER");
    scene_free(scene);
    scene = load("walker/walker.dae");
    assert_null(note_of(scene, NOTE_WARNING, "dae-curves"));
    scene_free(scene);
}

static void test_camera_angle_is_vertical(void **state)
{
    (void)state;
    struct scene *scene = import_path(MODELS "/camera.gltf", REPAIR_ALL);
    assert_int_equal(scene->camera_count, 1);
    const struct scene_camera *camera = &scene->cameras[0];
    assert_float_equal(camera->fov_y, 1.0f, 1e-5f);
    assert_int_equal(camera->node, scene_find_node(scene, "eye"));
    assert_floats(camera->forward, (const float[]){0, 0, -1}, 3, 0);
    assert_floats(camera->up, (const float[]){0, 1, 0}, 3, 0);
    assert_float_equal(camera->near_plane, 0.1f, 1e-7f);
    scene_free(scene);
}

static void write_quad(const char *texture)
{
    char material[256];
    snprintf(material, sizeof material, "newmtl m\nKd 1 1 1\nmap_Kd %s\n", texture);
    write_text("a.mtl", material);
    write_text("a.obj",
               "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nusemtl m\n"
               "f 1/1 2/2 3/3 4/4\n");
    uint8_t red[4] = {255, 0, 0, 255};
    struct image image = {1, 1, red};
    struct error err = {0};
    char path[1024];
    snprintf(path, sizeof path, "%s/red.png", folder);
    if (!image_write_png(&image, path, PNG_OUTPUT, &err))
        fail_msg("%s", err.text);
}

/* As exporters on other machines store it, the folder is of no use; the file lies beside the model. */
static void test_textures_are_found_by_base_name(void **state)
{
    (void)state;
    static const char *const names[] = {"red.png", "C:\\art\\work\\red.png", "/home/artist/red.png",
                                        ".\\red.png"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        write_quad(names[i]);
        struct scene *scene = import_written("a.obj");
        const struct mesh *mesh = &scene->meshes[0];
        int32_t texture = scene->materials[mesh->material].base_texture;
        assert_true(texture >= 0);
        assert_false(scene->textures[texture].missing);
        const uint8_t red[4] = {255, 0, 0, 255};
        assert_memory_equal(scene->textures[texture].rgba, red, 4);
        scene_free(scene);
    }
}

static void test_missing_normals_are_computed(void **state)
{
    (void)state;
    write_quad("red.png");
    struct scene *scene = import_written("a.obj");
    const struct mesh *mesh = &scene->meshes[0];
    assert_int_equal(mesh->triangle_count, 2);
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        assert_floats(mesh->normals[v], (const float[]){0, 0, 1}, 3, 1e-6f);
        assert_floats(mesh->uvs[v], (const float[]){mesh->positions[v][0], 1 - mesh->positions[v][1]}, 2,
                      1e-6f);
    }
    assert_true(scene->materials[mesh->material].two_sided); /* OBJ says nothing about it */
    scene_free(scene);
}

static void test_unknown_formats_are_named(void **state)
{
    (void)state;
    struct error err = {0};
    assert_null(import_scene(FIXTURES "/walker/walker.png", &import_defaults, &err));
    assert_contains(err.text, "cannot read .png files");
}

static void test_old_fbx_is_refused_with_a_way_out(void **state)
{
    (void)state;
    char path[1024];
    struct error err = {0};
    write_text("a.fbx", "; FBX 6.1.0 project file\n"
                        "FBXHeaderExtension:  {\n\tFBXHeaderVersion: 1003\n\tFBXVersion: 6100\n}\nObjects:  {\n}\n");
    snprintf(path, sizeof path, "%s/a.fbx", folder);
    assert_null(import_scene(path, &import_defaults, &err));
    assert_int_equal(err.exit_code, EXIT_CODE_USAGE);
    assert_contains(err.text, "cannot read FBX from before 2011: save it anew");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pre_rotation_counts_once),
        cmocka_unit_test(test_held_pivots_are_reported),
        cmocka_unit_test(test_blend_shapes_rest_and_are_held),
        cmocka_unit_test(test_fbx_axes_and_unit_come_from_the_file),
        cmocka_unit_test(test_straight_lines_are_no_warning),
        cmocka_unit_test(test_stepped_curves_are_a_warning),
        cmocka_unit_test(test_curves_of_unknown_meaning_are_a_warning),
        cmocka_unit_test(test_geometry_caches_are_a_warning),
        cmocka_unit_test(test_blend_shapes_of_alike_names),
        cmocka_unit_test(test_inherit_type_is_a_warning_under_scale),
        cmocka_unit_test(test_layers_are_a_warning),
        cmocka_unit_test(test_curves_that_go_on_are_a_warning),
        cmocka_unit_test(test_bezier_curves_are_a_warning),
        cmocka_unit_test(test_camera_angle_is_vertical),
        cmocka_unit_test(test_textures_are_found_by_base_name),
        cmocka_unit_test(test_missing_normals_are_computed),
        cmocka_unit_test(test_unknown_formats_are_named),
        cmocka_unit_test(test_old_fbx_is_refused_with_a_way_out),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
