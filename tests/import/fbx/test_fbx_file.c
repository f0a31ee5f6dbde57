#include "import/fbx_text.h"

#include <stdlib.h>

#include "import/fbx/fbx_animation.h"

/* The second reader of FBX files: both forms, and files that lie. */

struct bytes {
    unsigned char data[4096];
    size_t size;
    unsigned width; /* of the numbers in a header */
};

static void put(struct bytes *b, const void *data, size_t size)
{
    assert_true(b->size + size <= sizeof b->data);
    memcpy(b->data + b->size, data, size);
    b->size += size;
}

static void put_number(struct bytes *b, uint64_t value, unsigned width)
{
    for (unsigned i = 0; i < width; i++)
        put(b, &(unsigned char){(unsigned char)(value >> 8 * i)}, 1);
}

static void set_number(struct bytes *b, size_t at, uint64_t value)
{
    for (unsigned i = 0; i < b->width; i++)
        b->data[at + i] = (unsigned char)(value >> 8 * i);
}

/* Begins an element; close_properties() and close_element() take what it returns. */
static size_t open_element(struct bytes *b, const char *name, unsigned properties)
{
    size_t start = b->size;
    put_number(b, 0, b->width);
    put_number(b, properties, b->width);
    put_number(b, 0, b->width);
    put_number(b, strlen(name), 1);
    put(b, name, strlen(name));
    return start;
}

static void close_properties(struct bytes *b, size_t start)
{
    size_t properties = start + 3 * b->width + 1 + b->data[start + 3 * b->width];
    set_number(b, start + 2 * b->width, b->size - properties);
}

static void close_element(struct bytes *b, size_t start, bool has_children)
{
    if (has_children)
        for (unsigned i = 0; i < 3 * b->width + 1; i++)
            put_number(b, 0, 1);
    set_number(b, start, b->size);
}

/* zlib with one stored block. */
static void put_stored(struct bytes *b, const unsigned char *data, size_t size)
{
    uint32_t low = 1, high = 0;
    for (size_t i = 0; i < size; i++) {
        low = (low + data[i]) % 65521;
        high = (high + low) % 65521;
    }
    put(b, "\x78\x01\x01", 3);
    put_number(b, size, 2);
    put_number(b, ~size, 2);
    put(b, data, size);
    for (int i = 3; i >= 0; i--)
        put_number(b, (high << 16 | low) >> 8 * i, 1);
}

static void put_array(struct bytes *b, const char *name, char type, const void *data, uint32_t count, unsigned width,
                      bool packed)
{
    struct bytes inner = {.size = 0};
    if (packed)
        put_stored(&inner, data, (size_t)count * width);
    else
        put(&inner, data, (size_t)count * width);
    size_t start = open_element(b, name, 1);
    put(b, &type, 1);
    put_number(b, count, 4);
    put_number(b, packed, 4);
    put_number(b, inner.size, 4);
    put(b, inner.data, inner.size);
    close_properties(b, start);
    close_element(b, start, false);
}

/* The curve 3, 7 at 0 and 2 s with the slopes 5 and -1. */
static struct bytes binary_curve(uint32_t version, bool packed)
{
    static const int64_t times[2] = {0, 92372316000};
    static const float values[2] = {3, 7}, data[4] = {5, -1, 0, 0};
    static const int32_t flags[1] = {1032}, runs[1] = {2};
    struct bytes b = {.width = version >= 7500 ? 8 : 4};
    put(&b, "Kaydara FBX Binary  \0\x1a\0", 23);
    put_number(&b, version, 4);
    size_t objects = open_element(&b, "Objects", 0);
    size_t curve = open_element(&b, "AnimationCurve", 3);
    put(&b, "L\1\0\0\0\0\0\0\0S\13\0\0\0\0\1AnimCurveS\0\0\0\0", 9 + 16 + 5);
    close_properties(&b, curve);
    put_array(&b, "KeyTime", 'l', times, 2, 8, packed);
    put_array(&b, "KeyValueFloat", 'f', values, 2, 4, packed);
    put_array(&b, "KeyAttrFlags", 'i', flags, 1, 4, false);
    put_array(&b, "KeyAttrDataFloat", 'f', data, 4, 4, packed);
    put_array(&b, "KeyAttrRefCount", 'i', runs, 1, 4, packed);
    close_element(&b, curve, true);
    close_element(&b, objects, true);
    put(&b, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 3 * b.width + 1);
    return b;
}

static void assert_the_curve(const void *data, size_t size)
{
    struct fbx_curve curve;
    double value, slope;
    assert_true(read_curve(data, size, &curve));
    assert_int_equal(curve.count, 2);
    fbx_curve_evaluate(&curve, 1, 1, &value, &slope); /* (3 + 7) / 2 + 2 s (5 + 1) / 8 */
    assert_float_equal(value, 6.5, 1e-9);
    free(curve.keys);
}

static void test_every_form_gives_the_same(void **state)
{
    (void)state;
    for (int packed = 0; packed < 2; packed++) {
        struct bytes old = binary_curve(7400, packed), wide = binary_curve(7500, packed);
        assert_the_curve(old.data, old.size);
        assert_the_curve(wide.data, wide.size);
    }
    char text[2048];
    curve_text(text, sizeof text, "0,92372316000", "3,\n7", "1032", "5,-1,0,0", "2");
    assert_the_curve(text, strlen(text));
}

/* Cut anywhere, and any byte of it something else: that is read, or refused, and nothing else happens. */
static void test_damaged_files(void **state)
{
    (void)state;
    static const unsigned char instead[] = {0, 1, 0x7f, 0x80, 0xff, '{', '}', '"', ':', ','};
    char text[2048];
    curve_text(text, sizeof text, "0,92372316000", "3,7", "1032", "5,-1,0,0", "2");
    struct bytes files[3] = {binary_curve(7400, true), binary_curve(7500, false), {.size = 0}};
    put(&files[2], text, strlen(text));
    for (int f = 0; f < 3; f++) {
        struct fbx_curve curve;
        unsigned read = 0;
        for (size_t i = 0; i < files[f].size; i++) {
            unsigned char *cut = calloc(i + 1, 1); /* a size of its own, so that reading past it shows */
            memcpy(cut, files[f].data, i);
            if (read_curve(cut, i, &curve))
                free(curve.keys);
            free(cut);
            for (size_t k = 0; k < sizeof instead; k++) {
                unsigned char *changed = calloc(files[f].size + 1, 1);
                memcpy(changed, files[f].data, files[f].size);
                changed[i] = instead[k];
                if (read_curve(changed, files[f].size, &curve)) {
                    read++;
                    free(curve.keys);
                }
                free(changed);
            }
        }
        assert_in_range(read, 1, sizeof instead * files[f].size - 1);
    }
}

/* Four billion numbers in a list of a few bytes. */
static void test_lists_that_lie_about_their_length(void **state)
{
    (void)state;
    for (int packed = 0; packed < 2; packed++) {
        struct bytes b = binary_curve(7400, packed);
        struct fbx_curve curve;
        unsigned char *at = b.data;
        while (memcmp(at, "KeyTimel", 8) != 0)
            at++;
        memset(at + 8, 0xff, 4);
        assert_false(read_curve(b.data, b.size, &curve));
    }
}

static void test_what_is_wrong_is_said(void **state)
{
    (void)state;
    char deep[2048] = "FBXVersion: 7400\nObjects: {\nModel: 1 {\n";
    for (int i = 0; i < 20; i++)
        strcat(deep, "a: {\n");
    static const char *const wrong[][2] = {
        {"FBXVersion: 6100\n", "its version is not 7"},
        {"", "its version is not 7"},
        {"FBXVersion: 7400\nObjects: {\n", "the file ends within an element"},
        {"FBXVersion: 7400\n}\n", "a brace is closed that was not opened"},
        {"FBXVersion: 7400\nObjects\n", "an element without a name"},
    };
    struct fbx_file file;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_string_equal(fbx_open(&file, (const unsigned char *)wrong[i][0], strlen(wrong[i][0])), wrong[i][1]);
        fbx_close(&file);
    }
    assert_string_equal(fbx_open(&file, (const unsigned char *)deep, strlen(deep)), "elements are nested too deep");
    fbx_close(&file);
    struct bytes b = binary_curve(7400, false);
    set_number(&b, 27, b.size + 1);
    assert_string_equal(fbx_open(&file, b.data, b.size), "an element does not fit into the one around it");
    fbx_close(&file);
}

/* Objects that are their own parents, the same layer twice, ids that are there twice or not at all. */
static void test_connections_in_circles(void **state)
{
    (void)state;
    static const char text[] =
        "FBXVersion: 7400\nObjects: {\n AnimationStack: 1, \"AnimStack::take\", \"\" {\n }\n"
        " AnimationLayer: 2, \"AnimLayer::l\", \"\" {\n }\n AnimationCurveNode: 3, \"AnimCurveNode::n\", \"\" {\n }\n"
        " AnimationCurve: 4, \"AnimCurve::\", \"\" {\n }\n Model: 5, \"Model::m\", \"\" {\n }\n Model: 5, "
        "\"Model::n\", \"\" {\n }\n}\n"
        "Connections: {\n C: \"OO\",1,1\n C: \"OO\",2,1\n C: \"OO\",1,2\n C: \"OO\",2,1\n C: \"OO\",3,2\n C: "
        "\"OO\",3,2\n"
        " C: \"OO\",2,3\n C: \"OO\",3,3\n C: \"OP\",3,5, \"Lcl Rotation\"\n C: \"OP\",4,3, \"d|X\"\n C: \"OP\",77,3, "
        "\"d|Y\"\n"
        " C: \"OO\",5,5\n C: \"OO\"\n C: \n}\n";
    struct fbx_file file;
    struct fbx_animation animation;
    uint32_t stack = 0;
    assert_null(fbx_open(&file, (const unsigned char *)text, sizeof text - 1));
    assert_true(fbx_animation_read(&file, "take", &stack, &animation));
    assert_int_equal(animation.layer_count, 2);
    assert_int_equal(animation.count, 2);
    assert_null(fbx_animation_find(&animation, (struct fbx_text){"m", 1}, COMPONENT_ROTATION)); /* it is there twice */
    fbx_animation_release(&animation);
    assert_false(fbx_animation_read(&file, "take", &stack, &animation));
    fbx_close(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_form_gives_the_same),
        cmocka_unit_test(test_damaged_files),
        cmocka_unit_test(test_lists_that_lie_about_their_length),
        cmocka_unit_test(test_what_is_wrong_is_said),
        cmocka_unit_test(test_connections_in_circles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
