#include "draw/shader/contract.h"

#include <stdio.h>
#include <string.h>

enum { MOST_NAME = 256 };

/* ---- what the contract has ------------------------------------------------------------------------------------- */

static const char *const attribute_names[ATTRIBUTE_COUNT] = {
    [ATTRIBUTE_POSITION] = "position",     [ATTRIBUTE_NORMAL] = "normal",
    [ATTRIBUTE_UV] = "uv",                 [ATTRIBUTE_COLOR] = "color",
    [ATTRIBUTE_BONES] = "bones",           [ATTRIBUTE_WEIGHTS] = "weights",
    [ATTRIBUTE_MORE_BONES] = "more_bones", [ATTRIBUTE_MORE_WEIGHTS] = "more_weights",
    [ATTRIBUTE_INFLUENCE_RANGE] = "influence_range",
};

static const struct {
    const char *name;
    GLenum type;
} uniforms[] = {
    {"scene_to_clip", GL_FLOAT_MAT4},
    {"first_binding", GL_INT},
    {"crowd_bindings", GL_INT},
    {"crowd_places", GL_INT},
    {"crowd_slots", GL_INT},
    {"palette", GL_SAMPLER_BUFFER},
    {"palette_rows", GL_FLOAT_VEC4},
    {"influences", GL_UNSIGNED_INT_SAMPLER_BUFFER},
    {"morph_deltas", GL_SAMPLER_BUFFER},
    {"morph_vertices", GL_INT},
    {"morph_weights", GL_UNSIGNED_INT_SAMPLER_BUFFER},
    {"morph_slot", GL_INT},
    {"base_color", GL_FLOAT_VEC4},
    {"base_texture", GL_SAMPLER_2D},
    {"alpha_cutoff", GL_FLOAT},
    {"key_direction", GL_FLOAT_VEC3},
    {"fill_direction", GL_FLOAT_VEC3},
    {"rim_direction", GL_FLOAT_VEC3},
    {"sky_direction", GL_FLOAT_VEC3},
    {"nearness", GL_FLOAT_VEC4},
    {"binding_colors", GL_SAMPLER_BUFFER},
};

/* Names that an instance's bindings go by as an array of mat4: ours, LearnOpenGL's and ogldev's. */
static const char *const matrix_arrays[] = {"bone_matrices", "finalBonesMatrices", "gBones"};

#define COUNT_OF(table) (sizeof(table) / sizeof(table)[0])

/* ---- types ----------------------------------------------------------------------------------------------------- */

enum number_class { NUMBER_FLOAT, NUMBER_INT, NUMBER_UINT, NUMBER_OTHER };

static const struct {
    GLenum type;
    const char *name;
    enum number_class class; /* of scalars and vectors */
} types[] = {
    {GL_FLOAT, "float", NUMBER_FLOAT},
    {GL_FLOAT_VEC2, "vec2", NUMBER_FLOAT},
    {GL_FLOAT_VEC3, "vec3", NUMBER_FLOAT},
    {GL_FLOAT_VEC4, "vec4", NUMBER_FLOAT},
    {GL_INT, "int", NUMBER_INT},
    {GL_INT_VEC2, "ivec2", NUMBER_INT},
    {GL_INT_VEC3, "ivec3", NUMBER_INT},
    {GL_INT_VEC4, "ivec4", NUMBER_INT},
    {GL_UNSIGNED_INT, "uint", NUMBER_UINT},
    {GL_UNSIGNED_INT_VEC2, "uvec2", NUMBER_UINT},
    {GL_UNSIGNED_INT_VEC3, "uvec3", NUMBER_UINT},
    {GL_UNSIGNED_INT_VEC4, "uvec4", NUMBER_UINT},
    {GL_FLOAT_MAT3, "mat3", NUMBER_OTHER},
    {GL_FLOAT_MAT4, "mat4", NUMBER_OTHER},
    {GL_FLOAT_MAT4x3, "mat4x3", NUMBER_OTHER},
    {GL_FLOAT_MAT3x4, "mat3x4", NUMBER_OTHER},
    {GL_SAMPLER_2D, "sampler2D", NUMBER_OTHER},
    {GL_SAMPLER_BUFFER, "samplerBuffer", NUMBER_OTHER},
    {GL_INT_SAMPLER_BUFFER, "isamplerBuffer", NUMBER_OTHER},
    {GL_UNSIGNED_INT_SAMPLER_BUFFER, "usamplerBuffer", NUMBER_OTHER},
};

const char *contract_type_name(GLenum type)
{
    for (size_t i = 0; i < COUNT_OF(types); i++)
        if (types[i].type == type)
            return types[i].name;
    return "of another type";
}

static enum number_class class_of(GLenum type)
{
    for (size_t i = 0; i < COUNT_OF(types); i++)
        if (types[i].type == type)
            return types[i].class;
    return NUMBER_OTHER;
}

/* ---- attributes ------------------------------------------------------------------------------------------------ */

void contract_name_attributes(const struct gl *gl, GLuint program)
{
    for (GLuint i = 0; i < ATTRIBUTE_COUNT; i++)
        gl->BindAttribLocation(program, i, attribute_names[i]);
}

static bool take_attribute(const struct shader_text *vertex, const char *name, GLint location, GLenum type,
                           struct contract *out, struct error *err)
{
    const char *file = shader_text_find_word(vertex, name)->shown;
    if (location >= ATTRIBUTE_COUNT)
        return error_set(err, "%s: attribute `%s` is at location %d, where nothing is; the last one is %d", file, name,
                         location, ATTRIBUTE_COUNT - 1);
    enum number_class class = class_of(type);
    bool is_bones = location == ATTRIBUTE_BONES || location == ATTRIBUTE_MORE_BONES;
    bool is_range = location == ATTRIBUTE_INFLUENCE_RANGE, is_signed = class == NUMBER_INT;
    if (is_bones ? class != NUMBER_INT && class != NUMBER_UINT : class != (is_range ? NUMBER_UINT : NUMBER_FLOAT))
        return error_set(err, "%s: attribute `%s` at location %d is %s; there is `%s`: %s", file, name, location,
                         contract_type_name(type), attribute_names[location],
                         is_bones   ? "uvec4, or ivec4 with -1 for what is not used"
                         : is_range ? "uvec2"
                                    : "floats");
    bool other = (out->attributes & (1u << ATTRIBUTE_BONES | 1u << ATTRIBUTE_MORE_BONES)) != 0;
    if (is_bones && other && is_signed != out->signed_bones)
        return error_set(err, "%s: `bones` and `more_bones` are both ivec4 or both uvec4", file);
    out->signed_bones |= is_bones && is_signed;
    out->attributes |= 1u << location;
    return true;
}

static bool read_attributes(const struct gl *gl, GLuint program, const struct shader_text *vertex,
                            struct contract *out, struct error *err)
{
    GLint count = 0;
    gl->GetProgramiv(program, GL_ACTIVE_ATTRIBUTES, &count);
    for (GLuint i = 0; i < (GLuint)count; i++) {
        char name[MOST_NAME] = "";
        GLint size = 0;
        GLenum type = 0;
        gl->GetActiveAttrib(program, i, sizeof name, NULL, &size, &type, name);
        GLint location = gl->GetAttribLocation(program, name);
        if (location >= 0 && !take_attribute(vertex, name, location, type, out, err)) /* gl_VertexID has none */
            return false;
    }
    return true;
}

/* ---- uniforms -------------------------------------------------------------------------------------------------- */

/* A program under inspection. */
struct inspection {
    const struct gl *gl;
    GLuint program;
    const struct shader_text *vertex;
    const struct shader_text *fragment;
    struct shader_set *set;
    struct contract *out;
    struct error *err;
};

struct active_uniform {
    char name[MOST_NAME]; /* without [0] */
    GLint location;
    GLint size;
    GLenum type;
};

static const char *file_of(const struct inspection *in, const char *name)
{
    const struct shader_file *file = shader_text_find_word(in->vertex, name);
    if (in->fragment && !(file->is_users && shader_has_word(file->text, name)))
        file = shader_text_find_word(in->fragment, name);
    return file->shown;
}

static bool take_matrices(const struct inspection *in, const struct active_uniform *uniform)
{
    struct contract *out = in->out;
    if (uniform->type != GL_FLOAT_MAT4)
        return error_set(in->err, "%s: `%s` is %s; it is filled with mat4", file_of(in, uniform->name), uniform->name,
                         contract_type_name(uniform->type));
    if (out->matrices >= 0)
        return error_set(in->err, "%s: `%s` and `%s` are both for the bones' matrices; one is enough",
                         file_of(in, uniform->name), out->matrices_name, uniform->name);
    out->matrices = uniform->location;
    out->matrix_count = (uint32_t)uniform->size;
    snprintf(out->matrices_name, sizeof out->matrices_name, "%s", uniform->name);
    return true;
}

static bool take_uniform(const struct inspection *in, const struct active_uniform *uniform)
{
    struct contract *out = in->out;
    const char *name = uniform->name;
    for (size_t i = 0; i < COUNT_OF(matrix_arrays); i++)
        if (strcmp(matrix_arrays[i], name) == 0)
            return take_matrices(in, uniform);
    for (size_t i = 0; i < COUNT_OF(uniforms); i++) {
        if (strcmp(uniforms[i].name, name) != 0)
            continue;
        bool rows = strcmp(name, "palette_rows") == 0;
        out->palette_paths |= (strcmp(name, "palette") == 0) << PALETTE_TBO | rows << PALETTE_UNIFORM;
        out->palette_rows = rows ? (uint32_t)uniform->size : out->palette_rows;
        out->reads_morphs |= strcmp(name, "morph_weights") == 0;
        out->reads_crowd |= strcmp(name, "crowd_places") == 0;
        return uniforms[i].type == uniform->type ||
               error_set(in->err, "%s: the uniform `%s` is %s; here it is %s", file_of(in, name), name,
                         contract_type_name(uniform->type), contract_type_name(uniforms[i].type));
    }
    /* One that has a value of its own is the user's business; one that is zero was meant to be set. */
    float values[16] = {0};
    bool is_zero = true;
    in->gl->GetUniformfv(in->program, uniform->location, values);
    for (int i = 0; i < 16; i++)
        is_zero = is_zero && values[i] == 0.0f;
    if (is_zero)
        shader_set_warn(
            in->set,
            "%s: rigproof does not set the uniform `%s`, it stays 0; those that are set are in shaders/README.md",
            file_of(in, name), name);
    return true;
}

static bool read_uniforms(const struct inspection *in)
{
    GLint count = 0;
    in->gl->GetProgramiv(in->program, GL_ACTIVE_UNIFORMS, &count);
    for (GLuint i = 0; i < (GLuint)count; i++) {
        struct active_uniform uniform = {.location = -1};
        in->gl->GetActiveUniform(in->program, i, sizeof uniform.name, NULL, &uniform.size, &uniform.type, uniform.name);
        uniform.location = in->gl->GetUniformLocation(in->program, uniform.name);
        char *bracket = strchr(uniform.name, '[');
        if (bracket)
            *bracket = '\0';
        if (uniform.location >= 0 && !take_uniform(in, &uniform)) /* those of a block have none */
            return false;
    }
    if (in->gl->GetUniformBlockIndex(in->program, "PaletteBlock") != GL_INVALID_INDEX)
        in->out->palette_paths |= 1u << PALETTE_UBO;
    return true;
}

bool contract_read(const struct gl *gl, GLuint program, const struct shader_text *vertex,
                   const struct shader_text *fragment, struct shader_set *set, struct contract *out, struct error *err)
{
    const struct inspection in = {gl, program, vertex, fragment, set, out, err};
    *out = (struct contract){.matrices = -1};
    if (!read_attributes(gl, program, vertex, out, err) || !read_uniforms(&in))
        return false;
    snprintf(out->file, sizeof out->file, "%s",
             shader_text_find_word(vertex, out->matrices >= 0 ? out->matrices_name : "main")->shown);
    return true;
}

/* ---- a mesh ---------------------------------------------------------------------------------------------------- */

bool contract_holds(const struct contract *c, const struct mesh *mesh, enum influence_form form,
                    const struct upload_format *upload_format, struct shader_set *set, struct error *err)
{
    const unsigned more = 1u << ATTRIBUTE_MORE_BONES | 1u << ATTRIBUTE_MORE_WEIGHTS;
    uint32_t bones = mesh->bone_count > 0 ? mesh->bone_count : 1;
    uint64_t rows = (uint64_t)bones * palette_format_rows(upload_format->format);
    int path = 0;
    if (mesh->target_count > 0 && !c->reads_morphs)
        shader_set_warn(set, "%s does not read `morph_weights`: the morph targets of mesh %s do nothing", c->file,
                        mesh->quoted);
    if (mesh->influence_first && form == INFLUENCES_4 && !(c->attributes >> ATTRIBUTE_BONES & 1))
        shader_set_warn(set, "%s does not read `bones`: mesh %s does not follow them", c->file, mesh->quoted);
    while (c->palette_paths != 0 && !(c->palette_paths >> path & 1))
        path++;
    if (c->matrices < 0 && c->palette_paths != 0 && !(c->palette_paths >> upload_format->path & 1))
        return error_set(err, "--palette %s: %s does not read the matrices that way; use --palette %s, or include "
                              "\"palette.glsl\", which reads them all", palette_path_names[upload_format->path], c->file,
                         palette_path_names[path]);
    if (c->matrices >= 0 && bones > c->matrix_count)
        return error_set(err, "mesh %s has %u bones, %s of %s holds %u", mesh->quoted, bones, c->matrices_name, c->file,
                         c->matrix_count);
    if (c->palette_rows > 0 && upload_format->path == PALETTE_UNIFORM && rows > c->palette_rows)
        return error_set(err, "mesh %s: %u bones need %llu vec4, palette_rows of %s holds %u", mesh->quoted, bones,
                         (unsigned long long)rows, c->file, c->palette_rows);
    if (form == INFLUENCES_8 && (c->attributes & more) != more)
        return error_set(err, "mesh %s has up to 8 influences a vertex, and %s does not read `more_bones` and "
                              "`more_weights`; use --influences 4", mesh->quoted, c->file);
    if (form == INFLUENCES_LISTED && !(c->attributes >> ATTRIBUTE_INFLUENCE_RANGE & 1))
        return error_set(err, "mesh %s has vertices of more than 8 influences, and %s does not read their list, "
                              "`influence_range`; use --influences 4", mesh->quoted, c->file);
    return true;
}
