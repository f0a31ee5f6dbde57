/*
 * dump against what was made without rigproof and Assimp: the expected.json beside each fixture, local and global transforms
 * of nodes, palettes, and skinned positions and normals (fixtures/README.md has the schema); and the walker as GLB, FBX and
 * Collada against Blender's own vertices at five frames of each clip, after the axes and units of fixtures/walker/README.md.
 */

#include <jansson.h>

#include "run_binary.h"

/* ---- points ----------------------------------------------------------------------------------------------------- */

/* Vertices read from OBJ text, and how far two sets of points are from each other. */
struct points {
    double (*at)[3]; /* malloc'd */
    size_t count;
};

static void points_add(struct points *points, const double point[3])
{
    if ((points->count & (points->count - 1)) == 0)
        points->at = realloc(points->at, (points->count ? 2 * points->count : 1) * sizeof *points->at);
    memcpy(points->at[points->count++], point, sizeof *points->at);
}

/* The lines that start with `keyword` ("v", "vn") of an OBJ, those of the object called `object` only unless NULL. */
static struct points points_of_obj(const char *text, const char *keyword, const char *object)
{
    struct points points = {0};
    size_t length = strlen(keyword);
    int inside = object == NULL;
    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        if (object && strncmp(line, "o ", 2) == 0)
            inside = strcspn(line + 2, "\n") == strlen(object) && strncmp(line + 2, object, strlen(object)) == 0;
        if (!inside || strncmp(line, keyword, length) != 0 || line[length] != ' ')
            continue;
        double point[3];
        char *end = (char *)(line + length);
        for (int k = 0; k < 3; k++)
            point[k] = strtod(end, &end);
        points_add(&points, point);
    }
    return points;
}

static double points_distance(const double a[3], const double b[3])
{
    double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

/* The largest distance of a point of either set to the nearest of the other. */
static double points_apart(const struct points *a, const struct points *b)
{
    double worst = 0;
    for (int turn = 0; turn < 2; turn++) {
        const struct points *from = turn ? b : a, *to = turn ? a : b;
        for (size_t i = 0; i < from->count; i++) {
            double best = INFINITY;
            for (size_t k = 0; k < to->count; k++)
                best = fmin(best, points_distance(from->at[i], to->at[k]));
            worst = fmax(worst, best);
        }
    }
    return a->count && b->count ? worst : INFINITY;
}

/* The longest side of the box around them. */
static double points_extent(const struct points *points)
{
    double longest = 0;
    for (int k = 0; k < 3; k++) {
        double least = INFINITY, most = -INFINITY;
        for (size_t i = 0; i < points->count; i++) {
            least = fmin(least, points->at[i][k]);
            most = fmax(most, points->at[i][k]);
        }
        longest = fmax(longest, most - least);
    }
    return longest;
}

static void points_release(struct points *points)
{
    free(points->at);
    *points = (struct points){0};
}

/* ---- expected.json ------------------------------------------------------------------------------------------------ */

/* One case, posed by rigproof. */
struct posed {
    char what[256];     /* "strip.gltf, clip `flip`, 0.375 s" */
    const json_t *want; /* borrowed */
    json_t *got;        /* rigproof.pose/1 */
    const char *obj;
    double limit;       /* what positions and matrices may differ by */
};

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
        const json_t *scale = json_object_get(want, "s");
        double volume = 1;
        for (size_t k = 0; k < 3; k++)
            volume *= json_number_value(json_array_get(scale, k));
        if (!json_object_get(want, "t") || volume < 0) /* a mirror has several T R S; its global was compared */
            continue;
        numbers_agree(p, path, "translation", json_object_get(want, "t"), json_object_get(got, "t"), p->limit);
        numbers_agree(p, path, "scale", scale, json_object_get(got, "s"), 1e-5);
        rotations_agree(p, path, json_object_get(want, "r"), json_object_get(got, "r"));
    }
}

/* Palette matrices and morph weights: of the entry of that mesh, and of that bone or node. */
static void entries_agree(const struct posed *p, const char *wanted, const char *list, const char *key, const char *member,
                          double limit)
{
    size_t i, k;
    json_t *want, *got, *found;
    json_array_foreach(json_object_get(p->want, wanted), i, want) {
        found = NULL;
        json_array_foreach(json_object_get(p->got, list), k, got) {
            if (json_equal(json_object_get(got, "mesh"), json_object_get(want, "mesh")) &&
                json_equal(json_object_get(got, key), json_object_get(want, key)))
                found = got;
        }
        if (!found)
            fail_msg("%s: %s: no entry of mesh %s and %s", p->what, list, text_of(want, "mesh"), text_of(want, key));
        numbers_agree(p, text_of(want, key), member, json_object_get(want, member), json_object_get(found, member), limit);
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

static const struct outcome *dump(const json_t *want, const char *model, const char *clips_from, const char *format)
{
    const char *clip = json_is_string(json_object_get(want, "clip")) ? text_of(want, "clip") : "none";
    const char *time = at("%.17g", json_number_value(json_object_get(want, "time")));
    return rigproof_good("dump", model, "--clip", clip, "--time", time, "--influences", "all", "--format", format,
                         clips_from[0] ? "--clips-from" : NULL, clips_from);
}

static void case_agrees(const char *folder, const char *file, const json_t *want)
{
    char model[512], clips_from[512] = "";
    size_t i;
    json_t *name;
    snprintf(model, sizeof model, "%s/%s/%s", FIXTURES, folder, file);
    if (json_object_get(want, "clips_from"))
        snprintf(clips_from, sizeof clips_from, "%s/%s/%s", FIXTURES, folder, text_of(want, "clips_from"));
    const struct outcome *json = dump(want, model, clips_from, "json");
    struct posed p = {.want = want, .got = read_json(json->out, json->out_size)};
    p.obj = dump(want, model, clips_from, "obj")->out;
    snprintf(p.what, sizeof p.what, "%s, clip `%s`, %g s", file, text_of(want, "clip"),
             json_number_value(json_object_get(want, "time")));
    struct points all = points_of_obj(p.obj, "v", NULL);
    /* a chain of thousands of nodes rounds once for each */
    p.limit = points_extent(&all) * 1e-5 * (1 + (double)json_array_size(json_object_get(p.got, "nodes")) / 1000);
    points_release(&all);
    assert_true(p.limit > 0);
    nodes_agree(&p);
    entries_agree(&p, "morph", "morphs", "node", "weights", 1e-6);
    entries_agree(&p, "palette", "palette", "bone", "matrix", p.limit);
    skin_agrees(&p);
    json_array_foreach(json_object_get(want, "unmatched"), i, name) {
        assert_contains(json->err, "unmatched-channels", json_string_value(name));
    }
    json_decref(p.got);
}

static void file_agrees(const char *folder, const char *file, size_t least)
{
    size_t i, size;
    json_t *want;
    const char *text = slurp(at("%s/%s/%s", FIXTURES, folder, file), &size);
    json_auto_t *root = read_json(text, size);
    assert_string_equal(text_of(root, "format"), "rigproof.expected/1");
    const json_t *cases = json_object_get(root, "cases");
    assert_true(json_array_size(cases) >= least);
    json_array_foreach(cases, i, want)
        case_agrees(folder, json_object_get(want, "model") ? text_of(want, "model") : text_of(root, "model"), want);
}

/* Every folder with an expected.json, and the least number of cases in it. */
SCRATCH_TEST(fixtures_agree)
{
    static const struct {
        const char *folder, *file;
        size_t least;
    } rows[] = {
        {"strip", "expected.json", 42},      /* every interpolation */
        {"strip", "expected-morph.json", 10}, /* morph weights by closed forms */
        {"shapes", "expected.json", 8},      /* morphed before they are skinned */
        {"curves", "expected.json", 40},     /* followed between their keys */
        {"library", "expected.json", 7},     /* instances, and clips of the file's */
        {"stride", "expected.json", 3},      /* a rest and a bind pose */
        {"twins", "expected.json", 5},       /* offsets of their own */
        {"crowd", "expected.json", 3},       /* all influences */
        {"pieces", "expected.json", 7},      /* the other file's clip */
        {"ticks", "expected.json", 7},       /* 25 a second; 2.5 */
        {"brood", "expected.json", 5},       /* names that repeat, vertices counted anew */
        {"crane", "expected.json", 6},       /* keys that count from the rest pose */
        {"limb", "expected.json", 11},       /* put together of several files */
        {"sheaf", "expected.json", 4},       /* ten influences */
        {"surfaces", "expected.json", 4},    /* stand on their nodes */
        {"broken", "expected.json", 14},     /* repaired right */
    };
    const bool reads_b3d = !strstr(rigproof("inspect", FIXTURES "/brood/brood.b3d", NULL)->err, "cannot read .b3d files");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (reads_b3d || strcmp(rows[i].folder, "brood") != 0) /* Debian 13's Assimp does not */
            file_agrees(rows[i].folder, rows[i].file, rows[i].least);
}

/* ---- the walker ---------------------------------------------------------------------------------------------------- */

static const double height = 1.39, limit = 2e-5; /* metres; of the height */

static const struct {
    const char *clip;
    int frames[5];
} clips[] = {{"idle", {0, 9, 21, 31, 48}}, {"walk", {0, 3, 9, 17, 24}}, {"wave", {0, 7, 15, 27, 36}}};

/* One export: which file and clip name stand for a clip, and how large a metre is. */
struct export {
    const char *name, *file[3], *clip[3];
    double unit;
};

static const struct export exports[] = {
    {"glb", {"walker.glb", "walker.glb", "walker.glb"}, {"idle", "walk", "wave"}, 1},
    {"fbx", {"walker.fbx", "walker.fbx", "walker.fbx"}, {"rig|idle", "walk", "2"}, 100},
    {"dae", {"walker-idle.dae", "walker.dae", "walker-wave.dae"}, {"rig_rig", "rig_rig", "0"}, 1},
};

static void format_time(double time, char out[static 32])
{
    snprintf(out, 32, "%.6f", time);
    for (size_t n = strlen(out); out[n - 1] == '0' && out[n - 4] != '.'; n--)
        out[n - 1] = '\0';
}

/* An OBJ of Blender's, Z up, as the scene has it, Y up. */
static struct points truth_at(const char *path, double unit)
{
    struct points truth = points_of_obj(slurp(path, NULL), "v", NULL);
    for (size_t i = 0; i < truth.count; i++) {
        const double b[3] = {truth.at[i][0], truth.at[i][1], truth.at[i][2]};
        truth.at[i][0] = unit * b[0];
        truth.at[i][1] = unit * b[2];
        truth.at[i][2] = unit * -b[1];
    }
    assert_int_equal(truth.count, 1764);
    return truth;
}

static struct points truth_of(const char *clip, double time, double unit)
{
    char path[512], text[32];
    format_time(time, text);
    snprintf(path, sizeof path, "%s/walker/truth/%s_%s.obj", FIXTURES, clip, text);
    return truth_at(path, unit);
}

static struct points posed_at(const char *file, const char *clip, double seconds)
{
    char path[512], time[64];
    snprintf(path, sizeof path, "%s/walker/%s", FIXTURES, file);
    snprintf(time, sizeof time, "%.17g", seconds);
    const struct outcome *obj =
        rigproof_good("dump", path, "--clip", clip, "--time", time, "--format", "obj", "--influences", "all");
    assert_null(find_not_finite(obj->out));
    return points_of_obj(obj->out, "v", NULL);
}

/* In metres. Releases both. */
static double metres_apart(struct points truth, struct points got, double unit)
{
    double apart = points_apart(&truth, &got) / unit;
    points_release(&truth);
    points_release(&got);
    return apart;
}

SCRATCH_TEST(exports_agree_with_blender)
{
    for (const struct export *e = exports; e < exports + 3; e++)
        for (int c = 0; c < 3; c++)
            for (int f = 0; f < 5; f++) {
                double seconds = clips[c].frames[f] / 24.0;
                double apart = metres_apart(truth_of(clips[c].clip, seconds, e->unit),
                                            posed_at(e->file[c], e->clip[c], seconds), e->unit);
                if (!(apart <= limit * height))
                    fail_msg("%s, clip %s, frame %d: vertices are up to %.3g m from the truth, the limit is %.3g m", e->name,
                             clips[c].clip, clips[c].frames[f], apart, limit * height);
            }
}

SCRATCH_TEST(rest_pose_is_the_mesh_as_modelled)
{
    for (const struct export *e = exports; e < exports + 3; e++) {
        double apart = metres_apart(truth_at(FIXTURES "/walker/truth/rest.obj", e->unit), posed_at(e->file[1], "none", 0),
                                    e->unit);
        if (!(apart <= limit * height))
            fail_msg("%s: rest pose is %.3g m from the mesh", e->name, apart);
    }
}

/* The test itself must be able to fail: neighbouring frames are farther apart than the limit. */
SCRATCH_TEST(limit_tells_frames_apart)
{
    assert_true(metres_apart(truth_of("walk", 3 / 24.0, 1), posed_at("walker.glb", "walk", 4 / 24.0), 1) >
                100 * limit * height);
}
