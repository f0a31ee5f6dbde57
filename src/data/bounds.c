#include "data/bounds.h"

#include <float.h>

#include "data/affine.h"
#include "data/vector.h"

struct bounds bounds_empty(void)
{
    return (struct bounds){{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}};
}

bool bounds_is_empty(const struct bounds *bounds)
{
    return bounds->min[0] > bounds->max[0];
}

/* Numbers that are none change nothing. By hand: fminf() is a call. */
static void widen(struct bounds *bounds, const vec3 min, const vec3 max)
{
    for (int k = 0; k < 3; k++) {
        bounds->min[k] = min[k] < bounds->min[k] ? min[k] : bounds->min[k];
        bounds->max[k] = max[k] > bounds->max[k] ? max[k] : bounds->max[k];
    }
}

void bounds_add_points(struct bounds *bounds, const vec3 *points, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (vec3_is_finite(points[i]))
            widen(bounds, points[i], points[i]);
}

void bounds_add(struct bounds *bounds, const struct bounds *other)
{
    widen(bounds, other->min, other->max);
}

struct bounds bounds_transformed(const struct bounds *bounds, const mat4 by)
{
    struct bounds out = bounds_empty();
    for (int corner = 0; corner < 8; corner++) {
        vec3 from, at;
        for (int k = 0; k < 3; k++)
            from[k] = corner >> k & 1 ? bounds->max[k] : bounds->min[k];
        affine_point(by, from, at);
        bounds_add_points(&out, (const vec3 *)&at, 1);
    }
    return out;
}

float bounds_radius(const struct bounds *bounds)
{
    double side[3];
    for (int k = 0; k < 3; k++)
        side[k] = (double)bounds->max[k] - (double)bounds->min[k];
    return bounds_is_empty(bounds) ? 0.0f : (float)(0.5 * vec3d_length(side));
}
