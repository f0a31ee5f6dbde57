/* Additive layers against closed forms. */
#include "cmocka_setup.h"

#include "animate/additive.h"
#include "animate/pose_builder.h"

struct layered {
    struct scene *scene;
    struct pose reference, clip, pose;
};

static struct layered make(uint32_t nodes)
{
    struct layered l = {.scene = builder_scene(nodes)};
    l.reference = pose_create(l.scene, l.scene->arena);
    l.clip = pose_create(l.scene, l.scene->arena);
    l.pose = pose_create(l.scene, l.scene->arena);
    return l;
}

static void the_whole_difference_on_the_reference_is_the_clip(void **state)
{
    (void)state;
    uint64_t seed = 1;
    struct layered l = make(20);
    random_pose(&seed, &l.reference);
    random_pose(&seed, &l.clip);
    for (uint32_t n = 0; n < 20; n++)
        set_node(&l.pose, n, &l.reference.local[n]);
    additive_pose(&l.reference, &l.clip, 1, &l.pose);
    for (uint32_t n = 0; n < 20; n++) {
        const struct transform *want = &l.clip.local[n], *got = &l.pose.local[n];
        is_rotation(got->rotation, want->rotation, 3e-7);
        is_vector(got->translation, (double)want->translation[0], (double)want->translation[1],
                  (double)want->translation[2]);
        is_vector(got->scale, (double)want->scale[0], (double)want->scale[1], (double)want->scale[2]);
    }
    scene_free(l.scene);
}

static void turns_grow_with_the_weight(void **state)
{
    (void)state;
    static const double weights[] = {0.25, 0.5, 1, 1.5, 3, -0.5, -2};
    for (size_t i = 0; i < sizeof weights / sizeof weights[0]; i++) {
        struct layered l = make(1);
        set_turn(&l.reference, 0, 1, 10);
        set_turn(&l.clip, 0, 1, 50);
        set_turn(&l.pose, 0, 1, 100);
        additive_pose(&l.reference, &l.clip, weights[i], &l.pose);
        is_turn(l.pose.local[0].rotation, 1, 100 + 40 * weights[i]);
        scene_free(l.scene);
    }
}

/*
 * The delta is in the bone's own axes: on a bone that is turned by 90 degrees about z, a turn about its x axis is one
 * about its parent's y axis.
 */
static void the_delta_is_applied_before_the_base(void **state)
{
    (void)state;
    struct layered l = make(1);
    set_turn(&l.clip, 0, 0, 90);
    set_turn(&l.pose, 0, 2, 90);
    additive_pose(&l.reference, &l.clip, 1, &l.pose);
    vec3 y_axis;
    affine_point(l.pose.local_to_parent[0], (vec3){0, 1, 0}, y_axis); /* y -> z by the delta, z -> z by the base */
    is_vector(y_axis, 0, 0, 1);
    vec3 z_axis;
    affine_point(l.pose.local_to_parent[0], (vec3){0, 0, 1}, z_axis); /* z -> -y by the delta, -y -> x by the base */
    is_vector(z_axis, 1, 0, 0);
    scene_free(l.scene);
}

static void places_add_and_scales_multiply(void **state)
{
    (void)state;
    struct layered l = make(1);
    set_node(&l.reference, 0, &(struct transform){{1, 2, 3}, {0, 0, 0, 1}, {2, 1, -1}});
    set_node(&l.clip, 0, &(struct transform){{2, 2, 1}, {0, 0, 0, 1}, {8, 1, -9}});
    set_node(&l.pose, 0, &(struct transform){{10, 0, 0}, {0, 0, 0, 1}, {3, 5, 2}});
    additive_pose(&l.reference, &l.clip, 0.5, &l.pose);
    is_vector(l.pose.local[0].translation, 10.5, 0, -1);
    is_vector(l.pose.local[0].scale, 3 * 2, 5, 2 * 3); /* the roots of 4, 1 and 9 */
    scene_free(l.scene);
}

static void a_mirror_or_a_zero_has_no_power(void **state)
{
    (void)state;
    struct layered l = make(1);
    set_node(&l.reference, 0, &(struct transform){{0, 0, 0}, {0, 0, 0, 1}, {0, 1, 1}});
    set_node(&l.clip, 0, &(struct transform){{0, 0, 0}, {0, 0, 0, 1}, {2, -1, 0}});
    additive_pose(&l.reference, &l.clip, 0.5, &l.pose);
    is_vector(l.pose.local[0].scale, 1 + 0.5 * 2, 1 - 0.5 * 2, 1 - 0.5);
    scene_free(l.scene);
}

static void nothing_to_add_changes_no_bit(void **state)
{
    (void)state;
    uint64_t seed = 4;
    struct layered l = make(6);
    struct pose before = pose_create(l.scene, l.scene->arena);
    random_pose(&seed, &l.reference);
    random_pose(&seed, &l.clip);
    random_pose(&seed, &l.pose);
    l.pose.local_to_parent[2][1][0] += 0.5f; /* shear */
    for (uint32_t n = 0; n < 6; n++) {
        before.local[n] = l.pose.local[n];
        memcpy(before.local_to_parent[n], l.pose.local_to_parent[n], sizeof(mat4));
    }
    additive_pose(&l.reference, &l.clip, 0, &l.pose);
    poses_equal(&l.pose, &before);
    additive_pose(&l.clip, &l.clip, 1, &l.pose);
    poses_equal(&l.pose, &before);
    scene_free(l.scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_whole_difference_on_the_reference_is_the_clip),
        cmocka_unit_test(turns_grow_with_the_weight),
        cmocka_unit_test(the_delta_is_applied_before_the_base),
        cmocka_unit_test(places_add_and_scales_multiply),
        cmocka_unit_test(a_mirror_or_a_zero_has_no_power),
        cmocka_unit_test(nothing_to_add_changes_no_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
