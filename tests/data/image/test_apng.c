/* Animated PNGs, read again by the letter of the specification. */
#include "cmocka_setup.h"

#include <stdlib.h>
#include <string.h>

#include "data/apng_read.h"
#include "data/image/apng.h"

static struct image filled(uint32_t width, uint32_t height)
{
    struct image image;
    struct error err = {0};
    assert_true(image_create(&image, width, height, &err));
    for (size_t i = 0; i < (size_t)width * height * 4; i++)
        image.rgba[i] = (uint8_t)(i * 37 + i / 101);
    return image;
}

static void write_all(struct apng *apng, const struct image *frames, uint32_t count, double fps)
{
    struct error err = {0};
    apng_begin(apng, count, fps);
    for (uint32_t i = 0; i < count; i++)
        if (!apng_add(apng, &frames[i], &err))
            fail_msg("%s", err.text);
}

/* One pixel changes in each corner and in the middle; then nothing; then all of it. */
static uint32_t make_frames(struct image frames[8], uint32_t width, uint32_t height)
{
    const uint32_t spots[][2] = {{0, 0}, {width - 1, 0}, {0, height - 1}, {width - 1, height - 1}, {width / 2, height / 3}};
    frames[0] = filled(width, height);
    for (int i = 1; i < 8; i++) {
        frames[i] = filled(width, height);
        memcpy(frames[i].rgba, frames[i - 1].rgba, 4 * (size_t)width * height);
        if (i <= 5)
            frames[i].rgba[4 * ((size_t)spots[i - 1][1] * width + spots[i - 1][0]) + 3] ^= 0x40;
        if (i == 7)
            for (size_t k = 0; k < 4 * (size_t)width * height; k++)
                frames[i].rgba[k] ^= 0xff;
    }
    return 8;
}

/* Same frames, same bytes; whoever does not know animation sees the first frame. */
static void every_frame_comes_back(void **state)
{
    (void)state;
    static const uint32_t sizes[][2] = {{1, 1}, {40, 30}, {3, 200}, {257, 2}};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        struct image frames[8], still;
        struct apng apng, again;
        struct apng_read back;
        struct error err = {0};
        uint32_t count = make_frames(frames, sizes[s][0], sizes[s][1]), all = sizes[s][0] * sizes[s][1];
        write_all(&apng, frames, count, 24);
        write_all(&again, frames, count, 24);
        assert_int_equal(apng.bytes.size, again.bytes.size);
        assert_memory_equal(apng.bytes.data, again.bytes.data, apng.bytes.size);
        assert_true(image_decode(&still, apng.bytes.data, apng.bytes.size, "film", &err));
        assert_memory_equal(still.rgba, frames[0].rgba, 4 * (size_t)all);
        apng_read(apng.bytes.data, apng.bytes.size, &back);
        assert_int_equal(back.frame_count, count);
        assert_int_equal(back.plays, 0);
        for (uint32_t i = 0; i < count; i++) {
            assert_memory_equal(back.frames[i].rgba, frames[i].rgba, 4 * (size_t)all);
            assert_int_equal(back.areas[i], i == 0 || i == 7 ? all : 1); /* what changed and no more */
            image_release(&frames[i]);
        }
        image_release(&still);
        apng_read_release(&back);
        apng_release(&apng);
        apng_release(&again);
    }
}

/* Two far pixels make a rectangle between them. */
static void a_rectangle_holds_all_that_changed(void **state)
{
    (void)state;
    struct image frames[2] = {filled(20, 10), filled(20, 10)};
    struct apng apng;
    struct apng_read back;
    frames[1].rgba[4 * (2 * 20 + 15)] ^= 1;
    frames[1].rgba[4 * (7 * 20 + 4) + 1] ^= 1;
    write_all(&apng, frames, 2, 24);
    apng_read(apng.bytes.data, apng.bytes.size, &back);
    assert_int_equal(back.areas[1], 12 * 6);
    assert_memory_equal(back.frames[1].rgba, frames[1].rgba, 4 * 200);
    apng_read_release(&back);
    apng_release(&apng);
    image_release(&frames[0]);
    image_release(&frames[1]);
}

static void frames_last_as_long_as_said(void **state)
{
    (void)state;
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
    struct image frame = filled(3, 3);
    struct apng apng;
    struct apng_read back;
    write_all(&apng, &frame, 1, 29.97);
    apng_read(apng.bytes.data, apng.bytes.size, &back);
    assert_int_equal(back.delay[0], 100);
    assert_int_equal(back.delay[1], 2997);
    apng_read_release(&back);
    apng_release(&apng);
    image_release(&frame);
}

static void a_frame_of_another_size_is_refused(void **state)
{
    (void)state;
    struct image frame = filled(3, 3), other = filled(3, 4);
    struct error err = {0};
    struct apng apng;
    apng_begin(&apng, 2, 24);
    assert_true(apng_add(&apng, &frame, &err));
    assert_false(apng_add(&apng, &other, &err));
    assert_string_equal(err.text, "frame 1 is 3x4, the first is 3x3");
    apng_release(&apng);
    image_release(&frame);
    image_release(&other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_frame_comes_back),
        cmocka_unit_test(a_rectangle_holds_all_that_changed),
        cmocka_unit_test(frames_last_as_long_as_said),
        cmocka_unit_test(a_frame_of_another_size_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
