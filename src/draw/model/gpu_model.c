#include <stdlib.h>
#include <string.h>

#include "data/pose/similarity.h"
#include "draw/model/gpu_morph.h"
#include "draw/model/gpu_vertices.h"
#include "draw/model/mipmap.h"
#include "draw/renderer.h"

/* ---- meshes ------------------------------------------------------------------------------------------------ */

static bool upload_mesh(const struct renderer *renderer, const struct mesh *mesh, struct gpu_mesh *out,
                        struct error *err)
{
    const struct gl *gl = &renderer->context.gl;
    out->mesh = mesh;
    out->influences = gpu_vertices_form(mesh);
    if (out->influences == INFLUENCES_LISTED &&
        mesh->influence_first[mesh->vertex_count] > (uint32_t)renderer->info.max_texture_buffer)
        return error_set_code(err, EXIT_CODE_DIFFERS,
                              "mesh %s has %u influences, GL holds %d in a buffer: limit them to 8 a vertex",
                              mesh->quoted, mesh->influence_first[mesh->vertex_count], renderer->info.max_texture_buffer);
    gl->GenVertexArrays(1, &out->vertex_array);
    gl->BindVertexArray(out->vertex_array);
    gl->GenBuffers(1, &out->vertices);
    gl->GenBuffers(1, &out->indices);
    gl->BindBuffer(GL_ELEMENT_ARRAY_BUFFER, out->indices);
    gl->BufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)(12 * (size_t)mesh->triangle_count), mesh->indices,
                   GL_STATIC_DRAW);
    if (out->influences == INFLUENCES_LISTED) {
        gl->GenBuffers(1, &out->influence_buffer);
        gl->GenTextures(1, &out->influence_texture);
    }
    if (!morph_upload_deltas(renderer, mesh, out, err))
        return false;
    return (gpu_vertices_upload(gl, out, WEIGHTS_FLOAT, false) && gpu_mesh_sum_bones(out)) ||
           error_set_code(err, EXIT_CODE_DIFFERS, "mesh %s: out of memory", mesh->quoted);
}

/* ---- textures ---------------------------------------------------------------------------------------------- */

static void upload_level(const struct gl *gl, int level, uint32_t width, uint32_t height, const uint8_t *rgba)
{
    gl->TexImage2D(GL_TEXTURE_2D, level, GL_RGBA8, (GLsizei)width, (GLsizei)height, 0, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
}

/* Two halves of one block take turns as the level read and the level written. */
static bool upload_mipmaps(const struct gl *gl, const struct texture *texture)
{
    uint32_t width = texture->width, height = texture->height;
    size_t half = (size_t)mipmap_half(width) * mipmap_half(height) * 4;
    uint8_t *levels = malloc(2 * half);
    if (!levels)
        return false;
    const uint8_t *from = texture->rgba;
    for (int level = 1; width > 1 || height > 1; level++) {
        uint8_t *to = levels + (level % 2 ? 0 : half);
        mipmap_reduce(from, width, height, to);
        width = mipmap_half(width);
        height = mipmap_half(height);
        upload_level(gl, level, width, height, to);
        from = to;
    }
    free(levels);
    return true;
}

static bool upload_texture(const struct renderer *renderer, const struct texture *texture, GLuint *out,
                           struct error *err)
{
    const struct gl *gl = &renderer->context.gl;
    GLint largest = 0;
    gl->GetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
    if (texture->width > (uint32_t)largest || texture->height > (uint32_t)largest)
        return error_set_code(err, EXIT_CODE_DIFFERS, "texture \"%s\" is %ux%u, GL holds at most %dx%d", texture->name,
                              texture->width, texture->height, largest, largest);
    gl->GenTextures(1, out);
    gl->ActiveTexture(GL_TEXTURE0 + UNIT_BASE_TEXTURE);
    gl->BindTexture(GL_TEXTURE_2D, *out);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    gl->PixelStorei(GL_UNPACK_ALIGNMENT, 4);
    upload_level(gl, 0, texture->width, texture->height, texture->rgba);
    return upload_mipmaps(gl, texture) ||
           error_set_code(err, EXIT_CODE_DIFFERS, "texture \"%s\": out of memory", texture->name);
}

/* ---- the model --------------------------------------------------------------------------------------------- */

static bool upload(struct gpu_model *model, struct error *err)
{
    struct renderer *renderer = model->renderer;
    const struct scene *scene = model->scene;
    for (uint32_t i = 0; i < scene->mesh_count; i++)
        if (!upload_mesh(renderer, &scene->meshes[i], &model->meshes[i], err))
            return false;
    for (uint32_t i = 0; i < scene->texture_count; i++)
        if (!upload_texture(renderer, &scene->textures[i], &model->textures[i], err))
            return false;
    return gl_check_errors(&renderer->context.gl, "uploading the model", err);
}

struct gpu_model *gpu_model_create(struct renderer *renderer, const struct scene *scene, struct error *err)
{
    struct gpu_model *model = calloc(1, sizeof *model);
    if (model) {
        *model = (struct gpu_model){.renderer = renderer, .scene = scene};
        model->meshes = calloc(scene->mesh_count + 1u, sizeof *model->meshes);
        model->textures = calloc(scene->texture_count + 1u, sizeof *model->textures);
    }
    if (!model || !model->meshes || !model->textures) {
        error_set_code(err, EXIT_CODE_DIFFERS, "uploading the model: out of memory");
    } else if (gl_context_use(&renderer->context, err)) {
        gl_clear_errors(&renderer->context.gl);
        if (upload(model, err) && gpu_model_set_upload(model, &(struct upload_format){0}, NULL, err))
            return model;
    }
    gpu_model_destroy(model);
    return NULL;
}

/* ---- feeding it ---------------------------------------------------------------------------------------------- */

/* What the vertex shader reads of a mesh: *out is NULL for ours, which read all. False when the user's does not build. */
static bool find_contract(const struct gpu_model *model, uint32_t mesh, const struct upload_format *upload_format,
                          struct shader_set *shaders, const struct contract **out, struct error *err)
{
    const struct gpu_mesh *gpu = &model->meshes[mesh];
    const struct program_key key = {.shaders = shaders, .kind = PROGRAM_INPUTS, .upload_format = *upload_format,
                                     .influences = gpu->influences, .morphs = gpu->mesh->target_count > 0};
    const struct program *program = NULL;
    *out = NULL;
    if (shaders)
        program = programs_get(&model->renderer->programs, &model->renderer->context.gl, &key, err);
    if (program)
        *out = program->contract;
    return program || !shaders;
}

static bool shaders_hold(const struct gpu_model *model, const struct upload_format *upload_format,
                         struct shader_set *shaders, struct error *err)
{
    const struct contract *contract;
    for (uint32_t i = 0; shaders && i < model->scene->mesh_count; i++)
        if (!find_contract(model, i, upload_format, shaders, &contract, err) ||
            (contract && !contract_holds(contract, model->meshes[i].mesh, model->meshes[i].influences, upload_format,
                                         shaders, err)))
            return false;
    return true;
}

/* What of the meshes differs for the model's upload format and shaders is uploaded again. */
static bool upload_as_fed(struct gpu_model *model, struct error *err)
{
    const struct gl *gl = &model->renderer->context.gl;
    const struct contract *contract;
    for (uint32_t i = 0; i < model->scene->mesh_count; i++) {
        struct gpu_mesh *mesh = &model->meshes[i];
        if (!find_contract(model, i, &model->upload_format, model->shaders, &contract, err))
            return false;
        bool signed_bones = contract && contract->signed_bones;
        bool same = mesh->weights == model->upload_format.weights && mesh->signed_bones == signed_bones;
        if (!same && !gpu_vertices_upload(gl, mesh, model->upload_format.weights, signed_bones))
            return error_set_code(err, EXIT_CODE_DIFFERS, "mesh %s: out of memory", mesh->mesh->quoted);
    }
    return true;
}

bool gpu_model_set_upload(struct gpu_model *model, const struct upload_format *upload_format,
                          struct shader_set *shaders, struct error *err)
{
    if (!palette_store_holds(&model->renderer->palette, model->scene, upload_format, err) ||
        !gl_context_use(&model->renderer->context, err) || !shaders_hold(model, upload_format, shaders, err))
        return false;
    model->upload_format = *upload_format;
    model->shaders = shaders;
    return upload_as_fed(model, err);
}

bool gpu_model_upload_palette(struct gpu_model *model, const struct palette *palette, struct error *err)
{
    struct renderer *renderer = model->renderer;
    const char *needs = upload_format_needs_similarity(&model->upload_format);
    return (!needs || palette_check_similar(model->scene, palette, needs, err)) &&
           palette_store_upload(&renderer->palette, &renderer->context.gl, model->scene, palette, &model->upload_format,
                                err) &&
           (!model->shaders || palette_store_keep_matrices(&renderer->palette, palette, err)) &&
           morph_upload_weights(renderer, model->scene, palette, err);
}

static void release_mesh(const struct gl *gl, struct gpu_mesh *mesh)
{
    const GLuint buffers[] = {mesh->vertices, mesh->indices, mesh->influence_buffer, mesh->morph_buffer};
    gl->DeleteVertexArrays(1, &mesh->vertex_array);
    gl->DeleteTextures(1, &mesh->morph_texture);
    gl->DeleteTextures(1, &mesh->influence_texture);
    gl->DeleteBuffers(4, buffers);
}

void gpu_model_destroy(struct gpu_model *model)
{
    if (!model)
        return;
    struct error ignored = {0};
    bool current = gl_context_use(&model->renderer->context, &ignored);
    for (uint32_t i = 0; model->meshes && i < model->scene->mesh_count; i++) {
        if (current)
            release_mesh(&model->renderer->context.gl, &model->meshes[i]);
        free(model->meshes[i].bone_sums);
    }
    if (model->textures && current)
        model->renderer->context.gl.DeleteTextures((GLsizei)model->scene->texture_count, model->textures);
    free(model->meshes);
    free(model->textures);
    free(model);
}

/* ---- drawing ----------------------------------------------------------------------------------------------- */

static void bind_texture(const struct gpu_model *model, const struct material *material)
{
    static const GLint wraps[] = {
        [WRAP_REPEAT] = GL_REPEAT, [WRAP_CLAMP] = GL_CLAMP_TO_EDGE, [WRAP_MIRROR] = GL_MIRRORED_REPEAT};
    const struct gl *gl = &model->renderer->context.gl;
    gl->ActiveTexture(GL_TEXTURE0 + UNIT_BASE_TEXTURE);
    gl->BindTexture(GL_TEXTURE_2D, model->textures[material->base_texture]);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, wraps[material->wrap[0]]);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, wraps[material->wrap[1]]);
}

void gpu_model_bind(const struct gpu_model *model, uint32_t instance, const struct program *program)
{
    const struct gl *gl = &model->renderer->context.gl;
    const struct instance *where = &model->scene->instances[instance];
    const struct gpu_mesh *mesh = &model->meshes[where->mesh];
    const struct material *material = &model->scene->materials[mesh->mesh->material];
    gl->BindVertexArray(mesh->vertex_array);
    gpu_vertices_set_constants(gl, mesh);
    if (mesh->influence_texture) {
        gl->ActiveTexture(GL_TEXTURE0 + UNIT_INFLUENCES);
        gl->BindTexture(GL_TEXTURE_BUFFER, mesh->influence_texture);
    }
    if (material->base_texture != NO_INDEX)
        bind_texture(model, material);
    morph_bind(model, instance, program);
    palette_store_bind(&model->renderer->palette, gl, model->scene, instance, program);
    gl->Uniform4fv(program->uniforms[UNIFORM_BASE_COLOR], 1, material->base_color);
    gl->Uniform1f(program->uniforms[UNIFORM_ALPHA_CUTOFF], material->alpha_cutoff);
}
