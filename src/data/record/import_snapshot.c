#include <float.h>
#include <math.h>
#include <string.h>

#include "base/file/file.h"
#include "base/utf8.h"
#include "data/bounds.h"
#include "data/record/snapshot.h"
#include "data/record/import_moments.h"

const char *const up_words[UP_WORDS] = {"x", "y", "z", "-x", "-y", "-z"};
const char *const alpha_words[ALPHA_WORDS] = {"opaque", "mask", "blend"};
const char *const wrap_words[WRAP_WORDS] = {"repeat", "clamp", "mirror"};
const char *const interpolation_words[INTERPOLATION_WORDS] = {"step", "linear", "cubic"};

const char *interpolation_name(enum interpolation interpolation)
{
    return interpolation_words[interpolation];
}

/* A snapshot is statistics: none of its structs is four times as large as what it is of, a fixed name at most three. Only
 * morph weights are more than the scene has: each instance has its own. */
size_t snapshot_bytes(const struct scene *scene)
{
    return 4 * scene->arena->used + ((size_t)scene->weight_count + 4 * (size_t)scene->instance_count) * sizeof(float) +
           ((size_t)1 << 20);
}

/* What is gathered, from what, and where to. */
struct gathering {
    const struct scene *scene;
    struct arena *arena;
    struct import_snapshot *out;
};

static const char *name_of_node(const struct gathering *g, int32_t node)
{
    return node == NO_INDEX ? NULL : g->out->nodes[node].name;
}

static void gather_nodes(struct gathering *g)
{
    g->out->node_count = g->scene->node_count;
    g->out->nodes = ARENA_NEW(g->arena, struct node_snapshot, g->scene->node_count);
    for (uint32_t i = 0; i < g->scene->node_count; i++) {
        const struct node *node = &g->scene->nodes[i];
        struct node_snapshot *out = &g->out->nodes[i];
        out->name = utf8_fix(node->name, g->arena);
        out->parent = name_of_node(g, node->parent);
        out->is_bone = node->is_bone;
        memcpy(out->local_to_parent, node->local_to_parent, sizeof(mat4));
    }
}

/* ---- materials ------------------------------------------------------------------------------------------------- */

static void gather_textures(struct gathering *g)
{
    g->out->texture_count = g->scene->texture_count;
    g->out->textures = ARENA_NEW(g->arena, struct texture_snapshot, g->scene->texture_count);
    for (uint32_t i = 0; i < g->scene->texture_count; i++) {
        const struct texture *texture = &g->scene->textures[i];
        g->out->textures[i] = (struct texture_snapshot){utf8_fix(texture->name, g->arena), texture->width,
                                                        texture->height, texture->missing};
        moments_of_texture(texture, &g->out->textures[i]);
    }
}

static void gather_materials(struct gathering *g)
{
    g->out->material_count = g->scene->material_count;
    g->out->materials = ARENA_NEW(g->arena, struct material_snapshot, g->scene->material_count);
    for (uint32_t i = 0; i < g->scene->material_count; i++) {
        const struct material *material = &g->scene->materials[i];
        struct material_snapshot *out = &g->out->materials[i];
        out->name = utf8_fix(material->name, g->arena);
        memcpy(out->base_color, material->base_color, sizeof(vec4));
        out->base_texture = material->base_texture == NO_INDEX ? NULL : g->out->textures[material->base_texture].name;
        out->alpha = alpha_words[material->alpha_mode];
        out->cutoff = material->alpha_mode == ALPHA_MASK ? material->alpha_cutoff : 0.0f;
        out->two_sided = material->two_sided;
        for (int k = 0; k < 2 && out->base_texture; k++)
            out->wrap[k] = wrap_words[material->wrap[k]];
    }
}

/* ---- meshes ---------------------------------------------------------------------------------------------------- */

/* What one bone holds of a mesh. In double and in vertex order: a sum of many floats must not depend on how it is made. */
struct bone_share {
    uint32_t weights;
    double sum;
    double centroid[3]; /* weighted sum of positions */
    double influence_radius;
};

/* Distance of a point from the bone's origin, in bone space. */
static double distance_from_bone(const mat4 mesh_to_bone, const vec3 position)
{
    double square = 0.0;
    for (int i = 0; i < 3; i++) {
        double x = mesh_to_bone[3][i];
        for (int k = 0; k < 3; k++)
            x += (double)mesh_to_bone[k][i] * (double)position[k];
        square += x * x;
    }
    return sqrt(square);
}

static void add_influence(struct bone_share *share, const mat4 mesh_to_bone, const vec3 position, float weight)
{
    share->weights++;
    share->sum += (double)weight;
    for (int k = 0; k < 3; k++)
        share->centroid[k] += (double)weight * (double)position[k];
    if (weight > 0.0f)
        share->influence_radius = fmax(share->influence_radius, distance_from_bone(mesh_to_bone, position));
}

static struct bone_share *share_bones(const struct mesh *mesh, struct arena *arena)
{
    struct bone_share *shares = ARENA_NEW(arena, struct bone_share, mesh->bone_count);
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        for (uint32_t i = mesh->influence_first[v]; i < mesh->influence_first[v + 1]; i++) {
            uint32_t bone = mesh->influences[i].bone;
            add_influence(&shares[bone], mesh->bones[bone].mesh_to_bone, mesh->positions[v],
                          mesh->influences[i].weight);
        }
    return shares;
}

static void gather_bones(struct gathering *g, const struct mesh *mesh, struct mesh_snapshot *out)
{
    const struct bone_share *shares = share_bones(mesh, g->arena);
    out->bone_count = mesh->bone_count;
    out->bones = ARENA_NEW(g->arena, struct bone_snapshot, mesh->bone_count);
    for (uint32_t b = 0; b < mesh->bone_count; b++) {
        struct bone_snapshot *bone = &out->bones[b];
        bone->bone = g->out->nodes[mesh->bones[b].node].name;
        bone->weights = shares[b].weights;
        bone->sum = (float)shares[b].sum;
        for (int k = 0; k < 3; k++)
            bone->centroid[k] = shares[b].sum != 0.0 ? (float)(shares[b].centroid[k] / shares[b].sum) : 0.0f;
        bone->influence_radius = (float)fmin(shares[b].influence_radius, FLT_MAX);
        memcpy(bone->mesh_to_bone, mesh->bones[b].mesh_to_bone, sizeof(mat4));
        bone->follows_mesh_node = mesh->bones[b].follows_mesh_node;
    }
}

/* How many vertices have 0, 1, 2 ... influences; the last number counts all with that many or more. */
static void gather_influences(struct gathering *g, const struct mesh *mesh, struct mesh_snapshot *out)
{
    enum { MOST = 16 };
    out->influences = ARENA_NEW(g->arena, uint32_t, MOST + 1);
    out->influence_slots = 1;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        uint32_t n = mesh->influence_first[v + 1] - mesh->influence_first[v];
        uint32_t slot = n < MOST ? n : MOST;
        out->influences[slot]++;
        out->influence_slots = slot < out->influence_slots ? out->influence_slots : slot + 1;
    }
}

/* Mean of the vectors, in double and in vertex order; returns how many are not zero, and the length of the longest. */
static uint32_t measure_deltas(const vec3 *deltas, uint32_t count, vec3 mean, float *largest)
{
    double sum[3] = {0, 0, 0}, square = 0;
    uint32_t moved = 0;
    for (uint32_t v = 0; v < count; v++) {
        double own = 0;
        for (int k = 0; k < 3; k++) {
            sum[k] += (double)deltas[v][k];
            own += (double)deltas[v][k] * (double)deltas[v][k];
        }
        moved += own > 0;
        square = fmax(square, own);
    }
    for (int k = 0; k < 3; k++)
        mean[k] = count > 0 ? (float)(sum[k] / count) : 0.0f;
    *largest = (float)fmin(sqrt(square), (double)FLT_MAX);
    return moved;
}

static void gather_targets(struct gathering *g, const struct mesh *mesh, struct mesh_snapshot *out)
{
    out->target_count = mesh->target_count;
    out->targets = ARENA_NEW(g->arena, struct target_snapshot, mesh->target_count);
    for (uint32_t t = 0; t < mesh->target_count; t++) {
        const struct morph_target *target = &mesh->targets[t];
        struct target_snapshot *to = &out->targets[t];
        float unused;
        to->name = utf8_fix(target->name ? target->name : "", g->arena);
        to->weight = target->default_weight;
        to->moved = measure_deltas((const vec3 *)target->position_deltas, mesh->vertex_count, to->mean, &to->largest);
        to->has_normals = target->normal_deltas != NULL;
        if (to->has_normals)
            measure_deltas((const vec3 *)target->normal_deltas, mesh->vertex_count, to->normal, &unused);
    }
}

static void gather_nodes_of_mesh(struct gathering *g, uint32_t mesh, struct mesh_snapshot *out)
{
    for (uint32_t i = 0; i < g->scene->instance_count; i++)
        out->node_count += g->scene->instances[i].mesh == mesh;
    out->nodes = ARENA_NEW(g->arena, const char *, out->node_count);
    for (uint32_t i = 0, n = 0; i < g->scene->instance_count; i++)
        if (g->scene->instances[i].mesh == mesh)
            out->nodes[n++] = g->out->nodes[g->scene->instances[i].node].name;
}

static void gather_mesh(struct gathering *g, uint32_t i)
{
    const struct mesh *mesh = &g->scene->meshes[i];
    struct mesh_snapshot *out = &g->out->meshes[i];
    struct bounds bounds = bounds_empty();
    bounds_add_points(&bounds, mesh->positions, mesh->vertex_count);
    if (bounds_is_empty(&bounds))
        bounds = (struct bounds){{0, 0, 0}, {0, 0, 0}};
    out->name = utf8_fix(mesh->name, g->arena);
    gather_nodes_of_mesh(g, i, out);
    out->material = g->out->materials[mesh->material].name;
    out->vertices = mesh->vertex_count;
    out->triangles = mesh->triangle_count;
    memcpy(out->min, bounds.min, sizeof(vec3));
    memcpy(out->max, bounds.max, sizeof(vec3));
    out->has_uvs = mesh->uvs != NULL;
    out->morph_targets = mesh->target_count;
    gather_targets(g, mesh, out);
    moments_of_mesh(mesh, &bounds, out);
    if (mesh->bone_count > 0) {
        gather_influences(g, mesh, out);
        gather_bones(g, mesh, out);
    }
}

static void gather_meshes(struct gathering *g)
{
    g->out->mesh_count = g->scene->mesh_count;
    g->out->meshes = ARENA_NEW(g->arena, struct mesh_snapshot, g->scene->mesh_count);
    for (uint32_t i = 0; i < g->scene->mesh_count; i++)
        gather_mesh(g, i);
}

/* ---- clips ----------------------------------------------------------------------------------------------------- */

/* Mean and root mean square of each number of the keys' values; tangents are left out. */
static void gather_statistics(const struct keys *keys, struct keys_snapshot *out)
{
    uint32_t stride = keys->interpolation == INTERPOLATE_CUBIC ? 3 * out->width : out->width;
    const float *values = keys->values + (keys->interpolation == INTERPOLATE_CUBIC ? out->width : 0);
    for (uint32_t c = 0; c < out->width; c++) {
        double sum = 0.0, squares = 0.0;
        for (uint32_t i = 0; i < keys->count; i++) {
            double value = (double)values[(size_t)i * stride + c];
            sum += value;
            squares += value * value;
        }
        out->mean[c] = (float)(sum / keys->count);
        out->rms[c] = (float)sqrt(squares / keys->count);
    }
}

static void gather_keys(const struct keys *keys, uint32_t width, struct keys_snapshot *out)
{
    if (keys->count == 0)
        return;
    out->count = keys->count;
    out->first = keys->times[0];
    out->last = keys->times[keys->count - 1];
    out->interpolation = interpolation_words[keys->interpolation];
    out->width = width <= KEYS_SNAPSHOT_WIDTH ? width : 0;
    gather_statistics(keys, out);
}

static void gather_clip(struct gathering *g, const struct clip *clip, struct clip_snapshot *out)
{
    out->name = utf8_fix(clip->name, g->arena);
    out->duration = clip->duration;
    out->ticks_per_second = clip->ticks_per_second;
    out->channel_count = clip->channel_count;
    out->channels = ARENA_NEW(g->arena, struct channel_snapshot, clip->channel_count);
    for (uint32_t i = 0; i < clip->channel_count; i++) {
        const struct channel *channel = &clip->channels[i];
        out->channels[i].node = utf8_fix(channel->node_name, g->arena);
        out->channels[i].unmatched = channel->node == NO_INDEX;
        out->channels[i].is_repair = channel->is_repair;
        for (int c = 0; c < COMPONENT_COUNT; c++)
            gather_keys(&channel->keys[c], component_width((enum component)c), &out->channels[i].keys[c]);
    }
    out->morph_count = clip->morph_count;
    out->morphs = ARENA_NEW(g->arena, struct morph_snapshot, clip->morph_count);
    for (uint32_t i = 0; i < clip->morph_count; i++) {
        out->morphs[i].node = utf8_fix(clip->morphs[i].node_name, g->arena);
        out->morphs[i].targets = clip->morphs[i].target_count;
        gather_keys(&clip->morphs[i].keys, clip->morphs[i].target_count, &out->morphs[i].weights);
    }
}

static void gather_clips(struct gathering *g)
{
    g->out->clip_count = g->scene->clip_count;
    g->out->clips = ARENA_NEW(g->arena, struct clip_snapshot, g->scene->clip_count);
    for (uint32_t i = 0; i < g->scene->clip_count; i++)
        gather_clip(g, &g->scene->clips[i], &g->out->clips[i]);
}

/* ---- remainder -------------------------------------------------------------------------------------------------- */

static void gather_cameras(struct gathering *g)
{
    g->out->camera_count = g->scene->camera_count;
    g->out->cameras = ARENA_NEW(g->arena, struct camera_snapshot, g->scene->camera_count);
    for (uint32_t i = 0; i < g->scene->camera_count; i++) {
        const struct scene_camera *camera = &g->scene->cameras[i];
        g->out->cameras[i] = (struct camera_snapshot){utf8_fix(camera->name, g->arena), name_of_node(g, camera->node),
                                                      camera->fov_y, camera->ortho_height};
    }
}

static struct note_snapshot *gather_notes(struct gathering *g, enum note_kind kind, uint32_t *count)
{
    for (uint32_t i = 0; i < g->scene->note_count; i++)
        *count += g->scene->notes[i].kind == kind;
    struct note_snapshot *notes = ARENA_NEW(g->arena, struct note_snapshot, *count);
    for (uint32_t i = 0, n = 0; i < g->scene->note_count; i++)
        if (g->scene->notes[i].kind == kind)
            notes[n++] = (struct note_snapshot){g->scene->notes[i].id, utf8_fix(g->scene->notes[i].text, g->arena)};
    return notes;
}

struct import_snapshot *import_snapshot_gather(const struct scene *scene, struct arena *arena)
{
    struct import_snapshot *out = ARENA_NEW(arena, struct import_snapshot, 1);
    struct gathering gathering = {scene, arena, out};
    out->model = utf8_fix(path_base(scene->path), arena);
    out->up = up_words[scene->up_axis + (scene->up_sign < 0 ? 3 : 0)];
    out->unit_meters = scene->unit_meters;
    gather_nodes(&gathering);
    gather_textures(&gathering);
    gather_materials(&gathering);
    gather_meshes(&gathering);
    gather_clips(&gathering);
    gather_cameras(&gathering);
    out->repairs = gather_notes(&gathering, NOTE_REPAIR, &out->repair_count);
    out->warnings = gather_notes(&gathering, NOTE_WARNING, &out->warning_count);
    return out;
}
