#include "draw/shader/shader_build.h"

#include <string.h>

#include "base/log.h"
#include "draw/shader/contract.h"

enum { MOST_MESSAGES = 16384, MOST_NAME = 256 };

static const char *name_of(const struct shader_text *shader)
{
    return shader->files[0].shown;
}

/* The first line that speaks of an error, else the first, with what goes before it; the user's fault where they have a part. */
static void set_first_message(const char *what, const char *messages, bool has_users, struct error *err)
{
    const char *line = messages, *error = strstr(messages, "error");
    for (const char *c = messages; error && c <= error; c += strcspn(c, "\n") + 1)
        line = c;
    error_set_code(err, has_users ? EXIT_CODE_USAGE : EXIT_CODE_DIFFERS, "%s: %.*s", what, (int)strcspn(line, "\r\n"),
                   line);
}

/* ---- compiling ------------------------------------------------------------------------------------------------- */

/* On stderr the driver's words and the source they speak of, every line with its file and number. */
static void report_compile_failure(const struct gl *gl, GLuint id, const struct shader_text *shader, struct error *err)
{
    char driver_log[MOST_MESSAGES] = "";
    struct text messages = {0}, numbered = {0}, what = {0};
    gl->GetShaderInfoLog(id, sizeof driver_log, NULL, driver_log);
    shader_text_name_files(shader, driver_log, &messages);
    shader_text_number_lines(shader, text_string(&messages), &numbered);
    log_error("%s does not build:\n%s\n%s", name_of(shader), text_string(&messages), text_string(&numbered));
    text_addf(&what, "shader %s does not compile", name_of(shader));
    set_first_message(text_string(&what), text_string(&messages), shader->has_users, err);
    text_release(&messages);
    text_release(&numbered);
    text_release(&what);
}

static GLuint compile(const struct gl *gl, GLenum stage, const struct shader_text *shader, struct error *err)
{
    GLuint id = gl->CreateShader(stage);
    const char *source = text_string(&shader->text);
    GLint good = 0;
    gl->ShaderSource(id, 1, &source, NULL);
    gl->CompileShader(id);
    gl->GetShaderiv(id, GL_COMPILE_STATUS, &good);
    if (good)
        return id;
    report_compile_failure(gl, id, shader, err);
    gl->DeleteShader(id);
    return 0;
}

/* ---- what a vertex shader of the user's hands on ------------------------------------------------------------------ */

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
};

enum { OUTPUTS = sizeof outputs / sizeof outputs[0], CAPTURED = 2 };

/* What is read of it, by the fragment shader under the names that ours have, or by a capture. */
static GLsizei list_wanted(const struct shader_build *build, const struct output *wanted[OUTPUTS],
                           const char *names[OUTPUTS])
{
    GLsizei count = 0;
    for (int i = 0; i < OUTPUTS; i++) {
        bool wants = build->captures == CAPTURES_VERTICES && i < CAPTURED;
        for (int f = 0; build->fragment && !wants && f < build->fragment->file_count; f++)
            wants = shader_has_word(build->fragment->files[f].text, outputs[i].name);
        if (!wants)
            continue;
        wanted[count] = &outputs[i];
        names[count++] = outputs[i].name;
    }
    return count;
}

/*
 * Whether it hands that on: Mesa links without a word when it does not. GL 3.3 does not list a shader's outputs; but it
 * captures no other. False with err set, exit code 2; other errors show when it is linked with the fragment shader.
 */
static bool hands_on(const struct gl *gl, GLuint vertex_shader, const struct shader_build *build, struct error *err)
{
    const struct output *wanted[OUTPUTS];
    const char *names[OUTPUTS], *reader = build->captures ? "the skin stage and the overlay wireframe" : NULL;
    char messages[MOST_MESSAGES] = "";
    GLint linked = 0;
    bool good = true;
    GLsizei count = list_wanted(build, wanted, names);
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
        char name[MOST_NAME] = "";
        GLsizei size = 0;
        GLenum type = output->type;
        if (linked)
            gl->GetTransformFeedbackVarying(program, (GLuint)i, sizeof name, NULL, &size, &type, name);
        if (type != output->type)
            good = error_set(err, "%s: `%s` is %s; here it is `%s`", shader_text_find_word(build->vertex, name)->shown,
                             name, contract_type_name(type), output->declaration);
        else if (!linked && shader_has_word(messages, output->name))
            good = error_set(err, "%s: %s does not hand on `%s`, which %s read%s; declare `%s`%s%s (shaders/README.md)",
                             build->purpose, name_of(build->vertex), output->name,
                             reader ? reader : name_of(build->fragment), reader ? "" : "s", output->declaration,
                             output->define ? " where this is defined: " : "", output->define ? output->define : "");
    }
    gl->DeleteProgram(program);
    return good;
}

/* ---- linking --------------------------------------------------------------------------------------------------- */

/* A program, and whether it is linked. */
static GLuint link(const struct gl *gl, const GLuint shaders[2], const struct shader_build *build, bool captures,
                   GLint *good)
{
    static const char *const captured[] = {"skinned_position", "skinned_normal"};
    GLuint id = gl->CreateProgram();
    for (int i = 0; i < 2; i++)
        if (shaders[i])
            gl->AttachShader(id, shaders[i]);
    if (build->vertex->has_users)
        contract_name_attributes(gl, id);
    if (captures)
        gl->TransformFeedbackVaryings(id, 2, captured, GL_INTERLEAVED_ATTRIBS);
    gl->LinkProgram(id);
    gl->GetProgramiv(id, GL_LINK_STATUS, good);
    return id;
}

/* The linked program, or 0. */
static GLuint try_links(const struct gl *gl, const GLuint shaders[2], const struct shader_build *build, struct error *err)
{
    GLint good = 0;
    GLuint id = link(gl, shaders, build, build->captures != CAPTURES_NOTHING, &good);
    if (build->captures == CAPTURES_IF_THERE && !good) {
        gl->DeleteProgram(id);
        id = link(gl, shaders, build, false, &good);
    }
    if (good)
        return id;
    char driver_log[MOST_MESSAGES] = "";
    struct text what = {0};
    gl->GetProgramInfoLog(id, sizeof driver_log, NULL, driver_log);
    text_addf(&what, "%s: shaders %s%s%s do not link", build->purpose, name_of(build->vertex),
              build->fragment ? " and " : "", build->fragment ? name_of(build->fragment) : "");
    log_error("%s:\n%s", text_string(&what), driver_log);
    set_first_message(text_string(&what), driver_log,
                      build->vertex->has_users || (build->fragment && build->fragment->has_users), err);
    text_release(&what);
    gl->DeleteProgram(id);
    return 0;
}

GLuint shader_build(const struct gl *gl, const struct shader_build *build, struct error *err)
{
    GLuint id = 0, shaders[2] = {0};
    shaders[0] = compile(gl, GL_VERTEX_SHADER, build->vertex, err);
    if (shaders[0] && build->fragment)
        shaders[1] = compile(gl, GL_FRAGMENT_SHADER, build->fragment, err);
    if (shaders[0] && (shaders[1] || !build->fragment) &&
        (!build->vertex->has_users || hands_on(gl, shaders[0], build, err)))
        id = try_links(gl, shaders, build, err);
    for (int i = 0; i < 2; i++)
        gl->DeleteShader(shaders[i]); /* the program keeps what it needs; 0 is ignored */
    return id;
}
