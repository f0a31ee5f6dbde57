#include "draw/overlay/overlays.h"

#include <stdlib.h>
#include <string.h>

#include "draw/overlay/gizmos.h"
#include "draw/overlay/skeleton_overlay.h"
#include "draw/overlay/wireframe.h"

static bool out_of_memory(struct error *err)
{
    return error_set_code(err, EXIT_CODE_DIFFERS, "overlays: out of memory");
}

/* A little towards the camera: 0.6 % of the radius, so that neither a surface's slope nor its rounding hides its edge. */
static struct canvas tested_canvas(const struct overlaid *o, struct primitives *primitives)
{
    const struct frame_settings *frame_settings = o->frame_settings;
    struct canvas canvas = canvas_create(o->scene_to_clip, frame_settings->width, frame_settings->height, primitives);
    float radius = bounds_radius(&frame_settings->framed);
    float by =
        radius > 0 ? 0.006f * radius : 0.002f * (frame_settings->camera.far_plane - frame_settings->camera.near_plane);
    for (int r = 0; r < 4; r++)
        for (int i = 0; i < 3; i++)
            canvas.lift[r] += o->scene_to_clip[i][r] * by * o->view[i][2];
    canvas.tested = true;
    return canvas;
}

static bool add_wires_of(const struct overlaid *o, uint32_t instance, struct canvas *canvas, struct error *err)
{
    const struct scene *scene = o->model->scene;
    const struct mesh *mesh = &scene->meshes[scene->instances[instance].mesh];
    struct skinned skinned = {.instance = instance, .vertex_count = mesh->vertex_count};
    skinned.positions = calloc(mesh->vertex_count + 1u, sizeof *skinned.positions);
    skinned.normals = calloc(mesh->vertex_count + 1u, sizeof *skinned.normals);
    bool good = (skinned.positions && skinned.normals) || out_of_memory(err);
    good = good && draw_capture(o->renderer, o->model, o->palette, &skinned, err);
    good = good && (wireframe_primitives(canvas, mesh, &skinned) || out_of_memory(err));
    free(skinned.positions);
    free(skinned.normals);
    return good;
}

static bool add_wireframe(const struct overlaid *o, struct primitives *primitives, struct error *err)
{
    const struct scene *scene = o->model->scene;
    struct canvas canvas = tested_canvas(o, primitives);
    bool good = true;
    primitives_begin(primitives, true);
    for (uint32_t i = 0; good && i < scene->instance_count; i++)
        if (scene->meshes[scene->instances[i].mesh].triangle_count > 0)
            good = add_wires_of(o, i, &canvas, err);
    primitives_end(primitives);
    return good;
}

/* Faint where the model hides it. */
static bool add_bounds(const struct overlaid *o, struct primitives *primitives, struct error *err)
{
    struct canvas canvas = tested_canvas(o, primitives);
    if (bounds_is_empty(&o->frame_settings->framed))
        return true;
    primitives_begin(primitives, false);
    bounds_primitives(&canvas, &o->frame_settings->framed, 0.3f);
    primitives_end(primitives);
    primitives_begin(primitives, true);
    bounds_primitives(&canvas, &o->frame_settings->framed, 1.0f);
    primitives_end(primitives);
    return !canvas.failed || out_of_memory(err);
}

/* What is drawn on top of everything. */
static bool add_on_top(const struct overlaid *o, struct primitives *primitives, struct error *err)
{
    const struct frame_settings *frame_settings = o->frame_settings;
    struct canvas canvas = canvas_create(o->scene_to_clip, frame_settings->width, frame_settings->height, primitives);
    float radius = bounds_radius(&frame_settings->framed);
    bool good = true;
    primitives_begin(primitives, false);
    if (frame_settings->overlays & OVERLAY_AXES)
        axes_primitives(&canvas, radius > 0 ? 0.5f * radius : 1);
    if ((frame_settings->overlays & OVERLAY_SKELETON) && o->pose)
        good = skeleton_primitives(o->model->scene, o->pose, canvas.scene_to_clip, frame_settings->width,
                                   frame_settings->height, frame_settings->selected_node, primitives);
    if (frame_settings->overlays & OVERLAY_LABEL)
        label_primitives(&canvas, frame_settings->label);
    primitives_end(primitives);
    return (good && !canvas.failed) || out_of_memory(err);
}

static void upload(struct renderer *renderer, const struct primitives *primitives)
{
    const struct gl *gl = &renderer->context.gl;
    const GLsizei stride = sizeof(struct primitive_vertex);
    gl->BindVertexArray(renderer->overlay_array);
    gl->BindBuffer(GL_ARRAY_BUFFER, renderer->overlay_buffer);
    gl->BufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(primitives->count * sizeof(struct primitive_vertex)),
                   primitives->vertices, GL_STREAM_DRAW);
    gl->VertexAttribPointer(OVERLAY_POSITION, 3, GL_FLOAT, GL_FALSE, stride, NULL);
    gl->VertexAttribPointer(OVERLAY_COLOR, 4, GL_FLOAT, GL_FALSE, stride,
                            (const void *)offsetof(struct primitive_vertex, color));
    gl->EnableVertexAttribArray(OVERLAY_POSITION);
    gl->EnableVertexAttribArray(OVERLAY_COLOR);
}

bool overlays_prepare(const struct overlaid *o, struct primitives *primitives, struct error *err)
{
    unsigned wanted = o->frame_settings->overlays;
    if (!wanted)
        return true;
    if (!programs_overlay(&o->renderer->programs, &o->renderer->context.gl, o->model->shaders, err))
        return false;
    bool good = (!(wanted & OVERLAY_WIREFRAME) || add_wireframe(o, primitives, err)) &&
                (!(wanted & OVERLAY_BOUNDS) || add_bounds(o, primitives, err)) && add_on_top(o, primitives, err);
    if (good)
        upload(o->renderer, primitives);
    return good;
}

bool overlays_draw(struct renderer *renderer, struct shader_set *shaders, const struct primitives *primitives,
                   struct error *err)
{
    const struct gl *gl = &renderer->context.gl;
    if (primitives->count == 0)
        return true;
    const struct program *program = programs_overlay(&renderer->programs, gl, shaders, err);
    if (!program)
        return false;
    gl->UseProgram(program->id);
    gl->BindVertexArray(renderer->overlay_array);
    for (size_t i = 0; i < primitives->run_count; i++) {
        const struct primitive_run *run = &primitives->runs[i];
        if (run->tested)
            gl->Enable(GL_DEPTH_TEST);
        else
            gl->Disable(GL_DEPTH_TEST);
        gl->DrawArrays(GL_TRIANGLES, (GLint)run->first, (GLsizei)run->count);
    }
    gl->Disable(GL_DEPTH_TEST);
    return true;
}
