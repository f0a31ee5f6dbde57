#include "draw/shader/programs.h"

#include <stdio.h>
#include <string.h>

#include "base/names.h"

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
    {GL_BOOL, "bool"},
    {GL_BOOL_VEC2, "bvec2"},
    {GL_BOOL_VEC3, "bvec3"},
    {GL_BOOL_VEC4, "bvec4"},
    {GL_FLOAT_MAT2, "mat2"},
    {GL_FLOAT_MAT3, "mat3"},
    {GL_FLOAT_MAT4, "mat4"},
    {GL_FLOAT_MAT4x3, "mat4x3"},
    {GL_FLOAT_MAT3x4, "mat3x4"},
};

const char *contract_type_name(GLenum type)
{
    for (size_t i = 0; i < COUNT_OF(types); i++)
        if (types[i].type == type)
            return types[i].name;
    const char *sampler = fallback_type_name(type);
    return sampler ? sampler : "of another type";
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
    char name[MOST_NAME]; /* without [0] at its end */
    char word[MOST_NAME]; /* its first: "lights" of "lights[0].color" */
    GLint location;
    GLint size;
    GLenum type;
    const char *file; /* that it stands in */
};

/* A bit for each location that it takes: those of an array, and of a matrix one a column. */
static unsigned locations_of(GLint first, GLint size, GLenum type)
{
    const char *name = contract_type_name(type);
    GLint count = size * (strncmp(name, "mat", 3) == 0 ? name[3] - '0' : 1);
    return ((1u << (count < 16 ? count : 16)) - 1) << first;
}

bool contract_move_attributes(const struct gl *gl, GLuint program)
{
    enum { MOST = 16 }; /* locations that every GL has */
    char name[MOST_NAME];
    unsigned taken = (1u << ATTRIBUTE_COUNT) - 1;
    GLint count = 0, size;
    GLenum type;
    bool moves = false;
    gl->GetProgramiv(program, GL_ACTIVE_ATTRIBUTES, &count);
    for (int pass = 0; pass < 2; pass++)
        for (GLuint i = 0; i < (GLuint)count; i++) {
            gl->GetActiveAttrib(program, i, sizeof name, NULL, &size, &type, name);
            GLint at = gl->GetAttribLocation(program, name), ours = 0, to = 0;
            while (ours < ATTRIBUTE_COUNT && strcmp(name, attribute_names[ours]) != 0)
                ours++;
            bool is_behind = at >= ATTRIBUTE_COUNT && at < MOST;
            while (!is_behind && to < MOST && locations_of(to, size, type) & taken)
                to++;
            to = is_behind ? at : to; /* bound as well, so that it stays */
            if (pass == 0 && is_behind)
                taken |= locations_of(at, size, type);
            else if (pass == 1 && at >= 0 && ours == ATTRIBUTE_COUNT && to < MOST && locations_of(to, size, type) >> MOST == 0) {
                gl->BindAttribLocation(program, (GLuint)to, name); /* without effect where its file has a location */
                taken |= locations_of(to, size, type);
                moves = moves || !is_behind;
            }
        }
    return moves;
}

/* "; did you mean `base_color`?", or nothing. */
static const char *did_you_mean(const char *name, char out[static MOST_NAME])
{
    const char *names[UNIFORM_COUNT + COUNT_OF(matrix_arrays)];
    for (size_t i = 0; i < COUNT_OF(names); i++)
        names[i] = i < UNIFORM_COUNT ? uniforms[i].name : matrix_arrays[i - UNIFORM_COUNT];
    const char *near = name_nearest(name, names, COUNT_OF(names));
    snprintf(out, MOST_NAME, "%s%s%s", near ? "; did you mean `" : "", near ? near : "", near ? "`?" : "");
    return out;
}

/* What stays as it is, or reads a fallback. One with a value of its own is the user's business. */
static void set_unknown(const struct gl *gl, GLuint program, const struct active *uniform, struct fallbacks *fallbacks,
                        struct shader_set *set)
{
    char near[MOST_NAME], length[16] = "";
    float values[16] = {0};
    bool is_zero = true;
    if (uniform->size > 1)
        snprintf(length, sizeof length, "[%d]", uniform->size);
    const char *reads = fallback_sampler(fallbacks, gl, uniform->location, uniform->size, uniform->type);
    if (!reads)
        gl->GetUniformfv(program, uniform->location, values);
    for (int k = 0; k < 16; k++)
        is_zero = is_zero && values[k] == 0.0f;
    if (is_zero)
        shader_set_warn(set, "uniform `%s` (%s%s) of %s is not one that rigproof sets: it %s%s", uniform->name,
                        contract_type_name(uniform->type), length, uniform->file, reads ? reads : "stays 0",
                        did_you_mean(uniform->name, near));
}

static bool take_attribute(const struct active *attribute, struct shader_set *set, struct contract *out,
                           struct error *err)
{
    const GLint location = attribute->location;
    if (location >= ATTRIBUTE_COUNT) {
        shader_set_warn(set, "attribute `%s` (%s) of %s is not one that rigproof gives: it is 0 0 0 1 at every vertex",
                        attribute->name, contract_type_name(attribute->type), attribute->file);
        return true;
    }
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

/* One that is known. */
static bool take_uniform(const struct active *uniform, int known, struct contract *out, struct error *err)
{
    bool rows = known == UNIFORM_PALETTE_ROWS;
    out->palette_paths |= (known == UNIFORM_PALETTE) << PALETTE_TBO | rows << PALETTE_UNIFORM;
    out->palette_rows = rows ? (uint32_t)uniform->size : out->palette_rows;
    out->reads_morphs |= known == UNIFORM_MORPH_WEIGHTS;
    out->reads_crowd |= known == UNIFORM_CROWD_PLACES;
    return uniforms[known].type == uniform->type ||
           error_set(err, "%s: the uniform `%s` is %s; it must be %s", uniform->file, uniform->name,
                     contract_type_name(uniform->type), contract_type_name(uniforms[known].type));
}

static bool take_matrices(const struct active *uniform, struct contract *out, struct error *err)
{
    if (uniform->type != GL_FLOAT_MAT4)
        return error_set(err, "%s: `%s` is %s; it must be mat4", uniform->file, uniform->name,
                         contract_type_name(uniform->type));
    if (out->matrices >= 0)
        return error_set(err, "%s: `%s` and `%s` both take the bones' matrices; declare only one", uniform->file,
                         out->matrices_name, uniform->name);
    out->matrices = uniform->location;
    out->matrix_count = (uint32_t)uniform->size;
    snprintf(out->matrices_name, sizeof out->matrices_name, "%s", uniform->name);
    return true;
}

/* The shader's file that a name stands in, and its first word. */
static void find_file(struct active *at, const struct shader_text *vertex, const struct shader_text *fragment)
{
    size_t length = strlen(at->name);
    if (length > 3 && strcmp(at->name + length - 3, "[0]") == 0)
        at->name[length - 3] = '\0';
    snprintf(at->word, sizeof at->word, "%.*s", (int)strcspn(at->name, "[."), at->name);
    const struct shader_file *file = vertex ? shader_text_find_word(vertex, at->word) : NULL;
    if (fragment && !(file && file->is_users && shader_has_word(file->text, at->word)))
        file = shader_text_find_word(fragment, at->word);
    at->file = file->shown;
}

/* Pictures are what is written to location 0. */
static void read_outputs(const struct gl *gl, GLuint program, const struct shader_text *fragment, struct shader_set *set)
{
    static const GLenum properties[] = {GL_LOCATION, GL_LOCATION_INDEX, GL_ARRAY_SIZE, GL_TYPE};
    GLint count = 0;
    bool is_drawn = false;
    if (!gl->GetProgramInterfaceiv)
        return;
    gl->GetProgramInterfaceiv(program, GL_PROGRAM_OUTPUT, GL_ACTIVE_RESOURCES, &count);
    for (GLuint i = 0; i < (GLuint)count; i++) {
        struct active at = {0};
        GLint values[4] = {0};
        gl->GetProgramResourceName(program, GL_PROGRAM_OUTPUT, i, sizeof at.name, NULL, at.name);
        gl->GetProgramResourceiv(program, GL_PROGRAM_OUTPUT, i, 4, properties, 4, NULL, values);
        find_file(&at, NULL, fragment);
        bool is_own = strncmp(at.name, "gl_", 3) == 0, is_first = values[0] == 0 && values[1] == 0;
        is_drawn = is_drawn || is_first || (is_own && strcmp(at.name, "gl_FragDepth") != 0);
        if (!is_own && is_first && values[2] > 1)
            shader_set_warn(set, "output `%s` of %s: only its first element is drawn", at.name, at.file);
        else if (!is_own && !is_first)
            shader_set_warn(set, "output `%s` (%s) of %s, location %d%s, is not drawn: the picture is what location 0 gets",
                            at.name, contract_type_name((GLenum)values[3]), at.file, values[0],
                            values[1] ? ", index 1" : "");
    }
    if (!is_drawn)
        shader_set_warn(set, "%s writes nothing to location 0: the picture stays empty", fragment->files[0].shown);
}

static bool read_uniforms(const struct gl *gl, GLuint program, const struct shader_text *vertex,
                          const struct shader_text *fragment, struct fallbacks *fallbacks, struct shader_set *set,
                          struct contract *out, struct error *err)
{
    GLint count = 0;
    bool good = true;
    gl->GetProgramiv(program, GL_ACTIVE_UNIFORMS, &count);
    for (GLuint i = 0; good && i < (GLuint)count; i++) {
        struct active at = {0};
        int known = 0;
        bool is_matrices = false;
        gl->GetActiveUniform(program, i, sizeof at.name, NULL, &at.size, &at.type, at.name);
        at.location = gl->GetUniformLocation(program, at.name);
        if (at.location < 0) /* those of a block have none */
            continue;
        find_file(&at, vertex, fragment);
        for (size_t k = 0; k < COUNT_OF(matrix_arrays); k++)
            is_matrices = is_matrices || strcmp(matrix_arrays[k], at.name) == 0;
        while (known < UNIFORM_COUNT && strcmp(uniforms[known].name, at.name) != 0)
            known++;
        if (known == UNIFORM_BASE_TEXTURE)
            fallback_base_texture(fallbacks, gl);
        if (is_matrices)
            good = take_matrices(&at, out, err);
        else if (known < UNIFORM_COUNT)
            good = take_uniform(&at, known, out, err);
        else
            set_unknown(gl, program, &at, fallbacks, set);
    }
    gl->GetProgramiv(program, GL_ACTIVE_UNIFORM_BLOCKS, &count);
    for (GLuint i = 0; good && i < (GLuint)count; i++) {
        struct active at = {0};
        gl->GetActiveUniformBlockName(program, i, sizeof at.name, NULL, at.name);
        find_file(&at, vertex, fragment);
        if (strcmp(at.name, "PaletteBlock") == 0) {
            out->palette_paths |= 1u << PALETTE_UBO;
            continue;
        }
        fallback_block(fallbacks, gl, program, i);
        shader_set_warn(set, "uniform block `%s` of %s is not one that rigproof sets: it stays 0", at.name, at.file);
    }
    return good;
}

bool contract_read(const struct gl *gl, GLuint program, const struct shader_text *vertex,
                   const struct shader_text *fragment, struct fallbacks *fallbacks, struct shader_set *set,
                   struct contract *out, struct error *err)
{
    GLint count = 0;
    *out = (struct contract){.matrices = -1};
    gl->UseProgram(program);
    gl->GetProgramiv(program, GL_ACTIVE_ATTRIBUTES, &count);
    for (GLuint i = 0; i < (GLuint)count; i++) {
        struct active at = {0};
        gl->GetActiveAttrib(program, i, sizeof at.name, NULL, &at.size, &at.type, at.name);
        at.location = gl->GetAttribLocation(program, at.name);
        at.file = shader_text_find_word(vertex, at.name)->shown;
        if (at.location >= 0 && !take_attribute(&at, set, out, err)) /* gl_VertexID has none */
            return false;
    }
    if (!read_uniforms(gl, program, vertex, fragment, fallbacks, set, out, err))
        return false;
    if (fragment)
        read_outputs(gl, program, fragment, set);
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
