/* What plays: words for it, weights 0 and 1, frames for seconds, and complaints about names. */
#include "cmocka_setup.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run_binary.h"

#define WALKER FIXTURES "/walker/walker.glb"

static const char *dump(const char *a, const char *b, const char *c, const char *d, const char *e, const char *f)
{
    return rigproof_good("dump", WALKER, "--time", "0.45", "--format", "json", a, b, c, d, e, f)->out;
}

static void what_plays_is_in_words(void **state)
{
    (void)state;
    static const struct {
        const char *options[6];
        const char *words;
    } rows[] = {
        {{"--clip", "1", "--rate", "1", "--space", "scene"}, "\"walk\""},
        {{"--clip", "none", "--rate", "1", "--space", "scene"}, "null"},
        {{"--clip", "rest", "--rate", "1", "--space", "scene"}, "null"},
        {{"--clip", "bind", "--rate", "1", "--space", "scene"}, "\"bind\""},
        {{"--clip", "rest", "--add", "bind:1@rest", "--mask", "head=bind"}, "\"rest, head=bind, add bind:1@rest\""},
        {{"--blend", "walk:0.70", "--blend", "wave:3e-1", "--in-place", ""}, "\"walk:0.7+wave:0.3\""},
        {{"--clip", "walk", "--transition", "idle@0.5..0.8", "--space", "scene"}, "\"walk -> idle@0.5..0.8\""},
        {{"--clip", "walk", "--transition", "idle@12f..24f", "--space", "scene"}, "\"walk -> idle@0.5..1\""},
        {{"--fps", "30", "--transition", "wave@12f..1.5", "--clip", "walk"}, "\"walk -> wave@0.4..1.5\""},
        {{"--transition", "wave@1..2", "--transition", "none@2..3", "--clip", "2"},
         "\"wave -> wave@1..2 -> none@2..3\""},
        {{"--clip", "walk", "--mask", "spine_2=wave@6f", "--mask", "head=idle"},
         "\"walk, spine_2=wave@0.25, head=idle\""},
        {{"--clip", "none", "--add", "wave:-0.5", "--add", "walk:1@bind"}, "\"none, add wave:-0.5, add walk:1@bind\""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *const *o = rows[i].options;
        bool is_flag = strcmp(o[4], "--in-place") == 0;
        char line[128];
        snprintf(line, sizeof line, "\n \"clip\": %s,\n", rows[i].words);
        assert_contains(is_flag ? rigproof_good("dump", WALKER, "--format", "json", o[0], o[1], o[2], o[3], o[4])->out
                                : dump(o[0], o[1], o[2], o[3], o[4], o[5]),
                        line);
    }
}

/* All numbers after the header. */
static char *numbers(const char *pose)
{
    const char *nodes = strstr(pose, "\"nodes\"");
    assert_non_null(nodes);
    char *copy = malloc(strlen(nodes) + 1);
    assert_non_null(copy);
    return strcpy(copy, nodes);
}

static void weights_of_one_clip_are_that_clip(void **state)
{
    (void)state;
    char *walk = numbers(dump("--clip", "walk", "--space", "scene", "--wrap", "loop"));
    static const char *const rows[][6] = {
        {"--blend", "walk:1", "--blend", "wave:0", "--blend", "idle:0"},
        {"--blend", "wave:0", "--blend", "walk:0.25", "--blend", "none:0"},
        {"--clip", "walk", "--transition", "wave@0.45..0.9", "--mask", "head=walk"},
        {"--clip", "wave", "--transition", "walk@0..0.45", "--add", "wave:0"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char *got = numbers(dump(rows[i][0], rows[i][1], rows[i][2], rows[i][3], rows[i][4], rows[i][5]));
        assert_string_equal(got, walk);
        free(got);
    }
    char *other = numbers(dump("--blend", "walk:1", "--blend", "wave:0.01", "--space", "scene"));
    assert_string_not_equal(other, walk);
    free(other);
    free(walk);
}

static void names_that_do_not_exist_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *options[4];
        const char *says;
    } rows[] = {
        {{"--blend", "walk:1", "--blend", "wav:1"}, "no clip `wav`; did you mean `wave`?"},
        {{"--clip", "walk", "--transition", "idel@0..1"}, "no clip `idel`; did you mean `idle`?"},
        {{"--clip", "walk", "--mask", "uper_arm_R=wave"}, "no bone `uper_arm_R`; did you mean `upper_arm_R`?"},
        {{"--clip", "walk", "--mask", "rudder=wave"}, "no bone `rudder`; `rigproof inspect` lists them"},
        {{"--clip", "walk", "--mask", "head=wvae"}, "did you mean `wave`?"},
        {{"--mask", "head=wave", "--mask", "head=idle"}, "two masks are for `head`"},
        {{"--clip", "walk", "--add", "wavy:1"}, "did you mean `wave`?"},
        {{"--clip", "walk", "--blend", "wave:1"}, "give `walk` a weight of its own"},
        {{"--blend", "walk:1", "--transition", "idle@0..1"}, "use one or the other"},
        {{"--blend", "walk:0", "--blend", "wave:0"}, "all weights are 0"},
        {{"--transition", "idle@0..1", "--transition", "wave@0.5..2"}, "before the one before has ended"},
        {{"--transition", "idle@12f..0.25", "--clip", "walk"}, "ends before it begins"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *const *o = rows[i].options;
        assert_contains(rigproof_fails(2, "dump", WALKER, o[0], o[1], o[2], o[3])->err, rows[i].says);
    }
}

/* The circle's length is that of the whole timeline, 0.5 s + 2 s of idle, played at twice the speed. */
static void a_turntable_plays_all_of_it(void **state)
{
    (void)state;
    const struct outcome *turn =
        rigproof_good("turntable", WALKER, "--clip", "walk", "--transition", "idle@0.5..1", "--rate", "2", "--frames",
                      "5", "--size", "16x16", "-o", "t_{frame}.png");
    assert_contains(turn->err, "-framerate 4 ");
}

/* ---- poses that stand still -------------------------------------------------------------------------------------- */

#define STRIDE FIXTURES "/stride/stride.gltf"
#define CONTRADICTING FIXTURES "/stride/contradicting.gltf"

/* The bone's local transform, without the columns ahead of it. */
static const char *local_of(const char *bone, const char *option, const char *value)
{
    const char *row =
        rigproof_good("dump", STRIDE, "--clip", option[0] == 'c' ? value : "rest", option[0] == 'c' ? "--rate" : option,
                      option[0] == 'c' ? "1" : value, "--stage", "local", "--bone", bone, "--format", "csv")
            ->out;
    for (const char *c = strstr(row, bone); c; c = strstr(c + 1, bone))
        row = c;
    return row;
}

#define of_clip(clip, bone) local_of(bone, "clip", clip)
#define is_local(bone, option, value, clip) assert_string_equal(local_of(bone, option, value), of_clip(clip, bone))

static void rest_and_bind_are_told_wherever_a_clip_is_named(void **state)
{
    (void)state;
    assert_string_equal(of_clip("none", "leg.L"), of_clip("rest", "leg.L"));
    assert_string_not_equal(of_clip("bind", "leg.L"), of_clip("rest", "leg.L"));
    is_local("leg.L", "--mask", "leg.L=bind", "bind");
    is_local("leg.R", "--mask", "leg.L=bind", "rest");
    is_local("shin.R", "--transition", "bind@0..0", "bind");
    is_local("hand", "--add", "rest:1@bind", "rest"); /* of no skin: the same in both */
    assert_string_not_equal(local_of("spine", "--add", "rest:1@bind"), of_clip("rest", "spine"));
    is_local("spine", "--add", "rest:1@rest", "rest");
    const struct outcome *blend = rigproof_good("dump", STRIDE, "--blend", "bind:2", "--blend", "step:0", "--json");
    assert_contains(blend->out, "\"clip\": \"bind:2+step:0\"");
    assert_contains(rigproof_good("dump", STRIDE, "--clip", "rest", "--add", "step:1@bind")->err, "(that is @rest)\n");
    assert_string_equal(rigproof_good("dump", STRIDE, "--clip", "rest", "--add", "step:1@rest")->err, "");
}

static void a_file_says_whether_it_has_a_bind_pose(void **state)
{
    (void)state;
    assert_contains(
        rigproof_good("inspect", STRIDE)->out,
        "\npose: rest and bind pose differ, most by bone shin.R: a vertex by 83.5 % of the model's radius\n");
    assert_contains(rigproof_good("inspect", FIXTURES "/twins/twins.gltf")->out,
                    "\npose: the rest pose is the bind pose\n");
    assert_contains(rigproof_good("inspect", CONTRADICTING)->out, "has no bind pose: ");
    const char *why = rigproof_fails(2, "dump", CONTRADICTING, "--clip", "bind")->err;
    assert_contains(why,
                    "the offset matrices of meshes `body` and `coat` contradict each other: where both agree on bone "
                    "`spine`, they do not on `leg.L` (14.2 %) of the model's radius\n");
    rigproof_fails(2, "dump", CONTRADICTING, "--mask", "hips=bind");
    rigproof_good("dump", CONTRADICTING, "--clip", "rest");
}

static void the_pose_is_named_where_no_clip_is(void **state)
{
    (void)state;
    const char *ends = FIXTURES "/ends/ends.gltf";
    assert_contains(rigproof_good("dump", ends)->err, "has no clips: this is its rest pose\n");
    assert_string_equal(rigproof_good("dump", ends, "--clip", "rest")->err, "");
    const struct outcome *turn =
        rigproof_good("turntable", STRIDE, "--size", "16x16", "--frames", "2", "-o", "{clip}{frame}.png");
    assert_contains(turn->err, "without --clip: the rest pose of ");
    assert_string_equal(scratch_listing(), "rest0.png rest1.png");
}

/* A clip of that name was there before the word. */
static void a_clip_may_be_called_so(void **state)
{
    (void)state;
    size_t size;
    char *text = slurp(STRIDE, &size), *name = strstr(text, "\"step\"");
    assert_non_null(name);
    memcpy(name, "\"bind\"", 6);
    spill("model.gltf", text);
    assert_contains(rigproof_good("dump", "model.gltf", "--clip", "bind", "--time", "0.5")->err,
                    "has a clip of that name");
    assert_contains(rigproof_good("dump", "model.gltf", "--clip", "bind", "--frames", "0..1", "--format", "csv",
                                  "--stage", "local", "--bone", "leg.L")
                        ->out,
                    "leg.L");
    assert_string_not_equal(
        rigproof_good("dump", "model.gltf", "--clip", "bind", "--time", "1", "--format", "obj")->out,
        rigproof_good("dump", STRIDE, "--clip", "bind", "--time", "1", "--format", "obj")->out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        scratch_test(what_plays_is_in_words),
        scratch_test(weights_of_one_clip_are_that_clip),
        scratch_test(names_that_do_not_exist_are_named),
        scratch_test(a_turntable_plays_all_of_it),
        scratch_test(rest_and_bind_are_told_wherever_a_clip_is_named),
        scratch_test(a_file_says_whether_it_has_a_bind_pose),
        scratch_test(the_pose_is_named_where_no_clip_is),
        scratch_test(a_clip_may_be_called_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
