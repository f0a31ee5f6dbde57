/* Which node a character travels by. That it is held, and where, is for test_player. */
#include "cmocka_setup.h"

#include "animate/in_place.h"
#include "animate/pose_builder.h"

/*
 * 0 armature
 *   1 goal of a foot
 *   2 hips
 *     3 arm
 *       4 hand
 * All but the armature are bones; hips, arm and hand hold a vertex each.
 */
enum { ARMATURE, GOAL, HIPS, ARM, HAND, NODES };

static struct scene *make(void)
{
    static const struct influence influences[] = {{0, 1}, {1, 1}, {2, 1}};
    static const uint32_t nodes[] = {HIPS, ARM, HAND, GOAL};
    struct scene *scene = builder_scene(NODES);
    scene->nodes[GOAL].parent = scene->nodes[HIPS].parent = ARMATURE;
    struct mesh *mesh = builder_mesh(scene, ARMATURE, 3, 4);
    for (uint32_t b = 0; b < 4; b++)
        mesh->bones[b].node = nodes[b];
    builder_influences(scene, mesh, 1, influences);
    scene_bind(scene);
    return scene;
}

static void is_root(struct scene *scene, const struct clip *clip, int32_t want)
{
    const struct clip *clips[] = {NULL, clip};
    assert_int_equal(in_place_root(scene, clips, 2, scene->arena), want);
    scene_free(scene);
}

static void the_topmost_that_carries_most_and_is_not_torn_off(void **state)
{
    (void)state;
    static const struct {
        int32_t root;
        float slides[NODES]; /* along x, in the course of the clip */
        uint32_t turns;      /* a node that turns, or 0 */
        int32_t hips_parent;
    } rows[] = {
        {NO_INDEX, {0}, 0, ARMATURE},
        {HIPS, {[GOAL] = 50, [HIPS] = 2}, 0, ARMATURE},       /* before the goal beside them */
        {ARMATURE, {[ARMATURE] = 2, [HIPS] = 2}, 0, ARMATURE},
        {HIPS, {[ARMATURE] = 1e-6f, [HIPS] = 2}, 0, ARMATURE}, /* an armature that trembles */
        {NO_INDEX, {[HAND] = 1}, ARM, ARMATURE},               /* a hand that slides on its arm */
        {HAND, {[HAND] = 1}, 0, ARMATURE},                     /* on an arm that is still */
        {HIPS, {[HIPS] = 2}, GOAL, GOAL},                      /* below "root", as some engines have it, which holds nothing */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene *scene = make();
        struct clip *clip = clip_beside(scene, "walk", 2);
        scene->nodes[HIPS].parent = rows[i].hips_parent;
        for (uint32_t n = 0; n < NODES; n++)
            if (rows[i].slides[n] > 0)
                clip_slides(scene, clip, n, 0, rows[i].slides[n]);
        if (rows[i].turns)
            clip_turns(scene, clip, rows[i].turns, 1, 40);
        is_root(scene, clip, rows[i].root);
    }
}

static void what_is_no_movement(void **state)
{
    (void)state;
    static const float sides[] = {0, 0, 0, 1, 0, 0, 0, -1}; /* q and -q are one rotation */
    static const float still[] = {0, 0, 0, 1, 2, 3, 9, 9, 9, 7, 7, 7, 1, 2, 3, 0, 0, 0}; /* a value is between its tangents */
    struct scene *scene = make();
    struct clip *clip = clip_beside(scene, "walk", 2);
    builder_keys(scene, &clip->channels[ARM], COMPONENT_ROTATION, INTERPOLATE_LINEAR, 2, (double[]){0, 2}, sides);
    builder_keys(scene, &clip->channels[HIPS], COMPONENT_TRANSLATION, INTERPOLATE_CUBIC, 2, (double[]){0, 2}, still);
    clip_slides(scene, clip, HAND, 0, 1);
    is_root(scene, clip, HAND);
}

/* Without bones: what carries meshes, before a camera that comes first; in a file of clips alone what these move. */
static void without_bones(void **state)
{
    (void)state;
    struct scene *rigid = builder_scene(3), *bare = builder_scene(4);
    struct clip *drive = clip_beside(rigid, "drive", 1), *walk = clip_beside(bare, "walk", 1);
    rigid->nodes[2].parent = 0;
    builder_mesh(rigid, 2, 1, 0);
    scene_bind(rigid);
    clip_slides(rigid, drive, 1, 0, 9);
    clip_slides(rigid, drive, 2, 0, 2);
    is_root(rigid, drive, 2);
    clip_slides(bare, walk, 2, 0, 2);
    clip_slides(bare, walk, 3, 0, 2);
    is_root(bare, walk, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_topmost_that_carries_most_and_is_not_torn_off),
        cmocka_unit_test(what_is_no_movement),
        cmocka_unit_test(without_bones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
