#include "draw/shader/programs.h"

#include <string.h>

enum { MOST_MESSAGES = 16384 };

static const struct output {
    const char *name;
    GLenum type;
    const char *declaration;
    const char *define; /* without it nobody wants it; NULL: always */
} outputs[] = {
    {"skinned_position", GL_FLOAT_VEC3, "out vec3 skinned_position", NULL},
    {"skinned_normal", GL_FLOAT_VEC3, "out vec3 skinned_normal", NULL},
    {"surface_uv", GL_FLOAT_VEC2, "out vec2 surface_uv", NULL},
    {"surface_color", GL_FLOAT_VEC4, "out vec4 surface_color", NULL},
    {"mirrored", GL_FLOAT, "flat out float mirrored", NULL},
    {"strongest_binding", GL_UNSIGNED_INT, "flat out uint strongest_binding", "STRONGEST_BINDING"},
    {"shown_weight", GL_FLOAT, "out float shown_weight", "SHOWN_WEIGHT"},
    {"used_influences", GL_UNSIGNED_INT, "flat out uint used_influences", "USED_INFLUENCES"},
    {"surface_more_uv", GL_FLOAT_VEC2, "out vec2 surface_more_uv", "MORE_UV"},
    {"shown_value", GL_FLOAT, "out float shown_value", "SHOWN_VALUE"},
    {"shown_triangles", GL_INT, "flat out int shown_triangles", "SHOWN_VALUE"},
    {"skinned_tangent", GL_FLOAT_VEC4, "out vec4 skinned_tangent", "TANGENTS"},
};

enum { OUTPUTS = sizeof outputs / sizeof outputs[0], CAPTURED = 2, TANGENT = OUTPUTS - 1 };

enum { POSITION, NORMAL, UV, COLOR, MIRRORED, FITTED };

void outputs_read(GLuint vertex_shader, const struct shader_text *vertex, const struct program_key *key,
                  struct shader_outputs *out)
{
    static const GLenum asked[] = {GL_TYPE, GL_LOCATION};
    GLint linked = 0, count = 0;
    *out = (struct shader_outputs){.has_tangents = key->tangents,
                                   .captured = {outputs[0].name, outputs[1].name, outputs[TANGENT].name},
                                   .captured_count = key->tangents ? CAPTURED + 1 : CAPTURED};
    if (!vertex->files[0].is_users || !gl->GetProgramInterfaceiv || !gl->ProgramParameteri)
        return;
    GLuint program = gl->CreateProgram();
    gl->ProgramParameteri(program, GL_PROGRAM_SEPARABLE, GL_TRUE); /* outputs that nobody reads yet are listed then */
    gl->AttachShader(program, vertex_shader);
    gl->LinkProgram(program);
    gl->GetProgramiv(program, GL_LINK_STATUS, &linked);
    if (linked)
        gl->GetProgramInterfaceiv(program, GL_PROGRAM_OUTPUT, GL_ACTIVE_RESOURCES, &count);
    out->is_foreign = linked;
    for (GLuint i = 0; i < (GLuint)count && out->count < OUTPUTS_MOST; i++) {
        struct shader_output *output = &out->items[out->count];
        GLint facts[2] = {0, -1};
        gl->GetProgramResourceName(program, GL_PROGRAM_OUTPUT, i, sizeof output->name, NULL, output->name);
        gl->GetProgramResourceiv(program, GL_PROGRAM_OUTPUT, i, 2, asked, 2, NULL, facts);
        output->type = (GLenum)facts[0];
        output->location = facts[1];
        out->count += strncmp(output->name, "gl_", 3) != 0;
        for (int k = 0; k < OUTPUTS; k++)
            out->is_foreign = out->is_foreign && strcmp(output->name, outputs[k].name) != 0;
    }
    gl->DeleteProgram(program);
    if (!out->is_foreign)
        return;
    out->captured[0] = "gl_Position";
    out->captured_count = 1;
    out->map = &key->shaders->map;
    const char *unsaid = NULL;
    for (int i = 0; i < out->count && out->captured_count == 1; i++) {
        const char *name = out->items[i].name, *said = shader_map_find(out->map, name);
        const bool is_vector = out->items[i].type == GL_FLOAT_VEC3;
        if (is_vector && said && strcmp(said, "normal") == 0)
            out->captured[out->captured_count++] = name;
        else if (is_vector && !said && (!unsaid || output_means(name, out->map, "skinned_normal")) &&
                 !output_means(name, out->map, "skinned_position"))
            unsaid = name;
    }
    if (unsaid && out->captured_count == 1 && key->kind == PROGRAM_CAPTURE)
        shader_set_warn(key->shaders, "%s: normals are not compared; if `%s` is one, the map says so: `%s=normal`",
                        vertex->files[0].shown, unsaid, unsaid);
}

/* The output that stands for ours; NULL: none. Those of blocks cannot be declared by their names alone. */
static const struct shader_output *find_output(const struct shader_outputs *all, int ours)
{
    for (int i = 0; i < all->count; i++)
        if (all->items[i].type == outputs[ours].type && !strchr(all->items[i].name, '.') &&
            output_means(all->items[i].name, all->map, outputs[ours].name))
            return &all->items[i];
    return NULL;
}

/* Says whether a fitted fragment shader has it: read, or a constant in its place. */
static bool is_fitted(const struct shader_outputs *all, int ours)
{
    return ours == TANGENT || (ours < FITTED && (ours != POSITION || find_output(all, POSITION)));
}

void outputs_fit(const struct shader_outputs *all, const struct shader_build *build, const struct program_key *key,
                 struct text *out)
{
    static const char *const constants[FITTED] = {
        [NORMAL] = "vec3(0.0)", [UV] = "vec2(0.0)", [COLOR] = "vec4(1.0)", [MIRRORED] = "1.0"};
    static const char *const means[FITTED] = {[NORMAL] = "normal", [UV] = "texture coordinate"};
    const char *name = build->vertex->files[0].shown;
    text_add(out, "#extension GL_ARB_separate_shader_objects : enable\n#define FITTED 1\n");
    for (int i = 0; i < FITTED; i++) {
        const struct shader_output *found = i == MIRRORED ? NULL : find_output(all, i);
        if (found && found->location >= 0) /* outputs with a location are matched by it */
            text_addf(out, "layout(location = %d) ", found->location);
        if (found)
            text_addf(out, "in %s %s;\n#define %s %s\n", contract_type_name(found->type), found->name, outputs[i].name,
                      found->name);
        else if (constants[i])
            text_addf(out, "#define %s %s\n", outputs[i].name, constants[i]);
        bool is_missed = !found && ((i == NORMAL && (key->view == VIEW_LIT || key->view == VIEW_NORMALS)) ||
                                    (i == UV && (key->textured || key->view == VIEW_UV)));
        if (is_missed && key->kind == PROGRAM_PICTURE)
            shader_set_warn(key->shaders, "%s hands on no %s: %s is drawn as of a mesh without", name, means[i],
                            build->purpose);
    }
}

/* Says whether a shader's text has the line `#define WORD`, with a value other than 0 or none. */
static bool defines(const struct shader_text *shader, const char *word)
{
    SCOPED(text) line = {0};
    text_addf(&line, "#define %s", word);
    const char *found = strstr(text_string(&shader->text), text_string(&line)), *value = found ? found + line.size : "";
    return found && strncmp(value, " 0\n", 3) != 0;
}

bool hands_on(GLuint vertex_shader, const struct shader_build *build, struct error *err)
{
    const struct output *wanted[OUTPUTS];
    const char *names[OUTPUTS], *reader = build->captures ? "the skin stage and the overlay wireframe" : NULL;
    char messages[MOST_MESSAGES] = "";
    GLint linked = 0;
    GLsizei count = 0;
    bool good = true;
/* These are read of it, by the fragment shader under the names that ours have, or by a capture. */
    for (int i = 0; i < OUTPUTS; i++) {
        bool is_captured = i < CAPTURED || (i == TANGENT && build->outputs->has_tangents);
        bool wants = build->captures == CAPTURES_VERTICES && is_captured && !build->outputs->is_foreign;
        for (int f = 0; build->fragment && !wants && !(build->is_fitted && is_fitted(build->outputs, i)) &&
                        f < build->fragment->file_count;
             f++)
            wants = (i != TANGENT || build->outputs->has_tangents) &&
                    shader_has_word(build->fragment->files[f].text, outputs[i].name) &&
                    (!outputs[i].define || defines(build->fragment, outputs[i].define));
        wanted[count] = &outputs[i];
        names[count] = outputs[i].name;
        count += wants;
    }
    if (count == 0)
        return true;
    GLuint program = gl->CreateProgram();
    gl->AttachShader(program, vertex_shader);
    gl->TransformFeedbackVaryings(program, count, names, GL_INTERLEAVED_ATTRIBS);
    gl->LinkProgram(program);
    gl->GetProgramiv(program, GL_LINK_STATUS, &linked);
    gl->GetProgramInfoLog(program, sizeof messages, NULL, messages);
    for (int i = 0; good && i < count; i++) {
        const struct output *output = wanted[i];
        char name[DECLARED_NAME] = "";
        GLsizei size = 0;
        GLenum type = output->type;
        if (linked)
            gl->GetTransformFeedbackVarying(program, (GLuint)i, sizeof name, NULL, &size, &type, name);
        if (type != output->type)
            good = error_set(err, "%s: `%s` is %s; it must be `%s`", shader_text_find_word(build->vertex, name)->shown,
                             name, contract_type_name(type), output->declaration);
        else if (!linked && shader_has_word(messages, output->name))
            good = error_set(err, "%s: %s has no output `%s`, which %s read%s; declare `%s`%s%s (shaders/README.md)",
                             build->purpose, build->vertex->files[0].shown, output->name,
                             reader ? reader : build->fragment->files[0].shown, reader ? "" : "s", output->declaration,
                             output->define ? " where this is defined: " : "", output->define ? output->define : "");
    }
    gl->DeleteProgram(program);
    return good;
}
