/* Upload formats as a user asks for them: what is not possible is reported before anything is drawn. */
#include "cli/pictures.h"

#include <stdio.h>
#include <string.h>

#include "base/file/file.h"
#include "base/text.h"

static void write(const char *path, const void *data, size_t size)
{
    struct error err = {0};
    if (!file_write(path, data, size, &err))
        fail_msg("%s", err.text);
}

/* A triangle on the last of `bones` joints, as glTF. */
static void write_rig(const char *path, int bones)
{
    struct text text = {0};
    text_add(&text, "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0,1]}],"
                     "\"nodes\":[{\"name\":\"body\",\"mesh\":0,\"skin\":0},{\"name\":\"root\",\"children\":[");
    for (int b = 0; b < bones; b++)
        text_addf(&text, "%s%d", b ? "," : "", b + 2);
    text_add(&text, "]}");
    for (int b = 0; b < bones; b++)
        text_addf(&text, ",{\"name\":\"bone%d\"}", b);
    text_add(&text, "],\"skins\":[{\"joints\":[");
    for (int b = 0; b < bones; b++)
        text_addf(&text, "%s%d", b ? "," : "", b + 2);
    text_add(&text, "],\"inverseBindMatrices\":4}],\"meshes\":[{\"name\":\"body\",\"primitives\":[{\"attributes\":"
                     "{\"POSITION\":0,\"NORMAL\":1,\"JOINTS_0\":2,\"WEIGHTS_0\":3}}]}],"
                     "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\","
                     "\"min\":[0,0,0],\"max\":[1,1,0]},"
                     "{\"bufferView\":1,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"},"
                     "{\"bufferView\":2,\"componentType\":5123,\"count\":3,\"type\":\"VEC4\"},"
                     "{\"bufferView\":3,\"componentType\":5126,\"count\":3,\"type\":\"VEC4\"},"
                     "{\"bufferView\":4,\"componentType\":5126,\"type\":\"MAT4\",");
    text_addf(&text, "\"count\":%d}],", bones);
    text_add(&text, "\"bufferViews\":[{\"buffer\":0,\"byteOffset\":0,\"byteLength\":36},"
                     "{\"buffer\":0,\"byteOffset\":36,\"byteLength\":36},"
                     "{\"buffer\":0,\"byteOffset\":72,\"byteLength\":24},"
                     "{\"buffer\":0,\"byteOffset\":96,\"byteLength\":48},");
    text_addf(&text, "{\"buffer\":0,\"byteOffset\":144,\"byteLength\":%d}],", 64 * bones);
    text_addf(&text, "\"buffers\":[{\"uri\":\"rig.bin\",\"byteLength\":%d}]}", 144 + 64 * bones);
    write(path, text.data, text.size);
    text_release(&text);
}

/* 3 positions, 3 normals, 3 x 4 joints of 16 bits, 3 x 4 weights; a unit matrix a bone. */
static void write_buffer(int bones)
{
    static const float positions[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0}, normals[9] = {0, 0, 1, 0, 0, 1, 0, 0, 1};
    static const float unit[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    static const float weights[12] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const uint16_t last = (uint16_t)(bones - 1), joints[12] = {last, 0, 0, 0, last, 0, 0, 0, last};
    struct text bytes = {0};
    text_add_bytes(&bytes, positions, sizeof positions);
    text_add_bytes(&bytes, normals, sizeof normals);
    text_add_bytes(&bytes, joints, sizeof joints);
    text_add_bytes(&bytes, weights, sizeof weights);
    for (int b = 0; b < bones; b++)
        text_add_bytes(&bytes, unit, sizeof unit);
    write("rig.bin", bytes.data, bytes.size);
    text_release(&bytes);
}

/* llvmpipe has 4096 vec4s of uniforms, of which 16 are left to others; a block has 4096. Both are what Mesa gives. */
static void too_many_bones_are_counted(void **state)
{
    (void)state;
    write_buffer(1366);
    write_rig("rig.gltf", 1366);
    static const struct {
        const char *path, *format, *says;
    } rows[] = {
        {"uniform", "mat3x4", "--palette uniform: 1366 bones of mesh \"body\" need 4098 vec4 as mat3x4; a uniform array "
                              "holds 4080 here; use tbo"},
        {"uniform", "mat4", "need 5464 vec4 as mat4"},
        {"ubo", "mat3x4", "--palette ubo: 1366 bones of mesh \"body\" need 4098 vec4 as mat3x4; a uniform block "
                          "holds 4096 here; use tbo"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct outcome *run = rigproof_fails(2, "render", "rig.gltf", "--palette", rows[i].path,
                                                   "--palette-format", rows[i].format, "-o", "out.png");
        assert_contains(run->err, rows[i].says);
        assert_string_equal(scratch_listing(), "rig.bin rig.gltf");
    }
    rigproof_good("render", "rig.gltf", "--palette", "tbo", "--size", "32x32", "-o", "tbo.png");
    rigproof_good("render", "rig.gltf", "--palette", "uniform", "--palette-format", "trs", "--size", "32x32", "-o",
                  "trs.png");
    assert_same_files("tbo.png", "trs.png");
}

static void paths_and_formats_draw_the_same(void **state)
{
    (void)state;
    static const char *const paths[] = {"uniform", "ubo", "ssbo"};
    rigproof_good("render", WALKER, "--time", "0.3", "--size", "96x96", "-o", "default.png");
    for (int i = 0; i < 3; i++) {
        rigproof_good("render", WALKER, "--time", "0.3", "--size", "96x96", "--palette", paths[i], "-o", "rows.png");
        assert_same_files("default.png", "rows.png");
        rigproof_good("render", WALKER, "--time", "0.3", "--size", "96x96", "--palette", paths[i], "--palette-format",
                      "mat4", "-o", "columns.png");
        assert_same_files("default.png", "columns.png");
    }
}

static void trs_names_the_bone(void **state)
{
    (void)state;
    const struct outcome *run =
        rigproof_fails(2, "render", WALKER, "--time", "0.23", "--palette-format", "trs", "-o", "out.png");
    assert_contains(run->err, "time 0.23 s: --palette-format trs holds rotation, translation and uniform scale: the "
                              "matrix of bone \"head\" of mesh \"body-0\" has a scale that is not uniform (scale 1.0");
    assert_string_equal(scratch_listing(), "");
}

/* Posed on the CPU too, so that the OBJ differs. */
static void dual_quaternions_pose_the_mesh(void **state)
{
    (void)state;
    rigproof_good("dump", WALKER, "--time", "0.3", "-f", "obj", "-o", "linear.obj");
    rigproof_good("dump", WALKER, "--time", "0.3", "-f", "obj", "--skinning", "dual-quaternion", "-o", "dual.obj");
    assert_false(files_equal("linear.obj", "dual.obj"));
}

static void all_is_a_table(void **state)
{
    (void)state;
    const struct outcome *run = rigproof_good("render", WALKER, "--time", "0.3", "--size", "64x64", "--palette", "all");
    assert_contains(run->out, "\n48 combinations: 32 good, 16 cannot hold the model, 0 failed\n");
    assert_string_equal(run->err, "");
    assert_string_equal(scratch_listing(), "");
    assert_contains(rigproof_fails(2, "render", WALKER, "--palette", "all", "-o", "x.png")->err, "leave -o out");
    assert_contains(rigproof_fails(2, "turntable", WALKER, "--palette", "all", "-o", "x{frame}.png")->err,
                    "turntable: --palette all is for rigproof render");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        scratch_test(too_many_bones_are_counted),    scratch_test(paths_and_formats_draw_the_same),
        scratch_test(trs_names_the_bone),            scratch_test(dual_quaternions_pose_the_mesh),
        scratch_test(all_is_a_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
