/* Which binding is seen at a pixel: scenes by hand in which the answer is known beforehand. */
#include "draw/renderer/renderer.h"

#include "busy_scene.h"
#include "rendering.h"

enum { SIZE = 32 };

/* The numbers of a frame, in the scene's arena. */
static uint32_t *identity_of(struct renderer *renderer, const struct hand *hand,
                             const struct frame_settings *frame_settings)
{
    const size_t count = (size_t)frame_settings->width * frame_settings->height;
    uint32_t *numbers = ARENA_NEW(hand->scene->arena, uint32_t, count);
    memset(numbers, 0xee, count * sizeof *numbers);
    MODEL model = model_of(renderer, hand);
    assert_good(draw_bone_identity(renderer, model, &hand->palette, frame_settings, numbers, err));
    return numbers;
}

static void assert_number(const uint32_t *numbers, uint32_t width, uint32_t x, uint32_t y, uint32_t expected)
{
    if (numbers[y * width + x] != expected)
        fail_msg("pixel (%u, %u): expected %u, observed %u", x, y, expected, numbers[y * width + x]);
}

/* The one number that all pixels have. */
static uint32_t number_of(struct renderer *renderer, const struct hand *hand)
{
    struct frame_settings frame_settings = hand_settings(8, 8, VIEW_LIT);
    uint32_t *numbers = identity_of(renderer, hand, &frame_settings), first = numbers[0];
    for (uint32_t i = 0; i < 64; i++)
        assert_number(numbers, 8, i % 8, i / 8, first);
    return first;
}

static void hold(struct mesh *mesh, uint32_t bone)
{
    for (uint32_t i = 0; i < mesh->influence_first[mesh->vertex_count]; i++)
        mesh->influences[i] = (struct influence){bone, i % mesh->influence_first[1] ? 0.0f : 1.0f};
}

/* The largest weight in every slot of every form: 4, 8, listed. */
TEST(the_largest_weight_decides)
{
    static const uint32_t influences[] = {1, 2, 4, 5, 8, 9, 12};
    for (size_t i = 0; i < sizeof influences / sizeof influences[0]; i++)
        for (uint32_t strongest = 0; strongest < influences[i]; strongest++) {
            HAND_SCENE hand = hand_begin(21, 2, 1);
            hand_quad(&hand, 0, -1, -1, 1, 1, -1); /* binding 1, behind */
            struct mesh *mesh = hand_quad(&hand, 1, -1, -1, 1, 1, 0);
            hand_bones(&hand, mesh, 20, 1, influences[i]);
            for (uint32_t slot = 0; slot < 4 * influences[i]; slot++) {
                uint32_t k = slot % influences[i];
                mesh->influences[slot] =
                    (struct influence){19 - k, (k == strongest ? 1.5f : 1.0f) / ((float)influences[i] + 0.5f)};
            }
            hand_end(&hand);
            assert_int_equal(number_of(*state, &hand), 2 + 19 - strongest);
        }
}

/*
 * Each corner of a square has a bone of its own; its triangles are (0, 1, 2) and (0, 2, 3). A rigid mesh before it in the file,
 * which covers the left of it, is binding 1.
 */
TEST(a_triangle_belongs_to_its_last_vertex)
{
    HAND_SCENE hand = hand_begin(5, 2, 1);
    hand_quad(&hand, 0, -1, -1, -0.5f, 1, 0.5f);
    struct mesh *mesh = hand_quad(&hand, 1, -1, -1, 1, 1, 0);
    hand_bones(&hand, mesh, 4, 1, 1);
    for (uint32_t v = 0; v < 4; v++)
        mesh->influences[v] = (struct influence){v, 1};
    hand_end(&hand);
    struct frame_settings frame_settings = hand_settings_on(8, 8, VIEW_LIT, 200, 100, 50, 255); /* plays no part */
    frame_settings.profile = PROFILE_NATIVE;
    frame_settings.overlays = OVERLAY_SKELETON;
    uint32_t *numbers = identity_of(*state, &hand, &frame_settings);
    for (uint32_t y = 0; y < 8; y++)
        for (uint32_t x = 0; x < 8; x++)
            if (x + y != 7) /* the diagonal */
                assert_number(numbers, 8, x, y, x < 2 ? 1 : x + y > 7 ? 4 : 5);
}

TEST(what_nothing_holds_is_nothing)
{
    HAND_SCENE hand = hand_begin(4, 1, 1);
    struct mesh *mesh = hand_quad(&hand, 0, -1, -1, 1, 1, 0);
    hand_bones(&hand, mesh, 3, 1, 1);
    hold(mesh, 2);
    for (uint32_t i = 3; i <= 4; i++) /* the third vertex has no influence and collapses to the origin */
        mesh->influence_first[i]--;
    hand_end(&hand);
    struct frame_settings frame_settings = hand_settings(SIZE, SIZE, VIEW_UNLIT);
    uint32_t *numbers = identity_of(*state, &hand, &frame_settings);
    SCOPED(image) picture = draw_hand(*state, &hand, &frame_settings);
    assert_number(numbers, SIZE, 16, 28, 0);           /* (0, 1, 2): below the origin */
    assert_pixel(&picture, 16, 28, 255, 255, 255, 255, 0);
    assert_number(numbers, SIZE, 4, 16, 3);            /* (0, 2, 3): left of it */
    assert_number(numbers, SIZE, 28, 4, 0);            /* nothing there */
}

/* `cards` squares in rows of 20, card i held by bone i * step. */
static struct hand many(uint32_t cards, uint32_t step)
{
    struct hand hand = hand_begin(2, 1, 1);
    struct mesh *mesh = hand_mesh(&hand, 0, 4 * cards, 2 * cards);
    uint32_t bones = cards * step;
    hand_bones(&hand, mesh, bones, 1, 1);
    for (uint32_t b = 0; b < bones; b++)
        mesh->bones[b].node = 1;
    for (uint32_t v = 0; v < 4 * cards; v++) {
        uint32_t card = v / 4, right = v % 4 == 1 || v % 4 == 2, up = v % 4 >= 2;
        mesh->positions[v][0] = (float)(card % 20 + right) / 10 - 1;
        mesh->positions[v][1] = (float)(card / 20 + up) / 10 - 1;
        mesh->influences[v] = (struct influence){card * step, 1};
    }
    for (uint32_t c = 0; c < cards; c++) {
        const uint32_t quad[6] = {4 * c, 4 * c + 1, 4 * c + 2, 4 * c, 4 * c + 2, 4 * c + 3};
        memcpy(mesh->indices + 6 * c, quad, sizeof quad);
    }
    hand_end(&hand);
    return hand;
}

/* Up to 132,069, in steps that use all bytes. */
TEST(numbers_beyond_two_bytes_are_exact)
{
    enum { CARDS = 400, STEP = 331 };
    HAND_SCENE hand = many(CARDS, STEP);
    struct frame_settings frame_settings = hand_settings(80, 80, VIEW_LIT);
    uint32_t *numbers = identity_of(*state, &hand, &frame_settings);
    for (uint32_t y = 0; y < 80; y++)
        for (uint32_t x = 0; x < 80; x++) {
            uint32_t card = (79 - y) / 4 * 20 + x / 4;
            assert_number(numbers, 80, x, y, card < CARDS ? 1 + card * STEP : 0);
        }
}

static void is_refused(struct renderer *renderer, struct gpu_model *model, const struct hand *hand,
                       const struct frame_settings *frame_settings, enum exit_code code)
{
    struct error err = {0};
    uint32_t numbers[16];
    assert_false(draw_bone_identity(renderer, model, &hand->palette, frame_settings, numbers, &err));
    assert_int_equal(err.exit_code, code);
}

TEST(more_than_24_bits_are_refused)
{
    HAND_SCENE hand = many(1, 1);
    struct frame_settings frame_settings = hand_settings(4, 4, VIEW_LIT), none = hand_settings(0, 4, VIEW_LIT);
    MODEL model = model_of(*state, &hand);
    is_refused(*state, model, &hand, &none, EXIT_CODE_USAGE);
    hand.scene->binding_count = 1u << 24;
    is_refused(*state, model, &hand, &frame_settings, EXIT_CODE_DIFFERS);
}

/* A card over the whole picture before another one that is binding 2. */
static struct hand two_layers(void)
{
    struct hand hand = hand_begin(1, 2, 2);
    hand_quad(&hand, 0, -1, -1, 1, 1, 0.5f);
    hand_quad(&hand, 1, -1, -1, 1, 1, 0);
    hand.scene->meshes[1].material = 1;
    memcpy(hand.scene->materials[0].base_color, (vec4){1, 0, 0, 1}, sizeof(vec4));
    memcpy(hand.scene->materials[1].base_color, (vec4){0, 0, 1, 1}, sizeof(vec4));
    return hand;
}

/* Seen from behind, mirrored, and both. */
TEST(backs_of_single_sided_surfaces_are_left_out)
{
    for (int variant = 0; variant < 8; variant++) {
        bool two_sided = variant & 1, mirrored = variant & 2, behind = variant & 4;
        HAND_SCENE hand = two_layers();
        hand.scene->materials[0].two_sided = two_sided;
        hand_end(&hand);
        if (mirrored)
            hand.palette.mesh_to_scene[0][0][0] = -1;
        if (behind) /* the triangle's other side, without moving it */
            for (uint32_t t = 0; t < 2; t++) {
                uint32_t *corner = hand.scene->meshes[0].indices + 3 * t, kept = corner[0];
                corner[0] = corner[2];
                corner[2] = kept;
            }
        assert_int_equal(number_of(*state, &hand), behind && !two_sided ? 2 : 1);
    }
}

TEST(blended_surfaces_count_where_they_are_seen)
{
    static const struct {
        float alpha;
        uint32_t number;
    } cases[] = {{0, 2}, {0.003f, 2}, {0.01f, 1}, {0.5f, 1}, {1, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        HAND_SCENE hand = two_layers();
        hand.scene->materials[0].alpha_mode = ALPHA_BLEND;
        hand.scene->materials[0].alpha_cutoff = 0.7f; /* of a mask: plays no part */
        hand.scene->materials[0].base_color[3] = cases[i].alpha;
        hand_end(&hand);
        assert_int_equal(number_of(*state, &hand), cases[i].number);
    }
}

/*
 * Eight texels a pixel. The picture's samples see mip level 2, two texels of it a pixel: alpha 1 1 0 1, shifted so that
 * pixel centres meet texel centres. They find 1 and 1, then 1/2 and 1/2. Level 3 would give 0.875 and 0.625, and a
 * cutoff of 0.6 tells the two levels apart.
 */
TEST(masks_cut_as_in_the_picture)
{
    enum { TEXELS = 8 * SIZE };
    static const uint8_t alphas[4] = {255, 255, 0, 255};
    HAND_SCENE hand = two_layers();
    struct texture *texture = hand_texture(&hand, TEXELS, TEXELS);
    for (uint32_t i = 0; i < TEXELS * TEXELS; i++)
        memcpy(texture->rgba + 4 * i, (uint8_t[4]){255, 255, 255, alphas[i % TEXELS / 4 % 4]}, 4);
    hand.scene->materials[0].alpha_mode = ALPHA_MASK;
    hand.scene->materials[0].alpha_cutoff = 0.6f;
    hand.scene->materials[0].base_texture = 0;
    for (int v = 0; v < 4; v++)
        hand.scene->meshes[0].uvs[v][0] -= 2.0f / TEXELS;
    hand_end(&hand);
    struct frame_settings frame_settings = hand_settings(SIZE, SIZE, VIEW_UNLIT);
    uint32_t *numbers = identity_of(*state, &hand, &frame_settings);
    SCOPED(image) picture = draw_hand(*state, &hand, &frame_settings);
    for (uint32_t y = 0; y < SIZE; y++)
        for (uint32_t x = 0; x < SIZE; x++) {
            bool cut = x % 2 == 1;
            assert_pixel(&picture, x, y, cut ? 0 : 255, 0, cut ? 255 : 0, 255, 0);
            assert_number(numbers, SIZE, x, y, cut ? 2 : 1);
        }
}

TEST(tiles_have_the_same_numbers)
{
    HAND_SCENE hand = many(300, 1);
    struct frame_settings frame_settings = hand_settings(160, 80, VIEW_LIT); /* wider than the cards */
    uint32_t *whole = identity_of(*state, &hand, &frame_settings);
    for (uint32_t tile = 16; tile < 160; tile = 2 * tile + 3) {
        ((struct renderer *)*state)->tile = tile;
        uint32_t *tiled = identity_of(*state, &hand, &frame_settings);
        ((struct renderer *)*state)->tile = RENDERER_TILE;
        for (uint32_t i = 0; i < 160 * 80; i++)
            assert_number(tiled, 160, i % 160, i / 160, whole[i]);
    }
}

GROUP(open_renderer, close_renderer)
