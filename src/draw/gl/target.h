#ifndef RIGPROOF_DRAW_TARGET_H
#define RIGPROOF_DRAW_TARGET_H

#include <stdbool.h>
#include <stdint.h>

#include "draw/gl/gl_functions.h"

/*
 * What is drawn to: a framebuffer object with linear 8-bit RGBA and 24-bit depth; with several samples a pixel, a
 * second one that they are blitted to.
 */
struct target {
    uint32_t width; /* in framebuffer pixels, i.e. after supersampling; 0 while there is none */
    uint32_t height;
    int samples;    /* 1: no multisampling */
    GLuint framebuffer, color, depth;
    GLuint plain_framebuffer, plain_color; /* 0 without multisampling */
};

/* Makes the target that big, unless it is already. False with err set when GL refuses. */
bool target_prepare(struct target *target, const struct gl *gl, uint32_t width, uint32_t height, int samples,
                    struct error *err);

/* Reads the lower left width x height pixels, bottom row first, [height][width][4]. */
void target_read(const struct target *target, const struct gl *gl, uint32_t width, uint32_t height, uint8_t *out);

void target_release(struct target *target, const struct gl *gl);

#endif
