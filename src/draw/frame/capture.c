/* The vertex shader's vertices, as transform feedback gives them. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "data/affine.h"
#include "draw/renderer/renderer.h"

/*
 * One vertex as transform feedback writes it, position, normal and any tangent: of a shader that was written for
 * another program, the place in clip space, under matrices that make it the scene's, and a normal that its fragment
 * shader would have made a unit vector.
 */
static void read_captured(const struct contract *contract, const float *from, struct skinned *out, uint32_t vertex)
{
    const bool is_clip = contract && contract->captures_clip;
    const float *normal = from + (is_clip ? 4 : 3), w = is_clip ? from[3] : 1;
    for (int i = 0; i < 3; i++)
        out->positions[vertex][i] = from[i] / w;
    if (!out->normals)
        return;
    float length = is_clip ? sqrtf(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]) : 1;
    for (int i = 0; i < 3; i++)
        out->normals[vertex][i] = normal[i] / (length > 0 ? length : 1);
    if (out->tangents)
        memcpy(out->tangents[vertex], normal + 3, sizeof(vec4));
}

/* Out of a buffer that all of the crowd's vertices are written to, one after the other. */
static bool capture(struct gpu_model *model, const struct program *program, const struct crowd *crowd,
                    struct skinned *out, struct error *err)
{
    const struct contract *contract = program->contract;
    const uint32_t count = crowd_members(crowd), vertices = out->vertex_count;
    const bool has_tangents = program->tangents;
    const size_t floats = (contract && contract->captures_clip ? 4u : 3u) +
                          (contract && !contract->captures_normal ? 0u : 3u) + (has_tangents ? 4u : 0u);
    size_t size = (size_t)count * vertices * floats * sizeof(float);
    FREED float *captured = memory_new(1, size);
    struct input_values values = {.time = (float)crowd->time};
    GLuint buffer = 0;
    memcpy(values.projection, mat4_identity, sizeof(mat4));
    memcpy(values.view, mat4_identity, sizeof(mat4));
    memcpy(values.scene_to_clip, mat4_identity, sizeof(mat4));
    gl->GenBuffers(1, &buffer);
    gl->UseProgram(program->id);
    gl->UniformMatrix4fv(program->uniforms[UNIFORM_SCENE_TO_CLIP], 1, GL_FALSE, mat4_identity[0]);
    gpu_model_bind(model, out->instance, program, &values);
    gl->BindBuffer(GL_TRANSFORM_FEEDBACK_BUFFER, buffer);
    gl->BufferData(GL_TRANSFORM_FEEDBACK_BUFFER, (GLsizeiptr)size, NULL, GL_STREAM_READ);
    gl->BindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
    gl->Enable(GL_RASTERIZER_DISCARD);
    gl->BeginTransformFeedback(GL_POINTS);
    gl->DrawArraysInstanced(GL_POINTS, 0, (GLsizei)vertices, (GLsizei)count);
    gl->EndTransformFeedback();
    gl->Disable(GL_RASTERIZER_DISCARD);
    gl->BindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, 0);
    gl->BindBuffer(GL_TRANSFORM_FEEDBACK_BUFFER, buffer);
    gl->GetBufferSubData(GL_TRANSFORM_FEEDBACK_BUFFER, 0, (GLsizeiptr)size, captured);
    gl->BindBuffer(GL_TRANSFORM_FEEDBACK_BUFFER, 0);
    gl->DeleteBuffers(1, &buffer);
    const float *from = captured;
    for (uint32_t m = 0; m < count; m++) {
        if (contract && !contract->captures_normal)
            out[m].normals = NULL;
        if (!has_tangents)
            out[m].tangents = NULL;
        for (uint32_t v = 0; v < vertices; v++, from += floats)
            read_captured(contract, from, &out[m], v);
    }
    return gl_check_errors("capturing vertices", err);
}

bool draw_crowd_capture(struct renderer *renderer, struct gpu_model *model, const struct crowd *crowd,
                        struct skinned *out, struct error *err)
{
    const struct scene *scene = model->scene;
    assert(out->instance < scene->instance_count);
    const struct gpu_mesh *mesh = &model->meshes[scene->instances[out->instance].mesh];
    assert(out->vertex_count == mesh->mesh->vertex_count);
    if (out->vertex_count == 0)
        return true;
    if (!gpu_model_check_crowd(model, crowd, err) || !gl_context_use(&renderer->context, err))
        return false;
    gl_clear_errors();
    struct program_key key = gpu_model_key(model, mesh, PROGRAM_CAPTURE, crowd);
    key.view = VIEW_UNLIT;
    key.two_sided = true;
    key.tangents = out->tangents && mesh->mesh->tangents;
    const struct program *program = programs_get(&renderer->programs, &key, err);
    /* Without a surface there is no framebuffer but ours, and GL wants one even where nothing is rasterised. */
    if (!program || (renderer->target.framebuffer == 0 && !target_prepare(&renderer->target, 16, 16, 1, err)))
        return false;
    gl->BindFramebuffer(GL_FRAMEBUFFER, renderer->target.framebuffer);
    return gpu_model_upload_crowd(model, crowd, err) &&
           (!program->contract || contract_holds_bones(program->contract, mesh->mesh, crowd_members(crowd), err)) &&
           capture(model, program, crowd, out, err);
}
