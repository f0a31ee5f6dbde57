/*
 * The walker as GLB, FBX and Collada against what Blender itself made of it, at five frames of each clip: all
 * vertices as point sets, after the axes and units that fixtures/walker/README.md states.
 */
#include "cmocka_setup.h"

#include <stdio.h>
#include <string.h>

#include "cli/points.h"
#include "run_binary.h"

static const double height = 1.39, limit = 2e-5; /* metres; of the height */

static const struct {
    const char *clip;
    int frames[5];
} clips[] = {{"idle", {0, 9, 21, 31, 48}}, {"walk", {0, 3, 9, 17, 24}}, {"wave", {0, 7, 15, 27, 36}}};

/* One export: which file and clip name stand for a clip, and how large a metre is. */
struct export {
    const char *name;
    const char *file[3];
    const char *clip[3];
    double unit;
};

static const struct export exports[] = {
    {"glb", {"walker.glb", "walker.glb", "walker.glb"}, {"idle", "walk", "wave"}, 1},
    {"fbx", {"walker.fbx", "walker.fbx", "walker.fbx"}, {"rig|idle", "walk", "2"}, 100},
    {"dae", {"walker-idle.dae", "walker.dae", "walker-wave.dae"}, {"rig_rig", "rig_rig", "0"}, 1},
};

static void format_time(double time, char out[static 32])
{
    snprintf(out, 32, "%.6f", time);
    for (size_t n = strlen(out); out[n - 1] == '0' && out[n - 4] != '.'; n--)
        out[n - 1] = '\0';
}

/* Blender's axes, Z up, to the scene's, Y up. */
static struct points truth_of(const char *clip, double time, double unit)
{
    char path[512], text[32];
    format_time(time, text);
    snprintf(path, sizeof path, "%s/walker/truth/%s_%s.obj", FIXTURES, clip, text);
    struct points truth = points_of_obj(slurp(path, NULL), "v", NULL);
    for (size_t i = 0; i < truth.count; i++) {
        const double b[3] = {truth.at[i][0], truth.at[i][1], truth.at[i][2]};
        truth.at[i][0] = unit * b[0];
        truth.at[i][1] = unit * b[2];
        truth.at[i][2] = unit * -b[1];
    }
    assert_int_equal(truth.count, 1764);
    return truth;
}

static struct points posed(const struct export *export, int clip, int frame)
{
    char path[512], time[64];
    snprintf(path, sizeof path, "%s/walker/%s", FIXTURES, export->file[clip]);
    snprintf(time, sizeof time, "%.17g", frame / 24.0);
    const struct outcome *obj = rigproof_good("dump", path, "--clip", export->clip[clip], "--time", time, "--format",
                                              "obj", "--influences", "all");
    assert_null(find_not_finite(obj->out));
    return points_of_obj(obj->out, "v", NULL);
}

static void agrees(const struct export *export)
{
    double worst = 0;
    for (int c = 0; c < 3; c++)
        for (int f = 0; f < 5; f++) {
            struct points truth = truth_of(clips[c].clip, clips[c].frames[f] / 24.0, export->unit);
            struct points got = posed(export, c, clips[c].frames[f]);
            double apart = points_apart(&truth, &got) / export->unit;
            worst = fmax(worst, apart);
            if (!(apart <= limit * height))
                fail_msg("%s, clip %s, frame %d: %zu vertices are up to %.3g m from the truth, the limit is %.3g m",
                         export->name, clips[c].clip, clips[c].frames[f], got.count, apart, limit * height);
            points_release(&truth);
            points_release(&got);
        }
    print_message("%s: vertices at most %.3g m from the truth, %.3g of the height\n", export->name, worst,
                  worst / height);
}

static void glb_agrees_with_blender(void **state)
{
    (void)state;
    agrees(&exports[0]);
}

static void fbx_agrees_with_blender(void **state)
{
    (void)state;
    agrees(&exports[1]);
}

static void dae_agrees_with_blender(void **state)
{
    (void)state;
    agrees(&exports[2]);
}

static void rest_pose_is_the_mesh_as_modelled(void **state)
{
    (void)state;
    for (int e = 0; e < 3; e++) {
        char path[512];
        snprintf(path, sizeof path, "%s/walker/%s", FIXTURES, exports[e].file[1]);
        struct points truth = points_of_obj(slurp(FIXTURES "/walker/truth/rest.obj", NULL), "v", NULL);
        const struct outcome *obj =
            rigproof_good("dump", path, "--clip", "none", "--format", "obj", "--influences", "all");
        struct points got = points_of_obj(obj->out, "v", NULL);
        for (size_t i = 0; i < truth.count; i++) {
            double y = truth.at[i][1];
            truth.at[i][0] *= exports[e].unit;
            truth.at[i][1] = exports[e].unit * truth.at[i][2];
            truth.at[i][2] = exports[e].unit * -y;
        }
        double apart = points_apart(&truth, &got) / exports[e].unit;
        if (!(apart <= limit * height))
            fail_msg("%s: rest pose is %.3g m from the mesh", exports[e].name, apart);
        points_release(&truth);
        points_release(&got);
    }
}

/* The test itself must be able to fail: neighbouring frames are farther apart than the limit. */
static void limit_tells_frames_apart(void **state)
{
    (void)state;
    struct points truth = truth_of("walk", 3 / 24.0, 1);
    struct points got = posed(&exports[0], 1, 4);
    assert_true(points_apart(&truth, &got) > 100 * limit * height);
    points_release(&truth);
    points_release(&got);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        scratch_test(glb_agrees_with_blender),
        scratch_test(fbx_agrees_with_blender),
        scratch_test(dae_agrees_with_blender),
        scratch_test(rest_pose_is_the_mesh_as_modelled),
        scratch_test(limit_tells_frames_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
