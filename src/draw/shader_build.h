#ifndef RIGPROOF_DRAW_SHADER_BUILD_H
#define RIGPROOF_DRAW_SHADER_BUILD_H

#include "draw/gl_functions.h"
#include "draw/shader_text.h"

/*
 * Compiles and links. 0 with err set when it does not build (exit code 1: our GLSL and the driver do not agree); the
 * driver's messages and the source with line numbers are on stderr then. `captures`: skinned_position and skinned_normal
 * can be captured by transform feedback, interleaved.
 */
GLuint shader_build(const struct gl *gl, const struct shader_text *vertex, const struct shader_text *fragment,
                    bool captures, struct error *err);

#endif
