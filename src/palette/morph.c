#include "palette/morph.h"

#include <math.h>
#include <string.h>

bool morph_is_active(const struct mesh *mesh, const float *weights)
{
    for (uint32_t t = 0; t < mesh->target_count; t++)
        if (weights[t] != 0.0f)
            return true;
    return false;
}

static void add(const vec3 *deltas, float weight, uint32_t count, vec3 *to)
{
    for (uint32_t v = 0; v < count; v++)
        for (int k = 0; k < 3; k++)
            to[v][k] += weight * deltas[v][k];
}

/* Brought near 1 first, so that the square neither vanishes nor overflows. Zero stays zero. */
static void normalise(vec3 v)
{
    float size = fmaxf(fmaxf(fabsf(v[0]), fabsf(v[1])), fabsf(v[2]));
    if (!(size > 0.0f))
        return;
    for (int k = 0; k < 3; k++)
        v[k] /= size;
    float length = sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int k = 0; k < 3; k++)
        v[k] /= length;
}

void morph_vertices(const struct mesh *mesh, const float *weights, uint32_t first, uint32_t count, vec3 *positions,
                    vec3 *normals)
{
    memcpy(positions, mesh->positions + first, count * sizeof *positions);
    memcpy(normals, mesh->normals + first, count * sizeof *normals);
    for (uint32_t t = 0; t < mesh->target_count; t++) {
        const struct morph_target *target = &mesh->targets[t];
        if (weights[t] == 0.0f)
            continue;
        add((const vec3 *)target->position_deltas + first, weights[t], count, positions);
        if (target->normal_deltas)
            add((const vec3 *)target->normal_deltas + first, weights[t], count, normals);
    }
    for (uint32_t v = 0; v < count; v++)
        normalise(normals[v]);
}
