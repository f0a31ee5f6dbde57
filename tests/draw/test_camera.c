#include "draw/camera.h"

#include "rendering.h"

static void to_clip(const struct camera *camera, float aspect, const double p[3], double out[4])
{
    mat4 view, projection;
    double eye[4];
    camera_matrices(camera, aspect, view, projection);
    for (int r = 0; r < 4; r++)
        eye[r] = view[0][r] * p[0] + view[1][r] * p[1] + view[2][r] * p[2] + view[3][r];
    for (int r = 0; r < 4; r++)
        out[r] = projection[0][r] * eye[0] + projection[1][r] * eye[1] + projection[2][r] * eye[2] +
                 projection[3][r] * eye[3];
}

/* Largest |x| or |y| on the screen over points spread on the sphere; fails when one is not in the depth range. */
static double reach_of_sphere(const struct camera *camera, float aspect, const double center[3], double radius)
{
    double reach = 0;
    for (int i = 0; i < 400; i++) {
        double z = 1 - 2 * (i + 0.5) / 400, around = i * 2.399963229728653, level = sqrt(1 - z * z);
        const double p[3] = {center[0] + radius * level * cos(around), center[1] + radius * level * sin(around),
                             center[2] + radius * z};
        double clip[4];
        to_clip(camera, aspect, p, clip);
        assert_true(clip[3] > 0);
        assert_true(fabs(clip[2]) < clip[3]);
        reach = fmax(reach, fmax(fabs(clip[0]), fabs(clip[1])) / clip[3]);
    }
    return reach;
}

static const struct bounds box = {{-1, 2, -3}, {5, 4, 9}};
static const double box_center[3] = {2, 3, 3};

static double box_radius(void)
{
    return sqrt(9 + 1 + 36);
}

static void the_bounding_sphere_fits_from_everywhere(void **state)
{
    (void)state;
    static const float aspects[] = {0.25f, 0.75f, 1, 1.7777f, 8}, fovs[] = {0, 10, 30, 90, 150};
    for (int axis = 0; axis < 3; axis++)
        for (int sign = -1; sign <= 1; sign += 2)
            for (size_t a = 0; a < 5; a++)
                for (size_t f = 0; f < 5; f++)
                    for (int step = 0; step < 12; step++) {
                        struct orbit orbit = {.yaw = (float)(step * 37 - 180), .pitch = (float)(step * 15 - 90),
                                              .zoom = 1, .fov = fovs[f]};
                        struct camera camera = camera_orbit(&box, &orbit, axis, sign, aspects[a]);
                        double reach = reach_of_sphere(&camera, aspects[a], box_center, box_radius());
                        if (!(reach < 1.0001 && reach > 0.9))
                            fail_msg("axis %d sign %d aspect %g fov %g yaw %g pitch %g: reaches %g", axis, sign,
                                     (double)aspects[a], (double)fovs[f], (double)orbit.yaw,
                                     (double)orbit.pitch, reach);
                    }
}

static void assert_vec3(const float *v, double x, double y, double z)
{
    const double want[3] = {x, y, z};
    for (int i = 0; i < 3; i++)
        if (fabs(v[i] - want[i]) > 1e-5)
            fail_msg("expected %g %g %g, observed %g %g %g", x, y, z, (double)v[0], (double)v[1], (double)v[2]);
}

/* Where the camera of an orbit stands, seen from the centre, as a unit vector. */
static void direction(int axis, int sign, float yaw, float pitch, float out[3])
{
    static const struct bounds unit = {{-1, -1, -1}, {1, 1, 1}};
    struct orbit orbit = {.yaw = yaw, .pitch = pitch, .zoom = 1, .fov = 30};
    struct camera camera = camera_orbit(&unit, &orbit, axis, sign, 1);
    float length = sqrtf(camera.eye[0] * camera.eye[0] + camera.eye[1] * camera.eye[1] + camera.eye[2] * camera.eye[2]);
    for (int i = 0; i < 3; i++)
        out[i] = camera.eye[i] / length;
}

static void yaw_zero_looks_at_the_front(void **state)
{
    (void)state;
    float at[3];
    direction(1, 1, 0, 0, at);
    assert_vec3(at, 0, 0, 1);
    direction(2, 1, 0, 0, at);
    assert_vec3(at, 0, -1, 0);
    direction(0, 1, 0, 0, at);
    assert_vec3(at, 0, 0, 1);
    direction(1, 1, 90, 0, at);
    assert_vec3(at, 1, 0, 0);
    direction(2, 1, 90, 0, at);
    assert_vec3(at, 1, 0, 0);
    direction(1, 1, 0, 90, at);
    assert_vec3(at, 0, 1, 0);
    direction(2, 1, 0, 30, at);
    assert_vec3(at, 0, -sqrt(0.75), 0.5);
    direction(1, -1, 0, 30, at);
    assert_vec3(at, 0, -0.5, sqrt(0.75));
}

static void up_is_up_and_right_is_right(void **state)
{
    (void)state;
    static const struct bounds unit = {{-1, -1, -1}, {1, 1, 1}};
    for (int axis = 0; axis < 3; axis++)
        for (int sign = -1; sign <= 1; sign += 2)
            for (int pitch = -90; pitch <= 90; pitch += 45) {
                struct orbit orbit = {.yaw = 20, .pitch = (float)pitch, .zoom = 1, .fov = 30};
                struct camera camera = camera_orbit(&unit, &orbit, axis, sign, 1);
                mat4 view, projection;
                camera_matrices(&camera, 1, view, projection);
                for (int r = 0; r < 3; r++) { /* rows are unit length, at right angles, right-handed */
                    double length = 0, across = 0;
                    for (int i = 0; i < 3; i++) {
                        length += view[i][r] * view[i][r];
                        across += view[i][r] * view[i][(r + 1) % 3];
                    }
                    assert_true(fabs(length - 1) < 1e-6 && fabs(across) < 1e-6);
                }
                double up = sign * view[axis][1];
                assert_true(fabs(up - cos(pitch * 3.14159265358979 / 180)) < 1e-6);
            }
}

static void zoom_enlarges(void **state)
{
    (void)state;
    static const float zooms[] = {0.1f, 0.5f, 1, 2, 10};
    for (int ortho = 0; ortho < 2; ortho++)
        for (size_t i = 0; i < 5; i++) {
            struct orbit orbit = {.zoom = zooms[i], .fov = ortho ? 0 : 30};
            struct camera camera = camera_orbit(&box, &orbit, 1, 1, 1);
            double reach = reach_of_sphere(&camera, 1, box_center, box_radius());
            /* Moving away is not exactly a scale in perspective. */
            assert_true(fabs(reach / (double)zooms[i] - 1) < 0.06);
        }
}

static void odd_bounds_are_framed_as_a_unit_box(void **state)
{
    (void)state;
    struct bounds odd[] = {bounds_empty(),
                           {{0, 0, 0}, {0, 0, 0}},
                           {{NAN, 0, 0}, {1, 1, 1}},
                           {{0, 0, 0}, {INFINITY, 1, 1}}};
    const double origin[3] = {0, 0, 0};
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
        struct orbit orbit = {.zoom = 1, .fov = 30};
        struct camera camera = camera_orbit(&odd[i], &orbit, 1, 1, 1);
        double reach = reach_of_sphere(&camera, 1, origin, sqrt(0.75));
        assert_true(reach < 1.0001 && reach > 0.9);
    }
}

static void a_camera_of_the_file_follows_its_node(void **state)
{
    (void)state;
    struct scene_camera file = {.name = "c", .position = {0, 0, 1}, .forward = {0, 0, -1}, .up = {0, 1, 0},
                                .fov_y = 0.7f, .near_plane = 0.1f, .far_plane = 50};
    struct bounds near = {{-1, -1, -1}, {1, 1, 1}};
    struct camera camera = camera_from_scene(&file, NULL, &near);
    assert_vec3(camera.eye, 0, 0, 1);
    assert_true(camera.near_plane == 0.1f && camera.far_plane == 50);
    /* Turned by 90 degrees about y (z -> x), scaled by 2, moved. */
    const mat4 node = {{0, 0, -2, 0}, {0, 2, 0, 0}, {2, 0, 0, 0}, {7, 0, 0, 1}};
    camera = camera_from_scene(&file, &node, &near);
    assert_vec3(camera.eye, 9, 0, 0);
    assert_vec3(camera.up, 0, 1, 0);
    assert_true(camera.target[0] < 9 && camera.target[1] == 0);
    const double origin[3] = {0, 0, 0};
    double clip[4];
    to_clip(&camera, 1, origin, clip);
    assert_true(fabs(clip[0]) < 1e-6 && fabs(clip[1]) < 1e-6 && fabs(clip[2]) < clip[3]);
}

static void planes_that_clip_everything_are_widened(void **state)
{
    (void)state;
    struct scene_camera file = {.name = "c", .position = {0, 0, 1000}, .forward = {0, 0, -1}, .up = {0, 1, 0},
                                .fov_y = 0.7f, .near_plane = 0.1f, .far_plane = 100};
    struct bounds unit = {{-1, -1, -1}, {1, 1, 1}};
    const double origin[3] = {0, 0, 0};
    const float planes[][2] = {{0.1f, 100}, {2000, 3000}, {0, 0}, {NAN, 1}, {5, 1}};
    for (size_t i = 0; i < sizeof planes / sizeof planes[0]; i++) {
        file.near_plane = planes[i][0];
        file.far_plane = planes[i][1];
        struct camera camera = camera_from_scene(&file, NULL, &unit);
        reach_of_sphere(&camera, 1, origin, sqrt(3));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bounding_sphere_fits_from_everywhere),
        cmocka_unit_test(yaw_zero_looks_at_the_front),
        cmocka_unit_test(up_is_up_and_right_is_right),
        cmocka_unit_test(zoom_enlarges),
        cmocka_unit_test(odd_bounds_are_framed_as_a_unit_box),
        cmocka_unit_test(a_camera_of_the_file_follows_its_node),
        cmocka_unit_test(planes_that_clip_everything_are_widened),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
