#ifndef RIGPROOF_DRAW_SHADER_BUILD_H
#define RIGPROOF_DRAW_SHADER_BUILD_H

#include "draw/gl/gl_functions.h"
#include "draw/shader/shader_text.h"

/* Compiles and links. */

/* Of skinned_position and skinned_normal, by transform feedback, interleaved. */
enum shader_captures {
    CAPTURES_NOTHING,
    CAPTURES_VERTICES,
    CAPTURES_IF_THERE, /* so that what leads to them alone is seen to be used; as nothing where they are not handed on */
};

struct shader_build {
    const struct shader_text *vertex;
    const struct shader_text *fragment; /* NULL: none, to see what the vertex shader declares */
    enum shader_captures captures;
    const char *purpose;                /* "view lit", for messages */
};

/*
 * The program, or 0 with err set when it does not build: one line with the driver's first message, exit code 2 where a
 * file of the user's is involved, else 1 (our GLSL and the driver do not agree). All of the driver's messages and the
 * source with line numbers are on stderr then.
 */
GLuint shader_build(const struct gl *gl, const struct shader_build *build, struct error *err);

#endif
