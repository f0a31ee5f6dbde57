#pragma once

#include <stddef.h>
#include <stdint.h>

#define GL_GLEXT_PROTOTYPES /* for their types: none is called by its own name */
#include <GL/glcorearb.h>

#include "draw/draw.h"

/*
 * Exactly the functions of OpenGL 3.3 core that this stage uses, by pointer: nothing links libGL, because a program
 * that links it next to libOSMesa calls the wrong one. To use another function, add its name.
 */
#define GL_FUNCTIONS(X)                                                                                                \
    X(GetString) X(GetStringi) X(GetIntegerv) X(GetError) X(Enable) X(Disable) X(Viewport) X(ClearColor) X(Clear)      \
    X(DepthFunc) X(CullFace) X(DepthMask) X(ColorMask) X(LogicOp) X(BlendFunc) X(Scissor) X(Flush) X(ReadPixels)       \
    X(PixelStorei) X(GenVertexArrays) X(DeleteVertexArrays) X(BindVertexArray) X(EnableVertexAttribArray)              \
    X(VertexAttribPointer) X(VertexAttribIPointer) X(VertexAttrib4f) X(VertexAttribI4ui) X(VertexAttribI4i)            \
    X(GenBuffers) X(DeleteBuffers) X(BindBuffer) X(BindBufferBase) X(BindBufferRange) X(BufferData) X(BufferSubData)   \
    X(GetBufferSubData) X(DrawElementsInstanced) X(DrawArrays) X(DrawArraysInstanced) X(GenTextures)                   \
    X(DeleteTextures) X(ActiveTexture) X(BindTexture) X(TexImage1D) X(TexImage2D) X(TexImage3D) X(TexParameteri)       \
    X(TexBuffer) X(GenFramebuffers) X(DeleteFramebuffers) X(BindFramebuffer) X(CheckFramebufferStatus)                 \
    X(FramebufferRenderbuffer) X(BlitFramebuffer) X(FramebufferTexture2D) X(GenRenderbuffers) X(DeleteRenderbuffers)   \
    X(BindRenderbuffer) X(RenderbufferStorageMultisample) X(CreateShader) X(DeleteShader) X(ShaderSource)              \
    X(CompileShader) X(GetShaderiv) X(GetShaderInfoLog) X(CreateProgram) X(DeleteProgram) X(AttachShader)              \
    X(LinkProgram) X(GetProgramiv) X(GetProgramInfoLog) X(BindAttribLocation) X(GetActiveAttrib) X(GetAttribLocation)  \
    X(GetActiveUniform) X(GetUniformfv) X(GetTransformFeedbackVarying) X(UseProgram) X(GetUniformLocation)             \
    X(GetUniformBlockIndex) X(GetActiveUniformBlockiv) X(GetActiveUniformBlockName) X(GetActiveUniformsiv)             \
    X(UniformBlockBinding) X(Uniform1i) X(Uniform1iv) X(Uniform2iv) X(Uniform3iv) X(Uniform4iv) X(Uniform1uiv)         \
    X(Uniform2uiv) X(Uniform3uiv) X(Uniform4uiv) X(Uniform1f) X(Uniform1fv) X(Uniform2fv) X(Uniform3fv) X(Uniform4fv)  \
    X(UniformMatrix3fv) X(UniformMatrix4fv) X(UniformMatrix4x3fv) X(UniformMatrix3x4fv) X(DisableVertexAttribArray)    \
    X(TransformFeedbackVaryings) X(BeginTransformFeedback) X(EndTransformFeedback)

/* By extension; the first has ARB_separate_shader_objects with it. Every Mesa has them; NULL in a library without. */
#define GL_OPTIONAL_FUNCTIONS(X)                                                                                       \
    X(GL_ARB_program_interface_query, GetProgramInterfaceiv) X(GL_ARB_program_interface_query, GetProgramResourceiv)   \
    X(GL_ARB_program_interface_query, GetProgramResourceName) X(GL_ARB_program_interface_query, ProgramParameteri)     \
    X(GL_ARB_clear_texture, ClearTexSubImage)

struct gl {
#define X(name) __typeof__(gl##name) *name;
    GL_FUNCTIONS(X)
#undef X
#define X(extension, name) __typeof__(gl##name) *name;
    GL_OPTIONAL_FUNCTIONS(X)
#undef X
};

typedef void (*gl_proc)(void);

/* Those of the context that is current on this thread (gl_context_use()), which all code of this stage calls. */
extern _Thread_local const struct gl *gl;

/*
 * Fills the table from `lookup`, with the context current. OSMesa answers names it does not know with a stub, so a full
 * table proves nothing. False, exit code 3, when one is NULL or GL_VERSION is below 3.3.
 */
bool gl_load(struct gl *out, gl_proc (*lookup)(const char *name), struct error *err);

/* False with "WHAT: out of memory" (or the error's name) when GL has noted an error; forgets the ones noted. */
bool gl_check_errors(const char *what, struct error *err);

/* Forgets noted errors, so that the next check speaks of what came between. */
void gl_clear_errors(void);

/* A buffer that shaders read as a texture; zero while there is none. */
struct buffer_texture {
    GLuint buffer, texture;
};

/* Fills it, made where it is not yet, in texels of a format, and leaves it bound to a texture unit. */
void buffer_texture_fill(struct buffer_texture *to, GLuint unit, GLenum format, const void *texels, size_t size);
void buffer_texture_release(struct buffer_texture *texture);

/*
 * A target is what is drawn to: a framebuffer object with linear 8-bit RGBA and 24-bit depth; with several samples a
 * pixel, a second one that they are blitted to.
 */
struct target {
    uint32_t width; /* in framebuffer pixels, i.e. after supersampling; 0 while there is none */
    uint32_t height;
    int samples;    /* 1: no multisampling */
    GLuint framebuffer, color, depth; /* textures, renderbuffers with multisampling */
    GLuint plain_framebuffer, plain_color; /* 0 without multisampling */
};

/* Makes the target that big, unless it is already. False with err set when GL refuses. */
bool target_prepare(struct target *target, uint32_t width, uint32_t height, int samples, struct error *err);

/* Pixels of a picture, or of a framebuffer: its y grows upwards. */
struct rectangle {
    uint32_t x, y, width, height;
};

/* Clears a part of it. Changes what is bound, and leaves the scissor test off. */
void target_clear(const struct target *target, const struct rectangle *part);

/* Reads that part, bottom row first, [height][width][4]. */
void target_read(const struct target *target, const struct rectangle *part, uint8_t *out);

void target_release(struct target *target);

/*
 * A backend opens its library when it is asked for, so that one binary runs where only one of them is installed; it
 * declares the few constants and prototypes it needs itself and builds without its headers.
 */
struct backend_ops;

struct gl_context {
    const struct backend_ops *ops;
    const char *name;        /* "osmesa", "egl" */
    char library_path[512];  /* the file; stays open until the process ends, as unloading LLVM is slow and unsafe */
    gl_proc functions[8];    /* the backend's, in its table's order */
    void *display, *handle;  /* the backend's own; handle is NULL when there is no context */
    struct gl gl;
};

/*
 * Applies the environment, opens a context of the backend asked for (BACKEND_AUTO: the first that works) and makes it
 * current. False with exit code 3: what was tried and what to install.
 */
bool gl_context_open(struct gl_context *context, enum backend backend, struct error *err);

/* Makes the context current on this thread when another one is. */
bool gl_context_use(struct gl_context *context, struct error *err);

void gl_context_close(struct gl_context *context);
