#include "draw/shader/shader_build.h"

#include <string.h>

#include "base/log.h"
#include "draw/shader/contract.h"

enum { MOST_MESSAGES = 16384 };

static const char *name_of(const struct shader_text *shader)
{
    return shader->files[0].shown;
}

static enum exit_code code_for(const struct shader_text *a, const struct shader_text *b)
{
    return a->has_users || (b && b->has_users) ? EXIT_CODE_USAGE : EXIT_CODE_DIFFERS;
}

/* The first line that speaks of an error, else the first; its length without the line's end. */
static const char *first_message(const char *messages, int *length)
{
    const char *line = messages;
    for (const char *c = messages; *c; c += strcspn(c, "\n"), c += *c == '\n') {
        const char *error = strstr(c, "error");
        if (error && error < c + strcspn(c, "\n")) {
            line = c;
            break;
        }
    }
    *length = (int)strcspn(line, "\r\n");
    return line;
}

/* ---- compiling ------------------------------------------------------------------------------------------------- */

/* The driver's words and the source they speak of, every line with its file and number. */
static void log_failure(const struct shader_text *shader, const char *messages)
{
    struct text numbered = {0};
    shader_text_number_lines(shader, messages, &numbered);
    log_error("%s does not build:\n%s\n%s", name_of(shader), messages, text_string(&numbered));
    text_release(&numbered);
}

static void report_compile_failure(const struct gl *gl, GLuint id, const struct shader_text *shader, struct error *err)
{
    char driver_log[MOST_MESSAGES] = "";
    struct text messages = {0};
    int length = 0;
    gl->GetShaderInfoLog(id, sizeof driver_log, NULL, driver_log);
    shader_text_name_files(shader, driver_log, &messages);
    log_failure(shader, text_string(&messages));
    const char *first = first_message(text_string(&messages), &length);
    error_set_code(err, code_for(shader, NULL), "shader %s does not compile: %.*s", name_of(shader), length, first);
    text_release(&messages);
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

/* ---- linking --------------------------------------------------------------------------------------------------- */

static void report_link_failure(const struct gl *gl, GLuint id, const struct shader_build *build, struct error *err)
{
    char driver_log[MOST_MESSAGES] = "";
    struct text what = {0};
    int length = 0;
    gl->GetProgramInfoLog(id, sizeof driver_log, NULL, driver_log);
    text_addf(&what, "%s%s%s", name_of(build->vertex), build->fragment ? " and " : "",
              build->fragment ? name_of(build->fragment) : "");
    log_error("%s: shaders %s do not link:\n%s", build->purpose, text_string(&what), driver_log);
    const char *first = first_message(driver_log, &length);
    error_set_code(err, code_for(build->vertex, build->fragment), "%s: shaders %s do not link: %.*s", build->purpose,
                   text_string(&what), length, first);
    text_release(&what);
}

static GLuint link(const struct gl *gl, const GLuint shaders[2], const struct shader_build *build, bool captures)
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
    return id;
}

static bool is_linked(const struct gl *gl, GLuint id)
{
    GLint good = 0;
    gl->GetProgramiv(id, GL_LINK_STATUS, &good);
    return good;
}

/* The linked program, or 0. */
static GLuint try_links(const struct gl *gl, const GLuint shaders[2], const struct shader_build *build, struct error *err)
{
    GLuint id = link(gl, shaders, build, build->captures != CAPTURES_NOTHING);
    if (build->captures == CAPTURES_IF_THERE && !is_linked(gl, id)) {
        gl->DeleteProgram(id);
        id = link(gl, shaders, build, false);
    }
    if (is_linked(gl, id))
        return id;
    report_link_failure(gl, id, build, err);
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
        (!build->vertex->has_users || contract_hands_on(gl, shaders[0], build, err)))
        id = try_links(gl, shaders, build, err);
    for (int i = 0; i < 2; i++)
        gl->DeleteShader(shaders[i]); /* the program keeps what it needs; 0 is ignored */
    return id;
}
