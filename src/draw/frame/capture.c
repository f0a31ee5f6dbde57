#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "draw/renderer.h"

/* One vertex as transform feedback writes it. */
struct captured {
    float position[3];
    float normal[3];
};

/* Out of a buffer that all of the crowd's vertices are written to, one after the other. */
static bool capture(struct gpu_model *model, const struct program *program, uint32_t count, struct skinned *out,
                    struct error *err)
{
    const struct gl *gl = &model->renderer->context.gl;
    uint32_t vertices = out->vertex_count;
    size_t size = (size_t)count * vertices * sizeof(struct captured);
    struct captured *captured = memory_new(1, size);
    GLuint buffer = 0;
    gl->GenBuffers(1, &buffer);
    gl->UseProgram(program->id);
    gl->UniformMatrix4fv(program->uniforms[UNIFORM_SCENE_TO_CLIP], 1, GL_FALSE, mat4_identity[0]);
    gpu_model_bind(model, out->instance, program);
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
    const struct captured *from = captured;
    for (uint32_t m = 0; m < count; m++)
        for (uint32_t v = 0; v < vertices; v++, from++) {
            memcpy(out[m].positions[v], from->position, sizeof from->position);
            memcpy(out[m].normals[v], from->normal, sizeof from->normal);
        }
    free(captured);
    return gl_check_errors(gl, "capturing vertices", err);
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
    if (!gl_context_use(&renderer->context, err))
        return false;
    gl_clear_errors(&renderer->context.gl);
    const struct program_key key = {.shaders = model->shaders,
                                    .kind = PROGRAM_CAPTURE,
                                    .upload_format = model->upload_format,
                                    .view = VIEW_UNLIT,
                                    .influences = mesh->influences,
                                    .two_sided = true,
                                    .morphs = mesh->mesh->target_count > 0,
                                    .crowd = crowd->count > 0};
    const struct program *program = programs_get(&renderer->programs, &renderer->context.gl, &key, err);
    /* Without a surface there is no framebuffer but ours, and GL wants one even where nothing is rasterised. */
    if (!program || (renderer->target.framebuffer == 0 &&
                     !target_prepare(&renderer->target, &renderer->context.gl, 16, 16, 1, err)))
        return false;
    renderer->context.gl.BindFramebuffer(GL_FRAMEBUFFER, renderer->target.framebuffer);
    return gpu_model_upload_crowd(model, crowd, err) &&
           capture(model, program, crowd->count ? crowd->count : 1, out, err);
}
