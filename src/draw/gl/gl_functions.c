#include "draw/gl/gl_functions.h"

#include <stdio.h>
#include <string.h>

bool gl_load(struct gl *gl, gl_proc (*lookup)(const char *name), struct error *err)
{
    static const char query[] = "GL_ARB_program_interface_query";
#define X(name)                                                                                                        \
    gl->name = (__typeof__(gl->name))lookup("gl" #name);                                                               \
    if (!gl->name)                                                                                                     \
        return error_set_code(err, EXIT_CODE_NO_GL, "the GL library has no gl" #name);
    GL_FUNCTIONS(X)
#undef X
    const char *version = (const char *)gl->GetString(GL_VERSION);
    int major = 0, minor = 0;
    if (!version || sscanf(version, "%d.%d", &major, &minor) != 2)
        return error_set_code(err, EXIT_CODE_NO_GL, "the context does not report its GL version");
    if (major < 3 || (major == 3 && minor < 3))
        return error_set_code(err, EXIT_CODE_NO_GL, "OpenGL 3.3 is needed, the library has \"%s\"", version);
    GLint extensions = 0;
    bool has_query = false;
    gl->GetIntegerv(GL_NUM_EXTENSIONS, &extensions);
    for (GLint i = 0; i < extensions; i++)
        has_query = has_query || strcmp((const char *)gl->GetStringi(GL_EXTENSIONS, (GLuint)i), query) == 0;
#define X(name) gl->name = has_query ? (__typeof__(gl->name))lookup("gl" #name) : NULL;
    GL_OPTIONAL_FUNCTIONS(X)
#undef X
    return true;
}

bool gl_check_errors(const struct gl *gl, const char *what, struct error *err)
{
    static const char *const names[] = {"GL_INVALID_ENUM",  "GL_INVALID_VALUE", "GL_INVALID_OPERATION",
                                        "unknown GL error", "unknown GL error", "out of memory",
                                        "GL_INVALID_FRAMEBUFFER_OPERATION"}; /* from 0x0500 on */
    GLenum first = gl->GetError();
    if (first == GL_NO_ERROR)
        return true;
    gl_clear_errors(gl);
    return error_set_code(err, EXIT_CODE_DIFFERS, "%s: %s", what,
                          names[first - GL_INVALID_ENUM < sizeof names / sizeof names[0] ? first - GL_INVALID_ENUM : 3]);
}

void gl_clear_errors(const struct gl *gl)
{
    enum { MOST_ERRORS = 16 }; /* a lost context may answer for ever */
    for (int i = 0; i < MOST_ERRORS && gl->GetError() != GL_NO_ERROR; i++)
        ;
}

void buffer_texture_fill(struct buffer_texture *to, const struct gl *gl, GLuint unit, GLenum format, const void *texels,
                         size_t size)
{
    if (to->buffer == 0)
        gl->GenBuffers(1, &to->buffer);
    if (to->texture == 0)
        gl->GenTextures(1, &to->texture);
    gl->BindBuffer(GL_TEXTURE_BUFFER, to->buffer);
    gl->BufferData(GL_TEXTURE_BUFFER, (GLsizeiptr)size, texels, GL_STREAM_DRAW);
    gl->ActiveTexture(GL_TEXTURE0 + unit);
    gl->BindTexture(GL_TEXTURE_BUFFER, to->texture);
    gl->TexBuffer(GL_TEXTURE_BUFFER, format, to->buffer);
}

void buffer_texture_release(struct buffer_texture *texture, const struct gl *gl)
{
    gl->DeleteTextures(1, &texture->texture); /* zeros are ignored */
    gl->DeleteBuffers(1, &texture->buffer);
    *texture = (struct buffer_texture){0};
}

static GLuint make_buffer(const struct gl *gl, GLenum format, const struct target *target, int samples)
{
    GLuint buffer = 0;
    GLsizei width = (GLsizei)target->width, height = (GLsizei)target->height;
    gl->GenRenderbuffers(1, &buffer);
    gl->BindRenderbuffer(GL_RENDERBUFFER, buffer);
    if (samples > 1)
        gl->RenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, width, height);
    else
        gl->RenderbufferStorage(GL_RENDERBUFFER, format, width, height);
    return buffer;
}

static bool make_framebuffer(const struct gl *gl, GLuint *framebuffer, GLuint color, GLuint depth)
{
    gl->GenFramebuffers(1, framebuffer);
    gl->BindFramebuffer(GL_FRAMEBUFFER, *framebuffer);
    gl->FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color);
    if (depth)
        gl->FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth);
    return gl->CheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

bool target_prepare(struct target *target, const struct gl *gl, uint32_t width, uint32_t height, int samples,
                    struct error *err)
{
    if (target->width == width && target->height == height && target->samples == samples)
        return true;
    target_release(target, gl);
    *target = (struct target){.width = width, .height = height, .samples = samples};
    bool complete = true;
    if (samples > 1) {
        target->plain_color = make_buffer(gl, GL_RGBA8, target, 1);
        complete = make_framebuffer(gl, &target->plain_framebuffer, target->plain_color, 0);
    }
    target->color = make_buffer(gl, GL_RGBA8, target, samples);
    target->depth = make_buffer(gl, GL_DEPTH_COMPONENT24, target, samples);
    complete = make_framebuffer(gl, &target->framebuffer, target->color, target->depth) && complete;
    if (gl_check_errors(gl, "framebuffer", err) && complete)
        return true;
    target_release(target, gl);
    return error_set_code(err, EXIT_CODE_DIFFERS, "GL gives no framebuffer of %ux%u pixels, %d samples each", width,
                          height, samples);
}

void target_read(const struct target *target, const struct gl *gl, const struct rectangle *part, uint8_t *out)
{
    GLint x = (GLint)part->x, y = (GLint)part->y, right = x + (GLint)part->width, top = y + (GLint)part->height;
    gl->BindFramebuffer(GL_READ_FRAMEBUFFER, target->framebuffer);
    if (target->plain_framebuffer) {
        gl->BindFramebuffer(GL_DRAW_FRAMEBUFFER, target->plain_framebuffer);
        gl->BlitFramebuffer(x, y, right, top, x, y, right, top, GL_COLOR_BUFFER_BIT, GL_NEAREST);
        gl->BindFramebuffer(GL_READ_FRAMEBUFFER, target->plain_framebuffer);
    }
    gl->PixelStorei(GL_PACK_ALIGNMENT, 4);
    gl->ReadPixels(x, y, right - x, top - y, GL_RGBA, GL_UNSIGNED_BYTE, out);
}

void target_release(struct target *target, const struct gl *gl)
{
    const GLuint framebuffers[] = {target->framebuffer, target->plain_framebuffer};
    const GLuint buffers[] = {target->color, target->depth, target->plain_color};
    gl->DeleteFramebuffers(2, framebuffers); /* zeros are ignored */
    gl->DeleteRenderbuffers(3, buffers);
    *target = (struct target){0};
}
