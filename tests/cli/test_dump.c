/* dump: which stages, of which bones, at how many times, in which form; and how fast the bones move. */

#include <jansson.h>

#include "run_binary.h"

#define STRIP FIXTURES "/strip/strip.gltf"
#define WALKER FIXTURES "/walker/walker.glb"

/* The n-th field of a CSV line; names of the strip need no quotes. Lives until the next call. */
static const char *field(const char *line, int n)
{
    static char copy[128];
    for (; n > 0; n--)
        line = strchr(line, ',') + 1;
    snprintf(copy, sizeof copy, "%.*s", (int)strcspn(line, ",\n"), line);
    return copy;
}

static double number(const char *line, int n)
{
    char *end;
    const char *text = field(line, n);
    double value = strtod(text, &end);
    if (end == text || *end != '\0')
        fail_msg("`%s` is no number in %s", text, line);
    return value;
}

/* The first line that begins with `start`. */
static const char *line_of(const char *csv, const char *start)
{
    for (const char *line = csv; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
        if (strncmp(line, start, strlen(start)) == 0)
            return line;
    fail_msg("no line begins with %s", start);
    return NULL;
}

/* The JSON documents of the lines, as a list; to be released. */
static json_t *read_lines(const char *text)
{
    json_t *list = json_array();
    for (const char *line = text; *line; line = strchr(line, '\n') + 1)
        json_array_append_new(list, read_json(line, strcspn(line, "\n")));
    return list;
}

static double number_at(const json_t *object, const char *key, size_t i)
{
    const json_t *value = json_array_get(json_object_get(object, key), i);
    assert_true(json_is_number(value));
    return json_number_value(value);
}

static json_t *node_of(const json_t *pose, size_t i)
{
    return json_array_get(json_object_get(pose, "nodes"), i);
}

SCRATCH_TEST(stages_are_chosen)
{
    const char *all = rigproof_good("dump", STRIP, "--format", "csv")->out;
    assert_int_equal(count_lines(all), 1 + 2 * 4 + 2);
    const char *palette = rigproof_good("dump", STRIP, "--format", "csv", "--stage", "palette")->out;
    assert_int_equal(count_lines(palette), 1 + 2);
    assert_null(strstr(palette, ",local,"));
    const char *nodes = rigproof_good("dump", STRIP, "--format", "csv", "--stage", "global,local")->out;
    assert_int_equal(count_lines(nodes), 1 + 2 * 4);
    assert_string_equal(rigproof_good("dump", STRIP, "--format", "csv", "--stage", "local", "--stage", "global")->out, nodes);
    assert_string_equal(rigproof_good("dump", STRIP, "--format", "csv", "--stage", "palette,local,global")->out, all);
    const char *whole = rigproof_good("dump", STRIP, "--json")->out;
    assert_string_equal(rigproof_good("dump", STRIP, "--json", "--stage", "local,global,palette,skin")->out, whole);
    const char *part = rigproof_good("dump", STRIP, "--json", "--stage", "global")->out;
    assert_contains(part, "\"format\": \"rigproof.pose-part/1\"");
    assert_contains(part, "{\"name\": \"tip\", \"parent\": \"base\", \"global\": [");
    assert_lacks(part, "\"palette\"", "\"skin\"");
    const char *text = rigproof_good("dump", STRIP, "--stage", "global,skin")->out;
    assert_contains(text, "\nglobal pose, to the scene (", "\nskin, in scene space (");
    assert_lacks(text, "local pose", "palette");
}

SCRATCH_TEST(bones_are_chosen)
{
    const char *tip = rigproof_good("dump", STRIP, "--format", "csv", "--bone", "tip")->out;
    assert_int_equal(count_lines(tip), 1 + 3);
    line_of(tip, "strip.gltf,step-translation,0,local,,tip,base,");
    line_of(tip, "strip.gltf,step-translation,0,global,,tip,base,");
    line_of(tip, "strip.gltf,step-translation,0,palette,strip-mesh,tip,base,");
    const char *two = rigproof_good("dump", STRIP, "--format", "csv", "--bone", "[bt]a*", "--bone", "tip")->out;
    assert_int_equal(count_lines(two), 1 + 6);
    assert_string_equal(rigproof_good("dump", STRIP, "--format", "csv", "--bone", "*")->out,
                        rigproof_good("dump", STRIP, "--format", "csv")->out);
    const char *json = rigproof_good("dump", STRIP, "--json", "--bone", "tip")->out;
    require_json(json, strlen(json));
    assert_contains(json, "rigproof.pose-part/1");
    assert_lacks(json, "\"name\": \"base\"", "\"bone\": \"base\"", "\"skin\"");
    const char *text = rigproof_good("dump", STRIP, "--bone", "tip")->out;
    assert_contains(text, "strip-mesh / tip");
    assert_null(strstr(text, "strip-mesh / base"));
}

SCRATCH_TEST(what_cannot_be_chosen_is_said)
{
    static const struct {
        const char *options[5], *why;
    } cases[] = {
        {{"--bone", "tpi"}, "no node of strip.gltf is called `tpi`; did you mean `tip`?"},
        {{"--bone", "tpi*"}, "did you mean `tip`?"},
        {{"--bone", "tip", "--bone", "elephant*"}, "`elephant*`; rigproof inspect lists them"},
        {{"--stage", "gobal"}, "--stage: no `gobal`; did you mean `global`?"},
        {{"--stage", "local,"}, "--stage: no ``"},
        {{"--stage", "skin,local", "--format", "csv"}, "a file of its own"},
        {{"--stage", "local", "--format", "obj"}, "--format obj"},
        {{"--bone", "tip", "--stage", "skin"}, "whole meshes"},
        {{"--velocities", "--stage", "palette"}, "--velocities are those of nodes"},
        {{"--velocities"}, "at least two times are needed"},
        {{"--velocities", "--time", "0,0.5,0.5"}, "times must ascend, but 0.5 s comes after 0.5 s"},
        {{"--vertices"}, "--vertices: --format csv, json and jsonl can hold them, text does not"},
        {{"--vertices", "--json", "--stage", "local"}, "add --stage skin"},
        {{"--format", "jsonk"}, "no `jsonk`; did you mean `json`? There are: text, json, jsonl, csv, obj"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *const *o = cases[i].options;
        assert_contains(run_fails(2, rigproof("dump", STRIP, o[0], o[1], o[2], o[3], NULL))->err, cases[i].why);
    }
}

/* linear-translation at 0.5 s: the tip has moved by (1, 0, 0), a vertex by its weight of the tip; the rig stands at x = 1. */
SCRATCH_TEST(skin_is_where_the_weights_say)
{
    const char *csv = rigproof_good("dump", STRIP, "--clip", "linear-translation", "--time", "0.5", "--format", "csv",
                                    "--stage", "skin", "--vertices")->out;
    assert_int_equal(strncmp(csv, "model,clip,time,mesh,vertex,x,y,z,nx,ny,nz\n", 43), 0);
    assert_int_equal(count_lines(csv), 1 + 18);
    const char *line = csv;
    for (int v = 0; v < 18; v++) {
        line = strchr(line, '\n') + 1;
        double y = 0.5 * (v / 2), weight = fmin(1, fmax(0, (y - 1) / 2)), x = v % 2 ? 0.5 : -0.5;
        assert_int_equal(strncmp(line, "strip.gltf,linear-translation,0.5,strip-mesh,", 45), 0);
        double expected[] = {v, 1 + x + weight, y, 0, 0, 0, 1};
        for (int k = 0; k < 7; k++)
            assert_float_equal(number(line, 4 + k), expected[k], 1e-6);
    }
    const char *box = rigproof_good("dump", STRIP, "--clip", "linear-translation", "--time", "0.5", "--format", "csv",
                                    "--stage", "skin")->out;
    const char *row = line_of(box, "strip.gltf,linear-translation,0.5,strip-mesh,18,");
    double expected[] = {0.5, 0, 0, 2.5, 4, 0, 1.5, 2, 0}; /* weights add up to 9 of 18: the mean moves by a half */
    for (int k = 0; k < 9; k++)
        assert_float_equal(number(row, 5 + k), expected[k], 1e-6);
    json_auto_t *lines = read_lines(rigproof_good("dump", STRIP, "--clip", "linear-translation", "--time", "0.5",
                                                  "--format", "jsonl", "--stage", "skin", "--vertices")
                                        ->out);
    json_t *mesh = json_array_get(json_object_get(json_array_get(lines, 0), "skin"), 0);
    json_t *positions = json_object_get(mesh, "positions");
    assert_int_equal(json_array_size(positions), 18);
    assert_int_equal(json_array_size(json_object_get(mesh, "normals")), 18);
    assert_float_equal(json_number_value(json_array_get(json_array_get(positions, 17), 0)), 2.5, 1e-6);
}

enum { VX = 29 }; /* column of vx */

static void moves_at(const char *csv, const char *time, const char *stage, const double expected[6])
{
    const char *start = at("strip.gltf,%s,%s,,tip,base,", time, stage);
    const char *row = line_of(csv, start);
    for (int k = 0; k < 6; k++)
        if (!(fabs(number(row, VX + k) - expected[k]) < 2e-4))
            fail_msg("%s: velocity %d is %g, not %g", start, k, number(row, VX + k), expected[k]);
}

/* From (0, 2, 0) at 0 s to (1, 2, 0) at 0.5 s to (1, 3, 0.5) at 2 s. */
SCRATCH_TEST(even_motion_has_its_speed)
{
    const char *csv = rigproof_good("dump", STRIP, "--clip", "linear-translation", "--time", "0,0.125,0.25,0.5,1,1.75,2",
                                    "--format", "csv", "--velocities")->out;
    assert_contains(csv, ",m20,m21,m22,m23,vx,vy,vz,wx,wy,wz\n");
    static const double first[6] = {2, 0, 0, 0, 0, 0}, second[6] = {0, 2.0 / 3, 1.0 / 3, 0, 0, 0};
    /* across the key, from 0.25 to 1 s: (0.5, 1/3, 1/6) in 0.75 s */
    static const double across[6] = {2.0 / 3, 4.0 / 9, 2.0 / 9, 0, 0, 0};
    static const char *const stages[] = {"local", "global"};
    for (int s = 0; s < 2; s++) {
        moves_at(csv, "linear-translation,0", stages[s], first);
        moves_at(csv, "linear-translation,0.125", stages[s], first);
        moves_at(csv, "linear-translation,0.25", stages[s], first);
        moves_at(csv, "linear-translation,0.5", stages[s], across);
        moves_at(csv, "linear-translation,1.75", stages[s], second);
        moves_at(csv, "linear-translation,2", stages[s], second);
    }
    assert_string_equal(field(line_of(csv, "strip.gltf,linear-translation,2,palette,strip-mesh,tip"), VX), "");
}

/* A quarter turn about z in 0.5 s, then 120 degrees about (1, 1, -1) in 1.5 s; flip: 60 degrees in 0.75 s, keys of other sign. */
SCRATCH_TEST(even_turns_have_their_speed)
{
    const char *csv = rigproof_good("dump", STRIP, "--clip", "linear-rotation", "--time", "0,0.2,0.5,0.6,1.5,2", "--format",
                                    "csv", "--stage", "local,global", "--velocities")->out;
    double third = 80 / sqrt(3.0);
    double first[6] = {0, 0, 0, 0, 0, 180}, second[6] = {0, 0, 0, third, third, -third};
    moves_at(csv, "linear-rotation,0", "local", first);
    moves_at(csv, "linear-rotation,0.2", "global", first);
    moves_at(csv, "linear-rotation,1.5", "local", second);
    moves_at(csv, "linear-rotation,2", "global", second);
    const char *flip = rigproof_good("dump", STRIP, "--clip", "flip", "--frames", "0..3", "--fps", "4", "--format", "csv",
                                     "--velocities")->out;
    double turns[6] = {0, 0, 0, 0, 0, 80};
    static const char *const times[] = {"flip,0", "flip,0.25", "flip,0.5", "flip,0.75"};
    for (int i = 0; i < 4; i++)
        moves_at(flip, times[i], "local", turns);
}

/*
 * The lever of the twins turns by 90 degrees in a second, about z; the stage that it stands on is turned by 30 degrees about
 * y. No node turns by half a turn (3600) from time to time: quaternions of a matrix, whose sign is anyone's guess, must not look like nearly full turns.
 */
SCRATCH_TEST(speed_is_seen_from_the_parent_or_the_scene)
{
    const char *csv = rigproof_good("dump", FIXTURES "/twins/twins.gltf", "--frames", "0..30", "--fps", "20", "--format", "csv",
                                    "--stage", "local,global", "--velocities")->out;
    const char *local = line_of(csv, "twins.gltf,turn,0.75,local,,lever,stage,");
    assert_float_equal(number(local, VX + 3), 0, 1e-3);
    assert_float_equal(number(local, VX + 5), 90, 1e-3);
    const char *global = line_of(csv, "twins.gltf,turn,0.75,global,,lever,stage,");
    assert_float_equal(number(global, VX + 3), 90 * 0.5, 1e-3);
    assert_float_equal(number(global, VX + 4), 0, 1e-3);
    assert_float_equal(number(global, VX + 5), 90 * sqrt(0.75), 1e-3);
    for (const char *line = strchr(csv, '\n') + 1; *line; line = strchr(line, '\n') + 1)
        for (int k = 3; k < 6; k++)
            if (!(fabs(number(line, VX + k)) < 2000))
                fail_msg("too fast: %.*s", (int)strcspn(line, "\n"), line);
}

/* Row i, column k of the upper 3x3 of a node's global matrix. */
static double entry(const json_t *node, int i, int k)
{
    return number_at(node, "global", (size_t)(4 * i + k));
}

/*
 * In the limit of small steps a child moves as its parent carries it: w = w_parent + R w_local and
 * v = v_parent + w_parent x (p - p_parent) + A v_local, A the parent's matrix and R its rotation.
 */
static double off_the_law(const json_t *node, const json_t *parent)
{
    double worst = 0, arm[3], turn[3], radians = acos(-1.0) / 180;
    for (int k = 0; k < 3; k++) {
        arm[k] = entry(node, k, 3) - entry(parent, k, 3);
        turn[k] = number_at(parent, "angular_velocity", (size_t)k) * radians;
    }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, l = (i + 2) % 3;
        double w = number_at(parent, "angular_velocity", (size_t)i);
        double v = number_at(parent, "velocity", (size_t)i) + turn[j] * arm[l] - turn[l] * arm[j];
        for (int k = 0; k < 3; k++) {
            double length = sqrt(entry(parent, 0, k) * entry(parent, 0, k) + entry(parent, 1, k) * entry(parent, 1, k) +
                                 entry(parent, 2, k) * entry(parent, 2, k));
            w += entry(parent, i, k) / length * number_at(node, "local_angular_velocity", (size_t)k);
            v += entry(parent, i, k) * number_at(node, "local_velocity", (size_t)k);
        }
        worst = fmax(worst, fabs(w - number_at(node, "angular_velocity", (size_t)i)) / 100);
        worst = fmax(worst, fabs(v - number_at(node, "velocity", (size_t)i)));
    }
    return worst;
}

/* Collada's walker stands under a root that turns the axes, so that local and global axes differ. */
SCRATCH_TEST(child_moves_as_its_parent_carries_it)
{
    json_auto_t *lines = read_lines(rigproof_good("dump", FIXTURES "/walker/walker.dae", "--time", "0.22,0.221,0.222",
                                                  "--format", "jsonl", "--stage", "local,global", "--velocities")
                                        ->out);
    json_t *pose = json_array_get(lines, 1), *nodes = json_object_get(pose, "nodes");
    double fastest = 0;
    assert_string_equal(json_string_value(json_object_get(pose, "format")), "rigproof.pose/1");
    for (size_t i = 0; i < json_array_size(nodes); i++) {
        const json_t *node = node_of(pose, i), *name = json_object_get(node, "parent");
        for (size_t p = 0; p < i && json_is_string(name); p++) {
            if (!json_equal(json_object_get(node_of(pose, p), "name"), name))
                continue;
            double off = off_the_law(node, node_of(pose, p));
            if (!(off < 0.02))
                fail_msg("node %s is off by %g", json_string_value(json_object_get(node, "name")), off);
        }
        for (size_t k = 0; k < 3; k++)
            fastest = fmax(fastest, fabs(number_at(node, "angular_velocity", k)));
    }
    assert_true(fastest > 50); /* they do walk */
}

SCRATCH_TEST(frames_follow_each_other_in_every_form)
{
    json_auto_t *lines = read_lines(
        rigproof_good("dump", STRIP, "--clip", "flip", "--frames", "-1..7", "--fps", "8", "--format", "jsonl")->out);
    assert_int_equal(json_array_size(lines), 9);
    for (size_t i = 0; i < 9; i++)
        assert_float_equal(json_number_value(json_object_get(json_array_get(lines, i), "time")), ((double)i - 1) / 8, 0);
    const struct outcome *list = rigproof_good("dump", STRIP, "--clip", "flip", "--frames", "2..4", "--fps", "8", "--json");
    json_auto_t *root = read_json(list->out, list->out_size);
    assert_true(json_is_array(root));
    assert_int_equal(json_array_size(root), 3);
    assert_float_equal(json_number_value(json_object_get(json_array_get(root, 2), "time")), 0.5, 0);
    const char *csv = rigproof_good("dump", STRIP, "--clip", "flip", "--frames", "2..4", "--fps", "8", "--format", "csv",
                                    "--stage", "global", "--bone", "tip")->out;
    static const char *const times[] = {"0.25", "0.375", "0.5"};
    const char *line = csv;
    assert_int_equal(count_lines(csv), 4);
    for (int i = 0; i < 3; i++)
        assert_string_equal(field(line = strchr(line, '\n') + 1, 2), times[i]);
}

/* A time alone, in a list of times, on a line: the same document. */
SCRATCH_TEST(forms_of_json_hold_the_same)
{
    const struct outcome *list = rigproof_good("dump", WALKER, "--time", "0.1,0.3", "--json");
    const struct outcome *alone = rigproof_good("dump", WALKER, "--time", "0.3", "--json");
    json_auto_t *lines = read_lines(rigproof_good("dump", WALKER, "--time", "0.1,0.3", "--format", "jsonl")->out);
    json_auto_t *documents = read_json(list->out, list->out_size);
    json_auto_t *document = read_json(alone->out, alone->out_size);
    assert_true(json_equal(lines, documents));
    assert_true(json_equal(json_array_get(lines, 1), document));
}

/* More than is written at once: nothing is lost or twice between the pieces, and a file is what stdout would have been. */
SCRATCH_TEST(long_dumps_are_whole)
{
    const char *model = FIXTURES "/crowd/crowd.glb";
    const struct outcome *csv = rigproof_good("dump", model, "--frames", "0..20", "--fps", "30", "--format", "csv");
    assert_int_equal(count_lines(csv->out), 1 + 21 * (302 * 2 + 300));
    rigproof_good("dump", model, "--frames", "0..20", "--fps", "30", "--format", "csv", "-o", "a.csv");
    assert_string_equal(slurp("a.csv", NULL), csv->out);
    const char *line = csv->out;
    for (int frame = 0; frame <= 20; frame++)
        for (int row = 0; row < 302 * 2 + 300; row++)
            assert_float_equal(number(line = strchr(line, '\n') + 1, 2), frame / 30.0, 0);
    assert_string_equal(scratch_listing(), "a.csv");
}

/* By hand: at 0.3 s the right tile's first weight is cubic, u = 0.6 of 0.5 s; the arm's are on lines. */
SCRATCH_TEST(morph_weights_are_rows_of_the_stage_local)
{
#define SHAPES "dump", FIXTURES "/shapes/shapes.gltf", "--clip", "bend", "--time", "0.3"
    const char *all = rigproof_good(SHAPES, "--format", "csv")->out;
    const double u = 0.6, dt = 0.5;
    double swell = (2 * u * u * u - 3 * u * u + 1) * 0.25 + dt * (u * u * u - 2 * u * u + u) * 4 +
                   (3 * u * u - 2 * u * u * u) * 1 + dt * (u * u * u - u * u) * -2;
    const char *line = line_of(all, "shapes.gltf,bend,0.3,morph,tile-mesh,swell,right,");
    assert_true(fabs(number(line, 7) - swell) < 1e-6);
    assert_string_equal(field(line, 8), "");
    assert_string_equal(field(line, 28), "");
    assert_true(fabs(number(line_of(all, "shapes.gltf,bend,0.3,morph,arm-mesh,tall,arm,"), 7) - 0.4) < 1e-6);
    assert_null(strstr(rigproof_good(SHAPES, "--format", "csv", "--stage", "palette")->out, ",morph,"));
    assert_contains(rigproof_good(SHAPES, "--stage", "local")->out, "morph weights", "0.40000  tall");
}

/* Without --format the file's ending says it; what has no such ending is text. */
SCRATCH_TEST(a_file_is_what_its_name_says)
{
    static const char *const endings[] = {"json", "jsonl", "csv", "obj"};
    for (int i = 0; i < 4; i++) {
        char named[32], told[32];
        snprintf(named, sizeof named, "named.%s", endings[i]);
        snprintf(told, sizeof told, "told-%s", endings[i]);
        rigproof_good("dump", STRIP, "--time", "0.5", "-o", named);
        rigproof_good("dump", STRIP, "--time", "0.5", "--format", endings[i], "-o", told);
        assert_same_files(named, told);
    }
    rigproof_good("dump", STRIP, "--time", "0.5", "-o", "table.csv", "--format", "text");
    rigproof_good("dump", STRIP, "--time", "0.5", "-o", "table.csv.txt");
    assert_same_files("table.csv", "table.csv.txt");
}
