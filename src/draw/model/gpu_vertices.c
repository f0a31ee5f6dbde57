#include "draw/model/gpu_vertices.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "draw/model/weights.h"

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
    bool byte = block->type == GL_UNSIGNED_BYTE || block->type == GL_BYTE;
    bool two = block->type == GL_UNSIGNED_SHORT || block->type == GL_SHORT;
    size_t each = byte ? 1 : two ? 2 : 4;
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

enum influence_form gpu_vertices_form(const struct mesh *mesh)
{
    uint32_t most = most_influences(mesh);
    return most <= 4 ? INFLUENCES_4 : most <= 8 ? INFLUENCES_8 : INFLUENCES_LISTED;
}

/* What a slot that a vertex does not need has for a bone. */
static uint32_t spare_bone(const struct gpu_mesh *out, const struct influence *influences, uint32_t count)
{
    return out->signed_bones ? UINT32_MAX : count ? influences[0].bone : 0;
}

/*
 * Four slots of every vertex, beginning with influence `skip`. Slots that are left have weight 0 and repeat the first
 * bone, so that a matrix of NaN only spoils the vertices it moves; or -1, of any size, where the user's shader has it so.
 */
static void fill_slots(const struct gpu_mesh *out, const struct influence *all, uint32_t skip, uint32_t (*bones)[4],
                       float (*weights)[4])
{
    const struct mesh *mesh = out->mesh;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        const struct influence *influences = all + mesh->influence_first[v];
        uint32_t count = mesh->influence_first[v + 1] - mesh->influence_first[v];
        for (uint32_t slot = 0; slot < 4; slot++) {
            bool used = skip + slot < count;
            bones[v][slot] = used ? influences[skip + slot].bone : spare_bone(out, influences, count);
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
    fill_slots(out, influences, 4 * (uint32_t)set, arrays->bones[set], arrays->weights[set]);
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

static GLenum bone_type(const struct gpu_mesh *mesh)
{
    if (mesh->signed_bones)
        return mesh->bone_bits == 8 ? GL_BYTE : mesh->bone_bits == 16 ? GL_SHORT : GL_INT;
    return mesh->bone_bits == 8 ? GL_UNSIGNED_BYTE : mesh->bone_bits == 16 ? GL_UNSIGNED_SHORT : GL_UNSIGNED_INT;
}

static bool upload_vertices(const struct gl *gl, const struct gpu_mesh *out, const struct influence *influences)
{
    const struct mesh *mesh = out->mesh;
    const GLenum bone = bone_type(out);
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

/* A sign takes a bit. */
static unsigned bits_for(uint32_t bone_count, bool is_signed)
{
    return bone_count <= 1u << (8 - is_signed) ? 8 : bone_count <= 1u << (16 - is_signed) ? 16 : 32;
}

bool gpu_vertices_upload(const struct gl *gl, struct gpu_mesh *out, enum weight_format weights, bool signed_bones)
{
    const struct mesh *mesh = out->mesh;
    bool rounds = weights == WEIGHTS_UNORM8 && mesh->influence_first;
    struct influence *rounded = rounds ? weights_rounded(mesh) : NULL;
    const struct influence *influences = rounded ? rounded : mesh->influences;
    out->weights = weights;
    out->signed_bones = signed_bones;
    out->bone_bits = bits_for(mesh->bone_count, signed_bones);
    gl->BindVertexArray(out->vertex_array);
    gl->BindBuffer(GL_ARRAY_BUFFER, out->vertices);
    bool good = (rounded || !rounds) && upload_vertices(gl, out, influences);
    if (good && out->influences == INFLUENCES_LISTED)
        upload_influence_list(gl, out, influences);
    gl->BindVertexArray(0);
    free(rounded);
    return good;
}

/* ---- what is no array -------------------------------------------------------------------------------------- */

static void set_constant_bones(const struct gl *gl, const struct gpu_mesh *mesh, GLuint location, GLint first)
{
    if (mesh->signed_bones)
        gl->VertexAttribI4i(location, first, -1, -1, -1);
    else
        gl->VertexAttribI4ui(location, 0, 0, 0, 0);
}

/* Attributes without an array have one value for all vertices: white, no texture, wholly bound to bone 0. */
void gpu_vertices_set_constants(const struct gl *gl, const struct gpu_mesh *gpu)
{
    const struct mesh *mesh = gpu->mesh;
    if (!mesh->uvs)
        gl->VertexAttrib2f(ATTRIBUTE_UV, 0, 0);
    if (!mesh->colors)
        gl->VertexAttrib4f(ATTRIBUTE_COLOR, 1, 1, 1, 1);
    if (!mesh->influence_first) {
        set_constant_bones(gl, gpu, ATTRIBUTE_BONES, 0);
        gl->VertexAttrib4f(ATTRIBUTE_WEIGHTS, 1, 0, 0, 0);
    }
    if (gpu->influences != INFLUENCES_8) { /* ours do not read them then; the user's may */
        set_constant_bones(gl, gpu, ATTRIBUTE_MORE_BONES, -1);
        gl->VertexAttrib4f(ATTRIBUTE_MORE_WEIGHTS, 0, 0, 0, 0);
    }
}
