/* Cameras against each other, by closed form. */
#include "cmocka_setup.h"

#include "compare/compare.h"

static const struct camera seen = {.eye = {0, 0, 10}, .up = {0, 1, 0}, .fov_y = 0.5f, .near_plane = 5, .far_plane = 15};

/* Of a model whose radius is 4. The direction of `up` counts at right angles to the view only, the target's distance not at all. */
TEST(each_number_counts)
{
    const double degree = acos(-1) / 180;
    struct {
        struct camera camera;
        double measure;
        const char *how; /* NULL: nothing is told */
    } rows[] = {
        {seen, 0, NULL},
        {seen, 0.5, "the camera would stand 2.00 units (50 % of the model's radius) further away"},
        {seen, 0.25, "the camera would stand 1.00 units (25 % of the model's radius) nearer"},
        {seen, 0.25, "elsewhere"},
        {seen, 10 * degree, "the camera would be turned by 10.0°"},
        {seen, 0.1, "field of view 34.4°, was 28.6°"},
        {seen, 0.5, "half the height seen 2, was 0"},
        {seen, 0.75, "near plane 2, was 5"},
        {seen, 1.25, "far plane 20, was 15"},
        {seen, 0, NULL},
        {seen, 0, NULL},
    };
    rows[1].camera.eye[2] = 12;
    rows[2].camera.eye[2] = 9;
    rows[3].camera.eye[0] = rows[3].camera.target[0] = 1;
    rows[4].camera.up[0] = (float)sin(10 * degree);
    rows[4].camera.up[1] = (float)cos(10 * degree);
    rows[5].camera.fov_y = 0.6f;
    rows[6].camera.ortho_height = 2;
    rows[7].camera.near_plane = 2;
    rows[8].camera.far_plane = 20;
    rows[9].camera.up[2] = 0.7f;
    rows[10].camera.target[2] = -90;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        SCOPED(text) how = {0};
        double measure = compare_cameras(&seen, &rows[i].camera, 4, &how);
        if (!(fabs(measure - rows[i].measure) < 1e-6))
            fail_msg("row %zu: %.9g, not %.9g", i, measure, rows[i].measure);
        if (rows[i].how ? !strstr(text_string(&how), rows[i].how) : how.size > 0)
            fail_msg("row %zu: `%s`", i, text_string(&how));
    }
}
