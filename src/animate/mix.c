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

/* out[width]: numbers that are `offset` bytes into the inputs' `local`, or their morph weights. As differences to the first, so
 * that what is equal in all stays exactly that. */
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
