#define _GNU_SOURCE /* mkdtemp */

#include "import/gltf_temporary.h"

#include <math.h>

#include "import/gltf/gltf_accessor.h"

/*
 * One buffer of 32 bytes: 00 01 7f 80 81 fe ff 00 | 00 00 80 3f 00 00 00 40 (the floats 1 and 2) | 01 80 ff
 * 7f 00 80 ff ff | 02 00 09 09 09 09 05 00
 */
#define BUFFER "data:;base64,AAF/gIH+/wAAAIA/AAAAQAGA/38AgP//AgAJCQkJBQA="

static struct gltf_file open_with(const char *views, const char *accessors)
{
    char text[4096];
    snprintf(text, sizeof text,
             "{\"buffers\":[{\"uri\":\"" BUFFER "\"}],\"bufferViews\":[%s],\"accessors\":[%s]}", views,
             accessors);
    struct gltf_file file;
    struct error err = {0};
    if (!open_text(&file, text, &err))
        fail_msg("%s", err.text);
    return file;
}

/* The accessor's numbers, or -1 with err set. */
static int read_floats(const char *views, const char *accessor, float *out, struct error *err)
{
    struct gltf_file file = open_with(views, accessor);
    struct gltf_accessor found;
    bool good = gltf_accessor_find(&file, 0, &found, err) && found.count * found.width <= 64 &&
                gltf_accessor_floats(&file, &found, out, err);
    gltf_close(&file);
    return good ? (int)(found.count * found.width) : -1;
}

static void assert_floats(const char *views, const char *accessor, size_t count, const float *expected)
{
    float out[64];
    struct error err = {0};
    int n = read_floats(views, accessor, out, &err);
    if (n < 0)
        fail_msg("%s: %s", accessor, err.text);
    assert_int_equal(n, count);
    for (size_t i = 0; i < count; i++)
        if (out[i] != expected[i])
            fail_msg("%s: element %zu is %.9g instead of %.9g", accessor, i, (double)out[i],
                     (double)expected[i]);
}

#define WHOLE "{\"buffer\":0,\"byteLength\":32}"
#define ACCESSOR(type, component, count, rest)                                                               \
    "{\"bufferView\":0,\"type\":\"" type "\",\"componentType\":" #component ",\"count\":" #count rest "}"

static void test_integers_as_they_are(void **state)
{
    (void)state;
    assert_floats(WHOLE, ACCESSOR("SCALAR", 5121, 7, ""), 7, (const float[]){0, 1, 127, 128, 129, 254, 255});
    assert_floats(WHOLE, ACCESSOR("SCALAR", 5120, 7, ""), 7, (const float[]){0, 1, 127, -128, -127, -2, -1});
    assert_floats(WHOLE, ACCESSOR("VEC2", 5122, 2, ",\"byteOffset\":16"), 4,
                  (const float[]){-32767, 32767, -32768, -1});
    assert_floats(WHOLE, ACCESSOR("VEC4", 5123, 1, ",\"byteOffset\":16"), 4,
                  (const float[]){32769, 32767, 32768, 65535});
    assert_floats(WHOLE, ACCESSOR("SCALAR", 5125, 1, ",\"byteOffset\":24"), 1,
                  (const float[]){2 + 9 * 65536.0f + 9 * 16777216.0f});
}

/* The specification's formulas, section 3.6.2.2, in double and then rounded. */
static void test_normalised_integers(void **state)
{
    (void)state;
    assert_floats(WHOLE, ACCESSOR("SCALAR", 5121, 7, ",\"normalized\":true"), 7,
                  (const float[]){0, (float)(1 / 255.0), (float)(127 / 255.0), (float)(128 / 255.0),
                                  (float)(129 / 255.0), (float)(254 / 255.0), 1});
    assert_floats(
        WHOLE, ACCESSOR("SCALAR", 5120, 7, ",\"normalized\":true"), 7,
        (const float[]){0, (float)(1 / 127.0), 1, -1, -1, (float)(-2 / 127.0), (float)(-1 / 127.0)});
    assert_floats(WHOLE, ACCESSOR("VEC4", 5122, 1, ",\"byteOffset\":16,\"normalized\":true"), 4,
                  (const float[]){-1, 1, -1, (float)(-1 / 32767.0)});
    assert_floats(
        WHOLE, ACCESSOR("VEC4", 5123, 1, ",\"byteOffset\":16,\"normalized\":true"), 4,
        (const float[]){(float)(32769 / 65535.0), (float)(32767 / 65535.0), (float)(32768 / 65535.0), 1});
}

static void test_floats_and_strides(void **state)
{
    (void)state;
    assert_floats(WHOLE, ACCESSOR("SCALAR", 5126, 2, ",\"byteOffset\":8"), 2, (const float[]){1, 2});
    assert_floats("{\"buffer\":0,\"byteOffset\":8,\"byteLength\":8}", ACCESSOR("VEC2", 5126, 1, ""), 2,
                  (const float[]){1, 2});
    assert_floats("{\"buffer\":0,\"byteLength\":7,\"byteStride\":3}", ACCESSOR("SCALAR", 5121, 3, ""), 3,
                  (const float[]){0, 128, 255});
    /* The last element needs no room for a whole stride. */
    assert_floats("{\"buffer\":0,\"byteLength\":6,\"byteStride\":4}", ACCESSOR("VEC2", 5121, 2, ""), 4,
                  (const float[]){0, 1, 129, 254});
    assert_floats(WHOLE, "{\"type\":\"VEC3\",\"componentType\":5126,\"count\":2}", 6,
                  (const float[]){0, 0, 0, 0, 0, 0});
    assert_floats(WHOLE, ACCESSOR("VEC3", 5126, 0, ""), 0, NULL);
}

/* Sparse: element 2 and 0 of four zeros; element 2 of bytes that are there. */
static void test_sparse(void **state)
{
    (void)state;
    static const char views[] = WHOLE
        ",{\"buffer\":0,\"byteOffset\":24,\"byteLength\":2},{\"buffer\":0,\"byteOffset\":8,\"byteLength\":8}";
    assert_floats(views,
                  "{\"type\":\"SCALAR\",\"componentType\":5126,\"count\":4,\"sparse\":{\"count\":2,"
                  "\"indices\":{\"bufferView\":1,"
                  "\"componentType\":5121},\"values\":{\"bufferView\":2}}}",
                  4, (const float[]){2, 0, 1, 0});
    assert_floats(views,
                  "{\"bufferView\":0,\"type\":\"SCALAR\",\"componentType\":5121,\"normalized\":true,"
                  "\"count\":4,\"sparse\":{\"count\":1,"
                  "\"indices\":{\"bufferView\":1,\"componentType\":5123},\"values\":{\"bufferView\":0,"
                  "\"byteOffset\":6}}}",
                  4, (const float[]){0, (float)(1 / 255.0), 1, (float)(128 / 255.0)});
}

#define SPARSE(count, view, component, offset)                                                               \
    "{\"type\":\"SCALAR\",\"componentType\":5121,\"count\":4,\"sparse\":{\"count\":" #count                  \
    ",\"indices\":{\"bufferView\":" #view ",\"componentType\":" #component                                   \
    "},\"values\":{\"bufferView\":0,\"byteOffset\":" #offset "}}}"

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *views;
        const char *accessor;
        const char *message;
    } cases[] = {
        {WHOLE, ACCESSOR("SCALAR", 5126, 9, ""), "past buffer view"},
        {WHOLE, ACCESSOR("SCALAR", 5126, 8, ",\"byteOffset\":4"), "past buffer view"},
        {WHOLE, ACCESSOR("SCALAR", 5126, 1, ",\"byteOffset\":33"), "past buffer view"},
        {WHOLE, ACCESSOR("SCALAR", 5126, 1, ",\"byteOffset\":9223372036854775807"), "past buffer view"},
        {WHOLE, ACCESSOR("SCALAR", 5126, 1, ",\"byteOffset\":-1"), "no valid offset"},
        {WHOLE, ACCESSOR("SCALAR", 5126, 2147483647, ""), "too many elements"},
        {WHOLE, ACCESSOR("SCALAR", 5126, -1, ""), "no known type"},
        {WHOLE, ACCESSOR("VEC5", 5126, 1, ""), "no known type"},
        {WHOLE, ACCESSOR("SCALAR", 5124, 1, ""), "no known type"},
        {WHOLE, ACCESSOR("MAT3", 5121, 1, ""), "small integers"},
        {"{\"buffer\":0,\"byteLength\":33}", ACCESSOR("SCALAR", 5121, 1, ""), "past buffer view"},
        {"{\"buffer\":0,\"byteOffset\":8,\"byteLength\":25}", ACCESSOR("SCALAR", 5121, 1, ""),
         "past buffer view"},
        {"{\"buffer\":0,\"byteOffset\":40}", ACCESSOR("SCALAR", 5121, 1, ""), "past buffer view"},
        {"{\"buffer\":0,\"byteLength\":32,\"byteStride\":9223372036854775807}",
         ACCESSOR("SCALAR", 5121, 3, ""), "past buffer view"},
        {"{\"buffer\":1,\"byteLength\":32}", ACCESSOR("SCALAR", 5121, 1, ""), "no buffer 1"},
        {"{\"byteLength\":32}", ACCESSOR("SCALAR", 5121, 1, ""), "no buffer"},
        {"", ACCESSOR("SCALAR", 5121, 1, ""), "no buffer view 0"},
        {"{\"buffer\":0,\"extensions\":{\"EXT_meshopt_compression\":{}}}", ACCESSOR("SCALAR", 5121, 1, ""),
         "compressed"},
        {WHOLE, SPARSE(5, 0, 5121, 0), "sparse values for 4"},
        {WHOLE, SPARSE(4, 0, 5121, 0), "out of range"}, /* 0 1 127 */
        {WHOLE, SPARSE(1, 0, 5126, 0), "component type 5126"},
        {WHOLE, SPARSE(2, 0, 5121, 31), "past buffer view"},
        {WHOLE, SPARSE(1, 9, 5121, 0), "no buffer view 9"},
        {WHOLE, "7", "no accessor 0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        float out[64];
        struct error err = {0};
        assert_int_equal(read_floats(cases[i].views, cases[i].accessor, out, &err), -1);
        assert_says(&err, cases[i].message);
    }
}

static void test_indices(void **state)
{
    (void)state;
    struct gltf_file file =
        open_with(WHOLE, ACCESSOR("VEC4", 5121, 1, ",\"byteOffset\":3") "," ACCESSOR(
                             "SCALAR", 5125, 1,
                             ",\"byteOffset\":16") "," ACCESSOR("SCALAR", 5120, 1,
                                                                "") "," ACCESSOR("SCALAR", 5126, 1, ""));
    uint32_t out[4];
    struct gltf_accessor accessor;
    struct error err = {0};
    assert_true(gltf_accessor_find(&file, 0, &accessor, &err));
    assert_true(gltf_accessor_indices(&file, &accessor, out, &err));
    assert_int_equal(out[0], 128);
    assert_int_equal(out[3], 255);
    assert_true(gltf_accessor_find(&file, 1, &accessor, &err));
    assert_true(gltf_accessor_indices(&file, &accessor, out, &err));
    assert_int_equal(out[0], 0x7fff8001);
    for (int i = 2; i < 4; i++) {
        struct error why = {0};
        assert_true(gltf_accessor_find(&file, i, &accessor, &why));
        assert_false(gltf_accessor_indices(&file, &accessor, out, &why));
        assert_says(&why, "component type");
    }
    gltf_close(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_integers_as_they_are),
        cmocka_unit_test(test_normalised_integers),
        cmocka_unit_test(test_floats_and_strides),
        cmocka_unit_test(test_sparse),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_indices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
