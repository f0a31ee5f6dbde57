#include "draw/overlays.h"

#include <stdlib.h>
#include <string.h>

#include "draw/guides.h"
#include "draw/skeleton.h"
#include "draw/wireframe.h"

static bool out_of_memory(struct error *err)
{
    return error_set_code(err, EXIT_CODE_DIFFERS, "overlays: out of memory");
}

/* A little towards the camera: 0.6 % of the radius, so that neither a surface's slope nor its rounding hides its edge. */
static struct canvas tested_canvas(const struct overlaid *o, struct marks *marks)
{
    const struct shot *shot = o->shot;
    struct canvas canvas = canvas_create(o->scene_to_clip, shot->width, shot->height, marks);
    float radius = bounds_radius(&shot->framed);
    float by = radius > 0 ? 0.006f * radius : 0.002f * (shot->camera.far_plane - shot->camera.near_plane);
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
    good = good && (wireframe_marks(canvas, mesh, &skinned) || out_of_memory(err));
    free(skinned.positions);
    free(skinned.normals);
    return good;
}

static bool add_wireframe(const struct overlaid *o, struct marks *marks, struct error *err)
{
    const struct scene *scene = o->model->scene;
    struct canvas canvas = tested_canvas(o, marks);
    bool good = true;
    marks_begin(marks, true);
    for (uint32_t i = 0; good && i < scene->instance_count; i++)
        if (scene->meshes[scene->instances[i].mesh].triangle_count > 0)
            good = add_wires_of(o, i, &canvas, err);
    marks_end(marks);
    return good;
}

/* Faint where the model hides it. */
static bool add_bounds(const struct overlaid *o, struct marks *marks, struct error *err)
{
    struct canvas canvas = tested_canvas(o, marks);
    if (bounds_is_empty(&o->shot->framed))
        return true;
    marks_begin(marks, false);
    bounds_marks(&canvas, &o->shot->framed, 0.3f);
    marks_end(marks);
    marks_begin(marks, true);
    bounds_marks(&canvas, &o->shot->framed, 1.0f);
    marks_end(marks);
    return !canvas.failed || out_of_memory(err);
}

/* What is drawn on top of everything. */
static bool add_on_top(const struct overlaid *o, struct marks *marks, struct error *err)
{
    const struct shot *shot = o->shot;
    struct canvas canvas = canvas_create(o->scene_to_clip, shot->width, shot->height, marks);
    float radius = bounds_radius(&shot->framed);
    bool good = true;
    marks_begin(marks, false);
    if (shot->overlays & OVERLAY_AXES)
        axes_marks(&canvas, radius > 0 ? 0.5f * radius : 1);
    if ((shot->overlays & OVERLAY_SKELETON) && o->pose)
        good = skeleton_marks(o->model->scene, o->pose, canvas.scene_to_clip, shot->width, shot->height,
                              shot->selected_node, marks);
    if (shot->overlays & OVERLAY_LABEL)
        label_marks(&canvas, shot->label);
    marks_end(marks);
    return (good && !canvas.failed) || out_of_memory(err);
}

static void upload(struct renderer *renderer, const struct marks *marks)
{
    const struct gl *gl = &renderer->context.gl;
    const GLsizei stride = sizeof(struct mark_vertex);
    gl->BindVertexArray(renderer->overlay_array);
    gl->BindBuffer(GL_ARRAY_BUFFER, renderer->overlay_buffer);
    gl->BufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(marks->count * sizeof(struct mark_vertex)), marks->vertices,
                   GL_STREAM_DRAW);
    gl->VertexAttribPointer(OVERLAY_POSITION, 3, GL_FLOAT, GL_FALSE, stride, NULL);
    gl->VertexAttribPointer(OVERLAY_COLOR, 4, GL_FLOAT, GL_FALSE, stride,
                            (const void *)offsetof(struct mark_vertex, color));
    gl->EnableVertexAttribArray(OVERLAY_POSITION);
    gl->EnableVertexAttribArray(OVERLAY_COLOR);
}

bool overlays_prepare(const struct overlaid *o, struct marks *marks, struct error *err)
{
    unsigned wanted = o->shot->overlays;
    if (!wanted)
        return true;
    if (!programs_overlay(&o->renderer->programs, &o->renderer->context.gl, o->model->shaders, err))
        return false;
    bool good = (!(wanted & OVERLAY_WIREFRAME) || add_wireframe(o, marks, err)) &&
                (!(wanted & OVERLAY_BOUNDS) || add_bounds(o, marks, err)) && add_on_top(o, marks, err);
    if (good)
        upload(o->renderer, marks);
    return good;
}

bool overlays_draw(struct renderer *renderer, struct shader_set *shaders, const struct marks *marks, struct error *err)
{
    const struct gl *gl = &renderer->context.gl;
    if (marks->count == 0)
        return true;
    const struct program *program = programs_overlay(&renderer->programs, gl, shaders, err);
    if (!program)
        return false;
    gl->UseProgram(program->id);
    gl->BindVertexArray(renderer->overlay_array);
    for (size_t i = 0; i < marks->run_count; i++) {
        const struct mark_run *run = &marks->runs[i];
        if (run->tested)
            gl->Enable(GL_DEPTH_TEST);
        else
            gl->Disable(GL_DEPTH_TEST);
        gl->DrawArrays(GL_TRIANGLES, (GLint)run->first, (GLsizei)run->count);
    }
    gl->Disable(GL_DEPTH_TEST);
    return true;
}
