#ifndef RIGPROOF_DRAW_PALETTE_STORE_H
#define RIGPROOF_DRAW_PALETTE_STORE_H

#include "data/pose/upload_format.h"
#include "data/pose/palette.h"
#include "draw/draw.h"
#include "draw/shader/programs.h"

/* The palette in GL's memory, on the path and in an upload format (data/pose/upload_format.h, shaders/palette.glsl). */

struct palette_store {
    struct palette_limits limits;
    struct upload_format upload_format;        /* of what is uploaded */
    struct buffer_texture texture; /* its buffer is of every path but the array of uniforms */
    float (*rows)[4];        /* malloc'd; [room] what is uploaded, as vec4s */
    size_t capacity;
    uint32_t *first_rows;    /* malloc'd; [instance_room] where an instance's bindings begin in it */
    uint32_t instance_room;
    uint32_t crowd;          /* how many instances the crowd has; 0: it is none */
    const mat4 *matrices;    /* of the palette that was uploaded, for arrays of the user's shaders; the caller's */
};

void palette_store_create(struct palette_store *store, const struct gl *gl);
void palette_store_release(struct palette_store *store, const struct gl *gl);

/*
 * Whether GL holds the scene's bindings this way. False with err set, exit code 2: how many vec4s are needed, how many
 * there are, and a path that holds them.
 */
bool palette_store_holds(const struct palette_store *store, const struct scene *scene,
                         const struct upload_format *upload_format, uint32_t crowd, struct error *err);

/* Uploads a palette that is held; the next draws use it, while it lives. Of trs the matrices must be similarities. */
bool palette_store_upload(struct palette_store *store, const struct gl *gl, const struct scene *scene,
                          const struct crowd *crowd, const struct upload_format *upload_format, struct error *err);

/* Sets what a program, in use, needs to find an instance's bindings. */
void palette_store_bind(const struct palette_store *store, const struct gl *gl, const struct scene *scene,
                        uint32_t instance, const struct program *program);

#endif
