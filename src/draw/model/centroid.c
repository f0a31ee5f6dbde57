/* The centre of a posed mesh as one sum over its bones and morph targets instead of one over its vertices. */
#include <stdlib.h>

#include "draw/renderer.h"

/* Adds weight * vector of every vertex to its bones' sums, and the weights to the fourth number where asked for. */
static void sum_by_bone(const struct mesh *mesh, const vec3 *vectors, bool with_weights, double (*sums)[4])
{
    static const struct influence whole = {0, 1.0f};
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        uint32_t first = mesh->influence_first ? mesh->influence_first[v] : 0;
        uint32_t count = mesh->influence_first ? mesh->influence_first[v + 1] - first : 1;
        const struct influence *influences = mesh->influence_first ? mesh->influences + first : &whole;
        for (uint32_t i = 0; i < count; i++) {
            double *sum = sums[influences[i].bone], weight = influences[i].weight;
            for (int c = 0; c < 3; c++)
                sum[c] += weight * vectors[v][c];
            sum[3] += with_weights ? weight : 0;
        }
    }
}

bool gpu_mesh_sum_bones(struct gpu_mesh *out)
{
    const struct mesh *mesh = out->mesh;
    size_t bones = mesh->bone_count ? mesh->bone_count : 1, count = bones * (1 + (size_t)mesh->target_count);
    double(*sums)[4] = calloc(count, sizeof *sums);
    out->bone_sums = calloc(count, sizeof *out->bone_sums);
    if (!sums || !out->bone_sums) {
        free(sums);
        return false;
    }
    sum_by_bone(mesh, (const vec3 *)mesh->positions, true, sums);
    for (uint32_t t = 0; t < mesh->target_count; t++)
        sum_by_bone(mesh, (const vec3 *)mesh->targets[t].position_deltas, false, sums + bones * (1 + (size_t)t));
    for (size_t i = 0; i < count; i++)
        for (int c = 0; c < 4; c++)
            out->bone_sums[i][c] = (float)sums[i][c];
    free(sums);
    return true;
}

/* The bone's sums with the instance's morph targets in them. */
static void morphed_sum(const struct gpu_mesh *mesh, const float *weights, uint32_t bone, double out[4])
{
    size_t bones = mesh->mesh->bone_count ? mesh->mesh->bone_count : 1;
    for (int c = 0; c < 4; c++) {
        out[c] = mesh->bone_sums[bone][c];
        for (uint32_t t = 0; t < mesh->mesh->target_count; t++)
            out[c] += (double)weights[t] * mesh->bone_sums[bones * (1 + (size_t)t) + bone][c];
    }
}

void gpu_model_centroid(const struct gpu_model *model, const struct palette *palette, uint32_t instance, double out[3])
{
    const struct instance *where = &model->scene->instances[instance];
    const struct gpu_mesh *mesh = &model->meshes[where->mesh];
    double count = mesh->mesh->vertex_count ? mesh->mesh->vertex_count : 1;
    const float *weights = mesh->mesh->target_count ? palette->morph_weights + where->first_weight : NULL;
    out[0] = out[1] = out[2] = 0;
    for (uint32_t b = 0; b < where->binding_count; b++) {
        const mat4 *m = &palette->mesh_to_scene[where->first_binding + b];
        double sum[4];
        morphed_sum(mesh, weights, b, sum);
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 4; c++)
                out[r] += (double)(*m)[c][r] * sum[c] / count;
    }
}
