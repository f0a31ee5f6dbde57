/* import.json: what the importer produced, as lines a person can review in `git diff`. */
#include <math.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "data/bounds.h"
#include "data/record.h"

const char *interpolation_name(enum interpolation interpolation)
{
    static const char *const names[] = {"step", "linear", "cubic"};
    return names[interpolation];
}

static void write_nodes(struct json_writer *json, const struct scene *scene)
{
    json_open_array(json, "nodes", JSON_LINES);
    for (uint32_t i = 0; i < scene->node_count; i++) {
        const struct node *node = &scene->nodes[i];
        float rows[12];
        affine_rows(node->local_to_parent, rows);
        json_open_object(json, NULL, JSON_INLINE);
        json_add_string(json, "name", node->name);
        json_add_string(json, "parent", node->parent == NO_INDEX ? NULL : scene->nodes[node->parent].name);
        json_add_bool(json, "bone", node->is_bone);
        json_add_floats(json, "local", rows, 12);
        json_close(json);
    }
    json_close(json);
}

/* What one bone holds of a mesh. */
struct bone_share {
    uint32_t weights;
    double sum;
    double centroid[3]; /* weighted sum of positions until divided by sum */
};

static struct bone_share share_of_bone(const struct mesh *mesh, uint32_t bone)
{
    struct bone_share share = {0};
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        for (uint32_t i = mesh->influence_first[v]; i < mesh->influence_first[v + 1]; i++) {
            if (mesh->influences[i].bone != bone)
                continue;
            share.weights++;
            share.sum += (double)mesh->influences[i].weight;
            for (int k = 0; k < 3; k++)
                share.centroid[k] += (double)mesh->influences[i].weight * (double)mesh->positions[v][k];
        }
    for (int k = 0; k < 3; k++)
        share.centroid[k] = share.sum != 0.0 ? share.centroid[k] / share.sum : 0.0;
    return share;
}

static void write_bones(struct json_writer *json, const struct scene *scene, const struct mesh *mesh)
{
    json_open_array(json, "bones", JSON_LINES);
    for (uint32_t b = 0; b < mesh->bone_count; b++) {
        struct bone_share share = share_of_bone(mesh, b);
        float centroid[3] = {(float)share.centroid[0], (float)share.centroid[1], (float)share.centroid[2]};
        float rows[12];
        affine_rows(mesh->bones[b].mesh_to_bone, rows);
        json_open_object(json, NULL, JSON_INLINE);
        json_add_string(json, "bone", scene->nodes[mesh->bones[b].node].name);
        json_add_int(json, "weights", share.weights);
        json_add_float(json, "sum", (float)share.sum);
        json_add_floats(json, "centroid", centroid, 3);
        json_add_floats(json, "offset", rows, 12);
        if (mesh->bones[b].follows_mesh_node)
            json_add_bool(json, "follows_mesh_node", true);
        json_close(json);
    }
    json_close(json);
}

/* How many vertices have 0, 1, 2 ... influences; the last number counts all with that many or more. */
static void write_influence_counts(struct json_writer *json, const struct mesh *mesh)
{
    enum { MOST = 16 };
    uint32_t counts[MOST + 1] = {0};
    int last = 0;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        uint32_t n = mesh->influence_first[v + 1] - mesh->influence_first[v];
        counts[n < MOST ? n : MOST]++;
    }
    for (int i = 0; i <= MOST; i++)
        last = counts[i] ? i : last;
    json_open_array(json, "influences", JSON_INLINE);
    for (int i = 0; i <= last; i++)
        json_add_int(json, NULL, counts[i]);
    json_close(json);
}

static void write_nodes_of_mesh(struct json_writer *json, const struct scene *scene, uint32_t mesh)
{
    json_open_array(json, "nodes", JSON_INLINE);
    for (uint32_t i = 0; i < scene->instance_count; i++)
        if (scene->instances[i].mesh == mesh)
            json_add_string(json, NULL, scene->nodes[scene->instances[i].node].name);
    json_close(json);
}

static void write_meshes(struct json_writer *json, const struct scene *scene)
{
    json_open_array(json, "meshes", JSON_LINES);
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        const struct mesh *mesh = &scene->meshes[i];
        struct bounds bounds = bounds_empty();
        bounds_add_points(&bounds, mesh->positions, mesh->vertex_count);
        if (bounds_is_empty(&bounds))
            bounds = (struct bounds){{0, 0, 0}, {0, 0, 0}};
        json_open_object(json, NULL, JSON_LINES);
        json_add_string(json, "name", mesh->name);
        write_nodes_of_mesh(json, scene, i);
        json_add_string(json, "material", scene->materials[mesh->material].name);
        json_add_int(json, "vertices", mesh->vertex_count);
        json_add_int(json, "triangles", mesh->triangle_count);
        json_add_floats(json, "min", bounds.min, 3);
        json_add_floats(json, "max", bounds.max, 3);
        json_add_bool(json, "uvs", mesh->uvs != NULL);
        json_add_int(json, "morph_targets", mesh->target_count);
        if (mesh->bone_count > 0) {
            write_influence_counts(json, mesh);
            write_bones(json, scene, mesh);
        }
        json_close(json);
    }
    json_close(json);
}

static void write_materials(struct json_writer *json, const struct scene *scene)
{
    static const char *const alpha_names[] = {"opaque", "mask", "blend"};
    json_open_array(json, "materials", JSON_LINES);
    for (uint32_t i = 0; i < scene->material_count; i++) {
        const struct material *material = &scene->materials[i];
        json_open_object(json, NULL, JSON_INLINE);
        json_add_string(json, "name", material->name);
        json_add_floats(json, "base_color", material->base_color, 4);
        json_add_string(json, "base_texture",
                    material->base_texture == NO_INDEX ? NULL : scene->textures[material->base_texture].name);
        json_add_string(json, "alpha", alpha_names[material->alpha_mode]);
        if (material->alpha_mode == ALPHA_MASK)
            json_add_float(json, "cutoff", material->alpha_cutoff);
        json_add_bool(json, "two_sided", material->two_sided);
        json_close(json);
    }
    json_close(json);
    json_open_array(json, "textures", JSON_LINES);
    for (uint32_t i = 0; i < scene->texture_count; i++) {
        const struct texture *texture = &scene->textures[i];
        json_open_object(json, NULL, JSON_INLINE);
        json_add_string(json, "name", texture->name);
        json_add_int(json, "width", texture->width);
        json_add_int(json, "height", texture->height);
        json_add_bool(json, "missing", texture->missing);
        json_close(json);
    }
    json_close(json);
}

/* Mean and root mean square of each number of the keys' values; tangents are left out. */
static void write_statistics(struct json_writer *json, const struct keys *keys, uint32_t width)
{
    float mean[4], rms[4];
    uint32_t stride = keys->interpolation == INTERPOLATE_CUBIC ? 3 * width : width;
    const float *values = keys->values + (keys->interpolation == INTERPOLATE_CUBIC ? width : 0);
    for (uint32_t c = 0; c < width; c++) {
        double sum = 0.0, squares = 0.0;
        for (uint32_t i = 0; i < keys->count; i++) {
            double value = (double)values[(size_t)i * stride + c];
            sum += value;
            squares += value * value;
        }
        mean[c] = (float)(sum / keys->count);
        rms[c] = (float)sqrt(squares / keys->count);
    }
    json_add_floats(json, "mean", mean, width);
    json_add_floats(json, "rms", rms, width);
}

static void write_keys(struct json_writer *json, const char *name, const struct keys *keys, uint32_t width)
{
    if (keys->count == 0)
        return;
    json_open_object(json, name, JSON_INLINE);
    json_add_int(json, "keys", keys->count);
    json_add_double(json, "first", keys->times[0]);
    json_add_double(json, "last", keys->times[keys->count - 1]);
    json_add_string(json, "interpolation", interpolation_name(keys->interpolation));
    if (width <= 4)
        write_statistics(json, keys, width);
    json_close(json);
}

static void write_clip(struct json_writer *json, const struct clip *clip)
{
    static const char *const component_names[] = {"t", "r", "s"};
    json_open_object(json, NULL, JSON_LINES);
    json_add_string(json, "name", clip->name);
    json_add_double(json, "duration", clip->duration);
    json_add_double(json, "ticks_per_second", clip->ticks_per_second);
    json_open_array(json, "channels", JSON_LINES);
    for (uint32_t i = 0; i < clip->channel_count; i++) {
        const struct channel *channel = &clip->channels[i];
        json_open_object(json, NULL, JSON_INLINE);
        json_add_string(json, "node", channel->node_name);
        if (channel->node == NO_INDEX)
            json_add_bool(json, "unmatched", true);
        if (channel->is_repair)
            json_add_bool(json, "repair", true);
        for (int c = 0; c < COMPONENT_COUNT; c++)
            write_keys(json, component_names[c], &channel->keys[c], component_width((enum component)c));
        json_close(json);
    }
    json_close(json);
    json_open_array(json, "morphs", JSON_LINES);
    for (uint32_t i = 0; i < clip->morph_count; i++) {
        json_open_object(json, NULL, JSON_INLINE);
        json_add_string(json, "node", clip->morphs[i].node_name);
        json_add_int(json, "targets", clip->morphs[i].target_count);
        write_keys(json, "weights", &clip->morphs[i].keys, clip->morphs[i].target_count);
        json_close(json);
    }
    json_close(json);
    json_close(json);
}

static void write_notes(struct json_writer *json, const struct scene *scene, const char *key, enum note_kind kind)
{
    json_open_array(json, key, JSON_LINES);
    for (uint32_t i = 0; i < scene->note_count; i++) {
        if (scene->notes[i].kind != kind)
            continue;
        json_open_object(json, NULL, JSON_INLINE);
        json_add_string(json, "id", scene->notes[i].id);
        json_add_string(json, "text", scene->notes[i].text);
        json_close(json);
    }
    json_close(json);
}

static void write_cameras(struct json_writer *json, const struct scene *scene)
{
    json_open_array(json, "cameras", JSON_LINES);
    for (uint32_t i = 0; i < scene->camera_count; i++) {
        const struct scene_camera *camera = &scene->cameras[i];
        json_open_object(json, NULL, JSON_INLINE);
        json_add_string(json, "name", camera->name);
        json_add_string(json, "node", camera->node == NO_INDEX ? NULL : scene->nodes[camera->node].name);
        json_add_float(json, "fov_y", camera->fov_y);
        json_add_float(json, "ortho_height", camera->ortho_height);
        json_close(json);
    }
    json_close(json);
}

void scene_write_json(const struct scene *scene, struct text *out)
{
    static const char *const axes[] = {"x", "y", "z"};
    struct json_writer json = {.text = out};
    char up[4] = "";
    strcat(up, scene->up_sign < 0 ? "-" : "");
    strcat(up, axes[scene->up_axis]);
    json_open_object(&json, NULL, JSON_LINES);
    json_add_string(&json, "format", "rigproof.import/1");
    json_add_string(&json, "model", path_base(scene->path));
    json_add_string(&json, "up", up);
    json_add_double(&json, "unit_meters", scene->unit_meters);
    write_nodes(&json, scene);
    write_meshes(&json, scene);
    write_materials(&json, scene);
    json_open_array(&json, "clips", JSON_LINES);
    for (uint32_t i = 0; i < scene->clip_count; i++)
        write_clip(&json, &scene->clips[i]);
    json_close(&json);
    write_cameras(&json, scene);
    write_notes(&json, scene, "repairs", NOTE_REPAIR);
    write_notes(&json, scene, "warnings", NOTE_WARNING);
    json_close(&json);
}
