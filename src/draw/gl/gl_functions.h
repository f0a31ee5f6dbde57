#ifndef RIGPROOF_DRAW_GL_FUNCTIONS_H
#define RIGPROOF_DRAW_GL_FUNCTIONS_H

#include <GL/glcorearb.h>

#include "base/error.h"

/*
 * Exactly the functions of OpenGL 3.3 core that this stage uses, by pointer: nothing links libGL, because a program
 * that links it next to libOSMesa calls the wrong one. To use another function, add a line.
 */
#define GL_FUNCTIONS(X)                                                                                                \
    X(PFNGLGETSTRINGPROC, GetString)                                                                                   \
    X(PFNGLGETINTEGERVPROC, GetIntegerv)                                                                               \
    X(PFNGLGETERRORPROC, GetError)                                                                                     \
    X(PFNGLENABLEPROC, Enable)                                                                                         \
    X(PFNGLDISABLEPROC, Disable)                                                                                       \
    X(PFNGLVIEWPORTPROC, Viewport)                                                                                     \
    X(PFNGLCLEARCOLORPROC, ClearColor)                                                                                 \
    X(PFNGLCLEARPROC, Clear)                                                                                           \
    X(PFNGLDEPTHFUNCPROC, DepthFunc)                                                                                   \
    X(PFNGLCULLFACEPROC, CullFace)                                                                                     \
    X(PFNGLDEPTHMASKPROC, DepthMask)                                                                                   \
    X(PFNGLBLENDFUNCPROC, BlendFunc)                                                                                   \
    X(PFNGLREADPIXELSPROC, ReadPixels)                                                                                 \
    X(PFNGLPIXELSTOREIPROC, PixelStorei)                                                                               \
    X(PFNGLGENVERTEXARRAYSPROC, GenVertexArrays)                                                                       \
    X(PFNGLDELETEVERTEXARRAYSPROC, DeleteVertexArrays)                                                                 \
    X(PFNGLBINDVERTEXARRAYPROC, BindVertexArray)                                                                       \
    X(PFNGLENABLEVERTEXATTRIBARRAYPROC, EnableVertexAttribArray)                                                       \
    X(PFNGLVERTEXATTRIBPOINTERPROC, VertexAttribPointer)                                                               \
    X(PFNGLVERTEXATTRIBIPOINTERPROC, VertexAttribIPointer)                                                             \
    X(PFNGLVERTEXATTRIB2FPROC, VertexAttrib2f)                                                                         \
    X(PFNGLVERTEXATTRIB4FPROC, VertexAttrib4f)                                                                         \
    X(PFNGLVERTEXATTRIBI4UIPROC, VertexAttribI4ui)                                                                     \
    X(PFNGLVERTEXATTRIBI4IPROC, VertexAttribI4i)                                                                       \
    X(PFNGLGENBUFFERSPROC, GenBuffers)                                                                                 \
    X(PFNGLDELETEBUFFERSPROC, DeleteBuffers)                                                                           \
    X(PFNGLBINDBUFFERPROC, BindBuffer)                                                                                 \
    X(PFNGLBINDBUFFERBASEPROC, BindBufferBase)                                                                         \
    X(PFNGLBINDBUFFERRANGEPROC, BindBufferRange)                                                                       \
    X(PFNGLBUFFERDATAPROC, BufferData)                                                                                 \
    X(PFNGLBUFFERSUBDATAPROC, BufferSubData)                                                                           \
    X(PFNGLGETBUFFERSUBDATAPROC, GetBufferSubData)                                                                     \
    X(PFNGLDRAWELEMENTSPROC, DrawElements)                                                                             \
    X(PFNGLDRAWARRAYSPROC, DrawArrays)                                                                                 \
    X(PFNGLGENTEXTURESPROC, GenTextures)                                                                               \
    X(PFNGLDELETETEXTURESPROC, DeleteTextures)                                                                         \
    X(PFNGLACTIVETEXTUREPROC, ActiveTexture)                                                                           \
    X(PFNGLBINDTEXTUREPROC, BindTexture)                                                                               \
    X(PFNGLTEXIMAGE2DPROC, TexImage2D)                                                                                 \
    X(PFNGLTEXPARAMETERIPROC, TexParameteri)                                                                           \
    X(PFNGLTEXBUFFERPROC, TexBuffer)                                                                                   \
    X(PFNGLGENFRAMEBUFFERSPROC, GenFramebuffers)                                                                       \
    X(PFNGLDELETEFRAMEBUFFERSPROC, DeleteFramebuffers)                                                                 \
    X(PFNGLBINDFRAMEBUFFERPROC, BindFramebuffer)                                                                       \
    X(PFNGLCHECKFRAMEBUFFERSTATUSPROC, CheckFramebufferStatus)                                                         \
    X(PFNGLFRAMEBUFFERRENDERBUFFERPROC, FramebufferRenderbuffer)                                                       \
    X(PFNGLBLITFRAMEBUFFERPROC, BlitFramebuffer)                                                                       \
    X(PFNGLGENRENDERBUFFERSPROC, GenRenderbuffers)                                                                     \
    X(PFNGLDELETERENDERBUFFERSPROC, DeleteRenderbuffers)                                                               \
    X(PFNGLBINDRENDERBUFFERPROC, BindRenderbuffer)                                                                     \
    X(PFNGLRENDERBUFFERSTORAGEPROC, RenderbufferStorage)                                                               \
    X(PFNGLRENDERBUFFERSTORAGEMULTISAMPLEPROC, RenderbufferStorageMultisample)                                         \
    X(PFNGLCREATESHADERPROC, CreateShader)                                                                             \
    X(PFNGLDELETESHADERPROC, DeleteShader)                                                                             \
    X(PFNGLSHADERSOURCEPROC, ShaderSource)                                                                             \
    X(PFNGLCOMPILESHADERPROC, CompileShader)                                                                           \
    X(PFNGLGETSHADERIVPROC, GetShaderiv)                                                                               \
    X(PFNGLGETSHADERINFOLOGPROC, GetShaderInfoLog)                                                                     \
    X(PFNGLCREATEPROGRAMPROC, CreateProgram)                                                                           \
    X(PFNGLDELETEPROGRAMPROC, DeleteProgram)                                                                           \
    X(PFNGLATTACHSHADERPROC, AttachShader)                                                                             \
    X(PFNGLLINKPROGRAMPROC, LinkProgram)                                                                               \
    X(PFNGLGETPROGRAMIVPROC, GetProgramiv)                                                                             \
    X(PFNGLGETPROGRAMINFOLOGPROC, GetProgramInfoLog)                                                                   \
    X(PFNGLBINDATTRIBLOCATIONPROC, BindAttribLocation)                                                                 \
    X(PFNGLGETACTIVEATTRIBPROC, GetActiveAttrib)                                                                       \
    X(PFNGLGETATTRIBLOCATIONPROC, GetAttribLocation)                                                                   \
    X(PFNGLGETACTIVEUNIFORMPROC, GetActiveUniform)                                                                     \
    X(PFNGLGETUNIFORMFVPROC, GetUniformfv)                                                                             \
    X(PFNGLGETTRANSFORMFEEDBACKVARYINGPROC, GetTransformFeedbackVarying)                                               \
    X(PFNGLUSEPROGRAMPROC, UseProgram)                                                                                 \
    X(PFNGLGETUNIFORMLOCATIONPROC, GetUniformLocation)                                                                 \
    X(PFNGLGETUNIFORMBLOCKINDEXPROC, GetUniformBlockIndex)                                                             \
    X(PFNGLUNIFORM1IPROC, Uniform1i)                                                                                   \
    X(PFNGLUNIFORM1FPROC, Uniform1f)                                                                                   \
    X(PFNGLUNIFORM3FVPROC, Uniform3fv)                                                                                 \
    X(PFNGLUNIFORM4FVPROC, Uniform4fv)                                                                                 \
    X(PFNGLUNIFORMMATRIX4FVPROC, UniformMatrix4fv)                                                                     \
    X(PFNGLTRANSFORMFEEDBACKVARYINGSPROC, TransformFeedbackVaryings)                                                   \
    X(PFNGLBEGINTRANSFORMFEEDBACKPROC, BeginTransformFeedback)                                                         \
    X(PFNGLENDTRANSFORMFEEDBACKPROC, EndTransformFeedback)

struct gl {
#define X(type, name) type name;
    GL_FUNCTIONS(X)
#undef X
};

typedef void (*gl_proc)(void);

/*
 * Fills the table from `lookup`, with the context current. OSMesa answers names it does not know with a stub, so a full
 * table proves nothing: gl_check_version() does. False when one is NULL.
 */
bool gl_load(struct gl *gl, gl_proc (*lookup)(void *state, const char *name), void *state, struct error *err);

/* False, exit code 3, when GL_VERSION is below 3.3. */
bool gl_check_version(const struct gl *gl, struct error *err);

/* False with "WHAT: out of memory" (or the error's name) when GL has noted an error; forgets the ones noted. */
bool gl_check_errors(const struct gl *gl, const char *what, struct error *err);

/* Forgets noted errors, so that the next check speaks of what came between. */
void gl_clear_errors(const struct gl *gl);

#endif
