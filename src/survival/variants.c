/* One change of a scene each: what the texts make of it. */
#include "survival/checks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/scene/upload_format.h"

/* ---- weights and offsets --------------------------------------------------------------------------------------- */

/*
 * Writes what is kept of `in` to `out`, which has room for as many. Assimp lists vertices by bone: the first that come are those of
 * the first bones.
 */
static uint32_t choose_four(const struct influence *in, uint32_t count, int number, struct influence *out)
{
    const float threshold = 0.1f;
    uint32_t kept = 0;
    float all = 0, sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = kept;
        all += in[i].weight;
        if (number == FOUR_OVER_01 && !(in[i].weight > threshold))
            continue;
        for (; number != FOUR_LARGEST && count > 4 && at > 0 && out[at - 1].bone > in[i].bone; at--)
            out[at] = out[at - 1];
        out[at] = in[i];
        kept++;
    }
    if (count <= 4)
        return kept;
    kept = kept < 4 ? kept : 4;
    for (uint32_t i = 0; i < kept; i++)
        sum += out[i].weight;
    for (uint32_t i = 0; i < kept && number == FOUR_LARGEST && sum > 0; i++)
        out[i].weight *= all / sum;
    return kept;
}

static uint32_t choose_bytes(const struct influence *in, uint32_t count, int number, struct influence *out)
{
    float sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        out[i] = (struct influence){in[i].bone, roundf(fmaxf(0, fminf(1, in[i].weight)) * 255) / 255};
        sum += out[i].weight;
    }
    for (uint32_t i = 0; i < count && number == BYTES_RESCALED && sum > 0; i++)
        out[i].weight /= sum;
    return count;
}

VARY(vary_influences)
{
    bool is_other = false;
    for (uint32_t m = 0; m < variant->scene.mesh_count; m++) {
        struct mesh *mesh = &variant->scene.meshes[m];
        const uint32_t *first = mesh->influence_first;
        if (mesh->bone_count == 0 || mesh->vertex_count == 0)
            continue;
        uint32_t *new_first = ARENA_NEW(variant->scene.arena, uint32_t, (size_t)mesh->vertex_count + 1);
        struct influence *chosen = ARENA_NEW(variant->scene.arena, struct influence, first[mesh->vertex_count]);
        for (uint32_t v = 0; v < mesh->vertex_count; v++) {
            const uint32_t count = first[v + 1] - first[v];
            struct influence *out = chosen + new_first[v];
            const uint32_t kept = number <= FOUR_LARGEST
                                      ? choose_four(mesh->influences + first[v], count, number, out)
                                      : choose_bytes(mesh->influences + first[v], count, number, out);
            new_first[v + 1] = new_first[v] + kept;
            is_other = is_other || kept != count || memcmp(out, mesh->influences + first[v], count * sizeof *out) != 0;
        }
        mesh->influence_first = new_first;
        mesh->influences = chosen;
    }
    return is_other;
}

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
VARY(vary_weight_sums)
{
    bool is_other = false;
    for (uint32_t m = 0; m < variant->scene.mesh_count && raw_matches(input); m++) {
        struct mesh *mesh = &variant->scene.meshes[m];
        const struct mesh *raw = &input->raw->meshes[m];
        if (!mesh->influence_first || !raw->influence_first)
            continue;
        const uint32_t *first = mesh->influence_first;
        struct influence *own = ARENA_NEW(variant->scene.arena, struct influence, first[mesh->vertex_count]);
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

const char *find_lost_bones(const struct scene *scene)
{
    for (uint32_t i = 0; i < scene->note_count; i++)
        if (strcmp(scene->notes[i].id, "bone-without-node") == 0)
            return scene->notes[i].text;
    return NULL;
}

/* Bones without a node stay with the root, whatever their names. */
static bool is_shared_bone(const struct scene *scene, const struct mesh *mesh, uint32_t bone)
{
    return is_own_bone(mesh, bone) && (mesh->bones[bone].node > 0 || !find_lost_bones(scene));
}

/* Of the bones of one name, which in a scene are those of one node. */
VARY(vary_offsets)
{
    struct scene *scene = &variant->scene;
    const vec4 **kept = ARENA_NEW(scene->arena, const vec4 *, scene->node_count);
    bool is_other = false;
    for (uint32_t m = 0; m < scene->mesh_count; m++)
        for (uint32_t b = 0; b < scene->meshes[m].bone_count; b++) {
            const struct bone *bone = &input->scene->meshes[m].bones[b];
            if (is_shared_bone(scene, &scene->meshes[m], b) && (!kept[bone->node] || number == OFFSET_LAST))
                kept[bone->node] = (const vec4 *)bone->mesh_to_bone;
        }
    for (uint32_t m = 0; m < scene->mesh_count; m++)
        for (uint32_t b = 0; b < scene->meshes[m].bone_count; b++) {
            struct bone *bone = &scene->meshes[m].bones[b];
            if (!is_shared_bone(scene, &scene->meshes[m], b))
                continue;
            is_other = is_other || memcmp(bone->mesh_to_bone, kept[bone->node], sizeof(mat4)) != 0;
            memcpy(bone->mesh_to_bone, kept[bone->node], sizeof(mat4));
        }
    return is_other;
}

/* ---- clips ----------------------------------------------------------------------------------------------------- */

/* The times of all keys, and the duration, `factor` times as long. */
static void stretch_clip(struct scene *scene, struct clip *clip, double factor)
{
    clip->duration *= factor;
    for (uint32_t i = 0; i < clip->channel_count; i++)
        for (int c = 0; c < COMPONENT_COUNT; c++) {
            struct keys *keys = &clip->channels[i].keys[c];
            double *times = ARENA_NEW(scene->arena, double, keys->count);
            for (uint32_t k = 0; k < keys->count; k++)
                times[k] = keys->times[k] * factor;
            keys->times = times;
        }
}

VARY(vary_tick_rate)
{
    bool is_other = false;
    for (uint32_t c = 0; c < variant->scene.clip_count; c++) {
        struct clip *clip = &variant->scene.clips[c];
        const double rate = clip->ticks_per_second, taken = number == RATE_TRUNCATED ? trunc(rate) : 0;
        if (number == RATE_TRUNCATED ? rate == taken || !isfinite(rate) : rate != 0)
            continue;
        is_other = true;
        if (taken == 0)
            clip->duration = 0; /* it stays at its first tick */
        else
            stretch_clip(&variant->scene, clip, rate / taken);
    }
    return is_other;
}

static const float identity_values[COMPONENT_COUNT][4] = {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};

/* The same keys with straight lines between them. */
static void make_linear(struct scene *scene, struct keys *keys, uint32_t width)
{
    const bool is_cubic = keys->interpolation == INTERPOLATE_CUBIC;
    keys->interpolation = INTERPOLATE_LINEAR;
    if (!is_cubic)
        return;
    float *values = ARENA_NEW(scene->arena, float, (size_t)keys->count *width);
    for (uint32_t k = 0; k < keys->count; k++)
        memcpy(values + (size_t)k * width, keys->values + (3 * (size_t)k + 1) * width, width * sizeof *values);
    keys->values = values;
}

/* One key more, in front: the component's identity at time 0. */
static void prepend_identity(struct scene *scene, struct keys *keys, enum component component)
{
    const uint32_t width = component_width(component);
    make_linear(scene, keys, width);
    double *times = ARENA_NEW(scene->arena, double, (size_t)keys->count + 1);
    float *values = ARENA_NEW(scene->arena, float, ((size_t)keys->count + 1) * width);
    memcpy(values, identity_values[component], width * sizeof *values);
    if (keys->count > 0) {
        memcpy(times + 1, keys->times, keys->count * sizeof *times);
        memcpy(values + width, keys->values, (size_t)keys->count * width * sizeof *values);
    }
    *keys = (struct keys){keys->count + 1, times, values, INTERPOLATE_LINEAR};
}

/* What the importer hands over of the same channel, mostly at the same place; or NULL. */
static const struct channel *find_raw(const struct scene *raw, uint32_t clip, uint32_t at, const char *node)
{
    const struct clip *of = raw && clip < raw->clip_count ? &raw->clips[clip] : NULL;
    if (of && at < of->channel_count && strcmp(of->channels[at].node_name, node) == 0)
        return &of->channels[at];
    for (uint32_t i = 0; of && i < of->channel_count; i++)
        if (strcmp(of->channels[i].node_name, node) == 0)
            return &of->channels[i];
    return NULL;
}

/* False where there is nothing to change. */
static bool change_keys(struct scene *scene, int number, struct channel *channel, enum component component,
                        const struct keys *raw)
{
    const double tolerance = 1e-6;
    struct keys *keys = &channel->keys[component];
    const bool is_late = keys->count > 0 && keys->times[0] > tolerance;
    switch (number) {
    case LATE_EXTRAPOLATES:
        if (is_late && keys->count > 1) /* one key alone is a constant, but to who blends towards it */
            channel->before = EXTRAPOLATE_LINEAR;
        return is_late && keys->count > 1;
    case LATE_IDENTITY:
        if (!is_late)
            return false;
        break;
    case CURVES_LINEAR: /* the importer's own keys where it has them: what is cubic here may be a curve of FBX of which it has points */
        if (keys->interpolation == INTERPOLATE_LINEAR || keys->count < 2)
            return false;
        if (raw && raw->count > 0)
            *keys = *raw;
        make_linear(scene, keys, component_width(component));
        return true;
    default:
        if (!raw || raw->count > 0 || (number == ABSENT_ZERO && component != COMPONENT_TRANSLATION))
            return false;
        *keys = (struct keys){0};
        break;
    }
    prepend_identity(scene, keys, component);
    return true;
}

VARY(vary_keys)
{
    struct scene *scene = &variant->scene;
    bool is_other = false;
    for (uint32_t c = 0; c < scene->clip_count; c++)
        for (uint32_t i = 0; i < scene->clips[c].channel_count; i++) {
            struct channel *channel = &scene->clips[c].channels[i];
            const struct channel *raw =
                channel->node == NO_INDEX ? NULL : find_raw(input->raw, c, i, channel->node_name);
            for (int k = 0; k < COMPONENT_COUNT && channel->node != NO_INDEX; k++)
                is_other |= change_keys(scene, number, channel, (enum component)k, raw ? &raw->keys[k] : NULL);
        }
    return is_other;
}

VARY(vary_pivots)
{
    bool is_other = false;
    for (uint32_t c = 0; c < variant->scene.clip_count; c++) {
        struct clip *clip = &variant->scene.clips[c];
        uint32_t kept = 0;
        for (uint32_t i = 0; i < clip->channel_count; i++)
            if (!clip->channels[i].is_repair)
                clip->channels[kept++] = clip->channels[i];
        is_other = is_other || kept < clip->channel_count;
        clip->channel_count = kept;
    }
    return is_other;
}

/* ---- names ----------------------------------------------------------------------------------------------------- */

struct named {
    const char *name;
    uint32_t node;
};

static int by_name(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    const int order = strcmp(x->name, y->name);
    return order ? order : (x->node > y->node) - (x->node < y->node);
}

/* Who looks up bone and channel by each node's name gives a channel to all nodes of that name, and a bone the first or last. */
static void bind_by_name(struct scene *scene, bool is_last)
{
    struct named *sorted = ARENA_NEW(scene->arena, struct named, scene->node_count);
    uint32_t *first = ARENA_NEW(scene->arena, uint32_t, scene->node_count); /* of the node's name, in `sorted` */
    uint32_t *last = ARENA_NEW(scene->arena, uint32_t, scene->node_count);
    bool is_other = false;
    for (uint32_t n = 0; n < scene->node_count; n++)
        sorted[n] = (struct named){scene->nodes[n].name, n};
    qsort(sorted, scene->node_count, sizeof *sorted, by_name);
    for (uint32_t i = 0, begin = 0; i < scene->node_count; i++) {
        begin = strcmp(sorted[i].name, sorted[begin].name) == 0 ? begin : i;
        is_other = is_other || begin < i;
        first[sorted[i].node] = begin;
    }
    for (uint32_t i = scene->node_count, end = i; i-- > 0; end = first[sorted[i].node] == i ? i : end)
        last[sorted[i].node] = sorted[end - 1].node;
    for (uint32_t m = 0; m < scene->mesh_count && is_other; m++)
        for (uint32_t b = 0; b < scene->meshes[m].bone_count; b++)
            if (is_own_bone(&scene->meshes[m], b))
                scene->meshes[m].bones[b].node =
                    is_last ? last[scene->meshes[m].bones[b].node] : sorted[first[scene->meshes[m].bones[b].node]].node;
    for (uint32_t c = 0; c < scene->clip_count && is_other; c++) {
        struct clip *clip = &scene->clips[c];
        struct channel *all = ARENA_NEW(scene->arena, struct channel, (size_t)clip->channel_count + scene->node_count);
        bool *has = ARENA_NEW(scene->arena, bool, scene->node_count); /* of names, by their first */
        uint32_t count = 0;
        for (uint32_t i = 0; i < clip->channel_count; i++) {
            const struct channel *channel = &clip->channels[i];
            const uint32_t begin = channel->node == NO_INDEX ? 0 : first[channel->node];
            if (channel->node == NO_INDEX || has[begin])
                continue;
            has[begin] = true;
            for (uint32_t k = begin; k < scene->node_count && first[sorted[k].node] == begin; k++) {
                all[count] = *channel;
                all[count++].node = (int32_t)sorted[k].node;
            }
        }
        clip->channels = all;
        clip->channel_count = count;
    }
}

/* ---- the rest -------------------------------------------------------------------------------------------------- */

VARY(vary_play)
{
    const struct scene *scene = input->scene;
    variant->play = (enum play)number;
    switch (variant->play) {
    case PLAY_ROOT_REMOVED:
        return scene->node_count > 0 && !affine_is_identity(scene->nodes[0].local_to_parent, 1e-6f);
    case PLAY_WITHOUT_MORPHS:
        return scene->weight_count > 0;
    case PLAY_END_WRAPPED:
        return scene->clip_count > 0;
    default:
        return true;
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

VARY(vary_import)
{
    if (raw_matches(input))
        bind_by_name(&variant->scene, number == IMPORT_LAST_NAME);
    return raw_matches(input);
}
