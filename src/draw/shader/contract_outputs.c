/* What skin.vert hands on. */
#include "draw/shader/contract.h"

#include <string.h>

#include "draw/shader/shader_lines.h"

enum { MOST_NAME = 256, MOST_MESSAGES = 4096 };

struct output {
    const char *name;
    GLenum type;
    const char *declaration;
    const char *define; /* without it nobody wants it; NULL: always */
};

static const struct output outputs[] = {
    {"skinned_position", GL_FLOAT_VEC3, "out vec3 skinned_position", NULL},
    {"skinned_normal", GL_FLOAT_VEC3, "out vec3 skinned_normal", NULL},
    {"surface_uv", GL_FLOAT_VEC2, "out vec2 surface_uv", NULL},
    {"surface_color", GL_FLOAT_VEC4, "out vec4 surface_color", NULL},
    {"mirrored", GL_FLOAT, "flat out float mirrored", NULL},
    {"strongest_binding", GL_UNSIGNED_INT, "flat out uint strongest_binding", "STRONGEST_BINDING"},
    {"shown_weight", GL_FLOAT, "out float shown_weight", "SHOWN_WEIGHT"},
    {"used_influences", GL_UNSIGNED_INT, "flat out uint used_influences", "USED_INFLUENCES"},
};

enum { OUTPUTS = sizeof outputs / sizeof outputs[0], CAPTURED = 2 };

static bool is_read(const struct shader_text *fragment, const char *name)
{
    for (int i = 0; i < fragment->file_count; i++)
        if (shader_has_word(fragment->files[i].text, name))
            return true;
    return false;
}

static int list_wanted(const struct shader_build *build, const struct output *wanted[OUTPUTS])
{
    int count = 0;
    for (int i = 0; i < OUTPUTS; i++) {
        bool read = build->fragment && is_read(build->fragment, outputs[i].name);
        if (build->captures == CAPTURES_VERTICES ? i < CAPTURED : read)
            wanted[count++] = &outputs[i];
    }
    return count;
}

/* GL 3.3 does not list a shader's outputs; but it captures no other. */
static GLuint link_capturing(const struct gl *gl, GLuint vertex_shader, const struct output *const *wanted, int count)
{
    const char *names[OUTPUTS];
    GLuint id = gl->CreateProgram();
    for (int i = 0; i < count; i++)
        names[i] = wanted[i]->name;
    gl->AttachShader(id, vertex_shader);
    gl->TransformFeedbackVaryings(id, count, names, GL_INTERLEAVED_ATTRIBS);
    gl->LinkProgram(id);
    return id;
}

static bool fail_missing(const struct shader_build *build, const struct output *output, struct error *err)
{
    const char *reader = build->captures ? "the skin stage and the overlay wireframe" : build->fragment->files[0].shown;
    return error_set(err, "%s: %s does not hand on `%s`, which %s read%s; declare `%s`%s%s (shaders/README.md)",
                     build->purpose, build->vertex->files[0].shown, output->name, reader, build->captures ? "" : "s",
                     output->declaration, output->define ? " where this is defined: " : "",
                     output->define ? output->define : "");
}

static bool check_types(const struct gl *gl, GLuint program, const struct shader_build *build,
                        const struct output *const *wanted, int count, struct error *err)
{
    for (int i = 0; i < count; i++) {
        char name[MOST_NAME] = "";
        GLsizei size = 0;
        GLenum type = 0;
        gl->GetTransformFeedbackVarying(program, (GLuint)i, sizeof name, NULL, &size, &type, name);
        if (type != wanted[i]->type)
            return error_set(err, "%s: `%s` is %s; here it is `%s`", shader_text_find_word(build->vertex, name)->shown,
                             name, contract_type_name(type), wanted[i]->declaration);
    }
    return true;
}

bool contract_hands_on(const struct gl *gl, GLuint vertex_shader, const struct shader_build *build, struct error *err)
{
    const struct output *wanted[OUTPUTS];
    char messages[MOST_MESSAGES] = "";
    GLint linked = 0;
    int count = list_wanted(build, wanted);
    if (count == 0)
        return true;
    GLuint program = link_capturing(gl, vertex_shader, wanted, count);
    gl->GetProgramiv(program, GL_LINK_STATUS, &linked);
    gl->GetProgramInfoLog(program, sizeof messages, NULL, messages);
    bool good = !linked || check_types(gl, program, build, wanted, count, err);
    for (int i = 0; !linked && good && i < count; i++)
        if (shader_has_word(messages, wanted[i]->name))
            good = fail_missing(build, wanted[i], err);
    gl->DeleteProgram(program);
    return good; /* other errors show when it is linked with the fragment shader */
}
