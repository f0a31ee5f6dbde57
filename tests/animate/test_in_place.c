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

struct stage {
    struct scene *scene;
    struct clip *clip;
};

static void hold_vertices(struct scene *scene)
{
    static const struct influence influences[] = {{0, 1}, {1, 1}, {2, 1}};
    struct mesh *mesh = builder_mesh(scene, ARMATURE, 3, 4);
    const uint32_t nodes[] = {HIPS, ARM, HAND, GOAL};
    for (uint32_t b = 0; b < 4; b++)
        mesh->bones[b].node = nodes[b];
    builder_influences(scene, mesh, 1, influences);
    scene_bind(scene);
}

static struct stage make(void)
{
    struct stage s = {.scene = builder_scene(NODES)};
    s.scene->nodes[GOAL].parent = ARMATURE;
    s.scene->nodes[HIPS].parent = ARMATURE;
    hold_vertices(s.scene);
    s.clip = clip_beside(s.scene, "walk", 2);
    return s;
}

static void is_root(struct stage *s, int32_t want)
{
    const struct clip *clips[] = {NULL, s->clip};
    assert_int_equal(in_place_root(s->scene, clips, 2, s->scene->arena), want);
    scene_free(s->scene);
}

static void nothing_travels_without_a_clip(void **state)
{
    (void)state;
    struct stage s = make();
    is_root(&s, NO_INDEX);
}

static void hips_before_the_goal_beside_them(void **state)
{
    (void)state;
    struct stage s = make();
    clip_slides(s.scene, s.clip, GOAL, 0, 50);
    clip_slides(s.scene, s.clip, HIPS, 0, 2);
    is_root(&s, HIPS);
}

static void of_a_chain_the_topmost(void **state)
{
    (void)state;
    struct stage s = make();
    clip_slides(s.scene, s.clip, ARMATURE, 0, 2);
    clip_slides(s.scene, s.clip, HIPS, 0, 2);
    is_root(&s, ARMATURE);
}

static void an_armature_that_trembles_stands_still(void **state)
{
    (void)state;
    struct stage s = make();
    clip_slides(s.scene, s.clip, ARMATURE, 0, 1e-6f);
    clip_slides(s.scene, s.clip, HIPS, 0, 2);
    is_root(&s, HIPS);
}

static void a_hand_that_slides_on_its_arm_does_not_travel(void **state)
{
    (void)state;
    struct stage s = make();
    clip_turns(s.scene, s.clip, ARM, 2, 40);
    clip_slides(s.scene, s.clip, HAND, 0, 1);
    is_root(&s, NO_INDEX);
}

static void on_an_arm_that_is_still_it_does(void **state)
{
    (void)state;
    struct stage s = make();
    float values[8] = {0, 0, 0, 1, 0, 0, 0, -1}; /* q and -q are one rotation */
    builder_keys(s.scene, &s.clip->channels[ARM], COMPONENT_ROTATION, INTERPOLATE_LINEAR, 2, (double[]){0, 2}, values);
    clip_slides(s.scene, s.clip, HAND, 0, 1);
    is_root(&s, HAND);
}

static void below_a_bone_that_turns_and_holds_nothing(void **state)
{
    (void)state;
    struct stage s = make();
    s.scene->nodes[HIPS].parent = GOAL; /* "root", as some engines have it */
    clip_turns(s.scene, s.clip, GOAL, 1, 90);
    clip_slides(s.scene, s.clip, HIPS, 0, 2);
    is_root(&s, HIPS);
}

static void a_cubic_value_is_between_its_tangents(void **state)
{
    (void)state;
    struct stage s = make();
    const float still[] = {0, 0, 0, 1, 2, 3, 9, 9, 9, 7, 7, 7, 1, 2, 3, 0, 0, 0};
    builder_keys(s.scene, &s.clip->channels[HIPS], COMPONENT_TRANSLATION, INTERPOLATE_CUBIC, 2, (double[]){0, 2}, still);
    is_root(&s, NO_INDEX);
}

/* Without bones: what carries meshes, before a camera that comes first. */
static void of_rigid_models_what_carries_meshes(void **state)
{
    (void)state;
    struct stage s = {.scene = builder_scene(3)};
    s.scene->nodes[2].parent = 0;
    builder_mesh(s.scene, 2, 1, 0);
    scene_bind(s.scene);
    s.clip = clip_beside(s.scene, "drive", 1);
    clip_slides(s.scene, s.clip, 1, 0, 9);
    clip_slides(s.scene, s.clip, 2, 0, 2);
    is_root(&s, 2);
}

static void of_a_file_of_clips_alone_what_they_move(void **state)
{
    (void)state;
    struct stage s = {.scene = builder_scene(4)};
    s.clip = clip_beside(s.scene, "walk", 1);
    clip_slides(s.scene, s.clip, 2, 0, 2);
    clip_slides(s.scene, s.clip, 3, 0, 2);
    is_root(&s, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_travels_without_a_clip),
        cmocka_unit_test(hips_before_the_goal_beside_them),
        cmocka_unit_test(of_a_chain_the_topmost),
        cmocka_unit_test(an_armature_that_trembles_stands_still),
        cmocka_unit_test(a_hand_that_slides_on_its_arm_does_not_travel),
        cmocka_unit_test(on_an_arm_that_is_still_it_does),
        cmocka_unit_test(below_a_bone_that_turns_and_holds_nothing),
        cmocka_unit_test(a_cubic_value_is_between_its_tangents),
        cmocka_unit_test(of_rigid_models_what_carries_meshes),
        cmocka_unit_test(of_a_file_of_clips_alone_what_they_move),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
