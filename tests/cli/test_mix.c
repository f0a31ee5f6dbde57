/*
 * Blends, transitions, masks and additive layers of the walker against fixtures/walker/mixes.json: Blender's evaluation of
 * the single clips, put together by scripts/fixtures/walker_mix.py. Palettes, measured by how far they move the joint that
 * they belong to and points around it.
 */
#include "cmocka_setup.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "run_binary.h"

static const double radius = 0.7, limit = 1e-5; /* metres, half of the height; of the radius */
static const double probe_distance = 0.1;                /* metres from the joint: bones are that long */

static json_t *mixes(void)
{
    size_t size = 0;
    char *text = slurp(FIXTURES "/walker/mixes.json", &size);
    return read_json(text, size);
}

static void read_numbers(const json_t *array, size_t count, double *out)
{
    assert_int_equal(json_array_size(array), count);
    for (size_t i = 0; i < count; i++)
        out[i] = json_number_value(json_array_get(array, i));
}

static void apply(const double rows[12], const double p[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = rows[4 * i] * p[0] + rows[4 * i + 1] * p[1] + rows[4 * i + 2] * p[2] + rows[4 * i + 3];
}

/* Blender's (x, y, z) is the file's (x, z, -y). */
static void to_file(const double blender[3], double out[3])
{
    out[0] = blender[0];
    out[1] = blender[2];
    out[2] = -blender[1];
}

static double displacement(const double deform[12], const double matrix[12], const double joint[3])
{
    double worst = 0;
    for (int i = 0; i < 7; i++) { /* the joint, and a step along each axis both ways */
        double point[3] = {joint[0], joint[1], joint[2]}, moved[3], want[3], rest[3], got[3];
        if (i > 0)
            point[(i - 1) / 2] += i % 2 ? probe_distance : -probe_distance;
        apply(deform, point, moved);
        to_file(moved, want);
        to_file(point, rest);
        apply(matrix, rest, got);
        worst = fmax(worst, sqrt(pow(got[0] - want[0], 2) + pow(got[1] - want[1], 2) + pow(got[2] - want[2], 2)));
    }
    return worst;
}

/* How far the worst bone's palette is from the mix; every bone must be there. */
static double apart(const json_t *pose, const json_t *mix, const json_t *joints, const char **bone)
{
    double worst = 0;
    size_t i, seen = 0;
    json_t *entry;
    json_array_foreach(json_object_get(pose, "palette"), i, entry)
    {
        double deform[12], matrix[12], joint[3];
        const char *name = json_string_value(json_object_get(entry, "bone"));
        read_numbers(json_object_get(json_object_get(mix, "deform"), name), 12, deform);
        read_numbers(json_object_get(joints, name), 3, joint);
        read_numbers(json_object_get(entry, "matrix"), 12, matrix);
        double moved = displacement(deform, matrix, joint);
        if (!(moved <= worst)) {
            worst = moved;
            *bone = name;
        }
        seen++;
    }
    assert_true(seen >= json_object_size(joints));
    return worst;
}

static json_t *posed(const json_t *mix, int frame)
{
    const char *option[8] = {NULL};
    char time[64];
    const json_t *options = json_object_get(mix, "options");
    assert_true(json_array_size(options) <= 6);
    for (size_t i = 0; i < json_array_size(options); i++)
        option[i] = json_string_value(json_array_get(options, i));
    for (size_t i = json_array_size(options); i < 6; i += 2) { /* to say again what is so anyway */
        option[i] = "--wrap";
        option[i + 1] = "loop";
    }
    snprintf(time, sizeof time, "%.17g", frame / 24.0);
    const struct outcome *dump = rigproof_good("dump", FIXTURES "/walker/walker.glb", option[0], option[1], option[2],
                                               option[3], option[4], option[5], "--time", time, "--format", "json");
    return read_json(dump->out, strlen(dump->out));
}

static int frame_of(const json_t *mix)
{
    return (int)json_integer_value(json_object_get(mix, "frame"));
}

static void mixes_agree_with_blender(void **state)
{
    (void)state;
    json_t *root = mixes(), *mix;
    size_t i;
    double worst = 0;
    assert_int_equal(json_array_size(json_object_get(root, "mixes")), 30);
    json_array_foreach(json_object_get(root, "mixes"), i, mix)
    {
        const char *bone = "none";
        json_t *pose = posed(mix, frame_of(mix));
        double moved = apart(pose, mix, json_object_get(root, "joints"), &bone);
        worst = fmax(worst, moved);
        if (!(moved <= limit * radius))
            fail_msg("%s, frame %d: `%s` is %.3g m away, the limit is %.3g m",
                     json_string_value(json_object_get(mix, "name")), frame_of(mix), bone, moved, limit * radius);
        json_decref(pose);
    }
    print_message("at most %.3g m, %.3g of the radius\n", worst, worst / radius);
    json_decref(root);
}

/* The test itself must be able to fail: the next frame is far beyond the limit. */
static void limit_tells_frames_apart(void **state)
{
    (void)state;
    json_t *root = mixes(), *mix;
    size_t i;
    json_array_foreach(json_object_get(root, "mixes"), i, mix)
    {
        const char *bone = "none";
        json_t *pose = posed(mix, frame_of(mix) + 1);
        assert_true(apart(pose, mix, json_object_get(root, "joints"), &bone) > 100 * limit * radius);
        json_decref(pose);
    }
    json_decref(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        scratch_test(mixes_agree_with_blender),
        scratch_test(limit_tells_frames_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
