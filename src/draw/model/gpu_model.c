#include <stdlib.h>
#include <string.h>

#include "data/pose/similarity.h"
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
    if (!morph_upload_deltas(renderer, mesh, out, err))
        return false;
    return gpu_vertices_upload(gl, out, WEIGHTS_FLOAT, false) ||
           error_set_code(err, EXIT_CODE_DIFFERS, "mesh %s: out of memory", mesh->quoted);
}

/* ---- textures ---------------------------------------------------------------------------------------------- */

/* With mipmaps: two halves of one block take turns as the level read and the level written. */
static bool upload_texture(const struct renderer *renderer, const struct texture *texture, GLuint *out,
                           struct error *err)
{
    const struct gl *gl = &renderer->context.gl;
    uint32_t width = texture->width, height = texture->height;
    GLint largest = 0;
    gl->GetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
    if (width > (uint32_t)largest || height > (uint32_t)largest)
        return error_set_code(err, EXIT_CODE_DIFFERS, "texture \"%s\" is %ux%u, GL holds at most %dx%d", texture->name,
                              width, height, largest, largest);
    size_t half = (size_t)mipmap_half(width) * mipmap_half(height) * 4;
    uint8_t *levels = malloc(2 * half);
    if (!levels)
        return error_set_code(err, EXIT_CODE_DIFFERS, "texture \"%s\": out of memory", texture->name);
    gl->GenTextures(1, out);
    gl->ActiveTexture(GL_TEXTURE0 + UNIT_BASE_TEXTURE);
    gl->BindTexture(GL_TEXTURE_2D, *out);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    gl->PixelStorei(GL_UNPACK_ALIGNMENT, 4);
    const uint8_t *from = texture->rgba;
    for (int level = 0;; level++) {
        uint8_t *to = levels + (level % 2 ? half : 0);
        gl->TexImage2D(GL_TEXTURE_2D, level, GL_RGBA8, (GLsizei)width, (GLsizei)height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                       from);
        if (width <= 1 && height <= 1)
            break;
        mipmap_reduce(from, width, height, to);
        width = mipmap_half(width);
        height = mipmap_half(height);
        from = to;
    }
    free(levels);
    return true;
}

/* ---- the model --------------------------------------------------------------------------------------------- */

struct gpu_model *gpu_model_create(struct renderer *renderer, const struct scene *scene, struct error *err)
{
    struct gpu_model *model = calloc(1, sizeof *model);
    bool good = model != NULL;
    if (good) {
        *model = (struct gpu_model){.renderer = renderer, .scene = scene};
        model->meshes = calloc(scene->mesh_count + 1u, sizeof *model->meshes);
        model->textures = calloc(scene->texture_count + 1u, sizeof *model->textures);
        good = model->meshes && model->textures;
    }
    if (!good)
        error_set_code(err, EXIT_CODE_DIFFERS, "uploading the model: out of memory");
    good = good && gl_context_use(&renderer->context, err);
    if (good)
        gl_clear_errors(&renderer->context.gl);
    for (uint32_t i = 0; good && i < scene->mesh_count; i++)
        good = upload_mesh(renderer, &scene->meshes[i], &model->meshes[i], err);
    for (uint32_t i = 0; good && i < scene->texture_count; i++)
        good = upload_texture(renderer, &scene->textures[i], &model->textures[i], err);
    if (good && gl_check_errors(&renderer->context.gl, "uploading the model", err) &&
        gpu_model_set_upload(model, &(struct upload_format){0}, NULL, err))
        return model;
    gpu_model_destroy(model);
    return NULL;
}

/* What a vertex shader of the user's reads of a mesh: NULL for ours, which read all; good is false when it does not build. */
static const struct contract *find_contract(const struct gpu_model *model, uint32_t mesh,
                                            const struct upload_format *upload_format, struct shader_set *shaders,
                                            bool *good, struct error *err)
{
    const struct gpu_mesh *gpu = &model->meshes[mesh];
    const struct program_key key = {.shaders = shaders, .kind = PROGRAM_INPUTS, .upload_format = *upload_format,
                                     .influences = gpu->influences, .morphs = gpu->mesh->target_count > 0};
    const struct program *program = NULL;
    if (shaders)
        program = programs_get(&model->renderer->programs, &model->renderer->context.gl, &key, err);
    *good = program || !shaders;
    return program ? program->contract : NULL;
}

bool gpu_model_set_upload(struct gpu_model *model, const struct upload_format *upload_format,
                          struct shader_set *shaders, struct error *err)
{
    bool good = palette_store_holds(&model->renderer->palette, model->scene, upload_format, err) &&
                gl_context_use(&model->renderer->context, err);
    for (uint32_t i = 0; good && shaders && i < model->scene->mesh_count; i++) {
        const struct gpu_mesh *mesh = &model->meshes[i];
        const struct contract *contract = find_contract(model, i, upload_format, shaders, &good, err);
        good = good && (!contract || contract_holds(contract, mesh->mesh, mesh->influences, upload_format, shaders, err));
    }
    if (!good)
        return false;
    model->upload_format = *upload_format;
    model->shaders = shaders;
    /* What of the meshes differs is uploaded again. */
    for (uint32_t i = 0; i < model->scene->mesh_count; i++) {
        struct gpu_mesh *mesh = &model->meshes[i];
        const struct contract *contract = find_contract(model, i, upload_format, shaders, &good, err);
        bool signed_bones = contract && contract->signed_bones;
        bool same = mesh->weights == upload_format->weights && mesh->signed_bones == signed_bones;
        if (!same &&
            !gpu_vertices_upload(&model->renderer->context.gl, mesh, upload_format->weights, signed_bones))
            return error_set_code(err, EXIT_CODE_DIFFERS, "mesh %s: out of memory", mesh->mesh->quoted);
    }
    return true;
}

bool gpu_model_upload_palette(struct gpu_model *model, const struct palette *palette, struct error *err)
{
    struct renderer *renderer = model->renderer;
    const char *needs = upload_format_needs_similarity(&model->upload_format);
    return (!needs || palette_check_similar(model->scene, palette, needs, err)) &&
           palette_store_upload(&renderer->palette, &renderer->context.gl, model->scene, palette, &model->upload_format,
                                err) &&
           morph_upload_weights(renderer, model->scene, palette, err);
}

void gpu_model_destroy(struct gpu_model *model)
{
    if (!model)
        return;
    struct error ignored = {0};
    const struct gl *gl = &model->renderer->context.gl;
    bool current = gl_context_use(&model->renderer->context, &ignored);
    for (uint32_t i = 0; current && model->meshes && i < model->scene->mesh_count; i++) {
        struct gpu_mesh *mesh = &model->meshes[i];
        const GLuint buffers[] = {mesh->vertices, mesh->indices};
        gl->DeleteVertexArrays(1, &mesh->vertex_array);
        gl->DeleteBuffers(2, buffers);
        buffer_texture_release(&mesh->morph_deltas, gl);
        buffer_texture_release(&mesh->influence_list, gl);
    }
    if (model->textures && current)
        gl->DeleteTextures((GLsizei)model->scene->texture_count, model->textures);
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
    if (mesh->influence_list.texture) {
        gl->ActiveTexture(GL_TEXTURE0 + UNIT_INFLUENCES);
        gl->BindTexture(GL_TEXTURE_BUFFER, mesh->influence_list.texture);
    }
    if (material->base_texture != NO_INDEX)
        bind_texture(model, material);
    morph_bind(model, instance, program);
    palette_store_bind(&model->renderer->palette, gl, model->scene, instance, program);
    gl->Uniform4fv(program->uniforms[UNIFORM_BASE_COLOR], 1, material->base_color);
    gl->Uniform1f(program->uniforms[UNIFORM_ALPHA_CUTOFF], material->alpha_cutoff);
}
