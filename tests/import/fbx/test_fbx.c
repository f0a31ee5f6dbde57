/* The second reader of FBX files: both forms, files that lie, and curves against closed forms. */
#include "import/import_fixture.h"

#include "data/vector.h"
#include "import/scene/convert.h"
#include "import/fbx/fbx_animation.h"

/* The text of an FBX file whose one object is a curve; the lists are as the file has them: "0,46186158000". */
static void curve_text(char *out, size_t size, const char *times, const char *values, const char *flags,
                       const char *data, const char *runs)
{
    snprintf(out, size,
             "; FBX 7.1.0 project file\nFBXHeaderExtension:  {\n\tFBXVersion: 7100\n}\nObjects:  {\n"
             "\tAnimationCurve: 1, \"AnimCurve::\", \"\" {\n\t\tKeyTime: *1 {\n\t\t\ta: %s\n\t\t}\n"
             "\t\tKeyValueFloat: *1 {\n\t\t\ta: %s\n\t\t}\n\t\tKeyAttrFlags: *1 {\n\t\t\ta: %s\n\t\t}\n"
             "\t\tKeyAttrDataFloat: *1 {\n\t\t\ta: %s\n\t\t}\n\t\tKeyAttrRefCount: *1 {\n\t\t\ta: %s\n\t\t}\n\t}\n}\n",
             times, values, flags, data, runs);
}

/* Reads the curve with that id out of the bytes of a file; false when it is not there or broken. */
static bool read_curve(const void *data, size_t size, struct bezier_curve *curve)
{
    struct fbx_file file;
    bool good = !fbx_open(&file, data, size);
    uint32_t element = good ? fbx_find(&file, 1, "AnimationCurve") : 0;
    good = element != 0 && fbx_curve_read(&file, element, curve);
    fbx_close(&file);
    return good;
}

/* A curve whose keys go where its block ends. */
#define CURVE RELEASED_BY(free_keys) struct bezier_curve
static void free_keys(struct bezier_curve *curve) { free(curve->keys); }

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

/* An element's head and its properties; close_element() takes what it returns. */
static size_t open_element(struct bytes *b, const char *name, unsigned count, const void *properties, size_t size)
{
    size_t start = b->size;
    put_number(b, 0, b->width);
    put_number(b, count, b->width);
    put_number(b, size, b->width);
    put_number(b, strlen(name), 1);
    put(b, name, strlen(name));
    put(b, properties, size);
    return start;
}

static void close_element(struct bytes *b, size_t start, bool has_children)
{
    static const unsigned char end[25];
    put(b, end, has_children ? 3 * b->width + 1 : 0);
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
    struct bytes inner = {.size = 0}, property = {.size = 0};
    if (packed)
        put_stored(&inner, data, (size_t)count * width);
    else
        put(&inner, data, (size_t)count * width);
    put(&property, &type, 1);
    put_number(&property, count, 4);
    put_number(&property, packed, 4);
    put_number(&property, inner.size, 4);
    put(&property, inner.data, inner.size);
    close_element(b, open_element(b, name, 1, property.data, property.size), false);
}

/* The curve 3, 7 at 0 and 2 s with the slopes 5 and -1. */
static struct bytes binary_curve(uint32_t version, bool packed)
{
    static const int64_t times[2] = {0, 92372316000};
    static const float values[2] = {3, 7}, data[4] = {5, -1, 0, 0};
    static const int32_t flags[1] = {1032}, runs[1] = {2};
    static const char names[] = "L\1\0\0\0\0\0\0\0S\13\0\0\0\0\1AnimCurveS\0\0\0";
    struct bytes b = {.width = version >= 7500 ? 8 : 4};
    put(&b, "Kaydara FBX Binary  \0\x1a\0", 23);
    put_number(&b, version, 4);
    size_t objects = open_element(&b, "Objects", 0, "", 0);
    size_t curve = open_element(&b, "AnimationCurve", 3, names, sizeof names);
    put_array(&b, "KeyTime", 'l', times, 2, 8, packed);
    put_array(&b, "KeyValueFloat", 'f', values, 2, 4, packed);
    put_array(&b, "KeyAttrFlags", 'i', flags, 1, 4, false);
    put_array(&b, "KeyAttrDataFloat", 'f', data, 4, 4, packed);
    put_array(&b, "KeyAttrRefCount", 'i', runs, 1, 4, packed);
    close_element(&b, curve, true);
    close_element(&b, objects, true);
    put(&b, (const unsigned char[25]){0}, 3 * b.width + 1);
    return b;
}

static void assert_the_curve(const void *data, size_t size)
{
    CURVE curve = {0};
    double value, slope;
    assert_true(read_curve(data, size, &curve));
    assert_int_equal(curve.count, 2);
    bezier_evaluate(&curve, 1, 1, &value, &slope); /* (3 + 7) / 2 + 2 s (5 + 1) / 8 */
    assert_float_equal(value, 6.5, 1e-9);
}

TEST(test_every_form_gives_the_same)
{
    for (int packed = 0; packed < 2; packed++) {
        struct bytes old = binary_curve(7400, packed), wide = binary_curve(7500, packed);
        assert_the_curve(old.data, old.size);
        assert_the_curve(wide.data, wide.size);
    }
    char text[2048];
    curve_text(text, sizeof text, "0,92372316000", "3,\n7", "1032", "5,-1,0,0", "2");
    assert_the_curve(text, strlen(text));
}

/* A shape without normals in a binary file gets as many zeros, and what comes behind it is still found. */
TEST(test_normals_are_added)
{
    static const char names[] = "L\1\0\0\0\0\0\0\0S\7\0\0\0\0\1ShapeS\5\0\0\0Shape";
    static const char other[] = "L\2\0\0\0\0\0\0\0S\7\0\0\0\0\1ShapeS\5\0\0\0Shape";
    static const double vertices[6] = {1, 2, 3, 4, 5, 6};
    static const int32_t indices[2] = {0, 1};
    for (uint32_t version = 7400; version <= 7500; version += 100) {
        struct bytes b = {.width = version >= 7500 ? 8 : 4};
        SCOPED(text) out = {0};
        put(&b, "Kaydara FBX Binary  \0\x1a\0", 23);
        put_number(&b, version, 4);
        size_t objects = open_element(&b, "Objects", 0, "", 0);
        for (int i = 0; i < 2; i++) {
            size_t shape = open_element(&b, "Geometry", 3, i ? other : names, sizeof names - 1);
            put_array(&b, "Indexes", 'i', indices, 2, 4, false);
            put_array(&b, "Vertices", 'd', vertices, 6, 8, false);
            close_element(&b, shape, true);
        }
        close_element(&b, objects, true);
        close_element(&b, open_element(&b, "Connections", 0, "", 0), false);
        put(&b, (const unsigned char[25]){0}, 3 * b.width + 1);
        const TEMPORARY file = temporary_make("a.fbx", b.data, b.size);
        SCOPED_ARENA arena = arena_require(1 << 20);
        struct scene scene = {.path = file.path, .arena = arena, .assimp_version = "5.2.4"};
        struct conversion c = {.scene = &scene, .repairs = REPAIR_ALL};
        fbx_rewrite(&c, &out);
        conversion_release(&c);
        struct fbx_file read;
        assert_null(fbx_open(&read, (const unsigned char *)text_string(&out), out.size));
        for (int64_t id = 1; id < 3; id++) {
            uint32_t element = fbx_find(&read, id, "Geometry"), count = 0;
            FREED double *normals = fbx_array(&read, fbx_child(&read, element, "Normals"), &count);
            assert_true(normals && count == 6 && normals[0] == 0 && normals[5] == 0);
            FREED double *places = fbx_array(&read, fbx_child(&read, element, "Vertices"), &count);
            assert_true(places && count == 6 && places[5] == 6);
        }
        assert_int_not_equal(fbx_child(&read, 0, "Connections"), 0);
        assert_contains(note_of(&scene, NOTE_REPAIR, "fbx-shapes"), "2 blend shapes without normals");
        fbx_close(&read);
    }
}

/* Cut anywhere, and any byte of it something else: that is read, or refused, and nothing else happens. */
TEST(test_damaged_files)
{
    static const unsigned char instead[] = {0, 1, 0x7f, 0x80, 0xff, '{', '}', '"', ':', ','};
    char text[2048];
    curve_text(text, sizeof text, "0,92372316000", "3,7", "1032", "5,-1,0,0", "2");
    struct bytes files[3] = {binary_curve(7400, true), binary_curve(7500, false), {.size = 0}};
    put(&files[2], text, strlen(text));
    for (int f = 0; f < 3; f++) {
        unsigned read = 0;
        for (size_t i = 0; i < files[f].size; i++)
            for (size_t k = 0; k <= sizeof instead; k++) {
                /* The last time cut: of a size of its own, so that reading past shows. */
                const size_t size = k < sizeof instead ? files[f].size : i;
                CURVE curve = {0};
                FREED unsigned char *changed = calloc(size + 1, 1);
                memcpy(changed, files[f].data, size);
                if (k < sizeof instead)
                    changed[i] = instead[k];
                read += read_curve(changed, size, &curve);
            }
        assert_in_range(read, 1, sizeof instead * files[f].size - 1);
    }
}

/* Four billion numbers in a list of a few bytes. */
TEST(test_lists_that_lie_about_their_length)
{
    for (int packed = 0; packed < 2; packed++) {
        struct bytes b = binary_curve(7400, packed);
        struct bezier_curve curve;
        unsigned char *at = b.data;
        while (memcmp(at, "KeyTimel", 8) != 0)
            at++;
        memset(at + 8, 0xff, 4);
        assert_false(read_curve(b.data, b.size, &curve));
    }
}

TEST(test_what_is_wrong_is_said)
{
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
TEST(test_connections_in_circles)
{
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
    assert_int_equal(animation.count, 4);
    assert_null(fbx_animation_find(&animation, (struct slice){"m", 1}, COMPONENT_ROTATION, 0)); /* it is there twice */
    fbx_animation_release(&animation);
    assert_false(fbx_animation_read(&file, "take", &stack, &animation));
    fbx_close(&file);
}

#define THREE_TIMES "0,92372316000,184744632000"
#define TWO_TIMES "0,92372316000"

static struct bezier_curve curve_of(const char *times, const char *values, const char *flags, const char *data,
                                 const char *runs)
{
    char text[2048];
    struct bezier_curve curve;
    curve_text(text, sizeof text, times, values, flags, data, runs);
    if (!read_curve(text, strlen(text), &curve))
        fail_msg("the curve is not read:\n%s", text);
    return curve;
}

static double value_at(const struct bezier_curve *curve, double time)
{
    double value, slope;
    bezier_evaluate(curve, time, time, &value, &slope);
    return value;
}

static void assert_near(double actual, double expected)
{
    if (!(fabs(actual - expected) <= 1e-9 * (1 + fabs(expected))))
        fail_msg("%.15g instead of %.15g", actual, expected);
}

/* Hermite: 3 (2u^3 - 3u^2 + 1) + 2 s 5/s (u^3 - 2u^2 + u) + 7 (3u^2 - 2u^3) + 2 s (-1)/s (u^3 - u^2). */
TEST(test_stored_slopes)
{
    CURVE curve = curve_of(TWO_TIMES, "3,7", "1032", "5,-1,0,0", "2");
    for (int i = 0; i <= 8; i++) {
        double u = i / 8.0, u2 = u * u, u3 = u2 * u, value, slope;
        bezier_evaluate(&curve, 1, 2 * u, &value, &slope);
        assert_near(value, 3 * (2 * u3 - 3 * u2 + 1) + 10 * (u3 - 2 * u2 + u) + 7 * (3 * u2 - 2 * u3) - 2 * (u3 - u2));
        assert_near(slope,
                    (3 * (6 * u2 - 6 * u) + 10 * (3 * u2 - 4 * u + 1) + 7 * (6 * u - 6 * u2) - 2 * (3 * u2 - 2 * u)) /
                        2);
    }
    assert_near(value_at(&curve, -1), 3);
    assert_near(value_at(&curve, 5), 7);
}

TEST(test_lines_and_held_values)
{
    CURVE line = curve_of(THREE_TIMES, "1,2,-6", "4", "0,0,0,0", "3");
    CURVE held = curve_of(THREE_TIMES, "1,2,-6", "2,258", "0,0,0,0,0,0,0,0", "1,2");
    assert_near(value_at(&line, 0.5), 1.25);
    assert_near(value_at(&line, 3), -2);
    assert_near(value_at(&held, 1.9), 1);
    assert_near(value_at(&held, 2), 2); /* the key's own value, although the next one's holds behind it */
    assert_near(value_at(&held, 2.1), -6);
}

/* Weights 0.1 and 0.8, packed as 1000 and 8000: a point of the Bezier segment is found by its parameter. */
TEST(test_weighted_tangents)
{
    const uint32_t bits = 8000u << 16 | 1000u;
    float packed;
    char data[64];
    memcpy(&packed, &bits, sizeof packed);
    snprintf(data, sizeof data, "4,-3,%.9g,0", (double)packed);
    CURVE curve = curve_of(TWO_TIMES, "1,2", "50332680", data, "2");
    for (int i = 1; i < 8; i++) {
        double s = i / 8.0, r = 1 - s;
        double time = 2 * (3 * r * r * s * 0.1 + 3 * r * s * s * 0.2 + s * s * s);
        assert_near(value_at(&curve, time),
                    r * r * r + 3 * r * r * s * (1 + 0.2 * 4) + 3 * r * s * s * (2 + 1.6 * 3) + 2 * s * s * s);
    }
}

/* Slopes (left, right) that the keys 0, 1, 6 at 0, 2, 4 s get from their neighbours. */
TEST(test_derived_slopes)
{
    static const struct {
        const char *flags, *data;
        double left, right;
    } kinds[] = {
        {"8200", "0,0,0,0", 1.5, 1.5},    /* time-independent: (6 - 0) / 4 s */
        {"24840", "0,0,0,0", 1.5, 1.5},   /* clamped progressively: no steeper than 0.5 / (1/3) */
        {"4104", "0,0,0,0", 1.5, 1.5},    /* clamped beside equal values: there are none */
        {"264", "0,0,0,0", 1.5, 1.5},     /* half of it, and half of both sides by their share of the time */
        {"264", "50,0,0,0", 1.5, 2},      /* a bias of 50 % turns it half way to the right line, 2.5 */
        {"520", "0,0,0,0", 1.5, 1.5},     /* TCB: half the sum of 0.5 and 2.5 */
        {"520", "0.5,0,0,0", 0.75, 0.75}, /* tension */
        {"520", "0,0.5,0,0", 2, 1},       /* continuity: 0.5 (0.5 0.5 + 1.5 2.5), 0.5 (1.5 0.5 + 0.5 2.5) */
        {"520", "0,0,0.5,0", 1, 1},       /* bias: 0.5 (1.5 0.5 + 0.5 2.5) */
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        CURVE curve = curve_of(THREE_TIMES, "0,1,6", kinds[i].flags, kinds[i].data, "3");
        assert_near(curve.keys[1].in_slope, kinds[i].left);
        assert_near(curve.keys[1].out_slope, kinds[i].right);
    }
    CURVE curve = curve_of(THREE_TIMES, "0,0.5,6", "24840", "0,0,0,0", "3");
    assert_near(curve.keys[1].in_slope, 0.75); /* 0.5 / 2 s / (1/3), where 1.5 would lead below 0 */
    assert_near(curve.keys[0].out_slope, 0);
}

TEST(test_broken_curves_are_refused)
{
    static const char *const broken[][5] = {
        {"0,0", "1,2", "8", "0,0,0,0", "2"},   /* times do not ascend */
        {TWO_TIMES, "1", "8", "0,0,0,0", "2"}, /* fewer values than times */
        {TWO_TIMES, "1,nan", "8", "0,0,0,0", "2"},
        {TWO_TIMES, "1,2", "8", "0,0,0", "2"},             /* fewer than four numbers */
        {TWO_TIMES, "1,2", "8,8", "0,0,0,0,0,0,0,0", "2"}, /* a run without a length */
        {TWO_TIMES, "1,2", "8", "0,0,0,0", "1"},           /* runs for fewer keys */
        {TWO_TIMES, "1,2", "8", "0,0,0,0", "-1"},
        {TWO_TIMES, "1,2", "1032", "inf,0,0,0", "2"},
        {"", "", "", "", ""},
    };
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        char text[2048];
        struct bezier_curve curve;
        curve_text(text, sizeof text, broken[i][0], broken[i][1], broken[i][2], broken[i][3], broken[i][4]);
        if (read_curve(text, strlen(text), &curve))
            fail_msg("curve %zu is read", i);
    }
}

/* 90 degrees about two axes: where e goes tells which turned first. */
TEST(test_order_of_axes)
{
    static const struct {
        unsigned order;
        double degrees[3], e[3], expected[3];
    } orders[] = {
        {0, {90, 90, 0}, {0, 1, 0}, {1, 0, 0}}, /* XYZ: y to z, then z to x */
        {1, {90, 0, 90}, {0, 1, 0}, {0, 0, 1}}, /* XZY: y to z, which z keeps */
        {2, {0, 90, 90}, {0, 0, 1}, {0, 1, 0}}, /* YZX: z to x, then x to y */
        {3, {90, 90, 0}, {0, 1, 0}, {0, 0, 1}}, /* YXZ: y keeps y, then y to z */
        {4, {90, 0, 90}, {1, 0, 0}, {0, 0, 1}}, /* ZXY: x to y, then y to z */
        {5, {0, 90, 90}, {1, 0, 0}, {0, 1, 0}}, /* ZYX: x to y, which y keeps */
    };
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++) {
        double q[4], v[4] = {orders[i].e[0], orders[i].e[1], orders[i].e[2]};
        fbx_euler(orders[i].degrees, orders[i].order, FBX_NOT_DERIVED, q);
        quatd_mul(q, v, v);
        quatd_mul(v, (const double[4]){-q[0], -q[1], -q[2], q[3]}, v);
        for (int k = 0; k < 3; k++)
            assert_near(v[k], orders[i].expected[k]);
    }
}

/* Keys that follow two lines of Euler angles: within a millionth between all of them, and few. */
TEST(test_fit_of_a_rotation)
{
    SCOPED_ARENA arena = arena_create(1 << 20, NULL);
    struct bezier_curve curves[3] = {curve_of(TWO_TIMES, "0,100", "4", "0,0,0,0", "2"),
                                  curve_of(TWO_TIMES, "20,-70", "4", "0,0,0,0", "2")};
    const struct fbx_motion motion = {.width = 4,
                                      .curve_count = 3,
                                      .curves = curves,
                                      .constants = (double[]){0, 0, -35},
                                      .divisor = 1,
                                      .tolerance = 1e-6,
                                      .is_rotation = true,
                                      .order = 3,
                                      .before = {0, 0, 0, 1},
                                      .after = {0, 0, 0, 1}};
    struct keys keys = {2, (double[]){0, 2}, (float[]){0, 0, 0, 1, 0, 0, 0, 1}, INTERPOLATE_LINEAR};
    struct follow_counts counts = {0};
    fbx_follow(&motion, 2, &keys, arena, &counts, COMPONENT_ROTATION);
    assert_int_equal(counts.unlike, 0);
    assert_in_range(keys.count, 3, 33);
    assert_true(counts.added == keys.count - 2 && counts.worst[COMPONENT_ROTATION] > 0.1);
    for (uint32_t k = 0; k + 1 < keys.count; k++) {
        const float *a = keys.values + 12 * k, *b = a + 12;
        double span = keys.times[k + 1] - keys.times[k], expected[4], slope[4];
        for (int i = 0; i <= 10; i++) {
            double u = 0.1 * i, cubic[4], square = 0;
            for (int j = 0; j < 4; j++) {
                cubic[j] = (2 * u * u * u - 3 * u * u + 1) * (double)a[4 + j] +
                           span * (u * u * u - 2 * u * u + u) * (double)a[8 + j] +
                           (3 * u * u - 2 * u * u * u) * (double)b[4 + j] + span * (u * u * u - u * u) * (double)b[j];
                square += cubic[j] * cubic[j];
            }
            fbx_motion_evaluate(&motion, 1, keys.times[k] + u * span, expected, slope);
            for (int j = 0; j < 4; j++)
                assert_true(fabs(cubic[j] / sqrt(square) - expected[j]) < 1.5e-6);
        }
    }
    free(curves[0].keys);
    free(curves[1].keys);
}
