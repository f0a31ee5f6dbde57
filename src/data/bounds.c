#include "data/bounds.h"

#include <float.h>
#include <math.h>

struct bounds bounds_empty(void)
{
    return (struct bounds){{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}};
}

bool bounds_is_empty(const struct bounds *bounds)
{
    return bounds->min[0] > bounds->max[0];
}

void bounds_add_points(struct bounds *bounds, const vec3 *points, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const float *p = points[i];
        if (!isfinite(p[0]) || !isfinite(p[1]) || !isfinite(p[2]))
            continue;
        for (int k = 0; k < 3; k++) {
            bounds->min[k] = fminf(bounds->min[k], p[k]);
            bounds->max[k] = fmaxf(bounds->max[k], p[k]);
        }
    }
}

void bounds_add(struct bounds *bounds, const struct bounds *other)
{
    for (int k = 0; k < 3; k++) {
        bounds->min[k] = fminf(bounds->min[k], other->min[k]);
        bounds->max[k] = fmaxf(bounds->max[k], other->max[k]);
    }
}

void bounds_center(const struct bounds *bounds, vec3 out)
{
    for (int k = 0; k < 3; k++)
        out[k] = 0.5f * bounds->min[k] + 0.5f * bounds->max[k];
}

float bounds_radius(const struct bounds *bounds)
{
    if (bounds_is_empty(bounds))
        return 0.0f;
    double sum = 0.0;
    for (int k = 0; k < 3; k++) {
        double side = (double)bounds->max[k] - (double)bounds->min[k];
        sum += side * side;
    }
    return (float)(0.5 * sqrt(sum));
}

float bounds_extent(const struct bounds *bounds)
{
    if (bounds_is_empty(bounds))
        return 0.0f;
    float longest = 0.0f;
    for (int k = 0; k < 3; k++)
        longest = fmaxf(longest, bounds->max[k] - bounds->min[k]);
    return longest;
}
