/* Overlays besides the skeleton: lines where they belong and nowhere else, words that can be read. */
#include "data/image/font.h"

#include "draw/busy_scene.h"
#include "draw/rendering.h"

enum { SIZE = 200 };

struct segment {
    double x0, y0, x1, y1; /* pixels, y down */
};

static double distance_to(const struct segment *s, double x, double y)
{
    double dx = s->x1 - s->x0, dy = s->y1 - s->y0, square = dx * dx + dy * dy;
    double t = square > 0 ? ((x - s->x0) * dx + (y - s->y0) * dy) / square : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return hypot(x - s->x0 - t * dx, y - s->y0 - t * dy);
}

/* Where the overlay changes the picture: within half a pixel of some segment, and nowhere beyond `reach` of all. */
static void assert_changes_along(struct renderer *renderer, const struct hand *hand,
                                 struct frame_settings frame_settings, unsigned overlay, const struct segment *segments,
                                 size_t count, double farthest)
{
    PICTURE without = draw_hand(renderer, hand, &frame_settings);
    frame_settings.overlays = overlay;
    PICTURE with = draw_hand(renderer, hand, &frame_settings);
    for (uint32_t y = 0; y < frame_settings.height; y++)
        for (uint32_t x = 0; x < frame_settings.width; x++) {
            double nearest = 1e9;
            for (size_t i = 0; i < count; i++)
                nearest = fmin(nearest, distance_to(&segments[i], x + 0.5, y + 0.5));
            bool changed = memcmp(pixel_at(&without, x, y), pixel_at(&with, x, y), 4) != 0;
            if ((changed && nearest > farthest) || (!changed && nearest < 0.3))
                fail_msg("pixel (%u, %u), %.2f from the next line, is %schanged", x, y, nearest, changed ? "" : "un");
        }
}

/* ---- wireframe --------------------------------------------------------------------------------------------------- */

/* A quad from -0.6 to 0.6: four edges and a diagonal; its node is moved, so the edges must be the posed ones. */
static void edges_are_drawn_where_the_pose_has_them(void **state)
{
    SCENE hand = hand_begin(1, 1, 1);
    hand_quad(&hand, 0, -0.6f, -0.6f, 0.6f, 0.6f, 0);
    hand_end(&hand);
    hand.pose.local_to_parent[0][3][0] = 0.2f;
    hand_pose(&hand);
    const struct segment edges[] = {
        {60, 40, 180, 40}, {60, 160, 180, 160}, {60, 40, 60, 160}, {180, 40, 180, 160}, {60, 160, 180, 40}};
    struct frame_settings frame_settings = hand_settings(SIZE, SIZE, VIEW_UNLIT);
    frame_settings.framed = (struct bounds){{-0.6f, -0.6f, -0.5f}, {0.6f, 0.6f, 0.5f}};
    assert_changes_along(*state, &hand, frame_settings, OVERLAY_WIREFRAME, edges, 5, 1.2);
    frame_settings.camera.fov_y = (float)(2 * atan(0.1)); /* the same at z = 0 */
    assert_changes_along(*state, &hand, frame_settings, OVERLAY_WIREFRAME, edges, 5, 1.2);
}

/* ---- bounds, axes ------------------------------------------------------------------------------------------------ */

/* Looking along -z in parallel, the box is its front: four lines; the model in the middle hides nothing of them. */
static void the_box_is_what_was_framed(void **state)
{
    SCENE hand = hand_begin(1, 1, 1);
    hand_quad(&hand, 0, -0.1f, -0.1f, 0.1f, 0.1f, 0);
    hand_end(&hand);
    struct frame_settings frame_settings = hand_settings(SIZE, SIZE, VIEW_UNLIT);
    frame_settings.framed = (struct bounds){{-0.5f, -0.25f, -1}, {0.75f, 0.8f, 1}};
    const struct segment front[] = {{50, 20, 175, 20}, {50, 125, 175, 125}, {50, 20, 50, 125}, {175, 20, 175, 125}};
    assert_changes_along(*state, &hand, frame_settings, OVERLAY_BOUNDS, front, 4, 1.5);
    frame_settings.framed = bounds_empty();
    assert_changes_along(*state, &hand, frame_settings, OVERLAY_BOUNDS, NULL, 0, 0);
}

static void hidden_edges_of_the_box_are_faint(void **state)
{
    SCENE hand = hand_begin(1, 1, 1);
    hand_quad(&hand, 0, -1, -1, 0, 1, 0);
    hand_end(&hand);
    struct frame_settings frame_settings = hand_settings(SIZE, SIZE, VIEW_UNLIT);
    frame_settings.framed = (struct bounds){{-0.5f, -0.5f, -2}, {0.5f, 0.5f, -1}};
    frame_settings.overlays = OVERLAY_BOUNDS;
    PICTURE image = draw_hand(*state, &hand, &frame_settings);
    const uint8_t *over_white = pixel_at(&image, 70, 49), *over_nothing = pixel_at(&image, 120, 49);
    assert_true(over_white[0] > 180 && over_white[0] < 245);   /* 0.3 of 77 over 255 is 202 */
    assert_true(over_nothing[0] < 90 && over_nothing[3] > 100);
}

static void axes_point_along_x_y_z(void **state)
{
    SCENE hand = hand_begin(1, 1, 1);
    hand_quad(&hand, 0, -0.1f, -0.1f, 0.1f, 0.1f, 0);
    hand_end(&hand);
    static const struct camera cameras[3] = {
        {.eye = {0, 0, 10}, .up = {0, 1, 0}, .ortho_height = 1, .near_plane = 1, .far_plane = 20},
        {.eye = {10, 0, 0}, .up = {0, 0, 1}, .ortho_height = 1, .near_plane = 1, .far_plane = 20}, /* y right, z up */
        {.eye = {0, 10, 0}, .up = {1, 0, 0}, .ortho_height = 1, .near_plane = 1, .far_plane = 20}, /* z right, x up */
    };
    for (int i = 0; i < 3; i++) {
        struct frame_settings frame_settings = hand_settings(SIZE, SIZE, VIEW_UNLIT);
        frame_settings.camera = cameras[i];
        frame_settings.framed = (struct bounds){{-0.6f, -0.8f, 0}, {0.6f, 0.8f, 0}}; /* radius 1: arrows of 0.5 */
        frame_settings.overlays = OVERLAY_AXES;
        PICTURE image = draw_hand(*state, &hand, &frame_settings);
        const uint8_t *right = pixel_at(&image, 125, 100), *up = pixel_at(&image, 100, 75);
        assert_true(right[i] > right[(i + 1) % 3] && right[i] > right[(i + 2) % 3] && right[i] > 180);
        assert_true(up[(i + 1) % 3] > up[i] && up[(i + 1) % 3] > up[(i + 2) % 3] && up[(i + 1) % 3] > 180);
        assert_true(pixel_at(&image, 148, 100)[3] > 0 && pixel_at(&image, 152, 100)[3] < 255);
        assert_int_equal(pixel_at(&image, 80, 100)[3], 0); /* nothing on the other side of the model */
        assert_int_equal(pixel_at(&image, 100, 120)[3], 0);
    }
}

/* ---- label ------------------------------------------------------------------------------------------------------- */

static bool is_white(const struct image *image, uint32_t x, uint32_t y)
{
    const uint8_t *p = pixel_at(image, x, y);
    return p[0] == 255 && p[1] == 255 && p[2] == 255 && p[3] == 255;
}

/* The lines as the picture should have them, glyph by glyph, and white nowhere else. */
static void assert_reads(struct renderer *renderer, const char *label, const char *lines, uint32_t width, uint32_t height,
                         int scale)
{
    SCENE hand = hand_begin(1, 1, 1);
    struct mesh *mesh = hand_mesh(&hand, 0, 3, 0);
    (void)mesh;
    hand_end(&hand);
    struct frame_settings frame_settings = hand_settings(width, height, VIEW_UNLIT);
    frame_settings.overlays = OVERLAY_LABEL;
    snprintf(frame_settings.label, sizeof frame_settings.label, "%s", label);
    PICTURE image = draw_hand(renderer, &hand, &frame_settings);
    uint32_t white = 0, expected = 0;
    for (uint32_t i = 0; i < width * height; i++)
        white += is_white(&image, i % width, i / width);
    int x = 4 * scale, y = 4 * scale;
    for (const char *c = lines; *c; c++, x += 6 * scale) {
        if (*c == '\n') {
            x = -2 * scale;
            y += 10 * scale;
            continue;
        }
        for (int i = 0; i < 35 * scale * scale; i++) {
            int column = i % (5 * scale), row = i / (5 * scale);
            bool covered = font_covers(*c, column / scale, row / scale);
            expected += covered;
            if (is_white(&image, (uint32_t)(x + column), (uint32_t)(y + row)) != covered)
                fail_msg("`%c` of \"%s\" is not to be read at (%d, %d)", *c, label, x + column, y + row);
        }
    }
    assert_int_equal(white, expected);
}

static void labels_can_be_read(void **state)
{
    assert_reads(*state, "walk\n0.250 s  frame 6", "walk\n0.250 s  frame 6", 160, 120, 1);
    assert_reads(*state, "walk\n0.250 s  frame 6", "walk\n0.250 s  frame 6", 600, 512, 2);
    assert_reads(*state, "caf\xc3\xa9", "caf??", 160, 160, 1);
    assert_reads(*state, "a name that is too long", "a name that ..", 96, 96, 1);
    assert_reads(*state, "a name that fits", "a name that fits", 104, 104, 1);
    assert_reads(*state, "", "", 64, 64, 1);
    assert_reads(*state, "tiny", "", 8, 8, 1);
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edges_are_drawn_where_the_pose_has_them),
        cmocka_unit_test(the_box_is_what_was_framed),
        cmocka_unit_test(hidden_edges_of_the_box_are_faint),
        cmocka_unit_test(axes_point_along_x_y_z),
        cmocka_unit_test(labels_can_be_read),
    };
    return cmocka_run_group_tests(tests, open_renderer, close_renderer);
}
