/*
 * Images larger than a tile are drawn in several. The viewport is only shifted, so the geometry is the same; what a
 * shift changes is how window coordinates and interpolated values round in single precision. Measured here:
 * at most 1 pixel in 20,000, by at most 4 levels. RENDERER_TILE is therefore a part of what a picture is.
 */
#include "draw/renderer.h"

#include "draw/busy_scene.h"
#include "draw/rendering.h"

static struct image drawn_in_tiles(struct renderer *renderer, const struct hand *hand,
                                   const struct frame_settings *frame_settings, uint32_t tile)
{
    renderer->tile = tile;
    struct image image = draw_hand(renderer, hand, frame_settings);
    renderer->tile = RENDERER_TILE;
    return image;
}

static void assert_nearly_same(const struct image *a, const struct image *b, uint32_t tile)
{
    size_t count = (size_t)a->width * a->height, pixels = 0;
    int most = 0;
    assert_int_equal(a->width, b->width);
    assert_int_equal(a->height, b->height);
    for (size_t i = 0; i < count; i++) {
        int worst = 0;
        for (size_t c = 0; c < 4; c++) {
            int d = abs(a->rgba[4 * i + c] - b->rgba[4 * i + c]);
            worst = d > worst ? d : worst;
        }
        pixels += worst > 0;
        most = worst > most ? worst : most;
    }
    if (pixels > count / 10000 || most > 16)
        fail_msg("tiles of %u: %zu of %zu pixels differ, by up to %d", tile, pixels, count, most);
}

static void tiles_draw_the_same_picture(void **state)
{
    static const uint32_t sizes[][2] = {{600, 400}, {1000, 700}};
    static const uint32_t tiles[] = {64, 97, 256, 399, 512, 600};
    SCENE hand = busy_scene();
    for (int i = 0; i < 2; i++) {
        struct frame_settings frame_settings = busy_settings(sizes[i][0], sizes[i][1]);
        PICTURE whole = drawn_in_tiles(*state, &hand, &frame_settings, RENDERER_TILE);
        for (size_t t = 0; t < sizeof tiles / sizeof tiles[0]; t++) {
            PICTURE tiled = drawn_in_tiles(*state, &hand, &frame_settings, tiles[t]);
            assert_nearly_same(&whole, &tiled, tiles[t]);
        }
    }
}

static void the_native_profile_is_tiled_too(void **state)
{
    SCENE hand = busy_scene();
    struct frame_settings frame_settings = busy_settings(300, 200);
    frame_settings.profile = PROFILE_NATIVE;
    PICTURE whole = drawn_in_tiles(*state, &hand, &frame_settings, RENDERER_TILE);
    PICTURE tiled = drawn_in_tiles(*state, &hand, &frame_settings, 128);
    assert_nearly_same(&whole, &tiled, 128);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tiles_draw_the_same_picture),
        cmocka_unit_test(the_native_profile_is_tiled_too),
    };
    return cmocka_run_group_tests(tests, open_renderer, close_renderer);
}
