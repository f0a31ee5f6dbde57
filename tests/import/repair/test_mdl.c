/* Half-Life MDL: how long a sequence lasts, how bones hang together. The numbers are cli_expected's business. */
#include "cmocka_setup.h"

#include "import/convert.h"
#include "scene_builder.h"

/* A key a frame, as Assimp has them, and a duration of `duration` seconds. */
static double lasts(uint32_t frames, double rate, double duration)
{
    struct scene *scene = builder_scene(2);
    struct clip *clip = builder_clip(scene, duration);
    double times[64];
    float values[64 * 3] = {0};
    clip->ticks_per_second = rate;
    for (uint32_t k = 0; k < frames; k++)
        times[k] = k / rate;
    builder_keys(scene, &clip->channels[1], COMPONENT_TRANSLATION, INTERPOLATE_LINEAR, frames, times, values);
    builder_keys(scene, &clip->channels[1], COMPONENT_SCALE, INTERPOLATE_LINEAR, frames ? 1 : 0, times, values);
    double result = mdl_duration(clip);
    scene_free(scene);
    return result;
}

/* Assimp: frames x rate ticks, at `rate` ticks a second. */
static void frames_are_no_seconds(void **state)
{
    (void)state;
    assert_true(lasts(26, 30, 26) == 25 / 30.0);
    assert_true(lasts(3, 25, 3) == 2 / 25.0);
    assert_true(lasts(2, 60, 2) == 1 / 60.0);
    assert_true(lasts(1, 10, 1) == 0); /* a pose */
}

static void other_durations_are_believed(void **state)
{
    (void)state;
    assert_true(lasts(26, 30, 25 / 30.0) == 25 / 30.0);
    assert_true(lasts(26, 30, 26 / 30.0) == 26 / 30.0);
    assert_true(lasts(26, 30, 27) == 27);
    assert_true(lasts(0, 30, 3) == 3); /* no key */
}

/* ---- parents ----------------------------------------------------------------------------------------------------- */

enum { ROOT, BONES, LAST, FIRST, MIDDLE, OTHER, COUNT };

/* As Assimp has it: three bones listed beside each other under BONES, LAST before the one that it hangs on. */
static struct aiNode tree[COUNT];

static void list_flat(struct placed_node order[COUNT])
{
    static const int32_t listed[COUNT] = {NO_INDEX, ROOT, BONES, BONES, BONES, ROOT};
    for (int i = 0; i < COUNT; i++) {
        order[i] = (struct placed_node){&tree[i], listed[i]};
        tree[i].mParent = i == ROOT ? NULL : &tree[listed[i]];
    }
}

static void order_is(const struct placed_node order[COUNT], const int nodes[COUNT], const int32_t parents[COUNT])
{
    for (int i = 0; i < COUNT; i++) {
        assert_ptr_equal(order[i].node, &tree[nodes[i]]);
        assert_int_equal(order[i].parent, parents[i]);
    }
}

static void bones_hang_on_their_own_parents(void **state)
{
    (void)state;
    struct placed_node order[COUNT];
    list_flat(order);
    tree[FIRST].mParent = &tree[ROOT]; /* a bone without a parent: stays under BONES */
    tree[MIDDLE].mParent = &tree[FIRST];
    tree[LAST].mParent = &tree[MIDDLE];
    assert_int_equal(mdl_parents(order, COUNT), 2);
    order_is(order, (const int[]){ROOT, BONES, FIRST, MIDDLE, LAST, OTHER}, (const int32_t[]){NO_INDEX, 0, 1, 2, 3, 0});
}

static void siblings_keep_their_order(void **state)
{
    (void)state;
    struct placed_node order[COUNT];
    list_flat(order);
    tree[LAST].mParent = tree[FIRST].mParent = &tree[MIDDLE];
    assert_int_equal(mdl_parents(order, COUNT), 2);
    order_is(order, (const int[]){ROOT, BONES, MIDDLE, LAST, FIRST, OTHER}, (const int32_t[]){NO_INDEX, 0, 1, 2, 2, 0});
}

static void bad_parents_change_nothing(void **state)
{
    (void)state;
    static struct aiNode stranger;
    static const int as_listed[COUNT] = {ROOT, BONES, LAST, FIRST, MIDDLE, OTHER};
    static const int32_t parents[COUNT] = {NO_INDEX, 0, 1, 1, 1, 0};
    struct placed_node order[COUNT];
    list_flat(order);
    assert_int_equal(mdl_parents(order, COUNT), 0);
    order_is(order, as_listed, parents);
    tree[LAST].mParent = &stranger;
    tree[MIDDLE].mParent = NULL;
    assert_int_equal(mdl_parents(order, COUNT), 0);
    order_is(order, as_listed, parents);
    list_flat(order);
    tree[LAST].mParent = &tree[MIDDLE]; /* a circle */
    tree[MIDDLE].mParent = &tree[LAST];
    assert_int_equal(mdl_parents(order, COUNT), 0);
    order_is(order, as_listed, parents);
    tree[LAST].mParent = &tree[LAST];
    tree[MIDDLE].mParent = &tree[BONES];
    assert_int_equal(mdl_parents(order, COUNT), 0);
    order_is(order, as_listed, parents);
}

/* A component without keys has no values: there is nothing to copy from. */
static void components_without_keys_stay_so(void **state)
{
    (void)state;
    struct scene *scene = builder_scene(1);
    struct clip *clip = builder_clip(scene, 1);
    struct error err = {0};
    struct conversion c = {.scene = scene, .err = &err};
    assert_true(finish_clips(&c));
    for (int k = 0; k < COMPONENT_COUNT; k++)
        assert_null(clip->channels[0].keys[k].values);
    scene_free(scene);
}

/* ---- the root ---------------------------------------------------------------------------------------------------- */

static const mat4 quake = {{1, 0, 0, 0}, {0, 0, -1, 0}, {0, 1, 0, 0}, {0, 0, 0, 1}};

/* Where the root takes Half-Life's x (ahead) and z (up). */
static void root_takes(const struct scene *scene, const float ahead[3], const float up[3])
{
    for (int i = 0; i < 3; i++) {
        assert_true(scene->nodes[0].local_to_parent[0][i] == ahead[i]);
        assert_true(scene->nodes[0].local_to_parent[2][i] == up[i]);
    }
}

static void the_root_looks_one_way(void **state)
{
    (void)state;
    struct scene *scene = builder_scene(2);
    struct conversion c = {.scene = scene, .repairs = REPAIR_ALL};
    scene->format = "mdl";
    scene->assimp_version = "5.4.3";
    scene->nodes[0].name = "<MDL_root>";
    memcpy(scene->nodes[0].local_to_parent, quake, sizeof quake);
    repair_mdl_root_axes(&c); /* a Quake model has no such node as the next */
    root_takes(scene, (const float[]){1, 0, 0}, (const float[]){0, 1, 0});
    scene->nodes[1].name = "<MDL_bones>";
    c.repairs &= ~(uint32_t)REPAIR_MDL_ROOT_AXES;
    repair_mdl_root_axes(&c);
    root_takes(scene, (const float[]){1, 0, 0}, (const float[]){0, 1, 0});
    c.repairs = REPAIR_ALL;
    repair_mdl_root_axes(&c);
    root_takes(scene, (const float[]){0, 0, -1}, (const float[]){0, 1, 0});
    assert_int_equal(scene->note_count, 1);
    scene_free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_are_no_seconds),           cmocka_unit_test(other_durations_are_believed),
        cmocka_unit_test(bones_hang_on_their_own_parents), cmocka_unit_test(siblings_keep_their_order),
        cmocka_unit_test(bad_parents_change_nothing),      cmocka_unit_test(components_without_keys_stay_so),
        cmocka_unit_test(the_root_looks_one_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
