#include "animate/mix.h"

#include <math.h>
#include <string.h>

#include "animate/curve.h"
#include "data/vector.h"

static void copy_node(const struct pose *from, uint32_t node, struct pose *out)
{
    out->local[node] = from->local[node];
    memcpy(out->local_to_parent[node], from->local_to_parent[node], sizeof(mat4));
}

/* The inputs that count, seen from one of them. */
struct blend {
    const struct blend_input *inputs;
    uint32_t count;
    uint32_t first;    /* that has a weight */
    uint32_t last;
    uint32_t heaviest;
    uint32_t active;   /* how many have one */
    double sum;
};

/* out[width]: numbers that are `offset` bytes into the inputs' `local`, or their morph weights. As differences to
 * the first, so that what is equal in all stays exactly that. */
static void mean(const struct blend *blend, bool is_morph, size_t offset, uint32_t width, float *out)
{
    for (uint32_t k = 0; k < width; k++) {
        double base = 0, sum = 0;
        for (uint32_t i = blend->first; i < blend->count; i++) {
            const struct pose *pose = blend->inputs[i].pose;
            const char *from = is_morph ? (const char *)pose->morph_weights : (const char *)pose->local;
            double value = ((const float *)(from + offset))[k];
            if (i == blend->first)
                base = sum = value;
            else if (blend->inputs[i].weight > 0)
                sum += blend->inputs[i].weight / blend->sum * (value - base);
        }
        out[k] = (float)sum;
    }
}

/* The sum is at least as long as the heaviest's share: all others point to its side. */
static void mean_rotation(const struct blend *blend, uint32_t node, float out[4])
{
    const float *side = blend->inputs[blend->heaviest].pose->local[node].rotation;
    double sum[4] = {0};
    for (uint32_t i = blend->first; i < blend->count; i++) {
        const float *q = blend->inputs[i].pose->local[node].rotation;
        double dot = 0;
        for (int k = 0; k < 4; k++)
            dot += (double)q[k] * side[k];
        double weight = fmax(blend->inputs[i].weight, 0) / blend->sum;
        for (int k = 0; k < 4; k++)
            sum[k] += (dot < 0 ? -weight : weight) * q[k];
    }
    quatd_normalise(sum);
    for (int k = 0; k < 4; k++)
        out[k] = (float)sum[k];
}

void blend_poses(const struct blend_input *inputs, uint32_t count, struct pose *out)
{
    struct blend blend = {.inputs = inputs, .count = count};
    for (uint32_t i = 0; i < count; i++) {
        if (!(inputs[i].weight > 0))
            continue;
        if (blend.active++ == 0)
            blend.first = blend.heaviest = i;
        if (inputs[i].weight > inputs[blend.heaviest].weight)
            blend.heaviest = i;
        blend.last = i;
        blend.sum += inputs[i].weight;
    }
    if (blend.active == 0)
        return;
    const struct pose *first = inputs[blend.first].pose, *last = inputs[blend.last].pose;
    for (uint32_t n = 0; n < out->node_count; n++) {
        struct transform *local = &out->local[n];
        bool is_equal = true;
        for (uint32_t i = blend.first + 1; i < count && is_equal; i++)
            is_equal = !(inputs[i].weight > 0) ||
                       memcmp(first->local_to_parent[n], inputs[i].pose->local_to_parent[n], sizeof(mat4)) == 0;
        if (is_equal) {
            copy_node(first, n, out);
            continue;
        }
        mean(&blend, false, n * sizeof *local + offsetof(struct transform, translation), 3, local->translation);
        mean(&blend, false, n * sizeof *local + offsetof(struct transform, scale), 3, local->scale);
        if (blend.active == 2)
            extrapolate_rotation(first->local[n].rotation, last->local[n].rotation,
                                 inputs[blend.last].weight / blend.sum, local->rotation);
        else
            mean_rotation(&blend, n, local->rotation);
        affine_from_transform(local, out->local_to_parent[n]);
    }
    mean(&blend, true, 0, out->weight_count, out->morph_weights);
}

static void product(const float a[4], const float b[4], float out[4])
{
    double q[4] = {a[0], a[1], a[2], a[3]};
    quatd_mul(q, (const double[4]){b[0], b[1], b[2], b[3]}, q);
    quatd_normalise(q);
    for (int i = 0; i < 4; i++)
        out[i] = (float)q[i];
}

static float add(double reference, double clip, double weight, double base)
{
    return (float)(base + weight * (clip - reference));
}

void additive_pose(const struct pose *reference, const struct pose *clip, double weight, struct pose *pose)
{
    for (uint32_t n = 0; n < pose->node_count && weight != 0; n++) {
        const struct transform *from = &reference->local[n], *to = &clip->local[n];
        struct transform *local = &pose->local[n];
        const float back[4] = {-from->rotation[0], -from->rotation[1], -from->rotation[2], from->rotation[3]};
        float delta[4], scaled[4];
        if (memcmp(reference->local_to_parent[n], clip->local_to_parent[n], sizeof(mat4)) == 0)
            continue;
        product(back, to->rotation, delta);
        extrapolate_rotation(transform_identity.rotation, delta, weight, scaled);
        product(local->rotation, scaled, local->rotation);
        for (int i = 0; i < 3; i++) {
            double quotient = (double)to->scale[i] / from->scale[i];
            local->translation[i] = add(from->translation[i], to->translation[i], weight, local->translation[i]);
            if (quotient > 0 && isfinite(quotient))
                local->scale[i] = (float)(local->scale[i] * (weight == 1 ? quotient : pow(quotient, weight)));
            else
                local->scale[i] = add(from->scale[i], to->scale[i], weight, local->scale[i]);
        }
        affine_from_transform(local, pose->local_to_parent[n]);
    }
    for (uint32_t i = 0; i < pose->weight_count && weight != 0; i++)
        pose->morph_weights[i] =
            add(reference->morph_weights[i], clip->morph_weights[i], weight, pose->morph_weights[i]);
}

void mask_spread(const struct scene *scene, int32_t *owners)
{
    for (uint32_t n = 0; n < scene->node_count; n++) { /* parents first */
        int32_t parent = scene->nodes[n].parent;
        if (owners[n] == NO_INDEX && parent != NO_INDEX)
            owners[n] = owners[parent];
    }
}

void mask_apply(const struct scene *scene, const int32_t *owners, int32_t mask, const struct pose *from,
                struct pose *out)
{
    for (uint32_t n = 0; n < out->node_count; n++)
        if (owners[n] == mask)
            copy_node(from, n, out);
    for (uint32_t i = 0; i < scene->instance_count && out->weight_count > 0; i++) {
        const struct instance *instance = &scene->instances[i];
        uint32_t first = instance->first_weight, count = scene->meshes[instance->mesh].target_count;
        if (owners[instance->node] == mask && count > 0)
            memcpy(out->morph_weights + first, from->morph_weights + first, count * sizeof(float));
    }
}

/* Returns how far the farthest of the keys is from the first; of a rotation the nearer of q and -q, which are one. */
static double spread(const struct channel *channel, enum component component)
{
    const struct keys *keys = &channel->keys[component];
    uint32_t width = component_width(component), vectors = keys->interpolation == INTERPOLATE_CUBIC ? 3 : 1;
    double farthest = 0;
    for (uint32_t k = 1; k < keys->count; k++) {
        const float *first = keys->values + vectors / 2 * width; /* a cubic value is between its tangents */
        const float *value = first + (size_t)k * vectors * width;
        double minus = 0, plus = 0;
        for (uint32_t i = 0; i < width; i++) {
            minus += ((double)first[i] - value[i]) * ((double)first[i] - value[i]);
            plus += ((double)first[i] + value[i]) * ((double)first[i] + value[i]);
        }
        farthest = fmax(farthest, sqrt(width == 4 ? fmin(minus, plus) : minus));
    }
    return farthest;
}

int32_t in_place_root(const struct scene *scene, const struct clip *const *clips, uint32_t clip_count,
                      struct arena *arena)
{
    static const double noise = 1e-5, noise_of_length = 1e-5; /* of rotations and scales; of the longest travel */
    /* of the keys from the first, in the parent's space */
    double *travel = ARENA_NEW(arena, double, scene->node_count);
    bool *moves = ARENA_NEW(arena, bool, scene->node_count);      /* whether they do, or turn or scale the node */
    bool *holds = ARENA_NEW(arena, bool, scene->node_count);           /* a bone with vertices of its own */
    /* below one that moves: held it would come off */
    bool *is_torn = ARENA_NEW(arena, bool, scene->node_count);
    bool *joint = ARENA_NEW(arena, bool, scene->node_count);
    uint32_t *carries = ARENA_NEW(arena, uint32_t, scene->node_count); /* joints at and below the node */
    int32_t root = NO_INDEX;
    double longest = 0;
    for (uint32_t c = 0; c < clip_count; c++)
        for (uint32_t i = 0; clips[c] && i < clips[c]->channel_count; i++) {
            const struct channel *channel = &clips[c]->channels[i];
            if (channel->node == NO_INDEX)
                continue;
            travel[channel->node] = fmax(travel[channel->node], spread(channel, COMPONENT_TRANSLATION));
            longest = fmax(longest, travel[channel->node]);
            if (spread(channel, COMPONENT_ROTATION) > noise || spread(channel, COMPONENT_SCALE) > noise)
                moves[channel->node] = true;
        }
    for (uint32_t n = 0; n < scene->node_count; n++) { /* keys that were computed to be the same may miss each other */
        travel[n] = travel[n] > noise_of_length * longest ? travel[n] : 0;
        moves[n] = moves[n] || travel[n] > 0;
    }
    for (uint32_t m = 0; m < scene->mesh_count; m++) {
        const struct mesh *mesh = &scene->meshes[m];
        uint32_t count = mesh->influence_first ? mesh->influence_first[mesh->vertex_count] : 0;
        for (uint32_t i = 0; i < count; i++)
            holds[mesh->bones[mesh->influences[i].bone].node] = true;
    }
    scene_joints(scene, joint);
    for (uint32_t n = scene->node_count; n-- > 0;) {
        carries[n] += joint[n];
        if (scene->nodes[n].parent != NO_INDEX)
            carries[scene->nodes[n].parent] += carries[n];
    }
    for (uint32_t n = 0; n < scene->node_count; n++) {
        int32_t parent = scene->nodes[n].parent;
        is_torn[n] = parent != NO_INDEX && (is_torn[parent] || (moves[parent] && holds[parent]));
        if (travel[n] > 0 && !is_torn[n] && carries[n] > (root == NO_INDEX ? 0 : carries[root]))
            root = (int32_t)n;
    }
    return root;
}

/* From the space that the node's translation is in to the scene's. */
static void parent_to_scene(const struct scene *scene, const struct pose *pose, uint32_t node, mat4 out)
{
    affine_from_transform(&transform_identity, out);
    for (int32_t n = scene->nodes[node].parent; n != NO_INDEX; n = scene->nodes[n].parent)
        affine_mul(pose->local_to_parent[n], out, out);
}

void in_place_position(const struct scene *scene, const struct pose *pose, uint32_t root, double out[3])
{
    mat4 to_scene;
    const float *at = pose->local_to_parent[root][3];
    parent_to_scene(scene, pose, root, to_scene);
    for (int i = 0; i < 3; i++)
        out[i] = (double)to_scene[0][i] * at[0] + (double)to_scene[1][i] * at[1] + (double)to_scene[2][i] * at[2] +
                 to_scene[3][i];
}

void in_place_hold(const struct in_place *in_place, const struct scene *scene, struct pose *pose)
{
    mat4 to_scene, to_parent;
    double at[3], away[3];
    if (in_place->root == NO_INDEX)
        return;
    uint32_t root = (uint32_t)in_place->root;
    in_place_position(scene, pose, root, at);
    parent_to_scene(scene, pose, root, to_scene);
    for (int i = 0; i < 3; i++)
        away[i] = i == in_place->up_axis ? 0 : at[i] - in_place->home[i];
    if ((away[0] == 0 && away[1] == 0 && away[2] == 0) || !affine_inverse(to_scene, to_parent))
        return;
    for (int i = 0; i < 3; i++) {
        double back = to_parent[0][i] * away[0] + to_parent[1][i] * away[1] + to_parent[2][i] * away[2];
        pose->local[root].translation[i] = (float)(pose->local_to_parent[root][3][i] - back);
        pose->local_to_parent[root][3][i] = pose->local[root].translation[i];
    }
}
