/* The views on a scale of colours: which number is shown where, as which colour, and what the legend says. */

#include "data/image/color_scale.h"
#include "draw/rendering.h"

enum { SIZE = 32 };

static const int growing[7][3] = {{40, 26, 82}, {50, 68, 142}, {34, 112, 152}, {32, 154, 138}, {92, 192, 98}, {180, 220, 62}, {252, 236, 92}};
static const int diverging[7][3] = {{22, 60, 142}, {66, 126, 200}, {160, 200, 230}, {238, 238, 234}, {244, 186, 148}, {214, 98, 72}, {138, 18, 38}};

/* The pixel has the colour of a place on the scale, 0 to 6. */
static void assert_on_scale(const struct image *image, uint32_t x, uint32_t y, const int colors[7][3], double at, int tolerance)
{
    int below = at >= 6 ? 5 : (int)at, c[3];
    for (int k = 0; k < 3; k++)
        c[k] = (int)lround(colors[below][k] + (at - below) * (colors[below + 1][k] - colors[below][k]));
    assert_pixel(image, x, y, c[0], c[1], c[2], 255, tolerance);
}

static struct image draw_values(struct renderer *renderer, const struct hand *hand, const struct frame_settings *settings,
                                const float *values)
{
    const struct crowd_member member = {.palette = &hand->palette, .values = values};
    struct image image = {0};
    MODEL model = model_of(renderer, hand);
    assert_good(draw_crowd(renderer, model, &(struct crowd){.members = &member}, settings, &image, err));
    return image;
}

static struct frame_settings settings_of(enum view view, float least, float most)
{
    struct frame_settings settings = hand_settings(SIZE, SIZE, view);
    settings.range = (struct value_range){least, most};
    return settings;
}

TEST(a_vertex_has_its_number)
{
    static const struct {
        float least, most, value;
        double at;
    } rows[] = {{0, 1, 0, 0},  {0, 1, 1, 6},     {0, 1, 0.5f, 3}, {0, 0.2f, 0.05f, 1.5},
                {2, 4, 3.5f, 4.5}, {0, 1, 7, 6}, {0, 1, -1, 0}};
    HAND_SCENE hand = hand_card();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (int k = 0; k < 2; k++) {
            const struct frame_settings settings = settings_of(k ? VIEW_SPEED : VIEW_DISPLACEMENT, rows[i].least, rows[i].most);
            const float v = rows[i].value, values[4] = {v, v, v, v};
            SCOPED(image) image = draw_values(*state, &hand, &settings, values);
            assert_on_scale(&image, 3, 20, growing, rows[i].at, 1);
        }
    const struct frame_settings settings = settings_of(VIEW_DISPLACEMENT, 0, 1);
    SCOPED(image) slope = draw_values(*state, &hand, &settings, (float[4]){0, 1, 1, 0}); /* the quad's left and right */
    for (uint32_t x = 0; x < SIZE; x++)
        assert_on_scale(&slope, x, 9, growing, 6 * (x + 0.5) / SIZE, 3);
    SCOPED(image) gap = draw_values(*state, &hand, &settings, (float[4]){NO_VALUE, NO_VALUE, NO_VALUE, NO_VALUE});
    assert_pixel(&gap, 3, 3, 140, 140, 140, 255, 1);
    SCOPED(image) none = draw_values(*state, &hand, &settings, NULL);
    assert_pixel(&none, 3, 3, 140, 140, 140, 255, 1);
}

/* What turns away from the camera is darker, in the same hue. */
TEST(the_shape_is_seen)
{
    HAND_SCENE hand = hand_begin(1, 1, 1);
    struct mesh *mesh = hand_quad(&hand, 0, -1, -1, 1, 1, 0);
    for (int v = 0; v < 4; v++)
        memcpy(mesh->normals[v], (vec3){1, 0, 0}, sizeof(vec3));
    hand_end(&hand);
    const struct frame_settings settings = settings_of(VIEW_DISPLACEMENT, 0, 1);
    SCOPED(image) image = draw_values(*state, &hand, &settings, (float[4]){1, 1, 1, 1});
    assert_pixel(&image, 3, 3, (int)lround(0.6 * 252), (int)lround(0.6 * 236), (int)lround(0.6 * 92), 255, 1);
}

/* A log scale: 1/4 to 4, so that a quarter of it is 1/2. */
TEST(a_triangle_has_its_number)
{
    HAND_SCENE hand = hand_begin(1, 2, 1); /* two meshes: the second's numbers stand behind the first's */
    hand_quad(&hand, 0, -1, -1, 0, 1, 0);
    hand_quad(&hand, 1, 0, -1, 1, 1, 0);
    hand_end(&hand);
    const struct frame_settings settings = settings_of(VIEW_STRETCH, 0.25f, 4);
    SCOPED(image) image = draw_values(*state, &hand, &settings, (float[4]){-2, -1, 1, NO_VALUE});
    assert_on_scale(&image, 14, 29, diverging, 0, 1);   /* the lower right half of the left quad */
    assert_on_scale(&image, 2, 3, diverging, 1.5, 1);
    assert_on_scale(&image, 30, 29, diverging, 4.5, 1);
    assert_pixel(&image, 18, 3, 255, 0, 255, 255, 1);
}

/* More vertices than 16 bits count, some triangles outside of the picture, in a crowd of two. */
TEST(every_triangle_of_a_large_mesh_has_its_own)
{
    enum { CELLS = 300, SHOWN = 256, CROWD = 2 };
    HAND_SCENE hand = hand_begin(1, 1, 1);
    struct mesh *mesh = hand_mesh(&hand, 0, (CELLS + 1) * (CELLS + 1), 2 * CELLS * CELLS);
    uint32_t *corner = mesh->indices;
    for (uint32_t y = 0; y <= CELLS; y++)
        for (uint32_t x = 0; x <= CELLS; x++) {
            const uint32_t v = y * (CELLS + 1) + x;
            memcpy(mesh->positions[v], (vec3){2.0f * (float)x / SHOWN - 1, 1 - 2.0f * (float)y / SHOWN, 0}, sizeof(vec3));
            memcpy(mesh->normals[v], (vec3){0, 0, 1}, sizeof(vec3));
            if (x == CELLS || y == CELLS)
                continue;
            const uint32_t quad[6] = {v, v + CELLS + 1, v + CELLS + 2, v, v + CELLS + 2, v + 1};
            memcpy(corner, quad, sizeof quad);
            corner += 6;
        }
    hand_end(&hand);
    struct frame_settings settings = settings_of(VIEW_STRETCH, 0.25f, 4);
    settings.width = settings.height = SHOWN;
    float *values = ARENA_NEW(hand.scene->arena, float, CROWD * 2 * CELLS * CELLS);
    for (uint32_t t = 0; t < CROWD * 2 * CELLS * CELLS; t++)
        values[t] = (float)(t / 2 % 5) - 2;
    const struct crowd_member members[CROWD] = {{.palette = &hand.palette, .values = values + 2 * CELLS * CELLS, .place = {0, 0, -1}},
                                                {.palette = &hand.palette, .values = values, .place = {1, 0, 0}}};
    SCOPED(image) image = {0};
    MODEL model = model_of(*state, &hand);
    assert_good(draw_crowd(*state, model, &(struct crowd){CROWD, members}, &settings, &image, err));
    for (uint32_t y = 0; y < SHOWN; y++)
        for (uint32_t x = 0; x < SHOWN; x++) { /* the near one covers the right half */
            const uint32_t cell = x < SHOWN / 2 ? y * CELLS + x + CELLS * CELLS : y * CELLS + x - SHOWN / 2;
            assert_on_scale(&image, x, y, diverging, 1.5 * (cell % 5), 1);
        }
}

TEST(weights_are_added_up)
{
    static const struct {
        uint32_t count;
        float weights[10];
        double at;
    } rows[] = {{1, {1}, 3},        {2, {0.25f, 0.25f}, 1.5}, {4, {0.5f, 0.5f, 0.25f, 0.25f}, 4.5},
                {1, {0.0f}, 0},     {3, {1, 1, 1}, 6},        {8, {0.2f, 0.2f, 0.2f, 0.2f, 0.1f, 0.05f, 0.03f, 0.02f}, 3},
                {10, {0.25f, 0, 0, 0, 0, 0, 0, 0, 0, 0.25f}, 1.5}};
    const struct frame_settings settings = settings_of(VIEW_WEIGHT_SUM, 0, 2);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        HAND_SCENE hand = hand_begin(11, 1, 1);
        struct mesh *mesh = hand_quad(&hand, 0, -1, -1, 1, 1, 0);
        hand_bones(&hand, mesh, 10, 1, rows[i].count);
        for (uint32_t k = 0; k < 4 * rows[i].count; k++)
            mesh->influences[k] = (struct influence){k % rows[i].count, rows[i].weights[k % rows[i].count]};
        hand_end(&hand);
        const float sum = rows[i].at == 0 ? 1 : (float)(rows[i].at / 3); /* so that the quad fills the picture */
        for (uint32_t b = 0; b < 10; b++)
            for (int c = 0; c < 3; c++)
                hand.palette.mesh_to_scene[b][c][c] = i == 4 ? 1.0f / 3 : 1 / sum;
        SCOPED(image) image = draw_values(*state, &hand, &settings, NULL);
        if (rows[i].at > 0) /* without weight it collapses */
            assert_on_scale(&image, 5, 5, diverging, rows[i].at, 1);
    }
    HAND_SCENE rigid = hand_card();
    SCOPED(image) image = draw_values(*state, &rigid, &settings, NULL);
    assert_on_scale(&image, 5, 5, diverging, 3, 1);
}

/* The bar's pixels are the scale's colours, the upper end on top; other views have no legend. */
TEST(the_legend_shows_the_scale)
{
    enum { HEIGHT = 200, LEFT = 7, BAR = 74 };
    HAND_SCENE hand = hand_begin(1, 1, 1);
    hand_quad(&hand, 0, 0.5f, 0.5f, 1, 1, 0);
    hand_end(&hand);
    struct frame_settings settings = settings_of(VIEW_DISPLACEMENT, 0, 0.2f);
    settings.width = settings.height = HEIGHT;
    settings.overlays = OVERLAY_LEGEND;
    snprintf(settings.legend, sizeof settings.legend, "displacement (m)\n0 to 0.17");
    SCOPED(image) image = draw_values(*state, &hand, &settings, (float[4]){0, 0, 0, 0});
    const uint32_t end = HEIGHT - 4 - 2 * 10 - 3 - 4; /* margin, two lines, padding, half a line */
    for (uint32_t row = 0; row < BAR; row++)
        assert_on_scale(&image, LEFT + 3, end - 1 - row, growing, 6 * (row + 0.5) / BAR, 3);
    settings.view = VIEW_DEPTH; /* the nearest, white, on top */
    SCOPED(image) depth = draw_hand(*state, &hand, &settings);
    assert_pixel(&depth, LEFT + 3, end - BAR, 255, 255, 255, 255, 3);
    assert_pixel(&depth, LEFT + 3, end - 1, 0, 0, 0, 255, 3);
    settings.view = VIEW_UV;
    SCOPED(image) without = draw_hand(*state, &hand, &settings);
    assert_memory_equal(pixel_at(&without, LEFT + 3, end - 5), settings.background, 4);
}

/* Where a view's shader has the colours, the legend's are the same: of a weight, and of how many bones hold a vertex. */
TEST(legends_have_the_colours_of_shaders)
{
    for (uint32_t i = 0; i < 20; i++) {
        const bool is_count = i >= 10;
        const uint32_t count = is_count ? i - 9 : 2;
        HAND_SCENE hand = hand_begin(11, 1, 1);
        struct mesh *mesh = hand_quad(&hand, 0, -1, -1, 1, 1, 0);
        hand_bones(&hand, mesh, 10, 1, count);
        const float largest = is_count ? 1.0f / (float)count : 0.5f + 0.05f * (float)i;
        for (uint32_t k = 0; k < 4 * count; k++)
            mesh->influences[k] = (struct influence){k % count, is_count || k % 2 == 0 ? largest : 1 - largest};
        hand_end(&hand);
        const struct frame_settings settings = hand_settings(SIZE, SIZE, is_count ? VIEW_INFLUENCES : VIEW_WEIGHTS);
        SCOPED(image) image = draw_hand(*state, &hand, &settings);
        float color[3];
        const double part = !is_count ? (double)largest : ((count < 9 ? count : 9) + 0.5) / 10;
        color_scale_at(legend_scale_of(settings.view), part, color);
        assert_pixel(&image, 5, 5, (int)lround(255 * (double)color[0]), (int)lround(255 * (double)color[1]),
                     (int)lround(255 * (double)color[2]), 255, 1);
    }
}

GROUP(open_renderer, close_renderer)
