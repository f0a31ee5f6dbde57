#include "draw/renderer/renderer.h"

#include <assert.h>
#include <stdlib.h>

#include "base/memory.h"

struct influence *weights_rounded(const struct mesh *mesh)
{
    uint32_t total = mesh->influence_first[mesh->vertex_count];
    struct influence *rounded = memory_new(total, sizeof *rounded);
    FREED uint8_t *bytes = memory_new(total, 1);
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        uint32_t first = mesh->influence_first[v];
        weights_to_bytes(mesh->influences + first, mesh->influence_first[v + 1] - first, bytes + first);
    }
    for (uint32_t i = 0; i < total; i++)
        rounded[i] = (struct influence){mesh->influences[i].bone, (float)bytes[i] / 255.0f};
    return rounded;
}

/* One buffer holds the attributes one after the other: all positions, all normals, ... */
struct attribute_block {
    GLint components;
    GLenum type;
    size_t size;       /* of a component: 1, 2 or 4 bytes */
    const void *data;  /* [vertex_count][components]; NULL: the mesh has none */
};

static bool are_bones(int attribute)
{
    return attribute == ATTRIBUTE_BONES || attribute == ATTRIBUTE_MORE_BONES;
}

static bool are_weights(int attribute)
{
    return attribute == ATTRIBUTE_WEIGHTS || attribute == ATTRIBUTE_MORE_WEIGHTS;
}

void gpu_mesh_point(struct gpu_mesh *gpu, const struct contract *contract)
{
    enum { LOCATIONS = 16 };
    for (GLuint i = 0; i < LOCATIONS; i++)
        gl->DisableVertexAttribArray(i);
    for (int i = 0; i < ATTRIBUTE_COUNT; i++) {
        const struct attribute_array *array = &gpu->arrays[i];
        const GLint at = contract ? contract->at[i] : i;
        const void *offset = (const void *)(uintptr_t)array->offset;
        bool integer = (are_bones(i) && !gpu->inputs.float_bones) || (are_weights(i) && gpu->inputs.byte_weights) ||
                       i == ATTRIBUTE_INFLUENCE_RANGE;
        if (at < 0 || array->components == 0)
            continue;
        if (integer)
            gl->VertexAttribIPointer((GLuint)at, array->components, array->type, 0, offset);
        else
            gl->VertexAttribPointer((GLuint)at, array->components, array->type,
                                    array->type != GL_FLOAT && !are_bones(i), 0, offset);
        gl->EnableVertexAttribArray((GLuint)at);
    }
    gpu->pointed = contract ? contract->number : 0;
}

static void upload_blocks(struct gpu_mesh *gpu, const struct attribute_block blocks[ATTRIBUTE_COUNT])
{
    const uint32_t vertex_count = gpu->mesh->vertex_count;
    size_t total = 0, offset = 0;
    for (size_t i = 0; i < ATTRIBUTE_COUNT; i++)
        total += blocks[i].data ? blocks[i].size * (size_t)blocks[i].components * vertex_count : 0;
    gl->BufferData(GL_ARRAY_BUFFER, (GLsizeiptr)total, NULL, GL_STATIC_DRAW);
    for (size_t i = 0; i < ATTRIBUTE_COUNT; i++) {
        const struct attribute_block *b = &blocks[i];
        size_t size = b->data ? b->size * (size_t)b->components * vertex_count : 0;
        gpu->arrays[i] = (struct attribute_array){b->data ? b->components : 0, b->type, offset};
        if (b->data)
            gl->BufferSubData(GL_ARRAY_BUFFER, (GLintptr)offset, (GLsizeiptr)size, b->data);
        offset += size;
    }
    gpu_mesh_point(gpu, NULL);
}

/* Returns those of a mesh's influences that are attributes; malloc'd. */
struct influence_arrays {
    uint32_t (*bones[2])[4];
    float (*weights[2])[4]; /* rounded ones as 255 times the weight, in bytes */
    uint32_t (*ranges)[2];
};

/*
 * Four slots of every vertex, beginning with influence 4 * set. Slots that are left have weight 0 and repeat the first
 * bone, so that a matrix of NaN only spoils the vertices it moves; or -1, of any size, where the user's shader has it
 * so.
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
                             : out->inputs.minus_one ? UINT32_MAX
                             : count             ? influences[0].bone
                                                 : 0;
            weights[v][slot] = i < count ? influences[i].weight : 0;
        }
    }
    size_t slots = 4 * (size_t)mesh->vertex_count;
    for (size_t i = 0; i < slots && out->bone_size < 4; i++) { /* in place, as narrow as is enough */
        uint16_t bone = (uint16_t)bones[i / 4][i % 4];
        if (out->bone_size == 1)
            ((unsigned char *)bones)[i] = (unsigned char)bone;
        else
            memcpy((unsigned char *)bones + 2 * i, &bone, sizeof bone);
    }
    for (size_t i = 0; i < slots && out->weights == WEIGHTS_UNORM8; i++)
        ((unsigned char *)weights)[i] = (unsigned char)(255.0f * weights[i / 4][i % 4] + 0.5f);
}

static void upload_vertices(struct gpu_mesh *out, const struct influence *influences)
{
    static const GLenum bone_types[2][5] = {{[1] = GL_UNSIGNED_BYTE, [2] = GL_UNSIGNED_SHORT, [4] = GL_UNSIGNED_INT},
                                            {[1] = GL_BYTE, [2] = GL_SHORT, [4] = GL_INT}};
    const struct mesh *mesh = out->mesh;
    const size_t bone_size = out->bone_size, weight_size = out->weights == WEIGHTS_UNORM8 ? 1 : 4;
    const GLenum bone = bone_types[out->inputs.signed_bones][bone_size],
                 weight = weight_size == 1 ? GL_UNSIGNED_BYTE : GL_FLOAT;
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
    const struct attribute_block blocks[ATTRIBUTE_COUNT] = {
        [ATTRIBUTE_POSITION] = {3, GL_FLOAT, 4, mesh->positions},
        [ATTRIBUTE_NORMAL] = {3, GL_FLOAT, 4, mesh->normals},
        [ATTRIBUTE_UV] = {2, GL_FLOAT, 4, mesh->uvs},
        [ATTRIBUTE_COLOR] = {4, GL_FLOAT, 4, mesh->colors},
        [ATTRIBUTE_BONES] = {4, bone, bone_size, arrays.bones[0]},
        [ATTRIBUTE_WEIGHTS] = {4, weight, weight_size, arrays.weights[0]},
        [ATTRIBUTE_MORE_BONES] = {4, bone, bone_size, arrays.bones[1]},
        [ATTRIBUTE_MORE_WEIGHTS] = {4, weight, weight_size, arrays.weights[1]},
        [ATTRIBUTE_MORE_UV] = {2, GL_FLOAT, 4, mesh->more_uvs},
        [ATTRIBUTE_INFLUENCE_RANGE] = {2, GL_UNSIGNED_INT, 4, arrays.ranges},
        [ATTRIBUTE_TANGENT] = {4, GL_FLOAT, 4, mesh->tangents},
    };
    upload_blocks(out, blocks);
    for (int i = 0; i < 2; i++) {
        free(arrays.bones[i]);
        free(arrays.weights[i]);
    }
    free(arrays.ranges);
}

void gpu_mesh_upload_influences(struct gpu_mesh *out, enum weight_format weights, const struct influence_inputs *inputs)
{
    static_assert(sizeof(struct influence) == 8, "an influence (uint32, float) is one RG32UI texel of the list");
    const struct mesh *mesh = out->mesh;
    FREED struct influence *rounded = weights == WEIGHTS_UNORM8 && mesh->influence_first ? weights_rounded(mesh) : NULL;
    const struct influence *influences = rounded ? rounded : mesh->influences;
    out->weights = weights;
    out->inputs = *inputs;
    const bool signed_bones = inputs->signed_bones; /* a sign takes a bit */
    out->bone_size = mesh->bone_count <= 1u << (8 - signed_bones)    ? 1
                     : mesh->bone_count <= 1u << (16 - signed_bones) ? 2
                                                                     : 4;
    gl->BindVertexArray(out->vertex_array);
    gl->BindBuffer(GL_ARRAY_BUFFER, out->vertices);
    upload_vertices(out, influences);
    if (out->influences == INFLUENCES_LISTED)
        buffer_texture_fill(&out->influence_list, UNIFORM_INFLUENCES, GL_RG32UI, influences,
                            sizeof *influences * mesh->influence_first[mesh->vertex_count]);
    gl->BindVertexArray(0);
}

static void set_constant(GLint at, const float value[4])
{
    if (at >= 0)
        gl->VertexAttrib4f((GLuint)at, value[0], value[1], value[2], value[3]);
}

/* Bones and weights of a set: that of a mesh without a skin is held by its first bone whole, any other by nothing. */
static void set_constant_influences(const struct gpu_mesh *mesh, GLint bones, GLint weights, bool holds)
{
    const struct influence_inputs *inputs = &mesh->inputs;
    if (bones >= 0 && inputs->signed_bones)
        gl->VertexAttribI4i((GLuint)bones, holds ? 0 : -inputs->minus_one, -inputs->minus_one, -inputs->minus_one,
                            -inputs->minus_one);
    else if (bones >= 0 && !inputs->float_bones)
        gl->VertexAttribI4ui((GLuint)bones, 0, 0, 0, 0);
    else
        set_constant(bones, (float[4]){0});
    if (weights >= 0 && inputs->byte_weights)
        gl->VertexAttribI4ui((GLuint)weights, 255 * holds, 0, 0, 0);
    else
        set_constant(weights, (float[4]){holds});
}

void gpu_mesh_set_constants(const struct gpu_mesh *gpu, const struct contract *contract)
{
    static const GLint ours[ATTRIBUTE_COUNT] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    static const struct {
        enum attribute attribute;
        float value[4];
    } constants[] = {{ATTRIBUTE_UV, {0, 0, 0, 1}},
                     {ATTRIBUTE_MORE_UV, {0, 0, 0, 1}},
                     {ATTRIBUTE_COLOR, {1, 1, 1, 1}},
                     {ATTRIBUTE_TANGENT, {1, 0, 0, 1}}};
    const GLint *at = contract ? contract->at : ours;
    for (GLint i = 0; contract && contract->unknown >> i != 0; i++)
        if (contract->unknown >> i & 1) {
            const unsigned x = contract->identity[0] >> i & 1, y = contract->identity[1] >> i & 1;
            const unsigned z = contract->identity[2] >> i & 1;
            set_constant(i, (float[4]){(float)x, (float)y, (float)z, (float)!(x | y | z)});
        }
    for (size_t i = 0; i < sizeof constants / sizeof constants[0]; i++)
        if (gpu->arrays[constants[i].attribute].components == 0)
            set_constant(at[constants[i].attribute], constants[i].value);
    if (!gpu->mesh->influence_first)
        set_constant_influences(gpu, at[ATTRIBUTE_BONES], at[ATTRIBUTE_WEIGHTS], true);
    if (gpu->influences != INFLUENCES_8) /* ours do not read them then; the user's may */
        set_constant_influences(gpu, at[ATTRIBUTE_MORE_BONES], at[ATTRIBUTE_MORE_WEIGHTS], false);
}
