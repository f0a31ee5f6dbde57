#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "draw/frame/studio.h"

static double dot(const float *a, const float *b)
{
    return (double)a[0] * b[0] + (double)a[1] * b[1] + (double)a[2] * b[2];
}

/* Keeps what is left of v across a unit vector, as a unit vector; false where that is nothing. */
static bool across(const float v[3], const float unit[3], float out[3])
{
    const double along = dot(v, unit);
    double rest[3], square = 0;
    for (int i = 0; i < 3; i++) {
        rest[i] = (double)v[i] - along * unit[i];
        square += rest[i] * rest[i];
    }
    for (int i = 0; i < 3; i++)
        out[i] = (float)(rest[i] / sqrt(square));
    return square > 1e-6;
}

/* The lights turn about the scene's up with the camera's right, or with its up where it looks along the ground's. */
void studio_set_viewpoint(struct frame *frame)
{
    const struct frame_settings *settings = frame->frame_settings;
    const struct scene *scene = frame->model->scene;
    const vec4 *view = (const vec4 *)frame->view;
    const int sign = settings->up_sign ? settings->up_sign : scene->up_sign;
    const int axis = settings->up_sign ? settings->up_axis : scene->up_axis;
    float *right = frame->studio.rig[0], *up = frame->studio.rig[1], *front = frame->studio.rig[2];
    const vec3 rows[3] = {{view[0][0], view[1][0], view[2][0]},
                          {view[0][1], view[1][1], view[2][1]},
                          {view[0][2], view[1][2], view[2][2]}};
    memset(up, 0, sizeof(vec3));
    up[axis] = sign < 0 ? -1 : 1;
    if (!across(rows[0], up, right))
        across(rows[2], up, right);
    for (int i = 0; i < 3; i++)
        front[i] = right[(i + 1) % 3] * up[(i + 2) % 3] - right[(i + 2) % 3] * up[(i + 1) % 3];
    const bool perspective = settings->camera.fov_y > 0;
    for (int i = 0; i < 3; i++)
        frame->studio.eye[i] = perspective ? settings->camera.eye[i] : rows[2][i];
    frame->studio.eye[3] = perspective;
}

void studio_set_tile(const struct frame *frame, uint32_t x, uint32_t y)
{
    struct depth_map *map = &frame->renderer->depths;
    map->offset[0] = map->scale[0] * (float)x;
    map->offset[1] = map->scale[1] * (float)y;
}

void studio_set_uniforms(const struct frame *frame, const struct program *program)
{
    gl->Uniform4fv(program->uniforms[UNIFORM_EYE], 1, frame->studio.eye);
    for (int i = 0; i < 3; i++)
        gl->Uniform3fv(program->uniforms[UNIFORM_RIG_RIGHT + i], 1, frame->studio.rig[i]);
    const struct depth_map *map = &frame->renderer->depths;
    gl->Uniform4fv(program->uniforms[UNIFORM_AMBIENT_OCCLUSION_AT], 1,
                   (vec4){map->offset[0], map->offset[1], map->scale[0], map->scale[1]});
    gl->ActiveTexture(GL_TEXTURE0 + UNIFORM_AMBIENT_OCCLUSION);
    gl->BindTexture(GL_TEXTURE_2D, map->made);
}

void studio_add_to_key(const struct frame *frame, const struct gpu_mesh *mesh, struct program_key *key)
{
    const struct gpu_model *model = frame->model;
    const struct surface *surface = &model->surfaces[mesh->mesh->material];
    if (frame->bindings || frame->frame_settings->view != VIEW_STUDIO)
        return;
    for (int slot = 0; slot < SURFACE_SLOTS; slot++)
        if (surface->maps[slot].texture != NO_INDEX && model->textures[surface->maps[slot].texture])
            key->maps |= 1u << slot;
    key->coated = surface->coat > 0 && !surface->unlit;
    if (!mesh->mesh->tangents)
        key->maps &= ~(1u << SURFACE_NORMAL | 1u << SURFACE_COAT_NORMAL);
    if (!key->coated)
        key->maps &= (1u << SURFACE_COAT) - 1;
    key->textured = key->maps >> SURFACE_BASE & 1;
    key->more_uv = mesh->mesh->more_uvs != NULL;
}

static bool draw_instance(struct frame *frame, uint32_t index, const struct input_values *values, struct error *err)
{
    struct renderer *renderer = frame->renderer;
    const struct gpu_mesh *mesh = &frame->model->meshes[frame->model->scene->instances[index].mesh];
    const struct material *material = &frame->model->scene->materials[mesh->mesh->material];
    const bool is_cut = material->alpha_mode != ALPHA_OPAQUE;
    struct program_key key = gpu_model_key(frame->model, mesh, PROGRAM_DEPTH_MAP, &frame->crowd);
    key.alpha = is_cut ? ALPHA_MASK : ALPHA_OPAQUE;
    key.two_sided = true;
    key.textured = is_cut && material->base_texture != NO_INDEX;
    const struct program *program = programs_get(&renderer->programs, &key, err);
    if (!program)
        return false;
    gl->UseProgram(program->id);
    gl->UniformMatrix4fv(program->uniforms[UNIFORM_SCENE_TO_CLIP], 1, GL_FALSE, values->scene_to_clip[0]);
    gpu_model_bind(frame->model, index, program, values);
    if (material->alpha_mode == ALPHA_BLEND)
        gl->Uniform1f(program->uniforms[UNIFORM_ALPHA_CUTOFF], 0.5f);
    gl->DrawElementsInstanced(GL_TRIANGLES, (GLsizei)(3 * mesh->mesh->triangle_count), GL_UNSIGNED_INT, NULL,
                              (GLsizei)crowd_members(&frame->crowd));
    return true;
}

bool depth_map_draw(struct frame *frame, struct depth_map *map, uint32_t width, uint32_t height,
                    const mat4 scene_to_clip, enum depth_of what, struct error *err)
{
    const struct scene *scene = frame->model->scene;
    const struct rectangle whole = {0, 0, width, height};
    struct input_values values = {.time = (float)frame->crowd.time};
    memcpy(values.scene_to_clip, scene_to_clip, sizeof(mat4));
    memcpy(values.projection, scene_to_clip, sizeof(mat4));
    for (int i = 0; i < 4; i++)
        values.view[i][i] = 1;
    if (!target_prepare(&map->target, width, height, 1, err))
        return false;
    target_clear(&map->target, &whole);
    gl->BindFramebuffer(GL_FRAMEBUFFER, map->target.framebuffer);
    gl->Viewport(0, 0, (GLsizei)width, (GLsizei)height);
    gl->Enable(GL_DEPTH_TEST);
    gl->DepthFunc(GL_LESS);
    gl->DepthMask(GL_TRUE);
    gl->Disable(GL_BLEND);
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        const struct mesh *mesh = &scene->meshes[scene->instances[i].mesh];
        const bool is_left_out = what == DEPTH_OF_OPAQUE && scene->materials[mesh->material].alpha_mode == ALPHA_BLEND;
        if (mesh->triangle_count > 0 && !is_left_out && !draw_instance(frame, i, &values, err))
            return false;
    }
    const size_t count = (size_t)width * height;
    map->depths = memory_grow(map->depths, count, sizeof *map->depths);
    uint8_t *bytes = (uint8_t *)map->depths; /* in place */
    target_read(&map->target, &whole, bytes);
    for (size_t i = 0; i < count; i++, bytes += 4)
        map->depths[i] = bytes[3] ? bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 : NO_DEPTH;
    return true;
}

void depth_map_upload(struct depth_map *map, GLuint unit, const uint8_t *bytes)
{
    const bool is_new = !map->made;
    if (is_new)
        gl->GenTextures(1, &map->made);
    gl->ActiveTexture(GL_TEXTURE0 + unit);
    gl->BindTexture(GL_TEXTURE_2D, map->made);
    if (is_new) {
        gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
        gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
        gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
        gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    }
    gl->PixelStorei(GL_UNPACK_ALIGNMENT, 1);
    gl->TexImage2D(GL_TEXTURE_2D, 0, GL_R8, (GLsizei)map->target.width, (GLsizei)map->target.height, 0, GL_RED,
                   GL_UNSIGNED_BYTE, bytes);
}
