#include "draw/frame/camera.h"

#include <math.h>
#include <string.h>

#include "data/vector.h"

/*
 * The camera is computed in double throughout and rounded once at the end. By cglm's glm_look() and glm_perspective(),
 * in floats, 30 of the 392 pictures of golden/suite.yaml differ by more than 2 levels, up to 64, and two cases fail;
 * by glm_perspective() alone five differ by 4 to 11 levels.
 */

static const double radians_per_degree = 3.14159265358979323846 / 180.0;

/* False when there is no direction in it. */
static bool normalize(double v[3])
{
    double length = vec3d_length(v);
    if (!(length > 0) || !isfinite(length))
        return false;
    for (int i = 0; i < 3; i++)
        v[i] /= length;
    return true;
}

struct sphere {
    double center[3];
    double radius;
};

static struct sphere sphere_around(const struct bounds *bounds)
{
    struct sphere sphere = {{0, 0, 0}, 0};
    if (!bounds_is_empty(bounds) && vec3_is_finite(bounds->min) && vec3_is_finite(bounds->max)) {
        double square = 0;
        for (int i = 0; i < 3; i++) {
            double half = ((double)bounds->max[i] - bounds->min[i]) / 2;
            sphere.center[i] = bounds->min[i] + half;
            square += half * half;
        }
        sphere.radius = sqrt(square);
    }
    if (!(sphere.radius > 0))
        sphere.radius = sqrt(0.75); /* of a unit box */
    return sphere;
}

struct axes {
    double right[3];
    double up[3];
    double back[3];
};

/* The camera's axes at yaw 0, pitch 0. */
static struct axes front_axes(int up_axis, int up_sign)
{
    struct axes axes = {{0}, {0}, {0}};
    axes.up[up_axis] = up_sign < 0 ? -1 : 1;
    if (up_axis == 2)
        axes.back[1] = -1;
    else
        axes.back[2] = 1;
    vec3d_cross(axes.up, axes.back, axes.right);
    return axes;
}

/* Room before and behind the sphere, in radii: poses between the samples may reach out of the bounds. */
static const double depth_margin = 1.5;

/* The planes; where one is given that leaves the other behind it, that one is as far away as the sphere is large. */
static void set_planes(struct camera *camera, double near, double far, bool has_near, bool has_far, double radius)
{
    const double room = 2 * depth_margin * radius;
    if (!(far > near) && has_near)
        far = near + room;
    else if (!(far > near) && has_far)
        near = camera->fov_y > 0 ? 0.001 * far : far - room;
    camera->near_plane = (float)near;
    camera->far_plane = (float)far;
}

struct camera camera_orbit(const struct bounds *bounds, const struct orbit *orbit, int up_axis, int up_sign,
                           float aspect)
{
    struct camera camera = {0};
    struct sphere sphere = sphere_around(bounds);
    struct axes at = front_axes(up_axis, up_sign);
    double yaw = orbit->yaw * radians_per_degree, pitch = orbit->pitch * radians_per_degree;
    double distance = (depth_margin + 0.5) * sphere.radius;
    double half_height = orbit->ortho_height > 0 ? orbit->ortho_height : sphere.radius / fmin(1, aspect);
    if (orbit->fov > 0) { /* the distance at which the sphere fits */
        double half_y = 0.5 * orbit->fov * radians_per_degree, zoom = orbit->zoom;
        double half_narrow = aspect < 1 ? atan(tan(half_y) * (double)aspect) : half_y;
        camera.fov_y = (float)(2 * atan(tan(half_y) / fmax(zoom, 1)));
        distance = sphere.radius / sin(half_narrow) / fmin(zoom, 1);
    } else {
        camera.ortho_height = (float)(half_height / orbit->zoom);
    }
    double depth = distance; /* of the sphere's middle */
    for (int i = 0; i < 3; i++) {
        double target = orbit->has_target ? orbit->target[i] : sphere.center[i];
        double level = cos(yaw) * at.back[i] + sin(yaw) * at.right[i],
               back = cos(pitch) * level + sin(pitch) * at.up[i];
        camera.target[i] = (float)target;
        camera.eye[i] = (float)(target + distance * back);
        camera.up[i] = (float)(cos(pitch) * at.up[i] - sin(pitch) * level);
        depth += (target - sphere.center[i]) * back;
    }
    double near = fmax(depth - depth_margin * sphere.radius, 0.01 * distance);
    double far = fmax(depth + depth_margin * sphere.radius, distance);
    set_planes(&camera, orbit->has_near ? orbit->near_plane : near, orbit->has_far ? orbit->far_plane : far,
               orbit->has_near, orbit->has_far, sphere.radius);
    return camera;
}

struct camera camera_free(const struct bounds *bounds, const struct orbit *orbit, const vec3 eye, const float *given_up,
                          int up_axis, int up_sign)
{
    struct camera camera = {.fov_y = (float)(orbit->fov * radians_per_degree), .ortho_height = orbit->ortho_height};
    struct sphere sphere = sphere_around(bounds);
    double forward[3], to_center[3], up[3];
    for (int i = 0; i < 3; i++) {
        camera.eye[i] = eye[i];
        camera.target[i] = orbit->target[i];
        forward[i] = (double)orbit->target[i] - eye[i];
        to_center[i] = sphere.center[i] - eye[i];
        up[i] = given_up ? given_up[i] : 0;
    }
    normalize(forward);
    if (!given_up) { /* the up axis; along the view as it would have come there from the front by pitch alone */
        struct axes front = front_axes(up_axis, up_sign);
        double side[3], rise = vec3d_dot(front.up, forward);
        vec3d_cross(front.up, forward, side);
        bool along = vec3d_dot(side, side) < 1e-12;
        for (int i = 0; i < 3; i++)
            up[i] = !along ? front.up[i] : rise < 0 ? -front.back[i] : front.back[i];
    }
    normalize(up);
    for (int i = 0; i < 3; i++)
        camera.up[i] = (float)up[i];
    /* Planes that are not given: around the sphere, or as far beyond the other as the sphere is large. */
    double depth = vec3d_dot(to_center, forward), room = 2 * depth_margin * sphere.radius;
    double far = depth > -sphere.radius ? depth + depth_margin * sphere.radius : room;
    double near = fmax(depth - depth_margin * sphere.radius, camera.fov_y > 0 ? 0.001 * far : 0);
    set_planes(&camera, orbit->has_near ? orbit->near_plane : near, orbit->has_far ? orbit->far_plane : far,
               orbit->has_near, true, sphere.radius);
    return camera;
}

void camera_pan(struct camera *camera, const float pan[2], float aspect)
{
    double back[3], right[3], up[3], distance;
    for (int i = 0; i < 3; i++) {
        back[i] = (double)camera->eye[i] - camera->target[i];
        up[i] = camera->up[i];
    }
    distance = vec3d_length(back);
    vec3d_cross(up, back, right);
    if ((pan[0] == 0 && pan[1] == 0) || !normalize(back) || !normalize(right))
        return;
    vec3d_cross(back, right, up);
    const double height = 2 * (camera->fov_y > 0 ? distance * tan(0.5 * camera->fov_y) : camera->ortho_height);
    for (int i = 0; i < 3; i++) {
        double by = height * ((double)pan[0] * aspect * right[i] + pan[1] * up[i]);
        camera->eye[i] = (float)(camera->eye[i] + by);
        camera->target[i] = (float)(camera->target[i] + by);
    }
}

static void transformed(const mat4 matrix, const vec3 v, double w, double out[3])
{
    for (int r = 0; r < 3; r++)
        out[r] =
            (double)matrix[0][r] * v[0] + (double)matrix[1][r] * v[1] + (double)matrix[2][r] * v[2] + w * matrix[3][r];
}

struct camera camera_from_scene(const struct scene_camera *file, const mat4 *node_to_scene, const struct bounds *bounds)
{
    struct camera camera = {.fov_y = file->fov_y, .ortho_height = file->ortho_height};
    double eye[3], forward[3], up[3];
    const vec4 *matrix = node_to_scene ? *node_to_scene : mat4_identity;
    transformed(matrix, file->position, 1, eye);
    transformed(matrix, file->forward, 0, forward);
    transformed(matrix, file->up, 0, up);
    if (!normalize(forward))
        memcpy(forward, (double[3]){0, 0, -1}, sizeof forward);
    normalize(up);
    /* The planes, if they make sense and leave something of the bounds to see; else around the sphere. */
    struct sphere sphere = sphere_around(bounds);
    double to_center[3] = {sphere.center[0] - eye[0], sphere.center[1] - eye[1], sphere.center[2] - eye[2]};
    double depth = vec3d_dot(to_center, forward), room = depth_margin * sphere.radius;
    double first = depth - sphere.radius, last = depth + sphere.radius, far = last > 0 ? depth + room : room;
    bool sensible = isfinite(file->near_plane) && isfinite(file->far_plane) && file->far_plane > file->near_plane &&
                    (file->near_plane > 0 || !(file->fov_y > 0));
    bool kept = sensible && (last <= 0 || (file->near_plane < last && file->far_plane > first));
    camera.near_plane = kept ? file->near_plane : (float)fmax(depth - room, 0.001 * far);
    camera.far_plane = kept ? file->far_plane : (float)far;
    double ahead = 0.5 * ((double)camera.near_plane + camera.far_plane);
    if (!(ahead > 0)) /* an orthographic camera may see what is behind it; it looks ahead all the same */
        ahead = fabs((double)camera.far_plane - camera.near_plane);
    for (int i = 0; i < 3; i++) {
        camera.eye[i] = (float)eye[i];
        camera.target[i] = (float)(eye[i] + ahead * forward[i]);
        camera.up[i] = (float)up[i];
    }
    return camera;
}

void camera_matrices(const struct camera *camera, float aspect, mat4 view, mat4 projection)
{
    double near = camera->near_plane, far = camera->far_plane;
    const double x[3] = {1, 0, 0}, y[3] = {0, 1, 0};
    double eye[3], back[3], up[3], right[3];
    for (int i = 0; i < 3; i++) {
        eye[i] = camera->eye[i];
        back[i] = (double)camera->eye[i] - camera->target[i];
        up[i] = camera->up[i];
    }
    if (!normalize(back))
        memcpy(back, (double[3]){0, 0, 1}, sizeof back);
    vec3d_cross(up, back, right);
    if (!normalize(right)) { /* any direction that is not along `back` */
        vec3d_cross(fabs(back[0]) < 0.9 ? x : y, back, right);
        normalize(right);
    }
    vec3d_cross(back, right, up);
    const double *rows[3] = {right, up, back};
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++)
            view[c][r] = (float)rows[r][c];
        view[3][r] = (float)-vec3d_dot(rows[r], eye);
    }
    view[0][3] = view[1][3] = view[2][3] = 0;
    view[3][3] = 1;
    memset(projection, 0, sizeof(mat4));
    if (camera->fov_y > 0) {
        double f = 1 / tan(0.5 * camera->fov_y);
        projection[0][0] = (float)(f / aspect);
        projection[1][1] = (float)f;
        projection[2][2] = (float)((far + near) / (near - far));
        projection[2][3] = -1;
        projection[3][2] = (float)(2 * far * near / (near - far));
    } else {
        double half = camera->ortho_height > 0 ? camera->ortho_height : 1;
        projection[0][0] = (float)(1 / (half * aspect));
        projection[1][1] = (float)(1 / half);
        projection[2][2] = (float)(2 / (near - far));
        projection[3][2] = (float)((far + near) / (near - far));
        projection[3][3] = 1;
    }
}
