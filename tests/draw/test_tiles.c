#include "draw/renderer.h"

#include "busy_scene.h"
#include "rendering.h"

static struct image drawn_in_tiles(struct renderer *renderer, const struct hand *hand, const struct shot *shot,
                                   uint32_t tile)
{
    renderer_set_tile(renderer, tile);
    struct image image = draw_hand(renderer, hand, shot);
    renderer_set_tile(renderer, RENDERER_TILE);
    return image;
}

static void count_differences(const struct image *a, const struct image *b, uint32_t *pixels, int *most)
{
    *pixels = 0;
    *most = 0;
    for (size_t i = 0; i < (size_t)a->width * a->height; i++) {
        int worst = 0;
        for (int c = 0; c < 4; c++) {
            int d = abs(a->rgba[4 * i + (size_t)c] - b->rgba[4 * i + (size_t)c]);
            worst = d > worst ? d : worst;
        }
        *pixels += worst > 0;
        *most = worst > *most ? worst : *most;
    }
}

static void report(void **state)
{
    struct hand hand = busy_scene();
    static const uint32_t sizes[][2] = {{600, 400}, {1500, 1100}, {2048, 700}};
    for (int i = 0; i < 3; i++) {
        struct shot shot = busy_shot(sizes[i][0], sizes[i][1]);
        struct image whole = drawn_in_tiles(*state, &hand, &shot, RENDERER_TILE);
        for (uint32_t tile = 64; tile <= 1024; tile = tile * 3 / 2) {
            struct image tiled = drawn_in_tiles(*state, &hand, &shot, tile);
            uint32_t pixels; int most;
            count_differences(&whole, &tiled, &pixels, &most);
            print_message("%u tile %u: %u pixels, most %d\n", sizes[i][0], tile, pixels, most);
            image_release(&tiled);
        }
        image_release(&whole);
    }
    hand_free(&hand);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(report),
    };
    return cmocka_run_group_tests(tests, open_renderer, close_renderer);
}
