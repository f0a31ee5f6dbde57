#include "draw/renderer/renderer.h"

#include <stdlib.h>

#include "base/memory.h"
#include "data/scene/upload_format.h"

/* False: GL cannot hold its influences or the deltas of its targets, which are as shaders/morph.glsl reads them. */
static bool upload_mesh(const struct renderer *renderer, const struct mesh *mesh, struct gpu_mesh *out,
                        struct error *err)
{
    enum { TEXELS = 2 }; /* a vertex of a target: position, normal */
    const uint64_t most_texels = (uint64_t)renderer->info.max_texture_buffer;
    uint64_t texels = (uint64_t)mesh->target_count * mesh->vertex_count * TEXELS;
    const uint32_t most = mesh_most_influences(mesh);
    out->mesh = mesh;
    out->influences = most <= 4 ? INFLUENCES_4 : most <= 8 ? INFLUENCES_8 : INFLUENCES_LISTED;
    if (out->influences == INFLUENCES_LISTED && mesh->influence_first[mesh->vertex_count] > most_texels)
        return error_set_code(
            err, EXIT_CODE_DIFFERS, "mesh %s has %u influences, GL holds %d in a buffer: limit them to 8 a vertex",
            mesh->quoted, mesh->influence_first[mesh->vertex_count], renderer->info.max_texture_buffer);
    if (texels > most_texels)
        return error_set_code(err, EXIT_CODE_DIFFERS,
                              "mesh %s: %u morph targets of %u vertices, GL holds %d in a buffer", mesh->quoted,
                              mesh->target_count, mesh->vertex_count, renderer->info.max_texture_buffer / TEXELS);
    gl->GenVertexArrays(1, &out->vertex_array);
    gl->BindVertexArray(out->vertex_array);
    gl->GenBuffers(1, &out->vertices);
    gl->GenBuffers(1, &out->indices);
    gl->BindBuffer(GL_ELEMENT_ARRAY_BUFFER, out->indices);
    gl->BufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)(12 * (size_t)mesh->triangle_count), mesh->indices,
                   GL_STATIC_DRAW);
    gpu_mesh_upload_influences(out, WEIGHTS_FLOAT, &(struct influence_inputs){0});
    out->boxes = mesh_boxes_create(mesh);
    if (texels == 0)
        return true;
    FREED float(*deltas)[4] = memory_new(texels, sizeof *deltas);
    float(*to)[4] = deltas;
    for (uint32_t t = 0; t < mesh->target_count; t++)
        for (uint32_t v = 0; v < mesh->vertex_count; v++, to += TEXELS) {
            memcpy(to[0], mesh->targets[t].position_deltas[v], sizeof(vec3));
            if (mesh->targets[t].normal_deltas)
                memcpy(to[1], mesh->targets[t].normal_deltas[v], sizeof(vec3));
        }
    buffer_texture_fill(&out->morph_deltas, UNIFORM_MORPH_DELTAS, GL_RGBA32F, deltas, texels * sizeof *deltas);
    return true;
}

/* Size of the level below. */
static uint32_t mipmap_half(uint32_t size)
{
    return size > 1 ? size / 2 : 1;
}

/* The texels [first, end) that texel `i` of `half` covers, of `size`. */
static void covered(uint32_t i, uint32_t size, uint32_t half, uint32_t *first, uint32_t *end)
{
    *first = (uint32_t)((uint64_t)i * size / half);
    *end = (uint32_t)(((uint64_t)(i + 1) * size + half - 1) / half);
}

void mipmap_reduce(const uint8_t *in, uint32_t width, uint32_t height, uint8_t *out)
{
    uint32_t half_width = mipmap_half(width), half_height = mipmap_half(height);
    if (width % 2 == 0 && height % 2 == 0) { /* the same, as most textures are */
        for (size_t y = 0; y < half_height; y++) {
            const uint8_t *upper = in + 8 * y * width, *lower = upper + 4 * (size_t)width;
            for (uint32_t x = 0; x < half_width; x++, upper += 8, lower += 8, out += 4) {
                const uint32_t mean = mean_of_block(pair_at(upper), pair_at(lower));
                memcpy(out, &mean, 4);
            }
        }
        return;
    }
    for (uint32_t y = 0; y < half_height; y++) {
        uint32_t top, bottom;
        covered(y, height, half_height, &top, &bottom);
        for (uint32_t x = 0; x < half_width; x++, out += 4) {
            uint32_t left, right;
            covered(x, width, half_width, &left, &right);
            uint32_t sum[4] = {0}, count = (bottom - top) * (right - left);
            for (uint32_t v = top; v < bottom; v++)
                for (uint32_t u = left; u < right; u++)
                    for (int c = 0; c < 4; c++)
                        sum[c] += in[((uint64_t)v * width + u) * 4 + (uint64_t)c];
            for (int c = 0; c < 4; c++)
                out[c] = (uint8_t)((sum[c] + count / 2) / count);
        }
    }
}

/* With mipmaps: two halves of one block take turns as the level read and the level written. */
static bool upload_texture(const struct texture *texture, GLuint *out, struct error *err)
{
    uint32_t width = texture->width, height = texture->height;
    GLint largest = 0;
    gl->GetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
    if (width > (uint32_t)largest || height > (uint32_t)largest)
        return error_set_code(err, EXIT_CODE_DIFFERS, "texture \"%s\" is %ux%u, GL holds at most %dx%d", texture->name,
                              width, height, largest, largest);
    size_t half = (size_t)mipmap_half(width) * mipmap_half(height) * 4;
    FREED uint8_t *levels = memory_new(2, half);
    gl->GenTextures(1, out);
    gl->ActiveTexture(GL_TEXTURE0 + UNIFORM_BASE_TEXTURE);
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
    return true;
}

struct gpu_model *gpu_model_create(struct renderer *renderer, const struct scene *scene, struct error *err)
{
    struct gpu_model *model = memory_new(1, sizeof *model);
    *model = (struct gpu_model){.renderer = renderer,
                                .scene = scene,
                                .meshes = memory_new(scene->mesh_count, sizeof *model->meshes),
                                .textures = memory_new(scene->texture_count, sizeof *model->textures),
                                .surfaces = memory_new(scene->material_count, sizeof *model->surfaces)};
    for (uint32_t i = 0; i < scene->material_count; i++)
        surface_of(scene, &scene->materials[i], &model->surfaces[i]);
    bool good = gl_context_use(&renderer->context, err);
    if (good)
        gl_clear_errors();
    for (uint32_t i = 0; good && i < scene->mesh_count; i++)
        good = upload_mesh(renderer, &scene->meshes[i], &model->meshes[i], err);
    for (uint32_t i = 0; good && i < scene->texture_count; i++)
        good = !scene->textures[i].rgba || upload_texture(&scene->textures[i], &model->textures[i], err);
    if (good && gl_check_errors("uploading the model", err) &&
        gpu_model_set_upload(model, &(struct upload_format){0}, NULL, err))
        return model;
    gpu_model_destroy(model);
    return NULL;
}

bool gpu_model_set_upload(struct gpu_model *model, const struct upload_format *upload_format,
                          struct shader_set *shaders, struct error *err)
{
    bool good = palette_store_holds(&model->renderer->palette, model->scene, upload_format, 0, err) &&
                gl_context_use(&model->renderer->context, err);
    FREED struct influence_inputs *inputs = memory_new(model->scene->mesh_count, sizeof *inputs);
    for (uint32_t i = 0; good && shaders && i < model->scene->mesh_count; i++) {
        const struct gpu_mesh *mesh = &model->meshes[i];
        const struct program_key key = {.shaders = shaders, .kind = PROGRAM_INPUTS, .upload_format = *upload_format,
                                        .influences = mesh->influences, .morphs = mesh->mesh->target_count > 0};
        const struct program *program = programs_get(&model->renderer->programs, &key, err);
        const struct contract *contract = program ? program->contract : NULL; /* NULL too: skin.vert is ours */
        good = program &&
               (!contract || contract_holds(contract, mesh->mesh, mesh->influences, upload_format, shaders, err));
        inputs[i] = contract ? contract->influences : (struct influence_inputs){0};
    }
    for (uint32_t i = 0; good && i < model->scene->mesh_count; i++) { /* what of the meshes differs is uploaded again */
        const enum weight_format weights = inputs[i].byte_weights ? WEIGHTS_UNORM8 : upload_format->weights;
        if (model->meshes[i].weights != weights || memcmp(&model->meshes[i].inputs, &inputs[i], sizeof inputs[i]) != 0)
            gpu_mesh_upload_influences(&model->meshes[i], weights, &inputs[i]);
    }
    if (good) {
        model->upload_format = *upload_format;
        model->shaders = shaders;
    }
    return good;
}

bool gpu_model_rounds_weights(const struct gpu_model *model)
{
    bool rounds = false;
    for (uint32_t i = 0; i < model->scene->mesh_count; i++)
        rounds = rounds || model->meshes[i].inputs.byte_weights;
    return rounds;
}

struct scene *gpu_model_rounded_scene(const struct gpu_model *model, struct arena *arena)
{
    struct scene *scene = ARENA_NEW(arena, struct scene, 1);
    *scene = *model->scene;
    scene->meshes = ARENA_NEW(arena, struct mesh, scene->mesh_count);
    memcpy(scene->meshes, model->scene->meshes, scene->mesh_count * sizeof *scene->meshes);
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        struct mesh *mesh = &scene->meshes[i];
        if (!mesh->influence_first)
            continue;
        FREED struct influence *rounded = weights_rounded(mesh);
        uint32_t count = mesh->influence_first[mesh->vertex_count];
        mesh->influences = ARENA_NEW(arena, struct influence, count);
        memcpy(mesh->influences, rounded, count * sizeof *rounded);
    }
    return scene;
}

struct program_key gpu_model_key(const struct gpu_model *model, const struct gpu_mesh *mesh, enum program_kind kind,
                                 const struct crowd *crowd)
{
    return (struct program_key){.shaders = model->shaders, .kind = kind, .upload_format = model->upload_format,
                                .influences = mesh->influences, .morphs = mesh->mesh->target_count > 0,
                                .crowd = crowd->count > 0};
}

bool gpu_model_check_crowd(const struct gpu_model *model, const struct crowd *crowd, struct error *err)
{
    const char *needs = upload_format_needs_similarity(&model->upload_format);
    for (uint32_t m = 0; needs && m < crowd_members(crowd); m++)
        if (!palette_check_similar(model->scene, crowd->members[m].palette, needs, err))
            return crowd->count ? error_prefix(err, "instance %u of the crowd", m + 1) : false;
    return true;
}

bool gpu_model_upload_crowd(struct gpu_model *model, const struct crowd *crowd, struct error *err)
{
    struct renderer *renderer = model->renderer;
    const struct scene *scene = model->scene;
    uint32_t members = crowd_members(crowd);
    if (crowd->count > 0 && !palette_store_holds(&renderer->palette, scene, &model->upload_format, crowd->count, err))
        return false;
    palette_store_upload(&renderer->palette, scene, crowd, &model->upload_format);
    /* The weights of all instances: a first and a count for each, then the targets whose weight is not 0. */
    uint32_t slots = scene->instance_count * members, next = slots;
    size_t most = (size_t)slots + (size_t)scene->weight_count * members;
    if (scene->weight_count == 0)
        return true;
    if (most > (size_t)renderer->info.max_texture_buffer)
        return error_set_code(err, EXIT_CODE_DIFFERS, "%s has %zu morph weights, GL holds %d in a buffer",
                              crowd->count ? "the crowd" : "the pose", most - slots, renderer->info.max_texture_buffer);
    FREED uint32_t(*texels)[2] = memory_new(most, sizeof *texels);
    for (uint32_t slot = 0; slot < slots; slot++) {
        const struct instance *instance = &scene->instances[slot % scene->instance_count];
        const struct palette *palette = crowd->members[slot / scene->instance_count].palette;
        texels[slot][0] = next;
        for (uint32_t t = 0; t < scene->meshes[instance->mesh].target_count; t++) {
            const float *weight = &palette->morph_weights[instance->first_weight + t];
            texels[next][0] = t;
            memcpy(&texels[next][1], weight, sizeof *weight);
            next += *weight != 0.0f;
        }
        texels[slot][1] = next - texels[slot][0];
    }
    buffer_texture_fill(&renderer->morph_weights, UNIFORM_MORPH_WEIGHTS, GL_RG32UI, texels, next * sizeof *texels);
    return true;
}

void gpu_model_destroy(struct gpu_model *model)
{
    if (!model)
        return;
    bool current = gl_context_use(&model->renderer->context, ERROR_IGNORED);
    for (uint32_t i = 0; current && i < model->scene->mesh_count; i++) {
        struct gpu_mesh *mesh = &model->meshes[i];
        const GLuint buffers[] = {mesh->vertices, mesh->indices};
        gl->DeleteVertexArrays(1, &mesh->vertex_array);
        gl->DeleteBuffers(2, buffers);
        buffer_texture_release(&mesh->morph_deltas);
        buffer_texture_release(&mesh->influence_list);
    }
    for (uint32_t i = 0; i < model->scene->mesh_count; i++)
        mesh_boxes_release(&model->meshes[i].boxes);
    if (current)
        gl->DeleteTextures((GLsizei)model->scene->texture_count, model->textures);
    free(model->meshes);
    free(model->textures);
    free(model->surfaces);
    free(model);
}

static void bind_buffer(GLuint unit, const struct buffer_texture *texture)
{
    gl->ActiveTexture(GL_TEXTURE0 + unit);
    gl->BindTexture(GL_TEXTURE_BUFFER, texture->texture);
}

static void bind_texture(GLuint unit, GLuint texture, const enum wrap_mode wrap[2])
{
    static const GLint wraps[] = {
        [WRAP_REPEAT] = GL_REPEAT, [WRAP_CLAMP] = GL_CLAMP_TO_EDGE, [WRAP_MIRROR] = GL_MIRRORED_REPEAT};
    gl->ActiveTexture(GL_TEXTURE0 + unit);
    gl->BindTexture(GL_TEXTURE_2D, texture);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, wraps[wrap[0]]);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, wraps[wrap[1]]);
}

/* VIEW_STUDIO reads all maps of a material and its factors. */
static void bind_surface(const struct gpu_model *model, const struct surface *surface, const struct program *program)
{
    const GLint *at = program->uniforms;
    vec4 rows[2 * SURFACE_SLOTS];
    for (int slot = 0; slot < SURFACE_SLOTS; slot++) {
        const struct surface_map *map = &surface->maps[slot];
        for (int r = 0; r < 2; r++) {
            memcpy(rows[2 * slot + r], map->to_texture[r], sizeof map->to_texture[r]);
            rows[2 * slot + r][3] = (float)map->uv;
        }
        const int unit = slot == SURFACE_BASE ? UNIFORM_BASE_TEXTURE : UNIFORM_METALLIC_ROUGHNESS_TEXTURE + slot - 1;
        if (program->key.maps >> slot & 1)
            bind_texture((GLuint)unit, model->textures[map->texture], map->wrap);
    }
    const float *f0 = surface->specular, *light = surface->emissive;
    gl->Uniform4fv(at[UNIFORM_MAP_ROWS], 2 * SURFACE_SLOTS, rows[0]);
    gl->Uniform4fv(at[UNIFORM_BASE_COLOR], 1, surface->base_color);
    gl->Uniform4fv(at[UNIFORM_MATERIAL_FACTORS], 1,
                   (vec4){surface->metallic, surface->roughness, surface->maps[SURFACE_NORMAL].strength,
                          surface->maps[SURFACE_OCCLUSION].strength});
    gl->Uniform4fv(at[UNIFORM_SPECULAR_FACTOR], 1, (vec4){f0[0], f0[1], f0[2], surface->is_specular_glossy});
    gl->Uniform4fv(at[UNIFORM_EMISSIVE_FACTOR], 1, (vec4){light[0], light[1], light[2], surface->unlit});
    gl->Uniform3fv(at[UNIFORM_COAT_FACTORS], 1,
                   (vec3){surface->coat, surface->coat_roughness, surface->maps[SURFACE_COAT_NORMAL].strength});
}

void gpu_model_bind(const struct gpu_model *model, uint32_t instance, const struct program *program,
                    const struct input_values *values)
{
    const struct instance *where = &model->scene->instances[instance];
    struct gpu_mesh *mesh = &model->meshes[where->mesh];
    const struct material *material = &model->scene->materials[mesh->mesh->material];
    const struct contract *contract = program->contract;
    gl->BindVertexArray(mesh->vertex_array);
    if (mesh->pointed != (contract ? contract->number : 0)) {
        gl->BindBuffer(GL_ARRAY_BUFFER, mesh->vertices);
        gpu_mesh_point(mesh, contract);
    }
    gpu_mesh_set_constants(mesh, contract);
    if (mesh->influence_list.texture)
        bind_buffer(UNIFORM_INFLUENCES, &mesh->influence_list);
    if (material->base_texture == NO_INDEX && program->contract) { /* ours do not read it then */
        gl->ActiveTexture(GL_TEXTURE0 + UNIFORM_BASE_TEXTURE);
        gl->BindTexture(GL_TEXTURE_2D, model->renderer->programs.fallbacks.white);
    } else if (material->base_texture != NO_INDEX) {
        bind_texture(UNIFORM_BASE_TEXTURE, model->textures[material->base_texture], material->wrap);
    }
    if (mesh->mesh->target_count > 0) {
        bind_buffer(UNIFORM_MORPH_DELTAS, &mesh->morph_deltas);
        gl->Uniform1i(program->uniforms[UNIFORM_MORPH_SLOT], (GLint)instance);
        gl->Uniform1i(program->uniforms[UNIFORM_CROWD_SLOTS], (GLint)model->scene->instance_count);
        gl->Uniform1i(program->uniforms[UNIFORM_MORPH_VERTICES], (GLint)mesh->mesh->vertex_count);
    }
    palette_store_bind(&model->renderer->palette, model->scene, instance, program);
    if (program->contract)
        inputs_set(program->contract, &model->renderer->palette, model->scene, instance, values);
    gl->Uniform4fv(program->uniforms[UNIFORM_BASE_COLOR], 1, material->base_color);
    gl->Uniform1f(program->uniforms[UNIFORM_ALPHA_CUTOFF], material->alpha_cutoff);
    if (program->key.kind == PROGRAM_PICTURE && program->key.view == VIEW_STUDIO)
        bind_surface(model, &model->surfaces[mesh->mesh->material], program);
}
