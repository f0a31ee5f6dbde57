#include "draw/shader_build.h"

#include <string.h>

#include "base/log.h"

enum { MOST_MESSAGES = 4096 };

static const char *name_of(const struct shader_text *shader)
{
    return shader->files[0].name;
}

/* The driver's words and the source they speak of, every line with its file and number. */
static void log_failure(const struct shader_text *shader, const char *messages)
{
    struct text numbered = {0};
    shader_text_number_lines(shader, &numbered);
    log_error("%s does not build:\n%s\n%s", name_of(shader), messages, text_string(&numbered));
    text_release(&numbered);
}

static void tell_compile_failure(const struct gl *gl, GLuint id, const struct shader_text *shader, struct error *err)
{
    char driver_log[MOST_MESSAGES] = "";
    struct text messages = {0};
    gl->GetShaderInfoLog(id, sizeof driver_log, NULL, driver_log);
    shader_text_name_files(shader, driver_log, &messages);
    log_failure(shader, text_string(&messages));
    error_set_code(err, EXIT_CODE_DIFFERS, "shader %s does not compile: %.*s", name_of(shader),
                   (int)strcspn(text_string(&messages), "\r\n"), text_string(&messages));
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
    tell_compile_failure(gl, id, shader, err);
    gl->DeleteShader(id);
    return 0;
}

static void tell_link_failure(const struct gl *gl, GLuint id, const struct shader_text *vertex,
                              const struct shader_text *fragment, struct error *err)
{
    char driver_log[MOST_MESSAGES] = "";
    gl->GetProgramInfoLog(id, sizeof driver_log, NULL, driver_log);
    log_error("%s and %s do not link:\n%s", name_of(vertex), name_of(fragment), driver_log);
    error_set_code(err, EXIT_CODE_DIFFERS, "shaders %s and %s do not link: %.*s", name_of(vertex), name_of(fragment),
                   (int)strcspn(driver_log, "\r\n"), driver_log);
}

static GLuint link(const struct gl *gl, const GLuint shaders[2], bool captures)
{
    static const char *const captured[] = {"skinned_position", "skinned_normal"};
    GLuint id = gl->CreateProgram();
    for (int i = 0; i < 2; i++)
        gl->AttachShader(id, shaders[i]);
    if (captures)
        gl->TransformFeedbackVaryings(id, 2, captured, GL_INTERLEAVED_ATTRIBS);
    gl->LinkProgram(id);
    return id;
}

GLuint shader_build(const struct gl *gl, const struct shader_text *vertex, const struct shader_text *fragment,
                    bool captures, struct error *err)
{
    GLuint id = 0, shaders[2] = {0};
    GLint good = 0;
    shaders[0] = compile(gl, GL_VERTEX_SHADER, vertex, err);
    shaders[1] = shaders[0] ? compile(gl, GL_FRAGMENT_SHADER, fragment, err) : 0;
    if (shaders[1]) {
        id = link(gl, shaders, captures);
        gl->GetProgramiv(id, GL_LINK_STATUS, &good);
        if (!good) {
            tell_link_failure(gl, id, vertex, fragment, err);
            gl->DeleteProgram(id);
        }
    }
    for (int i = 0; i < 2; i++)
        gl->DeleteShader(shaders[i]); /* the program keeps what it needs; 0 is ignored */
    return good ? id : 0;
}
