#include "draw/rendering.h"

static struct material plain(enum alpha_mode mode, float alpha)
{
    return (struct material){.name = "m", .base_color = {1, 1, 1, alpha}, .base_texture = NO_INDEX, .alpha_mode = mode,
                             .alpha_cutoff = 0.5f, .two_sided = true};
}

/* Encoded colours are what is mixed: 0.4 * 255 + 0.6 * 100 = 162. One level for the 8-bit accumulation. */
TEST(alpha_is_ignored_or_cut_or_blended)
{
    static const struct {
        enum alpha_mode mode;
        float alpha, cutoff;
        uint8_t background[4], wanted[4];
        int tolerance;
    } cases[] = {
        {ALPHA_OPAQUE, 0.2f, 0.5f, {0, 0, 0, 0}, {255, 255, 255, 255}, 0},
        {ALPHA_MASK, 0.5f, 0.5f, {7, 7, 7, 255}, {255, 255, 255, 255}, 0},
        {ALPHA_MASK, 0.49f, 0.5f, {7, 7, 7, 255}, {7, 7, 7, 255}, 0},
        {ALPHA_MASK, 0, 0, {7, 7, 7, 255}, {255, 255, 255, 255}, 0},
        {ALPHA_MASK, 0.9f, 1, {7, 7, 7, 255}, {7, 7, 7, 255}, 0},
        {ALPHA_BLEND, 0, 0.5f, {10, 20, 30, 40}, {10, 20, 30, 40}, 0},
        {ALPHA_BLEND, 0.4f, 0.5f, {100, 100, 100, 255}, {162, 162, 162, 255}, 1},
        {ALPHA_BLEND, 0.4f, 0.5f, {0, 0, 0, 0}, {255, 255, 255, 102}, 0}, /* straight alpha keeps the colour */
        /* alpha 0.4 + 0.6 * 0.502 = 0.7012; red 0.4 / 0.7012 = 0.5705 */
        {ALPHA_BLEND, 0.4f, 0.5f, {0, 0, 255, 128}, {145, 145, 255, 179}, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        HAND_SCENE hand = hand_card();
        const uint8_t *w = cases[i].wanted, *b = cases[i].background;
        struct frame_settings frame_settings = hand_settings_on(4, 4, VIEW_UNLIT, b[0], b[1], b[2], b[3]);
        hand.scene->materials[0] = plain(cases[i].mode, cases[i].alpha);
        hand.scene->materials[0].alpha_cutoff = cases[i].cutoff;
        SCOPED(image) image = draw_hand(*state, &hand, &frame_settings);
        assert_pixel(&image, 2, 2, w[0], w[1], w[2], w[3], cases[i].tolerance);
    }
}

/* Two blended quads of half opacity and an opaque one between and behind them, in any order in the file. */
TEST(blended_instances_are_sorted_back_to_front)
{
    for (int near_first = 0; near_first < 2; near_first++) {
        HAND_SCENE hand = hand_begin(1, 3, 3);
        int near = near_first ? 0 : 2, far = near_first ? 2 : 0;
        hand_quad(&hand, (uint32_t)near, -1, -1, 1, 1, 1);
        hand_quad(&hand, (uint32_t)far, -1, -1, 1, 1, 0);
        hand_quad(&hand, 1, -1, -1, 0, 1, 0.5f); /* opaque, hides the far one in the left half */
        for (uint32_t m = 0; m < 3; m++)
            hand.scene->meshes[m].material = m;
        hand.scene->materials[near] = plain(ALPHA_BLEND, 0.5f);
        memcpy(hand.scene->materials[near].base_color, (vec4){1, 0, 0, 0.5f}, sizeof(vec4));
        hand.scene->materials[far] = plain(ALPHA_BLEND, 0.5f);
        memcpy(hand.scene->materials[far].base_color, (vec4){0, 1, 0, 0.5f}, sizeof(vec4));
        hand_end(&hand);
        struct frame_settings frame_settings = hand_settings_on(8, 8, VIEW_UNLIT, 0, 0, 0, 255);
        SCOPED(image) image = draw_hand(*state, &hand, &frame_settings);
        assert_pixel(&image, 6, 4, 128, 64, 0, 255, 1);    /* red over green over black */
        assert_pixel(&image, 1, 4, 255, 128, 128, 255, 1); /* red over white */
    }
}

/* Depth is that of the posed mesh: a bone carries the far quad before the near one. */
TEST(sorting_follows_the_pose)
{
    HAND_SCENE hand = hand_begin(2, 2, 2);
    hand_quad(&hand, 0, -1, -1, 1, 1, 1);
    struct mesh *moved = hand_quad(&hand, 1, -1, -1, 1, 1, 0);
    hand_bones(&hand, moved, 1, 1, 1);
    for (uint32_t v = 0; v < 4; v++)
        moved->influences[v] = (struct influence){0, 1};
    moved->material = 1;
    hand.scene->materials[0] = plain(ALPHA_BLEND, 0.5f);
    hand.scene->materials[1] = plain(ALPHA_BLEND, 0.5f);
    memcpy(hand.scene->materials[0].base_color, (vec4){1, 0, 0, 0.5f}, sizeof(vec4));
    memcpy(hand.scene->materials[1].base_color, (vec4){0, 1, 0, 0.5f}, sizeof(vec4));
    hand_end(&hand);
    struct frame_settings frame_settings = hand_settings_on(4, 4, VIEW_UNLIT, 0, 0, 0, 255);
    SCOPED(image) before = draw_hand(*state, &hand, &frame_settings);
    assert_pixel(&before, 2, 2, 128, 64, 0, 255, 1);
    hand.pose.local_to_parent[1][3][2] = 3;
    hand_pose(&hand);
    SCOPED(image) after = draw_hand(*state, &hand, &frame_settings);
    assert_pixel(&after, 2, 2, 64, 128, 0, 255, 1);
}

/* A ball with a green far half and a red near half, triangles in either order, plain and mirrored: red over green. */
TEST(the_far_side_of_a_blended_surface_is_drawn_first)
{
    for (int variant = 0; variant < 4; variant++) {
        HAND_SCENE hand = hand_begin(1, 1, 1);
        struct mesh *mesh = hand_ball(&hand, 0, (vec3){0, 0, 0}, (vec3){0.9f, 0.9f, 0.9f}, 16);
        bool mirrored = variant & 2;
        mesh->colors = ARENA_NEW(hand.scene->arena, vec4, mesh->vertex_count);
        for (uint32_t v = 0; v < mesh->vertex_count; v++) {
            bool near = (mesh->positions[v][2] > 0) != mirrored;
            memcpy(mesh->colors[v], near ? (vec4){1, 0, 0, 0.5f} : (vec4){0, 1, 0, 0.5f}, sizeof(vec4));
        }
        for (uint32_t i = 0; (variant & 1) && i < 3 * mesh->triangle_count / 2; i++) { /* backwards */
            uint32_t *other = &mesh->indices[3 * mesh->triangle_count - 1 - i], kept = *other;
            *other = mesh->indices[i];
            mesh->indices[i] = kept;
        }
        for (uint32_t t = 0; (variant & 1) && t < mesh->triangle_count; t++) { /* and each the right way round again */
            uint32_t kept = mesh->indices[3 * t];
            mesh->indices[3 * t] = mesh->indices[3 * t + 2];
            mesh->indices[3 * t + 2] = kept;
        }
        hand.scene->materials[0] = plain(ALPHA_BLEND, 1);
        hand_end(&hand);
        hand.pose.local_to_parent[0][2][2] = mirrored ? -1.0f : 1.0f;
        hand_pose(&hand);
        struct frame_settings frame_settings = hand_settings_on(32, 32, VIEW_UNLIT, 0, 0, 0, 255);
        SCOPED(image) image = draw_hand(*state, &hand, &frame_settings);
        for (uint32_t x = 6; x < 26; x++)
            assert_pixel(&image, x, 16, 128, 64, 0, 255, 1);
    }
}

/* 2x2 texels magnified: the middle of each quarter of the picture is its texel's colour. */
static struct hand textured_quad(uint32_t width, uint32_t height)
{
    struct hand hand = hand_begin(1, 1, 1);
    hand_quad(&hand, 0, -1, -1, 1, 1, 0);
    hand_texture(&hand, width, height);
    hand.scene->materials[0].base_texture = 0;
    hand.scene->materials[0].wrap[0] = WRAP_CLAMP;
    hand.scene->materials[0].wrap[1] = WRAP_CLAMP;
    return hand;
}

TEST(wrap_modes_repeat_clamp_and_mirror)
{
    static const int want[][4] = {
        /* u = -0.75, -0.25, 1.25, 1.75 of the row black, white */
        [WRAP_REPEAT] = {0, 255, 0, 255},
        [WRAP_CLAMP] = {0, 0, 255, 255},
        [WRAP_MIRROR] = {255, 0, 255, 0},
    };
    for (int mode = WRAP_REPEAT; mode <= WRAP_MIRROR; mode++) {
        HAND_SCENE hand = textured_quad(2, 1);
        memcpy(hand.scene->textures[0].rgba, (uint8_t[8]){0, 0, 0, 255, 255, 255, 255, 255}, 8);
        hand.scene->materials[0].wrap[0] = (enum wrap_mode)mode;
        for (int v = 0; v < 4; v++)
            hand.scene->meshes[0].uvs[v][0] = hand.scene->meshes[0].uvs[v][0] * 4 - 1.5f; /* -1.5 .. 2.5 */
        hand_end(&hand);
        struct frame_settings frame_settings = hand_settings(128, 8, VIEW_UNLIT);
        frame_settings.camera.ortho_height = 1.0f / 16;
        SCOPED(image) image = draw_hand(*state, &hand, &frame_settings);
        static const double us[4] = {-0.75, -0.25, 1.25, 1.75};
        for (int i = 0; i < 4; i++) {
            uint32_t x = (uint32_t)((us[i] + 1.5) * 32);
            int p = pixel_at(&image, x, 4)[0];
            if (abs(p - want[mode][i]) > 8)
                fail_msg("wrap mode %d at u %g: expected %d, observed %d", mode, us[i], want[mode][i], p);
        }
    }
}

TEST(a_textures_alpha_masks_and_blends)
{
    for (int mode = ALPHA_OPAQUE; mode <= ALPHA_BLEND; mode++) {
        HAND_SCENE hand = textured_quad(2, 1);
        memcpy(hand.scene->textures[0].rgba, (uint8_t[8]){255, 255, 255, 51, 255, 255, 255, 204}, 8);
        hand.scene->materials[0].alpha_mode = (enum alpha_mode)mode;
        hand_end(&hand);
        struct frame_settings frame_settings = hand_settings(64, 32, VIEW_UNLIT);
        frame_settings.camera.ortho_height = 0.5f;
        SCOPED(image) image = draw_hand(*state, &hand, &frame_settings);
        static const int alphas[][2] = {
            [ALPHA_OPAQUE] = {255, 255}, [ALPHA_MASK] = {0, 255}, [ALPHA_BLEND] = {51, 204}};
        assert_int_equal(pixel_at(&image, 2, 16)[3], alphas[mode][0]);
        assert_int_equal(pixel_at(&image, 61, 16)[3], alphas[mode][1]);
    }
}

TEST(a_texture_too_large_is_an_error)
{
    HAND_SCENE hand = textured_quad(1, 1);
    hand.scene->textures[0].width = 100000;
    hand_end(&hand);
    assert_refused(gpu_model_create(*state, hand.scene, err), "100000x1");
}

GROUP(open_renderer, close_renderer)
