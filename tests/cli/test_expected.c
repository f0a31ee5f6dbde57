/*
 * dump against the expected.json beside each fixture: local and global transforms of nodes, palettes, and skinned
 * positions and normals, none of which were made with rigproof or Assimp (fixtures/README.md has the schema).
 */
#include "cmocka_setup.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "cli/points.h"
#include "run_binary.h"

/* One case, posed by rigproof. */
struct posed {
    char what[256];     /* "strip.gltf, clip `flip`, 0.375 s" */
    const json_t *want; /* borrowed */
    json_t *got;        /* rigproof.pose/1 */
    const char *obj;
    double limit;       /* what positions and matrices may differ by */
};

/* Of the model's extent. A chain of thousands of nodes rounds once for each. */
static double allowed_share(const json_t *nodes)
{
    return 1e-5 * (1 + (double)json_array_size(nodes) / 1000);
}

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static void numbers_agree(const struct posed *p, const char *thing, const char *which, const json_t *want,
                          const json_t *got, double limit)
{
    assert_int_equal(json_array_size(want), json_array_size(got));
    for (size_t i = 0; i < json_array_size(want); i++) {
        double w = json_number_value(json_array_get(want, i)), g = json_number_value(json_array_get(got, i));
        if (!json_is_number(json_array_get(got, i)) || !(fabs(w - g) <= limit))
            fail_msg("%s: %s of %s: number %zu is %.9g, not %.9g (limit %.3g)", p->what, which, thing, i, g, w, limit);
    }
}

/* ---- nodes ------------------------------------------------------------------------------------------------------ */

enum { DEEPEST = 2100 };

/* The index of the node whose way of names from the root ends with `path`. Nodes come in pre-order. */
static const json_t *find_node(const json_t *nodes, const char *path)
{
    static size_t ancestors[DEEPEST], starts[DEEPEST];
    static char way[1 << 16];
    size_t depth = 0, i;
    json_t *node;
    json_array_foreach(nodes, i, node) {
        const char *parent = text_of(node, "parent"), *name = text_of(node, "name");
        while (depth > 0 && strcmp(text_of(json_array_get(nodes, ancestors[depth - 1]), "name"), parent) != 0)
            depth--;
        assert_true(depth < DEEPEST);
        starts[depth] =
            depth == 0 ? 0
                       : starts[depth - 1] + strlen(text_of(json_array_get(nodes, ancestors[depth - 1]), "name")) + 1;
        int n = snprintf(way + starts[depth], sizeof way - starts[depth], "%s", name);
        size_t length = starts[depth] + (size_t)n, wanted = strlen(path);
        bool ends = length >= wanted && strcmp(way + length - wanted, path) == 0;
        if (ends && (length == wanted || way[length - wanted - 1] == '/'))
            return node;
        way[length] = '/';
        ancestors[depth++] = i;
    }
    return NULL;
}

/* One rotation has two quaternions. */
static void rotations_agree(const struct posed *p, const char *path, const json_t *want, const json_t *got)
{
    double dot = 0;
    for (size_t i = 0; i < 4; i++)
        dot += json_number_value(json_array_get(want, i)) * json_number_value(json_array_get(got, i));
    if (!(fabs(dot) > 1 - 1e-6))
        fail_msg("%s: rotation of %s: dot product with the expected one is %.9g", p->what, path, dot);
}

static bool is_mirrored(const json_t *node)
{
    double product = 1;
    for (size_t i = 0; i < 3; i++)
        product *= json_number_value(json_array_get(json_object_get(node, "s"), i));
    return product < 0;
}

static void nodes_agree(const struct posed *p)
{
    size_t i;
    json_t *want;
    json_array_foreach(json_object_get(p->want, "nodes"), i, want) {
        const char *path = text_of(want, "path");
        const json_t *got = find_node(json_object_get(p->got, "nodes"), path);
        if (!got)
            fail_msg("%s: there is no node %s", p->what, path);
        numbers_agree(p, path, "global", json_object_get(want, "global"), json_object_get(got, "global"), p->limit);
        if (!json_object_get(want, "t") || is_mirrored(want)) /* a mirror has several T R S; its global was compared */
            continue;
        numbers_agree(p, path, "translation", json_object_get(want, "t"), json_object_get(got, "t"), p->limit);
        numbers_agree(p, path, "scale", json_object_get(want, "s"), json_object_get(got, "s"), 1e-5);
        rotations_agree(p, path, json_object_get(want, "r"), json_object_get(got, "r"));
    }
}

/* ---- palette and skin ------------------------------------------------------------------------------------------- */

static void palette_agrees(const struct posed *p)
{
    size_t i, k;
    json_t *want, *got, *found;
    json_array_foreach(json_object_get(p->want, "palette"), i, want) {
        found = NULL;
        json_array_foreach(json_object_get(p->got, "palette"), k,
                           got) if (strcmp(text_of(got, "mesh"), text_of(want, "mesh")) == 0 &&
                                    strcmp(text_of(got, "bone"), text_of(want, "bone")) == 0) found = got;
        if (!found)
            fail_msg("%s: no palette entry of mesh %s and bone %s", p->what, text_of(want, "mesh"),
                     text_of(want, "bone"));
        numbers_agree(p, text_of(want, "bone"), "palette matrix", json_object_get(want, "matrix"),
                      json_object_get(found, "matrix"), p->limit);
    }
}

static const json_t *find_morphs(const json_t *pose, const json_t *want)
{
    size_t i;
    json_t *got;
    json_array_foreach(json_object_get(pose, "morphs"), i, got) {
        if (strcmp(text_of(got, "mesh"), text_of(want, "mesh")) == 0 && strcmp(text_of(got, "node"), text_of(want, "node")) == 0)
            return json_object_get(got, "weights");
    }
    return NULL;
}

static void morphs_agree(const struct posed *p)
{
    size_t i;
    json_t *want;
    json_array_foreach(json_object_get(p->want, "morph"), i, want) {
        const json_t *weights = find_morphs(p->got, want);
        if (!weights)
            fail_msg("%s: no morph weights of mesh %s on %s", p->what, text_of(want, "mesh"), text_of(want, "node"));
        numbers_agree(p, text_of(want, "mesh"), "morph weight", json_object_get(want, "weights"), weights, 1e-6);
    }
}

static struct points points_of_json(const json_t *list)
{
    struct points points = {0};
    size_t i;
    json_t *row;
    json_array_foreach(list, i, row) {
        double point[3];
        for (size_t k = 0; k < 3; k++)
            point[k] = json_number_value(json_array_get(row, k));
        points_add(&points, point);
    }
    return points;
}

static void vertices_agree(const struct posed *p, const json_t *skin, const char *key, const char *keyword,
                           double limit)
{
    const json_t *indices = json_object_get(skin, "indices");
    char object[256]; /* a blank in a mesh's name is an underscore in OBJ */
    snprintf(object, sizeof object, "%s", text_of(skin, "mesh"));
    for (char *c = object; (c = strchr(c, ' '));)
        *c = '_';
    struct points want = points_of_json(json_object_get(skin, key));
    struct points got = points_of_obj(p->obj, keyword, object);
    double worst = 0;
    if (strcmp(text_of(skin, "match"), "points") == 0) {
        worst = points_apart(&want, &got);
    } else {
        assert_int_equal(got.count, json_integer_value(json_object_get(skin, "vertices")));
        for (size_t i = 0; i < want.count; i++) {
            size_t vertex = indices ? (size_t)json_integer_value(json_array_get(indices, i)) : i;
            assert_true(vertex < got.count);
            worst = fmax(worst, points_distance(want.at[i], got.at[vertex]));
        }
    }
    if (!(worst <= limit))
        fail_msg("%s: mesh %s: %s differ by up to %.3g, the limit is %.3g", p->what, text_of(skin, "mesh"), key, worst,
                 limit);
    points_release(&want);
    points_release(&got);
}

static void skin_agrees(const struct posed *p)
{
    size_t i;
    json_t *skin;
    json_array_foreach(json_object_get(p->want, "skin"), i, skin) {
        vertices_agree(p, skin, "positions", "v", p->limit);
        if (json_object_get(skin, "normals"))
            vertices_agree(p, skin, "normals", "vn", 2e-5);
    }
}

/* ---- running a case --------------------------------------------------------------------------------------------- */

static void unmatched_are_listed(const json_t *want, const struct outcome *outcome)
{
    size_t i;
    json_t *name;
    json_array_foreach(json_object_get(want, "unmatched"), i, name) {
        assert_contains(outcome->err, "unmatched-channels");
        assert_contains(outcome->err, json_string_value(name));
    }
}

static const struct outcome *dump(const json_t *want, const char *model, const char *clips_from, const char *format)
{
    const char *clip = json_is_string(json_object_get(want, "clip")) ? text_of(want, "clip") : "none";
    char time[64];
    snprintf(time, sizeof time, "%.17g", json_number_value(json_object_get(want, "time")));
    if (clips_from[0])
        return rigproof("dump", model, "--clip", clip, "--time", time, "--influences", "all", "--format", format,
                        "--clips-from", clips_from, NULL);
    return rigproof("dump", model, "--clip", clip, "--time", time, "--influences", "all", "--format", format, NULL);
}

static void case_agrees(const char *folder, const char *file, const json_t *want)
{
    char model[512], clips_from[512] = "";
    snprintf(model, sizeof model, "%s/%s/%s", FIXTURES, folder, file);
    if (json_object_get(want, "clips_from"))
        snprintf(clips_from, sizeof clips_from, "%s/%s/%s", FIXTURES, folder, text_of(want, "clips_from"));
    const struct outcome *json = dump(want, model, clips_from, "json");
    require_status(json, 0, __FILE__, __LINE__);
    struct posed p = {.want = want, .got = read_json(json->out, json->out_size)};
    p.obj = require_status(dump(want, model, clips_from, "obj"), 0, __FILE__, __LINE__)->out;
    snprintf(p.what, sizeof p.what, "%s, clip `%s`, %g s", file, text_of(want, "clip"),
             json_number_value(json_object_get(want, "time")));
    struct points all = points_of_obj(p.obj, "v", NULL);
    p.limit = points_extent(&all) * allowed_share(json_object_get(p.got, "nodes"));
    points_release(&all);
    assert_true(p.limit > 0);
    nodes_agree(&p);
    morphs_agree(&p);
    palette_agrees(&p);
    skin_agrees(&p);
    unmatched_are_listed(want, json);
    json_decref(p.got);
}

static void file_agrees(const char *folder, const char *file, size_t least)
{
    char path[512];
    size_t i, size;
    json_t *want;
    snprintf(path, sizeof path, "%s/%s/%s", FIXTURES, folder, file);
    const char *text = slurp(path, &size);
    json_t *root = read_json(text, size);
    assert_string_equal(text_of(root, "format"), "rigproof.expected/1");
    const json_t *cases = json_object_get(root, "cases");
    assert_true(json_array_size(cases) >= least);
    json_array_foreach(cases, i, want)
        case_agrees(folder, json_object_get(want, "model") ? text_of(want, "model") : text_of(root, "model"), want);
    json_decref(root);
}

static void fixture_agrees(const char *folder, size_t least)
{
    file_agrees(folder, "expected.json", least);
}

static void strip_has_every_interpolation(void **state)
{
    (void)state;
    fixture_agrees("strip", 42);
}

static void morph_weights_by_closed_forms(void **state)
{
    (void)state;
    file_agrees("strip", "expected-morph.json", 10);
}

static void shapes_are_morphed_before_they_are_skinned(void **state)
{
    (void)state;
    fixture_agrees("shapes", 8);
}

static void curves_are_followed_between_their_keys(void **state)
{
    (void)state;
    fixture_agrees("curves", 30);
}

static void stride_has_a_rest_and_a_bind_pose(void **state)
{
    (void)state;
    fixture_agrees("stride", 3);
}

static void twins_have_their_own_offsets(void **state)
{
    (void)state;
    fixture_agrees("twins", 5);
}

static void crowd_keeps_all_influences(void **state)
{
    (void)state;
    fixture_agrees("crowd", 3);
}

static void pieces_take_the_other_files_clip(void **state)
{
    (void)state;
    fixture_agrees("pieces", 5);
}

static void ticks_are_25_a_second(void **state)
{
    (void)state;
    fixture_agrees("ticks", 4);
}

static void limbs_are_put_together(void **state)
{
    (void)state;
    fixture_agrees("limb", 11);
}

static void sheaf_keeps_ten_influences(void **state)
{
    (void)state;
    fixture_agrees("sheaf", 4);
}

static void surfaces_stand_on_their_nodes(void **state)
{
    (void)state;
    fixture_agrees("surfaces", 4);
}

static void broken_files_are_repaired_right(void **state)
{
    (void)state;
    fixture_agrees("broken", 14);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        scratch_test(strip_has_every_interpolation), scratch_test(twins_have_their_own_offsets),
        scratch_test(stride_has_a_rest_and_a_bind_pose),
        scratch_test(crowd_keeps_all_influences),    scratch_test(pieces_take_the_other_files_clip),
        scratch_test(limbs_are_put_together),        scratch_test(ticks_are_25_a_second),         scratch_test(sheaf_keeps_ten_influences),
        scratch_test(surfaces_stand_on_their_nodes), scratch_test(broken_files_are_repaired_right),
        scratch_test(morph_weights_by_closed_forms), scratch_test(shapes_are_morphed_before_they_are_skinned),
        scratch_test(curves_are_followed_between_their_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
