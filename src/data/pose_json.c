/* pose.json: a node, a palette entry or a mesh a line. */
#include "base/json.h"
#include "data/evidence.h"

static void write_matrix(struct json_writer *json, const char *key, const mat4 matrix)
{
    float rows[12];
    affine_rows(matrix, rows);
    json_add_floats(json, key, rows, 12);
}

static void write_node(struct json_writer *json, const struct pose_node_evidence *node)
{
    json_open_object(json, NULL, JSON_INLINE);
    json_add_string(json, "name", node->name);
    json_add_string(json, "parent", node->parent);
    json_add_floats(json, "t", node->local.translation, 3);
    json_add_floats(json, "r", node->local.rotation, 4);
    json_add_floats(json, "s", node->local.scale, 3);
    write_matrix(json, "global", node->node_to_scene);
    json_close(json);
}

/* Left out where no mesh has morph targets. */
static void write_morphs(struct json_writer *json, const struct pose_evidence *evidence)
{
    if (evidence->morph_count == 0)
        return;
    json_open_array(json, "morphs", JSON_LINES);
    for (uint32_t i = 0; i < evidence->morph_count; i++) {
        const struct morph_weights_evidence *morph = &evidence->morphs[i];
        json_open_object(json, NULL, JSON_INLINE);
        json_add_string(json, "mesh", morph->mesh);
        json_add_string(json, "node", morph->node);
        json_add_floats(json, "weights", morph->weights, morph->count);
        json_close(json);
    }
    json_close(json);
}

static void write_entry(struct json_writer *json, const struct palette_evidence *entry)
{
    json_open_object(json, NULL, JSON_INLINE);
    json_add_string(json, "mesh", entry->mesh);
    json_add_string(json, "bone", entry->bone);
    write_matrix(json, "matrix", entry->mesh_to_scene);
    json_close(json);
}

static void write_skin(struct json_writer *json, const struct skin_evidence *skin)
{
    json_open_object(json, NULL, JSON_INLINE);
    json_add_string(json, "mesh", skin->mesh);
    json_add_int(json, "vertices", skin->vertices);
    json_add_floats(json, "min", skin->min, 3);
    json_add_floats(json, "max", skin->max, 3);
    json_add_floats(json, "centroid", skin->centroid, 3);
    json_close(json);
}

void pose_evidence_write(const struct pose_evidence *evidence, struct text *out)
{
    struct json_writer json = {.text = out};
    json_open_object(&json, NULL, JSON_LINES);
    json_add_string(&json, "format", POSE_FORMAT);
    json_add_string(&json, "model", evidence->model);
    json_add_string(&json, "clip", evidence->clip);
    json_add_double(&json, "time", evidence->time);
    json_add_string(&json, "space", evidence->space);
    json_add_string(&json, "matrices", POSE_MATRICES);
    json_open_array(&json, "nodes", JSON_LINES);
    for (uint32_t i = 0; i < evidence->node_count; i++)
        write_node(&json, &evidence->nodes[i]);
    json_close(&json);
    write_morphs(&json, evidence);
    json_open_array(&json, "palette", JSON_LINES);
    for (uint32_t i = 0; i < evidence->palette_count; i++)
        write_entry(&json, &evidence->palette[i]);
    json_close(&json);
    json_open_array(&json, "skin", JSON_LINES);
    for (uint32_t i = 0; i < evidence->skin_count; i++)
        write_skin(&json, &evidence->skin[i]);
    json_close(&json);
    json_close(&json);
}

void pose_write_json(const struct pose_record *record, struct text *out)
{
    struct arena *arena = arena_demand(evidence_bytes(record->scene));
    pose_evidence_write(pose_evidence_gather(record, arena), out);
    arena_destroy(arena);
}
