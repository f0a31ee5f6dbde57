#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "draw/renderer.h"

/* One vertex as transform feedback writes it. */
struct captured {
    float position[3];
    float normal[3];
};

static void run_vertex_shader(const struct gl *gl, GLuint buffer, uint32_t vertex_count, struct captured *out)
{
    size_t size = vertex_count * sizeof *out;
    gl->BindBuffer(GL_TRANSFORM_FEEDBACK_BUFFER, buffer);
    gl->BufferData(GL_TRANSFORM_FEEDBACK_BUFFER, (GLsizeiptr)size, NULL, GL_STREAM_READ);
    gl->BindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
    gl->Enable(GL_RASTERIZER_DISCARD);
    gl->BeginTransformFeedback(GL_POINTS);
    gl->DrawArrays(GL_POINTS, 0, (GLsizei)vertex_count);
    gl->EndTransformFeedback();
    gl->Disable(GL_RASTERIZER_DISCARD);
    gl->BindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, 0);
    gl->BindBuffer(GL_TRANSFORM_FEEDBACK_BUFFER, buffer);
    gl->GetBufferSubData(GL_TRANSFORM_FEEDBACK_BUFFER, 0, (GLsizeiptr)size, out);
    gl->BindBuffer(GL_TRANSFORM_FEEDBACK_BUFFER, 0);
}

/* Without a surface there is no framebuffer but ours, and GL wants one even where nothing is rasterised. */
static bool bind_some_framebuffer(struct renderer *renderer, struct error *err)
{
    const struct gl *gl = &renderer->context.gl;
    if (renderer->target.framebuffer == 0 && !target_prepare(&renderer->target, gl, 16, 16, 1, err))
        return false;
    gl->BindFramebuffer(GL_FRAMEBUFFER, renderer->target.framebuffer);
    return true;
}

static bool capture(struct gpu_model *model, const struct program *program, struct skinned *out, struct error *err)
{
    const struct gl *gl = &model->renderer->context.gl;
    struct captured *captured = calloc(out->vertex_count + 1u, sizeof *captured);
    if (!captured)
        return error_set_code(err, EXIT_CODE_DIFFERS, "capturing vertices: out of memory");
    GLuint buffer = 0;
    gl->GenBuffers(1, &buffer);
    gl->UseProgram(program->id);
    gl->UniformMatrix4fv(program->uniforms[UNIFORM_SCENE_TO_CLIP], 1, GL_FALSE, mat4_identity[0]);
    gpu_model_bind(model, out->instance, program);
    run_vertex_shader(gl, buffer, out->vertex_count, captured);
    gl->DeleteBuffers(1, &buffer);
    for (uint32_t v = 0; v < out->vertex_count; v++) {
        memcpy(out->positions[v], captured[v].position, sizeof captured[v].position);
        memcpy(out->normals[v], captured[v].normal, sizeof captured[v].normal);
    }
    free(captured);
    return gl_check_errors(gl, "capturing vertices", err);
}

bool draw_capture(struct renderer *renderer, struct gpu_model *model, const struct palette *palette,
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
                                    .morphs = mesh->mesh->target_count > 0};
    const struct program *program = programs_get(&renderer->programs, &renderer->context.gl, &key, err);
    return program && bind_some_framebuffer(renderer, err) && gpu_model_upload_palette(model, palette, err) &&
           capture(model, program, out, err);
}
