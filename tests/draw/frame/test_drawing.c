/* Pictures in two steps: whatever comes between, they are those that draw_crowd() makes in one. */
#include "draw/renderer/renderer.h"

#include "draw/busy_scene.h"
#include "draw/rendering.h"

static struct drawing *begin(struct renderer *renderer, struct gpu_model *model, const struct hand *hand,
                             const struct frame_settings *settings)
{
    const struct crowd alone = {.members = &(struct crowd_member){.palette = &hand->palette, .pose = &hand->pose}};
    struct drawing *drawing = NULL;
    assert_good(drawing = draw_crowd_begin(renderer, model, &alone, settings, err));
    return drawing;
}

static void ends_as(struct drawing *drawing, const char *hash)
{
    char found[17];
    SCOPED(image) image = {0};
    assert_good(drawing_end(drawing, &image, err));
    image_hash(&image, found);
    assert_string_equal(found, hash);
}

/* Sizes, overlays and a view need other targets and programs; by tiles too. */
TEST(steps_make_the_same_picture)
{
    enum { COUNT = 4 };
    static const uint32_t sizes[COUNT][2] = {{320, 240}, {64, 500}, {320, 240}, {90, 91}};
    struct renderer *renderer = *state;
    HAND_SCENE hand = busy_scene();
    MODEL model = model_of(renderer, &hand);
    struct skinned *captured = skinned_create(hand.scene, hand.scene->arena), *again = skinned_create(hand.scene, hand.scene->arena);
    assert_good(draw_capture(renderer, model, &hand.palette, captured, err));
    for (uint32_t tile = 100; tile <= RENDERER_TILE; tile += RENDERER_TILE - 100) {
        struct frame_settings settings[COUNT];
        struct drawing *drawings[COUNT];
        char hashes[COUNT][17];
        renderer->tile = tile;
        for (int i = 0; i < COUNT; i++) {
            settings[i] = busy_settings(sizes[i][0], sizes[i][1]);
            settings[i].view = i == 3 ? VIEW_NORMALS : VIEW_LIT;
            settings[i].background[0] = (uint8_t)(10 * i);
            SCOPED(image) whole = {0};
            assert_good(draw_frame(renderer, model, &hand.palette, &hand.pose, &settings[i], &whole, err));
            image_hash(&whole, hashes[i]);
        }
        ends_as(begin(renderer, model, &hand, &settings[0]), hashes[0]);
        for (int i = 0; i < COUNT; i++) { /* each ends while the next is under way, or all after the last has begun */
            drawings[i] = begin(renderer, model, &hand, &settings[i]);
            memset(again->positions, 0, again->vertex_count * sizeof(vec3));
            assert_good(draw_capture(renderer, model, &hand.palette, again, err));
            assert_memory_equal(again->positions, captured->positions, captured->vertex_count * sizeof(vec3));
            if (i > 0)
                ends_as(drawings[i - 1], hashes[i - 1]);
        }
        ends_as(drawings[COUNT - 1], hashes[COUNT - 1]);
        for (int i = 0; i < COUNT; i++)
            drawings[i] = begin(renderer, model, &hand, &settings[i]);
        SCOPED(image) between = {0};
        assert_good(draw_frame(renderer, model, &hand.palette, &hand.pose, &settings[1], &between, err));
        drawing_drop(begin(renderer, model, &hand, &settings[2]));
        for (int i = COUNT; i-- > 0;)
            ends_as(drawings[i], hashes[i]);
    }
    renderer->tile = RENDERER_TILE;
}

GROUP(open_renderer, close_renderer)
