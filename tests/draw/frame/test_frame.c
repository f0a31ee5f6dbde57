#include "draw/busy_scene.h"
#include "draw/renderer/renderer.h"
#include "draw/rendering.h"

/* Red in the lower left half of the square, cut along the diagonal from the upper left to the lower right. */
static struct hand red_triangle(void)
{
    struct hand hand = hand_begin(1, 1, 1);
    struct mesh *mesh = hand_mesh(&hand, 0, 3, 1);
    static const float corners[3][3] = {{-1, -1, 0}, {1, -1, 0}, {-1, 1, 0}};
    static const uint32_t indices[3] = {0, 1, 2};
    memcpy(mesh->positions, corners, sizeof corners);
    memcpy(mesh->indices, indices, sizeof indices);
    for (int v = 0; v < 3; v++)
        mesh->normals[v][2] = 1;
    memcpy(hand.scene->materials[0].base_color, (vec4){1, 0, 0, 1}, sizeof(vec4));
    hand_end(&hand);
    return hand;
}

/*
 * By hand, 8x8 pixels of 2x2 samples: pixel (x, y) is wholly inside when x < y, wholly outside when x > y. On the
 * diagonal itself one sample of four is inside for sure, one outside, and two have their centres on the edge; GL's
 * tie-breaking gives both to one of two triangles that share the edge.
 */
TEST(a_red_triangle_has_exactly_its_colour_and_coverage)
{
    HAND_SCENE hand = red_triangle();
    struct frame_settings frame_settings = hand_settings_on(8, 8, VIEW_UNLIT, 0, 0, 255, 255);
    SCOPED(image) image = draw_hand(*state, &hand, &frame_settings);
    for (uint32_t y = 0; y < 8; y++)
        for (uint32_t x = 0; x < 8; x++) {
            if (x < y)
                assert_pixel(&image, x, y, 255, 0, 0, 255, 0);
            else if (x > y)
                assert_pixel(&image, x, y, 0, 0, 255, 255, 0);
            else if (pixel_at(&image, x, y)[0] > 128)
                assert_pixel(&image, x, y, 191, 0, 64, 255, 0);
            else
                assert_pixel(&image, x, y, 64, 0, 191, 255, 0);
        }
}

TEST(colours_are_encoded_as_srgb)
{
    static const float values[] = {0, 0.001f, 0.0031f, 0.0032f, 0.01f, 0.1f, 0.2140f, 0.5f, 0.7f, 0.99f, 1, 2};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        HAND_SCENE hand = hand_card();
        float v = values[i];
        memcpy(hand.scene->materials[0].base_color, (vec4){v, v / 2, 1 - v, 1}, sizeof(vec4));
        struct frame_settings frame_settings = hand_settings(4, 4, VIEW_UNLIT);
        SCOPED(image) image = draw_hand(*state, &hand, &frame_settings);
        assert_pixel(&image, 2, 2, encoded(fmin(1, v)), encoded(v / 2), encoded(fmax(0, 1 - (double)v)), 255, 0);
    }
}

/* One quad under one bone whose matrix is `m`; what is seen in the middle. */
static struct image one_sided_quad(struct renderer *renderer, const mat4 m, bool two_sided, enum view view)
{
    HAND_SCENE hand = hand_card();
    hand.scene->materials[0].two_sided = two_sided;
    memcpy(hand.pose.local_to_parent[0], m, sizeof(mat4));
    hand_pose(&hand);
    struct frame_settings frame_settings = hand_settings_on(4, 4, view, 9, 9, 9, 255);
    return draw_hand(renderer, &hand, &frame_settings);
}

static const mat4 half_turn = {{-1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, -1, 0}, {0, 0, 0, 1}};
static const mat4 mirror_x = {{-1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
static const mat4 mirror_z = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, -1, 0}, {0, 0, 0, 1}};

TEST(the_back_of_a_single_sided_surface_is_not_drawn)
{
    const struct {
        const vec4 *matrix;
        bool faces_camera;
    } cases[] = {{mat4_identity, true}, {half_turn, false}, {mirror_x, true}, {mirror_z, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int two_sided = 0; two_sided < 2; two_sided++) {
            SCOPED(image) image = one_sided_quad(*state, cases[i].matrix, two_sided, VIEW_UNLIT);
            int want = cases[i].faces_camera || two_sided ? 255 : 9;
            assert_pixel(&image, 1, 2, want, want, want, 255, 0);
        }
}

/* n * 0.5 + 0.5 as a byte: 0 is 127.5, which may go either way. */
TEST(normals_face_the_viewer)
{
    const vec4 *const matrices[] = {mat4_identity, half_turn, mirror_x, mirror_z};
    for (size_t i = 0; i < sizeof matrices / sizeof matrices[0]; i++) {
        SCOPED(image) image = one_sided_quad(*state, matrices[i], true, VIEW_NORMALS);
        assert_pixel(&image, 1, 2, 128, 128, 255, 255, 1);
    }
    const mat4 tilted = {{0.6f, 0, -0.8f, 0}, {0, 1, 0, 0}, {0.8f, 0, 0.6f, 0}, {0, 0, 0, 1}};
    SCOPED(image) image = one_sided_quad(*state, tilted, false, VIEW_NORMALS);
    assert_pixel(&image, 1, 2, 230, 128, 204, 255, 1); /* 0.9, 0.5, 0.8 */
}

TEST(sizes_at_both_ends_are_drawn)
{
    static const uint32_t sizes[][2] = {{1, 1}, {1, 8192}, {8192, 16}, {3, 5}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct frame_settings frame_settings = hand_settings(sizes[i][0], sizes[i][1], VIEW_UNLIT);
        HAND_SCENE hand = hand_begin(1, 1, 1);
        float half = 1.5f * (float)frame_settings.width / (float)frame_settings.height;
        hand_quad(&hand, 0, -half, -1, half, 1, 0);
        hand_end(&hand);
        SCOPED(image) image = draw_hand(*state, &hand, &frame_settings);
        assert_int_equal(image.width, sizes[i][0]);
        assert_int_equal(image.height, sizes[i][1]);
        assert_filled(&image, 255, 255, 255, 255, 0);
    }
}

TEST(other_sizes_are_refused)
{
    static const uint32_t sizes[][2] = {{0, 10}, {10, 0}, {8193, 10}, {10, 4000000000u}};
    HAND_SCENE hand = red_triangle();
    MODEL model = model_of(*state, &hand);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct frame_settings frame_settings = hand_settings(sizes[i][0], sizes[i][1], VIEW_LIT);
        struct error err = {0};
        struct image image;
        assert_false(draw_frame(*state, model, &hand.palette, NULL, &frame_settings, &image, &err));
        assert_int_equal(err.exit_code, EXIT_CODE_USAGE);
        assert_non_null(strstr(err.text, "8192"));
        assert_null(image.rgba);
    }
}

/* Broken matrices must not crash the rasteriser: vacuous frames are for others to judge. */
TEST(numbers_that_are_not_finite_do_no_harm)
{
    static const float bad[] = {NAN, INFINITY, -INFINITY, 3e38f, 1e-40f};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        for (int entry = 0; entry < 12; entry++) {
            HAND_SCENE hand = hand_begin(2, 2, 1);
            hand_ball(&hand, 0, (vec3){0, 0, 0}, (vec3){0.5f, 0.5f, 0.5f}, 6);
            hand_quad(&hand, 1, -1, -1, 1, 1, -2);
            hand.scene->instances[0].node = 1;
            hand_end(&hand);
            hand.palette.mesh_to_scene[0][entry % 4][entry / 4] = bad[i];
            struct frame_settings frame_settings = hand_settings(16, 16, VIEW_LIT);
            SCOPED(image) image = draw_hand(*state, &hand, &frame_settings);
            assert_pixel(&image, 15, 15, pixel_at(&image, 15, 15)[0], pixel_at(&image, 15, 15)[1],
                         pixel_at(&image, 15, 15)[2], 255, 0);
        }
}

TEST(native_profile_draws_the_same_inside)
{
    HAND_SCENE hand = red_triangle();
    struct frame_settings frame_settings = hand_settings(32, 32, VIEW_UNLIT);
    frame_settings.profile = PROFILE_NATIVE;
    SCOPED(image) image = draw_hand(*state, &hand, &frame_settings);
    for (uint32_t y = 0; y < 32; y++)
        for (uint32_t x = 0; x < 32; x++)
            if (x != y)
                assert_pixel(&image, x, y, x < y ? 255 : 0, 0, 0, x < y ? 255 : 0, 0);
    assert_true(pixel_at(&image, 16, 16)[3] > 0 && pixel_at(&image, 16, 16)[3] < 255);
}

/*
 * Images larger than a tile are drawn in several. The viewport is only shifted, so the geometry is the same; what a
 * shift changes is how window coordinates and interpolated values round in single precision. Measured here:
 * at most 1 pixel in 20,000, by at most 4 levels. RENDERER_TILE is therefore a part of what a picture is.
 */

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

TEST(tiles_draw_the_same_picture)
{
    static const uint32_t tiles[] = {64, 97, 256, 399, 512};
    HAND_SCENE hand = busy_scene();
    for (size_t i = 0; i < 6; i++) {
        struct frame_settings frame_settings = busy_settings(600, 400);
        uint32_t tile = tiles[i % 5];
        frame_settings.profile = i == 5 ? PROFILE_NATIVE : PROFILE_PORTABLE;
        SCOPED(image) whole = drawn_in_tiles(*state, &hand, &frame_settings, RENDERER_TILE);
        SCOPED(image) tiled = drawn_in_tiles(*state, &hand, &frame_settings, tile);
        assert_nearly_same(&whole, &tiled, tile);
    }
}

/* ---- what is spared ---------------------------------------------------------------------------------------------- */

static float turn(uint32_t *seed, float most)
{
    return most * (2 * (float)hand_random(seed) - 1);
}

/* Any pose, also mirrored and flattened ones, seen from anywhere, also from inside: all of it. */
static void pose_at_random(struct hand *hand, uint32_t *seed, struct frame_settings *settings)
{
    for (uint32_t n = 1; n < 5; n++) {
        struct transform local = {{turn(seed, 1.5f), turn(seed, 1.5f), turn(seed, 1.5f)},
                                  {turn(seed, 0.5f), turn(seed, 0.5f), turn(seed, 0.5f), 0.5f},
                                  {turn(seed, 1.5f), 1, *seed % 7 == 0 ? 0 : 1}};
        affine_from_transform(&local, hand->pose.local_to_parent[n]);
    }
    hand_pose(hand);
    for (int k = 0; k < 3; k++) {
        settings->camera.eye[k] = turn(seed, settings->width % 4 == 1 ? 6 : 1);
        settings->camera.target[k] = turn(seed, 1);
    }
    settings->camera.near_plane = 0.01f;
}

TEST(what_is_spared_changes_no_pixel)
{
    struct renderer *renderer = *state;
    uint32_t seed = 1, shown = 0;
    HAND_SCENE hand = busy_scene();
    for (uint32_t m = 0; m < 3; m++)
        hand.scene->materials[m].two_sided = false;
    MODEL model = model_of(renderer, &hand);
    for (int i = 0; i < 60; i++) {
        struct frame_settings settings = busy_settings(97 + 2 * (uint32_t)i, 200);
        uint32_t bindings[2][217 * 200];
        settings.overlays = 0;
        settings.view = i % 3 == 0 ? VIEW_NORMALS : i % 3 == 1 ? VIEW_LIT : VIEW_STUDIO;
        pose_at_random(&hand, &seed, &settings);
        SCOPED(image) spared = {0}, whole = {0};
        for (int all = 0; all < 2; all++) {
            renderer->draws_all = all;
            assert_good(draw_frame(renderer, model, &hand.palette, &hand.pose, &settings, all ? &whole : &spared, err));
            assert_good(draw_bone_identity(renderer, model, &hand.palette, &settings, bindings[all], err));
        }
        renderer->draws_all = false;
        const size_t count = (size_t)settings.width * settings.height;
        assert_memory_equal(spared.rgba, whole.rgba, 4 * count);
        assert_memory_equal(bindings[0], bindings[1], sizeof(uint32_t) * count);
        for (size_t p = 0; p < count; p++)
            shown += bindings[0][p] != 0;
    }
    assert_true(shown > 50000);
}

/* A floor of no thickness half a unit below the camera, which stands on its middle: it fills the picture to the horizon. */
TEST(a_floor_reaches_behind_the_camera)
{
    HAND_SCENE hand = hand_begin(1, 1, 1);
    hand_quad(&hand, 0, -50, -50, 50, 50, -0.5f);
    hand.scene->materials[0].two_sided = true;
    hand_end(&hand);
    hand_pose(&hand);
    struct frame_settings settings = hand_settings(40, 40, VIEW_UNLIT);
    settings.camera = (struct camera){.target = {1, 0, 0}, .up = {0, 0, 1}, .fov_y = 1.5f, .near_plane = 0.1f, .far_plane = 100};
    SCOPED(image) image = draw_hand(*state, &hand, &settings);
    for (uint32_t y = 22; y < 40; y++)
        for (uint32_t x = 0; x < 40; x++)
            assert_pixel(&image, x, y, 255, 255, 255, 255, 0);
}

static size_t programs_of(const struct renderer *renderer)
{
    size_t count = 0;
    for (const struct program *p = renderer->programs.first; p; p = p->next)
        count++;
    return count;
}

/* Eighteen at first; what is built anew draws the same. */
TEST(programs_not_used_lately_are_let_go)
{
    struct renderer *renderer = *state;
    struct image before[2 * VIEW_COUNT];
    HAND_SCENE hand = hand_begin(1, 1, 1);
    hand_quad(&hand, 0, -1, -1, 0.5f, 0.75f, 0);
    hand_end(&hand);
    for (int turn = 0; turn < 2; turn++) {
        for (int i = 0; i < 2 * VIEW_COUNT; i++) {
            struct frame_settings settings = hand_settings(16, 16, (enum view)(i / 2));
            settings.shown_node = 0;
            hand.scene->materials[0].alpha_mode = i % 2 ? ALPHA_MASK : ALPHA_OPAQUE;
            struct image image = draw_hand(renderer, &hand, &settings);
            if (turn == 0) {
                before[i] = image;
                continue;
            }
            assert_same_image(&before[i], &image);
            image_release(&image);
            image_release(&before[i]);
        }
        assert_true(programs_of(renderer) >= 2 * VIEW_COUNT);
        const struct program *last = renderer->programs.first;
        renderer_trim(renderer);
        assert_int_equal(programs_of(renderer), 6);
        assert_ptr_equal(renderer->programs.first, last);
        renderer_trim(renderer);
        assert_int_equal(programs_of(renderer), 6);
    }
}

GROUP(open_renderer, close_renderer)
