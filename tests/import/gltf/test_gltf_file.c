/* The second reader of glTF files: containers, buffers, values, accessors. */
#include "import/import_fixture.h"

#include "import/gltf/gltf_file.h"

/* Opens glTF of that name; it stays on disk only while it is read: buffers beside it cannot be had. */
static bool open_bytes(struct gltf_file *file, const char *name, const void *data, size_t size, struct error *err)
{
    static struct temporary temporary; /* the file keeps its path */
    temporary = temporary_make(name, data, size);
    const bool good = gltf_open(file, temporary.path, err);
    temporary_remove(&temporary);
    return good;
}

static bool open_text(struct gltf_file *file, const char *text, struct error *err)
{
    return open_bytes(file, "model.gltf", text, strlen(text), err);
}

/* ---- buffers ---- */

TEST(test_data_uris)
{
    static const struct {
        const char *uri, *bytes;
        size_t size;
        const char *message;
    } rows[] = {
        {"data:application/octet-stream;base64,AAEC", "\0\1\2", 3, NULL},
        {"data:;base64,TQ==", "M", 1, NULL},
        {"data:;base64,TWE=", "Ma", 2, NULL},
        {"data:;base64,TWE", "Ma", 2, NULL}, /* no padding */
        {"DATA:;BASE64,TW\\nFu", "Man", 3, NULL},
        {"data:;base64,+/-_", "\xfb\xff\xbf", 3, NULL}, /* both alphabets */
        {"data:;base64,", "", 0, NULL},
        {"data:text/plain,a%20b%", "a b%", 4, NULL},
        {"data:,%41%2f%7E%4%zz%00", "A/~%4%zz\0", 9, NULL},
        {"data:;base64,A*B=", NULL, 0, "cannot be decoded"},
        {"data:;base64", NULL, 0, "cannot be decoded"},
        {"data:;base64,\\u0080", NULL, 0, "cannot be decoded"},
        {"missing.bin", NULL, 0, "cannot be found"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[256];
        GLTF_FILE file;
        struct error err = {0};
        snprintf(text, sizeof text, "{\"buffers\":[{\"uri\":\"%s\"}]}", rows[i].uri);
        assert_true(open_text(&file, text, &err));
        const struct blob *blob = gltf_buffer(&file, 0, &err);
        assert_int_equal(blob == NULL, rows[i].message != NULL);
        assert_contains(err.text, rows[i].message ? rows[i].message : "");
        if (blob) {
            assert_int_equal(blob->size, rows[i].size);
            assert_memory_equal(blob->data, rows[i].bytes, rows[i].size);
        }
    }
}

TEST(test_outside)
{
    static const char text[] = "{\"buffers\":[{\"uri\":\"../../etc/passwd\"},{\"uri\":\"%2e%2e/%2e%2e/etc/passwd\"},"
                               "{\"uri\":\"/etc/passwd\"},{},3]}";
    const TEMPORARY temporary = temporary_make("model.gltf", text, strlen(text));
    GLTF_FILE file;
    assert_true(gltf_open(&file, temporary.path, ANY_ERROR));
    for (int i = 0; i < 6; i++) {
        assert_refused(gltf_buffer(&file, i, err),
                       i < 3 ? "outside the model's folder" : i < 5 ? "has no data" : "no buffer 5");
    }
}

/* ---- GLB ---- */

/* Header, JSON chunk, BIN chunk of the bytes 1 2 3 4. */
static const char whole_glb[] = "glTF\2\0\0\0\x40\0\0\0"
                                "\x20\0\0\0JSON{\"buffers\":[{\"byteLength\":4}]}  "
                                "\4\0\0\0BIN\0\1\2\3\4";
enum { GLB_SIZE = sizeof whole_glb - 1 };

/* Also with a JSON chunk that is padded with NULs. */
TEST(test_glb)
{
    char glb[GLB_SIZE];
    memcpy(glb, whole_glb, sizeof glb);
    for (int padded = 0; padded < 2; padded++) {
        GLTF_FILE file;
        if (padded)
            glb[20 + 30] = glb[20 + 31] = 0;
        assert_true(open_bytes(&file, "model.glb", glb, sizeof glb, ANY_ERROR));
        const struct blob *buffer = assert_good(gltf_buffer(&file, 0, err));
        assert_int_equal(buffer->size, 4);
        assert_memory_equal(buffer->data, "\1\2\3\4", 4);
    }
}

/* Cut anywhere: refused, or read with what is there of the BIN chunk. Never more than there is. */
TEST(test_glb_cut)
{
    for (size_t size = 4; size < GLB_SIZE; size++) {
        GLTF_FILE file;
        struct error err = {0};
        if (open_bytes(&file, "model.glb", whole_glb, size, &err))
            assert_true(file.bin.size <= size);
        else
            assert_true(error_is_set(&err));
    }
}

TEST(test_glb_broken)
{
    static const struct {
        size_t at;
        char bytes[5];
        const char *message;
    } patches[] = {
        {4, "\3\0\0\0", "version 3"},
        {16, "BIN\0", "no JSON chunk"},
        {12, "\xff\xff\xff\xff", "JSON is broken"}, /* the chunk takes in all that is left */
        {12, "\3\0\0\0", "JSON is broken"},
        {20, "    ", "JSON is broken"},
    };
    for (size_t i = 0; i < sizeof patches / sizeof patches[0]; i++) {
        char glb[GLB_SIZE];
        GLTF_FILE file;
        memcpy(glb, whole_glb, sizeof glb);
        memcpy(glb + patches[i].at, patches[i].bytes, 4);
        assert_refused(open_bytes(&file, "model.glb", glb, sizeof glb, err), patches[i].message);
    }
}

TEST(test_values)
{
    struct gltf_file file;
    size_t size;
    assert_true(open_text(&file,
                          "\xef\xbb\xbf{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"a\":3,\"b\":-1,\"c\":2.0,\"d\":"
                          "2147483648,\"e\":\"\xc4rm\",\"name\":\"\xc3\x84rm\"},7]}",
                          ANY_ERROR));
    assert_true(gltf_is_version_2(&file));
    assert_int_equal(gltf_count(&file, "nodes"), 2);
    assert_int_equal(gltf_count(&file, "meshes"), 0);
    const json_t *node = gltf_item(&file, "nodes", 0);
    assert_int_equal(gltf_index(node, "a"), 3);
    static const char *const none[] = {"b", "c", "d", "nothing"};
    for (int i = 0; i < 4; i++)
        assert_int_equal(gltf_index(node, none[i]), GLTF_NONE);
    assert_true(gltf_size(node, "d", 0, &size) && size == 2147483648u);
    assert_true(gltf_size(node, "nothing", 9, &size) && size == 9);
    assert_false(gltf_size(node, "b", 0, &size));
    assert_string_equal(gltf_string(node, "e", ""), "?rm"); /* what is no UTF-8 */
    assert_string_equal(gltf_string(node, "name", ""), "\xc3\x84rm");
    for (int i = -1; i < 3; i++) /* the second one is a number */
        assert_int_equal(gltf_item(&file, "nodes", i) != NULL, i == 0);
    gltf_close(&file);
    static const char *const bad[] = {"", "[]", "{", "{} x", "3"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_refused(open_text(&file, bad[i], err), "JSON");
        gltf_close(&file);
    }
}

/* ---- accessors ---- */

/*
 * One buffer of 32 bytes: 00 01 7f 80 81 fe ff 00 | 00 00 80 3f 00 00 00 40 (the floats 1 and 2) | 01 80 ff
 * 7f 00 80 ff ff | 02 00 09 09 09 09 05 00
 */
#define BUFFER "data:;base64,AAF/gIH+/wAAAIA/AAAAQAGA/38AgP//AgAJCQkJBQA="

static struct gltf_file open_with(const char *views, const char *accessors)
{
    char text[4096];
    snprintf(text, sizeof text, "{\"buffers\":[{\"uri\":\"" BUFFER "\"}],\"bufferViews\":[%s],\"accessors\":[%s]}",
             views, accessors);
    struct gltf_file file;
    assert_good(open_text(&file, text, err));
    return file;
}

/* The accessor's numbers, or -1 with err set. */
static int read_floats(const char *views, const char *accessor, float *out, struct error *err)
{
    GLTF_FILE file = open_with(views, accessor);
    struct gltf_accessor found;
    const float *numbers = gltf_accessor_find(&file, 0, &found, err) ? gltf_floats(&file, &found, err) : NULL;
    int count = numbers ? (int)(found.count * found.width) : -1;
    if (count > 0)
        memcpy(out, numbers, (size_t)count * sizeof *out);
    return count;
}

#define WHOLE "{\"buffer\":0,\"byteLength\":32}"
#define ACCESSOR(type, component, count, rest)                                                                         \
    "{\"bufferView\":0,\"type\":\"" type "\",\"componentType\":" #component ",\"count\":" #count rest "}"

#define SPARSE_VIEWS                                                                                                   \
    WHOLE ",{\"buffer\":0,\"byteOffset\":24,\"byteLength\":2},{\"buffer\":0,\"byteOffset\":8,\"byteLength\":8}"

/* Normalised integers by the specification's formulas, section 3.6.2.2, in double and then rounded. */
TEST(test_numbers)
{
    static const struct {
        const char *views, *accessor;
        int count;
        double numbers[7];
    } rows[] = {
        {WHOLE, ACCESSOR("SCALAR", 5121, 7, ""), 7, {0, 1, 127, 128, 129, 254, 255}},
        {WHOLE, ACCESSOR("SCALAR", 5120, 7, ""), 7, {0, 1, 127, -128, -127, -2, -1}},
        {WHOLE, ACCESSOR("VEC2", 5122, 2, ",\"byteOffset\":16"), 4, {-32767, 32767, -32768, -1}},
        {WHOLE, ACCESSOR("VEC4", 5123, 1, ",\"byteOffset\":16"), 4, {32769, 32767, 32768, 65535}},
        {WHOLE, ACCESSOR("SCALAR", 5125, 1, ",\"byteOffset\":24"), 1, {2 + 9 * 65536.0 + 9 * 16777216.0}},
        {WHOLE, ACCESSOR("SCALAR", 5121, 7, ",\"normalized\":true"), 7,
         {0, 1 / 255.0, 127 / 255.0, 128 / 255.0, 129 / 255.0, 254 / 255.0, 1}},
        {WHOLE, ACCESSOR("SCALAR", 5120, 7, ",\"normalized\":true"), 7,
         {0, 1 / 127.0, 1, -1, -1, -2 / 127.0, -1 / 127.0}},
        {WHOLE, ACCESSOR("VEC4", 5122, 1, ",\"byteOffset\":16,\"normalized\":true"), 4, {-1, 1, -1, -1 / 32767.0}},
        {WHOLE, ACCESSOR("VEC4", 5123, 1, ",\"byteOffset\":16,\"normalized\":true"), 4,
         {32769 / 65535.0, 32767 / 65535.0, 32768 / 65535.0, 1}},
        {WHOLE, ACCESSOR("SCALAR", 5126, 2, ",\"byteOffset\":8"), 2, {1, 2}},
        {"{\"buffer\":0,\"byteOffset\":8,\"byteLength\":8}", ACCESSOR("VEC2", 5126, 1, ""), 2, {1, 2}},
        {"{\"buffer\":0,\"byteLength\":7,\"byteStride\":3}", ACCESSOR("SCALAR", 5121, 3, ""), 3, {0, 128, 255}},
        /* The last element needs no room for a whole stride. */
        {"{\"buffer\":0,\"byteLength\":6,\"byteStride\":4}", ACCESSOR("VEC2", 5121, 2, ""), 4, {0, 1, 129, 254}},
        {WHOLE, "{\"type\":\"VEC3\",\"componentType\":5126,\"count\":2}", 6, {0}},
        {WHOLE, ACCESSOR("VEC3", 5126, 0, ""), 0, {0}},
        /* Element 2 and 0 of four zeros; element 2 of bytes that are there. */
        {SPARSE_VIEWS,
         "{\"type\":\"SCALAR\",\"componentType\":5126,\"count\":4,\"sparse\":{\"count\":2,\"indices\":{\"bufferView\":1,"
         "\"componentType\":5121},\"values\":{\"bufferView\":2}}}",
         4,
         {2, 0, 1, 0}},
        {SPARSE_VIEWS,
         "{\"bufferView\":0,\"type\":\"SCALAR\",\"componentType\":5121,\"normalized\":true,\"count\":4,\"sparse\":{"
         "\"count\":1,\"indices\":{\"bufferView\":1,\"componentType\":5123},\"values\":{\"bufferView\":0,"
         "\"byteOffset\":6}}}",
         4,
         {0, 1 / 255.0, 1, 128 / 255.0}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        float out[64];
        assert_int_equal(read_floats(rows[i].views, rows[i].accessor, out, ANY_ERROR), rows[i].count);
        for (int k = 0; k < rows[i].count; k++)
            assert_true(out[k] == (float)rows[i].numbers[k]);
    }
}

#define SPARSE(count, view, component, offset)                                                                         \
    "{\"type\":\"SCALAR\",\"componentType\":5121,\"count\":4,\"sparse\":{\"count\":" #count                            \
    ",\"indices\":{\"bufferView\":" #view ",\"componentType\":" #component                                             \
    "},\"values\":{\"bufferView\":0,\"byteOffset\":" #offset "}}}"

TEST(test_refused)
{
    static const struct {
        const char *views, *accessor, *message;
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
        {"{\"buffer\":0,\"byteOffset\":8,\"byteLength\":25}", ACCESSOR("SCALAR", 5121, 1, ""), "past buffer view"},
        {"{\"buffer\":0,\"byteOffset\":40}", ACCESSOR("SCALAR", 5121, 1, ""), "past buffer view"},
        {"{\"buffer\":0,\"byteLength\":32,\"byteStride\":9223372036854775807}", ACCESSOR("SCALAR", 5121, 3, ""),
         "past buffer view"},
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
        assert_refused(read_floats(cases[i].views, cases[i].accessor, out, err) >= 0, cases[i].message);
    }
}

TEST(test_indices)
{
    GLTF_FILE file =
        open_with(WHOLE, ACCESSOR("VEC4", 5121, 1, ",\"byteOffset\":3") "," ACCESSOR("SCALAR", 5125, 1, ",\"byteOffset\":16")
                         "," ACCESSOR("SCALAR", 5120, 1, "") "," ACCESSOR("SCALAR", 5126, 1, ""));
    const uint32_t *out[4];
    for (int i = 0; i < 4; i++) {
        struct gltf_accessor accessor;
        struct error err = {0};
        assert_true(gltf_accessor_find(&file, i, &accessor, &err));
        out[i] = gltf_indices(&file, &accessor, &err);
        assert_ptr_equal(out[i], gltf_indices(&file, &accessor, &err)); /* read once */
        assert_contains(err.text, i < 2 ? "" : "component type");
    }
    assert_true(out[0][0] == 128 && out[0][3] == 255 && out[1][0] == 0x7fff8001);
    assert_true(!out[2] && !out[3]);
}
