#include "animate/blend.h"

#include <math.h>
#include <string.h>

#include "animate/extrapolate.h"

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

static struct blend measure(const struct blend_input *inputs, uint32_t count)
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
    return blend;
}

static bool all_equal(const struct blend *blend, uint32_t node)
{
    const struct pose *first = blend->inputs[blend->first].pose;
    for (uint32_t i = blend->first + 1; i < blend->count; i++)
        if (blend->inputs[i].weight > 0 &&
            memcmp(first->local_to_parent[node], blend->inputs[i].pose->local_to_parent[node], sizeof(mat4)) != 0)
            return false;
    return true;
}

/* As differences to the first, so that what is equal in all stays exactly that. */
static void mean_vector(const struct blend *blend, uint32_t node, size_t offset, float out[3])
{
    const float *base = (const float *)((const char *)&blend->inputs[blend->first].pose->local[node] + offset);
    double sum[3] = {base[0], base[1], base[2]};
    for (uint32_t i = blend->first + 1; i < blend->count; i++) {
        const float *value = (const float *)((const char *)&blend->inputs[i].pose->local[node] + offset);
        for (int k = 0; k < 3 && blend->inputs[i].weight > 0; k++)
            sum[k] += blend->inputs[i].weight / blend->sum * ((double)value[k] - base[k]);
    }
    for (int k = 0; k < 3; k++)
        out[k] = (float)sum[k];
}

/* The sum is at least as long as the heaviest's share: all others point to its side. */
static void mean_rotation(const struct blend *blend, uint32_t node, float out[4])
{
    const float *side = blend->inputs[blend->heaviest].pose->local[node].rotation;
    double sum[4] = {0}, square = 0;
    for (uint32_t i = blend->first; i < blend->count; i++) {
        const float *q = blend->inputs[i].pose->local[node].rotation;
        double dot = 0;
        for (int k = 0; k < 4; k++)
            dot += (double)q[k] * side[k];
        double weight = fmax(blend->inputs[i].weight, 0) / blend->sum;
        for (int k = 0; k < 4; k++)
            sum[k] += (dot < 0 ? -weight : weight) * q[k];
    }
    for (int k = 0; k < 4; k++)
        square += sum[k] * sum[k];
    for (int k = 0; k < 4; k++)
        out[k] = (float)(sum[k] / sqrt(square));
}

static void blend_node(const struct blend *blend, uint32_t node, struct pose *out)
{
    struct transform *local = &out->local[node];
    mean_vector(blend, node, offsetof(struct transform, translation), local->translation);
    mean_vector(blend, node, offsetof(struct transform, scale), local->scale);
    if (blend->active == 2)
        extrapolate_rotation(blend->inputs[blend->first].pose->local[node].rotation,
                             blend->inputs[blend->last].pose->local[node].rotation,
                             blend->inputs[blend->last].weight / blend->sum, local->rotation);
    else
        mean_rotation(blend, node, local->rotation);
    affine_from_transform(local, out->local_to_parent[node]);
}

void blend_copy_node(const struct pose *from, uint32_t node, struct pose *out)
{
    out->local[node] = from->local[node];
    memcpy(out->local_to_parent[node], from->local_to_parent[node], sizeof(mat4));
}

static void blend_morphs(const struct blend *blend, struct pose *out)
{
    for (uint32_t w = 0; w < out->weight_count && blend->active > 0; w++) {
        float base = blend->inputs[blend->first].pose->morph_weights[w];
        double sum = base;
        for (uint32_t i = blend->first + 1; i < blend->count; i++)
            if (blend->inputs[i].weight > 0)
                sum += blend->inputs[i].weight / blend->sum * ((double)blend->inputs[i].pose->morph_weights[w] - base);
        out->morph_weights[w] = (float)sum;
    }
}

void blend_poses(const struct blend_input *inputs, uint32_t count, struct pose *out)
{
    struct blend blend = measure(inputs, count);
    for (uint32_t node = 0; node < out->node_count && blend.active > 0; node++)
        if (all_equal(&blend, node))
            blend_copy_node(inputs[blend.first].pose, node, out);
        else
            blend_node(&blend, node, out);
    blend_morphs(&blend, out);
}
