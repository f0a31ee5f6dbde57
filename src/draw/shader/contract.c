#include "draw/shader/programs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"

static const struct {
    const char *name;
    GLenum type;
} uniforms[UNIFORM_COUNT] = {
#define X(id, name, type) [UNIFORM_##id] = {name, type},
    SAMPLER_UNIFORMS(X) OTHER_UNIFORMS(X)
#undef X
};

/* An unknown name may be a slip of one of these: names that an instance's bindings go by as an array of mat4. */
static const char *const matrix_arrays[] = {"bone_matrices", "finalBonesMatrices", "gBones"};

#define COUNT_OF(table) (sizeof(table) / sizeof(table)[0])

static const struct {
    GLenum type;
    const char *name; /* the first letter is the class of scalars and vectors: f and v of floats, i of int, u of uint */
} types[] = {
#define VECTORS(TYPE, type, letter)                                                                                    \
    {GL_##TYPE, type}, {GL_##TYPE##_VEC2, letter "vec2"}, {GL_##TYPE##_VEC3, letter "vec3"},                           \
    {GL_##TYPE##_VEC4, letter "vec4"}
#define MATRIX(size) {GL_FLOAT_MAT##size, "mat" #size}
    VECTORS(FLOAT, "float", ""), VECTORS(INT, "int", "i"), VECTORS(UNSIGNED_INT, "uint", "u"),
    VECTORS(BOOL, "bool", "b"), MATRIX(2), MATRIX(3), MATRIX(4), MATRIX(2x3), MATRIX(2x4), MATRIX(3x2), MATRIX(3x4),
    MATRIX(4x2), MATRIX(4x3),
};

void shader_cut_index(char *name)
{
    const size_t length = strlen(name);
    if (length > 3 && strcmp(name + length - 3, "[0]") == 0)
        name[length - 3] = '\0';
}

const char *contract_type_name(GLenum type)
{
    for (size_t i = 0; i < COUNT_OF(types); i++)
        if (types[i].type == type)
            return types[i].name;
    const char *sampler = fallback_type_name(type);
    return sampler ? sampler : "of another type";
}

/* Its index, or UNIFORM_COUNT. */
static int find_uniform(const char *name)
{
    int known = 0;
    while (known < UNIFORM_COUNT && strcmp(uniforms[known].name, name) != 0)
        known++;
    return known;
}

bool contract_knows(const char *name)
{
    return attribute_by_name(name) < ATTRIBUTE_COUNT || find_uniform(name) < UNIFORM_COUNT;
}

void contract_find_uniforms(GLuint program, const struct shader_set *set, GLint at[UNIFORM_COUNT])
{
    gl->UseProgram(program);
    for (int i = 0; i < UNIFORM_COUNT; i++) {
        at[i] = gl->GetUniformLocation(program, uniforms[i].name);
        for (size_t k = 0; set && at[i] < 0 && k < set->map.count; k++)
            if (strcmp(set->map.entries[k].value, uniforms[i].name) == 0)
                at[i] = gl->GetUniformLocation(program, set->map.entries[k].name);
        if (i < SAMPLER_COUNT)
            gl->Uniform1i(at[i], i);
    }
}

/* "; did you mean `base_color`?", or nothing. */
static const char *did_you_mean(const char *name, char out[static DECLARED_NAME])
{
    const char *names[UNIFORM_COUNT + COUNT_OF(matrix_arrays)];
    for (size_t i = 0; i < COUNT_OF(names); i++)
        names[i] = i < UNIFORM_COUNT ? uniforms[i].name : matrix_arrays[i - UNIFORM_COUNT];
    const char *near = name_nearest(name, names, COUNT_OF(names));
    snprintf(out, DECLARED_NAME, "%s%s%s", near ? "; did you mean `" : "", near ? near : "", near ? "`?" : "");
    return out;
}

/* Notes a uniform that stays as it is, or reads a fallback. One with a value of its own is the user's business. */
static void set_unknown(GLuint program, const struct declared *uniform, struct fallbacks *fallbacks,
                        struct shader_set *set, struct contract *out)
{
    char near[DECLARED_NAME], length[16] = "";
    float values[16] = {0};
    bool is_zero = true;
    if (uniform->size > 1)
        snprintf(length, sizeof length, "[%d]", uniform->size);
    const char *reads = fallback_sampler(fallbacks, uniform->location, uniform->size, uniform->type);
    if (!reads)
        gl->GetUniformfv(program, uniform->location, values);
    for (int k = 0; k < 16; k++)
        is_zero = is_zero && values[k] == 0.0f;
    if (is_zero && !reads && !*out->unset)
        snprintf(out->unset, sizeof out->unset, "the uniform `%.60s` (%s%s) of %.60s", uniform->name,
                 contract_type_name(uniform->type), length, uniform->file);
    if (is_zero)
        shader_set_warn(set, "uniform `%s` (%s%s) of %s is not one that rigproof sets: it %s%s", uniform->name,
                        contract_type_name(uniform->type), length, uniform->file, reads ? reads : "stays 0",
                        did_you_mean(uniform->name, near));
}

/* One that is known. */
static bool take_uniform(const struct declared *uniform, int known, struct contract *out, struct error *err)
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

/* The shader's file that a name stands in. */
static void find_file(struct declared *at, const struct shader_text *vertex, const struct shader_text *fragment)
{
    char word[DECLARED_NAME]; /* its first: "lights" of "lights[0].color" */
    shader_cut_index(at->name);
    snprintf(word, sizeof word, "%.*s", (int)strcspn(at->name, "[."), at->name);
    at->file = shader_text_file_of(vertex, fragment, word)->shown;
}

/* Pictures are what is written to location 0; whether anything is. */
static bool read_outputs(GLuint program, const struct shader_text *fragment, struct shader_set *set)
{
    static const GLenum properties[] = {GL_LOCATION, GL_LOCATION_INDEX, GL_ARRAY_SIZE, GL_TYPE};
    GLint count = 0;
    bool is_drawn = false;
    if (!gl->GetProgramInterfaceiv)
        return true;
    gl->GetProgramInterfaceiv(program, GL_PROGRAM_OUTPUT, GL_ACTIVE_RESOURCES, &count);
    for (GLuint i = 0; i < (GLuint)count; i++) {
        struct declared at = {0};
        GLint values[4] = {0};
        gl->GetProgramResourceName(program, GL_PROGRAM_OUTPUT, i, sizeof at.name, NULL, at.name);
        gl->GetProgramResourceiv(program, GL_PROGRAM_OUTPUT, i, 4, properties, 4, NULL, values);
        find_file(&at, NULL, fragment);
        bool is_own = strncmp(at.name, "gl_", 3) == 0, is_first = values[0] == 0 && values[1] == 0;
        is_drawn = is_drawn || is_first || (is_own && strcmp(at.name, "gl_FragDepth") != 0);
        if (!is_own && is_first && values[2] > 1)
            shader_set_warn(set, "output `%s` of %s: only its first element is drawn", at.name, at.file);
        else if (!is_own && !is_first)
            shader_set_warn(
                set, "output `%s` (%s) of %s, location %d%s, is not drawn: the picture is what location 0 gets",
                at.name, contract_type_name((GLenum)values[3]), at.file, values[0], values[1] ? ", index 1" : "");
    }
    if (!is_drawn)
        shader_set_warn(set, "%s writes nothing to location 0: the picture stays empty", fragment->files[0].shown);
    return is_drawn;
}

static bool read_uniforms(GLuint program, const struct shader_text *vertex, const struct shader_text *fragment,
                          struct fallbacks *fallbacks, struct shader_set *set, struct contract *out, struct error *err)
{
    GLint count = 0;
    bool good = true;
    gl->GetProgramiv(program, GL_ACTIVE_UNIFORMS, &count);
    for (GLuint i = 0; good && i < (GLuint)count; i++) {
        struct declared at = {0};
        struct shader_input input = {.block = -1};
        gl->GetActiveUniform(program, i, sizeof at.name, NULL, &at.size, &at.type, at.name);
        at.location = gl->GetUniformLocation(program, at.name);
        if (at.location < 0) /* those of a block have none */
            continue;
        find_file(&at, vertex, fragment);
        const char *mapped = shader_map_find(&set->map, at.name);
        int known = find_uniform(mapped ? mapped : at.name);
        input.meaning = input_meaning(set, at.name, input.values);
        bool fits = meaning_fits(input.meaning, contract_type_name(at.type), (uint32_t)at.size);
        if (known < UNIFORM_COUNT && !(fits && uniforms[known].type != at.type)) {
            if (known == UNIFORM_BASE_TEXTURE)
                fallback_base_texture(fallbacks);
            good = take_uniform(&at, known, out, err);
        } else if (fits) {
            if (input.meaning == MEANING_TEXTURE)
                fallback_base_texture(fallbacks);
            input.type = at.type;
            input.count = input.type == GL_SAMPLER_BUFFER ? 0 : (uint32_t)at.size;
            input.location = at.location;
            snprintf(input.name, sizeof input.name, "%.63s", at.name);
            good = inputs_add(out, &input, at.file, err);
        } else if (mapped || (input.meaning == MEANING_BONES && (at.size > 1 || fallback_type_name(at.type)))) {
            good = error_set(err, "%s: `%s` is %s; it must be %s", at.file, at.name, contract_type_name(at.type),
                             input.meaning == MEANING_BONES ? "mat4, mat4x3 or mat3x4, or samplerBuffer"
                                                            : "of a type that can hold what it is given");
        } else if (input_is_struct_of_bones(at.name)) {
            good = error_set(err, STRUCTS_OF_BONES, at.file, at.name);
        } else {
            set_unknown(program, &at, fallbacks, set, out);
        }
    }
    return good && inputs_read_blocks(program, vertex, fragment, fallbacks, set, out, err);
}

bool contract_read(GLuint program, const struct shader_text *vertex, const struct shader_text *fragment,
                   struct fallbacks *fallbacks, struct shader_set *set, struct contract *out, struct error *err)
{
    static unsigned last;
    *out = (struct contract){.number = ++last, .bones = -1};
    for (int i = 0; i < ATTRIBUTE_COUNT; i++)
        out->at[i] = -1;
    gl->UseProgram(program);
    snprintf(out->file, sizeof out->file, "%s", shader_text_find_word(vertex, "main")->shown);
    if (!attributes_read(program, vertex, set, out, err) ||
        !read_uniforms(program, vertex, fragment, fallbacks, set, out, err))
        return false;
    if (fragment)
        out->writes_alpha = read_outputs(program, fragment, set) && fragment->has_users;
    if (out->bones >= 0) {
        struct declared at = {0};
        snprintf(at.name, sizeof at.name, "%s", out->inputs.items[out->bones].name);
        find_file(&at, vertex, NULL);
        snprintf(out->file, sizeof out->file, "%s", at.file);
    }
    return true;
}

void contract_release(struct contract *contract)
{
    if (contract)
        inputs_release(&contract->inputs);
    free(contract);
}

bool contract_holds_bones(const struct contract *c, const struct mesh *mesh, uint32_t members, struct error *err)
{
    const uint32_t bones = mesh->bone_count > 0 ? mesh->bone_count : 1;
    const struct shader_input *input = c->bones >= 0 ? &c->inputs.items[c->bones] : NULL;
    if (!input || input->count == 0 || (uint64_t)bones * members <= input->count)
        return true;
    if (members > 1)
        return error_set(err, "--crowd: %u instances of mesh %s need %llu matrices, %s of %s holds %u", members,
                         mesh->quoted, (unsigned long long)bones * members, input->name, c->file, input->count);
    return error_set(err, "mesh %s has %u bones, %s of %s holds %u", mesh->quoted, bones, input->name, c->file,
                     input->count);
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
    if (c->bones < 0 && c->palette_paths != 0 && !(c->palette_paths >> upload_format->path & 1))
        return error_set(err,
                         "--palette %s: %s does not read the matrices that way; use --palette %s, or include "
                         "\"palette.glsl\", which reads them all",
                         palette_path_names[upload_format->path], c->file, palette_path_names[path]);
    if (!contract_holds_bones(c, mesh, 1, err))
        return false;
    if (mesh->influence_first && form == INFLUENCES_4 && (c->attributes >> ATTRIBUTE_BONES & 1) && c->bone_slots < 4) {
        const uint32_t most = mesh_most_influences(mesh);
        if (most > (uint32_t)c->bone_slots)
            return error_set(err, "mesh %s has %u influences a vertex, %s reads %d; use --influences 1", mesh->quoted,
                             most, c->file, c->bone_slots);
    }
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
