/* Overlays: lines where they belong and nowhere else, words that can be read, bones. */
#include "data/image/font.h"

#include "draw/overlay/overlays.h"
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
    SCOPED(image) without = draw_hand(renderer, hand, &frame_settings);
    frame_settings.overlays = overlay;
    SCOPED(image) with = draw_hand(renderer, hand, &frame_settings);
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

/* A quad from -0.6 to 0.6: four edges and a diagonal; its node is moved, so the edges must be the posed ones. */
TEST(edges_are_drawn_where_the_pose_has_them)
{
    HAND_SCENE hand = hand_begin(1, 1, 1);
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

/* Looking along -z in parallel, the box is its front: four lines; the model in the middle hides nothing of them. */
TEST(the_box_is_what_was_framed)
{
    HAND_SCENE hand = hand_begin(1, 1, 1);
    hand_quad(&hand, 0, -0.1f, -0.1f, 0.1f, 0.1f, 0);
    hand_end(&hand);
    struct frame_settings frame_settings = hand_settings(SIZE, SIZE, VIEW_UNLIT);
    frame_settings.framed = (struct bounds){{-0.5f, -0.25f, -1}, {0.75f, 0.8f, 1}};
    const struct segment front[] = {{50, 20, 175, 20}, {50, 125, 175, 125}, {50, 20, 50, 125}, {175, 20, 175, 125}};
    assert_changes_along(*state, &hand, frame_settings, OVERLAY_BOUNDS, front, 4, 1.5);
    frame_settings.framed = bounds_empty();
    assert_changes_along(*state, &hand, frame_settings, OVERLAY_BOUNDS, NULL, 0, 0);
}

TEST(axes_point_along_x_y_z)
{
    HAND_SCENE hand = hand_begin(1, 1, 1);
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
        SCOPED(image) image = draw_hand(*state, &hand, &frame_settings);
        const uint8_t *right = pixel_at(&image, 125, 100), *up = pixel_at(&image, 100, 75);
        assert_true(right[i] > right[(i + 1) % 3] && right[i] > right[(i + 2) % 3] && right[i] > 180);
        assert_true(up[(i + 1) % 3] > up[i] && up[(i + 1) % 3] > up[(i + 2) % 3] && up[(i + 1) % 3] > 180);
        assert_true(pixel_at(&image, 148, 100)[3] > 0 && pixel_at(&image, 152, 100)[3] < 255);
        assert_int_equal(pixel_at(&image, 80, 100)[3], 0); /* nothing on the other side of the model */
        assert_int_equal(pixel_at(&image, 100, 120)[3], 0);
    }
}

static bool is_white(const struct image *image, uint32_t x, uint32_t y)
{
    const uint8_t *p = pixel_at(image, x, y);
    return p[0] == 255 && p[1] == 255 && p[2] == 255 && p[3] == 255;
}

/* The lines as the picture should have them, glyph by glyph, and white nowhere else. */
static void assert_reads(struct renderer *renderer, const char *label, const char *lines, uint32_t width, uint32_t height,
                         int scale)
{
    HAND_SCENE hand = hand_begin(1, 1, 1);
    hand_mesh(&hand, 0, 3, 0);
    hand_end(&hand);
    struct frame_settings frame_settings = hand_settings(width, height, VIEW_UNLIT);
    frame_settings.overlays = OVERLAY_LABEL;
    snprintf(frame_settings.label, sizeof frame_settings.label, "%s", label);
    SCOPED(image) image = draw_hand(renderer, &hand, &frame_settings);
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

TEST(labels_can_be_read)
{
    assert_reads(*state, "walk\n0.250 s  frame 6", "walk\n0.250 s  frame 6", 160, 120, 1);
    assert_reads(*state, "walk\n0.250 s  frame 6", "walk\n0.250 s  frame 6", 600, 512, 2);
    assert_reads(*state, "caf\xc3\xa9", "caf??", 160, 160, 1);
    assert_reads(*state, "a name that is too long", "a name that ..", 96, 96, 1);
    assert_reads(*state, "a name that fits", "a name that fits", 104, 104, 1);
    assert_reads(*state, "", "", 64, 64, 1);
    assert_reads(*state, "tiny", "", 8, 8, 1);
}

/* root - a - bone1 - b - bone2 - c, with a side branch d under bone1. */
static struct hand chain_with_gaps(void)
{
    struct hand hand = hand_begin(7, 1, 1);
    hand.scene->nodes[6].parent = 2;
    struct mesh *mesh = hand_quad(&hand, 0, -1, -1, 1, 1, 0);
    hand_bones(&hand, mesh, 2, 2, 1);
    mesh->bones[1].node = 4;
    for (uint32_t v = 0; v < 4; v++)
        mesh->influences[v] = (struct influence){0, 1};
    hand_end(&hand);
    return hand;
}

TEST(bones_and_what_lies_between_them_are_shown)
{
    HAND_SCENE hand = chain_with_gaps(), rigid = hand_begin(5, 2, 1);
    bool shown[7];
    skeleton_shown(hand.scene, shown);
    assert_memory_equal(shown, ((bool[7]){false, false, true, true, true, false, false}), sizeof shown);
    for (uint32_t m = 0; m < 2; m++) { /* without bones, the nodes of meshes */
        hand_quad(&rigid, m, -1, -1, 1, 1, 0);
        rigid.scene->instances[m].node = 1 + 2 * m;
    }
    hand_end(&rigid);
    skeleton_shown(rigid.scene, shown);
    assert_memory_equal(shown, ((bool[5]){false, true, true, true, false}), 5 * sizeof *shown);
}

/* Three bones from the bottom up along y at x = 0: -0.5, 0, 0.45 of a view of -1..1, nothing else to be seen. */
static struct hand upright_bones(void)
{
    struct hand hand = hand_begin(3, 1, 1);
    struct mesh *mesh = hand_mesh(&hand, 0, 3, 0);
    hand_bones(&hand, mesh, 3, 0, 1);
    hand_end(&hand);
    static const float steps[3] = {-0.5f, 0.5f, 0.45f};
    for (int n = 0; n < 3; n++)
        hand.scene->nodes[n].local_to_parent[3][1] = hand.pose.local_to_parent[n][3][1] = steps[n];
    hand_pose(&hand);
    return hand;
}

static bool is_marked(const struct image *image, uint32_t x, uint32_t y)
{
    return pixel_at(image, x, y)[3] != 0;
}

TEST(marks_are_where_the_bones_are)
{
    HAND_SCENE hand = upright_bones();
    struct frame_settings frame_settings = hand_settings(200, 200, VIEW_LIT);
    SCOPED(image) without = draw_hand(*state, &hand, &frame_settings);
    for (uint32_t i = 0; i < 200 * 200; i++)
        assert_int_equal(without.rgba[4 * i + 3], 0);
    frame_settings.overlays = OVERLAY_SKELETON;
    SCOPED(image) image = draw_hand(*state, &hand, &frame_settings);
    uint32_t top = 200, bottom = 0;
    for (uint32_t y = 0; y < 200; y++)
        for (uint32_t x = 0; x < 200; x++)
            if (is_marked(&image, x, y)) {
                assert_true(x >= 94 && x <= 105);
                top = y < top ? y : top;
                bottom = y > bottom ? y : bottom;
            }
    /* From the root's disc at y = 150 up to the leaf's stub at 55 - 45 / 3 = 40. */
    assert_true(abs((int)top - 40) <= 1);
    assert_true(bottom >= 151 && bottom <= 155);
    for (uint32_t y = 42; y < 150; y++)
        assert_true(is_marked(&image, 99, y) && is_marked(&image, 100, y));
    const uint8_t *joint = pixel_at(&image, 100, 100), *link = pixel_at(&image, 100, 125);
    assert_true(joint[0] > 240 && joint[2] < 60);
    assert_true(link[0] > 200 && link[2] > 200);
}

/* fixtures/ends in small: hips - spine - head with its end, a leg beside the hips' end, an arm beside the spine's. */
static struct hand branching(void)
{
    static const struct {
        const char *name;
        int parent;
        float x, y;
        bool bone;
    } nodes[9] = {{"rig", -1, 0, 0, false},        {"hips", 0, 0, -0.4f, true},    {"leg", 1, 0.3f, 0, true},
                  {"foot", 2, 0, -0.3f, true},     {"spine", 1, 0, 0.4f, true},    {"arm", 4, -0.4f, 0.1f, true},
                  {"arm_END", 5, -0.3f, 0, false}, {"head", 4, 0, 0.4f, true},     {"head_end", 7, 0, 0.3f, false}};
    struct hand hand = hand_begin(9, 1, 1);
    struct mesh *mesh = hand_mesh(&hand, 0, 3, 0);
    hand_bones(&hand, mesh, 6, 0, 1);
    for (uint32_t n = 0, bone = 0; n < 9; n++) {
        hand.scene->nodes[n].name = nodes[n].name;
        hand.scene->nodes[n].parent = nodes[n].parent;
        hand.scene->nodes[n].is_bone = nodes[n].bone;
        hand.scene->nodes[n].local_to_parent[3][0] = nodes[n].x;
        hand.scene->nodes[n].local_to_parent[3][1] = nodes[n].y;
        if (nodes[n].bone)
            mesh->bones[bone++].node = n;
    }
    hand_end(&hand);
    for (uint32_t n = 0; n < 9; n++)
        memcpy(hand.pose.local_to_parent[n], hand.scene->nodes[n].local_to_parent, sizeof(mat4));
    hand_pose(&hand);
    return hand;
}

TEST(bones_end_where_the_next_begins)
{
    static const struct bone_end want[9] = {
        {false, false, -1}, {true, false, -1}, {true, true, -1},   {false, false, -1}, {true, false, -1},
        {false, true, 6},   {false, false, -1}, {false, false, 8}, {false, false, -1}};
    HAND_SCENE hand = branching();
    bool shown[9];
    struct bone_end ends[9];
    skeleton_shown(hand.scene, shown);
    skeleton_ends(hand.scene, shown, ends);
    for (int n = 0; n < 9; n++) {
        assert_int_equal(ends[n].has_child, want[n].has_child);
        assert_int_equal(ends[n].is_offset, want[n].is_offset);
        assert_int_equal(ends[n].end, want[n].end);
    }
}

TEST(names_of_ends)
{
    assert_true(skeleton_is_end("head_end") && skeleton_is_end("Head_End") && skeleton_is_end("EndSite_toe"));
    assert_false(skeleton_is_end("_end") || skeleton_is_end("head_ends") || skeleton_is_end("legend") ||
                 skeleton_is_end("end") || skeleton_is_end(""));
}

TEST(links_are_cut_at_the_camera)
{
    HAND_SCENE hand = upright_bones();
    mat4 scene_to_clip; /* perspective from the origin along -z, near plane 1 */
    memset(scene_to_clip, 0, sizeof scene_to_clip);
    scene_to_clip[0][0] = scene_to_clip[1][1] = 1;
    scene_to_clip[2][2] = -3;
    scene_to_clip[2][3] = -1;
    scene_to_clip[3][2] = -4;
    const float depths[][3] = {{-5, -5, -5}, {-5, 5, 5}, {5, 5, 5}, {0, 0, 0}, {NAN, -5, -5}, {-5, INFINITY, -5}};
    for (size_t i = 0; i < sizeof depths / sizeof depths[0]; i++) {
        struct primitives primitives = {0};
        for (int n = 0; n < 3; n++)
            hand.pose.node_to_scene[n][3][2] = depths[i][n];
        struct canvas canvas = canvas_create(scene_to_clip, 100, 100, &primitives);
        skeleton_primitives(&canvas, hand.scene, &hand.pose, 0);
        assert_true((primitives.count > 0) == (i != 2 && i != 3));
        for (size_t v = 0; v < primitives.count; v++)
            assert_true(isfinite(primitives.vertices[v].x) && isfinite(primitives.vertices[v].y));
        free(primitives.vertices);
    }
}

/* A label's frame is dark on white, and no larger than the words with three pixels around them. */
TEST(labels_have_a_frame)
{
    HAND_SCENE hand = hand_begin(1, 1, 1);
    hand_mesh(&hand, 0, 3, 0);
    hand_end(&hand);
    struct frame_settings frame_settings = hand_settings(160, 120, VIEW_UNLIT);
    memset(frame_settings.background, 255, 4);
    frame_settings.overlays = OVERLAY_LABEL;
    snprintf(frame_settings.label, sizeof frame_settings.label, "walk\nat rest");
    SCOPED(image) image = draw_hand(*state, &hand, &frame_settings);
    const uint32_t right = 4 + 7 * 6 - 1 + 3, bottom = 4 + 10 + 7 + 3; /* seven letters, two lines */
    for (uint32_t y = 0; y < 120; y++)
        for (uint32_t x = 0; x < 160; x++) {
            const bool inside = x >= 1 && x < right && y >= 1 && y < bottom;
            const bool border = inside && (x < 4 || y < 4 || x + 2 >= right || y + 2 >= bottom);
            if (!inside)
                assert_true(is_white(&image, x, y));
            if (border)
                assert_true(pixel_at(&image, x, y)[0] < 100);
        }
}

/* How often the words stand somewhere in the picture, each pixel of them. */
static int count_words(const struct image *image, const char *words)
{
    const uint32_t width = 6 * (uint32_t)strlen(words);
    int found = 0;
    for (uint32_t at = 0; at < image->width * image->height; at++) {
        const uint32_t x = at % image->width, y = at / image->width;
        bool good = x + width <= image->width && y + 7 <= image->height;
        for (uint32_t i = 0; good && i < 7 * width; i++)
            if (i % width % 6 < 5)
                good = is_white(image, x + i % width, y + i / width) ==
                       font_covers(words[i % width / 6], (int)(i % width % 6), (int)(i / width));
        found += good;
    }
    return found;
}

/* A hand of bones that are all in one place, so that the first free place is another for each. */
TEST(names_stand_beside_each_other)
{
    static const char *const names[] = {"rig:palm", "rig:thumb", "rig:index", "rig:middle", "knob",
                                        "a very long name of a bone that ends"};
    HAND_SCENE hand = hand_begin(6, 1, 1);
    struct mesh *mesh = hand_mesh(&hand, 0, 3, 0);
    hand_bones(&hand, mesh, 6, 0, 1);
    for (uint32_t n = 0; n < 6; n++) {
        hand.scene->nodes[n].name = names[n];
        hand.scene->nodes[n].is_bone = true;
    }
    hand_end(&hand);
    struct frame_settings frame_settings = hand_settings(300, 200, VIEW_UNLIT);
    frame_settings.overlays = OVERLAY_NAMES;
    SCOPED(image) image = draw_hand(*state, &hand, &frame_settings);
    const char *const shown[] = {"palm", "thumb", "index", "middle", "knob", "..g name of a bone that ends"};
    for (int i = 0; i < 6; i++)
        if (count_words(&image, shown[i]) != 1)
            fail_msg("%s is not to be read once", shown[i]);
    assert_int_equal(count_words(&image, "rig:"), 0);
    assert_int_equal(count_words(&image, "left out"), 0);
    frame_settings.width = 112; /* no room for the long one, and the label is in the way of others */
    frame_settings.height = 64;
    frame_settings.overlays |= OVERLAY_LABEL;
    snprintf(frame_settings.label, sizeof frame_settings.label, "a label of\nthree\nlines");
    SCOPED(image) small = draw_hand(*state, &hand, &frame_settings);
    assert_int_equal(count_words(&small, "a label of"), 1);
    assert_int_equal(count_words(&small, "three"), 1);
    assert_int_equal(count_words(&small, "left out"), 1);
}

GROUP(open_renderer, close_renderer)
