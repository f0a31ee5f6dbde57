#include "data/record/snapshot.h"
#include "data/json_read.h"

/* What a dump may have besides is checked, so that a file of ours or of an engine is sound as a whole, and dropped. */
static void check_velocities(const struct json_place *node)
{
    static const char *const keys[] = {"local_velocity", "local_angular_velocity", "velocity", "angular_velocity"};
    vec3 ignored;
    for (int i = 0; i < 4; i++)
        if (json_has(node, keys[i]))
            json_read_floats(node, keys[i], ignored, 3);
}

static void check_vertices(const struct json_place *mesh)
{
    static const char *const keys[] = {"positions", "normals"};
    vec3 ignored;
    for (int i = 0; i < 2; i++) {
        uint32_t count = 0;
        if (!json_has(mesh, keys[i]))
            continue;
        struct json_place points = json_read_array(mesh, keys[i], &count);
        for (uint32_t v = 0; v < count; v++) {
            struct json_place point = json_item(&points, v);
            json_read_floats(&point, NULL, ignored, 3);
        }
    }
}

static void read_node(const struct json_place *at, struct pose_node_snapshot *out)
{
    out->name = json_read_string(at, "name");
    out->parent = json_read_string_or_null(at, "parent");
    json_read_floats(at, "t", out->local.translation, 3);
    json_read_floats(at, "r", out->local.rotation, 4);
    json_read_floats(at, "s", out->local.scale, 3);
    json_read_affine(at, "global", out->node_to_scene);
    check_velocities(at);
}

static void read_nodes(const struct json_place *root, struct pose_snapshot *out)
{
    struct json_place nodes = json_read_array(root, "nodes", &out->node_count);
    out->nodes = JSON_NEW(&nodes, struct pose_node_snapshot, &out->node_count);
    for (uint32_t i = 0; i < out->node_count; i++) {
        struct json_place node = json_item(&nodes, i);
        read_node(&node, &out->nodes[i]);
    }
}

static void read_morphs(const struct json_place *root, struct pose_snapshot *out)
{
    struct json_place morphs = json_read_array(root, "morphs", &out->morph_count);
    out->morphs = JSON_NEW(&morphs, struct morph_weights_snapshot, &out->morph_count);
    for (uint32_t i = 0; i < out->morph_count; i++) {
        struct json_place morph = json_item(&morphs, i);
        out->morphs[i].mesh = json_read_string(&morph, "mesh");
        out->morphs[i].node = json_read_string(&morph, "node");
        struct json_place list = json_read_array(&morph, "weights", &out->morphs[i].count);
        float *weights = JSON_NEW(&list, float, &out->morphs[i].count);
        for (uint32_t k = 0; k < out->morphs[i].count; k++) {
            struct json_place weight = json_item(&list, k);
            weights[k] = json_read_float(&weight, NULL);
        }
        out->morphs[i].weights = weights;
    }
}

static void read_palette(const struct json_place *root, struct pose_snapshot *out)
{
    struct json_place palette = json_read_array(root, "palette", &out->palette_count);
    out->palette = JSON_NEW(&palette, struct palette_snapshot, &out->palette_count);
    for (uint32_t i = 0; i < out->palette_count; i++) {
        struct json_place entry = json_item(&palette, i);
        out->palette[i].mesh = json_read_string(&entry, "mesh");
        out->palette[i].bone = json_read_string(&entry, "bone");
        json_read_affine(&entry, "matrix", out->palette[i].mesh_to_scene);
    }
}

static void read_skin(const struct json_place *root, struct pose_snapshot *out)
{
    struct json_place skin = json_read_array(root, "skin", &out->skin_count);
    out->skin = JSON_NEW(&skin, struct skin_snapshot, &out->skin_count);
    for (uint32_t i = 0; i < out->skin_count; i++) {
        struct json_place mesh = json_item(&skin, i);
        out->skin[i].mesh = json_read_string(&mesh, "mesh");
        out->skin[i].vertices = json_read_count(&mesh, "vertices");
        json_read_box(&mesh, out->skin[i].min, out->skin[i].max);
        json_read_floats(&mesh, "centroid", out->skin[i].centroid, 3);
        check_vertices(&mesh);
    }
}

static void read_pose(const struct json_place *root, struct pose_snapshot *out)
{
    static const char *const matrices[] = {POSE_MATRICES};
    json_require_format(root, POSE_FORMAT);
    out->model = json_read_string(root, "model");
    out->clip = json_read_string_or_null(root, "clip");
    out->time = json_read_double(root, "time");
    out->space = space_words[json_read_word(root, "space", space_words, SPACE_WORDS)];
    json_read_word(root, "matrices", matrices, 1);
    read_nodes(root, out);
    if (json_has(root, "morphs"))
        read_morphs(root, out);
    if (json_has(root, "palette"))
        read_palette(root, out);
    if (json_has(root, "skin"))
        read_skin(root, out);
}

struct pose_snapshot *pose_snapshot_read(const void *data, size_t size, const char *name, struct arena *arena,
                                         struct error *err)
{
    struct pose_snapshot *out = ARENA_NEW(arena, struct pose_snapshot, 1);
    struct json_reader reader;
    if (json_reader_open(&reader, data, size, name, arena, err))
        read_pose(&reader.root, out);
    json_reader_close(&reader);
    return error_is_set(err) ? NULL : out;
}
