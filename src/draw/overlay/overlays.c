#include "draw/overlay/overlays.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* What is added from now on is tested, or is not. */
static void begin_run(struct primitives *primitives, bool tested)
{
    primitives->runs[primitives->run_count++] = (struct primitive_run){.first = primitives->count, .tested = tested};
}

static const struct program *overlay_program(struct renderer *renderer, struct shader_set *shaders, struct error *err)
{
    const struct program_key key = {.shaders = shaders, .kind = PROGRAM_OVERLAY};
    return programs_get(&renderer->programs, &renderer->context.gl, &key, err);
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

/* Of one instance of the scene, for all of the crowd. */
static bool add_wires_of(const struct overlaid *o, uint32_t instance, struct canvas *canvas, struct error *err)
{
    const struct mesh *mesh = &o->model->scene->meshes[o->model->scene->instances[instance].mesh];
    uint32_t count = o->crowd->count ? o->crowd->count : 1;
    vec3 *positions = memory_new((size_t)count * mesh->vertex_count, sizeof *positions);
    vec3 *normals = memory_new((size_t)count * mesh->vertex_count, sizeof *normals);
    struct skinned *skinned = memory_new(count, sizeof *skinned);
    for (uint32_t m = 0; m < count; m++)
        skinned[m] = (struct skinned){.instance = instance, .vertex_count = mesh->vertex_count,
                                      .positions = positions + (size_t)m * mesh->vertex_count,
                                      .normals = normals + (size_t)m * mesh->vertex_count};
    bool good = draw_crowd_capture(o->renderer, o->model, o->crowd, skinned, err);
    for (uint32_t m = 0; good && m < count; m++)
        wireframe_primitives(canvas, mesh, &skinned[m]);
    free(positions);
    free(normals);
    free(skinned);
    return good;
}

static bool add_wireframe(const struct overlaid *o, struct primitives *primitives, struct error *err)
{
    const struct scene *scene = o->model->scene;
    struct canvas canvas = tested_canvas(o, primitives);
    bool good = true;
    begin_run(primitives, true);
    for (uint32_t i = 0; good && i < scene->instance_count; i++)
        if (scene->meshes[scene->instances[i].mesh].triangle_count > 0)
            good = add_wires_of(o, i, &canvas, err);
    return good;
}

/* Faint where the model hides it. */
static void add_bounds(const struct overlaid *o, struct primitives *primitives)
{
    struct canvas canvas = tested_canvas(o, primitives);
    begin_run(primitives, false);
    bounds_primitives(&canvas, &o->frame_settings->framed, 0.3f);
    begin_run(primitives, true);
    bounds_primitives(&canvas, &o->frame_settings->framed, 1.0f);
}

/* What is drawn on top of everything. */
static void add_on_top(const struct overlaid *o, struct primitives *primitives)
{
    const struct frame_settings *frame_settings = o->frame_settings;
    struct canvas canvas = canvas_create(o->scene_to_clip, frame_settings->width, frame_settings->height, primitives);
    float radius = bounds_radius(&frame_settings->framed);
    begin_run(primitives, false);
    if (frame_settings->overlays & OVERLAY_AXES)
        axes_primitives(&canvas, radius > 0 ? 0.5f * radius : 1);
    for (uint32_t m = 0; m < (o->crowd->count ? o->crowd->count : 1); m++) {
        const struct crowd_member *member = &o->crowd->members[m];
        struct canvas placed = canvas;
        for (int r = 0; r < 4; r++)
            for (int i = 0; i < 3; i++)
                placed.scene_to_clip[3][r] += canvas.scene_to_clip[i][r] * member->place[i];
        if ((frame_settings->overlays & OVERLAY_SKELETON) && member->pose)
            skeleton_primitives(&placed, o->model->scene, member->pose, frame_settings->selected_node);
    }
    if (frame_settings->overlays & OVERLAY_LABEL)
        label_primitives(&canvas, frame_settings->label);
}

bool overlays_prepare(const struct overlaid *o, struct primitives *primitives, struct error *err)
{
    const struct gl *gl = &o->renderer->context.gl;
    const GLsizei stride = sizeof(struct primitive_vertex);
    unsigned wanted = o->frame_settings->overlays;
    if (!wanted)
        return true;
    if (!overlay_program(o->renderer, o->model->shaders, err) ||
        ((wanted & OVERLAY_WIREFRAME) && !add_wireframe(o, primitives, err)))
        return false;
    if ((wanted & OVERLAY_BOUNDS) && !bounds_is_empty(&o->frame_settings->framed))
        add_bounds(o, primitives);
    add_on_top(o, primitives);
    gl->BindVertexArray(o->renderer->overlay_array);
    gl->BindBuffer(GL_ARRAY_BUFFER, o->renderer->overlay_buffer);
    gl->BufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(primitives->count * sizeof(struct primitive_vertex)),
                   primitives->vertices, GL_STREAM_DRAW);
    gl->VertexAttribPointer(OVERLAY_POSITION, 3, GL_FLOAT, GL_FALSE, stride, NULL);
    gl->VertexAttribPointer(OVERLAY_COLOR, 4, GL_FLOAT, GL_FALSE, stride,
                            (const void *)offsetof(struct primitive_vertex, color));
    gl->EnableVertexAttribArray(OVERLAY_POSITION);
    gl->EnableVertexAttribArray(OVERLAY_COLOR);
    return true;
}

bool overlays_draw(struct renderer *renderer, struct shader_set *shaders, const struct primitives *primitives,
                   struct error *err)
{
    const struct gl *gl = &renderer->context.gl;
    if (primitives->count == 0)
        return true;
    const struct program *program = overlay_program(renderer, shaders, err);
    if (!program)
        return false;
    gl->UseProgram(program->id);
    gl->BindVertexArray(renderer->overlay_array);
    for (size_t i = 0; i < primitives->run_count; i++) {
        const struct primitive_run *run = &primitives->runs[i];
        size_t end = i + 1 < primitives->run_count ? run[1].first : primitives->count;
        if (run->tested)
            gl->Enable(GL_DEPTH_TEST);
        else
            gl->Disable(GL_DEPTH_TEST);
        gl->DrawArrays(GL_TRIANGLES, (GLint)run->first, (GLsizei)(end - run->first));
    }
    gl->Disable(GL_DEPTH_TEST);
    return true;
}

void primitives_release(struct primitives *primitives)
{
    free(primitives->vertices);
    *primitives = (struct primitives){0};
}
