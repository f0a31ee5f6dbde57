/* Repair "game-keys": what is mended, and told where it is off. Debian 13's Assimp reads no B3D. */
#include "import/import_fixture.h"

#include <math.h>

/* The scene of that file with the repairs, of which there is that note. */
static struct scene *with_keys(const char *name, const struct text *file, uint32_t repairs, enum note_kind kind,
                               const char *said)
{
    struct scene *scene = import_bytes(name, file->data, file->size, repairs);
    assert_contains(note_of(scene, kind, "game-keys"), said);
    return scene;
}

/* Rotations about x by 60 and 160 degrees, nine tenths as long as they should be: (w, x) is 0.9 (cos 30, sin 30) and
 * 0.9 (cos 80, sin 80). Of the second one Assimp's matrix has a negative trace. */
TEST(rotations_of_x_are_made_unit_quaternions)
{
    static const char text[] = "xof 0303txt 0032\nAnimTicksPerSecond { 10; }\nFrame a {\n"
                               " Mesh { 3; 0;0;0;,1;0;0;,0;1;0;; 1; 3;0,1,2;; }\n}\nAnimationSet s { Animation { {a}\n"
                               " AnimationKey { 0; 3; 0;4;1.0,0.0,0.0,0.0;;, 10;4;0.779423,0.45,0.0,0.0;;, "
                               "20;4;0.156283,0.886327,0.0,0.0;;; }\n} }\n";
    SCOPED(text) file = {0};
    text_add(&file, text);
    SCENE *scene = with_keys("a.x", &file, REPAIR_ALL, NOTE_REPAIR, "1 rotations of keys are not of unit");
    const struct keys *keys = &scene->clips[0].channels[0].keys[COMPONENT_ROTATION];
    assert_int_equal(keys->count, 3);
    for (size_t k = 0; k < 3; k++) {
        static const float halves[3][2] = {{1, 0}, {0.8660254f, 0.5f}, {0.1736482f, 0.9848078f}};
        const float actual[2] = {fabsf(keys->values[4 * k + 3]), fabsf(keys->values[4 * k])};
        ASSERT_NEAR(actual, halves[k], 2, 2e-6f);
    }
    ANOTHER(scene, with_keys("a.x", &file, ALL_BUT(GAME_KEYS), NOTE_WARNING, "1 rotations"));
    keys = &scene->clips[0].channels[0].keys[COMPONENT_ROTATION];
    ASSERT_NEAR((const float[]){fabsf(keys->values[7])}, (const float[]){0.9153f}, 1, 1e-4f); /* 47.5 degrees */
}

/* A mesh in a frame without a name that is `scale` times as large, in one that keys move. */
static void add_x_frames(struct text *out, const char *scale)
{
    text_addf(out,
              "xof 0303txt 0032\nAnimTicksPerSecond { 10; }\nFrame a { // Frame { FrameTransformMatrix {\n"
              " FrameTransformMatrix { 1.0,0.0,0.0,0.0,0.0,1.0,0.0,0.0,0.0,0.0,1.0,0.0,0.0,0.0,0.0,1.0;; }\n"
              " Frame {\n FrameTransformMatrix { %s,0.0,0.0,0.0,0.0,1.0,0.0,0.0,0.0,0.0,1.0,0.0,0.0,0.0,0.0,1.0;; }\n"
              " Mesh { 3; 0;0;0;,1;0;0;,0;1;0;; 1; 3;0,1,2;; }\n}\n}\nAnimationSet s { Animation { {a}\n"
              " AnimationKey { 2; 2; 0;3;1.0,0.0,0.0;;, 10;3;2.0,0.0,0.0;;; }\n} }\n",
              scale);
}

TEST(frames_of_x_without_a_name_keep_their_matrix)
{
    SCOPED(text) file = {0}, same = {0};
    add_x_frames(&file, "2.0");
    SCENE *scene = with_keys("a.x", &file, REPAIR_ALL, NOTE_REPAIR, "1 frames have a matrix and no name");
    assert_int_equal(scene->node_count, 2);
    assert_string_equal(scene->nodes[1].name, "frame_1");
    assert_int_equal(scene->nodes[1].parent, 0);
    ASSERT_NEAR((const float[]){scene->nodes[1].rest.scale[0]}, (const float[]){2}, 1, 1e-6f);
    assert_int_equal(scene->instances[0].node, 1);
    ANOTHER(scene, with_keys("a.x", &file, ALL_BUT(GAME_KEYS), NOTE_WARNING, "1 frames"));
    assert_int_equal(scene->node_count, 1);
    add_x_frames(&same, "1.0");
    ANOTHER(scene, import_text("a.x", text_string(&same), ANY_ERROR));
    assert_null(note_of(scene, NOTE_REPAIR, "game-keys"));
}

static void add_floats(struct text *out, size_t count, const float *numbers)
{
    text_add_bytes(out, numbers, count * sizeof *numbers);
}

/* A name of 32 bytes. */
static void add_name(struct text *out, const char *name)
{
    char bytes[32] = "";
    snprintf(bytes, sizeof bytes, "%s", name);
    text_add_bytes(out, bytes, sizeof bytes);
}

/* A MilkShape file: a triangle on a joint at (1, 0, 0) that is turned by 90 degrees about z, which a key at a second
 * moves by (2, 0, 3) in its own space. */
static void add_ms3d(struct text *out)
{
    static const float normals[9] = {0, 0, 1, 0, 0, 1, 0, 0, 1}, zeros[6] = {0};
    text_add_bytes(out, "MS3D000000\4\0\0\0\3\0", 16); /* version 4, three vertices */
    for (int i = 0; i < 3; i++) {
        text_add_bytes(out, "\0", 1);
        add_floats(out, 3, (const float[]){(float)(i == 1), (float)(i == 2), 0});
        text_add_bytes(out, "\0\1", 2); /* the first joint */
    }
    text_add_bytes(out, "\1\0" "\0\0" "\0\0\1\0\2\0", 10); /* a triangle of 0, 1, 2 */
    add_floats(out, 9, normals);
    add_floats(out, 6, zeros);
    text_add_bytes(out, "\1\0" "\1\0" "\0", 5); /* the smoothing group and the group; a group */
    add_name(out, "g");
    text_add_bytes(out, "\1\0" "\0\0" "\377" "\0\0", 7); /* of triangle 0, without material; no materials */
    add_floats(out, 2, (const float[]){10, 0});            /* frames a second, the time shown */
    text_add_bytes(out, "\12\0\0\0", 4); /* frames */
    text_add_bytes(out, "\1\0\0", 3); /* a joint */
    add_name(out, "a");
    add_name(out, "");
    add_floats(out, 6, (const float[]){0, 0, 1.5707963f, 1, 0, 0});
    text_add_bytes(out, "\1\0\2\0", 4); /* a rotation key, two of the translation: a time and three numbers */
    add_floats(out, 12, (const float[]){0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 0, 3});
}

TEST(translations_of_ms3d_are_the_joint_s)
{
    SCOPED(text) file = {0};
    add_ms3d(&file);
    SCENE *scene = with_keys("a.ms3d", &file, REPAIR_ALL, NOTE_REPAIR, "1 translations of keys");
    const struct keys *keys = &scene->clips[0].channels[0].keys[COMPONENT_TRANSLATION];
    assert_int_equal(keys->count, 2);
    ASSERT_NEAR(keys->values, (const float[]){1, 0, 0, 1, 2, 3}, 6, 1e-6f);
    ANOTHER(scene, with_keys("a.ms3d", &file, ALL_BUT(GAME_KEYS), NOTE_WARNING, "1 translations"));
    keys = &scene->clips[0].channels[0].keys[COMPONENT_TRANSLATION];
    ASSERT_NEAR(keys->values, (const float[]){1, 0, 0, 3, 0, 3}, 6, 1e-6f);
}

/* The file has keys at frames 0 to 3, which become `first` and the three that follow. */
static struct scene *half_from(uint8_t first, uint32_t repairs, enum note_kind kind, const char *said)
{
    SCOPED(blob) blob;
    SCOPED(text) file = {0};
    enum { KEY = 4 + 4 * sizeof(float) };
    assert_true(file_read(FIXTURES "/ticks/half.b3d", 1 << 20, &blob, ANY_ERROR));
    size_t keys = 0;
    while (keys + 4 < blob.size && memcmp((const char *)blob.data + keys, "KEYS", 4) != 0)
        keys++;
    text_add_bytes(&file, blob.data, blob.size);
    for (size_t k = 0; k < 4; k++)
        file.data[keys + 12 + k * KEY] = (char)(first + k);
    return with_keys("a.b3d", &file, repairs, kind, said);
}

TEST(frames_of_b3d_that_count_from_1_are_played)
{
    if (!import_knows("a.b3d"))
        skip();
    SCENE *scene = load("ticks/half.b3d"), *from_1 = half_from(1, REPAIR_ALL, NOTE_REPAIR, "they count from 1");
    assert_null(note_of(scene, NOTE_REPAIR, "game-keys"));
    const struct keys *right = &scene->clips[0].channels[0].keys[COMPONENT_ROTATION],
                      *keys = &from_1->clips[0].channels[0].keys[COMPONENT_ROTATION];
    assert_true(from_1->clips[0].duration == scene->clips[0].duration);
    assert_int_equal(keys->count, 4);
    for (size_t k = 0; k < 4; k++)
        assert_true(fabs(keys->times[k] - 0.4 * (double)k) < 1e-9);
    ASSERT_NEAR(keys->values, right->values, 16, 0);
    ANOTHER(scene, half_from(2, REPAIR_ALL, NOTE_REPAIR, "they count from 1")); /* to 5: the clip is one longer */
    assert_true(fabs(scene->clips[0].duration - 1.6) < 1e-9);
    ANOTHER(scene, half_from(1, ALL_BUT(GAME_KEYS), NOTE_WARNING, "keys behind its last frame, 3"));
    assert_true(fabs(scene->clips[0].channels[0].keys[COMPONENT_ROTATION].times[3] - 1.6) < 1e-9);
}
