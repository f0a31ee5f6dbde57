#include "base/file.h"
#include "base/json.h"
#include "data/bounds.h"
#include "data/record.h"

const char *palette_space_name(enum palette_space space)
{
    return space == SPACE_ROOT ? "root" : "scene";
}

static void write_matrix(struct json_writer *json, const char *key, const mat4 matrix)
{
    float rows[12];
    affine_rows(matrix, rows);
    json_add_floats(json, key, rows, 12);
}

static void write_node(struct json_writer *json, const struct pose_record *record, uint32_t i)
{
    const struct node *node = &record->scene->nodes[i];
    const struct transform *local = &record->pose->local[i];
    json_open_object(json, NULL, JSON_INLINE);
    json_add_string(json, "name", node->name);
    json_add_string(json, "parent", node->parent == NO_INDEX ? NULL : record->scene->nodes[node->parent].name);
    json_add_floats(json, "t", local->translation, 3);
    json_add_floats(json, "r", local->rotation, 4);
    json_add_floats(json, "s", local->scale, 3);
    write_matrix(json, "global", record->pose->node_to_scene[i]);
    json_close(json);
}

static void write_entry(struct json_writer *json, const struct pose_record *record, uint32_t i)
{
    const struct scene *scene = record->scene;
    const struct binding *binding = &scene->bindings[i];
    json_open_object(json, NULL, JSON_INLINE);
    json_add_string(json, "mesh", scene->meshes[scene->instances[binding->instance].mesh].name);
    json_add_string(json, "bone", scene->nodes[binding->node].name);
    write_matrix(json, "matrix", record->palette->mesh_to_scene[i]);
    json_close(json);
}

/* In double and in vertex order: the mean of many floats must not depend on how it is summed. */
static void centroid_of(const struct skinned *skinned, vec3 out)
{
    double sum[3] = {0, 0, 0};
    for (uint32_t v = 0; v < skinned->vertex_count; v++)
        for (int k = 0; k < 3; k++)
            sum[k] += skinned->positions[v][k];
    for (int k = 0; k < 3; k++)
        out[k] = skinned->vertex_count ? (float)(sum[k] / skinned->vertex_count) : 0.0f;
}

static void write_skinned(struct json_writer *json, const struct pose_record *record, uint32_t i)
{
    const struct skinned *skinned = &record->skinned[i];
    struct bounds bounds = bounds_empty();
    vec3 centroid;
    bounds_add_points(&bounds, skinned->positions, skinned->vertex_count);
    if (bounds_is_empty(&bounds))
        bounds = (struct bounds){{0, 0, 0}, {0, 0, 0}};
    centroid_of(skinned, centroid);
    json_open_object(json, NULL, JSON_INLINE);
    json_add_string(json, "mesh", record->scene->meshes[record->scene->instances[i].mesh].name);
    json_add_int(json, "vertices", skinned->vertex_count);
    json_add_floats(json, "min", bounds.min, 3);
    json_add_floats(json, "max", bounds.max, 3);
    json_add_floats(json, "centroid", centroid, 3);
    json_close(json);
}

void pose_write_json(const struct pose_record *record, struct text *out)
{
    struct json_writer json = {.text = out};
    json_open_object(&json, NULL, JSON_LINES);
    json_add_string(&json, "format", "rigproof.pose/1");
    json_add_string(&json, "model", path_base(record->scene->path));
    json_add_string(&json, "clip", record->clip);
    json_add_double(&json, "time", record->time);
    json_add_string(&json, "space", palette_space_name(record->space));
    json_add_string(&json, "matrices", "row-major 3x4, p' = M p");
    json_open_array(&json, "nodes", JSON_LINES);
    for (uint32_t i = 0; i < record->pose->node_count; i++)
        write_node(&json, record, i);
    json_close(&json);
    json_open_array(&json, "palette", JSON_LINES);
    for (uint32_t i = 0; i < record->palette->count; i++)
        write_entry(&json, record, i);
    json_close(&json);
    json_open_array(&json, "skin", JSON_LINES);
    for (uint32_t i = 0; i < record->scene->instance_count; i++)
        write_skinned(&json, record, i);
    json_close(&json);
    json_close(&json);
}
