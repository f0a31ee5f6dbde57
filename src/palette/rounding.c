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

double skin_rounding(const struct scene *scene, const struct palette *palette, enum palette_format format)
{
    double most = 0;
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        const struct instance *instance = &scene->instances[i];
        const struct mesh *mesh = &scene->meshes[instance->mesh];
        const mat4 *own = (const mat4 *)palette->mesh_to_scene + instance->first_binding;
        for (uint32_t v = 0; v < mesh->vertex_count; v++) {
            uint32_t first = mesh->influence_first ? mesh->influence_first[v] : 0;
            uint32_t end = mesh->influence_first ? mesh->influence_first[v + 1] : 1;
            for (uint32_t k = first; k < end; k++)
                most = fmax(most, rounding_of(own[mesh->influence_first ? mesh->influences[k].bone : 0],
                                              mesh->positions[v], format));
        }
    }
    return isfinite(most) ? most : 0;
}
