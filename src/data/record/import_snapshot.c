#include <float.h>
#include <math.h>
#include <string.h>

#include "base/file/file.h"
#include "base/utf8.h"
#include "data/bounds.h"
#include "data/record/snapshot.h"
#include "data/vector.h"

const char *const up_words[UP_WORDS] = {"x", "y", "z", "-x", "-y", "-z"};
const char *const alpha_words[ALPHA_WORDS] = {"opaque", "mask", "blend"};
const char *const wrap_words[WRAP_WORDS] = {"repeat", "clamp", "mirror"};
const char *const interpolation_words[INTERPOLATION_WORDS] = {"step", "linear", "cubic"};

/* A snapshot is statistics: none of its structs is four times as large as what it is of, a fixed name at most three.
 * Only morph weights are more than the scene has: each instance has its own. */
size_t snapshot_bytes(const struct scene *scene)
{
    return 4 * scene->arena->used + ((size_t)scene->weight_count + 4 * (size_t)scene->instance_count) * sizeof(float) +
           ((size_t)1 << 20);
}

/* The scene that is gathered, and where it goes. */
struct gathering {
    const struct scene *scene;
    struct arena *arena;
    struct import_snapshot *out;
};

/* Says where a mesh is seen from: the centre of its bounds, with half their diagonal for a unit. */
struct view {
    double centre[3], half;
};

static double seen(const struct view *view, double coordinate, int axis)
{
    return (coordinate - view->centre[axis]) / view->half;
}

static float rounded(double mean)
{
    double value = rint(mean * 0x1p20) * 0x1p-20;
    return (float)fmin(fmax(value + 0.0, -(double)FLT_MAX), (double)FLT_MAX);
}

/* Adds the mean of an attribute's values, or of the positions as seen where there are none, and the means of the
 * products with the position along each axis. */
static void add_moments(const struct mesh *mesh, const void *values, uint32_t width, const struct view *view,
                        struct attribute_snapshot *out)
{
    if (mesh->vertex_count == 0)
        return;
    out->width = width;
    for (uint32_t c = 0; c < width; c++)
        for (int m = 0; m < MOMENTS; m++) {
            double sum = 0.0;
            for (uint32_t v = 0; v < mesh->vertex_count; v++) {
                double value = values ? (double)((const float *)values)[(size_t)v * width + c]
                                      : seen(view, (double)mesh->positions[v][c], (int)c);
                sum += value * (m == 0 ? 1.0 : seen(view, (double)mesh->positions[v][m - 1], m - 1));
            }
            out->moments[MOMENTS * c + (uint32_t)m] = rounded(sum / mesh->vertex_count);
        }
}

static void add_faces(const struct mesh *mesh, const struct view *view, struct attribute_snapshot *out)
{
    double sums[3][MOMENTS] = {{0}}, area = 0.0, normal[3], centre[3], side[2][3];
    if (mesh->triangle_count == 0)
        return;
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        const uint32_t *corners = &mesh->indices[3 * (size_t)t];
        for (int k = 0; k < 3; k++) {
            double first = seen(view, (double)mesh->positions[corners[0]][k], k);
            double second = seen(view, (double)mesh->positions[corners[1]][k], k);
            double third = seen(view, (double)mesh->positions[corners[2]][k], k);
            side[0][k] = second - first;
            side[1][k] = third - first;
            centre[k] = (first + second + third) / 3.0;
        }
        vec3d_cross(side[0], side[1], normal); /* as long as twice the area */
        area += vec3d_length(normal);
        for (int c = 0; c < 3; c++)
            for (int m = 0; m < MOMENTS; m++)
                sums[c][m] += normal[c] * (m == 0 ? 1.0 : centre[m - 1]);
    }
    out->width = 3;
    for (int c = 0; c < 3; c++)
        for (int m = 0; m < MOMENTS; m++)
            out->moments[MOMENTS * c + m] = area > 0.0 ? rounded(sums[c][m] / area) : 0.0f;
}

/* Positions are -1 at the middle of the first pixel, 1 at that of the last. */
static void add_picture(const struct texture *texture, struct texture_snapshot *out)
{
    double sums[4][TEXTURE_MOMENTS] = {{0}};
    if (texture->missing || texture->hash || !texture->rgba || texture->width == 0 || texture->height == 0)
        return;
    for (uint32_t y = 0; y < texture->height; y++) {
        const uint8_t *row = texture->rgba + 4 * (size_t)y * texture->width;
        uint64_t values[4] = {0}, by_column[4] = {0}; /* exact: sums of integers below 2^53 */
        for (uint32_t x = 0; x < texture->width; x++)
            for (size_t c = 0; c < 4; c++) {
                values[c] += row[4 * (size_t)x + c];
                by_column[c] += (uint64_t)x * row[4 * (size_t)x + c];
            }
        double down = texture->height > 1 ? 2.0 * y / (texture->height - 1) - 1.0 : 0.0;
        for (int c = 0; c < 4; c++) {
            double value = (double)values[c];
            sums[c][0] += value;
            sums[c][1] += texture->width > 1 ? 2.0 * (double)by_column[c] / (texture->width - 1.0) - value : 0.0;
            sums[c][2] += value * down;
        }
    }
    out->has_moments = true;
    double scale = 1.0 / (255.0 * texture->width * texture->height);
    for (int c = 0; c < 4; c++)
        for (int m = 0; m < TEXTURE_MOMENTS; m++)
            out->moments[TEXTURE_MOMENTS * c + m] = rounded(sums[c][m] * scale);
}

static const char *name_of_node(const struct gathering *g, int32_t node)
{
    return node == NO_INDEX ? NULL : g->out->nodes[node].name;
}

/* Gathers what each bone holds, in double and in vertex order: a sum of many floats must not depend on how it is
 * made. */
static void gather_bones(struct gathering *g, const struct mesh *mesh, struct mesh_snapshot *out)
{
    struct share {
        uint32_t weights;
        double sum, centroid[3], influence_radius; /* centroid: weighted sum of positions */
    } *shares = ARENA_NEW(g->arena, struct share, mesh->bone_count);
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        for (uint32_t i = mesh->influence_first[v]; i < mesh->influence_first[v + 1]; i++) {
            const struct influence *influence = &mesh->influences[i];
            const vec4 *mesh_to_bone = mesh->bones[influence->bone].mesh_to_bone;
            const float *position = mesh->positions[v];
            struct share *share = &shares[influence->bone];
            double from_bone[3]; /* bone space */
            share->weights++;
            share->sum += (double)influence->weight;
            for (int k = 0; k < 3; k++) {
                share->centroid[k] += (double)influence->weight * (double)position[k];
                from_bone[k] = (double)mesh_to_bone[3][k];
                for (int axis = 0; axis < 3; axis++)
                    from_bone[k] += (double)mesh_to_bone[axis][k] * (double)position[axis];
            }
            if (influence->weight > 0.0f)
                share->influence_radius = fmax(share->influence_radius, vec3d_length(from_bone));
        }
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

uint32_t count_influences(const struct mesh *mesh, uint32_t counts[static INFLUENCE_SLOTS])
{
    uint32_t slots = 1;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        uint32_t n = mesh->influence_first[v + 1] - mesh->influence_first[v];
        uint32_t slot = n < INFLUENCE_SLOTS ? n : INFLUENCE_SLOTS - 1;
        counts[slot]++;
        slots = slot < slots ? slots : slot + 1;
    }
    return slots;
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

static void gather_mesh(struct gathering *g, uint32_t index)
{
    const struct scene *scene = g->scene;
    const struct mesh *mesh = &scene->meshes[index];
    struct mesh_snapshot *out = &g->out->meshes[index];
    struct view view;
    double size[3];
    struct bounds bounds = bounds_empty();
    bounds_add_points(&bounds, mesh->positions, mesh->vertex_count);
    if (bounds_is_empty(&bounds))
        bounds = (struct bounds){{0, 0, 0}, {0, 0, 0}};
    out->name = utf8_fix(mesh->name, g->arena);
    for (uint32_t i = 0; i < scene->instance_count; i++)
        out->node_count += scene->instances[i].mesh == index;
    out->nodes = ARENA_NEW(g->arena, const char *, out->node_count);
    for (uint32_t i = 0, n = 0; i < scene->instance_count; i++)
        if (scene->instances[i].mesh == index)
            out->nodes[n++] = g->out->nodes[scene->instances[i].node].name;
    out->material = g->out->materials[mesh->material].name;
    out->vertices = mesh->vertex_count;
    out->triangles = mesh->triangle_count;
    memcpy(out->min, bounds.min, sizeof(vec3));
    memcpy(out->max, bounds.max, sizeof(vec3));
    out->has_uvs = mesh->uvs != NULL;
    out->morph_targets = mesh->target_count;
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
    for (int k = 0; k < 3; k++) {
        size[k] = (double)out->max[k] - (double)out->min[k];
        view.centre[k] = 0.5 * ((double)out->min[k] + (double)out->max[k]);
    }
    view.half = vec3d_length(size) > 0.0 ? 0.5 * vec3d_length(size) : 1.0;
    add_moments(mesh, NULL, 3, &view, &out->positions);
    add_faces(mesh, &view, &out->faces);
    add_moments(mesh, mesh->normals, mesh->normals ? 3 : 0, &view, &out->normals);
    add_moments(mesh, mesh->uvs, mesh->uvs ? 2 : 0, &view, &out->uvs);
    add_moments(mesh, mesh->colors, mesh->colors ? 4 : 0, &view, &out->colors);
    add_moments(mesh, mesh->tangents, mesh->tangents ? 4 : 0, &view, &out->tangents);
    if (mesh->bone_count > 0) {
        out->influences = ARENA_NEW(g->arena, uint32_t, INFLUENCE_SLOTS);
        out->influence_slots = count_influences(mesh, out->influences);
        gather_bones(g, mesh, out);
    }
}

static void gather_map(struct gathering *g, const struct material_map *map, struct map_snapshot *out)
{
    *out = (struct map_snapshot){.name = map->name,
                                 .has_strength = map->strength != 1,
                                 .strength = map->strength,
                                 .uv = map->uv,
                                 .rotation = map->rotation};
    bool is_base = map->texture == NO_INDEX;
    if (!is_base)
        out->texture = g->out->textures[map->texture].name;
    out->is_scaled = map->scale[0] != 1 || map->scale[1] != 1;
    memcpy(out->offset, map->offset, sizeof(vec2));
    memcpy(out->scale, map->scale, sizeof(vec2));
    for (int k = 0; k < 2; k++)
        out->filter[k] = map->filter[k];
    for (int k = 0; k < 2 && !is_base && (map->wrap[0] != WRAP_REPEAT || map->wrap[1] != WRAP_REPEAT); k++)
        out->wrap[k] = wrap_words[map->wrap[k]];
}

static void gather_material(struct gathering *g, const struct material *material, struct material_snapshot *out)
{
    out->name = utf8_fix(material->name, g->arena);
    memcpy(out->base_color, material->base_color, sizeof(vec4));
    out->base_texture = material->base_texture == NO_INDEX ? NULL : g->out->textures[material->base_texture].name;
    out->alpha = alpha_words[material->alpha_mode];
    out->cutoff = material->alpha_mode == ALPHA_MASK ? material->alpha_cutoff : 0.0f;
    out->two_sided = material->two_sided;
    for (int k = 0; k < 2 && out->base_texture; k++)
        out->wrap[k] = wrap_words[material->wrap[k]];
    out->unlit = material->unlit;
    out->map_count = material->map_count;
    out->maps = ARENA_NEW(g->arena, struct map_snapshot, material->map_count);
    for (uint32_t i = 0; i < material->map_count; i++)
        gather_map(g, &material->maps[i], &out->maps[i]);
    out->factor_count = material->factor_count;
    out->factors = ARENA_NEW(g->arena, struct factor_snapshot, material->factor_count);
    for (uint32_t i = 0; i < material->factor_count; i++) {
        struct factor *factor = &material->factors[i];
        out->factors[i] = (struct factor_snapshot){factor->name, factor->width, factor->values};
    }
}

/* With mean and root mean square of each number of the values; tangents are left out. */
static void gather_keys(const struct keys *keys, uint32_t width, struct keys_snapshot *out)
{
    if (keys->count == 0)
        return;
    *out = (struct keys_snapshot){.count = keys->count,
                                  .first = keys->times[0],
                                  .last = keys->times[keys->count - 1],
                                  .interpolation = interpolation_words[keys->interpolation],
                                  .width = width <= KEYS_SNAPSHOT_WIDTH ? width : 0,
                                  .source = keys};
    bool is_cubic = keys->interpolation == INTERPOLATE_CUBIC;
    const float *values = keys->values + (is_cubic ? out->width : 0);
    for (uint32_t c = 0; c < out->width; c++) {
        double sum = 0.0, squares = 0.0;
        for (uint32_t i = 0; i < keys->count; i++) {
            double value = (double)values[(size_t)i * out->width * (is_cubic ? 3 : 1) + c];
            sum += value;
            squares += value * value;
        }
        out->mean[c] = (float)(sum / keys->count);
        out->rms[c] = (float)sqrt(squares / keys->count);
    }
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
    out->node_count = scene->node_count;
    out->nodes = ARENA_NEW(arena, struct node_snapshot, scene->node_count);
    for (uint32_t i = 0; i < scene->node_count; i++) {
        const struct node *node = &scene->nodes[i];
        out->nodes[i] =
            (struct node_snapshot){utf8_fix(node->name, arena), name_of_node(&gathering, node->parent), node->is_bone};
        memcpy(out->nodes[i].local_to_parent, node->local_to_parent, sizeof(mat4));
    }
    out->texture_count = scene->texture_count;
    out->textures = ARENA_NEW(arena, struct texture_snapshot, scene->texture_count);
    for (uint32_t i = 0; i < scene->texture_count; i++) {
        const struct texture *texture = &scene->textures[i];
        out->textures[i] = (struct texture_snapshot){utf8_fix(texture->name, arena), texture->width, texture->height,
                                                     texture->missing, .hash = texture->hash};
        add_picture(texture, &out->textures[i]);
    }
    out->material_count = scene->material_count;
    out->materials = ARENA_NEW(arena, struct material_snapshot, scene->material_count);
    for (uint32_t i = 0; i < scene->material_count; i++)
        gather_material(&gathering, &scene->materials[i], &out->materials[i]);
    out->mesh_count = scene->mesh_count;
    out->meshes = ARENA_NEW(arena, struct mesh_snapshot, scene->mesh_count);
    for (uint32_t i = 0; i < scene->mesh_count; i++)
        gather_mesh(&gathering, i);
    out->clip_count = scene->clip_count;
    out->clips = ARENA_NEW(arena, struct clip_snapshot, scene->clip_count);
    for (uint32_t i = 0; i < scene->clip_count; i++)
        gather_clip(&gathering, &scene->clips[i], &out->clips[i]);
    import_sample_keys(out, arena);
    out->camera_count = scene->camera_count;
    out->cameras = ARENA_NEW(arena, struct camera_snapshot, scene->camera_count);
    for (uint32_t i = 0; i < scene->camera_count; i++) {
        const struct scene_camera *camera = &scene->cameras[i];
        out->cameras[i] = (struct camera_snapshot){
            utf8_fix(camera->name, arena), name_of_node(&gathering, camera->node), camera->fov_y, camera->ortho_height};
    }
    out->repairs = gather_notes(&gathering, NOTE_REPAIR, &out->repair_count);
    out->warnings = gather_notes(&gathering, NOTE_WARNING, &out->warning_count);
    return out;
}
