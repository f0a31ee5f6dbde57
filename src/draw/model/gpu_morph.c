#include "draw/model/gpu_morph.h"

#include <stdlib.h>
#include <string.h>

enum { TEXELS = 2 }; /* a vertex of a target: position, normal */

static void fill_deltas(const struct mesh *mesh, float (*texels)[4])
{
    for (uint32_t t = 0; t < mesh->target_count; t++) {
        const struct morph_target *target = &mesh->targets[t];
        float(*out)[4] = texels + (size_t)t * mesh->vertex_count * TEXELS;
        for (uint32_t v = 0; v < mesh->vertex_count; v++) {
            memcpy(out[TEXELS * v], target->position_deltas[v], sizeof(vec3));
            if (target->normal_deltas)
                memcpy(out[TEXELS * v + 1], target->normal_deltas[v], sizeof(vec3));
        }
    }
}

static void make_buffer_texture(const struct gl *gl, GLuint *buffer, GLuint *texture)
{
    if (*buffer == 0)
        gl->GenBuffers(1, buffer);
    if (*texture == 0)
        gl->GenTextures(1, texture);
    gl->BindBuffer(GL_TEXTURE_BUFFER, *buffer);
    gl->BindTexture(GL_TEXTURE_BUFFER, *texture);
}

bool morph_upload_deltas(const struct renderer *renderer, const struct mesh *mesh, struct gpu_mesh *out,
                         struct error *err)
{
    const struct gl *gl = &renderer->context.gl;
    uint64_t texels = (uint64_t)mesh->target_count * mesh->vertex_count * TEXELS;
    if (texels == 0)
        return true;
    if (texels > (uint64_t)renderer->info.max_texture_buffer)
        return error_set_code(err, EXIT_CODE_DIFFERS, "mesh %s: %u morph targets of %u vertices, GL holds %d in a buffer",
                              mesh->quoted, mesh->target_count, mesh->vertex_count,
                              renderer->info.max_texture_buffer / TEXELS);
    float(*deltas)[4] = calloc(texels, sizeof *deltas);
    if (!deltas)
        return error_set_code(err, EXIT_CODE_DIFFERS, "mesh %s: morph targets: out of memory", mesh->quoted);
    fill_deltas(mesh, deltas);
    gl->ActiveTexture(GL_TEXTURE0 + UNIT_MORPH_DELTAS);
    make_buffer_texture(gl, &out->morph_buffer, &out->morph_texture);
    gl->BufferData(GL_TEXTURE_BUFFER, (GLsizeiptr)(texels * sizeof *deltas), deltas, GL_STATIC_DRAW);
    gl->TexBuffer(GL_TEXTURE_BUFFER, GL_RGBA32F, out->morph_buffer);
    free(deltas);
    return true;
}

/* The targets of one instance that have weight, from texel `next` on; returns the texel behind. */
static uint32_t fill_items(const struct scene *scene, const struct instance *instance, const struct palette *palette,
                           uint32_t next, uint32_t (*texels)[2])
{
    const float *weights = palette->morph_weights + instance->first_weight;
    for (uint32_t t = 0; t < scene->meshes[instance->mesh].target_count; t++) {
        if (weights[t] == 0.0f)
            continue;
        texels[next][0] = t;
        memcpy(&texels[next++][1], &weights[t], sizeof(float));
    }
    return next;
}

/* Returns how many texels were written; there is room for all instances and all weights. */
static uint32_t fill_weights(const struct scene *scene, const struct palette *palette, uint32_t (*texels)[2])
{
    uint32_t next = scene->instance_count;
    for (uint32_t slot = 0; slot < scene->instance_count; slot++) {
        texels[slot][0] = next;
        next = fill_items(scene, &scene->instances[slot], palette, next, texels);
        texels[slot][1] = next - texels[slot][0];
    }
    return next;
}

bool morph_upload_weights(struct renderer *renderer, const struct scene *scene, const struct palette *palette,
                          struct error *err)
{
    const struct gl *gl = &renderer->context.gl;
    size_t most = (size_t)scene->instance_count + scene->weight_count;
    if (scene->weight_count == 0)
        return true;
    if (most > (size_t)renderer->info.max_texture_buffer)
        return error_set_code(err, EXIT_CODE_DIFFERS, "the pose has %u morph weights, GL holds %d in a buffer",
                              scene->weight_count, renderer->info.max_texture_buffer);
    uint32_t(*texels)[2] = calloc(most, sizeof *texels);
    if (!texels)
        return error_set_code(err, EXIT_CODE_DIFFERS, "%u morph weights: out of memory", scene->weight_count);
    uint32_t used = fill_weights(scene, palette, texels);
    gl->ActiveTexture(GL_TEXTURE0 + UNIT_MORPH_WEIGHTS);
    make_buffer_texture(gl, &renderer->weight_buffer, &renderer->weight_texture);
    gl->BufferData(GL_TEXTURE_BUFFER, (GLsizeiptr)(used * sizeof *texels), texels, GL_STREAM_DRAW);
    gl->TexBuffer(GL_TEXTURE_BUFFER, GL_RG32UI, renderer->weight_buffer);
    free(texels);
    return true;
}

void morph_bind(const struct gpu_model *model, uint32_t instance, const struct program *program)
{
    const struct gl *gl = &model->renderer->context.gl;
    const struct scene *scene = model->scene;
    const struct gpu_mesh *mesh = &model->meshes[scene->instances[instance].mesh];
    if (mesh->mesh->target_count == 0)
        return;
    gl->ActiveTexture(GL_TEXTURE0 + UNIT_MORPH_DELTAS);
    gl->BindTexture(GL_TEXTURE_BUFFER, mesh->morph_texture);
    gl->Uniform1i(program->uniforms[UNIFORM_MORPH_SLOT], (GLint)instance);
    gl->Uniform1i(program->uniforms[UNIFORM_MORPH_VERTICES], (GLint)mesh->mesh->vertex_count);
}
