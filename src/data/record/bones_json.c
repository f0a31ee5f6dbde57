/* rigproof.bones/1: a node or a mesh a line. */
#include "base/json.h"
#include "data/record/bones.h"

static void write_hold(struct json_writer *json, const struct bone_hold *hold)
{
    json_open_object(json, NULL, JSON_INLINE);
    json_add_int(json, "palette", hold->palette);
    json_add_string(json, "mesh", hold->mesh);
    json_add_int(json, "vertices", hold->vertices);
    json_add_float(json, "sum", hold->sum);
    json_add_float(json, "largest", hold->largest);
    json_add_float(json, "share", hold->share);
    json_add_float(json, "reach", hold->influence_radius);
    json_close(json);
}

static void write_row(struct json_writer *json, const struct bone_row *row)
{
    json_open_object(json, NULL, JSON_INLINE);
    json_add_string(json, "name", row->name);
    json_add_string(json, "parent", row->parent);
    json_add_int(json, "depth", row->depth);
    json_add_bool(json, "bone", row->is_bone);
    json_add_bool(json, "leaf", row->is_leaf);
    json_add_bool(json, "end", row->is_end);
    json_add_string(json, "color", row->color[0] ? row->color : NULL);
    json_open_array(json, "holds", JSON_INLINE);
    for (uint32_t i = 0; i < row->hold_count; i++)
        write_hold(json, &row->holds[i]);
    json_close(json);
    json_close(json);
}

static void write_mesh(struct json_writer *json, const struct mesh_weights *mesh)
{
    json_open_object(json, NULL, JSON_INLINE);
    json_add_string(json, "name", mesh->name);
    json_add_int(json, "vertices", mesh->vertices);
    json_add_int(json, "bones", mesh->bones);
    if (mesh->bones > 0) {
        json_open_array(json, "influences", JSON_INLINE);
        for (uint32_t i = 0; i < mesh->influence_slots; i++)
            json_add_int(json, NULL, mesh->influences[i]);
        json_close(json);
        json_add_int(json, "most_influences", mesh->most_influences);
        json_add_float(json, "least_sum", mesh->least_sum);
        json_add_float(json, "largest_sum", mesh->largest_sum);
    }
    json_close(json);
}

void bones_write_json(const struct scene *scene, struct text *out)
{
    struct arena *arena = arena_require(snapshot_bytes(scene));
    const struct bone_account *account = bones_gather(scene, arena);
    struct json_writer json = {.text = out};
    json_open_object(&json, NULL, JSON_LINES);
    json_add_string(&json, "format", BONES_FORMAT);
    json_add_string(&json, "model", account->model);
    json_add_int(&json, "palette", account->palette_count);
    json_open_array(&json, "nodes", JSON_LINES);
    for (uint32_t i = 0; i < account->row_count; i++)
        write_row(&json, &account->rows[i]);
    json_close(&json);
    json_open_array(&json, "meshes", JSON_LINES);
    for (uint32_t i = 0; i < account->mesh_count; i++)
        write_mesh(&json, &account->meshes[i]);
    json_close(&json);
    json_close(&json);
    arena_destroy(arena);
}
