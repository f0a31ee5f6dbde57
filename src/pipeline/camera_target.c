/* The camera that the settings choose, with what it goes around. */
#include <math.h>
#include <string.h>

#include "data/affine.h"
#include "draw/frame/camera.h"
#include "pipeline/pipeline.h"

/* The node's matrix with all nodes at rest. */
static void rest_matrix(const struct scene *scene, int32_t node, mat4 out)
{
    memcpy(out, scene->nodes[node].local_to_parent, sizeof(mat4));
    for (int32_t n = scene->nodes[node].parent; n != NO_INDEX; n = scene->nodes[n].parent)
        affine_mul(scene->nodes[n].local_to_parent, out, out);
}

/* Finds the bone that the camera goes around in the last pose, where it is seen: with --space and --place. */
static void find_bone(const struct pipeline *p, vec3 out)
{
    mat4 to_scene, to_picture, inverse;
    if (p->settings->follow == FOLLOW_REST)
        rest_matrix(p->scene, p->target_node, to_scene);
    else
        memcpy(to_scene, p->pose.node_to_scene[p->target_node], sizeof(mat4));
    memcpy(to_picture, p->place, sizeof(mat4));
    if (p->settings->space == SPACE_ROOT) { /* as palette_compute() */
        affine_inverse(p->scene->nodes[0].local_to_parent, inverse);
        affine_mul(p->place, inverse, to_picture);
    }
    affine_point(to_picture, to_scene[3], out);
}

void pipeline_hold_target(struct pipeline *p)
{
    if (p->target_node == NO_INDEX)
        return;
    find_bone(p, p->target);
    p->has_target = true;
}

/* Finds where the target is, which is given unless it is a bone; in a crowd it is the first instance's. */
static void find_target(const struct pipeline *p, const struct bounds *bounds, vec3 out)
{
    vec3 cell = {0, 0, 0};
    if (p->target_node == NO_INDEX)
        return;
    if (p->settings->follow == FOLLOW_FIRST && p->has_target)
        memcpy(out, p->target, sizeof(vec3));
    else
        find_bone(p, out);
    crowd_cell(p, bounds, 0, cell);
    for (int i = 0; i < 3; i++)
        out[i] += cell[i];
}

static bool camera_of_file(const struct pipeline *p, const struct bounds *all, struct camera *out, struct error *err)
{
    const struct settings *s = p->settings;
    SCOPED(text) list = {0};
    bool found = false;
    for (uint32_t i = 0; !found && i < p->scene->camera_count; i++) {
        const struct scene_camera *camera = &p->scene->cameras[i];
        text_addf(&list, "%s%s", i ? ", " : "", camera->name);
        found = strcmp(camera->name, s->camera_name) == 0;
        if (found)
            *out = camera_from_scene(camera, camera->node == NO_INDEX ? NULL : &p->pose.node_to_scene[camera->node],
                all);
    }
    if (!found)
        error_set(err, "%s has no camera `%s`; it has: %s", p->scene->path, s->camera_name,
                  list.size ? text_string(&list) : "none");
    return found;
}

/* An orbit frames the model on its own, and its axes where they reach out of the sphere around it. */
static struct bounds framed_bounds(const struct settings *s, const struct bounds *all)
{
    const float radius = bounds_is_empty(all) ? 0 : bounds_radius(all), length = AXES_LENGTH(radius);
    struct bounds framed = *all;
    if (!(settings_overlays(s) & OVERLAY_AXES) || s->orbit.has_target || !(radius > 0))
        return framed;
    for (int end = -1; end < 3; end++) { /* the origin, the tips */
        vec3 at = {0, 0, 0};
        double square = 0;
        if (end >= 0)
            at[end] = length;
        for (int i = 0; i < 3; i++) {
            const double from = at[i] - 0.5 * ((double)all->min[i] + (double)all->max[i]);
            square += from * from;
        }
        if (sqrt(square) > (double)radius)
            bounds_add_points(&framed, (const vec3 *)&at, 1);
    }
    return framed;
}

bool pipeline_camera(const struct pipeline *p, const struct bounds *bounds, const struct orbit *orbit,
                     struct camera *out, struct error *err)
{
    const struct settings *s = p->settings;
    const struct bounds all = crowd_bounds(p, bounds), framed = framed_bounds(s, &all);
    const float aspect = (float)s->width / (float)s->height;
    const bool is_free = s->camera_kind == CAMERA_FREE;
    struct orbit around = is_free ? s->orbit : *orbit;
    if (s->camera_kind == CAMERA_OF_FILE)
        return camera_of_file(p, &all, out, err);
    if (s->camera_kind == CAMERA_SAVED) {
        *out = s->saved_camera;
        return true;
    }
    find_target(p, bounds, around.target);
    if (is_free && memcmp(s->eye, around.target, sizeof s->eye) == 0)
        return error_set(err, "--camera: the eye is where the bone `%.*s` is", (int)s->aim_bone.length,
                         s->aim_bone.data);
    *out = is_free ? camera_free(&all, &around, s->eye, s->has_up ? s->camera_up : NULL, p->up_axis, p->up_sign)
                   : camera_orbit(&framed, &around, p->up_axis, p->up_sign, aspect);
    camera_pan(out, s->pan, aspect);
    return true;
}
