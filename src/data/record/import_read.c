#include "data/record/snapshot.h"
#include "data/json_read.h"

/* A flag that is only written when it is set. */
static bool read_flag(const struct json_place *at, const char *key)
{
    return json_has(at, key) && json_read_bool(at, key);
}

static void read_nodes(const struct json_place *root, struct import_snapshot *out)
{
    struct json_place nodes = json_read_array(root, "nodes", &out->node_count);
    out->nodes = JSON_NEW(&nodes, struct node_snapshot, &out->node_count);
    for (uint32_t i = 0; i < out->node_count; i++) {
        struct json_place node = json_item(&nodes, i);
        out->nodes[i].name = json_read_string(&node, "name");
        out->nodes[i].parent = json_read_string_or_null(&node, "parent");
        out->nodes[i].is_bone = json_read_bool(&node, "bone");
        json_read_affine(&node, "local", out->nodes[i].local_to_parent);
    }
}

/* ---- meshes ---------------------------------------------------------------------------------------------------- */

static void read_bone(const struct json_place *at, struct bone_snapshot *out)
{
    out->bone = json_read_string(at, "bone");
    out->weights = json_read_count(at, "weights");
    out->sum = json_read_float(at, "sum");
    json_read_floats(at, "centroid", out->centroid, 3);
    out->influence_radius = json_has(at, "reach") ? json_read_float(at, "reach") : 0.0f;
    if (out->influence_radius < 0.0f)
        json_complain(at, "reach", "is a distance, found %.9g", (double)out->influence_radius);
    json_read_affine(at, "offset", out->mesh_to_bone);
    out->follows_mesh_node = read_flag(at, "follows_mesh_node");
}

static void read_bones(const struct json_place *at, struct mesh_snapshot *out)
{
    struct json_place influences = json_read_array(at, "influences", &out->influence_slots);
    out->influences = JSON_NEW(&influences, uint32_t, &out->influence_slots);
    for (uint32_t i = 0; i < out->influence_slots; i++) {
        struct json_place count = json_item(&influences, i);
        out->influences[i] = json_read_count(&count, NULL);
    }
    struct json_place bones = json_read_array(at, "bones", &out->bone_count);
    out->bones = JSON_NEW(&bones, struct bone_snapshot, &out->bone_count);
    for (uint32_t i = 0; i < out->bone_count; i++) {
        struct json_place bone = json_item(&bones, i);
        read_bone(&bone, &out->bones[i]);
    }
}

/* Left out: the mesh has no such attribute. */
static void read_attribute(const struct json_place *at, const char *key, uint32_t width, struct attribute_snapshot *out)
{
    if (!json_has(at, key))
        return;
    out->width = width;
    json_read_floats(at, key, out->moments, (size_t)MOMENTS * width);
}

static void read_moments(const struct json_place *at, struct mesh_snapshot *out)
{
    struct json_place moments = json_read_object(at, "moments");
    read_attribute(&moments, "position", 3, &out->positions);
    read_attribute(&moments, "face", 3, &out->faces);
    read_attribute(&moments, "normal", 3, &out->normals);
    read_attribute(&moments, "uv", 2, &out->uvs);
    read_attribute(&moments, "color", 4, &out->colors);
}

static void read_targets(const struct json_place *mesh, struct mesh_snapshot *out)
{
    struct json_place targets = json_read_array(mesh, "targets", &out->target_count);
    out->targets = JSON_NEW(&targets, struct target_snapshot, &out->target_count);
    for (uint32_t i = 0; i < out->target_count; i++) {
        struct json_place at = json_item(&targets, i);
        struct target_snapshot *target = &out->targets[i];
        target->name = json_read_string(&at, "name");
        target->weight = json_read_float(&at, "weight");
        target->moved = json_read_count(&at, "moved");
        target->largest = json_read_float(&at, "largest");
        json_read_floats(&at, "mean", target->mean, 3);
        target->has_normals = json_has(&at, "normal");
        if (target->has_normals)
            json_read_floats(&at, "normal", target->normal, 3);
    }
}

static void read_mesh(const struct json_place *at, struct mesh_snapshot *out)
{
    out->name = json_read_string(at, "name");
    struct json_place nodes = json_read_array(at, "nodes", &out->node_count);
    out->nodes = JSON_NEW(&nodes, const char *, &out->node_count);
    for (uint32_t i = 0; i < out->node_count; i++) {
        struct json_place node = json_item(&nodes, i);
        out->nodes[i] = json_read_string(&node, NULL);
    }
    out->material = json_read_string(at, "material");
    out->vertices = json_read_count(at, "vertices");
    out->triangles = json_read_count(at, "triangles");
    json_read_box(at, out->min, out->max);
    out->has_uvs = json_read_bool(at, "uvs");
    out->morph_targets = json_read_count(at, "morph_targets");
    if (json_has(at, "targets"))
        read_targets(at, out);
    if (json_has(at, "moments"))
        read_moments(at, out);
    if (json_has(at, "bones") || json_has(at, "influences"))
        read_bones(at, out);
}

static void read_meshes(const struct json_place *root, struct import_snapshot *out)
{
    struct json_place meshes = json_read_array(root, "meshes", &out->mesh_count);
    out->meshes = JSON_NEW(&meshes, struct mesh_snapshot, &out->mesh_count);
    for (uint32_t i = 0; i < out->mesh_count; i++) {
        struct json_place mesh = json_item(&meshes, i);
        read_mesh(&mesh, &out->meshes[i]);
    }
}

/* ---- materials ------------------------------------------------------------------------------------------------- */

static void read_wrap(const struct json_place *material, const char *wrap[2])
{
    uint32_t count = 0;
    struct json_place words = json_read_array(material, "wrap", &count);
    if (count != 2) {
        json_complain(material, "wrap", "is two words, for u and v");
        return;
    }
    for (uint32_t i = 0; i < 2; i++) {
        struct json_place word = json_item(&words, i);
        wrap[i] = wrap_words[json_read_word(&word, NULL, wrap_words, WRAP_WORDS)];
    }
}

static void read_materials(const struct json_place *root, struct import_snapshot *out)
{
    struct json_place materials = json_read_array(root, "materials", &out->material_count);
    out->materials = JSON_NEW(&materials, struct material_snapshot, &out->material_count);
    for (uint32_t i = 0; i < out->material_count; i++) {
        struct json_place at = json_item(&materials, i);
        struct material_snapshot *material = &out->materials[i];
        material->name = json_read_string(&at, "name");
        json_read_floats(&at, "base_color", material->base_color, 4);
        material->base_texture = json_read_string_or_null(&at, "base_texture");
        uint32_t alpha = json_read_word(&at, "alpha", alpha_words, ALPHA_WORDS);
        material->alpha = alpha_words[alpha];
        material->cutoff = alpha == ALPHA_MASK ? json_read_float(&at, "cutoff") : 0.0f;
        material->two_sided = json_read_bool(&at, "two_sided");
        if (json_has(&at, "wrap"))
            read_wrap(&at, material->wrap);
    }
}

static void read_textures(const struct json_place *root, struct import_snapshot *out)
{
    struct json_place textures = json_read_array(root, "textures", &out->texture_count);
    out->textures = JSON_NEW(&textures, struct texture_snapshot, &out->texture_count);
    for (uint32_t i = 0; i < out->texture_count; i++) {
        struct json_place texture = json_item(&textures, i);
        out->textures[i].name = json_read_string(&texture, "name");
        out->textures[i].width = json_read_count(&texture, "width");
        out->textures[i].height = json_read_count(&texture, "height");
        out->textures[i].missing = json_read_bool(&texture, "missing");
        out->textures[i].has_moments = json_has(&texture, "moments");
        if (out->textures[i].has_moments)
            json_read_floats(&texture, "moments", out->textures[i].moments, (size_t)4 * TEXTURE_MOMENTS);
    }
}

/* ---- clips ----------------------------------------------------------------------------------------------------- */

/* A component without keys is left out. */
static void read_keys(const struct json_place *at, const char *key, uint32_t width, struct keys_snapshot *out)
{
    if (!json_has(at, key))
        return;
    struct json_place keys = json_read_object(at, key);
    out->count = json_read_count(&keys, "keys");
    if (out->count == 0)
        json_complain(&keys, "keys", "at least one is wanted");
    out->first = json_read_double(&keys, "first");
    out->last = json_read_double(&keys, "last");
    out->interpolation =
        interpolation_words[json_read_word(&keys, "interpolation", interpolation_words, INTERPOLATION_WORDS)];
    if (width > KEYS_SNAPSHOT_WIDTH)
        return;
    out->width = width;
    json_read_floats(&keys, "mean", out->mean, width);
    json_read_floats(&keys, "rms", out->rms, width);
}

static void read_channels(const struct json_place *clip, struct clip_snapshot *out)
{
    static const char *const component_names[] = {"t", "r", "s"};
    struct json_place channels = json_read_array(clip, "channels", &out->channel_count);
    out->channels = JSON_NEW(&channels, struct channel_snapshot, &out->channel_count);
    for (uint32_t i = 0; i < out->channel_count; i++) {
        struct json_place channel = json_item(&channels, i);
        out->channels[i].node = json_read_string(&channel, "node");
        out->channels[i].unmatched = read_flag(&channel, "unmatched");
        out->channels[i].is_repair = read_flag(&channel, "repair");
        for (int c = 0; c < COMPONENT_COUNT; c++)
            read_keys(&channel, component_names[c], component_width((enum component)c), &out->channels[i].keys[c]);
    }
}

static void read_morphs(const struct json_place *clip, struct clip_snapshot *out)
{
    struct json_place morphs = json_read_array(clip, "morphs", &out->morph_count);
    out->morphs = JSON_NEW(&morphs, struct morph_snapshot, &out->morph_count);
    for (uint32_t i = 0; i < out->morph_count; i++) {
        struct json_place morph = json_item(&morphs, i);
        out->morphs[i].node = json_read_string(&morph, "node");
        out->morphs[i].targets = json_read_count(&morph, "targets");
        read_keys(&morph, "weights", out->morphs[i].targets, &out->morphs[i].weights);
    }
}

static void read_clips(const struct json_place *root, struct import_snapshot *out)
{
    struct json_place clips = json_read_array(root, "clips", &out->clip_count);
    out->clips = JSON_NEW(&clips, struct clip_snapshot, &out->clip_count);
    for (uint32_t i = 0; i < out->clip_count; i++) {
        struct json_place clip = json_item(&clips, i);
        out->clips[i].name = json_read_string(&clip, "name");
        out->clips[i].duration = json_read_double(&clip, "duration");
        out->clips[i].ticks_per_second = json_read_double(&clip, "ticks_per_second");
        read_channels(&clip, &out->clips[i]);
        read_morphs(&clip, &out->clips[i]);
    }
}

/* ---- remainder -------------------------------------------------------------------------------------------------- */

static void read_cameras(const struct json_place *root, struct import_snapshot *out)
{
    struct json_place cameras = json_read_array(root, "cameras", &out->camera_count);
    out->cameras = JSON_NEW(&cameras, struct camera_snapshot, &out->camera_count);
    for (uint32_t i = 0; i < out->camera_count; i++) {
        struct json_place camera = json_item(&cameras, i);
        out->cameras[i].name = json_read_string(&camera, "name");
        out->cameras[i].node = json_read_string_or_null(&camera, "node");
        out->cameras[i].fov_y = json_read_float(&camera, "fov_y");
        out->cameras[i].ortho_height = json_read_float(&camera, "ortho_height");
    }
}

static struct note_snapshot *read_notes(const struct json_place *root, const char *key, uint32_t *count)
{
    if (!json_has(root, key))
        return NULL;
    struct json_place array = json_read_array(root, key, count);
    struct note_snapshot *notes = JSON_NEW(&array, struct note_snapshot, count);
    for (uint32_t i = 0; i < *count; i++) {
        struct json_place note = json_item(&array, i);
        notes[i].id = json_read_string(&note, "id");
        notes[i].text = json_read_string(&note, "text");
    }
    return notes;
}

static void read_import(const struct json_place *root, struct import_snapshot *out)
{
    json_require_format(root, IMPORT_FORMAT);
    out->model = json_read_string(root, "model");
    out->up = up_words[json_read_word(root, "up", up_words, UP_WORDS)];
    out->unit_meters = json_read_double(root, "unit_meters");
    read_nodes(root, out);
    read_meshes(root, out);
    read_materials(root, out);
    read_textures(root, out);
    read_clips(root, out);
    if (json_has(root, "cameras"))
        read_cameras(root, out);
    out->repairs = read_notes(root, "repairs", &out->repair_count);
    out->warnings = read_notes(root, "warnings", &out->warning_count);
}

struct import_snapshot *import_snapshot_read(const void *data, size_t size, const char *name, struct arena *arena,
                                             struct error *err)
{
    struct import_snapshot *out = ARENA_NEW(arena, struct import_snapshot, 1);
    struct json_reader reader;
    if (json_reader_open(&reader, data, size, name, arena, err))
        read_import(&reader.root, out);
    json_reader_close(&reader);
    return error_is_set(err) ? NULL : out;
}
