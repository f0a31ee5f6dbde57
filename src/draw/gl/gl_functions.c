#include "draw/gl/gl_functions.h"

#include <stdio.h>

bool gl_load(struct gl *gl, gl_proc (*lookup)(void *state, const char *name), void *state, struct error *err)
{
#define X(type, name)                                                                                                  \
    gl->name = (type)lookup(state, "gl" #name);                                                                        \
    if (!gl->name)                                                                                                     \
        return error_set_code(err, EXIT_CODE_NO_GL, "the GL library has no gl" #name);
    GL_FUNCTIONS(X)
#undef X
    return true;
}

bool gl_check_version(const struct gl *gl, struct error *err)
{
    const char *version = (const char *)gl->GetString(GL_VERSION);
    int major = 0, minor = 0;
    if (!version || sscanf(version, "%d.%d", &major, &minor) != 2)
        return error_set_code(err, EXIT_CODE_NO_GL, "the context does not report its GL version");
    if (major < 3 || (major == 3 && minor < 3))
        return error_set_code(err, EXIT_CODE_NO_GL, "OpenGL 3.3 is needed, the library has \"%s\"", version);
    return true;
}

static const char *error_name(GLenum code)
{
    switch (code) {
    case GL_OUT_OF_MEMORY:
        return "out of memory";
    case GL_INVALID_ENUM:
        return "GL_INVALID_ENUM";
    case GL_INVALID_VALUE:
        return "GL_INVALID_VALUE";
    case GL_INVALID_OPERATION:
        return "GL_INVALID_OPERATION";
    case GL_INVALID_FRAMEBUFFER_OPERATION:
        return "GL_INVALID_FRAMEBUFFER_OPERATION";
    default:
        return "unknown GL error";
    }
}

/* A lost context may answer for ever. */
enum { MOST_ERRORS = 16 };

bool gl_check_errors(const struct gl *gl, const char *what, struct error *err)
{
    GLenum first = gl->GetError();
    if (first == GL_NO_ERROR)
        return true;
    gl_clear_errors(gl);
    return error_set_code(err, EXIT_CODE_DIFFERS, "%s: %s", what, error_name(first));
}

void gl_clear_errors(const struct gl *gl)
{
    for (int i = 0; i < MOST_ERRORS && gl->GetError() != GL_NO_ERROR; i++)
        ;
}
