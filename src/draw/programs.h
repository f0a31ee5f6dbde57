#ifndef RIGPROOF_DRAW_PROGRAMS_H
#define RIGPROOF_DRAW_PROGRAMS_H

#include <stdbool.h>

#include "data/scene.h"
#include "data/shot.h"
#include "draw/gl_functions.h"

/*
 * The GLSL programs: one per key, built when first asked for. A key becomes a few #define lines after the #version of
 * the files in shaders/; nothing else of their text is touched.
 */

/* How a mesh's influences reach the vertex shader: INFLUENCE_SETS in skin.vert. */
enum influence_form {
    INFLUENCES_LISTED,  /* any number a vertex, in a buffer texture */
    INFLUENCES_4,       /* one pair of attributes */
    INFLUENCES_8,       /* two pairs of attributes */
    INFLUENCE_FORM_COUNT,
};

struct program_key {
    enum view view;
    enum influence_form influences;
    enum alpha_mode alpha;
    bool textured;
    bool two_sided;
    bool captures; /* transform feedback of skinned_position and skinned_normal, interleaved */
    bool morphs;   /* the mesh has targets: MORPH_TARGETS in morph.glsl */
    bool identity; /* bones.frag in place of the view's file: numbers of bindings, one sample a pixel */
};

enum { ALPHA_MODE_COUNT = ALPHA_BLEND + 1 };
enum { PROGRAM_COUNT = VIEW_COUNT * INFLUENCE_FORM_COUNT * ALPHA_MODE_COUNT * 2 * 2 * 2 * 2 * 2 };

enum uniform {
    UNIFORM_SCENE_TO_CLIP,
    UNIFORM_FIRST_BINDING,
    UNIFORM_BASE_COLOR,
    UNIFORM_ALPHA_CUTOFF,
    UNIFORM_KEY_DIRECTION,
    UNIFORM_FILL_DIRECTION,
    UNIFORM_RIM_DIRECTION,
    UNIFORM_SKY_DIRECTION,
    UNIFORM_MORPH_SLOT,
    UNIFORM_MORPH_VERTICES,
    UNIFORM_NEARNESS,
    UNIFORM_COUNT,
};

/* Attribute locations in skin.vert and overlay.vert. */
enum attribute {
    ATTRIBUTE_POSITION,
    ATTRIBUTE_NORMAL,
    ATTRIBUTE_UV,
    ATTRIBUTE_COLOR,
    ATTRIBUTE_BONES,
    ATTRIBUTE_WEIGHTS,
    ATTRIBUTE_MORE_BONES,
    ATTRIBUTE_MORE_WEIGHTS,
    ATTRIBUTE_INFLUENCE_RANGE,
};
enum { OVERLAY_POSITION, OVERLAY_COLOR };

/* Texture units of the samplers. */
enum texture_unit {
    UNIT_BASE_TEXTURE,
    UNIT_PALETTE,
    UNIT_INFLUENCES,
    UNIT_BINDING_COLORS,
    UNIT_MORPH_DELTAS,
    UNIT_MORPH_WEIGHTS,
};

struct program {
    GLuint id;                      /* 0: not built yet */
    GLint uniforms[UNIFORM_COUNT];  /* -1 where the program does not use it; GL ignores sets to it */
};

struct programs {
    struct program skin[PROGRAM_COUNT];
    GLuint overlay;
};

/*
 * The program of a key; owned by `programs`. NULL with err set (exit code 1: our GLSL and the driver do not agree) when
 * it does not build; the driver's log and the source with line numbers are on stderr then.
 */
const struct program *programs_get(struct programs *programs, const struct gl *gl, const struct program_key *key,
                                   struct error *err);

/* The overlay's program, or 0 with err set. */
GLuint programs_overlay(struct programs *programs, const struct gl *gl, struct error *err);

void programs_release(struct programs *programs, const struct gl *gl);

#endif
