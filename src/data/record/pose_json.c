/* pose.json: a node, a palette entry or a mesh a line. */
#include "base/json.h"
#include "data/record/snapshot.h"

static void write_matrix(struct json_writer *json, const char *key, const mat4 matrix)
{
    float rows[12];
    affine_rows(matrix, rows);
    json_add_floats(json, key, rows, 12);
}

/* What is to be written, and how. */
struct form {
    enum json_layout layout;
    const struct pose_record *record; /* NULL: everything that the snapshot holds */
    const struct pose_part *part;     /* NULL: the same */
};

static bool wants(const struct form *form, enum pose_stage stage)
{
    return pose_part_wants(form->part, POSE_STAGES, stage);
}

static void write_motion(struct json_writer *json, const char *linear, const char *angular, const struct motion *motion)
{
    json_add_floats(json, linear, motion->linear, 3);
    json_add_floats(json, angular, motion->angular, 3);
}

static void write_node(struct json_writer *json, const struct form *form, const struct pose_node_snapshot *node,
                       uint32_t i)
{
    json_open_object(json, NULL, JSON_INLINE);
    json_add_string(json, "name", node->name);
    json_add_string(json, "parent", node->parent);
    if (wants(form, POSE_LOCAL)) {
        json_add_floats(json, "t", node->local.translation, 3);
        json_add_floats(json, "r", node->local.rotation, 4);
        json_add_floats(json, "s", node->local.scale, 3);
    }
    if (wants(form, POSE_GLOBAL))
        write_matrix(json, "global", node->node_to_scene);
    if (wants(form, POSE_LOCAL) && form->part && form->part->local)
        write_motion(json, "local_velocity", "local_angular_velocity", &form->part->local[i]);
    if (wants(form, POSE_GLOBAL) && form->part && form->part->global)
        write_motion(json, "velocity", "angular_velocity", &form->part->global[i]);
    json_close(json);
}

static void write_nodes(struct json_writer *json, const struct form *form, const struct pose_snapshot *snapshot)
{
    json_open_array(json, "nodes", form->layout);
    for (uint32_t i = 0; i < snapshot->node_count; i++)
        if (pose_part_has(form->part, i))
            write_node(json, form, &snapshot->nodes[i], i);
    json_close(json);
}

/* Left out where no mesh has morph targets. */
static void write_morphs(struct json_writer *json, const struct form *form, const struct pose_snapshot *snapshot)
{
    if (snapshot->morph_count == 0)
        return;
    json_open_array(json, "morphs", form->layout);
    for (uint32_t i = 0; i < snapshot->morph_count; i++) {
        const struct morph_weights_snapshot *morph = &snapshot->morphs[i];
        json_open_object(json, NULL, JSON_INLINE);
        json_add_string(json, "mesh", morph->mesh);
        json_add_string(json, "node", morph->node);
        json_add_floats(json, "weights", morph->weights, morph->count);
        json_close(json);
    }
    json_close(json);
}

static void write_entry(struct json_writer *json, const struct palette_snapshot *entry)
{
    json_open_object(json, NULL, JSON_INLINE);
    json_add_string(json, "mesh", entry->mesh);
    json_add_string(json, "bone", entry->bone);
    write_matrix(json, "matrix", entry->mesh_to_scene);
    json_close(json);
}

static void write_palette(struct json_writer *json, const struct form *form, const struct pose_snapshot *snapshot)
{
    json_open_array(json, "palette", form->layout);
    for (uint32_t i = 0; i < snapshot->palette_count; i++)
        if (!form->record || pose_part_has(form->part, form->record->scene->bindings[i].node))
            write_entry(json, &snapshot->palette[i]);
    json_close(json);
}

static void write_points(struct json_writer *json, const char *key, const vec3 *points, uint32_t count)
{
    json_open_array(json, key, JSON_INLINE);
    for (uint32_t v = 0; v < count; v++)
        json_add_floats(json, NULL, points[v], 3);
    json_close(json);
}

static void write_skin(struct json_writer *json, const struct skin_snapshot *skin, const struct skinned *vertices)
{
    json_open_object(json, NULL, JSON_INLINE);
    json_add_string(json, "mesh", skin->mesh);
    json_add_int(json, "vertices", skin->vertices);
    json_add_floats(json, "min", skin->min, 3);
    json_add_floats(json, "max", skin->max, 3);
    json_add_floats(json, "centroid", skin->centroid, 3);
    if (vertices) {
        write_points(json, "positions", vertices->positions, vertices->vertex_count);
        write_points(json, "normals", vertices->normals, vertices->vertex_count);
    }
    json_close(json);
}

static void write_skins(struct json_writer *json, const struct form *form, const struct pose_snapshot *snapshot)
{
    bool vertices = form->part && form->part->vertices;
    json_open_array(json, "skin", form->layout);
    for (uint32_t i = 0; i < snapshot->skin_count; i++)
        write_skin(json, &snapshot->skin[i], vertices ? &form->record->skinned[i] : NULL);
    json_close(json);
}

/* An engine's pose.json must have every node with all its numbers; what has less is no such file. */
static bool is_whole(const struct pose_part *part)
{
    return !part || (!part->nodes && (part->stages & POSE_NODES) == POSE_NODES);
}

static void write_pose(const struct pose_snapshot *snapshot, const struct form *form, struct text *out)
{
    struct json_writer json = {.text = out};
    json_open_object(&json, NULL, form->layout);
    json_add_string(&json, "format", is_whole(form->part) ? POSE_FORMAT : POSE_PART_FORMAT);
    json_add_string(&json, "model", snapshot->model);
    json_add_string(&json, "clip", snapshot->clip);
    json_add_double(&json, "time", snapshot->time);
    json_add_string(&json, "space", snapshot->space);
    json_add_string(&json, "matrices", POSE_MATRICES);
    if (pose_part_wants(form->part, POSE_STAGES, POSE_NODES))
        write_nodes(&json, form, snapshot);
    if (wants(form, POSE_LOCAL) && !(form->part && form->part->nodes))
        write_morphs(&json, form, snapshot);
    if (wants(form, POSE_PALETTE))
        write_palette(&json, form, snapshot);
    if (wants(form, POSE_SKIN))
        write_skins(&json, form, snapshot);
    json_close(&json);
}

void pose_snapshot_write(const struct pose_snapshot *snapshot, struct text *out)
{
    write_pose(snapshot, &(struct form){.layout = JSON_LINES}, out);
}

static void write_record(const struct pose_record *record, enum json_layout layout, struct text *out)
{
    struct arena *arena = arena_require(snapshot_bytes(record->scene));
    write_pose(pose_snapshot_gather(record, arena), &(struct form){layout, record, record->part}, out);
    arena_destroy(arena);
}

void pose_write_json(const struct pose_record *record, struct text *out)
{
    write_record(record, JSON_LINES, out);
}

void pose_write_json_line(const struct pose_record *record, struct text *out)
{
    write_record(record, JSON_INLINE, out);
}
