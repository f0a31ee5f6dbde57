#include "import/convert.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- targets ----------------------------------------------------------------------------------------------------- */

static vec3 *deltas(struct conversion *c, const struct aiVector3D *target, const struct aiVector3D *base,
                    uint32_t count)
{
    vec3 *out = ARENA_NEW(c->scene->arena, vec3, count);
    for (uint32_t v = 0; v < count; v++) {
        const vec3 delta = {target[v].x - base[v].x, target[v].y - base[v].y, target[v].z - base[v].z};
        if (all_finite(delta, 3))
            memcpy(out[v], delta, sizeof delta);
    }
    return out;
}

bool convert_targets(struct conversion *c, struct mesh *mesh, const struct aiMesh *source)
{
    mesh->target_count = source->mNumAnimMeshes;
    mesh->targets = ARENA_NEW(c->scene->arena, struct morph_target, mesh->target_count);
    for (uint32_t i = 0; i < mesh->target_count; i++) {
        const struct aiAnimMesh *shape = source->mAnimMeshes[i];
        struct morph_target *target = &mesh->targets[i];
        target->name = copy_string(c, &shape->mName);
        target->default_weight = isfinite(shape->mWeight) ? shape->mWeight : 0.0f;
        if (shape->mNumVertices != mesh->vertex_count)
            return error_set(c->err, "mesh %s: morph target \"%s\" has %u vertices instead of %u", mesh->quoted,
                             target->name, shape->mNumVertices, mesh->vertex_count);
        target->position_deltas = shape->mVertices ? deltas(c, shape->mVertices, source->mVertices, mesh->vertex_count)
                                                   : ARENA_NEW(c->scene->arena, vec3, mesh->vertex_count);
        if (shape->mNormals && source->mNormals)
            target->normal_deltas = deltas(c, shape->mNormals, source->mNormals, mesh->vertex_count);
    }
    return true;
}

/* ---- channels ---------------------------------------------------------------------------------------------------- */

static int32_t find_node(const struct conversion *c, const char *name)
{
    uint32_t at = first_named(c, name);
    bool found = at < c->scene->node_count && strcmp(c->nodes_by_name[at].name, name) == 0;
    return found ? (int32_t)c->nodes_by_name[at].node : NO_INDEX;
}

/* glTF calls a morph channel after its node, FBX "<node>*<index of the mesh>". */
static int32_t find_morph_node(struct conversion *c, const char *name)
{
    int32_t node = find_node(c, name);
    const char *star = strrchr(name, '*');
    if (node != NO_INDEX || !star || star[1] == '\0' || strspn(star + 1, "0123456789") != strlen(star + 1))
        return node;
    return find_node(c, arena_printf(c->scene->arena, "%.*s", (int)(star - name), name));
}

/* What a target of the node's meshes rests at, one that has no keys; *count: their targets, without any as many as keys name. */
static float *rest_weights(const struct conversion *c, int32_t node, const struct aiMeshMorphAnim *source,
                           uint32_t *count)
{
    const struct aiNode *holder = node == NO_INDEX ? NULL : c->nodes[node];
    *count = 0;
    for (uint32_t i = 0; holder && i < holder->mNumMeshes; i++)
        if (c->scene->meshes[holder->mMeshes[i]].target_count > *count)
            *count = c->scene->meshes[holder->mMeshes[i]].target_count;
    for (uint32_t k = 0; *count == 0 && k < source->mNumKeys; k++)
        *count = source->mKeys[k].mNumValuesAndWeights;
    float *rest = memory_new(*count, sizeof *rest);
    for (uint32_t i = holder ? holder->mNumMeshes : 0; i > 0; i--) { /* the first mesh that has the target counts */
        const struct mesh *mesh = &c->scene->meshes[holder->mMeshes[i - 1]];
        for (uint32_t t = 0; t < mesh->target_count; t++)
            rest[t] = mesh->targets[t].default_weight;
    }
    return rest;
}

/*
 * FBX has a curve for each target, and Assimp lists at each time those that have a key there: for the others the weight
 * lies on the line between their own keys, and before and after these it stays. `rest`: of a target without any key.
 * `is_key` and `values`: of one target, `width` from a key to the next one.
 */
static void fill_gaps(uint32_t count, size_t width, const double *times, const bool *is_key, float *values, float rest)
{
    uint32_t before = count, after = 0; /* the target's own keys around k; count: there is none */
    for (uint32_t k = 0; k < count; k++) {
        while (after < count && (after < k || !is_key[after * width]))
            after++;
        if (after == k) {
            before = k;
            continue;
        }
        bool has_before = before < count, has_after = after < count;
        float from = has_before ? values[before * width] : has_after ? values[after * width] : rest;
        float to = has_after ? values[after * width] : from;
        double span = has_before && has_after ? times[after] - times[before] : 0.0;
        double u = span > 0.0 ? (times[k] - times[before]) / span : 0.0;
        values[k * width] = (float)((double)from + u * ((double)to - (double)from));
    }
}

static void convert_morph_channel(struct conversion *c, struct morph_channel *channel,
                                  const struct aiMeshMorphAnim *source, double rate)
{
    channel->node_name = copy_string(c, &source->mName);
    channel->node = find_morph_node(c, channel->node_name);
    float *rest = rest_weights(c, channel->node, source, &channel->target_count);
    size_t width = channel->target_count;
    double *times = ARENA_NEW(c->scene->arena, double, source->mNumKeys);
    float *values = ARENA_NEW(c->scene->arena, float, source->mNumKeys *width);
    bool *is_key = memory_new(source->mNumKeys * width + 1, sizeof *is_key);
    for (uint32_t k = 0; k < source->mNumKeys; k++) {
        const struct aiMeshMorphKey *key = &source->mKeys[k];
        times[k] = key->mTime / rate;
        for (uint32_t i = 0; i < key->mNumValuesAndWeights; i++) {
            if (key->mValues[i] >= width)
                continue;
            values[k * width + key->mValues[i]] = (float)key->mWeights[i];
            is_key[k * width + key->mValues[i]] = true;
        }
    }
    for (uint32_t i = 0; i < width; i++)
        fill_gaps(source->mNumKeys, width, times, is_key + i, values + i, rest[i]);
    free(is_key);
    free(rest);
    channel->keys = (struct keys){source->mNumKeys, times, values, INTERPOLATE_LINEAR};
}

void convert_morph_channels(struct conversion *c, struct clip *clip, const struct aiAnimation *source, double rate)
{
    clip->morph_count = source->mNumMorphMeshChannels;
    clip->morphs = ARENA_NEW(c->scene->arena, struct morph_channel, clip->morph_count);
    for (uint32_t i = 0; i < clip->morph_count; i++)
        convert_morph_channel(c, &clip->morphs[i], source->mMorphMeshChannels[i], rate);
}
