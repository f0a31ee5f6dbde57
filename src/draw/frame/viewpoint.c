#include "draw/frame/viewpoint.h"

#include <math.h>
#include <stdlib.h>

#include "data/scene/bone_colors.h"
#include "draw/frame/camera.h"

/* ---- the camera's ---------------------------------------------------------------------------------------------- */

/* The range of depths that the view `depth` shows, along the camera's view. */
static void depth_range(const struct frame_settings *frame_settings, const vec4 *view, double *near, double *far)
{
    const struct bounds *box = &frame_settings->framed;
    *near = INFINITY;
    *far = -INFINITY;
    for (int corner = 0; corner < 8 && !bounds_is_empty(box) && bounds_radius(box) > 0; corner++) {
        double depth = -(double)view[3][2];
        for (int i = 0; i < 3; i++)
            depth -= (double)view[i][2] * (corner >> i & 1 ? box->max[i] : box->min[i]);
        *near = fmin(*near, depth);
        *far = fmax(*far, depth);
    }
    *near = fmax(*near, frame_settings->camera.near_plane);
    if (*far > *near)
        return;
    *near = frame_settings->camera.near_plane;
    *far = frame_settings->camera.far_plane;
}

void viewpoint_of(const struct frame_settings *frame_settings, struct viewpoint *out)
{
    /* Of lit.frag as the camera sees them: to the right, up, towards it. Unit vectors. */
    static const float lights[4][3] = {{-0.4867f, 0.6489f, 0.5840f},  /* key */
                                       {0.7809f, 0.0976f, 0.6169f},   /* fill */
                                       {0.5571f, 0.4642f, -0.6886f},  /* rim */
                                       {0, 1, 0}};                    /* sky */
    mat4 projection;
    double near, far;
    camera_matrices(&frame_settings->camera, (float)frame_settings->width / (float)frame_settings->height, out->view,
                    projection);
    for (int c = 0; c < 4; c++)
        for (int r = 0; r < 4; r++) {
            double sum = 0;
            for (int k = 0; k < 4; k++)
                sum += (double)projection[k][r] * out->view[c][k];
            out->scene_to_clip[c][r] = (float)sum;
        }
    for (int l = 0; l < 4; l++)
        for (int c = 0; c < 3; c++) {
            const float *column = out->view[c], *light = lights[l];
            out->directions[l][c] = column[0] * light[0] + column[1] * light[1] + column[2] * light[2];
        }
    depth_range(frame_settings, (const vec4 *)out->view, &near, &far);
    double by = 1 / (far - near); /* nearness = (far - depth) * by */
    for (int i = 0; i < 3; i++)
        out->nearness[i] = (float)(out->view[i][2] * by);
    out->nearness[3] = (float)((far + out->view[3][2]) * by);
}

void viewpoint_set(const struct viewpoint *viewpoint, const struct gl *gl, const struct program *program)
{
    static const enum uniform directions[4] = {UNIFORM_KEY_DIRECTION, UNIFORM_FILL_DIRECTION, UNIFORM_RIM_DIRECTION,
                                               UNIFORM_SKY_DIRECTION};
    const GLint *at = program->uniforms;
    gl->UniformMatrix4fv(at[UNIFORM_SCENE_TO_CLIP], 1, GL_FALSE, viewpoint->scene_to_clip[0]);
    for (int i = 0; i < 4; i++)
        gl->Uniform3fv(at[directions[i]], 1, viewpoint->directions[i]);
    gl->Uniform4fv(at[UNIFORM_NEARNESS], 1, viewpoint->nearness);
}

/* ---- the views' ------------------------------------------------------------------------------------------------ */

bool views_prepare(struct renderer *renderer, const struct scene *scene, const struct frame_settings *frame_settings,
                   struct error *err)
{
    if (frame_settings->view != VIEW_BONES && frame_settings->view != VIEW_BONE_WEIGHT)
        return true;
    uint8_t(*of_nodes)[3] = calloc(scene->node_count + 1u, sizeof *of_nodes);
    float(*colors)[4] = calloc(scene->binding_count + 1u, sizeof *colors);
    bool good = of_nodes && colors && bone_colors(scene, of_nodes);
    for (uint32_t b = 0; good && b < scene->binding_count; b++) {
        uint32_t node = scene->bindings[b].node;
        for (int c = 0; c < 3; c++)
            colors[b][c] = (float)of_nodes[node][c] / 255.0f;
        colors[b][3] = frame_settings->shown_node >= 0 && (uint32_t)frame_settings->shown_node == node;
    }
    if (good)
        buffer_texture_fill(&renderer->binding_colors, &renderer->context.gl, UNIT_BINDING_COLORS, GL_RGBA32F, colors,
                            scene->binding_count * sizeof *colors);
    free(of_nodes);
    free(colors);
    return good || error_set_code(err, EXIT_CODE_DIFFERS, "view %s: out of memory", view_names[frame_settings->view]);
}
