#include "compare/compare.h"

#include <math.h>

#include "base/format_number.h"
#include "data/measure.h"
#include "data/vector.h"

static const double degrees_per_radian = 180 / 3.14159265358979323846;

/* Right, up and back, unit vectors; zeros where the camera has no direction. */
static void axes_of(const struct camera *camera, double axes[3][3])
{
    double up[3];
    for (int i = 0; i < 3; i++) {
        axes[2][i] = (double)camera->eye[i] - camera->target[i];
        up[i] = camera->up[i];
    }
    vec3d_cross(up, axes[2], axes[0]);
    vec3d_cross(axes[2], axes[0], axes[1]);
    for (int a = 0; a < 3; a++) {
        double length = vec3d_length(axes[a]);
        for (int i = 0; i < 3; i++)
            axes[a][i] = length > 0 ? axes[a][i] / length : 0;
    }
}

double compare_cameras(const struct camera *golden, const struct camera *actual, double radius, struct text *how)
{
    enum { EYE, TURN, ANGLE, HEIGHT, NEAR, FAR, COUNT };
    double was[3][3], now[3][3], moved[3], square = 0, worst = 0;
    axes_of(golden, was);
    axes_of(actual, now);
    for (int i = 0; i < 3; i++) {
        moved[i] = (double)actual->eye[i] - golden->eye[i];
        for (int a = 0; a < 3; a++)
            square += (now[a][i] - was[a][i]) * (now[a][i] - was[a][i]);
    }
    const double distance = vec3d_length(moved), away = vec3d_dot(moved, was[2]);
    const double changes[COUNT] = {
        [EYE] = distance / radius,
        [TURN] = 2 * asin(fmin(1, sqrt(square / 8))), /* |R - R'| = 2 sqrt(2) sin(angle / 2) */
        [ANGLE] = fabs((double)actual->fov_y - golden->fov_y),
        [HEIGHT] = fabs((double)actual->ortho_height - golden->ortho_height) / radius,
        [NEAR] = fabs((double)actual->near_plane - golden->near_plane) / radius,
        [FAR] = fabs((double)actual->far_plane - golden->far_plane) / radius,
    };
    const struct formatted_pair values[COUNT] = {
        [ANGLE] = format_numbers(degrees_per_radian * actual->fov_y, degrees_per_radian * golden->fov_y),
        [HEIGHT] = format_numbers(actual->ortho_height, golden->ortho_height),
        [NEAR] = format_numbers(actual->near_plane, golden->near_plane),
        [FAR] = format_numbers(actual->far_plane, golden->far_plane),
    };
    static const char *const names[COUNT] = {
        [ANGLE] = "field of view", [HEIGHT] = "half the height seen", [NEAR] = "near plane", [FAR] = "far plane"};
    for (int i = 0; i < COUNT; i++)
        worst = worse(worst, changes[i]);
    for (int i = 0; how && i < COUNT; i++) {
        if (!(changes[i] > 0.01 * worst) || (i >= NEAR && how->size > 0))
            continue; /* what goes with the rest is not worth a word, nor are planes that go with the eye */
        const char *comma = how->size > 0 ? ", " : "";
        bool straight = fabs(away) > 0.99 * distance;
        const char *unit = i == ANGLE ? "°" : "";
        if (i == EYE)
            text_addf(how, "the camera would stand %s (%s) %s", format_length(distance, 0).text,
                      format_displacement(changes[EYE]).text,
                      !straight  ? "elsewhere"
                      : away > 0 ? "further away"
                                 : "nearer");
        else if (i == TURN)
            text_addf(how, "%sturned by %s", *comma ? comma : "the camera would be ",
                      format_degrees(degrees_per_radian * changes[TURN]).text);
        else
            text_addf(how, "%s%s %s%s, was %s%s", comma, names[i], values[i].now, unit, values[i].was, unit);
    }
    return worst;
}
