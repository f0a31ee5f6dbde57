/* What plays: words for it, weights 0 and 1, frames for seconds, complaints about names; and mixes against Blender. */

#include <jansson.h>

#include "run_binary.h"

#define WALKER FIXTURES "/walker/walker.glb"

static const char *dump(const char *const o[6])
{
    return rigproof_good("dump", WALKER, "--time", "0.45", "--format", "json", o[0], o[1], o[2], o[3], o[4], o[5])->out;
}

SCRATCH_TEST(what_plays_is_in_words)
{
    static const struct {
        const char *options[6], *words;
    } rows[] = {
        {{"--clip", "1"}, "\"walk\""},
        {{"--clip", "none"}, "null"},
        {{"--clip", "rest"}, "null"},
        {{"--clip", "bind"}, "\"bind\""},
        {{"--clip", "rest", "--add", "bind:1@rest", "--mask", "head=bind"}, "\"rest, head=bind, add bind:1@rest\""},
        {{"--in-place", "--blend", "walk:0.70", "--blend", "wave:3e-1"}, "\"walk:0.7+wave:0.3\""},
        {{"--clip", "walk", "--transition", "idle@12f..24f"}, "\"walk -> idle@0.5..1\""},
        {{"--fps", "30", "--transition", "wave@12f..1.5", "--clip", "walk"}, "\"walk -> wave@0.4..1.5\""},
        {{"--transition", "wave@1..2", "--transition", "none@2..3", "--clip", "2"}, "\"wave -> wave@1..2 -> none@2..3\""},
        {{"--clip", "walk", "--mask", "spine_2=wave@6f", "--mask", "head=idle"}, "\"walk, spine_2=wave@0.25, head=idle\""},
        {{"--clip", "none", "--add", "wave:-0.5", "--add", "walk:1@bind"}, "\"none, add wave:-0.5, add walk:1@bind\""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_contains(dump(rows[i].options), at("\n \"clip\": %s,\n", rows[i].words));
    }
}

SCRATCH_TEST(weights_of_one_clip_are_that_clip)
{
    static const char *const rows[][6] = {
        {"--clip", "walk"},
        {"--blend", "walk:1", "--blend", "wave:0", "--blend", "idle:0"},
        {"--blend", "wave:0", "--blend", "walk:0.25", "--blend", "none:0"},
        {"--clip", "walk", "--transition", "wave@0.45..0.9", "--mask", "head=walk"},
        {"--clip", "wave", "--transition", "walk@0..0.45", "--add", "wave:0"},
        {"--blend", "walk:1", "--blend", "wave:0.01"}, /* not this one */
    };
    enum { ROWS = sizeof rows / sizeof rows[0] };
    const char *walk = NULL;
    for (int i = 0; i < ROWS; i++) {
        const char *numbers = strstr(dump(rows[i]), "\"nodes\""); /* all of them, after the header */
        assert_non_null(numbers);
        walk = i == 0 ? numbers : walk;
        assert_int_equal(strcmp(numbers, walk) == 0, i < ROWS - 1);
    }
}

SCRATCH_TEST(names_that_do_not_exist_are_named)
{
    static const struct {
        const char *options[4], *says;
    } rows[] = {
        {{"--blend", "walk:1", "--blend", "wav:1"}, "no clip `wav`; did you mean `wave`?"},
        {{"--clip", "walk", "--transition", "idel@0..1"}, "no clip `idel`; did you mean `idle`?"},
        {{"--clip", "walk", "--mask", "uper_arm_R=wave"}, "no bone `uper_arm_R`; did you mean `upper_arm_R`?"},
        {{"--clip", "walk", "--mask", "rudder=wave"}, "no bone `rudder`; `rigproof inspect` lists them"},
        {{"--clip", "walk", "--mask", "head=wvae"}, "did you mean `wave`?"},
        {{"--mask", "head=wave", "--mask", "head=idle"}, "two masks are for `head`"},
        {{"--clip", "walk", "--add", "wavy:1"}, "did you mean `wave`?"},
        {{"--blend", "walk:0", "--blend", "wave:0"}, "all weights are 0"},
        {{"--transition", "idle@0..1", "--transition", "wave@0.5..2"}, "but the previous one ends"},
        {{"--transition", "idle@12f..0.25", "--clip", "walk"}, "ends before it begins"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *const *o = rows[i].options;
        rigproof_refuses(rows[i].says, "dump", WALKER, o[0], o[1], o[2], o[3]);
    }
}

SCRATCH_TEST(names_may_hold_the_sign_between_them)
{
    char *model = slurp(FIXTURES "/strip/strip.gltf", NULL), *at;
    while ((at = strstr(model, "\"tip\""))) /* as long, and blanks are nothing in JSON */
        memcpy(at, "\"a=b\"", 5);
    spill("signs.gltf", model);
    for (int i = 0; i < 2; i++) {
        const char *mask = i ? "\"a=b\"=flip" : "a=b=flip";
        assert_contains(rigproof_good("dump", "signs.gltf", "--clip", "linear-rotation", "--mask", mask, "--time", "0.5", "--format", "json")->out,
                        "a=b=flip");
    }
    rigproof_refuses("no bone `a`", "dump", "signs.gltf", "--mask", "a=flip");
}

/* The circle's length is that of the whole timeline, 0.5 s + 2 s of idle, played at twice the speed. */
SCRATCH_TEST(a_turntable_plays_all_of_it)
{
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

SCRATCH_TEST(rest_and_bind_are_told_wherever_a_clip_is_named)
{
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

SCRATCH_TEST(a_file_says_whether_it_has_a_bind_pose)
{
    assert_contains(
        rigproof_good("inspect", STRIDE)->out,
        "\npose: rest and bind pose differ, most by bone shin.R: a vertex by 83.5 % of the model's radius\n");
    assert_contains(rigproof_good("inspect", FIXTURES "/twins/twins.gltf")->out,
                    "\npose: the rest pose is the bind pose\n");
    assert_contains(rigproof_good("inspect", CONTRADICTING)->out, "has no bind pose: ");
    const char *why = rigproof_fails(2, "dump", CONTRADICTING, "--clip", "bind")->err;
    assert_contains(why,
                    "the offset matrices of meshes `body` and `coat` contradict each other: where they agree on bone "
                    "`spine`, others are off by a share of the model's radius: `leg.L` (14.2 %)\n");
    rigproof_fails(2, "dump", CONTRADICTING, "--mask", "hips=bind");
    rigproof_good("dump", CONTRADICTING, "--clip", "rest");
}

SCRATCH_TEST(the_pose_is_named_where_no_clip_is)
{
    const char *ends = FIXTURES "/ends/ends.gltf";
    assert_contains(rigproof_good("dump", ends)->err, "has no clips: this is its rest pose\n");
    assert_string_equal(rigproof_good("dump", ends, "--clip", "rest")->err, "");
    const struct outcome *turn =
        rigproof_good("turntable", STRIDE, "--size", "16x16", "--frames", "2", "-o", "{clip}{frame}.png");
    assert_contains(turn->err, "without --clip: the rest pose of ");
    assert_string_equal(scratch_listing(), "rest0.png rest1.png");
}

/* A clip of that name was there before the word. */
SCRATCH_TEST(a_clip_may_be_called_so)
{
    char *text = slurp(STRIDE, NULL), *name = strstr(text, "\"step\"");
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

/* ---- against Blender ------------------------------------------------------------------------------------------------- */

/*
 * Blends, transitions, masks and additive layers of the walker against fixtures/walker/mixes.json: Blender's evaluation of
 * the single clips, put together by scripts/fixtures/walker_mix.py. Palettes, measured by how far they move the joint that
 * they belong to and points around it.
 */
static const double radius = 0.7, limit = 1e-5; /* metres, half of the height; of the radius */
static const double probe_distance = 0.1;                /* metres from the joint: bones are that long */

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
    const char *option[6] = {NULL};
    const json_t *options = json_object_get(mix, "options");
    assert_true(json_array_size(options) <= 6);
    for (size_t i = 0; i < json_array_size(options); i++)
        option[i] = json_string_value(json_array_get(options, i));
    const char *time = at("%.17g", frame / 24.0);
    const struct outcome *dump = rigproof_good("dump", WALKER, "--time", time, "--format", "json", option[0], option[1],
                                               option[2], option[3], option[4], option[5]);
    return read_json(dump->out, dump->out_size);
}

/* The limit tells frames apart: the next one is far beyond it. */
SCRATCH_TEST(mixes_agree_with_blender)
{
    size_t i, size = 0;
    const char *text = slurp(FIXTURES "/walker/mixes.json", &size);
    json_t *root = read_json(text, size), *mix, *joints = json_object_get(root, "joints");
    double worst = 0;
    assert_int_equal(json_array_size(json_object_get(root, "mixes")), 30);
    json_array_foreach(json_object_get(root, "mixes"), i, mix)
    {
        const char *bone = "none";
        int frame = (int)json_integer_value(json_object_get(mix, "frame"));
        json_auto_t *pose = posed(mix, frame), *next = posed(mix, frame + 1);
        double moved = apart(pose, mix, joints, &bone);
        worst = fmax(worst, moved);
        if (!(moved <= limit * radius))
            fail_msg("%s, frame %d: `%s` is %.3g m away, the limit is %.3g m",
                     json_string_value(json_object_get(mix, "name")), frame, bone, moved, limit * radius);
        assert_true(apart(next, mix, joints, &bone) > 100 * limit * radius);
    }
    print_message("at most %.3g m, %.3g of the radius\n", worst, worst / radius);
    json_decref(root);
}
