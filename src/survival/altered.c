/* A model as an engine has it: the replay's switches, and of the data what they do not reach. */
#include "survival/checks.h"

#include <math.h>
#include <string.h>

#include "base/names.h"
#include "data/scene/upload_format.h"

bool raw_matches(const struct survival_input *input)
{
    const struct scene *a = input->scene, *b = input->raw;
    bool same =
        b && a->mesh_count == b->mesh_count && a->instance_count == b->instance_count && a->clip_count == b->clip_count;
    for (uint32_t m = 0; same && m < a->mesh_count; m++)
        same = a->meshes[m].vertex_count == b->meshes[m].vertex_count &&
               a->meshes[m].target_count == b->meshes[m].target_count &&
               b->meshes[m].bone_count <= a->meshes[m].bone_count;
    for (uint32_t i = 0; same && i < a->instance_count; i++)
        same = a->instances[i].mesh == b->instances[i].mesh;
    return same;
}

double weight_sum(const struct mesh *mesh, uint32_t vertex)
{
    double sum = 0;
    for (uint32_t i = mesh->influence_first[vertex]; i < mesh->influence_first[vertex + 1]; i++)
        sum += (double)mesh->influences[i].weight;
    return sum;
}

/* Vertices without weights are another check's. */
static bool take_raw_weights(const struct survival_input *input, struct scene *scene)
{
    bool is_other = false;
    for (uint32_t m = 0; m < scene->mesh_count && raw_matches(input); m++) {
        struct mesh *mesh = &scene->meshes[m];
        const struct mesh *raw = &input->raw->meshes[m];
        if (!mesh->influence_first || !raw->influence_first)
            continue;
        const uint32_t *first = mesh->influence_first;
        struct influence *own = ARENA_NEW(scene->arena, struct influence, first[mesh->vertex_count]);
        memcpy(own, mesh->influences, first[mesh->vertex_count] * sizeof *own);
        for (uint32_t v = 0; v < mesh->vertex_count; v++) {
            const uint32_t begin = raw->influence_first[v], count = raw->influence_first[v + 1] - begin;
            if (count == 0 || count != first[v + 1] - first[v] || fabs(weight_sum(raw, v) - 1) <= WEIGHT_SUM_TOLERANCE)
                continue;
            memcpy(own + first[v], raw->influences + begin, count * sizeof *own);
            is_other = true;
        }
        mesh->influences = own;
    }
    return is_other;
}

/* Influences as the replay's switches have them; false where all stay. */
static bool take_influences(const struct replay *replay, struct scene *scene)
{
    bool is_other = false;
    for (uint32_t m = 0; m < scene->mesh_count; m++) {
        struct mesh *mesh = &scene->meshes[m];
        const uint32_t *first = mesh->influence_first;
        struct influences own;
        if (mesh->bone_count == 0 || mesh->vertex_count == 0)
            continue;
        uint32_t *new_first = ARENA_NEW(scene->arena, uint32_t, (size_t)mesh->vertex_count + 1);
        struct influence *chosen = ARENA_NEW(scene->arena, struct influence, first[mesh->vertex_count]);
        for (uint32_t v = 0; v < mesh->vertex_count; v++) {
            struct influence *out = chosen + new_first[v];
            const uint32_t count = first[v + 1] - first[v];
            replay_influences(replay, mesh, v, &own);
            bool same = own.count == count;
            for (uint32_t i = 0; i < own.count; i++) {
                out[i] = (struct influence){own.bones[i], (float)own.weights[i]};
                bool is_there = false;
                for (uint32_t k = 0; k < count && same; k++)
                    is_there = is_there || memcmp(&mesh->influences[first[v] + k], &out[i], sizeof *out) == 0;
                same = same && is_there;
            }
            new_first[v + 1] = new_first[v] + own.count;
            is_other = is_other || !same;
        }
        mesh->influence_first = new_first;
        mesh->influences = chosen;
    }
    return is_other;
}

/* Finds the same channel as the importer hands it over, mostly at the same place; or NULL. */
static const struct channel *find_raw(const struct scene *raw, uint32_t clip, uint32_t at, const char *node)
{
    const struct clip *of = raw && clip < raw->clip_count ? &raw->clips[clip] : NULL;
    if (of && at < of->channel_count && strcmp(of->channels[at].node_name, node) == 0)
        return &of->channels[at];
    return of ? NAMED(of->channels, of->channel_count, node) : NULL;
}

/* One key at the start holds the node's own. */
static struct keys keys_of_rest(struct scene *scene, uint32_t node, enum component component)
{
    const struct transform *rest = &scene->nodes[node].rest;
    const float *const values[] = {rest->translation, rest->rotation, rest->scale};
    return (struct keys){1, ARENA_NEW(scene->arena, double, 1), (float *)values[component], INTERPOLATE_LINEAR};
}

static void take_raw_keys(const struct survival_input *input, enum data_change data, struct scene *scene)
{
    for (uint32_t c = 0; c < scene->clip_count; c++)
        for (uint32_t i = 0; i < scene->clips[c].channel_count; i++) {
            struct channel *channel = &scene->clips[c].channels[i];
            if (channel->node == NO_INDEX)
                continue;
            const struct channel *raw = find_raw(input->raw, c, i, channel->node_name);
            for (int k = 0; k < COMPONENT_COUNT; k++) {
                struct keys *keys = &channel->keys[k];
                const bool is_curve = keys->interpolation != INTERPOLATE_LINEAR && keys->count > 1;
                if (data == DATA_RAW_ABSENT && raw && raw->keys[k].count == 0)
                    *keys = (struct keys){0};
                else if (data == DATA_RAW_ABSENT && keys->count == 0)
                    *keys = keys_of_rest(scene, (uint32_t)channel->node, (enum component)k);
                else if (data == DATA_RAW_CURVES && is_curve && raw && raw->keys[k].count > 0)
                    *keys = raw->keys[k];
            }
        }
}

static void *copy_array(struct arena *arena, const void *from, size_t count, size_t size)
{
    void *copy = arena_alloc(arena, count, size);
    return count > 0 ? memcpy(copy, from, count * size) : copy;
}

/* Meshes and channels are copies, their arrays belong to the original until they are replaced. */
static struct scene *copy_scene(const struct scene *from, struct arena *arena)
{
    struct scene *scene = ARENA_NEW(arena, struct scene, 1);
    *scene = *from;
    scene->arena = arena;
    scene->meshes = copy_array(arena, from->meshes, from->mesh_count, sizeof *from->meshes);
    scene->instances = copy_array(arena, from->instances, from->instance_count, sizeof *from->instances);
    scene->clips = copy_array(arena, from->clips, from->clip_count, sizeof *from->clips);
    for (uint32_t c = 0; c < from->clip_count; c++)
        scene->clips[c].channels =
            copy_array(arena, from->clips[c].channels, from->clips[c].channel_count, sizeof *from->clips[c].channels);
    scene_bind(scene);
    return scene;
}

/* Returns whether the change has something to do, as far as that is seen before it is played. */
static bool is_of_use(const struct survival_input *input, const struct change *change)
{
    const struct scene *scene = input->scene;
    return (change->at != SWITCH_MORPH || scene->weight_count > 0) &&
           (change->data != DATA_END_WRAPPED || scene->clip_count > 0) &&
           (change->data != DATA_RAW_SCENE || raw_matches(input));
}

struct altered_model *altered_create(const struct survival_input *input, const struct change *change,
                                     struct arena *arena)
{
    static const struct change none = {0};
    change = change ? change : &none;
    if (!is_of_use(input, change))
        return NULL;
    struct altered_model *altered = ARENA_NEW(arena, struct altered_model, 1);
    altered->change = change;
    altered->scene = copy_scene(change->data == DATA_RAW_SCENE ? input->raw : input->scene, arena);
    altered->input = (struct diagnosis_input){.scene = altered->scene, .wrap = WRAP_HOLD};
    altered->variant.at[change->at] = (uint8_t)change->value;
    altered->variant.number[change->at] = change->number;
    altered->variant.at[SWITCH_CHANNEL] = change->data == DATA_RAW_SCENE ? CHANNEL_BY_NAME : 0;
    if (change->data == DATA_RAW_ABSENT || change->data == DATA_RAW_CURVES)
        take_raw_keys(input, change->data, altered->scene);
    altered->replay = replay_create(&altered->input, arena);
    replay_set(altered->replay, &altered->variant);
    altered->is_other = change->at == SWITCH_MORPH || change->data == DATA_RAW_SCENE;
    bool is_used = true;
    if (change->at == SWITCH_KEEP || change->at == SWITCH_BYTES)
        is_used = altered->is_other = take_influences(altered->replay, altered->scene);
    if (change->data == DATA_RAW_WEIGHTS)
        is_used = altered->is_other = take_raw_weights(input, altered->scene);
    return is_used ? altered : NULL;
}

/* The time at which it plays a clip when asked for one. */
static double time_of(enum data_change data, const struct clip *clip, double time)
{
    const double rate = clip->ticks_per_second;
    switch (data) {
    case DATA_RATE_TRUNCATED:
        return isfinite(rate) && rate != trunc(rate) ? time * trunc(rate) / rate : time;
    case DATA_RATE_ZERO:
        return rate == 0 ? 0 : time;
    case DATA_END_WRAPPED:
        return time >= clip->duration ? 0 : time;
    default:
        return time;
    }
}

void altered_pose(struct altered_model *altered, int32_t clip, double time, mat4 *mesh_to_scene)
{
    struct variant variant = altered->variant;
    struct matrix entry;
    altered->input.clip = clip == NO_INDEX ? NULL : &altered->scene->clips[clip];
    altered->input.time = clip == NO_INDEX ? 0 : time_of(altered->change->data, altered->input.clip, time);
    if (clip == NO_INDEX)
        variant.at[SWITCH_CLIP] = CLIP_REST;
    replay_set(altered->replay, &variant);
    for (uint32_t b = 0; b < altered->scene->binding_count; b++) {
        replay_entry(altered->replay, b, &entry);
        for (int k = 0; k < 16; k++)
            mesh_to_scene[b][k / 4][k % 4] = (float)entry.at[k / 4][k % 4];
    }
}

bool has_uneven_scale(const struct scene *scene)
{
    const char *why;
    struct similarity similarity;
    for (uint32_t n = 0; n < scene->node_count; n++)
        if (!similarity_from_affine(scene->nodes[n].local_to_parent, &similarity, &why))
            return true;
    for (uint32_t b = 0; b < scene->binding_count; b++)
        if (!similarity_from_affine(scene->bindings[b].mesh_to_bone, &similarity, &why))
            return true;
    for (uint32_t c = 0; c < scene->clip_count; c++)
        for (uint32_t i = 0; i < scene->clips[c].channel_count; i++) {
            const struct keys *keys = &scene->clips[c].channels[i].keys[COMPONENT_SCALE];
            const uint32_t vectors = keys->interpolation == INTERPOLATE_CUBIC ? 3 : 1;
            for (uint32_t k = 0; k < keys->count; k++) {
                const float *s = keys->values + ((size_t)k * vectors + vectors / 2) * 3;
                const float tolerance = 1e-4f * fabsf(s[0]);
                if (s[0] <= 0 || fabsf(s[1] - s[0]) > tolerance || fabsf(s[2] - s[0]) > tolerance)
                    return true;
            }
        }
    return false;
}
