/* import.json: what the importer produced, as lines a person can review in `git diff`. */
#include <string.h>

#include "base/json.h"
#include "data/record/snapshot.h"

static void write_matrix(struct json_writer *json, const char *key, const mat4 matrix)
{
    float rows[12];
    affine_rows(matrix, rows);
    json_add_floats(json, key, rows, 12);
}

static void write_nodes(struct json_writer *json, const struct import_snapshot *snapshot)
{
    json_open_array(json, "nodes", JSON_LINES);
    for (uint32_t i = 0; i < snapshot->node_count; i++) {
        const struct node_snapshot *node = &snapshot->nodes[i];
        json_open_object(json, NULL, JSON_INLINE);
        json_add_string(json, "name", node->name);
        json_add_string(json, "parent", node->parent);
        json_add_bool(json, "bone", node->is_bone);
        write_matrix(json, "local", node->local_to_parent);
        json_close(json);
    }
    json_close(json);
}

/* ---- meshes ---------------------------------------------------------------------------------------------------- */

static void write_bones(struct json_writer *json, const struct mesh_snapshot *mesh)
{
    json_open_array(json, "bones", JSON_LINES);
    for (uint32_t b = 0; b < mesh->bone_count; b++) {
        const struct bone_snapshot *bone = &mesh->bones[b];
        json_open_object(json, NULL, JSON_INLINE);
        json_add_string(json, "bone", bone->bone);
        json_add_int(json, "weights", bone->weights);
        json_add_float(json, "sum", bone->sum);
        json_add_floats(json, "centroid", bone->centroid, 3);
        json_add_float(json, "reach", bone->influence_radius);
        write_matrix(json, "offset", bone->mesh_to_bone);
        if (bone->follows_mesh_node)
            json_add_bool(json, "follows_mesh_node", true);
        json_close(json);
    }
    json_close(json);
}

static void write_attribute(struct json_writer *json, const char *key, const struct attribute_snapshot *attribute)
{
    if (attribute->width > 0)
        json_add_floats(json, key, attribute->moments, MOMENTS * attribute->width);
}

static void write_moments(struct json_writer *json, const struct mesh_snapshot *mesh)
{
    json_open_object(json, "moments", JSON_LINES);
    write_attribute(json, "position", &mesh->positions);
    write_attribute(json, "face", &mesh->faces);
    write_attribute(json, "normal", &mesh->normals);
    write_attribute(json, "uv", &mesh->uvs);
    write_attribute(json, "color", &mesh->colors);
    json_close(json);
}

static void write_targets(struct json_writer *json, const struct mesh_snapshot *mesh)
{
    if (mesh->target_count == 0)
        return;
    json_open_array(json, "targets", JSON_LINES);
    for (uint32_t t = 0; t < mesh->target_count; t++) {
        const struct target_snapshot *target = &mesh->targets[t];
        json_open_object(json, NULL, JSON_INLINE);
        json_add_string(json, "name", target->name);
        json_add_float(json, "weight", target->weight);
        json_add_int(json, "moved", target->moved);
        json_add_float(json, "largest", target->largest);
        json_add_floats(json, "mean", target->mean, 3);
        if (target->has_normals)
            json_add_floats(json, "normal", target->normal, 3);
        json_close(json);
    }
    json_close(json);
}

static void write_mesh(struct json_writer *json, const struct mesh_snapshot *mesh)
{
    json_open_object(json, NULL, JSON_LINES);
    json_add_string(json, "name", mesh->name);
    json_open_array(json, "nodes", JSON_INLINE);
    for (uint32_t i = 0; i < mesh->node_count; i++)
        json_add_string(json, NULL, mesh->nodes[i]);
    json_close(json);
    json_add_string(json, "material", mesh->material);
    json_add_int(json, "vertices", mesh->vertices);
    json_add_int(json, "triangles", mesh->triangles);
    json_add_floats(json, "min", mesh->min, 3);
    json_add_floats(json, "max", mesh->max, 3);
    json_add_bool(json, "uvs", mesh->has_uvs);
    json_add_int(json, "morph_targets", mesh->morph_targets);
    write_targets(json, mesh);
    write_moments(json, mesh);
    if (mesh->bone_count > 0) {
        json_open_array(json, "influences", JSON_INLINE);
        for (uint32_t i = 0; i < mesh->influence_slots; i++)
            json_add_int(json, NULL, mesh->influences[i]);
        json_close(json);
        write_bones(json, mesh);
    }
    json_close(json);
}

/* ---- materials ------------------------------------------------------------------------------------------------- */

static void write_materials(struct json_writer *json, const struct import_snapshot *snapshot)
{
    json_open_array(json, "materials", JSON_LINES);
    for (uint32_t i = 0; i < snapshot->material_count; i++) {
        const struct material_snapshot *material = &snapshot->materials[i];
        json_open_object(json, NULL, JSON_INLINE);
        json_add_string(json, "name", material->name);
        json_add_floats(json, "base_color", material->base_color, 4);
        json_add_string(json, "base_texture", material->base_texture);
        if (material->wrap[0]) {
            json_open_array(json, "wrap", JSON_INLINE);
            json_add_string(json, NULL, material->wrap[0]);
            json_add_string(json, NULL, material->wrap[1]);
            json_close(json);
        }
        json_add_string(json, "alpha", material->alpha);
        if (strcmp(material->alpha, alpha_words[ALPHA_MASK]) == 0)
            json_add_float(json, "cutoff", material->cutoff);
        json_add_bool(json, "two_sided", material->two_sided);
        json_close(json);
    }
    json_close(json);
}

static void write_textures(struct json_writer *json, const struct import_snapshot *snapshot)
{
    json_open_array(json, "textures", JSON_LINES);
    for (uint32_t i = 0; i < snapshot->texture_count; i++) {
        const struct texture_snapshot *texture = &snapshot->textures[i];
        json_open_object(json, NULL, JSON_INLINE);
        json_add_string(json, "name", texture->name);
        json_add_int(json, "width", texture->width);
        json_add_int(json, "height", texture->height);
        json_add_bool(json, "missing", texture->missing);
        if (texture->has_moments)
            json_add_floats(json, "moments", texture->moments, 4 * TEXTURE_MOMENTS);
        json_close(json);
    }
    json_close(json);
}

/* ---- clips ----------------------------------------------------------------------------------------------------- */

static void write_keys(struct json_writer *json, const char *name, const struct keys_snapshot *keys, bool statistics)
{
    if (keys->count == 0)
        return;
    json_open_object(json, name, JSON_INLINE);
    json_add_int(json, "keys", keys->count);
    json_add_double(json, "first", keys->first);
    json_add_double(json, "last", keys->last);
    json_add_string(json, "interpolation", keys->interpolation);
    if (statistics) {
        json_add_floats(json, "mean", keys->mean, keys->width);
        json_add_floats(json, "rms", keys->rms, keys->width);
    }
    json_close(json);
}

static void write_channel(struct json_writer *json, const struct channel_snapshot *channel)
{
    static const char *const component_names[] = {"t", "r", "s"};
    json_open_object(json, NULL, JSON_INLINE);
    json_add_string(json, "node", channel->node);
    if (channel->unmatched)
        json_add_bool(json, "unmatched", true);
    if (channel->is_repair)
        json_add_bool(json, "repair", true);
    for (int c = 0; c < COMPONENT_COUNT; c++)
        write_keys(json, component_names[c], &channel->keys[c], true);
    json_close(json);
}

static void write_clip(struct json_writer *json, const struct clip_snapshot *clip)
{
    json_open_object(json, NULL, JSON_LINES);
    json_add_string(json, "name", clip->name);
    json_add_double(json, "duration", clip->duration);
    json_add_double(json, "ticks_per_second", clip->ticks_per_second);
    json_open_array(json, "channels", JSON_LINES);
    for (uint32_t i = 0; i < clip->channel_count; i++)
        write_channel(json, &clip->channels[i]);
    json_close(json);
    json_open_array(json, "morphs", JSON_LINES);
    for (uint32_t i = 0; i < clip->morph_count; i++) {
        const struct morph_snapshot *morph = &clip->morphs[i];
        json_open_object(json, NULL, JSON_INLINE);
        json_add_string(json, "node", morph->node);
        json_add_int(json, "targets", morph->targets);
        write_keys(json, "weights", &morph->weights, morph->targets <= KEYS_SNAPSHOT_WIDTH);
        json_close(json);
    }
    json_close(json);
    json_close(json);
}

/* ---- remainder -------------------------------------------------------------------------------------------------- */

static void write_cameras(struct json_writer *json, const struct import_snapshot *snapshot)
{
    json_open_array(json, "cameras", JSON_LINES);
    for (uint32_t i = 0; i < snapshot->camera_count; i++) {
        const struct camera_snapshot *camera = &snapshot->cameras[i];
        json_open_object(json, NULL, JSON_INLINE);
        json_add_string(json, "name", camera->name);
        json_add_string(json, "node", camera->node);
        json_add_float(json, "fov_y", camera->fov_y);
        json_add_float(json, "ortho_height", camera->ortho_height);
        json_close(json);
    }
    json_close(json);
}

static void write_notes(struct json_writer *json, const char *key, const struct note_snapshot *notes, uint32_t count)
{
    json_open_array(json, key, JSON_LINES);
    for (uint32_t i = 0; i < count; i++) {
        json_open_object(json, NULL, JSON_INLINE);
        json_add_string(json, "id", notes[i].id);
        json_add_string(json, "text", notes[i].text);
        json_close(json);
    }
    json_close(json);
}

void import_snapshot_write(const struct import_snapshot *snapshot, struct text *out)
{
    struct json_writer json = {.text = out};
    json_open_object(&json, NULL, JSON_LINES);
    json_add_string(&json, "format", IMPORT_FORMAT);
    json_add_string(&json, "model", snapshot->model);
    json_add_string(&json, "up", snapshot->up);
    json_add_double(&json, "unit_meters", snapshot->unit_meters);
    write_nodes(&json, snapshot);
    json_open_array(&json, "meshes", JSON_LINES);
    for (uint32_t i = 0; i < snapshot->mesh_count; i++)
        write_mesh(&json, &snapshot->meshes[i]);
    json_close(&json);
    write_materials(&json, snapshot);
    write_textures(&json, snapshot);
    json_open_array(&json, "clips", JSON_LINES);
    for (uint32_t i = 0; i < snapshot->clip_count; i++)
        write_clip(&json, &snapshot->clips[i]);
    json_close(&json);
    write_cameras(&json, snapshot);
    write_notes(&json, "repairs", snapshot->repairs, snapshot->repair_count);
    write_notes(&json, "warnings", snapshot->warnings, snapshot->warning_count);
    json_close(&json);
}

void scene_write_json(const struct scene *scene, struct text *out)
{
    struct arena *arena = arena_require(snapshot_bytes(scene));
    import_snapshot_write(import_snapshot_gather(scene, arena), out);
    arena_destroy(arena);
}
