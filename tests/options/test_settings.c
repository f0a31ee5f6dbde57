/* Every setting, from a command line and from a suite: what it takes, what it sets, and what a refusal says. */

#include "base/file/file.h"
#include "options/describe_settings.h"
#include "suite/suite_text.h"

enum place { BOTH, COMMAND_LINE, SUITE };

/* Reads what a suite of one case has; the caller frees it. NULL with the error set. */
static struct suite *read_suite(const char *key, const char *value, struct error *err)
{
    char content[1024];
    snprintf(content, sizeof content, ONE_CASE "  %s: %s\n", key, value);
    spill("suite.yaml", content);
    return suite_read("suite.yaml", false, err);
}

/* ---- good values ----------------------------------------------------------------------------------------------- */

static const struct {
    const char *key, *value;
    const char *brings; /* in describe() */
    enum place only;
} good_values[] = {
    {"clip", "walk", "clip=walk "},
    {"clip", "none", "clip=none "},
    {"blend", "walk:0.7", "plays=(walk:0.7) "},
    {"blend", "rig:walk:1e-1", "plays=(rig:walk:1e-1) "},
    {"transition", "idle@0.5..0.8", "plays=((first) -> idle@0.5..0.8) "},
    {"transition", "a@b@12f..18f", "plays=((first) -> a@b@12f..18f) "},
    {"transition", "idle@0.5..12f", "plays=((first) -> idle@0.5..12f) "},
    {"mask", "arm=wave", "plays=((first), arm=wave) "},
    {"mask", "arm=wave@-0.3", "plays=((first), arm=wave@-0.3) "},
    {"mask", "arm=odd@name", "plays=((first), arm=odd@name) "},
    {"add", "wave:-0.5", "plays=((first), add wave:-0.5) "},
    {"add", "wave:1@bind", "plays=((first), add wave:1@bind) "},
    {"add", "wave:1@rest", "plays=((first), add wave:1@rest) "},
    {"rate", "2", "rate=2 "},
    {"rate", "-0.5", "rate=-0.5 "},
    {"in-place", "true", "in_place=1 "},
    {"clips-from", "m.glb", "clips_from=1:m.glb "},
    {"clips-scale", "0.01", "clips_scale=0.01 "},
    {"clips-scale", "auto", "clips_scale=0 "},
    {"clips-prefix", "rig_", "clips_prefix=rig_ "},
    {"time", "0.5", "choice=0 times=1:0.5; "},
    {"time", "0,0.25,1e1", "times=3:0;0.25;10; "},
    {"time", "-0.25", "times=1:-0.25; "},
    {"times", "auto", "choice=2 "},
    {"times", "even:5", "choice=4 times=0: "},
    {"frames", "0..24", "choice=1 times=0: frames=0..24 "},
    {"frames", "-3..24:7", "choice=1 times=0: frames=-3..24 "},
    {"time", "12f,50%,1", "times=3:12;50;1; ", COMMAND_LINE},
    {"play", "true", "choice=3 times=0: "},
    {"fps", "29.97", "fps=29.97 "},
    {"samples", "3", "samples=3 "},
    {"wrap", "clamp", "wrap=1 "},
    {"space", "root", "space=1 "},
    {"repair", "none", "repairs=0 "},
    {"repair", "fbx-pivots,unweighted", "repairs=65 "},
    {"assimp-flags", "none", "flags=0 "},
    {"assimp-flags", "join-identical,limit-weights", "flags=514 "},
    {"influences", "1", "influences=1 "},
    {"influences", "all", "influences=0 "},
    {"import-timeout", "0.5", "timeout=0.5 "},
    {"import-memory", "256", "memory=256 "},
    {"size", "640x480", "size=640x480 "},
    {"background", "102030", "background=102030ff "},
    {"background", "aBcDeF00", "background=abcdef00 "},
    {"view", "unlit", "view=2 "},
    {"view", "weight:upper arm:L", "view_bone=upper arm:L "},
    {"overlay", "skeleton", "overlays=1 "},
    {"overlay", "label,skeleton,wireframe", "overlays=19 "},
    {"overlay", "none", "overlays=0 "},
    {"overlay", "legend", "overlays=32 "},
    {"overlay", "names", "overlays=64 "},
    {"range", "-1.5..0.25", "range=-1.5..0.25 "},
    {"range", "auto", "range=nan..nan "},
    {"select", "hips", "select=hips "},
    {"camera", "fov=0,zoom=2.5,pitch=-90,yaw=-720", "yaw=-720 pitch=-90 zoom=2.5 fov=0 "},
    {"place", "turn=90,move=0:1:0", "place=(turn=90,move=0:1:0) "},
    {"up", "z", "up=2 "},
    {"palette", "ssbo", "path=3 "},
    {"palette-format", "mat4", "format=1 "},
    {"skinning", "dual-quaternion", "skinning=1 "},
    {"weights", "unorm8", "weights=1 "},
    {"shaders", ".", "shaders=. "},
    {"shaders", "none", "shaders=(ours) "},
    {"shader-map", "a_joints=bones,u_tint=1:0:-0.5", "map=(a_joints=bones,u_tint=1:0:-0.5) ", COMMAND_LINE},
    {"profile", "native", "profile=1 "},
    {"backend", "egl", "backend=2 ", COMMAND_LINE},
    {"crowd", "3x2", "crowd=3x2 "},
    {"crowd-phase", "-0.5", "phase=-0.5 "},
    {"sheet", "true", "sheet=1 ", COMMAND_LINE},
    {"clip", "'a, b: c'", "clip=a, b: c ", SUITE},
    {"blend", "[walk:0.7, 'wave:0.3']", "plays=(walk:0.7+wave:0.3) ", SUITE},
    {"blend", "{walk: 0.7, rig|wave: .3}", "plays=(walk:0.7+rig|wave:.3) ", SUITE},
    {"blend", "[{walk: 0.7}, walk:0.1]", "plays=(walk:0.7+walk:0.1) ", SUITE},
    {"transition", "[idle@0.5..0.8, wave@30f..36f]", "plays=((first) -> idle@0.5..0.8 -> wave@30f..36f) ", SUITE},
    {"mask", "{a=b: wave}", "plays=((first), \"a=b\"=wave) ", SUITE},
    {"mask", "{arm: wave@0.3, leg: idle}", "plays=((first), arm=wave@0.3, leg=idle) ", SUITE},
    {"add", "[wave:0.5, idle:-1@bind]", "plays=((first), add wave:0.5, add idle:-1@bind) ", SUITE},
    {"in-place", "false", "in_place=0 ", SUITE},
    {"clips-from", "[a.glb, b.glb]", "clips_from=2:b.glb ", SUITE},
    {"clips-prefix", "'mixamorig:'", "clips_prefix=mixamorig: ", SUITE},
    {"time", "[0.5]", "choice=0 times=1:0.5; ", SUITE},
    {"times", "[0, .25, 1.0e+1, -1]", "choice=0 times=4:0;0.25;10;-1; ", SUITE},
    {"times", "[auto]", "choice=2 times=0: ", SUITE},
    {"times", "{even: 5}", "choice=4 times=0: ", SUITE},
    {"times", "{from: 1, to: 2, fps: 4}", "choice=0 times=5:1;1.25;1.5;1.75;2; ", SUITE},
    {"play", "false", "choice=2 times=0: ", SUITE},
    {"repair", "[fbx-pivots, unweighted]", "repairs=65 ", SUITE},
    {"assimp-flags", "[join-identical, limit-weights]", "flags=514 ", SUITE},
    {"size", "[640, 480]", "size=640x480 ", SUITE},
    {"background", "\"11223344\"", "background=11223344 ", SUITE},
    {"background", "001e05", "background=001e05ff ", SUITE},
    {"overlay", "[wireframe, label]", "overlays=18 ", SUITE},
    {"range", "[0, 0.2]", "range=0..0.2 ", SUITE},
    {"camera", "{yaw: -45, pitch: 5, zoom: 2.5, fov: 0}", "yaw=-45 pitch=5 zoom=2.5 fov=0 camera=(orbit) ", SUITE},
    {"camera", "{ortho: 2.5, yaw: 5}", "yaw=5 pitch=10 zoom=1 fov=0 camera=(orbit) ", SUITE},
    {"shaders", "glsl/", "shaders=glsl ", SUITE},
    {"shaders", "{dir: glsl, attributes: {a_joints: bones}, uniforms: {u_tint: [1, 0, -0.5], u_time: time}}",
     "map=(a_joints=bones,u_tint=1:0:-0.5,u_time=time) ", SUITE},
};
enum { GOOD = sizeof good_values / sizeof good_values[0] };

SUITE_TEST(good_values_are_taken)
{
    for (int i = 0; i < GOOD; i++) {
        const char *key = good_values[i].key, *value = good_values[i].value;
        struct error err = {0};
        char text[2048], quoted[256];
        struct settings s;
        settings_init(&s);
        if (good_values[i].only != SUITE) {
            if (!settings_set(&s, key, value, &err))
                fail_msg("--%s %s: %s", key, value, err.text);
            describe(&s, text);
            assert_contains(text, good_values[i].brings);
        }
        settings_release(&s);
        if (good_values[i].only == COMMAND_LINE)
            continue;
        snprintf(quoted, sizeof quoted, good_values[i].only == SUITE ? "%s" : "\"%s\"", value);
        READ_SUITE *suite = read_suite(key, quoted, &err);
        if (!suite)
            fail_msg("%s: %s: %s", key, value, err.text);
        describe(&suite->cases[0].settings, text);
        assert_contains(text, good_values[i].brings);
    }
}

/* ---- bad values ------------------------------------------------------------------------------------------------ */

static const struct {
    const char *key;
    const char *values;  /* with '|' between */
    const char *message; /* %s: the value */
    const char *part;    /* of a camera: it follows the key */
    enum place only;
} bad_values[] = {
    {"clips-scale", "0|-1|cm", "`%s` is not a number from 1e-06 to 1e+06"},
    {"clips-prefix", "", "the value is missing", .only = COMMAND_LINE},
    {"blend", "walk|:1|walk:|walk:x|walk:nan|walk:1001",
     "`%s` is not CLIP:WEIGHT with a weight from 0 to 1000"},
    {"blend", "walk:-1", "`%s`: a weight cannot be negative"},
    {"transition", "idle|idle@1|idle@1..|idle@..1|idle@0..1x|idle@0..2000000",
     "`%s` is not CLIP@START..END (seconds, or frames as in 12f..18f)"},
    {"transition", "@0..1", "`%s` is not CLIP@START..END (seconds, or frames as in 12f..18f)", .only = COMMAND_LINE},
    {"transition", "idle@0.8..0.5", "`%s` ends before it begins"},
    {"transition", "idle@-1..1", "`%s` begins before the timeline does"},
    {"mask", "arm|=wave|arm=", "`%s` is not BONE=CLIP or BONE=CLIP@OFFSET"},
    {"add", "wave|wave:1@first|wave:inf",
     "`%s` is not CLIP:WEIGHT, CLIP:WEIGHT@rest or CLIP:WEIGHT@bind with a weight from -1000 to 1000"},
    {"add", "@bind|@rest",
     "`%s` is not CLIP:WEIGHT, CLIP:WEIGHT@rest or CLIP:WEIGHT@bind with a weight from -1000 to 1000", .only = COMMAND_LINE},
    {"rate", "0|fast|-1e9",
     "`%s` is not a number from 0.001 to 1000, or the same below 0"},
    {"time", "soon|nan|inf|1e999|0.5s| 5|+5|0x10", "`%s` is not a number of seconds (T or T,T,...)"},
    {"time", "1,", "`` is not a number of seconds (T or T,T,...)"},
    {"time", "f|%|12f50%|xf|1ff", "`%s` is not a number of seconds (T or T,T,...)"},
    {"frames", "5|..5|1..|1..x|1-5|1.5..2|+1..2|1.. 2|1..1e1|1..5:|1..5:0|1..5:-1|1..5:2:3|1..5:1.5",
     "`%s` is not a range of frame numbers (A..B, both ends included, or A..B:STEP)"},
    {"frames", "5..1|0..100000|0..99999999999999999999|-9223372036854775808..9223372036854775807",
     "%s is empty or more than 100000 frames"},
    {"fps", "0|-24|fast|0x18", "`%s` is not a number from 0.001 to 100000"},
    {"samples", "0|2.5|many|1e1", "`%s` is not a whole number from 1 to 100000"},
    {"wrap", "lop", "no `%s`; did you mean `loop`? There are: loop, clamp"},
    {"space", "scnee", "no `%s`; did you mean `scene`? There are: scene, root"},
    {"repair", "fbx-pivot", "unknown repair \"fbx-pivot\"; did you mean \"fbx-pivots\"?"},
    {"assimp-flags", "pre-transform", "`%s` is not supported: it takes the skeleton and the clips away"},
    {"repair", "all,none", "\"all\" cannot be combined with other repairs"},
    {"influences", "5|0", "no `%s`; there are: 1, 4, 8, all"},
    {"import-timeout", "0|x|1e9| 5", "`%s` is not a number from 0.01 to 86400"},
    {"import-memory", "1|-16|64.5|4G|5e2", "`%s` is not a whole number from 16 to 1048576"},
    {"size", "640|640x|x480|0x10|10x0|8193x1|640*480|-5x5|10x10x10|99999999999999999999x1| 12x+34|12 x34|0x10x10|1e2x100",
     "`%s` is not WxH from 1x1 to 8192x8192"},
    {"crowd", "3|0x1|101x1", "`%s` is not COLUMNSxROWS from 1x1 to 100x100"},
    {"crowd-phase", "x", "`%s` is not a number from -1e+06 to 1e+06"},
    {"background", "red|12345|1234567|#102030|gg0000", "`%s` is not RRGGBB or RRGGBBAA in hexadecimal"},
    {"view", "unlitt",
     "no `%s`; did you mean `unlit`? There are: lit, studio, unlit, normals, weights, bones, depth, uv, influences, tangents, "
     "weight-sum, displacement, stretch, speed, weight:BONE"},
    {"view", "weight|weight:", "`%s`: it names no bone; write weight:BONE, or `weights` for the largest weight of each vertex"},
    {"overlay", "skeletons",
     "no `%s`; did you mean `skeleton`? There are: skeleton, wireframe, bounds, axes, label, legend, names, none"},
    {"overlay", "bounds,axis",
     "no `axis`; did you mean `axes`? There are: skeleton, wireframe, bounds, axes, label, legend, names, none"},
    {"overlay", "bounds,none", "`none` cannot be combined with others"},
    {"range", "2..1", "`%s` is not a range of numbers (A..B, the smaller first)"},
    {"range", "0-1", "`%s` is not a range of numbers (A..B, the smaller first)"},
    {"select", "", "the value is missing", .only = COMMAND_LINE},
    {"camera", "yaw|yaw=|roll=5|side",
     "`%s` is not yaw=, pitch=, zoom= or fov= (degrees), ortho=, eye=, target=, follow=, up=, pan=, near=, far=, nor "
     "file:NAME or @FILE"},
    {"camera", "pitch=91", "`91` is not a number from -90 to 90", .part = "pitch"},
    {"up", "w", "no `%s`; there are: x, y, z, auto"},
    {"palette", "uno", "no `%s`; did you mean `ubo`? There are: tbo, uniform, ubo, ssbo, all"},
    {"palette-format", "mat4x3", "no `%s`; did you mean `mat3x4`? There are: mat3x4, mat4, trs"},
    {"skinning", "dual-quaternions",
     "no `%s`; did you mean `dual-quaternion`? There are: linear, dual-quaternion"},
    {"weights", "unorm16", "no `%s`; did you mean `unorm8`? There are: float, unorm8"},
    {"shaders", "no-such-folder", "cannot open the folder no-such-folder: No such file or directory", .only = COMMAND_LINE},
    {"shader-map", "u_tint", "`u_tint` is not NAME=WHAT, as in a_joints=bones or u_tint=1:0:0", .only = COMMAND_LINE},
    {"profile", "portabel", "no `%s`; did you mean `portable`? There are: portable, native"},
    {"backend", "glx", "no `%s`; there are: auto, osmesa, egl", .only = COMMAND_LINE},
    {"camera", "eye=1:2:3", "a free camera needs eye=X:Y:Z and target=X:Y:Z; target= is missing"},
    {"camera", "up=0:1:0|up=0:1:0,target=1:2:3",
     "a free camera needs eye=X:Y:Z and target=X:Y:Z; eye= is missing"},
    {"camera", "eye=1:2:3:4,target=0:0:0", "`1:2:3:4`: expected three numbers X:Y:Z", .part = "eye"},
    {"camera", "eye=1e10:0:3,target=0:0:0", "`1e10:0:3`: expected three numbers X:Y:Z", .part = "eye"},
    {"camera", "eye=,target=0:0:0",
     "`eye=` is not yaw=, pitch=, zoom= or fov= (degrees), ortho=, eye=, target=, follow=, up=, pan=, near=, far=, nor "
     "file:NAME or @FILE"},
    {"camera", "eye=1:2:3,target=1:2:3", "eye and target are the same point"},
    {"camera", "eye=0:0:5,target=0:0:0,up=0:0:1|eye=0:0:5,target=0:0:0,up=0:0:-9|eye=0:0:5,target=0:0:0,up=0:0:0",
     "up is zero or parallel to the view: leave it out, or give another"},
    {"camera", "eye=0:0:5,target=0:0:0,fov=0",
     "an orthographic free camera needs ortho=H, half the height that it sees"},
    {"camera", "eye=0:0:5,target=0:0:0,fov=30,ortho=2|ortho=2,fov=30",
     "a camera is perspective (fov=) or orthographic (ortho=), not both"},
    {"camera", "ortho=0", "`0` is not a number from 1e-09 to 1e+09", .part = "ortho"},
    {"camera", "eye=0:0:5,target=0:0:0,near=0", "near= of a perspective camera must be more than 0"},
    {"camera", "eye=0:0:5,target=0:0:0,far=-1", "far= of a perspective camera must be more than 0"},
    {"camera", "eye=0:0:5,target=0:0:0,near=3,far=3", "far= must be more than near="},
    {"camera", "near=0", "near= of a perspective camera must be more than 0"},
    {"camera", "far=2,zoom=2,near=2", "far= must be more than near="},
    {"camera", "yaw=3,eye=0:0:5,target=0:0:0|up=0:1:0,zoom=2",
     "a camera is an orbit (yaw, pitch, zoom) or a free camera (eye, up), not both"},
    {"camera", "follow=1|follow=rest,target=1:2:3", "follow= is for a bone: target=BONE"},
    {"camera", "target=hips,follow=2", "no `2`; there are: 0, 1, rest, false, true", .part = "follow"},
    {"camera", "pan=1", "`1`: expected two numbers X:Y", .part = "pan"},
    {"place", "turn=x", "`x` is not a number from -36000 to 36000", .part = "turn"},
    {"place", "turn=1:2", "`1:2`: expected three numbers X:Y:Z", .part = "turn"},
    {"place", "scale=0", "`0` is not a number from 1e-06 to 1e+06", .part = "scale"},
    {"place", "up=3|turn", "`%s` is not turn=D or turn=X:Y:Z (degrees), scale= or move=X:Y:Z"},
    {"camera", "@no-such.json", "cannot open no-such.json: No such file or directory", .only = COMMAND_LINE},
};
enum { BAD = sizeof bad_values / sizeof bad_values[0] };

static void refuse(int row, const char *value, const char *message)
{
    const char *key = bad_values[row].key, *part = bad_values[row].part;
    struct error err = {0};
    struct settings s;
    char want[512], quoted[256];
    settings_init(&s);
    if (settings_set(&s, key, value, &err))
        fail_msg("--%s `%s` was taken", key, value);
    snprintf(want, sizeof want, "--%s: %s%s%s", key, part ? part : "", part ? ": " : "", message);
    assert_string_equal(err.text, want);
    assert_int_equal(err.exit_code, EXIT_CODE_USAGE);
    settings_release(&s);
    if (bad_values[row].only == COMMAND_LINE)
        return;
    err = (struct error){0};
    snprintf(quoted, sizeof quoted, "\"%s\"", value);
    if (read_suite(key, quoted, &err))
        fail_msg("%s: `%s` was taken", key, value);
    snprintf(want, sizeof want, "suite.yaml:5:%zu: %s%s%s: %s", strlen(key) + 5, key, part ? "." : "", part ? part : "",
             message);
    assert_string_equal(err.text, want);
    assert_int_equal(err.exit_code, EXIT_CODE_USAGE);
}

SUITE_TEST(bad_values_are_refused_by_name_and_place)
{
    for (int i = 0; i < BAD; i++)
        for (const char *at = bad_values[i].values;; at++) {
            char value[128], message[512];
            size_t length = strcspn(at, "|");
            const char *mark = strstr(bad_values[i].message, "%s");
            snprintf(value, sizeof value, "%.*s", (int)length, at);
            snprintf(message, sizeof message, "%.*s%s%s", (int)(mark ? mark - bad_values[i].message : 0),
                     bad_values[i].message, mark ? value : "", mark ? mark + 2 : bad_values[i].message);
            refuse(i, value, message);
            at += length;
            if (!*at)
                break;
        }
}

/* These can only be said by a suite. */
static const struct {
    const char *keys; /* of a case, from line 5, column 3 on */
    const char *message;
} bad_keys[] = {
    {"blend: {walk: -1}", "5:17: blend: `walk:-1`: a weight cannot be negative"},
    {"blend: []", "5:10: blend: there is nothing in it"},
    {"blend: [[walk:1]]", "5:11: blend: a list in a list"},
    {"blend: [walk:0]", "3:3: blend: all weights are 0"},
    {"blend: walk:1\n  clip: idle",
     "3:3: blend: a blend names all its clips: leave `clip` out, and give `idle` a weight in the blend"},
    {"blend: walk:1\n  transition: idle@0..1",
     "3:3: blend: a `transition` leads from a `clip`, not from a blend; use one or the other"},
    {"assimp-flags: [join-identical, flip-uvs]",
     "5:34: assimp-flags: `flip-uvs` is not supported: textures are drawn with v as files have it: it would only turn them upside down"},
    {"clips-from: []", "5:15: clips-from: the list is empty"},
    {"clips-from: [m.glb, m.glb, m.glb, m.glb, m.glb, m.glb, m.glb, m.glb, m.glb, m.glb, m.glb, m.glb, m.glb, m.glb, m.glb, m.glb, m.glb]",
     "5:128: clips-from: at most 16 files"},
    {"times: [0, 1, soon, later]", "5:17: times: `soon` is not a number of seconds (T or T,T,...)"},
    {"times: [12f, 1]", "5:11: times: `12f` is not a number of seconds (T or T,T,...)"},
    {"times: [auto, 1]", "5:11: times: `auto` is not a number of seconds (T or T,T,...)"},
    {"times: [0.5, 1, 0.5]", "5:10: times: 0.5 is listed twice, or two times are less than a microsecond apart"},
    {"times: [0, 1000001]", "5:10: times: 1000001 is more than 1000000 seconds"},
    {"times: {from: 0, to: 1}", "5:10: times: a range needs `to` and `fps`"},
    {"times: {from: 1, to: 0, fps: 24}", "5:10: times: `to` is before `from`"},
    {"times: {from: 0, to: 1, fps: 0}", "5:32: times.fps: `0` is not a number from 0.001 to 100000"},
    {"times: {from: 0, to: 1, step: 1}", "5:27: unknown key `step`; there are: from, to, fps, even"},
    {"times: {even: 5, from: 1}", "5:10: times: `even` is chosen alone"},
    {"times: even:0", "5:10: times: `even:0` is not even:N with N from 1 to 100000"},
    {"times: {from: 0, to: 100, fps: 1000}", "5:10: times: more than 100000 times"},
    {"time: 0\n  frames: 0..1", "6:3: `time` and `frames` exclude each other"},
    {"times: auto\n  clip: a\n  time: 0", "7:3: `times` and `time` exclude each other"},
    {"play: true\n  times: auto", "6:3: `play` and `times` exclude each other"},
    {"repair: [unweighted, fbx-pivot]", "5:24: repair: unknown repair \"fbx-pivot\"; did you mean \"fbx-pivots\"?"},
    {"repair: [unweighted, none]", "5:11: repair: \"none\" cannot be combined with other repairs"},
    {"size: [320, 240, 1]", "5:9: size: expected a width and a height"},
    {"size: [320, none]", "5:15: size: `none` is not a side from 1 to 8192"},
    {"background: #123456", "5:14: background: the value is missing"},
    {"overlay: [skeleton, wire]",
     "5:23: overlay: no `wire`; there are: skeleton, wireframe, bounds, axes, label, legend, names, none"},
    {"shaders: m.glb", "5:12: shaders: `m.glb` is not a folder"},
    {"camera: {}", "5:11: camera: the mapping is empty"},
    {"camera: {yw: 3}", "5:12: unknown key `yw`; did you mean `yaw`?"},
    {"camera: {yaw: x}", "5:17: camera.yaw: `x` is not a number from -36000 to 36000"},
    {"camera: {file: Main, yaw: 1}", "5:12: camera: a camera of the file has no other parts"},
    {"camera: {eye: [1, 2], target: [0, 0, 0]}", "5:17: camera.eye: expected three numbers [X, Y, Z]"},
    {"camera: {target: [0, 0, 0], eye: [1, x, 3]}", "5:40: camera.eye: `x`: expected three numbers X:Y:Z"},
    {"camera: {eye: [1, 2, 3], target: [0, 0, 0], yaw: 3}",
     "5:11: camera: a camera is an orbit (yaw, pitch, zoom) or a free camera (eye, up), not both"},
    {"camera: {saved: m.glb, fov: 3}", "5:12: camera: a saved camera has no other parts"},
    {"palette: all", "5:12: palette: `all` is for rigproof render, not for a suite"},
    {"backend: egl", "5:12: backend: a suite does not choose what draws it; rigproof check --backend does"},
    {"sheet: true", "5:10: sheet: contact sheets are for rigproof render, not for a suite"},
};

SUITE_TEST(bad_keys_are_refused_in_place)
{
    for (size_t i = 0; i < sizeof bad_keys / sizeof bad_keys[0]; i++) {
        char content[512], message[512];
        snprintf(content, sizeof content, ONE_CASE "  %s\n", bad_keys[i].keys);
        snprintf(message, sizeof message, "suite.yaml:%s", bad_keys[i].message);
        read_fails(content, message);
    }
}

/* What a case names and is not there, or cannot be read, is that case's problem alone; the first counts. */
SUITE_TEST(absent_files_are_the_cases_problem)
{
    static const char *const absent[][2] = {
        {"clips-from: [a.glb, none.glb]", "5:23: clips-from: there is no file `none.glb` (seen from the suite's folder)"},
        {"camera: {saved: none.json}", "5:19: camera: there is no file `none.json` (seen from the suite's folder)"},
        {"camera: {saved: m.glb}", "5:19: camera: m.glb: not valid JSON, line 1, column 0: '[' or '{' expected near end of file"},
        {"shaders: no-such-folder", "5:12: shaders: cannot open the folder no-such-folder: No such file or directory"},
        {"shaders: none-such\n  clips-from: none.glb",
         "5:12: shaders: cannot open the folder none-such: No such file or directory"},
    };
    for (size_t i = 0; i < sizeof absent / sizeof absent[0]; i++) {
        char content[512], problem[512];
        snprintf(content, sizeof content, "version: 1\ncases:\n- {name: b, model: a.glb}\n- name: a\n  model: m.glb\n  %s\n",
                 absent[i][0]);
        snprintf(problem, sizeof problem, "suite.yaml:%c%s", absent[i][1][0] + 1, absent[i][1] + 1);
        last_case_cannot_run(content, problem);
    }
}

/* Each has a good row above; those that take anything need no bad one. */
SUITE_TEST(every_setting_is_tested)
{
    for (size_t k = 0; k < setting_count; k++) {
        const char *name = setting_table[k].name;
        const struct value_type *type = setting_table[k].type;
        bool has_good = false, has_bad = type == &value_text || type == &value_flag || !setting_table[k].value_name ||
                                         strcmp(name, "clips-from") == 0 || strcmp(name, "times") == 0;
        for (int i = 0; i < GOOD; i++)
            has_good = has_good || strcmp(good_values[i].key, name) == 0;
        for (int i = 0; i < BAD; i++)
            has_bad = has_bad || strcmp(bad_values[i].key, name) == 0;
        if (!has_good || !has_bad)
            fail_msg("`%s` wants a row in %s", name, has_good ? "bad_values" : "good_values");
    }
}

SUITE_TEST(defaults_are_the_documented)
{
    SCOPED(settings) s;
    char text[2048];
    settings_init(&s);
    describe(&s, text);
    assert_string_equal(text,
                        "clip=(first) clips_from=0: influences=4 choice=0 times=0: frames=0..0 fps=0 samples=9 wrap=0 "
                        "space=0 repairs=all timeout=30 memory=4096 size=512x512 background=808080ff view=0 "
                        "overlays=2147483648 range=nan..nan yaw=30 pitch=10 zoom=1 fov=30 camera=(orbit) up=-1 path=0 format=0 "
                        "skinning=0 weights=0 profile=0 backend=0 sheet=0 "
                        "view_bone=(none) select=(none) shaders=(ours) flags=0 plays=((first)) rate=1 in_place=0 clips_scale=0 clips_prefix=(none) crowd=0x0 phase=nan map=() place=(none) ");
}

/* Whoever sets them may do so again; a command line may not. --time and --times are one. */
SUITE_TEST(last_word_counts)
{
    static const char *const given[][2] = {{"time", "4"}, {"camera", "file:Main"}, {"camera", "yaw=5"}};
    SCOPED(settings) s;
    char text[2048];
    settings_init(&s);
    assert_true(!s.time_choices && !settings_name_clip(&s));
    for (size_t i = 0; i < sizeof given / sizeof given[0]; i++)
        assert_true(settings_set(&s, given[i][0], given[i][1], ANY_ERROR));
    assert_true(settings_set(&s, "clip", "a", ANY_ERROR));
    assert_refused(settings_set(&s, "times", "5", err), "5 comes after another --time or --times");
    describe(&s, text);
    assert_contains(text, "choice=0 times=1:4; ");
    assert_contains(text, "yaw=5 pitch=10 zoom=1 fov=30 camera=(orbit) ");
    assert_true(s.time_choices && settings_name_clip(&s));
}

SUITE_TEST(lists_are_limited)
{
    static const char *const options[][2] = {{"clips-from", "a.glb"}, {"blend", "walk:1"}, {"mask", "a=b"}};
    SCOPED(settings) s;
    settings_init(&s);
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < MAX_CLIP_FILES; i++)
            assert_true(settings_set(&s, options[k][0], options[k][1], ANY_ERROR));
        assert_refused(settings_set(&s, options[k][0], options[k][1], err), ": at most 16");
    }
    assert_int_equal(s.clips_from_count, MAX_CLIP_FILES);
    assert_int_equal(s.mix_count, 2 * MAX_MIX_OPTIONS);
}

/* ---- what plays ------------------------------------------------------------------------------------------------ */

static void plays(const char *defaults, const char *keys, const char *want)
{
    char content[512], text[2048];
    snprintf(content, sizeof content, "version: 1\ndefaults: {%s}\ncases:\n- {name: a, model: m.glb, %s}\n", defaults, keys);
    READ_SUITE *suite = read_good(content);
    describe(&suite->cases[0].settings, text);
    assert_contains(text, want);
}

/* Of what excludes each other the case's own counts; a list of the case replaces that of the defaults. */
SUITE_TEST(a_case_replaces_what_the_defaults_play)
{
    plays("clip: walk", "blend: {walk: 1, idle: 2}", "plays=(walk:1+idle:2) ");
    plays("clip: walk, transition: idle@0..1", "blend: idle:2", "plays=(idle:2) ");
    plays("blend: idle:2", "clip: walk", "plays=(walk) ");
    plays("blend: idle:2", "transition: walk@0..1", "plays=((first) -> walk@0..1) ");
    plays("clip: walk", "transition: idle@0..1", "plays=(walk -> idle@0..1) ");
    plays("mask: a=b, clip: walk", "mask: [c=d]", "plays=(walk, c=d) ");
    plays("in-place: true, rate: 2", "in-place: false", "plays=((first)) rate=2 in_place=0 ");
    /* the rest and the bind pose are the same at any time; not so with something on them */
    plays("wrap: loop", "clip: none", "choice=0 ");
    plays("wrap: loop", "clip: rest", "choice=0 ");
    plays("wrap: loop", "clip: bind", "choice=0 ");
    plays("wrap: loop", "clip: none, add: walk:1", "choice=2 ");
    plays("wrap: loop", "clip: none, mask: arm=walk", "choice=2 ");
}

/* ---- times ----------------------------------------------------------------------------------------------------- */

/* Ends that the division misses by a rounding are frames all the same: (0.7 - 0.1) * 10 is 5.999999999999999. */
SUITE_TEST(a_range_has_both_ends)
{
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
        READ_SUITE *suite = read_good(content);
        const struct settings *s = &suite->cases[0].settings;
        assert_true(s->times_are_a_range && s->time_choice == TIMES_LIST);
        assert_int_equal(s->time_count, ranges[i].count);
        assert_true(fabs(s->times[1] - ranges[i].second) < 1e-12);
        assert_true(fabs(s->times[ranges[i].count - 1] - ranges[i].last) < 1e-9);
    }
}

SUITE_TEST(a_list_is_no_range)
{
    READ_SUITE *suite = read_good("version: 1\ndefaults: {times: {from: 0, to: 1, fps: 2}}\ncases:\n"
                                    "- {name: a, model: m.glb}\n- {name: b, model: m.glb, times: [3]}\n"
                                    "- {name: c, model: m.glb, times: {to: 0, fps: 24}}\n");
    assert_int_equal(suite->cases[2].settings.time_count, 1);
    assert_true(suite->cases[0].settings.times_are_a_range && suite->cases[2].settings.times[0] == 0);
    assert_int_equal(suite->cases[0].settings.time_count, 3);
    assert_false(suite->cases[1].settings.times_are_a_range);
    assert_int_equal(suite->cases[1].settings.time_count, 1);
}

SUITE_TEST(times_of_a_case_have_a_limit)
{
    SCOPED(text) content = {0};
    text_add(&content, ONE_CASE "  times: [0");
    for (int i = 1; i < 100000; i++)
        text_addf(&content, ", %d", i);
    size_t size = content.size;
    text_add(&content, "]\n");
    suite_free(read_good(content.data));
    content.size = size;
    text_add(&content, ", -1]\n");
    read_fails(content.data, "suite.yaml:5:10: times: more than 100000 times");
}

/* Ten million: 101 cases of 99001, and no list more, adopted from another case or not. */
SUITE_TEST(times_of_a_suite_have_a_limit)
{
    SCOPED(text) content = {0};
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
}

/* ---- cameras ----------------------------------------------------------------------------------------------------- */

static void assert_camera(const struct settings *settings, const char *description)
{
    assert_writes(settings_write(settings, "camera", out), description);
}

static const struct {
    const char *values[3]; /* one after the other */
    const char *description;
} good_cameras[] = {
    {{"yaw=45"}, "yaw=45,pitch=10,zoom=1,fov=30"},
    {{"yaw=45", "pitch=-5"}, "yaw=45,pitch=-5,zoom=1,fov=30"},
    {{"fov=0"}, "yaw=30,pitch=10,zoom=1,fov=0"},
    {{"ortho=2.5,zoom=2"}, "yaw=30,pitch=10,zoom=2,ortho=2.5"},
    {{"fov=0,ortho=2"}, "yaw=30,pitch=10,zoom=1,ortho=2"},
    {{"ortho=2", "fov=20"}, "yaw=30,pitch=10,zoom=1,fov=20"},
    {{"eye=1:-2:3.5,target=0:0:1e2"}, "eye=1:-2:3.5,target=0:0:100,fov=30"},
    {{"target=0:0:0,up=0:0:2,eye=1:2:3"}, "eye=1:2:3,target=0:0:0,up=0:0:2,fov=30"},
    {{"eye=1:2:3,target=0:0:0,fov=60,near=0.1,far=90"}, "eye=1:2:3,target=0:0:0,fov=60,near=0.1,far=90"},
    {{"eye=1:2:3,target=0:0:0,ortho=1.5,near=-4"}, "eye=1:2:3,target=0:0:0,ortho=1.5,near=-4"},
    {{"eye=1:2:3,target=0:0:0", "ortho=4"}, "eye=1:2:3,target=0:0:0,ortho=4"},
    {{"eye=1:2:3,target=0:0:0", "target=5:0:0", "fov=9"}, "eye=1:2:3,target=5:0:0,fov=9"},
    {{"eye=1:2:3,target=0:0:0", "yaw=3"}, "yaw=3,pitch=10,zoom=1,fov=30"},
    {{"yaw=3", "eye=1:2:3,target=0:0:0"}, "eye=1:2:3,target=0:0:0,fov=30"},
    {{"file:Main"}, "file:Main"},
    {{"yaw=3", "file:a,b"}, "file:a,b"},
    {{"file:Main", "zoom=2"}, "yaw=30,pitch=10,zoom=2,fov=30"},
    {{"file:Main", "fov=9"}, "yaw=30,pitch=10,zoom=1,fov=9"},
    {{"eye=1:2:3,target=0:0:0", "file:Main"}, "file:Main"},
    {{"target=1:2:3"}, "yaw=30,pitch=10,zoom=1,target=1:2:3,fov=30"},
    {{"target=1:2"}, "yaw=30,pitch=10,zoom=1,target=1:2,fov=30"},
    {{"target=\"1:2:3\""}, "yaw=30,pitch=10,zoom=1,target=\"1:2:3\",fov=30"},
    {{"target=a,b=c,zoom=4"}, "yaw=30,pitch=10,zoom=4,target=\"a,b=c\",fov=30"},
    {{"zoom=4,target=\"a,yaw=3\",pitch=5"}, "yaw=30,pitch=5,zoom=4,target=\"a,yaw=3\",fov=30"},
    {{"target=mixamorig:Hand.L,zoom=4", "yaw=3"}, "yaw=3,pitch=10,zoom=4,target=mixamorig:Hand.L,fov=30"},
    {{"yaw=3,target=hips,follow=true,pan=0.5:-0.25"}, "yaw=3,pitch=10,zoom=1,target=hips,follow=1,pan=0.5:-0.25,fov=30"},
    {{"target=hips,follow=rest", "follow=0"}, "yaw=30,pitch=10,zoom=1,target=hips,fov=30"},
    {{"target=hips,follow=rest", "target=1:2:3"}, "yaw=30,pitch=10,zoom=1,target=1:2:3,fov=30"},
    {{"near=1", "far=3"}, "yaw=30,pitch=10,zoom=1,fov=30,near=1,far=3"},
    {{"ortho=2,near=-1"}, "yaw=30,pitch=10,zoom=1,ortho=2,near=-1"},
    {{"target=hips,near=1", "eye=1:2:3"}, "eye=1:2:3,target=hips,fov=30,near=1"},
    {{"eye=1:2:3,target=hips,follow=1,near=1,pan=1:0", "zoom=2"}, "yaw=30,pitch=10,zoom=2,pan=1:0,fov=30"},
};

SUITE_TEST(a_place_adds_to_the_one_before)
{
    static const char *const places[][3] = {
        {"turn=90", NULL, "turn=90"},
        {"turn=0:90:0,scale=2", "move=1:2:3", "turn=0:90:0,scale=2,move=1:2:3"},
        {"turn=1:2:3", "turn=-4", "turn=-4"},
        {"turn=4", "turn=1:2:3", "turn=1:2:3"},
        {"turn=0,scale=1,move=0:0:0", NULL, "none"},
    };
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        SCOPED(settings) s;
        SCOPED(text) text = {0};
        settings_init(&s);
        for (int k = 0; k < 2 && places[i][k]; k++)
            assert_good(settings_set(&s, "place", places[i][k], err));
        settings_write(&s, "place", &text);
        assert_string_equal(text_string(&text), places[i][2]);
    }
}

SUITE_TEST(a_camera_adds_to_the_one_before)
{
    for (size_t i = 0; i < sizeof good_cameras / sizeof good_cameras[0]; i++) {
        SCOPED(settings) s;
        settings_init(&s);
        for (int k = 0; k < 3 && good_cameras[i].values[k]; k++)
            assert_good(settings_set(&s, "camera", good_cameras[i].values[k], err));
        assert_camera(&s, good_cameras[i].description);
    }
}

SUITE_TEST(cameras_have_many_forms)
{
    spill("side.json", "{\"eye\": [1, 2, 3], \"target\": [0, 0, 0], \"up\": [0, 1, 0], \"fov_y\": 0.5, "
                       "\"ortho_height\": 0, \"near\": 0.25, \"far\": 9}");
    READ_SUITE *suite =
        read_good("version: 1\ndefaults: {camera: {eye: [1, 2, 3], target: [0, 0.5, 0]}}\ncases:\n"
                  "- {name: a, model: m.glb}\n"
                  "- {name: b, model: m.glb, camera: {up: [0, 0, 1], ortho: 2}}\n"
                  "- {name: c, model: m.glb, camera: {target: '7:8:9', near: 0.5, far: 20, fov: 45}}\n"
                  "- {name: d, model: m.glb, camera: 'eye=3:2:1,target=0:0:0'}\n"
                  "- {name: e, model: m.glb, camera: {yaw: 1}}\n"
                  "- {name: f, model: m.glb, camera: {saved: side.json}}\n"
                  "- {name: g, model: m.glb, camera: '@side.json'}\n"
                  "- {name: h, model: m.glb, camera: {yaw: 2, target: 'a,b', follow: true, pan: [0.5, 0]}, place: "
                  "{turn: 90, move: [0, 1, 0]}}\n"
                  "- {name: i, model: m.glb, camera: {yaw: 2, target: [1, 2, 3], far: 4}, place: 'turn=1:2:3'}\n");
    assert_camera(&suite->cases[0].settings, "eye=1:2:3,target=0:0.5:0,fov=30");
    assert_camera(&suite->cases[1].settings, "eye=1:2:3,target=0:0.5:0,up=0:0:1,ortho=2");
    assert_camera(&suite->cases[2].settings, "eye=1:2:3,target=7:8:9,fov=45,near=0.5,far=20");
    assert_camera(&suite->cases[3].settings, "eye=3:2:1,target=0:0:0,fov=30");
    assert_camera(&suite->cases[4].settings, "yaw=1,pitch=10,zoom=1,fov=30");
    assert_camera(&suite->cases[5].settings, "@side.json");
    assert_camera(&suite->cases[6].settings, "@side.json");
    assert_camera(&suite->cases[7].settings, "yaw=2,pitch=10,zoom=1,target=a,b,follow=1,pan=0.5:0,fov=30");
    assert_camera(&suite->cases[8].settings, "yaw=2,pitch=10,zoom=1,target=1:2:3,fov=30,far=4");
    assert_true(suite->cases[6].settings.saved_camera.far_plane == 9);
}

SUITE_TEST(a_saved_camera_is_in_the_tree)
{
    assert_true(file_make_parent("inner/.git/x", ANY_ERROR));
    spill("side.json", "{}");
    spill("inner/m.glb", "");
    spill("inner/suite.yaml", ONE_CASE "  camera: {saved: ../side.json}\n");
    assert_refused(suite_read("inner/suite.yaml", false, err),
                   "inner/suite.yaml:5:19: camera: `../side.json` is outside of ");
    READ_SUITE *suite = suite_read("inner/suite.yaml", true, ANY_ERROR);
    assert_non_null(suite);
    assert_contains(suite->cases[0].problem, "side.json: eye: ");
}
