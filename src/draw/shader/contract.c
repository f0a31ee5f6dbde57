#include "draw/shader/programs.h"

#include <stdio.h>
#include <string.h>

enum { MOST_NAME = 256 };

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
} uniforms[UNIFORM_COUNT] = {
    [UNIFORM_BASE_TEXTURE] = {"base_texture", GL_SAMPLER_2D},
    [UNIFORM_PALETTE] = {"palette", GL_SAMPLER_BUFFER},
    [UNIFORM_INFLUENCES] = {"influences", GL_UNSIGNED_INT_SAMPLER_BUFFER},
    [UNIFORM_BINDING_COLORS] = {"binding_colors", GL_SAMPLER_BUFFER},
    [UNIFORM_MORPH_DELTAS] = {"morph_deltas", GL_SAMPLER_BUFFER},
    [UNIFORM_MORPH_WEIGHTS] = {"morph_weights", GL_UNSIGNED_INT_SAMPLER_BUFFER},
    [UNIFORM_SCENE_TO_CLIP] = {"scene_to_clip", GL_FLOAT_MAT4},
    [UNIFORM_FIRST_BINDING] = {"first_binding", GL_INT},
    [UNIFORM_PALETTE_ROWS] = {"palette_rows", GL_FLOAT_VEC4},
    [UNIFORM_BASE_COLOR] = {"base_color", GL_FLOAT_VEC4},
    [UNIFORM_ALPHA_CUTOFF] = {"alpha_cutoff", GL_FLOAT},
    [UNIFORM_KEY_DIRECTION] = {"key_direction", GL_FLOAT_VEC3},
    [UNIFORM_FILL_DIRECTION] = {"fill_direction", GL_FLOAT_VEC3},
    [UNIFORM_RIM_DIRECTION] = {"rim_direction", GL_FLOAT_VEC3},
    [UNIFORM_SKY_DIRECTION] = {"sky_direction", GL_FLOAT_VEC3},
    [UNIFORM_MORPH_SLOT] = {"morph_slot", GL_INT},
    [UNIFORM_MORPH_VERTICES] = {"morph_vertices", GL_INT},
    [UNIFORM_NEARNESS] = {"nearness", GL_FLOAT_VEC4},
    [UNIFORM_CROWD_BINDINGS] = {"crowd_bindings", GL_INT},
    [UNIFORM_CROWD_PLACES] = {"crowd_places", GL_INT},
    [UNIFORM_CROWD_SLOTS] = {"crowd_slots", GL_INT},
};

/* Names that an instance's bindings go by as an array of mat4: ours, LearnOpenGL's and ogldev's. */
static const char *const matrix_arrays[] = {"bone_matrices", "finalBonesMatrices", "gBones"};

#define COUNT_OF(table) (sizeof(table) / sizeof(table)[0])

static const struct {
    GLenum type;
    const char *name; /* the first letter is the class of scalars and vectors: f and v of floats, i of int, u of uint */
} types[] = {
    {GL_FLOAT, "float"},
    {GL_FLOAT_VEC2, "vec2"},
    {GL_FLOAT_VEC3, "vec3"},
    {GL_FLOAT_VEC4, "vec4"},
    {GL_INT, "int"},
    {GL_INT_VEC2, "ivec2"},
    {GL_INT_VEC3, "ivec3"},
    {GL_INT_VEC4, "ivec4"},
    {GL_UNSIGNED_INT, "uint"},
    {GL_UNSIGNED_INT_VEC2, "uvec2"},
    {GL_UNSIGNED_INT_VEC3, "uvec3"},
    {GL_UNSIGNED_INT_VEC4, "uvec4"},
    {GL_FLOAT_MAT3, "mat3"},
    {GL_FLOAT_MAT4, "mat4"},
    {GL_FLOAT_MAT4x3, "mat4x3"},
    {GL_FLOAT_MAT3x4, "mat3x4"},
    {GL_SAMPLER_2D, "sampler2D"},
    {GL_SAMPLER_BUFFER, "samplerBuffer"},
    {GL_INT_SAMPLER_BUFFER, "isamplerBuffer"},
    {GL_UNSIGNED_INT_SAMPLER_BUFFER, "usamplerBuffer"},
};

const char *contract_type_name(GLenum type)
{
    for (size_t i = 0; i < COUNT_OF(types); i++)
        if (types[i].type == type)
            return types[i].name;
    return "of another type";
}

void contract_name_attributes(const struct gl *gl, GLuint program)
{
    for (GLuint i = 0; i < ATTRIBUTE_COUNT; i++)
        gl->BindAttribLocation(program, i, attribute_names[i]);
}

void contract_find_uniforms(const struct gl *gl, GLuint program, GLint at[UNIFORM_COUNT])
{
    gl->UseProgram(program);
    for (int i = 0; i < UNIFORM_COUNT; i++) {
        at[i] = gl->GetUniformLocation(program, uniforms[i].name);
        if (i < SAMPLER_COUNT)
            gl->Uniform1i(at[i], i);
    }
}

/* An active attribute or uniform of a program under inspection. */
struct active {
    char name[MOST_NAME]; /* without [0] */
    GLint location;
    GLint size;
    GLenum type;
    const char *file; /* that it stands in */
};

static bool take_attribute(const struct active *attribute, struct contract *out, struct error *err)
{
    const GLint location = attribute->location;
    if (location >= ATTRIBUTE_COUNT)
        return error_set(err, "%s: attribute `%s` is at location %d; rigproof has locations 0 to %d",
                         attribute->file, attribute->name, location, ATTRIBUTE_COUNT - 1);
    char class = contract_type_name(attribute->type)[0];
    bool is_bones = location == ATTRIBUTE_BONES || location == ATTRIBUTE_MORE_BONES;
    bool is_range = location == ATTRIBUTE_INFLUENCE_RANGE, is_signed = class == 'i';
    if (!strchr(is_bones ? "iu" : is_range ? "u" : "fv", class))
        return error_set(err, "%s: attribute `%s` at location %d is %s; rigproof has `%s` there: %s", attribute->file,
                         attribute->name, location, contract_type_name(attribute->type), attribute_names[location],
                         is_bones   ? "uvec4, or ivec4 with -1 in unused slots"
                         : is_range ? "uvec2"
                                    : "floats");
    bool other = (out->attributes & (1u << ATTRIBUTE_BONES | 1u << ATTRIBUTE_MORE_BONES)) != 0;
    if (is_bones && other && is_signed != out->signed_bones)
        return error_set(err, "%s: `bones` and `more_bones` must both be ivec4 or both uvec4", attribute->file);
    out->signed_bones |= is_bones && is_signed;
    out->attributes |= 1u << location;
    return true;
}

static bool take_uniform(const struct active *uniform, bool is_zero, struct shader_set *set, struct contract *out,
                         struct error *err)
{
    int known = 0;
    bool is_matrices = false;
    for (size_t i = 0; i < COUNT_OF(matrix_arrays); i++)
        is_matrices = is_matrices || strcmp(matrix_arrays[i], uniform->name) == 0;
    if (is_matrices && uniform->type != GL_FLOAT_MAT4)
        return error_set(err, "%s: `%s` is %s; it must be mat4", uniform->file, uniform->name,
                         contract_type_name(uniform->type));
    if (is_matrices && out->matrices >= 0)
        return error_set(err, "%s: `%s` and `%s` both take the bones' matrices; declare only one", uniform->file,
                         out->matrices_name, uniform->name);
    if (is_matrices) {
        out->matrices = uniform->location;
        out->matrix_count = (uint32_t)uniform->size;
        snprintf(out->matrices_name, sizeof out->matrices_name, "%s", uniform->name);
        return true;
    }
    while (known < UNIFORM_COUNT && strcmp(uniforms[known].name, uniform->name) != 0)
        known++;
    /* One that has a value of its own is the user's business; one that is zero was meant to be set. */
    if (known == UNIFORM_COUNT && is_zero)
        shader_set_warn(
            set, "%s: rigproof does not set the uniform `%s`, it stays 0; those that are set are in shaders/README.md",
            uniform->file, uniform->name);
    if (known == UNIFORM_COUNT)
        return true;
    bool rows = known == UNIFORM_PALETTE_ROWS;
    out->palette_paths |= (known == UNIFORM_PALETTE) << PALETTE_TBO | rows << PALETTE_UNIFORM;
    out->palette_rows = rows ? (uint32_t)uniform->size : out->palette_rows;
    out->reads_morphs |= known == UNIFORM_MORPH_WEIGHTS;
    out->reads_crowd |= known == UNIFORM_CROWD_PLACES;
    return uniforms[known].type == uniform->type ||
           error_set(err, "%s: the uniform `%s` is %s; it must be %s", uniform->file, uniform->name,
                     contract_type_name(uniform->type), contract_type_name(uniforms[known].type));
}

bool contract_read(const struct gl *gl, GLuint program, const struct shader_text *vertex,
                   const struct shader_text *fragment, struct shader_set *set, struct contract *out, struct error *err)
{
    GLint attribute_count = 0, uniform_count = 0;
    *out = (struct contract){.matrices = -1};
    gl->GetProgramiv(program, GL_ACTIVE_ATTRIBUTES, &attribute_count);
    gl->GetProgramiv(program, GL_ACTIVE_UNIFORMS, &uniform_count);
    for (GLuint i = 0; i < (GLuint)attribute_count; i++) {
        struct active at = {0};
        gl->GetActiveAttrib(program, i, sizeof at.name, NULL, &at.size, &at.type, at.name);
        at.location = gl->GetAttribLocation(program, at.name);
        at.file = shader_text_find_word(vertex, at.name)->shown;
        if (at.location >= 0 && !take_attribute(&at, out, err)) /* gl_VertexID has none */
            return false;
    }
    for (GLuint i = 0; i < (GLuint)uniform_count; i++) {
        struct active at = {0};
        float values[16] = {0};
        bool is_zero = true;
        gl->GetActiveUniform(program, i, sizeof at.name, NULL, &at.size, &at.type, at.name);
        at.location = gl->GetUniformLocation(program, at.name);
        if (at.location < 0) /* those of a block have none */
            continue;
        at.name[strcspn(at.name, "[")] = '\0';
        const struct shader_file *file = shader_text_find_word(vertex, at.name);
        if (fragment && !(file->is_users && shader_has_word(file->text, at.name)))
            file = shader_text_find_word(fragment, at.name);
        at.file = file->shown;
        gl->GetUniformfv(program, at.location, values);
        for (int k = 0; k < 16; k++)
            is_zero = is_zero && values[k] == 0.0f;
        if (!take_uniform(&at, is_zero, set, out, err))
            return false;
    }
    if (gl->GetUniformBlockIndex(program, "PaletteBlock") != GL_INVALID_INDEX)
        out->palette_paths |= 1u << PALETTE_UBO;
    snprintf(out->file, sizeof out->file, "%s",
             shader_text_find_word(vertex, out->matrices >= 0 ? out->matrices_name : "main")->shown);
    return true;
}

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
