/* diagnose, and the causes in diff and check: mistakes made by hand, out of rigproof's own numbers. */
#include "cmocka_setup.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

#include "cli/foreign_files.h"
#include "suite_runs.h"

static const struct outcome *diagnosed(int status, const char *theirs)
{
    return require_status(rigproof("diagnose", WALKER, "--clip", "walk", "--time", "0.25", theirs, NULL), status, __FILE__, __LINE__);
}

static const struct outcome *diagnosed_raw(int status, const char *raw, const char *layout)
{
    return require_status(rigproof("diagnose", WALKER, "--clip", "walk", "--time", "0.25", "--raw", raw, "--layout", layout, NULL),
                          status, __FILE__, __LINE__);
}

/* The first cause is the only one. */
static void require_cause(const struct outcome *outcome, const char *id)
{
    char line[80];
    snprintf(line, sizeof line, "\ncause: %s (", id);
    assert_contains(outcome->out, line);
    const char *second = strstr(strstr(outcome->out, line) + 1, "\ncause: ");
    if (second)
        fail_msg("more than one cause: %s", outcome->out);
}

static void right_numbers_have_no_cause(void **state)
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

static void transposed_matrices_are_told(void **state)
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

static void another_unit_is_told(void **state)
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
static void parent_on_the_wrong_side_is_told(void **state)
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
    const struct outcome *outcome = rigproof("diff", WALKER, "reversed.json", "-o", "out", NULL);
    require_status(outcome, 1, __FILE__, __LINE__);
    assert_string_equal(json_at("out/results.json", "cases[0].stage"), "palette");
    assert_string_equal(json_at("out/results.json", "cases[0].stages.animate.state"), "passed");
    assert_string_equal(json_at("out/results.json", "cases[0].causes[0].causes[0].id"), "parent-order");
    assert_string_equal(json_at("out/results.json", "cases[0].causes[0].causes[0].stage"), "palette");
    assert_contains(outcome->out, "cause      parent-order (palette): ");
    assert_contains(slurp("out/junit.xml", NULL), "parent-order (palette): ");
    assert_contains(slurp("out/report.html", NULL), "parent-order");
}

/* Another time, whatever it is that makes the clip play so: of two numbers alone there are two ways to it. */
static void another_time_is_told(void **state)
{
    json_t *palette = own_pose("0.3", "palette");
    json_object_del(palette, "time"); /* a program that is asked for 0.25 s */
    spill_json("late.json", palette);
    assert_contains(diagnosed(1, "late.json")->out, "cause: time-shift (animate): ");
    assert_contains(diagnosed(1, "late.json")->out, "0.3000 s");
}

static void diagnosis_is_a_document(void **state)
{
    json_t *globals = own_pose("0.25", "global");
    change_matrices(globals, "nodes", "global", enlarge);
    spill_json("centimetres.json", globals);
    const struct outcome *outcome = rigproof("diagnose", WALKER, "centimetres.json", "--json", NULL);
    json_t *document = read_json(require_status(outcome, 1, __FILE__, __LINE__)->out, outcome->out_size);
    const json_t *first = json_array_get(json_object_get(document, "causes"), 0);
    const json_t *cause = json_array_get(json_object_get(first, "causes"), 0);
    assert_string_equal(json_string_value(json_object_get(document, "format")), "rigproof.diagnosis/1");
    assert_string_equal(json_string_value(json_object_get(document, "clip")), "walk");
    assert_true(json_is_false(json_object_get(document, "agrees")));
    assert_string_equal(json_string_value(json_object_get(cause, "id")), "unit-scale");
    assert_true(fabs(json_number_value(json_object_get(first, "explains")) - 1) < 1e-9);
    json_decref(document);
}

/* Numbers that no mistake of the table makes. */
static void disarray(double m[12])
{
    static unsigned count;
    m[3] += 0.1 * (count++ * 7 % 5);
}

static void nothing_is_made_up(void **state)
{
    json_t *palette = own_pose("0.25", "palette");
    change_matrices(palette, "palette", "matrix", disarray);
    spill_json("odd.json", palette);
    assert_contains(diagnosed(1, "odd.json")->out, "no known mistake explains it");
    assert_null(strstr(diagnosed(1, "odd.json")->out, "\ncause: "));
}

static void wrong_use_is_refused(void **state)
{
    spill("empty.json", "{\"format\": \"rigproof.pose-part/1\"}");
    spill("strangers.json", "{\"format\": \"rigproof.pose-part/1\", \"nodes\": [{\"name\": \"nobody\", \"t\": [0, 0, 0]}]}");
    spill_json("skin.json", own_pose("0.25", "skin"));
    assert_contains(rigproof_fails(2, "diagnose", WALKER)->err, "--raw FILE");
    assert_contains(rigproof_fails(2, "diagnose", WALKER, "skin.json", "--raw", "skin.json")->err, "only one of them");
    assert_contains(rigproof_fails(2, "diagnose", WALKER, "skin.json", "--layout", "rows")->err, "--layout is for --raw");
    assert_contains(rigproof_fails(2, "diagnose", WALKER, "empty.json")->err, "nothing is given");
    assert_contains(rigproof_fails(2, "diagnose", WALKER, "strangers.json")->err, "nothing in common");
    assert_contains(rigproof_fails(2, "diagnose", WALKER, "skin.json", "--time", "0,1")->err, "of one time");
    assert_contains(rigproof_fails(2, "diff", "skin.json", "--raw", "skin.json")->err, "held against a model");
}

/* A golden of another unit: what turns this run into it. */
static void check_says_what_turns_it_into_the_golden(void **state)
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        scratch_test(right_numbers_have_no_cause),
        scratch_test(transposed_matrices_are_told),
        scratch_test(another_unit_is_told),
        scratch_test(parent_on_the_wrong_side_is_told),
        scratch_test(another_time_is_told),
        scratch_test(diagnosis_is_a_document),
        scratch_test(nothing_is_made_up),
        scratch_test(wrong_use_is_refused),
        scratch_test(check_says_what_turns_it_into_the_golden),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
