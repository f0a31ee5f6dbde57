/* Blending poses against closed forms. */
#include "cmocka_setup.h"

#include "animate/blend.h"
#include "animate/pose_builder.h"

enum { NODES = 5 };

struct poses {
    struct scene *scene;
    struct pose in[3];
    struct pose out;
};

static struct poses make(void)
{
    struct poses p = {.scene = builder_scene(NODES)};
    for (int i = 0; i < 3; i++)
        p.in[i] = pose_create(p.scene, p.scene->arena);
    p.out = pose_create(p.scene, p.scene->arena);
    return p;
}

static void blend(struct poses *p, double a, double b, double c)
{
    const struct blend_input inputs[3] = {{&p->in[0], a}, {&p->in[1], b}, {&p->in[2], c}};
    blend_poses(inputs, 3, &p->out);
}

static void half_of_a_right_angle_is_45_degrees(void **state)
{
    (void)state;
    struct poses p = make();
    for (int axis = 0; axis < 3; axis++) {
        set_turn(&p.in[1], 0, axis, 90);
        blend(&p, 0.5, 0.5, 0);
        is_turn(p.out.local[0].rotation, axis, 45);
    }
    scene_free(p.scene);
}

/* The angle grows with the weight: a normalised sum would be at 24.5 instead of 26 degrees. */
static void two_turn_at_constant_speed(void **state)
{
    (void)state;
    struct poses p = make();
    set_turn(&p.in[1], 0, 1, 130);
    for (int i = 0; i <= 10; i++) {
        blend(&p, 1 - i / 10.0, i / 10.0, 0);
        is_turn(p.out.local[0].rotation, 1, 13.0 * i);
    }
    scene_free(p.scene);
}

static void the_weight_belongs_to_its_pose(void **state)
{
    (void)state;
    struct poses p = make();
    set_turn(&p.in[1], 0, 2, 100);
    p.in[1].local[0].translation[0] = 8;
    p.in[1].local[0].scale[1] = 3;
    affine_from_transform(&p.in[1].local[0], p.in[1].local_to_parent[0]);
    blend(&p, 3, 1, 0); /* relative to their sum */
    is_turn(p.out.local[0].rotation, 2, 25);
    is_vector(p.out.local[0].translation, 2, 0, 0);
    is_vector(p.out.local[0].scale, 1, 1.5, 1);
    scene_free(p.scene);
}

static void the_matrix_is_that_of_the_parts(void **state)
{
    (void)state;
    uint64_t seed = 7;
    struct poses p = make();
    for (int i = 0; i < 3; i++)
        random_pose(&seed, &p.in[i]);
    blend(&p, 1, 2, 3);
    for (uint32_t n = 0; n < NODES; n++) {
        mat4 want;
        affine_from_transform(&p.out.local[n], want);
        assert_memory_equal(want, p.out.local_to_parent[n], sizeof want);
    }
    scene_free(p.scene);
}

/* About one axis the sum of three is at the angle of the mean of the half angles' unit vectors. */
static void three_are_a_normalised_sum(void **state)
{
    (void)state;
    struct poses p = make();
    const double degrees[3] = {0, 60, 140}, weights[3] = {0.2, 0.5, 0.3};
    double x = 0, y = 0;
    for (int i = 0; i < 3; i++) {
        set_turn(&p.in[i], 0, 0, degrees[i]);
        p.in[i].local[0].translation[2] = (float)(i * i);
        affine_from_transform(&p.in[i].local[0], p.in[i].local_to_parent[0]);
        x += weights[i] * cos(degrees[i] * PI / 360);
        y += weights[i] * sin(degrees[i] * PI / 360);
    }
    blend(&p, weights[0], weights[1], weights[2]);
    is_turn(p.out.local[0].rotation, 0, atan2(y, x) * 360 / PI);
    is_vector(p.out.local[0].translation, 0, 0, 0.5 + 4 * 0.3);
    scene_free(p.scene);
}

static void order_does_not_count(void **state)
{
    (void)state;
    uint64_t seed = 11;
    struct poses p = make();
    for (int i = 0; i < 3; i++)
        random_pose(&seed, &p.in[i]);
    blend(&p, 0.2, 0.5, 0.3);
    struct pose first = p.out;
    p.out = pose_create(p.scene, p.scene->arena);
    const struct blend_input turned[3] = {{&p.in[2], 0.3}, {&p.in[0], 0.2}, {&p.in[1], 0.5}};
    blend_poses(turned, 3, &p.out);
    for (uint32_t n = 0; n < NODES; n++)
        is_rotation(first.local[n].rotation, p.out.local[n].rotation, 2e-7);
    scene_free(p.scene);
}

static void negate(struct pose *pose, uint32_t node)
{
    for (int i = 0; i < 4; i++)
        pose->local[node].rotation[i] = -pose->local[node].rotation[i];
}

/* q and -q are one rotation: which one a file has makes no difference. */
static void the_sign_of_a_quaternion_does_not_count(void **state)
{
    (void)state;
    struct poses p = make();
    for (int i = 0; i < 3; i++)
        set_turn(&p.in[i], 0, 2, 30.0 * i);
    negate(&p.in[1], 0);
    blend(&p, 0.5, 0.5, 0);
    is_turn(p.out.local[0].rotation, 2, 15);
    blend(&p, 1, 1, 1);
    is_turn(p.out.local[0].rotation, 2, 30);
    negate(&p.in[0], 0);
    blend(&p, 1, 1, 1);
    is_turn(p.out.local[0].rotation, 2, 30);
    scene_free(p.scene);
}

/* Exactly opposite quaternions: the sum of their numbers is zero, the rotation is not. */
static void opposite_quaternions_do_not_cancel(void **state)
{
    (void)state;
    struct poses p = make();
    for (int i = 0; i < 3; i++)
        set_turn(&p.in[i], 0, 1, 80);
    negate(&p.in[1], 0);
    p.in[1].local_to_parent[0][3][0] = 1; /* not equal as a whole */
    blend(&p, 0.5, 0.5, 0);
    is_turn(p.out.local[0].rotation, 1, 80);
    blend(&p, 0.25, 0.5, 0.25);
    is_turn(p.out.local[0].rotation, 1, 80);
    scene_free(p.scene);
}

/* Whatever the weight of the one is, and though its matrix may hold what its parts do not. */
static void one_weight_gives_that_pose_bit_by_bit(void **state)
{
    (void)state;
    uint64_t seed = 3;
    struct poses p = make();
    for (int i = 0; i < 3; i++) {
        random_pose(&seed, &p.in[i]);
        p.in[i].local_to_parent[1][1][0] += 0.25f; /* shear */
    }
    blend(&p, 1, 0, 0);
    poses_equal(&p.out, &p.in[0]);
    blend(&p, 0, 0.3, 0);
    poses_equal(&p.out, &p.in[1]);
    blend(&p, 0, 0, 1);
    poses_equal(&p.out, &p.in[2]);
    scene_free(p.scene);
}

static void equal_nodes_stay_as_they_are(void **state)
{
    (void)state;
    uint64_t seed = 5;
    struct poses p = make();
    random_pose(&seed, &p.in[0]);
    p.in[0].local_to_parent[2][1][0] += 0.25f;
    for (uint32_t n = 0; n < NODES; n++)
        for (int i = 1; i < 3; i++)
            blend_copy_node(&p.in[0], n, &p.in[i]);
    blend(&p, 0.1, 0.2, 0.7);
    poses_equal(&p.out, &p.in[0]);
    scene_free(p.scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(half_of_a_right_angle_is_45_degrees),
        cmocka_unit_test(two_turn_at_constant_speed),
        cmocka_unit_test(the_weight_belongs_to_its_pose),
        cmocka_unit_test(the_matrix_is_that_of_the_parts),
        cmocka_unit_test(three_are_a_normalised_sum),
        cmocka_unit_test(order_does_not_count),
        cmocka_unit_test(the_sign_of_a_quaternion_does_not_count),
        cmocka_unit_test(opposite_quaternions_do_not_cancel),
        cmocka_unit_test(one_weight_gives_that_pose_bit_by_bit),
        cmocka_unit_test(equal_nodes_stay_as_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
