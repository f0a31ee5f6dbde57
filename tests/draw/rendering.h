#pragma once

#include "draw/draw.h"
#include "scene_by_hand.h"

/*
 * The renderer of a test program: group setup and teardown for cmocka. RIGPROOF_TEST_BACKEND chooses the backend; one
 * that is not installed ends the program with ctest's code for a skipped test.
 */
HAND int open_renderer(void **state)
{
    struct error err = {0};
    enum backend backend = BACKEND_AUTO;
    const char *name = getenv("RIGPROOF_TEST_BACKEND");
    if (name)
        backend = strcmp(name, "egl") == 0 ? BACKEND_EGL : BACKEND_OSMESA;
    if (!backend_is_present(backend)) {
        print_message("[  SKIPPED ] backend %s is not installed here\n", name ? name : "auto");
        exit(77);
    }
    *state = renderer_create(backend, &err);
    if (!*state)
        print_error("%s\n", err.text);
    return *state ? 0 : -1;
}

HAND int close_renderer(void **state)
{
    renderer_destroy(*state);
    return 0;
}

HAND void drop_model(struct gpu_model **model)
{
    gpu_model_destroy(*model);
}

/* Freed where their names end: a model is declared after its scene. */
#define MODEL RELEASED_BY(drop_model) struct gpu_model *

HAND struct gpu_model *model_of(struct renderer *renderer, const struct hand *hand)
{
    struct gpu_model *model = NULL;
    assert_good(model = gpu_model_create(renderer, hand->scene, err));
    return model;
}

/* A picture of one pose, no crowd; what it shows of which binding; what the vertex shader makes of it. */
HAND bool draw_frame(struct renderer *renderer, struct gpu_model *model, const struct palette *palette,
                     const struct pose *pose, const struct frame_settings *settings, struct image *out, struct error *err)
{
    const struct crowd alone = {.members = &(struct crowd_member){.palette = palette, .pose = pose}};
    return draw_crowd(renderer, model, &alone, settings, out, err);
}

HAND bool draw_bone_identity(struct renderer *renderer, struct gpu_model *model, const struct palette *palette,
                             const struct frame_settings *settings, uint32_t *out, struct error *err)
{
    const struct crowd alone = {.members = &(struct crowd_member){.palette = palette}};
    return draw_crowd_identity(renderer, model, &alone, settings, out, err);
}

HAND bool draw_capture(struct renderer *renderer, struct gpu_model *model, const struct palette *palette,
                       struct skinned *out, struct error *err)
{
    const struct crowd alone = {.members = &(struct crowd_member){.palette = palette}};
    return draw_crowd_capture(renderer, model, &alone, out, err);
}

/* Uploads the scene, draws one frame. The image is the caller's. */
HAND struct image draw_hand(struct renderer *renderer, const struct hand *hand,
                            const struct frame_settings *frame_settings)
{
    struct gpu_model *model = NULL;
    struct image image = {0};
    assert_good(model = gpu_model_create(renderer, hand->scene, err));
    assert_good(draw_frame(renderer, model, &hand->palette, &hand->pose, frame_settings, &image, err));
    gpu_model_destroy(model);
    return image;
}

HAND const uint8_t *pixel_at(const struct image *image, uint32_t x, uint32_t y)
{
    return image->rgba + ((size_t)y * image->width + x) * 4;
}

/* Says where and what when a pixel is off by more than `tolerance` in any channel. */
HAND void assert_pixel(const struct image *image, uint32_t x, uint32_t y, int r, int g, int b, int a, int tolerance)
{
    const uint8_t *p = pixel_at(image, x, y);
    const int want[4] = {r, g, b, a};
    for (int c = 0; c < 4; c++)
        if (abs(p[c] - want[c]) > tolerance)
            fail_msg("pixel (%u, %u): expected %d %d %d %d, observed %d %d %d %d", x, y, r, g, b, a, p[0], p[1], p[2],
                     p[3]);
}

HAND void assert_filled(const struct image *image, int r, int g, int b, int a, int tolerance)
{
    for (uint32_t i = 0; i < image->width * image->height; i++)
        assert_pixel(image, i % image->width, i / image->width, r, g, b, a, tolerance);
}

/* Nearly, where a tolerance is not 0. */
HAND void assert_near_image(const struct image *a, const struct image *b, int tolerance)
{
    assert_int_equal(a->width, b->width);
    assert_int_equal(a->height, b->height);
    for (uint32_t i = 0; i < a->width * a->height; i++) {
        const uint8_t *p = b->rgba + 4 * (size_t)i;
        assert_pixel(a, i % a->width, i / a->width, p[0], p[1], p[2], p[3], tolerance);
    }
}
#define assert_same_image(a, b) assert_near_image(a, b, 0)

/* sRGB encoding of a linear value, as a byte. */
HAND int encoded(double linear)
{
    double e = linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055;
    return (int)floor(255 * e + 0.5);
}
