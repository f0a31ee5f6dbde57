/* Settings as keys: every form that a suite may write, against what the command line makes of the same. */
#include "cmocka_setup.h"

#include <math.h>
#include <stdlib.h>

#include "base/file/file.h"
#include "suite/describe_settings.h"
#include "suite/setting/camera_setting.h"
#include "suite/suite_text.h"

/* ---- good values ----------------------------------------------------------------------------------------------- */

static const struct {
    const char *key;
    const char *value;
    const char *brings;
} good_values[] = {
    {"clip", "walk", "clip=walk "},
    {"clip", "2", "clip=2 "},
    {"clip", "rig|walk", "clip=rig|walk "},
    {"clip", "none", "clip=none clips_from=0: influences=4 choice=0 times=0: "},
    {"clip", "'a, b: c'", "clip=a, b: c "},
    {"blend", "walk:0.7", "plays=(walk:0.7) "},
    {"blend", "[walk:0.7, 'wave:0.3']", "plays=(walk:0.7+wave:0.3) "},
    {"blend", "{walk: 0.7, rig|wave: .3}", "plays=(walk:0.7+rig|wave:.3) "},
    {"blend", "[{walk: 0.7}, walk:0.1]", "plays=(walk:0.7+walk:0.1) "},
    {"transition", "idle@0.5..0.8", "plays=((first) -> idle@0.5..0.8) "},
    {"transition", "[idle@0.5..0.8, wave@30f..36f]", "plays=((first) -> idle@0.5..0.8 -> wave@30f..36f) "},
    {"transition", "{idle: 0.5..0.8}", "plays=((first) -> idle@0.5..0.8) "},
    {"mask", "arm=wave@0.3", "plays=((first), arm=wave@0.3) "},
    {"mask", "{arm: wave@0.3, leg: idle}", "plays=((first), arm=wave@0.3, leg=idle) "},
    {"add", "[wave:0.5, idle:-1@bind]", "plays=((first), add wave:0.5, add idle:-1@bind) "},
    {"add", "{wave: 0.5@rest}", "plays=((first), add wave:0.5@rest) "},
    {"rate", "-2", "rate=-2 "},
    {"in-place", "true", "in_place=1 "},
    {"in-place", "false", "in_place=0 "},
    {"clips-from", "a.glb", "clips_from=1:a.glb "},
    {"clips-from", "[a.glb, b.glb]", "clips_from=2:b.glb "},
    {"clips-scale", "0.01", "clips_scale=0.01 "},
    {"clips-scale", "auto", "clips_scale=0 "},
    {"clips-prefix", "'mixamorig:'", "clips_prefix=mixamorig: "},
    {"time", "0.5", "choice=0 times=1:0.5; "},
    {"time", "[0.5]", "choice=0 times=1:0.5; "},
    {"times", "[0, .25, 1.0e+1, -1]", "choice=0 times=4:0;0.25;10;-1; "},
    {"times", "0,0.25", "choice=0 times=2:0;0.25; "},
    {"times", "auto", "choice=2 times=0: "},
    {"times", "[auto]", "choice=2 times=0: "},
    {"times", "{from: 1, to: 2, fps: 4}", "choice=0 times=5:1;1.25;1.5;1.75;2; "},
    {"frames", "0..24", "choice=1 times=0: frames=0..24 "},
    {"frames", "\"-3..-1\"", "frames=-3..-1 "},
    {"play", "true", "choice=3 times=0: "},
    {"play", "false", "choice=2 times=0: "},
    {"fps", "29.97", "choice=2 times=0: frames=0..0 fps=29.97 "},
    {"samples", "3", "samples=3 "},
    {"wrap", "clamp", "wrap=1 "},
    {"space", "root", "space=1 "},
    {"repair", "none", "repairs=0 "},
    {"repair", "fbx-pivots,unweighted", "repairs=65 "},
    {"repair", "[fbx-pivots, unweighted]", "repairs=65 "},
    {"assimp-flags", "[join-identical, limit-weights]", "flags=514 "},
    {"repair", "[all]", "repairs=all "},
    {"influences", "8", "influences=8 "},
    {"influences", "all", "influences=0 "},
    {"import-timeout", "0.5", "timeout=0.5 "},
    {"import-memory", "256", "memory=256 "},
    {"size", "640x480", "size=640x480 "},
    {"size", "[640, 480]", "size=640x480 "},
    {"background", "112233", "background=112233ff "},
    {"background", "\"11223344\"", "background=11223344 "},
    {"background", "001e05", "background=001e05ff "},
    {"view", "unlit", "view=1 "},
    {"overlay", "skeleton", "overlays=1 "},
    {"overlay", "[skeleton]", "overlays=1 "},
    {"overlay", "none", "overlays=0 "},
    {"overlay", "[wireframe, label]", "overlays=18 "},
    {"view", "weight:hips", "view_bone=hips "},
    {"select", "hips", "select=hips "},
    {"camera", "{yaw: -45, pitch: 5, zoom: 2.5, fov: 0}", "yaw=-45 pitch=5 zoom=2.5 fov=0 camera=(orbit) "},
    {"camera", "{zoom: 2}", "yaw=30 pitch=10 zoom=2 fov=30 camera=(orbit) "},
    {"camera", "yaw=45,pitch=5", "yaw=45 pitch=5 zoom=1 fov=30 camera=(orbit) "},
    {"camera", "file:Main", "camera=Main "},
    {"camera", "{file: Main}", "camera=Main "},
    {"camera", "{ortho: 2.5, yaw: 5}", "yaw=5 pitch=10 zoom=1 fov=0 camera=(orbit) "},
    {"up", "z", "up=2 "},
    {"palette", "ssbo", "path=3 "},
    {"palette-format", "trs", "format=2 "},
    {"skinning", "dual-quaternion", "skinning=1 "},
    {"weights", "unorm8", "weights=1 "},
    {"shaders", "glsl", "shaders=glsl "},
    {"shaders", "glsl/", "shaders=glsl "},
    {"shaders", "none", "shaders=(ours) "},
    {"profile", "native", "profile=1 "},
};

enum { GOOD = sizeof good_values / sizeof good_values[0] };

static void good_values_are_taken(void **state)
{
    (void)state;
    for (int i = 0; i < GOOD; i++) {
        char content[512], text[2048];
        snprintf(content, sizeof content, ONE_CASE "  %s: %s\n", good_values[i].key, good_values[i].value);
        struct suite *suite = read_good(content);
        describe(&suite->cases[0].settings, text);
        assert_contains(text, good_values[i].brings);
        suite_free(suite);
    }
}

/* ---- bad values ------------------------------------------------------------------------------------------------ */

static const struct {
    const char *keys; /* of a case, from line 5, column 3 on */
    const char *message;
} bad_values[] = {
    {"clip: [walk]", "5:9: clip: one value is wanted here, not a list"},
    {"clip: {walk: 1}", "5:9: clip: one value is wanted here, not a mapping"},
    {"clip:", "5:8: clip: the value is missing"},
    {"clip: ''", "5:9: clip: the value is missing"},
    {"blend: walk", "5:10: blend: `walk` is not CLIP:WEIGHT with a weight from 0 to 1000"},
    {"blend: [walk:1, wave:x]", "5:19: blend: `wave:x` is not CLIP:WEIGHT with a weight from 0 to 1000"},
    {"blend: {walk: -1}", "5:17: blend: `walk:-1`: a weight is not negative"},
    {"blend: []", "5:10: blend: there is nothing in it"},
    {"blend: {}", "5:10: blend: there is nothing in it"},
    {"blend: [[walk:1]]", "5:11: blend: a list in a list"},
    {"blend: {walk: [1]}", "5:17: blend: one value is wanted here, not a list"},
    {"blend: [walk:0]", "3:3: blend: all weights are 0"},
    {"blend: walk:1\n  clip: idle", "3:3: blend: it names all its clips, so `clip` has no place beside it: give `idle` a "
                                     "weight of its own in the blend"},
    {"blend: walk:1\n  transition: idle@0..1",
     "3:3: blend: a `transition` leads from a `clip`, not from a blend; use one or the other"},
    {"transition: idle", "5:15: transition: `idle` is not CLIP@START..END (seconds, or frames as in 12f..18f)"},
    {"mask: arm", "5:9: mask: `arm` is not BONE=CLIP or BONE=CLIP@OFFSET"},
    {"add: wave", "5:8: add: `wave` is not CLIP:WEIGHT, CLIP:WEIGHT@rest or CLIP:WEIGHT@bind with a weight from -1000 to 1000"},
    {"rate: 0", "5:9: rate: `0` is not a number from 0.001 to 1000, or the same below 0 to play backwards"},
    {"in-place: maybe", "5:13: in-place: `maybe` is neither `true` nor `false`"},
    {"assimp-flags: [join-identical, flip-uvs]",
     "5:34: assimp-flags: `flip-uvs` is not supported: textures are drawn with v as files have it: it would only turn them upside down"},
    {"clips-from: none.glb", "5:15: clips-from: there is no file `none.glb` (seen from the suite's folder)"},
    {"clips-from: [a.glb, none.glb]", "5:23: clips-from: there is no file `none.glb` (seen from the suite's folder)"},
    {"clips-scale: 0", "5:16: clips-scale: `0` is not a number from 1e-06 to 1e+06"},
    {"clips-scale: [1, 2]", "5:16: clips-scale: one value is wanted here, not a list"},
    {"clips-prefix: ''", "5:17: clips-prefix: the value is missing"},
    {"clips-from: []", "5:15: clips-from: the list is empty"},
    {"clips-from: [a.glb, [b.glb]]", "5:23: clips-from: one value is wanted here, not a list"},
    {"clips-from: [m.glb, m.glb, m.glb, m.glb, m.glb, m.glb, m.glb, m.glb, m.glb, m.glb, m.glb, m.glb, m.glb, m.glb, "
     "m.glb, m.glb, m.glb]",
     "5:128: clips-from: at most 16 files"},
    {"time: soon", "5:9: time: `soon` is not a number of seconds (T or T,T,...)"},
    {"times: soon", "5:10: times: `soon` is not a number of seconds (T or T,T,...)"},
    {"times: [0, 1, soon, later]", "5:17: times: `soon` is not a number of seconds (T or T,T,...)"},
    {"times: [0, nan]", "5:14: times: `nan` is not a number of seconds (T or T,T,...)"},
    {"times: [0, .inf]", "5:14: times: `.inf` is not a number of seconds (T or T,T,...)"},
    {"times: [auto, 1]", "5:10: times: `auto` is not a number of seconds (T or T,T,...)"},
    {"times: [0, [1]]", "5:14: times: one value is wanted here, not a list"},
    {"times: []", "5:10: times: the list is empty"},
    {"times: [0.5, 1, 0.5]", "5:10: times: 0.5 is there twice, or times are nearer than a microsecond"},
    {"times: 1,1.0000004", "5:10: times: 1.0000004 is there twice, or times are nearer than a microsecond"},
    {"times: [0, 1000001]", "5:10: times: 1000001 is more than 1000000 seconds"},
    {"time: -1e300", "5:9: time: -1e+300 is more than 1000000 seconds"},
    {"times: {from: 0, to: 1}", "5:10: times: a range wants `to` and `fps`"},
    {"times: {fps: 24}", "5:10: times: a range wants `to` and `fps`"},
    {"times: {}", "5:10: times: a range wants `to` and `fps`"},
    {"times: {from: 1, to: 0, fps: 24}", "5:10: times: `to` is before `from`"},
    {"times: {from: 0, to: 1, fps: 0}", "5:32: times.fps: `0` is not a number from 0.001 to 100000"},
    {"times: {from: 0, to: 1, step: 1}", "5:27: unknown key `step`; there are: from, to, fps"},
    {"times: {from: x, to: 1, fps: 1}", "5:17: times.from: `x` is not a number from -1e+06 to 1e+06"},
    {"times: {from: 0, to: 1e9, fps: 1}", "5:24: times.to: `1e9` is not a number from -1e+06 to 1e+06"},
    {"times: {from: 0, to: 100, fps: 1000}", "5:10: times: more than 100000 times"},
    {"frames: 5", "5:11: frames: `5` is not a range of frame numbers (A..B, both ends included)"},
    {"frames: [0, 5]", "5:11: frames: one value is wanted here, not a list"},
    {"frames: 0..100000", "5:11: frames: 0..100000 is empty or more than 100000 frames"},
    {"time: 0\n  frames: 0..1", "6:3: `time` and `frames` exclude each other"},
    {"times: auto\n  clip: a\n  time: 0", "7:3: `times` and `time` exclude each other"},
    {"play: 12", "5:9: play: `12` is neither `true` nor `false`"},
    {"play: true\n  times: auto", "6:3: `play` and `times` exclude each other"},
    {"fps: 0", "5:8: fps: `0` is not a number from 0.001 to 100000"},
    {"samples: 2.5", "5:12: samples: `2.5` is not a whole number from 1 to 100000"},
    {"wrap: lop", "5:9: wrap: no `lop`; did you mean `loop`? There are: loop, clamp"},
    {"space: world", "5:10: space: no `world`; there are: scene, root"},
    {"repair: fbx-pivot", "5:11: repair: unknown repair \"fbx-pivot\"; did you mean \"fbx-pivots\"?"},
    {"repair: [unweighted, fbx-pivot]", "5:24: repair: unknown repair \"fbx-pivot\"; did you mean \"fbx-pivots\"?"},
    {"repair: [unweighted, none]", "5:11: repair: \"none\" cannot be combined with other repairs"},
    {"influences: 5", "5:15: influences: no `5`; there are: 1, 4, 8, all"},
    {"import-timeout: 0", "5:19: import-timeout: `0` is not a number from 0.01 to 86400"},
    {"import-memory: 4G", "5:18: import-memory: `4G` is not a whole number from 16 to 1048576"},
    {"size: 3x", "5:9: size: `3x` is not WIDTHxHEIGHT from 1x1 to 8192x8192"},
    {"size: [320]", "5:9: size: a width and a height are wanted"},
    {"size: [320, 240, 1]", "5:9: size: a width and a height are wanted"},
    {"size: [320, none]", "5:9: size: `320xnone` is not WIDTHxHEIGHT from 1x1 to 8192x8192"},
    {"size: [320, [1]]", "5:15: size: one value is wanted here, not a list"},
    {"size: {w: 1}", "5:9: size: one value is wanted here, not a mapping"},
    {"background: 12345", "5:15: background: `12345` is not RRGGBB or RRGGBBAA in hexadecimal"},
    {"background: #123456", "5:14: background: the value is missing"},
    {"view: pretty", "5:9: view: no `pretty`; there are: lit, unlit, normals, weights, bones, depth, uv, influences, weight:BONE"},
    {"overlay: [skeleton, wire]", "5:23: overlay: no `wire`; there are: skeleton, wireframe, bounds, axes, label, none"},
    {"overlay: [skeleton, none]", "5:12: overlay: `skeleton,none`: `none` stands alone"},
    {"overlay: []", "5:12: overlay: the list is empty"},
    {"shaders: gls", "5:12: shaders: cannot open the folder gls: No such file or directory"},
    {"shaders: m.glb", "5:12: shaders: `m.glb` is not a folder"},
    {"shaders: [glsl]", "5:12: shaders: one value is wanted here, not a list"},
    {"select: [hips]", "5:11: select: one value is wanted here, not a list"},
    {"camera: {}", "5:11: camera: the mapping is empty"},
    {"camera: {yw: 3}", "5:12: unknown key `yw`; did you mean `yaw`?"},
    {"camera: {yaw: x}", "5:17: camera: `yaw=x`: a number from -36000 to 36000 is wanted"},
    {"camera: {yaw: 1, pitch: 91}", "5:27: camera: `pitch=91`: a number from -90 to 90 is wanted"},
    {"camera: {file: Main, yaw: 1}", "5:12: camera: a camera of the file has no other parts"},
    {"camera: [30, 10]", "5:11: camera: one value is wanted here, not a list"},
    {"camera: side", "5:11: camera: `side` is not yaw=, pitch=, zoom= or fov= (degrees), ortho=, eye=, target=, up=, near=, "
                     "far=, nor file:NAME or @FILE"},
    {"camera: {eye: [1, 2, 3]}", "5:11: camera: a free camera wants eye=X:Y:Z and target=X:Y:Z; target= is missing"},
    {"camera: {eye: [1, 2], target: [0, 0, 0]}", "5:17: camera: `eye=1:2`: three numbers X:Y:Z are wanted"},
    {"camera: {target: [0, 0, 0], eye: [1, x, 3]}", "5:36: camera: `eye=1:x:3`: three numbers X:Y:Z are wanted"},
    {"camera: {eye: [1, 2, [3]], target: [0, 0, 0]}", "5:24: camera: one value is wanted here, not a list"},
    {"camera: {eye: [], target: [0, 0, 0]}", "5:17: camera: `eye=` is not yaw=, pitch=, zoom= or fov= (degrees), ortho=, eye=, "
                                             "target=, up=, near=, far=, nor file:NAME or @FILE"},
    {"camera: {yaw: [1]}", "5:17: camera: one value is wanted here, not a list"},
    {"camera: {eye: [1, 2, 3], target: [0, 0, 0], yaw: 3}",
     "5:11: camera: either an orbit (yaw, pitch, zoom) or a free camera (eye, target, up, near, far)"},
    {"camera: {saved: none.json}", "5:19: camera: there is no file `none.json` (seen from the suite's folder)"},
    {"camera: '@none.json'", "5:11: camera: there is no file `none.json` (seen from the suite's folder)"},
    {"camera: {saved: m.glb, fov: 3}", "5:12: camera: a saved camera has no other parts"},
    {"up: w", "5:7: up: no `w`; there are: x, y, z, auto"},
    {"palette: vbo", "5:12: palette: no `vbo`; did you mean `tbo`? There are: tbo, uniform, ubo, ssbo, all"},
    {"palette: all", "5:12: palette: `all` is for rigproof render, not for a suite"},
    {"palette-format: [mat4]", "5:19: palette-format: one value is wanted here, not a list"},
    {"skinning: dqs", "5:13: skinning: no `dqs`; there are: linear, dual-quaternion"},
    {"weights: bytes", "5:12: weights: no `bytes`; there are: float, unorm8"},
    {"profile: portabel", "5:12: profile: no `portabel`; did you mean `portable`? There are: portable, native"},
    {"backend: egl", "5:12: backend: a suite does not choose what draws it; rigproof check --backend does"},
    {"sheet: true", "5:10: sheet: contact sheets are for rigproof render, not for a suite"},
};

enum { BAD = sizeof bad_values / sizeof bad_values[0] };

static void bad_values_are_refused_in_place(void **state)
{
    (void)state;
    for (int i = 0; i < BAD; i++) {
        char content[512], message[512];
        snprintf(content, sizeof content, ONE_CASE "  %s\n", bad_values[i].keys);
        snprintf(message, sizeof message, "suite.yaml:%s", bad_values[i].message);
        read_fails(content, message);
    }
}

/* Each setting has rows above: a bad one, and a good one if a suite may have it. */
static void every_setting_is_tested(void **state)
{
    (void)state;
    for (size_t k = 0; k < setting_count; k++) {
        const char *name = setting_table[k].name;
        bool has_good = strcmp(name, "backend") == 0 || strcmp(name, "sheet") == 0, has_bad = false;
        for (int i = 0; i < GOOD; i++)
            has_good = has_good || strcmp(good_values[i].key, name) == 0;
        for (int i = 0; i < BAD; i++)
            has_bad = has_bad || strncmp(bad_values[i].keys, name, strlen(name)) == 0;
        if (!has_good || !has_bad)
            fail_msg("`%s` wants a row in %s", name, has_good ? "bad_values" : "good_values");
    }
}

/* ---- what plays ------------------------------------------------------------------------------------------------ */

static void plays(const char *defaults, const char *keys, const char *want)
{
    char content[512], text[2048];
    snprintf(content, sizeof content, "version: 1\ndefaults: {%s}\ncases:\n- {name: a, model: m.glb, %s}\n", defaults, keys);
    struct suite *suite = read_good(content);
    describe(&suite->cases[0].settings, text);
    assert_contains(text, want);
    suite_free(suite);
}

/* Of what excludes each other the case's own counts; a list of the case replaces that of the defaults. */
static void a_case_replaces_what_the_defaults_play(void **state)
{
    (void)state;
    plays("clip: walk", "blend: {walk: 1, idle: 2}", "plays=(walk:1+idle:2) ");
    plays("clip: walk, transition: idle@0..1", "blend: idle:2", "plays=(idle:2) ");
    plays("blend: idle:2", "clip: walk", "plays=(walk) ");
    plays("blend: idle:2", "transition: walk@0..1", "plays=((first) -> walk@0..1) ");
    plays("clip: walk", "transition: idle@0..1", "plays=(walk -> idle@0..1) ");
    plays("mask: a=b, clip: walk", "mask: [c=d]", "plays=(walk, c=d) ");
    plays("in-place: true, rate: 2", "in-place: false", "plays=((first)) rate=2 in_place=0 ");
}

/* The rest and the bind pose are the same at any time; not so with something on them. */
static void a_pose_with_a_layer_moves(void **state)
{
    (void)state;
    plays("wrap: loop", "clip: none", "choice=0 ");
    plays("wrap: loop", "clip: rest", "choice=0 ");
    plays("wrap: loop", "clip: bind", "choice=0 ");
    plays("wrap: loop", "clip: none, add: walk:1", "choice=2 ");
    plays("wrap: loop", "clip: none, mask: arm=walk", "choice=2 ");
}

/* ---- times ----------------------------------------------------------------------------------------------------- */

static const struct suite_case *only_case(struct suite *suite)
{
    assert_int_equal(suite->case_count, 1);
    return &suite->cases[0];
}

/* Ends that the division misses by a rounding are frames all the same: (0.7 - 0.1) * 10 is 5.999999999999999. */
static void a_range_has_both_ends(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to, *fps;
        size_t count;
        double second, last;
    } ranges[] = {
        {"0", "1", "24", 25, 1.0 / 24, 1},
        {"0.1", "0.7", "10", 7, 0.2, 0.7},
        {"0", "0.3", "10", 4, 0.1, 0.3},
        {"0", "0.99", "4", 4, 0.25, 0.75},
        {"0", "0.999999", "4", 4, 0.25, 0.75},
        {"0", "0.9999999", "4", 5, 0.25, 1},
        {"-0.5", "0.5", "2", 3, 0, 0.5},
        {"0", "3333.3", "30", 100000, 1.0 / 30, 3333.3},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        char content[256];
        snprintf(content, sizeof content, ONE_CASE "  times: {from: %s, to: %s, fps: %s}\n", ranges[i].from,
                 ranges[i].to, ranges[i].fps);
        struct suite *suite = read_good(content);
        const struct suite_case *c = only_case(suite);
        assert_true(c->times_are_a_range && c->settings.time_was_set);
        assert_int_equal(c->settings.time_choice, TIMES_LIST);
        assert_int_equal(c->settings.time_count, ranges[i].count);
        assert_true(fabs(c->settings.times[1] - ranges[i].second) < 1e-12);
        assert_true(fabs(c->settings.times[ranges[i].count - 1] - ranges[i].last) < 1e-9);
        suite_free(suite);
    }
}

static void a_range_of_one_frame(void **state)
{
    (void)state;
    struct suite *suite = read_good(ONE_CASE "  times: {to: 0, fps: 24}\n");
    assert_int_equal(only_case(suite)->settings.time_count, 1);
    assert_true(only_case(suite)->settings.times[0] == 0);
    suite_free(suite);
}

static void a_list_is_no_range(void **state)
{
    (void)state;
    struct suite *suite = read_good("version: 1\ndefaults: {times: {from: 0, to: 1, fps: 2}}\ncases:\n"
                                    "- {name: a, model: m.glb}\n- {name: b, model: m.glb, times: [3]}\n");
    assert_true(suite->cases[0].times_are_a_range);
    assert_int_equal(suite->cases[0].settings.time_count, 3);
    assert_false(suite->cases[1].times_are_a_range);
    assert_int_equal(suite->cases[1].settings.time_count, 1);
    suite_free(suite);
}

static void times_of_a_case_have_a_limit(void **state)
{
    (void)state;
    struct text content = {0};
    text_add(&content, ONE_CASE "  times: [0");
    for (int i = 1; i < 100000; i++)
        text_addf(&content, ", %d", i);
    size_t size = content.size;
    text_add(&content, "]\n");
    suite_free(read_good(content.data));
    content.size = size;
    text_add(&content, ", -1]\n");
    read_fails(content.data, "suite.yaml:5:10: times: more than 100000 times");
    text_release(&content);
}

/* Ten million: 101 cases of 99001, and no list more, adopted from another case or not. */
static void times_of_a_suite_have_a_limit(void **state)
{
    (void)state;
    struct text content = {0};
    text_add(&content, "version: 1\ndefaults: {times: {from: 0, to: 99, fps: 1000}}\ncases:\n");
    for (int i = 0; i < 100; i++)
        text_addf(&content, "- {name: c%d, model: m.glb}\n", i);
    size_t size = content.size;
    text_add(&content, "- {name: more, model: m.glb}\n");
    suite_free(read_good(content.data));
    text_add(&content, "- {name: most, model: m.glb}\n");
    read_fails(content.data, "suite.yaml:2:19: the cases list more than 10000000 times");
    content.size = size;
    text_add(&content, "- {name: more, model: m.glb, agrees_with: c1}\n");
    read_fails(content.data, "suite.yaml:104:3: the cases list more than 10000000 times");
    text_release(&content);
}

static void assert_camera(const struct suite_case *c, const char *description)
{
    struct text text = {0};
    camera_setting_describe(&c->settings, &text);
    assert_string_equal(text_string(&text), description);
    text_release(&text);
}

static void cameras_have_many_forms(void **state)
{
    (void)state;
    spill("side.json", "{\"eye\": [1, 2, 3], \"target\": [0, 0, 0], \"up\": [0, 1, 0], \"fov_y\": 0.5, "
                       "\"ortho_height\": 0, \"near\": 0.25, \"far\": 9}");
    struct suite *suite =
        read_good("version: 1\ndefaults: {camera: {eye: [1, 2, 3], target: [0, 0.5, 0]}}\ncases:\n"
                  "- {name: a, model: m.glb}\n"
                  "- {name: b, model: m.glb, camera: {up: [0, 0, 1], ortho: 2}}\n"
                  "- {name: c, model: m.glb, camera: {target: '7:8:9', near: 0.5, far: 20, fov: 45}}\n"
                  "- {name: d, model: m.glb, camera: 'eye=3:2:1,target=0:0:0'}\n"
                  "- {name: e, model: m.glb, camera: {yaw: 1}}\n"
                  "- {name: f, model: m.glb, camera: {saved: side.json}}\n"
                  "- {name: g, model: m.glb, camera: '@side.json'}\n");
    assert_camera(&suite->cases[0], "eye=1:2:3,target=0:0.5:0,fov=30");
    assert_camera(&suite->cases[1], "eye=1:2:3,target=0:0.5:0,up=0:0:1,ortho=2");
    assert_camera(&suite->cases[2], "eye=1:2:3,target=7:8:9,fov=45,near=0.5,far=20");
    assert_camera(&suite->cases[3], "eye=3:2:1,target=0:0:0,fov=30");
    assert_camera(&suite->cases[4], "yaw=1,pitch=10,zoom=1,fov=30");
    assert_camera(&suite->cases[5], "@side.json");
    assert_camera(&suite->cases[6], "@side.json");
    assert_true(suite->cases[6].settings.saved_camera.far_plane == 9);
    suite_free(suite);
}

static void a_saved_camera_is_in_the_tree(void **state)
{
    (void)state;
    struct error err = {0};
    assert_true(file_make_parent("inner/.git/x", &err));
    spill("side.json", "{}");
    spill("inner/m.glb", "");
    spill("inner/suite.yaml", ONE_CASE "  camera: {saved: ../side.json}\n");
    assert_null(suite_read("inner/suite.yaml", false, &err));
    assert_contains(err.text, "inner/suite.yaml:5:19: camera: `../side.json` is outside of ");
    err = (struct error){0};
    assert_null(suite_read("inner/suite.yaml", true, &err));
    assert_contains(err.text, "side.json: eye: ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        suite_test(a_case_replaces_what_the_defaults_play),
        suite_test(a_pose_with_a_layer_moves),
        suite_test(good_values_are_taken),
        suite_test(bad_values_are_refused_in_place),
        suite_test(every_setting_is_tested),
        suite_test(a_range_has_both_ends),
        suite_test(a_range_of_one_frame),
        suite_test(a_list_is_no_range),
        suite_test(cameras_have_many_forms),
        suite_test(a_saved_camera_is_in_the_tree),
        suite_test(times_of_a_case_have_a_limit),
        suite_test(times_of_a_suite_have_a_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
