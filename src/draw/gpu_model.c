#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "data/similarity.h"
#include "draw/mipmap.h"
#include "draw/morph.h"
#include "draw/renderer.h"
#include "draw/weights.h"

/* ---- vertices ---------------------------------------------------------------------------------------------- */

/* One buffer holds the attributes one after the other: all positions, all normals, ... */
struct attribute_block {
    GLuint location;
    GLint components;
    GLenum type;
    bool integer;      /* in the shader too; else a float there, of bytes 0 to 1 */
    const void *data;  /* [vertex_count][components]; NULL: the mesh has none */
};

static size_t block_size(const struct attribute_block *block, uint32_t vertex_count)
{
    size_t each = block->type == GL_UNSIGNED_BYTE ? 1 : block->type == GL_UNSIGNED_SHORT ? 2 : 4;
    return block->data ? each * (size_t)block->components * vertex_count : 0;
}

static void upload_blocks(const struct gl *gl, const struct attribute_block *blocks, size_t count,
                          uint32_t vertex_count)
{
    size_t total = 0;
    for (size_t i = 0; i < count; i++)
        total += block_size(&blocks[i], vertex_count);
    gl->BufferData(GL_ARRAY_BUFFER, (GLsizeiptr)total, NULL, GL_STATIC_DRAW);
    size_t offset = 0;
    for (size_t i = 0; i < count; i++) {
        const struct attribute_block *b = &blocks[i];
        size_t size = block_size(b, vertex_count);
        if (!b->data)
            continue;
        gl->BufferSubData(GL_ARRAY_BUFFER, (GLintptr)offset, (GLsizeiptr)size, b->data);
        if (b->integer)
            gl->VertexAttribIPointer(b->location, b->components, b->type, 0, (const void *)(uintptr_t)offset);
        else
            gl->VertexAttribPointer(b->location, b->components, b->type, b->type != GL_FLOAT, 0,
                                    (const void *)(uintptr_t)offset);
        gl->EnableVertexAttribArray(b->location);
        offset += size;
    }
}

static uint32_t most_influences(const struct mesh *mesh)
{
    uint32_t most = 0;
    for (uint32_t v = 0; mesh->influence_first && v < mesh->vertex_count; v++) {
        uint32_t count = mesh->influence_first[v + 1] - mesh->influence_first[v];
        most = count > most ? count : most;
    }
    return most;
}

static enum influence_form form_of(const struct mesh *mesh)
{
    uint32_t most = most_influences(mesh);
    return most <= 4 ? INFLUENCES_4 : most <= 8 ? INFLUENCES_8 : INFLUENCES_LISTED;
}

/*
 * Four slots of every vertex, beginning with influence `skip`. Slots that are left have weight 0 and repeat the first
 * bone, so that a matrix of NaN only spoils the vertices it moves.
 */
static void fill_slots(const struct mesh *mesh, const struct influence *all, uint32_t skip, uint32_t (*bones)[4],
                       float (*weights)[4])
{
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        const struct influence *influences = all + mesh->influence_first[v];
        uint32_t count = mesh->influence_first[v + 1] - mesh->influence_first[v];
        for (uint32_t slot = 0; slot < 4; slot++) {
            bool used = skip + slot < count;
            bones[v][slot] = used ? influences[skip + slot].bone : count ? influences[0].bone : 0;
            weights[v][slot] = used ? influences[skip + slot].weight : 0;
        }
    }
}

/* Indices in place, in 8 or 16 bits each where that is enough. */
static void narrow_bones(uint32_t *bones, size_t count, unsigned bits)
{
    unsigned char *to = (unsigned char *)bones;
    for (size_t i = 0; i < count && bits == 8; i++)
        to[i] = (unsigned char)bones[i];
    for (size_t i = 0; i < count && bits == 16; i++) {
        uint16_t bone = (uint16_t)bones[i];
        memcpy(to + 2 * i, &bone, sizeof bone);
    }
}

/* Weights in place, rounded to k / 255 before, as the bytes k. */
static void narrow_weights(float *weights, size_t count)
{
    unsigned char *to = (unsigned char *)weights;
    for (size_t i = 0; i < count; i++)
        to[i] = (unsigned char)(255.0f * weights[i] + 0.5f);
}

struct influence_arrays {
    uint32_t (*bones[2])[4];
    float (*weights[2])[4];
    uint32_t (*ranges)[2];
};

static void influence_arrays_release(struct influence_arrays *arrays)
{
    for (int i = 0; i < 2; i++) {
        free(arrays->bones[i]);
        free(arrays->weights[i]);
    }
    free(arrays->ranges);
}

static bool make_slots(struct influence_arrays *arrays, const struct gpu_mesh *out, const struct influence *influences,
                       int set)
{
    const struct mesh *mesh = out->mesh;
    arrays->bones[set] = calloc(mesh->vertex_count + 1u, sizeof *arrays->bones[set]);
    arrays->weights[set] = calloc(mesh->vertex_count + 1u, sizeof *arrays->weights[set]);
    if (!arrays->bones[set] || !arrays->weights[set])
        return false;
    fill_slots(mesh, influences, 4 * (uint32_t)set, arrays->bones[set], arrays->weights[set]);
    narrow_bones(arrays->bones[set][0], 4 * (size_t)mesh->vertex_count, out->bone_bits);
    if (out->weights == WEIGHTS_UNORM8)
        narrow_weights(arrays->weights[set][0], 4 * (size_t)mesh->vertex_count);
    return true;
}

static bool make_ranges(struct influence_arrays *arrays, const struct mesh *mesh)
{
    arrays->ranges = calloc(mesh->vertex_count + 1u, sizeof *arrays->ranges);
    if (!arrays->ranges)
        return false;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        arrays->ranges[v][0] = mesh->influence_first[v];
        arrays->ranges[v][1] = mesh->influence_first[v + 1] - mesh->influence_first[v];
    }
    return true;
}

static bool make_influence_arrays(struct influence_arrays *arrays, const struct gpu_mesh *out,
                                  const struct influence *influences)
{
    if (!out->mesh->influence_first)
        return true;
    if (out->influences == INFLUENCES_LISTED)
        return make_ranges(arrays, out->mesh);
    return make_slots(arrays, out, influences, 0) &&
           (out->influences == INFLUENCES_4 || make_slots(arrays, out, influences, 1));
}

static bool upload_vertices(const struct gl *gl, const struct gpu_mesh *out, const struct influence *influences)
{
    const struct mesh *mesh = out->mesh;
    const GLenum bone = out->bone_bits == 8    ? GL_UNSIGNED_BYTE
                        : out->bone_bits == 16 ? GL_UNSIGNED_SHORT
                                               : GL_UNSIGNED_INT;
    const GLenum weight = out->weights == WEIGHTS_UNORM8 ? GL_UNSIGNED_BYTE : GL_FLOAT;
    struct influence_arrays arrays = {0};
    bool made = make_influence_arrays(&arrays, out, influences);
    if (made) {
        const struct attribute_block blocks[] = {
            {ATTRIBUTE_POSITION, 3, GL_FLOAT, false, mesh->positions},
            {ATTRIBUTE_NORMAL, 3, GL_FLOAT, false, mesh->normals},
            {ATTRIBUTE_UV, 2, GL_FLOAT, false, mesh->uvs},
            {ATTRIBUTE_COLOR, 4, GL_FLOAT, false, mesh->colors},
            {ATTRIBUTE_BONES, 4, bone, true, arrays.bones[0]},
            {ATTRIBUTE_WEIGHTS, 4, weight, false, arrays.weights[0]},
            {ATTRIBUTE_MORE_BONES, 4, bone, true, arrays.bones[1]},
            {ATTRIBUTE_MORE_WEIGHTS, 4, weight, false, arrays.weights[1]},
            {ATTRIBUTE_INFLUENCE_RANGE, 2, GL_UNSIGNED_INT, true, arrays.ranges},
        };
        upload_blocks(gl, blocks, sizeof blocks / sizeof blocks[0], mesh->vertex_count);
    }
    influence_arrays_release(&arrays);
    return made;
}

/* The list form: struct influence is (uint32, float), which is what the shader reads; rounded weights stay floats. */
static void upload_influence_list(const struct gl *gl, const struct gpu_mesh *out, const struct influence *influences)
{
    static_assert(sizeof(struct influence) == 8, "an influence is one RG32UI texel");
    const struct mesh *mesh = out->mesh;
    size_t size = sizeof *mesh->influences * mesh->influence_first[mesh->vertex_count];
    gl->BindBuffer(GL_TEXTURE_BUFFER, out->influence_buffer);
    gl->BufferData(GL_TEXTURE_BUFFER, (GLsizeiptr)size, influences, GL_STATIC_DRAW);
    gl->ActiveTexture(GL_TEXTURE0 + UNIT_INFLUENCES);
    gl->BindTexture(GL_TEXTURE_BUFFER, out->influence_texture);
    gl->TexBuffer(GL_TEXTURE_BUFFER, GL_RG32UI, out->influence_buffer);
}

static unsigned bits_for(uint32_t bone_count)
{
    return bone_count <= 1u << 8 ? 8 : bone_count <= 1u << 16 ? 16 : 32;
}

/* Vertices and influences, the weights as told; into the buffers there are. */
static bool upload_weighted(const struct gl *gl, struct gpu_mesh *out, enum weight_format weights)
{
    const struct mesh *mesh = out->mesh;
    bool rounds = weights == WEIGHTS_UNORM8 && mesh->influence_first;
    struct influence *rounded = rounds ? weights_rounded(mesh) : NULL;
    const struct influence *influences = rounded ? rounded : mesh->influences;
    out->weights = weights;
    gl->BindVertexArray(out->vertex_array);
    gl->BindBuffer(GL_ARRAY_BUFFER, out->vertices);
    bool good = (rounded || !rounds) && upload_vertices(gl, out, influences);
    if (good && out->influences == INFLUENCES_LISTED)
        upload_influence_list(gl, out, influences);
    gl->BindVertexArray(0);
    free(rounded);
    return good;
}

static bool upload_mesh(const struct renderer *renderer, const struct mesh *mesh, struct gpu_mesh *out,
                        struct error *err)
{
    const struct gl *gl = &renderer->context.gl;
    out->mesh = mesh;
    out->influences = form_of(mesh);
    if (out->influences == INFLUENCES_LISTED &&
        mesh->influence_first[mesh->vertex_count] > (uint32_t)renderer->info.max_texture_buffer)
        return error_set_code(err, EXIT_CODE_DIFFERS,
                              "mesh \"%s\" has %u influences, GL holds %d in a buffer: limit them to 8 a vertex",
                              mesh->name, mesh->influence_first[mesh->vertex_count], renderer->info.max_texture_buffer);
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
    out->bone_bits = bits_for(mesh->bone_count);
    if (!morph_upload_deltas(renderer, mesh, out, err))
        return false;
    return (upload_weighted(gl, out, WEIGHTS_FLOAT) && gpu_mesh_sum_bones(out)) ||
           error_set_code(err, EXIT_CODE_DIFFERS, "mesh \"%s\": out of memory", mesh->name);
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
        if (upload(model, err) && gpu_model_feed(model, &(struct feed){0}, err))
            return model;
    }
    gpu_model_destroy(model);
    return NULL;
}

static bool upload_other_weights(struct gpu_model *model, struct error *err)
{
    const struct renderer *renderer = model->renderer;
    for (uint32_t i = 0; i < model->scene->mesh_count; i++) {
        struct gpu_mesh *mesh = &model->meshes[i];
        if (mesh->weights != model->feed.weights && !upload_weighted(&renderer->context.gl, mesh, model->feed.weights))
            return error_set_code(err, EXIT_CODE_DIFFERS, "mesh \"%s\": out of memory", mesh->mesh->name);
    }
    return true;
}

bool gpu_model_feed(struct gpu_model *model, const struct feed *feed, struct error *err)
{
    if (!palette_store_holds(&model->renderer->palette, model->scene, feed, err) ||
        !gl_context_use(&model->renderer->context, err))
        return false;
    model->feed = *feed;
    return upload_other_weights(model, err);
}

bool gpu_model_upload_palettes(struct gpu_model *model, const struct palette *const *palettes, size_t count,
                               uint32_t layers, struct error *err)
{
    struct renderer *renderer = model->renderer;
    const char *needs = feed_needs_similarity(&model->feed);
    for (size_t i = 0; needs && i < count; i++)
        if (!palette_check_similar(model->scene, palettes[i], needs, err))
            return false;
    return palette_store_upload(&renderer->palette, &renderer->context.gl, model->scene, palettes, count, layers,
                                &model->feed, err) &&
           morph_upload_weights(renderer, model->scene, palettes, count, err);
}

bool gpu_model_upload_palette(struct gpu_model *model, const struct palette *palette, struct error *err)
{
    return gpu_model_upload_palettes(model, &palette, 1, 1, err);
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

/* Attributes without an array have one value for all vertices: white, no texture, wholly bound to bone 0. */
static void set_constant_attributes(const struct gl *gl, const struct mesh *mesh)
{
    if (!mesh->uvs)
        gl->VertexAttrib2f(ATTRIBUTE_UV, 0, 0);
    if (!mesh->colors)
        gl->VertexAttrib4f(ATTRIBUTE_COLOR, 1, 1, 1, 1);
    if (!mesh->influence_first) {
        gl->VertexAttribI4ui(ATTRIBUTE_BONES, 0, 0, 0, 0);
        gl->VertexAttrib4f(ATTRIBUTE_WEIGHTS, 1, 0, 0, 0);
    }
}

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

void gpu_model_bind(const struct gpu_model *model, size_t batch, uint32_t instance, const struct program *program)
{
    const struct gl *gl = &model->renderer->context.gl;
    const struct instance *where = &model->scene->instances[instance];
    const struct gpu_mesh *mesh = &model->meshes[where->mesh];
    const struct material *material = &model->scene->materials[mesh->mesh->material];
    gl->BindVertexArray(mesh->vertex_array);
    set_constant_attributes(gl, mesh->mesh);
    if (mesh->influence_texture) {
        gl->ActiveTexture(GL_TEXTURE0 + UNIT_INFLUENCES);
        gl->BindTexture(GL_TEXTURE_BUFFER, mesh->influence_texture);
    }
    if (material->base_texture != NO_INDEX)
        bind_texture(model, material);
    morph_bind(model, batch * model->renderer->palette.layers, instance, program);
    palette_store_bind(&model->renderer->palette, gl, model->scene, batch, instance, program);
    gl->Uniform4fv(program->uniforms[UNIFORM_BASE_COLOR], 1, material->base_color);
    gl->Uniform1f(program->uniforms[UNIFORM_ALPHA_CUTOFF], material->alpha_cutoff);
}
