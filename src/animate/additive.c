#include "animate/additive.h"

#include <math.h>
#include <string.h>

#include "animate/extrapolate.h"
#include "data/vector.h"

static void product(const float a[4], const float b[4], float out[4])
{
    double q[4] = {a[0], a[1], a[2], a[3]};
    quatd_mul(q, (const double[4]){b[0], b[1], b[2], b[3]}, q);
    quatd_normalise(q);
    for (int i = 0; i < 4; i++)
        out[i] = (float)q[i];
}

static void add_rotation(const float reference[4], const float clip[4], double weight, float rotation[4])
{
    const float back[4] = {-reference[0], -reference[1], -reference[2], reference[3]};
    float delta[4], scaled[4];
    product(back, clip, delta);
    extrapolate_rotation(transform_identity.rotation, delta, weight, scaled);
    product(rotation, scaled, rotation);
}

static float add_scale(double reference, double clip, double weight, double scale)
{
    double quotient = clip / reference;
    if (!(quotient > 0) || !isfinite(quotient))
        return (float)(scale + weight * (clip - reference));
    return (float)(scale * (weight == 1 ? quotient : pow(quotient, weight)));
}

static void add_node(const struct transform *reference, const struct transform *clip, double weight,
                     struct transform *local)
{
    add_rotation(reference->rotation, clip->rotation, weight, local->rotation);
    for (int i = 0; i < 3; i++) {
        double moved = (double)clip->translation[i] - reference->translation[i];
        local->translation[i] = (float)(local->translation[i] + weight * moved);
        local->scale[i] = add_scale(reference->scale[i], clip->scale[i], weight, local->scale[i]);
    }
}

void additive_pose(const struct pose *reference, const struct pose *clip, double weight, struct pose *pose)
{
    for (uint32_t n = 0; n < pose->node_count && weight != 0; n++) {
        if (memcmp(reference->local_to_parent[n], clip->local_to_parent[n], sizeof(mat4)) == 0)
            continue;
        add_node(&reference->local[n], &clip->local[n], weight, &pose->local[n]);
        affine_from_transform(&pose->local[n], pose->local_to_parent[n]);
    }
    for (uint32_t i = 0; i < pose->weight_count && weight != 0; i++) {
        double moved = (double)clip->morph_weights[i] - reference->morph_weights[i];
        pose->morph_weights[i] = (float)(pose->morph_weights[i] + weight * moved);
    }
}
