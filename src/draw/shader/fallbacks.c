#include "draw/shader/programs.h"

#include "base/memory.h"

enum texel_kind { FLOATS, INTS, UINTS, DEPTH, NOTHING };

// clang-format off
#define ALL(SHAPE, shape, target, floats, ints, uints)                                                                 \
    {GL_SAMPLER_##SHAPE, "sampler" shape, target, floats}, {GL_INT_SAMPLER_##SHAPE, "isampler" shape, target, ints},   \
    {GL_UNSIGNED_INT_SAMPLER_##SHAPE, "usampler" shape, target, uints}
#define TEXELS(SHAPE, shape, target) ALL(SHAPE, shape, target, FLOATS, INTS, UINTS)
#define SHADOW(SHAPE, shape, target) {GL_SAMPLER_##SHAPE##_SHADOW, "sampler" shape "Shadow", target, DEPTH}

/* A row's number is that of its texture unit, counted from behind ours: samplers of two types must not share one. */
static const struct {
    GLenum type;
    const char *name;
    GLenum target;
    enum texel_kind kind;
} samplers[FALLBACK_SAMPLERS] = {
    TEXELS(1D, "1D", GL_TEXTURE_1D),
    TEXELS(2D, "2D", GL_TEXTURE_2D),
    TEXELS(3D, "3D", GL_TEXTURE_3D),
    TEXELS(CUBE, "Cube", GL_TEXTURE_CUBE_MAP),
    TEXELS(2D_RECT, "2DRect", GL_TEXTURE_RECTANGLE),
    TEXELS(1D_ARRAY, "1DArray", GL_TEXTURE_1D_ARRAY),
    TEXELS(2D_ARRAY, "2DArray", GL_TEXTURE_2D_ARRAY),
    TEXELS(BUFFER, "Buffer", GL_TEXTURE_BUFFER),
    SHADOW(1D, "1D", GL_TEXTURE_1D),
    SHADOW(2D, "2D", GL_TEXTURE_2D),
    SHADOW(CUBE, "Cube", GL_TEXTURE_CUBE_MAP),
    SHADOW(2D_RECT, "2DRect", GL_TEXTURE_RECTANGLE),
    SHADOW(1D_ARRAY, "1DArray", GL_TEXTURE_1D_ARRAY),
    SHADOW(2D_ARRAY, "2DArray", GL_TEXTURE_2D_ARRAY),
    ALL(2D_MULTISAMPLE, "2DMS", 0, NOTHING, NOTHING, NOTHING), /* only what is drawn fills them */
    ALL(2D_MULTISAMPLE_ARRAY, "2DMSArray", 0, NOTHING, NOTHING, NOTHING),
};
// clang-format on

static int find(GLenum type)
{
    int row = 0;
    while (row < FALLBACK_SAMPLERS && samplers[row].type != type)
        row++;
    return row;
}

const char *fallback_type_name(GLenum type)
{
    int row = find(type);
    return row < FALLBACK_SAMPLERS ? samplers[row].name : NULL;
}

/* One texel; of a cube one a side. The texture is bound to the active unit. */
static void fill(GLenum target, enum texel_kind kind, const void *texel)
{
    static const struct {
        GLenum internal, format, type;
    } kinds[] = {
        [FLOATS] = {GL_RGBA32F, GL_RGBA, GL_FLOAT},
        [INTS] = {GL_RGBA32I, GL_RGBA_INTEGER, GL_INT},
        [UINTS] = {GL_RGBA32UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT},
        [DEPTH] = {GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT, GL_FLOAT},
    };
    const GLint internal = (GLint)kinds[kind].internal;
    const GLenum format = kinds[kind].format, type = kinds[kind].type;
    gl->TexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    gl->TexParameteri(target, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    if (kind == DEPTH)
        gl->TexParameteri(target, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    if (target == GL_TEXTURE_1D)
        gl->TexImage1D(target, 0, internal, 1, 0, format, type, texel);
    else if (target == GL_TEXTURE_3D || target == GL_TEXTURE_2D_ARRAY)
        gl->TexImage3D(target, 0, internal, 1, 1, 1, 0, format, type, texel);
    else if (target == GL_TEXTURE_CUBE_MAP)
        for (GLenum side = 0; side < 6; side++)
            gl->TexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + side, 0, internal, 1, 1, 0, format, type, texel);
    else
        gl->TexImage2D(target, 0, internal, 1, 1, 0, format, type, texel);
}

/* Made when first asked for; nothing else is bound to its unit. */
static void bind_sampler(struct fallbacks *fallbacks, int row)
{
    static const float grey[4] = {128 / 255.0f, 128 / 255.0f, 128 / 255.0f, 1};
    static const GLint numbers[4] = {128, 128, 128, 255};
    const bool whole = samplers[row].kind == INTS || samplers[row].kind == UINTS;
    const GLenum target = samplers[row].target;
    const GLuint unit = SAMPLER_COUNT + (GLuint)row;
    struct buffer_texture *texture = &fallbacks->samplers[row];
    if (texture->texture || samplers[row].kind == NOTHING)
        return;
    if (target == GL_TEXTURE_BUFFER) {
        const GLenum formats[] = {[FLOATS] = GL_RGBA32F, [INTS] = GL_RGBA32I, [UINTS] = GL_RGBA32UI};
        buffer_texture_fill(texture, unit, formats[samplers[row].kind], whole ? (const void *)numbers : grey, 16);
    } else {
        gl->GenTextures(1, &texture->texture);
        gl->ActiveTexture(GL_TEXTURE0 + unit);
        gl->BindTexture(target, texture->texture);
        fill(target, samplers[row].kind, whole ? (const void *)numbers : grey);
    }
    gl->ActiveTexture(GL_TEXTURE0);
}

const char *fallback_sampler(struct fallbacks *fallbacks, GLint location, GLint count, GLenum type)
{
    enum { MOST = 64 }; /* of an array, more than a stage may read */
    GLint units[MOST];
    int row = find(type);
    if (row == FALLBACK_SAMPLERS)
        return NULL;
    bind_sampler(fallbacks, row);
    for (int i = 0; i < MOST; i++)
        units[i] = SAMPLER_COUNT + row;
    gl->Uniform1iv(location, count < MOST ? count : MOST, units);
    static const char *const reads[] = {[FLOATS] = "reads mid-grey",
                                        [INTS] = "reads 128 128 128 255",
                                        [UINTS] = "reads 128 128 128 255",
                                        [DEPTH] = "reads a depth of 0.5",
                                        [NOTHING] = "reads no texture"};
    return reads[samplers[row].kind];
}

GLuint fallback_base_texture(struct fallbacks *fallbacks)
{
    static const uint8_t white[4] = {255, 255, 255, 255};
    if (!fallbacks->white) {
        gl->GenTextures(1, &fallbacks->white);
        gl->ActiveTexture(GL_TEXTURE0 + UNIFORM_BASE_TEXTURE);
        gl->BindTexture(GL_TEXTURE_2D, fallbacks->white);
        gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        gl->TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, white);
    }
    return fallbacks->white;
}

void fallback_block(struct fallbacks *fallbacks, GLuint program, GLuint block)
{
    enum { BINDING = 1 }; /* the palette's is 0 */
    GLint size = 0;
    gl->GetActiveUniformBlockiv(program, block, GL_UNIFORM_BLOCK_DATA_SIZE, &size);
    gl->UniformBlockBinding(program, block, BINDING);
    if (size <= fallbacks->zero_count)
        return;
    FREED void *zeros = memory_new((size_t)size, 1);
    if (!fallbacks->zeros)
        gl->GenBuffers(1, &fallbacks->zeros);
    gl->BindBufferBase(GL_UNIFORM_BUFFER, BINDING, fallbacks->zeros);
    gl->BufferData(GL_UNIFORM_BUFFER, size, zeros, GL_STATIC_DRAW);
    fallbacks->zero_count = size;
}

void fallbacks_release(struct fallbacks *fallbacks)
{
    for (int i = 0; i < FALLBACK_SAMPLERS; i++)
        buffer_texture_release(&fallbacks->samplers[i]);
    gl->DeleteTextures(1, &fallbacks->white); /* zeros are ignored */
    gl->DeleteBuffers(1, &fallbacks->zeros);
    *fallbacks = (struct fallbacks){0};
}
