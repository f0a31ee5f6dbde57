/* A driver says what a user's shaders declare, which is held against the contract: a driver whose answers are the
 * input. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "draw/shader/programs.h"
#include "target.h"

static const uint8_t *answers;
static size_t left;

static int answer(void)
{
    return left > 0 ? (left--, *answers++) : 0;
}

static void get_program(GLuint program, GLenum what, GLint *out)
{
    (void)program, (void)what;
    *out = answer() % 16;
}

/* A name of the contract, or any other. */
static void get_active(GLuint program, GLuint index, GLsizei size, GLsizei *length, GLint *count, GLenum *type, GLchar *name)
{
    static const char *const names[] = {"bones", "more_bones", "uv", "palette", "palette_rows[0]", "gBones[0]", "morph_weights"};
    static const GLenum types[] = {GL_FLOAT, GL_FLOAT_VEC3, GL_FLOAT_VEC4, GL_INT_VEC4, GL_UNSIGNED_INT_VEC4, GL_FLOAT_MAT4,
                                   GL_SAMPLER_BUFFER, GL_UNSIGNED_INT_SAMPLER_BUFFER, GL_DOUBLE};
    unsigned which = (unsigned)answer();
    (void)program, (void)index, (void)length;
    *count = answer() - 1;
    *type = types[(unsigned)answer() % (sizeof types / sizeof types[0])];
    if (which < 128)
        snprintf(name, (size_t)size, "%s", names[which % (sizeof names / sizeof names[0])]);
    else
        snprintf(name, (size_t)size, "%.*s", (int)left, (const char *)answers);
}

static GLint get_location(GLuint program, const GLchar *name)
{
    (void)program, (void)name;
    return answer() % 16 - 1;
}

static void get_floats(GLuint program, GLint location, GLfloat *out)
{
    (void)program, (void)location;
    *out = (GLfloat)answer();
}

static void get_block(GLuint program, GLuint block, GLsizei most, GLsizei *length, GLchar *name)
{
    static const char *const names[] = {"PaletteBlock", "Frame", "Lights[0]", ""};
    (void)program, (void)block, (void)length;
    snprintf(name, (size_t)most, "%s", names[answer() % 4]);
}

static void get_block_size(GLuint program, GLuint block, GLenum what, GLint *out)
{
    (void)program, (void)block, (void)what;
    *out = (GLint)answer();
}

static void set_block(GLuint program, GLuint block, GLuint binding)
{
    (void)program, (void)block, (void)binding;
}

static void set_units(GLint location, GLsizei count, const GLint *units)
{
    (void)location;
    if (count > 0 && units[count - 1] < SAMPLER_COUNT)
        abort(); /* one of ours, or beyond the list */
}

static void use_program(GLuint program)
{
    (void)program;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct gl answering = {.GetProgramiv = get_program,
                                        .GetActiveAttrib = get_active,
                                        .GetActiveUniform = get_active,
                                        .GetAttribLocation = get_location,
                                        .GetUniformLocation = get_location,
                                        .GetUniformfv = get_floats,
                                        .GetActiveUniformBlockName = get_block,
                                        .GetActiveUniformBlockiv = get_block_size,
                                        .UniformBlockBinding = set_block,
                                        .Uniform1iv = set_units,
                                        .UseProgram = use_program};
    struct fallbacks fallbacks = {.white = 1, .zeros = 1, .zero_count = INT_MAX}; /* as if made before */
    static const char shader[] = "#version 330 core\nin vec4 bones;\n";
    struct error err = {0};
    struct contract contract;
    struct shader_text vertex;
    gl = &answering;
    for (int i = 0; i < FALLBACK_SAMPLERS; i++)
        fallbacks.samplers[i].texture = 1;
    answers = data;
    left = size;
    target_file("m", "", 0);
    target_file("skin.vert", shader, sizeof shader - 1);
    struct shader_set *set = shader_set_load(".", &err);
    shader_text_assemble(set, "skin.vert", "", &vertex);
    if (contract_read(1, &vertex, NULL, &fallbacks, set, &contract, &err)) {
        const struct mesh mesh = {.quoted = "\"mesh\"", .bone_count = (uint32_t)answer(), .target_count = 1};
        const struct upload_format upload_format = {.path = (enum palette_path)(answer() % 4)};
        contract_holds(&contract, &mesh, (enum influence_form)(answer() % INFLUENCE_FORM_COUNT), &upload_format, set,
                       &err);
    }
    text_release(&vertex.text);
    shader_set_release(set);
    return 0;
}
