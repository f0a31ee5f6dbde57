/* diagnose, and the causes in diff and check: mistakes made by hand, out of rigproof's own numbers. */

#include <jansson.h>

#include "cli/foreign_files.h"
#include "suite_runs.h"

static const struct outcome *diagnosed(int status, const char *theirs)
{
    return rigproof_gives(status, "diagnose", WALKER, "--clip", "walk", "--time", "0.25", theirs);
}

static const struct outcome *diagnosed_raw(int status, const char *raw, const char *layout)
{
    return rigproof_gives(status, "diagnose", WALKER, "--clip", "walk", "--time", "0.25", "--raw", raw, "--layout",
                          layout);
}

/* The first cause is the only one. */
static void require_cause(const struct outcome *outcome, const char *id)
{
    const char *line = at("\ncause: %s (", id);
    assert_contains(outcome->out, line);
    const char *second = strstr(strstr(outcome->out, line) + 1, "\ncause: ");
    if (second)
        fail_msg("more than one cause: %s", outcome->out);
}

SCRATCH_TEST(right_numbers_have_no_cause)
{
    spill_json("whole.json", own_pose("0.25", NULL));
    assert_contains(diagnosed(0, "whole.json")->out, "agrees with");
    static const char *const stages[] = {"local", "global", "palette", "skin"};
    for (size_t i = 0; i < 4; i++) {
        spill_json("part.json", own_pose("0.25", stages[i]));
        assert_null(strstr(diagnosed(0, "part.json")->out, "cause"));
    }
    rigproof_good("dump", WALKER, "--clip", "walk", "--time", "0.25", "-o", "posed.obj");
    assert_contains(diagnosed(0, "posed.obj")->out, "1118 vertices compared");
}

static void transpose(double m[12])
{
    for (int r = 0; r < 3; r++)
        for (int c = r + 1; c < 3; c++) {
            double kept = m[4 * r + c];
            m[4 * r + c] = m[4 * c + r];
            m[4 * c + r] = kept;
        }
}

SCRATCH_TEST(transposed_matrices_are_told)
{
    json_t *palette = own_pose("0.25", "palette");
    spill_raw("rows.f32", NULL, palette, FORM_ROWS, 1000);
    change_matrices(palette, "palette", "matrix", transpose); /* the translation stays: only the 3x3 was turned over */
    spill_json("transposed.json", palette);
    assert_contains(diagnosed(1, "transposed.json")->out, "differs from");
    require_cause(diagnosed_raw(1, "rows.f32", "columns"), "transposed");
    assert_null(strstr(diagnosed_raw(0, "rows.f32", "rows")->out, "cause"));
}

static void enlarge(double m[12])
{
    for (int k = 3; k < 12; k += 4)
        m[k] *= 100;
}

SCRATCH_TEST(another_unit_is_told)
{
    json_t *globals = own_pose("0.25", "global");
    change_matrices(globals, "nodes", "global", enlarge);
    spill_json("centimetres.json", globals);
    require_cause(diagnosed(1, "centimetres.json"), "unit-scale");
    json_t *skin = own_pose("0.25", "skin"), *mesh, *point;
    size_t i, v;
    json_array_foreach(json_object_get(skin, "skin"), i, mesh)
        json_array_foreach(json_object_get(mesh, "positions"), v, point)
            for (size_t k = 0; k < 3; k++)
                json_array_set_new(point, k, json_real(100 * json_number_value(json_array_get(point, k))));
    spill_json("vertices.json", skin);
    require_cause(diagnosed(1, "vertices.json"), "unit-scale");
}

/* A column-major matrix of a node's translation, rotation and scale. */
static void local_matrix(const json_t *node, double out[16])
{
    double t[3], q[4], s[3];
    for (size_t k = 0; k < 4; k++) {
        q[k] = json_number_value(json_array_get(json_object_get(node, "r"), k));
        if (k < 3)
            t[k] = json_number_value(json_array_get(json_object_get(node, "t"), k));
        if (k < 3)
            s[k] = json_number_value(json_array_get(json_object_get(node, "s"), k));
    }
    const double x = q[0], y = q[1], z = q[2], w = q[3];
    const double m[16] = {(1 - 2 * (y * y + z * z)) * s[0], 2 * (x * y + w * z) * s[0], 2 * (x * z - w * y) * s[0], 0,
                          2 * (x * y - w * z) * s[1], (1 - 2 * (x * x + z * z)) * s[1], 2 * (y * z + w * x) * s[1], 0,
                          2 * (x * z + w * y) * s[2], 2 * (y * z - w * x) * s[2], (1 - 2 * (x * x + y * y)) * s[2], 0,
                          t[0], t[1], t[2], 1};
    memcpy(out, m, sizeof m);
}

static void multiply(const double a[16], const double b[16], double out[16])
{
    for (int c = 0; c < 4; c++)
        for (int r = 0; r < 4; r++) {
            out[4 * c + r] = 0;
            for (int k = 0; k < 4; k++)
                out[4 * c + r] += a[4 * k + r] * b[4 * c + k];
        }
}

enum { NODES_MOST = 100 };

/* Every node's global as local x parent, 16 numbers a matrix, column by column. */
SCRATCH_TEST(parent_on_the_wrong_side_is_told)
{
    static double globals[NODES_MOST][16];
    json_t *pose = own_pose("0.25", NULL), *nodes = json_object_get(pose, "nodes"), *node;
    size_t i;
    assert_true(json_array_size(nodes) < NODES_MOST);
    json_object_del(pose, "palette");
    json_object_del(pose, "skin");
    json_object_del(pose, "matrices");
    json_array_foreach(nodes, i, node) {
        const char *parent = json_string_value(json_object_get(node, "parent"));
        double local[16];
        local_matrix(node, local);
        memcpy(globals[i], local, sizeof local);
        for (size_t k = 0; parent && k < i; k++)
            if (strcmp(json_string_value(json_object_get(json_array_get(nodes, k), "name")), parent) == 0)
                multiply(local, globals[k], globals[i]);
        json_t *numbers = json_array();
        for (size_t k = 0; k < 16; k++)
            json_array_append_new(numbers, json_real(globals[i][k]));
        json_object_set_new(node, "global", numbers);
    }
    spill_json("reversed.json", pose);
    require_cause(diagnosed(1, "reversed.json"), "parent-order");
    const struct outcome *outcome = rigproof_gives(1, "diff", WALKER, "reversed.json", "-o", "out");
    json_is("out/results.json", "cases[0].stage", "palette", "cases[0].stages.animate.state", "passed",
            "cases[0].causes[0].causes[0].id", "parent-order", "cases[0].causes[0].causes[0].stage", "palette");
    assert_contains(outcome->out, "cause      parent-order (palette): ");
    assert_contains(slurp("out/junit.xml", NULL), "parent-order (palette): ");
    assert_contains(slurp("out/report.html", NULL), "parent-order");
}

/* Another time, whatever it is that makes the clip play so: of two numbers alone there are two ways to it. */
SCRATCH_TEST(another_time_is_told)
{
    json_t *palette = own_pose("0.3", "palette");
    json_object_del(palette, "time"); /* a program that is asked for 0.25 s */
    spill_json("late.json", palette);
    assert_contains(diagnosed(1, "late.json")->out, "cause: time-shift (animate): ");
    assert_contains(diagnosed(1, "late.json")->out, "0.3000 s");
}

SCRATCH_TEST(diagnosis_is_a_document)
{
    json_t *globals = own_pose("0.25", "global");
    change_matrices(globals, "nodes", "global", enlarge);
    spill_json("centimetres.json", globals);
    const struct outcome *outcome = rigproof("diagnose", WALKER, "centimetres.json", "--json", NULL);
    json_auto_t *document = read_json(run_gives(1, outcome)->out, outcome->out_size);
    const json_t *first = json_array_get(json_object_get(document, "causes"), 0);
    const json_t *cause = json_array_get(json_object_get(first, "causes"), 0);
    assert_string_equal(json_string_value(json_object_get(document, "format")), "rigproof.diagnosis/1");
    assert_string_equal(json_string_value(json_object_get(document, "clip")), "walk");
    assert_true(json_is_false(json_object_get(document, "agrees")));
    assert_string_equal(json_string_value(json_object_get(cause, "id")), "unit-scale");
    assert_true(fabs(json_number_value(json_object_get(first, "explains")) - 1) < 1e-9);
}

/* In centimetres of a file in metres, z up of y up: x, z, -y. */
static void turn_up(double m[12])
{
    static const int from[3] = {0, 2, 1};
    static const double sign[3] = {1, 1, -1};
    double was[12];
    memcpy(was, m, sizeof was);
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++)
            m[4 * r + c] = sign[r] * sign[c] * was[4 * from[r] + from[c]];
        m[4 * r + 3] = 100 * sign[r] * was[4 * from[r] + 3];
    }
}

/* Somewhere in a world, turned around y. */
static void place(double m[12])
{
    static const double at[12] = {0.8, 0, 0.6, 3, 0, 1, 0, -2, -0.6, 0, 0.8, 5};
    double was[12];
    memcpy(was, m, sizeof was);
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 4; c++)
            m[4 * r + c] = at[4 * r] * was[c] + at[4 * r + 1] * was[4 + c] + at[4 * r + 2] * was[8 + c] + (c == 3 ? at[4 * r + 3] : 0);
}

static void change_vector(json_t *item, const char *key, double scale, bool has_sign)
{
    json_t *v = key ? json_object_get(item, key) : item;
    const double y = json_number_value(json_array_get(v, 1)), z = json_number_value(json_array_get(v, 2));
    json_array_set_new(v, 0, json_real(scale * json_number_value(json_array_get(v, 0))));
    json_array_set_new(v, 1, json_real(scale * z));
    json_array_set_new(v, 2, json_real(scale * (has_sign ? -y : y)));
}

/* What a program under test may have, a file may: both are axes and a unit, or a place in the world, of whatever is given. */
SCRATCH_TEST(conventions_of_files_are_solved)
{
    static const char *const stages[] = {"global", "palette", "local", "skin"};
    for (size_t i = 0; i < 4; i++)
        for (int is_placed = 0; is_placed < (i < 2 ? 2 : 1); is_placed++) {
            json_t *pose = own_pose("0.25", stages[i]), *item, *point;
            size_t n, v;
            if (i < 2)
                change_matrices(pose, i == 1 ? "palette" : "nodes", i == 1 ? "matrix" : "global", is_placed ? place : turn_up);
            json_array_foreach(json_object_get(pose, "nodes"), n, item) {
                if (i != 2)
                    break;
                change_vector(item, "t", 100, true);
                change_vector(item, "r", 1, true);
                change_vector(item, "s", 1, false);
            }
            json_array_foreach(json_object_get(pose, "skin"), n, item) {
                json_array_foreach(json_object_get(item, "positions"), v, point) change_vector(point, NULL, 100, true);
                json_array_foreach(json_object_get(item, "normals"), v, point) change_vector(point, NULL, 1, true);
                json_object_del(item, "min");
                json_object_del(item, "max");
                json_object_del(item, "centroid");
            }
            spill_json("converted.json", pose);
            if (is_placed) { /* alone it may be a mistake */
                require_cause(diagnosed(1, "converted.json"), "camera-space");
                continue;
            }
            assert_contains(diagnosed(0, "converted.json")->out, "are converted: unit 100, axes x, z, -y");
            assert_contains(rigproof_good("diff", WALKER, "converted.json")->err, "unit 100");
        }
}

/* With a mistake besides: that is what is named. */
SCRATCH_TEST(a_mistake_is_named_in_any_convention)
{
    for (int is_placed = 0; is_placed < 2; is_placed++) {
        json_t *pose = own_pose("0.25", NULL), *node;
        size_t i;
        json_array_foreach(json_object_get(pose, "nodes"), i, node) {
            json_object_del(node, "t");
            json_object_del(node, "r");
            json_object_del(node, "s");
        }
        json_object_del(pose, "skin");
        change_matrices(pose, "palette", "matrix", transpose);
        change_matrices(pose, "palette", "matrix", is_placed ? place : turn_up);
        change_matrices(pose, "nodes", "global", is_placed ? place : turn_up);
        spill_json("transposed.json", pose);
        const struct outcome *outcome = diagnosed(1, "transposed.json");
        assert_contains(outcome->out, is_placed ? "conventions: nodes are placed by a constant matrix"
                                                : "conventions: nodes are converted: unit 100, axes x, z, -y");
        require_cause(outcome, "transposed");
    }
}

/* Bones alone, without the node that they hang on, by path, by number, and in a file that has more. */
SCRATCH_TEST(bones_are_found_by_any_name)
{
    for (int how = 0; how < 3; how++) {
        json_t *pose = own_pose("0.25", "local"), *nodes = json_object_get(pose, "nodes"), *node;
        size_t i;
        char name[200];
        json_array_foreach(nodes, i, node) {
            if (how == 0)
                continue;
            snprintf(name, sizeof name, how == 1 ? "scene/armature/%s" : "%.0s%zu", json_string_value(json_object_get(node, "name")), i);
            json_object_set_new(node, "name", json_string(name));
            json_object_del(node, "parent");
        }
        if (how == 0) {
            const char *top = json_string_value(json_object_get(json_array_get(nodes, 0), "name"));
            json_array_foreach(nodes, i, node) {
                const char *parent = json_string_value(json_object_get(node, "parent"));
                if (parent && strcmp(parent, top) == 0)
                    json_object_set_new(node, "parent", json_null());
            }
            json_array_remove(nodes, 0);
            json_array_append_new(nodes, json_pack("{s:s, s:[i,i,i]}", "name", "IK_pole", "t", 1, 2, 3));
        }
        spill_json("named.json", pose);
        const struct outcome *outcome = diagnosed(0, "named.json");
        assert_contains(outcome->err, how == 0   ? "1 of "
                                      : how == 1 ? "names are matched without their path"
                                                 : "names are places in the list");
        rigproof_good("diff", WALKER, "named.json");
    }
}

/* Normals of the mesh, that no bone turns: they are said to differ, in degrees, and so is the mistake; by `check`, too. */
SCRATCH_TEST(normals_are_told)
{
    json_t *skin, *rest, *mesh, *document;
    size_t i;
    rigproof_good("dump", WALKER, "--clip", "walk", "--time", "0.25", "--stage", "skin", "--vertices", "--json", "-o", "skin.json");
    rigproof_good("dump", WALKER, "--clip", "bind", "--stage", "skin", "--vertices", "--json", "-o", "rest.json");
    skin = json_load_file("skin.json", 0, NULL);
    rest = json_load_file("rest.json", 0, NULL);
    json_array_foreach(json_object_get(skin, "skin"), i, mesh)
        json_object_set(mesh, "normals", json_object_get(json_array_get(json_object_get(rest, "skin"), i), "normals"));
    spill_json("unturned.json", skin);
    json_decref(rest);
    const struct outcome *outcome = diagnosed(1, "unturned.json");
    assert_contains(outcome->out, "given): the normals of ", " degrees\n");
    require_cause(outcome, "normal-not-skinned");
    outcome = rigproof_gives(1, "diagnose", WALKER, "unturned.json", "--json");
    document = read_json(outcome->out, outcome->out_size);
    assert_true(json_number_value(json_object_get(document, "degrees")) > 10);
    json_decref(document);
    /* a program that answers with that file, and at no other time */
    spill("answer.json", strstr(slurp("unturned.json", NULL), "\"skin\""));
    spill("engine.sh", "#!/bin/sh\nread hello\n"
                       "echo '{\"protocol\": \"rigproof.subject/1\", \"name\": \"e\", \"gives\": [\"skin\"]}'\n"
                       "while read request; do\n  id=$(expr \"$request\" : '.*\"id\": \\([0-9]*\\)')\n"
                       "  case $request in\n  *'\"time\": 0.25,'*) echo \"{\\\"id\\\": $id, $(cat answer.json)\" ;;\n"
                       "  *) echo \"{\\\"id\\\": $id, \\\"error\\\": \\\"none\\\"}\" ;;\n  esac\ndone\n");
    spill("suite.yaml", "version: 1\ngoldens: golden\nsubjects:\n  e:\n    command: [sh, ./engine.sh]\ncases:\n  - name: walk\n    model: " WALKER
                        "\n    clip: walk\n    times: [0.25]\n    subject: e\n");
    check_gives(1, "--allow-subjects", "-o", "out", NULL);
    assert_string_equal(json_at("out/results.json", "cases[0].causes[0].causes[0].id"), "normal-not-skinned");
    assert_string_equal(json_at("out/results.json", "cases[0].findings[0].code"), "skin-normal");
    assert_true(atof(json_at("out/results.json", "cases[0].findings[0].degrees")) > 10);
}

/* A cause of the palette is not the whole of it where vertices are elsewhere for a reason that nobody knows. */
SCRATCH_TEST(vertices_without_a_cause_are_said)
{
    json_t *palette = own_pose("0.25", "palette"), *skin = own_pose("0.25", "skin"), *mesh, *point, *document;
    size_t i, v;
    change_matrices(palette, "palette", "matrix", transpose);
    json_array_foreach(json_object_get(skin, "skin"), i, mesh)
        json_array_foreach(json_object_get(mesh, "positions"), v, point) {
            const double was = json_number_value(json_array_get(point, v % 3));
            json_array_set_new(point, v % 3, json_real(was + 0.01 * (double)(v * v % 17)));
        }
    json_object_set(palette, "skin", json_object_get(skin, "skin"));
    json_decref(skin);
    spill_json("noisy.json", palette);
    const struct outcome *outcome = diagnosed(1, "noisy.json");
    require_cause(outcome, "transposed");
    assert_contains(outcome->out, "\nand besides ", " vertices differ from what this palette makes of them, by up to ");
    outcome = rigproof_gives(1, "diagnose", WALKER, "--clip", "walk", "--time", "0.25", "noisy.json", "--json");
    document = read_json(outcome->out, outcome->out_size);
    assert_true(json_is_false(json_object_get(document, "known")));
    assert_true(json_integer_value(json_object_get(json_object_get(document, "unexplained_vertices"), "differ")) > 500);
    json_decref(document);
}

/* The model's own pose is that of all options. */
SCRATCH_TEST(options_of_the_pose_are_obeyed)
{
    static const char *const options[][2] = {{"--rate", "2"}, {"--rate", "-0.5"}, {"--in-place", NULL}, {"--skinning", "dual-quaternion"}};
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        const struct outcome *outcome =
            rigproof("dump", WALKER, "--clip", "walk", "--time", "0.25", "--json", "--vertices", options[i][0], options[i][1], "-o", "own.json", NULL);
        if (!options[i][1])
            outcome = rigproof_gives(0, "dump", WALKER, "--clip", "walk", "--time", "0.25", "--json", "--vertices",
                                     options[i][0], "-o", "own.json");
        outcome = rigproof("diagnose", WALKER, "own.json", options[i][0], options[i][1], NULL);
        assert_contains(run_gives(0, outcome)->out, "agrees with");
        json_t *pose = json_load_file("own.json", 0, NULL);
        change_matrices(pose, "palette", "matrix", transpose);
        json_object_del(pose, "skin");
        spill_json("transposed.json", pose);
        outcome = rigproof("diagnose", WALKER, "transposed.json", options[i][0], options[i][1], NULL);
        require_cause(run_gives(1, outcome), "transposed");
    }
}

/* Numbers that no mistake of the table makes. */
static void disarray(double m[12])
{
    static unsigned count;
    m[3] += 0.1 * (count++ * 7 % 5);
}

SCRATCH_TEST(nothing_is_made_up)
{
    json_t *palette = own_pose("0.25", "palette");
    change_matrices(palette, "palette", "matrix", disarray);
    spill_json("odd.json", palette);
    assert_contains(diagnosed(1, "odd.json")->out, "no known mistake explains it");
    assert_null(strstr(diagnosed(1, "odd.json")->out, "\ncause: "));
}

SCRATCH_TEST(wrong_use_is_refused)
{
    spill("empty.json", "{\"format\": \"rigproof.pose-part/1\"}");
    spill("strangers.json", "{\"format\": \"rigproof.pose-part/1\", \"nodes\": [{\"name\": \"nobody\", \"t\": [0, 0, 0]}]}");
    spill_json("skin.json", own_pose("0.25", "skin"));
    rigproof_refuses("--raw FILE", "diagnose", WALKER);
    rigproof_refuses("only one of them", "diagnose", WALKER, "skin.json", "--raw", "skin.json");
    rigproof_refuses("--layout is for --raw", "diagnose", WALKER, "skin.json", "--layout", "rows");
    rigproof_refuses("nothing is given", "diagnose", WALKER, "empty.json");
    rigproof_refuses("none of its 1 nodes is called like one of the model's", "diagnose", WALKER, "strangers.json");
    rigproof_refuses("of one time", "diagnose", WALKER, "skin.json", "--time", "0,1");
    rigproof_refuses("held against a model", "diff", "skin.json", "--raw", "skin.json");
}

/* A golden of another unit: what turns this run into it. */
SCRATCH_TEST(check_says_what_turns_it_into_the_golden)
{
    spill("suite.yaml", "version: 1\ngoldens: golden\ncases:\n  - name: walk\n    model: " WALKER
                        "\n    clip: walk\n    times: [0.25, 0.35]\n    rate: 2\n");
    accept_gives(0, "--missing", "-o", "out", NULL);
    check_gives(0, "-o", "out", NULL);
    assert_null(strstr(slurp("out/results.json", NULL), "\"causes\""));
    spill("suite.yaml", "version: 1\ngoldens: golden\ncases:\n  - name: walk\n    model: " WALKER
                        "\n    clip: walk\n    times: [0.25, 0.35]\n");
    const struct outcome *outcome = check_gives(1, "-o", "out", NULL);
    assert_contains(outcome->out, "the golden is this run but for time-scale (animate): ");
    assert_null(strstr(outcome->out, "time-shift")); /* which one time alone cannot tell apart */
    assert_string_equal(json_at("out/results.json", "cases[0].causes_of_golden"), "true");
}
