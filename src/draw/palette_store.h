#ifndef RIGPROOF_DRAW_PALETTE_STORE_H
#define RIGPROOF_DRAW_PALETTE_STORE_H

#include "data/feed.h"
#include "data/palette.h"
#include "draw/programs.h"

/* The palette in GL's memory, on the path and in the format of a feed (data/feed.h, shaders/palette.glsl). */

struct palette_store {
    struct palette_limits limits;
    struct feed feed;        /* of what is uploaded */
    GLuint buffer;           /* of every path but the array of uniforms */
    GLuint texture;          /* buffer texture of it */
    float (*rows)[4];        /* malloc'd; [room] what is uploaded, as vec4s */
    size_t room;
    uint32_t *first_rows;    /* malloc'd; [batch][instance] where an instance's bindings begin in it */
    size_t first_room;
    uint32_t layers;         /* frames of a batch */
    size_t frame_count;
    mat4 *matrices;          /* malloc'd; [matrix_room] one frame's bindings as they are, for arrays of the user's shaders */
    size_t matrix_room;
};

void palette_store_create(struct palette_store *store, const struct gl *gl);
void palette_store_release(struct palette_store *store, const struct gl *gl);

/*
 * Whether GL holds the scene's bindings this way. False with err set, exit code 2: how many vec4s are needed, how many
 * there are, and a path that holds them.
 */
bool palette_store_holds(const struct palette_store *store, const struct scene *scene, const struct feed *feed,
                         struct error *err);

/* How many frames' palettes a draw finds at once this way, and how many can be uploaded together; each at least 1. */
uint32_t palette_store_layers(const struct palette_store *store, const struct scene *scene, const struct feed *feed);
uint32_t palette_store_frames(const struct palette_store *store, const struct scene *scene, const struct feed *feed);

/*
 * Uploads the palettes of a sequence, which are held; the next draws use them. A draw shows a batch: `layers` frames one
 * after the other, in the last one what is left. An instance's bindings lie together for all frames of a batch:
 *
 *     [batch][instance][frame of the batch][binding]
 *
 * Of trs the matrices must be similarities.
 */
bool palette_store_upload(struct palette_store *store, const struct gl *gl, const struct scene *scene,
                          const struct palette *const *palettes, size_t count, uint32_t layers,
                          const struct feed *feed, struct error *err);

/* One frame's once more as mat4s, for programs whose contract has an array of them. */
bool palette_store_keep_matrices(struct palette_store *store, const struct palette *palette, struct error *err);

/* Sets what a program, in use, needs to find an instance's bindings in a batch. */
void palette_store_bind(const struct palette_store *store, const struct gl *gl, const struct scene *scene, size_t batch,
                        uint32_t instance, const struct program *program);

#endif
