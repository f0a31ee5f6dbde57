/* Colours of bones: no two alike, the same whatever else is in the scene. */
#include "cmocka_setup.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/image/font.h"
#include "data/scene/bone_colors.h"

enum { MANY = 20000 };

static char names[MANY][16];
static struct node nodes[MANY];
static uint8_t colors[MANY][3], others[MANY][3];

static struct scene scene_of(uint32_t count)
{
    for (uint32_t n = 0; n < count; n++) {
        snprintf(names[n], sizeof names[n], "bone.%u", n);
        nodes[n] = (struct node){.name = names[n], .parent = (int32_t)n - 1};
    }
    return (struct scene){.path = "by hand", .node_count = count, .nodes = nodes};
}

static int by_bytes(const void *a, const void *b)
{
    return memcmp(a, b, 3);
}

static void no_two_are_alike_and_all_are_bright_and_not_grey(void **state)
{
    (void)state;
    struct scene scene = scene_of(MANY);
    nodes[7].name = nodes[3].name; /* names may meet */
    nodes[9].name = nodes[3].name;
    bone_colors(&scene, colors);
    qsort(colors, MANY, 3, by_bytes);
    for (uint32_t n = 0; n < MANY; n++) {
        int most = 0, least = 255;
        for (int c = 0; c < 3; c++) {
            most = colors[n][c] > most ? colors[n][c] : most;
            least = colors[n][c] < least ? colors[n][c] : least;
        }
        assert_true(most >= 110 && 2 * least < most);
        assert_true(n == 0 || memcmp(colors[n - 1], colors[n], 3) != 0);
    }
}

/* 200 bones, and the same without the first hundred, with a new one in front. */
static void others_do_not_change_a_colour(void **state)
{
    (void)state;
    struct scene all = scene_of(200), less = all;
    bone_colors(&all, colors);
    less.nodes += 99;
    less.node_count -= 99;
    less.nodes[0].name = "new";
    bone_colors(&less, others);
    for (uint32_t n = 1; n < 101; n++)
        assert_memory_equal(others[n], colors[99 + n], 3);
}

/* Computed apart, in Python; FNV-1a of "hips" is 732003cc9b00c0f7. */
static void a_colour_is_that_of_its_name_for_good(void **state)
{
    (void)state;
    struct scene scene = scene_of(2);
    nodes[1].name = "hips";
    bone_colors(&scene, colors);
    static const uint8_t hips[3] = {150, 65, 195};
    assert_memory_equal(colors[1], hips, 3);
}

static void no_glyph_looks_like_another(void **state)
{
    (void)state;
    for (int a = '!'; a <= '~'; a++)
        for (int b = ' '; b < a; b++) {
            int same = 0;
            for (int i = 0; i < FONT_HEIGHT * FONT_WIDTH; i++)
                same += font_covers((char)a, i % 5, i / 5) == font_covers((char)b, i % 5, i / 5);
            assert_true(same < FONT_HEIGHT * FONT_WIDTH);
        }
    for (int i = 0; i < FONT_HEIGHT * FONT_WIDTH; i++) /* what is not ASCII */
        assert_int_equal(font_covers('\x7f', i % 5, i / 5), font_covers('\xc3', i % 5, i / 5));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_two_are_alike_and_all_are_bright_and_not_grey),
        cmocka_unit_test(others_do_not_change_a_colour),
        cmocka_unit_test(a_colour_is_that_of_its_name_for_good),
        cmocka_unit_test(no_glyph_looks_like_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
