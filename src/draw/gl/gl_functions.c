#include "draw/gl/gl_functions.h"

#include <stdio.h>
#include <string.h>

_Thread_local const struct gl *gl;

bool gl_load(struct gl *out, gl_proc (*lookup)(const char *name), struct error *err)
{
#define X(name)                                                                                                        \
    out->name = (__typeof__(out->name))lookup("gl" #name);                                                             \
    if (!out->name)                                                                                                    \
        return error_set_code(err, EXIT_CODE_NO_GL, "the GL library has no gl" #name);
    GL_FUNCTIONS(X)
#undef X
    const char *version = (const char *)out->GetString(GL_VERSION);
    int major = 0, minor = 0;
    if (!version || sscanf(version, "%d.%d", &major, &minor) != 2)
        return error_set_code(err, EXIT_CODE_NO_GL, "the context does not report its GL version");
    if (major < 3 || (major == 3 && minor < 3))
        return error_set_code(err, EXIT_CODE_NO_GL, "OpenGL 3.3 is needed, the library has \"%s\"", version);
    GLint extensions = 0;
    out->GetIntegerv(GL_NUM_EXTENSIONS, &extensions);
    for (GLint i = 0; i < extensions; i++) {
        const char *has = (const char *)out->GetStringi(GL_EXTENSIONS, (GLuint)i);
#define X(extension, name)                                                                                             \
    if (strcmp(has, #extension) == 0)                                                                                  \
        out->name = (__typeof__(out->name))lookup("gl" #name);
        GL_OPTIONAL_FUNCTIONS(X)
#undef X
    }
    return true;
}

bool gl_check_errors(const char *what, struct error *err)
{
    static const char *const names[] = {"GL_INVALID_ENUM",  "GL_INVALID_VALUE", "GL_INVALID_OPERATION",
                                        "unknown GL error", "unknown GL error", "out of memory",
                                        "GL_INVALID_FRAMEBUFFER_OPERATION"}; /* from 0x0500 on */
    GLenum first = gl->GetError();
    if (first == GL_NO_ERROR)
        return true;
    gl_clear_errors();
    return error_set_code(
        err, EXIT_CODE_DIFFERS, "%s: %s", what,
        names[first - GL_INVALID_ENUM < sizeof names / sizeof names[0] ? first - GL_INVALID_ENUM : 3]);
}

void gl_clear_errors(void)
{
    enum { MOST_ERRORS = 16 }; /* a lost context may answer for ever */
    for (int i = 0; i < MOST_ERRORS && gl->GetError() != GL_NO_ERROR; i++)
        ;
}

void buffer_texture_fill(struct buffer_texture *to, GLuint unit, GLenum format, const void *texels, size_t size)
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

void buffer_texture_release(struct buffer_texture *texture)
{
    gl->DeleteTextures(1, &texture->texture); /* zeros are ignored */
    gl->DeleteBuffers(1, &texture->buffer);
    *texture = (struct buffer_texture){0};
}

/* Makes a buffer of the bound framebuffer. Without multisampling a texture: a part is cleared without drawing. */
static GLuint attach(GLenum attachment, const struct target *target, int samples)
{
    const bool is_color = attachment == GL_COLOR_ATTACHMENT0;
    const GLenum format = is_color ? GL_RGBA8 : GL_DEPTH_COMPONENT24;
    const GLsizei width = (GLsizei)target->width, height = (GLsizei)target->height;
    GLuint buffer = 0;
    if (samples > 1) {
        gl->GenRenderbuffers(1, &buffer);
        gl->BindRenderbuffer(GL_RENDERBUFFER, buffer);
        gl->RenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, width, height);
        gl->FramebufferRenderbuffer(GL_FRAMEBUFFER, attachment, GL_RENDERBUFFER, buffer);
        return buffer;
    }
    gl->GenTextures(1, &buffer);
    gl->BindTexture(GL_TEXTURE_2D, buffer);
    gl->TexImage2D(GL_TEXTURE_2D, 0, (GLint)format, width, height, 0, is_color ? GL_RGBA : GL_DEPTH_COMPONENT,
                   is_color ? GL_UNSIGNED_BYTE : GL_UNSIGNED_INT, NULL);
    gl->BindTexture(GL_TEXTURE_2D, 0); /* nothing reads it where it is drawn to */
    gl->FramebufferTexture2D(GL_FRAMEBUFFER, attachment, GL_TEXTURE_2D, buffer, 0);
    return buffer;
}

static bool make_framebuffer(const struct target *target, int samples, GLuint *framebuffer, GLuint *color,
                             GLuint *depth)
{
    gl->GenFramebuffers(1, framebuffer);
    gl->BindFramebuffer(GL_FRAMEBUFFER, *framebuffer);
    *color = attach(GL_COLOR_ATTACHMENT0, target, samples);
    if (depth)
        *depth = attach(GL_DEPTH_ATTACHMENT, target, samples);
    return gl->CheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

bool target_prepare(struct target *target, uint32_t width, uint32_t height, int samples, struct error *err)
{
    if (target->width == width && target->height == height && target->samples == samples)
        return true;
    target_release(target);
    *target = (struct target){.width = width, .height = height, .samples = samples};
    gl->ActiveTexture(GL_TEXTURE0);
    bool complete = samples == 1 || make_framebuffer(target, 1, &target->plain_framebuffer, &target->plain_color, NULL);
    complete = make_framebuffer(target, samples, &target->framebuffer, &target->color, &target->depth) && complete;
    if (gl_check_errors("framebuffer", err) && complete)
        return true;
    target_release(target);
    return error_set_code(err, EXIT_CODE_DIFFERS, "GL gives no framebuffer of %ux%u pixels, %d samples each", width,
                          height, samples);
}

/* Mesa clears a part of a framebuffer by drawing a rectangle, three times as slow as writing it. */
void target_clear(const struct target *target, const struct rectangle *part)
{
    static const uint8_t nothing[4];
    static const float farthest = 1;
    const GLint x = (GLint)part->x, y = (GLint)part->y;
    const GLsizei width = (GLsizei)part->width, height = (GLsizei)part->height;
    if (target->samples == 1 && gl->ClearTexSubImage) {
        gl->ClearTexSubImage(target->color, 0, x, y, 0, width, height, 1, GL_RGBA, GL_UNSIGNED_BYTE, nothing);
        gl->ClearTexSubImage(target->depth, 0, x, y, 0, width, height, 1, GL_DEPTH_COMPONENT, GL_FLOAT, &farthest);
        return;
    }
    gl->BindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
    gl->Scissor(x, y, width, height);
    gl->Enable(GL_SCISSOR_TEST);
    gl->DepthMask(GL_TRUE);
    gl->ClearColor(0, 0, 0, 0);
    gl->Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    gl->Disable(GL_SCISSOR_TEST);
}

void target_read(const struct target *target, const struct rectangle *part, uint8_t *out)
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

void target_release(struct target *target)
{
    const GLuint framebuffers[] = {target->framebuffer, target->plain_framebuffer};
    const GLuint buffers[] = {target->color, target->depth};
    gl->DeleteFramebuffers(2, framebuffers); /* zeros are ignored */
    if (target->samples > 1)
        gl->DeleteRenderbuffers(2, buffers);
    else
        gl->DeleteTextures(2, buffers);
    gl->DeleteTextures(1, &target->plain_color);
    *target = (struct target){0};
}
