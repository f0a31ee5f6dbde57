#include "draw/renderer.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* 255 times the weight, 0 to 255. */
static double share_of(const struct influence *influence)
{
    return 255.0 * fmin(fmax((double)influence->weight, 0.0), 1.0);
}

void weights_to_bytes(const struct influence *influences, uint32_t count, uint8_t *bytes)
{
    double sum = 0;
    long missing = 0;
    for (uint32_t i = 0; i < count; i++) {
        double share = share_of(&influences[i]);
        bytes[i] = (uint8_t)share;
        missing -= bytes[i];
        sum += share;
    }
    for (missing += lround(sum); missing > 0; missing--) {
        uint32_t largest = 0;
        for (uint32_t i = 1; i < count; i++)
            if (share_of(&influences[i]) - bytes[i] > share_of(&influences[largest]) - bytes[largest])
                largest = i;
        bytes[largest]++;
    }
}

struct influence *weights_rounded(const struct mesh *mesh)
{
    uint32_t total = mesh->influence_first[mesh->vertex_count];
    struct influence *rounded = memory_new(total, sizeof *rounded);
    uint8_t *bytes = memory_new(total, 1);
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        uint32_t first = mesh->influence_first[v];
        weights_to_bytes(mesh->influences + first, mesh->influence_first[v + 1] - first, bytes + first);
    }
    for (uint32_t i = 0; i < total; i++)
        rounded[i] = (struct influence){mesh->influences[i].bone, (float)bytes[i] / 255.0f};
    free(bytes);
    return rounded;
}

/* One buffer holds the attributes one after the other: all positions, all normals, ... */
struct attribute_block {
    GLuint location;
    GLint components;
    GLenum type;
    size_t size;       /* of a component: 1, 2 or 4 bytes */
    bool integer;      /* in the shader too; else a float there, of bytes 0 to 1 */
    const void *data;  /* [vertex_count][components]; NULL: the mesh has none */
};

static void upload_blocks(const struct gl *gl, const struct attribute_block *blocks, size_t count,
                          uint32_t vertex_count)
{
    size_t total = 0, offset = 0;
    for (size_t i = 0; i < count; i++)
        total += blocks[i].data ? blocks[i].size * (size_t)blocks[i].components * vertex_count : 0;
    gl->BufferData(GL_ARRAY_BUFFER, (GLsizeiptr)total, NULL, GL_STATIC_DRAW);
    for (size_t i = 0; i < count; i++) {
        const struct attribute_block *b = &blocks[i];
        const void *at = (const void *)(uintptr_t)offset;
        size_t size = b->size * (size_t)b->components * vertex_count;
        if (!b->data)
            continue;
        gl->BufferSubData(GL_ARRAY_BUFFER, (GLintptr)offset, (GLsizeiptr)size, b->data);
        if (b->integer)
            gl->VertexAttribIPointer(b->location, b->components, b->type, 0, at);
        else
            gl->VertexAttribPointer(b->location, b->components, b->type, b->type != GL_FLOAT, 0, at);
        gl->EnableVertexAttribArray(b->location);
        offset += size;
    }
}

enum influence_form gpu_vertices_form(const struct mesh *mesh)
{
    uint32_t most = 0;
    for (uint32_t v = 0; mesh->influence_first && v < mesh->vertex_count; v++) {
        uint32_t count = mesh->influence_first[v + 1] - mesh->influence_first[v];
        most = count > most ? count : most;
    }
    return most <= 4 ? INFLUENCES_4 : most <= 8 ? INFLUENCES_8 : INFLUENCES_LISTED;
}

/* What of a mesh's influences is attributes; malloc'd. */
struct influence_arrays {
    uint32_t (*bones[2])[4];
    float (*weights[2])[4]; /* rounded ones as 255 times the weight, in bytes */
    uint32_t (*ranges)[2];
};

/*
 * Four slots of every vertex, beginning with influence 4 * set. Slots that are left have weight 0 and repeat the first
 * bone, so that a matrix of NaN only spoils the vertices it moves; or -1, of any size, where the user's shader has it so.
 */
static void fill_slots(struct influence_arrays *arrays, const struct gpu_mesh *out, const struct influence *all,
                       uint32_t set)
{
    const struct mesh *mesh = out->mesh;
    uint32_t(*bones)[4] = arrays->bones[set] = memory_new(mesh->vertex_count, sizeof *bones);
    float(*weights)[4] = arrays->weights[set] = memory_new(mesh->vertex_count, sizeof *weights);
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        const struct influence *influences = all + mesh->influence_first[v];
        uint32_t count = mesh->influence_first[v + 1] - mesh->influence_first[v];
        for (uint32_t slot = 0; slot < 4; slot++) {
            uint32_t i = 4 * set + slot;
            bones[v][slot] = i < count            ? influences[i].bone
                             : out->signed_bones ? UINT32_MAX
                             : count             ? influences[0].bone
                                                 : 0;
            weights[v][slot] = i < count ? influences[i].weight : 0;
        }
    }
    size_t slots = 4 * (size_t)mesh->vertex_count;
    for (size_t i = 0; i < slots && out->bone_size < 4; i++) { /* in place, as narrow as is enough */
        uint16_t bone = (uint16_t)bones[0][i];
        if (out->bone_size == 1)
            ((unsigned char *)bones)[i] = (unsigned char)bone;
        else
            memcpy((unsigned char *)bones + 2 * i, &bone, sizeof bone);
    }
    for (size_t i = 0; i < slots && out->weights == WEIGHTS_UNORM8; i++)
        ((unsigned char *)weights)[i] = (unsigned char)(255.0f * weights[0][i] + 0.5f);
}

static void upload_vertices(const struct gl *gl, const struct gpu_mesh *out, const struct influence *influences)
{
    static const GLenum bone_types[2][5] = {{[1] = GL_UNSIGNED_BYTE, [2] = GL_UNSIGNED_SHORT, [4] = GL_UNSIGNED_INT},
                                            {[1] = GL_BYTE, [2] = GL_SHORT, [4] = GL_INT}};
    const struct mesh *mesh = out->mesh;
    const size_t bone_size = out->bone_size, weight_size = out->weights == WEIGHTS_UNORM8 ? 1 : 4;
    const GLenum bone = bone_types[out->signed_bones][bone_size], weight = weight_size == 1 ? GL_UNSIGNED_BYTE : GL_FLOAT;
    struct influence_arrays arrays = {0};
    if (mesh->influence_first && out->influences == INFLUENCES_LISTED) {
        arrays.ranges = memory_new(mesh->vertex_count, sizeof *arrays.ranges);
        for (uint32_t v = 0; v < mesh->vertex_count; v++) {
            arrays.ranges[v][0] = mesh->influence_first[v];
            arrays.ranges[v][1] = mesh->influence_first[v + 1] - mesh->influence_first[v];
        }
    } else if (mesh->influence_first) {
        for (uint32_t set = 0; set < (out->influences == INFLUENCES_8 ? 2 : 1); set++)
            fill_slots(&arrays, out, influences, set);
    }
    const struct attribute_block blocks[] = {
        {ATTRIBUTE_POSITION, 3, GL_FLOAT, 4, false, mesh->positions},
        {ATTRIBUTE_NORMAL, 3, GL_FLOAT, 4, false, mesh->normals},
        {ATTRIBUTE_UV, 2, GL_FLOAT, 4, false, mesh->uvs},
        {ATTRIBUTE_COLOR, 4, GL_FLOAT, 4, false, mesh->colors},
        {ATTRIBUTE_BONES, 4, bone, bone_size, true, arrays.bones[0]},
        {ATTRIBUTE_WEIGHTS, 4, weight, weight_size, false, arrays.weights[0]},
        {ATTRIBUTE_MORE_BONES, 4, bone, bone_size, true, arrays.bones[1]},
        {ATTRIBUTE_MORE_WEIGHTS, 4, weight, weight_size, false, arrays.weights[1]},
        {ATTRIBUTE_INFLUENCE_RANGE, 2, GL_UNSIGNED_INT, 4, true, arrays.ranges},
    };
    upload_blocks(gl, blocks, sizeof blocks / sizeof blocks[0], mesh->vertex_count);
    for (int i = 0; i < 2; i++) {
        free(arrays.bones[i]);
        free(arrays.weights[i]);
    }
    free(arrays.ranges);
}

void gpu_vertices_upload(const struct gl *gl, struct gpu_mesh *out, enum weight_format weights, bool signed_bones)
{
    static_assert(sizeof(struct influence) == 8, "an influence (uint32, float) is one RG32UI texel of the list");
    const struct mesh *mesh = out->mesh;
    struct influence *rounded = weights == WEIGHTS_UNORM8 && mesh->influence_first ? weights_rounded(mesh) : NULL;
    const struct influence *influences = rounded ? rounded : mesh->influences;
    out->weights = weights;
    out->signed_bones = signed_bones;
    /* A sign takes a bit. */
    out->bone_size = mesh->bone_count <= 1u << (8 - signed_bones) ? 1 : mesh->bone_count <= 1u << (16 - signed_bones) ? 2 : 4;
    gl->BindVertexArray(out->vertex_array);
    gl->BindBuffer(GL_ARRAY_BUFFER, out->vertices);
    upload_vertices(gl, out, influences);
    if (out->influences == INFLUENCES_LISTED)
        buffer_texture_fill(&out->influence_list, gl, UNIFORM_INFLUENCES, GL_RG32UI, influences,
                            sizeof *influences * mesh->influence_first[mesh->vertex_count]);
    gl->BindVertexArray(0);
    free(rounded);
}

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
