#pragma once

#include "draw/shader/programs.h"

/* Reads what a vertex shader of the user's hands on, and checks who reads it. */

/* Captures of skinned_position, skinned_normal and any skinned_tangent, by transform feedback, interleaved; of a
 * foreign shader what stands for them. */
enum shader_captures {
    CAPTURES_NOTHING,
    CAPTURES_VERTICES,
    CAPTURES_IF_THERE, /* so that what leads to them alone is seen to be used; where they are not handed on, nothing */
};

enum { OUTPUTS_MOST = 16, OUTPUT_NAME = 128 };
struct shader_outputs {
    struct shader_output {
        char name[OUTPUT_NAME];
        GLenum type;
        GLint location; /* that it is declared with, else -1 */
    } items[OUTPUTS_MOST];
    int count;
    bool is_foreign; /* of the user's, none of them has a name of ours: written for another program */
    const struct shader_map *map; /* of the user's set, of a foreign shader */
    bool has_tangents; /* skinned_tangent is one of ours */
    const char *captured[3];
    GLsizei captured_count;
};

struct shader_build {
    const struct shader_text *vertex;
    const struct shader_text *fragment; /* NULL: none, to see what the vertex shader declares */
    const struct shader_outputs *outputs;
    enum shader_captures captures;
    const char *purpose; /* "view lit", for messages */
    bool is_fitted;      /* the fragment shader is ours, fitted to the outputs */
};

/* Reads what a compiled vertex shader hands on; its names live in `out`. A foreign shader's normal is captured only
 * where the map says which output is one: a name proves nothing. */
void outputs_read(GLuint vertex_shader, const struct shader_text *vertex, const struct program_key *key,
                  struct shader_outputs *out);

/*
 * Lines that have a fragment shader of ours read a foreign shader's outputs, by their names and types. A normal or
 * texture coordinate that is not handed on is zero, a colour white: warned of.
 */
void outputs_fit(const struct shader_outputs *outputs, const struct shader_build *build, const struct program_key *key,
                 struct text *out);

/*
 * Says whether it hands on what is read: Mesa links without a word when it does not. GL 3.3 does not list a shader's
 * outputs; but it captures no other. False with err set, exit code 2; other errors show when it is linked with the
 * fragment shader.
 */
bool hands_on(GLuint vertex_shader, const struct shader_build *build, struct error *err);
