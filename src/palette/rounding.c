#include "palette/rounding.h"

#include <math.h>

#include "data/affine.h"
#include "data/pose/similarity.h"
#include "data/vector.h"

static const double ROUNDING = 1e-6;

/* Of one matrix and one point. */
static double rounding_of(const mat4 matrix, const vec3 position, enum palette_format format)
{
    vec3 point, turned;
    affine_point(matrix, position, point);
    for (int i = 0; i < 3; i++)
        turned[i] = point[i] - matrix[3][i];
    double rounding = ROUNDING * (vec3_length(turned) + vec3_length(matrix[3]));
    return format == PALETTE_TRS ? rounding + 3 * SIMILARITY_TOLERANCE * vec3_length(turned) : rounding;
}

static double rounding_of_vertex(const struct mesh *mesh, const mat4 *own, uint32_t vertex, enum palette_format format)
{
    double most = 0;
    if (!mesh->influence_first)
        return rounding_of(own[0], mesh->positions[vertex], format);
    for (uint32_t i = mesh->influence_first[vertex]; i < mesh->influence_first[vertex + 1]; i++)
        most = fmax(most, rounding_of(own[mesh->influences[i].bone], mesh->positions[vertex], format));
    return most;
}

double skin_rounding(const struct scene *scene, const struct palette *palette, enum palette_format format)
{
    double most = 0;
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        const struct instance *instance = &scene->instances[i];
        const struct mesh *mesh = &scene->meshes[instance->mesh];
        const mat4 *own = (const mat4 *)palette->mesh_to_scene + instance->first_binding;
        for (uint32_t v = 0; v < mesh->vertex_count; v++)
            most = fmax(most, rounding_of_vertex(mesh, own, v, format));
    }
    return isfinite(most) ? most : 0;
}
