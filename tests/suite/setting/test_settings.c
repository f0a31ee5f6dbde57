/* Every option: what it takes, what it sets, and that a refusal names the option. */
#include "cmocka_setup.h"

#include <stdio.h>
#include <string.h>

#include "run_binary.h"
#include "suite/describe_settings.h"

static const struct {
    const char *option;
    const char *value;
    const char *brings;
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
    {"in-place", "", "in_place=1 "},
    {"clips-from", "moves.glb", "clips_from=1:moves.glb "},
    {"clips-scale", "0.01", "clips_scale=0.01 "},
    {"clips-scale", "auto", "clips_scale=0 "},
    {"clips-prefix", "rig_", "clips_prefix=rig_ "},
    {"time", "0.5", "choice=0 times=1:0.5; "},
    {"time", "0,0.25,1e1", "times=3:0;0.25;10; "},
    {"time", "-0.25", "times=1:-0.25; "},
    {"times", "auto", "choice=2 "},
    {"times", "0.5,1", "choice=0 times=2:0.5;1; "},
    {"frames", "0..24", "choice=1 times=0: frames=0..24 "},
    {"frames", "-3..-1", "frames=-3..-1 "},
    {"frames", "7..7", "frames=7..7 "},
    {"play", "", "choice=3 times=0: "},
    {"fps", "29.97", "fps=29.97 "},
    {"samples", "3", "samples=3 "},
    {"wrap", "clamp", "wrap=1 "},
    {"wrap", "loop", "wrap=0 "},
    {"space", "root", "space=1 "},
    {"space", "scene", "space=0 "},
    {"repair", "none", "repairs=0 "},
    {"repair", "fbx-pivots,unweighted", "repairs=65 "},
    {"assimp-flags", "none", "flags=0 "},
    {"assimp-flags", "join-identical,limit-weights", "flags=514 "},
    {"influences", "1", "influences=1 "},
    {"influences", "8", "influences=8 "},
    {"influences", "all", "influences=0 "},
    {"import-timeout", "0.5", "timeout=0.5 "},
    {"import-memory", "256", "memory=256 "},
    {"size", "640x480", "size=640x480 "},
    {"size", "1x8192", "size=1x8192 "},
    {"background", "102030", "background=102030ff "},
    {"background", "aBcDeF00", "background=abcdef00 "},
    {"view", "unlit", "view=1 "},
    {"view", "normals", "view=2 "},
    {"view", "weights", "view=3 "},
    {"view", "bones", "view=4 "},
    {"view", "depth", "view=5 "},
    {"view", "uv", "view=6 "},
    {"view", "influences", "view=7 "},
    {"view", "weight:upper arm:L", "view_bone=upper arm:L "},
    {"view", "weight:b", "view=8 "},
    {"overlay", "skeleton", "overlays=1 "},
    {"overlay", "label,skeleton,wireframe", "overlays=19 "},
    {"overlay", "bounds,axes,bounds", "overlays=12 "},
    {"overlay", "none", "overlays=0 "},
    {"select", "hips", "select=hips "},
    {"camera", "yaw=45", "yaw=45 pitch=10 zoom=1 fov=30 camera=(orbit) "},
    {"camera", "fov=0,zoom=2.5,pitch=-90,yaw=-720", "yaw=-720 pitch=-90 zoom=2.5 fov=0 "},
    {"camera", "file:Main", "camera=Main "},
    {"up", "z", "up=2 "},
    {"up", "auto", "up=-1 "},
    {"palette", "uniform", "path=1 "},
    {"palette", "ubo", "path=2 "},
    {"palette", "ssbo", "path=3 "},
    {"palette", "tbo", "path=0 "},
    {"palette-format", "mat4", "format=1 "},
    {"palette-format", "trs", "format=2 "},
    {"palette-format", "mat3x4", "format=0 "},
    {"skinning", "dual-quaternion", "skinning=1 "},
    {"skinning", "linear", "skinning=0 "},
    {"weights", "unorm8", "weights=1 "},
    {"weights", "float", "weights=0 "},
    {"shaders", ".", "shaders=. "},
    {"shaders", "none", "shaders=(ours) "},
    {"profile", "native", "profile=1 "},
    {"backend", "egl", "backend=2 "},
    {"backend", "osmesa", "backend=1 "},
    {"sheet", "", "sheet=1 "},
};

static const struct {
    const char *option;
    const char *value;
    const char *says; /* what the message must also hold */
} bad_values[] = {
    {"clips-scale", "0", "1e-06 to 1e+06"},
    {"clips-scale", "-1", ""},
    {"clips-scale", "cm", "`cm`"},
    {"clips-prefix", "", "missing"},
    {"blend", "walk", "CLIP:WEIGHT"},
    {"blend", ":1", "CLIP:WEIGHT"},
    {"blend", "walk:", ""},
    {"blend", "walk:x", "`walk:x`"},
    {"blend", "walk:nan", ""},
    {"blend", "walk:-1", "negative"},
    {"blend", "walk:1001", "1000"},
    {"transition", "idle", "CLIP@START..END"},
    {"transition", "@0..1", "CLIP@START..END"},
    {"transition", "idle@1", ""},
    {"transition", "idle@1..", ""},
    {"transition", "idle@..1", ""},
    {"transition", "idle@0.8..0.5", "ends before it begins"},
    {"transition", "idle@-1..1", "before the timeline"},
    {"transition", "idle@0..1x", ""},
    {"transition", "idle@0..2000000", ""},
    {"mask", "arm", "BONE=CLIP"},
    {"mask", "=wave", "BONE=CLIP"},
    {"mask", "arm=", "BONE=CLIP"},
    {"add", "wave", "CLIP:WEIGHT"},
    {"add", "wave:1@first", "@bind"},
    {"add", "@bind", ""},
    {"add", "@rest", ""},
    {"add", "wave:inf", ""},
    {"rate", "0", "0.001"},
    {"rate", "fast", "`fast`"},
    {"rate", "-1e9", ""},
    {"time", "", "seconds"},
    {"time", "soon", "`soon`"},
    {"time", "1,", ""},
    {"time", ",1", ""},
    {"time", "1,,2", ""},
    {"time", "nan", "`nan`"},
    {"time", "inf", ""},
    {"time", "1e999", ""},
    {"time", "0.5s", "`0.5s`"},
    {"time", "0,5;1", ""},
    {"times", "automatic", ""},
    {"times", "", ""},
    {"frames", "5", "A..B"},
    {"frames", "..5", ""},
    {"frames", "1..", ""},
    {"frames", "1..x", ""},
    {"frames", "1-5", ""},
    {"frames", "5..1", "empty"},
    {"frames", "0..100000", "more than"},
    {"frames", "0..99999999999999999999", ""},
    {"frames", "-9223372036854775808..9223372036854775807", "more than"},
    {"frames", "1.5..2", ""},
    {"fps", "0", "0.001"},
    {"fps", "-24", ""},
    {"fps", "fast", "`fast`"},
    {"fps", "", ""},
    {"samples", "0", ""},
    {"samples", "2.5", "whole"},
    {"samples", "many", ""},
    {"wrap", "lop", "did you mean `loop`?"},
    {"wrap", "", "loop, clamp"},
    {"space", "world", "scene, root"},
    {"space", "scnee", "`scene`"},
    {"repair", "fbx-pivot", "fbx-pivots"},
    {"assimp-flags", "pre-transform", "takes the skeleton"},
    {"repair", "", ""},
    {"repair", "all,none", ""},
    {"influences", "5", "1, 4, 8, all"},
    {"influences", "0", ""},
    {"import-timeout", "0", ""},
    {"import-timeout", "x", ""},
    {"import-timeout", "1e9", ""},
    {"import-memory", "1", "16"},
    {"import-memory", "-16", ""},
    {"import-memory", "64.5", "whole"},
    {"import-memory", "4G", "`4G`"},
    {"size", "640", ""},
    {"size", "640x", ""},
    {"size", "x480", ""},
    {"size", "0x10", ""},
    {"size", "10x0", ""},
    {"size", "8193x1", "8192"},
    {"size", "640*480", ""},
    {"size", "-5x5", ""},
    {"size", "10x10x10", ""},
    {"size", "", ""},
    {"size", "99999999999999999999x1", ""},
    {"size", " 12x+34", "WIDTHxHEIGHT"},
    {"size", "12 x34", "WIDTHxHEIGHT"},
    {"size", "0x10x10", "WIDTHxHEIGHT"},
    {"size", "1e2x100", "WIDTHxHEIGHT"},
    {"time", " 5", "number of seconds"},
    {"time", "+5", "number of seconds"},
    {"time", "0x10", "number of seconds"},
    {"time", "0,inf", "number of seconds"},
    {"frames", "+1..2", "range of frame numbers"},
    {"frames", "1.. 2", "range of frame numbers"},
    {"frames", "1..1e1", "range of frame numbers"},
    {"samples", "1e1", "whole number"},
    {"fps", "0x18", "number from"},
    {"camera", "yaw=+3", "yaw=+3"},
    {"import-memory", "5e2", "whole number"},
    {"import-timeout", " 5", "number from"},
    {"background", "red", "RRGGBB"},
    {"background", "12345", ""},
    {"background", "1234567", ""},
    {"background", "#102030", ""},
    {"background", "gg0000", ""},
    {"background", "", ""},
    {"view", "unlitt", "`unlit`"},
    {"view", "weight", "weight:BONE"},
    {"view", "weight:", "weight:BONE"},
    {"overlay", "skeletons", "`skeleton`"},
    {"overlay", "bounds,axis", "`axes`"},
    {"overlay", "bounds,", ""},
    {"overlay", ",bounds", ""},
    {"overlay", "bounds,none", "alone"},
    {"overlay", "", "wireframe"},
    {"select", "", "missing"},
    {"camera", "", "yaw="},
    {"camera", "yaw", ""},
    {"camera", "yaw=", ""},
    {"camera", "roll=5", "roll=5"},
    {"camera", "pitch=91", "-90 to 90"},
    {"camera", "zoom=0", ""},
    {"camera", "fov=180", ""},
    {"camera", "yaw=nan", ""},
    {"camera", "yaw=1,", ""},
    {"camera", "yaw=1;pitch=2", ""},
    {"up", "w", "x, y, z, auto"},
    {"palette", "uno", "`ubo`"},
    {"palette", "", "tbo, uniform, ubo, ssbo, all"},
    {"palette-format", "mat4x3", "`mat3x4`"},
    {"skinning", "dual-quaternions", "`dual-quaternion`"},
    {"weights", "unorm16", "`unorm8`"},
    {"shaders", "no-such-folder", "no-such-folder"},
    {"shaders", "", ""},
    {"profile", "portabel", "`portable`"},
    {"backend", "glx", "osmesa"},
};

enum { GOOD = sizeof good_values / sizeof good_values[0], BAD = sizeof bad_values / sizeof bad_values[0] };

static void good_values_are_taken(void **state)
{
    (void)state;
    for (int i = 0; i < GOOD; i++) {
        struct settings s;
        struct error err = {0};
        char after[2048];
        settings_init(&s);
        const struct setting *setting = setting_find(good_values[i].option);
        assert_non_null(setting);
        if (!setting->set(&s, good_values[i].value, &err))
            fail_msg("--%s %s: %s", good_values[i].option, good_values[i].value, err.text);
        describe(&s, after);
        assert_contains(after, good_values[i].brings);
        settings_release(&s);
    }
}

static void bad_values_are_refused_by_name(void **state)
{
    (void)state;
    for (int i = 0; i < BAD; i++) {
        struct settings s;
        struct error err = {0};
        char option[64];
        settings_init(&s);
        if (setting_find(bad_values[i].option)->set(&s, bad_values[i].value, &err))
            fail_msg("--%s `%s` was taken", bad_values[i].option, bad_values[i].value);
        assert_int_equal(err.exit_code, EXIT_CODE_USAGE);
        snprintf(option, sizeof option, "--%s", bad_values[i].option);
        if (strcmp(bad_values[i].option, "times") == 0)
            option[strlen(option) - 1] = '\0'; /* speaks as --time does */
        assert_contains(err.text, option);
        assert_contains(err.text, bad_values[i].says);
        settings_release(&s);
    }
}

/* Each option has a row above; those that take anything need no bad one. */
static void every_option_is_tested(void **state)
{
    (void)state;
    for (size_t k = 0; k < setting_count; k++) {
        const char *name = setting_table[k].name;
        bool takes_anything =
            strcmp(name, "clip") == 0 || strcmp(name, "clips-from") == 0 || strcmp(name, "sheet") == 0 ||
            strcmp(name, "play") == 0 || strcmp(name, "in-place") == 0;
        bool has_good = false, has_bad = takes_anything;
        for (int i = 0; i < GOOD; i++)
            has_good = has_good || strcmp(good_values[i].option, name) == 0;
        for (int i = 0; i < BAD; i++)
            has_bad = has_bad || strcmp(bad_values[i].option, name) == 0;
        if (!has_good || !has_bad)
            fail_msg("--%s wants a row in %s", name, has_good ? "bad_values" : "good_values");
    }
}

static void defaults_are_the_documented(void **state)
{
    (void)state;
    struct settings s;
    char text[2048];
    settings_init(&s);
    describe(&s, text);
    assert_string_equal(text,
                        "clip=(first) clips_from=0: influences=4 choice=0 times=0: frames=0..0 fps=0 samples=9 wrap=0 "
                        "space=0 repairs=all timeout=30 memory=4096 size=512x512 background=808080ff view=0 "
                        "overlays=0 yaw=30 pitch=10 zoom=1 fov=30 camera=(orbit) up=-1 path=0 format=0 "
                        "skinning=0 weights=0 profile=0 backend=0 sheet=0 "
                        "view_bone=(none) select=(none) shaders=(ours) flags=0 plays=((first)) rate=1 in_place=0 clips_scale=0 clips_prefix=(none) ");
    settings_release(&s);
}

static void set(struct settings *s, const char *name, const char *value)
{
    struct error err = {0};
    assert_true(setting_find(name)->set(s, value, &err));
}

static void last_word_counts(void **state)
{
    (void)state;
    struct settings s;
    char text[2048];
    settings_init(&s);
    assert_false(s.time_was_set || s.clip_was_set);
    set(&s, "time", "1,2,3");
    set(&s, "time", "4");
    set(&s, "camera", "file:Main");
    set(&s, "camera", "yaw=5");
    set(&s, "clip", "a");
    describe(&s, text);
    assert_contains(text, "choice=0 times=1:4; ");
    assert_contains(text, "yaw=5 pitch=10 zoom=1 fov=30 camera=(orbit) ");
    assert_true(s.time_was_set && s.clip_was_set);
    set(&s, "times", "auto");
    describe(&s, text);
    assert_contains(text, "choice=2 ");
    settings_release(&s);
}

static void clip_files_are_limited(void **state)
{
    (void)state;
    struct settings s;
    struct error err = {0};
    settings_init(&s);
    for (int i = 0; i < MAX_CLIP_FILES; i++)
        set(&s, "clips-from", "a.glb");
    assert_false(setting_find("clips-from")->set(&s, "one too many", &err));
    assert_contains(err.text, "--clips-from");
    assert_int_equal(s.clips_from_count, MAX_CLIP_FILES);
    settings_release(&s);
}

static void unknown_names_are_not_found(void **state)
{
    (void)state;
    assert_null(setting_find("colour"));
    assert_null(setting_find(""));
    assert_null(setting_find("Clip"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_values_are_taken),
        cmocka_unit_test(bad_values_are_refused_by_name),
        cmocka_unit_test(every_option_is_tested),
        cmocka_unit_test(defaults_are_the_documented),
        cmocka_unit_test(last_word_counts),
        cmocka_unit_test(clip_files_are_limited),
        cmocka_unit_test(unknown_names_are_not_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
