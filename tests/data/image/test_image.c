/* Images: PNG and back, hashes, films; cameras in files. */

#include "data/apng_read.h"
#include "data/image/frame_settings.h"
#include "data/image/image.h"
#include "data/result/recorded.h"
#include "run_binary.h"

/* Every byte another, alpha included. */
static struct image pattern(uint32_t width, uint32_t height)
{
    struct image image;
    assert_true(image_create(&image, width, height, ANY_ERROR));
    for (size_t i = 0; i < (size_t)width * height * 4; i++)
        image.rgba[i] = (uint8_t)(i * 37 + i / 101);
    return image;
}

SCRATCH_TEST(png_brings_every_pixel_back)
{
    static const uint32_t sizes[][2] = {{1, 1}, {33, 17}, {1, 300}, {300, 1}, {256, 256}};
    static const enum png_effort efforts[] = {PNG_OUTPUT, PNG_GOLDEN};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (int e = 0; e < 2; e++) {
            SCOPED(image) image = pattern(sizes[i][0], sizes[i][1]), back;
            assert_true(image_write_png(&image, "a.png", efforts[e], ANY_ERROR));
            assert_true(image_write_png(&image, "b.png", efforts[e], ANY_ERROR));
            assert_same_files("a.png", "b.png");
            assert_true(image_read(&back, "a.png", ANY_ERROR));
            assert_int_equal(back.width, image.width);
            assert_int_equal(back.height, image.height);
            assert_memory_equal(back.rgba, image.rgba, (size_t)image.width * image.height * 4);
        }
}

/* 13x9, one bit a pixel, in seven passes: with their filter bytes these take more room than its rows do. */
TEST(interlaced_pictures_are_read)
{
    static const uint8_t png[] = {
        0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52,
        0x00, 0x00, 0x00, 0x0d, 0x00, 0x00, 0x00, 0x09, 0x01, 0x00, 0x00, 0x00, 0x01, 0xb6, 0x06, 0xab,
        0x51, 0x00, 0x00, 0x00, 0x2b, 0x49, 0x44, 0x41, 0x54, 0x78, 0xda, 0x63, 0x68, 0x60, 0x60, 0x60,
        0x68, 0x00, 0x42, 0x03, 0x86, 0x04, 0x20, 0xe9, 0xc0, 0x70, 0x0e, 0xc8, 0x5f, 0xc3, 0x50, 0xc0,
        0x10, 0x00, 0xa4, 0x7b, 0x80, 0x98, 0xc1, 0x2b, 0x80, 0xe1, 0x5c, 0x01, 0xc3, 0xd6, 0x15, 0x00,
        0xa3, 0x08, 0x08, 0xcc, 0xa7, 0x64, 0x53, 0xd5, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44,
        0xae, 0x42, 0x60, 0x82,
    };
    SCOPED(image) image;
    assert_true(image_decode(&image, png, sizeof png, "interlaced.png", ANY_ERROR));
    assert_int_equal(image.width, 13);
    assert_int_equal(image.height, 9);
    for (uint32_t i = 0; i < 13 * 9; i++) {
        uint32_t x = i % 13, y = i / 13;
        assert_int_equal(image.rgba[4 * i], (x * x + 3 * y) % 5 < 2 ? 255 : 0);
    }
}

SCRATCH_TEST(what_is_no_image_is_refused)
{
    struct error none = {0}, missing = {0}, half = {0};
    struct image image;
    SCOPED(image) whole = pattern(64, 64);
    SCOPED(text) png = {0};
    assert_false(image_decode(&image, "no picture", 10, "x.png", &none));
    assert_contains(none.text, "x.png");
    assert_null(image.rgba);
    assert_false(image_read(&image, "missing.png", &missing));
    assert_contains(missing.text, "missing.png");
    assert_true(image_encode_png(&whole, PNG_OUTPUT, &png, ANY_ERROR));
    assert_false(image_decode(&image, png.data, png.size / 2, "half.png", &half));
    assert_contains(half.text, "half.png");
}

TEST(hashes_tell_images_apart)
{
    /* The value is part of golden files, so it stays the same from release to release. */
    struct image a = {2, 1, (uint8_t[]){1, 2, 3, 4, 5, 6, 7, 8}};
    SCOPED(image) b = pattern(6, 4);
    char first[17], second[17];
    image_hash(&a, first);
    assert_string_equal(first, "221eb062d414e736");
    image_hash(&b, first);
    for (size_t i = 0; i < 6 * 4 * 4; i++) {
        b.rgba[i] ^= 1;
        image_hash(&b, second);
        assert_string_not_equal(first, second);
        b.rgba[i] ^= 1;
    }
    image_hash(&b, second);
    assert_string_equal(first, second);
    b.width = 4; /* the same bytes in another shape */
    b.height = 6;
    image_hash(&b, second);
    assert_string_not_equal(first, second);
}

/* ---- animated, read again by the letter of the specification ----------------------------------------------------- */

static void write_frames(struct apng *apng, const struct image *frames, uint32_t count, double fps)
{
    apng_begin(apng, count, fps);
    for (uint32_t i = 0; i < count; i++)
        assert_good(apng_add(apng, &frames[i], err));
}

/* One pixel changes in each corner and in the middle; then nothing; then the two ends of the first row; then all of it. */
static void make_film(struct image frames[9], uint32_t width, uint32_t height)
{
    const uint32_t spots[][2] = {
        {0, 0}, {width - 1, 0}, {0, height - 1}, {width - 1, height - 1}, {width / 2, height / 3}};
    frames[0] = pattern(width, height);
    for (int i = 1; i < 9; i++) {
        frames[i] = pattern(width, height);
        memcpy(frames[i].rgba, frames[i - 1].rgba, 4 * (size_t)width * height);
        if (i <= 5)
            frames[i].rgba[4 * ((size_t)spots[i - 1][1] * width + spots[i - 1][0]) + 3] ^= 0x40;
        frames[i].rgba[0] ^= i == 7;
        frames[i].rgba[4 * (width - 1) + 1] ^= i == 7;
        if (i == 8)
            for (size_t k = 0; k < 4 * (size_t)width * height; k++)
                frames[i].rgba[k] ^= 0xff;
    }
}

/* Same frames, same bytes; whoever does not know animation sees the first frame. */
TEST(every_frame_comes_back)
{
    static const uint32_t sizes[][2] = {{1, 1}, {40, 30}, {3, 200}, {257, 2}};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        struct image frames[9];
        SCOPED(image) still;
        SCOPED(apng) apng, again;
        SCOPED(apng_read) back;
        uint32_t all = sizes[s][0] * sizes[s][1];
        make_film(frames, sizes[s][0], sizes[s][1]);
        write_frames(&apng, frames, 9, 24);
        write_frames(&again, frames, 9, 24);
        assert_int_equal(apng.bytes.size, again.bytes.size);
        assert_memory_equal(apng.bytes.data, again.bytes.data, apng.bytes.size);
        assert_true(image_decode(&still, apng.bytes.data, apng.bytes.size, "film", ANY_ERROR));
        assert_memory_equal(still.rgba, frames[0].rgba, 4 * (size_t)all);
        apng_read(apng.bytes.data, apng.bytes.size, &back);
        assert_int_equal(back.frame_count, 9);
        assert_int_equal(back.plays, 0);
        for (uint32_t i = 0; i < 9; i++) {
            assert_memory_equal(back.frames[i].rgba, frames[i].rgba, 4 * (size_t)all);
            assert_int_equal(back.areas[i], i == 0 || i == 8 ? all : i == 7 ? sizes[s][0] : 1); /* what changed and no more */
            image_release(&frames[i]);
        }
    }
}

TEST(frames_last_as_long_as_said)
{
    static const struct {
        double fps;
        uint16_t numerator, denominator;
    } rates[] = {{24, 1, 24},  {25, 1, 25},       {60, 1, 60},  {29.97, 100, 2997}, {30000.0 / 1001, 1001, 30000},
                 {0.5, 2, 1},  {0.001, 1000, 1},  {1, 1, 1},    {2.5, 2, 5},        {100000, 1, 65535},
                 {1e-6, 65535, 1}};
    for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++) {
        uint16_t numerator, denominator;
        apng_delay(rates[i].fps, &numerator, &denominator);
        assert_int_equal(numerator, rates[i].numerator);
        assert_int_equal(denominator, rates[i].denominator);
    }
    for (double fps = 0.01; fps < 10000; fps *= 1.0371) { /* what no fraction says is near all the same */
        uint16_t numerator, denominator;
        apng_delay(fps, &numerator, &denominator);
        double says = (double)denominator / numerator;
        assert_true(says / fps < 1.0001 && says / fps > 0.9999);
    }
    SCOPED(image) frame = pattern(3, 3);
    SCOPED(apng) apng;
    SCOPED(apng_read) back;
    write_frames(&apng, &frame, 1, 29.97);
    apng_read(apng.bytes.data, apng.bytes.size, &back);
    assert_int_equal(back.delay[0], 100);
    assert_int_equal(back.delay[1], 2997);
}

TEST(a_frame_of_another_size_is_refused)
{
    SCOPED(image) frame = pattern(3, 3), other = pattern(3, 4);
    SCOPED(apng) apng;
    apng_begin(&apng, 2, 24);
    assert_true(apng_add(&apng, &frame, ANY_ERROR));
    assert_refused_as(apng_add(&apng, &other, err), "frame 1 is 3x4, the first is 3x3");
}

static const struct camera odd = {.eye = {0.1f, -1e-7f, 3e8f}, .target = {1.0f / 3, 2, 3}, .up = {0, 0.6f, 0.8f},
                                  .fov_y = 0.7853982f, .near_plane = 1e-5f, .far_plane = 16777217};

TEST(reads_back_bit_by_bit)
{
    SCOPED(text) text = {0};
    struct camera back;
    camera_file_write(&odd, &text);
    assert_true(strncmp(text_string(&text), "{\n \"format\": \"rigproof.camera/1\",\n \"eye\": [0.1, -1e-07, 3e+08],\n",
                        60) == 0);
    assert_true(camera_file_read(text.data, text.size, "c.json", &back, ANY_ERROR));
    assert_memory_equal(&back, &odd, sizeof odd);
}

TEST(the_first_frame_of_a_recording)
{
    struct camera other = odd, back;
    SCOPED(text) text = {0};
    other.fov_y = 1;
    struct recorded_frame frames[] = {{.label = "0.000", .pixels = "1", .png = "2", .camera = odd, .has_camera = true},
                                      {.label = "1.000", .pixels = "1", .png = "2", .camera = other, .has_camera = true}};
    struct recorded recorded = {.frame_count = 2, .frames = frames};
    recorded_write(&recorded, &text);
    assert_true(camera_file_read(text.data, text.size, "recorded.json", &back, ANY_ERROR));
    assert_memory_equal(&back, &odd, sizeof odd);
    text.size = 0;
    recorded.frame_count = 0;
    recorded_write(&recorded, &text);
    assert_refused_as(camera_file_read(text.data, text.size, "recorded.json", &back, err),
                      "recorded.json: frames: no frame, so no camera");
}

#define POSITION "\"eye\": [1, 2, 3], \"target\": [0, 0, 0], \"up\": [0, 1, 0]"
#define REST "\"ortho_height\": 0, \"near\": 1, \"far\": 9"

static const struct {
    const char *json, *message; /* NULL: it is a camera */
} files[] = {
    {"{" POSITION ", \"fov_y\": 1, " REST "}", NULL},
    {"{" POSITION ", \"fov_y\": 0, \"ortho_height\": 4, \"near\": -1, \"far\": 0, \"more\": 1}", NULL},
    {"{\"format\": \"rigproof.pose/1\", " POSITION ", \"fov_y\": 1, " REST "}", "rigproof.camera/1"},
    {"{\"eye\": [1, 2, 1e39]}", "eye"},
    {"{\"eye\": [1, 2, \"3\"]}", "eye"},
    {"{\"eye\": [1, 2, 3, 4]}", "eye"},
    {"{" POSITION "}", "fov_y"},
    {"{" POSITION ", \"fov_y\": 3.1416, " REST "}", "fov_y: must be from 0"},
    {"{" POSITION ", \"fov_y\": -1, " REST "}", "fov_y: must be from 0"},
    {"{" POSITION ", \"fov_y\": 1, \"ortho_height\": -1, \"near\": 1, \"far\": 2}", "ortho_height"},
    {"{" POSITION ", \"fov_y\": 1, \"ortho_height\": 0, \"near\": 0, \"far\": 2}", "near: "},
    {"{" POSITION ", \"fov_y\": 1, \"ortho_height\": 0, \"near\": 2, \"far\": 2}", "far: "},
    {"{\"eye\": [0, 0, 1], \"target\": [0, 0, 1], \"up\": [0, 1, 0], \"fov_y\": 1, " REST "}", "looks nowhere"},
    {"{\"frames\": []}", "format"},
    {"{\"format\": \"rigproof.recorded/1\", \"frames\": [{\"camera\": null}]}", "frames[0].camera"},
    {"{\"format\": \"rigproof.recorded/1\", \"frames\": [3]}", "frames[0]"},
    {"[]", "object"},
    {"{\"eye\": [1,", "not valid JSON"},
    {"", "not valid JSON"},
};

TEST(what_is_no_camera_is_refused)
{
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        struct error err = {0};
        struct camera camera;
        bool good = camera_file_read(files[i].json, strlen(files[i].json), "c.json", &camera, &err);
        if (good != (files[i].message == NULL))
            fail_msg("%s: %s", files[i].json, good ? "was taken" : err.text);
        if (!good && (strncmp(err.text, "c.json: ", 8) != 0 || !strstr(err.text, files[i].message)))
            fail_msg("%s: `%s` does not speak of %s", files[i].json, err.text, files[i].message);
    }
}
