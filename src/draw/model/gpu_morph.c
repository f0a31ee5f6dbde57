/* Morph targets in GL's memory, as shaders/morph.glsl reads them. */
#include <stdlib.h>
#include <string.h>

#include "draw/renderer.h"

bool morph_upload_deltas(const struct renderer *renderer, const struct mesh *mesh, struct gpu_mesh *out,
                         struct error *err)
{
    enum { TEXELS = 2 }; /* a vertex of a target: position, normal */
    uint64_t texels = (uint64_t)mesh->target_count * mesh->vertex_count * TEXELS;
    if (texels == 0)
        return true;
    if (texels > (uint64_t)renderer->info.max_texture_buffer)
        return error_set_code(err, EXIT_CODE_DIFFERS, "mesh %s: %u morph targets of %u vertices, GL holds %d in a buffer",
                              mesh->quoted, mesh->target_count, mesh->vertex_count,
                              renderer->info.max_texture_buffer / TEXELS);
    float(*deltas)[4] = calloc(texels, sizeof *deltas), (*to)[4] = deltas;
    if (!deltas)
        return error_set_code(err, EXIT_CODE_DIFFERS, "mesh %s: morph targets: out of memory", mesh->quoted);
    for (uint32_t t = 0; t < mesh->target_count; t++)
        for (uint32_t v = 0; v < mesh->vertex_count; v++, to += TEXELS) {
            memcpy(to[0], mesh->targets[t].position_deltas[v], sizeof(vec3));
            if (mesh->targets[t].normal_deltas)
                memcpy(to[1], mesh->targets[t].normal_deltas[v], sizeof(vec3));
        }
    buffer_texture_fill(&out->morph_deltas, &renderer->context.gl, UNIT_MORPH_DELTAS, GL_RGBA32F, deltas,
                        texels * sizeof *deltas);
    free(deltas);
    return true;
}

bool morph_upload_weights(struct renderer *renderer, const struct scene *scene, const struct palette *palette,
                          struct error *err)
{
    size_t most = (size_t)scene->instance_count + scene->weight_count;
    if (scene->weight_count == 0)
        return true;
    if (most > (size_t)renderer->info.max_texture_buffer)
        return error_set_code(err, EXIT_CODE_DIFFERS, "the pose has %u morph weights, GL holds %d in a buffer",
                              scene->weight_count, renderer->info.max_texture_buffer);
    uint32_t(*texels)[2] = calloc(most, sizeof *texels), next = scene->instance_count;
    if (!texels)
        return error_set_code(err, EXIT_CODE_DIFFERS, "%u morph weights: out of memory", scene->weight_count);
    for (uint32_t slot = 0; slot < scene->instance_count; slot++) {
        const struct instance *instance = &scene->instances[slot];
        texels[slot][0] = next;
        for (uint32_t t = 0; t < scene->meshes[instance->mesh].target_count; t++) {
            const float *weight = &palette->morph_weights[instance->first_weight + t];
            texels[next][0] = t;
            memcpy(&texels[next][1], weight, sizeof *weight);
            next += *weight != 0.0f;
        }
        texels[slot][1] = next - texels[slot][0];
    }
    buffer_texture_fill(&renderer->morph_weights, &renderer->context.gl, UNIT_MORPH_WEIGHTS, GL_RG32UI, texels,
                        next * sizeof *texels);
    free(texels);
    return true;
}

void morph_bind(const struct gpu_model *model, uint32_t instance, const struct program *program)
{
    const struct gl *gl = &model->renderer->context.gl;
    const struct gpu_mesh *mesh = &model->meshes[model->scene->instances[instance].mesh];
    if (mesh->mesh->target_count == 0)
        return;
    gl->ActiveTexture(GL_TEXTURE0 + UNIT_MORPH_DELTAS);
    gl->BindTexture(GL_TEXTURE_BUFFER, mesh->morph_deltas.texture);
    gl->Uniform1i(program->uniforms[UNIFORM_MORPH_SLOT], (GLint)instance);
    gl->Uniform1i(program->uniforms[UNIFORM_MORPH_VERTICES], (GLint)mesh->mesh->vertex_count);
}
