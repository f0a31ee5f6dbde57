#include "draw/overlay/overlays.h"

#include "draw/busy_scene.h"
#include "draw/rendering.h"

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

static void bones_and_what_lies_between_them_are_shown(void **state)
{
    (void)state;
    SCENE hand = chain_with_gaps();
    bool shown[7];
    static const bool want[7] = {false, false, true, true, true, false, false};
    assert_true(skeleton_shown(hand.scene, shown));
    for (int n = 0; n < 7; n++)
        assert_int_equal(shown[n], want[n]);
}

static void without_bones_the_nodes_of_meshes_are_shown(void **state)
{
    (void)state;
    SCENE hand = hand_begin(5, 2, 1);
    hand_quad(&hand, 0, -1, -1, 1, 1, 0);
    hand_quad(&hand, 1, -1, -1, 1, 1, 0);
    hand.scene->instances[0].node = 1;
    hand.scene->instances[1].node = 3;
    hand_end(&hand);
    bool shown[5];
    static const bool want[5] = {false, true, true, true, false};
    assert_true(skeleton_shown(hand.scene, shown));
    for (int n = 0; n < 5; n++)
        assert_int_equal(shown[n], want[n]);
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

static void marks_are_where_the_bones_are(void **state)
{
    SCENE hand = upright_bones();
    struct frame_settings frame_settings = hand_settings(200, 200, VIEW_LIT);
    PICTURE without = draw_hand(*state, &hand, &frame_settings);
    for (uint32_t i = 0; i < 200 * 200; i++)
        assert_int_equal(without.rgba[4 * i + 3], 0);
    frame_settings.overlays = OVERLAY_SKELETON;
    PICTURE image = draw_hand(*state, &hand, &frame_settings);
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
        hand_set(hand.pose.local_to_parent[n], hand.scene->nodes[n].local_to_parent);
    hand_pose(&hand);
    return hand;
}

static void bones_end_where_the_next_begins(void **state)
{
    (void)state;
    static const struct bone_end want[9] = {
        {false, false, -1}, {true, false, -1}, {true, true, -1},   {false, false, -1}, {true, false, -1},
        {false, true, 6},   {false, false, -1}, {false, false, 8}, {false, false, -1}};
    SCENE hand = branching();
    bool shown[9];
    struct bone_end ends[9];
    assert_true(skeleton_shown(hand.scene, shown));
    assert_true(skeleton_ends(hand.scene, shown, ends));
    for (int n = 0; n < 9; n++) {
        assert_int_equal(ends[n].has_child, want[n].has_child);
        assert_int_equal(ends[n].is_offset, want[n].is_offset);
        assert_int_equal(ends[n].end, want[n].end);
    }
}

static void names_of_ends(void **state)
{
    (void)state;
    assert_true(skeleton_is_end("head_end") && skeleton_is_end("Head_End") && skeleton_is_end("EndSite_toe"));
    assert_false(skeleton_is_end("_end") || skeleton_is_end("head_ends") || skeleton_is_end("legend") ||
                 skeleton_is_end("end") || skeleton_is_end(""));
}

static void the_selected_node_is_marked_in_its_own_colour(void **state)
{
    SCENE hand = upright_bones();
    struct frame_settings frame_settings = hand_settings(200, 200, VIEW_LIT);
    frame_settings.overlays = OVERLAY_SKELETON;
    frame_settings.selected_node = 1;
    PICTURE image = draw_hand(*state, &hand, &frame_settings);
    const uint8_t *selected = pixel_at(&image, 100, 100), *other = pixel_at(&image, 100, 149);
    assert_true(selected[0] > 240 && selected[1] < 60 && selected[2] > 100);
    assert_true(other[0] > 240 && other[2] < 60);
}

static void links_are_cut_at_the_camera(void **state)
{
    (void)state;
    SCENE hand = upright_bones();
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
        assert_true(skeleton_primitives(hand.scene, &hand.pose, scene_to_clip, 100, 100, 0, &primitives));
        assert_true((primitives.count > 0) == (i != 2 && i != 3));
        for (size_t v = 0; v < primitives.count; v++)
            assert_true(isfinite(primitives.vertices[v].x) && isfinite(primitives.vertices[v].y));
        free(primitives.vertices);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bones_and_what_lies_between_them_are_shown),
        cmocka_unit_test(without_bones_the_nodes_of_meshes_are_shown),
        cmocka_unit_test(marks_are_where_the_bones_are),
        cmocka_unit_test(bones_end_where_the_next_begins),
        cmocka_unit_test(names_of_ends),
        cmocka_unit_test(the_selected_node_is_marked_in_its_own_colour),
        cmocka_unit_test(links_are_cut_at_the_camera),
    };
    return cmocka_run_group_tests(tests, open_renderer, close_renderer);
}
