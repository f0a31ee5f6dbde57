#include "draw/frame/camera.h"

#include "draw/rendering.h"

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
static double extent_of_sphere(const struct camera *camera, float aspect, const double center[3], double radius)
{
    double extent = 0;
    for (int i = 0; i < 400; i++) {
        double z = 1 - 2 * (i + 0.5) / 400, around = i * 2.399963229728653, level = sqrt(1 - z * z);
        const double p[3] = {center[0] + radius * level * cos(around), center[1] + radius * level * sin(around),
                             center[2] + radius * z};
        double clip[4];
        to_clip(camera, aspect, p, clip);
        assert_true(clip[3] > 0);
        assert_true(fabs(clip[2]) < clip[3]);
        extent = fmax(extent, fmax(fabs(clip[0]), fabs(clip[1])) / clip[3]);
    }
    return extent;
}

static const struct bounds box = {{-1, 2, -3}, {5, 4, 9}};
static const double box_center[3] = {2, 3, 3};

static double box_radius(void)
{
    return sqrt(9 + 1 + 36);
}

TEST(the_bounding_sphere_fits_from_everywhere)
{
    static const float aspects[] = {0.25f, 0.75f, 1, 1.7777f, 8}, fovs[] = {0, 10, 30, 90, 150};
    for (int axis = 0; axis < 3; axis++)
        for (int sign = -1; sign <= 1; sign += 2)
            for (size_t a = 0; a < 5; a++)
                for (size_t f = 0; f < 5; f++)
                    for (int step = 0; step < 12; step++) {
                        struct orbit orbit = {.yaw = (float)(step * 37 - 180), .pitch = (float)(step * 15 - 90),
                                              .zoom = 1, .fov = fovs[f]};
                        struct camera camera = camera_orbit(&box, &orbit, axis, sign, aspects[a]);
                        double extent = extent_of_sphere(&camera, aspects[a], box_center, box_radius());
                        if (!(extent < 1.0001 && extent > 0.9))
                            fail_msg("axis %d sign %d aspect %g fov %g yaw %g pitch %g: reaches %g", axis, sign,
                                     (double)aspects[a], (double)fovs[f], (double)orbit.yaw,
                                     (double)orbit.pitch, extent);
                    }
}

static void assert_vec3(const float *v, double x, double y, double z)
{
    const double want[3] = {x, y, z};
    for (int i = 0; i < 3; i++)
        if (fabs(v[i] - want[i]) > 1e-5)
            fail_msg("expected %g %g %g, observed %g %g %g", x, y, z, (double)v[0], (double)v[1], (double)v[2]);
}

TEST(yaw_zero_looks_at_the_front)
{
    static const struct {
        int axis, sign;
        float yaw, pitch;
        double at[3];
    } cases[] = {{1, 1, 0, 0, {0, 0, 1}},   {2, 1, 0, 0, {0, -1, 0}}, {0, 1, 0, 0, {0, 0, 1}},
                 {1, 1, 90, 0, {1, 0, 0}},  {2, 1, 90, 0, {1, 0, 0}}, {1, 1, 0, 90, {0, 1, 0}},
                 {2, 1, 0, 30, {0, -0.8660254, 0.5}}, {1, -1, 0, 30, {0, -0.5, 0.8660254}}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        static const struct bounds unit = {{-1, -1, -1}, {1, 1, 1}};
        const struct orbit orbit = {.yaw = cases[i].yaw, .pitch = cases[i].pitch, .zoom = 1, .fov = 30};
        struct camera camera = camera_orbit(&unit, &orbit, cases[i].axis, cases[i].sign, 1);
        float *eye = camera.eye, length = sqrtf(eye[0] * eye[0] + eye[1] * eye[1] + eye[2] * eye[2]);
        for (int k = 0; k < 3; k++)
            eye[k] /= length; /* seen from the centre */
        assert_vec3(eye, cases[i].at[0], cases[i].at[1], cases[i].at[2]);
    }
}

TEST(zoom_enlarges)
{
    static const float zooms[] = {0.1f, 0.5f, 1, 2, 10};
    for (int ortho = 0; ortho < 2; ortho++)
        for (size_t i = 0; i < 5; i++) {
            struct orbit orbit = {.zoom = zooms[i], .fov = ortho ? 0 : 30};
            struct camera camera = camera_orbit(&box, &orbit, 1, 1, 1);
            double extent = extent_of_sphere(&camera, 1, box_center, box_radius());
            /* Moving away is not exactly a scale in perspective. */
            assert_true(fabs(extent / (double)zooms[i] - 1) < 0.06);
        }
}

TEST(odd_bounds_are_framed_as_a_unit_box)
{
    struct bounds odd[] = {bounds_empty(),
                           {{0, 0, 0}, {0, 0, 0}},
                           {{NAN, 0, 0}, {1, 1, 1}},
                           {{0, 0, 0}, {INFINITY, 1, 1}}};
    const double origin[3] = {0, 0, 0};
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
        struct orbit orbit = {.zoom = 1, .fov = 30};
        struct camera camera = camera_orbit(&odd[i], &orbit, 1, 1, 1);
        double extent = extent_of_sphere(&camera, 1, origin, sqrt(0.75));
        assert_true(extent < 1.0001 && extent > 0.9);
    }
}

/* A camera that stands somewhere. */
struct standing {
    vec3 eye, up;
    bool has_up;
    struct orbit orbit;
};

static struct standing look(float x, float y, float z, float fov)
{
    return (struct standing){.eye = {x, y, z}, .orbit = {.target = {2, 3, 3}, .fov = fov, .has_target = true}};
}

static struct camera camera_of(const struct standing *s, int up_axis, int up_sign)
{
    return camera_free(&box, &s->orbit, s->eye, s->has_up ? s->up : NULL, up_axis, up_sign);
}

/* Where a point comes to lie: right and up, from -1 to 1. */
static void assert_seen_at(const struct camera *camera, float aspect, double x, double y, double z, double right, double up)
{
    const double p[3] = {x, y, z};
    double clip[4];
    to_clip(camera, aspect, p, clip);
    if (fabs(clip[0] / clip[3] - right) > 1e-5 || fabs(clip[1] / clip[3] - up) > 1e-5)
        fail_msg("%g %g %g is seen at %g %g, not at %g %g", x, y, z, clip[0] / clip[3], clip[1] / clip[3], right, up);
}

/* 90 degrees at distance 10: the view is 20 high there. */
TEST(a_free_camera_projects_as_told)
{
    struct standing choice = look(2, 3, 13, 90);
    struct camera camera = camera_of(&choice, 1, 1);
    assert_seen_at(&camera, 1, 5, 7, 3, 0.3, 0.4);
    assert_seen_at(&camera, 2, 5, 7, 3, 0.15, 0.4);
    assert_seen_at(&camera, 1, 5, 7, 8, 0.6, 0.8); /* at half the distance */
    camera = camera_of(&choice, 1, -1);
    assert_seen_at(&camera, 1, 5, 7, 3, -0.3, -0.4);
    camera = camera_of(&choice, 0, 1); /* x is up: y goes to the left */
    assert_seen_at(&camera, 1, 5, 7, 3, -0.4, 0.3);
    choice.has_up = true;
    choice.up[0] = -7; /* of any length */
    camera = camera_of(&choice, 1, 1);
    assert_seen_at(&camera, 1, 5, 7, 3, 0.4, -0.3);
    choice.up[0] = 0;
    choice.up[1] = 1;
    choice.up[2] = 5; /* what of it is along the view does not count */
    camera = camera_of(&choice, 0, 1);
    assert_seen_at(&camera, 1, 5, 7, 3, 0.3, 0.4);
}

/* From straight above and below: as an orbit that was pitched up there. */
TEST(looking_along_up_is_no_accident)
{
    for (int axis = 0; axis < 3; axis++)
        for (int pitch = -90; pitch <= 90; pitch += 180) {
            struct orbit orbit = {.pitch = (float)pitch, .zoom = 1, .fov = 30};
            struct camera round = camera_orbit(&box, &orbit, axis, 1, 1);
            struct standing choice = look(2, 3, 3, 30);
            choice.eye[axis] += pitch > 0 ? 20 : -20;
            struct camera camera = camera_of(&choice, axis, 1);
            assert_vec3(camera.up, round.up[0], round.up[1], round.up[2]);
        }
}

TEST(planes_of_a_free_camera_hold_the_bounds)
{
    static const float eyes[][3] = {{2, 3, 40}, {300, -200, 7}, {2, 900, 4}};
    for (size_t i = 0; i < 3; i++)
        for (int ortho = 0; ortho < 2; ortho++) {
            struct standing choice = look(eyes[i][0], eyes[i][1], eyes[i][2], ortho ? 0 : 30);
            choice.orbit.ortho_height = ortho ? 9 : 0;
            struct camera camera = camera_of(&choice, 1, 1);
            extent_of_sphere(&camera, 1, box_center, box_radius());
        }
    struct standing inside = look(2, 3, 3.5f, 30), away = look(2, 3, 100, 30);
    for (int i = 0; i < 3; i++)
        away.orbit.target[i] = 2 * away.eye[i]; /* behind it */
    struct camera camera = camera_of(&inside, 1, 1);
    assert_true(camera.near_plane > 0 && camera.near_plane < 0.02f && camera.far_plane > 8);
    camera = camera_of(&away, 1, 1);
    assert_true(camera.near_plane > 0 && camera.far_plane > camera.near_plane);
}

/* Of a free camera and of an orbit. */
TEST(planes_are_those_that_are_given)
{
    static const float cases[][2] = {{0.5f, 0}, {0, 60}, {1, 2}, {500, 0}, {0, 1e-3f}}; /* 0: not given */
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int way = 0; way < 4; way++) {
            const float near = cases[i][0], far = cases[i][1], fov = way % 2 ? 30 : 0;
            struct standing choice = look(2, 3, 40, fov);
            struct orbit orbit = way < 2 ? choice.orbit : (struct orbit){.zoom = 1, .fov = fov};
            orbit.has_near = near > 0;
            orbit.has_far = far > 0;
            orbit.near_plane = near;
            orbit.far_plane = far;
            choice.orbit = orbit;
            struct camera camera = way < 2 ? camera_of(&choice, 1, 1) : camera_orbit(&box, &orbit, 1, 1, 1);
            assert_true((near == 0 || camera.near_plane == near) && (far == 0 || camera.far_plane == far));
            assert_true(camera.far_plane > camera.near_plane && (fov == 0 || camera.near_plane > 0));
        }
}

/* From every side, what it goes around is in the middle, and so is its size that of an orbit around the bounds. */
TEST(an_orbit_goes_around_its_target)
{
    static const float fovs[] = {0, 30, 110};
    for (int axis = 0; axis < 3; axis++)
        for (int f = 0; f < 3; f++)
            for (int step = 0; step < 12; step++) {
                struct orbit orbit = {.yaw = (float)(step * 37 - 180), .pitch = (float)(step * 15 - 90), .zoom = 1.5f,
                                      .fov = fovs[f]};
                struct camera bounds = camera_orbit(&box, &orbit, axis, 1, 2);
                orbit.has_target = true;
                memcpy(orbit.target, (float[3]){4, 2.5f, -2}, sizeof orbit.target);
                struct camera camera = camera_orbit(&box, &orbit, axis, 1, 2);
                assert_seen_at(&camera, 2, 4, 2.5, -2, 0, 0);
                assert_true(camera.fov_y == bounds.fov_y && camera.ortho_height == bounds.ortho_height);
                for (int i = 0; i < 3; i++) {
                    double moved = camera.eye[i] - bounds.eye[i], wanted = orbit.target[i] - box_center[i];
                    assert_true(fabs(moved - wanted) < 1e-4);
                }
                for (int corner = 0; corner < 8 && f < 2; corner++) { /* the planes hold the box, where the eye is outside of it */
                    const double p[3] = {corner & 1 ? 5 : -1, corner & 2 ? 4 : 2, corner & 4 ? 9 : -3};
                    double clip[4];
                    to_clip(&camera, 2, p, clip);
                    assert_true(fabs(clip[2]) < clip[3]);
                }
            }
}

TEST(pan_is_a_part_of_the_picture)
{
    static const float pans[][2] = {{0.5f, 0}, {0, 0.5f}, {-0.5f, -0.5f}, {0.125f, -0.25f}, {3, 0}};
    for (int ortho = 0; ortho < 2; ortho++)
        for (size_t i = 0; i < sizeof pans / sizeof pans[0]; i++) {
            struct orbit orbit = {.yaw = 33, .pitch = 21, .zoom = 2, .fov = ortho ? 0 : 40};
            struct camera camera = camera_orbit(&box, &orbit, 1, 1, 1.5f);
            camera_pan(&camera, pans[i], 1.5f);
            assert_seen_at(&camera, 1.5f, 2, 3, 3, -2 * (double)pans[i][0], -2 * (double)pans[i][1]);
            struct standing choice = look(7, 9, 20, ortho ? 0 : 50);
            choice.orbit.ortho_height = 3;
            camera = camera_of(&choice, 1, 1);
            camera_pan(&camera, pans[i], 1.5f);
            assert_seen_at(&camera, 1.5f, 2, 3, 3, -2 * (double)pans[i][0], -2 * (double)pans[i][1]);
        }
}

TEST(a_camera_of_the_file_looks_ahead)
{
    static const float planes[][2] = {{-5, 5}, {-50, 10}};
    struct bounds unit = {{-1, -1, -1}, {1, 1, 1}};
    for (int i = 0; i < 2; i++) {
        struct scene_camera file = {.name = "c", .forward = {1, 0, 0}, .up = {0, 1, 0}, .ortho_height = 2,
                                    .near_plane = planes[i][0], .far_plane = planes[i][1]};
        struct camera camera = camera_from_scene(&file, NULL, &unit);
        assert_true(camera.target[0] > camera.eye[0]);
        assert_seen_at(&camera, 1, 0, 0, 1, 0.5, 0);
    }
}

TEST(a_camera_of_the_file_follows_its_node)
{
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

TEST(planes_that_clip_everything_are_widened)
{
    struct scene_camera file = {.name = "c", .position = {0, 0, 1000}, .forward = {0, 0, -1}, .up = {0, 1, 0},
                                .fov_y = 0.7f, .near_plane = 0.1f, .far_plane = 100};
    struct bounds unit = {{-1, -1, -1}, {1, 1, 1}};
    const double origin[3] = {0, 0, 0};
    const float planes[][2] = {{0.1f, 100}, {2000, 3000}, {0, 0}, {NAN, 1}, {5, 1}};
    for (size_t i = 0; i < sizeof planes / sizeof planes[0]; i++) {
        file.near_plane = planes[i][0];
        file.far_plane = planes[i][1];
        struct camera camera = camera_from_scene(&file, NULL, &unit);
        extent_of_sphere(&camera, 1, origin, sqrt(3));
    }
}
