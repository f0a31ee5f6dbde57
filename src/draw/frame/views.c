#include "draw/frame/views.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/scene/bone_colors.h"

static bool needs_bindings(enum view view)
{
    return view == VIEW_BONES || view == VIEW_BONE_WEIGHT;
}

static void upload(struct renderer *renderer, const float (*colors)[4], uint32_t count)
{
    const struct gl *gl = &renderer->context.gl;
    if (!renderer->binding_colors_buffer) {
        gl->GenBuffers(1, &renderer->binding_colors_buffer);
        gl->GenTextures(1, &renderer->binding_colors_texture);
    }
    gl->BindBuffer(GL_TEXTURE_BUFFER, renderer->binding_colors_buffer);
    gl->BufferData(GL_TEXTURE_BUFFER, (GLsizeiptr)(count * sizeof *colors), colors, GL_STREAM_DRAW);
    gl->ActiveTexture(GL_TEXTURE0 + UNIT_BINDING_COLORS);
    gl->BindTexture(GL_TEXTURE_BUFFER, renderer->binding_colors_texture);
    gl->TexBuffer(GL_TEXTURE_BUFFER, GL_RGBA32F, renderer->binding_colors_buffer);
}

bool views_prepare(struct renderer *renderer, const struct scene *scene, const struct frame_settings *frame_settings,
                   struct error *err)
{
    if (!needs_bindings(frame_settings->view))
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
        upload(renderer, (const float(*)[4])colors, scene->binding_count);
    free(of_nodes);
    free(colors);
    return good || error_set_code(err, EXIT_CODE_DIFFERS, "view %s: out of memory", view_names[frame_settings->view]);
}

/* Depths of the box's corners along the camera's view. False when there is no box. */
static bool depth_range(const struct frame_settings *frame_settings, const vec4 *view, double *nearest,
                        double *farthest)
{
    if (bounds_is_empty(&frame_settings->framed) || !(bounds_radius(&frame_settings->framed) > 0))
        return false;
    *nearest = INFINITY;
    *farthest = -INFINITY;
    for (int corner = 0; corner < 8; corner++) {
        double depth = -(double)view[3][2];
        for (int i = 0; i < 3; i++)
            depth -=
                (double)view[i][2] * (corner >> i & 1 ? frame_settings->framed.max[i] : frame_settings->framed.min[i]);
        *nearest = fmin(*nearest, depth);
        *farthest = fmax(*farthest, depth);
    }
    *nearest = fmax(*nearest, frame_settings->camera.near_plane);
    return *farthest > *nearest;
}

void views_nearness(const struct frame_settings *frame_settings, const vec4 *view, float out[4])
{
    double near, far;
    if (!depth_range(frame_settings, view, &near, &far)) {
        near = frame_settings->camera.near_plane;
        far = frame_settings->camera.far_plane;
    }
    double by = 1 / (far - near); /* nearness = (far - depth) * by */
    for (int i = 0; i < 3; i++)
        out[i] = (float)(view[i][2] * by);
    out[3] = (float)((far + view[3][2]) * by);
}
