#ifndef RIGPROOF_DRAW_CONTRACT_H
#define RIGPROOF_DRAW_CONTRACT_H

#include "data/pose/upload_format.h"
#include "data/scene/scene.h"
#include "draw/gl/gl_functions.h"
#include "draw/shader/shader_text.h"

/*
 * shaders/README.md as code: what a program with files of the user's declares, held against what this stage gives. Programs
 * of our own files keep to it and are not asked.
 */

/* How a mesh's influences are uploaded to the vertex shader: INFLUENCE_SETS in influences.glsl. */
enum influence_form {
    INFLUENCES_LISTED, /* any number a vertex, in a buffer texture */
    INFLUENCES_4,      /* one pair of attributes */
    INFLUENCES_8,      /* two pairs of attributes */
    INFLUENCE_FORM_COUNT,
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
    ATTRIBUTE_COUNT,
};
enum { OVERLAY_POSITION, OVERLAY_COLOR };

/* What programs are given; samplers first, each with the texture unit of its number. */
enum uniform {
    UNIFORM_BASE_TEXTURE,
    UNIFORM_PALETTE,
    UNIFORM_INFLUENCES,
    UNIFORM_BINDING_COLORS,
    UNIFORM_MORPH_DELTAS,
    UNIFORM_MORPH_WEIGHTS,
    SAMPLER_COUNT,
    UNIFORM_SCENE_TO_CLIP = SAMPLER_COUNT,
    UNIFORM_FIRST_BINDING,
    UNIFORM_PALETTE_ROWS,
    UNIFORM_BASE_COLOR,
    UNIFORM_ALPHA_CUTOFF,
    UNIFORM_KEY_DIRECTION, /* these four in this order */
    UNIFORM_FILL_DIRECTION,
    UNIFORM_RIM_DIRECTION,
    UNIFORM_SKY_DIRECTION,
    UNIFORM_MORPH_SLOT,
    UNIFORM_MORPH_VERTICES,
    UNIFORM_NEARNESS,
    UNIFORM_CROWD_BINDINGS,
    UNIFORM_CROWD_PLACES,
    UNIFORM_CROWD_SLOTS,
    UNIFORM_COUNT,
};

/* What a program reads. */
struct contract {
    unsigned attributes;      /* bit 1 << location */
    bool signed_bones;        /* `bones` is ivec4: unused slots are -1 */
    unsigned palette_paths;   /* bit 1 << path; PALETTE_SSBO cannot be seen */
    uint32_t palette_rows;    /* vec4s of that array, where it is read */
    bool reads_morphs;
    bool reads_crowd;         /* the places of a crowd's instances */
    GLint matrices;           /* location of an array of mat4 that takes the instance's bindings, else -1 */
    uint32_t matrix_count;
    char matrices_name[32];
    char file[256];           /* the user's that says so, for messages */
};

/* Before linking: attributes without a location get the one of their name. */
void contract_name_attributes(const struct gl *gl, GLuint program);

/*
 * Reads a linked program; `fragment` may be NULL. False with err set, exit code 2, when something is declared as another
 * type than the contract has it, or nothing is at a location. Warns of uniforms that nobody sets.
 */
bool contract_read(const struct gl *gl, GLuint program, const struct shader_text *vertex,
                   const struct shader_text *fragment, struct shader_set *set, struct contract *out, struct error *err);

/*
 * Whether a vertex shader with these inputs can draw a mesh. False with err set, exit code 2: more bones than its array
 * holds, influences that it does not read, a palette on another path. Warns of morph targets that it leaves out.
 */
bool contract_holds(const struct contract *contract, const struct mesh *mesh, enum influence_form form,
                    const struct upload_format *upload_format, struct shader_set *set, struct error *err);

/* Where a linked program, in use now, has its uniforms; -1: it does not use it, and GL ignores sets to it. */
void contract_find_uniforms(const struct gl *gl, GLuint program, GLint uniforms[UNIFORM_COUNT]);

/* "vec3". */
const char *contract_type_name(GLenum type);

#endif
