#pragma once

#include <stdbool.h>
#include <stddef.h>

#include <cglm/types.h>

/* An axis-aligned box in scene space. Empty while min > max. */
struct bounds {
    vec3 min;
    vec3 max;
};

struct bounds bounds_empty(void);
bool bounds_is_empty(const struct bounds *bounds);

/* Points that are not finite are left out. */
void bounds_add_points(struct bounds *bounds, const vec3 *points, size_t count);
void bounds_add(struct bounds *bounds, const struct bounds *other);

/* The box around the box as an affine matrix takes it. */
struct bounds bounds_transformed(const struct bounds *bounds, const mat4 by);

/* Half the diagonal: the model's radius, which displacements are measured against. 0 when empty. */
float bounds_radius(const struct bounds *bounds);
