#define _GNU_SOURCE /* mkdtemp */

#include "import/gltf_temporary.h"

#include "import/gltf/gltf_uri.h"

/* ---- URIs -------------------------------------------------------------------------------------------------------- */

static void test_base64(void **state)
{
    (void)state;
    static const struct {
        const char *uri;
        const char *bytes;
        size_t size;
    } good[] = {
        {"data:application/octet-stream;base64,AAEC", "\0\1\2", 3},
        {"data:;base64,TQ==", "M", 1},
        {"data:;base64,TWE=", "Ma", 2},
        {"data:;base64,TWE", "Ma", 2}, /* no padding */
        {"DATA:;BASE64,TW\nFu", "Man", 3},
        {"data:;base64,+/-_", "\xfb\xff\xbf", 3}, /* both alphabets */
        {"data:;base64,", "", 0},
        {"data:text/plain,a%20b%", "a b%", 4},
    };
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        struct blob blob;
        assert_true(gltf_uri_data(good[i].uri, &blob));
        assert_int_equal(blob.size, good[i].size);
        assert_memory_equal(blob.data, good[i].bytes, good[i].size);
        blob_release(&blob);
    }
    static const char *const bad[] = {"data:;base64,A*B=", "data:;base64", "file.bin", "data:;base64,\x80"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct blob blob;
        assert_false(gltf_uri_data(bad[i], &blob));
        assert_null(blob.data);
    }
}

static void test_percent(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"my%20model.bin", "my model.bin"},
        {"%41%2f%7E", "A/~"},
        {"100%", "100%"},
        {"%4", "%4"},
        {"%zz", "%zz"},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        char *name = gltf_uri_name(pairs[i][0]);
        assert_string_equal(name, pairs[i][1]);
        free(name);
    }
    assert_null(gltf_uri_name("a%00b"));
}

/* ---- GLB --------------------------------------------------------------------------------------------------------- */

static const char small_json[] = "{\"buffers\":[{\"byteLength\":4}]}  "; /* 32 bytes with its padding */

static void put_u32(unsigned char *at, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        at[i] = (unsigned char)(value >> 8 * i & 0xff);
}

/* Header, JSON chunk, BIN chunk of the bytes 1 2 3 4. */
enum { GLB_SIZE = 12 + 8 + 32 + 8 + 4 };

static void make_glb(unsigned char glb[static GLB_SIZE])
{
    assert_int_equal(strlen(small_json), 32);
    memcpy(glb, "glTF", 4);
    put_u32(glb + 4, 2);
    put_u32(glb + 8, GLB_SIZE);
    put_u32(glb + 12, 32);
    memcpy(glb + 16, "JSON", 4);
    memcpy(glb + 20, small_json, 32);
    put_u32(glb + 52, 4);
    memcpy(glb + 56, "BIN\0", 4);
    memcpy(glb + 60, "\1\2\3\4", 4);
}

static bool open_glb(struct gltf_file *file, const unsigned char *glb, size_t size, struct error *err)
{
    struct temporary temporary = temporary_make("model.glb", glb, size);
    bool good = gltf_open(file, temporary.path, err);
    temporary_remove(&temporary);
    return good;
}

static void test_glb(void **state)
{
    (void)state;
    unsigned char glb[GLB_SIZE];
    make_glb(glb);
    struct gltf_file file;
    struct error err = {0};
    assert_true(open_glb(&file, glb, sizeof glb, &err));
    const unsigned char *data;
    size_t size;
    assert_true(gltf_buffer_read(&file, 0, &data, &size, &err));
    assert_int_equal(size, 4);
    assert_memory_equal(data, "\1\2\3\4", 4);
    assert_false(gltf_buffer_read(&file, 1, &data, &size, &err));
    assert_says(&err, "no buffer 1");
    gltf_close(&file);
}

static void test_glb_padded_with_nul(void **state)
{
    (void)state;
    unsigned char glb[GLB_SIZE];
    make_glb(glb);
    glb[20 + 30] = glb[20 + 31] = 0;
    struct gltf_file file;
    struct error err = {0};
    assert_true(open_glb(&file, glb, sizeof glb, &err));
    gltf_close(&file);
}

/* Cut anywhere: refused, or read with what is there of the BIN chunk. Never more than there is. */
static void test_glb_cut(void **state)
{
    (void)state;
    unsigned char glb[GLB_SIZE];
    make_glb(glb);
    for (size_t size = 4; size < sizeof glb; size++) {
        struct gltf_file file;
        struct error err = {0};
        if (open_glb(&file, glb, size, &err))
            assert_true(file.bin_size <= size);
        else
            assert_true(error_is_set(&err));
        gltf_close(&file);
    }
}

static void test_glb_broken(void **state)
{
    (void)state;
    static const struct {
        size_t at;
        uint32_t value;
        const char *message;
    } patches[] = {
        {4, 1, "version 1"},
        {16, 0x004e4942, "no JSON chunk"},
        {12, 0xffffffff, "JSON is broken"}, /* the chunk takes in all that is left */
        {12, 3, "JSON is broken"},
        {20, 0x20202020, "JSON is broken"},
    };
    for (size_t i = 0; i < sizeof patches / sizeof patches[0]; i++) {
        unsigned char glb[GLB_SIZE];
        make_glb(glb);
        put_u32(glb + patches[i].at, patches[i].value);
        struct gltf_file file;
        struct error err = {0};
        assert_false(open_glb(&file, glb, sizeof glb, &err));
        assert_says(&err, patches[i].message);
        gltf_close(&file);
    }
}

/* ---- JSON and buffers -------------------------------------------------------------------------------------------- */

static void test_values(void **state)
{
    (void)state;
    struct gltf_file file;
    struct error err = {0};
    assert_true(open_text(&file,
                          "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"a\":3,\"b\":-1,\"c\":2.0,\"d\":"
                          "2147483648,\"e\":\"x\"},7]}",
                          &err));
    assert_true(gltf_is_version_2(&file));
    assert_int_equal(gltf_count(&file, "nodes"), 2);
    assert_int_equal(gltf_count(&file, "meshes"), 0);
    const json_t *node = gltf_item(&file, "nodes", 0);
    assert_int_equal(gltf_index(node, "a"), 3);
    assert_int_equal(gltf_index(node, "b"), GLTF_NONE);
    assert_int_equal(gltf_index(node, "c"), GLTF_NONE);
    assert_int_equal(gltf_index(node, "d"), GLTF_NONE);
    assert_int_equal(gltf_index(node, "nothing"), GLTF_NONE);
    size_t size;
    assert_true(gltf_size(node, "d", 0, &size));
    assert_int_equal(size, 2147483648u);
    assert_true(gltf_size(node, "nothing", 9, &size));
    assert_int_equal(size, 9);
    assert_false(gltf_size(node, "b", 0, &size));
    assert_string_equal(gltf_string(node, "e", ""), "x");
    assert_null(gltf_item(&file, "nodes", 1)); /* a number */
    assert_null(gltf_item(&file, "nodes", 2));
    assert_null(gltf_item(&file, "nodes", -1));
    gltf_close(&file);
}

static void test_lenient_text(void **state)
{
    (void)state;
    struct gltf_file file;
    struct error err = {0};
    assert_true(
        open_text(&file, "\xef\xbb\xbf{\"nodes\":[{\"name\":\"\xc4rm\"},{\"name\":\"\xc3\x84rm\"}]}", &err));
    assert_string_equal(gltf_string(gltf_item(&file, "nodes", 0), "name", ""), "?rm");
    assert_string_equal(gltf_string(gltf_item(&file, "nodes", 1), "name", ""), "\xc3\x84rm");
    gltf_close(&file);
    static const char *const bad[] = {"", "[]", "{", "{} x", "3"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct error why = {0};
        assert_false(open_text(&file, bad[i], &why));
        assert_says(&why, "JSON");
        gltf_close(&file);
    }
}

static void test_buffers(void **state)
{
    (void)state;
    static const char *const messages[] = {"has no data", "cannot be found", "outside", "cannot be decoded"};
    struct gltf_file file;
    struct error err = {0};
    assert_true(open_text(&file,
                          "{\"buffers\":[{},{\"uri\":\"missing.bin\"},{\"uri\":\"../../etc/passwd\"},"
                          "{\"uri\":\"data:;base64,*\"},{\"uri\":\"data:;base64,AAAA\"},3]}",
                          &err));
    const unsigned char *data;
    size_t size;
    for (int i = 0; i < 4; i++) {
        struct error why = {0};
        assert_false(gltf_buffer_read(&file, i, &data, &size, &why));
        if (i != 2) /* the model itself is gone by now, so nothing is inside or outside its folder */
            assert_says(&why, messages[i]);
    }
    assert_true(gltf_buffer_read(&file, 4, &data, &size, &err));
    assert_int_equal(size, 3);
    assert_false(gltf_buffer_read(&file, 5, &data, &size, &err));
    gltf_close(&file);
}

static void test_outside(void **state)
{
    (void)state;
    static const char text[] =
        "{\"buffers\":[{\"uri\":\"../../etc/passwd\"},{\"uri\":\"%2e%2e/%2e%2e/etc/passwd\"},"
        "{\"uri\":\"/etc/passwd\"}]}";
    struct temporary temporary = temporary_make("model.gltf", text, strlen(text));
    struct gltf_file file;
    struct error err = {0};
    assert_true(gltf_open(&file, temporary.path, &err));
    for (int i = 0; i < 3; i++) {
        const unsigned char *data;
        size_t size;
        struct error why = {0};
        assert_false(gltf_buffer_read(&file, i, &data, &size, &why));
        assert_says(&why, "outside the model's folder");
    }
    gltf_close(&file);
    temporary_remove(&temporary);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_base64),  cmocka_unit_test(test_percent),
        cmocka_unit_test(test_glb),     cmocka_unit_test(test_glb_padded_with_nul),
        cmocka_unit_test(test_glb_cut), cmocka_unit_test(test_glb_broken),
        cmocka_unit_test(test_values),  cmocka_unit_test(test_lenient_text),
        cmocka_unit_test(test_buffers), cmocka_unit_test(test_outside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
