/* inspect: what it says about the fixtures, as text and as JSON. */

#include <jansson.h>

#include "cli/pictures.h"

static json_t *json_of(const struct outcome *outcome)
{
    assert_null(find_not_finite(outcome->out));
    return read_json(outcome->out, outcome->out_size);
}

static json_t *inspect_json(const char *model)
{
    json_t *root = json_of(rigproof_good("inspect", "--json", model));
    assert_string_equal(json_string_value(json_object_get(root, "format")), "rigproof.import/1");
    return root;
}

static json_t *by_name(const json_t *root, const char *list, const char *key, const char *name)
{
    size_t i;
    json_t *entry;
    json_array_foreach(json_object_get(root, list), i, entry)
        if (strcmp(json_string_value(json_object_get(entry, key)), name) == 0)
            return entry;
    fail_msg("no `%s` in %s", name, list);
    return NULL;
}

static const char *const models[] = {"walker/walker.glb", "walker/walker.fbx", "walker/walker.dae", "strip/strip.gltf",
                                     "strip/morph.gltf", "crowd/crowd.glb", "twins/twins.gltf", "pieces/body.glb",
                                     "pieces/steps.glb", "ticks/ticks.x"};
enum { MODELS = sizeof models / sizeof models[0] };

SCRATCH_TEST(counts_are_the_files)
{
    static const struct {
        const char *model;
        size_t bones, clips;
    } cases[] = {
        {FIXTURES "/walker/walker.glb", 30, 3}, {FIXTURES "/walker/walker.fbx", 30, 3},
        {FIXTURES "/walker/walker.dae", 29, 1}, /* Assimp leaves out the bone that holds nothing */
        {FIXTURES "/strip/strip.gltf", 2, 13},  {FIXTURES "/crowd/crowd.glb", 300, 1},
        {FIXTURES "/twins/twins.gltf", 4, 1},   {FIXTURES "/pieces/body.glb", 4, 0},
        {FIXTURES "/pieces/steps.glb", 0, 1},   {FIXTURES "/ticks/ticks.x", 2, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        json_auto_t *root = inspect_json(cases[i].model);
        size_t n, bones = 0, clips = json_array_size(json_object_get(root, "clips"));
        json_t *node;
        json_array_foreach(json_object_get(root, "nodes"), n, node)
            bones += json_is_true(json_object_get(node, "bone"));
        if (bones != cases[i].bones || clips != cases[i].clips)
            fail_msg("%s: %zu bones and %zu clips, not %zu and %zu", cases[i].model, bones, clips, cases[i].bones,
                     cases[i].clips);
    }
}

static void text_says(const char *model, const char *const *parts, size_t count)
{
    const struct outcome *outcome = rigproof_good("inspect", model);
    assert_string_equal(outcome->err, "");
    assert_null(find_not_finite(outcome->out));
    for (size_t i = 0; i < count; i++)
        assert_contains(outcome->out, parts[i]);
}

#define TEXT_SAYS(model, ...) \
    text_says(model, (const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

SCRATCH_TEST(text_names_what_matters)
{
    TEXT_SAYS(FIXTURES "/walker/walker.glb", "walker.glb (Assimp ", "texture 0 of the file (512x512)", "of which 30 bones", "hips *", "1578 vertices",
              "658 vertices", "walk: 1 s", "idle: 2 s", "wave: 1.5 s", "\nrepairs:", "\nwarnings: none");
    TEXT_SAYS(FIXTURES "/walker/walker.fbx", "up axis y", "rig|walk: 1 s, 24 ticks per second", "of which 30 bones");
    TEXT_SAYS(FIXTURES "/walker/walker.dae", "rig_rig: 1 s", "rig_hips *");
    TEXT_SAYS(FIXTURES "/crowd/crowd.glb", "of which 300 bones", "influences per vertex:  8: 2560", "sway: 2 s");
    TEXT_SAYS(FIXTURES "/twins/twins.gltf", "right: ", "prop: ", ", rigid", "turn: 1.5 s", "name-clash: ");
    TEXT_SAYS(FIXTURES "/pieces/steps.glb", "meshes: 0", "steps: 1 s", "lantern");
    TEXT_SAYS(FIXTURES "/ticks/ticks.x", "bend: 2 s, 0 ticks per second, ");
    TEXT_SAYS(FIXTURES "/strip/morph.gltf", "2 morph targets", "morph channel");
}

/* The clips of the strip are called by their interpolation and component. */
SCRATCH_TEST(interpolations_are_told)
{
    static const char *const ways[] = {"step", "linear", "cubic"};
    static const char *const paths[][2] = {{"translation", "t"}, {"rotation", "r"}, {"scale", "s"}};
    json_auto_t *root = inspect_json(FIXTURES "/strip/strip.gltf");
    for (int w = 0; w < 3; w++)
        for (int p = 0; p < 3; p++) {
            const char *name = at("%s-%s", ways[w], paths[p][0]);
            json_t *clip = by_name(root, "clips", "name", name);
            json_t *channel = by_name(clip, "channels", "node", "tip");
            json_t *keys = json_object_get(channel, paths[p][1]);
            const char *way = json_string_value(json_object_get(keys, "interpolation"));
            if (!way || strcmp(way, ways[w]) != 0)
                fail_msg("%s is said to be %s", name, way ? way : "nothing");
            assert_int_equal(json_integer_value(json_object_get(keys, "keys")), 3);
            assert_float_equal(json_number_value(json_object_get(keys, "last")), 2, 1e-6);
            assert_float_equal(json_number_value(json_object_get(clip, "duration")), 2, 1e-6);
        }
}

/* Each palette entry is held once, under the bone and mesh that a dump has at its place; shares of a mesh's bones make 1. */
SCRATCH_TEST(bones_hold_the_palette)
{
    for (int i = 0; i < MODELS; i++) {
        size_t n, h, held = 0;
        json_t *node, *hold;
        double shares = 0;
        const char *path = at("%s/%s", FIXTURES, models[i]);
        json_auto_t *bones = json_of(rigproof_good("inspect", "--bones", "--json", path));
        json_auto_t *pose = json_of(rigproof_good("dump", "--json", "--clip", "none", path));
        json_t *palette = json_object_get(pose, "palette"), *import = inspect_json(path), *mesh, *bone;
        json_array_foreach(json_object_get(import, "meshes"), n, mesh) {
            double sum = 0, vertices = json_number_value(json_object_get(mesh, "vertices"));
            json_array_foreach(json_object_get(mesh, "bones"), h, bone)
                sum += json_number_value(json_object_get(bone, "sum"));
            if (json_object_get(mesh, "bones") && !(fabs(sum / vertices - 1) < 1e-5))
                fail_msg("%s: weights add up to %g at %g vertices", path, sum, vertices);
        }
        json_decref(import);
        json_array_foreach(json_object_get(bones, "nodes"), n, node)
            json_array_foreach(json_object_get(node, "holds"), h, hold) {
                json_t *entry = json_array_get(palette, (size_t)json_integer_value(json_object_get(hold, "palette")));
                assert_true(json_equal(json_object_get(entry, "bone"), json_object_get(node, "name")));
                assert_true(json_equal(json_object_get(entry, "mesh"), json_object_get(hold, "mesh")));
                shares += json_number_value(json_object_get(hold, "share"));
                held++;
            }
        assert_int_equal(held, json_array_size(palette));
        assert_int_equal(held, json_integer_value(json_object_get(bones, "palette")));
        assert_float_equal(shares, (double)json_array_size(json_object_get(pose, "skin")), 1e-5);
    }
}

/* The first row of a picture with a pixel of that colour, "#rrggbb". */
static uint32_t first_row_of(const struct image *image, const char *color)
{
    unsigned red, green, blue;
    assert_int_equal(sscanf(color, "#%2x%2x%2x", &red, &green, &blue), 3);
    for (uint32_t i = 0; i < image->width * image->height; i++) {
        const uint8_t *pixel = image->rgba + 4 * (size_t)i;
        if (pixel[0] == red && pixel[1] == green && pixel[2] == blue)
            return i / image->width;
    }
    fail_msg("no pixel is %s", color);
    return 0;
}

/* The strip stands on `base`; `tip` holds the upper half. */
SCRATCH_TEST(colours_are_those_of_the_picture)
{
    const char *strip = FIXTURES "/strip/strip.gltf";
    json_auto_t *root = json_of(rigproof_good("inspect", "--bones", "--json", strip));
    rigproof_good("render", strip, "--clip", "none", "--view", "bones", "--size", "64x64", "-o", "bones.png");
    SCOPED(image) image = read_picture("bones.png");
    const char *base = json_string_value(json_object_get(by_name(root, "nodes", "name", "base"), "color"));
    const char *tip = json_string_value(json_object_get(by_name(root, "nodes", "name", "tip"), "color"));
    assert_true(base && tip);
    assert_true(first_row_of(&image, tip) + 10 < first_row_of(&image, base));
    assert_true(json_is_null(json_object_get(by_name(root, "nodes", "name", "rig"), "color")));
    assert_contains(rigproof_good("inspect", "--bones", strip)->out, tip);
}

SCRATCH_TEST(clips_of_another_file_are_part_of_it)
{
    const struct outcome *text =
        rigproof_good("inspect", FIXTURES "/pieces/body.glb", "--clips-from", FIXTURES "/pieces/steps.glb");
    assert_contains(text->out, "steps: 1 s", "lantern (no such node)",
                    "unmatched-channels: clip `steps` of steps.glb: 1 of 5 channels move no node here: lantern");
    const struct outcome *json =
        rigproof_good("inspect", "--json", FIXTURES "/pieces/body.glb", "--clips-from", FIXTURES "/pieces/steps.glb");
    assert_contains(json->out, "\"unmatched\": true", "unmatched-channels");
}

SCRATCH_TEST(repairs_can_be_switched_off)
{
    const char *with = rigproof_good("inspect", "--json", FIXTURES "/twins/twins.gltf")->out;
    const char *without = rigproof_good("inspect", "--json", "--repair", "none", FIXTURES "/twins/twins.gltf")->out;
    assert_contains(with, "\"name-clash\"");
    assert_null(strstr(without, "\"id\": \"name-clash\""));
    const char *one = rigproof_good("inspect", "--json", "--repair", "name-clash", FIXTURES "/twins/twins.gltf")->out;
    assert_contains(one, "\"name-clash\"");
}

/* A line a model; what a line says is what the model's own document says. */
SCRATCH_TEST(brief_lines_are_the_documents)
{
    static const char *const paths[] = {FIXTURES "/walker/walker.fbx", FIXTURES "/strip/strip.gltf",
                                        FIXTURES "/pieces/steps.glb", FIXTURES "/sheaf/sheaf.x"};
    static const uint32_t most[] = {4, 2, 0, 10};
    json_auto_t *briefs =
        json_of(rigproof_good("inspect", "--brief", "--json", paths[0], paths[1], paths[2], paths[3]));
    const char *text = rigproof_good("inspect", "--brief", paths[0], paths[1], paths[2], paths[3])->out;
    assert_int_equal(json_array_size(briefs), 4);
    assert_int_equal(count_lines(text), 5);
    for (size_t i = 0; i < 4; i++) {
        json_t *brief = json_array_get(briefs, i), *whole = inspect_json(paths[i]), *entry;
        size_t n, bones = 0;
        json_int_t vertices = 0, triangles = 0;
        json_array_foreach(json_object_get(whole, "nodes"), n, entry)
            bones += json_is_true(json_object_get(entry, "bone"));
        json_array_foreach(json_object_get(whole, "meshes"), n, entry) {
            vertices += json_integer_value(json_object_get(entry, "vertices"));
            triangles += json_integer_value(json_object_get(entry, "triangles"));
        }
        assert_string_equal(json_string_value(json_object_get(brief, "format")), "rigproof.brief/1");
        assert_string_equal(json_string_value(json_object_get(brief, "model")), paths[i]);
        assert_int_equal(json_integer_value(json_object_get(brief, "nodes")), json_array_size(json_object_get(whole, "nodes")));
        assert_int_equal(json_integer_value(json_object_get(brief, "bones")), bones);
        assert_int_equal(json_integer_value(json_object_get(brief, "meshes")), json_array_size(json_object_get(whole, "meshes")));
        assert_int_equal(json_integer_value(json_object_get(brief, "vertices")), vertices);
        assert_int_equal(json_integer_value(json_object_get(brief, "triangles")), triangles);
        assert_int_equal(json_integer_value(json_object_get(brief, "most_influences")), most[i]);
        assert_int_equal(json_integer_value(json_object_get(brief, "repairs")), json_array_size(json_object_get(whole, "repairs")));
        assert_int_equal(json_integer_value(json_object_get(brief, "warnings")), json_array_size(json_object_get(whole, "warnings")));
        json_array_foreach(json_object_get(whole, "clips"), n, entry) {
            json_t *clip = json_array_get(json_object_get(brief, "clips"), n);
            assert_true(json_equal(json_object_get(clip, "name"), json_object_get(entry, "name")));
            assert_true(json_equal(json_object_get(clip, "duration"), json_object_get(entry, "duration")));
        }
        assert_int_equal(json_array_size(json_object_get(brief, "clips")), n);
        json_decref(whole);
    }
    assert_contains(text, "  rig|idle 2 s, rig|walk 1 s, rig|wave 1.5 s\n");
    assert_contains(text, " and 1 more\n"); /* of 13 */
    size_t columns = 0; /* where the clips begin */
    for (const char *line = text; *line; line = strchr(line, '\n') + 1) {
        const char *clips = line == text ? "clips\n" : strstr(line, "walker.fbx") < strchr(line, '\n') && strstr(line, "walker.fbx")
                                                           ? "rig|idle" : "";
        if (*clips)
            assert_true(columns == 0 || columns == (size_t)(strstr(line, clips) - line));
        if (*clips)
            columns = (size_t)(strstr(line, clips) - line);
    }
}

/* The others are printed; the exit code is 1. Of one model it stays 2. */
SCRATCH_TEST(one_unreadable_model_among_several)
{
    const char *strip = FIXTURES "/strip/strip.gltf", *steps = FIXTURES "/pieces/steps.glb";
    const struct outcome *outcome = rigproof_gives(1, "inspect", "--brief", strip, "none.glb", steps);
    assert_int_equal(count_lines(outcome->err), 1);
    assert_contains(outcome->err, "error: import of none.glb: ");
    assert_int_equal(count_lines(outcome->out), 3);
    outcome = rigproof_gives(1, "inspect", "--json", "none.glb", strip, steps);
    json_auto_t *root = json_of(outcome);
    assert_int_equal(json_array_size(root), 2);
    assert_string_equal(json_string_value(json_object_get(json_array_get(root, 1), "model")), "steps.glb");
    outcome = rigproof_gives(1, "inspect", "none.glb", "none-too.glb");
    assert_int_equal(count_lines(outcome->err), 2);
    assert_string_equal(outcome->out, "");
    rigproof_fails(2, "inspect", "--brief", "none.glb");
    rigproof_refuses("--brief, --bones", "inspect", "--brief", "--bones", strip);
    assert_contains(rigproof_good("inspect", "--bones", strip, steps)->out, "strip.gltf", "\n\nsteps.glb");
}

/* Exit codes, forms and the numbers of fixtures that say what they are: 300 bones with 8 influences; two offsets. */
SCRATCH_TEST(survival_is_told_by_exit_code_and_lines)
{
    const char *crowd = FIXTURES "/crowd/crowd.glb", *strip = FIXTURES "/strip/strip.gltf";
    const struct outcome *outcome = rigproof_gives(1, "inspect", "--for", "learnopengl", crowd);
    assert_string_equal(outcome->err, "");
    assert_contains(outcome->out, "crowd.glb in learnopengl: does not survive, ");
    assert_contains(outcome->out, "\n  breaks   bones: 300 bones in the scene, and its array has 100");
    outcome = rigproof_good("inspect", "--for", "gles3,webgl2", crowd);
    assert_contains(outcome->out, "crowd.glb in gles3: survives\n  note     uniforms: ");
    assert_contains(outcome->out, "crowd.glb in webgl2: survives\n");
    outcome = rigproof_gives(1, "inspect", "--for", "all", "--json", crowd, strip);
    json_auto_t *root = json_of(outcome);
    assert_int_equal(json_array_size(root), 2);
    json_t *first = json_array_get(root, 0), *engines = json_object_get(first, "engines");
    assert_string_equal(json_string_value(json_object_get(first, "format")), "rigproof.survival/1");
    assert_int_equal(json_array_size(engines), 7);
    json_t *findings = json_object_get(json_array_get(engines, 0), "findings"), *bones = json_array_get(findings, 0);
    assert_string_equal(json_string_value(json_object_get(bones, "check")), "bones");
    assert_true(json_number_value(json_object_get(bones, "measure")) == 300);
    assert_true(json_number_value(json_object_get(bones, "limit")) == 100);
    const char *twins = rigproof("inspect", "--for", "ogldev", FIXTURES "/twins/twins.gltf", NULL)->out;
    assert_contains(twins, "\n  changes  offsets: ", "and the last counts for both");
}

/* What the importer does wrong is the engine's trouble, whether a repair is on here or not. */
SCRATCH_TEST(survival_is_that_of_the_plain_importer)
{
    const char *sums = rigproof("inspect", "--for", "learnopengl", FIXTURES "/broken/unnormalised-weights.gltf", NULL)->out;
    assert_contains(sums, "\n  changes  weight-sums: ");
    const char *walker = rigproof("inspect", "--for", "thesis", FIXTURES "/walker/walker.fbx", NULL)->out;
    assert_contains(walker, "\n  changes  unit: a unit is 0.01 m");
    const char *ticks = rigproof("inspect", "--for", "learnopengl", FIXTURES "/ticks/ticks.x", NULL)->out;
    assert_contains(ticks, "\n  changes  no-tick-rate: ");
    rigproof_refuses("exclude each other", "inspect", "--for", "learnopengl", "--brief", "none.glb");
    rigproof_refuses("did you mean `learnopengl`?", "inspect", "--for", "learnopngl", "none.glb");
}
