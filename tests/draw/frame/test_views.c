/* Each view writes what is known beforehand: weights, bones, depth, uv, influences. */

#include "draw/rendering.h"

enum { SIZE = 32 };

/* A quad over the whole picture whose vertices have the same `count` influences of bones 0, 1, ..., by turns per vertex. */
static struct hand held_by(uint32_t count, const float *weights)
{
    struct hand hand = hand_begin(14, 1, 1);
    struct mesh *mesh = hand_quad(&hand, 0, -1, -1, 1, 1, 0);
    hand_bones(&hand, mesh, 13, 1, count);
    for (uint32_t i = 0; i < 4 * count; i++)
        mesh->influences[i] = (struct influence){i % count, weights[i % count]};
    hand_end(&hand);
    return hand;
}

static void assert_all(struct renderer *renderer, const struct hand *hand, const struct frame_settings *frame_settings,
                       int r, int g, int b)
{
    SCOPED(image) image = draw_hand(renderer, hand, frame_settings);
    for (uint32_t i = 0; i < image.width * image.height; i++)
        assert_pixel(&image, i % image.width, i / image.width, r, g, b, 255, 1);
}

TEST(the_largest_weight_on_the_ramp)
{
    static const struct {
        uint32_t count;
        float weights[12];
        int color[3];
    } cases[] = {
        {1, {1}, {255, 0, 0}},
        {2, {0.25f, 0.75f}, {255, 255, 0}},
        {2, {0.5f, 0.5f}, {0, 255, 0}},
        {4, {0.25f, 0.25f, 0.25f, 0.25f}, {0, 255, 255}},
        {3, {0.1f, 0.625f, 0.275f}, {128, 255, 0}},
        {8, {0.125f, 0.125f, 0.125f, 0.125f, 0.125f, 0.125f, 0.125f, 0.125f}, {0, 128, 255}},
        {8, {0.05f, 0.05f, 0.05f, 0.05f, 0.05f, 0.05f, 0.2f, 0.5f}, {0, 255, 0}},
        {10, {0.1f, 0.1f, 0.1f, 0.1f, 0.1f, 0.1f, 0.1f, 0.1f, 0.1f, 0.1f}, {0, 102, 255}},
        {10, {0, 0, 0, 0, 0, 0, 0, 0, 0.125f, 0.875f}, {255, 128, 0}},
    };
    struct frame_settings frame_settings = hand_settings(4, 4, VIEW_WEIGHTS);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        HAND_SCENE hand = held_by(cases[i].count, cases[i].weights);
        hand.scene->materials[0].alpha_mode = i % 2 ? ALPHA_BLEND : ALPHA_OPAQUE; /* numbers are not mixed with what is behind */
        hand.scene->materials[0].base_color[3] = 0.25f;
        assert_all(*state, &hand, &frame_settings, cases[i].color[0], cases[i].color[1], cases[i].color[2]);
    }
}

TEST(a_rigid_mesh_is_held_whole)
{
    HAND_SCENE hand = hand_begin(2, 1, 1);
    hand_quad(&hand, 0, -1, -1, 1, 1, 0);
    hand.scene->instances[0].node = 1;
    hand_end(&hand);
    struct frame_settings frame_settings = hand_settings(4, 4, VIEW_WEIGHTS);
    assert_all(*state, &hand, &frame_settings, 255, 0, 0);
    frame_settings.view = VIEW_INFLUENCES;
    assert_all(*state, &hand, &frame_settings, 40, 60, 160);
    frame_settings.view = VIEW_BONE_WEIGHT;
    frame_settings.shown_node = 1;
    assert_all(*state, &hand, &frame_settings, 255, 0, 0);
}

static int ramp(double w, int channel)
{
    double value = channel == 0 ? 4 * w - 2 : channel == 1 ? 2 - fabs(4 * w - 2) : 2 - 4 * w;
    return (int)lround(255 * (value < 0 ? 0 : value > 1 ? 1 : value));
}

/* Node 2 holds nothing on the left and all on the right, node 1 the rest; both are bones of node 2's name elsewhere. */
TEST(the_weight_of_one_bone_grows_along_the_picture)
{
    HAND_SCENE hand = hand_begin(4, 1, 1);
    struct mesh *mesh = hand_quad(&hand, 0, -1, -1, 1, 1, 0);
    hand_bones(&hand, mesh, 3, 1, 3);
    mesh->bones[2].node = 2; /* bound twice: the weights add up */
    for (uint32_t v = 0; v < 4; v++) {
        float right = mesh->positions[v][0] > 0 ? 1 : 0;
        mesh->influences[3 * v] = (struct influence){0, 1 - right};
        mesh->influences[3 * v + 1] = (struct influence){1, 0.75f * right};
        mesh->influences[3 * v + 2] = (struct influence){2, 0.25f * right};
    }
    hand_end(&hand);
    struct frame_settings frame_settings = hand_settings(SIZE, SIZE, VIEW_BONE_WEIGHT);
    for (int32_t node = 1; node <= 2; node++) {
        frame_settings.shown_node = node;
        SCOPED(image) image = draw_hand(*state, &hand, &frame_settings);
        for (uint32_t x = 0; x < SIZE; x++) {
            double w = (x + 0.5) / SIZE;
            w = node == 2 ? w : 1 - w;
            assert_pixel(&image, x, 7, ramp(w, 0), ramp(w, 1), ramp(w, 2), 255, 9); /* a corner of the ramp is averaged */
        }
    }
    for (int32_t node = -1; node <= 3; node += 4) { /* none, and one that holds nothing: grey, and only grey */
        frame_settings.shown_node = node;
        SCOPED(image) image = draw_hand(*state, &hand, &frame_settings);
        const uint8_t *p = pixel_at(&image, 3, 3);
        assert_true(p[0] == p[1] && p[1] == p[2] && p[0] > 60 && p[0] < 160);
    }
}

/* Two quads side by side, the left one held by bone `left` of the first mesh; the nodes' names begin at `first`. */
static struct hand two_cards(uint32_t nodes, uint32_t left, uint32_t right)
{
    struct hand hand = hand_begin(nodes, 2, 1);
    for (uint32_t m = 0; m < 2; m++) {
        struct mesh *mesh = hand_quad(&hand, m, m ? 0 : -1, -1, m ? 1 : 0, 1, 0);
        hand_bones(&hand, mesh, nodes - 1, 1, 1);
        for (uint32_t v = 0; v < 4; v++)
            mesh->influences[v] = (struct influence){m ? right : left, 1};
    }
    hand_end(&hand);
    return hand;
}

TEST(a_bone_has_its_colour_in_every_mesh_and_scene)
{
    struct frame_settings frame_settings = hand_settings(SIZE, SIZE, VIEW_BONES);
    uint8_t colors[9][3], before[3];
    for (uint32_t extra = 0; extra < 2; extra++) {
        HAND_SCENE hand = two_cards(8 + extra, 2, 5);
        bone_colors(hand.scene, colors);
        SCOPED(image) image = draw_hand(*state, &hand, &frame_settings);
        for (uint32_t y = 0; y < SIZE; y++)
            for (uint32_t x = 0; x < SIZE; x++) {
                const uint8_t *c = colors[x < SIZE / 2 ? 3 : 6];
                assert_pixel(&image, x, y, c[0], c[1], c[2], 255, 0);
            }
        if (extra)
            assert_memory_equal(before, pixel_at(&image, 3, 3), 3);
        memcpy(before, pixel_at(&image, 3, 3), 3);
    }
    HAND_SCENE same = two_cards(8, 4, 4);
    SCOPED(image) image = draw_hand(*state, &same, &frame_settings);
    assert_memory_equal(pixel_at(&image, 3, 3), pixel_at(&image, 30, 3), 3);
}

/* A quad at z, seen from 10 along -z; the box reaches from -2 to 1, so depths from 9 to 12. */
TEST(depth_is_linear)
{
    static const float zs[] = {1, 0.25f, -0.5f, -1.25f, -2, 1.5f, -3};
    for (int perspective = 0; perspective < 2; perspective++)
        for (size_t i = 0; i < sizeof zs / sizeof zs[0]; i++) {
            HAND_SCENE hand = hand_begin(1, 1, 1);
            hand_quad(&hand, 0, -9, -9, 9, 9, zs[i]);
            hand_end(&hand);
            struct frame_settings frame_settings = hand_settings(8, 8, VIEW_DEPTH);
            frame_settings.camera.fov_y = perspective ? 0.8f : 0;
            frame_settings.framed = (struct bounds){{-1, -1, -2}, {1, 1, 1}};
            double nearness = (12 - (10 - (double)zs[i])) / 3;
            int grey = (int)lround(255 * (nearness < 0 ? 0 : nearness > 1 ? 1 : nearness));
            assert_all(*state, &hand, &frame_settings, grey, grey, grey);
        }
}

/* Without a box the camera's planes, 1 and 20, are the ends. */
TEST(without_a_box_the_planes_count)
{
    HAND_SCENE hand = hand_card();
    struct frame_settings frame_settings = hand_settings(4, 4, VIEW_DEPTH);
    int grey = (int)lround(255 * 10.0 / 19);
    assert_all(*state, &hand, &frame_settings, grey, grey, grey);
    frame_settings.framed = bounds_empty();
    assert_all(*state, &hand, &frame_settings, grey, grey, grey);
}

TEST(uv_is_what_is_behind_the_point)
{
    HAND_SCENE hand = hand_begin(1, 1, 1);
    struct mesh *mesh = hand_quad(&hand, 0, -1, -1, 1, 1, 0);
    for (int v = 0; v < 4; v++) {
        mesh->uvs[v][0] = 3 + 0.5f * mesh->uvs[v][0];
        mesh->uvs[v][1] -= 2;
    }
    hand_end(&hand);
    struct frame_settings frame_settings = hand_settings(SIZE, SIZE, VIEW_UV);
    SCOPED(image) image = draw_hand(*state, &hand, &frame_settings);
    for (uint32_t y = 0; y < SIZE; y++)
        for (uint32_t x = 0; x < SIZE; x++)
            assert_pixel(&image, x, y, (int)lround(127.5 * (x + 0.5) / SIZE), (int)lround(255 * (y + 0.5) / SIZE), 0, 255,
                         1);
}

/* Half as bright where w is -1; black without. */
TEST(tangents_are_colours_of_the_scene)
{
    struct frame_settings frame_settings = hand_settings(4, 4, VIEW_TANGENTS);
    for (int way = 0; way < 3; way++) {
        HAND_SCENE hand = hand_begin(1, 1, 1);
        struct mesh *mesh = hand_quad(&hand, 0, -1, -1, 1, 1, 0);
        mesh->tangents = way < 2 ? ARENA_NEW(hand.scene->arena, vec4, 4) : NULL;
        for (int v = 0; v < 4 && way < 2; v++)
            memcpy(mesh->tangents[v], (vec4){0.6f, 0.8f, 0, way ? -1 : 1}, sizeof(vec4));
        hand_end(&hand);
        assert_all(*state, &hand, &frame_settings, way == 0 ? 204 : way == 1 ? 102 : 0, way == 0 ? 230 : way == 1 ? 115 : 0,
                   way == 0 ? 128 : way == 1 ? 64 : 0);
    }
}

TEST(a_colour_a_count)
{
    static const int colors[10][3] = {{255, 0, 255},  {40, 60, 160},  {0, 150, 220}, {0, 190, 120}, {140, 210, 40},
                                      {250, 220, 40}, {250, 150, 30}, {230, 80, 40}, {150, 20, 40}, {255, 255, 255}};
    struct frame_settings frame_settings = hand_settings(4, 4, VIEW_INFLUENCES);
    for (uint32_t count = 1; count <= 12; count++) {
        float weights[12];
        for (uint32_t i = 0; i < count; i++)
            weights[i] = 1.0f / (float)count;
        HAND_SCENE hand = held_by(count, weights);
        const int *c = colors[count < 9 ? count : 9];
        assert_all(*state, &hand, &frame_settings, c[0], c[1], c[2]);
    }
    HAND_SCENE hand = held_by(6, (float[]){0.5f, 0, 0.5f, 0, 0, 0}); /* zeros do not count */
    assert_all(*state, &hand, &frame_settings, colors[2][0], colors[2][1], colors[2][2]);
}

GROUP(open_renderer, close_renderer)
